SELECT page, count(*) AS n FROM visits GROUP BY page ORDER BY count(*) DESC LIMIT 2;
-- plan: TopKPlan, 'page' VARCHAR (key), 'n' BIGINT (count), k=2, delta=0
-- score:
SELECT t."page" AS "page", system.main.count(*) AS score FROM (SELECT t."page" AS "page" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND t."page" IN ('a', 'b', 'e', 'z') GROUP BY t."page", t."uid") AS t GROUP BY t."page";
-- plain:
SELECT page, count(DISTINCT uid) FROM visits WHERE (true) AND uid IS NOT NULL AND page IN ('a','b','e','z') GROUP BY ALL HAVING count(DISTINCT uid) > 0;
----
SELECT count(*) AS n, page FROM visits GROUP BY page ORDER BY n DESC LIMIT 2;
-- plan: TopKPlan, 'n' BIGINT (count), 'page' VARCHAR (key), k=2, delta=0
-- score:
SELECT t."page" AS "page", system.main.count(*) AS score FROM (SELECT t."page" AS "page" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND t."page" IN ('a', 'b', 'e', 'z') GROUP BY t."page", t."uid") AS t GROUP BY t."page";
-- plain:
SELECT page, count(DISTINCT uid) FROM visits WHERE (true) AND uid IS NOT NULL AND page IN ('a','b','e','z') GROUP BY ALL HAVING count(DISTINCT uid) > 0;
----
SELECT page FROM visits GROUP BY page ORDER BY count(*) DESC LIMIT 3;
-- plan: TopKPlan, 'page' VARCHAR (key), k=3, delta=0
-- score:
SELECT t."page" AS "page", system.main.count(*) AS score FROM (SELECT t."page" AS "page" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND t."page" IN ('a', 'b', 'e', 'z') GROUP BY t."page", t."uid") AS t GROUP BY t."page";
-- plain:
SELECT page, count(DISTINCT uid) FROM visits WHERE (true) AND uid IS NOT NULL AND page IN ('a','b','e','z') GROUP BY ALL HAVING count(DISTINCT uid) > 0;
----
SELECT page, count(*) FROM visits WHERE ok GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 1;
-- plan: TopKPlan, 'page' VARCHAR (key), 'count_star()' BIGINT (count), k=1, delta=0
-- score:
SELECT t."page" AS "page", system.main.count(*) AS score FROM (SELECT t."page" AS "page" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND t."ok" AND t."page" IN ('a', 'b', 'e', 'z') GROUP BY t."page", t."uid") AS t GROUP BY t."page";
-- plain:
SELECT page, count(DISTINCT uid) FROM visits WHERE (ok) AND uid IS NOT NULL AND page IN ('a','b','e','z') GROUP BY ALL HAVING count(DISTINCT uid) > 0;
----
FROM visits SELECT page, count(DISTINCT uid) AS n GROUP BY ALL ORDER BY n DESC LIMIT 2;
-- plan: TopKPlan, 'page' VARCHAR (key), 'n' BIGINT (count), k=2, delta=0
-- score:
SELECT t."page" AS "page", system.main.count(*) AS score FROM (SELECT t."page" AS "page" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND t."page" IN ('a', 'b', 'e', 'z') GROUP BY t."page", t."uid") AS t GROUP BY t."page";
-- plain:
SELECT page, count(DISTINCT uid) FROM visits WHERE (true) AND uid IS NOT NULL AND page IN ('a','b','e','z') GROUP BY ALL HAVING count(DISTINCT uid) > 0;
----
SELECT v.page AS p, count(v.uid) FROM public.visits v GROUP BY p ORDER BY count(DISTINCT v.uid) DESC, p ASC LIMIT 2;
-- plan: TopKPlan, 'p' VARCHAR (key), 'count(v.uid)' BIGINT (count), k=2, delta=0
-- score:
SELECT t."page" AS "page", system.main.count(*) AS score FROM (SELECT t."page" AS "page" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND t."page" IN ('a', 'b', 'e', 'z') GROUP BY t."page", t."uid") AS t GROUP BY t."page";
-- plain:
SELECT page, count(DISTINCT uid) FROM visits WHERE (true) AND uid IS NOT NULL AND page IN ('a','b','e','z') GROUP BY ALL HAVING count(DISTINCT uid) > 0;
----
SELECT "public"."visits"."page" AS "page", COUNT(*) AS "count" FROM "public"."visits" GROUP BY "public"."visits"."page" ORDER BY "count" DESC, "public"."visits"."page" ASC LIMIT 2;
-- plan: TopKPlan, 'page' VARCHAR (key), 'count' BIGINT (count), k=2, delta=0
-- score:
SELECT t."page" AS "page", system.main.count(*) AS score FROM (SELECT t."page" AS "page" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND t."page" IN ('a', 'b', 'e', 'z') GROUP BY t."page", t."uid") AS t GROUP BY t."page";
-- plain:
SELECT page, count(DISTINCT uid) FROM visits WHERE (true) AND uid IS NOT NULL AND page IN ('a','b','e','z') GROUP BY ALL HAVING count(DISTINCT uid) > 0;
----
SELECT age, count(*) FROM visits GROUP BY age ORDER BY count(*) DESC LIMIT 10;
-- plan: TopKPlan, 'age' INTEGER (key), 'count_star()' BIGINT (count), k=10, delta=0
-- score:
SELECT t."age" AS "age", system.main.count(*) AS score FROM (SELECT t."age" AS "age" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND (t."age" >= 0 AND t."age" <= 99) GROUP BY t."age", t."uid") AS t GROUP BY t."age";
-- plain:
SELECT age, count(DISTINCT uid) FROM visits WHERE (true) AND uid IS NOT NULL AND age BETWEEN 0 AND 99 GROUP BY ALL HAVING count(DISTINCT uid) > 0;
----
SELECT big, count(*) FROM visits GROUP BY big ORDER BY count(*) DESC LIMIT 10;
-- plan: TopKPlan, 'big' BIGINT (key), 'count_star()' BIGINT (count), k=10, delta=0
-- score:
SELECT t."big" AS "big", system.main.count(*) AS score FROM (SELECT t."big" AS "big" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND (CASE WHEN t."big" >= CAST('-9000000000000000000' AS BIGINT) AND t."big" <= 9000000000000000000 THEN system.main."%"(system.main."-"(CAST(t."big" AS HUGEINT), CAST('-9000000000000000000' AS HUGEINT)), CAST('1000' AS HUGEINT)) = 0 ELSE FALSE END) GROUP BY t."big", t."uid") AS t GROUP BY t."big";
-- plain:
SELECT big, count(DISTINCT uid) FROM visits WHERE (true) AND uid IS NOT NULL AND big BETWEEN -9000000000000000000 AND 9000000000000000000 AND (big::HUGEINT + 9000000000000000000) % 1000 = 0 GROUP BY ALL HAVING count(DISTINCT uid) > 0;
----
SELECT amount, count(*) FROM visits GROUP BY amount ORDER BY count(*) DESC LIMIT 10;
-- plan: TopKPlan, 'amount' DECIMAL(9,2) (key), 'count_star()' BIGINT (count), k=10, delta=0
-- score:
SELECT t."amount" AS "amount", system.main.count(*) AS score FROM (SELECT t."amount" AS "amount" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND (CASE WHEN t."amount" >= CAST('0.00' AS DECIMAL(9,2)) AND t."amount" <= CAST('50.00' AS DECIMAL(9,2)) THEN system.main."%"(system.main."-"(CAST(t."amount" AS DECIMAL(38,2)), CAST('0.00' AS DECIMAL(38,2))), CAST('0.50' AS DECIMAL(38,2))) = 0 ELSE FALSE END) GROUP BY t."amount", t."uid") AS t GROUP BY t."amount";
-- plain:
SELECT amount, count(DISTINCT uid) FROM visits WHERE (true) AND uid IS NOT NULL AND amount BETWEEN 0 AND 50 AND amount % 0.5 = 0 GROUP BY ALL HAVING count(DISTINCT uid) > 0;
----
SELECT day, count(*) FROM visits GROUP BY day ORDER BY count(*) DESC LIMIT 5;
-- plan: TopKPlan, 'day' DATE (key), 'count_star()' BIGINT (count), k=5, delta=0
-- score:
SELECT t."day" AS "day", system.main.count(*) AS score FROM (SELECT t."day" AS "day" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND (CASE WHEN t."day" >= DATE '2024-01-05' AND t."day" <= DATE '2024-01-31' THEN system.main."%"(system.main."-"(t."day", DATE '2024-01-05'), 2) = 0 ELSE FALSE END) GROUP BY t."day", t."uid") AS t GROUP BY t."day";
-- plain:
SELECT day, count(DISTINCT uid) FROM visits WHERE (true) AND uid IS NOT NULL AND CASE WHEN isfinite(day) THEN day BETWEEN '2024-01-05' AND '2024-01-31' AND dayofmonth(day) % 2 = 1 END GROUP BY ALL HAVING count(DISTINCT uid) > 0;
----
SELECT moment, count(*) FROM visits GROUP BY moment ORDER BY count(*) DESC LIMIT 5;
-- plan: TopKPlan, 'moment' TIMESTAMP (key), 'count_star()' BIGINT (count), k=5, delta=0
-- score:
SELECT t."moment" AS "moment", system.main.count(*) AS score FROM (SELECT t."moment" AS "moment" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND (CASE WHEN t."moment" >= TIMESTAMP '2024-01-02 00:00:00' AND t."moment" <= TIMESTAMP '2024-01-04 00:00:00' THEN system.main."%"(system.main."-"(system.main.epoch_us(t."moment"), 1704153600000000), 3600000000) = 0 ELSE FALSE END) GROUP BY t."moment", t."uid") AS t GROUP BY t."moment";
-- plain:
SELECT moment, count(DISTINCT uid) FROM visits WHERE (true) AND uid IS NOT NULL AND CASE WHEN isfinite(moment) THEN moment BETWEEN '2024-01-02' AND '2024-01-04' AND minute(moment) = 0 END GROUP BY ALL HAVING count(DISTINCT uid) > 0;
----
SELECT region, count(*) FROM people GROUP BY region ORDER BY count(*) DESC LIMIT 2;
-- plan: TopKPlan, 'region' VARCHAR (key), 'count_star()' BIGINT (count), k=2, delta=1/1000000
-- score:
SELECT t_."region" AS "region", system.main.count(*) AS score FROM "memory"."main"."people" AS t_ WHERE t_."id" IS NOT NULL GROUP BY t_."region";
-- plain:
SELECT region, count(DISTINCT id) FROM people WHERE (true) AND id IS NOT NULL AND true GROUP BY ALL HAVING count(DISTINCT id) > 0;
----
SELECT disease, count(*) AS n FROM visits GROUP BY disease ORDER BY n DESC LIMIT 2;
-- plan: TopKPlan, 'disease' VARCHAR (key), 'n' BIGINT (count), k=2, delta=1/1000000
-- score:
SELECT t."disease" AS "disease", system.main.count(*) AS score FROM (SELECT t."disease" AS "disease" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL GROUP BY t."disease", t."uid") AS t GROUP BY t."disease";
-- plain:
SELECT disease, count(DISTINCT uid) FROM visits WHERE uid IS NOT NULL GROUP BY disease;
