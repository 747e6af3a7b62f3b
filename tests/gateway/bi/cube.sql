-- Cube, with its PostgreSQL driver: measures and dimensions of a data model, time dimensions in a zone, parameters.
-- Not recorded: written in the form that its schema compiler makes.

--! protocol: extended

--! 8 rows: the tables and their columns
SELECT columns.column_name as "column_name",
       columns.table_name as "table_name",
       columns.table_schema as "table_schema",
       columns.data_type as "data_type"
  FROM information_schema.columns
 WHERE columns.table_schema NOT IN ('pg_catalog', 'information_schema', 'mysql', 'performance_schema', 'sys', 'INFORMATION_SCHEMA')

--! 1 row: a connection is tested
--! with: int4 1
SELECT $1::int AS number

--! 1 row, epsilon 0.5: a count
SELECT
      count(*) "visits__count"
    FROM
      public.visits AS "visits"  LIMIT 10000

--! 4 rows, epsilon 0.5: by a dimension
SELECT
      "visits".page "visits__page", count(*) "visits__count"
    FROM
      public.visits AS "visits"  GROUP BY 1 ORDER BY 2 DESC LIMIT 10000

--! 4 rows: the same again
SELECT
      "visits".page "visits__page", count(*) "visits__count"
    FROM
      public.visits AS "visits"  GROUP BY 1 ORDER BY 2 DESC LIMIT 10000

--! 31 rows, epsilon 0.5: by day of a time dimension, in a range
--! with: varchar 2024-01-01T00:00:00.000Z, varchar 2024-01-31T23:59:59.999Z
SELECT
      date_trunc('day', ("visits".ts::timestamptz AT TIME ZONE 'UTC')) "visits__ts_day", count(*) "visits__count"
    FROM
      public.visits AS "visits"  WHERE ("visits".ts >= $1::timestamptz AND "visits".ts <= $2::timestamptz) GROUP BY 1 ORDER BY 1 ASC LIMIT 10000

--! 4 rows, epsilon 0.5: by month in another zone
SELECT
      date_trunc('month', ("visits".ts::timestamptz AT TIME ZONE 'Europe/Berlin')) "visits__ts_month", count(*) "visits__count"
    FROM
      public.visits AS "visits"  GROUP BY 1 ORDER BY 1 ASC LIMIT 10000

--! 1 row, epsilon 0.5: a filter that equals, and a distinct count
--! with: varchar home
SELECT
      count(distinct "visits".visitor) "visits__people", sum("visits".amount) "visits__revenue"
    FROM
      public.visits AS "visits"  WHERE ("visits".page = $1) LIMIT 10000

--! 1 row, epsilon 0.5: a filter that contains
--! with: varchar o
SELECT
      count(*) "visits__count"
    FROM
      public.visits AS "visits"  WHERE ("visits".page ILIKE '%' || $1 || '%') LIMIT 10000

--! 2 rows, epsilon 0.5: a filter that is set, and one of several values
--! with: varchar home, varchar shop
SELECT
      "visits".page "visits__page", avg("visits".amount) "visits__mean"
    FROM
      public.visits AS "visits"  WHERE ("visits".page IS NOT NULL) AND ("visits".page IN ($1, $2)) GROUP BY 1 ORDER BY 2 DESC LIMIT 10000

--! 3 rows: a filter of a measure, which follows from the measure by page
--! with: varchar 250
SELECT
      "visits".page "visits__page", count(*) "visits__count"
    FROM
      public.visits AS "visits"  GROUP BY 1 HAVING (count(*) > $1::numeric) ORDER BY 2 DESC LIMIT 10000

--! 1 row, epsilon 0.5: a filtered measure, and a calculated one
SELECT
      count(CASE WHEN ("visits".amount > 50) THEN 1 END) "visits__large", (100.0 * count(CASE WHEN ("visits".amount > 50) THEN 1 END) / NULLIF(count(*), 0)) "visits__share"
    FROM
      public.visits AS "visits"  LIMIT 10000

--! 4 rows, epsilon 0.5: a joined cube
SELECT
      "pages".topic "pages__topic", count(*) "visits__count"
    FROM
      public.visits AS "visits"
LEFT JOIN public.pages AS "pages" ON "visits".page = "pages".name  GROUP BY 1 ORDER BY 2 DESC LIMIT 10000

--! 3 rows, epsilon 0.5: a dimension with cases
SELECT
      CASE WHEN "visits".age < 30 THEN 'young' WHEN "visits".age < 60 THEN 'middle' ELSE 'old' END "visits__band", count(*) "visits__count"
    FROM
      public.visits AS "visits"  GROUP BY 1 ORDER BY 2 DESC LIMIT 10000

--! 3 rows, epsilon 0.5: the keys of a joined cube, which multiplies rows
SELECT
      "keys"."pages__topic", count("visits_key__visits".visitor) "visits__count"
    FROM
      (SELECT DISTINCT "pages".topic "pages__topic", "visits".visitor "visits__visitor"
    FROM
      public.visits AS "visits"
LEFT JOIN public.pages AS "pages" ON "visits".page = "pages".name) AS "keys"
LEFT JOIN public.visits AS "visits_key__visits" ON "keys"."visits__visitor" = "visits_key__visits".visitor  GROUP BY 1 ORDER BY 2 DESC LIMIT 10000

--! 2 rows, epsilon 0.5: a rolling window over a series of days
SELECT
      q_0."visits__ts_day", "visits__rolling" "visits__rolling"
    FROM
      (SELECT "visits.ts_series"."date_from" "visits__ts_day", sum("visits__rolling") "visits__rolling"
    FROM
      (SELECT date_from::timestamp AS "date_from", date_to::timestamp AS "date_to" FROM (VALUES ('2024-01-01T00:00:00.000', '2024-01-01T23:59:59.999'), ('2024-01-02T00:00:00.000', '2024-01-02T23:59:59.999')) AS dates (date_from, date_to)) AS "visits.ts_series"
LEFT JOIN (SELECT date_trunc('day', ("visits".ts::timestamptz AT TIME ZONE 'UTC')) "visits__ts_day", sum("visits".amount) "visits__rolling" FROM public.visits AS "visits" GROUP BY 1) AS base
      ON base."visits__ts_day" > "visits.ts_series"."date_to" - interval '7 day' AND base."visits__ts_day" <= "visits.ts_series"."date_to"
    GROUP BY 1) as q_0  ORDER BY 1 ASC LIMIT 10000

--! 4 rows, epsilon 0.5: two measures, each with its own filter of time
SELECT
      q_0."visits__page", "visits__now" "visits__now", "visits__before" "visits__before"
    FROM
      (SELECT "visits".page "visits__page", count(*) "visits__now" FROM public.visits AS "visits" WHERE "visits".ts >= '2024-02-01'::timestamptz GROUP BY 1) as q_0
INNER JOIN
      (SELECT "visits".page "visits__page", count(*) "visits__before" FROM public.visits AS "visits" WHERE "visits".ts < '2024-02-01'::timestamptz GROUP BY 1) as q_1
    ON (q_0."visits__page" = q_1."visits__page" OR (q_0."visits__page" IS NULL AND q_1."visits__page" IS NULL))  ORDER BY 2 DESC LIMIT 10000

--! 1 row: a refresh key of its cache
SELECT FLOOR((EXTRACT(EPOCH FROM NOW())) / 3600) as refresh_key

--! 1 row, epsilon 0.5: a refresh key of the data
SELECT max("visits".ts) FROM public.visits AS "visits"

--! 484 rows: dimensions without a measure
SELECT
      "visits".page "visits__page", "visits".age "visits__age"
    FROM
      public.visits AS "visits"  GROUP BY 1, 2 ORDER BY 1 ASC LIMIT 10000

--! refused 0A000: rows, ungrouped
SELECT
      "visits".page "visits__page", "visits".amount "visits__amount"
    FROM
      public.visits AS "visits"  LIMIT 10000
