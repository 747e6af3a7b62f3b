"""Answers, plans and budgets show themselves: with their errors, escaped, at no charge, moving nothing."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import dpduck
from dpduck.doors.connection.display import html_of_table, text_of_table
from dpduck.doors.console.plus_minus import plus_minus, rounded_error
from tests.connection.conftest import HISTOGRAM

SCRIPT = "<script>alert('x')</script>"


class Tags(HTMLParser):
    """The elements of a text, checked to be closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        self.open.append(tag)
        assert not [name for name, _ in attrs if name.startswith("on") or name in ("src", "href")]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def html(shown: object) -> str:
    text = shown._repr_html_()  # type: ignore[attr-defined]
    seen = Tags(text).seen
    assert "script" not in seen
    return str(text)


def test_an_answer_has_its_errors_cost_and_budget(db: dpduck.Connection) -> None:
    answer = db.sql(HISTOGRAM + " ORDER BY page")
    text = html(answer)
    table = answer.intervals().to_pylist()
    for row in table:
        assert plus_minus(str(row["n"]), row["n_low"], row["n_high"]) in text
    assert text.count("±") >= 3
    assert "Epsilon 0.5 was charged." in text
    assert "epsilon 0.5 of 10 spent, 9.5 left" in text
    assert '<th scope="col"' in text
    assert "<caption>Answer</caption>" in text
    assert 'aria-hidden="true"' in text  # the bar, which is said in words beside it


def test_showing_costs_nothing_and_moves_nothing(db: dpduck.Connection) -> None:
    answer = db.sql(HISTOGRAM + " ORDER BY page")
    first = answer.fetchone()
    before = db.ledger().to_pylist(), db.budget().to_pylist()
    shown = [(repr(answer), html(answer)) for _ in range(3)]
    assert len(set(shown)) == 1
    assert (db.ledger().to_pylist(), db.budget().to_pylist()) == before
    rest = answer.fetchall()
    assert [first, *rest] == list(zip(*answer.arrow().to_pydict().values(), strict=True))


def test_terminals_show_what_the_shell_draws(db: dpduck.Connection) -> None:
    text = repr(db.sql(HISTOGRAM))
    assert text.startswith("┌")
    assert re.search(r"│ home    │ +[0-9,]+ ± [0-9,]+ │", text)
    assert "Epsilon 0.5 was charged." in text
    again = repr(db.sql(HISTOGRAM))
    assert "Free: paid for before." in again


def test_an_outer_query_has_the_error_of_explain(db: dpduck.Connection) -> None:
    query = "SELECT page, n FROM (SELECT page, count(*) AS n FROM visits GROUP BY page) AS t WHERE n > 5"
    assert f"± {rounded_error(db.explain(query).expected_error['n'])}" in html(db.sql(query))


def test_terminals_show_a_plan_by_its_lines(db: dpduck.Connection) -> None:
    """They are wider than any screen, so that a box would be of thousands of columns."""
    explain = f"EXPLAIN {HISTOGRAM}"
    text = repr(db.sql(explain))
    assert text.splitlines() == [line for (line,) in db.execute(explain).fetchall()]
    assert db.box(80).splitlines() == text.splitlines()
    assert not any(line.endswith(" ") for line in text.splitlines())


def test_the_error_of_totals_is_said_below_and_not_beside_each_row(db: dpduck.Connection) -> None:
    """Each grouping set has another one: beside groups, that of their total makes them look worthless."""
    query = "SELECT page, count(*) AS n FROM visits GROUP BY ROLLUP (page)"
    said = [line for line in str(db.explain(query)).splitlines() if "  error     " in line]
    assert len(said) == 2
    answer = db.execute(query)
    shown = repr(answer)
    assert "±" not in shown
    for line in said:
        assert line.removeprefix("  error     ") + "." in shown.splitlines()
        assert line.removeprefix("  error     ") + "." in answer.box(80).splitlines()
        assert line.removeprefix("  error     ") in html(answer)


def test_a_connection_shows_its_last_answer(db: dpduck.Connection) -> None:
    assert "no answer yet" in repr(db)
    assert db._repr_html_() is None
    db.execute(HISTOGRAM)
    assert "±" in html(db)
    db.execute("SET dp_epsilon = 1")
    assert repr(db) == "done"
    with pytest.raises(dpduck.DpduckError):
        db.execute("SELECT nothing FROM visits")
    assert db._repr_html_() is None


def test_what_is_closed_shows_nothing_and_does_not_fail(file: Path) -> None:
    db = dpduck.connect(file, epsilon=1)
    answer = db.sql(HISTOGRAM)
    db.close()
    assert answer._repr_html_() is None
    assert "Cursor" in repr(answer)
    assert "Connection" in repr(db)


def test_names_keys_and_analysts_are_escaped(tmp_path: Path) -> None:
    path, name = tmp_path / "s.duckdb", SCRIPT.replace("'", "''")
    with duckdb.connect(str(path)) as con:
        con.execute(f"CREATE TABLE t AS SELECT range AS id, '{name}' AS \"{SCRIPT}\" FROM range(100)")
    with dpduck.connect(path, epsilon=5, session=SCRIPT, budget=10) as db:
        db.execute(f"ALTER TABLE t ADD PRIVACY_KEY (id); ALTER TABLE t ALTER COLUMN \"{SCRIPT}\" "
                   f"SET PRIVACY DOMAIN IN ('{name}', '<img src=x onerror=alert(1)>')")  # fmt: skip
        query = f'SELECT "{SCRIPT}", count(*) AS "<b>n" FROM t GROUP BY 1'
        texts = [html(shown) for shown in (db.explain(query), db.sql(query))]
        for text in [*texts, *map(str, map(html_of_table, (db.budget(), db.ledger())))]:
            assert "&lt;" in text
            assert "<b>n" not in text
            assert "<img" not in text


def test_a_plan_shows_its_shares_errors_and_alternatives(db: dpduck.Connection) -> None:
    plan = db.explain("SELECT page, count(*) AS n, avg(age) AS a FROM visits GROUP BY page")
    text = html(plan)
    assert list(plan.shares) == ["for n", "for a"]
    assert sum(map(float, plan.shares.values())) == pytest.approx(0.5)
    assert "It costs epsilon 0.5." in text
    assert 'class="split"' in text
    assert f"± {plan.expected_error['n']:,.4g}" in text
    assert "a of 1,000 units is within" in text  # of which no number is stated without theirs
    assert "Half the error would cost epsilon" in text
    assert repr(plan) == str(plan) == plan.text
    assert isinstance(plan, dpduck.Explanation)
    assert db.ledger().num_rows == 0


def test_budgets_and_charges_are_arrow_tables_that_ipython_shows(
    db: dpduck.Connection, tmp_path: Path
) -> None:
    db.execute(HISTOGRAM)
    budget = db.budget()
    assert type(budget) is pa.Table
    assert "epsilon 0.5 of 10 spent" in str(html_of_table(budget))
    assert "█" in text_of_table(budget)
    assert HISTOGRAM in str(html_of_table(db.ledger()))
    assert HISTOGRAM in text_of_table(db.ledger())
    pq.write_table(pa.concat_tables([budget, budget]), tmp_path / "budget.parquet")
    with duckdb.connect() as con:
        con.register("budget", budget)
        assert con.execute("SELECT count(*) FROM budget").fetchall() == [(budget.num_rows,)]


def test_other_tables_are_shown_as_arrow_does() -> None:
    table = pa.table({"a": [1]})
    assert html_of_table(table) is None
    assert text_of_table(table) == str(table)


def test_rows_beyond_the_first_are_said_to_be_there(tmp_path: Path) -> None:
    with dpduck.connect(duckdb.connect(), epsilon=1) as db:
        db._data.execute("CREATE TABLE t AS SELECT range AS id, range % 300 AS g FROM range(300)")
        db.execute("ALTER TABLE t ADD PRIVACY_KEY (id); ALTER TABLE t SET PRIVACY CONTRIBUTION (groups = 1);"
                   "ALTER TABLE t ALTER COLUMN g SET PRIVACY DOMAIN BETWEEN (0, 299)")  # fmt: skip
        answer = db.sql("SELECT g, count(*) AS n FROM t GROUP BY g")
        text = html(answer)
        assert "the first 40 rows" in text
        assert len(re.findall("<tr>", text)) == 41
        assert "the first 40 rows" in repr(answer)
