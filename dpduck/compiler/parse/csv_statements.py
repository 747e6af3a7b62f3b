"""Parses how a CSV file is read: SET CSV (column TYPE [FORMAT 'f'], ...) [WITH (fact = value, ...)]."""

from __future__ import annotations

from typing import Any

from sqlglot import exp
from sqlglot.tokenizer_core import TokenType

from dpduck.compiler.parse.nodes import scalar
from dpduck.kernel.catalog.csv_format import OPTIONS, CsvColumn, CsvFormat, SetCsv
from dpduck.kernel.catalog.statements import TableName
from dpduck.kernel.catalog.types import Scalar
from dpduck.kernel.errors import ParameterError

_KINDS: dict[str, type] = {"header": bool, "skip": int}


def parse_csv_format(parser: Any, table: TableName) -> SetCsv:
    """Parse what follows ALTER TABLE t SET CSV. Input: the parser, an instance of `PolicyParser`.

    Errors: ParameterError for what no file can be like; sqlglot's, for text that is not of that form.
    """
    columns = tuple(parser._parse_wrapped_csv(lambda: _column(parser)))
    given = {}
    if parser._match(TokenType.WITH):
        named = parser._named_values(TokenType.EQ, OPTIONS, "SET CSV ... WITH")
        given = {name: _fact(name, node) for name, node in named.items()}
    return SetCsv(table, CsvFormat(columns, **given))


def _column(parser: Any) -> CsvColumn:
    name, words = parser._name(), []
    while parser._curr and not parser._match_text_seq("FORMAT", advance=False):
        if parser._curr.token_type in (TokenType.COMMA, TokenType.R_PAREN):
            break
        words.append(parser._curr.text)
        parser._advance()
        if words[-1] == "(":  # the digits of DECIMAL
            while parser._curr and words[-1] != ")":
                words.append(parser._curr.text)
                parser._advance()
    form = None
    if parser._match_text_seq("FORMAT"):
        form = str(scalar(parser._value()))
    return CsvColumn(name, " ".join(words) or "VARCHAR", form)


def _fact(name: str, node: exp.Expr) -> Any:
    """The value of a fact. Errors: ParameterError."""
    if name == "null":
        listed = node.expressions if isinstance(node, exp.Tuple) else [node]
        return tuple(str(scalar(one)) for one in listed)
    value: Scalar = scalar(node)
    kind = _KINDS.get(name, str)
    if type(value) is not kind:
        what = {bool: "true or false", int: "a whole number"}.get(kind, "a text")
        raise ParameterError(f"{name} = {str(value)[:40]} is not {what}", hint=f"Write {name} = {what}.")
    return value
