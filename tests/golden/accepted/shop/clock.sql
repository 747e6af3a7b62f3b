SELECT count(*) FROM visits WHERE day >= CURRENT_DATE - INTERVAL 3 DAY;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE day >= DATE '2024-01-17';
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (TRY_CAST(t_."day" AS TIMESTAMP) >= TIMESTAMP '2024-01-17 00:00:00')) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM visits WHERE moment >= now() - INTERVAL '17 days' AND moment < date_trunc('day', now()) - INTERVAL 16 DAY;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE moment >= TIMESTAMP '2024-01-03 12:30:00' AND moment < TIMESTAMP '2024-01-04';
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."moment" < TIMESTAMP '2024-01-04 00:00:00') AND (t_."moment" >=
        TIMESTAMP '2024-01-03 12:30:00')) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT day, count(*) AS n FROM visits WHERE day BETWEEN date_trunc('week', today()) AND current_date + 2 GROUP BY day ORDER BY day;
-- plain:
SELECT day, count(DISTINCT uid) AS n FROM visits WHERE day IN ('2024-01-15', '2024-01-17', '2024-01-19', '2024-01-21') GROUP BY day ORDER BY day;
-- plan: EveryKey groups=4, 'day' DATE, Count 0.5 x4
-- score:
SELECT t.k0 AS "day", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t_."day" AS k0, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND ((TRY_CAST(t_."day" AS TIMESTAMP) >= TIMESTAMP '2024-01-15 00:00:00') AND
        (t_."day" <= DATE '2024-01-22')) AND (CASE WHEN t_."day" >= DATE '2024-01-15' AND t_."day" <= DATE
        '2024-01-21' THEN system.main."%"(system.main."-"(t_."day", DATE '2024-01-15'), CAST('2' AS BIGINT)) =
        0 ELSE FALSE END)) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "day", "answer"."a0" AS "n"
FROM "answer"
ORDER BY "answer"."k0" NULLS LAST;
----
SELECT count(*) FROM visits WHERE year(day) = extract(year FROM current_timestamp) AND month(day) = month(current_date) - 0 AND zone::DATE > get_current_timestamp();
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE year(day) = 2024 AND month(day) = 1 AND isfinite(zone);
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (TRY_CAST(CAST(system.main.make_timestamp(system.main.epoch_us(t_."zone"))
            AS DATE) AS TIMESTAMP) > TIMESTAMP '2024-01-20 12:30:00') AND (system.main.month(t_."day") = 1)
      AND (system.main.year(t_."day") = 2024)) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT moment > localtimestamp - INTERVAL '16 days 18 hours' AS late, count(*) AS n FROM visits GROUP BY late ORDER BY late;
-- plain:
SELECT moment > TIMESTAMP '2024-01-03 18:30:00' AS late, count(DISTINCT uid) AS n FROM visits GROUP BY late ORDER BY late;
-- plan: EveryKey groups=2, 'late' BOOLEAN, Count 0.5 x2
-- score:
SELECT t.k0 AS "late", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT (t_."moment" > TIMESTAMP '2024-01-03 18:30:00') AS k0, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."moment" > TIMESTAMP '2024-01-03 18:30:00') IS NOT NULL) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "late", "answer"."a0" AS "n"
FROM "answer"
ORDER BY "answer"."k0" NULLS LAST;
----
SELECT current_date AS today, date_diff('day', DATE '2024-01-01', current_date) AS days, count(*) AS n FROM visits;
-- plain:
SELECT DATE '2024-01-20' AS today, 19 AS days, count(DISTINCT uid) AS n FROM visits;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT CAST('2024-01-20' AS DATE) AS "today", system.main.date_diff('day', CAST('2024-01-01' AS DATE), CAST('2024-01-20'
      AS DATE)) AS "days", "answer"."a0" AS "n"
FROM "answer";
----
SELECT count(*) FROM visits WHERE date_diff('day', day, current_date) < 5 OR moment > current_date;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE day > DATE '2024-01-15' OR moment > DATE '2024-01-20';
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND ((system.main.date_diff('day', (CASE WHEN t_."day" BETWEEN DATE
              '140000-01-01 (BC)' AND DATE '140000-12-31' OR system.main.isinf(t_."day") THEN t_."day" END),
            (CASE WHEN DATE '2024-01-20' BETWEEN DATE '140000-01-01 (BC)' AND DATE '140000-12-31' OR
              system.main.isinf(DATE '2024-01-20') THEN DATE '2024-01-20' END)) < 5) OR (t_."moment" >
          TIMESTAMP '2024-01-20 00:00:00'))) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
