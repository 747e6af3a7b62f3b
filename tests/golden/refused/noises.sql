SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (noise = 'uniform') count(*) FROM people;
-- UnsupportedSqlError at 51: noise is best, laplace or gaussian
-- DETAIL: Best: counts and sums get the noise that makes their errors least, if delta allows it. Nothing was charged.
-- HINT: Write noise = 'gaussian'.
----
SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (noise = 3) count(*) FROM people;
-- UnsupportedSqlError at 51: noise is best, laplace or gaussian
-- DETAIL: Best: counts and sums get the noise that makes their errors least, if delta allows it. Nothing was charged.
-- HINT: Write noise = 'gaussian'.
