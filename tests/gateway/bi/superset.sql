-- Superset, through SQLAlchemy and psycopg2: simple queries, constants written into the text.
-- From superset/db_engine_specs/postgres.py, superset/models/helpers.py, and the queries that its charts show.

--! protocol: simple

-- Connecting and browsing (SQLAlchemy's reflection is in ../catalog/queries/sqlalchemy).

--! done: a transaction begins
BEGIN

--! 1 row: the version
select pg_catalog.version()

--! 1 row: the schema
select current_schema()

--! 1 row: how texts are written
show standard_conforming_strings

--! done: and ends
ROLLBACK

--! rows: databases, which it calls catalogs
SELECT datname FROM pg_database
WHERE datistemplate = false;

--! rows: schemas
SELECT nspname FROM pg_namespace WHERE nspname NOT LIKE 'pg_%' ORDER BY nspname

--! 2 rows: tables
SELECT pg_catalog.pg_class.relname FROM pg_catalog.pg_class JOIN pg_catalog.pg_namespace ON pg_catalog.pg_namespace.oid = pg_catalog.pg_class.relnamespace WHERE pg_catalog.pg_class.relkind = ANY (ARRAY['r', 'p']) AND pg_catalog.pg_class.relpersistence != 't' AND pg_catalog.pg_namespace.nspname = 'public'

--! done: SQL Lab chooses a schema
set search_path = "public"

--! 1 row: SQL Lab may want to stop a query
SELECT pg_backend_pid()

-- Previews.

--! refused 0A000: the preview of a private table
SELECT
  visitor,
  page,
  ts,
  day,
  age,
  amount
FROM public.visits
LIMIT 100

--! refused 0A000: the samples of a chart
SELECT visitor AS visitor, page AS page, ts AS ts
FROM public.visits
LIMIT 1000

--! refused 0A000: a chart of raw records, and the histogram, which counts in Superset itself
SELECT amount AS amount
FROM public.visits
LIMIT 50000

--! 4 rows: the preview of a public table
SELECT
  name,
  topic
FROM public.pages
LIMIT 100

--! 4 rows: the values of a filter, which the domain lists
SELECT page AS page
FROM public.visits
GROUP BY page
LIMIT 1000

-- Charts.

--! 1 row, epsilon 0.5: big number
SELECT COUNT(*) AS count
FROM public.visits
LIMIT 50000

--! 1 row: the dashboard is loaded again
SELECT COUNT(*) AS count
FROM public.visits
LIMIT 50000

--! 4 rows, epsilon 0.5: bars, with a time range
SELECT page AS page, COUNT(*) AS count
FROM public.visits
WHERE ts >= TO_TIMESTAMP('2024-01-01 00:00:00.000000', 'YYYY-MM-DD HH24:MI:SS.US') AND ts < TO_TIMESTAMP('2024-02-01 00:00:00.000000', 'YYYY-MM-DD HH24:MI:SS.US')
GROUP BY page
ORDER BY count DESC
LIMIT 10000

--! 2 rows, epsilon 0.5: the two largest
SELECT page AS page, COUNT(*) AS count
FROM public.visits
GROUP BY page
ORDER BY count DESC
LIMIT 2

--! 3 rows, epsilon 0.5: a dataset that is a query, and metrics named after their SQL
SELECT page AS page, COUNT(*) AS "COUNT(*)", SUM(amount) AS "SUM(amount)"
FROM (SELECT v.page, v.ts, v.amount, p.topic
FROM visits v
JOIN pages p ON v.page = p.name
) AS virtual_table
WHERE ts >= TO_TIMESTAMP('2024-01-01 00:00:00.000000', 'YYYY-MM-DD HH24:MI:SS.US') AND topic IN ('text', 'main')
GROUP BY page
ORDER BY "COUNT(*)" DESC
LIMIT 10000

--! 13 rows, epsilon 0.5: a line by week
SELECT DATE_TRUNC('week', ts) AS ts, COUNT(DISTINCT visitor) AS "COUNT_DISTINCT(visitor)"
FROM public.visits
WHERE ts >= TO_TIMESTAMP('2024-01-01 00:00:00.000000', 'YYYY-MM-DD HH24:MI:SS.US')
GROUP BY DATE_TRUNC('week', ts)
ORDER BY "COUNT_DISTINCT(visitor)" DESC
LIMIT 10000

--! 12 rows, epsilon 0.5: lines by month and page, or a heat map
SELECT DATE_TRUNC('month', ts) AS __timestamp, page AS page, AVG(amount) AS "AVG(amount)"
FROM public.visits
GROUP BY DATE_TRUNC('month', ts), page
ORDER BY "AVG(amount)" DESC
LIMIT 10000

--! refused 0A000: a line with a series limit, which joins the table to its own top
SELECT DATE_TRUNC('day', ts) AS ts, page AS page, COUNT(*) AS count
FROM public.visits JOIN (SELECT page AS page__, COUNT(*) AS mme_inner__
FROM public.visits
GROUP BY page
ORDER BY mme_inner__ DESC
LIMIT 5) AS series_limit ON page = page__
GROUP BY DATE_TRUNC('day', ts), page
ORDER BY count DESC
LIMIT 10000

--! 31 rows, epsilon 0.5: by day, on a column that is a date
SELECT day AS day, COUNT(*) AS count
FROM public.visits
WHERE day >= TO_DATE('2024-01-01', 'YYYY-MM-DD') AND day < TO_DATE('2024-02-01', 'YYYY-MM-DD')
GROUP BY day
ORDER BY count DESC
LIMIT 10000

--! 1 row, epsilon 0.5: filters
SELECT page AS page, MAX(amount) AS "MAX(amount)"
FROM public.visits
WHERE page IN ('home', 'news') AND page != 'shop' AND age >= 18 AND amount IS NOT NULL AND page ILIKE '%o%'
GROUP BY page
ORDER BY "MAX(amount)" DESC
LIMIT 100

--! 13 rows, epsilon 0.5: bins in custom SQL, instead of the histogram
SELECT floor(age / 10) * 10 AS bin, COUNT(*) AS count
FROM public.visits
GROUP BY floor(age / 10) * 10
ORDER BY count DESC
LIMIT 10000

--! 3 rows: a chart of a public table
SELECT topic AS topic, COUNT(*) AS count
FROM public.pages
GROUP BY topic
ORDER BY count DESC
LIMIT 10000

--! rows: what a query would cost, in SQL Lab
EXPLAIN SELECT page, COUNT(*) FROM public.visits GROUP BY page
