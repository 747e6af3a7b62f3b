"""The table of what expressions may hold: node types, the arguments that each may carry, and who writes them.

The gate takes `ALLOWED`; a node or argument that is not listed is refused there. A function that sqlglot
does not know by name is an `Anonymous` node, which `NAMED` reads.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from dpduck.errors import UnsupportedSqlError
from dpduck.query.parse.nodes import refusal, unwrap
from dpduck.query.private import (
    arithmetic,
    comparisons,
    conditionals,
    datetimes,
    floats,
    intervals,
    patterns,
    rounding,
    strings,
)
from dpduck.query.private.operands import ExpressionReader, Operand

Handler = Callable[[exp.Expr, ExpressionReader], Operand]

_UNARY = frozenset({"this"})
_BINARY = frozenset({"this", "expression"})
_MANY = frozenset({"this", "expressions"})


def _plus_or_minus(node: exp.Expr, reader: ExpressionReader) -> Operand:
    """+ and - of numbers, of dates and days, of dates and intervals."""
    parts = (node.this, node.args["expression"])
    if any(isinstance(unwrap(part), exp.Interval) for part in parts):
        return intervals.plus_interval(node, reader)
    left, right = (reader.operand(part) for part in parts)
    symbol = arithmetic.OPERATORS[type(node)]
    if {"date", "timestamp"} & {left.type.kind, right.type.kind}:
        return intervals.plus_or_minus(symbol, left, right, node)
    return arithmetic.compute(symbol, left, right, node)


# Arguments that sqlglot sets for DuckDB whatever the query says: safe, coalesce, typed, ignore_nulls,
# date_part_boundary, single_replace, null_if_pos_overflow.
_TABLE: dict[type[exp.Expr], tuple[Handler, frozenset[str]]] = {
    # conditions
    exp.And: (comparisons.chain, _BINARY),
    exp.Or: (comparisons.chain, _BINARY),
    exp.Not: (comparisons.negation, _UNARY),
    **dict.fromkeys(comparisons.SYMBOLS, (comparisons.comparison, _BINARY)),
    exp.Between: (comparisons.between, frozenset({"this", "low", "high"})),
    exp.In: (comparisons.one_of, _MANY),
    exp.Is: (comparisons.state, _BINARY),
    exp.Like: (patterns.like, _BINARY | {"negate"}),
    exp.ILike: (patterns.like, _BINARY | {"negate"}),
    exp.SimilarTo: (patterns.regexp_test("regexp_full_match"), _BINARY),
    exp.RegexpLike: (patterns.regexp_test("regexp_matches"), _BINARY | {"flag"}),
    exp.RegexpFullMatch: (patterns.regexp_test("regexp_full_match"), _BINARY | {"options"}),
    # branches
    exp.Case: (conditionals.case, frozenset({"this", "ifs", "default"})),
    exp.If: (conditionals.if_, frozenset({"this", "true", "false"})),
    exp.Coalesce: (conditionals.coalesce, _MANY),
    exp.Nullif: (conditionals.nullif, _BINARY),
    exp.Cast: (conditionals.cast, frozenset({"this", "to"})),
    exp.TryCast: (conditionals.cast, frozenset({"this", "to", "safe"})),
    exp.Date: (conditionals.date, _UNARY),
    # numbers
    exp.Add: (_plus_or_minus, _BINARY),
    exp.Sub: (_plus_or_minus, _BINARY),
    exp.Mul: (arithmetic.operator, _BINARY),
    exp.Div: (arithmetic.operator, _BINARY | {"typed", "safe"}),
    exp.IntDiv: (arithmetic.operator, _BINARY),
    exp.Mod: (arithmetic.operator, _BINARY),
    exp.Pow: (floats.power, _BINARY),
    exp.Neg: (arithmetic.negative, _UNARY),
    exp.Abs: (rounding.absolute, _UNARY),
    exp.Sign: (rounding.sign, _UNARY),
    exp.Floor: (rounding.floor_or_ceil("floor"), _UNARY),
    exp.Ceil: (rounding.floor_or_ceil("ceil"), _UNARY),
    exp.Round: (rounding.rounded, frozenset({"this", "decimals"})),
    exp.Trunc: (rounding.truncated, frozenset({"this", "decimals"})),
    exp.Sqrt: (floats.square_root, _UNARY),
    exp.Cbrt: (floats.of_double("cbrt"), _UNARY),
    exp.Exp: (floats.of_double("exp"), _UNARY),
    exp.Ln: (floats.logarithm, _UNARY),
    exp.Log: (floats.logarithm, _BINARY),
    exp.IsNan: (floats.float_test("isnan"), _UNARY),
    exp.IsInf: (floats.float_test("isinf"), _UNARY),
    exp.Greatest: (conditionals.extreme("greatest"), _MANY | {"ignore_nulls"}),
    exp.Least: (conditionals.extreme("least"), _MANY | {"ignore_nulls"}),
    # text
    exp.DPipe: (strings.joined, _BINARY | {"safe"}),
    exp.Concat: (strings.concat, frozenset({"expressions", "safe", "coalesce"})),
    exp.ConcatWs: (strings.concat_ws, frozenset({"expressions", "safe", "coalesce"})),
    exp.Lower: (strings.of_text("lower", str.lower), _UNARY),
    exp.Upper: (strings.of_text("upper", str.upper), _UNARY),
    exp.Reverse: (strings.of_text("reverse", lambda text: text[::-1]), _UNARY),
    exp.Length: (strings.length_of("length"), _UNARY),
    exp.Trim: (strings.trim, _BINARY | {"position"}),
    exp.Substring: (strings.substring, frozenset({"this", "start", "length"})),
    exp.Left: (strings.left, _BINARY),
    exp.Right: (strings.right, _BINARY),
    exp.Replace: (strings.replace, _BINARY | {"replacement"}),
    exp.SplitPart: (strings.split_part, frozenset({"this", "delimiter", "part_index"})),
    exp.StrPosition: (strings.position, frozenset({"this", "substr"})),
    exp.StartsWith: (strings.affix("starts_with"), _BINARY),
    exp.EndsWith: (strings.affix("ends_with"), _BINARY),
    exp.Contains: (strings.affix("contains"), _BINARY),
    exp.RegexpReplace: (
        patterns.regexp_replace,
        _BINARY | {"replacement", "modifiers", "single_replace"},
    ),
    exp.RegexpExtract: (patterns.regexp_extract, _BINARY | {"group", "null_if_pos_overflow"}),
    # dates and timestamps
    exp.Extract: (datetimes.extract, _BINARY),
    exp.Year: (datetimes.part("year"), _UNARY),
    exp.Quarter: (datetimes.part("quarter"), _UNARY),
    exp.Month: (datetimes.part("month"), _UNARY),
    exp.Week: (datetimes.part("week"), _UNARY),
    exp.WeekOfYear: (datetimes.part("week"), _UNARY),
    exp.Day: (datetimes.part("day"), _UNARY),
    exp.DayOfMonth: (datetimes.part("day"), _UNARY),
    exp.DayOfWeek: (datetimes.part("dow"), _UNARY),
    exp.DayOfWeekIso: (datetimes.part("isodow"), _UNARY),
    exp.DayOfYear: (datetimes.part("doy"), _UNARY),
    exp.Hour: (datetimes.part("hour"), _UNARY),
    exp.Minute: (datetimes.part("minute"), _UNARY),
    exp.Second: (datetimes.part("second"), _UNARY),
    exp.TimeToUnix: (datetimes.part("epoch"), _UNARY),
    exp.UnixToTime: (datetimes.epoch_milliseconds, frozenset({"this", "scale"})),
    exp.Dayname: (datetimes.name_of_part("dayname"), _UNARY),
    exp.Monthname: (datetimes.name_of_part("monthname"), _UNARY),
    exp.TimestampTrunc: (datetimes.date_trunc, frozenset({"this", "unit"})),
    exp.DateTrunc: (datetimes.date_trunc, frozenset({"this", "unit"})),
    exp.DateBin: (intervals.time_bucket, _BINARY | {"unit"}),
    exp.DateDiff: (datetimes.date_diff, _BINARY | {"unit", "date_part_boundary"}),
    exp.DateAdd: (intervals.plus_interval, _BINARY),
    exp.LastDay: (datetimes.last_day, _UNARY),
    exp.TimeToStr: (datetimes.strftime, frozenset({"this", "format"})),
}

NAMED: dict[str, Handler] = {
    "date_part": datetimes.date_part,
    "datepart": datetimes.date_part,
    "date_sub": datetimes.date_sub,
    "datesub": datetimes.date_sub,
    "weekday": datetimes.part("dow"),
    "isoyear": datetimes.part("isoyear"),
    "yearweek": datetimes.part("yearweek"),
    "decade": datetimes.part("decade"),
    "century": datetimes.part("century"),
    "millennium": datetimes.part("millennium"),
    "era": datetimes.part("era"),
    "isfinite": floats.float_test("isfinite"),
    "prefix": strings.affix("prefix"),
    "suffix": strings.affix("suffix"),
    "strlen": strings.length_of("strlen"),
}

ALLOWED: dict[type[exp.Expr], frozenset[str]] = {
    **{kind: arguments for kind, (_, arguments) in _TABLE.items()},
    exp.Column: frozenset({"this", "table", "db"}),
    exp.Identifier: frozenset({"this", "quoted"}),
    exp.Paren: _UNARY,
    exp.Literal: frozenset({"this", "is_string"}),
    exp.Boolean: _UNARY,
    exp.Null: frozenset(),
    exp.DataType: frozenset({"this", "expressions"}),
    exp.DataTypeParam: _UNARY,
    exp.Interval: frozenset({"this", "unit"}),
    exp.Var: _UNARY,
    exp.Anonymous: _MANY,
}


def handler_of(node: exp.Expr) -> Handler | None:
    """Who writes the node; None if it is not supported."""
    if isinstance(node, exp.Anonymous):
        return NAMED.get(name_of(node))
    if isinstance(node, exp.UnixToTime) and node.args.get("scale") != exp.UnixToTime.MILLIS:
        return None
    entry = _TABLE.get(type(node))
    return None if entry is None else entry[0]


def name_of(node: exp.Expr) -> str:
    """A function as people call it."""
    if isinstance(node, exp.Anonymous):
        return str(node.name).lower()
    return _NAMES.get(type(node)) or (node.sql_names()[0].lower() if isinstance(node, exp.Func) else node.key)


_NAMES: dict[type[exp.Expr], str] = {
    exp.Rand: "random",
    exp.CurrentDate: "current_date",
    exp.CurrentTimestamp: "current_timestamp",
    exp.Pad: "lpad",
    exp.StrToTime: "strptime",
    exp.RegexpExtractAll: "regexp_extract_all",
    exp.Anonymous: "",
}

# --- what is left out ----------------------------------------------------------------------------

_NOW = (
    "Its value changes from one run to the next.",
    "Write the date, such as DATE '2024-01-31', or pass it.",
)
_LONG = ("It can make a text of any length, which would take long on one row.", "Leave the text as it is.")
_CHANCE = ("One row would re-roll the others.", "Leave it out: noise is added by dpduck.")
_STATE = ("It reads or changes something outside of the row.", "Leave it out.")
_FAILING = ("It would fail on some rows, and so tell of them.", "Write CASE WHEN ... THEN NULL ... END.")
_WAITING = ("It waits on one row, and so tells of it.", "Leave it out.")
_PARSING = (
    "It fails on a text of another form.",
    "Write TRY_CAST(x AS TIMESTAMP), which reads '2024-01-31 12:30:00'.",
)
_A_LIST = ("It gives a list.", "Write regexp_extract(x, '([0-9]+)', 1).")
_NEEDLESS = ("It is not needed for counts.", "Use the value itself.")
_ELSE = (
    "It is not on the list of functions that are known to be safe on every row.",
    "Use CASE, CAST, arithmetic, and functions of text, dates and numbers such as lower, substr, date_trunc "
    "and round.",
)
_REASONS: tuple[tuple[tuple[str, str], str], ...] = (
    (_NOW, "now today current_date current_timestamp get_current_timestamp current_time age"),
    (_NOW, "localtimestamp localtime transaction_timestamp"),
    (_LONG, "repeat lpad rpad format printf list range string_agg"),
    (_CHANCE, "random rand setseed uuid gen_random_uuid"),
    (_STATE, "nextval currval getvariable write_log current_setting getenv txid_current query"),
    (_WAITING, "sleep_ms sleep"),
    (_FAILING, "error"),
    (_PARSING, "strptime to_date to_timestamp"),
    (_A_LIST, "regexp_extract_all"),
    (_NEEDLESS, "stats hash md5 sha256 sha1"),
)
_WHY = {name: reason for reason, names in _REASONS for name in names.split()}


def refusal_of(node: exp.Expr) -> UnsupportedSqlError | None:
    """The refusal of a function that is not in the table; None where only the kind of node says more."""
    name = name_of(node)
    reason = _WHY.get(name, _ELSE if isinstance(node, exp.Anonymous) else None)
    return reason and refusal(f"the function {name} is not supported", *reason, node)
