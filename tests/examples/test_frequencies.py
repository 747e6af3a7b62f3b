"""dp_select on small instances of the examples: the exact laws of the winner, the gap and the p-value.

Noise is seeded; with fresh noise each test would fail with a probability of at most a millionth.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import duckdb
import pytest

from tests.examples.document import define, seeded
from tests.examples.laws import ALPHA, most, rate_of, winner_and_gap
from tests.oracles.fit import log_p_value

RUNS = 3000
REJECT = math.log(1e-9)
CUTS = (0.5, 1, 2, 4)  # of the gap, in units of the sensitivity

Answer = tuple[object, float, float]
Joint = Mapping[tuple[int, int], Any]  # the winner and the number of cuts that its gap reaches

PUMPKINS = """
CREATE TABLE bids AS SELECT unnest([1, 1, 2, 3]) AS bid;
"""
BUYERS = "CREATE TABLE buyers AS SELECT unnest([20, 50, 50, 95]) AS valuation"
POINTS = """
CREATE TABLE points AS
    SELECT * FROM (VALUES (10, 80, true), (30, 20, true), (60, 10, false), (90, 90, false)) AS t(x, y, label)
"""
SURVEY = "CREATE TABLE survey AS SELECT unnest([0, 0, 3]) AS answer"

# What is asked: public tables, private rows, the view, sensitivity, epsilon, whether monotonic.
QUESTIONS = {
    "pumpkins": (("prices",), PUMPKINS, "revenue", 3, "1.5", True),
    "pumpkins, not called monotonic": (("prices",), PUMPKINS, "revenue", 3, "3", False),
    "digital goods": (("cents",), BUYERS, "sales", 100, "2", True),
    "classifiers": (("rules",), POINTS, "lessons WHERE threshold_of(rule) < 40", 1, "0.75", True),
    "synthetic table": (
        ("questions", "candidates"),
        SURVEY,
        "(SELECT people, score // 20 FROM fit WHERE people IN ([], [0], [3], [0, 3], [0, 0, 3]))",
        1,
        "1",
        False,
    ),
}


def ask(con: duckdb.DuckDBPyConnection, name: str) -> tuple[list[Any], list[float], list[Answer]]:
    """The items, their scores, and the answers of all runs."""
    public, private, view, sensitivity, epsilon, monotonic = QUESTIONS[name]
    con.execute("CREATE MACRO threshold_of(rule) AS split_part(rule, ' ', 3)::INTEGER")
    define(con, *public)
    con.execute(private)
    define(con, *(v for v in ("revenue", "sales", "lessons", "fit") if v in view))
    con.execute(f"CREATE TABLE scored AS SELECT * FROM (FROM {view}) AS t(item, score) ORDER BY item")
    items, scores = zip(*con.execute("FROM scored").fetchall(), strict=True)
    answers = con.execute(
        f"SELECT w.* FROM (SELECT dp_select(item, score, {epsilon}, sensitivity := {sensitivity}, "
        f"monotonic := {monotonic}) AS w FROM scored, range({RUNS}) AS r(run) GROUP BY run)"
    ).fetchall()
    return list(items), [float(score) for score in scores], answers


@pytest.fixture(params=QUESTIONS)
def asked(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> tuple[str, list[Any], list[float], list[Answer]]:
    with seeded(monkeypatch, "examples", request.param) as con:
        return request.param, *ask(con, request.param)


def test_winner_gap_and_p_value_have_their_laws(
    asked: tuple[str, list[Any], list[float], list[Answer]],
) -> None:
    """Accepted at 1e-6, and rejected at 1e-9 with a rate that is 30 % off, or twice or half of it."""
    name, items, scores, answers = asked
    _, _, _, sensitivity, epsilon, monotonic = QUESTIONS[name]
    rate = rate_of(float(epsilon), sensitivity, monotonic=monotonic)
    cuts = [cut * sensitivity for cut in CUTS]
    seen = Counter((items.index(item), sum(gap >= cut for cut in cuts)) for item, gap, _ in answers)
    assert min(log_p_values(seen, winner_and_gap(scores, cuts, rate), scores)) > math.log(ALPHA)
    for factor in (0.5, 0.7, 1.3, 2):
        assert min(log_p_values(seen, winner_and_gap(scores, cuts, rate * factor), scores)) < REJECT
    for _, gap, p_value in answers:
        assert math.isclose(p_value, 2 / (1 + math.exp(rate * gap)), rel_tol=1e-9)
    check_calibration(items, scores, answers)


def log_p_values(seen: Joint, expected: Joint, scores: Sequence[float]) -> list[float]:
    """Of winners with gaps, of winners, of gaps, of winners' scores with gaps: fewer cells tell more."""
    views: list[Callable[[int, int], object]] = [
        lambda winner, gap: (winner, gap),
        lambda winner, gap: winner,
        lambda winner, gap: gap,
        lambda winner, gap: (scores[winner], gap),
    ]
    return [log_p_value(merged(seen, view), merged(expected, view)) for view in views]


def merged(table: Joint, view: Callable[[int, int], object]) -> dict[object, Any]:
    result: dict[object, Any] = defaultdict(int)
    for (winner, gap), value in table.items():
        result[view(winner, gap)] += value
    return result


def check_calibration(items: Sequence[Any], scores: Sequence[float], answers: Sequence[Answer]) -> None:
    """Of the winners that are not the best, the share alpha at most has a p-value of alpha or less."""
    best = max(scores)
    wrong = [p_value for item, _, p_value in answers if scores[items.index(item)] < best]
    assert len(wrong) > 100
    for alpha in (0.01, 0.05, 0.2, 0.5):
        assert sum(p_value <= alpha for p_value in wrong) <= most(len(wrong), alpha)


def test_the_p_value_is_tight_where_two_are_equal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two equal scores: then any winner may be called wrong, and P(p-value <= alpha) is alpha."""
    with seeded(monkeypatch, "examples", "equal") as con:
        answers = con.execute(
            "SELECT w.p_value FROM (SELECT dp_select(item, 5, 1) AS w "
            f"FROM unnest(['a', 'b']) AS t(item), range({RUNS}) AS r(run) GROUP BY run)"
        ).fetchall()
    for alpha in (0.05, 0.2, 0.5):
        small = sum(p_value <= alpha for (p_value,) in answers)
        assert RUNS - most(RUNS, 1 - alpha + 0.002) <= small <= most(RUNS, alpha)


def test_an_answer_with_a_name_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """As the document writes it: one draw and one charge for the three columns."""
    with seeded(monkeypatch, "examples", "once") as con:
        for name in ("prices", "bids", "revenue"):
            define(con, name)
        con.execute(
            "SELECT w.* FROM (SELECT dp_select(price, dollars, 0.75, sensitivity := 3) AS w FROM revenue)"
        ).fetchall()
        assert con.execute("SELECT evaluations, epsilon FROM dp_ledger()").fetchall() == [(1, 0.75)]
