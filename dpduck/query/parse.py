"""SQL text to one statement. Nothing here decides what is allowed; what cannot be read is an error.

Parameters are bound to literals on the parsed tree, before validation, so that a value is never text
to be parsed and the gate sees what will run.
"""

from __future__ import annotations

import logging
import math
import re
import threading
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal

from sqlglot import exp
from sqlglot.errors import ParseError, SqlglotError, TokenError
from sqlglot.tokenizer_core import Token, TokenType

from dpduck.errors import DpduckError, ParameterError, SqlSyntaxError, UnsupportedSqlError
from dpduck.query import dialect
from dpduck.query.dialect import POLICY_FORMS, STATEMENT_FORMS
from dpduck.query.nodes import refusal, scalar
from dpduck.statements import (
    AddPrivacyKey,
    DomainRange,
    DomainValues,
    DropPrivacyKey,
    PolicyStatement,
    SetPrivacyDomain,
    SetPublic,
    TableName,
)

MAX_TEXT = 1_000_000  # characters: room for a domain of some ten thousand values
MAX_PARAMETERS = 1_000
MAX_BITS = 160  # of a whole number as parameter: more than any type holds
SETTINGS = ("dp_epsilon", "dp_delta")

# NUL ends a text for some readers; half of a surrogate pair is no character and cannot be sent.
_UNWRITABLE = re.compile("[\0\ud800-\udfff]")

Parameter = int | Decimal | float | str | bool | date | datetime | None
Parameters = Sequence[Parameter] | Mapping[str, Parameter] | None


@dataclass(frozen=True)
class Select:
    """A query, parsed but not yet allowed."""

    expression: exp.Select


@dataclass(frozen=True)
class Explain:
    """EXPLAIN of a query: its plan, at no charge."""

    select: Select


@dataclass(frozen=True)
class SetOption:
    """SET name = value; the value as written, for the exact readers of quantities."""

    name: str
    value: str


@dataclass(frozen=True)
class ShowPrivacy:
    """SHOW PRIVACY."""


Statement = Select | Explain | SetOption | ShowPrivacy | PolicyStatement


class _Quiet(logging.Filter):
    """Drops what sqlglot logs in a thread that is parsing for dpduck, and nothing else."""

    def __init__(self) -> None:
        super().__init__()
        self.threads: set[int] = set()

    def filter(self, record: logging.LogRecord) -> bool:  # noqa: ARG002
        return threading.get_ident() not in self.threads


_quiet = _Quiet()
logging.getLogger("sqlglot").addFilter(_quiet)


def parse(text: str) -> Statement:
    """Read exactly one statement.

    Errors: SqlSyntaxError for text that is not SQL; UnsupportedSqlError for statements that dpduck does
    not know. Both carry the position when it is known.

    >>> parse("SET dp_epsilon = 0.5")
    SetOption(name='dp_epsilon', value='0.5')
    """
    _check_text(text)
    failure: DpduckError | None = None
    _quiet.threads.add(threading.get_ident())
    try:
        tree = _parse_tree(text)
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
        # sqlglot stumbles in many ways over malformed text; all of them mean: not understood.
        failure = SqlSyntaxError("the statement cannot be parsed", hint=f"Write one of: {STATEMENT_FORMS}.")
    finally:
        _quiet.threads.discard(threading.get_ident())
    if failure is not None:
        raise failure
    return _statement(tree)


def _check_text(text: str) -> None:
    if not isinstance(text, str):
        raise ParameterError("the statement must be a string", hint="Pass SQL text.")
    if len(text) > MAX_TEXT:
        raise SqlSyntaxError(f"the statement is longer than {MAX_TEXT} characters")
    odd = _UNWRITABLE.search(text)
    if odd is not None:
        raise SqlSyntaxError("the statement contains a NUL or half a character", position=odd.start() + 1)


def _parse_tree(text: str) -> exp.Expr:
    tool = dialect.Dpduck()
    tokens = tool.tokenize(text)
    _check_characters(text, tokens)
    trees = [tree for tree in tool.parser().parse(tokens, text) if not _is_blank(tree)]
    if not trees:
        raise SqlSyntaxError("there is no statement", hint=f"Write one of: {STATEMENT_FORMS}.")
    if len(trees) > 1 or trees[0] is None:
        raise UnsupportedSqlError(
            "only one statement at a time is supported",
            detail=f"The text holds {len(trees)} statements.",
            hint="Send each statement by itself.",
        )
    return trees[0]


def _is_blank(tree: exp.Expr | None) -> bool:
    return tree is None or isinstance(tree, exp.Semicolon)


def _check_characters(text: str, tokens: Sequence[Token]) -> None:
    """Refuse invisible and odd blank characters outside quotes: readers and parsers differ on them."""
    place = 0
    for token in tokens:
        quoted = token.token_type == TokenType.STRING or text[token.start : token.start + 1] == '"'
        _check_span(text, place, token.start if quoted else token.end + 1)
        place = token.end + 1
    _check_span(text, place, len(text))


def _check_span(text: str, start: int, end: int) -> None:
    for place in range(start, end):
        character = text[place]
        if character.isascii() and (character.isprintable() or character in "\t\n\r"):
            continue
        if not character.isascii() and unicodedata.category(character)[0] in "LMNPS":
            continue
        raise SqlSyntaxError(
            f"the character U+{ord(character):04X} is not allowed outside quotes",
            detail="It is invisible or looks like a plain space, so the text may not mean what it seems to.",
            hint="Replace it with a plain space, or put it in quotes.",
            position=place + 1,
        )


def _syntax_error(text: str, error: ParseError | TokenError) -> SqlSyntaxError:
    """sqlglot's description and place, without its terminal colours."""
    first = error.errors[0] if isinstance(error, ParseError) and error.errors else {}
    description = str(first.get("description") or "the text is not complete").rstrip(".")
    highlight = str(first.get("highlight") or "")
    near = f" at {highlight[:40]!r}" if highlight.strip() else ""
    return SqlSyntaxError(
        f"syntax error{near}: {description[:1].lower()}{description[1:]}",
        position=_error_position(text, first),
    )


def _error_position(text: str, error: Mapping[str, object]) -> int | None:
    line, column = error.get("line"), error.get("col")
    if not isinstance(line, int) or not isinstance(column, int):
        return None
    before = sum(len(part) for part in text.splitlines(keepends=True)[: line - 1])
    return max(1, before + column - len(str(error.get("highlight") or "")) + 1)


def _statement(tree: exp.Expr) -> Statement:
    if isinstance(tree, exp.Subquery) and not any(tree.args.get(arg) for arg in tree.args if arg != "this"):
        tree = tree.this
    if isinstance(tree, exp.Select):
        return Select(tree)
    if isinstance(tree, dialect.ExplainQuery):
        return _explain(tree)
    if isinstance(tree, exp.Set):
        return _set_option(tree)
    if isinstance(tree, dialect.ShowPolicies):
        return ShowPrivacy()
    for node, reader in _POLICY_READERS.items():
        if isinstance(tree, node):
            return reader(tree)
    word = "this statement" if isinstance(tree, exp.Condition) else tree.key.upper()
    raise refusal(
        f"{word} is not supported",
        "Only statements whose effect dpduck fully understands are run.",
        f"Write one of: {STATEMENT_FORMS}.",
    )


def _explain(tree: dialect.ExplainQuery) -> Explain:
    inner = _statement(tree.this) if isinstance(tree.this, exp.Expr) else None
    if isinstance(inner, Select):
        return Explain(inner)
    raise refusal("EXPLAIN takes a SELECT", "Only queries have a plan.", "Write EXPLAIN SELECT ....")


def _set_option(tree: exp.Set) -> SetOption:
    item = tree.expressions[0] if len(tree.expressions) == 1 else None
    equation = item.this if isinstance(item, exp.SetItem) and not item.args.get("kind") else None
    if (
        tree.args.get("unset")
        or not isinstance(equation, exp.EQ)
        or not isinstance(equation.this, exp.Column)
    ):
        raise _unknown_setting()
    name = equation.this.name.lower()
    if name not in SETTINGS or len(equation.this.parts) != 1:
        raise _unknown_setting()
    return SetOption(name, _setting_text(equation.expression))


def _setting_text(node: exp.Expr) -> str:
    """The value exactly as written, so that 0.10 and 1e-6 stay decimals."""
    if isinstance(node, exp.Neg) and isinstance(node.this, exp.Literal):
        return f"-{node.this.this}"
    if isinstance(node, exp.Literal):
        return str(node.this)
    raise refusal("a setting takes a constant", "It must be a number.", "Write SET dp_epsilon = 0.5.", node)


def _unknown_setting() -> UnsupportedSqlError:
    return refusal(
        "this SET statement is not supported",
        "Settings of DuckDB and variables could carry private values from one statement to the next.",
        "Write SET dp_epsilon = 0.5 or SET dp_delta = 1e-6.",
    )


def _table_name(node: exp.Expr) -> TableName:
    if (
        not isinstance(node, exp.Table)
        or not isinstance(node.this, exp.Identifier)
        or node.args.get("catalog")
    ):
        raise refusal(
            "a table name is expected", "It is name or schema.name.", f"Write {POLICY_FORMS}.", node
        )
    return TableName(node.name, node.db or None)


def _read_domain(tree: exp.Expr) -> SetPrivacyDomain:
    domain: DomainValues | DomainRange
    if tree.args.get("expressions"):
        domain = DomainValues(tuple(scalar(node) for node in tree.expressions))
    else:
        step = tree.args.get("step")
        domain = DomainRange(
            scalar(tree.args["low"]), scalar(tree.args["high"]), None if step is None else scalar(step)
        )
    return SetPrivacyDomain(_table_name(tree.this), tree.args["column"].name, domain)


_POLICY_READERS = {
    dialect.AddKey: lambda tree: AddPrivacyKey(_table_name(tree.this), tree.args["column"].name),
    dialect.DropKey: lambda tree: DropPrivacyKey(_table_name(tree.this)),
    dialect.MakePublic: lambda tree: SetPublic(_table_name(tree.this)),
    dialect.SetDomain: _read_domain,
}


def bind(select: Select, parameters: Parameters = None) -> Select:
    """Replace each parameter (?, $1 or $name) by a literal of its value.

    Input: a sequence for ? and $1, a mapping for $name. Each value must be used.
    Errors: ParameterError.
    """
    tree = select.expression.copy()
    holders = list(tree.find_all(exp.Placeholder))
    names = [str(holder.args.get("this") or "") for holder in holders]
    values = _named_values(names, parameters)
    for number, (holder, name) in enumerate(zip(holders, names, strict=True)):
        literal = _literal(values[name or str(number + 1)], name or str(number + 1))
        holder.replace(literal)
    return Select(tree)


def _named_values(names: Sequence[str], parameters: Parameters) -> dict[str, Parameter]:
    wanted = {str(number + 1) for number in range(len(names))} if names and not any(names) else set(names)
    if "" in wanted:
        raise ParameterError(
            "? and $1 cannot be mixed in one statement", hint="Write $1, $2, ... throughout."
        )
    given = _given_values(parameters)
    if wanted != set(given):
        raise ParameterError(
            f"the statement takes {_listed(wanted)} but was given {_listed(set(given))}",
            hint="Pass one value for each parameter.",
        )
    return given


def _given_values(parameters: Parameters) -> dict[str, Parameter]:
    if parameters is None:
        return {}
    if isinstance(parameters, (str, bytes)) or not isinstance(parameters, (Sequence, Mapping)):
        raise ParameterError("parameters must be a list or a dict", hint="Pass [value] or {'name': value}.")
    if len(parameters) > MAX_PARAMETERS:
        raise ParameterError(f"more than {MAX_PARAMETERS} parameters")
    if isinstance(parameters, Mapping):
        return {str(name): value for name, value in parameters.items()}
    return {str(number + 1): value for number, value in enumerate(parameters)}


def _listed(names: set[str]) -> str:
    if not names:
        return "no parameters"
    return f"the parameters {', '.join(sorted(names)[:10])}"


def _literal(value: object, name: str) -> exp.Expr:
    if value is None:
        return exp.Null()
    if isinstance(value, bool):
        return exp.Boolean(this=value)
    if isinstance(value, (int, float, Decimal)):
        return _number_literal(value, name)
    if isinstance(value, str) and not _UNWRITABLE.search(value) and len(value) <= MAX_TEXT:
        return exp.Literal.string(value)
    if isinstance(value, datetime) and value.tzinfo is None:
        return exp.Cast(
            this=exp.Literal.string(value.isoformat(" ")), to=exp.DataType(this=exp.DType.TIMESTAMP)
        )
    if isinstance(value, date) and not isinstance(value, datetime):
        return exp.Cast(this=exp.Literal.string(value.isoformat()), to=exp.DataType(this=exp.DType.DATE))
    raise ParameterError(
        f"parameter {name} has an unsupported type or value",
        detail="It may be an int, Decimal, finite float, str, bool, date, datetime without zone, or None.",
    )


def _number_literal(value: int | float | Decimal, name: str) -> exp.Expr:
    if (isinstance(value, int) and value.bit_length() > MAX_BITS) or not math.isfinite(value):
        raise ParameterError(f"parameter {name} is not a finite number of at most {MAX_BITS} bits")
    text = str(abs(value)) if isinstance(value, (int, Decimal)) else repr(abs(value))
    literal = exp.Literal.number(text)
    return exp.Neg(this=literal) if value < 0 else literal
