SELECT count(*) FROM visits;
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (true) AND uid IS NOT NULL;
----
SELECT count(*) AS n FROM visits WHERE page = 'a' LIMIT 1001;
-- plan: CountPlan, 'n' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND t."page" = 'a' GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (page = 'a') AND uid IS NOT NULL;
----
SELECT COUNT(DISTINCT uid) FROM visits;
-- plan: CountPlan, 'count(DISTINCT uid)' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (true) AND uid IS NOT NULL;
----
SELECT count(v.uid) FROM main.visits AS v;
-- plan: CountPlan, 'count(v.uid)' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (true) AND uid IS NOT NULL;
----
SELECT count(*) FROM people;
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM "memory"."main"."people" AS t_ WHERE t_."id" IS NOT NULL;
-- plain:
SELECT count(DISTINCT id) FROM people WHERE (true) AND id IS NOT NULL;
----
(SELECT count(*) AS "how many" FROM people WHERE member);
-- plan: CountPlan, 'how many' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM "memory"."main"."people" AS t_ WHERE t_."id" IS NOT NULL AND t_."member";
-- plain:
SELECT count(DISTINCT id) FROM people WHERE (member) AND id IS NOT NULL;
