"""Every operator and function, of every kind of operand, on rows with extreme values: none fails on any.

What leaked: guards stood before columns and not before constants, and a constant had whatever type DuckDB
gave its digits. The table below is nodes x kinds of operand (a column, constants at the ends of the types,
NULL, CASE of each) x all types; more is filled at random, as `python -m benchmarks rows` does for longer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import duckdb
import pyarrow as pa
import pytest

from dpduck.compiler.private.casts import cast
from dpduck.compiler.private.datetimes import COUNTABLE
from dpduck.compiler.private.type_rules import DATE, TIMESTAMP, VARCHAR
from dpduck.kernel.catalog.types import parse_type
from dpduck.kernel.tree import build
from dpduck.kernel.tree.duckdb import sql
from dpduck.kernel.tree.nodes import ColumnRef
from tests.depth import depth, part
from tests.fuzz import random_rows
from tests.fuzz.extremes import COLUMNS, NUMBER_TYPES, ends_of, forms_of_one
from tests.fuzz.random_rows import AT_ONCE, Tried, faults, translated
from tests.fuzz.tally import Tally
from tests.query.samples import TYPES, open_samples

ROWS = 60
TEXTS_OF_A_SEED = depth(500, 60, 40)
OPERATORS = ("+", "-", "*", "/", "//", "%")
PLACES = (-40, -38, -37, -20, -19, -18, -10, -5, -4, -3, -2, -1, 0, 1, 3, 10, 37, 38, 40)
MOMENTS = (
    "d",
    "e",
    "ts",
    "tt",
    "tz",
    "DATE '0001-01-01'",
    "DATE '9999-12-31'",
    "TIMESTAMP '9999-12-31 23:59:59.999999'",
)
MOMENTS += ("CASE WHEN ok THEN d ELSE DATE '9999-12-31' END", "CAST(NULL AS TIMESTAMP)")
TEXTS = (
    "s",
    "r",
    "g",
    "''",
    "'日本'",
    f"'{'9' * 60}'",
    "CASE WHEN ok THEN s ELSE '' END",
    "CAST(NULL AS VARCHAR)",
)
NUMBERS = tuple(name for name, kind in COLUMNS.items() if kind in ("integer", "decimal", "float"))


def constants(type_name: str) -> list[str]:
    """The ends of a type: as digits, which may be of another type, and converted."""
    ends = ends_of(type_name)
    return [*ends, *(f"CAST('{end}' AS {type_name})" for end in ends), f"CAST(NULL AS {type_name})"]


def operands(column: str) -> list[str]:
    """A column and constants of its type, each as it is and in a CASE."""
    least, most, *others = constants(TYPES[column])
    cases = [f"CASE WHEN ok THEN {column} END", f"CASE WHEN ok THEN {least} ELSE {column} END"]
    cases += [f"CASE WHEN ok THEN {most} END", f"CASE WHEN ok THEN {most} ELSE {least} END"]
    return [column, least, most, *others, *cases]


def of_one_number() -> Iterator[str]:
    small = ("0", "-1", "NULL", "0.5", "1e308", "CASE WHEN ok THEN 0 ELSE -1 END")
    every = [*small, *(operand for column in NUMBERS for operand in operands(column))]
    every += [constant for type_name in NUMBER_TYPES for constant in constants(type_name)]
    for turn, operand in enumerate(dict.fromkeys(every)):
        yield from (form.format(operand) for form in forms_of_one("number"))
        yield from (f"round({operand}, {places})" for places in PLACES[turn % 2 :: 2])
        yield f"trunc({operand}, {PLACES[turn % len(PLACES)]})"


def of_two_numbers() -> Iterator[str]:
    """All pairs of types; of each a few kinds of operands, others at each turn."""
    turn = 0
    for left, right in product(NUMBERS, NUMBERS):
        first, second = operands(left), [*operands(right), "0", "-1"]
        for symbol in OPERATORS:
            for _ in range(4):
                turn += 1
                yield f"({first[turn * 7 % len(first)]}) {symbol} ({second[turn * 5 % len(second)]})"
        yield f"greatest({left}, {second[1]}, {first[2]})"
        yield f"CASE WHEN ({left}) < ({right}) THEN {first[1]} ELSE {second[2]} END"


def of_conversions() -> Iterator[str]:
    targets = (*NUMBER_TYPES, "VARCHAR", "BOOLEAN")
    for column, target in product(NUMBERS, targets):
        kinds = operands(column)
        yield f"CAST({column} AS {target})"
        yield f"round(CAST({kinds[len(target) % len(kinds)]} AS {target}), -{len(column) + len(target) % 7})"
    yield from (
        f"CAST({text} AS {target})" for text, target in product(TEXTS, (*targets, "DATE", "TIMESTAMP"))
    )


def of_moments() -> Iterator[str]:
    yield from (form.format(moment) for form, moment in product(forms_of_one("moment"), MOMENTS))
    for one, two, unit in product(MOMENTS, MOMENTS, sorted(COUNTABLE)):
        yield f"date_diff('{unit}', {one}, {two})"
        yield f"date_sub('{unit}', {one}, {two})"
    days = [operand for column in NUMBERS if TYPES[column].endswith("INT") for operand in operands(column)]
    for symbol, moment, number in product("+-", ("d", "DATE '9999-12-31'"), days):
        yield f"{moment} {symbol} ({number})"


def of_texts() -> Iterator[str]:
    yield from (form.format(text) for form, text in product(forms_of_one("text"), TEXTS))
    whole = [column for column in NUMBERS if "INT" in TYPES[column]]
    for text, column in product(TEXTS, whole):
        for operand in operands(column):
            yield f"substr({text}, {operand}, {operand})"
            yield f"left({text}, {operand}) || right({text}, {operand})"


TABLE = {
    "one number": of_one_number,
    "two numbers": of_two_numbers,
    "conversions": of_conversions,
    "moments": of_moments,
    "texts": of_texts,
}


@pytest.fixture(scope="module")
def rows() -> Iterator[duckdb.DuckDBPyConnection]:
    with open_samples(ROWS) as connection:
        yield connection


@pytest.mark.parametrize("kind", TABLE)
def test_no_row_fails_and_every_type_is_as_claimed(kind: str, rows: duckdb.DuckDBPyConnection) -> None:
    tally, texts = Tally(), part(list(dict.fromkeys(TABLE[kind]())), 5, 10)
    found = [translated(text, kind, tally) for text in texts]
    accepted = [one for one in found if one is not None]
    assert tally.outcomes["failed"] == 0, tally.failures
    assert len(accepted) > len(texts) * 0.6
    wrong = []
    for first in range(0, len(accepted), AT_ONCE):
        wrong += faults(accepted[first : first + AT_ONCE], rows, conditions=False)
    assert wrong == []


@pytest.mark.parametrize("seed", ["one", "two"])
def test_random_expressions(seed: str) -> None:
    tally = random_rows.run(seed, TEXTS_OF_A_SEED)
    assert tally.failures == []
    assert tally.outcomes["accepted"] > 0.8 * TEXTS_OF_A_SEED


def open_odd_moments() -> duckdb.DuckDBPyConnection:
    """A table t whose dates and timestamps are any numbers, which Arrow hands over as they are."""
    ends = [0, 1, -1, 2**31 - 1, 2**31 - 2, -(2**31), -(2**31) + 1, 9_999_999_999_999_999, -9_223_372_036_855]
    ends += [
        2**63 - 1,
        2**63 - 2,
        -(2**63) + 1,
        -(2**63) + 2,
        -9_223_372_022_400_000_001,
        9_223_372_036_854_775,
    ]
    days = [end for end in ends if -(2**31) <= end < 2**31]
    days = [days[number % len(days)] for number in range(len(ends))]
    units = {"ts": "us", "tt": "us", "ns": "ns", "moment_ms": "ms", "moment_s": "s"}
    columns = {name: pa.array(ends, pa.int64()).view(pa.timestamp(unit)) for name, unit in units.items()}
    columns["tz"] = columns["ts"].view(pa.timestamp("us", "UTC"))
    columns |= {name: pa.array(days, pa.int32()).view(pa.date32()) for name in ("d", "e")}
    given = pa.table(columns)
    connection = duckdb.connect()
    connection.register("given", given)
    others = [f'CAST(NULL AS {kind}) AS "{name}"' for name, kind in TYPES.items() if name not in columns]
    connection.execute(f"CREATE TABLE t AS SELECT *, {', '.join(others)} FROM given")
    return connection


def test_numbers_that_are_no_moments_fail_nowhere() -> None:
    """DuckDB 2.0 gave up the whole database: whether CAST(ts AS VARCHAR) was answered told of one row."""
    texts = [*of_moments(), *(f"CAST(ns AS {target})" for target in ("VARCHAR", "DATE", "TIMESTAMP"))]
    texts += ["concat(d, ts, 'x')", "ts || d", "CASE WHEN d < ts THEN d ELSE ts END", "greatest(d, ts, tt)"]
    texts += ["concat(tz, 'x')", "greatest(tz, ts, d)", "CASE WHEN tz < ts THEN tz ELSE ts END"]
    tally = Tally()
    accepted = [one for text in texts if (one := translated(text, "moments", tally))]
    with open_odd_moments() as connection:
        assert faults(accepted, connection, conditions=False) == []
        for kind, name in (
            ("TIMESTAMP_S", "moment_s"),
            ("TIMESTAMP_MS", "moment_ms"),
            ("TIMESTAMP_NS", "ns"),
        ):
            source = parse_type(kind)
            made = [
                sql(cast(ColumnRef("t", name, source), source, target))
                for target in (VARCHAR, DATE, TIMESTAMP)
            ]
            connection.execute(f"SELECT {', '.join(f'bit_xor(hash({text}))' for text in made)} FROM t")


def test_the_check_sees_a_row_that_fails(rows: duckdb.DuckDBPyConnection) -> None:
    good = [translated(text, "good", Tally()) for text in ("a + 1", "s || 'x'", "100000 + h", "m * 2")]
    sound = [one for one in good if one is not None]
    a = ColumnRef("t", "a", parse_type("INTEGER"))
    plus = build.call("+", a.type, a, build.digits(1))
    failing = Tried("a + 1", replace(sound[0].value, node=plus))
    mistyped = Tried("a", replace(sound[0].value, node=build.converted(a, parse_type("DOUBLE"))))
    assert [one.text for one, _ in faults([*sound, failing], rows)] == ["a + 1"]
    assert [one.text for one, _ in faults([*sound, mistyped], rows)] == ["a"]


def decimals(width: int, scale: int, ticks: list[int]) -> pa.Array:
    """Decimals of Arrow, whatever the type says."""
    data = b"".join(tick.to_bytes(16, "little", signed=True) for tick in ticks)
    return pa.Array.from_buffers(pa.decimal128(width, scale), len(ticks), [None, pa.py_buffer(data)])


def of_integer_ends(bits: int) -> list[int]:
    least = -(2 ** (bits - 1))
    return [least, least + 1, -least - 1, -least - 2, 0, 1]


def test_decimals_of_more_digits_than_their_type_fail_nowhere() -> None:
    """Arrow hands them over as they are; of one of them -x gave up the whole database."""
    huge = [2**127 - 1, 1 - 2**127, 10**38, -(10**38), 0, 5]
    columns = {
        "v": decimals(4, 4, of_integer_ends(16)),
        "m": decimals(9, 2, of_integer_ends(32)),
        "k": decimals(18, 3, of_integer_ends(64)),
        "w": decimals(38, 10, huge),
    }
    odd = re.compile(r"\b[vmkw]\b")
    parts = (of_one_number, of_two_numbers, of_conversions)
    texts = [text for part in parts for text in list(part())[::2] if odd.search(text)]
    accepted = [one for text in dict.fromkeys(texts) if (one := translated(text, "decimals", Tally()))]
    given = pa.table(columns)
    with duckdb.connect() as connection:
        connection.register("given", given)
        others = [f'CAST(NULL AS {kind}) AS "{name}"' for name, kind in TYPES.items() if name not in columns]
        connection.execute(f"CREATE TABLE t AS SELECT *, {', '.join(others)} FROM given")
        connection.execute("UPDATE t SET ok = TRUE, a = 7, x = 0.5, c = -3, h = 2")
        assert faults(accepted, connection, conditions=False) == []
    assert len(accepted) > 500


def test_try_is_no_second_lock() -> None:
    """Why score SQL has none: before 2.0.1, what stands twice inside TRY is computed outside of it."""
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE t AS SELECT 2147483647::INTEGER AS a FROM range(2)")
        assert connection.execute("SELECT TRY(a + 1) FROM t").fetchall() == [(None,), (None,)]
        twice = "SELECT TRY((a + 1) % (a + 1)) FROM t"
        if tuple(map(int, duckdb.__version__.split(".")[:3])) >= (2, 0, 1):
            assert connection.execute(twice).fetchall() == [(None,), (None,)]
            return
        with pytest.raises(duckdb.OutOfRangeException):
            connection.execute(twice).fetchall()
