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
----
SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (noise = 'gaussian') big, count(*) AS n FROM visits GROUP BY big ORDER BY n DESC LIMIT 2;
-- plain:
SELECT [-9000000000000000000, 9000000000000000000], [0, 1] FROM range(2);
-- plan: LargestKeys epsilon=0.5 delta=1e-06 counted=a0 k=2 gaussian=1, 'big' BIGINT
-- score:
SELECT t.k0 AS "big", system.main.count(DISTINCT t.unit) AS score
FROM (SELECT t_."big" AS k0, t_."uid" AS unit
  FROM "memory"."main"."visits" AS t_
  WHERE t_."uid" IS NOT NULL AND (CASE WHEN t_."big" >= CAST('-9000000000000000000' AS BIGINT) AND t_."big" <=
      9000000000000000000 THEN system.main."%"(system.main."-"(CAST(t_."big" AS HUGEINT), CAST('-9000000000000000000'
            AS HUGEINT)), CAST('1000' AS HUGEINT)) = 0 ELSE FALSE END)) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "big", "answer"."a0" AS "n"
FROM "answer"
ORDER BY "answer"."a0" DESC NULLS LAST, "answer"."rank"
LIMIT 2;
