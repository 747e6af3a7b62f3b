SELECT page, ok, count(*) AS n FROM visits GROUP BY page, ok;
-- plain:
SELECT p.page, o.ok, count(DISTINCT uid) FROM (VALUES ('a'), ('b'), ('e'), ('z')) AS p(page) CROSS JOIN (VALUES (true), (false)) AS o(ok) LEFT JOIN visits AS v ON v.page = p.page AND v.ok = o.ok GROUP BY p.page, o.ok;
-- plan: EveryKey groups=8, 'page' VARCHAR, 'ok' BOOLEAN, Count 0.5 x8 gaussian 8
-- score:
SELECT t.k0 AS "page", t.k1 AS "ok", system.main.count(*) AS score
FROM (SELECT t.k0, t.k1, t.unit
  FROM (SELECT t_."page" AS k0, t_."ok" AS k1, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND t_."page" IN ('a', 'b', 'e', 'z') AND t_."ok" IS NOT NULL) AS t
  GROUP BY t.k0, t.k1, t.unit) AS t
GROUP BY t.k0, t.k1;
-- answer:
SELECT "answer"."k0" AS "page", "answer"."k1" AS "ok", "answer"."a0" AS "n"
FROM "answer";
----
SELECT page, grade, ok, count(*) AS n FROM visits GROUP BY ALL HAVING n > 0;
-- plain:
SELECT page, grade, ok, count(DISTINCT uid) FROM visits WHERE page IN ('a', 'b', 'e', 'z') AND grade IS NOT NULL AND ok IS NOT NULL AND uid IS NOT NULL GROUP BY ALL;
-- plan: EveryKey groups=24, 'page' VARCHAR, 'grade' ENUM('low', 'mid', 'high'), 'ok' BOOLEAN, Count 0.5 x24 gaussian 24
-- score:
SELECT t.k0 AS "page", t.k1 AS "grade", t.k2 AS "ok", system.main.count(*) AS score
FROM (SELECT t.k0, t.k1, t.k2, t.unit
  FROM (SELECT t_."page" AS k0, t_."grade" AS k1, t_."ok" AS k2, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND t_."page" IN ('a', 'b', 'e', 'z') AND t_."grade" IS NOT NULL AND t_."ok" IS
      NOT NULL) AS t
  GROUP BY t.k0, t.k1, t.k2, t.unit) AS t
GROUP BY t.k0, t.k1, t.k2;
-- answer:
SELECT "answer"."k0" AS "page", "answer"."k1" AS "grade", "answer"."k2" AS "ok", "answer"."a0" AS "n"
FROM "answer"
WHERE ("answer"."a0" > 0);
----
SELECT date_trunc('month', day) AS month, count(*) AS n FROM visits GROUP BY month ORDER BY month;
-- plain:
SELECT TIMESTAMP '2024-01-01' AS month, count(DISTINCT uid) AS n FROM visits WHERE year(day) = 2024 AND month(day) = 1 ORDER BY n;
-- plan: EveryKey groups=1, 'month' TIMESTAMP, Count 0.5 x1
-- score:
SELECT t.k0 AS "month", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT system.main.date_trunc('month', (CASE WHEN t_."day" BETWEEN DATE '140000-01-01 (BC)' AND DATE
          '140000-12-31' OR system.main.isinf(t_."day") THEN t_."day" END)) AS k0, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND system.main.date_trunc('month', (CASE WHEN t_."day" BETWEEN DATE
          '140000-01-01 (BC)' AND DATE '140000-12-31' OR system.main.isinf(t_."day") THEN t_."day" END)) IN
      (TIMESTAMP '2024-01-01 00:00:00')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "month", "answer"."a0" AS "n"
FROM "answer"
ORDER BY "answer"."k0" NULLS LAST;
----
SELECT date_trunc('week', day) AS week, count(*) AS n FROM visits GROUP BY 1 ORDER BY 1;
-- plain:
SELECT w AS week, count(DISTINCT uid) FROM range(DATE '2024-01-01', DATE '2024-01-30', INTERVAL 7 DAY) AS d(w) LEFT JOIN visits ON isfinite(day) AND date_trunc('week', CASE WHEN isfinite(day) THEN day END) = w GROUP BY w ORDER BY week;
-- plan: EveryKey groups=5, 'week' TIMESTAMP, Count 0.5 x5 gaussian 5
-- score:
SELECT t.k0 AS "week", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT system.main.date_trunc('week', (CASE WHEN t_."day" BETWEEN DATE '140000-01-01 (BC)' AND DATE
          '140000-12-31' OR system.main.isinf(t_."day") THEN t_."day" END)) AS k0, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (CASE WHEN system.main.date_trunc('week', (CASE WHEN t_."day" BETWEEN DATE
            '140000-01-01 (BC)' AND DATE '140000-12-31' OR system.main.isinf(t_."day") THEN t_."day" END)) >=
        TIMESTAMP '2024-01-01 00:00:00' AND system.main.date_trunc('week', (CASE WHEN t_."day" BETWEEN DATE
            '140000-01-01 (BC)' AND DATE '140000-12-31' OR system.main.isinf(t_."day") THEN t_."day" END)) <=
        TIMESTAMP '2024-01-29 00:00:00' THEN system.main."%"(system.main."-"(system.main.epoch_us(system.main.date_trunc('week',
                (CASE WHEN t_."day" BETWEEN DATE '140000-01-01 (BC)' AND DATE '140000-12-31' OR
                  system.main.isinf(t_."day") THEN t_."day" END))), CAST('1704067200000000' AS BIGINT)), CAST('604800000000'
            AS BIGINT)) = 0 ELSE FALSE END)) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "week", "answer"."a0" AS "n"
FROM "answer"
ORDER BY "answer"."k0" NULLS LAST;
----
SELECT date_trunc('day', moment) AS d, count(*) FROM visits GROUP BY d ORDER BY d;
-- plain:
SELECT w AS d, count(DISTINCT uid) FROM range(TIMESTAMP '2024-01-02', TIMESTAMP '2024-01-05', INTERVAL 1 DAY) AS r(w) LEFT JOIN visits ON moment >= w AND moment < w + INTERVAL 1 DAY GROUP BY w ORDER BY d;
-- plan: EveryKey groups=3, 'd' TIMESTAMP, Count 0.5 x3
-- score:
SELECT t.k0 AS "d", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT system.main.date_trunc('day', (CASE WHEN t_."moment" BETWEEN TIMESTAMP '140000-01-01 (BC)' AND
          TIMESTAMP '140000-12-31' OR system.main.isinf(t_."moment") THEN t_."moment" END)) AS k0, t_."uid" AS
      unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (CASE WHEN system.main.date_trunc('day', (CASE WHEN t_."moment" BETWEEN
            TIMESTAMP '140000-01-01 (BC)' AND TIMESTAMP '140000-12-31' OR system.main.isinf(t_."moment") THEN
            t_."moment" END)) >= TIMESTAMP '2024-01-02 00:00:00' AND system.main.date_trunc('day', (CASE WHEN
            t_."moment" BETWEEN TIMESTAMP '140000-01-01 (BC)' AND TIMESTAMP '140000-12-31' OR
            system.main.isinf(t_."moment") THEN t_."moment" END)) <= TIMESTAMP '2024-01-04 00:00:00' THEN
        system.main."%"(system.main."-"(system.main.epoch_us(system.main.date_trunc('day', (CASE WHEN t_."moment"
                  BETWEEN TIMESTAMP '140000-01-01 (BC)' AND TIMESTAMP '140000-12-31' OR system.main.isinf(t_."moment")
                  THEN t_."moment" END))), CAST('1704153600000000' AS BIGINT)), CAST('86400000000' AS BIGINT))
        = 0 ELSE FALSE END)) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "d", "answer"."a0" AS "count_star()"
FROM "answer"
ORDER BY "answer"."k0" NULLS LAST;
----
SELECT extract(hour FROM moment) AS h, count(*) AS n FROM visits GROUP BY h;
-- plain:
SELECT h, count(DISTINCT uid) FROM range(24) AS r(h) LEFT JOIN visits ON isfinite(moment) AND hour(CASE WHEN isfinite(moment) THEN moment END) = h GROUP BY h;
-- plan: EveryKey groups=24, 'h' BIGINT, Count 0.5 x24 gaussian 24
-- score:
SELECT t.k0 AS "h", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT system.main.hour(t_."moment") AS k0, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (system.main.hour(t_."moment") >= 0 AND system.main.hour(t_."moment") <=
        23)) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "h", "answer"."a0" AS "n"
FROM "answer";
----
SELECT year(born) AS y, count(*) AS n FROM people GROUP BY y ORDER BY y;
-- plain:
SELECT y, count(id) FROM range(1950, 1971) AS r(y) LEFT JOIN people ON year(born) = y GROUP BY y ORDER BY y;
-- plan: EveryKey groups=1, 'y' BIGINT, Count 0.5 x1
-- score:
SELECT t.k0 AS "y", system.main.count(*) AS score
FROM (SELECT system.main.year(t_."born") AS k0, t_."id" AS unit
  FROM "memory"."main"."people" AS t_
  WHERE t_."id" IS NOT NULL AND (system.main.year(t_."born") >= 1950 AND system.main.year(t_."born") <= 1970))
  AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "y", "answer"."a0" AS "n"
FROM "answer"
ORDER BY "answer"."k0" NULLS LAST;
----
SELECT extract(year FROM born) // 10 * 10 AS decade, count(*) FROM people GROUP BY decade;
-- plain:
SELECT d, count(id) FROM range(1950, 1971, 10) AS r(d) LEFT JOIN people ON year(born) // 10 * 10 = d GROUP BY d;
-- plan: EveryKey groups=1, 'decade' BIGINT, Count 0.5 x1
-- score:
SELECT t.k0 AS "decade", system.main.count(*) AS score
FROM (SELECT TRY_CAST(system.main."*"(CAST(system.main."//"(system.main.year(t_."born"), CAST('10' AS BIGINT))
          AS HUGEINT), CAST('10' AS HUGEINT)) AS BIGINT) AS k0, t_."id" AS unit
  FROM "memory"."main"."people" AS t_
  WHERE t_."id" IS NOT NULL AND (CASE WHEN TRY_CAST(system.main."*"(CAST(system.main."//"(system.main.year(t_."born"),
              CAST('10' AS BIGINT)) AS HUGEINT), CAST('10' AS HUGEINT)) AS BIGINT) >= 1950 AND
      TRY_CAST(system.main."*"(CAST(system.main."//"(system.main.year(t_."born"), CAST('10' AS BIGINT)) AS
            HUGEINT), CAST('10' AS HUGEINT)) AS BIGINT) <= 1970 THEN system.main."%"(system.main."-"(CAST(TRY_CAST(system.main."*"(CAST(system.main."//"(system.main.year(t_."born"),
                    CAST('10' AS BIGINT)) AS HUGEINT), CAST('10' AS HUGEINT)) AS BIGINT) AS HUGEINT), CAST('1950'
            AS HUGEINT)), CAST('10' AS HUGEINT)) = 0 ELSE FALSE END)) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "decade", "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT month(born), count(*) AS n FROM people GROUP BY month(born) ORDER BY month(born);
-- plain:
SELECT m, count(id) FROM range(1, 13) AS r(m) LEFT JOIN people ON month(born) = m GROUP BY m ORDER BY m;
-- plan: EveryKey groups=1, 'key' BIGINT, Count 0.5 x1
-- score:
SELECT t.k0 AS "key", system.main.count(*) AS score
FROM (SELECT system.main.month(t_."born") AS k0, t_."id" AS unit
  FROM "memory"."main"."people" AS t_
  WHERE t_."id" IS NOT NULL AND (system.main.month(t_."born") >= 1 AND system.main.month(t_."born") <= 12)) AS
  t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS """month""(born)", "answer"."a0" AS "n"
FROM "answer"
ORDER BY "answer"."k0" NULLS LAST;
----
SELECT lower(page) AS p, count(*) FROM visits GROUP BY lower(page);
-- plain:
SELECT d.page, count(DISTINCT uid) FROM (VALUES ('a'), ('b'), ('e'), ('z')) AS d(page) LEFT JOIN visits AS v ON v.page = d.page GROUP BY d.page;
-- plan: EveryKey groups=4, 'p' VARCHAR, Count 0.5 x4
-- score:
SELECT t.k0 AS "p", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT system.main.lower(t_."page") AS k0, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND system.main.lower(t_."page") IN ('a', 'b', 'e', 'z')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "p", "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT upper(page) || '!' AS p, count(*) FROM visits GROUP BY p;
-- plain:
SELECT d.page, count(DISTINCT uid) FROM (VALUES ('A!'), ('B!'), ('E!'), ('Z!')) AS d(page) LEFT JOIN visits AS v ON upper(v.page) || '!' = d.page GROUP BY d.page;
-- plan: EveryKey groups=4, 'p' VARCHAR, Count 0.5 x4
-- score:
SELECT t.k0 AS "p", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT system.main."||"(system.main.upper(t_."page"), '!') AS k0, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND system.main."||"(system.main.upper(t_."page"), '!') IN ('A!', 'B!', 'E!',
        'Z!')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "p", "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT substr(grade::VARCHAR, 1, 1) AS g, count(*) FROM visits GROUP BY g;
-- plain:
SELECT d.g, count(DISTINCT uid) FROM (VALUES ('l'), ('m'), ('h')) AS d(g) LEFT JOIN visits AS v ON substr(grade::VARCHAR, 1, 1) = d.g GROUP BY d.g;
-- plan: EveryKey groups=3, 'g' VARCHAR, Count 0.5 x3
-- score:
SELECT t.k0 AS "g", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT system.main.substring(CAST(t_."grade" AS VARCHAR), CAST('1' AS BIGINT), CAST('1' AS BIGINT)) AS
      k0, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND system.main.substring(CAST(t_."grade" AS VARCHAR), CAST('1' AS BIGINT),
        CAST('1' AS BIGINT)) IN ('l', 'm', 'h')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "g", "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT CASE WHEN age < 18 THEN 'young' WHEN age < 65 THEN 'adult' ELSE 'old' END AS band, count(*) AS n FROM visits GROUP BY band ORDER BY band;
-- plain:
SELECT CASE WHEN age < 18 THEN 'young' WHEN age < 65 THEN 'adult' ELSE 'old' END AS band, count(DISTINCT uid) AS n FROM visits WHERE uid IS NOT NULL GROUP BY band ORDER BY band;
-- plan: EveryKey groups=3, 'band' VARCHAR, Count 0.5 x3
-- score:
SELECT t.k0 AS "band", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT (CASE WHEN (t_."age" < 18) THEN 'young' WHEN (t_."age" < 65) THEN 'adult' ELSE 'old' END) AS
      k0, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (CASE WHEN (t_."age" < 18) THEN 'young' WHEN (t_."age" < 65) THEN 'adult'
        ELSE 'old' END) IN ('young', 'adult', 'old')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "band", "answer"."a0" AS "n"
FROM "answer"
ORDER BY "answer"."k0" NULLS LAST;
----
SELECT CASE page WHEN 'a' THEN 1 WHEN 'b' THEN 1 ELSE 2 END AS k, count(*) AS n FROM visits GROUP BY 1;
-- plain:
SELECT CASE WHEN page IN ('a', 'b') THEN 1 ELSE 2 END AS k, count(DISTINCT uid) FROM visits WHERE uid IS NOT NULL GROUP BY k;
-- plan: EveryKey groups=2, 'k' INTEGER, Count 0.5 x2
-- score:
SELECT t.k0 AS "k", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT (CASE WHEN (t_."page" = 'a') THEN CAST('1' AS INTEGER) WHEN (t_."page" = 'b') THEN CAST('1' AS
          INTEGER) ELSE CAST('2' AS INTEGER) END) AS k0, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (CASE WHEN (t_."page" = 'a') THEN CAST('1' AS INTEGER) WHEN (t_."page" =
          'b') THEN CAST('1' AS INTEGER) ELSE CAST('2' AS INTEGER) END) IN (1, 2)) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "k", "answer"."a0" AS "n"
FROM "answer";
----
SELECT age // 10 AS decade, count(*) AS n FROM visits GROUP BY decade ORDER BY decade;
-- plain:
SELECT d, count(DISTINCT uid) FROM range(10) AS r(d) LEFT JOIN visits ON age // 10 = d GROUP BY d ORDER BY d;
-- plan: EveryKey groups=10, 'decade' INTEGER, Count 0.5 x10 gaussian 10
-- score:
SELECT t.k0 AS "decade", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT system.main."//"(t_."age", CAST('10' AS INTEGER)) AS k0, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (system.main."//"(t_."age", CAST('10' AS INTEGER)) >= 0 AND system.main."//"(t_."age",
          CAST('10' AS INTEGER)) <= 9)) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "decade", "answer"."a0" AS "n"
FROM "answer"
ORDER BY "answer"."k0" NULLS LAST;
----
SELECT age // 10 * 10 AS low, count(*) AS n FROM people GROUP BY age // 10 * 10;
-- plain:
SELECT d, count(id) FROM range(10, 81, 10) AS r(d) LEFT JOIN people ON age // 10 * 10 = d GROUP BY d;
-- plan: EveryKey groups=1, 'low' INTEGER, Count 0.5 x1
-- score:
SELECT t.k0 AS "low", system.main.count(*) AS score
FROM (SELECT TRY_CAST(system.main."*"(CAST(system.main."//"(t_."age", CAST('10' AS INTEGER)) AS BIGINT), CAST('10'
          AS BIGINT)) AS INTEGER) AS k0, t_."id" AS unit
  FROM "memory"."main"."people" AS t_
  WHERE t_."id" IS NOT NULL AND (CASE WHEN TRY_CAST(system.main."*"(CAST(system.main."//"(t_."age", CAST('10'
                AS INTEGER)) AS BIGINT), CAST('10' AS BIGINT)) AS INTEGER) >= 10 AND TRY_CAST(system.main."*"(CAST(system.main."//"(t_."age",
              CAST('10' AS INTEGER)) AS BIGINT), CAST('10' AS BIGINT)) AS INTEGER) <= 80 THEN system.main."%"(system.main."-"(CAST(TRY_CAST(system.main."*"(CAST(system.main."//"(t_."age",
                    CAST('10' AS INTEGER)) AS BIGINT), CAST('10' AS BIGINT)) AS INTEGER) AS HUGEINT), CAST('10'
            AS HUGEINT)), CAST('10' AS HUGEINT)) = 0 ELSE FALSE END)) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "low", "answer"."a0" AS "n"
FROM "answer";
----
SELECT CAST(floor(age / 10) AS INTEGER) * 10 AS low, count(*) AS n FROM people GROUP BY low HAVING count(*) > 0;
-- plain:
SELECT floor(age / 10)::INTEGER * 10 AS low, count(*) FROM people WHERE age BETWEEN 10 AND 89 GROUP BY low;
-- plan: EveryKey groups=1, 'low' INTEGER, Count 0.5 x1
-- score:
SELECT t.k0 AS "low", system.main.count(*) AS score
FROM (SELECT TRY_CAST(system.main."*"(CAST(TRY_CAST(system.main.floor(system.main."/"(CAST(t_."age" AS
                  DOUBLE), CAST('10.0' AS DOUBLE))) AS INTEGER) AS BIGINT), CAST('10' AS BIGINT)) AS INTEGER)
    AS k0, t_."id" AS unit
  FROM "memory"."main"."people" AS t_
  WHERE t_."id" IS NOT NULL AND TRY_CAST(system.main."*"(CAST(TRY_CAST(system.main.floor(system.main."/"(CAST(t_."age"
                  AS DOUBLE), CAST('10.0' AS DOUBLE))) AS INTEGER) AS BIGINT), CAST('10' AS BIGINT)) AS
      INTEGER) IN (10, 20, 30, 40, 50, 60, 70, 80)) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "low", "answer"."a0" AS "n"
FROM "answer"
WHERE ("answer"."a0" > 0);
----
SELECT age % 5 AS m, count(*) FROM people GROUP BY m;
-- plain:
SELECT age % 5 AS m, count(*) FROM people GROUP BY m;
-- plan: EveryKey groups=1, 'm' INTEGER, Count 0.5 x1
-- score:
SELECT t.k0 AS "m", system.main.count(*) AS score
FROM (SELECT system.main."%"(t_."age", CAST('5' AS INTEGER)) AS k0, t_."id" AS unit
  FROM "memory"."main"."people" AS t_
  WHERE t_."id" IS NOT NULL AND (system.main."%"(t_."age", CAST('5' AS INTEGER)) >= 0 AND system.main."%"(t_."age",
        CAST('5' AS INTEGER)) <= 4)) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "m", "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT page = 'a' AS is_a, count(*) AS n FROM visits GROUP BY is_a;
-- plain:
SELECT page = 'a' AS is_a, count(DISTINCT uid) FROM visits WHERE page IS NOT NULL AND uid IS NOT NULL GROUP BY is_a;
-- plan: EveryKey groups=2, 'is_a' BOOLEAN, Count 0.5 x2
-- score:
SELECT t.k0 AS "is_a", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT (t_."page" = 'a') AS k0, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."page" = 'a') IS NOT NULL) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "is_a", "answer"."a0" AS "n"
FROM "answer";
----
SELECT age > 50 AND ok AS k, count(*) FROM visits GROUP BY ALL;
-- plain:
SELECT age > 50 AND ok AS k, count(DISTINCT uid) FROM visits WHERE uid IS NOT NULL GROUP BY k HAVING k IS NOT NULL;
-- plan: EveryKey groups=2, 'k' BOOLEAN, Count 0.5 x2
-- score:
SELECT t.k0 AS "k", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT ((t_."age" > 50) AND t_."ok") AS k0, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND ((t_."age" > 50) AND t_."ok") IS NOT NULL) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "k", "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT coalesce(page, 'none') AS p, count(*) AS n FROM visits GROUP BY p;
-- plain:
SELECT d.p, count(DISTINCT uid) FROM (VALUES ('a'), ('b'), ('e'), ('z'), ('none')) AS d(p) LEFT JOIN visits ON coalesce(page, 'none') = d.p GROUP BY d.p;
-- plan: EveryKey groups=5, 'p' VARCHAR, Count 0.5 x5 gaussian 5
-- score:
SELECT t.k0 AS "p", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT COALESCE(t_."page", 'none') AS k0, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND COALESCE(t_."page", 'none') IN ('none', 'a', 'b', 'e', 'z')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "p", "answer"."a0" AS "n"
FROM "answer";
----
SELECT page AS ok, count(*) FROM visits GROUP BY page;
-- plain:
SELECT d.page, count(DISTINCT uid) FROM (VALUES ('a'), ('b'), ('e'), ('z')) AS d(page) LEFT JOIN visits AS v ON v.page = d.page GROUP BY d.page;
-- plan: EveryKey groups=4, 'page' VARCHAR, Count 0.5 x4
-- score:
SELECT t.k0 AS "page", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t_."page" AS k0, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND t_."page" IN ('a', 'b', 'e', 'z')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "ok", "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT lower(page) || '/' || upper(page) AS both, count(*) AS n FROM visits GROUP BY page;
-- plain:
SELECT d.page || '/' || upper(d.page), count(DISTINCT uid) FROM (VALUES ('a'), ('b'), ('e'), ('z')) AS d(page) LEFT JOIN visits AS v ON v.page = d.page GROUP BY d.page;
-- plan: EveryKey groups=4, 'page' VARCHAR, Count 0.5 x4
-- score:
SELECT t.k0 AS "page", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t_."page" AS k0, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND t_."page" IN ('a', 'b', 'e', 'z')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT system.main."||"(system.main."||"(system.main.lower("answer"."k0"), '/'), system.main.upper("answer"."k0"))
  AS "both", "answer"."a0" AS "n"
FROM "answer";
----
SELECT dayname(day) AS name, count(*) AS n FROM visits GROUP BY name HAVING count(*) > 0;
-- plain:
SELECT dayname(day) AS name, count(DISTINCT uid) FROM visits WHERE isfinite(day) AND uid IS NOT NULL GROUP BY name;
-- plan: EveryKey groups=7, 'name' VARCHAR, Count 0.5 x7 gaussian 7
-- score:
SELECT t.k0 AS "name", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT system.main.dayname(t_."day") AS k0, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND system.main.dayname(t_."day") IN ('Sunday', 'Monday', 'Tuesday',
        'Wednesday', 'Thursday', 'Friday', 'Saturday')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "name", "answer"."a0" AS "n"
FROM "answer"
WHERE ("answer"."a0" > 0);
----
SELECT strftime(day, '%Y-%m') AS month, count(*) AS n FROM visits GROUP BY month HAVING n > 1;
-- plain:
SELECT strftime(day, '%Y-%m') AS month, count(DISTINCT uid) AS n FROM visits WHERE day BETWEEN '2024-01-01' AND '2024-01-31' AND uid IS NOT NULL GROUP BY month HAVING n > 1;
-- plan: EveryKey groups=1, 'month' VARCHAR, Count 0.5 x1
-- score:
SELECT t.k0 AS "month", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT system.main.strftime((CASE WHEN t_."day" BETWEEN DATE '140000-01-01 (BC)' AND DATE
          '140000-12-31' OR system.main.isinf(t_."day") THEN t_."day" END), '%Y-%m') AS k0, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND system.main.strftime((CASE WHEN t_."day" BETWEEN DATE '140000-01-01 (BC)'
          AND DATE '140000-12-31' OR system.main.isinf(t_."day") THEN t_."day" END), '%Y-%m') IN ('2024-01'))
    AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "month", "answer"."a0" AS "n"
FROM "answer"
WHERE ("answer"."a0" > 1);
----
SELECT floor(age / 10) * 10 AS low, count(*) AS n FROM people GROUP BY low HAVING count(*) > 0;
-- plain:
SELECT floor(age / 10) * 10 AS low, count(*) FROM people WHERE age BETWEEN 10 AND 89 GROUP BY low;
-- plan: EveryKey groups=1, 'low' DOUBLE, Count 0.5 x1
-- score:
SELECT t.k0 AS "low", system.main.count(*) AS score
FROM (SELECT system.main."*"(system.main.floor(system.main."/"(CAST(t_."age" AS DOUBLE), CAST('10.0' AS
            DOUBLE))), CAST('10.0' AS DOUBLE)) AS k0, t_."id" AS unit
  FROM "memory"."main"."people" AS t_
  WHERE t_."id" IS NOT NULL AND system.main."*"(system.main.floor(system.main."/"(CAST(t_."age" AS DOUBLE),
          CAST('10.0' AS DOUBLE))), CAST('10.0' AS DOUBLE)) IN (CAST('10.0' AS DOUBLE), CAST('20.0' AS
        DOUBLE), CAST('30.0' AS DOUBLE), CAST('40.0' AS DOUBLE), CAST('50.0' AS DOUBLE), CAST('60.0' AS
        DOUBLE), CAST('70.0' AS DOUBLE), CAST('80.0' AS DOUBLE))) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "low", "answer"."a0" AS "n"
FROM "answer"
WHERE ("answer"."a0" > 0);
----
SELECT 'all' AS segment, count(*) AS n FROM people GROUP BY segment;
-- plain:
the query
-- plan: EveryKey groups=1, 'segment' VARCHAR, Count 0.5 x1
-- score:
SELECT t.k0 AS "segment", system.main.count(*) AS score
FROM (SELECT 'all' AS k0, t_."id" AS unit
  FROM "memory"."main"."people" AS t_
  WHERE t_."id" IS NOT NULL AND 'all' IN ('all')) AS t
GROUP BY t.k0;
-- answer:
SELECT 'all' AS "segment", "answer"."a0" AS "n"
FROM "answer";
