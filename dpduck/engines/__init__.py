"""Where score SQL runs: DuckDB with its files and lakes, and Spark; each provides `dpduck.kernel.engine`."""
