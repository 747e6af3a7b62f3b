SELECT page, count(*) FROM visits GROUP BY page ORDER BY count(*) LIMIT 2;
-- UnsupportedSqlError at 73: LIMIT selects the largest counts only
-- DETAIL: The smallest counts, or the first keys, would be those of very few people. Nothing was charged.
-- HINT: Write ORDER BY count(*) DESC LIMIT 10, or leave LIMIT out.
----
SELECT page, count(*) FROM visits GROUP BY page ORDER BY page LIMIT 2;
-- UnsupportedSqlError at 69: LIMIT selects the largest counts only
-- DETAIL: The smallest counts, or the first keys, would be those of very few people. Nothing was charged.
-- HINT: Write ORDER BY count(*) DESC LIMIT 10, or leave LIMIT out.
----
SELECT page, count(*) FROM visits GROUP BY page LIMIT 2;
-- UnsupportedSqlError at 55: LIMIT selects the largest counts only
-- DETAIL: The smallest counts, or the first keys, would be those of very few people. Nothing was charged.
-- HINT: Write ORDER BY count(*) DESC LIMIT 10, or leave LIMIT out.
----
SELECT page, count(*) FROM visits GROUP BY page ORDER BY count(*) DESC LIMIT 0;
-- UnsupportedSqlError at 78: LIMIT takes a positive whole number
-- DETAIL: It decides what is selected, so it must be a constant. Nothing was charged.
-- HINT: Write LIMIT 10.
----
SELECT page, count(*) FROM visits GROUP BY page ORDER BY count(*) DESC LIMIT -1;
-- UnsupportedSqlError at 79: LIMIT takes a positive whole number
-- DETAIL: It decides what is selected, so it must be a constant. Nothing was charged.
-- HINT: Write LIMIT 10.
----
SELECT page, count(*) FROM visits GROUP BY page ORDER BY count(*) DESC LIMIT 2.5;
-- UnsupportedSqlError at 78: LIMIT takes a positive whole number
-- DETAIL: It decides what is selected, so it must be a constant. Nothing was charged.
-- HINT: Write LIMIT 10.
----
SELECT page, count(*) FROM visits GROUP BY page ORDER BY count(*) DESC LIMIT (SELECT 2);
-- UnsupportedSqlError at 86: a subquery is not supported
-- DETAIL: One person's rows could then change the rows of others, and the noise would be too small. Nothing was charged.
-- HINT: Query one table, filter it with WHERE and group it by a column.
----
SELECT page, count(*) FROM visits GROUP BY page ORDER BY count(*) DESC LIMIT 10%;
-- UnsupportedSqlError: LIMIT with a percentage or ties is not supported
-- DETAIL: The number of rows would depend on private rows. Nothing was charged.
-- HINT: Write LIMIT 10.
----
SELECT page, count(*) FROM visits GROUP BY page ORDER BY count(*) DESC LIMIT ALL;
-- UnsupportedSqlError: this word is not supported here
-- DETAIL: Only column names and constants are. Nothing was charged.
-- HINT: Name the columns of the answer.
----
SELECT page, count(*) FROM visits GROUP BY page ORDER BY count(*) DESC LIMIT 2 OFFSET 2;
-- UnsupportedSqlError at 87: OFFSET is not supported
-- DETAIL: The rows before it must be selected, and paid for, too. Nothing was charged.
-- HINT: Ask for the sum of both with LIMIT.
----
SELECT page, count(*) FROM visits GROUP BY page ORDER BY count(*) DESC FETCH FIRST 2 ROWS ONLY;
-- UnsupportedSqlError at 84: FETCH is not supported
-- DETAIL: LIMIT says the same. Nothing was charged.
-- HINT: Write LIMIT 10.
----
SELECT big, count(*) FROM visits GROUP BY big ORDER BY count(*) DESC LIMIT 10001;
-- UnsupportedSqlError at 76: LIMIT is larger than 10000
-- DETAIL: Each selected row costs a share of epsilon. Nothing was charged.
-- HINT: Write a LIMIT of at most 10000.
----
SELECT page, count(*) FROM visits GROUP BY page ORDER BY age;
-- UnsupportedSqlError at 58: the answer cannot be ordered by age
-- DETAIL: It is not a column of the answer. Nothing was charged.
-- HINT: Write ORDER BY count(*) DESC, ORDER BY 2 or ORDER BY n.
----
SELECT page, count(*) FROM visits GROUP BY page ORDER BY 3;
-- UnsupportedSqlError at 58: ORDER BY takes columns of the answer
-- DETAIL: Anything else would order by private rows. Nothing was charged.
-- HINT: Write ORDER BY count(*) DESC, ORDER BY 2 or ORDER BY n.
----
SELECT page, count(*) FROM visits GROUP BY page ORDER BY count(*) + 1 DESC LIMIT 2;
-- UnsupportedSqlError at 58: the operator + is not supported
-- DETAIL: An expression over a private row may fail, or take long, on that row alone, and so reveal it. Nothing was charged.
-- HINT: Compare the column itself with a constant, for example WHERE amount > 10.
----
SELECT page, count(*) FROM visits GROUP BY page ORDER BY ALL;
-- UnsupportedSqlError: this word is not supported here
-- DETAIL: Only column names and constants are. Nothing was charged.
-- HINT: Name the columns of the answer.
----
SELECT count(*) FROM visits ORDER BY 1;
-- UnsupportedSqlError at 38: ORDER BY is not supported here
-- DETAIL: The answer is one row. Nothing was charged.
-- HINT: Leave it out.
----
SELECT page, count(*) FROM visits GROUP BY page HAVING count(*) > 5;
-- UnsupportedSqlError at 56: HAVING is not supported
-- DETAIL: A filter on exact counts reveals them. Nothing was charged.
-- HINT: Leave it out and filter the answer, or write ORDER BY count(*) DESC LIMIT 10.
----
SELECT page FROM visits GROUP BY page;
-- UnsupportedSqlError at 34: a list of keys needs a count
-- DETAIL: Which keys are present is private; only counts with noise say it. Nothing was charged.
-- HINT: Add count(*) to the select list, or ORDER BY count(*) DESC LIMIT 10.
----
SELECT count(*) FROM visits GROUP BY page ORDER BY page;
-- UnsupportedSqlError: the answer cannot be ordered by a key that it does not show
-- DETAIL: ORDER BY takes columns of the answer. Nothing was charged.
-- HINT: Add the key to the select list.
----
SELECT page FROM visits;
-- UnsupportedSqlError at 8: private rows cannot be listed
-- DETAIL: Columns of the answer are aggregates, and the keys of GROUP BY. Nothing was charged.
-- HINT: Write SELECT key, count(*) FROM t WHERE ... GROUP BY key ORDER BY count(*) DESC LIMIT 10, or SELECT count(*), mode(x) or median(x) FROM t.
----
SELECT * FROM visits;
-- UnsupportedSqlError at 8: this column of the answer is not supported
-- DETAIL: It is neither a key nor an aggregate. Nothing was charged.
-- HINT: Write SELECT key, count(*) FROM t WHERE ... GROUP BY key ORDER BY count(*) DESC LIMIT 10, or SELECT count(*), mode(x) or median(x) FROM t.
----
SELECT visits.* FROM visits;
-- UnsupportedSqlError at 15: * is not supported here
-- DETAIL: Rows of a private table never leave it. Nothing was charged.
-- HINT: Write count(*), or name one column.
----
SELECT page, count(*) FROM visits;
-- UnsupportedSqlError at 8: private rows cannot be listed
-- DETAIL: Columns of the answer are aggregates, and the keys of GROUP BY. Nothing was charged.
-- HINT: Write SELECT key, count(*) FROM t WHERE ... GROUP BY key ORDER BY count(*) DESC LIMIT 10, or SELECT count(*), mode(x) or median(x) FROM t.
----
SELECT page, count(*) FROM visits GROUP BY page LIMIT ?;
-- ParameterError: the statement takes the parameters 1 but was given no parameters
-- DETAIL: Nothing was charged.
-- HINT: Pass one value for each parameter.
