"""Bounds from draws of whole answers: below the claim of what is private, above that of what is not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from fractions import Fraction
from functools import partial
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest

from dpduck import policies
from dpduck.doors.audit.doors import Place
from dpduck.doors.audit.drawing import Drawer, Verdict, drawing, judged, measure
from dpduck.doors.audit.neighbours import in_database
from dpduck.kernel.mechanisms.additive import noisy_counts
from dpduck.kernel.mechanisms.gaussian import Variances, gaussian_counts
from dpduck.kernel.mechanisms.partitions import SelectedPartitions, select_partitions
from dpduck.kernel.release import measures, selections, shown
from tests.audit.stage import NO_LIMIT
from tests.query.shop import statement

COUNT = "SELECT count(*) FROM people"
KEYS = "SELECT k FROM people GROUP BY k"
EPSILON = Fraction(1)
KEY = "ALTER TABLE people ADD PRIVACY_KEY (id)"
GROUPS = "ALTER TABLE people SET PRIVACY CONTRIBUTION (groups = 1)"


def make(file: Path) -> None:
    """40 people in two towns of the same size, and one in a town of their own, with many rows."""
    with duckdb.connect(str(file)) as connection:
        connection.execute("CREATE TABLE people (id INTEGER, k VARCHAR)")
        connection.execute(
            "INSERT INTO people SELECT i, CASE WHEN i % 2 = 0 THEN 'a' ELSE 'b' END FROM range(40) AS r(i)"
        )
        connection.execute("INSERT INTO people SELECT 99, 'z' FROM range(30)")
        for text in (KEY, GROUPS, NO_LIMIT):
            policies.execute(connection, statement(text))


Draw = Callable[[str, str, int], Verdict]


@pytest.fixture
def verdict(tmp_path: Path) -> Iterator[Callable[..., Verdict]]:
    """Draws of a query on the people as they are (or after `other`), and after `change`."""

    def draw(sql: str, change: str, draws: int, *, answers: bool = False, other: str = "SELECT 1") -> Verdict:
        places = []
        for name, edit in (("first", other), ("second", change)):
            (tmp_path / name).mkdir()
            places.append(Place(tmp_path / name / "people.duckdb", epsilon=EPSILON))
            make(places[-1].file)
            in_database(lambda connection, sql=edit: connection.execute(sql) and None)(places[-1].file)
        with ExitStack() as stack:
            sides = [stack.enter_context(drawing(place)) for place in places]
            way = Drawer.draw if answers else Drawer.release
            samples = measure(*(partial(way, side, sql) for side in sides), draws)
            claim = sides[0].claim(sql)
            assert claim is not None
            return judged(sql, "somebody", claim, samples)

    yield draw


NOBODY_99 = "DELETE FROM people WHERE id = 99"
NOBODY_0 = "DELETE FROM people WHERE id = 0"
NOBODY_1 = "DELETE FROM people WHERE id = 1"


def test_a_count(verdict: Draw) -> None:
    found = verdict(COUNT, NOBODY_99, 3_000)
    assert (found.epsilon, found.delta, found.draws) == (1, 0, 3_000)
    assert 0.4 < found.bound.epsilon <= 1


def test_a_count_with_a_third_of_its_noise(verdict: Draw, monkeypatch: pytest.MonkeyPatch) -> None:
    def loud(counts: object, epsilon: Fraction, entropy: object, *, groups: int, rows: int) -> object:
        return noisy_counts(counts, epsilon * 3, entropy, groups=groups, rows=rows)  # type: ignore[arg-type]

    monkeypatch.setattr(measures, "noisy_counts", loud)
    monkeypatch.setattr(measures, "_charge", lambda *_: None)
    assert verdict(COUNT, NOBODY_99, 3_000).ratio > 1


OPTIONS = "WITH DIFFERENTIAL_PRIVACY OPTIONS (delta = 0.01, noise = 'gaussian')"
GAUSSIAN = COUNT.replace("SELECT", f"SELECT {OPTIONS}")


def test_a_count_with_gaussian_noise(verdict: Draw) -> None:
    found = verdict(GAUSSIAN, NOBODY_99, 3_000)
    assert (found.epsilon, found.delta) == (1, Fraction(1, 100))
    assert found.bound.epsilon <= 1


def test_a_count_with_a_quarter_of_its_gaussian_noise(verdict: Draw, monkeypatch: pytest.MonkeyPatch) -> None:
    def loud(counts: object, variances: Variances, entropy: object) -> object:
        return gaussian_counts(counts, Variances(variances.own / 16), entropy)  # type: ignore[arg-type]

    monkeypatch.setattr(measures, "gaussian_counts", loud)
    assert verdict(GAUSSIAN, NOBODY_99, 3_000).ratio > 1


def test_keys(verdict: Draw) -> None:
    assert verdict(KEYS, NOBODY_99, 800).ratio <= 1


def test_keys_of_one_person(verdict: Draw, monkeypatch: pytest.MonkeyPatch) -> None:
    def all_keys(counts: object, *rest: object, **options: object) -> SelectedPartitions:
        kept = select_partitions(counts, *rest, **options)  # type: ignore[arg-type]
        return SelectedPartitions(tuple(range(3)) if counts.count == 3 else (0, 1), kept.event)  # type: ignore[attr-defined]

    monkeypatch.setattr(selections, "select_partitions", all_keys)
    assert verdict(KEYS, NOBODY_99, 300).ratio > 1


@pytest.mark.parametrize("answers", [False, True])
def test_the_order_of_rows(verdict: Callable[..., Verdict], answers: bool) -> None:
    assert verdict(f"{KEYS} LIMIT 1", NOBODY_1, 150, answers=answers).ratio <= 1


@pytest.mark.parametrize("answers", [False, True])
def test_rows_in_the_order_of_their_counts(
    verdict: Callable[..., Verdict], answers: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shown, "_order", lambda columns: pa.array(range(len(columns[0]))))
    options = "WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = 1, delta = 0.0001)"
    sql = f"SELECT {options} k FROM people GROUP BY k"
    # Two people apart, since the order of a tie is the engine's, from 20 : 19 to 19 : 20: twice the claim.
    assert verdict(sql, NOBODY_1, 400, answers=answers, other=NOBODY_0).ratio > 2
