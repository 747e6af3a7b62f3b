"""The hash chain: every entry seals all entries before it.

An entry cannot be changed or removed without changing every later hash. If the last hash is also kept
elsewhere (see `anchor`), replacing or truncating the whole chain is detected too.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, fields
from typing import Literal

from dpduck.kernel.catalog.model import fold
from dpduck.kernel.ledger.versions import RECORDS_EVENTS, RECORDS_MU_SQUARED

Kind = Literal["charge", "settle", "cap", "policy"]


@dataclass(frozen=True)
class ChainEntry:
    """One entry as it is stored, its fields in the order in which they are sealed.

    `number`: 1, 2, 3, ... over all kinds; `seq`: the same over charges alone, else None. `at`: microseconds
    since 1970, UTC. Costs are integers of the smallest unit. `accounts`: JSON, a list of [scope, name,
    period]. `about`: of a settlement, the charge that is settled; of a replay, the charge whose answer is
    replayed; of a policy, the previous entry about the same policy. `detail`: depends on the kind. `event`:
    JSON of `write_event`: what was released, or of a settlement what was used; None if nothing was, and
    before version 4. `mu_squared`, `keys_delta`: None before version 5.
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
    mu_squared: int | None = None
    keys_delta: int | None = None

    def seal(self, before: str) -> str:
        """The hash of this entry and all before it. Input: the hash of the previous entry.

        An entry of an older version is sealed as it was, so that its hash stays valid.
        """
        values = [getattr(self, name) for name in FIELDS_BEFORE_EVENTS]
        if self.mu_squared is not None:
            values += [self.event, self.mu_squared, self.keys_delta]
        elif self.event is not None:
            values.append(self.event)
        return digest(before + json.dumps(values, separators=(",", ":")))


FIELDS = tuple(field.name for field in fields(ChainEntry))
FIELDS_BEFORE_MU_SQUARED = tuple(name for name in FIELDS if name not in ("mu_squared", "keys_delta"))
FIELDS_BEFORE_EVENTS = tuple(name for name in FIELDS_BEFORE_MU_SQUARED if name != "event")


def fields_of(version: int) -> tuple[str, ...]:
    """The fields that an entry has in the tables of a version."""
    if version >= RECORDS_MU_SQUARED:
        return FIELDS
    return FIELDS_BEFORE_MU_SQUARED if version >= RECORDS_EVENTS else FIELDS_BEFORE_EVENTS


@dataclass(frozen=True)
class Head:
    """The end of a chain. Of an empty chain, the hash is the digest of the ledger's random name."""

    number: int
    hash: str
    at: int = 0
    seq: int = 0


def digest(text: str) -> str:
    """SHA-256 as hexadecimal digits."""
    return hashlib.sha256(text.encode()).hexdigest()


def start_of(ledger_id: str) -> Head:
    """The head of an empty chain.

    >>> start_of("f00d").number, start_of("f00d").hash[:8]
    (0, '0f8721b0')
    """
    return Head(0, digest(ledger_id))


def account_list(accounts: list[tuple[str, str, str]]) -> str:
    """Accounts and their periods as JSON, as they are stored."""
    return json.dumps(accounts, separators=(",", ":"))


def accounts_in(text: str) -> list[tuple[str, str, str]]:
    """The accounts and periods that an entry names, with names folded so that spellings compare equal.

    >>> accounts_in('[["people","People.Id",""]]')
    [('people', 'people.id', '')]
    """
    return [(scope, fold(name), period) for scope, name, period in json.loads(text)]
