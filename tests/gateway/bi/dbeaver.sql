-- DBeaver, through pgJDBC: prepared statements, and the catalog as tables of its own.
-- From org.jkiss.dbeaver.ext.postgresql and the result set viewer.

--! protocol: extended

--! done: pgJDBC
SET extra_float_digits = 3

--! done: pgJDBC
SET application_name = 'DBeaver 24.3.0 - Main <shop>'

--! 1 row: the database
SELECT current_database()

--! 1 row: the version
SELECT version()

--! 1 row: the schema
SELECT current_schema(),session_user

--! 1 row: where names are looked up
SHOW search_path

--! done: a schema is chosen
SET search_path = public

--! 1 row: databases
--! with: varchar shop
SELECT db.oid,db.* FROM pg_catalog.pg_database db WHERE 1 = 1 AND datallowconn AND NOT datistemplate OR db.datname =$1

--! rows: schemas
SELECT n.oid,n.*,d.description FROM pg_catalog.pg_namespace n
LEFT OUTER JOIN pg_catalog.pg_description d ON d.objoid=n.oid AND d.objsubid=0 AND d.classoid='pg_namespace'::regclass
ORDER BY nspname

--! rows: types
SELECT t.oid,t.*,c.relkind,format_type(nullif(t.typbasetype, 0), t.typtypmod) as base_type_name, d.description
FROM pg_catalog.pg_type t
LEFT OUTER JOIN pg_catalog.pg_type et ON et.oid=t.typelem
LEFT OUTER JOIN pg_catalog.pg_class c ON c.oid=t.typrelid
LEFT OUTER JOIN pg_catalog.pg_description d ON t.oid=d.objoid
WHERE t.typname IS NOT NULL
AND (c.relkind IS NULL OR c.relkind = 'c') AND (et.typcategory IS NULL OR et.typcategory <> 'C')

--! rows: keywords
SELECT string_agg(word, ',') FROM pg_catalog.pg_get_keywords() WHERE word <> ALL ('{a,abs,absolute}'::text[])

--! rows: roles
SELECT a.oid,a.*,pd.description FROM pg_catalog.pg_roles a
left join pg_catalog.pg_shdescription pd on a.oid = pd.objoid ORDER BY a.rolname

--! 0 rows: functions that another server has
SELECT 1 FROM pg_catalog.pg_proc WHERE proname = 'pg_get_tabledef' LIMIT 1

--! 0 rows: columns that a version has
SELECT * FROM pg_catalog.pg_enum WHERE 1<>1 LIMIT 1

--! rows: functions
SELECT p.oid as poid,p.*,
pg_catalog.pg_get_function_result(p.oid) as return_type, pg_get_expr(p.proargdefaults, 0) as arg_defaults, d.description
FROM pg_catalog.pg_proc p
LEFT OUTER JOIN pg_catalog.pg_description d ON d.objoid=p.oid
WHERE p.pronamespace=2200 ORDER BY p.proname

--! 2 rows: tables
--! with: int8 2200
SELECT c.oid,c.*,d.description,pg_catalog.pg_get_expr(c.relpartbound, c.oid) as partition_expr,
pg_catalog.pg_get_partkeydef(c.oid) as partition_key
FROM pg_catalog.pg_class c
LEFT OUTER JOIN pg_catalog.pg_description d ON d.objoid=c.oid AND d.objsubid=0 AND d.classoid='pg_class'::regclass
WHERE c.relnamespace=$1 AND c.relkind not in ('i','I','c')

--! 6 rows: columns
SELECT c.relname,a.*,pg_catalog.pg_get_expr(ad.adbin, ad.adrelid, true) as def_value,dsc.description,dep.objid
FROM pg_catalog.pg_attribute a
INNER JOIN pg_catalog.pg_class c ON (a.attrelid=c.oid)
LEFT OUTER JOIN pg_catalog.pg_attrdef ad ON (a.attrelid=ad.adrelid AND a.attnum = ad.adnum)
LEFT OUTER JOIN pg_catalog.pg_description dsc ON (c.oid=dsc.objoid AND a.attnum = dsc.objsubid)
LEFT OUTER JOIN pg_depend dep on dep.refobjid = a.attrelid AND dep.deptype = 'i' and dep.refobjsubid = a.attnum
and dep.classid = dep.refclassid
WHERE NOT a.attisdropped AND c.relkind not in ('i','I','c') AND c.oid='public.visits'::regclass::oid
ORDER BY a.attnum

--! 0 rows: constraints
SELECT c.oid,c.*,t.relname as tabrelname,rt.relnamespace as refnamespace,d.description,
case when c.contype='c' then "substring"(pg_get_constraintdef(c.oid), 7) else null end consrc_copy
FROM pg_catalog.pg_constraint c
INNER JOIN pg_catalog.pg_class t ON t.oid=c.conrelid
LEFT OUTER JOIN pg_catalog.pg_class rt ON rt.oid=c.confrelid
LEFT OUTER JOIN pg_catalog.pg_description d ON d.objoid=c.oid AND d.objsubid=0 AND d.classoid='pg_constraint'::regclass
WHERE c.conrelid='public.visits'::regclass::oid
ORDER BY c.oid

--! 0 rows: indexes
SELECT i.*,i.indkey as keys,c.relname,c.relnamespace,c.relam,c.reltablespace,tc.relname as tabrelname,dsc.description,
pg_catalog.pg_get_expr(i.indpred, i.indrelid) as pred_expr,
pg_catalog.pg_get_expr(i.indexprs, i.indrelid, true) as expr,
pg_catalog.pg_relation_size(i.indexrelid) as index_rel_size,
pg_catalog.pg_stat_get_numscans(i.indexrelid) as index_num_scans
FROM pg_catalog.pg_index i
INNER JOIN pg_catalog.pg_class c ON c.oid=i.indexrelid
INNER JOIN pg_catalog.pg_class tc ON tc.oid=i.indrelid
LEFT OUTER JOIN pg_catalog.pg_description dsc ON i.indexrelid=dsc.objoid
WHERE i.indrelid='public.visits'::regclass::oid ORDER BY tabrelname, c.relname

-- The data of a table.

--! refused 0A000: the Data tab of a private table
SELECT x.* FROM public.visits x

--! refused 0A000: with a filter and an order
SELECT x.* FROM public.visits x WHERE page = 'home' ORDER BY x.ts DESC

--! 4 rows: the Data tab of a public table
SELECT x.* FROM public.pages x

--! 1 row, epsilon 0.5: Count total number of rows
SELECT COUNT(*) FROM (
SELECT x.* FROM public.visits x
) dbvrcnt

--! 4 rows, epsilon 0.5: the Grouping panel
SELECT page, COUNT(*) as count_ FROM (
SELECT x.* FROM public.visits x
) src
GROUP BY page

--! 4 rows, epsilon 0.5: the SQL editor
SELECT page, count(*) AS n, dp_low(n), dp_high(n) FROM visits WHERE ts::date >= '2024-01-15' GROUP BY page ORDER BY n DESC LIMIT 10

--! 4 rows: the same again
SELECT page, count(*) AS n, dp_low(n), dp_high(n) FROM visits WHERE ts::date >= '2024-01-15' GROUP BY page ORDER BY n DESC LIMIT 10

--! 1 row: a parameter; the answer follows from the count of each page
--! with: varchar home
SELECT count(*) FROM visits WHERE page = $1

--! rows: Explain of what a query would cost
EXPLAIN SELECT page, count(*) FROM visits GROUP BY page

--! refused 0A000: its own plan, which runs the query
EXPLAIN ANALYZE SELECT count(*) FROM visits

--! refused 0A000: an edit
DELETE FROM public.pages WHERE name = 'home'
