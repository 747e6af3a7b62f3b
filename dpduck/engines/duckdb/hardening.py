"""Harden DuckDB databases that run queries of others: no files, no network, and limited memory.

There are two kinds: the data, and scratch databases, in which answers are computed from released rows.
An analyst's query may multiply a thousand released rows to billions at no charge, so a scratch database
has its own limits, in memory and on disk.
"""

from __future__ import annotations

import os
from contextlib import suppress

import duckdb

from dpduck.engines.duckdb.database import Database
from dpduck.engines.duckdb.temp_directory import spill_folder
from dpduck.kernel.accounting.amounts import half_of
from dpduck.kernel.errors import PolicyError
from dpduck.kernel.system.fork_lock import ForkLock
from dpduck.kernel.tree import emit

_HARDENED = """
    SELECT current_setting('lock_configuration') AND NOT current_setting('enable_external_access')
        AND NOT current_setting('autoinstall_known_extensions')
        AND NOT current_setting('autoload_known_extensions')
"""

PROGRESS_SETTINGS = ("enable_progress_bar", "enable_progress_bar_print")
# Settings that change the meaning of queries, which other code may have set for the whole process. Times with
# a time zone are shown in UTC, on each machine.
_MEANINGS = {
    "Calendar": "gregorian",
    "TimeZone": "UTC",
    "ieee_floating_point_ops": True,
    "integer_division": False,
    "max_expression_depth": 1000,
    "old_implicit_casting": False,
    "scalar_subquery_error_on_multiple_rows": True,
}
_SAME = {"TimeZone": ("Etc/UTC",)}
# How much DuckDB computes ahead of a reader, who may be slow: of its default, 1 MB, each reader has held 12.
_AHEAD = ("streaming_buffer_size", "256KB")
_OF_CURSORS = (*PROGRESS_SETTINGS, *_MEANINGS, _AHEAD[0])

Config = dict[str, str | bool | int | float | list[str]]

_settings = ForkLock()  # one thread hardens at a time: locked settings cannot be changed any more
# That of a parent stays as it is: what a child of a fork has of it works no more, and must not be closed.
_of_processes: dict[int, duckdb.DuckDBPyConnection] = {}
_SCRATCH_MEMORY = "2GB"  # if no limit is given
_SCRATCH_DISK = "10GB"
# Several threads that share a GROUP BY finish in any order, and so would its rows. With one, the order of an
# answer depends only on its query and the released rows.
_SCRATCH_THREADS = 1


def open_scratch(memory: str | None = None) -> duckdb.DuckDBPyConnection:
    """Open a hardened, empty database in memory for data that is public already.

    Input: the memory limit of the data; the scratch database gets half of it in addition (default: 2GB).
    Errors: OSError if no folder can be made for what does not fit into its memory.
    """
    config: Config = {
        "memory_limit": _SCRATCH_MEMORY if memory is None else half_of(memory),
        "max_temp_directory_size": _SCRATCH_DISK,
        "threads": _SCRATCH_THREADS,
    }
    connection = duckdb.connect(":memory:", config=config)
    connection.execute("SET GLOBAL TimeZone = 'UTC'")
    harden(connection)
    return connection


def scratch_of_process() -> duckdb.DuckDBPyConnection:
    """A connection to the scratch database that sessions of one process share, within its limits.

    DuckDB takes longer to open one than a query takes to be planned. Each answer has a cursor of its own.
    Errors: as of `open_scratch`.
    """
    with _settings:
        process = os.getpid()
        if process not in _of_processes:
            _of_processes[process] = open_scratch()
        return _of_processes[process].cursor()


def harden(connection: Database) -> None:
    """Lock a database's settings: no files, no network, no Python variables.

    Connections of one process to one file share these settings, so a later one finds them as they must be,
    except for Python variables, a setting of each cursor: no SQL of dpduck uses a name that could be one.
    The only settings left open are those that each read sets for itself.
    """
    with _settings:
        if connection.execute(_HARDENED).fetchall() != [(True,)]:
            _lock_settings(connection)


def cursor_of(connection: Database) -> duckdb.DuckDBPyConnection:
    """A cursor with the settings that queries assume, whatever others have set for the whole process.

    Errors: PolicyError if other settings are locked.
    """
    cursor = connection.cursor()
    asked = ", ".join(f"current_setting({emit.string(name)})" for name in _MEANINGS)
    [found] = cursor.execute(f"SELECT {asked}").fetchall()
    locked = ""
    for (name, wanted), value in zip(_MEANINGS.items(), found, strict=True):
        if value not in (wanted, *_SAME.get(name, ())):
            try:
                cursor.execute(f"SET {name} = {emit.string(str(wanted))}")
            except duckdb.Error:
                locked = name
    if locked:
        cursor.close()
        raise PolicyError(
            f"DuckDB's setting {locked} makes queries mean something else",
            detail="It is not as DuckDB has it, and the configuration is locked.",
            hint=f"SET GLOBAL {locked} = '{_MEANINGS[locked]}' before the configuration is locked.",
        )
    return cursor


def compute_little_ahead(cursor: duckdb.DuckDBPyConnection) -> None:
    """Let what a cursor streams wait for its reader, unless other code has locked that setting."""
    name, value = _AHEAD
    with suppress(duckdb.Error):
        cursor.execute(f"SET {name} = {emit.string(value)}")


def _lock_settings(connection: Database) -> None:
    # Where DuckDB could draw no progress bar, such as in Jupyter without ipywidgets, it refuses the setting.
    with suppress(duckdb.InvalidInputException):
        connection.execute("SET enable_progress_bar = false")
    for setting in (
        f"temp_directory = {emit.string(str(spill_folder()))}",
        "enable_external_access = false",
        "python_enable_replacements = false",
        "autoinstall_known_extensions = false",
        "autoload_known_extensions = false",
        f"allowed_configs = [{', '.join(map(emit.string, _OF_CURSORS))}]",
        "lock_configuration = true",
    ):
        connection.execute(f"SET {setting}")
