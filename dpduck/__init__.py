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

from dpduck.connection import Connection, connect
from dpduck.errors import (
    AuthenticationError,
    BudgetExceededError,
    DpduckError,
    ExecutionError,
    InternalError,
    LedgerError,
    ParameterError,
    PolicyError,
    SqlSyntaxError,
    UnknownNameError,
    UnsupportedSqlError,
)
from dpduck.extension.register import register
from dpduck.runtime.explain import Explanation
from dpduck.stream import SparseVector

__all__ = [
    "AuthenticationError",
    "BudgetExceededError",
    "Connection",
    "DpduckError",
    "ExecutionError",
    "Explanation",
    "InternalError",
    "LedgerError",
    "ParameterError",
    "PolicyError",
    "SparseVector",
    "SqlSyntaxError",
    "UnknownNameError",
    "UnsupportedSqlError",
    "connect",
    "register",
]
