SELECT page, count(*) AS n, count(*) / (SELECT count(*) FROM visits) AS share FROM visits GROUP BY page;
-- plain:
SELECT k AS page, n, n / (SELECT count(DISTINCT uid) FROM visits) AS share FROM (SELECT k, count(DISTINCT uid) AS n FROM (VALUES ('a'), ('b'), ('e'), ('z')) AS d(k) LEFT JOIN visits ON page = k GROUP BY k);
-- plan: OneGroup, Count 0.16665 x1; EveryKey groups=4, 'page' VARCHAR, Count 0.33335 x4
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- score:
SELECT t.k0 AS "page", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t_."page" AS k0, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND t_."page" IN ('a', 'b', 'e', 'z')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "page", "answer"."a0" AS "n", system.main."/"("answer"."a0", (SELECT "answer"."a0" AS
      "count_star()"
    FROM (SELECT "1.a0" AS "a0", "1.a0_low" AS "a0_low", "1.a0_high" AS "a0_high", "1.a0_gap" AS "a0_gap",
        "1.a0_p_value" AS "a0_p_value"
      FROM "blocks"
      WHERE "block" = 1) AS "answer")) AS "share"
FROM (SELECT "2.k0" AS "k0", "2.a0" AS "a0", "2.a0_low" AS "a0_low", "2.a0_high" AS "a0_high", "2.a0_gap" AS
    "a0_gap", "2.a0_p_value" AS "a0_p_value"
  FROM "blocks"
  WHERE "block" = 2) AS "answer";
----
SELECT a.n - b.n AS more FROM (SELECT count(*) AS n FROM visits) AS a, (SELECT count(*) AS n FROM visits WHERE ok) AS b;
-- plain:
SELECT (SELECT count(DISTINCT uid) FROM visits) - (SELECT count(DISTINCT uid) FROM visits WHERE ok) AS more;
-- plan: OneGroup, Count 0.25 x1; OneGroup, Count 0.25 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND t_."ok") AS t
  GROUP BY t.unit) AS t;
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT system.main."-"("a"."n", "b"."n") AS "more"
FROM (SELECT "answer"."a0" AS "n"
  FROM (SELECT "2.a0" AS "a0", "2.a0_low" AS "a0_low", "2.a0_high" AS "a0_high", "2.a0_gap" AS "a0_gap",
      "2.a0_p_value" AS "a0_p_value"
    FROM "blocks"
    WHERE "block" = 2) AS "answer") AS "a", (SELECT "answer"."a0" AS "n"
  FROM (SELECT "1.a0" AS "a0", "1.a0_low" AS "a0_low", "1.a0_high" AS "a0_high", "1.a0_gap" AS "a0_gap",
      "1.a0_p_value" AS "a0_p_value"
    FROM "blocks"
    WHERE "block" = 1) AS "answer") AS "b";
----
SELECT 'all' AS who, count(*) AS n FROM visits UNION ALL SELECT 'ok', count(*) FROM visits WHERE ok ORDER BY n DESC, who;
-- plain:
SELECT 'all' AS who, count(DISTINCT uid) AS n FROM visits UNION ALL SELECT 'ok', count(DISTINCT uid) FROM visits WHERE ok ORDER BY n DESC, who;
-- plan: OneGroup, Count 0.25 x1; OneGroup, Count 0.25 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND t_."ok") AS t
  GROUP BY t.unit) AS t;
-- answer:
(SELECT 'all' AS "who", "answer"."a0" AS "n"
  FROM (SELECT "1.a0" AS "a0", "1.a0_low" AS "a0_low", "1.a0_high" AS "a0_high", "1.a0_gap" AS "a0_gap",
      "1.a0_p_value" AS "a0_p_value"
    FROM "blocks"
    WHERE "block" = 1) AS "answer")
UNION ALL (SELECT 'ok' AS "'ok'", "answer"."a0" AS "count_star()"
  FROM (SELECT "2.a0" AS "a0", "2.a0_low" AS "a0_low", "2.a0_high" AS "a0_high", "2.a0_gap" AS "a0_gap",
      "2.a0_p_value" AS "a0_p_value"
    FROM "blocks"
    WHERE "block" = 2) AS "answer")
ORDER BY "n" DESC NULLS LAST, "who" ASC NULLS LAST;
----
SELECT page, count(*) AS n FROM visits GROUP BY page HAVING count(*) > (SELECT count(*) / 2 FROM visits WHERE ok) ORDER BY page;
-- plain:
SELECT page, count(DISTINCT uid) AS n FROM visits WHERE page IN ('a', 'b', 'e', 'z') GROUP BY page HAVING count(DISTINCT uid) > (SELECT count(DISTINCT uid) / 2 FROM visits WHERE ok) ORDER BY page;
-- plan: OneGroup, Count 0.16665 x1; EveryKey groups=4, 'page' VARCHAR, Count 0.33335 x4
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND t_."ok") AS t
  GROUP BY t.unit) AS t;
-- score:
SELECT t.k0 AS "page", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t_."page" AS k0, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND t_."page" IN ('a', 'b', 'e', 'z')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "page", "answer"."a0" AS "n"
FROM (SELECT "2.k0" AS "k0", "2.a0" AS "a0", "2.a0_low" AS "a0_low", "2.a0_high" AS "a0_high", "2.a0_gap" AS
    "a0_gap", "2.a0_p_value" AS "a0_p_value"
  FROM "blocks"
  WHERE "block" = 2) AS "answer"
WHERE ("answer"."a0" > (SELECT system.main."/"("answer"."a0", 2) AS "(count_star() / 2)"
    FROM (SELECT "1.a0" AS "a0", "1.a0_low" AS "a0_low", "1.a0_high" AS "a0_high", "1.a0_gap" AS "a0_gap",
        "1.a0_p_value" AS "a0_p_value"
      FROM "blocks"
      WHERE "block" = 1) AS "answer"))
ORDER BY "answer"."k0" NULLS LAST;
----
WITH p AS (SELECT page, count(*) AS n FROM visits GROUP BY page), o AS (SELECT page, count(*) AS n FROM visits WHERE ok GROUP BY page) SELECT p.page, p.n, o.n AS of_them FROM p JOIN o ON p.page = o.page ORDER BY p.page;
-- plain:
SELECT k AS page, count(DISTINCT uid) AS n, count(DISTINCT uid) FILTER (ok) AS of_them FROM (VALUES ('a'), ('b'), ('e'), ('z')) AS d(k) LEFT JOIN visits ON page = k GROUP BY k ORDER BY k;
-- plan: EveryKey groups=4, 'page' VARCHAR, Count 0.25 x4; EveryKey groups=4, 'page' VARCHAR, Count 0.25 x4
-- score:
SELECT t.k0 AS "page", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t_."page" AS k0, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND t_."ok" AND t_."page" IN ('a', 'b', 'e', 'z')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- score:
SELECT t.k0 AS "page", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t_."page" AS k0, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND t_."page" IN ('a', 'b', 'e', 'z')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "p"."page", "p"."n", "o"."n" AS "of_them"
FROM (SELECT "answer"."k0" AS "page", "answer"."a0" AS "n"
  FROM (SELECT "2.k0" AS "k0", "2.a0" AS "a0", "2.a0_low" AS "a0_low", "2.a0_high" AS "a0_high", "2.a0_gap" AS
      "a0_gap", "2.a0_p_value" AS "a0_p_value"
    FROM "blocks"
    WHERE "block" = 2) AS "answer") AS "p"
JOIN (SELECT "answer"."k0" AS "page", "answer"."a0" AS "n"
  FROM (SELECT "1.k0" AS "k0", "1.a0" AS "a0", "1.a0_low" AS "a0_low", "1.a0_high" AS "a0_high", "1.a0_gap" AS
      "a0_gap", "1.a0_p_value" AS "a0_p_value"
    FROM "blocks"
    WHERE "block" = 1) AS "answer") AS "o" ON ("p"."page" = "o"."page")
ORDER BY "p"."page" ASC NULLS LAST;
----
SELECT s.name, v.n FROM shops AS s LEFT JOIN (SELECT page, count(*) AS n FROM visits GROUP BY page) AS v ON v.page = chr(ascii(left(s.name, 1)) - 13) ORDER BY s.name;
-- plain:
SELECT s.name, CASE s.name WHEN 'north' THEN (SELECT count(DISTINCT uid) FROM visits WHERE page = 'a') END AS n FROM shops AS s ORDER BY s.name;
-- plan: EveryKey groups=4, 'page' VARCHAR, Count 0.5 x4; rows of shops
-- score:
SELECT t.k0 AS "page", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t_."page" AS k0, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND t_."page" IN ('a', 'b', 'e', 'z')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "s"."name", "v"."n"
FROM (SELECT "2.name" AS "name"
  FROM "blocks"
  WHERE "block" = 2) AS "s"
LEFT
JOIN (SELECT "answer"."k0" AS "page", "answer"."a0" AS "n"
  FROM (SELECT "1.k0" AS "k0", "1.a0" AS "a0", "1.a0_low" AS "a0_low", "1.a0_high" AS "a0_high", "1.a0_gap" AS
      "a0_gap", "1.a0_p_value" AS "a0_p_value"
    FROM "blocks"
    WHERE "block" = 1) AS "answer") AS "v" ON ("v"."page" = system.main.chr(system.main."-"(system.main.ascii(system.main.left("s"."name",
            1)), 13)))
ORDER BY "s"."name" ASC NULLS LAST;
----
SELECT name, (SELECT count(*) FROM visits) AS visitors FROM shops;
-- plain:
SELECT name, (SELECT count(DISTINCT uid) FROM visits) AS visitors FROM shops;
-- plan: OneGroup, Count 0.5 x1; rows of shops
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "name", (SELECT "answer"."a0" AS "count_star()"
  FROM (SELECT "1.a0" AS "a0", "1.a0_low" AS "a0_low", "1.a0_high" AS "a0_high", "1.a0_gap" AS "a0_gap",
      "1.a0_p_value" AS "a0_p_value"
    FROM "blocks"
    WHERE "block" = 1) AS "answer") AS "visitors"
FROM (SELECT "2.name" AS "name"
  FROM "blocks"
  WHERE "block" = 2) AS "shops";
----
SELECT page, count(*) AS n, (SELECT count(*) FROM shops) AS shops, (SELECT count(*) FROM visits) - (SELECT count(*) FROM visits WHERE ok) AS others FROM visits GROUP BY page ORDER BY n DESC, page LIMIT 2;
-- plain:
SELECT page, count(DISTINCT uid) AS n, 2 AS shops, (SELECT count(DISTINCT uid) FROM visits) - (SELECT count(DISTINCT uid) FROM visits WHERE ok) AS others FROM visits WHERE page IN ('a', 'b', 'e', 'z') GROUP BY page ORDER BY n DESC, page LIMIT 2;
-- plan: OneGroup, Count 0.19405 x1; OneGroup, Count 0.19395 x1; LargestKeys epsilon=0.112 counted=a0 k=2, 'page' VARCHAR; rows of shops
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND t_."ok") AS t
  GROUP BY t.unit) AS t;
-- score:
SELECT t.k0 AS "page", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t_."page" AS k0, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND t_."page" IN ('a', 'b', 'e', 'z')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "page", "answer"."a0" AS "n", (SELECT system.main.count(*) AS "count_star()"
  FROM (SELECT "4.name" AS "name"
    FROM "blocks"
    WHERE "block" = 4) AS "shops") AS "shops", system.main."-"((SELECT "answer"."a0" AS "count_star()"
    FROM (SELECT "1.a0" AS "a0", "1.a0_low" AS "a0_low", "1.a0_high" AS "a0_high", "1.a0_gap" AS "a0_gap",
        "1.a0_p_value" AS "a0_p_value"
      FROM "blocks"
      WHERE "block" = 1) AS "answer"), (SELECT "answer"."a0" AS "count_star()"
    FROM (SELECT "2.a0" AS "a0", "2.a0_low" AS "a0_low", "2.a0_high" AS "a0_high", "2.a0_gap" AS "a0_gap",
        "2.a0_p_value" AS "a0_p_value"
      FROM "blocks"
      WHERE "block" = 2) AS "answer")) AS "others"
FROM (SELECT "3.k0" AS "k0", "3.rank" AS "rank", "3.a0" AS "a0", "3.a0_low" AS "a0_low", "3.a0_high" AS
    "a0_high", "3.a0_gap" AS "a0_gap", "3.a0_p_value" AS "a0_p_value"
  FROM "blocks"
  WHERE "block" = 3) AS "answer"
ORDER BY "answer"."a0" DESC NULLS LAST, "answer"."k0" NULLS LAST, "answer"."rank"
LIMIT 2;
----
SELECT v.page, v.n, round(100 * v.n / t.n, 1) AS pct FROM (SELECT page, count(*) AS n FROM visits GROUP BY page) AS v CROSS JOIN (SELECT count(*) AS n FROM visits) AS t ORDER BY v.page;
-- plain:
SELECT k AS page, count(DISTINCT uid) AS n, round(100 * count(DISTINCT uid) / (SELECT count(DISTINCT uid) FROM visits), 1) AS pct FROM (VALUES ('a'), ('b'), ('e'), ('z')) AS d(k) LEFT JOIN visits ON page = k GROUP BY k ORDER BY k;
-- plan: OneGroup, Count 0.16665 x1; EveryKey groups=4, 'page' VARCHAR, Count 0.33335 x4
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- score:
SELECT t.k0 AS "page", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t_."page" AS k0, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND t_."page" IN ('a', 'b', 'e', 'z')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "v"."page", "v"."n", system.main.round(system.main."/"(system.main."*"(100, "v"."n"), "t"."n"), 1) AS
  "pct"
FROM (SELECT "answer"."k0" AS "page", "answer"."a0" AS "n"
  FROM (SELECT "2.k0" AS "k0", "2.a0" AS "a0", "2.a0_low" AS "a0_low", "2.a0_high" AS "a0_high", "2.a0_gap" AS
      "a0_gap", "2.a0_p_value" AS "a0_p_value"
    FROM "blocks"
    WHERE "block" = 2) AS "answer") AS "v"
CROSS
JOIN (SELECT "answer"."a0" AS "n"
  FROM (SELECT "1.a0" AS "a0", "1.a0_low" AS "a0_low", "1.a0_high" AS "a0_high", "1.a0_gap" AS "a0_gap",
      "1.a0_p_value" AS "a0_p_value"
    FROM "blocks"
    WHERE "block" = 1) AS "answer") AS "t"
ORDER BY "v"."page" ASC NULLS LAST;
----
SELECT page FROM (SELECT page, count(*) AS n FROM visits GROUP BY page) WHERE n > 0 EXCEPT SELECT name FROM shops ORDER BY page;
-- plain:
SELECT DISTINCT page FROM visits WHERE page IN ('a', 'b', 'e', 'z') ORDER BY page;
-- plan: EveryKey groups=4, 'page' VARCHAR, Count 0.5 x4; rows of shops
-- score:
SELECT t.k0 AS "page", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t_."page" AS k0, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND t_."page" IN ('a', 'b', 'e', 'z')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
(SELECT "page"
  FROM (SELECT "answer"."k0" AS "page", "answer"."a0" AS "n"
    FROM (SELECT "1.k0" AS "k0", "1.a0" AS "a0", "1.a0_low" AS "a0_low", "1.a0_high" AS "a0_high", "1.a0_gap"
        AS "a0_gap", "1.a0_p_value" AS "a0_p_value"
      FROM "blocks"
      WHERE "block" = 1) AS "answer")
  WHERE ("n" > 0)) EXCEPT (SELECT "name"
  FROM (SELECT "2.name" AS "name"
    FROM "blocks"
    WHERE "block" = 2) AS "shops")
ORDER BY "page" ASC NULLS LAST;
