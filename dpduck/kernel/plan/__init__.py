"""The typed plan of a private query, and what it costs."""
