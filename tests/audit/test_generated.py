"""Nobody can be told from the answers to generated queries, on a market of awkward data."""

from __future__ import annotations

import random
from functools import partial
from pathlib import Path

import duckdb
import pytest

from tests.audit.stage import Stage
from tests.depth import depth
from tests.fuzz.grammar import Grammar
from tests.fuzz.market import BOUNDS, open_market

QUERIES = depth(40, 2, 1)  # on each market
LEAST = 0.6  # of them are answered


def make(bounds: str, path: str) -> duckdb.DuckDBPyConnection:
    return open_market(bounds, path).connection


@pytest.mark.parametrize("number", range(len(BOUNDS)))
def test_no_difference(number: int, tmp_path: Path) -> None:
    stage = Stage(tmp_path, "market", partial(make, BOUNDS[number]))
    grammar = Grammar(random.Random(f"audit {number}"))
    queries = [grammar.query().text for _ in range(QUERIES)]
    answered = [sql for sql in queries if stage.refuses(sql) is None]
    for sql in answered:
        found = stage.check(sql)
        assert not found, str(found[0])
    assert len(answered) > LEAST * QUERIES
    stage.close()
