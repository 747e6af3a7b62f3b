SELECT payload->'net'->>'type' AS net, count(*) AS n, count(DISTINCT member) AS people FROM baskets WHERE payload->>'$.net.type' IN ('wifi', 'cell') GROUP BY net ORDER BY net;
-- plain:
SELECT payload->'net'->>'type' AS net, count(DISTINCT member), count(DISTINCT member) FROM baskets GROUP BY net ORDER BY net;
-- plan: EveryKey groups=2, 'net' VARCHAR, Count 0.5 x2
-- score:
SELECT t.k0 AS "net", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT system.main.json_extract_string((CASE WHEN system.main.json_valid((CASE WHEN
              system.main.strlen(CAST(t."payload" AS VARCHAR)) <= 10000 THEN CAST(t."payload" AS VARCHAR)
              END)) THEN (CASE WHEN system.main.strlen(CAST(t."payload" AS VARCHAR)) <= 10000 THEN CAST(t."payload"
              AS VARCHAR) END) END), '$."net"."type"') AS k0, t."member" AS unit
    FROM "memory"."main"."baskets" AS t
    WHERE t."member" IS NOT NULL AND (system.main.json_extract_string((CASE WHEN system.main.json_valid((CASE
                WHEN system.main.strlen(CAST(t."payload" AS VARCHAR)) <= 10000 THEN CAST(t."payload" AS
                  VARCHAR) END)) THEN (CASE WHEN system.main.strlen(CAST(t."payload" AS VARCHAR)) <= 10000
              THEN CAST(t."payload" AS VARCHAR) END) END), '$."net"."type"') IN ('cell', 'wifi')) AND
      system.main.json_extract_string((CASE WHEN system.main.json_valid((CASE WHEN system.main.strlen(CAST(t."payload"
                  AS VARCHAR)) <= 10000 THEN CAST(t."payload" AS VARCHAR) END)) THEN (CASE WHEN
            system.main.strlen(CAST(t."payload" AS VARCHAR)) <= 10000 THEN CAST(t."payload" AS VARCHAR) END)
          END), '$."net"."type"') IN ('wifi', 'cell')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "net", "answer"."a0" AS "n", "answer"."a0" AS "people"
FROM "answer"
ORDER BY "answer"."k0" NULLS LAST;
----
SELECT avg((payload->>'ms')::INT) AS ms, sum(CAST(payload->>'$.ms' AS DOUBLE), contribution_bounds_per_group => (0, 100000)) AS s FROM baskets WHERE member = 7;
-- plain:
SELECT avg((payload->>'ms')::INT), sum((payload->>'ms')::DOUBLE) FROM baskets WHERE member = 7;
-- plan: OneGroup, Mean 0.27165 x1, Sum 0.22835 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score, system.main.count(*) AS units
FROM (SELECT CAST(system.main."//"(system.main.sum(t.value), system.main.count(*)) AS BIGINT) AS part
  FROM (SELECT CASE WHEN CAST(TRY_CAST(system.main.json_extract_string((CASE WHEN system.main.json_valid((CASE
                  WHEN system.main.strlen(CAST(t."payload" AS VARCHAR)) <= 10000 THEN CAST(t."payload" AS
                    VARCHAR) END)) THEN (CASE WHEN system.main.strlen(CAST(t."payload" AS VARCHAR)) <= 10000
                THEN CAST(t."payload" AS VARCHAR) END) END), '$."ms"') AS INTEGER) AS DOUBLE) <= CAST('0.0' AS
        DOUBLE) THEN CAST('0' AS BIGINT) WHEN CAST(TRY_CAST(system.main.json_extract_string((CASE WHEN
              system.main.json_valid((CASE WHEN system.main.strlen(CAST(t."payload" AS VARCHAR)) <= 10000 THEN
                  CAST(t."payload" AS VARCHAR) END)) THEN (CASE WHEN system.main.strlen(CAST(t."payload" AS
                    VARCHAR)) <= 10000 THEN CAST(t."payload" AS VARCHAR) END) END), '$."ms"') AS INTEGER) AS
        DOUBLE) >= CAST('900.0' AS DOUBLE) THEN CAST('1073741824' AS BIGINT) ELSE
      CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(TRY_CAST(system.main.json_extract_string((CASE
                          WHEN system.main.json_valid((CASE WHEN system.main.strlen(CAST(t."payload" AS
                                  VARCHAR)) <= 10000 THEN CAST(t."payload" AS VARCHAR) END)) THEN (CASE WHEN
                            system.main.strlen(CAST(t."payload" AS VARCHAR)) <= 10000 THEN CAST(t."payload" AS
                              VARCHAR) END) END), '$."ms"') AS INTEGER) AS DOUBLE), CAST('0.0' AS DOUBLE)),
                CAST('900.0' AS DOUBLE)), CAST('1073741824.0' AS DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT)
      END AS value, t."member" AS unit
    FROM "memory"."main"."baskets" AS t
    WHERE t."member" IS NOT NULL AND (t."member" = 7) AND TRY_CAST(system.main.json_extract_string((CASE WHEN
            system.main.json_valid((CASE WHEN system.main.strlen(CAST(t."payload" AS VARCHAR)) <= 10000 THEN
                CAST(t."payload" AS VARCHAR) END)) THEN (CASE WHEN system.main.strlen(CAST(t."payload" AS
                  VARCHAR)) <= 10000 THEN CAST(t."payload" AS VARCHAR) END) END), '$."ms"') AS INTEGER) IS NOT
      NULL) AS t
  GROUP BY t.unit) AS t;
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS DECIMAL(38,5)) ELSE system.main.sum(t.part)
  END AS score
FROM (SELECT system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS DECIMAL(38,5)), CAST('0.00000'
          AS DECIMAL(38,5))), CAST('100000.00000' AS DECIMAL(38,5))) AS part
  FROM (SELECT CAST(CASE WHEN TRY_CAST(system.main.json_extract_string((CASE WHEN system.main.json_valid((CASE
                  WHEN system.main.strlen(CAST(t."payload" AS VARCHAR)) <= 10000 THEN CAST(t."payload" AS
                    VARCHAR) END)) THEN (CASE WHEN system.main.strlen(CAST(t."payload" AS VARCHAR)) <= 10000
                THEN CAST(t."payload" AS VARCHAR) END) END), '$."ms"') AS DOUBLE) < CAST('-104857600000.0' AS
          DOUBLE) THEN CAST('-104857600000.0' AS DOUBLE) WHEN TRY_CAST(system.main.json_extract_string((CASE
              WHEN system.main.json_valid((CASE WHEN system.main.strlen(CAST(t."payload" AS VARCHAR)) <= 10000
                  THEN CAST(t."payload" AS VARCHAR) END)) THEN (CASE WHEN system.main.strlen(CAST(t."payload"
                    AS VARCHAR)) <= 10000 THEN CAST(t."payload" AS VARCHAR) END) END), '$."ms"') AS DOUBLE) >
        CAST('104857600000.0' AS DOUBLE) THEN CAST('104857600000.0' AS DOUBLE) ELSE
        TRY_CAST(system.main.json_extract_string((CASE WHEN system.main.json_valid((CASE WHEN
                  system.main.strlen(CAST(t."payload" AS VARCHAR)) <= 10000 THEN CAST(t."payload" AS VARCHAR)
                  END)) THEN (CASE WHEN system.main.strlen(CAST(t."payload" AS VARCHAR)) <= 10000 THEN CAST(t."payload"
                  AS VARCHAR) END) END), '$."ms"') AS DOUBLE) END AS DECIMAL(38,5)) AS value, t."member" AS
      unit
    FROM "memory"."main"."baskets" AS t
    WHERE t."member" IS NOT NULL AND (t."member" = 7) AND TRY_CAST(system.main.json_extract_string((CASE WHEN
            system.main.json_valid((CASE WHEN system.main.strlen(CAST(t."payload" AS VARCHAR)) <= 10000 THEN
                CAST(t."payload" AS VARCHAR) END)) THEN (CASE WHEN system.main.strlen(CAST(t."payload" AS
                  VARCHAR)) <= 10000 THEN CAST(t."payload" AS VARCHAR) END) END), '$."ms"') AS DOUBLE) IS NOT
      NULL AND (NOT system.main.isnan(TRY_CAST(system.main.json_extract_string((CASE WHEN
                system.main.json_valid((CASE WHEN system.main.strlen(CAST(t."payload" AS VARCHAR)) <= 10000
                    THEN CAST(t."payload" AS VARCHAR) END)) THEN (CASE WHEN system.main.strlen(CAST(t."payload"
                      AS VARCHAR)) <= 10000 THEN CAST(t."payload" AS VARCHAR) END) END), '$."ms"') AS
            DOUBLE)))) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "ms", "answer"."a1" AS "s"
FROM "answer";
----
SELECT count(*) FILTER (json_extract_string(raw, '$.ms') = 'x') AS x, count(*) FILTER ((raw->>'$.ms')::INT > 100) AS many, count(*) FILTER (raw->>0 = '1') AS one, count(*) FILTER (raw->>'ms' IS NULL) AS none FROM baskets;
-- plain:
SELECT count(DISTINCT member) FILTER (i % 6 = 2), count(DISTINCT member) FILTER (i % 6 = 0 AND i > 100), 0, count(DISTINCT member) FILTER (i % 6 IN (1, 3, 4)) FROM (SELECT CASE WHEN raw LIKE '{"ms": "x"}' THEN 2 WHEN raw LIKE '{"ms": 1e999%' THEN 5 WHEN raw LIKE '{"ms": %' THEN regexp_extract(raw, '[0-9]+')::INT ELSE 1 END AS i, member FROM baskets);
-- plan: OneGroup, Count 0.125 x1, Count 0.125 x1, Count 0.125 x1, Count 0.125 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t."member" AS unit
    FROM "memory"."main"."baskets" AS t
    WHERE t."member" IS NOT NULL AND (system.main.json_extract_string((CASE WHEN system.main.json_valid((CASE
                WHEN system.main.strlen(t."raw") <= 10000 THEN t."raw" END)) THEN (CASE WHEN
              system.main.strlen(t."raw") <= 10000 THEN t."raw" END) END), '$."ms"') = 'x')) AS t
  GROUP BY t.unit) AS t;
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t."member" AS unit
    FROM "memory"."main"."baskets" AS t
    WHERE t."member" IS NOT NULL AND (TRY_CAST(system.main.json_extract_string((CASE WHEN
              system.main.json_valid((CASE WHEN system.main.strlen(t."raw") <= 10000 THEN t."raw" END)) THEN
              (CASE WHEN system.main.strlen(t."raw") <= 10000 THEN t."raw" END) END), '$."ms"') AS INTEGER) >
        100)) AS t
  GROUP BY t.unit) AS t;
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t."member" AS unit
    FROM "memory"."main"."baskets" AS t
    WHERE t."member" IS NOT NULL AND (system.main.json_extract_string((CASE WHEN system.main.json_valid((CASE
                WHEN system.main.strlen(t."raw") <= 10000 THEN t."raw" END)) THEN (CASE WHEN
              system.main.strlen(t."raw") <= 10000 THEN t."raw" END) END), '$[0]') = '1')) AS t
  GROUP BY t.unit) AS t;
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t."member" AS unit
    FROM "memory"."main"."baskets" AS t
    WHERE t."member" IS NOT NULL AND (system.main.json_extract_string((CASE WHEN system.main.json_valid((CASE
                WHEN system.main.strlen(t."raw") <= 10000 THEN t."raw" END)) THEN (CASE WHEN
              system.main.strlen(t."raw") <= 10000 THEN t."raw" END) END), '$."ms"') IS NULL)) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "x", "answer"."a1" AS "many", "answer"."a2" AS "one", "answer"."a3" AS "none"
FROM "answer";
----
SELECT profile->>'plan' AS plan, (profile->'limits'->>'seats')::INT AS seats, count(*) AS n FROM members WHERE (profile->'limits'->>'seats')::INT BETWEEN 1 AND 3 AND profile->>'plan' = 'pro' GROUP BY ALL ORDER BY n DESC LIMIT 2;
-- plain:
SELECT 'pro', [1, 3], [3, 5] FROM range(2);
-- plan: EveryKey groups=1, 'plan' VARCHAR, 'seats' INTEGER, Count 0.5 x1
-- score:
SELECT t.k0 AS "plan", t.k1 AS "seats", system.main.count(*) AS score
FROM (SELECT system.main.json_extract_string((CASE WHEN system.main.json_valid((CASE WHEN
            system.main.strlen(CAST(t."profile" AS VARCHAR)) <= 10000 THEN CAST(t."profile" AS VARCHAR) END))
        THEN (CASE WHEN system.main.strlen(CAST(t."profile" AS VARCHAR)) <= 10000 THEN CAST(t."profile" AS
            VARCHAR) END) END), '$."plan"') AS k0, TRY_CAST(system.main.json_extract_string((CASE WHEN
          system.main.json_valid((CASE WHEN system.main.strlen(CAST(t."profile" AS VARCHAR)) <= 10000 THEN
              CAST(t."profile" AS VARCHAR) END)) THEN (CASE WHEN system.main.strlen(CAST(t."profile" AS
                VARCHAR)) <= 10000 THEN CAST(t."profile" AS VARCHAR) END) END), '$."limits"."seats"') AS
      INTEGER) AS k1, t."id" AS unit
  FROM "memory"."main"."members" AS t
  WHERE t."id" IS NOT NULL AND ((TRY_CAST(system.main.json_extract_string((CASE WHEN
              system.main.json_valid((CASE WHEN system.main.strlen(CAST(t."profile" AS VARCHAR)) <= 10000 THEN
                  CAST(t."profile" AS VARCHAR) END)) THEN (CASE WHEN system.main.strlen(CAST(t."profile" AS
                    VARCHAR)) <= 10000 THEN CAST(t."profile" AS VARCHAR) END) END), '$."limits"."seats"') AS
          INTEGER) >= 1) AND (TRY_CAST(system.main.json_extract_string((CASE WHEN system.main.json_valid((CASE
                  WHEN system.main.strlen(CAST(t."profile" AS VARCHAR)) <= 10000 THEN CAST(t."profile" AS
                    VARCHAR) END)) THEN (CASE WHEN system.main.strlen(CAST(t."profile" AS VARCHAR)) <= 10000
                THEN CAST(t."profile" AS VARCHAR) END) END), '$."limits"."seats"') AS INTEGER) <= 3)) AND
    (system.main.json_extract_string((CASE WHEN system.main.json_valid((CASE WHEN system.main.strlen(CAST(t."profile"
                  AS VARCHAR)) <= 10000 THEN CAST(t."profile" AS VARCHAR) END)) THEN (CASE WHEN
            system.main.strlen(CAST(t."profile" AS VARCHAR)) <= 10000 THEN CAST(t."profile" AS VARCHAR) END)
          END), '$."plan"') = 'pro') AND system.main.json_extract_string((CASE WHEN
        system.main.json_valid((CASE WHEN system.main.strlen(CAST(t."profile" AS VARCHAR)) <= 10000 THEN
            CAST(t."profile" AS VARCHAR) END)) THEN (CASE WHEN system.main.strlen(CAST(t."profile" AS
              VARCHAR)) <= 10000 THEN CAST(t."profile" AS VARCHAR) END) END), '$."plan"') IN ('pro') AND
    (TRY_CAST(system.main.json_extract_string((CASE WHEN system.main.json_valid((CASE WHEN
                system.main.strlen(CAST(t."profile" AS VARCHAR)) <= 10000 THEN CAST(t."profile" AS VARCHAR)
                END)) THEN (CASE WHEN system.main.strlen(CAST(t."profile" AS VARCHAR)) <= 10000 THEN CAST(t."profile"
                AS VARCHAR) END) END), '$."limits"."seats"') AS INTEGER) >= 1 AND
      TRY_CAST(system.main.json_extract_string((CASE WHEN system.main.json_valid((CASE WHEN
                system.main.strlen(CAST(t."profile" AS VARCHAR)) <= 10000 THEN CAST(t."profile" AS VARCHAR)
                END)) THEN (CASE WHEN system.main.strlen(CAST(t."profile" AS VARCHAR)) <= 10000 THEN CAST(t."profile"
                AS VARCHAR) END) END), '$."limits"."seats"') AS INTEGER) <= 3)) AS t
GROUP BY t.k0, t.k1;
-- answer:
SELECT "answer"."k0" AS "plan", "answer"."k1" AS "seats", "answer"."a0" AS "n"
FROM "answer"
ORDER BY "answer"."a0" DESC NULLS LAST, "answer"."k0", "answer"."k1"
LIMIT 2;
----
SELECT lower(payload->'net'->>'type') AS net, count(DISTINCT member) AS people, count(*) FILTER (WHERE coalesce(payload->>'version', '?') = '?') AS old FROM baskets WHERE lower(payload->'net'->>'type') IN ('wifi', 'cell') GROUP BY net ORDER BY net;
-- plain:
SELECT payload->'net'->>'type' AS net, count(DISTINCT member), count(DISTINCT member) FILTER (WHERE payload->>'version' IS NULL) FROM baskets WHERE payload->'net'->>'type' IS NOT NULL GROUP BY net ORDER BY net;
-- plan: EveryKey groups=2, 'net' VARCHAR, Count 0.25 x2, Count 0.25 x2
-- score:
SELECT t.k0 AS "net", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT system.main.lower(system.main.json_extract_string((CASE WHEN system.main.json_valid((CASE WHEN
                system.main.strlen(CAST(t."payload" AS VARCHAR)) <= 10000 THEN CAST(t."payload" AS VARCHAR)
                END)) THEN (CASE WHEN system.main.strlen(CAST(t."payload" AS VARCHAR)) <= 10000 THEN CAST(t."payload"
                AS VARCHAR) END) END), '$."net"."type"')) AS k0, t."member" AS unit
    FROM "memory"."main"."baskets" AS t
    WHERE t."member" IS NOT NULL AND (system.main.lower(system.main.json_extract_string((CASE WHEN
              system.main.json_valid((CASE WHEN system.main.strlen(CAST(t."payload" AS VARCHAR)) <= 10000 THEN
                  CAST(t."payload" AS VARCHAR) END)) THEN (CASE WHEN system.main.strlen(CAST(t."payload" AS
                    VARCHAR)) <= 10000 THEN CAST(t."payload" AS VARCHAR) END) END), '$."net"."type"')) IN ('cell',
          'wifi')) AND system.main.lower(system.main.json_extract_string((CASE WHEN
            system.main.json_valid((CASE WHEN system.main.strlen(CAST(t."payload" AS VARCHAR)) <= 10000 THEN
                CAST(t."payload" AS VARCHAR) END)) THEN (CASE WHEN system.main.strlen(CAST(t."payload" AS
                  VARCHAR)) <= 10000 THEN CAST(t."payload" AS VARCHAR) END) END), '$."net"."type"')) IN ('wifi',
        'cell')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- score:
SELECT t.k0 AS "net", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT system.main.lower(system.main.json_extract_string((CASE WHEN system.main.json_valid((CASE WHEN
                system.main.strlen(CAST(t."payload" AS VARCHAR)) <= 10000 THEN CAST(t."payload" AS VARCHAR)
                END)) THEN (CASE WHEN system.main.strlen(CAST(t."payload" AS VARCHAR)) <= 10000 THEN CAST(t."payload"
                AS VARCHAR) END) END), '$."net"."type"')) AS k0, t."member" AS unit
    FROM "memory"."main"."baskets" AS t
    WHERE t."member" IS NOT NULL AND (system.main.lower(system.main.json_extract_string((CASE WHEN
              system.main.json_valid((CASE WHEN system.main.strlen(CAST(t."payload" AS VARCHAR)) <= 10000 THEN
                  CAST(t."payload" AS VARCHAR) END)) THEN (CASE WHEN system.main.strlen(CAST(t."payload" AS
                    VARCHAR)) <= 10000 THEN CAST(t."payload" AS VARCHAR) END) END), '$."net"."type"')) IN ('cell',
          'wifi')) AND (COALESCE(system.main.json_extract_string((CASE WHEN system.main.json_valid((CASE WHEN
                  system.main.strlen(CAST(t."payload" AS VARCHAR)) <= 10000 THEN CAST(t."payload" AS VARCHAR)
                  END)) THEN (CASE WHEN system.main.strlen(CAST(t."payload" AS VARCHAR)) <= 10000 THEN CAST(t."payload"
                  AS VARCHAR) END) END), '$."version"'), '?') = '?') AND
      system.main.lower(system.main.json_extract_string((CASE WHEN system.main.json_valid((CASE WHEN
                system.main.strlen(CAST(t."payload" AS VARCHAR)) <= 10000 THEN CAST(t."payload" AS VARCHAR)
                END)) THEN (CASE WHEN system.main.strlen(CAST(t."payload" AS VARCHAR)) <= 10000 THEN CAST(t."payload"
                AS VARCHAR) END) END), '$."net"."type"')) IN ('wifi', 'cell')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "net", "answer"."a0" AS "people", "answer"."a1" AS "old"
FROM "answer"
ORDER BY "answer"."k0" NULLS LAST;
