"""Parses the statements of summaries: CREATE, ALTER, DROP and SHOW PRIVACY SUMMARY.

PRIVATE is read for PRIVACY here, which many will type.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from sqlglot import exp
from sqlglot.tokenizer_core import TokenType

from dpduck.compiler.parse.nodes import refusal, scalar
from dpduck.kernel.accounting.amounts import parse_delta, parse_epsilon
from dpduck.kernel.catalog.model import fold
from dpduck.kernel.catalog.statements import (
    SUMMARY_NOISES,
    CreateSummary,
    DropSummary,
    RefreshSummary,
    ReleasedNumbers,
    ShowSummaries,
    ShowSummary,
    SummaryColumn,
    SummaryNoise,
    SummaryStatement,
    Ways,
    parse_bound,
)
from dpduck.kernel.catalog.types import parse_number
from dpduck.kernel.errors import ParameterError

SUMMARY_FORM = (
    "CREATE PRIVACY SUMMARY name ON table (page, age BANDS (18, 65), ...) "
    "[MEASURES (spent)] [WORKLOAD (ALL 2 WAY, 'SELECT ...')] [CONTRIBUTION (rows = 5)] [MAX AGE '7 days'] "
    "EPSILON 1 [DELTA 1e-6] [NOISE gaussian] [FORCE]"
)
_CLAUSES = (
    ("MEASURES",),
    ("WORKLOAD",),
    ("WEIGHT",),
    ("CONTRIBUTION",),
    ("EPSILON",),
    ("DELTA",),
    ("NOISE",),
    ("MAX", "AGE"),
)
MOST_COLUMNS = 20
_FUNCTION = "dp_summary"


def parse_summary(parser: Any, *, or_replace: bool) -> CreateSummary:
    """Parse what follows CREATE PRIVACY SUMMARY. Input: the parser, an instance of `PolicyParser`.

    Errors: ParameterError, UnsupportedSqlError; sqlglot's, for text that is not of that form.
    """
    start = parser._tokens[0]
    name = parser._name()
    if not parser._match(TokenType.ON):
        parser.raise_error("Expecting ON table (column, ...)")
    table = parser._table_name()
    columns = tuple(parser._parse_wrapped_csv(lambda: _column(parser)))
    clauses = _clauses(parser)
    forced = bool(parser._match_text_seq("FORCE"))
    text = parser._find_sql(start, parser._prev)
    _check_names(columns)
    if "epsilon" not in clauses:
        raise ParameterError(
            f"summary {name} has no EPSILON",
            detail="It is paid for once, and then answers without a charge.",
            hint=f"Write {SUMMARY_FORM}.",
        )
    _check_weights(clauses)
    return CreateSummary(name, table, columns, **clauses, replace=or_replace, forced=forced, text=text)


def words_of_summary(parser: Any, more: str = "") -> bool:
    """Match PRIVACY SUMMARY or PRIVATE SUMMARY, and move on if it is there. Input: the end of a plural."""
    start = parser._index
    for word in ("PRIVACY", "PRIVATE"):
        if parser._match_text_seq(word, f"SUMMAR{more or 'Y'}"):
            return True
        parser._retreat(start)
    return False


def alter_summary(parser: Any) -> RefreshSummary:
    """Parse what follows ALTER PRIVACY SUMMARY."""
    name = parser._name()
    if not parser._match_text_seq("REFRESH"):
        raise refusal(
            "this ALTER PRIVACY SUMMARY is not supported",
            "What a summary has is as it was paid for.",
            "Write ALTER PRIVACY SUMMARY name REFRESH, or CREATE OR REPLACE PRIVACY SUMMARY.",
        )
    return RefreshSummary(name)


def drop_summary(parser: Any) -> DropSummary:
    """Parse what follows DROP PRIVACY SUMMARY."""
    return DropSummary(parser._name())


def show_summaries(parser: Any) -> ShowSummaries | ShowSummary | None:
    """Parse what follows SHOW, if it is about summaries."""
    if words_of_summary(parser, "IES") and not parser._curr:
        return ShowSummaries()
    return ShowSummary(parser._name()) if words_of_summary(parser) else None


def released_numbers(tree: exp.Expr) -> SummaryStatement | None:
    """Read SELECT * FROM dp_summary('name'); None for other queries."""
    source = tree.args.get("from_") if isinstance(tree, exp.Select) else None
    call = source.this.this if isinstance(source, exp.From) and isinstance(source.this, exp.Table) else None
    if not isinstance(call, exp.Anonymous) or fold(call.name) != _FUNCTION:
        return None
    argument = call.expressions[0] if len(call.expressions) == 1 else None
    clauses = {name for name, value in tree.args.items() if value}
    plain = clauses == {"expressions", "from_"} and tree.expressions == [exp.Star()]
    if not isinstance(argument, exp.Literal) or not argument.is_string or not plain:
        raise refusal(
            f"this use of {_FUNCTION} is not supported",
            "It shows the numbers of a summary as they were released.",
            f"Write SELECT * FROM {_FUNCTION}('name').",
            tree,
        )
    return ReleasedNumbers(str(argument.this))


# --- columns -------------------------------------------------------------------------------------


def _column(parser: Any) -> SummaryColumn:
    """Parse expression [AS name] [BANDS (value, ...)]."""
    start = parser._curr
    node = parser._parse_disjunction()
    if node is None:
        parser.raise_error("Expecting a column")
    sql = parser._find_sql(start, parser._prev)
    name = parser._name() if parser._match(TokenType.ALIAS) else _own_name(node, sql)
    bands: tuple[Any, ...] = ()
    if parser._match_text_seq("BANDS"):
        bands = tuple(scalar(one) for one in parser._parse_wrapped_csv(parser._parse_unary))
    return SummaryColumn(sql, name, bands)


def _own_name(node: exp.Expr, sql: str) -> str:
    if isinstance(node, exp.Column):
        return node.name
    raise refusal(
        f"the column {sql} of a summary has no name",
        "Each is named, as charts and reports show it.",
        f"Write {sql} AS name.",
        node,
    )


def _check_names(columns: tuple[SummaryColumn, ...]) -> None:
    names = [fold(column.name) for column in columns]
    twice = next((column.name for column in columns if names.count(fold(column.name)) > 1), None)
    if twice is not None:
        raise ParameterError(f"a summary has two columns called {twice}", hint=f"Write ... AS {twice}_2.")
    if len(columns) > MOST_COLUMNS:
        raise ParameterError(
            f"a summary has at most {MOST_COLUMNS} columns",
            detail=f"This one names {len(columns)}; each more makes all tables noisier.",
            hint="Make several, each of the columns that charts use together.",
        )


# --- clauses -------------------------------------------------------------------------------------


def _clauses(parser: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    while True:
        words = next((words for words in _CLAUSES if parser._match_text_seq(*words)), None)
        if words is None:
            return found
        field, read = _READERS[words]
        if field in found:
            parser.raise_error(f"{' '.join(words)} is given twice")
        found[field] = read(parser)


def _workload(parser: Any) -> tuple[Ways | str, ...]:
    return tuple(parser._parse_wrapped_csv(lambda: _asked(parser)))


def _asked(parser: Any) -> Ways | str:
    if parser._match(TokenType.STRING):
        return str(parser._prev.text)
    if not parser._match_text_seq("ALL"):
        parser.raise_error("Expecting ALL k WAY, or the text of a query")
    number = parse_bound(_text(parser), "the number of columns of ALL k WAY")
    if not parser._match_text_seq("WAY"):
        parser.raise_error("Expecting ALL k WAY")
    return Ways(number)


def _weights(parser: Any) -> tuple[Fraction, ...]:
    return tuple(parser._parse_wrapped_csv(lambda: _weight(_text(parser))))


def _weight(text: str) -> Fraction:
    number = parse_number(text)
    if number is None or not 0 < number <= 1_000_000:
        raise ParameterError(
            f"{text[:40]} is not a weight",
            detail="It is a number above 0: how much a part of the workload counts beside the others.",
            hint="Write WEIGHT (1, 4).",
        )
    return number


def _check_weights(clauses: dict[str, Any]) -> None:
    weights, workload = clauses.get("weights", ()), clauses.get("workload", ())
    if weights and len(weights) != len(workload):
        raise ParameterError(
            "WEIGHT has another number of parts than WORKLOAD",
            detail=f"There are {len(weights)} weights and {len(workload)} parts.",
            hint="Write WORKLOAD (ALL 2 WAY, 'SELECT ...') WEIGHT (1, 4).",
        )


def _contribution(parser: Any) -> int:
    given = parser._named_values(TokenType.EQ, ("rows",), "CONTRIBUTION of a summary")
    return parse_bound(_constant(given["rows"]), "rows")


def _noise(parser: Any) -> SummaryNoise:
    word = parser._name().lower()
    found = next((noise for noise in SUMMARY_NOISES if noise == word), None)
    if found is None:
        raise ParameterError(f"{word[:40]} is no noise of a summary", hint="Write NOISE laplace.")
    noise: SummaryNoise = found
    return noise


def _max_age(parser: Any) -> Fraction:
    """Parse '7 days' or '12 hours', as days."""
    words = _text(parser).lower().split()
    units = {"day": Fraction(1), "hour": Fraction(1, 24)}
    number = parse_number(words[0]) if words else None
    unit = units.get(words[1].removesuffix("s")) if len(words) == 2 else None
    if number is None or unit is None or not 0 < number <= 1_000_000:
        raise ParameterError("MAX AGE is a number of days or hours", hint="Write MAX AGE '7 days'.")
    return number * unit


def _measures(parser: Any) -> tuple[str, ...]:
    return tuple(parser._parse_wrapped_csv(lambda: _measure(parser)))


def _measure(parser: Any) -> str:
    start = parser._curr
    if parser._parse_disjunction() is None:
        parser.raise_error("Expecting a column")
    return str(parser._find_sql(start, parser._prev))


def _text(parser: Any) -> str:
    return _constant(parser._value())


def _constant(node: exp.Expr) -> str:
    if isinstance(node, exp.Literal):
        return str(node.this)
    raise refusal(
        "a constant is expected here", "It is a number or a string.", f"Write {SUMMARY_FORM}.", node
    )


_READERS: dict[tuple[str, ...], tuple[str, Callable[[Any], Any]]] = {
    ("MEASURES",): ("measures", _measures),
    ("WORKLOAD",): ("workload", _workload),
    ("WEIGHT",): ("weights", _weights),
    ("CONTRIBUTION",): ("rows", _contribution),
    ("EPSILON",): ("epsilon", lambda parser: parse_epsilon(_text(parser))),
    ("DELTA",): ("delta", lambda parser: parse_delta(_text(parser))),
    ("NOISE",): ("noise", _noise),
    ("MAX", "AGE"): ("max_age", _max_age),
}
