"""What a session may call a temporary view, and how many it may have."""

from __future__ import annotations

from dpduck.compiler.parse.postgres import PostgresReading
from dpduck.doors.gateway.commands import CreateView
from dpduck.doors.gateway.errors import RelationExistsError, TooManyError
from dpduck.kernel.catalog.model import Catalog
from dpduck.kernel.errors import UnsupportedSqlError

_MOST = 100  # views of one session
_MOST_TEXT = 10_000  # characters of a view's query


def check_view(command: CreateView, reading: PostgresReading, catalog: Catalog) -> None:
    """Check the name and the size of a new view, which must not hide a table.

    Errors: RelationExistsError, TooManyError, UnsupportedSqlError.
    """
    name = command.name
    if name.startswith(("pg_", "dp_")):
        raise UnsupportedSqlError("names of views do not begin with pg_ or dp_", hint="Choose another name.")
    if catalog.has(name) or (reading.has_view(name) and not command.replaces):
        raise RelationExistsError(
            f"there is a table or view {name[:60]!r} already", hint="Choose another name."
        )
    if len(command.sql) > _MOST_TEXT:
        raise TooManyError(
            "the query of the view is too long", detail=f"It has at most {_MOST_TEXT} characters."
        )
    if len(reading.views) >= _MOST and not reading.has_view(name):
        raise TooManyError(f"a connection keeps at most {_MOST} views", hint="Drop one, or send DISCARD ALL.")


def quoted(name: str) -> str:
    """A name as SQL has it."""
    return '"' + name.replace('"', '""') + '"'
