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
SELECT ntile(4) OVER (ORDER BY age) FROM visits;
-- UnsupportedSqlError at 32: a window function over private rows is not supported
-- DETAIL: Removing a person could change the rows of others. Nothing was charged.
-- HINT: Aggregate first: SELECT page, rank() OVER (ORDER BY count(*)) FROM visits GROUP BY page.
