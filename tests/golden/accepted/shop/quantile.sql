SELECT median(age) FROM visits;
-- plain:
SELECT [min(v) FILTER (upto >= 0.5 * total), max(v) FILTER (upto - w <= 0.5 * total)] FROM (SELECT *, sum(w) OVER (ORDER BY v) AS upto, sum(w) OVER () AS total FROM (SELECT v, sum(j * 65536 // r - (j - 1) * 65536 // r) AS w FROM (SELECT unit, v, row_number() OVER (PARTITION BY unit ORDER BY v) AS j, count(*) OVER (PARTITION BY unit) AS r FROM (SELECT uid AS unit, least(greatest(age, 0), 99) AS v FROM visits WHERE uid IS NOT NULL AND age IS NOT NULL) WHERE v IS NOT NULL) GROUP BY v));
-- plan: OneGroup, Quantile 0.5 x1
-- score:
SELECT t.value AS "age", CAST(system.main.sum(t.part) AS BIGINT) AS score
FROM (SELECT t.value, system.main."-"(system.main."//"(system.main."*"(t.upto, CAST('65536' AS BIGINT)),
        t.total), system.main."//"(system.main."*"(system.main."-"(t.upto, t.times), CAST('65536' AS BIGINT)),
        t.total)) AS part
  FROM (SELECT t.*, CAST(system.main.sum(t.times) OVER (PARTITION BY t.unit
        ORDER BY t.value ASC) AS BIGINT) AS upto, CAST(system.main.sum(t.times) OVER (PARTITION BY t.unit) AS
        BIGINT) AS total
    FROM (SELECT t.unit, t.value, system.main.count(*) AS times
      FROM (SELECT CAST(t.value AS BIGINT) AS value, t.unit
        FROM (SELECT CASE WHEN t.value < 0 THEN CAST('0' AS INTEGER) WHEN t.value > 99 THEN CAST('99' AS
              INTEGER) ELSE t.value END AS value, t.unit
          FROM (SELECT t_."age" AS value, t_."uid" AS unit
            FROM "memory"."main"."visits" AS t_
            WHERE t_."uid" IS NOT NULL AND t_."age" IS NOT NULL) AS t) AS t) AS t
      GROUP BY t.unit, t.value) AS t) AS t) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS "median(age)"
FROM "answer";
----
SELECT median(age) AS m FROM visits WHERE ok IS NOT TRUE;
-- plain:
SELECT [min(v) FILTER (upto >= 0.5 * total), max(v) FILTER (upto - w <= 0.5 * total)] FROM (SELECT *, sum(w) OVER (ORDER BY v) AS upto, sum(w) OVER () AS total FROM (SELECT v, sum(j * 65536 // r - (j - 1) * 65536 // r) AS w FROM (SELECT unit, v, row_number() OVER (PARTITION BY unit ORDER BY v) AS j, count(*) OVER (PARTITION BY unit) AS r FROM (SELECT uid AS unit, least(greatest(age, 0), 99) AS v FROM visits WHERE ok IS NOT TRUE AND uid IS NOT NULL AND age IS NOT NULL) WHERE v IS NOT NULL) GROUP BY v));
-- plan: OneGroup, Quantile 0.5 x1
-- score:
SELECT t.value AS "age", CAST(system.main.sum(t.part) AS BIGINT) AS score
FROM (SELECT t.value, system.main."-"(system.main."//"(system.main."*"(t.upto, CAST('65536' AS BIGINT)),
        t.total), system.main."//"(system.main."*"(system.main."-"(t.upto, t.times), CAST('65536' AS BIGINT)),
        t.total)) AS part
  FROM (SELECT t.*, CAST(system.main.sum(t.times) OVER (PARTITION BY t.unit
        ORDER BY t.value ASC) AS BIGINT) AS upto, CAST(system.main.sum(t.times) OVER (PARTITION BY t.unit) AS
        BIGINT) AS total
    FROM (SELECT t.unit, t.value, system.main.count(*) AS times
      FROM (SELECT CAST(t.value AS BIGINT) AS value, t.unit
        FROM (SELECT CASE WHEN t.value < 0 THEN CAST('0' AS INTEGER) WHEN t.value > 99 THEN CAST('99' AS
              INTEGER) ELSE t.value END AS value, t.unit
          FROM (SELECT t_."age" AS value, t_."uid" AS unit
            FROM "memory"."main"."visits" AS t_
            WHERE t_."uid" IS NOT NULL AND (NOT (t_."ok" IS NOT DISTINCT
                FROM TRUE)) AND t_."age" IS NOT NULL) AS t) AS t) AS t
      GROUP BY t.unit, t.value) AS t) AS t) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS "m"
FROM "answer";
----
SELECT quantile_cont(age, 0.25) FROM visits;
-- plain:
SELECT [min(v) FILTER (upto >= 0.25 * total), max(v) FILTER (upto - w <= 0.25 * total)] FROM (SELECT *, sum(w) OVER (ORDER BY v) AS upto, sum(w) OVER () AS total FROM (SELECT v, sum(j * 65536 // r - (j - 1) * 65536 // r) AS w FROM (SELECT unit, v, row_number() OVER (PARTITION BY unit ORDER BY v) AS j, count(*) OVER (PARTITION BY unit) AS r FROM (SELECT uid AS unit, least(greatest(age, 0), 99) AS v FROM visits WHERE uid IS NOT NULL AND age IS NOT NULL) WHERE v IS NOT NULL) GROUP BY v));
-- plan: OneGroup, Quantile 0.5 x1
-- score:
SELECT t.value AS "age", CAST(system.main.sum(t.part) AS BIGINT) AS score
FROM (SELECT t.value, system.main."-"(system.main."//"(system.main."*"(t.upto, CAST('65536' AS BIGINT)),
        t.total), system.main."//"(system.main."*"(system.main."-"(t.upto, t.times), CAST('65536' AS BIGINT)),
        t.total)) AS part
  FROM (SELECT t.*, CAST(system.main.sum(t.times) OVER (PARTITION BY t.unit
        ORDER BY t.value ASC) AS BIGINT) AS upto, CAST(system.main.sum(t.times) OVER (PARTITION BY t.unit) AS
        BIGINT) AS total
    FROM (SELECT t.unit, t.value, system.main.count(*) AS times
      FROM (SELECT CAST(t.value AS BIGINT) AS value, t.unit
        FROM (SELECT CASE WHEN t.value < 0 THEN CAST('0' AS INTEGER) WHEN t.value > 99 THEN CAST('99' AS
              INTEGER) ELSE t.value END AS value, t.unit
          FROM (SELECT t_."age" AS value, t_."uid" AS unit
            FROM "memory"."main"."visits" AS t_
            WHERE t_."uid" IS NOT NULL AND t_."age" IS NOT NULL) AS t) AS t) AS t
      GROUP BY t.unit, t.value) AS t) AS t) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS "quantile_cont(age, 0.25)"
FROM "answer";
----
SELECT quantile_disc(age, 0.9) FROM visits;
-- plain:
SELECT [min(v) FILTER (upto >= 0.9 * total), max(v) FILTER (upto - w <= 0.9 * total)] FROM (SELECT *, sum(w) OVER (ORDER BY v) AS upto, sum(w) OVER () AS total FROM (SELECT v, sum(j * 65536 // r - (j - 1) * 65536 // r) AS w FROM (SELECT unit, v, row_number() OVER (PARTITION BY unit ORDER BY v) AS j, count(*) OVER (PARTITION BY unit) AS r FROM (SELECT uid AS unit, least(greatest(age, 0), 99) AS v FROM visits WHERE uid IS NOT NULL AND age IS NOT NULL) WHERE v IS NOT NULL) GROUP BY v));
-- plan: OneGroup, Quantile 0.5 x1
-- score:
SELECT t.value AS "age", CAST(system.main.sum(t.part) AS BIGINT) AS score
FROM (SELECT t.value, system.main."-"(system.main."//"(system.main."*"(t.upto, CAST('65536' AS BIGINT)),
        t.total), system.main."//"(system.main."*"(system.main."-"(t.upto, t.times), CAST('65536' AS BIGINT)),
        t.total)) AS part
  FROM (SELECT t.*, CAST(system.main.sum(t.times) OVER (PARTITION BY t.unit
        ORDER BY t.value ASC) AS BIGINT) AS upto, CAST(system.main.sum(t.times) OVER (PARTITION BY t.unit) AS
        BIGINT) AS total
    FROM (SELECT t.unit, t.value, system.main.count(*) AS times
      FROM (SELECT CAST(t.value AS BIGINT) AS value, t.unit
        FROM (SELECT CASE WHEN t.value < 0 THEN CAST('0' AS INTEGER) WHEN t.value > 99 THEN CAST('99' AS
              INTEGER) ELSE t.value END AS value, t.unit
          FROM (SELECT t_."age" AS value, t_."uid" AS unit
            FROM "memory"."main"."visits" AS t_
            WHERE t_."uid" IS NOT NULL AND t_."age" IS NOT NULL) AS t) AS t) AS t
      GROUP BY t.unit, t.value) AS t) AS t) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS "quantile_disc(age, 0.9)"
FROM "answer";
----
SELECT quantile(age, 0.125) FROM visits;
-- plain:
SELECT [min(v) FILTER (upto >= 0.125 * total), max(v) FILTER (upto - w <= 0.125 * total)] FROM (SELECT *, sum(w) OVER (ORDER BY v) AS upto, sum(w) OVER () AS total FROM (SELECT v, sum(j * 65536 // r - (j - 1) * 65536 // r) AS w FROM (SELECT unit, v, row_number() OVER (PARTITION BY unit ORDER BY v) AS j, count(*) OVER (PARTITION BY unit) AS r FROM (SELECT uid AS unit, least(greatest(age, 0), 99) AS v FROM visits WHERE uid IS NOT NULL AND age IS NOT NULL) WHERE v IS NOT NULL) GROUP BY v));
-- plan: OneGroup, Quantile 0.5 x1
-- score:
SELECT t.value AS "age", CAST(system.main.sum(t.part) AS BIGINT) AS score
FROM (SELECT t.value, system.main."-"(system.main."//"(system.main."*"(t.upto, CAST('65536' AS BIGINT)),
        t.total), system.main."//"(system.main."*"(system.main."-"(t.upto, t.times), CAST('65536' AS BIGINT)),
        t.total)) AS part
  FROM (SELECT t.*, CAST(system.main.sum(t.times) OVER (PARTITION BY t.unit
        ORDER BY t.value ASC) AS BIGINT) AS upto, CAST(system.main.sum(t.times) OVER (PARTITION BY t.unit) AS
        BIGINT) AS total
    FROM (SELECT t.unit, t.value, system.main.count(*) AS times
      FROM (SELECT CAST(t.value AS BIGINT) AS value, t.unit
        FROM (SELECT CASE WHEN t.value < 0 THEN CAST('0' AS INTEGER) WHEN t.value > 99 THEN CAST('99' AS
              INTEGER) ELSE t.value END AS value, t.unit
          FROM (SELECT t_."age" AS value, t_."uid" AS unit
            FROM "memory"."main"."visits" AS t_
            WHERE t_."uid" IS NOT NULL AND t_."age" IS NOT NULL) AS t) AS t) AS t
      GROUP BY t.unit, t.value) AS t) AS t) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS "quantile(age, 0.125)"
FROM "answer";
----
SELECT approx_quantile(age, 0.75) FROM visits;
-- plain:
SELECT [min(v) FILTER (upto >= 0.75 * total), max(v) FILTER (upto - w <= 0.75 * total)] FROM (SELECT *, sum(w) OVER (ORDER BY v) AS upto, sum(w) OVER () AS total FROM (SELECT v, sum(j * 65536 // r - (j - 1) * 65536 // r) AS w FROM (SELECT unit, v, row_number() OVER (PARTITION BY unit ORDER BY v) AS j, count(*) OVER (PARTITION BY unit) AS r FROM (SELECT uid AS unit, least(greatest(age, 0), 99) AS v FROM visits WHERE uid IS NOT NULL AND age IS NOT NULL) WHERE v IS NOT NULL) GROUP BY v));
-- plan: OneGroup, Quantile 0.5 x1
-- score:
SELECT t.value AS "age", CAST(system.main.sum(t.part) AS BIGINT) AS score
FROM (SELECT t.value, system.main."-"(system.main."//"(system.main."*"(t.upto, CAST('65536' AS BIGINT)),
        t.total), system.main."//"(system.main."*"(system.main."-"(t.upto, t.times), CAST('65536' AS BIGINT)),
        t.total)) AS part
  FROM (SELECT t.*, CAST(system.main.sum(t.times) OVER (PARTITION BY t.unit
        ORDER BY t.value ASC) AS BIGINT) AS upto, CAST(system.main.sum(t.times) OVER (PARTITION BY t.unit) AS
        BIGINT) AS total
    FROM (SELECT t.unit, t.value, system.main.count(*) AS times
      FROM (SELECT CAST(t.value AS BIGINT) AS value, t.unit
        FROM (SELECT CASE WHEN t.value < 0 THEN CAST('0' AS INTEGER) WHEN t.value > 99 THEN CAST('99' AS
              INTEGER) ELSE t.value END AS value, t.unit
          FROM (SELECT t_."age" AS value, t_."uid" AS unit
            FROM "memory"."main"."visits" AS t_
            WHERE t_."uid" IS NOT NULL AND t_."age" IS NOT NULL) AS t) AS t) AS t
      GROUP BY t.unit, t.value) AS t) AS t) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS "approx_quantile(age, 0.75)"
FROM "answer";
----
SELECT percentile_cont(0.3) WITHIN GROUP (ORDER BY age) AS p FROM visits;
-- plain:
SELECT [min(v) FILTER (upto >= 0.3 * total), max(v) FILTER (upto - w <= 0.3 * total)] FROM (SELECT *, sum(w) OVER (ORDER BY v) AS upto, sum(w) OVER () AS total FROM (SELECT v, sum(j * 65536 // r - (j - 1) * 65536 // r) AS w FROM (SELECT unit, v, row_number() OVER (PARTITION BY unit ORDER BY v) AS j, count(*) OVER (PARTITION BY unit) AS r FROM (SELECT uid AS unit, least(greatest(age, 0), 99) AS v FROM visits WHERE uid IS NOT NULL AND age IS NOT NULL) WHERE v IS NOT NULL) GROUP BY v));
-- plan: OneGroup, Quantile 0.5 x1
-- score:
SELECT t.value AS "age", CAST(system.main.sum(t.part) AS BIGINT) AS score
FROM (SELECT t.value, system.main."-"(system.main."//"(system.main."*"(t.upto, CAST('65536' AS BIGINT)),
        t.total), system.main."//"(system.main."*"(system.main."-"(t.upto, t.times), CAST('65536' AS BIGINT)),
        t.total)) AS part
  FROM (SELECT t.*, CAST(system.main.sum(t.times) OVER (PARTITION BY t.unit
        ORDER BY t.value ASC) AS BIGINT) AS upto, CAST(system.main.sum(t.times) OVER (PARTITION BY t.unit) AS
        BIGINT) AS total
    FROM (SELECT t.unit, t.value, system.main.count(*) AS times
      FROM (SELECT CAST(t.value AS BIGINT) AS value, t.unit
        FROM (SELECT CASE WHEN t.value < 0 THEN CAST('0' AS INTEGER) WHEN t.value > 99 THEN CAST('99' AS
              INTEGER) ELSE t.value END AS value, t.unit
          FROM (SELECT t_."age" AS value, t_."uid" AS unit
            FROM "memory"."main"."visits" AS t_
            WHERE t_."uid" IS NOT NULL AND t_."age" IS NOT NULL) AS t) AS t) AS t
      GROUP BY t.unit, t.value) AS t) AS t) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS "p"
FROM "answer";
----
SELECT percentile_disc(0.3) WITHIN GROUP (ORDER BY age DESC) AS p FROM visits;
-- plain:
SELECT [min(v) FILTER (upto >= 0.7 * total), max(v) FILTER (upto - w <= 0.7 * total)] FROM (SELECT *, sum(w) OVER (ORDER BY v) AS upto, sum(w) OVER () AS total FROM (SELECT v, sum(j * 65536 // r - (j - 1) * 65536 // r) AS w FROM (SELECT unit, v, row_number() OVER (PARTITION BY unit ORDER BY v) AS j, count(*) OVER (PARTITION BY unit) AS r FROM (SELECT uid AS unit, least(greatest(age, 0), 99) AS v FROM visits WHERE uid IS NOT NULL AND age IS NOT NULL) WHERE v IS NOT NULL) GROUP BY v));
-- plan: OneGroup, Quantile 0.5 x1
-- score:
SELECT t.value AS "age", CAST(system.main.sum(t.part) AS BIGINT) AS score
FROM (SELECT t.value, system.main."-"(system.main."//"(system.main."*"(t.upto, CAST('65536' AS BIGINT)),
        t.total), system.main."//"(system.main."*"(system.main."-"(t.upto, t.times), CAST('65536' AS BIGINT)),
        t.total)) AS part
  FROM (SELECT t.*, CAST(system.main.sum(t.times) OVER (PARTITION BY t.unit
        ORDER BY t.value ASC) AS BIGINT) AS upto, CAST(system.main.sum(t.times) OVER (PARTITION BY t.unit) AS
        BIGINT) AS total
    FROM (SELECT t.unit, t.value, system.main.count(*) AS times
      FROM (SELECT CAST(t.value AS BIGINT) AS value, t.unit
        FROM (SELECT CASE WHEN t.value < 0 THEN CAST('0' AS INTEGER) WHEN t.value > 99 THEN CAST('99' AS
              INTEGER) ELSE t.value END AS value, t.unit
          FROM (SELECT t_."age" AS value, t_."uid" AS unit
            FROM "memory"."main"."visits" AS t_
            WHERE t_."uid" IS NOT NULL AND t_."age" IS NOT NULL) AS t) AS t) AS t
      GROUP BY t.unit, t.value) AS t) AS t) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS "p"
FROM "answer";
----
SELECT median(tiny) FROM visits;
-- plain:
SELECT [min(v) FILTER (upto >= 0.5 * total), max(v) FILTER (upto - w <= 0.5 * total)] FROM (SELECT *, sum(w) OVER (ORDER BY v) AS upto, sum(w) OVER () AS total FROM (SELECT v, sum(j * 65536 // r - (j - 1) * 65536 // r) AS w FROM (SELECT unit, v, row_number() OVER (PARTITION BY unit ORDER BY v) AS j, count(*) OVER (PARTITION BY unit) AS r FROM (SELECT uid AS unit, 10 + (least(greatest(tiny, 10), 90) - 10) // 20 * 20 AS v FROM visits WHERE uid IS NOT NULL) WHERE v IS NOT NULL) GROUP BY v));
-- plan: OneGroup, Quantile 0.5 x1
-- score:
SELECT t.value AS "tiny", CAST(system.main.sum(t.part) AS BIGINT) AS score
FROM (SELECT t.value, system.main."-"(system.main."//"(system.main."*"(t.upto, CAST('65536' AS BIGINT)),
        t.total), system.main."//"(system.main."*"(system.main."-"(t.upto, t.times), CAST('65536' AS BIGINT)),
        t.total)) AS part
  FROM (SELECT t.*, CAST(system.main.sum(t.times) OVER (PARTITION BY t.unit
        ORDER BY t.value ASC) AS BIGINT) AS upto, CAST(system.main.sum(t.times) OVER (PARTITION BY t.unit) AS
        BIGINT) AS total
    FROM (SELECT t.unit, t.value, system.main.count(*) AS times
      FROM (SELECT system.main."//"(system.main."-"(CAST(t.value AS BIGINT), CAST('10' AS BIGINT)), CAST('20'
              AS BIGINT)) AS value, t.unit
        FROM (SELECT CASE WHEN t.value < 10 THEN CAST('10' AS TINYINT) WHEN t.value > 90 THEN CAST('90' AS
              TINYINT) ELSE t.value END AS value, t.unit
          FROM (SELECT t_."tiny" AS value, t_."uid" AS unit
            FROM "memory"."main"."visits" AS t_
            WHERE t_."uid" IS NOT NULL AND t_."tiny" IS NOT NULL) AS t) AS t) AS t
      GROUP BY t.unit, t.value) AS t) AS t) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS "median(tiny)"
FROM "answer";
----
SELECT median(huge) FROM visits;
-- plain:
SELECT [min(v) FILTER (upto >= 0.5 * total), max(v) FILTER (upto - w <= 0.5 * total)] FROM (SELECT *, sum(w) OVER (ORDER BY v) AS upto, sum(w) OVER () AS total FROM (SELECT v, sum(j * 65536 // r - (j - 1) * 65536 // r) AS w FROM (SELECT unit, v, row_number() OVER (PARTITION BY unit ORDER BY v) AS j, count(*) OVER (PARTITION BY unit) AS r FROM (SELECT uid AS unit, least(greatest(huge, 0), 100) // 10 * 10 AS v FROM visits WHERE uid IS NOT NULL) WHERE v IS NOT NULL) GROUP BY v));
-- plan: OneGroup, Quantile 0.5 x1
-- score:
SELECT t.value AS "huge", CAST(system.main.sum(t.part) AS BIGINT) AS score
FROM (SELECT t.value, system.main."-"(system.main."//"(system.main."*"(t.upto, CAST('65536' AS BIGINT)),
        t.total), system.main."//"(system.main."*"(system.main."-"(t.upto, t.times), CAST('65536' AS BIGINT)),
        t.total)) AS part
  FROM (SELECT t.*, CAST(system.main.sum(t.times) OVER (PARTITION BY t.unit
        ORDER BY t.value ASC) AS BIGINT) AS upto, CAST(system.main.sum(t.times) OVER (PARTITION BY t.unit) AS
        BIGINT) AS total
    FROM (SELECT t.unit, t.value, system.main.count(*) AS times
      FROM (SELECT system.main."//"(CAST(t.value AS BIGINT), CAST('10' AS BIGINT)) AS value, t.unit
        FROM (SELECT CASE WHEN t.value < CAST('0' AS HUGEINT) THEN CAST('0' AS HUGEINT) WHEN t.value > CAST('100'
              AS HUGEINT) THEN CAST('100' AS HUGEINT) ELSE t.value END AS value, t.unit
          FROM (SELECT t_."huge" AS value, t_."uid" AS unit
            FROM "memory"."main"."visits" AS t_
            WHERE t_."uid" IS NOT NULL AND t_."huge" IS NOT NULL) AS t) AS t) AS t
      GROUP BY t.unit, t.value) AS t) AS t) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS "median(huge)"
FROM "answer";
----
SELECT median(amount) FROM visits;
-- plain:
SELECT [min(v) FILTER (upto >= 0.5 * total), max(v) FILTER (upto - w <= 0.5 * total)] FROM (SELECT *, sum(w) OVER (ORDER BY v) AS upto, sum(w) OVER () AS total FROM (SELECT v, sum(j * 65536 // r - (j - 1) * 65536 // r) AS w FROM (SELECT unit, v, row_number() OVER (PARTITION BY unit ORDER BY v) AS j, count(*) OVER (PARTITION BY unit) AS r FROM (SELECT uid AS unit, floor(least(greatest(amount, 0), 50) * 2) / 2 AS v FROM visits WHERE uid IS NOT NULL) WHERE v IS NOT NULL) GROUP BY v));
-- plan: OneGroup, Quantile 0.5 x1
-- score:
SELECT t.value AS "amount", CAST(system.main.sum(t.part) AS BIGINT) AS score
FROM (SELECT t.value, system.main."-"(system.main."//"(system.main."*"(t.upto, CAST('65536' AS BIGINT)),
        t.total), system.main."//"(system.main."*"(system.main."-"(t.upto, t.times), CAST('65536' AS BIGINT)),
        t.total)) AS part
  FROM (SELECT t.*, CAST(system.main.sum(t.times) OVER (PARTITION BY t.unit
        ORDER BY t.value ASC) AS BIGINT) AS upto, CAST(system.main.sum(t.times) OVER (PARTITION BY t.unit) AS
        BIGINT) AS total
    FROM (SELECT t.unit, t.value, system.main.count(*) AS times
      FROM (SELECT system.main."//"(CAST(system.main."*"(t.value, CAST('100' AS DECIMAL(3,0))) AS BIGINT),
            CAST('50' AS BIGINT)) AS value, t.unit
        FROM (SELECT CASE WHEN t.value < CAST('0.00' AS DECIMAL(9,2)) THEN CAST('0.00' AS DECIMAL(9,2)) WHEN
            t.value > CAST('50.00' AS DECIMAL(9,2)) THEN CAST('50.00' AS DECIMAL(9,2)) ELSE t.value END AS
            value, t.unit
          FROM (SELECT t_."amount" AS value, t_."uid" AS unit
            FROM "memory"."main"."visits" AS t_
            WHERE t_."uid" IS NOT NULL AND t_."amount" IS NOT NULL) AS t) AS t) AS t
      GROUP BY t.unit, t.value) AS t) AS t) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS "median(amount)"
FROM "answer";
----
SELECT median(x) FROM visits;
-- plain:
SELECT [min(v) FILTER (upto >= 0.5 * total), max(v) FILTER (upto - w <= 0.5 * total)] FROM (SELECT *, sum(w) OVER (ORDER BY v) AS upto, sum(w) OVER () AS total FROM (SELECT v, sum(j * 65536 // r - (j - 1) * 65536 // r) AS w FROM (SELECT unit, v, row_number() OVER (PARTITION BY unit ORDER BY v) AS j, count(*) OVER (PARTITION BY unit) AS r FROM (SELECT uid AS unit, floor(least(greatest(x, 0), 2) * 2147483648) / 2147483648 AS v FROM visits WHERE uid IS NOT NULL AND NOT isnan(x)) WHERE v IS NOT NULL) GROUP BY v));
-- plan: OneGroup, Quantile 0.5 x1
-- score:
SELECT t.value AS "x", CAST(system.main.sum(t.part) AS BIGINT) AS score
FROM (SELECT t.value, system.main."-"(system.main."//"(system.main."*"(t.upto, CAST('65536' AS BIGINT)),
        t.total), system.main."//"(system.main."*"(system.main."-"(t.upto, t.times), CAST('65536' AS BIGINT)),
        t.total)) AS part
  FROM (SELECT t.*, CAST(system.main.sum(t.times) OVER (PARTITION BY t.unit
        ORDER BY t.value ASC) AS BIGINT) AS upto, CAST(system.main.sum(t.times) OVER (PARTITION BY t.unit) AS
        BIGINT) AS total
    FROM (SELECT t.unit, t.value, system.main.count(*) AS times
      FROM (SELECT system.main."//"(CAST(CASE WHEN system.main.floor(system.main."/"(system.main."-"(t.value,
                    CAST('0.0' AS DOUBLE)), CAST('4.656612873077393e-10' AS DOUBLE))) > CAST('4294967296.0' AS
                DOUBLE) THEN CAST('4294967296.0' AS DOUBLE) ELSE system.main.floor(system.main."/"(system.main."-"(t.value,
                    CAST('0.0' AS DOUBLE)), CAST('4.656612873077393e-10' AS DOUBLE))) END AS BIGINT), CAST('262145'
              AS BIGINT)) AS value, t.unit
        FROM (SELECT CASE WHEN t.value < CAST('0.0' AS DOUBLE) THEN CAST('0.0' AS DOUBLE) WHEN t.value > CAST('2.0'
              AS DOUBLE) THEN CAST('2.0' AS DOUBLE) ELSE t.value END AS value, t.unit
          FROM (SELECT t_."x" AS value, t_."uid" AS unit
            FROM "memory"."main"."visits" AS t_
            WHERE t_."uid" IS NOT NULL AND t_."x" IS NOT NULL AND (NOT system.main.isnan(t_."x"))) AS t) AS t)
        AS t
      GROUP BY t.unit, t.value) AS t) AS t) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS "median(x)"
FROM "answer";
----
SELECT median(f) FROM visits;
-- plain:
SELECT [min(v) FILTER (upto >= 0.5 * total), max(v) FILTER (upto - w <= 0.5 * total)] FROM (SELECT *, sum(w) OVER (ORDER BY v) AS upto, sum(w) OVER () AS total FROM (SELECT v, sum(j * 65536 // r - (j - 1) * 65536 // r) AS w FROM (SELECT unit, v, row_number() OVER (PARTITION BY unit ORDER BY v) AS j, count(*) OVER (PARTITION BY unit) AS r FROM (SELECT uid AS unit, floor(least(greatest(f::DOUBLE, 0), 2) * 4) / 4 AS v FROM visits WHERE uid IS NOT NULL AND NOT isnan(f)) WHERE v IS NOT NULL) GROUP BY v));
-- plan: OneGroup, Quantile 0.5 x1
-- score:
SELECT t.value AS "f", CAST(system.main.sum(t.part) AS BIGINT) AS score
FROM (SELECT t.value, system.main."-"(system.main."//"(system.main."*"(t.upto, CAST('65536' AS BIGINT)),
        t.total), system.main."//"(system.main."*"(system.main."-"(t.upto, t.times), CAST('65536' AS BIGINT)),
        t.total)) AS part
  FROM (SELECT t.*, CAST(system.main.sum(t.times) OVER (PARTITION BY t.unit
        ORDER BY t.value ASC) AS BIGINT) AS upto, CAST(system.main.sum(t.times) OVER (PARTITION BY t.unit) AS
        BIGINT) AS total
    FROM (SELECT t.unit, t.value, system.main.count(*) AS times
      FROM (SELECT CAST(CASE WHEN system.main.floor(system.main."/"(system.main."-"(t.value, CAST('0.0' AS
                    DOUBLE)), CAST('0.25' AS DOUBLE))) > CAST('8.0' AS DOUBLE) THEN CAST('8.0' AS DOUBLE) ELSE
            system.main.floor(system.main."/"(system.main."-"(t.value, CAST('0.0' AS DOUBLE)), CAST('0.25' AS
                  DOUBLE))) END AS BIGINT) AS value, t.unit
        FROM (SELECT CASE WHEN CAST(t.value AS DOUBLE) < CAST('0.0' AS DOUBLE) THEN CAST('0.0' AS DOUBLE) WHEN
            CAST(t.value AS DOUBLE) > CAST('2.0' AS DOUBLE) THEN CAST('2.0' AS DOUBLE) ELSE CAST(t.value AS
              DOUBLE) END AS value, t.unit
          FROM (SELECT t_."f" AS value, t_."uid" AS unit
            FROM "memory"."main"."visits" AS t_
            WHERE t_."uid" IS NOT NULL AND t_."f" IS NOT NULL AND (NOT system.main.isnan(t_."f"))) AS t) AS t)
        AS t
      GROUP BY t.unit, t.value) AS t) AS t) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS "median(f)"
FROM "answer";
----
SELECT median(day) FROM visits;
-- plain:
SELECT [min(v) FILTER (upto >= 0.5 * total)::TIMESTAMP, max(v) FILTER (upto - w <= 0.5 * total)::TIMESTAMP] FROM (SELECT *, sum(w) OVER (ORDER BY v) AS upto, sum(w) OVER () AS total FROM (SELECT v, sum(j * 65536 // r - (j - 1) * 65536 // r) AS w FROM (SELECT unit, v, row_number() OVER (PARTITION BY unit ORDER BY v) AS j, count(*) OVER (PARTITION BY unit) AS r FROM (SELECT uid AS unit, DATE '2024-01-05' + ((least(greatest(day, DATE '2024-01-05'), DATE '2024-01-31') - DATE '2024-01-05') // 2 * 2)::INTEGER AS v FROM visits WHERE uid IS NOT NULL) WHERE v IS NOT NULL) GROUP BY v));
-- plan: OneGroup, Quantile 0.5 x1
-- score:
SELECT t.value AS "day", CAST(system.main.sum(t.part) AS BIGINT) AS score
FROM (SELECT t.value, system.main."-"(system.main."//"(system.main."*"(t.upto, CAST('65536' AS BIGINT)),
        t.total), system.main."//"(system.main."*"(system.main."-"(t.upto, t.times), CAST('65536' AS BIGINT)),
        t.total)) AS part
  FROM (SELECT t.*, CAST(system.main.sum(t.times) OVER (PARTITION BY t.unit
        ORDER BY t.value ASC) AS BIGINT) AS upto, CAST(system.main.sum(t.times) OVER (PARTITION BY t.unit) AS
        BIGINT) AS total
    FROM (SELECT t.unit, t.value, system.main.count(*) AS times
      FROM (SELECT system.main."//"(system.main."-"(t.value, DATE '2024-01-05'), CAST('2' AS BIGINT)) AS
          value, t.unit
        FROM (SELECT CASE WHEN t.value < DATE '2024-01-05' THEN DATE '2024-01-05' WHEN t.value > DATE
            '2024-01-31' THEN DATE '2024-01-31' ELSE t.value END AS value, t.unit
          FROM (SELECT t_."day" AS value, t_."uid" AS unit
            FROM "memory"."main"."visits" AS t_
            WHERE t_."uid" IS NOT NULL AND t_."day" IS NOT NULL) AS t) AS t) AS t
      GROUP BY t.unit, t.value) AS t) AS t) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS "median(""day"")"
FROM "answer";
----
SELECT quantile_disc(day, 0.2) FROM visits;
-- plain:
SELECT [min(v) FILTER (upto >= 0.2 * total), max(v) FILTER (upto - w <= 0.2 * total)] FROM (SELECT *, sum(w) OVER (ORDER BY v) AS upto, sum(w) OVER () AS total FROM (SELECT v, sum(j * 65536 // r - (j - 1) * 65536 // r) AS w FROM (SELECT unit, v, row_number() OVER (PARTITION BY unit ORDER BY v) AS j, count(*) OVER (PARTITION BY unit) AS r FROM (SELECT uid AS unit, DATE '2024-01-05' + ((least(greatest(day, DATE '2024-01-05'), DATE '2024-01-31') - DATE '2024-01-05') // 2 * 2)::INTEGER AS v FROM visits WHERE uid IS NOT NULL) WHERE v IS NOT NULL) GROUP BY v));
-- plan: OneGroup, Quantile 0.5 x1
-- score:
SELECT t.value AS "day", CAST(system.main.sum(t.part) AS BIGINT) AS score
FROM (SELECT t.value, system.main."-"(system.main."//"(system.main."*"(t.upto, CAST('65536' AS BIGINT)),
        t.total), system.main."//"(system.main."*"(system.main."-"(t.upto, t.times), CAST('65536' AS BIGINT)),
        t.total)) AS part
  FROM (SELECT t.*, CAST(system.main.sum(t.times) OVER (PARTITION BY t.unit
        ORDER BY t.value ASC) AS BIGINT) AS upto, CAST(system.main.sum(t.times) OVER (PARTITION BY t.unit) AS
        BIGINT) AS total
    FROM (SELECT t.unit, t.value, system.main.count(*) AS times
      FROM (SELECT system.main."//"(system.main."-"(t.value, DATE '2024-01-05'), CAST('2' AS BIGINT)) AS
          value, t.unit
        FROM (SELECT CASE WHEN t.value < DATE '2024-01-05' THEN DATE '2024-01-05' WHEN t.value > DATE
            '2024-01-31' THEN DATE '2024-01-31' ELSE t.value END AS value, t.unit
          FROM (SELECT t_."day" AS value, t_."uid" AS unit
            FROM "memory"."main"."visits" AS t_
            WHERE t_."uid" IS NOT NULL AND t_."day" IS NOT NULL) AS t) AS t) AS t
      GROUP BY t.unit, t.value) AS t) AS t) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS "quantile_disc(""day"", 0.2)"
FROM "answer";
----
SELECT median(moment) FROM visits;
-- plain:
SELECT [min(v) FILTER (upto >= 0.5 * total), max(v) FILTER (upto - w <= 0.5 * total)] FROM (SELECT *, sum(w) OVER (ORDER BY v) AS upto, sum(w) OVER () AS total FROM (SELECT v, sum(j * 65536 // r - (j - 1) * 65536 // r) AS w FROM (SELECT unit, v, row_number() OVER (PARTITION BY unit ORDER BY v) AS j, count(*) OVER (PARTITION BY unit) AS r FROM (SELECT uid AS unit, date_trunc('hour', least(greatest(moment, TIMESTAMP '2024-01-02'), TIMESTAMP '2024-01-04')) AS v FROM visits WHERE uid IS NOT NULL) WHERE v IS NOT NULL) GROUP BY v));
-- plan: OneGroup, Quantile 0.5 x1
-- score:
SELECT t.value AS "moment", CAST(system.main.sum(t.part) AS BIGINT) AS score
FROM (SELECT t.value, system.main."-"(system.main."//"(system.main."*"(t.upto, CAST('65536' AS BIGINT)),
        t.total), system.main."//"(system.main."*"(system.main."-"(t.upto, t.times), CAST('65536' AS BIGINT)),
        t.total)) AS part
  FROM (SELECT t.*, CAST(system.main.sum(t.times) OVER (PARTITION BY t.unit
        ORDER BY t.value ASC) AS BIGINT) AS upto, CAST(system.main.sum(t.times) OVER (PARTITION BY t.unit) AS
        BIGINT) AS total
    FROM (SELECT t.unit, t.value, system.main.count(*) AS times
      FROM (SELECT system.main."//"(system.main."-"(system.main.epoch_us(t.value), CAST('1704153600000000' AS
                BIGINT)), CAST('3600000000' AS BIGINT)) AS value, t.unit
        FROM (SELECT CASE WHEN t.value < TIMESTAMP '2024-01-02 00:00:00' THEN TIMESTAMP '2024-01-02 00:00:00'
            WHEN t.value > TIMESTAMP '2024-01-04 00:00:00' THEN TIMESTAMP '2024-01-04 00:00:00' ELSE t.value
            END AS value, t.unit
          FROM (SELECT t_."moment" AS value, t_."uid" AS unit
            FROM "memory"."main"."visits" AS t_
            WHERE t_."uid" IS NOT NULL AND t_."moment" IS NOT NULL) AS t) AS t) AS t
      GROUP BY t.unit, t.value) AS t) AS t) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS "median(moment)"
FROM "answer";
----
SELECT median(age) FROM people;
-- plain:
SELECT [l[ceil(0.5 * len(l))::INTEGER], l[floor(0.5 * len(l))::INTEGER + 1]] FROM (SELECT list_sort(list(v)) AS l FROM (SELECT least(greatest(age, 18), 80) AS v FROM people));
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
SELECT "answer"."a0" AS "median(age)"
FROM "answer";
----
SELECT median(income) FROM people;
-- plain:
SELECT [l[ceil(0.5 * len(l))::INTEGER], l[floor(0.5 * len(l))::INTEGER + 1]] FROM (SELECT list_sort(list(v)) AS l FROM (SELECT floor(least(greatest(income, 0), 500) / 100) * 100 AS v FROM people WHERE NOT isnan(income)));
-- plan: OneGroup, Quantile 0.5 x1
-- score:
SELECT t.value AS "income", system.main.count(*) AS score
FROM (SELECT CAST(CASE WHEN system.main.floor(system.main."/"(system.main."-"(t.value, CAST('0.0' AS DOUBLE)),
          CAST('100.0' AS DOUBLE))) > CAST('5.0' AS DOUBLE) THEN CAST('5.0' AS DOUBLE) ELSE
      system.main.floor(system.main."/"(system.main."-"(t.value, CAST('0.0' AS DOUBLE)), CAST('100.0' AS
            DOUBLE))) END AS BIGINT) AS value
  FROM (SELECT CASE WHEN t.value < CAST('0.0' AS DOUBLE) THEN CAST('0.0' AS DOUBLE) WHEN t.value > CAST('500.0'
        AS DOUBLE) THEN CAST('500.0' AS DOUBLE) ELSE t.value END AS value
    FROM (SELECT t_."income" AS value, t_."id" AS unit
      FROM "memory"."main"."people" AS t_
      WHERE t_."id" IS NOT NULL AND t_."income" IS NOT NULL AND (NOT system.main.isnan(t_."income"))) AS t) AS
    t) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS "median(income)"
FROM "answer";
----
SELECT median(born) FROM people WHERE region = 'r1';
-- plain:
SELECT [l[ceil(0.5 * len(l))::INTEGER]::TIMESTAMP, l[floor(0.5 * len(l))::INTEGER + 1]::TIMESTAMP] FROM (SELECT list_sort(list(v)) AS l FROM (SELECT least(greatest(born, DATE '1950-01-01'), DATE '1970-01-01') AS v FROM people WHERE region = 'r1'));
-- plan: OneGroup, Quantile 0.5 x1
-- score:
SELECT t.value AS "born", system.main.count(*) AS score
FROM (SELECT system.main."-"(t.value, DATE '1950-01-01') AS value
  FROM (SELECT CASE WHEN t.value < DATE '1950-01-01' THEN DATE '1950-01-01' WHEN t.value > DATE '1970-01-01'
      THEN DATE '1970-01-01' ELSE t.value END AS value
    FROM (SELECT t_."born" AS value, t_."id" AS unit
      FROM "memory"."main"."people" AS t_
      WHERE t_."id" IS NOT NULL AND (t_."region" = 'r1') AND t_."born" IS NOT NULL) AS t) AS t) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS "median(born)"
FROM "answer";
----
SELECT quantile_cont(age, 0.5) FILTER (WHERE member) AS m FROM people;
-- plain:
SELECT [l[ceil(0.5 * len(l))::INTEGER], l[floor(0.5 * len(l))::INTEGER + 1]] FROM (SELECT list_sort(list(v)) AS l FROM (SELECT least(greatest(age, 18), 80) AS v FROM people WHERE member));
-- plan: OneGroup, Quantile 0.5 x1
-- score:
SELECT t.value AS "age", system.main.count(*) AS score
FROM (SELECT system.main."-"(CAST(t.value AS BIGINT), CAST('18' AS BIGINT)) AS value
  FROM (SELECT CASE WHEN t.value < 18 THEN CAST('18' AS INTEGER) WHEN t.value > 80 THEN CAST('80' AS INTEGER)
      ELSE t.value END AS value
    FROM (SELECT t_."age" AS value, t_."id" AS unit
      FROM "memory"."main"."people" AS t_
      WHERE t_."id" IS NOT NULL AND t_."member" AND t_."age" IS NOT NULL) AS t) AS t) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS "m"
FROM "answer";
----
SELECT median(age + 1) FROM people;
-- plain:
SELECT [l[ceil(0.5 * len(l))::INTEGER], l[floor(0.5 * len(l))::INTEGER + 1]] FROM (SELECT list_sort(list(v)) AS l FROM (SELECT least(greatest(age + 1, 19), 81) AS v FROM people));
-- plan: OneGroup, Quantile 0.5 x1
-- score:
SELECT t.value AS "key", system.main.count(*) AS score
FROM (SELECT system.main."-"(CAST(t.value AS BIGINT), CAST('19' AS BIGINT)) AS value
  FROM (SELECT CASE WHEN t.value < 19 THEN CAST('19' AS INTEGER) WHEN t.value > 81 THEN CAST('81' AS INTEGER)
      ELSE t.value END AS value
    FROM (SELECT TRY_CAST(system.main."+"(CAST(t_."age" AS BIGINT), CAST('1' AS BIGINT)) AS INTEGER) AS value,
        t_."id" AS unit
      FROM "memory"."main"."people" AS t_
      WHERE t_."id" IS NOT NULL AND TRY_CAST(system.main."+"(CAST(t_."age" AS BIGINT), CAST('1' AS BIGINT)) AS
          INTEGER) IS NOT NULL) AS t) AS t) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS "median((age + 1))"
FROM "answer";
----
SELECT median(age, contribution_bounds_per_row => (30, 40)) FROM people;
-- plain:
SELECT [l[ceil(0.5 * len(l))::INTEGER], l[floor(0.5 * len(l))::INTEGER + 1]] FROM (SELECT list_sort(list(v)) AS l FROM (SELECT least(greatest(age, 30), 40) AS v FROM people));
-- plan: OneGroup, Quantile 0.5 x1
-- score:
SELECT t.value AS "age", system.main.count(*) AS score
FROM (SELECT system.main."-"(CAST(t.value AS BIGINT), CAST('30' AS BIGINT)) AS value
  FROM (SELECT CASE WHEN t.value < 30 THEN CAST('30' AS INTEGER) WHEN t.value > 40 THEN CAST('40' AS INTEGER)
      ELSE t.value END AS value
    FROM (SELECT t_."age" AS value, t_."id" AS unit
      FROM "memory"."main"."people" AS t_
      WHERE t_."id" IS NOT NULL AND t_."age" IS NOT NULL) AS t) AS t) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS "median(age)"
FROM "answer";
----
SELECT median(t, contribution_bounds_per_row => (0, 3)) FROM people;
-- plain:
SELECT [l[ceil(0.5 * len(l))::INTEGER], l[floor(0.5 * len(l))::INTEGER + 1]] FROM (SELECT list_sort(list(v)) AS l FROM (SELECT least(greatest(t, 0), 3) AS v FROM people));
-- plan: OneGroup, Quantile 0.5 x1
-- score:
SELECT t.value AS "t", system.main.count(*) AS score
FROM (SELECT CAST(t.value AS BIGINT) AS value
  FROM (SELECT CASE WHEN t.value < 0 THEN CAST('0' AS INTEGER) WHEN t.value > 3 THEN CAST('3' AS INTEGER) ELSE
      t.value END AS value
    FROM (SELECT t_."t" AS value, t_."id" AS unit
      FROM "memory"."main"."people" AS t_
      WHERE t_."id" IS NOT NULL AND t_."t" IS NOT NULL) AS t) AS t) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS "median(t)"
FROM "answer";
----
SELECT min(age) FROM people;
-- plain:
SELECT [l[ceil(0.01 * len(l))::INTEGER], l[floor(0.01 * len(l))::INTEGER + 1]] FROM (SELECT list_sort(list(v)) AS l FROM (SELECT least(greatest(age, 18), 80) AS v FROM people));
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
SELECT "answer"."a0" AS "min(age)"
FROM "answer";
----
SELECT max(age) AS oldest FROM people WHERE age < 60;
-- plain:
SELECT [l[ceil(0.99 * len(l))::INTEGER], l[floor(0.99 * len(l))::INTEGER + 1]] FROM (SELECT list_sort(list(v)) AS l FROM (SELECT least(greatest(age, 18), 80) AS v FROM people WHERE age < 60));
-- plan: OneGroup, Quantile 0.5 x1
-- score:
SELECT t.value AS "age", system.main.count(*) AS score
FROM (SELECT system.main."-"(CAST(t.value AS BIGINT), CAST('18' AS BIGINT)) AS value
  FROM (SELECT CASE WHEN t.value < 18 THEN CAST('18' AS INTEGER) WHEN t.value > 59 THEN CAST('59' AS INTEGER)
      ELSE t.value END AS value
    FROM (SELECT t_."age" AS value, t_."id" AS unit
      FROM "memory"."main"."people" AS t_
      WHERE t_."id" IS NOT NULL AND (t_."age" < 60) AND t_."age" IS NOT NULL) AS t) AS t) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS "oldest"
FROM "answer";
----
SELECT max(born) FROM people;
-- plain:
SELECT [l[ceil(0.99 * len(l))::INTEGER], l[floor(0.99 * len(l))::INTEGER + 1]] FROM (SELECT list_sort(list(v)) AS l FROM (SELECT least(greatest(born, DATE '1950-01-01'), DATE '1970-01-01') AS v FROM people));
-- plan: OneGroup, Quantile 0.5 x1
-- score:
SELECT t.value AS "born", system.main.count(*) AS score
FROM (SELECT system.main."-"(t.value, DATE '1950-01-01') AS value
  FROM (SELECT CASE WHEN t.value < DATE '1950-01-01' THEN DATE '1950-01-01' WHEN t.value > DATE '1970-01-01'
      THEN DATE '1970-01-01' ELSE t.value END AS value
    FROM (SELECT t_."born" AS value, t_."id" AS unit
      FROM "memory"."main"."people" AS t_
      WHERE t_."id" IS NOT NULL AND t_."born" IS NOT NULL) AS t) AS t) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS "max(born)"
FROM "answer";
----
SELECT median(year(born)) FROM people;
-- plain:
SELECT [l[ceil(0.5 * len(l))::INTEGER], l[floor(0.5 * len(l))::INTEGER + 1]] FROM (SELECT list_sort(list(v)) AS l FROM (SELECT least(greatest(year(born), 1950), 1970) AS v FROM people));
-- plan: OneGroup, Quantile 0.5 x1
-- score:
SELECT t.value AS "key", system.main.count(*) AS score
FROM (SELECT system.main."-"(CAST(t.value AS BIGINT), CAST('1950' AS BIGINT)) AS value
  FROM (SELECT CASE WHEN t.value < 1950 THEN CAST('1950' AS BIGINT) WHEN t.value > 1970 THEN CAST('1970' AS
        BIGINT) ELSE t.value END AS value
    FROM (SELECT system.main.year(t_."born") AS value, t_."id" AS unit
      FROM "memory"."main"."people" AS t_
      WHERE t_."id" IS NOT NULL AND system.main.year(t_."born") IS NOT NULL) AS t) AS t) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS "median(""year""(born))"
FROM "answer";
----
SELECT median(age) FROM people WHERE id < 0;
-- plain:
SELECT [18, 80];
-- plan: OneGroup, Quantile 0.5 x1
-- score:
SELECT t.value AS "age", system.main.count(*) AS score
FROM (SELECT system.main."-"(CAST(t.value AS BIGINT), CAST('18' AS BIGINT)) AS value
  FROM (SELECT CASE WHEN t.value < 18 THEN CAST('18' AS INTEGER) WHEN t.value > 80 THEN CAST('80' AS INTEGER)
      ELSE t.value END AS value
    FROM (SELECT t_."age" AS value, t_."id" AS unit
      FROM "memory"."main"."people" AS t_
      WHERE t_."id" IS NOT NULL AND (t_."id" < 0) AND t_."age" IS NOT NULL) AS t) AS t) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS "median(age)"
FROM "answer";
----
SELECT quantile_cont(age, [0.25, 0.5]) AS q FROM people WHERE id <= 41 AND age > 0;
-- plain:
SELECT [l[11]::DOUBLE, l[21]] FROM (SELECT list_sort(list(least(greatest(age, 18), 80))) AS l FROM people WHERE id <= 41 AND age > 0);
-- plan: OneGroup, Quantiles 0.5 x1
-- score:
SELECT t.value AS "age", system.main.count(*) AS score
FROM (SELECT system.main."//"(system.main."+"(system.main."*"(system.main."-"(CAST(t.value AS BIGINT), CAST('18'
              AS BIGINT)), CAST('65536' AS BIGINT)), t.place), CAST('2031' AS BIGINT)) AS value
  FROM (SELECT CASE WHEN t.value < 18 THEN CAST('18' AS INTEGER) WHEN t.value > 80 THEN CAST('80' AS INTEGER)
      ELSE t.value END AS value, system.main.abs(CAST(system.main."%"(CAST(system.main.hash(t.unit, t.value,
                CAST('20241121' AS BIGINT)) AS HUGEINT), CAST('65536' AS HUGEINT)) AS BIGINT)) AS place
    FROM (SELECT t_."age" AS value, t_."id" AS unit
      FROM "memory"."main"."people" AS t_
      WHERE t_."id" IS NOT NULL AND (t_."age" > 0) AND (t_."id" <= 41) AND t_."age" IS NOT NULL) AS t) AS t)
  AS t
GROUP BY t.value;
-- answer:
SELECT CASE WHEN "answer"."a0_0" IS NOT NULL THEN system.main.list_value("answer"."a0_0", "answer"."a0_1") END
  AS "q"
FROM "answer";
----
SELECT quantile_disc(age, [0.25, 0.5, 0.75]) AS quartiles FROM people WHERE id <= 41;
-- plain:
SELECT [l[11], l[21], l[31]] FROM (SELECT list_sort(list(least(greatest(age, 18), 80))) AS l FROM people WHERE id <= 41);
-- plan: OneGroup, Quantiles 0.5 x1
-- score:
SELECT t.value AS "age", system.main.count(*) AS score
FROM (SELECT system.main."//"(system.main."+"(system.main."*"(system.main."-"(CAST(t.value AS BIGINT), CAST('18'
              AS BIGINT)), CAST('65536' AS BIGINT)), t.place), CAST('2031' AS BIGINT)) AS value
  FROM (SELECT CASE WHEN t.value < 18 THEN CAST('18' AS INTEGER) WHEN t.value > 80 THEN CAST('80' AS INTEGER)
      ELSE t.value END AS value, system.main.abs(CAST(system.main."%"(CAST(system.main.hash(t.unit, t.value,
                CAST('20241121' AS BIGINT)) AS HUGEINT), CAST('65536' AS HUGEINT)) AS BIGINT)) AS place
    FROM (SELECT t_."age" AS value, t_."id" AS unit
      FROM "memory"."main"."people" AS t_
      WHERE t_."id" IS NOT NULL AND (t_."id" <= 41) AND t_."age" IS NOT NULL) AS t) AS t) AS t
GROUP BY t.value;
-- answer:
SELECT CASE WHEN "answer"."a0_0" IS NOT NULL THEN system.main.list_value("answer"."a0_0", "answer"."a0_1",
    "answer"."a0_2") END AS "quartiles"
FROM "answer";
----
SELECT median(age), quantile_cont(age, [0.25, 0.75]) AS ends FROM people WHERE id <= 41;
-- plain:
SELECT l[21]::DOUBLE, [l[11]::DOUBLE, l[31]] FROM (SELECT list_sort(list(least(greatest(age, 18), 80))) AS l FROM people WHERE id <= 41);
-- plan: OneGroup, Quantiles 0.5 x1
-- score:
SELECT t.value AS "age", system.main.count(*) AS score
FROM (SELECT system.main."//"(system.main."+"(system.main."*"(system.main."-"(CAST(t.value AS BIGINT), CAST('18'
              AS BIGINT)), CAST('65536' AS BIGINT)), t.place), CAST('2031' AS BIGINT)) AS value
  FROM (SELECT CASE WHEN t.value < 18 THEN CAST('18' AS INTEGER) WHEN t.value > 80 THEN CAST('80' AS INTEGER)
      ELSE t.value END AS value, system.main.abs(CAST(system.main."%"(CAST(system.main.hash(t.unit, t.value,
                CAST('20241121' AS BIGINT)) AS HUGEINT), CAST('65536' AS HUGEINT)) AS BIGINT)) AS place
    FROM (SELECT t_."age" AS value, t_."id" AS unit
      FROM "memory"."main"."people" AS t_
      WHERE t_."id" IS NOT NULL AND (t_."id" <= 41) AND t_."age" IS NOT NULL) AS t) AS t) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS "median(age)", CASE WHEN "answer"."a1_0" IS NOT NULL THEN system.main.list_value("answer"."a1_0",
    "answer"."a1_1") END AS "ends"
FROM "answer";
----
SELECT member, median(age) AS m FROM people GROUP BY member;
-- plain:
SELECT member, [l[(len(l) + 1) // 2], l[len(l) // 2 + 1]] FROM (SELECT member, list_sort(list(least(greatest(age, 18), 80))) AS l FROM people GROUP BY member);
-- plan: EveryKey groups=1, 'member' BOOLEAN, Quantile 0.5 x1
-- score:
SELECT t.k0 AS "member", t.value AS "age", system.main.count(*) AS score
FROM (SELECT t.k0, system.main."-"(CAST(t.value AS BIGINT), CAST('18' AS BIGINT)) AS value
  FROM (SELECT t.k0, CASE WHEN t.value < 18 THEN CAST('18' AS INTEGER) WHEN t.value > 80 THEN CAST('80' AS
        INTEGER) ELSE t.value END AS value
    FROM (SELECT t_."member" AS k0, t_."age" AS value, t_."id" AS unit
      FROM "memory"."main"."people" AS t_
      WHERE t_."id" IS NOT NULL AND t_."age" IS NOT NULL AND t_."member" IS NOT NULL) AS t) AS t) AS t
GROUP BY t.k0, t.value;
-- answer:
SELECT "answer"."k0" AS "member", "answer"."a0" AS "m"
FROM "answer";
----
SELECT page, median(age) AS m FROM visits GROUP BY page HAVING count(*) > 3;
-- plain:
SELECT page, [min(v) FILTER (upto >= 0.5 * total), max(v) FILTER (upto - w <= 0.5 * total)] FROM (SELECT *, sum(w) OVER (PARTITION BY page ORDER BY v) AS upto, sum(w) OVER (PARTITION BY page) AS total FROM (SELECT page, v, sum(j * 65536 // r - (j - 1) * 65536 // r) AS w FROM (SELECT page, unit, v, row_number() OVER (PARTITION BY page, unit ORDER BY v) AS j, count(*) OVER (PARTITION BY page, unit) AS r FROM (SELECT page, uid AS unit, least(greatest(age, 0), 99) AS v FROM visits WHERE uid IS NOT NULL AND age IS NOT NULL AND page IN ('a', 'b', 'e')) WHERE v IS NOT NULL) GROUP BY page, v)) GROUP BY page;
-- plan: EveryKey groups=4, 'page' VARCHAR, Quantile 0.3071 x4, Count 0.1929 x4 gaussian 4
-- score:
SELECT t.k0 AS "page", t.value AS "age", CAST(system.main.sum(t.part) AS BIGINT) AS score
FROM (SELECT t.k0, t.value, system.main."-"(system.main."//"(system.main."*"(t.upto, CAST('65536' AS BIGINT)),
        t.total), system.main."//"(system.main."*"(system.main."-"(t.upto, t.times), CAST('65536' AS BIGINT)),
        t.total)) AS part
  FROM (SELECT t.*, CAST(system.main.sum(t.times) OVER (PARTITION BY t.k0, t.unit
        ORDER BY t.value ASC) AS BIGINT) AS upto, CAST(system.main.sum(t.times) OVER (PARTITION BY t.k0,
          t.unit) AS BIGINT) AS total
    FROM (SELECT t.k0, t.unit, t.value, system.main.count(*) AS times
      FROM (SELECT t.k0, CAST(t.value AS BIGINT) AS value, t.unit
        FROM (SELECT t.k0, CASE WHEN t.value < 0 THEN CAST('0' AS INTEGER) WHEN t.value > 99 THEN CAST('99' AS
              INTEGER) ELSE t.value END AS value, t.unit
          FROM (SELECT t_."page" AS k0, t_."age" AS value, t_."uid" AS unit
            FROM "memory"."main"."visits" AS t_
            WHERE t_."uid" IS NOT NULL AND t_."age" IS NOT NULL AND t_."page" IN ('a', 'b', 'e', 'z')) AS t)
          AS t) AS t
      GROUP BY t.k0, t.unit, t.value) AS t) AS t) AS t
GROUP BY t.k0, t.value;
-- score:
SELECT t.k0 AS "page", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t_."page" AS k0, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND t_."page" IN ('a', 'b', 'e', 'z')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "page", "answer"."a0" AS "m"
FROM "answer"
WHERE ("answer"."a1" > 3);
----
SELECT grade, max(age) AS oldest, min(age) AS youngest FROM visits GROUP BY grade;
-- plain:
SELECT grade, [min(v) FILTER (upto >= 0.99 * total), max(v) FILTER (upto - w <= 0.99 * total)], [min(v) FILTER (upto >= 0.01 * total), max(v) FILTER (upto - w <= 0.01 * total)] FROM (SELECT *, sum(w) OVER (PARTITION BY grade ORDER BY v) AS upto, sum(w) OVER (PARTITION BY grade) AS total FROM (SELECT grade, v, sum(j * 65536 // r - (j - 1) * 65536 // r) AS w FROM (SELECT grade, unit, v, row_number() OVER (PARTITION BY grade, unit ORDER BY v) AS j, count(*) OVER (PARTITION BY grade, unit) AS r FROM (SELECT grade, uid AS unit, least(greatest(age, 0), 99) AS v FROM visits WHERE uid IS NOT NULL AND age IS NOT NULL AND grade IS NOT NULL) WHERE v IS NOT NULL) GROUP BY grade, v)) GROUP BY grade;
-- plan: EveryKey groups=3, 'grade' ENUM('low', 'mid', 'high'), Quantile 0.25 x3, Quantile 0.25 x3
-- score:
SELECT t.k0 AS "grade", t.value AS "age", CAST(system.main.sum(t.part) AS BIGINT) AS score
FROM (SELECT t.k0, t.value, system.main."-"(system.main."//"(system.main."*"(t.upto, CAST('65536' AS BIGINT)),
        t.total), system.main."//"(system.main."*"(system.main."-"(t.upto, t.times), CAST('65536' AS BIGINT)),
        t.total)) AS part
  FROM (SELECT t.*, CAST(system.main.sum(t.times) OVER (PARTITION BY t.k0, t.unit
        ORDER BY t.value ASC) AS BIGINT) AS upto, CAST(system.main.sum(t.times) OVER (PARTITION BY t.k0,
          t.unit) AS BIGINT) AS total
    FROM (SELECT t.k0, t.unit, t.value, system.main.count(*) AS times
      FROM (SELECT t.k0, CAST(t.value AS BIGINT) AS value, t.unit
        FROM (SELECT t.k0, CASE WHEN t.value < 0 THEN CAST('0' AS INTEGER) WHEN t.value > 99 THEN CAST('99' AS
              INTEGER) ELSE t.value END AS value, t.unit
          FROM (SELECT t_."grade" AS k0, t_."age" AS value, t_."uid" AS unit
            FROM "memory"."main"."visits" AS t_
            WHERE t_."uid" IS NOT NULL AND t_."age" IS NOT NULL AND t_."grade" IS NOT NULL) AS t) AS t) AS t
      GROUP BY t.k0, t.unit, t.value) AS t) AS t) AS t
GROUP BY t.k0, t.value;
-- score:
SELECT t.k0 AS "grade", t.value AS "age", CAST(system.main.sum(t.part) AS BIGINT) AS score
FROM (SELECT t.k0, t.value, system.main."-"(system.main."//"(system.main."*"(t.upto, CAST('65536' AS BIGINT)),
        t.total), system.main."//"(system.main."*"(system.main."-"(t.upto, t.times), CAST('65536' AS BIGINT)),
        t.total)) AS part
  FROM (SELECT t.*, CAST(system.main.sum(t.times) OVER (PARTITION BY t.k0, t.unit
        ORDER BY t.value ASC) AS BIGINT) AS upto, CAST(system.main.sum(t.times) OVER (PARTITION BY t.k0,
          t.unit) AS BIGINT) AS total
    FROM (SELECT t.k0, t.unit, t.value, system.main.count(*) AS times
      FROM (SELECT t.k0, CAST(t.value AS BIGINT) AS value, t.unit
        FROM (SELECT t.k0, CASE WHEN t.value < 0 THEN CAST('0' AS INTEGER) WHEN t.value > 99 THEN CAST('99' AS
              INTEGER) ELSE t.value END AS value, t.unit
          FROM (SELECT t_."grade" AS k0, t_."age" AS value, t_."uid" AS unit
            FROM "memory"."main"."visits" AS t_
            WHERE t_."uid" IS NOT NULL AND t_."age" IS NOT NULL AND t_."grade" IS NOT NULL) AS t) AS t) AS t
      GROUP BY t.k0, t.unit, t.value) AS t) AS t) AS t
GROUP BY t.k0, t.value;
-- answer:
SELECT "answer"."k0" AS "grade", "answer"."a0" AS "oldest", "answer"."a1" AS "youngest"
FROM "answer";
----
SELECT percentile_cont(0.3) WITHIN GROUP (ORDER BY age) FROM visits;
-- plain:
SELECT [min(v) FILTER (upto >= 0.3 * total), max(v) FILTER (upto - w <= 0.3 * total)] FROM (SELECT *, sum(w) OVER (ORDER BY v) AS upto, sum(w) OVER () AS total FROM (SELECT v, sum(j * 65536 // r - (j - 1) * 65536 // r) AS w FROM (SELECT unit, v, row_number() OVER (PARTITION BY unit ORDER BY v) AS j, count(*) OVER (PARTITION BY unit) AS r FROM (SELECT uid AS unit, least(greatest(age, 0), 99) AS v FROM visits WHERE uid IS NOT NULL AND age IS NOT NULL) WHERE v IS NOT NULL) GROUP BY v));
-- plan: OneGroup, Quantile 0.5 x1
-- score:
SELECT t.value AS "age", CAST(system.main.sum(t.part) AS BIGINT) AS score
FROM (SELECT t.value, system.main."-"(system.main."//"(system.main."*"(t.upto, CAST('65536' AS BIGINT)),
        t.total), system.main."//"(system.main."*"(system.main."-"(t.upto, t.times), CAST('65536' AS BIGINT)),
        t.total)) AS part
  FROM (SELECT t.*, CAST(system.main.sum(t.times) OVER (PARTITION BY t.unit
        ORDER BY t.value ASC) AS BIGINT) AS upto, CAST(system.main.sum(t.times) OVER (PARTITION BY t.unit) AS
        BIGINT) AS total
    FROM (SELECT t.unit, t.value, system.main.count(*) AS times
      FROM (SELECT CAST(t.value AS BIGINT) AS value, t.unit
        FROM (SELECT CASE WHEN t.value < 0 THEN CAST('0' AS INTEGER) WHEN t.value > 99 THEN CAST('99' AS
              INTEGER) ELSE t.value END AS value, t.unit
          FROM (SELECT t_."age" AS value, t_."uid" AS unit
            FROM "memory"."main"."visits" AS t_
            WHERE t_."uid" IS NOT NULL AND t_."age" IS NOT NULL) AS t) AS t) AS t
      GROUP BY t.unit, t.value) AS t) AS t) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS "quantile_cont(0.3 ORDER BY age)"
FROM "answer";
----
SELECT quantile_cont(age, [0.25, 0.5], contribution_bounds_per_row => (18, 80)) FILTER (WHERE age > 0) AS q FROM people WHERE id <= 41;
-- plain:
SELECT [l[11]::DOUBLE, l[21]] FROM (SELECT list_sort(list(least(greatest(age, 18), 80))) AS l FROM people WHERE id <= 41 AND age > 0);
-- plan: OneGroup, Quantiles 0.5 x1
-- score:
SELECT t.value AS "age", system.main.count(*) AS score
FROM (SELECT system.main."//"(system.main."+"(system.main."*"(system.main."-"(CAST(t.value AS BIGINT), CAST('18'
              AS BIGINT)), CAST('65536' AS BIGINT)), t.place), CAST('2031' AS BIGINT)) AS value
  FROM (SELECT CASE WHEN t.value < 18 THEN CAST('18' AS INTEGER) WHEN t.value > 80 THEN CAST('80' AS INTEGER)
      ELSE t.value END AS value, system.main.abs(CAST(system.main."%"(CAST(system.main.hash(t.unit, t.value,
                CAST('20241121' AS BIGINT)) AS HUGEINT), CAST('65536' AS HUGEINT)) AS BIGINT)) AS place
    FROM (SELECT t_."age" AS value, t_."id" AS unit
      FROM "memory"."main"."people" AS t_
      WHERE t_."id" IS NOT NULL AND (t_."id" <= 41) AND (t_."age" > 0) AND t_."age" IS NOT NULL) AS t) AS t)
  AS t
GROUP BY t.value;
-- answer:
SELECT CASE WHEN "answer"."a0_0" IS NOT NULL THEN system.main.list_value("answer"."a0_0", "answer"."a0_1") END
  AS "q"
FROM "answer";
----
SELECT percentile_cont([0.25, 0.5]) WITHIN GROUP (ORDER BY age) AS q FROM people WHERE id <= 41 AND age > 0;
-- plain:
SELECT [l[11]::DOUBLE, l[21]] FROM (SELECT list_sort(list(least(greatest(age, 18), 80))) AS l FROM people WHERE id <= 41 AND age > 0);
-- plan: OneGroup, Quantiles 0.5 x1
-- score:
SELECT t.value AS "age", system.main.count(*) AS score
FROM (SELECT system.main."//"(system.main."+"(system.main."*"(system.main."-"(CAST(t.value AS BIGINT), CAST('18'
              AS BIGINT)), CAST('65536' AS BIGINT)), t.place), CAST('2031' AS BIGINT)) AS value
  FROM (SELECT CASE WHEN t.value < 18 THEN CAST('18' AS INTEGER) WHEN t.value > 80 THEN CAST('80' AS INTEGER)
      ELSE t.value END AS value, system.main.abs(CAST(system.main."%"(CAST(system.main.hash(t.unit, t.value,
                CAST('20241121' AS BIGINT)) AS HUGEINT), CAST('65536' AS HUGEINT)) AS BIGINT)) AS place
    FROM (SELECT t_."age" AS value, t_."id" AS unit
      FROM "memory"."main"."people" AS t_
      WHERE t_."id" IS NOT NULL AND (t_."age" > 0) AND (t_."id" <= 41) AND t_."age" IS NOT NULL) AS t) AS t)
  AS t
GROUP BY t.value;
-- answer:
SELECT CASE WHEN "answer"."a0_0" IS NOT NULL THEN system.main.list_value("answer"."a0_0", "answer"."a0_1") END
  AS "q"
FROM "answer";
