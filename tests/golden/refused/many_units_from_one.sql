SELECT count(DISTINCT (uid, page)) FROM visits;
-- UnsupportedSqlError at 24: a row of values is not supported here
-- DETAIL: Values are compared and counted one by one. Nothing was charged.
-- HINT: Write x = 1 AND y = 'a'.
----
SELECT count(DISTINCT uid, page) FROM visits;
-- UnsupportedSqlError at 8: count(DISTINCT ...) takes one column
-- DETAIL: One person may bring many combinations. Nothing was charged.
-- HINT: Write count(DISTINCT uid) or count(*).
----
SELECT count(*) FROM visits, unnest(range(1000));
-- UnsupportedSqlError at 8: the list of constants is not joined on a key of its own
-- DETAIL: A row would meet several of its rows, or all: at most 1,000, where a condition says which. Nothing was charged.
-- HINT: Join it ON t.x = u.key, where key is a column in which no value occurs twice.
----
SELECT uid, count(*) FROM visits GROUP BY uid;
-- UnsupportedSqlError at 43: column uid is the privacy unit
-- DETAIL: Each of its values stands for one person, who would be revealed by it. Nothing was charged.
-- HINT: Use another column, or count(*) to count units.
----
SELECT mode(uid) FROM visits;
-- UnsupportedSqlError at 8: column uid is the privacy unit
-- DETAIL: Each of its values stands for one person, who would be revealed by it. Nothing was charged.
-- HINT: Use another column, or count(*) to count units.
----
SELECT median(uid) FROM visits;
-- UnsupportedSqlError at 8: column uid is the privacy unit
-- DETAIL: Each of its values stands for one person, who would be revealed by it. Nothing was charged.
-- HINT: Use another column, or count(*) to count units.
----
SELECT page, count(*) FROM visits GROUP BY lower(page);
-- UnsupportedSqlError at 8: column page is neither grouped nor aggregated
-- DETAIL: Each column of the answer is made of keys and aggregates. Nothing was charged.
-- HINT: Add it to GROUP BY, or leave it out.
----
SELECT x, count(*) FROM visits GROUP BY x;
-- UnsupportedSqlError at 41: column x of type DOUBLE cannot be a key
-- DETAIL: Floating point values are rarely equal, so each would be a group of its own. Nothing was charged.
-- HINT: Group by ranges, as in CASE WHEN x < 10 THEN 'low' ELSE 'high' END, or by a column of integers, decimals or text.
----
SELECT mode(f) FROM visits;
-- UnsupportedSqlError at 8: column f of type FLOAT cannot be a key
-- DETAIL: Floating point values are rarely equal, so each would be a group of its own. Nothing was charged.
-- HINT: Group by ranges, as in CASE WHEN f < 10 THEN 'low' ELSE 'high' END, or by a column of integers, decimals or text.
----
SELECT disease, count(*) FROM visits GROUP BY disease;
-- PolicyError at 47: column visits.disease has no public domain
-- DETAIL: Keys taken from private rows would reveal who is present. With a delta they can be shown if the number of groups of one uid is bounded. Nothing was charged.
-- HINT: ALTER TABLE visits ALTER COLUMN disease SET PRIVACY DOMAIN IN ('...', '...'), or ALTER TABLE visits SET PRIVACY CONTRIBUTION (groups = 5), or add ORDER BY count(*) DESC LIMIT 10. Write values that are known without looking at the data.
----
SELECT big, count(*) FROM visits GROUP BY big;
-- UnsupportedSqlError at 43: the answer would have 18,000,000,000,000,001 rows
-- DETAIL: All groups of a public domain are shown, at most 10,000,000. Nothing was charged.
-- HINT: Add ORDER BY count(*) DESC LIMIT 10.
----
SELECT v.uid, count(*) FROM visits AS v GROUP BY v.uid;
-- UnsupportedSqlError at 52: column uid is the privacy unit
-- DETAIL: Each of its values stands for one person, who would be revealed by it. Nothing was charged.
-- HINT: Use another column, or count(*) to count units.
----
SELECT u, count(*) FROM (SELECT uid AS u FROM visits) GROUP BY u;
-- UnsupportedSqlError at 64: column u is the privacy unit
-- DETAIL: Each of its values stands for one person, who would be revealed by it. Nothing was charged.
-- HINT: Use another column, or count(*) to count units.
----
WITH w AS (SELECT uid AS person, page FROM visits) SELECT person, count(*) FROM w GROUP BY person;
-- UnsupportedSqlError at 92: column person is the privacy unit
-- DETAIL: Each of its values stands for one person, who would be revealed by it. Nothing was charged.
-- HINT: Use another column, or count(*) to count units.
----
SELECT uid, page, count(*) FROM visits GROUP BY ALL;
-- UnsupportedSqlError at 8: column uid is the privacy unit
-- DETAIL: Each of its values stands for one person, who would be revealed by it. Nothing was charged.
-- HINT: Use another column, or count(*) to count units.
----
SELECT uid FROM visits GROUP BY uid HAVING count(*) > 10;
-- UnsupportedSqlError at 33: column uid is the privacy unit
-- DETAIL: Each of its values stands for one person, who would be revealed by it. Nothing was charged.
-- HINT: Use another column, or count(*) to count units.
----
SELECT min(uid), max(uid) FROM visits;
-- UnsupportedSqlError at 12: column uid is the privacy unit
-- DETAIL: Each of its values stands for one person, who would be revealed by it. Nothing was charged.
-- HINT: Use another column, or count(*) to count units.
----
SELECT sum(uid) FROM visits;
-- UnsupportedSqlError at 8: column uid is the privacy unit
-- DETAIL: Each of its values stands for one person, who would be revealed by it. Nothing was charged.
-- HINT: Use another column, or count(*) to count units.
----
SELECT avg(uid, contribution_bounds_per_row => (0, 100)) FROM visits;
-- UnsupportedSqlError at 8: column uid is the privacy unit
-- DETAIL: Each of its values stands for one person, who would be revealed by it. Nothing was charged.
-- HINT: Use another column, or count(*) to count units.
----
SELECT quantile_disc(uid, 0.99) FROM visits;
-- UnsupportedSqlError at 8: column uid is the privacy unit
-- DETAIL: Each of its values stands for one person, who would be revealed by it. Nothing was charged.
-- HINT: Use another column, or count(*) to count units.
----
SELECT approx_top_k(uid, 3) FROM visits;
-- UnsupportedSqlError at 21: column uid is the privacy unit
-- DETAIL: Each of its values stands for one person, who would be revealed by it. Nothing was charged.
-- HINT: Use another column, or count(*) to count units.
----
SELECT histogram(uid) FROM visits;
-- UnsupportedSqlError at 18: column uid is the privacy unit
-- DETAIL: Each of its values stands for one person, who would be revealed by it. Nothing was charged.
-- HINT: Use another column, or count(*) to count units.
----
SELECT unnest([1, 2, 3]), count(*) FROM visits GROUP BY 1;
-- UnsupportedSqlError at 8: unnest is not supported
-- DETAIL: It makes many rows of one, which are private rows again, before they are counted. Nothing was charged.
-- HINT: Unnest in FROM: SELECT tag, count(*) FROM (SELECT id, unnest(tags) AS tag FROM t) GROUP BY tag.
----
SELECT count(*) FROM (SELECT unnest([1, 2, 3]) AS i FROM visits);
-- UnsupportedSqlError at 8: the list of constants unnested is not joined on a key of its own
-- DETAIL: A row would meet several of its rows, or all: at most 1,000, where a condition says which. Nothing was charged.
-- HINT: Join it ON t.x = unnested.key, where key is a column in which no value occurs twice.
----
SELECT count(*) FROM visits, unnest([1, 2, 3]);
-- UnsupportedSqlError at 8: the list of constants is not joined on a key of its own
-- DETAIL: A row would meet several of its rows, or all: at most 1,000, where a condition says which. Nothing was charged.
-- HINT: Join it ON t.x = u.key, where key is a column in which no value occurs twice.
----
SELECT count(*) FROM visits CROSS JOIN range(1000);
-- UnsupportedSqlError at 8: the list of constants is not joined on a key of its own
-- DETAIL: A row would meet several of its rows, or all: at most 1,000, where a condition says which. Nothing was charged.
-- HINT: Join it ON t.x = u.key, where key is a column in which no value occurs twice.
----
SELECT count(*) FROM visits, generate_series(1, 1000);
-- UnsupportedSqlError at 8: the list of constants is not joined on a key of its own
-- DETAIL: A row would meet several of its rows, or all: at most 1,000, where a condition says which. Nothing was charged.
-- HINT: Join it ON t.x = u.key, where key is a column in which no value occurs twice.
----
SELECT count(*) FROM visits CROSS JOIN (VALUES (1), (2)) AS t(i);
-- UnsupportedSqlError at 8: the list of constants t is not joined on a key of its own
-- DETAIL: A row would meet several of its rows, or all: at most 1,000, where a condition says which. Nothing was charged.
-- HINT: Join it ON t.x = t.key, where key is a column in which no value occurs twice.
----
SELECT count(*) FROM visits CROSS JOIN shops;
-- UnsupportedSqlError at 8: public table shops is not joined on a key of its own
-- DETAIL: A row would meet several of its rows, or all: at most 1,000, where a condition says which. Nothing was charged.
-- HINT: Join it ON t.x = shops.key, where key is its PRIMARY KEY or UNIQUE.
----
SELECT count(*) FROM visits JOIN shops ON TRUE;
-- UnsupportedSqlError at 8: public table shops is not joined on a key of its own
-- DETAIL: A row would meet several of its rows, or all: at most 1,000, where a condition says which. Nothing was charged.
-- HINT: Join it ON t.x = shops.key, where key is its PRIMARY KEY or UNIQUE.
----
SELECT count(*) FROM visits JOIN shops ON shops.name LIKE visits.page;
-- UnsupportedSqlError at 49: LIKE takes a constant pattern
-- DETAIL: One that is made of columns may take long on a row. Nothing was charged.
-- HINT: Write name LIKE 'A%', and name LIKE 'A%' OR name LIKE 'B%' for LIKE ANY.
----
SELECT page, age FROM visits GROUP BY page;
-- UnsupportedSqlError at 14: column age is neither grouped nor aggregated
-- DETAIL: Each column of the answer is made of keys and aggregates. Nothing was charged.
-- HINT: Add it to GROUP BY, or leave it out.
----
SELECT page, count(*), age FROM visits GROUP BY page;
-- UnsupportedSqlError at 24: column age is neither grouped nor aggregated
-- DETAIL: Each column of the answer is made of keys and aggregates. Nothing was charged.
-- HINT: Add it to GROUP BY, or leave it out.
----
SELECT count(*) FROM visits GROUP BY count(*);
-- UnsupportedSqlError at 38: GROUP BY takes a column or an expression of the rows
-- DETAIL: Aggregates are computed after grouping. Nothing was charged.
-- HINT: Write GROUP BY region, or GROUP BY 1 for the first column of the answer.
----
SELECT count(*) FROM visits GROUP BY 2;
-- UnsupportedSqlError at 38: there is no column 2 in the answer
-- DETAIL: It has 1. Nothing was charged.
-- HINT: Use a number from 1 on.
----
PIVOT visits ON page USING count(*);
-- UnsupportedSqlError at 7: PIVOT needs GROUP BY here
-- DETAIL: Without, all other columns are meant, and so is whose row it is. Nothing was charged.
-- HINT: Write PIVOT t ON page USING count(*) GROUP BY region.
----
SELECT * FROM (PIVOT visits ON page USING count(*));
-- UnsupportedSqlError at 22: PIVOT needs GROUP BY here
-- DETAIL: Without, all other columns are meant, and so is whose row it is. Nothing was charged.
-- HINT: Write PIVOT t ON page USING count(*) GROUP BY region.
----
UNPIVOT visits ON age, tiny INTO NAME n VALUE v;
-- UnsupportedSqlError: UNPIVOT is not supported
-- DETAIL: Only statements whose effect dpduck fully understands are run. Nothing was charged.
-- HINT: Write one of: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
