SELECT stddev(age), stddev_samp(age), stddev_pop(age), sem(age) FROM people;
-- plain:
SELECT stddev(a), stddev_samp(a), stddev_pop(a), sem(a) FROM (SELECT least(greatest(age, 18), 80) AS a FROM people);
-- plan: OneGroup, Moments 0.1667 x1, Moments 0.16665 x1, Moments 0.16665 x1
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
SELECT "answer"."a0" AS "stddev(age)", "answer"."a0" AS "stddev_samp(age)", "answer"."a1" AS "stddev_pop(age)",
  "answer"."a2" AS "sem(age)"
FROM "answer";
----
SELECT variance(age), var_samp(age) AS v, var_pop(age) FROM people WHERE member;
-- plain:
SELECT variance(a), var_samp(a), var_pop(a) FROM (SELECT least(greatest(age, 18), 80) AS a FROM people WHERE member);
-- plan: OneGroup, Moments 0.25 x1, Moments 0.25 x1
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
      WHERE t_."id" IS NOT NULL AND t_."member" AND t_."age" IS NOT NULL) AS t) AS t
  GROUP BY t.unit) AS t;
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
      WHERE t_."id" IS NOT NULL AND t_."member" AND t_."age" IS NOT NULL) AS t) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "variance(age)", "answer"."a0" AS "v", "answer"."a1" AS "var_pop(age)"
FROM "answer";
----
SELECT region, stddev(age) AS s, count(*) FROM people WHERE region IN ('r0', 'r1') GROUP BY region;
-- plain:
SELECT region, stddev(least(greatest(age, 18), 80)), count(*) FROM people WHERE region IN ('r0', 'r1') GROUP BY region;
-- plan: FoundKeys epsilon=0.22835 delta=1e-06 counted=a1 groups=1, 'region' VARCHAR, Moments 0.27165 x1
-- score:
SELECT t.k0 AS "region", system.main.count(*) AS score
FROM (SELECT t_."region" AS k0, t_."id" AS unit
  FROM "memory"."main"."people" AS t_
  WHERE t_."id" IS NOT NULL AND (t_."region" IN ('r0', 'r1')) AND (t_."region" IS NULL OR
      system.main.strlen(t_."region") <= 10000)) AS t
GROUP BY t.k0;
-- score:
SELECT t.k0 AS "region", CASE WHEN system.main.sum(t.part0) IS NULL THEN CAST('0' AS HUGEINT) ELSE
  system.main.sum(t.part0) END AS score0, CASE WHEN system.main.sum(t.part1) IS NULL THEN CAST('0' AS HUGEINT)
  ELSE system.main.sum(t.part1) END AS score1, CASE WHEN system.main.sum(t.part2) IS NULL THEN CAST('0' AS
    HUGEINT) ELSE system.main.sum(t.part2) END AS score2
FROM (SELECT t.k0, CAST(system.main."//"(system.main.sum(t.part0), system.main.count(*)) AS BIGINT) AS part0,
    CAST(system.main."//"(system.main.sum(t.part1), system.main.count(*)) AS BIGINT) AS part1,
    CAST(system.main."//"(system.main.sum(t.part2), system.main.count(*)) AS BIGINT) AS part2
  FROM (SELECT t.k0, t.unit, system.main."*"(system.main."-"(CAST('1073741824' AS BIGINT), t.value),
        system.main."-"(CAST('1073741824' AS BIGINT), t.value)) AS part0, system.main."*"(system.main."*"(CAST('2'
            AS BIGINT), t.value), system.main."-"(CAST('1073741824' AS BIGINT), t.value)) AS part1,
      system.main."*"(t.value, t.value) AS part2
    FROM (SELECT t_."region" AS k0, CASE WHEN CAST(t_."age" AS DOUBLE) <= CAST('18.0' AS DOUBLE) THEN CAST('0'
          AS BIGINT) WHEN CAST(t_."age" AS DOUBLE) >= CAST('80.0' AS DOUBLE) THEN CAST('1073741824' AS BIGINT)
        ELSE CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t_."age"
                      AS DOUBLE), CAST('18.0' AS DOUBLE)), CAST('62.0' AS DOUBLE)), CAST('1073741824.0' AS
                  DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, t_."id" AS unit
      FROM "memory"."main"."people" AS t_
      WHERE t_."id" IS NOT NULL AND (t_."region" IN ('r0', 'r1')) AND t_."age" IS NOT NULL AND (t_."region" IS
          NULL OR system.main.strlen(t_."region") <= 10000)) AS t) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "region", "answer"."a0" AS "s", "answer"."a1" AS "count_star()"
FROM "answer";
----
SELECT var_pop(age) FILTER (WHERE id > 30), stddev_pop(age * 2 - 10) FROM people;
-- plain:
SELECT var_pop(a) FILTER (WHERE id > 30), stddev_pop(a * 2 - 10) FROM (SELECT id, least(greatest(age, 18), 80) AS a FROM people);
-- plan: OneGroup, Moments 0.25 x1, Moments 0.25 x1
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
      WHERE t_."id" IS NOT NULL AND (t_."id" > 30) AND t_."age" IS NOT NULL) AS t) AS t
  GROUP BY t.unit) AS t;
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
    FROM (SELECT CASE WHEN CAST(TRY_CAST(system.main."-"(CAST(TRY_CAST(system.main."*"(CAST(t_."age" AS
                      BIGINT), CAST('2' AS BIGINT)) AS INTEGER) AS BIGINT), CAST('10' AS BIGINT)) AS INTEGER)
          AS DOUBLE) <= CAST('26.0' AS DOUBLE) THEN CAST('0' AS BIGINT) WHEN CAST(TRY_CAST(system.main."-"(CAST(TRY_CAST(system.main."*"(CAST(t_."age"
                      AS BIGINT), CAST('2' AS BIGINT)) AS INTEGER) AS BIGINT), CAST('10' AS BIGINT)) AS
            INTEGER) AS DOUBLE) >= CAST('150.0' AS DOUBLE) THEN CAST('1073741824' AS BIGINT) ELSE
        CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(TRY_CAST(system.main."-"(CAST(TRY_CAST(system.main."*"(CAST(t_."age"
                                  AS BIGINT), CAST('2' AS BIGINT)) AS INTEGER) AS BIGINT), CAST('10' AS
                            BIGINT)) AS INTEGER) AS DOUBLE), CAST('26.0' AS DOUBLE)), CAST('124.0' AS
                    DOUBLE)), CAST('1073741824.0' AS DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS
        value, t_."id" AS unit
      FROM "memory"."main"."people" AS t_
      WHERE t_."id" IS NOT NULL AND TRY_CAST(system.main."-"(CAST(TRY_CAST(system.main."*"(CAST(t_."age" AS
                    BIGINT), CAST('2' AS BIGINT)) AS INTEGER) AS BIGINT), CAST('10' AS BIGINT)) AS INTEGER) IS
        NOT NULL) AS t) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "var_pop(age) FILTER (WHERE (id > 30))", "answer"."a1" AS
  "stddev_pop(((age * 2) - 10))"
FROM "answer";
----
SELECT stddev(age, contribution_bounds_per_row => (20, 40)), var_pop(age, epsilon => 0.1) FROM people;
-- plain:
SELECT stddev(least(greatest(age, 20), 40)), var_pop(least(greatest(age, 18), 80)) FROM people;
-- plan: OneGroup, Moments 0.4 x1, Moments 0.1 x1
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
    FROM (SELECT CASE WHEN CAST(t_."age" AS DOUBLE) <= CAST('20.0' AS DOUBLE) THEN CAST('0' AS BIGINT) WHEN
        CAST(t_."age" AS DOUBLE) >= CAST('40.0' AS DOUBLE) THEN CAST('1073741824' AS BIGINT) ELSE
        CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t_."age"
                      AS DOUBLE), CAST('20.0' AS DOUBLE)), CAST('20.0' AS DOUBLE)), CAST('1073741824.0' AS
                  DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, t_."id" AS unit
      FROM "memory"."main"."people" AS t_
      WHERE t_."id" IS NOT NULL AND t_."age" IS NOT NULL) AS t) AS t
  GROUP BY t.unit) AS t;
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
SELECT "answer"."a0" AS "stddev(age)", "answer"."a1" AS "var_pop(age)"
FROM "answer";
----
SELECT member, covar_pop(age, income), covar_samp(income, age), corr(age, income) FROM people GROUP BY member;
-- plain:
SELECT member, covar_pop(a, i), covar_samp(i, a), corr(a, i) FROM (SELECT member, least(greatest(age, 18), 80) AS a, least(income, 500) AS i FROM people WHERE NOT isnan(income)) GROUP BY member;
-- plan: EveryKey groups=1, 'member' BOOLEAN, Moments 0.1667 x1, Moments 0.16665 x1, Moments 0.16665 x1
-- score:
SELECT t.k0 AS "member", CASE WHEN system.main.sum(t.part0) IS NULL THEN CAST('0' AS HUGEINT) ELSE
  system.main.sum(t.part0) END AS score0, CASE WHEN system.main.sum(t.part1) IS NULL THEN CAST('0' AS HUGEINT)
  ELSE system.main.sum(t.part1) END AS score1, CASE WHEN system.main.sum(t.part2) IS NULL THEN CAST('0' AS
    HUGEINT) ELSE system.main.sum(t.part2) END AS score2, CASE WHEN system.main.sum(t.part3) IS NULL THEN
  CAST('0' AS HUGEINT) ELSE system.main.sum(t.part3) END AS score3, CASE WHEN system.main.sum(t.part4) IS NULL
  THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part4) END AS score4, CASE WHEN system.main.sum(t.part5) IS
  NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part5) END AS score5, CASE WHEN
  system.main.sum(t.part6) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part6) END AS score6, CASE
  WHEN system.main.sum(t.part7) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part7) END AS score7,
  CASE WHEN system.main.sum(t.part8) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part8) END AS
  score8
FROM (SELECT t.k0, CAST(system.main."//"(system.main.sum(t.part0), system.main.count(*)) AS HUGEINT) AS part0,
    CAST(system.main."//"(system.main.sum(t.part1), system.main.count(*)) AS HUGEINT) AS part1,
    CAST(system.main."//"(system.main.sum(t.part2), system.main.count(*)) AS HUGEINT) AS part2,
    CAST(system.main."//"(system.main.sum(t.part3), system.main.count(*)) AS HUGEINT) AS part3,
    CAST(system.main."//"(system.main.sum(t.part4), system.main.count(*)) AS HUGEINT) AS part4,
    CAST(system.main."//"(system.main.sum(t.part5), system.main.count(*)) AS HUGEINT) AS part5,
    CAST(system.main."//"(system.main.sum(t.part6), system.main.count(*)) AS HUGEINT) AS part6,
    CAST(system.main."//"(system.main.sum(t.part7), system.main.count(*)) AS HUGEINT) AS part7,
    CAST(system.main."//"(system.main.sum(t.part8), system.main.count(*)) AS HUGEINT) AS part8
  FROM (SELECT t.k0, t.unit, system.main."*"(system.main."*"(system.main."-"(CAST('1048576' AS HUGEINT),
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
    FROM (SELECT t_."member" AS k0, CASE WHEN CAST(t_."age" AS DOUBLE) <= CAST('18.0' AS DOUBLE) THEN CAST('0'
          AS BIGINT) WHEN CAST(t_."age" AS DOUBLE) >= CAST('80.0' AS DOUBLE) THEN CAST('1048576' AS BIGINT)
        ELSE CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t_."age"
                      AS DOUBLE), CAST('18.0' AS DOUBLE)), CAST('62.0' AS DOUBLE)), CAST('1048576.0' AS
                  DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, CASE WHEN CAST(t_."income" AS
          DOUBLE) <= CAST('0.0' AS DOUBLE) THEN CAST('0' AS BIGINT) WHEN CAST(t_."income" AS DOUBLE) >= CAST('500.0'
          AS DOUBLE) THEN CAST('1048576' AS BIGINT) ELSE CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t_."income"
                      AS DOUBLE), CAST('0.0' AS DOUBLE)), CAST('500.0' AS DOUBLE)), CAST('1048576.0' AS
                  DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS other, t_."id" AS unit
      FROM "memory"."main"."people" AS t_
      WHERE t_."id" IS NOT NULL AND t_."age" IS NOT NULL AND t_."income" IS NOT NULL AND (NOT
          system.main.isnan(t_."income")) AND t_."member" IS NOT NULL) AS t) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- score:
SELECT t.k0 AS "member", CASE WHEN system.main.sum(t.part0) IS NULL THEN CAST('0' AS HUGEINT) ELSE
  system.main.sum(t.part0) END AS score0, CASE WHEN system.main.sum(t.part1) IS NULL THEN CAST('0' AS HUGEINT)
  ELSE system.main.sum(t.part1) END AS score1, CASE WHEN system.main.sum(t.part2) IS NULL THEN CAST('0' AS
    HUGEINT) ELSE system.main.sum(t.part2) END AS score2, CASE WHEN system.main.sum(t.part3) IS NULL THEN
  CAST('0' AS HUGEINT) ELSE system.main.sum(t.part3) END AS score3, CASE WHEN system.main.sum(t.part4) IS NULL
  THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part4) END AS score4, CASE WHEN system.main.sum(t.part5) IS
  NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part5) END AS score5, CASE WHEN
  system.main.sum(t.part6) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part6) END AS score6, CASE
  WHEN system.main.sum(t.part7) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part7) END AS score7,
  CASE WHEN system.main.sum(t.part8) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part8) END AS
  score8
FROM (SELECT t.k0, CAST(system.main."//"(system.main.sum(t.part0), system.main.count(*)) AS HUGEINT) AS part0,
    CAST(system.main."//"(system.main.sum(t.part1), system.main.count(*)) AS HUGEINT) AS part1,
    CAST(system.main."//"(system.main.sum(t.part2), system.main.count(*)) AS HUGEINT) AS part2,
    CAST(system.main."//"(system.main.sum(t.part3), system.main.count(*)) AS HUGEINT) AS part3,
    CAST(system.main."//"(system.main.sum(t.part4), system.main.count(*)) AS HUGEINT) AS part4,
    CAST(system.main."//"(system.main.sum(t.part5), system.main.count(*)) AS HUGEINT) AS part5,
    CAST(system.main."//"(system.main.sum(t.part6), system.main.count(*)) AS HUGEINT) AS part6,
    CAST(system.main."//"(system.main.sum(t.part7), system.main.count(*)) AS HUGEINT) AS part7,
    CAST(system.main."//"(system.main.sum(t.part8), system.main.count(*)) AS HUGEINT) AS part8
  FROM (SELECT t.k0, t.unit, system.main."*"(system.main."*"(system.main."-"(CAST('1048576' AS HUGEINT),
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
    FROM (SELECT t_."member" AS k0, CASE WHEN CAST(t_."income" AS DOUBLE) <= CAST('0.0' AS DOUBLE) THEN CAST('0'
          AS BIGINT) WHEN CAST(t_."income" AS DOUBLE) >= CAST('500.0' AS DOUBLE) THEN CAST('1048576' AS
          BIGINT) ELSE CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t_."income"
                      AS DOUBLE), CAST('0.0' AS DOUBLE)), CAST('500.0' AS DOUBLE)), CAST('1048576.0' AS
                  DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, CASE WHEN CAST(t_."age" AS
          DOUBLE) <= CAST('18.0' AS DOUBLE) THEN CAST('0' AS BIGINT) WHEN CAST(t_."age" AS DOUBLE) >= CAST('80.0'
          AS DOUBLE) THEN CAST('1048576' AS BIGINT) ELSE CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t_."age"
                      AS DOUBLE), CAST('18.0' AS DOUBLE)), CAST('62.0' AS DOUBLE)), CAST('1048576.0' AS
                  DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS other, t_."id" AS unit
      FROM "memory"."main"."people" AS t_
      WHERE t_."id" IS NOT NULL AND t_."income" IS NOT NULL AND (NOT system.main.isnan(t_."income")) AND t_."age"
        IS NOT NULL AND t_."member" IS NOT NULL) AS t) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- score:
SELECT t.k0 AS "member", CASE WHEN system.main.sum(t.part0) IS NULL THEN CAST('0' AS HUGEINT) ELSE
  system.main.sum(t.part0) END AS score0, CASE WHEN system.main.sum(t.part1) IS NULL THEN CAST('0' AS HUGEINT)
  ELSE system.main.sum(t.part1) END AS score1, CASE WHEN system.main.sum(t.part2) IS NULL THEN CAST('0' AS
    HUGEINT) ELSE system.main.sum(t.part2) END AS score2, CASE WHEN system.main.sum(t.part3) IS NULL THEN
  CAST('0' AS HUGEINT) ELSE system.main.sum(t.part3) END AS score3, CASE WHEN system.main.sum(t.part4) IS NULL
  THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part4) END AS score4, CASE WHEN system.main.sum(t.part5) IS
  NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part5) END AS score5, CASE WHEN
  system.main.sum(t.part6) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part6) END AS score6, CASE
  WHEN system.main.sum(t.part7) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part7) END AS score7,
  CASE WHEN system.main.sum(t.part8) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part8) END AS
  score8
FROM (SELECT t.k0, CAST(system.main."//"(system.main.sum(t.part0), system.main.count(*)) AS HUGEINT) AS part0,
    CAST(system.main."//"(system.main.sum(t.part1), system.main.count(*)) AS HUGEINT) AS part1,
    CAST(system.main."//"(system.main.sum(t.part2), system.main.count(*)) AS HUGEINT) AS part2,
    CAST(system.main."//"(system.main.sum(t.part3), system.main.count(*)) AS HUGEINT) AS part3,
    CAST(system.main."//"(system.main.sum(t.part4), system.main.count(*)) AS HUGEINT) AS part4,
    CAST(system.main."//"(system.main.sum(t.part5), system.main.count(*)) AS HUGEINT) AS part5,
    CAST(system.main."//"(system.main.sum(t.part6), system.main.count(*)) AS HUGEINT) AS part6,
    CAST(system.main."//"(system.main.sum(t.part7), system.main.count(*)) AS HUGEINT) AS part7,
    CAST(system.main."//"(system.main.sum(t.part8), system.main.count(*)) AS HUGEINT) AS part8
  FROM (SELECT t.k0, t.unit, system.main."*"(system.main."*"(system.main."-"(CAST('1048576' AS HUGEINT),
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
    FROM (SELECT t_."member" AS k0, CASE WHEN CAST(t_."age" AS DOUBLE) <= CAST('18.0' AS DOUBLE) THEN CAST('0'
          AS BIGINT) WHEN CAST(t_."age" AS DOUBLE) >= CAST('80.0' AS DOUBLE) THEN CAST('1048576' AS BIGINT)
        ELSE CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t_."age"
                      AS DOUBLE), CAST('18.0' AS DOUBLE)), CAST('62.0' AS DOUBLE)), CAST('1048576.0' AS
                  DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, CASE WHEN CAST(t_."income" AS
          DOUBLE) <= CAST('0.0' AS DOUBLE) THEN CAST('0' AS BIGINT) WHEN CAST(t_."income" AS DOUBLE) >= CAST('500.0'
          AS DOUBLE) THEN CAST('1048576' AS BIGINT) ELSE CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t_."income"
                      AS DOUBLE), CAST('0.0' AS DOUBLE)), CAST('500.0' AS DOUBLE)), CAST('1048576.0' AS
                  DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS other, t_."id" AS unit
      FROM "memory"."main"."people" AS t_
      WHERE t_."id" IS NOT NULL AND t_."age" IS NOT NULL AND t_."income" IS NOT NULL AND (NOT
          system.main.isnan(t_."income")) AND t_."member" IS NOT NULL) AS t) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "member", "answer"."a0" AS "covar_pop(age, income)", "answer"."a1" AS
  "covar_samp(income, age)", "answer"."a2" AS "corr(age, income)"
FROM "answer";
----
SELECT regr_slope(income, age), regr_intercept(income, age), regr_r2(income, age), regr_count(income, age) FROM people;
-- plain:
SELECT regr_slope(i, a), regr_intercept(i, a), regr_r2(i, a), (SELECT regr_count(income, age) FROM people) FROM (SELECT least(greatest(age, 18), 80) AS a, least(income, 500) AS i FROM people WHERE NOT isnan(income));
-- plan: OneGroup, Moments 0.13025 x1, Moments 0.13015 x1, Moments 0.13015 x1, Count 0.10945 x1
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
    FROM (SELECT CASE WHEN CAST(t_."income" AS DOUBLE) <= CAST('0.0' AS DOUBLE) THEN CAST('0' AS BIGINT) WHEN
        CAST(t_."income" AS DOUBLE) >= CAST('500.0' AS DOUBLE) THEN CAST('1048576' AS BIGINT) ELSE
        CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t_."income"
                      AS DOUBLE), CAST('0.0' AS DOUBLE)), CAST('500.0' AS DOUBLE)), CAST('1048576.0' AS
                  DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, CASE WHEN CAST(t_."age" AS
          DOUBLE) <= CAST('18.0' AS DOUBLE) THEN CAST('0' AS BIGINT) WHEN CAST(t_."age" AS DOUBLE) >= CAST('80.0'
          AS DOUBLE) THEN CAST('1048576' AS BIGINT) ELSE CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t_."age"
                      AS DOUBLE), CAST('18.0' AS DOUBLE)), CAST('62.0' AS DOUBLE)), CAST('1048576.0' AS
                  DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS other, t_."id" AS unit
      FROM "memory"."main"."people" AS t_
      WHERE t_."id" IS NOT NULL AND t_."income" IS NOT NULL AND (NOT system.main.isnan(t_."income")) AND t_."age"
        IS NOT NULL) AS t) AS t
  GROUP BY t.unit) AS t;
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
    FROM (SELECT CASE WHEN CAST(t_."income" AS DOUBLE) <= CAST('0.0' AS DOUBLE) THEN CAST('0' AS BIGINT) WHEN
        CAST(t_."income" AS DOUBLE) >= CAST('500.0' AS DOUBLE) THEN CAST('1048576' AS BIGINT) ELSE
        CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t_."income"
                      AS DOUBLE), CAST('0.0' AS DOUBLE)), CAST('500.0' AS DOUBLE)), CAST('1048576.0' AS
                  DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, CASE WHEN CAST(t_."age" AS
          DOUBLE) <= CAST('18.0' AS DOUBLE) THEN CAST('0' AS BIGINT) WHEN CAST(t_."age" AS DOUBLE) >= CAST('80.0'
          AS DOUBLE) THEN CAST('1048576' AS BIGINT) ELSE CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t_."age"
                      AS DOUBLE), CAST('18.0' AS DOUBLE)), CAST('62.0' AS DOUBLE)), CAST('1048576.0' AS
                  DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS other, t_."id" AS unit
      FROM "memory"."main"."people" AS t_
      WHERE t_."id" IS NOT NULL AND t_."income" IS NOT NULL AND (NOT system.main.isnan(t_."income")) AND t_."age"
        IS NOT NULL) AS t) AS t
  GROUP BY t.unit) AS t;
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
    FROM (SELECT CASE WHEN CAST(t_."income" AS DOUBLE) <= CAST('0.0' AS DOUBLE) THEN CAST('0' AS BIGINT) WHEN
        CAST(t_."income" AS DOUBLE) >= CAST('500.0' AS DOUBLE) THEN CAST('1048576' AS BIGINT) ELSE
        CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t_."income"
                      AS DOUBLE), CAST('0.0' AS DOUBLE)), CAST('500.0' AS DOUBLE)), CAST('1048576.0' AS
                  DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, CASE WHEN CAST(t_."age" AS
          DOUBLE) <= CAST('18.0' AS DOUBLE) THEN CAST('0' AS BIGINT) WHEN CAST(t_."age" AS DOUBLE) >= CAST('80.0'
          AS DOUBLE) THEN CAST('1048576' AS BIGINT) ELSE CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t_."age"
                      AS DOUBLE), CAST('18.0' AS DOUBLE)), CAST('62.0' AS DOUBLE)), CAST('1048576.0' AS
                  DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS other, t_."id" AS unit
      FROM "memory"."main"."people" AS t_
      WHERE t_."id" IS NOT NULL AND t_."income" IS NOT NULL AND (NOT system.main.isnan(t_."income")) AND t_."age"
        IS NOT NULL) AS t) AS t
  GROUP BY t.unit) AS t;
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t_."id" AS unit
  FROM "memory"."main"."people" AS t_
  WHERE t_."id" IS NOT NULL AND t_."income" IS NOT NULL AND t_."age" IS NOT NULL) AS t;
-- answer:
SELECT "answer"."a0" AS "regr_slope(income, age)", "answer"."a1" AS "regr_intercept(income, age)", "answer"."a2"
  AS "regr_r2(income, age)", "answer"."a3" AS "regr_count(income, age)"
FROM "answer";
----
SELECT regr_avgx(income, age) AS x, regr_avgy(income, age) AS y, regr_slope(age, least(greatest(t, 0), 4)) AS b FROM people;
-- plain:
SELECT avg(a), avg(i) FILTER (WHERE NOT isnan(income)), regr_slope(a, t) FROM (SELECT t, income, least(greatest(age, 18), 80) AS a, least(income, 500) AS i FROM people);
-- plan: OneGroup, Mean 0.1667 x1, Mean 0.16665 x1, Moments 0.16665 x1
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
    WHERE t_."id" IS NOT NULL AND t_."income" IS NOT NULL AND t_."age" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score, system.main.count(*) AS units
FROM (SELECT CAST(system.main."//"(system.main.sum(t.value), system.main.count(*)) AS BIGINT) AS part
  FROM (SELECT CASE WHEN CAST(t_."income" AS DOUBLE) <= CAST('0.0' AS DOUBLE) THEN CAST('0' AS BIGINT) WHEN
      CAST(t_."income" AS DOUBLE) >= CAST('500.0' AS DOUBLE) THEN CAST('1073741824' AS BIGINT) ELSE
      CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t_."income"
                    AS DOUBLE), CAST('0.0' AS DOUBLE)), CAST('500.0' AS DOUBLE)), CAST('1073741824.0' AS
                DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, t_."id" AS unit
    FROM "memory"."main"."people" AS t_
    WHERE t_."id" IS NOT NULL AND t_."age" IS NOT NULL AND t_."income" IS NOT NULL AND (NOT
        system.main.isnan(t_."income"))) AS t
  GROUP BY t.unit) AS t;
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
                  DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, CASE WHEN
        CAST(system.main.least(system.main.greatest(t_."t", CAST('0' AS INTEGER)), CAST('4' AS INTEGER)) AS
          DOUBLE) <= CAST('0.0' AS DOUBLE) THEN CAST('0' AS BIGINT) WHEN
        CAST(system.main.least(system.main.greatest(t_."t", CAST('0' AS INTEGER)), CAST('4' AS INTEGER)) AS
          DOUBLE) >= CAST('4.0' AS DOUBLE) THEN CAST('1048576' AS BIGINT) ELSE
        CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(system.main.least(system.main.greatest(t_."t",
                          CAST('0' AS INTEGER)), CAST('4' AS INTEGER)) AS DOUBLE), CAST('0.0' AS DOUBLE)),
                  CAST('4.0' AS DOUBLE)), CAST('1048576.0' AS DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END
        AS other, t_."id" AS unit
      FROM "memory"."main"."people" AS t_
      WHERE t_."id" IS NOT NULL AND t_."age" IS NOT NULL AND system.main.least(system.main.greatest(t_."t",
            CAST('0' AS INTEGER)), CAST('4' AS INTEGER)) IS NOT NULL) AS t) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "x", "answer"."a1" AS "y", "answer"."a2" AS "b"
FROM "answer";
----
SELECT corr(age, income) FILTER (WHERE member), round(stddev(income) / avg(income), 2) AS variation FROM people;
-- plain:
SELECT corr(a, i) FILTER (WHERE member), round(stddev(i) / avg(i), 2) FROM (SELECT member, least(greatest(age, 18), 80) AS a, least(income, 500) AS i FROM people WHERE NOT isnan(income));
-- plan: OneGroup, Moments 0.1667 x1, Moments 0.16665 x1, Mean 0.16665 x1
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
                  DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, CASE WHEN CAST(t_."income" AS
          DOUBLE) <= CAST('0.0' AS DOUBLE) THEN CAST('0' AS BIGINT) WHEN CAST(t_."income" AS DOUBLE) >= CAST('500.0'
          AS DOUBLE) THEN CAST('1048576' AS BIGINT) ELSE CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t_."income"
                      AS DOUBLE), CAST('0.0' AS DOUBLE)), CAST('500.0' AS DOUBLE)), CAST('1048576.0' AS
                  DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS other, t_."id" AS unit
      FROM "memory"."main"."people" AS t_
      WHERE t_."id" IS NOT NULL AND t_."member" AND t_."age" IS NOT NULL AND t_."income" IS NOT NULL AND (NOT
          system.main.isnan(t_."income"))) AS t) AS t
  GROUP BY t.unit) AS t;
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
    FROM (SELECT CASE WHEN CAST(t_."income" AS DOUBLE) <= CAST('0.0' AS DOUBLE) THEN CAST('0' AS BIGINT) WHEN
        CAST(t_."income" AS DOUBLE) >= CAST('500.0' AS DOUBLE) THEN CAST('1073741824' AS BIGINT) ELSE
        CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t_."income"
                      AS DOUBLE), CAST('0.0' AS DOUBLE)), CAST('500.0' AS DOUBLE)), CAST('1073741824.0' AS
                  DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, t_."id" AS unit
      FROM "memory"."main"."people" AS t_
      WHERE t_."id" IS NOT NULL AND t_."income" IS NOT NULL AND (NOT system.main.isnan(t_."income"))) AS t) AS
    t
  GROUP BY t.unit) AS t;
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score, system.main.count(*) AS units
FROM (SELECT CAST(system.main."//"(system.main.sum(t.value), system.main.count(*)) AS BIGINT) AS part
  FROM (SELECT CASE WHEN CAST(t_."income" AS DOUBLE) <= CAST('0.0' AS DOUBLE) THEN CAST('0' AS BIGINT) WHEN
      CAST(t_."income" AS DOUBLE) >= CAST('500.0' AS DOUBLE) THEN CAST('1073741824' AS BIGINT) ELSE
      CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t_."income"
                    AS DOUBLE), CAST('0.0' AS DOUBLE)), CAST('500.0' AS DOUBLE)), CAST('1073741824.0' AS
                DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, t_."id" AS unit
    FROM "memory"."main"."people" AS t_
    WHERE t_."id" IS NOT NULL AND t_."income" IS NOT NULL AND (NOT system.main.isnan(t_."income"))) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "corr(age, income) FILTER (WHERE member)", system.main.round(system.main."/"("answer"."a1",
      "answer"."a2"), 2) AS "variation"
FROM "answer";
----
SELECT page, var_pop(age) FROM visits WHERE page IN ('a', 'b') GROUP BY page;
-- plain:
SELECT page, sum(w * a * a) / sum(w) - (sum(w * a) / sum(w)) ** 2 FROM (SELECT page, least(greatest(age, 0), 99) AS a, 1 / count(*) OVER (PARTITION BY page, uid) AS w FROM visits WHERE page IN ('a', 'b') AND uid IS NOT NULL AND age IS NOT NULL) GROUP BY page;
-- plan: EveryKey groups=2, 'page' VARCHAR, Moments 0.5 x2
-- score:
SELECT t.k0 AS "page", CASE WHEN system.main.sum(t.part0) IS NULL THEN CAST('0' AS HUGEINT) ELSE
  system.main.sum(t.part0) END AS score0, CASE WHEN system.main.sum(t.part1) IS NULL THEN CAST('0' AS HUGEINT)
  ELSE system.main.sum(t.part1) END AS score1, CASE WHEN system.main.sum(t.part2) IS NULL THEN CAST('0' AS
    HUGEINT) ELSE system.main.sum(t.part2) END AS score2
FROM (SELECT t.k0, CAST(system.main."//"(system.main.sum(t.part0), system.main.count(*)) AS BIGINT) AS part0,
    CAST(system.main."//"(system.main.sum(t.part1), system.main.count(*)) AS BIGINT) AS part1,
    CAST(system.main."//"(system.main.sum(t.part2), system.main.count(*)) AS BIGINT) AS part2
  FROM (SELECT t.k0, t.unit, system.main."*"(system.main."-"(CAST('1073741824' AS BIGINT), t.value),
        system.main."-"(CAST('1073741824' AS BIGINT), t.value)) AS part0, system.main."*"(system.main."*"(CAST('2'
            AS BIGINT), t.value), system.main."-"(CAST('1073741824' AS BIGINT), t.value)) AS part1,
      system.main."*"(t.value, t.value) AS part2
    FROM (SELECT t_."page" AS k0, CASE WHEN CAST(t_."age" AS DOUBLE) <= CAST('0.0' AS DOUBLE) THEN CAST('0' AS
          BIGINT) WHEN CAST(t_."age" AS DOUBLE) >= CAST('99.0' AS DOUBLE) THEN CAST('1073741824' AS BIGINT)
        ELSE CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t_."age"
                      AS DOUBLE), CAST('0.0' AS DOUBLE)), CAST('99.0' AS DOUBLE)), CAST('1073741824.0' AS
                  DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, t_."uid" AS unit
      FROM "memory"."main"."visits" AS t_
      WHERE t_."uid" IS NOT NULL AND (t_."page" IN ('a', 'b')) AND t_."age" IS NOT NULL AND t_."page" IN ('a',
          'b')) AS t) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "page", "answer"."a0" AS "var_pop(age)"
FROM "answer";
----
SELECT regr_slope(amount, age) AS b FROM visits;
-- plain:
SELECT (sum(w * x * y) / sum(w) - sum(w * x) * sum(w * y) / sum(w) ** 2) / (sum(w * x * x) / sum(w) - (sum(w * x) / sum(w)) ** 2) FROM (SELECT least(greatest(age, 0), 99) AS x, least(greatest(amount, 0), 50)::DOUBLE AS y, 1 / count(*) OVER (PARTITION BY uid) AS w FROM visits WHERE uid IS NOT NULL AND age IS NOT NULL);
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
    FROM (SELECT CASE WHEN CAST(t_."amount" AS DOUBLE) <= CAST('0.0' AS DOUBLE) THEN CAST('0' AS BIGINT) WHEN
        CAST(t_."amount" AS DOUBLE) >= CAST('50.0' AS DOUBLE) THEN CAST('1048576' AS BIGINT) ELSE
        CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t_."amount"
                      AS DOUBLE), CAST('0.0' AS DOUBLE)), CAST('50.0' AS DOUBLE)), CAST('1048576.0' AS
                  DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, CASE WHEN CAST(t_."age" AS
          DOUBLE) <= CAST('0.0' AS DOUBLE) THEN CAST('0' AS BIGINT) WHEN CAST(t_."age" AS DOUBLE) >= CAST('99.0'
          AS DOUBLE) THEN CAST('1048576' AS BIGINT) ELSE CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t_."age"
                      AS DOUBLE), CAST('0.0' AS DOUBLE)), CAST('99.0' AS DOUBLE)), CAST('1048576.0' AS
                  DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS other, t_."uid" AS unit
      FROM "memory"."main"."visits" AS t_
      WHERE t_."uid" IS NOT NULL AND t_."amount" IS NOT NULL AND t_."age" IS NOT NULL) AS t) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "b"
FROM "answer";
----
SELECT stddev(age) AS s, dp_low(s), dp_high(s) FROM people;
-- plain:
SELECT s, s AS "dp_low(s)", s AS "dp_high(s)" FROM (SELECT stddev(least(greatest(age, 18), 80)) AS s FROM people);
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
SELECT "answer"."a0" AS "s", "answer"."a0_low" AS "dp_low(s)", "answer"."a0_high" AS "dp_high(s)"
FROM "answer";
----
SELECT region FROM people WHERE region IN ('r0', 'r1') GROUP BY region HAVING stddev(age) > 3 ORDER BY stddev(age) DESC LIMIT 1;
-- plain:
SELECT region FROM people WHERE region IN ('r0', 'r1') GROUP BY region ORDER BY stddev(least(greatest(age, 18), 80)) DESC LIMIT 1;
-- plan: FoundKeys epsilon=0.22835 delta=1e-06 groups=1, 'region' VARCHAR, Moments 0.27165 x1
-- score:
SELECT t.k0 AS "region", system.main.count(*) AS score
FROM (SELECT t_."region" AS k0, t_."id" AS unit
  FROM "memory"."main"."people" AS t_
  WHERE t_."id" IS NOT NULL AND (t_."region" IN ('r0', 'r1')) AND (t_."region" IS NULL OR
      system.main.strlen(t_."region") <= 10000)) AS t
GROUP BY t.k0;
-- score:
SELECT t.k0 AS "region", CASE WHEN system.main.sum(t.part0) IS NULL THEN CAST('0' AS HUGEINT) ELSE
  system.main.sum(t.part0) END AS score0, CASE WHEN system.main.sum(t.part1) IS NULL THEN CAST('0' AS HUGEINT)
  ELSE system.main.sum(t.part1) END AS score1, CASE WHEN system.main.sum(t.part2) IS NULL THEN CAST('0' AS
    HUGEINT) ELSE system.main.sum(t.part2) END AS score2
FROM (SELECT t.k0, CAST(system.main."//"(system.main.sum(t.part0), system.main.count(*)) AS BIGINT) AS part0,
    CAST(system.main."//"(system.main.sum(t.part1), system.main.count(*)) AS BIGINT) AS part1,
    CAST(system.main."//"(system.main.sum(t.part2), system.main.count(*)) AS BIGINT) AS part2
  FROM (SELECT t.k0, t.unit, system.main."*"(system.main."-"(CAST('1073741824' AS BIGINT), t.value),
        system.main."-"(CAST('1073741824' AS BIGINT), t.value)) AS part0, system.main."*"(system.main."*"(CAST('2'
            AS BIGINT), t.value), system.main."-"(CAST('1073741824' AS BIGINT), t.value)) AS part1,
      system.main."*"(t.value, t.value) AS part2
    FROM (SELECT t_."region" AS k0, CASE WHEN CAST(t_."age" AS DOUBLE) <= CAST('18.0' AS DOUBLE) THEN CAST('0'
          AS BIGINT) WHEN CAST(t_."age" AS DOUBLE) >= CAST('80.0' AS DOUBLE) THEN CAST('1073741824' AS BIGINT)
        ELSE CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t_."age"
                      AS DOUBLE), CAST('18.0' AS DOUBLE)), CAST('62.0' AS DOUBLE)), CAST('1073741824.0' AS
                  DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, t_."id" AS unit
      FROM "memory"."main"."people" AS t_
      WHERE t_."id" IS NOT NULL AND (t_."region" IN ('r0', 'r1')) AND t_."age" IS NOT NULL AND (t_."region" IS
          NULL OR system.main.strlen(t_."region") <= 10000)) AS t) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "region"
FROM "answer"
WHERE ("answer"."a0" > 3)
ORDER BY "answer"."a0" DESC NULLS LAST, "answer"."k0"
LIMIT 1;
