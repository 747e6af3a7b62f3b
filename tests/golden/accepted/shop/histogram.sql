SELECT page, count(*) FROM visits GROUP BY page;
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
SELECT "answer"."k0" AS "page", "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT page, count(*) FROM visits GROUP BY page ORDER BY page DESC;
-- plain:
SELECT d.page, count(DISTINCT uid) FROM (VALUES ('a'), ('b'), ('e'), ('z')) AS d(page) LEFT JOIN visits AS v ON v.page = d.page GROUP BY d.page ORDER BY d.page DESC;
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
SELECT "answer"."k0" AS "page", "answer"."a0" AS "count_star()"
FROM "answer"
ORDER BY "answer"."k0" DESC NULLS LAST;
----
SELECT page, count(*) FROM visits GROUP BY page ORDER BY count(*) DESC, page LIMIT 4;
-- plain:
SELECT d.page, count(DISTINCT uid) AS n FROM (VALUES ('a'), ('b'), ('e'), ('z')) AS d(page) LEFT JOIN visits AS v ON v.page = d.page GROUP BY d.page ORDER BY n DESC, d.page;
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
SELECT "answer"."k0" AS "page", "answer"."a0" AS "count_star()"
FROM "answer"
ORDER BY "answer"."a0" DESC NULLS LAST, "answer"."k0" NULLS LAST
LIMIT 4;
----
SELECT page FROM visits GROUP BY page ORDER BY count(*) DESC, page LIMIT 1000001;
-- plain:
SELECT d.page FROM (VALUES ('a'), ('b'), ('e'), ('z')) AS d(page) LEFT JOIN visits AS v ON v.page = d.page GROUP BY d.page ORDER BY count(DISTINCT uid) DESC, d.page;
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
SELECT "answer"."k0" AS "page"
FROM "answer"
ORDER BY "answer"."a0" DESC NULLS LAST, "answer"."k0" NULLS LAST
LIMIT 1000001;
----
SELECT page, page AS again, count(1) FROM visits GROUP BY (page) ORDER BY again LIMIT 100;
-- plain:
SELECT d.page, d.page AS again, count(DISTINCT uid) FROM (VALUES ('a'), ('b'), ('e'), ('z')) AS d(page) LEFT JOIN visits AS v ON v.page = d.page GROUP BY d.page ORDER BY d.page;
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
SELECT "answer"."k0" AS "page", "answer"."k0" AS "again", "answer"."a0" AS "count(1)"
FROM "answer"
ORDER BY "answer"."k0" NULLS LAST
LIMIT 100;
----
SELECT page, count(*) FROM visits GROUP BY page HAVING count(*) > 0;
-- plain:
SELECT page, count(DISTINCT uid) FROM visits WHERE page IN ('a', 'b', 'e', 'z') AND uid IS NOT NULL GROUP BY page;
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
SELECT "answer"."k0" AS "page", "answer"."a0" AS "count_star()"
FROM "answer"
WHERE ("answer"."a0" > 0);
----
SELECT ok, count(*) FROM visits GROUP BY ok;
-- plain:
SELECT ok, count(DISTINCT uid) FROM visits WHERE ok IS NOT NULL AND uid IS NOT NULL GROUP BY ok;
-- plan: EveryKey groups=2, 'ok' BOOLEAN, Count 0.5 x2
-- score:
SELECT t.k0 AS "ok", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t_."ok" AS k0, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND t_."ok" IS NOT NULL) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "ok", "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT ok, count(*) FROM visits WHERE ok GROUP BY ok;
-- plain:
SELECT true AS ok, count(DISTINCT uid) FROM visits WHERE ok;
-- plan: EveryKey groups=1, 'ok' BOOLEAN, Count 0.5 x1
-- score:
SELECT t.k0 AS "ok", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t_."ok" AS k0, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND t_."ok" AND t_."ok" IN (TRUE)) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "ok", "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT grade, count(*) AS n FROM visits GROUP BY grade ORDER BY n, grade;
-- plain:
SELECT grade, count(DISTINCT uid) AS n FROM visits WHERE grade IS NOT NULL AND uid IS NOT NULL GROUP BY grade ORDER BY n, grade;
-- plan: EveryKey groups=3, 'grade' ENUM('low', 'mid', 'high'), Count 0.5 x3
-- score:
SELECT t.k0 AS "grade", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t_."grade" AS k0, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND t_."grade" IS NOT NULL) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "grade", "answer"."a0" AS "n"
FROM "answer"
ORDER BY "answer"."a0" NULLS LAST, "answer"."k0" NULLS LAST;
----
SELECT grade, count(*) AS n FROM visits WHERE grade <> 'mid' GROUP BY grade ORDER BY grade DESC;
-- plain:
SELECT d.grade, count(DISTINCT uid) FROM (VALUES ('low'), ('high')) AS d(grade) LEFT JOIN visits AS v ON v.grade::VARCHAR = d.grade GROUP BY d.grade ORDER BY CASE d.grade WHEN 'high' THEN 1 WHEN 'mid' THEN 2 ELSE 3 END;
-- plan: EveryKey groups=2, 'grade' ENUM('low', 'mid', 'high'), Count 0.5 x2
-- score:
SELECT t.k0 AS "grade", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t_."grade" AS k0, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (CAST(t_."grade" AS VARCHAR) <> 'mid') AND CAST(t_."grade" AS VARCHAR) IN ('low',
        'high')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "grade", "answer"."a0" AS "n"
FROM "answer"
ORDER BY "answer"."k0" DESC NULLS LAST;
----
SELECT tiny, count(*) FROM visits GROUP BY ALL;
-- plain:
SELECT d.tiny::TINYINT, count(DISTINCT uid) FROM range(10, 91, 20) AS d(tiny) LEFT JOIN visits AS v ON v.tiny = d.tiny GROUP BY d.tiny;
-- plan: EveryKey groups=5, 'tiny' TINYINT, Count 0.5 x5 gaussian 5
-- score:
SELECT t.k0 AS "tiny", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t_."tiny" AS k0, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (CASE WHEN t_."tiny" >= 10 AND t_."tiny" <= 90 THEN system.main."%"(system.main."-"(CAST(t_."tiny"
              AS HUGEINT), CAST('10' AS HUGEINT)), CAST('20' AS HUGEINT)) = 0 ELSE FALSE END)) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "tiny", "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT score, count(*) AS n FROM visits GROUP BY score;
-- plain:
SELECT d.score::INTEGER, count(DISTINCT uid) FROM (VALUES (0), (5), (10)) AS d(score) LEFT JOIN visits AS v ON v.score = d.score GROUP BY d.score;
-- plan: EveryKey groups=3, 'key' INTEGER, Count 0.5 x3
-- score:
SELECT t.k0 AS "key", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t_."score" AS k0, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (CASE WHEN t_."score" >= 0 AND t_."score" <= 10 THEN system.main."%"(system.main."-"(CAST(t_."score"
              AS HUGEINT), CAST('0' AS HUGEINT)), CAST('5' AS HUGEINT)) = 0 ELSE FALSE END)) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "score", "answer"."a0" AS "n"
FROM "answer";
----
SELECT "order", count(*) FROM visits GROUP BY "order";
-- plain:
SELECT d.o, count(DISTINCT uid) FROM (VALUES (0), (1), (2)) AS d(o) LEFT JOIN visits AS v ON v."order" = d.o GROUP BY d.o;
-- plan: EveryKey groups=3, 'order' INTEGER, Count 0.5 x3
-- score:
SELECT t.k0 AS "order", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t_."order" AS k0, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND t_."order" IN (0, 1, 2)) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "order", "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT "A b", count(*) FROM visits GROUP BY "a B";
-- plain:
SELECT d.o, count(DISTINCT uid) FROM (VALUES (0), (2)) AS d(o) LEFT JOIN visits AS v ON v."A b" = d.o GROUP BY d.o;
-- plan: EveryKey groups=2, 'a B' INTEGER, Count 0.5 x2
-- score:
SELECT t.k0 AS "a B", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t_."A b" AS k0, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND t_."A b" IN (0, 2)) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "A b", "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT age, count(*) AS n FROM visits GROUP BY age;
-- plain:
SELECT d.age::INTEGER, count(DISTINCT uid) FROM range(100) AS d(age) LEFT JOIN visits AS v ON v.age = d.age GROUP BY d.age;
-- plan: EveryKey groups=100, 'age' INTEGER, Count 0.5 x100 gaussian 100
-- score:
SELECT t.k0 AS "age", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t_."age" AS k0, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."age" >= 0 AND t_."age" <= 99)) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "age", "answer"."a0" AS "n"
FROM "answer";
----
SELECT huge, count(*) AS n FROM visits GROUP BY huge;
-- plain:
SELECT d.huge, count(DISTINCT uid) FROM range(0, 101, 10) AS d(huge) LEFT JOIN visits AS v ON v.huge = d.huge GROUP BY d.huge;
-- plan: EveryKey groups=11, 'huge' HUGEINT, Count 0.5 x11 gaussian 11
-- score:
SELECT t.k0 AS "huge", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t_."huge" AS k0, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (CASE WHEN t_."huge" >= CAST('0' AS HUGEINT) AND t_."huge" <= CAST('100' AS
          HUGEINT) THEN system.main."%"(system.main."-"(CAST(t_."huge" AS HUGEINT), CAST('0' AS HUGEINT)),
          CAST('10' AS HUGEINT)) = 0 ELSE FALSE END)) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "huge", "answer"."a0" AS "n"
FROM "answer";
----
SELECT amount, count(*) AS n FROM visits GROUP BY amount;
-- plain:
SELECT (d.i / 2)::DECIMAL(9,2), count(DISTINCT uid) FROM range(101) AS d(i) LEFT JOIN visits AS v ON v.amount = d.i / 2 GROUP BY d.i;
-- plan: EveryKey groups=101, 'amount' DECIMAL(9,2), Count 0.5 x101 gaussian 101
-- score:
SELECT t.k0 AS "amount", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t_."amount" AS k0, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (CASE WHEN t_."amount" >= CAST('0.00' AS DECIMAL(9,2)) AND t_."amount" <=
        CAST('50.00' AS DECIMAL(9,2)) THEN system.main."%"(system.main."-"(CAST(t_."amount" AS DECIMAL(38,2)),
            CAST('0.00' AS DECIMAL(38,2))), CAST('0.50' AS DECIMAL(38,2))) = 0 ELSE FALSE END)) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "amount", "answer"."a0" AS "n"
FROM "answer";
----
SELECT day, count(*) AS n FROM visits GROUP BY day ORDER BY day;
-- plain:
SELECT d.day::DATE AS day, count(DISTINCT uid) FROM range(DATE '2024-01-05', DATE '2024-02-01', INTERVAL 2 DAY) AS d(day) LEFT JOIN visits AS v ON v.day = d.day GROUP BY d.day ORDER BY day;
-- plan: EveryKey groups=14, 'day' DATE, Count 0.5 x14 gaussian 14
-- score:
SELECT t.k0 AS "day", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t_."day" AS k0, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (CASE WHEN t_."day" >= DATE '2024-01-05' AND t_."day" <= DATE '2024-01-31'
        THEN system.main."%"(system.main."-"(t_."day", DATE '2024-01-05'), CAST('2' AS BIGINT)) = 0 ELSE FALSE
        END)) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "day", "answer"."a0" AS "n"
FROM "answer"
ORDER BY "answer"."k0" NULLS LAST;
----
SELECT moment, count(*) AS n FROM visits GROUP BY moment;
-- plain:
SELECT d.moment, count(DISTINCT uid) FROM range(TIMESTAMP '2024-01-02', TIMESTAMP '2024-01-04 00:00:01', INTERVAL 1 HOUR) AS d(moment) LEFT JOIN visits AS v ON v.moment = d.moment GROUP BY d.moment;
-- plan: EveryKey groups=49, 'moment' TIMESTAMP, Count 0.5 x49 gaussian 49
-- score:
SELECT t.k0 AS "moment", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t_."moment" AS k0, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (CASE WHEN t_."moment" >= TIMESTAMP '2024-01-02 00:00:00' AND t_."moment"
        <= TIMESTAMP '2024-01-04 00:00:00' THEN system.main."%"(system.main."-"(system.main.epoch_us(t_."moment"),
            CAST('1704153600000000' AS BIGINT)), CAST('3600000000' AS BIGINT)) = 0 ELSE FALSE END)) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "moment", "answer"."a0" AS "n"
FROM "answer";
----
SELECT page, count(*) AS n FROM visits WHERE age < -500 GROUP BY page;
-- plain:
SELECT page, 0 FROM (VALUES ('a'), ('b'), ('e'), ('z')) AS d(page);
-- plan: EveryKey groups=4, 'page' VARCHAR, Count 0.5 x4
-- score:
SELECT t.k0 AS "page", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t_."page" AS k0, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."age" < CAST('-500' AS INTEGER)) AND t_."page" IN ('a', 'b', 'e', 'z'))
    AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "page", "answer"."a0" AS "n"
FROM "answer";
----
SELECT count(*) AS n FROM visits GROUP BY page;
-- plain:
SELECT count(DISTINCT uid) FROM (VALUES ('a'), ('b'), ('e'), ('z')) AS d(page) LEFT JOIN visits AS v ON v.page = d.page GROUP BY d.page;
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
SELECT "answer"."a0" AS "n"
FROM "answer";
----
SELECT DISTINCT count(*) > 0 AS seen FROM visits GROUP BY page;
-- plain:
VALUES (true), (false);
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
SELECT DISTINCT ("answer"."a0" > 0) AS "seen"
FROM "answer"
ORDER BY 1;
----
SELECT tiny, count(*) FROM visits WHERE tiny > 40 GROUP BY ALL ORDER BY ALL;
-- plain:
SELECT d.tiny::TINYINT AS t, count(DISTINCT uid) FROM range(50, 91, 20) AS d(tiny) LEFT JOIN visits AS v ON v.tiny = d.tiny GROUP BY d.tiny ORDER BY t;
-- plan: EveryKey groups=3, 'tiny' TINYINT, Count 0.5 x3
-- score:
SELECT t.k0 AS "tiny", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t_."tiny" AS k0, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."tiny" > 40) AND (CASE WHEN t_."tiny" >= 50 AND t_."tiny" <= 90 THEN
        system.main."%"(system.main."-"(CAST(t_."tiny" AS HUGEINT), CAST('50' AS HUGEINT)), CAST('20' AS
            HUGEINT)) = 0 ELSE FALSE END)) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "tiny", "answer"."a0" AS "count_star()"
FROM "answer"
ORDER BY "answer"."k0" NULLS LAST, "answer"."a0" NULLS LAST;
----
SELECT page FROM visits GROUP BY page;
-- plain:
VALUES ('a'), ('b'), ('e'), ('z');
-- plan: public
-- answer:
SELECT "answer"."k0" AS "page"
FROM (VALUES (CAST('a' AS VARCHAR)), (CAST('b' AS VARCHAR)), (CAST('e' AS VARCHAR)), (CAST('z' AS VARCHAR)))
  AS "answer"("k0");
----
SELECT DISTINCT page FROM visits;
-- plain:
VALUES ('a'), ('b'), ('e'), ('z');
-- plan: public
-- answer:
SELECT DISTINCT "answer"."k0" AS "page"
FROM (VALUES (CAST('a' AS VARCHAR)), (CAST('b' AS VARCHAR)), (CAST('e' AS VARCHAR)), (CAST('z' AS VARCHAR)))
  AS "answer"("k0")
ORDER BY 1;
