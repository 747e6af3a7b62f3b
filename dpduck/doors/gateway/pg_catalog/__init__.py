"""The gateway's pg_catalog and information_schema: small tables of public facts, whose queries cost nothing.

They are in a database in memory that holds nothing else, so no catalog query can read data. An analyst's
query is checked against an allow-list and generated anew; its text never reaches DuckDB.

    text -> read (Postgres's grammar) -> translate (allow-list, rewrite) -> DuckDB on tables from `contents`
"""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import duckdb
from sqlglot import exp

from dpduck.compiler.parse.bind import Parameter
from dpduck.doors.gateway.pg_catalog.contents import fill
from dpduck.doors.gateway.pg_catalog.objects import Comments, Relation, relations
from dpduck.doors.gateway.pg_catalog.reading import read
from dpduck.doors.gateway.pg_catalog.system import declared_types
from dpduck.doors.gateway.pg_catalog.translate import Translated, names_of, translate
from dpduck.doors.gateway.pg_catalog.vocabulary import OID, OIDS, TEXT, VECTORS, Vocabulary
from dpduck.kernel.catalog.model import Catalog, fold
from dpduck.kernel.errors import DpduckError, UnknownNameError, UnsupportedSqlError
from dpduck.kernel.plan.model import Output
from dpduck.kernel.system.python_turns import waiting
from dpduck.kernel.system.sql_files import read_sql

_T = TypeVar("_T")
_Key = TypeVar("_Key", str, tuple[str, str])

_SECONDS = 5.0  # timeout of a catalog query
_REMEMBERED = 512
_REMEMBERED_CHARACTERS = 10_000
_WORD = re.compile(r"\w+")
_OURS = re.compile(r"pg_|information_schema|reg(?:class|type|proc|namespace|role)")
_QUERY = re.compile(  # behind comments; atomic, so that no text makes it try twice
    r"(?>--[^\n]*\n|/\*(?>.*?\*/)|[\s(])*+(?:select|with|values|table)\b", re.IGNORECASE | re.DOTALL
)
_HINT = "Catalog queries are SELECTs on pg_catalog and information_schema."

# Settings that drivers look up, unless the session has set them.
_SETTINGS = {
    "bytea_output": "hex",
    "client_encoding": "UTF8",
    "default_transaction_isolation": "read committed",
    "default_transaction_read_only": "off",
    "integer_datetimes": "on",
    "is_superuser": "off",
    "jit": "off",
    "max_identifier_length": "63",
    "max_index_keys": "32",
    "search_path": '"$user", public',
    "server_encoding": "UTF8",
    "server_version": "15.0",
    "server_version_num": "150000",
    "standard_conforming_strings": "on",
    "timezone": "UTC",
    "transaction_isolation": "read committed",
}

_COMMENTS = """
SELECT schema_name, table_name, NULL, comment FROM duckdb_tables()
WHERE database_name = current_database() AND comment IS NOT NULL
UNION ALL
SELECT schema_name, view_name, NULL, comment FROM duckdb_views()
WHERE database_name = current_database() AND NOT internal AND comment IS NOT NULL
UNION ALL
SELECT schema_name, table_name, column_name, comment FROM duckdb_columns()
WHERE database_name = current_database() AND NOT internal AND comment IS NOT NULL
"""

_SHOWN = {"int2vector": "vector_out", "oidvector": "vector_out", "regproc": "regproc_out"}

_HARDEN = (
    "memory_limit = '64MB'",
    "threads = 1",
    "temp_directory = ''",
    "enable_external_access = false",
    "python_enable_replacements = false",
    "autoinstall_known_extensions = false",
    "autoload_known_extensions = false",
    "enable_progress_bar = false",
    "lock_configuration = true",
)


@dataclass(frozen=True)
class Asker:
    """The client that queries. `settings`: as SHOW returns them, such as server_version, search_path."""

    user: str
    database: str
    pid: int
    settings: Mapping[str, str]


@dataclass(frozen=True)
class CatalogQuery:
    """A translated query: DuckDB's SQL, its columns, and DuckDB's types of $1, $2, ...

    A column's type is as DESCRIBE prints it, or one of Postgres's own: oid, name, char.
    """

    sql: str
    columns: tuple[Output, ...]
    parameters: tuple[str, ...]


@dataclass(frozen=True)
class _Shown:
    """All that the tables of a catalog are made of."""

    relations: list[Relation]
    database: str

    @classmethod
    def of(cls, catalog: Catalog, database: str, comments: Comments) -> _Shown:
        """What is shown of a database."""
        return cls(relations(catalog, comments), database)


class PublicCatalog:
    """The catalog of one database and its policies. Safe for several threads.

    Input: `comments`: of the data's owner; see `comments_of`.
    """

    def __init__(self, catalog: Catalog, database: str, comments: Comments | None = None) -> None:
        sql = read_sql("gateway_catalog.sql") + read_sql("gateway_catalog_empty.sql")
        self._tables = duckdb.connect(":memory:")
        declared = declared_types(sql)
        self._tables.execute(f"BEGIN; {sql}")
        self._shows = _Shown.of(catalog, database, comments or {})
        fill(self._tables, self._shows.relations, database, declared)
        self._tables.execute("COMMIT")
        self._vocabulary = _vocabulary(self._tables, declared)
        for setting in _HARDEN:
            self._tables.execute(f"SET {setting}")
        self._users = {fold(relation.name) for relation in self._shows.relations}
        self._lock = threading.Lock()
        self._known: OrderedDict[tuple[str, str], CatalogQuery] = OrderedDict()
        self._concerned: OrderedDict[str, bool] = OrderedDict()

    @classmethod
    def after(
        cls, before: PublicCatalog | None, catalog: Catalog, database: str, comments: Comments
    ) -> PublicCatalog:
        """The catalog of a database; the earlier one if it shows the same, since it takes long to make."""
        if before is not None and before._shows == _Shown.of(catalog, database, comments):
            return before
        return cls(catalog, database, comments)

    def concerns(self, sql: str) -> bool:
        """Whether the text is one query that reads catalog tables only, or no table at all."""
        if not _QUERY.match(sql):
            return False
        lowered = sql.lower()
        words = set(_WORD.findall(lowered))
        if any(word.startswith("dp_") for word in words):
            return self._found(sql)
        if not self._users.isdisjoint(words) and not _OURS.search(lowered):
            return False
        return self._found(sql)

    def _found(self, sql: str) -> bool:
        with self._lock:
            known = self._concerned.get(sql)
        if known is None:
            known = self._reads_catalog(sql)
            self._remember(self._concerned, sql, known)
        return known

    def _reads_catalog(self, sql: str) -> bool:
        try:
            tree = read(sql)
        except DpduckError:
            return False
        if any(str(name).lower().startswith("dp_") for name in _called(tree)):
            return False
        own = self._vocabulary.relations["pg"]
        for schema, name in names_of(tree):
            if schema not in (None, "pg_catalog", "information_schema"):
                return False
            if schema is None and name not in own and (not name.startswith("pg_") or name in self._users):
                return False
        return True

    def prepare(self, sql: str, asker: Asker) -> CatalogQuery:
        """Translate and describe a query without running it.

        Errors: SqlSyntaxError, UnsupportedSqlError, UnknownNameError.
        """
        with self._lock:
            known = self._known.get((sql, asker.database))
        if known is None:
            translated = translate(read(sql), self._vocabulary, asker.database)
            known = self._described(translated, asker)
            self._remember(self._known, (sql, asker.database), known)
        return known

    def open(
        self, sql: str, asker: Asker, params: Sequence[Parameter | Sequence[Parameter]] = ()
    ) -> tuple[CatalogQuery, duckdb.DuckDBPyConnection]:
        """Run a query. Output: the query, and a cursor with its rows, to be closed by the caller.

        Errors: as `prepare`; UnsupportedSqlError if it takes too long or too much memory.
        """
        query = self.prepare(sql, asker)
        if len(params) != len(query.parameters):
            raise UnsupportedSqlError(
                f"the catalog query takes {len(query.parameters)} parameters but was given {len(params)}"
            )
        cursor = self._cursor(asker)
        failure: DpduckError | None = None
        try:
            self._run(cursor, query, list(params))
        except duckdb.Error as error:
            failure = _failure(error)
        if failure is not None:
            cursor.close()
            raise failure
        return query, cursor

    def _cursor(self, asker: Asker) -> duckdb.DuckDBPyConnection:
        cursor = self._tables.cursor()
        known = _SETTINGS | {name.lower(): value for name, value in asker.settings.items()}
        settings = [list(known), list(known.values())]
        cursor.execute("SET VARIABLE gateway_user = $1", [asker.user])
        cursor.execute("SET VARIABLE gateway_database = $1", [asker.database])
        cursor.execute("SET VARIABLE gateway_pid = $1", [asker.pid])
        cursor.execute("SET VARIABLE gateway_settings = map($1::VARCHAR[], $2::VARCHAR[])", settings)
        return cursor

    def _described(self, translated: Translated, asker: Asker) -> CatalogQuery:
        cursor = self._cursor(asker)
        failure: DpduckError | None = None
        rows: list[tuple[str, ...]] = []
        timer = threading.Timer(_SECONDS, cursor.interrupt)
        timer.start()
        try:
            nothing = [None] * len(translated.parameters)
            rows = cursor.execute(f"DESCRIBE {translated.sql}", nothing or None).fetchall()
        except duckdb.Error as error:
            failure = _failure(error)
        finally:
            timer.cancel()
            cursor.close()
        if failure is not None:
            raise failure
        columns = _columns(translated, rows, self._vocabulary.declared)
        sql = translated.sql
        if translated.columns is None:
            sql, columns = _starred(sql, columns, self._vocabulary.declared)
        return CatalogQuery(sql, columns, translated.parameters)

    def _run(self, cursor: duckdb.DuckDBPyConnection, query: CatalogQuery, params: list[object]) -> None:
        """Run the query into a temporary table, so that the timeout covers all rows."""
        names = ", ".join(f"c{number}" for number in range(len(query.columns)))
        timer = threading.Timer(_SECONDS, cursor.interrupt)
        timer.start()
        try:
            with waiting():
                cursor.execute(f"CREATE TEMP TABLE rows({names}) AS {query.sql}", params or None)
            shown = ", ".join(f"c{n} AS {_quoted(column.name)}" for n, column in enumerate(query.columns))
            cursor.execute(f"SELECT {shown} FROM temp.rows")
        finally:
            timer.cancel()

    def _remember(self, memory: OrderedDict[_Key, _T], key: _Key, value: _T) -> None:
        if len(key if isinstance(key, str) else key[0]) > _REMEMBERED_CHARACTERS:
            return
        with self._lock:
            memory[key] = value
            if len(memory) > _REMEMBERED:
                memory.popitem(last=False)


def comments_of(connection: duckdb.DuckDBPyConnection) -> Comments:
    """What COMMENT ON says about tables, views and columns of a database, which every client may read."""
    rows = connection.execute(_COMMENTS).fetchall()
    return {(fold(s), fold(t), None if c is None else fold(c)): text for s, t, c, text in rows}


def _vocabulary(connection: duckdb.DuckDBPyConnection, declared: Mapping[str, str]) -> Vocabulary:
    """The names in dpduck's catalog schemas; of a column name that occurs several times, the first type."""
    schemas = ("pg", "info")
    relations: dict[str, set[str]] = {schema: set() for schema in schemas}
    columns: dict[str, str] = {}
    macros: dict[str, set[str]] = {schema: set() for schema in schemas}
    for schema, table, column, kind in connection.execute(
        "SELECT schema_name, table_name, column_name, data_type FROM duckdb_columns()"
        " WHERE schema_name IN ('pg', 'info') ORDER BY schema_name DESC, table_name, column_index"
    ).fetchall():
        relations[schema].add(table)
        columns.setdefault(column, kind)
    for schema, name in connection.execute(
        "SELECT schema_name, function_name FROM duckdb_functions() WHERE schema_name IN ('pg', 'info')"
    ).fetchall():
        macros[schema].add(name)
    return Vocabulary(
        {schema: frozenset(names) for schema, names in relations.items()},
        {schema: frozenset(names) for schema, names in macros.items()},
        columns,
        declared,
    )


def _called(tree: exp.Expr) -> list[str]:
    return [str(node.name) for node in tree.find_all(exp.Anonymous)]


def _columns(
    translated: Translated, rows: Sequence[tuple[str, ...]], declared: Mapping[str, str]
) -> tuple[Output, ...]:
    """DuckDB's description, with the names and types that only Postgres has."""
    found = [Output(row[0], row[1]) for row in rows]
    if translated.columns is None or len(translated.columns) != len(found):
        return tuple(Output(item.name, _wire(declared.get(item.name), item.type)) for item in found)
    return tuple(
        Output(name, _wire(kind, output.type))
        for (name, kind), output in zip(translated.columns, found, strict=True)
    )


def _starred(
    sql: str, columns: tuple[Output, ...], declared: Mapping[str, str]
) -> tuple[str, tuple[Output, ...]]:
    """The query with vectors and functions selected by `*` converted to text, as Postgres shows them."""
    shown = {n: _SHOWN[declared[c.name]] for n, c in enumerate(columns) if declared.get(c.name) in _SHOWN}
    shown = {n: macro for n, macro in shown.items() if columns[n].type != "VARCHAR"}
    if not shown:
        return sql, columns
    items = (f"own.{shown[n]}(c{n})" if n in shown else f"c{n}" for n in range(len(columns)))
    names = ", ".join(f"c{n}" for n in range(len(columns)))
    texts = tuple(Output(c.name, "VARCHAR") if n in shown else c for n, c in enumerate(columns))
    return f"SELECT {', '.join(items)} FROM ({sql}) AS answer({names})", texts


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _wire(kind: str | None, found: str) -> str:
    """The Postgres type, if the values can be sent as that type."""
    if found == OIDS:  # in the catalog, lists of BIGINT are lists of OIDs
        return "oid[]"
    if kind == "name[]" and found == "VARCHAR[]":
        return kind
    as_text = ("name", "char", *VECTORS)
    fits = (kind, found) in (("oid", OID), ("name[]", f"{TEXT}[]")) or (kind in as_text and found == TEXT)
    return kind if fits and kind is not None else found


def _failure(error: duckdb.Error) -> DpduckError:
    """The error to report: with messages of dpduck's macros, but without DuckDB's."""
    said = re.search(r"dpduck: ([a-z0-9, ]+)", str(error))
    if said is not None:
        return UnknownNameError(said[1], hint=_HINT)
    if isinstance(error, (duckdb.InterruptException, duckdb.OutOfMemoryException)):
        return UnsupportedSqlError("the catalog query takes too long or too much room", hint=_HINT)
    if isinstance(error, (duckdb.BinderException, duckdb.CatalogException)):
        return UnknownNameError("the catalog query names something that does not exist", hint=_HINT)
    return UnsupportedSqlError("the catalog query cannot be answered", hint=_HINT)
