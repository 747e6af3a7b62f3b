"""A club with awkward data: members have one row each, their visits many, some values outside of domains."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import duckdb

from dpduck import policies
from dpduck.answers.replay.derive import Derived, derive, fit
from dpduck.answers.replay.describe import Description, describe
from dpduck.answers.results import Result, ResultRows, evaluate, shape_of, text_table
from dpduck.engines.duckdb.engine import DuckEngine
from dpduck.engines.duckdb.public_facts import PublicFacts
from dpduck.kernel.arrow.strings import Cell, read_columns, write_columns
from dpduck.kernel.cancellation import Interrupts
from dpduck.kernel.catalog.model import Catalog
from dpduck.kernel.plan.model import Output, Plan, PublicPlan
from dpduck.kernel.release import release
from dpduck.policies import load_catalog
from tests.query.quiet import loud
from tests.query.shop import any_plan, statement
from tests.sources import Seeded

Row = tuple[object, ...]
Cells = Sequence[Sequence[str | None]]

_COLUMNS = """
g VARCHAR, h INTEGER, big BIGINT, d DATE, ok BOOLEAN, e ENUM('low', 'mid', 'high'),
x DECIMAL(9,2), y DOUBLE, word VARCHAR
"""
TEXTS = ("a", "b", "it's", 't."g"', 'b"c', "", "k0 -- ' OR t.", "ÄÖ\n%_")
_OUTSIDE = (None, "zz", "A")

SCHEMA = f"""
CREATE TABLE members (id INTEGER PRIMARY KEY, {_COLUMNS});
CREATE TABLE visits (uid INTEGER, {_COLUMNS});
CREATE TABLE clicks (uid INTEGER, {_COLUMNS});
"""
_DOMAINS = (
    "g SET PRIVACY DOMAIN IN ({texts})",
    "h SET PRIVACY DOMAIN BETWEEN (0, 19)",
    "big SET PRIVACY DOMAIN IN (-5, 1, 10, 210)",
    "d SET PRIVACY DOMAIN BETWEEN ('2024-01-01', '2024-03-31')",
    "x SET PRIVACY DOMAIN BETWEEN (0, 50)",
    "y SET PRIVACY DOMAIN BETWEEN (-10, 10)",
)
_KEYS = (
    "ALTER TABLE members ADD PRIVACY_KEY (id)",
    "ALTER TABLE visits ADD PRIVACY_LINK (uid) REFERENCES members(id)",
    "ALTER TABLE clicks ADD PRIVACY_LINK (uid) REFERENCES members(id)",
    "ALTER TABLE clicks SET PRIVACY CONTRIBUTION (rows = 3)",
)


def quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _row(draw: random.Random, owner: int) -> Row:
    day = f"2024-0{draw.randint(1, 4)}-{draw.randint(1, 28):02}"
    return (
        owner,
        draw.choice([*TEXTS, *TEXTS, *_OUTSIDE]),
        draw.choice([None, *range(-5, 25)]),
        draw.choice([-5, 1, 10, 210, 0, None]),
        draw.choice([day, day, day, None]),
        draw.choice([True, False, None]),
        draw.choice(["low", "mid", "high", None]),
        draw.choice([None, draw.randint(-500, 6000) / 100]),
        draw.choice([None, float("nan"), draw.uniform(-12, 12)]),
        draw.choice(["one", "two", "three"]),
    )


def open_club(seed: object) -> duckdb.DuckDBPyConnection:
    """The tables in memory, with rows and policies."""
    draw, connection = random.Random(repr(seed)), duckdb.connect(config={"threads": 1})
    connection.execute(SCHEMA)
    rows = {
        "members": [_row(draw, i) for i in range(120)],
        "visits": [_row(draw, draw.randrange(60)) for _ in range(200)],
        "clicks": [_row(draw, draw.randrange(25)) for _ in range(200)],
    }
    for table, values in rows.items():
        connection.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * 10)})", values)
    texts = ", ".join(map(quoted, TEXTS))
    domains = [f"ALTER TABLE {t} ALTER COLUMN {d.format(texts=texts)}" for t in rows for d in _DOMAINS]
    for text in (*_KEYS, *domains):
        policies.execute(connection, statement(text))
    return connection


class Club:
    """Answers without noise, and what follows from them."""

    def __init__(self, seed: object = "club") -> None:
        self.connection = open_club(seed)
        self.catalog: Catalog = load_catalog(self.connection)
        self._bench = duckdb.connect(config={"threads": 1})

    def plan(self, text: str, delta: Fraction = Fraction(1, 10**6)) -> Plan:
        made = self.any_plan(text, delta)
        assert isinstance(made, Plan), text
        return made

    def any_plan(self, text: str, delta: Fraction = Fraction(1, 10**6)) -> Plan | PublicPlan:
        """The plan of a query, which may be public: its conditions may leave no candidate."""
        return any_plan(text, self.catalog, delta=delta, facts=PublicFacts(self.connection))

    def keep(self, text: str) -> Kept:
        """Answer a query and keep the release."""
        made = loud(loud(self.plan(text)))  # sums over many groups are noisy, even so
        with DuckEngine(self.connection).open(Interrupts()) as reader:
            released = release(made, reader, Seeded("quiet"))
        written = write_columns(released.table([column.name for column in made.columns]))
        stored = Description.read(describe(made).text())
        return Kept(made, stored, read_columns(written))

    def answer(self, text: str) -> list[Row]:
        """A query's own answer."""
        kept = self.keep(text)
        return self.rows(kept.plan, kept.rows)

    def derived(self, kept: Kept, text: str) -> Derived | None:
        """What a query's released columns would be by what is kept."""
        plan = self.plan(text)
        how = fit(describe(plan), kept.description)
        return None if how is None else derive(plan, kept.description, how, kept.released, self._meets)

    def replayed(self, kept: Kept, text: str) -> list[Row] | None:
        """A query's answer by what is kept."""
        found = self.derived(kept, text)
        return None if found is None else self.rows(self.plan(text), cells_of(self.plan(text), found))

    def rows(self, plan: Plan, cells: Cells) -> list[Row]:
        """The answer that released cells make."""
        rows = ResultRows(shape_of(plan), text_table(cells, len(plan.columns)))
        return Result.of_rows(rows, self._bench).fetchall()

    def _meets(self, condition: str, columns: Sequence[tuple[str, str]], rows: Cells) -> list[bool] | None:
        return evaluate(condition, [Output(*column) for column in columns], rows, self._bench)


@dataclass(frozen=True)
class Kept:
    """A release as the ledger would keep it."""

    plan: Plan
    description: Description
    released: list[list[Cell]]

    @property
    def rows(self) -> Cells:
        return list(zip(*self.released, strict=True))


def cells_of(plan: Plan, found: Derived) -> Cells:
    """Derived columns as rows."""
    return list(zip(*(found.columns[column.name] for column in plan.columns), strict=True))
