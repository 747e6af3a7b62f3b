"""Summaries that are proposed from the record: what they would have answered, for whom, and from what."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import duckdb
import pytest
from sqlglot import parse_one

import dpduck
from dpduck.answers.summary_advice import SummaryAdvice, script_of
from dpduck.compiler.compile.summary_columns import asked_columns, bands_of, even_bands
from dpduck.kernel.errors import PermissionDeniedError
from dpduck.kernel.ledger import Role
from tests.gateway.web.sites import add_login, site_on
from tests.summaries.asking import ledger, rows, spent, told

ANSWERED = [
    "SELECT region, count(*) AS n FROM people GROUP BY region",
    "SELECT count(*) AS n FROM people WHERE age < 30",
    "SELECT member, count(*) AS n FROM people WHERE age BETWEEN 18 AND 44 GROUP BY member",
    "SELECT CASE WHEN age < 18 THEN 'minor' ELSE 'grown' END AS who, count(*) AS n FROM people GROUP BY who",
    "SELECT date_trunc('month', joined) AS m, count(*) AS n FROM people GROUP BY m",
]
OTHERS = ["SELECT avg(age) FROM people", "SELECT median(age) FROM people WHERE region = 'n'"]


def asks(db: dpduck.Connection, times: int = 1) -> None:
    db.execute("SET dp_replay = off")
    for _ in range(times):
        for sql in (*ANSWERED, *OTHERS):
            rows(db, sql)


def advice(db: dpduck.Connection) -> list[SummaryAdvice]:
    return db._service.summary_advice()


@pytest.fixture
def asked(file: Path) -> Path:
    with dpduck.connect(file, epsilon="0.1") as db:
        asks(db, 5)
    return file


@pytest.mark.slow
def test_it_says_what_a_summary_would_have_answered(asked: Path) -> None:
    with dpduck.connect(asked) as db:
        before = spent(db), len(ledger(db))
        [found] = advice(db)
        assert (spent(db), len(ledger(db))) == before
    assert (found.table, found.questions, found.cost) == ("people", 35, Fraction("3.5"))
    assert found.answered >= 20
    assert found.answered_cost - found.epsilon >= Fraction("1.5")
    assert "age BANDS (18, 30, 45)" in found.statement
    assert ("it has bands or groups of age, which the query divides", 5) in found.reasons
    assert found.words.startswith("35 questions on people cost epsilon 3.5. This summary would have cost ")


@pytest.mark.slow
def test_what_is_proposed_can_be_made_and_answers(asked: Path) -> None:
    """Each query that it is said to answer is answered from it, at the epsilon that was charged."""
    with dpduck.connect(asked, epsilon="0.1") as db:
        [found] = advice(db)
        db.execute(found.statement)
        db.execute("SET dp_replay = off")
        answered = 0
        for sql in (*ANSWERED, *OTHERS):
            db.execute("SET dp_summaries = on")
            rows(db, sql)
            answered += "from summary people_summary" in told(db)
        assert answered * 5 == found.answered


@pytest.mark.slow
def test_the_script_is_accepted_as_it_stands(asked: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "dpduck", "suggest", str(asked), "--summaries"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    statement = re.sub(r"--.*", "", done.stdout).strip().rstrip(";")
    with dpduck.connect(asked) as db:
        db.execute(statement)
        assert [row[0] for row in rows(db, "SHOW PRIVACY SUMMARIES")] == ["people_summary"]
    assert "Bands are taken from what was asked" in done.stdout


def test_nothing_is_proposed_that_would_not_have_paid(db: dpduck.Connection) -> None:
    assert advice(db) == []
    assert script_of([]).startswith("-- Nothing was charged")
    rows(db, OTHERS[0])
    rows(db, "SELECT page, count(DISTINCT uid) FROM visits GROUP BY page")
    found = {one.table: one for one in advice(db)}
    assert {one.statement for one in found.values()} == {""}
    assert "No summary would have answered them for less." in found["visits"].words


def test_answers_of_summaries_and_replays_are_no_questions(db: dpduck.Connection) -> None:
    rows(db, ANSWERED[0])
    rows(db, ANSWERED[0])
    db.execute("CREATE PRIVACY SUMMARY s ON people (member) EPSILON 1")
    rows(db, "SELECT member, count(*) AS n FROM people GROUP BY member")
    [found] = advice(db)
    assert (found.questions, found.cost) == (1, Fraction("0.01"))


@pytest.mark.slow
def test_no_private_row_is_read(asked: Path) -> None:
    """The rows are gone by then, and reading any fails."""
    with dpduck.connect(asked) as db:
        before = advice(db)
    with dpduck.connect(asked) as db:
        reading: list[str] = []
        db._service._open = lambda: reading.append("read") or (_ for _ in ()).throw(AssertionError)  # type: ignore[method-assign]
        assert advice(db) == before
        assert reading == []
    with duckdb.connect(str(asked)) as con:
        con.execute("DELETE FROM people; DELETE FROM visits")
    with dpduck.connect(asked) as db:
        assert advice(db) == before


@pytest.mark.slow
def test_it_is_for_the_owner_alone(asked: Path) -> None:
    with dpduck.connect(asked, analyst="ana") as ana, pytest.raises(PermissionDeniedError):
        advice(ana)
    with dpduck.connect(asked) as db:
        service = db._service
        for oversees, may_ask, allowed in ((True, True, True), (True, False, False), (False, True, False)):
            service.session = replace(service.session, analyst="o", oversees=oversees, asks=may_ask)
            if allowed:
                assert advice(db)
            else:
                with pytest.raises(PermissionDeniedError):
                    advice(db)


@pytest.mark.slow
def test_the_console_shows_it_to_owners(asked: Path) -> None:
    with site_on(asked) as site:
        add_login(site.ledger, "ana")
        add_login(site.ledger, "odo", Role.AUDITOR)
        add_login(site.ledger, "own", Role.OWNER)
        charges = site.charges
        for name, sees in (("ana", False), ("odo", False), ("own", True)):
            client = site.as_analyst(name)
            client.get("/budgets")
            assert ("/budgets/summaries" in client.text) is sees, name
            client.get("/budgets/summaries")
            assert ("35 questions on people cost epsilon 3.5" in client.words()) is sees, name
            assert ("people_summary" in client.words()) is sees, name
        owner = site.as_owner()
        owner.get("/budgets/summaries")
        assert "CREATE PRIVACY SUMMARY people_summary" in owner.words()
        assert site.charges == charges


# --- bands that EXPLAIN proposes -----------------------------------------------------------------


def explained(db: dpduck.Connection, statement: str) -> str:
    return "\n".join(str(line) for (line,) in rows(db, f"EXPLAIN {statement}"))


@pytest.mark.slow
def test_explain_proposes_the_bands_of_the_workload(db: dpduck.Connection) -> None:
    head = "CREATE PRIVACY SUMMARY s ON people"
    asked = "SELECT region, count(*) FROM people WHERE age >= 18 AND age < 65 GROUP BY region"
    asks = f"WORKLOAD ('{asked}') EPSILON 1"
    said = explained(db, f"{head} (age, region) {asks}")
    found = re.search(r"propose   age BANDS \((18, 65)\): .* nowhere else; (\d+)% less noise", said)
    assert found is not None, said
    assert int(found[2]) > 10
    assert "propose" not in explained(db, f"{head} (age BANDS ({found[1]}), region) {asks}")


def test_explain_proposes_even_bands_where_nothing_says_more(db: dpduck.Connection) -> None:
    said = explained(db, "CREATE PRIVACY SUMMARY s ON people (age, region) EPSILON 1")
    assert "propose   age BANDS (20, 40, 60, 80), or others: each of 100 values has noise of its own" in said
    assert "propose" not in explained(db, "CREATE PRIVACY SUMMARY s ON people (region, member) EPSILON 1")


def test_explain_proposes_no_bands_where_single_values_are_asked_for(db: dpduck.Connection) -> None:
    asks = "WORKLOAD ('SELECT age, count(*) FROM people GROUP BY age') EPSILON 1"
    assert "propose" not in explained(db, f"CREATE PRIVACY SUMMARY s ON people (age, region) {asks}")


# --- what a query reads --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sql", "keys", "firsts"),
    [
        ("SELECT region, count(*) FROM people GROUP BY ALL", ["region"], {}),
        ("SELECT region AS r, count(*) FROM people GROUP BY r", ["region"], {}),
        ("SELECT count(*), region FROM people GROUP BY 2", ["region"], {}),
        ("SELECT count(*) FROM people AS p WHERE p.age > 29", [], {"age": {30}}),
        ("SELECT count(*) FROM people WHERE 30 > age", [], {"age": {30}}),
        ("SELECT count(*) FROM people WHERE age <= 29 OR age = 40", [], {"age": {30, 40, 41}}),
        ("SELECT count(*) FROM people WHERE age IN (1, 5)", [], {"age": {1, 2, 5, 6}}),
        ("SELECT count(*) FILTER (age BETWEEN 18 AND 29) FROM people", [], {"age": {18, 30}}),
        ("SELECT year(joined) AS y, count(*) FROM people GROUP BY y", ["YEAR(joined)"], {}),
        ("SELECT count(*) FROM people WHERE age < x", [], {}),
        ("SELECT count(*) FROM people WHERE age < 'old'", [], {}),
    ],
)
def test_what_a_query_asks(
    db: dpduck.Connection, sql: str, keys: list[str], firsts: dict[str, set[int]]
) -> None:
    found = asked_columns(parse_one(sql, dialect="duckdb"), db._service.catalog())
    assert found is not None
    assert list(found.keys) == keys
    assert found.firsts == firsts


@pytest.mark.parametrize(
    "sql",
    ["SELECT count(*) FROM people, visits", "SELECT count(*) FROM nowhere", "SELECT 1", "FROM dp_ledger()"],
)
def test_queries_of_other_tables_are_none(db: dpduck.Connection, sql: str) -> None:
    assert asked_columns(parse_one(sql, dialect="duckdb"), db._service.catalog()) is None


def test_bands_are_within_the_domain(db: dpduck.Connection) -> None:
    age = db._service.catalog().table("people").column("age")
    assert bands_of(age, {-5, 0, 18, 99, 100}) == [18, 99]
    assert bands_of(age, set(range(1, 99))) == []
    assert even_bands(age) == [20, 40, 60, 80]
    assert even_bands(db._service.catalog().table("people").column("grade")) == []
