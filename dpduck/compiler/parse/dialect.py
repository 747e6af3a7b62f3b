"""DuckDB's dialect with dpduck's statements and clauses, as a small extension of sqlglot's parser.

sqlglot wraps text that it does not understand into a `Command`, and drops some arguments from the tree.
This parser raises an error in both cases, so that it never returns an incomplete tree and never logs a
warning.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import TypeVar

from sqlglot import exp
from sqlglot.dialects.duckdb import DuckDB
from sqlglot.parsers.duckdb import DuckDBParser
from sqlglot.tokenizer_core import TokenType

from dpduck.compiler.parse.constant_calls import fold_constant
from dpduck.compiler.parse.nodes import PLACE, unwrap
from dpduck.compiler.parse.policy_statements import PolicyParser
from dpduck.compiler.parse.to_char import to_char
from dpduck.kernel.errors import ParameterError
from dpduck.kernel.errors.advice import AnyOf, Hint, SetTo

STATEMENT_FORMS = AnyOf(
    (
        "SELECT ...",
        "EXPLAIN SELECT ...",
        SetTo("dp_epsilon", "0.5"),
        SetTo("dp_delta", "1e-6"),
        "SHOW PRIVACY",
    )
)
ONE_OF_THE_FORMS = Hint.of("one of: ", STATEMENT_FORMS)
OPTION_NAMES = (
    "epsilon",
    "delta",
    "max_groups_contributed",
    "privacy_unit_column",
    "noise",
    "interval",
    "count",
    "distinct_values",
    "clamp",
)

# BigQuery's names for contribution bounds, and whether they clamp a unit's total in a group or each row.
_BOUNDS = {"contribution_bounds_per_group": "group", "contribution_bounds_per_row": "row"}
_TERMS = (*_BOUNDS, "epsilon")

_BEGIN_QUERIES = (
    TokenType.SELECT,
    TokenType.WITH,
    TokenType.FROM,
    TokenType.L_PAREN,
    TokenType.VALUES,
    TokenType.PIVOT,
)
_AFTER_PIVOT = ("order", "limit", "offset")
_NAMES = {
    ("TABLES",): "SELECT table_name AS name FROM information_schema.tables ORDER BY name",
    ("ALL", "TABLES"): "SELECT table_catalog AS database, table_schema AS schema, table_name AS name, "
    "list(column_name ORDER BY ordinal_position) AS column_names, "
    "list(data_type ORDER BY ordinal_position) AS column_types, false AS temporary "
    "FROM information_schema.columns GROUP BY ALL ORDER BY database, schema, name",
}

_ARGUMENTS_OF_EXTREMES = ("ARGMAX", "ARGMIN", "ARG_MAX", "ARG_MIN", "MAX_BY", "MIN_BY")

_Node = TypeVar("_Node", bound=exp.Expr)


class ExplainQuery(exp.Expression):
    """EXPLAIN this."""

    arg_types = {"this": True}  # noqa: RUF012 (the form that sqlglot prescribes)


class DescribeQuery(exp.Expression):
    """DESCRIBE this, a query or the name of a table."""

    arg_types = {"this": True}  # noqa: RUF012


class PrivacyOptions(exp.Expression):
    """SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (name = value, ...), stored as the `hint` of that SELECT.

    `this`: a dict from option name to value node.
    """

    arg_types = {"this": True}  # noqa: RUF012


class AggregateTerms(exp.Expression, exp.Condition):
    """An aggregate with named arguments: sum(x, contribution_bounds_per_row => (0, 9), epsilon => 0.2).

    `this`: the aggregate without them. `per`: 'group' clamps a unit's total within a group, 'row' clamps
    each value. `low`, `high`: the bounds, as nodes. `epsilon`: the share of epsilon for this aggregate.
    """

    arg_types = {"this": True, "per": False, "low": False, "high": False, "epsilon": False}  # noqa: RUF012


class PivotedRows(exp.Expression):
    """PIVOT this ON columns USING aggregates GROUP BY group, in the FROM of a query that selects its columns.

    `columns`: each a value, or a value IN (constants). `aggregates`: none mean count(*).
    """

    arg_types = {"this": True, "columns": True, "aggregates": False, "group": False}  # noqa: RUF012


_SOURCE_TEXT = "dpduck_source_text"


def source_text(node: exp.Expr) -> str | None:
    """Return the SQL text of a select-list item as the user wrote it; None for any other node."""
    text = node.meta.get(_SOURCE_TEXT)
    return text if isinstance(text, str) else None


def without_terms(node: exp.Expr) -> exp.Expr:
    """Return a tree without the terms of privacy in its calls: itself if there are none, else a copy."""
    if node.find(AggregateTerms) is None:
        return node
    plain: exp.Expr = node.transform(lambda part: part.this if isinstance(part, AggregateTerms) else part)
    return plain


class SettingStatement(exp.Expression):
    """SHOW or RESET, the `word`, of a setting: `this` is its name in lower case, or all."""

    arg_types = {"this": True, "word": True}  # noqa: RUF012


class DpduckParser(PolicyParser):
    """DuckDB's parser with dpduck's statements; it raises an error for everything that it cannot parse."""

    # sqlglot's special parsers for these functions drop surplus arguments; the general one counts them.
    FUNCTION_PARSERS = {  # noqa: RUF012
        name: parser
        for name, parser in DuckDBParser.FUNCTION_PARSERS.items()
        if "QUANTILE" not in name and name not in _ARGUMENTS_OF_EXTREMES
    }

    FUNCTIONS = {  # noqa: RUF012
        **DuckDBParser.FUNCTIONS,
        "TO_CHAR": to_char,
        "TO_DATE": lambda args: fold_constant("to_date", args, exp.DType.DATE),
        "TO_TIMESTAMP": lambda args: (
            fold_constant("to_timestamp", args, exp.DType.TIMESTAMP)
            if len(args) == 2
            else DuckDBParser.FUNCTIONS["TO_TIMESTAMP"](args)
        ),
    }

    UNARY_PARSERS = {  # noqa: RUF012
        **DuckDBParser.UNARY_PARSERS,
        TokenType.PLUS: lambda self: self._signed(),
    }

    # DuckDB 2 writes functions with `lambda x:`; there -> in an argument takes a part of JSON, as elsewhere.
    LAMBDAS = {  # noqa: RUF012
        token: parser for token, parser in DuckDBParser.LAMBDAS.items() if token != TokenType.ARROW
    }

    _terms: tuple[exp.Kwarg, ...] = ()  # named arguments of the function call that was parsed last
    _called: str = ""  # the name of the function whose call is being parsed, as it is written

    def _parse_statement(self) -> exp.Expr | None:
        """Parse RESET name, of which sqlglot's tokens are a command and its text; others as it does."""
        is_command = self._curr and self._next and self._curr.token_type == TokenType.COMMAND
        if is_command and self._curr.text.upper() == "RESET":
            self._advance()
            return self._setting("RESET")
        return super()._parse_statement()

    def _setting(self, word: str) -> SettingStatement:
        """Parse the name of a setting, or ALL, at the end of a statement."""
        name = self._curr.text.strip().lower()
        self._advance()
        if self._curr and self._curr.token_type != TokenType.SEMICOLON:
            self.raise_error(f"Expecting one name after {word}")
        return SettingStatement(this=name, word=word)

    def _signed(self) -> exp.Expr | None:
        """Parse what follows a sign +, which sqlglot drops: in DuckDB it turns NULL into an empty list."""
        found = self._parse_unary()
        if isinstance(found, exp.Expr) and not isinstance(found.unnest(), (exp.Literal, exp.Neg)):
            raise self._refusal("a sign + before an expression is not supported", "it without the sign")
        return found

    def _parse_interval(
        self, require_interval: bool = True, parse_function_unit: bool = True
    ) -> exp.Add | exp.Interval | None:
        """Read one interval. To sqlglot a text or number after it is another; DuckDB adds what is written."""
        start = self._index
        found = super()._parse_interval(require_interval, parse_function_unit)
        if not isinstance(found, exp.Add):
            return found
        self._retreat(start)
        self._match(TokenType.INTERVAL)
        is_text = self._match(TokenType.STRING, advance=False)
        amount = self._parse_primary() if is_text else self._parse_term()
        assert amount is not None  # as it was read before
        return self._parse_interval_span(amount, parse_function_unit=parse_function_unit)

    def _parse_placeholder(self) -> exp.Expr | None:
        """Keep where a parameter stands in the text: a ? has its number by that, not by the tree."""
        found: exp.Expr | None = super()._parse_placeholder()
        if isinstance(found, exp.Placeholder):
            found.meta[PLACE] = self._prev.start
        return found

    def _parse_describe(self) -> exp.Expr:  # type: ignore[override]
        if self._prev.text.upper() != "EXPLAIN":
            return DescribeQuery(this=self._described())
        if self._match_text_seq("ANALYZE"):
            raise self._refusal(
                "EXPLAIN ANALYZE is not supported",
                "EXPLAIN SELECT ..., which reads no private row",
            )
        return ExplainQuery(this=self._parse_statement())

    def _described(self) -> exp.Expr | None:
        """Parse the query after DESCRIBE, or the name of a table."""
        is_query = self._curr and self._curr.token_type in _BEGIN_QUERIES
        return self._parse_statement() if is_query else self._parse_table_parts()

    def _parse_show(self) -> exp.Expr:
        """Parse SHOW; SHOW TABLES and SHOW ALL TABLES are queries of information_schema."""
        wanted = tuple(token.text.upper() for token in self._tokens[self._index :])
        if wanted == ("ALL",) or (len(wanted) == 1 and wanted[0].startswith("DP_")):
            return self._setting("SHOW")
        if wanted not in _NAMES:
            return super()._parse_show()
        self._advance(len(wanted))
        query = Dpduck().parse(_NAMES[wanted])[0]
        assert query is not None
        return query

    def _parse_simplified_pivot(self, is_unpivot: bool | None = None) -> exp.Expr:  # type: ignore[override]
        """Parse PIVOT as a query with ORDER BY and LIMIT; sqlglot has it as a statement without these."""
        pivot = super()._parse_simplified_pivot(is_unpivot)
        if is_unpivot or not pivot.expressions:
            return pivot
        rows = PivotedRows(
            this=pivot.this,
            columns=pivot.expressions,
            aggregates=pivot.args.get("using") or [],
            group=pivot.args.get("group"),
        )
        query = exp.Select(expressions=[exp.Star()], from_=exp.From(this=rows))
        written = {*query.args, *_AFTER_PIVOT}
        query = self._parse_query_modifiers(query)
        if any(value for name, value in query.args.items() if name not in written):
            self.raise_error("After PIVOT only ORDER BY and LIMIT are read")
        return query

    def _parse_cube_or_rollup(self, with_prefix: bool = False) -> exp.Expr | None:  # type: ignore[override]
        """Parse ROLLUP (age > 30, region); sqlglot reads no comparison in it."""
        kinds = ((TokenType.ROLLUP, exp.Rollup), (TokenType.CUBE, exp.Cube))
        kind = None if with_prefix else next((kind for word, kind in kinds if self._match(word)), None)
        if kind is None:
            return super()._parse_cube_or_rollup(with_prefix)
        return self.expression(kind(expressions=self._parse_wrapped_csv(self._parse_disjunction)))

    def _parse_grouping_set(self) -> exp.Expr | None:
        return self._parse_grouping_sets() or self._parse_cube_or_rollup() or self._parse_disjunction()

    def _parse_hint(self) -> exp.Expr | None:  # type: ignore[override]
        """Parse the clause between SELECT and its columns: OPTIONS, or an optimizer hint."""
        if not self._match_text_seq("WITH", "DIFFERENTIAL_PRIVACY"):
            return super()._parse_hint()
        if not self._match_text_seq("OPTIONS"):
            self.raise_error("Expecting OPTIONS (epsilon = 0.5, ...)")
        return PrivacyOptions(this=self._named_values(TokenType.EQ, OPTION_NAMES, "DIFFERENTIAL_PRIVACY"))

    def _parse_projections(self) -> tuple[list[exp.Expr], list[exp.Expr] | None]:
        return self._parse_csv(self._projection), None

    def _projection(self) -> exp.Expr | None:
        """Parse a select-list item and keep its source text, which names the column if it has no alias."""
        start = self._curr
        item = self._parse_expression()
        if item is not None:
            unwrap(item).meta[_SOURCE_TEXT] = self._find_sql(start, self._prev)
        return item

    def _parse_limit(
        self, this: exp.Expr | None = None, top: bool = False, skip_limit_token: bool = False
    ) -> exp.Expr | None:
        """Parse LIMIT; rewrite FETCH FIRST 10 ROWS ONLY to LIMIT 10, and LIMIT ALL to none."""
        limit = super()._parse_limit(this, top, skip_limit_token)
        if isinstance(limit, exp.Limit) and isinstance(limit.expression, exp.Var):
            return None if limit.expression.name.upper() == "ALL" else limit
        if not isinstance(limit, exp.Fetch):
            return limit
        options = limit.args.get("limit_options")
        if options is None or options.args.get("percent") or options.args.get("with_ties"):
            return limit
        return exp.Limit(expression=limit.args.get("count") or exp.Literal.number(1))

    def _parse_function_call(
        self,
        functions: dict[str, Callable[..., exp.Expr]] | None = None,
        anonymous: bool = False,
        optional_parens: bool = True,
        any_token: bool = False,
    ) -> exp.Expr | None:
        outer, self._terms = self._terms, ()
        caller, written = self._called, self._curr
        self._called = caller if written is None else written.text
        try:
            call = super()._parse_function_call(functions, anonymous, optional_parens, any_token)
            terms = self._terms
        finally:
            self._terms, self._called = outer, caller
        is_call = written is not None and call is not None and call.meta.get("start") == written.start
        if call is not None and written is not None and (is_call or isinstance(call, exp.Func)):
            call.meta["name"] = written.text  # sqlglot has one name for several functions, often its own
        if not terms or call is None:
            return call
        named: dict[str, object] = {}
        for term in terms:
            named |= self._term(term, named)
        return AggregateTerms(this=call, **named)

    def _term(self, term: exp.Kwarg, known: dict[str, object]) -> dict[str, object]:
        """Return the `AggregateTerms` fields that a named argument sets. Each may be set once."""
        name = term.name.lower()
        fields: dict[str, object] = {"epsilon": term.expression}
        if name in _BOUNDS:
            bounds = term.expression
            if not isinstance(bounds, exp.Tuple) or len(bounds.expressions) != 2:
                self.raise_error(f"{term.name} takes two bounds: (low, high)")
            fields = {"per": _BOUNDS[name], "low": bounds.expressions[0], "high": bounds.expressions[1]}
        if fields.keys() & known.keys():
            self.raise_error(f"{term.name} is given twice")
        return fields

    def _parse_function_args(self, alias: bool = False) -> list[exp.Expr]:
        arguments = super()._parse_function_args(alias)
        end = len(arguments)
        while end and isinstance(arguments[end - 1], exp.Kwarg) and arguments[end - 1].name.lower() in _TERMS:
            end -= 1
        if end < len(arguments):
            self._terms = tuple(arguments[end:])  # type: ignore[arg-type]
        return arguments[:end]

    def validate_expression(self, expression: _Node, args: list[exp.Expr] | None = None) -> _Node:
        """Refuse a call if sqlglot dropped one of its arguments, since the tree would mean something else.

        String arguments are exempt: sqlglot may store one in the node itself, such as the unit in
        date_trunc('month', x).
        """
        if args is not None and any(name not in expression.args for name in expression.required_args):
            self.raise_error(f"{self._called} needs more arguments")
        node = super().validate_expression(expression, args)
        if isinstance(node, exp.SplitPart) and node.args.get("part_index") is None:
            self.raise_error("split_part takes three arguments")
        for argument in args or ():
            if isinstance(argument, exp.Expr) and not argument.is_string and not _is_part(argument, node):
                self.raise_error("The call has too many arguments, or one that is not understood")
        return node

    def _warn_unsupported(self) -> None:
        """Raise an error where sqlglot would log a warning and return a `Command`."""
        raise self._refusal("this statement is not supported", ONE_OF_THE_FORMS)


def _is_part(part: exp.Expr, whole: exp.Expr) -> bool:
    """Whether `whole` contains `part`. A replaced node keeps its parent link, so child links are checked."""
    while part is not whole:
        parent = part.parent
        held = None if parent is None else parent.args.get(part.arg_key or "")
        if parent is None or not any(part is item for item in (held if isinstance(held, list) else [held])):
            return False
        part = parent
    return True


class Dpduck(DuckDB):
    """DuckDB's SQL with privacy policies."""

    # DuckDB reads 1_0 as the number 10, which is easy to misread; dpduck has no need for it.
    NUMBERS_CAN_BE_UNDERSCORE_SEPARATED = False

    def to_json_path(self, path: exp.Expr | None) -> exp.Expr | None:
        """Do not parse JSON paths: validation refuses them, and parsing them may log a warning."""
        return path

    class Tokenizer(DuckDB.Tokenizer):
        KEYWORDS = {**DuckDB.Tokenizer.KEYWORDS, "EXPLAIN": TokenType.DESCRIBE}  # noqa: RUF012

    Parser = DpduckParser


class NumberedDpduck(Dpduck):
    """The dialect for statements with $1: without dollar quotes, which sqlglot sees in `$1,$2`."""

    class Tokenizer(Dpduck.Tokenizer):
        HEREDOC_STRINGS = []  # noqa: RUF012


@cache
def _check_sqlglot() -> None:
    """Errors: ParameterError if sqlglot is compiled: then no class extends its parsers."""
    try:
        DpduckParser()
    except TypeError:
        is_compiled = True
    else:
        is_compiled = False
    if is_compiled:
        raise ParameterError(
            "the package sqlglotc is installed, with which dpduck cannot read SQL",
            detail="It is sqlglot in compiled form, whose parsers nobody can extend.",
            hint="Run pip uninstall sqlglotc; sqlglot stays.",
        )


_NUMBERED = re.compile(r"\$[0-9]")


def dialect_of(text: str) -> Dpduck:
    """Return the dialect for a text: `NumberedDpduck` if it contains $1, $2, ..., else `Dpduck`.

    Errors: ParameterError if sqlglot is compiled.
    """
    _check_sqlglot()
    return NumberedDpduck() if _NUMBERED.search(text) else Dpduck()
