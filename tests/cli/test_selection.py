"""Long ledgers: sessions that are folded away, and --since and --limit."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from dpduck.kernel.ledger import Account, Cap, open_ledger
from tests.cli.processes import Run
from tests.ledger.contract import cost


@pytest.fixture
def busy(folder: Path) -> None:
    """A ledger that thirty connections have charged, and two sessions with names."""
    with open_ledger(folder / "shop.duckdb.ledger") as ledger:
        for number in range(30):
            name = f"session-{number:08x}"
            ledger.charge(
                cost("0.25", "1e-7", session=name, accounts=(Account("session", name),), query=name)
            )
        for name in ("cli", "session-mine"):
            ledger.set_cap(Account("session", name), Cap(Fraction(2)))
            ledger.charge(cost("0.5", session=name, accounts=(Account("session", name),)))


def test_connections_are_one_line(run: Run, busy: None) -> None:
    lines = run("budget", "shop.duckdb").out.splitlines()
    named = [line for line in lines if line.startswith("session")]
    assert len(named) == 3
    assert "session  30 connections" in named[1]
    assert named[1].endswith("epsilon 7.5 spent, no cap")
    assert any("epsilon 0.5 of 2 spent, 1.5 left" in line for line in named)
    assert any("0.000003 spent" in line for line in lines)


def test_data_have_a_row_for_each_account(run: Run, busy: None) -> None:
    rows = json.loads(run("budget", "shop.duckdb", "--format", "json").out)
    assert sum(row["scope"] == "session" for row in rows) == 32


def test_the_last_entries(run: Run, busy: None, folder: Path) -> None:
    rows = json.loads(run("ledger", "shop.duckdb", "--limit", "2", "--format", "json").out)
    assert [row["seq"] for row in rows] == [31, 32]
    assert len(json.loads(run("ledger", "shop.duckdb", "--limit", "99", "--format", "json").out)) == 32
    assert len(json.loads(run("ledger", "shop.duckdb", "--since", "1h", "--format", "json").out)) == 32
    assert run("ledger", "shop.duckdb", "--since", "2999-01-01").out == "no charges\n"
    assert run("ledger", "shop.duckdb", "--since", "2999-01-01", "--policies").out == "no policies\n"
    assert run("ledger", "shop.duckdb", "--limit", "3", "--export", "out.csv").code == 0
    assert len((folder / "out.csv").read_text().splitlines()) == 4
    assert run("ledger", "shop.duckdb", "--since", "2999-01-01", "--export", "none.csv").code == 0
    assert len((folder / "none.csv").read_text().splitlines()) == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--since", "yesterday"), "argument --since: 'yesterday' is not a time"),
        (("--since", "2026-13-01"), "argument --since: '2026-13-01' is not a time"),
        (("--limit", "0"), "argument --limit: '0' is not a number of entries"),
    ],
)
def test_what_is_neither(run: Run, words: tuple[str, str], said: str) -> None:
    done = run("ledger", "shop.duckdb", *words)
    assert done.code == 2
    assert said in done.err
