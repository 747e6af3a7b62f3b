"""Score SQL as a typed tree, which becomes text in the last step only.

`nodes` defines the closed set of expressions, `relations` the items of FROM and SELECT, `build` constructs
them, `walk` traverses and rewrites them, and `duckdb` generates DuckDB's SQL.
"""
