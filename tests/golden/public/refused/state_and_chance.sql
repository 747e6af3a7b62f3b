SELECT getenv('HOME')
-- UnsupportedSqlError at 8: the function getenv is not supported
-- DETAIL: It reads or changes what the server keeps besides the tables, from one statement to the next. Nothing was charged.
-- HINT: Leave it out, or write its value.
SELECT current_setting('threads')
-- UnsupportedSqlError at 8: the function current_setting is not supported
-- DETAIL: It reads or changes what the server keeps besides the tables, from one statement to the next. Nothing was charged.
-- HINT: Leave it out, or write its value.
SELECT getvariable('v')
-- UnsupportedSqlError at 8: the function getvariable is not supported
-- DETAIL: It reads or changes what the server keeps besides the tables, from one statement to the next. Nothing was charged.
-- HINT: Leave it out, or write its value.
SELECT nextval('q')
-- UnsupportedSqlError at 8: the function nextval is not supported
-- DETAIL: It reads or changes what the server keeps besides the tables, from one statement to the next. Nothing was charged.
-- HINT: Leave it out, or write its value.
SELECT currval('q')
-- UnsupportedSqlError at 8: the function currval is not supported
-- DETAIL: It reads or changes what the server keeps besides the tables, from one statement to the next. Nothing was charged.
-- HINT: Leave it out, or write its value.
SELECT write_log('x')
-- UnsupportedSqlError at 8: the function write_log is not supported
-- DETAIL: It reads or changes what the server keeps besides the tables, from one statement to the next. Nothing was charged.
-- HINT: Leave it out, or write its value.
SELECT current_user
-- UnsupportedSqlError: the state of the session is not supported
-- DETAIL: It reads or changes what the server keeps besides the tables, from one statement to the next. Nothing was charged.
-- HINT: Leave it out, or write its value.
SELECT current_schema()
-- UnsupportedSqlError at 8: the state of the session is not supported
-- DETAIL: It reads or changes what the server keeps besides the tables, from one statement to the next. Nothing was charged.
-- HINT: Leave it out, or write its value.
SELECT current_database()
-- UnsupportedSqlError at 8: the state of the session is not supported
-- DETAIL: It reads or changes what the server keeps besides the tables, from one statement to the next. Nothing was charged.
-- HINT: Leave it out, or write its value.
SELECT version()
-- UnsupportedSqlError at 8: the state of the session is not supported
-- DETAIL: It reads or changes what the server keeps besides the tables, from one statement to the next. Nothing was charged.
-- HINT: Leave it out, or write its value.
SELECT txid_current()
-- UnsupportedSqlError at 8: the function txid_current is not supported
-- DETAIL: It reads or changes what the server keeps besides the tables, from one statement to the next. Nothing was charged.
-- HINT: Leave it out, or write its value.
SELECT random()
-- UnsupportedSqlError at 8: the function random is not supported
-- DETAIL: Its result is drawn anew each time, so that one question would have two answers. Nothing was charged.
-- HINT: Leave it out, or order by a column.
SELECT setseed(0.5)
-- UnsupportedSqlError at 8: the function setseed is not supported
-- DETAIL: Its result is drawn anew each time, so that one question would have two answers. Nothing was charged.
-- HINT: Leave it out, or order by a column.
SELECT uuid()
-- UnsupportedSqlError at 8: the function uuid is not supported
-- DETAIL: Its result is drawn anew each time, so that one question would have two answers. Nothing was charged.
-- HINT: Leave it out, or order by a column.
SELECT gen_random_uuid()
-- UnsupportedSqlError at 8: the function gen_random_uuid is not supported
-- DETAIL: Its result is drawn anew each time, so that one question would have two answers. Nothing was charged.
-- HINT: Leave it out, or order by a column.
SELECT uuidv7()
-- UnsupportedSqlError at 8: the function uuidv7 is not supported
-- DETAIL: Its result is drawn anew each time, so that one question would have two answers. Nothing was charged.
-- HINT: Leave it out, or order by a column.
SELECT reservoir_quantile(i, 0.5) FROM t
-- UnsupportedSqlError at 8: the function reservoir_quantile is not supported
-- DETAIL: Its result is drawn anew each time, so that one question would have two answers. Nothing was charged.
-- HINT: Leave it out, or order by a column.
SELECT stats(i) FROM t
-- UnsupportedSqlError at 8: the function stats is not supported
-- DETAIL: It reads or changes what the server keeps besides the tables, from one statement to the next. Nothing was charged.
-- HINT: Leave it out, or write its value.
SELECT sleep_ms(1000)
-- UnsupportedSqlError at 8: the function sleep_ms is not supported
-- DETAIL: It stops or delays a query on purpose. Nothing was charged.
-- HINT: Leave it out; NULL marks a missing value.
SELECT error('x')
-- UnsupportedSqlError at 8: the function error is not supported
-- DETAIL: It stops or delays a query on purpose. Nothing was charged.
-- HINT: Leave it out; NULL marks a missing value.
