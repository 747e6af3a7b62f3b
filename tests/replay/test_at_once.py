"""Sessions that ask one question at once: it is charged once, and all get the same answer."""

from __future__ import annotations

import threading
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

import dpduck
from dpduck.answers import service as of_service
from dpduck.answers.service import Service
from dpduck.answers.settings import Settings
from dpduck.kernel.ledger import Ledger
from dpduck.kernel.ledger.session import Session
from tests.replay.test_replay import COUNT, TOWNS, file, spent

__all__ = ["file"]

SESSIONS = 6
SECONDS = 60


def sessions(db: dpduck.Connection, ledger: Ledger, analysts: list[str | None]) -> list[Service]:
    """Sessions of one ledger, as a server has them."""
    source = db._service._prepare._source
    settings = Settings.parse("0.1", None)
    return [
        Service(source, Session(ledger, f"s{number}", analyst), settings)
        for number, analyst in enumerate(analysts)
    ]


def ask_at_once(services: list[Service], sql: str) -> list[Any]:
    """What each session is given, or its error."""
    found: dict[int, Any] = {}

    def ask(number: int) -> None:
        try:
            rows = services[number].run(sql)
            found[number] = (rows.rows, rows.charged)  # type: ignore[union-attr]
        except dpduck.DpduckError as error:
            found[number] = error

    threads = [threading.Thread(target=ask, args=(number,), daemon=True) for number in range(len(services))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(SECONDS)
        assert not thread.is_alive()
    return [found[number] for number in range(len(services))]


@pytest.fixture
def together(monkeypatch: pytest.MonkeyPatch) -> threading.Barrier:
    """Lets all sessions come to the point where a fresh answer is the only way, before one goes on."""
    barrier, answered_once = threading.Barrier(SESSIONS), Service._answered_once

    def later(self: Service, request: Any) -> Any:
        barrier.wait(SECONDS)
        return answered_once(self, request)

    monkeypatch.setattr(Service, "_answered_once", later)
    return barrier


@pytest.mark.usefixtures("together")
@pytest.mark.parametrize("sql", [COUNT, TOWNS, f"{COUNT} UNION ALL {COUNT} WHERE age > 50"])
def test_it_is_charged_once(file: Path, sql: str) -> None:
    analysts = [None, "ana", "ana", "bob", "bob", "cleo"]
    with dpduck.connect(file) as db:
        services = sessions(db, db._service.session.ledger, analysts)
        found = ask_at_once(services, sql)
    assert sorted(charged for _, charged in found) == ["0"] * (SESSIONS - 1) + ["0.1"]
    assert len({repr(rows) for rows, _ in found}) == 1
    assert spent(file, "people", "members.id") == Decimal("0.1")


@pytest.mark.usefixtures("together")
def test_without_replay_each_is_charged(file: Path) -> None:
    with dpduck.connect(file) as db:
        services = sessions(db, db._service.session.ledger, [None] * SESSIONS)
        for service in services:
            service.run("SET dp_replay = off")
        assert [charged for _, charged in ask_at_once(services, COUNT)] == ["0.1"] * SESSIONS


@pytest.mark.usefixtures("together")
def test_who_is_first_and_fails_leaves_it_to_the_next(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    failed, whole = threading.Event(), of_service.answer

    def once(*arguments: Any) -> Any:
        if not failed.is_set():
            failed.set()
            raise dpduck.LedgerError("the disk is full")
        return whole(*arguments)

    monkeypatch.setattr(of_service, "answer", once)
    with dpduck.connect(file) as db:
        found = ask_at_once(sessions(db, db._service.session.ledger, [None] * SESSIONS), COUNT)
    errors = [one for one in found if isinstance(one, dpduck.DpduckError)]
    assert len(errors) == 1
    answers = [one for one in found if not isinstance(one, dpduck.DpduckError)]
    assert sorted(charged for _, charged in answers) == ["0"] * (SESSIONS - 2) + ["0.1"]


@pytest.mark.usefixtures("together")
def test_one_that_is_stopped_while_it_waits_is_not_charged(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_end, whole, begun = threading.Event(), of_service.answer, threading.Event()

    def slow(*arguments: Any) -> Any:
        begun.set()
        assert may_end.wait(SECONDS)
        return whole(*arguments)

    monkeypatch.setattr(of_service, "answer", slow)
    with dpduck.connect(file) as db:
        services = sessions(db, db._service.session.ledger, [None] * SESSIONS)

        def stop() -> None:
            assert begun.wait(SECONDS)
            for service in services:
                service.interrupts.stop()
            may_end.set()

        stopper = threading.Thread(target=stop, daemon=True)
        stopper.start()
        found = ask_at_once(services, COUNT)
        stopper.join(SECONDS)
    charged = [one.charged if isinstance(one, dpduck.DpduckError) else one[1] for one in found]
    assert charged.count("0") >= SESSIONS - 1


def test_an_answer_that_was_stored_since_it_was_looked_for_is_found(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the first look and the turn for that question: nobody has to be waited for by then."""
    with dpduck.connect(file) as db:
        first, second = sessions(db, db._service.session.ledger, ["ana", "bob"])
        answered_once = Service._answered_once
        found = []

        def later(self: Service, request: Any) -> Any:
            if not found:
                found.append(None)
                found[0] = first.run(COUNT)
            return answered_once(self, request)

        monkeypatch.setattr(Service, "_answered_once", later)
        rows = second.run(COUNT)
    assert found[0].charged == "0.1"
    assert (rows.charged, rows.rows) == ("0", found[0].rows)  # type: ignore[union-attr]


def test_who_would_be_refused_is_not_kept_waiting(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the wait would say that somebody asks that very question now."""
    may_end, begun, whole = threading.Event(), threading.Event(), of_service.answer

    def slow(*arguments: Any) -> Any:
        if is_slow.is_set():
            begun.set()
            assert may_end.wait(SECONDS)
        return whole(*arguments)

    is_slow = threading.Event()
    monkeypatch.setattr(of_service, "answer", slow)
    with dpduck.connect(file) as db:
        db.execute("CREATE PRIVACY BUDGET small LIMIT 0.15 FOR bob")
        first, second = sessions(db, db._service.session.ledger, ["ana", "bob"])
        second.run(f"{COUNT} WHERE age > 7")
        asking = threading.Thread(target=first.run, args=(COUNT,), daemon=True)
        is_slow.set()
        asking.start()
        assert begun.wait(SECONDS)
        is_slow.clear()
        try:
            with pytest.raises(dpduck.BudgetExceededError):
                second.run(COUNT)
            assert asking.is_alive()
        finally:
            may_end.set()
            asking.join(SECONDS)
