"""`dpduck budget` and `dpduck ledger`: what they say to people and to programs."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest

from tests.cli.processes import Run

UNIT = ("--unit", "basket")
COUNT = "SELECT count(*) FROM baskets"
ITEMS = "SELECT item FROM baskets GROUP BY item ORDER BY count(*) DESC LIMIT 1"


@pytest.fixture
def spent(run: Run) -> Run:
    """A session that has spent 1.5 of 2, and a delta."""
    shared = ("query", "baskets.parquet", *UNIT, "--budget", "2")
    assert run(*shared, "--epsilon", "0.5", COUNT).code == 0
    assert run(*shared, "--epsilon", "1", "--delta", "1e-6", ITEMS).code == 0
    return run


class TestBudget:
    def test_bars(self, spent: Run) -> None:
        done = spent("budget", "baskets.parquet", *UNIT)
        assert (done.code, done.err) == (0, "")
        assert sorted(done.out.splitlines()) == sorted(
            [
                "session  cli             ███████████████░░░░░  epsilon 1.5 of 2 spent, 0.5 left",
                "                         ····················  delta 0.000001 spent, no cap",
                "table    baskets         ····················  epsilon 1.5 spent, no cap",
                "                         ····················  delta 0.000001 spent, no cap",
                "people   baskets.basket  ███░░░░░░░░░░░░░░░░░  epsilon 1.5 of 10 spent, 8.5 left",
                "                         ██░░░░░░░░░░░░░░░░░░  delta 0.000001 of 0.00001 spent, "
                "0.000009 left",
            ]
        )

    def test_json(self, spent: Run) -> None:
        (session,) = [
            row
            for row in json.loads(spent("budget", "baskets.parquet", "--format", "json").out)
            if row["scope"] == "session"
        ]
        assert session == {
            "scope": "session",
            "name": "cli",
            "epsilon_limit": 2.0,
            "epsilon_spent": 1.5,
            "epsilon_remaining": 0.5,
            "delta_limit": None,
            "delta_spent": 1e-6,
            "delta_remaining": None,
        }

    def test_markdown_and_csv(self, spent: Run) -> None:
        assert spent("budget", "baskets.parquet", "--format", "markdown").out.startswith("| scope | name |")
        text = spent("budget", "baskets.parquet", "--format", "csv").out
        rows = list(csv.DictReader(io.StringIO(text, newline="")))
        assert {row["scope"] for row in rows} == {"session", "table", "people"}

    def test_before_the_first_charge(self, run: Run, folder: Path) -> None:
        done = run("budget", "baskets.parquet", *UNIT)
        assert done.code == 0
        assert done.err == "there is no ledger at baskets.parquet.ledger yet: nothing was charged\n"
        assert "people   baskets.basket  ░░░░░░░░░░░░░░░░░░░░  epsilon 0 of 10 spent, 10 left\n" in done.out
        assert not list(folder.glob("*.ledger*"))


class TestLedger:
    def test_lines(self, spent: Run) -> None:
        done = spent("ledger", "baskets.parquet")
        assert (done.code, done.err) == (0, "")
        moment = re.compile(r"20\d\d-\d\d-\d\d \d\d:\d\d:\d\d")
        assert moment.sub("2026-01-02 03:04:05", done.out) == (
            "seq  at (UTC)             session  epsilon     delta  mechanism    query\n"
            f"  1  2026-01-02 03:04:05  cli          0.5         0  count        {COUNT}\n"
            f"  2  2026-01-02 03:04:05  cli            1  0.000001  noisy_top_k  {ITEMS}\n"
        )

    def test_json(self, spent: Run) -> None:
        first, second = json.loads(spent("ledger", "baskets.parquet", "--format", "json").out)
        names = "seq at session analyst epsilon delta mechanism query evaluations replayed"
        assert list(first) == names.split()
        assert (first["seq"], first["epsilon"], first["query"]) == (1, 0.5, COUNT)
        assert (second["delta"], second["mechanism"], second["replayed"]) == (1e-6, "noisy_top_k", False)

    def test_an_analyst_sees_their_own(self, spent: Run) -> None:
        assert spent("ledger", "baskets.parquet", "--analyst", "ana").out == "no charges\n"

    def test_a_query_cannot_draw_on_the_screen(self, run: Run) -> None:
        sql = "SELECT count(*) FROM baskets\nWHERE sex = '\x1b[2J'"
        assert run("query", "baskets.parquet", *UNIT, "--epsilon", "1", sql).code == 0
        assert run("ledger", "baskets.parquet").out.endswith("FROM baskets WHERE sex = ' [2J'\n")

    def test_before_the_first_charge(self, run: Run, folder: Path) -> None:
        done = run("ledger", "baskets.parquet", "--format", "json")
        assert (done.code, done.out) == (0, "[]\n")
        assert not list(folder.glob("*.ledger*"))
