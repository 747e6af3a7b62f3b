-- Metabase, through pgJDBC: prepared statements, constants as parameters or written into the text.
-- From metabase/driver/postgres.clj and sql_jdbc/execute.clj, and docs/databases/sync-scan.md.

--! protocol: extended

-- Connecting.

--! done: pgJDBC
SET extra_float_digits = 3

--! done: pgJDBC
SET application_name = 'Metabase v0.50.0 [12345678-1234-5678-1234-567812345678]'

--! done: the pool
SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY

--! done: the isolation of a report
SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ UNCOMMITTED

--! done: the zone of reports
SET SESSION TIMEZONE TO 'UTC'

--! 1 row: the zone of the database
show timezone;

--! 1 row: whether it is there
SELECT 1

-- Synchronizing.

--! 2 rows: tables
SELECT "n"."nspname" AS "schema", "c"."relname" AS "name",
CASE "c"."relkind" WHEN 'r' THEN 'TABLE' WHEN 'p' THEN 'PARTITIONED TABLE' WHEN 'v' THEN 'VIEW'
WHEN 'f' THEN 'FOREIGN TABLE' WHEN 'm' THEN 'MATERIALIZED VIEW' ELSE NULL END AS "type",
"d"."description" AS "description", NULLIF("stat"."n_live_tup", 0) AS "estimated_row_count"
FROM "pg_catalog"."pg_class" AS "c"
INNER JOIN "pg_catalog"."pg_namespace" AS "n" ON "c"."relnamespace" = "n"."oid"
LEFT JOIN "pg_catalog"."pg_description" AS "d" ON ("c"."oid" = "d"."objoid") AND ("d"."objsubid" = 0)
AND ("d"."classoid" = 'pg_class'::regclass)
LEFT JOIN "pg_stat_user_tables" AS "stat" ON ("n"."nspname" = "stat"."schemaname")
AND ("c"."relname" = "stat"."relname")
WHERE ("c"."relnamespace" = "n"."oid") AND ("n"."nspname" !~ '^pg_') AND ("n"."nspname" <> 'information_schema')
AND (c.relkind in ('r', 'p', 'v', 'f', 'm')) AND ("n"."nspname" IN ('public'))
ORDER BY "type" ASC, "schema" ASC, "name" ASC

--! 6 rows: columns
SELECT "c"."column_name" AS "name",
CASE WHEN "c"."udt_schema" IN ('public', 'pg_catalog') THEN FORMAT('%s', "c"."udt_name")
ELSE FORMAT('"%s"."%s"', "c"."udt_schema", "c"."udt_name") END AS "database-type",
"c"."ordinal_position" - 1 AS "database-position", "c"."table_schema" AS "table-schema",
"c"."table_name" AS "table-name", "pk"."column_name" IS NOT NULL AS "pk?",
COL_DESCRIPTION(CAST(CAST(FORMAT('%I.%I', CAST("c"."table_schema" AS TEXT), CAST("c"."table_name" AS TEXT))
AS REGCLASS) AS OID), "c"."ordinal_position") AS "field-comment",
(("column_default" IS NULL) OR (LOWER("column_default") = 'null')) AND ("is_nullable" = 'NO')
AND NOT ((("column_default" IS NOT NULL) AND ("column_default" LIKE '%nextval(%'))
OR ("is_identity" <> 'NO')) AS "database-required",
(("column_default" IS NOT NULL) AND ("column_default" LIKE '%nextval(%')) OR ("is_identity" <> 'NO')
AS "database-is-auto-increment"
FROM "information_schema"."columns" AS "c"
LEFT JOIN (SELECT "tc"."table_schema", "tc"."table_name", "kc"."column_name"
FROM "information_schema"."table_constraints" AS "tc"
INNER JOIN "information_schema"."key_column_usage" AS "kc" ON ("tc"."constraint_name" = "kc"."constraint_name")
AND ("tc"."table_schema" = "kc"."table_schema") AND ("tc"."table_name" = "kc"."table_name")
WHERE "tc"."constraint_type" = 'PRIMARY KEY') AS "pk"
ON ("c"."table_schema" = "pk"."table_schema") AND ("c"."table_name" = "pk"."table_name")
AND ("c"."column_name" = "pk"."column_name")
WHERE c.table_schema !~ '^information_schema|catalog_history|pg_' AND ("c"."table_schema" IN ('public'))
AND ("c"."table_name" IN ('visits'))
UNION ALL
SELECT "pa"."attname" AS "name",
CASE WHEN "ptn"."nspname" IN ('public', 'pg_catalog') THEN FORMAT('%s', "pt"."typname")
ELSE FORMAT('"%s"."%s"', "ptn"."nspname", "pt"."typname") END AS "database-type",
"pa"."attnum" - 1 AS "database-position", "pn"."nspname" AS "table-schema", "pc"."relname" AS "table-name",
FALSE AS "pk?", NULL AS "field-comment", FALSE AS "database-required", FALSE AS "database-is-auto-increment"
FROM "pg_catalog"."pg_class" AS "pc"
INNER JOIN "pg_catalog"."pg_namespace" AS "pn" ON "pn"."oid" = "pc"."relnamespace"
INNER JOIN "pg_catalog"."pg_attribute" AS "pa" ON "pa"."attrelid" = "pc"."oid"
INNER JOIN "pg_catalog"."pg_type" AS "pt" ON "pt"."oid" = "pa"."atttypid"
INNER JOIN "pg_catalog"."pg_namespace" AS "ptn" ON "ptn"."oid" = "pt"."typnamespace"
WHERE ("pc"."relkind" = 'm') AND ("pa"."attnum" >= 1) AND ("pn"."nspname" IN ('public'))
ORDER BY "table-schema" ASC, "table-name" ASC, "database-position" ASC

--! 0 rows: foreign keys
SELECT "fk_ns"."nspname" AS "fk-table-schema", "fk_table"."relname" AS "fk-table-name",
"fk_column"."attname" AS "fk-column-name", "pk_ns"."nspname" AS "pk-table-schema",
"pk_table"."relname" AS "pk-table-name", "pk_column"."attname" AS "pk-column-name"
FROM "pg_constraint" AS "c"
INNER JOIN "pg_class" AS "fk_table" ON "c"."conrelid" = "fk_table"."oid"
INNER JOIN "pg_namespace" AS "fk_ns" ON "c"."connamespace" = "fk_ns"."oid"
INNER JOIN "pg_attribute" AS "fk_column" ON "c"."conrelid" = "fk_column"."attrelid"
INNER JOIN "pg_class" AS "pk_table" ON "c"."confrelid" = "pk_table"."oid"
INNER JOIN "pg_namespace" AS "pk_ns" ON "pk_table"."relnamespace" = "pk_ns"."oid"
INNER JOIN "pg_attribute" AS "pk_column" ON "c"."confrelid" = "pk_column"."attrelid"
WHERE fk_ns.nspname !~ '^information_schema|catalog_history|pg_' AND ("c"."contype" = 'f'::char)
AND ("fk_column"."attnum" = ANY(c.conkey)) AND ("pk_column"."attnum" = ANY(c.confkey))
AND ("fk_ns"."nspname" IN ('public'))
ORDER BY "fk-table-schema" ASC, "fk-table-name" ASC

--! rows: rights
with table_privileges as (
select NULL as role, t.schemaname as schema, t.objectname as table,
pg_catalog.has_any_column_privilege(current_user, '"' || t.schemaname || '"' || '.' || '"' || t.objectname || '"', 'update') as update,
pg_catalog.has_any_column_privilege(current_user, '"' || t.schemaname || '"' || '.' || '"' || t.objectname || '"', 'select') as select,
pg_catalog.has_any_column_privilege(current_user, '"' || t.schemaname || '"' || '.' || '"' || t.objectname || '"', 'insert') as insert,
pg_catalog.has_table_privilege(current_user, '"' || t.schemaname || '"' || '.' || '"' || t.objectname || '"', 'delete') as delete
from (
select schemaname, tablename as objectname from pg_catalog.pg_tables
union
select schemaname, viewname as objectname from pg_catalog.pg_views
union
select schemaname, matviewname as objectname from pg_catalog.pg_matviews
) t
where t.schemaname !~ '^pg_' and t.schemaname <> 'information_schema'
and pg_catalog.has_schema_privilege(current_user, t.schemaname, 'usage')
)
select t.* from table_privileges t

--! 0 rows: enums
SELECT nspname, typname FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace
WHERE t.oid IN (SELECT DISTINCT enumtypid FROM pg_enum e)

-- Fingerprints, scans and previews.

--! refused 0A000: a fingerprint
SELECT SUBSTRING("public"."visits"."page", 1, 1234) AS "page", "public"."visits"."age" AS "age" FROM "public"."visits" LIMIT 10000

--! 4 rows: a scan for the values of a filter, which the domain lists
SELECT "public"."visits"."page" AS "page" FROM "public"."visits" GROUP BY "public"."visits"."page" ORDER BY "public"."visits"."page" ASC LIMIT 1001

--! refused 0A000: the same, of a column with a range only
SELECT "public"."visits"."ts" AS "ts" FROM "public"."visits" GROUP BY "public"."visits"."ts" ORDER BY "public"."visits"."ts" ASC LIMIT 1001

--! refused 0A000: browsing a private table
-- Metabase:: userID: 1 queryType: MBQL queryHash: 2f2bf5a8c3ef5a2c9b0d6f4b6ab6ef5f0a7c1f2d3e4b5a69788796a5b4c3d2e1
SELECT "public"."visits"."visitor" AS "visitor", "public"."visits"."page" AS "page", "public"."visits"."ts" AS "ts" FROM "public"."visits" LIMIT 2000

--! 4 rows: browsing a public table
-- Metabase:: userID: 1 queryType: MBQL queryHash: 3f2bf5a8c3ef5a2c9b0d6f4b6ab6ef5f0a7c1f2d3e4b5a69788796a5b4c3d2e1
SELECT "public"."pages"."name" AS "name", "public"."pages"."topic" AS "topic" FROM "public"."pages" LIMIT 2000

-- Questions.

--! 1 row, epsilon 0.5: count
-- Metabase:: userID: 1 queryType: MBQL queryHash: 4f2bf5a8c3ef5a2c9b0d6f4b6ab6ef5f0a7c1f2d3e4b5a69788796a5b4c3d2e1
SELECT COUNT(*) AS "count" FROM "public"."visits"

--! 1 row: the same for another user of Metabase
-- Metabase:: userID: 2 queryType: MBQL queryHash: 4f2bf5a8c3ef5a2c9b0d6f4b6ab6ef5f0a7c1f2d3e4b5a69788796a5b4c3d2e1
SELECT COUNT(*) AS "count" FROM "public"."visits"

--! 4 rows, epsilon 0.5: bars
SELECT "public"."visits"."page" AS "page", COUNT(*) AS "count" FROM "public"."visits" GROUP BY "public"."visits"."page" ORDER BY "count" DESC, "public"."visits"."page" ASC LIMIT 10

--! 3 rows, epsilon 0.5: by month
SELECT DATE_TRUNC('month', "public"."visits"."ts") AS "ts", COUNT(*) AS "count" FROM "public"."visits" GROUP BY DATE_TRUNC('month', "public"."visits"."ts") ORDER BY DATE_TRUNC('month', "public"."visits"."ts") ASC

--! 91 rows, epsilon 0.5: by day
SELECT CAST("public"."visits"."ts" AS date) AS "ts", COUNT(*) AS "count" FROM "public"."visits" GROUP BY CAST("public"."visits"."ts" AS date) ORDER BY CAST("public"."visits"."ts" AS date) ASC

--! 14 rows, epsilon 0.5: by week, which begins on Sunday
SELECT (DATE_TRUNC('week', ("public"."visits"."ts" + INTERVAL '1 day')) + INTERVAL '-1 day') AS "ts", COUNT(*) AS "count" FROM "public"."visits" GROUP BY (DATE_TRUNC('week', ("public"."visits"."ts" + INTERVAL '1 day')) + INTERVAL '-1 day') ORDER BY (DATE_TRUNC('week', ("public"."visits"."ts" + INTERVAL '1 day')) + INTERVAL '-1 day') ASC

--! 3 rows, epsilon 0.5: by month of a date
SELECT CAST(DATE_TRUNC('month', "public"."visits"."day") AS date) AS "day", SUM("public"."visits"."amount") AS "sum" FROM "public"."visits" GROUP BY CAST(DATE_TRUNC('month', "public"."visits"."day") AS date) ORDER BY CAST(DATE_TRUNC('month', "public"."visits"."day") AS date) ASC

--! 24 rows, epsilon 0.5: by hour of day
SELECT CAST(extract(hour from "public"."visits"."ts") AS integer) AS "ts", COUNT(*) AS "count" FROM "public"."visits" GROUP BY CAST(extract(hour from "public"."visits"."ts") AS integer) ORDER BY CAST(extract(hour from "public"."visits"."ts") AS integer) ASC

--! 7 rows, epsilon 0.5: by day of week
SELECT (CAST(extract(dow from "public"."visits"."ts") AS integer) + 1) AS "ts", COUNT(*) AS "count" FROM "public"."visits" GROUP BY (CAST(extract(dow from "public"."visits"."ts") AS integer) + 1) ORDER BY (CAST(extract(dow from "public"."visits"."ts") AS integer) + 1) ASC

--! 13 rows, epsilon 0.5: bins
SELECT FLOOR(("public"."visits"."age" / 10.0)) * 10.0 AS "age", COUNT(*) AS "count" FROM "public"."visits" GROUP BY FLOOR(("public"."visits"."age" / 10.0)) * 10.0 ORDER BY FLOOR(("public"."visits"."age" / 10.0)) * 10.0 ASC

--! 9 rows, epsilon 0.5: bins that begin elsewhere, of a number with places
SELECT ((FLOOR((("public"."visits"."amount" - 5.0) / 12.5)) * 12.5) + 5.0) AS "amount", COUNT(*) AS "count" FROM "public"."visits" GROUP BY ((FLOOR((("public"."visits"."amount" - 5.0) / 12.5)) * 12.5) + 5.0) ORDER BY ((FLOOR((("public"."visits"."amount" - 5.0) / 12.5)) * 12.5) + 5.0) ASC

--! 4 rows, epsilon 0.5: averages and medians
SELECT "public"."visits"."page" AS "page", AVG("public"."visits"."amount") AS "avg", PERCENTILE_CONT(0.5) within group (order by "public"."visits"."age") AS "median", count(distinct "public"."visits"."visitor") AS "count" FROM "public"."visits" GROUP BY "public"."visits"."page" ORDER BY "public"."visits"."page" ASC

--! 1 row, epsilon 0.5: standard deviations
SELECT STDDEV_POP("public"."visits"."amount") AS "stddev" FROM "public"."visits"

--! 1 row, epsilon 0.5: a share
SELECT CAST(SUM(CASE WHEN "public"."visits"."age" > 30 THEN 1 ELSE 0.0 END) AS DOUBLE PRECISION) / NULLIF(CAST(COUNT(*) AS DOUBLE PRECISION), 0) AS "share" FROM "public"."visits"

--! 4 rows: a running sum of the bars
SELECT "public"."visits"."page" AS "page", SUM(COUNT(*)) OVER (ORDER BY "public"."visits"."page" ASC ROWS UNBOUNDED PRECEDING) AS "sum" FROM "public"."visits" GROUP BY "public"."visits"."page" ORDER BY "public"."visits"."page" ASC

--! 4 rows, epsilon 0.5: a question on a model
SELECT "source"."page" AS "page", COUNT(*) AS "count" FROM (SELECT "public"."visits"."visitor" AS "visitor", "public"."visits"."page" AS "page", "public"."visits"."age" AS "age" FROM "public"."visits" WHERE "public"."visits"."age" > 20) AS "source" GROUP BY "source"."page" ORDER BY "source"."page" ASC

--! 4 rows, epsilon 0.5: a join
SELECT "Pages"."topic" AS "Pages__topic", COUNT(*) AS "count" FROM "public"."visits" LEFT JOIN "public"."pages" AS "Pages" ON "public"."visits"."page" = "Pages"."name" GROUP BY "Pages"."topic" ORDER BY "Pages"."topic" ASC

-- Filters.

--! 1 row, epsilon 0.5: fixed dates
SELECT COUNT(*) AS "count" FROM "public"."visits" WHERE ("public"."visits"."ts" >= timestamp with time zone '2024-01-01 00:00:00.000Z') AND ("public"."visits"."ts" < timestamp with time zone '2024-02-01 00:00:00.000Z')

--! 1 row: the same dates as parameters
--! with: timestamptz 2024-01-01 00:00:00+00, timestamptz 2024-02-01 00:00:00+00
SELECT COUNT(*) AS "count" FROM "public"."visits" WHERE ("public"."visits"."ts" >= $1) AND ("public"."visits"."ts" < $2)

--! 1 row, epsilon 0.5: a day
--! with: date 2024-01-05
SELECT COUNT(*) AS "count" FROM "public"."visits" WHERE "public"."visits"."day" = $1

--! 1 row: a text, whose count is one of the bars
--! with: varchar home
SELECT COUNT(*) AS "count" FROM "public"."visits" WHERE "public"."visits"."page" = $1

--! 1 row, epsilon 0.5: part of a text, in small letters
--! with: varchar %ho%
SELECT COUNT(*) AS "count" FROM "public"."visits" WHERE (LOWER("public"."visits"."page") LIKE $1)

--! 1 row, epsilon 0.5: empty, and between
--! with: int4 20, int4 40
SELECT COUNT(*) AS "count" FROM "public"."visits" WHERE (("public"."visits"."page" IS NULL) OR ("public"."visits"."page" = '')) OR ("public"."visits"."age" BETWEEN $1 AND $2)

--! 1 row, epsilon 0.5: dates relative to today
SELECT COUNT(*) AS "count" FROM "public"."visits" WHERE ("public"."visits"."ts" >= DATE_TRUNC('day', (NOW() + INTERVAL '-30 day'))) AND ("public"."visits"."ts" < DATE_TRUNC('day', NOW()))
