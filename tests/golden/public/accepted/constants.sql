SELECT * FROM generate_series(1, 10, 3) AS g(x)
SELECT x + 1 AS y FROM range(5, 1, -2) AS r(x) ORDER BY y
SELECT CAST(d AS DATE) AS d FROM generate_series(DATE '2024-01-31', DATE '2024-05-31', INTERVAL 1 MONTH) AS t(d)
SELECT d FROM range(TIMESTAMP '2024-01-01 12:00:00', TIMESTAMP '2024-01-02', INTERVAL 90 MINUTE) AS t(d)
SELECT unnest(range(DATE '2024-02-28', DATE '2024-03-02', INTERVAL 1 DAY))::DATE AS d
SELECT unnest([1, NULL, 3]) AS x, 'a' AS y
SELECT u.x, count(*) AS n FROM unnest(['a', 'b', 'a']) AS u(x) GROUP BY ALL ORDER BY ALL
SELECT c.i, t.s FROM generate_series(1, 4) AS c(i) LEFT JOIN t ON t.i = c.i ORDER BY ALL
SELECT count(*) AS n FROM range(1000) AS a(x), range(3) AS b(y) WHERE x % 7 = y
WITH days AS (SELECT CAST(d AS DATE) AS d FROM generate_series(DATE '2024-01-01' - 1, DATE '2024-01-01' + INTERVAL 3 DAY, INTERVAL 1 DAY) AS t(d)) SELECT d, dayname(d) AS name FROM days
