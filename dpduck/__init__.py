"""dpduck: differentially private answers out of DuckDB."""
