SELECT count(*) FROM visits;
-- SqlSyntaxError at 7: the character U+00A0 is not allowed outside quotes
-- DETAIL: It is invisible or looks like a plain space, so the text may not mean what it seems to. Nothing was charged.
-- HINT: Replace it with a plain space, or put it in quotes.
----
SELECT count(*) FROM visits​;
-- SqlSyntaxError at 28: the character U+200B is not allowed outside quotes
-- DETAIL: It is invisible or looks like a plain space, so the text may not mean what it seems to. Nothing was charged.
-- HINT: Replace it with a plain space, or put it in quotes.
----
SELECT count(*) FROM visits -- ‮;
-- SqlSyntaxError at 32: the character U+202E is not allowed outside quotes
-- DETAIL: It is invisible or looks like a plain space, so the text may not mean what it seems to. Nothing was charged.
-- HINT: Replace it with a plain space, or put it in quotes.
----
SELECT count(*) FROM visits WHERE page = 'a;
-- SqlSyntaxError: syntax error: the text is not complete
-- DETAIL: Nothing was charged.
-- HINT: Look near that place. What can be written: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
SELECT count(* FROM visits;
-- SqlSyntaxError at 16: syntax error at 'FROM': expecting )
-- DETAIL: Nothing was charged.
-- HINT: Look near that place. What can be written: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
SELEC count(*) FROM visits;
-- SqlSyntaxError at 12: syntax error at '(': invalid expression / Unexpected token
-- DETAIL: Nothing was charged.
-- HINT: Did you mean SELECT? What can be written: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
SELECT;
-- UnsupportedSqlError: the select list is empty
-- DETAIL: There is nothing to answer. Nothing was charged.
-- HINT: Write SELECT *.
----
-- nothing;
-- SqlSyntaxError: there is no statement
-- DETAIL: Nothing was charged.
-- HINT: Write one of: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
SELECT count(*) FROM visits WHERE age > 1_0;
-- SqlSyntaxError at 42: syntax error at '_0': invalid expression / Unexpected token
-- DETAIL: Nothing was charged.
-- HINT: Write numbers without _, such as 1000.
----
SELECT count(*) FROM visits WHERE age > 0x1F;
-- SqlSyntaxError at 42: syntax error at 'x1F': invalid expression / Unexpected token
-- DETAIL: Nothing was charged.
-- HINT: Look near that place. What can be written: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
SELECT count(*) FROM visits WHERE page = $$a$$;
-- UnsupportedSqlError at 42: $$ strings are not supported
-- DETAIL: One spelling is enough. Nothing was charged.
-- HINT: Write 'text'.
----
SELECT count(*) FROM visits WHERE page = E'a\n';
-- UnsupportedSqlError at 42: E'' strings are not supported
-- DETAIL: One spelling is enough. Nothing was charged.
-- HINT: Write 'text'.
----
SELECT count(*) FROM vis­its;
-- SqlSyntaxError at 25: the character U+00AD is not allowed outside quotes
-- DETAIL: It is invisible or looks like a plain space, so the text may not mean what it seems to. Nothing was charged.
-- HINT: Replace it with a plain space, or put it in quotes.
----
SELECT count(*)﻿ FROM visits;
-- SqlSyntaxError at 16: the character U+FEFF is not allowed outside quotes
-- DETAIL: It is invisible or looks like a plain space, so the text may not mean what it seems to. Nothing was charged.
-- HINT: Replace it with a plain space, or put it in quotes.
----
SELECT　count(*) FROM visits;
-- SqlSyntaxError at 7: the character U+3000 is not allowed outside quotes
-- DETAIL: It is invisible or looks like a plain space, so the text may not mean what it seems to. Nothing was charged.
-- HINT: Replace it with a plain space, or put it in quotes.
----
SELECT count(*) FROM visits ;
-- SqlSyntaxError at 28: the character U+2028 is not allowed outside quotes
-- DETAIL: It is invisible or looks like a plain space, so the text may not mean what it seems to. Nothing was charged.
-- HINT: Replace it with a plain space, or put it in quotes.
----
SELECT count(*) /* ‍ */ FROM visits;
-- SqlSyntaxError at 20: the character U+200D is not allowed outside quotes
-- DETAIL: It is invisible or looks like a plain space, so the text may not mean what it seems to. Nothing was charged.
-- HINT: Replace it with a plain space, or put it in quotes.
----
SELECT count(*) FROM;
-- SqlSyntaxError at 17: syntax error at 'FROM': expected table name
-- DETAIL: Nothing was charged.
-- HINT: Look near that place. What can be written: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
/* nothing */;
-- SqlSyntaxError: there is no statement
-- DETAIL: Nothing was charged.
-- HINT: Write one of: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
SELECT count(*) FROM visits WHERE age > 0b101;
-- SqlSyntaxError at 42: syntax error at 'b101': invalid expression / Unexpected token
-- DETAIL: Nothing was charged.
-- HINT: Look near that place. What can be written: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
SELECT count(*) FROM visits WHERE page = $x$a$x$;
-- UnsupportedSqlError at 42: $$ strings are not supported
-- DETAIL: One spelling is enough. Nothing was charged.
-- HINT: Write 'text'.
----
SELECT count(*) FROM visits WHERE page = x'61';
-- SqlSyntaxError at 43: syntax error at "'61'": invalid expression / Unexpected token
-- DETAIL: Nothing was charged.
-- HINT: Look near that place. What can be written: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
SELECT count(*) FROM visits WHERE page = N'a';
-- UnsupportedSqlError at 42: N'' strings are not supported
-- DETAIL: One spelling is enough. Nothing was charged.
-- HINT: Write 'text'.
----
SELECT count(*) FROM visits WHERE page = ‘a’;
-- UnknownNameError at 42: table visits has no column ‘a’
-- DETAIL: Nothing was charged.
-- HINT: Its columns are: uid, page, age, tiny, big, huge, amount, x, f, day, moment, ok, grade, disease, order, A b, score, zone.
----
SELECT count(*) FROM visits WHERE age > ٣;
-- UnknownNameError at 41: table visits has no column ٣
-- DETAIL: Nothing was charged.
-- HINT: Its columns are: uid, page, age, tiny, big, huge, amount, x, f, day, moment, ok, grade, disease, order, A b, score, zone.
----
SELECT 1; SELECT 2;
-- UnsupportedSqlError: only one statement at a time is supported
-- DETAIL: The text holds 2 statements. Those that set policies may be sent together, also between BEGIN and COMMIT. Nothing was charged.
-- HINT: Send each statement by itself.
----
SELECT count(*) FROM visits; DROP TABLE visits;
-- UnsupportedSqlError: only one statement at a time is supported
-- DETAIL: The text holds 2 statements. Those that set policies may be sent together, also between BEGIN and COMMIT. Nothing was charged.
-- HINT: Send each statement by itself.
----
SELECT count(*) FROM visits;; DELETE FROM visits;
-- UnsupportedSqlError: only one statement at a time is supported
-- DETAIL: The text holds 2 statements. Those that set policies may be sent together, also between BEGIN and COMMIT. Nothing was charged.
-- HINT: Send each statement by itself.
----
PREPARE p AS SELECT 1;
-- UnsupportedSqlError at 1: this statement is not supported
-- DETAIL: Only statements whose effect dpduck fully understands are run. Nothing was charged.
-- HINT: Write one of: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
EXECUTE p;
-- UnsupportedSqlError at 1: this statement is not supported
-- DETAIL: Only statements whose effect dpduck fully understands are run. Nothing was charged.
-- HINT: Write one of: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
DEALLOCATE p;
-- UnsupportedSqlError: DEALLOCATE is not supported
-- DETAIL: Only statements whose effect dpduck fully understands are run. Nothing was charged.
-- HINT: Write one of: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
SELECT count(*) FROM visits /* ; */ ; SELECT 1;
-- UnsupportedSqlError: only one statement at a time is supported
-- DETAIL: The text holds 2 statements. Those that set policies may be sent together, also between BEGIN and COMMIT. Nothing was charged.
-- HINT: Send each statement by itself.
----
SELECT count(*) FROM `visits`;
-- SqlSyntaxError at 29: syntax error at '`': invalid expression / Unexpected token
-- DETAIL: Nothing was charged.
-- HINT: Look near that place. What can be written: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
SELECT count(*) FROM [visits];
-- SqlSyntaxError at 22: syntax error at '[': expected table name
-- DETAIL: Nothing was charged.
-- HINT: Look near that place. What can be written: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
SELECT TOP 5 page FROM visits;
-- SqlSyntaxError at 12: syntax error at '5': invalid expression / Unexpected token
-- DETAIL: Nothing was charged.
-- HINT: Write LIMIT 5 at the end of the query for TOP 5.
----
SELECT count(*) FROM visits WHERE age => 5;
-- SqlSyntaxError at 39: syntax error at '=>': invalid expression / Unexpected token
-- DETAIL: Nothing was charged.
-- HINT: Look near that place. What can be written: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
SELECT count(*) FROM visits WHERE page == 'a' AND;
-- SqlSyntaxError at 47: syntax error at 'AND': a part of AND is missing
-- DETAIL: Nothing was charged.
-- HINT: Look near that place. What can be written: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
SELECT count(*) FROM visits WHERE (age > 5;
-- SqlSyntaxError at 42: syntax error at '5': expecting )
-- DETAIL: Nothing was charged.
-- HINT: Look near that place. What can be written: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
SELECT count(*) FROM visits);
-- SqlSyntaxError at 28: syntax error at ')': invalid expression / Unexpected token
-- DETAIL: Nothing was charged.
-- HINT: Look near that place. What can be written: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
\d visits;
-- SqlSyntaxError at 1: syntax error at '\\': invalid expression / Unexpected token
-- DETAIL: Nothing was charged.
-- HINT: Look near that place. What can be written: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
.tables;
-- SqlSyntaxError at 1: syntax error at '.': invalid expression / Unexpected token
-- DETAIL: Nothing was charged.
-- HINT: Look near that place. What can be written: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
SELECT TOP 3 page, count(*) FROM visits GROUP BY page;
-- SqlSyntaxError at 12: syntax error at '3': invalid expression / Unexpected token
-- DETAIL: Nothing was charged.
-- HINT: Write LIMIT 3 at the end of the query for TOP 3.
----
SELECT TOP (4) page, count(*) FROM visits GROUP BY page;
-- UnsupportedSqlError at 8: the function top is not supported
-- DETAIL: DuckDB has no function of this name. Nothing was charged.
-- HINT: Write LIMIT with its number at the end of the query.
----
SELECT DISTINCT TOP 5 PERCENT page FROM visits;
-- SqlSyntaxError at 21: syntax error at '5': invalid expression / Unexpected token
-- DETAIL: Nothing was charged.
-- HINT: Write LIMIT 10, or another number of rows, at the end of the query for TOP 5 PERCENT.
----
CREATE OR REPLACE PRIVACY BUDGET;
-- SqlSyntaxError at 27: syntax error at 'BUDGET': expecting a name
-- DETAIL: Nothing was charged.
-- HINT: Write a name and a LIMIT in epsilon: CREATE OR REPLACE PRIVACY BUDGET everyone LIMIT 10.
----
CREATE PRIVACY BUDGET LIMIT 10;
-- ParameterError: a privacy budget has a name first
-- DETAIL: A budget is a cap in epsilon. Nothing was charged.
-- HINT: Write CREATE PRIVACY BUDGET everyone LIMIT 10; the whole form is CREATE PRIVACY BUDGET name LIMIT 10 [DELTA 1e-5] [PER QUERY 0.5] [WINDOW 'month'] [ACCOUNTING zcdp|gdp [KEYS DELTA 1e-6]] [FOR analyst, ...].
----
CREATE PRIVACY BUDGET team LIMIT;
-- SqlSyntaxError at 28: syntax error at 'LIMIT': expecting a value
-- DETAIL: Nothing was charged.
-- HINT: Write a LIMIT in epsilon: CREATE PRIVACY BUDGET team LIMIT 10.
----
ALTER PRIVACY BUDGET team;
-- ParameterError: nothing is said of privacy budget team
-- DETAIL: Nothing was charged.
-- HINT: Write ALTER PRIVACY BUDGET team LIMIT 10; the whole form is CREATE PRIVACY BUDGET name LIMIT 10 [DELTA 1e-5] [PER QUERY 0.5] [WINDOW 'month'] [ACCOUNTING zcdp|gdp [KEYS DELTA 1e-6]] [FOR analyst, ...].
