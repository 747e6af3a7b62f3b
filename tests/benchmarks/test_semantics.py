"""Answers are what plain DuckDB answers at every place: a light share of `python -m benchmarks semantics`."""

from __future__ import annotations

from collections import Counter

import pytest
from sqlglot import exp

from benchmarks.semantics.doors import Answer, Python, opened
from benchmarks.semantics.grammar import Form, aggregates, scalars
from benchmarks.semantics.known import KNOWN, Difference, known
from benchmarks.semantics.places import PLACES
from benchmarks.semantics.plain import expected
from benchmarks.semantics.rows import FAR
from benchmarks.semantics.run import _is_tied, compare, drawn, run
from benchmarks.semantics.shapes import SHAPES
from benchmarks.semantics.tally import Tally
from benchmarks.semantics.values import compare_values, takes
from dpduck.compiler.functions.table import SCALARS
from dpduck.compiler.parse import tool_forms
from tests.depth import depth

EXPRESSIONS = depth(1_000, 60, 30)
COMPARED = [Form("comparison", "{number} = {n}"), Form("comparison", "{decimal} >= {n}")]


def test_each_entry_of_the_function_table_has_a_form() -> None:
    names = {key if isinstance(key, str) else key.__name__ for key in SCALARS}
    assert names <= {form.entry for form in scalars()}
    assert len(aggregates()) > 100


def test_arguments_have_every_shape_and_a_seed_draws_the_same() -> None:
    tally = Tally()
    texts = drawn("shapes", 400, tally)
    assert texts == drawn("shapes", 400, Tally())
    assert tally.shapes.keys() >= {*SHAPES, "list"}


def test_each_difference_that_is_wanted_has_a_name_and_a_reason_of_its_own() -> None:
    assert max(Counter(one.name for one in KNOWN).values()) == 1
    assert max(Counter(one.reason for one in KNOWN).values()) == 1
    assert known(Difference("public table", "Python", "value", "a + 1", "2", "3", (0,), ("3",))) is None


def test_a_mode_is_written_down_where_values_are_as_frequent() -> None:
    with opened("Python") as (connection, _):
        found = {value: _is_tied("mode(ok)", "1", value, connection) for value in ("True", "False", "None")}
        assert found == {"True": True, "False": True, "None": False}
        assert not _is_tied("mode(ok)", "0", "False", connection)
        assert not _is_tied("max(ok)", "1", "False", connection)


def test_what_statistics_alone_fail_on_has_a_value() -> None:
    with opened("Python") as (connection, _):
        (one,) = expected(["epoch_ms(tz)"], connection, "shown")
    assert one is not None
    assert one.raised
    assert min(one.raised) >= FAR


def _unknown(tally: Tally) -> list[Difference]:
    return [one for one in tally.differences if known(one) is None]


@pytest.mark.slow
@pytest.mark.parametrize("door", ["Python", "gateway"])
def test_answers_are_those_of_plain_duckdb(door: str) -> None:
    tally = run("light", EXPRESSIONS, door)
    assert _unknown(tally) == []
    assert {place for place, outcome in tally.outcomes if outcome == "answered"} >= {p.name for p in PLACES}
    assert tally.total("answered") > EXPRESSIONS


@pytest.mark.slow
def test_a_cast_that_is_dropped_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """As the cast to DECIMAL once was beside a comparison: 2.5::INTEGER is 2.5."""
    honest = tool_forms._number

    def dropped(node: exp.Cast) -> exp.Expr | None:
        is_whole = node.to.this is exp.DType.INT and isinstance(node.this.unnest(), exp.Literal)
        return node.this.copy() if is_whole else honest(node)

    texts = dict.fromkeys(("a = 2.5::INTEGER", "x >= CAST(0.45 AS INTEGER)"), "")
    texts |= drawn("mutant", 12, Tally(), COMPARED)
    places, found = [place for place in PLACES if place.size > 1], []
    for number in (honest, dropped):
        tally = Tally()
        with monkeypatch.context() as patch, opened("Python") as (connection, door):
            patch.setattr(tool_forms, "_number", number)
            compare(texts, connection, door, places, tally)
        found.append({one.place for one in _unknown(tally) if one.kind == "value"})
    assert found == [set(), {place.name for place in places}]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["released answer", "aggregate", "sum of private rows"])
def test_a_row_that_is_missing_is_seen(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Of each answer the last row is left out."""
    honest = Python.ask

    def shorter(door: Python, query: str) -> Answer:
        answer = honest(door, query)
        return Answer(answer.types, dict(list(answer.rows.items())[:-1]))

    monkeypatch.setattr(Python, "ask", shorter)
    tally = Tally()
    with opened("Python") as (connection, door):
        plain = compare({"a > 2": "", "a % 7": ""}, connection, door, PLACES, tally)
        compare_values([one for one in plain if takes(one)], connection, door, tally)
    assert name in {one.place for one in _unknown(tally)}
