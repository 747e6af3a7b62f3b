select $1::text, current_setting('server_version'), current_setting($2)
