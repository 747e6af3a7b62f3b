"""Which keys of rows are candidates of a release: conditions that the score SQL sets."""

from __future__ import annotations

from datetime import date, datetime
from functools import lru_cache

from dpduck.kernel.catalog.model import Domain, RangeDomain, ValuesDomain
from dpduck.kernel.catalog.types import SqlType, Value, decimal_from_ticks
from dpduck.kernel.plan import grid_sql
from dpduck.kernel.plan.expression import Typed
from dpduck.kernel.plan.keys import Key
from dpduck.kernel.tree import build
from dpduck.kernel.tree.build import compared
from dpduck.kernel.tree.nodes import (
    VARCHAR,
    Comparison,
    Expression,
    Grouped,
    Literal,
)

_YEARS: dict[str, tuple[Value, Value]] = {
    "date": (date.min, date.max),
    "timestamp": (datetime.min, datetime.max),
}
_FEW_MEMBERS = 1_000  # up to so many are cached, since each measure of a plan lists them again


def is_candidate(value: Typed, key: Key) -> Expression | None:
    """Return the condition that a key is a candidate; None if every value is one."""
    if key.domain is None:
        return _found(value.node, value.type)
    if not key.or_null:
        return _in_domain(value, key.domain)
    if isinstance(key.domain, ValuesDomain) and _holds_all(key.domain, value.type):
        return None
    null = build.is_null(value.node)
    return Grouped(build.any_of(null, _in_domain(value, key.domain))) if key.domain.size else null


def _in_domain(value: Typed, domain: Domain) -> Expression:
    x, sql_type = value.node, value.type
    if isinstance(domain, RangeDomain):
        return grid_sql.on_grid(x, domain, sql_type)
    if _holds_all(domain, sql_type):
        return build.is_present(x)
    plain = build.converted(x, VARCHAR) if sql_type.kind == "enum" else x
    return build.one_of(plain, (_few_members if domain.size <= _FEW_MEMBERS else _members)(domain, sql_type))


def _members(domain: ValuesDomain, sql_type: SqlType) -> tuple[Literal, ...]:
    """Return the values of a domain as constants."""
    return tuple(compared(member, sql_type) for member in domain)


_few_members = lru_cache(maxsize=64)(_members)


def _found(x: Expression, sql_type: SqlType) -> Expression | None:
    """Return the condition that a key without a public domain is a candidate; None if every value is one.

    Dates and timestamps must be in the years 1 to 9999: others, and infinite ones, have no Python value,
    and an error would reveal them. Decimals must fit the digits of their type, which a column may exceed.
    Strings must be short, since DuckDB fails on strings that exhaust its memory.
    """
    if sql_type.kind in _YEARS:
        first, last = (compared(end, sql_type) for end in _YEARS[sql_type.kind])
        return build.all_of(Comparison(">=", x, first), Comparison("<=", x, last))
    if sql_type.kind == "decimal":
        first, last = (compared(decimal_from_ticks(end, sql_type), sql_type) for end in sql_type.ticks)
        return Grouped(build.any_of(build.is_null(x), build.between(x, first, last)))
    if sql_type.kind == "text":
        return Grouped(build.any_of(build.is_null(x), build.is_short(x)))
    return None


def _holds_all(domain: ValuesDomain, sql_type: SqlType) -> bool:
    if sql_type.kind == "boolean":
        return domain.size == 2
    return bool(sql_type.members) and set(domain.values) == set(sql_type.members)
