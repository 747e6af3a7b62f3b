"""Parses SQL text into one statement. It decides nothing about what is allowed; the validator does.

The parser turns other statements into records (`policy_statements`); a query stays a tree.
"""

from __future__ import annotations

import logging
import re
import threading
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Literal

from sqlglot import exp
from sqlglot.errors import ParseError, SqlglotError, TokenError
from sqlglot.tokenizer_core import Token, TokenType

from dpduck.compiler.parse import dialect
from dpduck.compiler.parse.bind import MAX_TEXT, UNWRITABLE, bind_tree
from dpduck.compiler.parse.bind import Parameters as Parameters
from dpduck.compiler.parse.clock_grains import with_buckets
from dpduck.compiler.parse.dialect import ONE_OF_THE_FORMS, STATEMENT_FORMS
from dpduck.compiler.parse.effort import check_words
from dpduck.compiler.parse.nodes import refusal
from dpduck.compiler.parse.other_dialects import form_here
from dpduck.compiler.parse.policy_statements import StatementNode, budgets_asked, constant_text
from dpduck.compiler.parse.settings import (
    ResetSetting,
    SetOption,
    ShowSetting,
    chosen,
    of_setting,
    parse_groups,
)
from dpduck.compiler.parse.summary_statements import released_numbers
from dpduck.kernel.catalog.statements import (
    CreateSummary,
    ExplainSummary,
    PolicyScript,
    PolicyStatement,
    ShowStatement,
    SummaryStatement,
    TableName,
)
from dpduck.kernel.errors import (
    DpduckError,
    ParameterError,
    SqlSyntaxError,
    UnsupportedSqlError,
)
from dpduck.kernel.errors.advice import Hint

_FIRST_WORDS = (
    "SELECT",
    "WITH",
    "FROM",
    "EXPLAIN",
    "SET",
    "RESET",
    "SHOW",
    "ALTER",
    "CREATE",
    "DROP",
    "VALUES",
    "TABLE",
    "DESCRIBE",
)
_UNUSUAL = re.compile(r"[^ -~\t\n\r]")  # neither ASCII that is printed nor white space
_FIRST_WORD = re.compile(r"\s*([A-Za-z]+)")
_WORD = re.compile(r"\w+")
_MISSING = re.compile(r"required keyword: '[a-z_]+' missing for <class '[a-z_.]*\.(\w+)'>", re.IGNORECASE)


@dataclass(frozen=True)
class QueryOptions:
    """OPTIONS (...) of one query, as written; None for an option that is not set.

    `groups`: max_groups_contributed; `unit`: privacy_unit_column; `noise`: one of `NOISES`;
    `interval`: one of `INTERVALS`; `count`: one of `COUNTS`; `distinct`: one of `DISTINCT`; `clamp`: one of
    `CLAMPS`.
    """

    epsilon: str | None = None
    delta: str | None = None
    groups: int | Literal["private"] | None = None
    unit: str | None = None
    noise: str | None = None
    interval: str | None = None
    count: str | None = None
    distinct: str | None = None
    clamp: str | None = None


@dataclass(frozen=True)
class Select:
    """A query, parsed but not yet validated. Its OPTIONS are in `options`, not in the tree."""

    expression: exp.Query
    options: QueryOptions = QueryOptions()


@dataclass(frozen=True)
class Explain:
    """EXPLAIN of a query: its plan, at no charge."""

    select: Select


@dataclass(frozen=True)
class Describe:
    """DESCRIBE of a query, which then shows no rows, or of a table: names and types of its columns."""

    source: Select | TableName


SettingsStatement = SetOption | ShowSetting | ResetSetting
Statement = (
    Select | Explain | Describe | SettingsStatement | ShowStatement | PolicyStatement | SummaryStatement
)


class _Quiet(logging.Filter):
    """Drops sqlglot's log records from threads that are parsing for dpduck, and no others."""

    def __init__(self) -> None:
        super().__init__()
        self.threads: set[int] = set()

    def filter(self, record: logging.LogRecord) -> bool:  # noqa: ARG002
        return threading.get_ident() not in self.threads


_quiet = _Quiet()
logging.getLogger("sqlglot").addFilter(_quiet)


def parse(text: str) -> Statement:
    """Parse exactly one statement, or several statements of policies, between BEGIN and COMMIT or without.

    Errors: SqlSyntaxError for text that is not SQL; UnsupportedSqlError for statements that dpduck does
    not know. Both carry the position when it is known. ParameterError if the text is not a str.

    >>> parse("SET dp_epsilon = 0.5")
    SetOption(name='dp_epsilon', value='0.5')
    """
    _check_text(text)
    failure: DpduckError | None = None
    _quiet.threads.add(threading.get_ident())
    try:
        trees = _parse_trees(text)
    except DpduckError:
        raise
    except (ParseError, TokenError) as error:
        failure = _syntax_error(text, error)
    except RecursionError:
        failure = SqlSyntaxError("the statement is nested too deeply", hint="Use fewer parentheses.")
    except (
        SqlglotError,
        ArithmeticError,
        AttributeError,
        LookupError,
        TypeError,
        ValueError,
    ):
        # sqlglot raises many kinds of exceptions on malformed text; each is reported as a syntax error.
        failure = SqlSyntaxError(
            "the statement cannot be parsed", hint=Hint.of("Write ", ONE_OF_THE_FORMS, ".")
        )
    finally:
        _quiet.threads.discard(threading.get_ident())
    if failure is not None:
        raise failure
    return _statement(trees[0], text) if len(trees) == 1 else _script(trees)


def holds_statement(text: str) -> bool:
    """Whether a text holds more than comments and semicolons.

    >>> holds_statement("-- nothing yet;"), holds_statement("SHOW PRIVACY")
    (False, True)
    """
    try:
        tokens = dialect.dialect_of(text).tokenize(text)
    except SqlglotError:
        return True  # and `parse` says what is wrong
    return any(token.token_type != TokenType.SEMICOLON for token in tokens)


def _check_text(text: str) -> None:
    if not isinstance(text, str):
        raise ParameterError("the statement must be a string", hint="Pass SQL text.")
    if len(text) > MAX_TEXT:
        raise SqlSyntaxError(f"the statement is longer than {MAX_TEXT} characters")
    check_words(text)
    odd = UNWRITABLE.search(text)
    if odd is not None:
        raise SqlSyntaxError("the statement contains a NUL or half a character", position=odd.start() + 1)


def _parse_trees(text: str) -> list[exp.Expr]:
    tool = dialect.dialect_of(text)
    tokens = tool.tokenize(text)
    _check_characters(text, tokens)
    trees = [tree for tree in tool.parser().parse(tokens, text) if tree is not None and not _is_blank(tree)]
    if not trees:
        raise SqlSyntaxError("there is no statement", hint=Hint.of("Write ", ONE_OF_THE_FORMS, "."))
    return [with_buckets(_without_collation(tree)) for tree in trees]


def _script(trees: Sequence[exp.Expr]) -> PolicyScript:
    """Return statements of policies that take effect together. Errors: UnsupportedSqlError for others."""
    begins, ends = isinstance(trees[0], exp.Transaction), isinstance(trees[-1], exp.Commit)
    records = [
        tree.args["this"] if isinstance(tree, StatementNode) else None
        for tree in trees[begins : len(trees) - ends]
    ]
    said = [record for record in records if isinstance(record, PolicyStatement)]
    if begins != ends or not said or len(said) < len(records):
        raise UnsupportedSqlError(
            "only one statement at a time is supported",
            detail=f"The text holds {len(trees)} statements. Those that set policies may be sent together, "
            "also between BEGIN and COMMIT.",
            hint="Send each statement by itself.",
        )
    return PolicyScript(tuple(said))


def _without_collation(tree: exp.Expr) -> exp.Expr:
    """Drop COLLATE "C" and "POSIX", which DuckDB's shell adds for Postgres: it is the default here anyway."""
    for node in list(tree.find_all(exp.Collate)):
        named = node.expression
        if isinstance(named, exp.Identifier) and named.quoted and named.name in ("C", "POSIX"):
            node.replace(node.this)
    return tree


def _is_blank(tree: exp.Expr) -> bool:
    return isinstance(tree, exp.Semicolon)


def _check_characters(text: str, tokens: Sequence[Token]) -> None:
    """Refuse invisible and unusual space characters outside quotes: people and parsers disagree on them."""
    start = 0
    for token in tokens:
        quoted = token.token_type == TokenType.STRING or text[token.start : token.start + 1] == '"'
        _check_span(text, start, token.start if quoted else token.end + 1)
        start = token.end + 1
    _check_span(text, start, len(text))


def _check_span(text: str, start: int, end: int) -> None:
    for found in _UNUSUAL.finditer(text, start, end):
        character = found[0]
        if not character.isascii() and unicodedata.category(character)[0] in "LMNPS":
            continue
        raise SqlSyntaxError(
            f"the character U+{ord(character):04X} is not allowed outside quotes",
            detail="It is invisible or looks like a plain space, so the text may not mean what it seems to.",
            hint="Replace it with a plain space, or put it in quotes.",
            position=found.start() + 1,
        )


def _syntax_error(text: str, error: ParseError | TokenError) -> SqlSyntaxError:
    """Convert sqlglot's error: its description and position, without its terminal colours."""
    first = error.errors[0] if isinstance(error, ParseError) and error.errors else {}
    description = _described(str(first.get("description") or "the text is not complete"), text)
    highlight = str(first.get("highlight") or "")
    near = f" at {highlight[:40]!r}" if highlight.strip() else ""
    meant, form = _meant(text), form_here(text)
    look = f"Did you mean {meant}?" if meant else "Look near that place."
    return SqlSyntaxError(
        f"syntax error{near}: {description[:1].lower()}{description[1:]}",
        hint=form or Hint.of(look, " What can be written: ", STATEMENT_FORMS, "."),
        position=_error_position(text, first),
    )


def _meant(text: str) -> str:
    """Return the first word of a statement that the first word of a text is nearly; empty if it is one."""
    found = _FIRST_WORD.match(text)
    word = "" if found is None else found[1].upper()
    near = [] if word in _FIRST_WORDS else get_close_matches(word, _FIRST_WORDS, 1)
    return near[0] if near else ""


def _described(description: str, text: str) -> str:
    """Return sqlglot's description without the names of its own classes that the text does not hold."""
    found = _MISSING.match(description)
    if found is not None:
        word = found[1].upper()
        return f"a part of {word} is missing" if word in _WORD.findall(text.upper()) else "a part is missing"
    return description.partition(" but got <")[0].rstrip(".")


def _error_position(text: str, error: Mapping[str, object]) -> int | None:
    line, column = error.get("line"), error.get("col")
    if not isinstance(line, int) or not isinstance(column, int):
        return None
    before = sum(len(part) for part in text.splitlines(keepends=True)[: line - 1])
    return max(1, before + column - len(str(error.get("highlight") or "")) + 1)


def _statement(tree: exp.Expr, text: str) -> Statement:
    if isinstance(tree, exp.Subquery) and not any(tree.args.get(arg) for arg in tree.args if arg != "this"):
        tree = tree.this
    if isinstance(tree, exp.Query):
        return budgets_asked(tree) or released_numbers(tree) or _select(tree)
    if isinstance(tree, dialect.ExplainQuery):
        return _explain(tree)
    if isinstance(tree, dialect.DescribeQuery):
        return _describe(tree)
    if isinstance(tree, exp.Summarize):
        raise refusal(
            "SUMMARIZE is not supported",
            "It would tell how many rows there are, and the least and greatest value of each column.",
            "Write DESCRIBE t for names and types, or SELECT count(*), avg(x) FROM t, which costs epsilon.",
        )
    if isinstance(tree, (exp.Set, dialect.SettingStatement)):
        return of_setting(tree)
    if isinstance(tree, StatementNode):
        record: ShowStatement | PolicyStatement | SummaryStatement = tree.args["this"]
        return record
    first = _FIRST_WORD.match(text)
    word = "this statement" if isinstance(tree, exp.Condition) or first is None else first[1].upper()
    raise refusal(
        f"{word} is not supported",
        "Only statements whose effect dpduck fully understands are run.",
        Hint.of("Write ", ONE_OF_THE_FORMS, "."),
    )


def reads_names(select: Select) -> bool:
    """Whether a query reads information_schema alone, which is free."""
    tables = list(select.expression.find_all(exp.Table))
    return bool(tables) and all(table.db.lower() == "information_schema" for table in tables)


def tables_named(select: Select) -> list[str]:
    """The names in FROM of a query and of all its subqueries, but for those that WITH gives."""
    given = {one.alias.lower() for one in select.expression.find_all(exp.CTE)}
    names = (table.name for table in select.expression.find_all(exp.Table))
    return [name for name in names if name.lower() not in given]


def bind(select: Select, parameters: Parameters = None) -> Select:
    """Replace each parameter (?, $1 or $name) by a literal of its value; see `bind_tree`."""
    return replace(select, expression=bind_tree(select.expression, parameters))


def _select(tree: exp.Query) -> Select:
    clause = tree.args.get("hint")
    options = QueryOptions()
    if isinstance(clause, dialect.PrivacyOptions):
        options = _options(clause.args["this"])
        tree.set("hint", None)
    inner = tree.find(dialect.PrivacyOptions)
    if inner is not None:
        raise refusal(
            "WITH DIFFERENTIAL_PRIVACY is not supported in a part of a query",
            "A query is answered as a whole, at one price.",
            "Write it after the first SELECT of the statement, or behind the last WITH.",
            inner.parent,
        )
    return Select(tree, options)


_NO_CONSTANTS = ("privacy_unit_column", "noise", "interval", "count", "distinct_values", "clamp")


def _options(given: Mapping[str, exp.Expr]) -> QueryOptions:
    texts = {name: constant_text(node) for name, node in given.items() if name not in _NO_CONSTANTS}
    groups = texts.get("max_groups_contributed")
    unit = given.get("privacy_unit_column")
    return QueryOptions(
        texts.get("epsilon"),
        texts.get("delta"),
        None if groups is None else parse_groups(groups, "max_groups_contributed"),
        None if unit is None else _column_name(unit),
        chosen("noise", given["noise"]) if "noise" in given else None,
        chosen("interval", given["interval"]) if "interval" in given else None,
        chosen("count", given["count"]) if "count" in given else None,
        chosen("distinct_values", given["distinct_values"]) if "distinct_values" in given else None,
        chosen("clamp", given["clamp"]) if "clamp" in given else None,
    )


def _column_name(node: exp.Expr) -> str:
    if isinstance(node, exp.Column) and len(node.parts) == 1 and isinstance(node.this, exp.Identifier):
        return node.name
    raise refusal(
        "privacy_unit_column takes a column",
        "It is the column of the table's privacy key.",
        "Write privacy_unit_column = id, or leave it out.",
        node,
    )


def _explain(tree: dialect.ExplainQuery) -> Explain | ExplainSummary:
    inner = _statement(tree.this, "") if isinstance(tree.this, exp.Expr) else None
    if isinstance(inner, Select):
        return Explain(inner)
    if isinstance(inner, CreateSummary):
        return ExplainSummary(inner)
    raise refusal("EXPLAIN takes a SELECT", "Only queries have a plan.", "Write EXPLAIN SELECT ....")


def _describe(tree: dialect.DescribeQuery) -> Describe:
    """Return the statement. Its query shows no row, and so costs nothing."""
    if isinstance(tree.this, exp.Table) and not tree.this.catalog:
        return Describe(TableName(tree.this.name, tree.this.db or None))
    inner = _statement(tree.this, "") if isinstance(tree.this, exp.Expr) else None
    if not isinstance(inner, Select):
        raise refusal(
            "DESCRIBE takes a table or a SELECT",
            "Nothing else has columns.",
            "Write DESCRIBE t, or DESCRIBE SELECT ....",
        )
    query = exp.select("*").from_(inner.expression.subquery("t"), copy=False).limit(0, copy=False)
    return Describe(replace(inner, expression=query))
