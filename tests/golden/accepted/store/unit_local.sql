SELECT least(n, 6) AS orders, count(*) AS customers FROM (SELECT customer_id, count(*) AS n FROM orders GROUP BY customer_id) GROUP BY orders;
-- plain:
SELECT k, count(n) FROM range(0, 7) AS r(k) LEFT JOIN (SELECT customer_id, count(*) AS n FROM orders WHERE customer_id IS NOT NULL GROUP BY customer_id) ON least(n, 6) = k GROUP BY k;
-- plan: EveryKey groups=1, 'orders' BIGINT, Count 0.5 x1
-- score:
SELECT t.k0 AS "orders", system.main.count(*) AS score
FROM (SELECT system.main.least(t2."c0", CAST('6' AS BIGINT)) AS k0, t2."unit" AS unit
  FROM (SELECT t."customer_id" AS "unit", system.main.count(CAST('1' AS INTEGER)) AS "c0"
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL
    GROUP BY t."customer_id") AS t2
  WHERE t2."unit" IS NOT NULL AND (system.main.least(t2."c0", CAST('6' AS BIGINT)) >= 0 AND
      system.main.least(t2."c0", CAST('6' AS BIGINT)) <= 6)) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "orders", "answer"."a0" AS "customers"
FROM "answer";
----
SELECT n, count(*) AS customers FROM (SELECT customer_id, count(*) AS n FROM orders GROUP BY customer_id) WHERE n BETWEEN 2 AND 5 GROUP BY n;
-- plain:
SELECT k, count(n) FROM range(2, 6) AS r(k) LEFT JOIN (SELECT customer_id, count(*) AS n FROM orders WHERE customer_id IS NOT NULL GROUP BY customer_id) ON n = k GROUP BY k;
-- plan: EveryKey groups=1, 'n' BIGINT, Count 0.5 x1
-- score:
SELECT t.k0 AS "n", system.main.count(*) AS score
FROM (SELECT t2."c0" AS k0, t2."unit" AS unit
  FROM (SELECT t."customer_id" AS "unit", system.main.count(CAST('1' AS INTEGER)) AS "c0"
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL
    GROUP BY t."customer_id") AS t2
  WHERE t2."unit" IS NOT NULL AND ((t2."c0" >= 2) AND (t2."c0" <= 5)) AND (t2."c0" >= 2 AND t2."c0" <= 5)) AS
  t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "n", "answer"."a0" AS "customers"
FROM "answer";
----
SELECT status, count(*) AS n FROM (SELECT customer_id, status, row_number() OVER (PARTITION BY customer_id ORDER BY ordered, order_id) AS turn FROM orders) WHERE turn = 1 GROUP BY status;
-- plain:
SELECT s, count(status) FROM (VALUES ('paid'), ('sent'), ('returned'), ('cancelled')) AS v(s) LEFT JOIN (SELECT * FROM orders WHERE customer_id IS NOT NULL QUALIFY row_number() OVER (PARTITION BY customer_id ORDER BY ordered, order_id) = 1) ON status = s GROUP BY s;
-- plan: EveryKey groups=1, 'status' VARCHAR, Count 0.5 x1
-- score:
SELECT t.k0 AS "status", system.main.count(*) AS score
FROM (SELECT t2."c1" AS k0, t2."unit" AS unit
  FROM (SELECT t."customer_id" AS "unit", system.main.row_number() OVER (PARTITION BY t."customer_id"
      ORDER BY t."ordered" ASC NULLS LAST, t."order_id" ASC NULLS LAST, t."customer_id" ASC NULLS LAST, (CASE
          WHEN system.main.strlen(t."status") <= 10000 THEN t."status" END) ASC NULLS LAST, t."order_id" ASC
        NULLS LAST, t."ordered" ASC NULLS LAST) AS "c0", (CASE WHEN system.main.strlen(t."status") <= 10000
        THEN t."status" END) AS "c1"
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL) AS t2
  WHERE t2."unit" IS NOT NULL AND (t2."c0" = 1) AND t2."c1" IN ('paid', 'sent', 'returned', 'cancelled')) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "status", "answer"."a0" AS "n"
FROM "answer";
----
SELECT date_trunc('month', first) AS cohort, count(*) AS customers FROM (SELECT customer_id, min(ordered) AS first FROM orders GROUP BY customer_id) WHERE first >= '2024-01-01' GROUP BY cohort;
-- plain:
SELECT m, count(first) FROM (SELECT DATE '2024-01-01' + INTERVAL (i) MONTH AS m FROM range(12) AS r(i)) LEFT JOIN (SELECT customer_id, min(ordered) AS first FROM orders WHERE customer_id IS NOT NULL GROUP BY customer_id) ON date_trunc('month', first) = m GROUP BY m;
-- plan: EveryKey groups=1, 'cohort' TIMESTAMP, Count 0.5 x1
-- score:
SELECT t.k0 AS "cohort", system.main.count(*) AS score
FROM (SELECT system.main.date_trunc('month', (CASE WHEN t2."c0" BETWEEN TIMESTAMP '140000-01-01 (BC)' AND
        TIMESTAMP '140000-12-31' OR system.main.isinf(t2."c0") THEN t2."c0" END)) AS k0, t2."unit" AS unit
  FROM (SELECT t."customer_id" AS "unit", system.main.min(t."ordered") AS "c0"
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL
    GROUP BY t."customer_id") AS t2
  WHERE t2."unit" IS NOT NULL AND (t2."c0" >= TIMESTAMP '2024-01-01 00:00:00') AND system.main.date_trunc('month',
      (CASE WHEN t2."c0" BETWEEN TIMESTAMP '140000-01-01 (BC)' AND TIMESTAMP '140000-12-31' OR
        system.main.isinf(t2."c0") THEN t2."c0" END)) IN (TIMESTAMP '2024-01-01 00:00:00', TIMESTAMP
      '2024-02-01 00:00:00', TIMESTAMP '2024-03-01 00:00:00', TIMESTAMP '2024-04-01 00:00:00', TIMESTAMP
      '2024-05-01 00:00:00', TIMESTAMP '2024-06-01 00:00:00', TIMESTAMP '2024-07-01 00:00:00', TIMESTAMP
      '2024-08-01 00:00:00', TIMESTAMP '2024-09-01 00:00:00', TIMESTAMP '2024-10-01 00:00:00', TIMESTAMP
      '2024-11-01 00:00:00', TIMESTAMP '2024-12-01 00:00:00')) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "cohort", "answer"."a0" AS "customers"
FROM "answer";
----
SELECT c.plan, count(*) FILTER (WHERE coalesce(o.n, 0) > 3) AS heavy, count(*) AS n FROM customers AS c LEFT JOIN (SELECT customer_id, count(*) AS n FROM orders WHERE status = 'paid' GROUP BY customer_id) AS o ON o.customer_id = c.customer_id GROUP BY c.plan;
-- plain:
SELECT p, count(c.customer_id) FILTER (WHERE coalesce(n, 0) > 3), count(c.customer_id) FROM (VALUES ('free'), ('basic'), ('pro'), ('team')) AS v(p) LEFT JOIN customers AS c ON c.plan = p LEFT JOIN (SELECT customer_id, count(*) AS n FROM orders WHERE status = 'paid' GROUP BY customer_id) AS o ON o.customer_id = c.customer_id GROUP BY p;
-- plan: EveryKey groups=1, 'plan' VARCHAR, Count 0.25 x1, Count 0.25 x1
-- score:
SELECT t.k0 AS "plan", system.main.count(*) AS score
FROM (SELECT t."plan" AS k0, t."customer_id" AS unit
  FROM "memory"."main"."customers" AS t
  LEFT
  JOIN (SELECT t2."customer_id" AS "unit", system.main.count(CAST('1' AS INTEGER)) AS "c0"
    FROM "memory"."main"."orders" AS t2
    WHERE (t2."status" = 'paid') AND t2."customer_id" IS NOT NULL
    GROUP BY t2."customer_id") AS t3 ON (t3."unit" = t."customer_id")
  WHERE t."customer_id" IS NOT NULL AND (COALESCE(t3."c0", CAST('0' AS BIGINT)) > 3) AND t."plan" IN ('free',
      'basic', 'pro', 'team')) AS t
GROUP BY t.k0;
-- score:
SELECT t.k0 AS "plan", system.main.count(*) AS score
FROM (SELECT t."plan" AS k0, t."customer_id" AS unit
  FROM "memory"."main"."customers" AS t
  LEFT
  JOIN (SELECT t2."customer_id" AS "unit", system.main.count(CAST('1' AS INTEGER)) AS "c0"
    FROM "memory"."main"."orders" AS t2
    WHERE (t2."status" = 'paid') AND t2."customer_id" IS NOT NULL
    GROUP BY t2."customer_id") AS t3 ON (t3."unit" = t."customer_id")
  WHERE t."customer_id" IS NOT NULL AND t."plan" IN ('free', 'basic', 'pro', 'team')) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "plan", "answer"."a0" AS "heavy", "answer"."a1" AS "n"
FROM "answer";
----
SELECT count(*) AS returned_soon FROM (SELECT customer_id, ordered, lag(ordered) OVER (PARTITION BY customer_id ORDER BY ordered) AS before FROM orders) WHERE ordered - before < INTERVAL 2 DAY;
-- plain:
SELECT count(DISTINCT customer_id) FROM (SELECT customer_id, ordered, lag(ordered) OVER (PARTITION BY customer_id ORDER BY ordered) AS before FROM orders WHERE customer_id IS NOT NULL) WHERE ordered - before < INTERVAL 2 DAY;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t2."unit" AS unit
    FROM (SELECT t."customer_id" AS "unit", system.main.lag(t."ordered", CAST('1' AS BIGINT)) OVER (PARTITION
          BY t."customer_id"
        ORDER BY t."ordered" ASC NULLS LAST, t."customer_id" ASC NULLS LAST, t."ordered" ASC NULLS LAST) AS
        "c0", t."ordered" AS "c1"
      FROM "memory"."main"."orders" AS t
      WHERE t."customer_id" IS NOT NULL) AS t2
    WHERE t2."unit" IS NOT NULL AND (system.main.date_diff('microsecond', (CASE WHEN t2."c0" BETWEEN TIMESTAMP
            '140000-01-01 (BC)' AND TIMESTAMP '140000-12-31' OR system.main.isinf(t2."c0") THEN t2."c0" END),
          (CASE WHEN t2."c1" BETWEEN TIMESTAMP '140000-01-01 (BC)' AND TIMESTAMP '140000-12-31' OR
            system.main.isinf(t2."c1") THEN t2."c1" END)) < 172800000000)) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "returned_soon"
FROM "answer";
----
SELECT sum(least(n, 9)) AS n FROM (SELECT customer_id, status, count(*) AS n FROM orders GROUP BY customer_id, status HAVING count(*) > 1) WHERE status = 'paid';
-- plain:
SELECT sum(least(n, 9)) FROM (SELECT customer_id, count(*) AS n FROM orders WHERE status = 'paid' AND customer_id IS NOT NULL GROUP BY customer_id HAVING count(*) > 1);
-- plan: OneGroup, Sum 0.5 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score
FROM (SELECT system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS HUGEINT), CAST('2' AS
          HUGEINT)), CAST('9' AS HUGEINT)) AS part
  FROM (SELECT CAST(CASE WHEN system.main.least(t2."c1", CAST('9' AS BIGINT)) < CAST('-9437184' AS BIGINT)
        THEN CAST('-9437184' AS BIGINT) WHEN system.main.least(t2."c1", CAST('9' AS BIGINT)) > CAST('9437184'
          AS BIGINT) THEN CAST('9437184' AS BIGINT) ELSE system.main.least(t2."c1", CAST('9' AS BIGINT)) END
        AS HUGEINT) AS value, t2."unit" AS unit
    FROM (SELECT t."customer_id" AS "unit", (CASE WHEN system.main.strlen(t."status") <= 10000 THEN t."status"
          END) AS "c0", system.main.count(CAST('1' AS INTEGER)) AS "c1"
      FROM "memory"."main"."orders" AS t
      WHERE t."customer_id" IS NOT NULL
      GROUP BY t."customer_id", (CASE WHEN system.main.strlen(t."status") <= 10000 THEN t."status" END)) AS t2
    WHERE t2."unit" IS NOT NULL AND (t2."c1" > 1) AND (t2."c0" = 'paid') AND system.main.least(t2."c1", CAST('9'
          AS BIGINT)) IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "n"
FROM "answer";
----
SELECT topic, count(*) AS n FROM (SELECT customer_id, arg_max(topic, opened) AS topic FROM tickets GROUP BY ALL) GROUP BY topic;
-- plain:
SELECT t, count(x.topic) FROM (VALUES ('refund'), ('delivery'), ('praise')) AS v(t) LEFT JOIN (SELECT customer_id, arg_max(topic, (opened, topic)) AS topic FROM tickets GROUP BY ALL) AS x ON x.topic = t GROUP BY t;
-- plan: EveryKey groups=1, 'topic' VARCHAR, Count 0.5 x1
-- score:
SELECT t.k0 AS "topic", system.main.count(*) AS score
FROM (SELECT t2."c0" AS k0, t2."unit" AS unit
  FROM (SELECT t."customer_id" AS "unit", system.main.arg_max((CASE WHEN t."opened" IS NOT NULL THEN (CASE
            WHEN system.main.strlen(t."topic") <= 10000 THEN t."topic" END) END), system.main.row(t."opened",
          (CASE WHEN system.main.strlen(t."topic") <= 10000 THEN t."topic" END))) AS "c0"
    FROM "memory"."main"."tickets" AS t
    WHERE t."customer_id" IS NOT NULL
    GROUP BY t."customer_id") AS t2
  WHERE t2."unit" IS NOT NULL AND t2."c0" IN ('refund', 'delivery', 'praise')) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "topic", "answer"."a0" AS "n"
FROM "answer";
----
WITH per_order AS (SELECT o.order_id, o.customer_id, sum(i.quantity) AS pieces FROM orders AS o JOIN items AS i ON i.order_id = o.order_id GROUP BY 1, 2), big AS (SELECT customer_id, bool_or(pieces > 8) AS has_big FROM per_order GROUP BY customer_id) SELECT has_big, count(*) AS n FROM big GROUP BY has_big;
-- plain:
SELECT b, count(has_big) FROM (VALUES (true), (false)) AS v(b) LEFT JOIN (SELECT customer_id, bool_or(pieces > 8) AS has_big FROM (SELECT o.order_id, o.customer_id, sum(i.quantity) AS pieces FROM orders AS o JOIN items AS i ON i.order_id = o.order_id WHERE customer_id IS NOT NULL GROUP BY 1, 2) GROUP BY customer_id) ON has_big = b GROUP BY b;
-- plan: EveryKey groups=1, 'has_big' BOOLEAN, Count 0.5 x1
-- score:
SELECT t.k0 AS "has_big", system.main.count(*) AS score
FROM (SELECT t4."c0" AS k0, t4."unit" AS unit
  FROM (SELECT t3."unit" AS "unit", system.main.bool_or((t3."c1" > CAST('8' AS HUGEINT))) AS "c0"
    FROM (SELECT t."customer_id" AS "unit", t."order_id" AS "c0", CAST(system.main.sum(t2."quantity") AS
          HUGEINT) AS "c1"
      FROM "memory"."main"."orders" AS t
      JOIN "memory"."main"."items" AS t2 ON (t2."order_id" = t."order_id")
      WHERE t."customer_id" IS NOT NULL
      GROUP BY t."customer_id", t."order_id") AS t3
    WHERE t3."unit" IS NOT NULL
    GROUP BY t3."unit") AS t4
  WHERE t4."unit" IS NOT NULL AND t4."c0" IS NOT NULL) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "has_big", "answer"."a0" AS "n"
FROM "answer";
----
SELECT count(*) AS n FROM (SELECT visitor FROM clicks GROUP BY visitor HAVING count(DISTINCT page) > 1 AND max(seconds) > 10);
-- plain:
SELECT count(*) FROM (SELECT visitor FROM clicks GROUP BY visitor HAVING count(DISTINCT page) > 1 AND max(seconds) > 10);
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t2."unit" AS unit
  FROM (SELECT t."visitor" AS "unit", system.main.max(CASE WHEN system.main.isnan(t."seconds") THEN CAST('nan'
          AS DOUBLE) WHEN t."seconds" = CAST('0.0' AS DOUBLE) THEN CAST('0.0' AS DOUBLE) ELSE t."seconds" END)
      AS "c0", system.main.count(DISTINCT (CASE WHEN system.main.strlen(t."page") <= 10000 THEN t."page" END))
      AS "c1"
    FROM "memory"."main"."clicks" AS t
    WHERE t."visitor" IS NOT NULL
    GROUP BY t."visitor") AS t2
  WHERE t2."unit" IS NOT NULL AND system.main.strlen(t2."unit") <= 10000 AND (t2."c0" > CAST('10.0' AS
        DOUBLE)) AND (t2."c1" > 1)) AS t;
-- answer:
SELECT "answer"."a0" AS "n"
FROM "answer";
----
SELECT avg(days) AS days FROM (SELECT customer_id, date_diff('day', min(ordered), max(ordered)) AS days FROM orders GROUP BY customer_id HAVING count(*) > 1);
-- plain:
SELECT avg(days) FROM (SELECT customer_id, date_diff('day', min(ordered), max(ordered)) AS days FROM orders WHERE customer_id IS NOT NULL GROUP BY customer_id HAVING count(*) > 1);
-- plan: OneGroup, Mean 0.5 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score, system.main.count(*) AS units
FROM (SELECT CAST(system.main."//"(system.main.sum(t.value), system.main.count(*)) AS BIGINT) AS part
  FROM (SELECT CASE WHEN CAST(system.main.date_diff('day', (CASE WHEN t2."c1" BETWEEN TIMESTAMP
            '140000-01-01 (BC)' AND TIMESTAMP '140000-12-31' OR system.main.isinf(t2."c1") THEN t2."c1" END),
          (CASE WHEN t2."c2" BETWEEN TIMESTAMP '140000-01-01 (BC)' AND TIMESTAMP '140000-12-31' OR
            system.main.isinf(t2."c2") THEN t2."c2" END)) AS DOUBLE) <= CAST('-365.0' AS DOUBLE) THEN CAST('0'
        AS BIGINT) WHEN CAST(system.main.date_diff('day', (CASE WHEN t2."c1" BETWEEN TIMESTAMP
            '140000-01-01 (BC)' AND TIMESTAMP '140000-12-31' OR system.main.isinf(t2."c1") THEN t2."c1" END),
          (CASE WHEN t2."c2" BETWEEN TIMESTAMP '140000-01-01 (BC)' AND TIMESTAMP '140000-12-31' OR
            system.main.isinf(t2."c2") THEN t2."c2" END)) AS DOUBLE) >= CAST('365.0' AS DOUBLE) THEN CAST('1073741824'
        AS BIGINT) ELSE CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(system.main.date_diff('day',
                      (CASE WHEN t2."c1" BETWEEN TIMESTAMP '140000-01-01 (BC)' AND TIMESTAMP '140000-12-31' OR
                        system.main.isinf(t2."c1") THEN t2."c1" END), (CASE WHEN t2."c2" BETWEEN TIMESTAMP
                        '140000-01-01 (BC)' AND TIMESTAMP '140000-12-31' OR system.main.isinf(t2."c2") THEN
                        t2."c2" END)) AS DOUBLE), CAST('-365.0' AS DOUBLE)), CAST('730.0' AS DOUBLE)), CAST('1073741824.0'
                AS DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, t2."unit" AS unit
    FROM (SELECT t."customer_id" AS "unit", system.main.count(CAST('1' AS INTEGER)) AS "c0",
        system.main.min(t."ordered") AS "c1", system.main.max(t."ordered") AS "c2"
      FROM "memory"."main"."orders" AS t
      WHERE t."customer_id" IS NOT NULL
      GROUP BY t."customer_id") AS t2
    WHERE t2."unit" IS NOT NULL AND (t2."c0" > 1) AND system.main.date_diff('day', (CASE WHEN t2."c1" BETWEEN
          TIMESTAMP '140000-01-01 (BC)' AND TIMESTAMP '140000-12-31' OR system.main.isinf(t2."c1") THEN t2."c1"
          END), (CASE WHEN t2."c2" BETWEEN TIMESTAMP '140000-01-01 (BC)' AND TIMESTAMP '140000-12-31' OR
          system.main.isinf(t2."c2") THEN t2."c2" END)) IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "days"
FROM "answer";
----
SELECT rank, count(*) AS n FROM (SELECT customer_id, total, dense_rank() OVER (PARTITION BY customer_id ORDER BY total DESC) AS rank FROM orders) WHERE rank <= 2 AND total > 100 GROUP BY rank;
-- plain:
SELECT k, count(DISTINCT customer_id) FROM range(1, 3) AS r(k) LEFT JOIN (SELECT customer_id, total, dense_rank() OVER (PARTITION BY customer_id ORDER BY total DESC) AS rank FROM orders WHERE customer_id IS NOT NULL) ON rank = k AND total > 100 GROUP BY k;
-- plan: EveryKey groups=2, 'rank' BIGINT, Count 0.5 x2
-- score:
SELECT t.k0 AS "rank", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t2."c0" AS k0, t2."unit" AS unit
    FROM (SELECT t."customer_id" AS "unit", system.main.dense_rank() OVER (PARTITION BY t."customer_id"
        ORDER BY t."total" DESC NULLS LAST) AS "c0", t."total" AS "c1"
      FROM "memory"."main"."orders" AS t
      WHERE t."customer_id" IS NOT NULL) AS t2
    WHERE t2."unit" IS NOT NULL AND (t2."c0" <= 2) AND (t2."c1" > CAST('100.00' AS DECIMAL(9,2))) AND (t2."c0"
        >= 1 AND t2."c0" <= 2)) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "rank", "answer"."a0" AS "n"
FROM "answer";
----
SELECT count(*) AS n FROM (SELECT customer_id, sum(total) OVER (PARTITION BY customer_id ORDER BY ordered, order_id ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS last_three FROM orders) WHERE last_three > 500;
-- plain:
SELECT count(DISTINCT customer_id) FROM (SELECT customer_id, sum(total) OVER (PARTITION BY customer_id ORDER BY ordered, order_id ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS last_three FROM orders) WHERE last_three > 500;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t2."unit" AS unit
    FROM (SELECT t."customer_id" AS "unit", CAST(system.main.sum(t."total") OVER (PARTITION BY t."customer_id"
          ORDER BY t."ordered" ASC NULLS LAST, t."order_id" ASC NULLS LAST, t."customer_id" ASC NULLS LAST, t."order_id"
            ASC NULLS LAST, t."ordered" ASC NULLS LAST, t."total" ASC NULLS LAST ROWS BETWEEN 2 PRECEDING AND
            CURRENT ROW) AS DECIMAL(38,2)) AS "c0"
      FROM "memory"."main"."orders" AS t
      WHERE t."customer_id" IS NOT NULL) AS t2
    WHERE t2."unit" IS NOT NULL AND (t2."c0" > CAST('500.00' AS DECIMAL(38,2)))) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "n"
FROM "answer";
----
SELECT city, count(*) AS n FROM (SELECT DISTINCT o.customer_id, s.city FROM orders AS o JOIN stores AS s ON o.store_id = s.store_id) GROUP BY city;
-- plain:
SELECT s.city, count(DISTINCT customer_id) FROM stores AS s LEFT JOIN orders AS o USING (store_id) GROUP BY s.city;
-- plan: EveryKey groups=7, 'city' VARCHAR, Count 0.5 x7 gaussian 7
-- score:
SELECT t.k0 AS "city", system.main.count(*) AS score
FROM (SELECT t3."c0" AS k0, t3."unit" AS unit
  FROM (SELECT DISTINCT t."customer_id" AS "unit", (CASE WHEN system.main.strlen(t2."city") <= 10000 THEN t2."city"
        END) AS "c0"
    FROM "memory"."main"."orders" AS t
    JOIN "memory"."main"."stores" AS t2 ON (t."store_id" = t2."store_id")
    WHERE t."customer_id" IS NOT NULL) AS t3
  WHERE t3."unit" IS NOT NULL AND t3."c0" IN ('Berlin', 'Bonn', 'Lyon', 'Nowhere', 'Osaka', 'Paris', 'Tokyo'))
  AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "city", "answer"."a0" AS "n"
FROM "answer";
----
SELECT n, count(*) AS visitors FROM (SELECT visitor, count(DISTINCT device) AS n FROM clicks GROUP BY visitor) GROUP BY n;
-- plain:
SELECT k, count(n) FROM range(0, 4) AS r(k) LEFT JOIN (SELECT visitor, count(DISTINCT device) AS n FROM clicks WHERE visitor IS NOT NULL GROUP BY visitor) ON n = k GROUP BY k;
-- plan: EveryKey groups=1, 'n' BIGINT, Count 0.5 x1
-- score:
SELECT t.k0 AS "n", system.main.count(*) AS score
FROM (SELECT t2."c0" AS k0, t2."unit" AS unit
  FROM (SELECT t."visitor" AS "unit", system.main.count(DISTINCT (CASE WHEN system.main.strlen(t."device") <=
          10000 THEN t."device" END)) AS "c0"
    FROM "memory"."main"."clicks" AS t
    WHERE t."visitor" IS NOT NULL
    GROUP BY t."visitor") AS t2
  WHERE t2."unit" IS NOT NULL AND system.main.strlen(t2."unit") <= 10000 AND (t2."c0" >= 0 AND t2."c0" <= 3))
  AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "n", "answer"."a0" AS "visitors"
FROM "answer";
----
SELECT device, avg(spent) AS spent FROM (SELECT visitor, device, sum(bytes) AS spent FROM clicks GROUP BY visitor, device) GROUP BY device;
-- plain:
SELECT d, avg(least(greatest(spent, 0), 3000)) FROM (VALUES ('phone'), ('tablet'), ('desktop')) AS v(d) LEFT JOIN (SELECT visitor, device, sum(bytes) AS spent FROM clicks WHERE visitor IS NOT NULL GROUP BY visitor, device) ON device = d GROUP BY d;
-- plan: EveryKey groups=2, 'device' VARCHAR, Mean 0.5 x2
-- score:
SELECT t.k0 AS "device", CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE
  system.main.sum(t.part) END AS score, system.main.count(*) AS units
FROM (SELECT t.k0, CAST(system.main."//"(system.main.sum(t.value), system.main.count(*)) AS BIGINT) AS part
  FROM (SELECT *
    FROM (SELECT t.*, system.main.dense_rank() OVER (PARTITION BY t.unit
        ORDER BY system.main.hash(t.unit, t.k0, CAST('20241121' AS BIGINT)), t.k0) AS place
      FROM (SELECT t2."c0" AS k0, CASE WHEN CAST(t2."c1" AS DOUBLE) <= CAST('0.0' AS DOUBLE) THEN CAST('0' AS
            BIGINT) WHEN CAST(t2."c1" AS DOUBLE) >= CAST('3000.0' AS DOUBLE) THEN CAST('1073741824' AS BIGINT)
          ELSE CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t2."c1"
                        AS DOUBLE), CAST('0.0' AS DOUBLE)), CAST('3000.0' AS DOUBLE)), CAST('1073741824.0' AS
                    DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, t2."unit" AS unit
        FROM (SELECT t."visitor" AS "unit", (CASE WHEN system.main.strlen(t."device") <= 10000 THEN t."device"
              END) AS "c0", CAST(system.main.sum(t."bytes") AS HUGEINT) AS "c1"
          FROM "memory"."main"."clicks" AS t
          WHERE t."visitor" IS NOT NULL
          GROUP BY t."visitor", (CASE WHEN system.main.strlen(t."device") <= 10000 THEN t."device" END)) AS t2
        WHERE t2."unit" IS NOT NULL AND system.main.strlen(t2."unit") <= 10000 AND t2."c1" IS NOT NULL AND t2."c0"
          IN ('phone', 'tablet', 'desktop')) AS t) AS t
    WHERE t.place <= 2) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "device", "answer"."a0" AS "spent"
FROM "answer";
----
SELECT c.plan, avg(coalesce(k.lines, 0)) AS lines FROM customers AS c JOIN orders AS o ON o.customer_id = c.customer_id LEFT JOIN (SELECT order_id, count(DISTINCT quantity) AS lines FROM items GROUP BY order_id) AS k ON k.order_id = o.order_id WHERE c.plan <> 'team' GROUP BY c.plan;
-- plain:
SELECT p, avg(m) FROM (VALUES ('free'), ('basic'), ('pro')) AS v(p) LEFT JOIN (SELECT c.plan, c.customer_id, avg(coalesce(k.lines, 0)) AS m FROM customers AS c JOIN orders AS o ON o.customer_id = c.customer_id LEFT JOIN (SELECT order_id, count(DISTINCT least(greatest(quantity, 1), 5)) AS lines FROM items GROUP BY order_id) AS k ON k.order_id = o.order_id GROUP BY c.plan, c.customer_id) ON plan = p GROUP BY p;
-- plan: EveryKey groups=1, 'plan' VARCHAR, Mean 0.5 x1
-- score:
SELECT t.k0 AS "plan", CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE
  system.main.sum(t.part) END AS score, system.main.count(*) AS units
FROM (SELECT t.k0, CAST(system.main."//"(system.main.sum(t.value), system.main.count(*)) AS BIGINT) AS part
  FROM (SELECT t."plan" AS k0, CASE WHEN CAST(COALESCE(t5."c1", CAST('0' AS BIGINT)) AS DOUBLE) <= CAST('0.0'
        AS DOUBLE) THEN CAST('0' AS BIGINT) WHEN CAST(COALESCE(t5."c1", CAST('0' AS BIGINT)) AS DOUBLE) >=
      CAST('5.0' AS DOUBLE) THEN CAST('1073741824' AS BIGINT) ELSE CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(COALESCE(t5."c1",
                      CAST('0' AS BIGINT)) AS DOUBLE), CAST('0.0' AS DOUBLE)), CAST('5.0' AS DOUBLE)), CAST('1073741824.0'
                AS DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, t."customer_id" AS unit
    FROM "memory"."main"."customers" AS t
    JOIN "memory"."main"."orders" AS t2 ON (t2."customer_id" = t."customer_id")
    LEFT
    JOIN (SELECT t4."customer_id" AS "unit", t3."order_id" AS "c0", system.main.count(DISTINCT t3."quantity")
        AS "c1"
      FROM "memory"."main"."items" AS t3
      JOIN "memory"."main"."orders" AS t4 ON t3."order_id" = t4."order_id"
      WHERE t4."customer_id" IS NOT NULL
      GROUP BY t4."customer_id", t3."order_id") AS t5 ON (t5."c0" = t2."order_id")
    WHERE t."customer_id" IS NOT NULL AND (t."plan" <> 'team') AND COALESCE(t5."c1", CAST('0' AS BIGINT)) IS
      NOT NULL AND t."plan" IN ('free', 'basic', 'pro')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "plan", "answer"."a0" AS "lines"
FROM "answer";
----
SELECT count(DISTINCT o.order_id) AS orders FROM customers AS c LEFT JOIN orders AS o ON o.customer_id = c.customer_id LEFT JOIN items AS i ON i.order_id = o.order_id WHERE c.plan = 'pro';
-- plain:
SELECT count(DISTINCT o.order_id) FROM customers AS c JOIN orders AS o ON o.customer_id = c.customer_id WHERE c.plan = 'pro';
-- plan: OneGroup, ChosenDistinct 0.5 x1
-- score:
SELECT t.value AS "level", system.main.count(*) AS score
FROM (SELECT CASE WHEN t.place <= CAST('1' AS BIGINT) THEN CAST('0' AS BIGINT) WHEN t.place <= CAST('2' AS
      BIGINT) THEN CAST('1' AS BIGINT) WHEN t.place <= CAST('4' AS BIGINT) THEN CAST('2' AS BIGINT) WHEN
    t.place <= CAST('8' AS BIGINT) THEN CAST('3' AS BIGINT) WHEN t.place <= CAST('16' AS BIGINT) THEN CAST('4'
      AS BIGINT) WHEN t.place <= CAST('32' AS BIGINT) THEN CAST('5' AS BIGINT) WHEN t.place <= CAST('64' AS
      BIGINT) THEN CAST('6' AS BIGINT) WHEN t.place <= CAST('128' AS BIGINT) THEN CAST('7' AS BIGINT) WHEN
    t.place <= CAST('256' AS BIGINT) THEN CAST('8' AS BIGINT) WHEN t.place <= CAST('512' AS BIGINT) THEN CAST('9'
      AS BIGINT) ELSE CAST('10' AS BIGINT) END AS value
  FROM (SELECT system.main.min(t.place) AS place
    FROM (SELECT t.value, system.main.dense_rank() OVER (PARTITION BY t.unit
        ORDER BY system.main.hash(t.unit, t.value, CAST('20241121' AS BIGINT)), t.value) AS place
      FROM (SELECT t2."order_id" AS value, t."customer_id" AS unit
        FROM "memory"."main"."customers" AS t
        LEFT
        JOIN "memory"."main"."orders" AS t2 ON (t2."customer_id" = t."customer_id")
        LEFT
        JOIN "memory"."main"."items" AS t3 ON (t3."order_id" = t2."order_id")
        WHERE t."customer_id" IS NOT NULL AND (t."plan" = 'pro') AND t2."order_id" IS NOT NULL) AS t) AS t
    GROUP BY t.value) AS t
  WHERE t.place <= CAST('1024' AS BIGINT)) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS "orders"
FROM "answer";
