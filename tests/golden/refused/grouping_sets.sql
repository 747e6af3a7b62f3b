SELECT page, median(age) FROM visits GROUP BY ROLLUP (page);
-- UnsupportedSqlError at 14: median(x) has no totals
-- DETAIL: A total follows from what is released of its groups: of counts, sums and averages it does. Nothing was charged.
-- HINT: Write GROUP BY page for median(x), and ask for each total in a query of its own.
----
SELECT page, count(*), count(DISTINCT age) FROM visits GROUP BY CUBE (page, ok);
-- UnsupportedSqlError at 24: count(DISTINCT x) has no totals
-- DETAIL: A total follows from what is released of its groups: of counts, sums and averages it does. Nothing was charged.
-- HINT: Write GROUP BY page, ok for count(DISTINCT x), and ask for each total in a query of its own.
----
SELECT page, max(age) FROM visits GROUP BY GROUPING SETS ((page), ());
-- UnsupportedSqlError at 18: max(x) has no totals
-- DETAIL: A total follows from what is released of its groups: of counts, sums and averages it does. Nothing was charged.
-- HINT: Write GROUP BY page for max(x), and ask for each total in a query of its own.
----
SELECT page, stddev(age) FROM visits GROUP BY ROLLUP (page);
-- UnsupportedSqlError at 14: stddev(x) has no totals
-- DETAIL: A total follows from what is released of its groups: of counts, sums and averages it does. Nothing was charged.
-- HINT: Write GROUP BY page for stddev(x), and ask for each total in a query of its own.
----
SELECT page, regr_count(x, age) FROM visits GROUP BY ROLLUP (page);
-- UnsupportedSqlError at 14: regr_count(x) has no totals
-- DETAIL: A total follows from what is released of its groups: of counts, sums and averages it does. Nothing was charged.
-- HINT: Write GROUP BY page for regr_count(x), and ask for each total in a query of its own.
----
SELECT page, mode(score) FROM visits GROUP BY ROLLUP (page);
-- UnsupportedSqlError at 14: mode(x) has no totals
-- DETAIL: A total follows from what is released of its groups: of counts, sums and averages it does. Nothing was charged.
-- HINT: Write GROUP BY page for mode(x), and ask for each total in a query of its own.
----
SELECT page, quantile_cont(age, [0.25, 0.75]) FILTER (WHERE ok) FROM visits GROUP BY ROLLUP (page);
-- UnsupportedSqlError at 14: quantile_cont(x) has no totals
-- DETAIL: A total follows from what is released of its groups: of counts, sums and averages it does. Nothing was charged.
-- HINT: Write GROUP BY page for quantile_cont(x), and ask for each total in a query of its own.
----
SELECT page, count(*) AS n, dp_low(n) FROM visits GROUP BY ROLLUP (page);
-- UnsupportedSqlError at 29: dp_low is not known beside totals
-- DETAIL: It is of one group, and a total adds up several; EXPLAIN says how exact each total is. Nothing was charged.
-- HINT: Write GROUP BY page, and ask for each total in a query of its own.
----
SELECT disease, page, count(*) FROM visits GROUP BY GROUPING SETS ((disease), (page, ok));
-- PolicyError at 69: column visits.disease has no public domain
-- DETAIL: A total is of all groups; of keys found in private rows those of few people are hidden. Nothing was charged.
-- HINT: ALTER TABLE visits ALTER COLUMN disease SET PRIVACY DOMAIN IN ('...', '...'), or ask for each set of keys in a query of its own, as in GROUP BY page ORDER BY count(*) DESC LIMIT 10. Write values that are known without looking at the data.
----
SELECT lower(disease), count(*) FROM visits GROUP BY ROLLUP (lower(disease)) ORDER BY count(*) DESC LIMIT 3;
-- PolicyError at 62: expression lower(disease) has no public domain
-- DETAIL: A total is of all groups; of keys found in private rows those of few people are hidden. Nothing was charged.
-- HINT: ALTER TABLE visits ALTER COLUMN disease SET PRIVACY DOMAIN IN ('...', '...'), or ask for each set of keys in a query of its own, as in GROUP BY page ORDER BY count(*) DESC LIMIT 10. Write values that are known without looking at the data.
----
SELECT page, age, count(*) FROM visits GROUP BY ROLLUP (page);
-- UnsupportedSqlError at 14: column age is neither grouped nor aggregated
-- DETAIL: Each column of the answer is made of keys and aggregates. Nothing was charged.
-- HINT: Add it to GROUP BY, or leave it out.
----
SELECT uid, count(*) FROM visits GROUP BY ROLLUP (uid);
-- UnsupportedSqlError at 51: column uid is the privacy unit
-- DETAIL: Each of its values stands for one person, who would be revealed by it. Nothing was charged.
-- HINT: Use another column, or count(*) to count units.
----
SELECT n, count(*) FROM (SELECT uid, least(count(*), 5) AS n FROM visits GROUP BY ROLLUP (uid, page)) GROUP BY n;
-- UnsupportedSqlError at 91: a subquery that groups by the privacy unit uid is not supported
-- DETAIL: What is computed for each of its values is one person's, and is not computed apart. Nothing was charged.
-- HINT: Write avg(x) or median(x), in which each unit has the same weight, or count(*, contribution_bounds_per_group => (0, HIGH)), without a subquery. HIGH is a bound that is known without looking at the data.
----
SELECT count(*) FROM visits GROUP BY GROUPING SETS ((), ());
-- UnsupportedSqlError: GROUP BY names no key
-- DETAIL: There is nothing to group by. Nothing was charged.
-- HINT: Write SELECT key, count(*) FROM t WHERE ... GROUP BY key ORDER BY count(*) DESC LIMIT 10, or SELECT count(*), avg(x), median(x) FROM t.
----
SELECT page, count(*) FROM visits GROUP BY ALL, ROLLUP (page);
-- UnsupportedSqlError at 57: GROUP BY takes keys, or ALL
-- DETAIL: ALL stands for all columns. Nothing was charged.
-- HINT: Write GROUP BY ROLLUP (page, region).
----
SELECT page, count(*) FROM visits GROUP BY page WITH ROLLUP;
-- UnsupportedSqlError at 44: WITH ROLLUP is not supported
-- DETAIL: DuckDB writes totals in another way. Nothing was charged.
-- HINT: Write GROUP BY ROLLUP (page).
----
SELECT page, count(*) FROM visits GROUP BY page WITH TOTALS;
-- UnsupportedSqlError at 44: WITH TOTALS is not supported
-- DETAIL: DuckDB writes totals in another way. Nothing was charged.
-- HINT: Write GROUP BY ROLLUP (page).
----
SELECT page, big // 1000, count(*) FROM visits GROUP BY ROLLUP (page, big // 1000);
-- UnsupportedSqlError at 65: the answer would have 72,000,000,000,000,009 groups and totals
-- DETAIL: All groups of a public domain are added up, at most 1,000,000. Nothing was charged.
-- HINT: Narrow the keys with WHERE, or group by fewer or coarser ones.
----
SELECT page, count(*) FROM visits GROUP BY CUBE (page, score, ok, grade, "order", "A b", tiny, day, huge);
-- UnsupportedSqlError at 50: GROUP BY has too many grouping sets
-- DETAIL: It has 512, and may have 256. Nothing was charged.
-- HINT: Use fewer columns in CUBE and ROLLUP.
----
SELECT page, count(*) FROM visits WHERE GROUPING(page) = 0 GROUP BY ROLLUP (page);
-- UnsupportedSqlError at 41: GROUPING is not supported here
-- DETAIL: It tells totals from groups, and rows are neither. Nothing was charged.
-- HINT: Write SELECT page, GROUPING(page), or HAVING GROUPING(page) = 0.
----
SELECT page, sum(GROUPING(page)) FROM visits GROUP BY ROLLUP (page);
-- UnsupportedSqlError at 18: GROUPING is not supported here
-- DETAIL: It tells totals from groups, and rows are neither. Nothing was charged.
-- HINT: Write SELECT page, GROUPING(page), or HAVING GROUPING(page) = 0.
----
SELECT page, GROUPING(score) FROM visits GROUP BY ROLLUP (page);
-- UnsupportedSqlError at 14: GROUPING takes keys of GROUP BY
-- DETAIL: It says over which of them a total is. Nothing was charged.
-- HINT: Write GROUPING(page) beside GROUP BY ROLLUP (page).
----
SELECT GROUPING(page), count(*) FROM visits;
-- UnsupportedSqlError at 8: GROUPING takes keys of GROUP BY
-- DETAIL: It says over which of them a total is. Nothing was charged.
-- HINT: Write GROUPING(page) beside GROUP BY ROLLUP (page).
----
SELECT page, count(*) FROM visits WHERE uid IN (SELECT uid FROM visits GROUP BY ROLLUP (uid)) GROUP BY page;
-- UnsupportedSqlError at 89: ROLLUP is not supported here
-- DETAIL: Totals are of the groups of the block that aggregates the rows of all people. Nothing was charged.
-- HINT: Write GROUP BY ROLLUP (page, region) there.
----
SELECT avg(n) FROM (SELECT count(*) AS n FROM visits GROUP BY CUBE (uid));
-- UnsupportedSqlError at 69: a subquery that groups by the privacy unit uid is not supported
-- DETAIL: What is computed for each of its values is one person's, and is not computed apart. Nothing was charged.
-- HINT: Write avg(x) or median(x), in which each unit has the same weight, or count(*, contribution_bounds_per_group => (0, HIGH)), without a subquery. HIGH is a bound that is known without looking at the data.
