SELECT 'big_orders'::pg_catalog.regclass::pg_catalog.oid
