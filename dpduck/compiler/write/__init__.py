"""Names, keys and types in generated SQL."""
