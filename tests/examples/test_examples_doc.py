"""What docs/EXAMPLES.md shows is what happens: its blocks run in order, and print what is shown."""

import math
from collections.abc import Iterator
from itertools import pairwise

import duckdb
import pytest

from tests.examples.document import BLOCKS, DEFINITIONS, DOCUMENT, STATEMENTS, TEXT, define
from tests.examples.laws import law, loss, rate_of

Rows = list[tuple[object, ...]]
CERTAIN = 1e-6  # an item that was shown with a smaller p-value than that wins again
SLACK = 40  # 1 / rate times: how far two gaps of one question may differ, but for e^-20
# The questions that have a sure answer: sensitivity, epsilon, whether monotonic.
SURE = {"revenue": (3, 0.75, True), "lessons": (1, 0.125, True), "fit": (1, 1, False)}


@pytest.fixture(scope="module")
def names() -> Iterator[dict[str, object]]:
    """The names that the document's Python defines, after all blocks have run."""
    found: dict[str, object] = {"printed": []}
    yield found
    if isinstance(con := found.get("con"), duckdb.DuckDBPyConnection):
        con.close()


@pytest.fixture(scope="module")
def printed(names: dict[str, object]) -> list[tuple[Rows, list[list[str]]]]:
    """For each block of SQL with text below it: the rows of its last statement, and the rows shown."""
    pairs = []
    for block, following in pairwise([*BLOCKS, BLOCKS[-1]]):
        if block.language == "python":
            exec(compile(block.text, DOCUMENT.name, "exec"), names)
        if block.language == "sql":
            con = names["con"]
            assert isinstance(con, duckdb.DuckDBPyConnection)
            rows = [con.execute(statement).fetchall() for statement in block.statements][-1]
            pairs.append((rows, following.rows))
    return pairs


def is_answer(cells: list[str]) -> bool:
    """Whether a row is an item, a gap and a p-value."""
    return len(cells) == 3


def rate_behind(gap: float, p_value: float) -> float:
    """From p_value = 2 / (1 + e^(rate gap))."""
    return math.log(2 / p_value - 1) / gap


def test_each_sql_block_shows_what_it_printed() -> None:
    languages = [block.language for block in BLOCKS]
    assert languages == ["python"] + ["sql", "text"] * (len(languages) // 2)
    assert len(DEFINITIONS) + languages.count("text") == len(STATEMENTS)


def test_plain_sql_prints_what_is_shown(printed: list[tuple[Rows, list[list[str]]]]) -> None:
    plain = [(rows, shown) for rows, shown in printed if not is_answer(shown[0])]
    assert len(plain) == 6
    for rows, shown in plain:
        assert [[str(cell).replace("True", "true") for cell in row] for row in rows] == shown


def test_answers_are_like_those_that_are_shown(printed: list[tuple[Rows, list[list[str]]]]) -> None:
    """The same item if it was sure, a gap of its size, and a p-value that belongs to that gap."""
    answers = [(rows, shown) for rows, shown in printed if is_answer(shown[0])]
    assert len(answers) == 4
    for ((item, gap, p_value),), ((shown, *numbers),) in answers:  # type: ignore[misc]
        shown_gap, shown_p_value = map(float, numbers)
        rate = rate_behind(shown_gap, shown_p_value)
        assert math.isclose(p_value, 2 / (1 + math.exp(rate * gap)), rel_tol=1e-6)
        assert abs(gap - shown_gap) < SLACK / rate
        assert shown_p_value > CERTAIN or str(item) == shown


@pytest.mark.parametrize("view", SURE)
def test_the_sure_answers_are_sure(
    view: str, names: dict[str, object], printed: list[tuple[Rows, list[list[str]]]]
) -> None:
    sensitivity, epsilon, monotonic = SURE[view]
    scores, rate = scores_of(names["con"], view), rate_of(epsilon, sensitivity, monotonic=monotonic)
    assert 1 - max(law(scores, rate)) < 1e-7


def scores_of(con: object, view: str) -> list[float]:
    assert isinstance(con, duckdb.DuckDBPyConnection)
    return [float(row[1]) for row in con.execute(f"FROM {view}").fetchall()]


def test_the_figures_in_the_text(names: dict[str, object], printed: object) -> None:
    """The bounds and probabilities that the text states, from the formulas that it states."""
    con = names["con"]
    replaced, added = (law([100, 20], 0.2 / (2 * factor))[0] for factor in (2, 1))
    assert f"probability {replaced:.1%}".replace("%", " %") in TEXT
    assert f"and {added:.2%}".replace("%", " %") in TEXT
    assert f"= {301 - loss(1, 4, 400, 0.05, monotonic=True):.0f}." in TEXT
    assert len(scores_of(con, "takings")) == 400
    assert 1198 < loss(0.5, 100, 20, 0.05, monotonic=True) < 1199
    assert (len(scores_of(con, "sales")), len(scores_of(con, "lessons"))) == (20, 36)
    assert math.ceil(2 / 0.1 * 4 * math.log(2 * 36 / 0.05)) == 582
    assert len(scores_of(con, "fit")) == 3003 == math.comb(6 + 8, 6)
    assert f"20 + {loss(1, 1, 3003, 0.05, monotonic=False):.0f} of 615" in TEXT


def test_one_rich_buyer_less_moves_the_best_price() -> None:
    best = "SELECT price::VARCHAR FROM takings ORDER BY dollars DESC LIMIT 1"
    with duckdb.connect() as con:
        define(con, "game_prices", "offers", "takings")
        assert con.execute(best).fetchall() == [("3.01",)]
        con.execute("DELETE FROM offers WHERE rowid = 299")
        assert con.execute(best).fetchall() == [("1.00",)]


def test_the_experiment_keeps_its_promise_but_for_a_millionth() -> None:
    """More than 50 failures in 1000 runs: a Chernoff bound of its true probability."""
    with duckdb.connect() as con:
        define(con, "cents", "buyers", "sales")
        scores = scores_of(con, "sales")
    failing = sum(p for p, q in zip(law(scores, 0.5 / 100), scores, strict=True) if q <= 25500 - 1199)
    assert math.comb(1000, 51) * failing**51 < 1e-6
