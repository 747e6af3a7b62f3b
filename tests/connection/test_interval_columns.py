"""SET dp_intervals = 'columns': answers have the ends of their numbers' intervals, at no other price."""

from __future__ import annotations

import pytest

import dpduck
from tests.connection.conftest import HISTOGRAM

_DAYS = 20  # of the declared domain
INNER = "(SELECT page, count(*) AS n FROM visits GROUP BY page) AS t"
HAVE = {  # what an answer has beside its own columns
    "SELECT count(*) AS n, avg(age) AS a FROM visits": ["n_low", "n_high", "a_low", "a_high"],
    "SELECT count(*) AS n, sum(age) AS n_low FROM visits": [
        "n_low_1",
        "n_high_1",
        "n_low_low",
        "n_low_high",
    ],
    "SELECT count(*) AS n, dp_low(n) AS n_low FROM visits": ["n_high"],
    "SELECT count(*) AS n, dp_low(n) AS n_low, dp_high(n) AS n_high FROM visits": [],
    HISTOGRAM + " ORDER BY n DESC LIMIT 2": ["n_low", "n_high"],
    "SELECT DISTINCT page, count(*) AS n FROM visits GROUP BY page": ["n_low", "n_high"],
    f"SELECT * FROM {INNER} WHERE n > 5 ORDER BY n LIMIT 3": ["n_low", "n_high"],
    f"SELECT n AS m, page AS m_low FROM {INNER}": ["m_low_1", "m_high_1"],
    f"WITH a AS (SELECT * FROM {INNER}) SELECT page, n FROM a": ["n_low", "n_high"],
    f"SELECT *, 1 AS one FROM {INNER}": ["n_low", "n_high"],
    f"SELECT one, t.* FROM (SELECT *, 1 AS one FROM {INNER}) AS t": ["n_low", "n_high"],
    f"SELECT * RENAME (n AS m) FROM {INNER}": ["m_low", "m_high"],
    f"SELECT * RENAME (n AS m) FROM (SELECT * EXCLUDE (page) FROM {INNER})": ["m_low", "m_high"],
    f"SELECT *, n AS m FROM {INNER}": ["n_low", "n_high", "m_low", "m_high"],
    f"SELECT * REPLACE (upper(page) AS page) FROM {INNER}": ["n_low", "n_high"],
    f"SELECT (n) FROM {INNER}": ["n_low", "n_high"],
    f"SELECT page, n FROM {INNER} WHERE 1 = 0": ["n_low", "n_high"],
    "SELECT page, count(*) AS n FROM visits GROUP BY page LIMIT 0": ["n_low", "n_high"],
}
HAVE_NONE = {  # and the notice that says why
    "SELECT DISTINCT count(*) AS n FROM visits GROUP BY page": "made one row by DISTINCT",
    f"SELECT sum(n) AS s FROM {INNER}": "from those of an inner query",
    "SELECT count(*) AS n FROM visits UNION ALL SELECT count(*) FROM visits": "from those of an inner query",
    "SELECT page, count(*) AS n FROM visits GROUP BY ROLLUP (page)": "No columns of ends for n: those of",
    "SELECT median(age) AS m FROM visits": "of a quantile ask for one",
}


@pytest.mark.parametrize("query", [*HAVE, *HAVE_NONE])
def test_what_was_paid_for_has_its_ends_at_no_charge(db: dpduck.Connection, query: str) -> None:
    without = db.sql(query).arrow()
    db.execute("SET dp_intervals = 'columns'")
    answer = db.sql(query)
    assert answer.charged == "0"
    found, own = answer.arrow(), without.num_columns
    assert found.column_names[own:] == HAVE.get(query, [])
    assert found.select(range(own)).to_pydict() == without.to_pydict()
    assert [name for name, *_ in answer.description or []] == found.column_names
    said = [notice for notice in answer.notices if "intervals:" in notice or "columns of ends" in notice]
    assert [HAVE_NONE[query] in notice for notice in said] == ([True] if query in HAVE_NONE else [])
    is_known = "±" in (answer.error_line or "")  # and then it is not said that there is no interval
    assert not any(is_known and "has no interval" in notice for notice in answer.notices)


@pytest.mark.parametrize(
    "items", ["* REPLACE (n * 2 AS n)", "* REPLACE (-m AS n)", "* REPLACE (n AS page)", "* EXCLUDE (n)"]
)
def test_what_stands_in_place_of_a_number_has_not_its_ends(db: dpduck.Connection, items: str) -> None:
    """Each end is that of the column that it is called after."""
    db.execute("SET dp_intervals = columns")
    inner = "SELECT page, count(*) AS n, count(DISTINCT day) AS m FROM visits GROUP BY page"
    table = db.sql(f"SELECT {items} FROM ({inner})").arrow()
    ended = {"m", *(["page"] if "AS page" in items else []), *(["n"] if "AS page" in items else [])}
    assert {name.removesuffix("_low") for name in table.column_names if name.endswith("_low")} == ended
    for row in table.to_pylist():
        for name in ended:
            value, low, high = (row[f"{name}{end}"] for end in ("", "_low", "_high"))
            value = min(value, _DAYS) if name == "m" else value  # noise may put it beyond its interval
            assert low <= value <= (value if high is None else high)


@pytest.mark.parametrize("query", [HISTOGRAM, f"SELECT * FROM {INNER} ORDER BY n DESC LIMIT 2"])
def test_they_are_those_of_dp_low_and_dp_high(db: dpduck.Connection, query: str) -> None:
    db.execute("SET dp_intervals = columns")
    rows = db.sql(query + (" ORDER BY page" if query == HISTOGRAM else "")).arrow().to_pylist()
    asked = f"{HISTOGRAM} ORDER BY {'page' if query == HISTOGRAM else 'n DESC LIMIT 2'}"
    asked = asked.replace("AS n", "AS n, dp_low(n) AS low, dp_high(n) AS high", 1)
    for row, own in zip(rows, db.sql(asked).arrow().to_pylist(), strict=True):
        assert (row["n"], row["n_low"], row["n_high"]) == (own["n"], own["low"], own["high"])


def test_a_fresh_answer_costs_as_much_and_shows_errors_as_ever(db: dpduck.Connection) -> None:
    db.execute("SET dp_intervals = columns")
    answer = db.sql(HISTOGRAM)
    assert answer.charged == "0.5"
    assert answer.intervals().to_pydict() == answer.arrow().to_pydict()
    assert repr(answer).count("±") == answer.arrow().num_rows
    assert "n_high" in repr(answer)


def test_a_quantile_beside_numbers_says_how_to_ask(db: dpduck.Connection) -> None:
    db.execute("SET dp_intervals = columns")
    answer = db.sql("SELECT count(*) AS n, median(age) AS m FROM visits")
    assert answer.arrow().column_names == ["n", "m", "n_low", "n_high"]
    assert "m has no m_low and m_high: dp_low(m) asks for them." in answer.notices


def test_other_words_are_refused(db: dpduck.Connection) -> None:
    with pytest.raises(dpduck.DpduckError, match="dp_intervals is columns or off") as caught:
        db.execute("SET dp_intervals = 'x'")
    assert caught.value.charged == "0"
    assert db.execute("SHOW dp_intervals").fetchall() == [("off",)]
