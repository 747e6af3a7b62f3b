SELECT CASE WHEN age < 30 THEN 'young' WHEN age < 60 THEN 'old' END AS k, count(*) FROM visits GROUP BY k;
-- plain:
SELECT CASE WHEN age < 30 THEN 'young' WHEN age < 60 THEN 'old' END AS k, count(DISTINCT uid) FROM visits WHERE uid IS NOT NULL GROUP BY k;
-- plan: EveryKey groups=3, 'k' VARCHAR, Count 0.5 x3
-- score:
SELECT t.k0 AS "k", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT (CASE WHEN (t_."age" < 30) THEN 'young' WHEN (t_."age" < 60) THEN 'old' ELSE CAST(NULL AS
          VARCHAR) END) AS k0, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND ((CASE WHEN (t_."age" < 30) THEN 'young' WHEN (t_."age" < 60) THEN 'old'
          ELSE CAST(NULL AS VARCHAR) END) IS NULL OR (CASE WHEN (t_."age" < 30) THEN 'young' WHEN (t_."age" <
            60) THEN 'old' ELSE CAST(NULL AS VARCHAR) END) IN ('young', 'old'))) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "k", "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT CASE WHEN age IN (1, 2) AND age IS NULL THEN 'never' END AS k, count(*) FROM visits GROUP BY k HAVING count(*) > 0;
-- plain:
SELECT CASE WHEN age IN (1, 2) AND age IS NULL THEN 'never' END AS k, count(DISTINCT uid) FROM visits WHERE uid IS NOT NULL GROUP BY k;
-- plan: EveryKey groups=1, 'k' VARCHAR, Count 0.5 x1
-- score:
SELECT t.k0 AS "k", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT (CASE WHEN ((t_."age" IN (1, 2)) AND (t_."age" IS NULL)) THEN 'never' ELSE CAST(NULL AS
          VARCHAR) END) AS k0, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (CASE WHEN ((t_."age" IN (1, 2)) AND (t_."age" IS NULL)) THEN 'never' ELSE
        CAST(NULL AS VARCHAR) END) IS NULL) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "k", "answer"."a0" AS "count_star()"
FROM "answer"
WHERE ("answer"."a0" > 0);
