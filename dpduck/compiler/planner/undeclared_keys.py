"""Says of keys without a public domain what the owner can declare, and what the query can do without it."""

from __future__ import annotations

from fractions import Fraction

from sqlglot import exp

from dpduck.compiler.block.missing_range import ROWS
from dpduck.compiler.block.question import AggregateQuery
from dpduck.compiler.parse.nodes import position_of, refusal
from dpduck.kernel.catalog.model import written
from dpduck.kernel.errors import DpduckError, PolicyError
from dpduck.kernel.errors.advice import Action, BoundGroups, BoundRows, ByOwner, DeclareDomain, Hint, SetTo
from dpduck.kernel.plan.aggregates import Count
from dpduck.kernel.plan.expression import Typed
from dpduck.kernel.plan.keys import Key
from dpduck.kernel.tree.nodes import ColumnRef
from dpduck.kernel.tree.walk import columns_in


def no_domains(
    question: AggregateQuery, delta: Fraction, node: exp.Expr, *, needs_bound: bool
) -> PolicyError:
    """Return the error for keys without a domain, with all ways out of it.

    Input: `needs_bound`: neither the policy nor the schema bounds the groups of a unit.
    """
    has_delta = delta > 0
    found = {value.node: (key, value) for key, value in question.keys if key.domain is None}
    unknown = [value for _, value in found.values()]
    detail = "Keys taken from private rows would reveal who is present."
    ways: list[str | Action] = [] if has_delta else [", or ", SetTo("dp_delta", "1e-6")]
    if question.top is None and needs_bound:
        unit = question.owned.root.unit
        detail += f" With a delta they can be shown if the number of groups of one {unit} is bounded."
        bound = BoundGroups(question.owned.tables[0].name, 5)
        ways += [", or ", bound, *_ranked_by_count(question)] if has_delta else [" and ", bound]
    declared = dict.fromkeys(
        way for key, value in found.values() for way in _declarations(key, value, question)
    )
    listed = [part for way in declared for part in (", and ", way)][1:]
    return PolicyError(
        ", and ".join(map(_undeclared, unknown)),
        detail=detail,
        hint=Hint.of(*listed, *ways, "."),
        position=position_of(node),
    )


def groups_of_one(question: AggregateQuery, node: exp.Expr) -> DpduckError:
    """Return the error for keys of which each value is of one unit: no threshold lets such a group pass."""
    unit, instances = written(question.owned.unit.name), question.owned.rows.instances
    names = " and ".join(dict.fromkeys(value.name or "this expression" for _, value in question.keys))
    source = written(instances[0].table.name) if len(instances) == 1 else "..."
    return refusal(
        f"each group of {names} is of one {unit} at most",
        "A group is shown if it has enough of them, so none would be, whatever epsilon and delta are.",
        f"Group by another column. How many {unit} have 1, 2, 3 ... rows: SELECT n, count(*) FROM "
        f"(SELECT {unit}, least(count(*), 10) AS n FROM {source} GROUP BY {unit}) GROUP BY n.",
        node,
    )


def no_totals(question: AggregateQuery, delta: Fraction, node: exp.Expr) -> PolicyError:
    """Return the error for totals of groups that would have to be found in private rows."""
    found = {value.node: (key, value) for key, value in question.keys if key.domain is None}
    unknown = [value for _, value in found.values()]
    declared = dict.fromkeys(
        way for key, value in found.values() for way in _declarations(key, value, question)
    )
    listed = [part for way in declared for part in (", and ", way)][1:]
    return PolicyError(
        ", and ".join(map(_undeclared, unknown)),
        detail="A total is of all groups; of keys found in private rows those of few people are hidden.",
        hint=Hint.of(
            *listed,
            ", or ask for each set of keys in a query of its own, as in GROUP BY page "
            "ORDER BY count(*) DESC LIMIT 10",
            *((" after ", SetTo("dp_delta", "1e-6")) if delta == 0 else ()),
            ".",
        ),
        position=position_of(node),
    )


def no_domain(value: Typed, node: exp.Expr, *, delta_helps: bool = True) -> PolicyError:
    """Return the error for candidates that would have to come from private rows."""
    return PolicyError(
        _undeclared(value),
        detail="Keys taken from private rows would reveal who is present.",
        hint=Hint.of(
            _declaration(value), *((", or ", SetTo("dp_delta", "1e-6")) if delta_helps else ()), "."
        ),
        position=position_of(node),
    )


def _undeclared(value: Typed) -> str:
    named = f"expression {value.name}" if value.name else "this expression"
    return f"{f'column {value.name}' if value.column else named} has no public domain"


def _declaration(value: Typed) -> Action | str:
    """Return the advice how to declare a public domain for a value."""
    if value.column is None:
        return "Declare the PRIVACY DOMAIN of the columns in it"
    return _declared(*value.column, value.type.kind)


def _ways_to_bound(value: Typed, column: str) -> Hint:
    """Return the advice for a key that is computed of several rows of a unit."""
    name = column if isinstance(value.node, ColumnRef) else value.name
    ways: list[Action | str] = [f"Write a range, as in least({name}, {ROWS})"]
    tables = [lack.table for lack in value.lacks if lack.column is None]
    for number, table in enumerate(tables if len(tables) == len(value.lacks) else ()):
        bound = BoundRows(table, ROWS)
        ways += [", and ", bound] if number else [", or ", ByOwner(bound)]
    return Hint.of(*ways)


def _declared(table: str, column: str, kind: str, *, in_part: bool = False) -> DeclareDomain:
    """Return an example of a domain for a column of that kind. `in_part`: an expression of it is the key."""
    match kind:
        case "timestamp" if in_part:
            return DeclareDomain(table, column, ("2024-01-01", "2024-12-31"), is_range=True)
        case "date":
            return DeclareDomain(table, column, ("2024-01-01", "2024-12-31"), is_range=True)
        case "timestamp":
            return DeclareDomain(table, column, ("2024-01-01 00:00:00",))
        case "text":
            return DeclareDomain(table, column, ("a", "b"), is_text=True)
    return DeclareDomain(table, column, (1, 2))


def _ranked_by_count(question: AggregateQuery) -> list[str]:
    """Return how to ask for the largest groups, of a query whose order and limit this does not change."""
    count = _count_of_units(question)
    if question.limit is not None or question.offset:
        return []
    if not question.order:
        return [f", or add ORDER BY {count} DESC LIMIT 10"]
    first = question.order[0]
    ranks = any(
        isinstance(one, Count)
        and one.column == first.value.column
        and one.rows is None
        and not one.is_unsigned
        for one in question.requests
    )
    return [", or add LIMIT 10"] if first.descending and ranks else []


def _count_of_units(question: AggregateQuery) -> str:
    """Return the count by which groups are ranked: of units, also where count(*) counts rows."""
    owned = question.owned
    instance = next(one for one in owned.rows.instances if one.owns(owned.unit))
    if owned.rows_bound is None or owned.one_row or instance.derivation is not None:
        return "count(*)"
    return f"count(DISTINCT {written(owned.unit.name)})"


def _declarations(key: Key, value: Typed, question: AggregateQuery) -> list[Action | str | Hint]:
    """Return the advice how to declare a public domain for a key: for each of its columns without one."""
    if value.column is not None:
        return [_declaration(value)]
    instances = question.owned.rows.instances
    found: list[Action | str | Hint] = []
    for column in dict.fromkeys(columns_in(value.node)):
        instance = next(one for one in instances if one.owns(column))
        table = instance.table
        if instance.derivation is not None:
            found.append(_ways_to_bound(value, key.name))
        elif column.type.kind == "other":
            if value.type.kind == "integer":
                found.append(f"Group by greatest(least({value.name}, 9), 0)")
        elif table.private and table.column(column.name).domain is None:
            found.append(_declared(table.name, column.name, column.type.kind, in_part=True))
    return found or ["Group by the columns in it"]
