"""`python -m benchmarks peers`: the same work with other tools, all of it or the jobs of `--only`."""

from __future__ import annotations

import argparse

from benchmarks.papers.data import Source
from benchmarks.peers import compare, tables


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command line, beside those of the data."""
    parser.add_argument("--only", action="append", choices=(*compare.JOBS, tables.JOB), help="a job")
    parser.add_argument("--repeat", type=int, default=3, help="timings of each tool")
    parser.add_argument(
        "--draws", type=int, default=compare.DRAWS, help="answers from which errors are measured"
    )
    parser.add_argument("--limit", type=float, help="seconds for one job of one tool")


def main(source: Source, given: argparse.Namespace) -> None:
    """Run the jobs that are named, all by default; each kind of error is a run of its own."""
    jobs = [job for job in compare.JOBS if job in (given.only or compare.JOBS)]
    if jobs:
        limit = given.limit or compare.LIMIT
        compare.main(source, given.out, given.repeat, given.draws, limit, jobs=jobs)
    if not given.only or tables.JOB in given.only:
        tables.main(source, given.out, given.repeat, given.limit or tables.LIMIT)
