SELECT count(*) FROM visits WHERE age > 50;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (age > 50) AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."age" > 50)) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM visits WHERE 50 < age;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (50 < age) AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."age" > 50)) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM visits WHERE age >= 50.5;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (age >= 50.5) AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."age" >= 51)) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM visits WHERE age = 50.5;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (age = 50.5) AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (CASE WHEN t_."age" IS NOT NULL THEN FALSE END)) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM visits WHERE NOT age = 50.5;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (NOT age = 50.5) AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (NOT (CASE WHEN t_."age" IS NOT NULL THEN FALSE END))) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM visits WHERE age <> 2.5;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (age <> 2.5) AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (CASE WHEN t_."age" IS NOT NULL THEN TRUE END)) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM visits WHERE tiny < 1000;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (tiny < 1000) AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (CASE WHEN t_."tiny" IS NOT NULL THEN TRUE END)) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM visits WHERE tiny > 1000;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (tiny > 1000) AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (CASE WHEN t_."tiny" IS NOT NULL THEN FALSE END)) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM visits WHERE NOT tiny < -1000;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (NOT tiny < -1000) AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (NOT (CASE WHEN t_."tiny" IS NOT NULL THEN FALSE END))) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM visits WHERE age = '50';
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (age = '50') AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."age" = 50)) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM visits WHERE big > -9223372036854775808;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (big > -9223372036854775808) AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."big" > CAST('-9223372036854775808' AS BIGINT))) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM visits WHERE huge < 1e30;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (huge < 1e30) AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (CAST(t_."huge" AS DOUBLE) < CAST('1e+30' AS DOUBLE))) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM visits WHERE amount > 1.005;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (amount > 1.005) AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."amount" > CAST('1.00' AS DECIMAL(9,2)))) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM visits WHERE amount <= 12.34;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (amount <= 12.34) AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."amount" <= CAST('12.34' AS DECIMAL(9,2)))) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM visits WHERE amount = 1.001;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (amount = 1.001) AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (CASE WHEN t_."amount" IS NOT NULL THEN FALSE END)) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM visits WHERE x > 0.5;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (x > 0.5) AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."x" > CAST('0.5' AS DOUBLE))) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM visits WHERE x < -1e300;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (x < -1e300) AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."x" < CAST('-1e+300' AS DOUBLE))) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM visits WHERE f = 0.25;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (f = 0.25) AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."f" = CAST('0.25' AS FLOAT))) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM visits WHERE day >= '2024-01-10';
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (day >= '2024-01-10') AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."day" >= DATE '2024-01-10')) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM visits WHERE day < DATE '2024-01-10';
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (day < DATE '2024-01-10') AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."day" < DATE '2024-01-10')) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM visits WHERE day = TIMESTAMP '2024-01-10 00:00:00';
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (day = TIMESTAMP '2024-01-10 00:00:00') AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (TRY_CAST(t_."day" AS TIMESTAMP) = TIMESTAMP '2024-01-10 00:00:00')) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM visits WHERE moment >= '2024-01-02 12:30';
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (moment >= '2024-01-02 12:30') AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."moment" >= TIMESTAMP '2024-01-02 12:30:00')) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM visits WHERE moment BETWEEN '2024-01-02' AND DATE '2024-01-03';
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (moment BETWEEN '2024-01-02' AND DATE '2024-01-03') AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND ((t_."moment" >= TIMESTAMP '2024-01-02 00:00:00') AND (t_."moment" <=
          TIMESTAMP '2024-01-03 00:00:00'))) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM visits WHERE page = 'a';
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (page = 'a') AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."page" = 'a')) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM visits WHERE page <> 'a';
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (page <> 'a') AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."page" <> 'a')) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM visits WHERE page > 'b';
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (page > 'b') AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."page" > 'b')) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM visits WHERE disease = 'it''s "x"';
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (disease = 'it''s "x"') AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."disease" = 'it''s "x"')) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM visits WHERE page IN ('a', 'b', 'q');
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (page IN ('a', 'b', 'q')) AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."page" IN ('a', 'b', 'q'))) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM visits WHERE page NOT IN ('a', 'b');
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (page NOT IN ('a', 'b')) AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (NOT (t_."page" IN ('a', 'b')))) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM visits WHERE age IN (1, 2.5, 20, 30, 1e10);
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (age IN (1, 2.5, 20, 30, 1e10)) AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (CAST(t_."age" AS DOUBLE) IN (CAST('1.0' AS DOUBLE), CAST('10000000000.0'
            AS DOUBLE), CAST('2.5' AS DOUBLE), CAST('20.0' AS DOUBLE), CAST('30.0' AS DOUBLE)))) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM visits WHERE age NOT IN (1, NULL);
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (age NOT IN (1, NULL)) AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (NOT ((t_."age" IN (1)) OR CAST(NULL AS BOOLEAN)))) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM visits WHERE page IN ('a', NULL);
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (page IN ('a', NULL)) AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND ((t_."page" IN ('a')) OR CAST(NULL AS BOOLEAN))) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM visits WHERE age IN (2.5);
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (age IN (2.5)) AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (CASE WHEN t_."age" IS NOT NULL THEN FALSE END)) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM visits WHERE page IS NULL;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (page IS NULL) AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."page" IS NULL)) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM visits WHERE page IS NOT NULL;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (page IS NOT NULL) AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (NOT (t_."page" IS NULL))) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM visits WHERE ok;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (ok) AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND t_."ok") AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM visits WHERE NOT ok;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (NOT ok) AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (NOT t_."ok")) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM visits WHERE ok IS TRUE;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (ok IS TRUE) AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."ok" IS NOT DISTINCT
      FROM TRUE)) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM visits WHERE ok IS NOT FALSE;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (ok IS NOT FALSE) AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (NOT (t_."ok" IS NOT DISTINCT
        FROM FALSE))) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM visits WHERE ok = true;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (ok = true) AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."ok" = TRUE)) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM visits WHERE ok <> false;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (ok <> false) AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."ok" <> FALSE)) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM visits WHERE (age > 50) IS NOT TRUE;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE ((age > 50) IS NOT TRUE) AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (NOT ((t_."age" > 50) IS NOT DISTINCT
        FROM TRUE))) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM visits WHERE (age > 50) IS NULL;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE ((age > 50) IS NULL) AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND ((t_."age" > 50) IS NULL)) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM visits WHERE disease LIKE 'flu%';
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (disease LIKE 'flu%') AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND system.main."~~"(t_."disease", 'flu%')) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM visits WHERE disease NOT LIKE '%1';
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (disease NOT LIKE '%1') AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (NOT system.main."~~"(t_."disease", '%1'))) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM visits WHERE disease ILIKE 'FLU_';
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (disease ILIKE 'FLU_') AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND system.main."~~"(system.main.lower(t_."disease"), system.main.lower('FLU_')))
    AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM visits WHERE disease LIKE '%l%u%2%';
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (disease LIKE '%l%u%2%') AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND system.main."~~"(t_."disease", '%l%u%2%')) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM visits WHERE grade = 'low';
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (grade = 'low') AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (CAST(t_."grade" AS VARCHAR) = 'low')) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM visits WHERE grade <> 'nothing';
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (grade <> 'nothing') AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (CAST(t_."grade" AS VARCHAR) <> 'nothing')) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM visits WHERE grade > 'low';
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (grade > 'low') AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (CAST(t_."grade" AS VARCHAR) > 'low')) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM visits WHERE grade LIKE 'm%';
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (grade LIKE 'm%') AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND system.main."~~"(CAST(t_."grade" AS VARCHAR), 'm%')) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM visits WHERE grade IN ('low', 'high');
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (grade IN ('low', 'high')) AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (CAST(t_."grade" AS VARCHAR) IN ('high', 'low'))) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM visits WHERE page = disease;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (page = disease) AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."page" = t_."disease")) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM visits WHERE age < score;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (age < score) AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."age" < t_."score")) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM visits WHERE age = NULL;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (age = NULL) AND uid IS NOT NULL;
-- plan: public
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM (SELECT CAST(0 AS BIGINT) AS "a0") AS "answer";
----
SELECT count(*) FROM visits WHERE NOT (age > 50 OR page = 'a' AND NOT ok);
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (NOT (age > 50 OR page = 'a' AND NOT ok)) AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (NOT (((NOT t_."ok") AND (t_."page" = 'a')) OR (t_."age" > 50)))) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM visits WHERE 1 = 1 AND TRUE;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (1 = 1 AND TRUE) AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND TRUE) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM visits WHERE 1 = 0 OR FALSE;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (1 = 0 OR FALSE) AND uid IS NOT NULL;
-- plan: public
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM (SELECT CAST(0 AS BIGINT) AS "a0") AS "answer";
----
SELECT count(*) FROM visits WHERE NULL;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (NULL) AND uid IS NOT NULL;
-- plan: public
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM (SELECT CAST(0 AS BIGINT) AS "a0") AS "answer";
----
SELECT count(*) FROM visits WHERE uid = 7;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (uid = 7) AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."uid" = 7)) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM visits WHERE "A b" = 1 AND "order" >= 2 AND score < 9;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE ("A b" = 1 AND "order" >= 2 AND score < 9) AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."A b" = 1) AND (t_."order" >= 2) AND (t_."score" < 9)) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM visits WHERE -5 < age;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (-5 < age) AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."age" > CAST('-5' AS INTEGER))) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM visits WHERE age > -5;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (age > -5) AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."age" > CAST('-5' AS INTEGER))) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM visits WHERE age BETWEEN 10 AND 20 AND age NOT BETWEEN 12 AND 14;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (age BETWEEN 10 AND 20 AND age NOT BETWEEN 12 AND 14) AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND ((t_."age" >= 10) AND (t_."age" <= 20)) AND (NOT ((t_."age" >= 12) AND (t_."age"
            <= 14)))) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM visits WHERE age > 5 AND age > 6 AND age > 7 AND (page = 'a' OR page = 'b' OR page = 'e');
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (age > 5 AND age > 6 AND age > 7 AND (page = 'a' OR page = 'b' OR page = 'e')) AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND ((t_."page" = 'a') OR (t_."page" = 'b') OR (t_."page" = 'e')) AND (t_."age"
        > 5) AND (t_."age" > 6) AND (t_."age" > 7)) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM visits WHERE zone IS NOT NULL;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (zone IS NOT NULL) AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (NOT (t_."zone" IS NULL))) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM visits WHERE visits.age > main.visits.score;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (visits.age > main.visits.score) AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."age" > t_."score")) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FILTER (WHERE (region, age) IN (('north', 30), ('south', 41))) AS n, count(*) FILTER (WHERE (region, age) NOT IN (('north', 30), ('east', NULL))) AS others FROM people;
-- plain:
the query
-- plan: OneGroup, Count 0.25 x1, Count 0.25 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t_."id" AS unit
  FROM "memory"."main"."people" AS t_
  WHERE t_."id" IS NOT NULL AND (((t_."region" IS NOT DISTINCT
        FROM 'north') AND (t_."age" IS NOT DISTINCT
        FROM 30)) OR ((t_."region" IS NOT DISTINCT
        FROM 'south') AND (t_."age" IS NOT DISTINCT
        FROM 41)))) AS t;
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t_."id" AS unit
  FROM "memory"."main"."people" AS t_
  WHERE t_."id" IS NOT NULL AND (NOT (((t_."region" IS NOT DISTINCT
          FROM 'north') AND (t_."age" IS NOT DISTINCT
          FROM 30)) OR ((t_."region" IS NOT DISTINCT
          FROM 'east') AND (t_."age" IS NULL))))) AS t;
-- answer:
SELECT "answer"."a0" AS "n", "answer"."a1" AS "others"
FROM "answer";
----
SELECT sum(income) AS s, avg(CASE WHEN member THEN income ELSE 0 END) AS a FROM people WHERE income BETWEEN 100 AND 300;
-- plain:
the query
-- plan: OneGroup, Sum 0.22835 x1, Mean 0.27165 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS DECIMAL(38,12)) ELSE system.main.sum(t.part)
  END AS score
FROM (SELECT system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS DECIMAL(38,12)), CAST('100.000000000000'
          AS DECIMAL(38,12))), CAST('300.000000000000' AS DECIMAL(38,12))) AS part
  FROM (SELECT CAST(CASE WHEN t_."income" < CAST('-314572800.0' AS DOUBLE) THEN CAST('-314572800.0' AS DOUBLE)
        WHEN t_."income" > CAST('314572800.0' AS DOUBLE) THEN CAST('314572800.0' AS DOUBLE) ELSE t_."income"
        END AS DECIMAL(38,12)) AS value, t_."id" AS unit
    FROM "memory"."main"."people" AS t_
    WHERE t_."id" IS NOT NULL AND ((t_."income" >= CAST('100.0' AS DOUBLE)) AND (t_."income" <= CAST('300.0'
            AS DOUBLE))) AND t_."income" IS NOT NULL AND (NOT system.main.isnan(t_."income"))) AS t
  GROUP BY t.unit) AS t;
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score, system.main.count(*) AS units
FROM (SELECT CAST(system.main."//"(system.main.sum(t.value), system.main.count(*)) AS BIGINT) AS part
  FROM (SELECT CASE WHEN CAST((CASE WHEN t_."member" THEN t_."income" ELSE CAST('0.0' AS DOUBLE) END) AS
        DOUBLE) <= CAST('0.0' AS DOUBLE) THEN CAST('0' AS BIGINT) WHEN CAST((CASE WHEN t_."member" THEN t_."income"
          ELSE CAST('0.0' AS DOUBLE) END) AS DOUBLE) >= CAST('300.0' AS DOUBLE) THEN CAST('1073741824' AS
        BIGINT) ELSE CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST((CASE
                      WHEN t_."member" THEN t_."income" ELSE CAST('0.0' AS DOUBLE) END) AS DOUBLE), CAST('0.0'
                    AS DOUBLE)), CAST('300.0' AS DOUBLE)), CAST('1073741824.0' AS DOUBLE)), CAST('0.5' AS
              DOUBLE))) AS BIGINT) END AS value, t_."id" AS unit
    FROM "memory"."main"."people" AS t_
    WHERE t_."id" IS NOT NULL AND ((t_."income" >= CAST('100.0' AS DOUBLE)) AND (t_."income" <= CAST('300.0'
            AS DOUBLE))) AND (CASE WHEN t_."member" THEN t_."income" ELSE CAST('0.0' AS DOUBLE) END) IS NOT
      NULL AND (NOT system.main.isnan((CASE WHEN t_."member" THEN t_."income" ELSE CAST('0.0' AS DOUBLE)
            END)))) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "s", "answer"."a1" AS "a"
FROM "answer";
----
SELECT count(DISTINCT uid) AS n FROM visits WHERE page >= (SELECT min(name) FROM shops) AND age > (SELECT 20);
-- plain:
the query
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."age" > 20) AND (t_."page" >= 'north')) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "n"
FROM "answer";
