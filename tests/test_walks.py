"""The walks of docs/contributing/walks.md: which rooms Python enters, in the order of the first call."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from types import FrameType

import duckdb
import pytest

import dpduck
from dpduck.audit.doors import ANALYST, Place
from dpduck.audit.gateway import GatewayDoor, GatewayTalk, _message, _text
from dpduck.ledger import open_ledger
from dpduck.ledger.session import Session

PACKAGE = Path(dpduck.__file__).parent
DOCUMENT = Path(__file__).parents[1] / "docs" / "contributing" / "walks.md"
EPSILON = Fraction(5, 16)
TOP = "SELECT page, count(*) AS n FROM visits GROUP BY page ORDER BY n DESC LIMIT {}"

Sees = Callable[[FrameType], bool]


@contextmanager
def walk(*, within: str | None = None, sees: Sees = lambda _: True) -> Iterator[list[str]]:
    """Which rooms are entered. Input: `within`: only below calls of that name; `sees`: of which frames."""
    rooms: list[str] = []
    depth = 0

    def note(frame: FrameType, event: str, _: object) -> None:
        nonlocal depth
        code = frame.f_code
        if event not in ("call", "return") or not code.co_filename.startswith(f"{PACKAGE}/"):
            return
        depth += (code.co_qualname == within) * (1 if event == "call" else -1)
        room = Path(code.co_filename).relative_to(PACKAGE).parts[0].removesuffix(".py")
        if event == "call" and (depth or within is None) and room not in rooms and sees(frame):
            rooms.append(room)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield rooms
    finally:
        sys.setprofile(before)


def carries_epsilon(frame: FrameType) -> bool:
    return any(_is_epsilon(value, 2) for value in frame.f_locals.values())


def _is_epsilon(value: object, depth: int) -> bool:
    if isinstance(value, Fraction | str):
        return value in (EPSILON, "0.3125")
    if not depth or not type(value).__module__.startswith("dpduck"):
        return False
    return any(_is_epsilon(part, depth - 1) for part in list(getattr(value, "__dict__", {}).values()))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "visits.duckdb"
    with duckdb.connect(path) as connection:
        connection.execute("CREATE TABLE visits AS SELECT i AS person, i % 7 AS page FROM range(2000) t(i)")
    with dpduck.connect(path) as owner:
        owner.execute("ALTER TABLE visits ADD PRIVACY_KEY (person)")
    return path


@pytest.fixture
def db(file: Path) -> Iterator[dpduck.Connection]:
    with dpduck.connect(file, epsilon="0.5", delta="1e-6") as owner:
        owner.execute("SELECT count(*) FROM visits")  # what is read once and kept, is
        yield owner


def written() -> dict[str, list[str]]:
    rows = re.findall(r"^\| (an? [^|]+) \| \d+ \| \d+ \| ([^|]+) \|$", DOCUMENT.read_text(), re.MULTILINE)
    return {name: rooms.split(", ") for name, rooms in rows}


def test_an_sql_text(db: dpduck.Connection) -> None:
    with walk(within="Preparation.order") as rooms:
        db.execute(TOP.format(3))
    assert rooms == written()["an SQL text, until its plan is ready"]


def test_an_epsilon(db: dpduck.Connection) -> None:
    with walk(sees=carries_epsilon) as rooms:
        db.execute("SET dp_epsilon = 0.3125")
        db.execute(TOP.format(2))
    assert rooms == written()["an epsilon, from `SET` to the ledger"]


def test_a_charge(db: dpduck.Connection) -> None:
    with walk(within="Session.charge") as rooms:
        db.execute("SELECT count(*) FROM visits WHERE page < 4")
    assert rooms == written()["a charge, until it is on disk"]


def test_a_wire_message(file: Path) -> None:
    with GatewayDoor().open(Place(file)) as talk, open_ledger(None) as ledger:
        assert isinstance(talk, GatewayTalk)
        talk.ask("SELECT count(*) FROM visits")
        talk._service.session = Session(ledger, "walk", ANALYST)
        message = _message("Q", _text("SELECT count(*) FROM visits WHERE page < 3"))
        with walk() as rooms:
            list(talk._conversation.work(message))
    assert [room for room in rooms if room != "audit"] == written()[
        "a wire message, until its reply is bytes"
    ]


def test_the_document_counts_its_rooms() -> None:
    rows = re.findall(r"\| \d+ \| (\d+) \| ([^|]+) \|$", DOCUMENT.read_text(), re.MULTILINE)
    assert len(rows) == len(written()) == 4
    assert all(int(count) == len(rooms.split(", ")) for count, rooms in rows)
