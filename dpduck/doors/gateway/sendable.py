"""Whether an answer can be sent as the client was told, which is checked before anything is charged."""

from __future__ import annotations

from collections.abc import Sequence

from dpduck.doors.gateway.portals import Portal
from dpduck.kernel.errors import SqlSyntaxError
from dpduck.kernel.plan.model import Output


def check_sendable(portal: Portal, columns: tuple[Output, ...] | None) -> None:
    """Check formats and announced columns. Errors: SqlSyntaxError, those of formats."""
    if columns is not None:
        portal.column_formats(columns)
    for told in portal.promised:
        _check_same(told, columns)


def _check_same(described: Sequence[Output] | None, columns: Sequence[Output] | None) -> None:
    """Check that the columns have the types that were announced, by which the client decodes them."""
    if [o.type for o in described or ()] != [o.type for o in columns or ()]:
        raise SqlSyntaxError(
            "with these values the columns are of other types than was said",
            detail="The client reads the rows by the types that it was told.",
            hint="Prepare the statement again, or write the values into the query.",
        )
