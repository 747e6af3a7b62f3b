"""Score SQL in the words of another engine: a closed set of constructs, each with a meaning that is the same.

Score SQL is a tree of DuckDB's functions, and means what DuckDB makes of it. `translate` walks the tree; a
`Dialect` says how an engine writes each function and conversion, and refuses those that it does not have
with the very same results. What stands in neither is refused before anything is charged.

`nodes` holds what both share; `dialect` is that of Spark SQL, with its functions by kind in `numbers`,
`datetimes` and `strings`, and its conversions in `casts`.
"""
