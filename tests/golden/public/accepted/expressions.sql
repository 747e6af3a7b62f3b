SELECT i FROM t WHERE i IN (1, 2) AND s LIKE 'a%' OR NOT (x BETWEEN -3 AND 0) AND d IS NOT NULL
SELECT CASE WHEN i = 1 THEN 'one' WHEN i = 2 THEN 'two' ELSE 'many' END, CASE i WHEN 1 THEN 2 END FROM t
SELECT if(i = 1, 'x', 'y'), coalesce(s, 'z'), nullif(i, 2), ifnull(s, 'q') AS g, greatest(i, 2), least(i, 2, 1) FROM t
SELECT -5, -i, - -5 AS c, 2 - -1, +5 AS e, 1.5e3, .5::DOUBLE AS g, 123456789012345678901234567890, TRUE, NULL FROM t
SELECT -9223372036854775808 AS n, 'it''s', -(i), - (5) AS p, i - -i AS q FROM t
SELECT i + 1, i - 1, i * 2, i / 2, i // 2, i % 2, i ** 2, i ^ 2 AS k FROM t
SELECT i & 1, i | 4, i << 2, i >> 1, ~i, xor(i, 1), @x AS v, s || 'x', s || i FROM t
SELECT (i + 1) * 2 - 3 / (i + 1) AS a, 10 - 3 - 2 AS b, 2 ** 3 ** 2 AS c, -2 ** 2 AS e, NOT i = 1 AS f FROM t
SELECT d + 1 AS a, d - INTERVAL 3 DAY AS b, d + INTERVAL '1 month 2 days' AS c, d + INTERVAL (i) MONTH AS e FROM t
SELECT INTERVAL '3' HOURS AS f, INTERVAL 90 SECONDS AS g, INTERVAL 2 QUARTERS AS h, INTERVAL '1 year' AS k FROM t
SELECT d - DATE '2020-01-01' AS h, ts - ts AS k, date_add(d, INTERVAL 1 WEEK) AS n, DATE '2020-02-29' AS o FROM t
SELECT date_trunc('month', d), date_trunc('hour', ts), extract(year FROM d), date_part('dow', d) FROM t
SELECT date_diff('month', d, DATE '2022-01-01'), datediff('day', DATE '2020-01-05', d) AS x2 FROM t
SELECT date_sub('day', d, DATE '2022-01-01'), datepart('isoyear', d), extract(epoch FROM ts) FROM t
SELECT year(d), quarter(d), month(d), week(d), day(d), dayofweek(d), isodow(d), dayofyear(d), hour(ts) FROM t
SELECT monthname(d), dayname(d), last_day(d), strftime(ts, '%Y-%m %H'), strptime('2020-02-03', '%Y-%m-%d') FROM t
SELECT epoch(ts), epoch_ms(ts), make_date(2020, 1, 2), make_timestamp(2020, 1, 2, 3, 4, 5.5), age(ts, ts) FROM t
SELECT time_bucket(INTERVAL 1 DAY, ts), to_timestamp(0)::VARCHAR AS p, days_in_month(d) AS q FROM t
SELECT l[1], l[-1], l[i], l[i + 1] AS e, l[1:2] AS f, l[:2] AS g, l[2:] AS h, s[1], l[1:3:2] AS k FROM t
SELECT st['f'] AS k, st.f, t.st.g, {'a': i}['a'] AS q, (st).f AS y, {'a': {'b': i}}.a.b AS z FROM t
SELECT [i, 2], {'a': i, 'b': s}, MAP {'x': i} AS c, MAP([1], ['a']) AS f, row(i, s), (i, s), [] AS o FROM t
SELECT map_extract_value(m, 'a') AS a, map_keys(m), map_values(m), cardinality(m) FROM t
SELECT list_sort([3, 1, NULL, 2], 'DESC') AS p, list_sort([3, NULL, 1]), list_reverse_sort([1, NULL, 3]) AS q FROM t
SELECT list_contains(l, 2), list_distinct([1, 1]) AS v, list_sum(l), list_max(l) AS w, 2 IN l AS z, l || [9] AS aa FROM t
SELECT array_to_string(l, '-') AS ab, flatten([[1], [2]]), list_concat(l, [7]) AS ad, list_append(l, 8) AS ae FROM t
SELECT cast(i AS VARCHAR), i::DOUBLE, try_cast(s AS INTEGER), '2020-01-01'::DATE AS e, 1::DECIMAL(5, 2) FROM t
SELECT '1'::TINYINT, 'a'::ENUM('a', 'b') AS h, [1]::VARCHAR[] AS k, 1::HUGEINT, 5::UBIGINT, 1::FLOAT FROM t
SELECT 1::DECIMAL AS p, {'a': 1}::STRUCT(a VARCHAR) AS q, TIME '10:00' AS r, 1::BOOLEAN, 'a'::BLOB AS w FROM t
SELECT upper(s), lower(s), substr(s, 1, 1), substring(s from 1 for 1), trim('  x '), ltrim('xxa', 'x'), rtrim('a ') FROM t
SELECT trim(BOTH 'x' FROM 'xax'), left('abc', 2), right('abc', -1), replace('aba', 'a', 'c'), reverse('abc') FROM t
SELECT split_part('a,b', ',', 2), split_part(s, 'a', -1) AS o, string_split('a,b', ','), concat(s, 1, NULL) FROM t
SELECT concat_ws('-', 'a', NULL, 'b'), length('abc'), position('b' IN 'abc'), strpos('abc', 'c'), starts_with('abc', 'ab') FROM t
SELECT lpad('7', 3, '0'), rpad('7', 3, 'x'), md5('a'), contains('abc', 'b'), suffix('abc', 'c'), chr(65), ascii('A') FROM t
SELECT regexp_matches('abc', 'b'), regexp_replace('abab', 'a', 'c', 'g'), regexp_replace('abab', 'a', 'c') FROM t
SELECT regexp_extract('a12', '([0-9]+)', 1), regexp_extract('a12', '[0-9]+'), 'abc' SIMILAR TO 'a.c' AS ai FROM t
SELECT regexp_full_match(s, '[a-c]'), regexp_extract_all('a1b2', '[0-9]') AS z, regexp_matches('ABC', 'b', 'i') FROM t
SELECT 'abc' GLOB 'a*' AS aj, 'a%b' LIKE 'a!%%' ESCAPE '!' AS ak, 'ABC' ILIKE 'a%', s NOT LIKE 'a%', s NOT ILIKE 'A_' FROM t
SELECT s LIKE NULL AS a, s LIKE '%b%' AS b, s LIKE '_' AS c, 'a__b' LIKE 'a!__b' ESCAPE '!' AS e FROM t
SELECT format('{} of {}', i, s) AS ao, printf('%d-%s', i, s) AS ax, translate('abc', 'ab', 'xy') AS ar FROM t
SELECT round(x), round(x, 1), floor(x), ceil(x), trunc(x), abs(x), sign(x), sqrt(abs(x)), cbrt(x) FROM t
SELECT ln(i), log(i), log2(i), log10(i), log(2, i) AS r, exp(x), pow(x, 2), mod(i, 2), pi(), atan2(x, i) FROM t
SELECT degrees(x), radians(x), sin(x), factorial(i), gcd(i, 4), isnan(x), even(x), bit_count(i), isfinite(x) FROM t
SELECT x IS DISTINCT FROM 1.5, x IS NOT DISTINCT FROM 1.5, i > 1 IS TRUE AS c, (i > 1) IS NOT FALSE AS e FROM t
SELECT s ISNULL AS f, s NOTNULL AS g, i > 1 IS UNKNOWN AS h, i <> 1, i != 2, i == 3 AS k FROM t
SELECT typeof(i), hash(i), to_base(10, 2), hex(s), unhex('61'), to_base64('a'::BLOB) AS b, bit_length(s), ord('a') FROM t
SELECT d BETWEEN DATE '2020-01-01' AND '2020-12-31' AS a, d IN ('2020-01-01') AS b, ts > '2020-01-01' AS c FROM t
SELECT (SELECT i FROM t ORDER BY i NULLS FIRST LIMIT 1) IS NULL AS a, ts AT TIME ZONE 'UTC' IS NULL AS b FROM t
SELECT struct_pack(a := i) FROM t
