"""Casts as total functions: CAST where no value of the source type fails, else TRY_CAST, which gives NULL."""

from __future__ import annotations

from dpduck.compiler.private.ordinary_datetimes import is_other_time, ordinary, printable
from dpduck.compiler.private.type_rules import TIMESTAMP, as_decimal, bits
from dpduck.compiler.private.utc import from_utc, in_utc
from dpduck.kernel.catalog.types import INTEGER_RANGES, SqlType, decimal_from_ticks
from dpduck.kernel.tree import build
from dpduck.kernel.tree.nodes import Expression

_SIMPLE = frozenset({"integer", "decimal", "float", "boolean", "date", "timestamp"})
_NUMERIC = frozenset({"integer", "decimal", "float", "boolean"})
_DATETIMES = frozenset({"date", "timestamp"})
_STORED_DIGITS = ((4, 5), (9, 10), (18, 19), (38, 39))  # of decimals in 16, 32, 64 and 128 bits
_OTHERS = {
    **dict.fromkeys(("TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS"), _DATETIMES | {"text"}),
    **dict.fromkeys(("UUID", "TIME"), frozenset({"text"})),
}


def cast(value: Expression, source: SqlType, target: SqlType) -> Expression:
    """Cast the value to the target type; NULL where that fails."""
    if source == target:
        return value
    if source.is_zoned:
        return _cast_zoned(in_utc(value), target)
    if target.is_zoned:
        return from_utc(cast(value, source, TIMESTAMP))
    if source.kind == "timestamp" and target.kind == "text":
        return build.converted(printable(value), target)
    if is_other_time(source):
        return _converted_time(value, source, target)
    return build.converted(value, target, safe=not never_fails(source, target))


def _cast_zoned(in_utc: Expression, target: SqlType) -> Expression:
    """Cast a value with a time zone, given in UTC. Its text says so: '2024-01-31 12:30:00+00'."""
    found = cast(in_utc, TIMESTAMP, target)
    return build.call("||", target, found, build.string(build.UTC)) if target.kind == "text" else found


def _converted_time(value: Expression, source: SqlType, target: SqlType) -> Expression:
    """Cast TIME, or a timestamp of another precision, to VARCHAR, DATE or TIMESTAMP; see `ordinary`."""
    kept: Expression = ordinary(value, source)
    if target.kind == "date":
        kept = build.converted(kept, TIMESTAMP)  # DuckDB 1.5 has no direct cast for some of them
    return build.converted(kept, target)


def within_width(value: Expression, sql_type: SqlType) -> Expression:
    """Replace decimals of more digits than their type allows by NULL; see `_decimal_fits`."""
    if sql_type.kind != "decimal":
        return value
    low, high = (build.literal(decimal_from_ticks(end, sql_type), sql_type) for end in sql_type.ticks)
    return build.only_where(build.between(value, low, high), value)


def allowed(source: SqlType, target: SqlType) -> bool:
    """Whether a cast from source to target is supported.

    Text is read as no timestamp with a time zone: it may name a zone, or leave it to a setting.
    """
    if target.is_zoned:
        return source.kind in (*_DATETIMES, "null")
    if source.kind == "text":
        return target.kind in _SIMPLE or target.kind == "text"
    if source.kind == "enum":
        return target.kind == "text"
    if source.kind == "other":
        return target.kind in _OTHERS.get(source.name, ())
    if source.kind == "null" or target.kind == "text":
        return True
    family = _NUMERIC if source.kind in _NUMERIC else _DATETIMES
    return target.kind in family


def never_fails(source: SqlType, target: SqlType) -> bool:
    """Whether the cast is total: no value of the source type fails."""
    if target.kind == "text":
        return source.kind != "other"
    if source.kind == "integer":
        return _integer_fits(source, target)
    if source.kind == "decimal":
        return target.kind == "float" or (target.kind == "decimal" and _decimal_fits(source, target))
    if source.kind == "boolean":
        return target.kind in ("integer", "float")
    return (source.name, target.name) in (("FLOAT", "DOUBLE"), ("TIMESTAMP", "DATE"))


def _integer_fits(source: SqlType, target: SqlType) -> bool:
    if target.kind == "integer":
        (low, high), (floor, ceiling) = INTEGER_RANGES[source.name], INTEGER_RANGES[target.name]
        return floor <= low and high <= ceiling
    if target.kind == "decimal":
        return bits(source) < 128 and as_decimal(source).width <= target.width - target.scale
    return target.kind == "float" and source.name != "UHUGEINT"


def _decimal_fits(source: SqlType, target: SqlType) -> bool:
    """Whether every value of a DECIMAL fits another. A smaller scale rounds, which may carry one more digit.

    A column may hold more digits than its type allows, up to those of the integer that stores it: DuckDB
    does not check the values of Arrow and Parquet.
    """
    stored = next(digits for width, digits in _STORED_DIGITS if source.width <= width)
    room = (target.width - target.scale) - (stored - source.scale)
    return room >= (0 if target.scale >= source.scale else 1)
