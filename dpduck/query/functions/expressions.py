"""Per-row expressions of a query as fresh, typed SQL that no row can make fail.

Every value is total (an operation without a result gives NULL for that row alone), deterministic, and
computed at a cost bounded by the query and the length of the texts in the row. What is supported, and with
which arguments, is in the `table`; all else is refused here or, before, at the gate.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from sqlglot import exp

from dpduck.errors import UnsupportedSqlError
from dpduck.query.functions import private_refusals, table
from dpduck.query.parse.nodes import refusal, unwrap
from dpduck.query.private import comparisons
from dpduck.query.private.bounds import Bounds, Ranges
from dpduck.query.private.casts import cast, within_width
from dpduck.query.private.operands import Constant, Operand, constant_of, standing_alone
from dpduck.query.private.type_rules import INTEGER, NULL, VARCHAR
from dpduck.query.tree import build
from dpduck.query.tree.duckdb import in_order, sql
from dpduck.query.tree.nodes import Expression
from dpduck.query.write import column_names
from dpduck.query.write.expression import Columns, Typed

MAX_EXPRESSION_SQL = 100_000  # characters of one expression, so that nothing grows without bound
_LISTS = (exp.And, exp.Or, exp.Not, exp.In)  # which are as long as what was asked, not longer


def expression(node: exp.Expr, columns: Columns) -> Typed:
    """The value that a node stands for in one row.

    Output: a node that can stand anywhere, its type, its public domain if it follows from the inputs'.
    Errors: UnsupportedSqlError, UnknownNameError, before any row is read.
    """
    node = unwrap(node)
    if isinstance(node, exp.Column):
        return columns.resolve(node)
    value = _RowReader(columns).value(node)
    if value.type == NULL:
        value = replace(value, type=INTEGER)
    return replace(value, name=column_names.name_of(node), column=None)


def condition(node: exp.Expr, columns: Columns) -> Expression:
    """The expression as a condition: a BOOLEAN. Errors: as of `expression`."""
    return _RowReader(columns).condition(node)


def conditions(node: exp.Expr, columns: Columns) -> tuple[Expression, ...]:
    """The conditions that an expression joins by AND, each once, in an order that depends on them alone.

    So two queries that say the same in another order have the same score SQL. Errors: as of `expression`.
    """
    node, reader = unwrap(node), _RowReader(columns)
    if not isinstance(node, exp.And):
        return (reader.condition(node),)
    return tuple(in_order(comparisons.links(node, reader)))


def bounds_of(node: exp.Expr, columns: Columns) -> Bounds | None:
    """The public range of a number, or None if it has none."""
    return Ranges(columns, table.RANGES).of(node)


class _RowReader:
    """Translates the expressions over the columns of one block."""

    def __init__(self, columns: Columns) -> None:
        self.columns = columns
        # By the node's identity: some ask for an argument twice, which nested would double with each level.
        self._known: dict[int, tuple[exp.Expr, Operand]] = {}

    def raw(self, node: exp.Expr) -> Operand:
        if id(node) not in self._known:
            constant = constant_of(node)
            self._known[id(node)] = node, self._compound(node) if constant is None else constant
        return self._known[id(node)][1]

    def operand(self, node: exp.Expr) -> Operand:
        value = self.compared(node)
        if isinstance(value, Typed) and isinstance(unwrap(node), exp.Column) and not _is_computed(value):
            return replace(value, node=within_width(value.node, value.type))
        return value

    def compared(self, node: exp.Expr) -> Operand:
        value = self.raw(node)
        if isinstance(value, Constant):
            return value
        if value.type.kind == "enum":
            return replace(value, node=cast(value.node, value.type, VARCHAR), type=VARCHAR)
        if value.type.kind == "other":
            raise _unreadable(value, node)
        return value

    def typed(self, node: exp.Expr) -> Typed:
        value = self.operand(node)
        return standing_alone(value) if isinstance(value, Constant) else value

    def value(self, node: exp.Expr) -> Typed:
        value = self.raw(node)
        return standing_alone(value) if isinstance(value, Constant) else value

    def condition(self, node: exp.Expr) -> Expression:
        value = self.value(node)
        if value.type == NULL:
            return build.UNKNOWN
        if value.type.kind != "boolean":
            raise comparisons.not_a_condition(node, value)
        return value.node

    def ends(self, node: exp.Expr) -> tuple[Fraction, Fraction] | None:
        bounds = bounds_of(node, self.columns)
        return None if bounds is None else (bounds.low, bounds.high)

    def _compound(self, node: exp.Expr) -> Operand:
        node = unwrap(node)
        if isinstance(node, exp.Column):
            return self.columns.resolve(node)
        write = table.private_writer(node)
        if write is None:
            raise private_refusals.of_function(node) or private_refusals.of_node(node)
        _check_arguments(node)
        value = write(node, self)
        if isinstance(value, Constant):
            return value
        if len(sql(value.node)) > MAX_EXPRESSION_SQL and not isinstance(node, _LISTS):
            raise refusal(
                "this expression is too long",
                f"Written out it may have {MAX_EXPRESSION_SQL:,} characters.",
                "Use a shorter one.",
                node,
            )
        return value


def _is_computed(value: Typed) -> bool:
    """Whether it is a column that a subquery computes."""
    return value.origin is not None and not isinstance(unwrap(value.origin[0]), exp.Column)


def _check_arguments(node: exp.Expr) -> None:
    """The gate may let more through, for other parts of a query that use the same nodes."""
    for name, value in node.args.items():
        if value not in (None, False, []) and name not in table.ALLOWED[type(node)]:
            raise private_refusals.of_argument(node, name)


def _unreadable(value: Typed, node: exp.Expr) -> UnsupportedSqlError:
    name = value.name or "this value"
    zone = "ZONE" in value.type.name
    return refusal(
        f"{name} cannot be used in an expression",
        f"It is of type {value.type.name}" + (", whose parts depend on a setting." if zone else "."),
        "Use a number, text, BOOLEAN, DATE or TIMESTAMP column; a view of the owner can convert others.",
        node,
    )
