"""Finds constants that conditions compare with a column and that are beside its declared domain.

They are often mistyped. All is decided by the query and by domains, which are public.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from itertools import islice
from typing import Any

from dpduck.compiler.block.narrowing import MIRRORED, conditions_of
from dpduck.compiler.block.question import AggregateQuery
from dpduck.kernel.catalog.model import Bound, Domain, RangeDomain, ValuesDomain
from dpduck.kernel.catalog.types import ConversionError, Value, convert
from dpduck.kernel.errors.names import MOST_NEAR, nearest
from dpduck.kernel.errors.notices import Notice, Rank
from dpduck.kernel.plan.model import AsksBeside
from dpduck.kernel.tree.emit import string
from dpduck.kernel.tree.nodes import (
    ColumnRef,
    Comparison,
    Connective,
    Conversion,
    Expression,
    Grouped,
    Literal,
    Membership,
    Negation,
    RangeTest,
)
from dpduck.kernel.tree.walk import parts_of, ungrouped

MOST_FOUND = 5  # comparisons of which a query is told
_MOST_SPELLED = 1_000  # values of a domain whose spelling is compared
_MOST_SHOWN = 60  # characters of a constant
_MOST_WHOLE = 1e15  # a DOUBLE below it is written without a fraction if it has none
_OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}
_EQUAL = frozenset({"=", "<>", "IS DISTINCT FROM", "IS NOT DISTINCT FROM"})

Compared = tuple[ColumnRef, str, Literal]


def asks_beside(question: AggregateQuery) -> tuple[AsksBeside, ...]:
    """Return the first comparisons of the query that no value of a column's domain meets."""
    rows, requests = question.owned.rows, question.requests
    filters = [condition for request in requests for condition in request.conditions]
    kept = () if rows.kept is None else rows.kept.on
    tests = (*conditions_of(rows), *kept, *filters, *question.key_conditions)
    domains = {
        one.column(column.name): _DomainValues(column.domain)
        for one in rows.instances
        for column in (*one.table.columns, *one.table.parts)
        if column.domain is not None and column.domain.size
    }
    asked = dict.fromkeys(one for one in compared(tests) if one[0] in domains)
    found = (_beside(domains[one[0]], one) for one in asked)
    return tuple(islice((one for one in found if one is not None), MOST_FOUND))


def compared(tests: Iterable[Expression]) -> Iterator[Compared]:
    """Yield the comparisons of a column with a constant, in conditions and in what AND, OR and NOT join.

    That which NOT is before is of the opposite order; of what is equal, NOT asks as well as what it denies.
    """
    stack = list(tests)
    while stack:
        match stack.pop():
            case Negation(inside) if isinstance(test := ungrouped(inside), Comparison):
                stack.append(replace(test, symbol=_OPPOSITE.get(test.symbol, test.symbol)))
            case Connective() | Negation() | Grouped() as joined:
                stack += parts_of(joined)
            case RangeTest(value, low, high):
                yield from (*_of_pair(value, ">=", low), *_of_pair(value, "<=", high))
            case Membership(value, members):
                for member in members:
                    yield from _of_pair(value, "=", member)
            case Comparison(symbol, left, right):
                mirrored = _of_pair(right, MIRRORED.get(symbol, symbol), left)
                yield from (*_of_pair(left, symbol, right), *mirrored)


def _of_pair(value: Expression, symbol: str, constant: Expression) -> Iterator[Compared]:
    value = ungrouped(value)
    if isinstance(value, Conversion):  # of an ENUM to a string
        value = ungrouped(value.value)
    if isinstance(value, ColumnRef) and isinstance(constant, Literal) and constant.value is not None:
        yield value, "=" if symbol in _EQUAL else symbol, constant


def _beside(known: _DomainValues, compared: Compared) -> AsksBeside | None:
    """Return the comparison if no value of the domain meets it; None if one does, or that is not known."""
    column, symbol, constant = compared
    is_text = constant.type.kind == "text"
    if constant.type.kind != column.type.kind and not (is_text and column.type.kind == "enum"):
        return None
    try:
        value = convert(constant.value, column.type)
    except ConversionError:
        if not is_text or symbol != "=":
            return None
        value = str(constant.value)  # no member of the ENUM
    if known.meets(symbol, value):
        return None
    return AsksBeside(column.name, symbol, value, _ends(known.domain), _near(value, known.domain))


@dataclass(frozen=True)
class _DomainValues:
    """A domain, which is not empty, with what comparisons ask of it. All values are of the column's type."""

    domain: Domain

    @cached_property
    def _values(self) -> frozenset[Value]:
        return frozenset(self.domain) if isinstance(self.domain, ValuesDomain) else frozenset()

    @cached_property
    def _ends(self) -> tuple[Any, Any]:
        return _ends(self.domain) or (min(self._values), max(self._values))

    def meets(self, symbol: str, value: Any) -> bool:
        """Whether some value meets a comparison. Between the ends of a range every value counts."""
        low, high = self._ends
        found = {
            "<": low < value,
            "<=": low <= value,
            ">": high > value,
            ">=": high >= value,
            "=": value in self._values or (not self._values and low <= value <= high),
        }
        return bool(found.get(symbol, True))


def _ends(domain: Domain) -> tuple[Bound, Bound] | None:
    return (domain.low, domain.high) if isinstance(domain, RangeDomain) else None


def _near(value: Value, domain: Domain) -> tuple[str, ...]:
    """Return the strings of a domain, if they are few, that are spelled most like a value."""
    if not isinstance(value, str) or not isinstance(domain, ValuesDomain) or domain.size > _MOST_SPELLED:
        return ()
    words = (word for word in map(str, reversed(domain.values)) if len(word) <= _MOST_SHOWN)
    return tuple(nearest(value[:_MOST_SHOWN], words))


# --- in words ------------------------------------------------------------------------------------


def notice_of(beside: AsksBeside) -> Notice:
    """Return what to say of a comparison that no value of a domain meets.

    >>> notice_of(AsksBeside("region", "=", "nort", near=("north",))).sentence
    "No value of region is 'nort'. Did you mean 'north'?"
    """
    near = near_words([replace(beside, near=beside.near[:1])])
    sentence = f"No value of {beside.column} is {_compared(beside)}.{near}"
    return Notice(Rank.MEANING, sentence, words_of(beside))


def words_of(beside: AsksBeside) -> str:
    """Return what to say of a comparison that no value of a domain meets.

    >>> words_of(AsksBeside("age", ">", 500, (0, 120)))
    'No value in the domain of age, from 0 to 120, is > 500.'
    >>> words_of(AsksBeside("region", "=", "nort", near=("north",)))
    "No value in the domain of region is 'nort'. Did you mean 'north'?"
    """
    ends = (
        "" if beside.ends is None else f", from {_constant(beside.ends[0])} to {_constant(beside.ends[1])},"
    )
    said = f"No value in the domain of {beside.column}{ends} is {_compared(beside)}."
    return f"{said}{near_words([beside])}"


def _compared(beside: AsksBeside) -> str:
    return f"{'' if beside.symbol == '=' else f'{beside.symbol} '}{_constant(beside.value)}"


def near_words(found: Sequence[AsksBeside]) -> str:
    """Return the question whether near values are meant; empty if there are none."""
    near = list(dict.fromkeys(_constant(value) for beside in found for value in beside.near))
    return f" Did you mean {' or '.join(near[:MOST_NEAR])}?" if near else ""


def _constant(value: Value) -> str:
    """Return a value as a short constant of SQL."""
    if isinstance(value, float) and value.is_integer() and abs(value) < _MOST_WHOLE:
        value = int(value)
    text = str(value).upper() if isinstance(value, bool) else str(value)
    text = text if len(text) <= _MOST_SHOWN else f"{text[: _MOST_SHOWN - 3]}..."
    return string(text) if isinstance(value, str | date) else text
