"""Score SQL as a typed tree, which only the last step writes as text.

`nodes` has the closed set of expressions, `relations` what they stand over, `build` makes them, `walk` asks
and rewrites them, and `duckdb` writes them in DuckDB's SQL. `foreign` writes them for other engines.
"""
