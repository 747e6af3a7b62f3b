SELECT sum(total) FROM orders WHERE total < 60;
-- plain:
SELECT sum(least(greatest(s, 0), 250)) FROM (SELECT sum(greatest(total, 0)) AS s FROM orders WHERE total < 60 AND customer_id IS NOT NULL GROUP BY customer_id);
-- plan: OneGroup, ClampedSum 0.5 x1
-- score:
SELECT t.value AS "level", system.main.sum(t.part) AS score0, CAST(system.main.sum(CASE WHEN t.part > CAST('0'
        AS DECIMAL(38,2)) THEN CAST('1' AS BIGINT) WHEN t.part < CAST('0' AS DECIMAL(38,2)) THEN CAST('-1' AS
        BIGINT) ELSE CAST('0' AS BIGINT) END) AS BIGINT) AS score1, system.main.count(*) AS score2
FROM (SELECT t.*, CASE WHEN t.size <= CAST('0.01' AS DECIMAL(38,2)) THEN CAST('0' AS BIGINT) WHEN t.size <=
    CAST('0.02' AS DECIMAL(38,2)) THEN CAST('1' AS BIGINT) WHEN t.size <= CAST('0.04' AS DECIMAL(38,2)) THEN
    CAST('2' AS BIGINT) WHEN t.size <= CAST('0.08' AS DECIMAL(38,2)) THEN CAST('3' AS BIGINT) WHEN t.size <=
    CAST('0.16' AS DECIMAL(38,2)) THEN CAST('4' AS BIGINT) WHEN t.size <= CAST('0.32' AS DECIMAL(38,2)) THEN
    CAST('5' AS BIGINT) WHEN t.size <= CAST('0.64' AS DECIMAL(38,2)) THEN CAST('6' AS BIGINT) WHEN t.size <=
    CAST('1.28' AS DECIMAL(38,2)) THEN CAST('7' AS BIGINT) WHEN t.size <= CAST('2.56' AS DECIMAL(38,2)) THEN
    CAST('8' AS BIGINT) WHEN t.size <= CAST('5.12' AS DECIMAL(38,2)) THEN CAST('9' AS BIGINT) WHEN t.size <=
    CAST('10.24' AS DECIMAL(38,2)) THEN CAST('10' AS BIGINT) WHEN t.size <= CAST('20.48' AS DECIMAL(38,2))
    THEN CAST('11' AS BIGINT) WHEN t.size <= CAST('40.96' AS DECIMAL(38,2)) THEN CAST('12' AS BIGINT) WHEN
    t.size <= CAST('81.92' AS DECIMAL(38,2)) THEN CAST('13' AS BIGINT) WHEN t.size <= CAST('163.84' AS
      DECIMAL(38,2)) THEN CAST('14' AS BIGINT) WHEN t.size <= CAST('327.68' AS DECIMAL(38,2)) THEN CAST('15'
      AS BIGINT) WHEN t.size <= CAST('655.36' AS DECIMAL(38,2)) THEN CAST('16' AS BIGINT) WHEN t.size <= CAST('1310.72'
      AS DECIMAL(38,2)) THEN CAST('17' AS BIGINT) WHEN t.size <= CAST('2621.44' AS DECIMAL(38,2)) THEN CAST('18'
      AS BIGINT) WHEN t.size <= CAST('5242.88' AS DECIMAL(38,2)) THEN CAST('19' AS BIGINT) WHEN t.size <=
    CAST('10485.76' AS DECIMAL(38,2)) THEN CAST('20' AS BIGINT) WHEN t.size <= CAST('20971.52' AS
      DECIMAL(38,2)) THEN CAST('21' AS BIGINT) WHEN t.size <= CAST('41943.04' AS DECIMAL(38,2)) THEN CAST('22'
      AS BIGINT) WHEN t.size <= CAST('83886.08' AS DECIMAL(38,2)) THEN CAST('23' AS BIGINT) WHEN t.size <=
    CAST('167772.16' AS DECIMAL(38,2)) THEN CAST('24' AS BIGINT) WHEN t.size <= CAST('335544.32' AS
      DECIMAL(38,2)) THEN CAST('25' AS BIGINT) WHEN t.size <= CAST('671088.64' AS DECIMAL(38,2)) THEN CAST('26'
      AS BIGINT) WHEN t.size <= CAST('1342177.28' AS DECIMAL(38,2)) THEN CAST('27' AS BIGINT) WHEN t.size <=
    CAST('2684354.56' AS DECIMAL(38,2)) THEN CAST('28' AS BIGINT) WHEN t.size <= CAST('5368709.12' AS
      DECIMAL(38,2)) THEN CAST('29' AS BIGINT) WHEN t.size <= CAST('10737418.24' AS DECIMAL(38,2)) THEN CAST('30'
      AS BIGINT) WHEN t.size <= CAST('21474836.48' AS DECIMAL(38,2)) THEN CAST('31' AS BIGINT) WHEN t.size <=
    CAST('42949672.96' AS DECIMAL(38,2)) THEN CAST('32' AS BIGINT) WHEN t.size <= CAST('85899345.92' AS
      DECIMAL(38,2)) THEN CAST('33' AS BIGINT) WHEN t.size <= CAST('171798691.84' AS DECIMAL(38,2)) THEN CAST('34'
      AS BIGINT) ELSE CAST('35' AS BIGINT) END AS value
  FROM (SELECT t.*, system.main.abs(t.part) AS size
    FROM (SELECT t.unit, system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS
              DECIMAL(38,2)), CAST('0' AS DECIMAL(38,2))), CAST('343597383.68' AS DECIMAL(38,2))) AS part
      FROM (SELECT CAST(CASE WHEN t."total" < CAST('0.00' AS DECIMAL(9,2)) THEN CAST('0.00' AS DECIMAL(9,2))
            WHEN t."total" > CAST('9999999.99' AS DECIMAL(9,2)) THEN CAST('9999999.99' AS DECIMAL(9,2)) ELSE
            t."total" END AS DECIMAL(38,2)) AS value, t."customer_id" AS unit
        FROM "memory"."main"."orders" AS t
        WHERE t."customer_id" IS NOT NULL AND (t."total" < CAST('60.00' AS DECIMAL(9,2))) AND t."total" IS NOT
          NULL) AS t
      GROUP BY t.unit) AS t) AS t) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS "sum(total)"
FROM "answer";
----
SELECT status, sum(total) AS revenue FROM orders WHERE total < 60 GROUP BY status ORDER BY revenue DESC;
-- plain:
SELECT d.status, coalesce(sum(s), 0) AS revenue FROM (VALUES ('paid'), ('sent'), ('returned'), ('cancelled')) AS d(status) LEFT JOIN (SELECT status, sum(greatest(total, 0)) AS s FROM orders WHERE total < 60 AND customer_id IS NOT NULL GROUP BY status, customer_id) AS o ON o.status = d.status GROUP BY d.status ORDER BY revenue DESC;
-- plan: EveryKey groups=4, 'status' VARCHAR, ClampedSum 0.5 x4
-- score:
SELECT t.k0 AS "status", t.value AS "level", system.main.sum(t.part) AS score0, CAST(system.main.sum(CASE WHEN
      t.part > CAST('0' AS DECIMAL(38,2)) THEN CAST('1' AS BIGINT) WHEN t.part < CAST('0' AS DECIMAL(38,2))
      THEN CAST('-1' AS BIGINT) ELSE CAST('0' AS BIGINT) END) AS BIGINT) AS score1, system.main.count(*) AS
  score2
FROM (SELECT t.*, CASE WHEN t.size <= CAST('0.01' AS DECIMAL(38,2)) THEN CAST('0' AS BIGINT) WHEN t.size <=
    CAST('0.02' AS DECIMAL(38,2)) THEN CAST('1' AS BIGINT) WHEN t.size <= CAST('0.04' AS DECIMAL(38,2)) THEN
    CAST('2' AS BIGINT) WHEN t.size <= CAST('0.08' AS DECIMAL(38,2)) THEN CAST('3' AS BIGINT) WHEN t.size <=
    CAST('0.16' AS DECIMAL(38,2)) THEN CAST('4' AS BIGINT) WHEN t.size <= CAST('0.32' AS DECIMAL(38,2)) THEN
    CAST('5' AS BIGINT) WHEN t.size <= CAST('0.64' AS DECIMAL(38,2)) THEN CAST('6' AS BIGINT) WHEN t.size <=
    CAST('1.28' AS DECIMAL(38,2)) THEN CAST('7' AS BIGINT) WHEN t.size <= CAST('2.56' AS DECIMAL(38,2)) THEN
    CAST('8' AS BIGINT) WHEN t.size <= CAST('5.12' AS DECIMAL(38,2)) THEN CAST('9' AS BIGINT) WHEN t.size <=
    CAST('10.24' AS DECIMAL(38,2)) THEN CAST('10' AS BIGINT) WHEN t.size <= CAST('20.48' AS DECIMAL(38,2))
    THEN CAST('11' AS BIGINT) WHEN t.size <= CAST('40.96' AS DECIMAL(38,2)) THEN CAST('12' AS BIGINT) WHEN
    t.size <= CAST('81.92' AS DECIMAL(38,2)) THEN CAST('13' AS BIGINT) WHEN t.size <= CAST('163.84' AS
      DECIMAL(38,2)) THEN CAST('14' AS BIGINT) WHEN t.size <= CAST('327.68' AS DECIMAL(38,2)) THEN CAST('15'
      AS BIGINT) WHEN t.size <= CAST('655.36' AS DECIMAL(38,2)) THEN CAST('16' AS BIGINT) WHEN t.size <= CAST('1310.72'
      AS DECIMAL(38,2)) THEN CAST('17' AS BIGINT) WHEN t.size <= CAST('2621.44' AS DECIMAL(38,2)) THEN CAST('18'
      AS BIGINT) WHEN t.size <= CAST('5242.88' AS DECIMAL(38,2)) THEN CAST('19' AS BIGINT) WHEN t.size <=
    CAST('10485.76' AS DECIMAL(38,2)) THEN CAST('20' AS BIGINT) WHEN t.size <= CAST('20971.52' AS
      DECIMAL(38,2)) THEN CAST('21' AS BIGINT) WHEN t.size <= CAST('41943.04' AS DECIMAL(38,2)) THEN CAST('22'
      AS BIGINT) WHEN t.size <= CAST('83886.08' AS DECIMAL(38,2)) THEN CAST('23' AS BIGINT) WHEN t.size <=
    CAST('167772.16' AS DECIMAL(38,2)) THEN CAST('24' AS BIGINT) WHEN t.size <= CAST('335544.32' AS
      DECIMAL(38,2)) THEN CAST('25' AS BIGINT) WHEN t.size <= CAST('671088.64' AS DECIMAL(38,2)) THEN CAST('26'
      AS BIGINT) WHEN t.size <= CAST('1342177.28' AS DECIMAL(38,2)) THEN CAST('27' AS BIGINT) WHEN t.size <=
    CAST('2684354.56' AS DECIMAL(38,2)) THEN CAST('28' AS BIGINT) WHEN t.size <= CAST('5368709.12' AS
      DECIMAL(38,2)) THEN CAST('29' AS BIGINT) WHEN t.size <= CAST('10737418.24' AS DECIMAL(38,2)) THEN CAST('30'
      AS BIGINT) WHEN t.size <= CAST('21474836.48' AS DECIMAL(38,2)) THEN CAST('31' AS BIGINT) WHEN t.size <=
    CAST('42949672.96' AS DECIMAL(38,2)) THEN CAST('32' AS BIGINT) WHEN t.size <= CAST('85899345.92' AS
      DECIMAL(38,2)) THEN CAST('33' AS BIGINT) WHEN t.size <= CAST('171798691.84' AS DECIMAL(38,2)) THEN CAST('34'
      AS BIGINT) ELSE CAST('35' AS BIGINT) END AS value
  FROM (SELECT t.*, system.main.abs(t.part) AS size
    FROM (SELECT t.k0, t.unit, system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS
              DECIMAL(38,2)), CAST('0' AS DECIMAL(38,2))), CAST('343597383.68' AS DECIMAL(38,2))) AS part
      FROM (SELECT t."status" AS k0, CAST(CASE WHEN t."total" < CAST('0.00' AS DECIMAL(9,2)) THEN CAST('0.00'
              AS DECIMAL(9,2)) WHEN t."total" > CAST('9999999.99' AS DECIMAL(9,2)) THEN CAST('9999999.99' AS
              DECIMAL(9,2)) ELSE t."total" END AS DECIMAL(38,2)) AS value, t."customer_id" AS unit
        FROM "memory"."main"."orders" AS t
        WHERE t."customer_id" IS NOT NULL AND (t."total" < CAST('60.00' AS DECIMAL(9,2))) AND t."total" IS NOT
          NULL AND t."status" IN ('paid', 'sent', 'returned', 'cancelled')) AS t
      GROUP BY t.k0, t.unit) AS t) AS t) AS t
GROUP BY t.k0, t.value;
-- answer:
SELECT "answer"."k0" AS "status", "answer"."a0" AS "revenue"
FROM "answer"
ORDER BY "answer"."a0" DESC NULLS LAST, "answer"."k0";
----
SELECT sum(total, contribution_bounds_per_group => (0, 1000)) AS revenue FROM orders;
-- plain:
SELECT sum(least(greatest(s, 0), 1000)) FROM (SELECT sum(total) AS s FROM orders WHERE customer_id IS NOT NULL GROUP BY customer_id);
-- plan: OneGroup, Sum 0.5 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS DECIMAL(38,2)) ELSE system.main.sum(t.part)
  END AS score
FROM (SELECT system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS DECIMAL(38,2)), CAST('0.00'
          AS DECIMAL(38,2))), CAST('1000.00' AS DECIMAL(38,2))) AS part
  FROM (SELECT CAST(CASE WHEN t."total" < CAST('-9999999.99' AS DECIMAL(9,2)) THEN CAST('-9999999.99' AS
          DECIMAL(9,2)) WHEN t."total" > CAST('9999999.99' AS DECIMAL(9,2)) THEN CAST('9999999.99' AS
          DECIMAL(9,2)) ELSE t."total" END AS DECIMAL(38,2)) AS value, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND t."total" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "revenue"
FROM "answer";
----
SELECT sum(bytes) FROM clicks;
-- plain:
SELECT sum(least(greatest(s, 0), 3000)) FROM (SELECT sum(bytes) AS s FROM clicks GROUP BY visitor);
-- plan: OneGroup, Sum 0.5 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score
FROM (SELECT system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS HUGEINT), CAST('0' AS
          HUGEINT)), CAST('3000' AS HUGEINT)) AS part
  FROM (SELECT CAST(CASE WHEN t."bytes" < CAST('-2147483648' AS INTEGER) THEN CAST('-2147483648' AS INTEGER)
        WHEN t."bytes" > CAST('2147483647' AS INTEGER) THEN CAST('2147483647' AS INTEGER) ELSE t."bytes" END
        AS HUGEINT) AS value, t."visitor" AS unit
    FROM "memory"."main"."clicks" AS t
    WHERE t."visitor" IS NOT NULL AND system.main.strlen(t."visitor") <= 10000 AND t."bytes" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "sum(bytes)"
FROM "answer";
----
SELECT sum(seconds) FROM clicks;
-- plain:
SELECT sum(least(greatest(s, 0), 180)) FROM (SELECT sum(seconds) AS s FROM clicks WHERE NOT isnan(seconds) GROUP BY visitor);
-- plan: OneGroup, Sum 0.5 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS DECIMAL(38,8)) ELSE system.main.sum(t.part)
  END AS score
FROM (SELECT system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS DECIMAL(38,8)), CAST('0.00000000'
          AS DECIMAL(38,8))), CAST('180.00000000' AS DECIMAL(38,8))) AS part
  FROM (SELECT CAST(CASE WHEN t."seconds" < CAST('-188743680.0' AS DOUBLE) THEN CAST('-188743680.0' AS DOUBLE)
        WHEN t."seconds" > CAST('188743680.0' AS DOUBLE) THEN CAST('188743680.0' AS DOUBLE) ELSE t."seconds"
        END AS DECIMAL(38,8)) AS value, t."visitor" AS unit
    FROM "memory"."main"."clicks" AS t
    WHERE t."visitor" IS NOT NULL AND system.main.strlen(t."visitor") <= 10000 AND t."seconds" IS NOT NULL AND
      (NOT system.main.isnan(t."seconds"))) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "sum(""seconds"")"
FROM "answer";
----
SELECT sum(bytes, contribution_bounds_per_group => (0, 100)) AS s FROM clicks;
-- plain:
SELECT sum(least(greatest(s, 0), 100)) FROM (SELECT sum(bytes) AS s FROM clicks GROUP BY visitor);
-- plan: OneGroup, Sum 0.5 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score
FROM (SELECT system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS HUGEINT), CAST('0' AS
          HUGEINT)), CAST('100' AS HUGEINT)) AS part
  FROM (SELECT CAST(CASE WHEN t."bytes" < CAST('-104857600' AS INTEGER) THEN CAST('-104857600' AS INTEGER)
        WHEN t."bytes" > CAST('104857600' AS INTEGER) THEN CAST('104857600' AS INTEGER) ELSE t."bytes" END AS
        HUGEINT) AS value, t."visitor" AS unit
    FROM "memory"."main"."clicks" AS t
    WHERE t."visitor" IS NOT NULL AND system.main.strlen(t."visitor") <= 10000 AND t."bytes" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "s"
FROM "answer";
----
SELECT page, sum(bytes) AS b FROM clicks GROUP BY page HAVING count(*) > 1;
-- plain:
SELECT page, sum(least(s, 3000)) FROM (SELECT page, sum(bytes) AS s FROM clicks WHERE page <> 'secret' GROUP BY page, visitor) GROUP BY page;
-- plan: FoundKeys epsilon=0.1667 delta=1e-06 groups=2, 'page' VARCHAR, Sum 0.16665 x2, Count 0.16665 x2
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
SELECT "answer"."k0" AS "page", "answer"."a0" AS "b"
FROM "answer"
WHERE ("answer"."a1" > 1);
----
SELECT avg(seconds) FROM clicks WHERE bytes % 30 < 3;
-- plain:
SELECT avg(least(seconds, 60)) FROM clicks WHERE bytes % 30 < 3 AND NOT isnan(seconds);
-- plan: OneGroup, Mean 0.5 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score, system.main.count(*) AS units
FROM (SELECT t.value AS part
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
SELECT "answer"."a0" AS "avg(""seconds"")"
FROM "answer";
----
SELECT avg(bytes) FROM clicks;
-- plain:
SELECT [low / n - 2 / 30, high / n] FROM (SELECT sum(least(m, 3)) AS n, sum(least(m, 3) * least(first, 1000)) AS low, sum(least(m, 3) * least(last, 1000)) AS high FROM (SELECT count(*) AS m, min(bytes) AS first, max(bytes) AS last FROM clicks GROUP BY visitor));
-- plan: OneGroup, Mean 0.5 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score, system.main.count(*) AS units
FROM (SELECT t.value AS part
  FROM (SELECT *
    FROM (SELECT t.*, system.main.row_number() OVER (PARTITION BY t.unit
        ORDER BY system.main.hash(t.unit, t.value, CAST('20241121' AS BIGINT)), t.value) AS turn
      FROM (SELECT CASE WHEN CAST(t."bytes" AS DOUBLE) <= CAST('0.0' AS DOUBLE) THEN CAST('0' AS BIGINT) WHEN
          CAST(t."bytes" AS DOUBLE) >= CAST('1000.0' AS DOUBLE) THEN CAST('1073741824' AS BIGINT) ELSE
          CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t."bytes"
                        AS DOUBLE), CAST('0.0' AS DOUBLE)), CAST('1000.0' AS DOUBLE)), CAST('1073741824.0' AS
                    DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, t."visitor" AS unit
        FROM "memory"."main"."clicks" AS t
        WHERE t."visitor" IS NOT NULL AND system.main.strlen(t."visitor") <= 10000 AND t."bytes" IS NOT NULL)
        AS t) AS t
    WHERE t.turn <= 3) AS t) AS t;
-- answer:
SELECT "answer"."a0" AS "avg(bytes)"
FROM "answer";
----
SELECT avg(total), count(*) FROM orders WHERE status = 'paid';
-- plain:
SELECT avg(m), count(*) FROM (SELECT avg(least(greatest(total, 0), 250)) AS m FROM orders WHERE status = 'paid' AND customer_id IS NOT NULL GROUP BY customer_id);
-- plan: OneGroup, Mean 0.27165 x1, Count 0.22835 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score, system.main.count(*) AS units
FROM (SELECT CAST(system.main."//"(system.main.sum(t.value), system.main.count(*)) AS BIGINT) AS part
  FROM (SELECT CASE WHEN CAST(t."total" AS DOUBLE) <= CAST('0.0' AS DOUBLE) THEN CAST('0' AS BIGINT) WHEN
      CAST(t."total" AS DOUBLE) >= CAST('250.0' AS DOUBLE) THEN CAST('1073741824' AS BIGINT) ELSE
      CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t."total" AS
                    DOUBLE), CAST('0.0' AS DOUBLE)), CAST('250.0' AS DOUBLE)), CAST('1073741824.0' AS
                DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND (t."status" = 'paid') AND t."total" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND (t."status" = 'paid')) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "avg(total)", "answer"."a1" AS "count_star()"
FROM "answer";
----
SELECT sum(quantity) FROM items WHERE product_id = 4;
-- plain:
SELECT sum(s) FROM (SELECT sum(quantity) AS s FROM items JOIN orders USING (order_id) WHERE product_id = 4 AND customer_id IS NOT NULL GROUP BY customer_id);
-- plan: OneGroup, ClampedSum 0.5 x1
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
      AS HUGEINT) THEN CAST('22' AS BIGINT) ELSE CAST('23' AS BIGINT) END AS value
  FROM (SELECT t.*, system.main.abs(t.part) AS size
    FROM (SELECT t.unit, system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS HUGEINT),
            CAST('0' AS HUGEINT)), CAST('8388608' AS HUGEINT)) AS part
      FROM (SELECT CAST(CASE WHEN t."quantity" < CAST('0' AS INTEGER) THEN CAST('0' AS INTEGER) WHEN t."quantity"
            > CAST('8388608' AS INTEGER) THEN CAST('8388608' AS INTEGER) ELSE t."quantity" END AS HUGEINT) AS
          value, t2."customer_id" AS unit
        FROM "memory"."main"."items" AS t
        JOIN "memory"."main"."orders" AS t2 ON t."order_id" = t2."order_id"
        WHERE t2."customer_id" IS NOT NULL AND (t."product_id" = 4) AND t."quantity" IS NOT NULL) AS t
      GROUP BY t.unit) AS t) AS t) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS "sum(quantity)"
FROM "answer";
----
SELECT avg(discount) AS d FROM items;
-- plain:
SELECT avg(m) FROM (SELECT avg(least(discount, 0.5)) AS m FROM items JOIN orders USING (order_id) WHERE customer_id IS NOT NULL GROUP BY customer_id);
-- plan: OneGroup, Mean 0.5 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score, system.main.count(*) AS units
FROM (SELECT CAST(system.main."//"(system.main.sum(t.value), system.main.count(*)) AS BIGINT) AS part
  FROM (SELECT CASE WHEN CAST(t."discount" AS DOUBLE) <= CAST('0.0' AS DOUBLE) THEN CAST('0' AS BIGINT) WHEN
      CAST(t."discount" AS DOUBLE) >= CAST('0.5' AS DOUBLE) THEN CAST('1073741824' AS BIGINT) ELSE
      CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t."discount"
                    AS DOUBLE), CAST('0.0' AS DOUBLE)), CAST('0.5' AS DOUBLE)), CAST('1073741824.0' AS
                DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, t2."customer_id" AS unit
    FROM "memory"."main"."items" AS t
    JOIN "memory"."main"."orders" AS t2 ON t."order_id" = t2."order_id"
    WHERE t2."customer_id" IS NOT NULL AND t."discount" IS NOT NULL AND (NOT system.main.isnan(t."discount")))
    AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "d"
FROM "answer";
----
SELECT sum(quantity * (1 - discount)) AS s FROM items WHERE product_id < 3;
-- plain:
SELECT sum(s) FROM (SELECT sum(quantity * (1 - discount)) AS s FROM items JOIN orders USING (order_id) WHERE product_id < 3 AND customer_id IS NOT NULL GROUP BY customer_id);
-- plan: OneGroup, ClampedSum 0.5 x1
-- score:
SELECT t.value AS "level", system.main.sum(t.part) AS score0, CAST(system.main.sum(CASE WHEN t.part > CAST('0'
        AS DECIMAL(38,14)) THEN CAST('1' AS BIGINT) WHEN t.part < CAST('0' AS DECIMAL(38,14)) THEN CAST('-1'
        AS BIGINT) ELSE CAST('0' AS BIGINT) END) AS BIGINT) AS score1, system.main.count(*) AS score2
FROM (SELECT t.*, CASE WHEN t.size <= CAST('0.00000000000001' AS DECIMAL(38,14)) THEN CAST('0' AS BIGINT) WHEN
    t.size <= CAST('0.00000000000002' AS DECIMAL(38,14)) THEN CAST('1' AS BIGINT) WHEN t.size <= CAST('0.00000000000004'
      AS DECIMAL(38,14)) THEN CAST('2' AS BIGINT) WHEN t.size <= CAST('0.00000000000008' AS DECIMAL(38,14))
    THEN CAST('3' AS BIGINT) WHEN t.size <= CAST('0.00000000000016' AS DECIMAL(38,14)) THEN CAST('4' AS
      BIGINT) WHEN t.size <= CAST('0.00000000000032' AS DECIMAL(38,14)) THEN CAST('5' AS BIGINT) WHEN t.size
    <= CAST('0.00000000000064' AS DECIMAL(38,14)) THEN CAST('6' AS BIGINT) WHEN t.size <= CAST('0.00000000000128'
      AS DECIMAL(38,14)) THEN CAST('7' AS BIGINT) WHEN t.size <= CAST('0.00000000000256' AS DECIMAL(38,14))
    THEN CAST('8' AS BIGINT) WHEN t.size <= CAST('0.00000000000512' AS DECIMAL(38,14)) THEN CAST('9' AS
      BIGINT) WHEN t.size <= CAST('0.00000000001024' AS DECIMAL(38,14)) THEN CAST('10' AS BIGINT) WHEN t.size
    <= CAST('0.00000000002048' AS DECIMAL(38,14)) THEN CAST('11' AS BIGINT) WHEN t.size <= CAST('0.00000000004096'
      AS DECIMAL(38,14)) THEN CAST('12' AS BIGINT) WHEN t.size <= CAST('0.00000000008192' AS DECIMAL(38,14))
    THEN CAST('13' AS BIGINT) WHEN t.size <= CAST('0.00000000016384' AS DECIMAL(38,14)) THEN CAST('14' AS
      BIGINT) WHEN t.size <= CAST('0.00000000032768' AS DECIMAL(38,14)) THEN CAST('15' AS BIGINT) WHEN t.size
    <= CAST('0.00000000065536' AS DECIMAL(38,14)) THEN CAST('16' AS BIGINT) WHEN t.size <= CAST('0.00000000131072'
      AS DECIMAL(38,14)) THEN CAST('17' AS BIGINT) WHEN t.size <= CAST('0.00000000262144' AS DECIMAL(38,14))
    THEN CAST('18' AS BIGINT) WHEN t.size <= CAST('0.00000000524288' AS DECIMAL(38,14)) THEN CAST('19' AS
      BIGINT) WHEN t.size <= CAST('0.00000001048576' AS DECIMAL(38,14)) THEN CAST('20' AS BIGINT) WHEN t.size
    <= CAST('0.00000002097152' AS DECIMAL(38,14)) THEN CAST('21' AS BIGINT) WHEN t.size <= CAST('0.00000004194304'
      AS DECIMAL(38,14)) THEN CAST('22' AS BIGINT) WHEN t.size <= CAST('0.00000008388608' AS DECIMAL(38,14))
    THEN CAST('23' AS BIGINT) WHEN t.size <= CAST('0.00000016777216' AS DECIMAL(38,14)) THEN CAST('24' AS
      BIGINT) WHEN t.size <= CAST('0.00000033554432' AS DECIMAL(38,14)) THEN CAST('25' AS BIGINT) WHEN t.size
    <= CAST('0.00000067108864' AS DECIMAL(38,14)) THEN CAST('26' AS BIGINT) WHEN t.size <= CAST('0.00000134217728'
      AS DECIMAL(38,14)) THEN CAST('27' AS BIGINT) WHEN t.size <= CAST('0.00000268435456' AS DECIMAL(38,14))
    THEN CAST('28' AS BIGINT) WHEN t.size <= CAST('0.00000536870912' AS DECIMAL(38,14)) THEN CAST('29' AS
      BIGINT) WHEN t.size <= CAST('0.00001073741824' AS DECIMAL(38,14)) THEN CAST('30' AS BIGINT) WHEN t.size
    <= CAST('0.00002147483648' AS DECIMAL(38,14)) THEN CAST('31' AS BIGINT) WHEN t.size <= CAST('0.00004294967296'
      AS DECIMAL(38,14)) THEN CAST('32' AS BIGINT) WHEN t.size <= CAST('0.00008589934592' AS DECIMAL(38,14))
    THEN CAST('33' AS BIGINT) WHEN t.size <= CAST('0.00017179869184' AS DECIMAL(38,14)) THEN CAST('34' AS
      BIGINT) WHEN t.size <= CAST('0.00034359738368' AS DECIMAL(38,14)) THEN CAST('35' AS BIGINT) WHEN t.size
    <= CAST('0.00068719476736' AS DECIMAL(38,14)) THEN CAST('36' AS BIGINT) WHEN t.size <= CAST('0.00137438953472'
      AS DECIMAL(38,14)) THEN CAST('37' AS BIGINT) WHEN t.size <= CAST('0.00274877906944' AS DECIMAL(38,14))
    THEN CAST('38' AS BIGINT) WHEN t.size <= CAST('0.00549755813888' AS DECIMAL(38,14)) THEN CAST('39' AS
      BIGINT) WHEN t.size <= CAST('0.01099511627776' AS DECIMAL(38,14)) THEN CAST('40' AS BIGINT) WHEN t.size
    <= CAST('0.02199023255552' AS DECIMAL(38,14)) THEN CAST('41' AS BIGINT) WHEN t.size <= CAST('0.04398046511104'
      AS DECIMAL(38,14)) THEN CAST('42' AS BIGINT) WHEN t.size <= CAST('0.08796093022208' AS DECIMAL(38,14))
    THEN CAST('43' AS BIGINT) WHEN t.size <= CAST('0.17592186044416' AS DECIMAL(38,14)) THEN CAST('44' AS
      BIGINT) WHEN t.size <= CAST('0.35184372088832' AS DECIMAL(38,14)) THEN CAST('45' AS BIGINT) WHEN t.size
    <= CAST('0.70368744177664' AS DECIMAL(38,14)) THEN CAST('46' AS BIGINT) WHEN t.size <= CAST('1.40737488355328'
      AS DECIMAL(38,14)) THEN CAST('47' AS BIGINT) WHEN t.size <= CAST('2.81474976710656' AS DECIMAL(38,14))
    THEN CAST('48' AS BIGINT) WHEN t.size <= CAST('5.62949953421312' AS DECIMAL(38,14)) THEN CAST('49' AS
      BIGINT) WHEN t.size <= CAST('11.25899906842624' AS DECIMAL(38,14)) THEN CAST('50' AS BIGINT) WHEN t.size
    <= CAST('22.51799813685248' AS DECIMAL(38,14)) THEN CAST('51' AS BIGINT) WHEN t.size <= CAST('45.03599627370496'
      AS DECIMAL(38,14)) THEN CAST('52' AS BIGINT) WHEN t.size <= CAST('90.07199254740992' AS DECIMAL(38,14))
    THEN CAST('53' AS BIGINT) WHEN t.size <= CAST('180.14398509481984' AS DECIMAL(38,14)) THEN CAST('54' AS
      BIGINT) WHEN t.size <= CAST('360.28797018963968' AS DECIMAL(38,14)) THEN CAST('55' AS BIGINT) WHEN
    t.size <= CAST('720.57594037927936' AS DECIMAL(38,14)) THEN CAST('56' AS BIGINT) WHEN t.size <= CAST('1441.15188075855872'
      AS DECIMAL(38,14)) THEN CAST('57' AS BIGINT) WHEN t.size <= CAST('2882.30376151711744' AS
      DECIMAL(38,14)) THEN CAST('58' AS BIGINT) WHEN t.size <= CAST('5764.60752303423488' AS DECIMAL(38,14))
    THEN CAST('59' AS BIGINT) WHEN t.size <= CAST('11529.21504606846976' AS DECIMAL(38,14)) THEN CAST('60' AS
      BIGINT) WHEN t.size <= CAST('23058.43009213693952' AS DECIMAL(38,14)) THEN CAST('61' AS BIGINT) WHEN
    t.size <= CAST('46116.86018427387904' AS DECIMAL(38,14)) THEN CAST('62' AS BIGINT) WHEN t.size <= CAST('92233.72036854775808'
      AS DECIMAL(38,14)) THEN CAST('63' AS BIGINT) WHEN t.size <= CAST('184467.44073709551616' AS
      DECIMAL(38,14)) THEN CAST('64' AS BIGINT) WHEN t.size <= CAST('368934.88147419103232' AS DECIMAL(38,14))
    THEN CAST('65' AS BIGINT) ELSE CAST('66' AS BIGINT) END AS value
  FROM (SELECT t.*, system.main.abs(t.part) AS size
    FROM (SELECT t.unit, system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS
              DECIMAL(38,14)), CAST('0' AS DECIMAL(38,14))), CAST('737869.76294838206464' AS DECIMAL(38,14)))
        AS part
      FROM (SELECT CAST(system.main.greatest(system.main."-"(CAST(CASE WHEN system.main."*"(CAST(t."quantity"
                      AS DOUBLE), system.main."-"(CAST('1.0' AS DOUBLE), t."discount")) < CAST('0.0' AS
                    DOUBLE) THEN CAST('0.0' AS DOUBLE) WHEN system.main."*"(CAST(t."quantity" AS DOUBLE),
                    system.main."-"(CAST('1.0' AS DOUBLE), t."discount")) > CAST('737869.7629483821' AS
                    DOUBLE) THEN CAST('737869.7629483821' AS DOUBLE) ELSE system.main."*"(CAST(t."quantity" AS
                      DOUBLE), system.main."-"(CAST('1.0' AS DOUBLE), t."discount")) END AS DOUBLE), CAST('4.99e-15'
                  AS DOUBLE)), CAST('0.0' AS DOUBLE)) AS DECIMAL(38,14)) AS value, t2."customer_id" AS unit
        FROM "memory"."main"."items" AS t
        JOIN "memory"."main"."orders" AS t2 ON t."order_id" = t2."order_id"
        WHERE t2."customer_id" IS NOT NULL AND (t."product_id" < 3) AND system.main."*"(CAST(t."quantity" AS
              DOUBLE), system.main."-"(CAST('1.0' AS DOUBLE), t."discount")) IS NOT NULL AND (NOT
            system.main.isnan(system.main."*"(CAST(t."quantity" AS DOUBLE), system.main."-"(CAST('1.0' AS
                    DOUBLE), t."discount"))))) AS t
      GROUP BY t.unit) AS t) AS t) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS "s"
FROM "answer";
----
SELECT avg(income) AS income, sum(income) AS all_of_it FROM customers WHERE plan = 'pro';
-- plain:
SELECT avg(least(income, 100000)), sum(least(income, 100000)) FROM customers WHERE plan = 'pro';
-- plan: OneGroup, Mean 0.27165 x1, Sum 0.22835 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score, system.main.count(*) AS units
FROM (SELECT CAST(system.main."//"(system.main.sum(t.value), system.main.count(*)) AS BIGINT) AS part
  FROM (SELECT CASE WHEN CAST(t."income" AS DOUBLE) <= CAST('0.0' AS DOUBLE) THEN CAST('0' AS BIGINT) WHEN
      CAST(t."income" AS DOUBLE) >= CAST('100000.0' AS DOUBLE) THEN CAST('1073741824' AS BIGINT) ELSE
      CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t."income"
                    AS DOUBLE), CAST('0.0' AS DOUBLE)), CAST('100000.0' AS DOUBLE)), CAST('1073741824.0' AS
                DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, t."customer_id" AS unit
    FROM "memory"."main"."customers" AS t
    WHERE t."customer_id" IS NOT NULL AND (t."plan" = 'pro') AND t."income" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score
FROM (SELECT system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS HUGEINT), CAST('0' AS
          HUGEINT)), CAST('100000' AS HUGEINT)) AS part
  FROM (SELECT CAST(CASE WHEN t."income" < CAST('-2147483648' AS INTEGER) THEN CAST('-2147483648' AS INTEGER)
        WHEN t."income" > CAST('2147483647' AS INTEGER) THEN CAST('2147483647' AS INTEGER) ELSE t."income" END
        AS HUGEINT) AS value, t."customer_id" AS unit
    FROM "memory"."main"."customers" AS t
    WHERE t."customer_id" IS NOT NULL AND (t."plan" = 'pro') AND t."income" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "income", "answer"."a1" AS "all_of_it"
FROM "answer";
