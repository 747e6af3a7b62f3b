SELECT version(), (SELECT COUNT(*) FROM pg_settings WHERE name LIKE 'rds%')
