SELECT s.city, count(o.order_id) AS n FROM stores AS s LEFT JOIN orders AS o ON o.store_id = s.store_id GROUP BY s.city;
-- plain:
SELECT s.city, count(DISTINCT customer_id) AS n FROM stores AS s LEFT JOIN orders AS o USING (store_id) GROUP BY s.city;
-- plan: EveryKey groups=7, 'city' VARCHAR, Count 0.5 x7 gaussian 7
-- score:
SELECT t.k0 AS "city", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."city" AS k0, t2."customer_id" AS unit
    FROM "memory"."main"."stores" AS t
    JOIN "memory"."main"."orders" AS t2 ON (t2."store_id" = t."store_id")
    WHERE t2."customer_id" IS NOT NULL AND t2."order_id" IS NOT NULL AND t."city" IN ('Berlin', 'Bonn', 'Lyon',
        'Nowhere', 'Osaka', 'Paris', 'Tokyo')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "city", "answer"."a0" AS "n"
FROM "answer";
----
SELECT s.city, count(DISTINCT o.customer_id) AS n FROM stores AS s LEFT JOIN orders AS o ON o.store_id = s.store_id AND s.code = 'fr' GROUP BY s.city;
-- plain:
SELECT s.city, count(DISTINCT customer_id) AS n FROM stores AS s LEFT JOIN orders AS o ON o.store_id = s.store_id AND s.code = 'fr' GROUP BY s.city;
-- plan: EveryKey groups=7, 'city' VARCHAR, Count 0.5 x7 gaussian 7
-- score:
SELECT t.k0 AS "city", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."city" AS k0, t2."customer_id" AS unit
    FROM "memory"."main"."stores" AS t
    JOIN "memory"."main"."orders" AS t2 ON (t."code" = 'fr') AND (t2."store_id" = t."store_id")
    WHERE t2."customer_id" IS NOT NULL AND t2."customer_id" IS NOT NULL AND t."city" IN ('Berlin', 'Bonn',
        'Lyon', 'Nowhere', 'Osaka', 'Paris', 'Tokyo')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "city", "answer"."a0" AS "n"
FROM "answer";
----
SELECT s.city, sum(coalesce(o.total, 0)) AS t FROM stores AS s LEFT JOIN orders AS o USING (store_id) WHERE s.code <> 'jp' GROUP BY s.city;
-- plain:
SELECT city, sum(CASE WHEN customer_id IS NULL THEN 0 ELSE t END) FROM (SELECT s.city, customer_id, sum(coalesce(o.total, 0)) AS t FROM stores AS s LEFT JOIN orders AS o USING (store_id) WHERE s.code <> 'jp' GROUP BY s.city, customer_id) GROUP BY city;
-- plan: EveryKey groups=4, 'city' VARCHAR, ClampedSum 0.5 x4
-- score:
SELECT t.k0 AS "city", t.value AS "level", system.main.sum(t.part) AS score0, CAST(system.main.sum(CASE WHEN
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
      FROM (SELECT t."city" AS k0, CAST(CASE WHEN COALESCE(CAST((CASE WHEN t2."total" BETWEEN CAST('-9999999.99'
                    AS DECIMAL(9,2)) AND CAST('9999999.99' AS DECIMAL(9,2)) THEN t2."total" END) AS
                DECIMAL(12,2)), CAST('0.00' AS DECIMAL(12,2))) < CAST('0.00' AS DECIMAL(12,2)) THEN CAST('0.00'
              AS DECIMAL(12,2)) WHEN COALESCE(CAST((CASE WHEN t2."total" BETWEEN CAST('-9999999.99' AS
                    DECIMAL(9,2)) AND CAST('9999999.99' AS DECIMAL(9,2)) THEN t2."total" END) AS
                DECIMAL(12,2)), CAST('0.00' AS DECIMAL(12,2))) > CAST('343597383.68' AS DECIMAL(12,2)) THEN
            CAST('343597383.68' AS DECIMAL(12,2)) ELSE COALESCE(CAST((CASE WHEN t2."total" BETWEEN CAST('-9999999.99'
                    AS DECIMAL(9,2)) AND CAST('9999999.99' AS DECIMAL(9,2)) THEN t2."total" END) AS
                DECIMAL(12,2)), CAST('0.00' AS DECIMAL(12,2))) END AS DECIMAL(38,2)) AS value, t2."customer_id"
          AS unit
        FROM "memory"."main"."stores" AS t
        JOIN "memory"."main"."orders" AS t2 ON t."store_id" = t2."store_id"
        WHERE t2."customer_id" IS NOT NULL AND (t."code" <> 'jp') AND COALESCE(CAST((CASE WHEN t2."total"
                BETWEEN CAST('-9999999.99' AS DECIMAL(9,2)) AND CAST('9999999.99' AS DECIMAL(9,2)) THEN t2."total"
                END) AS DECIMAL(12,2)), CAST('0.00' AS DECIMAL(12,2))) IS NOT NULL AND t."city" IN ('Berlin',
            'Bonn', 'Lyon', 'Paris')) AS t
      GROUP BY t.k0, t.unit) AS t) AS t) AS t
GROUP BY t.k0, t.value;
-- answer:
SELECT "answer"."k0" AS "city", "answer"."a0" AS "t"
FROM "answer";
----
SELECT s.city, count(*) AS n FROM stores AS s LEFT JOIN orders AS o ON o.store_id = s.store_id WHERE o.total > 10 GROUP BY s.city;
-- plain:
SELECT s.city, count(DISTINCT customer_id) AS n FROM stores AS s LEFT JOIN (FROM orders WHERE total > 10) AS o USING (store_id) GROUP BY s.city;
-- plan: EveryKey groups=7, 'city' VARCHAR, Count 0.5 x7 gaussian 7
-- score:
SELECT t.k0 AS "city", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."city" AS k0, t2."customer_id" AS unit
    FROM "memory"."main"."stores" AS t
    JOIN "memory"."main"."orders" AS t2 ON (t2."store_id" = t."store_id")
    WHERE t2."customer_id" IS NOT NULL AND (t2."total" > CAST('10.00' AS DECIMAL(9,2))) AND t."city" IN ('Berlin',
        'Bonn', 'Lyon', 'Nowhere', 'Osaka', 'Paris', 'Tokyo')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "city", "answer"."a0" AS "n"
FROM "answer";
----
SELECT s.city, count(c.customer_id) FILTER (WHERE c.customer_id > 0) AS n FROM stores AS s LEFT JOIN orders AS o ON o.store_id = s.store_id LEFT JOIN customers AS c ON c.customer_id = o.customer_id GROUP BY s.city;
-- plain:
SELECT s.city, count(DISTINCT c.customer_id) AS n FROM stores AS s LEFT JOIN orders AS o ON o.store_id = s.store_id LEFT JOIN customers AS c ON c.customer_id = o.customer_id GROUP BY s.city;
-- plan: EveryKey groups=7, 'city' VARCHAR, Count 0.5 x7 gaussian 7
-- score:
SELECT t.k0 AS "city", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."city" AS k0, t2."customer_id" AS unit
    FROM "memory"."main"."stores" AS t
    JOIN "memory"."main"."orders" AS t2 ON (t2."store_id" = t."store_id")
    LEFT
    JOIN "memory"."main"."customers" AS t3 ON (t3."customer_id" = t2."customer_id")
    WHERE t2."customer_id" IS NOT NULL AND (t3."customer_id" > 0) AND t3."customer_id" IS NOT NULL AND t."city"
      IN ('Berlin', 'Bonn', 'Lyon', 'Nowhere', 'Osaka', 'Paris', 'Tokyo')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "city", "answer"."a0" AS "n"
FROM "answer";
----
SELECT r AS least, count(o.order_id) AS n FROM range(0, 100, 25) AS g(r) LEFT JOIN orders AS o ON o.total >= r GROUP BY r ORDER BY r;
-- plain:
SELECT r AS least, count(DISTINCT customer_id) AS n FROM range(0, 100, 25) AS g(r) LEFT JOIN orders AS o ON o.total >= r GROUP BY r ORDER BY r;
-- plan: EveryKey groups=4, 'r' BIGINT, Count 0.5 x4
-- score:
SELECT t.k0 AS "r", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."r" AS k0, t2."customer_id" AS unit
    FROM (SELECT CAST("r" AS BIGINT) AS "r"
      FROM (SELECT *
        FROM system.main.range(CAST('0' AS BIGINT), CAST('100' AS BIGINT), CAST('25' AS BIGINT)) AS "g"("r"))
        AS t) AS t
    JOIN "memory"."main"."orders" AS t2 ON (CAST(t2."total" AS DECIMAL(21,2)) >= CAST(t."r" AS DECIMAL(21,2)))
    WHERE t2."customer_id" IS NOT NULL AND t2."order_id" IS NOT NULL AND t."r" IN (0, 25, 50, 75)) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "least", "answer"."a0" AS "n"
FROM "answer"
ORDER BY "answer"."k0" NULLS LAST;
----
SELECT s.city, count(DISTINCT o.customer_id) AS n FROM orders AS o JOIN stores AS s ON s.store_id <= o.store_id GROUP BY s.city;
-- plain:
SELECT s.city, count(DISTINCT o.customer_id) AS n FROM stores AS s LEFT JOIN orders AS o ON s.store_id <= o.store_id GROUP BY s.city;
-- plan: EveryKey groups=7, 'city' VARCHAR, Count 0.5 x7 gaussian 7
-- score:
SELECT t.k0 AS "city", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t2."city" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    JOIN "memory"."main"."stores" AS t2 ON (t2."store_id" <= t."store_id")
    WHERE t."customer_id" IS NOT NULL AND t2."city" IN ('Berlin', 'Bonn', 'Lyon', 'Nowhere', 'Osaka', 'Paris',
        'Tokyo')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "city", "answer"."a0" AS "n"
FROM "answer";
----
SELECT s.city, count(o.customer_id) FILTER (WHERE o.kind = 'other') AS n FROM stores AS s LEFT JOIN (SELECT store_id, customer_id, coalesce(nullif(status, 'paid'), 'other') AS kind FROM orders) AS o ON o.store_id = s.store_id GROUP BY s.city;
-- plain:
SELECT s.city, count(DISTINCT customer_id) AS n FROM stores AS s LEFT JOIN (FROM orders WHERE coalesce(nullif(status, 'paid'), 'other') = 'other') AS o ON o.store_id = s.store_id GROUP BY s.city;
-- plan: EveryKey groups=7, 'city' VARCHAR, Count 0.5 x7 gaussian 7
-- score:
SELECT t.k0 AS "city", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."city" AS k0, t3."unit" AS unit
    FROM "memory"."main"."stores" AS t
    JOIN (SELECT t2."customer_id" AS "unit", t2."store_id" AS "c0", (CASE WHEN
          system.main.strlen(COALESCE((CASE WHEN (t2."status" = 'paid') THEN NULL ELSE t2."status" END),
              'other')) <= 10000 THEN COALESCE((CASE WHEN (t2."status" = 'paid') THEN NULL ELSE t2."status"
              END), 'other') END) AS "c1"
      FROM "memory"."main"."orders" AS t2
      WHERE t2."customer_id" IS NOT NULL) AS t3 ON (t3."c0" = t."store_id")
    WHERE t3."unit" IS NOT NULL AND (t3."c1" = 'other') AND t3."unit" IS NOT NULL AND t."city" IN ('Berlin',
        'Bonn', 'Lyon', 'Nowhere', 'Osaka', 'Paris', 'Tokyo')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "city", "answer"."a0" AS "n"
FROM "answer";
