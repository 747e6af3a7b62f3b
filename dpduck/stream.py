"""Sparse vector for an analyst who asks one count at a time: only counts above a threshold cost anything."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from dpduck.connection import Connection
from dpduck.engine import Order
from dpduck.errors import ExecutionError, ParameterError, decimal_text
from dpduck.ledger import Account, open_ledger
from dpduck.mechanisms.sparse_vector import Answer, Stream, stream_is_over
from dpduck.noise import SystemEntropy
from dpduck.quantities import Number, parse_budget, parse_epsilon
from dpduck.query.parse import Parameters
from dpduck.service import Service
from dpduck.session import Session, new_session_name


class SparseVector:
    """Asks which counts reach a threshold, each question chosen after seeing the answers so far.

    The whole epsilon is reserved, durable, before the first count is read. A count below the threshold is
    free from then on; one above costs a share, far above half a share, and says by how much; at most 2 k - 1
    answers come (k if not `adaptive`). `close` gives back what the answers show as not used; a stream that
    is not closed keeps all of it charged.

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
        self._text = f"SparseVector(threshold={threshold}, k={k}, epsilon={decimal_text(self._epsilon)})"
        self._service = None if db is None else db.service
        if self._service is None:
            cap = None if budget is None else parse_budget(budget)
            self._session = Session(open_ledger(ledger), session or new_session_name())
            self._session.set_budget(cap)
        elif (session, budget, ledger) != (None, None, None):
            raise ParameterError("the connection has a session, a budget and a ledger of its own")
        else:
            self._session = self._service.session
        self._charge: int | None = None
        self._accounts: frozenset[Account] = frozenset()
        self._answers: list[Answer] | None = None
        self.epsilon_used = "0"  # exact; all of epsilon from the first question until the stream is closed

    @property
    def is_over(self) -> bool:
        """Whether no more can be asked."""
        return self._stream.is_over

    def ask(self, count: str | int, params: Parameters = None) -> Answer | None:
        """Whether a count reaches the threshold: None if not, else its gap, an estimate and its interval.

        Input: SQL such as SELECT count(*) FROM visits WHERE page = 'home', or a number; see the class.
        Errors: as of `Connection.execute`; ParameterError when the stream is over. A question that is
        refused is not counted.
        """
        if self.is_over:  # before anything is looked up
            raise stream_is_over()
        if self._service is None:
            number = _whole(count)
            self._reserve(())
            return self._stream.ask(number)
        order = self._service.count_order(_sql(count), params, self._epsilon)
        self._reserve(order.accounts)
        # ============ the data line: private rows are read below ============
        return self._ask_below(self._service, order)

    def _ask_below(self, service: Service, order: Order) -> Answer | None:
        with suppress(Exception):
            return self._stream.ask(service.read_count(order))
        raise ExecutionError(charged=decimal_text(self._epsilon))

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

    def close(self) -> list[Answer]:
        """End the stream, and give back what its answers show as not used.

        Output: all answers in order; if `measure`, with the measured counts in their estimates.
        Errors: LedgerError; the whole epsilon then stays charged.
        """
        if self._answers is None:
            self._answers = self._finish()
        return self._answers

    def _finish(self) -> list[Answer]:
        release = None
        with suppress(Exception):
            release = self._stream.finish()
        if release is None:
            raise ExecutionError(charged=self.epsilon_used)
        if self._charge is not None:
            self.epsilon_used = decimal_text(self._session.ledger.settle(self._charge, release.used))
        columns = release.gaps, release.clear, release.estimates, release.lows, release.highs
        return [Answer(*row) for row in zip(*columns, strict=True)]

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
    return question
