"""What tests ask of a connection, and what they are told."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path

import duckdb
import pytest

import dpduck
from dpduck.kernel.errors import DpduckError


def rows(db: dpduck.Connection, sql: str) -> list[tuple[object, ...]]:
    return db.execute(sql).fetchall()


def plain(file: Path, sql: str) -> list[tuple[object, ...]]:
    """What plain DuckDB answers, on a file that nobody else has open."""
    with duckdb.connect(str(file), read_only=True) as con:
        return con.execute(sql).fetchall()


def told(db: dpduck.Connection) -> str:
    """The notices of the last statement."""
    return " ".join(map(str, db.notices))


def refusal(db: dpduck.Connection, sql: str) -> DpduckError:
    """The error of a statement that is refused, with nothing charged."""
    before = spent(db)
    with pytest.raises(DpduckError) as caught:
        db.execute(sql)
    assert caught.value.charged == "0", str(caught.value)
    assert spent(db) == before
    return caught.value


def spent(db: dpduck.Connection, scope: str = "people") -> Decimal:
    """What all accounts of a kind have spent."""
    return sum((row[3] for row in rows(db, "FROM dp_budget()") if row[0] == scope), Decimal(0))


def ledger(db: dpduck.Connection) -> Sequence[tuple[object, ...]]:
    """Mechanism, epsilon, whether it repeats an earlier charge, and text of each charge."""
    return [(row[6], row[4], row[9], row[7]) for row in rows(db, "FROM dp_ledger()")]
