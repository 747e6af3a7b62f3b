"""WHERE as freshly written SQL that no row can make fail: expressions of type BOOLEAN."""

from __future__ import annotations

from sqlglot import exp

from dpduck.query.expressions import condition_of
from dpduck.query.typed import Columns


def condition(node: exp.Expr, columns: Columns) -> str:
    """A condition on one row, as SQL of a BOOLEAN.

    Errors: UnsupportedSqlError, UnknownNameError, before any row is read.
    """
    return condition_of(node, columns)
