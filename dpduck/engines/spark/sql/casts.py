"""Types, constants and conversions in Spark SQL, each as DuckDB rounds and where it gives NULL."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from fractions import Fraction

from sqlglot import exp

from dpduck.engines.spark.sql.nodes import Unavailable, Value, all_of, call, either, infix, number, text
from dpduck.kernel.catalog.types import INTEGER_RANGES, SqlType

_NAMES = {
    "TINYINT": "tinyint",
    "SMALLINT": "smallint",
    "INTEGER": "int",
    "BIGINT": "bigint",
    "HUGEINT": "decimal(38, 0)",
    "FLOAT": "float",
    "DOUBLE": "double",
    "VARCHAR": "string",
    "BOOLEAN": "boolean",
    "DATE": "date",
    "TIMESTAMP": "timestamp_ntz",
}
_HALF = 2**40  # a DOUBLE of a whole number is taken apart here, so that both parts are exact
_EXACT_DOUBLE = 2**53
_MOST_EXPONENT = 30  # digits of a DOUBLE that is converted to a DECIMAL
_PLAIN_SCALE = 6  # beyond it Spark writes small decimals as 1E-7


def type_of(sql_type: SqlType) -> exp.DataType:
    name = _NAMES.get(sql_type.name)
    if sql_type.kind == "decimal":
        name = f"decimal({sql_type.width}, {sql_type.scale})"
    if name is None:
        raise Unavailable(f"the type {sql_type.name} is not available")
    return exp.DataType.build(name, dialect="spark")


def converted(sql: exp.Expr, name: str, *, safe: bool = False) -> exp.Expr:
    """CAST, or TRY_CAST, to a type that Spark calls so."""
    to = exp.DataType.build(name, dialect="spark")
    return exp.TryCast(this=sql.copy(), to=to, safe=True) if safe else exp.Cast(this=sql.copy(), to=to)


# --- constants -----------------------------------------------------------------------------------


def constant(written: str, sql_type: SqlType) -> exp.Expr:
    """A constant that score SQL writes as a text in a CAST."""
    if sql_type.kind == "date":
        return _day(written)
    if sql_type.kind == "timestamp":
        return _moment(written)
    if sql_type.kind in ("integer", "decimal", "float"):
        return exp.Cast(this=text(written), to=type_of(sql_type))
    if sql_type.name == "INTERVAL":
        return text(written)  # only ever beside a date, where its parts are written out
    raise Unavailable(f"a constant of type {sql_type.name} is not available")


def _day(written: str) -> exp.Expr:
    if len(written) == len("2024-01-31"):
        return converted(text(written), "date")
    return call("date_from_unix_date", number(_days(written)))


def _moment(written: str) -> exp.Expr:
    if written[4:5] == "-" and "(" not in written:
        return converted(text(written), "timestamp_ntz")
    return from_micros(number(_days(written) * 86_400_000_000))


def _days(written: str) -> int:
    """Days from 1970 to a day beyond the years 1 to 9999, such as 140000-01-01 (BC)."""
    day, _, era = written.partition(" ")
    try:
        year, month, of_month = map(int, day.split("-"))
        year = 1 - year if era == "(BC)" else year
        ages, year = divmod(year, 400)  # of 146,097 days each
        return (
            date(year + 400, month, of_month).toordinal()
            - date(1970, 1, 1).toordinal()
            + (ages - 1) * 146_097
        )
    except ValueError:
        pass
    raise Unavailable(f"the constant {written} is not available")


def instant(value: Value) -> exp.Expr:
    """A date or timestamp as the type on which Spark's functions of time work."""
    return converted(value.sql, "timestamp")


def from_micros(sql: exp.Expr) -> exp.Expr:
    return converted(call("timestamp_micros", sql), "timestamp_ntz")


# --- conversions ---------------------------------------------------------------------------------


def cast(value: Value, target: SqlType, safe: bool) -> exp.Expr:
    """CAST, and TRY_CAST (`safe`)."""
    type_of(target)
    rule = _RULES.get((value.type.kind, target.kind))
    if (value.type.name, target.name) == ("UBIGINT", "HUGEINT"):  # a hash, which Spark has with a sign
        return exp.Cast(this=value.sql.copy(), to=type_of(target))
    if rule is None or value.type.name in ("UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT"):
        raise Unavailable(f"a conversion of {value.type.name} to {target.name} is not available")
    return rule(value, target, safe)


def _same(value: Value, target: SqlType, safe: bool) -> exp.Expr:
    to = type_of(target)
    return exp.TryCast(this=value.sql, to=to, safe=True) if safe else exp.Cast(this=value.sql, to=to)


def _integer_to_float(value: Value, target: SqlType, _safe: bool) -> exp.Expr:
    if value.most >= 2**64:
        raise Unavailable(f"a conversion of {value.type.name} to {target.name} is not available")
    sql = converted(value.sql, "bigint") if value.type.name == "HUGEINT" else value.sql
    if value.type.name == "HUGEINT" and value.most >= 2**63:
        raise Unavailable("a conversion of more than 64 bits to a float is not available")
    return exp.Cast(this=sql, to=type_of(target))


def _decimal_to_integer(value: Value, target: SqlType, _safe: bool) -> exp.Expr:
    """DuckDB rounds, half away from zero; Spark cuts."""
    return exp.TryCast(this=call("round", value.sql, number(0)), to=type_of(target), safe=True)


def _decimal_to_float(value: Value, target: SqlType, _safe: bool) -> exp.Expr:
    """DuckDB divides the ticks, where they have 53 bits; else it adds the whole part and the rest."""
    source = value.type
    if target.name != "DOUBLE" or source.width > 18 or source.scale > 15:
        raise Unavailable(f"a conversion of {source.name} to {target.name} is not available")
    plain = converted(value.sql, "double")
    if source.width <= 15 or source.scale == 0:
        return plain
    whole = converted(value.sql, "bigint")
    rest = exp.Sub(this=value.sql.copy(), expression=converted(whole, f"decimal({source.width}, 0)"))
    parts = infix(exp.Add, converted(whole, "double"), converted(exp.Paren(this=rest), "double"))
    most = Fraction(_EXACT_DOUBLE, 10**source.scale)
    limit = constant(f"{int(most)}", SqlType("DECIMAL(38,0)", "decimal", 38, 0))
    # Between the whole number below the limit and itself, both ways give the same.
    return either((infix(exp.LTE, call("abs", value.sql.copy()), limit), plain), otherwise=parts)


def _float_to_integer(value: Value, target: SqlType, safe: bool) -> exp.Expr:
    """The nearest whole number, the even one of two; NULL if the type does not hold it."""
    rounded = call("rint", converted(value.sql, "double"))
    if target.name == "HUGEINT":
        _check_inside(target, safe)
        return _guard(rounded, _whole(rounded), 10.0**_MOST_EXPONENT)
    if not safe:
        return exp.Cast(this=rounded, to=type_of(target))
    low, high = INTEGER_RANGES[target.name]
    inside = all_of(
        infix(exp.GTE, rounded, _double(float(low))), infix(exp.LT, rounded, _double(float(high + 1)))
    )
    return either((inside, exp.Cast(this=rounded.copy(), to=type_of(target))))


def _float_to_decimal(value: Value, target: SqlType, safe: bool) -> exp.Expr:
    """In ticks, rounded half away from zero, as DuckDB does it in doubles."""
    if value.type.name != "DOUBLE":
        raise Unavailable(f"a conversion of FLOAT to {target.name} is not available")
    if target.width > _MOST_EXPONENT:
        _check_inside(target, safe)
    ticks = infix(exp.Mul, value.sql, _double(10.0**target.scale))
    rounded = call("round", ticks)
    made = _whole(rounded)
    if target.scale:
        place = converted(text(f"1e-{target.scale}"), f"decimal({target.scale}, {target.scale})")
        made = infix(exp.Mul, made, place)
    most = min(10.0**_MOST_EXPONENT, 10.0**target.width)
    return _guard(rounded, exp.Cast(this=made, to=type_of(target)), most)


def _check_inside(target: SqlType, safe: bool) -> None:
    """CAST is written where the values are known to lie far inside the type, TRY_CAST where any may come."""
    if safe:
        raise Unavailable(f"a conversion of any DOUBLE to {target.name} is not available")


def _guard(rounded: exp.Expr, made: exp.Expr, most: float) -> exp.Expr:
    return either((infix(exp.LT, call("abs", rounded.copy()), _double(most)), made))


def _whole(rounded: exp.Expr) -> exp.Expr:
    """A DOUBLE of a whole number below 2^102 as DECIMAL(38,0), exactly. Spark's cast reads its text."""
    high = call("floor", infix(exp.Div, rounded, _double(float(_HALF))))
    rest = infix(exp.Sub, rounded, infix(exp.Mul, converted(high, "double"), _double(float(_HALF))))
    wide = "decimal(38, 0)"
    high_part = infix(exp.Mul, converted(high, wide), converted(text(str(_HALF)), wide))
    return infix(exp.Add, high_part, converted(converted(rest, "bigint"), wide))


def _double(value: float) -> exp.Expr:
    return converted(text(repr(value)), "double")


def _float_to_float(value: Value, target: SqlType, _safe: bool) -> exp.Expr:
    if target.name != "DOUBLE":
        raise Unavailable("a conversion of DOUBLE to FLOAT is not available")
    return converted(value.sql, "double")


def _decimal_to_text(value: Value, _target: SqlType, _safe: bool) -> exp.Expr:
    if value.type.scale > _PLAIN_SCALE:
        raise Unavailable(f"a conversion of {value.type.name} to VARCHAR is not available")
    return converted(value.sql, "string")


def _date_to_text(value: Value, _target: SqlType, _safe: bool) -> exp.Expr:
    """Of a column, whose years have four digits."""
    if not isinstance(value.sql, exp.Column):
        raise Unavailable("a computed date as text is not available")
    return converted(value.sql, "string")


_Rule = Callable[[Value, SqlType, bool], exp.Expr]
_RULES: dict[tuple[str, str], _Rule] = {
    ("integer", "integer"): _same,
    ("integer", "decimal"): _same,
    ("integer", "float"): _integer_to_float,
    ("integer", "text"): _same,
    ("decimal", "decimal"): _same,
    ("decimal", "integer"): _decimal_to_integer,
    ("decimal", "float"): _decimal_to_float,
    ("decimal", "text"): _decimal_to_text,
    ("float", "integer"): _float_to_integer,
    ("float", "decimal"): _float_to_decimal,
    ("float", "float"): _float_to_float,
    ("boolean", "integer"): _same,
    ("boolean", "text"): _same,
    ("date", "text"): _date_to_text,
    ("date", "timestamp"): _same,
    ("timestamp", "date"): _same,
}
