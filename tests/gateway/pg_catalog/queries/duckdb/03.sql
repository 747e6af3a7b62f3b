SELECT to_regclass('duckdb_secrets')
