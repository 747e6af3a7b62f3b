"""What a translation carries along: what the caller knows, the block that names refer to, and the depth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Protocol

from sqlglot import exp

from dpduck.query.parse.nodes import refusal
from dpduck.query.tree.answer import AnswerExpression

MAX_DEPTH = 100
QUERY_DEPTH = 3  # a query within a query counts as so many levels

# DuckDB 1.5 binds an expression subquery twice at each level: 40 levels never end.
MAX_SUBQUERIES = 8


class Relations(Protocol):
    """What the caller knows of a statement. Each method is asked about each node of its kind, by identity."""

    def table(self, node: exp.Table) -> str | None:
        """The SQL of a table in FROM, without an alias. None or an error if it is not public."""
        ...

    def block(self, node: exp.Query) -> str | None:
        """The SQL of a query that the caller translates itself, a release; None to translate it here."""
        ...

    def value(self, node: exp.Expr) -> AnswerExpression | None:
        """An expression that the caller knows, such as the count of a release; else None."""
        ...

    def constant(self, sql: str) -> None:
        """Told of SQL that names nothing and is computed of each row: without a value the query fails."""
        ...


@dataclass(frozen=True)
class FromItem:
    """One item of FROM: the name of its rows, folded and as written; its schema where it may precede it."""

    name: str | None
    alias: str | None
    schema: str | None = None


@dataclass(frozen=True)
class Block:
    """A SELECT, as far as names go. `late`: in a clause that sees the aliases of the select list.

    `released`: the rows are those of a release, so that an aggregate has nothing to aggregate.
    """

    sources: tuple[FromItem, ...] = ()
    aliases: frozenset[str] = frozenset()
    outer: Block | None = None
    sees_aliases: bool = False
    released: bool = False

    def enclosing(self) -> Iterator[Block]:
        """This block and those that it stands in."""
        block: Block | None = self
        while block is not None:
            yield block
            block = block.outer


@dataclass
class Seen:
    """What a translation has met so far. `names`: how many columns, subqueries, aggregates and windows;
    `constants`: SQL of the largest expressions without any. `column`: the released one that the whole is;
    `reads`, `windowed`, `ranged`: of the expression so far. See `AnswerExpression`.
    """

    references: int = 0
    constants: list[str] = field(default_factory=list)
    column: str | None = None
    reads: set[str] = field(default_factory=set)
    windowed: bool = False
    ranged: bool = False

    def add(self, known: AnswerExpression, *, whole: bool) -> None:
        """Note an expression that the caller knows. Input: whether there is nothing around it."""
        self.references += 1
        self.column = known.column if whole else self.column
        self.reads |= known.reads
        self.windowed |= known.windowed
        self.ranged |= known.ranged


@dataclass(frozen=True)
class Context:
    """Where a translation is. `branch`: in what may not be computed of a row, such as a case of CASE."""

    relations: Relations
    block: Block = Block()
    depth: int = 0
    subqueries: int = 0
    conditional: bool = False
    seen: Seen = field(default_factory=Seen)

    def deeper(self, node: exp.Expr, levels: int = 1) -> Context:
        """The context inside the node. Errors: UnsupportedSqlError if that is too deep."""
        if self.depth + levels > MAX_DEPTH:
            raise refusal(
                "the query is nested too deeply",
                f"Its parts may be nested {MAX_DEPTH} deep; a subquery counts as {QUERY_DEPTH}.",
                "Split it, or use fewer parentheses and subqueries.",
                node,
            )
        return replace(self, depth=self.depth + levels)

    def within(self, block: Block) -> Context:
        """The context inside another block."""
        return replace(self, block=block)

    def in_subquery(self, node: exp.Expr) -> Context:
        """The context inside a subquery that stands in an expression."""
        if self.subqueries == MAX_SUBQUERIES:
            raise refusal(
                "too many subqueries within each other",
                f"Expressions may hold subqueries {MAX_SUBQUERIES} deep.",
                "Join the inner ones in FROM.",
                node,
            )
        return replace(self, subqueries=self.subqueries + 1, conditional=True)
