"""`python -m benchmarks errors`: do the stated errors of everyday questions hold, in 95 of 100 answers?

Each question of `tests/everyday` is answered many times, each time with other noise, from policies that leave
no row out. For each released column the numbers that the answer shows are compared with those without noise:
how often the stated error holds, and how often the interval does. Between 93 and 98 % is as stated. More is a
bound that has to hold for other rows too, and the table says which; less is broken.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

import duckdb
import pyarrow as pa

from benchmarks.report.results import Record, Run, table
from dpduck import policies
from dpduck.answers.presentation import presented
from dpduck.answers.results import Result, ResultRows, shape_of
from dpduck.compiler.block.question import key_column
from dpduck.engines.duckdb.engine import DuckEngine
from dpduck.engines.duckdb.public_facts import PublicFacts
from dpduck.kernel.cancellation import Interrupts
from dpduck.kernel.engine import ScoreReader
from dpduck.kernel.plan.aggregates import ClampedSum
from dpduck.kernel.plan.cost import chosen_error, column_error
from dpduck.kernel.plan.coverage import covers
from dpduck.kernel.plan.model import EveryKey, OneGroup, Plan, PublicPlan
from dpduck.kernel.release import release
from tests.everyday import beside
from tests.everyday.test_everyday import DOMAINS, HERE, RECORD
from tests.query import quiet
from tests.query.shop import any_plan
from tests.questions import Question, Tables
from tests.sources import Seeded

HEADER = ("question", "column", "error", "numbers", "error holds", "interval holds", "verdict", "why")
RUNS = 300
LEAST, MOST = 0.93, 0.98
HOLDS, CONSERVATIVE, BROKEN, UNKNOWN = "holds", "conservative", "broken", "no error"
_AGAIN = 4  # times as many answers
_NOISELESS = 10**10  # times the epsilon of a plan

Key = tuple[object, ...]


@dataclass
class Held:
    """Of one released column, of so many numbers that were shown: how many errors and intervals held."""

    column: str
    error: float | None
    why: str
    numbers: int = 0
    by_error: int = 0
    ended: int = 0
    by_interval: int = 0

    def add(self, rows: Sequence[tuple[float, float, float | None, float | None]]) -> None:
        """Count the numbers of one answer: each with its truth and the ends of its interval."""
        for number, true, low, high in rows:
            self.numbers += 1
            self.by_error += self.error is not None and abs(number - true) <= self.error * (1 + 1e-9)
            if low is not None:
                self.ended += 1
                upper = float("inf") if high is None else high
                self.by_interval += low - 1e-6 * abs(low) <= true <= upper + 1e-6 * abs(upper)

    @property
    def kept(self) -> float | None:
        """The share of numbers whose stated error held; None if no error is stated of them."""
        return None if self.error is None or not self.numbers else self.by_error / self.numbers

    @property
    def verdict(self) -> str:
        """Whether what is stated holds: the error, or of a column without one the interval."""
        known = self.kept if self.error is not None else self.by_interval / self.ended if self.ended else None
        if known is None:
            return UNKNOWN
        return BROKEN if known < LEAST else HOLDS if known <= MOST else CONSERVATIVE


def main(folder: Path, runs: int, only: Sequence[int] = ()) -> int:
    """Ask each question, print the table, and add it to the result file. Exit code: 1 if one is broken."""
    quiet.LOUDER = _NOISELESS
    run = Run.start("errors", min(1.0, runs / RUNS))
    found = []
    for question, held in all_held(runs, only):
        found += [record_of(question, one, runs) for one in held]
        for one in found[-len(held) :] if held else ():
            print("  ".join(row_of(one)), flush=True)
    path = run.write(folder, found)
    shown = [one for one in found if one["verdict"] != HOLDS]
    print("\n" + table(HEADER, [row_of(one) for one in shown]))
    words = [
        f"{sum(one['verdict'] == word for one in found)} {word}" for word in (HOLDS, CONSERVATIVE, BROKEN)
    ]
    print(f"\nOf {len(found)} columns: {', '.join(words)}. Written to {path.name}: run {run.facts['run']}.")
    return int(any(one["verdict"] == BROKEN for one in found))


def all_held(runs: int, only: Sequence[int] = ()) -> Iterator[tuple[Question, list[Held]]]:
    """The questions that are answered, and what held of each. Input: their numbers (default: all)."""
    known = RECORD.read()
    for domain in DOMAINS:
        tables = Tables(HERE / domain)
        with tables.open_plain(":memory:") as whole:
            beside.protect(tables, whole, nulls=True)
            catalog = policies.load_catalog(whole)
            for question in tables.questions():
                if not known[question.number].startswith("answered") or (
                    only and question.number not in only
                ):
                    continue
                made = any_plan(question.sql, catalog, facts=PublicFacts(whole))
                if isinstance(made, Plan):
                    yield question, held_of(made, whole, f"{question.number}", runs)
                elif not isinstance(made, PublicPlan):
                    each = (held_of(block, whole, f"{question.number}", runs) for block in made.blocks)
                    yield question, [one for some in each for one in some]


def held_of(block: Plan, connection: duckdb.DuckDBPyConnection, seed: str, runs: int) -> list[Held]:
    """What held of each number of one block. Of sums with a private clamp nothing is known without noise."""
    if not isinstance(block.selection, EveryKey | OneGroup) or block.sets:
        return []  # which groups there are is noise, too, and totals are looked at in `promises`
    errors = {**column_error(block), **chosen_error(block)}
    clamped = {one.request.column for one in block.measures if isinstance(one.request, ClampedSum)}
    names = {column.name for column in block.columns}
    columns = [column for column in names - clamped if {f"{column}_low", f"{column}_high"} <= names]
    held = [Held(column, errors.get(column), _why(column, block)) for column in sorted(columns)]
    _ask(block, connection, held, [f"{seed} {number}" for number in range(runs)])
    doubtful = [place for place, one in enumerate(held) if one.verdict == BROKEN]
    if doubtful:  # by chance one of twenty is, so such columns are asked again, with other noise
        again = [replace(held[place], numbers=0, by_error=0, ended=0, by_interval=0) for place in doubtful]
        _ask(block, connection, again, [f"{seed} again {number}" for number in range(_AGAIN * runs)])
        for place, one in zip(doubtful, again, strict=True):
            held[place] = one
    return held


def _ask(
    block: Plan, connection: duckdb.DuckDBPyConnection, held: Sequence[Held], seeds: Sequence[str]
) -> None:
    """Release a block once for each seed, and count what holds."""
    names = [column.name for column in block.columns]
    truth = _by_key(block, beside.released(block, connection).table(names))
    with DuckEngine(connection).open(Interrupts()) as reader:
        once = cast(ScoreReader, _ReadOnce(reader))
        for seed in seeds:
            made = presented(block, release(block, once, Seeded(seed)).table(names))
            rows = _by_key(block, made)
            keys = _shown(block, made) if block.keys else set(rows)
            for one in held:
                one.add(list(_numbers(one.column, rows, truth, keys)))


class _ReadOnce:
    """A reader of scores that reads the same ones once: noise is another one each time, and rows are not."""

    def __init__(self, reader: ScoreReader) -> None:
        self._reader = reader
        self._read: dict[str, pa.Table] = {}

    def __getattr__(self, name: str) -> object:
        return getattr(self._reader, name)

    def read(self, query: object, *given: object) -> pa.Table:
        """As of the reader. What follows from noise, as the groups that it chose, is read anew."""
        if given:
            return self._reader.read(query, *given)  # type: ignore[arg-type]
        key = repr(query)
        if key not in self._read:
            self._read[key] = self._reader.read(query)  # type: ignore[arg-type]
        return self._read[key]


def _numbers(
    column: str, rows: dict[Key, dict[str, object]], truth: dict[Key, dict[str, object]], keys: set[Key]
) -> Iterator[tuple[float, float, float | None, float | None]]:
    for key in keys & truth.keys():
        own = [rows[key][f"{column}{end}"] for end in ("", "_low", "_high")]
        true = truth[key][column]
        if own[0] is not None and true is not None:
            number, low, high = (None if one is None else float(str(one)) for one in own)
            assert number is not None
            yield number, float(str(true)), low, high


def _shown(block: Plan, made: pa.Table) -> set[Key]:
    """The keys of the groups that the answer shows; those of all if it does not show its keys."""
    place = {column: name for name, column in block.shown}
    wanted = [place.get(key_column(number)) for number in range(len(block.keys))]
    every = set(_by_key(block, made))
    if None in wanted or not block.ends_sql:
        return every
    shown = Result.of_rows(ResultRows(shape_of(block), made), quiet.scratch())
    names = [str(column[0]) for column in shown.description]
    places = [names.index(str(name)) for name in wanted]
    keys = {tuple(map(str, (row[place] for place in places))) for row in shown.fetchall()}
    return {key for key in every if tuple(map(str, key)) in keys} or every


def _by_key(block: Plan, made: pa.Table) -> dict[Key, dict[str, object]]:
    names = [column.name for column in block.columns]
    places = [names.index(key_column(number)) for number in range(len(block.keys))]
    rows = (list(row.values()) for row in made.to_pylist())
    return {tuple(row[place] for place in places): dict(zip(names, row, strict=True)) for row in rows}


def _why(column: str, block: Plan) -> str:
    """Why more than 98 % of the numbers of a column may keep what is stated of them."""
    if column in block.cut.columns:
        return "holds for the largest noise of all groups"
    if covers(block).get(column) == "below":
        return "one-sided: no upper end is known"
    if column not in column_error(block):
        return "holds for any mean of its range, with few values"
    return "whole numbers: rounded up"


def record_of(question: Question, one: Held, runs: int) -> Record:
    """A record of one column."""
    return {
        "question": question.number,
        "title": question.title,
        "column": one.column,
        "runs": runs,
        "error": one.error,
        "numbers": one.numbers,
        "kept": one.kept,
        "kept_by_interval": one.by_interval / one.ended if one.ended else None,
        "verdict": one.verdict,
        "why": one.why if one.verdict == CONSERVATIVE else "",
    }


def row_of(record: Record) -> list[str]:
    """A record as cells of the table."""
    shares = [record["kept"], record["kept_by_interval"]]
    error = record["error"]
    return [
        str(record["question"]),
        str(record["column"]),
        "" if error is None else f"{error:,.4g}",
        str(record["numbers"]),
        *("" if share is None else f"{share:.1%}" for share in shares),
        str(record["verdict"]),
        str(record["why"]),
    ]
