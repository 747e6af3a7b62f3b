"""Every function and operator of expressions against plain DuckDB, on rows with awkward values.

A row on which plain DuckDB raises an error gives NULL; every other row gives the same value, of the same
type. Exceptions are few and listed: values at the far ends of their types, which give NULL (EDGES), what
DuckDB 1.5 says otherwise than 2.0 (NEWER), and what a part without a result does not decide (FULLER).
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator

import duckdb
import pytest
from sqlglot import exp

from dpduck.compiler.functions import table
from dpduck.kernel.catalog.model import Domain, ValuesDomain
from dpduck.kernel.errors import DpduckError
from dpduck.kernel.plan.expression import Typed
from tests.query.function_cases import ALL, CASES, FULLER, LEAST, NEWER
from tests.query.function_cases import EDGES as CASE_EDGES
from tests.query.function_cases import REFUSED as CASE_REFUSED
from tests.query.samples import TYPES, node_of, open_samples, read, text_of, translate

ROWS = 400
ROWS_ONE_BY_ONE = 96
IS_NEW = int(duckdb.__version__.partition(".")[0]) >= 2
# Expressions whose type plain DuckDB has changed, and the first version of the new one.
TYPE_SINCE = {"bit_count(u)": "2.0.1", **dict.fromkeys(LEAST, "2.0.0")}
_VARIADIC = re.compile("greatest|least|coalesce|ifnull")
# Where a column is so, the result may be NULL instead of DuckDB's.
EDGES = CASE_EDGES | {
    "h": "abs(h::DOUBLE) > 1e37",
    "w": "abs(w::DOUBLE) > 1e27",
    "s": "strlen(s) > 1000",
    **{
        name: f"NOT (isinf({name}) OR {name} BETWEEN '140000-01-01 (BC)' AND '140000-12-31')"
        for name in ("d", "e", "ts", "tt")
    },
    "tz": "tz NOT BETWEEN '140000-01-01 (BC) 00:00:00+00' AND '140000-12-31 00:00:00+00'",
}


def _kinds() -> dict[str, type[exp.Expr]]:
    """The entries for private rows, by the names of their cases; what has no node class is Anonymous."""
    kinds = [exp.Anonymous if isinstance(key, str) else key for key in table.SCALARS]
    names = [key if isinstance(key, str) else key.__name__ for key in table.SCALARS]
    entries = zip(names, kinds, table.SCALARS.values(), strict=True)
    return {name: kind for name, kind, entry in entries if entry.private is not None}


@pytest.fixture(scope="module")
def samples() -> Iterator[duckdb.DuckDBPyConnection]:
    with open_samples(ROWS) as connection:
        yield connection


Values = dict[int, str | None]


def _run(connection: duckdb.DuckDBPyConnection, sql: str, where: str = "TRUE") -> Values:
    rows = connection.execute(f"SELECT row_number, CAST(({sql}) AS VARCHAR) FROM t WHERE {where}").fetchall()
    return {row: "nan" if value == "-nan" else value for row, value in rows}


def _plain(connection: duckdb.DuckDBPyConnection, text: str) -> Values:
    """What plain DuckDB gives; NULL for a row on which it raises."""
    try:
        return _run(connection, text)
    except duckdb.Error:
        pass
    if _VARIADIC.search(text) and not IS_NEW:  # of which TRY crashes DuckDB 1.5
        return _one_by_one(connection, text)
    # The optimizer may move what stands in TRY to the outside.
    connection.execute("PRAGMA disable_optimizer")
    try:
        return _run(connection, f"TRY({text})")
    finally:
        connection.execute("PRAGMA enable_optimizer")


def _one_by_one(connection: duckdb.DuckDBPyConnection, text: str) -> Values:
    values: Values = {}
    for row in range(ROWS_ONE_BY_ONE):
        try:
            values |= _run(connection, text, f"row_number = {row}")
        except duckdb.Error:
            values[row] = None
    return values


def _edges(connection: duckdb.DuckDBPyConnection, text: str) -> set[int]:
    """The rows at the far ends of the columns that occur in the text."""
    names = {text, *(column.name for column in node_of(text).find_all(exp.Column))} & EDGES.keys()
    test = " OR ".join(f"coalesce({EDGES[name]}, FALSE)" for name in sorted(names)) or "FALSE"
    return {row[0] for row in connection.execute(f"SELECT row_number FROM t WHERE {test}").fetchall()}


def _far_with_zone(connection: duckdb.DuckDBPyConnection, text: str) -> set[int]:
    """The rows where times with a zone are others than DuckDB's, which truncates years BC without a sign.

    Infinite ones are NULL. DuckDB 1.5 converts none at the far ends.
    """
    if not re.search("tz|time ?zone", text, re.IGNORECASE):
        return set()
    names = {column.name for column in node_of(text).find_all(exp.Column)}
    tests = [f"isinf({name})" for name in sorted(names & {"d", "ts", "tt", "tz"})]
    tests += ["tz < '0001-01-01 00:00:00+00'"] * ("tz" in names and "trunc" in text)
    tests += [EDGES[name] for name in sorted(names & {"d", "ts", "tt", "tz"}) if not IS_NEW]
    return {
        row
        for (row,) in connection.execute(f"SELECT row_number FROM t WHERE {' OR '.join(tests)}").fetchall()
    }


def _types(connection: duckdb.DuckDBPyConnection, *texts: str) -> list[str]:
    items = ", ".join(f"typeof({text})" for text in texts)
    return list(connection.execute(f"SELECT {items} FROM t LIMIT 1").fetchall()[0])


def _is_since(text: str) -> bool:
    """Whether plain DuckDB gives an expression the type that it has here."""
    present, since = (version.split(".") for version in (duckdb.__version__, TYPE_SINCE.get(text, "0")))
    return [int(part) for part in present[:3]] >= [int(part) for part in since]


def _compare(connection: duckdb.DuckDBPyConnection, text: str) -> None:
    ours = translate(text)
    emitted, plain_type = _types(connection, text_of(ours), text)
    assert emitted == ours.type.name, text
    known_type = _is_since(text) and (IS_NEW or not plain_type.startswith("DECIMAL"))
    assert plain_type in (emitted, '"NULL"') or not known_type, text
    found = _run(connection, text_of(ours))
    assert ours.domain is None or _is_within(found, ours.domain), text
    if text in NEWER and not IS_NEW:
        return
    plain = _plain(connection, text)
    different = {row for row in plain if plain[row] != found[row]} - _far_with_zone(connection, text)
    lost = {row for row in different if found[row] is None}
    fuller = {
        row for row in different if plain[row] is None and (text in FULLER or _is_rest(text, found[row]))
    }
    assert not different - lost - fuller or not known_type, [
        (row, found[row], plain[row]) for row in sorted(different - lost - fuller)[:3]
    ]
    assert not lost or lost <= _edges(connection, text), [(row, plain[row]) for row in sorted(lost)[:3]]


def _is_within(values: Values, domain: Domain) -> bool:
    """Whether the values are of the domain that a function has whatever the row holds."""
    members = domain if isinstance(domain, ValuesDomain) else map(domain.value, range(domain.size))
    texts = {str(one).lower() if isinstance(one, bool) else str(one) for one in members}
    return {value for value in values.values() if value is not None} <= texts


def _is_rest(text: str, value: str | None) -> bool:
    return " % " in text and value == "0"


@pytest.mark.parametrize("kind", CASES)
def test_an_expression_means_what_plain_duckdb_means(kind: str, samples: duckdb.DuckDBPyConnection) -> None:
    for text in CASES[kind].meanings:
        _compare(samples, text)


def test_every_entry_of_the_table_has_a_case() -> None:
    kinds = _kinds()
    assert set(CASES) == set(kinds)
    for name, kind in kinds.items():
        used = any(type(node) is kind for text in CASES[name].meanings for node in node_of(text).walk())
        known = used and bool(CASES[name].forms)
        assert known or kind is exp.DateTrunc, name  # DuckDB's dialect reads date_trunc as TimestampTrunc


@pytest.mark.slow
def test_a_row_is_computed_from_itself_alone() -> None:
    """Also where DuckDB chooses another way by what it knows of all rows: that they are ASCII, or few."""
    with open_samples(ROWS) as connection:
        everywhere = _rows(connection)
        connection.execute("ALTER TABLE t RENAME TO everything")
        for kept in (
            "ascii(s) < 128 AND s SIMILAR TO '[ -~]*'",
            "row_number = 7",
            "row_number % 5 = 3 AND a > 0",
        ):
            connection.execute(f"CREATE TABLE t AS SELECT * FROM everything WHERE {kept}")
            alone = _rows(connection)
            assert alone
            for row, values in alone.items():
                pairs = zip(ALL, values, everywhere[row], strict=True)
                assert [text for text, one, two in pairs if one != two] == [], kept
            connection.execute("DROP TABLE t")


def _rows(connection: duckdb.DuckDBPyConnection) -> dict[int, list[str | None]]:
    """The values of all expressions in each row."""
    rows: dict[int, list[str | None]] = {}
    for first in range(0, len(ALL), 100):
        items = [f"CAST(({text_of(translate(text))}) AS VARCHAR)" for text in ALL[first : first + 100]]
        for row, *values in connection.execute(f"SELECT row_number, {', '.join(items)} FROM t").fetchall():
            rows.setdefault(row, []).extend("nan" if value == "-nan" else value for value in values)
    return rows


# --- parts without a result ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("coalesce(a // 0, 5)", "5"),
        ("greatest(1 // (a - a), 7)", "7"),
        ("CASE WHEN 1 // (a - a) = 1 THEN 'yes' ELSE 'no' END", "no"),
        ("coalesce(CAST('x' AS INTEGER), 3)", "3"),
        ("a % 0", None),
        ("CAST('-128' AS TINYINT) % -1", "0"),
        ("1 / 0", "inf"),
        ("sqrt(-1)", "nan"),
        ("ln(0)", "-inf"),
        ("m % (m - m)", None),
        ("h % (m - m)", None),
        ("d + 2000000000 * (a // a)", None),
        ("d + INTERVAL 9000 YEAR + INTERVAL 9000 YEAR", "20024-02-29 00:00:00"),
    ],
)
def test_null_stands_for_the_operation_that_has_no_result(text: str, value: str | None) -> None:
    row = "SELECT 5 AS a, 1.50::DECIMAL(9,2) AS m, 3::HUGEINT AS h, DATE '2024-02-29' AS d"
    sql = text_of(translate(text))
    assert duckdb.sql(f"SELECT CAST(({sql}) AS VARCHAR) FROM ({row}) AS t").fetchall() == [(value,)]


# --- cost ----------------------------------------------------------------------------------------


def test_a_long_text_takes_no_time() -> None:
    """A text of 200,000 letters, which backtracking or repetition would make last minutes."""
    with duckdb.connect() as connection:
        columns = [f'CAST(NULL AS {kind}) AS "{name}"' for name, kind in TYPES.items() if name not in "sr"]
        connection.execute(
            f"CREATE TABLE t AS SELECT repeat('a', 200000) AS s, 'b' AS r, {', '.join(columns)}"
        )
        costly = ["s LIKE '%a_%b'", "s ILIKE '%a_%a_%b'", "s LIKE '%a%a%a%a%a%b'", "s SIMILAR TO '(a*)*b'"]
        costly += [
            "regexp_replace(s, 'a*b|a', '#', 'g')",
            "replace(s, 'a', 'bbbbbbbbbb')",
            r"regexp_replace(s, '(a+)$', '\1\1', 'g')",
            "concat(s, s, s, s, s)",
        ]
        for text in [text for text in ALL if re.search(r"\bs\b", text)] + costly:
            start = time.perf_counter()
            connection.execute(f"SELECT CAST(({text_of(translate(text))}) AS VARCHAR) FROM t").fetchall()
            assert time.perf_counter() - start < 1, text


def test_only_short_texts_grow() -> None:
    """A replacement that is longer than what it replaces is not made in long texts."""
    lengths = {1_000: "20000", 10_000: "200000", 10_001: None}
    for text in (f"replace(s, 'a', '{'b' * 20}')", f"regexp_replace(s, 'a', '{'b' * 20}', 'g')"):
        sql = f"SELECT CAST(strlen({text_of(translate(text))}) AS VARCHAR)"
        for length, value in lengths.items():
            assert duckdb.sql(f"{sql} FROM (SELECT repeat('a', {length}) AS s) AS t").fetchall() == [(value,)]


def test_texts_do_not_multiply() -> None:
    with pytest.raises(DpduckError, match="too much text is put together"):
        translate("concat(" + ", ".join(["s"] * 2000) + ")")
    doubled = "s"
    with pytest.raises(DpduckError, match="too much text is put together"):
        for _ in range(12):
            doubled = f"({doubled} || {doubled})"
            translate(doubled)


def test_expressions_do_not_grow_without_bound() -> None:
    text = "d"
    with pytest.raises(DpduckError, match="this expression is too long"):
        for _ in range(30):
            text += " + INTERVAL 1 DAY"
            translate(text)


# --- macros --------------------------------------------------------------------------------------


def _function_names(sql: str) -> set[str]:
    return {plain or quoted for plain, quoted in re.findall(r'system\.main\.(?:(\w+)|"([^"]+)")\(', sql)}


@pytest.mark.slow
def test_macros_of_a_user_change_nothing(samples: duckdb.DuckDBPyConnection) -> None:
    emitted: dict[str, Typed] = {text: translate(text) for text in ALL[::7]}
    names = set().union(*(_function_names(text_of(value)) for value in map(translate, ALL)))
    few = "row_number < 40"
    assert {"+", "~~", "lower", "date_trunc", "regexp_replace"} <= names
    with open_samples(ROWS) as connection:
        for name in sorted(
            names | {"coalesce", "if", "nullif", "ifnull", "to_days", "to_months", "date_diff"}
        ):
            arities = ", ".join(f"({', '.join('abcd'[:n])}) AS 'hijacked'" for n in (1, 2, 3, 4))
            connection.execute(f'CREATE MACRO "{name}"{arities}')
        assert connection.execute("SELECT lower('A'), 1 + 1").fetchall() == [("hijacked", "hijacked")]
        for text, value in emitted.items():
            assert _run(connection, text_of(value), few) == _run(samples, text_of(value), few), text


# --- refusals ------------------------------------------------------------------------------------

REFUSED = CASE_REFUSED | {
    # time, chance, state, waiting
    "now()": "the function now is not supported",
    "today()": "the function today is not supported",
    "current_date": "the function current_date is not supported",
    "current_timestamp": "the function current_timestamp is not supported",
    "localtimestamp": "the function localtimestamp is not supported",
    "age(d)": "the function age is not supported",
    "random()": "the function random is not supported",
    "uuid()": "the function uuid is not supported",
    "gen_random_uuid()": "the function gen_random_uuid is not supported",
    "setseed(0.5)": "the function setseed is not supported",
    "nextval('q')": "the function nextval is not supported",
    "currval('q')": "the function currval is not supported",
    "getvariable('v')": "the function getvariable is not supported",
    "current_setting('threads')": "the function current_setting is not supported",
    "getenv('HOME')": "the function getenv is not supported",
    "txid_current()": "the function txid_current is not supported",
    "write_log('x')": "the function write_log is not supported",
    "read_text('/etc/passwd')": "the function read_text is not supported",
    "sleep_ms(1000)": "the function sleep_ms is not supported",
    "query('SELECT 1')": "the function query is not supported",
    "error('x')": "the function error is not supported",
    "my_own_function(a)": "the function my_own_function is not supported",
    # long texts and lists
    "repeat(s, 20000000)": "the function repeat is not supported",
    "lpad(s, 1000000, 'x')": "the function lpad is not supported",
    "rpad(s, 1000000, 'x')": "the function rpad is not supported",
    "format('{}', s)": "the function format is not supported",
    "printf('%d', a)": "the function printf is not supported",
    "regexp_extract_all(s, 'a')": "the function regexp_extract_all is not supported",
    "hash(s)": "the function hash is not supported",
    "md5(s)": "the function md5 is not supported",
    "stats(s)": "the function stats is not supported",
    "strptime(s, '%Y')": "the function strptime is not supported",
    # types of operands of comparisons, and of all functions of a kind
    "s = 1": "r.s cannot be compared with this constant",
    "a = 'x'": "the constant 'x' is not a value of type INTEGER",
    "a = '1.5'": "the constant '1.5' is not a value of type INTEGER",
    "t = '300'": "the constant '300' is not a value of type TINYINT",
    "m = '0.255'": "the constant '0.255' is not a value of type DECIMAL(9,2)",
    "d = '2024-02-30'": "the constant '2024-02-30' is not a value of type DATE",
    "ok = 1": "the constant 1 is not a value of type BOOLEAN",
    "a = s": "r.a and r.s cannot be compared",
    "d = a": "r.d and r.a cannot be compared",
    "year(s)": "year takes a date or timestamp",
    "time_bucket(INTERVAL 1 HOUR, ts, tt)": "syntax error at ')': the call has too many arguments",
    "ts > TIMESTAMPTZ '2024-01-01 00:00:00+25'": "this cast is not supported",
    "d > DATE '2024-01-01 02:00:00+02'": "this cast is not supported",
    "to_timestamp(s, 'YYYY-MM-DD')": "the function to_timestamp is not supported",
    "to_timestamp('2024-01-31', 'YYYY-DD-MM')": "the function to_timestamp is not supported",
    "to_timestamp('2024-1-31', 'YYYY-MM-DD')": "the function to_timestamp is not supported",
    "ts > to_timestamp('2024-02-30', 'YYYY-MM-DD')": "this cast is not supported",
    "to_date(s, 'YYYY-MM-DD')": "the function to_date is not supported",
    "year(tz - tz)": "this difference is not supported",
    "1" + "0" * 50: "this number is too large",
}


@pytest.mark.parametrize("text", REFUSED)
def test_refused(text: str) -> None:
    with pytest.raises(DpduckError) as caught:
        translate(text)
    message = str(caught.value).splitlines()[0]
    assert message.startswith(REFUSED[text])
    assert caught.value.hint


@pytest.mark.parametrize(
    "text",
    [
        "system.main.lower(s)",
        "[a, b]",
        "unnest(l)",
        "a IN (SELECT b FROM t)",
        "EXISTS (SELECT 1 FROM t)",
        "a = ANY (SELECT b FROM t)",
        "row_number() OVER ()",
        "lag(a) OVER (ORDER BY b)",
        "count(*)",
        "max(a)",
        "s LIKE 'a!%' ESCAPE '!'",
        "s GLOB 'a*'",
        "(SELECT max(a) FROM t)",
        "list_value(a, b)",
        "{'x': a}",
        "l[1:2]",
        "range(a)",
        "string_split(s, ',')",
        "map(['a'], [1])",
        "list_transform(l, x -> x + 1)",
        "s COLLATE nocase",
        "current_user",
        "version()",
        "struct_pack(x := a)",
        "a -> 'b'",
        "s SIMILAR TO 'a' ESCAPE 'b'",
        "GROUPING(a)",
        "*",
        "$1",
    ],
)
def test_refused_as_no_expression_of_a_row(text: str) -> None:
    with pytest.raises(DpduckError) as caught:
        read(text)
    assert caught.value.hint
