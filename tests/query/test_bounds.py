"""The public range of an expression holds what DuckDB computes from the columns' domains and NULL."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from itertools import product

import duckdb
import pytest

from dpduck.compiler.functions.expressions import bounds_of, endpoints_of
from dpduck.compiler.private.bounds import Bounds
from dpduck.kernel.catalog.model import Domain, RangeDomain, ValuesDomain
from tests.query.samples import TYPES, Columns, node_of, text_of, translate

DOMAINS: dict[str, Domain] = {
    "a": RangeDomain(-3, 5, 1),
    "b": RangeDomain(2, 10, 4),
    "n": ValuesDomain((-8, 1, 100)),
    "m": RangeDomain(Decimal("-0.50"), Decimal("1.75"), Decimal("0.75")),
    "x": RangeDomain(-1.5, 2.5, Fraction(1, 2)),
}
COLUMNS = Columns(**DOMAINS)
_ROUNDING = Fraction(1, 10**9)  # of doubles, relative to the ends


@pytest.fixture(scope="module")
def box() -> Iterator[duckdb.DuckDBPyConnection]:
    """A table t of all combinations of the domains' values and NULL."""
    with duckdb.connect() as connection:
        for name, domain in DOMAINS.items():
            values = domain if isinstance(domain, ValuesDomain) else map(domain.value, range(domain.size))
            listed = ", ".join(f"('{value}'::{TYPES[name]})" for value in values)
            connection.execute(
                f"CREATE TABLE {name}_values AS SELECT * FROM (VALUES {listed}, (NULL)) AS v({name})"
            )
        tables = ", ".join(f"{name}_values" for name in DOMAINS)
        rest = ", ".join(f'NULL::{kind} AS "{name}"' for name, kind in TYPES.items() if name not in DOMAINS)
        connection.execute(f"CREATE TABLE t AS SELECT *, {rest} FROM {tables}")
        yield connection


def _bounds(text: str) -> Bounds | None:
    return bounds_of(node_of(text), COLUMNS)


def _seen(connection: duckdb.DuckDBPyConnection, text: str) -> Bounds | None:
    """The least and largest value in the box; None if all are NULL."""
    sql = text_of(translate(text, COLUMNS))
    low, high = connection.execute(f"SELECT min({sql}), max({sql}) FROM t").fetchall()[0]
    return None if low is None else Bounds(Fraction(low), Fraction(high))


def _holds(bounds: Bounds, seen: Bounds) -> bool:
    slack = _ROUNDING * max(abs(bounds.low), abs(bounds.high), 1)
    return bounds.low - slack <= seen.low and seen.high <= bounds.high + slack


# Each column once, so that the range is exactly what occurs.
EXACT = {
    "a": (-3, 5),
    "n": (-8, 100),
    "m": ("-0.5", "1.75"),
    "x": ("-1.5", "2.5"),
    "7": (7, 7),
    "-2.5": ("-2.5", "-2.5"),
    "-a": (-5, 3),
    "-(x)": ("-2.5", "1.5"),
    "(a + 1)": (-2, 6),
    "3 - a": (-2, 6),
    "a + b": (-1, 15),
    "a - b": (-13, 3),
    "a * -2": (-10, 6),
    "a * b": (-30, 50),
    "a * n": (-300, 500),
    "a * x": ("-7.5", "12.5"),
    "a / b": ("-1.5", "2.5"),
    "a / -4": ("-1.25", "0.75"),
    "x / 0.5": (-3, 5),
    "abs(a)": (0, 5),
    "abs(b)": (2, 10),
    "abs(-b)": (2, 10),
    "abs(a - 10)": (5, 13),
    "m * 100": (-50, 175),
    "greatest(a, 0)": (0, 5),
    "least(a, 2)": (-3, 2),
    "greatest(least(a, 2), 1)": (1, 2),
    "least(n, b, 50)": (-8, 50),
    "greatest(a, b)": (-3, 10),
    "least(a, b)": (-3, 10),
    "greatest(a, 0, NULL)": (0, 5),
    "greatest(a, 20)": (20, 20),
    "CASE WHEN ok IS NULL THEN a ELSE 0 END": (-3, 5),
    "CASE WHEN a > 0 THEN b END": (2, 10),
    "CASE WHEN a > 0 THEN b ELSE NULL END": (2, 10),
    "CASE WHEN a > 0 THEN 100 WHEN a < 0 THEN -1 ELSE 0 END": (-1, 100),
    "if(a > 0, b, -b)": (-10, 10),
    "coalesce(a, 50)": (-3, 50),
    "coalesce(NULL, a)": (-3, 5),
    "floor(x)": (-2, 2),
    "ceil(x)": (-1, 3),
    "round(x)": (-2, 3),
    "trunc(a)": (-3, 5),
    "x::DOUBLE": ("-1.5", "2.5"),
    "a::DOUBLE / 2": ("-1.5", "2.5"),
    "CAST(a AS BIGINT) * 2": (-6, 10),
    "a + CAST('0.005' AS DECIMAL(4,3))": ("-2.995", "5.005"),
    "a + CAST(0.005 AS DECIMAL(4,3))": ("-2.995", "5.005"),
    "a * CAST('-2' AS INTEGER)": (-10, 6),
    "a - CAST(' 1.5' AS DOUBLE)": ("-4.5", "3.5"),
    "CAST(x AS DECIMAL(5,1))": ("-1.5", "2.5"),
}
WIDER = {"floor(x)", "ceil(x)"}  # by a part of 1


@pytest.mark.parametrize("text", EXACT)
def test_bounds_are_tight(text: str, box: duckdb.DuckDBPyConnection) -> None:
    low, high = map(Fraction, EXACT[text])
    seen, bounds = _seen(box, text), _bounds(text)
    assert seen == Bounds(low, high)
    assert bounds is not None
    assert _holds(bounds, seen)
    assert bounds == seen or text in WIDER


@pytest.mark.parametrize(
    "text",
    [
        *(
            "a / a",
            "b / x",
            "1 / (a - 3)",
            "c",
            "a + c",
            "greatest(a, c)",
            "CASE WHEN ok THEN a ELSE c END",
            "s",
        ),
        *("sqrt(b)", "b ** 2", "'7'", "NULL", "coalesce(NULL, NULL)", "if(ok, NULL, NULL)", "d", "length(s)"),
        *("round(x, -1)", "greatest(c, NULL)"),
    ],
)
def test_no_bounds(text: str) -> None:
    assert _bounds(text) is None


def test_one_side_is_enough_for_the_other() -> None:
    """least(c, 100) has no least value, but greatest(least(c, 100), 0) has both."""
    assert _bounds("least(c, 100)") is None
    assert _bounds("greatest(least(c, 100), 0)") == Bounds(Fraction(0), Fraction(100))
    assert _bounds("least(greatest(c, -1.5), 2)") == Bounds(Fraction(-3, 2), Fraction(2))
    assert _bounds("least(greatest(c, 5), a)") is None


@pytest.mark.parametrize(
    ("text", "ends"),
    {
        "abs(c)": (0, None),
        "-abs(c)": (None, 0),
        "abs(least(c, -3))": (3, None),
        "abs(greatest(c, 3))": (3, None),
        "abs(greatest(c, -3))": (0, None),
        "c * c": (0, None),
        "(a + c) * (a + c)": (0, None),
        "c * (c + 0)": (None, None),
        "c * a": (None, None),
        "abs(c) * b": (0, None),
        "abs(c) * -b": (None, 0),
        "abs(c) * a": (None, None),
        "0 * c": (None, None),
        "abs(c) + b": (2, None),
        "b - abs(c)": (None, 10),
        "abs(c) - b": (-10, None),
        "c ** 2": (0, None),
        "c ** 3": (None, None),
        "b ** c": (0, None),
        "sqrt(c)": (0, None),
        "exp(c)": (0, None),
        "round(abs(c))": (0, None),
        "CAST(greatest(c, 1.5) AS INTEGER)": (1, None),
        "CASE WHEN ok THEN abs(c) ELSE 5 END": (0, None),
        "CASE WHEN ok THEN abs(c) ELSE a END": (-3, None),
        "greatest(c, a)": (None, None),
        "CAST(ok AS INTEGER) * abs(c)": (0, None),
    }.items(),
)
def test_one_end_alone(text: str, ends: tuple[int | None, int | None]) -> None:
    assert endpoints_of(node_of(text), COLUMNS) == tuple(
        None if end is None else Fraction(end) for end in ends
    )


def test_values_that_differ_in_a_letter_are_no_square() -> None:
    sign = "CASE WHEN s = '{}' THEN c ELSE 1 END"
    assert endpoints_of(node_of(f"({sign.format('A')}) * ({sign.format('a')})"), COLUMNS) == (None, None)
    assert endpoints_of(node_of(f"({sign.format('a')}) * ({sign.format('a')})"), COLUMNS) == (0, None)


class _Writer:
    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def number(self, depth: int) -> str:
        if depth == 0:
            return self._of("a", "b", "n", "m", "x", "2", "-3", "0.5", "0", "10")
        one, two = self.number(depth - 1), self.number(depth - 1)
        return self._of(
            *(f"({one} {symbol} {two})" for symbol in "+-*/"),
            *(f"({one} {symbol} {two})" for symbol in "+-*"),
            f"(-({one}))",
            f"abs({one})",
            f"greatest({one}, {two})",
            f"least({one}, {two}, {self.number(depth - 1)})",
            f"CASE WHEN a > 1 THEN {one} WHEN b = 2 THEN {two} END",
            f"coalesce({one}, {two})",
            f"if(x > 0, {one}, {two})",
            f"{self._of('floor', 'ceil', 'round', 'trunc')}({one})",
            f"round({one}, 1)",
            f"CAST({one} AS {self._of('DOUBLE', 'INTEGER', 'DECIMAL(18,2)')})",
        )

    def _of(self, *choices: str) -> str:
        return self._random.choice(choices)


@pytest.mark.parametrize("seed", range(4))
def test_random_expressions(seed: int, box: duckdb.DuckDBPyConnection) -> None:
    writer, checked = _Writer(seed), 0
    for _, depth in product(range(30), (1, 2, 3)):
        text = writer.number(depth)
        bounds = _bounds(text)
        seen = None if bounds is None else _seen(box, text)
        if bounds is not None and seen is not None:
            assert _holds(bounds, seen), (text, bounds, seen)
            checked += 1
    assert checked >= 40


MOMENTS: dict[str, Domain] = {
    "d": RangeDomain(date(2023, 11, 28), date(2025, 3, 1), 1),
    "e": RangeDomain(date(1969, 12, 20), date(1970, 1, 12), 1),
    "ts": RangeDomain(datetime(2024, 2, 27, 3), datetime(2024, 3, 10, 3), 5_400_000_000),
    "tt": ValuesDomain((datetime(1969, 12, 31, 23, 59, 59, 999999), datetime(2024, 12, 30, 7))),
}
_ALL = Columns(**MOMENTS, b=DOMAINS["b"])
UNITS = ("microsecond", "second", "minute", "hour", "day", "week", "month", "quarter", "year", "decade")
# With the ranges that follow; None: whatever they are, they hold.
DIFFERENCES = {
    "date_diff('day', d, DATE '2025-03-01')": (0, 459),
    "date_diff('year', d, DATE '2025-03-01')": (0, 2),
    "date_diff('month', d, DATE '2025-03-01')": (0, 16),
    "date_diff('hour', ts, TIMESTAMP '2024-03-10 03:00:00')": (0, 288),
    "date_diff('day', e, d)": (19678, 20160),
    "date_diff('month', e, d)": (646, 663),
    "DATE '2025-03-01' - d": (0, 459),
    "d - e": (19678, 20160),
    "(d + 1) - d": (-458, 460),
    "date_diff('day', d, coalesce(e, d))": (-20160, 459),
    "date_diff('day', e, CASE WHEN d > DATE '2024-06-01' THEN d END)": (19678, 20160),
    "date_diff('day', date_trunc('month', d), d)": None,
    "date_diff('day', CAST(ts AS DATE), d)": None,
    "date_diff('day', date_trunc('hour', coalesce(ts, tt)), d)": None,
    "date_diff('day', e, greatest(d, CAST(ts AS DATE)))": (19678, 20160),
    "date_diff('minute', coalesce(ts, tt) - INTERVAL 1 MONTH, ts)": None,
    "date_diff('second', nullif(ts, tt), ts)": (-1036800, 1036800),
    "year(d) - year(e)": (53, 56),
    "extract(month FROM d) * 2": (2, 24),
    "b % 3": (0, 2),
}


@pytest.fixture(scope="module")
def moments() -> Iterator[duckdb.DuckDBPyConnection]:
    """A table t of all ends, and some values between, of the domains of moments."""
    with duckdb.connect() as connection:
        connection.execute("SET TimeZone = 'UTC'")
        lists = {name: ", ".join(map(_row, _some(domain))) for name, domain in MOMENTS.items()}
        tables = ", ".join(f"(VALUES {listed}, (NULL)) AS v_{name}({name})" for name, listed in lists.items())
        connection.execute(f"CREATE TABLE t AS SELECT *, 2 AS b FROM {tables}")
        yield connection


def _row(value: object) -> str:
    return f"(TIMESTAMP '{value}')" if isinstance(value, datetime) else f"(DATE '{value}')"


def _some(domain: Domain) -> list[object]:
    if isinstance(domain, ValuesDomain):
        return list(domain)
    chance = random.Random(repr(domain))
    places = {0, 1, domain.size - 2, domain.size - 1, *(chance.randrange(domain.size) for _ in range(5))}
    return [domain.value(place) for place in sorted(places)]


def _seen_moments(connection: duckdb.DuckDBPyConnection, text: str) -> Bounds:
    sql = text_of(translate(text, _ALL))
    low, high = connection.execute(f"SELECT min({sql}), max({sql}) FROM t").fetchall()[0]
    return Bounds(Fraction(low), Fraction(high))


@pytest.mark.parametrize("text", DIFFERENCES)
def test_differences_of_moments(text: str, moments: duckdb.DuckDBPyConnection) -> None:
    bounds = bounds_of(node_of(text), _ALL)
    assert bounds is not None
    assert DIFFERENCES[text] in (None, (bounds.low, bounds.high))
    assert _holds(bounds, _seen_moments(moments, text))


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("function", ["date_diff", "date_sub"])
def test_ranges_of_differences_hold(function: str, unit: str, moments: duckdb.DuckDBPyConnection) -> None:
    for start, end in product([*MOMENTS, "'1969-12-31 05:00:00'::TIMESTAMP"], MOMENTS):
        text = f"{function}('{unit}', {start}, {end})"
        bounds = bounds_of(node_of(text), _ALL)
        assert bounds is not None, text
        assert _holds(bounds, _seen_moments(moments, text)), text


def test_seconds_of_a_column() -> None:
    moments = Columns(
        ts=RangeDomain(datetime(1970, 1, 1, 0, 0, 1, 500_000), datetime(1970, 1, 2), 1),
        d=ValuesDomain((date(1969, 12, 31), date(1970, 1, 11))),
    )
    of_moments = Bounds(Fraction(3, 2), Fraction(86_400))
    assert bounds_of(node_of("epoch(ts)"), moments) == of_moments
    assert bounds_of(node_of("extract(epoch FROM (ts))"), moments) == of_moments
    assert bounds_of(node_of("epoch(d)"), moments) == Bounds(Fraction(-86_400), Fraction(864_000))
    later = Bounds(Fraction(3, 2) + 86_400, Fraction(2 * 86_400))
    assert bounds_of(node_of("epoch(ts + INTERVAL 1 DAY)"), moments) == later
    for text in ("epoch(tt)", "epoch('1970-01-01')"):
        assert bounds_of(node_of(text), moments) is None
