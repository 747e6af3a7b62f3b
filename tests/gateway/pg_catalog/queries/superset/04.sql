SELECT nspname FROM pg_namespace WHERE nspname NOT LIKE 'pg_%%' ORDER BY nspname
