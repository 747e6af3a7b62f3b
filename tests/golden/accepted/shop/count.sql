SELECT count(*) FROM visits;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (true) AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) AS n FROM visits WHERE page = 'a' LIMIT 1001;
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
SELECT "answer"."a0" AS "n"
FROM "answer"
LIMIT 1001;
----
SELECT COUNT(DISTINCT uid) FROM visits;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (true) AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count(DISTINCT uid)"
FROM "answer";
----
SELECT count(v.uid) FROM main.visits AS v;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE (true) AND uid IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count(v.uid)"
FROM "answer";
----
SELECT count(*) FROM people;
-- plain:
SELECT count(DISTINCT id) FROM people WHERE (true) AND id IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t_."id" AS unit
  FROM "memory"."main"."people" AS t_
  WHERE t_."id" IS NOT NULL) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
(SELECT count(*) AS "how many" FROM people WHERE member);
-- plain:
SELECT count(DISTINCT id) FROM people WHERE (member) AND id IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t_."id" AS unit
  FROM "memory"."main"."people" AS t_
  WHERE t_."id" IS NOT NULL AND t_."member") AS t;
-- answer:
SELECT "answer"."a0" AS "how many"
FROM "answer";
----
SELECT count(*) FILTER (WHERE page = 'a') FROM visits;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE page = 'a';
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."page" = 'a')) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star() FILTER (WHERE (page = 'a'))"
FROM "answer";
----
SELECT count(*) FILTER (page = 'a' AND ok) AS n, count(*) AS every FROM visits;
-- plain:
SELECT count(DISTINCT uid) FILTER (page = 'a' AND ok), count(DISTINCT uid) FROM visits;
-- plan: OneGroup, Count 0.25 x1, Count 0.25 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."page" = 'a') AND t_."ok") AS t
  GROUP BY t.unit) AS t;
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "n", "answer"."a1" AS "every"
FROM "answer";
----
SELECT count(DISTINCT uid) FILTER (WHERE age IS NULL) FROM visits;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE age IS NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."age" IS NULL)) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count(DISTINCT uid) FILTER (WHERE (age IS NULL))"
FROM "answer";
----
SELECT count(page) FROM visits;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE page IS NOT NULL;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND t_."page" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count(page)"
FROM "answer";
----
SELECT count(age) AS with_age, count(*) AS n, count(1) AS one FROM visits WHERE day < '2024-01-03';
-- plain:
SELECT count(DISTINCT uid) FILTER (age IS NOT NULL), count(DISTINCT uid), count(DISTINCT uid) FROM visits WHERE day < '2024-01-03';
-- plan: OneGroup, Count 0.25 x1, Count 0.25 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."day" < DATE '2024-01-03') AND t_."age" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."day" < DATE '2024-01-03')) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "with_age", "answer"."a1" AS "n", "answer"."a1" AS "one"
FROM "answer";
----
SELECT count() FROM visits;
-- plain:
SELECT count(DISTINCT uid) FROM visits;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT sum(CASE WHEN page = 'a' THEN 1 ELSE 0 END) FROM visits;
-- plain:
SELECT count(*) FROM visits WHERE page = 'a' AND uid IS NOT NULL;
-- plan: OneGroup, ClampedSum 0.5 x1
-- score:
SELECT t.value AS "level", system.main.sum(t.part) AS score0, CAST(system.main.sum(CASE WHEN t.part > CAST('0'
        AS HUGEINT) THEN CAST('1' AS BIGINT) WHEN t.part < CAST('0' AS HUGEINT) THEN CAST('-1' AS BIGINT) ELSE
      CAST('0' AS BIGINT) END) AS BIGINT) AS score1, system.main.count(*) AS score2
FROM (SELECT t.*, CASE WHEN t.size <= CAST('1' AS HUGEINT) THEN CAST('0' AS BIGINT) WHEN t.size <= CAST('2' AS
      HUGEINT) THEN CAST('1' AS BIGINT) WHEN t.size <= CAST('4' AS HUGEINT) THEN CAST('2' AS BIGINT) WHEN
    t.size <= CAST('8' AS HUGEINT) THEN CAST('3' AS BIGINT) WHEN t.size <= CAST('16' AS HUGEINT) THEN CAST('4'
      AS BIGINT) WHEN t.size <= CAST('32' AS HUGEINT) THEN CAST('5' AS BIGINT) WHEN t.size <= CAST('64' AS
      HUGEINT) THEN CAST('6' AS BIGINT) WHEN t.size <= CAST('128' AS HUGEINT) THEN CAST('7' AS BIGINT) WHEN
    t.size <= CAST('256' AS HUGEINT) THEN CAST('8' AS BIGINT) WHEN t.size <= CAST('512' AS HUGEINT) THEN CAST('9'
      AS BIGINT) WHEN t.size <= CAST('1024' AS HUGEINT) THEN CAST('10' AS BIGINT) WHEN t.size <= CAST('2048'
      AS HUGEINT) THEN CAST('11' AS BIGINT) WHEN t.size <= CAST('4096' AS HUGEINT) THEN CAST('12' AS BIGINT)
    WHEN t.size <= CAST('8192' AS HUGEINT) THEN CAST('13' AS BIGINT) WHEN t.size <= CAST('16384' AS HUGEINT)
    THEN CAST('14' AS BIGINT) WHEN t.size <= CAST('32768' AS HUGEINT) THEN CAST('15' AS BIGINT) WHEN t.size <=
    CAST('65536' AS HUGEINT) THEN CAST('16' AS BIGINT) WHEN t.size <= CAST('131072' AS HUGEINT) THEN CAST('17'
      AS BIGINT) WHEN t.size <= CAST('262144' AS HUGEINT) THEN CAST('18' AS BIGINT) WHEN t.size <= CAST('524288'
      AS HUGEINT) THEN CAST('19' AS BIGINT) ELSE CAST('20' AS BIGINT) END AS value
  FROM (SELECT t.*, system.main.abs(t.part) AS size
    FROM (SELECT t.unit, system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS HUGEINT),
            CAST('0' AS HUGEINT)), CAST('1048576' AS HUGEINT)) AS part
      FROM (SELECT CAST(CASE WHEN (CASE WHEN (t_."page" = 'a') THEN CAST('1' AS INTEGER) ELSE CAST('0' AS
                INTEGER) END) < CAST('0' AS INTEGER) THEN CAST('0' AS INTEGER) WHEN (CASE WHEN (t_."page" =
                'a') THEN CAST('1' AS INTEGER) ELSE CAST('0' AS INTEGER) END) > CAST('1048576' AS INTEGER)
            THEN CAST('1048576' AS INTEGER) ELSE (CASE WHEN (t_."page" = 'a') THEN CAST('1' AS INTEGER) ELSE
              CAST('0' AS INTEGER) END) END AS HUGEINT) AS value, t_."uid" AS unit
        FROM "memory"."main"."visits" AS t_
        WHERE t_."uid" IS NOT NULL AND (CASE WHEN (t_."page" = 'a') THEN CAST('1' AS INTEGER) ELSE CAST('0' AS
              INTEGER) END) IS NOT NULL) AS t
      GROUP BY t.unit) AS t) AS t) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS "sum(CASE  WHEN ((page = 'a')) THEN (1) ELSE 0 END)"
FROM "answer";
----
SELECT count(CASE WHEN page = 'a' THEN 1 END) FROM visits;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE page = 'a';
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (CASE WHEN (t_."page" = 'a') THEN CAST('1' AS INTEGER) ELSE CAST(NULL AS
          INTEGER) END) IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count(CASE  WHEN ((page = 'a')) THEN (1) ELSE NULL END)"
FROM "answer";
----
SELECT count(DISTINCT CASE WHEN page = 'a' THEN uid END) AS n FROM visits;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE page = 'a';
-- plan: OneGroup, Distinct 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.value
  FROM (SELECT *
    FROM (SELECT t.*, system.main.row_number() OVER (PARTITION BY t.unit
        ORDER BY system.main.hash(t.unit, t.value, CAST('20241121' AS BIGINT)), t.value) AS turn
      FROM (SELECT t.value, t.unit
        FROM (SELECT (CASE WHEN (t_."page" = 'a') THEN t_."uid" ELSE CAST(NULL AS INTEGER) END) AS value, t_."uid"
            AS unit
          FROM "memory"."main"."visits" AS t_
          WHERE t_."uid" IS NOT NULL AND (CASE WHEN (t_."page" = 'a') THEN t_."uid" ELSE CAST(NULL AS INTEGER)
              END) IS NOT NULL) AS t
        GROUP BY t.value, t.unit) AS t) AS t
    WHERE t.turn <= 1) AS t
  GROUP BY t.value) AS t;
-- answer:
SELECT "answer"."a0" AS "n"
FROM "answer";
----
SELECT approx_count_distinct(uid) FROM visits WHERE age > 100;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE age > 100;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."age" > 100)) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "approx_count_distinct(uid)"
FROM "answer";
----
SELECT count(DISTINCT region) FROM people;
-- plain:
SELECT count(DISTINCT region) FROM people;
-- plan: OneGroup, Distinct 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.value
  FROM (SELECT *
    FROM (SELECT t.*, system.main.row_number() OVER (PARTITION BY t.unit
        ORDER BY system.main.hash(t.unit, t.value, CAST('20241121' AS BIGINT)), t.value) AS turn
      FROM (SELECT t.value, t.unit
        FROM (SELECT t_."region" AS value, t_."id" AS unit
          FROM "memory"."main"."people" AS t_
          WHERE t_."id" IS NOT NULL AND t_."region" IS NOT NULL AND system.main.strlen(t_."region") <= 10000)
          AS t
        GROUP BY t.value, t.unit) AS t) AS t
    WHERE t.turn <= 1) AS t
  GROUP BY t.value) AS t;
-- answer:
SELECT "answer"."a0" AS "count(DISTINCT region)"
FROM "answer";
----
SELECT count(DISTINCT id) FROM people WHERE income > 100;
-- plain:
SELECT count(*) FROM people WHERE income > 100;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t_."id" AS unit
  FROM "memory"."main"."people" AS t_
  WHERE t_."id" IS NOT NULL AND (t_."income" > CAST('100.0' AS DOUBLE))) AS t;
-- answer:
SELECT "answer"."a0" AS "count(DISTINCT id)"
FROM "answer";
----
SELECT count(DISTINCT age // 10) AS decades FROM people;
-- plain:
SELECT count(DISTINCT age // 10) FROM people;
-- plan: OneGroup, Distinct 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.value
  FROM (SELECT *
    FROM (SELECT t.*, system.main.row_number() OVER (PARTITION BY t.unit
        ORDER BY system.main.hash(t.unit, t.value, CAST('20241121' AS BIGINT)), t.value) AS turn
      FROM (SELECT t.value, t.unit
        FROM (SELECT system.main."//"(t_."age", CAST('10' AS INTEGER)) AS value, t_."id" AS unit
          FROM "memory"."main"."people" AS t_
          WHERE t_."id" IS NOT NULL AND system.main."//"(t_."age", CAST('10' AS INTEGER)) IS NOT NULL) AS t
        GROUP BY t.value, t.unit) AS t) AS t
    WHERE t.turn <= 1) AS t
  GROUP BY t.value) AS t;
-- answer:
SELECT "answer"."a0" AS "decades"
FROM "answer";
----
SELECT approx_count_distinct(region) FROM people WHERE NOT member;
-- plain:
SELECT count(DISTINCT region) FROM people WHERE NOT member;
-- plan: OneGroup, Distinct 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.value
  FROM (SELECT *
    FROM (SELECT t.*, system.main.row_number() OVER (PARTITION BY t.unit
        ORDER BY system.main.hash(t.unit, t.value, CAST('20241121' AS BIGINT)), t.value) AS turn
      FROM (SELECT t.value, t.unit
        FROM (SELECT t_."region" AS value, t_."id" AS unit
          FROM "memory"."main"."people" AS t_
          WHERE t_."id" IS NOT NULL AND (NOT t_."member") AND t_."region" IS NOT NULL AND
            system.main.strlen(t_."region") <= 10000) AS t
        GROUP BY t.value, t.unit) AS t) AS t
    WHERE t.turn <= 1) AS t
  GROUP BY t.value) AS t;
-- answer:
SELECT "answer"."a0" AS "approx_count_distinct(region)"
FROM "answer";
----
SELECT count(DISTINCT page) FROM visits;
-- plain:
SELECT [1, 5];
-- plan: OneGroup, Distinct 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.value
  FROM (SELECT *
    FROM (SELECT t.*, system.main.row_number() OVER (PARTITION BY t.unit
        ORDER BY system.main.hash(t.unit, t.value, CAST('20241121' AS BIGINT)), t.value) AS turn
      FROM (SELECT t.value, t.unit
        FROM (SELECT t_."page" AS value, t_."uid" AS unit
          FROM "memory"."main"."visits" AS t_
          WHERE t_."uid" IS NOT NULL AND t_."page" IS NOT NULL) AS t
        GROUP BY t.value, t.unit) AS t) AS t
    WHERE t.turn <= 1) AS t
  GROUP BY t.value) AS t;
-- answer:
SELECT "answer"."a0" AS "count(DISTINCT page)"
FROM "answer";
----
SELECT member, count(DISTINCT region) AS regions FROM people GROUP BY member;
-- plain:
SELECT member, count(DISTINCT region) FROM people GROUP BY member;
-- plan: EveryKey groups=1, 'member' BOOLEAN, Distinct 0.5 x1
-- score:
SELECT t.k0 AS "member", system.main.count(*) AS score
FROM (SELECT t.k0, t.value
  FROM (SELECT *
    FROM (SELECT t.*, system.main.row_number() OVER (PARTITION BY t.unit, t.k0
        ORDER BY system.main.hash(t.unit, t.value, CAST('20241121' AS BIGINT)), t.value) AS turn
      FROM (SELECT t.k0, t.value, t.unit
        FROM (SELECT t_."member" AS k0, t_."region" AS value, t_."id" AS unit
          FROM "memory"."main"."people" AS t_
          WHERE t_."id" IS NOT NULL AND t_."region" IS NOT NULL AND system.main.strlen(t_."region") <= 10000
            AND t_."member" IS NOT NULL) AS t
        GROUP BY t.k0, t.value, t.unit) AS t) AS t
    WHERE t.turn <= 1) AS t
  GROUP BY t.k0, t.value) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "member", "answer"."a0" AS "regions"
FROM "answer";
----
SELECT page, count(*) FILTER (WHERE ok) AS good, count(*) FILTER (WHERE NOT ok) AS bad FROM visits GROUP BY page;
-- plain:
SELECT d.page, count(DISTINCT uid) FILTER (ok), count(DISTINCT uid) FILTER (NOT ok) FROM (VALUES ('a'), ('b'), ('e'), ('z')) AS d(page) LEFT JOIN visits AS v ON v.page = d.page GROUP BY d.page;
-- plan: EveryKey groups=4, 'page' VARCHAR, Count 0.25 x4 gaussian 4, Count 0.25 x4 gaussian 4
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
    WHERE t_."uid" IS NOT NULL AND (NOT t_."ok") AND t_."page" IN ('a', 'b', 'e', 'z')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "page", "answer"."a0" AS "good", "answer"."a1" AS "bad"
FROM "answer";
----
SELECT page, count(age) AS n FROM visits WHERE moment < '2024-01-02' GROUP BY page;
-- plain:
SELECT d.page, count(DISTINCT uid) FILTER (age IS NOT NULL) FROM (VALUES ('a'), ('b'), ('e'), ('z')) AS d(page) LEFT JOIN visits AS v ON v.page = d.page AND moment < '2024-01-02' GROUP BY d.page;
-- plan: EveryKey groups=4, 'page' VARCHAR, Count 0.5 x4
-- score:
SELECT t.k0 AS "page", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t_."page" AS k0, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."moment" < TIMESTAMP '2024-01-02 00:00:00') AND t_."age" IS NOT NULL
      AND t_."page" IN ('a', 'b', 'e', 'z')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "page", "answer"."a0" AS "n"
FROM "answer";
----
SELECT count_if(age > 50) FROM visits;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE age > 50;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."age" > 50)) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_if((age > 50))"
FROM "answer";
----
SELECT countif(ok) AS n FROM visits;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE ok;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND t_."ok") AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "n"
FROM "answer";
----
SELECT sum(1) FROM visits;
-- plain:
SELECT count(DISTINCT uid) FROM visits;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "sum(1)"
FROM "answer";
