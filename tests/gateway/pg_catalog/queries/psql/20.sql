SELECT pg_catalog.pg_get_viewdef('{oid big_orders}'::pg_catalog.oid, true)
