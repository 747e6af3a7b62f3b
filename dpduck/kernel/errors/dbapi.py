"""The exceptions of the Python Database API 2.0 (PEP 249), of which those of dpduck are kinds.

Code that knows only the API catches `ProgrammingError` for what was asked in a wrong way, `OperationalError`
for what the budget, the ledger or the data do not allow, `NotSupportedError` for SQL that is refused.
"""

from __future__ import annotations


class Warning(Exception):  # noqa: N818 (the name is that of the API)
    """A warning of the API. dpduck raises none: what is to be said of an answer is in `notices`."""


class Error(Exception):
    """The base of all errors of the API."""


class InterfaceError(Error):
    """An error of the interface rather than of the database. dpduck raises none."""


class DatabaseError(Error):
    """The base of all errors that concern the database."""


class DataError(DatabaseError):
    """A fault in the data that was processed. dpduck raises none, since it would tell of private rows."""


class OperationalError(DatabaseError):
    """The budget, the ledger or the data do not allow it, whatever was asked."""


class IntegrityError(DatabaseError):
    """A constraint is violated. dpduck raises none, as it writes no rows."""


class ProgrammingError(DatabaseError):
    """What was asked is wrong: a name, the syntax, a parameter, a policy."""


class NotSupportedError(DatabaseError):
    """What was asked is understood, and refused."""
