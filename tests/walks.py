"""Makes the walks of docs/contributing/walks.md, and prints them as JSON. See `test_walks`."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from types import FrameType

import duckdb

import dpduck
from dpduck.doors.audit.doors import ANALYST, Place
from dpduck.doors.audit.gateway import GatewayDoor, GatewayTalk, _message, _text
from dpduck.kernel.ledger import open_ledger
from dpduck.kernel.ledger.session import Session

PACKAGE = Path(dpduck.__file__).parent
EPSILON = Fraction(5, 16)

Sees = Callable[[FrameType], bool]


def room_of(file: Path) -> str:
    """The floor of a file, and its room where the floor is large."""
    floor, *rooms = file.parts
    return (rooms[0] if floor in ("kernel", "doors") else floor).removesuffix(".py")


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
        room = room_of(Path(code.co_filename).relative_to(PACKAGE))
        if event == "call" and (depth or within is None) and room not in rooms and sees(frame):
            rooms.append(room)

    sys.setprofile(note)
    try:
        yield rooms
    finally:
        sys.setprofile(None)


def carries_epsilon(frame: FrameType) -> bool:
    return any(_is_epsilon(value, 2) for value in frame.f_locals.values())


def _is_epsilon(value: object, depth: int) -> bool:
    if isinstance(value, Fraction | str):
        return value in (EPSILON, "0.3125")
    if not depth or not type(value).__module__.startswith("dpduck"):
        return False
    return any(_is_epsilon(part, depth - 1) for part in list(getattr(value, "__dict__", {}).values()))


def main(file: Path) -> dict[str, list[str]]:
    with duckdb.connect(file) as connection:
        connection.execute("CREATE TABLE visits AS SELECT i AS person, i % 7 AS page FROM range(2000) t(i)")
    with dpduck.connect(file, epsilon="0.5", delta="1e-6") as db:
        db.execute("ALTER TABLE visits ADD PRIVACY_KEY (person)")
        db.execute("SELECT count(*) FROM visits")  # what is read once and kept, is
        with walk(within="Preparation.request") as text:
            db.execute("SELECT page, count(*) AS n FROM visits GROUP BY page ORDER BY n DESC LIMIT 3")
        with walk(sees=carries_epsilon) as epsilon:
            db.execute("SET dp_epsilon = 0.3125")
            db.execute("SELECT count(*) FROM visits WHERE page < 5")
        with walk(within="Session.charge") as charge:
            db.execute("SELECT count(*) FROM visits WHERE page < 4")
    return {
        "an SQL text, until its plan is ready": text,
        "an epsilon, from `SET` to its receipt": epsilon,
        "a charge, until it is on disk": charge,
        "a wire message, until its reply is bytes": wire_message(file),
    }


def wire_message(file: Path) -> list[str]:
    with GatewayDoor().open(Place(file)) as talk, open_ledger(None) as ledger:
        assert isinstance(talk, GatewayTalk)
        talk.ask("SELECT count(*) FROM visits")
        talk._service.session = Session(ledger, "walk", ANALYST)
        with walk() as rooms:
            list(talk._conversation.work(_message("Q", _text("SELECT count(*) FROM visits WHERE page < 3"))))
    rooms.remove("audit")  # whose door this is
    return rooms


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]))))
