"""The whole function table, and what is derived from it: allowed arguments, range rules and writers."""

from __future__ import annotations

from sqlglot import exp

from dpduck.compiler.functions import aggregates, collections, conditions, datetimes, numbers, strings
from dpduck.compiler.functions.entry import Entries, Writer, nodes, words
from dpduck.compiler.parse.nodes import function_key

# Scalar functions and operators; `CALLS` adds aggregates: all functions of public SQL that are plain calls.
SCALARS: Entries = {
    **conditions.ENTRIES,
    **numbers.ENTRIES,
    **strings.ENTRIES,
    **datetimes.ENTRIES,
    **collections.ENTRIES,
}
CALLS = {key: entry for key, entry in (SCALARS | aggregates.ENTRIES).items() if entry.name}

_OTHERS = ("count", "coalesce", "date_trunc", "date_diff", "regexp_matches", "replace", "trim")
_OF_ANSWERS = ("dp_low", "dp_high", "dp_gap", "dp_p_value", "dp_budget", "dp_ledger", "dp_policies")
_LISTED = {entry.name for entry in (CALLS | aggregates.WINDOWS).values()}

# What can be called by name, somewhere: for suggestions and completion.
FUNCTION_NAMES = tuple(sorted({*_OTHERS, *_OF_ANSWERS, *(name for name in _LISTED if name.isidentifier())}))

# Names, literals and types, which are translated alike everywhere.
LEAVES: dict[type[exp.Expr], frozenset[str]] = {
    exp.Column: words("this table db catalog"),
    exp.Identifier: words("this quoted"),
    exp.Literal: words("this is_string"),
    exp.Null: words(""),
    exp.Interval: words("this unit"),
    exp.Anonymous: words("this expressions"),
    exp.DataType: words("this expressions"),
    **dict.fromkeys((exp.Paren, exp.Boolean, exp.Var, exp.DataTypeParam), words("this")),
}

# The arguments that nodes may have in expressions over private rows, and the rules of their public ranges.
ALLOWED = LEAVES | {
    kind: entry.allowed_private for kind, entry in nodes(SCALARS) if entry.private is not None
}
RANGES = {key: entry.range for key, entry in SCALARS.items() if entry.range is not None}


def private_writer(node: exp.Expr) -> Writer | None:
    """Return the writer of the node over a private row; None if it is not supported there."""
    if isinstance(node, exp.UnixToTime) and node.args.get("scale") != exp.UnixToTime.MILLIS:
        return None
    entry = SCALARS.get(function_key(node))
    return None if entry is None else entry.private
