"""The pipeline of a private query: charge, then read the scores, then let mechanisms answer."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from dpduck.errors import ExecutionError, decimal_text
from dpduck.ledger import Account
from dpduck.noise import Entropy
from dpduck.query.plan import Plan
from dpduck.query.price import event_of
from dpduck.release import Read, Release, release
from dpduck.session import Session


def answer(
    plan: Plan, text: str, session: Session, accounts: Sequence[Account], read: Read, entropy: Entropy
) -> Release:
    """Answer a plan.

    Input: the SQL text for the ledger; `accounts`: whom it is charged to besides the session; `read` runs
        score SQL and returns its rows.
    Errors: BudgetExceededError or LedgerError, before anything is read or drawn; after that only
        ExecutionError, of constant text.
    """
    event = event_of(plan)
    session.charge(event, text, also=accounts)
    # ============ the data line: private rows are read below ============
    made = None
    with suppress(Exception):  # whatever its text says could quote a private value
        made = release(plan, read, entropy)
    if made is None or made.event != event:
        raise ExecutionError(charged=decimal_text(event.epsilon))
    return made
