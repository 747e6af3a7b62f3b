"""One question at each door of a database file: the Python connection, the command line, the gateway."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

import dpduck
from dpduck.doors.cli import main
from dpduck.kernel.errors import DpduckError
from tests.gateway import wiring as w
from tests.gateway.talking import House

EPSILON = "0.5"


@dataclass(frozen=True)
class Said:
    """How many rows came, or the message of the error; and how many charges the ledger holds after it."""

    rows: int
    error: str
    charges: int


Door = Callable[[Path, str], Said]


def python(file: Path, sql: str) -> Said:
    with dpduck.connect(str(file), analyst="ana", epsilon=EPSILON) as db:
        rows, error = 0, ""
        try:
            rows = len(db.execute(sql).fetchall())
        except DpduckError as refused:
            error = refused.message
        return Said(rows, error, db.ledger().num_rows)


def command(file: Path, sql: str) -> Said:
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = main(["query", str(file), "--analyst", "ana", "--epsilon", EPSILON, "--format", "json", sql])
    rows = 0 if code else len(json.loads(out.getvalue()))
    error = err.getvalue().partition("\n")[0] if code else ""
    with dpduck.connect(str(file), analyst="ana") as db:
        return Said(rows, error, db.ledger().num_rows)


def gateway(file: Path, sql: str) -> Said:
    house = House(file)
    try:
        talk = house.talk(EPSILON)
        replies = talk.ask(sql)
        error = w.error_of(replies).get("M", "") if "E" in w.kinds(replies) else ""
        return Said(len(w.rows_of(replies)), error, talk.charges)
    finally:
        house.close()


DOORS: dict[str, Door] = {"python": python, "command": command, "gateway": gateway}
