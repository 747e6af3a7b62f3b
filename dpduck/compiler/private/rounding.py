"""abs, sign, bit_count, floor, ceil, round and trunc as total functions of one number."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from sqlglot import exp

from dpduck.compiler.parse.nodes import refusal
from dpduck.compiler.private import number_domains
from dpduck.compiler.private.arithmetic import above_least, too_wide
from dpduck.compiler.private.casts import cast
from dpduck.compiler.private.operands import ExpressionReader, constant_argument, number_argument, wrong_type
from dpduck.compiler.private.type_rules import (
    BIGINT,
    DOUBLE,
    HUGEINT,
    INTEGER,
    MAX_WIDTH,
    UHUGEINT,
    bits,
    decimal,
    is_signed,
)
from dpduck.kernel.catalog.model import RangeDomain
from dpduck.kernel.catalog.types import SqlType, parse_type
from dpduck.kernel.plan.expression import Typed
from dpduck.kernel.tree import build
from dpduck.kernel.tree.nodes import Expression

MAX_PLACES = 40  # decimal places in round(x, places)
_TINYINT = parse_type("TINYINT")
_SMALLINT = parse_type("SMALLINT")


def absolute(node: exp.Expr, reader: ExpressionReader) -> Typed:
    """Translate abs(x)."""
    value = number_argument(reader, node)
    if value.type.kind != "integer" or not is_signed(value.type):
        return Typed.of(build.call("abs", value.type, value.node), number_domains.of_absolute(value))
    if value.type == HUGEINT:
        least = build.call("abs", HUGEINT, above_least(value, node))
        return Typed.of(least, number_domains.of_absolute(value))
    wide = BIGINT if bits(value.type) <= 32 else HUGEINT
    result = build.call("abs", wide, cast(value.node, value.type, wide))
    return Typed.of(cast(result, wide, value.type), number_domains.of_absolute(value))


def sign(node: exp.Expr, reader: ExpressionReader) -> Typed:
    """Translate sign(x): -1, 0 or 1."""
    value = number_argument(reader, node)
    return Typed.of(build.call("sign", _TINYINT, value.node), number_domains.SIGNS)


def bit_count(node: exp.Expr, reader: ExpressionReader) -> Typed:
    """Translate bit_count(x) of an integer. The result is a TINYINT, which 128 would overflow.

    Of a UBIGINT it is a SMALLINT since DuckDB 2.0.1, and was a TINYINT before; it is a SMALLINT in all here.
    """
    value = number_argument(reader, node)
    if value.type.kind != "integer" or bits(value.type) > 64:
        raise wrong_type(
            node, value, "a whole number of at most 64 bits", "Write bit_count(CAST(x AS BIGINT))."
        )
    count, domain = build.call("bit_count", _TINYINT, value.node), RangeDomain(0, bits(value.type), 1)
    return Typed.of(cast(count, _TINYINT, _SMALLINT) if value.type.name == "UBIGINT" else count, domain)


def floor_or_ceil(name: str) -> Callable[[exp.Expr, ExpressionReader], Typed]:
    """Return the writer of floor(x) or ceil(x): a DOUBLE of an integer, a DECIMAL of scale 0."""

    def handler(node: exp.Expr, reader: ExpressionReader) -> Typed:
        value = number_argument(reader, node)
        if value.type.kind == "integer":
            value = Typed.of(cast(value.node, value.type, DOUBLE), number_domains.as_doubles(value.domain))
        result = _without_places(value.type)
        domain = number_domains.of_rounding(name, value)
        if domain is None and result == DOUBLE:
            interval = reader.range_of(node.this)
            domain = None if interval is None else number_domains.whole_doubles(name, *interval)
        return Typed.of(build.call(name, result, value.node), domain)

    return handler


def _without_places(sql_type: SqlType) -> SqlType:
    return decimal(sql_type.width, 0) if sql_type.kind == "decimal" else sql_type


def rounded(node: exp.Expr, reader: ExpressionReader) -> Typed:
    """Translate round(x [, places]) with a constant number of decimal places."""
    return _to_places("round", node, reader, node.args.get("decimals"))


def truncated(node: exp.Expr, reader: ExpressionReader) -> Typed:
    """Translate trunc(x [, places]) with a constant number of decimal places."""
    return _to_places("trunc", node, reader, node.args.get("decimals"))


def _to_places(name: str, node: exp.Expr, reader: ExpressionReader, places_node: exp.Expr | None) -> Typed:
    value = number_argument(reader, node)
    places = None if places_node is None else _places(places_node, node)
    if value.type.kind == "integer":
        return _whole_to_places(name, value, places, node)
    arguments = [] if places is None else [build.literal(places, INTEGER)]
    if value.type.kind == "float":
        domain = None if places else number_domains.of_rounding(name, value)
        return Typed.of(build.call(name, value.type, value.node, *arguments), domain)
    target = _rounded_type(name, value.type, places or 0)
    if name == "round" and -(places or 0) > value.type.width - value.type.scale:  # all values are below half
        zero = build.literal(Decimal(0), target)
        return Typed.of(build.only_where(build.is_present(value.node), zero))
    source = _with_room(value) if name == "round" and (places or 0) < 0 else value.node
    result = build.call(name, _places_type(source.type, places or 0), source, *arguments)
    return Typed.of(build.converted(result, target, safe=True))


def _rounded_type(name: str, sql_type: SqlType, places: int) -> SqlType:
    """Return the type of a rounded DECIMAL: rounding one of scale 0 to tens may carry one more digit."""
    longer = name == "round" and sql_type.scale == 0 and 0 < -places <= sql_type.width
    return decimal(min(MAX_WIDTH, sql_type.width + longer), min(sql_type.scale, max(places, 0)))


def _places_type(source: SqlType, places: int) -> SqlType:
    """Return DuckDB's result type: a DECIMAL with a scale of at most `places`."""
    return decimal(source.width, min(source.scale, max(places, 0)))


def _with_room(value: Typed) -> Expression:
    """Widen a DECIMAL by the integer digit that rounding to tens may carry.

    Without it DuckDB 2.0 raises an error, and 1.5 gives 0. A DECIMAL of 38 digits cannot be widened: values
    of that many digits give NULL.
    """
    source = decimal(min(MAX_WIDTH, value.type.width + 1), value.type.scale)
    if source.width > value.type.width:
        return cast(value.node, value.type, source)
    narrow = decimal(MAX_WIDTH - 1, source.scale)
    return cast(cast(value.node, value.type, narrow), narrow, source)


def _whole_to_places(name: str, value: Typed, places: int | None, node: exp.Expr) -> Typed:
    """Round an integer; NULL where rounding to tens overflows. DuckDB rounds unsigned integers as signed."""
    if value.type == UHUGEINT:
        raise too_wide(value.type, value.type, node)
    target = value.type
    if name == "round" and not is_signed(target):
        target = HUGEINT if bits(target) == 64 else BIGINT
    if places is None or places >= 0:
        return Typed.of(cast(value.node, value.type, target), value.domain)
    if target == HUGEINT and value.type == HUGEINT:
        wide = decimal(MAX_WIDTH - 1, 0)  # rounding a HUGEINT of so many digits cannot overflow
        value = Typed.of(cast(value.node, HUGEINT, wide))
    x = cast(value.node, value.type, HUGEINT)
    result = build.call(name, HUGEINT, x, build.literal(places, INTEGER))
    return Typed.of(cast(result, HUGEINT, target))


def _places(node: exp.Expr, call: exp.Expr) -> int:
    constant = constant_argument(node, call, "the number of places", "Write round(x, 2).")
    value = constant.value
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) > MAX_PLACES:
        raise refusal(
            f"the number of places is a whole number from -{MAX_PLACES} to {MAX_PLACES}",
            "No type has more.",
            "Write round(x, 2).",
            call,
        )
    return value
