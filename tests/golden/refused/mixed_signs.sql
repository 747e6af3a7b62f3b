SELECT quantile_cont(age, 1.5) FROM visits;
-- UnsupportedSqlError at 8: the quantile must be a constant between 0 and 1
-- DETAIL: It may have up to four decimal places. Nothing was charged.
-- HINT: Write quantile_cont(x, 0.25), or quantile_cont(x, [0.25, 0.75]).
----
SELECT quantile_cont(age, age) FROM visits;
-- UnsupportedSqlError at 8: the quantile must be a constant between 0 and 1
-- DETAIL: It may have up to four decimal places. Nothing was charged.
-- HINT: Write quantile_cont(x, 0.25), or quantile_cont(x, [0.25, 0.75]).
----
SELECT median(page) FROM visits;
-- UnsupportedSqlError at 15: visits.page of type VARCHAR has no order to choose from
-- DETAIL: Quantiles, sums and means are of numbers; quantiles also of dates and timestamps. Nothing was charged.
-- HINT: Use mode(x), or GROUP BY x with count(*); of texts that are days or numbers write TRY_CAST(x AS DATE) or TRY_CAST(x AS DOUBLE).
----
SELECT median(score) FROM people;
-- UnknownNameError at 15: table people has no column score
-- DETAIL: Nothing was charged.
-- HINT: Its columns are: id, region, age, income, member, born, t.
----
SELECT mode(age ORDER BY uid) FROM visits;
-- UnsupportedSqlError at 13: ORDER BY inside an aggregate is not supported over private rows
-- DETAIL: Which row comes first would show that row. Nothing was charged.
-- HINT: Leave it out.
----
SELECT string_agg(page) FROM visits;
-- UnsupportedSqlError at 19: the aggregate string_agg is not supported
-- DETAIL: Its result can move by an unknown amount when one person is added. Nothing was charged.
-- HINT: Use count(*), sum(x), avg(x), median(x), quantile_cont(x, 0.5), mode(x), min(x) or max(x).
----
SELECT list(page) FROM visits;
-- UnsupportedSqlError at 8: the aggregate list is not supported
-- DETAIL: Its result can move by an unknown amount when one person is added. Nothing was charged.
-- HINT: Use count(*), sum(x), avg(x), median(x), quantile_cont(x, 0.5), mode(x), min(x) or max(x).
----
SELECT sum(age) FROM people WHERE age > 'a';
-- UnsupportedSqlError at 41: the constant 'a' is not a value of type INTEGER
-- DETAIL: INTEGER holds whole numbers from -2147483648 to 2147483647. Nothing was charged.
-- HINT: Write a constant of that type.
----
SELECT avg(t) FROM people;
-- PolicyError at 12: column people.t has no public range
-- DETAIL: Without bounds one person could move the answer by any amount, and its range would come from private rows. Nothing was charged.
-- HINT: Write avg(t, contribution_bounds_per_row => (LOW, HIGH)), or sum(t) / count(t), where a clamp is chosen privately, or the owner can run ALTER TABLE people ALTER COLUMN t SET PRIVACY DOMAIN BETWEEN (LOW, HIGH). LOW and HIGH are bounds that are known without looking at the data.
----
SELECT sum(CASE WHEN ok THEN tiny ELSE -t END) FROM visits JOIN people ON uid = id;
-- UnsupportedSqlError at 8: tables visits and people are not joined by their people
-- DETAIL: Rows of one person would meet rows of others, so removing one could change many groups by many. Nothing was charged.
-- HINT: The owner can run ALTER TABLE visits DROP PRIVACY_KEY and then ALTER TABLE visits ADD PRIVACY_LINK (uid) REFERENCES people(id), if both hold rows of the same people; add AND visits.uid = people.id to their join. What else the query needs is said then.
----
SELECT sum("A b" * x * x) FROM visits WHERE disease > uid;
-- UnsupportedSqlError at 45: visits.disease and visits.uid cannot be compared
-- DETAIL: Their types are VARCHAR and INTEGER; a conversion may fail on a private row. Nothing was charged.
-- HINT: Convert one of them, for example with CAST(x AS VARCHAR), which fails on none.
----
SELECT avg(disease) FROM visits;
-- UnsupportedSqlError at 8: avg takes numbers
-- DETAIL: visits.disease is of type VARCHAR. Nothing was charged.
-- HINT: Use a numeric column, or TRY_CAST(disease AS DOUBLE) of texts that are numbers, or count(*).
----
SELECT sum(page) FROM visits;
-- UnsupportedSqlError at 8: sum takes numbers
-- DETAIL: visits.page is of type VARCHAR. Nothing was charged.
-- HINT: Use a numeric column, or TRY_CAST(page AS DOUBLE) of texts that are numbers, or count(*).
----
SELECT sum(day) FROM visits;
-- UnsupportedSqlError at 8: sum takes numbers
-- DETAIL: visits.day is of type DATE. Nothing was charged.
-- HINT: Use a numeric column, or count(*).
----
SELECT sum(DISTINCT age) FROM visits;
-- UnsupportedSqlError at 8: sum(DISTINCT ...) is not supported
-- DETAIL: Whether one person's value counts would depend on the values of others. Nothing was charged.
-- HINT: Write sum(x).
----
SELECT avg(DISTINCT age) FROM visits;
-- UnsupportedSqlError at 8: avg(DISTINCT ...) is not supported
-- DETAIL: Whether one person's value counts would depend on the values of others. Nothing was charged.
-- HINT: Write avg(x).
----
SELECT sum(age, tiny) FROM visits;
-- SqlSyntaxError at 21: syntax error at ')': the number of provided arguments (2) is greater than the maximum number of supported arguments (1)
-- DETAIL: Nothing was charged.
-- HINT: Look near that place. What can be written: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
SELECT sum(*) FROM visits;
-- UnsupportedSqlError at 8: sum takes one argument
-- DETAIL: It is a column or an expression. Nothing was charged.
-- HINT: Write sum(x).
----
SELECT avg(score + uid % 7 + t) FROM visits;
-- UnknownNameError at 30: table visits has no column t
-- DETAIL: Nothing was charged.
-- HINT: Its columns are: uid, page, age, tiny, big, huge, amount, x, f, day, moment, ok, grade, disease, order, A b, score, zone.
----
SELECT sum(sum(age)) FROM visits;
-- UnsupportedSqlError at 12: the aggregate sum cannot stand here
-- DETAIL: Conditions and arguments are computed for each row, before aggregates. Nothing was charged.
-- HINT: Write HAVING count(*) > 5, or aggregate the answer: SELECT max(n) FROM (SELECT count(*) AS n ...).
----
SELECT sum(count(*)) FROM visits;
-- UnsupportedSqlError at 12: the aggregate count cannot stand here
-- DETAIL: Conditions and arguments are computed for each row, before aggregates. Nothing was charged.
-- HINT: Write HAVING count(*) > 5, or aggregate the answer: SELECT max(n) FROM (SELECT count(*) AS n ...).
----
SELECT page, max(count(*)) FROM visits GROUP BY page;
-- UnsupportedSqlError at 18: the aggregate count cannot stand here
-- DETAIL: Conditions and arguments are computed for each row, before aggregates. Nothing was charged.
-- HINT: Write HAVING count(*) > 5, or aggregate the answer: SELECT max(n) FROM (SELECT count(*) AS n ...).
----
SELECT sum(age) FILTER (WHERE count(*) > 5) FROM visits;
-- UnsupportedSqlError at 31: the aggregate count cannot stand here
-- DETAIL: Conditions and arguments are computed for each row, before aggregates. Nothing was charged.
-- HINT: Write HAVING count(*) > 5, or aggregate the answer: SELECT max(n) FROM (SELECT count(*) AS n ...).
----
SELECT sum(age) FILTER (WHERE uid IN (SELECT id FROM people)) FROM visits;
-- UnsupportedSqlError at 31: this subquery reads the rows of other people
-- DETAIL: Only the rows of the same person may decide about a row. Nothing was charged.
-- HINT: Compare the person, as in w.id = v.id, or write id IN (SELECT id FROM w WHERE ...).
----
SELECT count(*) FILTER (WHERE age) FROM visits;
-- UnsupportedSqlError at 31: visits.age is not a condition
-- DETAIL: It is of type INTEGER; only a BOOLEAN stands alone. Nothing was charged.
-- HINT: Compare it with a constant, for example x = 1.
----
SELECT count(*) + age FROM visits;
-- UnsupportedSqlError at 19: column age is neither grouped nor aggregated
-- DETAIL: Each column of the answer is made of keys and aggregates. Nothing was charged.
-- HINT: Add it to GROUP BY, or leave it out.
----
SELECT count(*) - uid FROM visits;
-- UnsupportedSqlError at 19: column uid is neither grouped nor aggregated
-- DETAIL: Each column of the answer is made of keys and aggregates. Nothing was charged.
-- HINT: Add it to GROUP BY, or leave it out.
----
SELECT CASE WHEN age > 5 THEN count(*) ELSE 0 END FROM visits;
-- UnsupportedSqlError at 18: column age is neither grouped nor aggregated
-- DETAIL: Each column of the answer is made of keys and aggregates. Nothing was charged.
-- HINT: Add it to GROUP BY, or leave it out.
----
SELECT sum(age ORDER BY uid) FROM visits;
-- UnsupportedSqlError at 12: ORDER BY inside an aggregate is not supported over private rows
-- DETAIL: Which row comes first would show that row. Nothing was charged.
-- HINT: Leave it out.
----
SELECT avg(t - 2 * id) FROM people;
-- UnsupportedSqlError at 12: expression (t - (2 * id)) has no public range
-- DETAIL: Without bounds one person could move the answer by any amount. Nothing was charged.
-- HINT: Write avg(..., contribution_bounds_per_row => (LOW, HIGH)), or sum((t - (2 * id))) / count((t - (2 * id))), where a clamp is chosen privately, or the owner can run ALTER TABLE people ALTER COLUMN t SET PRIVACY DOMAIN BETWEEN (LOW, HIGH), and ALTER TABLE people ALTER COLUMN id SET PRIVACY DOMAIN BETWEEN (LOW, HIGH). LOW and HIGH are bounds that are known without looking at the data. Write values that are known without looking at the data.
----
SELECT median(exp(x)) FROM visits;
-- UnsupportedSqlError at 15: expression exp(x) has no public range
-- DETAIL: Without bounds one person could move the answer by any amount. Nothing was charged.
-- HINT: Write median(..., contribution_bounds_per_row => (LOW, HIGH)). LOW and HIGH are bounds that are known without looking at the data. Write values that are known without looking at the data.
----
SELECT avg(1 / x) FROM visits;
-- UnsupportedSqlError at 12: expression (1 / x) has no public range
-- DETAIL: Without bounds one person could move the answer by any amount. Nothing was charged.
-- HINT: Write avg(..., contribution_bounds_per_row => (LOW, HIGH)). LOW and HIGH are bounds that are known without looking at the data. Write values that are known without looking at the data.
----
SELECT page, lag(age) OVER (ORDER BY page) FROM visits GROUP BY page;
-- UnsupportedSqlError at 18: a window function over private rows is not supported
-- DETAIL: Removing a person could change the rows of others. Nothing was charged.
-- HINT: Aggregate first: SELECT page, rank() OVER (ORDER BY count(*)) FROM visits GROUP BY page.
----
SELECT page, sum(age) OVER (ORDER BY page) FROM visits GROUP BY page;
-- UnsupportedSqlError at 18: a window function over private rows is not supported
-- DETAIL: Removing a person could change the rows of others. Nothing was charged.
-- HINT: Aggregate first: SELECT page, rank() OVER (ORDER BY count(*)) FROM visits GROUP BY page.
----
SELECT count(*), sum(count(*)) OVER (PARTITION BY uid) FROM visits;
-- UnsupportedSqlError at 51: a window function over private rows is not supported
-- DETAIL: Removing a person could change the rows of others. Nothing was charged.
-- HINT: Aggregate first: SELECT page, rank() OVER (ORDER BY count(*)) FROM visits GROUP BY page.
