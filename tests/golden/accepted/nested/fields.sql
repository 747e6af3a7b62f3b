SELECT address.country, count(*) AS n FROM members GROUP BY address.country;
-- plain:
SELECT k, count(id) FROM (VALUES ('no'), ('ch'), ('it'), ('se'), (NULL)) AS v(k) LEFT JOIN members ON address.country IS NOT DISTINCT FROM k GROUP BY k;
-- plan: EveryKey groups=1, 'country' VARCHAR, Count 0.5 x1
-- score:
SELECT t.k0 AS "country", system.main.count(*) AS score
FROM (SELECT system.main.struct_extract(t."address", 'country') AS k0, t."id" AS unit
  FROM "memory"."main"."members" AS t
  WHERE t."id" IS NOT NULL AND (system.main.struct_extract(t."address", 'country') IS NULL OR
      system.main.struct_extract(t."address", 'country') IN ('no', 'ch', 'it', 'se'))) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "country", "answer"."a0" AS "n"
FROM "answer";
----
SELECT m.address.city AS city, sum(m.address.geo.lat) AS s, avg((m.address).geo.lat) AS a FROM members AS m WHERE struct_extract(address, 'country') <> 'it' GROUP BY 1;
-- plain:
SELECT k, coalesce(sum(address.geo.lat), 0), coalesce(avg(address.geo.lat), 45) FROM (VALUES ('Oslo'), ('Bern'), ('Rome')) AS v(k) LEFT JOIN (SELECT * FROM members WHERE address.country <> 'it') AS m ON address.city = k GROUP BY k;
-- plan: EveryKey groups=1, 'city' VARCHAR, Sum 0.22835 x1, Mean 0.27165 x1
-- score:
SELECT t.k0 AS "city", CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS DECIMAL(38,12)) ELSE
  system.main.sum(t.part) END AS score
FROM (SELECT t.k0, system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS DECIMAL(38,12)),
        CAST('0.000000000000' AS DECIMAL(38,12))), CAST('90.000000000000' AS DECIMAL(38,12))) AS part
  FROM (SELECT system.main.struct_extract(t."address", 'city') AS k0, CAST(CASE WHEN
        system.main.struct_extract(system.main.struct_extract(t."address", 'geo'), 'lat') < CAST('-94371840.0'
          AS DOUBLE) THEN CAST('-94371840.0' AS DOUBLE) WHEN
        system.main.struct_extract(system.main.struct_extract(t."address", 'geo'), 'lat') > CAST('94371840.0'
          AS DOUBLE) THEN CAST('94371840.0' AS DOUBLE) ELSE
        system.main.struct_extract(system.main.struct_extract(t."address", 'geo'), 'lat') END AS
        DECIMAL(38,12)) AS value, t."id" AS unit
    FROM "memory"."main"."members" AS t
    WHERE t."id" IS NOT NULL AND (system.main.struct_extract(t."address", 'country') <> 'it') AND
      system.main.struct_extract(system.main.struct_extract(t."address", 'geo'), 'lat') IS NOT NULL AND (NOT
        system.main.isnan(system.main.struct_extract(system.main.struct_extract(t."address", 'geo'), 'lat')))
      AND system.main.struct_extract(t."address", 'city') IN ('Bern', 'Oslo', 'Rome')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- score:
SELECT t.k0 AS "city", CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE
  system.main.sum(t.part) END AS score, system.main.count(*) AS units
FROM (SELECT t.k0, CAST(system.main."//"(system.main.sum(t.value), system.main.count(*)) AS BIGINT) AS part
  FROM (SELECT system.main.struct_extract(t."address", 'city') AS k0, CASE WHEN
      CAST(system.main.struct_extract(system.main.struct_extract(t."address", 'geo'), 'lat') AS DOUBLE) <=
      CAST('0.0' AS DOUBLE) THEN CAST('0' AS BIGINT) WHEN
      CAST(system.main.struct_extract(system.main.struct_extract(t."address", 'geo'), 'lat') AS DOUBLE) >=
      CAST('90.0' AS DOUBLE) THEN CAST('1073741824' AS BIGINT) ELSE CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(system.main.struct_extract(system.main.struct_extract(t."address",
                        'geo'), 'lat') AS DOUBLE), CAST('0.0' AS DOUBLE)), CAST('90.0' AS DOUBLE)), CAST('1073741824.0'
                AS DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, t."id" AS unit
    FROM "memory"."main"."members" AS t
    WHERE t."id" IS NOT NULL AND (system.main.struct_extract(t."address", 'country') <> 'it') AND
      system.main.struct_extract(system.main.struct_extract(t."address", 'geo'), 'lat') IS NOT NULL AND (NOT
        system.main.isnan(system.main.struct_extract(system.main.struct_extract(t."address", 'geo'), 'lat')))
      AND system.main.struct_extract(t."address", 'city') IN ('Bern', 'Oslo', 'Rome')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "city", "answer"."a0" AS "s", "answer"."a1" AS "a"
FROM "answer";
----
SELECT address['city'] AS city, count(*) FILTER (address.geo."north of") AS north, count(*) FILTER (address IS NULL OR address.geo.lat > 45) AS far FROM members GROUP BY ALL HAVING count(*) > 5;
-- plain:
SELECT address.city, count(*) FILTER (address.geo."north of"), count(*) FILTER (address.geo.lat > 45) FROM members WHERE address.city IS NOT NULL GROUP BY ALL HAVING count(*) > 5;
-- plan: EveryKey groups=1, 'city' VARCHAR, Count 0.1667 x1, Count 0.16665 x1, Count 0.16665 x1
-- score:
SELECT t.k0 AS "city", system.main.count(*) AS score
FROM (SELECT system.main.struct_extract(t."address", 'city') AS k0, t."id" AS unit
  FROM "memory"."main"."members" AS t
  WHERE t."id" IS NOT NULL AND system.main.struct_extract(system.main.struct_extract(t."address", 'geo'),
      'north of') AND system.main.struct_extract(t."address", 'city') IN ('Bern', 'Oslo', 'Rome')) AS t
GROUP BY t.k0;
-- score:
SELECT t.k0 AS "city", system.main.count(*) AS score
FROM (SELECT system.main.struct_extract(t."address", 'city') AS k0, t."id" AS unit
  FROM "memory"."main"."members" AS t
  WHERE t."id" IS NOT NULL AND ((system.main.struct_extract(system.main.struct_extract(t."address", 'geo'),
          'lat') > CAST('45.0' AS DOUBLE)) OR (t."address" IS NULL)) AND system.main.struct_extract(t."address",
      'city') IN ('Bern', 'Oslo', 'Rome')) AS t
GROUP BY t.k0;
-- score:
SELECT t.k0 AS "city", system.main.count(*) AS score
FROM (SELECT system.main.struct_extract(t."address", 'city') AS k0, t."id" AS unit
  FROM "memory"."main"."members" AS t
  WHERE t."id" IS NOT NULL AND system.main.struct_extract(t."address", 'city') IN ('Bern', 'Oslo', 'Rome')) AS
  t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "city", "answer"."a0" AS "north", "answer"."a1" AS "far"
FROM "answer"
WHERE ("answer"."a2" > 5);
----
SELECT c, count(*) AS n FROM (SELECT address.country AS c, id FROM members WHERE address.city IN ('Oslo', 'Rome')) WHERE c IS NOT NULL GROUP BY c;
-- plain:
SELECT k, count(id) FROM (VALUES ('no'), ('ch'), ('it'), ('se')) AS v(k) LEFT JOIN members ON address.country = k AND address.city IN ('Oslo', 'Rome') GROUP BY k;
-- plan: EveryKey groups=1, 'c' VARCHAR, Count 0.5 x1
-- score:
SELECT t.k0 AS "c", system.main.count(*) AS score
FROM (SELECT system.main.struct_extract(t."address", 'country') AS k0, t."id" AS unit
  FROM "memory"."main"."members" AS t
  WHERE t."id" IS NOT NULL AND (system.main.struct_extract(t."address", 'city') IN ('Oslo', 'Rome')) AND (NOT
      (system.main.struct_extract(t."address", 'country') IS NULL)) AND system.main.struct_extract(t."address",
      'country') IN ('no', 'ch', 'it', 'se')) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "c", "answer"."a0" AS "n"
FROM "answer";
----
SELECT t.facts.country AS country, count(*) AS n FROM members AS m JOIN cities AS t ON m.address.city = t.city GROUP BY t.facts.country;
-- plain:
SELECT k, count(id) FROM (VALUES ('no'), ('ch'), ('it')) AS v(k) LEFT JOIN (SELECT id, facts.country AS c FROM members AS m JOIN cities AS t ON m.address.city = t.city) ON c = k GROUP BY k;
-- plan: EveryKey groups=1, 'country' VARCHAR, Count 0.5 x1
-- score:
SELECT t.k0 AS "country", system.main.count(*) AS score
FROM (SELECT system.main.struct_extract(t2."facts", 'country') AS k0, t."id" AS unit
  FROM "memory"."main"."members" AS t
  JOIN "memory"."main"."cities" AS t2 ON (system.main.struct_extract(t."address", 'city') = t2."city")
  WHERE t."id" IS NOT NULL AND system.main.struct_extract(t2."facts", 'country') IN ('ch', 'it', 'no')) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "country", "answer"."a0" AS "n"
FROM "answer";
----
SELECT m.address.city AS city, count(*) AS n FROM members AS m WHERE EXISTS (SELECT 1 FROM baskets AS b WHERE b.member = m.id AND b.page = '/shop' AND m.address.geo.lat < 60) GROUP BY m.address.city;
-- plain:
SELECT k, count(id) FROM (VALUES ('Oslo'), ('Bern'), ('Rome')) AS v(k) LEFT JOIN (SELECT * FROM members AS m WHERE id IN (SELECT member FROM baskets WHERE page = '/shop') AND address.geo.lat < 60) AS m ON address.city = k GROUP BY k;
-- plan: EveryKey groups=1, 'city' VARCHAR, Count 0.5 x1
-- score:
SELECT t.k0 AS "city", system.main.count(*) AS score
FROM (SELECT system.main.struct_extract(t."address", 'city') AS k0, t."id" AS unit
  FROM "memory"."main"."members" AS t
  WHERE t."id" IS NOT NULL AND (EXISTS (SELECT CAST('1' AS INTEGER) AS found
      FROM "memory"."main"."baskets" AS t2
      WHERE (system.main.struct_extract(system.main.struct_extract(t."address", 'geo'), 'lat') < CAST('60.0'
            AS DOUBLE)) AND (t2."member" = t."id") AND (t2."page" = '/shop') AND t2."member" = t."id")) AND
    system.main.struct_extract(t."address", 'city') IN ('Bern', 'Oslo', 'Rome')) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "city", "answer"."a0" AS "n"
FROM "answer";
----
SELECT city, count(*) AS n FROM (SELECT b.member, m.address.city AS city, row_number() OVER (PARTITION BY b.member ORDER BY b.placed) AS r FROM baskets AS b JOIN members AS m ON b.member = m.id) WHERE r = 1 GROUP BY city;
-- plain:
SELECT k, count(id) FROM (VALUES ('Oslo'), ('Bern'), ('Rome')) AS v(k) LEFT JOIN (SELECT * FROM members AS m WHERE id IN (SELECT member FROM baskets)) AS m ON address.city = k GROUP BY k;
-- plan: EveryKey groups=1, 'city' VARCHAR, Count 0.5 x1
-- score:
SELECT t.k0 AS "city", system.main.count(*) AS score
FROM (SELECT t3."c1" AS k0, t3."unit" AS unit
  FROM (SELECT t."member" AS "unit", system.main.row_number() OVER (PARTITION BY t."member"
      ORDER BY t."placed" ASC NULLS LAST, t."member" ASC NULLS LAST, (CASE WHEN
          system.main.strlen(system.main.struct_extract(t2."address", 'city')) <= 10000 THEN
          system.main.struct_extract(t2."address", 'city') END) ASC NULLS LAST, t."placed" ASC NULLS LAST) AS
      "c0", (CASE WHEN system.main.strlen(system.main.struct_extract(t2."address", 'city')) <= 10000 THEN
        system.main.struct_extract(t2."address", 'city') END) AS "c1"
    FROM "memory"."main"."baskets" AS t
    JOIN "memory"."main"."members" AS t2 ON (t."member" = t2."id")
    WHERE t."member" IS NOT NULL) AS t3
  WHERE t3."unit" IS NOT NULL AND (t3."c0" = 1) AND t3."c1" IN ('Bern', 'Oslo', 'Rome')) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "city", "answer"."a0" AS "n"
FROM "answer";
----
SELECT median(address.geo.lat) AS m, count(*) AS n FROM members LEFT JOIN (SELECT member, count(*) AS k FROM baskets GROUP BY member) AS b ON b.member = members.id WHERE coalesce(k, 0) < 3;
-- plain:
SELECT [0, 89], count(*) FROM members LEFT JOIN (SELECT member, count(*) AS k FROM baskets GROUP BY member) AS b ON b.member = members.id WHERE coalesce(k, 0) < 3;
-- plan: OneGroup, Quantile 0.30635 x1, Count 0.19365 x1
-- score:
SELECT t.value AS "address.geo.lat", system.main.count(*) AS score
FROM (SELECT CAST(CASE WHEN system.main.floor(system.main."/"(system.main."-"(t.value, CAST('0.0' AS DOUBLE)),
          CAST('1.0' AS DOUBLE))) > CAST('90.0' AS DOUBLE) THEN CAST('90.0' AS DOUBLE) ELSE
      system.main.floor(system.main."/"(system.main."-"(t.value, CAST('0.0' AS DOUBLE)), CAST('1.0' AS
            DOUBLE))) END AS BIGINT) AS value
  FROM (SELECT CASE WHEN t.value < CAST('0.0' AS DOUBLE) THEN CAST('0.0' AS DOUBLE) WHEN t.value > CAST('90.0'
        AS DOUBLE) THEN CAST('90.0' AS DOUBLE) ELSE t.value END AS value
    FROM (SELECT system.main.struct_extract(system.main.struct_extract(t."address", 'geo'), 'lat') AS value,
        t."id" AS unit
      FROM "memory"."main"."members" AS t
      LEFT
      JOIN (SELECT t2."member" AS "unit", system.main.count(CAST('1' AS INTEGER)) AS "c0"
        FROM "memory"."main"."baskets" AS t2
        WHERE t2."member" IS NOT NULL
        GROUP BY t2."member") AS t3 ON (t3."unit" = t."id")
      WHERE t."id" IS NOT NULL AND (COALESCE(t3."c0", CAST('0' AS BIGINT)) < 3) AND
        system.main.struct_extract(system.main.struct_extract(t."address", 'geo'), 'lat') IS NOT NULL AND (NOT
          system.main.isnan(system.main.struct_extract(system.main.struct_extract(t."address", 'geo'), 'lat'))))
      AS t) AS t) AS t
GROUP BY t.value;
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t."id" AS unit
  FROM "memory"."main"."members" AS t
  LEFT
  JOIN (SELECT t2."member" AS "unit", system.main.count(CAST('1' AS INTEGER)) AS "c0"
    FROM "memory"."main"."baskets" AS t2
    WHERE t2."member" IS NOT NULL
    GROUP BY t2."member") AS t3 ON (t3."unit" = t."id")
  WHERE t."id" IS NOT NULL AND (COALESCE(t3."c0", CAST('0' AS BIGINT)) < 3)) AS t;
-- answer:
SELECT "answer"."a0" AS "m", "answer"."a1" AS "n"
FROM "answer";
----
SELECT address.city AS city, count(*) / (SELECT count(*) FROM members WHERE address.geo.lat > 45) AS share FROM members GROUP BY address.city;
-- plain:
SELECT k AS city, n / (SELECT count(*) FROM members WHERE address.geo.lat > 45) AS share FROM (SELECT k, count(id) AS n FROM (VALUES ('Oslo'), ('Bern'), ('Rome')) AS v(k) LEFT JOIN members ON address.city = k GROUP BY k);
-- plan: OneGroup, Count 0.25 x1; EveryKey groups=1, 'city' VARCHAR, Count 0.25 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t."id" AS unit
  FROM "memory"."main"."members" AS t
  WHERE t."id" IS NOT NULL AND (system.main.struct_extract(system.main.struct_extract(t."address", 'geo'),
        'lat') > CAST('45.0' AS DOUBLE))) AS t;
-- score:
SELECT t.k0 AS "city", system.main.count(*) AS score
FROM (SELECT system.main.struct_extract(t."address", 'city') AS k0, t."id" AS unit
  FROM "memory"."main"."members" AS t
  WHERE t."id" IS NOT NULL AND system.main.struct_extract(t."address", 'city') IN ('Bern', 'Oslo', 'Rome')) AS
  t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "city", system.main."/"("answer"."a0", (SELECT "answer"."a0" AS "count_star()"
    FROM (SELECT "1.a0" AS "a0", "1.a0_low" AS "a0_low", "1.a0_high" AS "a0_high", "1.a0_gap" AS "a0_gap",
        "1.a0_p_value" AS "a0_p_value"
      FROM "blocks"
      WHERE "block" = 1) AS "answer")) AS "share"
FROM (SELECT "2.k0" AS "k0", "2.a0" AS "a0", "2.a0_low" AS "a0_low", "2.a0_high" AS "a0_high", "2.a0_gap" AS
    "a0_gap", "2.a0_p_value" AS "a0_p_value"
  FROM "blocks"
  WHERE "block" = 2) AS "answer";
