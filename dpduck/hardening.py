"""What no DuckDB does whose queries others write: touch files or the network, or take all of a machine.

There are two kinds: the data, and scratch databases, in which the answers of what was released are computed.
A query of an analyst may multiply a thousand released rows to billions at no charge, so a scratch database
has a limit of its own, in memory and on disk.
"""

from __future__ import annotations

import threading

import duckdb

from dpduck.quantities import half_of
from dpduck.query import emit
from dpduck.spilling import spill_folder

_HARDENED = """
    SELECT current_setting('lock_configuration') AND NOT current_setting('enable_external_access')
        AND NOT current_setting('autoinstall_known_extensions')
        AND NOT current_setting('autoload_known_extensions')
"""

PROGRESS_SETTINGS = ("enable_progress_bar", "enable_progress_bar_print")
_OF_CURSORS = (*PROGRESS_SETTINGS, "ieee_floating_point_ops")  # which each may change for itself

Config = dict[str, str | bool | int | float | list[str]]

_settings = threading.Lock()  # one thread hardens: what another has locked cannot be set any more
_SCRATCH_MEMORY = "2GB"  # where nobody has said how much there is
_SCRATCH_DISK = "10GB"
# Where several share a GROUP BY, they finish in any order, and so would its rows. With one, the order of an
# answer follows from its query and the released rows.
_SCRATCH_THREADS = 1


def open_scratch(memory: str | None = None) -> duckdb.DuckDBPyConnection:
    """An empty database in memory for what may be seen already, hardened.

    Input: the limit of memory of the data, of which it takes half as much besides (default: 2GB).
    Errors: OSError if there is no place for what does not fit into its memory.
    """
    config: Config = {
        "memory_limit": _SCRATCH_MEMORY if memory is None else half_of(memory),
        "max_temp_directory_size": _SCRATCH_DISK,
        "threads": _SCRATCH_THREADS,
    }
    connection = duckdb.connect(":memory:", config=config)
    harden(connection)
    return connection


def harden(connection: duckdb.DuckDBPyConnection) -> None:
    """No files, no network, no Python variables; and nobody can change that any more.

    Connections of one process to one file share these settings, so a later one finds them as they must be,
    but for Python variables, which are a matter of each cursor: no SQL of ours names what could be one. What
    may still be set is what each reading sets for itself.
    """
    with _settings:
        if connection.execute(_HARDENED).fetchall() != [(True,)]:
            _lock_settings(connection)


def _lock_settings(connection: duckdb.DuckDBPyConnection) -> None:
    for setting in (
        f"temp_directory = {emit.string(str(spill_folder()))}",
        "enable_external_access = false",
        "python_enable_replacements = false",
        "autoinstall_known_extensions = false",
        "autoload_known_extensions = false",
        "enable_progress_bar = false",
        f"allowed_configs = [{', '.join(map(emit.string, _OF_CURSORS))}]",
        "lock_configuration = true",
    ):
        connection.execute(f"SET {setting}")
