"""SQLAlchemy in process: create_engine("dpduck:///shop.duckdb?analyst=ana&epsilon=0.5").

What is after the question mark are options of `dpduck.connect`. All connections of an engine are one session,
so that its budget is one, however many the pool opens. SQL is written as PostgreSQL has it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from types import ModuleType
from typing import Any

from sqlalchemy import exc, pool, types
from sqlalchemy.dialects.postgresql.base import PGCompiler, PGIdentifierPreparer, PGTypeCompiler
from sqlalchemy.engine import Connection
from sqlalchemy.engine.default import DefaultDialect
from sqlalchemy.engine.url import URL

from dpduck.kernel.ledger.session import new_session_name

_OPTIONS = ("analyst", "epsilon", "delta", "budget", "ledger", "anchor", "session", "memory")
_VERSION = (16, 0)  # of the PostgreSQL whose SQL is written
_MAIN = "main"
_TYPES: dict[str, Callable[[], types.TypeEngine[Any]]] = {
    "BOOLEAN": types.Boolean,
    "TINYINT": types.SmallInteger,
    "UTINYINT": types.SmallInteger,
    "SMALLINT": types.SmallInteger,
    "USMALLINT": types.Integer,
    "INTEGER": types.Integer,
    "UINTEGER": types.BigInteger,
    "BIGINT": types.BigInteger,
    "UBIGINT": types.Numeric,
    "HUGEINT": types.Numeric,
    "UHUGEINT": types.Numeric,
    "FLOAT": types.Float,
    "DOUBLE": types.Double,
    "VARCHAR": types.String,
    "BLOB": types.LargeBinary,
    "DATE": types.Date,
    "TIME": types.Time,
    "TIMESTAMP": types.DateTime,
    "TIMESTAMP WITH TIME ZONE": lambda: types.DateTime(timezone=True),
    "UUID": types.Uuid,
    "INTERVAL": types.Interval,
}
_DECIMAL = re.compile(r"DECIMAL\((\d+),(\d+)\)", re.ASCII)


class DpduckDialect(DefaultDialect):
    """The dialect of dpduck:/// addresses."""

    name = "dpduck"
    driver = "dpduck"
    default_paramstyle = "qmark"
    supports_statement_cache = True
    supports_native_decimal = True
    supports_native_boolean = True
    supports_native_enum = False
    postfetch_lastrowid = False
    default_schema_name = _MAIN
    statement_compiler = PGCompiler
    type_compiler_cls = PGTypeCompiler
    preparer = PGIdentifierPreparer
    _backslash_escapes = False  # as PostgreSQL's compiler asks

    @classmethod
    def import_dbapi(cls) -> ModuleType:
        """The module of the DB-API."""
        import dpduck

        return dpduck

    @classmethod
    def get_pool_class(cls, url: URL) -> type[pool.Pool]:
        """A pool that hands out several connections, as threads need."""
        return pool.QueuePool

    def create_connect_args(self, url: URL) -> tuple[list[str], dict[str, Any]]:
        """The arguments of `dpduck.connect`. Errors: ArgumentError for other options."""
        options = dict(url.query)
        unknown = sorted(options.keys() - set(_OPTIONS))
        if unknown:
            raise exc.ArgumentError(
                f"{unknown[0]} is no option: write dpduck:///shop.duckdb?analyst=ana&epsilon=0.5; "
                f"the options are {', '.join(_OPTIONS)}"
            )
        return [url.database or ""], {"session": new_session_name(), **options}

    def initialize(self, connection: Connection) -> None:
        """Ask the database nothing: all is known."""
        self.server_version_info = _VERSION

    def do_ping(self, dbapi_connection: Any) -> bool:
        """Whether a connection is open. Nothing is charged."""
        dbapi_connection.cursor().execute("SELECT 1").fetchall()
        return True

    # --- reflection: names and types, which are public; no row is read ------------------------------

    def has_table(
        self, connection: Connection, table_name: str, schema: str | None = None, **options: Any
    ) -> bool:
        """Whether there is a table or view of that name."""
        return table_name.lower() in (name.lower() for name, _ in self._tables(connection, schema))

    def has_schema(self, connection: Connection, schema_name: str, **options: Any) -> bool:
        """Whether there is such a schema."""
        return schema_name in self.get_schema_names(connection)

    def get_schema_names(self, connection: Connection, **options: Any) -> list[str]:
        """The schemas that have tables."""
        found = connection.exec_driver_sql("SELECT table_schema FROM information_schema.tables").scalars()
        return sorted({_MAIN, *found})

    def get_table_names(self, connection: Connection, schema: str | None = None, **options: Any) -> list[str]:
        """The tables of a schema."""
        return [name for name, kind in self._tables(connection, schema) if kind != "VIEW"]

    def get_view_names(self, connection: Connection, schema: str | None = None, **options: Any) -> list[str]:
        """The views of a schema."""
        return [name for name, kind in self._tables(connection, schema) if kind == "VIEW"]

    def get_columns(
        self, connection: Connection, table_name: str, schema: str | None = None, **options: Any
    ) -> list[Any]:
        """The columns of a table, with their types. Errors: NoSuchTableError."""
        rows = connection.exec_driver_sql(
            "SELECT column_name, data_type FROM information_schema.columns "
            "WHERE table_schema = ? AND lower(table_name) = lower(?) ORDER BY ordinal_position",
            (schema or _MAIN, table_name),
        )
        columns = [
            {"name": name, "type": type_of(kind), "nullable": True, "default": None, "autoincrement": False}
            for name, kind in rows
        ]
        if not columns:
            raise exc.NoSuchTableError(table_name)
        return columns

    def get_pk_constraint(
        self, connection: Connection, table_name: str, schema: str | None = None, **options: Any
    ) -> Any:
        """None is known: a privacy key says whose rows these are, not which."""
        return {"constrained_columns": [], "name": None}

    def get_foreign_keys(
        self, connection: Connection, table_name: str, schema: str | None = None, **options: Any
    ) -> list[Any]:
        """None."""
        return []

    get_indexes = get_foreign_keys
    get_unique_constraints = get_foreign_keys
    get_check_constraints = get_foreign_keys

    def get_table_comment(
        self, connection: Connection, table_name: str, schema: str | None = None, **options: Any
    ) -> Any:
        """None."""
        return {"text": None}

    def _tables(self, connection: Connection, schema: str | None) -> list[tuple[str, str]]:
        rows = connection.exec_driver_sql(
            "SELECT table_name, table_type FROM information_schema.tables WHERE table_schema = ? ORDER BY 1",
            (schema or _MAIN,),
        )
        return [(name, kind) for name, kind in rows]


def type_of(name: str) -> types.TypeEngine[Any]:
    """SQLAlchemy's type for one of DuckDB's.

    >>> type_of("DECIMAL(9,2)"), type_of("ENUM('a', 'b')"), type_of("INTEGER[]")
    (Numeric(precision=9, scale=2), String(), NullType())
    """
    decimal = _DECIMAL.fullmatch(name)
    if decimal:
        return types.Numeric(int(decimal[1]), int(decimal[2]))
    if name.startswith("ENUM("):
        return types.String()
    return _TYPES.get(name, types.NullType)()
