"""The command line: `python -m benchmarks speed|accuracy|planning|fuzz|report`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks import accuracy, fuzz, planning, report, speed
from benchmarks.data import Source
from benchmarks.results import FOLDER


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one benchmark, or write the report. Returns the exit code."""
    given = _parser().parse_args(arguments)
    match given.name:
        case "report":
            return report.main(given.out, check=given.check)
        case "fuzz":
            return fuzz.main(fuzz.Plan(given.queries, given.texts, given.seed, given.processes), given.out)
        case "planning":
            planning.main(given.out, given.repeat)
            return 0
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
        command = _command(names, name, text)
        command.add_argument("--cache", type=Path, help="folder for generated data")
        command.add_argument("--data", type=Path, help="folder with your own copies of the papers' data")
        command.add_argument("--scale", type=float, default=1.0, help="share of the full size")
        if name == "speed":
            command.add_argument("--repeat", type=int, default=7, help="timings of each way")
        else:
            command.add_argument("--draws", type=int, default=100_000, help="draws from each mechanism")
            command.add_argument("--sql-draws", type=int, default=2_000, help="draws through SQL")
    timer = _command(names, "planning", planning.__doc__)
    timer.add_argument("--repeat", type=int, default=51, help="timings of each query")
    fuzzer = _command(names, "fuzz", fuzz.__doc__)
    fuzzer.add_argument("--queries", type=int, default=100_000, help="random queries")
    fuzzer.add_argument("--texts", type=int, default=200_000, help="damaged texts")
    fuzzer.add_argument("--seed", type=int, default=1, help="another seed tries other texts")
    fuzzer.add_argument("--processes", type=int, default=2, help="processes that share the work")
    writer = _command(names, "report", report.__doc__)
    writer.add_argument("--check", action="store_true", help="write nothing; fail if the README is stale")
    return parser


def _command(
    names: argparse._SubParsersAction[argparse.ArgumentParser], name: str, text: str | None
) -> argparse.ArgumentParser:
    command = names.add_parser(name, help=str(text).splitlines()[0])
    command.add_argument("--out", type=Path, default=FOLDER, help="folder with results")
    return command


if __name__ == "__main__":
    sys.exit(main())
