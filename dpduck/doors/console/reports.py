"""Budgets and charges as text for people, one line each."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pyarrow as pa

from dpduck.doors.console.tables import bar, one_line, text_width
from dpduck.kernel.errors import decimal_text
from dpduck.kernel.ledger import BudgetStatus
from dpduck.kernel.ledger.windows import next_period

Row = dict[str, Any]
Notes = Mapping[tuple[str, str], Sequence[str]]

_GAP = "  "
_BAR, _LEAST_BAR = 20, 8
_DIGEST = 12  # characters shown
_LEAST_QUERY = 40  # with fewer columns, the query gets a line of its own
# Other columns of the ledger are shown only if a value differs from these.
_USUAL = {"analyst": None, "delta": 0, "evaluations": 1, "replayed": False}
_UNNAMED = re.compile(r"session-[0-9a-f]{8}")  # see `new_session_name`
_NUMBERS = ("seq", "epsilon", "delta", "evaluations")
_HEADINGS = {"at": "at (UTC)"}


def budget_lines(
    budgets: pa.Table,
    width: int | None,
    notes: Notes | None = None,
    converted: Container[tuple[str, str]] = (),
) -> str:
    """One line for the epsilon of each account, one for its delta if any was spent, and its notes.

    Input: the width of the screen in columns, None: unlimited; notes by scope and name; likewise the accounts
        whose delta has no bar, since the first charge takes most of it. If space is short, the bars are
        shortened first, and then left out.
    """
    rows = folded(budgets.to_pylist())

    def lines(bar_width: int) -> str:
        return _budget_lines(rows, notes or {}, bar_width, converted)

    text = lines(_BAR)
    too_much = 0 if width is None else max(map(text_width, text.splitlines())) - width
    if too_much <= 0:
        return text
    return lines(_BAR - too_much if too_much <= _BAR - _LEAST_BAR else 0)


def converted_accounts(budgets: Iterable[BudgetStatus]) -> set[tuple[str, str]]:
    """The accounts in which rho or mu^2 adds up, which a fixed part of their delta turns into an epsilon."""
    return {(budget.scope, budget.name) for budget in budgets if budget.cap.measure is not None}


def folded(rows: Sequence[Row]) -> list[Row]:
    """The rows, those of unnamed sessions added up in one: each connection to a gateway has been one.

    >>> rows = [{"scope": "session", "name": f"session-0000000{n}", "epsilon_spent": n, "delta_spent": 0}
    ...         for n in (1, 2)]
    >>> [(row["name"], row["epsilon_spent"]) for row in folded(rows)]
    [('2 connections', 3)]
    """
    unnamed = [row for row in rows if row["scope"] == "session" and _UNNAMED.fullmatch(row["name"])]
    if len(unnamed) < 2:
        return list(rows)
    sums = {name: sum(row[name] for row in unnamed) for name in ("epsilon_spent", "delta_spent")}
    caps = dict.fromkeys(("epsilon_limit", "epsilon_remaining", "delta_limit", "delta_remaining"))
    one = {"scope": "session", "name": f"{len(unnamed)} connections", **caps, **sums}
    first = rows.index(unnamed[0])
    return [*rows[:first], one, *(row for row in rows[first:] if row not in unnamed)]


def _budget_lines(
    rows: Sequence[Row], notes: Notes, bar_width: int, converted: Container[tuple[str, str]]
) -> str:
    lines: list[tuple[str, ...]] = []
    for row in rows:
        lines.append((row["scope"], one_line(row["name"]), *_drawn(row, "epsilon", bar_width)))
        if row["delta_spent"]:
            has_bar = (row["scope"], row["name"]) not in converted
            lines.append(("", "", *_drawn(row, "delta", bar_width, has_bar=has_bar)))
        empty = [""] * (len(lines[-1]) - 1)
        lines += [(*empty, note) for note in notes.get((row["scope"], row["name"]), ())]
    return aligned(lines)


def budget_notes(budget: BudgetStatus, now: datetime) -> list[str]:
    """Notes on an account: its window, its accounting, and its limit for one query.

    >>> from dpduck.kernel.accounting.composition import Cost
    >>> from dpduck.kernel.ledger import Cap
    >>> cap = Cap(Fraction(1), per_query=Fraction(1, 2), window="day")
    >>> budget_notes(BudgetStatus("budget", "team", cap, Cost(), "2026-11-21"), datetime(2026, 11, 21, 9))
    ['2026-11-21, refills on 2026-11-22 (UTC)', 'at most 0.5 per query']
    """
    cap = budget.cap
    notes = []
    if cap.window is not None:
        notes.append(f"{budget.period}, refills on {next_period(cap.window, now)} (UTC)")
    if cap.per_query is not None:
        notes.append(f"at most {decimal_text(cap.per_query)} per query")
    if cap.measure is not None:
        notes.append(f"added up as {cap.measure.notion}")
    return notes


def _drawn(row: Row, quantity: str, width: int, *, has_bar: bool = True) -> tuple[str, ...]:
    spent, limit, left = (row[f"{quantity}_{part}"] for part in ("spent", "limit", "remaining"))
    drawn = bar(Fraction(spent), None if limit is None else Fraction(limit), width) if has_bar else ""
    drawing = (drawn,) if width else ()
    if limit is None:
        return *drawing, f"{quantity} {_cell(spent)} spent, no cap"
    rest = f"{_cell(left)} left" if left else "none left"
    return *drawing, f"{quantity} {_cell(spent)} of {_cell(limit)} spent, {rest}"


def left_line(charged: str, before: pa.Table, after: pa.Table) -> str:
    """The line after a query: its charge, and what remains of the capped accounts that were charged."""
    untouched = before.to_pylist()
    charged_rows = [row for row in after.to_pylist() if row not in untouched]
    left = [
        f"{_cell(row['epsilon_remaining'])} of {_cell(row['epsilon_limit'])} left"
        f" for {row['scope']} {row['name']}"
        for row in charged_rows
        if row["epsilon_limit"] is not None
    ]
    return one_line("; ".join([f"epsilon {charged} spent", *left]))


def ledger_lines(entries: pa.Table, width: int | None) -> str:
    """One line for each charge; on a narrow screen its query has a line of its own.

    Input: the width of the screen in columns; None: nothing is truncated.
    """
    rows = entries.to_pylist()
    if not rows:
        return "no charges\n"
    heading, *charges = _charges(rows)
    queries = [_cell(row["query"]) for row in rows]
    if width is not None and width - max(map(text_width, [heading, *charges])) < _LEAST_QUERY:
        lines = [heading]
        for charge, query in zip(charges, queries, strict=True):
            lines += [charge, f"     {query}"]
    else:
        beside = zip([heading, *charges], ["query", *queries], strict=True)
        lines = aligned(list(beside)).splitlines()
    return "".join(f"{_cut(line, width)}\n" for line in lines)


def policy_lines(entries: pa.Table, width: int | None) -> str:
    """One line for each policy entry, with the first characters of its digest.

    Input: the width of the screen in columns; None: nothing is truncated.
    """
    rows = entries.to_pylist()
    if not rows:
        return "no policies\n"
    cells = [[_cell(row[name]) for name in ("seq", "at", "who")] for row in rows]
    short = [["seq", "at (UTC)", "who", "digest"]]
    short += [[*line, row["digest"][:_DIGEST]] for line, row in zip(cells, rows, strict=True)]
    heading, *lines = aligned(short, {0}).splitlines()
    statements = [_cell(row["statement"]) for row in rows]
    if width is not None and width - max(map(text_width, [heading, *lines])) < _LEAST_QUERY:
        below = [heading]
        for line, statement in zip(lines, statements, strict=True):
            below += [line, f"     {statement}"]
    else:
        beside = zip([heading, *lines], ["statement", *statements], strict=True)
        below = aligned(list(beside)).splitlines()
    return "".join(f"{_cut(line, width)}\n" for line in below)


def _charges(rows: Sequence[Row]) -> list[str]:
    """A heading, and each charge without its query."""
    shown = [name for name in rows[0] if any(row[name] != _USUAL.get(name, row) for row in rows)]
    shown.remove("query")
    heading = [_HEADINGS.get(name, name) for name in shown]
    cells = [[_cell(row[name]) for name in shown] for row in rows]
    right = {i for i, name in enumerate(shown) if name in _NUMBERS}
    return aligned([heading, *cells], right).splitlines()


def aligned(lines: Sequence[Sequence[str]], right: Iterable[int] = ()) -> str:
    """The cells in aligned columns; columns with an index in `right` are right-aligned.

    >>> aligned([("a", "10"), ("bcd", "9")], right={1})
    'a    10\\nbcd   9\\n'
    """
    widths = [max(map(text_width, column)) for column in zip(*lines, strict=True)]
    return "".join(
        _GAP.join(_padded(cell, widths[i], i in right) for i, cell in enumerate(line)).rstrip() + "\n"
        for line in lines
    )


def _padded(cell: str, width: int, right: bool) -> str:
    room = " " * (width - text_width(cell))
    return room + cell if right else cell + room


def _cell(value: object) -> str:
    """A value in its shortest form."""
    if isinstance(value, Decimal):
        return decimal_text(Fraction(value))
    if isinstance(value, datetime):
        return value.isoformat(" ", "seconds")
    if isinstance(value, bool):
        return "yes" if value else ""
    return "" if value is None else " ".join(one_line(str(value)).split())


def _cut(line: str, width: int | None) -> str:
    if width is None or text_width(line) <= width:
        return line
    while text_width(line) > width - 1:
        line = line[:-1]
    return f"{line}…"
