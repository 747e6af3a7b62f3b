SELECT count(*, contribution_bounds_per_group => (5, 0)) FROM visits;
-- UnsupportedSqlError at 8: these contribution bounds are not possible
-- DETAIL: A unit is counted with between 0 and at most 1,000,000 rows. Nothing was charged.
-- HINT: Write count(*, contribution_bounds_per_group => (0, HIGH)). HIGH is a bound that is known without looking at the data.
----
SELECT count(*, contribution_bounds_per_group => (-5, 5)) FROM visits;
-- UnsupportedSqlError at 8: these contribution bounds are not possible
-- DETAIL: A unit is counted with between 0 and at most 1,000,000 rows. Nothing was charged.
-- HINT: Write count(*, contribution_bounds_per_group => (0, HIGH)). HIGH is a bound that is known without looking at the data.
----
SELECT count(*, contribution_bounds_per_group => (0, 0)) FROM visits;
-- UnsupportedSqlError at 8: these contribution bounds are not possible
-- DETAIL: A unit is counted with between 0 and at most 1,000,000 rows. Nothing was charged.
-- HINT: Write count(*, contribution_bounds_per_group => (0, HIGH)). HIGH is a bound that is known without looking at the data.
----
SELECT count(*, contribution_bounds_per_group => (0, 1e300)) FROM visits;
-- UnsupportedSqlError at 8: these contribution bounds are not possible
-- DETAIL: A unit is counted with between 0 and at most 1,000,000 rows. Nothing was charged.
-- HINT: Write count(*, contribution_bounds_per_group => (0, HIGH)). HIGH is a bound that is known without looking at the data.
----
SELECT count(*, contribution_bounds_per_group => (0, 2.5)) FROM visits;
-- UnsupportedSqlError at 8: these contribution bounds are not possible
-- DETAIL: A unit is counted with between 0 and at most 1,000,000 rows. Nothing was charged.
-- HINT: Write count(*, contribution_bounds_per_group => (0, HIGH)). HIGH is a bound that is known without looking at the data.
----
SELECT count(*, contribution_bounds_per_group => (0, 'many')) FROM visits;
-- UnsupportedSqlError at 8: these contribution bounds are not possible
-- DETAIL: A unit is counted with between 0 and at most 1,000,000 rows. Nothing was charged.
-- HINT: Write count(*, contribution_bounds_per_group => (0, HIGH)). HIGH is a bound that is known without looking at the data.
----
SELECT count(*, contribution_bounds_per_group => (0, age)) FROM visits;
-- UnsupportedSqlError at 54: contribution bounds are constants
-- DETAIL: They are public, and hold for every row. Nothing was charged.
-- HINT: Write sum(x, contribution_bounds_per_group => (LOW, HIGH)). LOW and HIGH are bounds that are known without looking at the data.
----
SELECT sum(x, contribution_bounds_per_group => (5, 0)) FROM visits;
-- UnsupportedSqlError at 12: these contribution bounds are not possible
-- DETAIL: They are two numbers, the lower one first, and not larger than 1e18. Nothing was charged.
-- HINT: Write contribution_bounds_per_group => (LOW, HIGH). LOW and HIGH are bounds that are known without looking at the data.
----
SELECT sum(x, contribution_bounds_per_group => (0, 1e300)) FROM visits;
-- UnsupportedSqlError at 12: these contribution bounds are not possible
-- DETAIL: They are two numbers, the lower one first, and not larger than 1e18. Nothing was charged.
-- HINT: Write contribution_bounds_per_group => (LOW, HIGH). LOW and HIGH are bounds that are known without looking at the data.
----
SELECT sum(x, contribution_bounds_per_group => ('-inf', 'inf')) FROM visits;
-- UnsupportedSqlError at 12: these contribution bounds are not possible
-- DETAIL: They are two numbers, the lower one first, and not larger than 1e18. Nothing was charged.
-- HINT: Write contribution_bounds_per_group => (LOW, HIGH). LOW and HIGH are bounds that are known without looking at the data.
----
SELECT sum(x, contribution_bounds_per_group => ('nan', 5)) FROM visits;
-- UnsupportedSqlError at 12: these contribution bounds are not possible
-- DETAIL: They are two numbers, the lower one first, and not larger than 1e18. Nothing was charged.
-- HINT: Write contribution_bounds_per_group => (LOW, HIGH). LOW and HIGH are bounds that are known without looking at the data.
----
SELECT sum(x, contribution_bounds_per_group => (NULL, 5)) FROM visits;
-- UnsupportedSqlError at 12: these contribution bounds are not possible
-- DETAIL: They are two numbers, the lower one first, and not larger than 1e18. Nothing was charged.
-- HINT: Write contribution_bounds_per_group => (LOW, HIGH). LOW and HIGH are bounds that are known without looking at the data.
----
SELECT sum(x, contribution_bounds_per_group => (0, age)) FROM visits;
-- UnsupportedSqlError at 52: contribution bounds are constants
-- DETAIL: They are public, and hold for every row. Nothing was charged.
-- HINT: Write sum(x, contribution_bounds_per_group => (LOW, HIGH)). LOW and HIGH are bounds that are known without looking at the data.
----
SELECT sum(x, contribution_bounds_per_group => (0, (SELECT max(x) FROM visits))) FROM visits;
-- UnsupportedSqlError at 64: contribution bounds are constants
-- DETAIL: They are public, and hold for every row. Nothing was charged.
-- HINT: Write sum(x, contribution_bounds_per_group => (LOW, HIGH)). LOW and HIGH are bounds that are known without looking at the data.
----
SELECT sum(x, contribution_bounds_per_group => 5) FROM visits;
-- SqlSyntaxError at 51: syntax error at 'FROM': contribution_bounds_per_group takes two bounds: (low, high)
-- DETAIL: Nothing was charged.
-- HINT: Look near that place. What can be written: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
SELECT sum(x, contribution_bounds_per_group => (0, 1, 2)) FROM visits;
-- SqlSyntaxError at 59: syntax error at 'FROM': contribution_bounds_per_group takes two bounds: (low, high)
-- DETAIL: Nothing was charged.
-- HINT: Look near that place. What can be written: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
SELECT sum(x, contribution_bounds => (0, 1)) FROM visits;
-- SqlSyntaxError at 44: syntax error at ')': the number of provided arguments (2) is greater than the maximum number of supported arguments (1)
-- DETAIL: Nothing was charged.
-- HINT: Look near that place. What can be written: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
SELECT sum(x, contribution_bounds_per_group => (0, 1), contribution_bounds_per_row => (0, 1)) FROM visits;
-- SqlSyntaxError at 95: syntax error at 'FROM': contribution_bounds_per_row is given twice
-- DETAIL: Nothing was charged.
-- HINT: Look near that place. What can be written: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
SELECT avg(x, contribution_bounds_per_row => (1, 1)) FROM visits;
-- UnsupportedSqlError at 8: the range of the argument is one number
-- DETAIL: It is 1, and so is the mean. Nothing was charged.
-- HINT: Write a range: contribution_bounds_per_row => (LOW, HIGH). LOW and HIGH are bounds that are known without looking at the data.
----
SELECT avg(x, contribution_bounds_per_row => (-1.7e308, 1.7e308)) FROM visits;
-- UnsupportedSqlError at 12: these contribution bounds are not possible
-- DETAIL: They are two numbers, the lower one first, and not larger than 1e18. Nothing was charged.
-- HINT: Write contribution_bounds_per_row => (LOW, HIGH). LOW and HIGH are bounds that are known without looking at the data.
----
SELECT median(x, contribution_bounds_per_row => (0, 1e300)) FROM visits;
-- UnsupportedSqlError at 15: the range is too wide for a quantile
-- DETAIL: Its ends, in the last place of the type, must be below 2^62. Nothing was charged.
-- HINT: Declare a narrower PRIVACY DOMAIN, or write contribution_bounds_per_row => (LOW, HIGH). LOW and HIGH are bounds that are known without looking at the data.
----
SELECT median(age, contribution_bounds_per_row => (5, 0)) FROM visits;
-- UnsupportedSqlError at 15: these contribution bounds are not possible
-- DETAIL: The lower bound must be below the upper one. Nothing was charged.
-- HINT: Write contribution_bounds_per_row => (LOW, HIGH). LOW and HIGH are bounds that are known without looking at the data.
----
SELECT median(age, contribution_bounds_per_row => (0, 1e300)) FROM visits;
-- UnsupportedSqlError at 15: these contribution bounds are not possible
-- DETAIL: INTEGER holds whole numbers from -2147483648 to 2147483647. Nothing was charged.
-- HINT: Write contribution_bounds_per_row => (LOW, HIGH). LOW and HIGH are bounds that are known without looking at the data.
----
SELECT median(age, contribution_bounds_per_row => (0, 0.5)) FROM visits;
-- UnsupportedSqlError at 15: these contribution bounds are not possible
-- DETAIL: INTEGER holds whole numbers from -2147483648 to 2147483647. Nothing was charged.
-- HINT: Write contribution_bounds_per_row => (LOW, HIGH). LOW and HIGH are bounds that are known without looking at the data.
----
SELECT median(age, contribution_bounds_per_group => (0, 100)) FROM visits;
-- UnsupportedSqlError at 8: median takes no contribution_bounds_per_group
-- DETAIL: A quantile is a value, not a total. Nothing was charged.
-- HINT: Write contribution_bounds_per_row => (LOW, HIGH). LOW and HIGH are bounds that are known without looking at the data.
----
SELECT median(page, contribution_bounds_per_row => ('a', 'z')) FROM visits;
-- UnsupportedSqlError at 15: visits.page of type VARCHAR has no order to choose from
-- DETAIL: Quantiles, sums and means are of numbers; quantiles also of dates and timestamps. Nothing was charged.
-- HINT: Use mode(x), or GROUP BY x with count(*); of texts that are days or numbers write TRY_CAST(x AS DATE) or TRY_CAST(x AS DOUBLE).
----
SELECT max(day, contribution_bounds_per_row => (0, 100)) FROM visits;
-- UnsupportedSqlError at 12: these contribution bounds are not possible
-- DETAIL: DATE holds days from 0001-01-01 to 9999-12-31, such as '2024-01-31'. Nothing was charged.
-- HINT: Write contribution_bounds_per_row => (LOW, HIGH). LOW and HIGH are bounds that are known without looking at the data.
----
SELECT mode(page, contribution_bounds_per_row => (0, 1)) FROM visits;
-- UnsupportedSqlError at 8: mode takes no contribution bounds
-- DETAIL: They bound numbers. Nothing was charged.
-- HINT: Leave them out.
----
SELECT approx_count_distinct(age, contribution_bounds_per_group => (0, 5)) FROM visits;
-- UnsupportedSqlError at 8: approx_count_distinct takes no contribution bounds
-- DETAIL: They bound numbers. Nothing was charged.
-- HINT: Leave them out.
----
SELECT count(DISTINCT age, contribution_bounds_per_group => (0, 5)) FROM visits;
-- SqlSyntaxError at 58: syntax error at '=>': expecting )
-- DETAIL: Nothing was charged.
-- HINT: Look near that place. What can be written: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
SELECT lower(page, contribution_bounds_per_row => (0, 5)) FROM visits;
-- UnsupportedSqlError at 8: contribution bounds and epsilon are not supported here
-- DETAIL: They say what one person brings to an aggregate. Nothing was charged.
-- HINT: Write sum(x, contribution_bounds_per_group => (LOW, HIGH)).
----
SELECT count(*) FROM visits WHERE round(x, contribution_bounds_per_row => (0, 5)) = 1;
-- UnsupportedSqlError at 35: contribution bounds and epsilon are not supported here
-- DETAIL: They say what one person brings to an aggregate. Nothing was charged.
-- HINT: Write sum(x, contribution_bounds_per_group => (LOW, HIGH)).
----
SELECT sum(age, contribution_bounds_per_row => (-1e25, 1e25)) FROM visits;
-- UnsupportedSqlError at 12: these contribution bounds are not possible
-- DETAIL: They are two numbers, the lower one first, and not larger than 1e18. Nothing was charged.
-- HINT: Write contribution_bounds_per_row => (LOW, HIGH). LOW and HIGH are bounds that are known without looking at the data.
----
SELECT count(*, epsilon => 0.6) FROM visits;
-- UnsupportedSqlError at 8: the aggregates ask for epsilon 0.6
-- DETAIL: The query spends 0.5 in all. Nothing was charged.
-- HINT: SET dp_epsilon to more, or leave epsilon => ... out.
----
SELECT count(*, epsilon => 0.5), avg(age) FROM visits;
-- UnsupportedSqlError at 34: the aggregates ask for epsilon 0.5
-- DETAIL: The query spends 0.5 in all. Nothing was charged.
-- HINT: SET dp_epsilon to more, or leave epsilon => ... out.
----
SELECT count(*, epsilon => age) FROM visits;
-- UnsupportedSqlError at 28: epsilon is a constant
-- DETAIL: It is paid before a row is read. Nothing was charged.
-- HINT: Write epsilon => 0.2.
----
SELECT count(*, epsilon => 'nan') FROM visits;
-- ParameterError: epsilon 'nan' is not a decimal number
-- DETAIL: It must be an exact decimal written with the digits 0 to 9. Nothing was charged.
-- HINT: Write it as 0.5, without underscores or words.
----
SELECT count(*, epsilon => 0) FROM visits;
-- ParameterError: epsilon 0 is out of range
-- DETAIL: One query may use an epsilon from 0.0001 to 20. Nothing was charged.
-- HINT: Write a decimal such as 0.5.
----
SELECT sum(age, epsilon => 0.1, epsilon => 0.1) FROM visits;
-- SqlSyntaxError at 49: syntax error at 'FROM': epsilon is given twice
-- DETAIL: Nothing was charged.
-- HINT: Look near that place. What can be written: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
SELECT count(*) FROM visits WHERE lower(page, epsilon => 0.1) = 'a';
-- UnsupportedSqlError at 35: contribution bounds and epsilon are not supported here
-- DETAIL: They say what one person brings to an aggregate. Nothing was charged.
-- HINT: Write sum(x, contribution_bounds_per_group => (LOW, HIGH)).
----
SELECT lower(page, epsilon => 0.1), count(*) FROM visits GROUP BY 1;
-- UnsupportedSqlError at 8: contribution bounds and epsilon are not supported here
-- DETAIL: They say what one person brings to an aggregate. Nothing was charged.
-- HINT: Write sum(x, contribution_bounds_per_group => (LOW, HIGH)).
----
SELECT sum(age, contribution_bounds_per_row => (0, 1), contribution_bounds_per_group => (0, 1)) FROM visits;
-- SqlSyntaxError at 97: syntax error at 'FROM': contribution_bounds_per_group is given twice
-- DETAIL: Nothing was charged.
-- HINT: Look near that place. What can be written: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
SELECT avg(n) FROM (SELECT uid, count(*) AS n FROM visits GROUP BY uid);
-- UnsupportedSqlError at 12: expression count_star() has no public range
-- DETAIL: Without bounds one person could move the answer by any amount. Nothing was charged.
-- HINT: Write avg(n, contribution_bounds_per_row => (LOW, HIGH)), or sum(n) / count(n), where a clamp is chosen privately, or the owner can run ALTER TABLE visits SET PRIVACY CONTRIBUTION (rows = 20). LOW and HIGH are bounds that are known without looking at the data.
----
SELECT avg(s) FROM (SELECT uid, sum(age) AS s FROM visits GROUP BY uid);
-- UnsupportedSqlError at 12: expression sum(age) has no public range
-- DETAIL: Without bounds one person could move the answer by any amount. Nothing was charged.
-- HINT: Write avg(s, contribution_bounds_per_row => (LOW, HIGH)), or sum(s) / count(s), where a clamp is chosen privately, or the owner can run ALTER TABLE visits SET PRIVACY CONTRIBUTION (rows = 20). LOW and HIGH are bounds that are known without looking at the data.
----
SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (delta = 0) n, count(*) FROM (SELECT uid, count(*) AS n FROM visits GROUP BY uid) GROUP BY n;
-- PolicyError at 133: expression count_star() has no public domain
-- DETAIL: Keys taken from private rows would reveal who is present. Nothing was charged.
-- HINT: Write a range, as in least(n, 20), or the owner can run ALTER TABLE visits SET PRIVACY CONTRIBUTION (rows = 20), or SET dp_delta = 1e-6.
----
SELECT max(coalesce(n, 0) * 2) FROM (SELECT uid, count(page) AS n FROM visits GROUP BY uid);
-- UnsupportedSqlError at 12: expression (COALESCE(n, 0) * 2) has no public range
-- DETAIL: Without bounds one person could move the answer by any amount. Nothing was charged.
-- HINT: Write max(..., contribution_bounds_per_row => (LOW, HIGH)), or the owner can run ALTER TABLE visits SET PRIVACY CONTRIBUTION (rows = 20). LOW and HIGH are bounds that are known without looking at the data. Write values that are known without looking at the data.
----
SELECT median(turn) FROM (SELECT uid, row_number() OVER (PARTITION BY uid ORDER BY moment) AS turn FROM visits);
-- UnsupportedSqlError at 15: expression row_number() OVER (PARTITION BY uid ORDER BY moment) has no public range
-- DETAIL: Without bounds one person could move the answer by any amount. Nothing was charged.
-- HINT: Write median(turn, contribution_bounds_per_row => (LOW, HIGH)), or the owner can run ALTER TABLE visits SET PRIVACY CONTRIBUTION (rows = 20). LOW and HIGH are bounds that are known without looking at the data.
