SELEC count(*) FROM visits;
-- SqlSyntaxError at 12: syntax error at '(': invalid expression / Unexpected token
-- DETAIL: Nothing was charged.
-- HINT: Did you mean SELECT? What can be written: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
SELECT cuont(*) FROM visits;
-- UnsupportedSqlError at 8: the function cuont is not supported
-- DETAIL: Only functions that are known to have no side effects and a bounded cost are called. Nothing was charged.
-- HINT: Did you mean count, cot, concat?
----
SELECT meidan(age) FROM visits;
-- UnsupportedSqlError at 8: the function meidan is not supported
-- DETAIL: Only functions that are known to have no side effects and a bounded cost are called. Nothing was charged.
-- HINT: Did you mean median, mean?
----
SELECT n, count(*) FROM (SELECT uid, count(*) AS n FROM visits GROUP BY uid) GROUP BY n;
-- UnsupportedSqlError at 73: a subquery that groups by the privacy unit uid is not supported
-- DETAIL: What is computed for each of its values is one person's, and is not computed apart. Nothing was charged.
-- HINT: Write avg(x) or median(x), in which each unit has the same weight, or count(*, contribution_bounds_per_group => (0, 5)), without a subquery.
----
SELECT ntile(4) OVER (ORDER BY age) FROM visits;
-- UnsupportedSqlError at 32: a window function over private rows is not supported
-- DETAIL: Removing a person could change the rows of others. Nothing was charged.
-- HINT: Aggregate first: SELECT page, rank() OVER (ORDER BY count(*)) FROM visits GROUP BY page.
----
DESCRIBE visits;
-- UnsupportedSqlError at 1: DESCRIBE is not supported
-- DETAIL: Only statements whose effect dpduck fully understands are run. Nothing was charged.
-- HINT: Write SHOW PRIVACY FOR t, which lists what can be asked of it; after SET dp_preview = empty, SELECT * FROM t LIMIT 1 has their names and types.
