SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = 1, delta = 1e-6, max_groups_contributed = 2, privacy_unit_column = uid) page, count(*) AS n FROM visits WHERE page = 'a' GROUP BY page;
-- plain:
SELECT 'a' AS page, count(DISTINCT uid) AS n FROM visits WHERE page = 'a';
-- plan: EveryKey groups=1, 'page' VARCHAR, Count 1 x1
-- score:
SELECT t.k0 AS "page", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t_."page" AS k0, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."page" = 'a') AND t_."page" IN ('a')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "page", "answer"."a0" AS "n"
FROM "answer";
----
SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = 0.25) count(*) AS n FROM visits;
-- plain:
SELECT count(DISTINCT uid) AS n FROM visits;
-- plan: OneGroup, Count 0.25 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "n"
FROM "answer";
----
SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = 2, privacy_unit_column = id) avg(age, contribution_bounds_per_group => (20, 60)) AS a FROM people;
-- plain:
SELECT avg(least(greatest(age, 20), 60)) AS a FROM people;
-- plan: OneGroup, Mean 2 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score, system.main.count(*) AS units
FROM (SELECT CAST(system.main."//"(system.main.sum(t.value), system.main.count(*)) AS BIGINT) AS part
  FROM (SELECT CASE WHEN CAST(t_."age" AS DOUBLE) <= CAST('20.0' AS DOUBLE) THEN CAST('0' AS BIGINT) WHEN
      CAST(t_."age" AS DOUBLE) >= CAST('60.0' AS DOUBLE) THEN CAST('1073741824' AS BIGINT) ELSE
      CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t_."age" AS
                    DOUBLE), CAST('20.0' AS DOUBLE)), CAST('40.0' AS DOUBLE)), CAST('1073741824.0' AS
                DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, t_."id" AS unit
    FROM "memory"."main"."people" AS t_
    WHERE t_."id" IS NOT NULL AND t_."age" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "a"
FROM "answer";
----
SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = 1) sum(t, contribution_bounds_per_row => (1, 3)) AS s, count(*) AS n FROM people;
-- plain:
SELECT sum(least(greatest(t, 1), 3)) AS s, count(*) AS n FROM people;
-- plan: OneGroup, Sum 0.5 x1, Count 0.5 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score
FROM (SELECT system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS HUGEINT), CAST('1' AS
          HUGEINT)), CAST('3' AS HUGEINT)) AS part
  FROM (SELECT CAST(CASE WHEN t_."t" < CAST('1' AS INTEGER) THEN CAST('1' AS INTEGER) WHEN t_."t" > CAST('3'
          AS INTEGER) THEN CAST('3' AS INTEGER) ELSE t_."t" END AS HUGEINT) AS value, t_."id" AS unit
    FROM "memory"."main"."people" AS t_
    WHERE t_."id" IS NOT NULL AND t_."t" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t_."id" AS unit
  FROM "memory"."main"."people" AS t_
  WHERE t_."id" IS NOT NULL) AS t;
-- answer:
SELECT "answer"."a0" AS "s", "answer"."a1" AS "n"
FROM "answer";
----
SELECT sum(age, contribution_bounds_per_group => (0, 150)) FROM visits WHERE age > 0;
-- plain:
SELECT sum(least(s, 150)) FROM (SELECT sum(age) AS s FROM visits WHERE age > 0 AND uid IS NOT NULL GROUP BY uid);
-- plan: OneGroup, Sum 0.5 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score
FROM (SELECT system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS HUGEINT), CAST('0' AS
          HUGEINT)), CAST('150' AS HUGEINT)) AS part
  FROM (SELECT CAST(CASE WHEN t_."age" < CAST('-157286400' AS INTEGER) THEN CAST('-157286400' AS INTEGER) WHEN
        t_."age" > CAST('157286400' AS INTEGER) THEN CAST('157286400' AS INTEGER) ELSE t_."age" END AS
        HUGEINT) AS value, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."age" > 0) AND t_."age" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "sum(age)"
FROM "answer";
----
SELECT avg(big, contribution_bounds_per_row => (0, 100)) FROM visits WHERE big > 0;
-- plain:
SELECT 100.0;
-- plan: OneGroup, Mean 0.5 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score, system.main.count(*) AS units
FROM (SELECT CAST(system.main."//"(system.main.sum(t.value), system.main.count(*)) AS BIGINT) AS part
  FROM (SELECT CASE WHEN CAST(t_."big" AS DOUBLE) <= CAST('0.0' AS DOUBLE) THEN CAST('0' AS BIGINT) WHEN
      CAST(t_."big" AS DOUBLE) >= CAST('100.0' AS DOUBLE) THEN CAST('1073741824' AS BIGINT) ELSE
      CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t_."big" AS
                    DOUBLE), CAST('0.0' AS DOUBLE)), CAST('100.0' AS DOUBLE)), CAST('1073741824.0' AS
                DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."big" > 0) AND t_."big" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "avg(big)"
FROM "answer";
----
SELECT quantile_cont(age, 0.5, contribution_bounds_per_row => (40, 45)) FROM people;
-- plain:
SELECT [l[30], l[31]] FROM (SELECT list_sort(list(least(greatest(age, 40), 45))) AS l FROM people);
-- plan: OneGroup, Quantile 0.5 x1
-- score:
SELECT t.value AS "age", system.main.count(*) AS score
FROM (SELECT system.main."-"(CAST(t.value AS BIGINT), CAST('40' AS BIGINT)) AS value
  FROM (SELECT CASE WHEN t.value < 40 THEN CAST('40' AS INTEGER) WHEN t.value > 45 THEN CAST('45' AS INTEGER)
      ELSE t.value END AS value
    FROM (SELECT t_."age" AS value, t_."id" AS unit
      FROM "memory"."main"."people" AS t_
      WHERE t_."id" IS NOT NULL AND t_."age" IS NOT NULL) AS t) AS t) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS "quantile_cont(age, 0.5)"
FROM "answer";
----
SELECT count(*, contribution_bounds_per_group => (0, 3)) FROM visits;
-- plain:
SELECT sum(least(m, 3)) FROM (SELECT count(*) AS m FROM visits WHERE uid IS NOT NULL GROUP BY uid);
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score
FROM (SELECT system.main.least(system.main.count(*), CAST('3' AS BIGINT)) AS part
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
WITH t AS (SELECT * FROM visits WHERE ok) SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = 1) count(*) AS n FROM t;
-- plain:
SELECT count(DISTINCT uid) AS n FROM visits WHERE ok;
-- plan: OneGroup, Count 1 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND t_."ok") AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "n"
FROM "answer";
----
SELECT count(*, epsilon => 0.1), median(age) FROM people;
-- plain:
SELECT count(*), [28, 31] FROM people;
-- plan: OneGroup, Count 0.1 x1, Quantile 0.4 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t_."id" AS unit
  FROM "memory"."main"."people" AS t_
  WHERE t_."id" IS NOT NULL) AS t;
-- score:
SELECT t.value AS "age", system.main.count(*) AS score
FROM (SELECT system.main."-"(CAST(t.value AS BIGINT), CAST('18' AS BIGINT)) AS value
  FROM (SELECT CASE WHEN t.value < 18 THEN CAST('18' AS INTEGER) WHEN t.value > 80 THEN CAST('80' AS INTEGER)
      ELSE t.value END AS value
    FROM (SELECT t_."age" AS value, t_."id" AS unit
      FROM "memory"."main"."people" AS t_
      WHERE t_."id" IS NOT NULL AND t_."age" IS NOT NULL) AS t) AS t) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS "count_star()", "answer"."a1" AS "median(age)"
FROM "answer";
----
SELECT page, count(*, epsilon => 0.4) AS n, count(*) FILTER (WHERE ok) AS ok FROM visits GROUP BY page ORDER BY n DESC LIMIT 4;
-- plain:
SELECT d.page, count(DISTINCT v.uid) AS n, count(DISTINCT v.uid) FILTER (WHERE v.ok) AS ok FROM (VALUES ('a'), ('b'), ('e'), ('z')) AS d(page) LEFT JOIN visits AS v ON v.page = d.page GROUP BY d.page;
-- plan: EveryKey groups=4, 'page' VARCHAR, Count 0.4 x4 gaussian 4, Count 0.1 x4 gaussian 4
-- score:
SELECT t.k0 AS "page", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t_."page" AS k0, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND t_."page" IN ('a', 'b', 'e', 'z')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- score:
SELECT t.k0 AS "page", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t_."page" AS k0, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND t_."ok" AND t_."page" IN ('a', 'b', 'e', 'z')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "page", "answer"."a0" AS "n", "answer"."a1" AS "ok"
FROM "answer"
ORDER BY "answer"."a0" DESC NULLS LAST, "answer"."k0"
LIMIT 4;
----
SELECT sum(age, contribution_bounds_per_group => (0, 50), epsilon => 0.2) AS s, avg(age, epsilon => 0.25) AS m FROM people;
-- plain:
SELECT sum(least(greatest(age, 0), 50)), avg(least(greatest(age, 18), 80)) FROM people;
-- plan: OneGroup, Sum 0.2 x1, Mean 0.25 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score
FROM (SELECT system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS HUGEINT), CAST('0' AS
          HUGEINT)), CAST('50' AS HUGEINT)) AS part
  FROM (SELECT CAST(CASE WHEN t_."age" < CAST('-52428800' AS INTEGER) THEN CAST('-52428800' AS INTEGER) WHEN
        t_."age" > CAST('52428800' AS INTEGER) THEN CAST('52428800' AS INTEGER) ELSE t_."age" END AS HUGEINT)
      AS value, t_."id" AS unit
    FROM "memory"."main"."people" AS t_
    WHERE t_."id" IS NOT NULL AND t_."age" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score, system.main.count(*) AS units
FROM (SELECT CAST(system.main."//"(system.main.sum(t.value), system.main.count(*)) AS BIGINT) AS part
  FROM (SELECT CASE WHEN CAST(t_."age" AS DOUBLE) <= CAST('18.0' AS DOUBLE) THEN CAST('0' AS BIGINT) WHEN
      CAST(t_."age" AS DOUBLE) >= CAST('80.0' AS DOUBLE) THEN CAST('1073741824' AS BIGINT) ELSE
      CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t_."age" AS
                    DOUBLE), CAST('18.0' AS DOUBLE)), CAST('62.0' AS DOUBLE)), CAST('1073741824.0' AS
                DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, t_."id" AS unit
    FROM "memory"."main"."people" AS t_
    WHERE t_."id" IS NOT NULL AND t_."age" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "s", "answer"."a1" AS "m"
FROM "answer";
