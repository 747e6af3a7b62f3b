-- dbplyr, with RPostgres: lazy tables, of which the columns are asked for first, then collect().
-- Not recorded: written in the form that its translation of dplyr's verbs to PostgreSQL has.

--! protocol: extended

-- tbl(con, "visits"), which asks for names and types.

--! 0 rows: the columns of a table, tbl(con, "visits")
SELECT *
FROM "visits" AS "q01"
WHERE (0 = 1)

--! 0 rows: the same in newer versions
SELECT * FROM "visits" LIMIT 0

--! 0 rows: the columns of a query, tbl(con, sql("..."))
SELECT *
FROM (SELECT page, age, amount FROM visits WHERE age > 20) AS "q02"
WHERE (0 = 1)

--! refused 0A000: printing a lazy table
SELECT *
FROM "visits"
LIMIT 11

--! 4 rows: glimpse of a public table
SELECT *
FROM "pages"
LIMIT 25

--! 4 rows, epsilon 0.5: count(page)
SELECT "page", COUNT(*) AS "n"
FROM "visits"
GROUP BY "page"

--! 4 rows: count(page, sort = TRUE)
SELECT "page", COUNT(*) AS "n"
FROM "visits"
GROUP BY "page"
ORDER BY "n" DESC

--! 4 rows: the same again
SELECT "page", COUNT(*) AS "n"
FROM "visits"
GROUP BY "page"

--! 1 row, epsilon 0.5: tally()
SELECT COUNT(*) AS "n"
FROM "visits"

--! 4 rows, epsilon 0.5: summarise with mean, sum, sd and median
SELECT
  "page",
  AVG("amount") AS "m",
  SUM("amount") AS "s",
  STDDEV_SAMP("amount") AS "sd",
  PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY "amount") AS "med",
  COUNT(DISTINCT "visitor") AS "people"
FROM "visits"
GROUP BY "page"

--! 3 rows, epsilon 0.5: filter and mutate with case_when
SELECT "grp", COUNT(*) AS "n"
FROM (
  SELECT
    "visits".*,
    CASE
WHEN ("age" < 30.0) THEN 'young'
WHEN ("age" < 60.0) THEN 'middle'
ELSE 'old'
END AS "grp"
  FROM "visits"
  WHERE ("page" IN ('home', 'shop')) AND ("amount" > 10.0) AND (NOT(("age" IS NULL)))
) AS "q01"
GROUP BY "grp"

--! 4 rows, epsilon 0.5: if_else and a share
SELECT "page", AVG(CASE WHEN ("amount" >= 50.0) THEN 1.0 WHEN NOT ("amount" >= 50.0) THEN 0.0 END) AS "share"
FROM "visits"
GROUP BY "page"

--! 3 rows: filter after summarise
SELECT "page", COUNT(*) AS "n"
FROM "visits"
GROUP BY "page"
HAVING (COUNT(*) > 250.0)

--! 4 rows: a mutate of an answer, with a total
SELECT "q01".*, "n" / SUM("n") OVER () AS "p"
FROM (
  SELECT "page", COUNT(*) AS "n"
  FROM "visits"
  GROUP BY "page"
) AS "q01"

--! 2 rows: the first of an answer, slice_max
SELECT "page", "n"
FROM (
  SELECT "q01".*, RANK() OVER (ORDER BY "n" DESC) AS "col01"
  FROM (
    SELECT "page", COUNT(*) AS "n"
    FROM "visits"
    GROUP BY "page"
  ) AS "q01"
) AS "q01"
WHERE ("col01" <= 2)

--! 3 rows, epsilon 0.5: floor_date and a month
SELECT "month", COUNT(*) AS "n"
FROM (
  SELECT "visits".*, DATE_TRUNC('month', "ts") AS "month"
  FROM "visits"
) AS "q01"
GROUP BY "month"
ORDER BY "month"

--! 7 rows, epsilon 0.5: year() and wday()
SELECT "y", "w", COUNT(*) AS "n"
FROM (
  SELECT
    "visits".*,
    EXTRACT(YEAR FROM "ts") AS "y",
    EXTRACT(DOW FROM DATE("ts")) + 1 AS "w"
  FROM "visits"
) AS "q01"
GROUP BY "y", "w"

--! 4 rows, epsilon 0.5: left_join with a public table
SELECT "topic", COUNT(*) AS "n"
FROM (
  SELECT "visits".*, "topic"
  FROM "visits"
  LEFT JOIN "pages"
    ON ("visits"."page" = "pages"."name")
) AS "q01"
GROUP BY "topic"

--! 1 row, epsilon 0.5: semi_join with a public table
SELECT COUNT(*) AS "n"
FROM (
  SELECT "visits".*
  FROM "visits"
  WHERE EXISTS (
    SELECT 1 FROM (
  SELECT "pages".*
  FROM "pages"
  WHERE ("topic" = 'text')
) AS "RHS"
    WHERE ("visits"."page" = "RHS"."name")
  )
) AS "q01"

--! 4 rows: distinct values
SELECT DISTINCT "page"
FROM "visits"

--! refused 55000: group_by person, then over people
SELECT "k", COUNT(*) AS "people"
FROM (
  SELECT "q01".*, LEAST("n", 10.0) AS "k"
  FROM (
    SELECT "visitor", COUNT(*) AS "n"
    FROM "visits"
    GROUP BY "visitor"
  ) AS "q01"
) AS "q01"
GROUP BY "k"

--! 2 rows, epsilon 0.5: union_all of two answers
(
  SELECT 'a' AS "kind", COUNT(*) AS "n"
  FROM "visits"
  WHERE ("page" = 'home')
)
UNION ALL
(
  SELECT 'b' AS "kind", COUNT(*) AS "n"
  FROM "visits"
  WHERE ("page" = 'shop')
)

--! refused 0A000: collect of rows
SELECT "page", "age", "amount"
FROM "visits"
WHERE ("age" > 70.0)

--! refused 0A000: compute(), a temporary table
CREATE TEMPORARY TABLE
"dbplyr_001" AS
SELECT "page", COUNT(*) AS "n"
FROM "visits"
GROUP BY "page"
