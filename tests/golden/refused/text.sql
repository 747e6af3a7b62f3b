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
----
SELECT count(* FROM visits;
-- SqlSyntaxError at 16: syntax error at 'FROM': expecting )
-- DETAIL: Nothing was charged.
----
SELEC count(*) FROM visits;
-- SqlSyntaxError at 12: syntax error at '(': invalid expression / Unexpected token
-- DETAIL: Nothing was charged.
----
SELECT;
-- UnsupportedSqlError: a query needs FROM
-- DETAIL: There is nothing to protect without a table. Nothing was charged.
-- HINT: Write SELECT ... FROM t.
----
SELECT count(*);
-- UnsupportedSqlError: a query needs FROM
-- DETAIL: There is nothing to protect without a table. Nothing was charged.
-- HINT: Write SELECT ... FROM t.
----
-- nothing;
-- SqlSyntaxError: there is no statement
-- DETAIL: Nothing was charged.
-- HINT: Write one of: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
SELECT count(*) FROM visits WHERE age > 1_0;
-- SqlSyntaxError at 42: syntax error at '_0': invalid expression / Unexpected token
-- DETAIL: Nothing was charged.
----
SELECT count(*) FROM visits WHERE age > 0x1F;
-- SqlSyntaxError at 42: syntax error at 'x1F': invalid expression / Unexpected token
-- DETAIL: Nothing was charged.
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
