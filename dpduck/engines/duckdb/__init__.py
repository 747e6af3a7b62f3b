"""DuckDB as the engine: files, their columns and versions, and security settings."""
