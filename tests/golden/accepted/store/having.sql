SELECT store_id, count(*) AS n FROM orders GROUP BY store_id HAVING count(*) > 20;
-- plain:
SELECT store_id, count(DISTINCT customer_id) AS n FROM orders WHERE store_id <= 8 GROUP BY store_id HAVING n > 20;
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
WHERE ("answer"."a0" > 20);
----
SELECT store_id, count(*) AS n FROM orders GROUP BY store_id HAVING n >= 25 ORDER BY n DESC LIMIT 3;
-- plain:
SELECT store_id, count(DISTINCT customer_id) AS n FROM orders WHERE store_id <= 8 GROUP BY store_id HAVING n >= 25 ORDER BY n DESC LIMIT 3;
-- plan: KeysAbove epsilon=0.5 counted=a0 k=3 threshold=25, 'store_id' INTEGER
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
WHERE ("answer"."a0" >= 25)
ORDER BY "answer"."a0" DESC NULLS LAST, "answer"."rank"
LIMIT 3;
----
SELECT store_id, count(*) AS n FROM orders GROUP BY store_id HAVING count(*) > 24 LIMIT 3;
-- plain:
SELECT store_id, count(DISTINCT customer_id) AS n FROM orders WHERE store_id <= 8 GROUP BY store_id HAVING n > 24 ORDER BY n DESC LIMIT (SELECT 3);
-- plan: KeysAbove epsilon=0.5 counted=a0 k=3 threshold=25, 'store_id' INTEGER
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
WHERE ("answer"."a0" > 24)
LIMIT 3;
----
SELECT store_id FROM orders GROUP BY store_id HAVING count(*) >= 22 LIMIT 2;
-- plain:
SELECT store_id FROM orders WHERE store_id <= 8 GROUP BY store_id HAVING count(DISTINCT customer_id) >= 22 ORDER BY count(DISTINCT customer_id) DESC LIMIT (SELECT 2);
-- plan: KeysAbove epsilon=0.5 k=2 threshold=22, 'store_id' INTEGER
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
LIMIT 2;
----
SELECT store_id, count(*) FROM orders GROUP BY store_id HAVING 22 < count(*) LIMIT 2 OFFSET 1;
-- plain:
SELECT store_id, count(DISTINCT customer_id) FROM orders WHERE store_id <= 8 GROUP BY store_id HAVING count(DISTINCT customer_id) > 22 ORDER BY count(DISTINCT customer_id) DESC LIMIT (SELECT 2) OFFSET 1;
-- plan: KeysAbove epsilon=0.5 counted=a0 k=3 threshold=23, 'store_id' INTEGER
-- score:
SELECT t.k0 AS "store_id", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."store_id" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND t."store_id" IN (1, 2, 3, 4, 5, 6, 7, 8)) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "store_id", "answer"."a0" AS "count_star()"
FROM "answer"
WHERE (22 < "answer"."a0")
LIMIT 2 OFFSET 1;
----
SELECT date_trunc('month', ordered) AS m FROM orders GROUP BY m HAVING count(DISTINCT customer_id) > 22 LIMIT 2;
-- plain:
SELECT date_trunc('month', ordered) AS m FROM orders WHERE year(ordered) = 2024 GROUP BY m HAVING count(DISTINCT customer_id) > 22 ORDER BY count(DISTINCT customer_id) DESC LIMIT (SELECT 2);
-- plan: KeysAbove epsilon=0.5 k=2 threshold=23, 'm' TIMESTAMP
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
SELECT "answer"."k0" AS "m"
FROM "answer"
LIMIT 2;
----
SELECT status, count(*) AS n FROM orders GROUP BY status HAVING count(*) BETWEEN 1 AND 40;
-- plain:
SELECT status, count(DISTINCT customer_id) AS n FROM orders WHERE status IN ('paid', 'sent', 'returned', 'cancelled') GROUP BY status HAVING n <= 40;
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
WHERE ("answer"."a0" BETWEEN 1 AND 40);
----
SELECT status FROM orders GROUP BY status HAVING count(*) < 40 ORDER BY status;
-- plain:
SELECT d.status FROM (VALUES ('paid'), ('sent'), ('returned'), ('cancelled')) AS d(status) LEFT JOIN orders AS o ON o.status = d.status GROUP BY d.status HAVING count(DISTINCT customer_id) < 40 ORDER BY d.status;
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
SELECT "answer"."k0" AS "status"
FROM "answer"
WHERE ("answer"."a0" < 40)
ORDER BY "answer"."k0" NULLS LAST;
----
SELECT status, count(*) AS n, avg(total) AS a FROM orders GROUP BY status HAVING count(*) > 10 AND avg(total) > 140;
-- plain:
SELECT status, count(*), avg(m) AS a FROM (SELECT status, avg(least(greatest(total, 0), 250)) AS m FROM orders WHERE customer_id IS NOT NULL AND status IN ('paid', 'sent', 'returned') GROUP BY status, customer_id) GROUP BY status HAVING a > 140;
-- plan: EveryKey groups=4, 'status' VARCHAR, Count 0.22835 x4 gaussian 4, Mean 0.27165 x4
-- score:
SELECT t.k0 AS "status", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."status" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND t."status" IN ('paid', 'sent', 'returned', 'cancelled')) AS t
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
    WHERE t."customer_id" IS NOT NULL AND t."total" IS NOT NULL AND t."status" IN ('paid', 'sent', 'returned',
        'cancelled')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "status", "answer"."a0" AS "n", "answer"."a1" AS "a"
FROM "answer"
WHERE (("answer"."a0" > 10) AND ("answer"."a1" > 140));
----
SELECT status, count(*) AS n FROM orders GROUP BY status HAVING sum(total) > 100 ORDER BY n;
-- plain:
SELECT status, count(DISTINCT customer_id) AS n FROM orders WHERE status IN ('paid', 'sent', 'returned') GROUP BY status ORDER BY n;
-- plan: EveryKey groups=4, 'status' VARCHAR, Count 0.25 x4 gaussian 4, ClampedSum 0.25 x4 gaussian apart
-- score:
SELECT t.k0 AS "status", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."status" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND t."status" IN ('paid', 'sent', 'returned', 'cancelled')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
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
      FROM (SELECT t."status" AS k0, CAST(CASE WHEN t."total" < CAST('0.00' AS DECIMAL(9,2)) THEN CAST('0.00'
              AS DECIMAL(9,2)) WHEN t."total" > CAST('9999999.99' AS DECIMAL(9,2)) THEN CAST('9999999.99' AS
              DECIMAL(9,2)) ELSE t."total" END AS DECIMAL(38,2)) AS value, t."customer_id" AS unit
        FROM "memory"."main"."orders" AS t
        WHERE t."customer_id" IS NOT NULL AND t."total" IS NOT NULL AND t."status" IN ('paid', 'sent',
            'returned', 'cancelled')) AS t
      GROUP BY t.k0, t.unit) AS t) AS t) AS t
GROUP BY t.k0, t.value;
-- answer:
SELECT "answer"."k0" AS "status", "answer"."a0" AS "n"
FROM "answer"
WHERE ("answer"."a1" > 100)
ORDER BY "answer"."a0" NULLS LAST, "answer"."k0";
----
SELECT count(*) AS n FROM orders HAVING count(*) > 10;
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
SELECT "answer"."a0" AS "n"
FROM "answer"
WHERE ("answer"."a0" > 10);
----
SELECT count(*) AS n FROM orders HAVING n > 1000;
-- plain:
SELECT 0 WHERE false;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "n"
FROM "answer"
WHERE ("answer"."a0" > 1000);
----
SELECT store_id, count(*) AS n FROM orders GROUP BY store_id QUALIFY n > avg(n) OVER ();
-- plain:
SELECT store_id, n FROM (SELECT s.store_id, count(DISTINCT customer_id) AS n FROM stores AS s LEFT JOIN orders AS o USING (store_id) GROUP BY s.store_id) QUALIFY n > avg(n) OVER ();
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
SELECT "answer"."k0" AS "store_id", "answer"."a0" AS "n"
FROM "answer" QUALIFY ("answer"."a0" > system.main.avg("answer"."a0") OVER ());
----
SELECT status, count(*) AS n FROM orders GROUP BY status ORDER BY n DESC LIMIT 2 OFFSET 1;
-- plain:
SELECT status, count(DISTINCT customer_id) AS n FROM orders WHERE status IN ('paid', 'sent', 'returned', 'cancelled') GROUP BY status ORDER BY n DESC LIMIT 2 OFFSET 1;
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
SELECT "answer"."k0" AS "status", "answer"."a0" AS "n"
FROM "answer"
ORDER BY "answer"."a0" DESC NULLS LAST, "answer"."rank"
LIMIT 2 OFFSET 1;
----
SELECT status, count(*) AS n FROM orders GROUP BY status ORDER BY n ASC LIMIT 2;
-- plain:
SELECT * FROM (VALUES ('cancelled', 0), ('returned', 32)) AS t(status, n) ORDER BY n;
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
ORDER BY "answer"."a0" NULLS LAST, "answer"."k0"
LIMIT 2;
----
SELECT status, count(*) AS n FROM orders GROUP BY status ORDER BY length(status), status DESC;
-- plain:
SELECT d.status, count(DISTINCT customer_id) AS n FROM (VALUES ('paid'), ('sent'), ('returned'), ('cancelled')) AS d(status) LEFT JOIN orders AS o ON o.status = d.status GROUP BY d.status ORDER BY CASE d.status WHEN 'sent' THEN 1 WHEN 'paid' THEN 2 WHEN 'returned' THEN 3 ELSE 4 END;
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
ORDER BY system.main.length("answer"."k0") NULLS LAST, "answer"."k0" DESC NULLS LAST;
----
SELECT status, count(*) AS n FROM orders GROUP BY status LIMIT 2;
-- plain:
SELECT d.status, count(DISTINCT customer_id) AS n FROM (VALUES ('paid'), ('sent')) AS d(status) LEFT JOIN orders AS o ON o.status = d.status GROUP BY d.status;
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
LIMIT 2;
----
SELECT DISTINCT count(*) > 20 AS busy FROM orders GROUP BY store_id ORDER BY busy;
-- plain:
SELECT * FROM (VALUES (false), (true)) AS t(busy) ORDER BY busy;
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
SELECT DISTINCT ("answer"."a0" > 20) AS "busy"
FROM "answer"
ORDER BY ("answer"."a0" > 20) NULLS LAST, 1;
----
SELECT status, count(*) AS n FROM orders GROUP BY status ORDER BY n DESC LIMIT 0;
-- plain:
SELECT 'x', 0 WHERE false;
-- plan: public
-- answer:
SELECT "answer"."k0" AS "status", "answer"."a0" AS "n"
FROM (SELECT CAST(NULL AS VARCHAR) AS "k0", CAST(0 AS BIGINT) AS "a0"
  WHERE FALSE) AS "answer"
ORDER BY "answer"."a0" DESC NULLS LAST, "answer"."k0"
LIMIT 0;
----
SELECT store_id, count(*) AS n FROM orders WHERE status = 'paid' GROUP BY store_id HAVING count(*) > 15 ORDER BY store_id LIMIT 2;
-- plain:
SELECT store_id, count(DISTINCT customer_id) AS n FROM orders WHERE status = 'paid' AND store_id <= 8 GROUP BY store_id HAVING n > 15 ORDER BY store_id LIMIT 2;
-- plan: EveryKey groups=8, 'store_id' INTEGER, Count 0.5 x8 gaussian 8
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
WHERE ("answer"."a0" > 15)
ORDER BY "answer"."k0" NULLS LAST
LIMIT 2;
----
SELECT ordered::DATE AS day, count(*) AS n FROM orders GROUP BY day HAVING count(*) > 2 LIMIT 2;
-- plain:
SELECT ordered::DATE AS day, count(DISTINCT customer_id) AS n FROM orders WHERE year(ordered) = 2024 GROUP BY day HAVING n > 2 ORDER BY n DESC LIMIT (SELECT 2);
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
SELECT "answer"."k0" AS "day", "answer"."a0" AS "n"
FROM "answer"
WHERE ("answer"."a0" > 2)
LIMIT 2;
----
SELECT ordered::DATE AS day FROM orders GROUP BY day HAVING count(DISTINCT customer_id) >= 3 LIMIT 4 OFFSET 2;
-- plain:
SELECT ordered::DATE AS day FROM orders WHERE year(ordered) = 2024 GROUP BY day HAVING count(DISTINCT customer_id) >= 3 ORDER BY count(DISTINCT customer_id) DESC LIMIT (SELECT 4) OFFSET 2;
-- plan: KeysAbove epsilon=0.5 k=6 threshold=3, 'day' DATE
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
SELECT "answer"."k0" AS "day"
FROM "answer"
LIMIT 4 OFFSET 2;
----
SELECT ordered::DATE AS day, count(*) AS n FROM orders GROUP BY day HAVING count(*) > 100 LIMIT 5;
-- plain:
SELECT ordered::DATE, 0 FROM orders WHERE false;
-- plan: KeysAbove epsilon=0.5 counted=a0 k=5 threshold=101, 'day' DATE
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
SELECT "answer"."k0" AS "day", "answer"."a0" AS "n"
FROM "answer"
WHERE ("answer"."a0" > 100)
LIMIT 5;
----
SELECT ordered::DATE AS day, count(*) AS n FROM orders WHERE ordered < '2024-02-01' GROUP BY day HAVING count(*) > 1 ORDER BY day DESC;
-- plain:
SELECT ordered::DATE AS day, count(DISTINCT customer_id) AS n FROM orders WHERE ordered >= '2024-01-01' AND ordered < '2024-02-01' GROUP BY day HAVING n > 1 ORDER BY day DESC;
-- plan: EveryKey groups=31, 'day' DATE, Count 0.5 x31 gaussian 31
-- score:
SELECT t.k0 AS "day", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT CAST(t."ordered" AS DATE) AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND (t."ordered" < TIMESTAMP '2024-02-01 00:00:00') AND (CAST(t."ordered"
          AS DATE) >= DATE '2024-01-01' AND CAST(t."ordered" AS DATE) <= DATE '2024-01-31')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "day", "answer"."a0" AS "n"
FROM "answer"
WHERE ("answer"."a0" > 1)
ORDER BY "answer"."k0" DESC NULLS LAST;
----
SELECT status, -count(*) AS minus FROM orders GROUP BY status ORDER BY minus, 'constant';
-- plain:
SELECT d.status, -count(DISTINCT customer_id) AS minus FROM (VALUES ('paid'), ('sent'), ('returned'), ('cancelled')) AS d(status) LEFT JOIN orders AS o ON o.status = d.status GROUP BY d.status ORDER BY minus;
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
SELECT "answer"."k0" AS "status", system.main."-"("answer"."a0") AS "minus"
FROM "answer"
ORDER BY system.main."-"("answer"."a0") NULLS LAST, "answer"."k0";
