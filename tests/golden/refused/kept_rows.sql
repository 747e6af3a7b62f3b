SELECT name, count(*) FROM shops LEFT JOIN visits ON page = name GROUP BY name;
-- UnsupportedSqlError at 75: count(*) counts rows of the public table without a partner
-- DETAIL: Which rows have none in visits is private. Nothing was charged.
-- HINT: Aggregate a column of visits, as in count(visits.uid), or write JOIN in place of LEFT JOIN.
----
SELECT name, max(name), count(uid) FROM shops LEFT JOIN visits ON page = name GROUP BY name;
-- UnsupportedSqlError at 18: shops.name of type VARCHAR has no order to choose from
-- DETAIL: Quantiles, sums and means are of numbers; quantiles also of dates and timestamps. Nothing was charged.
-- HINT: Use mode(x), or GROUP BY x with count(*); of texts that are days or numbers write TRY_CAST(x AS DATE) or TRY_CAST(x AS DOUBLE).
----
SELECT page, count(uid) FROM shops LEFT JOIN visits ON page = name GROUP BY page;
-- UnsupportedSqlError at 77: the key visits.page is NULL where this LEFT JOIN finds nothing
-- DETAIL: Which rows of the public table have no partner in visits is private. Nothing was charged.
-- HINT: Group by columns of the public table, or write JOIN in place of LEFT JOIN.
----
SELECT name, avg(coalesce(age, 0)) FROM shops LEFT JOIN visits ON page = name GROUP BY name;
-- UnsupportedSqlError at 88: avg(coalesce(age, 0)) counts rows of the public table without a partner
-- DETAIL: Which rows have none in visits is private. Nothing was charged.
-- HINT: Aggregate a column of visits, as in count(visits.uid), or write JOIN in place of LEFT JOIN.
----
SELECT name, count(uid) FROM shops LEFT JOIN visits ON page = name JOIN people ON id = uid GROUP BY name;
-- UnsupportedSqlError at 73: a LEFT JOIN that keeps rows of a public table is joined further
-- DETAIL: Which of its rows have a partner is private, and this join could depend on it. Nothing was charged.
-- HINT: Join the public tables first, and the private ones LEFT JOIN ... ON their keys after that; or write JOIN in place of LEFT JOIN.
----
SELECT s.name, count(uid) FROM shops AS s LEFT JOIN visits ON page = s.name LEFT JOIN shops AS t ON t.name = s.name GROUP BY ALL;
-- UnsupportedSqlError at 87: a LEFT JOIN that keeps rows of a public table is joined further
-- DETAIL: Which of its rows have a partner is private, and this join could depend on it. Nothing was charged.
-- HINT: Join the public tables first, and the private ones LEFT JOIN ... ON their keys after that; or write JOIN in place of LEFT JOIN.
----
SELECT avg(n) FROM (SELECT uid, count(page) AS n FROM shops LEFT JOIN visits ON page = name GROUP BY uid);
-- UnsupportedSqlError at 102: a subquery that groups by the privacy unit uid is not supported
-- DETAIL: What is computed for each of its values is one person's, and is not computed apart. Nothing was charged.
-- HINT: Write avg(x) or median(x), in which each unit has the same weight, or count(*, contribution_bounds_per_group => (0, HIGH)), without a subquery. HIGH is a bound that is known without looking at the data.
----
SELECT name, count(uid) FROM shops LEFT JOIN visits ON true GROUP BY name;
-- UnsupportedSqlError at 14: public table shops is not joined on a key of its own
-- DETAIL: A row would meet several of its rows, or all: at most 1,000, where a condition says which. Nothing was charged.
-- HINT: Join it ON t.x = shops.key, where key is its PRIMARY KEY or UNIQUE.
----
SELECT name, count(uid) FROM shops CROSS JOIN visits GROUP BY name;
-- UnsupportedSqlError at 14: public table shops is not joined on a key of its own
-- DETAIL: A row would meet several of its rows, or all: at most 1,000, where a condition says which. Nothing was charged.
-- HINT: Join it ON t.x = shops.key, where key is its PRIMARY KEY or UNIQUE.
