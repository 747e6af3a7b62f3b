select column_name, data_type from information_schema.columns where table_schema = $1 and table_name = $2
