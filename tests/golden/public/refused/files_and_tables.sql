SELECT * FROM read_csv('/etc/passwd')
-- UnsupportedSqlError at 15: the table function read_csv is not supported
-- DETAIL: It could read files, settings or other tables, past their policies. Nothing was charged.
-- HINT: Name a table of the database after FROM.
SELECT * FROM '/etc/passwd.csv'
-- UnknownNameError at 15: table /etc/passwd.csv does not exist
-- DETAIL: Nothing was charged.
SELECT * FROM read_text('/etc/passwd')
-- UnsupportedSqlError at 15: the table function read_text is not supported
-- DETAIL: It could read files, settings or other tables, past their policies. Nothing was charged.
-- HINT: Name a table of the database after FROM.
SELECT * FROM read_parquet('x.parquet')
-- UnsupportedSqlError at 15: the table function read_parquet is not supported
-- DETAIL: It could read files, settings or other tables, past their policies. Nothing was charged.
-- HINT: Name a table of the database after FROM.
SELECT * FROM glob('*')
-- UnsupportedSqlError at 15: the table function glob is not supported
-- DETAIL: It could read files, settings or other tables, past their policies. Nothing was charged.
-- HINT: Name a table of the database after FROM.
SELECT * FROM query('SELECT 1')
-- UnsupportedSqlError at 15: the table function query is not supported
-- DETAIL: It could read files, settings or other tables, past their policies. Nothing was charged.
-- HINT: Name a table of the database after FROM.
SELECT * FROM query_table('t')
-- UnsupportedSqlError at 15: the table function query_table is not supported
-- DETAIL: It could read files, settings or other tables, past their policies. Nothing was charged.
-- HINT: Name a table of the database after FROM.
SELECT * FROM duckdb_secrets()
-- UnsupportedSqlError at 15: the table function duckdb_secrets is not supported
-- DETAIL: It could read files, settings or other tables, past their policies. Nothing was charged.
-- HINT: Name a table of the database after FROM.
SELECT * FROM pragma_storage_info('t')
-- UnsupportedSqlError at 15: the table function pragma_storage_info is not supported
-- DETAIL: It could read files, settings or other tables, past their policies. Nothing was charged.
-- HINT: Name a table of the database after FROM.
SELECT * FROM sniff_csv('x.csv')
-- UnsupportedSqlError at 15: the table function sniff_csv is not supported
-- DETAIL: It could read files, settings or other tables, past their policies. Nothing was charged.
-- HINT: Name a table of the database after FROM.
SELECT * FROM somebodys_table_macro(1)
-- UnsupportedSqlError at 15: the table function somebodys_table_macro is not supported
-- DETAIL: It could read files, settings or other tables, past their policies. Nothing was charged.
-- HINT: Name a table of the database after FROM.
SELECT * FROM unknown
-- UnknownNameError at 15: table unknown does not exist
-- DETAIL: Nothing was charged.
SELECT * FROM remote.main.t
-- UnsupportedSqlError at 27: a table of another database is not supported
-- DETAIL: Policies belong to one database. Nothing was charged.
-- HINT: Write the table's name, or schema.table.
SELECT * FROM t TABLESAMPLE 10%
-- UnsupportedSqlError at 29: a sample is not supported
-- DETAIL: Its result is drawn anew each time, so that one question would have two answers. Nothing was charged.
-- HINT: Leave it out, or order by a column.
SELECT * FROM t PIVOT (sum(i) FOR s IN ('a', 'b'))
-- UnsupportedSqlError at 24: PIVOT and UNPIVOT are not supported
-- DETAIL: Of them only the statement PIVOT is. Nothing was charged.
-- HINT: Write PIVOT t ON page IN ('a', 'b') USING count(*) GROUP BY region.
SELECT read_text('/etc/passwd')
-- UnsupportedSqlError at 8: the function read_text is not supported
-- DETAIL: It could read files, settings or other tables, past their policies. Nothing was charged.
-- HINT: Name a table of the database after FROM.
