SELECT name, oid, array_oid, regtype, array_agg(label) AS labels
FROM (
SELECT
t.typname AS name, t.oid AS oid, t.typarray AS array_oid,
t.oid::regtype::text AS regtype, e.enumlabel AS label
FROM pg_type t
LEFT JOIN  pg_enum e
ON e.enumtypid = t.oid
WHERE t.oid = to_regtype($1)
ORDER BY e.enumsortorder
) x
GROUP BY name, oid, array_oid, regtype
