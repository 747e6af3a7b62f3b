SELECT median(bytes) FROM clicks WHERE bytes % 30 < 3;
-- plain:
SELECT [l[ceil(0.5 * len(l))::INTEGER], l[floor(0.5 * len(l))::INTEGER + 1]] FROM (SELECT list_sort(list(least(bytes, 1000))) AS l FROM clicks WHERE bytes % 30 < 3);
-- plan: OneGroup, Quantile 0.5 x1
-- score:
SELECT t.value AS "bytes", CAST(system.main.sum(t.part) AS BIGINT) AS score
FROM (SELECT t.value, system.main."-"(system.main."//"(system.main."*"(t.upto, system.main."*"(system.main.least(t.total,
              CAST('3' AS BIGINT)), CAST('21845' AS BIGINT))), t.total), system.main."//"(system.main."*"(system.main."-"(t.upto,
            t.times), system.main."*"(system.main.least(t.total, CAST('3' AS BIGINT)), CAST('21845' AS
              BIGINT))), t.total)) AS part
  FROM (SELECT t.*, CAST(system.main.sum(t.times) OVER (PARTITION BY t.unit
        ORDER BY t.value ASC) AS BIGINT) AS upto, CAST(system.main.sum(t.times) OVER (PARTITION BY t.unit) AS
        BIGINT) AS total
    FROM (SELECT t.unit, t.value, system.main.count(*) AS times
      FROM (SELECT CAST(t.value AS BIGINT) AS value, t.unit
        FROM (SELECT CASE WHEN t.value < 0 THEN CAST('0' AS INTEGER) WHEN t.value > 1000 THEN CAST('1000' AS
              INTEGER) ELSE t.value END AS value, t.unit
          FROM (SELECT t."bytes" AS value, t."visitor" AS unit
            FROM "memory"."main"."clicks" AS t
            WHERE t."visitor" IS NOT NULL AND system.main.strlen(t."visitor") <= 10000 AND (system.main."%"(t."bytes",
                  CAST('30' AS INTEGER)) < 3) AND t."bytes" IS NOT NULL) AS t) AS t) AS t
      GROUP BY t.unit, t.value) AS t) AS t) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS "median(bytes)"
FROM "answer";
----
SELECT device, quantile_disc(seconds, 0.25) AS q FROM clicks WHERE bytes % 30 < 3 GROUP BY device;
-- plain:
SELECT device, [floor(v * 4294967296 / 60) / 4294967296 * 60 - 1e-6, v + 1e-6] FROM (SELECT device, quantile_disc(least(seconds, 60), 0.25) AS v FROM clicks WHERE bytes % 30 < 3 AND NOT isnan(seconds) AND device <> 'tv' GROUP BY device);
-- plan: EveryKey groups=2, 'device' VARCHAR, Quantile 0.5 x2
-- score:
SELECT t.k0 AS "device", t.value AS "seconds", CAST(system.main.sum(t.part) AS BIGINT) AS score
FROM (SELECT t.k0, t.value, system.main."-"(system.main."//"(system.main."*"(t.upto, system.main."*"(system.main.least(t.total,
              CAST('3' AS BIGINT)), CAST('21845' AS BIGINT))), t.total), system.main."//"(system.main."*"(system.main."-"(t.upto,
            t.times), system.main."*"(system.main.least(t.total, CAST('3' AS BIGINT)), CAST('21845' AS
              BIGINT))), t.total)) AS part
  FROM (SELECT t.*, CAST(system.main.sum(t.times) OVER (PARTITION BY t.k0, t.unit
        ORDER BY t.value ASC) AS BIGINT) AS upto, CAST(system.main.sum(t.times) OVER (PARTITION BY t.k0,
          t.unit) AS BIGINT) AS total
    FROM (SELECT t.k0, t.unit, t.value, system.main.count(*) AS times
      FROM (SELECT t.k0, system.main."//"(CAST(CASE WHEN system.main.floor(system.main."/"(system.main."-"(t.value,
                    CAST('0.0' AS DOUBLE)), CAST('1.3969838619232178e-08' AS DOUBLE))) > CAST('4294967296.0'
                AS DOUBLE) THEN CAST('4294967296.0' AS DOUBLE) ELSE system.main.floor(system.main."/"(system.main."-"(t.value,
                    CAST('0.0' AS DOUBLE)), CAST('1.3969838619232178e-08' AS DOUBLE))) END AS BIGINT), CAST('4194305'
              AS BIGINT)) AS value, t.unit
        FROM (SELECT t.k0, CASE WHEN t.value < CAST('0.0' AS DOUBLE) THEN CAST('0.0' AS DOUBLE) WHEN t.value >
            CAST('60.0' AS DOUBLE) THEN CAST('60.0' AS DOUBLE) ELSE t.value END AS value, t.unit
          FROM (SELECT *
            FROM (SELECT t.*, system.main.dense_rank() OVER (PARTITION BY t.unit
                ORDER BY system.main.hash(t.unit, t.k0, CAST('20241121' AS BIGINT)), t.k0) AS place
              FROM (SELECT t."device" AS k0, t."seconds" AS value, t."visitor" AS unit
                FROM "memory"."main"."clicks" AS t
                WHERE t."visitor" IS NOT NULL AND system.main.strlen(t."visitor") <= 10000 AND (system.main."%"(t."bytes",
                      CAST('30' AS INTEGER)) < 3) AND t."seconds" IS NOT NULL AND (NOT system.main.isnan(t."seconds"))
                  AND t."device" IN ('phone', 'tablet', 'desktop')) AS t) AS t
            WHERE t.place <= 2) AS t) AS t) AS t
      GROUP BY t.k0, t.unit, t.value) AS t) AS t) AS t
GROUP BY t.k0, t.value;
-- answer:
SELECT "answer"."k0" AS "device", "answer"."a0" AS "q"
FROM "answer";
----
SELECT median(total) FROM orders;
-- plain:
SELECT [min(v) FILTER (upto >= 0.5 * total), max(v) FILTER (upto - w <= 0.5 * total)] FROM (SELECT *, sum(w) OVER (ORDER BY v) AS upto, sum(w) OVER () AS total FROM (SELECT v, sum(j * 65536 // r - (j - 1) * 65536 // r) AS w FROM (SELECT unit, v, row_number() OVER (PARTITION BY unit ORDER BY v) AS j, count(*) OVER (PARTITION BY unit) AS r FROM (SELECT customer_id AS unit, least(greatest(total, 0), 250) AS v FROM orders WHERE customer_id IS NOT NULL) WHERE v IS NOT NULL) GROUP BY v));
-- plan: OneGroup, Quantile 0.5 x1
-- score:
SELECT t.value AS "total", CAST(system.main.sum(t.part) AS BIGINT) AS score
FROM (SELECT t.value, system.main."-"(system.main."//"(system.main."*"(t.upto, CAST('65536' AS BIGINT)),
        t.total), system.main."//"(system.main."*"(system.main."-"(t.upto, t.times), CAST('65536' AS BIGINT)),
        t.total)) AS part
  FROM (SELECT t.*, CAST(system.main.sum(t.times) OVER (PARTITION BY t.unit
        ORDER BY t.value ASC) AS BIGINT) AS upto, CAST(system.main.sum(t.times) OVER (PARTITION BY t.unit) AS
        BIGINT) AS total
    FROM (SELECT t.unit, t.value, system.main.count(*) AS times
      FROM (SELECT system.main."//"(CAST(system.main."*"(t.value, CAST('100' AS DECIMAL(3,0))) AS BIGINT),
            CAST('158' AS BIGINT)) AS value, t.unit
        FROM (SELECT CASE WHEN t.value < CAST('0.00' AS DECIMAL(9,2)) THEN CAST('0.00' AS DECIMAL(9,2)) WHEN
            t.value > CAST('250.00' AS DECIMAL(9,2)) THEN CAST('250.00' AS DECIMAL(9,2)) ELSE t.value END AS
            value, t.unit
          FROM (SELECT t."total" AS value, t."customer_id" AS unit
            FROM "memory"."main"."orders" AS t
            WHERE t."customer_id" IS NOT NULL AND t."total" IS NOT NULL) AS t) AS t) AS t
      GROUP BY t.unit, t.value) AS t) AS t) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS "median(total)"
FROM "answer";
----
SELECT status, median(total) AS m, count(*) AS n FROM orders GROUP BY status HAVING count(*) > 10 ORDER BY n DESC;
-- plain:
SELECT status, [min(v) FILTER (upto >= 0.5 * total), max(v) FILTER (upto - w <= 0.5 * total)], any_value(total) // 65536 AS n FROM (SELECT *, sum(w) OVER (PARTITION BY status ORDER BY v) AS upto, sum(w) OVER (PARTITION BY status) AS total FROM (SELECT status, v, sum(j * 65536 // r - (j - 1) * 65536 // r) AS w FROM (SELECT status, unit, v, row_number() OVER (PARTITION BY status, unit ORDER BY v) AS j, count(*) OVER (PARTITION BY status, unit) AS r FROM (SELECT status, customer_id AS unit, least(greatest(total, 0), 250) AS v FROM orders WHERE customer_id IS NOT NULL AND status IN ('paid', 'sent', 'returned')) WHERE v IS NOT NULL) GROUP BY status, v)) GROUP BY status ORDER BY n DESC;
-- plan: EveryKey groups=4, 'status' VARCHAR, Quantile 0.3383 x4, Count 0.1617 x4 gaussian 4
-- score:
SELECT t.k0 AS "status", t.value AS "total", CAST(system.main.sum(t.part) AS BIGINT) AS score
FROM (SELECT t.k0, t.value, system.main."-"(system.main."//"(system.main."*"(t.upto, CAST('65536' AS BIGINT)),
        t.total), system.main."//"(system.main."*"(system.main."-"(t.upto, t.times), CAST('65536' AS BIGINT)),
        t.total)) AS part
  FROM (SELECT t.*, CAST(system.main.sum(t.times) OVER (PARTITION BY t.k0, t.unit
        ORDER BY t.value ASC) AS BIGINT) AS upto, CAST(system.main.sum(t.times) OVER (PARTITION BY t.k0,
          t.unit) AS BIGINT) AS total
    FROM (SELECT t.k0, t.unit, t.value, system.main.count(*) AS times
      FROM (SELECT t.k0, system.main."//"(CAST(system.main."*"(t.value, CAST('100' AS DECIMAL(3,0))) AS
              BIGINT), CAST('158' AS BIGINT)) AS value, t.unit
        FROM (SELECT t.k0, CASE WHEN t.value < CAST('0.00' AS DECIMAL(9,2)) THEN CAST('0.00' AS DECIMAL(9,2))
            WHEN t.value > CAST('250.00' AS DECIMAL(9,2)) THEN CAST('250.00' AS DECIMAL(9,2)) ELSE t.value END
            AS value, t.unit
          FROM (SELECT t."status" AS k0, t."total" AS value, t."customer_id" AS unit
            FROM "memory"."main"."orders" AS t
            WHERE t."customer_id" IS NOT NULL AND t."total" IS NOT NULL AND t."status" IN ('paid', 'sent',
                'returned', 'cancelled')) AS t) AS t) AS t
      GROUP BY t.k0, t.unit, t.value) AS t) AS t) AS t
GROUP BY t.k0, t.value;
-- score:
SELECT t.k0 AS "status", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."status" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND t."status" IN ('paid', 'sent', 'returned', 'cancelled')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "status", "answer"."a0" AS "m", "answer"."a1" AS "n"
FROM "answer"
WHERE ("answer"."a1" > 10)
ORDER BY "answer"."a1" DESC NULLS LAST, "answer"."k0";
----
SELECT median(quantity) FROM items;
-- plain:
SELECT [min(v) FILTER (upto >= 0.5 * total), max(v) FILTER (upto - w <= 0.5 * total)] FROM (SELECT *, sum(w) OVER (ORDER BY v) AS upto, sum(w) OVER () AS total FROM (SELECT v, sum(j * 65536 // r - (j - 1) * 65536 // r) AS w FROM (SELECT unit, v, row_number() OVER (PARTITION BY unit ORDER BY v) AS j, count(*) OVER (PARTITION BY unit) AS r FROM (SELECT customer_id AS unit, least(greatest(quantity, 1), 5) AS v FROM items JOIN orders USING (order_id) WHERE customer_id IS NOT NULL) WHERE v IS NOT NULL) GROUP BY v));
-- plan: OneGroup, Quantile 0.5 x1
-- score:
SELECT t.value AS "quantity", CAST(system.main.sum(t.part) AS BIGINT) AS score
FROM (SELECT t.value, system.main."-"(system.main."//"(system.main."*"(t.upto, CAST('65536' AS BIGINT)),
        t.total), system.main."//"(system.main."*"(system.main."-"(t.upto, t.times), CAST('65536' AS BIGINT)),
        t.total)) AS part
  FROM (SELECT t.*, CAST(system.main.sum(t.times) OVER (PARTITION BY t.unit
        ORDER BY t.value ASC) AS BIGINT) AS upto, CAST(system.main.sum(t.times) OVER (PARTITION BY t.unit) AS
        BIGINT) AS total
    FROM (SELECT t.unit, t.value, system.main.count(*) AS times
      FROM (SELECT system.main."-"(CAST(t.value AS BIGINT), CAST('1' AS BIGINT)) AS value, t.unit
        FROM (SELECT CASE WHEN t.value < 1 THEN CAST('1' AS INTEGER) WHEN t.value > 5 THEN CAST('5' AS
              INTEGER) ELSE t.value END AS value, t.unit
          FROM (SELECT t."quantity" AS value, t2."customer_id" AS unit
            FROM "memory"."main"."items" AS t
            JOIN "memory"."main"."orders" AS t2 ON t."order_id" = t2."order_id"
            WHERE t2."customer_id" IS NOT NULL AND t."quantity" IS NOT NULL) AS t) AS t) AS t
      GROUP BY t.unit, t.value) AS t) AS t) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS "median(quantity)"
FROM "answer";
----
SELECT max(ordered) FROM orders WHERE ordered < '2024-03-01';
-- plain:
SELECT [min(v) FILTER (upto >= 0.99 * total), max(v) FILTER (upto - w <= 0.99 * total)] FROM (SELECT *, sum(w) OVER (ORDER BY v) AS upto, sum(w) OVER () AS total FROM (SELECT v, sum(j * 65536 // r - (j - 1) * 65536 // r) AS w FROM (SELECT unit, v, row_number() OVER (PARTITION BY unit ORDER BY v) AS j, count(*) OVER (PARTITION BY unit) AS r FROM (SELECT customer_id AS unit, greatest(ordered, TIMESTAMP '2024-01-01') AS v FROM orders WHERE customer_id IS NOT NULL AND ordered < '2024-03-01') WHERE v IS NOT NULL) GROUP BY v));
-- plan: OneGroup, Quantile 0.5 x1
-- score:
SELECT t.value AS "ordered", CAST(system.main.sum(t.part) AS BIGINT) AS score
FROM (SELECT t.value, system.main."-"(system.main."//"(system.main."*"(t.upto, CAST('65536' AS BIGINT)),
        t.total), system.main."//"(system.main."*"(system.main."-"(t.upto, t.times), CAST('65536' AS BIGINT)),
        t.total)) AS part
  FROM (SELECT t.*, CAST(system.main.sum(t.times) OVER (PARTITION BY t.unit
        ORDER BY t.value ASC) AS BIGINT) AS upto, CAST(system.main.sum(t.times) OVER (PARTITION BY t.unit) AS
        BIGINT) AS total
    FROM (SELECT t.unit, t.value, system.main.count(*) AS times
      FROM (SELECT system.main."//"(system.main."-"(system.main.epoch_us(t.value), CAST('1704067200000000' AS
                BIGINT)), CAST('2276000000' AS BIGINT)) AS value, t.unit
        FROM (SELECT CASE WHEN t.value < TIMESTAMP '2024-01-01 00:00:00' THEN TIMESTAMP '2024-01-01 00:00:00'
            WHEN t.value > TIMESTAMP '2024-02-29 23:59:59' THEN TIMESTAMP '2024-02-29 23:59:59' ELSE t.value
            END AS value, t.unit
          FROM (SELECT t."ordered" AS value, t."customer_id" AS unit
            FROM "memory"."main"."orders" AS t
            WHERE t."customer_id" IS NOT NULL AND (t."ordered" < TIMESTAMP '2024-03-01 00:00:00') AND t."ordered"
              IS NOT NULL) AS t) AS t) AS t
      GROUP BY t.unit, t.value) AS t) AS t) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS "max(ordered)"
FROM "answer";
----
SELECT median(price) FROM items JOIN products USING (product_id);
-- plain:
SELECT [min(v) FILTER (upto >= 0.5 * total), max(v) FILTER (upto - w <= 0.5 * total)] FROM (SELECT *, sum(w) OVER (ORDER BY v) AS upto, sum(w) OVER () AS total FROM (SELECT v, sum(j * 65536 // r - (j - 1) * 65536 // r) AS w FROM (SELECT unit, v, row_number() OVER (PARTITION BY unit ORDER BY v) AS j, count(*) OVER (PARTITION BY unit) AS r FROM (SELECT customer_id AS unit, price AS v FROM items JOIN products USING (product_id) JOIN orders USING (order_id) WHERE customer_id IS NOT NULL) WHERE v IS NOT NULL) GROUP BY v));
-- plan: OneGroup, Quantile 0.5 x1
-- score:
SELECT t.value AS "price", CAST(system.main.sum(t.part) AS BIGINT) AS score
FROM (SELECT t.value, system.main."-"(system.main."//"(system.main."*"(t.upto, CAST('65536' AS BIGINT)),
        t.total), system.main."//"(system.main."*"(system.main."-"(t.upto, t.times), CAST('65536' AS BIGINT)),
        t.total)) AS part
  FROM (SELECT t.*, CAST(system.main.sum(t.times) OVER (PARTITION BY t.unit
        ORDER BY t.value ASC) AS BIGINT) AS upto, CAST(system.main.sum(t.times) OVER (PARTITION BY t.unit) AS
        BIGINT) AS total
    FROM (SELECT t.unit, t.value, system.main.count(*) AS times
      FROM (SELECT system.main."-"(CAST(system.main."*"(t.value, CAST('100' AS DECIMAL(3,0))) AS BIGINT),
            CAST('125' AS BIGINT)) AS value, t.unit
        FROM (SELECT CASE WHEN t.value < CAST('1.25' AS DECIMAL(9,2)) THEN CAST('1.25' AS DECIMAL(9,2)) WHEN
            t.value > CAST('37.50' AS DECIMAL(9,2)) THEN CAST('37.50' AS DECIMAL(9,2)) ELSE t.value END AS
            value, t.unit
          FROM (SELECT t2."price" AS value, t3."customer_id" AS unit
            FROM "memory"."main"."items" AS t
            JOIN "memory"."main"."products" AS t2 ON t."product_id" = t2."product_id"
            JOIN "memory"."main"."orders" AS t3 ON t."order_id" = t3."order_id"
            WHERE t3."customer_id" IS NOT NULL AND t2."price" IS NOT NULL) AS t) AS t) AS t
      GROUP BY t.unit, t.value) AS t) AS t) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS "median(price)"
FROM "answer";
