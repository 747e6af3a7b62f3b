SELECT n.nspname AS "Schema",
c.conname AS "Name",
pg_catalog.pg_encoding_to_char(c.conforencoding) AS "Source",
pg_catalog.pg_encoding_to_char(c.contoencoding) AS "Destination",
CASE WHEN c.condefault THEN 'yes'
ELSE 'no' END AS "Default?"
FROM pg_catalog.pg_conversion c
JOIN pg_catalog.pg_namespace n ON n.oid = c.connamespace
WHERE true
AND n.nspname <> 'pg_catalog'
AND n.nspname <> 'information_schema'
AND pg_catalog.pg_conversion_is_visible(c.oid)
ORDER BY 1, 2
