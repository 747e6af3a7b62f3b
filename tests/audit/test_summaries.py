"""The audit over summaries: what is made, asked and shown of them tells nothing but released numbers.

A script is run on a database and on its neighbours, at the doors Python and gateway: what the summaries of
the first have released is carried over, so that all answers, synthetic rows, errors, notices, charges and
bytes have to be the same. Then releases of a small one are drawn, and bounded.
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest

import dpduck
from dpduck.answers.service import PlanningWorkspace, Service
from dpduck.answers.summary_preparation import prepared_summary
from dpduck.compiler.parse.statements import parse
from dpduck.doors.audit.carrying import Carrier
from dpduck.doors.audit.differential import verdict
from dpduck.doors.audit.doors import ANALYST, Notes, Place, Transcript, opened
from dpduck.doors.audit.drawing import Verdict, judged, measure
from dpduck.doors.audit.gateway import _message, _prepared, _text
from dpduck.doors.audit.neighbours import Neighbour, neighbours
from dpduck.doors.connection import Connection
from dpduck.doors.gateway.conversation import Conversation
from dpduck.doors.gateway.pg_catalog import Asker
from dpduck.doors.gateway.protocol.states import State
from dpduck.doors.gateway.protocol.wire import Wire
from dpduck.doors.gateway.router import Queries
from dpduck.doors.gateway.served_data import ServedData, ServedVersion, policies_of
from dpduck.doors.gateway.variables import Variables
from dpduck.engines.duckdb.hardening import open_scratch
from dpduck.kernel.cancellation import Interrupts
from dpduck.kernel.catalog.statements import CreateSummary
from dpduck.kernel.ledger import open_ledger
from dpduck.kernel.ledger.session import Session
from dpduck.kernel.noise import SystemEntropy
from dpduck.policies import load_catalog
from dpduck.summaries import release
from dpduck.summaries.design import Design, designs
from dpduck.summaries.kept import Contents
from dpduck.summaries.release import noisy_tables
from dpduck.summaries.synthetic import synthetic_rows
from tests.audit.stage import unchecked
from tests.depth import depth, one_in
from tests.sources import Seeded

PEOPLE = """
CREATE TABLE people (id INTEGER PRIMARY KEY, region VARCHAR, member BOOLEAN, age INTEGER, joined DATE);
INSERT INTO people SELECT i, ['n', 's', 'e'][1 + i * 7 % 3], i % 3 = 0, i * 13 % 100,
    DATE '2024-01-01' + (i * 17 % 366)::INTEGER FROM range(40) AS r(i);
INSERT INTO people VALUES (40, 'x', NULL, 999, NULL), (41, NULL, true, NULL, '2030-01-01');
CREATE TABLE visits (uid INTEGER, page VARCHAR, month INTEGER);
INSERT INTO visits SELECT i % 12, ['home', 'cart', 'help'][1 + i * 5 % 3], 1 + i % 12 FROM range(60) AS r(i);
INSERT INTO visits SELECT 99, 'home', 1 + i % 12 FROM range(30) AS r(i);
INSERT INTO visits VALUES (5, 'other', 3), (6, NULL, NULL), (7, 'home', 77);
"""
POLICIES = """
ALTER TABLE people ADD PRIVACY_KEY (id);
ALTER TABLE people ALTER COLUMN region SET PRIVACY DOMAIN IN ('n', 's', 'e') OR NULL;
ALTER TABLE people ALTER COLUMN age SET PRIVACY DOMAIN BETWEEN (0, 99);
ALTER TABLE people ALTER COLUMN joined SET PRIVACY DOMAIN BETWEEN ('2024-01-01', '2024-12-31');
ALTER TABLE visits ADD PRIVACY_KEY (uid);
ALTER TABLE visits ALTER COLUMN page SET PRIVACY DOMAIN IN ('home', 'cart', 'help');
ALTER TABLE visits ALTER COLUMN month SET PRIVACY DOMAIN BETWEEN (1, 12);
ALTER TABLE visits SET PRIVACY CONTRIBUTION (rows = 3);
ALTER TABLE people SET PRIVACY VERSION '1';
ALTER TABLE visits SET PRIVACY VERSION '1';
CREATE PRIVACY BUDGET everyone LIMIT 1000000
"""


# --- what is asked -------------------------------------------------------------------------------


def script(draw: random.Random) -> list[str]:
    """A summary of random columns, and all that may be asked of it and around it."""
    return _of_people(draw) if draw.random() < 0.6 else _of_visits(draw)


def _of_people(draw: random.Random) -> list[str]:
    columns = draw.sample(
        ["region", "member", "age BANDS (18, 65)", "month(joined) AS m"], draw.randint(1, 3)
    )
    ways = draw.randint(1, len(columns))
    epsilon = draw.choice(["0.5", "1", "3"])
    listed = ", ".join(columns)
    noise = draw.choice(["", "", " DELTA 1e-6", " DELTA 1e-6 NOISE gaussian"])
    measures = draw.choice(["", "", " MEASURES (age)"])
    create = (
        f"CREATE PRIVACY SUMMARY s ON people ({listed}){measures} WORKLOAD (ALL {ways} WAY) "
        f"EPSILON {epsilon}{noise}"
    )
    wheres = [
        "",
        "WHERE region = 'n'",
        "WHERE age >= 18",
        "WHERE age < 20",
        "WHERE region IS NULL",
        "WHERE NOT member",
    ]
    keys = ["region", "member", "CASE WHEN age < 65 THEN 0 ELSE 1 END", "month(joined)"]
    return _asked(draw, create, "people", wheres, keys, [column.split()[0] for column in columns])


def _of_visits(draw: random.Random) -> list[str]:
    columns = draw.sample(["page", "month"], draw.randint(1, 2))
    listed, most = ", ".join(columns), draw.randint(1, 4)
    create = f"CREATE PRIVACY SUMMARY s ON visits ({listed}) CONTRIBUTION (rows = {most}) EPSILON 1"
    wheres = ["", "WHERE page = 'home'", "WHERE month > 6"]
    return _asked(draw, create, "visits", wheres, ["page", "month", "month <= 6"], columns)


def _asked(
    draw: random.Random, create: str, table: str, wheres: list[str], keys: list[str], own: list[str]
) -> list[str]:
    def query() -> str:
        key, where = draw.choice(keys), draw.choice(wheres)
        return draw.choice(
            [
                f"SELECT count(*) AS n, dp_low(n) AS low FROM {table} {where}",
                f"SELECT {key} AS k, count(*) AS n FROM {table} {where} GROUP BY k ORDER BY n DESC, k",
                f"SELECT {key} AS k, count(*) AS n FROM {table} {where} GROUP BY k HAVING n > 3",
            ]
        )

    def rows() -> str:
        return draw.choice(
            [
                "SELECT * FROM s",
                f"SELECT {own[0]}, count(*) FROM s GROUP BY ALL",
                "SELECT count(*) FROM s AS t",
                "DESCRIBE s",
                f"SELECT count(*) FROM s JOIN {table} ON true",
            ]
        )

    others = [
        "SHOW PRIVACY SUMMARIES",
        "SHOW PRIVACY SUMMARY s",
        "SELECT * FROM dp_summary('s')",
        "SHOW TABLES",
    ]
    asked = [query() for _ in range(4)] + [rows() for _ in range(2)] + draw.sample(others, 2)
    asked += [f"EXPLAIN {query()}", "EXPLAIN SELECT * FROM s"]
    draw.shuffle(asked)
    end = draw.choice(
        ["ALTER PRIVACY SUMMARY s REFRESH", "DROP PRIVACY SUMMARY s", "SET dp_summaries = only"]
    )
    return [f"EXPLAIN {create}", create, *asked, end, query(), rows(), "FROM dp_budget()"]


# --- doors ---------------------------------------------------------------------------------------

Ask = Callable[[Sequence[str]], Transcript]


@contextmanager
def in_python(place: Place) -> Iterator[Ask]:
    with opened(place) as source, open_scratch() as database:

        def ask(statements: Sequence[str]) -> Transcript:
            notes = Notes(place)
            with open_ledger(None) as ledger:
                workspace = PlanningWorkspace.of(source, ANALYST, database)
                service = Service(source, Session(ledger, "audit", ANALYST), place.settings, workspace)
                db = Connection(source.connection.cursor(), service)
                for sql in statements:
                    notes.take(partial(_answer, db, notes, sql))
                    notes.add("notices", db.notices)
                notes.add_entries(db.ledger().to_pylist())
            return notes.transcript()

        yield ask


def _answer(db: Connection, notes: Notes, sql: str) -> None:
    db.execute(sql)
    notes.add("charged", db.charged)
    notes.add("columns", [column[:2] for column in db.description or ()])
    notes.add("rows", db.fetchall())


@contextmanager
def at_the_gateway(place: Place) -> Iterator[Ask]:
    with opened(place) as source, open_scratch() as answers:

        def ask(statements: Sequence[str]) -> Transcript:
            notes = Notes(place)
            with open_ledger(None) as ledger:
                session, variables = Session(ledger, "audit", ANALYST), Variables(ANALYST)

                def service_of(version: ServedVersion) -> Service:
                    return Service(version.source, session, place.settings, version.workspace(ANALYST))

                def asker() -> Asker:
                    return Asker(ANALYST, place.file.stem, 1, variables.all)

                queries = Queries(ServedData(lambda: source, policies_of, answers), service_of, asker)
                wire = Wire()
                wire.state = State.READY
                conversation = Conversation(wire, queries, variables, lambda _: None)
                for sql in (*statements, "SELECT relname FROM pg_class WHERE relkind = 'r' ORDER BY 1"):
                    for said in (_message("Q", _text(sql)), _prepared(sql)):
                        notes.add(
                            "bytes", b"".join(conversation.work(said)).decode("utf-8", "backslashreplace")
                        )
                notes.add_entries(session.entries().to_pylist())
            return notes.transcript()

        yield ask


DOORS = {"Python": in_python, "gateway": at_the_gateway}


class Pairs:
    """A database and neighbours of it, as conversations at one door."""

    def __init__(self, folder: Path, door: str, near: int) -> None:
        self.stack = ExitStack()
        self.carrier = Carrier(partial(Seeded, "summaries"))
        self.stack.enter_context(self.carrier.installed())
        base = _placed(folder / "base")
        with duckdb.connect(str(base.file), read_only=True) as connection:
            found = list(neighbours(connection, load_catalog(connection)))
        step = max(len(found) // near, 1)
        self.base: Ask = self.stack.enter_context(DOORS[door](base))
        self.others: dict[str, Ask] = {}
        for number, neighbour in enumerate(found[::step][:near]):
            place = _copied(base, folder / str(number), neighbour)
            self.others[neighbour.label] = self.stack.enter_context(DOORS[door](place))

    def differences(self, statements: Sequence[str]) -> list[str]:
        """What differs, by neighbour."""
        self.carrier.record()
        said = self.base(statements)
        found = _faults(said)  # which would be the same on both sides
        for label, ask in self.others.items():
            self.carrier.carry()
            other = ask(statements)
            what = verdict(said, other, self.carrier)
            if what is not None:
                pairs = zip(said.lines, other.lines, strict=False)
                first = next((pair for pair in pairs if pair[0] != pair[1]), None)
                found.append(f"{label}: {what}: {first}")
        return found


def _faults(said: Transcript) -> list[str]:
    """Errors that are none of dpduck's own."""
    errors = [text for name, text in said.lines if name == "error"]
    foreign = [text for text in errors if not hasattr(dpduck.kernel.errors, text.split(" | ")[0])]
    return foreign + [text for name, text in said.lines if name == "bytes" and "XX000" in text]


def _placed(folder: Path) -> Place:
    folder.mkdir(parents=True)
    file = folder / "people.duckdb"
    with duckdb.connect(str(file)) as connection:
        connection.execute(PEOPLE)
    with dpduck.connect(file, ledger=folder / "owner.ledger") as owner:
        owner.execute(POLICIES)
    return Place(file, epsilon=Fraction(1, 50), delta=Fraction(0))


def _copied(base: Place, folder: Path, neighbour: Neighbour) -> Place:
    folder.mkdir()
    file = folder / base.file.name
    shutil.copyfile(base.file, file)
    neighbour.change(file)
    return replace(base, file=file)


# --- differences ---------------------------------------------------------------------------------


@pytest.mark.parametrize("door", one_in(2, DOORS))
def test_neighbours_answer_alike_but_for_what_is_released(tmp_path: Path, door: str) -> None:
    pairs = Pairs(tmp_path, door, depth(20, 4, 2))
    with pairs.stack:
        for seed in range(depth(60, 4, 2)):
            statements = script(random.Random(seed))
            assert pairs.differences(statements) == [], statements


def test_scripts_are_answered(tmp_path: Path) -> None:
    """Not refused alike: most of what is asked has rows, some from the summary and some synthetic."""
    with in_python(_placed(tmp_path / "base")) as ask:
        said = "".join(str(ask(script(random.Random(seed)))) for seed in range(6))
    assert said.count("from summary s") > 5
    assert said.count("synthetic rows of summary s") > 3
    assert said.count("error: ") < said.count("rows: ")


def test_a_bound_that_is_not_enforced_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All rows of a unit count, and noise hides fewer. The checker would refuse it before the charge."""
    unchecked(monkeypatch)
    scores = Design.scores
    monkeypatch.setattr(
        Design, "scores", lambda self, salt: scores(replace(self, most=self.most and 10**6), salt)
    )
    pairs = Pairs(tmp_path, "Python", 12)
    with pairs.stack:
        create = "CREATE PRIVACY SUMMARY s ON visits (page, month) CONTRIBUTION (rows = 2) EPSILON 1"
        assert any("moves by more than its noise covers" in one for one in pairs.differences([create]))


def test_synthetic_rows_of_the_private_counts_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows that are made of the counts themselves, not of the released numbers."""
    seen: list[list[dict[tuple[int, ...], np.ndarray]]] = []

    def remembered(scores, design, entropy):  # type: ignore[no-untyped-def]
        seen.append(release.tables_of(scores, design))
        return noisy_tables(scores, design, entropy)

    def of_seen(contents: Contents, name: str, check: object) -> object:
        return synthetic_rows(Contents.of(contents.design, seen[-1]), name)

    monkeypatch.setattr("dpduck.doors.audit.carrying.noisy_tables", remembered)
    monkeypatch.setattr("dpduck.answers.synthetic_rows.synthetic_rows", of_seen)
    pairs = Pairs(tmp_path, "Python", 4)
    with pairs.stack:
        create = "CREATE PRIVACY SUMMARY s ON people (region, member) EPSILON 1"
        assert pairs.differences([create, "SELECT region, member, count(*) FROM s GROUP BY ALL"])


def test_what_is_left_out_is_not_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A notice that says how many rows are outside of the domains is found."""
    from dpduck.answers import summary_statements

    made, counted = summary_statements.made_notice, [0]

    def remembered(scores, design, entropy):  # type: ignore[no-untyped-def]
        counted[0] = sum(scores.column("score").to_pylist())
        return noisy_tables(scores, design, entropy)

    monkeypatch.setattr("dpduck.doors.audit.carrying.noisy_tables", remembered)

    def telling(*given: Any, **named: Any) -> str:
        return f"{made(*given, **named)} {counted[0]} rows count."

    monkeypatch.setattr(summary_statements, "made_notice", telling)
    pairs = Pairs(tmp_path, "Python", 4)
    with pairs.stack:
        assert pairs.differences(["CREATE PRIVACY SUMMARY s ON people (region) EPSILON 1"])


# --- bounds --------------------------------------------------------------------------------------

ROWS = 3
SMALL = f"CREATE PRIVACY SUMMARY s ON visits (page, half) CONTRIBUTION (rows = {ROWS}) EPSILON 2"


class Drawn:
    """Releases of a summary of 2 x 2 cells, of a database with a unit or without."""

    def __init__(self, folder: Path, rows: int) -> None:
        folder.mkdir(parents=True)
        file = folder / "small.duckdb"
        with duckdb.connect(str(file)) as connection:
            connection.execute("CREATE TABLE visits (uid INTEGER, page VARCHAR, half INTEGER, nr INTEGER)")
            connection.execute("INSERT INTO visits VALUES (1, 'a', 1, 0), (2, 'b', 2, 0), (3, 'a', 2, 0)")
            for number in range(rows):
                connection.execute("INSERT INTO visits VALUES (9, 'a', 1, ?)", [number])
        with dpduck.connect(file) as db:
            db.execute(
                "ALTER TABLE visits ADD PRIVACY_KEY (uid); "
                "ALTER TABLE visits ALTER COLUMN page SET PRIVACY DOMAIN IN ('a', 'b'); "
                "ALTER TABLE visits ALTER COLUMN half SET PRIVACY DOMAIN BETWEEN (1, 2)"
            )
            create = parse(SMALL)
            assert isinstance(create, CreateSummary)
            prepared = prepared_summary(create, db._service._prepare, Interrupts())
            [found] = designs(create, prepared.rows, prepared.charts)
            self.design = found.design
            with db._service._open() as reader:
                self._scores = reader.read(self.design.scores(prepared.salt))

    def tables(self) -> tuple[tuple[int, ...]]:
        """The released numbers as one row."""
        [made] = noisy_tables(self._scores, self.design, SystemEntropy())
        return (tuple(int(n) for table in self.design.tables for n in made[table].reshape(-1)),)

    def rows(self) -> tuple[tuple[int, ...]]:
        """How many synthetic rows there are in each cell, in the order in which they come."""
        contents = Contents.of(self.design, noisy_tables(self._scores, self.design, SystemEntropy()))
        made = synthetic_rows(contents, "s")
        cells = [f"{page}{half}" for page, half in zip(*(c.to_pylist() for c in made.columns), strict=True)]
        return (tuple(cells.count(cell) for cell in ("a1", "a2", "b1", "b2")),)


def bounded(folder: Path, draw: str, draws: int) -> Verdict:
    one, two = Drawn(folder / "with", 12), Drawn(folder / "without", 0)
    samples = measure(getattr(one, draw), getattr(two, draw), draws)
    return judged(SMALL, "without 9", (Fraction(2), Fraction(0)), samples)


def test_released_tables_tell_no_more_than_was_paid_for(tmp_path: Path) -> None:
    found = bounded(tmp_path, "tables", depth(200_000, 6_000, 3_000))
    assert 0.2 < found.ratio <= 1


def test_synthetic_rows_tell_no_more_than_was_paid_for(tmp_path: Path) -> None:
    found = bounded(tmp_path, "rows", depth(20_000, 500, 400))
    assert found.ratio <= 1


@pytest.mark.nightly
def test_noise_for_the_root_of_the_rows_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Trap 5: sqrt(m) is no bound on m rows in one cell."""
    drawn = release.noisy_counts

    def too_little(counts, epsilon, entropy, *, groups, rows):  # type: ignore[no-untyped-def]
        return drawn(counts, epsilon * Fraction(1732, 1000), entropy, groups=groups, rows=rows)

    monkeypatch.setattr(release, "noisy_counts", too_little)
    assert bounded(tmp_path, "tables", 12_000).ratio > 1


def test_a_share_that_is_spent_on_each_table_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each table has the whole epsilon."""
    drawn = release.noisy_counts

    def whole(counts, epsilon, entropy, *, groups, rows):  # type: ignore[no-untyped-def]
        del epsilon
        return drawn(counts, Fraction(2) * 2, entropy, groups=groups, rows=rows)

    monkeypatch.setattr(release, "noisy_counts", whole)
    assert bounded(tmp_path, "tables", 12_000).ratio > 1
