"""The whole table, and what follows from it: what a node may carry where, and who writes it."""

from __future__ import annotations

from sqlglot import exp

from dpduck.query.functions import aggregates, collections, conditions, datetimes, numbers, strings
from dpduck.query.functions.entry import FunctionEntry, Names, Nodes, Writer, words

NODES: Nodes = conditions.NODES | numbers.NODES | strings.NODES | datetimes.NODES | collections.NODES
NAMES: Names = numbers.NAMES | strings.NAMES | datetimes.NAMES | collections.NAMES

# What is called over what is public, by node class and by name; aggregates among them.
CALLS: Nodes = {kind: entry for kind, entry in (NODES | aggregates.NODES).items() if entry.name}
NAMED: Names = NAMES | aggregates.NAMES

# Names, constants and types, which mean the same everywhere.
LEAVES: dict[type[exp.Expr], frozenset[str]] = {
    kind: words(arguments)
    for kind, arguments in {
        exp.Column: "this table db",
        exp.Identifier: "this quoted",
        exp.Paren: "this",
        exp.Literal: "this is_string",
        exp.Boolean: "this",
        exp.Null: "",
        exp.Interval: "this unit",
        exp.Var: "this",
        exp.Anonymous: "this expressions",
        exp.DataType: "this expressions",
        exp.DataTypeParam: "this",
    }.items()
}

# What expressions over private rows may hold.
ALLOWED = LEAVES | {kind: entry.in_rows for kind, entry in NODES.items() if entry.private is not None}
RANGES = {kind: entry.range for kind, entry in NODES.items() if entry.range is not None}


def entry_of(node: exp.Expr) -> FunctionEntry | None:
    """What the table says of a node, by its class or its name."""
    if isinstance(node, exp.Anonymous):
        return NAMES.get(str(node.name).lower())
    return NODES.get(type(node))


def private_writer(node: exp.Expr) -> Writer | None:
    """Who writes the node over a private row; None if it is not supported there."""
    if isinstance(node, exp.UnixToTime) and node.args.get("scale") != exp.UnixToTime.MILLIS:
        return None
    entry = entry_of(node)
    return None if entry is None else entry.private
