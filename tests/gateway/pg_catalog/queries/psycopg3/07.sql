select oid, typname from pg_type where oid = any($1)
