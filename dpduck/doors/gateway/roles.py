"""What each role may do over the wire. docs/GATEWAY.md has the table, and a test has it once more.

An analyst asks, and sees what concerns the analyst. An auditor sees the policies and the whole ledger, and
is given no answer about private rows, new or repeated: the session refuses before anything is charged or
looked up. An owner asks as an analyst does, charged in the owner's name, sees what an auditor sees, and has
the server read its data and certificate again. Nobody changes policies, budgets or logins over the wire: that
is done where the data are.
"""

from __future__ import annotations

from dpduck.kernel.errors import PermissionDeniedError
from dpduck.kernel.ledger import Ledger, Role
from dpduck.kernel.ledger.session import Session, new_session_name


def session_of(role: Role, ledger: Ledger, name: str) -> Session:
    """A new session of somebody who has logged in."""
    oversees, asks = role is not Role.ANALYST, role is not Role.AUDITOR
    return Session(ledger, new_session_name(), name, oversees=oversees, asks=asks)


def check_reload(role: Role) -> None:
    """Errors: PermissionDeniedError for whoever may not have the server read its data again."""
    if role is not Role.OWNER:
        raise PermissionDeniedError(
            "only an owner may have the server read its data again",
            detail=f"This connection belongs to an {role.value}.",
            hint="Ask the data owner.",
        )
