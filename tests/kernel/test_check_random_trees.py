"""No random tree has a score that one unit moves further than the checker says, on random tables."""

from __future__ import annotations

import random

import duckdb
import pytest

from dpduck.kernel.check import INF, UnboundedError, check
from dpduck.kernel.tree.duckdb import sql
from tests.depth import depth
from tests.kernel.measured import excesses
from tests.kernel.people import CATALOG, fill, open_tables
from tests.kernel.random_trees import Trees

TREES = depth(400, 80)  # of each seed


@pytest.mark.parametrize("seed", ["first", "second"])
def test_no_unit_moves_more(seed: str) -> None:
    bounded = 0
    with open_tables() as tables:
        for number in range(TREES):
            chance = random.Random(f"{seed}/{number}")
            tree = Trees(chance).score()
            try:
                scores = check(tree, CATALOG)
            except UnboundedError:
                continue
            if all(score.most == INF for score in scores.values()):
                continue
            fill(tables, chance)
            try:
                found = list(excesses(tables, tree, scores))
            except (duckdb.OutOfRangeException, duckdb.ConversionException):
                continue  # an overflow, which is no answer
            assert not found, (number, found, sql(tree))
            bounded += 1
    assert bounded > 0.25 * TREES
