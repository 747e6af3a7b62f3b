"""Names of unnamed result columns, as plain DuckDB would give them (a test asks it).

DuckDB 1.5 and 2.0 differ in some; the names here are those of 2.0, whatever runs. Of some spellings the
tree keeps only the meaning: then the name is that of the likeliest one.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from sqlglot import exp
from sqlglot.errors import ErrorLevel

from dpduck.query.parse.dialect import AggregateTerms
from dpduck.query.parse.nodes import unwrap

# DuckDB's duckdb_keywords(): names that it quotes where it writes an expression as a column name.
KEYWORDS = frozenset(
    """
    abort absolute access action add admin after aggregate all also alter always analyse analyze and
    anti any approx array as asc asof assertion assignment asymmetric at attach attribute authorization
    backward before begin between bigint binary bit boolean both by cache call called cascade cascaded
    case cast catalog centuries century chain char character characteristics check checkpoint class
    close cluster coalesce collate collation column columns comment comments commit committed
    compression concurrently configuration conflict connect connection constraint constraints content
    continue conversion copy cost create cross csv cube current cursor cycle data database day days
    deallocate dec decade decades decimal declare default defaults deferrable deferred definer delete
    delimiter delimiters depends desc describe destroy detach dictionary disable discard disconnect
    distance distinct do document domain double drop each else enable encoding encrypted end enum error
    escape event exact except exclude excluding exclusive execute exists explain export export_state
    extension extensions external extract false family fetch filter first float following for force
    foreign forward freeze from full function functions generated glob global grant granted group
    grouping grouping_id groups handler having header hold hour hours identity if ignore ilike immediate
    immutable implicit import in include including increment index indexes inherit inherits initially
    inline inner inout input insensitive insert install instead int integer intersect interval into
    invoker is isnull isolation join json key label lambda language large last lateral leading leakproof
    left level like limit listen load local location lock locked logged macro map mapping match matched
    materialized maxvalue merge method microsecond microseconds millennia millennium millisecond
    milliseconds minute minutes minvalue mode month months move name names national natural nchar
    nearest new next no none not nothing notify notnull nowait null nullif nulls numeric object of off
    offset oids old on only operator option options or order ordinality others out outer over overlaps
    overlay overriding owned owner parallel parser partial partition partitioned passing password
    percent persistent pivot pivot_longer pivot_wider placing plans policy position positional pragma
    preceding precision prepare prepared preserve primary prior privileges procedural procedure program
    publication qualify quarter quarters quote range read real reassign recheck recursive ref references
    referencing refresh register reindex relative release rename repeatable replace replica reset
    resource resources respect restart restrict returning returns revoke right role rollback rollup row
    rows rule sample savepoint schema schemas scope scroll search second seconds secret secure security
    select semi sequence sequences serializable server session set setof sets share show similar
    similarity simple skip smallint snapshot some sorted source sql stable standalone start statement
    statistics stdin stdout storage stored strict strip struct subscription substring summarize
    symmetric sysid system table tables tablesample tablespace target temp template temporary text then
    ties time timestamp to trailing transaction transform treat trigger trim true truncate trusted
    try_cast tuple type types unbounded uncommitted unencrypted union unique unknown unlisten unlogged
    unpack unpivot until update use user using vacuum valid validate validator value values varchar
    variable variadic varying verbose version view views virtual volatile week weeks when where
    whitespace window with within without work wrapper write xml xmlattributes xmlconcat xmlelement
    xmlexists xmlforest xmlnamespaces xmlparse xmlpi xmlroot xmlserialize xmltable year years yes zone
    """.split()  # noqa: SIM905 (a list of 480 lines would not be read either)
)
_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)


def name_of(node: exp.Expr) -> str:
    """The name of an unnamed column of the select list.

    >>> from sqlglot import parse_one
    >>> name_of(parse_one("t.x")), name_of(parse_one("year(d) + count(*)", read="duckdb"))
    ('x', '("year"(d) + count_star())')
    """
    node = unwrap(node)
    if isinstance(node, exp.Dot):
        return str(node.expression.name)
    return node.name if isinstance(node, exp.Column) else _text(node)


def short_name_of(node: exp.Expr) -> str:
    """An operator or function as errors call it: +, lower or CASE."""
    operator = _OPERATORS.get(type(node))
    if operator is not None and not _is_call(node):
        return {"~~": "LIKE", "~~*": "ILIKE", "!=": "<>"}.get(operator, operator)
    if isinstance(node, exp.Neg):
        return "-"
    return _function_name(node) if isinstance(node, (exp.Func, exp.StartsWith)) else node.key.upper()


def _text(node: exp.Expr) -> str:
    """An expression as DuckDB writes it."""
    node = unwrap(node)
    if isinstance(node, AggregateTerms):
        return _text(node.this)
    if type(node) in _OPERATORS and not _is_call(node):
        return _operation(node)
    writer = _WRITERS.get(type(node))
    if writer is not None:
        return writer(node)
    if isinstance(node, exp.Func) or type(node) in _NAMES:
        return _call(node)
    return _written(node)


def _written(node: exp.Expr) -> str:
    """As sqlglot writes it. What it has to say about that is nobody's concern."""
    return node.sql(dialect="duckdb", unsupported_level=ErrorLevel.IGNORE)


def _listed(nodes: list[exp.Expr]) -> str:
    return ", ".join(_text(node) for node in nodes)


def quoted(name: str) -> str:
    """The name, quoted where DuckDB quotes it.

    >>> quoted("page"), quoted("end"), quoted("A b")
    ('page', '"end"', '"A b"')
    """
    plain = _PLAIN_NAME.fullmatch(name) and name.lower() not in KEYWORDS
    return name if plain else '"' + name.replace('"', '""') + '"'


# --- operators -----------------------------------------------------------------------------------

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
}


def _is_call(node: exp.Expr) -> bool:
    """Whether a function was called by name: the parser keeps the place of that name."""
    return "start" in node.meta


def _operation(node: exp.Expr) -> str:
    symbol = _OPERATORS[type(node)]
    if node.args.get("negate"):
        symbol = "!" + symbol
    return f"({_text(node.this)} {symbol} {_text(node.args['expression'])})"


def _chain(node: exp.Expr) -> str:
    links: list[str] = []
    stack = [node]
    while stack:
        link = unwrap(stack.pop())
        if type(link) is type(node):
            stack += [link.args["expression"], link.this]
        else:
            links.append(_text(link))
    return f"({f' {node.key.upper()} '.join(links)})"


def _negation(node: exp.Expr) -> str:
    inner = node.this
    if isinstance(inner, exp.Is):
        return _state(inner, negated=True)
    return f"(NOT {_text(inner)})"


def _state(node: exp.Expr, *, negated: bool = False) -> str:
    wanted = unwrap(node.args["expression"])
    if isinstance(wanted, exp.Boolean):
        word = "IS DISTINCT FROM" if negated else "IS NOT DISTINCT FROM"
        return f"(CAST({_text(node.this)} AS BOOLEAN) {word} {_text(wanted)})"
    return f"({_text(node.this)} IS {'NOT ' if negated else ''}{_text(wanted)})"


def _minus(node: exp.Expr) -> str:
    inner = unwrap(node.this)
    if isinstance(inner, exp.Literal) and not inner.is_string:
        return f"-{_text(inner)}"
    return f"(-({_text(inner)}))"


def _between(node: exp.Expr) -> str:
    return f"({_text(node.this)} BETWEEN {_text(node.args['low'])} AND {_text(node.args['high'])})"


# --- the rest of the syntax ----------------------------------------------------------------------


def _column(node: exp.Expr) -> str:
    assert isinstance(node, exp.Column)
    return ".".join(quoted(part.name) for part in node.parts)


def _literal(node: exp.Expr) -> str:
    text = str(node.this)
    return "'" + text.replace("'", "''") + "'" if node.args.get("is_string") else text


def _case(node: exp.Expr) -> str:
    subject = None if node.this is None else _text(node.this)
    branches = []
    for branch in node.args["ifs"]:
        test = _text(branch.this) if subject is None else f"({subject} = {_text(branch.this)})"
        branches.append(f" WHEN ({test}) THEN ({_text(branch.args['true'])})")
    default = node.args.get("default")
    return f"CASE {''.join(branches)} ELSE {'NULL' if default is None else _text(default)} END"


def _cast(node: exp.Expr) -> str:
    word = "TRY_CAST" if isinstance(node, exp.TryCast) else "CAST"
    return f"{word}({_text(node.this)} AS {_type(node.args['to'])})"


def _type(node: exp.Expr) -> str:
    text = _written(node)
    return _TYPES.get(text, text)


_TYPES = {"INT": "INTEGER", "TEXT": "VARCHAR", "REAL": "FLOAT", "INT128": "HUGEINT", "UINT128": "UHUGEINT"}


def _coalesce(node: exp.Expr) -> str:
    name = _function_name(node)
    return f"{'COALESCE' if name != 'nvl' else name}({_listed([node.this, *node.expressions])})"


def _extract(node: exp.Expr) -> str:
    """Of a unit that is a keyword DuckDB keeps the capitals of its own list."""
    name = node.this.name
    unit = name if name in _UNIT_KEYWORDS and isinstance(node.this, exp.Var) else name.lower()
    return f"date_part('{unit}', {_text(node.args['expression'])})"


_UNIT_KEYWORDS = frozenset(
    ("YEAR", "QUARTER", "MONTH", "WEEK", "DAY", "HOUR", "MINUTE", "SECOND", "DECADE", "CENTURY", "MILLENNIUM")
)


def _interval(node: exp.Expr) -> str:
    """INTERVAL 1 DAY; of INTERVAL '1 day', which the tree does not tell from it, the same."""
    unit = node.args.get("unit")
    value = unwrap(node.this) if node.this is not None else exp.Null()
    if unit is None:
        return f"CAST({_text(value)} AS INTERVAL)"
    name = unit.name.lower().rstrip("s")
    number = f"CAST({value.name if isinstance(value, exp.Literal) else _text(value)} AS DOUBLE)"
    if name not in ("second", "millisecond"):
        exact = "BIGINT" if name in ("hour", "minute", "microsecond") else "INTEGER"
        number = f"CAST(trunc({number}) AS {exact})"
    return f"to_{_PLURALS.get(name, name + 's')}({number})"


_PLURALS = {"century": "centuries", "millennium": "millennia"}


def _count(node: exp.Expr) -> str:
    if node.this is None or isinstance(node.this, exp.Star):
        return "count_star()"
    return f"count({_text(node.this)})"


def _within_group(node: exp.Expr) -> str:
    """A quantile takes its order among its arguments; the mode keeps it apart."""
    order = _order(node.args["expression"])
    call = node.this
    if isinstance(call, exp.Mode):
        return f'"mode"() WITHIN GROUP ( {order})'
    if not isinstance(call, (exp.PercentileCont, exp.PercentileDisc)):
        return f"{_text(call)} WITHIN GROUP ({order})"
    name = "quantile_cont" if isinstance(call, exp.PercentileCont) else "quantile_disc"
    return f"{name}({_text(call.this)} {order})"


def _filter(node: exp.Expr) -> str:
    return f"{_text(node.this)} FILTER (WHERE {_text(node.args['expression'].this)})"


def _window(node: exp.Expr) -> str:
    parts = []
    if node.args.get("partition_by"):
        parts.append(f"PARTITION BY {_listed(node.args['partition_by'])}")
    if node.args.get("order") is not None:
        parts.append(_order(node.args["order"]))
    if node.args.get("spec") is not None:
        parts.append(_frame(node.args["spec"]))
    return f"{_text(node.this)} OVER ({' '.join(parts)})"


def _order(node: exp.Expr) -> str:
    return f"ORDER BY {', '.join(_ordered(item) for item in node.expressions)}"


def _ordered(node: exp.Expr) -> str:
    words = [_text(node.this)]
    words += ["DESC"] if node.args.get("desc") else []
    words += ["NULLS FIRST"] if node.args.get("nulls_first") else []
    return " ".join(words)


def _frame(node: exp.Expr) -> str:
    ends = []
    for name in ("start", "end"):
        value = node.args.get(name) or "CURRENT ROW"
        text = _text(value) if isinstance(value, exp.Expr) else str(value)
        ends.append(f"{text} {node.args.get(f'{name}_side') or ''}".rstrip())
    return f"{node.args.get('kind')} BETWEEN {ends[0]} AND {ends[1]}"


def _joined(node: exp.Expr) -> str:
    """string_agg(x, ',' ORDER BY y): the parser hangs the order onto x."""
    value, order = node.this, ""
    if isinstance(value, exp.Order):
        value, order = value.this, f" {_order(value)}"
    separator = node.args.get("separator")
    return f"string_agg({_text(value)}{'' if separator is None else f', {_text(separator)}'}{order})"


def _struct(node: exp.Expr) -> str:
    fields = (f"{quoted(field.name)} := {_text(field.args['expression'])}" for field in node.expressions)
    return f"struct_pack({', '.join(fields)})"


_WRITERS: dict[type[exp.Expr], Callable[[exp.Expr], str]] = {
    exp.Column: _column,
    exp.Identifier: lambda node: quoted(node.name),
    exp.Literal: _literal,
    exp.Boolean: lambda node: "true" if node.this else "false",
    exp.Null: lambda _: "NULL",
    exp.Star: lambda _: "*",
    exp.Neg: _minus,
    exp.And: _chain,
    exp.Or: _chain,
    exp.Not: _negation,
    exp.Is: _state,
    exp.Between: _between,
    exp.In: lambda node: f"({_text(node.this)} IN ({_listed(node.expressions)}))",
    exp.Case: _case,
    exp.If: lambda node: f'"if"({_listed(_present(node, "this", "true", "false"))})',
    exp.Cast: _cast,
    exp.TryCast: _cast,
    exp.Date: lambda node: f"CAST({_text(node.this)} AS DATE)",
    exp.Coalesce: _coalesce,
    exp.Extract: _extract,
    exp.Interval: _interval,
    exp.Count: _count,
    exp.Distinct: lambda node: f"DISTINCT {_listed(node.expressions)}",
    exp.Filter: _filter,
    exp.WithinGroup: _within_group,
    exp.IgnoreNulls: lambda node: _text(node.this),
    exp.Array: lambda node: f"list_value({_listed(node.expressions)})",
    exp.Tuple: lambda node: f'"row"({_listed(node.expressions)})',
    exp.Struct: _struct,
    exp.Window: _window,
    exp.Order: lambda node: (f"{_text(node.this)} " if node.this else "") + _order(node),
    exp.GroupConcat: _joined,
    exp.BitwiseNot: lambda node: f"(~({_text(node.this)}))",
    exp.Grouping: lambda node: f"GROUPING({_listed(node.expressions)})",
}

# --- calls ---------------------------------------------------------------------------------------

# The likeliest of the names that sqlglot reads as one node, where it is not sqlglot's own.
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
    exp.DateFromParts: "make_date",
    exp.IsInf: "isinf",
    exp.IsNan: "isnan",
    exp.LogicalAnd: "bool_and",
    exp.LogicalOr: "bool_or",
    exp.Split: "string_split",
    exp.StrToTime: "strptime",
    exp.TimestampFromParts: "make_timestamp",
    exp.VariancePop: "var_pop",
    exp.ArgMax: "max_by",
    exp.ArgMin: "min_by",
    exp.ConcatWs: "concat_ws",
    exp.LastDay: "last_day",
}
_TRIMS = {"LEADING": "ltrim", "TRAILING": "rtrim"}


def _function_name(node: exp.Expr) -> str:
    """The name that was written, where the parser keeps it, and else the likeliest."""
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
    return _NAMES.get(type(node)) or (node.sql_names()[0].lower() if isinstance(node, exp.Func) else node.key)


def _logarithm(node: exp.Expr) -> str:
    base = unwrap(node.this)
    if node.args.get("expression") is None or not isinstance(base, exp.Literal):
        return "log"
    return {"2": "log2", "10": "log10"}.get(base.name, "log")


def _call(node: exp.Expr) -> str:
    name = _function_name(node)
    return f"{quoted(name)}({', '.join(_arguments(node, name))})"


def _present(node: exp.Expr, *names: str) -> list[exp.Expr]:
    return [node.args[name] for name in names if isinstance(node.args.get(name), exp.Expr)]


# Arguments in the order of DuckDB; what is not listed stands in the order of sqlglot.
_ORDERS: dict[type[exp.Expr], tuple[str, ...]] = {
    exp.TimestampTrunc: ("unit", "this"),
    exp.DateTrunc: ("unit", "this"),
    exp.DateDiff: ("unit", "expression", "this"),
    exp.UnixToTime: ("this",),
    exp.ArraySort: ("this",),
    exp.Trim: ("this", "expression"),
    exp.RegexpReplace: ("this", "expression", "replacement", "modifiers"),
    exp.RegexpExtract: ("this", "expression", "group"),
    exp.ArgMax: ("this", "expression", "count"),
    exp.ArgMin: ("this", "expression", "count"),
    exp.SplitPart: ("this", "delimiter", "part_index"),
    exp.Substring: ("this", "start", "length"),
}


def _arguments(node: exp.Expr, name: str) -> list[str]:
    order = _ORDERS.get(type(node)) or tuple(node.arg_types)
    values = [node.args.get(argument) for argument in order]
    parts = [part for value in values for part in (value if isinstance(value, list) else [value])]
    found = [_argument(part) for part in parts if isinstance(part, exp.Expr)]
    if isinstance(node, exp.Log) and name in ("log2", "log10"):
        return found[1:]
    if isinstance(node, exp.RegexpExtract) and found[-1] == "0":
        return found[:-1]
    return found


def _argument(node: exp.Expr) -> str:
    """An argument; of a unit, which sqlglot keeps as a word in capitals, the text that it was."""
    return f"'{node.name.lower()}'" if isinstance(node, exp.Var) else _text(node)
