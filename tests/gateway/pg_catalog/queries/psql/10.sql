SELECT t.tgname, pg_catalog.pg_get_triggerdef(t.oid, true), t.tgenabled, t.tgisinternal,
CASE WHEN t.tgparentid != 0 THEN
(SELECT u.tgrelid::pg_catalog.regclass
FROM pg_catalog.pg_trigger AS u,
pg_catalog.pg_partition_ancestors(t.tgrelid) WITH ORDINALITY AS a(relid, depth)
WHERE u.tgname = t.tgname AND u.tgrelid = a.relid
AND u.tgparentid = 0
ORDER BY a.depth LIMIT 1)
END AS parent
FROM pg_catalog.pg_trigger t
WHERE t.tgrelid = '{oid orders}' AND (NOT t.tgisinternal OR (t.tgisinternal AND t.tgenabled = 'D'))
ORDER BY 1
