"""The types of $1, $2, ...: from an enclosing cast, or from the other side of a comparison."""

from __future__ import annotations

from sqlglot import exp

from dpduck.doors.gateway.pg_catalog.casts import duckdb_type
from dpduck.doors.gateway.pg_catalog.nodes import cast, outside, unwrap
from dpduck.doors.gateway.pg_catalog.vocabulary import OID, OIDS, TEXT, Vocabulary
from dpduck.kernel.errors import UnsupportedSqlError

_MOST = 100
_COMPARISONS = (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.In, exp.Between)


class Parameters:
    """Collects the parameters of one query."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._columns = vocabulary.columns
        self._types: dict[int, str] = {}

    def typed(self, node: exp.Expr) -> exp.Expr:
        """The parameter, cast to its type. Its first typed occurrence decides."""
        number = node.this.name if isinstance(node.this, exp.Literal) else ""
        if not number.isdigit() or not 1 <= int(number) <= _MOST:
            raise UnsupportedSqlError("parameters are written $1, $2, ...")
        found = self._type(node)
        known = self._types.setdefault(int(number), found or "")
        if not known and found:
            self._types[int(number)] = found
        return cast(node.copy(), found or TEXT)

    def types(self) -> tuple[str, ...]:
        """The types by DuckDB's names, in order of the parameters; a list of OIDs is oid[]."""
        found = (self._types.get(n) or TEXT for n in range(1, max(self._types, default=0) + 1))
        return tuple("oid[]" if kind == OIDS else kind for kind in found)

    def _type(self, node: exp.Expr) -> str | None:
        parent = outside(node)
        if isinstance(parent, exp.Cast):
            return duckdb_type(parent.to, as_input=True)
        if isinstance(parent, (exp.Limit, exp.Offset, exp.Fetch)):
            return OID
        if isinstance(parent, exp.Any):
            comparison = outside(parent)
            of = None if comparison is None else self._compared(comparison, parent)
            return f"{of or TEXT}[]"
        return None if parent is None else self._compared(parent, node)

    def _compared(self, comparison: exp.Expr, node: exp.Expr) -> str | None:
        if not isinstance(comparison, _COMPARISONS):
            return None
        for side in (comparison.this, comparison.args.get("expression")):
            side = None if side is None else unwrap(side)
            if isinstance(side, exp.Column) and side is not node:
                return self._columns.get(side.name.lower())
            if isinstance(side, exp.Cast):
                return duckdb_type(side.to, as_input=True)
        return None
