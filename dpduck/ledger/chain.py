"""The hash chain: every entry seals all that came before it.

Nobody can change an entry, or take one out, without changing every later hash; and whoever writes down
the last hash elsewhere (see `anchor`) can tell that the whole chain was exchanged or cut.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, fields
from typing import Literal

from dpduck.catalog.model import fold

Kind = Literal["charge", "settle", "cap", "policy"]


@dataclass(frozen=True)
class ChainEntry:
    """One entry as it is stored, its fields in the order in which they are sealed.

    `number`: 1, 2, 3, ... for all kinds; `seq`: the same for charges alone, else None. `at`: microseconds
    since 1970, UTC. Costs are whole units. `accounts`: JSON, a list of [scope, name, period]. `about`: the
    number of the charge that is settled, or whose answer is replayed; of a policy, the number of the entry
    before it about the same one. `detail`: what else there is. `event`: as `write_event` has it, what was
    released, or of a settlement what of that was used; None where nothing was, and before version 4.
    """

    number: int
    kind: Kind
    seq: int | None
    at: int
    session: str
    analyst: str | None
    mechanism: str
    query: str
    evaluations: int
    epsilon: int
    delta: int
    rho: int
    accounts: str
    about: int | None
    detail: str
    event: str | None = None

    def seal(self, before: str) -> str:
        """The hash of this entry and of all before it. Input: the hash of the entry before.

        One without an event is sealed as before there were any, so that older hashes stay true.
        """
        values = [getattr(self, name) for name in FIELDS_OF_OLD]
        if self.event is not None:
            values.append(self.event)
        return digest(before + json.dumps(values, separators=(",", ":")))


FIELDS = tuple(field.name for field in fields(ChainEntry))
FIELDS_OF_OLD = tuple(name for name in FIELDS if name != "event")


@dataclass(frozen=True)
class Head:
    """Where a chain ends. Of an empty chain, the hash is the digest of the ledger's own name."""

    number: int
    hash: str
    at: int = 0
    seq: int = 0


def digest(text: str) -> str:
    """SHA-256 as hexadecimal digits."""
    return hashlib.sha256(text.encode()).hexdigest()


def start_of(ledger_id: str) -> Head:
    """The head of a chain without entries.

    >>> start_of("f00d").number, start_of("f00d").hash[:8]
    (0, '0f8721b0')
    """
    return Head(0, digest(ledger_id))


def account_list(accounts: list[tuple[str, str, str]]) -> str:
    """Accounts and their periods as they are stored."""
    return json.dumps(accounts, separators=(",", ":"))


def accounts_in(text: str) -> list[tuple[str, str, str]]:
    """The accounts and their periods that an entry names: those that spellings of a name have in common.

    >>> accounts_in('[["people","People.Id",""]]')
    [('people', 'people.id', '')]
    """
    return [(scope, fold(name), period) for scope, name, period in json.loads(text)]
