SELECT d.day, count(*) AS n FROM (SELECT CAST(day AS DATE) AS day FROM generate_series(DATE '2024-03-01', DATE '2024-03-05', INTERVAL 1 DAY) AS t(day)) AS d JOIN tickets AS t ON t.opened = d.day GROUP BY d.day;
-- plain:
SELECT k::DATE, count(DISTINCT customer_id) FROM range(DATE '2024-03-01', DATE '2024-03-06', INTERVAL 1 DAY) AS v(k) LEFT JOIN tickets ON opened = k GROUP BY k;
-- plan: EveryKey groups=5, 'day' DATE, Count 0.5 x5 gaussian 5
-- score:
SELECT t.k0 AS "day", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."day" AS k0, t2."customer_id" AS unit
    FROM (SELECT CAST("day" AS DATE) AS "day"
      FROM (SELECT *
        FROM (SELECT CAST("day" AS DATE) AS "day"
          FROM system.main.generate_series(TIMESTAMP '2024-03-01 00:00:00', TIMESTAMP '2024-03-05 00:00:00',
              CAST('0 months 1 days 0 microseconds' AS INTERVAL)) AS "t"("day")) AS "d") AS t) AS t
    JOIN "memory"."main"."tickets" AS t2 ON (t2."opened" = t."day")
    WHERE t2."customer_id" IS NOT NULL AND t."day" IN (DATE '2024-03-01', DATE '2024-03-02', DATE '2024-03-03',
        DATE '2024-03-04', DATE '2024-03-05')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "day", "answer"."a0" AS "n"
FROM "answer";
----
SELECT v.price, count(*) AS n FROM customers AS c JOIN (VALUES ('free', 0), ('basic', 5), ('pro', 10), ('team', 10)) AS v(plan, price) ON c.plan = v.plan GROUP BY v.price;
-- plain:
SELECT v.price, count(customer_id) FROM (VALUES ('free', 0), ('basic', 5), ('pro', 10), ('team', 10)) AS v(plan, price) LEFT JOIN customers AS c ON c.plan = v.plan GROUP BY v.price;
-- plan: EveryKey groups=3, 'price' INTEGER, Count 0.5 x3
-- score:
SELECT t.k0 AS "price", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t2."price" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."customers" AS t
    JOIN (SELECT CAST("plan" AS VARCHAR) AS "plan", CAST("price" AS INTEGER) AS "price"
      FROM (SELECT *
        FROM (VALUES ('free', 0), ('basic', 5), ('pro', 10), ('team', 10)) AS "v"("plan", "price")) AS t) AS
      t2 ON (t."plan" = t2."plan")
    WHERE t."customer_id" IS NOT NULL AND t2."price" IN (0, 5, 10)) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "price", "answer"."a0" AS "n"
FROM "answer";
----
WITH w AS (SELECT unnest(['free', 'pro']) AS plan) SELECT w.plan, count(*) AS n FROM customers AS c JOIN w ON c.plan = w.plan GROUP BY w.plan;
-- plain:
SELECT v.plan, count(customer_id) FROM (VALUES ('free'), ('pro')) AS v(plan) LEFT JOIN customers AS c ON c.plan = v.plan GROUP BY v.plan;
-- plan: EveryKey groups=2, 'plan' VARCHAR, Count 0.5 x2
-- score:
SELECT t.k0 AS "plan", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t2."plan" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."customers" AS t
    JOIN (SELECT CAST("plan" AS VARCHAR) AS "plan"
      FROM (SELECT *
        FROM (SELECT system.main.unnest(system.main.list_value('free', 'pro')) AS "plan") AS "w") AS t) AS t2
      ON (t."plan" = t2."plan")
    WHERE t."customer_id" IS NOT NULL AND t2."plan" IN ('free', 'pro')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "plan", "answer"."a0" AS "n"
FROM "answer";
----
SELECT r.i, count(*) AS n FROM tickets AS t JOIN range(1, 4) AS r(i) ON t.stars = r.i GROUP BY r.i;
-- plain:
SELECT i, count(DISTINCT customer_id) FROM range(1, 4) AS r(i) LEFT JOIN tickets AS t ON t.stars = r.i GROUP BY i;
-- plan: EveryKey groups=3, 'i' BIGINT, Count 0.5 x3
-- score:
SELECT t.k0 AS "i", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t2."i" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."tickets" AS t
    JOIN (SELECT CAST("i" AS BIGINT) AS "i"
      FROM (SELECT *
        FROM system.main.range(CAST('1' AS BIGINT), CAST('4' AS BIGINT), CAST('1' AS BIGINT)) AS "r"("i")) AS
        t) AS t2 ON (CAST(t."stars" AS BIGINT) = t2."i")
    WHERE t."customer_id" IS NOT NULL AND t2."i" IN (1, 2, 3)) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "i", "answer"."a0" AS "n"
FROM "answer";
----
SELECT m, n FROM (SELECT CAST(unnest(range(DATE '2024-01-01', DATE '2025-01-01', INTERVAL 1 MONTH)) AS DATE) AS m) AS c JOIN (SELECT CAST(date_trunc('month', ordered) AS DATE) AS m, count(*) AS n FROM orders GROUP BY 1) AS o USING (m) ORDER BY m LIMIT 3;
-- plain:
SELECT k::DATE, count(DISTINCT customer_id) FROM range(DATE '2024-01-01', DATE '2025-01-01', INTERVAL 1 MONTH) AS v(k) LEFT JOIN orders ON date_trunc('month', ordered) = k GROUP BY k ORDER BY k LIMIT 3;
-- plan: EveryKey groups=12, 'm' DATE, Count 0.5 x12 gaussian apart
-- score:
SELECT t.k0 AS "m", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT CAST(system.main.date_trunc('month', (CASE WHEN t."ordered" BETWEEN TIMESTAMP
            '140000-01-01 (BC)' AND TIMESTAMP '140000-12-31' OR system.main.isinf(t."ordered") THEN t."ordered"
            END)) AS DATE) AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND CAST(system.main.date_trunc('month', (CASE WHEN t."ordered" BETWEEN
            TIMESTAMP '140000-01-01 (BC)' AND TIMESTAMP '140000-12-31' OR system.main.isinf(t."ordered") THEN
            t."ordered" END)) AS DATE) IN (DATE '2024-01-01', DATE '2024-02-01', DATE '2024-03-01', DATE
        '2024-04-01', DATE '2024-05-01', DATE '2024-06-01', DATE '2024-07-01', DATE '2024-08-01', DATE
        '2024-09-01', DATE '2024-10-01', DATE '2024-11-01', DATE '2024-12-01')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "m", "n"
FROM (SELECT CAST(system.main.unnest(system.main.range(TIMESTAMP '2024-01-01 00:00:00', TIMESTAMP
          '2025-01-01 00:00:00', CAST('1 months 0 days 0 microseconds' AS INTERVAL))) AS DATE) AS "m") AS "c"
JOIN (SELECT "answer"."k0" AS "m", "answer"."a0" AS "n"
  FROM "answer") AS "o" USING ("m")
ORDER BY "m" ASC NULLS LAST
LIMIT 3;
----
SELECT unnest(generate_series(3)) AS i ORDER BY i DESC;
-- plain:
the query
-- plan: public
-- answer:
SELECT system.main.unnest(system.main.generate_series(CAST('0' AS BIGINT), CAST('3' AS BIGINT), CAST('1' AS
        BIGINT))) AS "i"
ORDER BY "i" DESC NULLS LAST;
----
SELECT c.city, count(*) AS n FROM orders AS o JOIN stores AS c ON o.store_id = c.store_id JOIN (VALUES (1, 'a'), (2, 'b')) AS v ON v.col0 = c.store_id GROUP BY c.city;
-- plain:
SELECT c.city, count(DISTINCT customer_id) FROM (SELECT * FROM stores WHERE store_id < 3) AS c LEFT JOIN orders AS o ON o.store_id = c.store_id GROUP BY c.city;
-- plan: EveryKey groups=2, 'city' VARCHAR, Count 0.5 x2
-- score:
SELECT t.k0 AS "city", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t2."city" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    JOIN "memory"."main"."stores" AS t2 ON (t."store_id" = t2."store_id")
    JOIN (SELECT CAST("col0" AS INTEGER) AS "col0", CAST("col1" AS VARCHAR) AS "col1"
      FROM (SELECT *
        FROM (VALUES (1, 'a'), (2, 'b')) AS "v") AS t) AS t3 ON (t3."col0" = t2."store_id")
    WHERE t."customer_id" IS NOT NULL AND t2."city" IN ('Berlin', 'Paris')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "city", "answer"."a0" AS "n"
FROM "answer";
