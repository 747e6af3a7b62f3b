SELECT first, count(*) AS people FROM (SELECT member, arg_min(page, (placed, place)) AS first FROM baskets GROUP BY member) GROUP BY first;
-- plain:
SELECT k, count(member) FROM (VALUES ('/home'), ('/shop'), ('/blog')) AS v(k) LEFT JOIN (SELECT member, arg_min(page, (placed, place)) AS first FROM baskets GROUP BY member) ON first = k GROUP BY k;
-- plan: EveryKey groups=1, 'first' VARCHAR, Count 0.5 x1
-- score:
SELECT t.k0 AS "first", system.main.count(*) AS score
FROM (SELECT t2."c0" AS k0, t2."unit" AS unit
  FROM (SELECT t."member" AS "unit", system.main.arg_min((CASE WHEN system.main.strlen(t."page") <= 10000 THEN
          t."page" END), system.main.row(t."placed", t."place", (CASE WHEN system.main.strlen(t."page") <=
            10000 THEN t."page" END))) AS "c0"
    FROM "memory"."main"."baskets" AS t
    WHERE t."member" IS NOT NULL
    GROUP BY t."member") AS t2
  WHERE t2."unit" IS NOT NULL AND t2."c0" IN ('/home', '/shop', '/blog')) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "first", "answer"."a0" AS "people"
FROM "answer";
----
SELECT last, count(*) AS people FROM (SELECT member, max_by(page, row(place, placed)) AS last FROM baskets GROUP BY ALL) GROUP BY last;
-- plain:
SELECT k, count(member) FROM (VALUES ('/home'), ('/shop'), ('/blog')) AS v(k) LEFT JOIN (SELECT member, arg_max(page, (place, placed)) AS last FROM baskets GROUP BY member) ON last = k GROUP BY k;
-- plan: EveryKey groups=1, 'last' VARCHAR, Count 0.5 x1
-- score:
SELECT t.k0 AS "last", system.main.count(*) AS score
FROM (SELECT t2."c0" AS k0, t2."unit" AS unit
  FROM (SELECT t."member" AS "unit", system.main.arg_max((CASE WHEN system.main.strlen(t."page") <= 10000 THEN
          t."page" END), system.main.row(t."place", t."placed", (CASE WHEN system.main.strlen(t."page") <=
            10000 THEN t."page" END))) AS "c0"
    FROM "memory"."main"."baskets" AS t
    WHERE t."member" IS NOT NULL
    GROUP BY t."member") AS t2
  WHERE t2."unit" IS NOT NULL AND t2."c0" IN ('/home', '/shop', '/blog')) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "last", "answer"."a0" AS "people"
FROM "answer";
----
SELECT page, count(*) AS people FROM (SELECT member, page, row_number() OVER (PARTITION BY member ORDER BY (place, placed) DESC) AS r FROM baskets) WHERE r = 2 GROUP BY page;
-- plain:
SELECT k, count(member) FROM (VALUES ('/home'), ('/shop'), ('/blog')) AS v(k) LEFT JOIN (SELECT member, page, row_number() OVER (PARTITION BY member ORDER BY (place, placed) DESC) AS r FROM baskets) ON page = k AND r = 2 GROUP BY k;
-- plan: EveryKey groups=1, 'page' VARCHAR, Count 0.5 x1
-- score:
SELECT t.k0 AS "page", system.main.count(*) AS score
FROM (SELECT t2."c1" AS k0, t2."unit" AS unit
  FROM (SELECT t."member" AS "unit", system.main.row_number() OVER (PARTITION BY t."member"
      ORDER BY t."place" DESC NULLS FIRST, t."placed" DESC NULLS FIRST, t."member" ASC NULLS LAST, (CASE WHEN
          system.main.strlen(t."page") <= 10000 THEN t."page" END) ASC NULLS LAST, t."placed" ASC NULLS LAST,
        t."place" ASC NULLS LAST) AS "c0", (CASE WHEN system.main.strlen(t."page") <= 10000 THEN t."page" END)
      AS "c1"
    FROM "memory"."main"."baskets" AS t
    WHERE t."member" IS NOT NULL) AS t2
  WHERE t2."unit" IS NOT NULL AND (t2."c0" = 2) AND t2."c1" IN ('/home', '/shop', '/blog')) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "page", "answer"."a0" AS "people"
FROM "answer";
----
SELECT first, count(*) AS people FROM (SELECT member, first(page ORDER BY (place, placed)) AS first FROM baskets GROUP BY member) GROUP BY first;
-- plain:
SELECT k, count(member) FROM (VALUES ('/home'), ('/shop'), ('/blog')) AS v(k) LEFT JOIN (SELECT member, arg_min(page, (place, placed)) AS first FROM baskets GROUP BY member) ON first = k GROUP BY k;
-- plan: EveryKey groups=1, 'first' VARCHAR, Count 0.5 x1
-- score:
SELECT t.k0 AS "first", system.main.count(*) AS score
FROM (SELECT t2."c0" AS k0, t2."unit" AS unit
  FROM (SELECT t."member" AS "unit", system.main.arg_min((CASE WHEN system.main.strlen(t."page") <= 10000 THEN
          t."page" END), system.main.row(t."place", t."placed", (CASE WHEN system.main.strlen(t."page") <=
            10000 THEN t."page" END))) AS "c0"
    FROM "memory"."main"."baskets" AS t
    WHERE t."member" IS NOT NULL
    GROUP BY t."member") AS t2
  WHERE t2."unit" IS NOT NULL AND t2."c0" IN ('/home', '/shop', '/blog')) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "first", "answer"."a0" AS "people"
FROM "answer";
----
SELECT last, count(*) AS people FROM (SELECT member, last(page ORDER BY placed, place) AS last FROM baskets GROUP BY member) GROUP BY last;
-- plain:
SELECT k, count(member) FROM (VALUES ('/home'), ('/shop'), ('/blog')) AS v(k) LEFT JOIN (SELECT member, arg_max(page, (placed, place)) AS last FROM baskets GROUP BY member) ON last = k GROUP BY k;
-- plan: EveryKey groups=1, 'last' VARCHAR, Count 0.5 x1
-- score:
SELECT t.k0 AS "last", system.main.count(*) AS score
FROM (SELECT t2."c0" AS k0, t2."unit" AS unit
  FROM (SELECT t."member" AS "unit", system.main.arg_max((CASE WHEN system.main.strlen(t."page") <= 10000 THEN
          t."page" END), system.main.row(t."placed", t."place", (CASE WHEN system.main.strlen(t."page") <=
            10000 THEN t."page" END))) AS "c0"
    FROM "memory"."main"."baskets" AS t
    WHERE t."member" IS NOT NULL
    GROUP BY t."member") AS t2
  WHERE t2."unit" IS NOT NULL AND t2."c0" IN ('/home', '/shop', '/blog')) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "last", "answer"."a0" AS "people"
FROM "answer";
