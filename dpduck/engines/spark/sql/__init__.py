"""Score SQL in the words of another engine: a closed set of constructs, each with a meaning that is the same.

Score SQL is a tree of DuckDB's functions, and means what DuckDB makes of it. `translate` walks the tree; a
`Dialect` says how an engine writes each function and conversion, and refuses those that it does not have
with the very same results. What stands in neither is refused before anything is charged.

`values` holds what both share; `spark` is the dialect of Spark SQL, with its functions by kind in
`spark_numbers`, `spark_moments` and `spark_texts`, and its conversions in `spark_casts`.
"""
