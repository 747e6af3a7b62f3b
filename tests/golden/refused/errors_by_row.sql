SELECT count(*) FROM visits WHERE CASE WHEN disease = 'x' THEN error('x') ELSE TRUE END;
-- UnsupportedSqlError at 64: CASE is not supported
-- DETAIL: An expression over a private row may fail, or take long, on that row alone, and so reveal it. Nothing was charged.
-- HINT: Compare the column itself with a constant, for example WHERE amount > 10.
----
SELECT count(*) FROM visits WHERE CAST(disease AS INTEGER) = 1;
-- UnsupportedSqlError at 40: this cast is not supported
-- DETAIL: Only DATE '2024-01-31' and TIMESTAMP '2024-01-31 12:30:00' are typed literals; a cast of a column may fail on a private row. Nothing was charged.
-- HINT: Write the constant alone: it is read as the type of the column that it is compared with.
----
SELECT count(*) FROM visits WHERE disease::INTEGER = 1;
-- UnsupportedSqlError at 35: this cast is not supported
-- DETAIL: Only DATE '2024-01-31' and TIMESTAMP '2024-01-31 12:30:00' are typed literals; a cast of a column may fail on a private row. Nothing was charged.
-- HINT: Write the constant alone: it is read as the type of the column that it is compared with.
----
SELECT count(*) FROM visits WHERE big * 2 > 0;
-- UnsupportedSqlError at 41: the operator * is not supported
-- DETAIL: An expression over a private row may fail, or take long, on that row alone, and so reveal it. Nothing was charged.
-- HINT: Compare the column itself with a constant, for example WHERE amount > 10.
----
SELECT count(*) FROM visits WHERE 1 // (uid - 77) = 0;
-- UnsupportedSqlError at 35: the operator // is not supported
-- DETAIL: An expression over a private row may fail, or take long, on that row alone, and so reveal it. Nothing was charged.
-- HINT: Compare the column itself with a constant, for example WHERE amount > 10.
----
SELECT count(*) FROM visits WHERE age + 1 > 5;
-- UnsupportedSqlError at 41: the operator + is not supported
-- DETAIL: An expression over a private row may fail, or take long, on that row alone, and so reveal it. Nothing was charged.
-- HINT: Compare the column itself with a constant, for example WHERE amount > 10.
----
SELECT count(*) FROM visits WHERE -age > 5;
-- UnsupportedSqlError at 36: a constant is expected here
-- DETAIL: It must be a number, a string, TRUE, FALSE, NULL, DATE '...' or TIMESTAMP '...'. Nothing was charged.
-- HINT: Write the value itself, or pass it as a parameter.
----
SELECT count(*) FROM visits WHERE age = 'abc';
-- UnsupportedSqlError at 35: column age cannot be compared with this constant
-- DETAIL: The column is of type INTEGER: INTEGER holds whole numbers from -2147483648 to 2147483647. Nothing was charged.
-- HINT: Write a constant of that type.
----
SELECT count(*) FROM visits WHERE age > '1_0';
-- UnsupportedSqlError at 35: column age cannot be compared with this constant
-- DETAIL: The column is of type INTEGER: INTEGER holds whole numbers from -2147483648 to 2147483647. Nothing was charged.
-- HINT: Write a constant of that type.
----
SELECT count(*) FROM visits WHERE age > '٣';
-- UnsupportedSqlError at 35: column age cannot be compared with this constant
-- DETAIL: The column is of type INTEGER: INTEGER holds whole numbers from -2147483648 to 2147483647. Nothing was charged.
-- HINT: Write a constant of that type.
----
SELECT count(*) FROM visits WHERE day > '2024-02-30';
-- UnsupportedSqlError at 35: column day cannot be compared with this constant
-- DETAIL: The column is of type DATE: DATE holds days from 0001-01-01 to 9999-12-31, such as '2024-01-31'. Nothing was charged.
-- HINT: Write a constant of that type.
----
SELECT count(*) FROM visits WHERE day > '2024-01-01 12:00';
-- UnsupportedSqlError at 35: column day cannot be compared with this constant
-- DETAIL: The column is of type DATE: DATE holds days from 0001-01-01 to 9999-12-31, such as '2024-01-31'. Nothing was charged.
-- HINT: Write a constant of that type.
----
SELECT count(*) FROM visits WHERE day > 5;
-- UnsupportedSqlError at 35: column day cannot be compared with this constant
-- DETAIL: The column is of type DATE: DATE holds days from 0001-01-01 to 9999-12-31, such as '2024-01-31'. Nothing was charged.
-- HINT: Write a constant of that type.
----
SELECT count(*) FROM visits WHERE moment > 'yesterday';
-- UnsupportedSqlError at 35: column moment cannot be compared with this constant
-- DETAIL: The column is of type TIMESTAMP: TIMESTAMP holds times such as '2024-01-31 12:30:00'. Nothing was charged.
-- HINT: Write a constant of that type.
----
SELECT count(*) FROM visits WHERE page = 5;
-- UnsupportedSqlError at 35: column page cannot be compared with this constant
-- DETAIL: The column is of type VARCHAR: VARCHAR holds text, written in single quotes. Nothing was charged.
-- HINT: Write a constant of that type.
----
SELECT count(*) FROM visits WHERE ok > 1;
-- UnsupportedSqlError at 35: column ok cannot be compared with this constant
-- DETAIL: The column is of type BOOLEAN: BOOLEAN holds TRUE and FALSE. Nothing was charged.
-- HINT: Write a constant of that type.
----
SELECT count(*) FROM visits WHERE zone > '2024-01-01';
-- UnsupportedSqlError at 35: column zone cannot be compared with this constant
-- DETAIL: The column is of type TIMESTAMP WITH TIME ZONE: literals of type TIMESTAMP WITH TIME ZONE are not supported. Nothing was charged.
-- HINT: Write a constant of that type.
----
SELECT count(*) FROM visits WHERE f > 1e39;
-- UnsupportedSqlError at 35: column f cannot be compared with this constant
-- DETAIL: The column is of type FLOAT: the number is too large for FLOAT. Nothing was charged.
-- HINT: Write a constant of that type.
----
SELECT count(*) FROM visits WHERE x = 'nan';
-- UnsupportedSqlError at 35: column x cannot be compared with this constant
-- DETAIL: The column is of type DOUBLE: DOUBLE holds numbers such as 0.5. Nothing was charged.
-- HINT: Write a constant of that type.
----
SELECT count(*) FROM visits WHERE age = big;
-- UnsupportedSqlError at 35: columns age and big cannot be compared
-- DETAIL: Their types are INTEGER and BIGINT; a conversion may fail on a private row. Nothing was charged.
-- HINT: Compare columns of the same simple type.
----
SELECT count(*) FROM visits WHERE age;
-- UnsupportedSqlError at 35: column age is not a condition
-- DETAIL: It is of type INTEGER; only a BOOLEAN column stands alone. Nothing was charged.
-- HINT: Compare it with a constant.
----
SELECT count(*) FROM visits WHERE 5;
-- UnsupportedSqlError at 35: a condition is expected in WHERE
-- DETAIL: Conditions are comparisons with a constant, IN, LIKE, IS NULL, and AND, OR and NOT of them. Nothing was charged.
-- HINT: Write, for example, WHERE amount > 10 AND region = 'north'.
----
SELECT count(*) FROM visits WHERE error('x');
-- UnsupportedSqlError at 35: this function is not supported
-- DETAIL: It is not on the list of functions known to be safe on private rows. Nothing was charged.
-- HINT: Use count(*), mode(x), median(x) or quantile_cont(x, 0.5).
----
SELECT count(*) FROM visits WHERE 'a' = 'a';
-- UnsupportedSqlError at 35: constants other than numbers cannot be compared with each other
-- DETAIL: The result is the same for every row. Nothing was charged.
-- HINT: Write TRUE or FALSE, or compare a column.
----
SELECT count(*) FROM visits WHERE age IS 5;
-- UnsupportedSqlError at 42: IS takes NULL, TRUE or FALSE
-- DETAIL: Nothing else is a state of a row. Nothing was charged.
-- HINT: Write x IS NULL.
