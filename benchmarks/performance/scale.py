"""`python -m benchmarks scale`: dpduck beside the plain query, from a million rows to a hundred million.

Each answer is got in the way that an analyst gets it: from SQL text to rows, or to an Arrow table where all
groups are listed. dpduck plans, charges a ledger on disk, and answers afresh (replay is off). The plain way
is given the same SQL; for a median of units with many rows, the query of the same meaning, with `median(v)`
beside.

Each way runs in a process of its own, and they take turns. The peak is all that a process ever held: its
libraries too, which are what it holds at the start.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import exp, log
from pathlib import Path
from statistics import fmean, median

from benchmarks.papers.data import Source
from benchmarks.performance.scale_cells import (
    BEYOND_MIB,
    BEYOND_SECONDS,
    CLAIMED_FROM,
    COUNTS,
    DPDUCK,
    HISTOGRAM,
    MANY,
    MEMORY,
    MIDDLE,
    MIDDLES,
    PLAIN,
    ROW,
    ROW_COUNTS,
    SPARSE,
    TOP,
    Cell,
    cells,
)
from benchmarks.performance.scale_data import Tables
from benchmarks.performance.turns import Taken, in_processes
from benchmarks.report.figure import Figure, Line
from benchmarks.report.results import Record, Run, table

HEADER = ["rows", "job", "unit", "candidates", "way", "seconds", "ratio", "MiB", "ratio of MiB", "remarks"]
CLAIMS_HEADER = ["claim", "wanted", "reached", "holds"]
ROWS = (1_000_000, 10_000_000, 100_000_000)
CANDIDATES = (1_000, 100_000, 10_000_000)
LIMIT = 300.0  # seconds for one answer
CHILD = "benchmarks.performance.scale_child"


@dataclass(frozen=True)
class Plan:
    """How much to measure. `seconds`: after which no round of a cell begins."""

    rows: tuple[int, ...] = ROWS
    candidates: tuple[int, ...] = CANDIDATES
    repeat: int = 5
    seconds: float = 30.0
    limit: float = LIMIT

    @property
    def scale(self) -> float:
        """The share of the full size: 1 only for all of it."""
        full = set(self.rows) >= set(ROWS) and set(self.candidates) >= set(CANDIDATES)
        return 1.0 if full else min(max(self.rows) / max(ROWS), 0.999)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command line, beside the folder of results."""
    parser.add_argument("--cache", type=Path, help="folder for generated data")
    parser.add_argument("--rows", type=numbers, default=ROWS, help="sizes of tables: 1e6,1e7,1e8")
    parser.add_argument(
        "--candidates", type=numbers, default=CANDIDATES, help="sizes of domains: 1e3,1e5,1e7"
    )
    parser.add_argument("--repeat", type=int, default=5, help="timings of each way")
    parser.add_argument("--seconds", type=float, default=30.0, help="after which no more are begun")
    parser.add_argument("--limit", type=float, default=LIMIT, help="seconds for one answer")


def numbers(text: str) -> tuple[int, ...]:
    """Whole numbers as written on the command line.

    >>> numbers("1e3,20")
    (1000, 20)
    """
    return tuple(int(float(part)) for part in text.split(","))


def plan_of(given: argparse.Namespace) -> Plan:
    """What the command line asks for."""
    return Plan(given.rows, given.candidates, given.repeat, given.seconds, given.limit)


def main(plan: Plan, cache: Path | None, folder: Path) -> None:
    """Measure every cell, print two tables, and add the figures to the result file."""
    run = Run.start("scale", plan.scale)
    made = Tables(Source.of(cache, None, 1.0).cache, plan.candidates)
    records: list[Record] = []
    for cell in cells(made, plan.rows, max(plan.rows) // 10):
        found = measured(cell, plan)
        records += found
        print(" ".join(part for line in rows(found)[:1] for part in line if part), flush=True)
    path = run.write(folder, records)
    print("\n" + table(HEADER, rows(records)))
    print("\n" + table(CLAIMS_HEADER, list(claims(records))))
    print(f"\nWritten to {path.name}: run {run.facts['run']}.")


def measured(cell: Cell, plan: Plan) -> list[Record]:
    """One record per way, with every timing."""
    asks = {name: ask.record() for name, ask in cell.ways.items()}
    taken = in_processes(CHILD, asks, plan.repeat, plan.seconds, plan.limit)
    base = taken[list(cell.ways)[1]]
    return [
        {
            **cell.facts,
            "way": name,
            "seconds": [round(t, 6) for t in own.seconds],
            "median": _rounded(_median(own)),
            "start_mib": _rounded(own.start, 1),
            "peak_mib": _rounded(own.peak, 1),
            **(_beside(own, base) if name == DPDUCK else {}),
            "note": own.note,
        }
        for name, own in taken.items()
    ]


def _beside(own: Taken, base: Taken) -> Record:
    """dpduck's figures beside those of the second way; nothing if one of the two failed."""
    seconds, others = _median(own), _median(base)
    if own.note or base.note or not (seconds and others and own.peak and base.peak):
        return {}
    return {
        "ratio": round(seconds / others, 4),
        "beyond_seconds": round(seconds - others, 4),
        "peak_ratio": round(own.peak / base.peak, 4),
        "beyond_mib": round(own.peak - base.peak, 1),
        "grown_ratio": _grown(own, base),
    }


def _grown(own: Taken, base: Taken) -> float | None:
    """The ratio of what both took beyond what they held at the start."""
    mine, other = ((taken.peak or 0) - (taken.start or 0) for taken in (own, base))
    return round(mine / other, 4) if mine > 0 and other > 0 else None


def _median(taken: Taken) -> float | None:
    return median(taken.seconds) if taken.seconds else None


def _rounded(value: float | None, digits: int = 6) -> float | None:
    return None if value is None else round(value, digits)


# --- what is shown


def rows(records: Sequence[Record]) -> list[list[str]]:
    """The records as cells of a table."""
    return [
        [
            power(r["rows"]),
            r["job"],
            r["unit"],
            "" if r["candidates"] is None else power(r["candidates"]),
            r["way"],
            "" if r["median"] is None else f"{r['median']:.3f}",
            _times(r.get("ratio")),
            "" if r["peak_mib"] is None else f"{r['peak_mib']:,.0f}",
            _times(r.get("peak_ratio")),
            r["note"],
        ]
        for r in records
    ]


def power(number: int) -> str:
    """A size in short.

    >>> power(10_000_000), power(20_000_000), power(12_345)
    ('1e7', '2e7', '12,345')
    """
    zeros = len(str(number)) - len(str(number).rstrip("0"))
    return f"{number // 10**zeros}e{zeros}" if zeros >= 3 else f"{number:,}"


def _times(ratio: float | None) -> str:
    return "" if ratio is None else f"{ratio:.2f}x"


def claims(records: Sequence[Record]) -> Iterator[list[str]]:
    """The worst of each kind from `CLAIMED_FROM` rows on, with the mean. Nothing of what was not measured."""
    ours = [r for r in records if r["way"] == DPDUCK]
    large = [r for r in ours if r["job"] != SPARSE and r["rows"] >= CLAIMED_FROM]
    for title, most, found in (
        ("top 10 and histogram, distinct units", COUNTS, _counts(large, own_row=False)),
        ("top 10 and histogram, row-level", ROW_COUNTS, _counts(large, own_row=True)),
        ("median", MIDDLES, [r for r in large if r["job"] == MIDDLE]),
    ):
        yield from _worst(f"{title}: times DuckDB's seconds", "ratio", most, found)
    yield from _worst("peak memory: times DuckDB's", "peak_ratio", MEMORY, large)
    grown = [r["grown_ratio"] for r in large if r.get("grown_ratio")]
    if grown:
        yield ["the same, beyond what each held at the start", "", f"{_mean(grown):.2f}", ""]
    for r in ours:
        if r["job"] == SPARSE and r["note"]:
            yield [f"top 10 of {power(r['candidates'])} candidates", "", r["note"], "no"]
        elif r["job"] == SPARSE:
            yield from _beyond(r)


def _counts(records: Sequence[Record], *, own_row: bool) -> list[Record]:
    return [r for r in records if r["job"] in (TOP, HISTOGRAM) and (r["unit"] == ROW) == own_row]


def _worst(title: str, name: str, most: float, records: Sequence[Record]) -> Iterator[list[str]]:
    found = [(r[name], _place(r)) for r in records if name in r]
    failed = [r for r in records if r["note"]]
    if failed:
        yield [f"{title}: no figure of {len(failed)} cells", "0", str(len(failed)), "no"]
    if not found:
        return
    worst, place = max(found)
    yield [f"{title}, worst ({place})", f"<= {most:g}", f"{worst:.2f}", "yes" if worst <= most else "no"]
    yield ["the same, geometric mean", "", f"{_mean([ratio for ratio, _ in found]):.2f}", ""]


def _mean(ratios: Sequence[float]) -> float:
    return exp(fmean(map(log, ratios)))


def _place(record: Record) -> str:
    size = "" if record["candidates"] is None else f" of {power(record['candidates'])}"
    return f"{record['job']}{size}, {record['unit']}, {power(record['rows'])} rows"


def _beyond(record: Record) -> Iterator[list[str]]:
    of = f"top 10 of {power(record['candidates'])} candidates"
    for what, name, most in (
        ("seconds", "beyond_seconds", BEYOND_SECONDS),
        ("MiB", "beyond_mib", BEYOND_MIB),
    ):
        if name in record:
            reached = record[name]
            holds = "yes" if reached <= most else "no"
            yield [f"{of}: {what} beyond the aggregation", f"<= {most:g}", f"{reached:.2f}", holds]


def figures(records: Sequence[Record]) -> Iterator[Figure]:
    """Seconds against rows, with and without privacy, for each size of the domain."""
    for name, job, unit, title in (
        ("scale-top", TOP, MANY, "Top 10 by distinct units, 20 rows per unit"),
        ("scale-top-rows", TOP, ROW, "Top 10, each row a unit"),
        ("scale-histogram", HISTOGRAM, MANY, "All groups by distinct units, 20 rows per unit"),
        ("scale-median", MIDDLE, ROW, "Median, each row a unit"),
    ):
        lines = tuple(_lines([r for r in records if (r["job"], r["unit"]) == (job, unit)]))
        if lines:
            yield Figure(name, title, _MEANING, "rows", "seconds", lines)


_MEANING = "Privacy grows with the data as the query itself does, and costs nearly nothing beside it."


def _lines(records: Sequence[Record]) -> Iterator[Line]:
    timed = [r for r in records if r["median"] is not None and not r["note"]]
    for size in sorted({r["candidates"] for r in timed}, key=lambda size: size or 0):
        for way in (DPDUCK, PLAIN):
            points = [(r["rows"], r["median"]) for r in timed if (r["candidates"], r["way"]) == (size, way)]
            label = way if size is None else f"{way}, {power(size)} candidates"
            if points:
                yield Line.through(label, points)


def tables(records: Sequence[Record]) -> Iterator[tuple[Sequence[str], Sequence[Sequence[str]]]]:
    """Claims, then every cell."""
    yield CLAIMS_HEADER, list(claims(records))
    yield HEADER, rows(records)
