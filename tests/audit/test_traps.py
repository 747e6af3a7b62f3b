"""Queries that once told of one person: now they are refused, or nothing differs without that person."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from fractions import Fraction
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from dpduck.doors.audit.carrying import Carrier
from dpduck.doors.audit.differential import Difference, Pair
from dpduck.doors.audit.doors import Place, PythonDoor, RegisterDoor
from dpduck.doors.audit.files import file_neighbours
from dpduck.kernel.catalog.statements import AddPrivacyKey, TableName
from tests.audit import traps
from tests.audit.stage import Stage

ANSWERED = {"orders": len(traps.ORDERS), "least": 1, "ranges": 5}  # of each group, at least


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    opened = trap_stage(tmp_path_factory.mktemp("traps") / "stage")
    yield opened
    opened.close()


def trap_stage(folder: Path) -> Stage:
    """The database of traps; its first neighbour is without the one of whom they tell."""
    stage = Stage(folder, "people", traps.open_people)
    stage.neighbours = [traps.without(stage.catalog, 3), *stage.neighbours[:3]]
    return stage


@pytest.mark.parametrize("group", traps.QUERIES)
def test_queries(group: str, stage: Stage) -> None:
    answered = [sql for sql in traps.QUERIES[group] if stage.refuses(sql) is None]
    assert len(answered) >= ANSWERED.get(group, 0)
    for sql in answered:
        found = stage.check(sql)
        assert not found, str(found[0])


def test_functions(stage: Stage, tmp_path: Path) -> None:
    for found in function_differences(stage, tmp_path):
        pytest.fail(str(found))


def function_differences(stage: Stage, folder: Path) -> Iterator[Difference]:
    """What differs of calls of functions on a plain connection."""
    places = []
    for name in ("as it is", "without"):
        (folder / name).mkdir()
        places.append(Place(folder / name / stage.base.file.name))
        shutil.copyfile(stage.base.file, places[-1].file)
    neighbour, carrier = stage.neighbours[0], Carrier()
    neighbour.change(places[1].file)
    with ExitStack() as stack:
        one, two = (stack.enter_context(RegisterDoor().open(place)) for place in places)
        pair = Pair("register", neighbour, (one, two))
        for sql in traps.FUNCTIONS:
            _, found = pair.compare(sql, carrier)
            if found is not None:
                yield found


def test_values_of_a_file(tmp_path: Path) -> None:
    for found in file_differences(tmp_path):
        pytest.fail(str(found))


def file_differences(folder: Path) -> Iterator[Difference]:
    """What differs of a Parquet file with one value that DuckDB cannot convert."""
    far = pa.array([1_700_000_000_000] * 999 + [9_999_999_999_999_999], pa.timestamp("ms"))
    policies = (AddPrivacyKey(TableName("people"), "id"),)
    (folder / "all").mkdir()
    everyone = Place(folder / "all" / "people.parquet", policies, Fraction(4))
    parquet.write_table(pa.table({"id": range(1000), "left_on": far}), everyone.file)
    for number, neighbour in enumerate(file_neighbours(everyone.file, "id")):
        (folder / str(number)).mkdir()
        place = Place(folder / str(number) / "people.parquet", policies, Fraction(4))
        shutil.copyfile(everyone.file, place.file)
        neighbour.change(place.file)
        carrier = Carrier()
        with carrier.installed(), ExitStack() as stack:
            one, two = (stack.enter_context(PythonDoor().open(each)) for each in (everyone, place))
            pair = Pair("Python", neighbour, (one, two))
            for column in ("left_on", "id"):
                _, found = pair.compare(f"SELECT count(*) FROM people WHERE {column} IS NOT NULL", carrier)
                if found is not None:
                    yield found
