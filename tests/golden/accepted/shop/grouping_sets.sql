SELECT member, age // 30 AS band, count(*) AS n, sum(age), avg(age), count_if(t > 2), count(region) FROM people WHERE age BETWEEN 18 AND 59 GROUP BY ROLLUP (member, band) ORDER BY member, band;
-- plain:
the query
-- plan: EveryKey groups=1, 'member' BOOLEAN, 'band' INTEGER, Count 0.09635 x1, Sum 0.09635 x1, Mean 0.1146 x1, Count 0.09635 x1, Count 0.09635 x1
-- score:
SELECT t.k0 AS "member", t.k1 AS "band", system.main.count(*) AS score
FROM (SELECT t_."member" AS k0, system.main."//"(t_."age", CAST('30' AS INTEGER)) AS k1, t_."id" AS unit
  FROM "memory"."main"."people" AS t_
  WHERE t_."id" IS NOT NULL AND ((t_."age" >= 18) AND (t_."age" <= 59)) AND t_."member" IS NOT NULL AND
    (system.main."//"(t_."age", CAST('30' AS INTEGER)) >= 0 AND system.main."//"(t_."age", CAST('30' AS
          INTEGER)) <= 1)) AS t
GROUP BY t.k0, t.k1;
-- score:
SELECT t.k0 AS "member", t.k1 AS "band", CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT)
  ELSE system.main.sum(t.part) END AS score
FROM (SELECT t.k0, t.k1, system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS HUGEINT),
        CAST('18' AS HUGEINT)), CAST('59' AS HUGEINT)) AS part
  FROM (SELECT t_."member" AS k0, system.main."//"(t_."age", CAST('30' AS INTEGER)) AS k1, CAST(CASE WHEN t_."age"
        < CAST('-61865984' AS INTEGER) THEN CAST('-61865984' AS INTEGER) WHEN t_."age" > CAST('61865984' AS
          INTEGER) THEN CAST('61865984' AS INTEGER) ELSE t_."age" END AS HUGEINT) AS value, t_."id" AS unit
    FROM "memory"."main"."people" AS t_
    WHERE t_."id" IS NOT NULL AND ((t_."age" >= 18) AND (t_."age" <= 59)) AND t_."age" IS NOT NULL AND t_."member"
      IS NOT NULL AND (system.main."//"(t_."age", CAST('30' AS INTEGER)) >= 0 AND system.main."//"(t_."age",
          CAST('30' AS INTEGER)) <= 1)) AS t
  GROUP BY t.k0, t.k1, t.unit) AS t
GROUP BY t.k0, t.k1;
-- score:
SELECT t.k0 AS "member", t.k1 AS "band", CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT)
  ELSE system.main.sum(t.part) END AS score, system.main.count(*) AS units
FROM (SELECT t.k0, t.k1, CAST(system.main."//"(system.main.sum(t.value), system.main.count(*)) AS BIGINT) AS
    part
  FROM (SELECT t_."member" AS k0, system.main."//"(t_."age", CAST('30' AS INTEGER)) AS k1, CASE WHEN CAST(t_."age"
        AS DOUBLE) <= CAST('18.0' AS DOUBLE) THEN CAST('0' AS BIGINT) WHEN CAST(t_."age" AS DOUBLE) >= CAST('59.0'
        AS DOUBLE) THEN CAST('1073741824' AS BIGINT) ELSE CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t_."age"
                    AS DOUBLE), CAST('18.0' AS DOUBLE)), CAST('41.0' AS DOUBLE)), CAST('1073741824.0' AS
                DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, t_."id" AS unit
    FROM "memory"."main"."people" AS t_
    WHERE t_."id" IS NOT NULL AND ((t_."age" >= 18) AND (t_."age" <= 59)) AND t_."age" IS NOT NULL AND t_."member"
      IS NOT NULL AND (system.main."//"(t_."age", CAST('30' AS INTEGER)) >= 0 AND system.main."//"(t_."age",
          CAST('30' AS INTEGER)) <= 1)) AS t
  GROUP BY t.k0, t.k1, t.unit) AS t
GROUP BY t.k0, t.k1;
-- score:
SELECT t.k0 AS "member", t.k1 AS "band", system.main.count(*) AS score
FROM (SELECT t_."member" AS k0, system.main."//"(t_."age", CAST('30' AS INTEGER)) AS k1, t_."id" AS unit
  FROM "memory"."main"."people" AS t_
  WHERE t_."id" IS NOT NULL AND ((t_."age" >= 18) AND (t_."age" <= 59)) AND (t_."t" > 2) AND t_."member" IS
    NOT NULL AND (system.main."//"(t_."age", CAST('30' AS INTEGER)) >= 0 AND system.main."//"(t_."age", CAST('30'
          AS INTEGER)) <= 1)) AS t
GROUP BY t.k0, t.k1;
-- score:
SELECT t.k0 AS "member", t.k1 AS "band", system.main.count(*) AS score
FROM (SELECT t_."member" AS k0, system.main."//"(t_."age", CAST('30' AS INTEGER)) AS k1, t_."id" AS unit
  FROM "memory"."main"."people" AS t_
  WHERE t_."id" IS NOT NULL AND ((t_."age" >= 18) AND (t_."age" <= 59)) AND t_."region" IS NOT NULL AND t_."member"
    IS NOT NULL AND (system.main."//"(t_."age", CAST('30' AS INTEGER)) >= 0 AND system.main."//"(t_."age",
        CAST('30' AS INTEGER)) <= 1)) AS t
GROUP BY t.k0, t.k1;
-- answer:
SELECT "answer"."k0" AS "member", "answer"."k1" AS "band", CAST(COALESCE(system.main.sum("answer"."a0"), 0) AS
    BIGINT) AS "n", CAST(system.main.sum("answer"."a1") AS HUGEINT) AS "sum(age)", CASE WHEN system.main.sum("answer"."a2_values")
  > system.main.sqrt(system.main.sum(system.main.pow(system.main."-"("answer"."a2_values", "answer"."a2_values_low"),
        2))) THEN system.main.round(system.main.greatest(system.main.least(system.main."/"(system.main.sum("answer"."a2_total"),
          system.main.sum("answer"."a2_values")), CAST(59.0 AS DOUBLE)), CAST(18.0 AS DOUBLE)),
    CAST(system.main.least(system.main.ceil(system.main.log10(system.main.greatest(system.main."/"(system.main.sum("answer"."a2_values"),
                system.main."*"(CAST(0.41 AS DOUBLE),
                  system.main.sqrt(system.main.sum(system.main.pow(system.main."-"("answer"."a2_values",
                          "answer"."a2_values_low"), 2))))), 1))), 15) AS INTEGER)) END AS "avg(age)",
  CAST(system.main.sum("answer"."a3") AS HUGEINT) AS "count_if((t > 2))", CAST(COALESCE(system.main.sum("answer"."a4"),
      0) AS BIGINT) AS "count(region)"
FROM "answer"
GROUP BY GROUPING SETS (("answer"."k0", "answer"."k1"), ("answer"."k0"), ())
ORDER BY "answer"."k0" NULLS LAST, "answer"."k1" NULLS LAST, GROUPING("answer"."k0"), "answer"."k0", GROUPING("answer"."k1"),
  "answer"."k1";
----
SELECT member, age // 30 AS band, GROUPING(member) AS m, GROUPING(member, age // 30) AS mb, count(*) AS n, sum(age) FILTER (WHERE t = 1) AS s, rank() OVER (PARTITION BY GROUPING(member, band) ORDER BY count(*) DESC) AS place FROM people WHERE age BETWEEN 18 AND 80 GROUP BY CUBE (1, 2) HAVING count(*) > 3 ORDER BY mb, n DESC, 1, 2;
-- plain:
SELECT member, age // 30 AS band, GROUPING(member) AS m, GROUPING(member, age // 30) AS mb, count(*) AS n, sum(age) FILTER (WHERE t = 1) AS s, rank() OVER (PARTITION BY GROUPING(member, age // 30) ORDER BY count(*) DESC) AS place FROM people WHERE age BETWEEN 18 AND 80 GROUP BY CUBE (member, age // 30) HAVING count(*) > 3 ORDER BY mb, n DESC, 1, 2;
-- plan: EveryKey groups=1, 'member' BOOLEAN, 'band' INTEGER, Count 0.25 x1, Sum 0.25 x1
-- score:
SELECT t.k0 AS "member", t.k1 AS "band", system.main.count(*) AS score
FROM (SELECT t_."member" AS k0, system.main."//"(t_."age", CAST('30' AS INTEGER)) AS k1, t_."id" AS unit
  FROM "memory"."main"."people" AS t_
  WHERE t_."id" IS NOT NULL AND ((t_."age" >= 18) AND (t_."age" <= 80)) AND t_."member" IS NOT NULL AND
    (system.main."//"(t_."age", CAST('30' AS INTEGER)) >= 0 AND system.main."//"(t_."age", CAST('30' AS
          INTEGER)) <= 2)) AS t
GROUP BY t.k0, t.k1;
-- score:
SELECT t.k0 AS "member", t.k1 AS "band", CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT)
  ELSE system.main.sum(t.part) END AS score
FROM (SELECT t.k0, t.k1, system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS HUGEINT),
        CAST('18' AS HUGEINT)), CAST('80' AS HUGEINT)) AS part
  FROM (SELECT t_."member" AS k0, system.main."//"(t_."age", CAST('30' AS INTEGER)) AS k1, CAST(CASE WHEN t_."age"
        < CAST('-83886080' AS INTEGER) THEN CAST('-83886080' AS INTEGER) WHEN t_."age" > CAST('83886080' AS
          INTEGER) THEN CAST('83886080' AS INTEGER) ELSE t_."age" END AS HUGEINT) AS value, t_."id" AS unit
    FROM "memory"."main"."people" AS t_
    WHERE t_."id" IS NOT NULL AND ((t_."age" >= 18) AND (t_."age" <= 80)) AND (t_."t" = 1) AND t_."age" IS NOT
      NULL AND t_."member" IS NOT NULL AND (system.main."//"(t_."age", CAST('30' AS INTEGER)) >= 0 AND
        system.main."//"(t_."age", CAST('30' AS INTEGER)) <= 2)) AS t
  GROUP BY t.k0, t.k1, t.unit) AS t
GROUP BY t.k0, t.k1;
-- answer:
SELECT "answer"."k0" AS "member", "answer"."k1" AS "band", GROUPING("answer"."k0") AS "m", GROUPING("answer"."k0",
    "answer"."k1") AS "mb", CAST(COALESCE(system.main.sum("answer"."a0"), 0) AS BIGINT) AS "n",
  CAST(system.main.sum("answer"."a1") AS HUGEINT) AS "s", system.main.rank() OVER (PARTITION BY GROUPING("answer"."k0",
      "answer"."k1")
  ORDER BY CAST(COALESCE(system.main.sum("answer"."a0"), 0) AS BIGINT) DESC NULLS LAST) AS "place"
FROM "answer"
GROUP BY GROUPING SETS (("answer"."k0", "answer"."k1"), ("answer"."k0"), ("answer"."k1"), ())
HAVING (CAST(COALESCE(system.main.sum("answer"."a0"), 0) AS BIGINT) > 3)
ORDER BY GROUPING("answer"."k0", "answer"."k1") NULLS LAST, CAST(COALESCE(system.main.sum("answer"."a0"), 0)
    AS BIGINT) DESC NULLS LAST, "answer"."k0" NULLS LAST, "answer"."k1" NULLS LAST, GROUPING("answer"."k0"),
  "answer"."k0", GROUPING("answer"."k1"), "answer"."k1";
----
SELECT coalesce(member::VARCHAR, 'all') AS who, 100 * count(*) / sum(count(*)) OVER (PARTITION BY GROUPING(member)) AS share FROM people GROUP BY GROUPING SETS ((member), ()) ORDER BY GROUPING(member) DESC, share LIMIT 2;
-- plain:
the query
-- plan: EveryKey groups=1, 'member' BOOLEAN, Count 0.5 x1
-- score:
SELECT t.k0 AS "member", system.main.count(*) AS score
FROM (SELECT t_."member" AS k0, t_."id" AS unit
  FROM "memory"."main"."people" AS t_
  WHERE t_."id" IS NOT NULL AND t_."member" IS NOT NULL) AS t
GROUP BY t.k0;
-- answer:
SELECT COALESCE(CAST("answer"."k0" AS VARCHAR), 'all') AS "who", system.main."/"(system.main."*"(100,
      CAST(COALESCE(system.main.sum("answer"."a0"), 0) AS BIGINT)),
    system.main.sum(CAST(COALESCE(system.main.sum("answer"."a0"), 0) AS BIGINT)) OVER (PARTITION BY GROUPING("answer"."k0")))
  AS "share"
FROM "answer"
GROUP BY GROUPING SETS (("answer"."k0"), ())
ORDER BY GROUPING("answer"."k0") DESC NULLS LAST, system.main."/"(system.main."*"(100,
      CAST(COALESCE(system.main.sum("answer"."a0"), 0) AS BIGINT)),
    system.main.sum(CAST(COALESCE(system.main.sum("answer"."a0"), 0) AS BIGINT)) OVER (PARTITION BY GROUPING("answer"."k0")))
  NULLS LAST, GROUPING("answer"."k0"), "answer"."k0"
LIMIT 2;
----
SELECT page, score, count(*) FROM visits GROUP BY ROLLUP (page, score);
-- plain:
SELECT page, score, sum(n)::BIGINT FROM (SELECT p AS page, s AS score, (SELECT count(DISTINCT uid) FROM visits v WHERE v.page = p AND v.score = s) AS n FROM (VALUES ('a'), ('b'), ('e'), ('z')) AS k(p), (VALUES (0), (5), (10)) AS l(s)) GROUP BY ROLLUP (page, score);
-- plan: EveryKey groups=12, 'page' VARCHAR, 'key' INTEGER, Count 0.5 x12 gaussian apart
-- score:
SELECT t.k0 AS "page", t.k1 AS "key", system.main.count(*) AS score
FROM (SELECT t.k0, t.k1, t.unit
  FROM (SELECT t_."page" AS k0, t_."score" AS k1, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND t_."page" IN ('a', 'b', 'e', 'z') AND (CASE WHEN t_."score" >= 0 AND t_."score"
        <= 10 THEN system.main."%"(system.main."-"(CAST(t_."score" AS HUGEINT), CAST('0' AS HUGEINT)), CAST('5'
            AS HUGEINT)) = 0 ELSE FALSE END)) AS t
  GROUP BY t.k0, t.k1, t.unit) AS t
GROUP BY t.k0, t.k1;
-- answer:
SELECT "answer"."k0" AS "page", "answer"."k1" AS "score", CAST(COALESCE(system.main.sum("answer"."a0"), 0) AS
    BIGINT) AS "count_star()"
FROM "answer"
GROUP BY GROUPING SETS (("answer"."k0", "answer"."k1"), ("answer"."k0"), ())
ORDER BY GROUPING("answer"."k0"), "answer"."k0", GROUPING("answer"."k1"), "answer"."k1";
----
SELECT score, page, count(DISTINCT uid) AS n FROM visits WHERE page IN ('a', 'b') GROUP BY score, GROUPING SETS ((page), (), ()) ORDER BY score, page, n;
-- plain:
SELECT score, page, sum(n)::BIGINT AS n FROM (SELECT p AS page, s AS score, (SELECT count(DISTINCT uid) FROM visits v WHERE v.page = p AND v.score = s) AS n FROM (VALUES ('a'), ('b')) AS k(p), (VALUES (0), (5), (10)) AS l(s)) GROUP BY score, GROUPING SETS ((page), (), ()) ORDER BY score, page, n;
-- plan: EveryKey groups=6, 'key' INTEGER, 'page' VARCHAR, Count 0.5 x6
-- score:
SELECT t.k0 AS "key", t.k1 AS "page", system.main.count(*) AS score
FROM (SELECT t.k0, t.k1, t.unit
  FROM (SELECT t_."score" AS k0, t_."page" AS k1, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."page" IN ('a', 'b')) AND (CASE WHEN t_."score" >= 0 AND t_."score" <=
        10 THEN system.main."%"(system.main."-"(CAST(t_."score" AS HUGEINT), CAST('0' AS HUGEINT)), CAST('5'
            AS HUGEINT)) = 0 ELSE FALSE END) AND t_."page" IN ('a', 'b')) AS t
  GROUP BY t.k0, t.k1, t.unit) AS t
GROUP BY t.k0, t.k1;
-- answer:
SELECT "answer"."k0" AS "score", "answer"."k1" AS "page", CAST(COALESCE(system.main.sum("answer"."a0"), 0) AS
    BIGINT) AS "n"
FROM "answer"
GROUP BY GROUPING SETS (("answer"."k0", "answer"."k1"), ("answer"."k0"), ("answer"."k0"))
ORDER BY "answer"."k0" NULLS LAST, "answer"."k1" NULLS LAST, CAST(COALESCE(system.main.sum("answer"."a0"), 0)
    AS BIGINT) NULLS LAST, GROUPING("answer"."k0"), "answer"."k0", GROUPING("answer"."k1"), "answer"."k1";
----
SELECT page, avg(age, contribution_bounds_per_row => (0, 99)) AS years FROM visits WHERE age BETWEEN 0 AND 99 GROUP BY ROLLUP (page) ORDER BY page;
-- plain:
SELECT page, avg(years) AS years FROM (SELECT page, uid, avg(age) AS years FROM visits WHERE age BETWEEN 0 AND 99 AND page IN ('a', 'b', 'e') AND uid IS NOT NULL GROUP BY page, uid) GROUP BY ROLLUP (page) UNION ALL VALUES ('z', NULL::DOUBLE) ORDER BY page;
-- plan: EveryKey groups=4, 'page' VARCHAR, Mean 0.5 x4
-- score:
SELECT t.k0 AS "page", CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE
  system.main.sum(t.part) END AS score, system.main.count(*) AS units
FROM (SELECT t.k0, CAST(system.main."//"(system.main.sum(t.value), system.main.count(*)) AS BIGINT) AS part
  FROM (SELECT t_."page" AS k0, CASE WHEN CAST(t_."age" AS DOUBLE) <= CAST('0.0' AS DOUBLE) THEN CAST('0' AS
        BIGINT) WHEN CAST(t_."age" AS DOUBLE) >= CAST('99.0' AS DOUBLE) THEN CAST('1073741824' AS BIGINT) ELSE
      CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t_."age" AS
                    DOUBLE), CAST('0.0' AS DOUBLE)), CAST('99.0' AS DOUBLE)), CAST('1073741824.0' AS DOUBLE)),
            CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND ((t_."age" >= 0) AND (t_."age" <= 99)) AND t_."age" IS NOT NULL AND t_."page"
      IN ('a', 'b', 'e', 'z')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "page", CASE WHEN system.main.sum("answer"."a0_values") >
  system.main.sqrt(system.main.sum(system.main.pow(system.main."-"("answer"."a0_values", "answer"."a0_values_low"),
        2))) THEN system.main.round(system.main.greatest(system.main.least(system.main."/"(system.main.sum("answer"."a0_total"),
          system.main.sum("answer"."a0_values")), CAST(99.0 AS DOUBLE)), CAST(0.0 AS DOUBLE)),
    CAST(system.main.least(system.main.ceil(system.main.log10(system.main.greatest(system.main."/"(system.main.sum("answer"."a0_values"),
                system.main."*"(CAST(0.99 AS DOUBLE),
                  system.main.sqrt(system.main.sum(system.main.pow(system.main."-"("answer"."a0_values",
                          "answer"."a0_values_low"), 2))))), 1))), 15) AS INTEGER)) END AS "years"
FROM "answer"
GROUP BY GROUPING SETS (("answer"."k0"), ())
ORDER BY "answer"."k0" NULLS LAST, GROUPING("answer"."k0"), "answer"."k0";
----
SELECT page, n FROM (SELECT page, "order", count(*) AS n FROM visits GROUP BY CUBE (page, "order")) AS q WHERE "order" IS NULL AND n > 0 ORDER BY n DESC, page LIMIT 2;
-- plain:
SELECT page, sum(n)::BIGINT AS n FROM (SELECT page, "order", count(DISTINCT uid) AS n FROM visits WHERE page IN ('a', 'b', 'e') AND "order" IN (0, 1, 2) GROUP BY ALL) GROUP BY ROLLUP (page) ORDER BY n DESC, page LIMIT 2;
-- plan: EveryKey groups=12, 'page' VARCHAR, 'order' INTEGER, Count 0.5 x12 gaussian apart
-- score:
SELECT t.k0 AS "page", t.k1 AS "order", system.main.count(*) AS score
FROM (SELECT t.k0, t.k1, t.unit
  FROM (SELECT t_."page" AS k0, t_."order" AS k1, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND t_."page" IN ('a', 'b', 'e', 'z') AND t_."order" IN (0, 1, 2)) AS t
  GROUP BY t.k0, t.k1, t.unit) AS t
GROUP BY t.k0, t.k1;
-- answer:
SELECT "page", "n"
FROM (SELECT "answer"."k0" AS "page", "answer"."k1" AS "order", CAST(COALESCE(system.main.sum("answer"."a0"),
        0) AS BIGINT) AS "n"
  FROM "answer"
  GROUP BY GROUPING SETS (("answer"."k0", "answer"."k1"), ("answer"."k0"), ("answer"."k1"), ())
  ORDER BY GROUPING("answer"."k0"), "answer"."k0", GROUPING("answer"."k1"), "answer"."k1") AS "q"
WHERE (("order" IS NULL) AND ("n" > 0))
ORDER BY "n" DESC NULLS LAST, "page" ASC NULLS LAST
LIMIT 2;
----
SELECT page, sum(n)::BIGINT AS n, GROUPING(page) AS g FROM (SELECT page, ok, count(*) AS n FROM visits WHERE page <> 'z' GROUP BY page, ok) AS q GROUP BY CUBE (page) ORDER BY page;
-- plain:
SELECT page, sum(n)::BIGINT AS n, GROUPING(page) AS g FROM (SELECT page, ok, count(DISTINCT uid) AS n FROM visits WHERE page IN ('a', 'b', 'e') AND ok IS NOT NULL GROUP BY page, ok) AS q GROUP BY CUBE (page) ORDER BY page;
-- plan: EveryKey groups=6, 'page' VARCHAR, 'ok' BOOLEAN, Count 0.5 x6
-- score:
SELECT t.k0 AS "page", t.k1 AS "ok", system.main.count(*) AS score
FROM (SELECT t.k0, t.k1, t.unit
  FROM (SELECT t_."page" AS k0, t_."ok" AS k1, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."page" <> 'z') AND t_."page" IN ('a', 'b', 'e') AND t_."ok" IS NOT
      NULL) AS t
  GROUP BY t.k0, t.k1, t.unit) AS t
GROUP BY t.k0, t.k1;
-- answer:
SELECT "page", CAST(system.main.sum("n") AS BIGINT) AS "n", GROUPING("page") AS "g"
FROM (SELECT "answer"."k0" AS "page", "answer"."k1" AS "ok", "answer"."a0" AS "n"
  FROM "answer") AS "q"
GROUP BY CUBE("page")
ORDER BY "page" ASC NULLS LAST;
----
SELECT page, score, GROUPING(page) AS g FROM visits GROUP BY GROUPING SETS ((page, score), (score));
-- plain:
SELECT page, score, GROUPING(page) AS g FROM (VALUES ('a'), ('b'), ('e'), ('z')) AS k(page), (VALUES (0), (5), (10)) AS l(score) GROUP BY GROUPING SETS ((page, score), (score));
-- plan: public
-- answer:
SELECT "answer"."k0" AS "page", "answer"."k1" AS "score", GROUPING("answer"."k0") AS "g"
FROM (VALUES (CAST('a' AS VARCHAR), CAST('0' AS INTEGER)), (CAST('a' AS VARCHAR), CAST('5' AS INTEGER)),
    (CAST('a' AS VARCHAR), CAST('10' AS INTEGER)), (CAST('b' AS VARCHAR), CAST('0' AS INTEGER)), (CAST('b' AS
        VARCHAR), CAST('5' AS INTEGER)), (CAST('b' AS VARCHAR), CAST('10' AS INTEGER)), (CAST('e' AS VARCHAR),
      CAST('0' AS INTEGER)), (CAST('e' AS VARCHAR), CAST('5' AS INTEGER)), (CAST('e' AS VARCHAR), CAST('10' AS
        INTEGER)), (CAST('z' AS VARCHAR), CAST('0' AS INTEGER)), (CAST('z' AS VARCHAR), CAST('5' AS INTEGER)),
    (CAST('z' AS VARCHAR), CAST('10' AS INTEGER))) AS "answer"("k0", "k1")
GROUP BY GROUPING SETS (("answer"."k0", "answer"."k1"), ("answer"."k1"))
ORDER BY GROUPING("answer"."k0"), "answer"."k0", GROUPING("answer"."k1"), "answer"."k1";
----
SELECT page, count(*), sum(age), avg(age) FROM visits WHERE page = 'q' GROUP BY ROLLUP (page);
-- plain:
the query
-- plan: public
-- answer:
SELECT "answer"."k0" AS "page", CAST(COALESCE(system.main.sum("answer"."a0"), 0) AS BIGINT) AS "count_star()",
  CAST(system.main.sum("answer"."a1") AS HUGEINT) AS "sum(age)", CASE WHEN system.main.sum("answer"."a2_values")
  > system.main.sqrt(system.main.sum(system.main.pow(system.main."-"("answer"."a2_values", "answer"."a2_values_low"),
        2))) THEN system.main.round(system.main.greatest(system.main.least(system.main."/"(system.main.sum("answer"."a2_total"),
          system.main.sum("answer"."a2_values")), CAST(99.0 AS DOUBLE)), CAST(0.0 AS DOUBLE)),
    CAST(system.main.least(system.main.ceil(system.main.log10(system.main.greatest(system.main."/"(system.main.sum("answer"."a2_values"),
                system.main."*"(CAST(0.99 AS DOUBLE),
                  system.main.sqrt(system.main.sum(system.main.pow(system.main."-"("answer"."a2_values",
                          "answer"."a2_values_low"), 2))))), 1))), 15) AS INTEGER)) END AS "avg(age)"
FROM (SELECT CAST(NULL AS VARCHAR) AS "k0", CAST(0 AS BIGINT) AS "a0", CAST(NULL AS HUGEINT) AS "a1",
    CAST(NULL AS DOUBLE) AS "a2_values_low", CAST(NULL AS DOUBLE) AS "a2_values", CAST(NULL AS DOUBLE) AS
    "a2_total"
  WHERE FALSE) AS "answer"
GROUP BY GROUPING SETS (("answer"."k0"), ())
ORDER BY GROUPING("answer"."k0"), "answer"."k0";
----
SELECT member, GROUPING(member) AS g, median(age) AS m FROM people WHERE age BETWEEN 18 AND 80 GROUP BY GROUPING SETS ((member)) ORDER BY member;
-- plain:
SELECT member, 0 AS g, [quantile_disc(age, 0.45), quantile_disc(age, 0.55)] AS m FROM people WHERE age BETWEEN 18 AND 80 GROUP BY member ORDER BY member;
-- plan: EveryKey groups=1, 'member' BOOLEAN, Quantile 0.5 x1
-- score:
SELECT t.k0 AS "member", t.value AS "age", system.main.count(*) AS score
FROM (SELECT t.k0, system.main."-"(CAST(t.value AS BIGINT), CAST('18' AS BIGINT)) AS value
  FROM (SELECT t.k0, CASE WHEN t.value < 18 THEN CAST('18' AS INTEGER) WHEN t.value > 80 THEN CAST('80' AS
        INTEGER) ELSE t.value END AS value
    FROM (SELECT t_."member" AS k0, t_."age" AS value, t_."id" AS unit
      FROM "memory"."main"."people" AS t_
      WHERE t_."id" IS NOT NULL AND ((t_."age" >= 18) AND (t_."age" <= 80)) AND t_."age" IS NOT NULL AND t_."member"
        IS NOT NULL) AS t) AS t) AS t
GROUP BY t.k0, t.value;
-- answer:
SELECT "answer"."k0" AS "member", CAST(0 AS BIGINT) AS "g", "answer"."a0" AS "m"
FROM "answer"
ORDER BY "answer"."k0" NULLS LAST;
----
SELECT day, count(*) AS n FROM visits GROUP BY ROLLUP (day) HAVING count(*) > 0;
-- plain:
SELECT day, sum(n)::BIGINT AS n FROM (SELECT day, count(DISTINCT uid) AS n FROM visits WHERE day BETWEEN DATE '2024-01-05' AND DATE '2024-01-31' AND (day - DATE '2024-01-05') % 2 = 0 GROUP BY day) GROUP BY ROLLUP (day) HAVING sum(n) > 0;
-- plan: EveryKey groups=14, 'day' DATE, Count 0.5 x14 gaussian apart
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
SELECT "answer"."k0" AS "day", CAST(COALESCE(system.main.sum("answer"."a0"), 0) AS BIGINT) AS "n"
FROM "answer"
GROUP BY GROUPING SETS (("answer"."k0"), ())
HAVING (CAST(COALESCE(system.main.sum("answer"."a0"), 0) AS BIGINT) > 0)
ORDER BY GROUPING("answer"."k0"), "answer"."k0";
