"""Nobody can be told from the answers to the golden queries: everything that is observed is the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import duckdb
import pytest

from tests.audit.stage import REMOVED, Stage
from tests.depth import part
from tests.query import golden, nested, store, tpch
from tests.query.shop import open_shop

MAKERS: dict[str, Callable[[str], duckdb.DuckDBPyConnection]] = {
    "nested": nested.open_nested,
    "shop": open_shop,
    "store": store.open_store,
    "tpch": tpch.open_tpch,
}


@pytest.fixture(scope="module")
def stages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Stage]]:
    opened: dict[str, Stage] = {}

    def stage(name: str) -> Stage:
        if name not in opened:
            opened[name] = Stage(tmp_path_factory.mktemp("audit") / name, name, MAKERS[name])
        return opened[name]

    yield stage
    for name, one in opened.items():
        print(f"{name}: {dict(one.comparisons)}")
        one.close()


@pytest.mark.parametrize("path", golden.files("accepted"), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_no_difference(path: Path, stages: Callable[[str], Stage]) -> None:
    stage = stages(path.parent.name)
    for case in part(golden.cases(path), 10, 20):
        found = stage.check(case.query)
        assert not found, str(found[0])


def test_there_are_enough_neighbours(stages: Callable[[str], Stage]) -> None:
    for name in MAKERS:
        near = stages(name).neighbours
        for root in {one.root for one in near if one.root is not None}:
            assert sum(one.root == root and not one.larger for one in near) >= REMOVED
