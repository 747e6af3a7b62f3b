select typname, oid, typarray from pg_type where typname = $1
