select * from information_schema.tables where table_schema='public'
