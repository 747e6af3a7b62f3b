"""Translates scalar expressions over a private row to typed SQL that cannot fail on any row.

The translation is total (an operation without a result gives NULL for that row alone) and deterministic, and
its cost is bounded by the query and the lengths of the strings in the row. The `table` lists the supported
functions and their arguments; everything else is refused here, or earlier by the validator.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from sqlglot import exp

from dpduck.compiler.functions import private_refusals, table
from dpduck.compiler.parse.nodes import field_of, refusal, unwrap
from dpduck.compiler.parse.tool_forms import listed
from dpduck.compiler.private import comparisons
from dpduck.compiler.private.bounds import Bounds, Ranges
from dpduck.compiler.private.casts import cast, within_width
from dpduck.compiler.private.operands import Constant, Operand, as_typed, constant_of
from dpduck.compiler.private.type_rules import INTEGER, NULL, VARCHAR
from dpduck.compiler.write import column_names
from dpduck.kernel.errors import UnsupportedSqlError
from dpduck.kernel.plan.expression import Columns, Ends, Typed, Unprinted
from dpduck.kernel.tree import build
from dpduck.kernel.tree.duckdb import in_order, sql
from dpduck.kernel.tree.nodes import Expression

MAX_EXPRESSION_SQL = 100_000  # characters of the SQL of one expression
_PARTS = (exp.Bracket, exp.JSONExtractScalar)  # which may have a domain of their own
_LISTS = (exp.And, exp.Or, exp.Not, exp.In)  # whose SQL grows linearly with the query


def expression(node: exp.Expr, columns: Columns) -> Typed:
    """Translate the expression that a node denotes in one row.

    Output: a self-contained node, its type, and its public domain if the operands' domains imply one.
    Errors: UnsupportedSqlError, UnknownNameError, before any row is read.
    """
    node = unwrap(node)
    name = field_of(node) or node
    if isinstance(name, exp.Column):
        return columns.resolve(name)
    value = _RowReader(columns).value(node)
    if value.type == NULL:
        value = replace(value, type=INTEGER)
    column = value.column if isinstance(node, _PARTS) else None
    return replace(value, named=Unprinted(lambda: column_names.name_of(node)), column=column)


def condition(node: exp.Expr, columns: Columns) -> Expression:
    """Translate a predicate, a BOOLEAN expression. Errors: as `expression`."""
    return _RowReader(columns).condition(node)


def conditions(node: exp.Expr, columns: Columns) -> tuple[Expression, ...]:
    """Translate the conjuncts of a predicate, without repeats and in a canonical order.

    So two queries that differ in their order alone have the same score SQL. Errors: as `expression`.
    """
    node, reader = unwrap(node), _RowReader(columns)
    if not isinstance(node, exp.And):
        return (reader.condition(node),)
    return tuple(in_order(comparisons.chain_operands(node, reader)))


def bounds_of(node: exp.Expr, columns: Columns) -> Bounds | None:
    """Return the public range of a number, or None if an endpoint is unknown."""
    return Ranges(columns, table.RANGES, _RowReader).of(node)


def endpoints_of(node: exp.Expr, columns: Columns) -> Ends:
    """Return the ends of the public range of a number, as far as they are known."""
    return Ranges(columns, table.RANGES, _RowReader).endpoints(node)


class _RowReader:
    """Translates the expressions over the columns of one block; see `ExpressionReader`."""

    def __init__(self, columns: Columns) -> None:
        self.columns = columns
        # Memoized by node identity: some writers read an argument twice, which is exponential when nested.
        self._operands: dict[int, tuple[exp.Expr, Operand]] = {}

    def raw(self, node: exp.Expr) -> Operand:
        if id(node) not in self._operands:
            constant = constant_of(node)
            self._operands[id(node)] = node, self._compound(node) if constant is None else constant
        return self._operands[id(node)][1]

    def operand(self, node: exp.Expr) -> Operand:
        value = self.compared(node)
        name = field_of(node) or unwrap(node)
        if isinstance(value, Typed) and isinstance(name, exp.Column) and not _is_computed(value):
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
        return as_typed(self.operand(node))

    def value(self, node: exp.Expr) -> Typed:
        return as_typed(self.raw(node))

    def condition(self, node: exp.Expr) -> Expression:
        value = self.value(node)
        if value.type == NULL:
            return build.UNKNOWN
        if value.type.kind != "boolean":
            raise comparisons.not_a_condition(node, value)
        return value.node

    def range_of(self, node: exp.Expr) -> tuple[Fraction, Fraction] | None:
        bounds = bounds_of(node, self.columns)
        return None if bounds is None else (bounds.low, bounds.high)

    def _compound(self, node: exp.Expr) -> Operand:
        node = unwrap(node)
        name = field_of(node) or node
        if isinstance(name, exp.Column):
            return self.columns.resolve(name)
        if isinstance(node, exp.In):
            node, query = listed(node), node
            if node is not query:
                comparisons.check_member(node, self)
        if isinstance(node, (exp.Exists, exp.Subquery)) or node.args.get("query"):
            return self.columns.subquery(node)
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
    """Whether the value is a column of a subquery that computes it, not a column of a table."""
    return value.origin is not None and not isinstance(unwrap(value.origin[0]), exp.Column)


def _check_arguments(node: exp.Expr) -> None:
    """Refuse arguments that are not allowed here: the validator allows those of public SQL, too."""
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
