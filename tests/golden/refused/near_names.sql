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
----
SELECT page, count(*) AS number FROM visits GROUP BY page ORDER BY numbr;
-- UnknownNameError at 68: table visits has no column numbr
-- DETAIL: Nothing was charged.
-- HINT: Did you mean number?
----
SELECT page, count(*) AS number FROM visits GROUP BY page HAVING numbr > 3;
-- UnknownNameError at 66: table visits has no column numbr
-- DETAIL: Nothing was charged.
-- HINT: Did you mean number?
----
SELECT page AS site, count(*) FROM visits GROUP BY siet;
-- UnknownNameError at 52: table visits has no column siet
-- DETAIL: Nothing was charged.
-- HINT: Did you mean site?
----
SELECT count(*) FROM visits JOIN people ON vists.uid = people.id;
-- UnknownNameError at 50: there is no table vists in this query
-- DETAIL: Nothing was charged.
-- HINT: Did you mean visits? Its columns are qualified by visits, people.
----
SELECT page, count(*) AS n FROM visits GROUP BY page HAVING n_low > 3;
-- UnknownNameError at 61: table visits has no column n_low
-- DETAIL: Nothing was charged.
-- HINT: The end of an interval is written as a function: dp_low(n).
----
SELECT page, count(*) AS n FROM visits GROUP BY page ORDER BY dp_high DESC;
-- UnknownNameError at 63: table visits has no column dp_high
-- DETAIL: Nothing was charged.
-- HINT: The end of an interval is written as a function: dp_high(n).
----
SELECT page, count(*) AS n FROM visits WHERE n > 3 GROUP BY page;
-- UnknownNameError at 46: table visits has no column n
-- DETAIL: Nothing was charged.
-- HINT: n is computed of rows that WHERE has chosen: test it in HAVING.
