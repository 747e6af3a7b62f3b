"""Tables of four columns: dpduck's private summaries and their synthetic rows, beside SmartNoise's AIM.

One generated table, `adult4` of `benchmarks/accuracy/synthetic.py`: 48,842 people with a row each, age in
bands, education, marital and sex, 2,016 cells. Asked are all tables of one to three columns and 200 random
ranges, at epsilon 1, and with delta 1e-6 where noise is Gaussian. Each run releases anew, in a process of its
own; the tools take turns.

The error is the root of the mean squared error of a cell, over all tables of as many columns, and that of a
range. Seconds go from the Parquet file to the rows, or to the answers to all of these questions.
"""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median, stdev
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from benchmarks.accuracy.synthetic import WAYS, adult4, ranges
from benchmarks.papers.data import Source
from benchmarks.peers.tools import (
    DUCKDB,
    Outcome,
    PeerError,
    Rival,
    cell,
    child,
    in_turns,
    installed,
    lines,
    notes,
)
from benchmarks.report.figure import Figure
from benchmarks.report.results import Record, Run, last_run, table
from dpduck.summaries.residuals import Columns, summed_out

JOB = "tables"
ASKED = ("1-way", "2-way", "3-way", "ranges")
HEADER = ["tool", *ASKED, "seconds", "MiB", "runs", "lines", "remarks"]
LIMIT = 900.0  # seconds for one run of one tool
COLUMNS = ("age", "education", "marital", "sex")
STARTS = (0, 8, 13, 18, 28, 38, 48, 58, 68, 85)  # of the bands of age, and where the last one ends
_ROWS = 48_842

_SMARTNOISE = ("smartnoise-sql==1.0.10", "mbi==1.1.0", "Faker==40.63.0", DUCKDB)
_SYNTH = ("smartnoise-synth==1.0.8",)  # alone: AIM needs nothing of the torch that it asks for
_DELTA, _KNOWN = "delta 1e-6", "delta 1e-6; the number of rows is public"

RIVALS = (
    Rival("dpduck, answers, Laplace", "dpduck_summary", jobs=("laplace_answers",)),
    Rival("dpduck, rows, Laplace", "dpduck_summary", jobs=("laplace_rows",)),
    Rival("dpduck, answers, Gaussian", "dpduck_summary", jobs=("gaussian_answers",), remarks=_DELTA),
    Rival("dpduck, rows, Gaussian", "dpduck_summary", jobs=("gaussian_rows",), remarks=_DELTA),
    Rival("AIM, for pairs", "smartnoise_aim", _SMARTNOISE, ("pairs",), remarks=_KNOWN, alone=_SYNTH),
    Rival("AIM, for triples", "smartnoise_aim", _SMARTNOISE, ("triples",), remarks=_KNOWN, alone=_SYNTH),
)

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class People:
    """The counts of all cells, an axis for each column, and what is asked of them."""

    counts: Floats

    @property
    def tables(self) -> list[Columns]:
        """All tables of one to three columns."""
        every = range(self.counts.ndim)
        return [part for ways in WAYS for part in itertools.combinations(every, ways)]

    def table(self, part: Columns, counts: Floats) -> Floats:
        """The table of some columns."""
        return summed_out(counts, tuple(range(counts.ndim)), part)

    def save(self, file: Path) -> None:
        """Write the people as Parquet, with ages of all values, and the questions beside them as JSON."""
        cells = np.repeat(np.argwhere(self.counts >= 0), self.counts.reshape(-1).astype(int), axis=0)
        number, starts = np.arange(len(cells)), np.array(STARTS)
        ages = starts[cells[:, 0]] + number % np.diff(starts)[cells[:, 0]]
        columns = {"id": number, "age": ages, **dict(zip(COLUMNS[1:], cells.T[1:], strict=True))}
        file.parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(pa.table({name: pa.array(own, pa.int32()) for name, own in columns.items()}), file)
        asked = {"tables": [*map(self._named, self.tables)], "ranges": [*self._conditions()]}
        file.with_suffix(".json").write_text(json.dumps(asked), encoding="utf-8")

    def _named(self, part: Columns) -> dict[str, int]:
        return {COLUMNS[column]: self.counts.shape[column] for column in part}

    def _conditions(self) -> Iterator[str]:
        for part, inside in ranges(self.counts.shape):
            yield " AND ".join(map(_between, part, inside))

    def errors(self, answer: Mapping[str, Any]) -> list[float]:
        """The mean squared errors of `ASKED`. Input: numbers of all questions, or the cells of rows."""
        if "cells" in answer:
            answer = self._answers(np.array(answer["cells"], dtype=float).reshape(self.counts.shape))
        true = self._answers(self.counts)
        off = [_squares(*pair) for pair in zip(answer["tables"], true["tables"], strict=True)]
        by_ways = [
            np.concatenate([one for one, part in zip(off, self.tables, strict=True) if len(part) == ways])
            for ways in WAYS
        ]
        return [float(own.mean()) for own in (*by_ways, _squares(answer["ranges"], true["ranges"]))]

    def _answers(self, counts: Floats) -> dict[str, list[Any]]:
        found = (float(self.table(part, counts)[inside].sum()) for part, inside in ranges(counts.shape))
        return {
            "tables": [self.table(part, counts).reshape(-1) for part in self.tables],
            "ranges": list(found),
        }


def _between(column: int, inside: slice) -> str:
    """The condition for a range of cells, in values of the column."""
    low, high = (STARTS[end] if not column else end for end in (inside.start, inside.stop))
    return f"{COLUMNS[column]} BETWEEN {low} AND {high - 1}"


def _squares(answer: Sequence[float], true: Sequence[float]) -> Floats:
    return np.square(np.subtract(answer, true, dtype=float))


def main(
    source: Source,
    folder: Path,
    repeats: int = 3,
    limit: float = LIMIT,
    rivals: Sequence[Rival] = RIVALS,
) -> None:
    """Run all tools, print the table, and add the figures to the result file."""
    run = Run.start("peers", source.scale)
    cache = source.cache.absolute() / "peers"
    people = People(adult4(max(int(_ROWS * source.scale), 100)).counts)
    file = cache / f"people-{source.scale:g}.parquet"
    people.save(file)
    pythons = {rival.name: installed(rival, cache) for rival in rivals}

    def once(rival: Rival) -> Outcome:
        return child(rival, pythons[rival.name], (rival.jobs[0], file, people.counts.size, 0, 0), limit)

    outcomes = in_turns(rivals, repeats, once)
    records = [_record(rival, outcomes[rival.name], people) for rival in rivals]
    path = run.write(folder, records)
    print("\n" + table(HEADER, rows(records)))
    print(f"\n{verdict(records)}\n\nWritten to {path.name}: run {run.facts['run']}.")


def _record(rival: Rival, outcomes: Sequence[Outcome], people: People) -> Record:
    good = [outcome for outcome in outcomes if not isinstance(outcome, PeerError)]
    squares = [people.errors(facts["answers"][0]) for facts in good]
    seconds = [round(facts["seconds"], 4) for facts in good]
    return {
        "rival": rival.name,
        "version": next((facts["version"] for facts in good), None),
        "job": JOB,
        "seconds": seconds,
        "median": median(seconds) if seconds else None,
        "peak_mib": round(max(facts["peak"] for facts in good)) if good else None,
        "rmse": {asked: _rmse(own) for asked, *own in zip(ASKED, *squares, strict=True)} if good else None,
        "runs": len(good),
        "lines": lines(rival.script, rival.jobs[0]),
        "note": notes(outcomes, rival.remarks),
    }


def _rmse(squares: Sequence[float]) -> list[float | None]:
    """The root mean squared error, and its standard error over the runs."""
    rmse = math.sqrt(fmean(squares))
    if len(squares) < 2 or not rmse:
        return [round(rmse, 3), None]
    return [round(rmse, 3), round(stdev(squares) / math.sqrt(len(squares)) / (2 * rmse), 3)]


# --- what is shown


def latest(records: Sequence[Record]) -> list[Record]:
    """The lines of the last full-size run."""
    return last_run([record for record in records if record["job"] == JOB])


def rows(records: Sequence[Record]) -> list[list[str]]:
    """The records as cells of a table."""
    return [
        [
            r["rival"],
            *(_error(*r["rmse"][asked]) if r["rmse"] else "" for asked in ASKED),
            cell(r["median"], ".1f"),
            cell(r["peak_mib"], ",.0f"),
            cell(r["runs"] or None, "d"),
            cell(r["lines"], "d"),
            r["note"],
        ]
        for r in records
    ]


def _error(rmse: float, spread: float | None) -> str:
    return f"{rmse:.1f}" if spread is None else f"{rmse:.1f} ± {spread:.1f}"


def tables(records: Sequence[Record]) -> Iterator[tuple[Sequence[str], list[list[str]]]]:
    """The one table of the README."""
    yield HEADER, rows(records)


def figures(records: Sequence[Record]) -> Iterator[Figure]:  # noqa: ARG001
    """Nothing is drawn: four errors of each tool are a table."""
    yield from ()


def verdict(records: Sequence[Record]) -> str:
    """What is measured, and who has the least error of each kind."""
    best = "; ".join(f"{asked}: {' and '.join(_best(records, asked))}" for asked in ASKED)
    return (
        "Root mean squared errors of a cell of all tables of one, two and three columns and of 200 random "
        "ranges, with standard errors over the runs: 48,842 generated people with a row each, 2,016 cells, "
        "epsilon 1. Answers are those of dpduck's summary, with intervals; rows are synthetic. AIM chooses "
        "what it measures, for all pairs of columns (its default) or all triples. "
        f"The least errors, and those within two standard errors of them: {best}."
    )


def _best(records: Sequence[Record], asked: str) -> list[str]:
    """The tool with the least error, and those that the runs do not tell from it."""
    known = {r["rival"]: r["rmse"][asked] for r in records if r["rmse"]}
    least, its_own = min(known.values(), key=lambda error: error[0], default=(0, 0))
    best = {
        rival: rmse
        for rival, (rmse, spread) in known.items()
        if rmse - least <= 2 * math.hypot(spread or 0, its_own or 0)
    }
    return sorted(best, key=best.__getitem__)
