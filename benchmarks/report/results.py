"""Result files: one JSON object per line, each with all it takes to know where a figure came from."""

from __future__ import annotations

import json
import os
import platform
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from benchmarks.papers.data import SEED

FOLDER = Path(__file__).parents[1] / "results"
PACKAGES = ("duckdb", "numpy", "pyarrow", "sqlglot", "python-flint", "opendp")

Record = dict[str, Any]


@dataclass(frozen=True)
class Run:
    """What all lines of one run share."""

    benchmark: str
    facts: Record

    @classmethod
    def start(cls, benchmark: str, scale: float) -> Run:
        """Note the time, the commit, the versions and the machine."""
        at = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        common = {"commit": commit(), "packages": packages(), "machine": machine()}
        return cls(benchmark, {"benchmark": benchmark, "run": at, **common, "seed": SEED, "scale": scale})

    def write(self, folder: Path, records: Iterable[Record]) -> Path:
        """Add lines to the benchmark's result file."""
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{self.benchmark}.jsonl"
        with path.open("a", encoding="utf-8") as lines:
            lines.writelines(json.dumps({**self.facts, **record}) + "\n" for record in records)
        return path


def load(path: Path) -> list[Record]:
    """All lines of a result file; none if there is no file."""
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def last_run(records: Sequence[Record], duckdb: str | None = None) -> list[Record]:
    """The lines of the last full-size run, with that version of DuckDB if one is named."""
    full = [r for r in records if r["scale"] == 1 and duckdb in (None, r["packages"]["duckdb"])]
    return [r for r in full if r["run"] == full[-1]["run"]]


def commit() -> str:
    """The commit of the code, marked if files differ from it; "unknown" outside a repository."""
    command = ["git", "describe", "--always", "--dirty", "--exclude=*"]
    try:
        done = subprocess.run(command, cwd=FOLDER.parent, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return done.stdout.strip()


def packages() -> dict[str, str]:
    """The versions of what is installed of `PACKAGES`."""
    versions = {}
    for name in PACKAGES:
        try:
            versions[name] = version(name)
        except PackageNotFoundError:
            continue
    return versions


def machine() -> Record:
    """Processors, memory, system and Python."""
    facts: Record = {"cpus": os.cpu_count(), "python": platform.python_version(), "system": platform.system()}
    if hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
        pages, size = os.sysconf("SC_PHYS_PAGES"), os.sysconf("SC_PAGE_SIZE")
        facts["memory_gib"] = round(pages * size / 2**30, 1)
    return facts


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns of text, the first to the left and the others to the right.

    >>> print(table(["job", "s"], [["mode", "0.25"]]))
    job      s
    mode  0.25
    """
    widths = [max(len(row[i]) for row in [header, *rows]) for i in range(len(header))]
    lines = [[cell.rjust(w) for cell, w in zip(row, widths, strict=True)] for row in [header, *rows]]
    firsts = [row[0].ljust(widths[0]) for row in [header, *rows]]
    joined = ["  ".join([a, *b[1:]]).rstrip() for a, b in zip(firsts, lines, strict=True)]
    return "\n".join(joined)
