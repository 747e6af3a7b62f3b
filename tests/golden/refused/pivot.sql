PIVOT visits ON disease USING count(*) GROUP BY page;
-- UnsupportedSqlError at 17: the columns of PIVOT are not known
-- DETAIL: They are the values of disease, which has no public domain. Nothing was charged.
-- HINT: List them: ON disease IN ('a', 'b').
----
PIVOT visits ON page USING count(*);
-- UnsupportedSqlError at 7: PIVOT needs GROUP BY here
-- DETAIL: Without, all other columns are meant, and so is whose row it is. Nothing was charged.
-- HINT: Write PIVOT t ON page USING count(*) GROUP BY region.
----
PIVOT (SELECT * FROM visits) ON page USING count(*);
-- UnsupportedSqlError at 15: PIVOT needs GROUP BY here
-- DETAIL: Without, all other columns are meant, and so is whose row it is. Nothing was charged.
-- HINT: Write PIVOT t ON page USING count(*) GROUP BY region.
----
PIVOT visits ON page IN ('a', 'a') USING count(*) GROUP BY grade;
-- UnsupportedSqlError at 17: the columns of PIVOT are not known
-- DETAIL: IN takes each constant once. Nothing was charged.
-- HINT: List them: ON page IN ('a', 'b').
----
PIVOT visits ON page IN ('a', NULL) USING count(*) GROUP BY grade;
-- UnsupportedSqlError at 17: the columns of PIVOT are not known
-- DETAIL: IN takes constants, and no NULL. Nothing was charged.
-- HINT: List them: ON page IN ('a', 'b').
----
PIVOT visits ON page IN (SELECT name FROM shops) USING count(*) GROUP BY grade;
-- UnsupportedSqlError at 17: the columns of PIVOT are not known
-- DETAIL: IN takes constants, not a query. Nothing was charged.
-- HINT: List them: ON page IN ('a', 'b').
----
PIVOT visits ON zone USING count(*) GROUP BY grade;
-- UnsupportedSqlError at 17: the columns of PIVOT are not known
-- DETAIL: A time with a zone has many names. Nothing was charged.
-- HINT: List them: ON zone IN ('a', 'b').
----
PIVOT visits ON uid IN (1, 2) USING count(*) GROUP BY page;
-- UnsupportedSqlError at 25: PIVOT of each person's own rows is not supported
-- DETAIL: One of its columns is the privacy unit. Nothing was charged.
-- HINT: Write GROUP BY with other columns, or count(*) FILTER (WHERE page = 'a') for each column.
----
PIVOT visits ON page IN ('a') USING count(*) GROUP BY uid;
-- UnsupportedSqlError at 26: PIVOT of each person's own rows is not supported
-- DETAIL: One of its columns is the privacy unit. Nothing was charged.
-- HINT: Write GROUP BY with other columns, or count(*) FILTER (WHERE page = 'a') for each column.
----
PIVOT visits ON page IN ('a') USING uid GROUP BY grade;
-- UnsupportedSqlError at 37: column uid is neither grouped nor aggregated
-- DETAIL: Each column of the answer is made of keys and aggregates. Nothing was charged.
-- HINT: Add it to GROUP BY, or leave it out.
----
PIVOT visits ON moment USING count(*), count(age), avg(age), sum(age), median(age), min(age), max(age), count(DISTINCT page), count(day), count(ok), avg(score), sum(score), sum("order"), avg("order"), sum(tiny), avg(tiny), median(tiny), count(grade), count(big), count(huge), count(disease) GROUP BY page;
-- UnsupportedSqlError at 17: PIVOT would have 1029 columns
-- DETAIL: It may have 400. Nothing was charged.
-- HINT: List fewer values, as in ON page IN ('a', 'b'), or write GROUP BY.
----
PIVOT shops ON name USING count(*) GROUP BY name;
-- UnsupportedSqlError at 16: the columns of PIVOT are not known
-- DETAIL: They are known beforehand of the domains of private rows only. Nothing was charged.
-- HINT: List them: ON name IN ('a', 'b').
----
PIVOT visits ON page IN ('a', '') USING count(*) GROUP BY grade;
-- UnsupportedSqlError at 26: a column of PIVOT would have no name
-- DETAIL: It is named after the value, which is an empty string. Nothing was charged.
-- HINT: Name the aggregate, which then ends the names of all columns: USING count(*) AS n.
----
SELECT * FROM visits PIVOT (count(*) FOR page IN ('a') GROUP BY grade);
-- UnsupportedSqlError at 29: PIVOT and UNPIVOT are not supported
-- DETAIL: Of them only the statement PIVOT is. Nothing was charged.
-- HINT: Write PIVOT t ON page IN ('a', 'b') USING count(*) GROUP BY region.
----
UNPIVOT visits ON age, score INTO NAME n VALUE v;
-- UnsupportedSqlError: UNPIVOT is not supported
-- DETAIL: Only statements whose effect dpduck fully understands are run. Nothing was charged.
-- HINT: Write one of: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
PIVOT visits ON "order" IN (1, 1.0) USING count(*) GROUP BY grade;
-- UnsupportedSqlError at 17: the columns of PIVOT are not known
-- DETAIL: IN takes each constant once. Nothing was charged.
-- HINT: List them: ON "order" IN ('a', 'b').
----
PIVOT visits ON page IN ('a') USING count(*) GROUP BY grade WHERE grade = 'low';
-- SqlSyntaxError at 75: syntax error at "'low'": after PIVOT only ORDER BY and LIMIT are read
-- DETAIL: Nothing was charged.
-- HINT: Look near that place. What can be written: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
