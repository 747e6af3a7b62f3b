SELECT system.main.count(*) FROM visits;
-- UnsupportedSqlError at 20: a qualified function is not supported
-- DETAIL: Functions that may be called need no schema, and take the value in parentheses. Nothing was charged.
-- HINT: Write lower(name) instead of name.lower().
----
SELECT count(*) FROM visits AS v WHERE visits.age > 5;
-- UnknownNameError at 47: there is no table visits in this query
-- DETAIL: Nothing was charged.
-- HINT: Its columns are qualified by v.
----
SELECT count(*) FROM visits WHERE people.age > 5;
-- UnknownNameError at 42: there is no table people in this query
-- DETAIL: Nothing was charged.
-- HINT: Its columns are qualified by visits.
----
SELECT count(*) FROM visits WHERE nothing > 5;
-- UnknownNameError at 35: table visits has no column nothing
-- DETAIL: Nothing was charged.
-- HINT: Its columns are: uid, page, age, tiny, big, huge, amount, x, f, day, moment, ok, grade, disease, order, A b, score, zone.
----
SELECT count(*) FROM nothing;
-- UnknownNameError at 22: table nothing does not exist
-- DETAIL: Nothing was charged.
-- HINT: The tables are: closed, people, shops, visits.
----
SELECT count(*) FROM other.visits;
-- UnknownNameError at 28: table visits does not exist
-- DETAIL: Nothing was charged.
-- HINT: Did you mean visits?
----
SELECT count(*) FROM db.main.visits;
-- UnsupportedSqlError at 30: a table of another database is not supported
-- DETAIL: Policies belong to one database. Nothing was charged.
-- HINT: Write the table's name, or schema.table.
----
SELECT count(*) FROM dpduck.policies;
-- UnknownNameError at 29: table policies does not exist
-- DETAIL: Nothing was charged.
-- HINT: The tables are: closed, people, shops, visits.
----
SELECT count(*) FROM closed;
-- PolicyError at 22: table closed has no privacy policy
-- DETAIL: A table is closed until its owner says whose rows it holds, or that it is public. Nothing was charged.
-- HINT: The owner can run ALTER TABLE closed ADD PRIVACY_KEY (column), or ALTER TABLE closed SET PUBLIC.
----
SELECT age AS page, count(*) FROM visits GROUP BY page;
-- UnsupportedSqlError at 8: column age is neither grouped nor aggregated
-- DETAIL: Each column of the answer is made of keys and aggregates. Nothing was charged.
-- HINT: Add it to GROUP BY, or leave it out.
----
SELECT page, count(*) FROM visits GROUP BY 2;
-- UnsupportedSqlError at 14: GROUP BY takes a column or an expression of the rows
-- DETAIL: Aggregates are computed after grouping. Nothing was charged.
-- HINT: Write GROUP BY region, or GROUP BY 1 for the first column of the answer.
----
SELECT page, count(*) FROM visits GROUP BY 3;
-- UnsupportedSqlError at 44: there is no column 3 in the answer
-- DETAIL: It has 2. Nothing was charged.
-- HINT: Use a number from 1 on.
----
SELECT count(*), age FROM visits GROUP BY page;
-- UnsupportedSqlError at 18: column age is neither grouped nor aggregated
-- DETAIL: Each column of the answer is made of keys and aggregates. Nothing was charged.
-- HINT: Add it to GROUP BY, or leave it out.
----
SELECT ok.page FROM visits;
-- UnknownNameError at 11: there is no table ok in this query
-- DETAIL: Nothing was charged.
-- HINT: Its columns are qualified by visits.
----
SELECT main.count(*) FROM visits;
-- UnsupportedSqlError at 8: a qualified function is not supported
-- DETAIL: Functions that may be called need no schema, and take the value in parentheses. Nothing was charged.
-- HINT: Write lower(name) instead of name.lower().
----
SELECT count(*) FROM temp.visits;
-- UnknownNameError at 27: table visits does not exist
-- DETAIL: Nothing was charged.
-- HINT: Did you mean visits?
----
SELECT count(*) FROM visits AT (VERSION => 1);
-- UnsupportedSqlError at 22: a past version of a table is not supported
-- DETAIL: Tables are read as they are now. Nothing was charged.
-- HINT: Leave AT (...) out.
----
SELECT count(visits) FROM visits;
-- UnknownNameError at 14: table visits has no column visits
-- DETAIL: Nothing was charged.
-- HINT: Its columns are: uid, page, age, tiny, big, huge, amount, x, f, day, moment, ok, grade, disease, order, A b, score, zone.
----
SELECT visits FROM visits;
-- UnknownNameError at 8: table visits has no column visits
-- DETAIL: Nothing was charged.
-- HINT: Its columns are: uid, page, age, tiny, big, huge, amount, x, f, day, moment, ok, grade, disease, order, A b, score, zone.
----
SELECT v FROM visits AS v;
-- UnknownNameError at 8: table v has no column v
-- DETAIL: Nothing was charged.
-- HINT: Its columns are: uid, page, age, tiny, big, huge, amount, x, f, day, moment, ok, grade, disease, order, A b, score, zone.
----
SELECT visits.nothing, count(*) FROM visits GROUP BY ALL;
-- UnknownNameError at 15: table visits has no column nothing
-- DETAIL: Nothing was charged.
-- HINT: Its columns are: uid, page, age, tiny, big, huge, amount, x, f, day, moment, ok, grade, disease, order, A b, score, zone.
----
SELECT w.page, count(*) FROM visits AS v GROUP BY w.page;
-- UnknownNameError at 53: there is no table w in this query
-- DETAIL: Nothing was charged.
-- HINT: Its columns are qualified by v.
----
SELECT visits.page, count(*) FROM visits AS v GROUP BY visits.page;
-- UnknownNameError at 63: there is no table visits in this query
-- DETAIL: Nothing was charged.
-- HINT: Its columns are qualified by v.
----
SELECT page, count(*) FROM visits AS a JOIN visits AS b ON a.uid = b.uid GROUP BY page;
-- UnknownNameError at 83: column page is ambiguous
-- DETAIL: Nothing was charged.
-- HINT: Qualify it by one of: a, b.
----
SELECT count(*) FROM visits AS v(a, b) WHERE uid = 7;
-- UnknownNameError at 46: table v has no column uid
-- DETAIL: Nothing was charged.
-- HINT: Its columns are: a, b, age, tiny, big, huge, amount, x, f, day, moment, ok, grade, disease, order, A b, score, zone.
----
WITH v AS (SELECT page FROM visits) SELECT disease, count(*) FROM v GROUP BY disease;
-- UnknownNameError at 78: table v has no column disease
-- DETAIL: Nothing was charged.
-- HINT: Its columns are: page.
----
WITH v(a) AS (SELECT page FROM visits) SELECT page, count(*) FROM v GROUP BY page;
-- UnknownNameError at 78: table v has no column page
-- DETAIL: Nothing was charged.
-- HINT: Its columns are: a.
----
WITH v AS (SELECT uid FROM w), w AS (SELECT uid FROM visits) SELECT count(*) FROM v;
-- UnknownNameError at 28: table w does not exist
-- DETAIL: Nothing was charged.
-- HINT: The tables are: closed, people, shops, visits.
----
WITH RECURSIVE v AS (SELECT 1 AS uid UNION ALL SELECT uid + 1 FROM v) SELECT count(*) FROM v;
-- UnsupportedSqlError at 16: WITH RECURSIVE is not supported
-- DETAIL: How long it runs is not bounded. Nothing was charged.
-- HINT: Write WITH, which names a query once.
----
WITH shops AS (SELECT page AS name FROM visits) SELECT name FROM shops;
-- UnsupportedSqlError at 56: private rows cannot be listed
-- DETAIL: Columns of the answer are aggregates, and the keys of GROUP BY. Nothing was charged.
-- HINT: Write SELECT key, count(*) FROM t WHERE ... GROUP BY key ORDER BY count(*) DESC LIMIT 10, or SELECT count(*), avg(x), median(x) FROM t.
----
SELECT page AS uid, count(*) FROM visits GROUP BY uid;
-- UnsupportedSqlError at 51: column uid is the privacy unit
-- DETAIL: Each of its values stands for one person, who would be revealed by it. Nothing was charged.
-- HINT: Use another column, or count(*) to count units.
----
SELECT my_macro(age), count(*) FROM visits GROUP BY 1;
-- UnsupportedSqlError at 8: the function my_macro is not supported
-- DETAIL: It is not on the list of functions that are known to be safe on every row. Nothing was charged.
-- HINT: Use CASE, CAST, arithmetic, and functions of text, dates and numbers such as lower, substr, date_trunc and round.
----
SELECT count(*) FROM my_macro('visits');
-- UnsupportedSqlError at 22: the table function my_macro is not supported
-- DETAIL: It could read files, settings or other tables, past their policies. Nothing was charged.
-- HINT: Name a table of the database after FROM.
----
SELECT cօunt(*) FROM visits;
-- UnsupportedSqlError at 8: the function cօunt is not supported
-- DETAIL: Only functions that are known to have no side effects and a bounded cost are called. Nothing was charged.
-- HINT: Did you mean count?
----
SELECT count(*) FROM vіsits;
-- UnknownNameError at 22: table vіsits does not exist
-- DETAIL: Nothing was charged.
-- HINT: Did you mean visits?
----
SELECT count(*) FROM "Visits ";
-- UnknownNameError at 22: table Visits  does not exist
-- DETAIL: Nothing was charged.
-- HINT: Did you mean visits?
----
SELECT "count(*)" FROM visits;
-- UnknownNameError at 8: table visits has no column count(*)
-- DETAIL: Nothing was charged.
-- HINT: Its columns are: uid, page, age, tiny, big, huge, amount, x, f, day, moment, ok, grade, disease, order, A b, score, zone.
----
SELECT 'page', pages, count(*) FROM visits GROUP BY ALL;
-- UnknownNameError at 16: table visits has no column pages
-- DETAIL: Nothing was charged.
-- HINT: Did you mean page or age?
----
SELECT page, count(*) FROM visits GROUP BY pages;
-- UnknownNameError at 44: table visits has no column pages
-- DETAIL: Nothing was charged.
-- HINT: Did you mean page or age?
----
SELECT page, count(*) FROM visits GROUP BY page ORDER BY 5;
-- UnsupportedSqlError at 58: there is no column 5 in the answer
-- DETAIL: It has 2. Nothing was charged.
-- HINT: Use a number from 1 on.
----
SELECT page, count(*) FROM visits GROUP BY page ORDER BY disease;
-- UnsupportedSqlError at 58: column disease is neither grouped nor aggregated
-- DETAIL: Each column of the answer is made of keys and aggregates. Nothing was charged.
-- HINT: Add it to GROUP BY, or leave it out.
----
SELECT page, count(*) FROM visits GROUP BY page HAVING disease = 'flu';
-- UnsupportedSqlError at 56: column disease is neither grouped nor aggregated
-- DETAIL: Each column of the answer is made of keys and aggregates. Nothing was charged.
-- HINT: Add it to GROUP BY, or leave it out.
----
SELECT count(*) AS n FROM visits WHERE n > 5;
-- UnknownNameError at 40: table visits has no column n
-- DETAIL: Nothing was charged.
-- HINT: n is computed of rows that WHERE has chosen: test it in HAVING.
----
SELECT page, sum(count(*)) OVER w FROM visits GROUP BY page WINDOW w AS (ORDER BY page);
-- UnsupportedSqlError at 14: a named window is not supported here
-- DETAIL: WINDOW does not reach into the answer of a release. Nothing was charged.
-- HINT: Write what it stands for after OVER.
----
SELECT COLUMNS(*) FROM visits;
-- UnsupportedSqlError at 8: COLUMNS is not supported
-- DETAIL: It stands for many expressions at once. Nothing was charged.
-- HINT: Write each column by its name.
----
SELECT count(COLUMNS('a.*')) FROM visits;
-- UnsupportedSqlError at 14: COLUMNS is not supported
-- DETAIL: It stands for many expressions at once. Nothing was charged.
-- HINT: Write each column by its name.
----
SELECT #1, count(*) FROM visits GROUP BY 1;
-- UnsupportedSqlError: a column by its number is not supported
-- DETAIL: Names say which column is meant. Nothing was charged.
-- HINT: Write the name of the column.
----
SELECT count(*) FROM people AS a JOIN people AS b JOIN people AS c ON c.id > b.id ON a.id = b.id;
-- UnsupportedSqlError at 8: tables people and people are not joined by their people
-- DETAIL: Rows of one person would meet rows of others, so removing one could change many groups by many. Nothing was charged.
-- HINT: Join them ON a.id = c.id.
----
SELECT count(*) FROM ((SELECT * FROM visits) LIMIT 1) AS t;
-- UnsupportedSqlError at 31: LIMIT is not supported at this place of FROM
-- DETAIL: Only tables, joins, and subqueries that filter and project are read here. Nothing was charged.
-- HINT: Write it at the end of the query.
----
SELECT age, count(*) FROM (SELECT * REPLACE (5 AS age) FROM visits) GROUP BY age;
-- UnsupportedSqlError at 35: * REPLACE is not supported over private rows
-- DETAIL: It gives a column another meaning or name. Nothing was charged.
-- HINT: Name the columns: SELECT age + 1 AS age, page FROM t.
----
SELECT age, count(*) FROM (SELECT * EXCLUDE (age) FROM visits) GROUP BY age;
-- UnknownNameError at 73: the query has no column age
-- DETAIL: Nothing was charged.
-- HINT: Did you mean page?
----
WITH c AS (SELECT * FROM visits), c AS (SELECT * FROM people) SELECT count(*) FROM c;
-- UnsupportedSqlError at 48: two CTEs are named c
-- DETAIL: Either could be meant. Nothing was charged.
-- HINT: Rename one.
----
CREATE MACRO count(x) AS 0;
-- UnsupportedSqlError: CREATE is not supported
-- DETAIL: Only statements whose effect dpduck fully understands are run. Nothing was charged.
-- HINT: Write one of: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
CREATE TEMP TABLE visits AS SELECT 1 AS uid;
-- UnsupportedSqlError: CREATE is not supported
-- DETAIL: Only statements whose effect dpduck fully understands are run. Nothing was charged.
-- HINT: Write one of: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
CREATE VIEW v AS SELECT * FROM visits;
-- UnsupportedSqlError: CREATE is not supported
-- DETAIL: Only statements whose effect dpduck fully understands are run. Nothing was charged.
-- HINT: Write one of: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
CREATE OR REPLACE TEMP MACRO lower(x) AS x;
-- UnsupportedSqlError: CREATE is not supported
-- DETAIL: Only statements whose effect dpduck fully understands are run. Nothing was charged.
-- HINT: Write one of: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
SET search_path = 'other';
-- UnsupportedSqlError: this SET statement is not supported
-- DETAIL: Settings of DuckDB and variables could carry private values from one statement to the next. Nothing was charged.
-- HINT: Write SET dp_epsilon = 0.5 or SET dp_delta = 1e-6.
----
USE other;
-- UnsupportedSqlError: USE is not supported
-- DETAIL: Only statements whose effect dpduck fully understands are run. Nothing was charged.
-- HINT: Write one of: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
