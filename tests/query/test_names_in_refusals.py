"""A refusal names what was written, and no node of the parser.

Every function that the parser knows, and forms of SQL that people write, of PostgreSQL, GoogleSQL and others,
are put into each place of a query. Most are refused somewhere, by the name that was written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import cycle, islice, product

import duckdb
import pytest
from sqlglot import exp

from dpduck import policies
from dpduck.compiler.functions.table import FUNCTION_NAMES
from dpduck.compiler.parse.dialect import AggregateTerms
from dpduck.compiler.write.call_names import short_name_of
from dpduck.kernel.errors import DpduckError
from tests.depth import depth
from tests.query.refusing import open_views, understand

PLACES = (
    "SELECT {} FROM visits",
    "SELECT count(*) FROM visits WHERE ({}) IS NOT NULL",
    "SELECT {} AS k, count(*) FROM visits GROUP BY ALL",
    "SELECT page, count(*) FROM visits GROUP BY page HAVING ({}) IS NULL",
    "SELECT sum({}) FROM visits",
    "SELECT count(*) FROM {}",
    "SELECT page, count(*) AS n FROM visits GROUP BY page ORDER BY {}",
    "SELECT {} FROM shops",
    "SELECT {}",
)
# Names that the parser has for others' words, which DuckDB lacks: by the text of the refusal.
SYNONYMS = {"unnest": "explode", "~": "rlike regexp", "~*": "regexp_i_like"}
TOPICS = {"JSON"}  # what -> and ->> are about

_CLASSES = {name for name, kind in vars(exp).items() if isinstance(kind, type) and issubclass(kind, exp.Expr)}
_OF_TWO_WORDS = {name.lower() for name in _CLASSES if re.search("[a-z][A-Z]", name)}
_NAMED = re.compile(r"(?:function|aggregate|operator|form of) (\S+)(?: is| cannot|$)|^(\S+) is not supported")

FORMS = r"""
age & 3
age | 3
age << 2
age >> 2
~age
age ^ 2
xor(age, 3)
page ~ 'a'
page ~* 'a'
page !~ 'a'
page !~* 'a'
page LIKE 'a' ESCAPE '$'
page ILIKE 'a'
page GLOB 'a*'
page SIMILAR TO 'a'
page NOT SIMILAR TO 'a'
page COLLATE nocase = 'a'
page COLLATE "C"
age BETWEEN SYMMETRIC 3 AND 1
age = ANY (ARRAY[1, 2])
age = ANY ('{1,2}'::int[])
age = ANY ($1::text[])
age = ALL (ARRAY[1, 2])
age = SOME (ARRAY[1, 2])
age = ANY (SELECT 3)
age = ANY (SELECT age FROM people)
age IN (SELECT 3)
age IN (1::SMALLINT, CAST(2 AS BIGINT))
page IN ('a'::VARCHAR, 'b')
day IN ('2024-01-05'::DATE, DATE '2024-01-06')
day IN (current_date, current_date - 1)
age IN (age + 1, 2)
age IN (SELECT age FROM visits)
page IN ('a' || 'b')
page IN (lower('A'), 'b')
age IN (1 + 1, -3, +4)
age IN UNNEST([1, 2])
age IN (1)
age IN ()
(age, page) IN ((1, 'a'))
(age, page) = (1, 'a')
ROW(age, page) = ROW(1, 'a')
ROW(1, 2)
(1, 2)
ARRAY[1, 2]
[1, 2]
[x FOR x IN [1, 2]]
{'a': 1}
MAP {'a': 1}
STRUCT(1 AS a)
tags[1]
page[1]
page[1:2]
x -> 'a'
page -> 'a'
page ->> 'a'
page #> '{a}'
page #>> '{a}'
page @> 'a'
page <@ 'a'
page ? 'a'
page ?| ARRAY['a']
page && 'a'
page || 'a'
page ^@ 'a'
page <-> 'a'
age <=> 3
age == 3
age <> 3
age IS DISTINCT FROM 3
age IS NOT DISTINCT FROM 3
age ISNULL
age NOTNULL
ok IS TRUE
ok IS NOT UNKNOWN
ok IS UNKNOWN
ok XOR ok
age DIV 2
age MOD 2
!age
|/ age
@ age
age::MONEY
age::INT4
page::REGCLASS
page::JSON
page::UUID
page::INET
page::XML
age::BIT
age::HUGEINT
CAST(age AS TEXT FORMAT 'x')
CAST(day AS STRING FORMAT 'YYYY')
CAST(age AS INT64)
CAST(age AS FLOAT64)
SAFE_CAST(age AS INT64)
TRY_CAST(age AS DECIMAL(5, 2))
CONVERT(age, CHAR)
CONVERT(INT, age)
TRY(age)
1_000
0x1F
0b11
1e3
E'a'
$$a$$
N'a'
B'01'
X'1F'
U&'a'
r'a'
b'a'
"a"
`a`
[a]
:name
@name
@@version
?
$1
$name
#1
INTERVAL '1' DAY
INTERVAL 1 DAY
INTERVAL '1 day'
INTERVAL '1-2' YEAR TO MONTH
day + INTERVAL 1 DAY
day - DATE '2024-01-01'
DATE '2024-01-01'
TIME '12:00'
TIMESTAMP '2024-01-01'
DATETIME '2024-01-01'
TIMESTAMPTZ '2024-01-01'
day AT TIME ZONE 'UTC'
moment AT TIME ZONE 'Europe/Paris'
day::DATE AT LOCAL
EXTRACT(YEAR FROM day)
EXTRACT(DOW FROM day)
EXTRACT(EPOCH FROM moment)
EXTRACT(JULIAN FROM day)
EXTRACT(WEEK(MONDAY) FROM day)
date_part('year', day)
date_trunc('month', day)
DATE_TRUNC(day, MONTH)
TIMESTAMP_TRUNC(moment, HOUR)
DATE_SUB(day, INTERVAL 1 DAY)
DATE_ADD(day, INTERVAL 1 DAY)
DATEADD(day, 1, day)
DATE_DIFF(day, day, DAY)
DATEDIFF(day, day, moment)
DATEDIFF('day', day, moment)
TIMESTAMPDIFF(DAY, day, moment)
TIMESTAMP_DIFF(moment, moment, SECOND)
PARSE_DATE('%Y', page)
FORMAT_DATE('%Y', day)
FORMAT_TIMESTAMP('%Y', moment)
TO_CHAR(day, 'YYYY')
TO_CHAR(age, '999')
TO_DATE(page, 'YYYY')
TO_TIMESTAMP(age)
TO_NUMBER(page, '99')
age(moment)
age(moment, day)
now()
now() - moment
current_date
current_timestamp
current_time
current_user
session_user
current_role
current_schema
user
localtime
localtimestamp
clock_timestamp()
statement_timestamp()
getdate()
sysdate
today()
random()
gen_random_uuid()
GENERATE_UUID()
UUID()
count(*)
count(1)
count()
count(DISTINCT age, page)
count(DISTINCT (age, page))
count(*) FILTER (WHERE age > 3)
count(*) OVER ()
sum(age) OVER (PARTITION BY page)
row_number() OVER ()
rank() OVER (ORDER BY age)
lag(age) OVER (ORDER BY day)
first_value(age IGNORE NULLS) OVER (ORDER BY day)
sum(age) OVER w
sum(DISTINCT age)
avg(DISTINCT age)
sum(ALL age)
string_agg(page, ',')
string_agg(page, ',' ORDER BY page)
string_agg(DISTINCT page, ',')
array_agg(page)
array_agg(page ORDER BY age)
list(page)
json_agg(page)
json_object_agg(page, age)
jsonb_build_object('a', page)
json_build_object('a', age)
xmlagg(page)
group_concat(page)
LISTAGG(page, ',') WITHIN GROUP (ORDER BY page)
percentile_cont(0.5) WITHIN GROUP (ORDER BY age)
percentile_disc(0.5) WITHIN GROUP (ORDER BY age)
mode() WITHIN GROUP (ORDER BY page)
rank(3) WITHIN GROUP (ORDER BY age)
PERCENTILE_CONT(age, 0.5)
PERCENTILE_CONT(age, 0.5) OVER ()
APPROX_QUANTILES(age, 4)
APPROX_QUANTILES(age, 4)[OFFSET(2)]
APPROX_COUNT_DISTINCT(age)
APPROX_TOP_COUNT(page, 3)
APPROX_PERCENTILE(age, 0.5)
HLL_COUNT.INIT(age)
NET.HOST(page)
ANY_VALUE(age)
ANY_VALUE(age HAVING MAX day)
MAX_BY(page, age)
arg_max(page, age)
bool_and(ok)
bool_or(ok)
every(ok)
bit_and(age)
bit_or(age)
bit_xor(age)
LOGICAL_OR(ok)
COUNTIF(ok)
COUNT_IF(ok)
SUM(age WHERE ok)
stddev(age)
stddev_samp(age)
variance(age)
var_pop(age)
VAR(age)
STD(age)
STDEV(age)
covar_pop(age, score)
corr(age, score)
regr_slope(age, score)
regr_count(age, score)
kurtosis(age)
skewness(age)
entropy(age)
mad(age)
product(age)
histogram(age)
approx_top_k(page, 3)
favg(age)
fsum(age)
geomean(age)
wavg(age, score)
round_even(x, 1)
roundbankers(x, 1)
fmod(x, 2)
fdiv(x, 2)
ANON_SUM(age CLAMPED BETWEEN 0 AND 5)
ANON_COUNT(*)
ANON_AVG(age)
dp_count(*)
dp_sum(age)
SUM(age, contribution_bounds_per_group => (0, 5))
AVG(age, contribution_bounds_per_group => (0, 5))
width_bucket(age, 0, 10, 5)
date_bin('1 day', moment, TIMESTAMP '2024-01-01')
time_bucket(INTERVAL 1 DAY, moment)
IF(age > 3, 1, 2)
IFF(age > 3, 1, 2)
IIF(age > 3, 1, 2)
IFNULL(age, 0)
NVL(age, 0)
NVL2(age, 1, 0)
ISNULL(age, 0)
ZEROIFNULL(age)
NULLIFZERO(age)
COALESCE(age, 0)
NULLIF(age, 0)
DECODE(age, 1, 'a', 'b')
CHOOSE(age, 'a', 'b')
SAFE_DIVIDE(age, score)
DIV(age, 2)
IEEE_DIVIDE(age, 2)
SAFE.SUBSTR(page, 1)
TRUNCATE(age, 2)
TRUNC(age, 2)
TRUNC(day, 'MM')
LEFT(page, 1)
RIGHT(page, 1)
MID(page, 1, 2)
INSTR(page, 'a')
CHARINDEX('a', page)
LOCATE('a', page)
POSITION('a' IN page)
OVERLAY(page PLACING 'x' FROM 1)
SUBSTRING(page FROM 1 FOR 2)
SUBSTRING(page FROM 'a')
TRIM(BOTH 'a' FROM page)
TRIM(LEADING FROM page)
INITCAP(page)
REGEXP_CONTAINS(page, 'a')
REGEXP_EXTRACT(page, 'a')
REGEXP_REPLACE(page, 'a', 'b', 'g')
REGEXP_SUBSTR(page, 'a')
REGEXP_LIKE(page, 'a')
REGEXP_COUNT(page, 'a')
SPLIT(page, ',')
SPLIT_PART(page, ',', 1)
STRING_TO_ARRAY(page, ',')
ARRAY_LENGTH(page)
CARDINALITY(page)
UNNEST(page)
unnest([1, 2])
generate_series(1, 3)
range(3)
GENERATE_ARRAY(1, 3)
GENERATE_DATE_ARRAY('2024-01-01', '2024-01-05')
FARM_FINGERPRINT(page)
MD5(page)
SHA256(page)
hash(page)
TO_HEX(page)
ENCODE(page, 'hex')
CONCAT(page, 'a')
CONCAT_WS(',', page, 'a')
FORMAT('%s', page)
printf('%d', age)
LPAD(page, 3, ' ')
REVERSE(page)
TRANSLATE(page, 'a', 'b')
CHR(age)
ASCII(page)
LENGTH(page)
CHAR_LENGTH(page)
LEN(page)
BIT_COUNT(age)
POWER(age, 2)
SQRT(age)
CBRT(age)
LN(age)
LOG(age)
LOG(2, age)
LOG10(age)
EXP(age)
SIGN(age)
MOD(age, 2)
GREATEST(age, 3)
LEAST(age, 3)
CEIL(x)
CEIL(x TO DAY)
FLOOR(x)
EXISTS (SELECT 1)
EXISTS (SELECT 1 FROM people WHERE people.id = visits.uid)
EXISTS (SELECT 1 FROM shops WHERE shops.name = visits.page)
(SELECT 1)
(SELECT name FROM shops LIMIT 1)
(SELECT max(name) FROM shops)
(SELECT name FROM shops s WHERE s.name = visits.page)
(SELECT count(*) FROM shops s WHERE s.name = visits.page)
(SELECT count(*) FROM people p WHERE p.id = visits.uid)
(SELECT avg(income) FROM people)
page IN (SELECT name FROM shops)
page NOT IN (SELECT name FROM shops)
page = (SELECT name FROM shops)
uid IN (SELECT id FROM people WHERE income > 5)
ARRAY(SELECT 1)
CASE age WHEN 1 THEN 'a' ELSE 'b' END
CASE WHEN age > 3 THEN 1 END
*
visits.*
COLUMNS(*)
COLUMNS('a.*')
* EXCLUDE (age)
nosuch
p.nosuch
visits.nosuch
main.visits.age
rowid
ctid
TRUE
NULL
NAN
'x'::nosuch
lower(page).upper()
page.lower()
lambda x: x
list_transform([1], x -> x + 1)
list_filter([1], lambda x: x > 0)
pg_sleep(1)
pg_typeof(age)
typeof(age)
version()
current_setting('x')
nextval('s')
read_csv('x')
'file.csv'
VALUES (1)
(VALUES (1)) t(a)
LATERAL (SELECT 1)
GROUPING(page)
GROUPING_ID(page)
ROLLUP(page)
CUBE(page)
GROUPING SETS ((page), ())
NOT age
- age
+ age
age + page
age = 'x'
page = 3
page > 3
day = 'x'
day > 3
amount % 2
PI()
E()
RAND()
SYSTEM_USER
JSON_VALUE(page, '$.a')
JSON_QUERY(page, '$.a')
JSON_EXTRACT(page, '$.a')
JSON_EXTRACT_SCALAR(page, '$.a')
JSON_OBJECT('a': 1)
JSON_ARRAY(1)
JSON_TABLE(page, '$')
XMLELEMENT(NAME a)
CAST(page AS STRUCT(a INT))
page::VARCHAR[]
MATCH (page) AGAINST ('a')
page RLIKE 'a'
page REGEXP 'a'
page LIKE ANY ('a', 'b')
page LIKE ANY (ARRAY['a', 'b'])
page ILIKE ANY (ARRAY['a'])
page LIKE ALL (ARRAY['a'])
page NOT LIKE 'a%'
page LIKE lower('A')
page LIKE page
page CONTAINS 'a'
PRIOR age
age OVERLAPS age
(day, day) OVERLAPS (day, day)
PERIOD FOR x
NEXT VALUE FOR s
COLLATION FOR (page)
OBJECT_CONSTRUCT('a', 1)
PARSE_JSON(page)
FLATTEN(page)
ARRAY_CONTAINS(page, 'a')
TRY_TO_NUMBER(page)
TRY_TO_DATE(page)
TO_VARCHAR(age)
STRFTIME('%Y', day)
strftime(day, '%Y')
DATE_FORMAT(day, '%Y')
UNIX_TIMESTAMP(moment)
FROM_UNIXTIME(age)
LAST_DAY(day)
NEXT_DAY(day, 'MON')
ADD_MONTHS(day, 1)
MONTHS_BETWEEN(day, day)
MAKE_DATE(2024, 1, 1)
DATE(2024, 1, 1)
DATE(moment)
DATE(page)
TIME(moment)
TIMESTAMP(page)
DATETIME(moment)
STR_TO_DATE(page, '%Y')
DAYNAME(day)
YEAR(day)
WEEK(day)
DAY(day)
DAYOFWEEK(day)
"""


def calls() -> list[str]:
    """Calls of all functions whose names the parser knows, of one argument and of two."""
    names = sorted(name.lower() for name in exp.FUNCTION_BY_NAME)
    return [form.format(name) for name, form in product(names, ("{}(age)", "{}(page, 'a')"))]


def placed(texts: Sequence[str], usual: int) -> Iterator[tuple[str, str]]:
    """Each text at `usual` places in turn, at all of them in full depth."""
    places = cycle(PLACES)
    for text in texts:
        for place in islice(places, depth(len(PLACES), usual)):
            yield text, place.format(text)
        next(places)


def words(text: str) -> set[str]:
    return set(re.findall("[a-z_0-9]+", text.lower()))


def strange_words(refusal: str, known: set[str]) -> set[str]:
    """The words of a refusal that are names of classes of the parser, or their keys."""
    return {word for word in words(refusal) - known if word.replace("_", "") in _OF_TWO_WORDS}


def named(refusal: str) -> str:
    """What the first line of a refusal calls what it refuses; empty if it is called by no name."""
    found = _NAMED.search(refusal.partition("\n")[0])
    return "" if found is None else found[1] or found[2]


def is_written(name: str, text: str) -> bool:
    plain = text.lower()
    return (
        name.lower() in plain or name in TOPICS or any(one in plain for one in SYNONYMS.get(name, "").split())
    )


@pytest.fixture(scope="module")
def connection() -> duckdb.DuckDBPyConnection:
    return open_views()


def faults(texts: Iterator[tuple[str, str]], connection: duckdb.DuckDBPyConnection) -> tuple[int, list[str]]:
    """How many texts were refused, and which of these refusals name what nobody wrote."""
    catalog = policies.load_catalog(connection)
    found = connection.execute("SELECT function_name FROM duckdb_functions()").fetchall()
    known = {name for (name,) in found} | set(FUNCTION_NAMES) | {"try_cast"}
    refused, wrong = 0, []
    for form, text in texts:
        try:
            understand(text, connection, catalog)
        except DpduckError as error:
            said = str(error)
            refused += 1
            strange = strange_words(said, known | words(form))
            name = named(said)
            if strange or not (name in ("", "[...]", "{...}") or is_written(name, text)):
                wrong.append(f"{text}: {said.partition(chr(10))[0]} {strange or ''}")
    return refused, wrong


def test_refusals_of_calls_name_the_function_that_was_called(connection: duckdb.DuckDBPyConnection) -> None:
    refused, wrong = faults(placed(calls(), 1), connection)
    assert not wrong
    assert refused > 1000


def test_refusals_of_other_forms_name_what_was_written(connection: duckdb.DuckDBPyConnection) -> None:
    refused, wrong = faults(placed(FORMS.strip().splitlines(), 3), connection)
    assert not wrong
    assert refused > 800


def test_an_aggregate_with_terms_of_its_own_has_the_name_of_the_aggregate() -> None:
    terms = AggregateTerms(this=exp.Sum(this=exp.column("x")))
    assert short_name_of(terms) == "sum"
    assert short_name_of(AggregateTerms(this=terms)) == "sum"
