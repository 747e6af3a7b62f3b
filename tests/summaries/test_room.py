"""What summaries and answers take in the ledger has a cap, is told beforehand, and is given back."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

import dpduck
from dpduck.kernel.errors import BudgetExceededError, LedgerError
from dpduck.kernel.ledger import Room, open_ledger
from dpduck.kernel.ledger.room import PART
from tests.depth import depth
from tests.summaries.asking import refusal, rows, spent, told
from tests.summaries.conftest import BOARD

SMALL = "CREATE OR REPLACE PRIVACY SUMMARY small ON people (region, member) EPSILON 0.001"
WIDE = """CREATE OR REPLACE PRIVACY SUMMARY {} ON people (age, region, member, grade) WORKLOAD (ALL 4 WAY)
    EPSILON 0.01"""  # of 4,800 cells
COUNT = "SELECT region, count(*) AS n FROM people GROUP BY region"


@pytest.fixture
def ana(file: Path) -> Iterator[dpduck.Connection]:
    """An analyst who may keep 250 kB."""
    with dpduck.connect(file, analyst="ana", epsilon="0.01", ledger_room="1MB") as db:
        yield db


def size(file: Path) -> int:
    """The bytes of the ledger, after what is in its log was moved to it."""
    path = file.with_name(f"{file.name}.ledger")
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()
    return path.stat().st_size


def kept(db: dpduck.Connection) -> int:
    return sum(db._service.session.ledger.kept_bytes().values())


def explained(db: dpduck.Connection, sql: str) -> str:
    return "\n".join(str(line) for (line,) in rows(db, f"EXPLAIN {sql}"))


# --- the cap -------------------------------------------------------------------------------------


def test_one_analyst_fills_their_part_and_no_more(ana: dpduck.Connection, file: Path) -> None:
    """Many summaries at a small epsilon: the rest are refused, free, and others are answered and kept."""
    made, errors = 0, []
    for number in range(depth(100, 30)):
        try:
            ana.execute(WIDE.format(f"wide{number}"))
        except BudgetExceededError as error:
            errors.append(error)
        else:
            made += 1
    assert made >= 2
    assert len(errors) >= 10
    assert {error.charged for error in errors} == {"0"}
    assert "DROP PRIVACY SUMMARY of another" in str(errors[-1])
    assert spent(ana) == Fraction(made, 100)
    assert kept(ana) <= 10**6 // PART
    with dpduck.connect(file, analyst="bob", epsilon="0.5", ledger_room="1MB") as bob:
        before = spent(bob)
        assert len(rows(bob, "SELECT grade, count(*) AS n FROM people GROUP BY grade")) > 0
        assert "not kept" not in told(bob)
        assert spent(bob) > before
        bob._service.session.ledger.verify()


def test_an_answer_without_room_is_given_and_charged_again(file: Path) -> None:
    with dpduck.connect(file, analyst="ana", epsilon="0.01") as db:
        db._service.session.ledger.room = Room(100)
        assert "keeps     about" in explained(db, COUNT)
        assert "charged again when it is asked again" in explained(db, COUNT)
        for times in (1, 2):
            assert len(rows(db, COUNT)) == 4
            assert "This answer is not kept in the ledger, since there is no room for its" in told(db)
            assert "asked again, it is charged again" in told(db)
            assert spent(db) == Fraction(times, 100)
        db._service.session.ledger.room = Room()
        assert "keeps" not in explained(db, COUNT)
        rows(db, COUNT)
        rows(db, COUNT)
        assert "paid for" in explained(db, COUNT)
        assert spent(db) == Fraction(3, 100)
        db._service.session.ledger.verify()


def test_who_has_no_room_left_is_told_before(file: Path) -> None:
    with dpduck.connect(file, analyst="ana", epsilon="0.01") as db:
        db._service.session.ledger.room = Room(0)
        assert "keeps     nothing, since there is no room left for whoever asks" in explained(db, COUNT)
        assert "so that it is refused" in explained(db, SMALL)
        error = refusal(db, SMALL)
        assert error.message == "the ledger has no room for summary small"
        assert isinstance(error, BudgetExceededError)
        assert "ask the data owner for more (ledger-room)" in str(error)


def test_others_are_not_told_how_much_an_analyst_keeps(file: Path) -> None:
    """Of the whole ledger they learn only that it is full."""
    with dpduck.connect(file, analyst="ana", epsilon="0.01") as db:
        rows(db, COUNT)
        used = kept(db)
    for more in (0, 1):
        with dpduck.connect(file, analyst="bob", epsilon="0.01") as db:
            db._service.session.ledger.room = Room(PART * 5000)
            db._service.session.ledger._keeping._held["cleo"] = PART * 5000 - used - more
            said = explained(db, SMALL)
            assert "the ledger, which is full, so that it is refused" in said
            assert str(used) not in said


def test_explain_says_what_a_summary_takes_at_most(ana: dpduck.Connection) -> None:
    said = explained(ana, BOARD)
    [line] = [line for line in said.splitlines() if "keeps" in line]
    assert "where 250 kB are left for whoever asks" in line
    ana.execute(BOARD)
    most = int(line.split("at most ")[1].split(" kB")[0]) * 1000
    assert most / 10 < kept(ana) < most


def test_the_room_of_a_ledger_is_given_as_a_size(file: Path) -> None:
    with dpduck.connect(file, ledger_room="2GB") as db:
        assert db._service.session.ledger.room == Room(2 * 10**9)
    with pytest.raises(dpduck.ParameterError, match="'lots' is not a size"):
        dpduck.connect(file, ledger_room="lots")


def test_what_another_process_keeps_counts(file: Path) -> None:
    with (
        dpduck.connect(file, analyst="ana", epsilon="0.01") as one,
        dpduck.connect(file, analyst="ana", epsilon="0.02") as other,
    ):
        assert one._service.session.ledger is not other._service.session.ledger
        rows(one, COUNT)
        rows(other, "SELECT member, count(*) AS n FROM people GROUP BY member")
        assert kept(one) == kept(other)
        one.execute(SMALL)
        assert kept(one) == kept(other)


# --- what is given back --------------------------------------------------------------------------


def test_replaced_summaries_leave_no_room_behind(ana: dpduck.Connection, file: Path) -> None:
    statement = WIDE.format("wide")
    sizes, takes = [], []
    for number in range(depth(100, 16)):
        ana.execute(statement)
        takes.append(kept(ana))
        if number >= 2:  # the old one goes after the new one was kept
            sizes.append(size(file))
    assert max(takes) < 1.2 * min(takes)
    entries = 16_000 * len(sizes)  # the charges, the statements and who has the name stay
    assert sizes[-1] - sizes[0] < entries
    ana._service.session.ledger.verify()
    ana.execute("DROP PRIVACY SUMMARY wide")
    assert kept(ana) == 0
    ana.execute(WIDE.format("other"))
    assert size(file) - sizes[-1] < 32_000


def test_a_ledger_of_before_gives_back_what_it_has_of_dropped_summaries(file: Path) -> None:
    with dpduck.connect(file) as db:
        db.execute(SMALL)
    path = file.with_name(f"{file.name}.ledger")
    with sqlite3.connect(path) as old:
        stored = old.execute("SELECT * FROM summary").fetchall()
    old.close()
    with dpduck.connect(file) as db:
        db.execute("DROP PRIVACY SUMMARY small")
    with sqlite3.connect(path) as old:  # as it was left before
        old.executemany("INSERT INTO summary VALUES (?, ?, ?, ?, ?)", stored)
    old.close()
    with dpduck.connect(file) as db:
        db._service.session.ledger.verify()
        assert kept(db) > 0
        db.execute(SMALL)
        db.execute("DROP PRIVACY SUMMARY small")
        assert kept(db) == 0
        db._service.session.ledger.verify()


def test_only_what_has_no_name_may_be_gone(file: Path) -> None:
    """A kept answer, or a summary that has its name, is missed by verify."""
    path = file.with_name(f"{file.name}.ledger")
    with dpduck.connect(file) as db:
        db.execute(SMALL)
        db.execute(SMALL)
    with sqlite3.connect(path) as damaged:
        damaged.execute("DELETE FROM summary")
    damaged.close()
    with pytest.raises(LedgerError, match="charge 2 is not the one"), open_ledger(path) as ledger:
        ledger.verify()


def test_a_summary_that_is_dropped_meanwhile_is_asked_no_more(file: Path) -> None:
    """A session that has read which summaries there are, and not yet their numbers."""
    with dpduck.connect(file, epsilon="0.001") as db, dpduck.connect(file, epsilon="0.001") as other:
        db.execute(SMALL)
        service = db._service
        [summary] = service._summaries.all()
        other.execute("DROP PRIVACY SUMMARY small")
        with pytest.raises(dpduck.PolicyError, match="summary small was made anew or dropped meanwhile"):
            service._summaries.contents(summary)
        assert service._summaries.all() == []
        assert rows(db, COUNT)
        assert "summary small" not in told(db)


@pytest.mark.skipif(os.name != "posix", reason="needs a limit of pages")
def test_a_full_disk_loses_nothing(file: Path) -> None:
    """Each statement fails in the same words; what was there is, and goes on once there is room."""
    with dpduck.connect(file, epsilon="0.01") as db:
        db.execute(SMALL)
        before = rows(db, "SELECT * FROM dp_summary('small')")
        ledger = db._service.session.ledger
        connection = ledger._connected()
        [(pages,)] = connection.execute("PRAGMA page_count").fetchall()
        connection.execute(f"PRAGMA max_page_count = {pages + 2}")
        statement, charged = WIDE.format("wide"), []
        while "0" not in charged and len(charged) < 60:  # until not even a charge finds room
            with pytest.raises(LedgerError, match="ledger cannot be written") as caught:
                db.execute(statement)
            charged.append(str(caught.value.charged))
        assert charged == ["0.01"] * (len(charged) - 1) + ["0"]
        connection.execute("PRAGMA max_page_count = 1000000")
        ledger.verify()
        db.execute(statement)
        assert rows(db, "SELECT * FROM dp_summary('small')") == before
        ledger.verify()


# --- noise alone ---------------------------------------------------------------------------------


@pytest.mark.parametrize("noise", ["", " DELTA 1e-6 NOISE gaussian"], ids=["laplace", "gaussian"])
def test_a_summary_of_noise_alone_is_refused_with_what_makes_sense(db: dpduck.Connection, noise: str) -> None:
    columns = "age, region, grade, joined"
    made = f"CREATE PRIVACY SUMMARY wide ON people ({columns}) WORKLOAD (ALL 4 WAY) EPSILON {{}}{noise}"
    error = refusal(db, made.format("0.0001"))
    assert error.message == "each number of summary wide would be noise alone"
    assert "If 10,000,000,000 people, more than are alive, were spread over them, each had" in str(error)
    assert str(refusal(db, f"EXPLAIN {made.format('0.0001')}")) == str(error)
    epsilon = str(error.advice).split("EPSILON ")[1].split(",")[0]
    assert Fraction("0.0001") < Fraction(epsilon) < 1
    assert "FORCE at the end" in str(error)
    assert f"cost      epsilon {epsilon}" in explained(db, made.format(epsilon))
    assert "cost      epsilon 0.0001" in explained(db, f"{made.format('0.0001')} FORCE")


def test_force_is_the_owner_s_word(ana: dpduck.Connection) -> None:
    error = refusal(ana, f"{SMALL} FORCE")
    assert error.message == "only the data owner makes a summary with FORCE"


def test_a_forced_summary_is_refreshed_as_it_was_made(db: dpduck.Connection) -> None:
    db.execute(f"{SMALL} FORCE")
    db.execute("ALTER PRIVACY SUMMARY small REFRESH")
    assert spent(db) == Fraction(2, 1000)
