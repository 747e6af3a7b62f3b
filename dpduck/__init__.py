"""dpduck: differentially private answers out of DuckDB.

A private query is a public plan plus score vectors; only mechanisms may turn those into an answer, and
only after the ledger has been charged.

     SQL text -> parse -> validate (allow-list) -> compile (+ catalog) -> score SQL        public
                                       an earlier answer serves: it is given again         free
                                                      ledger.charge(event)                 durable
     ==================== the data line: private rows are read below it ====================
     score SQL in DuckDB -> Scores (Arrow) -> mechanism -> Release -> ledger.settle(answer) -> result

>>> import duckdb, dpduck
>>> con = duckdb.connect()
>>> _ = con.execute("CREATE TABLE baskets AS SELECT range // 3 AS basket, range % 3 AS item FROM range(3000)")
>>> db = dpduck.connect(con, epsilon="1")
>>> _ = db.execute("ALTER TABLE baskets ADD PRIVACY_KEY (basket)")
>>> noisy = db.execute("SELECT count(*) FROM baskets WHERE item = 2").fetchone()[0]
>>> 900 < noisy < 1100
True
>>> db.ledger().column("epsilon").to_pylist()
[Decimal('1.000000000')]
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dpduck.doors.connection import (
        AddPrivacyKey,
        AddPrivacyLink,
        Connection,
        CreateBudget,
        Cursor,
        DomainRange,
        DomainReference,
        DomainValues,
        Explanation,
        SetContribution,
        SetPrivacyDomain,
        SetPublic,
        TableName,
        connect,
        protect,
    )
    from dpduck.doors.connection.dbapi import (
        BINARY,
        DATETIME,
        NUMBER,
        ROWID,
        STRING,
        Binary,
        Date,
        DateFromTicks,
        Time,
        TimeFromTicks,
        Timestamp,
        TimestampFromTicks,
        apilevel,
        paramstyle,
        threadsafety,
    )
    from dpduck.doors.extension.register import register
    from dpduck.doors.stream import SparseVector
    from dpduck.kernel.errors import (
        AuthenticationError,
        BudgetExceededError,
        DpduckError,
        ExecutionError,
        InternalError,
        LedgerError,
        ParameterError,
        PermissionDeniedError,
        PolicyError,
        SqlSyntaxError,
        UnknownNameError,
        UnsupportedSqlError,
    )
    from dpduck.kernel.errors.dbapi import (
        DatabaseError,
        DataError,
        Error,
        IntegrityError,
        InterfaceError,
        NotSupportedError,
        OperationalError,
        ProgrammingError,
        Warning,
    )

# Public names are loaded when they are used (PEP 562): who needs one part of dpduck loads no other.
# The cheapest modules come first.
_HOMES = (
    "dpduck.kernel.errors",
    "dpduck.kernel.errors.dbapi",
    "dpduck.doors.connection",
    "dpduck.doors.connection.dbapi",
    "dpduck.doors.extension.register",
    "dpduck.doors.stream",
)
# What was found beside them, such as `dpduck.errors`, still is.
_MODULES = {
    "errors": "dpduck.kernel.errors",
    "connection": "dpduck.doors.connection",
    "extension": "dpduck.doors.extension",
    "stream": "dpduck.doors.stream",
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return import_module("dpduck.kernel.system.version").installed_version()
    if name in __all__:
        for home in map(import_module, _HOMES):
            if hasattr(home, name):
                value = globals()[name] = getattr(home, name)
                return value
    if name in _MODULES:
        return import_module(_MODULES[name])
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def load_ipython_extension(shell: Any) -> None:
    """Define the magics `%dpduck` and `%%dpduck`, for `%load_ext dpduck`."""
    from dpduck.doors.connection.magics import define_magics

    define_magics(shell)


__all__ = [
    "BINARY",
    "DATETIME",
    "NUMBER",
    "ROWID",
    "STRING",
    "AddPrivacyKey",
    "AddPrivacyLink",
    "AuthenticationError",
    "Binary",
    "BudgetExceededError",
    "Connection",
    "CreateBudget",
    "Cursor",
    "DataError",
    "DatabaseError",
    "Date",
    "DateFromTicks",
    "DomainRange",
    "DomainReference",
    "DomainValues",
    "DpduckError",
    "Error",
    "ExecutionError",
    "Explanation",
    "IntegrityError",
    "InterfaceError",
    "InternalError",
    "LedgerError",
    "NotSupportedError",
    "OperationalError",
    "ParameterError",
    "PermissionDeniedError",
    "PolicyError",
    "ProgrammingError",
    "SetContribution",
    "SetPrivacyDomain",
    "SetPublic",
    "SparseVector",
    "SqlSyntaxError",
    "TableName",
    "Time",
    "TimeFromTicks",
    "Timestamp",
    "TimestampFromTicks",
    "UnknownNameError",
    "UnsupportedSqlError",
    "Warning",
    "apilevel",
    "connect",
    "load_ipython_extension",
    "paramstyle",
    "protect",
    "register",
    "threadsafety",
]
