"""The synthetic rows of summaries for the queries of a session: which there are, and what reading them costs.

Who reads them has learned the numbers that they are made of. So reading is recorded, and a budget FOR
somebody pays, as for an answer of the summary.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import pyarrow as pa

from dpduck.answers.summaries import Summaries, Summary, changed_meanwhile
from dpduck.compiler.parse.statements import Select, tables_named
from dpduck.kernel.catalog.model import Table, fold
from dpduck.kernel.errors import UnsupportedSqlError, decimal_text
from dpduck.kernel.errors.advice import Hint
from dpduck.summaries.synthetic import check_cells, face_of, synthetic_rows

_MOST = 4  # summaries whose rows are kept in memory


@dataclass(frozen=True)
class MadeRows:
    """Synthetic rows. `charged`: what a budget FOR somebody paid for them now; `said`: for the user."""

    rows: pa.Table
    charged: Fraction
    said: Hint


class SyntheticCache:
    """The synthetic rows of summaries, each made once at a time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._made: OrderedDict[int, pa.Table] = OrderedDict()

    def rows(self, seq: int, make: Callable[[], pa.Table]) -> pa.Table:
        """The rows of the summary that a charge has paid for."""
        with self._lock:
            if seq not in self._made:
                self._made[seq] = make()
                while len(self._made) > _MOST:
                    self._made.popitem(last=False)
            return self._made[seq]


class SyntheticRows:
    """The synthetic rows that one session may read."""

    def __init__(self, summaries: Summaries, cache: SyntheticCache) -> None:
        self._summaries = summaries
        self._cache = cache

    def tables(self) -> tuple[Table, ...]:
        """The tables of all summaries that fit their tables, by name."""
        fitting = (one for one in self._summaries.all() if one.design is not None)
        return tuple(face_of(one.name, one.design).table for one in fitting if one.design is not None)

    def named(self, select: Select) -> tuple[Table, ...]:
        """The tables of the summaries that a query names. Errors: UnsupportedSqlError if one has none now."""
        names = {fold(name) for name in tables_named(select) if self._summaries.is_one(name)}
        found = [one for one in self._summaries.all() if fold(one.name) in names] if names else []
        tables = []
        for summary in found:
            if summary.design is None or summary.is_too_old:
                raise UnsupportedSqlError(
                    f"summary {summary.name} has no synthetic rows now",
                    detail=_sentence(summary.reason or "it is older than its MAX AGE"),
                    hint=f"ALTER PRIVACY SUMMARY {summary.name} REFRESH.",
                )
            tables.append(face_of(summary.name, summary.design).table)
        return tuple(tables)

    def owed(self, table: Table) -> Fraction | None:
        """What a budget FOR somebody would pay now if the rows were read, mostly 0; None if it has less."""
        summary = self._summary_of(table)
        return Fraction(0) if summary is None else self._summaries.owed(summary)

    def _summary_of(self, table: Table) -> Summary | None:
        """The summary whose rows have that table, if it still is one."""
        named = (one for one in self._summaries.all() if fold(one.name) == fold(table.name))
        fitting = (one for one in named if one.design and face_of(one.name, one.design).table == table)
        return next(fitting, None)

    def read(self, table: Table, text: str, check: Callable[[], None], *, free: bool) -> MadeRows:
        """The rows of a table, and record that they are read.

        Input: the query; `check`: called meanwhile, to stop by an exception; `free`: nothing is to be
            charged.
        Errors: PolicyError if the summary is another by now; UnsupportedSqlError if it has too many cells or
            rows, or a budget FOR somebody has less left than it cost; PermissionDeniedError; LedgerError.
        """
        summaries, summary = self._summaries, self._summary_of(table)
        if summary is None or summary.design is None:
            raise changed_meanwhile(table.name)
        check_cells(summary.name, summary.design)
        contents = summaries.contents(summary)
        charged = summaries.pay(summary, text, free=free)  # what is said of too many rows tells a number, too
        rows = self._cache.rows(summary.kept.seq, lambda: synthetic_rows(contents, summary.name, check))
        return MadeRows(rows, charged, _said(summaries, summary, charged))


def _said(summaries: Summaries, summary: Summary, charged: Fraction) -> Hint:
    made = f"{summary.kept.at:%Y-%m-%d %H:%M:%S} UTC"
    cost = f"epsilon {decimal_text(charged)} was charged once" if charged else "it costs nothing"
    said = [f"These are synthetic rows of summary {summary.name}, which was paid for on {made}; {cost}."]
    said.append(
        "They are a model of its numbers and no data: no row is anybody's, and they have no intervals."
    )
    if summary.counts:
        said.append(f"There are as many as it has counted: {summary.counts}.")
    if not summaries.is_current(summary):
        said.append("Its database has changed since.")
    said.append(f"Ask {summary.create.table} for counts with intervals.")
    return Hint.of(" ".join(said))


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."
