WITH visits AS (SELECT 1 AS uid) SELECT count(*) FROM visits;
-- UnsupportedSqlError at 6: WITH is not supported
-- DETAIL: One person's rows could then change the rows of others, and the noise would be too small. Nothing was charged.
-- HINT: Query one table, filter it with WHERE and group it by a column.
----
SELECT system.main.count(*) FROM visits;
-- UnsupportedSqlError at 20: a qualified function or struct field is not supported
-- DETAIL: Functions that may be used need no schema. Nothing was charged.
-- HINT: Write count(*) without a schema.
----
SELECT count(*) FROM visits AS v(uid, page);
-- UnsupportedSqlError at 32: COLUMNS is not supported in TABLEALIAS
-- DETAIL: Only SQL whose effect on privacy dpduck fully understands is run. Nothing was charged.
-- HINT: Write SELECT key, count(*) FROM t WHERE ... GROUP BY key ORDER BY count(*) DESC LIMIT 10.
----
SELECT count(*) FROM visits AS v WHERE visits.age > 5;
-- UnknownNameError at 47: there is no table visits in this query
-- DETAIL: Nothing was charged.
-- HINT: Its columns are qualified by v.
----
SELECT count(*) FROM visits WHERE people.age > 5;
-- UnknownNameError at 42: there is no table people in this query
-- DETAIL: Nothing was charged.
-- HINT: Its columns are qualified by visits.
----
SELECT count(*) FROM visits WHERE nothing > 5;
-- UnknownNameError at 35: table visits has no column nothing
-- DETAIL: Nothing was charged.
-- HINT: Its columns are: uid, page, age, tiny, big, huge, amount, x, f, day, moment, ok, grade, disease, order, A b, score, zone.
----
SELECT count(*) FROM nothing;
-- UnknownNameError at 22: table nothing does not exist
-- DETAIL: Nothing was charged.
-- HINT: The tables are: closed, people, shops, visits.
----
SELECT count(*) FROM other.visits;
-- UnknownNameError at 28: table visits does not exist
-- DETAIL: Nothing was charged.
-- HINT: The tables are: closed, people, shops, visits.
----
SELECT count(*) FROM db.main.visits;
-- UnsupportedSqlError at 30: CATALOG is not supported in TABLE
-- DETAIL: Only SQL whose effect on privacy dpduck fully understands is run. Nothing was charged.
-- HINT: Write SELECT key, count(*) FROM t WHERE ... GROUP BY key ORDER BY count(*) DESC LIMIT 10.
----
SELECT count(*) FROM dpduck.policies;
-- UnknownNameError at 29: table policies does not exist
-- DETAIL: Nothing was charged.
-- HINT: The tables are: closed, people, shops, visits.
----
SELECT count(*) FROM closed;
-- PolicyError at 22: table closed has no privacy policy
-- DETAIL: A table is closed until its owner says whose rows it holds, or that it is public. Nothing was charged.
-- HINT: The owner can run ALTER TABLE closed ADD PRIVACY_KEY (column), or ALTER TABLE closed SET PUBLIC.
----
SELECT count(*) FROM shops;
-- UnsupportedSqlError at 22: table shops is public
-- DETAIL: Its rows need no protection, and no budget. Nothing was charged.
-- HINT: Query it on a plain DuckDB connection.
----
SELECT age AS page, count(*) FROM visits GROUP BY page;
-- UnsupportedSqlError at 8: column age is neither grouped nor aggregated
-- DETAIL: Each column of the answer is the key or the count. Nothing was charged.
-- HINT: Add it to GROUP BY, or leave it out.
----
SELECT page, count(*) FROM visits GROUP BY 2;
-- UnsupportedSqlError at 44: GROUP BY takes a column of the table
-- DETAIL: Expressions and aggregates as keys are not supported. Nothing was charged.
-- HINT: Write GROUP BY region, or GROUP BY 1 for the first column of the answer.
----
SELECT page, count(*) FROM visits GROUP BY 3;
-- UnsupportedSqlError at 44: GROUP BY takes a column of the table
-- DETAIL: Expressions and aggregates as keys are not supported. Nothing was charged.
-- HINT: Write GROUP BY region, or GROUP BY 1 for the first column of the answer.
----
SELECT count(*), age FROM visits GROUP BY page;
-- UnsupportedSqlError at 18: column age is neither grouped nor aggregated
-- DETAIL: Each column of the answer is the key or the count. Nothing was charged.
-- HINT: Add it to GROUP BY, or leave it out.
----
SELECT ok.page FROM visits;
-- UnknownNameError at 11: there is no table ok in this query
-- DETAIL: Nothing was charged.
-- HINT: Its columns are qualified by visits.
