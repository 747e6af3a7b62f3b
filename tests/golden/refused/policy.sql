SELECT * FROM visits;
-- UnsupportedSqlError at 8: private rows cannot be listed
-- DETAIL: Columns of the answer are aggregates, and the keys of GROUP BY. Nothing was charged.
-- HINT: Write SELECT key, count(*) FROM t WHERE ... GROUP BY key ORDER BY count(*) DESC LIMIT 10, or SELECT count(*), avg(x), median(x) FROM t.
----
FROM visits;
-- UnsupportedSqlError at 1: private rows cannot be listed
-- DETAIL: Columns of the answer are aggregates, and the keys of GROUP BY. Nothing was charged.
-- HINT: Write SELECT key, count(*) FROM t WHERE ... GROUP BY key ORDER BY count(*) DESC LIMIT 10, or SELECT count(*), avg(x), median(x) FROM t.
----
TABLE visits;
-- UnsupportedSqlError: private rows cannot be listed
-- DETAIL: Columns of the answer are aggregates, and the keys of GROUP BY. Nothing was charged.
-- HINT: Write SELECT key, count(*) FROM t WHERE ... GROUP BY key ORDER BY count(*) DESC LIMIT 10, or SELECT count(*), avg(x), median(x) FROM t.
----
SELECT visits.* FROM visits;
-- UnsupportedSqlError at 15: private rows cannot be listed
-- DETAIL: Columns of the answer are aggregates, and the keys of GROUP BY. Nothing was charged.
-- HINT: Write SELECT key, count(*) FROM t WHERE ... GROUP BY key ORDER BY count(*) DESC LIMIT 10, or SELECT count(*), avg(x), median(x) FROM t.
----
SELECT age FROM visits;
-- UnsupportedSqlError at 8: private rows cannot be listed
-- DETAIL: Columns of the answer are aggregates, and the keys of GROUP BY. Nothing was charged.
-- HINT: Write SELECT key, count(*) FROM t WHERE ... GROUP BY key ORDER BY count(*) DESC LIMIT 10, or SELECT count(*), avg(x), median(x) FROM t.
----
SELECT 1 FROM visits;
-- UnsupportedSqlError: private rows cannot be listed
-- DETAIL: Columns of the answer are aggregates, and the keys of GROUP BY. Nothing was charged.
-- HINT: Write SELECT key, count(*) FROM t WHERE ... GROUP BY key ORDER BY count(*) DESC LIMIT 10, or SELECT count(*), avg(x), median(x) FROM t.
----
SELECT age FROM visits WHERE uid = 7;
-- UnsupportedSqlError at 8: private rows cannot be listed
-- DETAIL: Columns of the answer are aggregates, and the keys of GROUP BY. Nothing was charged.
-- HINT: Write SELECT key, count(*) FROM t WHERE ... GROUP BY key ORDER BY count(*) DESC LIMIT 10, or SELECT count(*), avg(x), median(x) FROM t.
----
SELECT count(*) FROM closed;
-- PolicyError at 22: table closed has no privacy policy
-- DETAIL: A table is closed until its owner says whose rows it holds, or that it is public. Nothing was charged.
-- HINT: The owner can run ALTER TABLE closed ADD PRIVACY_KEY (column), or ALTER TABLE closed SET PUBLIC.
----
SELECT count(*) FROM visits JOIN closed ON visits.age = closed.a;
-- PolicyError at 34: table closed has no privacy policy
-- DETAIL: A table is closed until its owner says whose rows it holds, or that it is public. Nothing was charged.
-- HINT: The owner can run ALTER TABLE closed ADD PRIVACY_KEY (column), or ALTER TABLE closed SET PUBLIC.
----
SELECT count(*) FROM nothing;
-- UnknownNameError at 22: table nothing does not exist
-- DETAIL: Nothing was charged.
-- HINT: The tables are: closed, people, shops, visits.
----
SELECT nothing FROM visits;
-- UnknownNameError at 8: table visits has no column nothing
-- DETAIL: Nothing was charged.
-- HINT: Its columns are: uid, page, age, tiny, big, huge, amount, x, f, day, moment, ok, grade, disease, order, A b, score, zone.
----
SELECT disease, count(*) FROM people GROUP BY disease;
-- UnknownNameError at 47: table people has no column disease
-- DETAIL: Nothing was charged.
-- HINT: Its columns are: id, region, age, income, member, born, t.
----
SELECT disease, count(*) FROM visits GROUP BY disease;
-- PolicyError at 47: column visits.disease has no public domain
-- DETAIL: Keys taken from private rows would reveal who is present. With a delta they can be shown if the number of groups of one uid is bounded. Nothing was charged.
-- HINT: ALTER TABLE visits ALTER COLUMN disease SET PRIVACY DOMAIN IN ('...', '...'), or ALTER TABLE visits SET PRIVACY CONTRIBUTION (groups = 5), or add ORDER BY count(*) DESC LIMIT 10. Write values that are known without looking at the data.
----
SELECT disease || 'x', count(*) FROM visits GROUP BY 1;
-- PolicyError at 54: expression (disease || 'x') has no public domain
-- DETAIL: Keys taken from private rows would reveal who is present. With a delta they can be shown if the number of groups of one uid is bounded. Nothing was charged.
-- HINT: ALTER TABLE visits ALTER COLUMN disease SET PRIVACY DOMAIN IN ('...', '...'), or ALTER TABLE visits SET PRIVACY CONTRIBUTION (groups = 5), or add ORDER BY count(*) DESC LIMIT 10. Write values that are known without looking at the data.
----
SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (delta = 0) disease, count(*) FROM visits GROUP BY disease ORDER BY 2 DESC LIMIT 3;
-- PolicyError at 93: column visits.disease has no public domain
-- DETAIL: Keys taken from private rows would reveal who is present. Nothing was charged.
-- HINT: ALTER TABLE visits ALTER COLUMN disease SET PRIVACY DOMAIN IN ('...', '...'), or SET dp_delta = 1e-6. Write values that are known without looking at the data.
----
SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (delta = 0) mode(disease) FROM visits;
-- PolicyError at 54: column visits.disease has no public domain
-- DETAIL: Keys taken from private rows would reveal who is present. Nothing was charged.
-- HINT: ALTER TABLE visits ALTER COLUMN disease SET PRIVACY DOMAIN IN ('...', '...'), or SET dp_delta = 1e-6. Write values that are known without looking at the data.
----
SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (delta = 0) region, count(*) FROM people GROUP BY region;
-- PolicyError at 92: column people.region has no public domain
-- DETAIL: Keys taken from private rows would reveal who is present. Nothing was charged.
-- HINT: ALTER TABLE people ALTER COLUMN region SET PRIVACY DOMAIN IN ('...', '...'), or SET dp_delta = 1e-6. Write values that are known without looking at the data.
----
SELECT page, mode(disease) FROM visits GROUP BY page;
-- PolicyError at 49: column visits.disease has no public domain
-- DETAIL: Keys taken from private rows would reveal who is present. Nothing was charged.
-- HINT: ALTER TABLE visits ALTER COLUMN disease SET PRIVACY DOMAIN IN ('...', '...'). Write values that are known without looking at the data.
----
SELECT avg(t + 1) FROM people;
-- UnsupportedSqlError at 16: expression (t + 1) has no public range
-- DETAIL: Without bounds one person could move the answer by any amount. Nothing was charged.
-- HINT: Write avg(..., contribution_bounds_per_row => (LOW, HIGH)), or sum((t + 1)) / count((t + 1)), where a clamp is chosen privately, or the owner can run ALTER TABLE people ALTER COLUMN t SET PRIVACY DOMAIN BETWEEN (LOW, HIGH). LOW and HIGH are bounds that are known without looking at the data. Write values that are known without looking at the data.
----
SELECT avg(t) FROM people;
-- PolicyError at 12: column people.t has no public range
-- DETAIL: Without bounds one person could move the answer by any amount, and its range would come from private rows. Nothing was charged.
-- HINT: Write avg(t, contribution_bounds_per_row => (LOW, HIGH)), or sum(t) / count(t), where a clamp is chosen privately, or the owner can run ALTER TABLE people ALTER COLUMN t SET PRIVACY DOMAIN BETWEEN (LOW, HIGH). LOW and HIGH are bounds that are known without looking at the data.
----
SELECT median(t) FROM people;
-- PolicyError at 15: column people.t has no public range
-- DETAIL: Without bounds one person could move the answer by any amount, and its range would come from private rows. Nothing was charged.
-- HINT: Write median(t, contribution_bounds_per_row => (LOW, HIGH)), or the owner can run ALTER TABLE people ALTER COLUMN t SET PRIVACY DOMAIN BETWEEN (LOW, HIGH). LOW and HIGH are bounds that are known without looking at the data.
----
SELECT max(t + 5) FROM people;
-- UnsupportedSqlError at 16: expression (t + 5) has no public range
-- DETAIL: Without bounds one person could move the answer by any amount. Nothing was charged.
-- HINT: Write max(..., contribution_bounds_per_row => (LOW, HIGH)), or the owner can run ALTER TABLE people ALTER COLUMN t SET PRIVACY DOMAIN BETWEEN (LOW, HIGH). LOW and HIGH are bounds that are known without looking at the data. Write values that are known without looking at the data.
----
SELECT median(page) FROM visits;
-- UnsupportedSqlError at 15: visits.page of type VARCHAR has no order to choose from
-- DETAIL: Quantiles, sums and means are of numbers; quantiles also of dates and timestamps. Nothing was charged.
-- HINT: Use mode(x), or GROUP BY x with count(*); of texts that are days or numbers write TRY_CAST(x AS DATE) or TRY_CAST(x AS DOUBLE).
----
SELECT min(page) FROM visits;
-- UnsupportedSqlError at 12: visits.page of type VARCHAR has no order to choose from
-- DETAIL: Quantiles, sums and means are of numbers; quantiles also of dates and timestamps. Nothing was charged.
-- HINT: Use mode(x), or GROUP BY x with count(*); of texts that are days or numbers write TRY_CAST(x AS DATE) or TRY_CAST(x AS DOUBLE).
----
SELECT max(region) FROM people;
-- UnsupportedSqlError at 12: people.region of type VARCHAR has no order to choose from
-- DETAIL: Quantiles, sums and means are of numbers; quantiles also of dates and timestamps. Nothing was charged.
-- HINT: Use mode(x), or GROUP BY x with count(*); of texts that are days or numbers write TRY_CAST(x AS DATE) or TRY_CAST(x AS DOUBLE).
----
SELECT max(ok) FROM visits;
-- UnsupportedSqlError at 12: visits.ok of type BOOLEAN has no order to choose from
-- DETAIL: Quantiles, sums and means are of numbers; quantiles also of dates and timestamps. Nothing was charged.
-- HINT: Use mode(x), or GROUP BY x with count(*).
----
SELECT string_agg(page, ',') FROM visits;
-- UnsupportedSqlError at 25: the aggregate string_agg is not supported
-- DETAIL: Its result can move by an unknown amount when one person is added. Nothing was charged.
-- HINT: Use count(*), sum(x), avg(x), median(x), quantile_cont(x, 0.5), mode(x), min(x) or max(x).
----
SELECT list(page) FROM visits;
-- UnsupportedSqlError at 8: the aggregate list is not supported
-- DETAIL: Its result can move by an unknown amount when one person is added. Nothing was charged.
-- HINT: Use count(*), sum(x), avg(x), median(x), quantile_cont(x, 0.5), mode(x), min(x) or max(x).
----
SELECT array_agg(page ORDER BY age) FROM visits;
-- UnsupportedSqlError at 8: the aggregate array_agg is not supported
-- DETAIL: Its result can move by an unknown amount when one person is added. Nothing was charged.
-- HINT: Use count(*), sum(x), avg(x), median(x), quantile_cont(x, 0.5), mode(x), min(x) or max(x).
----
SELECT first(page) FROM visits;
-- UnsupportedSqlError at 8: the aggregate first is not supported
-- DETAIL: Its result can move by an unknown amount when one person is added. Nothing was charged.
-- HINT: Use count(*), sum(x), avg(x), median(x), quantile_cont(x, 0.5), mode(x), min(x) or max(x).
----
SELECT last(page) FROM visits;
-- UnsupportedSqlError at 8: the aggregate last is not supported
-- DETAIL: Its result can move by an unknown amount when one person is added. Nothing was charged.
-- HINT: Use count(*), sum(x), avg(x), median(x), quantile_cont(x, 0.5), mode(x), min(x) or max(x).
----
SELECT any_value(page) FROM visits;
-- UnsupportedSqlError at 8: the aggregate any_value is not supported
-- DETAIL: Its result can move by an unknown amount when one person is added. Nothing was charged.
-- HINT: Use count(*), sum(x), avg(x), median(x), quantile_cont(x, 0.5), mode(x), min(x) or max(x).
----
SELECT arg_max(page, age) FROM visits;
-- UnsupportedSqlError at 8: the aggregate arg_max is not supported
-- DETAIL: Its result can move by an unknown amount when one person is added. Nothing was charged.
-- HINT: Use count(*), sum(x), avg(x), median(x), quantile_cont(x, 0.5), mode(x), min(x) or max(x).
----
SELECT max_by(page, age, 3) FROM visits;
-- UnsupportedSqlError at 8: the aggregate max_by is not supported
-- DETAIL: Its result can move by an unknown amount when one person is added. Nothing was charged.
-- HINT: Use count(*), sum(x), avg(x), median(x), quantile_cont(x, 0.5), mode(x), min(x) or max(x).
----
SELECT min(age, 3) FROM visits;
-- UnsupportedSqlError at 17: this form of min is not supported
-- DETAIL: Queries are written anew from parts that are fully understood, and this is not one of them. Nothing was charged.
-- HINT: Leave it out, or write it in simpler SQL.
----
SELECT skewness(age) FROM visits;
-- UnsupportedSqlError at 8: the aggregate skewness is not supported
-- DETAIL: It divides high powers of distances from a noisy mean by powers of a noisy variance: of most data noise would be larger than it is. Nothing was charged.
-- HINT: Write stddev(x), and quantile_cont(x, [0.05, 0.5, 0.95]) for the shape.
----
SELECT entropy(page) FROM visits;
-- UnsupportedSqlError at 8: the aggregate entropy is not supported
-- DETAIL: Its result can move by an unknown amount when one person is added. Nothing was charged.
-- HINT: Use count(*), sum(x), avg(x), median(x), quantile_cont(x, 0.5), mode(x), min(x) or max(x).
----
SELECT product(age) FROM visits;
-- UnsupportedSqlError at 8: the aggregate product is not supported
-- DETAIL: Its result can move by an unknown amount when one person is added. Nothing was charged.
-- HINT: Use count(*), sum(x), avg(x), median(x), quantile_cont(x, 0.5), mode(x), min(x) or max(x).
----
SELECT bool_or(ok) FROM visits;
-- UnsupportedSqlError at 8: the aggregate bool_or is not supported
-- DETAIL: Its result can move by an unknown amount when one person is added. Nothing was charged.
-- HINT: Use count(*), sum(x), avg(x), median(x), quantile_cont(x, 0.5), mode(x), min(x) or max(x).
----
SELECT bit_and(age) FROM visits;
-- UnsupportedSqlError at 8: the aggregate bit_and is not supported
-- DETAIL: Its result can move by an unknown amount when one person is added. Nothing was charged.
-- HINT: Use count(*), sum(x), avg(x), median(x), quantile_cont(x, 0.5), mode(x), min(x) or max(x).
----
SELECT bitstring_agg(age) FROM visits;
-- UnsupportedSqlError at 8: the function bitstring_agg is not supported
-- DETAIL: One short call can take all memory. Nothing was charged.
-- HINT: Write the value itself, or use a table that holds the values.
----
SELECT mad(age) FROM visits;
-- UnsupportedSqlError at 8: the aggregate mad is not supported
-- DETAIL: It is a median of distances from another median, and a person who moves that moves all distances. Nothing was charged.
-- HINT: Write stddev(x), or half of the distance between the quartiles: quantile_cont(x, [0.25, 0.75]).
----
SELECT geomean(age) FROM visits;
-- UnsupportedSqlError at 8: the function geomean is not supported
-- DETAIL: It is a macro of DuckDB, in whose body other functions may be put. Nothing was charged.
-- HINT: Write exp(avg(ln(x))).
----
SELECT count(DISTINCT x) FROM visits;
-- UnsupportedSqlError at 8: distinct values of type DOUBLE cannot be counted
-- DETAIL: Values are equal or not, without rounding. Nothing was charged.
-- HINT: Count distinct whole numbers, decimals, text or dates.
----
SELECT approx_count_distinct(x) FROM visits;
-- UnsupportedSqlError at 8: distinct values of type DOUBLE cannot be counted
-- DETAIL: Values are equal or not, without rounding. Nothing was charged.
-- HINT: Count distinct whole numbers, decimals, text or dates.
----
SELECT mode(x) FROM visits;
-- UnsupportedSqlError at 8: column x of type DOUBLE cannot be a key
-- DETAIL: Floating point values are rarely equal, so each would be a group of its own. Nothing was charged.
-- HINT: Group by ranges, as in CASE WHEN x < 10 THEN 'low' ELSE 'high' END, or by a column of integers, decimals or text.
----
SELECT mode() FROM visits;
-- UnsupportedSqlError at 8: mode takes one argument
-- DETAIL: It is a column or an expression. Nothing was charged.
-- HINT: Write mode(x).
----
SELECT mode(page, 3) FROM visits;
-- UnsupportedSqlError at 8: this form of mode is not supported
-- DETAIL: It has an argument that is not known, or too many. Nothing was charged.
-- HINT: Write mode with its plain arguments.
----
SELECT median(age, 3) FROM visits;
-- SqlSyntaxError at 21: syntax error at ')': the number of provided arguments (2) is greater than the maximum number of supported arguments (1)
-- DETAIL: Nothing was charged.
-- HINT: Look near that place. What can be written: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
SELECT mode(age ORDER BY uid) FROM visits;
-- UnsupportedSqlError at 13: ORDER BY inside an aggregate is not supported over private rows
-- DETAIL: Which row comes first would show that row. Nothing was charged.
-- HINT: Leave it out.
----
SELECT age_bucket(age), count(*) FROM visits GROUP BY 1;
-- UnsupportedSqlError at 8: the function age_bucket is not supported
-- DETAIL: It is not on the list of functions that are known to be safe on every row. Nothing was charged.
-- HINT: Did you mean time_bucket?
----
SELECT region, lower(region) AS low, born, max(t), median(t), avg(t + 5) FROM people GROUP BY ALL;
-- PolicyError at 59: column people.t has no public range, and expression (t + 5) has no public range
-- DETAIL: Without bounds one person could move the answer by any amount, and its range would come from private rows. Nothing was charged.
-- HINT: Write median(t, contribution_bounds_per_row => (LOW, HIGH)), or the owner can run ALTER TABLE people ALTER COLUMN t SET PRIVACY DOMAIN BETWEEN (LOW, HIGH). Also: Write avg(..., contribution_bounds_per_row => (LOW, HIGH)), or sum((t + 5)) / count((t + 5)), where a clamp is chosen privately, or the owner can run ALTER TABLE people ALTER COLUMN t SET PRIVACY DOMAIN BETWEEN (LOW, HIGH). LOW and HIGH are bounds that are known without looking at the data. Write values that are known without looking at the data.
----
SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (delta = 0) disease, count(*) FROM visits GROUP BY disease;
-- PolicyError at 93: column visits.disease has no public domain
-- DETAIL: Keys taken from private rows would reveal who is present. With a delta they can be shown if the number of groups of one uid is bounded. Nothing was charged.
-- HINT: ALTER TABLE visits ALTER COLUMN disease SET PRIVACY DOMAIN IN ('...', '...'), or SET dp_delta = 1e-6 and ALTER TABLE visits SET PRIVACY CONTRIBUTION (groups = 5). Write values that are known without looking at the data.
----
SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (delta = 0) region, born, avg(t), count(*) FROM people GROUP BY ALL;
-- PolicyError: column people.region has no public domain, and column people.t has no public range
-- DETAIL: Keys taken from private rows would reveal who is present. Without bounds one person could move the answer by any amount, and its range would come from private rows. Nothing was charged.
-- HINT: ALTER TABLE people ALTER COLUMN region SET PRIVACY DOMAIN IN ('...', '...'), or SET dp_delta = 1e-6. Also: Write avg(t, contribution_bounds_per_row => (LOW, HIGH)), or sum(t) / count(t), where a clamp is chosen privately, or the owner can run ALTER TABLE people ALTER COLUMN t SET PRIVACY DOMAIN BETWEEN (LOW, HIGH). LOW and HIGH are bounds that are known without looking at the data. Write values that are known without looking at the data.
----
SELECT avg(t), avg(income), median(born) FROM people;
-- PolicyError at 12: column people.t has no public range
-- DETAIL: Without bounds one person could move the answer by any amount, and its range would come from private rows. Nothing was charged.
-- HINT: Write avg(t, contribution_bounds_per_row => (LOW, HIGH)), or sum(t) / count(t), where a clamp is chosen privately, or the owner can run ALTER TABLE people ALTER COLUMN t SET PRIVACY DOMAIN BETWEEN (LOW, HIGH). LOW and HIGH are bounds that are known without looking at the data.
----
SELECT avg(t) FILTER (WHERE region = 'x') FROM people;
-- PolicyError at 12: column people.t has no public range
-- DETAIL: Without bounds one person could move the answer by any amount, and its range would come from private rows. Nothing was charged.
-- HINT: Write avg(t, contribution_bounds_per_row => (LOW, HIGH)), or sum(t) / count(t), each with the same FILTER, where a clamp is chosen privately, or the owner can run ALTER TABLE people ALTER COLUMN t SET PRIVACY DOMAIN BETWEEN (LOW, HIGH). LOW and HIGH are bounds that are known without looking at the data.
