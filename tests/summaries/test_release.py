"""What one unit moves, and what else neighbours could tell, of a summary and of all around it."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pytest

import dpduck
from dpduck.answers.summary_preparation import prepared_summary
from dpduck.compiler.parse.statements import parse
from dpduck.kernel.accounting.composition import cost_of
from dpduck.kernel.accounting.events import Composed, Histogram, NoisyCount
from dpduck.kernel.cancellation import Interrupts
from dpduck.kernel.catalog.statements import CreateSummary
from dpduck.summaries.design import Design, designs
from dpduck.summaries.release import noisy_tables, tables_of
from dpduck.summaries.residuals import Columns
from tests.depth import depth
from tests.sources import HALF, Quiet, Seeded
from tests.summaries.asking import rows, told
from tests.summaries.conftest import POLICIES

MOST = 3
STATEMENT = """CREATE PRIVACY SUMMARY v ON visits (page, month BANDS (4, 8)) WORKLOAD (ALL 2 WAY, ALL 1 WAY)
    WEIGHT (1, 30) CONTRIBUTION (rows = 3) EPSILON 1"""


def design_of(db: dpduck.Connection, statement: str = STATEMENT) -> tuple[Design, int]:
    create = parse(statement)
    assert isinstance(create, CreateSummary)
    prepared = prepared_summary(create, db._service._prepare, Interrupts())
    [candidate] = designs(create, prepared.rows, prepared.charts)
    return candidate.design, prepared.salt


def exact(db: dpduck.Connection, statement: str = STATEMENT) -> dict[Columns, np.ndarray]:
    """The tables without noise, through the score SQL."""
    design, salt = design_of(db, statement)
    with db._service._open() as reader:
        return tables_of(reader.read(design.scores(salt)), design)[0]


Row = tuple[int, str | None, int | None, int]


def visits(draw: random.Random, units: int) -> list[Row]:
    """Rows of units with from none to 12 visits, of which some have values beside the domains."""
    pages, months = ["home", "cart", "help", "other", None], [*range(1, 13), 13, None]
    units_of = [unit for unit in range(units) for _ in range(draw.choice([0, 1, 2, 5, 12]))]
    return [(unit, draw.choice(pages), draw.choice(months), nr) for nr, unit in enumerate(units_of)]


def filled(path: Path, rows_of: list[Row]) -> None:
    with duckdb.connect(str(path)) as con:
        con.execute("CREATE OR REPLACE TABLE visits (uid BIGINT, page VARCHAR, month INTEGER, nr BIGINT)")
        for row in rows_of:
            con.execute("INSERT INTO visits VALUES (?, ?, ?, ?)", [*row])


@pytest.fixture
def place(tmp_path: Path) -> Path:
    path = tmp_path / "small.duckdb"
    with duckdb.connect(str(path)) as con:
        con.execute("CREATE TABLE visits (uid BIGINT, page VARCHAR, month INTEGER, nr BIGINT)")
    with dpduck.connect(path) as db:
        db.execute(";".join(POLICIES.split(";")[5:]))
    return path


def moved(one: dict[Columns, np.ndarray], other: dict[Columns, np.ndarray]) -> dict[Columns, int]:
    return {table: int(np.abs(one[table] - other[table]).sum()) for table in one}


def worst_moves(place: Path) -> Iterator[dict[Columns, int]]:
    """How far removing a unit moves each table, for random tables and each of their units."""
    for seed in range(depth(20, 4)):
        draw = random.Random(seed)
        whole = visits(draw, 5)
        filled(place, whole)
        with dpduck.connect(place) as db:
            with_all = exact(db)
        for unit in {row[0] for row in whole}:
            filled(place, [row for row in whole if row[0] != unit])
            with dpduck.connect(place) as db:
                yield moved(with_all, exact(db))


def test_a_unit_moves_no_table_by_more_than_its_rows_that_count(place: Path) -> None:
    worst: dict[Columns, int] = {}
    for moves in worst_moves(place):
        worst = {table: max(move, worst.get(table, 0)) for table, move in moves.items()}
    assert worst
    assert set(worst.values()) == {MOST}  # and it is reached, in each table


@pytest.mark.parametrize(
    "mutant",
    ["rows in each cell", "no bound", "twice the bound"],
)
def test_a_bound_that_is_not_in_total_is_caught(
    place: Path, mutant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dpduck.compiler.planner import score_sql

    real = score_sql._first

    def first(query, number, name, most):  # type: ignore[no-untyped-def]
        from dataclasses import replace

        keys = tuple(score_sql._column(f"k{i}", t) for i, t in enumerate(_types(query)))
        number = replace(number, partition_by=(*number.partition_by, *keys)) if "cell" in mutant else number
        return real(query, number, name, {"no bound": 10**6, "twice the bound": 2 * most}.get(mutant, most))

    monkeypatch.setattr(score_sql, "_first", first)
    assert any(max(moves.values()) > MOST for moves in worst_moves(place))


def _types(query):  # type: ignore[no-untyped-def]
    return [item.value.type for item in query.items if item.name.startswith("k")]


def test_the_rows_that_count_are_those_of_every_summary(place: Path) -> None:
    """By one salt and one order of a unit's rows: the 2 that one counts are among the 5 of another."""
    filled(place, [(unit, "home", 1 + nr, nr) for unit in range(20) for nr in range(12)])
    with dpduck.connect(place) as db:
        few = exact(db, STATEMENT.replace("rows = 3", "rows = 2").replace(" BANDS (4, 8)", ""))
        many = exact(db, STATEMENT.replace("rows = 3", "rows = 5").replace(" BANDS (4, 8)", ""))
        others = exact(db, "CREATE PRIVACY SUMMARY o ON visits (month) CONTRIBUTION (rows = 2) EPSILON 1")
    months = few[0, 1].sum(axis=0)
    assert (few[0, 1] <= many[0, 1]).all()
    assert months.sum() == 40
    assert (others[0,] == months).all()


def test_a_salt_of_its_own_would_show_more_rows_of_a_unit(place: Path) -> None:
    """The mutant of the test above: then the rows of two summaries differ."""
    filled(place, [(unit, "home", 1 + nr, nr) for unit in range(20) for nr in range(12)])
    with dpduck.connect(place) as db:
        design, salt = design_of(db, STATEMENT.replace(" BANDS (4, 8)", ""))
        with db._service._open() as reader:
            one, other = (tables_of(reader.read(design.scores(s)), design)[0] for s in (salt, salt + 1))
    assert (one[0, 1] != other[0, 1]).any()


SEVERAL = STATEMENT.replace(" BANDS (4, 8)", "")  # of which totals are measured, too


def test_the_event_says_what_is_released(place: Path) -> None:
    with dpduck.connect(place) as db:
        design, _ = design_of(db, SEVERAL)
    assert isinstance(design.event, Composed)
    assert cost_of(design.event).epsilon == 1 == sum(design.shares.values())
    assert all(isinstance(part, (Histogram, NoisyCount)) for part in design.event.parts)
    assert [part.epsilon for part in design.event.parts] == [design.shares[t] for t in design.tables]


def test_noise_has_the_rate_of_its_share_and_the_rows_of_a_unit(place: Path) -> None:
    """A scale that is 30 % off, such as that of a share counted twice, is refused."""
    with dpduck.connect(place) as db:
        design, salt = design_of(db, SEVERAL)
        with db._service._open() as reader:
            scores = reader.read(design.scores(salt))
    assert len(design.tables) > 1
    squares: dict[Columns, list[float]] = {table: [] for table in design.tables}
    draws, entropy = 2000, Seeded("noise of summaries")
    for _ in range(draws):
        for table, cells in noisy_tables(scores, design, entropy)[0].items():
            squares[table].append(float((cells.astype(float) ** 2).mean()))
    for table, found in squares.items():
        rate = design.shares[table] / MOST
        variance = 2 * np.exp(-float(rate)) / np.expm1(-float(rate)) ** 2
        assert np.mean(found) == pytest.approx(variance, rel=0.25), table
        assert np.mean(found) / 1.3**2 != pytest.approx(variance, rel=0.25)


def test_order_and_physical_place_of_rows_leave_no_trace(place: Path) -> None:
    """Scores in any order give the same tables, cell by cell."""
    filled(place, visits(random.Random(1), 6))
    with dpduck.connect(place) as db:
        design, salt = design_of(db)
        with db._service._open() as reader:
            scores = reader.read(design.scores(salt))
    turned = scores.take(pa.array(range(scores.num_rows - 1, -1, -1)))
    one, other = tables_of(scores, design)[0], tables_of(turned, design)[0]
    assert all((one[table] == other[table]).all() for table in design.tables)


def observed(place: Path, statement: str = STATEMENT) -> list[object]:
    """All that can be seen of a summary, with noise that hides everything: the same for neighbours."""
    seen: list[object] = []
    with dpduck.connect(place, epsilon="0.01", session="s") as db:
        db._service._entropy = Seeded("the same")
        for sql in (
            f"EXPLAIN {statement}",
            statement.replace("CREATE", "CREATE OR REPLACE"),
            "SHOW PRIVACY SUMMARY v",
            "EXPLAIN SELECT page, count(*) AS n FROM visits GROUP BY page",
            "SELECT page, month(DATE '2024-01-01') AS k, count(*) AS n FROM visits GROUP BY page",
            "SELECT page, count(*) AS n FROM visits WHERE month < 4 GROUP BY page ORDER BY page",
            "SELECT page, count(*) AS n FROM visits WHERE month < 5 GROUP BY page ORDER BY page",
            "SELECT * FROM dp_summary('v')",
        ):
            try:
                answer = db.execute(sql)
                names = [(column[0], str(column[1])) for column in answer.description or []]
                shown = [tuple(str(cell) for cell in row) for row in answer.fetchall()]
                numbers = "count" in sql or "dp_summary" in sql
                kept = [row[:-1] for row in shown] if numbers and "EXPLAIN" not in sql else shown
                seen.append((sql, names, kept, told(db), db.charged))
            except dpduck.DpduckError as error:
                seen.append((sql, str(error), error.charged))
        seen.append([(row[2:4], row[4:9]) for row in rows(db, "FROM dp_budget()") if row[0] == "people"])
        seen.append([row[4:] for row in rows(db, "FROM dp_ledger()")])
    return [_without_times(one) for one in seen]


def _without_times(one: object) -> str:
    import re

    return re.sub(r"\d\d:\d\d:\d\d", "TIME", str(one))


def test_neighbours_are_told_apart_by_released_numbers_alone(tmp_path: Path) -> None:
    whole = visits(random.Random(5), 6)
    seen = []
    for name, kept in itertools.chain(
        [("all", whole)],
        ((f"without {unit}", [row for row in whole if row[0] != unit]) for unit in (1, 2, 3)),
    ):
        path = tmp_path / f"{name}.duckdb"
        filled(path, kept)
        with dpduck.connect(path) as db:
            db.execute(";".join(POLICIES.split(";")[5:]))
            db.execute("ALTER TABLE visits SET PRIVACY VERSION '1'")
            db.execute("ALTER TABLE visits SET PRIVACY CONTRIBUTION (rows = 3)")
        seen.append(observed(path))
    for other in seen[1:]:
        assert other == seen[0]


def test_a_row_that_cannot_be_read_fails_with_a_constant_text_and_stays_charged(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ValueError("the secret is 4711")

    monkeypatch.setattr("dpduck.answers.summary_statements.noisy_tables", fail)
    with dpduck.connect(place) as db:
        with pytest.raises(dpduck.DpduckError) as caught:
            db.execute(STATEMENT)
        assert "4711" not in str(caught.value) and caught.value.__context__ is None
        assert caught.value.charged == "1"
        assert rows(db, "SHOW PRIVACY SUMMARIES") == []
        db._service.session.ledger.verify()
        monkeypatch.undo()
        db._service._entropy = Quiet(HALF)
        db.execute(STATEMENT.replace("CREATE", "CREATE OR REPLACE"))
        assert len(rows(db, "SHOW PRIVACY SUMMARIES")) == 1
        db._service.session.ledger.verify()


def test_clipping_before_adding_up_would_be_biased() -> None:
    """Why estimates stay below 0: many empty cells that are clipped add up to many."""
    from dpduck.kernel.noise import discrete_laplace

    noise = discrete_laplace(Fraction(1, 5), 10_000, Seeded("clipped")).astype(float)
    assert abs(noise.sum()) < 5 * np.sqrt(50 * 10_000)
    assert np.maximum(noise, 0).sum() > 10 * np.sqrt(50 * 10_000)
