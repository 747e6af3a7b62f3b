SELECT datname FROM pg_catalog.pg_database  WHERE datname LIKE 'sh%'
LIMIT 1000
