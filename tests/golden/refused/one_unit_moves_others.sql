SELECT count(*) FROM visits WHERE EXISTS (SELECT 1 FROM visits WHERE uid = 7);
-- UnsupportedSqlError at 50: EXISTS is not supported
-- DETAIL: One person's rows could then change the rows of others, and the noise would be too small. Nothing was charged.
-- HINT: Query one table, filter it with WHERE and group it by a column.
----
SELECT count(*) FROM visits WHERE uid IN (SELECT uid FROM visits GROUP BY uid HAVING count(*) > 5);
-- UnsupportedSqlError at 50: a subquery is not supported
-- DETAIL: One person's rows could then change the rows of others, and the noise would be too small. Nothing was charged.
-- HINT: Query one table, filter it with WHERE and group it by a column.
----
SELECT count(*) FROM visits WHERE age > (SELECT avg(age) FROM visits);
-- UnsupportedSqlError at 49: a subquery is not supported
-- DETAIL: One person's rows could then change the rows of others, and the noise would be too small. Nothing was charged.
-- HINT: Query one table, filter it with WHERE and group it by a column.
----
SELECT count(*) FROM visits WHERE age = ANY (SELECT 1);
-- UnsupportedSqlError at 53: ANY is not supported
-- DETAIL: Its list may come from private rows. Nothing was charged.
-- HINT: Write IN (value, ...).
----
SELECT page, count(*) OVER () FROM visits;
-- UnsupportedSqlError at 14: a window function is not supported
-- DETAIL: One person's rows could then change the rows of others, and the noise would be too small. Nothing was charged.
-- HINT: Query one table, filter it with WHERE and group it by a column.
----
SELECT page, count(*) FROM visits GROUP BY page QUALIFY row_number() OVER (ORDER BY count(*) DESC) <= 10;
-- UnsupportedSqlError at 103: QUALIFY is not supported
-- DETAIL: It filters by a window function. Nothing was charged.
-- HINT: Write ORDER BY count(*) DESC LIMIT 10.
----
SELECT count(*) FROM (SELECT * FROM visits LIMIT 1);
-- UnsupportedSqlError at 30: a subquery is not supported
-- DETAIL: One person's rows could then change the rows of others, and the noise would be too small. Nothing was charged.
-- HINT: Query one table, filter it with WHERE and group it by a column.
----
SELECT count(*) FROM (SELECT DISTINCT ON (page) * FROM visits ORDER BY uid);
-- UnsupportedSqlError at 49: a subquery is not supported
-- DETAIL: One person's rows could then change the rows of others, and the noise would be too small. Nothing was charged.
-- HINT: Query one table, filter it with WHERE and group it by a column.
----
SELECT count(*) FROM visits AS v, people AS p;
-- UnsupportedSqlError at 35: a join is not supported
-- DETAIL: One person's rows could then change the rows of others, and the noise would be too small. Nothing was charged.
-- HINT: Query one table, filter it with WHERE and group it by a column.
----
SELECT count(*) FROM visits JOIN people ON visits.uid = people.id;
-- UnsupportedSqlError at 34: a join is not supported
-- DETAIL: One person's rows could then change the rows of others, and the noise would be too small. Nothing was charged.
-- HINT: Query one table, filter it with WHERE and group it by a column.
----
SELECT count(*) FROM visits LEFT JOIN people USING (uid);
-- UnsupportedSqlError at 53: a join is not supported
-- DETAIL: One person's rows could then change the rows of others, and the noise would be too small. Nothing was charged.
-- HINT: Query one table, filter it with WHERE and group it by a column.
----
SELECT count(*) FROM visits USING SAMPLE 10%;
-- UnsupportedSqlError at 42: a sample is not supported
-- DETAIL: One person's rows would re-roll the others. Nothing was charged.
-- HINT: Leave the sample out: noise protects the rows.
----
SELECT count(*) FROM visits TABLESAMPLE reservoir(5);
-- UnsupportedSqlError at 51: a sample is not supported
-- DETAIL: One person's rows would re-roll the others. Nothing was charged.
-- HINT: Leave the sample out: noise protects the rows.
----
SELECT count(*) FROM visits WHERE random() < 0.5;
-- UnsupportedSqlError at 35: the function rand is not supported
-- DETAIL: An expression over a private row may fail, or take long, on that row alone, and so reveal it. Nothing was charged.
-- HINT: Compare the column itself with a constant, for example WHERE amount > 10.
----
SELECT count(*) FROM visits UNION SELECT count(*) FROM people;
-- UnsupportedSqlError: UNION is not supported
-- DETAIL: Only statements whose effect dpduck fully understands are run. Nothing was charged.
-- HINT: Write one of: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
SELECT count(*) FROM visits, LATERAL (SELECT 1);
-- UnsupportedSqlError at 46: a join is not supported
-- DETAIL: One person's rows could then change the rows of others, and the noise would be too small. Nothing was charged.
-- HINT: Query one table, filter it with WHERE and group it by a column.
----
SELECT DISTINCT page FROM visits;
-- UnsupportedSqlError: SELECT DISTINCT is not supported
-- DETAIL: Which values are present is private. Nothing was charged.
-- HINT: Write SELECT key, count(*) FROM t GROUP BY key.
