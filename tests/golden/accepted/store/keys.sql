SELECT date_trunc('month', ordered) AS month, count(*) AS orders FROM orders GROUP BY month ORDER BY month;
-- plain:
SELECT m AS month, count(DISTINCT customer_id) FROM range(TIMESTAMP '2024-01-01', TIMESTAMP '2025-01-01', INTERVAL 1 MONTH) AS r(m) LEFT JOIN orders ON date_trunc('month', ordered) = m GROUP BY m ORDER BY month;
-- plan: EveryKey groups=12, 'month' TIMESTAMP, Count 0.5 x12 gaussian 12
-- score:
SELECT t.k0 AS "month", system.main.count(*) AS score
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
SELECT "answer"."k0" AS "month", "answer"."a0" AS "orders"
FROM "answer"
ORDER BY "answer"."k0" NULLS LAST;
----
SELECT date_trunc('quarter', ordered) AS q, status, count(*) AS n FROM orders GROUP BY ALL ORDER BY 1, 2;
-- plain:
SELECT q, d.status, count(DISTINCT customer_id) AS n FROM range(TIMESTAMP '2024-01-01', TIMESTAMP '2025-01-01', INTERVAL 3 MONTH) AS r(q) CROSS JOIN (VALUES ('paid'), ('sent'), ('returned'), ('cancelled')) AS d(status) LEFT JOIN orders AS o ON date_trunc('quarter', ordered) = q AND o.status = d.status GROUP BY q, d.status ORDER BY q, d.status;
-- plan: EveryKey groups=16, 'q' TIMESTAMP, 'status' VARCHAR, Count 0.5 x16 gaussian 16
-- score:
SELECT t.k0 AS "q", t.k1 AS "status", system.main.count(*) AS score
FROM (SELECT t.k0, t.k1, t.unit
  FROM (SELECT system.main.date_trunc('quarter', (CASE WHEN t."ordered" BETWEEN TIMESTAMP '140000-01-01 (BC)'
          AND TIMESTAMP '140000-12-31' OR system.main.isinf(t."ordered") THEN t."ordered" END)) AS k0, t."status"
      AS k1, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND system.main.date_trunc('quarter', (CASE WHEN t."ordered" BETWEEN
          TIMESTAMP '140000-01-01 (BC)' AND TIMESTAMP '140000-12-31' OR system.main.isinf(t."ordered") THEN t."ordered"
          END)) IN (TIMESTAMP '2024-01-01 00:00:00', TIMESTAMP '2024-04-01 00:00:00', TIMESTAMP
        '2024-07-01 00:00:00', TIMESTAMP '2024-10-01 00:00:00') AND t."status" IN ('paid', 'sent', 'returned',
        'cancelled')) AS t
  GROUP BY t.k0, t.k1, t.unit) AS t
GROUP BY t.k0, t.k1;
-- answer:
SELECT "answer"."k0" AS "q", "answer"."k1" AS "status", "answer"."a0" AS "n"
FROM "answer"
ORDER BY "answer"."k0" NULLS LAST, "answer"."k1" NULLS LAST;
----
SELECT extract('dow' FROM ordered) AS weekday, count(*) FROM orders GROUP BY weekday ORDER BY weekday;
-- plain:
SELECT dayofweek(ordered) AS weekday, count(DISTINCT customer_id) FROM orders GROUP BY weekday ORDER BY weekday;
-- plan: EveryKey groups=7, 'weekday' BIGINT, Count 0.5 x7 gaussian 7
-- score:
SELECT t.k0 AS "weekday", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT system.main.dayofweek(t."ordered") AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND (system.main.dayofweek(t."ordered") >= 0 AND
        system.main.dayofweek(t."ordered") <= 6)) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "weekday", "answer"."a0" AS "count_star()"
FROM "answer"
ORDER BY "answer"."k0" NULLS LAST;
----
SELECT year(ordered) AS y, quarter(ordered) AS q, count(*) AS n FROM orders GROUP BY y, q ORDER BY y, q;
-- plain:
SELECT year(ordered) AS y, quarter(ordered) AS q, count(DISTINCT customer_id) AS n FROM orders WHERE year(ordered) = 2024 GROUP BY y, q ORDER BY y, q;
-- plan: EveryKey groups=4, 'y' BIGINT, 'q' BIGINT, Count 0.5 x4
-- score:
SELECT t.k0 AS "y", t.k1 AS "q", system.main.count(*) AS score
FROM (SELECT t.k0, t.k1, t.unit
  FROM (SELECT system.main.year(t."ordered") AS k0, system.main.quarter(t."ordered") AS k1, t."customer_id" AS
      unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND system.main.year(t."ordered") IN (2024) AND (system.main.quarter(t."ordered")
        >= 1 AND system.main.quarter(t."ordered") <= 4)) AS t
  GROUP BY t.k0, t.k1, t.unit) AS t
GROUP BY t.k0, t.k1;
-- answer:
SELECT "answer"."k0" AS "y", "answer"."k1" AS "q", "answer"."a0" AS "n"
FROM "answer"
ORDER BY "answer"."k0" NULLS LAST, "answer"."k1" NULLS LAST;
----
SELECT store_id, count(*) AS n FROM orders GROUP BY store_id ORDER BY store_id;
-- plain:
SELECT s.store_id, count(DISTINCT customer_id) FROM stores AS s LEFT JOIN orders AS o ON o.store_id = s.store_id GROUP BY s.store_id ORDER BY s.store_id;
-- plan: EveryKey groups=8, 'store_id' INTEGER, Count 0.5 x8 gaussian 8
-- score:
SELECT t.k0 AS "store_id", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."store_id" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND t."store_id" IN (1, 2, 3, 4, 5, 6, 7, 8)) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "store_id", "answer"."a0" AS "n"
FROM "answer"
ORDER BY "answer"."k0" NULLS LAST;
----
SELECT tier, newsletter, count(*) FROM customers GROUP BY tier, newsletter;
-- plain:
SELECT t.tier, n.mail, count(customer_id) FROM (VALUES ('bronze'), ('silver'), ('gold')) AS t(tier) CROSS JOIN (VALUES (true), (false)) AS n(mail) LEFT JOIN customers AS c ON c.tier::VARCHAR = t.tier AND c.newsletter = n.mail GROUP BY ALL;
-- plan: EveryKey groups=1, 'tier' ENUM('bronze', 'silver', 'gold'), 'newsletter' BOOLEAN, Count 0.5 x1
-- score:
SELECT t.k0 AS "tier", t.k1 AS "newsletter", system.main.count(*) AS score
FROM (SELECT t."tier" AS k0, t."newsletter" AS k1, t."customer_id" AS unit
  FROM "memory"."main"."customers" AS t
  WHERE t."customer_id" IS NOT NULL AND t."tier" IS NOT NULL AND t."newsletter" IS NOT NULL) AS t
GROUP BY t.k0, t.k1;
-- answer:
SELECT "answer"."k0" AS "tier", "answer"."k1" AS "newsletter", "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT plan, count(*) AS n FROM customers GROUP BY plan ORDER BY n DESC, plan;
-- plain:
SELECT d.plan, count(customer_id) AS n FROM (VALUES ('free'), ('basic'), ('pro'), ('team')) AS d(plan) LEFT JOIN customers AS c ON c.plan = d.plan GROUP BY d.plan ORDER BY n DESC, d.plan;
-- plan: EveryKey groups=1, 'plan' VARCHAR, Count 0.5 x1
-- score:
SELECT t.k0 AS "plan", system.main.count(*) AS score
FROM (SELECT t."plan" AS k0, t."customer_id" AS unit
  FROM "memory"."main"."customers" AS t
  WHERE t."customer_id" IS NOT NULL AND t."plan" IN ('free', 'basic', 'pro', 'team')) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "plan", "answer"."a0" AS "n"
FROM "answer"
ORDER BY "answer"."a0" DESC NULLS LAST, "answer"."k0" NULLS LAST;
----
SELECT 2024 - year(born) AS age, count(*) AS n FROM customers WHERE born > '1999-12-31' GROUP BY age HAVING count(*) > 0;
-- plain:
SELECT 2024 - year(born) AS age, count(*) FROM customers WHERE born BETWEEN '2000-01-01' AND '2009-12-31' GROUP BY age;
-- plan: EveryKey groups=1, 'age' BIGINT, Count 0.5 x1
-- score:
SELECT t.k0 AS "age", system.main.count(*) AS score
FROM (SELECT TRY_CAST(system.main."-"(CAST('2024' AS HUGEINT), CAST(system.main.year(t."born") AS HUGEINT)) AS
      BIGINT) AS k0, t."customer_id" AS unit
  FROM "memory"."main"."customers" AS t
  WHERE t."customer_id" IS NOT NULL AND (t."born" > DATE '1999-12-31') AND (TRY_CAST(system.main."-"(CAST('2024'
            AS HUGEINT), CAST(system.main.year(t."born") AS HUGEINT)) AS BIGINT) >= 15 AND
      TRY_CAST(system.main."-"(CAST('2024' AS HUGEINT), CAST(system.main.year(t."born") AS HUGEINT)) AS
        BIGINT) <= 24)) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "age", "answer"."a0" AS "n"
FROM "answer"
WHERE ("answer"."a0" > 0);
----
SELECT income // 25000 AS band, count(*) AS n FROM customers GROUP BY band;
-- plain:
SELECT b, count(customer_id) FROM range(5) AS r(b) LEFT JOIN customers ON income // 25000 = b GROUP BY b;
-- plan: EveryKey groups=1, 'band' INTEGER, Count 0.5 x1
-- score:
SELECT t.k0 AS "band", system.main.count(*) AS score
FROM (SELECT system.main."//"(t."income", CAST('25000' AS INTEGER)) AS k0, t."customer_id" AS unit
  FROM "memory"."main"."customers" AS t
  WHERE t."customer_id" IS NOT NULL AND (system.main."//"(t."income", CAST('25000' AS INTEGER)) >= 0 AND
      system.main."//"(t."income", CAST('25000' AS INTEGER)) <= 4)) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "band", "answer"."a0" AS "n"
FROM "answer";
----
SELECT stars >= 4 AS happy, topic, count(*) AS n FROM tickets GROUP BY happy, topic HAVING count(*) > 0;
-- plain:
SELECT stars >= 4 AS happy, topic, count(DISTINCT customer_id) FROM tickets WHERE topic IN ('refund', 'delivery', 'praise') GROUP BY ALL;
-- plan: EveryKey groups=6, 'happy' BOOLEAN, 'topic' VARCHAR, Count 0.5 x6 gaussian 6
-- score:
SELECT t.k0 AS "happy", t.k1 AS "topic", system.main.count(*) AS score
FROM (SELECT t.k0, t.k1, t.unit
  FROM (SELECT (t."stars" >= 4) AS k0, t."topic" AS k1, t."customer_id" AS unit
    FROM "memory"."main"."tickets" AS t
    WHERE t."customer_id" IS NOT NULL AND (t."stars" >= 4) IS NOT NULL AND t."topic" IN ('refund', 'delivery',
        'praise')) AS t
  GROUP BY t.k0, t.k1, t.unit) AS t
GROUP BY t.k0, t.k1;
-- answer:
SELECT "answer"."k0" AS "happy", "answer"."k1" AS "topic", "answer"."a0" AS "n"
FROM "answer"
WHERE ("answer"."a0" > 0);
----
SELECT topic, stars, count(*) AS n FROM tickets GROUP BY topic, stars HAVING count(*) > 0;
-- plain:
SELECT topic, stars, count(DISTINCT customer_id) FROM tickets WHERE topic IN ('refund', 'delivery', 'praise') AND stars BETWEEN 1 AND 5 GROUP BY ALL;
-- plan: EveryKey groups=15, 'topic' VARCHAR, 'stars' INTEGER, Count 0.5 x15 gaussian 15
-- score:
SELECT t.k0 AS "topic", t.k1 AS "stars", system.main.count(*) AS score
FROM (SELECT t.k0, t.k1, t.unit
  FROM (SELECT t."topic" AS k0, t."stars" AS k1, t."customer_id" AS unit
    FROM "memory"."main"."tickets" AS t
    WHERE t."customer_id" IS NOT NULL AND t."topic" IN ('refund', 'delivery', 'praise') AND (t."stars" >= 1
        AND t."stars" <= 5)) AS t
  GROUP BY t.k0, t.k1, t.unit) AS t
GROUP BY t.k0, t.k1;
-- answer:
SELECT "answer"."k0" AS "topic", "answer"."k1" AS "stars", "answer"."a0" AS "n"
FROM "answer"
WHERE ("answer"."a0" > 0);
----
SELECT ordered::DATE AS day, count(*) AS n FROM orders WHERE ordered BETWEEN '2024-03-01' AND '2024-03-10' GROUP BY day HAVING n > 0 ORDER BY day;
-- plain:
SELECT ordered::DATE AS day, count(DISTINCT customer_id) AS n FROM orders WHERE ordered BETWEEN '2024-03-01' AND '2024-03-10' AND customer_id IS NOT NULL GROUP BY day ORDER BY day;
-- plan: EveryKey groups=10, 'day' DATE, Count 0.5 x10 gaussian 10
-- score:
SELECT t.k0 AS "day", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT CAST(t."ordered" AS DATE) AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND ((t."ordered" >= TIMESTAMP '2024-03-01 00:00:00') AND (t."ordered"
          <= TIMESTAMP '2024-03-10 00:00:00')) AND (CAST(t."ordered" AS DATE) >= DATE '2024-03-01' AND CAST(t."ordered"
          AS DATE) <= DATE '2024-03-10')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "day", "answer"."a0" AS "n"
FROM "answer"
WHERE ("answer"."a0" > 0)
ORDER BY "answer"."k0" NULLS LAST;
----
SELECT if(total > 100, 'large', 'small') AS size, count(*) AS n FROM orders GROUP BY size;
-- plain:
SELECT if(total > 100, 'large', 'small') AS size, count(DISTINCT customer_id) FROM orders GROUP BY size;
-- plan: EveryKey groups=2, 'size' VARCHAR, Count 0.5 x2
-- score:
SELECT t.k0 AS "size", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT (CASE WHEN (t."total" > CAST('100.00' AS DECIMAL(9,2))) THEN 'large' ELSE 'small' END) AS k0,
      t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND (CASE WHEN (t."total" > CAST('100.00' AS DECIMAL(9,2))) THEN 'large'
        ELSE 'small' END) IN ('large', 'small')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "size", "answer"."a0" AS "n"
FROM "answer";
----
SELECT date_trunc('quarter', ordered) AS q, status, count(*) AS n FROM orders GROUP BY ALL ORDER BY ALL;
-- plain:
SELECT q, d.status, count(DISTINCT customer_id) AS n FROM range(TIMESTAMP '2024-01-01', TIMESTAMP '2025-01-01', INTERVAL 3 MONTH) AS r(q) CROSS JOIN (VALUES ('paid'), ('sent'), ('returned'), ('cancelled')) AS d(status) LEFT JOIN orders AS o ON date_trunc('quarter', ordered) = q AND o.status = d.status GROUP BY q, d.status ORDER BY q, d.status;
-- plan: EveryKey groups=16, 'q' TIMESTAMP, 'status' VARCHAR, Count 0.5 x16 gaussian 16
-- score:
SELECT t.k0 AS "q", t.k1 AS "status", system.main.count(*) AS score
FROM (SELECT t.k0, t.k1, t.unit
  FROM (SELECT system.main.date_trunc('quarter', (CASE WHEN t."ordered" BETWEEN TIMESTAMP '140000-01-01 (BC)'
          AND TIMESTAMP '140000-12-31' OR system.main.isinf(t."ordered") THEN t."ordered" END)) AS k0, t."status"
      AS k1, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND system.main.date_trunc('quarter', (CASE WHEN t."ordered" BETWEEN
          TIMESTAMP '140000-01-01 (BC)' AND TIMESTAMP '140000-12-31' OR system.main.isinf(t."ordered") THEN t."ordered"
          END)) IN (TIMESTAMP '2024-01-01 00:00:00', TIMESTAMP '2024-04-01 00:00:00', TIMESTAMP
        '2024-07-01 00:00:00', TIMESTAMP '2024-10-01 00:00:00') AND t."status" IN ('paid', 'sent', 'returned',
        'cancelled')) AS t
  GROUP BY t.k0, t.k1, t.unit) AS t
GROUP BY t.k0, t.k1;
-- answer:
SELECT "answer"."k0" AS "q", "answer"."k1" AS "status", "answer"."a0" AS "n"
FROM "answer"
ORDER BY "answer"."k0" NULLS LAST, "answer"."k1" NULLS LAST, "answer"."a0" NULLS LAST;
