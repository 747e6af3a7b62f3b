"""The parts that a dialect is written with: values with their types, and SQL trees to build from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from sqlglot import exp

from dpduck.kernel.catalog.types import INTEGER_RANGES, SqlType, parse_type

Expr = exp.Expr  # SQL as a tree, as sqlglot has it

MOST_DIGITS = 10**38 - 1  # the largest number that a DECIMAL of 38 digits holds

Ask = Callable[[str], Sequence[Sequence[object]]]  # runs SQL without tables on DuckDB: what of a constant is


class Unavailable(Exception):  # noqa: N818 (a refusal in the making)
    """What the engine does not have with the same results. `str`: why."""


@dataclass(frozen=True)
class Value:
    """An expression in the engine's SQL, and the type that DuckDB gives it.

    `constant`: the text of a constant; `most`: of a whole number, the largest that it can be, by amount.
    """

    sql: exp.Expr
    type: SqlType
    constant: str | None = None
    most: int = MOST_DIGITS


@dataclass(frozen=True)
class EngineCall:
    """A function of DuckDB, its arguments, and the type of its result. `ask`: DuckDB itself."""

    name: str
    arguments: Sequence[Value]
    type: SqlType
    ask: Ask

    @property
    def sqls(self) -> list[exp.Expr]:
        return [argument.sql for argument in self.arguments]


Function = Callable[[EngineCall], exp.Expr]


@dataclass(frozen=True)
class Dialect:
    """An engine's SQL.

    `name`: as people call the engine; `dialect`: as sqlglot does; `functions`: what DuckDB's are there;
    `type_of`: how a type is called there; `cast`: a conversion to another type (with `safe`, of any value:
    NULL where there is none); `constant`: a value of a type from its text. Errors of each: Unavailable.
    """

    name: str
    dialect: str
    functions: Mapping[str, Function]
    type_of: Callable[[SqlType], exp.DataType]
    cast: Callable[[Value, SqlType, bool], exp.Expr]
    constant: Callable[[str, SqlType], exp.Expr]


def most_of(sql_type: SqlType) -> int:
    """The largest amount that a value of a type of whole numbers can have."""
    if sql_type.kind != "integer" or sql_type.name in ("HUGEINT", "UHUGEINT"):
        return MOST_DIGITS
    return max(map(abs, INTEGER_RANGES[sql_type.name]))


def call(name: str, *arguments: exp.Expr) -> exp.Expr:
    return exp.Anonymous(this=name, expressions=list(arguments))


def number(value: int) -> exp.Expr:
    literal = exp.Literal.number(abs(value))
    return exp.Paren(this=exp.Neg(this=literal)) if value < 0 else literal


def text(value: str) -> exp.Expr:
    return exp.Literal.string(value)


def infix(kind: type[exp.Expr], left: exp.Expr, right: exp.Expr) -> exp.Expr:
    return exp.Paren(this=kind(this=left.copy(), expression=right.copy()))


def either(*branches: tuple[exp.Expr, exp.Expr], otherwise: exp.Expr | None = None) -> exp.Expr:
    """CASE WHEN ... END of conditions and values."""
    ifs = [exp.If(this=test.copy(), true=value.copy()) for test, value in branches]
    return exp.Paren(this=exp.Case(ifs=ifs, default=None if otherwise is None else otherwise.copy()))


def all_of(*tests: exp.Expr) -> exp.Expr:
    found = tests[0]
    for test in tests[1:]:
        found = exp.And(this=found, expression=test)
    return exp.Paren(this=found)


def present(sql: exp.Expr) -> exp.Expr:
    return exp.Paren(this=exp.Not(this=exp.Is(this=sql.copy(), expression=exp.Null())))


def types(*names: str) -> list[SqlType]:
    return [parse_type(name) for name in names]
