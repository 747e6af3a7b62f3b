"""What analysts see of each other: shared accounts as they were charged, their own answers, and nothing else.

EXPLAIN said of any literal whether anybody had asked for it, free and unrecorded; and what a query that stops
at a threshold gave back showed in the account of the people, from which an analyst whose budget is 0 read how
many groups another one had found.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pytest

import dpduck
from dpduck.answers import service
from dpduck.kernel.errors import BudgetExceededError
from tests.sources import Seeded

FOUND = "SELECT city, count(*) AS n FROM people GROUP BY city HAVING count(*) > 50 ORDER BY n DESC LIMIT 4"
COUNT = "SELECT count(*) FROM people WHERE age > 30"
CITIES = ("aachen", "bonn", "celle", "dresden", "essen")
ESTIMATE = "SELECT * FROM TABLE(SNOWFLAKE.DATA_PRIVACY.ESTIMATE_REMAINING_DP_AGGREGATES('people'))"
QUIET_BOB = "CREATE PRIVACY BUDGET of_bob LIMIT 0.001 FOR bob"


def made(file: Path, crowded: int, *budgets: str) -> Path:
    """A shop in whose first `crowded` cities live many."""
    sizes = [400 if i < crowded else 3 for i in range(len(CITIES))]
    with duckdb.connect(str(file)) as db:
        db.execute("CREATE TABLE people (id INTEGER, city VARCHAR, age INTEGER)")
        for city, size in zip(CITIES, sizes, strict=True):
            db.execute(f"INSERT INTO people SELECT range, '{city}', range % 90 FROM range({size})")
        db.execute("UPDATE people SET id = rowid")
    with dpduck.connect(file) as owner:
        for statement in (
            "ALTER TABLE people ADD PRIVACY_KEY (id)",
            "ALTER TABLE people SET PRIVACY VERSION '1'",
            f"ALTER TABLE people ALTER COLUMN city SET PRIVACY DOMAIN IN {CITIES}",
            "ALTER TABLE people ALTER COLUMN age SET PRIVACY DOMAIN BETWEEN (0, 99)",
            *budgets,
        ):
            owner.execute(statement)
    return file


def asked(file: Path, analyst: str | None, sql: str, epsilon: str = "1") -> Any:
    """The rows, or the text of the error."""
    with dpduck.connect(file, analyst=analyst, epsilon=epsilon) as db:
        try:
            return db.execute(sql).fetchall()
        except dpduck.DpduckError as error:
            return str(error)


def seen(file: Path, analyst: str | None) -> dict[str, Any]:
    """All that somebody sees who spends nothing."""
    view: dict[str, Any] = {}
    for sql in (
        "FROM dp_budget()",
        "SHOW PRIVACY BUDGETS",
        ESTIMATE,
        "FROM dp_ledger()",
    ):
        rows = asked(file, analyst, sql)
        view[sql] = [row for row in rows if not str(row[1]).startswith("session-")]
    for sql in (FOUND, COUNT):
        for epsilon in ("0.01", "0.5", "1", "8.7", "9.5", "20"):
            with dpduck.connect(file, analyst=analyst, epsilon=epsilon) as db:
                view[f"{epsilon}: EXPLAIN {sql}"] = str(db.explain(sql))
    return view


def refusals(file: Path, analyst: str) -> list[str]:
    texts = []
    for sql in (FOUND, COUNT):
        for epsilon in ("0.01", "0.5", "1", "8.7", "9.5", "20"):
            said = asked(file, analyst, sql, epsilon)
            assert isinstance(said, str)
            assert "Nothing was charged." in said
            texts.append(said)
    return texts


@pytest.fixture
def frozen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "SystemEntropy", lambda: Seeded("the same each time"))


@pytest.fixture
def towns(tmp_path: Path, frozen: None) -> list[Path]:
    """Three shops that differ in their rows alone, in which ana has asked what bob has not."""
    files = [made(tmp_path / f"shop{n}" / "shop.duckdb", n, QUIET_BOB) for n in _folders(tmp_path)]
    answers = [asked(file, "ana", FOUND) for file in files]
    assert [len(rows) for rows in answers] == [0, 1, 3]
    return files


def _folders(path: Path) -> tuple[int, ...]:
    for n in (0, 1, 3):
        (path / f"shop{n}").mkdir()
    return (0, 1, 3)


def test_an_analyst_whose_budget_is_nothing_learns_nothing_of_what_another_found(towns: list[Path]) -> None:
    first, *others = [(seen(file, "bob"), refusals(file, "bob")) for file in towns]
    assert all(other == first for other in others)


def test_whoever_did_not_ask_sees_the_charge_and_not_what_came_back(towns: list[Path]) -> None:
    spent = [_people(file, "carl")[1] for file in towns]
    assert [float(amount) for amount in spent] == [1, 1, 1]
    assert len({str(_people(file, "carl")) for file in towns}) == 1
    of_owner = [float(_people(file, None)[1]) for file in towns]
    assert of_owner == sorted(of_owner)
    assert of_owner[0] < of_owner[1] < of_owner[2] <= 1
    own = [dict(_budgets(file, "ana"))["ana"] for file in towns]
    assert [float(amount) for amount in own] == of_owner  # what came back is told to whom it came back


def _people(file: Path, analyst: str | None) -> tuple[Any, ...]:
    with dpduck.connect(file, analyst=analyst) as db:
        rows = db.execute(
            "SELECT epsilon_limit, epsilon_spent, epsilon_remaining, delta_spent FROM dp_budget() "
            "WHERE scope = 'people'"
        ).fetchall()
    return rows[0]


def _budgets(file: Path, analyst: str) -> list[tuple[str, Any]]:
    with dpduck.connect(file, analyst=analyst) as db:
        return db.execute("SELECT name, epsilon_spent FROM dp_budget() WHERE scope = 'analyst'").fetchall()


def test_what_came_back_can_be_spent_although_it_is_not_told(towns: list[Path]) -> None:
    for n in range(8):
        assert isinstance(asked(towns[0], "carl", f"SELECT count(*) FROM people WHERE age > {n}"), list)
    # 9 are spent as charged, and less in truth: 1.1 is admitted, and 2 is refused in words of the charges.
    said = asked(towns[0], "carl", COUNT, "2")
    assert said.splitlines()[0].endswith("query needs epsilon 2 but only 1 remains")
    assert "of which 9 is spent" in said
    assert isinstance(asked(towns[0], "carl", COUNT, "1.1"), list)


# --- answers that others were given ------------------------------------------------------------------


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return made(tmp_path / "shop.duckdb", 3)


def replayed(file: Path, analyst: str | None, sql: str) -> bool:
    with dpduck.connect(file, analyst=analyst, epsilon="1") as db:
        plan = db.explain(sql)
        lines = [line for (line,) in db.execute(f"EXPLAIN {sql}").fetchall()]
    assert any("replayed" in line for line in lines) == ("replayed" in str(plan))
    assert ("replayed" in str(plan)) == (plan.replayed is not None)
    return plan.replayed is not None


def test_explain_tells_of_answers_that_one_was_given(shop: Path) -> None:
    asked(shop, "ana", COUNT)
    assert replayed(shop, "ana", COUNT)
    assert replayed(shop, None, COUNT)  # the owner sees all
    assert not replayed(shop, "bob", COUNT)
    before = [asked(shop, None, "FROM dp_ledger()"), asked(shop, "bob", "FROM dp_budget()")]
    assert not replayed(shop, "bob", COUNT)
    assert asked(shop, None, "FROM dp_ledger()") == before[0]


def test_an_answer_that_is_taken_is_on_record_and_then_told_of(shop: Path) -> None:
    given = asked(shop, "ana", COUNT)
    assert asked(shop, "bob", COUNT) == given
    entries = asked(shop, None, "SELECT analyst, epsilon, replayed FROM dp_ledger() ORDER BY seq")
    assert [(name, float(epsilon), again) for name, epsilon, again in entries] == [
        ("ana", 1, False),
        ("bob", 0, True),
    ]
    assert replayed(shop, "bob", COUNT)
    assert not replayed(shop, "carl", COUNT)


def test_a_part_of_an_answer_that_another_was_given_is_not_told_of_either(shop: Path) -> None:
    asked(shop, "ana", "SELECT city, count(*) AS n FROM people GROUP BY city")
    part = "SELECT count(*) FROM people WHERE city = 'bonn'"
    assert replayed(shop, "ana", part)
    assert not replayed(shop, "bob", part)


def test_what_one_cannot_pay_for_is_refused_as_if_nobody_had_asked(tmp_path: Path, frozen: None) -> None:
    texts = []
    for name, asks in (("asked", True), ("not", False)):
        (tmp_path / name).mkdir()
        file = made(tmp_path / name / "shop.duckdb", 1, QUIET_BOB)
        if asks:
            asked(file, "ana", FOUND)
        texts.append(refusals(file, "bob"))
    assert texts[0] == texts[1]


def test_an_analyst_sees_neither_entries_nor_sessions_nor_budgets_of_others(tmp_path: Path) -> None:
    file = made(tmp_path / "shop.duckdb", 1, QUIET_BOB, "CREATE PRIVACY BUDGET of_ana LIMIT 3 FOR ana")
    asked(file, "ana", COUNT)
    for sql in ("FROM dp_ledger()", "FROM dp_budget()", "SHOW PRIVACY BUDGETS", "SHOW PRIVACY"):
        text = str(asked(file, "bob", sql))
        assert "'ana'" not in text
        assert "of_ana" not in text


def test_the_budget_of_one_analyst_shows_them_what_came_back(tmp_path: Path, frozen: None) -> None:
    file = made(tmp_path / "shop.duckdb", 0, "CREATE PRIVACY BUDGET mine LIMIT 3 FOR ana")
    asked(file, "ana", FOUND)
    with dpduck.connect(file, analyst="ana") as db:
        spent = dict(db.execute("SELECT scope, epsilon_spent FROM dp_budget()").fetchall())
    assert float(spent["budget"]) < 1 == float(spent["people"])


def test_a_refusal_is_for_the_charge_and_no_more(towns: list[Path]) -> None:
    with dpduck.connect(towns[0], analyst="bob", epsilon="1") as db, pytest.raises(BudgetExceededError):
        db.execute(COUNT)
