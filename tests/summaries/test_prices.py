"""EXPLAIN and notices say what asking costs as it is charged; the statement of a summary is its author's."""

from __future__ import annotations

from pathlib import Path

import pytest

import dpduck
from dpduck.kernel.errors import DpduckError
from tests.summaries.asking import rows, spent, told

SMALL = "CREATE PRIVACY SUMMARY small ON people (region, member) WORKLOAD (ALL 2 WAY) EPSILON 0.5"
FINER = (
    "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = 2) region, count(*) AS n FROM people GROUP BY region"
)
SERVED = "SELECT region, count(*) AS n FROM people GROUP BY region"


@pytest.fixture
def shop(file: Path) -> Path:
    """A budget FOR ana, who has not paid for the owner's summary."""
    with dpduck.connect(file) as db:
        db.execute("CREATE PRIVACY BUDGET own LIMIT 5 FOR ana")
        db.execute(SMALL)
    return file


def explained(db: dpduck.Connection, sql: str) -> str:
    return "\n".join(str(line) for (line,) in rows(db, f"EXPLAIN {sql}"))


def charged(db: dpduck.Connection, sql: str) -> str:
    """What a statement was charged, 'refused' if it was, with nothing charged."""
    before = spent(db, "budget")
    try:
        rows(db, sql)
    except DpduckError as error:
        assert (error.charged, spent(db, "budget")) == ("0", before)
        return "refused"
    return f"{spent(db, 'budget') - before:f}".rstrip("0").rstrip(".") or "0"


@pytest.mark.parametrize("mode", ["on", "only"])
@pytest.mark.parametrize("sql", [SERVED, FINER, "SELECT * FROM small", "SELECT avg(member::INT) FROM people"])
@pytest.mark.parametrize("paid", [False, True])
def test_what_explain_says_is_charged(shop: Path, sql: str, mode: str, paid: bool) -> None:
    with dpduck.connect(shop, analyst="ana", epsilon="0.5") as db:
        if paid:
            rows(db, "SELECT * FROM dp_summary('small')")
        db.execute(f"SET dp_summaries = '{mode}'")
        said = explained(db, sql)
        plan = db.explain(sql)
        done = charged(db, sql)
        if done == "refused":
            assert "refused" in said
        elif done == "0":
            assert "nothing" in said
        else:
            assert f"epsilon {done}" in said.split("score SQL")[0]
            assert plan.epsilon == done
        if not paid:
            assert "at no cost" not in said
            assert "costs nothing" not in said


def test_who_has_paid_is_told_that_it_is_free(shop: Path) -> None:
    with dpduck.connect(shop, analyst="ana", epsilon="2") as db:
        line = "summary   small would give n to +-"
        assert f"{line}9 for epsilon 0.5 once, of a budget FOR somebody: FROM dp_summary('small')" in (
            explained(db, SERVED)
        )
        rows(db, SERVED)
        assert "small would give n to +-9 for epsilon 0.5 once" in told(db)
        assert "at no cost" not in told(db)
        rows(db, "SELECT * FROM dp_summary('small')")
        db.execute("SET dp_replay = off")
        assert f"{line}9 at no cost: SET dp_summaries = only" in explained(db, SERVED)
        rows(db, SERVED)
        assert "small would give n to +-9 at no cost" in told(db)


def test_a_mean_that_a_summary_would_give_is_named(shop: Path) -> None:
    with dpduck.connect(shop, epsilon="2") as db:
        for line in explained(db, "SELECT avg(member::INT) AS share FROM people").splitlines():
            assert "would give  " not in line
            assert "would give at" not in line


def test_an_answer_that_a_new_budget_has_not_paid_for_is_priced(file: Path) -> None:
    with dpduck.connect(file) as db:  # so that a new budget leaves the answer as good as it was
        db.execute("ALTER TABLE people SET PRIVACY VERSION 'one'")
    with dpduck.connect(file, analyst="ana", epsilon="0.5") as db:
        rows(db, SERVED)
        assert "which is paid for" in explained(db, SERVED)
    with dpduck.connect(file) as db:
        db.execute("CREATE PRIVACY BUDGET own LIMIT 3 FOR ana")
    with dpduck.connect(file, analyst="ana", epsilon="0.5") as db:
        said = explained(db, SERVED)
        assert "replayed  from the answer of" in said
        assert "for epsilon 0.5 once, of a budget FOR somebody" in said
        assert db.explain(SERVED).owed == "0.5"
        assert charged(db, SERVED) == "0.5"
        assert "which is paid for" in explained(db, SERVED)
        assert charged(db, SERVED) == "0"
    with dpduck.connect(file) as db:
        db.execute("ALTER PRIVACY BUDGET own LIMIT 0.6")
        db.execute("CREATE PRIVACY BUDGET other LIMIT 0.1 FOR ana")
    with dpduck.connect(file, analyst="ana", epsilon="0.5") as db:  # who cannot pay for it again
        assert "replayed" not in explained(db, SERVED)
        assert charged(db, SERVED) == "refused"


# --- whose statement it is -----------------------------------------------------------------------

ASKED = SMALL.replace("(ALL 2 WAY)", "('SELECT region, count(*) FROM people WHERE member GROUP BY region')")


@pytest.mark.parametrize("author", [None, "ana"])
def test_the_statement_is_for_its_author_and_the_owner(file: Path, author: str | None) -> None:
    with dpduck.connect(file, analyst=author) as db:
        db.execute(ASKED)
        db.execute("ALTER PRIVACY SUMMARY small REFRESH")
    for who in (None, "ana", "bob"):
        with dpduck.connect(file, analyst=who) as db:
            details = dict(rows(db, "SHOW PRIVACY SUMMARY small"))
            everything = str([rows(db, "FROM dp_policies()"), details, rows(db, "SHOW PRIVACY SUMMARIES")])
            is_theirs = who in (None, author)
            assert ("WORKLOAD" in everything) is is_theirs
            assert ("statement" in details) is is_theirs
            assert details["table"] == "people"
            assert "column region" in details  # what it can be asked is for all
