SELECT sum(age) FROM visits;
-- UnsupportedSqlError at 8: sum is not supported
-- DETAIL: Its result can move by an unknown amount when one person is added. Nothing was charged.
-- HINT: Use count(*) or median(x).
----
SELECT sum(CASE WHEN ok THEN 1 ELSE -1 END) FROM visits;
-- UnsupportedSqlError at 8: sum is not supported
-- DETAIL: Its result can move by an unknown amount when one person is added. Nothing was charged.
-- HINT: Use count(*) or median(x).
----
SELECT count(*) - count(age) FROM visits;
-- UnsupportedSqlError at 8: the operator - is not supported
-- DETAIL: An expression over a private row may fail, or take long, on that row alone, and so reveal it. Nothing was charged.
-- HINT: Compare the column itself with a constant, for example WHERE amount > 10.
----
SELECT count(*) * -1 FROM visits;
-- UnsupportedSqlError at 8: the operator * is not supported
-- DETAIL: An expression over a private row may fail, or take long, on that row alone, and so reveal it. Nothing was charged.
-- HINT: Compare the column itself with a constant, for example WHERE amount > 10.
----
SELECT count(*) FILTER (WHERE ok) FROM visits;
-- UnsupportedSqlError at 8: FILTER is not supported
-- DETAIL: Counts under different filters need their own noise. Nothing was charged.
-- HINT: Put the condition into WHERE.
----
SELECT avg(age) FROM visits;
-- UnsupportedSqlError at 8: the aggregate avg is not supported
-- DETAIL: Its result can move by an unknown amount when one person is added. Nothing was charged.
-- HINT: Use count(*), mode(x), median(x) or quantile_cont(x, 0.5).
----
SELECT min(age) FROM visits;
-- UnsupportedSqlError at 12: the aggregate min is not supported
-- DETAIL: Its result can move by an unknown amount when one person is added. Nothing was charged.
-- HINT: Use count(*), mode(x), median(x) or quantile_cont(x, 0.5).
----
SELECT max(age) FROM visits;
-- UnsupportedSqlError at 12: the aggregate max is not supported
-- DETAIL: Its result can move by an unknown amount when one person is added. Nothing was charged.
-- HINT: Use count(*), mode(x), median(x) or quantile_cont(x, 0.5).
----
SELECT count(*), count(DISTINCT uid) FROM visits;
-- UnsupportedSqlError at 18: several aggregates in one query are not supported
-- DETAIL: Each of them needs a share of epsilon. Nothing was charged.
-- HINT: Ask for them one by one.
----
SELECT page, count(*), median(age) FROM visits GROUP BY page;
-- UnsupportedSqlError at 24: several aggregates in one query are not supported
-- DETAIL: Each of them needs a share of epsilon. Nothing was charged.
-- HINT: Ask for them one by one.
----
SELECT page, median(age) FROM visits GROUP BY page;
-- UnsupportedSqlError at 14: only count(*) can be grouped
-- DETAIL: Other aggregates per group are not supported. Nothing was charged.
-- HINT: Ask for each group with WHERE.
----
SELECT quantile_cont(age, [0.25, 0.75]) FROM visits;
-- UnsupportedSqlError at 28: a list is not supported
-- DETAIL: One value is answered at a time. Nothing was charged.
-- HINT: Ask for each by itself.
----
SELECT quantile_cont(age, 1.5) FROM visits;
-- UnsupportedSqlError at 27: the quantile must be a constant between 0 and 1
-- DETAIL: It may have up to four decimal places; lists are not supported. Nothing was charged.
-- HINT: Write quantile_cont(x, 0.25).
----
SELECT quantile_cont(age, age) FROM visits;
-- UnsupportedSqlError at 22: the quantile must be a constant between 0 and 1
-- DETAIL: It may have up to four decimal places; lists are not supported. Nothing was charged.
-- HINT: Write quantile_cont(x, 0.25).
----
SELECT median(age + 1) FROM visits;
-- UnsupportedSqlError at 21: the operator + is not supported
-- DETAIL: An expression over a private row may fail, or take long, on that row alone, and so reveal it. Nothing was charged.
-- HINT: Compare the column itself with a constant, for example WHERE amount > 10.
----
SELECT median(page) FROM visits;
-- UnsupportedSqlError at 8: column page has no median
-- DETAIL: It is of type VARCHAR. Nothing was charged.
-- HINT: Use a number, date or timestamp column, or mode(x).
----
SELECT median("A b") FROM visits;
-- PolicyError at 8: column visits.A b has no public range
-- DETAIL: A range taken from private rows would reveal the extreme ones. Nothing was charged.
-- HINT: ALTER TABLE visits ALTER COLUMN "A b" SET PRIVACY DOMAIN BETWEEN (0, 100).
----
SELECT median(score) FROM people;
-- UnknownNameError at 15: table people has no column score
-- DETAIL: Nothing was charged.
-- HINT: Its columns are: id, region, age, income, member, born, t.
----
SELECT mode(age ORDER BY uid) FROM visits;
-- UnsupportedSqlError at 13: THIS is not supported in ORDER
-- DETAIL: Only SQL whose effect on privacy dpduck fully understands is run. Nothing was charged.
-- HINT: Write SELECT key, count(*) FROM t WHERE ... GROUP BY key ORDER BY count(*) DESC LIMIT 10.
----
SELECT mode() WITHIN GROUP (ORDER BY age) FROM visits;
-- UnsupportedSqlError at 8: WITHIN GROUP is not supported
-- DETAIL: DuckDB's own spelling is shorter. Nothing was charged.
-- HINT: Write median(x), mode(x) or quantile_cont(x, 0.5).
----
SELECT string_agg(page) FROM visits;
-- UnsupportedSqlError at 19: the aggregate group_concat is not supported
-- DETAIL: Its result can move by an unknown amount when one person is added. Nothing was charged.
-- HINT: Use count(*), mode(x), median(x) or quantile_cont(x, 0.5).
----
SELECT list(page) FROM visits;
-- UnsupportedSqlError at 8: the aggregate array_agg is not supported
-- DETAIL: Its result can move by an unknown amount when one person is added. Nothing was charged.
-- HINT: Use count(*), mode(x), median(x) or quantile_cont(x, 0.5).
----
SELECT approx_count_distinct(uid) FROM visits;
-- UnsupportedSqlError at 8: the aggregate approx_distinct is not supported
-- DETAIL: Its result can move by an unknown amount when one person is added. Nothing was charged.
-- HINT: Use count(*), mode(x), median(x) or quantile_cont(x, 0.5).
