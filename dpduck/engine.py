"""The pipeline of a private query: charge, then read the scores, then let a mechanism answer."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from dpduck.candidates import Candidates
from dpduck.catalog import Table
from dpduck.columns import scores_of
from dpduck.errors import ExecutionError, InternalError, decimal_text
from dpduck.events import Event
from dpduck.grid import Grid
from dpduck.ledger import Account
from dpduck.mechanisms.additive import noisy_counts, private_key_counts
from dpduck.mechanisms.private_topk import private_top_k
from dpduck.mechanisms.quantile import ValueCounts, quantile
from dpduck.mechanisms.selection import permute_and_flip
from dpduck.mechanisms.topk import top_k
from dpduck.mechanisms.topk_counts import top_k_counts
from dpduck.noise import Entropy
from dpduck.query.plan import CountPlan, HistogramPlan, ModePlan, Plan, QuantilePlan, TopKPlan
from dpduck.query.price import event_of, groups_of
from dpduck.session import Session, people
from dpduck.sqltypes import parse_type

Integers = NDArray[np.int64]
Read = Callable[[str], pa.Table]


@dataclass(frozen=True)
class Release:
    """What leaves: for each output source (`key`, `count`, `value`) its column, and the event."""

    columns: dict[str, list[object]]
    event: Event

    @property
    def rows(self) -> int:
        """The number of rows."""
        return max((len(column) for column in self.columns.values()), default=0)


def accounts_of(table: Table) -> tuple[Account, ...]:
    """Whom a query on the table is charged to besides the session: the table, and its people."""
    if table.unit is None:
        raise InternalError("a private table has no unit")
    return (Account("table", table.name), people(table.name, table.unit))


def answer(plan: Plan, text: str, session: Session, read: Read, entropy: Entropy) -> Release:
    """Answer a plan.

    Input: the SQL text for the ledger; `read` runs score SQL and returns its rows.
    Errors: BudgetExceededError or LedgerError, before anything is read or drawn; after that only
        ExecutionError, of constant text.
    """
    event = event_of(plan)
    analyst = () if session.analyst is None else (Account("analyst", session.analyst),)
    session.charge(event, text, also=(*analyst, *accounts_of(plan.table)))
    # ============ the data line: private rows are read below ============
    release = None
    with suppress(Exception):  # whatever its text says could quote a private value
        release = _release(plan, read(plan.score_sql), entropy)
    if release is None or release.event != event:
        raise ExecutionError(charged=decimal_text(event.epsilon))
    return release


def _release(plan: Plan, scores: pa.Table, entropy: Entropy) -> Release:
    counts = scores_of(scores.column("score").combine_chunks(), "score")
    match plan:
        case CountPlan():
            noisy = noisy_counts(counts, plan.epsilon, entropy, groups=1)
            return Release({"count": list(noisy.counts)}, noisy.event)
        case QuantilePlan():
            return _quantile(plan, scores.column(0).combine_chunks(), counts, entropy)
    keys = _plain(scores.column(0).combine_chunks())
    match plan:
        case TopKPlan():
            return _top_k(plan, Candidates(plan.key, keys, counts), entropy)
        case HistogramPlan():
            return _histogram(plan, Candidates(plan.key, keys, counts), entropy)
        case ModePlan():
            return _mode(plan, Candidates(plan.key, keys, counts), entropy)
    raise InternalError("a plan of this kind has no mechanism")


def _plain(column: pa.Array) -> pa.Array:
    return column.cast(pa.string()) if pa.types.is_dictionary(column.type) else column


def _top_k(plan: TopKPlan, candidates: Candidates, entropy: Entropy) -> Release:
    measure = any(output.source == "count" for output in plan.outputs)
    if plan.key.domain is None:
        top = private_top_k(
            candidates.counts,
            plan.k,
            plan.epsilon,
            plan.delta,
            entropy,
            groups=groups_of(plan),
            measure=measure,
        )
        return _ranked(candidates, top.candidates, top.counts, top.event)
    if measure:
        counted = top_k_counts(candidates.scores, plan.k, plan.epsilon, entropy, groups=groups_of(plan))
        return _ranked(candidates, counted.candidates, counted.counts, counted.event)
    selected = top_k(candidates.scores, plan.k, plan.epsilon, entropy)
    return _ranked(candidates, selected.candidates, None, selected.event)


def _ranked(
    candidates: Candidates, numbers: tuple[int, ...], counts: tuple[float, ...] | None, event: Event
) -> Release:
    """Keys in noisy order; with counts, by descending estimate, as ORDER BY promises."""
    keys = [candidates.value(number) for number in numbers]
    if counts is None:
        return Release({"key": keys}, event)
    order = sorted(range(len(keys)), key=lambda i: -counts[i])
    return Release({"key": [keys[i] for i in order], "count": [round(counts[i]) for i in order]}, event)


def _histogram(plan: HistogramPlan, candidates: Candidates, entropy: Entropy) -> Release:
    if plan.key.domain is None:
        shown = private_key_counts(candidates.counts, plan.epsilon, plan.delta, entropy, groups=plan.groups)
        keys = [candidates.value(number) for number in shown.candidates]
        return _ordered(plan, keys, list(shown.counts), shown.event)
    values, counts = candidates.histogram(plan.key.domain)
    noisy = noisy_counts(counts, plan.epsilon, entropy, groups=plan.groups)
    return _ordered(plan, values, list(noisy.counts), noisy.event)


def _ordered(plan: HistogramPlan, keys: list[object], counts: list[int], event: Event) -> Release:
    """Sort a released histogram as the query asks; NULL comes last, as in DuckDB."""
    sources = {-1: counts} | {
        i: counts if output.source == "count" else keys for i, output in enumerate(plan.outputs)
    }
    order = list(range(len(keys)))
    for number, descending in reversed(plan.order_by):
        column: list[object] = list(sources[number])
        present = [i for i in order if column[i] is not None]
        present.sort(key=lambda i, column=column: column[i], reverse=descending)  # type: ignore[misc]
        order = present + [i for i in order if column[i] is None]
    return Release({"key": [keys[i] for i in order], "count": [counts[i] for i in order]}, event)


def _mode(plan: ModePlan, candidates: Candidates, entropy: Entropy) -> Release:
    if plan.key.domain is None:
        top = private_top_k(
            candidates.counts,
            1,
            plan.epsilon,
            plan.delta,
            entropy,
            groups=groups_of(plan),
            measure=False,
        )
        winner = candidates.value(top.candidates[0]) if top.candidates else None
        return Release({"value": [winner]}, top.event)
    chosen = permute_and_flip(candidates.scores, plan.epsilon, entropy, monotonic=True)
    return Release({"value": [candidates.value(chosen.candidate)]}, chosen.event)


def _quantile(plan: QuantilePlan, values: pa.Array, units: Integers, entropy: Entropy) -> Release:
    domain = plan.grid
    grid = Grid.of(parse_type(plan.key.type), domain.low, domain.high, domain.step)
    sample = ValueCounts(grid.nearest(values), units)
    point = quantile(sample, grid.points, plan.quantile, plan.epsilon, entropy)
    return Release({"value": [domain.value(point.offset)]}, point.event)
