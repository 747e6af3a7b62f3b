"""What is computed of one released number has the interval of that number, computed in the same way."""

from __future__ import annotations

import math

import pyarrow as pa
import pytest

import dpduck
from tests.connection.conftest import HISTOGRAM

COMPUTED = {  # an expression of n, and its ends as functions of those of n
    "round(n, -4)": lambda low, high: (min(low, round(low, -4)), max(high, round(high, -4))),
    "round(n)": lambda low, high: (low, high),
    "1 + n": lambda low, high: (low + 1, high + 1),
    "n * 100": lambda low, high: (low * 100, high * 100),
    "-3 * n / (2 * 3)": lambda low, high: (-high / 2, -low / 2),
    "100 - n": lambda low, high: (100 - high, 100 - low),
    "-n": lambda low, high: (-high, -low),
    "n::INT": lambda low, high: (low, high),
    "CAST(n / 4 AS DECIMAL(18, 1))": lambda low, high: (low / 4, high / 4),
    "round((n + 1)::DOUBLE / 1000, 2)": lambda low, high: (round((low + 1) / 1000, 2), (high + 1) / 1000),
    "floor(n / 10)": lambda low, high: (low // 10, high / 10),
    "7 - 2 * ceil(n / 10)": lambda low, high: (7 - 2 * -(-high // 10), 7 - 2 * low / 10),
}
OTHERS = [
    "n * n",
    "100 / n",
    "n * 0",
    "n + m",
    "n * m",
    "abs(n)",
    "n % 10",
    "n::VARCHAR",
    "n > 3",
    "sum(n) OVER ()",
    "n * length(page)",
]
INNER = "SELECT page, count(*) AS n, count(DISTINCT day) AS m FROM visits GROUP BY page"


@pytest.mark.parametrize("text", COMPUTED)
def test_an_end_is_computed_as_the_number_is(db: dpduck.Connection, text: str) -> None:
    items = "page, count(DISTINCT uid) AS n"
    answer = db.sql(f"SELECT {items}, {text} AS c FROM visits GROUP BY page")
    rows = answer.intervals().to_pylist()
    assert rows
    for row in rows:
        low, high = COMPUTED[text](row["n_low"], row["n_high"])
        assert row["c_low"] == pytest.approx(low, abs=0.051)
        assert row["c_high"] == pytest.approx(high, abs=0.051)
        assert row["c_low"] <= float(row["c"]) <= row["c_high"]
    assert repr(answer).count("±") == 2 * len(rows)
    assert answer.box().count("±") == 2 * len(rows)
    html = answer._repr_html_()
    assert html is not None
    assert html.count("±") == 2 * len(rows)
    assert "c" in db.explain(f"SELECT {items}, {text} AS c FROM visits GROUP BY page").expected_error


@pytest.mark.parametrize("text", OTHERS)
def test_what_is_computed_otherwise_has_none(db: dpduck.Connection, text: str) -> None:
    answer = db.sql(f"{INNER.replace(' FROM', f', {text} AS c FROM')}")
    assert "c_low" not in answer.intervals().column_names
    assert "c" not in db.explain(f"{INNER.replace(' FROM', f', {text} AS c FROM')}").expected_error


def test_no_end_fails_a_query(db: dpduck.Connection) -> None:
    """A number that fits a type may have ends that do not, or that no number is."""
    count = "SELECT count(DISTINCT uid) AS n FROM visits"
    [[known]] = db.execute(count).fetchall()
    db.execute("SET dp_intervals = 'columns'")
    moved = f"(n - {known})"
    for text in (f"{moved}::UTINYINT", f"{moved} * 1e308 * 1e308", f"round({moved}, 99999999)"):
        answer = db.sql(count.replace(" FROM", f", {text} AS c FROM"))
        assert answer.charged == "0"
        [row] = answer.arrow().to_pylist()
        assert row["n"] == known
        assert row["c"] == 0
        assert row.get("c_low") in (None, -math.inf)
        assert repr(answer)


def test_computed_numbers_say_which_side_is_open() -> None:
    """Bounds may lower a count; what descends with it is then too high."""
    table = pa.table({"who": [i % 50 for i in range(200)]})
    db = dpduck.protect(table, unit="who", rows=2, epsilon="1")
    shown = db.sql("SELECT count(*) * 10 AS n, 5 - count(*) AS m, 3 - (2 - count(*)) AS c FROM data")
    assert shown.box().count(", or higher") == 2
    assert shown.box().count(", or lower") == 1


def test_a_query_around_a_block_has_its_intervals(db: dpduck.Connection) -> None:
    query = f"WITH t AS ({INNER}) SELECT * EXCLUDE (m), n AS c FROM t WHERE n > 1 ORDER BY n DESC LIMIT 3"
    answer = db.sql(query)
    assert answer.intervals().column_names == ["page", "n", "c", "n_low", "n_high", "c_low", "c_high"]
    assert repr(answer).count("±") == 2 * answer.arrow().num_rows
    db.execute("SET dp_intervals = 'columns'")
    again = db.sql(query)
    assert again.charged == "0"
    assert again.arrow().to_pydict() == answer.intervals().to_pydict()
    assert again.intervals().to_pydict() == answer.intervals().to_pydict()


def test_what_makes_other_rows_says_how_to_ask(db: dpduck.Connection) -> None:
    with pytest.raises(dpduck.UnsupportedSqlError, match="no intervals") as caught:
        db.sql(f"SELECT max(n) AS n FROM ({INNER})").intervals()
    assert "dp_low(n) AS n_low, dp_high(n) AS n_high" in str(caught.value.hint)
    told = HISTOGRAM.replace("AS n", "AS n, dp_low(n) AS n_low, dp_high(n) AS n_high", 1)
    joined = f"SELECT t.* FROM ({told}) AS t JOIN (VALUES ('home')) AS k(page) ON k.page = t.page"
    assert db.sql(joined).intervals().column_names[-2:] == ["n_low", "n_high"]
