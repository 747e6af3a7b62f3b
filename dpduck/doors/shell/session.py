"""A user's session: statements in, answers out, with the cost shown before it is paid."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Protocol

import pyarrow as pa

from dpduck.answers.explain import Explanation
from dpduck.answers.service import Service
from dpduck.compiler.parse.settings import ShowSetting
from dpduck.compiler.parse.statements import Describe, Explain, Select, Statement, parse
from dpduck.doors.connection import Connection
from dpduck.doors.console.ctrl_c import run_cancellable
from dpduck.doors.console.tables import MAX_ROWS, fitted, render
from dpduck.doors.shell.costs import USUAL_SHARE, budgets_of, cost_line, cost_of_making, exceeds, least_left
from dpduck.kernel.catalog.statements import PolicyScript, PolicyStatement, ShowStatement
from dpduck.kernel.errors import DpduckError, PolicyError, decimal_text
from dpduck.kernel.errors.advice import Audience
from dpduck.policies.consequences import ForceNeededError


class Out(Protocol):
    """The destination of answers."""

    @property
    def width(self) -> int | None:
        """The width in columns, None if it does not matter."""

    def show(self, text: str, *, charged: str = "0") -> None:
        """Write lines for people."""

    def data(self, text: str, *, charged: str = "0") -> None:
        """Write data for programs."""


class Screen(Out, Protocol):
    """The destination of everything, answers included."""

    def note(self, text: str) -> None:
        """Write a one-line note."""

    def error(self, text: str) -> None:
        """Write the lines of an error."""


class ExpensiveError(DpduckError):
    """A query would take more of the budget than allowed without confirmation, and no user can confirm."""

    sqlstate = "53400"


@dataclass(frozen=True)
class UserInteraction:
    """How a session interacts with its user.

    `ask`: asks a question to be answered with yes or no; None without a user. `busy`: shows what is being
    done while it is done.
    """

    ask: Callable[[str], bool] | None = None
    busy: Callable[[str], AbstractContextManager[object]] = nullcontext


@dataclass(frozen=True)
class Data:
    """The data file.

    `name`: in the prompt; `kept`: files that must not be overwritten; `stores_policies`: whether
    it is a database; `script`: of policies beside it, if it is none; `audience`: of its hints.
    """

    name: str
    kept: Sequence[Path] = ()
    stores_policies: bool = True
    script: str = ""
    audience: Audience = Audience.SQL


@dataclass
class ShellSession:
    """A session of the shell, and the settings of its commands.

    `confirm`: the share of the remaining epsilon that a query may take without confirmation, None: any;
    `rows`: the rows of a box that are shown; `intervals`: whether it shows how far off numbers may be;
    `depth`: nesting of .read.
    """

    db: Connection
    service: Service
    screen: Screen
    data: Data
    interaction: UserInteraction = field(default_factory=UserInteraction)
    format: str = "box"
    confirm: Fraction | None = None
    rows: int = MAX_ROWS
    timer: bool = False
    intervals: bool = True
    leaving: bool = False
    depth: int = 0
    out: Out = field(init=False)

    def __post_init__(self) -> None:
        self.out = self.screen
        if self.interaction.ask is not None:
            self.confirm = USUAL_SHARE

    @property
    def interactive(self) -> bool:
        """Whether a user reads and answers."""
        return self.interaction.ask is not None

    def left(self) -> Fraction | None:
        """The smallest remaining epsilon; None if nothing is capped, or it is unknown."""
        try:
            return least_left(budgets_of(self.service))
        except DpduckError:
            return None

    def run(self, sql: str) -> None:
        """Run one statement and show its result. Errors: DpduckError, StillBusyError."""
        statement = parse(sql)
        if isinstance(statement, PolicyStatement) and not self.data.stores_policies:
            raise PolicyError(
                f"no policy can be stored in {self.data.name}",
                detail="A Parquet or CSV file has no place for one.",
                hint=f"Write it to {self.data.script}, and start again."
                if self.data.script
                else "Start again with --unit COLUMN, and --domain COLUMN=LO..HI.",
            )
        if isinstance(statement, Explain) and self.format == "box":
            return self.explain(sql)
        expected = self._expected(sql, statement)
        if self.interactive and (making := cost_of_making(statement)):
            self.screen.note(making)
        if expected is None or self._may_run(sql, expected):
            shows = isinstance(statement, Select | Explain | Describe | ShowStatement | ShowSetting)
            try:
                self._run(sql, expected, shows=shows)
            except ForceNeededError as needed:
                if self.interaction.ask is None or isinstance(statement, PolicyScript):
                    raise
                self._ask_to_force(needed, self.interaction.ask)
        return None

    def _ask_to_force(self, needed: ForceNeededError, ask: Callable[[str], bool]) -> None:
        """Show the consequence of a statement that needs FORCE, and run it if the user confirms."""
        self.screen.note(needed.follows)
        if ask("Is it meant? [y/N] "):
            self._run(needed.sql, None, shows=False)
        else:
            self.screen.note("not done; nothing was changed")

    def explain(self, sql: str) -> None:
        """Show the plan of a query. Nothing is charged."""
        explanation = run_cancellable(lambda: self.db.explain(sql), self.service.interrupts)
        self.out.show(f"{explanation}\n")

    def show(self, table: pa.Table, charged: str = "0") -> None:
        """Show a table in the format of the session."""
        text = render(table, self.format, width=self.out.width, rows=self.rows)
        (self.out.show if self.format == "box" else self.out.data)(text, charged=charged)

    @property
    def _shows_errors(self) -> bool:
        return self.format == "box" and self.intervals

    def _show_answer(self, table: pa.Table) -> None:
        """Show the last answer, in a box with its errors."""
        if self._shows_errors:
            self.out.show(self.db.box(self.out.width, self.rows), charged=self.db.charged)
        else:
            self.show(table, self.db.charged)

    def _expected(self, sql: str, statement: Statement) -> Explanation | None:
        """The explanation of a query before it runs, if it will be shown or checked."""
        if not isinstance(statement, Select) or not (self.interactive or self.confirm is not None):
            return None
        with self.interaction.busy("planning"):
            return run_cancellable(lambda: self.db.explain(sql), self.service.interrupts)

    def _may_run(self, sql: str, expected: Explanation) -> bool:
        """Show the cost of a query, and ask if it is high. Errors: ExpensiveError if no user can answer."""
        budgets = budgets_of(self.service, sql)
        line = cost_line(expected, budgets)
        much = exceeds(expected, budgets, self.confirm)
        if self.interaction.ask is None:
            if much:
                raise _expensive(line, self.confirm)
            return True
        if expected.queries_left != 0:  # otherwise the refusal says so
            self.screen.note(line)
        if much and not self.interaction.ask("Run it? [y/N] "):
            self.screen.note("not run; nothing was charged")
            return False
        return True

    def _run(self, sql: str, expected: Explanation | None, *, shows: bool) -> None:
        started = time.monotonic()
        with self.interaction.busy(f"reading {self.data.name}"):
            table = run_cancellable(lambda: self.db.execute(sql).shown_table(), self.service.interrupts)
        seconds = time.monotonic() - started
        if shows:
            self._show_answer(table)
        self._say_after(expected, shows=shows)
        if self.timer:
            self.screen.note(f"run time {seconds:.3f} s")

    def _say_after(self, expected: Explanation | None, *, shows: bool) -> None:
        """Notes on an answer: that it is a replay, or that its charge differs from the announced one."""
        if self.format != "box" and self.intervals and (line := self.db.error_line) is not None:
            self.screen.note(line)
        for notice in self.db.brief_for(self.data.audience, errors=self._shows_errors).pointing_to(".why"):
            for line in fitted(notice, self.screen.width):
                self.screen.note(line)
        if self.interactive and not shows:
            self.screen.note("done")
        if expected is not None and expected.replayed is None and self.db.charged != expected.epsilon:
            self.screen.note(f"epsilon {self.db.charged} was charged")


def _expensive(line: str, share: Fraction | None) -> ExpensiveError:
    percent = decimal_text(100 * (share or Fraction(0)))
    return ExpensiveError(
        f"query takes more than {percent} % of what is left",
        detail=f"It {line}.",
        hint=".confirm off lets it run.",
    )
