"""The context of a translation: the caller's relations, the block that resolves names, and the depth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Protocol

from sqlglot import exp

from dpduck.compiler.parse.nodes import refusal
from dpduck.kernel.tree.answer import AnswerExpression, Division

MAX_DEPTH = 100
QUERY_DEPTH = 3  # levels of a query within a query

# DuckDB 1.5 binds a subquery in an expression twice at each level, in exponential time.
MAX_SUBQUERIES = 8


class Relations(Protocol):
    """Translates what the caller owns. Each method is called for each node of its kind, by identity."""

    def table(self, node: exp.Table) -> str | None:
        """Return the SQL of a table in FROM, without an alias; None, or an error, if it is not public."""
        ...

    def block(self, node: exp.Query) -> str | None:
        """Return the SQL of a query that the caller translates, a release; None for public SQL."""
        ...

    def value(self, node: exp.Expr) -> AnswerExpression | None:
        """Return an expression that the caller translates, such as a released count; else None."""
        ...

    def constant(self, sql: str) -> None:
        """Receive the SQL of a constant expression that every row evaluates: its failure fails the query."""
        ...


@dataclass(frozen=True)
class FromItem:
    """One item of FROM: its name, folded and as written, and its schema if names may be qualified by it."""

    name: str | None
    alias: str | None
    schema: str | None = None


@dataclass(frozen=True)
class Block:
    """The scope of names in a SELECT.

    `sees_aliases`: in a clause where the aliases of the select list are in scope.
    `released`: the rows are those of a release, so that aggregates over them are refused.
    """

    sources: tuple[FromItem, ...] = ()
    aliases: frozenset[str] = frozenset()
    outer: Block | None = None
    sees_aliases: bool = False
    released: bool = False

    def enclosing(self) -> Iterator[Block]:
        """Yield this block and the blocks that enclose it."""
        block: Block | None = self
        while block is not None:
            yield block
            block = block.outer


@dataclass
class Seen:
    """What a translation has read so far.

    `references`: the number of columns, subqueries, aggregates and windows. `constants`: the SQL of the
    largest expressions without references. `column`: the released column if the whole expression is one.
    `reads`, `windowed`, `ranged`, `divisions`, `differences`: as in `AnswerExpression`.
    """

    references: int = 0
    constants: list[str] = field(default_factory=list)
    column: str | None = None
    reads: set[str] = field(default_factory=set)
    windowed: bool = False
    ranged: bool = False
    divisions: list[Division] = field(default_factory=list)
    differences: list[tuple[str, str]] = field(default_factory=list)

    def add(self, known: AnswerExpression, *, whole: bool) -> None:
        """Add an expression that the caller translated. `whole`: it is the whole expression."""
        self.references += 1
        self.column = known.column if whole else self.column
        self.reads |= known.reads
        self.windowed |= known.windowed
        self.ranged |= known.ranged
        self.divisions += known.divisions
        self.differences += known.differences

    def join(self, part: Seen) -> None:
        """Add what the translation of an operand has read."""
        self.references += part.references
        self.constants += part.constants
        self.reads |= part.reads
        self.windowed |= part.windowed
        self.ranged |= part.ranged
        self.divisions += part.divisions
        self.differences += part.differences


@dataclass(frozen=True)
class Context:
    """The position of a translation. `conditional`: inside what some rows skip, such as a branch of CASE."""

    relations: Relations
    block: Block = Block()
    depth: int = 0
    subqueries: int = 0
    conditional: bool = False
    seen: Seen = field(default_factory=Seen)

    def deeper(self, node: exp.Expr, levels: int = 1) -> Context:
        """Return the context inside the node. Errors: UnsupportedSqlError if it is nested too deeply."""
        if self.depth + levels > MAX_DEPTH:
            raise refusal(
                "the query is nested too deeply",
                f"Its parts may be nested {MAX_DEPTH} deep; a subquery counts as {QUERY_DEPTH}.",
                "Split it, or use fewer parentheses and subqueries.",
                node,
            )
        return replace(self, depth=self.depth + levels)

    def within(self, block: Block) -> Context:
        """Return the context inside another block."""
        return replace(self, block=block)

    def in_subquery(self, node: exp.Expr) -> Context:
        """Return the context inside a subquery in an expression. Errors: as `deeper`."""
        if self.subqueries == MAX_SUBQUERIES:
            raise refusal(
                "too many subqueries within each other",
                f"Expressions may hold subqueries {MAX_SUBQUERIES} deep.",
                "Join the inner ones in FROM.",
                node,
            )
        return replace(self, subqueries=self.subqueries + 1, conditional=True)
