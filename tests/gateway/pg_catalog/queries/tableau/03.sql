SELECT "t"."oid" AS "oid", "t"."typname" FROM "pg_catalog"."pg_type" "t" WHERE ("t"."typname" = 'hstore') LIMIT 1
