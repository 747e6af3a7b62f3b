SELECT n.nspname AS "Schema",
c.collname AS "Name",
c.collcollate AS "Collate",
c.collctype AS "Ctype",
c.colliculocale AS "ICU Locale",
CASE c.collprovider WHEN 'd' THEN 'default' WHEN 'c' THEN 'libc' WHEN 'i' THEN 'icu' END AS "Provider",
CASE WHEN c.collisdeterministic THEN 'yes' ELSE 'no' END AS "Deterministic?"
FROM pg_catalog.pg_collation c, pg_catalog.pg_namespace n
WHERE n.oid = c.collnamespace
AND n.nspname <> 'pg_catalog'
AND n.nspname <> 'information_schema'
AND c.collencoding IN (-1, pg_catalog.pg_char_to_encoding(pg_catalog.getdatabaseencoding()))
AND pg_catalog.pg_collation_is_visible(c.oid)
ORDER BY 1, 2
