PIVOT visits ON page IN ('a', 'e') USING count(*) GROUP BY grade ORDER BY grade;
-- plain:
SELECT g::ENUM('low', 'mid', 'high') AS grade, (SELECT count(DISTINCT uid) FROM visits WHERE page = 'a' AND grade = g) AS a, (SELECT count(DISTINCT uid) FROM visits WHERE page = 'e' AND grade = g) AS e FROM (VALUES ('low'), ('mid'), ('high')) AS k(g) ORDER BY 1;
-- plan: EveryKey groups=6, 'grade' ENUM('low', 'mid', 'high'), 'page' VARCHAR, Count 0.5 x6
-- score:
SELECT t.k0 AS "grade", t.k1 AS "page", system.main.count(*) AS score
FROM (SELECT t.k0, t.k1, t.unit
  FROM (SELECT t_."grade" AS k0, t_."page" AS k1, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."page" IN ('a', 'e')) AND t_."grade" IS NOT NULL AND t_."page" IN ('a',
        'e')) AS t
  GROUP BY t.k0, t.k1, t.unit) AS t
GROUP BY t.k0, t.k1;
-- answer:
SELECT *
FROM (SELECT "g0" AS "grade", system.main.any_value("a0") FILTER (WHERE ("p0" = 'a')) AS "a",
    system.main.any_value("a0") FILTER (WHERE ("p0" = 'e')) AS "e"
  FROM (SELECT "answer"."k0" AS "g0", "answer"."k1" AS "p0", "answer"."a0" AS "a0"
    FROM "answer") AS "pivoted"
  GROUP BY "g0")
ORDER BY "grade" ASC NULLS LAST;
----
WITH v AS (SELECT page, "order", ok FROM visits WHERE age > 20) PIVOT v ON "order" IN (2, 0), ok IN (true) USING count(*) AS n GROUP BY page ORDER BY page DESC LIMIT 2;
-- plain:
SELECT p AS page, (SELECT count(DISTINCT uid) FROM visits WHERE page = p AND "order" = 2 AND ok AND age > 20) AS "2_true_n", (SELECT count(DISTINCT uid) FROM visits WHERE page = p AND "order" = 0 AND ok AND age > 20) AS "0_true_n" FROM (VALUES ('z'), ('e')) AS k(p) ORDER BY p DESC;
-- plan: EveryKey groups=8, 'page' VARCHAR, 'order' INTEGER, 'ok' BOOLEAN, Count 0.5 x8 gaussian apart
-- score:
SELECT t.k0 AS "page", t.k1 AS "order", t.k2 AS "ok", system.main.count(*) AS score
FROM (SELECT t.k0, t.k1, t.k2, t.unit
  FROM (SELECT t_."page" AS k0, t_."order" AS k1, t_."ok" AS k2, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."age" > 20) AND (t_."ok" IN (TRUE)) AND (t_."order" IN (0, 2)) AND t_."page"
      IN ('a', 'b', 'e', 'z') AND t_."order" IN (0, 2) AND t_."ok" IN (TRUE)) AS t
  GROUP BY t.k0, t.k1, t.k2, t.unit) AS t
GROUP BY t.k0, t.k1, t.k2;
-- answer:
SELECT *
FROM (SELECT "g0" AS "page", system.main.any_value("a0") FILTER (WHERE (("p0" = 2) AND ("p1" = TRUE))) AS
    "2_true_n", system.main.any_value("a0") FILTER (WHERE (("p0" = 0) AND ("p1" = TRUE))) AS "0_true_n"
  FROM (SELECT "answer"."k0" AS "g0", "answer"."k1" AS "p0", "answer"."k2" AS "p1", "answer"."a0" AS "a0"
    FROM "answer") AS "pivoted"
  GROUP BY "g0")
ORDER BY "page" DESC NULLS LAST
LIMIT 2;
----
SELECT a + b AS both FROM (PIVOT (SELECT page FROM visits) ON page IN ('a', 'b') USING count(*)) AS q;
-- plain:
SELECT count(DISTINCT uid) FILTER (WHERE page = 'a') + count(DISTINCT uid) FILTER (WHERE page = 'b') AS both FROM visits;
-- plan: EveryKey groups=2, 'page' VARCHAR, Count 0.5 x2
-- score:
SELECT t.k0 AS "page", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t_."page" AS k0, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."page" IN ('a', 'b')) AND t_."page" IN ('a', 'b')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT system.main."+"("a", "b") AS "both"
FROM (SELECT *
  FROM (SELECT system.main.any_value("a0") FILTER (WHERE ("p0" = 'a')) AS "a", system.main.any_value("a0")
      FILTER (WHERE ("p0" = 'b')) AS "b"
    FROM (SELECT "answer"."k0" AS "p0", "answer"."a0" AS "a0"
      FROM "answer") AS "pivoted")) AS "q";
----
PIVOT (SELECT score, page, count(*) AS n FROM visits GROUP BY ALL) ON page IN ('a', 'z') USING max(n), min(n) AS least GROUP BY score ORDER BY score;
-- plain:
SELECT s AS score, (SELECT count(DISTINCT uid) FROM visits WHERE score = s AND page = 'a') AS "a_max(n)", (SELECT count(DISTINCT uid) FROM visits WHERE score = s AND page = 'a') AS a_least, 0::BIGINT AS "z_max(n)", 0::BIGINT AS z_least FROM (VALUES (0), (5), (10)) AS k(s) ORDER BY s;
-- plan: EveryKey groups=12, 'key' INTEGER, 'page' VARCHAR, Count 0.5 x12 gaussian apart
-- score:
SELECT t.k0 AS "key", t.k1 AS "page", system.main.count(*) AS score
FROM (SELECT t.k0, t.k1, t.unit
  FROM (SELECT t_."score" AS k0, t_."page" AS k1, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (CASE WHEN t_."score" >= 0 AND t_."score" <= 10 THEN system.main."%"(system.main."-"(CAST(t_."score"
              AS HUGEINT), CAST('0' AS HUGEINT)), CAST('5' AS HUGEINT)) = 0 ELSE FALSE END) AND t_."page" IN ('a',
        'b', 'e', 'z')) AS t
  GROUP BY t.k0, t.k1, t.unit) AS t
GROUP BY t.k0, t.k1;
-- answer:
SELECT *
FROM (SELECT "score" AS "score", system.main.max("n") FILTER (WHERE ("page" = 'a')) AS "a_max(n)",
    system.main.min("n") FILTER (WHERE ("page" = 'a')) AS "a_least", system.main.max("n") FILTER (WHERE ("page"
        = 'z')) AS "z_max(n)", system.main.min("n") FILTER (WHERE ("page" = 'z')) AS "z_least"
  FROM (SELECT "answer"."k0" AS "score", "answer"."k1" AS "page", "answer"."a0" AS "n"
    FROM "answer")
  GROUP BY "score")
ORDER BY "score" ASC NULLS LAST;
