SELECT region, count(*) FILTER (len(languages) > 1) AS several, count(*) FILTER (list_contains(languages, 'de')) AS de, count(*) AS n FROM members GROUP BY region;
-- plain:
SELECT k, count(id) FILTER (len(languages) > 1), count(id) FILTER (list_contains(languages, 'de')), count(id) FROM (VALUES ('north'), ('south'), ('east'), ('west')) AS v(k) LEFT JOIN members ON region = k GROUP BY k;
-- plan: EveryKey groups=1, 'region' VARCHAR, Count 0.1667 x1, Count 0.16665 x1, Count 0.16665 x1
-- score:
SELECT t.k0 AS "region", system.main.count(*) AS score
FROM (SELECT t."region" AS k0, t."id" AS unit
  FROM "memory"."main"."members" AS t
  WHERE t."id" IS NOT NULL AND (system.main.len(t."languages") > 1) AND t."region" IN ('north', 'south',
      'east', 'west')) AS t
GROUP BY t.k0;
-- score:
SELECT t.k0 AS "region", system.main.count(*) AS score
FROM (SELECT t."region" AS k0, t."id" AS unit
  FROM "memory"."main"."members" AS t
  WHERE t."id" IS NOT NULL AND system.main.list_contains(t."languages", 'de') AND t."region" IN ('north',
      'south', 'east', 'west')) AS t
GROUP BY t.k0;
-- score:
SELECT t.k0 AS "region", system.main.count(*) AS score
FROM (SELECT t."region" AS k0, t."id" AS unit
  FROM "memory"."main"."members" AS t
  WHERE t."id" IS NOT NULL AND t."region" IN ('north', 'south', 'east', 'west')) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "region", "answer"."a0" AS "several", "answer"."a1" AS "de", "answer"."a2" AS "n"
FROM "answer";
----
SELECT languages[1] AS first, count(*) AS n FROM members GROUP BY ALL;
-- plain:
SELECT k, count(id) FROM (VALUES ('de'), ('en'), ('fr'), ('it'), ('es')) AS v(k) LEFT JOIN members ON languages[1] = k GROUP BY k;
-- plan: EveryKey groups=1, 'first' VARCHAR, Count 0.5 x1
-- score:
SELECT t.k0 AS "first", system.main.count(*) AS score
FROM (SELECT system.main.list_extract(t."languages", CAST('1' AS BIGINT)) AS k0, t."id" AS unit
  FROM "memory"."main"."members" AS t
  WHERE t."id" IS NOT NULL AND system.main.list_extract(t."languages", CAST('1' AS BIGINT)) IN ('de', 'en',
      'fr', 'it', 'es')) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "first", "answer"."a0" AS "n"
FROM "answer";
----
SELECT count(*) AS n, count(*) FILTER (contains(coupons, 'VIP')) AS v FROM baskets WHERE array_length(items) > 2 AND coupons[-1] = 'VIP' AND NOT list_has(coupons, 'SUMMER');
-- plain:
SELECT count(DISTINCT member), count(DISTINCT member) FROM baskets WHERE len(items) > 2 AND coupons[-1] = 'VIP' AND NOT list_contains(coupons, 'SUMMER');
-- plan: OneGroup, Count 0.25 x1, Count 0.25 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t."member" AS unit
    FROM "memory"."main"."baskets" AS t
    WHERE t."member" IS NOT NULL AND (NOT system.main.list_contains(t."coupons", 'SUMMER')) AND
      (system.main.len(t."items") > 2) AND (system.main.list_extract(t."coupons", CAST('-1' AS BIGINT)) =
        'VIP')) AS t
  GROUP BY t.unit) AS t;
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t."member" AS unit
    FROM "memory"."main"."baskets" AS t
    WHERE t."member" IS NOT NULL AND (NOT system.main.list_contains(t."coupons", 'SUMMER')) AND
      (system.main.len(t."items") > 2) AND (system.main.list_extract(t."coupons", CAST('-1' AS BIGINT)) =
        'VIP') AND system.main.list_contains(t."coupons", 'VIP')) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "n", "answer"."a1" AS "v"
FROM "answer";
----
SELECT avg(scores[1]) AS a, avg(least(greatest(len(scores), 0), 5)) AS k, count(*) FILTER (list_contains(days, DATE '2024-01-14')) AS d FROM members;
-- plain:
SELECT avg(scores[1]), avg(least(greatest(len(scores), 0), 5)), count(*) FILTER (list_contains(days, DATE '2024-01-14')) FROM members;
-- plan: OneGroup, Mean 0.17605 x1, Mean 0.176 x1, Count 0.14795 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score, system.main.count(*) AS units
FROM (SELECT CAST(system.main."//"(system.main.sum(t.value), system.main.count(*)) AS BIGINT) AS part
  FROM (SELECT CASE WHEN CAST(system.main.list_extract(t."scores", CAST('1' AS BIGINT)) AS DOUBLE) <= CAST('0.0'
        AS DOUBLE) THEN CAST('0' AS BIGINT) WHEN CAST(system.main.list_extract(t."scores", CAST('1' AS
            BIGINT)) AS DOUBLE) >= CAST('99.0' AS DOUBLE) THEN CAST('1073741824' AS BIGINT) ELSE
      CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(system.main.list_extract(t."scores",
                      CAST('1' AS BIGINT)) AS DOUBLE), CAST('0.0' AS DOUBLE)), CAST('99.0' AS DOUBLE)), CAST('1073741824.0'
                AS DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, t."id" AS unit
    FROM "memory"."main"."members" AS t
    WHERE t."id" IS NOT NULL AND system.main.list_extract(t."scores", CAST('1' AS BIGINT)) IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score, system.main.count(*) AS units
FROM (SELECT CAST(system.main."//"(system.main.sum(t.value), system.main.count(*)) AS BIGINT) AS part
  FROM (SELECT CASE WHEN CAST(system.main.least(system.main.greatest(system.main.len(t."scores"), CAST('0' AS
              BIGINT)), CAST('5' AS BIGINT)) AS DOUBLE) <= CAST('0.0' AS DOUBLE) THEN CAST('0' AS BIGINT) WHEN
      CAST(system.main.least(system.main.greatest(system.main.len(t."scores"), CAST('0' AS BIGINT)), CAST('5'
            AS BIGINT)) AS DOUBLE) >= CAST('5.0' AS DOUBLE) THEN CAST('1073741824' AS BIGINT) ELSE
      CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(system.main.least(system.main.greatest(system.main.len(t."scores"),
                        CAST('0' AS BIGINT)), CAST('5' AS BIGINT)) AS DOUBLE), CAST('0.0' AS DOUBLE)), CAST('5.0'
                  AS DOUBLE)), CAST('1073741824.0' AS DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS
      value, t."id" AS unit
    FROM "memory"."main"."members" AS t
    WHERE t."id" IS NOT NULL AND system.main.least(system.main.greatest(system.main.len(t."scores"), CAST('0'
            AS BIGINT)), CAST('5' AS BIGINT)) IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t."id" AS unit
  FROM "memory"."main"."members" AS t
  WHERE t."id" IS NOT NULL AND system.main.list_contains(t."days", DATE '2024-01-14')) AS t;
-- answer:
SELECT "answer"."a0" AS "a", "answer"."a1" AS "k", "answer"."a2" AS "d"
FROM "answer";
----
SELECT tag, count(*) AS n, count(DISTINCT id) AS people FROM (SELECT id, unnest(languages) AS tag FROM members) GROUP BY ALL;
-- plain:
SELECT k, count(DISTINCT id), count(DISTINCT id) FROM (VALUES ('de'), ('en'), ('fr'), ('it'), ('es')) AS v(k) LEFT JOIN (SELECT id, unnest(languages) AS tag FROM members) ON tag = k GROUP BY k;
-- plan: EveryKey groups=5, 'tag' VARCHAR, Count 0.5 x5 gaussian 5
-- score:
SELECT t.k0 AS "tag", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t2."c1" AS k0, t2."unit" AS unit
    FROM (SELECT t."id" AS "unit", t."languages" AS "c0", system.main.unnest(t."languages") AS "c1"
      FROM "memory"."main"."members" AS t
      WHERE t."id" IS NOT NULL) AS t2
    WHERE t2."unit" IS NOT NULL AND t2."c1" IN ('de', 'en', 'fr', 'it', 'es')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "tag", "answer"."a0" AS "n", "answer"."a0" AS "people"
FROM "answer";
----
SELECT u.lang, m.region, count(*) AS n FROM members AS m, unnest(m.languages) AS u(lang) WHERE u.lang IN ('de', 'fr') GROUP BY ALL;
-- plain:
SELECT k, r, count(DISTINCT id) FROM (VALUES ('de'), ('fr')) AS v(k) CROSS JOIN (VALUES ('north'), ('south'), ('east'), ('west')) AS w(r) LEFT JOIN (SELECT id, region, unnest(languages) AS l FROM members) ON l = k AND region = r GROUP BY k, r;
-- plan: EveryKey groups=8, 'lang' VARCHAR, 'region' VARCHAR, Count 0.5 x8 gaussian 8
-- score:
SELECT t.k0 AS "lang", t.k1 AS "region", system.main.count(*) AS score
FROM (SELECT t.k0, t.k1, t.unit
  FROM (SELECT t2."c2" AS k0, t2."c0" AS k1, t2."unit" AS unit
    FROM (SELECT t."id" AS "unit", (CASE WHEN system.main.strlen(t."region") <= 10000 THEN t."region" END) AS
        "c0", t."languages" AS "c1", system.main.unnest(t."languages") AS "c2"
      FROM "memory"."main"."members" AS t
      WHERE t."id" IS NOT NULL) AS t2
    WHERE t2."unit" IS NOT NULL AND (t2."c2" IN ('de', 'fr')) AND t2."c2" IN ('de', 'fr') AND t2."c0" IN ('north',
        'south', 'east', 'west')) AS t
  GROUP BY t.k0, t.k1, t.unit) AS t
GROUP BY t.k0, t.k1;
-- answer:
SELECT "answer"."k0" AS "lang", "answer"."k1" AS "region", "answer"."a0" AS "n"
FROM "answer";
----
SELECT c, count(*) AS n FROM baskets AS b CROSS JOIN LATERAL unnest(b.coupons) AS u(c) JOIN members AS m ON b.member = m.id WHERE m.region = 'north' GROUP BY c;
-- plain:
SELECT k, count(DISTINCT member) FROM (VALUES ('SUMMER'), ('VIP'), ('WELCOME')) AS v(k) LEFT JOIN (SELECT member, unnest(coupons) AS c FROM baskets JOIN members ON member = id WHERE region = 'north') ON c = k GROUP BY k;
-- plan: EveryKey groups=3, 'c' VARCHAR, Count 0.5 x3
-- score:
SELECT t.k0 AS "c", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t2."c1" AS k0, t2."unit" AS unit
    FROM (SELECT t."member" AS "unit", t."coupons" AS "c0", system.main.unnest(t."coupons") AS "c1"
      FROM "memory"."main"."baskets" AS t
      WHERE t."member" IS NOT NULL) AS t2
    JOIN "memory"."main"."members" AS t3 ON (t2."unit" = t3."id")
    WHERE t2."unit" IS NOT NULL AND (t3."region" = 'north') AND t2."c1" IN ('SUMMER', 'VIP', 'WELCOME')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "c", "answer"."a0" AS "n"
FROM "answer";
----
SELECT m.address.city AS city, count(*) FILTER (s >= 50) AS high FROM members AS m JOIN LATERAL (SELECT unnest(m.scores) AS s) AS u ON true GROUP BY m.address.city;
-- plain:
SELECT k, count(DISTINCT id) FILTER (s >= 50) FROM (VALUES ('Oslo'), ('Bern'), ('Rome')) AS v(k) LEFT JOIN (SELECT id, address.city AS city, unnest(scores) AS s FROM members) ON city = k GROUP BY k;
-- plan: EveryKey groups=3, 'city' VARCHAR, Count 0.5 x3
-- score:
SELECT t.k0 AS "city", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t2."c1" AS k0, t2."unit" AS unit
    FROM (SELECT t."id" AS "unit", t."scores" AS "c0", (CASE WHEN
          system.main.strlen(system.main.struct_extract(t."address", 'city')) <= 10000 THEN
          system.main.struct_extract(t."address", 'city') END) AS "c1", system.main.unnest(t."scores") AS "c2"
      FROM "memory"."main"."members" AS t
      WHERE t."id" IS NOT NULL) AS t2
    WHERE t2."unit" IS NOT NULL AND (t2."c2" >= 50) AND t2."c1" IN ('Bern', 'Oslo', 'Rome')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "city", "answer"."a0" AS "high"
FROM "answer";
----
SELECT count(*) AS n, count(*) FILTER (s IS NULL) AS none FROM members LEFT JOIN unnest(scores) AS u(s) ON true;
-- plain:
SELECT count(*), count(*) FILTER (scores IS NULL OR len(scores) = 0) FROM members;
-- plan: OneGroup, Count 0.25 x1, Count 0.25 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t2."unit" AS unit
    FROM (SELECT t."id" AS "unit", t."scores" AS "c0", system.main.unnest(CASE WHEN system.main.len(t."scores")
          > 0 THEN t."scores" ELSE system.main.list_value(CAST(NULL AS INTEGER)) END) AS "c1"
      FROM "memory"."main"."members" AS t
      WHERE t."id" IS NOT NULL) AS t2
    WHERE t2."unit" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t2."unit" AS unit
    FROM (SELECT t."id" AS "unit", t."scores" AS "c0", system.main.unnest(CASE WHEN system.main.len(t."scores")
          > 0 THEN t."scores" ELSE system.main.list_value(CAST(NULL AS INTEGER)) END) AS "c1"
      FROM "memory"."main"."members" AS t
      WHERE t."id" IS NOT NULL) AS t2
    WHERE t2."unit" IS NOT NULL AND (t2."c1" IS NULL)) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "n", "answer"."a1" AS "none"
FROM "answer";
----
SELECT lang, count(*) AS n FROM members, unnest(scores) AS u(s), unnest(languages) AS w(lang) WHERE s > 60 GROUP BY lang;
-- plain:
SELECT k, count(DISTINCT id) FROM (VALUES ('de'), ('en'), ('fr'), ('it'), ('es')) AS v(k) LEFT JOIN (SELECT id, s, unnest(languages) AS l FROM (SELECT id, languages, unnest(scores) AS s FROM members)) ON l = k AND s > 60 GROUP BY k;
-- plan: EveryKey groups=5, 'lang' VARCHAR, Count 0.5 x5 gaussian 5
-- score:
SELECT t.k0 AS "lang", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t3."c3" AS k0, t3."unit" AS unit
    FROM (SELECT t2."unit" AS "unit", t2."c0" AS "c0", t2."c1" AS "c1", t2."c2" AS "c2",
        system.main.unnest(t2."c0") AS "c3"
      FROM (SELECT t."id" AS "unit", t."languages" AS "c0", t."scores" AS "c1", system.main.unnest(t."scores")
          AS "c2"
        FROM "memory"."main"."members" AS t
        WHERE t."id" IS NOT NULL) AS t2
      WHERE t2."unit" IS NOT NULL) AS t3
    WHERE t3."unit" IS NOT NULL AND (t3."c2" > 60) AND t3."c3" IN ('de', 'en', 'fr', 'it', 'es')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "lang", "answer"."a0" AS "n"
FROM "answer";
----
SELECT k, count(*) AS people FROM (SELECT member, least(count(*), 6) AS k FROM (SELECT member, unnest(items) AS i FROM baskets) WHERE i.price > 10 GROUP BY member) GROUP BY k;
-- plain:
SELECT v.k, count(p.member) FROM range(0, 7) AS v(k) LEFT JOIN (SELECT member, least(count(*), 6) AS k FROM (SELECT member, unnest(items) AS i FROM baskets) WHERE i.price > 10 GROUP BY member) AS p ON p.k = v.k GROUP BY v.k;
-- plan: EveryKey groups=1, 'k' BIGINT, Count 0.5 x1
-- score:
SELECT t.k0 AS "k", system.main.count(*) AS score
FROM (SELECT system.main.least(t3."c0", CAST('6' AS BIGINT)) AS k0, t3."unit" AS unit
  FROM (SELECT t2."unit" AS "unit", system.main.count(CAST('1' AS INTEGER)) AS "c0"
    FROM (SELECT t."member" AS "unit", t."items" AS "c0", system.main.unnest(t."items") AS "c1"
      FROM "memory"."main"."baskets" AS t
      WHERE t."member" IS NOT NULL) AS t2
    WHERE (system.main.struct_extract(t2."c1", 'price') > CAST('10.00' AS DECIMAL(9,2))) AND t2."unit" IS NOT
      NULL
    GROUP BY t2."unit") AS t3
  WHERE t3."unit" IS NOT NULL AND (system.main.least(t3."c0", CAST('6' AS BIGINT)) >= 0 AND
      system.main.least(t3."c0", CAST('6' AS BIGINT)) <= 6)) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "k", "answer"."a0" AS "people"
FROM "answer";
----
SELECT first, count(*) AS n FROM (SELECT id, arg_min(lang, id) AS first FROM (SELECT id, unnest(languages) AS lang FROM members) GROUP BY id) GROUP BY first;
-- plain:
SELECT k, count(id) FROM (VALUES ('de'), ('en'), ('fr'), ('it'), ('es')) AS v(k) LEFT JOIN (SELECT id, min(lang) AS f FROM (SELECT id, unnest(languages) AS lang FROM members) GROUP BY id) ON f = k GROUP BY k;
-- plan: EveryKey groups=1, 'first' VARCHAR, Count 0.5 x1
-- score:
SELECT t.k0 AS "first", system.main.count(*) AS score
FROM (SELECT t3."c0" AS k0, t3."unit" AS unit
  FROM (SELECT t2."unit" AS "unit", system.main.arg_min((CASE WHEN t2."unit" IS NOT NULL THEN (CASE WHEN
            system.main.strlen(t2."c1") <= 10000 THEN t2."c1" END) END), system.main.row(t2."unit", (CASE WHEN
            system.main.strlen(t2."c1") <= 10000 THEN t2."c1" END))) AS "c0"
    FROM (SELECT t."id" AS "unit", t."languages" AS "c0", system.main.unnest(t."languages") AS "c1"
      FROM "memory"."main"."members" AS t
      WHERE t."id" IS NOT NULL) AS t2
    WHERE t2."unit" IS NOT NULL
    GROUP BY t2."unit") AS t3
  WHERE t3."unit" IS NOT NULL AND t3."c0" IN ('de', 'en', 'fr', 'it', 'es')) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "first", "answer"."a0" AS "n"
FROM "answer";
----
SELECT sum(s) AS s, count(DISTINCT s) AS d FROM (SELECT DISTINCT id, unnest(scores) AS s FROM members WHERE region = 'south');
-- plain:
SELECT [0, 100000], [0, 2000];
-- plan: OneGroup, ClampedSum 0.25 x1, ChosenDistinct 0.25 x1
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
      AS HUGEINT) THEN CAST('19' AS BIGINT) WHEN t.size <= CAST('1048576' AS HUGEINT) THEN CAST('20' AS
      BIGINT) WHEN t.size <= CAST('2097152' AS HUGEINT) THEN CAST('21' AS BIGINT) WHEN t.size <= CAST('4194304'
      AS HUGEINT) THEN CAST('22' AS BIGINT) WHEN t.size <= CAST('8388608' AS HUGEINT) THEN CAST('23' AS
      BIGINT) WHEN t.size <= CAST('16777216' AS HUGEINT) THEN CAST('24' AS BIGINT) WHEN t.size <= CAST('33554432'
      AS HUGEINT) THEN CAST('25' AS BIGINT) WHEN t.size <= CAST('67108864' AS HUGEINT) THEN CAST('26' AS
      BIGINT) ELSE CAST('27' AS BIGINT) END AS value
  FROM (SELECT t.*, system.main.abs(t.part) AS size
    FROM (SELECT t.unit, system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS HUGEINT),
            CAST('0' AS HUGEINT)), CAST('134217728' AS HUGEINT)) AS part
      FROM (SELECT CAST(CASE WHEN t3."c0" < CAST('0' AS INTEGER) THEN CAST('0' AS INTEGER) WHEN t3."c0" >
            CAST('134217728' AS INTEGER) THEN CAST('134217728' AS INTEGER) ELSE t3."c0" END AS HUGEINT) AS
          value, t3."unit" AS unit
        FROM (SELECT DISTINCT t2."unit" AS "unit", t2."c2" AS "c0"
          FROM (SELECT t."id" AS "unit", (CASE WHEN system.main.strlen(t."region") <= 10000 THEN t."region"
                END) AS "c0", t."scores" AS "c1", system.main.unnest(t."scores") AS "c2"
            FROM "memory"."main"."members" AS t
            WHERE t."id" IS NOT NULL) AS t2
          WHERE (t2."c0" = 'south') AND t2."unit" IS NOT NULL) AS t3
        WHERE t3."unit" IS NOT NULL AND t3."c0" IS NOT NULL) AS t
      GROUP BY t.unit) AS t) AS t) AS t
GROUP BY t.value;
-- score:
SELECT t.value AS "level", system.main.count(*) AS score
FROM (SELECT CASE WHEN t.place <= CAST('1' AS BIGINT) THEN CAST('0' AS BIGINT) WHEN t.place <= CAST('2' AS
      BIGINT) THEN CAST('1' AS BIGINT) WHEN t.place <= CAST('4' AS BIGINT) THEN CAST('2' AS BIGINT) WHEN
    t.place <= CAST('8' AS BIGINT) THEN CAST('3' AS BIGINT) WHEN t.place <= CAST('16' AS BIGINT) THEN CAST('4'
      AS BIGINT) WHEN t.place <= CAST('32' AS BIGINT) THEN CAST('5' AS BIGINT) WHEN t.place <= CAST('64' AS
      BIGINT) THEN CAST('6' AS BIGINT) ELSE CAST('7' AS BIGINT) END AS value
  FROM (SELECT system.main.min(t.place) AS place
    FROM (SELECT t.value, system.main.dense_rank() OVER (PARTITION BY t.unit
        ORDER BY system.main.hash(t.unit, t.value, CAST('20241121' AS BIGINT)), t.value) AS place
      FROM (SELECT t3."c0" AS value, t3."unit" AS unit
        FROM (SELECT DISTINCT t2."unit" AS "unit", t2."c2" AS "c0"
          FROM (SELECT t."id" AS "unit", (CASE WHEN system.main.strlen(t."region") <= 10000 THEN t."region"
                END) AS "c0", t."scores" AS "c1", system.main.unnest(t."scores") AS "c2"
            FROM "memory"."main"."members" AS t
            WHERE t."id" IS NOT NULL) AS t2
          WHERE (t2."c0" = 'south') AND t2."unit" IS NOT NULL) AS t3
        WHERE t3."unit" IS NOT NULL AND t3."c0" IS NOT NULL) AS t) AS t
    GROUP BY t.value) AS t
  WHERE t.place <= CAST('100' AS BIGINT)) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS "s", "answer"."a1" AS "d"
FROM "answer";
----
SELECT count(*) FILTER ('de' IN languages) AS de, count(*) FILTER (WHERE NOT 'de' IN languages) AS others FROM members;
-- plain:
the query
-- plan: OneGroup, Count 0.25 x1, Count 0.25 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t."id" AS unit
  FROM "memory"."main"."members" AS t
  WHERE t."id" IS NOT NULL AND system.main.list_contains(t."languages", 'de')) AS t;
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t."id" AS unit
  FROM "memory"."main"."members" AS t
  WHERE t."id" IS NOT NULL AND (NOT system.main.list_contains(t."languages", 'de'))) AS t;
-- answer:
SELECT "answer"."a0" AS "de", "answer"."a1" AS "others"
FROM "answer";
----
SELECT least(len(languages), 2) AS k, count(*) AS n FROM members GROUP BY k ORDER BY k;
-- plain:
the query
-- plan: EveryKey groups=1, 'k' BIGINT, Count 0.5 x1
-- score:
SELECT t.k0 AS "k", system.main.count(*) AS score
FROM (SELECT system.main.least(system.main.len(t."languages"), CAST('2' AS BIGINT)) AS k0, t."id" AS unit
  FROM "memory"."main"."members" AS t
  WHERE t."id" IS NOT NULL AND (system.main.least(system.main.len(t."languages"), CAST('2' AS BIGINT)) >= 0
      AND system.main.least(system.main.len(t."languages"), CAST('2' AS BIGINT)) <= 2)) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "k", "answer"."a0" AS "n"
FROM "answer"
ORDER BY "answer"."k0" NULLS LAST;
