SELECT count(*) FROM visits WHERE sleep_ms(1000);
-- UnsupportedSqlError at 35: this function is not supported
-- DETAIL: It is not on the list of functions known to be safe on private rows. Nothing was charged.
-- HINT: Use count(*), mode(x), median(x) or quantile_cont(x, 0.5).
----
SELECT count(*) FROM visits WHERE repeat(disease, 20000000) = 'x';
-- UnsupportedSqlError at 35: the function repeat is not supported
-- DETAIL: An expression over a private row may fail, or take long, on that row alone, and so reveal it. Nothing was charged.
-- HINT: Compare the column itself with a constant, for example WHERE amount > 10.
----
SELECT count(*) FROM visits WHERE disease ~ '(a+)+$';
-- UnsupportedSqlError at 45: a regular expression is not supported
-- DETAIL: Its cost depends on the private text. Nothing was charged.
-- HINT: Write LIKE 'prefix%'.
----
SELECT count(*) FROM visits WHERE regexp_matches(disease, 'a');
-- UnsupportedSqlError at 35: a regular expression is not supported
-- DETAIL: Its cost depends on the private text. Nothing was charged.
-- HINT: Write LIKE 'prefix%'.
----
SELECT count(*) FROM visits WHERE disease SIMILAR TO 'a';
-- UnsupportedSqlError at 54: SIMILAR TO is not supported
-- DETAIL: Its cost depends on the private text. Nothing was charged.
-- HINT: Write LIKE 'prefix%'.
----
SELECT count(*) FROM visits WHERE disease LIKE '%a_%a_%a_%b';
-- UnsupportedSqlError at 48: this LIKE pattern is too costly
-- DETAIL: It may have 1000 characters and 20 wildcards %, or 2 beside a wildcard _; more may take long on a private row. Nothing was charged.
-- HINT: Write a simpler pattern, or join several LIKE with AND.
----
SELECT count(*) FROM visits WHERE disease LIKE page;
-- UnsupportedSqlError at 35: LIKE takes a text column and a constant pattern
-- DETAIL: A pattern made from private rows, or an expression, may fail or take long on a row. Nothing was charged.
-- HINT: Write WHERE name LIKE 'A%'.
----
SELECT count(*) FROM visits WHERE page LIKE 'a!%' ESCAPE '!';
-- UnsupportedSqlError at 58: ESCAPE is not supported
-- DETAIL: Patterns have no escape. Nothing was charged.
-- HINT: Write LIKE without ESCAPE.
----
SELECT count(*) FROM visits WHERE age LIKE '1%';
-- UnsupportedSqlError at 44: LIKE takes a text column and a constant pattern
-- DETAIL: A pattern made from private rows, or an expression, may fail or take long on a row. Nothing was charged.
-- HINT: Write WHERE name LIKE 'A%'.
----
SELECT count(*) FROM visits WHERE lower(page) = 'a';
-- UnsupportedSqlError at 35: the function lower is not supported
-- DETAIL: An expression over a private row may fail, or take long, on that row alone, and so reveal it. Nothing was charged.
-- HINT: Compare the column itself with a constant, for example WHERE amount > 10.
----
SELECT count(*) FROM visits WHERE page GLOB 'a*';
-- UnsupportedSqlError at 45: GLOB is not supported
-- DETAIL: LIKE says the same. Nothing was charged.
-- HINT: Write LIKE 'prefix%'.
