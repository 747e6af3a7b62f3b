"""Values on the Postgres wire: types, rows as fields in text and binary format, COPY, and parameters."""
