"""`python -m benchmarks report`: the README's figures, from the result files, so that they cannot drift."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.attacks import audit, crash, fuzz, promises, race, tamper
from benchmarks.performance import gateway, ledger, planning, summary_dashboard
from benchmarks.performance.speed import HEADER, rows
from benchmarks.report import gallery, plots
from benchmarks.report.results import Record, last_run, load
from benchmarks.report.text import markdown, origin
from benchmarks.semantics import command as semantics

README = Path(__file__).parents[1] / "README.md"
START = "<!-- figures: written by `python -m benchmarks report` -->"


def main(folder: Path, *, check: bool = False, readme: Path = README) -> int:
    """Write the figures into the README and draw those of the papers, or only check that all is fresh.

    Fresh: the README says what the result files say, and every picture that it shows is there. Without
    matplotlib nothing is drawn, and that is said.
    """
    text = readme.read_text(encoding="utf-8")
    fresh = text.partition(START)[0] + START + "\n\n" + figures(folder)
    pictures = readme.parent / plots.FOLDER.name
    if check:
        return _complain(gallery.missing(folder, pictures), stale=text != fresh)
    readme.write_text(fresh, encoding="utf-8")
    if not plots.installed():
        print(plots.MISSING, file=sys.stderr)
        return 1
    gallery.draw(folder, pictures)
    return 0


def _complain(missing: Sequence[Path], *, stale: bool) -> int:
    """What is not fresh, on stderr. Returns the exit code."""
    if stale:
        print("benchmarks/README.md is stale: python -m benchmarks report", file=sys.stderr)
    for path in missing:
        print(f"{path.name} is missing: python -m benchmarks report", file=sys.stderr)
    return int(stale or bool(missing))


def figures(folder: Path) -> str:
    """All sections: speed for each version of DuckDB, then the others in order."""
    speeds = load(folder / "speed.jsonl")
    versions = sorted(
        {r["packages"]["duckdb"] for r in speeds if r["scale"] == 1}, key=_numbers, reverse=True
    )
    sections = [_speed(last_run(speeds, version)) for version in versions]
    for name, section in _SECTIONS.items():
        records = _LAST.get(name, last_run)(load(folder / f"{name}.jsonl"))
        sections += [section(records)] if records else []
    sections += gallery.sections(folder)
    return "\n".join(sections) if sections else "No full-size run is on record.\n"


def _speed(records: list[Record]) -> str:
    repeat = len(records[0]["seconds"])
    title = f"## Speed on DuckDB {records[0]['packages']['duckdb']}"
    note = f"Medians of {repeat} timings of each way, taken in turns; ratios are to DuckDB's or OpenDP's way."
    return "\n\n".join([title, note, markdown(HEADER, rows(records)), origin("speed", records)]) + "\n"


def _planning(records: list[Record]) -> str:
    title = f"## Planning on DuckDB {records[0]['packages']['duckdb']}"
    repeat, verdict = len(records[0]["seconds"]), planning.verdict(records)
    note = f"From SQL text to plan and score SQL, on TPC-H: medians of {repeat} timings, in turns. {verdict}"
    table = markdown(planning.HEADER, planning.rows(records))
    return "\n\n".join([title, note, table, origin("planning", records)]) + "\n"


def _fuzz(records: list[Record]) -> str:
    parts = [f"## Fuzzing on DuckDB {records[0]['packages']['duckdb']}"]
    parts.append(markdown(fuzz.HEADER, fuzz.rows(records)))
    for record in records:
        if record["features"]:
            parts.append("Random queries by what is in them:")
            parts.append(markdown(fuzz.FEATURES, fuzz.feature_rows(record)))
        parts += [f"{count:,} failed: {fault}" for fault, count in record["faults"].items()]
    return "\n\n".join([*parts, origin("fuzz", records)]) + "\n"


def _rows(records: list[Record]) -> str:
    parts = [
        f"## Row expressions on DuckDB {records[0]['packages']['duckdb']}",
        "Random expressions over columns of all types, on rows with extreme values: none may fail on a row, "
        "and each is of the type that is claimed.",
        markdown(fuzz.HEADER, fuzz.rows(records)),
        *(f"{count:,} failed: {fault}" for record in records for fault, count in record["faults"].items()),
        origin("rows", records),
    ]
    return "\n\n".join(parts) + "\n"


def _semantics(records: list[Record]) -> str:
    note = (
        "Expressions of all functions and operators, of columns, literals, casts of literals, NULL, "
        "ends of types, subqueries of constants and lists, at each place of a query, without noise: each "
        "answer has the values and the type of plain DuckDB. Differences that are written down have a "
        "reason in `semantics/known.py`."
    )
    title = "## Answers beside plain DuckDB"
    table = markdown(semantics.HEADER, semantics.rows(records))
    return "\n\n".join([title, note, table, origin("semantics", records)]) + "\n"


def _derived(records: list[Record]) -> str:
    whole = fuzz.added(records)
    seeds = ", ".join(str(r["seed"]) for r in records)
    parts = [
        f"## Queries over what is computed of each person on DuckDB {whole['packages']['duckdb']}",
        "Random queries of several blocks, with totals, nested columns and tables that are computed of each "
        "person first: without one customer, no score of a block may move further than declared. "
        f"Seeds: {seeds}.",
        markdown(fuzz.HEADER, fuzz.rows([whole])),
        markdown(fuzz.FEATURES, fuzz.feature_rows(whole)),
        *(f"{count:,} failed: {fault}" for fault, count in whole["faults"].items()),
        origin("derived", records),
    ]
    return "\n\n".join(parts) + "\n"


def _crash(records: list[Record]) -> str:
    parts = [
        "## Crashes",
        "Writers killed by SIGKILL, by what the last query of each had come to: nothing, a charge, or a "
        "charge and its answer in the ledger. " + crash.verdict(records),
        markdown(crash.HEADER, crash.rows(records)),
        "Processes that race for one budget, which they spend to its last charge:",
        markdown(race.HEADER, race.rows(records)),
        origin("crash", records),
    ]
    return "\n\n".join(parts) + "\n"


def _tamper(records: list[Record]) -> str:
    parts = [
        "## Tampering",
        "Each byte of a small ledger's file is changed, one at a time. A change is noticed when the ledger "
        "is opened or verified, or without effect on what it says (unused space, counters of SQLite).",
        markdown(tamper.HEADER, tamper.rows(records)),
        origin("tamper", records),
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
        origin("ledger", records),
    ]
    return "\n\n".join(parts) + "\n"


def _gateway(records: list[Record]) -> str:
    parts = [
        f"## Gateway on DuckDB {records[0]['packages']['duckdb']}",
        "The Postgres gateway beside `db.execute` on the same file, in turns (`--quantum 0`); replays by "
        "pgbench; 64 clients for a minute on a budget that runs out; broken messages over sockets.",
        markdown(gateway.HEADER, gateway.rows(records)),
        origin("gateway", records),
    ]
    return "\n\n".join(parts) + "\n"


def _dashboard(records: list[Record]) -> str:
    parts = [
        f"## A dashboard on a private summary, on DuckDB {records[0]['packages']['duckdb']}",
        "Twelve charts of 48,842 people with random slicers, refreshed through the gateway with "
        "`dp_summaries = only`: what was charged above 0, the milliseconds of a query, how many charts did "
        "not add up to another that is their total, and how often intervals of cells fixed beforehand held "
        "the truth over releases of their own.",
        markdown(summary_dashboard.HEADER, summary_dashboard.rows(records)),
        origin("dashboard", records),
    ]
    return "\n\n".join(parts) + "\n"


def _promises(records: list[Record]) -> str:
    parts = [
        "## What EXPLAIN promises",
        f"{records[0]['runs']} runs of each query, and by how much its numbers miss the truth: *promised* is "
        "what EXPLAIN says that 95 % stay within, *real 95 %* what they did, *kept* the share that did, and "
        "*by noise alone* that share if noise had no part in what is shown. " + promises.summary(records),
        markdown(promises.HEADER, promises.rows(records)),
        origin("promises", records),
    ]
    return "\n\n".join(parts) + "\n"


def _audit(records: list[Record]) -> str:
    table = markdown(audit.HEADER, audit.rows(records))
    note = (
        "The highest lower bound on epsilon that draws of each mechanism gave, over all pairs; each is wrong "
        "with a chance of 1 in 1,000,000,000 at most. Draws: on each side of the worst pair, then of others."
    )
    note += audit.missing(records)
    last = [max(records, key=lambda record: record["run"])]  # each mechanism may have had a run of its own
    return "\n\n".join(["## Statistical audit", note, table, origin("audit", last)]) + "\n"


_SECTIONS = {
    "planning": _planning,
    "fuzz": _fuzz,
    "rows": _rows,
    "derived": _derived,
    "semantics": _semantics,
    "ledger": _ledger,
    "gateway": _gateway,
    "dashboard": _dashboard,
    "crash": _crash,
    "tamper": _tamper,
    "audit": _audit,
    "promises": _promises,
}
_LAST = {
    "audit": audit.latest,
    "derived": fuzz.latest,
    "semantics": semantics.latest,
}  # where a run may be a part of what is shown


def _numbers(version: str) -> list[int]:
    return [int(part) for part in version.split(".") if part.isdigit()]
