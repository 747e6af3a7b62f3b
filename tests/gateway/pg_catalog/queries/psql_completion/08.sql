SELECT nspname FROM pg_catalog.pg_namespace  WHERE nspname LIKE 'a%'
LIMIT 1000
