SELECT stddev(amount * amount ** 2) FROM visits;
-- UnsupportedSqlError at 15: expression (amount * power(amount, 2)) has no public range
-- DETAIL: Without bounds one person could move the answer by any amount. Nothing was charged.
-- HINT: Write stddev(..., contribution_bounds_per_row => (LOW, HIGH)). LOW and HIGH are bounds that are known without looking at the data. Write values that are known without looking at the data.
----
SELECT corr(1 / x, 1 / f), regr_slope(f ** 3, age) FROM visits;
-- UnsupportedSqlError at 13: expression (1 / x) has no public range, and expression (1 / f) has no public range, and expression power(f, 3) has no public range
-- DETAIL: Without bounds one person could move the answer by any amount. Nothing was charged.
-- HINT: Write CASE WHEN (1 / x) IS NOT NULL THEN greatest(least((1 / x), HIGH), LOW) END. Also: Write CASE WHEN (1 / f) IS NOT NULL THEN greatest(least((1 / f), HIGH), LOW) END. Also: Write CASE WHEN power(f, 3) IS NOT NULL THEN least(power(f, 3), HIGH) END. LOW and HIGH are bounds that are known without looking at the data.
----
SELECT stddev(uid) FROM visits;
-- UnsupportedSqlError at 8: column uid is the privacy unit
-- DETAIL: Each of its values stands for one person, who would be revealed by it. Nothing was charged.
-- HINT: Use another column, or count(*) to count units.
----
SELECT variance(DISTINCT age) FROM visits;
-- UnsupportedSqlError at 8: variance(DISTINCT ...) is not supported
-- DETAIL: Whether one person's value counts would depend on the values of others. Nothing was charged.
-- HINT: Write variance(x).
----
SELECT variance(page) FROM visits;
-- UnsupportedSqlError at 8: variance takes numbers
-- DETAIL: visits.page is of type VARCHAR. Nothing was charged.
-- HINT: Use a numeric column, or TRY_CAST(page AS DOUBLE) of texts that are numbers, or count(*).
----
SELECT corr(day, age) FROM visits;
-- UnsupportedSqlError at 8: corr takes numbers
-- DETAIL: visits.day is of type DATE. Nothing was charged.
-- HINT: Use a numeric column, or count(*).
----
SELECT regr_count(page, age) FROM visits;
-- UnsupportedSqlError at 8: regr_count takes numbers
-- DETAIL: visits.page is of type VARCHAR. Nothing was charged.
-- HINT: Use a numeric column, or TRY_CAST(page AS DOUBLE) of texts that are numbers, or count(*).
----
SELECT stddev(7) FROM visits;
-- UnsupportedSqlError at 8: the range is too narrow for stddev
-- DETAIL: It is one number. Nothing was charged.
-- HINT: Write greatest(least(x, 100), 0), or declare such a PRIVACY DOMAIN.
----
SELECT covar_pop(age, 3) FROM visits;
-- UnsupportedSqlError at 8: the range is too narrow for covar_pop
-- DETAIL: It is one number. Nothing was charged.
-- HINT: Write greatest(least(x, 100), 0), or declare such a PRIVACY DOMAIN.
----
SELECT var_pop(x, contribution_bounds_per_row => (5, 5)) FROM visits;
-- UnsupportedSqlError at 8: the range is too narrow for var_pop
-- DETAIL: It is one number. Nothing was charged.
-- HINT: Write greatest(least(x, 100), 0), or declare such a PRIVACY DOMAIN.
----
SELECT stddev(x * 1e35) FROM visits;
-- UnsupportedSqlError at 8: the range is too wide for stddev
-- DETAIL: Squares of its width are computed in doubles. Nothing was charged.
-- HINT: Write greatest(least(x, 100), 0), or declare such a PRIVACY DOMAIN.
----
SELECT corr(age, x, contribution_bounds_per_row => (0, 1)) FROM visits;
-- UnsupportedSqlError at 8: corr takes no contribution bounds
-- DETAIL: It has two arguments, and they would be bounds of one. Nothing was charged.
-- HINT: Write corr(y, x) of columns with a PRIVACY DOMAIN, or of expressions with a range.
----
SELECT regr_count(age, x, contribution_bounds_per_group => (0, 3)) FROM visits;
-- UnsupportedSqlError at 8: regr_count takes no contribution bounds
-- DETAIL: It has two arguments, and they would be bounds of one. Nothing was charged.
-- HINT: Write regr_count(y, x) of columns with a PRIVACY DOMAIN, or of expressions with a range.
----
SELECT skewness(age) FROM visits;
-- UnsupportedSqlError at 8: the aggregate skewness is not supported
-- DETAIL: It divides high powers of distances from a noisy mean by powers of a noisy variance: of most data noise would be larger than it is. Nothing was charged.
-- HINT: Write stddev(x), and quantile_cont(x, [0.05, 0.5, 0.95]) for the shape.
----
SELECT kurtosis(age) FROM visits;
-- UnsupportedSqlError at 8: the aggregate kurtosis is not supported
-- DETAIL: It divides high powers of distances from a noisy mean by powers of a noisy variance: of most data noise would be larger than it is. Nothing was charged.
-- HINT: Write stddev(x), and quantile_cont(x, [0.05, 0.5, 0.95]) for the shape.
----
SELECT kurtosis_pop(age) FROM visits;
-- UnsupportedSqlError at 8: the aggregate kurtosis_pop is not supported
-- DETAIL: It divides high powers of distances from a noisy mean by powers of a noisy variance: of most data noise would be larger than it is. Nothing was charged.
-- HINT: Write stddev(x), and quantile_cont(x, [0.05, 0.5, 0.95]) for the shape.
----
SELECT mad(age) FROM visits;
-- UnsupportedSqlError at 8: the aggregate mad is not supported
-- DETAIL: It is a median of distances from another median, and a person who moves that moves all distances. Nothing was charged.
-- HINT: Write stddev(x), or half of the distance between the quartiles: quantile_cont(x, [0.25, 0.75]).
----
SELECT regr_sxx(age, x) FROM visits;
-- UnsupportedSqlError at 8: the aggregate regr_sxx is not supported
-- DETAIL: Its result can move by an unknown amount when one person is added. Nothing was charged.
-- HINT: Use count(*), sum(x), avg(x), median(x), quantile_cont(x, 0.5), mode(x), min(x) or max(x).
----
SELECT stddev(age) OVER () FROM visits;
-- UnsupportedSqlError at 15: a window function over private rows is not supported
-- DETAIL: Removing a person could change the rows of others. Nothing was charged.
-- HINT: Aggregate first: SELECT page, rank() OVER (ORDER BY count(*)) FROM visits GROUP BY page.
----
SELECT corr(DISTINCT age, x) FROM visits;
-- SqlSyntaxError at 28: syntax error at ')': corr needs more arguments
-- DETAIL: Nothing was charged.
-- HINT: Look near that place. What can be written: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
SELECT page, uid, stddev(age) FROM visits GROUP BY page, uid;
-- UnsupportedSqlError at 58: column uid is the privacy unit
-- DETAIL: Each of its values stands for one person, who would be revealed by it. Nothing was charged.
-- HINT: Use another column, or count(*) to count units.
