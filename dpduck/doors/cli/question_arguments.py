"""The command lines of `dpduck query`, `dpduck explain` and `dpduck shell`."""

from __future__ import annotations

import argparse
import math
from contextlib import suppress

from dpduck.answers.other_errors import WantedError
from dpduck.doors.cli.file_arguments import add_file, add_policies
from dpduck.doors.cli.shared_arguments import (
    add_asker,
    add_config,
    add_costs,
    add_format,
    add_intervals,
    add_ledger,
    add_memory,
    add_room,
)
from dpduck.doors.cli.usage import ArgumentParser, argument
from dpduck.kernel.errors import ParameterError

_QUERY = """\
Answer one SQL statement. It is charged to the ledger before any private row is
read; a statement that is refused is not charged.

FILE is a DuckDB database, whose policies are stored in it, or a Parquet or CSV
file, which is one table named after the file and takes its policy from --unit
and --domain, or from visits.policy.sql beside visits.csv, of which `dpduck
suggest` proposes one. So is a folder of such files, or a pattern in quotes, and
the table is named after the folder. On a database the owner also sets policies:
  dpduck query FILE "ALTER TABLE visits ADD PRIVACY_KEY (visitor)"
A database does not take --unit and --domain."""
_QUERY_EXAMPLES = """\
examples:
  dpduck query visits.csv --unit visitor --domain sex=f,m --epsilon 0.5 \\
      "SELECT sex, count(*) FROM visits GROUP BY sex"
  dpduck query visits.csv --unit visitor --epsilon 0.5 \\
      --domain day=2024-01-01..2024-12-31 "SELECT median(day) FROM visits"
  dpduck query 'data/year=2024/*.parquet' --unit visitor --epsilon 0.5 \\
      --memory 2GB "SELECT count(*) FROM data WHERE month = 1"
  dpduck query shop.duckdb --epsilon 1 --budget 3 --format json - < question.sql"""
_EXPLAIN = """\
Show what a query would do, what it would cost and how exact its answer would
be. Nothing is charged, no private row is read, and the ledger is only read. It
takes the options of query, so that you can turn one into the other."""
_EXPLAIN_EXAMPLES = """\
examples:
  dpduck explain shop.duckdb --epsilon 0.5 "SELECT median(age) FROM visits"
  dpduck explain shop.duckdb --error 20 "SELECT count(*) AS n FROM visits\""""
_SHELL = """\
Ask one question after another. What a query costs is said before it runs, and
one that takes more than a fifth of what is left is asked about first. Tab
completes names, Ctrl-C stops a query, .help lists the shell's own commands.
SET dp_epsilon = 0.5 holds until it is set again.

Statements may also be piped in. Then answers alone are printed to stdout, the
first error ends it with exit code 1, and nothing is asked: what is written in a
file is meant. With .confirm 0.2 a query that takes more than a fifth of what is
left is an error instead."""
_SHELL_EXAMPLES = """\
examples:
  dpduck shell shop.duckdb --epsilon 0.5 --budget 3
  dpduck shell visits.csv --unit visitor --epsilon 0.5 < questions.sql"""


def add_query(commands: argparse._SubParsersAction[ArgumentParser]) -> None:
    """Add the command `query`."""
    query = commands.add_parser(
        "query",
        help="answer one SQL statement privately",
        description=_QUERY,
        epilog=_QUERY_EXAMPLES,
        usage="dpduck query FILE SQL --epsilon E [options]",
    )
    _add_question(query)
    add_intervals(query)
    query.add_argument(
        "--noisy-averages",
        action="store_true",
        default=None,
        help="show averages even where noise is as large as the number of their values",
    )
    query.add_argument("--why", action="store_true", help="say all there is to say of the answer")


def add_explain(commands: argparse._SubParsersAction[ArgumentParser]) -> None:
    """Add the command `explain`."""
    explain = commands.add_parser(
        "explain",
        help="what a query would do, cost and be worth",
        description=_EXPLAIN,
        epilog=_EXPLAIN_EXAMPLES,
        usage="dpduck explain FILE SQL (--epsilon E | --error E) [options]",
    )
    _add_question(explain)
    explain.add_argument(
        "--error",
        dest="wanted",
        metavar="E|COL=E",
        type=argument(parse_wanted),
        help="find the epsilon at which each number, or that of a column, is within E of the truth at 95 %%",
    )


def add_shell(commands: argparse._SubParsersAction[ArgumentParser]) -> None:
    """Add the command `shell`."""
    shell = commands.add_parser(
        "shell",
        help="ask one question after another",
        description=_SHELL,
        epilog=_SHELL_EXAMPLES,
        usage="dpduck shell FILE [options]",
    )
    add_file(shell)
    _add_asking(shell)
    add_intervals(shell)
    shell.add_argument(
        "--no-history", action="store_true", default=None, help="do not remember what was typed"
    )


def _add_question(command: argparse.ArgumentParser) -> None:
    add_file(command)
    command.add_argument("sql", metavar="SQL", help="one statement; - reads it from standard input")
    _add_asking(command)
    command.add_argument(
        "--fresh",
        action="store_true",
        default=None,
        help="ask for a new answer, and pay, even where an earlier one would be given again for nothing",
    )


def _add_asking(command: argparse.ArgumentParser) -> None:
    add_costs(command)
    add_memory(command)
    add_room(command)
    add_policies(command, has_format=True)
    add_asker(command)
    add_ledger(command)
    add_config(command)
    add_format(command, of_columns=True)


def parse_wanted(text: str) -> WantedError:
    """Parse E or COL=E. Errors: ParameterError.

    >>> parse_wanted("n=20")
    WantedError(within=20.0, column='n')
    """
    column, found, number = text.rpartition("=")
    with suppress(ValueError):
        within = float(number)
        if 0 < within < math.inf and bool(column) == bool(found):
            return WantedError(within, column or None)
    raise ParameterError(
        f"{text[:60]!r} is not an error",
        detail="It is how far a number may be from the truth, in its own units: more than 0.",
        hint="Write --error 20, or --error n=20 for the column n.",
    )
