"""What a plan costs and relies on, as lines of EXPLAIN: shares, unit, noise, bounds, levels, intervals."""

from __future__ import annotations

import math
from fractions import Fraction

from dpduck.answers.explain_errors import of_set, promises_of, short_name
from dpduck.answers.quantile_intervals import interval_lines
from dpduck.kernel.errors import decimal_text
from dpduck.kernel.mechanisms.gaussian_keys import gaussian_threshold
from dpduck.kernel.plan import aggregates
from dpduck.kernel.plan.choosing import units_to_be_found
from dpduck.kernel.plan.cost import noise_of_clamp, places_of, variances_of
from dpduck.kernel.plan.model import (
    FoundKeys,
    KeysAbove,
    LargestKeys,
    Measure,
    OneGroup,
    Plan,
)
from dpduck.kernel.plan.names import names_of, requests_of
from dpduck.kernel.plan.prices import event_of, gaussian_split_of, rate_of_choices, split_of


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
            lines.append(f"{line}, for {short_name(measure, plan)}" if len(plan.measures) > 1 else line)
    return [f"  noise     {line}" for line in lines]


def _lines_of_clamp(measure: Measure, plan: Plan) -> list[str]:
    if measure.gaussian is None:
        return []
    deviation = math.sqrt(noise_of_clamp(measure).square)
    line = f"Gaussian, of standard deviation {deviation:,.4g} clamps"
    return [f"{line}, for {short_name(measure, plan)}" if len(plan.measures) > 1 else line]


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
            named = [of_set(plan, places).partition(" (")[0] for places in measure.levels.places]
            of = f" of {short_name(measure, plan)}" if len(plan.measures) > 1 else ""
            share = f"1 / {len(named)} of its epsilon"
            each = f"each measured with {share}, and made to agree by least squares"
            lines.append(f"  levels    {'; '.join(named)}{of}: {each}")
    return lines


def facts_of(plan: Plan) -> list[str]:
    """Return all lines of a block between its caveats and what the ledger says of it."""
    event = event_of(plan)
    cost = f"epsilon {decimal_text(event.epsilon)}"
    if event.delta:
        cost += f", delta {decimal_text(event.delta)}"
    tables = ", ".join(f"{table.schema}.{table.name}" for table in plan.tables)
    lines = [f"  cost      {cost}", *_split_lines(plan), f"  unit      {plan.unit}, in {tables}"]
    lines += [*_noise_lines(plan), *_row_lines(plan), *_lines_of_found(plan)]
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
    return lines + [f"  error     {promise}" for promise in promises_of(plan)]


def _split_lines(plan: Plan) -> list[str]:
    parts = [f"{decimal_text(share)} {what}" for share, what in shares_of(plan)]
    return [f"  split     {', '.join(parts)}"] if parts else []


def shares_of(plan: Plan) -> list[tuple[Fraction, str]]:
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
        shares += [(m.epsilon, f"for {short_name(m, plan)}") for m in plan.measures]
    return shares


def _row_lines(plan: Plan) -> list[str]:
    """The counts of rows, if the title does not mention them; all other counts are of units."""
    rows = {m.request.rows for m in plan.measures if isinstance(m.request, aggregates.Count)} - {None}
    if isinstance(plan.selection, OneGroup) and len(plan.measures) == 1:
        return []
    return [f"  counts    rows, at most {most:,} of each unit and group" for most in rows]


def _lines_of_found(plan: Plan) -> list[str]:
    """From how many units on a group of keys that are found in private rows is shown."""
    if plan.space.is_known or not plan.keys:
        return []
    units = math.ceil(units_to_be_found(plan.selection))
    return [f"  shows     groups of {units:,} units or more with probability 95 %, smaller ones less often"]


def _bound_lines(plan: Plan) -> list[str]:
    bounds = {measure.groups for measure in plan.measures}
    if plan.selection.groups is not None:
        bounds.add(plan.selection.groups)
    if not plan.keys or not bounds:
        return []
    most = max(bounds)
    return [f"  bound     one {plan.unit} may be in up to {most:,} {'group' if most == 1 else 'groups'}"]


def _interval_lines(plan: Plan) -> list[str]:
    """For whom intervals hold, if a query shows some of them, or not all hold for the table alone."""
    requests = [measure.request for measure in plan.measures]
    named = {True: list[str](), False: list[str]()}
    for request in requests:
        if isinstance(request, aggregates.Quantile) and request.interval is not None:
            continue  # it has a line of its own
        of_population = isinstance(request, (aggregates.Mean, aggregates.Moments)) and request.population
        named[of_population] += names_of(request, plan)
    if not named[True]:
        shown = _shown_intervals(plan)
        return [f"  interval  of {', '.join(shown)} for the table: noise alone"] if shown else []
    whom = f"the population that each {plan.unit} is drawn from"
    rest = f"; of {', '.join(named[False])} for the table" if named[False] else ""
    return [f"  interval  of {', '.join(named[True])} for {whom}: noise and sampling together{rest}"]


def _shown_intervals(plan: Plan) -> list[str]:
    """The numbers that ends of intervals are shown of, and the ends and p-values of differences."""
    shown = {column for _, column in plan.shown}
    names = [
        name
        for request in requests_of(plan)
        if not isinstance(request, aggregates.Quantile)  # it has a line of its own
        and not shown.isdisjoint((f"{request.column}_low", f"{request.column}_high"))
        for name in names_of(request, plan)
    ]
    return list(dict.fromkeys([*names, *(name for name, _ in plan.differences)]))
