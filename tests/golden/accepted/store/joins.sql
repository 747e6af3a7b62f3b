SELECT s.city, count(*) AS n FROM orders AS o JOIN stores AS s ON o.store_id = s.store_id GROUP BY s.city;
-- plain:
SELECT s.city, count(DISTINCT customer_id) FROM stores AS s LEFT JOIN orders AS o USING (store_id) GROUP BY s.city;
-- plan: EveryKey groups=7, 'city' VARCHAR, Count 0.5 x7 gaussian 7
-- score:
SELECT t.k0 AS "city", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t2."city" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    JOIN "memory"."main"."stores" AS t2 ON (t."store_id" = t2."store_id")
    WHERE t."customer_id" IS NOT NULL AND t2."city" IN ('Berlin', 'Bonn', 'Lyon', 'Nowhere', 'Osaka', 'Paris',
        'Tokyo')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "city", "answer"."a0" AS "n"
FROM "answer";
----
SELECT s.city, count(*) AS n FROM stores AS s JOIN orders AS o ON s.store_id = o.store_id WHERE s.code = 'fr' GROUP BY s.city HAVING count(*) > 0;
-- plain:
SELECT s.city, count(DISTINCT customer_id) FROM stores AS s JOIN orders AS o USING (store_id) WHERE s.code = 'fr' GROUP BY s.city;
-- plan: EveryKey groups=2, 'city' VARCHAR, Count 0.5 x2
-- score:
SELECT t.k0 AS "city", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."city" AS k0, t2."customer_id" AS unit
    FROM "memory"."main"."stores" AS t
    JOIN "memory"."main"."orders" AS t2 ON (t."store_id" = t2."store_id")
    WHERE t2."customer_id" IS NOT NULL AND (t."code" = 'fr') AND t."city" IN ('Lyon', 'Paris')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "city", "answer"."a0" AS "n"
FROM "answer"
WHERE ("answer"."a0" > 0);
----
SELECT country, count(*) AS n FROM orders JOIN stores USING (store_id) JOIN countries USING (code) GROUP BY country ORDER BY n DESC;
-- plain:
SELECT country, count(DISTINCT customer_id) AS n FROM countries JOIN stores USING (code) JOIN orders USING (store_id) GROUP BY country ORDER BY n DESC;
-- plan: EveryKey groups=3, 'country' VARCHAR, Count 0.5 x3
-- score:
SELECT t.k0 AS "country", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t3."country" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    JOIN "memory"."main"."stores" AS t2 ON t."store_id" = t2."store_id"
    JOIN "memory"."main"."countries" AS t3 ON t2."code" = t3."code"
    WHERE t."customer_id" IS NOT NULL AND t3."country" IN ('France', 'Germany', 'Japan')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "country", "answer"."a0" AS "n"
FROM "answer"
ORDER BY "answer"."a0" DESC NULLS LAST, "answer"."k0";
----
SELECT continent, avg(total) AS a FROM orders AS o, stores AS s, countries AS c WHERE o.store_id = s.store_id AND s.code = c.code GROUP BY continent;
-- plain:
SELECT continent, avg(m) FROM (SELECT continent, avg(least(greatest(total, 0), 250)) AS m FROM countries JOIN stores USING (code) JOIN orders USING (store_id) WHERE customer_id IS NOT NULL GROUP BY continent, customer_id) GROUP BY continent;
-- plan: EveryKey groups=2, 'continent' VARCHAR, Mean 0.5 x2
-- score:
SELECT t.k0 AS "continent", CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE
  system.main.sum(t.part) END AS score, system.main.count(*) AS units
FROM (SELECT t.k0, CAST(system.main."//"(system.main.sum(t.value), system.main.count(*)) AS BIGINT) AS part
  FROM (SELECT t3."continent" AS k0, CASE WHEN CAST(t."total" AS DOUBLE) <= CAST('0.0' AS DOUBLE) THEN CAST('0'
        AS BIGINT) WHEN CAST(t."total" AS DOUBLE) >= CAST('250.0' AS DOUBLE) THEN CAST('1073741824' AS BIGINT)
      ELSE CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t."total"
                    AS DOUBLE), CAST('0.0' AS DOUBLE)), CAST('250.0' AS DOUBLE)), CAST('1073741824.0' AS
                DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    CROSS
    JOIN "memory"."main"."stores" AS t2
    CROSS
    JOIN "memory"."main"."countries" AS t3
    WHERE t."customer_id" IS NOT NULL AND (t."store_id" = t2."store_id") AND (t2."code" = t3."code") AND t."total"
      IS NOT NULL AND t3."continent" IN ('Asia', 'Europe')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "continent", "answer"."a0" AS "a"
FROM "answer";
----
SELECT season, count(*) AS n FROM tickets JOIN calendar ON tickets.opened = calendar.day GROUP BY season;
-- plain:
SELECT season, count(DISTINCT customer_id) FROM tickets JOIN calendar ON opened = day GROUP BY season;
-- plan: EveryKey groups=2, 'season' VARCHAR, Count 0.5 x2
-- score:
SELECT t.k0 AS "season", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t2."season" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."tickets" AS t
    JOIN "memory"."main"."calendar" AS t2 ON (t."opened" = t2."day")
    WHERE t."customer_id" IS NOT NULL AND t2."season" IN ('spring', 'winter')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "season", "answer"."a0" AS "n"
FROM "answer";
----
SELECT holiday, count(*) AS n FROM calendar AS c JOIN tickets AS t ON t.opened = c.day AND t.stars > 2 GROUP BY holiday HAVING count(*) > 0;
-- plain:
SELECT holiday, count(DISTINCT customer_id) FROM tickets JOIN calendar ON opened = day WHERE stars > 2 GROUP BY holiday;
-- plan: EveryKey groups=2, 'holiday' BOOLEAN, Count 0.5 x2
-- score:
SELECT t.k0 AS "holiday", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."holiday" AS k0, t2."customer_id" AS unit
    FROM "memory"."main"."calendar" AS t
    JOIN "memory"."main"."tickets" AS t2 ON (t2."opened" = t."day") AND (t2."stars" > 2)
    WHERE t2."customer_id" IS NOT NULL AND t."holiday" IS NOT NULL) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "holiday", "answer"."a0" AS "n"
FROM "answer"
WHERE ("answer"."a0" > 0);
----
SELECT c.plan, count(*) AS n FROM customers AS c JOIN orders AS o ON o.customer_id = c.customer_id GROUP BY c.plan;
-- plain:
SELECT d.plan, count(DISTINCT c.customer_id) FROM (VALUES ('free'), ('basic'), ('pro'), ('team')) AS d(plan) LEFT JOIN (SELECT * FROM customers WHERE customer_id IN (SELECT customer_id FROM orders)) AS c ON c.plan = d.plan GROUP BY d.plan;
-- plan: EveryKey groups=1, 'plan' VARCHAR, Count 0.5 x1
-- score:
SELECT t.k0 AS "plan", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."plan" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."customers" AS t
    JOIN "memory"."main"."orders" AS t2 ON (t2."customer_id" = t."customer_id")
    WHERE t."customer_id" IS NOT NULL AND t."plan" IN ('free', 'basic', 'pro', 'team')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "plan", "answer"."a0" AS "n"
FROM "answer";
----
SELECT plan, sum(total) AS s FROM customers JOIN orders USING (customer_id) WHERE total BETWEEN 0 AND 60 GROUP BY plan;
-- plain:
SELECT d.plan, coalesce(sum(s), 0) FROM (VALUES ('free'), ('basic'), ('pro'), ('team')) AS d(plan) LEFT JOIN (SELECT plan, least(sum(total), 250) AS s FROM customers JOIN orders USING (customer_id) WHERE total BETWEEN 0 AND 60 GROUP BY plan, customer_id) AS c ON c.plan = d.plan GROUP BY d.plan;
-- plan: EveryKey groups=1, 'plan' VARCHAR, ClampedSum 0.5 x1
-- score:
SELECT t.k0 AS "plan", t.value AS "level", system.main.sum(t.part) AS score0, CAST(system.main.sum(CASE WHEN
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
      FROM (SELECT t."plan" AS k0, CAST(CASE WHEN t2."total" < CAST('0.00' AS DECIMAL(9,2)) THEN CAST('0.00'
              AS DECIMAL(9,2)) WHEN t2."total" > CAST('9999999.99' AS DECIMAL(9,2)) THEN CAST('9999999.99' AS
              DECIMAL(9,2)) ELSE t2."total" END AS DECIMAL(38,2)) AS value, t."customer_id" AS unit
        FROM "memory"."main"."customers" AS t
        JOIN "memory"."main"."orders" AS t2 ON t."customer_id" = t2."customer_id"
        WHERE t."customer_id" IS NOT NULL AND ((t2."total" >= CAST('0.00' AS DECIMAL(9,2))) AND (t2."total" <=
              CAST('60.00' AS DECIMAL(9,2)))) AND t2."total" IS NOT NULL AND t."plan" IN ('free', 'basic',
            'pro', 'team')) AS t
      GROUP BY t.k0, t.unit) AS t) AS t) AS t
GROUP BY t.k0, t.value;
-- answer:
SELECT "answer"."k0" AS "plan", "answer"."a0" AS "s"
FROM "answer";
----
SELECT customers.plan, count(*) AS n FROM orders JOIN customers USING (customer_id) WHERE customers.newsletter AND orders.total > 100 GROUP BY ALL HAVING count(*) > 0;
-- plain:
SELECT plan, count(DISTINCT customer_id) FROM orders JOIN customers USING (customer_id) WHERE newsletter AND total > 100 AND plan <> 'trial' GROUP BY plan;
-- plan: EveryKey groups=1, 'plan' VARCHAR, Count 0.5 x1
-- score:
SELECT t.k0 AS "plan", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t2."plan" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    JOIN "memory"."main"."customers" AS t2 ON t."customer_id" = t2."customer_id"
    WHERE t."customer_id" IS NOT NULL AND (t."total" > CAST('100.00' AS DECIMAL(9,2))) AND t2."newsletter" AND
      t2."plan" IN ('free', 'basic', 'pro', 'team')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "plan", "answer"."a0" AS "n"
FROM "answer"
WHERE ("answer"."a0" > 0);
----
SELECT count(*) FROM orders AS o JOIN tickets AS t ON o.customer_id = t.customer_id WHERE t.topic = 'refund' AND o.status = 'returned';
-- plain:
SELECT count(DISTINCT o.customer_id) FROM orders AS o JOIN tickets AS t ON o.customer_id = t.customer_id WHERE t.topic = 'refund' AND o.status = 'returned';
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    JOIN "memory"."main"."tickets" AS t2 ON (t."customer_id" = t2."customer_id")
    WHERE t."customer_id" IS NOT NULL AND (t."status" = 'returned') AND (t2."topic" = 'refund')) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT topic, status, count(*) AS n FROM orders JOIN tickets USING (customer_id) GROUP BY topic, status HAVING count(*) > 0;
-- plain:
SELECT topic, status, count(DISTINCT customer_id) FROM orders JOIN tickets USING (customer_id) WHERE topic IN ('refund', 'delivery') AND status IN ('paid', 'sent', 'returned') GROUP BY topic, status;
-- plan: EveryKey groups=12, 'topic' VARCHAR, 'status' VARCHAR, Count 0.5 x12 gaussian 12
-- score:
SELECT t.k0 AS "topic", t.k1 AS "status", system.main.count(*) AS score
FROM (SELECT t.k0, t.k1, t.unit
  FROM (SELECT t2."topic" AS k0, t."status" AS k1, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    JOIN "memory"."main"."tickets" AS t2 ON t."customer_id" = t2."customer_id"
    WHERE t."customer_id" IS NOT NULL AND t2."topic" IN ('refund', 'delivery', 'praise') AND t."status" IN ('paid',
        'sent', 'returned', 'cancelled')) AS t
  GROUP BY t.k0, t.k1, t.unit) AS t
GROUP BY t.k0, t.k1;
-- answer:
SELECT "answer"."k0" AS "topic", "answer"."k1" AS "status", "answer"."a0" AS "n"
FROM "answer"
WHERE ("answer"."a0" > 0);
----
SELECT count(*) FROM items;
-- plain:
SELECT count(DISTINCT customer_id) FROM items JOIN orders USING (order_id);
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t2."customer_id" AS unit
    FROM "memory"."main"."items" AS t
    JOIN "memory"."main"."orders" AS t2 ON t."order_id" = t2."order_id"
    WHERE t2."customer_id" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT p.category, count(*) AS n FROM items AS i JOIN products AS p ON i.product_id = p.product_id GROUP BY p.category;
-- plain:
SELECT category, count(DISTINCT customer_id) FROM items JOIN products USING (product_id) JOIN orders USING (order_id) GROUP BY category;
-- plan: EveryKey groups=4, 'category' VARCHAR, Count 0.5 x4
-- score:
SELECT t.k0 AS "category", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t2."category" AS k0, t3."customer_id" AS unit
    FROM "memory"."main"."items" AS t
    JOIN "memory"."main"."products" AS t2 ON (t."product_id" = t2."product_id")
    JOIN "memory"."main"."orders" AS t3 ON t."order_id" = t3."order_id"
    WHERE t3."customer_id" IS NOT NULL AND t2."category" IN ('books', 'food', 'garden', 'toys')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "category", "answer"."a0" AS "n"
FROM "answer";
----
SELECT p.category, o.status, count(*) AS n FROM items AS i JOIN orders AS o ON i.order_id = o.order_id JOIN products AS p ON p.product_id = i.product_id GROUP BY ALL HAVING n > 0;
-- plain:
SELECT category, status, count(DISTINCT customer_id) FROM items JOIN products USING (product_id) JOIN orders USING (order_id) WHERE status IN ('paid', 'sent', 'returned') GROUP BY ALL;
-- plan: EveryKey groups=16, 'category' VARCHAR, 'status' VARCHAR, Count 0.5 x16 gaussian 16
-- score:
SELECT t.k0 AS "category", t.k1 AS "status", system.main.count(*) AS score
FROM (SELECT t.k0, t.k1, t.unit
  FROM (SELECT t3."category" AS k0, t2."status" AS k1, t2."customer_id" AS unit
    FROM "memory"."main"."items" AS t
    JOIN "memory"."main"."orders" AS t2 ON (t."order_id" = t2."order_id")
    JOIN "memory"."main"."products" AS t3 ON (t3."product_id" = t."product_id")
    WHERE t2."customer_id" IS NOT NULL AND t3."category" IN ('books', 'food', 'garden', 'toys') AND t2."status"
      IN ('paid', 'sent', 'returned', 'cancelled')) AS t
  GROUP BY t.k0, t.k1, t.unit) AS t
GROUP BY t.k0, t.k1;
-- answer:
SELECT "answer"."k0" AS "category", "answer"."k1" AS "status", "answer"."a0" AS "n"
FROM "answer"
WHERE ("answer"."a0" > 0);
----
SELECT c.plan, sum(i.quantity) AS q FROM customers AS c, orders AS o, items AS i WHERE i.order_id = o.order_id AND o.customer_id = c.customer_id AND i.product_id < 5 GROUP BY c.plan HAVING count(*) > 0;
-- plain:
SELECT plan, sum(q) FROM (SELECT plan, sum(quantity) AS q FROM customers JOIN orders USING (customer_id) JOIN items USING (order_id) WHERE product_id < 5 AND plan <> 'trial' GROUP BY plan, customer_id) GROUP BY plan;
-- plan: EveryKey groups=1, 'plan' VARCHAR, ClampedSum 0.25 x1, Count 0.25 x1
-- score:
SELECT t.k0 AS "plan", t.value AS "level", system.main.sum(t.part) AS score0, CAST(system.main.sum(CASE WHEN
      t.part > CAST('0' AS HUGEINT) THEN CAST('1' AS BIGINT) WHEN t.part < CAST('0' AS HUGEINT) THEN CAST('-1'
        AS BIGINT) ELSE CAST('0' AS BIGINT) END) AS BIGINT) AS score1, system.main.count(*) AS score2
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
    FROM (SELECT t.k0, t.unit, system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS
              HUGEINT), CAST('0' AS HUGEINT)), CAST('8388608' AS HUGEINT)) AS part
      FROM (SELECT t."plan" AS k0, CAST(CASE WHEN t3."quantity" < CAST('0' AS INTEGER) THEN CAST('0' AS
              INTEGER) WHEN t3."quantity" > CAST('8388608' AS INTEGER) THEN CAST('8388608' AS INTEGER) ELSE
            t3."quantity" END AS HUGEINT) AS value, t."customer_id" AS unit
        FROM "memory"."main"."customers" AS t
        CROSS
        JOIN "memory"."main"."orders" AS t2
        CROSS
        JOIN "memory"."main"."items" AS t3
        WHERE t."customer_id" IS NOT NULL AND (t2."customer_id" = t."customer_id") AND (t3."order_id" = t2."order_id")
          AND (t3."product_id" < 5) AND t3."quantity" IS NOT NULL AND t."plan" IN ('free', 'basic', 'pro',
            'team')) AS t
      GROUP BY t.k0, t.unit) AS t) AS t) AS t
GROUP BY t.k0, t.value;
-- score:
SELECT t.k0 AS "plan", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."plan" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."customers" AS t
    CROSS
    JOIN "memory"."main"."orders" AS t2
    CROSS
    JOIN "memory"."main"."items" AS t3
    WHERE t."customer_id" IS NOT NULL AND (t2."customer_id" = t."customer_id") AND (t3."order_id" = t2."order_id")
      AND (t3."product_id" < 5) AND t."plan" IN ('free', 'basic', 'pro', 'team')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "plan", "answer"."a0" AS "q"
FROM "answer"
WHERE ("answer"."a1" > 0);
----
SELECT count(*) AS n, count(t.topic) AS with_ticket FROM customers AS c LEFT JOIN tickets AS t ON t.customer_id = c.customer_id;
-- plain:
SELECT 80, count(DISTINCT customer_id) FROM tickets WHERE customer_id <= 80 AND topic IS NOT NULL;
-- plan: OneGroup, Count 0.25 x1, Count 0.25 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t."customer_id" AS unit
    FROM "memory"."main"."customers" AS t
    LEFT
    JOIN "memory"."main"."tickets" AS t2 ON (t2."customer_id" = t."customer_id")
    WHERE t."customer_id" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t."customer_id" AS unit
    FROM "memory"."main"."customers" AS t
    LEFT
    JOIN "memory"."main"."tickets" AS t2 ON (t2."customer_id" = t."customer_id")
    WHERE t."customer_id" IS NOT NULL AND t2."topic" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "n", "answer"."a1" AS "with_ticket"
FROM "answer";
----
SELECT s.city, count(*) AS n FROM orders AS o LEFT JOIN stores AS s ON s.store_id = o.store_id GROUP BY s.city HAVING count(*) > 0;
-- plain:
SELECT s.city, count(DISTINCT customer_id) FROM orders AS o LEFT JOIN stores AS s USING (store_id) GROUP BY s.city HAVING count(customer_id) > 0;
-- plan: EveryKey groups=8, 'city' VARCHAR, Count 0.5 x8 gaussian 8
-- score:
SELECT t.k0 AS "city", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t2."city" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    LEFT
    JOIN "memory"."main"."stores" AS t2 ON (t2."store_id" = t."store_id")
    WHERE t."customer_id" IS NOT NULL AND (t2."city" IS NULL OR t2."city" IN ('Berlin', 'Bonn', 'Lyon',
          'Nowhere', 'Osaka', 'Paris', 'Tokyo'))) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "city", "answer"."a0" AS "n"
FROM "answer"
WHERE ("answer"."a0" > 0);
----
SELECT coalesce(t.topic, 'none') AS kind, count(*) AS n FROM customers AS c LEFT JOIN tickets AS t ON t.customer_id = c.customer_id GROUP BY kind;
-- plain:
SELECT d.topic, count(DISTINCT customer_id) FROM (VALUES ('refund'), ('delivery'), ('praise'), ('none')) AS d(topic) LEFT JOIN (SELECT c.customer_id, coalesce(topic, 'none') AS topic FROM customers AS c LEFT JOIN tickets AS t USING (customer_id)) AS j ON j.topic = d.topic GROUP BY d.topic;
-- plan: EveryKey groups=4, 'kind' VARCHAR, Count 0.5 x4
-- score:
SELECT t.k0 AS "kind", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT COALESCE(t2."topic", 'none') AS k0, t."customer_id" AS unit
    FROM "memory"."main"."customers" AS t
    LEFT
    JOIN "memory"."main"."tickets" AS t2 ON (t2."customer_id" = t."customer_id")
    WHERE t."customer_id" IS NOT NULL AND COALESCE(t2."topic", 'none') IN ('none', 'refund', 'delivery',
        'praise')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "kind", "answer"."a0" AS "n"
FROM "answer";
----
SELECT count(*) FROM orders AS a JOIN orders AS b ON a.customer_id = b.customer_id WHERE a.status = 'paid' AND b.status = 'returned';
-- plain:
SELECT count(DISTINCT customer_id) FROM orders WHERE status = 'paid' AND customer_id IN (SELECT customer_id FROM orders WHERE status = 'returned');
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    JOIN "memory"."main"."orders" AS t2 ON (t."customer_id" = t2."customer_id")
    WHERE t."customer_id" IS NOT NULL AND (t."status" = 'paid') AND (t2."status" = 'returned')) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT city, count(*) AS n FROM (SELECT city, store_id FROM stores WHERE code = 'de') AS s JOIN (SELECT * FROM orders WHERE total > 50) AS o USING (store_id) GROUP BY city HAVING count(*) > 0;
-- plain:
SELECT city, count(DISTINCT customer_id) FROM stores JOIN orders USING (store_id) WHERE code = 'de' AND total > 50 GROUP BY city;
-- plan: EveryKey groups=2, 'city' VARCHAR, Count 0.5 x2
-- score:
SELECT t.k0 AS "city", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."city" AS k0, t2."customer_id" AS unit
    FROM "memory"."main"."stores" AS t
    JOIN "memory"."main"."orders" AS t2 ON t."store_id" = t2."store_id"
    WHERE t2."customer_id" IS NOT NULL AND (t."code" = 'de') AND (t2."total" > CAST('50.00' AS DECIMAL(9,2)))
      AND t."city" IN ('Berlin', 'Bonn')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "city", "answer"."a0" AS "n"
FROM "answer"
WHERE ("answer"."a0" > 0);
----
SELECT sum(p.price * i.quantity, contribution_bounds_per_group => (0, 20)) AS spent FROM items AS i JOIN products AS p USING (product_id) WHERE p.price < 3;
-- plain:
SELECT sum(least(s, 20)) FROM (SELECT sum(price * quantity) AS s FROM items JOIN products USING (product_id) JOIN orders USING (order_id) WHERE price < 3 AND customer_id IS NOT NULL GROUP BY customer_id);
-- plan: OneGroup, Sum 0.5 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS DECIMAL(38,2)) ELSE system.main.sum(t.part)
  END AS score
FROM (SELECT system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS DECIMAL(38,2)), CAST('0.00'
          AS DECIMAL(38,2))), CAST('20.00' AS DECIMAL(38,2))) AS part
  FROM (SELECT CAST(CASE WHEN TRY_CAST(system.main."*"(CAST((CASE WHEN t2."price" BETWEEN CAST('-9999999.99'
                  AS DECIMAL(9,2)) AND CAST('9999999.99' AS DECIMAL(9,2)) THEN t2."price" END) AS
              DECIMAL(19,2)), CAST(t."quantity" AS DECIMAL(10,0))) AS DECIMAL(18,2)) < CAST('-20971520.00' AS
          DECIMAL(18,2)) THEN CAST('-20971520.00' AS DECIMAL(18,2)) WHEN TRY_CAST(system.main."*"(CAST((CASE
                WHEN t2."price" BETWEEN CAST('-9999999.99' AS DECIMAL(9,2)) AND CAST('9999999.99' AS
                  DECIMAL(9,2)) THEN t2."price" END) AS DECIMAL(19,2)), CAST(t."quantity" AS DECIMAL(10,0)))
          AS DECIMAL(18,2)) > CAST('20971520.00' AS DECIMAL(18,2)) THEN CAST('20971520.00' AS DECIMAL(18,2))
        ELSE TRY_CAST(system.main."*"(CAST((CASE WHEN t2."price" BETWEEN CAST('-9999999.99' AS DECIMAL(9,2))
                AND CAST('9999999.99' AS DECIMAL(9,2)) THEN t2."price" END) AS DECIMAL(19,2)), CAST(t."quantity"
              AS DECIMAL(10,0))) AS DECIMAL(18,2)) END AS DECIMAL(38,2)) AS value, t3."customer_id" AS unit
    FROM "memory"."main"."items" AS t
    JOIN "memory"."main"."products" AS t2 ON t."product_id" = t2."product_id"
    JOIN "memory"."main"."orders" AS t3 ON t."order_id" = t3."order_id"
    WHERE t3."customer_id" IS NOT NULL AND (t2."price" < CAST('3.00' AS DECIMAL(9,2))) AND
      TRY_CAST(system.main."*"(CAST((CASE WHEN t2."price" BETWEEN CAST('-9999999.99' AS DECIMAL(9,2)) AND
              CAST('9999999.99' AS DECIMAL(9,2)) THEN t2."price" END) AS DECIMAL(19,2)), CAST(t."quantity" AS
            DECIMAL(10,0))) AS DECIMAL(18,2)) IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "spent"
FROM "answer";
----
SELECT avg(p.price) AS a, sum(p.price) AS s FROM items AS i JOIN products AS p ON i.product_id = p.product_id WHERE category = 'toys';
-- plain:
SELECT avg(a), sum(s) FROM (SELECT avg(price) AS a, sum(price) AS s FROM items JOIN products USING (product_id) JOIN orders USING (order_id) WHERE category = 'toys' AND customer_id IS NOT NULL GROUP BY customer_id);
-- plan: OneGroup, Mean 0.27165 x1, ClampedSum 0.22835 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score, system.main.count(*) AS units
FROM (SELECT CAST(system.main."//"(system.main.sum(t.value), system.main.count(*)) AS BIGINT) AS part
  FROM (SELECT CASE WHEN CAST(t2."price" AS DOUBLE) <= CAST('1.25' AS DOUBLE) THEN CAST('0' AS BIGINT) WHEN
      CAST(t2."price" AS DOUBLE) >= CAST('37.5' AS DOUBLE) THEN CAST('1073741824' AS BIGINT) ELSE
      CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t2."price"
                    AS DOUBLE), CAST('1.25' AS DOUBLE)), CAST('36.25' AS DOUBLE)), CAST('1073741824.0' AS
                DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, t3."customer_id" AS unit
    FROM "memory"."main"."items" AS t
    JOIN "memory"."main"."products" AS t2 ON (t."product_id" = t2."product_id")
    JOIN "memory"."main"."orders" AS t3 ON t."order_id" = t3."order_id"
    WHERE t3."customer_id" IS NOT NULL AND (t2."category" = 'toys') AND t2."price" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
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
      AS BIGINT) WHEN t.size <= CAST('21474836.48' AS DECIMAL(38,2)) THEN CAST('31' AS BIGINT) ELSE CAST('32'
      AS BIGINT) END AS value
  FROM (SELECT t.*, system.main.abs(t.part) AS size
    FROM (SELECT t.unit, system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS
              DECIMAL(38,2)), CAST('0' AS DECIMAL(38,2))), CAST('42949672.96' AS DECIMAL(38,2))) AS part
      FROM (SELECT CAST(CASE WHEN t2."price" < CAST('0.00' AS DECIMAL(9,2)) THEN CAST('0.00' AS DECIMAL(9,2))
            WHEN t2."price" > CAST('9999999.99' AS DECIMAL(9,2)) THEN CAST('9999999.99' AS DECIMAL(9,2)) ELSE
            t2."price" END AS DECIMAL(38,2)) AS value, t3."customer_id" AS unit
        FROM "memory"."main"."items" AS t
        JOIN "memory"."main"."products" AS t2 ON (t."product_id" = t2."product_id")
        JOIN "memory"."main"."orders" AS t3 ON t."order_id" = t3."order_id"
        WHERE t3."customer_id" IS NOT NULL AND (t2."category" = 'toys') AND t2."price" IS NOT NULL) AS t
      GROUP BY t.unit) AS t) AS t) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS "a", "answer"."a1" AS "s"
FROM "answer";
----
SELECT sum(p.price * i.quantity) AS spent FROM items AS i JOIN products AS p USING (product_id) WHERE p.price < 3;
-- plain:
SELECT sum(least(greatest(s, 1.25), 187.5)) FROM (SELECT sum(price * quantity) AS s FROM items JOIN products USING (product_id) JOIN orders USING (order_id) WHERE price < 3 AND customer_id IS NOT NULL GROUP BY customer_id);
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
      FROM (SELECT CAST(CASE WHEN TRY_CAST(system.main."*"(CAST((CASE WHEN t2."price" BETWEEN CAST('-9999999.99'
                      AS DECIMAL(9,2)) AND CAST('9999999.99' AS DECIMAL(9,2)) THEN t2."price" END) AS
                  DECIMAL(19,2)), CAST(t."quantity" AS DECIMAL(10,0))) AS DECIMAL(18,2)) < CAST('0.00' AS
              DECIMAL(18,2)) THEN CAST('0.00' AS DECIMAL(18,2)) WHEN TRY_CAST(system.main."*"(CAST((CASE WHEN
                    t2."price" BETWEEN CAST('-9999999.99' AS DECIMAL(9,2)) AND CAST('9999999.99' AS
                      DECIMAL(9,2)) THEN t2."price" END) AS DECIMAL(19,2)), CAST(t."quantity" AS
                  DECIMAL(10,0))) AS DECIMAL(18,2)) > CAST('343597383.68' AS DECIMAL(18,2)) THEN CAST('343597383.68'
              AS DECIMAL(18,2)) ELSE TRY_CAST(system.main."*"(CAST((CASE WHEN t2."price" BETWEEN CAST('-9999999.99'
                      AS DECIMAL(9,2)) AND CAST('9999999.99' AS DECIMAL(9,2)) THEN t2."price" END) AS
                  DECIMAL(19,2)), CAST(t."quantity" AS DECIMAL(10,0))) AS DECIMAL(18,2)) END AS DECIMAL(38,2))
          AS value, t3."customer_id" AS unit
        FROM "memory"."main"."items" AS t
        JOIN "memory"."main"."products" AS t2 ON t."product_id" = t2."product_id"
        JOIN "memory"."main"."orders" AS t3 ON t."order_id" = t3."order_id"
        WHERE t3."customer_id" IS NOT NULL AND (t2."price" < CAST('3.00' AS DECIMAL(9,2))) AND
          TRY_CAST(system.main."*"(CAST((CASE WHEN t2."price" BETWEEN CAST('-9999999.99' AS DECIMAL(9,2)) AND
                  CAST('9999999.99' AS DECIMAL(9,2)) THEN t2."price" END) AS DECIMAL(19,2)), CAST(t."quantity"
                AS DECIMAL(10,0))) AS DECIMAL(18,2)) IS NOT NULL) AS t
      GROUP BY t.unit) AS t) AS t) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS "spent"
FROM "answer";
----
SELECT coalesce(c.plan, 'none') AS plan, count(*) AS n FROM orders AS o LEFT JOIN customers AS c ON c.customer_id = o.customer_id AND o.total > 100 GROUP BY coalesce(c.plan, 'none');
-- plain:
SELECT d.plan, count(DISTINCT customer_id) FROM (VALUES ('free'), ('basic'), ('pro'), ('team'), ('none')) AS d(plan) LEFT JOIN (SELECT o.customer_id, coalesce(c.plan, 'none') AS plan FROM orders AS o LEFT JOIN customers AS c ON c.customer_id = o.customer_id AND o.total > 100) AS j ON j.plan = d.plan GROUP BY d.plan;
-- plan: EveryKey groups=5, 'plan' VARCHAR, Count 0.5 x5 gaussian 5
-- score:
SELECT t.k0 AS "plan", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT COALESCE(t2."plan", 'none') AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    LEFT
    JOIN "memory"."main"."customers" AS t2 ON (t."total" > CAST('100.00' AS DECIMAL(9,2))) AND (t2."customer_id"
        = t."customer_id")
    WHERE t."customer_id" IS NOT NULL AND COALESCE(t2."plan", 'none') IN ('none', 'free', 'basic', 'pro',
        'team')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "plan", "answer"."a0" AS "n"
FROM "answer";
----
SELECT c.tier, o.status, count(*) AS n FROM customers AS c JOIN orders AS o ON c.customer_id = o.customer_id GROUP BY c.tier, o.status HAVING count(*) > 0;
-- plain:
SELECT tier, status, count(DISTINCT customer_id) FROM customers JOIN orders USING (customer_id) WHERE tier IS NOT NULL AND status IN ('paid', 'sent', 'returned') GROUP BY tier, status;
-- plan: EveryKey groups=4, 'tier' ENUM('bronze', 'silver', 'gold'), 'status' VARCHAR, Count 0.5 x4
-- score:
SELECT t.k0 AS "tier", t.k1 AS "status", system.main.count(*) AS score
FROM (SELECT t.k0, t.k1, t.unit
  FROM (SELECT t."tier" AS k0, t2."status" AS k1, t."customer_id" AS unit
    FROM "memory"."main"."customers" AS t
    JOIN "memory"."main"."orders" AS t2 ON (t."customer_id" = t2."customer_id")
    WHERE t."customer_id" IS NOT NULL AND t."tier" IS NOT NULL AND t2."status" IN ('paid', 'sent', 'returned',
        'cancelled')) AS t
  GROUP BY t.k0, t.k1, t.unit) AS t
GROUP BY t.k0, t.k1;
-- answer:
SELECT "answer"."k0" AS "tier", "answer"."k1" AS "status", "answer"."a0" AS "n"
FROM "answer"
WHERE ("answer"."a0" > 0);
----
SELECT count(*) FROM (orders AS o JOIN stores AS s ON o.store_id = s.store_id) JOIN countries USING (code) WHERE country = 'France';
-- plain:
SELECT count(DISTINCT customer_id) FROM orders JOIN stores USING (store_id) WHERE code = 'fr';
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    JOIN "memory"."main"."stores" AS t2 ON (t."store_id" = t2."store_id")
    JOIN "memory"."main"."countries" AS t3 ON t2."code" = t3."code"
    WHERE t."customer_id" IS NOT NULL AND (t3."country" = 'France')) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT i.product_id, count(*) AS n FROM items AS i JOIN products AS p ON i.product_id = p.product_id GROUP BY i.product_id HAVING count(*) > 0;
-- plain:
SELECT i.product_id, count(DISTINCT o.customer_id) AS n FROM items AS i JOIN products AS p ON i.product_id = p.product_id JOIN orders AS o ON i.order_id = o.order_id WHERE o.customer_id IS NOT NULL GROUP BY i.product_id;
-- plan: EveryKey groups=30, 'product_id' INTEGER, Count 0.5 x30 gaussian 30
-- score:
SELECT t.k0 AS "product_id", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."product_id" AS k0, t3."customer_id" AS unit
    FROM "memory"."main"."items" AS t
    JOIN "memory"."main"."products" AS t2 ON (t."product_id" = t2."product_id")
    JOIN "memory"."main"."orders" AS t3 ON t."order_id" = t3."order_id"
    WHERE t3."customer_id" IS NOT NULL AND t."product_id" IN (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,
        15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30)) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "product_id", "answer"."a0" AS "n"
FROM "answer"
WHERE ("answer"."a0" > 0);
----
SELECT c.plan, count(*) AS n FROM customers AS c LEFT JOIN customers AS d ON d.customer_id = c.customer_id AND d.plan = 'pro' LEFT JOIN tickets AS t ON t.customer_id = d.customer_id GROUP BY c.plan;
-- plain:
SELECT p.plan, count(DISTINCT c.customer_id) FROM (VALUES ('free'), ('basic'), ('pro'), ('team')) AS p(plan) LEFT JOIN customers AS c USING (plan) GROUP BY p.plan;
-- plan: EveryKey groups=1, 'plan' VARCHAR, Count 0.5 x1
-- score:
SELECT t.k0 AS "plan", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."plan" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."customers" AS t
    LEFT
    JOIN "memory"."main"."customers" AS t2 ON (t2."customer_id" = t."customer_id") AND (t2."plan" = 'pro')
    LEFT
    JOIN "memory"."main"."tickets" AS t3 ON (t3."customer_id" = t2."customer_id")
    WHERE t."customer_id" IS NOT NULL AND t."plan" IN ('free', 'basic', 'pro', 'team')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "plan", "answer"."a0" AS "n"
FROM "answer";
----
SELECT CASE WHEN d.customer_id IS NULL THEN 'no' ELSE 'yes' END AS paid, count(*) AS n FROM customers AS c JOIN orders AS o ON o.customer_id = c.customer_id LEFT JOIN customers AS d ON d.customer_id = c.customer_id AND o.status = 'paid' GROUP BY paid;
-- plain:
SELECT CASE WHEN d.customer_id IS NULL THEN 'no' ELSE 'yes' END AS paid, count(DISTINCT c.customer_id) FROM customers AS c JOIN orders AS o ON o.customer_id = c.customer_id LEFT JOIN customers AS d ON d.customer_id = c.customer_id AND o.status = 'paid' GROUP BY paid;
-- plan: EveryKey groups=2, 'paid' VARCHAR, Count 0.5 x2
-- score:
SELECT t.k0 AS "paid", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT (CASE WHEN (t3."customer_id" IS NULL) THEN 'no' ELSE 'yes' END) AS k0, t."customer_id" AS unit
    FROM "memory"."main"."customers" AS t
    JOIN "memory"."main"."orders" AS t2 ON (t2."customer_id" = t."customer_id")
    LEFT
    JOIN "memory"."main"."customers" AS t3 ON (t2."status" = 'paid') AND (t3."customer_id" = t."customer_id")
    WHERE t."customer_id" IS NOT NULL AND (CASE WHEN (t3."customer_id" IS NULL) THEN 'no' ELSE 'yes' END) IN ('no',
        'yes')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "paid", "answer"."a0" AS "n"
FROM "answer";
