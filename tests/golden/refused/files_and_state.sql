SELECT count(*) FROM 'people.parquet';
-- UnknownNameError at 22: table people.parquet does not exist
-- DETAIL: Nothing was charged.
-- HINT: The tables are: closed, people, shops, visits.
----
SELECT count(*) FROM read_csv('/etc/passwd');
-- UnsupportedSqlError at 22: a table function is not supported
-- DETAIL: It could read files, settings or other tables, past their policies. Nothing was charged.
-- HINT: Name one table of the database after FROM.
----
SELECT count(*) FROM query('SELECT 1');
-- UnsupportedSqlError at 22: a table function is not supported
-- DETAIL: It could read files, settings or other tables, past their policies. Nothing was charged.
-- HINT: Name one table of the database after FROM.
----
SELECT count(*) FROM query_table('visits');
-- UnsupportedSqlError at 22: a table function is not supported
-- DETAIL: It could read files, settings or other tables, past their policies. Nothing was charged.
-- HINT: Name one table of the database after FROM.
----
SELECT count(*) FROM glob('*');
-- UnsupportedSqlError at 22: a table function is not supported
-- DETAIL: It could read files, settings or other tables, past their policies. Nothing was charged.
-- HINT: Name one table of the database after FROM.
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
-- UnsupportedSqlError at 41: this function is not supported
-- DETAIL: It is not on the list of functions known to be safe on private rows. Nothing was charged.
-- HINT: Use count(*), mode(x), median(x) or quantile_cont(x, 0.5).
----
SELECT nextval('s');
-- UnsupportedSqlError at 8: this function is not supported
-- DETAIL: It is not on the list of functions known to be safe on private rows. Nothing was charged.
-- HINT: Use count(*), mode(x), median(x) or quantile_cont(x, 0.5).
----
SELECT write_log('x');
-- UnsupportedSqlError at 8: this function is not supported
-- DETAIL: It is not on the list of functions known to be safe on private rows. Nothing was charged.
-- HINT: Use count(*), mode(x), median(x) or quantile_cont(x, 0.5).
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
-- DETAIL: Only statements whose effect dpduck fully understands are run. Nothing was charged.
-- HINT: Write one of: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
DESCRIBE visits;
-- UnsupportedSqlError at 1: DESCRIBE is not supported
-- DETAIL: Only statements whose effect dpduck fully understands are run. Nothing was charged.
-- HINT: Write EXPLAIN SELECT ..., which shows the plan of a query.
----
SHOW TABLES;
-- UnsupportedSqlError at 1: this SHOW statement is not supported
-- DETAIL: Only statements whose effect dpduck fully understands are run. Nothing was charged.
-- HINT: Write SHOW PRIVACY.
----
EXPLAIN ANALYZE SELECT count(*) FROM visits;
-- UnsupportedSqlError at 1: EXPLAIN ANALYZE is not supported
-- DETAIL: Only statements whose effect dpduck fully understands are run. Nothing was charged.
-- HINT: Write EXPLAIN SELECT ..., which reads no private row.
----
SELECT stats(disease) FROM visits;
-- UnsupportedSqlError at 8: this function is not supported
-- DETAIL: It is not on the list of functions known to be safe on private rows. Nothing was charged.
-- HINT: Use count(*), mode(x), median(x) or quantile_cont(x, 0.5).
----
SELECT count(*) FROM duckdb_tables();
-- UnsupportedSqlError at 22: a table function is not supported
-- DETAIL: It could read files, settings or other tables, past their policies. Nothing was charged.
-- HINT: Name one table of the database after FROM.
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
-- HINT: Write ALTER TABLE t ADD PRIVACY_KEY (col), ALTER TABLE t DROP PRIVACY_KEY, ALTER TABLE t SET PUBLIC, or ALTER TABLE t ALTER COLUMN c SET PRIVACY DOMAIN IN (...) or BETWEEN (low, high) [STEP s].
----
ALTER TABLE visits ADD PRIVACY_LINK (uid) REFERENCES people(id);
-- UnsupportedSqlError at 1: this ALTER TABLE statement is not supported
-- DETAIL: Only statements whose effect dpduck fully understands are run. Nothing was charged.
-- HINT: Write ALTER TABLE t ADD PRIVACY_KEY (col), ALTER TABLE t DROP PRIVACY_KEY, ALTER TABLE t SET PUBLIC, or ALTER TABLE t ALTER COLUMN c SET PRIVACY DOMAIN IN (...) or BETWEEN (low, high) [STEP s].
----
ALTER TABLE visits SET PRIVACY CONTRIBUTION (groups = 1);
-- UnsupportedSqlError at 1: this ALTER TABLE statement is not supported
-- DETAIL: Only statements whose effect dpduck fully understands are run. Nothing was charged.
-- HINT: Write ALTER TABLE t ADD PRIVACY_KEY (col), ALTER TABLE t DROP PRIVACY_KEY, ALTER TABLE t SET PUBLIC, or ALTER TABLE t ALTER COLUMN c SET PRIVACY DOMAIN IN (...) or BETWEEN (low, high) [STEP s].
----
CREATE PRIVACY BUDGET b LIMIT 1;
-- UnsupportedSqlError at 1: this statement is not supported
-- DETAIL: Only statements whose effect dpduck fully understands are run. Nothing was charged.
-- HINT: Write one of: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
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
-- UnsupportedSqlError at 1: this column of the answer is not supported
-- DETAIL: It is neither a key nor an aggregate. Nothing was charged.
-- HINT: Write SELECT key, count(*) FROM t WHERE ... GROUP BY key ORDER BY count(*) DESC LIMIT 10, or SELECT count(*), mode(x) or median(x) FROM t.
----
PIVOT visits ON page USING count(*);
-- UnsupportedSqlError: PIVOT is not supported
-- DETAIL: Only statements whose effect dpduck fully understands are run. Nothing was charged.
-- HINT: Write one of: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
SELECT 1; SELECT 2;
-- UnsupportedSqlError: only one statement at a time is supported
-- DETAIL: The text holds 2 statements. Nothing was charged.
-- HINT: Send each statement by itself.
----
SELECT count(*) FROM visits FOR UPDATE;
-- UnsupportedSqlError: FOR UPDATE is not supported
-- DETAIL: Queries change nothing. Nothing was charged.
-- HINT: Leave it out.
