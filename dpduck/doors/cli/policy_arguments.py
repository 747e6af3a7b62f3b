"""The command lines of `dpduck suggest` and `dpduck policy`."""

from __future__ import annotations

import argparse

from dpduck.doors.cli.csv_arguments import add_csv_words
from dpduck.doors.cli.file_arguments import add_file, add_policies
from dpduck.doors.cli.shared_arguments import add_config, add_format, add_ledger, add_memory
from dpduck.doors.cli.usage import ArgumentParser

_SUGGEST = """\
Propose a policy script for FILE: whose rows each table holds, by constraints
and by the names of columns, with questions where that does not say enough, and
what each statement would allow. It looks at the schema alone, never at a row,
changes nothing, and its script is accepted as it stands. Read it before you
apply it: a name is a guess, and you know whose rows they are.

With --summaries it proposes private summaries instead: it plans the queries
that the ledger has charged once more, and says which summary would have
answered how many of them, and for how much. That is for who owns the data."""
_SUGGEST_EXAMPLES = """\
examples:
  dpduck suggest shop.duckdb > shop.policy.sql
  dpduck policy apply shop.duckdb shop.policy.sql
  dpduck suggest visits.csv > visits.policy.sql
  dpduck suggest shop.duckdb --summaries"""
_MISFITS = """\
Count the lines of a CSV file that are no rows, and the values of each column
that are not written as its values are, which are NULL: by what is on record of
how the file is read, or by what --type and the other options would make of it.
The counts are exact. They are for who owns the data, and are not charged."""
_POLICY = """\
Write the policies of FILE as a script, apply one, or say what one would change.
A database stores its policies. Those of other files stand in a script beside
them, visits.policy.sql beside visits.parquet, which every command reads."""
_EXPORT = """\
Print the policies of FILE as a script, which `dpduck policy apply` takes: to
keep under version control, or for another database of the same tables. Of a
Parquet or CSV file these are the policies in the script beside it, and those of
--unit and the other options, so that options become a script."""
_APPLY = """\
Run the statements of a script on FILE, all of them or none. Those that hold
already are passed over. For a Parquet or CSV file the script is checked against
its columns, and then put beside it. Nothing private is read or charged."""
_DIFF = """\
Print what a script would change: lines with - hold now and would not, lines
with + would be new. Nothing is changed. Exit code 1 if anything would be."""
_EXAMPLES = """\
examples:
  dpduck policy export shop.duckdb > shop.policy.sql
  dpduck policy diff shop.duckdb shop.policy.sql
  dpduck suggest visits.csv | dpduck policy apply visits.csv -"""


def add_suggest(commands: argparse._SubParsersAction[ArgumentParser]) -> None:
    """Add the command `suggest`."""
    suggest = commands.add_parser(
        "suggest",
        help="propose a policy from the schema alone",
        description=_SUGGEST,
        epilog=_SUGGEST_EXAMPLES,
        usage="dpduck suggest FILE [options]",
    )
    add_file(suggest)
    add_csv_words(suggest, has_format=False)
    suggest.add_argument(
        "--public",
        action="store_true",
        default=None,
        help="read the tables that are SET PUBLIC, and show which values they would make keys",
    )
    suggest.add_argument(
        "--summaries",
        action="store_true",
        default=None,
        help="propose summaries instead, from the queries in the ledger: what they would have cost",
    )
    add_ledger(suggest)
    add_config(suggest)


def add_misfits(commands: argparse._SubParsersAction[ArgumentParser]) -> None:
    """Add the command `misfits`."""
    misfits = commands.add_parser(
        "misfits",
        help="count the lines and values of a CSV file that no answer counts",
        description=_MISFITS,
        usage="dpduck misfits FILE [options]",
    )
    add_file(misfits)
    add_csv_words(misfits, has_format=True)
    add_memory(misfits)
    add_format(misfits, of_columns=True)
    add_config(misfits)


def add_policy(commands: argparse._SubParsersAction[ArgumentParser]) -> None:
    """Add the command `policy` with its actions."""
    policy = commands.add_parser(
        "policy", help="policies as a script: export, apply, diff", description=_POLICY, epilog=_EXAMPLES
    )
    actions = policy.add_subparsers(
        dest="action",
        metavar="ACTION",
        required=True,
        title="actions",
        help="what to do",
        parser_class=ArgumentParser,
    )
    export = actions.add_parser("export", help="print the policies as a script", description=_EXPORT)
    apply = actions.add_parser("apply", help="run the statements of a script", description=_APPLY)
    diff = actions.add_parser("diff", help="what a script would change", description=_DIFF)
    for action in (export, apply, diff):
        add_file(action)
    for action in (apply, diff):
        action.add_argument(
            "script",
            metavar="SCRIPT",
            nargs="?",
            help="a file of policy statements; - reads it from standard input (default: FILE's own "
            "name with .policy.sql)",
        )
    add_policies(export)
    add_ledger(apply)
    for action in (export, apply, diff):
        add_config(action)
