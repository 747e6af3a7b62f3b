SELECT current_timestamp(3)
-- UnsupportedSqlError at 8: the current date or time is not supported
-- DETAIL: Of the clock, now(), current_date and localtimestamp are known, as they are when the query is planned. Nothing was charged.
-- HINT: Write one of these, as in current_date - 7, or a date, DATE '2024-01-31'.
SELECT current_time
-- UnsupportedSqlError: the current date or time is not supported
-- DETAIL: Of the clock, now(), current_date and localtimestamp are known, as they are when the query is planned. Nothing was charged.
-- HINT: Write one of these, as in current_date - 7, or a date, DATE '2024-01-31'.
SELECT localtime FROM t
-- UnsupportedSqlError: the current date or time is not supported
-- DETAIL: Of the clock, now(), current_date and localtimestamp are known, as they are when the query is planned. Nothing was charged.
-- HINT: Write one of these, as in current_date - 7, or a date, DATE '2024-01-31'.
SELECT age(d) FROM t
-- UnsupportedSqlError at 8: the function age is not supported
-- DETAIL: Of the clock, now(), current_date and localtimestamp are known, as they are when the query is planned. Nothing was charged.
-- HINT: Write one of these, as in current_date - 7, or a date, DATE '2024-01-31'.
SELECT "current_date" FROM t, u
-- UnsupportedSqlError at 8: the name current_date is ambiguous
-- DETAIL: It could be a column, the rows of a table, or a function of the server. Nothing was charged.
-- HINT: Say which column is meant: t.current_date, with the table's name or alias before it.
SELECT "user" FROM t, u
-- UnsupportedSqlError at 8: the name user is ambiguous
-- DETAIL: It could be a column, the rows of a table, or a function of the server. Nothing was charged.
-- HINT: Say which column is meant: t.user, with the table's name or alias before it.
