SELECT oid, nspname
FROM pg_namespace
ORDER BY oid
