SELECT page, count(*) AS n FROM clicks GROUP BY page;
-- plain:
SELECT page, sum(least(m, 3))::BIGINT FROM (SELECT page, count(*) AS m FROM clicks GROUP BY page, visitor) GROUP BY page HAVING count(*) > 1;
-- plan: FoundKeys epsilon=0.25 delta=1e-06 groups=2, 'page' VARCHAR, Count 0.25 x2
-- score:
SELECT t.k0 AS "page", system.main.count(DISTINCT t.unit) AS score
FROM (SELECT *
  FROM (SELECT t.*, system.main.dense_rank() OVER (PARTITION BY t.unit
      ORDER BY system.main.hash(t.unit, t.k0, CAST('20241121' AS BIGINT)), t.k0) AS place
    FROM (SELECT t."page" AS k0, t."visitor" AS unit
      FROM "memory"."main"."clicks" AS t
      WHERE t."visitor" IS NOT NULL AND system.main.strlen(t."visitor") <= 10000 AND (t."page" IS NULL OR
          system.main.strlen(t."page") <= 10000)) AS t) AS t
  WHERE t.place <= 2) AS t
GROUP BY t.k0;
-- score:
SELECT t.k0 AS "page", CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE
  system.main.sum(t.part) END AS score
FROM (SELECT t.k0, system.main.least(system.main.count(*), CAST('3' AS BIGINT)) AS part
  FROM (SELECT *
    FROM (SELECT t.*, system.main.dense_rank() OVER (PARTITION BY t.unit
        ORDER BY system.main.hash(t.unit, t.k0, CAST('20241121' AS BIGINT)), t.k0) AS place
      FROM (SELECT t."page" AS k0, t."visitor" AS unit
        FROM "memory"."main"."clicks" AS t
        WHERE t."visitor" IS NOT NULL AND system.main.strlen(t."visitor") <= 10000 AND (t."page" IS NULL OR
            system.main.strlen(t."page") <= 10000)) AS t) AS t
    WHERE t.place <= 2) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "page", "answer"."a0" AS "n"
FROM "answer";
----
SELECT page, count(DISTINCT visitor) AS n FROM clicks GROUP BY page ORDER BY n DESC;
-- plain:
SELECT page, count(DISTINCT visitor) AS n FROM clicks GROUP BY page HAVING n > 1 ORDER BY n DESC;
-- plan: FoundKeys epsilon=0.5 delta=1e-06 counted=a0 groups=2, 'page' VARCHAR
-- score:
SELECT t.k0 AS "page", system.main.count(DISTINCT t.unit) AS score
FROM (SELECT *
  FROM (SELECT t.*, system.main.dense_rank() OVER (PARTITION BY t.unit
      ORDER BY system.main.hash(t.unit, t.k0, CAST('20241121' AS BIGINT)), t.k0) AS place
    FROM (SELECT t."page" AS k0, t."visitor" AS unit
      FROM "memory"."main"."clicks" AS t
      WHERE t."visitor" IS NOT NULL AND system.main.strlen(t."visitor") <= 10000 AND (t."page" IS NULL OR
          system.main.strlen(t."page") <= 10000)) AS t) AS t
  WHERE t.place <= 2) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "page", "answer"."a0" AS "n"
FROM "answer"
ORDER BY "answer"."a0" DESC NULLS LAST, "answer"."k0";
----
SELECT page, device, count(DISTINCT visitor) AS n FROM clicks GROUP BY page, device;
-- plain:
SELECT page, device, count(DISTINCT visitor) AS n FROM clicks WHERE device <> 'tv' GROUP BY page, device HAVING n > 1;
-- plan: FoundKeys epsilon=0.5 delta=1e-06 counted=a0 groups=2, 'page' VARCHAR, 'device' VARCHAR
-- score:
SELECT t.k0 AS "page", t.k1 AS "device", system.main.count(DISTINCT t.unit) AS score
FROM (SELECT *
  FROM (SELECT t.*, system.main.dense_rank() OVER (PARTITION BY t.unit
      ORDER BY system.main.hash(t.unit, t.k0, t.k1, CAST('20241121' AS BIGINT)), t.k0, t.k1) AS place
    FROM (SELECT t."page" AS k0, t."device" AS k1, t."visitor" AS unit
      FROM "memory"."main"."clicks" AS t
      WHERE t."visitor" IS NOT NULL AND system.main.strlen(t."visitor") <= 10000 AND (t."page" IS NULL OR
          system.main.strlen(t."page") <= 10000) AND t."device" IN ('phone', 'tablet', 'desktop')) AS t) AS t
  WHERE t.place <= 2) AS t
GROUP BY t.k0, t.k1;
-- answer:
SELECT "answer"."k0" AS "page", "answer"."k1" AS "device", "answer"."a0" AS "n"
FROM "answer";
----
SELECT page, sum(bytes) AS b FROM clicks GROUP BY page ORDER BY page;
-- plain:
SELECT page, sum(least(b, 3000)) FROM (SELECT page, sum(bytes) AS b FROM clicks GROUP BY page, visitor) GROUP BY page HAVING count(*) > 1 ORDER BY page;
-- plan: FoundKeys epsilon=0.25 delta=1e-06 groups=2, 'page' VARCHAR, Sum 0.25 x2
-- score:
SELECT t.k0 AS "page", system.main.count(DISTINCT t.unit) AS score
FROM (SELECT *
  FROM (SELECT t.*, system.main.dense_rank() OVER (PARTITION BY t.unit
      ORDER BY system.main.hash(t.unit, t.k0, CAST('20241121' AS BIGINT)), t.k0) AS place
    FROM (SELECT t."page" AS k0, t."visitor" AS unit
      FROM "memory"."main"."clicks" AS t
      WHERE t."visitor" IS NOT NULL AND system.main.strlen(t."visitor") <= 10000 AND (t."page" IS NULL OR
          system.main.strlen(t."page") <= 10000)) AS t) AS t
  WHERE t.place <= 2) AS t
GROUP BY t.k0;
-- score:
SELECT t.k0 AS "page", CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE
  system.main.sum(t.part) END AS score
FROM (SELECT t.k0, system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS HUGEINT), CAST('0'
          AS HUGEINT)), CAST('3000' AS HUGEINT)) AS part
  FROM (SELECT *
    FROM (SELECT t.*, system.main.dense_rank() OVER (PARTITION BY t.unit
        ORDER BY system.main.hash(t.unit, t.k0, CAST('20241121' AS BIGINT)), t.k0) AS place
      FROM (SELECT t."page" AS k0, CAST(CASE WHEN t."bytes" < CAST('-2147483648' AS INTEGER) THEN CAST('-2147483648'
              AS INTEGER) WHEN t."bytes" > CAST('2147483647' AS INTEGER) THEN CAST('2147483647' AS INTEGER)
            ELSE t."bytes" END AS HUGEINT) AS value, t."visitor" AS unit
        FROM "memory"."main"."clicks" AS t
        WHERE t."visitor" IS NOT NULL AND system.main.strlen(t."visitor") <= 10000 AND t."bytes" IS NOT NULL
          AND (t."page" IS NULL OR system.main.strlen(t."page") <= 10000)) AS t) AS t
    WHERE t.place <= 2) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "page", "answer"."a0" AS "b"
FROM "answer"
ORDER BY "answer"."k0" NULLS LAST;
----
SELECT split_part(email, '@', 2) AS host, count(*) FROM customers GROUP BY host;
-- plain:
SELECT split_part(email, '@', 2) AS host, count(*) FROM customers GROUP BY host;
-- plan: FoundKeys epsilon=0.5 delta=1e-06 counted=a0 groups=1, 'host' VARCHAR
-- score:
SELECT t.k0 AS "host", system.main.count(*) AS score
FROM (SELECT (CASE WHEN t."email" IS NOT NULL THEN
      COALESCE(system.main.list_extract(system.main.string_split(t."email", '@'), CAST('2' AS BIGINT)), '')
      END) AS k0, t."customer_id" AS unit
  FROM "memory"."main"."customers" AS t
  WHERE t."customer_id" IS NOT NULL AND ((CASE WHEN t."email" IS NOT NULL THEN
        COALESCE(system.main.list_extract(system.main.string_split(t."email", '@'), CAST('2' AS BIGINT)), '')
        END) IS NULL OR system.main.strlen((CASE WHEN t."email" IS NOT NULL THEN
          COALESCE(system.main.list_extract(system.main.string_split(t."email", '@'), CAST('2' AS BIGINT)), '')
          END)) <= 10000)) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "host", "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT lower(split_part(email, '@', 2)) AS host, tier, count(*) AS n, avg(income) AS income FROM customers GROUP BY host, tier;
-- plain:
SELECT lower(split_part(email, '@', 2)) AS host, tier, count(*) AS n, avg(least(income, 100000)) FROM customers WHERE tier IS NOT NULL GROUP BY host, tier HAVING n > 1;
-- plan: FoundKeys epsilon=0.22835 delta=1e-06 counted=a0 groups=1, 'host' VARCHAR, 'tier' ENUM('bronze', 'silver', 'gold'), Mean 0.27165 x1
-- score:
SELECT t.k0 AS "host", t.k1 AS "tier", system.main.count(*) AS score
FROM (SELECT system.main.lower((CASE WHEN t."email" IS NOT NULL THEN
        COALESCE(system.main.list_extract(system.main.string_split(t."email", '@'), CAST('2' AS BIGINT)), '')
        END)) AS k0, t."tier" AS k1, t."customer_id" AS unit
  FROM "memory"."main"."customers" AS t
  WHERE t."customer_id" IS NOT NULL AND (system.main.lower((CASE WHEN t."email" IS NOT NULL THEN
          COALESCE(system.main.list_extract(system.main.string_split(t."email", '@'), CAST('2' AS BIGINT)), '')
          END)) IS NULL OR system.main.strlen(system.main.lower((CASE WHEN t."email" IS NOT NULL THEN
            COALESCE(system.main.list_extract(system.main.string_split(t."email", '@'), CAST('2' AS BIGINT)),
              '') END))) <= 10000) AND t."tier" IS NOT NULL) AS t
GROUP BY t.k0, t.k1;
-- score:
SELECT t.k0 AS "host", t.k1 AS "tier", CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT)
  ELSE system.main.sum(t.part) END AS score, system.main.count(*) AS units
FROM (SELECT t.k0, t.k1, CAST(system.main."//"(system.main.sum(t.value), system.main.count(*)) AS BIGINT) AS
    part
  FROM (SELECT system.main.lower((CASE WHEN t."email" IS NOT NULL THEN
          COALESCE(system.main.list_extract(system.main.string_split(t."email", '@'), CAST('2' AS BIGINT)), '')
          END)) AS k0, t."tier" AS k1, CASE WHEN CAST(t."income" AS DOUBLE) <= CAST('0.0' AS DOUBLE) THEN
      CAST('0' AS BIGINT) WHEN CAST(t."income" AS DOUBLE) >= CAST('100000.0' AS DOUBLE) THEN CAST('1073741824'
        AS BIGINT) ELSE CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t."income"
                    AS DOUBLE), CAST('0.0' AS DOUBLE)), CAST('100000.0' AS DOUBLE)), CAST('1073741824.0' AS
                DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, t."customer_id" AS unit
    FROM "memory"."main"."customers" AS t
    WHERE t."customer_id" IS NOT NULL AND t."income" IS NOT NULL AND (system.main.lower((CASE WHEN t."email"
            IS NOT NULL THEN COALESCE(system.main.list_extract(system.main.string_split(t."email", '@'), CAST('2'
                  AS BIGINT)), '') END)) IS NULL OR system.main.strlen(system.main.lower((CASE WHEN t."email"
              IS NOT NULL THEN COALESCE(system.main.list_extract(system.main.string_split(t."email", '@'),
                  CAST('2' AS BIGINT)), '') END))) <= 10000) AND t."tier" IS NOT NULL) AS t
  GROUP BY t.k0, t.k1, t.unit) AS t
GROUP BY t.k0, t.k1;
-- answer:
SELECT "answer"."k0" AS "host", "answer"."k1" AS "tier", "answer"."a0" AS "n", "answer"."a1" AS "income"
FROM "answer";
----
SELECT email, count(*) AS n FROM customers GROUP BY email;
-- plain:
SELECT email, 1 FROM customers WHERE false;
-- plan: FoundKeys epsilon=0.5 delta=1e-06 counted=a0 groups=1, 'email' VARCHAR
-- score:
SELECT t.k0 AS "email", system.main.count(*) AS score
FROM (SELECT t."email" AS k0, t."customer_id" AS unit
  FROM "memory"."main"."customers" AS t
  WHERE t."customer_id" IS NOT NULL AND (t."email" IS NULL OR system.main.strlen(t."email") <= 10000)) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "email", "answer"."a0" AS "n"
FROM "answer";
----
SELECT region_code, count(*) AS n FROM (SELECT substr(email, 2, 1) AS region_code, * FROM customers) AS c GROUP BY region_code;
-- plain:
SELECT substr(email, 2, 1), count(*) AS n FROM customers GROUP BY 1 HAVING n > 1;
-- plan: FoundKeys epsilon=0.5 delta=1e-06 counted=a0 groups=1, 'region_code' VARCHAR
-- score:
SELECT t.k0 AS "region_code", system.main.count(*) AS score
FROM (SELECT system.main.substring(t."email", CAST('2' AS BIGINT), CAST('1' AS BIGINT)) AS k0, t."customer_id"
    AS unit
  FROM "memory"."main"."customers" AS t
  WHERE t."customer_id" IS NOT NULL AND (system.main.substring(t."email", CAST('2' AS BIGINT), CAST('1' AS
          BIGINT)) IS NULL OR system.main.strlen(system.main.substring(t."email", CAST('2' AS BIGINT), CAST('1'
            AS BIGINT))) <= 10000)) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "region_code", "answer"."a0" AS "n"
FROM "answer";
----
SELECT coalesce(tier::VARCHAR, 'none') AS tier, substr(email, length(email) - 2) AS tld, count(*) AS n FROM customers GROUP BY ALL;
-- plain:
SELECT coalesce(tier::VARCHAR, 'none') AS tier, right(email, 3), count(*) AS n FROM customers GROUP BY ALL HAVING n > 1;
-- plan: FoundKeys epsilon=0.5 delta=1e-06 counted=a0 groups=1, 'tier' VARCHAR, 'tld' VARCHAR
-- score:
SELECT t.k0 AS "tier", t.k1 AS "tld", system.main.count(*) AS score
FROM (SELECT COALESCE(CAST(t."tier" AS VARCHAR), 'none') AS k0, system.main.substring(t."email", (CASE WHEN
        TRY_CAST(system.main."-"(CAST(system.main.length(t."email") AS HUGEINT), CAST('2' AS HUGEINT)) AS
          BIGINT) BETWEEN CAST('-4294967295' AS BIGINT) AND 4294967295 THEN TRY_CAST(system.main."-"(CAST(system.main.length(t."email")
              AS HUGEINT), CAST('2' AS HUGEINT)) AS BIGINT) END)) AS k1, t."customer_id" AS unit
  FROM "memory"."main"."customers" AS t
  WHERE t."customer_id" IS NOT NULL AND COALESCE(CAST(t."tier" AS VARCHAR), 'none') IN ('none', 'bronze',
      'silver', 'gold') AND (system.main.substring(t."email", (CASE WHEN TRY_CAST(system.main."-"(CAST(system.main.length(t."email")
                AS HUGEINT), CAST('2' AS HUGEINT)) AS BIGINT) BETWEEN CAST('-4294967295' AS BIGINT) AND
          4294967295 THEN TRY_CAST(system.main."-"(CAST(system.main.length(t."email") AS HUGEINT), CAST('2' AS
                HUGEINT)) AS BIGINT) END)) IS NULL OR system.main.strlen(system.main.substring(t."email",
          (CASE WHEN TRY_CAST(system.main."-"(CAST(system.main.length(t."email") AS HUGEINT), CAST('2' AS
                  HUGEINT)) AS BIGINT) BETWEEN CAST('-4294967295' AS BIGINT) AND 4294967295 THEN
            TRY_CAST(system.main."-"(CAST(system.main.length(t."email") AS HUGEINT), CAST('2' AS HUGEINT)) AS
              BIGINT) END))) <= 10000)) AS t
GROUP BY t.k0, t.k1;
-- answer:
SELECT "answer"."k0" AS "tier", "answer"."k1" AS "tld", "answer"."a0" AS "n"
FROM "answer";
----
SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = 1, delta = 1e-7, max_groups_contributed = 1, privacy_unit_column = customer_id) substr(email, 2, 1) AS digit, count(*) AS n FROM customers GROUP BY digit;
-- plain:
SELECT substr(email, 2, 1) AS digit, count(*) AS n FROM customers GROUP BY digit HAVING n > 1;
-- plan: FoundKeys epsilon=1 delta=1e-07 counted=a0 groups=1, 'digit' VARCHAR
-- score:
SELECT t.k0 AS "digit", system.main.count(*) AS score
FROM (SELECT system.main.substring(t."email", CAST('2' AS BIGINT), CAST('1' AS BIGINT)) AS k0, t."customer_id"
    AS unit
  FROM "memory"."main"."customers" AS t
  WHERE t."customer_id" IS NOT NULL AND (system.main.substring(t."email", CAST('2' AS BIGINT), CAST('1' AS
          BIGINT)) IS NULL OR system.main.strlen(system.main.substring(t."email", CAST('2' AS BIGINT), CAST('1'
            AS BIGINT))) <= 10000)) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "digit", "answer"."a0" AS "n"
FROM "answer";
----
SELECT page, avg(seconds) AS s FROM clicks WHERE bytes % 30 < 3 GROUP BY page HAVING count(*) > 3;
-- plain:
SELECT page, avg(least(seconds, 60)) FILTER (NOT isnan(seconds)) FROM clicks WHERE bytes % 30 < 3 GROUP BY page HAVING count(DISTINCT visitor) > 1;
-- plan: FoundKeys epsilon=0.15675 delta=1e-06 groups=2, 'page' VARCHAR, Mean 0.1865 x2, Count 0.15675 x2
-- score:
SELECT t.k0 AS "page", system.main.count(DISTINCT t.unit) AS score
FROM (SELECT *
  FROM (SELECT t.*, system.main.dense_rank() OVER (PARTITION BY t.unit
      ORDER BY system.main.hash(t.unit, t.k0, CAST('20241121' AS BIGINT)), t.k0) AS place
    FROM (SELECT t."page" AS k0, t."visitor" AS unit
      FROM "memory"."main"."clicks" AS t
      WHERE t."visitor" IS NOT NULL AND system.main.strlen(t."visitor") <= 10000 AND (system.main."%"(t."bytes",
            CAST('30' AS INTEGER)) < 3) AND (t."page" IS NULL OR system.main.strlen(t."page") <= 10000)) AS t)
    AS t
  WHERE t.place <= 2) AS t
GROUP BY t.k0;
-- score:
SELECT t.k0 AS "page", CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE
  system.main.sum(t.part) END AS score, system.main.count(*) AS units
FROM (SELECT t.k0, t.value AS part
  FROM (SELECT *
    FROM (SELECT t.*, system.main.row_number() OVER (PARTITION BY t.unit, t.k0
        ORDER BY system.main.hash(t.unit, t.value, CAST('20241121' AS BIGINT)), t.value) AS turn
      FROM (SELECT *
        FROM (SELECT t.*, system.main.dense_rank() OVER (PARTITION BY t.unit
            ORDER BY system.main.hash(t.unit, t.k0, CAST('20241121' AS BIGINT)), t.k0) AS place
          FROM (SELECT t."page" AS k0, CASE WHEN CAST(t."seconds" AS DOUBLE) <= CAST('0.0' AS DOUBLE) THEN
              CAST('0' AS BIGINT) WHEN CAST(t."seconds" AS DOUBLE) >= CAST('60.0' AS DOUBLE) THEN CAST('1073741824'
                AS BIGINT) ELSE CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t."seconds"
                            AS DOUBLE), CAST('0.0' AS DOUBLE)), CAST('60.0' AS DOUBLE)), CAST('1073741824.0'
                        AS DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, t."visitor" AS unit
            FROM "memory"."main"."clicks" AS t
            WHERE t."visitor" IS NOT NULL AND system.main.strlen(t."visitor") <= 10000 AND (system.main."%"(t."bytes",
                  CAST('30' AS INTEGER)) < 3) AND t."seconds" IS NOT NULL AND (NOT system.main.isnan(t."seconds"))
              AND (t."page" IS NULL OR system.main.strlen(t."page") <= 10000)) AS t) AS t
        WHERE t.place <= 2) AS t) AS t
    WHERE t.turn <= 3) AS t) AS t
GROUP BY t.k0;
-- score:
SELECT t.k0 AS "page", CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE
  system.main.sum(t.part) END AS score
FROM (SELECT t.k0, system.main.least(system.main.count(*), CAST('3' AS BIGINT)) AS part
  FROM (SELECT *
    FROM (SELECT t.*, system.main.dense_rank() OVER (PARTITION BY t.unit
        ORDER BY system.main.hash(t.unit, t.k0, CAST('20241121' AS BIGINT)), t.k0) AS place
      FROM (SELECT t."page" AS k0, t."visitor" AS unit
        FROM "memory"."main"."clicks" AS t
        WHERE t."visitor" IS NOT NULL AND system.main.strlen(t."visitor") <= 10000 AND (system.main."%"(t."bytes",
              CAST('30' AS INTEGER)) < 3) AND (t."page" IS NULL OR system.main.strlen(t."page") <= 10000)) AS
        t) AS t
    WHERE t.place <= 2) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "page", "answer"."a0" AS "s"
FROM "answer"
WHERE ("answer"."a1" > 3);
----
SELECT page FROM clicks GROUP BY page;
-- plain:
SELECT page FROM clicks GROUP BY page HAVING count(DISTINCT visitor) > 1;
-- plan: FoundKeys epsilon=0.5 delta=1e-06 groups=2, 'page' VARCHAR
-- score:
SELECT t.k0 AS "page", system.main.count(DISTINCT t.unit) AS score
FROM (SELECT *
  FROM (SELECT t.*, system.main.dense_rank() OVER (PARTITION BY t.unit
      ORDER BY system.main.hash(t.unit, t.k0, CAST('20241121' AS BIGINT)), t.k0) AS place
    FROM (SELECT t."page" AS k0, t."visitor" AS unit
      FROM "memory"."main"."clicks" AS t
      WHERE t."visitor" IS NOT NULL AND system.main.strlen(t."visitor") <= 10000 AND (t."page" IS NULL OR
          system.main.strlen(t."page") <= 10000)) AS t) AS t
  WHERE t.place <= 2) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "page"
FROM "answer";
----
SELECT page, clicked::DATE AS day, count(DISTINCT visitor) AS n FROM clicks WHERE clicked < '2024-05-02' GROUP BY page, day ORDER BY n DESC, page;
-- plain:
SELECT page, clicked::DATE AS day, count(DISTINCT visitor) AS n FROM clicks WHERE clicked < '2024-05-02' GROUP BY page, day HAVING n > 1 ORDER BY n DESC, page;
-- plan: FoundKeys epsilon=0.5 delta=1e-06 counted=a0 groups=2, 'page' VARCHAR, 'day' DATE
-- score:
SELECT t.k0 AS "page", t.k1 AS "day", system.main.count(DISTINCT t.unit) AS score
FROM (SELECT *
  FROM (SELECT t.*, system.main.dense_rank() OVER (PARTITION BY t.unit
      ORDER BY system.main.hash(t.unit, t.k0, t.k1, CAST('20241121' AS BIGINT)), t.k0, t.k1) AS place
    FROM (SELECT t."page" AS k0, CAST(t."clicked" AS DATE) AS k1, t."visitor" AS unit
      FROM "memory"."main"."clicks" AS t
      WHERE t."visitor" IS NOT NULL AND system.main.strlen(t."visitor") <= 10000 AND (t."clicked" < TIMESTAMP
          '2024-05-02 00:00:00') AND (t."page" IS NULL OR system.main.strlen(t."page") <= 10000) AND CAST(t."clicked"
          AS DATE) >= DATE '0001-01-01' AND CAST(t."clicked" AS DATE) <= DATE '9999-12-31') AS t) AS t
  WHERE t.place <= 2) AS t
GROUP BY t.k0, t.k1;
-- answer:
SELECT "answer"."k0" AS "page", "answer"."k1" AS "day", "answer"."a0" AS "n"
FROM "answer"
ORDER BY "answer"."a0" DESC NULLS LAST, "answer"."k0" NULLS LAST, "answer"."k1";
----
SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (max_groups_contributed = 1) page, count(DISTINCT visitor) AS n FROM clicks GROUP BY page;
-- plain:
SELECT page, [one, n] FROM (SELECT page, count(DISTINCT visitor) AS n, count(DISTINCT visitor) FILTER (visitor IN (SELECT visitor FROM clicks GROUP BY visitor HAVING count(DISTINCT page) = 1)) AS one FROM clicks GROUP BY page) WHERE n > 1;
-- plan: FoundKeys epsilon=0.5 delta=1e-06 counted=a0 groups=1, 'page' VARCHAR
-- score:
SELECT t.k0 AS "page", system.main.count(DISTINCT t.unit) AS score
FROM (SELECT *
  FROM (SELECT t.*, system.main.dense_rank() OVER (PARTITION BY t.unit
      ORDER BY system.main.hash(t.unit, t.k0, CAST('20241121' AS BIGINT)), t.k0) AS place
    FROM (SELECT t."page" AS k0, t."visitor" AS unit
      FROM "memory"."main"."clicks" AS t
      WHERE t."visitor" IS NOT NULL AND system.main.strlen(t."visitor") <= 10000 AND (t."page" IS NULL OR
          system.main.strlen(t."page") <= 10000)) AS t) AS t
  WHERE t.place <= 1) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "page", "answer"."a0" AS "n"
FROM "answer";
