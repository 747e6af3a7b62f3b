"""`python -m benchmarks accuracy`: measured errors beside exact expectations and published figures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks import errors_of_counts, errors_of_selection
from benchmarks.data import Source
from benchmarks.results import Record, Run, table

SELECTION_HEADER = ["set", "epsilon", "", "exact", "published", "drawn", "from SQL"]
COUNTS_HEADER = ["set", "k", "", "improvement %", "theory %", "its split %", "published %", "coverage %"]


@dataclass(frozen=True)
class Draws:
    """How often each mechanism is run, directly and through SQL."""

    direct: int
    sql: int


def main(source: Source, folder: Path, draws: Draws) -> None:
    """Measure all errors, print two tables, and add the figures to the result file."""
    run = Run.start("accuracy", source.scale)
    records: list[Record] = []
    for record in _records(source, draws):
        records.append(record)
        print(f"{record['kind']} {record['set']}: done", flush=True)
    path = run.write(folder, records)
    print("\nExpected error, in records (mode) and score units (median):")
    print(table(SELECTION_HEADER, selection_rows(records)))
    print("\nMean squared error of the k counts against measuring with half of epsilon:")
    print(table(COUNTS_HEADER, counts_rows(records)))
    print(f"\nWritten to {path.name}: run {run.facts['run']}.")


def _records(source: Source, draws: Draws) -> Iterator[Record]:
    yield from errors_of_selection.records(source, draws.direct, draws.sql)
    yield from errors_of_counts.records(source, draws.direct // 20, draws.sql // 10)


def selection_rows(records: list[Record]) -> list[list[str]]:
    """Permute-and-flip and the exponential mechanism at each published epsilon, and their quotient."""
    rows = []
    for r in records:
        if r["kind"] not in ("mode", "median"):
            continue
        name = [f"{r['set']} {r['kind']}{'' if r['own'] else ' (generated)'}", f"{r['epsilon']}"]
        for mechanism in ("permute_and_flip", "exponential"):
            measured = [_figure(r[how].get(mechanism)) for how in ("drawn", "sql")]
            published = f"{r['published'][mechanism]:.2f}"
            rows.append([*name, mechanism, f"{r['exact'][mechanism]:.2f}", published, *measured])
        quotients = [r["exact"], r["published"], {m: v["mean"] for m, v in r["drawn"].items()}]
        rows.append([*name, "quotient", *(_quotient(q) for q in quotients), ""])
    return rows


def _quotient(errors: Record) -> str:
    flip = errors["permute_and_flip"]
    return f"{errors['exponential'] / flip:.3f}" if flip else ""


def _figure(measured: Record | None) -> str:
    if measured is None:
        return ""
    if not measured["mean"]:
        return f"none in {measured['draws']:,}"
    return f"{measured['mean']:.2f} ± {measured['error']:.2f} in {measured['draws']:,}"


def counts_rows(records: list[Record]) -> list[list[str]]:
    """The improvement of the counts, drawn and from SQL, beside theory."""
    rows = []
    for r in records:
        if r["kind"] != "counts":
            continue
        published = "" if r["published"] is None else f"{r['published']:.1f}"
        name = f"{r['set']}{'' if r['own'] else ' (generated)'}"
        for how in ("drawn", "sql"):
            part = r[how]
            improvement = f"{part['improvement']:.1f} ± {part['error']:.1f}"
            row = [name, f"{r['k']}", "from SQL" if how == "sql" else how, improvement]
            theory = [f"{r['theory']:.1f}", f"{r['expected']:.1f}"]
            rows.append([*row, *theory, published, f"{part['coverage']:.1f}"])
    return rows
