SELECT count(DISTINCT uid * 1000 + age) FROM visits;
-- UnsupportedSqlError at 29: the operator + is not supported
-- DETAIL: An expression over a private row may fail, or take long, on that row alone, and so reveal it. Nothing was charged.
-- HINT: Compare the column itself with a constant, for example WHERE amount > 10.
----
SELECT count(DISTINCT page) FROM visits;
-- UnsupportedSqlError at 8: only privacy units can be counted
-- DETAIL: count(*) and count(DISTINCT uid) both count distinct uid. Nothing was charged.
-- HINT: Write count(*), with WHERE x IS NOT NULL to leave out rows without x.
----
SELECT count(DISTINCT (uid, page)) FROM visits;
-- UnsupportedSqlError at 24: TUPLE is not supported
-- DETAIL: Only SQL whose effect on privacy dpduck fully understands is run. Nothing was charged.
-- HINT: Write SELECT key, count(*) FROM t WHERE ... GROUP BY key ORDER BY count(*) DESC LIMIT 10.
----
SELECT count(DISTINCT uid, page) FROM visits;
-- UnsupportedSqlError at 8: only privacy units can be counted
-- DETAIL: count(*) and count(DISTINCT uid) both count distinct uid. Nothing was charged.
-- HINT: Write count(*), with WHERE x IS NOT NULL to leave out rows without x.
----
SELECT count(page) FROM visits;
-- UnsupportedSqlError at 8: only privacy units can be counted
-- DETAIL: count(*) and count(DISTINCT uid) both count distinct uid. Nothing was charged.
-- HINT: Write count(*), with WHERE x IS NOT NULL to leave out rows without x.
----
SELECT count('x') FROM visits;
-- UnsupportedSqlError at 8: only privacy units can be counted
-- DETAIL: count(*) and count(DISTINCT uid) both count distinct uid. Nothing was charged.
-- HINT: Write count(*), with WHERE x IS NOT NULL to leave out rows without x.
----
SELECT count(*) FROM visits, unnest(range(1000));
-- UnsupportedSqlError at 37: a join is not supported
-- DETAIL: One person's rows could then change the rows of others, and the noise would be too small. Nothing was charged.
-- HINT: Query one table, filter it with WHERE and group it by a column.
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
SELECT CASE WHEN uid = 7 THEN 1 END, count(*) FROM visits GROUP BY 1;
-- UnsupportedSqlError at 31: CASE is not supported
-- DETAIL: An expression over a private row may fail, or take long, on that row alone, and so reveal it. Nothing was charged.
-- HINT: Compare the column itself with a constant, for example WHERE amount > 10.
----
SELECT page, age, count(*) FROM visits GROUP BY page, age;
-- UnsupportedSqlError at 49: GROUP BY takes one column
-- DETAIL: Several keys, and expressions as keys, are not supported. Nothing was charged.
-- HINT: Write GROUP BY region.
----
SELECT page, count(*) FROM visits GROUP BY lower(page);
-- UnsupportedSqlError at 44: the function lower is not supported
-- DETAIL: An expression over a private row may fail, or take long, on that row alone, and so reveal it. Nothing was charged.
-- HINT: Compare the column itself with a constant, for example WHERE amount > 10.
----
SELECT page, count(*) FROM visits GROUP BY ROLLUP (page);
-- UnsupportedSqlError at 52: ROLLUP is not supported
-- DETAIL: Only SQL whose effect on privacy dpduck fully understands is run. Nothing was charged.
-- HINT: Write SELECT key, count(*) FROM t WHERE ... GROUP BY key ORDER BY count(*) DESC LIMIT 10.
----
SELECT page, count(*) FROM visits GROUP BY GROUPING SETS ((page), ());
-- UnsupportedSqlError at 60: GROUPING SETS is not supported
-- DETAIL: Only SQL whose effect on privacy dpduck fully understands is run. Nothing was charged.
-- HINT: Write SELECT key, count(*) FROM t WHERE ... GROUP BY key ORDER BY count(*) DESC LIMIT 10.
----
SELECT x, count(*) FROM visits GROUP BY x;
-- UnsupportedSqlError at 41: column x of type DOUBLE cannot be a key
-- DETAIL: Floating point values are rarely equal, so each would be a group of its own. Nothing was charged.
-- HINT: Use a column of integers, decimals or text.
----
SELECT mode(f) FROM visits;
-- UnsupportedSqlError at 8: column f of type FLOAT cannot be a key
-- DETAIL: Floating point values are rarely equal, so each would be a group of its own. Nothing was charged.
-- HINT: Use a column of integers, decimals or text.
----
SELECT disease, count(*) FROM visits GROUP BY disease;
-- PolicyError at 47: column visits.disease has no public domain
-- DETAIL: Keys taken from private rows would reveal who is present. With a delta all their counts need a uid that is UNIQUE, one row each. Nothing was charged.
-- HINT: ALTER TABLE visits ALTER COLUMN disease SET PRIVACY DOMAIN IN ('flu', 'gout'), or add ORDER BY count(*) DESC LIMIT 10.
----
SELECT median(income), median(age) FROM people;
-- UnsupportedSqlError at 24: several aggregates in one query are not supported
-- DETAIL: Each of them needs a share of epsilon. Nothing was charged.
-- HINT: Ask for them one by one.
----
SELECT big, count(*) FROM visits GROUP BY big;
-- UnsupportedSqlError at 43: the domain of big is too large for a histogram
-- DETAIL: It has 18000000000000001 values; a histogram without LIMIT may have 1000000. Nothing was charged.
-- HINT: Add ORDER BY count(*) DESC LIMIT 10.
