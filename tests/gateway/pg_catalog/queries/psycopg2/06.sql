select oid, typname, typarray from pg_type where typname = 'json'
