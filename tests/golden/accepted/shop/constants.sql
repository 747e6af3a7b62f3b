SELECT page, count(*) FROM visits GROUP BY page ORDER BY count(*) DESC, page LIMIT 1 + 1;
-- plain:
SELECT page, count(DISTINCT uid) FROM visits WHERE page IS NOT NULL GROUP BY page ORDER BY 2 DESC, page LIMIT 2;
-- plan: LargestKeys epsilon=0.5 counted=a0 k=2, 'page' VARCHAR
-- score:
SELECT t.k0 AS "page", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t_."page" AS k0, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND t_."page" IN ('a', 'b', 'e', 'z')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "page", "answer"."a0" AS "count_star()"
FROM "answer"
ORDER BY "answer"."a0" DESC NULLS LAST, "answer"."k0" NULLS LAST, "answer"."rank"
LIMIT 2;
----
SELECT count(*) FROM visits WHERE age IN (20 + 1, 2 * 11);
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE age IN (21, 22) AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."age" IN (21, 22))) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM visits WHERE page LIKE '%' || 'o' || '%';
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE page LIKE '%o%' AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND system.main."~~"(t_."page", '%o%')) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM visits WHERE day >= make_date(2024, 1, 20);
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE day >= DATE '2024-01-20' AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."day" >= DATE '2024-01-20')) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM visits WHERE lower(disease) LIKE lower('%LU1') OR disease LIKE concat(upper('x'), '%');
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE disease LIKE '%lu1' OR disease LIKE 'X%';
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (system.main."~~"(system.main.lower(t_."disease"), '%lu1') OR system.main."~~"(t_."disease",
          'X%'))) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
