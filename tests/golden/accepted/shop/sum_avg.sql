SELECT sum(age) FROM people;
-- plain:
SELECT sum(least(greatest(age, 18), 80)) FROM people;
-- plan: OneGroup, Sum 0.5 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score
FROM (SELECT system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS HUGEINT), CAST('18' AS
          HUGEINT)), CAST('80' AS HUGEINT)) AS part
  FROM (SELECT CAST(CASE WHEN t_."age" < CAST('-83886080' AS INTEGER) THEN CAST('-83886080' AS INTEGER) WHEN
        t_."age" > CAST('83886080' AS INTEGER) THEN CAST('83886080' AS INTEGER) ELSE t_."age" END AS HUGEINT)
      AS value, t_."id" AS unit
    FROM "memory"."main"."people" AS t_
    WHERE t_."id" IS NOT NULL AND t_."age" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "sum(age)"
FROM "answer";
----
SELECT sum(age) AS total FROM visits WHERE age < 40;
-- plain:
SELECT sum(least(greatest(s, 0), 99)) FROM (SELECT sum(age) AS s FROM visits WHERE age < 40 AND uid IS NOT NULL GROUP BY uid);
-- plan: OneGroup, Sum 0.5 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score
FROM (SELECT system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS HUGEINT), CAST('0' AS
          HUGEINT)), CAST('99' AS HUGEINT)) AS part
  FROM (SELECT CAST(CASE WHEN t_."age" < CAST('-103809024' AS INTEGER) THEN CAST('-103809024' AS INTEGER) WHEN
        t_."age" > CAST('103809024' AS INTEGER) THEN CAST('103809024' AS INTEGER) ELSE t_."age" END AS
        HUGEINT) AS value, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."age" < 40) AND t_."age" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "total"
FROM "answer";
----
SELECT sum(amount) FROM visits WHERE amount < 4;
-- plain:
SELECT sum(least(greatest(s, 0), 50)) FROM (SELECT sum(amount) AS s FROM visits WHERE amount < 4 AND uid IS NOT NULL GROUP BY uid);
-- plan: OneGroup, Sum 0.5 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS DECIMAL(38,2)) ELSE system.main.sum(t.part)
  END AS score
FROM (SELECT system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS DECIMAL(38,2)), CAST('0.00'
          AS DECIMAL(38,2))), CAST('50.00' AS DECIMAL(38,2))) AS part
  FROM (SELECT CAST(CASE WHEN t_."amount" < CAST('-9999999.99' AS DECIMAL(9,2)) THEN CAST('-9999999.99' AS
          DECIMAL(9,2)) WHEN t_."amount" > CAST('9999999.99' AS DECIMAL(9,2)) THEN CAST('9999999.99' AS
          DECIMAL(9,2)) ELSE t_."amount" END AS DECIMAL(38,2)) AS value, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."amount" < CAST('4.00' AS DECIMAL(9,2))) AND t_."amount" IS NOT NULL)
    AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "sum(amount)"
FROM "answer";
----
SELECT sum(income) FROM people;
-- plain:
SELECT sum(least(greatest(income, 0), 500)) FROM people WHERE NOT isnan(income);
-- plan: OneGroup, Sum 0.5 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS DECIMAL(38,7)) ELSE system.main.sum(t.part)
  END AS score
FROM (SELECT system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS DECIMAL(38,7)), CAST('0.0000000'
          AS DECIMAL(38,7))), CAST('500.0000000' AS DECIMAL(38,7))) AS part
  FROM (SELECT CAST(CASE WHEN t_."income" < CAST('-524288000.0' AS DOUBLE) THEN CAST('-524288000.0' AS DOUBLE)
        WHEN t_."income" > CAST('524288000.0' AS DOUBLE) THEN CAST('524288000.0' AS DOUBLE) ELSE t_."income"
        END AS DECIMAL(38,7)) AS value, t_."id" AS unit
    FROM "memory"."main"."people" AS t_
    WHERE t_."id" IS NOT NULL AND t_."income" IS NOT NULL AND (NOT system.main.isnan(t_."income"))) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "sum(income)"
FROM "answer";
----
SELECT sum(f) FROM visits;
-- plain:
SELECT sum(least(greatest(s, 0), 2)) FROM (SELECT sum(f) AS s FROM visits WHERE NOT isnan(f) AND uid IS NOT NULL GROUP BY uid);
-- plan: OneGroup, Sum 0.5 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS DECIMAL(38,10)) ELSE system.main.sum(t.part)
  END AS score
FROM (SELECT system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS DECIMAL(38,10)), CAST('0.0000000000'
          AS DECIMAL(38,10))), CAST('2.0000000000' AS DECIMAL(38,10))) AS part
  FROM (SELECT CAST(CASE WHEN t_."f" < CAST('-2097152.0' AS FLOAT) THEN CAST('-2097152.0' AS FLOAT) WHEN t_."f"
        > CAST('2097152.0' AS FLOAT) THEN CAST('2097152.0' AS FLOAT) ELSE t_."f" END AS DECIMAL(38,10)) AS
      value, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND t_."f" IS NOT NULL AND (NOT system.main.isnan(t_."f"))) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "sum(f)"
FROM "answer";
----
SELECT sum(tiny) FROM visits;
-- plain:
SELECT sum(least(greatest(s, 10), 90)) FROM (SELECT sum(tiny) AS s FROM visits WHERE uid IS NOT NULL GROUP BY uid);
-- plan: OneGroup, Sum 0.5 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score
FROM (SELECT system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS HUGEINT), CAST('10' AS
          HUGEINT)), CAST('90' AS HUGEINT)) AS part
  FROM (SELECT CAST(CASE WHEN t_."tiny" < CAST('-128' AS TINYINT) THEN CAST('-128' AS TINYINT) WHEN t_."tiny"
        > CAST('127' AS TINYINT) THEN CAST('127' AS TINYINT) ELSE t_."tiny" END AS HUGEINT) AS value, t_."uid"
      AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND t_."tiny" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "sum(tiny)"
FROM "answer";
----
SELECT sum(age * 2 + 1) AS s FROM people;
-- plain:
SELECT sum(least(greatest(age * 2 + 1, 37), 161)) FROM people;
-- plan: OneGroup, Sum 0.5 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score
FROM (SELECT system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS HUGEINT), CAST('37' AS
          HUGEINT)), CAST('161' AS HUGEINT)) AS part
  FROM (SELECT CAST(CASE WHEN TRY_CAST(system.main."+"(CAST(TRY_CAST(system.main."*"(CAST(t_."age" AS BIGINT),
                  CAST('2' AS BIGINT)) AS INTEGER) AS BIGINT), CAST('1' AS BIGINT)) AS INTEGER) < CAST('-168820736'
          AS INTEGER) THEN CAST('-168820736' AS INTEGER) WHEN TRY_CAST(system.main."+"(CAST(TRY_CAST(system.main."*"(CAST(t_."age"
                    AS BIGINT), CAST('2' AS BIGINT)) AS INTEGER) AS BIGINT), CAST('1' AS BIGINT)) AS INTEGER)
        > CAST('168820736' AS INTEGER) THEN CAST('168820736' AS INTEGER) ELSE TRY_CAST(system.main."+"(CAST(TRY_CAST(system.main."*"(CAST(t_."age"
                    AS BIGINT), CAST('2' AS BIGINT)) AS INTEGER) AS BIGINT), CAST('1' AS BIGINT)) AS INTEGER)
        END AS HUGEINT) AS value, t_."id" AS unit
    FROM "memory"."main"."people" AS t_
    WHERE t_."id" IS NOT NULL AND TRY_CAST(system.main."+"(CAST(TRY_CAST(system.main."*"(CAST(t_."age" AS
                  BIGINT), CAST('2' AS BIGINT)) AS INTEGER) AS BIGINT), CAST('1' AS BIGINT)) AS INTEGER) IS
      NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "s"
FROM "answer";
----
SELECT sum(greatest(least(t, 3), 1)) FROM people;
-- plain:
SELECT sum(greatest(least(t, 3), 1)) FROM people;
-- plan: OneGroup, Sum 0.5 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score
FROM (SELECT system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS HUGEINT), CAST('1' AS
          HUGEINT)), CAST('3' AS HUGEINT)) AS part
  FROM (SELECT CAST(CASE WHEN system.main.greatest(system.main.least(t_."t", CAST('3' AS INTEGER)), CAST('1'
            AS INTEGER)) < CAST('-3145728' AS INTEGER) THEN CAST('-3145728' AS INTEGER) WHEN
        system.main.greatest(system.main.least(t_."t", CAST('3' AS INTEGER)), CAST('1' AS INTEGER)) > CAST('3145728'
          AS INTEGER) THEN CAST('3145728' AS INTEGER) ELSE system.main.greatest(system.main.least(t_."t",
            CAST('3' AS INTEGER)), CAST('1' AS INTEGER)) END AS HUGEINT) AS value, t_."id" AS unit
    FROM "memory"."main"."people" AS t_
    WHERE t_."id" IS NOT NULL AND system.main.greatest(system.main.least(t_."t", CAST('3' AS INTEGER)), CAST('1'
          AS INTEGER)) IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "sum(greatest(least(t, 3), 1))"
FROM "answer";
----
SELECT sum(CASE WHEN member THEN age END) FROM people;
-- plain:
SELECT sum(least(greatest(age, 18), 80)) FROM people WHERE member;
-- plan: OneGroup, Sum 0.5 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score
FROM (SELECT system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS HUGEINT), CAST('18' AS
          HUGEINT)), CAST('80' AS HUGEINT)) AS part
  FROM (SELECT CAST(CASE WHEN (CASE WHEN t_."member" THEN t_."age" ELSE CAST(NULL AS INTEGER) END) < CAST('-83886080'
          AS INTEGER) THEN CAST('-83886080' AS INTEGER) WHEN (CASE WHEN t_."member" THEN t_."age" ELSE
          CAST(NULL AS INTEGER) END) > CAST('83886080' AS INTEGER) THEN CAST('83886080' AS INTEGER) ELSE (CASE
          WHEN t_."member" THEN t_."age" ELSE CAST(NULL AS INTEGER) END) END AS HUGEINT) AS value, t_."id" AS
      unit
    FROM "memory"."main"."people" AS t_
    WHERE t_."id" IS NOT NULL AND (CASE WHEN t_."member" THEN t_."age" ELSE CAST(NULL AS INTEGER) END) IS NOT
      NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "sum(CASE  WHEN (member) THEN (age) ELSE NULL END)"
FROM "answer";
----
SELECT sum(age) FILTER (WHERE member) AS m, sum(age) FILTER (WHERE NOT member) AS o FROM people;
-- plain:
SELECT sum(least(greatest(age, 18), 80)) FILTER (member), sum(least(greatest(age, 18), 80)) FILTER (NOT member) FROM people;
-- plan: OneGroup, Sum 0.25 x1, Sum 0.25 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score
FROM (SELECT system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS HUGEINT), CAST('18' AS
          HUGEINT)), CAST('80' AS HUGEINT)) AS part
  FROM (SELECT CAST(CASE WHEN t_."age" < CAST('-83886080' AS INTEGER) THEN CAST('-83886080' AS INTEGER) WHEN
        t_."age" > CAST('83886080' AS INTEGER) THEN CAST('83886080' AS INTEGER) ELSE t_."age" END AS HUGEINT)
      AS value, t_."id" AS unit
    FROM "memory"."main"."people" AS t_
    WHERE t_."id" IS NOT NULL AND t_."member" AND t_."age" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score
FROM (SELECT system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS HUGEINT), CAST('18' AS
          HUGEINT)), CAST('80' AS HUGEINT)) AS part
  FROM (SELECT CAST(CASE WHEN t_."age" < CAST('-83886080' AS INTEGER) THEN CAST('-83886080' AS INTEGER) WHEN
        t_."age" > CAST('83886080' AS INTEGER) THEN CAST('83886080' AS INTEGER) ELSE t_."age" END AS HUGEINT)
      AS value, t_."id" AS unit
    FROM "memory"."main"."people" AS t_
    WHERE t_."id" IS NOT NULL AND (NOT t_."member") AND t_."age" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "m", "answer"."a1" AS "o"
FROM "answer";
----
SELECT sum(t, contribution_bounds_per_group => (0, 2)) FROM people;
-- plain:
SELECT sum(least(t, 2)) FROM people;
-- plan: OneGroup, Sum 0.5 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score
FROM (SELECT system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS HUGEINT), CAST('0' AS
          HUGEINT)), CAST('2' AS HUGEINT)) AS part
  FROM (SELECT CAST(CASE WHEN t_."t" < CAST('-2097152' AS INTEGER) THEN CAST('-2097152' AS INTEGER) WHEN t_."t"
        > CAST('2097152' AS INTEGER) THEN CAST('2097152' AS INTEGER) ELSE t_."t" END AS HUGEINT) AS value, t_."id"
      AS unit
    FROM "memory"."main"."people" AS t_
    WHERE t_."id" IS NOT NULL AND t_."t" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "sum(t)"
FROM "answer";
----
SELECT page, sum(age) AS s FROM visits WHERE age BETWEEN 0 AND 30 GROUP BY page;
-- plain:
SELECT d.page, coalesce(sum(s), 0) FROM (VALUES ('a'), ('b'), ('e'), ('z')) AS d(page) LEFT JOIN (SELECT page, least(sum(age), 99) AS s FROM visits WHERE age BETWEEN 0 AND 30 AND uid IS NOT NULL GROUP BY page, uid) AS v ON v.page = d.page GROUP BY d.page;
-- plan: EveryKey groups=4, 'page' VARCHAR, Sum 0.5 x4 gaussian 4
-- score:
SELECT t.k0 AS "page", CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE
  system.main.sum(t.part) END AS score
FROM (SELECT t.k0, system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS HUGEINT), CAST('0'
          AS HUGEINT)), CAST('99' AS HUGEINT)) AS part
  FROM (SELECT t_."page" AS k0, CAST(CASE WHEN t_."age" < CAST('-103809024' AS INTEGER) THEN CAST('-103809024'
          AS INTEGER) WHEN t_."age" > CAST('103809024' AS INTEGER) THEN CAST('103809024' AS INTEGER) ELSE t_."age"
        END AS HUGEINT) AS value, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND ((t_."age" >= 0) AND (t_."age" <= 30)) AND t_."age" IS NOT NULL AND t_."page"
      IN ('a', 'b', 'e', 'z')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "page", "answer"."a0" AS "s"
FROM "answer";
----
SELECT avg(age) FROM people;
-- plain:
SELECT avg(least(greatest(age, 18), 80)) FROM people;
-- plan: OneGroup, Mean 0.5 x1
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
-- answer:
SELECT "answer"."a0" AS "avg(age)"
FROM "answer";
----
SELECT mean(age) AS m FROM people WHERE member;
-- plain:
SELECT avg(least(greatest(age, 18), 80)) FROM people WHERE member;
-- plan: OneGroup, Mean 0.5 x1
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
    WHERE t_."id" IS NOT NULL AND t_."member" AND t_."age" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "m"
FROM "answer";
----
SELECT avg(age) FROM visits;
-- plain:
SELECT avg(m) FROM (SELECT avg(least(greatest(age, 0), 99)) AS m FROM visits WHERE uid IS NOT NULL AND age IS NOT NULL GROUP BY uid);
-- plan: OneGroup, Mean 0.5 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score, system.main.count(*) AS units
FROM (SELECT CAST(system.main."//"(system.main.sum(t.value), system.main.count(*)) AS BIGINT) AS part
  FROM (SELECT CASE WHEN CAST(t_."age" AS DOUBLE) <= CAST('0.0' AS DOUBLE) THEN CAST('0' AS BIGINT) WHEN
      CAST(t_."age" AS DOUBLE) >= CAST('99.0' AS DOUBLE) THEN CAST('1073741824' AS BIGINT) ELSE
      CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t_."age" AS
                    DOUBLE), CAST('0.0' AS DOUBLE)), CAST('99.0' AS DOUBLE)), CAST('1073741824.0' AS DOUBLE)),
            CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND t_."age" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "avg(age)"
FROM "answer";
----
SELECT avg(x) FROM visits;
-- plain:
SELECT avg(m) FROM (SELECT avg(least(greatest(x, 0), 2)) AS m FROM visits WHERE uid IS NOT NULL AND NOT isnan(x) GROUP BY uid);
-- plan: OneGroup, Mean 0.5 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score, system.main.count(*) AS units
FROM (SELECT CAST(system.main."//"(system.main.sum(t.value), system.main.count(*)) AS BIGINT) AS part
  FROM (SELECT CASE WHEN CAST(t_."x" AS DOUBLE) <= CAST('0.0' AS DOUBLE) THEN CAST('0' AS BIGINT) WHEN
      CAST(t_."x" AS DOUBLE) >= CAST('2.0' AS DOUBLE) THEN CAST('1073741824' AS BIGINT) ELSE
      CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t_."x" AS
                    DOUBLE), CAST('0.0' AS DOUBLE)), CAST('2.0' AS DOUBLE)), CAST('1073741824.0' AS DOUBLE)),
            CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND t_."x" IS NOT NULL AND (NOT system.main.isnan(t_."x"))) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "avg(x)"
FROM "answer";
----
SELECT avg(amount) FROM visits WHERE ok;
-- plain:
SELECT avg(m) FROM (SELECT avg(least(greatest(amount, 0), 50)) AS m FROM visits WHERE uid IS NOT NULL AND ok GROUP BY uid);
-- plan: OneGroup, Mean 0.5 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score, system.main.count(*) AS units
FROM (SELECT CAST(system.main."//"(system.main.sum(t.value), system.main.count(*)) AS BIGINT) AS part
  FROM (SELECT CASE WHEN CAST(t_."amount" AS DOUBLE) <= CAST('0.0' AS DOUBLE) THEN CAST('0' AS BIGINT) WHEN
      CAST(t_."amount" AS DOUBLE) >= CAST('50.0' AS DOUBLE) THEN CAST('1073741824' AS BIGINT) ELSE
      CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t_."amount"
                    AS DOUBLE), CAST('0.0' AS DOUBLE)), CAST('50.0' AS DOUBLE)), CAST('1073741824.0' AS
                DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND t_."ok" AND t_."amount" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "avg(amount)"
FROM "answer";
----
SELECT avg(income, contribution_bounds_per_row => (100, 300)) FROM people;
-- plain:
SELECT avg(least(greatest(income, 100), 300)) FROM people WHERE NOT isnan(income);
-- plan: OneGroup, Mean 0.5 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score, system.main.count(*) AS units
FROM (SELECT CAST(system.main."//"(system.main.sum(t.value), system.main.count(*)) AS BIGINT) AS part
  FROM (SELECT CASE WHEN CAST(t_."income" AS DOUBLE) <= CAST('100.0' AS DOUBLE) THEN CAST('0' AS BIGINT) WHEN
      CAST(t_."income" AS DOUBLE) >= CAST('300.0' AS DOUBLE) THEN CAST('1073741824' AS BIGINT) ELSE
      CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t_."income"
                    AS DOUBLE), CAST('100.0' AS DOUBLE)), CAST('200.0' AS DOUBLE)), CAST('1073741824.0' AS
                DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, t_."id" AS unit
    FROM "memory"."main"."people" AS t_
    WHERE t_."id" IS NOT NULL AND t_."income" IS NOT NULL AND (NOT system.main.isnan(t_."income"))) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "avg(income)"
FROM "answer";
----
SELECT avg(ok) AS share FROM visits WHERE age > 20;
-- plain:
SELECT avg(m) AS share FROM (SELECT avg(ok::INTEGER) AS m FROM visits WHERE uid IS NOT NULL AND age > 20 GROUP BY uid);
-- plan: OneGroup, Mean 0.5 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score, system.main.count(*) AS units
FROM (SELECT CAST(system.main."//"(system.main.sum(t.value), system.main.count(*)) AS BIGINT) AS part
  FROM (SELECT CASE WHEN CAST(CASE WHEN t_."ok" THEN CAST('1' AS INTEGER) WHEN t_."ok" IS NOT NULL THEN CAST('0'
          AS INTEGER) END AS DOUBLE) <= CAST('0.0' AS DOUBLE) THEN CAST('0' AS BIGINT) WHEN CAST(CASE WHEN t_."ok"
        THEN CAST('1' AS INTEGER) WHEN t_."ok" IS NOT NULL THEN CAST('0' AS INTEGER) END AS DOUBLE) >= CAST('1.0'
        AS DOUBLE) THEN CAST('1073741824' AS BIGINT) ELSE CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(CASE
                    WHEN t_."ok" THEN CAST('1' AS INTEGER) WHEN t_."ok" IS NOT NULL THEN CAST('0' AS INTEGER)
                    END AS DOUBLE), CAST('0.0' AS DOUBLE)), CAST('1.0' AS DOUBLE)), CAST('1073741824.0' AS
                DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."age" > 20) AND CASE WHEN t_."ok" THEN CAST('1' AS INTEGER) WHEN t_."ok"
      IS NOT NULL THEN CAST('0' AS INTEGER) END IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "share"
FROM "answer";
----
SELECT member, avg(age) AS a, sum(age) AS s FROM people GROUP BY member ORDER BY member;
-- plain:
SELECT member, avg(least(greatest(age, 18), 80)), sum(least(greatest(age, 18), 80)) FROM people GROUP BY member ORDER BY member;
-- plan: EveryKey groups=1, 'member' BOOLEAN, Mean 0.27165 x1, Sum 0.22835 x1
-- score:
SELECT t.k0 AS "member", CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE
  system.main.sum(t.part) END AS score, system.main.count(*) AS units
FROM (SELECT t.k0, CAST(system.main."//"(system.main.sum(t.value), system.main.count(*)) AS BIGINT) AS part
  FROM (SELECT t_."member" AS k0, CASE WHEN CAST(t_."age" AS DOUBLE) <= CAST('18.0' AS DOUBLE) THEN CAST('0'
        AS BIGINT) WHEN CAST(t_."age" AS DOUBLE) >= CAST('80.0' AS DOUBLE) THEN CAST('1073741824' AS BIGINT)
      ELSE CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t_."age"
                    AS DOUBLE), CAST('18.0' AS DOUBLE)), CAST('62.0' AS DOUBLE)), CAST('1073741824.0' AS
                DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, t_."id" AS unit
    FROM "memory"."main"."people" AS t_
    WHERE t_."id" IS NOT NULL AND t_."age" IS NOT NULL AND t_."member" IS NOT NULL) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- score:
SELECT t.k0 AS "member", CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE
  system.main.sum(t.part) END AS score
FROM (SELECT t.k0, system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS HUGEINT), CAST('18'
          AS HUGEINT)), CAST('80' AS HUGEINT)) AS part
  FROM (SELECT t_."member" AS k0, CAST(CASE WHEN t_."age" < CAST('-83886080' AS INTEGER) THEN CAST('-83886080'
          AS INTEGER) WHEN t_."age" > CAST('83886080' AS INTEGER) THEN CAST('83886080' AS INTEGER) ELSE t_."age"
        END AS HUGEINT) AS value, t_."id" AS unit
    FROM "memory"."main"."people" AS t_
    WHERE t_."id" IS NOT NULL AND t_."age" IS NOT NULL AND t_."member" IS NOT NULL) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "member", "answer"."a0" AS "a", "answer"."a1" AS "s"
FROM "answer"
ORDER BY "answer"."k0" NULLS LAST;
----
SELECT avg(CASE WHEN member THEN 1.0 ELSE 0.0 END) AS share FROM people;
-- plain:
SELECT avg(member::INTEGER) FROM people;
-- plan: OneGroup, Mean 0.5 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score, system.main.count(*) AS units
FROM (SELECT CAST(system.main."//"(system.main.sum(t.value), system.main.count(*)) AS BIGINT) AS part
  FROM (SELECT CASE WHEN CAST((CASE WHEN t_."member" THEN CAST('1.0' AS DECIMAL(2,1)) ELSE CAST('0.0' AS
            DECIMAL(2,1)) END) AS DOUBLE) <= CAST('0.0' AS DOUBLE) THEN CAST('0' AS BIGINT) WHEN CAST((CASE
          WHEN t_."member" THEN CAST('1.0' AS DECIMAL(2,1)) ELSE CAST('0.0' AS DECIMAL(2,1)) END) AS DOUBLE)
      >= CAST('1.0' AS DOUBLE) THEN CAST('1073741824' AS BIGINT) ELSE CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST((CASE
                      WHEN t_."member" THEN CAST('1.0' AS DECIMAL(2,1)) ELSE CAST('0.0' AS DECIMAL(2,1)) END)
                    AS DOUBLE), CAST('0.0' AS DOUBLE)), CAST('1.0' AS DOUBLE)), CAST('1073741824.0' AS
                DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, t_."id" AS unit
    FROM "memory"."main"."people" AS t_
    WHERE t_."id" IS NOT NULL AND (CASE WHEN t_."member" THEN CAST('1.0' AS DECIMAL(2,1)) ELSE CAST('0.0' AS
          DECIMAL(2,1)) END) IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "share"
FROM "answer";
----
SELECT avg(age) FROM people WHERE id < 0;
-- plain:
SELECT [18, 80];
-- plan: OneGroup, Mean 0.5 x1
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
    WHERE t_."id" IS NOT NULL AND (t_."id" < 0) AND t_."age" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "avg(age)"
FROM "answer";
