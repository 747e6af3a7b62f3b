"""DuckDB as the engine: its files, their columns and versions, and what it may do."""
