"""Which columns a summary needs for a query: what it groups by, and where its conditions divide a column.

It proposes; whether a summary of these columns answers the query is found out from its plan (see
`dpduck.summaries.questions`), so that what is read wrongly here is not proposed in the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime

from sqlglot import exp, parse_one

from dpduck.compiler.functions.aggregates import is_aggregate
from dpduck.compiler.parse.nodes import is_literal, scalar, unwrap
from dpduck.kernel.catalog.model import Bound, Catalog, Column, RangeDomain, Table, fold, ticks
from dpduck.kernel.catalog.types import ConversionError, convert, parse_type
from dpduck.kernel.errors import UnknownNameError
from dpduck.kernel.errors.names import written

FEW = 24  # values or bands of a column
_MOST_VALUES = 100  # of a column that a query groups by
_ORDERED = ("integer", "decimal", "date", "timestamp")
_UPWARDS = (exp.LT, exp.GTE)  # of which the constant is the first value of a band
_MIRRORED = {exp.LT: exp.GT, exp.GT: exp.LT, exp.LTE: exp.GTE, exp.GTE: exp.LTE}


@dataclass
class AskedColumns:
    """What a query reads of its table.

    `keys`: the names of columns that it groups by, and expressions of columns, as SQL; `read`: the names of
    columns that its conditions read; `firsts`: the values at which conditions divide a column.
    """

    table: Table
    keys: dict[str, None] = field(default_factory=dict)
    read: dict[str, None] = field(default_factory=dict)
    firsts: dict[str, set[Bound]] = field(default_factory=dict)


def asked_columns(query: exp.Expr, catalog: Catalog) -> AskedColumns | None:
    """What a query reads of the one private table that it is about; None if it is about others, too."""
    given = {fold(cte.alias) for cte in query.find_all(exp.CTE)}
    names = {
        (fold(node.name), fold(node.db)) for node in query.find_all(exp.Table) if fold(node.name) not in given
    }
    if len(names) != 1:
        return None
    [(name, schema)] = names
    try:
        table = catalog.table(name, schema or None)
    except UnknownNameError:
        return None
    if not table.private:
        return None
    found = AskedColumns(table)
    for select in query.find_all(exp.Select):
        for key in _keys(select):
            _add_key(key, found)
    for node in query.walk():
        if isinstance(node, (exp.Where, exp.Filter, exp.Case)):
            _add_conditions(node, found)
    return found


def _keys(select: exp.Select) -> Iterator[exp.Expr]:
    """The expressions that a block groups by."""
    group = select.args.get("group")
    shown = [item for item in select.expressions if not any(map(is_aggregate, item.walk()))]
    if group is None:
        return
    if group.args.get("all"):
        yield from (unwrap(item.unalias()) for item in shown)
        return
    by_name = {fold(item.alias): item.this for item in select.expressions if isinstance(item, exp.Alias)}
    for node in group.expressions:
        plain = unwrap(node)
        if isinstance(plain, exp.Literal) and not plain.is_string:
            number = scalar(plain)
            if isinstance(number, int) and 1 <= number <= len(select.expressions):
                yield unwrap(select.expressions[number - 1].unalias())
        elif isinstance(plain, exp.Column) and not plain.table:
            yield unwrap(by_name.get(fold(plain.name), plain))
        else:
            yield plain


def name_of_column(sql: str) -> str | None:
    """The name of a column, of the text of a summary's column; None if that is another expression."""
    node = parse_one(sql, dialect="duckdb")
    return node.name if isinstance(node, exp.Column) else None


def _add_key(node: exp.Expr, found: AskedColumns) -> None:
    columns = [found.table.part(column.name) for column in node.find_all(exp.Column)]
    if not columns or None in columns or node.find(exp.Query) is not None:
        return
    if isinstance(node, exp.Column):
        found.keys[fold(node.name)] = None
        return
    plain = node.copy()
    for column in plain.find_all(exp.Column):
        column.set("table", None)
    if isinstance(node, (exp.Case, *_MIRRORED, exp.Between, exp.In)):
        _add_conditions(node, found)  # a function of bands
    else:
        found.keys[plain.sql("duckdb")] = None


def _add_conditions(node: exp.Expr, found: AskedColumns) -> None:
    for column in node.find_all(exp.Column):
        if found.table.part(column.name) is not None:
            found.read[fold(column.name)] = None
    for part in node.find_all(*_MIRRORED, exp.EQ, exp.NEQ, exp.Between, exp.In):
        for name, first in _divided(part, found):
            found.firsts.setdefault(name, set()).add(first)


def _divided(node: exp.Expr, found: AskedColumns) -> list[tuple[str, Bound]]:
    """The columns that a comparison with constants divides, and the first values above each division."""
    if isinstance(node, exp.Between):
        low, high = node.args["low"], node.args["high"]
        return [*_at(node.this, exp.GTE, low, found), *_at(node.this, exp.LTE, high, found)]
    if isinstance(node, exp.In):
        return [pair for value in node.expressions for pair in _at(node.this, exp.EQ, value, found)]
    left, right = unwrap(node.this), unwrap(node.expression)
    if isinstance(right, exp.Column):
        return _at(right, _mirrored(node), left, found)
    return _at(left, type(node), right, found)


def _mirrored(node: exp.Expr) -> type[exp.Expr]:
    """The comparison with its sides exchanged."""
    return next((other for kind, other in _MIRRORED.items() if type(node) is kind), type(node))


def _at(
    column: exp.Expr, kind: type[exp.Expr], value: exp.Expr, found: AskedColumns
) -> list[tuple[str, Bound]]:
    column, value = unwrap(column), unwrap(value)
    value = unwrap(value.this) if isinstance(value, exp.Cast) else value
    if not isinstance(column, exp.Column) or not is_literal(value):
        return []
    own = found.table.part(column.name)
    if own is None or not isinstance(own.domain, RangeDomain) or parse_type(own.type).kind not in _ORDERED:
        return []
    try:
        constant = convert(scalar(value), parse_type(own.type))
    except ConversionError:
        return []
    name, domain = fold(own.name), own.domain
    here, above = _firsts(constant, domain)  # type: ignore[arg-type]
    if kind in _UPWARDS:
        return [(name, here)]
    if kind in (exp.EQ, exp.NEQ):
        return [(name, here), (name, above)]
    return [(name, above)]


def _firsts(constant: Bound, domain: RangeDomain) -> tuple[Bound, Bound]:
    """The constant, and the value that comes next in the domain."""
    place = domain.offset(constant)
    return constant, domain.value(place + 1)


# --- columns of a summary ------------------------------------------------------------------------


def column_sql(name: str, keys: Mapping[str, None], firsts: set[Bound], table: Table) -> str | None:
    """A column of a summary as SQL, for what queries ask of it together; None if it has too many cells.

    Input: the name of a column, or an expression; all that queries group by; where they divide the column.
    """
    column = table.part(name)
    if column is None:
        return f"{name} AS {_name_of(name)}"
    if column.domain is None:
        return None
    most = _MOST_VALUES if name in keys else FEW
    if column.domain.size <= most:
        return written(column.name)
    bands = [] if name in keys else bands_of(column, firsts)
    return f"{written(column.name)} BANDS ({', '.join(map(constant_sql, bands))})" if bands else None


def bands_of(column: Column, firsts: set[Bound]) -> list[Bound]:
    """The first values of the bands between which a column is divided; none if there would be too many."""
    domain = column.domain
    if not isinstance(domain, RangeDomain):
        return []
    inside = sorted(
        (one for one in firsts if ticks(domain.low) < ticks(one) <= ticks(domain.high)), key=ticks
    )
    return inside if len(inside) <= FEW else []


def even_bands(column: Column, about: int = 8) -> list[Bound]:
    """First values of about so many bands of a range of whole numbers, as people would choose them."""
    domain = column.domain
    if not isinstance(domain, RangeDomain) or not isinstance(domain.low, int) or domain.size <= FEW:
        return []
    width, wanted = 1, -(-domain.size // about)
    for factor in (1, 2, 5, 10):
        width = factor * 10 ** (len(str(wanted)) - 1)
        if width >= wanted:
            break
    first = (domain.low // width + 1) * width
    return list(range(first, int(ticks(domain.high)) + 1, width))


def constant_sql(value: Bound) -> str:
    """A first value of a band as SQL."""
    return f"'{value}'" if isinstance(value, (date, datetime)) else str(value)


def _name_of(sql: str) -> str:
    """A name for an expression: its words."""
    words = "".join(letter if letter.isalnum() else " " for letter in sql.lower()).split()
    return written("_".join(words)[:40])
