"""Upgrade a ledger of an older version: the part that does not depend on the store.

An upgrade is one transaction. It first verifies the whole ledger, so that no inconsistency is carried over,
and ends with an entry that records the upgrade; all earlier entries keep their hashes, so an anchor stays
valid. A version that records more adds its step to `_STEPS`.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable

from dpduck.kernel.accounting.composition import Cost
from dpduck.kernel.ledger.analysts import facts_of, read_analysts
from dpduck.kernel.ledger.fixed_point import charge_amount, cost_units
from dpduck.kernel.ledger.policies import add_to_ledger
from dpduck.kernel.ledger.transactions import Transaction
from dpduck.kernel.ledger.verify import verify
from dpduck.kernel.ledger.versions import RECORDS_ANALYSTS, VERSION, upgrade_text

_Exists = Callable[[Transaction, str], bool]


def find_before(db: Transaction, version: int, exists: _Exists) -> str | None:
    """The fault of a ledger of an older version, None if there is none."""
    analysts = read_analysts(db, exists=exists) if version >= RECORDS_ANALYSTS else None
    return verify(db, analysts, version).fault


def upgrade(db: Transaction, version: int, exists: _Exists) -> None:
    """Upgrade the record from an older version, after its tables were upgraded."""
    for number in range(version, VERSION):
        _STEPS.get(number, _no_step)(db)
    add_to_ledger(db, upgrade_text(version), facts_of(read_analysts(db, exists=exists)))


def _no_step(_: Transaction) -> None:
    """Only the tables changed."""


def _add_mu_squared(db: Transaction) -> None:
    """Add up what the charges of version 4 cost in mu^2, by the accounts as they are spelled there."""
    spent: dict[tuple[str, str, str], Cost] = defaultdict(Cost)
    for epsilon, delta, rho, accounts in db.run(_CHARGES):
        for scope, name, period in json.loads(accounts):
            spent[scope, name, period] += charge_amount(epsilon, delta, rho, None, None)
    for (scope, name, period), cost in spent.items():
        db.run(_SPENT, {"scope": scope, "name": name, "period": period, **_new_units(cost)})


def _new_units(cost: Cost) -> dict[str, int]:
    units = cost_units(cost)
    return {name: units[name] for name in ("mu_squared", "keys_delta")}


_CHARGES = "SELECT epsilon, delta, rho, accounts FROM entry WHERE kind = 'charge' ORDER BY number"
_SPENT = """
    UPDATE account SET mu_squared_spent = :mu_squared, keys_delta_spent = :keys_delta
    WHERE scope = :scope AND name = :name AND period = :period
"""

# By version: what turns its record into that of the next one.
_STEPS: dict[int, Callable[[Transaction], None]] = {4: _add_mu_squared}
