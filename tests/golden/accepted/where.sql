SELECT count(*) FROM visits WHERE age > 50;
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND t."age" > 50 GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (age > 50) AND uid IS NOT NULL;
----
SELECT count(*) FROM visits WHERE 50 < age;
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND t."age" > 50 GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (50 < age) AND uid IS NOT NULL;
----
SELECT count(*) FROM visits WHERE age >= 50.5;
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND t."age" >= 51 GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (age >= 50.5) AND uid IS NOT NULL;
----
SELECT count(*) FROM visits WHERE age = 50.5;
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND (CASE WHEN t."age" IS NOT NULL THEN FALSE END) GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (age = 50.5) AND uid IS NOT NULL;
----
SELECT count(*) FROM visits WHERE NOT age = 50.5;
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND (NOT (CASE WHEN t."age" IS NOT NULL THEN FALSE END)) GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (NOT age = 50.5) AND uid IS NOT NULL;
----
SELECT count(*) FROM visits WHERE age <> 2.5;
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND (CASE WHEN t."age" IS NOT NULL THEN TRUE END) GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (age <> 2.5) AND uid IS NOT NULL;
----
SELECT count(*) FROM visits WHERE tiny < 1000;
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND (CASE WHEN t."tiny" IS NOT NULL THEN TRUE END) GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (tiny < 1000) AND uid IS NOT NULL;
----
SELECT count(*) FROM visits WHERE tiny > 1000;
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND (CASE WHEN t."tiny" IS NOT NULL THEN FALSE END) GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (tiny > 1000) AND uid IS NOT NULL;
----
SELECT count(*) FROM visits WHERE NOT tiny < -1000;
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND (NOT (CASE WHEN t."tiny" IS NOT NULL THEN FALSE END)) GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (NOT tiny < -1000) AND uid IS NOT NULL;
----
SELECT count(*) FROM visits WHERE age = '50';
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND t."age" = 50 GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (age = '50') AND uid IS NOT NULL;
----
SELECT count(*) FROM visits WHERE big > -9223372036854775808;
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND t."big" > CAST('-9223372036854775808' AS BIGINT) GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (big > -9223372036854775808) AND uid IS NOT NULL;
----
SELECT count(*) FROM visits WHERE huge < 1e30;
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND t."huge" < CAST('1000000000000000000000000000000' AS HUGEINT) GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (huge < 1e30) AND uid IS NOT NULL;
----
SELECT count(*) FROM visits WHERE amount > 1.005;
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND t."amount" > CAST('1.00' AS DECIMAL(9,2)) GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (amount > 1.005) AND uid IS NOT NULL;
----
SELECT count(*) FROM visits WHERE amount <= 12.34;
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND t."amount" <= CAST('12.34' AS DECIMAL(9,2)) GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (amount <= 12.34) AND uid IS NOT NULL;
----
SELECT count(*) FROM visits WHERE amount = 1.001;
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND (CASE WHEN t."amount" IS NOT NULL THEN FALSE END) GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (amount = 1.001) AND uid IS NOT NULL;
----
SELECT count(*) FROM visits WHERE x > 0.5;
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND t."x" > CAST('0.5' AS DOUBLE) GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (x > 0.5) AND uid IS NOT NULL;
----
SELECT count(*) FROM visits WHERE x < -1e300;
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND t."x" < CAST('-1e+300' AS DOUBLE) GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (x < -1e300) AND uid IS NOT NULL;
----
SELECT count(*) FROM visits WHERE f = 0.25;
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND t."f" = CAST('0.25' AS FLOAT) GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (f = 0.25) AND uid IS NOT NULL;
----
SELECT count(*) FROM visits WHERE day >= '2024-01-10';
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND t."day" >= DATE '2024-01-10' GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (day >= '2024-01-10') AND uid IS NOT NULL;
----
SELECT count(*) FROM visits WHERE day < DATE '2024-01-10';
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND t."day" < DATE '2024-01-10' GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (day < DATE '2024-01-10') AND uid IS NOT NULL;
----
SELECT count(*) FROM visits WHERE day = TIMESTAMP '2024-01-10 00:00:00';
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND t."day" = DATE '2024-01-10' GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (day = TIMESTAMP '2024-01-10 00:00:00') AND uid IS NOT NULL;
----
SELECT count(*) FROM visits WHERE moment >= '2024-01-02 12:30';
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND t."moment" >= TIMESTAMP '2024-01-02 12:30:00' GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (moment >= '2024-01-02 12:30') AND uid IS NOT NULL;
----
SELECT count(*) FROM visits WHERE moment BETWEEN '2024-01-02' AND DATE '2024-01-03';
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND (t."moment" >= TIMESTAMP '2024-01-02 00:00:00' AND t."moment" <= TIMESTAMP '2024-01-03 00:00:00') GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (moment BETWEEN '2024-01-02' AND DATE '2024-01-03') AND uid IS NOT NULL;
----
SELECT count(*) FROM visits WHERE page = 'a';
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND t."page" = 'a' GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (page = 'a') AND uid IS NOT NULL;
----
SELECT count(*) FROM visits WHERE page <> 'a';
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND t."page" <> 'a' GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (page <> 'a') AND uid IS NOT NULL;
----
SELECT count(*) FROM visits WHERE page > 'b';
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND t."page" > 'b' GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (page > 'b') AND uid IS NOT NULL;
----
SELECT count(*) FROM visits WHERE disease = 'it''s "x"';
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND t."disease" = 'it''s "x"' GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (disease = 'it''s "x"') AND uid IS NOT NULL;
----
SELECT count(*) FROM visits WHERE page IN ('a', 'b', 'q');
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND t."page" IN ('a', 'b', 'q') GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (page IN ('a', 'b', 'q')) AND uid IS NOT NULL;
----
SELECT count(*) FROM visits WHERE page NOT IN ('a', 'b');
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND (NOT t."page" IN ('a', 'b')) GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (page NOT IN ('a', 'b')) AND uid IS NOT NULL;
----
SELECT count(*) FROM visits WHERE age IN (1, 2.5, 20, 30, 1e10);
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND t."age" IN (1, 20, 30) GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (age IN (1, 2.5, 20, 30, 1e10)) AND uid IS NOT NULL;
----
SELECT count(*) FROM visits WHERE age NOT IN (1, NULL);
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND (NOT (t."age" IN (1) OR CAST(NULL AS BOOLEAN))) GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (age NOT IN (1, NULL)) AND uid IS NOT NULL;
----
SELECT count(*) FROM visits WHERE page IN ('a', NULL);
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND (t."page" IN ('a') OR CAST(NULL AS BOOLEAN)) GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (page IN ('a', NULL)) AND uid IS NOT NULL;
----
SELECT count(*) FROM visits WHERE age IN (2.5);
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND (CASE WHEN t."age" IS NOT NULL THEN FALSE END) GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (age IN (2.5)) AND uid IS NOT NULL;
----
SELECT count(*) FROM visits WHERE page IS NULL;
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND (t."page" IS NULL) GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (page IS NULL) AND uid IS NOT NULL;
----
SELECT count(*) FROM visits WHERE page IS NOT NULL;
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND (NOT (t."page" IS NULL)) GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (page IS NOT NULL) AND uid IS NOT NULL;
----
SELECT count(*) FROM visits WHERE ok;
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND t."ok" GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (ok) AND uid IS NOT NULL;
----
SELECT count(*) FROM visits WHERE NOT ok;
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND (NOT t."ok") GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (NOT ok) AND uid IS NOT NULL;
----
SELECT count(*) FROM visits WHERE ok IS TRUE;
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND (t."ok" IS NOT DISTINCT FROM TRUE) GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (ok IS TRUE) AND uid IS NOT NULL;
----
SELECT count(*) FROM visits WHERE ok IS NOT FALSE;
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND (NOT (t."ok" IS NOT DISTINCT FROM FALSE)) GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (ok IS NOT FALSE) AND uid IS NOT NULL;
----
SELECT count(*) FROM visits WHERE ok = true;
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND t."ok" = TRUE GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (ok = true) AND uid IS NOT NULL;
----
SELECT count(*) FROM visits WHERE ok <> false;
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND t."ok" <> FALSE GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (ok <> false) AND uid IS NOT NULL;
----
SELECT count(*) FROM visits WHERE (age > 50) IS NOT TRUE;
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND (NOT (t."age" > 50 IS NOT DISTINCT FROM TRUE)) GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE ((age > 50) IS NOT TRUE) AND uid IS NOT NULL;
----
SELECT count(*) FROM visits WHERE (age > 50) IS NULL;
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND (t."age" > 50 IS NULL) GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE ((age > 50) IS NULL) AND uid IS NOT NULL;
----
SELECT count(*) FROM visits WHERE disease LIKE 'flu%';
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND system.main."~~"(t."disease", 'flu%') GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (disease LIKE 'flu%') AND uid IS NOT NULL;
----
SELECT count(*) FROM visits WHERE disease NOT LIKE '%1';
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND (NOT system.main."~~"(t."disease", '%1')) GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (disease NOT LIKE '%1') AND uid IS NOT NULL;
----
SELECT count(*) FROM visits WHERE disease ILIKE 'FLU_';
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND system.main."~~"(system.main.lower(t."disease"), system.main.lower('FLU_')) GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (disease ILIKE 'FLU_') AND uid IS NOT NULL;
----
SELECT count(*) FROM visits WHERE disease LIKE '%l%u%2%';
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND system.main."~~"(t."disease", '%l%u%2%') GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (disease LIKE '%l%u%2%') AND uid IS NOT NULL;
----
SELECT count(*) FROM visits WHERE grade = 'low';
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND CAST(t."grade" AS VARCHAR) = 'low' GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (grade = 'low') AND uid IS NOT NULL;
----
SELECT count(*) FROM visits WHERE grade <> 'nothing';
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND CAST(t."grade" AS VARCHAR) <> 'nothing' GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (grade <> 'nothing') AND uid IS NOT NULL;
----
SELECT count(*) FROM visits WHERE grade > 'low';
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND CAST(t."grade" AS VARCHAR) > 'low' GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (grade > 'low') AND uid IS NOT NULL;
----
SELECT count(*) FROM visits WHERE grade LIKE 'm%';
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND system.main."~~"(CAST(t."grade" AS VARCHAR), 'm%') GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (grade LIKE 'm%') AND uid IS NOT NULL;
----
SELECT count(*) FROM visits WHERE grade IN ('low', 'high');
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND CAST(t."grade" AS VARCHAR) IN ('low', 'high') GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (grade IN ('low', 'high')) AND uid IS NOT NULL;
----
SELECT count(*) FROM visits WHERE page = disease;
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND t."page" = t."disease" GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (page = disease) AND uid IS NOT NULL;
----
SELECT count(*) FROM visits WHERE age < score;
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND t."age" < t."score" GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (age < score) AND uid IS NOT NULL;
----
SELECT count(*) FROM visits WHERE age = NULL;
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND CAST(NULL AS BOOLEAN) GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (age = NULL) AND uid IS NOT NULL;
----
SELECT count(*) FROM visits WHERE NOT (age > 50 OR page = 'a' AND NOT ok);
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND (NOT (t."age" > 50 OR (t."page" = 'a' AND (NOT t."ok")))) GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (NOT (age > 50 OR page = 'a' AND NOT ok)) AND uid IS NOT NULL;
----
SELECT count(*) FROM visits WHERE 1 = 1 AND TRUE;
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND (TRUE AND TRUE) GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (1 = 1 AND TRUE) AND uid IS NOT NULL;
----
SELECT count(*) FROM visits WHERE 1 = 0 OR FALSE;
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND (FALSE OR FALSE) GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (1 = 0 OR FALSE) AND uid IS NOT NULL;
----
SELECT count(*) FROM visits WHERE NULL;
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND CAST(NULL AS BOOLEAN) GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (NULL) AND uid IS NOT NULL;
----
SELECT count(*) FROM visits WHERE uid = 7;
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND t."uid" = 7 GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (uid = 7) AND uid IS NOT NULL;
----
SELECT count(*) FROM visits WHERE "A b" = 1 AND "order" >= 2 AND score < 9;
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND (t."A b" = 1 AND t."order" >= 2 AND t."score" < 9) GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE ("A b" = 1 AND "order" >= 2 AND score < 9) AND uid IS NOT NULL;
----
SELECT count(*) FROM visits WHERE -5 < age;
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND t."age" > CAST('-5' AS INTEGER) GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (-5 < age) AND uid IS NOT NULL;
----
SELECT count(*) FROM visits WHERE age > -5;
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND t."age" > CAST('-5' AS INTEGER) GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (age > -5) AND uid IS NOT NULL;
----
SELECT count(*) FROM visits WHERE age BETWEEN 10 AND 20 AND age NOT BETWEEN 12 AND 14;
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND ((t."age" >= 10 AND t."age" <= 20) AND (NOT (t."age" >= 12 AND t."age" <= 14))) GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (age BETWEEN 10 AND 20 AND age NOT BETWEEN 12 AND 14) AND uid IS NOT NULL;
----
SELECT count(*) FROM visits WHERE age > 5 AND age > 6 AND age > 7 AND (page = 'a' OR page = 'b' OR page = 'e');
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND (t."age" > 5 AND t."age" > 6 AND t."age" > 7 AND (t."page" = 'a' OR t."page" = 'b' OR t."page" = 'e')) GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (age > 5 AND age > 6 AND age > 7 AND (page = 'a' OR page = 'b' OR page = 'e')) AND uid IS NOT NULL;
----
SELECT count(*) FROM visits WHERE zone IS NOT NULL;
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND (NOT (t."zone" IS NULL)) GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (zone IS NOT NULL) AND uid IS NOT NULL;
----
SELECT count(*) FROM visits WHERE visits.age > main.visits.score;
-- plan: CountPlan, 'count_star()' BIGINT (count), delta=0
-- score:
SELECT system.main.count(*) AS score FROM (SELECT t."uid" FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND t."age" > t."score" GROUP BY t."uid") AS t;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (visits.age > main.visits.score) AND uid IS NOT NULL;
