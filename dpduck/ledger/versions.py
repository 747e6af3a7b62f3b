"""Which versions of the ledger there are, and what an upgrade says of itself.

Version 3 added the entries about policies, version 4 the events.
"""

from __future__ import annotations

import re

VERSION = 4
OLDER = (2, 3)  # which can be upgraded

RECORDS_ANALYSTS = 3  # the first version that does
RECORDS_EVENTS = 4

_UPGRADED = re.compile(r"ledger upgraded from version ([0-9]{1,9}) to version ([0-9]{1,9})", re.ASCII)


def upgrade_text(version: int) -> str:
    """What the record says of an upgrade from a version to this one."""
    return f"ledger upgraded from version {version} to version {VERSION}"


def is_upgrade_to(version: int, statement: str) -> bool:
    """Whether that version came with an upgrade, by what the record says of it.

    >>> [is_upgrade_to(4, f"ledger upgraded from version {n} to version {n + 1}") for n in (2, 3, 4)]
    [False, True, False]
    """
    found = _UPGRADED.fullmatch(statement)
    return found is not None and int(found[1]) < version <= int(found[2])
