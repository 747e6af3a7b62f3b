SELECT page, count(*) FROM visits WHERE false GROUP BY page;
-- plain:
the query
-- plan: public
-- answer:
SELECT "answer"."k0" AS "page", "answer"."a0" AS "count_star()"
FROM (SELECT CAST(NULL AS VARCHAR) AS "k0", CAST(0 AS BIGINT) AS "a0"
  WHERE FALSE) AS "answer";
----
SELECT page, count(*) AS n FROM visits GROUP BY page LIMIT 0;
-- plain:
the query
-- plan: public
-- answer:
SELECT "answer"."k0" AS "page", "answer"."a0" AS "n"
FROM (SELECT CAST(NULL AS VARCHAR) AS "k0", CAST(0 AS BIGINT) AS "a0"
  WHERE FALSE) AS "answer"
LIMIT 0;
----
SELECT page, count(*) FROM visits WHERE 0 = 1 GROUP BY page ORDER BY 2 DESC LIMIT 3;
-- plain:
the query
-- plan: public
-- answer:
SELECT "answer"."k0" AS "page", "answer"."a0" AS "count_star()"
FROM (SELECT CAST(NULL AS VARCHAR) AS "k0", CAST(0 AS BIGINT) AS "a0"
  WHERE FALSE) AS "answer"
ORDER BY "answer"."a0" DESC NULLS LAST, "answer"."k0"
LIMIT 3;
----
SELECT page, count(*), sum(age) FROM visits WHERE NULL GROUP BY page;
-- plain:
the query
-- plan: public
-- answer:
SELECT "answer"."k0" AS "page", "answer"."a0" AS "count_star()", "answer"."a1" AS "sum(age)"
FROM (SELECT CAST(NULL AS VARCHAR) AS "k0", CAST(0 AS BIGINT) AS "a0", CAST(NULL AS HUGEINT) AS "a1"
  WHERE FALSE) AS "answer";
----
SELECT count(*), count(page), count(DISTINCT uid), count(DISTINCT page), count_if(age > 3), sum(1), sum(age), avg(age), median(age), mode(page) FROM visits WHERE false;
-- plain:
the query
-- plan: public
-- answer:
SELECT "answer"."a0" AS "count_star()", "answer"."a1" AS "count(page)", "answer"."a0" AS "count(DISTINCT uid)",
  "answer"."a2" AS "count(DISTINCT page)", "answer"."a3" AS "count_if((age > 3))", "answer"."a4" AS "sum(1)",
  "answer"."a5" AS "sum(age)", "answer"."a6" AS "avg(age)", "answer"."a7" AS "median(age)", "answer"."a8" AS
  """mode""(page)"
FROM (SELECT CAST(0 AS BIGINT) AS "a0", CAST(0 AS BIGINT) AS "a1", CAST(0 AS BIGINT) AS "a2", CAST(NULL AS
      HUGEINT) AS "a3", CAST(NULL AS HUGEINT) AS "a4", CAST(NULL AS HUGEINT) AS "a5", CAST(NULL AS DOUBLE) AS
    "a6", CAST(NULL AS DOUBLE) AS "a7", CAST(NULL AS VARCHAR) AS "a8") AS "answer";
----
SELECT count(*) + 1 AS n FROM visits WHERE 1 = 0 AND page = 'a';
-- plain:
the query
-- plan: public
-- answer:
SELECT system.main."+"("answer"."a0", 1) AS "n"
FROM (SELECT CAST(0 AS BIGINT) AS "a0") AS "answer";
----
SELECT count(*) FROM visits WHERE (age > 50 AND false) OR 2 < 1;
-- plain:
the query
-- plan: public
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM (SELECT CAST(0 AS BIGINT) AS "a0") AS "answer";
----
SELECT count(*) FROM visits WHERE upper('x') = 'y';
-- plain:
the query
-- plan: public
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM (SELECT CAST(0 AS BIGINT) AS "a0") AS "answer";
----
SELECT count(*) FROM visits WHERE age > 5 AND age < 3;
-- plain:
the query
-- plan: public
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM (SELECT CAST(0 AS BIGINT) AS "a0") AS "answer";
----
SELECT count(*) FROM visits WHERE day >= DATE '2024-03-01' AND day < DATE '2024-03-01';
-- plain:
the query
-- plan: public
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM (SELECT CAST(0 AS BIGINT) AS "a0") AS "answer";
----
SELECT count(*) FROM visits WHERE page = 'a' AND page = 'b';
-- plain:
the query
-- plan: public
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM (SELECT CAST(0 AS BIGINT) AS "a0") AS "answer";
----
SELECT count(*) FROM visits WHERE page = 'a' AND page LIKE 'b%';
-- plain:
the query
-- plan: public
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM (SELECT CAST(0 AS BIGINT) AS "a0") AS "answer";
----
SELECT count(*) FROM visits WHERE age = 5 AND age IS NULL;
-- plain:
the query
-- plan: public
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM (SELECT CAST(0 AS BIGINT) AS "a0") AS "answer";
----
SELECT count(*) FROM visits HAVING false;
-- plain:
the query
-- plan: public
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM (SELECT CAST(0 AS BIGINT) AS "a0") AS "answer"
WHERE FALSE;
----
SELECT page, count(*) FROM visits GROUP BY page HAVING count(*) > 5 AND 1 = 0;
-- plain:
the query
-- plan: public
-- answer:
SELECT "answer"."k0" AS "page", "answer"."a0" AS "count_star()"
FROM (SELECT CAST(NULL AS VARCHAR) AS "k0", CAST(0 AS BIGINT) AS "a0"
  WHERE FALSE) AS "answer"
WHERE (("answer"."a0" > 5) AND (1 = 0));
----
SELECT count(*) FROM visits LIMIT 1 OFFSET 1;
-- plain:
the query
-- plan: public
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM (SELECT CAST(0 AS BIGINT) AS "a0") AS "answer"
LIMIT 1 OFFSET 1;
----
SELECT page, count(*) FROM visits GROUP BY page LIMIT 10 OFFSET 5;
-- plain:
the query
-- plan: public
-- answer:
SELECT "answer"."k0" AS "page", "answer"."a0" AS "count_star()"
FROM (SELECT CAST(NULL AS VARCHAR) AS "k0", CAST(0 AS BIGINT) AS "a0"
  WHERE FALSE) AS "answer"
LIMIT 10 OFFSET 5;
----
SELECT histogram(page) FROM visits WHERE false;
-- plain:
the query
-- plan: public
-- answer:
SELECT system.main.map(system.main.list("answer"."k0"), system.main.list(CAST(CASE WHEN "answer"."a0" > 0 THEN
        "answer"."a0" ELSE 0 END AS UBIGINT))) AS "histogram(page)"
FROM (SELECT CAST(NULL AS VARCHAR) AS "k0", CAST(0 AS BIGINT) AS "a0"
  WHERE FALSE) AS "answer";
----
SELECT * FROM (SELECT page, count(*) AS n FROM visits GROUP BY page) AS t WHERE 1 = 0;
-- plain:
the query
-- plan: public
-- answer:
SELECT *
FROM (SELECT "answer"."k0" AS "page", "answer"."a0" AS "n"
  FROM (SELECT CAST(NULL AS VARCHAR) AS "k0", CAST(0 AS BIGINT) AS "a0"
    WHERE FALSE) AS "answer") AS "t"
WHERE (1 = 0);
----
SELECT * FROM (SELECT page, count(*) AS n FROM visits GROUP BY page) AS t LIMIT 0;
-- plain:
the query
-- plan: public
-- answer:
SELECT *
FROM (SELECT "answer"."k0" AS "page", "answer"."a0" AS "n"
  FROM (SELECT CAST(NULL AS VARCHAR) AS "k0", CAST(0 AS BIGINT) AS "a0"
    WHERE FALSE) AS "answer") AS "t"
LIMIT 0;
----
WITH c AS (SELECT page, count(*) AS n FROM visits GROUP BY page) SELECT sum(n), max(page) FROM c WHERE false;
-- plain:
the query
-- plan: public
-- answer:
SELECT system.main.sum("n") AS "sum(n)", system.main.max("page") AS "max(page)"
FROM (SELECT "answer"."k0" AS "page", "answer"."a0" AS "n"
  FROM (SELECT CAST(NULL AS VARCHAR) AS "k0", CAST(0 AS BIGINT) AS "a0"
    WHERE FALSE) AS "answer") AS "c"
WHERE FALSE;
----
SELECT page, rank() OVER (ORDER BY n) AS r FROM (SELECT page, count(*) AS n FROM visits GROUP BY page) QUALIFY false;
-- plain:
the query
-- plan: public
-- answer:
SELECT "page", system.main.rank() OVER (ORDER BY "n" ASC NULLS LAST) AS "r"
FROM (SELECT "answer"."k0" AS "page", "answer"."a0" AS "n"
  FROM (SELECT CAST(NULL AS VARCHAR) AS "k0", CAST(0 AS BIGINT) AS "a0"
    WHERE FALSE) AS "answer") QUALIFY FALSE;
----
SELECT * FROM visits LIMIT 0;
-- plain:
the query
-- plan: public
-- answer:
SELECT CAST(NULL AS INTEGER) AS "uid", CAST(NULL AS VARCHAR) AS "page", CAST(NULL AS INTEGER) AS "age",
  CAST(NULL AS TINYINT) AS "tiny", CAST(NULL AS BIGINT) AS "big", CAST(NULL AS HUGEINT) AS "huge", CAST(NULL
    AS DECIMAL(9,2)) AS "amount", CAST(NULL AS DOUBLE) AS "x", CAST(NULL AS FLOAT) AS "f", CAST(NULL AS DATE)
  AS "day", CAST(NULL AS TIMESTAMP) AS "moment", CAST(NULL AS BOOLEAN) AS "ok", CAST(NULL AS ENUM('low', 'mid',
      'high')) AS "grade", CAST(NULL AS VARCHAR) AS "disease", CAST(NULL AS INTEGER) AS "order", CAST(NULL AS
    INTEGER) AS "A b", CAST(NULL AS INTEGER) AS "score", CAST(NULL AS TIMESTAMP WITH TIME ZONE) AS "zone"
WHERE FALSE;
----
SELECT v.PAGE, age + 1, lower(page) AS l, * EXCLUDE (page) FROM visits AS v WHERE 1 = 0 ORDER BY l, age;
-- plain:
the query
-- plan: public
-- answer:
SELECT CAST(NULL AS VARCHAR) AS "page", CAST(NULL AS INTEGER) AS "(age + 1)", CAST(NULL AS VARCHAR) AS "l",
  CAST(NULL AS INTEGER) AS "uid", CAST(NULL AS INTEGER) AS "age", CAST(NULL AS TINYINT) AS "tiny", CAST(NULL
    AS BIGINT) AS "big", CAST(NULL AS HUGEINT) AS "huge", CAST(NULL AS DECIMAL(9,2)) AS "amount", CAST(NULL AS
    DOUBLE) AS "x", CAST(NULL AS FLOAT) AS "f", CAST(NULL AS DATE) AS "day", CAST(NULL AS TIMESTAMP) AS
  "moment", CAST(NULL AS BOOLEAN) AS "ok", CAST(NULL AS ENUM('low', 'mid', 'high')) AS "grade", CAST(NULL AS
    VARCHAR) AS "disease", CAST(NULL AS INTEGER) AS "order", CAST(NULL AS INTEGER) AS "A b", CAST(NULL AS
    INTEGER) AS "score", CAST(NULL AS TIMESTAMP WITH TIME ZONE) AS "zone"
WHERE FALSE;
----
SELECT * FROM (SELECT p.region, v.* FROM visits AS v JOIN people AS p ON v.uid = p.id) AS t LIMIT 0;
-- plain:
the query
-- plan: public
-- answer:
SELECT CAST(NULL AS VARCHAR) AS "region", CAST(NULL AS INTEGER) AS "uid", CAST(NULL AS VARCHAR) AS "page",
  CAST(NULL AS INTEGER) AS "age", CAST(NULL AS TINYINT) AS "tiny", CAST(NULL AS BIGINT) AS "big", CAST(NULL AS
    HUGEINT) AS "huge", CAST(NULL AS DECIMAL(9,2)) AS "amount", CAST(NULL AS DOUBLE) AS "x", CAST(NULL AS
    FLOAT) AS "f", CAST(NULL AS DATE) AS "day", CAST(NULL AS TIMESTAMP) AS "moment", CAST(NULL AS BOOLEAN) AS
  "ok", CAST(NULL AS ENUM('low', 'mid', 'high')) AS "grade", CAST(NULL AS VARCHAR) AS "disease", CAST(NULL AS
    INTEGER) AS "order", CAST(NULL AS INTEGER) AS "A b", CAST(NULL AS INTEGER) AS "score", CAST(NULL AS
    TIMESTAMP WITH TIME ZONE) AS "zone"
WHERE FALSE;
----
SELECT quantile_cont(age, [0.25, 0.5]) AS q, count(*) FROM people WHERE false;
-- plain:
the query
-- plan: public
-- answer:
SELECT CASE WHEN "answer"."a0_0" IS NOT NULL THEN system.main.list_value("answer"."a0_0", "answer"."a0_1") END
  AS "q", "answer"."a2" AS "count_star()"
FROM (SELECT CAST(NULL AS DOUBLE) AS "a0_0", CAST(NULL AS DOUBLE) AS "a0_1", CAST(0 AS BIGINT) AS "a2") AS
  "answer";
