SELECT count(*), avg(age), median(age) FROM people WHERE id <= 41;
-- plain:
SELECT 41, avg(least(greatest(age, 18), 80)), quantile_disc(least(greatest(age, 18), 80), 0.5) FROM people WHERE id <= 41;
-- plan: OneGroup, Count 0.13395 x1, Mean 0.1593 x1, Quantile 0.20675 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t_."id" AS unit
  FROM "memory"."main"."people" AS t_
  WHERE t_."id" IS NOT NULL AND (t_."id" <= 41)) AS t;
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
    WHERE t_."id" IS NOT NULL AND (t_."id" <= 41) AND t_."age" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- score:
SELECT t.value AS "age", system.main.count(*) AS score
FROM (SELECT system.main."-"(CAST(t.value AS BIGINT), CAST('18' AS BIGINT)) AS value
  FROM (SELECT CASE WHEN t.value < 18 THEN CAST('18' AS INTEGER) WHEN t.value > 80 THEN CAST('80' AS INTEGER)
      ELSE t.value END AS value
    FROM (SELECT t_."age" AS value, t_."id" AS unit
      FROM "memory"."main"."people" AS t_
      WHERE t_."id" IS NOT NULL AND (t_."id" <= 41) AND t_."age" IS NOT NULL) AS t) AS t) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS "count_star()", "answer"."a1" AS "avg(age)", "answer"."a2" AS "median(age)"
FROM "answer";
----
SELECT count(*) AS n, sum(age) AS s, min(age) AS low, max(age) AS high FROM people WHERE id <= 50 AND age > 20;
-- plain:
SELECT count(*), sum(age), [21, 22], [49, 50] FROM people WHERE id <= 50 AND age > 20;
-- plan: OneGroup, Count 0.08845 x1, Sum 0.08845 x1, Quantile 0.1616 x1, Quantile 0.1615 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t_."id" AS unit
  FROM "memory"."main"."people" AS t_
  WHERE t_."id" IS NOT NULL AND (t_."age" > 20) AND (t_."id" <= 50)) AS t;
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score
FROM (SELECT system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS HUGEINT), CAST('21' AS
          HUGEINT)), CAST('80' AS HUGEINT)) AS part
  FROM (SELECT CAST(CASE WHEN t_."age" < CAST('-83886080' AS INTEGER) THEN CAST('-83886080' AS INTEGER) WHEN
        t_."age" > CAST('83886080' AS INTEGER) THEN CAST('83886080' AS INTEGER) ELSE t_."age" END AS HUGEINT)
      AS value, t_."id" AS unit
    FROM "memory"."main"."people" AS t_
    WHERE t_."id" IS NOT NULL AND (t_."age" > 20) AND (t_."id" <= 50) AND t_."age" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- score:
SELECT t.value AS "age", system.main.count(*) AS score
FROM (SELECT system.main."-"(CAST(t.value AS BIGINT), CAST('21' AS BIGINT)) AS value
  FROM (SELECT CASE WHEN t.value < 21 THEN CAST('21' AS INTEGER) WHEN t.value > 80 THEN CAST('80' AS INTEGER)
      ELSE t.value END AS value
    FROM (SELECT t_."age" AS value, t_."id" AS unit
      FROM "memory"."main"."people" AS t_
      WHERE t_."id" IS NOT NULL AND (t_."age" > 20) AND (t_."id" <= 50) AND t_."age" IS NOT NULL) AS t) AS t)
  AS t
GROUP BY t.value;
-- score:
SELECT t.value AS "age", system.main.count(*) AS score
FROM (SELECT system.main."-"(CAST(t.value AS BIGINT), CAST('21' AS BIGINT)) AS value
  FROM (SELECT CASE WHEN t.value < 21 THEN CAST('21' AS INTEGER) WHEN t.value > 80 THEN CAST('80' AS INTEGER)
      ELSE t.value END AS value
    FROM (SELECT t_."age" AS value, t_."id" AS unit
      FROM "memory"."main"."people" AS t_
      WHERE t_."id" IS NOT NULL AND (t_."age" > 20) AND (t_."id" <= 50) AND t_."age" IS NOT NULL) AS t) AS t)
  AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS "n", "answer"."a1" AS "s", "answer"."a2" AS "low", "answer"."a3" AS "high"
FROM "answer";
----
SELECT count(*) AS n, n AS again, n + 1 AS more FROM people;
-- plain:
SELECT 60, 60, 61;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t_."id" AS unit
  FROM "memory"."main"."people" AS t_
  WHERE t_."id" IS NOT NULL) AS t;
-- answer:
SELECT "answer"."a0" AS "n", "answer"."a0" AS "again", system.main."+"("answer"."a0", 1) AS "more"
FROM "answer";
----
SELECT mode(page) AS m, count(*) AS n, count(DISTINCT uid) AS units FROM visits WHERE page = 'b';
-- plain:
SELECT 'b', count(DISTINCT uid), count(DISTINCT uid) FROM visits WHERE page = 'b';
-- plan: OneGroup, Mode 0.27365 x1, Count 0.22635 x1
-- score:
SELECT t.value AS "page", system.main.count(*) AS score
FROM (SELECT t.value, t.unit
  FROM (SELECT t_."page" AS value, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."page" = 'b') AND t_."page" IN ('a', 'b', 'e', 'z')) AS t
  GROUP BY t.value, t.unit) AS t
GROUP BY t.value;
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."page" = 'b')) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "m", "answer"."a1" AS "n", "answer"."a1" AS "units"
FROM "answer";
----
SELECT member, count(*) AS n, avg(age) AS a, median(age) AS m, sum(income) AS s FROM people GROUP BY member;
-- plain:
SELECT member, n, v, [l[(n + 1) // 2], l[n // 2 + 1]], s FROM (SELECT member, count(*) AS n, avg(age) AS v, list_sort(list(age)) AS l, sum(income) AS s FROM (SELECT member, least(greatest(age, 18), 80) AS age, CASE WHEN isnan(income) THEN 0 ELSE least(income, 500) END AS income FROM people) GROUP BY member);
-- plan: EveryKey groups=1, 'member' BOOLEAN, Count 0.10565 x1, Mean 0.12565 x1, Quantile 0.16305 x1, Sum 0.10565 x1
-- score:
SELECT t.k0 AS "member", system.main.count(*) AS score
FROM (SELECT t_."member" AS k0, t_."id" AS unit
  FROM "memory"."main"."people" AS t_
  WHERE t_."id" IS NOT NULL AND t_."member" IS NOT NULL) AS t
GROUP BY t.k0;
-- score:
SELECT t.k0 AS "member", CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE
  system.main.sum(t.part) END AS score, system.main.count(*) AS units
FROM (SELECT t.k0, CAST(system.main."//"(system.main.sum(t.value), system.main.count(*)) AS BIGINT) AS part
  FROM (SELECT t_."member" AS k0, CASE WHEN CAST(t_."age" AS DOUBLE) <= CAST('18.0' AS DOUBLE) THEN CAST('0'
        AS BIGINT) WHEN CAST(t_."age" AS DOUBLE) >= CAST('80.0' AS DOUBLE) THEN CAST('1073741824' AS BIGINT)
      ELSE CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t_."age"
                    AS DOUBLE), CAST('18.0' AS DOUBLE)), CAST('62.0' AS DOUBLE)), CAST('1073741824.0' AS
                DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, t_."id" AS unit
    FROM "memory"."main"."people" AS t_
    WHERE t_."id" IS NOT NULL AND t_."age" IS NOT NULL AND t_."member" IS NOT NULL) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- score:
SELECT t.k0 AS "member", t.value AS "age", system.main.count(*) AS score
FROM (SELECT t.k0, system.main."-"(CAST(t.value AS BIGINT), CAST('18' AS BIGINT)) AS value
  FROM (SELECT t.k0, CASE WHEN t.value < 18 THEN CAST('18' AS INTEGER) WHEN t.value > 80 THEN CAST('80' AS
        INTEGER) ELSE t.value END AS value
    FROM (SELECT t_."member" AS k0, t_."age" AS value, t_."id" AS unit
      FROM "memory"."main"."people" AS t_
      WHERE t_."id" IS NOT NULL AND t_."age" IS NOT NULL AND t_."member" IS NOT NULL) AS t) AS t) AS t
GROUP BY t.k0, t.value;
-- score:
SELECT t.k0 AS "member", CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS DECIMAL(38,12)) ELSE
  system.main.sum(t.part) END AS score
FROM (SELECT t.k0, system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS DECIMAL(38,12)),
        CAST('0.000000000000' AS DECIMAL(38,12))), CAST('500.000000000000' AS DECIMAL(38,12))) AS part
  FROM (SELECT t_."member" AS k0, CAST(CASE WHEN t_."income" < CAST('-524288000.0' AS DOUBLE) THEN CAST('-524288000.0'
          AS DOUBLE) WHEN t_."income" > CAST('524288000.0' AS DOUBLE) THEN CAST('524288000.0' AS DOUBLE) ELSE
        t_."income" END AS DECIMAL(38,12)) AS value, t_."id" AS unit
    FROM "memory"."main"."people" AS t_
    WHERE t_."id" IS NOT NULL AND t_."income" IS NOT NULL AND (NOT system.main.isnan(t_."income")) AND t_."member"
      IS NOT NULL) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "member", "answer"."a0" AS "n", "answer"."a1" AS "a", "answer"."a2" AS "m", "answer"."a3"
  AS "s"
FROM "answer";
----
SELECT page, ok, count(*) AS n, sum(age) AS s FROM visits WHERE age BETWEEN 10 AND 20 GROUP BY page, ok HAVING count(*) > 0;
-- plain:
SELECT page, ok, count(*), sum(s) FROM (SELECT page, ok, least(sum(age), 99) AS s FROM visits WHERE age BETWEEN 10 AND 20 AND page IN ('a', 'b', 'e', 'z') AND ok IS NOT NULL AND uid IS NOT NULL GROUP BY page, ok, uid) GROUP BY page, ok;
-- plan: EveryKey groups=8, 'page' VARCHAR, 'ok' BOOLEAN, Count 0.25 x8 gaussian 8, ClampedSum 0.25 x8 gaussian apart
-- score:
SELECT t.k0 AS "page", t.k1 AS "ok", system.main.count(*) AS score
FROM (SELECT t.k0, t.k1, t.unit
  FROM (SELECT t_."page" AS k0, t_."ok" AS k1, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND ((t_."age" >= 10) AND (t_."age" <= 20)) AND t_."page" IN ('a', 'b', 'e',
        'z') AND t_."ok" IS NOT NULL) AS t
  GROUP BY t.k0, t.k1, t.unit) AS t
GROUP BY t.k0, t.k1;
-- score:
SELECT t.k0 AS "page", t.k1 AS "ok", t.value AS "level", system.main.sum(t.part) AS score0,
  CAST(system.main.sum(CASE WHEN t.part > CAST('0' AS HUGEINT) THEN CAST('1' AS BIGINT) WHEN t.part < CAST('0'
        AS HUGEINT) THEN CAST('-1' AS BIGINT) ELSE CAST('0' AS BIGINT) END) AS BIGINT) AS score1,
  system.main.count(*) AS score2
FROM (SELECT t.*, CASE WHEN t.size <= CAST('1' AS HUGEINT) THEN CAST('0' AS BIGINT) WHEN t.size <= CAST('2' AS
      HUGEINT) THEN CAST('1' AS BIGINT) WHEN t.size <= CAST('4' AS HUGEINT) THEN CAST('2' AS BIGINT) WHEN
    t.size <= CAST('8' AS HUGEINT) THEN CAST('3' AS BIGINT) WHEN t.size <= CAST('16' AS HUGEINT) THEN CAST('4'
      AS BIGINT) WHEN t.size <= CAST('32' AS HUGEINT) THEN CAST('5' AS BIGINT) WHEN t.size <= CAST('64' AS
      HUGEINT) THEN CAST('6' AS BIGINT) WHEN t.size <= CAST('128' AS HUGEINT) THEN CAST('7' AS BIGINT) WHEN
    t.size <= CAST('256' AS HUGEINT) THEN CAST('8' AS BIGINT) WHEN t.size <= CAST('512' AS HUGEINT) THEN CAST('9'
      AS BIGINT) WHEN t.size <= CAST('1024' AS HUGEINT) THEN CAST('10' AS BIGINT) WHEN t.size <= CAST('2048'
      AS HUGEINT) THEN CAST('11' AS BIGINT) WHEN t.size <= CAST('4096' AS HUGEINT) THEN CAST('12' AS BIGINT)
    WHEN t.size <= CAST('8192' AS HUGEINT) THEN CAST('13' AS BIGINT) WHEN t.size <= CAST('16384' AS HUGEINT)
    THEN CAST('14' AS BIGINT) WHEN t.size <= CAST('32768' AS HUGEINT) THEN CAST('15' AS BIGINT) WHEN t.size <=
    CAST('65536' AS HUGEINT) THEN CAST('16' AS BIGINT) WHEN t.size <= CAST('131072' AS HUGEINT) THEN CAST('17'
      AS BIGINT) WHEN t.size <= CAST('262144' AS HUGEINT) THEN CAST('18' AS BIGINT) WHEN t.size <= CAST('524288'
      AS HUGEINT) THEN CAST('19' AS BIGINT) WHEN t.size <= CAST('1048576' AS HUGEINT) THEN CAST('20' AS
      BIGINT) WHEN t.size <= CAST('2097152' AS HUGEINT) THEN CAST('21' AS BIGINT) WHEN t.size <= CAST('4194304'
      AS HUGEINT) THEN CAST('22' AS BIGINT) WHEN t.size <= CAST('8388608' AS HUGEINT) THEN CAST('23' AS
      BIGINT) WHEN t.size <= CAST('16777216' AS HUGEINT) THEN CAST('24' AS BIGINT) WHEN t.size <= CAST('33554432'
      AS HUGEINT) THEN CAST('25' AS BIGINT) WHEN t.size <= CAST('67108864' AS HUGEINT) THEN CAST('26' AS
      BIGINT) ELSE CAST('27' AS BIGINT) END AS value
  FROM (SELECT t.*, system.main.abs(t.part) AS size
    FROM (SELECT t.k0, t.k1, t.unit, system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS
              HUGEINT), CAST('0' AS HUGEINT)), CAST('134217728' AS HUGEINT)) AS part
      FROM (SELECT t_."page" AS k0, t_."ok" AS k1, CAST(CASE WHEN t_."age" < CAST('0' AS INTEGER) THEN CAST('0'
              AS INTEGER) WHEN t_."age" > CAST('134217728' AS INTEGER) THEN CAST('134217728' AS INTEGER) ELSE
            t_."age" END AS HUGEINT) AS value, t_."uid" AS unit
        FROM "memory"."main"."visits" AS t_
        WHERE t_."uid" IS NOT NULL AND ((t_."age" >= 10) AND (t_."age" <= 20)) AND t_."age" IS NOT NULL AND
          t_."page" IN ('a', 'b', 'e', 'z') AND t_."ok" IS NOT NULL) AS t
      GROUP BY t.k0, t.k1, t.unit) AS t) AS t) AS t
GROUP BY t.k0, t.k1, t.value;
-- answer:
SELECT "answer"."k0" AS "page", "answer"."k1" AS "ok", "answer"."a0" AS "n", "answer"."a1" AS "s"
FROM "answer"
WHERE ("answer"."a0" > 0);
----
SELECT ok, mode(page) AS m, count(*) AS n FROM visits WHERE page = 'a' AND ok GROUP BY ok ORDER BY n DESC LIMIT 1;
-- plain:
SELECT ok, 'a', count(DISTINCT uid) AS n FROM visits WHERE page = 'a' AND ok AND uid IS NOT NULL GROUP BY ok ORDER BY n DESC;
-- plan: EveryKey groups=1, 'ok' BOOLEAN, Mode 0.27365 x1, Count 0.22635 x1
-- score:
SELECT t.k0 AS "ok", t.value AS "page", system.main.count(*) AS score
FROM (SELECT t.k0, t.value, t.unit
  FROM (SELECT t_."ok" AS k0, t_."page" AS value, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."page" = 'a') AND t_."ok" AND t_."page" IN ('a', 'b', 'e', 'z') AND t_."ok"
      IN (TRUE)) AS t
  GROUP BY t.k0, t.value, t.unit) AS t
GROUP BY t.k0, t.value;
-- score:
SELECT t.k0 AS "ok", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t_."ok" AS k0, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."page" = 'a') AND t_."ok" AND t_."ok" IN (TRUE)) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "ok", "answer"."a0" AS "m", "answer"."a1" AS "n"
FROM "answer"
ORDER BY "answer"."a1" DESC NULLS LAST, "answer"."k0"
LIMIT 1;
----
SELECT count(*) FILTER (WHERE member) AS members, avg(age) FILTER (WHERE member) AS age, quantile_disc(age, 0.5) FILTER (WHERE id <= 41) AS m FROM people;
-- plain:
SELECT count(*) FILTER (member), avg(least(greatest(age, 18), 80)) FILTER (member), quantile_disc(least(greatest(age, 18), 80), 0.5) FILTER (id <= 41) FROM people;
-- plan: OneGroup, Count 0.13395 x1, Mean 0.1593 x1, Quantile 0.20675 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t_."id" AS unit
  FROM "memory"."main"."people" AS t_
  WHERE t_."id" IS NOT NULL AND t_."member") AS t;
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
    WHERE t_."id" IS NOT NULL AND t_."member" AND t_."age" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- score:
SELECT t.value AS "age", system.main.count(*) AS score
FROM (SELECT system.main."-"(CAST(t.value AS BIGINT), CAST('18' AS BIGINT)) AS value
  FROM (SELECT CASE WHEN t.value < 18 THEN CAST('18' AS INTEGER) WHEN t.value > 80 THEN CAST('80' AS INTEGER)
      ELSE t.value END AS value
    FROM (SELECT t_."age" AS value, t_."id" AS unit
      FROM "memory"."main"."people" AS t_
      WHERE t_."id" IS NOT NULL AND (t_."id" <= 41) AND t_."age" IS NOT NULL) AS t) AS t) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS "members", "answer"."a1" AS "age", "answer"."a2" AS "m"
FROM "answer";
----
SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = 1.5) count(*), avg(age), sum(age) FROM people;
-- plain:
SELECT count(*), avg(least(greatest(age, 18), 80)), sum(least(greatest(age, 18), 80)) FROM people;
-- plan: OneGroup, Count 0.47025 x1, Mean 0.5595 x1, Sum 0.47025 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t_."id" AS unit
  FROM "memory"."main"."people" AS t_
  WHERE t_."id" IS NOT NULL) AS t;
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
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score
FROM (SELECT system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS HUGEINT), CAST('18' AS
          HUGEINT)), CAST('80' AS HUGEINT)) AS part
  FROM (SELECT CAST(CASE WHEN t_."age" < CAST('-83886080' AS INTEGER) THEN CAST('-83886080' AS INTEGER) WHEN
        t_."age" > CAST('83886080' AS INTEGER) THEN CAST('83886080' AS INTEGER) ELSE t_."age" END AS HUGEINT)
      AS value, t_."id" AS unit
    FROM "memory"."main"."people" AS t_
    WHERE t_."id" IS NOT NULL AND t_."age" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()", "answer"."a1" AS "avg(age)", "answer"."a2" AS "sum(age)"
FROM "answer";
