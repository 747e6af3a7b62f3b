"""The Python connection: statements in, answers out, as DuckDB's own connection and the DB-API have it.

connect, protect -> Connection -> Cursor -> Result
"""

from dpduck.catalog.statements import (
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
from dpduck.connection.connect import connect, protect
from dpduck.connection.connection import Connection
from dpduck.connection.cursor import Cursor
from dpduck.runtime.explain import Explanation

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
