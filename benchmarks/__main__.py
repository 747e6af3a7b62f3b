"""The command line: `python -m benchmarks speed|accuracy|report`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks import accuracy, report, speed
from benchmarks.data import Source
from benchmarks.results import FOLDER


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one benchmark, or write the report. Returns the exit code."""
    given = _parser().parse_args(arguments)
    if given.name == "report":
        return report.main(given.out, check=given.check)
    source = Source.of(given.cache, given.data, given.scale)
    if given.name == "speed":
        speed.main(source, given.out, given.repeat)
    else:
        accuracy.main(source, given.out, accuracy.Draws(given.draws, given.sql_draws))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    names = parser.add_subparsers(dest="name", required=True)
    for name, text in (("speed", speed.__doc__), ("accuracy", accuracy.__doc__)):
        command = names.add_parser(name, help=str(text).splitlines()[0])
        command.add_argument("--cache", type=Path, help="folder for generated data")
        command.add_argument("--data", type=Path, help="folder with your own copies of the papers' data")
        command.add_argument("--scale", type=float, default=1.0, help="share of the full size")
        command.add_argument("--out", type=Path, default=FOLDER, help="folder for results")
        if name == "speed":
            command.add_argument("--repeat", type=int, default=7, help="timings of each way")
        else:
            command.add_argument("--draws", type=int, default=100_000, help="draws from each mechanism")
            command.add_argument("--sql-draws", type=int, default=2_000, help="draws through SQL")
    writer = names.add_parser("report", help=str(report.__doc__).splitlines()[0])
    writer.add_argument("--out", type=Path, default=FOLDER, help="folder with results")
    writer.add_argument("--check", action="store_true", help="write nothing; fail if the README is stale")
    return parser


if __name__ == "__main__":
    sys.exit(main())
