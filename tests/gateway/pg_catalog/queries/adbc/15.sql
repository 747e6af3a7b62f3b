select $1::int4 + 1
