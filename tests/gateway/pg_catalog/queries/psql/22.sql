SELECT a.attname,
pg_catalog.format_type(a.atttypid, a.atttypmod),
CASE WHEN a.attnum <= (SELECT i.indnkeyatts FROM pg_catalog.pg_index i WHERE i.indexrelid = '{oid orders_pkey}') THEN 'yes' ELSE 'no' END AS is_key,
pg_catalog.pg_get_indexdef(a.attrelid, a.attnum, TRUE) AS indexdef
FROM pg_catalog.pg_attribute a
WHERE a.attrelid = '{oid orders_pkey}' AND a.attnum > 0 AND NOT a.attisdropped
ORDER BY a.attnum
