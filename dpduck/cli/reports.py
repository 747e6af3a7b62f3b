"""Budgets and charges drawn for people, one line each."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pyarrow as pa

from dpduck.errors import decimal_text
from dpduck.terminal import bar, one_line, text_width

Row = dict[str, Any]

_LEAST_QUERY = 20  # a query is not cut shorter than this, however narrow the screen
_GAP = "  "


def budget_lines(budgets: pa.Table) -> str:
    """One line for the epsilon of each account, and one for its delta if any was spent."""
    lines: list[Sequence[str]] = []
    for row in budgets.to_pylist():
        first = (row["scope"], one_line(row["name"]))
        for quantity in ("epsilon", "delta"):
            if quantity == "epsilon" or row["delta_spent"]:
                lines.append((*first, *_drawn(row, quantity)))
                first = ("", "")
    return aligned(lines)


def _drawn(row: Row, quantity: str) -> tuple[str, str]:
    spent, limit, left = (row[f"{quantity}_{part}"] for part in ("spent", "limit", "remaining"))
    drawing = bar(Fraction(spent), None if limit is None else Fraction(limit))
    if limit is None:
        return drawing, f"{quantity} {_short(spent)} spent, no cap"
    rest = f"{_short(left)} left" if left else "none left"
    return drawing, f"{quantity} {_short(spent)} of {_short(limit)} spent, {rest}"


def left_line(charged: str, budgets: pa.Table) -> str:
    """What a query was charged, and what the capped accounts have left."""
    left = [
        f"{_short(row['epsilon_remaining'])} of {_short(row['epsilon_limit'])} left for {row['scope']} {row['name']}"
        for row in budgets.to_pylist()
        if row["epsilon_limit"] is not None and row["epsilon_spent"]
    ]
    return "; ".join([f"epsilon {charged} spent", *left])


def ledger_lines(entries: pa.Table, width: int | None) -> str:
    """One line for each charge, and of the less usual columns those that say something.

    Input: the columns that the screen has; None: queries are not cut.
    """
    rows = entries.to_pylist()
    if not rows:
        return "no charges\n"
    shown = [name for name in entries.column_names if name in _ALWAYS or any(map(_is_unusual(name), rows))]
    cells = [[_cell(row[name]) for name in shown] for row in rows]
    right = {i for i, name in enumerate(shown) if name in ("seq", "epsilon", "delta", "evaluations")}
    text = aligned([[_HEADINGS.get(name, name) for name in shown], *cells], right)
    return "".join(f"{_cut(line, width)}\n" for line in text.splitlines())
