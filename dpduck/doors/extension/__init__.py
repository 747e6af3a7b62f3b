"""dpduck inside a plain DuckDB connection: the dp_ functions."""
