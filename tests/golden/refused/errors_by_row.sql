SELECT count(*) FROM visits WHERE CASE WHEN disease = 'x' THEN error('x') ELSE TRUE END;
-- UnsupportedSqlError at 64: the function error is not supported
-- DETAIL: It would fail on some rows, and so tell of them. Nothing was charged.
-- HINT: Write CASE WHEN ... THEN NULL ... END.
----
SELECT count(*) FROM visits WHERE age = 'abc';
-- UnsupportedSqlError at 41: the constant 'abc' is not a value of type INTEGER
-- DETAIL: INTEGER holds whole numbers from -2147483648 to 2147483647. Nothing was charged.
-- HINT: Write a constant of that type.
----
SELECT count(*) FROM visits WHERE age > '1_0';
-- UnsupportedSqlError at 41: the constant '1_0' is not a value of type INTEGER
-- DETAIL: INTEGER holds whole numbers from -2147483648 to 2147483647. Nothing was charged.
-- HINT: Write a constant of that type.
----
SELECT count(*) FROM visits WHERE age > '٣';
-- UnsupportedSqlError at 41: the constant '٣' is not a value of type INTEGER
-- DETAIL: INTEGER holds whole numbers from -2147483648 to 2147483647. Nothing was charged.
-- HINT: Write a constant of that type.
----
SELECT count(*) FROM visits WHERE day > '2024-02-30';
-- UnsupportedSqlError at 41: the constant '2024-02-30' is not a value of type DATE
-- DETAIL: DATE holds days from 0001-01-01 to 9999-12-31, such as '2024-01-31'. Nothing was charged.
-- HINT: Write a constant of that type.
----
SELECT count(*) FROM visits WHERE day > '2024-01-01 12:00';
-- UnsupportedSqlError at 41: the constant '2024-01-01 12:00' is not a value of type DATE
-- DETAIL: DATE holds days from 0001-01-01 to 9999-12-31, such as '2024-01-31'. Nothing was charged.
-- HINT: Write a constant of that type.
----
SELECT count(*) FROM visits WHERE day > 5;
-- UnsupportedSqlError at 41: the constant 5 is not a value of type DATE
-- DETAIL: DATE holds days from 0001-01-01 to 9999-12-31, such as '2024-01-31'. Nothing was charged.
-- HINT: Write a constant of that type.
----
SELECT count(*) FROM visits WHERE moment > 'yesterday';
-- UnsupportedSqlError at 44: the constant 'yesterday' is not a value of type TIMESTAMP
-- DETAIL: TIMESTAMP holds times such as '2024-01-31 12:30:00'. Nothing was charged.
-- HINT: Write a constant of that type.
----
SELECT count(*) FROM visits WHERE page = 5;
-- UnsupportedSqlError at 42: visits.page cannot be compared with this constant
-- DETAIL: It is of type VARCHAR: text is written in single quotes. Nothing was charged.
-- HINT: Write a constant of that type, or convert it with TRY_CAST(page AS INTEGER).
----
SELECT count(*) FROM visits WHERE ok > 1;
-- UnsupportedSqlError at 40: the constant 1 is not a value of type BOOLEAN
-- DETAIL: BOOLEAN holds TRUE and FALSE. Nothing was charged.
-- HINT: Write a constant of that type.
----
SELECT count(*) FROM visits WHERE page::TIMESTAMPTZ > '2024-01-01';
-- UnsupportedSqlError at 35: visits.page cannot be converted to TIMESTAMP WITH TIME ZONE
-- DETAIL: It is of type VARCHAR. Nothing was charged.
-- HINT: Write CAST(x AS TIMESTAMP) AT TIME ZONE 'UTC'.
----
SELECT count(*) FROM visits WHERE zone AT TIME ZONE 'Europe/Berlni' > '2024-01-01';
-- UnsupportedSqlError at 53: 'Europe/Berlni' is not a time zone
-- DETAIL: Zones are names of places such as Europe/Berlin, and UTC. Nothing was charged.
-- HINT: Did you mean Europe/Berlin, Europe/Dublin, Europe/Riga, Europe/Vilnius, Europe/Belfast?
----
SELECT count(*) FROM visits WHERE zone AT TIME ZONE 'nowhere at all' > '2024-01-01';
-- UnsupportedSqlError at 53: 'nowhere at all' is not a time zone
-- DETAIL: Zones are names of places such as Europe/Berlin, and UTC. Nothing was charged.
-- HINT: Write x AT TIME ZONE 'Europe/Berlin'.
----
SELECT count(*) FROM visits WHERE zone AT TIME ZONE page > '2024-01-01';
-- UnsupportedSqlError at 35: the time zone must be a constant
-- DETAIL: What is computed for each row could otherwise take long, or fail, on one row alone. Nothing was charged.
-- HINT: Write x AT TIME ZONE 'Europe/Berlin'.
----
SELECT count(*) FROM visits WHERE x = 'nan';
-- UnsupportedSqlError at 39: the constant 'nan' is not a value of type DOUBLE
-- DETAIL: DOUBLE holds numbers such as 0.5. Nothing was charged.
-- HINT: Write a constant of that type.
----
SELECT count(*) FROM visits WHERE age;
-- UnsupportedSqlError at 35: visits.age is not a condition
-- DETAIL: It is of type INTEGER; only a BOOLEAN stands alone. Nothing was charged.
-- HINT: Compare it with a constant, for example x = 1.
----
SELECT count(*) FROM visits WHERE 5;
-- UnsupportedSqlError at 35: a constant is not a condition
-- DETAIL: It is of type INTEGER; only a BOOLEAN stands alone. Nothing was charged.
-- HINT: Compare it with a constant, for example x = 1.
----
SELECT count(*) FROM visits WHERE error('x');
-- UnsupportedSqlError at 35: the function error is not supported
-- DETAIL: It would fail on some rows, and so tell of them. Nothing was charged.
-- HINT: Write CASE WHEN ... THEN NULL ... END.
----
SELECT count(*) FROM visits WHERE age IS 5;
-- UnsupportedSqlError at 42: IS takes NULL, TRUE or FALSE
-- DETAIL: Nothing else is a state of a row. Nothing was charged.
-- HINT: Write x IS NULL.
----
SELECT CASE WHEN disease = 'x' THEN error('x') ELSE page END, count(*) FROM visits GROUP BY 1;
-- UnsupportedSqlError at 37: the function error is not supported
-- DETAIL: It would fail on some rows, and so tell of them. Nothing was charged.
-- HINT: Write CASE WHEN ... THEN NULL ... END.
----
SELECT count(*) FROM visits WHERE assert_true(age > 5);
-- UnsupportedSqlError at 35: the function assert_true is not supported
-- DETAIL: It is not on the list of functions that are known to be safe on every row. Nothing was charged.
-- HINT: Use CASE, CAST, arithmetic, and functions of text, dates and numbers such as lower, substr, date_trunc and round.
----
SELECT sum(error(disease)) FROM visits;
-- UnsupportedSqlError at 12: the function error is not supported
-- DETAIL: It would fail on some rows, and so tell of them. Nothing was charged.
-- HINT: Write CASE WHEN ... THEN NULL ... END.
----
SELECT count(*) FROM visits WHERE strptime(disease, '%Y') > DATE '2024-01-01';
-- UnsupportedSqlError at 35: the function strptime is not supported
-- DETAIL: It fails on a text of another form. Nothing was charged.
-- HINT: Write TRY_CAST(x AS TIMESTAMP), which reads '2024-01-31 12:30:00'.
----
SELECT count(*) FROM visits WHERE CAST(disease AS INTEGER[]) IS NULL;
-- UnsupportedSqlError at 40: this type is not supported
-- DETAIL: Values are read as whole numbers, DECIMAL, DOUBLE, VARCHAR, BOOLEAN, DATE or TIMESTAMP, also WITH TIME ZONE. Nothing was charged.
-- HINT: Write CAST(x AS INTEGER), for example.
----
SELECT count(*) FROM visits WHERE CAST(disease AS UUID) IS NULL;
-- UnsupportedSqlError at 40: this type is not supported
-- DETAIL: Values are read as whole numbers, DECIMAL, DOUBLE, VARCHAR, BOOLEAN, DATE or TIMESTAMP, also WITH TIME ZONE. Nothing was charged.
-- HINT: Write CAST(x AS INTEGER), for example.
----
SELECT count(*) FROM visits WHERE disease::grade = 'low';
-- UnsupportedSqlError: this type is not supported
-- DETAIL: A type that users define may mean anything. Nothing was charged.
-- HINT: Write CAST(x AS VARCHAR), or another type of SQL.
----
SELECT count(*) FROM visits WHERE CAST(disease AS JSON) IS NULL;
-- UnsupportedSqlError at 40: this type is not supported
-- DETAIL: Values are read as whole numbers, DECIMAL, DOUBLE, VARCHAR, BOOLEAN, DATE or TIMESTAMP, also WITH TIME ZONE. Nothing was charged.
-- HINT: Write CAST(x AS INTEGER), for example.
----
SELECT count(*) FROM visits WHERE CAST(day AS INTEGER) = 1;
-- UnsupportedSqlError at 40: visits.day cannot be converted to INTEGER
-- DETAIL: It is of type DATE. Nothing was charged.
-- HINT: Convert numbers, text and BOOLEAN among each other, and dates, timestamps and text.
----
SELECT count(*) FROM visits WHERE CAST(age AS DECIMAL(40, 2)) = 1;
-- UnsupportedSqlError at 40: this DECIMAL is not supported
-- DETAIL: It has 1 to 38 digits, and no more of them after the point. Nothing was charged.
-- HINT: Write DECIMAL(18, 2).
----
SELECT count(*) FROM visits WHERE CAST(age AS INTERVAL) IS NULL;
-- UnsupportedSqlError at 40: this type is not supported
-- DETAIL: Values are read as whole numbers, DECIMAL, DOUBLE, VARCHAR, BOOLEAN, DATE or TIMESTAMP, also WITH TIME ZONE. Nothing was charged.
-- HINT: Write CAST(x AS INTEGER), for example.
----
SELECT count(*) FROM visits WHERE disease * 2 > 0;
-- UnsupportedSqlError at 45: * takes numbers
-- DETAIL: visits.disease is of type VARCHAR. Nothing was charged.
-- HINT: Convert text with CAST(x AS DOUBLE), and use date_diff for dates.
----
SELECT count(*) FROM visits WHERE disease + 1 = 2;
-- UnsupportedSqlError at 45: + takes numbers
-- DETAIL: visits.disease is of type VARCHAR. Nothing was charged.
-- HINT: Convert text with CAST(x AS DOUBLE), and use date_diff for dates.
----
SELECT count(*) FROM visits WHERE -disease = 2;
-- UnsupportedSqlError at 36: - takes a number
-- DETAIL: visits.disease is of type VARCHAR. Nothing was charged.
-- HINT: Convert text with CAST(x AS DOUBLE), and use date_diff for dates.
----
SELECT count(*) FROM visits WHERE age ! = 5;
-- SqlSyntaxError at 39: syntax error at '!': invalid expression / Unexpected token
-- DETAIL: Nothing was charged.
-- HINT: Look near that place. What can be written: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
SELECT count(*) FROM visits WHERE age << 40 > 0;
-- UnsupportedSqlError at 42: the operator << is not supported
-- DETAIL: It is not on the list of operators that are known to have a result on every row. Nothing was charged.
-- HINT: Use + - * / // % ** and ||, comparisons, AND, OR, NOT, CASE and CAST; x % 2 = 1 tests the last bit.
----
SELECT count(*) FROM visits WHERE age & 1 = 1;
-- UnsupportedSqlError at 41: the operator & is not supported
-- DETAIL: It is not on the list of operators that are known to have a result on every row. Nothing was charged.
-- HINT: Use + - * / // % ** and ||, comparisons, AND, OR, NOT, CASE and CAST; x % 2 = 1 tests the last bit.
----
SELECT count(*) FROM visits WHERE factorial(age) > 0;
-- UnsupportedSqlError at 35: the function factorial is not supported over private rows
-- DETAIL: It is not on the list of functions that are known to have a result, at a bounded cost, on every row. Nothing was charged.
-- HINT: Use CASE, CAST, arithmetic, and functions of text, dates and numbers such as lower, substr, date_trunc and round.
----
SELECT count(*) FROM visits WHERE age! > 0;
-- SqlSyntaxError at 38: syntax error at '!': invalid expression / Unexpected token
-- DETAIL: Nothing was charged.
-- HINT: Look near that place. What can be written: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
SELECT count(*) FROM visits WHERE day + INTERVAL (age) DAY > day;
-- UnsupportedSqlError at 51: this interval is not supported
-- DETAIL: It must be a constant of whole years, months, weeks, days, hours, minutes or seconds. Nothing was charged.
-- HINT: Write INTERVAL 7 DAY, or INTERVAL '1 day 12 hours'.
----
SELECT count(*) FROM visits WHERE make_date(age, age, age) > day;
-- UnsupportedSqlError at 35: the function make_date is not supported over private rows
-- DETAIL: It is not on the list of functions that are known to have a result, at a bounded cost, on every row. Nothing was charged.
-- HINT: Use CASE, CAST, arithmetic, and functions of text, dates and numbers such as lower, substr, date_trunc and round.
----
SELECT count(*) FROM visits WHERE to_timestamp(big) > moment;
-- UnsupportedSqlError at 35: the function to_timestamp is not supported
-- DETAIL: It makes a timestamp of seconds since 1970, and fails on large numbers. Nothing was charged.
-- HINT: Compare the number itself, as in x >= 1704067200 for DATE '2024-01-01'.
----
SELECT count(*) FROM visits WHERE chr(age) = 'a';
-- UnsupportedSqlError at 39: the function chr is not supported over private rows
-- DETAIL: It is not on the list of functions that are known to have a result, at a bounded cost, on every row. Nothing was charged.
-- HINT: Use CASE, CAST, arithmetic, and functions of text, dates and numbers such as lower, substr, date_trunc and round.
----
SELECT count(*) FROM visits WHERE substr(page, 1, x) = 'a';
-- UnsupportedSqlError at 35: substr takes whole numbers of characters
-- DETAIL: visits.x is of type DOUBLE. Nothing was charged.
-- HINT: Write substr(x, 1, 3).
----
SELECT count(*) FROM visits WHERE round(x, age) = 1;
-- UnsupportedSqlError at 35: the number of places must be a constant
-- DETAIL: What is computed for each row could otherwise take long, or fail, on one row alone. Nothing was charged.
-- HINT: Write round(x, 2).
----
SELECT count(*) FROM visits WHERE log(age, x) > 1;
-- UnsupportedSqlError at 35: the base of a logarithm must be a constant
-- DETAIL: What is computed for each row could otherwise take long, or fail, on one row alone. Nothing was charged.
-- HINT: Write log(2, x), log10(x) or ln(x).
----
SELECT count(*) FROM visits WHERE gamma(x) > 1;
-- UnsupportedSqlError at 35: the function gamma is not supported
-- DETAIL: It is not on the list of functions that are known to be safe on every row. Nothing was charged.
-- HINT: Use CASE, CAST, arithmetic, and functions of text, dates and numbers such as lower, substr, date_trunc and round.
----
SELECT count(*) FROM visits WHERE [page][age] = 'a';
-- UnsupportedSqlError at 42: the place in a list must be a constant
-- DETAIL: What is computed for each row could otherwise take long, or fail, on one row alone. Nothing was charged.
-- HINT: Write l[1] for the first element.
----
SELECT count(*) FROM visits WHERE page[1] = 'a';
-- UnsupportedSqlError at 35: x[...] takes a list of numbers, texts, dates or booleans
-- DETAIL: The argument is of type VARCHAR. Nothing was charged.
-- HINT: Use a column of type VARCHAR[] or the like; a part of a text is substr(x, 1, 1).
----
SELECT count(*) FROM visits WHERE {'a': age}['a'] = 1;
-- UnsupportedSqlError at 46: a place in a list is one whole number
-- DETAIL: Rows hold plain values here, and not parts of lists. Nothing was charged.
-- HINT: Write l[1] for the first element, l[-1] for the last one.
----
SELECT count(*) FROM visits WHERE disease -> '$.a' = 'x';
-- UnsupportedSqlError at 46: a part of JSON is no plain value
-- DETAIL: It is JSON itself. Nothing was charged.
-- HINT: Write payload->>'type', payload->'net'->>'type' or payload->>'$.net.type'.
----
SELECT count(*) FROM visits WHERE from_json(disease, '"INTEGER"') = 1;
-- UnsupportedSqlError at 35: the function from_json is not supported
-- DETAIL: Only functions that are known to have no side effects and a bounded cost are called. Nothing was charged.
-- HINT: Use another function, or compute it from the answer.
----
SELECT count(*) FROM visits WHERE page COLLATE nocase = 'a';
-- UnsupportedSqlError at 35: COLLATE is not supported
-- DETAIL: Texts are compared as they are. Nothing was charged.
-- HINT: Compare lower(x).
----
SELECT count(*) FROM visits WHERE age = page;
-- UnsupportedSqlError at 35: visits.age and visits.page cannot be compared
-- DETAIL: Their types are INTEGER and VARCHAR; a conversion may fail on a private row. Nothing was charged.
-- HINT: Convert one of them, for example with CAST(x AS VARCHAR), which fails on none.
----
SELECT count(*) FROM visits WHERE page;
-- UnsupportedSqlError at 35: visits.page is not a condition
-- DETAIL: It is of type VARCHAR; only a BOOLEAN stands alone. Nothing was charged.
-- HINT: Compare it with a constant, for example x = 1.
----
SELECT count(*) FROM visits WHERE (age, page) = (1, 'a');
-- UnsupportedSqlError at 36: a row of values is not supported here
-- DETAIL: Values are compared and counted one by one. Nothing was charged.
-- HINT: Write x = 1 AND y = 'a'.
----
SELECT count(*) FROM visits WHERE age IN (1, tiny);
-- UnsupportedSqlError at 43: IN takes a list of constants
-- DETAIL: tiny is no constant as it is written. Nothing was charged.
-- HINT: Write age = tiny, joined with the other comparisons by OR.
----
SELECT count(*) FROM visits WHERE age IN tiny;
-- UnsupportedSqlError at 35: IN takes a list of constants
-- DETAIL: It has one value or more, each of them a constant. Nothing was charged.
-- HINT: Write WHERE region IN ('north', 'south'), or FALSE for an empty list.
----
SELECT count(*) FROM visits WHERE coalesce(age, page) = 1;
-- UnsupportedSqlError at 35: values of type INTEGER and VARCHAR do not go together
-- DETAIL: They have no common type in coalesce. Nothing was charged.
-- HINT: Convert one of them, for example with CAST(x AS VARCHAR).
----
SELECT count(*) FROM visits WHERE CASE WHEN ok THEN age ELSE page END = 1;
-- UnsupportedSqlError at 62: values of type INTEGER and VARCHAR do not go together
-- DETAIL: They have no common type in case. Nothing was charged.
-- HINT: Convert one of them, for example with CAST(x AS VARCHAR).
----
SELECT count(*) FROM visits WHERE greatest(age, page) = 1;
-- UnsupportedSqlError at 35: values of type INTEGER and VARCHAR do not go together
-- DETAIL: They have no common type in greatest. Nothing was charged.
-- HINT: Convert one of them, for example with CAST(x AS VARCHAR).
----
SELECT count(*) FROM visits WHERE lower(age) = 'a';
-- UnsupportedSqlError at 35: lower takes text
-- DETAIL: visits.age is of type INTEGER. Nothing was charged.
-- HINT: Convert numbers with CAST(x AS VARCHAR).
----
SELECT count(*) FROM visits WHERE date_trunc('month', page) = '2024-01-01';
-- UnsupportedSqlError at 35: date_trunc takes a date or timestamp
-- DETAIL: visits.page is of type VARCHAR. Nothing was charged.
-- HINT: Convert text with CAST(x AS DATE).
----
SELECT count(*) FROM visits WHERE date_trunc(page, day) = '2024-01-01';
-- SqlSyntaxError at 55: syntax error at ')': the call has too many arguments, or one that is not understood
-- DETAIL: Nothing was charged.
-- HINT: Look near that place. What can be written: SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY.
----
SELECT count(*) FROM visits WHERE extract(fortnight FROM day) = 1;
-- UnsupportedSqlError at 58: 'FORTNIGHT' is no unit of time here
-- DETAIL: Units are words such as month. Nothing was charged.
-- HINT: Write one of year, quarter, month, week, day, hour, minute, second.
----
SELECT count(*) FROM visits WHERE try(age * age) > 1;
-- UnsupportedSqlError at 35: the function try is not supported
-- DETAIL: Only functions that are known to have no side effects and a bounded cost are called. Nothing was charged.
-- HINT: Use another function, or compute it from the answer.
----
SELECT count(*) FROM visits WHERE list_contains([1, 2], age);
-- UnsupportedSqlError at 50: a list in a private row is not supported
-- DETAIL: Rows hold plain values here. Nothing was charged.
-- HINT: Choose among columns with CASE WHEN ... THEN ... END, and take a part of a text with substr(x, 1, 1).
----
SELECT count(*) FROM visits WHERE list_transform([1, 2], i -> i + age) = [1];
-- UnsupportedSqlError at 35: a lambda is not supported
-- DETAIL: It would be a function of your own. Nothing was charged.
-- HINT: Use list_contains, list_sort, list_distinct and l[1].
----
SELECT count(*) FROM visits WHERE count(*) > 5;
-- UnsupportedSqlError at 35: the aggregate count cannot stand here
-- DETAIL: Conditions and arguments are computed for each row, before aggregates. Nothing was charged.
-- HINT: Write HAVING count(*) > 5, or aggregate the answer: SELECT max(n) FROM (SELECT count(*) AS n ...).
----
SELECT count(*) FROM visits WHERE sum(age) > 5;
-- UnsupportedSqlError at 35: the aggregate sum cannot stand here
-- DETAIL: Conditions and arguments are computed for each row, before aggregates. Nothing was charged.
-- HINT: Write HAVING count(*) > 5, or aggregate the answer: SELECT max(n) FROM (SELECT count(*) AS n ...).
----
SELECT count(n) FROM (SELECT uid, ntile(0) OVER (PARTITION BY uid ORDER BY age) AS n FROM visits WHERE uid = 5);
-- UnsupportedSqlError at 35: ntile over one person's rows is not supported like this
-- DETAIL: Its result must be determined by the rows, whatever their order. Nothing was charged.
-- HINT: Use row_number, rank, lag, lead, first_value, or count, sum, avg, min and max, over all rows or ROWS BETWEEN 6 PRECEDING AND CURRENT ROW.
----
SELECT count(*) FROM (SELECT uid, sum(age) OVER (PARTITION BY uid ORDER BY age ROWS BETWEEN 1 FOLLOWING AND 1 PRECEDING) AS s FROM visits) WHERE s > 1;
-- UnsupportedSqlError at 35: sum over one person's rows is not supported like this
-- DETAIL: Its result must be determined by the rows, whatever their order. Nothing was charged.
-- HINT: Use row_number, rank, lag, lead, first_value, or count, sum, avg, min and max, over all rows or ROWS BETWEEN 6 PRECEDING AND CURRENT ROW.
----
SELECT count(*) FROM (SELECT uid, sum(age) OVER (PARTITION BY uid ORDER BY age ROWS UNBOUNDED FOLLOWING) AS s FROM visits) WHERE s > 1;
-- UnsupportedSqlError at 35: sum over one person's rows is not supported like this
-- DETAIL: Its result must be determined by the rows, whatever their order. Nothing was charged.
-- HINT: Use row_number, rank, lag, lead, first_value, or count, sum, avg, min and max, over all rows or ROWS BETWEEN 6 PRECEDING AND CURRENT ROW.
----
SELECT count(*) FROM (SELECT uid, rank(ORDER BY age) OVER (PARTITION BY uid ORDER BY age) AS r FROM visits) WHERE r = 1;
-- UnsupportedSqlError at 35: rank over one person's rows is not supported like this
-- DETAIL: Its result must be determined by the rows, whatever their order. Nothing was charged.
-- HINT: Use row_number, rank, lag, lead, first_value, or count, sum, avg, min and max, over all rows or ROWS BETWEEN 6 PRECEDING AND CURRENT ROW.
----
SELECT count(*) FROM people WHERE (region, age) IN (('north', 30), ('south', age));
-- UnsupportedSqlError at 54: IN takes a list of rows of constants
-- DETAIL: Each has a constant for each of the 2 values on the left. Nothing was charged.
-- HINT: Write WHERE (region, age) IN (('north', 30), ('south', 40)).
----
SELECT count(*) FROM visits WHERE page = (SELECT name FROM shops);
-- UnsupportedSqlError at 50: this subquery is no public constant
-- DETAIL: It must have one row at most, and a number, text, BOOLEAN, date or timestamp in it. Nothing was charged.
-- HINT: Aggregate, as in (SELECT max(price) FROM plans), or write the value.
----
SELECT count(*) FROM visits AS v WHERE page = (SELECT max(name) FROM shops AS s WHERE s.name > v.page);
-- UnsupportedSqlError at 59: this subquery in an expression over private rows is not supported
-- DETAIL: It must be EXISTS, IN (SELECT x ...), or one aggregate of rows of the same person. Nothing was charged.
-- HINT: Write uid IN (SELECT uid FROM w WHERE ...), or join a subquery that groups by the person.
