SELECT name AS "Column", pg_catalog.format_type(tp, tpm) AS "Type"
FROM (VALUES ('id', '23'::pg_catalog.oid, -1),('customer_id', '20'::pg_catalog.oid, -1),('amount', '1700'::pg_catalog.oid, 589830),('at', '1114'::pg_catalog.oid, -1),('note', '114'::pg_catalog.oid, -1),('code', '2950'::pg_catalog.oid, -1)) s(name, tp, tpm)
