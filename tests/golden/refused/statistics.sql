SELECT stats(disease) FROM visits;
-- UnsupportedSqlError at 8: the function stats is not supported
-- DETAIL: It reads or changes what the server keeps besides the tables, from one statement to the next. Nothing was charged.
-- HINT: Leave it out, or write its value.
----
SELECT count(*), stats(age) FROM visits;
-- UnsupportedSqlError at 18: the function stats is not supported
-- DETAIL: It reads or changes what the server keeps besides the tables, from one statement to the next. Nothing was charged.
-- HINT: Leave it out, or write its value.
----
SELECT vector_type(age) FROM visits;
-- UnsupportedSqlError at 8: the function vector_type is not supported
-- DETAIL: It reads or changes what the server keeps besides the tables, from one statement to the next. Nothing was charged.
-- HINT: Leave it out, or write its value.
----
SUMMARIZE visits;
-- UnsupportedSqlError: SUMMARIZE is not supported
-- DETAIL: It would tell how many rows there are, and the least and greatest value of each column. Nothing was charged.
-- HINT: Write DESCRIBE t for names and types, or SELECT count(*), avg(x) FROM t, which costs epsilon.
----
SUMMARIZE SELECT * FROM visits;
-- UnsupportedSqlError: SUMMARIZE is not supported
-- DETAIL: It would tell how many rows there are, and the least and greatest value of each column. Nothing was charged.
-- HINT: Write DESCRIBE t for names and types, or SELECT count(*), avg(x) FROM t, which costs epsilon.
----
SHOW visits;
-- UnsupportedSqlError at 1: this SHOW statement is not supported
-- DETAIL: Only statements whose effect dpduck fully understands are run. Nothing was charged.
-- HINT: Write SHOW PRIVACY, which lists tables and policies.
----
EXPLAIN ANALYZE SELECT count(*) FROM visits;
-- UnsupportedSqlError at 1: EXPLAIN ANALYZE is not supported
-- DETAIL: Only statements whose effect dpduck fully understands are run. Nothing was charged.
-- HINT: Write EXPLAIN SELECT ..., which reads no private row.
----
EXPLAIN (ANALYZE, FORMAT json) SELECT count(*) FROM visits;
-- SqlSyntaxError at 32: syntax error at 'SELECT': invalid expression / Unexpected token
-- DETAIL: Nothing was charged.
-- HINT: Look near that place. What can be written: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
EXPLAIN DELETE FROM visits;
-- UnsupportedSqlError: this statement is not supported
-- DETAIL: Only statements whose effect dpduck fully understands are run. Nothing was charged.
-- HINT: Write one of: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
EXPLAIN SELECT * FROM visits;
-- UnsupportedSqlError at 16: private rows cannot be listed
-- DETAIL: Columns of the answer are aggregates, and the keys of GROUP BY. Nothing was charged.
-- HINT: Write SELECT key, count(*) FROM t WHERE ... GROUP BY key ORDER BY count(*) DESC LIMIT 10, or SELECT count(*), avg(x), median(x) FROM t.
----
SELECT estimated_size FROM duckdb_tables();
-- UnsupportedSqlError at 28: the table function duckdb_tables is not supported
-- DETAIL: It could read files, settings or other tables, past their policies. Nothing was charged.
-- HINT: Name a table of the database after FROM.
----
SELECT * FROM duckdb_columns();
-- UnsupportedSqlError at 15: the table function duckdb_columns is not supported
-- DETAIL: It could read files, settings or other tables, past their policies. Nothing was charged.
-- HINT: Name a table of the database after FROM.
----
SELECT * FROM duckdb_settings();
-- UnsupportedSqlError at 15: the table function duckdb_settings is not supported
-- DETAIL: It could read files, settings or other tables, past their policies. Nothing was charged.
-- HINT: Name a table of the database after FROM.
----
SELECT * FROM duckdb_logs();
-- UnsupportedSqlError at 15: the table function duckdb_logs is not supported
-- DETAIL: It could read files, settings or other tables, past their policies. Nothing was charged.
-- HINT: Name a table of the database after FROM.
----
SELECT * FROM duckdb_approx_database_count();
-- UnsupportedSqlError at 15: the table function duckdb_approx_database_count is not supported
-- DETAIL: It could read files, settings or other tables, past their policies. Nothing was charged.
-- HINT: Name a table of the database after FROM.
----
SELECT count(*) FROM pragma_storage_info('visits');
-- UnsupportedSqlError at 22: the table function pragma_storage_info is not supported
-- DETAIL: It could read files, settings or other tables, past their policies. Nothing was charged.
-- HINT: Name a table of the database after FROM.
----
CALL pragma_storage_info('visits');
-- UnsupportedSqlError at 1: this statement is not supported
-- DETAIL: Only statements whose effect dpduck fully understands are run. Nothing was charged.
-- HINT: Write one of: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
PRAGMA storage_info('visits');
-- UnsupportedSqlError: PRAGMA is not supported
-- DETAIL: Only statements whose effect dpduck fully understands are run. Nothing was charged.
-- HINT: Write one of: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
PRAGMA enable_profiling;
-- UnsupportedSqlError: PRAGMA is not supported
-- DETAIL: Only statements whose effect dpduck fully understands are run. Nothing was charged.
-- HINT: Write one of: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
PRAGMA table_info('visits');
-- UnsupportedSqlError: PRAGMA is not supported
-- DETAIL: Only statements whose effect dpduck fully understands are run. Nothing was charged.
-- HINT: Write one of: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
SELECT * FROM pg_catalog.pg_class;
-- UnknownNameError at 26: table pg_class does not exist
-- DETAIL: Nothing was charged.
-- HINT: The tables are: closed, people, shops, visits.
----
SELECT * FROM sqlite_master;
-- UnknownNameError at 15: table sqlite_master does not exist
-- DETAIL: Nothing was charged.
-- HINT: The tables are: closed, people, shops, visits.
----
SELECT * FROM duckdb_tables;
-- UnknownNameError at 15: table duckdb_tables does not exist
-- DETAIL: Nothing was charged.
-- HINT: The tables are: closed, people, shops, visits.
----
SELECT pg_size_pretty(5), count(*) FROM visits;
-- UnsupportedSqlError at 8: the function pg_size_pretty is not supported
-- DETAIL: It reads or changes what the server keeps besides the tables, from one statement to the next. Nothing was charged.
-- HINT: Leave it out, or write its value.
----
SELECT rowid FROM visits;
-- UnknownNameError at 8: table visits has no column rowid
-- DETAIL: Nothing was charged.
-- HINT: Its columns are: uid, page, age, tiny, big, huge, amount, x, f, day, moment, ok, grade, disease, order, A b, score, zone.
----
SELECT count(*) FROM visits WHERE rowid = 5;
-- UnknownNameError at 35: table visits has no column rowid
-- DETAIL: Nothing was charged.
-- HINT: Its columns are: uid, page, age, tiny, big, huge, amount, x, f, day, moment, ok, grade, disease, order, A b, score, zone.
----
SELECT rowid, count(*) FROM visits GROUP BY rowid;
-- UnknownNameError at 45: table visits has no column rowid
-- DETAIL: Nothing was charged.
-- HINT: Its columns are: uid, page, age, tiny, big, huge, amount, x, f, day, moment, ok, grade, disease, order, A b, score, zone.
----
SELECT file_row_number, count(*) FROM visits GROUP BY 1;
-- UnknownNameError at 8: table visits has no column file_row_number
-- DETAIL: Nothing was charged.
-- HINT: Its columns are: uid, page, age, tiny, big, huge, amount, x, f, day, moment, ok, grade, disease, order, A b, score, zone.
----
SHOW TABLES FROM main;
-- UnsupportedSqlError at 1: this SHOW statement is not supported
-- DETAIL: Only statements whose effect dpduck fully understands are run. Nothing was charged.
-- HINT: Write SHOW PRIVACY, which lists tables and policies.
----
SELECT * FROM information_schema.schemata;
-- UnknownNameError at 34: table schemata does not exist
-- DETAIL: Nothing was charged.
-- HINT: The tables are: closed, people, shops, visits.
----
SELECT * FROM information_schema.tables, shops;
-- UnsupportedSqlError at 34: information_schema.tables cannot be joined with anything else
-- DETAIL: It is read apart from all rows. Nothing was charged.
-- HINT: Write SELECT ... FROM information_schema.tables alone.
----
SELECT count(*) FROM visits, information_schema.columns;
-- UnsupportedSqlError at 49: information_schema.columns cannot be joined with anything else
-- DETAIL: It is read apart from all rows. Nothing was charged.
-- HINT: Write SELECT ... FROM information_schema.columns alone.
----
SELECT column_name, page FROM information_schema.columns, visits;
-- UnsupportedSqlError at 50: information_schema.columns cannot be joined with anything else
-- DETAIL: It is read apart from all rows. Nothing was charged.
-- HINT: Write SELECT ... FROM information_schema.columns alone.
----
DESCRIBE SET dp_epsilon = 1;
-- SqlSyntaxError at 14: syntax error at 'dp_epsilon': invalid expression / Unexpected token
-- DETAIL: Nothing was charged.
-- HINT: Look near that place. What can be written: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
