SELECT page, count(*) FROM visits GROUP BY page ORDER BY count(*) DESC LIMIT -1;
-- UnsupportedSqlError at 79: LIMIT takes a whole number
-- DETAIL: It must be a constant, and not negative. Nothing was charged.
-- HINT: Write LIMIT 10.
----
SELECT page, count(*) FROM visits GROUP BY page ORDER BY count(*) DESC LIMIT 2.5;
-- UnsupportedSqlError at 78: LIMIT takes a whole number
-- DETAIL: It must be a constant, and not negative. Nothing was charged.
-- HINT: Write LIMIT 10.
----
SELECT page, count(*) FROM visits GROUP BY page ORDER BY count(*) DESC LIMIT (SELECT 2);
-- UnsupportedSqlError at 86: LIMIT takes a whole number
-- DETAIL: It must be a constant, and not negative. Nothing was charged.
-- HINT: Write LIMIT 10.
----
SELECT page, count(*) FROM visits GROUP BY page ORDER BY count(*) DESC LIMIT 10%;
-- UnsupportedSqlError: LIMIT with a percentage or ties is not supported
-- DETAIL: LIMIT takes a number of rows. Nothing was charged.
-- HINT: Write LIMIT 10.
----
SELECT page, count(*) FROM visits GROUP BY page ORDER BY count(*) DESC FETCH FIRST 2 PERCENT ROWS ONLY;
-- UnsupportedSqlError at 84: FETCH is not supported
-- DETAIL: LIMIT says the same. Nothing was charged.
-- HINT: Write LIMIT 10.
----
SELECT big, count(*) FROM visits GROUP BY big ORDER BY count(*) DESC LIMIT 10001;
-- UnsupportedSqlError at 43: LIMIT is larger than 10000
-- DETAIL: Each selected row costs a share of epsilon. Nothing was charged.
-- HINT: Write a LIMIT of at most 10000.
----
SELECT page, count(*) FROM visits GROUP BY page ORDER BY age;
-- UnsupportedSqlError at 58: column age is neither grouped nor aggregated
-- DETAIL: Each column of the answer is made of keys and aggregates. Nothing was charged.
-- HINT: Add it to GROUP BY, or leave it out.
----
SELECT page, count(*) FROM visits GROUP BY page ORDER BY 3;
-- UnsupportedSqlError at 58: there is no column 3 in the answer
-- DETAIL: It has 2. Nothing was charged.
-- HINT: Use a number from 1 on.
----
SELECT page FROM visits;
-- UnsupportedSqlError at 8: private rows cannot be listed
-- DETAIL: Columns of the answer are aggregates, and the keys of GROUP BY. Nothing was charged.
-- HINT: Write SELECT key, count(*) FROM t WHERE ... GROUP BY key ORDER BY count(*) DESC LIMIT 10, or SELECT count(*), avg(x), median(x) FROM t.
----
SELECT * FROM visits;
-- UnsupportedSqlError at 8: private rows cannot be listed
-- DETAIL: Columns of the answer are aggregates, and the keys of GROUP BY. Nothing was charged.
-- HINT: Write SELECT key, count(*) FROM t WHERE ... GROUP BY key ORDER BY count(*) DESC LIMIT 10, or SELECT count(*), avg(x), median(x) FROM t.
----
SELECT visits.* FROM visits;
-- UnsupportedSqlError at 15: private rows cannot be listed
-- DETAIL: Columns of the answer are aggregates, and the keys of GROUP BY. Nothing was charged.
-- HINT: Write SELECT key, count(*) FROM t WHERE ... GROUP BY key ORDER BY count(*) DESC LIMIT 10, or SELECT count(*), avg(x), median(x) FROM t.
----
SELECT page, count(*) FROM visits;
-- UnsupportedSqlError at 8: column page is neither grouped nor aggregated
-- DETAIL: Each column of the answer is made of keys and aggregates. Nothing was charged.
-- HINT: Add it to GROUP BY, or leave it out.
----
SELECT page, count(*) FROM visits GROUP BY page LIMIT ?;
-- UnsupportedSqlError: a parameter has no value
-- DETAIL: Parameters are replaced by constants before a query is read. Nothing was charged.
-- HINT: Pass a value for each.
----
SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = 'nan') count(*) FROM visits;
-- ParameterError: epsilon 'nan' is not a decimal number
-- DETAIL: It must be an exact decimal written with the digits 0 to 9. Nothing was charged.
-- HINT: Write it as 0.5, without underscores or words.
----
SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = 'inf') count(*) FROM visits;
-- ParameterError: epsilon 'inf' is not a decimal number
-- DETAIL: It must be an exact decimal written with the digits 0 to 9. Nothing was charged.
-- HINT: Write it as 0.5, without underscores or words.
----
SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = 0) count(*) FROM visits;
-- ParameterError: epsilon '0' is out of range
-- DETAIL: One query may use an epsilon from 0.0001 to 20. Nothing was charged.
-- HINT: Write a decimal such as 0.5.
----
SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = -1) count(*) FROM visits;
-- ParameterError: epsilon '-1' is out of range
-- DETAIL: One query may use an epsilon from 0.0001 to 20. Nothing was charged.
-- HINT: Write a decimal such as 0.5.
----
SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = 1e-320) count(*) FROM visits;
-- ParameterError: epsilon '1e-320' is out of range
-- DETAIL: One query may use an epsilon from 0.0001 to 20. Nothing was charged.
-- HINT: Write a decimal such as 0.5.
----
SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = 1e400) count(*) FROM visits;
-- ParameterError: epsilon '1e400' is out of range
-- DETAIL: One query may use an epsilon from 0.0001 to 20. Nothing was charged.
-- HINT: Write a decimal such as 0.5.
----
SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = 20.000000001) count(*) FROM visits;
-- ParameterError: epsilon '20.000000001' is out of range
-- DETAIL: One query may use an epsilon from 0.0001 to 20. Nothing was charged.
-- HINT: Write a decimal such as 0.5.
----
SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = 0.12345678901) count(*) FROM visits;
-- ParameterError: epsilon '0.12345678901' has more than 9 decimal places
-- DETAIL: Budgets are added exactly, so each amount must be a short decimal. Nothing was charged.
-- HINT: Did you mean 0.123456789?
----
SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = 1_0) count(*) FROM visits;
-- SqlSyntaxError at 54: syntax error at '_0': expecting )
-- DETAIL: Nothing was charged.
-- HINT: Write numbers without _, such as 1000.
----
SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = '1_0') count(*) FROM visits;
-- ParameterError: epsilon '1_0' is not a decimal number
-- DETAIL: It must be an exact decimal written with the digits 0 to 9. Nothing was charged.
-- HINT: Write it as 0.5, without underscores or words.
----
SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = '٣') count(*) FROM visits;
-- ParameterError: epsilon '٣' is not a decimal number
-- DETAIL: It must be an exact decimal written with the digits 0 to 9. Nothing was charged.
-- HINT: Write it as 0.5, without underscores or words.
----
SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = '0x1') count(*) FROM visits;
-- ParameterError: epsilon '0x1' is not a decimal number
-- DETAIL: It must be an exact decimal written with the digits 0 to 9. Nothing was charged.
-- HINT: Write it as 0.5, without underscores or words.
----
SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = NULL) count(*) FROM visits;
-- UnsupportedSqlError: a constant is expected here
-- DETAIL: It must be a number or a string, as it stands. Nothing was charged.
-- HINT: Write the value itself, such as 0.5.
----
SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = TRUE) count(*) FROM visits;
-- UnsupportedSqlError: a constant is expected here
-- DETAIL: It must be a number or a string, as it stands. Nothing was charged.
-- HINT: Write the value itself, such as 0.5.
----
SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = 1 + 1) count(*) FROM visits;
-- SqlSyntaxError at 55: syntax error at '+': expecting )
-- DETAIL: Nothing was charged.
-- HINT: Look near that place. What can be written: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = (SELECT 1)) count(*) FROM visits;
-- UnsupportedSqlError at 61: a constant is expected here
-- DETAIL: It must be a number or a string, as it stands. Nothing was charged.
-- HINT: Write the value itself, such as 0.5.
----
SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = random()) count(*) FROM visits;
-- UnsupportedSqlError at 53: a constant is expected here
-- DETAIL: It must be a number or a string, as it stands. Nothing was charged.
-- HINT: Write the value itself, such as 0.5.
----
SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = 1, epsilon = 2) count(*) FROM visits;
-- ParameterError: option epsilon is given twice
-- DETAIL: Nothing was charged.
-- HINT: Leave one out.
----
SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (delta = 1) count(*) FROM visits;
-- ParameterError: delta '1' is out of range
-- DETAIL: Delta is a probability of failure: at least 0 and below 1. Nothing was charged.
-- HINT: Write a small decimal such as 1e-6.
----
SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (delta = -1e-6) count(*) FROM visits;
-- ParameterError: delta '-1e-6' is out of range
-- DETAIL: Delta is a probability of failure: at least 0 and below 1. Nothing was charged.
-- HINT: Write a small decimal such as 1e-6.
----
SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (delta = 'nan') count(*) FROM visits;
-- ParameterError: delta 'nan' is not a decimal number
-- DETAIL: It must be an exact decimal written with the digits 0 to 9. Nothing was charged.
-- HINT: Write it as 0.5, without underscores or words.
----
SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (kappa = 5) count(*) FROM visits;
-- ParameterError: DIFFERENTIAL_PRIVACY has no option kappa
-- DETAIL: Its options are epsilon, delta, max_groups_contributed, privacy_unit_column, noise, interval, count, distinct_values, clamp. Nothing was charged.
-- HINT: Leave it out.
----
SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS () count(*) FROM visits;
-- SqlSyntaxError at 43: syntax error at ')': expecting a name
-- DETAIL: Nothing was charged.
-- HINT: Look near that place. What can be written: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
SELECT WITH DIFFERENTIAL_PRIVACY count(*) FROM visits;
-- SqlSyntaxError at 34: syntax error at 'count': expecting OPTIONS (epsilon = 0.5, ...)
-- DETAIL: Nothing was charged.
-- HINT: Look near that place. What can be written: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (privacy_unit_column = page) count(*) FROM visits;
-- UnsupportedSqlError at 71: the privacy unit is uid, not page
-- DETAIL: The owner's policy says whom the noise protects. Nothing was charged.
-- HINT: Leave privacy_unit_column out.
----
SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (privacy_unit_column = 5) count(*) FROM visits;
-- UnsupportedSqlError at 65: privacy_unit_column takes a column
-- DETAIL: It is the column of the table's privacy key. Nothing was charged.
-- HINT: Write privacy_unit_column = id, or leave it out.
----
SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (max_groups_contributed = 0) page, count(*) FROM visits GROUP BY page;
-- ParameterError: max_groups_contributed = 0 is not a bound on contributions
-- DETAIL: It is a whole number from 1 to 1000000. Nothing was charged.
-- HINT: Write max_groups_contributed = 5.
----
SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (max_groups_contributed = 1.5) page, count(*) FROM visits GROUP BY page;
-- ParameterError: max_groups_contributed = 1.5 is not a bound on contributions
-- DETAIL: It is a whole number from 1 to 1000000. Nothing was charged.
-- HINT: Write max_groups_contributed = 5.
----
SELECT count(*) FROM (SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = 1) * FROM visits);
-- UnsupportedSqlError at 78: WITH DIFFERENTIAL_PRIVACY is not supported in a part of a query
-- DETAIL: A query is answered as a whole, at one price. Nothing was charged.
-- HINT: Write it after the first SELECT of the statement, or behind the last WITH.
----
SET dp_epsilon = 0;
-- ParameterError: epsilon '0' is out of range
-- DETAIL: One query may use an epsilon from 0.0001 to 20. Nothing was charged.
-- HINT: Write a decimal such as 0.5.
----
SET dp_epsilon = -0.5;
-- ParameterError: epsilon '-0.5' is out of range
-- DETAIL: One query may use an epsilon from 0.0001 to 20. Nothing was charged.
-- HINT: Write a decimal such as 0.5.
----
SET dp_epsilon = 'nan';
-- ParameterError: epsilon 'nan' is not a decimal number
-- DETAIL: It must be an exact decimal written with the digits 0 to 9. Nothing was charged.
-- HINT: Write it as 0.5, without underscores or words.
----
SET dp_epsilon = nan;
-- UnsupportedSqlError: a constant is expected here
-- DETAIL: It must be a number or a string, as it stands. Nothing was charged.
-- HINT: Write the value itself, such as 0.5.
----
SET dp_epsilon = 1e-320;
-- ParameterError: epsilon '1e-320' is out of range
-- DETAIL: One query may use an epsilon from 0.0001 to 20. Nothing was charged.
-- HINT: Write a decimal such as 0.5.
----
SET dp_epsilon = 1_0;
-- UnsupportedSqlError at 18: a constant is expected here
-- DETAIL: It must be a number or a string, as it stands. Nothing was charged.
-- HINT: Write the value itself, such as 0.5.
----
SET dp_epsilon = '٣';
-- ParameterError: epsilon '٣' is not a decimal number
-- DETAIL: It must be an exact decimal written with the digits 0 to 9. Nothing was charged.
-- HINT: Write it as 0.5, without underscores or words.
----
SET dp_epsilon = 0.5 + 0.5;
-- UnsupportedSqlError at 18: a constant is expected here
-- DETAIL: It must be a number or a string, as it stands. Nothing was charged.
-- HINT: Write the value itself, such as 0.5.
----
SET dp_epsilon = (SELECT 1);
-- UnsupportedSqlError at 26: a constant is expected here
-- DETAIL: It must be a number or a string, as it stands. Nothing was charged.
-- HINT: Write the value itself, such as 0.5.
----
SET dp_delta = 1;
-- ParameterError: delta '1' is out of range
-- DETAIL: Delta is a probability of failure: at least 0 and below 1. Nothing was charged.
-- HINT: Write a small decimal such as 1e-6.
----
SET dp_delta = 'inf';
-- ParameterError: delta 'inf' is not a decimal number
-- DETAIL: It must be an exact decimal written with the digits 0 to 9. Nothing was charged.
-- HINT: Write it as 0.5, without underscores or words.
----
SET dp_delta = -1e-6;
-- ParameterError: delta '-1e-6' is out of range
-- DETAIL: Delta is a probability of failure: at least 0 and below 1. Nothing was charged.
-- HINT: Write a small decimal such as 1e-6.
----
SET dp_max_groups_contributed = 0;
-- ParameterError: dp_max_groups_contributed = 0 is not a bound on contributions
-- DETAIL: It is a whole number from 1 to 1000000. Nothing was charged.
-- HINT: Write dp_max_groups_contributed = 5.
----
SET dp_max_groups_contributed = 'many';
-- ParameterError: dp_max_groups_contributed = many is not a bound on contributions
-- DETAIL: It is a whole number from 1 to 1000000. Nothing was charged.
-- HINT: Write dp_max_groups_contributed = 5.
----
SET dp_replay = maybe;
-- UnsupportedSqlError: dp_replay is on or off
-- DETAIL: On: a question that was answered before gets the same answer again. Nothing was charged.
-- HINT: Write SET dp_replay = off.
----
SET dp_epsilon = 0.5, dp_delta = 1e-6;
-- UnsupportedSqlError: this SET statement is not supported
-- DETAIL: Settings of DuckDB and variables could carry private values from one statement to the next. Nothing was charged.
-- HINT: Write SET dp_epsilon = 0.5 or SET dp_delta = 1e-6.
----
SELECT page, count(*) FROM visits GROUP BY page LIMIT (SELECT 2);
-- UnsupportedSqlError at 63: LIMIT takes a whole number
-- DETAIL: It must be a constant, and not negative. Nothing was charged.
-- HINT: Write LIMIT 10.
----
SELECT page, count(*) FROM visits GROUP BY page LIMIT count(*);
-- UnsupportedSqlError at 55: LIMIT takes a whole number
-- DETAIL: It must be a constant, and not negative. Nothing was charged.
-- HINT: Write LIMIT 10.
----
SELECT page, count(*) FROM visits GROUP BY page LIMIT age;
-- UnsupportedSqlError at 55: LIMIT takes a whole number
-- DETAIL: It must be a constant, and not negative. Nothing was charged.
-- HINT: Write LIMIT 10.
----
SELECT page, count(*) FROM visits GROUP BY page LIMIT -1;
-- UnsupportedSqlError at 56: LIMIT takes a whole number
-- DETAIL: It must be a constant, and not negative. Nothing was charged.
-- HINT: Write LIMIT 10.
----
SELECT page, count(*) FROM visits GROUP BY page LIMIT 1.5;
-- UnsupportedSqlError at 55: LIMIT takes a whole number
-- DETAIL: It must be a constant, and not negative. Nothing was charged.
-- HINT: Write LIMIT 10.
----
SELECT page, count(*) FROM visits GROUP BY page LIMIT '2';
-- UnsupportedSqlError at 55: LIMIT takes a whole number
-- DETAIL: It must be a constant, and not negative. Nothing was charged.
-- HINT: Write LIMIT 10.
----
SELECT page, count(*) FROM visits GROUP BY page LIMIT NULL;
-- UnsupportedSqlError: LIMIT takes a whole number
-- DETAIL: It must be a constant, and not negative. Nothing was charged.
-- HINT: Write LIMIT 10.
----
SELECT page, count(*) FROM visits GROUP BY page LIMIT 50%;
-- UnsupportedSqlError: LIMIT with a percentage or ties is not supported
-- DETAIL: LIMIT takes a number of rows. Nothing was charged.
-- HINT: Write LIMIT 10.
----
SELECT page, count(*) FROM visits GROUP BY page LIMIT 50 PERCENT;
-- UnsupportedSqlError: LIMIT with a percentage or ties is not supported
-- DETAIL: LIMIT takes a number of rows. Nothing was charged.
-- HINT: Write LIMIT 10.
----
SELECT page, count(*) FROM visits GROUP BY page FETCH FIRST 2 ROWS WITH TIES;
-- UnsupportedSqlError at 61: FETCH is not supported
-- DETAIL: LIMIT says the same. Nothing was charged.
-- HINT: Write LIMIT 10.
----
SELECT page, count(*) FROM visits GROUP BY page OFFSET -1;
-- UnsupportedSqlError at 57: OFFSET takes a whole number
-- DETAIL: It must be a constant, and not negative. Nothing was charged.
-- HINT: Write OFFSET 10.
----
SELECT page, count(*) FROM visits GROUP BY page OFFSET (SELECT 1);
-- UnsupportedSqlError at 64: OFFSET takes a whole number
-- DETAIL: It must be a constant, and not negative. Nothing was charged.
-- HINT: Write OFFSET 10.
----
SELECT count(*) FROM visits WHERE age > ?;
-- UnsupportedSqlError: a parameter has no value
-- DETAIL: Parameters are replaced by constants before a query is read. Nothing was charged.
-- HINT: Pass a value for each.
----
SELECT count(*) FROM visits WHERE age > $1;
-- UnsupportedSqlError: a parameter has no value
-- DETAIL: Parameters are replaced by constants before a query is read. Nothing was charged.
-- HINT: Pass a value for each.
----
SELECT count(*) FROM visits WHERE age > :x;
-- UnsupportedSqlError: a parameter has no value
-- DETAIL: Parameters are replaced by constants before a query is read. Nothing was charged.
-- HINT: Pass a value for each.
----
SELECT quantile_cont(age, 0) FROM visits;
-- UnsupportedSqlError at 8: the quantile must be a constant between 0 and 1
-- DETAIL: It may have up to four decimal places. Nothing was charged.
-- HINT: Write quantile_cont(x, 0.25), or quantile_cont(x, [0.25, 0.75]).
----
SELECT quantile_cont(age, 1) FROM visits;
-- UnsupportedSqlError at 8: the quantile must be a constant between 0 and 1
-- DETAIL: It may have up to four decimal places. Nothing was charged.
-- HINT: Write quantile_cont(x, 0.25), or quantile_cont(x, [0.25, 0.75]).
----
SELECT quantile_cont(age, -0.5) FROM visits;
-- UnsupportedSqlError at 8: the quantile must be a constant between 0 and 1
-- DETAIL: It may have up to four decimal places. Nothing was charged.
-- HINT: Write quantile_cont(x, 0.25), or quantile_cont(x, [0.25, 0.75]).
----
SELECT quantile_cont(age, 1.5) FROM visits;
-- UnsupportedSqlError at 8: the quantile must be a constant between 0 and 1
-- DETAIL: It may have up to four decimal places. Nothing was charged.
-- HINT: Write quantile_cont(x, 0.25), or quantile_cont(x, [0.25, 0.75]).
----
SELECT quantile_cont(age, 0.00001) FROM visits;
-- UnsupportedSqlError at 8: the quantile must be a constant between 0 and 1
-- DETAIL: It may have up to four decimal places. Nothing was charged.
-- HINT: Write quantile_cont(x, 0.25), or quantile_cont(x, [0.25, 0.75]).
----
SELECT quantile_cont(age, age) FROM visits;
-- UnsupportedSqlError at 8: the quantile must be a constant between 0 and 1
-- DETAIL: It may have up to four decimal places. Nothing was charged.
-- HINT: Write quantile_cont(x, 0.25), or quantile_cont(x, [0.25, 0.75]).
----
SELECT quantile_cont(age, (SELECT 0.5)) FROM visits;
-- UnsupportedSqlError at 8: the quantile must be a constant between 0 and 1
-- DETAIL: It may have up to four decimal places. Nothing was charged.
-- HINT: Write quantile_cont(x, 0.25), or quantile_cont(x, [0.25, 0.75]).
----
SELECT quantile_cont(age) FROM visits;
-- UnsupportedSqlError at 8: the quantile must be a constant between 0 and 1
-- DETAIL: It may have up to four decimal places. Nothing was charged.
-- HINT: Write quantile_cont(x, 0.25), or quantile_cont(x, [0.25, 0.75]).
----
SELECT quantile_cont(age, []) FROM visits;
-- UnsupportedSqlError at 8: a list has 1 to 100 quantiles
-- DETAIL: Each costs a share of epsilon. Nothing was charged.
-- HINT: Ask for fewer.
----
SELECT quantile_cont(age, [0.5, x]) FROM visits;
-- UnsupportedSqlError at 8: the quantile must be a constant between 0 and 1
-- DETAIL: It may have up to four decimal places. Nothing was charged.
-- HINT: Write quantile_cont(x, 0.25), or quantile_cont(x, [0.25, 0.75]).
----
SELECT approx_top_k(page, 0) FROM visits;
-- UnsupportedSqlError at 8: approx_top_k takes a positive number
-- DETAIL: It is a constant. Nothing was charged.
-- HINT: Write approx_top_k(x, 10).
----
SELECT approx_top_k(page, age) FROM visits;
-- UnsupportedSqlError at 8: approx_top_k takes a positive number
-- DETAIL: It is a constant. Nothing was charged.
-- HINT: Write approx_top_k(x, 10).
----
SELECT dp_low(page) FROM visits;
-- UnsupportedSqlError at 8: dp_low takes a released aggregate, or the difference of two
-- DETAIL: It says how exact one number of the answer is. Nothing was charged.
-- HINT: Write SELECT count(*) AS n, dp_low(n), dp_high(n) ....
----
SELECT dp_low(5), count(*) FROM visits;
-- UnsupportedSqlError at 8: dp_low takes a released aggregate, or the difference of two
-- DETAIL: It says how exact one number of the answer is. Nothing was charged.
-- HINT: Write SELECT count(*) AS n, dp_low(n), dp_high(n) ....
