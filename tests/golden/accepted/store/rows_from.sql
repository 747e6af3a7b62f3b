SELECT count(*) FROM (SELECT * FROM orders WHERE status = 'paid') AS t WHERE total > 50;
-- plain:
SELECT count(DISTINCT customer_id) FROM orders WHERE status = 'paid' AND total > 50;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND (t."status" = 'paid') AND (t."total" > CAST('50.00' AS
          DECIMAL(9,2)))) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT s, count(*) AS n FROM (SELECT status AS s, customer_id FROM orders WHERE total > 50) AS t GROUP BY s;
-- plain:
SELECT d.status, count(DISTINCT customer_id) FROM (VALUES ('paid'), ('sent'), ('returned'), ('cancelled')) AS d(status) LEFT JOIN orders AS o ON o.status = d.status AND total > 50 GROUP BY d.status;
-- plan: EveryKey groups=4, 's' VARCHAR, Count 0.5 x4
-- score:
SELECT t.k0 AS "s", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."status" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND (t."total" > CAST('50.00' AS DECIMAL(9,2))) AND t."status" IN ('paid',
        'sent', 'returned', 'cancelled')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "s", "answer"."a0" AS "n"
FROM "answer";
----
SELECT count(*) FROM (SELECT * FROM (SELECT * FROM (SELECT customer_id, total AS t FROM orders) AS a WHERE t > 10) AS b WHERE t < 100) AS c;
-- plain:
SELECT count(DISTINCT customer_id) FROM orders WHERE total > 10 AND total < 100;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND (t."total" > CAST('10.00' AS DECIMAL(9,2))) AND (t."total" < CAST('100.00'
          AS DECIMAL(9,2)))) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
WITH paid AS (SELECT * FROM orders WHERE status = 'paid') SELECT store_id, count(*) AS n FROM paid GROUP BY store_id ORDER BY store_id;
-- plain:
SELECT s.store_id, count(DISTINCT customer_id) FROM stores AS s LEFT JOIN orders AS o ON o.store_id = s.store_id AND status = 'paid' GROUP BY s.store_id ORDER BY s.store_id;
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
ORDER BY "answer"."k0" NULLS LAST;
----
WITH orders AS (SELECT * FROM orders WHERE total > 200) SELECT count(*) FROM orders;
-- plain:
SELECT count(DISTINCT customer_id) FROM orders WHERE total > 200;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND (t."total" > CAST('200.00' AS DECIMAL(9,2)))) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
WITH t(person, amount) AS (SELECT customer_id, total FROM orders) SELECT avg(amount) AS a FROM t WHERE amount > 100;
-- plain:
SELECT avg(m) FROM (SELECT avg(least(total, 250)) AS m FROM orders WHERE total > 100 AND customer_id IS NOT NULL GROUP BY customer_id);
-- plan: OneGroup, Mean 0.5 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score, system.main.count(*) AS units
FROM (SELECT CAST(system.main."//"(system.main.sum(t.value), system.main.count(*)) AS BIGINT) AS part
  FROM (SELECT CASE WHEN CAST(t."total" AS DOUBLE) <= CAST('100.0' AS DOUBLE) THEN CAST('0' AS BIGINT) WHEN
      CAST(t."total" AS DOUBLE) >= CAST('250.0' AS DOUBLE) THEN CAST('1073741824' AS BIGINT) ELSE
      CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t."total" AS
                    DOUBLE), CAST('100.0' AS DOUBLE)), CAST('150.0' AS DOUBLE)), CAST('1073741824.0' AS
                DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND (t."total" > CAST('100.00' AS DECIMAL(9,2))) AND t."total" IS NOT
      NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "a"
FROM "answer";
----
SELECT count(*) FROM paid_orders;
-- plain:
SELECT count(DISTINCT customer_id) FROM orders WHERE status = 'paid';
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND (t."status" = 'paid')) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT p.store_id, count(*) AS n FROM paid_orders AS p WHERE p.total > 20 GROUP BY p.store_id ORDER BY n DESC LIMIT 2;
-- plain:
SELECT store_id, count(DISTINCT customer_id) AS n FROM orders WHERE status = 'paid' AND total > 20 AND store_id <= 8 GROUP BY store_id ORDER BY n DESC LIMIT 2;
-- plan: LargestKeys epsilon=0.5 counted=a0 k=2, 'store_id' INTEGER
-- score:
SELECT t.k0 AS "store_id", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."store_id" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND (t."status" = 'paid') AND (t."total" > CAST('20.00' AS
          DECIMAL(9,2))) AND t."store_id" IN (1, 2, 3, 4, 5, 6, 7, 8)) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "store_id", "answer"."a0" AS "n"
FROM "answer"
ORDER BY "answer"."a0" DESC NULLS LAST, "answer"."rank"
LIMIT 2;
----
SELECT level, count(*) AS n FROM people WHERE wants_mail GROUP BY level;
-- plain:
SELECT d.tier, count(customer_id) FROM (VALUES ('bronze'), ('silver'), ('gold')) AS d(tier) LEFT JOIN customers AS c ON c.tier::VARCHAR = d.tier AND newsletter GROUP BY d.tier;
-- plan: EveryKey groups=1, 'level' ENUM('bronze', 'silver', 'gold'), Count 0.5 x1
-- score:
SELECT t.k0 AS "level", system.main.count(*) AS score
FROM (SELECT t."tier" AS k0, t."customer_id" AS unit
  FROM "memory"."main"."customers" AS t
  WHERE t."customer_id" IS NOT NULL AND t."newsletter" AND t."tier" IS NOT NULL) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "level", "answer"."a0" AS "n"
FROM "answer";
----
SELECT o.status, count(*) AS n FROM orders AS o(a, b, c) WHERE o.c = 1 GROUP BY o.status;
-- plain:
SELECT d.status, count(DISTINCT customer_id) FROM (VALUES ('paid'), ('sent'), ('returned'), ('cancelled')) AS d(status) LEFT JOIN orders AS o ON o.status = d.status AND o.store_id = 1 GROUP BY d.status;
-- plan: EveryKey groups=4, 'status' VARCHAR, Count 0.5 x4
-- score:
SELECT t.k0 AS "status", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."status" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND (t."store_id" = 1) AND t."status" IN ('paid', 'sent', 'returned',
        'cancelled')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "status", "answer"."a0" AS "n"
FROM "answer";
----
SELECT size, count(*) AS n FROM (SELECT CASE WHEN total > 100 THEN 'large' ELSE 'small' END AS size, customer_id FROM orders) AS t GROUP BY size;
-- plain:
SELECT CASE WHEN total > 100 THEN 'large' ELSE 'small' END AS size, count(DISTINCT customer_id) FROM orders GROUP BY size;
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
SELECT count(DISTINCT t.customer_id) AS n FROM (SELECT o.*, total > 100 AS large FROM main.orders AS o) AS t WHERE NOT t.large;
-- plain:
SELECT count(DISTINCT customer_id) FROM orders WHERE total <= 100;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND (NOT (t."total" > CAST('100.00' AS DECIMAL(9,2))))) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "n"
FROM "answer";
----
FROM (FROM orders WHERE total > 100) SELECT count(*);
-- plain:
SELECT count(DISTINCT customer_id) FROM orders WHERE total > 100;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND (t."total" > CAST('100.00' AS DECIMAL(9,2)))) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
(SELECT status, count(*) AS n FROM ((SELECT * FROM orders)) AS o GROUP BY status HAVING n > 10);
-- plain:
SELECT status, count(DISTINCT customer_id) AS n FROM orders WHERE status IN ('paid', 'sent', 'returned') GROUP BY status HAVING n > 10;
-- plan: EveryKey groups=4, 'status' VARCHAR, Count 0.5 x4 gaussian 4
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
WHERE ("answer"."a0" > 10);
----
SELECT count(*) FROM (SELECT customer_id FROM orders) AS o;
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
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM (SELECT total FROM orders WHERE status = 'sent') AS o;
-- plain:
SELECT count(DISTINCT customer_id) FROM orders WHERE status = 'sent';
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND (t."status" = 'sent')) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(total) FROM (SELECT NULLIF(total, 74.19) AS total FROM orders WHERE total BETWEEN 74 AND 78) AS o;
-- plain:
SELECT count(DISTINCT customer_id) FROM orders WHERE total BETWEEN 74 AND 78 AND total <> 74.19;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND ((t."total" >= CAST('74.00' AS DECIMAL(9,2))) AND (t."total" <=
          CAST('78.00' AS DECIMAL(9,2)))) AND (CASE WHEN ((CASE WHEN t."total" BETWEEN CAST('-9999999.99' AS
              DECIMAL(9,2)) AND CAST('9999999.99' AS DECIMAL(9,2)) THEN t."total" END) = CAST('74.19' AS
            DECIMAL(9,2))) THEN NULL ELSE (CASE WHEN t."total" BETWEEN CAST('-9999999.99' AS DECIMAL(9,2)) AND
          CAST('9999999.99' AS DECIMAL(9,2)) THEN t."total" END) END) IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count(total)"
FROM "answer";
----
WITH a AS (SELECT customer_id, total * 2 AS double FROM orders), b AS (SELECT * FROM a WHERE double < 100) SELECT count(*) AS n, sum(double) AS s FROM b;
-- plain:
SELECT count(*), sum(least(greatest(s, 0), 500)) FROM (SELECT sum(greatest(total * 2, 0)) AS s FROM orders WHERE total < 50 AND customer_id IS NOT NULL GROUP BY customer_id);
-- plan: OneGroup, Count 0.25 x1, ClampedSum 0.25 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND (TRY_CAST(system.main."*"(CAST((CASE WHEN t."total" BETWEEN CAST('-9999999.99'
                  AS DECIMAL(9,2)) AND CAST('9999999.99' AS DECIMAL(9,2)) THEN t."total" END) AS
              DECIMAL(19,2)), CAST('2' AS DECIMAL(10,0))) AS DECIMAL(18,2)) < CAST('100.00' AS
          DECIMAL(18,2)))) AS t
  GROUP BY t.unit) AS t;
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
      AS BIGINT) WHEN t.size <= CAST('343597383.68' AS DECIMAL(38,2)) THEN CAST('35' AS BIGINT) ELSE CAST('36'
      AS BIGINT) END AS value
  FROM (SELECT t.*, system.main.abs(t.part) AS size
    FROM (SELECT t.unit, system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS
              DECIMAL(38,2)), CAST('0' AS DECIMAL(38,2))), CAST('687194767.36' AS DECIMAL(38,2))) AS part
      FROM (SELECT CAST(CASE WHEN TRY_CAST(system.main."*"(CAST((CASE WHEN t."total" BETWEEN CAST('-9999999.99'
                      AS DECIMAL(9,2)) AND CAST('9999999.99' AS DECIMAL(9,2)) THEN t."total" END) AS
                  DECIMAL(19,2)), CAST('2' AS DECIMAL(10,0))) AS DECIMAL(18,2)) < CAST('0.00' AS
              DECIMAL(18,2)) THEN CAST('0.00' AS DECIMAL(18,2)) WHEN TRY_CAST(system.main."*"(CAST((CASE WHEN
                    t."total" BETWEEN CAST('-9999999.99' AS DECIMAL(9,2)) AND CAST('9999999.99' AS
                      DECIMAL(9,2)) THEN t."total" END) AS DECIMAL(19,2)), CAST('2' AS DECIMAL(10,0))) AS
              DECIMAL(18,2)) > CAST('687194767.36' AS DECIMAL(18,2)) THEN CAST('687194767.36' AS
              DECIMAL(18,2)) ELSE TRY_CAST(system.main."*"(CAST((CASE WHEN t."total" BETWEEN CAST('-9999999.99'
                      AS DECIMAL(9,2)) AND CAST('9999999.99' AS DECIMAL(9,2)) THEN t."total" END) AS
                  DECIMAL(19,2)), CAST('2' AS DECIMAL(10,0))) AS DECIMAL(18,2)) END AS DECIMAL(38,2)) AS
          value, t."customer_id" AS unit
        FROM "memory"."main"."orders" AS t
        WHERE t."customer_id" IS NOT NULL AND (TRY_CAST(system.main."*"(CAST((CASE WHEN t."total" BETWEEN
                    CAST('-9999999.99' AS DECIMAL(9,2)) AND CAST('9999999.99' AS DECIMAL(9,2)) THEN t."total"
                    END) AS DECIMAL(19,2)), CAST('2' AS DECIMAL(10,0))) AS DECIMAL(18,2)) < CAST('100.00' AS
              DECIMAL(18,2))) AND TRY_CAST(system.main."*"(CAST((CASE WHEN t."total" BETWEEN CAST('-9999999.99'
                    AS DECIMAL(9,2)) AND CAST('9999999.99' AS DECIMAL(9,2)) THEN t."total" END) AS
                DECIMAL(19,2)), CAST('2' AS DECIMAL(10,0))) AS DECIMAL(18,2)) IS NOT NULL) AS t
      GROUP BY t.unit) AS t) AS t) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS "n", "answer"."a1" AS "s"
FROM "answer";
----
SELECT city, count(*) AS n FROM order_facts GROUP BY city HAVING count(*) > 0 ORDER BY n DESC;
-- plain:
SELECT city, count(DISTINCT customer_id) AS n FROM orders JOIN stores USING (store_id) GROUP BY city HAVING n > 0 ORDER BY n DESC;
-- plan: EveryKey groups=7, 'city' VARCHAR, Count 0.5 x7 gaussian 7
-- score:
SELECT t.k0 AS "city", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t2."city" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    JOIN "memory"."main"."stores" AS t2 ON (t."store_id" = t2."store_id")
    WHERE t."customer_id" IS NOT NULL AND t2."city" IN ('Berlin', 'Bonn', 'Lyon', 'Nowhere', 'Osaka', 'Paris',
        'Tokyo')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "city", "answer"."a0" AS "n"
FROM "answer"
WHERE ("answer"."a0" > 0)
ORDER BY "answer"."a0" DESC NULLS LAST, "answer"."k0";
----
SELECT status, count(*) AS n FROM (SELECT * FROM order_facts WHERE code = 'de') AS t GROUP BY status;
-- plain:
SELECT d.status, count(DISTINCT customer_id) FROM (VALUES ('paid'), ('sent'), ('returned'), ('cancelled')) AS d(status) LEFT JOIN (SELECT * FROM orders JOIN stores USING (store_id) WHERE code = 'de') AS o ON o.status = d.status GROUP BY d.status;
-- plan: EveryKey groups=4, 'status' VARCHAR, Count 0.5 x4
-- score:
SELECT t.k0 AS "status", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."status" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    JOIN "memory"."main"."stores" AS t2 ON (t."store_id" = t2."store_id")
    WHERE t."customer_id" IS NOT NULL AND (t2."code" = 'de') AND t."status" IN ('paid', 'sent', 'returned',
        'cancelled')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "status", "answer"."a0" AS "n"
FROM "answer";
