select relacl, reloptions, relpartbound from pg_class limit 1
