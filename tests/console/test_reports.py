"""Reports on screens of any width."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal

import pyarrow as pa

from dpduck.doors.console.reports import budget_lines, ledger_lines
from dpduck.doors.console.tables import text_width
from dpduck.kernel.ledger.session import BUDGET_SCHEMA, LEDGER_SCHEMA

QUERY = "SELECT item, count(*) AS n FROM baskets GROUP BY item ORDER BY n DESC LIMIT 10"


def budgets(spent: str) -> pa.Table:
    one, ten, left = Decimal(spent), Decimal(10), 10 - Decimal(spent)
    row = ("people", "baskets.basket", ten, one, left, Decimal("1e-5"), Decimal("1e-6"), Decimal("9e-6"))
    return pa.Table.from_pylist([dict(zip(BUDGET_SCHEMA.names, row, strict=True))], schema=BUDGET_SCHEMA)


def charges(query: str) -> pa.Table:
    row = (1, datetime(2026, 1, 2, 3, 4, 5), "cli", None, 1, 0, "noisy_top_k+count", query, 1, False)
    return pa.Table.from_pylist([dict(zip(LEDGER_SCHEMA.names, row, strict=True))], schema=LEDGER_SCHEMA)


def test_bars_give_way_on_a_narrow_screen() -> None:
    wide, narrow = budget_lines(budgets("4"), None), budget_lines(budgets("4"), 80)
    assert "████████░░░░░░░░░░░░  epsilon 4 of 10 spent, 6 left" in wide
    assert max(map(text_width, wide.splitlines())) > 80
    assert max(map(text_width, narrow.splitlines())) == 80
    assert "  epsilon 4 of 10 spent, 6 left" in budget_lines(budgets("4"), 10)


def test_where_no_bar_has_room_there_is_none() -> None:
    text = budget_lines(budgets("4"), 60, {("people", "baskets.basket"): ["added up as zCDP"]})
    assert text == (
        "people  baskets.basket  epsilon 4 of 10 spent, 6 left\n"
        "                        delta 0.000001 of 0.00001 spent, 0.000009 left\n"
        "                        added up as zCDP\n"
    )


def test_notes_stand_below_the_amounts() -> None:
    text = budget_lines(budgets("4"), None, {("people", "baskets.basket"): ["one", "two"]})
    indent = " " * len("people  baskets.basket  ████████████████████  ")
    assert text.endswith(f" left\n{indent}one\n{indent}two\n")
    assert budget_lines(budgets("4"), None, {("people", "others.id"): ["one"]}) == budget_lines(
        budgets("4"), None
    )


def test_a_query_stands_beside_its_charge() -> None:
    assert ledger_lines(charges(QUERY), None) == (
        "seq  at (UTC)             session  epsilon  mechanism          query\n"
        f"  1  2026-01-02 03:04:05  cli            1  noisy_top_k+count  {QUERY}\n"
    )


def test_on_a_narrow_screen_it_stands_below() -> None:
    assert ledger_lines(charges(QUERY), 80) == (
        "seq  at (UTC)             session  epsilon  mechanism\n"
        "  1  2026-01-02 03:04:05  cli            1  noisy_top_k+count\n"
        "     SELECT item, count(*) AS n FROM baskets GROUP BY item ORDER BY n DESC LIMI…\n"
    )


def test_a_query_is_one_line_without_signs_that_draw() -> None:
    lines = ledger_lines(charges("SELECT\n\tcount(*) \x1b[2J"), None).splitlines()
    assert len(lines) == 2
    assert lines[1].endswith("SELECT count(*) [2J")


def test_nothing_was_charged() -> None:
    assert ledger_lines(LEDGER_SCHEMA.empty_table(), 80) == "no charges\n"


def test_a_delta_that_the_first_charge_takes_has_no_bar() -> None:
    plain = budget_lines(budgets("4"), None).splitlines()
    without = budget_lines(budgets("4"), None, None, {("people", "baskets.basket")}).splitlines()
    assert without[0] == plain[0]
    assert plain[1].strip().startswith("█")
    assert without[1].strip() == "delta 0.000001 of 0.00001 spent, 0.000009 left"
    assert without[1].index("delta") == plain[1].index("delta")
