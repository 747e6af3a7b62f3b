"""Everyday questions that are answered: without noise the answers are those of plain DuckDB, or say why not.

With noise, the numbers that each block releases are within the intervals that are released with them, and
those that EXPLAIN states an error of are within that; both in 95 of 100 cases.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from itertools import pairwise
from pathlib import Path

import duckdb
import pytest
from sqlglot import exp

from dpduck import policies
from dpduck.compiler.compile import AnyPlan
from dpduck.compiler.parse.statements import Select, parse
from dpduck.engines.duckdb.public_facts import PublicFacts
from dpduck.kernel.catalog.model import Catalog
from dpduck.kernel.plan.aggregates import ClampedSum
from dpduck.kernel.plan.keys import key_column
from dpduck.kernel.plan.model import Plan, PublicPlan
from dpduck.kernel.release import Release
from tests.everyday import beside
from tests.everyday.test_everyday import DOMAINS, HERE, RECORD, check_errors
from tests.query import quiet
from tests.query.shop import NOON, any_plan
from tests.questions import Question, Tables

DIFFERENCES = beside.differences(HERE / "differences.txt")
COUNTS_EMPTY = "also those without rows"
NOISELESS = 10**10  # times the epsilon of a plan: wide ranges have wide noise
LEAST = 0.95
pytestmark = pytest.mark.slow


@dataclass(frozen=True)
class Asked:
    """A question about tables whose policies leave no row out: its plan, and its releases without noise."""

    question: Question
    plan: AnyPlan
    releases: Sequence[Release]

    def answer(
        self, connection: duckdb.DuckDBPyConnection, *, existing: bool
    ) -> tuple[beside.Names, list[beside.Row]]:
        return beside.answer(self.plan, self.releases, connection, existing=existing)


@dataclass(frozen=True)
class Market:
    """The tables of a domain, with policies that leave no row out (`whole`) or with their own."""

    name: str
    whole: duckdb.DuckDBPyConnection
    own: duckdb.DuckDBPyConnection

    def questions(self) -> Iterator[Question]:
        """Those that are answered, also if keys have to be found."""
        known = RECORD.read()
        return (
            one for one in Tables(HERE / self.name).questions() if known[one.number].startswith("answered")
        )

    @cached_property
    def asked(self) -> list[Asked]:
        """Each question, asked once for all tests: nothing that they do changes plans or releases."""
        catalog, found = policies.load_catalog(self.whole), []
        for question in self.questions():
            plan = planned(question, self.whole, catalog)
            found.append(Asked(question, plan, beside.releases(plan, self.whole)))
        return found


@pytest.fixture(autouse=True)
def noiseless(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quiet, "LOUDER", NOISELESS)


@pytest.fixture(scope="module", params=DOMAINS)
def market(request: pytest.FixtureRequest) -> Iterator[Market]:
    tables = Tables(HERE / request.param)
    with tables.open_plain(":memory:") as whole, tables.open_plain(":memory:") as own:
        beside.protect(tables, whole, nulls=True)
        beside.protect(tables, own, nulls=False)
        yield Market(request.param, whole, own)


def planned(question: Question, connection: duckdb.DuckDBPyConnection, catalog: Catalog) -> AnyPlan:
    return any_plan(question.sql, catalog, facts=PublicFacts(connection))


def plain(question: Question, connection: duckdb.DuckDBPyConnection) -> list[beside.Row]:
    """The answer of plain DuckDB on the day on which tests plan."""
    return connection.execute(question.sql.replace("CURRENT_DATE", f"DATE '{NOON:%Y-%m-%d}'")).fetchall()


def is_ordered(question: Question) -> bool:
    return "ORDER BY" in question.sql.rpartition(")")[2].upper()


def test_without_noise_they_are_plain_sql(market: Market) -> None:
    wrong = []
    for asked in market.asked:
        question = asked.question
        names, found = asked.answer(market.whole, existing=True)
        known = DIFFERENCES.get(question.number, [])
        expected = plain(question, market.whole)
        if len(expected) > len(found):  # a LEFT JOIN keeps groups without rows
            names, found = asked.answer(market.whole, existing=False)
        if not beside.agree(names, found, expected, known, ordered=is_ordered(question)):
            wrong.append((question.number, question.title, found[:3], expected[:3]))
        assert bool(known) != quiet.is_same(found, expected, ordered=is_ordered(question)), question.number
    assert not wrong


def test_explanations_say_what_is_not_plain_sql_and_each_error(market: Market, tmp_path: Path) -> None:
    """The reason of each difference, and that groups without rows count where they change other rows."""
    with Tables(HERE / market.name).open(tmp_path / "own.duckdb") as db:
        db.execute("SET dp_delta = 1e-6")
        for asked in market.asked:
            number = asked.question.number
            reasons = [one.reason for one in DIFFERENCES.get(number, [])]
            if counts_empty_groups(asked, market.whole):
                reasons.append(COUNTS_EMPTY)
            explained = db._service.explain(asked.question.sql, brief=True)
            check_errors(explained)
            said = " ".join(explained.caveats)
            for reason in reasons:
                assert reason in (beside.RANK, beside.NO_VALUES) or reason in said, number


def counts_empty_groups(asked: Asked, connection: duckdb.DuckDBPyConnection) -> bool:
    """Whether groups without rows change the rows of others."""
    every, existing = (
        {tuple(map(shown, row)) for row in asked.answer(connection, existing=only)[1]}
        for only in (False, True)
    )
    return not existing <= every


def shown(cell: object) -> object:
    return f"{cell:.6g}" if isinstance(cell, float | Decimal) else str(cell)


def test_released_numbers_are_within_their_intervals(market: Market) -> None:
    """Of the plan whose numbers are those of plain SQL without noise."""
    held: list[list[bool]] = []
    for asked in market.asked:
        if not isinstance(asked.plan, PublicPlan):
            held += [
                within(block, quietly, beside.released(block, market.whole, seed=f"{asked.question.number}"))
                for block, quietly in zip(asked.plan.blocks, asked.releases, strict=True)
            ]
    check_share([block for block in held if block])


def within(block: Plan, quietly: Release, noisily: Release) -> list[bool]:
    """For each released number of a block whether its interval has the number without noise.

    Of sums with a private clamp the interval is that of clamped totals, which no release without noise has.
    """
    clamped = {
        measure.request.column for measure in block.measures if isinstance(measure.request, ClampedSum)
    }
    truth, noisy = by_key(block, quietly), by_key(block, noisily)
    names = {column.name for column in block.columns}
    numbers = [name for name in names - clamped if {f"{name}_low", f"{name}_high"} <= names]
    return [
        one
        for number in numbers
        for key in truth.keys() & noisy.keys()
        if (one := _has(noisy[key], number, truth[key][number])) is not None
    ]


def _has(noisy: dict[str, object], number: str, truth: object) -> bool | None:
    """Whether an interval has a number; None if there is none. Ends are rounded to doubles."""
    low, high = noisy[f"{number}_low"], noisy[f"{number}_high"]
    if truth is None or low is None or high is None:
        return None
    least, true, most = (float(str(end)) for end in (low, truth, high))
    return least - 1e-6 * abs(least) <= true <= most + 1e-6 * abs(most)


def by_key(block: Plan, made: Release) -> dict[tuple[object, ...], dict[str, object]]:
    """The rows of a release by their keys."""
    names = [column.name for column in block.columns]
    places = [names.index(key_column(number)) for number in range(len(block.keys))]
    rows = (list(row.values()) for row in made.table(names).to_pylist())
    return {tuple(row[place] for place in places): dict(zip(names, row, strict=True)) for row in rows}


def test_rows_come_in_the_order_that_they_are_asked_in(market: Market) -> None:
    """Of the numbers shown, which have noise."""
    catalog = policies.load_catalog(market.own)
    checked = 0
    for question in market.questions():
        plan = planned(question, market.own, catalog)
        if isinstance(plan, PublicPlan) or not is_ordered(question):
            continue
        made = beside.releases(plan, market.own, seed=f"order {question.number}")
        names, rows = beside.answer(plan, made, market.own, existing=False)
        terms = order_terms(question, names)
        for before, after in pairwise(rows if terms else ()):
            assert not precedes(after, before, terms), (question.number, before, after)
        checked += bool(terms)
    assert checked >= 5


def order_terms(question: Question, names: beside.Names) -> list[tuple[int, bool]]:
    """The places of the columns that ORDER BY names, and whether they descend; none if it names more."""
    parsed = parse(question.sql)
    assert isinstance(parsed, Select)
    tree = parsed.expression
    order = tree.args.get("order")
    found = []
    for term in order.expressions if order is not None else ():
        place = _place(term.this, tree, names)
        if place is None or term.args.get("nulls_first"):
            return []
        found.append((place, bool(term.args.get("desc"))))
    return found


def _place(node: exp.Expression, tree: exp.Expression, names: beside.Names) -> int | None:
    if isinstance(node, exp.Literal) and not node.is_string:
        return int(node.name) - 1
    if isinstance(node, exp.Column) and node.name in names:
        return names.index(node.name)
    items = [item.unalias() for item in tree.selects]
    return items.index(node) if node in items else None


def precedes(one: beside.Row, other: beside.Row, terms: list[tuple[int, bool]]) -> bool:
    """Whether a row must come before another one, as far as numbers and dates tell; NULL comes last."""
    for place, descends in terms:
        a, b = one[place], other[place]
        if a == b:
            continue
        if a is None or b is None or isinstance(a, str):
            return b is None
        return a > b if descends else a < b  # type: ignore[no-any-return, operator]
    return False


def check_share(held: list[list[bool]]) -> None:
    """Check that 95 % of numbers hold, with three standard errors; those of a block have noise in common."""
    total = sum(map(len, held))
    squares = sum((sum(block) - LEAST * len(block)) ** 2 for block in held)
    assert total > 0
    assert sum(map(sum, held)) >= LEAST * total - 3 * math.sqrt(max(squares, total * LEAST * (1 - LEAST)))
