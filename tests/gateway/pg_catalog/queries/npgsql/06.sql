select COLUMN_NAME, ORDINAL_POSITION, IS_NULLABLE,
case when (udt_name not like '\_%') then data_type else data_type || udt_name end as DATA_TYPE
from INFORMATION_SCHEMA.columns
where TABLE_SCHEMA = 'public' and TABLE_NAME = 'orders'
order by TABLE_SCHEMA, TABLE_NAME, ORDINAL_POSITION
