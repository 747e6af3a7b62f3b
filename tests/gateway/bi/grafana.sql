-- Grafana, through its PostgreSQL data source: simple queries; a macro is written out before it is sent.
-- From pkg/tsdb/grafana-postgresql-datasource/macros.go, and the query editor's own queries.

--! protocol: simple

--! 1 row: whether it is there
SELECT 1

--! 1 row: the version
SELECT current_setting('server_version_num')::int/100 as version

--! 0 rows: whether it is TimescaleDB
SELECT extversion FROM pg_extension WHERE extname = 'timescaledb'

--! 2 rows: tables
SELECT
CASE WHEN quote_ident(table_schema) IN (
SELECT CASE WHEN trim(s[i]) = '"$user"' THEN user ELSE trim(s[i]) END
FROM generate_series(
array_lower(string_to_array(current_setting('search_path'),','),1),
array_upper(string_to_array(current_setting('search_path'),','),1)
) as i,
string_to_array(current_setting('search_path'),',') s
)
THEN quote_ident(table_name)
ELSE quote_ident(table_schema) || '.' || quote_ident(table_name)
END AS "table"
FROM information_schema.tables
WHERE quote_ident(table_schema) NOT IN ('information_schema', 'pg_catalog', '_timescaledb_cache')
ORDER BY CASE WHEN quote_ident(table_schema) IN (
SELECT CASE WHEN trim(s[i]) = '"$user"' THEN user ELSE trim(s[i]) END
FROM generate_series(
array_lower(string_to_array(current_setting('search_path'),','),1),
array_upper(string_to_array(current_setting('search_path'),','),1)
) as i,
string_to_array(current_setting('search_path'),',') s
) THEN 0 ELSE 1 END, 1

--! 6 rows: columns
SELECT quote_ident(column_name) AS "column", data_type AS "type"
FROM information_schema.columns
WHERE
CASE WHEN array_length(parse_ident('visits'),1) = 2
THEN quote_ident(table_schema) = (parse_ident('visits'))[1]
AND quote_ident(table_name) = (parse_ident('visits'))[2]
ELSE quote_ident(table_name) = (parse_ident('visits'))[1]
AND quote_ident(table_schema) IN (
SELECT CASE WHEN trim(s[i]) = '"$user"' THEN user ELSE trim(s[i]) END
FROM generate_series(
array_lower(string_to_array(current_setting('search_path'),','),1),
array_upper(string_to_array(current_setting('search_path'),','),1)
) as i,
string_to_array(current_setting('search_path'),',') s
)
END

-- Panels. $__timeFilter(ts) is `ts BETWEEN ... AND ...`, $__timeGroup(ts, '1d') counts seconds.

--! 91 rows, epsilon 0.5: $__timeGroupAlias(ts, '1d')
SELECT floor(extract(epoch from ts)/86400)*86400 AS "time", count(*) AS "visits" FROM visits WHERE ts BETWEEN '2024-01-01T00:00:00Z' AND '2024-03-31T23:59:59.999Z' GROUP BY 1 ORDER BY 1

--! 91 rows: the panel is refreshed
SELECT floor(extract(epoch from ts)/86400)*86400 AS "time", count(*) AS "visits" FROM visits WHERE ts BETWEEN '2024-01-01T00:00:00Z' AND '2024-03-31T23:59:59.999Z' GROUP BY 1 ORDER BY 1

--! 91 rows, epsilon 0.5: the same a moment later, when the dashboard shows the last 90 days
SELECT floor(extract(epoch from ts)/86400)*86400 AS "time", count(*) AS "visits" FROM visits WHERE ts BETWEEN '2024-01-01T00:00:05Z' AND '2024-03-31T23:59:59.999Z' GROUP BY 1 ORDER BY 1

--! 49 rows, epsilon 0.5: $__timeGroupAlias(ts, '1h')
SELECT floor(extract(epoch from ts)/3600)*3600 AS "time", count(*) AS "visits" FROM visits WHERE ts BETWEEN '2024-01-01T00:00:00Z' AND '2024-01-03T00:00:00Z' GROUP BY 1 ORDER BY 1

--! refused 0A000: $__timeGroupAlias(ts, '1m'), of which there are too many
SELECT floor(extract(epoch from ts)/60)*60 AS "time", count(*) AS "visits" FROM visits WHERE ts BETWEEN '2024-01-01T00:00:00Z' AND '2024-01-01T06:00:00Z' GROUP BY 1 ORDER BY 1

--! 364 rows, epsilon 0.5: a line for each page
SELECT floor(extract(epoch from ts)/86400)*86400 AS "time", page AS metric, count(*) AS "visits" FROM visits WHERE ts BETWEEN '2024-01-01T00:00:00Z' AND '2024-03-31T23:59:59.999Z' GROUP BY time, metric ORDER BY time

--! 4 rows, epsilon 0.5: an interval that Grafana writes with an exponent
SELECT floor(extract(epoch from ts)/2.592e+06)*2.592e+06 AS "time", avg(amount) AS "amount" FROM visits GROUP BY 1 ORDER BY 1

--! rows, epsilon 0.5: days as dates, without those that are noise around zero
SELECT date_trunc('day', ts) AS "time", count(*) AS "visits" FROM visits WHERE ts BETWEEN '2024-01-01T00:00:00Z' AND '2024-03-31T23:59:59.999Z' GROUP BY 1 HAVING count(*) > 0 ORDER BY 1

--! 91 rows, epsilon 0.5: buckets of Postgres 14
SELECT date_bin('1 day', ts, TIMESTAMP '2000-01-01') AS "time", count(DISTINCT visitor) AS "visitors" FROM visits GROUP BY 1 ORDER BY 1

--! 3 rows, epsilon 0.5: a bar chart from the query builder
SELECT page, COUNT(visitor) FROM visits WHERE page <> 'help' GROUP BY page ORDER BY COUNT(visitor) DESC LIMIT 50

--! 1 row, epsilon 0.5: a stat panel, with a dashboard variable of several values
SELECT avg(amount), quantile_cont(amount, 0.9) FROM visits WHERE ts BETWEEN '2024-01-01T00:00:00Z' AND '2024-03-31T23:59:59.999Z' AND page IN ('home','news')

--! 4 rows: the values of a dashboard variable
SELECT DISTINCT page FROM visits

--! 4 rows: the same from a public table
SELECT name AS "__text", name AS "__value" FROM pages

--! refused 0A000: a table of rows, and logs
SELECT ts AS "time", page FROM visits WHERE ts BETWEEN '2024-01-01T00:00:00Z' AND '2024-03-31T23:59:59.999Z' LIMIT 50

--! 1 row, epsilon 0.25: epsilon of one panel
SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = 0.25) count(*) AS "visits" FROM visits WHERE page IN ('home') AND age > 30
