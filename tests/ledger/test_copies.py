"""Backups taken while the ledger is charged, restored or refused, and ledgers that move."""

from __future__ import annotations

import json
import sqlite3
import stat
import threading
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from dpduck.kernel.errors import LedgerError
from dpduck.kernel.ledger import Account, Cap, Ledger, StoredRelease, open_ledger
from dpduck.kernel.ledger.backups import back_up, restore
from dpduck.kernel.ledger.copies import named
from dpduck.kernel.ledger.moves import move
from dpduck.kernel.ledger.sqlite import SqliteLedger
from tests.ledger.contract import ANA, cost, spent
from tests.ledger.server import Server
from tests.ledger.test_upgrade import NOT_REPRICED, made

NUL = "a\0b\x1a0"  # what PostgreSQL cannot store as it is


@pytest.fixture(params=["file", pytest.param("database", marks=pytest.mark.services)])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A ledger of each store."""
    return _place(request.param, request, tmp_path / "shop.ledger")


@pytest.fixture(params=["file", pytest.param("database", marks=pytest.mark.services)])
def target(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Where another ledger can be, of each store."""
    if request.param == "file":
        yield str(tmp_path / "other" / "new.ledger")
    else:
        server: Server = request.getfixturevalue("server")
        with server.database() as name:
            yield server.url(name)


def _place(kind: str, request: pytest.FixtureRequest, file: Path) -> str:
    (file.parent / "other").mkdir()
    return str(file) if kind == "file" else str(request.getfixturevalue("url"))


@pytest.fixture
def anchor(tmp_path: Path) -> str:
    return str(tmp_path / "anchor")


def filled(place: str, anchor: str | None, charges: int = 3) -> None:
    with open_ledger(place, anchor) as ledger:
        ledger.set_cap(ANA, Cap(Fraction(100)))
        for number in range(charges):
            seq = ledger.charge(cost(query=f"SELECT {number} {NUL}"))
            ledger.settle(seq, None, StoredRelease("sales", "1", f"{number}", '{"x":1}'))
        ledger.put_analyst("ana", "verifier")
        ledger.login_secret(b"secret")


def contents(ledger: Ledger) -> list[object]:
    """All that a ledger holds."""
    return [
        ledger.entries(),
        ledger.policies(),
        ledger.budgets(),
        ledger.kept("sales", "1"),
        [ledger.answer(answer.seq) for answer in ledger.kept("sales", "1")],
        ledger.analysts(),
        ledger.login_secret(b"other"),
    ]


def told(action: Callable[[], object]) -> str:
    with pytest.raises(LedgerError) as caught:
        action()
    assert caught.value.charged == "0"
    return f"{caught.value.message}: {caught.value.detail}"


# --- backup --------------------------------------------------------------------------------------


def test_a_backup_is_a_ledger_of_one_private_file(place: str, anchor: str, tmp_path: Path) -> None:
    filled(place, anchor)
    out = tmp_path / "other" / "backup"
    head = back_up(place, anchor, out)
    assert list(out.parent.iterdir()) == [out]
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    with open_ledger(place, anchor) as ledger, SqliteLedger(out) as copy:
        assert copy.head() == ledger.head() == head
        assert contents(copy) == contents(ledger)
        assert copy.verify() == 0


def test_a_backup_overwrites_nothing_and_is_of_a_whole_ledger(
    place: str, anchor: str, tmp_path: Path
) -> None:
    filled(place, anchor)
    out = tmp_path / "backup"
    out.write_text("precious")
    assert "It is not overwritten." in told(lambda: back_up(place, anchor, out))
    assert out.read_text() == "precious"
    out.unlink()
    assert told(lambda: back_up(place, anchor, tmp_path / "nowhere" / "backup")).startswith(
        "ledger cannot be"
    )


def test_no_backup_of_a_damaged_ledger(tmp_path: Path, anchor: str) -> None:
    place = tmp_path / "ledger"
    filled(str(place), anchor)
    db = sqlite3.connect(place)
    db.execute("UPDATE account SET epsilon_spent = epsilon_spent + 1")
    db.commit()
    db.close()
    assert told(lambda: back_up(str(place), anchor, tmp_path / "backup")).startswith("ledger does not add up")
    assert not list(tmp_path.glob("backup*"))


def test_backups_under_load_are_whole(place: str, anchor: str, tmp_path: Path) -> None:
    """Four threads charge meanwhile; each backup verifies, and has all that was charged before it began."""
    filled(place, anchor)
    done, faults = threading.Event(), []

    def charge(name: str) -> None:
        try:
            with open_ledger(place, anchor) as ledger:
                while not done.is_set():
                    seq = ledger.charge(cost(accounts=(Account("session", name),), session=name))
                    ledger.settle(seq)
        except BaseException as error:
            faults.append(error)

    threads = [threading.Thread(target=charge, args=(f"s{n}",)) for n in range(4)]
    for thread in threads:
        thread.start()
    heads = []
    try:
        for number in range(8):
            with open_ledger(place, anchor) as ledger:
                before = ledger.head().number
            heads.append(back_up(place, anchor, tmp_path / f"backup{number}"))
            assert heads[-1].number >= before
    finally:
        done.set()
        for thread in threads:
            thread.join()
    assert not faults
    assert len({head.number for head in heads}) > 1
    with open_ledger(place, anchor) as ledger:
        assert ledger.verify() == 0
        after = ledger.head().number
    assert told(lambda: restore(tmp_path / "backup0", str(tmp_path / "old"), anchor)).startswith(
        "backup may be older than what was spent: It has"
    )
    out = tmp_path / "last"
    back_up(place, anchor, out)
    assert restore(out, str(tmp_path / "again"), anchor).head.number == after + 1


# --- restore -------------------------------------------------------------------------------------


def test_the_newest_backup_is_restored(place: str, target: str, anchor: str, tmp_path: Path) -> None:
    filled(place, anchor)
    head = back_up(place, anchor, tmp_path / "backup")
    with open_ledger(place, anchor) as ledger:
        before = contents(ledger)
    done = restore(tmp_path / "backup", target, anchor)
    assert (done.head.number, done.replaced) == (head.number + 1, None)
    with open_ledger(target, anchor) as ledger:
        after = contents(ledger)
        assert [part for part in after if part not in before] == [ledger.policies()]
        said = ledger.policies()[-1].statement
        assert said == f"ledger restored from a backup that ends with entry {head.number}"
        ledger.charge(cost())
        assert ledger.verify() == 0
    # The one that it was taken from is behind the anchor now: there is one ledger, not two.
    assert told(lambda: open_ledger(place, anchor)).startswith("ledger is behind its anchor")


def test_an_older_backup_is_refused_unless_by_force(
    place: str, target: str, anchor: str, tmp_path: Path
) -> None:
    filled(place, anchor)
    head = back_up(place, anchor, tmp_path / "backup")
    with open_ledger(place, anchor) as ledger:
        ledger.charge(cost("2"))
    mark = Path(anchor).read_text()
    said = told(lambda: restore(tmp_path / "backup", target, anchor))
    assert said.startswith(
        f"backup may be older than what was spent: It has {head.number} entries, and its anchor '{anchor}' "
        f"knows {head.number + 1}. What was charged after it would be forgotten"
    )
    assert Path(anchor).read_text() == mark
    assert not list((tmp_path / "other").iterdir())
    restore(tmp_path / "backup", target, anchor, force=True)
    with open_ledger(target, anchor) as ledger:
        assert spent(ledger) == (Fraction(3, 2), 0)
        assert ledger.policies()[-1].statement.endswith(
            f"ends with entry {head.number}, forced: its anchor did not agree"
        )
        ledger.charge(cost())
    assert told(lambda: open_ledger(place, anchor)).startswith("ledger is behind its anchor")


def test_without_an_anchor_nothing_agrees(tmp_path: Path) -> None:
    place, backup = tmp_path / "ledger", tmp_path / "backup"
    filled(str(place), None)
    back_up(str(place), None, backup)
    (tmp_path / "ledger.anchor").unlink()
    said = told(lambda: restore(backup, str(place), None))
    assert "There is nothing at its anchor" in said
    url = "There is no anchor that knows better."
    with SqliteLedger(backup) as ledger:
        assert url not in said and ledger.verify() == 0
    done = restore(backup, str(place), None, force=True)
    assert done.replaced == tmp_path / "ledger.replaced"
    with open_ledger(place) as ledger:
        assert ledger.verify() == 0


def test_a_backup_of_another_ledger_is_refused(tmp_path: Path, anchor: str) -> None:
    filled(str(tmp_path / "one"), anchor)
    filled(str(tmp_path / "two"), None)
    back_up(str(tmp_path / "two"), None, tmp_path / "backup")
    said = told(lambda: restore(tmp_path / "backup", str(tmp_path / "one"), anchor))
    assert f"Its anchor '{anchor}' knows another ledger." in said


def test_a_damaged_ledger_is_replaced_and_kept(tmp_path: Path, anchor: str) -> None:
    place = tmp_path / "ledger"
    filled(str(place), anchor)
    back_up(str(place), anchor, tmp_path / "backup")
    damage = b"not a database at all " * 500
    place.write_bytes(damage)
    place.with_name("ledger-wal").write_bytes(b"rest")
    done = restore(tmp_path / "backup", str(place), anchor)
    assert done.replaced is not None
    assert done.replaced.read_bytes() == damage
    assert not place.with_name("ledger-wal").exists()  # which would be taken for that of the new one
    with open_ledger(place, anchor) as ledger:
        assert (ledger.verify(), spent(ledger)) == (0, (Fraction(3, 2), 0))


def test_a_ledger_in_use_is_not_replaced(
    tmp_path: Path, anchor: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dpduck.kernel.ledger.backups.BUSY_SECONDS", 0.2)
    place = tmp_path / "ledger"
    filled(str(place), anchor)
    back_up(str(place), anchor, tmp_path / "backup")
    with open_ledger(place, anchor) as ledger:
        assert told(lambda: restore(tmp_path / "backup", str(place), anchor)).startswith("ledger is in use")
        ledger.charge(cost())
        assert ledger.verify() == 0
    assert not list(tmp_path.glob("*.replaced*")) and not list(tmp_path.glob("*.part*"))


def test_a_changed_backup_is_refused(tmp_path: Path, anchor: str) -> None:
    filled(str(tmp_path / "ledger"), anchor)
    back_up(str(tmp_path / "ledger"), anchor, tmp_path / "backup")
    db = sqlite3.connect(tmp_path / "backup")
    db.execute("UPDATE account SET epsilon_returned = 1")
    db.commit()
    db.close()
    for force in (False, True):
        said = told(lambda f=force: restore(tmp_path / "backup", str(tmp_path / "new"), anchor, force=f))
        assert said.startswith("ledger does not add up")
    assert told(lambda: restore(tmp_path / "none", str(tmp_path / "new"), anchor)).startswith(
        "there is no back"
    )


@pytest.mark.parametrize("version", NOT_REPRICED)
def test_a_backup_of_an_older_version_is_upgraded_on_the_way(version: int, tmp_path: Path) -> None:
    backup = made(tmp_path / "shop.ledger", version)
    before = backup.read_bytes()
    done = restore(backup, str(tmp_path / "new"), str(tmp_path / "shop.ledger.anchor"))
    assert backup.read_bytes() == before
    with open_ledger(tmp_path / "new", tmp_path / "shop.ledger.anchor") as ledger:
        assert (ledger.verify(), ledger.head()) == (NOT_REPRICED[version], done.head)
    assert not list(tmp_path.glob("*.part*"))


# --- move ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("keeps_anchor", [True, False])
def test_a_ledger_moves_and_is_closed_where_it_was(
    place: str, target: str, anchor: str, keeps_anchor: bool
) -> None:
    given = anchor if keeps_anchor else None
    filled(place, given)
    with open_ledger(place, given) as running:
        before = contents(running)
        head = move(place, given, target)
        closed = told(lambda: running.charge(cost()))
        assert "moved" in closed
        assert "moved" in told(lambda: running.set_cap(ANA, Cap(Fraction(1000))))
        assert "moved" in told(lambda: running.put_analyst("eve", "verifier"))
    said = told(lambda: open_ledger(place, given))
    assert said.startswith("ledger has moved: ")
    assert named(target) in said
    assert "secret" not in said and "owner" not in said
    with open_ledger(target, given) as ledger:
        assert ledger.head() == head
        assert [part for part in contents(ledger) if part not in before] == [ledger.policies()]
        assert ledger.policies()[-1].statement == f"ledger moved from {named(place)} to {named(target)}"
        ledger.charge(cost())
        assert ledger.verify() == 0


def test_a_copy_of_a_ledger_that_moved_is_behind_its_anchor(tmp_path: Path) -> None:
    place = tmp_path / "ledger"
    filled(str(place), None)
    back_up(str(place), None, tmp_path / "backup")
    move(str(place), None, str(tmp_path / "new"))
    assert told(lambda: restore(tmp_path / "backup", str(place), None)).startswith("backup may be older")
    place.write_bytes((tmp_path / "backup").read_bytes())
    assert told(lambda: open_ledger(place)).startswith("ledger is behind its anchor")


def test_nothing_is_overwritten_by_a_move(place: str, target: str, anchor: str) -> None:
    filled(place, anchor)
    filled(target, None)
    assert "It is not overwritten." in told(lambda: move(place, anchor, target))
    with open_ledger(place, anchor) as ledger:
        ledger.charge(cost())


def test_a_move_that_fails_leaves_the_ledger_open(place: str, anchor: str, tmp_path: Path) -> None:
    filled(place, anchor)

    def fail(*_: object, **__: object) -> None:
        raise LedgerError("no")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("dpduck.kernel.ledger.moves.verify", fail)
        assert told(lambda: move(place, anchor, str(tmp_path / "new"))).startswith("no")
    assert not list(tmp_path.glob("new*"))
    with open_ledger(place, anchor) as ledger:
        ledger.charge(cost())
        assert ledger.verify() == 0


def test_after_a_crash_between_the_commits_the_old_one_is_restored_by_force(
    tmp_path: Path, anchor: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tombstone is first, so that there are never two; and it hides nothing."""
    place = tmp_path / "ledger"
    filled(str(place), anchor)

    class Killed(BaseException):
        pass

    def kill(*_: object) -> None:
        raise Killed

    monkeypatch.setattr("dpduck.kernel.ledger.copies.sync", kill)
    with pytest.raises(Killed):
        move(str(place), anchor, str(tmp_path / "new"))
    monkeypatch.undo()
    assert not (tmp_path / "new").exists()
    assert told(lambda: open_ledger(place, anchor)).startswith("ledger has moved")
    assert told(lambda: restore(place, str(tmp_path / "new"), anchor)).startswith("ledger has moved")
    restore(place, str(tmp_path / "new"), anchor, force=True)
    with open_ledger(tmp_path / "new", anchor) as ledger:
        assert (spent(ledger), ledger.verify()) == ((Fraction(3, 2), 0), 0)
        assert "forced" in ledger.policies()[-1].statement


def test_many_rows_and_none(tmp_path: Path, anchor: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """More than are copied at a time, and an empty ledger."""
    monkeypatch.setattr("dpduck.kernel.ledger.copies._BATCH", 7)
    many = tmp_path / "many"
    with open_ledger(many) as ledger:
        for _ in range(21):
            ledger.charge(cost("0.001"))
        before = ledger.head()
    move(str(many), None, str(tmp_path / "moved"))
    with open_ledger(tmp_path / "moved") as ledger:
        assert (ledger.head().number, len(ledger.entries())) == (before.number + 1, 21)
    with open_ledger(tmp_path / "none", anchor) as ledger:
        ledger_id = json.loads(Path(anchor).read_text())["ledger"]
    move(str(tmp_path / "none"), anchor, str(tmp_path / "still"))
    with open_ledger(tmp_path / "still", anchor) as ledger:
        assert (ledger.head().number, ledger.verify()) == (1, 0)
    assert json.loads(Path(anchor).read_text())["ledger"] == ledger_id
