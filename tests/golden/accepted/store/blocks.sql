SELECT 'orders' AS what, count(DISTINCT customer_id) AS people FROM orders UNION ALL SELECT 'tickets', count(DISTINCT customer_id) FROM tickets;
-- plain:
the query
-- plan: OneGroup, Count 0.25 x1; OneGroup, Count 0.25 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t."customer_id" AS unit
    FROM "memory"."main"."tickets" AS t
    WHERE t."customer_id" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
(SELECT 'orders' AS "what", "answer"."a0" AS "people"
  FROM (SELECT "1.a0" AS "a0", "1.a0_low" AS "a0_low", "1.a0_high" AS "a0_high", "1.a0_gap" AS "a0_gap",
      "1.a0_p_value" AS "a0_p_value"
    FROM "blocks"
    WHERE "block" = 1) AS "answer")
UNION ALL (SELECT 'tickets' AS "'tickets'", "answer"."a0" AS "count(DISTINCT customer_id)"
  FROM (SELECT "2.a0" AS "a0", "2.a0_low" AS "a0_low", "2.a0_high" AS "a0_high", "2.a0_gap" AS "a0_gap",
      "2.a0_p_value" AS "a0_p_value"
    FROM "blocks"
    WHERE "block" = 2) AS "answer");
----
SELECT count(DISTINCT o.customer_id) / (SELECT count(*) FROM customers) AS share FROM orders AS o WHERE status = 'paid';
-- plain:
the query
-- plan: OneGroup, Count 0.25 x1; OneGroup, Count 0.25 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t."customer_id" AS unit
  FROM "memory"."main"."customers" AS t
  WHERE t."customer_id" IS NOT NULL) AS t;
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND (t."status" = 'paid')) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT system.main."/"("answer"."a0", (SELECT "answer"."a0" AS "count_star()"
    FROM (SELECT "1.a0" AS "a0", "1.a0_low" AS "a0_low", "1.a0_high" AS "a0_high", "1.a0_gap" AS "a0_gap",
        "1.a0_p_value" AS "a0_p_value"
      FROM "blocks"
      WHERE "block" = 1) AS "answer")) AS "share"
FROM (SELECT "2.a0" AS "a0", "2.a0_low" AS "a0_low", "2.a0_high" AS "a0_high", "2.a0_gap" AS "a0_gap",
    "2.a0_p_value" AS "a0_p_value"
  FROM "blocks"
  WHERE "block" = 2) AS "answer";
----
WITH o AS (SELECT store_id, count(DISTINCT customer_id) AS n FROM orders GROUP BY store_id), r AS (SELECT store_id, count(DISTINCT customer_id) AS n FROM orders WHERE status = 'returned' GROUP BY store_id) SELECT s.store_id, coalesce(r.n, 0) AS returned, coalesce(o.n, 0) AS ordered FROM stores AS s LEFT JOIN o ON o.store_id = s.store_id LEFT JOIN r ON r.store_id = s.store_id ORDER BY s.store_id;
-- plain:
SELECT s.store_id, count(DISTINCT customer_id) FILTER (status = 'returned') AS returned, count(DISTINCT customer_id) AS ordered FROM stores AS s LEFT JOIN orders AS o ON o.store_id = s.store_id GROUP BY s.store_id ORDER BY s.store_id;
-- plan: EveryKey groups=8, 'store_id' INTEGER, Count 0.25 x8 gaussian apart; EveryKey groups=8, 'store_id' INTEGER, Count 0.25 x8 gaussian apart; rows of stores
-- score:
SELECT t.k0 AS "store_id", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."store_id" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND t."store_id" IN (1, 2, 3, 4, 5, 6, 7, 8)) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- score:
SELECT t.k0 AS "store_id", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."store_id" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND (t."status" = 'returned') AND t."store_id" IN (1, 2, 3, 4, 5, 6, 7,
        8)) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "s"."store_id", COALESCE("r"."n", 0) AS "returned", COALESCE("o"."n", 0) AS "ordered"
FROM (SELECT "3.store_id" AS "store_id"
  FROM "blocks"
  WHERE "block" = 3) AS "s"
LEFT
JOIN (SELECT "answer"."k0" AS "store_id", "answer"."a0" AS "n"
  FROM (SELECT "1.k0" AS "k0", "1.a0" AS "a0", "1.a0_low" AS "a0_low", "1.a0_high" AS "a0_high", "1.a0_gap" AS
      "a0_gap", "1.a0_p_value" AS "a0_p_value"
    FROM "blocks"
    WHERE "block" = 1) AS "answer") AS "o" ON ("o"."store_id" = "s"."store_id")
LEFT
JOIN (SELECT "answer"."k0" AS "store_id", "answer"."a0" AS "n"
  FROM (SELECT "2.k0" AS "k0", "2.a0" AS "a0", "2.a0_low" AS "a0_low", "2.a0_high" AS "a0_high", "2.a0_gap" AS
      "a0_gap", "2.a0_p_value" AS "a0_p_value"
    FROM "blocks"
    WHERE "block" = 2) AS "answer") AS "r" ON ("r"."store_id" = "s"."store_id")
ORDER BY "s"."store_id" ASC NULLS LAST;
----
SELECT c.plan, count(*) AS n, count(*) - (SELECT avg(n) FROM (SELECT plan, count(*) AS n FROM customers GROUP BY plan)) AS above FROM customers AS c GROUP BY c.plan ORDER BY c.plan;
-- plain:
SELECT plan, n, n - avg(n) OVER () AS above FROM (SELECT k AS plan, count(c.plan) AS n FROM (VALUES ('free'), ('basic'), ('pro'), ('team')) AS d(k) LEFT JOIN customers AS c ON c.plan = k GROUP BY k) ORDER BY plan;
-- plan: EveryKey groups=1, 'plan' VARCHAR, Count 0.25 x1; EveryKey groups=1, 'plan' VARCHAR, Count 0.25 x1
-- score:
SELECT t.k0 AS "plan", system.main.count(*) AS score
FROM (SELECT t."plan" AS k0, t."customer_id" AS unit
  FROM "memory"."main"."customers" AS t
  WHERE t."customer_id" IS NOT NULL AND t."plan" IN ('free', 'basic', 'pro', 'team')) AS t
GROUP BY t.k0;
-- score:
SELECT t.k0 AS "plan", system.main.count(*) AS score
FROM (SELECT t."plan" AS k0, t."customer_id" AS unit
  FROM "memory"."main"."customers" AS t
  WHERE t."customer_id" IS NOT NULL AND t."plan" IN ('free', 'basic', 'pro', 'team')) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "plan", "answer"."a0" AS "n", system.main."-"("answer"."a0", (SELECT system.main.avg("n")
      AS "avg(n)"
    FROM (SELECT "answer"."k0" AS "plan", "answer"."a0" AS "n"
      FROM (SELECT "1.k0" AS "k0", "1.a0" AS "a0", "1.a0_low" AS "a0_low", "1.a0_high" AS "a0_high",
          "1.a0_gap" AS "a0_gap", "1.a0_p_value" AS "a0_p_value"
        FROM "blocks"
        WHERE "block" = 1) AS "answer"))) AS "above"
FROM (SELECT "2.k0" AS "k0", "2.a0" AS "a0", "2.a0_low" AS "a0_low", "2.a0_high" AS "a0_high", "2.a0_gap" AS
    "a0_gap", "2.a0_p_value" AS "a0_p_value"
  FROM "blocks"
  WHERE "block" = 2) AS "answer"
ORDER BY "answer"."k0" NULLS LAST;
----
SELECT plan, count(*) AS n FROM customers GROUP BY plan HAVING count(*) >= ALL (SELECT count(*) FROM customers GROUP BY plan) ORDER BY plan;
-- plain:
SELECT arg_max(plan, n) AS plan, max(n) AS n FROM (SELECT plan, count(*) AS n FROM customers WHERE plan IN ('free', 'basic', 'pro', 'team') GROUP BY plan);
-- plan: EveryKey groups=1, 'plan' VARCHAR, Count 0.25 x1; EveryKey groups=1, 'plan' VARCHAR, Count 0.25 x1
-- score:
SELECT t.k0 AS "plan", system.main.count(*) AS score
FROM (SELECT t."plan" AS k0, t."customer_id" AS unit
  FROM "memory"."main"."customers" AS t
  WHERE t."customer_id" IS NOT NULL AND t."plan" IN ('free', 'basic', 'pro', 'team')) AS t
GROUP BY t.k0;
-- score:
SELECT t.k0 AS "plan", system.main.count(*) AS score
FROM (SELECT t."plan" AS k0, t."customer_id" AS unit
  FROM "memory"."main"."customers" AS t
  WHERE t."customer_id" IS NOT NULL AND t."plan" IN ('free', 'basic', 'pro', 'team')) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "plan", "answer"."a0" AS "n"
FROM (SELECT "2.k0" AS "k0", "2.a0" AS "a0", "2.a0_low" AS "a0_low", "2.a0_high" AS "a0_high", "2.a0_gap" AS
    "a0_gap", "2.a0_p_value" AS "a0_p_value"
  FROM "blocks"
  WHERE "block" = 2) AS "answer"
WHERE ("answer"."a0" >= ALL (SELECT "answer"."a0" AS "count_star()"
    FROM (SELECT "1.k0" AS "k0", "1.a0" AS "a0", "1.a0_low" AS "a0_low", "1.a0_high" AS "a0_high", "1.a0_gap"
        AS "a0_gap", "1.a0_p_value" AS "a0_p_value"
      FROM "blocks"
      WHERE "block" = 1) AS "answer"))
ORDER BY "answer"."k0" NULLS LAST;
