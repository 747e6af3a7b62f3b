SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (noise = 'uniform') count(*) FROM people;
-- UnsupportedSqlError at 51: noise is best, laplace or gaussian
-- DETAIL: Best: counts and sums get the noise that makes their errors least, if delta allows it. Nothing was charged.
-- HINT: Write noise = 'gaussian'.
----
SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (noise = 3) count(*) FROM people;
-- UnsupportedSqlError at 51: noise is best, laplace or gaussian
-- DETAIL: Best: counts and sums get the noise that makes their errors least, if delta allows it. Nothing was charged.
-- HINT: Write noise = 'gaussian'.
----
SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (noise = 'gaussian', delta = 0) page, count(*) FROM visits GROUP BY page ORDER BY count(*) DESC LIMIT 3;
-- UnsupportedSqlError at 110: Gaussian noise needs a delta
-- DETAIL: No epsilon bounds it without one: far out, its probabilities differ by any factor. Nothing was charged.
-- HINT: SET dp_delta = 1e-6, or SET dp_noise = best.
