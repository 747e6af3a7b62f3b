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
-- UnsupportedSqlError at 8: the function gen_random_uuid is not supported
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
SELECT count(*) FROM visits WHERE age(moment) > INTERVAL 1 DAY;
-- UnsupportedSqlError at 35: the function age is not supported
-- DETAIL: Of the clock, now(), current_date and localtimestamp are known, as they are when the query is planned. Nothing was charged.
-- HINT: Write one of these, as in current_date - 7, or a date, DATE '2024-01-31'.
----
SELECT count(*) FROM visits WHERE moment > current_timestamp(3);
-- UnsupportedSqlError at 44: the current date or time is not supported
-- DETAIL: Of the clock, now(), current_date and localtimestamp are known, as they are when the query is planned. Nothing was charged.
-- HINT: Write one of these, as in current_date - 7, or a date, DATE '2024-01-31'.
----
SELECT count(*) FROM visits WHERE moment > current_time;
-- UnsupportedSqlError: the current date or time is not supported
-- DETAIL: Of the clock, now(), current_date and localtimestamp are known, as they are when the query is planned. Nothing was charged.
-- HINT: Write one of these, as in current_date - 7, or a date, DATE '2024-01-31'.
----
SELECT count(*) FROM visits WHERE day > current_date - x;
-- UnsupportedSqlError at 56: this difference is not supported
-- DETAIL: The types are DATE and DOUBLE. Nothing was charged.
-- HINT: Write d + 7 with a DATE and an INTEGER, or t + INTERVAL 7 DAY.
----
SELECT count(*) FROM visits WHERE day > current_date - 100000000000;
-- UnsupportedSqlError at 56: too many days are added
-- DETAIL: They may be 100,000,000. Nothing was charged.
-- HINT: Write a smaller number.
