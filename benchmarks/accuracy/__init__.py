"""`python -m benchmarks accuracy`: tables of the errors that noise makes, computed from the package itself.

Each module of this folder is a section: its function `tables` returns tables, each with a name of its own. To
add a section, add a module; nothing else lists them.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from benchmarks.report.results import Record, Run, table


@dataclass(frozen=True)
class Table:
    """One table: its name, what its cells are, and its rows of text, the first row being the header."""

    name: str
    caption: str
    rows: tuple[tuple[str, ...], ...]

    def text(self) -> str:
        """The table in columns, under its name and caption."""
        return f"{self.name}: {self.caption}\n{table(self.rows[0], self.rows[1:])}"


def sections() -> list[str]:
    """The names of all sections."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__))


def tables(section: str) -> Sequence[Table]:
    """The tables of one section."""
    found: Sequence[Table] = import_module(f"{__name__}.{section}").tables()
    return found


def main(out: Path, only: Sequence[str] = ()) -> int:
    """Print the tables of some sections, all by default, and write them as results. Returns the exit code."""
    records: list[Record] = []
    run = Run.start("accuracy", 1)
    for section in only or sections():
        for one in tables(section):
            print(one.text(), end="\n\n")
            records.append({"section": section, "table": one.name, "rows": one.rows})
    print(f"written to {run.write(out, records)}")
    return 0
