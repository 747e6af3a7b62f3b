"""Backups of a ledger, taken while it is charged, and restored.

A backup is taken in one snapshot, verified before it gets its name, and is itself a ledger in one file. To
restore an old one would give back what was spent since, so that is refused unless the backup has the entry
that the anchor knows, or the owner forces it, which is on record.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from dpduck.kernel.errors import LedgerError
from dpduck.kernel.ledger import open_ledger
from dpduck.kernel.ledger.anchor import Anchor, Mark
from dpduck.kernel.ledger.chain import Head
from dpduck.kernel.ledger.copies import (
    anchor_of,
    anchored,
    check_free,
    copy_file,
    fill,
    new_file,
    noted,
    scratch,
)
from dpduck.kernel.ledger.glance import version_of
from dpduck.kernel.ledger.moves import dig_out
from dpduck.kernel.ledger.places import shown
from dpduck.kernel.ledger.sqlite import BUSY_SECONDS, SqliteLedger
from dpduck.kernel.ledger.sqlite_upgrade import alone
from dpduck.kernel.ledger.transactions import Transaction, read_hash, read_head
from dpduck.kernel.ledger.versions import MOVED


def back_up(location: str, anchor: str | None, out: Path) -> Head:
    """Copy a ledger to a new file of mode 0600, while others charge it. Output: the end of the copy.

    Errors: LedgerError if the file exists or cannot be written, or the ledger is not whole: then there is
        no file.
    """
    with open_ledger(location, anchor) as ledger, new_file(out) as part:
        if isinstance(ledger, SqliteLedger):
            copy_file(Path(location), part)
        else:
            with SqliteLedger(part) as copy:
                fill(ledger, copy)
        with SqliteLedger(part) as copy:
            copy.verify()
            return copy.head()


@dataclass(frozen=True)
class Restored:
    """The end of a restored ledger, with the entry of that; `replaced`: where the one before it is kept."""

    head: Head
    replaced: Path | None = None


def restore(backup: Path, location: str, anchor: str | None, *, force: bool = False) -> Restored:
    """Put a backup in the place of a ledger, after verifying it.

    Input: `force`: also if its anchor does not agree, or there is none; that is on record then.
    Errors: LedgerError, with the present ledger as it was.
    """
    if not backup.is_file():
        raise LedgerError(f"there is no backup at {shown(backup)}", hint="Give the path of a file.")
    shared, replaced = "://" in location, None
    place = Path(location).absolute()
    if shared:
        check_free(location)
    with scratch(backup if shared else place) as part:
        copy_file(backup, part)
        mark, agreed = _prepare(part, anchor_of(location, anchor), force)
        if shared:
            with SqliteLedger(part) as copy, open_ledger(location) as ledger:
                fill(copy, ledger)
        else:
            replaced = _put_in_place(part, place)
    return Restored(anchored(location, anchor, mark, replaces=not agreed), replaced)


def _prepare(part: Path, anchor: Anchor | None, force: bool) -> tuple[Mark, bool]:
    """Verify the copy of a backup, and record in it that it is restored.

    Output: its end, and whether the anchor agrees that nothing was charged after it.
    """
    buried = version_of(part) == MOVED
    if buried and force:
        dig_out(part)
    with SqliteLedger(part) as copy:
        copy.verify()
        doubt = "It has moved since." if buried else copy._read(lambda db: _doubt(db, anchor))
        if doubt is not None and not force:
            raise LedgerError(
                "backup may be older than what was spent",
                detail=f"{doubt} What was charged after it would be forgotten, and could be spent again.",
                hint="Restore a newer one, or say --force: then that is on record.",
            )
        head = copy.head()
        how = "" if doubt is None else ", forced: its anchor did not agree"
        statement = f"ledger restored from a backup that ends with entry {head.number}{how}"
        return copy._write(lambda db: noted(copy, db, statement)), doubt is None


def _doubt(db: Transaction, anchor: Anchor | None) -> str | None:
    """Why a backup may lack charges; None if the anchor knows no entry that it lacks."""
    if anchor is None:
        return "There is no anchor that knows better."
    mark = anchor.read()
    if mark is None:
        return f"There is nothing at its anchor {anchor.where}."
    if mark.ledger != db.ledger_id:
        return f"Its anchor {anchor.where} knows another ledger."
    head = read_head(db)
    if mark.number <= head.number and (not mark.number or read_hash(db, mark.number) == mark.hash):
        return None
    return f"It has {head.number} entries, and its anchor {anchor.where} knows {mark.number}."


def _put_in_place(part: Path, place: Path) -> Path | None:
    """Put a file in the place of a ledger that nobody has open. Output: where that ledger is kept."""
    if not place.exists():
        part.rename(place)
        return None
    try:
        db = alone(place, BUSY_SECONDS)
    except sqlite3.Error:  # it is damaged, and so is what SQLite keeps beside it
        return _exchange(part, place)
    if db is None:
        raise LedgerError(
            "ledger is in use",
            detail="Another process has it open.",
            hint="End the processes that use the ledger given by --ledger, then try again.",
        )
    with closing(db):
        db.execute("PRAGMA journal_mode = DELETE")  # so that nothing of it stays beside the new one
        return _exchange(part, place)


def _exchange(part: Path, place: Path) -> Path:
    """Replace a file in one step, so that at no moment there is none, which would be begun anew."""
    number, kept = 1, place.with_name(f"{place.name}.replaced")
    while kept.exists():
        number += 1
        kept = place.with_name(f"{place.name}.replaced.{number}")
    os.link(place, kept)
    for more in ("-wal", "-shm"):
        with suppress(FileNotFoundError):
            place.with_name(place.name + more).rename(kept.with_name(kept.name + more))
    part.replace(place)
    return kept
