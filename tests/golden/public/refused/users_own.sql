SELECT my_macro(i) FROM t
-- UnsupportedSqlError at 8: the function my_macro is not supported
-- DETAIL: Only functions that are known to have no side effects and a bounded cost are called. Nothing was charged.
-- HINT: Use another function, or compute it from the answer.
SELECT main.lower(s) FROM t
-- UnsupportedSqlError at 8: a qualified function is not supported
-- DETAIL: Functions that may be called need no schema, and take the value in parentheses. Nothing was charged.
-- HINT: Write lower(name) instead of name.lower().
SELECT s.lower() FROM t
-- UnsupportedSqlError at 8: a qualified function is not supported
-- DETAIL: Functions that may be called need no schema, and take the value in parentheses. Nothing was charged.
-- HINT: Write lower(name) instead of name.lower().
SELECT i::my_type FROM t
-- UnsupportedSqlError: this type is not supported
-- DETAIL: A type that users define may mean anything. Nothing was charged.
-- HINT: Write a type of DuckDB: INTEGER, DOUBLE, DECIMAL(18, 2), VARCHAR, DATE, TIMESTAMP, INTEGER[], ...
SELECT CAST(s AS main.my_type) FROM t
-- UnsupportedSqlError: this type is not supported
-- DETAIL: A type that users define may mean anything. Nothing was charged.
-- HINT: Write a type of DuckDB: INTEGER, DOUBLE, DECIMAL(18, 2), VARCHAR, DATE, TIMESTAMP, INTEGER[], ...
SELECT i::my_type[] FROM t
-- UnsupportedSqlError: this type is not supported
-- DETAIL: A type that users define may mean anything. Nothing was charged.
-- HINT: Write a type of DuckDB: INTEGER, DOUBLE, DECIMAL(18, 2), VARCHAR, DATE, TIMESTAMP, INTEGER[], ...
SELECT wavg(i, x) FROM t
-- UnsupportedSqlError at 8: the function wavg is not supported
-- DETAIL: It is a macro of DuckDB, in whose body other functions may be put. Nothing was charged.
-- HINT: Write sum(x * w) / sum(w).
SELECT geomean(x) FROM t
-- UnsupportedSqlError at 8: the function geomean is not supported
-- DETAIL: It is a macro of DuckDB, in whose body other functions may be put. Nothing was charged.
-- HINT: Write exp(avg(ln(x))).
SELECT list_transform(l, x -> x + 1) FROM t
-- UnsupportedSqlError at 8: a lambda is not supported
-- DETAIL: It would be a function of your own. Nothing was charged.
-- HINT: Use list_contains, list_sort, list_distinct and l[1].
SELECT list_transform(l, lambda x: x + 1) FROM t
-- UnsupportedSqlError at 8: a lambda is not supported
-- DETAIL: It would be a function of your own. Nothing was charged.
-- HINT: Use list_contains, list_sort, list_distinct and l[1].
SELECT [x + 1 FOR x IN l] FROM t
-- UnsupportedSqlError at 19: a list comprehension is not supported
-- DETAIL: It would be a function of your own. Nothing was charged.
-- HINT: Use list_contains, list_sort, list_distinct and l[1].
SELECT list_reverse(l) FROM t
-- UnsupportedSqlError at 8: the function list_reverse is not supported
-- DETAIL: It is a macro of DuckDB, in whose body other functions may be put. Nothing was charged.
-- HINT: Read the list from the answer, and turn it round there.
SELECT s COLLATE nocase FROM t
-- UnsupportedSqlError at 8: COLLATE is not supported
-- DETAIL: A collation is a setting of the server. Nothing was charged.
-- HINT: Compare lower(x), or strip_accents(x).
