"""Parsing of the command line. Nothing is opened here but the policy script beside files, if it is needed."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import NoReturn

from dpduck.answers.given_policies import policies_of_files
from dpduck.answers.other_errors import WantedError
from dpduck.doors.cli.audit_arguments import AUDIT, AUDIT_EXAMPLES, add_audit
from dpduck.doors.cli.completion import COMPLETION, add_completion
from dpduck.doors.cli.configuration import commands_of, read_configuration
from dpduck.doors.cli.console_arguments import (
    CONSOLE,
    CONSOLE_EXAMPLES,
    Browsing,
    add_browsing,
    take_browsing,
)
from dpduck.doors.cli.csv_arguments import take_csv_words
from dpduck.doors.cli.file_arguments import add_file, add_policies
from dpduck.doors.cli.gateway_arguments import (
    ANALYST,
    CHECK,
    SERVE,
    SERVE_EXAMPLES,
    Serving,
    add_analyst,
    add_check,
    add_serving,
    take_serving,
)
from dpduck.doors.cli.policy_arguments import add_misfits, add_policy, add_suggest
from dpduck.doors.cli.question_arguments import add_explain, add_query, add_shell
from dpduck.doors.cli.report_arguments import add_budget, add_charges
from dpduck.doors.cli.shared_arguments import add_config, add_ledger, add_losses, add_memory, add_room
from dpduck.doors.cli.usage import ArgumentParser, UsageError, argument, parse_name
from dpduck.engines.duckdb.path import DataPath
from dpduck.kernel.accounting.amounts import parse_budget
from dpduck.kernel.catalog.csv_format import CsvWords
from dpduck.kernel.catalog.domain_options import DomainOfColumn
from dpduck.kernel.catalog.model import fold
from dpduck.kernel.catalog.statements import (
    AddPrivacyKey,
    PolicyStatement,
    SetContribution,
    SetPrivacyDomain,
    TableName,
)
from dpduck.kernel.errors import DpduckError
from dpduck.kernel.errors.advice import Audience
from dpduck.kernel.ledger import Room
from dpduck.kernel.system.version import installed_version

OWNER_SESSION = "cli"
# Commands that answer: the others leave nothing behind, not even how a CSV file is read.
_RECORDING = ("query", "shell", "serve", "console")

_DESCRIPTION = """\
Differentially private answers out of DuckDB, from the SQL that you would write
anyway."""
_EXAMPLES = """\
examples:
  dpduck demo
  dpduck query retail.parquet --unit basket_id --domain item=0..16469 \\
      --epsilon 1 "SELECT item, count(*) AS n FROM retail
                   GROUP BY item ORDER BY n DESC LIMIT 10"
  dpduck explain shop.duckdb --epsilon 0.5 "SELECT median(age) FROM visits"
  dpduck budget shop.duckdb
  dpduck budget shop.duckdb --html budget.html
  dpduck ledger shop.duckdb --format json
  dpduck ledger shop.duckdb --verify
  dpduck ledger shop.duckdb --policies
  dpduck shell shop.duckdb --epsilon 0.5
  dpduck serve shop.duckdb --epsilon 0.5
  dpduck console shop.duckdb --epsilon 0.5

exit codes: 0 answered, 1 refused or failed, 2 bad usage, 130 interrupted"""

_DEMO = """\
Make a small shop with 20,000 people in it, ask it some questions in plain SQL,
and show the truth beside each private answer. Takes a few seconds and leaves
nothing behind."""


@dataclass(frozen=True)
class Arguments:
    """A parsed command line. Options that a command does not have are None.

    `sources`: for the fields that the environment or a file of settings has set, where that was.
    """

    command: str
    fail: Callable[[str], NoReturn]  # prints the usage and the reason; exit code 2
    file: DataPath = field(default_factory=lambda: DataPath(""))
    sql: str = ""
    unit: str | None = None
    domains: tuple[DomainOfColumn, ...] = ()
    groups: int | None = None
    rows: int | None = None
    csv: CsvWords = field(default_factory=CsvWords)
    wanted: WantedError | None = None
    intervals: bool | None = None
    setting: tuple[str, str] | None = None  # of `analyst set`
    script: str | None = None
    public: bool = False
    summaries: bool = False
    epsilon: Fraction | None = None
    delta: Fraction = Fraction(0)
    budget: Fraction | None = None
    fresh: bool = False
    noisy_averages: bool = False
    why: bool = False
    analyst: str | None = None
    ledger: str | None = None
    anchor: str | None = None
    format: str = "box"
    html: Path | None = None
    queries: Path | None = None
    details: Path | None = None
    seconds: int = 60
    export: Path | None = None
    verify: bool = False
    show_policies: bool = False
    backup: Path | None = None
    restore: Path | None = None
    upgrade: bool = False
    move: str | None = None
    force: bool = False
    since: datetime | None = None
    limit: int | None = None
    memory: str | None = None
    ledger_room: Room | None = None
    no_history: bool = False
    action: str = ""
    role: str | None = None
    no_password: bool = False
    grace: timedelta | None = None
    password_stdin: bool = False
    password_file: Path | None = None
    serving: Serving = field(default_factory=Serving)
    browsing: Browsing = field(default_factory=Browsing)
    config: Path | None = None
    sources: Mapping[str, str] = field(default_factory=dict)

    @property
    def session(self) -> str:
        """The session's name: all uses of the command line by one analyst are one session."""
        return self.analyst or OWNER_SESSION

    @property
    def ledger_path(self) -> str:
        """The ledger's location: by default beside the file or folder. Errors: LedgerError."""
        return self.file.ledger if self.ledger is None else self.ledger

    @property
    def ledger_is_shared(self) -> bool:
        """Whether the ledger is a database, with a clock of its own. Its URL may contain a password."""
        return "://" in self.ledger_path

    @property
    def ledger_name(self) -> str:
        """The ledger's location for display: a URL is shortened, since it may contain a password."""
        scheme, found, _ = self.ledger_path.partition("://")
        return f"{scheme}://..." if found else self.ledger_path

    @property
    def to_add_analyst(self) -> str:
        """The command that lets somebody log in with the same settings, for display."""
        words = ["dpduck", "analyst", "add", str(self.file), "NAME"]
        if self.config is not None:
            words += ["--config", str(self.config)]
        for name, place in (("ledger", self.ledger and self.ledger_name), ("anchor", self.anchor)):
            # What the file of settings says, the command finds there too.
            if place and not (self.config is not None and name in self.sources):
                words += [f"--{name}", place]
        return shlex.join(words)

    @property
    def anchor_path(self) -> str:
        """The anchor's location: by default beside the ledger."""
        return f"{self.ledger_path}.anchor" if self.anchor is None else self.anchor

    @property
    def is_database(self) -> bool:
        """Whether the file stores its own policies."""
        return self.file.is_database

    @property
    def audience(self) -> Audience:
        """The audience of hints."""
        return Audience.COMMAND_ON_DATABASE if self.is_database else Audience.COMMAND_ON_FILE

    @property
    def declares(self) -> bool:
        """Whether options say what is private in the file."""
        bounds = self.groups is not None or self.rows is not None
        return self.unit is not None or bool(self.domains) or bounds or bool(self.csv)

    @cached_property
    def policies(self) -> tuple[PolicyStatement, ...]:
        """The policies of a file: those of the script beside it, and then those that options declare.

        Errors: UsageError on a database; as of `policies_of_files`.
        """
        if self.is_database and self.declares:
            self.file.check()
            raise UsageError(
                "--unit, --domain, --groups, --rows and --type are for files that store no policies",
                detail=f"The policies of {self.file} are stored in it.",
                hint=f'dpduck query {self.file} "ALTER TABLE t ADD PRIVACY_KEY (column)" sets one.',
            )
        table = TableName(self.file.table)
        said: list[PolicyStatement] = [] if self.unit is None else [AddPrivacyKey(table, self.unit)]
        said += [
            SetPrivacyDomain(table, column, domain, or_null=or_null)
            for column, domain, or_null in self.domains
        ]
        if self.groups is not None or self.rows is not None:
            said.append(SetContribution(table, self.groups, self.rows))
        return policies_of_files(
            self.file,
            tuple(said),
            self.csv,
            by_owner=self.analyst is None,
            records=self.command in _RECORDING,
        )


def read_arguments(arguments: Sequence[str] | None, speaker: str | None = None) -> Arguments:
    """Parse a command line, with the settings of the environment and of a file for what it leaves out.

    Input: `speaker`: the command that errors name, if it is not the one that is parsed.
    Errors: SystemExit, after the help or an error was printed.
    """
    parser, words = make_parser(), sys.argv[1:] if arguments is None else list(arguments)
    if speaker is not None:
        _parser_of(parser, words).prog = speaker
    try:
        settings = read_configuration(parser, words, os.environ)
    except DpduckError as error:
        _parser_of(parser, words).error(str(error))
    namespace, unknown = parser.parse_known_args(settings.words)
    if unknown:
        _parser_of(parser, words).error(f"unrecognized arguments: {' '.join(unknown)}")
    fields = vars(namespace)
    unset = {name: value for name, value in settings.values.items() if fields.get(name) is None}
    fields |= unset
    fields["sources"] = {
        name: settings.sources[name] for name in (*unset, "file") if name in settings.sources
    }
    fields["domains"] = tuple(fields.get("domains") or ())
    fields["csv"] = take_csv_words(fields)
    fields["browsing"] = take_browsing(fields)
    fields["serving"] = take_serving(fields)
    options = Arguments(**{name: value for name, value in fields.items() if value is not None})
    columns = [fold(column) for column, _, _ in options.domains]
    twice = next((column for column in columns if columns.count(column) > 1), None)
    if twice is not None:
        options.fail(
            str(UsageError(f"column {twice} has two domains", hint="Give --domain once per column."))
        )
    return options


def _parser_of(parser: argparse.ArgumentParser, words: Sequence[str]) -> argparse.ArgumentParser:
    """The parser of the command in a command line, which says how that is used."""
    commands = commands_of(parser)
    return next((commands[path] for path in (tuple(words[:2]), tuple(words[:1])) if path in commands), parser)


def make_parser() -> argparse.ArgumentParser:
    """The parser of the command line, which also prints the help."""
    parser = ArgumentParser(prog="dpduck", description=_DESCRIPTION, epilog=_EXAMPLES)
    parser.add_argument("--version", action="version", version=f"dpduck {installed_version()}")
    commands = parser.add_subparsers(
        dest="command", metavar="COMMAND", required=True, parser_class=ArgumentParser, title="commands"
    )
    commands.add_parser("demo", help="see it work, in a few seconds", description=_DEMO)
    for add in (
        add_query,
        add_explain,
        add_suggest,
        add_misfits,
        add_policy,
        add_budget,
        add_charges,
        add_shell,
    ):
        add(commands)
    _add_gateway(commands)
    _add_audit(commands)
    completion = commands.add_parser(
        "completion", help="complete commands and options in bash or zsh", description=COMPLETION
    )
    add_completion(completion)
    for command in commands_of(parser).values():
        command.set_defaults(fail=command.error)
    return parser


def _add_gateway(commands: argparse._SubParsersAction[ArgumentParser]) -> None:
    serve = commands.add_parser(
        "serve",
        help="answer analysts over the Postgres wire protocol",
        description=SERVE,
        epilog=SERVE_EXAMPLES,
        usage="dpduck serve FILE [options]",
    )
    console = commands.add_parser(
        "console",
        help="dpduck in a browser",
        description=CONSOLE,
        epilog=CONSOLE_EXAMPLES,
        usage="dpduck console FILE [options]",
    )
    for command in (serve, console):
        _add_data(command)
        add_memory(command)
        add_room(command)
        costs = command.add_argument_group("what each query costs, unless a session says otherwise")
        add_losses(costs)
        costs.add_argument(
            "--budget",
            metavar="B",
            type=argument(parse_budget),
            help="the most that one session may spend: a guard against slips, since there may be another one",
        )
    add_serving(serve, argument)
    add_browsing(console, argument)
    add_check(
        commands.add_parser(
            "check",
            help="what is dangerous about a server's settings",
            description=CHECK,
            usage="dpduck check [CONFIG]",
        )
    )
    analyst = commands.add_parser("analyst", help="who may log in to serve", description=ANALYST)
    add_analyst(analyst, argument, parse_name)


def _add_audit(commands: argparse._SubParsersAction[ArgumentParser]) -> None:
    audit = commands.add_parser(
        "audit",
        help="try to tell a person's presence from the answers",
        description=AUDIT,
        epilog=AUDIT_EXAMPLES,
        usage="dpduck audit FILE [options]",
    )
    _add_data(audit)
    add_audit(audit, argument)


def _add_data(command: argparse.ArgumentParser) -> None:
    add_file(command)
    add_policies(command)
    add_ledger(command)
    add_config(command)
