"""A whole query as one more mechanism: a median on a grid so large that its rows are read in two passes.

A draw is planned, read and released as for an analyst. What was read is remembered, since it is the same each
time (`dpduck.doors.audit.drawing`).
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb

from dpduck.doors.audit.bounds import Tally
from dpduck.doors.audit.doors import Place
from dpduck.doors.audit.drawing import drawing
from dpduck.doors.connection import connect
from dpduck.kernel.accounting.events import Event, PermuteAndFlip
from dpduck.kernel.noise import Entropy

POINTS = 1 << 40
# One unit has a seventeenth of the points below it; the other, at their start, draws the answer there.
FAR_VALUES = (POINTS // 17,), (0, POINTS // 17)
QUERY = "SELECT median(v) FROM people"
POLICIES = (
    "ALTER TABLE people ADD PRIVACY_KEY (id)",
    f"ALTER TABLE people ALTER COLUMN v SET PRIVACY DOMAIN BETWEEN (0, {POINTS - 1})",
    "CREATE PRIVACY BUDGET everyone LIMIT 1000000",
)
_PARTS = 17  # of the grid, as which an answer is seen


def two_passes(values: tuple[int, ...], times: int, entropy: Entropy) -> tuple[Tally, Event]:  # noqa: ARG001
    """Draw. Input: the value of each unit. The noise of a query is the system's, as that of all draws."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "people.duckdb"
        _make(file, values)
        with drawing(Place(file, epsilon=Fraction(1))) as drawer:
            claim = drawer.claim(QUERY)
            assert claim is not None
            seen = Counter(_part(drawer.release(QUERY)) for _ in range(times))
            return seen, PermuteAndFlip(claim[0])


def _part(rows: Any) -> int:
    """Of an answer, which is a text here."""
    [[value]] = rows
    return int(str(value).strip("'")) * _PARTS // POINTS


def _make(file: Path, values: tuple[int, ...]) -> None:
    with duckdb.connect(str(file)) as connection:
        connection.execute("CREATE TABLE people (id INTEGER, v BIGINT)")
        for unit, value in enumerate(values):
            connection.execute("INSERT INTO people VALUES (?, ?)", [unit, value])
    with connect(file, ledger=file.with_name("owner.ledger")) as owner:
        for policy in POLICIES:
            owner.execute(policy)
