"""`python -m benchmarks speed`: dpduck beside plain DuckDB, and its mechanism beside OpenDP's."""

from __future__ import annotations

from pathlib import Path
from statistics import median

from benchmarks.papers.data import Source
from benchmarks.performance import rival
from benchmarks.performance.jobs import Job, jobs
from benchmarks.performance.timing import in_turns
from benchmarks.report.results import Record, Run, table

HEADER = ["job", "way", "seconds", "ratio", "target", "met"]


def main(source: Source, folder: Path, repeat: int) -> None:
    """Time every job, print a table, and add the timings to the result file."""
    run = Run.start("speed", source.scale)
    if not rival.installed():
        print(rival.MISSING)
    records: list[Record] = []
    for job in jobs(source):
        records += timed(job, repeat)
        print(f"{job.name}: done", flush=True)
    path = run.write(folder, records)
    print("\n" + table(HEADER, rows(records)) + f"\n\nWritten to {path.name}: run {run.facts['run']}.")


def timed(job: Job, repeat: int) -> list[Record]:
    """One record per way, with every timing."""
    seconds = in_turns(job.ways, repeat)
    medians = {way: median(times) for way, times in seconds.items()}
    return [
        {
            "job": job.name,
            "way": way,
            "seconds": [round(t, 6) for t in times],
            "median": round(medians[way], 6),
            "ratio": _ratio(job, way, medians),
            "most_ratio": job.ratios.get(way),
            "most_seconds": job.limits.get(way),
        }
        for way, times in seconds.items()
    ]


def _ratio(job: Job, way: str, medians: dict[str, float]) -> float | None:
    if job.baseline in (None, way):
        return None
    return round(medians[way] / medians[str(job.baseline)], 5)


def rows(records: list[Record]) -> list[list[str]]:
    """The records as cells of a table."""
    return [
        [r["job"], r["way"], _seconds(r["median"]), _times(r["ratio"]), target(r), met(r)] for r in records
    ]


def target(record: Record) -> str:
    """What the way may take, in words."""
    parts = [] if record["most_seconds"] is None else [f"{record['most_seconds']:g} s"]
    parts += [] if record["most_ratio"] is None else [_times(record["most_ratio"])]
    return " and ".join(parts)


def met(record: Record) -> str:
    """Whether all targets are met; empty where there are none."""
    pairs = [(record["median"], record["most_seconds"]), (record["ratio"], record["most_ratio"])]
    wanted = [value <= most for value, most in pairs if most is not None]
    return "" if not wanted else "yes" if all(wanted) else "no"


def _times(ratio: float | None) -> str:
    if ratio is None:
        return ""
    return f"{ratio:.2f}x" if ratio > 0.1 else f"1/{1 / ratio:.0f}"


def _seconds(seconds: float) -> str:
    return f"{seconds:.3f}" if seconds >= 0.01 else f"{seconds:.5f}"
