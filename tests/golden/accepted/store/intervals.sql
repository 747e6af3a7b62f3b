SELECT count(*) AS n, dp_low(n) AS low, dp_high(n) AS high FROM orders;
-- plain:
SELECT n, n::DOUBLE AS low, n::DOUBLE AS high FROM (SELECT count(DISTINCT customer_id) AS n FROM orders);
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "n", "answer"."a0_low" AS "low", "answer"."a0_high" AS "high"
FROM "answer";
----
SELECT count(*) AS n, dp_interval_low(count(*)) AS low, DP_INTERVAL_HIGH(n) AS high FROM orders WHERE status = 'paid';
-- plain:
SELECT n, n::DOUBLE AS low, n::DOUBLE AS high FROM (SELECT count(DISTINCT customer_id) AS n FROM orders WHERE status = 'paid');
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND (t."status" = 'paid')) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "n", "answer"."a0_low" AS "low", "answer"."a0_high" AS "high"
FROM "answer";
----
SELECT status, count(*) AS n, dp_low(n) AS low, dp_high(n) AS high FROM orders GROUP BY status ORDER BY n DESC;
-- plain:
SELECT status, n, n::DOUBLE AS low, n::DOUBLE AS high FROM (SELECT d.status, count(DISTINCT customer_id) AS n FROM (VALUES ('paid'), ('sent'), ('returned'), ('cancelled')) AS d(status) LEFT JOIN orders AS o ON o.status = d.status GROUP BY d.status) ORDER BY n DESC;
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
SELECT "answer"."k0" AS "status", "answer"."a0" AS "n", "answer"."a0_low" AS "low", "answer"."a0_high" AS
  "high"
FROM "answer"
ORDER BY "answer"."a0" DESC NULLS LAST, "answer"."k0";
----
SELECT avg(income) AS a, round(dp_high(a) - dp_low(a), 2) AS width FROM customers;
-- plain:
SELECT avg(least(income, 100000)) AS a, 0.0::DOUBLE AS width FROM customers;
-- plan: OneGroup, Mean 0.5 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score, system.main.count(*) AS units
FROM (SELECT CAST(system.main."//"(system.main.sum(t.value), system.main.count(*)) AS BIGINT) AS part
  FROM (SELECT CASE WHEN CAST(t."income" AS DOUBLE) <= CAST('0.0' AS DOUBLE) THEN CAST('0' AS BIGINT) WHEN
      CAST(t."income" AS DOUBLE) >= CAST('100000.0' AS DOUBLE) THEN CAST('1073741824' AS BIGINT) ELSE
      CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t."income"
                    AS DOUBLE), CAST('0.0' AS DOUBLE)), CAST('100000.0' AS DOUBLE)), CAST('1073741824.0' AS
                DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, t."customer_id" AS unit
    FROM "memory"."main"."customers" AS t
    WHERE t."customer_id" IS NOT NULL AND t."income" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "a", system.main.round(system.main."-"("answer"."a0_high", "answer"."a0_low"), 2) AS
  "width"
FROM "answer";
----
SELECT sum(income) AS s, dp_low(s) AS low FROM customers;
-- plain:
SELECT sum(least(income, 100000)) AS s, s::DOUBLE AS low FROM customers;
-- plan: OneGroup, Sum 0.5 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score
FROM (SELECT system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS HUGEINT), CAST('0' AS
          HUGEINT)), CAST('100000' AS HUGEINT)) AS part
  FROM (SELECT CAST(CASE WHEN t."income" < CAST('-2147483648' AS INTEGER) THEN CAST('-2147483648' AS INTEGER)
        WHEN t."income" > CAST('2147483647' AS INTEGER) THEN CAST('2147483647' AS INTEGER) ELSE t."income" END
        AS HUGEINT) AS value, t."customer_id" AS unit
    FROM "memory"."main"."customers" AS t
    WHERE t."customer_id" IS NOT NULL AND t."income" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "s", "answer"."a0_low" AS "low"
FROM "answer";
----
SELECT store_id, count(*) AS n, dp_gap(n) > 2 AS clear, round(dp_gap(n)) >= 2 AS rounded FROM orders GROUP BY store_id ORDER BY n DESC LIMIT 2;
-- plain:
SELECT store_id, n, gap > 2 AS clear, gap >= 2 AS rounded FROM (SELECT store_id, count(DISTINCT customer_id) AS n, n - lead(n) OVER (ORDER BY n DESC) AS gap FROM orders WHERE store_id <= 8 GROUP BY store_id) ORDER BY n DESC LIMIT 2;
-- plan: LargestKeys epsilon=0.5 counted=a0 k=2, 'store_id' INTEGER
-- score:
SELECT t.k0 AS "store_id", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."store_id" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND t."store_id" IN (1, 2, 3, 4, 5, 6, 7, 8)) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "store_id", "answer"."a0" AS "n", ("answer"."a0_gap" > 2) AS "clear",
  (system.main.round("answer"."a0_gap") >= 2) AS "rounded"
FROM "answer"
ORDER BY "answer"."a0" DESC NULLS LAST, "answer"."rank"
LIMIT 2;
----
SELECT ordered::DATE AS day, count(*) AS n, dp_gap(n) < 2 AS near, dp_p_value(n) <= 1 AS p, dp_low(n) AS low FROM orders GROUP BY day HAVING count(*) > 2 LIMIT 2;
-- plain:
SELECT ordered::DATE AS day, count(DISTINCT customer_id) AS n, true AS near, true AS p, (n - 0.5)::DOUBLE AS low FROM orders WHERE year(ordered) = 2024 GROUP BY day HAVING n > 2 ORDER BY n DESC LIMIT (SELECT 2);
-- plan: KeysAbove epsilon=0.5 counted=a0 k=2 threshold=3, 'day' DATE
-- score:
SELECT t.k0 AS "day", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT CAST(t."ordered" AS DATE) AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND (CAST(t."ordered" AS DATE) >= DATE '2024-01-01' AND CAST(t."ordered"
          AS DATE) <= DATE '2024-12-31')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "day", "answer"."a0" AS "n", ("answer"."a0_gap" < 2) AS "near", ("answer"."a0_p_value"
    <= 1) AS "p", "answer"."a0_low" AS "low"
FROM "answer"
WHERE ("answer"."a0" > 2)
LIMIT 2;
----
SELECT status, count(*) AS n, dp_gap(n) AS gap FROM orders GROUP BY status;
-- plain:
SELECT d.status, count(DISTINCT customer_id) AS n, NULL::DOUBLE AS gap FROM (VALUES ('paid'), ('sent'), ('returned'), ('cancelled')) AS d(status) LEFT JOIN orders AS o ON o.status = d.status GROUP BY d.status;
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
SELECT "answer"."k0" AS "status", "answer"."a0" AS "n", "answer"."a0_gap" AS "gap"
FROM "answer";
----
SELECT status FROM (SELECT status, count(*) AS n, dp_low(n) AS low FROM orders GROUP BY status) AS t WHERE low > 33 ORDER BY low DESC;
-- plain:
SELECT status FROM (VALUES ('paid', 1), ('sent', 2)) AS t(status, i) ORDER BY i;
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
SELECT "status"
FROM (SELECT "answer"."k0" AS "status", "answer"."a0" AS "n", "answer"."a0_low" AS "low"
  FROM "answer") AS "t"
WHERE ("low" > 33)
ORDER BY "low" DESC NULLS LAST;
----
SELECT status, count(*) AS n FROM orders GROUP BY status HAVING dp_low(n) > 33 ORDER BY n DESC;
-- plain:
SELECT status, count(DISTINCT customer_id) AS n FROM orders WHERE status IN ('paid', 'sent') GROUP BY status ORDER BY n DESC;
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
SELECT "answer"."k0" AS "status", "answer"."a0" AS "n"
FROM "answer"
WHERE ("answer"."a0_low" > 33)
ORDER BY "answer"."a0" DESC NULLS LAST, "answer"."k0";
----
SELECT page, count(DISTINCT visitor) AS n, dp_low(n) AS low FROM clicks GROUP BY page ORDER BY n DESC;
-- plain:
SELECT page, count(DISTINCT visitor) AS n, n::DOUBLE AS low FROM clicks GROUP BY page HAVING n > 1 ORDER BY n DESC;
-- plan: FoundKeys epsilon=0.5 delta=1e-06 counted=a0 groups=2, 'page' VARCHAR
-- score:
SELECT t.k0 AS "page", system.main.count(DISTINCT t.unit) AS score
FROM (SELECT *
  FROM (SELECT t.*, system.main.dense_rank() OVER (PARTITION BY t.unit
      ORDER BY system.main.hash(t.unit, t.k0, CAST('20241121' AS BIGINT)), t.k0) AS place
    FROM (SELECT t."page" AS k0, t."visitor" AS unit
      FROM "memory"."main"."clicks" AS t
      WHERE t."visitor" IS NOT NULL AND system.main.strlen(t."visitor") <= 10000 AND (t."page" IS NULL OR
          system.main.strlen(t."page") <= 10000)) AS t) AS t
  WHERE t.place <= 2) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "page", "answer"."a0" AS "n", "answer"."a0_low" AS "low"
FROM "answer"
ORDER BY "answer"."a0" DESC NULLS LAST, "answer"."k0";
