"""EXPLAIN: what a query would do and cost, and its expected error, from public facts only."""

from __future__ import annotations

import itertools
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction
from typing import get_args

from dpduck.answers.explain_errors import ErrorOf, KnownError, errors_of, promises_of
from dpduck.answers.explain_facts import facts_of, shares_of
from dpduck.answers.explain_titles import title_of
from dpduck.answers.other_errors import OtherCosts
from dpduck.kernel.errors import decimal_text
from dpduck.kernel.plan.aggregates import ClampedSum
from dpduck.kernel.plan.compound import CompoundPlan
from dpduck.kernel.plan.coverage import Covers, covers, covers_of_differences
from dpduck.kernel.plan.model import (
    Alternative,
    Plan,
    PublicPlan,
)
from dpduck.kernel.plan.names import spoken
from dpduck.kernel.plan.prices import event_of, mechanisms_of
from dpduck.kernel.tree.duckdb import sql

_MOST_SQL = 12_000  # characters of SQL that the text of EXPLAIN shows as a whole
_SHOWN_SQL = 3_000  # characters of longer SQL


@dataclass(frozen=True)
class Explanation:
    """A plan for people (str) and programs (fields). Nothing was charged or read for it.

    `epsilon` and `delta` are exact text; `mechanism` and `score_sql` are one string, or a list if the
    answer has several parts; `expected_error` maps each released number to what its error stays within with
    probability 0.95, whatever the rows are: where noise may be why a group is shown, the largest noise of all
    groups counts; `score_sql` runs on a plain DuckDB connection to the same file;
    `alternatives` maps each plan that was considered to its error in counts: that of the counts it shows,
    and the lead with which it ranks a group before all others; `cost_at` maps an error relative to this one
    (0.5, 2) to the epsilon that it would take, None if no allowed one suffices; `replayed`: the time of the
    earlier answer that would be replayed, at no cost to the privacy units, None if there is none; `owed`: the
    epsilon that a budget FOR somebody would pay for it; `queries_left`: how many more such queries fit into
    every budget, None if none is capped; `promises`: the expected error of each part of the answer, in words;
    `caveats`: what the answer means where that differs from plain SQL; `covers`: what the 95 % interval of
    each released number covers (see `coverage.Covers`), and that of a difference of two, by the names of its
    ends; `shares`: what each part of the answer takes of epsilon, by what it is for, if there are several.
    Numbers that are only computed with, as in 1 + count(*), have the names that they have in the query.
    `error_of` says of what those errors are that are not of the number itself, whatever the rows are (see
    `explain_errors.KnownError`): of an average of 1,000 units, a rank, or what is chosen privately.
    """

    epsilon: str
    delta: str
    mechanism: str | list[str]
    expected_error: dict[str, float]
    score_sql: str | list[str]
    text: str
    alternatives: dict[str, float]
    cost_at: dict[float, str | None]
    replayed: datetime | None = None
    queries_left: int | None = None
    promises: tuple[str, ...] = ()
    caveats: tuple[str, ...] = ()
    covers: dict[str, Covers] = field(default_factory=dict)
    shares: dict[str, str] = field(default_factory=dict)
    owed: str = "0"
    error_of: dict[str, ErrorOf] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.text

    def as_dict(self) -> dict[str, object]:
        """All fields by name."""
        return dict(vars(self))


@dataclass(frozen=True)
class LedgerStatus:
    """What the ledger says about a query before it runs.

    `replayed`: the time of the answer that would be replayed; `note`: how it differs from a fresh one;
    `left`: how many more such queries fit; `tightest`: the account that allows the fewest; `beside`: what
    the query costs of budgets that add up something else than epsilon: rho, mu squared. `room`: lines about
    what is kept. `price`: what a budget FOR somebody would pay for the earlier answer; `errors`: what its
    numbers stay within, where that is something else than for fresh ones.
    """

    replayed: datetime | None = None
    note: str = ""
    left: int | None = None
    tightest: str = ""
    beside: tuple[tuple[str, Fraction], ...] = ()
    room: tuple[str, ...] = ()
    price: Fraction = Fraction(0)
    errors: Mapping[str, float] | None = None

    def lines(self) -> list[str]:
        """The same as lines of EXPLAIN."""
        lines = []
        if self.replayed is not None:
            made = f"{self.replayed:%Y-%m-%d %H:%M:%S} UTC"
            paid = "which is paid for"
            if self.price:
                paid = f"for epsilon {decimal_text(self.price)} once, of a budget FOR somebody"
            lines.append(f"  replayed  from the answer of {made}, {paid}")
            lines += [f"            {self.note}"] if self.note else []
            errors = (self.errors or {}).items()
            lines += [
                f"            The noise of {spoken(name)} is within {error:,.4g} there."
                for name, error in errors
            ]
        for name, cost in self.beside:
            lines.append(f"  {name:<9} {float(cost):.4g} of the budgets that add up {name}")
        if self.left is not None:
            lines.append(
                f"  left      {self.left:,} such {'query' if self.left == 1 else 'queries'}: {self.tightest}"
            )
        return [*lines, *self.room]


def explain(
    plan: Plan | CompoundPlan | PublicPlan,
    costs: OtherCosts,
    status: LedgerStatus = LedgerStatus(),
    notes: Sequence[str] = (),
    gain: Sequence[str] = (),
) -> Explanation:
    """Explain a plan.

    Input: `costs`: what other errors would cost; `notes`: its caveats, in words; `gain`: lines of what
        a delta or private clamps would gain.
    """
    if isinstance(plan, PublicPlan):
        return _explain_public(plan)
    event = event_of(plan)
    before = [*_note_lines(notes)]
    after = [*status.lines(), *_cost_lines(costs), *gain]
    lines = _block_lines(plan, before, after) if isinstance(plan, Plan) else _tree_lines(plan, before, after)
    blocks, errors = plan.blocks, _errors(plan.blocks)
    return Explanation(
        decimal_text(event.epsilon),
        decimal_text(event.delta),
        _one_or_list([mechanism for block in blocks for mechanism in mechanisms_of(block)]),
        {name: error.within for name, error in errors.items()} | dict(status.errors or {}),
        _one_or_list([score for block in blocks for score in _score_sql(block)]),
        "\n".join(lines),
        _alternative_errors(blocks),
        dict(costs),
        status.replayed,
        status.left,
        tuple(promise for block in blocks for promise in promises_of(block)),
        tuple(notes),
        _covered(blocks),
        _all_shares(blocks),
        decimal_text(status.price),
        {name: error.of for name, error in errors.items() if error.of != "number"},
    )


def _all_shares(blocks: Sequence[Plan]) -> dict[str, str]:
    """What each part takes of epsilon; of several blocks, with the number of the block."""
    found: dict[str, str] = {}
    for number, block in enumerate(blocks, 1):
        for share, what in shares_of(block):
            named = what if len(blocks) == 1 else f"{what}, in block {number}"
            found[named] = decimal_text(share + Fraction(found.get(named, "0")))
    return found


def _alternative_errors(blocks: Sequence[Plan]) -> dict[str, float]:
    """The errors of the plans that were considered; of several blocks, with the number of the block."""
    return {
        one.title if len(blocks) == 1 else f"block {number}: {one.title}": one.error
        for number, block in enumerate(blocks, 1)
        for one in block.alternatives
    }


def _covered(blocks: Sequence[Plan]) -> dict[str, Covers]:
    """What the interval of each released number covers; of several with one name, the least."""
    found: dict[str, Covers] = {}
    for block in blocks:
        covered = covers(block)
        for name, column in block.shown:
            if column in covered:
                found[name] = max(found.get(name, "both"), covered[column], key=get_args(Covers).index)
        found |= covers_of_differences(block)
    return found


def _errors(blocks: Sequence[Plan]) -> dict[str, KnownError]:
    """The expected error of each released number; of several with one name, the largest."""
    errors: dict[str, KnownError] = {}
    for block in blocks:
        for name, error in errors_of(block).items():
            errors[name] = max(error, errors.get(name, error), key=lambda one: one.within)
    return errors


def _block_lines(plan: Plan, before: Sequence[str], after: Sequence[str]) -> list[str]:
    """The lines of one block. Input: lines that follow its title, and lines that follow its facts."""
    lines = [title_of(plan), *before, *facts_of(plan), *after, *_alternatives(plan)]
    for score in _score_sql(plan):
        lines += _sql_lines("score SQL", score)
    lines += _second_passes(plan)
    if not plan.shows_all:
        lines += _sql_lines("answer SQL, over the released columns", plan.answer_sql)
    return lines


def _tree_lines(plan: CompoundPlan, before: Sequence[str], after: Sequence[str]) -> list[str]:
    """The lines of a query with several blocks, each with the lines of its own below it."""
    cost = event_of(plan)
    delta = f", delta {decimal_text(cost.delta)}" if cost.delta else ""
    several = f"{len(plan.blocks)} blocks, each with a share of epsilon, and one charge"
    title = several if len(plan.blocks) > 1 else "one block, whose rows meet those of public tables"
    lines = [title, *before, f"  cost      epsilon {decimal_text(cost.epsilon)}{delta}", *after]
    for number, block in enumerate(plan.blocks, 1):
        first, *rest = _block_lines(block, [], [])
        lines += [f"  block {number}: {first}", *(textwrap.indent(line, "  ") for line in rest)]
    for rows in plan.public:
        lines.append(f"  public    the rows of {rows.table.schema}.{rows.table.name}")
    return lines + _sql_lines("answer SQL, over the rows of all blocks", plan.answer_sql)


def _explain_public(plan: PublicPlan) -> Explanation:
    text = "\n".join([f"public: {plan.reason}", *_sql_lines("SQL", plan.sql)])
    return Explanation("0", "0", "public", {}, plan.sql, text, {}, {})


def _score_sql(plan: Plan) -> list[str]:
    parts = [plan.selection.score_sql, *(measure.score_sql for measure in plan.measures)]
    return [part for part in parts if part]


def _second_passes(plan: Plan) -> list[str]:
    """The second passes for quantiles on fine grids. Their windows are private, and not shown."""
    lines = []
    for passes in (measure.passes for measure in plan.measures):
        if passes is not None and passes.held is not None:
            lines += _sql_lines("held SQL, which both passes read", sql(passes.held))
        if passes is not None:
            bins = f"score SQL of the second pass, where bins of {passes.width:,} points hold the quantile"
            lines += _sql_lines(bins, sql(passes.points))
    return lines


def _sql_lines(title: str, text: str) -> list[str]:
    """SQL under its title; of SQL that nobody reads to its end only the beginning."""
    if len(text) > _MOST_SQL:
        title += f", the first {_SHOWN_SQL:,} of {len(text):,} characters"
        text = f"{text[:_SHOWN_SQL]} ..."
    return [f"  {title}", textwrap.indent(text, "    ")]


def _one_or_list(texts: Sequence[str]) -> str | list[str]:
    return texts[0] if len(texts) == 1 else list(texts)


def _note_lines(notes: Sequence[str]) -> list[str]:
    first, rest = "  note      ", " " * 12
    lines = [
        textwrap.wrap(note, 110, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False)
        for note in notes
    ]
    return list(itertools.chain.from_iterable(lines))


def _alternatives(plan: Plan) -> list[str]:
    if len(plan.alternatives) < 2:
        return []
    unit = _unit_of_errors(plan)
    return [
        f"  plan      {'->' if one.is_taken else '  '} {one.title}: +-{one.error:,.4g}{unit}{_price(one)}"
        for one in plan.alternatives
    ]


def _unit_of_errors(plan: Plan) -> str:
    """What the errors of alternatives are in: clamps where no count or bounded sum is beside them."""
    clamped = [isinstance(measure.request, ClampedSum) for measure in plan.measures]
    if not any(clamped):
        return ""
    return " clamps" if all(clamped) else ", of sums in clamps"


def _price(plan: Alternative) -> str:
    return "" if plan.price is None else f", for {float(plan.price):.4g}"


def _cost_lines(costs: OtherCosts) -> list[str]:
    """What half and twice the error would cost, if it can be had."""
    words = {0.5: "half", 2.0: "twice"}
    return [
        f"  {words[ratio]:<9} the error would cost epsilon {cost}"
        for ratio, cost in costs.items()
        if cost is not None
    ]
