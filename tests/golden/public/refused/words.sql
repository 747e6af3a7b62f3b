SELECT COLUMNS('i|s') FROM t
-- UnsupportedSqlError at 8: COLUMNS is not supported
-- DETAIL: It stands for many expressions at once. Nothing was charged.
-- HINT: Write *, * EXCLUDE (column), or each column.
SELECT * LIKE 'i%' FROM t
-- UnsupportedSqlError at 8: * is not supported here
-- DETAIL: It stands for all columns of a select list. Nothing was charged.
-- HINT: Write count(*), or name one column.
SELECT i FROM t LIMIT 10%
-- UnsupportedSqlError: LIMIT with a percentage or ties is not supported
-- DETAIL: LIMIT takes a number of rows. Nothing was charged.
-- HINT: Write LIMIT 10.
SELECT i FROM t LIMIT -1
-- UnsupportedSqlError at 24: LIMIT takes a whole number
-- DETAIL: It must be a constant, and not negative. Nothing was charged.
-- HINT: Write LIMIT 10.
SELECT i FROM t LIMIT 1.5
-- UnsupportedSqlError at 23: LIMIT takes a whole number
-- DETAIL: It must be a constant, and not negative. Nothing was charged.
-- HINT: Write LIMIT 10.
SELECT i FROM t LIMIT NULL
-- UnsupportedSqlError: LIMIT takes a whole number
-- DETAIL: It must be a constant, and not negative. Nothing was charged.
-- HINT: Write LIMIT 10.
SELECT i FROM t LIMIT (SELECT 1)
-- UnsupportedSqlError at 31: LIMIT takes a whole number
-- DETAIL: It must be a constant, and not negative. Nothing was charged.
-- HINT: Write LIMIT 10.
SELECT i FROM t OFFSET -1
-- UnsupportedSqlError at 25: OFFSET takes a whole number
-- DETAIL: It must be a constant, and not negative. Nothing was charged.
-- HINT: Write OFFSET 10.
SELECT i FROM t LIMIT 99999999999999999999
-- UnsupportedSqlError at 23: LIMIT takes a whole number
-- DETAIL: It must be a constant, and not negative. Nothing was charged.
-- HINT: Write LIMIT 10.
SELECT quantile_cont(0.5) WITHIN GROUP (ORDER BY i) FROM t
-- UnsupportedSqlError at 8: WITHIN GROUP is not supported
-- DETAIL: DuckDB's own spelling is shorter. Nothing was charged.
-- HINT: Write quantile_cont(x, 0.5), median(x) or mode(x).
SELECT i FROM t WHERE s ~ 'a'
-- UnsupportedSqlError at 27: the operator ~ is not supported
-- DETAIL: DuckDB 2.0 looks for the pattern anywhere, versions before it match the whole text. Nothing was charged.
-- HINT: Write regexp_matches(text, 'pattern') or regexp_full_match(text, 'pattern').
SELECT i FROM t FOR UPDATE
-- UnsupportedSqlError: FOR UPDATE is not supported
-- DETAIL: Queries change nothing. Nothing was charged.
-- HINT: Leave it out.
SELECT #1 FROM t
-- UnsupportedSqlError: a column by its number is not supported
-- DETAIL: Names say which column is meant. Nothing was charged.
-- HINT: Write the name of the column.
SELECT i = s = x FROM t
-- UnsupportedSqlError at 16: a comparison of comparisons needs parentheses
-- DETAIL: Without them = and == are grouped in different ways. Nothing was charged.
-- HINT: Write (a = b) = (c = d).
SELECT i FROM t POSITIONAL JOIN u
-- UnsupportedSqlError at 33: POSITIONAL JOIN is not supported
-- DETAIL: Joins are inner, LEFT, RIGHT, FULL, CROSS, SEMI, ANTI, NATURAL and ASOF. Nothing was charged.
-- HINT: Write FROM a JOIN b ON a.x = b.x.
SELECT t FROM t, u
-- UnsupportedSqlError at 8: the name t is ambiguous
-- DETAIL: It could be a column, the rows of a table, or a function of the server. Nothing was charged.
-- HINT: Say which column is meant: t.t, with the table's name or alias before it.
SELECT 1_000
-- UnsupportedSqlError at 9: underscores in numbers are not supported
-- DETAIL: They are read in different ways. Nothing was charged.
-- HINT: Write 1000, or AS before a name.
SELECT m->'a' FROM t
-- UnsupportedSqlError at 11: JSON is not supported
-- DETAIL: Its paths are a language of their own. Over private rows they are keys, and parts of keys, conditions and aggregates; two are the same if they are written with the same letters. Nothing was charged.
-- HINT: Group by the path that you select, or use a table with a column for each field.
SELECT INTERVAL 1.5 DAY
-- UnsupportedSqlError: this interval is not supported
-- DETAIL: Versions of DuckDB read fractions of a unit in different ways. Nothing was charged.
-- HINT: Write INTERVAL 3 DAY, INTERVAL (n) MONTH or INTERVAL '1 month 2 days'.
SELECT EXISTS (FROM t LIMIT 1) FROM t WINDOW w AS (ORDER BY random())
-- UnsupportedSqlError at 61: the function random is not supported
-- DETAIL: Its result is drawn anew each time, so that one question would have two answers. Nothing was charged.
-- HINT: Leave it out, or order by a column.
