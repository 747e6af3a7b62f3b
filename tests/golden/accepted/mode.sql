SELECT mode(page) FROM visits;
-- plan: ModePlan, '"mode"(page)' VARCHAR (value), delta=0
-- score:
SELECT t."page" AS "page", system.main.count(*) AS score FROM (SELECT t."page" AS "page" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND t."page" IN ('a', 'b', 'e', 'z') GROUP BY t."page", t."uid") AS t GROUP BY t."page";
-- plain:
SELECT page, count(DISTINCT uid) FROM visits WHERE (true) AND uid IS NOT NULL AND page IN ('a','b','e','z') GROUP BY ALL HAVING count(DISTINCT uid) > 0;
----
SELECT mode(page) AS m FROM visits WHERE age BETWEEN 20 AND 60;
-- plan: ModePlan, 'm' VARCHAR (value), delta=0
-- score:
SELECT t."page" AS "page", system.main.count(*) AS score FROM (SELECT t."page" AS "page" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND (t."age" >= 20 AND t."age" <= 60) AND t."page" IN ('a', 'b', 'e', 'z') GROUP BY t."page", t."uid") AS t GROUP BY t."page";
-- plain:
SELECT page, count(DISTINCT uid) FROM visits WHERE (age BETWEEN 20 AND 60) AND uid IS NOT NULL AND page IN ('a','b','e','z') GROUP BY ALL HAVING count(DISTINCT uid) > 0;
----
SELECT mode(grade) FROM visits;
-- plan: ModePlan, '"mode"(grade)' ENUM('low', 'mid', 'high') (value), delta=0
-- score:
SELECT t."grade" AS "grade", system.main.count(*) AS score FROM (SELECT t."grade" AS "grade" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND t."grade" IS NOT NULL GROUP BY t."grade", t."uid") AS t GROUP BY t."grade";
-- plain:
SELECT grade, count(DISTINCT uid) FROM visits WHERE (true) AND uid IS NOT NULL AND grade IS NOT NULL GROUP BY ALL HAVING count(DISTINCT uid) > 0;
----
SELECT mode(region) FROM people;
-- plan: ModePlan, '"mode"(region)' VARCHAR (value), delta=1/1000000
-- score:
SELECT t_."region" AS "region", system.main.count(*) AS score FROM "memory"."main"."people" AS t_ WHERE t_."id" IS NOT NULL GROUP BY t_."region";
-- plain:
SELECT region, count(DISTINCT id) FROM people WHERE (true) AND id IS NOT NULL AND true GROUP BY ALL HAVING count(DISTINCT id) > 0;
----
SELECT mode(disease) FROM visits;
-- plan: ModePlan, '"mode"(disease)' VARCHAR (value), delta=1/1000000
-- score:
SELECT t."disease" AS "disease", system.main.count(*) AS score FROM (SELECT t."disease" AS "disease" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL GROUP BY t."disease", t."uid") AS t GROUP BY t."disease";
-- plain:
SELECT disease, count(DISTINCT uid) FROM visits WHERE uid IS NOT NULL GROUP BY disease;
