SELECT status, count(*) AS n FROM orders GROUP BY status ORDER BY n DESC LIMIT 2;
-- plain:
SELECT status, count(DISTINCT customer_id) AS n FROM orders WHERE status IN ('paid', 'sent', 'returned', 'cancelled') GROUP BY status ORDER BY n DESC LIMIT 2;
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
SELECT "answer"."k0" AS "status", "answer"."a0" AS "n"
FROM "answer"
ORDER BY "answer"."a0" DESC NULLS LAST, "answer"."rank"
LIMIT 2;
----
SELECT status FROM orders GROUP BY status ORDER BY count(*) DESC LIMIT 2;
-- plain:
SELECT status FROM orders WHERE status IN ('paid', 'sent', 'returned', 'cancelled') GROUP BY status ORDER BY count(DISTINCT customer_id) DESC LIMIT 2;
-- plan: LargestKeys epsilon=0.5 k=2, 'status' VARCHAR
-- score:
SELECT t.k0 AS "status", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."status" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND t."status" IN ('paid', 'sent', 'returned', 'cancelled')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "status"
FROM "answer"
ORDER BY "answer"."rank" NULLS LAST
LIMIT 2;
----
SELECT count(*) AS n, store_id FROM orders GROUP BY store_id ORDER BY count(*) DESC LIMIT 4;
-- plain:
SELECT count(DISTINCT customer_id) AS n, store_id FROM orders WHERE store_id BETWEEN 1 AND 8 GROUP BY store_id ORDER BY n DESC LIMIT 4;
-- plan: LargestKeys epsilon=0.5 counted=a0 k=4, 'store_id' INTEGER
-- score:
SELECT t.k0 AS "store_id", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."store_id" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND t."store_id" IN (1, 2, 3, 4, 5, 6, 7, 8)) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."a0" AS "n", "answer"."k0" AS "store_id"
FROM "answer"
ORDER BY "answer"."a0" DESC NULLS LAST, "answer"."rank"
LIMIT 4;
----
SELECT store_id, count(DISTINCT customer_id) FROM orders GROUP BY 1 ORDER BY 2 DESC LIMIT 3;
-- plain:
SELECT store_id, count(DISTINCT customer_id) AS n FROM orders WHERE store_id BETWEEN 1 AND 8 GROUP BY store_id ORDER BY n DESC LIMIT 3;
-- plan: LargestKeys epsilon=0.5 counted=a0 k=3, 'store_id' INTEGER
-- score:
SELECT t.k0 AS "store_id", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."store_id" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND t."store_id" IN (1, 2, 3, 4, 5, 6, 7, 8)) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "store_id", "answer"."a0" AS "count(DISTINCT customer_id)"
FROM "answer"
ORDER BY "answer"."a0" DESC NULLS LAST, "answer"."rank"
LIMIT 3;
----
FROM orders SELECT store_id, count(*) AS n WHERE status = 'paid' GROUP BY ALL ORDER BY n DESC LIMIT 2;
-- plain:
SELECT store_id, count(DISTINCT customer_id) AS n FROM orders WHERE store_id BETWEEN 1 AND 8 AND status = 'paid' GROUP BY store_id ORDER BY n DESC LIMIT 2;
-- plan: LargestKeys epsilon=0.5 counted=a0 k=2, 'store_id' INTEGER
-- score:
SELECT t.k0 AS "store_id", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."store_id" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND (t."status" = 'paid') AND t."store_id" IN (1, 2, 3, 4, 5, 6, 7, 8))
    AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "store_id", "answer"."a0" AS "n"
FROM "answer"
ORDER BY "answer"."a0" DESC NULLS LAST, "answer"."rank"
LIMIT 2;
----
SELECT store_id, count(*) AS n FROM orders GROUP BY store_id ORDER BY n DESC LIMIT 2 OFFSET 1;
-- plain:
SELECT store_id, count(DISTINCT customer_id) AS n FROM orders WHERE store_id BETWEEN 1 AND 8 GROUP BY store_id ORDER BY n DESC LIMIT 2 OFFSET 1;
-- plan: LargestKeys epsilon=0.5 counted=a0 k=3, 'store_id' INTEGER
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
ORDER BY "answer"."a0" DESC NULLS LAST, "answer"."rank"
LIMIT 2 OFFSET 1;
----
SELECT store_id FROM orders GROUP BY store_id ORDER BY count(*) DESC LIMIT 2 OFFSET 2;
-- plain:
SELECT store_id FROM orders WHERE store_id BETWEEN 1 AND 8 GROUP BY store_id ORDER BY count(DISTINCT customer_id) DESC LIMIT 2 OFFSET 2;
-- plan: LargestKeys epsilon=0.5 k=4, 'store_id' INTEGER
-- score:
SELECT t.k0 AS "store_id", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."store_id" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND t."store_id" IN (1, 2, 3, 4, 5, 6, 7, 8)) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "store_id"
FROM "answer"
ORDER BY "answer"."rank" NULLS LAST
LIMIT 2 OFFSET 2;
----
SELECT store_id, count(*) AS n FROM orders GROUP BY store_id QUALIFY row_number() OVER (ORDER BY count(*) DESC) <= 3;
-- plain:
SELECT store_id, count(DISTINCT customer_id) AS n FROM orders WHERE store_id BETWEEN 1 AND 8 GROUP BY store_id QUALIFY row_number() OVER (ORDER BY n DESC) <= 3;
-- plan: LargestKeys epsilon=0.5 counted=a0 k=3, 'store_id' INTEGER
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
FROM "answer";
----
SELECT store_id, count(*) AS n FROM orders GROUP BY store_id QUALIFY row_number() OVER (ORDER BY n DESC) < 3 ORDER BY n DESC;
-- plain:
SELECT store_id, count(DISTINCT customer_id) AS n FROM orders WHERE store_id BETWEEN 1 AND 8 GROUP BY store_id ORDER BY n DESC LIMIT 2;
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
SELECT "answer"."k0" AS "store_id", "answer"."a0" AS "n"
FROM "answer"
ORDER BY "answer"."a0" DESC NULLS LAST, "answer"."rank";
----
SELECT store_id FROM orders GROUP BY store_id QUALIFY row_number() OVER (ORDER BY count(*) DESC) <= 2;
-- plain:
SELECT store_id FROM orders WHERE store_id BETWEEN 1 AND 8 GROUP BY store_id ORDER BY count(DISTINCT customer_id) DESC LIMIT (SELECT 2);
-- plan: LargestKeys epsilon=0.5 k=2, 'store_id' INTEGER
-- score:
SELECT t.k0 AS "store_id", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."store_id" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND t."store_id" IN (1, 2, 3, 4, 5, 6, 7, 8)) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "store_id"
FROM "answer";
----
SELECT max_by(store_id, n, 3) FROM (SELECT store_id, count(*) AS n FROM orders GROUP BY store_id);
-- plain:
SELECT max_by(store_id, n, 3) FROM (SELECT store_id, count(DISTINCT customer_id) AS n FROM orders WHERE store_id BETWEEN 1 AND 8 GROUP BY store_id);
-- plan: LargestKeys epsilon=0.5 counted=a0 k=3, 'store_id' INTEGER
-- score:
SELECT t.k0 AS "store_id", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."store_id" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND t."store_id" IN (1, 2, 3, 4, 5, 6, 7, 8)) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT system.main.arg_max("store_id", "n", 3) AS "max_by(store_id, n, 3)"
FROM (SELECT "answer"."k0" AS "store_id", "answer"."a0" AS "n"
  FROM "answer");
----
SELECT arg_max(status, n, 2) AS top FROM (SELECT status, count(*) AS n FROM orders GROUP BY status) AS s;
-- plain:
SELECT arg_max(status, n, 2) FROM (SELECT status, count(DISTINCT customer_id) AS n FROM orders WHERE status IN ('paid', 'sent', 'returned', 'cancelled') GROUP BY status);
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
SELECT system.main.arg_max("status", "n", 2) AS "top"
FROM (SELECT "answer"."k0" AS "status", "answer"."a0" AS "n"
  FROM "answer") AS "s";
----
SELECT max_by(status, n) FROM (SELECT status, count(*) AS n FROM orders GROUP BY status);
-- plain:
SELECT max_by(status, n) FROM (SELECT status, count(DISTINCT customer_id) AS n FROM orders WHERE status IN ('paid', 'sent', 'returned', 'cancelled') GROUP BY status);
-- plan: LargestKeys epsilon=0.5 counted=a0 k=1, 'status' VARCHAR
-- score:
SELECT t.k0 AS "status", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."status" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND t."status" IN ('paid', 'sent', 'returned', 'cancelled')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT system.main.arg_max("status", "n") AS "max_by(status, n)"
FROM (SELECT "answer"."k0" AS "status", "answer"."a0" AS "n"
  FROM "answer");
----
SELECT approx_top_k(store_id, 3) FROM orders;
-- plain:
SELECT list(store_id ORDER BY n DESC) FROM (SELECT store_id, count(DISTINCT customer_id) AS n FROM orders WHERE store_id BETWEEN 1 AND 8 GROUP BY store_id ORDER BY n DESC LIMIT 3);
-- plan: LargestKeys epsilon=0.5 k=3, 'store_id' INTEGER
-- score:
SELECT t.k0 AS "store_id", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."store_id" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND t."store_id" IN (1, 2, 3, 4, 5, 6, 7, 8)) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT system.main.list_slice(system.main.list("answer"."k0"
    ORDER BY "answer"."rank"), 1, 3) AS "approx_top_k(store_id, 3)"
FROM "answer";
----
SELECT approx_top_k(status, 2) AS top FROM orders WHERE total > 100;
-- plain:
SELECT list(status ORDER BY n DESC) FROM (SELECT status, count(DISTINCT customer_id) AS n FROM orders WHERE status IN ('paid', 'sent', 'returned', 'cancelled') AND total > 100 GROUP BY status ORDER BY n DESC LIMIT 2);
-- plan: LargestKeys epsilon=0.5 k=2, 'status' VARCHAR
-- score:
SELECT t.k0 AS "status", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."status" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND (t."total" > CAST('100.00' AS DECIMAL(9,2))) AND t."status" IN ('paid',
        'sent', 'returned', 'cancelled')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT system.main.list_slice(system.main.list("answer"."k0"
    ORDER BY "answer"."rank"), 1, 2) AS "top"
FROM "answer";
----
SELECT histogram(status) FROM orders;
-- plain:
SELECT map(list(status), list(n)) FROM (SELECT d.status, count(DISTINCT customer_id) AS n FROM (VALUES ('paid'), ('sent'), ('returned'), ('cancelled')) AS d(status) LEFT JOIN orders AS o ON o.status = d.status GROUP BY d.status);
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
SELECT system.main.map(system.main.list("answer"."k0"), system.main.list(CAST(CASE WHEN "answer"."a0" > 0 THEN
        "answer"."a0" ELSE 0 END AS UBIGINT))) AS "histogram(status)"
FROM "answer";
----
SELECT plan, count(*) AS n FROM customers GROUP BY plan ORDER BY n DESC LIMIT 2;
-- plain:
SELECT plan, count(*) AS n FROM customers WHERE plan IN ('free', 'basic', 'pro', 'team') GROUP BY plan ORDER BY n DESC LIMIT 2;
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
ORDER BY "answer"."a0" DESC NULLS LAST, "answer"."k0"
LIMIT 2;
----
SELECT plan FROM customers WHERE newsletter GROUP BY plan ORDER BY count(*) DESC LIMIT 1;
-- plain:
SELECT plan FROM customers WHERE newsletter AND plan IN ('free', 'basic', 'pro', 'team') GROUP BY plan ORDER BY count(*) DESC LIMIT 1;
-- plan: LargestKeys epsilon=0.5 k=1, 'plan' VARCHAR
-- score:
SELECT t.k0 AS "plan", system.main.count(*) AS score
FROM (SELECT t."plan" AS k0, t."customer_id" AS unit
  FROM "memory"."main"."customers" AS t
  WHERE t."customer_id" IS NOT NULL AND t."newsletter" AND t."plan" IN ('free', 'basic', 'pro', 'team')) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "plan"
FROM "answer"
ORDER BY "answer"."rank" NULLS LAST
LIMIT 1;
----
SELECT status, count(*) AS n FROM orders GROUP BY status ORDER BY n DESC LIMIT 100;
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
SELECT "answer"."k0" AS "status", "answer"."a0" AS "n"
FROM "answer"
ORDER BY "answer"."a0" DESC NULLS LAST, "answer"."k0"
LIMIT 100;
----
SELECT page, count(*) AS n FROM clicks GROUP BY page ORDER BY n DESC LIMIT 2;
-- plain:
SELECT page, sum(least(m, 3))::BIGINT AS n FROM (SELECT page, visitor, count(*) AS m FROM clicks GROUP BY page, visitor) GROUP BY page ORDER BY n DESC LIMIT 2;
-- plan: FoundKeys epsilon=0.25 delta=1e-06 groups=2, 'page' VARCHAR, Count 0.25 x2
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
-- score:
SELECT t.k0 AS "page", CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE
  system.main.sum(t.part) END AS score
FROM (SELECT t.k0, system.main.least(system.main.count(*), CAST('3' AS BIGINT)) AS part
  FROM (SELECT *
    FROM (SELECT t.*, system.main.dense_rank() OVER (PARTITION BY t.unit
        ORDER BY system.main.hash(t.unit, t.k0, CAST('20241121' AS BIGINT)), t.k0) AS place
      FROM (SELECT t."page" AS k0, t."visitor" AS unit
        FROM "memory"."main"."clicks" AS t
        WHERE t."visitor" IS NOT NULL AND system.main.strlen(t."visitor") <= 10000 AND (t."page" IS NULL OR
            system.main.strlen(t."page") <= 10000)) AS t) AS t
    WHERE t.place <= 2) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "page", "answer"."a0" AS "n"
FROM "answer"
ORDER BY "answer"."a0" DESC NULLS LAST, "answer"."k0"
LIMIT 2;
----
SELECT page, count(DISTINCT visitor) AS people FROM clicks GROUP BY page ORDER BY people DESC LIMIT 3;
-- plain:
SELECT page, count(DISTINCT visitor) AS people FROM clicks GROUP BY page ORDER BY people DESC LIMIT 3;
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
SELECT "answer"."k0" AS "page", "answer"."a0" AS "people"
FROM "answer"
ORDER BY "answer"."a0" DESC NULLS LAST, "answer"."k0"
LIMIT 3;
----
SELECT split_part(email, '@', 2) AS host, count(*) AS n FROM customers GROUP BY host ORDER BY n DESC LIMIT 2;
-- plain:
SELECT split_part(email, '@', 2) AS host, count(*) AS n FROM customers GROUP BY host ORDER BY n DESC LIMIT 2;
-- plan: FoundKeys epsilon=0.5 delta=1e-06 counted=a0 groups=1, 'host' VARCHAR
-- score:
SELECT t.k0 AS "host", system.main.count(*) AS score
FROM (SELECT (CASE WHEN t."email" IS NOT NULL THEN
      COALESCE(system.main.list_extract(system.main.string_split(t."email", '@'), CAST('2' AS BIGINT)), '')
      END) AS k0, t."customer_id" AS unit
  FROM "memory"."main"."customers" AS t
  WHERE t."customer_id" IS NOT NULL AND ((CASE WHEN t."email" IS NOT NULL THEN
        COALESCE(system.main.list_extract(system.main.string_split(t."email", '@'), CAST('2' AS BIGINT)), '')
        END) IS NULL OR system.main.strlen((CASE WHEN t."email" IS NOT NULL THEN
          COALESCE(system.main.list_extract(system.main.string_split(t."email", '@'), CAST('2' AS BIGINT)), '')
          END)) <= 10000)) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "host", "answer"."a0" AS "n"
FROM "answer"
ORDER BY "answer"."a0" DESC NULLS LAST, "answer"."k0"
LIMIT 2;
----
SELECT store_id, count(*) AS n, rank() OVER (ORDER BY count(*) DESC) AS place FROM orders GROUP BY store_id ORDER BY n DESC LIMIT 3;
-- plain:
SELECT store_id, count(DISTINCT customer_id) AS n, row_number() OVER (ORDER BY n DESC) AS place FROM orders WHERE store_id BETWEEN 1 AND 8 GROUP BY store_id ORDER BY n DESC LIMIT 3;
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
SELECT "answer"."k0" AS "store_id", "answer"."a0" AS "n", system.main.rank() OVER (ORDER BY "answer"."a0" DESC
    NULLS LAST) AS "place"
FROM "answer"
ORDER BY "answer"."a0" DESC NULLS LAST, "answer"."k0"
LIMIT 3;
----
SELECT store_id, count(*) AS n, avg(total) AS mean FROM orders GROUP BY store_id ORDER BY n DESC LIMIT 2;
-- plain:
SELECT store_id, count(*) AS n, avg(mean) AS mean FROM (SELECT store_id, customer_id, avg(greatest(least(total, 250), 0)) AS mean FROM orders WHERE store_id BETWEEN 1 AND 8 AND customer_id IS NOT NULL GROUP BY store_id, customer_id) GROUP BY store_id ORDER BY n DESC LIMIT 2;
-- plan: LargestKeys epsilon=0.27165 counted=a0 k=2, 'store_id' INTEGER, Mean 0.22835 x2
-- score:
SELECT t.k0 AS "store_id", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."store_id" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND t."store_id" IN (1, 2, 3, 4, 5, 6, 7, 8)) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- score:
SELECT t.k0 AS "store_id", CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE
  system.main.sum(t.part) END AS score, system.main.count(*) AS units
FROM (SELECT t.k0, CAST(system.main."//"(system.main.sum(t.value), system.main.count(*)) AS BIGINT) AS part
  FROM (SELECT t."store_id" AS k0, CASE WHEN CAST(t."total" AS DOUBLE) <= CAST('0.0' AS DOUBLE) THEN CAST('0'
        AS BIGINT) WHEN CAST(t."total" AS DOUBLE) >= CAST('250.0' AS DOUBLE) THEN CAST('1073741824' AS BIGINT)
      ELSE CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t."total"
                    AS DOUBLE), CAST('0.0' AS DOUBLE)), CAST('250.0' AS DOUBLE)), CAST('1073741824.0' AS
                DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND t."total" IS NOT NULL AND t."store_id" IN (1, 2, 3, 4, 5, 6, 7, 8))
    AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "store_id", "answer"."a0" AS "n", "answer"."a1" AS "mean"
FROM "answer"
ORDER BY "answer"."a0" DESC NULLS LAST, "answer"."rank"
LIMIT 2;
----
SELECT store_id, count(*) AS n FROM orders GROUP BY store_id ORDER BY n DESC NULLS LAST, store_id LIMIT 3;
-- plain:
SELECT store_id, count(DISTINCT customer_id) AS n FROM orders WHERE store_id BETWEEN 1 AND 8 GROUP BY store_id ORDER BY n DESC LIMIT 3;
-- plan: LargestKeys epsilon=0.5 counted=a0 k=3, 'store_id' INTEGER
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
ORDER BY "answer"."a0" DESC NULLS LAST, "answer"."k0" NULLS LAST, "answer"."rank"
LIMIT 3;
----
SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = 2, max_groups_contributed = 1) plan, count(*) AS n FROM customers GROUP BY plan ORDER BY n DESC LIMIT 1;
-- plain:
SELECT plan, count(*) AS n FROM customers WHERE plan IN ('free', 'basic', 'pro', 'team') GROUP BY plan ORDER BY n DESC LIMIT 1;
-- plan: EveryKey groups=1, 'plan' VARCHAR, Count 2 x1
-- score:
SELECT t.k0 AS "plan", system.main.count(*) AS score
FROM (SELECT t."plan" AS k0, t."customer_id" AS unit
  FROM "memory"."main"."customers" AS t
  WHERE t."customer_id" IS NOT NULL AND t."plan" IN ('free', 'basic', 'pro', 'team')) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "plan", "answer"."a0" AS "n"
FROM "answer"
ORDER BY "answer"."a0" DESC NULLS LAST, "answer"."k0"
LIMIT 1;
