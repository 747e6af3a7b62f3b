"""Sparse vector for an analyst who asks one count at a time: only counts above a threshold cost anything."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack, nullcontext
from pathlib import Path
from threading import RLock
from types import TracebackType
from typing import NoReturn, Self, TypeVar

from dpduck.answers.arguments import optional_path, optional_text
from dpduck.answers.pipeline import unsettled
from dpduck.compiler.parse.statements import Parameters
from dpduck.doors.connection import Connection
from dpduck.kernel.accounting.amounts import Number, parse_budget, parse_epsilon
from dpduck.kernel.accounting.events import Event
from dpduck.kernel.data_line import below
from dpduck.kernel.errors import DpduckError, ExecutionError, ParameterError, decimal_text
from dpduck.kernel.ledger import Account, open_ledger
from dpduck.kernel.ledger.session import Session, new_session_name
from dpduck.kernel.mechanisms.sparse_vector import Stream, StreamAnswer, stream_is_over
from dpduck.kernel.noise import SystemEntropy
from dpduck.kernel.scores import SCORE_LIMIT

T = TypeVar("T")


class SparseVector:
    """Asks which counts reach a threshold, each question chosen after seeing the answers so far.

    The whole epsilon is reserved, durable, before the first count is read. A count below the threshold is
    free from then on; one above costs a share, far above half a share, and says by how much; at most 2 k - 1
    answers come (k if not `adaptive`). `close` gives back what the answers show as not used; a stream that
    is not closed keeps all of it charged. Between questions the analyst may ask anything else, of other
    streams too: interleaved, they cost what they cost one after another (see `accounting.composition`).

    Input: `db`: a connection; `ask` then takes SQL of one count of units, and the people behind it are
        charged. Without one `ask` takes whole numbers, which the caller vouches for: one unit moves each by
        0 or 1, all in one direction; `session`, `budget` and `ledger` are then as in `dpduck.register`, but
        without `ledger` it is in memory. `measure`: keep half of epsilon to measure the counts that were
        found, when the stream is closed.
    Errors: ParameterError, LedgerError.

    >>> with SparseVector(1000, 3, "2") as above:
    ...     found = [above.ask(count) is not None for count in (10, 5000, 20)]
    >>> found, float(above.epsilon_used) < 1
    ([False, True, False], True)
    """

    def __init__(
        self,
        threshold: int,
        k: int,
        epsilon: Number,
        db: Connection | None = None,
        *,
        adaptive: bool = True,
        measure: bool = False,
        session: str | None = None,
        budget: Number | None = None,
        ledger: str | Path | None = None,
    ) -> None:
        for value, name in ((threshold, "threshold"), (k, "k")):
            if isinstance(value, bool) or not isinstance(value, int):
                raise ParameterError(f"{name} is not a whole number", hint=f"Write {name}=10.")
        self._epsilon = parse_epsilon(epsilon)
        self._stream = Stream(
            threshold, k, self._epsilon, SystemEntropy(), adaptive=adaptive, measure=measure
        )
        self._text = (
            f"SparseVector(threshold={threshold}, k={k}, epsilon={decimal_text(self._epsilon)}, "
            f"adaptive={adaptive}, measure={measure})"
        )
        self._service = None if db is None else db._service  # counts that it reads are for mechanisms only
        if self._service is None:
            cap = None if budget is None else parse_budget(budget)
            name = optional_text(session, "session") or new_session_name()
            self._session = Session(open_ledger(optional_path(ledger, "ledger")), name)
            self._session.set_budget(cap)
        elif (session, budget, ledger) != (None, None, None):
            raise ParameterError("the connection has a session, a budget and a ledger of its own")
        else:
            self._session = self._service.session
        self._charge: int | None = None
        self._accounts: frozenset[Account] = frozenset()
        self._answers: list[StreamAnswer] | None = None
        self._failed = False
        self._lock = RLock()  # one question at a time: each answer is paid for once
        self._process = os.getpid()
        self.epsilon_used = "0"  # exact; all of epsilon from the first question until the stream is closed

    @property
    def is_over(self) -> bool:
        """Whether no more can be asked."""
        return self._failed or self._stream.is_over

    def ask(self, count: str | int, params: Parameters = None) -> StreamAnswer | None:
        """Whether a count reaches the threshold: None if not, else its gap, an estimate and its interval.

        Input: SQL such as SELECT count(*) FROM visits WHERE page = 'home', or a number; see the class.
        Errors: as of `Connection.execute`; ParameterError when the stream is over. A question that is
        refused is not counted; one that fails while private rows are read ends the stream.
        """
        with self._lock:
            self._check_process()
            if self.is_over:  # before anything is looked up
                raise stream_is_over()
            if self._service is None:
                number = _whole(count)
                self._reserve(())
                return self._below(lambda: self._stream.ask(number))
            service = self._service
            request = service.count_request(_sql(count), params, self._epsilon)
            with ExitStack() as opened:
                ask = opened.enter_context(service.counting(request))
                self._reserve(request.accounts)
                return self._below(lambda: ask(self._stream.ask), opened)

    def _below(self, question: Callable[[], T], opened: AbstractContextManager[object] | None = None) -> T:
        """Ask below the data line, where every error is the same constant text. Input: closed there too."""
        with below(), opened or nullcontext():
            return question()
        self._failed = True
        raise ExecutionError(charged=self.epsilon_used)

    def _reserve(self, accounts: tuple[Account, ...]) -> None:
        """Charge all of epsilon before the first count is read."""
        if self._charge is None:
            self._charge = self._session.charge(self._stream.event, self._text, also=accounts)
            self._accounts = frozenset(accounts)
            self.epsilon_used = decimal_text(self._epsilon)
        elif not self._accounts.issuperset(accounts):
            raise ParameterError(
                "this count is about others than the first one",
                detail="One stream is charged to one set of accounts: people, tables and budgets.",
                hint="Ask it of a stream of its own.",
            )

    def close(self) -> list[StreamAnswer]:
        """End the stream, and give back what its answers show as not used.

        Output: all answers in order; if `measure`, with the measured counts in their estimates.
        Errors: LedgerError; the whole epsilon then stays charged.
        """
        with self._lock:
            self._check_process()
            if self._answers is None:
                self._answers = self._finish()
            return self._answers

    def _finish(self) -> list[StreamAnswer]:
        release = self._below(self._stream.finish)
        if self._charge is not None and not self._failed:
            self._settle(self._charge, release.used)
        columns = release.gaps, release.clear, release.estimates, release.lows, release.highs
        return [StreamAnswer(*row) for row in zip(*columns, strict=True)]

    def _settle(self, charge: int, used: Event) -> None:
        try:
            self.epsilon_used = decimal_text(self._session.ledger.settle(charge, used))
        except DpduckError as error:
            fault = error
        else:
            return
        self._failed = True  # a charge is settled once, whatever came of it
        raise unsettled(fault, self._epsilon)

    def _check_process(self) -> None:
        """A fork has the counts and the threshold of its parent, but what it asks is not paid for."""
        if os.getpid() != self._process:
            raise ParameterError("the stream belongs to another process", hint="Open one in each process.")

    def __reduce__(self) -> NoReturn:
        raise TypeError("a stream cannot be copied: each of its answers is paid for once")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _sql(question: str | int) -> str:
    if not isinstance(question, str):
        raise ParameterError("a number is asked of a connection", hint="Ask SELECT count(*) FROM ....")
    return question


def _whole(question: str | int) -> int:
    if isinstance(question, bool) or not isinstance(question, int):
        raise ParameterError(
            "the count is not a whole number",
            hint="Give an int, or a connection: SparseVector(threshold, k, epsilon, db).",
        )
    if not 0 <= question < SCORE_LIMIT:
        raise ParameterError("the count is out of range", detail="It must be from 0 to 2^62.")
    return question
