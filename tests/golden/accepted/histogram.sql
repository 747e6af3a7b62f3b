SELECT page, count(*) FROM visits GROUP BY page;
-- plan: HistogramPlan, 'page' VARCHAR (key), 'count_star()' BIGINT (count), groups=4, order_by=(), delta=0
-- score:
SELECT t."page" AS "page", system.main.count(*) AS score FROM (SELECT t."page" AS "page" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND t."page" IN ('a', 'b', 'e', 'z') GROUP BY t."page", t."uid") AS t GROUP BY t."page";
-- plain:
SELECT page, count(DISTINCT uid) FROM visits WHERE (true) AND uid IS NOT NULL AND page IN ('a','b','e','z') GROUP BY ALL HAVING count(DISTINCT uid) > 0;
----
SELECT page, count(*) FROM visits GROUP BY page ORDER BY page DESC;
-- plan: HistogramPlan, 'page' VARCHAR (key), 'count_star()' BIGINT (count), groups=4, order_by=((0, True),), delta=0
-- score:
SELECT t."page" AS "page", system.main.count(*) AS score FROM (SELECT t."page" AS "page" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND t."page" IN ('a', 'b', 'e', 'z') GROUP BY t."page", t."uid") AS t GROUP BY t."page";
-- plain:
SELECT page, count(DISTINCT uid) FROM visits WHERE (true) AND uid IS NOT NULL AND page IN ('a','b','e','z') GROUP BY ALL HAVING count(DISTINCT uid) > 0;
----
SELECT page, count(*) FROM visits GROUP BY page ORDER BY count(*) DESC LIMIT 4;
-- plan: HistogramPlan, 'page' VARCHAR (key), 'count_star()' BIGINT (count), groups=4, order_by=((1, True),), delta=0
-- score:
SELECT t."page" AS "page", system.main.count(*) AS score FROM (SELECT t."page" AS "page" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND t."page" IN ('a', 'b', 'e', 'z') GROUP BY t."page", t."uid") AS t GROUP BY t."page";
-- plain:
SELECT page, count(DISTINCT uid) FROM visits WHERE (true) AND uid IS NOT NULL AND page IN ('a','b','e','z') GROUP BY ALL HAVING count(DISTINCT uid) > 0;
----
SELECT page FROM visits GROUP BY page ORDER BY count(*) DESC, page LIMIT 1000001;
-- plan: HistogramPlan, 'page' VARCHAR (key), groups=4, order_by=((-1, True), (0, False)), delta=0
-- score:
SELECT t."page" AS "page", system.main.count(*) AS score FROM (SELECT t."page" AS "page" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND t."page" IN ('a', 'b', 'e', 'z') GROUP BY t."page", t."uid") AS t GROUP BY t."page";
-- plain:
SELECT page, count(DISTINCT uid) FROM visits WHERE (true) AND uid IS NOT NULL AND page IN ('a','b','e','z') GROUP BY ALL HAVING count(DISTINCT uid) > 0;
----
SELECT page, page AS again, count(1) FROM visits GROUP BY (page) ORDER BY again LIMIT 100;
-- plan: HistogramPlan, 'page' VARCHAR (key), 'again' VARCHAR (key), 'count(1)' BIGINT (count), groups=4, order_by=((1, False),), delta=0
-- score:
SELECT t."page" AS "page", system.main.count(*) AS score FROM (SELECT t."page" AS "page" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND t."page" IN ('a', 'b', 'e', 'z') GROUP BY t."page", t."uid") AS t GROUP BY t."page";
-- plain:
SELECT page, count(DISTINCT uid) FROM visits WHERE (true) AND uid IS NOT NULL AND page IN ('a','b','e','z') GROUP BY ALL HAVING count(DISTINCT uid) > 0;
----
SELECT ok, count(*) FROM visits GROUP BY ok;
-- plan: HistogramPlan, 'ok' BOOLEAN (key), 'count_star()' BIGINT (count), groups=2, order_by=(), delta=0
-- score:
SELECT t."ok" AS "ok", system.main.count(*) AS score FROM (SELECT t."ok" AS "ok" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND t."ok" IS NOT NULL GROUP BY t."ok", t."uid") AS t GROUP BY t."ok";
-- plain:
SELECT ok, count(DISTINCT uid) FROM visits WHERE (true) AND uid IS NOT NULL AND ok IS NOT NULL GROUP BY ALL HAVING count(DISTINCT uid) > 0;
----
SELECT grade, count(*) AS n FROM visits GROUP BY grade ORDER BY n;
-- plan: HistogramPlan, 'grade' ENUM('low', 'mid', 'high') (key), 'n' BIGINT (count), groups=3, order_by=((1, False),), delta=0
-- score:
SELECT t."grade" AS "grade", system.main.count(*) AS score FROM (SELECT t."grade" AS "grade" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND t."grade" IS NOT NULL GROUP BY t."grade", t."uid") AS t GROUP BY t."grade";
-- plain:
SELECT grade, count(DISTINCT uid) FROM visits WHERE (true) AND uid IS NOT NULL AND grade IS NOT NULL GROUP BY ALL HAVING count(DISTINCT uid) > 0;
----
SELECT tiny, count(*) FROM visits GROUP BY ALL;
-- plan: HistogramPlan, 'tiny' TINYINT (key), 'count_star()' BIGINT (count), groups=5, order_by=(), delta=0
-- score:
SELECT t."tiny" AS "tiny", system.main.count(*) AS score FROM (SELECT t."tiny" AS "tiny" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND (CASE WHEN t."tiny" >= 10 AND t."tiny" <= 90 THEN system.main."%"(system.main."-"(CAST(t."tiny" AS HUGEINT), CAST('10' AS HUGEINT)), CAST('20' AS HUGEINT)) = 0 ELSE FALSE END) GROUP BY t."tiny", t."uid") AS t GROUP BY t."tiny";
-- plain:
SELECT tiny, count(DISTINCT uid) FROM visits WHERE (true) AND uid IS NOT NULL AND tiny IN (10,30,50,70,90) GROUP BY ALL HAVING count(DISTINCT uid) > 0;
----
SELECT score, count(*) AS n FROM visits GROUP BY score;
-- plan: HistogramPlan, 'score' INTEGER (key), 'n' BIGINT (count), groups=3, order_by=(), delta=0
-- score:
SELECT t."key" AS "key", system.main.count(*) AS score FROM (SELECT t."score" AS "key" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND (CASE WHEN t."score" >= 0 AND t."score" <= 10 THEN system.main."%"(system.main."-"(CAST(t."score" AS HUGEINT), CAST('0' AS HUGEINT)), CAST('5' AS HUGEINT)) = 0 ELSE FALSE END) GROUP BY t."score", t."uid") AS t GROUP BY t."key";
-- plain:
SELECT score AS key, n FROM (SELECT score, count(DISTINCT uid) FROM visits WHERE (true) AND uid IS NOT NULL AND score IN (0,5,10) GROUP BY ALL HAVING count(DISTINCT uid) > 0) AS s(score, n);
----
SELECT "order", count(*) FROM visits GROUP BY "order";
-- plan: HistogramPlan, 'order' INTEGER (key), 'count_star()' BIGINT (count), groups=3, order_by=(), delta=0
-- score:
SELECT t."order" AS "order", system.main.count(*) AS score FROM (SELECT t."order" AS "order" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND t."order" IN (0, 1, 2) GROUP BY t."order", t."uid") AS t GROUP BY t."order";
-- plain:
SELECT "order", count(DISTINCT uid) FROM visits WHERE (true) AND uid IS NOT NULL AND "order" IN (0,1,2) GROUP BY ALL HAVING count(DISTINCT uid) > 0;
----
SELECT "a B", count() FROM visits GROUP BY "A B";
-- plan: HistogramPlan, 'A b' INTEGER (key), 'count_star()' BIGINT (count), groups=2, order_by=(), delta=0
-- score:
SELECT t."A b" AS "A b", system.main.count(*) AS score FROM (SELECT t."A b" AS "A b" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND t."A b" IN (0, 2) GROUP BY t."A b", t."uid") AS t GROUP BY t."A b";
-- plain:
SELECT "A b", count(DISTINCT uid) FROM visits WHERE (true) AND uid IS NOT NULL AND "A b" IN (0,2) GROUP BY ALL HAVING count(DISTINCT uid) > 0;
----
SELECT REGION, COUNT(*) FROM PEOPLE GROUP BY Region;
-- plan: HistogramPlan, 'region' VARCHAR (key), 'count_star()' BIGINT (count), groups=1, order_by=(), delta=1/1000000
-- score:
SELECT t_."region" AS "region", system.main.count(*) AS score FROM "memory"."main"."people" AS t_ WHERE t_."id" IS NOT NULL GROUP BY t_."region";
-- plain:
SELECT region, count(DISTINCT id) FROM people WHERE (true) AND id IS NOT NULL AND true GROUP BY ALL HAVING count(DISTINCT id) > 0;
----
SELECT t, count(*) AS t FROM people GROUP BY t;
-- plan: HistogramPlan, 't' INTEGER (key), 't' BIGINT (count), groups=1, order_by=(), delta=1/1000000
-- score:
SELECT t_."t" AS "t", system.main.count(*) AS score FROM "memory"."main"."people" AS t_ WHERE t_."id" IS NOT NULL GROUP BY t_."t";
-- plain:
SELECT t, count(DISTINCT id) FROM people WHERE (true) AND id IS NOT NULL AND true GROUP BY ALL HAVING count(DISTINCT id) > 0;
----
SELECT member AS page, count(id) FROM people GROUP BY page;
-- plan: HistogramPlan, 'page' BOOLEAN (key), 'count(id)' BIGINT (count), groups=1, order_by=(), delta=0
-- score:
SELECT t_."member" AS "member", system.main.count(*) AS score FROM "memory"."main"."people" AS t_ WHERE t_."id" IS NOT NULL AND t_."member" IS NOT NULL GROUP BY t_."member";
-- plain:
SELECT member, count(DISTINCT id) FROM people WHERE (true) AND id IS NOT NULL AND true GROUP BY ALL HAVING count(DISTINCT id) > 0;
----
SELECT age, count(*) FROM people WHERE age > 20 GROUP BY age;
-- plan: HistogramPlan, 'age' INTEGER (key), 'count_star()' BIGINT (count), groups=1, order_by=(), delta=0
-- score:
SELECT t_."age" AS "age", system.main.count(*) AS score FROM "memory"."main"."people" AS t_ WHERE t_."id" IS NOT NULL AND t_."age" > 20 AND (t_."age" >= 18 AND t_."age" <= 80) GROUP BY t_."age";
-- plain:
SELECT age, count(DISTINCT id) FROM people WHERE (age > 20) AND id IS NOT NULL AND age BETWEEN 18 AND 80 GROUP BY ALL HAVING count(DISTINCT id) > 0;
