SELECT region, count(*) FROM people GROUP BY region;
-- plain:
SELECT region, count(*) FROM people GROUP BY region;
-- plan: FoundKeys epsilon=0.5 delta=1e-06 counted=a0 groups=1, 'region' VARCHAR
-- score:
SELECT t.k0 AS "region", system.main.count(*) AS score
FROM (SELECT t_."region" AS k0, t_."id" AS unit
  FROM "memory"."main"."people" AS t_
  WHERE t_."id" IS NOT NULL AND (t_."region" IS NULL OR system.main.strlen(t_."region") <= 10000)) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "region", "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT region, member, avg(age) AS a FROM people GROUP BY region, member;
-- plain:
SELECT region, member, avg(least(greatest(age, 18), 80)) FROM people GROUP BY region, member;
-- plan: FoundKeys epsilon=0.22835 delta=1e-06 groups=1, 'region' VARCHAR, 'member' BOOLEAN, Mean 0.27165 x1
-- score:
SELECT t.k0 AS "region", t.k1 AS "member", system.main.count(*) AS score
FROM (SELECT t_."region" AS k0, t_."member" AS k1, t_."id" AS unit
  FROM "memory"."main"."people" AS t_
  WHERE t_."id" IS NOT NULL AND (t_."region" IS NULL OR system.main.strlen(t_."region") <= 10000) AND t_."member"
    IS NOT NULL) AS t
GROUP BY t.k0, t.k1;
-- score:
SELECT t.k0 AS "region", t.k1 AS "member", CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT)
  ELSE system.main.sum(t.part) END AS score, system.main.count(*) AS units
FROM (SELECT t.k0, t.k1, CAST(system.main."//"(system.main.sum(t.value), system.main.count(*)) AS BIGINT) AS
    part
  FROM (SELECT t_."region" AS k0, t_."member" AS k1, CASE WHEN CAST(t_."age" AS DOUBLE) <= CAST('18.0' AS
        DOUBLE) THEN CAST('0' AS BIGINT) WHEN CAST(t_."age" AS DOUBLE) >= CAST('80.0' AS DOUBLE) THEN CAST('1073741824'
        AS BIGINT) ELSE CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t_."age"
                    AS DOUBLE), CAST('18.0' AS DOUBLE)), CAST('62.0' AS DOUBLE)), CAST('1073741824.0' AS
                DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, t_."id" AS unit
    FROM "memory"."main"."people" AS t_
    WHERE t_."id" IS NOT NULL AND t_."age" IS NOT NULL AND (t_."region" IS NULL OR system.main.strlen(t_."region")
        <= 10000) AND t_."member" IS NOT NULL) AS t
  GROUP BY t.k0, t.k1, t.unit) AS t
GROUP BY t.k0, t.k1;
-- answer:
SELECT "answer"."k0" AS "region", "answer"."k1" AS "member", "answer"."a0" AS "a"
FROM "answer";
----
SELECT region, median(age) AS m, count(*) AS n FROM people WHERE region IS NOT NULL GROUP BY region ORDER BY n DESC, region;
-- plain:
SELECT region, [l[(n + 1) // 2], l[n // 2 + 1]], n FROM (SELECT region, count(*) AS n, list_sort(list(least(greatest(age, 18), 80))) AS l FROM people WHERE region IS NOT NULL GROUP BY region) ORDER BY n DESC, region;
-- plan: FoundKeys epsilon=0.1966 delta=1e-06 counted=a1 groups=1, 'region' VARCHAR, Quantile 0.3034 x1
-- score:
SELECT t.k0 AS "region", system.main.count(*) AS score
FROM (SELECT t_."region" AS k0, t_."id" AS unit
  FROM "memory"."main"."people" AS t_
  WHERE t_."id" IS NOT NULL AND (NOT (t_."region" IS NULL)) AND (t_."region" IS NULL OR system.main.strlen(t_."region")
      <= 10000)) AS t
GROUP BY t.k0;
-- score:
SELECT t.k0 AS "region", t.value AS "age", system.main.count(*) AS score
FROM (SELECT t.k0, system.main."-"(CAST(t.value AS BIGINT), CAST('18' AS BIGINT)) AS value
  FROM (SELECT t.k0, CASE WHEN t.value < 18 THEN CAST('18' AS INTEGER) WHEN t.value > 80 THEN CAST('80' AS
        INTEGER) ELSE t.value END AS value
    FROM (SELECT t_."region" AS k0, t_."age" AS value, t_."id" AS unit
      FROM "memory"."main"."people" AS t_
      WHERE t_."id" IS NOT NULL AND (NOT (t_."region" IS NULL)) AND t_."age" IS NOT NULL AND (t_."region" IS
          NULL OR system.main.strlen(t_."region") <= 10000)) AS t) AS t) AS t
GROUP BY t.k0, t.value;
-- answer:
SELECT "answer"."k0" AS "region", "answer"."a0" AS "m", "answer"."a1" AS "n"
FROM "answer"
ORDER BY "answer"."a1" DESC NULLS LAST, "answer"."k0" NULLS LAST;
----
SELECT t, count(*) AS n FROM people GROUP BY t HAVING count(*) > 1 ORDER BY t;
-- plain:
SELECT t, count(*) FROM people GROUP BY t ORDER BY t;
-- plan: FoundKeys epsilon=0.5 delta=1e-06 counted=a0 groups=1, 't' INTEGER
-- score:
SELECT t.k0 AS "t", system.main.count(*) AS score
FROM (SELECT t_."t" AS k0, t_."id" AS unit
  FROM "memory"."main"."people" AS t_
  WHERE t_."id" IS NOT NULL) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "t", "answer"."a0" AS "n"
FROM "answer"
WHERE ("answer"."a0" > 1)
ORDER BY "answer"."k0" NULLS LAST;
----
SELECT region FROM people GROUP BY region;
-- plain:
SELECT region FROM people GROUP BY region;
-- plan: FoundKeys epsilon=0.5 delta=1e-06 groups=1, 'region' VARCHAR
-- score:
SELECT t.k0 AS "region", system.main.count(*) AS score
FROM (SELECT t_."region" AS k0, t_."id" AS unit
  FROM "memory"."main"."people" AS t_
  WHERE t_."id" IS NOT NULL AND (t_."region" IS NULL OR system.main.strlen(t_."region") <= 10000)) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "region"
FROM "answer";
----
SELECT id // 30 AS half, count(*) AS n FROM people GROUP BY half;
-- plain:
SELECT id // 30 AS half, count(*) AS n FROM people GROUP BY half HAVING n > 1;
-- plan: FoundKeys epsilon=0.5 delta=1e-06 counted=a0 groups=1, 'half' INTEGER
-- score:
SELECT t.k0 AS "half", system.main.count(*) AS score
FROM (SELECT system.main."//"(t_."id", CAST('30' AS INTEGER)) AS k0, t_."id" AS unit
  FROM "memory"."main"."people" AS t_
  WHERE t_."id" IS NOT NULL) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "half", "answer"."a0" AS "n"
FROM "answer";
----
SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (max_groups_contributed = 4) disease, count(*) AS n FROM visits GROUP BY disease;
-- plain:
SELECT disease, count(DISTINCT uid) FROM visits WHERE uid IS NOT NULL GROUP BY disease;
-- plan: FoundKeys epsilon=0.5 delta=1e-06 counted=a0 groups=4, 'disease' VARCHAR
-- score:
SELECT t.k0 AS "disease", system.main.count(DISTINCT t.unit) AS score
FROM (SELECT *
  FROM (SELECT t.*, system.main.dense_rank() OVER (PARTITION BY t.unit
      ORDER BY system.main.hash(t.unit, t.k0, CAST('20241121' AS BIGINT)), t.k0) AS place
    FROM (SELECT t_."disease" AS k0, t_."uid" AS unit
      FROM "memory"."main"."visits" AS t_
      WHERE t_."uid" IS NOT NULL AND (t_."disease" IS NULL OR system.main.strlen(t_."disease") <= 10000)) AS
      t) AS t
  WHERE t.place <= 4) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "disease", "answer"."a0" AS "n"
FROM "answer";
----
SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (max_groups_contributed = 8) disease, ok, count(*) AS n FROM visits WHERE ok GROUP BY disease, ok ORDER BY disease;
-- plain:
SELECT disease, ok, count(DISTINCT uid) FROM visits WHERE ok AND uid IS NOT NULL GROUP BY disease, ok ORDER BY disease;
-- plan: FoundKeys epsilon=0.5 delta=1e-06 counted=a0 groups=8 gaussian=1, 'disease' VARCHAR, 'ok' BOOLEAN
-- score:
SELECT t.k0 AS "disease", t.k1 AS "ok", system.main.count(DISTINCT t.unit) AS score
FROM (SELECT *
  FROM (SELECT t.*, system.main.dense_rank() OVER (PARTITION BY t.unit
      ORDER BY system.main.hash(t.unit, t.k0, t.k1, CAST('20241121' AS BIGINT)), t.k0, t.k1) AS place
    FROM (SELECT t_."disease" AS k0, t_."ok" AS k1, t_."uid" AS unit
      FROM "memory"."main"."visits" AS t_
      WHERE t_."uid" IS NOT NULL AND t_."ok" AND (t_."disease" IS NULL OR system.main.strlen(t_."disease") <=
          10000) AND t_."ok" IN (TRUE)) AS t) AS t
  WHERE t.place <= 8) AS t
GROUP BY t.k0, t.k1;
-- answer:
SELECT "answer"."k0" AS "disease", "answer"."k1" AS "ok", "answer"."a0" AS "n"
FROM "answer"
ORDER BY "answer"."k0" NULLS LAST, "answer"."k1";
----
SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (max_groups_contributed = 1) page, count(*) AS n FROM visits GROUP BY page;
-- plain:
SELECT d.page, [count(DISTINCT uid) FILTER (u.pages = 1), count(DISTINCT uid)] FROM (VALUES ('a'), ('b'), ('e'), ('z')) AS d(page) LEFT JOIN visits AS v ON v.page = d.page LEFT JOIN (SELECT uid, count(DISTINCT page) AS pages FROM visits GROUP BY uid) AS u USING (uid) GROUP BY d.page;
-- plan: EveryKey groups=1, 'page' VARCHAR, Count 0.5 x1
-- score:
SELECT t.k0 AS "page", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT *
    FROM (SELECT t.*, system.main.dense_rank() OVER (PARTITION BY t.unit
        ORDER BY system.main.hash(t.unit, t.k0, CAST('20241121' AS BIGINT)), t.k0) AS place
      FROM (SELECT t_."page" AS k0, t_."uid" AS unit
        FROM "memory"."main"."visits" AS t_
        WHERE t_."uid" IS NOT NULL AND t_."page" IN ('a', 'b', 'e', 'z')) AS t) AS t
    WHERE t.place <= 1) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "page", "answer"."a0" AS "n"
FROM "answer";
----
SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (max_groups_contributed = 4) disease, count(*) AS n FROM visits GROUP BY disease ORDER BY n DESC, disease LIMIT 2;
-- plain:
SELECT disease, count(DISTINCT uid) AS n FROM visits WHERE uid IS NOT NULL GROUP BY disease ORDER BY n DESC, disease LIMIT 2;
-- plan: FoundKeys epsilon=0.5 delta=1e-06 counted=a0 groups=4 gaussian=1, 'disease' VARCHAR
-- score:
SELECT t.k0 AS "disease", system.main.count(DISTINCT t.unit) AS score
FROM (SELECT *
  FROM (SELECT t.*, system.main.dense_rank() OVER (PARTITION BY t.unit
      ORDER BY system.main.hash(t.unit, t.k0, CAST('20241121' AS BIGINT)), t.k0) AS place
    FROM (SELECT t_."disease" AS k0, t_."uid" AS unit
      FROM "memory"."main"."visits" AS t_
      WHERE t_."uid" IS NOT NULL AND (t_."disease" IS NULL OR system.main.strlen(t_."disease") <= 10000)) AS
      t) AS t
  WHERE t.place <= 4) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "disease", "answer"."a0" AS "n"
FROM "answer"
ORDER BY "answer"."a0" DESC NULLS LAST, "answer"."k0" NULLS LAST
LIMIT 2;
----
SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (max_groups_contributed = 4) disease FROM visits GROUP BY disease ORDER BY count(*) DESC, disease LIMIT 2 OFFSET 1;
-- plain:
SELECT disease FROM visits WHERE uid IS NOT NULL GROUP BY disease ORDER BY count(DISTINCT uid) DESC, disease LIMIT 2 OFFSET 1;
-- plan: FoundKeys epsilon=0.5 delta=1e-06 counted=a0 groups=4 gaussian=1, 'disease' VARCHAR
-- score:
SELECT t.k0 AS "disease", system.main.count(DISTINCT t.unit) AS score
FROM (SELECT *
  FROM (SELECT t.*, system.main.dense_rank() OVER (PARTITION BY t.unit
      ORDER BY system.main.hash(t.unit, t.k0, CAST('20241121' AS BIGINT)), t.k0) AS place
    FROM (SELECT t_."disease" AS k0, t_."uid" AS unit
      FROM "memory"."main"."visits" AS t_
      WHERE t_."uid" IS NOT NULL AND (t_."disease" IS NULL OR system.main.strlen(t_."disease") <= 10000)) AS
      t) AS t
  WHERE t.place <= 4) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "disease"
FROM "answer"
ORDER BY "answer"."a0" DESC NULLS LAST, "answer"."k0" NULLS LAST
LIMIT 2 OFFSET 1;
----
SELECT disease, sum(least(greatest(age, 18), 80)) AS s, count(*) AS n FROM (SELECT id, 'd' || t AS disease, age FROM people) GROUP BY disease ORDER BY n DESC, disease LIMIT 3;
-- plain:
SELECT 'd' || t AS disease, sum(least(greatest(age, 18), 80))::BIGINT AS s, count(*) AS n FROM people GROUP BY disease ORDER BY n DESC, disease LIMIT 3;
-- plan: FoundKeys epsilon=0.25 delta=1e-06 counted=a1 groups=1, 'disease' VARCHAR, Sum 0.25 x1
-- score:
SELECT t.k0 AS "disease", system.main.count(*) AS score
FROM (SELECT system.main."||"('d', CAST(t_."t" AS VARCHAR)) AS k0, t_."id" AS unit
  FROM "memory"."main"."people" AS t_
  WHERE t_."id" IS NOT NULL AND (system.main."||"('d', CAST(t_."t" AS VARCHAR)) IS NULL OR
      system.main.strlen(system.main."||"('d', CAST(t_."t" AS VARCHAR))) <= 10000)) AS t
GROUP BY t.k0;
-- score:
SELECT t.k0 AS "disease", CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE
  system.main.sum(t.part) END AS score
FROM (SELECT t.k0, system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS HUGEINT), CAST('18'
          AS HUGEINT)), CAST('80' AS HUGEINT)) AS part
  FROM (SELECT system.main."||"('d', CAST(t_."t" AS VARCHAR)) AS k0, CAST(CASE WHEN
        system.main.least(system.main.greatest(t_."age", CAST('18' AS INTEGER)), CAST('80' AS INTEGER)) <
        CAST('-83886080' AS INTEGER) THEN CAST('-83886080' AS INTEGER) WHEN
        system.main.least(system.main.greatest(t_."age", CAST('18' AS INTEGER)), CAST('80' AS INTEGER)) >
        CAST('83886080' AS INTEGER) THEN CAST('83886080' AS INTEGER) ELSE
        system.main.least(system.main.greatest(t_."age", CAST('18' AS INTEGER)), CAST('80' AS INTEGER)) END AS
        HUGEINT) AS value, t_."id" AS unit
    FROM "memory"."main"."people" AS t_
    WHERE t_."id" IS NOT NULL AND system.main.least(system.main.greatest(t_."age", CAST('18' AS INTEGER)),
        CAST('80' AS INTEGER)) IS NOT NULL AND (system.main."||"('d', CAST(t_."t" AS VARCHAR)) IS NULL OR
        system.main.strlen(system.main."||"('d', CAST(t_."t" AS VARCHAR))) <= 10000)) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "disease", "answer"."a0" AS "s", "answer"."a1" AS "n"
FROM "answer"
ORDER BY "answer"."a1" DESC NULLS LAST, "answer"."k0" NULLS LAST
LIMIT 3;
----
SELECT region FROM people GROUP BY region QUALIFY row_number() OVER (ORDER BY count(*) DESC, region) <= 2;
-- plain:
SELECT region FROM people GROUP BY region QUALIFY row_number() OVER (ORDER BY count(*) DESC, region) <= 2;
-- plan: FoundKeys epsilon=0.5 delta=1e-06 counted=a0 groups=1, 'region' VARCHAR
-- score:
SELECT t.k0 AS "region", system.main.count(*) AS score
FROM (SELECT t_."region" AS k0, t_."id" AS unit
  FROM "memory"."main"."people" AS t_
  WHERE t_."id" IS NOT NULL AND (t_."region" IS NULL OR system.main.strlen(t_."region") <= 10000)) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "region"
FROM "answer" QUALIFY (system.main.row_number() OVER (ORDER BY "answer"."a0" DESC NULLS LAST, "answer"."k0"
      ASC NULLS LAST) <= 2);
