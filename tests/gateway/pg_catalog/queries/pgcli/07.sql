SELECT * FROM unnest(current_schemas(true))
