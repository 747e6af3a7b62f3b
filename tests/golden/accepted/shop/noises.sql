SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (noise = 'laplace') page, ok, count(*) FROM visits GROUP BY page, ok;
-- plain:
SELECT p.page, o.ok, count(DISTINCT uid) FROM (VALUES ('a'), ('b'), ('e'), ('z')) AS p(page) CROSS JOIN (VALUES (true), (false)) AS o(ok) LEFT JOIN visits AS v ON v.page = p.page AND v.ok = o.ok GROUP BY p.page, o.ok;
-- plan: EveryKey groups=8, 'page' VARCHAR, 'ok' BOOLEAN, Count 0.5 x8
-- score:
SELECT t.k0 AS "page", t.k1 AS "ok", system.main.count(*) AS score
FROM (SELECT t.k0, t.k1, t.unit
  FROM (SELECT t_."page" AS k0, t_."ok" AS k1, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND t_."page" IN ('a', 'b', 'e', 'z') AND t_."ok" IS NOT NULL) AS t
  GROUP BY t.k0, t.k1, t.unit) AS t
GROUP BY t.k0, t.k1;
-- answer:
SELECT "answer"."k0" AS "page", "answer"."k1" AS "ok", "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (noise = 'gaussian') count(*) FROM people;
-- plain:
SELECT count(*) FROM people;
-- plan: OneGroup, Count 0.5 x1 gaussian apart
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t_."id" AS unit
  FROM "memory"."main"."people" AS t_
  WHERE t_."id" IS NOT NULL) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (noise = 'best', delta = 0) page, ok, count(*) FROM visits GROUP BY page, ok;
-- plain:
SELECT p.page, o.ok, count(DISTINCT uid) FROM (VALUES ('a'), ('b'), ('e'), ('z')) AS p(page) CROSS JOIN (VALUES (true), (false)) AS o(ok) LEFT JOIN visits AS v ON v.page = p.page AND v.ok = o.ok GROUP BY p.page, o.ok;
-- plan: EveryKey groups=8, 'page' VARCHAR, 'ok' BOOLEAN, Count 0.5 x8
-- score:
SELECT t.k0 AS "page", t.k1 AS "ok", system.main.count(*) AS score
FROM (SELECT t.k0, t.k1, t.unit
  FROM (SELECT t_."page" AS k0, t_."ok" AS k1, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND t_."page" IN ('a', 'b', 'e', 'z') AND t_."ok" IS NOT NULL) AS t
  GROUP BY t.k0, t.k1, t.unit) AS t
GROUP BY t.k0, t.k1;
-- answer:
SELECT "answer"."k0" AS "page", "answer"."k1" AS "ok", "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (noise = 'laplace') count(*) FROM people WHERE age + 1 > 30;
-- plain:
SELECT count(*) FROM people WHERE age + 1 > 30;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t_."id" AS unit
  FROM "memory"."main"."people" AS t_
  WHERE t_."id" IS NOT NULL AND (TRY_CAST(system.main."+"(CAST(t_."age" AS BIGINT), CAST('1' AS BIGINT)) AS
        INTEGER) > 30)) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
