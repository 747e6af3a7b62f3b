"""Parsing of the command line. Nothing is opened here."""

from __future__ import annotations

import argparse
import csv
import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from fractions import Fraction
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NoReturn, TypeVar

from dpduck.accounting.amounts import parse_budget, parse_delta, parse_epsilon, parse_memory
from dpduck.catalog.model import fold
from dpduck.catalog.statements import (
    AddPrivacyKey,
    DomainRange,
    DomainValues,
    PolicyStatement,
    SetPrivacyDomain,
    TableName,
)
from dpduck.catalog.types import parse_moment, parse_number
from dpduck.cli.audit_arguments import AUDIT, AUDIT_EXAMPLES, add_audit
from dpduck.cli.completion import COMPLETION, add_completion
from dpduck.cli.configuration import commands_of, read_configuration
from dpduck.cli.console_arguments import CONSOLE, CONSOLE_EXAMPLES, Browsing, add_browsing, take_browsing
from dpduck.cli.gateway_arguments import (
    ANALYST,
    CHECK,
    SERVE,
    SERVE_EXAMPLES,
    Serving,
    add_analyst,
    add_check,
    add_config,
    add_serving,
    take_serving,
)
from dpduck.cli.ledger_arguments import add_ledger_care, add_selection
from dpduck.console.tables import FORMATS
from dpduck.engines.duckdb.path import DataPath
from dpduck.errors import DpduckError, ParameterError
from dpduck.errors.advice import Audience
from dpduck.ledger import parse_place

_T = TypeVar("_T")

OWNER_SESSION = "cli"
EXPORT_SUFFIXES = (".parquet", ".csv")

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

_QUERY = """\
Answer one SQL statement. It is charged to the ledger before any private row is
read; a statement that is refused is not charged.

FILE is a DuckDB database, whose policies are stored in it, or a Parquet or CSV
file, which is one table named after the file and takes its policy from --unit
and --domain. So is a folder of such files, or a pattern in quotes, and the
table is named after the folder. On a database the owner also sets policies:
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
_BUDGET = """\
Show what may be spent and what is spent: from the command line, on each table,
and on the people in it. With --format csv, json or markdown: one row for each
account. With --html: a page that also shows what was spent when and by whom,
and when each account runs out at this pace."""
_LEDGER = """\
Show the charges made, one row each, in the order in which they were made.

Each entry of the ledger seals all before it, so that none can be changed or
taken out: --verify computes all of them again, and fails at the first that is
not what it was. With --policies: who changed which policy, budget or analyst,
when and in which words, with the digest of the whole policy after it.

Whoever keeps the head that --verify prints, or an --anchor, also notices a
ledger that was cut or exchanged.

--backup copies the ledger while it is charged, and --restore puts such a copy
in its place: not one that its anchor is ahead of, unless with --force, which is
on record. --move takes it to another place or store, and closes it here."""
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
_DEMO = """\
Make a small shop with 20,000 people in it, ask it some questions in plain SQL,
and show the truth beside each private answer. Takes a few seconds and leaves
nothing behind."""


DomainOfColumn = tuple[str, DomainRange | DomainValues, bool]  # and whether NULL is a key as well

_OR_NULL = re.compile(r"\s+or\s+null\s*\Z", re.IGNORECASE)


class UsageError(ParameterError):
    """The arguments do not fit together: exit code 2."""


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
    epsilon: Fraction | None = None
    delta: Fraction = Fraction(0)
    budget: Fraction | None = None
    fresh: bool = False
    noisy_averages: bool = False
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
    def policies(self) -> tuple[PolicyStatement, ...]:
        """The policies that --unit and --domain declare for a file. Errors: UsageError on a database."""
        if self.is_database and (self.unit is not None or self.domains):
            raise UsageError(
                "--unit and --domain are for Parquet and CSV files",
                detail=f"The policies of {self.file} are stored in it.",
                hint=f'dpduck query {self.file} "ALTER TABLE t ADD PRIVACY_KEY (column)" sets one.',
            )
        table = TableName(self.file.table)
        unit = () if self.unit is None else (AddPrivacyKey(table, self.unit),)
        domains = (
            SetPrivacyDomain(table, column, domain, or_null=or_null)
            for column, domain, or_null in self.domains
        )
        return (*unit, *domains)


def read_arguments(arguments: Sequence[str] | None) -> Arguments:
    """Parse a command line, with the settings of the environment and of a file for what it leaves out.

    Errors: SystemExit, after the help or an error was printed.
    """
    parser, words = make_parser(), sys.argv[1:] if arguments is None else list(arguments)
    try:
        settings = read_configuration(parser, words, os.environ)
    except DpduckError as error:
        _parser_of(parser, words).error(str(error))
    fields = vars(parser.parse_args(settings.words))
    unset = {name: value for name, value in settings.values.items() if fields.get(name) is None}
    fields |= unset
    fields["sources"] = {
        name: settings.sources[name] for name in (*unset, "file") if name in settings.sources
    }
    fields["domains"] = tuple(fields.get("domains") or ())
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
    parser = _ArgumentParser(prog="dpduck", description=_DESCRIPTION, epilog=_EXAMPLES)
    parser.add_argument("--version", action="version", version=f"dpduck {_version()}")
    commands = parser.add_subparsers(
        dest="command", metavar="COMMAND", required=True, parser_class=_ArgumentParser, title="commands"
    )
    commands.add_parser("demo", help="see it work, in a few seconds", description=_DEMO)
    query = commands.add_parser(
        "query",
        help="answer one SQL statement privately",
        description=_QUERY,
        epilog=_QUERY_EXAMPLES,
        usage="dpduck query FILE SQL --epsilon E [options]",
    )
    explain = commands.add_parser(
        "explain",
        help="what a query would do, cost and be worth",
        description=_EXPLAIN,
        usage="dpduck explain FILE SQL --epsilon E [options]",
    )
    budget = commands.add_parser(
        "budget",
        help="what may be spent, and what is spent",
        description=_BUDGET,
        usage="dpduck budget FILE [options]",
    )
    ledger = commands.add_parser(
        "ledger", help="the charges made", description=_LEDGER, usage="dpduck ledger FILE [options]"
    )
    shell = commands.add_parser(
        "shell",
        help="ask one question after another",
        description=_SHELL,
        epilog=_SHELL_EXAMPLES,
        usage="dpduck shell FILE [options]",
    )
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
    check = commands.add_parser(
        "check",
        help="what is dangerous about a server's settings",
        description=CHECK,
        usage="dpduck check [CONFIG]",
    )
    analyst = commands.add_parser("analyst", help="who may log in to serve", description=ANALYST)
    completion = commands.add_parser(
        "completion", help="complete commands and options in bash or zsh", description=COMPLETION
    )
    audit = commands.add_parser(
        "audit",
        help="try to tell a person's presence from the answers",
        description=AUDIT,
        epilog=AUDIT_EXAMPLES,
        usage="dpduck audit FILE [options]",
    )
    for command in (query, explain, budget, ledger, shell, serve, console, audit):
        _add_file(command)
    for command in (query, explain):
        command.add_argument("sql", metavar="SQL", help="one statement; - reads it from standard input")
        _add_costs(command)
        _add_fresh(command)
    query.add_argument(
        "--noisy-averages",
        action="store_true",
        default=None,
        help="show averages even where noise is as large as the number of their values",
    )
    _add_costs(shell)
    _add_memory(query, explain, shell, serve, console)
    _add_session_costs(serve, console)
    for command in (query, explain, budget, shell, serve, console, audit):
        _add_policies(command)
    for command in (query, explain, budget, ledger, shell):
        _add_analyst(command)
    for command in (query, explain, budget, ledger, shell, serve, console, audit):
        _add_ledger(command)
        add_config(command)
    add_serving(serve, _argument)
    add_browsing(console, _argument)
    add_check(check)
    add_analyst(analyst, _argument, _name)
    add_audit(audit, _argument)
    add_completion(completion)
    for command in (query, explain, shell):
        _add_format(command)
    shell.add_argument(
        "--no-history", action="store_true", default=None, help="do not remember what was typed"
    )
    _add_outputs(budget, ledger)
    for command in commands.choices.values():
        command.set_defaults(fail=command.error)
    return parser


class _ArgumentParser(argparse.ArgumentParser):
    """Accepts no abbreviated options, and keeps the line breaks of its texts."""

    def __init__(self, *arguments: object, **options: object) -> None:
        super().__init__(  # type: ignore[misc]
            *arguments,  # type: ignore[arg-type]
            **options,  # type: ignore[arg-type]
            allow_abbrev=False,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )


def _version() -> str:
    try:
        return version("dpduck")
    except PackageNotFoundError:
        return "(not installed)"


def _add_file(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "file",
        metavar="FILE",
        type=DataPath,
        help="a .duckdb, .parquet or .csv file, or a folder or a quoted pattern of Parquet or CSV files",
    )


def _add_memory(*commands: argparse.ArgumentParser) -> None:
    for command in commands:
        command.add_argument(
            "--memory",
            metavar="SIZE",
            type=_argument(parse_memory),
            help="the most memory of DuckDB, such as 4GB; what does not fit is kept on disk meanwhile "
            "(default: 80 %% of the machine's)",
        )


def _add_costs(command: argparse.ArgumentParser) -> None:
    costs = command.add_argument_group("what it costs")
    _add_losses(costs)
    costs.add_argument(
        "--budget",
        metavar="B",
        type=_argument(parse_budget),
        help="the cap on all that you spend from the command line; a later call sets it anew, never adds",
    )


def _add_session_costs(*commands: argparse.ArgumentParser) -> None:
    for command in commands:
        costs = command.add_argument_group("what each query costs, unless a session says otherwise")
        _add_losses(costs)
        costs.add_argument(
            "--budget",
            metavar="B",
            type=_argument(parse_budget),
            help="the most that one session may spend: a guard against slips, since there may be another one",
        )


def _add_losses(costs: argparse._ActionsContainer) -> None:
    costs.add_argument(
        "--epsilon",
        metavar="E",
        type=_argument(parse_epsilon),
        help="the privacy loss that the query may cause, such as 0.5: smaller is safer and noisier",
    )
    costs.add_argument(
        "--delta",
        metavar="D",
        type=_argument(parse_delta),
        help="the probability that epsilon may fail, such as 1e-6: only keys without a domain need it",
    )


def _add_fresh(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--fresh",
        action="store_true",
        default=None,
        help="ask for a new answer, and pay, even where an earlier one would be given again for nothing",
    )


def _add_policies(command: argparse.ArgumentParser) -> None:
    policies = command.add_argument_group(
        "what is private in a Parquet or CSV file (a database stores its own policies)"
    )
    policies.add_argument("--unit", metavar="COL", help="the column that says whose row it is")
    policies.add_argument(
        "--domain",
        dest="domains",
        metavar="COL=LO..HI|COL=a,b,c [OR NULL]",
        type=_argument(parse_domain),
        action="append",
        help="the values that a column may take, as everybody may know; once for each column",
    )


def _add_analyst(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--analyst", metavar="A", type=_argument(_name), help="who asks (default: the data owner)"
    )


def _add_ledger(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--ledger",
        metavar="L",
        type=_argument(parse_place),
        help="the file, or postgresql:// URL, that records the charges (default: FILE.ledger)",
    )
    command.add_argument(
        "--anchor",
        metavar="PATH",
        help="a file or http address that holds the head of the ledger, best on another machine, and shows "
        "whether it was cut or exchanged (default: LEDGER.anchor)",
    )


def _add_format(command: argparse._ActionsContainer) -> None:
    command.add_argument("--format", choices=FORMATS, help="how to print (default: box)")


def _add_outputs(budget: argparse.ArgumentParser, ledger: argparse.ArgumentParser) -> None:
    """Output options of `budget` and `ledger`, which exclude each other."""
    page = budget.add_mutually_exclusive_group()
    _add_format(page)
    page.add_argument(
        "--html", metavar="OUT", type=Path, help="write one HTML page instead (needs 'dpduck[plot]')"
    )
    charges = ledger.add_mutually_exclusive_group()
    _add_format(charges)
    charges.add_argument(
        "--verify", action="store_true", default=None, help="check that no entry was changed or taken out"
    )
    charges.add_argument(
        "--export",
        metavar="OUT",
        type=_argument(_export_path),
        help="write all that is known of each charge to a .parquet or .csv file",
    )
    add_selection(ledger, _argument)
    add_ledger_care(ledger, charges, _argument(parse_place))
    ledger.add_argument(
        "--policies",
        dest="show_policies",
        action="store_true",
        default=None,
        help="show, or export, what was decided about the data instead of the charges",
    )


def parse_domain(text: str) -> DomainOfColumn:
    """Parse COL=LO..HI or COL=a,b,c, either of them with OR NULL. A value with a comma is quoted as in CSV.

    Output: the column, its domain, and whether NULL is a key as well. Errors: ParameterError.

    >>> parse_domain("day=2024-01-01..2024-12-31 OR NULL")
    ('day', DomainRange(low='2024-01-01', high='2024-12-31', step=None), True)
    >>> parse_domain('city=Rome,"Paris, Texas"')[1:]
    (DomainValues(values=('Rome', 'Paris, Texas')), False)
    """
    column, _, given = text.partition("=")
    values = _OR_NULL.sub("", given)
    if not column or not values:
        raise _bad_domain(text, "It is a column, an equals sign and the values of the column.")
    domain = _range(text, values) if ".." in values and "," not in values else None
    return column, domain or DomainValues(_list(text, values)), values != given


def _range(text: str, values: str) -> DomainRange:
    low, _, high = values.partition("..")
    numbers = [number for number in map(parse_number, (low, high)) if number is not None]
    moments = [moment for moment in map(parse_moment, (low, high)) if moment is not None]
    ordered = any(len(ends) == 2 and ends[0] < ends[1] for ends in (numbers, moments))  # type: ignore[operator]
    if not ordered:
        raise _bad_domain(text, "A range goes from a number or a date to a larger one.")
    return DomainRange(low, high)


def _list(text: str, values: str) -> tuple[str, ...]:
    try:
        listed = next(csv.reader([values], strict=True))
    except csv.Error:
        listed = [""]
    if "" in listed:
        raise _bad_domain(text, "One of its values is empty, or a quotation mark is left open.")
    return tuple(listed)


def _bad_domain(text: str, detail: str) -> ParameterError:
    return ParameterError(
        f"{text[:60]!r} is not a domain",
        detail=detail,
        hint="Write item=0..99, sex=f,m or day=2024-01-01..2024-12-31.",
    )


def _export_path(text: str) -> Path:
    path = Path(text)
    if path.suffix.lower() not in EXPORT_SUFFIXES:
        raise ParameterError(
            f"{text[:60]!r} is neither Parquet nor CSV",
            detail="The suffix of the file says which of them to write.",
            hint="Write --export charges.parquet or --export charges.csv.",
        )
    return path


def _name(text: str) -> str:
    if not text.strip() or not text.isprintable():
        raise ParameterError(f"{text[:60]!r} is not a name", hint="Write --analyst ana.")
    return text


def _argument(read: Callable[[str], _T]) -> Callable[[str], _T]:
    """A parser for argparse, which prints its error and exits with code 2."""

    def read_argument(text: str) -> _T:
        try:
            return read(text)
        except DpduckError as error:
            raise argparse.ArgumentTypeError(str(error)) from error

    return read_argument
