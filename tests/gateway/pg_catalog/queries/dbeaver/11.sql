SELECT 1 FROM pg_catalog.pg_proc WHERE proname = 'pg_get_tabledef' LIMIT 1
