"""DuckDB's dialect with dpduck's statements and clauses, as a small extension of sqlglot's parser.

What sqlglot itself would wrap into a `Command` (text that it did not understand), or would drop from the
tree, is refused here, at the place where it happens, so that no such node and no warning ever leaves the
parser.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

from sqlglot import exp
from sqlglot.dialects.duckdb import DuckDB
from sqlglot.parsers.duckdb import DuckDBParser
from sqlglot.tokenizer_core import TokenType

from dpduck.errors.advice import AnyOf, Hint, SetTo
from dpduck.query.parse.nodes import unwrap
from dpduck.query.parse.policy_statements import PolicyParser
from dpduck.query.parse.to_timestamp import read_moment

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
OPTION_NAMES = ("epsilon", "delta", "max_groups_contributed", "privacy_unit_column")

# BigQuery's names for the bounds of an aggregate's argument, and whose total they bound.
_BOUNDS = {"contribution_bounds_per_group": "group", "contribution_bounds_per_row": "row"}
_TERMS = (*_BOUNDS, "epsilon")

_ARGUMENTS_OF_EXTREMES = ("ARGMAX", "ARGMIN", "ARG_MAX", "ARG_MIN", "MAX_BY", "MIN_BY")

_Node = TypeVar("_Node", bound=exp.Expr)


class ExplainQuery(exp.Expression):
    """EXPLAIN this."""

    arg_types = {"this": True}  # noqa: RUF012 (the form that sqlglot prescribes)


class PrivacyOptions(exp.Expression):
    """SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (name = value, ...), as the `hint` of that SELECT.

    `this`: the values by name, as nodes.
    """

    arg_types = {"this": True}  # noqa: RUF012


class AggregateTerms(exp.Expression, exp.Condition):
    """An aggregate with terms: sum(x, contribution_bounds_per_group => (low, high), epsilon => 0.2).

    `this`: the aggregate without them; `per`: 'group', the total of a unit within a group is clamped, or
    'row', each value is; `low`, `high`: nodes of constants; `epsilon`: the part of epsilon that it gets.
    """

    arg_types = {"this": True, "per": False, "low": False, "high": False, "epsilon": False}  # noqa: RUF012


_WRITTEN = "dpduck_written"


def written(node: exp.Expr) -> str | None:
    """The text of an item of the select list, None of what is no such item."""
    text = node.meta.get(_WRITTEN)
    return text if isinstance(text, str) else None


class DpduckParser(PolicyParser):
    """DuckDB's parser with dpduck's statements, and without a way to pass on what it cannot read."""

    # Parsers of their own, which drop arguments that are too many; the general one counts them.
    FUNCTION_PARSERS = {  # noqa: RUF012
        name: parser
        for name, parser in DuckDBParser.FUNCTION_PARSERS.items()
        if "QUANTILE" not in name and name not in _ARGUMENTS_OF_EXTREMES
    }

    FUNCTIONS = {  # noqa: RUF012
        **DuckDBParser.FUNCTIONS,
        "TO_DATE": lambda args: read_moment("to_date", args, exp.DType.DATE),
        "TO_TIMESTAMP": lambda args: (
            read_moment("to_timestamp", args, exp.DType.TIMESTAMP)
            if len(args) == 2
            else DuckDBParser.FUNCTIONS["TO_TIMESTAMP"](args)
        ),
    }

    _terms: tuple[exp.Kwarg, ...] = ()  # of the function call whose arguments were read last

    def _parse_describe(self) -> exp.Expr:  # type: ignore[override]
        if self._prev.text.upper() != "EXPLAIN":
            raise self._refusal(
                "DESCRIBE is not supported", "EXPLAIN SELECT ..., which shows the plan of a query"
            )
        if self._match_text_seq("ANALYZE"):
            raise self._refusal(
                "EXPLAIN ANALYZE is not supported",
                "EXPLAIN SELECT ..., which reads no private row",
            )
        return ExplainQuery(this=self._parse_statement())

    def _parse_hint(self) -> exp.Expr | None:  # type: ignore[override]
        """What may stand between SELECT and its columns."""
        if not self._match_text_seq("WITH", "DIFFERENTIAL_PRIVACY"):
            return super()._parse_hint()
        if not self._match_text_seq("OPTIONS"):
            self.raise_error("Expecting OPTIONS (epsilon = 0.5, ...)")
        return PrivacyOptions(this=self._named_values(TokenType.EQ, OPTION_NAMES, "DIFFERENTIAL_PRIVACY"))

    def _parse_projections(self) -> tuple[list[exp.Expr], list[exp.Expr] | None]:
        return self._parse_csv(self._projection), None

    def _projection(self) -> exp.Expr | None:
        """An item of the select list, with its text: an unnamed column is called by it."""
        start = self._curr
        item = self._parse_expression()
        if item is not None:
            unwrap(item).meta[_WRITTEN] = self._find_sql(start, self._prev)
        return item

    def _parse_limit(
        self, this: exp.Expr | None = None, top: bool = False, skip_limit_token: bool = False
    ) -> exp.Expr | None:
        """FETCH FIRST 10 ROWS ONLY is LIMIT 10."""
        limit = super()._parse_limit(this, top, skip_limit_token)
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
        try:
            call = super()._parse_function_call(functions, anonymous, optional_parens, any_token)
            terms = self._terms
        finally:
            self._terms = outer
        if not terms or call is None:
            return call
        named: dict[str, object] = {}
        for term in terms:
            named |= self._term(term, named)
        return AggregateTerms(this=call, **named)

    def _term(self, term: exp.Kwarg, known: dict[str, object]) -> dict[str, object]:
        """What a named argument says. Each thing may be said once."""
        name = term.name.lower()
        said: dict[str, object] = {"epsilon": term.expression}
        if name in _BOUNDS:
            bounds = term.expression
            if not isinstance(bounds, exp.Tuple) or len(bounds.expressions) != 2:
                self.raise_error(f"{term.name} takes two bounds: (low, high)")
            said = {"per": _BOUNDS[name], "low": bounds.expressions[0], "high": bounds.expressions[1]}
        if said.keys() & known.keys():
            self.raise_error(f"{term.name} is given twice")
        return said

    def _parse_function_args(self, alias: bool = False) -> list[exp.Expr]:
        arguments = super()._parse_function_args(alias)
        end = len(arguments)
        while end and isinstance(arguments[end - 1], exp.Kwarg) and arguments[end - 1].name.lower() in _TERMS:
            end -= 1
        if end < len(arguments):
            self._terms = tuple(arguments[end:])  # type: ignore[arg-type]
        return arguments[:end]

    def validate_expression(self, expression: _Node, args: list[exp.Expr] | None = None) -> _Node:
        """Refuse a call whose arguments are not all in the tree: what is dropped would not be understood.

        A string may have become part of the node itself, as the unit of date_trunc('month', x).
        """
        node = super().validate_expression(expression, args)
        if isinstance(node, exp.SplitPart) and node.args.get("part_index") is None:
            self.raise_error("split_part takes three arguments")
        for argument in args or ():
            if isinstance(argument, exp.Expr) and not argument.is_string and not _is_part(argument, node):
                self.raise_error("The call has too many arguments, or one that is not understood")
        return node

    def _warn_unsupported(self) -> None:
        """Where sqlglot would warn and go on with a `Command`, stop."""
        raise self._refusal("this statement is not supported", ONE_OF_THE_FORMS)


def _is_part(part: exp.Expr, whole: exp.Expr) -> bool:
    """Whether one node is below another, by the tree itself: a node that was replaced keeps its parent."""
    while part is not whole:
        parent = part.parent
        held = None if parent is None else parent.args.get(part.arg_key or "")
        if parent is None or not any(part is item for item in (held if isinstance(held, list) else [held])):
            return False
        part = parent
    return True


class Dpduck(DuckDB):
    """DuckDB's SQL with privacy policies."""

    # 1_0 would be one number to DuckDB and something else to a reader; it is not needed here.
    NUMBERS_CAN_BE_UNDERSCORE_SEPARATED = False

    def to_json_path(self, path: exp.Expr | None) -> exp.Expr | None:
        """Leave JSON paths alone: they are refused later, and reading them may log a warning."""
        return path

    class Tokenizer(DuckDB.Tokenizer):
        KEYWORDS = {**DuckDB.Tokenizer.KEYWORDS, "EXPLAIN": TokenType.DESCRIBE}  # noqa: RUF012

    Parser = DpduckParser


class NumberedDpduck(Dpduck):
    """The same where $1 stands: sqlglot takes `$1,$2` for the beginning of a dollar-quoted text."""

    class Tokenizer(Dpduck.Tokenizer):
        HEREDOC_STRINGS = []  # noqa: RUF012


_NUMBERED = re.compile(r"\$[0-9]")


def dialect_of(text: str) -> Dpduck:
    """The dialect that reads a text."""
    return NumberedDpduck() if _NUMBERED.search(text) else Dpduck()
