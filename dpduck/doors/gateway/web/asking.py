"""Statements of visitors on the served data: priced while they are typed, run once, completed.

Each request has a service of its own, with the settings of its visitor's session, so that two tabs do not
disturb each other; what they share is the session that is charged, and what is cached about the data.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial

import pyarrow as pa

from dpduck.answers.intervals import errors_of_totals, shown_with_errors, with_intervals
from dpduck.answers.results import PublicRows, Result, ResultRows
from dpduck.answers.service import Service
from dpduck.answers.settings import Settings
from dpduck.compiler.parse.settings import ResetSetting, SetOption
from dpduck.compiler.parse.statements import Explain, Select, Statement, parse
from dpduck.doors.console.with_errors import NumbersWithErrors
from dpduck.doors.gateway.errors import CanceledError, internal_fault
from dpduck.doors.gateway.room import Lane
from dpduck.doors.gateway.served_data import ServedData
from dpduck.doors.gateway.shares import Turn
from dpduck.doors.gateway.web.runs import MOST_BYTES, MOST_ROWS, Run, RunOutcome
from dpduck.doors.gateway.web.visitors import Visitor
from dpduck.doors.shell.completion import Suggestion, complete
from dpduck.doors.shell.costs import USUAL_SHARE, budgets_of, cost_line, cost_of_making, exceeds
from dpduck.kernel.cancellation import Interrupted, Interrupts
from dpduck.kernel.catalog.statements import PolicyStatement
from dpduck.kernel.errors import DpduckError, PolicyError, is_charged, tell_charge
from dpduck.kernel.errors.notices import Said, brief_of

_MOST_SUGGESTIONS = 60
_PRICE_SECONDS = 10.0  # for saying what a query would cost


@dataclass(frozen=True)
class PriceTag:
    """What is said of a statement before it runs. `kind`: free, priced, dear (it takes much of what is left),
    short (more than is left), wrong, or empty; `more`: what the answer would mean.
    """

    kind: str
    line: str = ""
    more: tuple[str, ...] = ()
    error: DpduckError | None = None


class Asking:
    """Runs statements, in the turns of their names.

    Input: `lane`: where; `quantum`: seconds between ticks of the public clock at which
    answers leave, 0: at once; `seconds`: for one statement, 0: no limit; `charged`: called after each charge.
    """

    def __init__(
        self,
        data: ServedData,
        lane: Lane,
        *,
        quantum: float = 0.05,
        seconds: float = 300.0,
        charged: Callable[[], None] = lambda: None,
    ) -> None:
        self.data = data
        self._lane = lane
        self._tasks: set[asyncio.Task[None]] = set()
        self._quantum, self._seconds = quantum, seconds
        self._charged = charged

    @contextmanager
    def service(
        self, visitor: Visitor, settings: Settings | None = None, interrupts: Interrupts | None = None
    ) -> Iterator[Service]:
        """A service of the visitor's session on the current version of the data."""
        version = self.data.enter()
        try:
            service = Service(
                version.source,
                visitor.session,
                replace(visitor.initial),
                version.workspace(visitor.name),
                self._wait,
                records=False,
                interrupts=interrupts,
            )
            service.settings = settings or replace(visitor.settings)
            try:
                yield service
            finally:
                service.close()
        finally:
            version.leave()

    # --- before it runs --------------------------------------------------------------------------

    def price(self, visitor: Visitor, sql: str, epsilon: str) -> PriceTag:
        """What a statement would cost and be worth, or what is wrong with it. Free, and reads no row."""
        if not sql.strip():
            return PriceTag("empty")
        interrupts = Interrupts()
        failure: DpduckError
        try:
            with self._at_most(_PRICE_SECONDS, interrupts.stop):
                return self._priced(visitor, sql.strip(), epsilon, interrupts)  # what was planned is known
        except Interrupted:
            failure = CanceledError("it takes too long to say what this would cost")
        except DpduckError as error:
            failure = error
        except Exception:
            failure = internal_fault()
        return PriceTag("wrong", failure.message, error=failure.with_traceback(None))

    def _priced(self, visitor: Visitor, sql: str, epsilon: str, interrupts: Interrupts) -> PriceTag:
        statement = parse(sql)
        if isinstance(statement, PolicyStatement):
            raise _policies_elsewhere(visitor)
        if not isinstance(statement, Select | Explain):
            return _price_of_other(statement)
        settings = _settings_for(visitor, statement, epsilon)
        with self.service(visitor, settings, interrupts) as service:
            explanation = service.explain(sql, brief=True)
            if isinstance(statement, Explain):
                return PriceTag("free", "free: EXPLAIN reads no private row")
            if explanation.mechanism == "public":
                service.columns(sql)  # which binds it, so that what is wrong is said before it runs
            budgets = budgets_of(service, sql)
        line = cost_line(explanation, budgets)
        if explanation.queries_left == 0 and explanation.replayed is None:
            return PriceTag("short", f"{line}: that is more than is left", explanation.caveats)
        kind = "free" if line.startswith("free") else "priced"
        if explanation.replayed is None and exceeds(explanation, budgets, USUAL_SHARE):
            kind = "dear"
        return PriceTag(kind, line, explanation.caveats)

    def complete(self, visitor: Visitor, sql: str, cursor: int) -> list[Suggestion]:
        """What may stand at the cursor: names that the visitor may know, functions and keywords."""
        with self.service(visitor) as service:
            return complete(sql, cursor, service.shown_catalog())[:_MOST_SUGGESTIONS]

    # --- running ---------------------------------------------------------------------------------

    def begin(self, visitor: Visitor, number: str, sql: str, epsilon: str) -> Run:
        """Begin a run, or find it, in an event loop. Errors: TooManyRuns, BusyError."""
        return visitor.runs.begin(number, sql, epsilon, lambda run: self._start(visitor, run))

    async def stop(self, run: Run, why: str | None = None) -> None:
        """Stop a run, at a tick: at any other time it would be seen how long it takes."""
        await asyncio.sleep(self._until_tick())
        run.stop(why)

    def _start(self, visitor: Visitor, run: Run) -> None:
        """Have a run wait for its turn. Errors: BusyError."""
        loop = asyncio.get_running_loop()
        turn = self._lane.turns.ask(visitor.name)
        run.stopped = partial(_from_any_thread, loop, turn.skip)
        task = loop.create_task(self._in_turn(turn, visitor, run))
        self._tasks.add(task)  # else it might be collected before it ends
        task.add_done_callback(self._tasks.discard)

    async def _in_turn(self, turn: Turn, visitor: Visitor, run: Run) -> None:
        """Run a statement when its turn comes. The time that it may take begins when it was sent."""
        late = asyncio.create_task(self._stop_late(run))
        try:
            await self._lane.run_in(turn, partial(self._execute, visitor, run))
        finally:
            late.cancel()

    def _execute(self, visitor: Visitor, run: Run) -> None:
        """Run a statement, and set what came of it, whatever happens."""
        outcome = RunOutcome(error=internal_fault())
        try:
            run.interrupts.check()
            outcome = self._answer(visitor, run)
        except DpduckError as error:
            outcome = _failed(run, error)
        except Exception:
            outcome = RunOutcome(error=internal_fault())
        finally:
            run.future.set_result(outcome)
        if is_charged(outcome.charged):
            self._charged()

    def _answer(self, visitor: Visitor, run: Run) -> RunOutcome:
        statement = parse(run.sql)
        if isinstance(statement, PolicyStatement):
            raise _policies_elsewhere(visitor)
        settings = _settings_for(visitor, statement, run.epsilon)
        with self.service(visitor, settings, run.interrupts) as service:
            rows = service.run(run.sql)
            if isinstance(rows, PublicRows):
                result = Result(rows.sql, partial(service.open_public, rows.sql), interrupts=run.interrupts)
                head = _head_of(result)
                return _shown(NumbersWithErrors(head, head.num_columns), rows.notices)
            return self._released(service, rows, run)

    def _released(self, service: Service, rows: ResultRows, run: Run) -> RunOutcome:
        failure: DpduckError
        try:
            numbers = NumbersWithErrors(
                *shown_with_errors(
                    rows,
                    len(rows.columns),
                    lambda: with_intervals(
                        rows, service.scratch, run.interrupts, MOST_ROWS + 1, MOST_BYTES, shown=True
                    ),
                    lambda: _head_of(Result.of_rows(rows, service.scratch, run.interrupts)),
                )
            )
            shown = _shown(numbers, (*errors_of_totals(rows), *rows.notices))
        except DpduckError as error:
            failure = error
        except Exception:
            failure = internal_fault()
        else:
            return replace(
                shown,
                charged=rows.charged,
                private=rows.plan is not None,
                replayed=rows.replayed,
            )
        tell_charge(failure, rows.charged)
        raise failure

    # --- time ------------------------------------------------------------------------------------

    def _wait(self) -> None:
        """Wait for the next tick of the public clock."""
        time.sleep(self._until_tick())

    def _until_tick(self) -> float:
        """Seconds until the next tick."""
        return self._quantum - time.monotonic() % self._quantum if self._quantum else 0.0

    async def _stop_late(self, run: Run) -> None:
        if self._seconds:
            await asyncio.sleep(self._seconds)
            await self.stop(run, "canceling statement due to statement timeout")

    @contextmanager
    def _at_most(self, seconds: float, stop: Callable[[], None]) -> Iterator[None]:
        """Stop what takes longer."""
        timer = threading.Timer(seconds, stop)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()


def _from_any_thread(loop: asyncio.AbstractEventLoop, call: Callable[[], None]) -> None:
    with suppress(RuntimeError):  # of a loop that has ended
        loop.call_soon_threadsafe(call)


def _settings_for(visitor: Visitor, statement: Statement, epsilon: str) -> Settings:
    """The settings of one statement: SET changes those of the session. Errors: ParameterError."""
    if isinstance(statement, SetOption | ResetSetting):
        return visitor.settings
    settings = replace(visitor.settings)
    if epsilon.strip():
        settings.set("dp_epsilon", epsilon.strip())
    return settings


def _price_of_other(statement: Statement) -> PriceTag:
    line = cost_of_making(statement)
    return PriceTag("priced", line) if line else PriceTag("free", "free: nothing private is read")


def _policies_elsewhere(visitor: Visitor) -> PolicyError:
    if visitor.is_here:
        return PolicyError(
            "policies are not changed by a query",
            detail="Here the data are open for reading only.",
            hint="The page Policies shows what a change would do, and makes it.",
        )
    return PolicyError(
        "only the data owner sets policies",
        detail="Policies, budgets and logins are changed where the data are.",
        hint="Ask the data owner.",
    )


def _failed(run: Run, error: DpduckError) -> RunOutcome:
    """The outcome of a run that ended with an error, or was stopped."""
    failure = error.with_traceback(None)
    if run.interrupts.stopped:
        said = "The charge stays." if is_charged(error.charged) else None
        failure = CanceledError(run.why, detail=said, charged=error.charged)
    return RunOutcome(error=failure, charged=failure.charged)


def _head_of(result: Result) -> pa.Table:
    try:
        return result.shown(MOST_ROWS + 1, MOST_BYTES)
    finally:
        result.close()


def _shown(numbers: NumbersWithErrors, notices: tuple[Said, ...]) -> RunOutcome:
    table = numbers.whole
    more = table.num_rows > MOST_ROWS or table.nbytes > MOST_BYTES
    beside = {table.column_names[place] for place in numbers.ends}
    said = brief_of(notices, with_errors=beside)
    return RunOutcome(replace(numbers, whole=table.slice(0, MOST_ROWS)), notices=said, more=more)
