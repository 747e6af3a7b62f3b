SELECT status, n FROM (SELECT status, count(*) AS n FROM orders GROUP BY status) AS t ORDER BY n DESC LIMIT 2;
-- plain:
SELECT status, count(DISTINCT customer_id) AS n FROM orders WHERE status IN ('paid', 'sent', 'returned', 'cancelled') GROUP BY status ORDER BY n DESC LIMIT 2;
-- plan: LargestKeys epsilon=0.5 counted=a0 k=2, 'status' VARCHAR
-- score:
SELECT t.k0 AS "status", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."status" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND t."status" IN ('paid', 'sent', 'returned', 'cancelled')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "status", "n"
FROM (SELECT "answer"."k0" AS "status", "answer"."a0" AS "n"
  FROM "answer") AS "t"
ORDER BY "n" DESC NULLS LAST
LIMIT 2;
----
SELECT * FROM (SELECT store_id, count(*) AS n FROM orders GROUP BY store_id) WHERE n > 22 ORDER BY n DESC;
-- plain:
SELECT store_id, count(DISTINCT customer_id) AS n FROM orders WHERE store_id <= 8 GROUP BY store_id HAVING n > 22 ORDER BY n DESC;
-- plan: EveryKey groups=8, 'store_id' INTEGER, Count 0.5 x8 gaussian apart
-- score:
SELECT t.k0 AS "store_id", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."store_id" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND t."store_id" IN (1, 2, 3, 4, 5, 6, 7, 8)) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT *
FROM (SELECT "answer"."k0" AS "store_id", "answer"."a0" AS "n"
  FROM "answer")
WHERE ("n" > 22)
ORDER BY "n" DESC NULLS LAST;
----
SELECT max(n), min(n), sum(n), avg(n), count(*) FROM (SELECT store_id, count(*) AS n FROM orders GROUP BY store_id) AS t;
-- plain:
SELECT max(n), min(n), sum(n), avg(n), count(*) FROM (SELECT s.store_id, count(DISTINCT customer_id) AS n FROM stores AS s LEFT JOIN orders AS o USING (store_id) GROUP BY s.store_id);
-- plan: EveryKey groups=8, 'store_id' INTEGER, Count 0.5 x8 gaussian apart
-- score:
SELECT t.k0 AS "store_id", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."store_id" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND t."store_id" IN (1, 2, 3, 4, 5, 6, 7, 8)) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT system.main.max("n") AS "max(n)", system.main.min("n") AS "min(n)", system.main.sum("n") AS "sum(n)",
  system.main.avg("n") AS "avg(n)", system.main.count(*) AS "count_star()"
FROM (SELECT "answer"."k0" AS "store_id", "answer"."a0" AS "n"
  FROM "answer") AS "t";
----
WITH counts AS (SELECT status, count(*) AS n FROM orders GROUP BY status) SELECT status, n, n / sum(n) OVER () AS share FROM counts ORDER BY share DESC LIMIT 3;
-- plain:
SELECT status, n, n / sum(n) OVER () AS share FROM (SELECT status, count(DISTINCT customer_id) AS n FROM orders WHERE status IN ('paid', 'sent', 'returned', 'cancelled') GROUP BY status) ORDER BY share DESC LIMIT 3;
-- plan: EveryKey groups=4, 'status' VARCHAR, Count 0.5 x4
-- score:
SELECT t.k0 AS "status", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."status" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND t."status" IN ('paid', 'sent', 'returned', 'cancelled')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "status", "n", system.main."/"("n", system.main.sum("n") OVER ()) AS "share"
FROM (SELECT "answer"."k0" AS "status", "answer"."a0" AS "n"
  FROM "answer") AS "counts"
ORDER BY "share" DESC NULLS LAST
LIMIT 3;
----
WITH counts AS (SELECT status, count(*) AS n FROM orders GROUP BY status) SELECT a.status, b.status AS next, a.n - b.n AS gap FROM counts AS a JOIN counts AS b ON a.n > b.n WHERE b.n > 33 ORDER BY gap;
-- plain:
SELECT 'paid' AS status, 'sent' AS next, 12 AS gap ORDER BY gap;
-- plan: EveryKey groups=4, 'status' VARCHAR, Count 0.5 x4
-- score:
SELECT t.k0 AS "status", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."status" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND t."status" IN ('paid', 'sent', 'returned', 'cancelled')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "a"."status", "b"."status" AS "next", system.main."-"("a"."n", "b"."n") AS "gap"
FROM (SELECT "answer"."k0" AS "status", "answer"."a0" AS "n"
  FROM "answer") AS "a"
JOIN (SELECT "answer"."k0" AS "status", "answer"."a0" AS "n"
  FROM "answer") AS "b" ON ("a"."n" > "b"."n")
WHERE ("b"."n" > 33)
ORDER BY "gap" ASC NULLS LAST;
----
WITH monthly AS (SELECT date_trunc('month', ordered) AS m, count(*) AS n FROM orders GROUP BY m) SELECT quarter(m) AS q, sum(n) AS n FROM monthly GROUP BY q ORDER BY q;
-- plain:
SELECT quarter(m) AS q, sum(n) AS n FROM (SELECT date_trunc('month', ordered) AS m, count(DISTINCT customer_id) AS n FROM orders WHERE year(ordered) = 2024 GROUP BY m) GROUP BY q ORDER BY q;
-- plan: EveryKey groups=12, 'm' TIMESTAMP, Count 0.5 x12 gaussian apart
-- score:
SELECT t.k0 AS "m", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT system.main.date_trunc('month', (CASE WHEN t."ordered" BETWEEN TIMESTAMP '140000-01-01 (BC)'
          AND TIMESTAMP '140000-12-31' OR system.main.isinf(t."ordered") THEN t."ordered" END)) AS k0, t."customer_id"
      AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND system.main.date_trunc('month', (CASE WHEN t."ordered" BETWEEN
          TIMESTAMP '140000-01-01 (BC)' AND TIMESTAMP '140000-12-31' OR system.main.isinf(t."ordered") THEN t."ordered"
          END)) IN (TIMESTAMP '2024-01-01 00:00:00', TIMESTAMP '2024-02-01 00:00:00', TIMESTAMP
        '2024-03-01 00:00:00', TIMESTAMP '2024-04-01 00:00:00', TIMESTAMP '2024-05-01 00:00:00', TIMESTAMP
        '2024-06-01 00:00:00', TIMESTAMP '2024-07-01 00:00:00', TIMESTAMP '2024-08-01 00:00:00', TIMESTAMP
        '2024-09-01 00:00:00', TIMESTAMP '2024-10-01 00:00:00', TIMESTAMP '2024-11-01 00:00:00', TIMESTAMP
        '2024-12-01 00:00:00')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT system.main.quarter("m") AS "q", system.main.sum("n") AS "n"
FROM (SELECT "answer"."k0" AS "m", "answer"."a0" AS "n"
  FROM "answer") AS "monthly"
GROUP BY "q"
ORDER BY "q" ASC NULLS LAST;
----
SELECT upper(status) AS s, CASE WHEN n > 40 THEN 'many' ELSE 'few' END AS size FROM (SELECT status, count(*) AS n FROM orders GROUP BY status) AS t;
-- plain:
SELECT upper(status), CASE WHEN n > 40 THEN 'many' ELSE 'few' END FROM (SELECT d.status, count(DISTINCT customer_id) AS n FROM (VALUES ('paid'), ('sent'), ('returned'), ('cancelled')) AS d(status) LEFT JOIN orders AS o ON o.status = d.status GROUP BY d.status);
-- plan: EveryKey groups=4, 'status' VARCHAR, Count 0.5 x4
-- score:
SELECT t.k0 AS "status", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."status" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND t."status" IN ('paid', 'sent', 'returned', 'cancelled')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT system.main.upper("status") AS "s", (CASE WHEN ("n" > 40) THEN 'many' ELSE 'few' END) AS "size"
FROM (SELECT "answer"."k0" AS "status", "answer"."a0" AS "n"
  FROM "answer") AS "t";
----
SELECT count(*) AS stores FROM (SELECT store_id FROM orders GROUP BY store_id HAVING count(*) > 22) AS t;
-- plain:
SELECT count(*) FROM (SELECT store_id FROM orders WHERE store_id <= 8 GROUP BY store_id HAVING count(DISTINCT customer_id) > 22);
-- plan: EveryKey groups=8, 'store_id' INTEGER, Count 0.5 x8 gaussian apart
-- score:
SELECT t.k0 AS "store_id", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."store_id" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND t."store_id" IN (1, 2, 3, 4, 5, 6, 7, 8)) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT system.main.count(*) AS "stores"
FROM (SELECT "answer"."k0" AS "store_id"
  FROM "answer"
  WHERE ("answer"."a0" > 22)) AS "t";
----
SELECT store_id, n, rank() OVER (ORDER BY n DESC) AS place FROM (SELECT store_id, count(*) AS n FROM orders GROUP BY store_id HAVING n > 0) AS t QUALIFY place <= 3 ORDER BY place;
-- plain:
SELECT store_id, count(DISTINCT customer_id) AS n, rank() OVER (ORDER BY n DESC) AS place FROM orders WHERE store_id <= 8 GROUP BY store_id ORDER BY place LIMIT 3;
-- plan: EveryKey groups=8, 'store_id' INTEGER, Count 0.5 x8 gaussian apart
-- score:
SELECT t.k0 AS "store_id", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."store_id" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND t."store_id" IN (1, 2, 3, 4, 5, 6, 7, 8)) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "store_id", "n", system.main.rank() OVER (ORDER BY "n" DESC NULLS LAST) AS "place"
FROM (SELECT "answer"."k0" AS "store_id", "answer"."a0" AS "n"
  FROM "answer"
  WHERE ("answer"."a0" > 0)) AS "t" QUALIFY ("place" <= 3)
ORDER BY "place" ASC NULLS LAST;
----
SELECT list(status ORDER BY n DESC) AS order_of FROM (SELECT status, count(*) AS n FROM orders GROUP BY status) AS t;
-- plain:
SELECT ['paid', 'sent', 'returned', 'cancelled'];
-- plan: EveryKey groups=4, 'status' VARCHAR, Count 0.5 x4
-- score:
SELECT t.k0 AS "status", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."status" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND t."status" IN ('paid', 'sent', 'returned', 'cancelled')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT system.main.list("status"
  ORDER BY "n" DESC NULLS LAST) AS "order_of"
FROM (SELECT "answer"."k0" AS "status", "answer"."a0" AS "n"
  FROM "answer") AS "t";
----
SELECT string_agg(status, ', ' ORDER BY n) AS text FROM (SELECT status, count(*) AS n FROM orders GROUP BY status) AS t WHERE n > 0;
-- plain:
SELECT 'returned, sent, paid';
-- plan: EveryKey groups=4, 'status' VARCHAR, Count 0.5 x4
-- score:
SELECT t.k0 AS "status", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."status" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND t."status" IN ('paid', 'sent', 'returned', 'cancelled')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT system.main.string_agg("status", ', '
  ORDER BY "n" ASC NULLS LAST) AS "text"
FROM (SELECT "answer"."k0" AS "status", "answer"."a0" AS "n"
  FROM "answer") AS "t"
WHERE ("n" > 0);
----
SELECT * EXCLUDE (n), n + 1 AS n FROM (SELECT status, count(*) AS n FROM orders GROUP BY status) AS t WHERE n > 40;
-- plain:
SELECT 'paid', 49;
-- plan: EveryKey groups=4, 'status' VARCHAR, Count 0.5 x4
-- score:
SELECT t.k0 AS "status", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."status" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND t."status" IN ('paid', 'sent', 'returned', 'cancelled')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT * EXCLUDE ("n"), system.main."+"("n", 1) AS "n"
FROM (SELECT "answer"."k0" AS "status", "answer"."a0" AS "n"
  FROM "answer") AS "t"
WHERE ("n" > 40);
----
SELECT t.n FROM (SELECT count(*) AS n FROM orders) AS t WHERE t.n IS NOT NULL LIMIT 1000001;
-- plain:
SELECT count(DISTINCT customer_id) FROM orders;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "t"."n"
FROM (SELECT "answer"."a0" AS "n"
  FROM "answer") AS "t"
WHERE (NOT ("t"."n" IS NULL))
LIMIT 1000001;
----
SELECT * FROM (SELECT * FROM (SELECT status, count(*) AS n FROM orders GROUP BY status) AS a WHERE n > 33) AS b ORDER BY 2;
-- plain:
SELECT status, count(DISTINCT customer_id) AS n FROM orders WHERE status IN ('paid', 'sent') GROUP BY status ORDER BY n;
-- plan: EveryKey groups=4, 'status' VARCHAR, Count 0.5 x4
-- score:
SELECT t.k0 AS "status", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."status" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND t."status" IN ('paid', 'sent', 'returned', 'cancelled')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT *
FROM (SELECT *
  FROM (SELECT "answer"."k0" AS "status", "answer"."a0" AS "n"
    FROM "answer") AS "a"
  WHERE ("n" > 33)) AS "b"
ORDER BY 2 ASC NULLS LAST;
----
SELECT n FROM (SELECT status, count(*) AS n FROM orders GROUP BY status) AS t WHERE status = 'sent';
-- plain:
SELECT count(DISTINCT customer_id) FROM orders WHERE status = 'sent';
-- plan: EveryKey groups=4, 'status' VARCHAR, Count 0.5 x4
-- score:
SELECT t.k0 AS "status", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."status" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND t."status" IN ('paid', 'sent', 'returned', 'cancelled')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "n"
FROM (SELECT "answer"."k0" AS "status", "answer"."a0" AS "n"
  FROM "answer") AS "t"
WHERE ("status" = 'sent');
----
SELECT median(n) AS m, quantile_cont(n, 0.25) AS q, stddev(n) AS s FROM (SELECT store_id, count(*) AS n FROM orders GROUP BY store_id) AS t;
-- plain:
SELECT median(n), quantile_cont(n, 0.25), stddev(n) FROM (SELECT s.store_id, count(DISTINCT customer_id) AS n FROM stores AS s LEFT JOIN orders AS o USING (store_id) GROUP BY s.store_id);
-- plan: EveryKey groups=8, 'store_id' INTEGER, Count 0.5 x8 gaussian apart
-- score:
SELECT t.k0 AS "store_id", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."store_id" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND t."store_id" IN (1, 2, 3, 4, 5, 6, 7, 8)) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT system.main.median("n") AS "m", system.main.quantile_cont("n", 0.25) AS "q", system.main.stddev("n") AS
  "s"
FROM (SELECT "answer"."k0" AS "store_id", "answer"."a0" AS "n"
  FROM "answer") AS "t";
----
SELECT m, n, avg(n) OVER (ORDER BY m ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS smooth FROM (SELECT date_trunc('month', ordered) AS m, count(*) AS n FROM orders GROUP BY m) AS t ORDER BY m;
-- plain:
SELECT m, n, avg(n) OVER (ORDER BY m ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS smooth FROM (SELECT date_trunc('month', ordered) AS m, count(DISTINCT customer_id) AS n FROM orders WHERE year(ordered) = 2024 GROUP BY m) ORDER BY m;
-- plan: EveryKey groups=12, 'm' TIMESTAMP, Count 0.5 x12 gaussian apart
-- score:
SELECT t.k0 AS "m", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT system.main.date_trunc('month', (CASE WHEN t."ordered" BETWEEN TIMESTAMP '140000-01-01 (BC)'
          AND TIMESTAMP '140000-12-31' OR system.main.isinf(t."ordered") THEN t."ordered" END)) AS k0, t."customer_id"
      AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND system.main.date_trunc('month', (CASE WHEN t."ordered" BETWEEN
          TIMESTAMP '140000-01-01 (BC)' AND TIMESTAMP '140000-12-31' OR system.main.isinf(t."ordered") THEN t."ordered"
          END)) IN (TIMESTAMP '2024-01-01 00:00:00', TIMESTAMP '2024-02-01 00:00:00', TIMESTAMP
        '2024-03-01 00:00:00', TIMESTAMP '2024-04-01 00:00:00', TIMESTAMP '2024-05-01 00:00:00', TIMESTAMP
        '2024-06-01 00:00:00', TIMESTAMP '2024-07-01 00:00:00', TIMESTAMP '2024-08-01 00:00:00', TIMESTAMP
        '2024-09-01 00:00:00', TIMESTAMP '2024-10-01 00:00:00', TIMESTAMP '2024-11-01 00:00:00', TIMESTAMP
        '2024-12-01 00:00:00')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "m", "n", system.main.avg("n") OVER (ORDER BY "m" ASC NULLS LAST ROWS BETWEEN 1 PRECEDING AND CURRENT
    ROW) AS "smooth"
FROM (SELECT "answer"."k0" AS "m", "answer"."a0" AS "n"
  FROM "answer") AS "t"
ORDER BY "m" ASC NULLS LAST;
----
WITH t AS (SELECT status, count(*) AS n FROM orders GROUP BY status) SELECT status, n FROM t WHERE n = (SELECT max(n) FROM t);
-- plain:
SELECT 'paid', 48;
-- plan: EveryKey groups=4, 'status' VARCHAR, Count 0.5 x4
-- score:
SELECT t.k0 AS "status", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."status" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND t."status" IN ('paid', 'sent', 'returned', 'cancelled')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "status", "n"
FROM (SELECT "answer"."k0" AS "status", "answer"."a0" AS "n"
  FROM "answer") AS "t"
WHERE ("n" = (SELECT system.main.max("n") AS "max(n)"
    FROM (SELECT "answer"."k0" AS "status", "answer"."a0" AS "n"
      FROM "answer") AS "t"));
----
SELECT * FROM (SELECT status, count(*) AS n FROM orders GROUP BY status) AS t(label, total) WHERE total > 40;
-- plain:
SELECT 'paid', 48;
-- plan: EveryKey groups=4, 'status' VARCHAR, Count 0.5 x4
-- score:
SELECT t.k0 AS "status", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."status" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND t."status" IN ('paid', 'sent', 'returned', 'cancelled')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT *
FROM (SELECT "answer"."k0" AS "status", "answer"."a0" AS "n"
  FROM "answer") AS "t"("label", "total")
WHERE ("total" > 40);
----
WITH t AS (SELECT status, count(*) AS n FROM orders GROUP BY status) SELECT status AS name, n FROM t WHERE n > 40 UNION ALL SELECT 'all', sum(n) FROM t;
-- plain:
SELECT 'paid', 48 UNION ALL SELECT 'all', 116;
-- plan: EveryKey groups=4, 'status' VARCHAR, Count 0.5 x4
-- score:
SELECT t.k0 AS "status", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."status" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND t."status" IN ('paid', 'sent', 'returned', 'cancelled')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
(SELECT "status" AS "name", "n"
  FROM (SELECT "answer"."k0" AS "status", "answer"."a0" AS "n"
    FROM "answer") AS "t"
  WHERE ("n" > 40))
UNION ALL (SELECT 'all' AS "'all'", system.main.sum("n") AS "sum(n)"
  FROM (SELECT "answer"."k0" AS "status", "answer"."a0" AS "n"
    FROM "answer") AS "t");
----
WITH a AS (SELECT status, count(*) AS n FROM orders GROUP BY status), b AS (SELECT status, n FROM a WHERE n > 0), c AS (SELECT max(n) AS most FROM b) SELECT b.status, b.n / c.most AS share FROM b CROSS JOIN c ORDER BY share DESC;
-- plain:
SELECT status, n / 48 AS share FROM (SELECT status, count(DISTINCT customer_id) AS n FROM orders WHERE status IN ('paid', 'sent', 'returned') GROUP BY status) ORDER BY share DESC;
-- plan: EveryKey groups=4, 'status' VARCHAR, Count 0.5 x4
-- score:
SELECT t.k0 AS "status", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."status" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND t."status" IN ('paid', 'sent', 'returned', 'cancelled')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "b"."status", system.main."/"("b"."n", "c"."most") AS "share"
FROM (SELECT "status", "n"
  FROM (SELECT "answer"."k0" AS "status", "answer"."a0" AS "n"
    FROM "answer") AS "a"
  WHERE ("n" > 0)) AS "b"
CROSS
JOIN (SELECT system.main.max("n") AS "most"
  FROM (SELECT "status", "n"
    FROM (SELECT "answer"."k0" AS "status", "answer"."a0" AS "n"
      FROM "answer") AS "a"
    WHERE ("n" > 0)) AS "b") AS "c"
ORDER BY "share" DESC NULLS LAST;
----
SELECT status FROM (SELECT status, count(*) AS n FROM orders GROUP BY status) AS t WHERE n > 40 INTERSECT SELECT 'paid';
-- plain:
SELECT 'paid';
-- plan: EveryKey groups=4, 'status' VARCHAR, Count 0.5 x4
-- score:
SELECT t.k0 AS "status", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t."status" AS k0, t."customer_id" AS unit
    FROM "memory"."main"."orders" AS t
    WHERE t."customer_id" IS NOT NULL AND t."status" IN ('paid', 'sent', 'returned', 'cancelled')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
(SELECT "status"
  FROM (SELECT "answer"."k0" AS "status", "answer"."a0" AS "n"
    FROM "answer") AS "t"
  WHERE ("n" > 40)) INTERSECT (SELECT 'paid' AS "'paid'");
