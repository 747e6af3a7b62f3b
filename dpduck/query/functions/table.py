"""The whole table, and what follows from it: what a node may carry where, and who writes it."""

from __future__ import annotations

from sqlglot import exp

from dpduck.query.functions import aggregates, collections, conditions, datetimes, numbers, strings
from dpduck.query.functions.entry import Entries, Writer, nodes, words
from dpduck.query.parse.nodes import function_key

# Scalar functions and operators; with aggregates, all that is called over what is public.
SCALARS: Entries = {
    **conditions.ENTRIES,
    **numbers.ENTRIES,
    **strings.ENTRIES,
    **datetimes.ENTRIES,
    **collections.ENTRIES,
}
CALLS = {key: entry for key, entry in (SCALARS | aggregates.ENTRIES).items() if entry.name}

# Names, constants and types, which mean the same everywhere.
LEAVES: dict[type[exp.Expr], frozenset[str]] = {
    exp.Column: words("this table db"),
    exp.Identifier: words("this quoted"),
    exp.Literal: words("this is_string"),
    exp.Null: words(""),
    exp.Interval: words("this unit"),
    exp.Anonymous: words("this expressions"),
    exp.DataType: words("this expressions"),
    **dict.fromkeys((exp.Paren, exp.Boolean, exp.Var, exp.DataTypeParam), words("this")),
}

# What expressions over private rows may hold, and the rules of their ranges.
ALLOWED = LEAVES | {
    kind: entry.allowed_in_rows for kind, entry in nodes(SCALARS) if entry.private is not None
}
RANGES = {key: entry.range for key, entry in SCALARS.items() if entry.range is not None}


def private_writer(node: exp.Expr) -> Writer | None:
    """Who writes the node over a private row; None if it is not supported there."""
    if isinstance(node, exp.UnixToTime) and node.args.get("scale") != exp.UnixToTime.MILLIS:
        return None
    entry = SCALARS.get(function_key(node))
    return None if entry is None else entry.private
