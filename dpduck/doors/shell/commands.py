"""The commands of the shell, as one table, and the loop that runs statements and commands."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from fractions import Fraction
from pathlib import Path

from dpduck.doors.console.reports import Notes, aligned, budget_lines, budget_notes, converted_accounts
from dpduck.doors.console.tables import FORMATS, UNLIMITED, error_text, fitted, one_line
from dpduck.doors.shell.outputs import FileOut
from dpduck.doors.shell.session import ShellSession
from dpduck.doors.shell.statements import is_command, pieces
from dpduck.kernel.accounting.amounts import parse_budget
from dpduck.kernel.catalog.model import Table, View, fold
from dpduck.kernel.errors import DpduckError, ParameterError, UnknownNameError
from dpduck.kernel.errors.names import did_you_mean
from dpduck.policies.show import privacy_rows
from dpduck.policies.suggest import OfTable
from dpduck.policies.suggest.script import lines_of_proposed, lines_of_question, text_of
from dpduck.policies.wording import sql_of

_DEEPEST = 16  # nesting of .read


@dataclass(frozen=True)
class ShellCommand:
    """A command of the shell. `takes`: its argument; in brackets if it is optional."""

    name: str
    takes: str
    help: str
    run: Callable[[ShellSession, str], None]


class _StoppedError(Exception):
    """An error, and the SQL text that its position refers to."""

    def __init__(self, error: DpduckError, sql: str | None) -> None:
        super().__init__(error.message)
        self.error = error
        self.sql = sql


def feed(session: ShellSession, lines: Iterable[str]) -> DpduckError | None:
    """Run the statements and commands in lines, in order. Output: the error that ended it, if any.

    The error has been printed. Exceptions other than DpduckError are passed on to the caller.
    """
    stopped: _StoppedError | None = None
    try:
        _run_all(session, lines)
    except _StoppedError as error:
        stopped = error
    if stopped is None:
        return None
    failure = stopped.error
    text = error_text(failure, stopped.sql, session.data.audience, width=session.screen.width)
    session.screen.error(text)
    return failure


def _run_all(session: ShellSession, lines: Iterable[str]) -> None:
    for piece in pieces(lines):
        failure: DpduckError | None = None
        try:
            obey(session, piece)
        except DpduckError as error:
            failure = error
        if failure is not None:
            raise _StoppedError(failure, None if is_command(piece) else piece)
        if session.leaving:
            return


def obey(session: ShellSession, piece: str) -> None:
    """Run one statement, or one command. Errors: DpduckError."""
    if not is_command(piece):
        return session.run(piece)
    name, _, argument = piece.strip().rstrip("; ").partition(" ")
    command = _named(name, argument.strip())
    if bool(argument.strip()) > bool(command.takes) or bool(argument.strip()) < _needs_argument(command):
        raise _usage(command)
    return command.run(session, argument.strip())


def _named(name: str, argument: str) -> ShellCommand:
    """The command of a name, or of one that psql or DuckDB's shell has for it. Errors: ParameterError."""
    known = name.lower() if name.lower() in ("help", "exit", "quit") else name.removesuffix("+")
    if known == "\\d":
        known = ".schema" if argument else ".tables"
    command = _BY_NAME.get(known) or _BY_NAME.get(_ALIASES.get(known, ""))
    if command is None:
        meant = did_you_mean(name, [*_BY_NAME, *_ALIASES])
        raise ParameterError(
            f"there is no command {name[:40]}", hint=f"{meant} .help lists the commands.".strip()
        )
    return command


def _needs_argument(command: ShellCommand) -> bool:
    return bool(command.takes) and not command.takes.startswith("[")


def _usage(command: ShellCommand, detail: str | None = None) -> ParameterError:
    form = f"{command.name} {command.takes}".strip()
    return ParameterError(f"{command.name} is not used like this", detail=detail, hint=f"Write {form}.")


# --- information ---------------------------------------------------------------------------------


def _help(session: ShellSession, _: str) -> None:
    rows = [(f"{command.name} {command.takes}", command.help) for command in COMMANDS]
    session.out.show(aligned(rows))
    session.out.show(
        "SQL ends with a semicolon: SELECT, EXPLAIN SELECT, SET dp_epsilon = 0.5, SHOW PRIVACY.\n"
        "As in psql: \\d, \\d TABLE, \\dt, \\i FILE, \\o FILE, \\timing, \\q, \\?; and help, exit, quit.\n"
    )


def _tables(session: ShellSession, pattern: str) -> None:
    catalog = session.service.shown_catalog()
    rows = [(table.full_name, _status(table), _whose(table)) for table in catalog.tables]
    rows += [(view.name, "view", "as its tables") for view in catalog.views]
    like = fold(pattern.replace("%", "*"))
    rows = [row for row in rows if not like or fnmatchcase(fold(row[0]), like)]
    session.out.show(aligned(rows) if rows else "no tables\n")


def _suggest(session: ShellSession, _: str) -> None:
    """Propose a policy; the owner of a database is asked about each statement, and runs it or not."""
    proposal = session.service.proposal()
    can_run = session.data.stores_policies and session.service.session.analyst is None
    if session.interaction.ask is None or not can_run:
        return session.out.show(text_of(proposal, session.data.name))
    for table in proposal.tables:
        _suggest_for(session, table, session.interaction.ask)
    return None


def _suggest_for(session: ShellSession, table: OfTable, ask: Callable[[str], bool]) -> None:
    if not (table.proposed or table.questions):
        return
    session.screen.note(f"-- {one_line(table.table.full_name)}")
    for proposed in table.proposed:
        session.screen.note("\n".join(lines_of_proposed(proposed)))
        if not ask("Is it meant? [y/N] "):
            session.screen.note("not done; what stands on it may not fit any more")
            continue
        try:
            session.run(sql_of(proposed.statement))
        except DpduckError as error:  # a statement before it was not meant
            session.screen.error(error_text(error, None, session.data.audience, width=session.screen.width))
    for question in table.questions:
        session.screen.note("\n".join(lines_of_question(question)))


def _status(table: Table) -> str:
    return "public" if table.public else "private" if table.private else "closed"


def _whose(table: Table) -> str:
    if table.link is not None:
        return f"by {table.link.column}, of {table.link.table}"
    if table.unit is not None:
        return f"by {table.unit}"
    return "free" if table.public else "no queries until its owner sets a policy"


def _schema(session: ShellSession, name: str) -> None:
    catalog = session.service.shown_catalog()
    relations: list[Table | View] = [*catalog.tables, *catalog.views]
    if name:
        wanted = fold(name.replace('"', ""))
        relations = [one for one in relations if wanted in (fold(one.name), fold(f"{one.schema}.{one.name}"))]
    if name and not relations:
        meant = did_you_mean(name, [*(one.name for one in catalog.tables), *(v.name for v in catalog.views)])
        raise UnknownNameError(
            f"table {name} does not exist", hint=f"{meant} .tables lists the tables.".strip()
        )
    domains = {(row[0], row[3]): row[4] for row in privacy_rows(catalog)}
    for relation in relations:
        session.out.show("".join(_described(relation, domains)))


def _described(
    relation: Table | View, domains: dict[tuple[str | None, str | None], str | None]
) -> Iterator[str]:
    about = f"{_status(relation)}, {_whose(relation)}" if isinstance(relation, Table) else "view"
    yield f"{relation.name} ({about})\n"
    rows = [(c.name, c.type, domains.get((relation.name, c.name)) or "") for c in relation.columns]
    yield from (f"  {line}\n" for line in aligned(rows).splitlines())


def _budget(session: ShellSession, _: str) -> None:
    now = datetime.now(UTC)
    shown = session.service.session.all_budgets(session.service.accounts())
    notes: Notes = {(budget.scope, budget.name): budget_notes(budget, now) for budget in shown}
    session.out.show(budget_lines(session.db.budget(), session.out.width, notes, converted_accounts(shown)))


def _explain(session: ShellSession, sql: str) -> None:
    session.explain(sql)


# --- output settings -----------------------------------------------------------------------------


def _why(session: ShellSession, _: str) -> None:
    notices = session.db.notices_for(session.data.audience)
    session.out.show("".join(f"{line}\n" for one in notices for line in fitted(one, session.screen.width)))


def _mode(session: ShellSession, name: str) -> None:
    if name not in FORMATS:
        raise _usage(_BY_NAME[".mode"])
    session.format = name


def _timer(session: ShellSession, state: str) -> None:
    session.timer = _switch(".timer", state) if state else not session.timer


def _rows(session: ShellSession, number: str) -> None:
    if not (number.isascii() and number.isdigit() and 0 < int(number) <= UNLIMITED):
        raise _usage(_BY_NAME[".rows"], f"A box has 1 to {UNLIMITED:,} rows.")
    session.rows = int(number)


def _intervals(session: ShellSession, state: str) -> None:
    session.intervals = _switch(".intervals", state)


def _confirm(session: ShellSession, share: str) -> None:
    if share == "off":
        session.confirm = None
        return
    given: Fraction | None = None
    with suppress(DpduckError):
        given = parse_budget(share)
    if given is None or not 0 <= given <= 1:
        raise _usage(_BY_NAME[".confirm"], "It is a share of what is left, from 0 to 1.")
    session.confirm = given


def _switch(name: str, state: str) -> bool:
    if state not in ("on", "off"):
        raise _usage(_BY_NAME[name])
    return state == "on"


# --- files, and leaving --------------------------------------------------------------------------


def _read(session: ShellSession, name: str) -> None:
    if session.depth >= _DEEPEST:
        raise ParameterError("files read each other without end", hint="Leave .read out of the file.")
    session.depth += 1
    try:
        _run_all(session, _lines_of(name))
    finally:
        session.depth -= 1


def _lines_of(name: str) -> list[str]:
    try:
        return Path(name).read_text(encoding="utf-8").splitlines(keepends=True)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
    except UnicodeDecodeError:
        reason = "it is not UTF-8"
    raise ParameterError(
        f"file {name} cannot be read",
        detail=f"The system says: {reason}.",
        hint="Give the path of a file with SQL.",
    )


def _output(session: ShellSession, name: str) -> None:
    before, session.out = session.out, session.screen
    if isinstance(before, FileOut):
        before.close()
    if name != "off":
        session.out = FileOut(Path(name), session.data.kept)


def _quit(session: ShellSession, _: str) -> None:
    session.leaving = True


COMMANDS = (
    ShellCommand(".help", "", "this list", _help),
    ShellCommand(".tables", "[PATTERN]", "the tables, and what is private in them", _tables),
    ShellCommand(".schema", "[TABLE]", "columns, types and public domains", _schema),
    ShellCommand(".suggest", "", "a policy from the schema alone, one statement after another", _suggest),
    ShellCommand(".budget", "", "what may be spent, and what is spent", _budget),
    ShellCommand(".explain", "SQL", "what a query would do, cost and be worth; charges nothing", _explain),
    ShellCommand(".why", "", "all there is to say of the last answer", _why),
    ShellCommand(".mode", "|".join(FORMATS), "how answers are printed", _mode),
    ShellCommand(".rows", "N", "how many rows of a box are shown", _rows),
    ShellCommand(".intervals", "on|off", "how far off numbers may be, beside them in a box", _intervals),
    ShellCommand(".timer", "[on|off]", "how long each statement takes", _timer),
    ShellCommand(
        ".confirm", "SHARE|off", "ask before a query takes more than this share of what is left", _confirm
    ),
    ShellCommand(".read", "FILE", "run the statements in a file", _read),
    ShellCommand(".output", "FILE|off", "write answers to a file, or here again", _output),
    ShellCommand(".quit", "", "leave, as .exit and Ctrl-D do", _quit),
)
_BY_NAME = {command.name: command for command in COMMANDS}
_ALIASES = {
    **dict.fromkeys((".exit", ".q", "exit", "quit", "\\q"), ".quit"),
    **dict.fromkeys((".h", "help", "\\?", "\\h"), ".help"),
    **dict.fromkeys(("\\d", "\\dt", "\\dv", "\\dtv"), ".tables"),
    ".maxrows": ".rows",
    **dict.fromkeys(("\\i", "\\ir"), ".read"),
    **dict.fromkeys(("\\o", ".out"), ".output"),
    "\\timing": ".timer",
    "\\why": ".why",
    ".format": ".mode",
}
