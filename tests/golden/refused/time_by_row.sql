SELECT count(*) FROM visits WHERE sleep_ms(1000);
-- UnsupportedSqlError at 35: the function sleep_ms is not supported
-- DETAIL: It waits on one row, and so tells of it. Nothing was charged.
-- HINT: Leave it out.
----
SELECT count(*) FROM visits WHERE repeat(disease, 20000000) = 'x';
-- UnsupportedSqlError at 35: the function repeat is not supported
-- DETAIL: One short call can take all memory. Nothing was charged.
-- HINT: Write the value itself, or use a table that holds the values.
----
SELECT count(*) FROM visits WHERE disease LIKE page;
-- UnsupportedSqlError at 35: LIKE takes a constant pattern
-- DETAIL: One that is made of columns may take long on a row. Nothing was charged.
-- HINT: Write name LIKE 'A%', and name LIKE 'A%' OR name LIKE 'B%' for LIKE ANY.
----
SELECT count(*) FROM visits WHERE page LIKE 'a!%' ESCAPE '!';
-- UnsupportedSqlError at 58: ESCAPE is not supported on private rows
-- DETAIL: Patterns have no escape. Nothing was charged.
-- HINT: Write contains(x, '%'), or regexp_matches(x, '^a%').
----
SELECT count(*) FROM visits WHERE age LIKE '1%';
-- UnsupportedSqlError at 44: LIKE takes text
-- DETAIL: visits.age is of type INTEGER. Nothing was charged.
-- HINT: Convert numbers with CAST(x AS VARCHAR).
----
SELECT count(*) FROM visits WHERE page GLOB 'a*';
-- UnsupportedSqlError at 45: GLOB is not supported on private rows
-- DETAIL: Its cost depends on the private text. Nothing was charged.
-- HINT: Write LIKE 'a%', or regexp_matches(x, '^a').
----
SELECT count(*) FROM visits WHERE CASE WHEN uid = 7 THEN sleep_ms(1000) ELSE TRUE END;
-- UnsupportedSqlError at 58: the function sleep_ms is not supported
-- DETAIL: It waits on one row, and so tells of it. Nothing was charged.
-- HINT: Leave it out.
----
SELECT count(*) FROM visits WHERE lpad(disease, age, 'x') = 'x';
-- UnsupportedSqlError at 35: the function lpad is not supported
-- DETAIL: It can make a text of any length, which would take long on one row. Nothing was charged.
-- HINT: Leave the text as it is.
----
SELECT count(*) FROM visits WHERE len(range(big)) > 5;
-- UnsupportedSqlError at 39: the function range is not supported
-- DETAIL: A list of any length would be made for one row. Nothing was charged.
-- HINT: Join FROM range(1, 4) AS r(i) on a column, or use a table that holds the values.
----
SELECT count(*) FROM visits WHERE format('{:1000000}', disease) = 'x';
-- UnsupportedSqlError at 35: the function format is not supported
-- DETAIL: It can make a text of any length, which would take long on one row. Nothing was charged.
-- HINT: Leave the text as it is.
----
SELECT count(*) FROM visits WHERE printf('%1000000d', age) = 'x';
-- UnsupportedSqlError at 35: the function printf is not supported
-- DETAIL: It can make a text of any length, which would take long on one row. Nothing was charged.
-- HINT: Leave the text as it is.
----
SELECT count(*) FROM visits WHERE replace(disease, 'x', 'this text is much longer than that which it replaces') = 'x';
-- UnsupportedSqlError at 35: this replacement is too long
-- DETAIL: It may be 20 times as long as what it replaces; more may take long on one row. Nothing was charged.
-- HINT: Write a shorter one.
----
SELECT count(*) FROM visits WHERE replace(disease, page, 'x') = 'x';
-- UnsupportedSqlError at 35: what is replaced must be a constant
-- DETAIL: What is computed for each row could otherwise take long, or fail, on one row alone. Nothing was charged.
-- HINT: Write replace(x, 'a', 'b').
----
SELECT count(*) FROM visits WHERE regexp_matches(disease, page);
-- UnsupportedSqlError at 35: a regular expression must be a constant
-- DETAIL: What is computed for each row could otherwise take long, or fail, on one row alone. Nothing was charged.
-- HINT: Write regexp_matches(x, '^a[0-9]+'), or LIKE 'a%'.
----
SELECT count(*) FROM visits WHERE regexp_matches(disease, '((a{40}){40}){40}');
-- UnsupportedSqlError at 35: this regular expression is not supported
-- DETAIL: With its repetitions it is longer than 1000 characters. Nothing was charged.
-- HINT: Use characters, ., [a-z], (...), |, ^, $, \b, \d, \w, \s, *, +, ? and {n,m}.
----
SELECT count(*) FROM visits WHERE regexp_matches(disease, '(?i)a');
-- UnsupportedSqlError at 35: this regular expression is not supported
-- DETAIL: Of (?...) only (?:...) is known. Nothing was charged.
-- HINT: Use characters, ., [a-z], (...), |, ^, $, \b, \d, \w, \s, *, +, ? and {n,m}.
----
SELECT count(*) FROM visits WHERE regexp_matches(disease, '(');
-- UnsupportedSqlError at 35: this regular expression is not supported
-- DETAIL: There is ( without ). Nothing was charged.
-- HINT: Use characters, ., [a-z], (...), |, ^, $, \b, \d, \w, \s, *, +, ? and {n,m}.
----
SELECT count(*) FROM visits WHERE regexp_matches(disease, 'a**');
-- UnsupportedSqlError at 35: this regular expression is not supported
-- DETAIL: A repetition is itself repeated. Nothing was charged.
-- HINT: Use characters, ., [a-z], (...), |, ^, $, \b, \d, \w, \s, *, +, ? and {n,m}.
----
SELECT count(*) FROM visits WHERE regexp_matches(disease, '\pN');
-- UnsupportedSqlError at 35: this regular expression is not supported
-- DETAIL: \p is not known. Nothing was charged.
-- HINT: Use characters, ., [a-z], (...), |, ^, $, \b, \d, \w, \s, *, +, ? and {n,m}.
----
SELECT count(*) FROM visits WHERE regexp_matches(disease, 'a', 'z');
-- UnsupportedSqlError at 35: these flags are not supported
-- DETAIL: Flags are the letters i, c, s. Nothing was charged.
-- HINT: Write 'i' to ignore case.
----
SELECT count(*) FROM visits WHERE regexp_extract(disease, 'a', 2) = 'x';
-- UnsupportedSqlError at 35: the group is a whole number from 0 to 0
-- DETAIL: The pattern has no more groups. Nothing was charged.
-- HINT: Write regexp_extract(x, '([0-9]+)', 1).
----
SELECT count(*) FROM visits WHERE regexp_extract_all(disease, 'a') = ['x'];
-- UnsupportedSqlError at 35: the function regexp_extract_all is not supported
-- DETAIL: It gives a list. Nothing was charged.
-- HINT: Write regexp_extract(x, '([0-9]+)', 1).
----
SELECT count(*) FROM visits WHERE regexp_replace(disease, 'a', '\9') = 'x';
-- UnsupportedSqlError at 35: this replacement is not supported
-- DETAIL: \ in a replacement is followed by a group, up to 0, or by \. Nothing was charged.
-- HINT: Write regexp_replace(x, '[0-9]+', '#', 'g').
----
SELECT count(*) FROM visits WHERE disease SIMILAR TO page;
-- UnsupportedSqlError at 35: a regular expression must be a constant
-- DETAIL: What is computed for each row could otherwise take long, or fail, on one row alone. Nothing was charged.
-- HINT: Write regexp_matches(x, '^a[0-9]+'), or LIKE 'a%'.
----
SELECT count(*) FROM visits WHERE levenshtein(disease, 'flu') < 3;
-- UnsupportedSqlError at 35: the function levenshtein is not supported
-- DETAIL: The time that it takes grows with the lengths of both texts, multiplied. Nothing was charged.
-- HINT: Compare the texts with =, starts_with, jaccard or hamming.
----
SELECT count(*) FROM visits WHERE md5(disease) = 'x';
-- UnsupportedSqlError at 35: the function md5 is not supported
-- DETAIL: It is not needed for counts. Nothing was charged.
-- HINT: Use the value itself.
----
SELECT count(*) FROM visits WHERE string_split(disease, ' ')[1] = 'x';
-- UnsupportedSqlError at 35: the function string_split is not supported over private rows
-- DETAIL: It is not on the list of functions that are known to have a result, at a bounded cost, on every row. Nothing was charged.
-- HINT: Use CASE, CAST, arithmetic, and functions of text, dates and numbers such as lower, substr, date_trunc and round.
----
SELECT count(*) FROM visits WHERE split_part(disease, page, 1) = 'x';
-- UnsupportedSqlError at 35: the separator must be a constant
-- DETAIL: What is computed for each row could otherwise take long, or fail, on one row alone. Nothing was charged.
-- HINT: Write split_part(x, ',', 1).
