"""Domains through expressions: what DuckDB computes from values in the columns' domains is in them.

Values of the table t are all in the domains below; the expressions are listed, nested at random, or both.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction

import duckdb
import pytest

from dpduck.compiler.private.domains import MAX_MAPPED
from dpduck.kernel.catalog.model import Domain, RangeDomain, ValuesDomain
from dpduck.kernel.catalog.types import Value, convert, parse_type
from dpduck.kernel.errors import DpduckError
from dpduck.kernel.plan.expression import Typed
from tests.query.samples import TYPES, Columns, text_of, translate

DOMAINS: dict[str, Domain] = {
    "t": RangeDomain(-128, 127, 1),
    "n": ValuesDomain((-32768, -7, 0, 3, 32767)),
    "a": RangeDomain(-5, 20, 1),
    "b": RangeDomain(-14, 91, 7),
    "c": RangeDomain(-9_000_000_000_000_000_000, 9_000_000_000_000_000_000, 10**18),
    "h": RangeDomain(-20, 40, 20),
    "ut": RangeDomain(0, 250, 25),
    "u": ValuesDomain((0, 1, 18446744073709551615)),
    "m": RangeDomain(Decimal("-1.00"), Decimal("2.00"), Decimal("0.25")),
    "x": RangeDomain(-2.0, 3.0, Fraction(1, 4)),
    "y": ValuesDomain((-1.5, 0.0, 0.49999999999999994, 7.0, 1e20)),
    "f": RangeDomain(0.0, 2.0, Fraction(1, 2)),
    "s": ValuesDomain(("", "a", "Ab", "  x ", "a,b,c", "%_", "it's", "abc/def", "xx")),
    "r": ValuesDomain(("é", "straße", "İ", "日本")),
    "d": RangeDomain(date(2023, 11, 28), date(2025, 3, 1), 1),
    "e": ValuesDomain((date(2, 1, 1), date(1999, 12, 31), date(2024, 2, 29), date(9999, 12, 31))),
    "ts": RangeDomain(datetime(2024, 2, 27, 3), datetime(2024, 3, 10, 3), 5_400_000_000),
    "tt": ValuesDomain(
        (datetime(1969, 12, 31, 23, 59, 59, 999999), datetime(2000, 1, 3), datetime(2024, 12, 30, 7))
    ),
    "ok": ValuesDomain((False, True)),
    "g": ValuesDomain(("low", "mid", "high")),
}
ROWS = 4_000
COLUMNS = Columns(**DOMAINS)


@pytest.fixture(scope="module")
def inside() -> Iterator[duckdb.DuckDBPyConnection]:
    """A table t of values in the domains, which meet in many combinations."""
    with duckdb.connect() as connection:
        columns = []
        for number, (name, domain) in enumerate(DOMAINS.items()):
            values = (
                list(domain)
                if isinstance(domain, ValuesDomain)
                else [domain.value(i) for i in range(domain.size)]
            )
            listed = ", ".join("'" + str(value).replace("'", "''") + "'" for value in values)
            place = f"(i + i // {len(values)} * {number + 1}) % {len(values)} + 1"
            columns.append(f'CAST(([{listed}])[{place}] AS {TYPES[name]}) AS "{name}"')
        missing = [f'CAST(NULL AS {kind}) AS "{name}"' for name, kind in TYPES.items() if name not in DOMAINS]
        items = ", ".join(columns + missing)
        connection.execute(f"CREATE TABLE t AS SELECT {items} FROM range({ROWS}) AS r(i)")
        yield connection


def _members(domain: Domain) -> set[object]:
    if isinstance(domain, ValuesDomain):
        return set(domain)
    return {domain.value(offset) for offset in range(domain.size)}


def _ends(domain: Domain) -> tuple[Value, ...]:
    return domain.values if isinstance(domain, ValuesDomain) else (domain.low, domain.high)


def _computed(connection: duckdb.DuckDBPyConnection, value: Typed) -> set[object]:
    return {row[0] for row in connection.execute(f"SELECT DISTINCT {text_of(value)} FROM t").fetchall()} - {
        None
    }


def _check(connection: duckdb.DuckDBPyConnection, value: Typed, text: str) -> None:
    assert value.domain is not None, text
    ends = (
        value.domain.values
        if isinstance(value.domain, ValuesDomain)
        else (value.domain.low, value.domain.high)
    )
    for end in ends:
        if isinstance(end, float):
            assert value.type.kind == "float", text
        else:
            assert (convert(end, value.type), type(end)) == (end, type(convert(end, value.type))), text
    if isinstance(value.domain, RangeDomain):
        assert value.domain.low < value.domain.high, text  # type: ignore[operator]
        assert value.domain.value(value.domain.size - 1) == value.domain.high, text
        computed = _computed(connection, value)
        outside = {v for v in computed if value.domain.value(value.domain.offset(v)) != v}  # type: ignore[arg-type]
        outside |= {v for v in computed if not value.domain.low <= v <= value.domain.high}  # type: ignore[operator]
    else:
        outside = _computed(connection, value) - _members(value.domain)
    assert not outside, (text, sorted(outside, key=str)[:5])


# The size of each domain is what it should be: images of finite lists are small.
SIZES: dict[str, int] = {
    # whole numbers
    "a": 26,
    "a + 1": 26,
    "3 - a": 26,
    "a * -2": 26,
    "a * 0": 1,
    "a // 10": 3,
    "a // -3": 8,
    "b // 7": 16,
    "b // 14": 8,
    "b // 2": 53,
    "t + 100": 156,
    "t * 2": 128,
    "t * 2 + 1": 128,
    "n * 2": 3,
    "n - 1": 4,
    "n // 7": 4,
    "n % 7": 3,
    "a % 7": 12,
    "a % 100": 26,
    "b % 14": 27,
    "b % -5": 9,
    "ut + 10": 10,
    "ut // 25": 11,
    "u // 2": 2,
    "u + 1": 2,
    "h + 20": 4,
    "abs(a)": 21,
    "abs(t)": 128,
    "abs(b)": 14,
    "abs(n)": 4,
    "sign(x)": 3,
    "greatest(a, 0)": 21,
    "least(a, 0)": 6,
    "least(b, 10)": 5,
    "greatest(0, a, 3)": 18,
    "greatest(a, 100)": 1,
    "greatest(a, -7)": 28,
    "least(n, 100)": 5,
    # doubles
    "floor(x)": 6,
    "ceil(x)": 6,
    "round(x)": 6,
    "trunc(x)": 6,
    "x * 2": 21,
    "x / 4": 21,
    "a / 2": 26,
    "floor(a / 10)": 4,
    "CAST(floor(x) AS INTEGER)": 6,
    "y + 0.1": 5,
    "round(y)": 4,
    "floor(y)": 4,
    # branches
    "CASE WHEN a > 3 THEN 'many' WHEN a > 0 THEN 'few' ELSE 'none' END": 3,
    "CASE WHEN ok THEN 'x' END": 1,
    "CASE WHEN ok THEN a ELSE 99 END": 27,
    "CASE WHEN ok THEN a ELSE 7 END": 26,
    "CASE WHEN ok THEN a ELSE b END": 39,
    "CASE WHEN ok THEN d ELSE '2024-01-05' END": 460,
    "CASE WHEN ok THEN e ELSE '2020-01-05' END": 5,
    "CASE WHEN ok THEN e ELSE ts END": 196,
    "CASE WHEN ok THEN a ELSE 0.5 END": 27,
    "CASE WHEN ok THEN 1 ELSE 2.5 END": 2,
    "CASE s WHEN 'a' THEN g ELSE 'other' END": 4,
    "if(ok, s, 'none')": 10,
    "coalesce(s, 'unknown')": 10,
    "coalesce(a, 0)": 26,
    "nullif(a, 0)": 26,
    "a > 3": 2,
    "ok AND a > 3": 2,
    "s LIKE 'a%'": 2,
    "regexp_matches(s, 'a')": 2,
    "isnan(x)": 2,
    "starts_with(s, 'a')": 2,
    # text
    "lower(s)": 9,
    "upper(s)": 9,
    "reverse(s)": 9,
    "upper(g)": 3,
    "length(s)": 6,
    "strlen(g)": 2,
    "trim(s)": 9,
    "ltrim(s)": 9,
    "rtrim(s, 'x')": 8,
    "substr(s, 2)": 8,
    "substr(s, 1, 1)": 7,
    "substr(s, -2, 1)": 7,
    "substr(s, 0, 2)": 7,
    "substr(s, 3, -2)": 9,
    "left(s, 2)": 9,
    "left(s, -1)": 8,
    "right(s, 2)": 9,
    "right(s, -1)": 8,
    "replace(s, 'a', 'é')": 9,
    "split_part(s, ',', 2)": 2,
    "split_part(s, '/', -1)": 9,
    "strpos(s, 'b')": 3,
    "s || '!'": 9,
    "'é' || g": 3,
    "r || '!'": 4,
    "substr(lower(s), 1, 2) || '..'": 8,
    # conversions
    "a::BIGINT": 26,
    "t::UTINYINT": 128,
    "n::TINYINT": 3,
    "a::VARCHAR": 26,
    "d::VARCHAR": 460,
    "g::VARCHAR": 3,
    "d::TIMESTAMP": 460,
    "ts::DATE": 13,
    "tt::DATE": 3,
    # parts
    "year(d)": 3,
    "isoyear(e)": 9998,
    "month(d)": 12,
    "extract(hour FROM ts)": 24,
    "dayofweek(d)": 7,
    "isodow(d)": 7,
    "dayofyear(d)": 366,
    "week(d)": 53,
    "quarter(d)": 4,
    "second(ts)": 60,
    "dayname(d)": 7,
    "monthname(d)": 12,
    # truncation
    "date_trunc('month', d)": 17,
    "date_trunc('week', d)": 66,
    "date_trunc('quarter', d)": 6,
    "date_trunc('year', d)": 3,
    "date_trunc('decade', d)": 1,
    "date_trunc('day', d)": 460,
    "date_trunc('hour', d)": 460,
    "date_trunc('day', ts)": 13,
    "date_trunc('hour', ts)": 289,
    "date_trunc('week', ts)": 2,
    "date_trunc('minute', ts)": 193,
    "date_trunc('second', tt)": 3,
    "last_day(d)": 17,
    "last_day(e)": 4,
    "time_bucket(INTERVAL 6 HOUR, ts)": 49,
    "time_bucket(INTERVAL 5 DAY, ts)": 3,
    "time_bucket(INTERVAL 90 MINUTE, ts)": 193,
    "time_bucket(INTERVAL 5 DAY, ts, TIMESTAMP '2024-01-02 03:00:00')": 3,
    "floor(extract(epoch FROM d) / 86400) * 86400": 460,
    "floor(epoch(ts) / 3600) * 3600": 289,
    "floor(epoch(tt) / 2.592e+06) * 2.592e+06": 671,
    "strftime(d, '%Y-%m')": 17,
    "strftime(ts, '%d. %B %y, %H:%M')": 193,
    "strftime(d, '%A %a %b %j')": 460,
    # movement
    "d + 7": 460,
    "7 + d": 460,
    "d - 40": 460,
    "d + INTERVAL 1 DAY": 460,
    "d + INTERVAL 1 MONTH": 451,
    "ts - INTERVAL '1 month 2 days 3 hours'": 193,
    "tt + INTERVAL 90 SECOND": 3,
    "date_trunc('month', d + INTERVAL 3 MONTH)": 17,
    "year(date_trunc('quarter', d))": 3,
    "CAST(date_trunc('month', d) AS DATE)": 17,
}


@pytest.mark.parametrize("text", SIZES)
def test_values_are_in_the_domain(text: str, inside: duckdb.DuckDBPyConnection) -> None:
    value = translate(text, COLUMNS)
    _check(inside, value, text)
    assert value.domain is not None
    assert value.domain.size == SIZES[text]


@pytest.mark.parametrize(
    "text",
    [
        *(
            "a + b",
            "a + 0.5",
            "a // 0",
            "a % 0",
            "a + NULL",
            "c * 0.5",
            "f + 1",
            "f / 2",
            "round(x, 1)",
            "CAST(x AS INTEGER)",
            "x + y",
        ),
        *("m + 1", "sqrt(x)", "floor(m)", "greatest(a, b)", "greatest(a, 0.5)", "a ** 2", "x // 2"),
        *("lower(r)", "length(r)", "substr(r, 1, 1)", "substr(s, a)", "s || g", "s || 1", "concat(s, 'x')"),
        *("CASE WHEN ok THEN a ELSE v END", "coalesce(k, 1)", "e + 1"),
        *("epoch(d)", "decade(d)", "era(d)", "date_trunc('century', e)", "date_trunc('isoyear', d)"),
        *("time_bucket(INTERVAL 1 DAY, d)", "time_bucket(INTERVAL 1 MONTH, ts)", "strftime(d, '%W')"),
        *(
            "strftime(e, '%Y')",
            "d - e",
            "date_diff('day', d, e)",
            "d + a",
            "s::INTEGER",
            "x::VARCHAR",
            "m::INTEGER",
        ),
    ],
)
def test_no_domain_rather_than_a_wrong_one(text: str) -> None:
    assert translate(text, COLUMNS).domain is None


def test_a_column_without_a_domain_gives_none() -> None:
    parts = (
        "year(ts)",
        "lower(s)",
        "a + 1",
        "date_trunc('month', d)",
        "abs(a)",
        "CAST(a AS BIGINT)",
        "-a",
        "d + 1",
    )
    assert [translate(text).domain for text in parts] == [None] * len(parts)


def test_values_outside_the_columns_domain_do_not_matter() -> None:
    """A domain is computed from the columns' domains alone."""
    small = Columns(a=ValuesDomain((1, 2)))
    assert translate("a * 10", small).domain == ValuesDomain((10, 20))
    assert translate("greatest(a, 2)", small).domain == ValuesDomain((2,))


# --- size ----------------------------------------------------------------------------------------


def test_large_domains_are_not_listed() -> None:
    wide = Columns(c=RangeDomain(0, 10**15, 1), d=RangeDomain(date(1, 1, 1), date(9999, 12, 31), 1))
    grids = {
        "c + 1": 10**15 + 1,
        "c // 1000": 10**12 + 1,
        "d + 0": 3652059,
        "c % 7": 7,
        "d::TIMESTAMP": 3652059,
    }
    for text, size in grids.items():
        assert _size(translate(text, wide).domain) == size
    for text in (
        "c::VARCHAR",
        "c / 2",
        "d::VARCHAR",
        "CASE WHEN ok THEN c ELSE -1 END",
        "d + INTERVAL 1 MONTH",
    ):
        assert translate(text, wide).domain is None
    assert _size(translate("date_trunc('month', d)", wide).domain) == 9999 * 12
    assert _size(
        translate("last_day(d)", Columns(d=RangeDomain(date(1980, 1, 1), date(9999, 12, 31), 1))).domain
    ) <= (MAX_MAPPED)


def test_a_grid_with_constants_of_its_own_stays_a_grid() -> None:
    """So a long range is not listed where only its ends are asked."""
    for text, grid in {
        "CASE WHEN ok THEN c ELSE 0 END": DOMAINS["c"],
        "CASE WHEN ok THEN m ELSE 0 END": DOMAINS["m"],
        "coalesce(m, 1.5)": DOMAINS["m"],
        "CASE WHEN ok THEN x ELSE 0 END": DOMAINS["x"],
        "coalesce(d, DATE '2024-01-01')": DOMAINS["d"],
        "coalesce(b, 0.00)": RangeDomain(Decimal("-14.00"), Decimal("91.00"), Decimal("7.00")),
    }.items():
        assert translate(text, COLUMNS).domain == grid, text
    for text in ("coalesce(m, 0.3)", "coalesce(m, 9)", "coalesce(d, DATE '2020-01-01')", "coalesce(a, t)"):
        assert isinstance(translate(text, COLUMNS).domain, ValuesDomain), text


def _size(domain: Domain | None) -> int:
    return -1 if domain is None else domain.size


def test_dates_at_the_ends_of_the_calendar() -> None:
    ends = Columns(d=ValuesDomain((date(1, 1, 1), date(9999, 12, 31))))
    assert translate("last_day(d)", ends).domain == ValuesDomain((date(1, 1, 31), date(9999, 12, 31)))
    assert translate("d + 1", ends).domain in (None, ValuesDomain((date(1, 1, 2),)))
    assert translate("d - INTERVAL 1 MONTH", ends).domain in (None, ValuesDomain((datetime(9999, 11, 30),)))
    for text in (
        "date_trunc('decade', d)",
        "date_trunc('week', d)",
        "time_bucket(INTERVAL 9 DAY, d::TIMESTAMP)",
    ):
        translate(text, ends)


# --- at random -----------------------------------------------------------------------------------


class _Writer:
    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def whole(self, depth: int) -> str:
        if depth == 0:
            return self._of(
                "a", "b", "t", "n", "ut", "h", "CAST(floor(x) AS INTEGER)", "length(s)", "year(d)", "hour(ts)"
            )
        inner, number = self.whole(depth - 1), self._random.choice((-7, -2, -1, 1, 2, 3, 10, 100))
        return self._of(
            *(f"({inner} {symbol} {number})" for symbol in ("+", "-", "*", "//", "%")),
            *(f"({number} {symbol} {inner})" for symbol in ("+", "-", "*")),
            f"abs({inner})",
            f"greatest({inner}, {number})",
            f"least({number}, {inner})",
            f"CASE WHEN ok THEN {inner} ELSE {number} END",
            f"coalesce({inner}, {self.whole(depth - 1)})",
            f"CAST({inner} AS BIGINT)",
            f"TRY_CAST({inner} AS TINYINT)",
            f"nullif({inner}, {number})",
        )

    def text(self, depth: int) -> str:
        if depth == 0:
            return self._of("s", "g", "CAST(a AS VARCHAR)", "dayname(d)", "strftime(d, '%Y-%m')", "'const'")
        inner, place = self.text(depth - 1), self._of("0", "1", "2", "-1", "-3")
        return self._of(
            f"{self._of('lower', 'upper', 'reverse', 'trim', 'ltrim')}({inner})",
            f"substr({inner}, {place})",
            f"substr({inner}, {place}, {self._of('0', '1', '3', '-2')})",
            f"{self._of('left', 'right')}({inner}, {place})",
            f"replace({inner}, 'a', '{self._of('', 'b', 'aa')}')",
            f"split_part({inner}, '{self._of(',', 'a', '-')}', {self._of('1', '2', '-1')})",
            f"({inner} || '{self._of('', 'x', 'é')}')",
            f"CASE WHEN a > 5 THEN {inner} ELSE {self.text(depth - 1)} END",
        )

    def moment(self, depth: int) -> str:
        if depth == 0:
            return self._of("d", "e", "ts", "tt")
        inner = self.moment(depth - 1)
        return self._of(
            f"date_trunc('{self._of('year', 'quarter', 'month', 'week', 'day', 'hour')}', {inner})",
            f"({inner} {self._of('+', '-')} INTERVAL {self._of('1 DAY', '2 MONTH', '7 HOUR', '1 YEAR')})",
            f"last_day({inner})",
            f"CAST({inner} AS {self._of('DATE', 'TIMESTAMP')})",
            f"time_bucket(INTERVAL {self._of('6 HOUR', '2 DAY', '5 MINUTE')}, CAST({inner} AS TIMESTAMP))",
            f"CASE WHEN ok THEN {inner} ELSE {self._of('d', 'ts')} END",
        )

    def _of(self, *choices: str) -> str:
        return self._random.choice(choices)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["whole", "text", "moment"])
@pytest.mark.parametrize("seed", range(4))
def test_random_expressions(kind: str, seed: int, inside: duckdb.DuckDBPyConnection) -> None:
    writer, checked = _Writer(seed), 0
    for number in range(80):
        text = getattr(writer, kind)(1 + number % 4)
        try:
            value = translate(text, COLUMNS)
        except DpduckError:
            continue
        if value.domain is not None and value.domain.size <= MAX_MAPPED * 100:
            _check(inside, value, text)
            checked += 1
    assert checked >= 30


def test_names_of_types() -> None:
    """The columns of this file are in their types."""
    for name, domain in DOMAINS.items():
        for end in _ends(domain):
            assert isinstance(end, float) or convert(end, parse_type(TYPES[name])) == end
