"""The Python connection: statements in, answers out, as DuckDB's own connection and the DB-API have it.

connect, protect -> Connection -> Cursor -> Result
"""

from dpduck.answers.explain import Explanation
from dpduck.doors.connection.connect import connect, protect
from dpduck.doors.connection.connection import Connection
from dpduck.doors.connection.cursor import Cursor
from dpduck.kernel.catalog.statements import (
    AddPrivacyKey,
    AddPrivacyLink,
    CreateBudget,
    DomainRange,
    DomainReference,
    DomainValues,
    SetContribution,
    SetPrivacyDomain,
    SetPublic,
    TableName,
)

__all__ = [
    "AddPrivacyKey",
    "AddPrivacyLink",
    "Connection",
    "CreateBudget",
    "Cursor",
    "DomainRange",
    "DomainReference",
    "DomainValues",
    "Explanation",
    "SetContribution",
    "SetPrivacyDomain",
    "SetPublic",
    "TableName",
    "connect",
    "protect",
]
