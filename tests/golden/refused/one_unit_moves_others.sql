SELECT count(*) FROM visits WHERE EXISTS (SELECT 1 FROM visits WHERE uid = 7);
-- UnsupportedSqlError at 50: this subquery reads the rows of other people
-- DETAIL: Only the rows of the same person may decide about a row. Nothing was charged.
-- HINT: Compare the person, as in w.uid = v.uid, or write uid IN (SELECT uid FROM w WHERE ...).
----
SELECT count(*) FROM visits WHERE age > (SELECT avg(age) FROM visits);
-- UnsupportedSqlError at 49: this subquery reads the rows of other people
-- DETAIL: Only the rows of the same person may decide about a row. Nothing was charged.
-- HINT: Compare the person, as in w.uid = v.uid, or write uid IN (SELECT uid FROM w WHERE ...). A number of all people is asked for in a query of its own, and written as a constant in the next.
----
SELECT count(*) FROM visits WHERE age = ANY (SELECT 1);
-- UnsupportedSqlError at 53: this use of ANY over private rows is not supported
-- DETAIL: ANY and ALL compare with the elements of a list that is written as ARRAY[...]. Nothing was charged.
-- HINT: Write x IN ('a', 'b') for x = ANY (...), x NOT IN ('a', 'b') for x <> ALL (...), x IN (SELECT ...) for x = ANY (SELECT ...), and x > 1 OR x > 2 for x > ANY (ARRAY[1, 2]).
----
SELECT page, count(*) OVER () FROM visits;
-- UnsupportedSqlError at 8: column page is neither grouped nor aggregated
-- DETAIL: Each column of the answer is made of keys and aggregates. Nothing was charged.
-- HINT: Add it to GROUP BY, or leave it out.
----
SELECT count(*) FROM (SELECT * FROM visits LIMIT 1);
-- UnsupportedSqlError at 30: LIMIT inside FROM is not supported here
-- DETAIL: One person's rows could then decide which rows of others are kept. Nothing was charged.
-- HINT: Filter with WHERE inside, and sort, limit or group outside. The first rows of each person: QUALIFY row_number() OVER (PARTITION BY person ORDER BY ts) <= 3.
----
SELECT count(*) FROM (SELECT DISTINCT ON (page) * FROM visits ORDER BY uid);
-- UnsupportedSqlError at 49: DISTINCT ON inside FROM is not supported here
-- DETAIL: Only GROUP BY, HAVING, DISTINCT, window functions and QUALIFY are computed for each person apart. Nothing was charged.
-- HINT: Write GROUP BY with the person among its keys, or QUALIFY row_number() OVER (...) = 1.
----
SELECT count(*) FROM visits AS v, people AS p;
-- UnsupportedSqlError at 8: tables visits and people are not joined by their people
-- DETAIL: Rows of one person would meet rows of others, so removing one could change many groups by many. Nothing was charged.
-- HINT: The owner can run ALTER TABLE visits DROP PRIVACY_KEY and then ALTER TABLE visits ADD PRIVACY_LINK (uid) REFERENCES people(id), if both hold rows of the same people; join them ON v.uid = p.id. What else the query needs is said then.
----
SELECT count(*) FROM visits JOIN people ON visits.uid = people.id;
-- UnsupportedSqlError at 8: tables visits and people are not joined by their people
-- DETAIL: Rows of one person would meet rows of others, so removing one could change many groups by many. Nothing was charged.
-- HINT: The owner can run ALTER TABLE visits DROP PRIVACY_KEY and then ALTER TABLE visits ADD PRIVACY_LINK (uid) REFERENCES people(id), if both hold rows of the same people; add AND visits.uid = people.id to their join. What else the query needs is said then.
----
SELECT count(*) FROM visits LEFT JOIN people USING (uid);
-- UnknownNameError: table people has no column uid
-- DETAIL: Nothing was charged.
-- HINT: Did you mean id?
----
SELECT count(*) FROM visits USING SAMPLE 10%;
-- UnsupportedSqlError at 42: a sample is not supported
-- DETAIL: It is drawn anew each time, and one person's rows would re-roll the others. Nothing was charged.
-- HINT: Leave it out: noise protects the rows.
----
SELECT count(*) FROM visits TABLESAMPLE reservoir(5);
-- UnsupportedSqlError at 51: a sample is not supported
-- DETAIL: It is drawn anew each time, and one person's rows would re-roll the others. Nothing was charged.
-- HINT: Leave it out: noise protects the rows.
----
SELECT count(*) FROM visits WHERE random() < 0.5;
-- UnsupportedSqlError at 35: the function random is not supported
-- DETAIL: Its result is drawn anew each time, so that one question would have two answers. Nothing was charged.
-- HINT: Leave it out, or order by a column.
----
SELECT count(*) FROM visits UNION SELECT count(*) FROM people;
-- UnsupportedSqlError at 42: the parts of this query are about different privacy units
-- DETAIL: One part protects uid, another id. Nothing was charged.
-- HINT: Ask for them one by one.
----
SELECT count(*) FROM visits, LATERAL (SELECT 1);
-- UnsupportedSqlError at 46: this FROM is not supported beside private rows
-- DETAIL: What it makes is not protected by a policy. Nothing was charged.
-- HINT: Name a table of the database, or a subquery that filters and projects one.
----
SELECT count(*) FROM visits WHERE NOT EXISTS (SELECT 1 FROM people WHERE age > 80);
-- UnsupportedSqlError at 54: this subquery reads the rows of other people
-- DETAIL: Only the rows of the same person may decide about a row. Nothing was charged.
-- HINT: Compare the person, as in w.id = v.id, or write id IN (SELECT id FROM w WHERE ...).
----
SELECT count(*) FROM visits AS v WHERE EXISTS (SELECT 1 FROM visits AS w WHERE w.page = v.page AND w.uid = 7);
-- UnsupportedSqlError at 55: this subquery reads the rows of other people
-- DETAIL: Only the rows of the same person may decide about a row. Nothing was charged.
-- HINT: Compare the person, as in w.uid = v.uid, or write uid IN (SELECT uid FROM w WHERE ...).
----
SELECT count(*) FROM visits WHERE page NOT IN (SELECT page FROM visits WHERE uid = 7);
-- UnsupportedSqlError at 35: this subquery reads the rows of other people
-- DETAIL: Only the rows of the same person may decide about a row. Nothing was charged.
-- HINT: Compare the person, as in w.uid = v.uid, or write uid IN (SELECT uid FROM w WHERE ...).
----
SELECT count(*) FROM visits AS v WHERE age = (SELECT max(age) FROM visits AS w WHERE w.page = v.page);
-- UnsupportedSqlError at 58: this subquery reads the rows of other people
-- DETAIL: Only the rows of the same person may decide about a row. Nothing was charged.
-- HINT: Compare the person, as in w.uid = v.uid, or write uid IN (SELECT uid FROM w WHERE ...). A number of all people is asked for in a query of its own, and written as a constant in the next.
----
SELECT count(*) FROM visits WHERE age = ANY (SELECT age FROM visits);
-- UnsupportedSqlError at 53: this use of ANY over private rows is not supported
-- DETAIL: ANY and ALL compare with the elements of a list that is written as ARRAY[...]. Nothing was charged.
-- HINT: Write x IN ('a', 'b') for x = ANY (...), x NOT IN ('a', 'b') for x <> ALL (...), x IN (SELECT ...) for x = ANY (SELECT ...), and x > 1 OR x > 2 for x > ANY (ARRAY[1, 2]).
----
SELECT count(*) FROM visits WHERE age >= ALL (SELECT age FROM visits);
-- UnsupportedSqlError at 54: this use of ALL over private rows is not supported
-- DETAIL: ANY and ALL compare with the elements of a list that is written as ARRAY[...]. Nothing was charged.
-- HINT: Write x IN ('a', 'b') for x = ANY (...), x NOT IN ('a', 'b') for x <> ALL (...), x IN (SELECT ...) for x = ANY (SELECT ...), and x > 1 OR x > 2 for x > ANY (ARRAY[1, 2]).
----
SELECT count(*) FILTER (WHERE age > (SELECT median(age) FROM visits)) FROM visits;
-- UnsupportedSqlError at 45: this subquery reads the rows of other people
-- DETAIL: Only the rows of the same person may decide about a row. Nothing was charged.
-- HINT: Compare the person, as in w.uid = v.uid, or write uid IN (SELECT uid FROM w WHERE ...). A number of all people is asked for in a query of its own, and written as a constant in the next.
----
SELECT rank() OVER (ORDER BY age) FROM visits;
-- UnsupportedSqlError at 30: a window function over private rows is not supported
-- DETAIL: Removing a person could change the rows of others. Nothing was charged.
-- HINT: Aggregate first: SELECT page, rank() OVER (ORDER BY count(*)) FROM visits GROUP BY page.
----
SELECT count(*) FROM (SELECT uid, row_number() OVER (PARTITION BY page ORDER BY age) AS r FROM visits) WHERE r = 1;
-- UnsupportedSqlError at 35: this window function goes over the rows of different people
-- DETAIL: Removing a person could change the rows of others. Nothing was charged.
-- HINT: Write OVER (PARTITION BY uid ...), or aggregate first: SELECT page, rank() OVER (ORDER BY count(*) DESC) FROM visits GROUP BY page.
----
SELECT count(*) FROM (SELECT uid, lag(uid) OVER (ORDER BY moment) AS before FROM visits) WHERE before = 7;
-- UnsupportedSqlError at 35: this window function goes over the rows of different people
-- DETAIL: Removing a person could change the rows of others. Nothing was charged.
-- HINT: Write OVER (PARTITION BY uid ...), or aggregate first: SELECT page, rank() OVER (ORDER BY count(*) DESC) FROM visits GROUP BY page.
----
SELECT count(*) FROM (SELECT uid FROM visits QUALIFY row_number() OVER (ORDER BY age) = 1);
-- UnsupportedSqlError at 54: this window function goes over the rows of different people
-- DETAIL: Removing a person could change the rows of others. Nothing was charged.
-- HINT: Write OVER (PARTITION BY uid ...), or aggregate first: SELECT page, rank() OVER (ORDER BY count(*) DESC) FROM visits GROUP BY page.
----
SELECT count(*) FROM (SELECT * FROM visits OFFSET 5);
-- UnsupportedSqlError at 30: OFFSET inside FROM is not supported here
-- DETAIL: One person's rows could then decide which rows of others are kept. Nothing was charged.
-- HINT: Filter with WHERE inside, and sort, limit or group outside. The first rows of each person: QUALIFY row_number() OVER (PARTITION BY person ORDER BY ts) <= 3.
----
WITH first AS (SELECT * FROM visits ORDER BY moment LIMIT 10) SELECT page, count(*) FROM first GROUP BY page;
-- UnsupportedSqlError at 23: LIMIT inside FROM is not supported here
-- DETAIL: One person's rows could then decide which rows of others are kept. Nothing was charged.
-- HINT: Filter with WHERE inside, and sort, limit or group outside. The first rows of each person: QUALIFY row_number() OVER (PARTITION BY person ORDER BY ts) <= 3.
----
WITH pages AS (SELECT page FROM visits GROUP BY page HAVING count(*) > 9) SELECT count(*) FROM visits JOIN pages USING (page);
-- UnsupportedSqlError at 49: this subquery groups the rows of different people
-- DETAIL: One person's rows could then decide which rows of others are kept, or what is computed of them. Nothing was charged.
-- HINT: Add uid to its GROUP BY, or aggregate outside.
----
SELECT count(*) FROM visits JOIN (SELECT page, count(*) AS n FROM visits GROUP BY page) AS p ON visits.page = p.page;
-- UnsupportedSqlError at 83: this subquery groups the rows of different people
-- DETAIL: One person's rows could then decide which rows of others are kept, or what is computed of them. Nothing was charged.
-- HINT: Add uid to its GROUP BY, or aggregate outside.
----
SELECT count(*) FROM visits LEFT JOIN people ON visits.age = people.age;
-- UnsupportedSqlError at 8: tables visits and people are not joined by their people
-- DETAIL: Rows of one person would meet rows of others, so removing one could change many groups by many. Nothing was charged.
-- HINT: The owner can run ALTER TABLE visits DROP PRIVACY_KEY and then ALTER TABLE visits ADD PRIVACY_LINK (uid) REFERENCES people(id), if both hold rows of the same people; add AND visits.uid = people.id to their join. What else the query needs is said then.
----
SELECT count(*) FROM visits AS v JOIN visits AS w ON v.page = w.page;
-- UnsupportedSqlError at 8: tables visits and visits are not joined by their people
-- DETAIL: Rows of one person would meet rows of others, so removing one could change many groups by many. Nothing was charged.
-- HINT: Add AND v.uid = w.uid to their join.
----
SELECT count(*) FROM visits AS v CROSS JOIN visits AS w;
-- UnsupportedSqlError at 8: tables visits and visits are not joined by their people
-- DETAIL: Rows of one person would meet rows of others, so removing one could change many groups by many. Nothing was charged.
-- HINT: Join them ON v.uid = w.uid.
----
SELECT count(*) FROM visits AS v JOIN visits AS w ON v.uid < w.uid;
-- UnsupportedSqlError at 8: tables visits and visits are not joined by their people
-- DETAIL: Rows of one person would meet rows of others, so removing one could change many groups by many. Nothing was charged.
-- HINT: Join them ON v.uid = w.uid.
----
SELECT count(*) FROM visits AS v JOIN visits AS w ON v.uid = w.uid OR v.page = w.page;
-- UnsupportedSqlError at 8: tables visits and visits are not joined by their people
-- DETAIL: Rows of one person would meet rows of others, so removing one could change many groups by many. Nothing was charged.
-- HINT: Join them ON v.uid = w.uid.
----
SELECT count(*) FROM visits AS v JOIN visits AS w ON v.uid + 1 = w.uid;
-- UnsupportedSqlError at 8: tables visits and visits are not joined by their people
-- DETAIL: Rows of one person would meet rows of others, so removing one could change many groups by many. Nothing was charged.
-- HINT: Add AND v.uid = w.uid to their join.
----
SELECT count(*) FROM visits AS v JOIN visits AS w ON v.uid IS NOT DISTINCT FROM w.uid;
-- UnsupportedSqlError at 8: tables visits and visits are not joined by their people
-- DETAIL: Rows of one person would meet rows of others, so removing one could change many groups by many. Nothing was charged.
-- HINT: Join them ON v.uid = w.uid.
----
SELECT count(*) FROM (SELECT uid % 10 AS u FROM visits) AS v JOIN (SELECT uid % 10 AS u FROM visits) AS w USING (u);
-- UnsupportedSqlError at 8: tables visits and visits are not joined by their people
-- DETAIL: Rows of one person would meet rows of others, so removing one could change many groups by many. Nothing was charged.
-- HINT: Join them ON a.uid = b.uid, whatever names the two have in FROM.
----
SELECT count(*) FROM visits AS v LEFT JOIN visits AS w ON v.page = w.page AND v.uid <> w.uid WHERE w.uid IS NULL;
-- UnsupportedSqlError at 8: tables visits and visits are not joined by their people
-- DETAIL: Rows of one person would meet rows of others, so removing one could change many groups by many. Nothing was charged.
-- HINT: Add AND v.uid = w.uid to their join.
----
SELECT v.age, count(*) FROM people AS u CROSS JOIN people AS v LEFT JOIN people AS w ON u.id = v.id AND w.id = v.id GROUP BY v.age;
-- UnsupportedSqlError at 15: tables people and people are not joined by their people
-- DETAIL: Rows of one person would meet rows of others, so removing one could change many groups by many. Nothing was charged.
-- HINT: Join them ON u.id = v.id.
----
SELECT count(*) FROM visits AS v SEMI JOIN visits AS w ON v.page = w.page AND w.uid = 7;
-- UnsupportedSqlError at 44: SEMI JOIN is not supported
-- DETAIL: Whether a row has a partner is a condition, and a join could multiply rows that are counted. Nothing was charged.
-- HINT: Write WHERE EXISTS (SELECT 1 FROM w WHERE w.uid = v.uid AND w.page = v.page).
----
SELECT count(*) FROM visits AS v ANTI JOIN visits AS w ON v.page = w.page AND w.uid = 7;
-- UnsupportedSqlError at 44: ANTI JOIN is not supported
-- DETAIL: Rows without a partner are found otherwise. Nothing was charged.
-- HINT: Write LEFT JOIN ... WHERE b.x IS NULL.
----
SELECT count(*) FROM visits AS v ASOF JOIN visits AS w ON v.page = w.page AND v.moment >= w.moment;
-- UnsupportedSqlError at 44: ASOF JOIN is not supported
-- DETAIL: It chooses among partners, which may belong to others. Nothing was charged.
-- HINT: Write JOIN ... ON a.x = b.x.
----
SELECT count(*) FROM visits AS v POSITIONAL JOIN visits AS w;
-- UnsupportedSqlError at 50: POSITIONAL JOIN is not supported
-- DETAIL: Rows have no order of their own. Nothing was charged.
-- HINT: Write JOIN ... ON a.x = b.x.
----
SELECT count(*) FROM visits NATURAL JOIN people;
-- UnsupportedSqlError at 42: NATURAL JOIN is not supported
-- DETAIL: Which columns are compared depends on the schema. Nothing was charged.
-- HINT: Write JOIN ... USING (column).
----
SELECT count(*) FROM visits AS v FULL JOIN visits AS w ON v.uid = w.uid;
-- UnsupportedSqlError at 44: FULL JOIN is not supported
-- DETAIL: It keeps rows of the right that have no partner, so one person's rows decide about rows of others. Nothing was charged.
-- HINT: Write LEFT JOIN, with the private table on the left.
----
SELECT count(*) FROM visits AS v RIGHT JOIN visits AS w ON v.uid = w.uid;
-- UnsupportedSqlError at 45: RIGHT JOIN is not supported
-- DETAIL: It keeps rows of the right that have no partner, so one person's rows decide about rows of others. Nothing was charged.
-- HINT: Write LEFT JOIN, with the private table on the left.
----
SELECT count(*) FROM shops LEFT JOIN visits ON visits.page = shops.name;
-- UnsupportedSqlError at 8: count(*) counts rows of the public table without a partner
-- DETAIL: Which rows have none in visits is private. Nothing was charged.
-- HINT: Aggregate a column of visits, as in count(visits.uid), or write JOIN in place of LEFT JOIN.
----
SELECT count(*) FROM visits AS v, LATERAL (SELECT 1 FROM visits AS w WHERE w.page = v.page) AS l;
-- UnsupportedSqlError at 96: this FROM is not supported beside private rows
-- DETAIL: What it makes is not protected by a policy. Nothing was charged.
-- HINT: Name a table of the database, or a subquery that filters and projects one.
----
SELECT name FROM shops, LATERAL (SELECT page FROM visits WHERE page = name) AS l;
-- UnknownNameError at 71: table visits has no column name
-- DETAIL: Nothing was charged.
-- HINT: Its columns are: uid, page, age, tiny, big, huge, amount, x, f, day, moment, ok, grade, disease, order, A b, score, zone.
----
SELECT count(*) FROM (SELECT uid, page FROM visits UNION ALL SELECT id, region FROM people);
-- UnsupportedSqlError at 30: private rows cannot be a side of UNION
-- DETAIL: Each side of UNION is released by itself: its columns are aggregates and keys of GROUP BY. Nothing was charged.
-- HINT: Aggregate each side, and then what they give: SELECT sum(n) FROM (SELECT count(*) AS n FROM t UNION ALL SELECT count(*) FROM s).
----
SELECT count(*) FROM (SELECT page FROM visits EXCEPT SELECT page FROM visits WHERE uid = 7);
-- UnsupportedSqlError at 30: private rows cannot be a side of EXCEPT
-- DETAIL: Each side of EXCEPT is released by itself: its columns are aggregates and keys of GROUP BY. Nothing was charged.
-- HINT: Aggregate each side, and then what they give: SELECT sum(n) FROM (SELECT count(*) AS n FROM t UNION ALL SELECT count(*) FROM s).
----
SELECT count(*) FROM (SELECT uid FROM visits INTERSECT SELECT id FROM people);
-- UnsupportedSqlError at 30: private rows cannot be a side of INTERSECT
-- DETAIL: Each side of INTERSECT is released by itself: its columns are aggregates and keys of GROUP BY. Nothing was charged.
-- HINT: Aggregate each side, and then what they give: SELECT sum(n) FROM (SELECT count(*) AS n FROM t UNION ALL SELECT count(*) FROM s).
----
SELECT page FROM visits EXCEPT SELECT page FROM visits WHERE uid = 7;
-- UnsupportedSqlError at 8: private rows cannot be a side of EXCEPT
-- DETAIL: Each side of EXCEPT is released by itself: its columns are aggregates and keys of GROUP BY. Nothing was charged.
-- HINT: Aggregate each side, and then what they give: SELECT sum(n) FROM (SELECT count(*) AS n FROM t UNION ALL SELECT count(*) FROM s).
----
WITH RECURSIVE r AS (SELECT uid FROM visits WHERE uid = 7 UNION SELECT v.uid FROM visits AS v JOIN r ON v.age = r.uid) SELECT count(*) FROM r;
-- UnsupportedSqlError at 16: WITH RECURSIVE is not supported
-- DETAIL: How long it runs is not bounded. Nothing was charged.
-- HINT: Write WITH, which names a query once.
----
SELECT count(*) FROM shops WHERE EXISTS (SELECT 1 FROM visits WHERE page = name);
-- UnknownNameError at 76: table visits has no column name
-- DETAIL: Nothing was charged.
-- HINT: Its columns are: uid, page, age, tiny, big, huge, amount, x, f, day, moment, ok, grade, disease, order, A b, score, zone.
----
SELECT count(*) FROM shops WHERE name IN (SELECT page FROM visits);
-- UnsupportedSqlError at 50: private rows cannot be listed
-- DETAIL: Columns of the answer are aggregates, and the keys of GROUP BY. Nothing was charged.
-- HINT: Write SELECT key, count(*) FROM t WHERE ... GROUP BY key ORDER BY count(*) DESC LIMIT 10, or SELECT count(*), avg(x), median(x) FROM t.
----
SELECT c.region, count(*) FROM people AS a JOIN people AS c ON a.age = c.age LEFT JOIN people AS b ON a.id = b.id AND b.id = c.id GROUP BY c.region;
-- UnsupportedSqlError at 18: tables people and people are not joined by their people
-- DETAIL: Rows of one person would meet rows of others, so removing one could change many groups by many. Nothing was charged.
-- HINT: Add AND a.id = c.id to their join.
----
SELECT page, count(*) FROM visits GROUP BY page HAVING count(*) > (SELECT count(*) FROM people);
-- UnsupportedSqlError at 14: the parts of this query are about different privacy units
-- DETAIL: One part protects id, another uid. Nothing was charged.
-- HINT: Ask for them one by one.
----
SELECT page, count(*), (SELECT count(*) FROM visits AS w WHERE w.page = v.page) FROM visits AS v GROUP BY page;
-- UnsupportedSqlError at 75: a subquery in an expression cannot read the groups around it
-- DETAIL: What it aggregates is released apart. Nothing was charged.
-- HINT: Join both on their keys: WITH a AS (SELECT page, count(*) AS n FROM visits GROUP BY page), b AS (...) SELECT a.n / b.n FROM a JOIN b ON a.page = b.page.
----
SELECT count(*) FROM visits WHERE age > (SELECT avg(age) FROM visits);
-- UnsupportedSqlError at 49: this subquery reads the rows of other people
-- DETAIL: Only the rows of the same person may decide about a row. Nothing was charged.
-- HINT: Compare the person, as in w.uid = v.uid, or write uid IN (SELECT uid FROM w WHERE ...). A number of all people is asked for in a query of its own, and written as a constant in the next.
----
SELECT count(*) FROM visits AS v, (SELECT avg(age) AS mean FROM visits) AS a WHERE v.age > a.mean;
-- UnsupportedSqlError at 43: this subquery groups the rows of different people
-- DETAIL: One person's rows could then decide which rows of others are kept, or what is computed of them. Nothing was charged.
-- HINT: Add uid to its GROUP BY, or aggregate outside.
----
SELECT count(*) FROM visits UNION ALL SELECT age FROM visits;
-- UnsupportedSqlError at 46: private rows cannot be a side of UNION
-- DETAIL: Each side of UNION is released by itself: its columns are aggregates and keys of GROUP BY. Nothing was charged.
-- HINT: Aggregate each side, and then what they give: SELECT sum(n) FROM (SELECT count(*) AS n FROM t UNION ALL SELECT count(*) FROM s).
----
SELECT count(DISTINCT c.id) FROM people AS a CROSS JOIN people AS c LEFT JOIN people AS b ON b.id = c.id WHERE a.id = b.id OR b.id IS NULL;
-- UnsupportedSqlError at 8: tables people and people are not joined by their people
-- DETAIL: Rows of one person would meet rows of others, so removing one could change many groups by many. Nothing was charged.
-- HINT: Join them ON a.id = c.id.
