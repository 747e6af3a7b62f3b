"""What to say about SQL that the gate does not let through: what, why, and what to write instead.

Order matters nowhere here and nothing is allowed here: a node without an entry gets a general text.
"""

from __future__ import annotations

from sqlglot import exp

from dpduck.errors import UnsupportedSqlError
from dpduck.query.nodes import refusal

_PER_ROW = (
    "An expression over a private row may fail, or take long, on that row alone, and so reveal it.",
    "Compare the column itself with a constant, for example WHERE amount > 10.",
)
_ONE_TABLE = (
    "One person's rows could then change the rows of others, and the noise would be too small.",
    "Query one table, filter it with WHERE and group it by a column.",
)
_FROM = (
    "It could read files, settings or other tables, past their policies.",
    "Name one table of the database after FROM.",
)
_AGGREGATE = (
    "Its result can move by an unknown amount when one person is added.",
    "Use count(*), mode(x), median(x) or quantile_cont(x, 0.5).",
)
_OTHER = (
    "Only SQL whose effect on privacy dpduck fully understands is run.",
    "Write SELECT key, count(*) FROM t WHERE ... GROUP BY key ORDER BY count(*) DESC LIMIT 10.",
)

_NODES: dict[type[exp.Expr], tuple[str, tuple[str, str]]] = {
    exp.Subquery: ("a subquery is not supported", _ONE_TABLE),
    exp.Exists: ("EXISTS is not supported", _ONE_TABLE),
    exp.Any: ("ANY is not supported", ("Its list may come from private rows.", "Write IN (value, ...).")),
    exp.Select: ("a subquery is not supported", _ONE_TABLE),
    exp.With: ("WITH is not supported", _ONE_TABLE),
    exp.Join: ("a join is not supported", _ONE_TABLE),
    exp.Lateral: ("LATERAL is not supported", _ONE_TABLE),
    exp.Unnest: ("unnest is not supported", _ONE_TABLE),
    exp.Window: ("a window function is not supported", _ONE_TABLE),
    exp.Qualify: (
        "QUALIFY is not supported",
        ("It filters by a window function.", "Write ORDER BY count(*) DESC LIMIT 10."),
    ),
    exp.Having: (
        "HAVING is not supported",
        (
            "A filter on exact counts reveals them.",
            "Leave it out and filter the answer, or write ORDER BY count(*) DESC LIMIT 10.",
        ),
    ),
    exp.Offset: (
        "OFFSET is not supported",
        ("The rows before it must be selected, and paid for, too.", "Ask for the sum of both with LIMIT."),
    ),
    exp.Distinct: (
        "SELECT DISTINCT is not supported",
        ("Which values are present is private.", "Write SELECT key, count(*) FROM t GROUP BY key."),
    ),
    exp.TableSample: (
        "a sample is not supported",
        ("One person's rows would re-roll the others.", "Leave the sample out: noise protects the rows."),
    ),
    exp.LimitOptions: (
        "LIMIT with a percentage or ties is not supported",
        ("The number of rows would depend on private rows.", "Write LIMIT 10."),
    ),
    exp.Fetch: ("FETCH is not supported", ("LIMIT says the same.", "Write LIMIT 10.")),
    exp.Filter: (
        "FILTER is not supported",
        ("Counts under different filters need their own noise.", "Put the condition into WHERE."),
    ),
    exp.WithinGroup: (
        "WITHIN GROUP is not supported",
        ("DuckDB's own spelling is shorter.", "Write median(x), mode(x) or quantile_cont(x, 0.5)."),
    ),
    exp.Case: ("CASE is not supported", _PER_ROW),
    exp.If: ("IF is not supported", _PER_ROW),
    exp.Placeholder: (
        "a parameter has no value",
        ("Parameters are replaced by constants before a query is read.", "Pass a value for each."),
    ),
    exp.Parameter: (
        "this form of parameter is not supported",
        ("Only ?, $1 and $name are.", "Write $1 and pass [value]."),
    ),
    exp.Union: ("UNION is not supported", _ONE_TABLE),
    exp.Group: ("this GROUP BY is not supported", _OTHER),
    exp.GroupingSets: ("GROUPING SETS is not supported", _OTHER),
    exp.Rollup: ("ROLLUP is not supported", _OTHER),
    exp.Cube: ("CUBE is not supported", _OTHER),
    exp.RegexpLike: (
        "a regular expression is not supported",
        ("Its cost depends on the private text.", "Write LIKE 'prefix%'."),
    ),
    exp.SimilarTo: (
        "SIMILAR TO is not supported",
        ("Its cost depends on the private text.", "Write LIKE 'prefix%'."),
    ),
    exp.Glob: ("GLOB is not supported", ("LIKE says the same.", "Write LIKE 'prefix%'.")),
    exp.Array: ("a list is not supported", ("One value is answered at a time.", "Ask for each by itself.")),
    exp.RawString: ("$$ strings are not supported", ("One spelling is enough.", "Write 'text'.")),
    exp.ByteString: ("E'' strings are not supported", ("One spelling is enough.", "Write 'text'.")),
    exp.Escape: ("ESCAPE is not supported", ("Patterns have no escape.", "Write LIKE without ESCAPE.")),
    exp.NullSafeEQ: (
        "IS NOT DISTINCT FROM is not supported",
        ("= and IS NULL are.", "Write x = 1 OR x IS NULL."),
    ),
    exp.NullSafeNEQ: (
        "IS DISTINCT FROM is not supported",
        ("<> and IS NULL are.", "Write x <> 1 OR x IS NULL."),
    ),
    exp.Values: ("VALUES is not supported", _ONE_TABLE),
    exp.Var: (
        "this word is not supported here",
        ("Only column names and constants are.", "Name the columns of the answer."),
    ),
    exp.Star: ("* is not supported here", ("Rows of a private table never leave it.", _OTHER[1])),
    exp.Sum: (
        "sum is not supported",
        ("Its result can move by an unknown amount when one person is added.", "Use count(*) or median(x)."),
    ),
    exp.Pivot: ("PIVOT is not supported", _ONE_TABLE),
    exp.Lock: ("FOR UPDATE is not supported", ("Queries change nothing.", "Leave it out.")),
    exp.Into: ("SELECT INTO is not supported", ("Queries write nothing.", "Leave it out.")),
    exp.Dot: (
        "a qualified function or struct field is not supported",
        ("Functions that may be used need no schema.", "Write count(*) without a schema."),
    ),
    exp.Anonymous: (
        "this function is not supported",
        ("It is not on the list of functions known to be safe on private rows.", _AGGREGATE[1]),
    ),
}


_OPERATORS: dict[type[exp.Expr], str] = {
    exp.Add: "+",
    exp.Sub: "-",
    exp.Mul: "*",
    exp.Div: "/",
    exp.IntDiv: "//",
    exp.Mod: "%",
    exp.Pow: "**",
    exp.DPipe: "||",
}


def of_node(node: exp.Expr) -> UnsupportedSqlError:
    """The refusal of a node that is not on the allow-list."""
    if isinstance(node.parent, exp.Table) and isinstance(node, exp.Func):
        return refusal("a table function is not supported", *_FROM, node)
    for kind in type(node).__mro__:
        entry = _NODES.get(kind)
        if entry is not None:
            message, (detail, hint) = entry
            return refusal(message, detail, hint, node)
    message, (detail, hint) = _by_family(node)
    return refusal(message, detail, hint, node)


def of_argument(node: exp.Expr, name: str) -> UnsupportedSqlError:
    """The refusal of an argument that a listed node may not carry."""
    value = node.args[name]
    first = value[0] if isinstance(value, list) else value
    if type(first) in _NODES:
        return of_node(first)
    word = name.rstrip("_").upper().replace("_", " ")
    return refusal(f"{word} is not supported in {_name(node)}", *_OTHER, node)


def _by_family(node: exp.Expr) -> tuple[str, tuple[str, str]]:
    if isinstance(node, exp.AggFunc):
        return f"the aggregate {_name(node)} is not supported", _AGGREGATE
    if isinstance(node, exp.Func):
        return f"the function {_name(node)} is not supported", _PER_ROW
    if isinstance(node, (exp.Binary, exp.Unary)):
        return f"the operator {_OPERATORS.get(type(node), _name(node))} is not supported", _PER_ROW
    return f"{_name(node)} is not supported", _OTHER


def _name(node: exp.Expr) -> str:
    return node.sql_names()[0].lower() if isinstance(node, exp.Func) else node.key.upper()
