SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (interval = 'population') avg(age) AS m, dp_low(m) < m AS below, dp_high(m) > m AS above FROM people;
-- plain:
SELECT avg(least(greatest(age, 18), 80)) AS m, true AS below, true AS above FROM people;
-- plan: OneGroup, Moments 0.5 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part0) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part0) END
  AS score0, CASE WHEN system.main.sum(t.part1) IS NULL THEN CAST('0' AS HUGEINT) ELSE
  system.main.sum(t.part1) END AS score1, CASE WHEN system.main.sum(t.part2) IS NULL THEN CAST('0' AS HUGEINT)
  ELSE system.main.sum(t.part2) END AS score2
FROM (SELECT CAST(system.main."//"(system.main.sum(t.part0), system.main.count(*)) AS BIGINT) AS part0,
    CAST(system.main."//"(system.main.sum(t.part1), system.main.count(*)) AS BIGINT) AS part1,
    CAST(system.main."//"(system.main.sum(t.part2), system.main.count(*)) AS BIGINT) AS part2
  FROM (SELECT t.unit, system.main."*"(system.main."-"(CAST('1073741824' AS BIGINT), t.value), system.main."-"(CAST('1073741824'
            AS BIGINT), t.value)) AS part0, system.main."*"(system.main."*"(CAST('2' AS BIGINT), t.value),
        system.main."-"(CAST('1073741824' AS BIGINT), t.value)) AS part1, system.main."*"(t.value, t.value) AS
      part2
    FROM (SELECT CASE WHEN CAST(t_."age" AS DOUBLE) <= CAST('18.0' AS DOUBLE) THEN CAST('0' AS BIGINT) WHEN
        CAST(t_."age" AS DOUBLE) >= CAST('80.0' AS DOUBLE) THEN CAST('1073741824' AS BIGINT) ELSE
        CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t_."age"
                      AS DOUBLE), CAST('18.0' AS DOUBLE)), CAST('62.0' AS DOUBLE)), CAST('1073741824.0' AS
                  DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, t_."id" AS unit
      FROM "memory"."main"."people" AS t_
      WHERE t_."id" IS NOT NULL AND t_."age" IS NOT NULL) AS t) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "m", ("answer"."a0_low" < "answer"."a0") AS "below", ("answer"."a0_high" > "answer"."a0")
  AS "above"
FROM "answer";
----
SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (interval = 'population') stddev(age) AS s, dp_low(s) < s AS below FROM people;
-- plain:
SELECT stddev(least(greatest(age, 18), 80)) AS s, true AS below FROM people;
-- plan: OneGroup, Moments 0.5 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part0) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part0) END
  AS score0, CASE WHEN system.main.sum(t.part1) IS NULL THEN CAST('0' AS HUGEINT) ELSE
  system.main.sum(t.part1) END AS score1, CASE WHEN system.main.sum(t.part2) IS NULL THEN CAST('0' AS HUGEINT)
  ELSE system.main.sum(t.part2) END AS score2, CASE WHEN system.main.sum(t.part3) IS NULL THEN CAST('0' AS
    HUGEINT) ELSE system.main.sum(t.part3) END AS score3, CASE WHEN system.main.sum(t.part4) IS NULL THEN
  CAST('0' AS HUGEINT) ELSE system.main.sum(t.part4) END AS score4
FROM (SELECT CAST(system.main."//"(system.main.sum(t.part0), system.main.count(*)) AS HUGEINT) AS part0,
    CAST(system.main."//"(system.main.sum(t.part1), system.main.count(*)) AS HUGEINT) AS part1,
    CAST(system.main."//"(system.main.sum(t.part2), system.main.count(*)) AS HUGEINT) AS part2,
    CAST(system.main."//"(system.main.sum(t.part3), system.main.count(*)) AS HUGEINT) AS part3,
    CAST(system.main."//"(system.main.sum(t.part4), system.main.count(*)) AS HUGEINT) AS part4
  FROM (SELECT t.unit, system.main."*"(system.main."*"(system.main."*"(system.main."-"(CAST('1048576' AS
                HUGEINT), CAST(t.value AS HUGEINT)), system.main."-"(CAST('1048576' AS HUGEINT), CAST(t.value
                AS HUGEINT))), system.main."-"(CAST('1048576' AS HUGEINT), CAST(t.value AS HUGEINT))),
        system.main."-"(CAST('1048576' AS HUGEINT), CAST(t.value AS HUGEINT))) AS part0, system.main."*"(system.main."*"(system.main."*"(system.main."*"(CAST('4'
                AS HUGEINT), CAST(t.value AS HUGEINT)), system.main."-"(CAST('1048576' AS HUGEINT),
              CAST(t.value AS HUGEINT))), system.main."-"(CAST('1048576' AS HUGEINT), CAST(t.value AS
              HUGEINT))), system.main."-"(CAST('1048576' AS HUGEINT), CAST(t.value AS HUGEINT))) AS part1,
      system.main."*"(system.main."*"(system.main."*"(system.main."*"(CAST('6' AS HUGEINT), CAST(t.value AS
                HUGEINT)), CAST(t.value AS HUGEINT)), system.main."-"(CAST('1048576' AS HUGEINT), CAST(t.value
              AS HUGEINT))), system.main."-"(CAST('1048576' AS HUGEINT), CAST(t.value AS HUGEINT))) AS part2,
      system.main."*"(system.main."*"(system.main."*"(system.main."*"(CAST('4' AS HUGEINT), CAST(t.value AS
                HUGEINT)), CAST(t.value AS HUGEINT)), CAST(t.value AS HUGEINT)), system.main."-"(CAST('1048576'
            AS HUGEINT), CAST(t.value AS HUGEINT))) AS part3, system.main."*"(system.main."*"(system.main."*"(CAST(t.value
              AS HUGEINT), CAST(t.value AS HUGEINT)), CAST(t.value AS HUGEINT)), CAST(t.value AS HUGEINT)) AS
      part4
    FROM (SELECT CASE WHEN CAST(t_."age" AS DOUBLE) <= CAST('18.0' AS DOUBLE) THEN CAST('0' AS BIGINT) WHEN
        CAST(t_."age" AS DOUBLE) >= CAST('80.0' AS DOUBLE) THEN CAST('1048576' AS BIGINT) ELSE
        CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t_."age"
                      AS DOUBLE), CAST('18.0' AS DOUBLE)), CAST('62.0' AS DOUBLE)), CAST('1048576.0' AS
                  DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, t_."id" AS unit
      FROM "memory"."main"."people" AS t_
      WHERE t_."id" IS NOT NULL AND t_."age" IS NOT NULL) AS t) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "s", ("answer"."a0_low" < "answer"."a0") AS "below"
FROM "answer";
----
SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (interval = 'population') avg(CASE WHEN age > 40 THEN 1 ELSE 0 END) AS p, dp_high(p) > p AS above, count(*) FROM people;
-- plain:
SELECT avg(CASE WHEN age > 40 THEN 1 ELSE 0 END) AS p, true AS above, count(*) FROM people;
-- plan: OneGroup, Mean 0.27165 x1, Count 0.22835 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score, system.main.count(*) AS units
FROM (SELECT CAST(system.main."//"(system.main.sum(t.value), system.main.count(*)) AS BIGINT) AS part
  FROM (SELECT CASE WHEN CAST((CASE WHEN (t_."age" > 40) THEN CAST('1' AS INTEGER) ELSE CAST('0' AS INTEGER)
          END) AS DOUBLE) <= CAST('0.0' AS DOUBLE) THEN CAST('0' AS BIGINT) WHEN CAST((CASE WHEN (t_."age" >
            40) THEN CAST('1' AS INTEGER) ELSE CAST('0' AS INTEGER) END) AS DOUBLE) >= CAST('1.0' AS DOUBLE)
      THEN CAST('1073741824' AS BIGINT) ELSE CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST((CASE
                      WHEN (t_."age" > 40) THEN CAST('1' AS INTEGER) ELSE CAST('0' AS INTEGER) END) AS
                    DOUBLE), CAST('0.0' AS DOUBLE)), CAST('1.0' AS DOUBLE)), CAST('1073741824.0' AS DOUBLE)),
            CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, t_."id" AS unit
    FROM "memory"."main"."people" AS t_
    WHERE t_."id" IS NOT NULL AND (CASE WHEN (t_."age" > 40) THEN CAST('1' AS INTEGER) ELSE CAST('0' AS
          INTEGER) END) IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t_."id" AS unit
  FROM "memory"."main"."people" AS t_
  WHERE t_."id" IS NOT NULL) AS t;
-- answer:
SELECT "answer"."a0" AS "p", ("answer"."a0_high" > "answer"."a0") AS "above", "answer"."a1" AS "count_star()"
FROM "answer";
----
SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (interval = 'population') covar_pop(age, age) AS c, dp_low(c) < c AS below FROM people;
-- plain:
SELECT covar_pop(a, a) AS c, true AS below FROM (SELECT least(greatest(age, 18), 80) AS a FROM people);
-- plan: OneGroup, Moments 0.5 x1
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
FROM (SELECT CAST(system.main."//"(system.main.sum(t.part0), system.main.count(*)) AS HUGEINT) AS part0,
    CAST(system.main."//"(system.main.sum(t.part1), system.main.count(*)) AS HUGEINT) AS part1,
    CAST(system.main."//"(system.main.sum(t.part2), system.main.count(*)) AS HUGEINT) AS part2,
    CAST(system.main."//"(system.main.sum(t.part3), system.main.count(*)) AS HUGEINT) AS part3,
    CAST(system.main."//"(system.main.sum(t.part4), system.main.count(*)) AS HUGEINT) AS part4,
    CAST(system.main."//"(system.main.sum(t.part5), system.main.count(*)) AS HUGEINT) AS part5,
    CAST(system.main."//"(system.main.sum(t.part6), system.main.count(*)) AS HUGEINT) AS part6,
    CAST(system.main."//"(system.main.sum(t.part7), system.main.count(*)) AS HUGEINT) AS part7,
    CAST(system.main."//"(system.main.sum(t.part8), system.main.count(*)) AS HUGEINT) AS part8
  FROM (SELECT t.unit, system.main."*"(system.main."*"(system.main."-"(CAST('1048576' AS HUGEINT),
            CAST(t.value AS HUGEINT)), system.main."-"(CAST('1048576' AS HUGEINT), CAST(t.value AS HUGEINT))),
        system.main."*"(system.main."-"(CAST('1048576' AS HUGEINT), CAST(t.other AS HUGEINT)), system.main."-"(CAST('1048576'
              AS HUGEINT), CAST(t.other AS HUGEINT)))) AS part0, system.main."*"(system.main."*"(system.main."-"(CAST('1048576'
              AS HUGEINT), CAST(t.value AS HUGEINT)), system.main."-"(CAST('1048576' AS HUGEINT), CAST(t.value
              AS HUGEINT))), system.main."*"(system.main."*"(CAST('2' AS HUGEINT), CAST(t.other AS HUGEINT)),
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
              AS HUGEINT)))) AS part6, system.main."*"(system.main."*"(CAST(t.value AS HUGEINT), CAST(t.value
            AS HUGEINT)), system.main."*"(system.main."*"(CAST('2' AS HUGEINT), CAST(t.other AS HUGEINT)),
          system.main."-"(CAST('1048576' AS HUGEINT), CAST(t.other AS HUGEINT)))) AS part7, system.main."*"(system.main."*"(CAST(t.value
            AS HUGEINT), CAST(t.value AS HUGEINT)), system.main."*"(CAST(t.other AS HUGEINT), CAST(t.other AS
            HUGEINT))) AS part8
    FROM (SELECT CASE WHEN CAST(t_."age" AS DOUBLE) <= CAST('18.0' AS DOUBLE) THEN CAST('0' AS BIGINT) WHEN
        CAST(t_."age" AS DOUBLE) >= CAST('80.0' AS DOUBLE) THEN CAST('1048576' AS BIGINT) ELSE
        CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t_."age"
                      AS DOUBLE), CAST('18.0' AS DOUBLE)), CAST('62.0' AS DOUBLE)), CAST('1048576.0' AS
                  DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, CASE WHEN CAST(t_."age" AS
          DOUBLE) <= CAST('18.0' AS DOUBLE) THEN CAST('0' AS BIGINT) WHEN CAST(t_."age" AS DOUBLE) >= CAST('80.0'
          AS DOUBLE) THEN CAST('1048576' AS BIGINT) ELSE CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t_."age"
                      AS DOUBLE), CAST('18.0' AS DOUBLE)), CAST('62.0' AS DOUBLE)), CAST('1048576.0' AS
                  DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS other, t_."id" AS unit
      FROM "memory"."main"."people" AS t_
      WHERE t_."id" IS NOT NULL AND t_."age" IS NOT NULL AND t_."age" IS NOT NULL) AS t) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "c", ("answer"."a0_low" < "answer"."a0") AS "below"
FROM "answer";
----
SELECT avg(age) - avg(age) FILTER (WHERE age < 40) AS d, dp_low(d) <= d AS low, dp_high(d) >= d AS high FROM people;
-- plain:
SELECT avg(least(greatest(age, 18), 80)) - avg(least(greatest(age, 18), 80)) FILTER (WHERE age < 40) AS d, true AS low, true AS high FROM people;
-- plan: OneGroup, Mean 0.25 x1, Mean 0.25 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score, system.main.count(*) AS units
FROM (SELECT CAST(system.main."//"(system.main.sum(t.value), system.main.count(*)) AS BIGINT) AS part
  FROM (SELECT CASE WHEN CAST(t_."age" AS DOUBLE) <= CAST('18.0' AS DOUBLE) THEN CAST('0' AS BIGINT) WHEN
      CAST(t_."age" AS DOUBLE) >= CAST('80.0' AS DOUBLE) THEN CAST('1073741824' AS BIGINT) ELSE
      CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t_."age" AS
                    DOUBLE), CAST('18.0' AS DOUBLE)), CAST('62.0' AS DOUBLE)), CAST('1073741824.0' AS
                DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, t_."id" AS unit
    FROM "memory"."main"."people" AS t_
    WHERE t_."id" IS NOT NULL AND t_."age" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score, system.main.count(*) AS units
FROM (SELECT CAST(system.main."//"(system.main.sum(t.value), system.main.count(*)) AS BIGINT) AS part
  FROM (SELECT CASE WHEN CAST(t_."age" AS DOUBLE) <= CAST('18.0' AS DOUBLE) THEN CAST('0' AS BIGINT) WHEN
      CAST(t_."age" AS DOUBLE) >= CAST('39.0' AS DOUBLE) THEN CAST('1073741824' AS BIGINT) ELSE
      CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t_."age" AS
                    DOUBLE), CAST('18.0' AS DOUBLE)), CAST('21.0' AS DOUBLE)), CAST('1073741824.0' AS
                DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, t_."id" AS unit
    FROM "memory"."main"."people" AS t_
    WHERE t_."id" IS NOT NULL AND (t_."age" < 40) AND t_."age" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT system.main."-"("answer"."a0", "answer"."a1") AS "d", ((system.main."-"(system.main."-"("answer"."a0",
          "answer"."a1"), system.main.sqrt(system.main."+"(system.main."*"(system.main."-"(CAST("answer"."a0"
                  AS DOUBLE), CAST("answer"."a0_low" AS DOUBLE)), system.main."-"(CAST("answer"."a0" AS
                  DOUBLE), CAST("answer"."a0_low" AS DOUBLE))), system.main."*"(system.main."-"(CAST("answer"."a1_high"
                  AS DOUBLE), CAST("answer"."a1" AS DOUBLE)), system.main."-"(CAST("answer"."a1_high" AS
                  DOUBLE), CAST("answer"."a1" AS DOUBLE))))))) <= system.main."-"("answer"."a0", "answer"."a1"))
  AS "low", ((system.main."+"(system.main."-"("answer"."a0", "answer"."a1"), system.main.sqrt(system.main."+"(system.main."*"(system.main."-"(CAST("answer"."a0_high"
                  AS DOUBLE), CAST("answer"."a0" AS DOUBLE)), system.main."-"(CAST("answer"."a0_high" AS
                  DOUBLE), CAST("answer"."a0" AS DOUBLE))), system.main."*"(system.main."-"(CAST("answer"."a1"
                  AS DOUBLE), CAST("answer"."a1_low" AS DOUBLE)), system.main."-"(CAST("answer"."a1" AS
                  DOUBLE), CAST("answer"."a1_low" AS DOUBLE))))))) >= system.main."-"("answer"."a0", "answer"."a1"))
  AS "high"
FROM "answer";
----
SELECT dp_low(median(age)) <= median(age) AS low, dp_high(median(age)) >= median(age) AS high FROM people;
-- plain:
SELECT true AS low, true AS high;
-- plan: OneGroup, Quantile 0.5 x1
-- score:
SELECT t.value AS "age", system.main.count(*) AS score
FROM (SELECT system.main."-"(CAST(t.value AS BIGINT), CAST('18' AS BIGINT)) AS value
  FROM (SELECT CASE WHEN t.value < 18 THEN CAST('18' AS INTEGER) WHEN t.value > 80 THEN CAST('80' AS INTEGER)
      ELSE t.value END AS value
    FROM (SELECT t_."age" AS value, t_."id" AS unit
      FROM "memory"."main"."people" AS t_
      WHERE t_."id" IS NOT NULL AND t_."age" IS NOT NULL) AS t) AS t) AS t
GROUP BY t.value;
-- answer:
SELECT ("answer"."a0_low" <= "answer"."a0") AS "low", ("answer"."a0_high" >= "answer"."a0") AS "high"
FROM "answer";
----
SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (interval = 'population') dp_low(quantile_disc(age, 0.9)) <= quantile_disc(age, 0.9) AS low FROM people;
-- plain:
SELECT true AS low;
-- plan: OneGroup, Quantile 0.5 x1
-- score:
SELECT t.value AS "age", system.main.count(*) AS score
FROM (SELECT system.main."-"(CAST(t.value AS BIGINT), CAST('18' AS BIGINT)) AS value
  FROM (SELECT CASE WHEN t.value < 18 THEN CAST('18' AS INTEGER) WHEN t.value > 80 THEN CAST('80' AS INTEGER)
      ELSE t.value END AS value
    FROM (SELECT t_."age" AS value, t_."id" AS unit
      FROM "memory"."main"."people" AS t_
      WHERE t_."id" IS NOT NULL AND t_."age" IS NOT NULL) AS t) AS t) AS t
GROUP BY t.value;
-- answer:
SELECT ("answer"."a0_low" <= "answer"."a0") AS "low"
FROM "answer";
