SELECT c_mktsegment, count(*) AS n FROM customer GROUP BY c_mktsegment;
-- plain:
the query
-- plan: EveryKey groups=1, 'c_mktsegment' VARCHAR, Count 0.5 x1
-- score:
SELECT t.k0 AS "c_mktsegment", system.main.count(*) AS score
FROM (SELECT t."c_mktsegment" AS k0, t."c_custkey" AS unit
  FROM "memory"."main"."customer" AS t
  WHERE t."c_custkey" IS NOT NULL AND t."c_mktsegment" IN ('AUTOMOBILE', 'BUILDING', 'FURNITURE', 'HOUSEHOLD',
      'MACHINERY')) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "c_mktsegment", "answer"."a0" AS "n"
FROM "answer";
----
SELECT n_name, count(*) AS n FROM customer JOIN nation ON c_nationkey = n_nationkey GROUP BY n_name ORDER BY n DESC, n_name;
-- plain:
the query
-- plan: EveryKey groups=1, 'n_name' VARCHAR, Count 0.5 x1
-- score:
SELECT t.k0 AS "n_name", system.main.count(*) AS score
FROM (SELECT t2."n_name" AS k0, t."c_custkey" AS unit
  FROM "memory"."main"."customer" AS t
  JOIN "memory"."main"."nation" AS t2 ON (t."c_nationkey" = t2."n_nationkey")
  WHERE t."c_custkey" IS NOT NULL AND t2."n_name" IN ('ALGERIA', 'ARGENTINA', 'BRAZIL', 'CANADA', 'CHINA',
      'EGYPT', 'ETHIOPIA', 'FRANCE', 'GERMANY', 'INDIA', 'INDONESIA', 'IRAN', 'IRAQ', 'JAPAN', 'JORDAN',
      'KENYA', 'MOROCCO', 'MOZAMBIQUE', 'PERU', 'ROMANIA', 'RUSSIA', 'SAUDI ARABIA', 'UNITED KINGDOM',
      'UNITED STATES', 'VIETNAM')) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "n_name", "answer"."a0" AS "n"
FROM "answer"
ORDER BY "answer"."a0" DESC NULLS LAST, "answer"."k0" NULLS LAST;
----
SELECT r_name, count(*) AS n FROM customer, nation, region WHERE c_nationkey = n_nationkey AND n_regionkey = r_regionkey GROUP BY r_name;
-- plain:
SELECT r_name, count(*) FROM customer JOIN nation ON c_nationkey = n_nationkey JOIN region ON n_regionkey = r_regionkey GROUP BY r_name;
-- plan: EveryKey groups=1, 'r_name' VARCHAR, Count 0.5 x1
-- score:
SELECT t.k0 AS "r_name", system.main.count(*) AS score
FROM (SELECT t3."r_name" AS k0, t."c_custkey" AS unit
  FROM "memory"."main"."customer" AS t
  CROSS
  JOIN "memory"."main"."nation" AS t2
  CROSS
  JOIN "memory"."main"."region" AS t3
  WHERE t."c_custkey" IS NOT NULL AND (t."c_nationkey" = t2."n_nationkey") AND (t2."n_regionkey" = t3."r_regionkey")
    AND t3."r_name" IN ('AFRICA', 'AMERICA', 'ASIA', 'EUROPE', 'MIDDLE EAST')) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "r_name", "answer"."a0" AS "n"
FROM "answer";
----
SELECT o_orderpriority, count(*) AS orders, count(DISTINCT o_custkey) AS customers FROM orders WHERE o_orderdate >= DATE '1993-07-01' AND o_orderdate < DATE '1993-07-01' + INTERVAL '3' MONTH GROUP BY o_orderpriority ORDER BY o_orderpriority;
-- plain:
SELECT o_orderpriority, count(*), count(DISTINCT o_custkey) FROM orders WHERE o_orderdate BETWEEN '1993-07-01' AND '1993-09-30' GROUP BY o_orderpriority ORDER BY o_orderpriority;
-- plan: EveryKey groups=5, 'o_orderpriority' VARCHAR, Count 0.25 x5 gaussian 5, Count 0.25 x5 gaussian 5
-- score:
SELECT t.k0 AS "o_orderpriority", CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE
  system.main.sum(t.part) END AS score
FROM (SELECT t.k0, system.main.least(system.main.count(*), CAST('50' AS BIGINT)) AS part
  FROM (SELECT t."o_orderpriority" AS k0, t."o_custkey" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."o_custkey" IS NOT NULL AND (TRY_CAST(t."o_orderdate" AS TIMESTAMP) < system.main."+"((CASE WHEN
            DATE '1993-07-01' BETWEEN DATE '140000-01-01 (BC)' AND DATE '140000-12-31' OR
            system.main.isinf(DATE '1993-07-01') THEN DATE '1993-07-01' END), CAST('3 months 0 days 0 microseconds'
            AS INTERVAL))) AND (t."o_orderdate" >= DATE '1993-07-01') AND t."o_orderpriority" IN ('1-URGENT',
        '2-HIGH', '3-MEDIUM', '4-NOT SPECIFIED', '5-LOW')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- score:
SELECT t.k0 AS "o_orderpriority", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."o_orderpriority" AS k0, t."o_custkey" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."o_custkey" IS NOT NULL AND (TRY_CAST(t."o_orderdate" AS TIMESTAMP) < system.main."+"((CASE WHEN
            DATE '1993-07-01' BETWEEN DATE '140000-01-01 (BC)' AND DATE '140000-12-31' OR
            system.main.isinf(DATE '1993-07-01') THEN DATE '1993-07-01' END), CAST('3 months 0 days 0 microseconds'
            AS INTERVAL))) AND (t."o_orderdate" >= DATE '1993-07-01') AND t."o_orderpriority" IN ('1-URGENT',
        '2-HIGH', '3-MEDIUM', '4-NOT SPECIFIED', '5-LOW')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "o_orderpriority", "answer"."a0" AS "orders", "answer"."a1" AS "customers"
FROM "answer"
ORDER BY "answer"."k0" NULLS LAST;
----
SELECT l_shipmode, count(*) AS n FROM lineitem WHERE l_quantity > 45 GROUP BY l_shipmode;
-- plain:
SELECT l_shipmode, count(*) AS n FROM lineitem JOIN orders ON l_orderkey = o_orderkey WHERE l_quantity > 45 GROUP BY l_shipmode;
-- plan: EveryKey groups=7, 'l_shipmode' VARCHAR, Count 0.5 x7 gaussian 7
-- score:
SELECT t.k0 AS "l_shipmode", CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE
  system.main.sum(t.part) END AS score
FROM (SELECT t.k0, system.main.least(system.main.count(*), CAST('50' AS BIGINT)) AS part
  FROM (SELECT t."l_shipmode" AS k0, t2."o_custkey" AS unit
    FROM "memory"."main"."lineitem" AS t
    JOIN "memory"."main"."orders" AS t2 ON t."l_orderkey" = t2."o_orderkey"
    WHERE t2."o_custkey" IS NOT NULL AND (t."l_quantity" > CAST('45.00' AS DECIMAL(15,2))) AND t."l_shipmode"
      IN ('AIR', 'FOB', 'MAIL', 'RAIL', 'REG AIR', 'SHIP', 'TRUCK')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "l_shipmode", "answer"."a0" AS "n"
FROM "answer";
----
SELECT l_returnflag, l_linestatus, sum(l_quantity) AS q, avg(l_discount) AS d, count(*) AS n FROM lineitem WHERE l_shipdate <= DATE '1992-03-01' GROUP BY l_returnflag, l_linestatus ORDER BY l_returnflag, l_linestatus;
-- plain:
SELECT l_returnflag, l_linestatus, sum(l_quantity), avg(l_discount), count(*) FROM lineitem JOIN orders ON l_orderkey = o_orderkey WHERE l_shipdate <= DATE '1992-03-01' GROUP BY l_returnflag, l_linestatus ORDER BY l_returnflag, l_linestatus;
-- plan: EveryKey groups=6, 'l_returnflag' VARCHAR, 'l_linestatus' VARCHAR, Sum 0.15675 x6 gaussian 6, Mean 0.1865 x6, Count 0.15675 x6 gaussian 6
-- score:
SELECT t.k0 AS "l_returnflag", t.k1 AS "l_linestatus", CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0'
    AS DECIMAL(38,2)) ELSE system.main.sum(t.part) END AS score
FROM (SELECT t.k0, t.k1, system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS
          DECIMAL(38,2)), CAST('0.00' AS DECIMAL(38,2))), CAST('2500.00' AS DECIMAL(38,2))) AS part
  FROM (SELECT t."l_returnflag" AS k0, t."l_linestatus" AS k1, CAST(CASE WHEN t."l_quantity" < CAST('-2621440000.00'
          AS DECIMAL(15,2)) THEN CAST('-2621440000.00' AS DECIMAL(15,2)) WHEN t."l_quantity" > CAST('2621440000.00'
          AS DECIMAL(15,2)) THEN CAST('2621440000.00' AS DECIMAL(15,2)) ELSE t."l_quantity" END AS
        DECIMAL(38,2)) AS value, t2."o_custkey" AS unit
    FROM "memory"."main"."lineitem" AS t
    JOIN "memory"."main"."orders" AS t2 ON t."l_orderkey" = t2."o_orderkey"
    WHERE t2."o_custkey" IS NOT NULL AND (t."l_shipdate" <= DATE '1992-03-01') AND t."l_quantity" IS NOT NULL
      AND t."l_returnflag" IN ('A', 'N', 'R') AND t."l_linestatus" IN ('F', 'O')) AS t
  GROUP BY t.k0, t.k1, t.unit) AS t
GROUP BY t.k0, t.k1;
-- score:
SELECT t.k0 AS "l_returnflag", t.k1 AS "l_linestatus", CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0'
    AS HUGEINT) ELSE system.main.sum(t.part) END AS score, system.main.count(*) AS units
FROM (SELECT t.k0, t.k1, t.value AS part
  FROM (SELECT *
    FROM (SELECT t.*, system.main.row_number() OVER (PARTITION BY t.unit, t.k0, t.k1
        ORDER BY system.main.hash(t.unit, t.value, CAST('20241121' AS BIGINT)), t.value) AS turn
      FROM (SELECT t."l_returnflag" AS k0, t."l_linestatus" AS k1, CASE WHEN CAST(t."l_discount" AS DOUBLE) <=
          CAST('0.0' AS DOUBLE) THEN CAST('0' AS BIGINT) WHEN CAST(t."l_discount" AS DOUBLE) >= CAST('0.1' AS
            DOUBLE) THEN CAST('1073741824' AS BIGINT) ELSE CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t."l_discount"
                        AS DOUBLE), CAST('0.0' AS DOUBLE)), CAST('0.1' AS DOUBLE)), CAST('1073741824.0' AS
                    DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, t2."o_custkey" AS unit
        FROM "memory"."main"."lineitem" AS t
        JOIN "memory"."main"."orders" AS t2 ON t."l_orderkey" = t2."o_orderkey"
        WHERE t2."o_custkey" IS NOT NULL AND (t."l_shipdate" <= DATE '1992-03-01') AND t."l_discount" IS NOT
          NULL AND t."l_returnflag" IN ('A', 'N', 'R') AND t."l_linestatus" IN ('F', 'O')) AS t) AS t
    WHERE t.turn <= 50) AS t) AS t
GROUP BY t.k0, t.k1;
-- score:
SELECT t.k0 AS "l_returnflag", t.k1 AS "l_linestatus", CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0'
    AS HUGEINT) ELSE system.main.sum(t.part) END AS score
FROM (SELECT t.k0, t.k1, system.main.least(system.main.count(*), CAST('50' AS BIGINT)) AS part
  FROM (SELECT t."l_returnflag" AS k0, t."l_linestatus" AS k1, t2."o_custkey" AS unit
    FROM "memory"."main"."lineitem" AS t
    JOIN "memory"."main"."orders" AS t2 ON t."l_orderkey" = t2."o_orderkey"
    WHERE t2."o_custkey" IS NOT NULL AND (t."l_shipdate" <= DATE '1992-03-01') AND t."l_returnflag" IN ('A',
        'N', 'R') AND t."l_linestatus" IN ('F', 'O')) AS t
  GROUP BY t.k0, t.k1, t.unit) AS t
GROUP BY t.k0, t.k1;
-- answer:
SELECT "answer"."k0" AS "l_returnflag", "answer"."k1" AS "l_linestatus", "answer"."a0" AS "q", "answer"."a1"
  AS "d", "answer"."a2" AS "n"
FROM "answer"
ORDER BY "answer"."k0" NULLS LAST, "answer"."k1" NULLS LAST;
----
SELECT c_mktsegment, o_orderpriority, count(*) AS n FROM customer JOIN orders ON c_custkey = o_custkey WHERE o_totalprice > 250000 GROUP BY ALL HAVING count(*) > 0;
-- plain:
the query
-- plan: EveryKey groups=5, 'c_mktsegment' VARCHAR, 'o_orderpriority' VARCHAR, Count 0.5 x5
-- score:
SELECT t.k0 AS "c_mktsegment", t.k1 AS "o_orderpriority", CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0'
    AS HUGEINT) ELSE system.main.sum(t.part) END AS score
FROM (SELECT t.k0, t.k1, system.main.least(system.main.count(*), CAST('50' AS BIGINT)) AS part
  FROM (SELECT t."c_mktsegment" AS k0, t2."o_orderpriority" AS k1, t."c_custkey" AS unit
    FROM "memory"."main"."customer" AS t
    JOIN "memory"."main"."orders" AS t2 ON (t."c_custkey" = t2."o_custkey")
    WHERE t."c_custkey" IS NOT NULL AND (t2."o_totalprice" > CAST('250000.00' AS DECIMAL(15,2))) AND t."c_mktsegment"
      IN ('AUTOMOBILE', 'BUILDING', 'FURNITURE', 'HOUSEHOLD', 'MACHINERY') AND t2."o_orderpriority" IN ('1-URGENT',
        '2-HIGH', '3-MEDIUM', '4-NOT SPECIFIED', '5-LOW')) AS t
  GROUP BY t.k0, t.k1, t.unit) AS t
GROUP BY t.k0, t.k1;
-- answer:
SELECT "answer"."k0" AS "c_mktsegment", "answer"."k1" AS "o_orderpriority", "answer"."a0" AS "n"
FROM "answer"
WHERE ("answer"."a0" > 0);
----
SELECT c_mktsegment, sum(l_extendedprice * (1 - l_discount)) AS revenue FROM customer, orders, lineitem WHERE c_custkey = o_custkey AND l_orderkey = o_orderkey AND o_orderdate < DATE '1992-02-01' GROUP BY c_mktsegment HAVING count(*) > 0;
-- plain:
the query
-- plan: EveryKey groups=1, 'c_mktsegment' VARCHAR, Sum 0.25 x1, Count 0.25 x1
-- score:
SELECT t.k0 AS "c_mktsegment", CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS DECIMAL(38,4)) ELSE
  system.main.sum(t.part) END AS score
FROM (SELECT t.k0, system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS DECIMAL(38,4)),
        CAST('0.0000' AS DECIMAL(38,4))), CAST('5000000.0000' AS DECIMAL(38,4))) AS part
  FROM (SELECT t."c_mktsegment" AS k0, CAST(CASE WHEN TRY_CAST(system.main."*"(CAST((CASE WHEN t3."l_extendedprice"
                BETWEEN CAST('-9999999999999.99' AS DECIMAL(15,2)) AND CAST('9999999999999.99' AS
                  DECIMAL(15,2)) THEN t3."l_extendedprice" END) AS DECIMAL(19,2)), CAST(system.main."-"(CAST('1.00'
                  AS DECIMAL(16,2)), TRY_CAST((CASE WHEN t3."l_discount" BETWEEN CAST('-9999999999999.99' AS
                      DECIMAL(15,2)) AND CAST('9999999999999.99' AS DECIMAL(15,2)) THEN t3."l_discount" END)
                  AS DECIMAL(16,2))) AS DECIMAL(16,2))) AS DECIMAL(18,4)) < CAST('-5242880000000.0000' AS
          DECIMAL(18,4)) THEN CAST('-5242880000000.0000' AS DECIMAL(18,4)) WHEN TRY_CAST(system.main."*"(CAST((CASE
                WHEN t3."l_extendedprice" BETWEEN CAST('-9999999999999.99' AS DECIMAL(15,2)) AND CAST('9999999999999.99'
                  AS DECIMAL(15,2)) THEN t3."l_extendedprice" END) AS DECIMAL(19,2)), CAST(system.main."-"(CAST('1.00'
                  AS DECIMAL(16,2)), TRY_CAST((CASE WHEN t3."l_discount" BETWEEN CAST('-9999999999999.99' AS
                      DECIMAL(15,2)) AND CAST('9999999999999.99' AS DECIMAL(15,2)) THEN t3."l_discount" END)
                  AS DECIMAL(16,2))) AS DECIMAL(16,2))) AS DECIMAL(18,4)) > CAST('5242880000000.0000' AS
          DECIMAL(18,4)) THEN CAST('5242880000000.0000' AS DECIMAL(18,4)) ELSE TRY_CAST(system.main."*"(CAST((CASE
                WHEN t3."l_extendedprice" BETWEEN CAST('-9999999999999.99' AS DECIMAL(15,2)) AND CAST('9999999999999.99'
                  AS DECIMAL(15,2)) THEN t3."l_extendedprice" END) AS DECIMAL(19,2)), CAST(system.main."-"(CAST('1.00'
                  AS DECIMAL(16,2)), TRY_CAST((CASE WHEN t3."l_discount" BETWEEN CAST('-9999999999999.99' AS
                      DECIMAL(15,2)) AND CAST('9999999999999.99' AS DECIMAL(15,2)) THEN t3."l_discount" END)
                  AS DECIMAL(16,2))) AS DECIMAL(16,2))) AS DECIMAL(18,4)) END AS DECIMAL(38,4)) AS value, t."c_custkey"
      AS unit
    FROM "memory"."main"."customer" AS t
    CROSS
    JOIN "memory"."main"."orders" AS t2
    CROSS
    JOIN "memory"."main"."lineitem" AS t3
    WHERE t."c_custkey" IS NOT NULL AND (t."c_custkey" = t2."o_custkey") AND (t2."o_orderdate" < DATE
        '1992-02-01') AND (t3."l_orderkey" = t2."o_orderkey") AND TRY_CAST(system.main."*"(CAST((CASE WHEN t3."l_extendedprice"
              BETWEEN CAST('-9999999999999.99' AS DECIMAL(15,2)) AND CAST('9999999999999.99' AS DECIMAL(15,2))
              THEN t3."l_extendedprice" END) AS DECIMAL(19,2)), CAST(system.main."-"(CAST('1.00' AS
                DECIMAL(16,2)), TRY_CAST((CASE WHEN t3."l_discount" BETWEEN CAST('-9999999999999.99' AS
                    DECIMAL(15,2)) AND CAST('9999999999999.99' AS DECIMAL(15,2)) THEN t3."l_discount" END) AS
                DECIMAL(16,2))) AS DECIMAL(16,2))) AS DECIMAL(18,4)) IS NOT NULL AND t."c_mktsegment" IN ('AUTOMOBILE',
        'BUILDING', 'FURNITURE', 'HOUSEHOLD', 'MACHINERY')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- score:
SELECT t.k0 AS "c_mktsegment", CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE
  system.main.sum(t.part) END AS score
FROM (SELECT t.k0, system.main.least(system.main.count(*), CAST('50' AS BIGINT)) AS part
  FROM (SELECT t."c_mktsegment" AS k0, t."c_custkey" AS unit
    FROM "memory"."main"."customer" AS t
    CROSS
    JOIN "memory"."main"."orders" AS t2
    CROSS
    JOIN "memory"."main"."lineitem" AS t3
    WHERE t."c_custkey" IS NOT NULL AND (t."c_custkey" = t2."o_custkey") AND (t2."o_orderdate" < DATE
        '1992-02-01') AND (t3."l_orderkey" = t2."o_orderkey") AND t."c_mktsegment" IN ('AUTOMOBILE',
        'BUILDING', 'FURNITURE', 'HOUSEHOLD', 'MACHINERY')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "c_mktsegment", "answer"."a0" AS "revenue"
FROM "answer"
WHERE ("answer"."a1" > 0);
----
SELECT n_name, count(DISTINCT c_custkey) AS n FROM lineitem JOIN orders ON l_orderkey = o_orderkey JOIN customer ON o_custkey = c_custkey JOIN nation ON c_nationkey = n_nationkey WHERE l_shipmode = 'AIR' GROUP BY n_name HAVING count(*) > 0;
-- plain:
the query
-- plan: EveryKey groups=1, 'n_name' VARCHAR, Count 0.25 x1, Count 0.25 x1
-- score:
SELECT t.k0 AS "n_name", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t4."n_name" AS k0, t2."o_custkey" AS unit
    FROM "memory"."main"."lineitem" AS t
    JOIN "memory"."main"."orders" AS t2 ON (t."l_orderkey" = t2."o_orderkey")
    JOIN "memory"."main"."customer" AS t3 ON (t2."o_custkey" = t3."c_custkey")
    JOIN "memory"."main"."nation" AS t4 ON (t3."c_nationkey" = t4."n_nationkey")
    WHERE t2."o_custkey" IS NOT NULL AND (t."l_shipmode" = 'AIR') AND t3."c_custkey" IS NOT NULL AND t4."n_name"
      IN ('ALGERIA', 'ARGENTINA', 'BRAZIL', 'CANADA', 'CHINA', 'EGYPT', 'ETHIOPIA', 'FRANCE', 'GERMANY',
        'INDIA', 'INDONESIA', 'IRAN', 'IRAQ', 'JAPAN', 'JORDAN', 'KENYA', 'MOROCCO', 'MOZAMBIQUE', 'PERU',
        'ROMANIA', 'RUSSIA', 'SAUDI ARABIA', 'UNITED KINGDOM', 'UNITED STATES', 'VIETNAM')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- score:
SELECT t.k0 AS "n_name", CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE
  system.main.sum(t.part) END AS score
FROM (SELECT t.k0, system.main.least(system.main.count(*), CAST('50' AS BIGINT)) AS part
  FROM (SELECT t4."n_name" AS k0, t2."o_custkey" AS unit
    FROM "memory"."main"."lineitem" AS t
    JOIN "memory"."main"."orders" AS t2 ON (t."l_orderkey" = t2."o_orderkey")
    JOIN "memory"."main"."customer" AS t3 ON (t2."o_custkey" = t3."c_custkey")
    JOIN "memory"."main"."nation" AS t4 ON (t3."c_nationkey" = t4."n_nationkey")
    WHERE t2."o_custkey" IS NOT NULL AND (t."l_shipmode" = 'AIR') AND t4."n_name" IN ('ALGERIA', 'ARGENTINA',
        'BRAZIL', 'CANADA', 'CHINA', 'EGYPT', 'ETHIOPIA', 'FRANCE', 'GERMANY', 'INDIA', 'INDONESIA', 'IRAN',
        'IRAQ', 'JAPAN', 'JORDAN', 'KENYA', 'MOROCCO', 'MOZAMBIQUE', 'PERU', 'ROMANIA', 'RUSSIA',
        'SAUDI ARABIA', 'UNITED KINGDOM', 'UNITED STATES', 'VIETNAM')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "n_name", "answer"."a0" AS "n"
FROM "answer"
WHERE ("answer"."a1" > 0);
----
SELECT p_brand, count(*) AS n, count(DISTINCT o_custkey) AS customers FROM lineitem JOIN orders ON o_orderkey = l_orderkey JOIN part ON l_partkey = p_partkey WHERE p_size < 10 GROUP BY p_brand HAVING count(*) > 0;
-- plain:
the query
-- plan: EveryKey groups=17, 'p_brand' VARCHAR, Count 0.25005 x17 gaussian 17, Count 0.24995 x17 gaussian 17
-- score:
SELECT t.k0 AS "p_brand", CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE
  system.main.sum(t.part) END AS score
FROM (SELECT t.k0, system.main.least(system.main.count(*), CAST('50' AS BIGINT)) AS part
  FROM (SELECT t3."p_brand" AS k0, t2."o_custkey" AS unit
    FROM "memory"."main"."lineitem" AS t
    JOIN "memory"."main"."orders" AS t2 ON (t2."o_orderkey" = t."l_orderkey")
    JOIN "memory"."main"."part" AS t3 ON (t."l_partkey" = t3."p_partkey")
    WHERE t2."o_custkey" IS NOT NULL AND (t3."p_size" < 10) AND t3."p_brand" IN ('Brand#12', 'Brand#13',
        'Brand#14', 'Brand#21', 'Brand#22', 'Brand#23', 'Brand#24', 'Brand#31', 'Brand#32', 'Brand#33',
        'Brand#34', 'Brand#41', 'Brand#42', 'Brand#43', 'Brand#44', 'Brand#51', 'Brand#53')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- score:
SELECT t.k0 AS "p_brand", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t3."p_brand" AS k0, t2."o_custkey" AS unit
    FROM "memory"."main"."lineitem" AS t
    JOIN "memory"."main"."orders" AS t2 ON (t2."o_orderkey" = t."l_orderkey")
    JOIN "memory"."main"."part" AS t3 ON (t."l_partkey" = t3."p_partkey")
    WHERE t2."o_custkey" IS NOT NULL AND (t3."p_size" < 10) AND t3."p_brand" IN ('Brand#12', 'Brand#13',
        'Brand#14', 'Brand#21', 'Brand#22', 'Brand#23', 'Brand#24', 'Brand#31', 'Brand#32', 'Brand#33',
        'Brand#34', 'Brand#41', 'Brand#42', 'Brand#43', 'Brand#44', 'Brand#51', 'Brand#53')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "p_brand", "answer"."a0" AS "n", "answer"."a1" AS "customers"
FROM "answer"
WHERE ("answer"."a0" > 0);
----
SELECT count(*) FROM lineitem JOIN partsupp ON l_partkey = ps_partkey AND l_suppkey = ps_suppkey;
-- plain:
the query
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score
FROM (SELECT system.main.least(system.main.count(*), CAST('50' AS BIGINT)) AS part
  FROM (SELECT t3."o_custkey" AS unit
    FROM "memory"."main"."lineitem" AS t
    JOIN "memory"."main"."partsupp" AS t2 ON (t."l_partkey" = t2."ps_partkey") AND (t."l_suppkey" = t2."ps_suppkey")
    JOIN "memory"."main"."orders" AS t3 ON t."l_orderkey" = t3."o_orderkey"
    WHERE t3."o_custkey" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT year(o_orderdate) AS y, avg(o_totalprice) AS a FROM orders GROUP BY y ORDER BY y;
-- plain:
the query
-- plan: EveryKey groups=7, 'y' BIGINT, Mean 0.5 x7
-- score:
SELECT t.k0 AS "y", CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE
  system.main.sum(t.part) END AS score, system.main.count(*) AS units
FROM (SELECT t.k0, t.value AS part
  FROM (SELECT *
    FROM (SELECT t.*, system.main.row_number() OVER (PARTITION BY t.unit, t.k0
        ORDER BY system.main.hash(t.unit, t.value, CAST('20241121' AS BIGINT)), t.value) AS turn
      FROM (SELECT system.main.year(t."o_orderdate") AS k0, CASE WHEN CAST(t."o_totalprice" AS DOUBLE) <=
          CAST('0.0' AS DOUBLE) THEN CAST('0' AS BIGINT) WHEN CAST(t."o_totalprice" AS DOUBLE) >= CAST('500000.0'
            AS DOUBLE) THEN CAST('1073741824' AS BIGINT) ELSE CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t."o_totalprice"
                        AS DOUBLE), CAST('0.0' AS DOUBLE)), CAST('500000.0' AS DOUBLE)), CAST('1073741824.0'
                    AS DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, t."o_custkey" AS unit
        FROM "memory"."main"."orders" AS t
        WHERE t."o_custkey" IS NOT NULL AND t."o_totalprice" IS NOT NULL AND (system.main.year(t."o_orderdate")
            >= 1992 AND system.main.year(t."o_orderdate") <= 1998)) AS t) AS t
    WHERE t.turn <= 50) AS t) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "y", "answer"."a0" AS "a"
FROM "answer"
ORDER BY "answer"."k0" NULLS LAST;
----
SELECT count(DISTINCT c_custkey) AS customers, count(*) FILTER (WHERE l_returnflag = 'R') AS returning FROM customer JOIN orders ON c_custkey = o_custkey JOIN lineitem ON o_orderkey = l_orderkey WHERE l_shipdate > '1998-01-01';
-- plain:
the query
-- plan: OneGroup, Count 0.25 x1, Count 0.25 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t."c_custkey" AS unit
    FROM "memory"."main"."customer" AS t
    JOIN "memory"."main"."orders" AS t2 ON (t."c_custkey" = t2."o_custkey")
    JOIN "memory"."main"."lineitem" AS t3 ON (t2."o_orderkey" = t3."l_orderkey")
    WHERE t."c_custkey" IS NOT NULL AND (t3."l_shipdate" > DATE '1998-01-01')) AS t
  GROUP BY t.unit) AS t;
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score
FROM (SELECT system.main.least(system.main.count(*), CAST('50' AS BIGINT)) AS part
  FROM (SELECT t."c_custkey" AS unit
    FROM "memory"."main"."customer" AS t
    JOIN "memory"."main"."orders" AS t2 ON (t."c_custkey" = t2."o_custkey")
    JOIN "memory"."main"."lineitem" AS t3 ON (t2."o_orderkey" = t3."l_orderkey")
    WHERE t."c_custkey" IS NOT NULL AND (t3."l_shipdate" > DATE '1998-01-01') AND (t3."l_returnflag" = 'R'))
    AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "customers", "answer"."a1" AS "returning"
FROM "answer";
----
SELECT c_mktsegment, count(o.o_orderkey) AS n FROM customer LEFT JOIN orders AS o ON c_custkey = o.o_custkey AND o.o_totalprice > 290000 GROUP BY c_mktsegment;
-- plain:
the query
-- plan: EveryKey groups=1, 'c_mktsegment' VARCHAR, Count 0.5 x1
-- score:
SELECT t.k0 AS "c_mktsegment", CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE
  system.main.sum(t.part) END AS score
FROM (SELECT t.k0, system.main.least(system.main.count(*), CAST('50' AS BIGINT)) AS part
  FROM (SELECT t."c_mktsegment" AS k0, t."c_custkey" AS unit
    FROM "memory"."main"."customer" AS t
    LEFT
    JOIN "memory"."main"."orders" AS t2 ON (t."c_custkey" = t2."o_custkey") AND (t2."o_totalprice" > CAST('290000.00'
          AS DECIMAL(15,2)))
    WHERE t."c_custkey" IS NOT NULL AND t2."o_orderkey" IS NOT NULL AND t."c_mktsegment" IN ('AUTOMOBILE',
        'BUILDING', 'FURNITURE', 'HOUSEHOLD', 'MACHINERY')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "c_mktsegment", "answer"."a0" AS "n"
FROM "answer";
----
SELECT median(l_quantity) FROM lineitem JOIN orders ON l_orderkey = o_orderkey WHERE o_orderpriority = '1-URGENT';
-- plain:
SELECT [quantile_disc(l_quantity, 0.5), -quantile_disc(-l_quantity, 0.5)] FROM lineitem JOIN orders ON l_orderkey = o_orderkey WHERE o_orderpriority = '1-URGENT';
-- plan: OneGroup, Quantile 0.5 x1
-- score:
SELECT t.value AS "l_quantity", CAST(system.main.sum(t.part) AS BIGINT) AS score
FROM (SELECT t.value, system.main."-"(system.main."//"(system.main."*"(t.upto, system.main."*"(system.main.least(t.total,
              CAST('50' AS BIGINT)), CAST('1310' AS BIGINT))), t.total), system.main."//"(system.main."*"(system.main."-"(t.upto,
            t.times), system.main."*"(system.main.least(t.total, CAST('50' AS BIGINT)), CAST('1310' AS
              BIGINT))), t.total)) AS part
  FROM (SELECT t.*, CAST(system.main.sum(t.times) OVER (PARTITION BY t.unit
        ORDER BY t.value ASC) AS BIGINT) AS upto, CAST(system.main.sum(t.times) OVER (PARTITION BY t.unit) AS
        BIGINT) AS total
    FROM (SELECT t.unit, t.value, system.main.count(*) AS times
      FROM (SELECT CAST(system.main."*"(t.value, CAST('100' AS DECIMAL(3,0))) AS BIGINT) AS value, t.unit
        FROM (SELECT CASE WHEN t.value < CAST('0.00' AS DECIMAL(15,2)) THEN CAST('0.00' AS DECIMAL(15,2)) WHEN
            t.value > CAST('50.00' AS DECIMAL(15,2)) THEN CAST('50.00' AS DECIMAL(15,2)) ELSE t.value END AS
            value, t.unit
          FROM (SELECT t."l_quantity" AS value, t2."o_custkey" AS unit
            FROM "memory"."main"."lineitem" AS t
            JOIN "memory"."main"."orders" AS t2 ON (t."l_orderkey" = t2."o_orderkey")
            WHERE t2."o_custkey" IS NOT NULL AND (t2."o_orderpriority" = '1-URGENT') AND t."l_quantity" IS NOT
              NULL) AS t) AS t) AS t
      GROUP BY t.unit, t.value) AS t) AS t) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS "median(l_quantity)"
FROM "answer";
----
SELECT l_shipmode, sum(CASE WHEN o_orderpriority = '1-URGENT' OR o_orderpriority = '2-HIGH' THEN 1 ELSE 0 END) AS high, sum(CASE WHEN o_orderpriority <> '1-URGENT' AND o_orderpriority <> '2-HIGH' THEN 1 ELSE 0 END) AS low FROM orders, lineitem WHERE o_orderkey = l_orderkey AND l_shipmode IN ('MAIL', 'SHIP') AND l_receiptdate >= DATE '1994-01-01' AND l_receiptdate < DATE '1994-01-01' + INTERVAL '1' YEAR GROUP BY l_shipmode HAVING count(*) > 0 ORDER BY l_shipmode;
-- plain:
the query
-- plan: EveryKey groups=2, 'l_shipmode' VARCHAR, Sum 0.1667 x2 gaussian 2, Sum 0.16665 x2 gaussian 2, Count 0.16665 x2 gaussian 2
-- score:
SELECT t.k0 AS "l_shipmode", CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE
  system.main.sum(t.part) END AS score
FROM (SELECT t.k0, system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS HUGEINT), CAST('0'
          AS HUGEINT)), CAST('50' AS HUGEINT)) AS part
  FROM (SELECT t2."l_shipmode" AS k0, CAST(CASE WHEN (CASE WHEN ((t."o_orderpriority" = '1-URGENT') OR (t."o_orderpriority"
              = '2-HIGH')) THEN CAST('1' AS INTEGER) ELSE CAST('0' AS INTEGER) END) < CAST('-52428800' AS
          INTEGER) THEN CAST('-52428800' AS INTEGER) WHEN (CASE WHEN ((t."o_orderpriority" = '1-URGENT') OR
            (t."o_orderpriority" = '2-HIGH')) THEN CAST('1' AS INTEGER) ELSE CAST('0' AS INTEGER) END) > CAST('52428800'
          AS INTEGER) THEN CAST('52428800' AS INTEGER) ELSE (CASE WHEN ((t."o_orderpriority" = '1-URGENT') OR
            (t."o_orderpriority" = '2-HIGH')) THEN CAST('1' AS INTEGER) ELSE CAST('0' AS INTEGER) END) END AS
        HUGEINT) AS value, t."o_custkey" AS unit
    FROM "memory"."main"."orders" AS t
    CROSS
    JOIN "memory"."main"."lineitem" AS t2
    WHERE t."o_custkey" IS NOT NULL AND (TRY_CAST(t2."l_receiptdate" AS TIMESTAMP) < system.main."+"((CASE
            WHEN DATE '1994-01-01' BETWEEN DATE '140000-01-01 (BC)' AND DATE '140000-12-31' OR
            system.main.isinf(DATE '1994-01-01') THEN DATE '1994-01-01' END), CAST('12 months 0 days 0 microseconds'
            AS INTERVAL))) AND (t."o_orderkey" = t2."l_orderkey") AND (t2."l_receiptdate" >= DATE '1994-01-01')
      AND (t2."l_shipmode" IN ('MAIL', 'SHIP')) AND (CASE WHEN ((t."o_orderpriority" = '1-URGENT') OR (t."o_orderpriority"
            = '2-HIGH')) THEN CAST('1' AS INTEGER) ELSE CAST('0' AS INTEGER) END) IS NOT NULL AND t2."l_shipmode"
      IN ('MAIL', 'SHIP')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- score:
SELECT t.k0 AS "l_shipmode", CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE
  system.main.sum(t.part) END AS score
FROM (SELECT t.k0, system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS HUGEINT), CAST('0'
          AS HUGEINT)), CAST('50' AS HUGEINT)) AS part
  FROM (SELECT t2."l_shipmode" AS k0, CAST(CASE WHEN (CASE WHEN ((t."o_orderpriority" <> '1-URGENT') AND (t."o_orderpriority"
              <> '2-HIGH')) THEN CAST('1' AS INTEGER) ELSE CAST('0' AS INTEGER) END) < CAST('-52428800' AS
          INTEGER) THEN CAST('-52428800' AS INTEGER) WHEN (CASE WHEN ((t."o_orderpriority" <> '1-URGENT') AND
            (t."o_orderpriority" <> '2-HIGH')) THEN CAST('1' AS INTEGER) ELSE CAST('0' AS INTEGER) END) >
        CAST('52428800' AS INTEGER) THEN CAST('52428800' AS INTEGER) ELSE (CASE WHEN ((t."o_orderpriority" <>
              '1-URGENT') AND (t."o_orderpriority" <> '2-HIGH')) THEN CAST('1' AS INTEGER) ELSE CAST('0' AS
            INTEGER) END) END AS HUGEINT) AS value, t."o_custkey" AS unit
    FROM "memory"."main"."orders" AS t
    CROSS
    JOIN "memory"."main"."lineitem" AS t2
    WHERE t."o_custkey" IS NOT NULL AND (TRY_CAST(t2."l_receiptdate" AS TIMESTAMP) < system.main."+"((CASE
            WHEN DATE '1994-01-01' BETWEEN DATE '140000-01-01 (BC)' AND DATE '140000-12-31' OR
            system.main.isinf(DATE '1994-01-01') THEN DATE '1994-01-01' END), CAST('12 months 0 days 0 microseconds'
            AS INTERVAL))) AND (t."o_orderkey" = t2."l_orderkey") AND (t2."l_receiptdate" >= DATE '1994-01-01')
      AND (t2."l_shipmode" IN ('MAIL', 'SHIP')) AND (CASE WHEN ((t."o_orderpriority" <> '1-URGENT') AND (t."o_orderpriority"
            <> '2-HIGH')) THEN CAST('1' AS INTEGER) ELSE CAST('0' AS INTEGER) END) IS NOT NULL AND t2."l_shipmode"
      IN ('MAIL', 'SHIP')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- score:
SELECT t.k0 AS "l_shipmode", CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE
  system.main.sum(t.part) END AS score
FROM (SELECT t.k0, system.main.least(system.main.count(*), CAST('50' AS BIGINT)) AS part
  FROM (SELECT t2."l_shipmode" AS k0, t."o_custkey" AS unit
    FROM "memory"."main"."orders" AS t
    CROSS
    JOIN "memory"."main"."lineitem" AS t2
    WHERE t."o_custkey" IS NOT NULL AND (TRY_CAST(t2."l_receiptdate" AS TIMESTAMP) < system.main."+"((CASE
            WHEN DATE '1994-01-01' BETWEEN DATE '140000-01-01 (BC)' AND DATE '140000-12-31' OR
            system.main.isinf(DATE '1994-01-01') THEN DATE '1994-01-01' END), CAST('12 months 0 days 0 microseconds'
            AS INTERVAL))) AND (t."o_orderkey" = t2."l_orderkey") AND (t2."l_receiptdate" >= DATE '1994-01-01')
      AND (t2."l_shipmode" IN ('MAIL', 'SHIP')) AND t2."l_shipmode" IN ('MAIL', 'SHIP')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "l_shipmode", "answer"."a0" AS "high", "answer"."a1" AS "low"
FROM "answer"
WHERE ("answer"."a2" > 0)
ORDER BY "answer"."k0" NULLS LAST;
----
SELECT 100.00 * sum(CASE WHEN p_type LIKE 'PROMO%' THEN l_extendedprice * (1 - l_discount) ELSE 0 END) / sum(l_extendedprice * (1 - l_discount)) AS promo FROM lineitem, part WHERE l_partkey = p_partkey AND l_shipdate >= DATE '1995-09-01';
-- plain:
the query
-- plan: OneGroup, Sum 0.25 x1, Sum 0.25 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS DECIMAL(38,4)) ELSE system.main.sum(t.part)
  END AS score
FROM (SELECT system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS DECIMAL(38,4)), CAST('0.0000'
          AS DECIMAL(38,4))), CAST('5000000.0000' AS DECIMAL(38,4))) AS part
  FROM (SELECT CAST(CASE WHEN (CASE WHEN system.main."~~"(t2."p_type", 'PROMO%') THEN TRY_CAST(system.main."*"(CAST((CASE
                  WHEN t."l_extendedprice" BETWEEN CAST('-9999999999999.99' AS DECIMAL(15,2)) AND CAST('9999999999999.99'
                    AS DECIMAL(15,2)) THEN t."l_extendedprice" END) AS DECIMAL(19,2)), CAST(system.main."-"(CAST('1.00'
                    AS DECIMAL(16,2)), TRY_CAST((CASE WHEN t."l_discount" BETWEEN CAST('-9999999999999.99' AS
                        DECIMAL(15,2)) AND CAST('9999999999999.99' AS DECIMAL(15,2)) THEN t."l_discount" END)
                    AS DECIMAL(16,2))) AS DECIMAL(16,2))) AS DECIMAL(18,4)) ELSE CAST('0.0000' AS
            DECIMAL(18,4)) END) < CAST('-5242880000000.0000' AS DECIMAL(18,4)) THEN CAST('-5242880000000.0000'
          AS DECIMAL(18,4)) WHEN (CASE WHEN system.main."~~"(t2."p_type", 'PROMO%') THEN TRY_CAST(system.main."*"(CAST((CASE
                  WHEN t."l_extendedprice" BETWEEN CAST('-9999999999999.99' AS DECIMAL(15,2)) AND CAST('9999999999999.99'
                    AS DECIMAL(15,2)) THEN t."l_extendedprice" END) AS DECIMAL(19,2)), CAST(system.main."-"(CAST('1.00'
                    AS DECIMAL(16,2)), TRY_CAST((CASE WHEN t."l_discount" BETWEEN CAST('-9999999999999.99' AS
                        DECIMAL(15,2)) AND CAST('9999999999999.99' AS DECIMAL(15,2)) THEN t."l_discount" END)
                    AS DECIMAL(16,2))) AS DECIMAL(16,2))) AS DECIMAL(18,4)) ELSE CAST('0.0000' AS
            DECIMAL(18,4)) END) > CAST('5242880000000.0000' AS DECIMAL(18,4)) THEN CAST('5242880000000.0000'
          AS DECIMAL(18,4)) ELSE (CASE WHEN system.main."~~"(t2."p_type", 'PROMO%') THEN TRY_CAST(system.main."*"(CAST((CASE
                  WHEN t."l_extendedprice" BETWEEN CAST('-9999999999999.99' AS DECIMAL(15,2)) AND CAST('9999999999999.99'
                    AS DECIMAL(15,2)) THEN t."l_extendedprice" END) AS DECIMAL(19,2)), CAST(system.main."-"(CAST('1.00'
                    AS DECIMAL(16,2)), TRY_CAST((CASE WHEN t."l_discount" BETWEEN CAST('-9999999999999.99' AS
                        DECIMAL(15,2)) AND CAST('9999999999999.99' AS DECIMAL(15,2)) THEN t."l_discount" END)
                    AS DECIMAL(16,2))) AS DECIMAL(16,2))) AS DECIMAL(18,4)) ELSE CAST('0.0000' AS
            DECIMAL(18,4)) END) END AS DECIMAL(38,4)) AS value, t3."o_custkey" AS unit
    FROM "memory"."main"."lineitem" AS t
    CROSS
    JOIN "memory"."main"."part" AS t2
    JOIN "memory"."main"."orders" AS t3 ON t."l_orderkey" = t3."o_orderkey"
    WHERE t3."o_custkey" IS NOT NULL AND (t."l_partkey" = t2."p_partkey") AND (t."l_shipdate" >= DATE
        '1995-09-01') AND (CASE WHEN system.main."~~"(t2."p_type", 'PROMO%') THEN TRY_CAST(system.main."*"(CAST((CASE
                WHEN t."l_extendedprice" BETWEEN CAST('-9999999999999.99' AS DECIMAL(15,2)) AND CAST('9999999999999.99'
                  AS DECIMAL(15,2)) THEN t."l_extendedprice" END) AS DECIMAL(19,2)), CAST(system.main."-"(CAST('1.00'
                  AS DECIMAL(16,2)), TRY_CAST((CASE WHEN t."l_discount" BETWEEN CAST('-9999999999999.99' AS
                      DECIMAL(15,2)) AND CAST('9999999999999.99' AS DECIMAL(15,2)) THEN t."l_discount" END) AS
                  DECIMAL(16,2))) AS DECIMAL(16,2))) AS DECIMAL(18,4)) ELSE CAST('0.0000' AS DECIMAL(18,4))
        END) IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS DECIMAL(38,4)) ELSE system.main.sum(t.part)
  END AS score
FROM (SELECT system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS DECIMAL(38,4)), CAST('0.0000'
          AS DECIMAL(38,4))), CAST('5000000.0000' AS DECIMAL(38,4))) AS part
  FROM (SELECT CAST(CASE WHEN TRY_CAST(system.main."*"(CAST((CASE WHEN t."l_extendedprice" BETWEEN CAST('-9999999999999.99'
                  AS DECIMAL(15,2)) AND CAST('9999999999999.99' AS DECIMAL(15,2)) THEN t."l_extendedprice"
                END) AS DECIMAL(19,2)), CAST(system.main."-"(CAST('1.00' AS DECIMAL(16,2)), TRY_CAST((CASE
                    WHEN t."l_discount" BETWEEN CAST('-9999999999999.99' AS DECIMAL(15,2)) AND CAST('9999999999999.99'
                      AS DECIMAL(15,2)) THEN t."l_discount" END) AS DECIMAL(16,2))) AS DECIMAL(16,2))) AS
          DECIMAL(18,4)) < CAST('-5242880000000.0000' AS DECIMAL(18,4)) THEN CAST('-5242880000000.0000' AS
          DECIMAL(18,4)) WHEN TRY_CAST(system.main."*"(CAST((CASE WHEN t."l_extendedprice" BETWEEN CAST('-9999999999999.99'
                  AS DECIMAL(15,2)) AND CAST('9999999999999.99' AS DECIMAL(15,2)) THEN t."l_extendedprice"
                END) AS DECIMAL(19,2)), CAST(system.main."-"(CAST('1.00' AS DECIMAL(16,2)), TRY_CAST((CASE
                    WHEN t."l_discount" BETWEEN CAST('-9999999999999.99' AS DECIMAL(15,2)) AND CAST('9999999999999.99'
                      AS DECIMAL(15,2)) THEN t."l_discount" END) AS DECIMAL(16,2))) AS DECIMAL(16,2))) AS
          DECIMAL(18,4)) > CAST('5242880000000.0000' AS DECIMAL(18,4)) THEN CAST('5242880000000.0000' AS
          DECIMAL(18,4)) ELSE TRY_CAST(system.main."*"(CAST((CASE WHEN t."l_extendedprice" BETWEEN CAST('-9999999999999.99'
                  AS DECIMAL(15,2)) AND CAST('9999999999999.99' AS DECIMAL(15,2)) THEN t."l_extendedprice"
                END) AS DECIMAL(19,2)), CAST(system.main."-"(CAST('1.00' AS DECIMAL(16,2)), TRY_CAST((CASE
                    WHEN t."l_discount" BETWEEN CAST('-9999999999999.99' AS DECIMAL(15,2)) AND CAST('9999999999999.99'
                      AS DECIMAL(15,2)) THEN t."l_discount" END) AS DECIMAL(16,2))) AS DECIMAL(16,2))) AS
          DECIMAL(18,4)) END AS DECIMAL(38,4)) AS value, t3."o_custkey" AS unit
    FROM "memory"."main"."lineitem" AS t
    CROSS
    JOIN "memory"."main"."part" AS t2
    JOIN "memory"."main"."orders" AS t3 ON t."l_orderkey" = t3."o_orderkey"
    WHERE t3."o_custkey" IS NOT NULL AND (t."l_partkey" = t2."p_partkey") AND (t."l_shipdate" >= DATE
        '1995-09-01') AND TRY_CAST(system.main."*"(CAST((CASE WHEN t."l_extendedprice" BETWEEN CAST('-9999999999999.99'
                AS DECIMAL(15,2)) AND CAST('9999999999999.99' AS DECIMAL(15,2)) THEN t."l_extendedprice" END)
            AS DECIMAL(19,2)), CAST(system.main."-"(CAST('1.00' AS DECIMAL(16,2)), TRY_CAST((CASE WHEN t."l_discount"
                  BETWEEN CAST('-9999999999999.99' AS DECIMAL(15,2)) AND CAST('9999999999999.99' AS
                    DECIMAL(15,2)) THEN t."l_discount" END) AS DECIMAL(16,2))) AS DECIMAL(16,2))) AS
        DECIMAL(18,4)) IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT system.main."/"(system.main."*"(100.00, "answer"."a0"), "answer"."a1") AS "promo"
FROM "answer";
----
WITH revenue AS (SELECT o_custkey, l_extendedprice * (1 - l_discount) AS volume, n_name AS nation FROM lineitem JOIN orders ON l_orderkey = o_orderkey JOIN customer ON c_custkey = o_custkey JOIN nation ON c_nationkey = n_nationkey) SELECT nation, avg(volume) AS v FROM revenue WHERE nation IN ('FRANCE', 'GERMANY') GROUP BY nation HAVING count(*) > 0;
-- plain:
SELECT n_name, avg(v) FROM (SELECT n_name, avg(l_extendedprice * (1 - l_discount)) AS v FROM lineitem JOIN orders ON l_orderkey = o_orderkey JOIN customer ON c_custkey = o_custkey JOIN nation ON c_nationkey = n_nationkey WHERE n_name IN ('FRANCE', 'GERMANY') GROUP BY n_name, c_custkey) GROUP BY n_name;
-- plan: EveryKey groups=1, 'nation' VARCHAR, Mean 0.27165 x1, Count 0.22835 x1
-- score:
SELECT t.k0 AS "nation", CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE
  system.main.sum(t.part) END AS score, system.main.count(*) AS units
FROM (SELECT t.k0, t.value AS part
  FROM (SELECT *
    FROM (SELECT t.*, system.main.row_number() OVER (PARTITION BY t.unit, t.k0
        ORDER BY system.main.hash(t.unit, t.value, CAST('20241121' AS BIGINT)), t.value) AS turn
      FROM (SELECT t4."n_name" AS k0, CASE WHEN CAST(TRY_CAST(system.main."*"(CAST((CASE WHEN t."l_extendedprice"
                    BETWEEN CAST('-9999999999999.99' AS DECIMAL(15,2)) AND CAST('9999999999999.99' AS
                      DECIMAL(15,2)) THEN t."l_extendedprice" END) AS DECIMAL(19,2)), CAST(system.main."-"(CAST('1.00'
                      AS DECIMAL(16,2)), TRY_CAST((CASE WHEN t."l_discount" BETWEEN CAST('-9999999999999.99'
                          AS DECIMAL(15,2)) AND CAST('9999999999999.99' AS DECIMAL(15,2)) THEN t."l_discount"
                        END) AS DECIMAL(16,2))) AS DECIMAL(16,2))) AS DECIMAL(18,4)) AS DOUBLE) <= CAST('0.0'
            AS DOUBLE) THEN CAST('0' AS BIGINT) WHEN CAST(TRY_CAST(system.main."*"(CAST((CASE WHEN t."l_extendedprice"
                    BETWEEN CAST('-9999999999999.99' AS DECIMAL(15,2)) AND CAST('9999999999999.99' AS
                      DECIMAL(15,2)) THEN t."l_extendedprice" END) AS DECIMAL(19,2)), CAST(system.main."-"(CAST('1.00'
                      AS DECIMAL(16,2)), TRY_CAST((CASE WHEN t."l_discount" BETWEEN CAST('-9999999999999.99'
                          AS DECIMAL(15,2)) AND CAST('9999999999999.99' AS DECIMAL(15,2)) THEN t."l_discount"
                        END) AS DECIMAL(16,2))) AS DECIMAL(16,2))) AS DECIMAL(18,4)) AS DOUBLE) >= CAST('100000.0'
            AS DOUBLE) THEN CAST('1073741824' AS BIGINT) ELSE CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(TRY_CAST(system.main."*"(CAST((CASE
                                WHEN t."l_extendedprice" BETWEEN CAST('-9999999999999.99' AS DECIMAL(15,2))
                                AND CAST('9999999999999.99' AS DECIMAL(15,2)) THEN t."l_extendedprice" END) AS
                              DECIMAL(19,2)), CAST(system.main."-"(CAST('1.00' AS DECIMAL(16,2)),
                                TRY_CAST((CASE WHEN t."l_discount" BETWEEN CAST('-9999999999999.99' AS
                                      DECIMAL(15,2)) AND CAST('9999999999999.99' AS DECIMAL(15,2)) THEN t."l_discount"
                                    END) AS DECIMAL(16,2))) AS DECIMAL(16,2))) AS DECIMAL(18,4)) AS DOUBLE),
                      CAST('0.0' AS DOUBLE)), CAST('100000.0' AS DOUBLE)), CAST('1073741824.0' AS DOUBLE)),
                CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, t2."o_custkey" AS unit
        FROM "memory"."main"."lineitem" AS t
        JOIN "memory"."main"."orders" AS t2 ON (t."l_orderkey" = t2."o_orderkey")
        JOIN "memory"."main"."customer" AS t3 ON (t3."c_custkey" = t2."o_custkey")
        JOIN "memory"."main"."nation" AS t4 ON (t3."c_nationkey" = t4."n_nationkey")
        WHERE t2."o_custkey" IS NOT NULL AND (t4."n_name" IN ('FRANCE', 'GERMANY')) AND TRY_CAST(system.main."*"(CAST((CASE
                  WHEN t."l_extendedprice" BETWEEN CAST('-9999999999999.99' AS DECIMAL(15,2)) AND CAST('9999999999999.99'
                    AS DECIMAL(15,2)) THEN t."l_extendedprice" END) AS DECIMAL(19,2)), CAST(system.main."-"(CAST('1.00'
                    AS DECIMAL(16,2)), TRY_CAST((CASE WHEN t."l_discount" BETWEEN CAST('-9999999999999.99' AS
                        DECIMAL(15,2)) AND CAST('9999999999999.99' AS DECIMAL(15,2)) THEN t."l_discount" END)
                    AS DECIMAL(16,2))) AS DECIMAL(16,2))) AS DECIMAL(18,4)) IS NOT NULL AND t4."n_name" IN ('FRANCE',
            'GERMANY')) AS t) AS t
    WHERE t.turn <= 50) AS t) AS t
GROUP BY t.k0;
-- score:
SELECT t.k0 AS "nation", CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE
  system.main.sum(t.part) END AS score
FROM (SELECT t.k0, system.main.least(system.main.count(*), CAST('50' AS BIGINT)) AS part
  FROM (SELECT t4."n_name" AS k0, t2."o_custkey" AS unit
    FROM "memory"."main"."lineitem" AS t
    JOIN "memory"."main"."orders" AS t2 ON (t."l_orderkey" = t2."o_orderkey")
    JOIN "memory"."main"."customer" AS t3 ON (t3."c_custkey" = t2."o_custkey")
    JOIN "memory"."main"."nation" AS t4 ON (t3."c_nationkey" = t4."n_nationkey")
    WHERE t2."o_custkey" IS NOT NULL AND (t4."n_name" IN ('FRANCE', 'GERMANY')) AND t4."n_name" IN ('FRANCE',
        'GERMANY')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "nation", "answer"."a0" AS "v"
FROM "answer"
WHERE ("answer"."a1" > 0);
----
SELECT sum(l_quantity, contribution_bounds_per_row => (5, 10)) AS s FROM lineitem;
-- plain:
SELECT sum(least(greatest(l_quantity, 5), 10)) AS s FROM lineitem;
-- plan: OneGroup, Sum 0.5 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS DECIMAL(38,2)) ELSE system.main.sum(t.part)
  END AS score
FROM (SELECT system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS DECIMAL(38,2)), CAST('5.00'
          AS DECIMAL(38,2))), CAST('500.00' AS DECIMAL(38,2))) AS part
  FROM (SELECT CAST(CASE WHEN t."l_quantity" < CAST('5.00' AS DECIMAL(15,2)) THEN CAST('5.00' AS
          DECIMAL(15,2)) WHEN t."l_quantity" > CAST('10.00' AS DECIMAL(15,2)) THEN CAST('10.00' AS
          DECIMAL(15,2)) ELSE t."l_quantity" END AS DECIMAL(38,2)) AS value, t2."o_custkey" AS unit
    FROM "memory"."main"."lineitem" AS t
    JOIN "memory"."main"."orders" AS t2 ON t."l_orderkey" = t2."o_orderkey"
    WHERE t2."o_custkey" IS NOT NULL AND t."l_quantity" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "s"
FROM "answer";
