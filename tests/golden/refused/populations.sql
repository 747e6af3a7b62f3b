SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (interval = 'population') count(*) AS n, dp_low(n) FROM people;
-- UnsupportedSqlError at 83: dp_low of this number is not known for a population
-- DETAIL: Averages, proportions, variances, covariances and regression lines have such an interval; counts, sums and correlations have one for the table. Nothing was charged.
-- HINT: Write SET dp_interval = 'table', or leave dp_low out.
----
SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (interval = 'population') dp_high(corr(age, age)) FROM people;
-- UnsupportedSqlError at 68: dp_high of this number is not known for a population
-- DETAIL: Averages, proportions, variances, covariances and regression lines have such an interval; counts, sums and correlations have one for the table. Nothing was charged.
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
