"""Names of operators and functions in errors: +, lower or CASE."""

from __future__ import annotations

from sqlglot import exp
from sqlglot.dialects.duckdb import DuckDB

from dpduck.compiler.parse.dialect import AggregateTerms
from dpduck.compiler.parse.nodes import unwrap

_OPERATORS: dict[type[exp.Expr], str] = {
    exp.Add: "+",
    exp.Sub: "-",
    exp.Mul: "*",
    exp.Div: "/",
    exp.IntDiv: "//",
    exp.Mod: "%",
    exp.Pow: "**",
    exp.DPipe: "||",
    exp.EQ: "=",
    exp.NEQ: "!=",
    exp.LT: "<",
    exp.LTE: "<=",
    exp.GT: ">",
    exp.GTE: ">=",
    exp.NullSafeEQ: "IS NOT DISTINCT FROM",
    exp.NullSafeNEQ: "IS DISTINCT FROM",
    exp.Like: "~~",
    exp.ILike: "~~*",
    exp.StartsWith: "^@",
    exp.BitwiseAnd: "&",
    exp.BitwiseOr: "|",
    exp.BitwiseLeftShift: "<<",
    exp.BitwiseRightShift: ">>",
    exp.AtTimeZone: "AT TIME ZONE",
    exp.BitwiseNot: "~",
    exp.Not: "NOT",
    exp.Glob: "GLOB",
    exp.Overlaps: "OVERLAPS",
    exp.Collate: "COLLATE",
    exp.ArrayContainsAll: "@>",
    exp.ArrayContainedBy: "<@",
    exp.ArrayOverlaps: "&&",
    exp.Distance: "<->",
    exp.DistanceNd: "<<->>",
    exp.Adjacent: "-|-",
    exp.ExtendsLeft: "&<",
    exp.ExtendsRight: "&>",
    exp.JSONExtract: "->",
    exp.JSONExtractScalar: "->>",
    exp.JSONBExtract: "#>",
    exp.JSONBExtractScalar: "#>>",
    exp.JSONBContains: "?",
    exp.JSONBContainsTopKey: "?",
    exp.JSONBContainsAllTopKeys: "?&",
    exp.JSONBContainsAnyTopKeys: "?|",
    exp.JSONBDeleteAtPath: "#-",
    exp.JSONBPathExists: "@?",
    exp.Sqrt: "|/",
    exp.Cbrt: "||/",
}

# What is written where a node is neither an operator nor a call.
_WORDS: dict[type[exp.Expr], str] = {
    exp.Alias: "AS",
    exp.Aliases: "AS",
    exp.Bracket: "[...]",
    exp.HavingMax: "HAVING MAX or MIN in an aggregate",
    exp.IgnoreNulls: "IGNORE NULLS",
    exp.RespectNulls: "RESPECT NULLS",
    exp.Window: "OVER",
    exp.Column: "a column",
    exp.Table: "a table",
    exp.Paren: "(...)",
    exp.Slice: "[...]",
    exp.Literal: "a constant",
    exp.Var: "this word",
    exp.IntervalSpan: "an interval of two units",
}


# DuckDB's most common name of a node for which sqlglot's own name is another.
_NAMES: dict[type[exp.Expr], str] = {
    exp.SimilarTo: "regexp_full_match",
    exp.RegexpLike: "regexp_matches",
    exp.RegexpFullMatch: "regexp_full_match",
    exp.DayOfWeek: "dayofweek",
    exp.DayOfWeekIso: "isodow",
    exp.DayOfYear: "dayofyear",
    exp.DayOfMonth: "dayofmonth",
    exp.WeekOfYear: "weekofyear",
    exp.TimeToUnix: "epoch",
    exp.UnixToTime: "epoch_ms",
    exp.TimeToStr: "strftime",
    exp.TimestampTrunc: "date_trunc",
    exp.DateTrunc: "date_trunc",
    exp.DateDiff: "date_diff",
    exp.DateAdd: "date_add",
    exp.DateBin: "time_bucket",
    exp.SplitPart: "split_part",
    exp.EndsWith: "ends_with",
    exp.StartsWith: "starts_with",
    exp.Pow: "pow",
    exp.Mod: "mod",
    exp.PercentileCont: "quantile_cont",
    exp.PercentileDisc: "quantile_disc",
    exp.ApproxDistinct: "approx_count_distinct",
    exp.ArrayAgg: "list",
    exp.ArrayContains: "list_contains",
    exp.ArraySort: "list_sort",
    exp.BitwiseAndAgg: "bit_and",
    exp.BitwiseOrAgg: "bit_or",
    exp.BitwiseXorAgg: "bit_xor",
    exp.BitwiseXor: "xor",
    exp.DateSub: "date_sub",
    exp.GenerateSeries: "generate_series",
    exp.GroupConcat: "string_agg",
    exp.TryCast: "TRY_CAST",
    exp.ToMap: "MAP {...}",
    exp.Map: "MAP {...}",
    exp.Struct: "{...}",
    exp.Array: "[...]",
    exp.DateFromParts: "make_date",
    exp.IsInf: "isinf",
    exp.IsNan: "isnan",
    exp.LogicalAnd: "bool_and",
    exp.LogicalOr: "bool_or",
    exp.Split: "string_split",
    exp.StrToTime: "strptime",
    exp.Rand: "random",
    exp.TimestampFromParts: "make_timestamp",
    exp.VariancePop: "var_pop",
    exp.ArgMax: "max_by",
    exp.ArgMin: "min_by",
    exp.ConcatWs: "concat_ws",
    exp.LastDay: "last_day",
}
# Words of clauses: ORDER of ORDER BY, VALUES.
_KEYWORDS = {word for words in DuckDB.Tokenizer.KEYWORDS for word in words.split()}
_TRIMS = {"LEADING": "ltrim", "TRAILING": "rtrim"}


NAMELESS = "this expression"


def short_name_of(node: exp.Expr) -> str:
    """Return the name of an operator, function or clause in errors: +, lower or CASE.

    It is what can be written in SQL. A node without such a name is `NAMELESS`: what the parser calls it means
    nothing to those who read errors.
    """
    while isinstance(node, AggregateTerms):  # a node of the parser, which has no name of its own
        node = node.this
    operator = _OPERATORS.get(type(node))
    if operator is not None and not _is_call(node):
        return {"~~": "LIKE", "~~*": "ILIKE", "!=": "<>"}.get(operator, operator)
    if isinstance(node, exp.Neg):
        return "-"
    if isinstance(node, (exp.Func, exp.StartsWith)):
        return _function_name(node)
    written = node.meta.get("name")  # of a call that is an operator to the parser: xor(x, 1)
    if isinstance(written, str):
        return written.lower()
    word = node.key.upper()
    return _WORDS.get(type(node)) or (word if word in _KEYWORDS else NAMELESS)


def clause_of(argument: str) -> str | None:
    """Return the word of SQL for a part of a node: LATERAL for laterals; None if it has none."""
    words = argument.strip("_").upper().split("_")
    plain = next(
        (one for one in (words, [*words[:-1], words[-1].removesuffix("S")]) if {*one} <= _KEYWORDS), None
    )
    return None if plain is None else " ".join(plain)


def _is_call(node: exp.Expr) -> bool:
    """Whether the node is a call by name, not an operator: the parser keeps the position of the name."""
    return "start" in node.meta


def _function_name(node: exp.Expr) -> str:
    """Return the name that the user wrote, if the parser kept it, else the most common one."""
    original = node.meta.get("name")
    if isinstance(original, str):
        return original.lower()
    if isinstance(node, exp.Anonymous):
        return str(node.name).lower()
    if isinstance(node, exp.Trim):
        return _TRIMS.get(str(node.args.get("position") or ""), "trim")
    if isinstance(node, exp.Log):
        return _logarithm(node)
    if isinstance(node, exp.Pad):
        return "lpad" if node.args.get("is_left") else "rpad"
    if isinstance(node, (exp.Substring, exp.StrPosition)):
        short = ("substr", "substring") if isinstance(node, exp.Substring) else ("strpos", "position")
        return short[0] if _is_call(node) else short[1]
    named = _NAMES.get(type(node))
    if named is not None or not isinstance(node, exp.Func):
        return named or NAMELESS
    own = str(node.sql_names()[0]).lower()
    return (
        own if own == node.key else NAMELESS
    )  # of two words, it is the name of a class: jsonb_extract_scalar


def described(kind: str, node: exp.Expr) -> str:
    """Return the name behind its kind, 'the function lower'; NAMELESS if the node has no name in SQL."""
    name = short_name_of(node)
    return NAMELESS if name == NAMELESS else f"the {kind} {name}"


def _logarithm(node: exp.Expr) -> str:
    base = unwrap(node.this)
    if node.args.get("expression") is None or not isinstance(base, exp.Literal):
        return "log"
    return {"2": "log2", "10": "log10"}.get(base.name, "log")
