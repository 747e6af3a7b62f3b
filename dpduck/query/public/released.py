"""Refuses arguments that only public SQL translates, in a block that the caller translates.

The validator allows what any translation supports. The translation of a release would ignore these
arguments silently. Subqueries in it are computed for each person apart, with their named windows.
"""

from __future__ import annotations

from sqlglot import exp

from dpduck.query.functions import refusals

_ONLY_HERE: dict[type[exp.Expr], tuple[str, ...]] = {
    exp.Select: ("windows",),
    exp.Max: ("count",),
    exp.Min: ("count",),
}


def check_release(node: exp.Expr) -> None:
    """Refuse a block of the caller with arguments that only public SQL translates."""
    for part in node.walk():
        for name in _ONLY_HERE.get(type(part), ()):
            if part.args.get(name) and (part is node or name != "windows"):
                raise refusals.of_argument(part, name)
