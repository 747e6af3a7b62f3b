"""Sensitivity and monotonicity of each example, over all small tables and all neighbours of them.

The scores are those of the document's own views. What is claimed is also what is needed: the sensitivity
is reached, and a score that is not called monotonic is not.
"""

import itertools
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import duckdb
import pytest

from tests.examples.document import STATEMENTS, define
from tests.examples.laws import log_ratio, rate_of

Row = tuple[object, ...]
Scores = dict[object, float]


@dataclass(frozen=True)
class Example:
    """A view over a private table: what is claimed of it, and the rows that its tables are made of."""

    public: tuple[str, ...]
    view: str
    private: str
    columns: str
    kinds: Sequence[Row]
    sensitivity: float
    monotonic: bool
    most: int
    monotonic_in_a_change: bool

    def connect(self) -> duckdb.DuckDBPyConnection:
        con = duckdb.connect()
        define(con, *self.public)
        con.execute(f"CREATE TABLE {self.private} ({self.columns})")
        define(con, self.view)
        return con

    def scores(self, con: duckdb.DuckDBPyConnection, rows: Sequence[Row]) -> Scores:
        con.execute(f"DELETE FROM {self.private}")
        if rows:
            marks = ", ".join("?" * len(rows[0]))
            con.executemany(f"INSERT INTO {self.private} VALUES ({marks})", rows)
        return {str(item): float(score) for item, score in con.execute(f"FROM {self.view}").fetchall()}


EXAMPLES = {
    "pumpkins": Example(
        ("prices",), "revenue", "bids", "bid INTEGER", [(None,), (0,), (1,), (2,), (9,)], 3, True, 4, True
    ),
    "game": Example(
        ("game_prices",), "takings", "offers", "offer DECIMAL(4, 2)", [(1,), (3.01,), (9,)], 4, True, 4, True
    ),
    "digital goods": Example(
        ("cents",), "sales", "buyers", "valuation INTEGER", [(1,), (50,), (52,), (100,)], 100, True, 4, True
    ),
    "classifiers": Example(
        ("rules",),
        "lessons",
        "points",
        "x INTEGER, y INTEGER, label BOOLEAN",
        [(5, 45, True), (5, 45, False), (40, 90, True), (99, 10, False), (45, 5, None), (None, 5, True)],
        1,
        True,
        3,
        False,
    ),
    "synthetic table": Example(
        ("questions", "candidates"),
        "fit",
        "survey",
        "answer INTEGER",
        [(0,), (5,), (7,), (None,)],
        1,
        False,
        3,
        False,
    ),
}
every_example = pytest.mark.parametrize("name", EXAMPLES)


@pytest.fixture(scope="module")
def tables() -> dict[str, dict[tuple[int, ...], Scores]]:
    """For each example that was looked at, the scores of all tables, by the sorted numbers of their rows."""
    return {}


@pytest.fixture
def found(name: str, tables: dict[str, dict[tuple[int, ...], Scores]]) -> dict[tuple[int, ...], Scores]:
    if name not in tables:
        example = EXAMPLES[name]
        with example.connect() as con:
            tables[name] = {
                table: example.scores(con, [example.kinds[i] for i in table])
                for size in range(example.most + 1)
                for table in itertools.combinations_with_replacement(range(len(example.kinds)), size)
            }
    return tables[name]


def neighbours(found: dict[tuple[int, ...], Scores]) -> Iterator[tuple[Scores, Scores]]:
    """Each table, and the table with one row more."""
    for table, after in found.items():
        for i in range(len(table)):
            yield found[table[:i] + table[i + 1 :]], after


def changes(found: dict[tuple[int, ...], Scores]) -> Iterator[tuple[Scores, Scores]]:
    """Tables of as many rows that differ in one row."""
    for table in found:
        for i in range(len(table)):
            rest = table[:i] + table[i + 1 :]
            for kind in {k for other in found for k in other}:
                yield found[table], found[tuple(sorted((*rest, kind)))]


def moves(before: Scores, after: Scores) -> list[float]:
    return [after[item] - before[item] for item in before]


def is_one_way(move: Sequence[float]) -> bool:
    return min(move) >= 0 or max(move) <= 0


@every_example
def test_the_document_claims_what_is_checked_here(name: str) -> None:
    """Every question about the view, by its named arguments."""
    example = EXAMPLES[name]
    asked = [s for s in STATEMENTS if "dp_select(" in s and re.search(rf"FROM {example.view}\b", s)]
    assert len(asked) == 1
    stated = re.search(r"sensitivity := (\d+)", asked[0])
    assert int(stated[1] if stated else 1) == example.sensitivity
    assert ("monotonic := true" in asked[0]) == example.monotonic


@every_example
def test_the_items_are_the_same_for_all_tables(name: str, found: dict[tuple[int, ...], Scores]) -> None:
    """The empty table and rows that are NULL included."""
    assert len({frozenset(scores) for scores in found.values()}) == 1


@every_example
def test_the_sensitivity_is_reached_and_not_passed(name: str, found: dict[tuple[int, ...], Scores]) -> None:
    largest = max(abs(move) for pair in neighbours(found) for move in moves(*pair))
    assert math.isclose(largest, EXAMPLES[name].sensitivity)


@every_example
def test_a_row_more_moves_scores_one_way_if_that_is_claimed(
    name: str, found: dict[tuple[int, ...], Scores]
) -> None:
    one_way = [is_one_way(moves(*pair)) for pair in neighbours(found)]
    assert all(one_way) == EXAMPLES[name].monotonic
    if EXAMPLES[name].monotonic:
        assert all(min(moves(*pair)) >= 0 for pair in neighbours(found))


@every_example
def test_a_changed_row_moves_prices_one_way_and_rules_both_ways(
    name: str, found: dict[tuple[int, ...], Scores]
) -> None:
    """A changed bid moves no score by more than the sensitivity either."""
    pairs = [moves(*pair) for pair in changes(found)]
    assert all(map(is_one_way, pairs)) == EXAMPLES[name].monotonic_in_a_change
    assert max(abs(move) for pair in pairs for move in pair) <= EXAMPLES[name].sensitivity


@every_example
def test_no_probability_changes_by_more_than_epsilon(name: str, found: dict[tuple[int, ...], Scores]) -> None:
    """Exact laws of the winner for all neighbours, at three values of epsilon."""
    example = EXAMPLES[name]
    for epsilon in (0.1, 1, 5):
        rate = rate_of(epsilon, example.sensitivity, monotonic=example.monotonic)
        losses = [log_ratio(*pair, rate) for pair in neighbours(found)]
        assert max(losses) <= epsilon * (1 + 1e-9)


def test_a_wrong_claim_would_cost_twice_the_epsilon() -> None:
    """The first person of the survey: one table rises, the empty one falls, and it weighs nearly all."""
    example, epsilon = EXAMPLES["synthetic table"], 1
    with example.connect() as con:
        nobody, somebody = example.scores(con, []), example.scores(con, [(7,)])
    assert (nobody["[]"], somebody["[]"]) == (0, -1)
    assert (nobody["[7]"], somebody["[7]"]) == (-100, -99)
    wrong = rate_of(epsilon, 1, monotonic=True)
    assert math.isclose(log_ratio(nobody, somebody, wrong), 2 * epsilon, rel_tol=1e-9)


def test_shares_are_not_monotonic_and_as_sensitive_as_the_table_is_small() -> None:
    """A wrong answer more lowers the share of right ones: by 1/2 for the second row."""
    example = EXAMPLES["classifiers"]
    with example.connect() as con:
        first, second = (
            example.scores(con, rows) for rows in ([(5, 45, True)], [(5, 45, True), (5, 45, False)])
        )
    move = moves(first, {item: score / 2 for item, score in second.items()})
    assert (min(move), max(move)) == (-0.5, 0.5)


@pytest.mark.parametrize(
    "change",
    [
        "INSERT INTO survey VALUES ({answer})",
        "DELETE FROM survey WHERE rowid = (SELECT min(rowid) FROM survey WHERE answer = {answer})",
    ],
)
def test_the_claims_of_the_survey_hold_where_it_is_large(change: str) -> None:
    """The document's own 615 people, with one more or one less of each kind."""
    with duckdb.connect() as con:
        define(con, "questions", "candidates", "survey", "fit")
        before = dict(con.execute("SELECT people::VARCHAR, score FROM fit").fetchall())
        for answer in range(8):
            con.execute("BEGIN")
            con.execute(change.format(answer=answer))
            after = dict(con.execute("SELECT people::VARCHAR, score FROM fit").fetchall())
            con.execute("ROLLBACK")
            assert {abs(move) for move in moves(before, after)} <= {0, 1}
            assert log_ratio(before, after, rate_of(1, 1, monotonic=False)) <= 1 + 1e-9


def test_the_score_is_minus_the_worst_error() -> None:
    """The view, against the same in Python: conjunctions as functions of three answers."""
    example, rows = EXAMPLES["synthetic table"], [0, 0, 3, 5, 5, 6, 7]
    with example.connect() as con:
        scores = example.scores(con, [(row,) for row in rows])
    literals = list(itertools.product((None, 0, 1), repeat=3))
    tables = [list(table) for m in range(7) for table in itertools.combinations_with_replacement(range(8), m)]
    assert set(scores) == {str(table) for table in tables}
    for table in tables[:: len(tables) // 100]:
        errors = [abs(counted(rows, wanted) - 100 * counted(table, wanted)) for wanted in literals]
        assert scores[str(table)] == -max(errors)


def counted(rows: Sequence[int], wanted: Sequence[int | None]) -> int:
    return sum(all(w is None or row >> bit & 1 == w for bit, w in enumerate(wanted)) for row in rows)


def test_an_item_without_buyers_keeps_its_place() -> None:
    """An inner join would drop the price that nobody pays, and show that nobody pays it."""
    example = EXAMPLES["pumpkins"]
    with example.connect() as con:
        assert example.scores(con, []) == {"1": 0, "2": 0, "3": 0}
        kept = con.execute("SELECT count(*) FROM prices JOIN bids ON bid >= price").fetchall()
        assert kept == [(0,)]
