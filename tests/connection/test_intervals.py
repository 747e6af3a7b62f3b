"""`intervals` has the ends that dp_low and dp_high have; `plot` draws them."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from datetime import date
from decimal import Decimal

import matplotlib as mpl
import pyarrow as pa
import pytest

import dpduck
from dpduck.doors.page.pictures import draw_answer
from tests.connection.conftest import HISTOGRAM

mpl.use("Agg")

BY_DAY = "SELECT day, count(*) AS n, avg(age) AS a FROM visits GROUP BY day"


@pytest.mark.parametrize(
    "query",
    [
        HISTOGRAM,
        HISTOGRAM + " ORDER BY n DESC LIMIT 2",
        "SELECT count(*) AS n, avg(age) AS a FROM visits",
        HISTOGRAM + " HAVING count(*) > 10",
        "SELECT page, count(*) AS n, dp_low(n) AS low FROM visits GROUP BY page",
    ],
)
def test_they_are_those_of_dp_low_and_dp_high(db: dpduck.Connection, query: str) -> None:
    answer = db.sql(query)
    charges = db.ledger().num_rows
    found = answer.intervals()
    assert db.ledger().num_rows == charges
    assert found.select(range(answer.arrow().num_columns)).to_pydict() == answer.arrow().to_pydict()
    asked = query.replace("AS n", "AS n, dp_low(n), dp_high(n)", 1)
    table = db.sql(asked).arrow()
    place = table.column_names.index("n")
    assert db.ledger().column("epsilon").to_pylist()[charges:] in ([], [Decimal(0)])
    assert found.column("n_low").to_pylist() == table.column(place + 1).to_pylist()
    assert found.column("n_high").to_pylist() == table.column(place + 2).to_pylist()


def test_ends_whose_names_are_taken_have_a_number(db: dpduck.Connection) -> None:
    answer = db.sql("SELECT count(*) AS n, avg(age) AS n_low FROM visits")
    names = ["n", "n_low", "n_low_1", "n_high_1", "n_low_low", "n_low_high"]
    assert answer.intervals().column_names == names


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("SELECT 1 AS one", "No private rows were read"),
        ("SELECT median(age) AS m FROM visits", "of a quantile ask for one"),
        ("SELECT page FROM visits GROUP BY page ORDER BY count(*) DESC LIMIT 1", "It shows no count"),
        (
            "SELECT max(n) AS n FROM (SELECT page, count(*) AS n FROM visits GROUP BY page) AS t",
            "an inner query",
        ),
        ("SELECT page, count(*) AS n FROM visits GROUP BY ROLLUP (page)", "totals have no intervals"),
    ],
)
def test_an_answer_without_one_says_why(db: dpduck.Connection, query: str, reason: str) -> None:
    answer = db.sql(query)
    for call in (answer.intervals, answer.plot):
        with pytest.raises(dpduck.UnsupportedSqlError, match=reason) as caught:
            call()
        assert "charged" not in str(caught.value)  # of the answer, which is there, that was said
    assert "<table" in (answer._repr_html_() or "")


@pytest.mark.parametrize("number", ["count(*)", "median(age)"])
def test_ends_that_the_query_shows_by_these_names_are_the_answer(db: dpduck.Connection, number: str) -> None:
    answer = db.sql(f"SELECT {number} AS n, dp_low(n) AS n_low, dp_high(n) AS n_high FROM visits")
    assert answer.intervals().to_pydict() == answer.arrow().to_pydict()


def test_bars_have_the_errors_of_the_answer(db: dpduck.Connection) -> None:
    answer = db.sql(HISTOGRAM + " ORDER BY page")
    axes = answer.plot()
    rows = answer.intervals().to_pylist()
    assert [bar.get_height() for bar in axes.patches] == [row["n"] for row in rows]
    [errors] = axes.collections
    ends = [tuple(segment[:, 1]) for segment in errors.get_segments()]
    assert ends == [(row["n_low"], row["n_high"]) for row in rows]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["cart", "help", "home"]
    mpl.pyplot.close(axes.figure)


def test_days_are_a_line_with_a_band(db: dpduck.Connection) -> None:
    db.execute("SET dp_epsilon = 8")
    answer = db.sql(BY_DAY + " ORDER BY n")
    axes = answer.plot(y="n")
    [line] = axes.lines
    days = list(line.get_xdata())
    assert days == sorted(days)
    assert len(days) == 20
    assert len(axes.collections) == 1
    assert axes.get_ylabel() == "n"
    mpl.pyplot.close(axes.figure)


DAYS = [date(2025, month, 1) for month in (1, 2, 3)]


def test_bars_of_several_keys_have_all_of_them_as_labels() -> None:
    shown = pa.table(
        {"page": ["a", "a", "b"], "kind": ["x", None, "x"], **ends([5, 6, 7], [4, 5, 6], [6, 7, 8])}
    )
    axes = draw_answer(shown)
    assert [label.get_text() for label in axes.get_xticklabels()] == ["a, x", "a, NULL", "b, x"]
    assert axes.get_xlabel() == "page, kind"
    mpl.pyplot.close(axes.figure)


def test_times_of_several_groups_are_a_line_for_each() -> None:
    shown = pa.table(
        {
            "page": ["a", "b"] * 3,
            "day": [day for day in DAYS for _ in "ab"],
            **ends(range(6), [0] * 6, [9] * 6),
        }
    )
    axes = draw_answer(shown)
    assert [line.get_label() for line in axes.lines] == ["a", "b"]
    assert [list(line.get_ydata()) for line in axes.lines] == [[0, 2, 4], [1, 3, 5]]
    assert axes.get_xlabel() == "day"
    mpl.pyplot.close(axes.figure)
    many = pa.table({"k": range(9), "day": DAYS[:1] * 9, **ends(range(9), [0] * 9, [9] * 9)})
    with pytest.raises(dpduck.ParameterError, match="9 lines are too many"):
        draw_answer(many)


def test_an_open_interval_reaches_beyond_all_that_is_known() -> None:
    axes = draw_answer(pa.table({"page": ["a", "b"], **ends([50, -40], [40, -60], [None, None])}))
    [errors] = axes.collections
    (low, high), (below, above) = (tuple(segment[:, 1]) for segment in errors.get_segments())
    assert (low, below) == (40, -60)
    assert high == above > 50
    [arrows] = [line for line in axes.lines if line.get_label() == "_open"]
    assert list(arrows.get_ydata()) == [high, above]
    assert axes.get_title().splitlines()[1:] == ["an arrow: open there", "pale: not told from 0"]
    sure, unsure = axes.patches
    assert sure.get_facecolor()[3] == 1 > unsure.get_facecolor()[3]
    mpl.pyplot.close(axes.figure)


def ends(
    numbers: Iterable[int], low: Sequence[int | None], high: Sequence[int | None]
) -> dict[str, pa.Array]:
    """The columns of a number with its interval."""
    columns = {"n": list(numbers), "n_low": low, "n_high": high}
    return {name: pa.array(values, pa.float64()) for name, values in columns.items()}


def test_a_plot_of_other_columns_is_refused(db: dpduck.Connection) -> None:
    answer = db.sql(HISTOGRAM)
    for options in ({"x": "n"}, {"y": "page"}, {"x": "nothing"}):
        with pytest.raises(dpduck.ParameterError):
            answer.plot(**options)


def test_a_formula_in_a_key_is_text(db: dpduck.Connection) -> None:
    db.execute("ALTER TABLE visits ALTER COLUMN page SET PRIVACY DOMAIN IN ('$\\frac{', 'home') FORCE")
    axes = db.sql(HISTOGRAM).plot()
    axes.figure.canvas.draw()
    mpl.pyplot.close(axes.figure)


def test_columns_that_are_no_keys_are_no_groups(db: dpduck.Connection) -> None:
    query = HISTOGRAM.replace("count(*) AS n", "count(*) AS n, dp_low(n) AS least, 2 * n AS twice")
    axes = db.sql(query).plot()
    assert axes.get_xlabel() == "page"
    assert {label.get_text() for label in axes.get_xticklabels()} == {"cart", "help", "home"}
    mpl.pyplot.close(axes.figure)


def test_an_error_of_showing_says_nothing_of_charges(
    db: dpduck.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer was paid for: that nothing was charged was untrue of it."""
    answer = db.sql("SELECT page, count(*) AS n FROM visits GROUP BY page")
    assert answer.charged != "0"
    for columns in ({"y": "m"}, {"x": "pgae"}):
        with pytest.raises(dpduck.ParameterError) as caught:
            answer.plot(**columns)
        assert "charged" not in str(caught.value)
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(dpduck.DpduckError, match=r"matplotlib") as caught:
        answer.plot()
    assert "charged" not in str(caught.value)
