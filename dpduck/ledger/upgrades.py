"""From a ledger of an older version to one of this: what every store does, whatever its tables need.

An upgrade is one transaction. It begins by verifying the whole ledger as it is, so that nothing is carried
over that does not add up, and ends with an entry that says so; all entries before that keep their hashes,
hence an anchor stays true. A version that records more adds its step to `_STEPS`.
"""

from __future__ import annotations

from collections.abc import Callable

from dpduck.ledger.analysts import facts_of, read_analysts
from dpduck.ledger.policies import add_to_ledger
from dpduck.ledger.transactions import Transaction
from dpduck.ledger.verify import verify
from dpduck.ledger.versions import RECORDS_ANALYSTS, VERSION, upgrade_text

_Exists = Callable[[Transaction, str], bool]


def find_before(db: Transaction, version: int, exists: _Exists) -> str | None:
    """What is wrong with the entries of a ledger of an older version, None if nothing is."""
    analysts = read_analysts(db, exists=exists) if version >= RECORDS_ANALYSTS else None
    return verify(db, analysts, version).fault


def upgrade(db: Transaction, version: int, exists: _Exists) -> None:
    """Bring the record from an older version to this one, once its tables are those of this one."""
    for number in range(version, VERSION):
        _STEPS.get(number, _no_step)(db)
    add_to_ledger(db, upgrade_text(version), facts_of(read_analysts(db, exists=exists)))


def _no_step(_: Transaction) -> None:
    """Nothing but the tables has changed."""


# What a version needs to become the next one.
_STEPS: dict[int, Callable[[Transaction], None]] = {}
