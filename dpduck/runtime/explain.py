"""EXPLAIN: what a query would do and cost, and its expected error, from public facts only."""

from __future__ import annotations

import itertools
import math
import textwrap
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction
from typing import assert_never, get_args

from dpduck.accounting.amounts import EPSILON_MAX, EPSILON_MIN
from dpduck.errors import DpduckError, decimal_text
from dpduck.mechanisms.additive import half_width
from dpduck.mechanisms.averages import accuracy_of_means
from dpduck.mechanisms.chosen_groups import CHOOSING, count_rate
from dpduck.mechanisms.deviations import half_width_if_even
from dpduck.mechanisms.gaussian_keys import gaussian_threshold
from dpduck.mechanisms.many_quantiles import levels_of
from dpduck.mechanisms.moments import moment_scale
from dpduck.mechanisms.populations import sampling_of
from dpduck.mechanisms.proportions import half_width_of_half
from dpduck.mechanisms.quantile import RankErrors
from dpduck.query.plan import aggregates
from dpduck.query.plan.caveats import Covers, covers, covers_of_differences
from dpduck.query.plan.compound import CompoundPlan
from dpduck.query.plan.cost import (
    chosen_error,
    column_error,
    error_of_totals,
    errors_of_ranks,
    errors_of_sums,
    event_of,
    expected_error,
    gaussian_split_of,
    mechanisms_of,
    noise_of_clamp,
    noise_of_distinct,
    places_of,
    rank_error,
    rate_of_choices,
    spans_of,
    split_of,
    units_of_clamp,
    variances_of,
    width_per_clamp,
)
from dpduck.query.plan.model import (
    UNITS,
    Alternative,
    EveryKey,
    FoundKeys,
    KeysAbove,
    LargestKeys,
    Measure,
    OneGroup,
    Plan,
    Planned,
    PublicPlan,
)
from dpduck.query.plan.names import names_of, requests_of
from dpduck.query.tree.duckdb import sql
from dpduck.query.write.keys import Places
from dpduck.runtime.quantile_intervals import interval_lines

_MOST_SQL = 12_000  # characters of SQL that the text of EXPLAIN shows as a whole
_SHOWN_SQL = 3_000  # characters of longer SQL
_MOST_SETS = 8  # grouping sets of which the error is shown

# Aggregates of which the error depends on the data as well.
_OF_DATA = (
    aggregates.ChosenCount,
    aggregates.ChosenDistinct,
    aggregates.ClampedSum,
    aggregates.Mean,
    aggregates.Moments,
)

Replan = Callable[[Fraction], Plan | CompoundPlan | PublicPlan]


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
    earlier answer that would be replayed, at no cost to the privacy units, None if there is none;
    `queries_left`: how many more such queries fit into every budget, None if none is capped; `promises`:
    the expected error of each part of the answer, in words; `caveats`: what the answer means where that
    differs from plain SQL; `covers`: what the 95 % interval of each released number covers (see
    `caveats.Covers`), and that of a difference of two, by the names of its ends; `shares`: what each part of
    the answer takes of epsilon, by what it is for, if there are several.
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
    the query costs of budgets that add up something else than epsilon: rho, mu squared.
    """

    replayed: datetime | None = None
    note: str = ""
    left: int | None = None
    tightest: str = ""
    beside: tuple[tuple[str, Fraction], ...] = ()

    def lines(self) -> list[str]:
        """The same as lines of EXPLAIN."""
        lines = []
        if self.replayed is not None:
            made = f"{self.replayed:%Y-%m-%d %H:%M:%S} UTC"
            lines.append(f"  replayed  from the answer of {made}, which is paid for")
            lines += [f"            {self.note}"] if self.note else []
        for name, cost in self.beside:
            lines.append(f"  {name:<9} {float(cost):.4g} of the budgets that add up {name}")
        if self.left is not None:
            lines.append(
                f"  left      {self.left:,} such {'query' if self.left == 1 else 'queries'}: {self.tightest}"
            )
        return lines


def explain(
    plan: Plan | CompoundPlan | PublicPlan,
    replan: Replan,
    status: LedgerStatus = LedgerStatus(),
    notes: Sequence[str] = (),
) -> Explanation:
    """Explain a plan.

    Input: `replan` makes the plan of the same query at another epsilon; `notes`: its caveats, in words.
    """
    if isinstance(plan, PublicPlan):
        return _explain_public(plan)
    event = event_of(plan)
    costs = {ratio: _cost_at(ratio, event.epsilon, plan, replan) for ratio in (0.5, 2.0)}
    before = [*_note_lines(notes)]
    after = [*status.lines(), *_cost_lines(costs)]
    lines = _block_lines(plan, before, after) if isinstance(plan, Plan) else _tree_lines(plan, before, after)
    blocks = plan.blocks
    return Explanation(
        decimal_text(event.epsilon),
        decimal_text(event.delta),
        _one_or_list([mechanism for block in blocks for mechanism in mechanisms_of(block)]),
        _errors(blocks),
        _one_or_list([score for block in blocks for score in _score_sql(block)]),
        "\n".join(lines),
        _alternative_errors(blocks),
        costs,
        status.replayed,
        status.left,
        tuple(promise for block in blocks for promise in _promises(block)),
        tuple(notes),
        _covered(blocks),
        _all_shares(blocks),
    )


def _all_shares(blocks: Sequence[Plan]) -> dict[str, str]:
    """What each part takes of epsilon; of several blocks, with the number of the block."""
    found: dict[str, str] = {}
    for number, block in enumerate(blocks, 1):
        for share, what in _shares(block):
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


def _errors(blocks: Sequence[Plan]) -> dict[str, float]:
    """The expected error of each released number; of several with one name, the largest."""
    errors: dict[str, float] = {}
    for block in blocks:
        for name, error in expected_error(block).items():
            errors[name] = max(error, errors.get(name, 0.0))
    return errors


def _block_lines(plan: Plan, before: Sequence[str], after: Sequence[str]) -> list[str]:
    """The lines of one block. Input: lines that follow its title, and lines that follow its facts."""
    lines = [_title(plan), *before, *_facts(plan), *after, *_alternatives(plan)]
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


# --- the text ------------------------------------------------------------------------------------


def _note_lines(notes: Sequence[str]) -> list[str]:
    first, rest = "  note      ", " " * 12
    lines = [
        textwrap.wrap(note, 110, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False)
        for note in notes
    ]
    return list(itertools.chain.from_iterable(lines))


def _title(plan: Plan) -> str:
    match plan.selection:
        case LargestKeys(k=k, gaussian=True, counted=str()):
            return f"Gumbel top-k: the {k:,} largest of {_candidates(plan)}, counted anew with Gaussian noise"
        case LargestKeys(k=k, gumbel=gumbel, spread=spread, gaussian=gaussian) if spread:
            name = "Gumbel" if gumbel or gaussian else "noisy"
            return f"{name} top-k by sums: the {k:,} largest of {_candidates(plan)}, measured anew"
        case LargestKeys(k=k, gumbel=gumbel, gaussian=gaussian):
            name = "Gumbel" if gumbel or gaussian else "noisy"
            return f"{name} top-k: the {k:,} largest of {_candidates(plan)}"
        case KeysAbove(k=k, threshold=threshold):
            largest = f"the {k:,} largest of {_candidates(plan)}"
            return f"top-k above a threshold: {largest}, down to {threshold:,}"
        case EveryKey():
            return _histogram_title(plan)
        case FoundKeys():
            return f"partition selection: {_candidates(plan)}"
        case OneGroup() if len(plan.measures) == 1:
            return _measure_title(plan.measures[0])
    return f"{len(plan.measures)} aggregates, each with a share of epsilon"


def _histogram_title(plan: Plan) -> str:
    if all(measure.levels is not None and not measure.levels.has_groups for measure in plan.measures):
        return f"histogram: noisy totals of {_candidates(plan)}"
    totals = ", and their totals" if plan.sets else ""
    return f"histogram: noisy numbers for each of {_candidates(plan)}{totals}"


def _candidates(plan: Plan) -> str:
    names = ", ".join(key.name for key in plan.keys)
    size = plan.space.size
    if size is None:
        return f"the values of {names} found in private rows"
    return f"the {size:,} public values of {names}"


def _measure_title(measure: Measure) -> str:  # noqa: C901 (a case for each kind)
    match measure.request:
        case aggregates.Count(rows=rows):
            what = "units" if rows is None else f"rows, at most {rows:,} of each unit"
            return f"count: {what}, with {_noise_name(measure)} noise"
        case aggregates.ChosenCount(of=of, most=most):
            what = "units" if of.rows is None else f"rows, at most {of.rows:,} of each unit"
            of_each = f"each unit in at most m of its groups, m up to {most:,} chosen privately"
            return f"count: {what}, {of_each}, with discrete Laplace noise"
        case aggregates.Distinct(value=value, values=values):
            return f"count: distinct values of {value.name or 'x'}, at most {values:,} of each unit"
        case aggregates.ChosenDistinct(value=value, most=most, claims=claims):
            how = " claimed in turns" if claims else ""
            of_each = f"l of each unit{how}, l up to {most:,} chosen privately"
            return f"distinct values of {value.name or 'x'}: {of_each}, with discrete Laplace noise"
        case aggregates.Sum(low=low, high=high):
            ends = f"[{float(low):g}, {float(high):g}]"
            return f"sum: the total of each unit clamped to {ends}, with {_noise_name(measure)} noise"
        case aggregates.ClampedSum() as request:
            if request.counts:
                of_each = f"l of each unit, l up to {float(request.ceiling):,.7g} chosen with half of epsilon"
                return f"count: rows, {of_each}, with {_noise_name(measure)} noise"
            clamp = f"a clamp up to {float(request.ceiling):,.6g} that half of epsilon chooses"
            return f"sum: the total of each unit clamped to {clamp}, with {_noise_name(measure)} noise"
        case aggregates.Mean(low=low, high=high, rows=rows):
            what = "the mean of each unit" if rows is None else _bounded(rows)
            return f"mean: of {what}, clamped to [{float(low):g}, {float(high):g}]"
        case aggregates.Moments() as request:
            return _moments_title(request)
        case aggregates.Quantile() as request:
            return _quantile_title(request)
        case aggregates.Quantiles() as request:
            return _quantiles_title(request)
        case aggregates.Mode(key=key):
            among = "found in private rows" if key.domain is None else f"of {key.domain.size:,} public ones"
            return f"permute-and-flip: the most frequent value of {key.name}, {among}"
    assert_never(measure.request)


def _noise_name(measure: Measure) -> str:
    return "discrete Laplace" if measure.gaussian is None else "Gaussian"


def _noise_lines(plan: Plan) -> list[str]:
    """The Gaussian noise of each number that has it, in the number's unit."""
    lines = []
    match plan.selection:
        case FoundKeys(gaussian=True, epsilon=epsilon, delta=delta, groups=int(groups)):
            variances = gaussian_threshold(epsilon, delta, groups).variances
            lines.append(f"Gaussian, of standard deviation {variances.deviation:,.4g}, with half of delta")
        case LargestKeys(gaussian=True, counted=None, spread=spread) as selection:
            scale = float((spread or 1) / rate_of_choices(selection)) / 10 ** _places_of_ranked(plan)
            lines.append(f"Gumbel, of scale {scale:,.4g}, selects")
        case LargestKeys(gaussian=True) as selection:
            lines += _lines_of_anew(selection)
    for measure in plan.measures:
        if isinstance(measure.request, aggregates.ClampedSum):
            lines += _lines_of_clamp(measure, plan)
        elif measure.gaussian is not None:
            variances, tick = variances_of(measure), 10.0 ** -places_of(measure.request)
            line = f"Gaussian, of standard deviation {variances.deviation * tick:,.4g}"
            if variances.shared:
                line += f", of which all groups share a part of {math.sqrt(variances.shared) * tick:,.4g}"
            lines.append(f"{line}, for {_short(measure, plan)}" if len(plan.measures) > 1 else line)
    return [f"  noise     {line}" for line in lines]


def _lines_of_clamp(measure: Measure, plan: Plan) -> list[str]:
    if measure.gaussian is None:
        return []
    deviation = math.sqrt(noise_of_clamp(measure).square)
    line = f"Gaussian, of standard deviation {deviation:,.4g} clamps"
    return [f"{line}, for {_short(measure, plan)}" if len(plan.measures) > 1 else line]


def _places_of_ranked(plan: Plan) -> int:
    return 0 if plan.asked.ranked is None else places_of(plan.asked.ranked)


def _lines_of_anew(selection: LargestKeys) -> list[str]:
    """The noise that chooses and that which counts, whose prices are added up in rho."""
    split = gaussian_split_of(selection)
    counts = f"Gaussian, of standard deviation {split.variances.deviation:,.4g}"
    if split.variances.shared:
        counts += f", of which all counts share a part of {math.sqrt(split.variances.shared):,.4g}"
    return [
        f"Gumbel, of scale {float(1 / split.rate):,.4g}, selects",
        f"{counts}, counts the winners afresh",
    ]


def _level_lines(plan: Plan) -> list[str]:
    """On which levels numbers are measured, if not on that of the groups alone."""
    lines = []
    for measure in plan.measures:
        if measure.levels is not None:
            named = [_of_set(plan, places).partition(" (")[0] for places in measure.levels.places]
            of = f" of {_short(measure, plan)}" if len(plan.measures) > 1 else ""
            share = f"1 / {len(named)} of its epsilon"
            each = f"each measured with {share}, and made to agree by least squares"
            lines.append(f"  levels    {'; '.join(named)}{of}: {each}")
    return lines


def _quantile_title(request: aggregates.Quantile) -> str:
    name = "the median" if request.quantile == Fraction(1, 2) else f"the {float(request.quantile):g} quantile"
    title = f"permute-and-flip: {name} of {_values(request)}, on a grid of {request.grid.size:,} points"
    return title if request.interval is None else f"{title}, and its interval, with 2/3 of epsilon"


def _quantiles_title(request: aggregates.Quantiles) -> str:
    one, number = request.of, len(request.shares)
    what = f"{number:,} quantiles of {_values(one)}, on a grid of {one.grid.size:,} points"
    levels = levels_of(number)
    return f"permute-and-flip by recursion: {what}, with 1/{levels} of epsilon on each of {levels} levels"


def _moments_title(request: aggregates.Moments) -> str:
    what = "all rows, of which those of a unit weigh 1" if request.rows is None else _bounded(request.rows)
    ends = " and ".join(f"[{float(axis.low):g}, {float(axis.high):g}]" for axis in request.axes)
    return f"{request.statistic}: of {what}, clamped to {ends}"


def _bounded(rows: int) -> str:
    return f"at most {rows:,} rows of each unit"


def _values(request: aggregates.Quantile) -> str:
    if request.rows is not None:
        return f"all rows, of which those of a unit weigh at most {request.rows:,}"
    return "one value per unit" if request.parts is None else "all rows, of which those of a unit weigh 1"


def _facts(plan: Plan) -> list[str]:
    event = event_of(plan)
    cost = f"epsilon {decimal_text(event.epsilon)}"
    if event.delta:
        cost += f", delta {decimal_text(event.delta)}"
    tables = ", ".join(f"{table.schema}.{table.name}" for table in plan.tables)
    lines = [f"  cost      {cost}", *_split_lines(plan), f"  unit      {plan.unit}, in {tables}"]
    lines += [*_noise_lines(plan), *_row_lines(plan)]
    if plan.selection.scores is not None and plan.is_held:
        lines.append(
            "  reads     how many groups have each score, and the keys of those shown; the rest stays"
        )
    if isinstance(plan.selection, KeysAbove):
        places = plan.selection.k
        lines.append(
            f"  stops     at the threshold: j groups before it use (j + 1) / {places:,} of what selects; the "
            "rest of that epsilon comes back"
        )
    lines += _bound_lines(plan)
    lines += _level_lines(plan)
    lines += _interval_lines(plan)
    for measure in plan.measures:
        if isinstance(measure.request, aggregates.Quantile) and measure.request.interval is not None:
            lines += interval_lines(measure.request, measure, plan)
    return lines + [f"  error     {promise}" for promise in _promises(plan)]


def _promises(plan: Plan) -> list[str]:
    """The expected error of each released number, shown or computed with, in words."""
    if plan.sets:
        return list(_promises_of_totals(plan))
    covered, own = covers(plan), column_error(plan)
    widest, names = {**own, **chosen_error(plan)}, _names(plan)
    promises = []
    for column, width in widest.items():
        for name in names[column]:
            promise = _promise(name, width, covered.get(column, "both"), f"{plan.unit} counts once")
            chosen = f"; {own[column]:,.4g} where noise is not why a group is shown"
            promises.append(promise if width == own[column] else promise + chosen)
    for measure in plan.measures:
        promises += _value_error(measure, plan)
    return [*promises, *_promises_of_sums(plan)]


def _promises_of_sums(plan: Plan) -> Iterator[str]:
    """The same of numbers that an outer query adds up over groups, whose noises add up too."""
    covered, sums = covers(plan), errors_of_sums(plan)
    for name, column in plan.sums:
        if column in sums:
            each = f"{plan.unit} counts once in each group"
            promise = _promise(name, sums[column], covered.get(column, "both"), each)
            yield f"{promise}: it adds up to {plan.space.size:,} groups"


def _promises_of_totals(plan: Plan) -> Iterator[str]:
    """The same of each grouping set; of many sets, of those that add up the fewest and the most groups."""
    sets = list(dict.fromkeys(plan.sets))
    if len(sets) > _MOST_SETS:
        merged = plan.space.most_merged
        sets = [min(sets, key=merged), max(sets, key=merged)]
    covered, names = covers(plan), _names(plan)
    each = f"{plan.unit} counts once in each group" if plan.asked.adds_units else f"{plan.unit} counts once"
    for measure in plan.measures:
        column = measure.request.column
        for places in sets:
            group = _of_set(plan, places)
            own, widest = (error_of_totals(plan, places, chosen=chosen) for chosen in (False, True))
            for name in names[column] if column in widest else ():
                promise = _promise(name, widest[column], covered.get(column, "both"), each)
                chosen = f"; {own[column]:,.4g} where noise is not why a group is shown"
                yield f"{group}: {promise if own[column] == widest[column] else promise + chosen}"
            of_values = _value_error(measure, plan, plan.space.most_merged(places))
            yield from (f"{group}: {promise}" for promise in of_values)


def _of_set(plan: Plan, places: Places) -> str:
    """Which groups those of a grouping set are."""
    names = [plan.keys[place].name for place in places]
    number = plan.space.most_merged(places)
    merged = f" (up to {number:,} groups together)" if number > 1 else ""
    return (f"each {', '.join(names)}" if names else "all") + merged


def _promise(name: str, width: float, covered: Covers, each: str) -> str:
    size, sure = f"{width:,.4g}", "with probability 95 %"
    match covered:
        case "both":
            return f"{name} is within {size} of the truth {sure}"
        case "present":
            return f"{name} is within {size} of the truth {sure}, if no NULL is left out"
        case "units":
            return f"{name} is within {size} of the truth {sure}, if each {each}"
        case "domain":
            return f"{name} is within {size} of the truth {sure}, if all values are in their domains"
        case "below":
            return f"the truth is at least {name} - {size} {sure}, and may be far above {name}"
        case "noise":
            return f"the noise of {name} is within {size} {sure}; bounds may move it further"
    assert_never(covered)


def _split_lines(plan: Plan) -> list[str]:
    parts = [f"{decimal_text(share)} {what}" for share, what in _shares(plan)]
    return [f"  split     {', '.join(parts)}"] if parts else []


def _shares(plan: Plan) -> list[tuple[Fraction, str]]:
    """What each part of a plan takes of epsilon, and what for; none if it has only one."""
    shares = []
    if isinstance(plan.selection, (LargestKeys, KeysAbove)):
        anew = isinstance(plan.selection, LargestKeys) and plan.selection.gaussian
        split = None if anew else split_of(plan.selection)
        anew = anew and plan.selection.counted is not None
        if split is not None:
            shares += [(split.selection, "selects"), (split.measurement, "counts the winners")]
        elif plan.measures:
            both = "selects and counts the winners" if anew else "selects"
            shares.append((plan.selection.epsilon, both))
    elif plan.selection.epsilon and plan.measures:
        shares.append((plan.selection.epsilon, "finds the groups"))
    if shares or len(plan.measures) > 1:
        shares += [(m.epsilon, f"for {_short(m, plan)}") for m in plan.measures]
    return shares


def _short(measure: Measure, plan: Plan) -> str:
    return ", ".join(dict.fromkeys(names_of(request, plan)[0] for request in measure.requests))


def _names(plan: Plan) -> dict[str, list[str]]:
    """The names of the released columns of numbers, for each column."""
    return {UNITS: [f"the count of {plan.unit}"]} | {
        request.column: names_of(request, plan) for request in requests_of(plan)
    }


def _row_lines(plan: Plan) -> list[str]:
    """The counts of rows, if the title does not mention them; all other counts are of units."""
    rows = {m.request.rows for m in plan.measures if isinstance(m.request, aggregates.Count)} - {None}
    if isinstance(plan.selection, OneGroup) and len(plan.measures) == 1:
        return []
    return [f"  counts    rows, at most {most:,} of each unit and group" for most in rows]


def _bound_lines(plan: Plan) -> list[str]:
    bounds = {measure.groups for measure in plan.measures}
    if plan.selection.groups is not None:
        bounds.add(plan.selection.groups)
    if not plan.keys or not bounds:
        return []
    return [f"  bound     one {plan.unit} may be in up to {max(bounds):,} groups"]


def _value_error(  # noqa: C901 (a case for each kind)
    measure: Measure, plan: Plan, number: int = 1
) -> list[str]:
    """The error of what is no count or sum. Input: of how many groups together."""
    short = _short(measure, plan)
    if isinstance(measure.request, aggregates.ChosenDistinct):
        return [_distinct_error(short, plan.unit, measure)]
    if isinstance(measure.request, aggregates.ChosenCount):
        return [_count_error(short, plan.unit, measure, measure.request)]
    if isinstance(measure.request, aggregates.ClampedSum):
        return [_clamped_error(short, plan.unit, measure, number)]
    if isinstance(measure.request, aggregates.Mean):
        request = measure.request
        rows = request.rows or 1
        share = accuracy_of_means(measure.epsilon, 1000, rows=rows, groups=measure.groups).half_width
        if request.population:
            share = half_width_of_half(1000, float(rows * measure.groups / measure.epsilon), rows)
        width = min(math.sqrt(number) * share, 1.0) * float(request.high - request.low)
        of = _of_whom(request)
        return [f"{short} of 1,000 units is within {width:,.4g}{of} with probability 95 %, less with more"]
    if isinstance(measure.request, aggregates.Moments):
        return [_moment_error(short, measure.request, measure)]
    ranks = errors_of_ranks(measure)
    if ranks:
        return [_rank_error(short, ranks.values(), measure, plan)]
    least = rank_error(measure)
    if least is None:
        return []
    return [f"{_part('count', short, plan)} is at most {least:,.0f} below the largest with probability 95 %"]


def _rank_error(short: str, errors: Collection[RankErrors], measure: Measure, plan: Plan) -> str:
    """By how much the rank of a quantile is off, at most and usually; of several, the one that is worst."""
    request = measure.request
    one = request.of if isinstance(request, aggregates.Quantiles) else request
    weights = "rows" if isinstance(one, aggregates.Quantile) and one.rows is not None else "units"
    is_one = one is request
    rank = f"{_part('rank' if is_one else 'ranks', short, plan)} {'is' if is_one else 'are'}"
    sure, usual = (
        _rounded(max(numbers)) for numbers in ([e.sure for e in errors], [e.typical for e in errors])
    )
    off = f"{sure} {weights} with probability 95 %{'' if is_one else ' each'}"
    return f"{rank} off by at most {off}, about {usual} where values lie close together"


def _rounded(rank: float) -> str:
    return f"{rank:,.0f}" if rank >= 10 else f"{rank:,.2g}"


def _distinct_error(short: str, unit: str, measure: Measure) -> str:
    """What noise does, of which the amount depends on the number of values that is chosen."""
    one, two = (half_width(noise_of_distinct(measure, level)) for level in (1, 2))
    lower = f"{short} is a lower estimate: values that need more than l of one {unit} are missed"
    sure = f"noise is within {one:,} with probability 95 % for l = 1, within {two:,} for l = 2"
    return f"{lower}; {sure}, and about twice as much for each doubling"


def _count_error(short: str, unit: str, measure: Measure, request: aggregates.ChosenCount) -> str:
    """What noise does, of which the amount depends on the number of groups that is chosen."""
    one, two = (half_width(count_rate(measure.epsilon, most, request.rows)) for most in (1, 2))
    lower = f"{short} is a lower estimate: {unit} in more than m groups are missed in some of them"
    sure = f"noise is within {one:,} with probability 95 % for m = 1, within {two:,} for m = 2"
    share = decimal_text(CHOOSING * measure.epsilon)
    return f"{lower}; {sure}, and about twice as much for each doubling; {share} of epsilon chooses m"


def _clamped_error(short: str, unit: str, measure: Measure, number: int) -> str:
    """What noise does, of which the amount depends on the clamp that is chosen. Input: of how many groups."""
    width = math.sqrt(number) * width_per_clamp(measure)
    lost, clamp = f"what totals of one {unit} have beyond their clamp is lost, and not known", "the clamp"
    if isinstance(measure.request, aggregates.ClampedSum) and measure.request.counts:
        lost, clamp = f"rows of one {unit} beyond l are lost, and how many is not known", "l"
    sure = f"noise is within {width:,.3g} times {clamp} with probability 95 %"
    few = f"with fewer than about {units_of_clamp(measure):,} units"
    where = " in the largest group all are" if measure.groups > 1 else " it is"
    return f"{short}: {lost}; {sure}; {few}{where} all but 0, whatever the truth is"


def _part(part: str, name: str, plan: Plan) -> str:
    return f"its {part}" if len(plan.measures) == 1 else f"the {part} of {name}"


def _moment_error(short: str, request: aggregates.Moments, measure: Measure) -> str:
    """What noise does to a statistic depends on how far values spread, which only the data say."""
    scale = moment_scale(measure.epsilon, rows=request.rows or 1, groups=measure.groups)
    sampling = sampling_of(request.statistic, request.rows or 1) if request.population else None
    width = half_width_if_even(
        request.statistic, 1000, scale, spans_of(request), degree=request.degree, sampling=sampling
    )
    if not math.isfinite(width):
        return f"{short} of 1,000 units is NULL, as noise is as large as their number or spread"
    sure = f"is within {width:,.4g}{_of_whom(request)} with probability 95 %"
    if request.statistic == "avg":
        return f"{short} of 1,000 units that fill its range evenly {sure}, less with more"
    return f"{short} of 1,000 units that fill its range evenly {sure}, more if they are close together"


def _of_whom(request: aggregates.Mean | aggregates.Moments) -> str:
    return " of that of the population" if request.population else ""


def _interval_lines(plan: Plan) -> list[str]:
    """For whom intervals hold, if not all of them hold for the table alone."""
    requests = [measure.request for measure in plan.measures]
    named = {True: list[str](), False: list[str]()}
    for request in requests:
        if isinstance(request, aggregates.Quantile) and request.interval is not None:
            continue  # it has a line of its own
        of_population = isinstance(request, (aggregates.Mean, aggregates.Moments)) and request.population
        named[of_population] += names_of(request, plan)
    if not named[True]:
        return []
    whom = f"the population that each {plan.unit} is drawn from"
    rest = f"; of {', '.join(named[False])} for the table" if named[False] else ""
    return [f"  interval  of {', '.join(named[True])} for {whom}: noise and sampling together{rest}"]


def _alternatives(plan: Plan) -> list[str]:
    if len(plan.alternatives) < 2:
        return []
    return [
        f"  plan      {'->' if other.is_taken else '  '} {other.title}: +-{other.error:,.4g}{_price(other)}"
        for other in plan.alternatives
    ]


def _price(plan: Alternative) -> str:
    return "" if plan.price is None else f", for {float(plan.price):.4g}"


# --- what another error would cost ---------------------------------------------------------------


def _cost_lines(costs: dict[float, str | None]) -> list[str]:
    words = {0.5: "half", 2.0: "twice"}
    return [
        f"  {words[ratio]:<9} the error would cost epsilon {cost}"
        for ratio, cost in costs.items()
        if cost is not None
    ]


def _cost_at(ratio: float, epsilon: Fraction, plan: Planned, replan: Replan) -> str | None:
    """The epsilon at which the largest error is `ratio` times the present one, by bisection over plans."""
    wanted = ratio * _badness(plan)
    low, high = (EPSILON_MIN, epsilon) if ratio > 1 else (epsilon, EPSILON_MAX)
    try:
        if _badness(replan(high)) > wanted:
            return None
        for _ in range(12):
            middle = Fraction(round(1000 * math.sqrt(low * high)), 1000) or low
            if not low < middle < high:
                break
            low, high = (low, middle) if _badness(replan(middle)) <= wanted else (middle, high)
    except DpduckError:
        return None
    return decimal_text(high)


def _badness(plan: Plan | CompoundPlan | PublicPlan | Planned) -> float:
    """The errors of a plan as one number: each is roughly proportional to 1 / epsilon."""
    return 0.0 if isinstance(plan, PublicPlan) else math.fsum(map(_errors_of, plan.blocks))


def _errors_of(plan: Plan) -> float:
    errors = list(column_error(plan).values())
    for measure in plan.measures:
        rank = rank_error(measure)
        if rank is not None:
            errors.append(rank)
        elif isinstance(measure.request, _OF_DATA):
            errors.append(float(measure.groups / measure.epsilon))
    if isinstance(plan.selection, (LargestKeys, KeysAbove)) and plan.selection.counted is None:
        errors.append(float(plan.selection.k / plan.selection.epsilon))
    return math.fsum(errors)
