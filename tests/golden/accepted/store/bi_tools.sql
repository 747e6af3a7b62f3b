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
-- plan: EveryKey groups=12, 'ordered' TIMESTAMP, Count 0.5 x12 gaussian 12
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
SELECT m AS t, d.status, count(DISTINCT customer_id) FROM range(TIMESTAMP '2024-01-01', TIMESTAMP '2025-01-01', INTERVAL 1 MONTH) AS r(m) CROSS JOIN (VALUES ('paid'), ('sent')) AS d(status) LEFT JOIN orders AS o ON date_trunc('month', ordered) = m AND o.status = d.status GROUP BY m, d.status;
-- plan: EveryKey groups=24, '__timestamp' TIMESTAMP, 'status' VARCHAR, Count 0.5 x24 gaussian 24
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
        '2024-11-01 00:00:00', TIMESTAMP '2024-12-01 00:00:00') AND t."status" IN ('paid', 'sent')) AS t
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
SELECT count(*), avg(m), sum(s) FROM (SELECT avg(least(greatest(total, 0), 250)) AS m, sum(greatest(total, 0)) AS s FROM orders WHERE status = 'paid' AND customer_id IS NOT NULL GROUP BY customer_id);
-- plan: OneGroup, Count 0.15675 x1, Mean 0.1865 x1, ClampedSum 0.15675 x1
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
SELECT t.value AS "level", system.main.sum(t.part) AS score0, CAST(system.main.sum(CASE WHEN t.part > CAST('0'
        AS DECIMAL(38,2)) THEN CAST('1' AS BIGINT) WHEN t.part < CAST('0' AS DECIMAL(38,2)) THEN CAST('-1' AS
        BIGINT) ELSE CAST('0' AS BIGINT) END) AS BIGINT) AS score1, system.main.count(*) AS score2
FROM (SELECT t.*, CASE WHEN t.size <= CAST('0.01' AS DECIMAL(38,2)) THEN CAST('0' AS BIGINT) WHEN t.size <=
    CAST('0.02' AS DECIMAL(38,2)) THEN CAST('1' AS BIGINT) WHEN t.size <= CAST('0.04' AS DECIMAL(38,2)) THEN
    CAST('2' AS BIGINT) WHEN t.size <= CAST('0.08' AS DECIMAL(38,2)) THEN CAST('3' AS BIGINT) WHEN t.size <=
    CAST('0.16' AS DECIMAL(38,2)) THEN CAST('4' AS BIGINT) WHEN t.size <= CAST('0.32' AS DECIMAL(38,2)) THEN
    CAST('5' AS BIGINT) WHEN t.size <= CAST('0.64' AS DECIMAL(38,2)) THEN CAST('6' AS BIGINT) WHEN t.size <=
    CAST('1.28' AS DECIMAL(38,2)) THEN CAST('7' AS BIGINT) WHEN t.size <= CAST('2.56' AS DECIMAL(38,2)) THEN
    CAST('8' AS BIGINT) WHEN t.size <= CAST('5.12' AS DECIMAL(38,2)) THEN CAST('9' AS BIGINT) WHEN t.size <=
    CAST('10.24' AS DECIMAL(38,2)) THEN CAST('10' AS BIGINT) WHEN t.size <= CAST('20.48' AS DECIMAL(38,2))
    THEN CAST('11' AS BIGINT) WHEN t.size <= CAST('40.96' AS DECIMAL(38,2)) THEN CAST('12' AS BIGINT) WHEN
    t.size <= CAST('81.92' AS DECIMAL(38,2)) THEN CAST('13' AS BIGINT) WHEN t.size <= CAST('163.84' AS
      DECIMAL(38,2)) THEN CAST('14' AS BIGINT) WHEN t.size <= CAST('327.68' AS DECIMAL(38,2)) THEN CAST('15'
      AS BIGINT) WHEN t.size <= CAST('655.36' AS DECIMAL(38,2)) THEN CAST('16' AS BIGINT) WHEN t.size <= CAST('1310.72'
      AS DECIMAL(38,2)) THEN CAST('17' AS BIGINT) WHEN t.size <= CAST('2621.44' AS DECIMAL(38,2)) THEN CAST('18'
      AS BIGINT) WHEN t.size <= CAST('5242.88' AS DECIMAL(38,2)) THEN CAST('19' AS BIGINT) WHEN t.size <=
    CAST('10485.76' AS DECIMAL(38,2)) THEN CAST('20' AS BIGINT) WHEN t.size <= CAST('20971.52' AS
      DECIMAL(38,2)) THEN CAST('21' AS BIGINT) WHEN t.size <= CAST('41943.04' AS DECIMAL(38,2)) THEN CAST('22'
      AS BIGINT) WHEN t.size <= CAST('83886.08' AS DECIMAL(38,2)) THEN CAST('23' AS BIGINT) WHEN t.size <=
    CAST('167772.16' AS DECIMAL(38,2)) THEN CAST('24' AS BIGINT) WHEN t.size <= CAST('335544.32' AS
      DECIMAL(38,2)) THEN CAST('25' AS BIGINT) WHEN t.size <= CAST('671088.64' AS DECIMAL(38,2)) THEN CAST('26'
      AS BIGINT) WHEN t.size <= CAST('1342177.28' AS DECIMAL(38,2)) THEN CAST('27' AS BIGINT) WHEN t.size <=
    CAST('2684354.56' AS DECIMAL(38,2)) THEN CAST('28' AS BIGINT) WHEN t.size <= CAST('5368709.12' AS
      DECIMAL(38,2)) THEN CAST('29' AS BIGINT) WHEN t.size <= CAST('10737418.24' AS DECIMAL(38,2)) THEN CAST('30'
      AS BIGINT) WHEN t.size <= CAST('21474836.48' AS DECIMAL(38,2)) THEN CAST('31' AS BIGINT) WHEN t.size <=
    CAST('42949672.96' AS DECIMAL(38,2)) THEN CAST('32' AS BIGINT) WHEN t.size <= CAST('85899345.92' AS
      DECIMAL(38,2)) THEN CAST('33' AS BIGINT) WHEN t.size <= CAST('171798691.84' AS DECIMAL(38,2)) THEN CAST('34'
      AS BIGINT) ELSE CAST('35' AS BIGINT) END AS value
  FROM (SELECT t.*, system.main.abs(t.part) AS size
    FROM (SELECT t.unit, system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS
              DECIMAL(38,2)), CAST('0' AS DECIMAL(38,2))), CAST('343597383.68' AS DECIMAL(38,2))) AS part
      FROM (SELECT CAST(CASE WHEN t."total" < CAST('0.00' AS DECIMAL(9,2)) THEN CAST('0.00' AS DECIMAL(9,2))
            WHEN t."total" > CAST('9999999.99' AS DECIMAL(9,2)) THEN CAST('9999999.99' AS DECIMAL(9,2)) ELSE
            t."total" END AS DECIMAL(38,2)) AS value, t."customer_id" AS unit
        FROM "memory"."main"."orders" AS t
        WHERE t."customer_id" IS NOT NULL AND (t."status" = 'paid') AND t."total" IS NOT NULL) AS t
      GROUP BY t.unit) AS t) AS t) AS t
GROUP BY t.value;
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
SELECT m AS month, count(DISTINCT customer_id) FROM range(TIMESTAMP '2024-02-01', TIMESTAMP '2024-05-01', INTERVAL 1 MONTH) AS r(m) LEFT JOIN orders ON date_trunc('month', ordered) = m GROUP BY m ORDER BY month;
-- plan: EveryKey groups=3, 'ordered' TIMESTAMP, Count 0.5 x3
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
          END)) IN (TIMESTAMP '2024-02-01 00:00:00', TIMESTAMP '2024-03-01 00:00:00', TIMESTAMP
        '2024-04-01 00:00:00')) AS t
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
-- plan: EveryKey groups=7, 'city' VARCHAR, Count 0.5 x7 gaussian 7
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
SELECT city, sum(q) FROM (SELECT city, sum(quantity) AS q FROM items JOIN orders USING (order_id) JOIN stores USING (store_id) WHERE code = 'fr' AND customer_id IS NOT NULL GROUP BY city, customer_id) GROUP BY city;
-- plan: EveryKey groups=2, 'city' VARCHAR, ClampedSum 0.25 x2, Count 0.25 x2
-- score:
SELECT t.k0 AS "city", t.value AS "level", system.main.sum(t.part) AS score0, CAST(system.main.sum(CASE WHEN
      t.part > CAST('0' AS HUGEINT) THEN CAST('1' AS BIGINT) WHEN t.part < CAST('0' AS HUGEINT) THEN CAST('-1'
        AS BIGINT) ELSE CAST('0' AS BIGINT) END) AS BIGINT) AS score1, system.main.count(*) AS score2
FROM (SELECT t.*, CASE WHEN t.size <= CAST('1' AS HUGEINT) THEN CAST('0' AS BIGINT) WHEN t.size <= CAST('2' AS
      HUGEINT) THEN CAST('1' AS BIGINT) WHEN t.size <= CAST('4' AS HUGEINT) THEN CAST('2' AS BIGINT) WHEN
    t.size <= CAST('8' AS HUGEINT) THEN CAST('3' AS BIGINT) WHEN t.size <= CAST('16' AS HUGEINT) THEN CAST('4'
      AS BIGINT) WHEN t.size <= CAST('32' AS HUGEINT) THEN CAST('5' AS BIGINT) WHEN t.size <= CAST('64' AS
      HUGEINT) THEN CAST('6' AS BIGINT) WHEN t.size <= CAST('128' AS HUGEINT) THEN CAST('7' AS BIGINT) WHEN
    t.size <= CAST('256' AS HUGEINT) THEN CAST('8' AS BIGINT) WHEN t.size <= CAST('512' AS HUGEINT) THEN CAST('9'
      AS BIGINT) WHEN t.size <= CAST('1024' AS HUGEINT) THEN CAST('10' AS BIGINT) WHEN t.size <= CAST('2048'
      AS HUGEINT) THEN CAST('11' AS BIGINT) WHEN t.size <= CAST('4096' AS HUGEINT) THEN CAST('12' AS BIGINT)
    WHEN t.size <= CAST('8192' AS HUGEINT) THEN CAST('13' AS BIGINT) WHEN t.size <= CAST('16384' AS HUGEINT)
    THEN CAST('14' AS BIGINT) WHEN t.size <= CAST('32768' AS HUGEINT) THEN CAST('15' AS BIGINT) WHEN t.size <=
    CAST('65536' AS HUGEINT) THEN CAST('16' AS BIGINT) WHEN t.size <= CAST('131072' AS HUGEINT) THEN CAST('17'
      AS BIGINT) WHEN t.size <= CAST('262144' AS HUGEINT) THEN CAST('18' AS BIGINT) WHEN t.size <= CAST('524288'
      AS HUGEINT) THEN CAST('19' AS BIGINT) WHEN t.size <= CAST('1048576' AS HUGEINT) THEN CAST('20' AS
      BIGINT) WHEN t.size <= CAST('2097152' AS HUGEINT) THEN CAST('21' AS BIGINT) WHEN t.size <= CAST('4194304'
      AS HUGEINT) THEN CAST('22' AS BIGINT) ELSE CAST('23' AS BIGINT) END AS value
  FROM (SELECT t.*, system.main.abs(t.part) AS size
    FROM (SELECT t.k0, t.unit, system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS
              HUGEINT), CAST('0' AS HUGEINT)), CAST('8388608' AS HUGEINT)) AS part
      FROM (SELECT t3."city" AS k0, CAST(CASE WHEN t."quantity" < CAST('0' AS INTEGER) THEN CAST('0' AS
              INTEGER) WHEN t."quantity" > CAST('8388608' AS INTEGER) THEN CAST('8388608' AS INTEGER) ELSE t."quantity"
            END AS HUGEINT) AS value, t2."customer_id" AS unit
        FROM "memory"."main"."items" AS t
        JOIN "memory"."main"."orders" AS t2 ON (t."order_id" = t2."order_id")
        LEFT
        JOIN "memory"."main"."stores" AS t3 ON (t2."store_id" = t3."store_id")
        WHERE t2."customer_id" IS NOT NULL AND (t3."code" = 'fr') AND t."quantity" IS NOT NULL AND t3."city"
          IN ('Lyon', 'Paris')) AS t
      GROUP BY t.k0, t.unit) AS t) AS t) AS t
GROUP BY t.k0, t.value;
-- score:
SELECT t.k0 AS "city", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t3."city" AS k0, t2."customer_id" AS unit
    FROM "memory"."main"."items" AS t
    JOIN "memory"."main"."orders" AS t2 ON (t."order_id" = t2."order_id")
    LEFT
    JOIN "memory"."main"."stores" AS t3 ON (t2."store_id" = t3."store_id")
    WHERE t2."customer_id" IS NOT NULL AND (t3."code" = 'fr') AND t3."city" IN ('Lyon', 'Paris')) AS t
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
-- plan: EveryKey groups=7, 'ordered' DATE, Count 0.5 x7 gaussian 7
-- score:
SELECT t.k0 AS "ordered", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT CAST(t."ordered" AS DATE) AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND (t."ordered" < TIMESTAMP '2024-06-08 00:00:00') AND (t."ordered" >=
        TIMESTAMP '2024-06-01 00:00:00') AND (CAST(t."ordered" AS DATE) >= DATE '2024-06-01' AND CAST(t."ordered"
          AS DATE) <= DATE '2024-06-07')) AS t
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
-- plan: EveryKey groups=3, 'status' VARCHAR, Count 0.22835 x3, Mean 0.27165 x3
-- score:
SELECT t.k0 AS "status", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."status" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND (t."status" <> 'returned') AND t."status" IN ('paid', 'sent',
        'cancelled')) AS t
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
      IN ('paid', 'sent', 'cancelled')) AS t
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
-- plan: EveryKey groups=4, 'yr:ordered:ok' INTEGER, 'qr:ordered:ok' INTEGER, Count 0.25 x4 gaussian 4, Count 0.25 x4 gaussian 4
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
-- plan: OneGroup, Quantile 0.1983 x1, Quantile 0.1982 x1, Count 0.1035 x1
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
SELECT d.status, coalesce(sum(s), 0)::DECIMAL(38,2), count(s) FROM (VALUES ('paid'), ('sent'), ('returned'), ('cancelled')) AS d(status) LEFT JOIN (SELECT status, sum(greatest(total, 0)) AS s FROM orders WHERE total < 60 AND customer_id IS NOT NULL GROUP BY status, customer_id) AS o ON o.status = d.status GROUP BY d.status;
-- plan: EveryKey groups=4, 'status' VARCHAR, ClampedSum 0.25 x4 gaussian apart, Count 0.25 x4 gaussian apart
-- score:
SELECT t.k0 AS "status", t.value AS "level", system.main.sum(t.part) AS score0, CAST(system.main.sum(CASE WHEN
      t.part > CAST('0' AS DECIMAL(38,2)) THEN CAST('1' AS BIGINT) WHEN t.part < CAST('0' AS DECIMAL(38,2))
      THEN CAST('-1' AS BIGINT) ELSE CAST('0' AS BIGINT) END) AS BIGINT) AS score1, system.main.count(*) AS
  score2
FROM (SELECT t.*, CASE WHEN t.size <= CAST('0.01' AS DECIMAL(38,2)) THEN CAST('0' AS BIGINT) WHEN t.size <=
    CAST('0.02' AS DECIMAL(38,2)) THEN CAST('1' AS BIGINT) WHEN t.size <= CAST('0.04' AS DECIMAL(38,2)) THEN
    CAST('2' AS BIGINT) WHEN t.size <= CAST('0.08' AS DECIMAL(38,2)) THEN CAST('3' AS BIGINT) WHEN t.size <=
    CAST('0.16' AS DECIMAL(38,2)) THEN CAST('4' AS BIGINT) WHEN t.size <= CAST('0.32' AS DECIMAL(38,2)) THEN
    CAST('5' AS BIGINT) WHEN t.size <= CAST('0.64' AS DECIMAL(38,2)) THEN CAST('6' AS BIGINT) WHEN t.size <=
    CAST('1.28' AS DECIMAL(38,2)) THEN CAST('7' AS BIGINT) WHEN t.size <= CAST('2.56' AS DECIMAL(38,2)) THEN
    CAST('8' AS BIGINT) WHEN t.size <= CAST('5.12' AS DECIMAL(38,2)) THEN CAST('9' AS BIGINT) WHEN t.size <=
    CAST('10.24' AS DECIMAL(38,2)) THEN CAST('10' AS BIGINT) WHEN t.size <= CAST('20.48' AS DECIMAL(38,2))
    THEN CAST('11' AS BIGINT) WHEN t.size <= CAST('40.96' AS DECIMAL(38,2)) THEN CAST('12' AS BIGINT) WHEN
    t.size <= CAST('81.92' AS DECIMAL(38,2)) THEN CAST('13' AS BIGINT) WHEN t.size <= CAST('163.84' AS
      DECIMAL(38,2)) THEN CAST('14' AS BIGINT) WHEN t.size <= CAST('327.68' AS DECIMAL(38,2)) THEN CAST('15'
      AS BIGINT) WHEN t.size <= CAST('655.36' AS DECIMAL(38,2)) THEN CAST('16' AS BIGINT) WHEN t.size <= CAST('1310.72'
      AS DECIMAL(38,2)) THEN CAST('17' AS BIGINT) WHEN t.size <= CAST('2621.44' AS DECIMAL(38,2)) THEN CAST('18'
      AS BIGINT) WHEN t.size <= CAST('5242.88' AS DECIMAL(38,2)) THEN CAST('19' AS BIGINT) WHEN t.size <=
    CAST('10485.76' AS DECIMAL(38,2)) THEN CAST('20' AS BIGINT) WHEN t.size <= CAST('20971.52' AS
      DECIMAL(38,2)) THEN CAST('21' AS BIGINT) WHEN t.size <= CAST('41943.04' AS DECIMAL(38,2)) THEN CAST('22'
      AS BIGINT) WHEN t.size <= CAST('83886.08' AS DECIMAL(38,2)) THEN CAST('23' AS BIGINT) WHEN t.size <=
    CAST('167772.16' AS DECIMAL(38,2)) THEN CAST('24' AS BIGINT) WHEN t.size <= CAST('335544.32' AS
      DECIMAL(38,2)) THEN CAST('25' AS BIGINT) WHEN t.size <= CAST('671088.64' AS DECIMAL(38,2)) THEN CAST('26'
      AS BIGINT) WHEN t.size <= CAST('1342177.28' AS DECIMAL(38,2)) THEN CAST('27' AS BIGINT) WHEN t.size <=
    CAST('2684354.56' AS DECIMAL(38,2)) THEN CAST('28' AS BIGINT) WHEN t.size <= CAST('5368709.12' AS
      DECIMAL(38,2)) THEN CAST('29' AS BIGINT) WHEN t.size <= CAST('10737418.24' AS DECIMAL(38,2)) THEN CAST('30'
      AS BIGINT) WHEN t.size <= CAST('21474836.48' AS DECIMAL(38,2)) THEN CAST('31' AS BIGINT) WHEN t.size <=
    CAST('42949672.96' AS DECIMAL(38,2)) THEN CAST('32' AS BIGINT) WHEN t.size <= CAST('85899345.92' AS
      DECIMAL(38,2)) THEN CAST('33' AS BIGINT) WHEN t.size <= CAST('171798691.84' AS DECIMAL(38,2)) THEN CAST('34'
      AS BIGINT) ELSE CAST('35' AS BIGINT) END AS value
  FROM (SELECT t.*, system.main.abs(t.part) AS size
    FROM (SELECT t.k0, t.unit, system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS
              DECIMAL(38,2)), CAST('0' AS DECIMAL(38,2))), CAST('343597383.68' AS DECIMAL(38,2))) AS part
      FROM (SELECT t."status" AS k0, CAST(CASE WHEN CAST((CASE WHEN t."total" BETWEEN CAST('-9999999.99' AS
                  DECIMAL(9,2)) AND CAST('9999999.99' AS DECIMAL(9,2)) THEN t."total" END) AS DECIMAL(18,2)) <
            CAST('0.00' AS DECIMAL(18,2)) THEN CAST('0.00' AS DECIMAL(18,2)) WHEN CAST((CASE WHEN t."total"
                BETWEEN CAST('-9999999.99' AS DECIMAL(9,2)) AND CAST('9999999.99' AS DECIMAL(9,2)) THEN t."total"
                END) AS DECIMAL(18,2)) > CAST('343597383.68' AS DECIMAL(18,2)) THEN CAST('343597383.68' AS
              DECIMAL(18,2)) ELSE CAST((CASE WHEN t."total" BETWEEN CAST('-9999999.99' AS DECIMAL(9,2)) AND
                CAST('9999999.99' AS DECIMAL(9,2)) THEN t."total" END) AS DECIMAL(18,2)) END AS DECIMAL(38,2))
          AS value, t."customer_id" AS unit
        FROM "memory"."main"."orders" AS t
        WHERE t."customer_id" IS NOT NULL AND (t."total" < CAST('60.00' AS DECIMAL(9,2))) AND CAST((CASE WHEN
              t."total" BETWEEN CAST('-9999999.99' AS DECIMAL(9,2)) AND CAST('9999999.99' AS DECIMAL(9,2))
              THEN t."total" END) AS DECIMAL(18,2)) IS NOT NULL AND t."status" IN ('paid', 'sent', 'returned',
            'cancelled')) AS t
      GROUP BY t.k0, t.unit) AS t) AS t) AS t
GROUP BY t.k0, t.value;
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
-- plan: EveryKey groups=25, 'time' TIMESTAMP, Count 0.5 x25 gaussian 25
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
            THEN t."ordered" END)) >= TIMESTAMP '2024-03-01 00:00:00' AND system.main.date_trunc('hour', (CASE
            WHEN t."ordered" BETWEEN TIMESTAMP '140000-01-01 (BC)' AND TIMESTAMP '140000-12-31' OR
            system.main.isinf(t."ordered") THEN t."ordered" END)) <= TIMESTAMP '2024-03-02 00:00:00' THEN
        system.main."%"(system.main."-"(system.main.epoch_us(system.main.date_trunc('hour', (CASE WHEN t."ordered"
                  BETWEEN TIMESTAMP '140000-01-01 (BC)' AND TIMESTAMP '140000-12-31' OR system.main.isinf(t."ordered")
                  THEN t."ordered" END))), CAST('1709251200000000' AS BIGINT)), CAST('3600000000' AS BIGINT))
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
-- plan: EveryKey groups=4, 'time' TIMESTAMP, 'status' VARCHAR, Count 0.5 x4
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
            THEN t."ordered" END)) >= TIMESTAMP '2024-04-01 00:00:00' AND system.main.time_bucket(CAST('0 months 1 days 0 microseconds'
            AS INTERVAL), (CASE WHEN t."ordered" BETWEEN TIMESTAMP '140000-01-01 (BC)' AND TIMESTAMP
            '140000-12-31' OR system.main.isinf(t."ordered") THEN t."ordered" END)) <= TIMESTAMP
        '2024-04-04 00:00:00' THEN system.main."%"(system.main."-"(system.main.epoch_us(system.main.time_bucket(CAST('0 months 1 days 0 microseconds'
                  AS INTERVAL), (CASE WHEN t."ordered" BETWEEN TIMESTAMP '140000-01-01 (BC)' AND TIMESTAMP
                  '140000-12-31' OR system.main.isinf(t."ordered") THEN t."ordered" END))), CAST('1711929600000000'
              AS BIGINT)), CAST('86400000000' AS BIGINT)) = 0 ELSE FALSE END) AND t."status" IN ('paid')) AS t
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
SELECT m::DATE AS month, count(*), sum(s) FROM (SELECT date_trunc('month', ordered) AS m, sum(greatest(total, 0)) AS s FROM orders WHERE ordered >= '2024-01-01' AND ordered < '2024-04-01' AND total < 60 AND customer_id IS NOT NULL GROUP BY m, customer_id) GROUP BY month ORDER BY month DESC;
-- plan: EveryKey groups=3, 'orders.month' DATE, Count 0.25 x3, ClampedSum 0.25 x3
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
      (DATE '2024-01-01', DATE '2024-02-01', DATE '2024-03-01')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- score:
SELECT t.k0 AS "orders.month", t.value AS "level", system.main.sum(t.part) AS score0,
  CAST(system.main.sum(CASE WHEN t.part > CAST('0' AS DECIMAL(38,2)) THEN CAST('1' AS BIGINT) WHEN t.part <
      CAST('0' AS DECIMAL(38,2)) THEN CAST('-1' AS BIGINT) ELSE CAST('0' AS BIGINT) END) AS BIGINT) AS score1,
  system.main.count(*) AS score2
FROM (SELECT t.*, CASE WHEN t.size <= CAST('0.01' AS DECIMAL(38,2)) THEN CAST('0' AS BIGINT) WHEN t.size <=
    CAST('0.02' AS DECIMAL(38,2)) THEN CAST('1' AS BIGINT) WHEN t.size <= CAST('0.04' AS DECIMAL(38,2)) THEN
    CAST('2' AS BIGINT) WHEN t.size <= CAST('0.08' AS DECIMAL(38,2)) THEN CAST('3' AS BIGINT) WHEN t.size <=
    CAST('0.16' AS DECIMAL(38,2)) THEN CAST('4' AS BIGINT) WHEN t.size <= CAST('0.32' AS DECIMAL(38,2)) THEN
    CAST('5' AS BIGINT) WHEN t.size <= CAST('0.64' AS DECIMAL(38,2)) THEN CAST('6' AS BIGINT) WHEN t.size <=
    CAST('1.28' AS DECIMAL(38,2)) THEN CAST('7' AS BIGINT) WHEN t.size <= CAST('2.56' AS DECIMAL(38,2)) THEN
    CAST('8' AS BIGINT) WHEN t.size <= CAST('5.12' AS DECIMAL(38,2)) THEN CAST('9' AS BIGINT) WHEN t.size <=
    CAST('10.24' AS DECIMAL(38,2)) THEN CAST('10' AS BIGINT) WHEN t.size <= CAST('20.48' AS DECIMAL(38,2))
    THEN CAST('11' AS BIGINT) WHEN t.size <= CAST('40.96' AS DECIMAL(38,2)) THEN CAST('12' AS BIGINT) WHEN
    t.size <= CAST('81.92' AS DECIMAL(38,2)) THEN CAST('13' AS BIGINT) WHEN t.size <= CAST('163.84' AS
      DECIMAL(38,2)) THEN CAST('14' AS BIGINT) WHEN t.size <= CAST('327.68' AS DECIMAL(38,2)) THEN CAST('15'
      AS BIGINT) WHEN t.size <= CAST('655.36' AS DECIMAL(38,2)) THEN CAST('16' AS BIGINT) WHEN t.size <= CAST('1310.72'
      AS DECIMAL(38,2)) THEN CAST('17' AS BIGINT) WHEN t.size <= CAST('2621.44' AS DECIMAL(38,2)) THEN CAST('18'
      AS BIGINT) WHEN t.size <= CAST('5242.88' AS DECIMAL(38,2)) THEN CAST('19' AS BIGINT) WHEN t.size <=
    CAST('10485.76' AS DECIMAL(38,2)) THEN CAST('20' AS BIGINT) WHEN t.size <= CAST('20971.52' AS
      DECIMAL(38,2)) THEN CAST('21' AS BIGINT) WHEN t.size <= CAST('41943.04' AS DECIMAL(38,2)) THEN CAST('22'
      AS BIGINT) WHEN t.size <= CAST('83886.08' AS DECIMAL(38,2)) THEN CAST('23' AS BIGINT) WHEN t.size <=
    CAST('167772.16' AS DECIMAL(38,2)) THEN CAST('24' AS BIGINT) WHEN t.size <= CAST('335544.32' AS
      DECIMAL(38,2)) THEN CAST('25' AS BIGINT) WHEN t.size <= CAST('671088.64' AS DECIMAL(38,2)) THEN CAST('26'
      AS BIGINT) WHEN t.size <= CAST('1342177.28' AS DECIMAL(38,2)) THEN CAST('27' AS BIGINT) WHEN t.size <=
    CAST('2684354.56' AS DECIMAL(38,2)) THEN CAST('28' AS BIGINT) WHEN t.size <= CAST('5368709.12' AS
      DECIMAL(38,2)) THEN CAST('29' AS BIGINT) WHEN t.size <= CAST('10737418.24' AS DECIMAL(38,2)) THEN CAST('30'
      AS BIGINT) WHEN t.size <= CAST('21474836.48' AS DECIMAL(38,2)) THEN CAST('31' AS BIGINT) WHEN t.size <=
    CAST('42949672.96' AS DECIMAL(38,2)) THEN CAST('32' AS BIGINT) WHEN t.size <= CAST('85899345.92' AS
      DECIMAL(38,2)) THEN CAST('33' AS BIGINT) WHEN t.size <= CAST('171798691.84' AS DECIMAL(38,2)) THEN CAST('34'
      AS BIGINT) ELSE CAST('35' AS BIGINT) END AS value
  FROM (SELECT t.*, system.main.abs(t.part) AS size
    FROM (SELECT t.k0, t.unit, system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS
              DECIMAL(38,2)), CAST('0' AS DECIMAL(38,2))), CAST('343597383.68' AS DECIMAL(38,2))) AS part
      FROM (SELECT CAST(system.main.date_trunc('month', (CASE WHEN t."ordered" BETWEEN TIMESTAMP
                '140000-01-01 (BC)' AND TIMESTAMP '140000-12-31' OR system.main.isinf(t."ordered") THEN t."ordered"
                END)) AS DATE) AS k0, CAST(CASE WHEN t."total" < CAST('0.00' AS DECIMAL(9,2)) THEN CAST('0.00'
              AS DECIMAL(9,2)) WHEN t."total" > CAST('9999999.99' AS DECIMAL(9,2)) THEN CAST('9999999.99' AS
              DECIMAL(9,2)) ELSE t."total" END AS DECIMAL(38,2)) AS value, t."customer_id" AS unit
        FROM "memory"."main"."orders" AS t
        WHERE t."customer_id" IS NOT NULL AND (t."ordered" < TIMESTAMP '2024-04-01 00:00:00') AND (t."ordered"
            >= TIMESTAMP '2024-01-01 00:00:00') AND (t."total" < CAST('60.00' AS DECIMAL(9,2))) AND t."total"
          IS NOT NULL AND CAST(system.main.date_trunc('month', (CASE WHEN t."ordered" BETWEEN TIMESTAMP
                '140000-01-01 (BC)' AND TIMESTAMP '140000-12-31' OR system.main.isinf(t."ordered") THEN t."ordered"
                END)) AS DATE) IN (DATE '2024-01-01', DATE '2024-02-01', DATE '2024-03-01')) AS t
      GROUP BY t.k0, t.unit) AS t) AS t) AS t
GROUP BY t.k0, t.value;
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
-- plan: EveryKey groups=25, 'time' TIMESTAMP, Count 0.5 x25 gaussian 25
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
            THEN t."ordered" END)) >= TIMESTAMP '2024-03-01 00:00:00' AND system.main.date_trunc('hour', (CASE
            WHEN t."ordered" BETWEEN TIMESTAMP '140000-01-01 (BC)' AND TIMESTAMP '140000-12-31' OR
            system.main.isinf(t."ordered") THEN t."ordered" END)) <= TIMESTAMP '2024-03-02 00:00:00' THEN
        system.main."%"(system.main."-"(system.main.epoch_us(system.main.date_trunc('hour', (CASE WHEN t."ordered"
                  BETWEEN TIMESTAMP '140000-01-01 (BC)' AND TIMESTAMP '140000-12-31' OR system.main.isinf(t."ordered")
                  THEN t."ordered" END))), CAST('1709251200000000' AS BIGINT)), CAST('3600000000' AS BIGINT))
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
-- plan: EveryKey groups=8, 'time' DOUBLE, Count 0.5 x8 gaussian 8
-- score:
SELECT t.k0 AS "time", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT system.main."*"(system.main.floor(system.main."/"(system.main.epoch(t."ordered"), CAST('86400.0'
              AS DOUBLE))), CAST('86400.0' AS DOUBLE)) AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND ((t."ordered" >= TIMESTAMP '2024-03-01 00:00:00') AND (t."ordered"
          <= TIMESTAMP '2024-03-08 00:00:00')) AND system.main."*"(system.main.floor(system.main."/"(system.main.epoch(t."ordered"),
            CAST('86400.0' AS DOUBLE))), CAST('86400.0' AS DOUBLE)) IN (CAST('1709251200.0' AS DOUBLE), CAST('1709337600.0'
          AS DOUBLE), CAST('1709424000.0' AS DOUBLE), CAST('1709510400.0' AS DOUBLE), CAST('1709596800.0' AS
          DOUBLE), CAST('1709683200.0' AS DOUBLE), CAST('1709769600.0' AS DOUBLE), CAST('1709856000.0' AS
          DOUBLE))) AS t
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
-- plan: EveryKey groups=21, 'total' DOUBLE, Count 0.5 x21 gaussian 21
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
-- plan: EveryKey groups=29, 'time' TIMESTAMP, Count 0.5 x29 gaussian 29
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
          '2024-01-01 01:00:00') >= TIMESTAMP '2024-02-29 19:00:00' AND system.main.time_bucket(CAST('0 months 0 days 21600000000 microseconds'
            AS INTERVAL), (CASE WHEN t."ordered" BETWEEN TIMESTAMP '140000-01-01 (BC)' AND TIMESTAMP
            '140000-12-31' OR system.main.isinf(t."ordered") THEN t."ordered" END), TIMESTAMP
          '2024-01-01 01:00:00') <= TIMESTAMP '2024-03-07 19:00:00' THEN system.main."%"(system.main."-"(system.main.epoch_us(system.main.time_bucket(CAST('0 months 0 days 21600000000 microseconds'
                  AS INTERVAL), (CASE WHEN t."ordered" BETWEEN TIMESTAMP '140000-01-01 (BC)' AND TIMESTAMP
                  '140000-12-31' OR system.main.isinf(t."ordered") THEN t."ordered" END), TIMESTAMP
                '2024-01-01 01:00:00')), CAST('1709233200000000' AS BIGINT)), CAST('21600000000' AS BIGINT)) =
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
