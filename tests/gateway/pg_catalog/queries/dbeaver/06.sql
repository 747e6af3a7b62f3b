SELECT i.*,i.indkey as keys,c.relname,c.relnamespace,c.relam,c.reltablespace,tc.relname as tabrelname,dsc.description,
pg_catalog.pg_get_expr(i.indpred, i.indrelid) as pred_expr,
pg_catalog.pg_get_expr(i.indexprs, i.indrelid, true) as expr,
pg_catalog.pg_relation_size(i.indexrelid) as index_rel_size,
pg_catalog.pg_stat_get_numscans(i.indexrelid) as index_num_scans
FROM pg_catalog.pg_index i
INNER JOIN pg_catalog.pg_class c ON c.oid=i.indexrelid
INNER JOIN pg_catalog.pg_class tc ON tc.oid=i.indrelid
LEFT OUTER JOIN pg_catalog.pg_description dsc ON i.indexrelid=dsc.objoid
WHERE i.indrelid={oid orders} ORDER BY tabrelname, c.relname
