"""What only public SQL understands, and so may not stand in a block that the caller translates itself.

The gate lets through what any reader of a query knows. A release is read by other readers than these, which
would pass over such words in silence.
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
    """Errors: UnsupportedSqlError for words in a block of the caller that only public SQL may use."""
    for part in node.walk():
        for name in _ONLY_HERE.get(type(part), ()):
            if part.args.get(name):
                raise refusals.of_argument(part, name)
