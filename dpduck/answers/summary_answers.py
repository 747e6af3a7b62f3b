"""When a summary answers in place of the table, and what EXPLAIN says of that."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from dpduck.answers.explain import Explanation
from dpduck.answers.pipeline import ReleaseRequest
from dpduck.answers.replay import Replay, description_of
from dpduck.answers.summaries import MOST_NOISE, NOTED_NOISE, POOR, UNPAID, Search, ServedPlan, once
from dpduck.answers.summary_choice import cost_text
from dpduck.kernel.errors import decimal_text
from dpduck.kernel.plan.coverage import Covers
from dpduck.kernel.plan.prices import event_of
from dpduck.summaries.answers import whole_width


def is_same_question(request: ReleaseRequest, found: Replay) -> bool:
    """Whether an earlier answer is one to the same question, and not derived from that to another."""
    return found.kept.description == description_of(request.plan)


def serves(choice: ServedPlan, found: Replay | None, preferred: str) -> bool:
    """Whether a summary answers, rather than the table or a derived answer.

    Input: the derived answer, if there is one; the name of the summary that answered last in the session,
        which goes on to, so that the charts of one page agree.
    """
    if choice.noise > MOST_NOISE:
        return False
    if found is None or choice.summary.name == preferred:
        return True
    widths = _widths(found)
    return all(error <= widths.get(column, float("inf")) for column, error in _errors(choice).items())


def _errors(choice: ServedPlan) -> dict[str, float]:
    """The largest half-widths of a summary but of means, as of `_widths`: for numbers fixed beforehand."""
    return {
        column: width
        for block in choice.blocks
        for column, width in block.half_widths.items()
        if not block.is_mean(column)
    }


def _widths(found: Replay) -> dict[str, float]:
    """The largest half-widths of a derived answer, by its released columns; none where they are not known."""
    widths: dict[str, float] = {}
    for name, cells in found.derived.columns.items():
        highs = found.derived.columns.get(f"{name}_high")
        if highs is None or None in highs or None in cells:
            continue
        pairs = zip(highs, cells, strict=True)
        widths[name] = max((float(high) - float(cell) for high, cell in pairs if high and cell), default=0.0)
    return widths


def explained(choice: ServedPlan, request: ReleaseRequest, owed: Fraction) -> Explanation:
    """What EXPLAIN says of a query that a summary answers. Input: what a budget FOR somebody has to pay."""
    summary = choice.summary
    design = summary.design
    assert design is not None
    noun = "table" if design.gaussian is None else "residual"
    number = len(design.tables)
    tables = f"its only {noun}" if number == 1 else f"{choice.tables_read} of its {number} {noun}s"
    cost = cost_text(summary.kept.event)
    nothing = f"epsilon {decimal_text(owed)} once, of a budget FOR somebody" if owed else "nothing"
    lines = [
        f"from summary {summary.name}: {tables}",
        f"  cost      {nothing}: paid for on {summary.kept.at:%Y-%m-%d %H:%M:%S} UTC ({cost})",
        f"  counts    {summary.counts or 'units, of which each has one row'}",
    ]
    covered = choice.covers
    lines += [f"  error     {_promise(name, error, covered)}" for name, error in choice.errors.items()]
    for name, error in choice.means.items():
        within = f"{whole_width(error):,} / n of the truth with probability 95 %"
        lines.append(f"  error     {name} of n values is within {within}")
    if choice.fresh:
        fresh = ", ".join(f"{name} +-{whole_width(width):,}" for name, width in choice.fresh.items())
        lines.append(f"  fresh     {fresh} for epsilon {decimal_text(event_of(request.plan).epsilon)}")
    left_out = design.rows.left_out
    if left_out:
        lines.append(f"  leaves    out rows whose {left_out} is not in its public domain")
    if summary.version != request.version:
        lines.append("  data      its database has changed since")
    said: dict[str, Covers] = {name: one for name, one in covered.items() if one != "both"}
    errors = {name: float(whole_width(error)) for name, error in choice.errors.items()}
    return Explanation(decimal_text(owed), "0", "summary", errors, "", "\n".join(lines), {}, {}, covers=said)


def _promise(name: str, error: float, covered: Mapping[str, Covers]) -> str:
    """How far a number of a summary is from the truth; of rows that it cuts, only in one direction."""
    width, sure = f"{whole_width(error):,}", "with probability 95 %"
    match covered.get(name):
        case "below":
            return f"{name}: the truth is at least {name} - {width} {sure}, and may be far above"
        case "noise":
            return f"{name}: noise is within {width} {sure}; what the summary cuts is not known"
        case _:
            return f"{name} is within {width} of the truth {sure}"


def of_synthetic_rows(explanation: Explanation, price: Fraction | None, *, only: bool) -> Explanation:
    """What EXPLAIN says of a query of synthetic rows.

    Input: what a budget FOR somebody pays for them now, None if it has less left; `only`: nothing may be
        charged.
    """
    first, more, rest = explanation.text.partition("\n")
    if price == 0:
        return replace(explanation, text=f"{first}, and costs nothing{more}{rest}")
    if price is None or only:
        cost, epsilon = f"refused: {POOR if price is None else UNPAID}", "0"
    else:
        cost, epsilon = f"epsilon {decimal_text(price)} once, of a budget FOR somebody", decimal_text(price)
    text = f"{first}\n  cost      {cost}{more}{rest}"
    return replace(explanation, epsilon=epsilon, mechanism="summary", text=text)


def beside_lines(search: Search, price: Fraction | None, *, only: bool) -> list[str]:
    """Lines of EXPLAIN about summaries that do not answer.

    Input: what the best one costs a budget FOR somebody now; None if that has less left.
    """
    lines = [f"  summary   {name} does not answer: {reason}" for name, reason in search.reasons.items()]
    best = search.best
    if best is not None and best.noise <= NOTED_NOISE and price is not None:
        name = best.summary.name
        how = f"{once(price)}: FROM dp_summary('{name}')" if price else "at no cost: SET dp_summaries = only"
        lines.append(f"  summary   {name} would give {best.promise} {how}")
    if only and best is None:
        lines.append("  summary   dp_summaries is only, so that the query is refused")
    return lines
