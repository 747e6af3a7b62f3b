SELECT now()
-- UnsupportedSqlError at 8: the function now is not supported
-- DETAIL: Its result changes with the clock, so that one question would have two answers. Nothing was charged.
-- HINT: Write the date itself, DATE '2024-01-31', or pass it as a parameter.
SELECT current_date
-- UnsupportedSqlError: the current date or time is not supported
-- DETAIL: Its result changes with the clock, so that one question would have two answers. Nothing was charged.
-- HINT: Write the date itself, DATE '2024-01-31', or pass it as a parameter.
SELECT current_timestamp
-- UnsupportedSqlError: the current date or time is not supported
-- DETAIL: Its result changes with the clock, so that one question would have two answers. Nothing was charged.
-- HINT: Write the date itself, DATE '2024-01-31', or pass it as a parameter.
SELECT today()
-- UnsupportedSqlError at 8: the current date or time is not supported
-- DETAIL: Its result changes with the clock, so that one question would have two answers. Nothing was charged.
-- HINT: Write the date itself, DATE '2024-01-31', or pass it as a parameter.
SELECT get_current_timestamp()
-- UnsupportedSqlError at 8: the function get_current_timestamp is not supported
-- DETAIL: Its result changes with the clock, so that one question would have two answers. Nothing was charged.
-- HINT: Write the date itself, DATE '2024-01-31', or pass it as a parameter.
SELECT transaction_timestamp()
-- UnsupportedSqlError at 8: the function transaction_timestamp is not supported
-- DETAIL: Its result changes with the clock, so that one question would have two answers. Nothing was charged.
-- HINT: Write the date itself, DATE '2024-01-31', or pass it as a parameter.
SELECT localtimestamp
-- UnsupportedSqlError: the current date or time is not supported
-- DETAIL: Its result changes with the clock, so that one question would have two answers. Nothing was charged.
-- HINT: Write the date itself, DATE '2024-01-31', or pass it as a parameter.
SELECT age(d) FROM t
-- UnsupportedSqlError at 8: the function age is not supported
-- DETAIL: Its result changes with the clock, so that one question would have two answers. Nothing was charged.
-- HINT: Write the date itself, DATE '2024-01-31', or pass it as a parameter.
SELECT "current_date" FROM t, u
-- UnsupportedSqlError at 8: the name current_date is ambiguous
-- DETAIL: It could be a column, the rows of a table, or a function of the server. Nothing was charged.
-- HINT: Say which column is meant: t.current_date, with the table's name or alias before it.
SELECT "user" FROM t, u
-- UnsupportedSqlError at 8: the name user is ambiguous
-- DETAIL: It could be a column, the rows of a table, or a function of the server. Nothing was charged.
-- HINT: Say which column is meant: t.user, with the table's name or alias before it.
