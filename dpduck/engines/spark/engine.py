"""Spark as the engine: score SQL is translated to Spark's SQL, and runs in a session of dpduck's own.

Rows stay in Spark; the driver collects scores. The session shares the caller's tables, but not its
settings and temporary views.
"""

from __future__ import annotations

import itertools
import threading
import uuid
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Any, TypeGuard
from weakref import WeakValueDictionary

import duckdb
import pyarrow as pa

from dpduck.engines.duckdb.hardening import open_scratch
from dpduck.engines.spark.schema_replica import SchemaReplica
from dpduck.engines.spark.sql.dialect import SETTINGS, SPARK
from dpduck.engines.spark.sql.nodes import Ask, Expr
from dpduck.engines.spark.sql.public_tables import tables_read
from dpduck.engines.spark.sql.tables import cleaned, duckdb_type, view
from dpduck.engines.spark.sql.translate import translate
from dpduck.kernel.cancellation import Interrupts
from dpduck.kernel.catalog.model import Column, Table
from dpduck.kernel.catalog.types import parse_type
from dpduck.kernel.engine import GIVEN, HELD, Engine, ScoreReader
from dpduck.kernel.errors import PolicyError
from dpduck.kernel.tree.duckdb import sql
from dpduck.kernel.tree.emit import row_alias
from dpduck.kernel.tree.nodes import ColumnRef
from dpduck.kernel.tree.relations import SelectQuery, TableScan

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_CHAR = "__CHAR_VARCHAR_TYPE_STRING"  # metadata key for the type CHAR(n), which Spark pads
_GROUP = "spark.jobGroup.id"
# Formats whose rows have types of their own, and where a table says that it has one, by its provider.
_FORMATS = ("parquet", "orc")
_FORMAT_OF = {"parquet": "Provider", "orc": "Provider", "hive": "Serde Library"}
_POLL_SECONDS = 0.2  # seconds between attempts to stop an answer
_HELD, _GIVEN = HELD.split("."), GIVEN.split(".")


class SparkEngine(Engine):
    """The current database of a Spark session, whose tables are in DuckDB's schema `main`.

    Input: `replica`: the replica of its schema, with policies; `stops`: whether closing ends the session.
    """

    tells_writes = False

    def __init__(self, session: SparkSession, replica: SchemaReplica, *, stops: bool = False) -> None:
        self._caller = session
        self._session = session.newSession()
        number = str(next(_numbers))
        _callers[number] = session
        for name, value in {**SETTINGS, _OURS: number}.items():
            self._session.conf.set(name, value)
        self._place = (session.catalog.currentCatalog(), session.catalog.currentDatabase())
        self._replica = replica
        self._mirrored = replica.database
        self._stops = stops

    @property
    def name(self) -> str:
        """The catalog and database, as text."""
        return ".".join(self._place)

    def schema(self) -> dict[str, dict[str, str]]:
        """The tables with the columns that DuckDB has a type for, without views and temporary tables."""
        found = {}
        for table in self._session.catalog.listTables(f"{_quoted(self._place[0])}.{_quoted(self._place[1])}"):
            if table.isTemporary or table.tableType == "VIEW":
                continue
            with suppress(Exception):  # a table that cannot be opened, or has no such format, is skipped
                found[table.name] = self._duckdb_columns(self._columns(table.name))
        return found

    @contextmanager
    def open(self, interrupts: Interrupts) -> Iterator[ScoreReader]:
        with self._replica.cursor() as cursor:
            reader = SparkReader(self, self._session, cursor, interrupts)
            try:
                yield reader
            finally:
                reader.close()

    def check(self, query: SelectQuery) -> None:
        self.translate(query, self._replica.ask)

    def translate(self, query: SelectQuery, ask: Ask, held: str = "", given: str = "") -> str:
        """Translate a query to Spark's SQL. Errors: as `check`.

        Input: `ask`: runs SQL in DuckDB; the names of the views for `HELD` and `GIVEN`.
        """
        return translate(query, SPARK, partial(self._table, held, given), ask)

    def rows(self, query: SelectQuery) -> Sequence[Sequence[Any]]:
        made, rows = self.translate(query, self._replica.ask), None
        with suppress(Exception):  # its text may quote a value
            rows = self._collect(self._session.sql(made))
        if rows is None:
            raise PolicyError("a table cannot be read", detail="Spark could not run a query on it.")
        return [tuple(row.values()) for row in rows.to_pylist()]

    def open_public(self, sql: str) -> duckdb.DuckDBPyConnection:
        """The public tables of the query, copied into a DuckDB in memory."""
        connection = open_scratch()
        name = self._mirrored.replace('"', '""')
        if self._mirrored != "memory":
            connection.execute(f"""ATTACH ':memory:' AS "{name}"; USE "{name}".main""")
        for table in tables_read(sql, self._mirrored):
            made = self.translate(self._whole(table), self._replica.ask)
            connection.register("copied", self._collect(self._session.sql(made)))
            connection.execute(f"CREATE TABLE {_double_quoted(table)} AS SELECT * FROM copied")
            connection.unregister("copied")
        return connection

    def _whole(self, table: str) -> SelectQuery:
        """The query for all rows of a table of the replica."""
        columns = self._replica.tables[table]
        found = Table(
            self._mirrored, "main", table, tuple(Column(name, kind) for name, kind in columns.items())
        )
        alias = row_alias(found)
        items = (ColumnRef(alias, column.name, parse_type(column.type)) for column in found.columns)
        return SelectQuery(tuple(items), TableScan(found, alias))

    def close(self) -> None:
        if self._stops:
            self._caller.stop()

    def _collect(self, frame: DataFrame) -> pa.Table:
        return frame.toArrow()

    def _table(self, held: str, given: str, parts: Sequence[str]) -> Expr:
        """The Spark table for a table of score SQL. Errors: PolicyError if its columns have changed."""
        if list(parts) in (_HELD, _GIVEN):
            return view(held if list(parts) == _HELD else given)
        if tuple(parts[:-1]) != (self._mirrored, "main"):
            raise ValueError("score SQL names tables in full")
        columns = {}
        with suppress(Exception):
            columns = self._columns(parts[-1])
        if self._duckdb_columns(columns) != self._replica.tables.get(parts[-1]):
            raise PolicyError(
                f"table {parts[-1]} has changed in Spark",
                detail="Its columns are no longer those that its policies were declared on.",
                hint="Connect again as the data owner, and look at SHOW PRIVACY.",
            )
        return cleaned((*self._place, parts[-1]), columns)

    def _columns(self, table: str) -> dict[str, str]:
        """The present columns of a table that DuckDB has a type for, with Spark's types.

        A session caches tables and their files; refreshTable would also drop what other sessions cache.
        Errors: PolicyError for a table in which one row decides how others are read, as in one of texts.
        """
        self._session._jsparkSession.sessionState().catalog().invalidateAllCachedTables()
        name = ".".join(map(_quoted, (*self._place, table)))
        described = self._session.sql(f"DESCRIBE TABLE EXTENDED {name}").collect()
        facts = {str(row[0]): str(row[1]).lower() for row in described}
        if not any(one in facts.get(_FORMAT_OF.get(facts.get("Provider", ""), ""), "") for one in _FORMATS):
            raise PolicyError(f"table {table} is of a format that is not read")
        fields = self._session.table(name).schema.fields
        kinds = {
            field.name: field.dataType.simpleString()
            for field in fields
            if not str(field.metadata.get(_CHAR, "")).startswith("char")
        }
        return {name: kind for name, kind in kinds.items() if duckdb_type(kind) is not None}

    @staticmethod
    def _duckdb_columns(columns: dict[str, str]) -> dict[str, str]:
        return {name: duckdb_type(kind) or "" for name, kind in columns.items()}


class SparkReader(ScoreReader):
    """Input: `replica`: a cursor on the schema replica, from which the types of scores are taken."""

    def __init__(
        self,
        engine: SparkEngine,
        session: SparkSession,
        replica: duckdb.DuckDBPyConnection,
        interrupts: Interrupts,
    ) -> None:
        self._engine = engine
        self._session = session
        self._replica = replica
        self._interrupts = interrupts
        self._tag = f"dpduck_{uuid.uuid4().hex}"
        self._held: DataFrame | None = None
        self._over = threading.Event()

    def interrupt(self) -> None:
        """Stop what runs now, repeatedly, since a job that has not begun yet cannot be stopped."""
        threading.Thread(target=self._cancel, daemon=True).start()

    def _cancel(self) -> None:
        while not self._over.wait(_POLL_SECONDS):
            self._session.sparkContext.cancelJobGroup(self._tag)

    def read(self, query: SelectQuery, given: pa.Table | None = None) -> pa.Table:
        with self._running(), self._with(given):
            schema = self._replica.sql(sql(query)).to_arrow_table().schema
            table = self._session.sql(self._in_spark(query)).toArrow()
            columns = [column.cast(field.type) for column, field in zip(table.columns, schema, strict=True)]
            return pa.table(columns, names=schema.names)

    def hold(self, query: SelectQuery) -> None:
        from pyspark import StorageLevel

        with self._running():
            frame = self._session.sql(self._in_spark(query)).persist(StorageLevel.MEMORY_AND_DISK)
            try:
                frame.count()
            except BaseException:
                frame.unpersist()
                raise
            self._let_go()
            self._held = frame
            frame.createOrReplaceTempView(self._view("held"))
            self._replica.execute(f"CREATE OR REPLACE TEMP TABLE {HELD} AS {sql(query)}")

    def close(self) -> None:
        """Drop the materialized rows."""
        with suppress(Exception):
            self._let_go()

    def _let_go(self) -> None:
        if self._held is not None:
            self._session.catalog.dropTempView(self._view("held"))
            self._held.unpersist()
            self._held = None

    def _in_spark(self, query: SelectQuery) -> str:
        return self._engine.translate(query, self._ask, self._view("held"), self._view("given"))

    def _ask(self, sql: str) -> list[tuple[object, ...]]:
        return self._replica.execute(sql).fetchall()

    def _view(self, kind: str) -> str:
        return f"{self._tag}_{kind}"

    @contextmanager
    def _running(self) -> Iterator[None]:
        with self._interrupts.during(self):
            self._over.clear()
            context = self._session.sparkContext
            before = context.getLocalProperty(_GROUP)
            context.setJobGroup(self._tag, "dpduck", interruptOnCancel=True)
            try:
                yield
            finally:
                self._over.set()
                context.setLocalProperty(_GROUP, before)  # type: ignore[arg-type]

    @contextmanager
    def _with(self, given: pa.Table | None) -> Iterator[None]:
        if given is None:
            yield
            return
        name = _GIVEN[-1]
        self._session.createDataFrame(given).createOrReplaceTempView(self._view("given"))
        self._replica.register(name, given)
        try:
            yield
        finally:
            self._replica.unregister(name)
            self._session.catalog.dropTempView(self._view("given"))


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


# The sessions of callers, by the number that is set in the session of each engine: Spark may take either for
# the active one.
_OURS = "dpduck.session"
_numbers = itertools.count()
_callers: WeakValueDictionary[str, SparkSession] = WeakValueDictionary()


def _double_quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def session_of(address: str) -> tuple[SparkSession, bool]:
    """A session for an address such as spark://host:7077 or spark://local[2], and whether it is new.

    Errors: PolicyError if Spark is not installed, or cannot be reached.
    """
    reason = "pyspark cannot be imported"
    with suppress(ImportError):
        from pyspark.sql import SparkSession

        reason = "no session could be made"
        local = address.removeprefix("spark://")
        master = local if local.startswith("local") else address
        with suppress(Exception), warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)  # from pandas versions newer than Spark
            known = SparkSession.getActiveSession()
            builder = SparkSession.builder.master(master).config("spark.ui.showConsoleProgress", "false")
            if known is not None:
                return _callers.get(known.conf.get(_OURS, "") or "", known), False
            return builder.getOrCreate(), True
    raise PolicyError(
        f"{address} cannot be opened",
        detail=f"Spark: {reason}.",
        hint="pip install 'dpduck[spark]', with Java 17 or later; or pass a SparkSession.",
    )


def is_spark(thing: object) -> TypeGuard[SparkSession | str]:
    """Whether this is a SparkSession or the address of one, without importing Spark."""
    if isinstance(thing, str):
        return thing.startswith("spark://")
    return any(kind.__module__ == "pyspark.sql.session" for kind in type(thing).__mro__)


__all__ = ["SparkEngine", "SparkReader", "is_spark", "session_of"]
