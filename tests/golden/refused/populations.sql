SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (interval = 'population') count(*) AS n, dp_low(n) FROM people;
-- UnsupportedSqlError at 83: dp_low of this number is not known for a population
-- DETAIL: Averages, quantiles, variances, covariances and regression lines have such an interval; counts, sums and correlations have one for the table. Nothing was charged.
-- HINT: Write SET dp_interval = 'table', or leave dp_low out.
----
SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (interval = 'population') dp_high(corr(age, age)) FROM people;
-- UnsupportedSqlError at 68: dp_high of this number is not known for a population
-- DETAIL: Averages, quantiles, variances, covariances and regression lines have such an interval; counts, sums and correlations have one for the table. Nothing was charged.
-- HINT: Write SET dp_interval = 'table', or leave dp_high out.
----
SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (interval = 'universe') avg(age) FROM people;
-- UnsupportedSqlError at 54: interval is table or population
-- DETAIL: Table: dp_low and dp_high hold for the table, and allow for noise alone. Population: they hold for the population that its units are a sample of. Nothing was charged.
-- HINT: Write interval = 'population'.
----
SET dp_interval = 3;
-- UnsupportedSqlError at 19: dp_interval is table or population
-- DETAIL: Table: dp_low and dp_high hold for the table, and allow for noise alone. Population: they hold for the population that its units are a sample of. Nothing was charged.
-- HINT: Write SET dp_interval = population.
----
SELECT quantile_cont(age, [0.25, 0.75]) AS q, dp_low(q) FROM people;
-- UnsupportedSqlError at 47: dp_low takes one quantile
-- DETAIL: A list has no ends, but each of its quantiles has. Nothing was charged.
-- HINT: Write quantile_cont(x, 0.25) AS q, dp_low(q), dp_high(q).
----
SELECT median(age) AS m, dp_p_value(m) FROM people;
-- UnsupportedSqlError at 26: dp_p_value takes a count, a sum or an average
-- DETAIL: A quantile is selected by its rank, not among groups or values that compete. Nothing was charged.
-- HINT: Write dp_low and dp_high, the ends of its interval.
----
SELECT median(age) - median(age) FILTER (WHERE age < 40) AS d, dp_p_value(d) FROM people;
-- UnsupportedSqlError at 64: the difference of quantiles has no p-value
-- DETAIL: How likely a quantile deviates by an amount depends on values that are not known. Nothing was charged.
-- HINT: Write dp_low and dp_high of the difference: whether 0 is between them says as much.
----
SELECT mode(age) AS m, dp_high(m) FROM people;
-- UnsupportedSqlError at 24: dp_high takes a number
-- DETAIL: The value that comes most often has no interval; dp_gap says how far it is ahead. Nothing was charged.
-- HINT: Leave it out.
