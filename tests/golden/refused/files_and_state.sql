SELECT count(*) FROM 'people.parquet';
-- UnknownNameError at 22: table people.parquet does not exist
-- DETAIL: Nothing was charged.
-- HINT: Did you mean people?
----
SELECT count(*) FROM read_csv('/etc/passwd');
-- UnsupportedSqlError at 22: the table function read_csv is not supported
-- DETAIL: It could read files, settings or other tables, past their policies. Nothing was charged.
-- HINT: Name a table of the database after FROM.
----
SELECT count(*) FROM query('SELECT 1');
-- UnsupportedSqlError at 22: the table function query is not supported
-- DETAIL: It could read files, settings or other tables, past their policies. Nothing was charged.
-- HINT: Name a table of the database after FROM.
----
SELECT count(*) FROM query_table('visits');
-- UnsupportedSqlError at 22: the table function query_table is not supported
-- DETAIL: It could read files, settings or other tables, past their policies. Nothing was charged.
-- HINT: Name a table of the database after FROM.
----
SELECT count(*) FROM glob('*');
-- UnsupportedSqlError at 22: the table function glob is not supported
-- DETAIL: It could read files, settings or other tables, past their policies. Nothing was charged.
-- HINT: Name a table of the database after FROM.
----
COPY visits TO 'out.csv';
-- UnsupportedSqlError: COPY is not supported
-- DETAIL: Only statements whose effect dpduck fully understands are run. Nothing was charged.
-- HINT: Write one of: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
COPY (SELECT 1) TO 'out.csv';
-- UnsupportedSqlError: COPY is not supported
-- DETAIL: Only statements whose effect dpduck fully understands are run. Nothing was charged.
-- HINT: Write one of: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
ATTACH 'other.duckdb';
-- UnsupportedSqlError: ATTACH is not supported
-- DETAIL: Only statements whose effect dpduck fully understands are run. Nothing was charged.
-- HINT: Write one of: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
INSTALL httpfs;
-- UnsupportedSqlError: INSTALL is not supported
-- DETAIL: Only statements whose effect dpduck fully understands are run. Nothing was charged.
-- HINT: Write one of: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
LOAD httpfs;
-- UnsupportedSqlError at 1: this statement is not supported
-- DETAIL: Only statements whose effect dpduck fully understands are run. Nothing was charged.
-- HINT: Write one of: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
SET VARIABLE v = (SELECT disease FROM visits);
-- UnsupportedSqlError: this SET statement is not supported
-- DETAIL: Settings of DuckDB and variables could carry private values from one statement to the next. Nothing was charged.
-- HINT: Write SET dp_epsilon = 0.5 or SET dp_delta = 1e-6.
----
SET threads = 1;
-- UnsupportedSqlError: this SET statement is not supported
-- DETAIL: Settings of DuckDB and variables could carry private values from one statement to the next. Nothing was charged.
-- HINT: Write SET dp_epsilon = 0.5 or SET dp_delta = 1e-6.
----
SELECT count(*) FROM visits WHERE age = getvariable('v');
-- UnsupportedSqlError at 41: the function getvariable is not supported
-- DETAIL: It reads or changes something outside of the row. Nothing was charged.
-- HINT: Leave it out.
----
SELECT nextval('s');
-- UnsupportedSqlError at 8: the function nextval is not supported
-- DETAIL: It reads or changes what the server keeps besides the tables, from one statement to the next. Nothing was charged.
-- HINT: Leave it out, or write its value.
----
SELECT write_log('x');
-- UnsupportedSqlError at 8: the function write_log is not supported
-- DETAIL: It reads or changes what the server keeps besides the tables, from one statement to the next. Nothing was charged.
-- HINT: Leave it out, or write its value.
----
PRAGMA database_list;
-- UnsupportedSqlError: PRAGMA is not supported
-- DETAIL: Only statements whose effect dpduck fully understands are run. Nothing was charged.
-- HINT: Write one of: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
CALL pragma_storage_info('visits');
-- UnsupportedSqlError at 1: this statement is not supported
-- DETAIL: Only statements whose effect dpduck fully understands are run. Nothing was charged.
-- HINT: Write one of: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
SUMMARIZE visits;
-- UnsupportedSqlError: SUMMARIZE is not supported
-- DETAIL: It would tell how many rows there are, and the least and greatest value of each column. Nothing was charged.
-- HINT: Write DESCRIBE t for names and types, or SELECT count(*), avg(x) FROM t, which costs epsilon.
----
EXPLAIN ANALYZE SELECT count(*) FROM visits;
-- UnsupportedSqlError at 1: EXPLAIN ANALYZE is not supported
-- DETAIL: Only statements whose effect dpduck fully understands are run. Nothing was charged.
-- HINT: Write EXPLAIN SELECT ..., which reads no private row.
----
SELECT stats(disease) FROM visits;
-- UnsupportedSqlError at 8: the function stats is not supported
-- DETAIL: It reads or changes what the server keeps besides the tables, from one statement to the next. Nothing was charged.
-- HINT: Leave it out, or write its value.
----
SELECT count(*) FROM duckdb_tables();
-- UnsupportedSqlError at 22: the table function duckdb_tables is not supported
-- DETAIL: It could read files, settings or other tables, past their policies. Nothing was charged.
-- HINT: Name a table of the database after FROM.
----
PREPARE p AS SELECT 1;
-- UnsupportedSqlError at 1: this statement is not supported
-- DETAIL: Only statements whose effect dpduck fully understands are run. Nothing was charged.
-- HINT: Write one of: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
EXECUTE p;
-- UnsupportedSqlError at 1: this statement is not supported
-- DETAIL: Only statements whose effect dpduck fully understands are run. Nothing was charged.
-- HINT: Write one of: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
CREATE MACRO count(x) AS 0;
-- UnsupportedSqlError: CREATE is not supported
-- DETAIL: Only statements whose effect dpduck fully understands are run. Nothing was charged.
-- HINT: Write one of: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
DROP TABLE visits;
-- UnsupportedSqlError: DROP is not supported
-- DETAIL: Only statements whose effect dpduck fully understands are run. Nothing was charged.
-- HINT: Write one of: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
INSERT INTO visits VALUES (1);
-- UnsupportedSqlError: INSERT is not supported
-- DETAIL: Only statements whose effect dpduck fully understands are run. Nothing was charged.
-- HINT: Write one of: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
UPDATE visits SET age = 1;
-- UnsupportedSqlError: UPDATE is not supported
-- DETAIL: Only statements whose effect dpduck fully understands are run. Nothing was charged.
-- HINT: Write one of: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
DELETE FROM visits;
-- UnsupportedSqlError: DELETE is not supported
-- DETAIL: Only statements whose effect dpduck fully understands are run. Nothing was charged.
-- HINT: Write one of: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
CREATE TABLE c AS SELECT 1;
-- UnsupportedSqlError: CREATE is not supported
-- DETAIL: Only statements whose effect dpduck fully understands are run. Nothing was charged.
-- HINT: Write one of: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
ALTER TABLE visits ADD COLUMN z INTEGER;
-- UnsupportedSqlError at 1: this ALTER TABLE statement is not supported
-- DETAIL: Only statements whose effect dpduck fully understands are run. Nothing was charged.
-- HINT: Write ALTER TABLE t ADD PRIVACY_KEY (col), ADD PRIVACY_LINK (col) REFERENCES t(col), SET PUBLIC, SET PRIVACY CONTRIBUTION (groups = 5, rows = 1), DROP PRIVACY_KEY, DROP PRIVACY_LINK or DROP PRIVACY CONTRIBUTION.
----
CHECKPOINT;
-- UnsupportedSqlError: this statement is not supported
-- DETAIL: Only statements whose effect dpduck fully understands are run. Nothing was charged.
-- HINT: Write one of: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
VALUES (1);
-- UnsupportedSqlError: VALUES is not supported
-- DETAIL: Only statements whose effect dpduck fully understands are run. Nothing was charged.
-- HINT: Write one of: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
FROM visits;
-- UnsupportedSqlError at 1: private rows cannot be listed
-- DETAIL: Columns of the answer are aggregates, and the keys of GROUP BY. Nothing was charged.
-- HINT: Write SELECT key, count(*) FROM t WHERE ... GROUP BY key ORDER BY count(*) DESC LIMIT 10, or SELECT count(*), avg(x), median(x) FROM t.
----
PIVOT visits ON page USING count(*);
-- UnsupportedSqlError at 7: PIVOT needs GROUP BY here
-- DETAIL: Without, all other columns are meant, and so is whose row it is. Nothing was charged.
-- HINT: Write PIVOT t ON page USING count(*) GROUP BY region.
----
SELECT 1; SELECT 2;
-- UnsupportedSqlError: only one statement at a time is supported
-- DETAIL: The text holds 2 statements. Those that set policies may be sent together, also between BEGIN and COMMIT. Nothing was charged.
-- HINT: Send each statement by itself.
----
SELECT count(*) FROM visits FOR UPDATE;
-- UnsupportedSqlError: FOR UPDATE is not supported
-- DETAIL: Queries change nothing. Nothing was charged.
-- HINT: Leave it out.
----
SELECT count(*) FROM "people.csv";
-- UnknownNameError at 22: table people.csv does not exist
-- DETAIL: Nothing was charged.
-- HINT: Did you mean people?
----
SELECT count(*) FROM read_parquet('*.parquet');
-- UnsupportedSqlError at 22: the table function read_parquet is not supported
-- DETAIL: It could read files, settings or other tables, past their policies. Nothing was charged.
-- HINT: Name a table of the database after FROM.
----
SELECT count(*) FROM read_json('x.json');
-- UnsupportedSqlError at 22: the table function read_json is not supported
-- DETAIL: It could read files, settings or other tables, past their policies. Nothing was charged.
-- HINT: Name a table of the database after FROM.
----
SELECT content FROM read_text('/etc/passwd');
-- UnsupportedSqlError at 21: the table function read_text is not supported
-- DETAIL: It could read files, settings or other tables, past their policies. Nothing was charged.
-- HINT: Name a table of the database after FROM.
----
SELECT count(*) FROM parquet_scan('x.parquet');
-- UnsupportedSqlError at 22: the table function parquet_scan is not supported
-- DETAIL: It could read files, settings or other tables, past their policies. Nothing was charged.
-- HINT: Name a table of the database after FROM.
----
SELECT count(*) FROM sqlite_scan('x.db', 't');
-- UnsupportedSqlError at 22: the table function sqlite_scan is not supported
-- DETAIL: It could read files, settings or other tables, past their policies. Nothing was charged.
-- HINT: Name a table of the database after FROM.
----
SELECT count(*) FROM visits, query_table('people');
-- UnsupportedSqlError at 30: this FROM is not supported beside private rows
-- DETAIL: What it makes is not protected by a policy. Nothing was charged.
-- HINT: Name a table of the database, or a subquery that filters and projects one.
----
SELECT count(*) FROM read_csv(getvariable('f'));
-- UnsupportedSqlError at 22: the table function read_csv is not supported
-- DETAIL: It could read files, settings or other tables, past their policies. Nothing was charged.
-- HINT: Name a table of the database after FROM.
----
SELECT getenv('HOME');
-- UnsupportedSqlError at 8: the function getenv is not supported
-- DETAIL: It reads or changes what the server keeps besides the tables, from one statement to the next. Nothing was charged.
-- HINT: Leave it out, or write its value.
----
SELECT count(*) FROM visits WHERE page = getenv('HOME');
-- UnsupportedSqlError at 42: the function getenv is not supported
-- DETAIL: It reads or changes something outside of the row. Nothing was charged.
-- HINT: Leave it out.
----
COPY visits FROM 'in.csv';
-- UnsupportedSqlError: COPY is not supported
-- DETAIL: Only statements whose effect dpduck fully understands are run. Nothing was charged.
-- HINT: Write one of: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
EXPORT DATABASE 'folder';
-- SqlSyntaxError at 17: syntax error at "'folder'": invalid expression / Unexpected token
-- DETAIL: Nothing was charged.
-- HINT: Look near that place. What can be written: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
IMPORT DATABASE 'folder';
-- SqlSyntaxError at 17: syntax error at "'folder'": invalid expression / Unexpected token
-- DETAIL: Nothing was charged.
-- HINT: Look near that place. What can be written: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
DETACH memory;
-- UnsupportedSqlError: DETACH is not supported
-- DETAIL: Only statements whose effect dpduck fully understands are run. Nothing was charged.
-- HINT: Write one of: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
CREATE SECRET s (TYPE s3);
-- UnsupportedSqlError at 1: this statement is not supported
-- DETAIL: Only statements whose effect dpduck fully understands are run. Nothing was charged.
-- HINT: Write one of: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
SET GLOBAL dp_epsilon = 5;
-- UnsupportedSqlError: this SET statement is not supported
-- DETAIL: Settings of DuckDB and variables could carry private values from one statement to the next. Nothing was charged.
-- HINT: Write SET dp_epsilon = 0.5 or SET dp_delta = 1e-6.
----
SELECT getvariable('v');
-- UnsupportedSqlError at 8: the function getvariable is not supported
-- DETAIL: It reads or changes what the server keeps besides the tables, from one statement to the next. Nothing was charged.
-- HINT: Leave it out, or write its value.
----
SELECT currval('s'), count(*) FROM visits;
-- UnsupportedSqlError at 8: the function currval is not supported
-- DETAIL: It reads or changes what the server keeps besides the tables, from one statement to the next. Nothing was charged.
-- HINT: Leave it out, or write its value.
----
SELECT count(*) FROM visits WHERE age = nextval('s');
-- UnsupportedSqlError at 41: the function nextval is not supported
-- DETAIL: It reads or changes something outside of the row. Nothing was charged.
-- HINT: Leave it out.
----
SELECT write_log(page) FROM visits;
-- UnsupportedSqlError at 8: the function write_log is not supported
-- DETAIL: It reads or changes what the server keeps besides the tables, from one statement to the next. Nothing was charged.
-- HINT: Leave it out, or write its value.
----
SELECT current_setting('threads');
-- UnsupportedSqlError at 8: the function current_setting is not supported
-- DETAIL: It reads or changes what the server keeps besides the tables, from one statement to the next. Nothing was charged.
-- HINT: Leave it out, or write its value.
----
SELECT current_user;
-- UnsupportedSqlError: the state of the session is not supported
-- DETAIL: It reads or changes what the server keeps besides the tables, from one statement to the next. Nothing was charged.
-- HINT: Leave it out, or write its value.
----
SELECT count(*), current_database() FROM visits;
-- UnsupportedSqlError at 18: the state of the session is not supported
-- DETAIL: It reads or changes what the server keeps besides the tables, from one statement to the next. Nothing was charged.
-- HINT: Leave it out, or write its value.
----
SELECT current_schema(), version();
-- UnsupportedSqlError at 8: the state of the session is not supported
-- DETAIL: It reads or changes what the server keeps besides the tables, from one statement to the next. Nothing was charged.
-- HINT: Leave it out, or write its value.
----
SELECT txid_current();
-- UnsupportedSqlError at 8: the function txid_current is not supported
-- DETAIL: It reads or changes what the server keeps besides the tables, from one statement to the next. Nothing was charged.
-- HINT: Leave it out, or write its value.
----
PRAGMA threads = 4;
-- UnsupportedSqlError: PRAGMA is not supported
-- DETAIL: Only statements whose effect dpduck fully understands are run. Nothing was charged.
-- HINT: Write one of: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
CALL pragma_version();
-- UnsupportedSqlError at 1: this statement is not supported
-- DETAIL: Only statements whose effect dpduck fully understands are run. Nothing was charged.
-- HINT: Write one of: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
VACUUM;
-- UnsupportedSqlError at 1: this statement is not supported
-- DETAIL: Only statements whose effect dpduck fully understands are run. Nothing was charged.
-- HINT: Write one of: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
ANALYZE visits;
-- UnsupportedSqlError: ANALYZE is not supported
-- DETAIL: Only statements whose effect dpduck fully understands are run. Nothing was charged.
-- HINT: Write one of: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
BEGIN;
-- UnsupportedSqlError: BEGIN is not supported
-- DETAIL: Only statements whose effect dpduck fully understands are run. Nothing was charged.
-- HINT: Write one of: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
COMMIT;
-- UnsupportedSqlError: COMMIT is not supported
-- DETAIL: Only statements whose effect dpduck fully understands are run. Nothing was charged.
-- HINT: Write one of: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
INSERT INTO shops SELECT page FROM visits;
-- UnsupportedSqlError: INSERT is not supported
-- DETAIL: Only statements whose effect dpduck fully understands are run. Nothing was charged.
-- HINT: Write one of: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
TRUNCATE visits;
-- UnsupportedSqlError: TRUNCATE is not supported
-- DETAIL: Only statements whose effect dpduck fully understands are run. Nothing was charged.
-- HINT: Write one of: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
MERGE INTO shops USING visits ON shops.name = visits.page WHEN MATCHED THEN DELETE;
-- UnsupportedSqlError: MERGE is not supported
-- DETAIL: Only statements whose effect dpduck fully understands are run. Nothing was charged.
-- HINT: Write one of: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
COMMENT ON TABLE visits IS 'x';
-- UnsupportedSqlError: COMMENT is not supported
-- DETAIL: Only statements whose effect dpduck fully understands are run. Nothing was charged.
-- HINT: Write one of: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
SELECT count(*) INTO t FROM visits;
-- UnsupportedSqlError at 22: SELECT INTO is not supported
-- DETAIL: Queries write nothing. Nothing was charged.
-- HINT: Leave it out.
