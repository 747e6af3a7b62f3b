"""The entries of the function table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from sqlglot import exp

from dpduck.compiler.private.bounds import RangeRule
from dpduck.compiler.private.operands import ExpressionReader, Operand
from dpduck.kernel.catalog.types import SqlType

Writer = Callable[[exp.Expr, ExpressionReader], Operand]


def words(text: str) -> frozenset[str]:
    """Return the set of the words of a text, which are separated by blanks."""
    return frozenset(text.split())


TRANSLATED = ""  # the name of a function that `dpduck/compiler/public` translates to more than a call

Form = Literal["doubles", "a moment", "texts", "a search"]
# Maps an argument in Spark's SQL, and its type in DuckDB, to the argument of the call.
Argument = Callable[[exp.Expr, SqlType], exp.Expr]


@dataclass(frozen=True)
class SparkCall:
    """A call in Spark's SQL that is equivalent for all arguments that the function accepts.

    `takes`: the form of its arguments, one of `plain` in Spark's dialect or a function that converts each.
    `constants`: string literals that follow them. `added`: DuckDB's result minus Spark's.
    """

    name: str
    takes: Form | Argument
    constants: tuple[str, ...] = ()
    added: int = 0


@dataclass(frozen=True)
class SqlFunction:
    """A function or operator: its arguments, and its translations for each place where SQL runs.

    Names in a string are separated by blanks.

    `name`: DuckDB's function, which is called over public relations, or `TRANSLATED`.
    `private`: the writer over a private row; None refuses it there.
    `arguments`: the arguments of sqlglot's node, in DuckDB's order.
    `ignored`: further arguments that the node may have, which the call omits.
    `private_arguments`: the arguments that the node may have over a private row, if they differ.
    `range`: the rule of its public range.
    `spark`: its call in Spark; None if `dpduck/engines/spark/sql` translates it, or Spark refuses it.
    `is_public`: whether it is allowed over public relations.
    """

    name: str
    private: Writer | None = None
    arguments: str = "this"
    ignored: str = ""
    private_arguments: str | None = None
    range: RangeRule | None = None
    spark: SparkCall | None = None
    is_public: bool = True

    @property
    def allowed(self) -> frozenset[str]:
        """Return the arguments that the node may have over public relations."""
        return words(f"{self.arguments} {self.ignored}")

    @property
    def allowed_private(self) -> frozenset[str]:
        """Return the arguments that the node may have over a private row."""
        return self.allowed if self.private_arguments is None else words(self.private_arguments)


# Keyed by the class of sqlglot's node, or by name where sqlglot has no class (an `Anonymous` node).
Entries = dict[type[exp.Expr] | str, SqlFunction]


def nodes(entries: Entries) -> Iterator[tuple[type[exp.Expr], SqlFunction]]:
    """Yield the entries that are keyed by a node class."""
    return ((key, entry) for key, entry in entries.items() if not isinstance(key, str))


def public_calls(names: str, arguments: str = "this") -> Entries:
    """Return entries of functions that are refused over private rows, and have node classes in sqlglot."""
    return {exp.FUNCTION_BY_NAME[name.upper()]: SqlFunction(name, None, arguments) for name in names.split()}


def public_names(names: str) -> Entries:
    """Return entries of functions that are refused over private rows, and have no node class in sqlglot."""
    return {name: SqlFunction(name, None, "") for name in names.split()}
