SELECT mode(status) FROM orders;
-- plain:
SELECT status FROM orders WHERE status IN ('paid', 'sent', 'returned', 'cancelled') GROUP BY status ORDER BY count(DISTINCT customer_id) DESC LIMIT (SELECT 1);
-- plan: OneGroup, Mode 0.5 x1
-- score:
SELECT t.value AS "status", system.main.count(*) AS score
FROM (SELECT t.value, t.unit
  FROM (SELECT t."status" AS value, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND t."status" IN ('paid', 'sent', 'returned', 'cancelled')) AS t
  GROUP BY t.value, t.unit) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS """mode""(status)"
FROM "answer";
----
SELECT mode(plan), mode(tier) FROM customers;
-- plain:
SELECT 'free', 'bronze';
-- plan: OneGroup, Mode 0.25425 x1, Mode 0.24575 x1
-- score:
SELECT t.value AS "plan", system.main.count(*) AS score
FROM (SELECT t."plan" AS value, t."customer_id" AS unit
  FROM "memory"."main"."customers" AS t
  WHERE t."customer_id" IS NOT NULL AND t."plan" IN ('free', 'basic', 'pro', 'team')) AS t
GROUP BY t.value;
-- score:
SELECT t.value AS "tier", system.main.count(*) AS score
FROM (SELECT t."tier" AS value, t."customer_id" AS unit
  FROM "memory"."main"."customers" AS t
  WHERE t."customer_id" IS NOT NULL AND t."tier" IS NOT NULL) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS """mode""(plan)", "answer"."a1" AS """mode""(tier)"
FROM "answer";
----
SELECT plan, mode(tier) AS tier FROM customers WHERE plan IN ('free', 'basic') GROUP BY plan HAVING count(*) > 5;
-- plain:
SELECT plan, arg_max(tier, n) FROM (SELECT plan, tier, count(*) AS n FROM customers WHERE plan IN ('free', 'basic') AND tier IS NOT NULL GROUP BY ALL) GROUP BY plan;
-- plan: EveryKey groups=1, 'plan' VARCHAR, Mode 0.2694 x1, Count 0.2306 x1
-- score:
SELECT t.k0 AS "plan", t.value AS "tier", system.main.count(*) AS score
FROM (SELECT t."plan" AS k0, t."tier" AS value, t."customer_id" AS unit
  FROM "memory"."main"."customers" AS t
  WHERE t."customer_id" IS NOT NULL AND (t."plan" IN ('basic', 'free')) AND t."tier" IS NOT NULL AND t."plan"
    IN ('free', 'basic')) AS t
GROUP BY t.k0, t.value;
-- score:
SELECT t.k0 AS "plan", system.main.count(*) AS score
FROM (SELECT t."plan" AS k0, t."customer_id" AS unit
  FROM "memory"."main"."customers" AS t
  WHERE t."customer_id" IS NOT NULL AND (t."plan" IN ('basic', 'free')) AND t."plan" IN ('free', 'basic')) AS
  t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "plan", "answer"."a0" AS "tier"
FROM "answer"
WHERE ("answer"."a1" > 5);
----
SELECT mode(s.city) AS city FROM orders AS o JOIN stores AS s ON o.store_id = s.store_id;
-- plain:
SELECT 'Berlin';
-- plan: OneGroup, Mode 0.5 x1
-- score:
SELECT t.value AS "city", system.main.count(*) AS score
FROM (SELECT t.value, t.unit
  FROM (SELECT t2."city" AS value, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    JOIN "memory"."main"."stores" AS t2 ON (t."store_id" = t2."store_id")
    WHERE t."customer_id" IS NOT NULL AND t2."city" IN ('Berlin', 'Bonn', 'Lyon', 'Nowhere', 'Osaka', 'Paris',
        'Tokyo')) AS t
  GROUP BY t.value, t.unit) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS "city"
FROM "answer";
----
SELECT mode(split_part(email, '@', 2)) AS host FROM customers;
-- plain:
SELECT 'a.org';
-- plan: OneGroup, Mode 0.5 x1
-- score:
SELECT t.value AS "key", system.main.count(*) AS score
FROM (SELECT (CASE WHEN t."email" IS NOT NULL THEN
      COALESCE(system.main.list_extract(system.main.string_split(t."email", '@'), CAST('2' AS BIGINT)), '')
      END) AS value, t."customer_id" AS unit
  FROM "memory"."main"."customers" AS t
  WHERE t."customer_id" IS NOT NULL AND ((CASE WHEN t."email" IS NOT NULL THEN
        COALESCE(system.main.list_extract(system.main.string_split(t."email", '@'), CAST('2' AS BIGINT)), '')
        END) IS NULL OR system.main.strlen((CASE WHEN t."email" IS NOT NULL THEN
          COALESCE(system.main.list_extract(system.main.string_split(t."email", '@'), CAST('2' AS BIGINT)), '')
          END)) <= 10000)) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS "host"
FROM "answer";
----
SELECT mode(page) FROM clicks;
-- plain:
SELECT page FROM clicks GROUP BY page ORDER BY count(DISTINCT visitor) DESC LIMIT (SELECT 1);
-- plan: OneGroup, Mode 0.5 x1
-- score:
SELECT t.value AS "page", system.main.count(*) AS score
FROM (SELECT t.value, t.unit
  FROM (SELECT t."page" AS value, t."visitor" AS unit
    FROM "memory"."main"."clicks" AS t
    WHERE t."visitor" IS NOT NULL AND system.main.strlen(t."visitor") <= 10000 AND (t."page" IS NULL OR
        system.main.strlen(t."page") <= 10000)) AS t
  GROUP BY t.value, t.unit) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS """mode""(page)"
FROM "answer";
