"""Each rule of the checker: a tree with its bound, which rows reach, and mutants that lack what it needs."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import duckdb
import pytest

from dpduck.kernel.catalog.types import SqlType
from dpduck.kernel.check import UnboundedError, check, check_together, in_one_row
from dpduck.kernel.tree.build import any_of
from dpduck.kernel.tree.nodes import (
    AggregateCall,
    Comparison,
    Conversion,
    Expression,
    Literal,
    Membership,
    NullTest,
)
from dpduck.kernel.tree.relations import SelectQuery
from tests.kernel.measured import excesses, largest
from tests.kernel.people import CATALOG, fill, open_tables
from tests.kernel.writing import (
    BIGINT,
    BOOLEAN,
    DOUBLE,
    HUGEINT,
    INTEGER,
    as_huge,
    at_most,
    call,
    case,
    clamp,
    col,
    columns,
    count,
    equal,
    exists,
    is_there,
    join,
    num,
    query,
    scalar,
    scan,
    total,
    window,
)

INF = math.inf


def most(tree: SelectQuery, name: str = "score") -> Fraction | float:
    try:
        return check(tree, CATALOG)[name].most
    except UnboundedError:
        return INF


# --- trees, with what a mutant changes as arguments ----------------------------------------------


def units(unit: str = "person", *tests: Expression, by: tuple[str, ...] = ("unit",)) -> SelectQuery:
    """How many people have visits."""
    rows = query(scan("visits"), {"unit": col(unit)}, *(tests or (is_there("person"),)))
    return query(query(rows, columns("unit"), by=by), {"score": count()})


def joined(
    kind: str,
    left: str,
    right: str,
    *on: Comparison,
    unit: str = "t.person",
    where: tuple[Expression, ...] = (),
) -> SelectQuery:
    """How many people have a row in two joined tables."""
    rows = query(join(scan(left), kind, scan(right, "q"), *on), {"unit": col(unit)}, is_there(unit), *where)
    return query(query(rows, columns("unit"), by=["unit"]), {"score": count()})


def sums(low: int = -2, high: int = 5, by: tuple[str, ...] = ("unit",), clamped: bool = True) -> SelectQuery:
    """The sum of totals of people, each clamped."""
    rows = query(scan("visits"), {"unit": col("person"), "value": as_huge(col("n"))}, is_there("person"))
    part = total(col("value"))
    inside = query(rows, {**columns(*by), "part": clamp(part, low, high) if clamped else part}, by=by)
    return query(inside, {"score": total(col("part"))})


def turns(
    limit: int | None = 2,
    partition: tuple[str, ...] = ("unit", "k"),
    order: tuple[str, ...] = ("value", "k"),
    function: str = "row_number",
) -> SelectQuery:
    """The rows of groups, of which each person has a few."""
    rows = query(
        scan("visits"), {"unit": col("person"), "k": col("s"), "value": col("n")}, is_there("person")
    )
    turned = query(rows, {**columns("unit", "k", "value"), "turn": window(function, partition, order)})
    kept = query(turned, columns("unit", "k"), *([] if limit is None else [at_most(col("turn"), limit)]))
    return query(kept, {**columns("k"), "score": count()}, by=["k"])


def means(divisor: Expression | None = None, floor: str = "floor", high: str = "5.0") -> SelectQuery:
    """The sum of means of each person, of values between 0 and 50."""
    x, ends = col("x"), [Literal("0.0", DOUBLE), Literal(high, DOUBLE)]
    scaled_x = Conversion(
        call(floor, call("+", call("*", x, Literal("10.0", DOUBLE)), Literal("0.5", DOUBLE))), INTEGER
    )
    value = case(
        (Comparison("<=", x, ends[0]), num(0)), (Comparison(">=", x, ends[1]), num(50)), otherwise=scaled_x
    )
    rows = query(scan("visits"), {"unit": col("person"), "value": value}, is_there("person"), is_there("x"))
    part = call("//", total(as_huge(col("value"))), divisor or count())
    return query(query(rows, {"part": as_huge(part)}, by=["unit"]), {"score": total(col("part"))})


def shares(
    parts: int = 12,
    running: tuple[str, ...] = ("unit",),
    order: tuple[str, ...] = ("value",),
    weight: str = "times",
) -> SelectQuery:
    """Values of people, of which each has so many parts."""
    rows = query(scan("visits"), {"unit": col("person"), "value": col("n")}, is_there("person"))
    counted = query(rows, {**columns("unit", "value"), "times": count()}, by=["unit", "value"])
    upto, whole = window("sum", running, order, col("times")), window("sum", ("unit",), (), col("times"))
    summed = query(counted, {**columns("unit", "value", "times"), "upto": upto, "total": whole})
    before = call("//", call("*", call("-", col("upto"), col(weight)), num(parts)), col("total"))
    part = call("-", call("//", call("*", col("upto"), num(parts)), col("total")), before)
    return query(
        query(summed, {**columns("value"), "part": part}),
        {**columns("value"), "score": total(col("part"))},
        by=["value"],
    )


def kinds(*tests: Expression) -> SelectQuery:
    """Rows of a table with UNIQUE (person, n), by n."""
    rows = query(scan("kinds"), {"unit": col("person"), "k": col("n")}, is_there("person"), *tests)
    return query(rows, {**columns("k"), "score": count()}, by=["k"])


def values(limit: int = 2, partition: tuple[str, ...] = ("unit",)) -> SelectQuery:
    """How many values anybody has, of whom each counts a few."""
    rows = query(scan("visits"), {"unit": col("person"), "value": col("n")}, is_there("person"))
    once = query(rows, columns("unit", "value"), by=["unit", "value"])
    turned = query(once, {**columns("unit", "value"), "turn": window("row_number", partition, ("value",))})
    kept = query(turned, columns("value"), at_most(col("turn"), limit))
    return query(query(kept, columns("value"), by=["value"]), {"score": count()})


def of_fields(*, clamped: bool = True) -> SelectQuery:
    part = clamp(col("n"), 0, 3) if clamped else as_huge(col("n"))
    rows = query(scan("people"), {"unit": col("id"), "part": part})
    return query(rows, {"score": case((NullTest(total(col("part"))), num(0)), otherwise=total(col("part")))})


def places(*members: int, partition: tuple[str, ...] = ("unit",), otherwise: int = 0) -> SelectQuery:
    """How many people have a value in some places among their own."""
    rows = query(scan("visits"), {"unit": col("person"), "value": col("n")}, is_there("person"))
    once = query(rows, columns("unit", "value"), by=["unit", "value"])
    turned = query(once, {**columns("unit"), "turn": window("row_number", partition, ("value",))})
    is_one = Membership(col("turn"), tuple(map(num, members or (1, 3))))
    chosen = query(turned, {**columns("unit"), "first": case((is_one, num(1)), otherwise=num(otherwise))})
    return query(chosen, {"score": total(col("first"))})


def widened(kind: SqlType = BIGINT) -> SelectQuery:
    """Rows of a key that are joined with those of another whose number has that value, as another type."""
    test = Comparison("=", Conversion(col("q.number"), kind), Conversion(col("t.n"), kind))
    relation = join(scan("kinds"), "JOIN", scan("orders", "q"), PERSON, test)
    rows = query(relation, {"unit": col("person"), "k": col("n")}, is_there("person"), is_there("n"))
    return query(rows, {**columns("k"), "score": count()}, by=["k"])


PERSON = equal("q.person", "t.person")
NUMBER = equal("q.number", "t.number")

# What it shows, the tree, and the bound that rows reach.
BOUNDS: dict[str, tuple[SelectQuery, float]] = {
    "group": (units(), 1),
    "a join by the key": (joined("JOIN", "visits", "kinds", PERSON), 1),
    "a product with the condition in WHERE": (joined("CROSS JOIN", "visits", "kinds", where=(PERSON,)), 1),
    "a link to a unique column": (joined("JOIN", "orders", "items", NUMBER), 1),
    "an optional group": (joined("LEFT JOIN", "visits", "orders", PERSON), 1),
    "an optional group by a link": (joined("LEFT JOIN", "orders", "items", NUMBER), 1),
    "two rows of one table are one by its key": (joined("JOIN", "orders", "orders", NUMBER), 1),
    "an optional group that WHERE joins": (
        joined("LEFT JOIN", "visits", "orders", equal("q.n", "t.n"), where=(PERSON,)),
        1,
    ),
    "public rows": (joined("LEFT JOIN", "visits", "towns", equal("q.s", "t.s")), 1),
    "clamped sums": (sums(), 5),
    "clamped below": (sums(-7, 5), 7),
    "turns": (turns(), 2),
    "values of an order": (turns(1, ("unit",), ("k",), "dense_rank"), INF),
    "means": (means(), 50),
    "shares": (shares(), 12),
    "distinct values": (values(), 2),
    "a unique key without NULL": (kinds(is_there("n")), 1),
    "one row of a person": (of_fields(), 3),
    "places": (places(), 2),
    "a unique key of a wider type": (widened(), 1),
    "a subquery of the same person": (
        query(
            query(
                scan("people"), {"unit": col("id")}, exists(scan("visits", "s"), equal("s.person", "t.id"))
            ),
            {"score": count()},
        ),
        1,
    ),
    "a count of the same person": (
        query(
            query(
                scan("people"),
                {"unit": col("id"), "n": scalar(count(), scan("visits", "s"), equal("s.person", "t.id"))},
            ),
            {"score": total(call("least", col("n"), num(2)))},
        ),
        2,
    ),
}

MUTANTS: dict[str, tuple[SelectQuery, float]] = {
    "the unit is left out of GROUP BY": (sums(by=()), 5),
    "rows of nobody": (units("person", at_most(col("n"), 1)), 1),
    "a unit that is none": (units("n"), 1),
    "a join by another column": (joined("JOIN", "visits", "kinds", equal("q.n", "t.n")), 1),
    "a join by nothing": (joined("CROSS JOIN", "visits", "kinds"), 1),
    "an optional group of anybody": (joined("LEFT JOIN", "visits", "orders", equal("q.n", "t.n")), 1),
    "an optional group that WHERE may join": (
        joined(
            "LEFT JOIN",
            "visits",
            "orders",
            equal("q.n", "t.n"),
            where=(any_of(PERSON, NullTest(col("q.n"))),),
        ),
        1,
    ),
    "the unit of a group that may be absent": (
        joined("LEFT JOIN", "marks", "visits", equal("q.n", "t.n"), unit="t.n"),
        1,
    ),
    "another key": (joined("JOIN", "visits", "others", PERSON), 1),
    "no clamp": (sums(clamped=False), 5),
    "a larger clamp": (sums(-2, 6), 5),
    "no test of turns": (turns(None), 2),
    "one turn more": (turns(3), 2),
    "turns of all people": (turns(2, ("k",)), 2),
    "turns with ties": (turns(2, ("unit",), ("value",)), 2),
    "turns without order": (turns(2, ("unit", "k"), ()), 2),
    "ranks for turns": (turns(2, function="rank"), 2),
    "a sum for a mean": (means(num(1)), 50),
    "a mean of more": (means(high="6.0"), 50),
    "a function that is not listed": (means(floor="random"), 50),
    "another weight": (shares(weight="total"), 12),
    "running sums over all people": (shares(running=()), 12),
    "running sums without order": (shares(order=()), 12),
    "more parts": (shares(13), 12),
    "a unique key with NULL": (kinds(), 1),
    "values of all people": (values(partition=()), 2),
    "one value more": (values(3), 2),
    "one place more": (places(1, 2, 3), 2),
    "places of all people": (places(partition=()), 2),
    "what is elsewhere": (places(otherwise=1), 2),
    "a key that another type rounds": (widened(BOOLEAN), 1),
    "one row without its clamp": (of_fields(clamped=False), 3),
    "a subquery of anybody": (
        query(
            query(scan("people"), {"unit": col("id")}, exists(scan("visits", "s"), equal("s.n", "t.n"))),
            {"score": count()},
        ),
        1,
    ),
    "a count of anybody": (
        query(
            query(scan("people"), {"unit": col("id"), "n": scalar(count(), scan("visits", "s"))}),
            {"score": total(call("least", col("n"), num(2)))},
        ),
        2,
    ),
}


def levels(*, by_min: bool = True, having: bool = False, test: str = "<=") -> SelectQuery:
    """Values by the step of the least turn that they have among those of a person."""
    rows = query(scan("visits"), {"unit": col("person"), "value": col("n")}, is_there("person"))
    turned = query(rows, {**columns("value"), "turn": window("dense_rank", ("unit",), ("value",))})
    place = AggregateCall("min" if by_min else "max", (col("turn"),), BIGINT)
    merged = query(turned, {**columns("value"), "place": place}, by=["value"])
    merged = replace(merged, having=(Comparison("<=", count(), num(1)),)) if having else merged
    step = case((at_most(col("place"), 1), num(0)), (at_most(col("place"), 2), num(1)), otherwise=num(2))
    stepped = query(merged, {"level": step}, Comparison(test, col("place"), num(4)))
    return query(stepped, {**columns("level"), "score": count()}, by=["level"])


def weights(*, whole: bool = True) -> SelectQuery:
    """Three weights of a value between 0 and 4, which add up to 16, by person."""
    value = clamp(col("n"), 0, 4)
    rows = query(scan("visits"), {"unit": col("person"), "value": value}, is_there("person"))
    rest = call("-", num(4), col("value"))
    products: dict[str, Expression] = {
        "a": call("*", rest, rest),
        "b": call("*", call("*", num(2), col("value")), rest),
        "c": call("*", col("value"), col("value") if whole else num(4)),
    }
    parts = query(rows, {**columns("unit"), **products})
    means: dict[str, Expression] = {name: call("//", total(col(name)), count()) for name in products}
    return query(query(parts, means, by=["unit"]), {name: total(col(name)) for name in products})


def optional(settled: bool) -> SelectQuery:
    """The ranks of rows by a column of an optional group, of a person with one row or with several."""
    left, key = ("people", "id") if settled else ("visits", "person")
    tests = equal("q.id", f"t.{key}"), equal("q.s", "t.s")
    relation = join(scan(left), "LEFT JOIN", scan("people", "q"), *tests)
    rows = query(relation, {"unit": col(key), "other": col("q.id")}, is_there(key))
    ranked = query(rows, {**columns("unit"), "turn": window("rank", ("unit",), ("other",))})
    return query(query(ranked, columns("unit", "turn"), distinct=True), {"score": count()})


@pytest.fixture(scope="module")
def tables() -> Iterator[duckdb.DuckDBPyConnection]:
    with open_tables() as connection:
        yield connection


@pytest.mark.parametrize("name", BOUNDS)
def test_a_bound_is_computed_and_reached(name: str, tables: duckdb.DuckDBPyConnection) -> None:
    tree, bound = BOUNDS[name]
    assert most(tree) == bound
    if bound == INF:  # which nothing reaches
        return
    scores = check(tree, CATALOG)
    reached = Fraction(0)
    for seed in range(60):
        fill(tables, random.Random(seed))
        assert list(excesses(tables, tree, scores)) == []
        reached = max(reached, largest(tables, tree, scores)["score"])
        if reached == bound:
            break
    assert reached == bound


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_is_refused(name: str) -> None:
    tree, claim = MUTANTS[name]
    assert most(tree) > claim


def test_what_is_not_understood_says_why() -> None:
    with pytest.raises(UnboundedError, match="rows of nobody"):
        check(units("person", at_most(col("n"), 1)), CATALOG)


def test_levels_and_least_turns() -> None:
    [score] = check(levels(), CATALOG).values()
    assert [score.moves([], {"level": (-INF, level)}) for level in range(3)] == [(0, 1), (0, 2), (0, 4)]
    for mutant in (levels(by_min=False), levels(having=True), levels(test=">=")):
        [score] = check(mutant, CATALOG).values()
        assert score.moves([], {"level": (-INF, 1)})[0] < 0 or score.moves([], {"level": (-INF, 1)})[1] > 2


def test_weights_move_together() -> None:
    assert check_together(check(weights(), CATALOG)) == 16
    assert check_together(check(weights(whole=False), CATALOG)) > 16


def parts(*, same: bool = True) -> SelectQuery:
    """How far a value between 0 and 4 is from both ends, and nothing where there is none."""
    row = Conversion(clamp(col("n"), 0, 4), HUGEINT)
    nobody, other = NullTest(col("n")), NullTest(col("n" if same else "x"))
    low = case((nobody, num(0)), otherwise=call("-", row, as_huge(num(0))))
    high = case((other, num(0)), otherwise=call("-", as_huge(num(4)), row))
    rows = query(scan("visits"), {"unit": col("person"), "low": low, "high": high}, is_there("person"))
    return query(rows, {"score0": total(col("low")), "score1": total(col("high"))})


def test_parts_of_a_row_move_together() -> None:
    assert in_one_row(check(parts(), CATALOG).values()) == 4
    assert in_one_row(check(parts(same=False), CATALOG).values()) == 8


def test_what_an_optional_group_adds_is_settled_by_all_before_it(tables: duckdb.DuckDBPyConnection) -> None:
    assert most(optional(settled=True)) == 1
    tree = optional(settled=False)
    for seed in range(20):
        fill(tables, random.Random(seed))
        assert list(excesses(tables, tree, check(tree, CATALOG))) == []
    assert most(tree) > 1
