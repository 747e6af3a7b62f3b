"""Narrows public domains by the conditions of a query, on public values alone.

A selected row meets every condition of WHERE and of the inner joins. So a value of a column, or of an
expression, for which one of these conditions is not true is in no selected row: it is no candidate, whatever
the private rows are. Comparisons with constants are solved on the grid; DuckDB evaluates other conditions
for each value of a domain.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from dpduck.compiler.block.narrowed_ranges import MIRRORED as MIRRORED
from dpduck.compiler.block.rows import SourceRows
from dpduck.compiler.functions.expressions import expression
from dpduck.kernel.arrow.strings import text
from dpduck.kernel.catalog.model import Domain, RangeDomain, ValuesDomain, ticks
from dpduck.kernel.catalog.types import ConversionError, convert, parse_type
from dpduck.kernel.plan.expression import Typed
from dpduck.kernel.plan.public_facts import PublicValues
from dpduck.kernel.tree import build
from dpduck.kernel.tree.emit import LIST
from dpduck.kernel.tree.nodes import (
    VARCHAR,
    ColumnRef,
    Comparison,
    Connective,
    Expression,
    Literal,
    RangeTest,
)
from dpduck.kernel.tree.relations import ReaderTable, SelectQuery
from dpduck.kernel.tree.walk import columns_in, filters_of, has_subquery, rewritten, ungrouped

MOST_VALUES = 100_000  # of a domain, for each of which conditions are evaluated
KINDS = frozenset({"integer", "decimal", "text", "date", "timestamp", "boolean", "enum"})

_NUMBER = ColumnRef("g", "i", parse_type("BIGINT"), is_ours=True)


def narrowed_columns(rows: SourceRows, facts: PublicValues) -> dict[ColumnRef, Domain]:
    """Return the columns of FROM whose domains the conditions narrow, each with the domain that remains."""
    tests: dict[ColumnRef, list[Expression]] = defaultdict(list)
    for condition in conditions_of(rows):
        columns = set(columns_in(condition))
        if len(columns) == 1:
            tests[columns.pop()].append(condition)
    found = {}
    for column, own in tests.items():
        domain = _domain_of(column, rows)
        if domain is not None:
            left = narrowed(domain, column, own, facts)
            if left != domain:
                found[column] = left
    return found


def with_domains(rows: SourceRows, domains: Mapping[ColumnRef, Domain]) -> SourceRows:
    """Return the rows with other domains of columns, and of what subqueries compute of them."""
    return rows.with_values(lambda value: _with_domain(value, domains))


def _with_domain(value: Typed, domains: Mapping[ColumnRef, Domain]) -> Typed:
    if value.origin is not None and isinstance(value.origin[1], SourceRows):
        node, inner = value.origin[0], with_domains(value.origin[1], domains)
        return replace(expression(node, inner), origin=(node, inner))
    if isinstance(value.node, ColumnRef) and value.node in domains:
        return replace(value, domain=domains[value.node])
    return value


def conditions_of(rows: SourceRows) -> list[Expression]:
    """Return the conditions that each row of the block meets, also those that LEFT JOIN keeps."""
    kept = () if rows.kept is None else rows.kept.on
    found = [*rows.conditions, *(test for test in filters_of(rows.source) if test not in kept)]
    return split(found)


def split(conditions: Iterable[Expression]) -> list[Expression]:
    """Return the operands of ANDs that read no rows besides that of FROM."""
    links = [link for condition in conditions for link in _links(condition)]
    return [link for link in links if not has_subquery(link)]


def _links(condition: Expression) -> Iterator[Expression]:
    """Yield the operands of ANDs."""
    inside = ungrouped(condition)
    if isinstance(inside, Connective) and inside.word == "AND":
        for link in inside.links:
            yield from _links(link)
    else:
        yield condition


def _domain_of(column: ColumnRef, rows: SourceRows) -> Domain | None:
    for instance in rows.instances:
        if instance.owns(column):
            return instance.table.column(column.name).domain
    return None


def narrowed(domain: Domain, subject: Expression, tests: Sequence[Expression], facts: PublicValues) -> Domain:
    """Return the values of a domain for which all tests can be true.

    Input: `subject`: the expression whose values these are; `tests`: conditions on nothing else.
    """
    domain, others = _cut(domain, subject, tests)
    if not others or not domain.size or domain.size > MOST_VALUES or subject.type.kind not in KINDS:
        return domain
    column = ColumnRef("g", "v", VARCHAR, is_ours=True)
    value = build.converted(column, subject.type)
    query = SelectQuery(
        (_NUMBER,),
        ReaderTable(f"{LIST}0", "g"),
        tuple(rewritten(test, lambda node: value if node == subject else None) for test in others),
    )
    found = facts.rows(query, {f"{LIST}0": texts(domain)})
    return domain if found is None else part_of(domain, sorted(number for (number,) in found))


def texts(domain: Domain) -> list[str | None]:
    """Return the values of a domain as text that casts back to them."""
    if isinstance(domain, ValuesDomain):
        return [text(value) for value in domain]
    return [text(domain.value(offset)) for offset in range(domain.size)]


def part_of(domain: Domain, numbers: Sequence[int]) -> Domain:
    """Return the values of a domain at some indices, which ascend.

    >>> part_of(RangeDomain(0, 20, 2), [1, 2, 3]), part_of(RangeDomain(0, 20, 2), [1, 2, 9])
    (RangeDomain(low=2, high=6, step=2), ValuesDomain(values=(2, 4, 18)))
    """
    if len(numbers) == domain.size:
        return domain
    if isinstance(domain, ValuesDomain):
        return ValuesDomain(tuple(domain.values[number] for number in numbers))
    if len(numbers) > 1 and len({after - before for before, after in pairwise(numbers)}) == 1:
        step = domain.step * (numbers[1] - numbers[0])
        return RangeDomain(domain.value(numbers[0]), domain.value(numbers[-1]), step)
    return ValuesDomain(tuple(domain.value(number) for number in numbers))


# --- comparisons ---------------------------------------------------------------------------------


def _cut(domain: Domain, subject: Expression, tests: Iterable[Expression]) -> tuple[Domain, list[Expression]]:
    """Cut a grid where comparisons with constants say, and return the tests that this does not settle."""
    others = []
    for test in tests:
        ends = comparison_range(test, subject) if isinstance(domain, RangeDomain) else None
        if ends is None or not isinstance(domain, RangeDomain):
            others.append(test)
        else:
            domain = between(domain, *ends)
    return domain, others


def cut_grid(domain: RangeDomain, subject: Expression, tests: Iterable[Expression]) -> RangeDomain:
    """Return what comparisons with constants leave of a grid; all of it if that is less than two points."""
    left, _ = _cut(domain, ungrouped(subject), tests)
    return left if isinstance(left, RangeDomain) else domain


def comparison_range(
    test: Expression, subject: Expression
) -> tuple[Fraction | None, Fraction | None, bool] | None:
    """Return the range of a comparison, and whether its ends are not in it; None if it is none."""
    match ungrouped(test):
        case RangeTest(value, Literal() as low, Literal() as high) if value == subject:
            first, last = _exact(low, subject), _exact(high, subject)
            return None if first is None or last is None else (first, last, False)
        case Comparison(symbol, Literal() as constant, value) if value == subject and symbol in MIRRORED:
            return _half(MIRRORED[symbol], _exact(constant, subject))
        case Comparison(symbol, value, Literal() as constant) if value == subject and symbol in MIRRORED:
            return _half(symbol, _exact(constant, subject))
    return None


def _half(symbol: str, end: Fraction | None) -> tuple[Fraction | None, Fraction | None, bool] | None:
    if end is None:
        return None
    low = end if symbol in (">", ">=", "=") else None
    high = end if symbol in ("<", "<=", "=") else None
    return low, high, symbol in ("<", ">")


def _exact(constant: Literal, subject: Expression) -> Fraction | None:
    """Return a constant as a number on the subject's scale; None if their types differ, or for floats.

    A float on a grid is the double nearest to it, so its comparison is not that of the grid's numbers.
    """
    same = constant.type.kind == subject.type.kind and subject.type.kind != "float"
    if not same or constant.value is None or isinstance(constant.value, bool):
        return None
    try:
        value = convert(constant.value, subject.type)
    except ConversionError:
        return None
    return None if isinstance(value, str) else ticks(value)


def between(domain: RangeDomain, low: Fraction | None, high: Fraction | None, exclusive: bool) -> Domain:
    """Return the grid points in a range."""
    start, step = ticks(domain.low), Fraction(domain.step)
    first, last = 0, domain.size - 1
    if low is not None:
        place = (low - start) / step
        first = max(first, math.floor(place) + 1 if exclusive else math.ceil(place))
    if high is not None:
        place = (high - start) / step
        last = min(last, math.ceil(place) - 1 if exclusive else math.floor(place))
    if first > last:
        return ValuesDomain(())
    if first == last:
        return ValuesDomain((domain.value(first),))
    return RangeDomain(domain.value(first), domain.value(last), domain.step)
