SELECT
am.amname AS "AM",
pg_catalog.format_type(c.opcintype, NULL) AS "Input type",
CASE
WHEN c.opckeytype <> 0 AND c.opckeytype <> c.opcintype
THEN pg_catalog.format_type(c.opckeytype, NULL)
ELSE NULL
END AS "Storage type",
CASE
WHEN pg_catalog.pg_opclass_is_visible(c.oid)
THEN pg_catalog.format('%I', c.opcname)
ELSE pg_catalog.format('%I.%I', n.nspname, c.opcname)
END AS "Operator class",
(CASE WHEN c.opcdefault
THEN 'yes'
ELSE 'no'
END) AS "Default?"
FROM pg_catalog.pg_opclass c
LEFT JOIN pg_catalog.pg_am am on am.oid = c.opcmethod
LEFT JOIN pg_catalog.pg_namespace n ON n.oid = c.opcnamespace
LEFT JOIN pg_catalog.pg_type t ON t.oid = c.opcintype
LEFT JOIN pg_catalog.pg_namespace tn ON tn.oid = t.typnamespace
ORDER BY 1, 2, 4
