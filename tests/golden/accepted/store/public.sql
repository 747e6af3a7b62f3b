SELECT * FROM countries ORDER BY code;
-- plain:
the query
-- plan: public
-- answer:
SELECT *
FROM "memory"."main"."countries" AS "countries"
ORDER BY "code" ASC NULLS LAST;
----
SELECT city, count(*) AS n FROM stores GROUP BY city ORDER BY n DESC, city;
-- plain:
the query
-- plan: public
-- answer:
SELECT "city", system.main.count(*) AS "n"
FROM "memory"."main"."stores" AS "stores"
GROUP BY "city"
ORDER BY "n" DESC NULLS LAST, "city" ASC NULLS LAST;
----
SELECT s.city, c.country FROM stores AS s LEFT JOIN countries AS c USING (code) WHERE s.opened > DATE '2018-01-01' ORDER BY s.store_id;
-- plain:
the query
-- plan: public
-- answer:
SELECT "s"."city", "c"."country"
FROM "memory"."main"."stores" AS "s"
LEFT
JOIN "memory"."main"."countries" AS "c" USING ("code")
WHERE ("s"."opened" > CAST('2018-01-01' AS DATE))
ORDER BY "s"."store_id" ASC NULLS LAST;
----
SELECT category, avg(price) AS mean, max(price), string_agg(title, ', ' ORDER BY product_id) FILTER (WHERE price < 5) FROM products GROUP BY category ORDER BY category;
-- plain:
the query
-- plan: public
-- answer:
SELECT "category", system.main.avg("price") AS "mean", system.main.max("price") AS "max(price)",
  system.main.string_agg("title", ', '
  ORDER BY "product_id" ASC NULLS LAST) FILTER (WHERE ("price" < 5)) AS
  "string_agg(title, ', ' ORDER BY product_id) FILTER (WHERE (price < 5))"
FROM "memory"."main"."products" AS "products"
GROUP BY "category"
ORDER BY "category" ASC NULLS LAST;
----
WITH recent AS (SELECT * FROM stores WHERE opened >= '2019-01-01') SELECT code, count(*) FROM recent GROUP BY ALL HAVING count(*) > 1 ORDER BY 1;
-- plain:
the query
-- plan: public
-- answer:
SELECT "code", system.main.count(*) AS "count_star()"
FROM (SELECT *
  FROM "memory"."main"."stores" AS "stores"
  WHERE ("opened" >= '2019-01-01')) AS "recent"
GROUP BY ALL
HAVING (system.main.count(*) > 1)
ORDER BY 1 ASC NULLS LAST;
----
SELECT city FROM cities WHERE code IN (SELECT code FROM countries WHERE continent = 'Europe') ORDER BY city;
-- plain:
the query
-- plan: public
-- answer:
SELECT "city"
FROM (SELECT "city", "code"
  FROM "memory"."main"."stores" AS "stores") AS "cities"
WHERE ("code" IN (SELECT "code"
    FROM "memory"."main"."countries" AS "countries"
    WHERE ("continent" = 'Europe')))
ORDER BY "city" ASC NULLS LAST;
----
SELECT DISTINCT season, holiday FROM calendar ORDER BY ALL;
-- plain:
the query
-- plan: public
-- answer:
SELECT DISTINCT "season", "holiday"
FROM "memory"."main"."calendar" AS "calendar"
ORDER BY ALL ASC NULLS LAST;
----
SELECT product_id, row_number() OVER (PARTITION BY category ORDER BY price DESC) AS place FROM products QUALIFY place = 1 ORDER BY product_id;
-- plain:
the query
-- plan: public
-- answer:
SELECT "product_id", system.main.row_number() OVER (PARTITION BY "category"
  ORDER BY "price" DESC NULLS LAST) AS "place"
FROM "memory"."main"."products" AS "products" QUALIFY ("place" = 1)
ORDER BY "product_id" ASC NULLS LAST;
----
SELECT 1 AS one;
-- plain:
the query
-- plan: public
-- answer:
SELECT 1 AS "one";
----
SELECT 'a' AS x UNION ALL SELECT 'b' ORDER BY x DESC;
-- plain:
the query
-- plan: public
-- answer:
(SELECT 'a' AS "x")
UNION ALL (SELECT 'b' AS "'b'")
ORDER BY "x" DESC NULLS LAST;
----
FROM stores;
-- plain:
the query
-- plan: public
-- answer:
SELECT *
FROM "memory"."main"."stores" AS "stores";
----
SELECT (SELECT max(price) FROM products) AS top, count(*) FROM countries;
-- plain:
the query
-- plan: public
-- answer:
SELECT (SELECT system.main.max("price") AS "max(price)"
  FROM "memory"."main"."products" AS "products") AS "top", system.main.count(*) AS "count_star()"
FROM "memory"."main"."countries" AS "countries";
