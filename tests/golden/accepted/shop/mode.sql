SELECT mode(page) FROM visits WHERE page <> 'e';
-- plain:
SELECT page FROM visits WHERE page <> 'e' AND page IN ('a', 'b', 'e', 'z') AND uid IS NOT NULL GROUP BY page ORDER BY count(DISTINCT uid) DESC LIMIT (SELECT 1);
-- plan: OneGroup, Mode 0.5 x1
-- score:
SELECT t.value AS "page", system.main.count(*) AS score
FROM (SELECT t.value, t.unit
  FROM (SELECT t_."page" AS value, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."page" <> 'e') AND t_."page" IN ('a', 'b', 'e', 'z')) AS t
  GROUP BY t.value, t.unit) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS """mode""(page)"
FROM "answer";
----
SELECT mode(grade) AS usual FROM visits WHERE uid < 10 AND age > 50;
-- plain:
SELECT grade FROM visits WHERE uid < 10 AND age > 50 AND grade IS NOT NULL GROUP BY grade ORDER BY count(DISTINCT uid) DESC LIMIT (SELECT 1);
-- plan: OneGroup, Mode 0.5 x1
-- score:
SELECT t.value AS "grade", system.main.count(*) AS score
FROM (SELECT t.value, t.unit
  FROM (SELECT t_."grade" AS value, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."age" > 50) AND (t_."uid" < 10) AND t_."grade" IS NOT NULL) AS t
  GROUP BY t.value, t.unit) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS "usual"
FROM "answer";
----
SELECT mode(ok) FROM visits WHERE ok;
-- plain:
SELECT true;
-- plan: OneGroup, Mode 0.5 x1
-- score:
SELECT t.value AS "ok", system.main.count(*) AS score
FROM (SELECT t.value, t.unit
  FROM (SELECT t_."ok" AS value, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND t_."ok" AND t_."ok" IS NOT NULL) AS t
  GROUP BY t.value, t.unit) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS """mode""(ok)"
FROM "answer";
----
SELECT mode(tiny) FROM visits WHERE tiny < 25;
-- plain:
SELECT tiny FROM visits WHERE tiny < 25 AND tiny IN (10, 30, 50, 70, 90) AND uid IS NOT NULL GROUP BY tiny;
-- plan: OneGroup, Mode 0.5 x1
-- score:
SELECT t.value AS "tiny", system.main.count(*) AS score
FROM (SELECT t.value, t.unit
  FROM (SELECT t_."tiny" AS value, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."tiny" < 25) AND (CASE WHEN t_."tiny" >= 10 AND t_."tiny" <= 90 THEN
        system.main."%"(system.main."-"(CAST(t_."tiny" AS HUGEINT), CAST('10' AS HUGEINT)), CAST('20' AS
            HUGEINT)) = 0 ELSE FALSE END)) AS t
  GROUP BY t.value, t.unit) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS """mode""(tiny)"
FROM "answer";
----
SELECT mode(disease) FROM visits WHERE disease NOT IN ('flu1', 'flu0', 'it''s "x"');
-- plain:
SELECT 'flu2';
-- plan: OneGroup, Mode 0.5 x1
-- score:
SELECT t.value AS "disease", system.main.count(*) AS score
FROM (SELECT t.value, t.unit
  FROM (SELECT t_."disease" AS value, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (NOT (t_."disease" IN ('flu0', 'flu1', 'it''s "x"'))) AND (t_."disease" IS
        NULL OR system.main.strlen(t_."disease") <= 10000)) AS t
  GROUP BY t.value, t.unit) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS """mode""(disease)"
FROM "answer";
----
SELECT mode(region) FROM people WHERE region > 'r0' AND id < 50 AND member;
-- plain:
SELECT NULL::VARCHAR;
-- plan: OneGroup, Mode 0.5 x1
-- score:
SELECT t.value AS "region", system.main.count(*) AS score
FROM (SELECT t_."region" AS value, t_."id" AS unit
  FROM "memory"."main"."people" AS t_
  WHERE t_."id" IS NOT NULL AND (t_."id" < 50) AND (t_."region" > 'r0') AND t_."member" AND (t_."region" IS
      NULL OR system.main.strlen(t_."region") <= 10000)) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS """mode""(region)"
FROM "answer";
----
SELECT mode(region) FROM people WHERE region IN ('r0', 'r1') AND age > 20;
-- plain:
SELECT region FROM people WHERE region IN ('r0', 'r1') AND age > 20 GROUP BY region ORDER BY count(*) DESC LIMIT (SELECT 1);
-- plan: OneGroup, Mode 0.5 x1
-- score:
SELECT t.value AS "region", system.main.count(*) AS score
FROM (SELECT t_."region" AS value, t_."id" AS unit
  FROM "memory"."main"."people" AS t_
  WHERE t_."id" IS NOT NULL AND (t_."age" > 20) AND (t_."region" IN ('r0', 'r1')) AND (t_."region" IS NULL OR
      system.main.strlen(t_."region") <= 10000)) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS """mode""(region)"
FROM "answer";
----
SELECT ok, mode(page) AS p FROM visits WHERE age > 20 AND page <> 'b' GROUP BY ok;
-- plain:
SELECT ok, arg_max(page, n) FROM (SELECT ok, page, count(DISTINCT uid) AS n FROM visits WHERE age > 20 AND page <> 'b' AND page IN ('a', 'b', 'e', 'z') AND ok IS NOT NULL AND uid IS NOT NULL GROUP BY ALL) GROUP BY ok;
-- plan: EveryKey groups=2, 'ok' BOOLEAN, Mode 0.5 x2
-- score:
SELECT t.k0 AS "ok", t.value AS "page", system.main.count(*) AS score
FROM (SELECT t.k0, t.value, t.unit
  FROM (SELECT t_."ok" AS k0, t_."page" AS value, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."age" > 20) AND (t_."page" <> 'b') AND t_."page" IN ('a', 'b', 'e', 'z')
      AND t_."ok" IS NOT NULL) AS t
  GROUP BY t.k0, t.value, t.unit) AS t
GROUP BY t.k0, t.value;
-- answer:
SELECT "answer"."k0" AS "ok", "answer"."a0" AS "p"
FROM "answer";
----
SELECT mode(page) FILTER (WHERE page <> 'e') FROM visits;
-- plain:
SELECT 'b';
-- plan: OneGroup, Mode 0.5 x1
-- score:
SELECT t.value AS "page", system.main.count(*) AS score
FROM (SELECT t.value, t.unit
  FROM (SELECT t_."page" AS value, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."page" <> 'e') AND t_."page" IN ('a', 'b', 'e', 'z')) AS t
  GROUP BY t.value, t.unit) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS """mode""(page) FILTER (WHERE (page != 'e'))"
FROM "answer";
----
SELECT mode(lower(page)) FROM visits WHERE page = 'a';
-- plain:
SELECT 'a';
-- plan: OneGroup, Mode 0.5 x1
-- score:
SELECT t.value AS "key", system.main.count(*) AS score
FROM (SELECT t.value, t.unit
  FROM (SELECT system.main.lower(t_."page") AS value, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."page" = 'a') AND system.main.lower(t_."page") IN ('a', 'b', 'e', 'z'))
    AS t
  GROUP BY t.value, t.unit) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS """mode""(lower(page))"
FROM "answer";
----
SELECT mode(upper(page)) AS big FROM visits WHERE page <> 'e';
-- plain:
SELECT 'B';
-- plan: OneGroup, Mode 0.5 x1
-- score:
SELECT t.value AS "key", system.main.count(*) AS score
FROM (SELECT t.value, t.unit
  FROM (SELECT system.main.upper(t_."page") AS value, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."page" <> 'e') AND system.main.upper(t_."page") IN ('A', 'B', 'E', 'Z'))
    AS t
  GROUP BY t.value, t.unit) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS "big"
FROM "answer";
----
SELECT mode() WITHIN GROUP (ORDER BY page) FROM visits WHERE page <> 'e';
-- plain:
SELECT 'b';
-- plan: OneGroup, Mode 0.5 x1
-- score:
SELECT t.value AS "page", system.main.count(*) AS score
FROM (SELECT t.value, t.unit
  FROM (SELECT t_."page" AS value, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."page" <> 'e') AND t_."page" IN ('a', 'b', 'e', 'z')) AS t
  GROUP BY t.value, t.unit) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS """mode""() WITHIN GROUP ( ORDER BY page)"
FROM "answer";
