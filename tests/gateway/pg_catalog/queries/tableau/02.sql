SELECT NULL::name AS "PKTABLE_CAT", n2.nspname AS "PKTABLE_SCHEM", c2.relname AS "PKTABLE_NAME",
a2.attname AS "PKCOLUMN_NAME", i::int2 AS "KEY_SEQ", ref.conname AS "FK_NAME"
FROM (SELECT cn.oid, conrelid, conkey, confrelid, confkey,
generate_series(array_lower(conkey, 1), array_upper(conkey, 1)) AS i, conname
FROM pg_catalog.pg_constraint cn WHERE contype = 'f') ref
INNER JOIN pg_catalog.pg_class c2 ON c2.oid = ref.confrelid
INNER JOIN pg_catalog.pg_namespace n2 ON n2.oid = c2.relnamespace
INNER JOIN pg_catalog.pg_attribute a2 ON a2.attrelid = c2.oid AND a2.attnum = confkey[i]
ORDER BY ref.oid, ref.i
