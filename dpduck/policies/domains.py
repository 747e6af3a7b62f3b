"""Domains as the owner writes them, and the exact public values and grids that they denote. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from decimal import Decimal
from functools import partial

from dpduck.kernel.catalog.model import Bound, Column, Domain, RangeDomain, Table, ValuesDomain
from dpduck.kernel.catalog.nested import name_of, paths_in
from dpduck.kernel.catalog.ranges import RANGE_KINDS, RangeError, Step, make_range
from dpduck.kernel.catalog.statements import DomainRange, DomainValues
from dpduck.kernel.catalog.types import (
    ConversionError,
    Scalar,
    SqlType,
    Value,
    convert,
    parse_number,
    parse_type,
    public_value,
)
from dpduck.kernel.errors import PolicyError
from dpduck.kernel.errors.advice import GAP, Action, DeclareDomain, Hint
from dpduck.kernel.errors.names import written

MAX_DOMAIN_VALUES = 1_000_000
_NO_DOMAIN = (
    "Columns of numbers, text, BOOLEAN, DATE and TIMESTAMP have domains; "
    "a view of the owner can convert others."
)


def type_domain(data_type: str) -> Domain | None:
    """The domain that a type itself has, which BOOLEAN and ENUM do."""
    sql_type = parse_type(data_type)
    if sql_type.kind == "boolean":
        return ValuesDomain((False, True))
    return ValuesDomain(sql_type.members) if sql_type.kind == "enum" else None


def column_of(name: str, data_type: str) -> Column:
    """A column without a policy: it and its parts have the domains of their types."""
    parts = tuple(
        Column(name_of(path), kind, type_domain(kind), path=path) for path, kind in paths_in(name, data_type)
    )
    return Column(name, data_type, type_domain(data_type), parts=parts)


def declared_domain(
    table: Table, column: Column, wanted: DomainValues | DomainRange, *, or_null: bool
) -> tuple[Domain, bool]:
    """The domain that IN (...) or BETWEEN (...) denotes for the column, and whether NULL is a key as well.

    Input: `or_null`: whether OR NULL follows. Errors: PolicyError.
    """
    if isinstance(wanted, DomainRange):
        return _range_domain(table, column, wanted), or_null
    if wanted.values.count(None) + or_null > 1:
        raise bad_domain(table, column, "NULL occurs twice")
    values = tuple(value for value in wanted.values if value is not None)
    return _values_domain(table, column, values), or_null or len(values) < len(wanted.values)


def check_listable(table: Table, column: Column) -> None:
    """Check that the column's type can have a list of values. Errors: PolicyError."""
    if parse_type(column.type).kind in ("float", "other"):
        raise bad_domain(table, column, f"a column of type {column.type} takes no list of values")


def domain_of_public(table: Table, column: Column, values: Sequence[Value]) -> ValuesDomain:
    """The domain of the values of a public column, in their order.

    Input: values of the column's type; dates and timestamps as strings. Values that a query cannot contain,
        such as an infinite date, are dropped.
    Errors: PolicyError if no value is left, or too many.
    """
    read = map(partial(_public_value, sql_type=parse_type(column.type)), values)
    kept = tuple(value for value in read if value is not None)
    check_size(table, column, len(kept))
    return ValuesDomain(kept)


def _public_value(value: Value, sql_type: SqlType) -> Value | None:
    try:
        return public_value(value, sql_type)
    except ConversionError:
        return None


def _values_domain(table: Table, column: Column, wanted: Sequence[Scalar]) -> ValuesDomain:
    check_listable(table, column)
    check_size(table, column, len(wanted))
    if GAP in wanted:
        raise bad_domain(table, column, f"{GAP} stands for values that are known without looking at the data")
    values = tuple(_value(table, column, value) for value in wanted)
    if len(set(values)) != len(values):
        raise bad_domain(table, column, "a value occurs twice")
    return ValuesDomain(values)


def check_size(table: Table, column: Column, size: int) -> None:
    """Check the number of values of a domain. Errors: PolicyError."""
    if not 0 < size <= MAX_DOMAIN_VALUES:
        raise bad_domain(table, column, f"a domain has 1 to {MAX_DOMAIN_VALUES} values")


def _range_domain(table: Table, column: Column, wanted: DomainRange) -> RangeDomain:
    sql_type = parse_type(column.type)
    if sql_type.kind not in RANGE_KINDS:
        example = _with_type(table, column, wanted) if sql_type.kind == "text" else None
        raise bad_domain(table, column, f"a column of type {column.type} has no range", example)
    low, high = (_bound(table, column, end) for end in (wanted.low, wanted.high))
    step = None if wanted.step is None else _step(table, column, wanted.step)
    try:
        return make_range(sql_type, low, high, step)
    except RangeError as error:
        reason = str(error)
    raise bad_domain(table, column, reason)


def _with_type(table: Table, column: Column, wanted: DomainRange) -> Hint | None:
    """Return how a column of texts is given the type that the ends of a range have; None for texts."""
    name, kind = written(column.name), _type_of_ends(wanted)
    if kind is None:
        return None
    if column.name in table.line_columns:
        how = "(--decimal , for 1,5)" if kind == "DOUBLE" else "(--format says how they are written)"
        what = "numbers" if kind == "DOUBLE" else "dates"
        return Hint.of(f"--type {column.name}={kind}, which reads the text as {what} {how}")
    in_python = f"of a DataFrame types={{{column.name!r}: {kind!r}}} in dpduck.protect"
    in_sql = f"ALTER TABLE {written(table.name)} ALTER COLUMN {name} TYPE {kind} in DuckDB itself"
    return Hint.of(f"a type first: {in_python}, of a table {in_sql}")


def _type_of_ends(wanted: DomainRange) -> str | None:
    for kind in ("DATE", "TIMESTAMP", "DOUBLE"):
        with suppress(ConversionError):
            for end in (wanted.low, wanted.high):
                convert(end, parse_type(kind))
            return kind
    return None


def _step(table: Table, column: Column, wanted: Scalar) -> Step:
    """Parse a step: in days for dates, in seconds for timestamps."""
    sql_type = parse_type(column.type)
    number = parse_number(wanted)
    if number is None or number <= 0:
        raise bad_domain(table, column, "the step must be a positive number")
    if sql_type.kind == "float":
        return number
    if sql_type.kind == "decimal":
        return _decimal_step(table, column, wanted)
    number *= 10**6 if sql_type.kind == "timestamp" else 1
    if number.denominator != 1:
        raise bad_domain(table, column, "the step is finer than the type")
    return int(number)


def _decimal_step(table: Table, column: Column, wanted: Scalar) -> Decimal:
    step = _value(table, column, wanted)
    assert isinstance(step, Decimal)
    return step


def _bound(table: Table, column: Column, value: Scalar) -> Bound:
    bound = _value(table, column, value)
    if isinstance(bound, (str, bool)):
        raise bad_domain(table, column, f"a column of type {column.type} has no range")
    return bound


def _value(table: Table, column: Column, value: Scalar) -> Value:
    try:
        return convert(value, parse_type(column.type))
    except ConversionError as error:
        reason = str(error)
    raise bad_domain(table, column, reason)


def bad_domain(
    table: Table, column: Column, reason: str, example: Hint | Action | None = None
) -> PolicyError:
    """The error for an invalid domain. Input: an example, if the usual one for the type does not fit."""
    shown = example or _example(table, column)
    return PolicyError(
        f"this cannot be the privacy domain of column {table.name}.{column.name}",
        detail=f"{reason[:1].upper()}{reason[1:]}.",
        hint=_NO_DOMAIN if shown is None else Hint.of("Write, for example, ", shown, "."),
    )


def _example(table: Table, column: Column) -> DeclareDomain | None:
    """An example of a domain for a column of the type; None if it can have none."""
    sql_type = parse_type(column.type)
    declared = partial(DeclareDomain, table.name, column.name)
    match sql_type.kind:
        case "other":
            return None
        case "enum":
            return declared(sql_type.members[:2])
        case "text":
            return declared(("a", "b"))
        case "boolean":
            return declared((True, False))
        case "date" | "timestamp":
            return declared(("2024-01-01", "2024-12-31"), is_range=True)
        case _:
            return declared((0, 100), is_range=True)
