SELECT count(*) FROM clicks;
-- plain:
SELECT sum(least(m, 3))::BIGINT FROM (SELECT count(*) AS m FROM clicks GROUP BY visitor);
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score
FROM (SELECT system.main.least(system.main.count(*), CAST('3' AS BIGINT)) AS part
  FROM (SELECT t."visitor" AS unit
    FROM "memory"."main"."clicks" AS t
    WHERE t."visitor" IS NOT NULL AND system.main.strlen(t."visitor") <= 10000) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(DISTINCT visitor), count(*) FROM clicks WHERE device = 'phone';
-- plain:
SELECT count(*), sum(least(m, 3))::BIGINT FROM (SELECT count(*) AS m FROM clicks WHERE device = 'phone' GROUP BY visitor);
-- plan: OneGroup, Count 0.25 x1, Count 0.25 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t."visitor" AS unit
    FROM "memory"."main"."clicks" AS t
    WHERE t."visitor" IS NOT NULL AND system.main.strlen(t."visitor") <= 10000 AND (t."device" = 'phone')) AS
    t
  GROUP BY t.unit) AS t;
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score
FROM (SELECT system.main.least(system.main.count(*), CAST('3' AS BIGINT)) AS part
  FROM (SELECT t."visitor" AS unit
    FROM "memory"."main"."clicks" AS t
    WHERE t."visitor" IS NOT NULL AND system.main.strlen(t."visitor") <= 10000 AND (t."device" = 'phone')) AS
    t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count(DISTINCT visitor)", "answer"."a1" AS "count_star()"
FROM "answer";
----
SELECT device, count(*) AS n FROM clicks GROUP BY device ORDER BY device;
-- plain:
SELECT device, sum(least(m, 3))::BIGINT AS n FROM (SELECT device, count(*) AS m FROM clicks WHERE device <> 'tv' GROUP BY device, visitor) GROUP BY device ORDER BY device;
-- plan: EveryKey groups=2, 'device' VARCHAR, Count 0.5 x2
-- score:
SELECT t.k0 AS "device", CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE
  system.main.sum(t.part) END AS score
FROM (SELECT t.k0, system.main.least(system.main.count(*), CAST('3' AS BIGINT)) AS part
  FROM (SELECT *
    FROM (SELECT t.*, system.main.dense_rank() OVER (PARTITION BY t.unit
        ORDER BY system.main.hash(t.unit, t.k0, CAST('20241121' AS BIGINT)), t.k0) AS place
      FROM (SELECT t."device" AS k0, t."visitor" AS unit
        FROM "memory"."main"."clicks" AS t
        WHERE t."visitor" IS NOT NULL AND system.main.strlen(t."visitor") <= 10000 AND t."device" IN ('phone',
            'tablet', 'desktop')) AS t) AS t
    WHERE t.place <= 2) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "device", "answer"."a0" AS "n"
FROM "answer"
ORDER BY "answer"."k0" NULLS LAST;
----
SELECT count(seconds) AS n FROM clicks WHERE bytes < 400;
-- plain:
SELECT sum(least(m, 3))::BIGINT FROM (SELECT count(seconds) AS m FROM clicks WHERE bytes < 400 GROUP BY visitor);
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score
FROM (SELECT system.main.least(system.main.count(*), CAST('3' AS BIGINT)) AS part
  FROM (SELECT t."visitor" AS unit
    FROM "memory"."main"."clicks" AS t
    WHERE t."visitor" IS NOT NULL AND system.main.strlen(t."visitor") <= 10000 AND (t."bytes" < 400) AND t."seconds"
      IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "n"
FROM "answer";
----
SELECT count(*, contribution_bounds_per_group => (0, 5)) AS n FROM clicks;
-- plain:
SELECT count(*) FROM clicks;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score
FROM (SELECT system.main.least(system.main.count(*), CAST('5' AS BIGINT)) AS part
  FROM (SELECT t."visitor" AS unit
    FROM "memory"."main"."clicks" AS t
    WHERE t."visitor" IS NOT NULL AND system.main.strlen(t."visitor") <= 10000) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "n"
FROM "answer";
----
SELECT count(*, contribution_bounds_per_group => (0, 1)) AS n FROM clicks;
-- plain:
SELECT count(DISTINCT visitor) FROM clicks;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score
FROM (SELECT system.main.least(system.main.count(*), CAST('1' AS BIGINT)) AS part
  FROM (SELECT t."visitor" AS unit
    FROM "memory"."main"."clicks" AS t
    WHERE t."visitor" IS NOT NULL AND system.main.strlen(t."visitor") <= 10000) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "n"
FROM "answer";
----
SELECT status, count(*, contribution_bounds_per_group => (0, 2)) AS n FROM orders GROUP BY status;
-- plain:
SELECT d.status, coalesce(sum(m), 0)::BIGINT FROM (VALUES ('paid'), ('sent'), ('returned'), ('cancelled')) AS d(status) LEFT JOIN (SELECT status, least(count(*), 2) AS m FROM orders WHERE customer_id IS NOT NULL GROUP BY status, customer_id) AS o ON o.status = d.status GROUP BY d.status;
-- plan: EveryKey groups=4, 'status' VARCHAR, Count 0.5 x4 gaussian 4
-- score:
SELECT t.k0 AS "status", CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE
  system.main.sum(t.part) END AS score
FROM (SELECT t.k0, system.main.least(system.main.count(*), CAST('2' AS BIGINT)) AS part
  FROM (SELECT t."status" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND t."status" IN ('paid', 'sent', 'returned', 'cancelled')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "status", "answer"."a0" AS "n"
FROM "answer";
----
SELECT count(DISTINCT page) FROM clicks;
-- plain:
SELECT count(DISTINCT page) FROM clicks;
-- plan: OneGroup, Distinct 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.value
  FROM (SELECT *
    FROM (SELECT t.*, system.main.row_number() OVER (PARTITION BY t.unit
        ORDER BY system.main.hash(t.unit, t.value, CAST('20241121' AS BIGINT)), t.value) AS turn
      FROM (SELECT t.value, t.unit
        FROM (SELECT t."page" AS value, t."visitor" AS unit
          FROM "memory"."main"."clicks" AS t
          WHERE t."visitor" IS NOT NULL AND system.main.strlen(t."visitor") <= 10000 AND t."page" IS NOT NULL
            AND system.main.strlen(t."page") <= 10000) AS t
        GROUP BY t.value, t.unit) AS t) AS t
    WHERE t.turn <= 3) AS t
  GROUP BY t.value) AS t;
-- answer:
SELECT "answer"."a0" AS "count(DISTINCT page)"
FROM "answer";
----
SELECT device, count(DISTINCT page) AS pages FROM clicks GROUP BY device;
-- plain:
SELECT device, count(DISTINCT page) FROM clicks WHERE device <> 'tv' GROUP BY device;
-- plan: EveryKey groups=2, 'device' VARCHAR, Distinct 0.5 x2
-- score:
SELECT t.k0 AS "device", system.main.count(*) AS score
FROM (SELECT t.k0, t.value
  FROM (SELECT *
    FROM (SELECT t.*, system.main.row_number() OVER (PARTITION BY t.unit, t.k0
        ORDER BY system.main.hash(t.unit, t.value, CAST('20241121' AS BIGINT)), t.value) AS turn
      FROM (SELECT t.k0, t.value, t.unit
        FROM (SELECT *
          FROM (SELECT t.*, system.main.dense_rank() OVER (PARTITION BY t.unit
              ORDER BY system.main.hash(t.unit, t.k0, CAST('20241121' AS BIGINT)), t.k0) AS place
            FROM (SELECT t."device" AS k0, t."page" AS value, t."visitor" AS unit
              FROM "memory"."main"."clicks" AS t
              WHERE t."visitor" IS NOT NULL AND system.main.strlen(t."visitor") <= 10000 AND t."page" IS NOT
                NULL AND system.main.strlen(t."page") <= 10000 AND t."device" IN ('phone', 'tablet', 'desktop'))
              AS t) AS t
          WHERE t.place <= 2) AS t
        GROUP BY t.k0, t.value, t.unit) AS t) AS t
    WHERE t.turn <= 3) AS t
  GROUP BY t.k0, t.value) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "device", "answer"."a0" AS "pages"
FROM "answer";
----
SELECT count(DISTINCT tier), count(DISTINCT plan) FROM customers;
-- plain:
SELECT 3, 4;
-- plan: OneGroup, Distinct 0.25 x1, Distinct 0.25 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.value
  FROM (SELECT *
    FROM (SELECT t.*, system.main.row_number() OVER (PARTITION BY t.unit
        ORDER BY system.main.hash(t.unit, t.value, CAST('20241121' AS BIGINT)), t.value) AS turn
      FROM (SELECT t.value, t.unit
        FROM (SELECT t."tier" AS value, t."customer_id" AS unit
          FROM "memory"."main"."customers" AS t
          WHERE t."customer_id" IS NOT NULL AND t."tier" IS NOT NULL) AS t
        GROUP BY t.value, t.unit) AS t) AS t
    WHERE t.turn <= 1) AS t
  GROUP BY t.value) AS t;
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.value
  FROM (SELECT *
    FROM (SELECT t.*, system.main.row_number() OVER (PARTITION BY t.unit
        ORDER BY system.main.hash(t.unit, t.value, CAST('20241121' AS BIGINT)), t.value) AS turn
      FROM (SELECT t.value, t.unit
        FROM (SELECT t."plan" AS value, t."customer_id" AS unit
          FROM "memory"."main"."customers" AS t
          WHERE t."customer_id" IS NOT NULL AND t."plan" IS NOT NULL) AS t
        GROUP BY t.value, t.unit) AS t) AS t
    WHERE t.turn <= 1) AS t
  GROUP BY t.value) AS t;
-- answer:
SELECT "answer"."a0" AS "count(DISTINCT tier)", "answer"."a1" AS "count(DISTINCT plan)"
FROM "answer";
----
SELECT count(DISTINCT customer_id) AS buyers, count(DISTINCT order_id) AS at_least FROM orders;
-- plain:
SELECT count(DISTINCT customer_id), count(DISTINCT order_id) FILTER (WHERE customer_id IS NOT NULL) FROM orders;
-- plan: OneGroup, Count 0.25 x1, ChosenDistinct 0.25 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
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
      FROM (SELECT t."order_id" AS value, t."customer_id" AS unit
        FROM "memory"."main"."orders" AS t
        WHERE t."customer_id" IS NOT NULL AND t."order_id" IS NOT NULL) AS t) AS t
    GROUP BY t.value) AS t
  WHERE t.place <= CAST('1024' AS BIGINT)) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS "buyers", "answer"."a1" AS "at_least"
FROM "answer";
----
SELECT count_if(page = 'help') FROM clicks;
-- plain:
SELECT sum(least(m, 3)) FROM (SELECT count(*) AS m FROM clicks WHERE page = 'help' GROUP BY visitor);
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score
FROM (SELECT system.main.least(system.main.count(*), CAST('3' AS BIGINT)) AS part
  FROM (SELECT t."visitor" AS unit
    FROM "memory"."main"."clicks" AS t
    WHERE t."visitor" IS NOT NULL AND system.main.strlen(t."visitor") <= 10000 AND (t."page" = 'help')) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_if((page = 'help'))"
FROM "answer";
----
SELECT sum(1) AS "cnt:clicks:ok" FROM clicks WHERE page = 'home';
-- plain:
SELECT sum(least(m, 3)) FROM (SELECT count(*) AS m FROM clicks WHERE page = 'home' GROUP BY visitor);
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score
FROM (SELECT system.main.least(system.main.count(*), CAST('3' AS BIGINT)) AS part
  FROM (SELECT t."visitor" AS unit
    FROM "memory"."main"."clicks" AS t
    WHERE t."visitor" IS NOT NULL AND system.main.strlen(t."visitor") <= 10000 AND (t."page" = 'home')) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "cnt:clicks:ok"
FROM "answer";
----
SELECT count(*, contribution_bounds_per_group => (0, 2)) FILTER (WHERE page = 'help') AS n, sum(bytes, contribution_bounds_per_row => (0, 5)) FILTER (WHERE page = 'home') AS s FROM clicks;
-- plain:
SELECT (SELECT sum(least(m, 2)) FROM (SELECT count(*) AS m FROM clicks WHERE page = 'help' GROUP BY visitor)), (SELECT sum(least(t, 15)) FROM (SELECT sum(least(bytes, 5)) AS t FROM clicks WHERE page = 'home' GROUP BY visitor));
-- plan: OneGroup, Count 0.25 x1, Sum 0.25 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score
FROM (SELECT system.main.least(system.main.count(*), CAST('2' AS BIGINT)) AS part
  FROM (SELECT t."visitor" AS unit
    FROM "memory"."main"."clicks" AS t
    WHERE t."visitor" IS NOT NULL AND system.main.strlen(t."visitor") <= 10000 AND (t."page" = 'help')) AS t
  GROUP BY t.unit) AS t;
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score
FROM (SELECT system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS HUGEINT), CAST('0' AS
          HUGEINT)), CAST('15' AS HUGEINT)) AS part
  FROM (SELECT CAST(CASE WHEN t."bytes" < CAST('0' AS INTEGER) THEN CAST('0' AS INTEGER) WHEN t."bytes" >
        CAST('5' AS INTEGER) THEN CAST('5' AS INTEGER) ELSE t."bytes" END AS HUGEINT) AS value, t."visitor" AS
      unit
    FROM "memory"."main"."clicks" AS t
    WHERE t."visitor" IS NOT NULL AND system.main.strlen(t."visitor") <= 10000 AND (t."page" = 'home') AND t."bytes"
      IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "n", "answer"."a1" AS "s"
FROM "answer";
