SELECT plan, count(*) AS n FROM customers AS c WHERE EXISTS (SELECT 1 FROM orders AS o WHERE o.customer_id = c.customer_id AND o.status = 'returned') GROUP BY plan;
-- plain:
SELECT p, count(c.customer_id) FROM (VALUES ('free'), ('basic'), ('pro'), ('team')) AS v(p) LEFT JOIN (SELECT * FROM customers AS c WHERE EXISTS (SELECT 1 FROM orders AS o WHERE o.customer_id = c.customer_id AND o.status = 'returned')) AS c ON c.plan = p GROUP BY p;
-- plan: EveryKey groups=1, 'plan' VARCHAR, Count 0.5 x1
-- score:
SELECT t.k0 AS "plan", system.main.count(*) AS score
FROM (SELECT t."plan" AS k0, t."customer_id" AS unit
  FROM "memory"."main"."customers" AS t
  WHERE t."customer_id" IS NOT NULL AND (EXISTS (SELECT CAST('1' AS INTEGER) AS found
      FROM "memory"."main"."orders" AS t2
      WHERE (t2."customer_id" = t."customer_id") AND (t2."status" = 'returned') AND t2."customer_id" = t."customer_id"))
    AND t."plan" IN ('free', 'basic', 'pro', 'team')) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "plan", "answer"."a0" AS "n"
FROM "answer";
----
SELECT count(*) AS n FROM customers WHERE customer_id NOT IN (SELECT customer_id FROM tickets WHERE topic = 'refund');
-- plain:
SELECT count(*) FROM customers WHERE customer_id NOT IN (SELECT customer_id FROM tickets WHERE topic = 'refund');
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t."customer_id" AS unit
  FROM "memory"."main"."customers" AS t
  WHERE t."customer_id" IS NOT NULL AND (NOT (CASE WHEN t."customer_id" IS NOT NULL THEN EXISTS (SELECT CAST('1'
            AS INTEGER) AS found
        FROM "memory"."main"."tickets" AS t2
        WHERE (t2."topic" = 'refund') AND (t2."customer_id" = t."customer_id") AND t2."customer_id" = t."customer_id")
        END))) AS t;
-- answer:
SELECT "answer"."a0" AS "n"
FROM "answer";
----
SELECT count(*) AS n FROM customers WHERE customer_id IN (SELECT customer_id FROM orders GROUP BY customer_id HAVING count(*) > 4 AND sum(total) > 300);
-- plain:
SELECT count(*) FROM customers WHERE customer_id IN (SELECT customer_id FROM orders GROUP BY customer_id HAVING count(*) > 4 AND sum(total) > 300);
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t."customer_id" AS unit
  FROM "memory"."main"."customers" AS t
  WHERE t."customer_id" IS NOT NULL AND (EXISTS (SELECT CAST('1' AS INTEGER) AS found
      FROM (SELECT t2."customer_id" AS "unit", CAST(system.main.sum(t2."total") AS DECIMAL(38,2)) AS "c0",
          system.main.count(CAST('1' AS INTEGER)) AS "c1"
        FROM "memory"."main"."orders" AS t2
        WHERE t2."customer_id" IS NOT NULL
        GROUP BY t2."customer_id") AS t3
      WHERE (t3."c0" > CAST('300.00' AS DECIMAL(38,2))) AND (t3."c1" > 4) AND (t3."unit" = t."customer_id")
        AND t3."unit" = t."customer_id"))) AS t;
-- answer:
SELECT "answer"."a0" AS "n"
FROM "answer";
----
SELECT count(*) AS n FROM orders AS o WHERE NOT EXISTS (SELECT 1 FROM orders AS w WHERE w.customer_id = o.customer_id AND w.ordered > o.ordered) AND status = 'paid';
-- plain:
SELECT count(DISTINCT customer_id) FROM orders AS o WHERE NOT EXISTS (SELECT 1 FROM orders AS w WHERE w.customer_id = o.customer_id AND w.ordered > o.ordered) AND status = 'paid';
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND (NOT (EXISTS (SELECT CAST('1' AS INTEGER) AS found
          FROM "memory"."main"."orders" AS t2
          WHERE (t2."customer_id" = t."customer_id") AND (t2."ordered" > t."ordered") AND t2."customer_id" =
            t."customer_id"))) AND (t."status" = 'paid')) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "n"
FROM "answer";
----
SELECT count(*) AS n FROM orders AS o WHERE EXISTS (SELECT 1 FROM items AS i WHERE i.order_id = o.order_id AND i.quantity = 5 LIMIT 1);
-- plain:
SELECT count(DISTINCT customer_id) FROM orders AS o WHERE EXISTS (SELECT 1 FROM items AS i WHERE i.order_id = o.order_id AND i.quantity = 5);
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND (EXISTS (SELECT CAST('1' AS INTEGER) AS found
        FROM "memory"."main"."items" AS t2
        JOIN "memory"."main"."orders" AS t3 ON t2."order_id" = t3."order_id"
        WHERE (t2."order_id" = t."order_id") AND (t2."quantity" = 5) AND t3."customer_id" = t."customer_id")))
    AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "n"
FROM "answer";
----
SELECT count(*) AS n FROM customers AS c WHERE (SELECT count(*) FROM orders AS o WHERE o.customer_id = c.customer_id) >= 5;
-- plain:
SELECT count(*) FROM customers AS c WHERE (SELECT count(*) FROM orders AS o WHERE o.customer_id = c.customer_id) >= 5;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t."customer_id" AS unit
  FROM "memory"."main"."customers" AS t
  WHERE t."customer_id" IS NOT NULL AND ((SELECT system.main.count(CAST('1' AS INTEGER)) AS found
      FROM "memory"."main"."orders" AS t2
      WHERE (t2."customer_id" = t."customer_id") AND t2."customer_id" = t."customer_id") >= 5)) AS t;
-- answer:
SELECT "answer"."a0" AS "n"
FROM "answer";
----
SELECT avg(least((SELECT count(*) FROM tickets AS t WHERE t.customer_id = c.customer_id), 5)) AS tickets FROM customers AS c WHERE plan = 'free';
-- plain:
SELECT avg(least((SELECT count(*) FROM tickets AS t WHERE t.customer_id = c.customer_id), 5)) FROM customers AS c WHERE plan = 'free';
-- plan: OneGroup, Mean 0.5 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score, system.main.count(*) AS units
FROM (SELECT CAST(system.main."//"(system.main.sum(t.value), system.main.count(*)) AS BIGINT) AS part
  FROM (SELECT CASE WHEN CAST(system.main.least((SELECT system.main.count(CAST('1' AS INTEGER)) AS found
          FROM "memory"."main"."tickets" AS t2
          WHERE (t2."customer_id" = t."customer_id") AND t2."customer_id" = t."customer_id"), CAST('5' AS
            BIGINT)) AS DOUBLE) <= CAST('0.0' AS DOUBLE) THEN CAST('0' AS BIGINT) WHEN
      CAST(system.main.least((SELECT system.main.count(CAST('1' AS INTEGER)) AS found
          FROM "memory"."main"."tickets" AS t2
          WHERE (t2."customer_id" = t."customer_id") AND t2."customer_id" = t."customer_id"), CAST('5' AS
            BIGINT)) AS DOUBLE) >= CAST('5.0' AS DOUBLE) THEN CAST('1073741824' AS BIGINT) ELSE
      CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(system.main.least((SELECT
                        system.main.count(CAST('1' AS INTEGER)) AS found
                      FROM "memory"."main"."tickets" AS t2
                      WHERE (t2."customer_id" = t."customer_id") AND t2."customer_id" = t."customer_id"),
                      CAST('5' AS BIGINT)) AS DOUBLE), CAST('0.0' AS DOUBLE)), CAST('5.0' AS DOUBLE)), CAST('1073741824.0'
                AS DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, t."customer_id" AS unit
    FROM "memory"."main"."customers" AS t
    WHERE t."customer_id" IS NOT NULL AND (t."plan" = 'free') AND system.main.least((SELECT
          system.main.count(CAST('1' AS INTEGER)) AS found
        FROM "memory"."main"."tickets" AS t2
        WHERE (t2."customer_id" = t."customer_id") AND t2."customer_id" = t."customer_id"), CAST('5' AS
          BIGINT)) IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "tickets"
FROM "answer";
----
SELECT count(*) AS n FROM orders WHERE store_id IN (SELECT store_id FROM stores WHERE code = 'fr');
-- plain:
SELECT count(DISTINCT customer_id) FROM orders WHERE store_id IN (SELECT store_id FROM stores WHERE code = 'fr');
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND (EXISTS (SELECT CAST('1' AS INTEGER) AS found
        FROM "memory"."main"."stores" AS t2
        WHERE (t2."code" = 'fr') AND (t2."store_id" = t."store_id")))) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "n"
FROM "answer";
----
SELECT count(*) AS n FROM orders WHERE store_id NOT IN (SELECT store_id FROM stores WHERE code IN ('fr', 'de'));
-- plain:
SELECT count(DISTINCT customer_id) FROM orders WHERE store_id NOT IN (SELECT store_id FROM stores WHERE code IN ('fr', 'de'));
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND (NOT (CASE WHEN t."store_id" IS NOT NULL THEN EXISTS (SELECT CAST('1'
              AS INTEGER) AS found
          FROM "memory"."main"."stores" AS t2
          WHERE (t2."code" IN ('de', 'fr')) AND ((t2."store_id" = t."store_id") OR t2."store_id" IS NULL))
          END))) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "n"
FROM "answer";
----
SELECT count(*) FILTER (WHERE EXISTS (SELECT 1 FROM tickets AS t WHERE t.customer_id = c.customer_id)) AS asked, count(*) AS n FROM customers AS c;
-- plain:
SELECT count(*) FILTER (WHERE EXISTS (SELECT 1 FROM tickets AS t WHERE t.customer_id = c.customer_id)), count(*) FROM customers AS c;
-- plan: OneGroup, Count 0.25 x1, Count 0.25 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t."customer_id" AS unit
  FROM "memory"."main"."customers" AS t
  WHERE t."customer_id" IS NOT NULL AND (EXISTS (SELECT CAST('1' AS INTEGER) AS found
      FROM "memory"."main"."tickets" AS t2
      WHERE (t2."customer_id" = t."customer_id") AND t2."customer_id" = t."customer_id"))) AS t;
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t."customer_id" AS unit
  FROM "memory"."main"."customers" AS t
  WHERE t."customer_id" IS NOT NULL) AS t;
-- answer:
SELECT "answer"."a0" AS "asked", "answer"."a1" AS "n"
FROM "answer";
----
SELECT CASE WHEN EXISTS (SELECT 1 FROM tickets AS t WHERE t.customer_id = c.customer_id) THEN 'asked' ELSE 'silent' END AS kind, count(*) AS n FROM customers AS c GROUP BY kind;
-- plain:
SELECT CASE WHEN EXISTS (SELECT 1 FROM tickets AS t WHERE t.customer_id = c.customer_id) THEN 'asked' ELSE 'silent' END AS kind, count(*) FROM customers AS c GROUP BY kind;
-- plan: EveryKey groups=1, 'kind' VARCHAR, Count 0.5 x1
-- score:
SELECT t.k0 AS "kind", system.main.count(*) AS score
FROM (SELECT (CASE WHEN (EXISTS (SELECT CAST('1' AS INTEGER) AS found
        FROM "memory"."main"."tickets" AS t2
        WHERE (t2."customer_id" = t."customer_id") AND t2."customer_id" = t."customer_id")) THEN 'asked' ELSE
      'silent' END) AS k0, t."customer_id" AS unit
  FROM "memory"."main"."customers" AS t
  WHERE t."customer_id" IS NOT NULL AND (CASE WHEN (EXISTS (SELECT CAST('1' AS INTEGER) AS found
        FROM "memory"."main"."tickets" AS t2
        WHERE (t2."customer_id" = t."customer_id") AND t2."customer_id" = t."customer_id")) THEN 'asked' ELSE
      'silent' END) IN ('asked', 'silent')) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "kind", "answer"."a0" AS "n"
FROM "answer";
----
SELECT o.total > 60 AS large, count(*) AS n FROM customers AS c JOIN (SELECT order_id, customer_id, total, (SELECT max(i.order_id) FROM items AS i WHERE i.order_id = v.order_id) AS m FROM orders AS v) AS o ON o.customer_id = c.customer_id WHERE o.order_id = c.customer_id * 0 + o.m GROUP BY large;
-- plain:
SELECT o.total > 60 AS large, count(DISTINCT c.customer_id) AS n FROM customers AS c JOIN (SELECT order_id, customer_id, total, (SELECT max(i.order_id) FROM items AS i WHERE i.order_id = v.order_id) AS m FROM orders AS v) AS o ON o.customer_id = c.customer_id WHERE o.order_id = c.customer_id * 0 + o.m AND o.total IS NOT NULL GROUP BY large;
-- plan: EveryKey groups=2, 'large' BOOLEAN, Count 0.5 x2
-- score:
SELECT t.k0 AS "large", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT (t2."total" > CAST('60.00' AS DECIMAL(9,2))) AS k0, t."customer_id" AS unit
    FROM "memory"."main"."customers" AS t
    JOIN "memory"."main"."orders" AS t2 ON (t2."customer_id" = t."customer_id")
    WHERE t."customer_id" IS NOT NULL AND (t2."order_id" = TRY_CAST(system.main."+"(CAST(TRY_CAST(system.main."*"(CAST(t."customer_id"
                    AS BIGINT), CAST('0' AS BIGINT)) AS INTEGER) AS HUGEINT), CAST((SELECT system.main.max(t3."order_id")
                AS found
              FROM "memory"."main"."items" AS t3
              JOIN "memory"."main"."orders" AS t4 ON t3."order_id" = t4."order_id"
              WHERE (t3."order_id" = t2."order_id") AND t4."customer_id" = t2."customer_id") AS HUGEINT)) AS
          BIGINT)) AND (t2."total" > CAST('60.00' AS DECIMAL(9,2))) IS NOT NULL) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "large", "answer"."a0" AS "n"
FROM "answer";
----
SELECT count(*) AS n FROM (SELECT customer_id, EXISTS (SELECT 1 FROM items AS i WHERE i.order_id = v.order_id AND i.quantity > 2) AS large, max(total) AS most FROM orders AS v GROUP BY ALL) AS t WHERE large AND most > 50;
-- plain:
SELECT count(DISTINCT customer_id) AS n FROM (SELECT customer_id, EXISTS (SELECT 1 FROM items AS i WHERE i.order_id = v.order_id AND i.quantity > 2) AS large, max(total) AS most FROM orders AS v GROUP BY ALL) AS t WHERE large AND most > 50;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t2."unit" AS unit
    FROM (SELECT t."customer_id" AS "unit", (EXISTS (SELECT CAST('1' AS INTEGER) AS found
          FROM "memory"."main"."items" AS t3
          JOIN "memory"."main"."orders" AS t4 ON t3."order_id" = t4."order_id"
          WHERE (t3."order_id" = t."order_id") AND (t3."quantity" > 2) AND t4."customer_id" = t."customer_id"))
        AS "c0", system.main.max(t."total") AS "c1"
      FROM "memory"."main"."orders" AS t
      WHERE t."customer_id" IS NOT NULL
      GROUP BY t."customer_id", (EXISTS (SELECT CAST('1' AS INTEGER) AS found
          FROM "memory"."main"."items" AS t3
          JOIN "memory"."main"."orders" AS t4 ON t3."order_id" = t4."order_id"
          WHERE (t3."order_id" = t."order_id") AND (t3."quantity" > 2) AND t4."customer_id" = t."customer_id")))
      AS t2
    WHERE t2."unit" IS NOT NULL AND (t2."c1" > CAST('50.00' AS DECIMAL(9,2))) AND t2."c0") AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "n"
FROM "answer";
