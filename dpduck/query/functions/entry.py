"""What the table says of one function."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from sqlglot import exp

from dpduck.catalog.types import SqlType
from dpduck.query.private.bounds import RangeRule
from dpduck.query.private.operands import ExpressionReader, Operand

Writer = Callable[[exp.Expr, ExpressionReader], Operand]


def words(text: str) -> frozenset[str]:
    """The words of a text, divided by blanks."""
    return frozenset(text.split())


SPELLED = ""  # a function of which `dpduck/query/public` has a translation: it is no plain call

Form = Literal["doubles", "a moment", "texts", "a search"]
# Of an argument in Spark's SQL, and the type that DuckDB gives it, what the call is given.
Argument = Callable[[exp.Expr, SqlType], exp.Expr]


@dataclass(frozen=True)
class SparkCall:
    """A call in Spark's SQL that means the same of all values that the function takes.

    `takes`: the form of its arguments, one that Spark's dialect knows (`plain`) or what makes it of each;
    `constants`: texts that follow them; `added`: what DuckDB's result is more than Spark's.
    """

    name: str
    takes: Form | Argument
    constants: tuple[str, ...] = ()
    added: int = 0


@dataclass(frozen=True)
class SqlFunction:
    """A function or operator, wherever SQL runs. Lists are divided by blanks.

    `name`: DuckDB's function, which is called over what is public, or SPELLED; `private`: what writes it over
    a private row, where it is refused without; `arguments`: those of sqlglot's node, in DuckDB's order;
    `marks`: what the node may carry besides, which the call leaves out; `in_rows`: what it may carry over a
    private row, if not the same; `range`: the public range of its result; `spark`: its call in Spark, if that
    is all (else it is in `dpduck/engines/spark/sql`); `is_public`: whether it may stand over what is public.
    """

    name: str
    private: Writer | None = None
    arguments: str = "this"
    marks: str = ""
    in_rows: str | None = None
    range: RangeRule | None = None
    spark: SparkCall | None = None
    is_public: bool = True

    @property
    def allowed(self) -> frozenset[str]:
        """What the node may carry over what is public."""
        return words(f"{self.arguments} {self.marks}")

    @property
    def allowed_in_rows(self) -> frozenset[str]:
        """What it may carry over a private row."""
        return self.allowed if self.in_rows is None else words(self.in_rows)


# By the class of sqlglot's node, or by name where sqlglot has none (an `Anonymous` node).
Entries = dict[type[exp.Expr] | str, SqlFunction]


def nodes(entries: Entries) -> Iterator[tuple[type[exp.Expr], SqlFunction]]:
    """Those that have a node class."""
    return ((key, entry) for key, entry in entries.items() if not isinstance(key, str))


def public_calls(names: str, arguments: str = "this") -> Entries:
    """Entries of functions that are refused over private rows, and that sqlglot knows by the same names."""
    return {exp.FUNCTION_BY_NAME[name.upper()]: SqlFunction(name, None, arguments) for name in names.split()}


def public_names(names: str) -> Entries:
    """The same of functions that sqlglot does not know."""
    return {name: SqlFunction(name, None, "") for name in names.split()}
