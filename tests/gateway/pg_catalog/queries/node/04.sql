SELECT c.oid::regclass::text as t FROM pg_class c where c.relkind = any($1)
