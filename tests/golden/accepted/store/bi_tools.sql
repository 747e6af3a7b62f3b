SELECT status AS status, COUNT(*) AS "COUNT(*)" FROM (SELECT order_id, customer_id, status, ordered, total FROM orders) AS virtual_table WHERE ordered >= '2024-03-01 00:00:00.000000' AND ordered < '2024-09-01 00:00:00.000000' GROUP BY status ORDER BY "COUNT(*)" DESC LIMIT 2;
-- plain:
SELECT status, count(DISTINCT customer_id) AS n FROM orders WHERE ordered >= '2024-03-01' AND ordered < '2024-09-01' AND status IN ('paid', 'sent', 'returned', 'cancelled') GROUP BY status ORDER BY n DESC LIMIT 2;
-- plan: LargestKeys epsilon=0.5 counted=a0 k=2, 'status' VARCHAR
-- score:
SELECT t.k0 AS "status", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."status" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND (t."ordered" < TIMESTAMP '2024-09-01 00:00:00') AND (t."ordered" >=
        TIMESTAMP '2024-03-01 00:00:00') AND t."status" IN ('paid', 'sent', 'returned', 'cancelled')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "status", "answer"."a0" AS "COUNT(*)"
FROM "answer"
ORDER BY "answer"."a0" DESC NULLS LAST, "answer"."rank"
LIMIT 2;
----
SELECT DATE_TRUNC('month', ordered) AS ordered, COUNT(DISTINCT customer_id) AS "COUNT_DISTINCT(customer_id)" FROM main.orders WHERE ordered >= '2024-01-01 00:00:00.000000' AND ordered < '2025-01-01 00:00:00.000000' GROUP BY DATE_TRUNC('month', ordered) ORDER BY "COUNT_DISTINCT(customer_id)" DESC LIMIT 10000;
-- plain:
SELECT date_trunc('month', ordered), count(DISTINCT customer_id) AS n FROM orders WHERE year(ordered) = 2024 GROUP BY 1;
-- plan: EveryKey groups=12, 'ordered' TIMESTAMP, Count 0.5 x12
-- score:
SELECT t.k0 AS "ordered", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT system.main.date_trunc('month', (CASE WHEN t."ordered" BETWEEN TIMESTAMP '140000-01-01 (BC)'
          AND TIMESTAMP '140000-12-31' OR system.main.isinf(t."ordered") THEN t."ordered" END)) AS k0, t."customer_id"
      AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND (t."ordered" < TIMESTAMP '2025-01-01 00:00:00') AND (t."ordered" >=
        TIMESTAMP '2024-01-01 00:00:00') AND system.main.date_trunc('month', (CASE WHEN t."ordered" BETWEEN
          TIMESTAMP '140000-01-01 (BC)' AND TIMESTAMP '140000-12-31' OR system.main.isinf(t."ordered") THEN t."ordered"
          END)) IN (TIMESTAMP '2024-01-01 00:00:00', TIMESTAMP '2024-02-01 00:00:00', TIMESTAMP
        '2024-03-01 00:00:00', TIMESTAMP '2024-04-01 00:00:00', TIMESTAMP '2024-05-01 00:00:00', TIMESTAMP
        '2024-06-01 00:00:00', TIMESTAMP '2024-07-01 00:00:00', TIMESTAMP '2024-08-01 00:00:00', TIMESTAMP
        '2024-09-01 00:00:00', TIMESTAMP '2024-10-01 00:00:00', TIMESTAMP '2024-11-01 00:00:00', TIMESTAMP
        '2024-12-01 00:00:00')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "ordered", "answer"."a0" AS "COUNT_DISTINCT(customer_id)"
FROM "answer"
ORDER BY "answer"."a0" DESC NULLS LAST, "answer"."k0"
LIMIT 10000;
----
SELECT DATE_TRUNC('month', ordered) AS "__timestamp", status AS status, COUNT(*) AS count FROM orders WHERE ordered >= '2024-01-01' AND ordered < '2025-01-01' AND status IN ('paid', 'sent') GROUP BY DATE_TRUNC('month', ordered), status ORDER BY count DESC LIMIT 50000;
-- plain:
SELECT m AS t, d.status, count(DISTINCT customer_id) FROM range(TIMESTAMP '2024-01-01', TIMESTAMP '2025-01-01', INTERVAL 1 MONTH) AS r(m) CROSS JOIN (VALUES ('paid'), ('sent'), ('returned'), ('cancelled')) AS d(status) LEFT JOIN orders AS o ON date_trunc('month', ordered) = m AND o.status = d.status AND o.status IN ('paid', 'sent') GROUP BY m, d.status;
-- plan: EveryKey groups=48, '__timestamp' TIMESTAMP, 'status' VARCHAR, Count 0.5 x48
-- score:
SELECT t.k0 AS "__timestamp", t.k1 AS "status", system.main.count(*) AS score
FROM (SELECT t.k0, t.k1, t.unit
  FROM (SELECT system.main.date_trunc('month', (CASE WHEN t."ordered" BETWEEN TIMESTAMP '140000-01-01 (BC)'
          AND TIMESTAMP '140000-12-31' OR system.main.isinf(t."ordered") THEN t."ordered" END)) AS k0, t."status"
      AS k1, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND (t."ordered" < TIMESTAMP '2025-01-01 00:00:00') AND (t."ordered" >=
        TIMESTAMP '2024-01-01 00:00:00') AND (t."status" IN ('paid', 'sent')) AND system.main.date_trunc('month',
        (CASE WHEN t."ordered" BETWEEN TIMESTAMP '140000-01-01 (BC)' AND TIMESTAMP '140000-12-31' OR
          system.main.isinf(t."ordered") THEN t."ordered" END)) IN (TIMESTAMP '2024-01-01 00:00:00', TIMESTAMP
        '2024-02-01 00:00:00', TIMESTAMP '2024-03-01 00:00:00', TIMESTAMP '2024-04-01 00:00:00', TIMESTAMP
        '2024-05-01 00:00:00', TIMESTAMP '2024-06-01 00:00:00', TIMESTAMP '2024-07-01 00:00:00', TIMESTAMP
        '2024-08-01 00:00:00', TIMESTAMP '2024-09-01 00:00:00', TIMESTAMP '2024-10-01 00:00:00', TIMESTAMP
        '2024-11-01 00:00:00', TIMESTAMP '2024-12-01 00:00:00') AND t."status" IN ('paid', 'sent', 'returned',
        'cancelled')) AS t
  GROUP BY t.k0, t.k1, t.unit) AS t
GROUP BY t.k0, t.k1;
-- answer:
SELECT "answer"."k0" AS "__timestamp", "answer"."k1" AS "status", "answer"."a0" AS "count"
FROM "answer"
ORDER BY "answer"."a0" DESC NULLS LAST, "answer"."k0", "answer"."k1"
LIMIT 50000;
----
SELECT COUNT(*) AS "COUNT(*)", AVG(total) AS "AVG(total)", SUM(total) AS "SUM(total)" FROM main.orders WHERE status = 'paid' LIMIT 50000;
-- plain:
SELECT count(*), avg(m), sum(least(greatest(s, 0), 250)) FROM (SELECT avg(least(greatest(total, 0), 250)) AS m, sum(total) AS s FROM orders WHERE status = 'paid' AND customer_id IS NOT NULL GROUP BY customer_id);
-- plan: OneGroup, Count 0.15675 x1, Mean 0.1865 x1, Sum 0.15675 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND (t."status" = 'paid')) AS t
  GROUP BY t.unit) AS t;
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score, system.main.count(*) AS units
FROM (SELECT CAST(system.main."//"(system.main.sum(t.value), system.main.count(*)) AS BIGINT) AS part
  FROM (SELECT CASE WHEN CAST(t."total" AS DOUBLE) <= CAST('0.0' AS DOUBLE) THEN CAST('0' AS BIGINT) WHEN
      CAST(t."total" AS DOUBLE) >= CAST('250.0' AS DOUBLE) THEN CAST('1073741824' AS BIGINT) ELSE
      CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t."total" AS
                    DOUBLE), CAST('0.0' AS DOUBLE)), CAST('250.0' AS DOUBLE)), CAST('1073741824.0' AS
                DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND (t."status" = 'paid') AND t."total" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS DECIMAL(38,2)) ELSE system.main.sum(t.part)
  END AS score
FROM (SELECT system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS DECIMAL(38,2)), CAST('0.00'
          AS DECIMAL(38,2))), CAST('250.00' AS DECIMAL(38,2))) AS part
  FROM (SELECT CAST(CASE WHEN t."total" < CAST('-9999999.99' AS DECIMAL(9,2)) THEN CAST('-9999999.99' AS
          DECIMAL(9,2)) WHEN t."total" > CAST('9999999.99' AS DECIMAL(9,2)) THEN CAST('9999999.99' AS
          DECIMAL(9,2)) ELSE t."total" END AS DECIMAL(38,2)) AS value, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND (t."status" = 'paid') AND t."total" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "COUNT(*)", "answer"."a1" AS "AVG(total)", "answer"."a2" AS "SUM(total)"
FROM "answer"
LIMIT 50000;
----
SELECT sum("COUNT(*)") AS "sum__n" FROM (SELECT status AS status, COUNT(*) AS "COUNT(*)" FROM main.orders GROUP BY status ORDER BY "COUNT(*)" DESC LIMIT 2) AS series_limit;
-- plain:
SELECT 48 + 36;
-- plan: LargestKeys epsilon=0.5 counted=a0 k=2, 'status' VARCHAR
-- score:
SELECT t.k0 AS "status", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."status" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND t."status" IN ('paid', 'sent', 'returned', 'cancelled')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT system.main.sum("COUNT(*)") AS "sum__n"
FROM (SELECT "answer"."k0" AS "status", "answer"."a0" AS "COUNT(*)"
  FROM "answer"
  ORDER BY "answer"."a0" DESC NULLS LAST, "answer"."rank"
  LIMIT 2) AS "series_limit";
----
SELECT "main"."orders"."status" AS "status", COUNT(*) AS "count" FROM "main"."orders" GROUP BY "main"."orders"."status" ORDER BY "count" DESC, "main"."orders"."status" ASC LIMIT 3;
-- plain:
SELECT status, count(DISTINCT customer_id) AS n FROM orders WHERE status IN ('paid', 'sent', 'returned', 'cancelled') GROUP BY status ORDER BY n DESC, status LIMIT 3;
-- plan: LargestKeys epsilon=0.5 counted=a0 k=3, 'status' VARCHAR
-- score:
SELECT t.k0 AS "status", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."status" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND t."status" IN ('paid', 'sent', 'returned', 'cancelled')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "status", "answer"."a0" AS "count"
FROM "answer"
ORDER BY "answer"."a0" DESC NULLS LAST, "answer"."k0" NULLS LAST, "answer"."rank"
LIMIT 3;
----
SELECT "public"."orders"."status" AS "status", COUNT(*) AS "count" FROM "public"."orders" WHERE ("public"."orders"."total" >= 50) AND ("public"."orders"."total" < 150) GROUP BY "public"."orders"."status" ORDER BY "public"."orders"."status" ASC;
-- plain:
SELECT d.status, count(DISTINCT customer_id) FROM (VALUES ('paid'), ('sent'), ('returned'), ('cancelled')) AS d(status) LEFT JOIN orders AS o ON o.status = d.status AND total >= 50 AND total < 150 GROUP BY d.status ORDER BY d.status;
-- plan: EveryKey groups=4, 'status' VARCHAR, Count 0.5 x4
-- score:
SELECT t.k0 AS "status", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."status" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND (t."total" < CAST('150.00' AS DECIMAL(9,2))) AND (t."total" >= CAST('50.00'
          AS DECIMAL(9,2))) AND t."status" IN ('paid', 'sent', 'returned', 'cancelled')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "status", "answer"."a0" AS "count"
FROM "answer"
ORDER BY "answer"."k0" NULLS LAST;
----
SELECT DATE_TRUNC('month', "main"."orders"."ordered") AS "ordered", COUNT(*) AS "count" FROM "main"."orders" WHERE "main"."orders"."ordered" >= TIMESTAMP '2024-02-01 00:00:00' AND "main"."orders"."ordered" < TIMESTAMP '2024-05-01 00:00:00' GROUP BY DATE_TRUNC('month', "main"."orders"."ordered") ORDER BY DATE_TRUNC('month', "main"."orders"."ordered") ASC;
-- plain:
SELECT m AS month, count(DISTINCT customer_id) FROM range(TIMESTAMP '2024-01-01', TIMESTAMP '2025-01-01', INTERVAL 1 MONTH) AS r(m) LEFT JOIN orders ON date_trunc('month', ordered) = m AND month(ordered) BETWEEN 2 AND 4 GROUP BY m ORDER BY month;
-- plan: EveryKey groups=12, 'ordered' TIMESTAMP, Count 0.5 x12
-- score:
SELECT t.k0 AS "ordered", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT system.main.date_trunc('month', (CASE WHEN t."ordered" BETWEEN TIMESTAMP '140000-01-01 (BC)'
          AND TIMESTAMP '140000-12-31' OR system.main.isinf(t."ordered") THEN t."ordered" END)) AS k0, t."customer_id"
      AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND (t."ordered" < TIMESTAMP '2024-05-01 00:00:00') AND (t."ordered" >=
        TIMESTAMP '2024-02-01 00:00:00') AND system.main.date_trunc('month', (CASE WHEN t."ordered" BETWEEN
          TIMESTAMP '140000-01-01 (BC)' AND TIMESTAMP '140000-12-31' OR system.main.isinf(t."ordered") THEN t."ordered"
          END)) IN (TIMESTAMP '2024-01-01 00:00:00', TIMESTAMP '2024-02-01 00:00:00', TIMESTAMP
        '2024-03-01 00:00:00', TIMESTAMP '2024-04-01 00:00:00', TIMESTAMP '2024-05-01 00:00:00', TIMESTAMP
        '2024-06-01 00:00:00', TIMESTAMP '2024-07-01 00:00:00', TIMESTAMP '2024-08-01 00:00:00', TIMESTAMP
        '2024-09-01 00:00:00', TIMESTAMP '2024-10-01 00:00:00', TIMESTAMP '2024-11-01 00:00:00', TIMESTAMP
        '2024-12-01 00:00:00')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "ordered", "answer"."a0" AS "count"
FROM "answer"
ORDER BY "answer"."k0" NULLS LAST;
----
SELECT "source"."city" AS "city", COUNT(*) AS "count" FROM (SELECT "main"."orders"."customer_id" AS "customer_id", "main"."orders"."total" AS "total", "Stores"."city" AS "city" FROM "main"."orders" INNER JOIN "main"."stores" AS "Stores" ON "main"."orders"."store_id" = "Stores"."store_id") AS "source" WHERE "source"."total" > 100 GROUP BY "source"."city" ORDER BY "count" DESC, "source"."city" ASC;
-- plain:
SELECT d.city, count(DISTINCT customer_id) AS n FROM (SELECT DISTINCT city FROM stores) AS d LEFT JOIN (SELECT * FROM orders JOIN stores USING (store_id) WHERE total > 100) AS o ON o.city = d.city GROUP BY d.city ORDER BY n DESC, d.city;
-- plan: EveryKey groups=7, 'city' VARCHAR, Count 0.5 x7
-- score:
SELECT t.k0 AS "city", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t2."city" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    JOIN "memory"."main"."stores" AS t2 ON (t."store_id" = t2."store_id")
    WHERE t."customer_id" IS NOT NULL AND (t."total" > CAST('100.00' AS DECIMAL(9,2))) AND t2."city" IN ('Berlin',
        'Bonn', 'Lyon', 'Nowhere', 'Osaka', 'Paris', 'Tokyo')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "city", "answer"."a0" AS "count"
FROM "answer"
ORDER BY "answer"."a0" DESC NULLS LAST, "answer"."k0" NULLS LAST;
----
SELECT "Stores"."city" AS "Stores__city", SUM("main"."items"."quantity") AS "sum" FROM "main"."items" LEFT JOIN "main"."orders" AS "Orders" ON "main"."items"."order_id" = "Orders"."order_id" LEFT JOIN "main"."stores" AS "Stores" ON "Orders"."store_id" = "Stores"."store_id" WHERE "Stores"."code" = 'fr' GROUP BY "Stores"."city" HAVING COUNT(*) > 0;
-- plain:
SELECT city, sum(q) FROM (SELECT city, least(sum(quantity), 5) AS q FROM items JOIN orders USING (order_id) JOIN stores USING (store_id) WHERE code = 'fr' AND customer_id IS NOT NULL GROUP BY city, customer_id) GROUP BY city;
-- plan: EveryKey groups=7, 'city' VARCHAR, Sum 0.25 x7, Count 0.25 x7
-- score:
SELECT t.k0 AS "city", CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE
  system.main.sum(t.part) END AS score
FROM (SELECT t.k0, system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS HUGEINT), CAST('1'
          AS HUGEINT)), CAST('5' AS HUGEINT)) AS part
  FROM (SELECT t3."city" AS k0, CAST(CASE WHEN t."quantity" < CAST('-5242880' AS INTEGER) THEN CAST('-5242880'
          AS INTEGER) WHEN t."quantity" > CAST('5242880' AS INTEGER) THEN CAST('5242880' AS INTEGER) ELSE t."quantity"
        END AS HUGEINT) AS value, t4."customer_id" AS unit
    FROM "memory"."main"."items" AS t
    LEFT
    JOIN "memory"."main"."orders" AS t2 ON (t."order_id" = t2."order_id")
    LEFT
    JOIN "memory"."main"."stores" AS t3 ON (t2."store_id" = t3."store_id")
    JOIN "memory"."main"."orders" AS t4 ON t."order_id" = t4."order_id"
    WHERE t4."customer_id" IS NOT NULL AND (t3."code" = 'fr') AND t."quantity" IS NOT NULL AND t3."city" IN ('Berlin',
        'Bonn', 'Lyon', 'Nowhere', 'Osaka', 'Paris', 'Tokyo')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- score:
SELECT t.k0 AS "city", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t3."city" AS k0, t4."customer_id" AS unit
    FROM "memory"."main"."items" AS t
    LEFT
    JOIN "memory"."main"."orders" AS t2 ON (t."order_id" = t2."order_id")
    LEFT
    JOIN "memory"."main"."stores" AS t3 ON (t2."store_id" = t3."store_id")
    JOIN "memory"."main"."orders" AS t4 ON t."order_id" = t4."order_id"
    WHERE t4."customer_id" IS NOT NULL AND (t3."code" = 'fr') AND t3."city" IN ('Berlin', 'Bonn', 'Lyon',
        'Nowhere', 'Osaka', 'Paris', 'Tokyo')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "Stores__city", "answer"."a0" AS "sum"
FROM "answer"
WHERE ("answer"."a1" > 0);
----
SELECT COUNT(*) AS "count" FROM "main"."orders" WHERE (LOWER("main"."orders"."status") LIKE '%a%') AND ("main"."orders"."total" IS NOT NULL);
-- plain:
SELECT count(DISTINCT customer_id) FROM orders WHERE status LIKE '%a%';
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND (NOT (t."total" IS NULL)) AND system.main."~~"(system.main.lower(t."status"),
        '%a%')) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count"
FROM "answer";
----
SELECT CAST("main"."orders"."ordered" AS DATE) AS "ordered", COUNT(DISTINCT "main"."orders"."customer_id") AS "count" FROM "main"."orders" WHERE "main"."orders"."ordered" >= DATE '2024-06-01' AND "main"."orders"."ordered" < DATE '2024-06-08' GROUP BY CAST("main"."orders"."ordered" AS DATE) HAVING COUNT(*) > 0 ORDER BY CAST("main"."orders"."ordered" AS DATE) ASC;
-- plain:
SELECT ordered::DATE AS day, count(DISTINCT customer_id) AS n FROM orders WHERE ordered >= '2024-06-01' AND ordered < '2024-06-08' AND customer_id IS NOT NULL GROUP BY day ORDER BY day;
-- plan: EveryKey groups=366, 'ordered' DATE, Count 0.5 x366
-- score:
SELECT t.k0 AS "ordered", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT CAST(t."ordered" AS DATE) AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND (t."ordered" < TIMESTAMP '2024-06-08 00:00:00') AND (t."ordered" >=
        TIMESTAMP '2024-06-01 00:00:00') AND (CAST(t."ordered" AS DATE) >= DATE '2024-01-01' AND CAST(t."ordered"
          AS DATE) <= DATE '2024-12-31')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "ordered", "answer"."a0" AS "count"
FROM "answer"
WHERE ("answer"."a0" > 0)
ORDER BY "answer"."k0" NULLS LAST;
----
SELECT "orders"."status" AS "status", SUM(1) AS "cnt:orders:ok" FROM "main"."orders" "orders" GROUP BY 1;
-- plain:
SELECT d.status, count(DISTINCT customer_id)::HUGEINT FROM (VALUES ('paid'), ('sent'), ('returned'), ('cancelled')) AS d(status) LEFT JOIN orders AS o ON o.status = d.status GROUP BY d.status;
-- plan: EveryKey groups=4, 'status' VARCHAR, Count 0.5 x4
-- score:
SELECT t.k0 AS "status", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."status" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND t."status" IN ('paid', 'sent', 'returned', 'cancelled')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "status", "answer"."a0" AS "cnt:orders:ok"
FROM "answer";
----
SELECT "orders"."status" AS "status", COUNT(DISTINCT "orders"."customer_id") AS "ctd:customer_id:ok", AVG("orders"."total") AS "avg:total:ok" FROM "main"."orders" "orders" WHERE ("orders"."status" <> 'returned') GROUP BY 1 HAVING (COUNT(1) > 0);
-- plain:
SELECT status, count(*), avg(m) FROM (SELECT status, avg(least(greatest(total, 0), 250)) AS m FROM orders WHERE status IN ('paid', 'sent') AND customer_id IS NOT NULL GROUP BY status, customer_id) GROUP BY status;
-- plan: EveryKey groups=4, 'status' VARCHAR, Count 0.22835 x4, Mean 0.27165 x4
-- score:
SELECT t.k0 AS "status", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."status" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND (t."status" <> 'returned') AND t."status" IN ('paid', 'sent',
        'returned', 'cancelled')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- score:
SELECT t.k0 AS "status", CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE
  system.main.sum(t.part) END AS score, system.main.count(*) AS units
FROM (SELECT t.k0, CAST(system.main."//"(system.main.sum(t.value), system.main.count(*)) AS BIGINT) AS part
  FROM (SELECT t."status" AS k0, CASE WHEN CAST(t."total" AS DOUBLE) <= CAST('0.0' AS DOUBLE) THEN CAST('0' AS
        BIGINT) WHEN CAST(t."total" AS DOUBLE) >= CAST('250.0' AS DOUBLE) THEN CAST('1073741824' AS BIGINT)
      ELSE CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t."total"
                    AS DOUBLE), CAST('0.0' AS DOUBLE)), CAST('250.0' AS DOUBLE)), CAST('1073741824.0' AS
                DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND (t."status" <> 'returned') AND t."total" IS NOT NULL AND t."status"
      IN ('paid', 'sent', 'returned', 'cancelled')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "status", "answer"."a0" AS "ctd:customer_id:ok", "answer"."a1" AS "avg:total:ok"
FROM "answer"
WHERE ("answer"."a0" > 0);
----
SELECT COUNT(1) AS "cnt:orders:ok" FROM "main"."orders" "orders" HAVING (COUNT(1) > 0);
-- plain:
SELECT count(DISTINCT customer_id) FROM orders;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "cnt:orders:ok"
FROM "answer"
WHERE ("answer"."a0" > 0);
----
SELECT CAST(EXTRACT(YEAR FROM "orders"."ordered") AS INTEGER) AS "yr:ordered:ok", CAST(EXTRACT(QUARTER FROM "orders"."ordered") AS INTEGER) AS "qr:ordered:ok", COUNT("orders"."order_id") AS "cnt:order_id:ok" FROM "main"."orders" "orders" GROUP BY 1, 2 HAVING COUNT(1) > 0;
-- plain:
SELECT year(ordered)::INTEGER AS y, quarter(ordered)::INTEGER AS q, count(DISTINCT customer_id) FROM orders WHERE year(ordered) = 2024 GROUP BY y, q;
-- plan: EveryKey groups=4, 'yr:ordered:ok' INTEGER, 'qr:ordered:ok' INTEGER, Count 0.25 x4, Count 0.25 x4
-- score:
SELECT t.k0 AS "yr:ordered:ok", t.k1 AS "qr:ordered:ok", system.main.count(*) AS score
FROM (SELECT t.k0, t.k1, t.unit
  FROM (SELECT TRY_CAST(system.main.year(t."ordered") AS INTEGER) AS k0, TRY_CAST(system.main.quarter(t."ordered")
        AS INTEGER) AS k1, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND t."order_id" IS NOT NULL AND TRY_CAST(system.main.year(t."ordered")
        AS INTEGER) IN (2024) AND (TRY_CAST(system.main.quarter(t."ordered") AS INTEGER) >= 1 AND
        TRY_CAST(system.main.quarter(t."ordered") AS INTEGER) <= 4)) AS t
  GROUP BY t.k0, t.k1, t.unit) AS t
GROUP BY t.k0, t.k1;
-- score:
SELECT t.k0 AS "yr:ordered:ok", t.k1 AS "qr:ordered:ok", system.main.count(*) AS score
FROM (SELECT t.k0, t.k1, t.unit
  FROM (SELECT TRY_CAST(system.main.year(t."ordered") AS INTEGER) AS k0, TRY_CAST(system.main.quarter(t."ordered")
        AS INTEGER) AS k1, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND TRY_CAST(system.main.year(t."ordered") AS INTEGER) IN (2024) AND
      (TRY_CAST(system.main.quarter(t."ordered") AS INTEGER) >= 1 AND TRY_CAST(system.main.quarter(t."ordered")
          AS INTEGER) <= 4)) AS t
  GROUP BY t.k0, t.k1, t.unit) AS t
GROUP BY t.k0, t.k1;
-- answer:
SELECT "answer"."k0" AS "yr:ordered:ok", "answer"."k1" AS "qr:ordered:ok", "answer"."a0" AS "cnt:order_id:ok"
FROM "answer"
WHERE ("answer"."a1" > 0);
----
SELECT MIN("customers"."income") AS "TEMP(min)", MAX("customers"."income") AS "TEMP(max)" FROM "main"."customers" "customers" HAVING (COUNT(1) > 0);
-- plain:
SELECT [l[1], l[1] + 0], [l[79], l[80]] FROM (SELECT list_sort(list(least(income, 100000) // 1000 * 1000)) AS l FROM customers);
-- plan: OneGroup, Quantile 0.20465 x1, Quantile 0.20455 x1, Count 0.0908 x1
-- score:
SELECT t.value AS "income", system.main.count(*) AS score
FROM (SELECT system.main."//"(CAST(t.value AS BIGINT), CAST('1000' AS BIGINT)) AS value
  FROM (SELECT CASE WHEN t.value < 0 THEN CAST('0' AS INTEGER) WHEN t.value > 100000 THEN CAST('100000' AS
        INTEGER) ELSE t.value END AS value
    FROM (SELECT t."income" AS value, t."customer_id" AS unit
      FROM "memory"."main"."customers" AS t
      WHERE t."customer_id" IS NOT NULL AND t."income" IS NOT NULL) AS t) AS t) AS t
GROUP BY t.value;
-- score:
SELECT t.value AS "income", system.main.count(*) AS score
FROM (SELECT system.main."//"(CAST(t.value AS BIGINT), CAST('1000' AS BIGINT)) AS value
  FROM (SELECT CASE WHEN t.value < 0 THEN CAST('0' AS INTEGER) WHEN t.value > 100000 THEN CAST('100000' AS
        INTEGER) ELSE t.value END AS value
    FROM (SELECT t."income" AS value, t."customer_id" AS unit
      FROM "memory"."main"."customers" AS t
      WHERE t."customer_id" IS NOT NULL AND t."income" IS NOT NULL) AS t) AS t) AS t
GROUP BY t.value;
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t."customer_id" AS unit
  FROM "memory"."main"."customers" AS t
  WHERE t."customer_id" IS NOT NULL) AS t;
-- answer:
SELECT "answer"."a0" AS "TEMP(min)", "answer"."a1" AS "TEMP(max)"
FROM "answer"
WHERE ("answer"."a2" > 0);
----
SELECT "t0"."status" AS "status", "t0"."n" AS "n" FROM (SELECT "orders"."status" AS "status", COUNT(1) AS "n" FROM "main"."orders" "orders" GROUP BY 1) "t0" INNER JOIN (SELECT "orders"."status" AS "status", COUNT(1) AS "n" FROM "main"."orders" "orders" GROUP BY 1) "t1" ON ("t0"."status" = "t1"."status") WHERE "t1"."n" > 40;
-- plain:
SELECT 'paid', 48;
-- plan: EveryKey groups=4, 'status' VARCHAR, Count 0.5 x4
-- score:
SELECT t.k0 AS "status", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."status" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND t."status" IN ('paid', 'sent', 'returned', 'cancelled')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "t0"."status" AS "status", "t0"."n" AS "n"
FROM (SELECT "answer"."k0" AS "status", "answer"."a0" AS "n"
  FROM "answer") AS "t0"
JOIN (SELECT "answer"."k0" AS "status", "answer"."a0" AS "n"
  FROM "answer") AS "t1" ON ("t0"."status" = "t1"."status")
WHERE ("t1"."n" > 40);
----
select "_"."status", "a0" from (select "rows"."status" as "status", count(1) as "a0" from "public"."orders" "rows" group by "rows"."status") "_" where not "a0" is null limit 1000001;
-- plain:
SELECT d.status, count(DISTINCT customer_id) FROM (VALUES ('paid'), ('sent'), ('returned'), ('cancelled')) AS d(status) LEFT JOIN orders AS o ON o.status = d.status GROUP BY d.status;
-- plan: EveryKey groups=4, 'status' VARCHAR, Count 0.5 x4
-- score:
SELECT t.k0 AS "status", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."status" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND t."status" IN ('paid', 'sent', 'returned', 'cancelled')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "_"."status", "a0"
FROM (SELECT "answer"."k0" AS "status", "answer"."a0" AS "a0"
  FROM "answer") AS "_"
WHERE (NOT ("a0" IS NULL))
LIMIT 1000001;
----
select "_"."status", "a0", "a1" from (select "rows"."status" as "status", sum(cast("rows"."total" as decimal(18,2))) as "a0", count(distinct("rows"."customer_id")) as "a1" from (select "_"."customer_id", "_"."status", "_"."total" from "main"."orders" "_" where "_"."total" < 60) "rows" group by "rows"."status") "_" where not "a0" is null or not "a1" is null limit 1000001;
-- plain:
SELECT d.status, coalesce(sum(s), 0)::DECIMAL(38,2), count(s) FROM (VALUES ('paid'), ('sent'), ('returned'), ('cancelled')) AS d(status) LEFT JOIN (SELECT status, least(greatest(sum(total), 0), 250) AS s FROM orders WHERE total < 60 AND customer_id IS NOT NULL GROUP BY status, customer_id) AS o ON o.status = d.status GROUP BY d.status;
-- plan: EveryKey groups=4, 'status' VARCHAR, Sum 0.25 x4, Count 0.25 x4
-- score:
SELECT t.k0 AS "status", CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS DECIMAL(38,2)) ELSE
  system.main.sum(t.part) END AS score
FROM (SELECT t.k0, system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS DECIMAL(38,2)),
        CAST('0.00' AS DECIMAL(38,2))), CAST('250.00' AS DECIMAL(38,2))) AS part
  FROM (SELECT t."status" AS k0, CAST(CASE WHEN CAST((CASE WHEN t."total" BETWEEN CAST('-9999999.99' AS
              DECIMAL(9,2)) AND CAST('9999999.99' AS DECIMAL(9,2)) THEN t."total" END) AS DECIMAL(18,2)) <
        CAST('-262144000.00' AS DECIMAL(18,2)) THEN CAST('-262144000.00' AS DECIMAL(18,2)) WHEN CAST((CASE
            WHEN t."total" BETWEEN CAST('-9999999.99' AS DECIMAL(9,2)) AND CAST('9999999.99' AS DECIMAL(9,2))
            THEN t."total" END) AS DECIMAL(18,2)) > CAST('262144000.00' AS DECIMAL(18,2)) THEN CAST('262144000.00'
          AS DECIMAL(18,2)) ELSE CAST((CASE WHEN t."total" BETWEEN CAST('-9999999.99' AS DECIMAL(9,2)) AND
            CAST('9999999.99' AS DECIMAL(9,2)) THEN t."total" END) AS DECIMAL(18,2)) END AS DECIMAL(38,2)) AS
      value, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND (t."total" < CAST('60.00' AS DECIMAL(9,2))) AND CAST((CASE WHEN t."total"
          BETWEEN CAST('-9999999.99' AS DECIMAL(9,2)) AND CAST('9999999.99' AS DECIMAL(9,2)) THEN t."total"
          END) AS DECIMAL(18,2)) IS NOT NULL AND t."status" IN ('paid', 'sent', 'returned', 'cancelled')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- score:
SELECT t.k0 AS "status", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."status" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND (t."total" < CAST('60.00' AS DECIMAL(9,2))) AND t."status" IN ('paid',
        'sent', 'returned', 'cancelled')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "_"."status", "a0", "a1"
FROM (SELECT "answer"."k0" AS "status", "answer"."a0" AS "a0", "answer"."a1" AS "a1"
  FROM "answer") AS "_"
WHERE ((NOT ("a0" IS NULL)) OR (NOT ("a1" IS NULL)))
LIMIT 1000001;
----
select "_"."city", "a0" from (select "basetable1"."city", count(1) as "a0" from (select "t1"."customer_id", "t2"."city" from "main"."orders" "t1" inner join "main"."stores" "t2" on "t1"."store_id" = "t2"."store_id") "basetable1" group by "basetable1"."city") "_" order by "a0" desc, "_"."city" limit 3;
-- plain:
SELECT city, count(DISTINCT customer_id) AS n FROM orders JOIN stores USING (store_id) GROUP BY city ORDER BY n DESC, city LIMIT 3;
-- plan: LargestKeys epsilon=0.5 counted=a0 k=3, 'city' VARCHAR
-- score:
SELECT t.k0 AS "city", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t2."city" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    JOIN "memory"."main"."stores" AS t2 ON (t."store_id" = t2."store_id")
    WHERE t."customer_id" IS NOT NULL AND t2."city" IN ('Berlin', 'Bonn', 'Lyon', 'Nowhere', 'Osaka', 'Paris',
        'Tokyo')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "_"."city", "a0"
FROM (SELECT "answer"."k0" AS "city", "answer"."a0" AS "a0"
  FROM "answer") AS "_"
ORDER BY "a0" DESC NULLS LAST, "_"."city" ASC NULLS LAST
LIMIT 3;
----
select sum("a0") as "total" from (select "rows"."status" as "status", count(1) as "a0" from "main"."orders" "rows" group by "rows"."status") "_";
-- plain:
SELECT 48 + 36 + 32;
-- plan: EveryKey groups=4, 'status' VARCHAR, Count 0.5 x4
-- score:
SELECT t.k0 AS "status", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."status" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND t."status" IN ('paid', 'sent', 'returned', 'cancelled')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT system.main.sum("a0") AS "total"
FROM (SELECT "answer"."k0" AS "status", "answer"."a0" AS "a0"
  FROM "answer") AS "_";
----
SELECT date_trunc('hour', ordered) AS time, count(*) FROM orders WHERE ordered BETWEEN '2024-03-01 00:00:00' AND '2024-03-02 00:00:00' GROUP BY 1 HAVING count(*) > 0 ORDER BY 1;
-- plain:
SELECT date_trunc('hour', ordered) AS time, count(DISTINCT customer_id) FROM orders WHERE ordered BETWEEN '2024-03-01' AND '2024-03-02' AND customer_id IS NOT NULL GROUP BY time ORDER BY time;
-- plan: EveryKey groups=8784, 'time' TIMESTAMP, Count 0.5 x8784
-- score:
SELECT t.k0 AS "time", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT system.main.date_trunc('hour', (CASE WHEN t."ordered" BETWEEN TIMESTAMP '140000-01-01 (BC)' AND
          TIMESTAMP '140000-12-31' OR system.main.isinf(t."ordered") THEN t."ordered" END)) AS k0, t."customer_id"
      AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND ((t."ordered" >= TIMESTAMP '2024-03-01 00:00:00') AND (t."ordered"
          <= TIMESTAMP '2024-03-02 00:00:00')) AND (CASE WHEN system.main.date_trunc('hour', (CASE WHEN t."ordered"
            BETWEEN TIMESTAMP '140000-01-01 (BC)' AND TIMESTAMP '140000-12-31' OR system.main.isinf(t."ordered")
            THEN t."ordered" END)) >= TIMESTAMP '2024-01-01 00:00:00' AND system.main.date_trunc('hour', (CASE
            WHEN t."ordered" BETWEEN TIMESTAMP '140000-01-01 (BC)' AND TIMESTAMP '140000-12-31' OR
            system.main.isinf(t."ordered") THEN t."ordered" END)) <= TIMESTAMP '2024-12-31 23:00:00' THEN
        system.main."%"(system.main."-"(system.main.epoch_us(system.main.date_trunc('hour', (CASE WHEN t."ordered"
                  BETWEEN TIMESTAMP '140000-01-01 (BC)' AND TIMESTAMP '140000-12-31' OR system.main.isinf(t."ordered")
                  THEN t."ordered" END))), CAST('1704067200000000' AS BIGINT)), CAST('3600000000' AS BIGINT))
        = 0 ELSE FALSE END)) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "time", "answer"."a0" AS "count_star()"
FROM "answer"
WHERE ("answer"."a0" > 0)
ORDER BY "answer"."k0" NULLS LAST;
----
SELECT time_bucket(INTERVAL '1 day', ordered) AS "time", status AS metric, count(*) AS value FROM orders WHERE ordered >= '2024-04-01' AND ordered < '2024-04-05' AND status IN ('paid') GROUP BY 1, 2 HAVING count(*) > 0 ORDER BY 1, 2;
-- plain:
SELECT ordered::DATE::TIMESTAMP AS "time", status, count(DISTINCT customer_id) FROM orders WHERE ordered >= '2024-04-01' AND ordered < '2024-04-05' AND status = 'paid' AND customer_id IS NOT NULL GROUP BY ALL ORDER BY 1, 2;
-- plan: EveryKey groups=1464, 'time' TIMESTAMP, 'status' VARCHAR, Count 0.5 x1464
-- score:
SELECT t.k0 AS "time", t.k1 AS "status", system.main.count(*) AS score
FROM (SELECT t.k0, t.k1, t.unit
  FROM (SELECT system.main.time_bucket(CAST('0 months 1 days 0 microseconds' AS INTERVAL), (CASE WHEN t."ordered"
          BETWEEN TIMESTAMP '140000-01-01 (BC)' AND TIMESTAMP '140000-12-31' OR system.main.isinf(t."ordered")
          THEN t."ordered" END)) AS k0, t."status" AS k1, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND (t."ordered" < TIMESTAMP '2024-04-05 00:00:00') AND (t."ordered" >=
        TIMESTAMP '2024-04-01 00:00:00') AND (t."status" IN ('paid')) AND (CASE WHEN
        system.main.time_bucket(CAST('0 months 1 days 0 microseconds' AS INTERVAL), (CASE WHEN t."ordered"
            BETWEEN TIMESTAMP '140000-01-01 (BC)' AND TIMESTAMP '140000-12-31' OR system.main.isinf(t."ordered")
            THEN t."ordered" END)) >= TIMESTAMP '2024-01-01 00:00:00' AND system.main.time_bucket(CAST('0 months 1 days 0 microseconds'
            AS INTERVAL), (CASE WHEN t."ordered" BETWEEN TIMESTAMP '140000-01-01 (BC)' AND TIMESTAMP
            '140000-12-31' OR system.main.isinf(t."ordered") THEN t."ordered" END)) <= TIMESTAMP
        '2024-12-31 00:00:00' THEN system.main."%"(system.main."-"(system.main.epoch_us(system.main.time_bucket(CAST('0 months 1 days 0 microseconds'
                  AS INTERVAL), (CASE WHEN t."ordered" BETWEEN TIMESTAMP '140000-01-01 (BC)' AND TIMESTAMP
                  '140000-12-31' OR system.main.isinf(t."ordered") THEN t."ordered" END))), CAST('1704067200000000'
              AS BIGINT)), CAST('86400000000' AS BIGINT)) = 0 ELSE FALSE END) AND t."status" IN ('paid',
        'sent', 'returned', 'cancelled')) AS t
  GROUP BY t.k0, t.k1, t.unit) AS t
GROUP BY t.k0, t.k1;
-- answer:
SELECT "answer"."k0" AS "time", "answer"."k1" AS "metric", "answer"."a0" AS "value"
FROM "answer"
WHERE ("answer"."a0" > 0)
ORDER BY "answer"."k0" NULLS LAST, "answer"."k1" NULLS LAST;
----
SELECT orders.status AS "orders.status", COUNT(*) AS "orders.count", COUNT(DISTINCT orders.customer_id) AS "orders.buyers" FROM main.orders AS orders GROUP BY 1 ORDER BY 2 DESC LIMIT 500;
-- plain:
SELECT d.status, count(DISTINCT customer_id) AS n, count(DISTINCT customer_id) FROM (VALUES ('paid'), ('sent'), ('returned'), ('cancelled')) AS d(status) LEFT JOIN orders AS o ON o.status = d.status GROUP BY d.status ORDER BY n DESC;
-- plan: EveryKey groups=4, 'status' VARCHAR, Count 0.5 x4
-- score:
SELECT t.k0 AS "status", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."status" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND t."status" IN ('paid', 'sent', 'returned', 'cancelled')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "orders.status", "answer"."a0" AS "orders.count", "answer"."a0" AS "orders.buyers"
FROM "answer"
ORDER BY "answer"."a0" DESC NULLS LAST, "answer"."k0"
LIMIT 500;
----
WITH q AS (SELECT status, count(*) AS n FROM orders GROUP BY status) SELECT * FROM q ORDER BY n DESC LIMIT 1000;
-- plain:
SELECT d.status, count(DISTINCT customer_id) AS n FROM (VALUES ('paid'), ('sent'), ('returned'), ('cancelled')) AS d(status) LEFT JOIN orders AS o ON o.status = d.status GROUP BY d.status ORDER BY n DESC;
-- plan: EveryKey groups=4, 'status' VARCHAR, Count 0.5 x4
-- score:
SELECT t.k0 AS "status", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."status" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND t."status" IN ('paid', 'sent', 'returned', 'cancelled')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT *
FROM (SELECT "answer"."k0" AS "status", "answer"."a0" AS "n"
  FROM "answer") AS "q"
ORDER BY "n" DESC NULLS LAST
LIMIT 1000;
----
SELECT q.* FROM (SELECT plan AS "Plan", count(*) AS "Customers" FROM customers GROUP BY 1) AS q WHERE q."Customers" > 15 ORDER BY q."Customers" DESC;
-- plain:
SELECT plan, count(*) AS n FROM customers WHERE plan IN ('free', 'basic') GROUP BY plan ORDER BY n DESC;
-- plan: EveryKey groups=1, 'plan' VARCHAR, Count 0.5 x1
-- score:
SELECT t.k0 AS "plan", system.main.count(*) AS score
FROM (SELECT t."plan" AS k0, t."customer_id" AS unit
  FROM "memory"."main"."customers" AS t
  WHERE t."customer_id" IS NOT NULL AND t."plan" IN ('free', 'basic', 'pro', 'team')) AS t
GROUP BY t.k0;
-- answer:
SELECT "q".*
FROM (SELECT "answer"."k0" AS "Plan", "answer"."a0" AS "Customers"
  FROM "answer") AS "q"
WHERE ("q"."Customers" > 15)
ORDER BY "q"."Customers" DESC NULLS LAST;
----
SELECT DATE_TRUNC('month', orders.ordered)::DATE AS "orders.month", COUNT(*) AS "orders.count", COALESCE(SUM(orders.total), 0) AS "orders.total" FROM orders WHERE ((orders.ordered >= (TIMESTAMP '2024-01-01') AND orders.ordered < (TIMESTAMP '2024-04-01'))) AND orders.total < 60 GROUP BY 1 HAVING COUNT(*) > 0 ORDER BY 1 DESC LIMIT 500;
-- plain:
SELECT m::DATE AS month, count(*), sum(s) FROM (SELECT date_trunc('month', ordered) AS m, least(greatest(sum(total), 0), 250) AS s FROM orders WHERE ordered >= '2024-01-01' AND ordered < '2024-04-01' AND total < 60 AND customer_id IS NOT NULL GROUP BY m, customer_id) GROUP BY month ORDER BY month DESC;
-- plan: EveryKey groups=12, 'orders.month' DATE, Count 0.25 x12, Sum 0.25 x12
-- score:
SELECT t.k0 AS "orders.month", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT CAST(system.main.date_trunc('month', (CASE WHEN t."ordered" BETWEEN TIMESTAMP
            '140000-01-01 (BC)' AND TIMESTAMP '140000-12-31' OR system.main.isinf(t."ordered") THEN t."ordered"
            END)) AS DATE) AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND (t."ordered" < TIMESTAMP '2024-04-01 00:00:00') AND (t."ordered" >=
        TIMESTAMP '2024-01-01 00:00:00') AND (t."total" < CAST('60.00' AS DECIMAL(9,2))) AND
      CAST(system.main.date_trunc('month', (CASE WHEN t."ordered" BETWEEN TIMESTAMP '140000-01-01 (BC)' AND
            TIMESTAMP '140000-12-31' OR system.main.isinf(t."ordered") THEN t."ordered" END)) AS DATE) IN
      (DATE '2024-01-01', DATE '2024-02-01', DATE '2024-03-01', DATE '2024-04-01', DATE '2024-05-01', DATE
        '2024-06-01', DATE '2024-07-01', DATE '2024-08-01', DATE '2024-09-01', DATE '2024-10-01', DATE
        '2024-11-01', DATE '2024-12-01')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- score:
SELECT t.k0 AS "orders.month", CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS DECIMAL(38,2)) ELSE
  system.main.sum(t.part) END AS score
FROM (SELECT t.k0, system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS DECIMAL(38,2)),
        CAST('0.00' AS DECIMAL(38,2))), CAST('250.00' AS DECIMAL(38,2))) AS part
  FROM (SELECT CAST(system.main.date_trunc('month', (CASE WHEN t."ordered" BETWEEN TIMESTAMP
            '140000-01-01 (BC)' AND TIMESTAMP '140000-12-31' OR system.main.isinf(t."ordered") THEN t."ordered"
            END)) AS DATE) AS k0, CAST(CASE WHEN t."total" < CAST('-9999999.99' AS DECIMAL(9,2)) THEN CAST('-9999999.99'
          AS DECIMAL(9,2)) WHEN t."total" > CAST('9999999.99' AS DECIMAL(9,2)) THEN CAST('9999999.99' AS
          DECIMAL(9,2)) ELSE t."total" END AS DECIMAL(38,2)) AS value, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND (t."ordered" < TIMESTAMP '2024-04-01 00:00:00') AND (t."ordered" >=
        TIMESTAMP '2024-01-01 00:00:00') AND (t."total" < CAST('60.00' AS DECIMAL(9,2))) AND t."total" IS NOT
      NULL AND CAST(system.main.date_trunc('month', (CASE WHEN t."ordered" BETWEEN TIMESTAMP
            '140000-01-01 (BC)' AND TIMESTAMP '140000-12-31' OR system.main.isinf(t."ordered") THEN t."ordered"
            END)) AS DATE) IN (DATE '2024-01-01', DATE '2024-02-01', DATE '2024-03-01', DATE '2024-04-01',
        DATE '2024-05-01', DATE '2024-06-01', DATE '2024-07-01', DATE '2024-08-01', DATE '2024-09-01', DATE
        '2024-10-01', DATE '2024-11-01', DATE '2024-12-01')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "orders.month", "answer"."a0" AS "orders.count", COALESCE("answer"."a1", 0) AS
  "orders.total"
FROM "answer"
WHERE ("answer"."a0" > 0)
ORDER BY "answer"."k0" DESC NULLS LAST
LIMIT 500;
----
SELECT avg(total) AS value FROM orders WHERE ordered BETWEEN '2024-01-01T00:00:00' AND '2024-06-30T23:59:59.999';
-- plain:
SELECT avg(m) FROM (SELECT avg(least(greatest(total, 0), 250)) AS m FROM orders WHERE ordered >= '2024-01-01' AND ordered < '2024-07-01' AND customer_id IS NOT NULL GROUP BY customer_id);
-- plan: OneGroup, Mean 0.5 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score, system.main.count(*) AS units
FROM (SELECT CAST(system.main."//"(system.main.sum(t.value), system.main.count(*)) AS BIGINT) AS part
  FROM (SELECT CASE WHEN CAST(t."total" AS DOUBLE) <= CAST('0.0' AS DOUBLE) THEN CAST('0' AS BIGINT) WHEN
      CAST(t."total" AS DOUBLE) >= CAST('250.0' AS DOUBLE) THEN CAST('1073741824' AS BIGINT) ELSE
      CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t."total" AS
                    DOUBLE), CAST('0.0' AS DOUBLE)), CAST('250.0' AS DOUBLE)), CAST('1073741824.0' AS
                DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND ((t."ordered" >= TIMESTAMP '2024-01-01 00:00:00') AND (t."ordered"
          <= TIMESTAMP '2024-06-30 23:59:59.999000')) AND t."total" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "value"
FROM "answer";
----
SELECT date_trunc('hour', ordered) AS time, count(*) FROM orders WHERE ordered BETWEEN '2024-03-01T00:00:00Z' AND '2024-03-02T00:00:00Z' GROUP BY 1 HAVING count(*) > 0 ORDER BY 1;
-- plain:
SELECT date_trunc('hour', ordered) AS time, count(DISTINCT customer_id) FROM orders WHERE ordered BETWEEN '2024-03-01' AND '2024-03-02' AND customer_id IS NOT NULL GROUP BY time ORDER BY time;
-- plan: EveryKey groups=8784, 'time' TIMESTAMP, Count 0.5 x8784
-- score:
SELECT t.k0 AS "time", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT system.main.date_trunc('hour', (CASE WHEN t."ordered" BETWEEN TIMESTAMP '140000-01-01 (BC)' AND
          TIMESTAMP '140000-12-31' OR system.main.isinf(t."ordered") THEN t."ordered" END)) AS k0, t."customer_id"
      AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND ((t."ordered" >= TIMESTAMP '2024-03-01 00:00:00') AND (t."ordered"
          <= TIMESTAMP '2024-03-02 00:00:00')) AND (CASE WHEN system.main.date_trunc('hour', (CASE WHEN t."ordered"
            BETWEEN TIMESTAMP '140000-01-01 (BC)' AND TIMESTAMP '140000-12-31' OR system.main.isinf(t."ordered")
            THEN t."ordered" END)) >= TIMESTAMP '2024-01-01 00:00:00' AND system.main.date_trunc('hour', (CASE
            WHEN t."ordered" BETWEEN TIMESTAMP '140000-01-01 (BC)' AND TIMESTAMP '140000-12-31' OR
            system.main.isinf(t."ordered") THEN t."ordered" END)) <= TIMESTAMP '2024-12-31 23:00:00' THEN
        system.main."%"(system.main."-"(system.main.epoch_us(system.main.date_trunc('hour', (CASE WHEN t."ordered"
                  BETWEEN TIMESTAMP '140000-01-01 (BC)' AND TIMESTAMP '140000-12-31' OR system.main.isinf(t."ordered")
                  THEN t."ordered" END))), CAST('1704067200000000' AS BIGINT)), CAST('3600000000' AS BIGINT))
        = 0 ELSE FALSE END)) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "time", "answer"."a0" AS "count_star()"
FROM "answer"
WHERE ("answer"."a0" > 0)
ORDER BY "answer"."k0" NULLS LAST;
----
SELECT avg(total) AS value FROM orders WHERE ordered BETWEEN '2024-01-01T00:00:00.000Z' AND '2024-06-30T23:59:59.999Z';
-- plain:
SELECT avg(m) FROM (SELECT avg(least(greatest(total, 0), 250)) AS m FROM orders WHERE ordered >= '2024-01-01' AND ordered < '2024-07-01' AND customer_id IS NOT NULL GROUP BY customer_id);
-- plan: OneGroup, Mean 0.5 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score, system.main.count(*) AS units
FROM (SELECT CAST(system.main."//"(system.main.sum(t.value), system.main.count(*)) AS BIGINT) AS part
  FROM (SELECT CASE WHEN CAST(t."total" AS DOUBLE) <= CAST('0.0' AS DOUBLE) THEN CAST('0' AS BIGINT) WHEN
      CAST(t."total" AS DOUBLE) >= CAST('250.0' AS DOUBLE) THEN CAST('1073741824' AS BIGINT) ELSE
      CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t."total" AS
                    DOUBLE), CAST('0.0' AS DOUBLE)), CAST('250.0' AS DOUBLE)), CAST('1073741824.0' AS
                DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND ((t."ordered" >= TIMESTAMP '2024-01-01 00:00:00') AND (t."ordered"
          <= TIMESTAMP '2024-06-30 23:59:59.999000')) AND t."total" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "value"
FROM "answer";
----
SELECT status AS status, COUNT(*) AS count FROM main.orders WHERE ordered >= TO_TIMESTAMP('2024-03-01 00:00:00.000000', 'YYYY-MM-DD HH24:MI:SS.US') AND ordered < TO_TIMESTAMP('2024-09-01 00:00:00.000000', 'YYYY-MM-DD HH24:MI:SS.US') GROUP BY status ORDER BY count DESC LIMIT 10000;
-- plain:
SELECT status, count FROM (SELECT d.status, count(DISTINCT customer_id) AS count FROM (VALUES ('paid'), ('sent'), ('returned'), ('cancelled')) AS d(status) LEFT JOIN orders AS o ON o.status = d.status AND ordered >= '2024-03-01' AND ordered < '2024-09-01' GROUP BY d.status) ORDER BY count DESC;
-- plan: EveryKey groups=4, 'status' VARCHAR, Count 0.5 x4
-- score:
SELECT t.k0 AS "status", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."status" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND (t."ordered" < TIMESTAMP '2024-09-01 00:00:00') AND (t."ordered" >=
        TIMESTAMP '2024-03-01 00:00:00') AND t."status" IN ('paid', 'sent', 'returned', 'cancelled')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "status", "answer"."a0" AS "count"
FROM "answer"
ORDER BY "answer"."a0" DESC NULLS LAST, "answer"."k0"
LIMIT 10000;
----
SELECT COUNT(*) AS count FROM customers WHERE born >= TO_DATE('1980-01-01', 'YYYY-MM-DD') AND born < TO_DATE('1990-01-01', 'YYYY-MM-DD');
-- plain:
SELECT count(*) AS count FROM customers WHERE born >= '1980-01-01' AND born < '1990-01-01';
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t."customer_id" AS unit
  FROM "memory"."main"."customers" AS t
  WHERE t."customer_id" IS NOT NULL AND (t."born" < DATE '1990-01-01') AND (t."born" >= DATE '1980-01-01')) AS
  t;
-- answer:
SELECT "answer"."a0" AS "count"
FROM "answer";
----
SELECT floor(extract(epoch from ordered)/86400)*86400 AS "time", count(*) AS value FROM orders WHERE ordered BETWEEN '2024-03-01T00:00:00Z' AND '2024-03-08T00:00:00Z' GROUP BY 1 HAVING count(*) > 0 ORDER BY 1;
-- plain:
SELECT epoch(ordered::DATE) AS "time", count(DISTINCT customer_id) AS value FROM orders WHERE ordered BETWEEN '2024-03-01' AND '2024-03-08' AND customer_id IS NOT NULL GROUP BY 1 ORDER BY 1;
-- plan: EveryKey groups=366, 'time' DOUBLE, Count 0.5 x366
-- score:
SELECT t.k0 AS "time", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT system.main."*"(system.main.floor(system.main."/"(system.main.epoch(t."ordered"), CAST('86400.0'
              AS DOUBLE))), CAST('86400.0' AS DOUBLE)) AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND ((t."ordered" >= TIMESTAMP '2024-03-01 00:00:00') AND (t."ordered"
          <= TIMESTAMP '2024-03-08 00:00:00')) AND system.main."*"(system.main.floor(system.main."/"(system.main.epoch(t."ordered"),
            CAST('86400.0' AS DOUBLE))), CAST('86400.0' AS DOUBLE)) IN (CAST('1704067200.0' AS DOUBLE), CAST('1704153600.0'
          AS DOUBLE), CAST('1704240000.0' AS DOUBLE), CAST('1704326400.0' AS DOUBLE), CAST('1704412800.0' AS
          DOUBLE), CAST('1704499200.0' AS DOUBLE), CAST('1704585600.0' AS DOUBLE), CAST('1704672000.0' AS
          DOUBLE), CAST('1704758400.0' AS DOUBLE), CAST('1704844800.0' AS DOUBLE), CAST('1704931200.0' AS
          DOUBLE), CAST('1705017600.0' AS DOUBLE), CAST('1705104000.0' AS DOUBLE), CAST('1705190400.0' AS
          DOUBLE), CAST('1705276800.0' AS DOUBLE), CAST('1705363200.0' AS DOUBLE), CAST('1705449600.0' AS
          DOUBLE), CAST('1705536000.0' AS DOUBLE), CAST('1705622400.0' AS DOUBLE), CAST('1705708800.0' AS
          DOUBLE), CAST('1705795200.0' AS DOUBLE), CAST('1705881600.0' AS DOUBLE), CAST('1705968000.0' AS
          DOUBLE), CAST('1706054400.0' AS DOUBLE), CAST('1706140800.0' AS DOUBLE), CAST('1706227200.0' AS
          DOUBLE), CAST('1706313600.0' AS DOUBLE), CAST('1706400000.0' AS DOUBLE), CAST('1706486400.0' AS
          DOUBLE), CAST('1706572800.0' AS DOUBLE), CAST('1706659200.0' AS DOUBLE), CAST('1706745600.0' AS
          DOUBLE), CAST('1706832000.0' AS DOUBLE), CAST('1706918400.0' AS DOUBLE), CAST('1707004800.0' AS
          DOUBLE), CAST('1707091200.0' AS DOUBLE), CAST('1707177600.0' AS DOUBLE), CAST('1707264000.0' AS
          DOUBLE), CAST('1707350400.0' AS DOUBLE), CAST('1707436800.0' AS DOUBLE), CAST('1707523200.0' AS
          DOUBLE), CAST('1707609600.0' AS DOUBLE), CAST('1707696000.0' AS DOUBLE), CAST('1707782400.0' AS
          DOUBLE), CAST('1707868800.0' AS DOUBLE), CAST('1707955200.0' AS DOUBLE), CAST('1708041600.0' AS
          DOUBLE), CAST('1708128000.0' AS DOUBLE), CAST('1708214400.0' AS DOUBLE), CAST('1708300800.0' AS
          DOUBLE), CAST('1708387200.0' AS DOUBLE), CAST('1708473600.0' AS DOUBLE), CAST('1708560000.0' AS
          DOUBLE), CAST('1708646400.0' AS DOUBLE), CAST('1708732800.0' AS DOUBLE), CAST('1708819200.0' AS
          DOUBLE), CAST('1708905600.0' AS DOUBLE), CAST('1708992000.0' AS DOUBLE), CAST('1709078400.0' AS
          DOUBLE), CAST('1709164800.0' AS DOUBLE), CAST('1709251200.0' AS DOUBLE), CAST('1709337600.0' AS
          DOUBLE), CAST('1709424000.0' AS DOUBLE), CAST('1709510400.0' AS DOUBLE), CAST('1709596800.0' AS
          DOUBLE), CAST('1709683200.0' AS DOUBLE), CAST('1709769600.0' AS DOUBLE), CAST('1709856000.0' AS
          DOUBLE), CAST('1709942400.0' AS DOUBLE), CAST('1710028800.0' AS DOUBLE), CAST('1710115200.0' AS
          DOUBLE), CAST('1710201600.0' AS DOUBLE), CAST('1710288000.0' AS DOUBLE), CAST('1710374400.0' AS
          DOUBLE), CAST('1710460800.0' AS DOUBLE), CAST('1710547200.0' AS DOUBLE), CAST('1710633600.0' AS
          DOUBLE), CAST('1710720000.0' AS DOUBLE), CAST('1710806400.0' AS DOUBLE), CAST('1710892800.0' AS
          DOUBLE), CAST('1710979200.0' AS DOUBLE), CAST('1711065600.0' AS DOUBLE), CAST('1711152000.0' AS
          DOUBLE), CAST('1711238400.0' AS DOUBLE), CAST('1711324800.0' AS DOUBLE), CAST('1711411200.0' AS
          DOUBLE), CAST('1711497600.0' AS DOUBLE), CAST('1711584000.0' AS DOUBLE), CAST('1711670400.0' AS
          DOUBLE), CAST('1711756800.0' AS DOUBLE), CAST('1711843200.0' AS DOUBLE), CAST('1711929600.0' AS
          DOUBLE), CAST('1712016000.0' AS DOUBLE), CAST('1712102400.0' AS DOUBLE), CAST('1712188800.0' AS
          DOUBLE), CAST('1712275200.0' AS DOUBLE), CAST('1712361600.0' AS DOUBLE), CAST('1712448000.0' AS
          DOUBLE), CAST('1712534400.0' AS DOUBLE), CAST('1712620800.0' AS DOUBLE), CAST('1712707200.0' AS
          DOUBLE), CAST('1712793600.0' AS DOUBLE), CAST('1712880000.0' AS DOUBLE), CAST('1712966400.0' AS
          DOUBLE), CAST('1713052800.0' AS DOUBLE), CAST('1713139200.0' AS DOUBLE), CAST('1713225600.0' AS
          DOUBLE), CAST('1713312000.0' AS DOUBLE), CAST('1713398400.0' AS DOUBLE), CAST('1713484800.0' AS
          DOUBLE), CAST('1713571200.0' AS DOUBLE), CAST('1713657600.0' AS DOUBLE), CAST('1713744000.0' AS
          DOUBLE), CAST('1713830400.0' AS DOUBLE), CAST('1713916800.0' AS DOUBLE), CAST('1714003200.0' AS
          DOUBLE), CAST('1714089600.0' AS DOUBLE), CAST('1714176000.0' AS DOUBLE), CAST('1714262400.0' AS
          DOUBLE), CAST('1714348800.0' AS DOUBLE), CAST('1714435200.0' AS DOUBLE), CAST('1714521600.0' AS
          DOUBLE), CAST('1714608000.0' AS DOUBLE), CAST('1714694400.0' AS DOUBLE), CAST('1714780800.0' AS
          DOUBLE), CAST('1714867200.0' AS DOUBLE), CAST('1714953600.0' AS DOUBLE), CAST('1715040000.0' AS
          DOUBLE), CAST('1715126400.0' AS DOUBLE), CAST('1715212800.0' AS DOUBLE), CAST('1715299200.0' AS
          DOUBLE), CAST('1715385600.0' AS DOUBLE), CAST('1715472000.0' AS DOUBLE), CAST('1715558400.0' AS
          DOUBLE), CAST('1715644800.0' AS DOUBLE), CAST('1715731200.0' AS DOUBLE), CAST('1715817600.0' AS
          DOUBLE), CAST('1715904000.0' AS DOUBLE), CAST('1715990400.0' AS DOUBLE), CAST('1716076800.0' AS
          DOUBLE), CAST('1716163200.0' AS DOUBLE), CAST('1716249600.0' AS DOUBLE), CAST('1716336000.0' AS
          DOUBLE), CAST('1716422400.0' AS DOUBLE), CAST('1716508800.0' AS DOUBLE), CAST('1716595200.0' AS
          DOUBLE), CAST('1716681600.0' AS DOUBLE), CAST('1716768000.0' AS DOUBLE), CAST('1716854400.0' AS
          DOUBLE), CAST('1716940800.0' AS DOUBLE), CAST('1717027200.0' AS DOUBLE), CAST('1717113600.0' AS
          DOUBLE), CAST('1717200000.0' AS DOUBLE), CAST('1717286400.0' AS DOUBLE), CAST('1717372800.0' AS
          DOUBLE), CAST('1717459200.0' AS DOUBLE), CAST('1717545600.0' AS DOUBLE), CAST('1717632000.0' AS
          DOUBLE), CAST('1717718400.0' AS DOUBLE), CAST('1717804800.0' AS DOUBLE), CAST('1717891200.0' AS
          DOUBLE), CAST('1717977600.0' AS DOUBLE), CAST('1718064000.0' AS DOUBLE), CAST('1718150400.0' AS
          DOUBLE), CAST('1718236800.0' AS DOUBLE), CAST('1718323200.0' AS DOUBLE), CAST('1718409600.0' AS
          DOUBLE), CAST('1718496000.0' AS DOUBLE), CAST('1718582400.0' AS DOUBLE), CAST('1718668800.0' AS
          DOUBLE), CAST('1718755200.0' AS DOUBLE), CAST('1718841600.0' AS DOUBLE), CAST('1718928000.0' AS
          DOUBLE), CAST('1719014400.0' AS DOUBLE), CAST('1719100800.0' AS DOUBLE), CAST('1719187200.0' AS
          DOUBLE), CAST('1719273600.0' AS DOUBLE), CAST('1719360000.0' AS DOUBLE), CAST('1719446400.0' AS
          DOUBLE), CAST('1719532800.0' AS DOUBLE), CAST('1719619200.0' AS DOUBLE), CAST('1719705600.0' AS
          DOUBLE), CAST('1719792000.0' AS DOUBLE), CAST('1719878400.0' AS DOUBLE), CAST('1719964800.0' AS
          DOUBLE), CAST('1720051200.0' AS DOUBLE), CAST('1720137600.0' AS DOUBLE), CAST('1720224000.0' AS
          DOUBLE), CAST('1720310400.0' AS DOUBLE), CAST('1720396800.0' AS DOUBLE), CAST('1720483200.0' AS
          DOUBLE), CAST('1720569600.0' AS DOUBLE), CAST('1720656000.0' AS DOUBLE), CAST('1720742400.0' AS
          DOUBLE), CAST('1720828800.0' AS DOUBLE), CAST('1720915200.0' AS DOUBLE), CAST('1721001600.0' AS
          DOUBLE), CAST('1721088000.0' AS DOUBLE), CAST('1721174400.0' AS DOUBLE), CAST('1721260800.0' AS
          DOUBLE), CAST('1721347200.0' AS DOUBLE), CAST('1721433600.0' AS DOUBLE), CAST('1721520000.0' AS
          DOUBLE), CAST('1721606400.0' AS DOUBLE), CAST('1721692800.0' AS DOUBLE), CAST('1721779200.0' AS
          DOUBLE), CAST('1721865600.0' AS DOUBLE), CAST('1721952000.0' AS DOUBLE), CAST('1722038400.0' AS
          DOUBLE), CAST('1722124800.0' AS DOUBLE), CAST('1722211200.0' AS DOUBLE), CAST('1722297600.0' AS
          DOUBLE), CAST('1722384000.0' AS DOUBLE), CAST('1722470400.0' AS DOUBLE), CAST('1722556800.0' AS
          DOUBLE), CAST('1722643200.0' AS DOUBLE), CAST('1722729600.0' AS DOUBLE), CAST('1722816000.0' AS
          DOUBLE), CAST('1722902400.0' AS DOUBLE), CAST('1722988800.0' AS DOUBLE), CAST('1723075200.0' AS
          DOUBLE), CAST('1723161600.0' AS DOUBLE), CAST('1723248000.0' AS DOUBLE), CAST('1723334400.0' AS
          DOUBLE), CAST('1723420800.0' AS DOUBLE), CAST('1723507200.0' AS DOUBLE), CAST('1723593600.0' AS
          DOUBLE), CAST('1723680000.0' AS DOUBLE), CAST('1723766400.0' AS DOUBLE), CAST('1723852800.0' AS
          DOUBLE), CAST('1723939200.0' AS DOUBLE), CAST('1724025600.0' AS DOUBLE), CAST('1724112000.0' AS
          DOUBLE), CAST('1724198400.0' AS DOUBLE), CAST('1724284800.0' AS DOUBLE), CAST('1724371200.0' AS
          DOUBLE), CAST('1724457600.0' AS DOUBLE), CAST('1724544000.0' AS DOUBLE), CAST('1724630400.0' AS
          DOUBLE), CAST('1724716800.0' AS DOUBLE), CAST('1724803200.0' AS DOUBLE), CAST('1724889600.0' AS
          DOUBLE), CAST('1724976000.0' AS DOUBLE), CAST('1725062400.0' AS DOUBLE), CAST('1725148800.0' AS
          DOUBLE), CAST('1725235200.0' AS DOUBLE), CAST('1725321600.0' AS DOUBLE), CAST('1725408000.0' AS
          DOUBLE), CAST('1725494400.0' AS DOUBLE), CAST('1725580800.0' AS DOUBLE), CAST('1725667200.0' AS
          DOUBLE), CAST('1725753600.0' AS DOUBLE), CAST('1725840000.0' AS DOUBLE), CAST('1725926400.0' AS
          DOUBLE), CAST('1726012800.0' AS DOUBLE), CAST('1726099200.0' AS DOUBLE), CAST('1726185600.0' AS
          DOUBLE), CAST('1726272000.0' AS DOUBLE), CAST('1726358400.0' AS DOUBLE), CAST('1726444800.0' AS
          DOUBLE), CAST('1726531200.0' AS DOUBLE), CAST('1726617600.0' AS DOUBLE), CAST('1726704000.0' AS
          DOUBLE), CAST('1726790400.0' AS DOUBLE), CAST('1726876800.0' AS DOUBLE), CAST('1726963200.0' AS
          DOUBLE), CAST('1727049600.0' AS DOUBLE), CAST('1727136000.0' AS DOUBLE), CAST('1727222400.0' AS
          DOUBLE), CAST('1727308800.0' AS DOUBLE), CAST('1727395200.0' AS DOUBLE), CAST('1727481600.0' AS
          DOUBLE), CAST('1727568000.0' AS DOUBLE), CAST('1727654400.0' AS DOUBLE), CAST('1727740800.0' AS
          DOUBLE), CAST('1727827200.0' AS DOUBLE), CAST('1727913600.0' AS DOUBLE), CAST('1728000000.0' AS
          DOUBLE), CAST('1728086400.0' AS DOUBLE), CAST('1728172800.0' AS DOUBLE), CAST('1728259200.0' AS
          DOUBLE), CAST('1728345600.0' AS DOUBLE), CAST('1728432000.0' AS DOUBLE), CAST('1728518400.0' AS
          DOUBLE), CAST('1728604800.0' AS DOUBLE), CAST('1728691200.0' AS DOUBLE), CAST('1728777600.0' AS
          DOUBLE), CAST('1728864000.0' AS DOUBLE), CAST('1728950400.0' AS DOUBLE), CAST('1729036800.0' AS
          DOUBLE), CAST('1729123200.0' AS DOUBLE), CAST('1729209600.0' AS DOUBLE), CAST('1729296000.0' AS
          DOUBLE), CAST('1729382400.0' AS DOUBLE), CAST('1729468800.0' AS DOUBLE), CAST('1729555200.0' AS
          DOUBLE), CAST('1729641600.0' AS DOUBLE), CAST('1729728000.0' AS DOUBLE), CAST('1729814400.0' AS
          DOUBLE), CAST('1729900800.0' AS DOUBLE), CAST('1729987200.0' AS DOUBLE), CAST('1730073600.0' AS
          DOUBLE), CAST('1730160000.0' AS DOUBLE), CAST('1730246400.0' AS DOUBLE), CAST('1730332800.0' AS
          DOUBLE), CAST('1730419200.0' AS DOUBLE), CAST('1730505600.0' AS DOUBLE), CAST('1730592000.0' AS
          DOUBLE), CAST('1730678400.0' AS DOUBLE), CAST('1730764800.0' AS DOUBLE), CAST('1730851200.0' AS
          DOUBLE), CAST('1730937600.0' AS DOUBLE), CAST('1731024000.0' AS DOUBLE), CAST('1731110400.0' AS
          DOUBLE), CAST('1731196800.0' AS DOUBLE), CAST('1731283200.0' AS DOUBLE), CAST('1731369600.0' AS
          DOUBLE), CAST('1731456000.0' AS DOUBLE), CAST('1731542400.0' AS DOUBLE), CAST('1731628800.0' AS
          DOUBLE), CAST('1731715200.0' AS DOUBLE), CAST('1731801600.0' AS DOUBLE), CAST('1731888000.0' AS
          DOUBLE), CAST('1731974400.0' AS DOUBLE), CAST('1732060800.0' AS DOUBLE), CAST('1732147200.0' AS
          DOUBLE), CAST('1732233600.0' AS DOUBLE), CAST('1732320000.0' AS DOUBLE), CAST('1732406400.0' AS
          DOUBLE), CAST('1732492800.0' AS DOUBLE), CAST('1732579200.0' AS DOUBLE), CAST('1732665600.0' AS
          DOUBLE), CAST('1732752000.0' AS DOUBLE), CAST('1732838400.0' AS DOUBLE), CAST('1732924800.0' AS
          DOUBLE), CAST('1733011200.0' AS DOUBLE), CAST('1733097600.0' AS DOUBLE), CAST('1733184000.0' AS
          DOUBLE), CAST('1733270400.0' AS DOUBLE), CAST('1733356800.0' AS DOUBLE), CAST('1733443200.0' AS
          DOUBLE), CAST('1733529600.0' AS DOUBLE), CAST('1733616000.0' AS DOUBLE), CAST('1733702400.0' AS
          DOUBLE), CAST('1733788800.0' AS DOUBLE), CAST('1733875200.0' AS DOUBLE), CAST('1733961600.0' AS
          DOUBLE), CAST('1734048000.0' AS DOUBLE), CAST('1734134400.0' AS DOUBLE), CAST('1734220800.0' AS
          DOUBLE), CAST('1734307200.0' AS DOUBLE), CAST('1734393600.0' AS DOUBLE), CAST('1734480000.0' AS
          DOUBLE), CAST('1734566400.0' AS DOUBLE), CAST('1734652800.0' AS DOUBLE), CAST('1734739200.0' AS
          DOUBLE), CAST('1734825600.0' AS DOUBLE), CAST('1734912000.0' AS DOUBLE), CAST('1734998400.0' AS
          DOUBLE), CAST('1735084800.0' AS DOUBLE), CAST('1735171200.0' AS DOUBLE), CAST('1735257600.0' AS
          DOUBLE), CAST('1735344000.0' AS DOUBLE), CAST('1735430400.0' AS DOUBLE), CAST('1735516800.0' AS
          DOUBLE), CAST('1735603200.0' AS DOUBLE))) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "time", "answer"."a0" AS "value"
FROM "answer"
WHERE ("answer"."a0" > 0)
ORDER BY "answer"."k0" NULLS LAST;
----
SELECT ((FLOOR((("public"."orders"."total" - 5.0) / 12.5)) * 12.5) + 5.0) AS "total", COUNT(*) AS "count" FROM "public"."orders" GROUP BY ((FLOOR((("public"."orders"."total" - 5.0) / 12.5)) * 12.5) + 5.0) HAVING COUNT(*) > 0 ORDER BY ((FLOOR((("public"."orders"."total" - 5.0) / 12.5)) * 12.5) + 5.0) ASC;
-- plain:
SELECT floor((total - 5.0) / 12.5) * 12.5 + 5.0 AS total, count(DISTINCT customer_id) AS count FROM orders WHERE total BETWEEN -7.5 AND 254.99 AND customer_id IS NOT NULL GROUP BY 1 ORDER BY 1;
-- plan: EveryKey groups=21, 'total' DOUBLE, Count 0.5 x21
-- score:
SELECT t.k0 AS "total", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT system.main."+"(system.main."*"(system.main.floor(system.main."/"(CAST(CAST(system.main."-"(CAST((CASE
                        WHEN t."total" BETWEEN CAST('-9999999.99' AS DECIMAL(9,2)) AND CAST('9999999.99' AS
                          DECIMAL(9,2)) THEN t."total" END) AS DECIMAL(10,2)), CAST('5.00' AS DECIMAL(10,2)))
                  AS DECIMAL(10,2)) AS DOUBLE), CAST('12.5' AS DOUBLE))), CAST('12.5' AS DOUBLE)), CAST('5.0'
          AS DOUBLE)) AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND system.main."+"(system.main."*"(system.main.floor(system.main."/"(CAST(CAST(system.main."-"(CAST((CASE
                        WHEN t."total" BETWEEN CAST('-9999999.99' AS DECIMAL(9,2)) AND CAST('9999999.99' AS
                          DECIMAL(9,2)) THEN t."total" END) AS DECIMAL(10,2)), CAST('5.00' AS DECIMAL(10,2)))
                  AS DECIMAL(10,2)) AS DOUBLE), CAST('12.5' AS DOUBLE))), CAST('12.5' AS DOUBLE)), CAST('5.0'
          AS DOUBLE)) IN (CAST('-7.5' AS DOUBLE), CAST('5.0' AS DOUBLE), CAST('17.5' AS DOUBLE), CAST('30.0'
          AS DOUBLE), CAST('42.5' AS DOUBLE), CAST('55.0' AS DOUBLE), CAST('67.5' AS DOUBLE), CAST('80.0' AS
          DOUBLE), CAST('92.5' AS DOUBLE), CAST('105.0' AS DOUBLE), CAST('117.5' AS DOUBLE), CAST('130.0' AS
          DOUBLE), CAST('142.5' AS DOUBLE), CAST('155.0' AS DOUBLE), CAST('167.5' AS DOUBLE), CAST('180.0' AS
          DOUBLE), CAST('192.5' AS DOUBLE), CAST('205.0' AS DOUBLE), CAST('217.5' AS DOUBLE), CAST('230.0' AS
          DOUBLE), CAST('242.5' AS DOUBLE))) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "total", "answer"."a0" AS "count"
FROM "answer"
WHERE ("answer"."a0" > 0)
ORDER BY "answer"."k0" NULLS LAST;
----
SELECT date_bin('6 hours', ordered, TIMESTAMP '2024-01-01 01:00:00') AS time, count(*) AS n FROM orders WHERE ordered BETWEEN '2024-03-01' AND '2024-03-08' GROUP BY 1 HAVING count(*) > 0 ORDER BY 1;
-- plain:
SELECT time_bucket(INTERVAL 6 HOUR, ordered, TIMESTAMP '2024-01-01 01:00:00') AS time, count(DISTINCT customer_id) AS n FROM orders WHERE ordered BETWEEN '2024-03-01' AND '2024-03-08' AND customer_id IS NOT NULL GROUP BY 1 ORDER BY 1;
-- plan: EveryKey groups=1465, 'time' TIMESTAMP, Count 0.5 x1465
-- score:
SELECT t.k0 AS "time", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT system.main.time_bucket(CAST('0 months 0 days 21600000000 microseconds' AS INTERVAL), (CASE
          WHEN t."ordered" BETWEEN TIMESTAMP '140000-01-01 (BC)' AND TIMESTAMP '140000-12-31' OR
          system.main.isinf(t."ordered") THEN t."ordered" END), TIMESTAMP '2024-01-01 01:00:00') AS k0, t."customer_id"
      AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND ((t."ordered" >= TIMESTAMP '2024-03-01 00:00:00') AND (t."ordered"
          <= TIMESTAMP '2024-03-08 00:00:00')) AND (CASE WHEN system.main.time_bucket(CAST('0 months 0 days 21600000000 microseconds'
            AS INTERVAL), (CASE WHEN t."ordered" BETWEEN TIMESTAMP '140000-01-01 (BC)' AND TIMESTAMP
            '140000-12-31' OR system.main.isinf(t."ordered") THEN t."ordered" END), TIMESTAMP
          '2024-01-01 01:00:00') >= TIMESTAMP '2023-12-31 19:00:00' AND system.main.time_bucket(CAST('0 months 0 days 21600000000 microseconds'
            AS INTERVAL), (CASE WHEN t."ordered" BETWEEN TIMESTAMP '140000-01-01 (BC)' AND TIMESTAMP
            '140000-12-31' OR system.main.isinf(t."ordered") THEN t."ordered" END), TIMESTAMP
          '2024-01-01 01:00:00') <= TIMESTAMP '2024-12-31 19:00:00' THEN system.main."%"(system.main."-"(system.main.epoch_us(system.main.time_bucket(CAST('0 months 0 days 21600000000 microseconds'
                  AS INTERVAL), (CASE WHEN t."ordered" BETWEEN TIMESTAMP '140000-01-01 (BC)' AND TIMESTAMP
                  '140000-12-31' OR system.main.isinf(t."ordered") THEN t."ordered" END), TIMESTAMP
                '2024-01-01 01:00:00')), CAST('1704049200000000' AS BIGINT)), CAST('21600000000' AS BIGINT)) =
        0 ELSE FALSE END)) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "time", "answer"."a0" AS "n"
FROM "answer"
WHERE ("answer"."a0" > 0)
ORDER BY "answer"."k0" NULLS LAST;
----
SELECT COUNT(*) AS "count" FROM "public"."orders" WHERE ("public"."orders"."ordered" >= timestamp with time zone '2024-01-01 00:00:00.000Z') AND ("public"."orders"."ordered" < timestamp with time zone '2024-02-01 00:00:00.000+00:00');
-- plain:
SELECT count(DISTINCT customer_id) AS count FROM orders WHERE ordered >= '2024-01-01' AND ordered < '2024-02-01';
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND (t."ordered" < TIMESTAMP '2024-02-01 00:00:00') AND (t."ordered" >=
        TIMESTAMP '2024-01-01 00:00:00')) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count"
FROM "answer";
----
SELECT orders.status AS "orders.status", COUNT(*) AS "orders.count" FROM public.orders AS orders GROUP BY 1 ORDER BY 2 DESC FETCH NEXT 2 ROWS ONLY;
-- plain:
SELECT d.status, count(DISTINCT customer_id) AS n FROM (VALUES ('paid'), ('sent'), ('returned'), ('cancelled')) AS d(status) LEFT JOIN orders AS o ON o.status = d.status GROUP BY d.status ORDER BY n DESC LIMIT 2;
-- plan: LargestKeys epsilon=0.5 counted=a0 k=2, 'status' VARCHAR
-- score:
SELECT t.k0 AS "status", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."status" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND t."status" IN ('paid', 'sent', 'returned', 'cancelled')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "orders.status", "answer"."a0" AS "orders.count"
FROM "answer"
ORDER BY "answer"."a0" DESC NULLS LAST, "answer"."rank"
LIMIT 2;
