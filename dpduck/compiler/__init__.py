"""SQL text to a typed plan: pure, no connection to data. The kernel checks what it claims of bounds."""
