SELECT count(*) FILTER (WHERE status = 'paid') * 100.0 / count(*) AS percent FROM orders;
-- plain:
SELECT count(DISTINCT customer_id) FILTER (status = 'paid') * 100.0 / count(DISTINCT customer_id) FROM orders;
-- plan: OneGroup, Count 0.25 x1, Count 0.25 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND (t."status" = 'paid')) AS t
  GROUP BY t.unit) AS t;
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT system.main."/"(system.main."*"("answer"."a0", 100.0), "answer"."a1") AS "percent"
FROM "answer";
----
SELECT round(100.0 * count(*) FILTER (WHERE newsletter) / count(*), 1) AS percent, count(*) AS n FROM customers;
-- plain:
SELECT round(100.0 * count(*) FILTER (newsletter) / count(*), 1), count(*) FROM customers;
-- plan: OneGroup, Count 0.25 x1, Count 0.25 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t."customer_id" AS unit
  FROM "memory"."main"."customers" AS t
  WHERE t."customer_id" IS NOT NULL AND t."newsletter") AS t;
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t."customer_id" AS unit
  FROM "memory"."main"."customers" AS t
  WHERE t."customer_id" IS NOT NULL) AS t;
-- answer:
SELECT system.main.round(system.main."/"(system.main."*"(100.0, "answer"."a0"), "answer"."a1"), 1) AS
  "percent", "answer"."a1" AS "n"
FROM "answer";
----
SELECT sum(total) / count(*) AS per_customer FROM orders WHERE total < 60;
-- plain:
SELECT sum(least(greatest(s, 0), 250)) / count(*) FROM (SELECT sum(greatest(total, 0)) AS s FROM orders WHERE total < 60 AND customer_id IS NOT NULL GROUP BY customer_id);
-- plan: OneGroup, ClampedSum 0.25 x1, Count 0.25 x1
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
        WHERE t."customer_id" IS NOT NULL AND (t."total" < CAST('60.00' AS DECIMAL(9,2))) AND t."total" IS NOT
          NULL) AS t
      GROUP BY t.unit) AS t) AS t) AS t
GROUP BY t.value;
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND (t."total" < CAST('60.00' AS DECIMAL(9,2)))) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT system.main."/"("answer"."a0", "answer"."a1") AS "per_customer"
FROM "answer";
----
SELECT status, count(*) AS n, count(*) * 1.0 / sum(count(*)) OVER () AS share FROM orders GROUP BY status;
-- plain:
SELECT status, n, n / sum(n) OVER () FROM (SELECT d.status, count(DISTINCT customer_id) AS n FROM (VALUES ('paid'), ('sent'), ('returned'), ('cancelled')) AS d(status) LEFT JOIN orders AS o ON o.status = d.status GROUP BY d.status);
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
SELECT "answer"."k0" AS "status", "answer"."a0" AS "n", system.main."/"(system.main."*"("answer"."a0", 1.0),
    system.main.sum("answer"."a0") OVER ()) AS "share"
FROM "answer";
----
SELECT date_trunc('month', ordered) AS m, count(*) AS n, sum(count(*)) OVER (ORDER BY date_trunc('month', ordered)) AS so_far FROM orders GROUP BY m ORDER BY m;
-- plain:
SELECT m, n, sum(n) OVER (ORDER BY m) AS so_far FROM (SELECT date_trunc('month', ordered) AS m, count(DISTINCT customer_id) AS n FROM orders WHERE year(ordered) = 2024 GROUP BY m) ORDER BY m;
-- plan: EveryKey groups=12, 'm' TIMESTAMP, Count 0.5 x12 gaussian apart
-- score:
SELECT t.k0 AS "m", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT system.main.date_trunc('month', (CASE WHEN t."ordered" BETWEEN TIMESTAMP '140000-01-01 (BC)'
          AND TIMESTAMP '140000-12-31' OR system.main.isinf(t."ordered") THEN t."ordered" END)) AS k0, t."customer_id"
      AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND system.main.date_trunc('month', (CASE WHEN t."ordered" BETWEEN
          TIMESTAMP '140000-01-01 (BC)' AND TIMESTAMP '140000-12-31' OR system.main.isinf(t."ordered") THEN t."ordered"
          END)) IN (TIMESTAMP '2024-01-01 00:00:00', TIMESTAMP '2024-02-01 00:00:00', TIMESTAMP
        '2024-03-01 00:00:00', TIMESTAMP '2024-04-01 00:00:00', TIMESTAMP '2024-05-01 00:00:00', TIMESTAMP
        '2024-06-01 00:00:00', TIMESTAMP '2024-07-01 00:00:00', TIMESTAMP '2024-08-01 00:00:00', TIMESTAMP
        '2024-09-01 00:00:00', TIMESTAMP '2024-10-01 00:00:00', TIMESTAMP '2024-11-01 00:00:00', TIMESTAMP
        '2024-12-01 00:00:00')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "m", "answer"."a0" AS "n", system.main.sum("answer"."a0") OVER (ORDER BY "answer"."k0"
    ASC NULLS LAST) AS "so_far"
FROM "answer"
ORDER BY "answer"."k0" NULLS LAST;
----
SELECT date_trunc('month', ordered) AS m, count(*) - lag(count(*)) OVER (ORDER BY date_trunc('month', ordered)) AS change FROM orders GROUP BY m ORDER BY m;
-- plain:
SELECT m, n - lag(n) OVER (ORDER BY m) AS change FROM (SELECT date_trunc('month', ordered) AS m, count(DISTINCT customer_id) AS n FROM orders WHERE year(ordered) = 2024 GROUP BY m) ORDER BY m;
-- plan: EveryKey groups=12, 'm' TIMESTAMP, Count 0.5 x12 gaussian apart
-- score:
SELECT t.k0 AS "m", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT system.main.date_trunc('month', (CASE WHEN t."ordered" BETWEEN TIMESTAMP '140000-01-01 (BC)'
          AND TIMESTAMP '140000-12-31' OR system.main.isinf(t."ordered") THEN t."ordered" END)) AS k0, t."customer_id"
      AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND system.main.date_trunc('month', (CASE WHEN t."ordered" BETWEEN
          TIMESTAMP '140000-01-01 (BC)' AND TIMESTAMP '140000-12-31' OR system.main.isinf(t."ordered") THEN t."ordered"
          END)) IN (TIMESTAMP '2024-01-01 00:00:00', TIMESTAMP '2024-02-01 00:00:00', TIMESTAMP
        '2024-03-01 00:00:00', TIMESTAMP '2024-04-01 00:00:00', TIMESTAMP '2024-05-01 00:00:00', TIMESTAMP
        '2024-06-01 00:00:00', TIMESTAMP '2024-07-01 00:00:00', TIMESTAMP '2024-08-01 00:00:00', TIMESTAMP
        '2024-09-01 00:00:00', TIMESTAMP '2024-10-01 00:00:00', TIMESTAMP '2024-11-01 00:00:00', TIMESTAMP
        '2024-12-01 00:00:00')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "m", system.main."-"("answer"."a0", system.main.lag("answer"."a0") OVER (ORDER BY
      "answer"."k0" ASC NULLS LAST)) AS "change"
FROM "answer"
ORDER BY "answer"."k0" NULLS LAST;
----
SELECT store_id, row_number() OVER (ORDER BY count(*) DESC, store_id) AS place, count(*) AS n FROM orders GROUP BY store_id ORDER BY place;
-- plain:
SELECT s.store_id, row_number() OVER (ORDER BY count(DISTINCT customer_id) DESC, s.store_id) AS place, count(DISTINCT customer_id) FROM stores AS s LEFT JOIN orders AS o USING (store_id) GROUP BY s.store_id ORDER BY place;
-- plan: EveryKey groups=8, 'store_id' INTEGER, Count 0.5 x8 gaussian apart
-- score:
SELECT t.k0 AS "store_id", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."store_id" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND t."store_id" IN (1, 2, 3, 4, 5, 6, 7, 8)) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "store_id", system.main.row_number() OVER (ORDER BY "answer"."a0" DESC NULLS LAST,
    "answer"."k0" ASC NULLS LAST) AS "place", "answer"."a0" AS "n"
FROM "answer"
ORDER BY system.main.row_number() OVER (ORDER BY "answer"."a0" DESC NULLS LAST, "answer"."k0" ASC NULLS LAST)
  NULLS LAST, "answer"."k0";
----
SELECT CASE WHEN count(*) > 40 THEN 'many' ELSE 'few' END AS size, status FROM orders GROUP BY status;
-- plain:
SELECT CASE WHEN count(DISTINCT customer_id) > 40 THEN 'many' ELSE 'few' END, d.status FROM (VALUES ('paid'), ('sent'), ('returned'), ('cancelled')) AS d(status) LEFT JOIN orders AS o ON o.status = d.status GROUP BY d.status;
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
SELECT (CASE WHEN ("answer"."a0" > 40) THEN 'many' ELSE 'few' END) AS "size", "answer"."k0" AS "status"
FROM "answer";
----
SELECT status || ': ' || count(*)::VARCHAR AS label FROM orders WHERE status = 'paid' GROUP BY status HAVING count(*) > 0;
-- plain:
SELECT 'paid: ' || count(DISTINCT customer_id) FROM orders WHERE status = 'paid';
-- plan: EveryKey groups=1, 'status' VARCHAR, Count 0.5 x1
-- score:
SELECT t.k0 AS "status", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."status" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND (t."status" = 'paid') AND t."status" IN ('paid')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT system.main."||"(system.main."||"("answer"."k0", ': '), CAST("answer"."a0" AS VARCHAR)) AS "label"
FROM "answer"
WHERE ("answer"."a0" > 0);
----
SELECT greatest(count(*), 10) AS n, abs(avg(total) - 100) AS off, count(*) / 0 AS nothing FROM orders;
-- plain:
SELECT 49, abs(avg(m) - 100), 49 / 0 FROM (SELECT avg(least(greatest(total, 0), 250)) AS m FROM orders WHERE customer_id IS NOT NULL GROUP BY customer_id);
-- plan: OneGroup, Count 0.22835 x1, Mean 0.27165 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL) AS t
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
    WHERE t."customer_id" IS NOT NULL AND t."total" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT system.main.greatest("answer"."a0", 10) AS "n", system.main.abs(system.main."-"("answer"."a1", 100)) AS
  "off", system.main."/"("answer"."a0", 0) AS "nothing"
FROM "answer";
----
SELECT 1 AS one, 'text' AS text, DATE '2024-01-01' AS day, count(*) AS n FROM orders;
-- plain:
SELECT 1, 'text', DATE '2024-01-01', 49;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT 1 AS "one", 'text' AS "text", CAST('2024-01-01' AS DATE) AS "day", "answer"."a0" AS "n"
FROM "answer";
----
SELECT count(*)::DOUBLE / 7 AS weekly, coalesce(NULL, count(*)) AS n, -count(*) AS minus, count(*) % 10 AS digit FROM orders;
-- plain:
SELECT 7.0, 49, -49, 9;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT system.main."/"(CAST("answer"."a0" AS DOUBLE), 7) AS "weekly", COALESCE(NULL, "answer"."a0") AS "n",
  system.main."-"("answer"."a0") AS "minus", system.main."%"("answer"."a0", 10) AS "digit"
FROM "answer";
----
SELECT plan, n * 2 AS twice FROM (SELECT plan, count(*) AS n FROM customers GROUP BY plan) AS t WHERE n > 14 ORDER BY n;
-- plain:
SELECT plan, count(*) * 2 AS twice FROM customers WHERE plan IN ('free', 'basic', 'pro', 'team') GROUP BY plan HAVING count(*) > 14 ORDER BY twice;
-- plan: EveryKey groups=1, 'plan' VARCHAR, Count 0.5 x1
-- score:
SELECT t.k0 AS "plan", system.main.count(*) AS score
FROM (SELECT t."plan" AS k0, t."customer_id" AS unit
  FROM "memory"."main"."customers" AS t
  WHERE t."customer_id" IS NOT NULL AND t."plan" IN ('free', 'basic', 'pro', 'team')) AS t
GROUP BY t.k0;
-- answer:
SELECT "plan", system.main."*"("n", 2) AS "twice"
FROM (SELECT "answer"."k0" AS "plan", "answer"."a0" AS "n"
  FROM "answer") AS "t"
WHERE ("n" > 14)
ORDER BY "n" ASC NULLS LAST;
----
SELECT year(ordered) AS y, month(ordered) AS m, make_date(year(ordered), month(ordered), 1) AS first, count(*) AS n FROM orders WHERE year(ordered) = 2024 GROUP BY y, m HAVING count(*) > 0 ORDER BY y, m;
-- plain:
SELECT year(ordered) AS y, month(ordered) AS m, make_date(year(ordered), month(ordered), 1), count(DISTINCT customer_id) FROM orders WHERE year(ordered) = 2024 GROUP BY y, m ORDER BY y, m;
-- plan: EveryKey groups=12, 'y' BIGINT, 'm' BIGINT, Count 0.5 x12 gaussian 12
-- score:
SELECT t.k0 AS "y", t.k1 AS "m", system.main.count(*) AS score
FROM (SELECT t.k0, t.k1, t.unit
  FROM (SELECT system.main.year(t."ordered") AS k0, system.main.month(t."ordered") AS k1, t."customer_id" AS
      unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND (system.main.year(t."ordered") = 2024) AND system.main.year(t."ordered")
      IN (2024) AND (system.main.month(t."ordered") >= 1 AND system.main.month(t."ordered") <= 12)) AS t
  GROUP BY t.k0, t.k1, t.unit) AS t
GROUP BY t.k0, t.k1;
-- answer:
SELECT "answer"."k0" AS "y", "answer"."k1" AS "m", system.main.make_date("answer"."k0", "answer"."k1", 1) AS
  "first", "answer"."a0" AS "n"
FROM "answer"
WHERE ("answer"."a0" > 0)
ORDER BY "answer"."k0" NULLS LAST, "answer"."k1" NULLS LAST;
