"""`python -m benchmarks report`: the README's figures, from the result files, so that they cannot drift."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks import crash, fuzz, ledger, planning, race, tamper
from benchmarks.accuracy import COUNTS_HEADER, SELECTION_HEADER, counts_rows, selection_rows
from benchmarks.results import Record, last_run, load
from benchmarks.speed import HEADER, rows

README = Path(__file__).parent / "README.md"
START = "<!-- figures: written by `python -m benchmarks report` -->"


def main(folder: Path, *, check: bool = False) -> int:
    """Write the figures into the README, or only check that they are what the result files say."""
    text = README.read_text(encoding="utf-8")
    fresh = text.partition(START)[0] + START + "\n\n" + figures(folder)
    if check:
        if text != fresh:
            print("benchmarks/README.md is stale: python -m benchmarks report", file=sys.stderr)
        return int(text != fresh)
    README.write_text(fresh, encoding="utf-8")
    return 0


def figures(folder: Path) -> str:
    """All sections: speed for each version of DuckDB, then the others in order."""
    speeds = load(folder / "speed.jsonl")
    versions = sorted(
        {r["packages"]["duckdb"] for r in speeds if r["scale"] == 1}, key=_numbers, reverse=True
    )
    sections = [_speed(last_run(speeds, version)) for version in versions]
    for name, section in _SECTIONS.items():
        records = last_run(load(folder / f"{name}.jsonl"))
        sections += [section(records)] if records else []
    return "\n".join(sections) if sections else "No full-size run is on record.\n"


def _speed(records: list[Record]) -> str:
    repeat = len(records[0]["seconds"])
    title = f"## Speed on DuckDB {records[0]['packages']['duckdb']}"
    note = f"Medians of {repeat} timings of each way, taken in turns; ratios are to DuckDB's or OpenDP's way."
    return "\n\n".join([title, note, markdown(HEADER, rows(records)), _origin("speed", records)]) + "\n"


def _accuracy(records: list[Record]) -> str:
    parts = [
        "## Accuracy",
        "Expected error of permute-and-flip and of the exponential mechanism, in records (mode) and score "
        "units (median), at the epsilon where the exponential mechanism's is 25 or 50. Drawn errors are "
        "means, with one standard error, in so many draws; large errors are rare, so they converge slowly.",
        markdown(SELECTION_HEADER, selection_rows(records)),
        "Counts of the top k at epsilon 0.7: how much smaller their mean squared error is than that of "
        "measuring with half of epsilon. Theory is 2 (k - 1) / (3 k), at an even split; dpduck's split is "
        "not even where another is better (k = 24). Both leave out that a close selection favours items "
        "whose noise was large. Coverage is of the 95 % intervals.",
        markdown(COUNTS_HEADER, counts_rows(records)),
        _origin("accuracy", records),
    ]
    return "\n\n".join(parts) + "\n"


def _planning(records: list[Record]) -> str:
    title = f"## Planning on DuckDB {records[0]['packages']['duckdb']}"
    repeat, verdict = len(records[0]["seconds"]), planning.verdict(records)
    note = f"From SQL text to plan and score SQL, on TPC-H: medians of {repeat} timings, in turns. {verdict}"
    table = markdown(planning.HEADER, planning.rows(records))
    return "\n\n".join([title, note, table, _origin("planning", records)]) + "\n"


def _fuzz(records: list[Record]) -> str:
    parts = [f"## Fuzzing on DuckDB {records[0]['packages']['duckdb']}"]
    parts.append(markdown(fuzz.HEADER, fuzz.rows(records)))
    for record in records:
        if record["features"]:
            parts.append("Random queries by what is in them:")
            parts.append(markdown(fuzz.FEATURES, fuzz.feature_rows(record)))
        parts += [f"{count:,} failed: {fault}" for fault, count in record["faults"].items()]
    return "\n\n".join([*parts, _origin("fuzz", records)]) + "\n"


def _crash(records: list[Record]) -> str:
    parts = [
        "## Crashes",
        "Writers killed by SIGKILL, by what the last query of each had come to: nothing, a charge, or a "
        "charge and its answer in the ledger. " + crash.verdict(records),
        markdown(crash.HEADER, crash.rows(records)),
        "Processes that race for one budget, which they spend to its last charge:",
        markdown(race.HEADER, race.rows(records)),
        _origin("crash", records),
    ]
    return "\n\n".join(parts) + "\n"


def _tamper(records: list[Record]) -> str:
    parts = [
        "## Tampering",
        "Each byte of a small ledger's file is changed, one at a time. A change is noticed when the ledger "
        "is opened or verified, or without effect on what it says (unused space, counters of SQLite).",
        markdown(tamper.HEADER, tamper.rows(records)),
        _origin("tamper", records),
    ]
    return "\n\n".join(parts) + "\n"


def _ledger(records: list[Record]) -> str:
    parts = [
        "## Ledger",
        "Durable charges by processes that share one file, with its anchor, beside how often the disk alone "
        "takes as many bytes in the same run; one sync each.",
        markdown(ledger.CHARGES_HEADER, ledger.charges_rows(records)),
        "From text to rows, when the answer is in the ledger already:",
        markdown(ledger.REPLAY_HEADER, ledger.replay_rows(records)),
        ledger.DASHBOARD_NOTE,
        markdown(ledger.DASHBOARD_HEADER, ledger.dashboard_rows(records)),
        _origin("ledger", records),
    ]
    return "\n\n".join(parts) + "\n"


_SECTIONS = {
    "accuracy": _accuracy,
    "planning": _planning,
    "fuzz": _fuzz,
    "ledger": _ledger,
    "crash": _crash,
    "tamper": _tamper,
}


def _origin(name: str, records: list[Record]) -> str:
    """Which run the figures come from."""
    first = records[0]
    packages = ", ".join(f"{package} {version}" for package, version in first["packages"].items())
    machine = first["machine"]
    facts = f"{machine['cpus']} processors, {machine.get('memory_gib', '?')} GiB, Python {machine['python']}"
    return (
        f"From [results/{name}.jsonl](results/{name}.jsonl), run {first['run']}: commit {first['commit']}, "
        f"{packages}; {facts}; data seed {first['seed']}."
    )


def markdown(header: Sequence[str], cells: Sequence[Sequence[str]]) -> str:
    """A table; cells that repeat those above at the start of a row are left empty.

    >>> print(markdown(["a", "b"], [["x", "1"], ["x", "2"]]))
    | a | b |
    |---|---:|
    | x | 1 |
    |  | 2 |
    """
    lines = [list(header), ["---"] + ["---:"] * (len(header) - 1)]
    above: Sequence[str] = [""] * len(header)
    text = ["| " + " | ".join(lines[0]) + " |", "|" + "|".join(lines[1]) + "|"]
    for row in cells:
        same = 0
        while same < len(row) - 1 and row[: same + 1] == above[: same + 1]:
            same += 1
        text.append("| " + " | ".join([""] * same + list(row[same:])) + " |")
        above = row
    return "\n".join(text)


def _numbers(version: str) -> list[int]:
    return [int(part) for part in version.split(".") if part.isdigit()]
