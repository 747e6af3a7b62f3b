"""The versions of the ledger, and the statement that records an upgrade.

Version 3 added the entries about policies, version 4 the events. Version 5 adds mu^2 and the delta of keys to
what is charged, the parameter `groups` of events, and so a smaller rho, and terms of caps.
"""

from __future__ import annotations

import re

VERSION = 5
OLDER = (2, 3, 4)  # versions that can be upgraded
MOVED = 0  # what stands in place of the version where a ledger was; no release charges such a one

RECORDS_ANALYSTS = 3  # the first version that records them
RECORDS_EVENTS = 4
RECORDS_MU_SQUARED = 5

_UPGRADED = re.compile(r"ledger upgraded from version ([0-9]{1,9}) to version ([0-9]{1,9})", re.ASCII)


def upgrade_text(version: int) -> str:
    """The statement that records an upgrade from a version to this one."""
    return f"ledger upgraded from version {version} to version {VERSION}"


def is_upgrade_to(version: int, statement: str) -> bool:
    """Whether a recorded statement is an upgrade that introduced that version.

    >>> [is_upgrade_to(4, f"ledger upgraded from version {n} to version {n + 1}") for n in (2, 3, 4)]
    [False, True, False]
    """
    found = _UPGRADED.fullmatch(statement)
    return found is not None and int(found[1]) < version <= int(found[2])
