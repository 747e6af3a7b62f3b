"""Refusals of SQL that the validator, or an expression over private rows, does not allow.

Each says what is refused, why, and what to write instead; `tests/query/test_hints.py` runs the suggestions.
This module decides no refusal: a node without an entry gets the text of `refusals`, or a general one.
"""

from __future__ import annotations

from sqlglot import exp

from dpduck.compiler.functions import refusals
from dpduck.compiler.functions.refusals import Reason
from dpduck.compiler.functions.table import CALLS
from dpduck.compiler.parse.nodes import refusal
from dpduck.compiler.write import call_names
from dpduck.kernel.errors import UnsupportedSqlError

_OTHERS = "One person's rows could then change the rows of others, and the noise would be too small."
_BY_PEOPLE: Reason = (
    _OTHERS,
    "Join a private table by its people, JOIN w ON v.uid = w.uid, a public one on its key, "
    "JOIN p ON v.page = p.page, or write the values: IN ('a', 'b').",
)
_MANY_ROWS: Reason = (
    "It makes many rows of one, which are private rows again, before they are counted.",
    "Unnest in FROM: SELECT tag, count(*) FROM (SELECT id, unnest(tags) AS tag FROM t) GROUP BY tag.",
)
_TOTALS: Reason = (
    "Totals are of the groups of the block that aggregates the rows of all people.",
    "Write GROUP BY ROLLUP (page, region) there.",
)
_WITH_TOTALS: Reason = ("DuckDB writes totals in another way.", "Write GROUP BY ROLLUP (page).")
_LIST: Reason = (
    "Rows hold plain values here.",
    "Choose among columns with CASE WHEN ... THEN ... END, and take a part of a text with substr(x, 1, 1).",
)
_AGGREGATE: Reason = (
    "Nothing bounds by how much one person can move it.",
    "Use count(*), count(DISTINCT x), sum(x), avg(x), median(x), quantile_cont(x, 0.5), mode(x), min(x) or "
    "max(x).",
)
_OF_ROWS: Reason = (
    "Conditions and arguments are computed for each row, before aggregates.",
    "Write HAVING count(*) > 5, or aggregate the answer: SELECT max(n) FROM (SELECT count(*) AS n ...).",
)
_EVERY_ROW: Reason = (
    "It is not on the list of functions that are known to have a result, at a bounded cost, on every row.",
    "Use CASE, CAST, arithmetic, and functions of text, dates and numbers such as lower, substr, date_trunc "
    "and round.",
)
_OPERATOR: Reason = (
    "It is not on the list of operators that are known to have a result on every row.",
    "Use + - * / // % ** and ||, comparisons, AND, OR, NOT, CASE and CAST; x % 2 = 1 tests the last bit.",
)
_ANY: Reason = (
    "ANY and ALL compare with the elements of a list that is written as ARRAY[...].",
    "Write x IN ('a', 'b') for x = ANY (...), x NOT IN ('a', 'b') for x <> ALL (...), x IN (SELECT ...) for "
    "x = ANY (SELECT ...), and x > 1 OR x > 2 for x > ANY (ARRAY[1, 2]).",
)
_NODES: dict[type[exp.Expr], tuple[str, Reason]] = {
    **dict.fromkeys(
        (exp.Subquery, exp.Select, exp.SetOperation, exp.Exists),
        ("a subquery in a condition on private rows is not supported", _BY_PEOPLE),
    ),
    exp.Any: ("this use of ANY over private rows is not supported", _ANY),
    exp.All: ("this use of ALL over private rows is not supported", _ANY),
    exp.Window: (
        "a window function over private rows is not supported",
        (
            _OTHERS,
            "Aggregate first: SELECT page, rank() OVER (ORDER BY count(*) DESC) FROM visits GROUP BY page.",
        ),
    ),
    **dict.fromkeys((exp.Explode, exp.Unnest), ("unnest is not supported", _MANY_ROWS)),
    exp.TableSample: (
        "a sample is not supported",
        (
            "It is drawn anew each time, and one person's rows would re-roll the others.",
            "Leave it out: noise protects the rows.",
        ),
    ),
    exp.Star: (
        "* is not supported here",
        ("It stands for all columns of a select list.", "Write count(*), or name one column."),
    ),
    exp.Tuple: (
        "a row of values is not supported here",
        ("Values are compared and counted one by one.", "Write x = 1 AND y = 'a'."),
    ),
    **dict.fromkeys(
        (exp.Grouping, exp.GroupingId),
        (
            "GROUPING is not supported here",
            (
                "It tells totals from groups, and rows are neither.",
                "Write SELECT page, GROUPING(page), or HAVING GROUPING(page) = 0.",
            ),
        ),
    ),
    exp.GroupingSets: ("GROUPING SETS is not supported here", _TOTALS),
    exp.Rollup: ("ROLLUP is not supported here", _TOTALS),
    exp.Cube: ("CUBE is not supported here", _TOTALS),
    exp.Array: ("a list in a private row is not supported", _LIST),
    exp.Bracket: ("a part of a value, x[...], is not supported in a private row", _LIST),
    exp.Struct: ("a struct in a private row is not supported", _LIST),
    exp.Glob: (
        "GLOB is not supported on private rows",
        ("Its cost depends on the private text.", "Write LIKE 'a%', or regexp_matches(x, '^a')."),
    ),
    exp.Escape: (
        "ESCAPE is not supported on private rows",
        ("Patterns have no escape.", "Write contains(x, '%'), or regexp_matches(x, '^a%')."),
    ),
    exp.Collate: (
        "COLLATE is not supported",
        ("Texts are compared as they are.", "Compare lower(x)."),
    ),
    exp.Dot: (
        "a qualified function or field is not supported here",
        ("Functions need no schema, and columns hold plain values.", "Write lower(x) instead of x.lower()."),
    ),
    exp.Columns: (
        "COLUMNS is not supported",
        ("It stands for many expressions at once.", "Write each column by its name."),
    ),
    exp.Order: (
        "ORDER BY inside an aggregate is not supported over private rows",
        ("Which row comes first would show that row.", "Leave it out."),
    ),
    exp.Values: (
        "VALUES is not supported beside private rows",
        ("Each row would meet all of them.", "Join a public table on its key, or write CASE WHEN."),
    ),
    exp.Interval: (
        "an interval is not supported here",
        ("It is no value of a row.", "Write x + INTERVAL 1 DAY > y, or date_diff('day', x, y) > 1."),
    ),
    exp.Pivot: (
        "PIVOT and UNPIVOT are not supported",
        (
            "Of them only the statement PIVOT is.",
            "Write PIVOT t ON page IN ('a', 'b') USING count(*) GROUP BY region.",
        ),
    ),
    exp.Var: (
        "this word is not supported here",
        ("Only column names and constants are.", "Write text in single quotes."),
    ),
}

# Arguments that nodes may not have, with their SQL keywords.
_ARGUMENTS: dict[tuple[type[exp.Expr], str], tuple[str, Reason]] = {
    (exp.With, "recursive"): (
        "WITH RECURSIVE is not supported",
        ("How long it runs is not bounded.", "Write WITH, which names a query once."),
    ),
    (exp.Table, "when"): (
        "a past version of a table is not supported",
        ("Tables are read as they are now.", "Leave AT (...) out."),
    ),
    (exp.RegexpExtract, "parameters"): (
        "options of regexp_extract are not supported over private rows",
        ("Its pattern means what it says.", "Write regexp_extract(lower(x), '([a-z]+)', 1) for 'i'."),
    ),
    (exp.DataType, "kind"): (
        "this type is not supported",
        ("A type that users define may mean anything.", "Write CAST(x AS VARCHAR), or another type of SQL."),
    ),
    **{
        (exp.Group, name): (f"WITH {word} is not supported", _WITH_TOTALS)
        for name, word in (("rollup", "ROLLUP"), ("cube", "CUBE"), ("grouping_sets", "GROUPING SETS"))
    },
    (exp.Group, "totals"): ("WITH TOTALS is not supported", _WITH_TOTALS),
}


def of_node(node: exp.Expr) -> UnsupportedSqlError:
    """Return the refusal of a node that is not supported in its place."""
    if isinstance(node.parent, exp.Table) and isinstance(node, exp.Func):
        return refusals.of_source(node.parent)
    for kind in type(node).__mro__:
        entry = _NODES.get(kind)
        if entry is not None:
            message, reason = entry
            return refusal(message, *reason, node)
    if isinstance(node, exp.AggFunc):
        if isinstance(node, exp.Count) or type(node) in CALLS:  # allowed elsewhere
            return refusal(f"the aggregate {_name(node)} cannot stand here", *_OF_ROWS, node)
        reason = refusals.of_others(_name(node)) or _AGGREGATE
        return refusal(f"{call_names.described('aggregate', node)} is not supported", *reason, node)
    if isinstance(node, (exp.Binary, exp.Unary)) and not isinstance(node, exp.Func):
        is_named = isinstance(node, exp.Operator)
        operator = "the operator OPERATOR(...)" if is_named else call_names.described("operator", node)
        return refusal(f"{operator} is not supported", *_OPERATOR, node)
    if type(node) in CALLS:  # allowed elsewhere
        called = call_names.described("function", node)
        return refusal(f"{called} is not supported over private rows", *_EVERY_ROW, node)
    return refusals.of_node(node)


def of_argument(node: exp.Expr, name: str) -> UnsupportedSqlError:
    """Return the refusal of an argument that a supported node may not have."""
    entry = _ARGUMENTS.get((type(node), name))
    if entry is not None:
        message, reason = entry
        return refusal(message, *reason, node)
    value = node.args[name]
    first = value[0] if isinstance(value, list) else value
    if type(first) in _NODES:
        return of_node(first)
    if isinstance(node, exp.Func):
        word = _name(node)
        return refusal(
            f"this form of {word} is not supported",
            "It has an argument that is not known, or too many.",
            f"Write {word} with its plain arguments.",
            node,
        )
    return refusals.of_argument(node, name)


def _name(node: exp.Expr) -> str:
    """Return DuckDB's name of the function or operator."""
    return refusals.name_of(node)


# --- functions, by their names -------------------------------------------------------------------


_NOW = (
    "Of the clock, now(), current_date and localtimestamp are known, as they are when the query is planned.",
    "Write one of these, as in current_date - 7, or a date, DATE '2024-01-31'.",
)
_LONG = ("It can make a text of any length, which would take long on one row.", "Leave the text as it is.")
_SERIES = (
    "A list of any length would be made for one row.",
    "Join FROM range(1, 4) AS r(i) on a column, or use a table that holds the values.",
)
_CHANCE = ("One row would re-roll the others.", "Leave it out: noise is added by dpduck.")
_STATE = ("It reads or changes something outside of the row.", "Leave it out.")
_FAILING = ("It would fail on some rows, and so tell of them.", "Write CASE WHEN ... THEN NULL ... END.")
_WAITING = ("It waits on one row, and so tells of it.", "Leave it out.")
_PARSING = (
    "It fails on a text of another form.",
    "Write TRY_CAST(x AS TIMESTAMP), which reads '2024-01-31 12:30:00'.",
)
_SECONDS = (
    "It makes a timestamp of seconds since 1970, and fails on large numbers.",
    "Compare the number itself, as in x >= 1704067200 for DATE '2024-01-01'.",
)
_INTERVAL = (
    "It gives an interval, which is no value of a row.",
    "Write date_diff('year', x, current_date), or date_diff('day', x, y).",
)
_A_LIST = ("It gives a list.", "Write regexp_extract(x, '([0-9]+)', 1).")
_NEEDLESS = ("It is not needed for counts.", "Use the value itself.")
_ELSE = (
    "It is not on the list of functions that are known to be safe on every row.",
    "Use CASE, CAST, arithmetic, and functions of text, dates and numbers such as lower, substr, date_trunc "
    "and round.",
)
_REASONS: tuple[tuple[Reason, str], ...] = (
    (_NOW, "now today current_date current_timestamp get_current_timestamp current_time localtimestamp"),
    (_NOW, "localtime transaction_timestamp"),
    (_LONG, "repeat lpad rpad format printf list string_agg"),
    (_SERIES, "range generate_series"),
    (_CHANCE, "random rand setseed uuid gen_random_uuid"),
    (_STATE, "nextval currval getvariable write_log current_setting getenv txid_current query"),
    (_WAITING, "sleep_ms sleep"),
    (_FAILING, "error"),
    (_PARSING, "strptime to_date"),
    (_SECONDS, "to_timestamp"),
    (_INTERVAL, "age"),
    (_A_LIST, "regexp_extract_all"),
    (_NEEDLESS, "stats hash md5 sha256 sha1"),
    (_ANY, "any all some"),
    *(((_ELSE[0], hint), names) for hint, names in refusals.INSTEAD_OF_FORMER_MACROS),
    ((_ELSE[0], "Write floor(x / y)."), "fdiv"),
)
_WHY = {name: reason for reason, names in _REASONS for name in names.split()}


def of_function(node: exp.Expr) -> UnsupportedSqlError | None:
    """Return the refusal of a function by its name; None if `of_node` has a better one."""
    name = call_names.short_name_of(node)
    reason = _WHY.get(name) or refusals.of_others(name)
    if reason is _ANY:
        return refusal(f"this use of {name.upper()} over private rows is not supported", *_ANY, node)
    if reason is None and isinstance(node, exp.Anonymous):
        reason = _ELSE[0], refusals.near_names(name) or _ELSE[1]
    return reason and refusal(f"the function {name} is not supported", *reason, node)
