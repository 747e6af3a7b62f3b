select reloptions, relkind from pg_class limit 1
