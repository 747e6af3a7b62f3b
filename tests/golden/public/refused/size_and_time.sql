SELECT repeat('x', 1000000000)
-- UnsupportedSqlError at 8: the function repeat is not supported
-- DETAIL: One short call can take all memory. Nothing was charged.
-- HINT: Write the value itself, or use a table that holds the values.
SELECT range(1000000000)
-- UnsupportedSqlError at 8: range and generate_series are not supported
-- DETAIL: One short call can take all memory. Nothing was charged.
-- HINT: Write the value itself, or use a table that holds the values.
SELECT * FROM range(1000000000)
-- UnsupportedSqlError at 15: this series has more than 1,000,000 rows
-- DETAIL: It would have about 1,000,000,000, and is made in memory. Nothing was charged.
-- HINT: Use a larger step, or a shorter range.
SELECT * FROM generate_series(1, 1000000000)
-- UnsupportedSqlError at 15: this series has more than 1,000,000 rows
-- DETAIL: It would have about 1,000,000,000, and is made in memory. Nothing was charged.
-- HINT: Use a larger step, or a shorter range.
SELECT unnest(l) FROM t
-- UnsupportedSqlError at 8: unnest is not supported here
-- DETAIL: Of public SQL it makes rows of constants only, in FROM or in a select list without FROM. Nothing was charged.
-- HINT: Write FROM unnest([1, 2]) AS u(x), or take one element, l[1].
SELECT lpad('x', 1000000000, 'y')
-- UnsupportedSqlError at 8: padding takes a constant width of at most 1000, and a filler
-- DETAIL: A wide one can take all memory. Nothing was charged.
-- HINT: Write lpad(x, 10, ' ').
SELECT rpad('x', i, 'y') FROM t
-- UnsupportedSqlError at 8: padding takes a constant width of at most 1000, and a filler
-- DETAIL: A wide one can take all memory. Nothing was charged.
-- HINT: Write lpad(x, 10, ' ').
SELECT format('{:>100000}', 1)
-- UnsupportedSqlError at 8: format takes a constant text with widths below 1000
-- DETAIL: A wide field can take all memory. Nothing was charged.
-- HINT: Write format('{} %', round(x, 1)).
SELECT format(s, 1) FROM t
-- UnsupportedSqlError at 8: format takes a constant text with widths below 1000
-- DETAIL: A wide field can take all memory. Nothing was charged.
-- HINT: Write format('{} %', round(x, 1)).
SELECT printf('%*d', 1000000, 1)
-- UnsupportedSqlError at 8: printf takes a constant text with widths below 1000
-- DETAIL: A wide field can take all memory. Nothing was charged.
-- HINT: Write format('{} %', round(x, 1)).
SELECT bar(1, 0, 1, 1000000000)
-- UnsupportedSqlError at 8: the function bar is not supported
-- DETAIL: One short call can take all memory. Nothing was charged.
-- HINT: Write the value itself, or use a table that holds the values.
SELECT list_resize([1], 1000000000)
-- UnsupportedSqlError at 8: the function list_resize is not supported
-- DETAIL: One short call can take all memory. Nothing was charged.
-- HINT: Write the value itself, or use a table that holds the values.
SELECT levenshtein(s, s) FROM t
-- UnsupportedSqlError at 8: the function levenshtein is not supported
-- DETAIL: The time that it takes grows with the lengths of both texts, multiplied. Nothing was charged.
-- HINT: Compare the texts with =, starts_with, jaccard or hamming.
SELECT damerau_levenshtein(s, s) FROM t
-- UnsupportedSqlError at 8: the function damerau_levenshtein is not supported
-- DETAIL: The time that it takes grows with the lengths of both texts, multiplied. Nothing was charged.
-- HINT: Compare the texts with =, starts_with, jaccard or hamming.
SELECT s LIKE '%a%b%c_%' FROM t
-- UnsupportedSqlError at 15: this pattern is too costly
-- DETAIL: It may have 1000 characters and 20 wildcards %, or 3 in GLOB, with ESCAPE or beside a wildcard _. Nothing was charged.
-- HINT: Write a simpler pattern, or join several LIKE with AND.
SELECT s ILIKE '_%a%b%c%' FROM t
-- UnsupportedSqlError at 16: this pattern is too costly
-- DETAIL: It may have 1000 characters and 20 wildcards %, or 3 in GLOB, with ESCAPE or beside a wildcard _. Nothing was charged.
-- HINT: Write a simpler pattern, or join several LIKE with AND.
SELECT s GLOB '*a*b*c*' FROM t
-- UnsupportedSqlError at 15: this pattern is too costly
-- DETAIL: It may have 1000 characters and 20 wildcards *, or 3 in GLOB, with ESCAPE or beside a wildcard _. Nothing was charged.
-- HINT: Write a simpler pattern, or join several LIKE with AND.
SELECT s LIKE s FROM t
-- UnsupportedSqlError at 8: LIKE takes a constant pattern
-- DETAIL: A pattern made of columns may take very long. Nothing was charged.
-- HINT: Write x LIKE 'a%', x LIKE 'a%' OR x LIKE 'b%' for LIKE ANY, or starts_with(x, y), contains(x, y) for what is in columns.
SELECT replace(s, 'a', s) FROM t
-- UnsupportedSqlError at 8: the replacement is a constant text
-- DETAIL: One of any length could take all memory. Nothing was charged.
-- HINT: Write replace(x, 'a', 'b').
SELECT replace(replace(replace(s, 'a', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'), 'a', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'), 'a', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa') FROM t
-- UnsupportedSqlError at 8: the replacements make texts too long
-- DETAIL: Together they may make a text 100,000 times as long; more can take all memory. Nothing was charged.
-- HINT: Replace by shorter texts.
SELECT count(*) FROM t GROUP BY CUBE (i, s, d, x, ts, b, n, i + 1, i + 2)
-- UnsupportedSqlError at 39: GROUP BY has too many grouping sets
-- DETAIL: It has 512, and may have 256. Nothing was charged.
-- HINT: Use fewer columns in CUBE and ROLLUP.
SELECT i AS a, a + a AS b, b + b AS c, c + c AS e, e + e AS f, f + f AS g, g + g AS h, h + h AS j, j + j AS k, k + k AS l2, l2 + l2 AS m2, m2 + m2 AS o, o + o AS p, p + p AS q FROM t
-- UnsupportedSqlError at 13: the query is too large with its aliases
-- DETAIL: It may have 20000 parts once each alias is replaced by what it stands for. Nothing was charged.
-- HINT: Compute the inner values in a subquery in FROM, and use its columns.
SELECT (SELECT (SELECT (SELECT (SELECT (SELECT (SELECT (SELECT (SELECT (SELECT 1)))))))))
-- UnsupportedSqlError at 80: too many subqueries within each other
-- DETAIL: Expressions may hold subqueries 8 deep. Nothing was charged.
-- HINT: Join the inner ones in FROM.
