SELECT count(*) FROM (SELECT * FROM visits ORDER BY age DESC);
-- plain:
SELECT count(DISTINCT uid) FROM visits;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM (SELECT DISTINCT uid, page FROM visits);
-- plain:
SELECT count(DISTINCT uid) FROM visits;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t2."unit" AS unit
    FROM (SELECT DISTINCT t_."uid" AS "unit", (CASE WHEN system.main.strlen(t_."page") <= 10000 THEN t_."page"
          END) AS "c0"
      FROM "memory"."main"."visits" AS t_
      WHERE t_."uid" IS NOT NULL) AS t2
    WHERE t2."unit" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT median(n) FROM (SELECT uid, least(count(*), 20) AS n FROM visits GROUP BY uid);
-- plain:
SELECT quantile_disc(n, 0.5) FROM (SELECT uid, least(count(*), 20) AS n FROM visits WHERE uid IS NOT NULL GROUP BY uid);
-- plan: OneGroup, Quantile 0.5 x1
-- score:
SELECT t.value AS "key", system.main.count(*) AS score
FROM (SELECT CAST(t.value AS BIGINT) AS value
  FROM (SELECT CASE WHEN t.value < 0 THEN CAST('0' AS BIGINT) WHEN t.value > 20 THEN CAST('20' AS BIGINT) ELSE
      t.value END AS value
    FROM (SELECT system.main.least(t2."c0", CAST('20' AS BIGINT)) AS value, t2."unit" AS unit
      FROM (SELECT t_."uid" AS "unit", system.main.count(CAST('1' AS INTEGER)) AS "c0"
        FROM "memory"."main"."visits" AS t_
        WHERE t_."uid" IS NOT NULL
        GROUP BY t_."uid") AS t2
      WHERE t2."unit" IS NOT NULL AND system.main.least(t2."c0", CAST('20' AS BIGINT)) IS NOT NULL) AS t) AS
    t) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS "median(n)"
FROM "answer";
----
SELECT count(*) FROM visits WHERE uid IN (SELECT uid FROM visits GROUP BY uid HAVING count(*) > 5);
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE uid IN (SELECT uid FROM visits GROUP BY uid HAVING count(*) > 5);
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (EXISTS (SELECT CAST('1' AS INTEGER) AS found
        FROM (SELECT t2."uid" AS "unit", system.main.count(CAST('1' AS INTEGER)) AS "c0"
          FROM "memory"."main"."visits" AS t2
          WHERE t2."uid" IS NOT NULL
          GROUP BY t2."uid") AS t3
        WHERE (t3."c0" > 5) AND (t3."unit" = t_."uid") AND t3."unit" = t_."uid"))) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
