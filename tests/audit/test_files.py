"""Nobody can be told from answers on folders of files, with partitions, and on views with a policy."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from fractions import Fraction
from functools import partial
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest
from pyarrow import parquet

from dpduck import policies
from dpduck.doors.audit.carrying import Carrier
from dpduck.doors.audit.doors import AuditDoor, Place, PythonDoor, RegisterDoor, Talk, Transcript
from dpduck.doors.audit.gateway import GatewayDoor
from dpduck.doors.audit.neighbours import Neighbour
from dpduck.kernel.release import shown
from tests.audit.rounds import Round
from tests.audit.stage import NO_LIMIT
from tests.query.shop import statement
from tests.sources import Seeded

Row = tuple[int, int, str, int, float]  # year, who, page, age, paid

# Person 40 has what hardly anybody has, and the last file for themselves; person 3 most of the rows.
ROWS: list[Row] = [(2023 + i % 2, i % 40 if i % 5 else 3, "abc"[i % 3], i % 90, i * 0.25) for i in range(400)]
ROWS += [(2025, 40, "\u1e9e\u202e'", 2**31 - 1, float("inf")), (2025, 40, "", -(2**31), float("nan"))]
WITHOUT = (0, 3, 7, 39, 40)
QUERIES = (
    "SELECT count(*) FROM data",
    "SELECT page, count(*), avg(age) FROM data GROUP BY page",
    "SELECT page FROM data GROUP BY page ORDER BY count(*) DESC LIMIT 2",
    "SELECT who % 4 AS part, count(*) FROM data GROUP BY part",
    "SELECT median(age), max(age) FROM data WHERE page <> 'b'",
    "SELECT count(*) FROM data WHERE age * age > 100 OR paid > 3",
    "SELECT sum(age) FROM data WHERE paid IS NOT NULL",
)
BY_YEAR = ("SELECT count(*) FROM data WHERE year = 2025", "SELECT year, count(*) FROM data GROUP BY year")


def write_parquet(file: Path, rows: list[Row]) -> None:
    names = ("who", "page", "age", "paid")
    types = (pa.int32(), pa.string(), pa.int32(), pa.float64())
    columns = [pa.array([row[1 + i] for row in rows], kind) for i, kind in enumerate(types)]
    parquet.write_table(pa.table(columns, names), file)


def write_csv(file: Path, rows: list[Row]) -> None:
    """Person 40 has lines that are no rows, too: one of too many parts, one with a quote that stays open."""
    lines = [f'{who},"{page}",{age},{paid}' for _, who, page, age, paid in rows]
    lines += ["40,a,1,2,3", '40,"a,1,2', "40,a,x,y"] if any(row[1] == 40 for row in rows) else []
    file.write_text("\n".join(["who,page,age,paid", *lines, ""]), encoding="utf-8")


WRITERS: dict[str, Callable[[Path, list[Row]], None]] = {"parquet": write_parquet, "csv": write_csv}
POLICIES = (
    "ALTER TABLE data ADD PRIVACY_KEY (who)",
    "ALTER TABLE data SET PRIVACY CONTRIBUTION (groups = 1)",
    "ALTER TABLE data ALTER COLUMN age SET PRIVACY DOMAIN BETWEEN (0, 99)",
    "ALTER TABLE data ALTER COLUMN page SET PRIVACY DOMAIN IN ('a', 'b', 'c')",
)
OF_CSV = ("ALTER TABLE data SET CSV (who INTEGER, page VARCHAR, age INTEGER, paid DOUBLE)",)


def folder_of(parent: Path, kind: str, without: int | None) -> Place:
    """A folder with a partition for each year."""
    for year in (2023, 2024, 2025):
        (parent / "data" / f"year={year}").mkdir(parents=True)
        rows = [row for row in ROWS if row[0] == year and row[1] != without]
        WRITERS[kind](parent / "data" / f"year={year}" / f"part.{kind}", rows)
    said = (*POLICIES, *OF_CSV) if kind == "csv" else POLICIES
    return Place(parent / "data", tuple(statement(text) for text in said), Fraction(4))


class Swapped(Talk):
    """A conversation about a view of a file, which has its own rows whenever something is asked."""

    def __init__(self, talk: Talk, rows: Path, file: Path) -> None:
        self._talk, self._rows, self._file = talk, rows, file

    def ask(self, sql: str) -> Transcript:
        shutil.copyfile(self._rows, self._file)
        return self._talk.ask(sql)


def missing(unit: int) -> Neighbour:
    return Neighbour(f"without person {unit}", f"who = {unit}", lambda _: None)


def difference(sides: Round, queries: tuple[str, ...]) -> Iterator[str]:
    carrier = Carrier(partial(Seeded, "files"))
    with carrier.installed():
        for sql in queries:
            yield from map(str, sides.compare(sql, carrier))


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as opened:
        yield opened


def folders(tmp_path: Path, kind: str, door: AuditDoor, stack: ExitStack) -> Round:
    talks = [
        stack.enter_context(door.open(folder_of(tmp_path / str(unit), kind, unit)))
        for unit in (None, *WITHOUT)
    ]
    return Round(door.name, talks[0], dict(zip(map(missing, WITHOUT), talks[1:], strict=True)))


@pytest.mark.parametrize(
    ("door", "kind"),
    [
        (PythonDoor(), "parquet"),
        (GatewayDoor(), "csv"),
        pytest.param(PythonDoor(), "csv", marks=pytest.mark.nightly),
        pytest.param(GatewayDoor(), "parquet", marks=pytest.mark.nightly),
    ],
    ids=lambda given: getattr(given, "name", given),
)
def test_folders(kind: str, door: AuditDoor, tmp_path: Path, stack: ExitStack) -> None:
    sides = folders(tmp_path, kind, door, stack)
    assert [sides.base.ask(sql).refused for sql in (QUERIES[0], *BY_YEAR)] == [None] * 3
    for found in difference(sides, QUERIES + BY_YEAR):
        pytest.fail(found)


def test_an_order_that_leaks_is_found_in_a_folder(
    tmp_path: Path, stack: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shown, "_order", lambda columns: pa.array(range(len(columns[0]))))
    assert list(difference(folders(tmp_path, "parquet", PythonDoor(), stack), QUERIES[3:4]))


def test_views_of_a_file(tmp_path: Path, stack: ExitStack) -> None:
    """On a connection that may open it; dpduck's own may not."""
    file, talks = tmp_path / "rows.parquet", []
    for unit in (None, *WITHOUT):
        folder = tmp_path / str(unit)
        folder.mkdir()
        write_parquet(folder / "own.parquet", [row for row in ROWS if row[1] != unit])
        shutil.copyfile(folder / "own.parquet", file)
        place = Place(folder / "shop.duckdb")
        with duckdb.connect(str(place.file)) as connection:
            connection.execute(f"CREATE VIEW data AS FROM read_parquet('{file}') WHERE paid <> 99.25")
            for text in (*POLICIES, NO_LIMIT):
                policies.execute(connection, statement(text))
        talks.append(Swapped(stack.enter_context(RegisterDoor().open(place)), folder / "own.parquet", file))
    sides = Round("register", talks[0], dict(zip(map(missing, WITHOUT), talks[1:], strict=True)))
    assert sides.base.ask(QUERIES[0]).refused is None
    assert all(talk.ask(QUERIES[0]).refused is None for talk in talks[1:])
    for found in difference(sides, QUERIES):
        pytest.fail(found)
