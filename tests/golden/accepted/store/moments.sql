SELECT stddev(seconds), var_pop(seconds) FROM clicks WHERE bytes % 30 < 3;
-- plain:
SELECT stddev(s), var_pop(s) FROM (SELECT least(seconds, 60) AS s FROM clicks WHERE bytes % 30 < 3 AND NOT isnan(seconds));
-- plan: OneGroup, Moments 0.25 x1, Moments 0.25 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part0) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part0) END
  AS score0, CASE WHEN system.main.sum(t.part1) IS NULL THEN CAST('0' AS HUGEINT) ELSE
  system.main.sum(t.part1) END AS score1, CASE WHEN system.main.sum(t.part2) IS NULL THEN CAST('0' AS HUGEINT)
  ELSE system.main.sum(t.part2) END AS score2
FROM (SELECT t.unit, system.main."*"(system.main."-"(CAST('1073741824' AS BIGINT), t.value), system.main."-"(CAST('1073741824'
          AS BIGINT), t.value)) AS part0, system.main."*"(system.main."*"(CAST('2' AS BIGINT), t.value),
      system.main."-"(CAST('1073741824' AS BIGINT), t.value)) AS part1, system.main."*"(t.value, t.value) AS
    part2
  FROM (SELECT *
    FROM (SELECT t.*, system.main.row_number() OVER (PARTITION BY t.unit
        ORDER BY system.main.hash(t.unit, t.value, CAST('20241121' AS BIGINT)), t.value) AS turn
      FROM (SELECT CASE WHEN CAST(t."seconds" AS DOUBLE) <= CAST('0.0' AS DOUBLE) THEN CAST('0' AS BIGINT)
          WHEN CAST(t."seconds" AS DOUBLE) >= CAST('60.0' AS DOUBLE) THEN CAST('1073741824' AS BIGINT) ELSE
          CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t."seconds"
                        AS DOUBLE), CAST('0.0' AS DOUBLE)), CAST('60.0' AS DOUBLE)), CAST('1073741824.0' AS
                    DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, t."visitor" AS unit
        FROM "memory"."main"."clicks" AS t
        WHERE t."visitor" IS NOT NULL AND system.main.strlen(t."visitor") <= 10000 AND (system.main."%"(t."bytes",
              CAST('30' AS INTEGER)) < 3) AND t."seconds" IS NOT NULL AND (NOT system.main.isnan(t."seconds")))
        AS t) AS t
    WHERE t.turn <= 3) AS t) AS t;
-- score:
SELECT CASE WHEN system.main.sum(t.part0) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part0) END
  AS score0, CASE WHEN system.main.sum(t.part1) IS NULL THEN CAST('0' AS HUGEINT) ELSE
  system.main.sum(t.part1) END AS score1, CASE WHEN system.main.sum(t.part2) IS NULL THEN CAST('0' AS HUGEINT)
  ELSE system.main.sum(t.part2) END AS score2
FROM (SELECT t.unit, system.main."*"(system.main."-"(CAST('1073741824' AS BIGINT), t.value), system.main."-"(CAST('1073741824'
          AS BIGINT), t.value)) AS part0, system.main."*"(system.main."*"(CAST('2' AS BIGINT), t.value),
      system.main."-"(CAST('1073741824' AS BIGINT), t.value)) AS part1, system.main."*"(t.value, t.value) AS
    part2
  FROM (SELECT *
    FROM (SELECT t.*, system.main.row_number() OVER (PARTITION BY t.unit
        ORDER BY system.main.hash(t.unit, t.value, CAST('20241121' AS BIGINT)), t.value) AS turn
      FROM (SELECT CASE WHEN CAST(t."seconds" AS DOUBLE) <= CAST('0.0' AS DOUBLE) THEN CAST('0' AS BIGINT)
          WHEN CAST(t."seconds" AS DOUBLE) >= CAST('60.0' AS DOUBLE) THEN CAST('1073741824' AS BIGINT) ELSE
          CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t."seconds"
                        AS DOUBLE), CAST('0.0' AS DOUBLE)), CAST('60.0' AS DOUBLE)), CAST('1073741824.0' AS
                    DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, t."visitor" AS unit
        FROM "memory"."main"."clicks" AS t
        WHERE t."visitor" IS NOT NULL AND system.main.strlen(t."visitor") <= 10000 AND (system.main."%"(t."bytes",
              CAST('30' AS INTEGER)) < 3) AND t."seconds" IS NOT NULL AND (NOT system.main.isnan(t."seconds")))
        AS t) AS t
    WHERE t.turn <= 3) AS t) AS t;
-- answer:
SELECT "answer"."a0" AS "stddev(""seconds"")", "answer"."a1" AS "var_pop(""seconds"")"
FROM "answer";
----
SELECT regr_slope(seconds, bytes) AS b, corr(bytes, seconds), regr_count(seconds, bytes) FROM clicks WHERE bytes % 30 < 3;
-- plain:
SELECT regr_slope(s, b), corr(s, b), (SELECT regr_count(seconds, bytes) FROM clicks WHERE bytes % 30 < 3) FROM (SELECT least(seconds, 60) AS s, least(bytes, 1000) AS b FROM clicks WHERE bytes % 30 < 3 AND NOT isnan(seconds));
-- plan: OneGroup, Moments 0.17605 x1, Moments 0.176 x1, Count 0.14795 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part0) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part0) END
  AS score0, CASE WHEN system.main.sum(t.part1) IS NULL THEN CAST('0' AS HUGEINT) ELSE
  system.main.sum(t.part1) END AS score1, CASE WHEN system.main.sum(t.part2) IS NULL THEN CAST('0' AS HUGEINT)
  ELSE system.main.sum(t.part2) END AS score2, CASE WHEN system.main.sum(t.part3) IS NULL THEN CAST('0' AS
    HUGEINT) ELSE system.main.sum(t.part3) END AS score3, CASE WHEN system.main.sum(t.part4) IS NULL THEN
  CAST('0' AS HUGEINT) ELSE system.main.sum(t.part4) END AS score4, CASE WHEN system.main.sum(t.part5) IS NULL
  THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part5) END AS score5, CASE WHEN system.main.sum(t.part6) IS
  NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part6) END AS score6, CASE WHEN
  system.main.sum(t.part7) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part7) END AS score7, CASE
  WHEN system.main.sum(t.part8) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part8) END AS score8
FROM (SELECT t.unit, system.main."*"(system.main."*"(system.main."-"(CAST('1048576' AS HUGEINT), CAST(t.value
            AS HUGEINT)), system.main."-"(CAST('1048576' AS HUGEINT), CAST(t.value AS HUGEINT))), system.main."*"(system.main."-"(CAST('1048576'
            AS HUGEINT), CAST(t.other AS HUGEINT)), system.main."-"(CAST('1048576' AS HUGEINT), CAST(t.other
            AS HUGEINT)))) AS part0, system.main."*"(system.main."*"(system.main."-"(CAST('1048576' AS
            HUGEINT), CAST(t.value AS HUGEINT)), system.main."-"(CAST('1048576' AS HUGEINT), CAST(t.value AS
            HUGEINT))), system.main."*"(system.main."*"(CAST('2' AS HUGEINT), CAST(t.other AS HUGEINT)),
        system.main."-"(CAST('1048576' AS HUGEINT), CAST(t.other AS HUGEINT)))) AS part1, system.main."*"(system.main."*"(system.main."-"(CAST('1048576'
            AS HUGEINT), CAST(t.value AS HUGEINT)), system.main."-"(CAST('1048576' AS HUGEINT), CAST(t.value
            AS HUGEINT))), system.main."*"(CAST(t.other AS HUGEINT), CAST(t.other AS HUGEINT))) AS part2,
    system.main."*"(system.main."*"(system.main."*"(CAST('2' AS HUGEINT), CAST(t.value AS HUGEINT)),
        system.main."-"(CAST('1048576' AS HUGEINT), CAST(t.value AS HUGEINT))), system.main."*"(system.main."-"(CAST('1048576'
            AS HUGEINT), CAST(t.other AS HUGEINT)), system.main."-"(CAST('1048576' AS HUGEINT), CAST(t.other
            AS HUGEINT)))) AS part3, system.main."*"(system.main."*"(system.main."*"(CAST('2' AS HUGEINT),
          CAST(t.value AS HUGEINT)), system.main."-"(CAST('1048576' AS HUGEINT), CAST(t.value AS HUGEINT))),
      system.main."*"(system.main."*"(CAST('2' AS HUGEINT), CAST(t.other AS HUGEINT)), system.main."-"(CAST('1048576'
            AS HUGEINT), CAST(t.other AS HUGEINT)))) AS part4, system.main."*"(system.main."*"(system.main."*"(CAST('2'
            AS HUGEINT), CAST(t.value AS HUGEINT)), system.main."-"(CAST('1048576' AS HUGEINT), CAST(t.value
            AS HUGEINT))), system.main."*"(CAST(t.other AS HUGEINT), CAST(t.other AS HUGEINT))) AS part5,
    system.main."*"(system.main."*"(CAST(t.value AS HUGEINT), CAST(t.value AS HUGEINT)), system.main."*"(system.main."-"(CAST('1048576'
            AS HUGEINT), CAST(t.other AS HUGEINT)), system.main."-"(CAST('1048576' AS HUGEINT), CAST(t.other
            AS HUGEINT)))) AS part6, system.main."*"(system.main."*"(CAST(t.value AS HUGEINT), CAST(t.value AS
          HUGEINT)), system.main."*"(system.main."*"(CAST('2' AS HUGEINT), CAST(t.other AS HUGEINT)),
        system.main."-"(CAST('1048576' AS HUGEINT), CAST(t.other AS HUGEINT)))) AS part7, system.main."*"(system.main."*"(CAST(t.value
          AS HUGEINT), CAST(t.value AS HUGEINT)), system.main."*"(CAST(t.other AS HUGEINT), CAST(t.other AS
          HUGEINT))) AS part8
  FROM (SELECT *
    FROM (SELECT t.*, system.main.row_number() OVER (PARTITION BY t.unit
        ORDER BY system.main.hash(t.unit, t.value, t.other, CAST('20241121' AS BIGINT)), t.value, t.other) AS
        turn
      FROM (SELECT CASE WHEN CAST(t."seconds" AS DOUBLE) <= CAST('0.0' AS DOUBLE) THEN CAST('0' AS BIGINT)
          WHEN CAST(t."seconds" AS DOUBLE) >= CAST('60.0' AS DOUBLE) THEN CAST('1048576' AS BIGINT) ELSE
          CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t."seconds"
                        AS DOUBLE), CAST('0.0' AS DOUBLE)), CAST('60.0' AS DOUBLE)), CAST('1048576.0' AS
                    DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, CASE WHEN CAST(t."bytes" AS
            DOUBLE) <= CAST('0.0' AS DOUBLE) THEN CAST('0' AS BIGINT) WHEN CAST(t."bytes" AS DOUBLE) >= CAST('1000.0'
            AS DOUBLE) THEN CAST('1048576' AS BIGINT) ELSE CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t."bytes"
                        AS DOUBLE), CAST('0.0' AS DOUBLE)), CAST('1000.0' AS DOUBLE)), CAST('1048576.0' AS
                    DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS other, t."visitor" AS unit
        FROM "memory"."main"."clicks" AS t
        WHERE t."visitor" IS NOT NULL AND system.main.strlen(t."visitor") <= 10000 AND (system.main."%"(t."bytes",
              CAST('30' AS INTEGER)) < 3) AND t."seconds" IS NOT NULL AND (NOT system.main.isnan(t."seconds"))
          AND t."bytes" IS NOT NULL) AS t) AS t
    WHERE t.turn <= 3) AS t) AS t;
-- score:
SELECT CASE WHEN system.main.sum(t.part0) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part0) END
  AS score0, CASE WHEN system.main.sum(t.part1) IS NULL THEN CAST('0' AS HUGEINT) ELSE
  system.main.sum(t.part1) END AS score1, CASE WHEN system.main.sum(t.part2) IS NULL THEN CAST('0' AS HUGEINT)
  ELSE system.main.sum(t.part2) END AS score2, CASE WHEN system.main.sum(t.part3) IS NULL THEN CAST('0' AS
    HUGEINT) ELSE system.main.sum(t.part3) END AS score3, CASE WHEN system.main.sum(t.part4) IS NULL THEN
  CAST('0' AS HUGEINT) ELSE system.main.sum(t.part4) END AS score4, CASE WHEN system.main.sum(t.part5) IS NULL
  THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part5) END AS score5, CASE WHEN system.main.sum(t.part6) IS
  NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part6) END AS score6, CASE WHEN
  system.main.sum(t.part7) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part7) END AS score7, CASE
  WHEN system.main.sum(t.part8) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part8) END AS score8
FROM (SELECT t.unit, system.main."*"(system.main."*"(system.main."-"(CAST('1048576' AS HUGEINT), CAST(t.value
            AS HUGEINT)), system.main."-"(CAST('1048576' AS HUGEINT), CAST(t.value AS HUGEINT))), system.main."*"(system.main."-"(CAST('1048576'
            AS HUGEINT), CAST(t.other AS HUGEINT)), system.main."-"(CAST('1048576' AS HUGEINT), CAST(t.other
            AS HUGEINT)))) AS part0, system.main."*"(system.main."*"(system.main."-"(CAST('1048576' AS
            HUGEINT), CAST(t.value AS HUGEINT)), system.main."-"(CAST('1048576' AS HUGEINT), CAST(t.value AS
            HUGEINT))), system.main."*"(system.main."*"(CAST('2' AS HUGEINT), CAST(t.other AS HUGEINT)),
        system.main."-"(CAST('1048576' AS HUGEINT), CAST(t.other AS HUGEINT)))) AS part1, system.main."*"(system.main."*"(system.main."-"(CAST('1048576'
            AS HUGEINT), CAST(t.value AS HUGEINT)), system.main."-"(CAST('1048576' AS HUGEINT), CAST(t.value
            AS HUGEINT))), system.main."*"(CAST(t.other AS HUGEINT), CAST(t.other AS HUGEINT))) AS part2,
    system.main."*"(system.main."*"(system.main."*"(CAST('2' AS HUGEINT), CAST(t.value AS HUGEINT)),
        system.main."-"(CAST('1048576' AS HUGEINT), CAST(t.value AS HUGEINT))), system.main."*"(system.main."-"(CAST('1048576'
            AS HUGEINT), CAST(t.other AS HUGEINT)), system.main."-"(CAST('1048576' AS HUGEINT), CAST(t.other
            AS HUGEINT)))) AS part3, system.main."*"(system.main."*"(system.main."*"(CAST('2' AS HUGEINT),
          CAST(t.value AS HUGEINT)), system.main."-"(CAST('1048576' AS HUGEINT), CAST(t.value AS HUGEINT))),
      system.main."*"(system.main."*"(CAST('2' AS HUGEINT), CAST(t.other AS HUGEINT)), system.main."-"(CAST('1048576'
            AS HUGEINT), CAST(t.other AS HUGEINT)))) AS part4, system.main."*"(system.main."*"(system.main."*"(CAST('2'
            AS HUGEINT), CAST(t.value AS HUGEINT)), system.main."-"(CAST('1048576' AS HUGEINT), CAST(t.value
            AS HUGEINT))), system.main."*"(CAST(t.other AS HUGEINT), CAST(t.other AS HUGEINT))) AS part5,
    system.main."*"(system.main."*"(CAST(t.value AS HUGEINT), CAST(t.value AS HUGEINT)), system.main."*"(system.main."-"(CAST('1048576'
            AS HUGEINT), CAST(t.other AS HUGEINT)), system.main."-"(CAST('1048576' AS HUGEINT), CAST(t.other
            AS HUGEINT)))) AS part6, system.main."*"(system.main."*"(CAST(t.value AS HUGEINT), CAST(t.value AS
          HUGEINT)), system.main."*"(system.main."*"(CAST('2' AS HUGEINT), CAST(t.other AS HUGEINT)),
        system.main."-"(CAST('1048576' AS HUGEINT), CAST(t.other AS HUGEINT)))) AS part7, system.main."*"(system.main."*"(CAST(t.value
          AS HUGEINT), CAST(t.value AS HUGEINT)), system.main."*"(CAST(t.other AS HUGEINT), CAST(t.other AS
          HUGEINT))) AS part8
  FROM (SELECT *
    FROM (SELECT t.*, system.main.row_number() OVER (PARTITION BY t.unit
        ORDER BY system.main.hash(t.unit, t.value, t.other, CAST('20241121' AS BIGINT)), t.value, t.other) AS
        turn
      FROM (SELECT CASE WHEN CAST(t."bytes" AS DOUBLE) <= CAST('0.0' AS DOUBLE) THEN CAST('0' AS BIGINT) WHEN
          CAST(t."bytes" AS DOUBLE) >= CAST('1000.0' AS DOUBLE) THEN CAST('1048576' AS BIGINT) ELSE
          CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t."bytes"
                        AS DOUBLE), CAST('0.0' AS DOUBLE)), CAST('1000.0' AS DOUBLE)), CAST('1048576.0' AS
                    DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, CASE WHEN CAST(t."seconds" AS
            DOUBLE) <= CAST('0.0' AS DOUBLE) THEN CAST('0' AS BIGINT) WHEN CAST(t."seconds" AS DOUBLE) >=
          CAST('60.0' AS DOUBLE) THEN CAST('1048576' AS BIGINT) ELSE CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t."seconds"
                        AS DOUBLE), CAST('0.0' AS DOUBLE)), CAST('60.0' AS DOUBLE)), CAST('1048576.0' AS
                    DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS other, t."visitor" AS unit
        FROM "memory"."main"."clicks" AS t
        WHERE t."visitor" IS NOT NULL AND system.main.strlen(t."visitor") <= 10000 AND (system.main."%"(t."bytes",
              CAST('30' AS INTEGER)) < 3) AND t."bytes" IS NOT NULL AND t."seconds" IS NOT NULL AND (NOT
            system.main.isnan(t."seconds"))) AS t) AS t
    WHERE t.turn <= 3) AS t) AS t;
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score
FROM (SELECT system.main.least(system.main.count(*), CAST('3' AS BIGINT)) AS part
  FROM (SELECT t."visitor" AS unit
    FROM "memory"."main"."clicks" AS t
    WHERE t."visitor" IS NOT NULL AND system.main.strlen(t."visitor") <= 10000 AND (system.main."%"(t."bytes",
          CAST('30' AS INTEGER)) < 3) AND t."seconds" IS NOT NULL AND t."bytes" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "b", "answer"."a1" AS "corr(bytes, ""seconds"")", "answer"."a2" AS
  "regr_count(""seconds"", bytes)"
FROM "answer";
