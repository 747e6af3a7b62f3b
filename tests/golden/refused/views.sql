SELECT count(*) FROM first_visits;
-- UnsupportedSqlError at 36: LIMIT inside FROM is not supported here
-- DETAIL: One person's rows could then decide which rows of others are kept. Nothing was charged.
-- HINT: Filter with WHERE inside, and sort, limit or group outside. The first rows of each person: QUALIFY row_number() OVER (PARTITION BY person ORDER BY ts) <= 3.
----
SELECT count(*) FROM everyone;
-- UnsupportedSqlError at 33: private rows cannot be listed
-- DETAIL: Columns of the answer are aggregates, and the keys of GROUP BY. Nothing was charged.
-- HINT: Write SELECT key, count(*) FROM t WHERE ... GROUP BY key ORDER BY count(*) DESC LIMIT 10, or SELECT count(*), avg(x), median(x) FROM t.
----
SELECT count(*) FROM heavy_users;
-- UnsupportedSqlError at 73: this use of ANY over private rows is not supported
-- DETAIL: ANY and ALL compare with the elements of a list that is written as ARRAY[...]. Nothing was charged.
-- HINT: Write x IN ('a', 'b') for x = ANY (...), x NOT IN ('a', 'b') for x <> ALL (...), x IN (SELECT ...) for x = ANY (SELECT ...), and x > 1 OR x > 2 for x > ANY (ARRAY[1, 2]).
----
SELECT * FROM plain;
-- UnsupportedSqlError at 8: private rows cannot be listed
-- DETAIL: Columns of the answer are aggregates, and the keys of GROUP BY. Nothing was charged.
-- HINT: Write SELECT key, count(*) FROM t WHERE ... GROUP BY key ORDER BY count(*) DESC LIMIT 10, or SELECT count(*), avg(x), median(x) FROM t.
----
SELECT uid, count(*) FROM plain GROUP BY uid;
-- UnsupportedSqlError at 42: column uid is the privacy unit
-- DETAIL: Each of its values stands for one person, who would be revealed by it. Nothing was charged.
-- HINT: Use another column, or count(*) to count units.
----
SELECT person, count(*) FROM renamed GROUP BY person;
-- UnsupportedSqlError at 47: column person is the privacy unit
-- DETAIL: Each of its values stands for one person, who would be revealed by it. Nothing was charged.
-- HINT: Use another column, or count(*) to count units.
----
SELECT uid, count(*) FROM renamed GROUP BY uid;
-- UnknownNameError at 44: table renamed has no column uid
-- DETAIL: Nothing was charged.
-- HINT: Its columns are: person, what.
----
SELECT count(*) FROM of_closed;
-- PolicyError at 40: table closed has no privacy policy
-- DETAIL: A table is closed until its owner says whose rows it holds, or that it is public. Nothing was charged.
-- HINT: The owner can run ALTER TABLE closed ADD PRIVACY_KEY (column), or ALTER TABLE closed SET PUBLIC.
----
SELECT count(*) FROM of_file;
-- UnknownNameError at 22: table of_file does not exist
-- DETAIL: Nothing was charged.
-- HINT: The tables are: closed, people, shops, visits.
----
SELECT count(*) FROM by_chance;
-- UnsupportedSqlError at 54: the function random is not supported
-- DETAIL: Its result is drawn anew each time, so that one question would have two answers. Nothing was charged.
-- HINT: Leave it out, or order by a column.
----
SELECT count(*) FROM plain AS a JOIN plain AS b ON a.page = b.page;
-- UnsupportedSqlError at 8: tables visits and visits are not joined by their people
-- DETAIL: Rows of one person would meet rows of others, so removing one could change many groups by many. Nothing was charged.
-- HINT: Add AND a.uid = b.uid to their join.
----
WITH plain AS (SELECT age FROM visits) SELECT page, count(*) FROM plain GROUP BY page;
-- UnknownNameError at 82: table plain has no column page
-- DETAIL: Nothing was charged.
-- HINT: Did you mean age? Its columns are: age.
