"""Joins of rows: which of them are read, and what is equal in the rows that they select."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from dpduck.compiler.block.rows import Instance, KeptRows, Scope, SourceRows, Visible
from dpduck.compiler.functions.expressions import conditions, expression
from dpduck.compiler.parse.nodes import position_of, refusal, unwrap
from dpduck.compiler.private.type_rules import compares_exactly
from dpduck.kernel.catalog.model import fold
from dpduck.kernel.errors import UnknownNameError
from dpduck.kernel.tree.nodes import Comparison, Expression
from dpduck.kernel.tree.relations import (
    GroupedTables,
    JoinedTables,
)
from dpduck.kernel.tree.walk import has_subquery

_SUPPORTED_JOINS = {("", ""), ("", "INNER"), ("LEFT", ""), ("LEFT", "OUTER"), ("", "CROSS")}
_OUTER = (
    "It keeps rows of the right that have no partner, so one person's rows decide about rows of others.",
    "Write LEFT JOIN, with the private table on the left.",
)
_UNKNOWN_JOIN = ("It is not among those whose effect is known.", "Write JOIN ... ON or LEFT JOIN ... ON.")
_WHY_NOT = {
    "NATURAL": ("Which columns are compared depends on the schema.", "Write JOIN ... USING (column)."),
    "ASOF": ("It chooses among partners, which may belong to others.", "Write JOIN ... ON a.x = b.x."),
    "POSITIONAL": ("Rows have no order of their own.", "Write JOIN ... ON a.x = b.x."),
    "SEMI": (
        "Whether a row has a partner is a condition, and a join could multiply rows that are counted.",
        "Write WHERE EXISTS (SELECT 1 FROM w WHERE w.uid = v.uid AND w.page = v.page).",
    ),
    "ANTI": ("Rows without a partner are found otherwise.", "Write LEFT JOIN ... WHERE b.x IS NULL."),
    "RIGHT": _OUTER,
    "FULL": _OUTER,
}


def joined(left: SourceRows, right: SourceRows, join: exp.Join, scope: Scope) -> SourceRows:
    kind = (join.side, join.kind)
    if kind not in _SUPPORTED_JOINS or join.args.get("method"):
        words = " ".join(part for part in (join.method, *kind) if part)
        detail, hint = _WHY_NOT.get(join.method or join.kind or join.side, _UNKNOWN_JOIN)
        raise refusal(f"{words} JOIN is not supported", detail, hint, join)
    if right.kept is not None or (left.kept is not None and join.side != "LEFT"):
        raise _joined_to_kept(join)
    if join.side == "LEFT":
        right = _joinable(right, join, scope)
        if _reads_public_alone(left) and not _reads_public_alone(right):
            return _kept_join(left, right, join)
        return _left_join(left, right, join)
    other = right.source if len(right.instances) == 1 else GroupedTables(right.source)
    both = SourceRows(
        left.instances + right.instances,
        JoinedTables(left.source, "CROSS JOIN", other),
        left.conditions + right.conditions,
        left.columns + right.columns,
        left.equal | right.equal,
        left.scope,
    )
    both, tests, equal = _joined_on(both, left, right, join)
    if tests:
        both = replace(both, source=JoinedTables(left.source, "JOIN", other, tuple(tests)))
    return replace(both, equal=both.equal | equal)


def _joinable(right: SourceRows, join: exp.Join, scope: Scope) -> SourceRows:
    """Return the right side of a LEFT JOIN as one table: its rows as a derived one if they are computed."""
    is_table = len(right.instances) == 1 and all(_plain(column, right) for column in right.columns)
    is_table = is_table and not any(map(has_subquery, right.conditions))
    if is_table or not any(one.table.private for one in right.instances):
        return right
    return scope.materialize(right, scope, join)


def _left_join(left: SourceRows, right: SourceRows, join: exp.Join) -> SourceRows:
    """Build a LEFT JOIN. The right side's filters move into ON; its columns must be plain columns.

    An expression there could be other than NULL where no row matches, such as coalesce(x, 0).
    """
    instance = replace(_only_table(right, join), optional=True)
    columns = left.columns + right.columns
    both = SourceRows(
        (*left.instances, instance), left.source, left.conditions, columns, left.equal, left.scope, left.kept
    )
    both, tests, equal = _joined_on(both, left, right, join)
    if not tests:
        raise _no_condition(join)
    if left.kept is not None:
        both = replace(both, kept=_kept_without(left.kept, instance, equal, join))
    source = JoinedTables(left.source, "LEFT JOIN", right.source, (*tests, *right.conditions))
    # A matched right row equals its partners; an unmatched one is all NULL, so it has no other unit.
    # Equalities between two columns of the left side filter no rows, so they do not hold afterwards.
    met = frozenset(pair for pair in equal if sum(map(instance.owns, pair)) == 1)
    instances = (*left.instances, replace(instance, met=met, on=(*tests, *right.conditions)))
    return replace(both, source=source, instances=instances)


def _kept_join(left: SourceRows, right: SourceRows, join: exp.Join) -> SourceRows:
    """Build the LEFT JOIN of public rows with private ones: an inner join, and the rows that it leaves out.

    Whether a public row has a partner is private, so the block must not depend on it: see `kept_rows`.
    """
    instance = _only_table(right, join)
    both = SourceRows(
        (*left.instances, instance),
        left.source,
        left.conditions,
        left.columns + right.columns,
        left.equal | right.equal,
        left.scope,
    )
    both, tests, equal = _joined_on(both, left, right, join)
    if not tests:
        raise _no_condition(join)
    on = (*tests, *right.conditions)
    source = JoinedTables(left.source, "JOIN", right.source, on)
    return replace(both, source=source, equal=both.equal | equal, kept=KeptRows((instance,), on))


def _kept_without(
    kept: KeptRows, instance: Instance, equal: frozenset[frozenset[Expression]], join: exp.Join
) -> KeptRows:
    """Return the kept rows after a LEFT JOIN in which none of them finds a partner.

    Errors: UnsupportedSqlError if its condition does not say that.
    """
    if not any(any(map(instance.owns, pair)) and any(map(kept.are_null, pair)) for pair in equal):
        raise _joined_to_kept(join)
    return replace(kept, absent=(*kept.absent, instance))


def _reads_public_alone(rows: SourceRows) -> bool:
    return not any(one.table.private for one in rows.instances)


def _joined_to_kept(join: exp.Join) -> Exception:
    return refusal(
        "a LEFT JOIN that keeps rows of a public table is joined further",
        "Which of its rows have a partner is private, and this join could depend on it.",
        "Join the public tables first, and the private ones LEFT JOIN ... ON their keys after that; or write "
        "JOIN in place of LEFT JOIN.",
        join,
    )


def _only_table(right: SourceRows, join: exp.Join) -> Instance:
    """Return the one table on the right of a LEFT JOIN. Errors: UnsupportedSqlError if it computes."""
    if len(right.instances) == 1 and all(_plain(column, right) for column in right.columns):
        return right.instances[0]
    raise refusal(
        "the right side of this LEFT JOIN is not supported",
        "Its expressions would have to be NULL where no row matches.",
        "Join the table itself, and compute with its columns outside.",
        join,
    )


def _plain(column: Visible, rows: SourceRows) -> bool:
    instance = rows.instances[0]
    return instance.owns(column.value.node)


def _joined_on(
    both: SourceRows, left: SourceRows, right: SourceRows, join: exp.Join
) -> tuple[SourceRows, list[Expression], frozenset[frozenset[Expression]]]:
    """Return the rows, the join condition, and the column pairs that it makes equal.

    USING hides the right column, so that the unqualified name is the left one.
    """
    using = [node.name for node in join.args.get("using") or ()]
    if using:
        for name in using:
            _check_has(left, name, join)
            _check_has(right, name, join)
        pairs = [(left.resolve(exp.column(name)), right.resolve(exp.column(name))) for name in using]
        for one, two in pairs:
            if one.type != two.type:
                raise refusal(
                    "USING needs columns of one type",
                    f"{one.name} is of type {one.type.name}, {two.name} of type {two.type.name}.",
                    "Declare both columns with the same type.",
                    join,
                )
        hidden = {column for column in right.columns if fold(column.name) in set(map(fold, using))}
        columns = tuple(replace(c, hidden=True) if c in hidden else c for c in right.columns)
        tests: list[Expression] = [Comparison("=", one.node, two.node) for one, two in pairs]
        equal = frozenset(frozenset((one.node, two.node)) for one, two in pairs)
        return replace(both, columns=left.columns + columns), tests, equal
    on = join.args.get("on")
    if on is None:
        return both, [], frozenset()
    return both, list(conditions(on, both)), equalities(on, both)


def _check_has(side: SourceRows, name: str, join: exp.Join) -> None:
    """Refuse USING of a column that one side of a join lacks: the other side may well have it."""
    qualifiers = list(dict.fromkeys(one.qualifier for one in side.columns if one.qualifier))
    if not side.is_column(exp.column(name)) and len(qualifiers) > 1:
        raise UnknownNameError(
            f"USING ({name}) needs a column {name} on each side of the join",
            detail=f"None of {', '.join(qualifiers)} has one.",
            hint="Write JOIN ... ON a.x = b.y, which takes columns of different names.",
            position=position_of(join),
        )


def _no_condition(join: exp.Join) -> Exception:
    return refusal(
        "a join needs a condition",
        "Without one every row meets every other.",
        "Write JOIN shops ON visits.shop = shops.id.",
        join,
    )


def equalities(node: exp.Expr, rows: SourceRows) -> frozenset[frozenset[Expression]]:
    """Return the pairs that are exactly equal, without rounding, where the condition is true.

    These are the a = b among its ANDs, or in every branch of an OR; one of them is a column.
    """
    pairs: set[frozenset[Expression]] = set()
    stack = [unwrap(node)]
    while stack:
        link = unwrap(stack.pop())
        if isinstance(link, exp.And):
            stack += [link.this, link.args["expression"]]
        elif isinstance(link, exp.Or):
            branches = [equalities(branch, rows) for branch in _branches(link)]
            pairs |= frozenset.intersection(*branches)
        elif isinstance(link, exp.EQ):
            sides = unwrap(link.this), unwrap(link.args["expression"])
            is_plain = not any(side.find(exp.Query) for side in sides)
            if is_plain and any(isinstance(side, exp.Column) for side in sides):
                one, two = (expression(side, rows) for side in sides)
                if compares_exactly(one.type, two.type):
                    pairs.add(frozenset((one.node, two.node)))
    return frozenset(pairs)


def _branches(node: exp.Expr) -> list[exp.Expr]:
    """Return the operands of a chain of ORs, without recursion."""
    branches, stack = [], [node]
    while stack:
        part = unwrap(stack.pop())
        if isinstance(part, exp.Or):
            stack += [part.this, part.args["expression"]]
        else:
            branches.append(part)
    return branches
