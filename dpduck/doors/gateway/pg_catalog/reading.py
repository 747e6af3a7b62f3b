"""Parse a catalog query with Postgres's grammar, without sqlglot's interpretation of functions.

Function calls remain calls by name, so that only the rewriter decides what each of them means.
"""

from __future__ import annotations

import re
from typing import Any

from sqlglot import exp
from sqlglot.dialects.duckdb import DuckDB
from sqlglot.dialects.postgres import Postgres
from sqlglot.errors import ErrorLevel, SqlglotError
from sqlglot.parsers.postgres import PostgresParser
from sqlglot.tokenizer_core import Token, TokenType

from dpduck.compiler.parse.effort import LimitedParser, check_words
from dpduck.kernel.errors import SqlSyntaxError, UnsupportedSqlError

MAX_CHARACTERS = 100_000  # the longest query of any known client has 8,000
_UNREADABLE = re.compile("[\0\ud800-\udfff]")
_STATEMENTS = (TokenType.SELECT, TokenType.UPDATE, TokenType.INSERT, TokenType.DELETE, TokenType.TABLE)
_AFTER_LABEL = (TokenType.COMMA, TokenType.FROM, TokenType.R_PAREN)
_NO_COLUMNS = [TokenType.EXISTS, TokenType.L_PAREN, TokenType.SELECT]
_SCHEMAS = ("pg_catalog", "information_schema")
_HINT = "A catalog query is one SELECT on pg_catalog or information_schema."


class _PostgresParser(LimitedParser, PostgresParser):
    """Postgres's parser, without interpretation of calls, and with arrays of every type."""

    FUNCTIONS = {}  # noqa: RUF012
    FUNCTION_PARSERS = {  # noqa: RUF012
        name: PostgresParser.FUNCTION_PARSERS[name] for name in ("CAST", "SUBSTRING", "TRIM", "POSITION")
    }

    def _parse_limit(self, *args: Any, **kwargs: Any) -> exp.Expr | None:
        """LIMIT ALL is none."""
        limit = super()._parse_limit(*args, **kwargs)
        rows = limit.expression if isinstance(limit, exp.Limit) else None
        return None if isinstance(rows, exp.Var) and rows.name.upper() == "ALL" else limit

    def _parse_types(self, *args: Any, **kwargs: Any) -> exp.Expr | None:
        start, next_token = self._index, self._next
        named = self._curr is not None and self._curr.text.lower() in _SCHEMAS
        if named and next_token is not None and next_token.token_type == TokenType.DOT:
            self._advance(2)
            found = super()._parse_types(*args, **kwargs)
            if found is not None:
                return self._array_of(found)
            self._retreat(start)
        found = super()._parse_types(*args, **kwargs)
        return None if found is None else self._array_of(found)

    def _array_of(self, found: exp.Expr) -> exp.Expr:
        own = isinstance(found, exp.DataType) and found.this == exp.DataType.Type.USERDEFINED
        if not own and type(found) is not exp.ObjectIdentifier:
            return found
        if self._match_pair(TokenType.L_BRACKET, TokenType.R_BRACKET):
            return exp.DataType(this=exp.DataType.Type.ARRAY, expressions=[found], nested=True)
        return found

    def _warn_unsupported(self) -> None:
        raise UnsupportedSqlError("this catalog statement is not supported", hint=_HINT)


class _PostgresDialect(Postgres):
    INDEX_OFFSET = 0  # leave x[i] as it is written
    Parser = _PostgresParser


class _Output(DuckDB):
    INDEX_OFFSET = 0


_READER = _PostgresDialect()
_WRITER = _Output()


def read(text: str) -> exp.Query:
    """Parse one query. Errors: SqlSyntaxError, UnsupportedSqlError; neither quotes the text."""
    if len(text) > MAX_CHARACTERS or _UNREADABLE.search(text):
        raise SqlSyntaxError("the catalog query is too long or holds odd characters", hint=_HINT)
    check_words(text)
    try:
        tokens = _labelled(_columned(_READER.tokenize(text)))
        trees = [tree for tree in _READER.parser().parse(tokens, text) if tree is not None]
    except (SqlSyntaxError, UnsupportedSqlError):
        raise
    except (
        SqlglotError,
        ArithmeticError,
        AttributeError,
        LookupError,
        RecursionError,
        TypeError,
        ValueError,
    ):
        trees = []
    trees = [tree for tree in trees if not isinstance(tree, exp.Semicolon)]
    if len(trees) > 1:
        raise UnsupportedSqlError("only one statement at a time is supported", hint=_HINT)
    if not trees:
        raise SqlSyntaxError("the catalog query cannot be parsed", hint=_HINT)
    tree = _selected(trees[0])
    if not isinstance(tree, exp.Query):
        raise UnsupportedSqlError("this is no catalog query", hint=_HINT)
    return tree


def _selected(tree: exp.Expr) -> exp.Expr:
    """VALUES as a query, with the names that Postgres gives to its columns."""
    if not isinstance(tree, exp.Values) or not tree.expressions:
        return tree
    count = len(tree.expressions[0].expressions) if isinstance(tree.expressions[0], exp.Tuple) else 1
    names = [exp.to_identifier(f"column{number}") for number in range(1, count + 1)]
    tree.set("alias", exp.TableAlias(this=exp.to_identifier("values"), columns=names))
    columns = [exp.column(name.copy()) for name in names]
    return exp.Select(expressions=columns, from_=exp.From(this=tree))


def _labelled(tokens: list[Token]) -> list[Token]:
    """Let keywords such as SELECT be labels after AS where a comma or FROM follows, as in Postgres."""
    for before, label, after in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if (
            before.token_type != TokenType.L_PAREN
            and label.token_type in _STATEMENTS
            and after.token_type in _AFTER_LABEL
        ):
            label.token_type = TokenType.VAR
    return tokens


def _columned(tokens: list[Token]) -> list[Token]:
    """Give SELECT FROM in EXISTS a column, which Postgres does not ask for and DuckDB does."""
    given: list[Token] = []
    for token in tokens:
        if token.token_type == TokenType.FROM and [one.token_type for one in given[-3:]] == _NO_COLUMNS:
            given.append(Token.number(1))
        given.append(token)
    return given


def write(tree: exp.Query) -> str:
    """The tree as DuckDB's SQL, with every name quoted. Errors: UnsupportedSqlError."""
    failed = True
    text = ""
    try:
        text = _WRITER.generate(tree, identify=True, unsupported_level=ErrorLevel.RAISE, comments=False)
        failed = False
    except (SqlglotError, RecursionError, AttributeError, TypeError, ValueError):
        pass
    if failed:
        raise UnsupportedSqlError("this catalog query is not supported", hint=_HINT)
    return text
