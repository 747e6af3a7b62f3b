SELECT count(*) FROM visits USING SAMPLE 10%;
-- UnsupportedSqlError at 42: a sample is not supported
-- DETAIL: It is drawn anew each time, and one person's rows would re-roll the others. Nothing was charged.
-- HINT: Leave it out: noise protects the rows.
----
SELECT count(*) FROM visits USING SAMPLE 5 ROWS;
-- UnsupportedSqlError at 42: a sample is not supported
-- DETAIL: It is drawn anew each time, and one person's rows would re-roll the others. Nothing was charged.
-- HINT: Leave it out: noise protects the rows.
----
SELECT count(*) FROM visits TABLESAMPLE reservoir(5);
-- UnsupportedSqlError at 51: a sample is not supported
-- DETAIL: It is drawn anew each time, and one person's rows would re-roll the others. Nothing was charged.
-- HINT: Leave it out: noise protects the rows.
----
SELECT count(*) FROM visits TABLESAMPLE bernoulli(10) REPEATABLE (7);
-- UnsupportedSqlError at 51: a sample is not supported
-- DETAIL: It is drawn anew each time, and one person's rows would re-roll the others. Nothing was charged.
-- HINT: Leave it out: noise protects the rows.
----
SELECT count(*) FROM (SELECT * FROM visits USING SAMPLE 1);
-- UnsupportedSqlError at 57: a sample is not supported
-- DETAIL: It is drawn anew each time, and one person's rows would re-roll the others. Nothing was charged.
-- HINT: Leave it out: noise protects the rows.
----
SELECT name FROM shops USING SAMPLE 1;
-- UnsupportedSqlError at 37: a sample is not supported
-- DETAIL: It is drawn anew each time, and one person's rows would re-roll the others. Nothing was charged.
-- HINT: Leave it out: noise protects the rows.
----
SELECT count(*) FROM visits WHERE random() < 0.5;
-- UnsupportedSqlError at 35: the function random is not supported
-- DETAIL: Its result is drawn anew each time, so that one question would have two answers. Nothing was charged.
-- HINT: Leave it out, or order by a column.
----
SELECT random(), count(*) FROM visits GROUP BY 1;
-- UnsupportedSqlError at 8: the function random is not supported
-- DETAIL: Its result is drawn anew each time, so that one question would have two answers. Nothing was charged.
-- HINT: Leave it out, or order by a column.
----
SELECT count(*) + random() FROM visits;
-- UnsupportedSqlError at 19: the function random is not supported
-- DETAIL: Its result is drawn anew each time, so that one question would have two answers. Nothing was charged.
-- HINT: Leave it out, or order by a column.
----
SELECT page, count(*) FROM visits GROUP BY page ORDER BY random();
-- UnsupportedSqlError at 58: the function random is not supported
-- DETAIL: Its result is drawn anew each time, so that one question would have two answers. Nothing was charged.
-- HINT: Leave it out, or order by a column.
----
SELECT count(*) FROM visits WHERE uuid() > 'a';
-- UnsupportedSqlError at 35: the function uuid is not supported
-- DETAIL: Its result is drawn anew each time, so that one question would have two answers. Nothing was charged.
-- HINT: Leave it out, or order by a column.
----
SELECT gen_random_uuid(), count(*) FROM visits;
-- UnsupportedSqlError at 8: the function uuid is not supported
-- DETAIL: Its result is drawn anew each time, so that one question would have two answers. Nothing was charged.
-- HINT: Leave it out, or order by a column.
----
SELECT setseed(0.5);
-- UnsupportedSqlError at 8: the function setseed is not supported
-- DETAIL: Its result is drawn anew each time, so that one question would have two answers. Nothing was charged.
-- HINT: Leave it out, or order by a column.
----
SELECT count(*) FROM visits WHERE setseed(0.5) IS NULL;
-- UnsupportedSqlError at 35: the function setseed is not supported
-- DETAIL: One row would re-roll the others. Nothing was charged.
-- HINT: Leave it out: noise is added by dpduck.
----
SELECT count(*) FROM visits WHERE hash(uid) % 2 = 0;
-- UnsupportedSqlError at 35: the function hash is not supported
-- DETAIL: It is not needed for counts. Nothing was charged.
-- HINT: Use the value itself.
----
SELECT reservoir_quantile(age, 0.5) FROM visits;
-- UnsupportedSqlError at 8: the function reservoir_quantile is not supported
-- DETAIL: Its result is drawn anew each time, so that one question would have two answers. Nothing was charged.
-- HINT: Leave it out, or order by a column.
----
SELECT count(*) FROM visits WHERE day = current_date;
-- UnsupportedSqlError: the current date or time is not supported
-- DETAIL: Its result changes with the clock, so that one question would have two answers. Nothing was charged.
-- HINT: Write the date itself, DATE '2024-01-31', or pass it as a parameter.
----
SELECT count(*) FROM visits WHERE day > today() - 7;
-- UnsupportedSqlError at 41: the current date or time is not supported
-- DETAIL: Its result changes with the clock, so that one question would have two answers. Nothing was charged.
-- HINT: Write the date itself, DATE '2024-01-31', or pass it as a parameter.
----
SELECT count(*) FROM visits WHERE moment > now();
-- UnsupportedSqlError at 44: the function now is not supported
-- DETAIL: Its value changes from one run to the next. Nothing was charged.
-- HINT: Write the date, such as DATE '2024-01-31', or pass it.
----
SELECT count(*) FROM visits WHERE age(moment) > INTERVAL 1 DAY;
-- UnsupportedSqlError at 35: the function age is not supported
-- DETAIL: Its value changes from one run to the next. Nothing was charged.
-- HINT: Write the date, such as DATE '2024-01-31', or pass it.
----
SELECT now(), count(*) FROM visits;
-- UnsupportedSqlError at 8: the function now is not supported
-- DETAIL: Its result changes with the clock, so that one question would have two answers. Nothing was charged.
-- HINT: Write the date itself, DATE '2024-01-31', or pass it as a parameter.
----
SELECT current_timestamp, count(*) FROM visits;
-- UnsupportedSqlError: the current date or time is not supported
-- DETAIL: Its result changes with the clock, so that one question would have two answers. Nothing was charged.
-- HINT: Write the date itself, DATE '2024-01-31', or pass it as a parameter.
