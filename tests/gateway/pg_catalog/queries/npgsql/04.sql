SELECT pg_type.oid, enumlabel
FROM pg_enum
JOIN pg_type ON pg_type.oid = enumtypid
ORDER BY oid, enumsortorder
