-- Power BI, with its PostgreSQL connector: Npgsql, which wants binary values; queries that Power Query folds.
-- From npgsql/PostgresDatabaseInfo.cs, and query logs that Adobe, RavenDB and others publish.

--! protocol: binary

--! 1 row: the version
SELECT version()

--! rows: types, before the first query
SELECT ns.nspname, t.oid, t.typname, t.typtype, t.typnotnull, t.elemtypoid
FROM (
SELECT typ.oid, typ.typnamespace, typ.typname, typ.typtype, typ.typrelid, typ.typnotnull, typ.relkind,
elemtyp.oid AS elemtypoid, elemtyp.typname AS elemtypname, elemcls.relkind AS elemrelkind,
CASE WHEN elemproc.proname = 'array_recv' THEN 'a' ELSE elemtyp.typtype END AS elemtyptype, typ.typcategory
FROM (
SELECT typ.oid, typnamespace, typname, typrelid, typnotnull, relkind, typelem AS elemoid, typcategory,
CASE WHEN proc.proname = 'array_recv' THEN 'a' ELSE typ.typtype END AS typtype,
CASE
WHEN proc.proname = 'array_recv' THEN typ.typelem
WHEN typ.typtype = 'r' THEN rngsubtype
WHEN typ.typtype = 'm' THEN (SELECT rngtypid FROM pg_range WHERE rngmultitypid = typ.oid)
WHEN typ.typtype = 'd' THEN typ.typbasetype
END AS elemtypoid
FROM pg_type AS typ
LEFT JOIN pg_class AS cls ON (cls.oid = typ.typrelid)
LEFT JOIN pg_proc AS proc ON proc.oid = typ.typreceive
LEFT JOIN pg_range ON (pg_range.rngtypid = typ.oid)
) AS typ
LEFT JOIN pg_type AS elemtyp ON elemtyp.oid = elemtypoid
LEFT JOIN pg_class AS elemcls ON (elemcls.oid = elemtyp.typrelid)
LEFT JOIN pg_proc AS elemproc ON elemproc.oid = elemtyp.typreceive
) AS t
JOIN pg_namespace AS ns ON (ns.oid = typnamespace)
WHERE (typtype IN ('b', 'r', 'm', 'e', 'd') OR (typtype = 'c' AND relkind = 'c')
OR (typtype = 'p' AND typname IN ('record', 'void', 'unknown'))
OR (typtype = 'a' AND (elemtyptype IN ('b', 'r', 'm', 'e', 'd') OR
(elemtyptype = 'p' AND elemtypname IN ('record', 'void')) OR (elemtyptype = 'c' AND elemrelkind = 'c'))))
ORDER BY CASE
WHEN typtype IN ('b', 'e', 'p') THEN 0
WHEN typtype = 'c' THEN 1
WHEN typtype = 'r' THEN 2
WHEN typtype = 'm' THEN 3
WHEN typtype = 'd' AND elemtyptype <> 'a' THEN 4
WHEN typtype = 'a' THEN 5
WHEN typtype = 'd' AND elemtyptype = 'a' THEN 6
END

--! 0 rows: fields of types
SELECT typ.oid, att.attname, att.atttypid
FROM pg_type AS typ
JOIN pg_namespace AS ns ON (ns.oid = typ.typnamespace)
JOIN pg_class AS cls ON (cls.oid = typ.typrelid)
JOIN pg_attribute AS att ON (att.attrelid = typ.typrelid)
WHERE (typ.typtype = 'c' AND cls.relkind = 'c') AND attnum > 0 AND NOT attisdropped
ORDER BY typ.oid, att.attnum

--! 0 rows: enums
SELECT pg_type.oid, enumlabel
FROM pg_enum
JOIN pg_type ON pg_type.oid = enumtypid
ORDER BY oid, enumsortorder

--! 2 rows: tables of the navigator
/* Power BI: the tables of its navigator */
select TABLE_SCHEMA, TABLE_NAME, TABLE_TYPE
from INFORMATION_SCHEMA.tables
where TABLE_SCHEMA not in ('information_schema', 'pg_catalog')
order by TABLE_SCHEMA, TABLE_NAME

--! 6 rows: columns
select COLUMN_NAME, ORDINAL_POSITION, IS_NULLABLE,
case when (udt_name not like '\_%') then data_type else data_type || udt_name end as DATA_TYPE
from INFORMATION_SCHEMA.columns
where TABLE_SCHEMA = 'public' and TABLE_NAME = 'visits'
order by TABLE_SCHEMA, TABLE_NAME, ORDINAL_POSITION

--! 0 rows: keys
select i.CONSTRAINT_SCHEMA || '_' || i.CONSTRAINT_NAME as INDEX_NAME, ii.COLUMN_NAME, ii.ORDINAL_POSITION,
case when i.CONSTRAINT_TYPE = 'PRIMARY KEY' then 'Y' else 'N' end as PRIMARY_KEY
from INFORMATION_SCHEMA.table_constraints i
inner join INFORMATION_SCHEMA.key_column_usage ii
on i.CONSTRAINT_SCHEMA = ii.CONSTRAINT_SCHEMA and i.CONSTRAINT_NAME = ii.CONSTRAINT_NAME
and i.TABLE_SCHEMA = ii.TABLE_SCHEMA and i.TABLE_NAME = ii.TABLE_NAME
where i.TABLE_SCHEMA = 'public' and i.TABLE_NAME = 'visits' and i.CONSTRAINT_TYPE in ('PRIMARY KEY', 'UNIQUE')
order by i.CONSTRAINT_SCHEMA || '_' || i.CONSTRAINT_NAME, ii.TABLE_SCHEMA, ii.TABLE_NAME, ii.ORDINAL_POSITION

--! 0 rows: foreign keys
select pkcol.COLUMN_NAME as PK_COLUMN_NAME, fkcol.TABLE_SCHEMA AS FK_TABLE_SCHEMA,
fkcol.TABLE_NAME AS FK_TABLE_NAME, fkcol.COLUMN_NAME as FK_COLUMN_NAME, fkcol.ORDINAL_POSITION as ORDINAL,
fkcon.CONSTRAINT_SCHEMA || '_' || fkcol.TABLE_NAME || '_' || 'visits' || '_' || fkcon.CONSTRAINT_NAME as FK_NAME
from (select distinct constraint_catalog, constraint_schema, unique_constraint_schema, constraint_name,
unique_constraint_name from INFORMATION_SCHEMA.referential_constraints) fkcon
inner join INFORMATION_SCHEMA.key_column_usage fkcol
on fkcon.CONSTRAINT_SCHEMA = fkcol.CONSTRAINT_SCHEMA and fkcon.CONSTRAINT_NAME = fkcol.CONSTRAINT_NAME
inner join INFORMATION_SCHEMA.key_column_usage pkcol
on fkcon.UNIQUE_CONSTRAINT_SCHEMA = pkcol.CONSTRAINT_SCHEMA
and fkcon.UNIQUE_CONSTRAINT_NAME = pkcol.CONSTRAINT_NAME
where pkcol.TABLE_SCHEMA = 'public' and pkcol.TABLE_NAME = 'visits'
and pkcol.ORDINAL_POSITION = fkcol.ORDINAL_POSITION
order by FK_NAME, fkcol.ORDINAL_POSITION

--! 0 rows: the encoding
select character_set_name from INFORMATION_SCHEMA.character_sets

-- The navigator, and Import.

--! refused 0A000: the preview of a private table, and Import of it
select "$Table"."visitor" as "visitor",
    "$Table"."page" as "page",
    "$Table"."ts" as "ts"
from "public"."visits" "$Table"
limit 1000

--! refused 0A000: the same in its short form
select * from "public"."visits" "$Table" limit 200

--! 4 rows: the preview of a public table
select "$Table"."name" as "name",
    "$Table"."topic" as "topic"
from "public"."pages" "$Table"
limit 1000

--! 4 rows, epsilon 0.5: a native query, for Import or DirectQuery
select * from (SELECT page, count(*) AS visits FROM visits GROUP BY page) "_" limit 4096

-- DirectQuery.

--! 1 row, epsilon 0.5: a card
select count(*) as "a0"
from "public"."visits" "rows"

--! 1 row: the page is refreshed
select count(*) as "a0"
from "public"."visits" "rows"

--! 4 rows: bars, as the native query counted them
select "_"."page",
    "_"."a0"
from
(
    select "rows"."page" as "page",
        count(1) as "a0"
    from "public"."visits" "rows"
    group by "page"
) "_"
where not "_"."a0" is null
limit 1000001

--! 2 rows, epsilon 0.5: a computed column, filters, two measures
select "_"."page_lower",
    "_"."a0",
    "_"."a1"
from
(
    select "rows"."page_lower" as "page_lower",
        sum("rows"."age") as "a0",
        sum("rows"."amount") as "a1"
    from
    (
        select "_"."day" as "day",
            "_"."page" as "page",
            "_"."amount" as "amount",
            "_"."age" as "age",
            lower("_"."page") as "page_lower"
        from
        (
            select "_"."day",
                "_"."page",
                "_"."amount",
                "_"."age"
            from
            (
                select "day",
                    "page",
                    "amount",
                    "age"
                from "public"."visits" "$Table"
            ) "_"
            where ("_"."day" < date '2024-02-01' and "_"."day" >= date '2024-01-01') and ("_"."page" in ('home', 'news'))
        ) "_"
    ) "rows"
    group by "page_lower"
) "_"
where not "_"."a0" is null or not "_"."a1" is null
limit 1000001

--! 91 rows, epsilon 0.5: a line by day
select "_"."day",
    "_"."a0"
from
(
    select "rows"."day" as "day",
        count(1) as "a0"
    from "public"."visits" "rows"
    where "rows"."day" >= date '2024-01-01' and "rows"."day" < date '2024-04-01'
    group by "day"
) "_"
where not "_"."a0" is null
limit 1000001

--! refused 0A000: a moment as it is on an axis, of which there are too many
select "rows"."ts" as "ts",
    count(1) as "a0"
from "public"."visits" "rows"
group by "ts"
limit 1000001

--! 1 row, epsilon 0.5: average and count of a column
select avg(cast("rows"."amount" as double precision)) as "a0",
    count("rows"."amount") as "a1"
from "public"."visits" "rows"

--! 1 row, epsilon 0.5: distinct count, as DAX has it
select count(distinct("rows"."visitor")) + max(case when "rows"."visitor" is null then 1 else 0 end) as "a0"
from "public"."visits" "rows"

--! 1 row, epsilon 0.5: a number in another type
select count(1) as "a0"
from "public"."visits" "rows"
where cast("rows"."age" as decimal) = cast(30 as decimal)

--! 4 rows: a slicer, which the domain fills
select "_"."page" as "c2",
    "_"."t0_0"
from
(
    select "_"."page" as "page",
        "_"."o0" as "o0",
        case when "_"."o0" is not null then "_"."o0" else '' end as "t0_0",
        case when "_"."o0" is null then 0 else 1 end as "t1_0"
    from
    (
        select "rows"."page" as "page",
            "rows"."o0" as "o0"
        from
        (
            select "page" as "page",
                "page" as "o0"
            from "public"."visits" "$Table"
        ) "rows"
        group by "page",
            "o0"
    ) "_"
) "_"
order by "_"."t0_0",
    "_"."t1_0"
limit 501

--! refused 0A000: a slicer of days and pages that is too long
select "rows"."day" as "day",
    "rows"."page" as "page",
    "rows"."age" as "age"
from "public"."visits" "rows"
group by "day",
    "page",
    "age"
limit 501

--! 3 rows, epsilon 0.5: a relationship to a public table
select "$Inner"."topic",
    count(1) as "a0"
from "public"."visits" "$Outer"
inner join "public"."pages" "$Inner" on ("$Outer"."page" = "$Inner"."name")
group by "$Inner"."topic"
limit 1000001

--! done: the connection goes back to the pool
DISCARD ALL
