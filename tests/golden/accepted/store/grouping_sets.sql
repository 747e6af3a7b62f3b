SELECT s.city AS city, o.status AS status, count(*) AS n, sum(o.total) AS total FROM orders o JOIN stores s ON o.store_id = s.store_id GROUP BY ROLLUP (s.city, o.status);
-- plain:
SELECT city, status, coalesce(sum(n), 0)::BIGINT AS n, coalesce(sum(total), 0)::DECIMAL(38,2) AS total FROM (SELECT DISTINCT city FROM stores) CROSS JOIN (VALUES ('paid'), ('sent'), ('returned'), ('cancelled')) AS k(status) LEFT JOIN (SELECT city, status, count(*) AS n, sum(total) AS total FROM (SELECT city, status, customer_id, sum(greatest(total, 0)) AS total FROM orders JOIN stores USING (store_id) WHERE customer_id IS NOT NULL GROUP BY ALL) GROUP BY ALL) USING (city, status) GROUP BY ROLLUP (city, status);
-- plan: EveryKey groups=28, 'city' VARCHAR, 'status' VARCHAR, Count 0.25 x28 gaussian apart, ClampedSum 0.25 x28 gaussian apart
-- score:
SELECT t.k0 AS "city", t.k1 AS "status", system.main.count(*) AS score
FROM (SELECT t.k0, t.k1, t.unit
  FROM (SELECT t2."city" AS k0, t."status" AS k1, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    JOIN "memory"."main"."stores" AS t2 ON (t."store_id" = t2."store_id")
    WHERE t."customer_id" IS NOT NULL AND t2."city" IN ('Berlin', 'Bonn', 'Lyon', 'Nowhere', 'Osaka', 'Paris',
        'Tokyo') AND t."status" IN ('paid', 'sent', 'returned', 'cancelled')) AS t
  GROUP BY t.k0, t.k1, t.unit) AS t
GROUP BY t.k0, t.k1;
-- score:
SELECT t.k0 AS "city", t.k1 AS "status", t.value AS "level", system.main.sum(t.part) AS score0,
  CAST(system.main.sum(CASE WHEN t.part > CAST('0' AS DECIMAL(38,2)) THEN CAST('1' AS BIGINT) WHEN t.part <
      CAST('0' AS DECIMAL(38,2)) THEN CAST('-1' AS BIGINT) ELSE CAST('0' AS BIGINT) END) AS BIGINT) AS score1,
  system.main.count(*) AS score2
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
    FROM (SELECT t.k0, t.k1, t.unit, system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS
              DECIMAL(38,2)), CAST('0' AS DECIMAL(38,2))), CAST('343597383.68' AS DECIMAL(38,2))) AS part
      FROM (SELECT t2."city" AS k0, t."status" AS k1, CAST(CASE WHEN t."total" < CAST('0.00' AS DECIMAL(9,2))
            THEN CAST('0.00' AS DECIMAL(9,2)) WHEN t."total" > CAST('9999999.99' AS DECIMAL(9,2)) THEN CAST('9999999.99'
              AS DECIMAL(9,2)) ELSE t."total" END AS DECIMAL(38,2)) AS value, t."customer_id" AS unit
        FROM "memory"."main"."orders" AS t
        JOIN "memory"."main"."stores" AS t2 ON (t."store_id" = t2."store_id")
        WHERE t."customer_id" IS NOT NULL AND t."total" IS NOT NULL AND t2."city" IN ('Berlin', 'Bonn', 'Lyon',
            'Nowhere', 'Osaka', 'Paris', 'Tokyo') AND t."status" IN ('paid', 'sent', 'returned', 'cancelled'))
        AS t
      GROUP BY t.k0, t.k1, t.unit) AS t) AS t) AS t
GROUP BY t.k0, t.k1, t.value;
-- answer:
SELECT "answer"."k0" AS "city", "answer"."k1" AS "status", CAST(COALESCE(system.main.sum("answer"."a0"), 0) AS
    BIGINT) AS "n", CAST(system.main.sum("answer"."a1") AS DECIMAL(38,2)) AS "total"
FROM "answer"
GROUP BY GROUPING SETS (("answer"."k0", "answer"."k1"), ("answer"."k0"), ())
ORDER BY GROUPING("answer"."k0"), "answer"."k0", GROUPING("answer"."k1"), "answer"."k1";
----
SELECT c.continent AS continent, c.country AS country, count(DISTINCT o.customer_id) AS n, GROUPING(c.continent, c.country) AS g FROM orders o JOIN stores s ON o.store_id = s.store_id JOIN countries c ON s.code = c.code GROUP BY CUBE (c.continent, c.country) HAVING n > 0 ORDER BY g, continent, country;
-- plain:
SELECT continent, country, sum(n)::BIGINT AS n, GROUPING(continent, country) AS g FROM (SELECT continent, country, count(DISTINCT customer_id) AS n FROM orders JOIN stores USING (store_id) JOIN countries USING (code) WHERE customer_id IS NOT NULL GROUP BY ALL) GROUP BY CUBE (continent, country) ORDER BY g, continent, country;
-- plan: EveryKey groups=3, 'continent' VARCHAR, 'country' VARCHAR, Count 0.5 x3
-- score:
SELECT t.k0 AS "continent", t.k1 AS "country", system.main.count(*) AS score
FROM (SELECT t.k0, t.k1, t.unit
  FROM (SELECT t3."continent" AS k0, t3."country" AS k1, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    JOIN "memory"."main"."stores" AS t2 ON (t."store_id" = t2."store_id")
    JOIN "memory"."main"."countries" AS t3 ON (t2."code" = t3."code")
    WHERE t."customer_id" IS NOT NULL AND t3."continent" IN ('Asia', 'Europe') AND t3."country" IN ('France',
        'Germany', 'Japan')) AS t
  GROUP BY t.k0, t.k1, t.unit) AS t
GROUP BY t.k0, t.k1;
-- answer:
SELECT "answer"."k0" AS "continent", "answer"."k1" AS "country", CAST(COALESCE(system.main.sum("answer"."a0"),
      0) AS BIGINT) AS "n", GROUPING("answer"."k0", "answer"."k1") AS "g"
FROM "answer"
GROUP BY GROUPING SETS (("answer"."k0", "answer"."k1"), ("answer"."k0"), ("answer"."k1"), ())
HAVING (CAST(COALESCE(system.main.sum("answer"."a0"), 0) AS BIGINT) > 0)
ORDER BY GROUPING("answer"."k0", "answer"."k1") NULLS LAST, "answer"."k0" NULLS LAST, "answer"."k1" NULLS
  LAST, GROUPING("answer"."k0"), "answer"."k0", GROUPING("answer"."k1"), "answer"."k1";
----
SELECT tier, newsletter, count(*) AS n, avg(income) AS income, sum(income) / count(income) AS ratio FROM customers WHERE tier IS NOT NULL AND newsletter IS NOT NULL AND income BETWEEN 0 AND 100000 GROUP BY GROUPING SETS ((tier), (newsletter), ()) ORDER BY ALL;
-- plain:
the query
-- plan: EveryKey groups=1, 'tier' ENUM('bronze', 'silver', 'gold'), 'newsletter' BOOLEAN, Count 0.11935 x1, Mean 0.14195 x1, Sum 0.11935 x1, Count 0.11935 x1
-- score:
SELECT t.k0 AS "tier", t.k1 AS "newsletter", system.main.count(*) AS score
FROM (SELECT t."tier" AS k0, t."newsletter" AS k1, t."customer_id" AS unit
  FROM "memory"."main"."customers" AS t
  WHERE t."customer_id" IS NOT NULL AND ((t."income" >= 0) AND (t."income" <= 100000)) AND (NOT (t."newsletter"
        IS NULL)) AND (NOT (t."tier" IS NULL)) AND t."tier" IS NOT NULL AND t."newsletter" IS NOT NULL) AS t
GROUP BY t.k0, t.k1;
-- score:
SELECT t.k0 AS "tier", t.k1 AS "newsletter", CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS
    HUGEINT) ELSE system.main.sum(t.part) END AS score, system.main.count(*) AS units
FROM (SELECT t.k0, t.k1, CAST(system.main."//"(system.main.sum(t.value), system.main.count(*)) AS BIGINT) AS
    part
  FROM (SELECT t."tier" AS k0, t."newsletter" AS k1, CASE WHEN CAST(t."income" AS DOUBLE) <= CAST('0.0' AS
        DOUBLE) THEN CAST('0' AS BIGINT) WHEN CAST(t."income" AS DOUBLE) >= CAST('100000.0' AS DOUBLE) THEN
      CAST('1073741824' AS BIGINT) ELSE CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t."income"
                    AS DOUBLE), CAST('0.0' AS DOUBLE)), CAST('100000.0' AS DOUBLE)), CAST('1073741824.0' AS
                DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, t."customer_id" AS unit
    FROM "memory"."main"."customers" AS t
    WHERE t."customer_id" IS NOT NULL AND ((t."income" >= 0) AND (t."income" <= 100000)) AND (NOT (t."newsletter"
          IS NULL)) AND (NOT (t."tier" IS NULL)) AND t."income" IS NOT NULL AND t."tier" IS NOT NULL AND t."newsletter"
      IS NOT NULL) AS t
  GROUP BY t.k0, t.k1, t.unit) AS t
GROUP BY t.k0, t.k1;
-- score:
SELECT t.k0 AS "tier", t.k1 AS "newsletter", CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS
    HUGEINT) ELSE system.main.sum(t.part) END AS score
FROM (SELECT t.k0, t.k1, system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS HUGEINT),
        CAST('0' AS HUGEINT)), CAST('100000' AS HUGEINT)) AS part
  FROM (SELECT t."tier" AS k0, t."newsletter" AS k1, CAST(CASE WHEN t."income" < CAST('-2147483648' AS
          INTEGER) THEN CAST('-2147483648' AS INTEGER) WHEN t."income" > CAST('2147483647' AS INTEGER) THEN
        CAST('2147483647' AS INTEGER) ELSE t."income" END AS HUGEINT) AS value, t."customer_id" AS unit
    FROM "memory"."main"."customers" AS t
    WHERE t."customer_id" IS NOT NULL AND ((t."income" >= 0) AND (t."income" <= 100000)) AND (NOT (t."newsletter"
          IS NULL)) AND (NOT (t."tier" IS NULL)) AND t."income" IS NOT NULL AND t."tier" IS NOT NULL AND t."newsletter"
      IS NOT NULL) AS t
  GROUP BY t.k0, t.k1, t.unit) AS t
GROUP BY t.k0, t.k1;
-- score:
SELECT t.k0 AS "tier", t.k1 AS "newsletter", system.main.count(*) AS score
FROM (SELECT t."tier" AS k0, t."newsletter" AS k1, t."customer_id" AS unit
  FROM "memory"."main"."customers" AS t
  WHERE t."customer_id" IS NOT NULL AND ((t."income" >= 0) AND (t."income" <= 100000)) AND (NOT (t."newsletter"
        IS NULL)) AND (NOT (t."tier" IS NULL)) AND t."income" IS NOT NULL AND t."tier" IS NOT NULL AND t."newsletter"
    IS NOT NULL) AS t
GROUP BY t.k0, t.k1;
-- answer:
SELECT "answer"."k0" AS "tier", "answer"."k1" AS "newsletter", CAST(COALESCE(system.main.sum("answer"."a0"),
      0) AS BIGINT) AS "n", CASE WHEN system.main.sum("answer"."a1_values") >
  system.main.sqrt(system.main.sum(system.main.pow(system.main."-"("answer"."a1_values", "answer"."a1_values_low"),
        2))) THEN system.main.round(system.main.greatest(system.main.least(system.main."/"(system.main.sum("answer"."a1_total"),
          system.main.sum("answer"."a1_values")), CAST(100000.0 AS DOUBLE)), CAST(0.0 AS DOUBLE)),
    CAST(system.main.least(system.main.ceil(system.main.log10(system.main.greatest(system.main."/"(system.main.sum("answer"."a1_values"),
                system.main."*"(CAST(1000.0 AS DOUBLE),
                  system.main.sqrt(system.main.sum(system.main.pow(system.main."-"("answer"."a1_values",
                          "answer"."a1_values_low"), 2))))), 1))), 15) AS INTEGER)) END AS "income",
  system.main."/"(CAST(system.main.sum("answer"."a2") AS HUGEINT), CAST(COALESCE(system.main.sum("answer"."a3"),
        0) AS BIGINT)) AS "ratio"
FROM "answer"
GROUP BY GROUPING SETS (("answer"."k0"), ("answer"."k1"), ())
ORDER BY "answer"."k0" NULLS LAST, "answer"."k1" NULLS LAST, CAST(COALESCE(system.main.sum("answer"."a0"), 0)
    AS BIGINT) NULLS LAST, CASE WHEN system.main.sum("answer"."a1_values") >
  system.main.sqrt(system.main.sum(system.main.pow(system.main."-"("answer"."a1_values", "answer"."a1_values_low"),
        2))) THEN system.main.round(system.main.greatest(system.main.least(system.main."/"(system.main.sum("answer"."a1_total"),
          system.main.sum("answer"."a1_values")), CAST(100000.0 AS DOUBLE)), CAST(0.0 AS DOUBLE)),
    CAST(system.main.least(system.main.ceil(system.main.log10(system.main.greatest(system.main."/"(system.main.sum("answer"."a1_values"),
                system.main."*"(CAST(1000.0 AS DOUBLE),
                  system.main.sqrt(system.main.sum(system.main.pow(system.main."-"("answer"."a1_values",
                          "answer"."a1_values_low"), 2))))), 1))), 15) AS INTEGER)) END NULLS LAST,
  system.main."/"(CAST(system.main.sum("answer"."a2") AS HUGEINT), CAST(COALESCE(system.main.sum("answer"."a3"),
        0) AS BIGINT)) NULLS LAST, GROUPING("answer"."k0"), "answer"."k0", GROUPING("answer"."k1"), "answer"."k1";
----
SELECT CASE WHEN GROUPING(plan) = 1 THEN 'all plans' ELSE plan END AS plan, count(*) AS n, round(100 * count(*) / max(CASE WHEN GROUPING(plan) = 1 THEN count(*) END) OVER (), 1) AS share FROM customers WHERE plan IN ('free', 'pro') GROUP BY ROLLUP (plan) ORDER BY n DESC, plan;
-- plain:
the query
-- plan: EveryKey groups=1, 'plan' VARCHAR, Count 0.5 x1
-- score:
SELECT t.k0 AS "plan", system.main.count(*) AS score
FROM (SELECT t."plan" AS k0, t."customer_id" AS unit
  FROM "memory"."main"."customers" AS t
  WHERE t."customer_id" IS NOT NULL AND (t."plan" IN ('free', 'pro')) AND t."plan" IN ('free', 'pro')) AS t
GROUP BY t.k0;
-- answer:
SELECT (CASE WHEN (GROUPING("answer"."k0") = 1) THEN 'all plans' ELSE "answer"."k0" END) AS "plan",
  CAST(COALESCE(system.main.sum("answer"."a0"), 0) AS BIGINT) AS "n", system.main.round(system.main."/"(system.main."*"(100,
        CAST(COALESCE(system.main.sum("answer"."a0"), 0) AS BIGINT)), system.main.max((CASE WHEN (GROUPING("answer"."k0")
            = 1) THEN CAST(COALESCE(system.main.sum("answer"."a0"), 0) AS BIGINT) END)) OVER ()), 1) AS
  "share"
FROM "answer"
GROUP BY GROUPING SETS (("answer"."k0"), ())
ORDER BY CAST(COALESCE(system.main.sum("answer"."a0"), 0) AS BIGINT) DESC NULLS LAST, (CASE WHEN (GROUPING("answer"."k0")
      = 1) THEN 'all plans' ELSE "answer"."k0" END) NULLS LAST, GROUPING("answer"."k0"), "answer"."k0";
----
WITH t AS (SELECT plan, newsletter, count(*) AS n FROM customers WHERE plan IN ('free', 'pro') AND newsletter IS NOT NULL GROUP BY ROLLUP (plan, newsletter)) SELECT plan, n FROM t WHERE newsletter IS NULL UNION ALL SELECT 'both', n FROM t WHERE plan IS NULL ORDER BY ALL;
-- plain:
the query
-- plan: EveryKey groups=1, 'plan' VARCHAR, 'newsletter' BOOLEAN, Count 0.5 x1
-- score:
SELECT t.k0 AS "plan", t.k1 AS "newsletter", system.main.count(*) AS score
FROM (SELECT t."plan" AS k0, t."newsletter" AS k1, t."customer_id" AS unit
  FROM "memory"."main"."customers" AS t
  WHERE t."customer_id" IS NOT NULL AND (NOT (t."newsletter" IS NULL)) AND (t."plan" IN ('free', 'pro')) AND
    t."plan" IN ('free', 'pro') AND t."newsletter" IS NOT NULL) AS t
GROUP BY t.k0, t.k1;
-- answer:
(SELECT "plan", "n"
  FROM (SELECT "answer"."k0" AS "plan", "answer"."k1" AS "newsletter", CAST(COALESCE(system.main.sum("answer"."a0"),
          0) AS BIGINT) AS "n"
    FROM "answer"
    GROUP BY GROUPING SETS (("answer"."k0", "answer"."k1"), ("answer"."k0"), ())
    ORDER BY GROUPING("answer"."k0"), "answer"."k0", GROUPING("answer"."k1"), "answer"."k1") AS "t"
  WHERE ("newsletter" IS NULL))
UNION ALL (SELECT 'both' AS "'both'", "n"
  FROM (SELECT "answer"."k0" AS "plan", "answer"."k1" AS "newsletter", CAST(COALESCE(system.main.sum("answer"."a0"),
          0) AS BIGINT) AS "n"
    FROM "answer"
    GROUP BY GROUPING SETS (("answer"."k0", "answer"."k1"), ("answer"."k0"), ())
    ORDER BY GROUPING("answer"."k0"), "answer"."k0", GROUPING("answer"."k1"), "answer"."k1") AS "t"
  WHERE ("plan" IS NULL))
ORDER BY ALL ASC NULLS LAST;
