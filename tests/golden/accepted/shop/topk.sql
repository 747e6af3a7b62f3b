SELECT page, count(*) AS n FROM visits GROUP BY page ORDER BY count(*) DESC LIMIT 3;
-- plain:
SELECT page, count(DISTINCT uid) AS n FROM visits WHERE page IN ('a', 'b', 'e', 'z') AND uid IS NOT NULL GROUP BY page;
-- plan: LargestKeys epsilon=0.5 counted=a0 k=3, 'page' VARCHAR
-- score:
SELECT t.k0 AS "page", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t_."page" AS k0, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND t_."page" IN ('a', 'b', 'e', 'z')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "page", "answer"."a0" AS "n"
FROM "answer"
ORDER BY "answer"."a0" DESC NULLS LAST, "answer"."rank"
LIMIT 3;
----
SELECT page, count(*) FROM visits WHERE ok AND page <> 'b' AND age > 20 GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 1;
-- plain:
SELECT page, count(DISTINCT uid) AS n FROM visits WHERE ok AND age > 20 AND page IN ('a', 'e', 'z') AND uid IS NOT NULL GROUP BY page ORDER BY n DESC, page LIMIT 1;
-- plan: LargestKeys epsilon=0.5 counted=a0 k=1, 'page' VARCHAR
-- score:
SELECT t.k0 AS "page", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t_."page" AS k0, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."age" > 20) AND (t_."page" <> 'b') AND t_."ok" AND t_."page" IN ('a',
        'e', 'z')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "page", "answer"."a0" AS "count_star()"
FROM "answer"
ORDER BY "answer"."a0" DESC NULLS LAST, "answer"."k0" NULLS LAST, "answer"."rank"
LIMIT 1;
----
SELECT "public"."visits"."page" AS "page", COUNT(*) AS "count" FROM "public"."visits" GROUP BY "public"."visits"."page" ORDER BY "count" DESC, "public"."visits"."page" ASC LIMIT 3;
-- plain:
SELECT page, count(DISTINCT uid) AS n FROM visits WHERE page IN ('a', 'b', 'e', 'z') AND uid IS NOT NULL GROUP BY page ORDER BY n DESC, page LIMIT 3;
-- plan: LargestKeys epsilon=0.5 counted=a0 k=3, 'page' VARCHAR
-- score:
SELECT t.k0 AS "page", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t_."page" AS k0, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND t_."page" IN ('a', 'b', 'e', 'z')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "page", "answer"."a0" AS "count"
FROM "answer"
ORDER BY "answer"."a0" DESC NULLS LAST, "answer"."k0" NULLS LAST, "answer"."rank"
LIMIT 3;
----
SELECT age, count(*) FROM visits WHERE age BETWEEN 10 AND 30 AND ok GROUP BY age ORDER BY count(*) DESC LIMIT 1;
-- plain:
SELECT [0, 99], max(n) FROM (SELECT count(DISTINCT uid) AS n FROM visits WHERE age BETWEEN 10 AND 30 AND ok AND uid IS NOT NULL GROUP BY age);
-- plan: LargestKeys epsilon=0.5 counted=a0 k=1, 'age' INTEGER
-- score:
SELECT t.k0 AS "age", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t_."age" AS k0, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND ((t_."age" >= 10) AND (t_."age" <= 30)) AND t_."ok" AND (t_."age" >= 10 AND
        t_."age" <= 30)) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "age", "answer"."a0" AS "count_star()"
FROM "answer"
ORDER BY "answer"."a0" DESC NULLS LAST, "answer"."rank"
LIMIT 1;
----
SELECT amount, count(*) FROM visits WHERE amount BETWEEN 10 AND 28.5 GROUP BY amount ORDER BY count(*) DESC LIMIT 1;
-- plain:
SELECT amount, count(DISTINCT uid) AS n FROM visits WHERE amount BETWEEN 10 AND 28.5 AND amount % 0.5 = 0 AND uid IS NOT NULL GROUP BY amount ORDER BY n DESC LIMIT 1;
-- plan: LargestKeys epsilon=0.5 counted=a0 k=1, 'amount' DECIMAL(9,2)
-- score:
SELECT t.k0 AS "amount", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t_."amount" AS k0, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND ((t_."amount" >= CAST('10.00' AS DECIMAL(9,2))) AND (t_."amount" <= CAST('28.50'
            AS DECIMAL(9,2)))) AND (CASE WHEN t_."amount" >= CAST('10.00' AS DECIMAL(9,2)) AND t_."amount" <=
        CAST('28.50' AS DECIMAL(9,2)) THEN system.main."%"(system.main."-"(CAST(t_."amount" AS DECIMAL(38,2)),
            CAST('10.00' AS DECIMAL(38,2))), CAST('0.50' AS DECIMAL(38,2))) = 0 ELSE FALSE END)) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "amount", "answer"."a0" AS "count_star()"
FROM "answer"
ORDER BY "answer"."a0" DESC NULLS LAST, "answer"."rank"
LIMIT 1;
----
SELECT day, count(*) FROM visits WHERE age < 50 GROUP BY day ORDER BY count(*) DESC LIMIT 1;
-- plain:
SELECT day, count(DISTINCT uid) AS n FROM visits WHERE age < 50 AND day BETWEEN '2024-01-05' AND '2024-01-31' AND dayofmonth(day) % 2 = 1 AND uid IS NOT NULL GROUP BY day ORDER BY n DESC LIMIT 1;
-- plan: LargestKeys epsilon=0.5 counted=a0 k=1, 'day' DATE
-- score:
SELECT t.k0 AS "day", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t_."day" AS k0, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."age" < 50) AND (CASE WHEN t_."day" >= DATE '2024-01-05' AND t_."day"
        <= DATE '2024-01-31' THEN system.main."%"(system.main."-"(t_."day", DATE '2024-01-05'), CAST('2' AS
            BIGINT)) = 0 ELSE FALSE END)) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "day", "answer"."a0" AS "count_star()"
FROM "answer"
ORDER BY "answer"."a0" DESC NULLS LAST, "answer"."rank"
LIMIT 1;
----
SELECT moment, count(*) FROM visits WHERE moment > '2024-01-02 01:00' GROUP BY moment ORDER BY count(*) DESC LIMIT 1;
-- plain:
SELECT moment, count(DISTINCT uid) AS n FROM visits WHERE moment BETWEEN '2024-01-02 02:00' AND '2024-01-04' AND minute(moment) = 0 AND uid IS NOT NULL GROUP BY moment;
-- plan: LargestKeys epsilon=0.5 counted=a0 k=1, 'moment' TIMESTAMP
-- score:
SELECT t.k0 AS "moment", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t_."moment" AS k0, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."moment" > TIMESTAMP '2024-01-02 01:00:00') AND (CASE WHEN t_."moment"
        >= TIMESTAMP '2024-01-02 02:00:00' AND t_."moment" <= TIMESTAMP '2024-01-04 00:00:00' THEN
        system.main."%"(system.main."-"(system.main.epoch_us(t_."moment"), CAST('1704160800000000' AS
              BIGINT)), CAST('3600000000' AS BIGINT)) = 0 ELSE FALSE END)) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "moment", "answer"."a0" AS "count_star()"
FROM "answer"
ORDER BY "answer"."a0" DESC NULLS LAST, "answer"."rank"
LIMIT 1;
----
SELECT region, count(*) FROM people GROUP BY region ORDER BY count(*) DESC LIMIT 4;
-- plain:
SELECT region, count(*) FROM people GROUP BY region;
-- plan: FoundKeys epsilon=0.5 delta=1e-06 counted=a0 groups=1, 'region' VARCHAR
-- score:
SELECT t.k0 AS "region", system.main.count(*) AS score
FROM (SELECT t_."region" AS k0, t_."id" AS unit
  FROM "memory"."main"."people" AS t_
  WHERE t_."id" IS NOT NULL AND (t_."region" IS NULL OR system.main.strlen(t_."region") <= 10000)) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "region", "answer"."a0" AS "count_star()"
FROM "answer"
ORDER BY "answer"."a0" DESC NULLS LAST, "answer"."k0"
LIMIT 4;
----
SELECT region FROM people WHERE member GROUP BY region ORDER BY count(*) DESC LIMIT 2;
-- plain:
SELECT region FROM people WHERE member GROUP BY region ORDER BY count(*) DESC LIMIT 2;
-- plan: FoundKeys epsilon=0.5 delta=1e-06 counted=a0 groups=1, 'region' VARCHAR
-- score:
SELECT t.k0 AS "region", system.main.count(*) AS score
FROM (SELECT t_."region" AS k0, t_."id" AS unit
  FROM "memory"."main"."people" AS t_
  WHERE t_."id" IS NOT NULL AND t_."member" AND (t_."region" IS NULL OR system.main.strlen(t_."region") <=
      10000)) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "region"
FROM "answer"
ORDER BY "answer"."a0" DESC NULLS LAST, "answer"."k0"
LIMIT 2;
----
SELECT disease, count(*) AS n FROM visits GROUP BY disease ORDER BY n DESC LIMIT 4;
-- plain:
SELECT disease, count(DISTINCT uid) AS n FROM visits WHERE uid IS NOT NULL GROUP BY disease;
-- plan: LargestKeys epsilon=0.5 delta=1e-06 counted=a0 k=4, 'disease' VARCHAR
-- score:
SELECT t.k0 AS "disease", system.main.count(DISTINCT t.unit) AS score
FROM (SELECT t_."disease" AS k0, t_."uid" AS unit
  FROM "memory"."main"."visits" AS t_
  WHERE t_."uid" IS NOT NULL AND (t_."disease" IS NULL OR system.main.strlen(t_."disease") <= 10000)) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "disease", "answer"."a0" AS "n"
FROM "answer"
ORDER BY "answer"."a0" DESC NULLS LAST, "answer"."rank"
LIMIT 4;
----
SELECT grade, count(*) AS n FROM visits WHERE uid < 10 AND age > 50 GROUP BY grade ORDER BY n DESC LIMIT 1;
-- plain:
SELECT grade, count(DISTINCT uid) AS n FROM visits WHERE uid < 10 AND age > 50 AND grade IS NOT NULL GROUP BY grade ORDER BY n DESC LIMIT 1;
-- plan: LargestKeys epsilon=0.5 counted=a0 k=1, 'grade' ENUM('low', 'mid', 'high')
-- score:
SELECT t.k0 AS "grade", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t_."grade" AS k0, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."age" > 50) AND (t_."uid" < 10) AND t_."grade" IS NOT NULL) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "grade", "answer"."a0" AS "n"
FROM "answer"
ORDER BY "answer"."a0" DESC NULLS LAST, "answer"."rank"
LIMIT 1;
----
SELECT big, count(*) FROM visits GROUP BY big ORDER BY count(*) DESC LIMIT 10;
-- plain:
SELECT [-9000000000000000000, 9000000000000000000], [0, 1] FROM range(10);
-- plan: LargestKeys epsilon=0.5 delta=1e-06 counted=a0 k=10 gaussian=1, 'big' BIGINT
-- score:
SELECT t.k0 AS "big", system.main.count(DISTINCT t.unit) AS score
FROM (SELECT t_."big" AS k0, t_."uid" AS unit
  FROM "memory"."main"."visits" AS t_
  WHERE t_."uid" IS NOT NULL AND (CASE WHEN t_."big" >= CAST('-9000000000000000000' AS BIGINT) AND t_."big" <=
      9000000000000000000 THEN system.main."%"(system.main."-"(CAST(t_."big" AS HUGEINT), CAST('-9000000000000000000'
            AS HUGEINT)), CAST('1000' AS HUGEINT)) = 0 ELSE FALSE END)) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "big", "answer"."a0" AS "count_star()"
FROM "answer"
ORDER BY "answer"."a0" DESC NULLS LAST, "answer"."rank"
LIMIT 10;
----
SELECT sum(score, contribution_bounds_per_group => (0, 10)) AS s FROM visits GROUP BY age ORDER BY s DESC LIMIT 3;
-- plain:
SELECT sum(t) AS s FROM (SELECT age, uid, least(sum(least(score, 10)), 10) AS t FROM visits WHERE uid IS NOT NULL AND age BETWEEN 0 AND 99 GROUP BY age, uid) GROUP BY age ORDER BY s DESC LIMIT 3;
-- plan: LargestKeys epsilon=0.25 k=3 spread=10, 'age' INTEGER, Sum 0.25 x3
-- score:
SELECT t.k0 AS "age", CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE
  system.main.sum(t.part) END AS score
FROM (SELECT t.k0, system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS HUGEINT), CAST('0'
          AS HUGEINT)), CAST('10' AS HUGEINT)) AS part
  FROM (SELECT t_."age" AS k0, CAST(CASE WHEN t_."score" < CAST('-10485760' AS INTEGER) THEN CAST('-10485760'
          AS INTEGER) WHEN t_."score" > CAST('10485760' AS INTEGER) THEN CAST('10485760' AS INTEGER) ELSE t_."score"
        END AS HUGEINT) AS value, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND t_."score" IS NOT NULL AND (t_."age" >= 0 AND t_."age" <= 99)) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- score:
SELECT t.k0 AS "age", CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE
  system.main.sum(t.part) END AS score
FROM (SELECT t.k0, system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS HUGEINT), CAST('0'
          AS HUGEINT)), CAST('10' AS HUGEINT)) AS part
  FROM (SELECT t_."age" AS k0, CAST(CASE WHEN t_."score" < CAST('-10485760' AS INTEGER) THEN CAST('-10485760'
          AS INTEGER) WHEN t_."score" > CAST('10485760' AS INTEGER) THEN CAST('10485760' AS INTEGER) ELSE t_."score"
        END AS HUGEINT) AS value, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND t_."score" IS NOT NULL AND (t_."age" >= 0 AND t_."age" <= 99)) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."a0" AS "s"
FROM "answer"
ORDER BY "answer"."a0" DESC NULLS LAST, "answer"."rank"
LIMIT 3;
----
SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (noise = 'laplace') sum(score - 5, contribution_bounds_per_group => (-5, 10)) AS s FROM visits GROUP BY age ORDER BY s DESC LIMIT 3 OFFSET 1;
-- plain:
SELECT sum(t) AS s FROM (SELECT age, uid, greatest(least(sum(score - 5), 10), -5) AS t FROM visits WHERE uid IS NOT NULL AND age BETWEEN 0 AND 99 GROUP BY age, uid) GROUP BY age ORDER BY s DESC LIMIT 3 OFFSET 1;
-- plan: LargestKeys epsilon=0.25 k=4 spread=15, 'age' INTEGER, Sum 0.25 x4
-- score:
SELECT t.k0 AS "age", CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE
  system.main.sum(t.part) END AS score
FROM (SELECT t.k0, system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS HUGEINT), CAST('-5'
          AS HUGEINT)), CAST('10' AS HUGEINT)) AS part
  FROM (SELECT t_."age" AS k0, CAST(CASE WHEN TRY_CAST(system.main."-"(CAST(t_."score" AS BIGINT), CAST('5' AS
              BIGINT)) AS INTEGER) < CAST('-10485760' AS INTEGER) THEN CAST('-10485760' AS INTEGER) WHEN
        TRY_CAST(system.main."-"(CAST(t_."score" AS BIGINT), CAST('5' AS BIGINT)) AS INTEGER) > CAST('10485760'
          AS INTEGER) THEN CAST('10485760' AS INTEGER) ELSE TRY_CAST(system.main."-"(CAST(t_."score" AS
              BIGINT), CAST('5' AS BIGINT)) AS INTEGER) END AS HUGEINT) AS value, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND TRY_CAST(system.main."-"(CAST(t_."score" AS BIGINT), CAST('5' AS BIGINT))
        AS INTEGER) IS NOT NULL AND (t_."age" >= 0 AND t_."age" <= 99)) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- score:
SELECT t.k0 AS "age", CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE
  system.main.sum(t.part) END AS score
FROM (SELECT t.k0, system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS HUGEINT), CAST('-5'
          AS HUGEINT)), CAST('10' AS HUGEINT)) AS part
  FROM (SELECT t_."age" AS k0, CAST(CASE WHEN TRY_CAST(system.main."-"(CAST(t_."score" AS BIGINT), CAST('5' AS
              BIGINT)) AS INTEGER) < CAST('-10485760' AS INTEGER) THEN CAST('-10485760' AS INTEGER) WHEN
        TRY_CAST(system.main."-"(CAST(t_."score" AS BIGINT), CAST('5' AS BIGINT)) AS INTEGER) > CAST('10485760'
          AS INTEGER) THEN CAST('10485760' AS INTEGER) ELSE TRY_CAST(system.main."-"(CAST(t_."score" AS
              BIGINT), CAST('5' AS BIGINT)) AS INTEGER) END AS HUGEINT) AS value, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND TRY_CAST(system.main."-"(CAST(t_."score" AS BIGINT), CAST('5' AS BIGINT))
        AS INTEGER) IS NOT NULL AND (t_."age" >= 0 AND t_."age" <= 99)) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."a0" AS "s"
FROM "answer"
ORDER BY "answer"."a0" DESC NULLS LAST, "answer"."rank"
LIMIT 3 OFFSET 1;
