"""The pipeline of a private query: replay an earlier answer, or charge, read the scores, and answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction
from typing import Protocol

import duckdb
import pyarrow as pa

from dpduck.answers.blocks import apart, together
from dpduck.answers.claimed_bounds import BoundsCheck
from dpduck.answers.replay import Replay, description_of
from dpduck.answers.room_words import MOST_KEPT, unkept
from dpduck.kernel.arrow.arrays import texts_of
from dpduck.kernel.arrow.strings import write_columns
from dpduck.kernel.data_line import below
from dpduck.kernel.engine import ScoreReader
from dpduck.kernel.errors import DpduckError, ExecutionError, LedgerError, PolicyError, decimal_text
from dpduck.kernel.errors.notices import Notice
from dpduck.kernel.ledger import Account, StoredRelease
from dpduck.kernel.ledger.session import Session
from dpduck.kernel.noise import Entropy
from dpduck.kernel.plan.compound import CompoundPlan
from dpduck.kernel.plan.model import Output, Plan
from dpduck.kernel.plan.prices import event_of
from dpduck.kernel.release import Release, release

_CELL = 5  # the fewest characters of a value

Snapshot = duckdb.DuckDBPyConnection  # whose transaction is open


@dataclass(frozen=True)
class ReleaseRequest:
    """What a session requests of the pipeline.

    `text`: the query as the ledger shows it; `accounts`: those charged besides the session;
    `subject` and `version`: the tables asked about and the state of their data, for storing the answer;
    `bounds`: checks what the mechanisms of the plan rely on; `columns`: of the answer, with DuckDB's types;
    `is_current`: whether all that the plan relies on is as it
    was when it was made, in the snapshot that is read (see `ScoreReader.snapshot`). `whole`: the plan of the
    same query that counts all groups plainly, as a summary answers it.
    """

    plan: Plan | CompoundPlan
    text: str
    accounts: tuple[Account, ...]
    subject: str
    version: str
    bounds: BoundsCheck = field(compare=False, repr=False)
    columns: tuple[Output, ...] = ()
    is_current: Callable[[Snapshot | None], bool] = field(default=lambda _: True, compare=False, repr=False)
    whole: Callable[[], Plan | CompoundPlan | None] = field(default=lambda: None, compare=False, repr=False)


@dataclass(frozen=True)
class Response:
    """The released rows: for each block a table with the columns of its plan, as values or as text.

    `charged`: exact epsilon; `made`: the time of a replayed answer; `note`: how it differs from a fresh one.
    `said`: what to say of an answer that a summary gives, or that is not kept; `errors`: how exact the
    columns of a summary's answer are, and of one that is derived from an earlier one. `plan`: that of the
    request, with the noise that these numbers have; None of a summary's, which are of no mechanism of it.
    """

    tables: tuple[pa.Table, ...]
    charged: str
    made: datetime | None = None
    note: str = ""
    said: tuple[Notice, ...] = ()
    errors: Mapping[str, float] | None = None
    plan: Plan | CompoundPlan | None = None


def replay(
    request: ReleaseRequest, session: Session, found: Replay, *, free: bool = False
) -> Response | None:
    """Replay an earlier answer; None if a fresh one is the better purchase (see `Ledger.replay`).

    Input: `free`: only if nothing is charged. Errors: BudgetExceededError, LedgerError.
    """
    event, seq = event_of(request.plan), found.kept.seq
    charged = session.replay(event, request.text, seq, request.accounts, free=free)
    if charged is None:
        return None
    return response_again(request, found, charged)


def is_replayed(request: ReleaseRequest, session: Session, found: Replay) -> bool:
    """Whether an answer can be replayed without a new entry, since the session has replayed it before.

    It never waits: False too if that had to be waited for.
    """
    return session.is_replayed(event_of(request.plan), request.text, found.kept.seq, request.accounts)


def response_again(request: ReleaseRequest, found: Replay, charged: Fraction = Fraction(0)) -> Response:
    """An earlier answer as the response to a request. Input: the epsilon that is charged for it now."""
    columns = [texts_of(found.derived.columns[c.name]) for c in request.plan.stored]
    table = pa.table(columns, [f"c{i}" for i in range(len(columns))])
    tables = apart(request.plan, table)
    note = found.derived.note
    return Response(tables, decimal_text(charged), found.kept.at, note, plan=found.plan, errors=found.errors)


def answer(
    request: ReleaseRequest,
    session: Session,
    reading: AbstractContextManager[ScoreReader],
    entropy: Entropy,
    pause: Callable[[], None],
) -> Response:
    """Answer a plan afresh, and store the answer.

    Input: `reading` opens the reader of scores; `pause` waits until a time that does not reveal how
        long reading took, before the end becomes visible: other sessions see stored answers.
    Errors: InternalError if a bound that a mechanism relies on is not proved, PolicyError if the database
        has changed, BudgetExceededError or LedgerError, before anything is read or drawn. After that
        ExecutionError, with constant text, or LedgerError if the answer cannot be stored; then there is no
        answer, and the charge stays.
    """
    event = event_of(request.plan)
    request.bounds.plan(request.plan)
    with ExitStack() as opened:
        reader = opened.enter_context(reading)
        check_current(request, reader)
        seq = session.charge(event, request.text, also=request.accounts)
        # ============ the data line: private rows are read below ============
        made = tables = None
        with below(), opened:  # any error's text could quote a private value
            parts = [(block, release(block, reader, entropy)) for block in request.plan.blocks]
            tables = tuple(part.table([column.name for column in block.columns]) for block, part in parts)
            made = Release.of_all([part for _, part in parts])
    pause()
    if made is None or tables is None or made.event != event:
        raise ExecutionError(charged=decimal_text(event.epsilon))
    # ============ everything below is already released ============
    used, said = _keep(request, session, seq, made, tables)
    return Response(tables, decimal_text(used), said=said, plan=request.plan)


class Current(Protocol):
    """What was planned for rows, and can tell whether that still holds."""

    @property
    def is_current(self) -> Callable[[Snapshot | None], bool]:
        """See `ReleaseRequest`."""
        ...


def check_current(request: Current, reader: ScoreReader) -> None:
    """Refuse a plan that relies on what is no longer so in what is read. Errors: PolicyError."""
    if request.is_current(reader.snapshot):
        return
    raise PolicyError(
        "the database has changed while the query was planned",
        detail="The plan relies on tables, constraints, policies and public rows as they were before.",
        hint="Run it again.",
    )


def _keep(
    request: ReleaseRequest, session: Session, seq: int, made: Release, tables: tuple[pa.Table, ...]
) -> tuple[Fraction, tuple[Notice, ...]]:
    """Settle the charge by what the release shows as used, and store the release if there is room.

    Output: epsilon used; what to say if it is not stored.
    """
    text = _kept_text(together(request.plan, tables))
    try:
        if text is None:
            return session.ledger.settle(seq, made.used, None), (unkept(None),)
        kept = StoredRelease(request.subject, request.version, description_of(request.plan), text)
        with session.ledger.holding(session.analyst, kept.size) as fits:
            used = session.ledger.settle(seq, made.used, kept if fits else None)
        return used, () if fits else (unkept(kept.size),)
    except DpduckError as error:
        fault = error
    raise unsettled(fault, made.event.epsilon)


def _kept_text(table: pa.Table) -> str | None:
    """The columns as text to store; None if they are too long."""
    if table.num_rows * table.num_columns * _CELL > MOST_KEPT:
        return None
    text = write_columns(table)
    return text if len(text) <= MOST_KEPT else None


def unsettled(fault: DpduckError, epsilon: Fraction) -> LedgerError:
    """The error for a charge that cannot be settled: all of it stays, and nothing is released."""
    return LedgerError(fault.message, detail=fault.reason, hint=fault.advice, charged=decimal_text(epsilon))
