"""Moving a ledger to another place or store, with a tombstone where it was.

The tombstone is a version that no dpduck charges, a trigger that stops processes which have the file open,
and an anchor that is ahead of it. It is laid in the transaction that reads the rows, so that nothing is
charged in between; the new ledger is verified first, and opens after it: at no moment two can be charged.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from dpduck.kernel.ledger import check_place, open_ledger
from dpduck.kernel.ledger.analysts import read_analysts
from dpduck.kernel.ledger.anchor import Mark
from dpduck.kernel.ledger.chain import Head
from dpduck.kernel.ledger.copies import anchor_of, anchored, check_free, copy_rows, named, new_file, noted
from dpduck.kernel.ledger.errors import damage_fault
from dpduck.kernel.ledger.sqlite import SqliteLedger
from dpduck.kernel.ledger.store import Ledger
from dpduck.kernel.ledger.transactions import Transaction
from dpduck.kernel.ledger.verify import verify
from dpduck.kernel.ledger.versions import MOVED, VERSION

_BURY = (
    "CREATE TABLE moved (place TEXT NOT NULL)",
    "INSERT INTO moved (place) VALUES (:place)",
    f"UPDATE ledger_schema SET version = {MOVED}",
    # For processes of any version that have the file open, and look at its version no more.
    "CREATE TRIGGER entry_moved BEFORE INSERT ON entry "
    "BEGIN SELECT RAISE(ABORT, 'the ledger has moved'); END",
)
_BURY_SHARED = (
    *_BURY[:3],
    "GRANT SELECT ON moved TO PUBLIC",
)  # there, every transaction looks at the version


def move(location: str, anchor: str | None, target: str) -> Head:
    """Move a ledger to another place or store, and leave a tombstone. Output: its end.

    Input: the anchor as it was given; without it, each place has its own.
    Errors: LedgerError. If the process ends between the two commits, the old ledger is closed, and whole:
        then it can be restored from its file, by force.
    """
    check_place(target)
    with open_ledger(location, anchor) as source:
        if "://" in target:
            check_free(target)
            with open_ledger(target) as ledger:
                mark = _hand_over(source, ledger, named(location), named(target))
        else:
            with new_file(Path(target)) as part, SqliteLedger(part) as ledger:
                mark = _hand_over(source, ledger, named(location), named(target))
    head = anchored(target, anchor, mark)
    before = anchor_of(location, anchor)
    if before is not None and anchor is None:
        before.replace(mark)  # so that no copy of the old ledger agrees with its anchor
    return head


def _hand_over(source: Ledger, target: Ledger, before: str, after: str) -> Mark:
    """Copy a ledger while nobody charges it, and close it in the same transaction."""

    def close(old: Transaction, new: Transaction) -> Mark:
        copy_rows(source, old, new)
        mark = noted(target, new, f"ledger moved from {before} to {after}")
        fault = verify(new, read_analysts(new, exists=target._has_table), exists=target._has_table).fault
        if fault is not None:
            raise damage_fault(fault)
        for statement in _BURY if isinstance(source, SqliteLedger) else _BURY_SHARED:
            old.run(statement, {"place": after} if ":place" in statement else {})
        return mark

    return target._write(lambda new: source._write(lambda old: close(old, new)))


def dig_out(part: Path) -> None:
    """Remove the tombstone from a copy."""
    with closing(sqlite3.connect(part, isolation_level=None)) as db:
        for statement in (
            "BEGIN",
            "DROP TRIGGER entry_moved",
            "DROP TABLE moved",
            f"UPDATE ledger_schema SET version = {VERSION}",
            "COMMIT",
        ):
            db.execute(statement)
