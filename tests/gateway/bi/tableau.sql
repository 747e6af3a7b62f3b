-- Tableau, with its PostgreSQL connector: pgJDBC, names quoted, columns grouped by number.
-- From query logs that Tableau and others publish; catalog queries of pgJDBC are in ../catalog/queries/jdbc.

--! protocol: extended

--! done: pgJDBC
SET extra_float_digits = 3

--! done: how dates are written
SET DateStyle = 'ISO'

--! 1 row: the schema
select current_schema()

--! 0 rows: foreign keys
SELECT NULL::name AS "PKTABLE_CAT", n2.nspname AS "PKTABLE_SCHEM", c2.relname AS "PKTABLE_NAME",
a2.attname AS "PKCOLUMN_NAME", i::int2 AS "KEY_SEQ", ref.conname AS "FK_NAME"
FROM (SELECT cn.oid, conrelid, conkey, confrelid, confkey,
generate_series(array_lower(conkey, 1), array_upper(conkey, 1)) AS i, conname
FROM pg_catalog.pg_constraint cn WHERE contype = 'f') ref
INNER JOIN pg_catalog.pg_class c2 ON c2.oid = ref.confrelid
INNER JOIN pg_catalog.pg_namespace n2 ON n2.oid = c2.relnamespace
INNER JOIN pg_catalog.pg_attribute a2 ON a2.attrelid = c2.oid AND a2.attnum = confkey[i]
ORDER BY ref.oid, ref.i

--! 0 rows: a type
SELECT "t"."oid" AS "oid", "t"."typname" FROM "pg_catalog"."pg_type" "t" WHERE ("t"."typname" = 'hstore') LIMIT 1

--! 0 rows: what it can do
SELECT 1 AS "COL" LIMIT 0

--! 1 row: what it can do
SELECT "t"."X" AS "X" FROM (SELECT 1 AS "X") "t" LIMIT 1

--! refused 0A000: temporary tables, without which it goes on
CREATE LOCAL TEMPORARY TABLE "#Tableau_3_CC8B44AB-5AAB-48DB-B81D-1A0EDF53D47F_1_Connect_CheckCreateTempTableCap" ("COL" INTEGER ) ON COMMIT PRESERVE ROWS

--! refused 0A000: the same in another form
SELECT * INTO TEMPORARY TABLE "#Tableau_4_CC8B44AB-5AAB-48DB-B81D-1A0EDF53D47F_2_Connect_CheckSelectIntoCap" FROM (SELECT 1 AS COL) AS CHECKTEMP LIMIT 1

--! refused 0A000: the preview in the data source tab
SELECT "visits"."age" AS "age", "visits"."amount" AS "amount", "visits"."page" AS "page", "visits"."ts" AS "ts" FROM "public"."visits" "visits" LIMIT 100

--! 4 rows: the preview of a public table
SELECT "pages"."name" AS "name", "pages"."topic" AS "topic" FROM "public"."pages" "pages" LIMIT 100

--! 4 rows: the values of a filter, which the domain lists
SELECT "visits"."page" AS "page" FROM "public"."visits" "visits" GROUP BY 1 ORDER BY 1 ASC NULLS FIRST

--! 1 row, epsilon 0.5: the ends of a filter by range
SELECT MIN("visits"."age") AS "TEMP(none:age:qk lower)(290714814)(1)", MAX("visits"."age") AS "TEMP(none:age:qk upper)(290714814)(1)" FROM "public"."visits" "visits" HAVING (COUNT(1) > 0)

--! 1 row, epsilon 0.5: how many rows there are
SELECT SUM(1) AS "cnt:visits:ok"
FROM "public"."visits" "visits"
HAVING (COUNT(1) > 0)
/* { "tableau-query-origins": { "query-category": "Data", "lqctx-root-activity-id": "LxAMmYbhUo4Iy/pvK8i5x7", "lqctx-batch-query-id": "0" } } */

--! 1 row: the same for another sheet
SELECT SUM(1) AS "cnt:visits:ok"
FROM "public"."visits" "visits"
HAVING (COUNT(1) > 0)
/* { "tableau-query-origins": { "query-category": "Data", "lqctx-root-activity-id": "E0DmAmxI0JTL6m41i5+UdN", "lqctx-batch-query-id": "3" } } */

--! 4 rows, epsilon 0.5: bars
SELECT "visits"."page" AS "page",
  SUM(1) AS "cnt:visits:ok"
FROM "public"."visits" "visits"
GROUP BY 1

--! 4 rows, epsilon 0.5: a calculated field, a filter by date, and one by measure
SELECT LOWER(CAST(CAST("visits"."page" AS TEXT) AS TEXT)) AS "Calculation_1562467608097775616",
  SUM("visits"."amount") AS "sum:amount:ok"
FROM "public"."visits" "visits"
WHERE (("visits"."day" >= (DATE '2024-01-01')) AND ("visits"."day" <= (DATE '2024-03-31')))
GROUP BY 1
HAVING ((SUM("visits"."amount") >= -999999.99999998999) AND (SUM("visits"."amount") <= 2000000.00000002))

--! 3 rows, epsilon 0.5: by month
SELECT DATE_TRUNC( 'MONTH', CAST("visits"."ts" AS DATE) ) AS "tmn:ts:ok",
  COUNT(DISTINCT "visits"."visitor") AS "ctd:visitor:ok"
FROM "public"."visits" "visits"
GROUP BY 1

--! 52 rows, epsilon 0.5: a heat map by week
SELECT "visits"."page" AS "page",
  DATE_TRUNC( 'WEEK', CAST("visits"."ts" AS DATE) ) AS "twk:ts:ok",
  SUM(1) AS "cnt:visits:ok"
FROM "public"."visits" "visits"
GROUP BY 1,
  2

--! 14 rows, epsilon 0.5: by week, where weeks begin on Sunday
SELECT CAST((DATE_TRUNC( 'DAY', CAST("visits"."ts" AS DATE) ) + (-EXTRACT(DOW FROM "visits"."ts") * INTERVAL '1 DAY')) AS DATE) AS "twk:ts:ok",
  SUM(1) AS "cnt:visits:ok"
FROM "public"."visits" "visits"
GROUP BY 1

--! 1 row, epsilon 0.5: by year, with a filter that excludes
SELECT CAST(EXTRACT(YEAR FROM "visits"."ts") AS INTEGER) AS "yr:ts:ok",
  AVG(CAST("visits"."amount" AS DOUBLE PRECISION)) AS "avg:amount:ok"
FROM "public"."visits" "visits"
WHERE ((NOT ("visits"."page" IN ('help', 'news'))) AND ("visits"."ts" >= (TIMESTAMP '2024-01-01 00:00:00.000')))
GROUP BY 1

--! 13 rows, epsilon 0.5: bins
SELECT CAST(FLOOR("visits"."age" / 10.0) AS BIGINT) AS "Age (bin)",
  SUM(1) AS "cnt:visits:ok"
FROM "public"."visits" "visits"
GROUP BY 1

--! 1 row, epsilon 0.5: a median
SELECT PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY "visits"."amount") AS "med:amount:ok"
FROM "public"."visits" "visits"
HAVING (COUNT(1) > 0)

--! 3 rows, epsilon 0.5: a relationship to a public table
SELECT "pages"."topic" AS "topic",
  SUM(1) AS "cnt:visits:ok"
FROM "public"."visits" "visits"
  INNER JOIN "public"."pages" "pages" ON ("visits"."page" = "pages"."name")
GROUP BY 1

--! refused 0A000: the top tab of a filter, which joins the table to its own top
SELECT "visits"."page" AS "page",
  SUM(1) AS "cnt:visits:ok"
FROM "public"."visits" "visits"
  INNER JOIN (
  SELECT "visits"."page" AS "page",
    SUM(1) AS "$__alias__0"
  FROM "public"."visits" "visits"
  GROUP BY 1
  ORDER BY 2 DESC,
    1 ASC
  LIMIT 10
) "t0" ON ("visits"."page" = "t0"."page")
GROUP BY 1

--! 2 rows, epsilon 0.5: custom SQL with the top instead
SELECT "Custom SQL Query"."page" AS "page",
  SUM("Custom SQL Query"."n") AS "sum:n:ok"
FROM (
  SELECT page, count(*) AS n FROM visits GROUP BY page ORDER BY n DESC LIMIT 2
) "Custom SQL Query"
GROUP BY 1

-- Not from logs, but written in Tableau's form: sets, levels of detail, cohorts, names of days.

--! refused 0A000: a filter of a set, computed by a measure
SELECT "visits"."page" AS "page",
  AVG("visits"."amount") AS "avg:amount:ok"
FROM "public"."visits" "visits"
  INNER JOIN (
  SELECT "visits"."page" AS "page"
  FROM "public"."visits" "visits"
  GROUP BY 1
  HAVING (SUM("visits"."amount") > 1000)
) "t0" ON ("visits"."page" = "t0"."page")
GROUP BY 1

--! 4 rows, epsilon 0.5: a level of detail of each person, averaged
SELECT "t0"."page" AS "page",
  AVG("t0"."__measure__0") AS "avg:Calculation_1:ok"
FROM (
  SELECT "visits"."page" AS "page",
    "visits"."visitor" AS "visitor",
    SUM("visits"."amount") AS "__measure__0"
  FROM "public"."visits" "visits"
  GROUP BY 1,
    2
) "t0"
GROUP BY 1

--! 3 rows, epsilon 0.5: a cohort, by the year and month of each person's first visit
SELECT CAST(DATE_TRUNC( 'MONTH', CAST("t0"."__measure__0" AS DATE) ) AS DATE) AS "tmn:Calculation_2:ok",
  COUNT(DISTINCT "visits"."visitor") AS "ctd:visitor:ok"
FROM "public"."visits" "visits"
  INNER JOIN (
  SELECT "visits"."visitor" AS "visitor",
    MIN("visits"."ts") AS "__measure__0"
  FROM "public"."visits" "visits"
  GROUP BY 1
) "t0" ON ("visits"."visitor" = "t0"."visitor")
GROUP BY 1

--! 4 rows, epsilon 0.5: a level of detail over all, as a share
SELECT "t0"."page" AS "page",
  "t0"."__measure__0" / "t1"."__measure__1" AS "usr:Calculation_3:ok"
FROM (
  SELECT "visits"."page" AS "page",
    SUM("visits"."amount") AS "__measure__0"
  FROM "public"."visits" "visits"
  GROUP BY 1
) "t0"
  CROSS JOIN (
  SELECT SUM("visits"."amount") AS "__measure__1"
  FROM "public"."visits" "visits"
  HAVING (COUNT(1) > 0)
) "t1"

--! 1 row, epsilon 0.5: quarters, and the number of those who spent much
SELECT DATE_TRUNC( 'QUARTER', CAST("visits"."ts" AS TIMESTAMP WITHOUT TIME ZONE) ) AS "tqr:ts:ok",
  COUNT(DISTINCT (CASE WHEN ("visits"."amount" > 50) THEN "visits"."visitor" ELSE NULL END)) AS "usr:Calculation_4:ok"
FROM "public"."visits" "visits"
GROUP BY 1

--! 7 rows, epsilon 0.5: the name of the weekday, and text of a number
SELECT TRIM(TO_CHAR(CAST("visits"."ts" AS TIMESTAMP), 'Day')) AS "Calculation_5",
  SUM(1) AS "cnt:visits:ok"
FROM "public"."visits" "visits"
GROUP BY 1

--! 3 rows, epsilon 0.5: parts of a date
SELECT CAST(TRUNC(EXTRACT(MONTH FROM "visits"."ts")) AS INTEGER) AS "mn:ts:ok",
  CAST(TRUNC(EXTRACT(QUARTER FROM "visits"."ts")) AS INTEGER) AS "qr:ts:ok",
  SUM(1) AS "cnt:visits:ok"
FROM "public"."visits" "visits"
GROUP BY 1,
  2

--! 3 rows, epsilon 0.5: a relationship whose measure is counted apart
SELECT "t0"."topic" AS "topic",
  "t1"."X_measure__0" AS "sum:amount:ok"
FROM (
  SELECT "pages"."topic" AS "topic"
  FROM "public"."pages" "pages"
  GROUP BY 1
) "t0"
  LEFT JOIN (
  SELECT "pages"."topic" AS "topic",
    SUM("visits"."amount") AS "X_measure__0"
  FROM "public"."visits" "visits"
    INNER JOIN "public"."pages" "pages" ON ("visits"."page" = "pages"."name")
  GROUP BY 1
) "t1" ON ("t0"."topic" = "t1"."topic")

--! refused 0A000: an extract
SELECT "visits"."visitor" AS "visitor", "visits"."page" AS "page" FROM "public"."visits" "visits"

--! done: Initial SQL
SET dp_epsilon = 0.25

--! 1 row, epsilon 0.25: another epsilon is another question
SELECT SUM("visits"."age") AS "sum:age:ok"
FROM "public"."visits" "visits"
HAVING (COUNT(1) > 0)
