"""The audit finds bounds that are not enforced and noise that is too small for them, put in one by one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from fractions import Fraction
from functools import partial
from pathlib import Path

import duckdb
import pytest

from dpduck import policies
from dpduck.compiler.planner import score_sql
from dpduck.compiler.private.type_rules import BIGINT
from dpduck.doors.audit.doors import Place
from dpduck.doors.audit.drawing import Drawer, Verdict, drawing, judged, measure
from dpduck.kernel.mechanisms import quantile
from dpduck.kernel.mechanisms.additive import NoisyCounts, noisy_counts
from dpduck.kernel.mechanisms.selection import Winner, permute_and_flip
from dpduck.kernel.plan.aggregates import Count
from dpduck.kernel.release import measures
from dpduck.kernel.tree import build
from dpduck.kernel.tree.relations import SelectQuery
from tests.audit import traps
from tests.audit.stage import NO_LIMIT, Stage, unchecked
from tests.query.shop import statement

POLICIES = (
    "ALTER TABLE people ADD PRIVACY_KEY (id)",
    "ALTER TABLE people SET PRIVACY CONTRIBUTION (rows = 2, groups = 2)",
    "ALTER TABLE people ALTER COLUMN k SET PRIVACY DOMAIN IN ('a', 'b', 'c')",
    "ALTER TABLE people ALTER COLUMN age SET PRIVACY DOMAIN BETWEEN (0, 42)",
)


ONE_ROW = "ALTER TABLE people SET PRIVACY CONTRIBUTION (rows = 1, groups = 2)"
WIDE = "ALTER TABLE people ALTER COLUMN age SET PRIVACY DOMAIN BETWEEN (0, 199)"


def open_people(path: str) -> duckdb.DuckDBPyConnection:
    """People with a row each, one of them in a group that is no candidate; and one with many, far out."""
    connection = duckdb.connect(path)
    connection.execute("CREATE TABLE people (id INTEGER, k VARCHAR, age INTEGER)")
    connection.execute("INSERT INTO people SELECT i, ['a', 'b', 'c'][1 + i % 3], i FROM range(30) AS r(i)")
    connection.execute("INSERT INTO people SELECT 3, ['a', 'b', 'c'][1 + i % 3], 41 FROM range(40) AS r(i)")
    connection.execute("INSERT INTO people VALUES (31, 'z', 5)")
    for text in POLICIES:
        policies.execute(connection, statement(text))
    return connection


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    opened = Stage(tmp_path / "stage", "people", open_people)
    opened.neighbours = [traps.without(opened.catalog, 3)]
    yield opened
    opened.close()


COUNT, SUM = "SELECT count(*) FROM people", "SELECT sum(age) FROM people"
GROUPS = "SELECT k, count(*) FROM people GROUP BY k"


def test_as_it_is_nothing_is_found(stage: Stage) -> None:
    assert not any(map(stage.differs, (COUNT, SUM, GROUPS)))


def test_rows_of_a_unit_without_end(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    def count_rows(writer: score_sql._Writer, request: Count) -> SelectQuery:
        parts = writer._parts(writer._rows(request.conditions), build.count_rows())
        return writer._total(parts, score_sql._score_sum(BIGINT))

    monkeypatch.setattr(score_sql._Writer, "_count_rows", count_rows)
    assert not stage.differs(COUNT)  # it is refused before its charge
    unchecked(monkeypatch)
    assert stage.differs(COUNT)


def test_groups_of_a_unit_without_end(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(score_sql, "compared", lambda *_: build.digits(1_000_000))
    assert not stage.differs(GROUPS)  # it is refused before its charge
    unchecked(monkeypatch)
    assert stage.differs(GROUPS)


def test_sums_of_a_unit_without_end(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(score_sql, "clamped_total", lambda total, *_: total)
    assert not stage.differs(SUM)  # it is refused before its charge
    unchecked(monkeypatch)
    assert stage.differs(SUM)


def test_groups_that_are_no_candidates(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """The key of one person alone."""
    stage.neighbours = [traps.without(stage.catalog, 31)]
    monkeypatch.setattr(score_sql, "is_candidate", lambda *_: None)
    assert stage.differs(GROUPS)


# --- noise -----------------------------------------------------------------------------------------


def drawn(folder: Path, rows: str, gone: str, sql: str, draws: int) -> Verdict:
    """Draws of a query for epsilon 1: on the rows of a SELECT, and without some of them."""
    with ExitStack() as stack:
        sides = []
        for name, without in (("all", "false"), ("less", gone)):
            (folder / name).mkdir()
            file = folder / name / "people.duckdb"
            with duckdb.connect(str(file)) as connection:
                connection.execute(f"CREATE TABLE people AS FROM ({rows}) WHERE NOT {without}")
                for text in (*POLICIES, ONE_ROW, WIDE, NO_LIMIT):
                    policies.execute(connection, statement(text))
            sides.append(stack.enter_context(drawing(Place(file, epsilon=Fraction(1)))))
        samples = measure(*(partial(Drawer.release, side, sql) for side in sides), draws)
        claim = sides[0].claim(sql)
        assert claim is not None
        return judged(sql, "somebody", claim, samples)


# With the second person, the eight ages between become medians, which draws among two hundred soon show.
MEDIAN = (
    "SELECT 0 AS id, 'a' AS k, 9 AS age UNION ALL SELECT 1, 'a', 0",
    "id = 1",
    "SELECT median(age) FROM people",
)
BOTH = (
    "SELECT 0 AS id, k, 1 AS age FROM (VALUES ('a'), ('b')) AS t(k)",
    "id = 0",
    GROUPS.replace("*", "DISTINCT id"),
)


@pytest.mark.nightly
def test_the_coin_of_monotonic_scores_on_a_median(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its scores move both ways: the coin costs twice the epsilon."""

    def monotonic(*given: object, monotonic: bool, sensitivity: int) -> Winner:
        assert not monotonic
        return permute_and_flip(*given, monotonic=True, sensitivity=sensitivity)  # type: ignore[arg-type]

    monkeypatch.setattr(quantile, "permute_and_flip", monotonic)
    assert drawn(tmp_path, *MEDIAN, 12_000).ratio > 1


@pytest.mark.nightly
def test_noise_for_one_group_where_a_unit_is_in_two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Groups of rows are no partition of the units."""

    def of_one(counts: object, epsilon: Fraction, entropy: object, *, groups: int, rows: int) -> NoisyCounts:
        assert (groups, rows) == (2, 1)
        return noisy_counts(counts, epsilon, entropy, groups=1)  # type: ignore[arg-type]

    monkeypatch.setattr(measures, "noisy_counts", of_one)
    assert drawn(tmp_path, *BOTH, 12_000).ratio > 1


@pytest.mark.parametrize("query", [MEDIAN, BOTH], ids=["median", "groups"])
def test_the_same_as_it_is(tmp_path: Path, query: tuple[str, str, str]) -> None:
    assert drawn(tmp_path, *query, 1_500).ratio <= 1
