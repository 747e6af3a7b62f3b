"""The caveats of numbers in words: in one short sentence, in full, and what to ask instead.

Caveats of one kind, such as those of two columns with different bounds, share a sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple, TypeVar, assert_never

from dpduck.kernel.catalog.model import Bound
from dpduck.kernel.errors.advice import (
    NO_HINT,
    Action,
    AskOwner,
    BoundGroups,
    BoundRows,
    Hint,
    SetGroups,
    SetTo,
)
from dpduck.kernel.plan.aggregates import ClampedSum, Distinct, Sum
from dpduck.kernel.plan.caveat_kinds import (
    AddsUnits,
    CapsWeights,
    ClampsTotals,
    ClampsValues,
    CountsNulls,
    CountsUnits,
    CutRows,
    CutTotals,
    CutValues,
    DividesBounded,
    DropsValues,
    LacksChoice,
    LacksGaps,
    MissesGroups,
    MissesValues,
    MostUnits,
    NearExtreme,
    NearlyCovers,
    NearRank,
    NeedsValues,
    NoiseAlone,
    NoisierSets,
    OfTableAlone,
    WeighsUnits,
)
from dpduck.kernel.plan.model import Plan
from dpduck.kernel.plan.names import names_of, requests_of

OMITTED, CLAMPED = "Omitted", "Clamped"
_PER_GROUP = "contribution_bounds_per_group"
_NAMED = 3  # columns that a sentence names
_LONGEST = 24  # characters of an expression that it names
_OTHER_BOUNDS = Hint.of(f"{_PER_GROUP} => (low, high) sets other bounds.")
K = TypeVar("K")


class Words(NamedTuple):
    """As the fields of `errors.notices.Notice`."""

    sentence: str
    detail: str = ""
    hint: Hint = NO_HINT
    lead: str = ""


@dataclass(frozen=True)
class NoticeContext:
    """Of which plan something is said, to whom, and what was `chosen` privately for it, by column names."""

    plan: Plan
    chosen: Mapping[str, float]
    is_owner: bool

    @property
    def place(self) -> str:
        """What bounds on a unit are for, besides each unit."""
        return " and group" if self.plan.keys else ""

    @property
    def short_place(self) -> str:
        """The same in a short sentence."""
        return "/group" if self.plan.keys else ""

    @property
    def counted(self) -> set[str]:
        """The columns in which rows count, other than sums, of which the totals of units are bounded."""
        requests = (one for one in requests_of(self.plan) if not isinstance(one, Sum | ClampedSum | Distinct))
        return {name for request in requests for name in names_of(request, self.plan)}

    def numbers(self, columns: Sequence[str]) -> str:
        """Return what was chosen for columns; empty if nothing is chosen yet."""
        found = [f"{self.chosen[name]:,.6g}" for name in columns if name in self.chosen]
        return listed(list(dict.fromkeys(found)), "and") if found else ""

    def in_parentheses(self, columns: Sequence[str]) -> str:
        """Return what was chosen for columns, behind a space; empty if nothing is chosen yet."""
        found = self.numbers(columns)
        return f" ({found})" if found else ""


class Phrase(NamedTuple):
    """What is said of one of several caveats that share a sentence.

    `own`: in full; `end`: of the full sentence, which all of them share, with its full stop; `short`: as in
    the short sentence, if that is not what is said in full; `hint`: what to do, which all of them share.
    """

    own: str
    end: str = "."
    short: str = ""
    hint: Hint = NO_HINT


def shared(
    write: Callable[[K, NoticeContext], Phrase], lead: str = ""
) -> Callable[[Sequence[K], NoticeContext], Words]:
    """Return what writes several caveats of a kind as one sentence. Input: what writes one of them."""

    def write_all(caveats: Sequence[K], context: NoticeContext) -> Words:
        parts = [write(one, context) for one in caveats]
        begins = f"{lead}: " if lead else ""
        sentence = f"{begins}{'; '.join(part.short or part.own for part in parts)}."
        whole = "; ".join(part.own for part in parts) + parts[0].end
        return Words(sentence, "" if whole == sentence else whole, parts[0].hint, lead)

    return write_all


# --- what bounds let units contribute ------------------------------------------------------------


def of_clamps(caveats: Sequence[ClampsTotals], context: NoticeContext) -> Words:
    """Say that totals of each unit, or its rows, count up to a number that is chosen privately."""
    sums, counts = ([one for one in caveats if one.counts is counts] for counts in (False, True))
    brief, whole = [], []
    if sums:
        columns = _columns(sums)
        clamp = f"a clamp that is chosen privately{context.in_parentheses(columns)}"
        total = f"a total of each {sums[0].unit}{context.place}{_floor_of(sums)} up to {clamp}"
        whole.append(f"{subject('take', columns)} {total}, so the truth may be {_of_sides(sums)}.")
        whole += _places_of(sums)
        up_to = context.numbers(columns)
        how = f"to {up_to}" if up_to else "privately"
        brief.append(f"{enumerated(columns)} per {sums[0].unit}{context.short_place} {how}")
    if counts:
        columns = _columns(counts)
        number = f"a number that is chosen privately{context.in_parentheses(columns)}"
        rows = f"rows, of each {counts[0].unit}{context.place} up to {number}"
        whole.append(f"{subject('count', columns)} {rows}, so the truth may be above.")
        up_to = context.numbers(columns)
        how = f"to {up_to} rows" if up_to else "privately"
        brief.append(f"{enumerated(columns)} per {counts[0].unit}{context.short_place} {how}")
    hint = Hint.of(f"{_PER_GROUP} => (low, high) sets bounds.") if sums else NO_HINT
    return Words(f"{CLAMPED}: {'; '.join(brief)}.", " ".join(whole), hint, CLAMPED)


def _places_of(sums: Sequence[ClampsTotals]) -> list[str]:
    """Return of which sums values are rounded, and how."""
    rounded = [one for one in sums if one.places is not None]
    if not rounded:
        return []
    down = "down " if all(one.lowers for one in rounded) else ""
    places = f"{down}to {rounded[0].places} decimal places, and NaN counts as none"
    return [f"{subject('round', _columns(rounded))} values {places}."]


def _floor_of(sums: Sequence[ClampsTotals]) -> str:
    """Return of which sums values below 0 count as 0."""
    floored = _columns([one for one in sums if one.floors])
    if not floored:
        return ""
    of = "" if all(one.floors for one in sums) else f" of {listed(floored, 'and')}"
    return f", with values below 0{of} as 0,"


def _of_sides(sums: Sequence[ClampsTotals]) -> str:
    """Return on which side of sums the truth may be; if not of all on both, which may be below."""
    either = _columns([one for one in sums if not one.lowers])
    if either and any(one.lowers for one in sums):
        return f"above, of {listed(either, 'and')} also below"
    return _beyond(lowers=not either)


def _columns(caveats: Sequence[ClampsTotals]) -> list[str]:
    return [name for one in caveats for name in one.columns]


def of_cut_totals(caveat: CutTotals, context: NoticeContext) -> Phrase:
    low, high = number_text(caveat.low), number_text(caveat.high)
    total = f"a total from {low} to {high} of each {caveat.unit}{context.place}"
    short = f"{enumerated(caveat.columns)} per {caveat.unit}{context.short_place} to {low}..{high}"
    cut = f"{subject('take', caveat.columns)} {total}, so the truth may be {_beyond(lowers=caveat.lowers)}"
    return Phrase(cut, short=short, hint=_OTHER_BOUNDS)


def _beyond(*, lowers: bool) -> str:
    return "above" if lowers else "above or below"


def of_cut_rows(caveats: Sequence[CutRows], context: NoticeContext) -> Words:
    own, short = [], []
    for one in caveats:
        rows = f"at most {plural(one.most, 'row')} of each {one.unit}{context.place}"
        own.append(f"{subject('take', one.columns)} {rows}")
        of = "" if context.counted <= set(one.columns) else f" of {enumerated(one.columns)}"
        short.append(f">{plural(one.most, 'row')}/{one.unit}{context.short_place}{of}")
    sentence = f"{OMITTED}: {'; '.join(short)}."
    return Words(sentence, f"{'; '.join(own)}; others are left out.", lead=OMITTED)


def of_capped_weights(caveat: CapsWeights, context: NoticeContext) -> Phrase:
    whose, most = f"of one {caveat.unit}{context.place}", plural(caveat.most, "row")
    weigh = f"{subject('weigh', caveat.columns)} all rows alike, those {whose} together as at most {most}"
    short = f"{short_subject('weigh', caveat.columns)} {most} per {caveat.unit}{context.short_place} at most"
    return Phrase(weigh, short=short)


def of_cut_values(caveats: Sequence[CutValues], context: NoticeContext) -> Words:
    [caveat] = caveats
    values = f"at most {plural(caveat.most, 'value')} of each {caveat.unit}{context.place}"
    cut = f"{subject('take', caveat.columns)} {values}, so the truth may be far above."
    cure = told_cure("To count more", BoundRows(caveat.table, 10 * caveat.most), is_owner=context.is_owner)
    return Words(f"{short_subject('take', caveat.columns)} {values}.", cut, Hint.of(*cure))


def of_missed_values(caveat: MissesValues, context: NoticeContext) -> Phrase:
    columns, number = caveat.columns, context.numbers(caveat.columns)
    lower = "are lower estimates" if len(columns) > 1 else "is a lower estimate"
    stand = f"each {caveat.unit} stands for at most {_values(number) if number else 'l values, l'}"
    chosen = f"chosen privately up to {caveat.most:,}; other values are missed"
    return Phrase(
        f"{listed(columns, 'and')} {lower}: {stand} {chosen}", short=f"{short_list(columns)} may be too low"
    )


def _values(number: str) -> str:
    return f"{number} value{'s' * (number != '1')},"


def of_missed_groups(caveat: MissesGroups, context: NoticeContext) -> Phrase:
    counts = f"{subject('count', caveat.columns)} each {caveat.unit} in at most m of its groups"
    chosen = f"m up to {caveat.most:,} chosen privately{context.in_parentheses(caveat.columns)}"
    number = context.numbers(caveat.columns)
    most = f"at most {number}" if number else "some"
    short = f"{short_subject('count', caveat.columns)} each {caveat.unit} in {most} of its groups"
    return Phrase(f"{counts}, {chosen}", ": the truth may be above.", short)


def of_quotients(caveats: Sequence[DividesBounded], context: NoticeContext) -> Words:  # noqa: ARG001
    columns = [name for one in caveats for name in one.columns]
    averages = dict.fromkeys(one.average for one in caveats if one.average)
    place = "" if all(one.is_all for one in caveats) else ", in place of the quotient"
    cut = f"numbers that are bounded for each {caveats[0].unit}, so {'they' if columns[1:] else 'it'} may be"
    nearer = Hint.of(f"Nearer{place}: {', '.join(averages)}.") if averages else NO_HINT
    divide = f"{subject('divide', columns)} {cut} far from plain SQL's."
    return Words(f"{short_list(columns)} may be off.", divide, nearer)


# --- what a number is of ---------------------------------------------------------------------------


def of_units(caveats: Sequence[CountsUnits], context: NoticeContext) -> Words:  # noqa: ARG001
    """Say what is counted, and how rows are: up to a chosen number for each unit, or to one that is known."""
    [caveat] = caveats
    ends = f" distinct {caveat.unit}, not rows."
    known = f", or count(*, {_PER_GROUP} => (0, HIGH)) if HIGH is known without looking at the data."
    sentence = f"{short_subject('count', caveat.columns)}{ends}"
    whole = f"{subject('count', caveat.columns)}{ends}"
    rows = Hint.of("Rows: ", SetTo("dp_count", "'rows'"), known)
    return Words(sentence, "" if whole == sentence else whole, rows)


def of_added_units(caveat: AddsUnits, context: NoticeContext) -> Phrase:  # noqa: ARG001
    totals = f"Totals of {listed(caveat.columns, 'and')} count each {caveat.unit} once for each group"
    return Phrase(totals, " that they add up.")


def of_weighed_units(caveat: WeighsUnits, context: NoticeContext) -> Phrase:  # noqa: ARG001
    weighs = f"each {caveat.unit} the same weight"
    whole = f"{subject('give', caveat.columns)} {weighs}"
    return Phrase(whole, ", whatever rows it has.", f"{short_subject('give', caveat.columns)} {weighs}")


def of_most_units(caveat: MostUnits, context: NoticeContext) -> Phrase:  # noqa: ARG001
    value = f"{subject('take', caveat.columns)} the value of most distinct {caveat.unit}"
    return Phrase(value, ", not of most rows.")


def of_extremes(caveat: NearExtreme, context: NoticeContext) -> Phrase:  # noqa: ARG001
    are = "are" if len(caveat.columns) > 1 else "is"
    place = f"{are} the {'largest' if caveat.upper else 'least'} value but for"
    whole = f"{listed(caveat.columns, 'and')} {place} those of up to {caveat.beyond:,} {caveat.of}"
    short = f"{short_list(caveat.columns)} {place} up to {caveat.beyond:,} {caveat.of}"
    return Phrase(whole, ": a true extreme is one row's value.", short)


def of_needed_values(caveat: NeedsValues, context: NoticeContext) -> Phrase:  # noqa: ARG001
    least = f"{caveat.least:,} {caveat.of}"
    side = "above all values of" if caveat.upper else "below all values of"
    are = "are" if len(caveat.columns) > 1 else "is"
    may = f"{are} unreliable with" if caveat.upper is None else f"may be {side}"
    nearer = "fewer and larger groups" if caveat.upper is None else "a quantile nearer 0.5"
    hint = Hint.of(f"Ask for {nearer}, or for more epsilon.")
    whole = f"{listed(caveat.columns, 'and')} {may} fewer than about {least}"
    return Phrase(whole, ".", f"{short_list(caveat.columns)} {may} <{least}", hint)


def of_clamped_values(caveat: ClampsValues, context: NoticeContext) -> Phrase:  # noqa: ARG001
    low, high = _text(caveat.low), _text(caveat.high)
    whole = f"{subject('take', caveat.columns)} {caveat.argument or 'values'} from {low} to {high}"
    of = f"{caveat.argument} of " if caveat.argument else ""
    short = f"{of}{enumerated(caveat.columns)} to {low}..{high}"
    return Phrase(whole, "; those beyond count as the nearer end.", short)


def of_counted_nulls(caveat: CountsNulls, context: NoticeContext) -> Phrase:  # noqa: ARG001
    whole = f"{subject('count', caveat.columns)} NULL as {caveat.value}"
    short = f"{short_subject('count', caveat.columns)} NULL as {caveat.value}"
    return Phrase(whole, ", as greatest and least skip it.", short)


def of_dropped_values(caveat: DropsValues, context: NoticeContext) -> Phrase:  # noqa: ARG001
    return Phrase(
        f"{subject('choose', caveat.columns)} among {plural(caveat.size, 'value')}", "; others are left out."
    )


# --- how sure a number is --------------------------------------------------------------------------


def of_table(caveats: Sequence[OfTableAlone], context: NoticeContext) -> Words:  # noqa: ARG001
    [caveat] = caveats
    tell = "they tell" if caveat.columns[1:] else "it tells"
    whose = "whether the rows of this table differ, not whether what they were drawn from does"
    alone = " for noise alone, not for chance of sampling"
    allow = f"{subject('allow', caveat.columns)}{alone}: {tell} {whose}."
    hint = Hint.of("At the same price, ", SetTo("dp_interval", "'population'"), " asks that.")
    return Words(f"{short_subject('allow', caveat.columns)}{alone}.", allow, hint)


def of_ends_of_noise(caveat: NoiseAlone, context: NoticeContext) -> Phrase:  # noqa: ARG001
    ends = "dp_low and dp_high of {} are for noise alone"
    more = ": what bounds cut may lie far beyond them."
    return Phrase(ends.format(listed(caveat.columns, "and")), more, ends.format(short_list(caveat.columns)))


def of_coverage(caveat: NearlyCovers, context: NoticeContext) -> Phrase:  # noqa: ARG001
    columns = caveat.columns
    cover = f"cover{'s' * (len(columns) == 1)}"
    of = f"The interval{'s' * (len(columns) > 1)} of {{}} {cover}"
    whose = f"the quantile of the {'population' if caveat.population else 'table'}"
    about = (
        " at about 95 % where values lie close together, or on neighbouring multiples of a number such as "
        "0.5 or 10; that is measured, not proved. Between a few values far apart it may miss far more often."
    )
    whole = f"{of.format(listed(columns, 'and'))} {whose}"
    return Phrase(whole, about, f"{of.format(short_list(columns))} about 95 %, as measured")


def of_ranks(caveat: NearRank, context: NoticeContext) -> Phrase:  # noqa: ARG001
    are = "are" if len(caveat.columns) > 1 else "is"
    off = f"{are} off by at most {plural(caveat.rank, 'unit')} in rank"
    whole = f"{listed(caveat.columns, 'and')} {off} with probability 95 %"
    return Phrase(whole, ", and never between two values.", f"{short_list(caveat.columns)} {off}")


def of_gaps(caveat: LacksGaps, context: NoticeContext) -> Phrase:  # noqa: ARG001
    gaps = "dp_gap and dp_p_value of {} are NULL"
    why = ", as all groups are counted and none is chosen for being ahead: compare intervals."
    return Phrase(gaps.format(listed(caveat.columns, "and")), why, gaps.format(short_list(caveat.columns)))


def of_no_choice(caveats: Sequence[LacksChoice], context: NoticeContext) -> Words:  # noqa: ARG001
    """Say on which numbers a session's or query's wish for a private bound has no effect, and why."""
    none = "max_groups_contributed = 'private' has no effect"
    parts = [f"on {listed(one.columns, 'and')}, as {_why(one)}" for one in caveats]
    columns = [name for one in caveats for name in one.columns]
    return Words(f"{none} on {short_list(columns)}.", f"{none} {'; '.join(parts)}.")


def _why(caveat: LacksChoice) -> str:
    match caveat.why:
        case "bound":
            return f"a bound of {plural(caveat.most or 0, 'group')} holds already"
        case "found":
            return "keys that are found in private rows need a bound that is known"
        case "totals":
            return f"totals add up groups, in each of which a {caveat.unit} counts"
        case "ranks":
            return "their order, or a condition on them, decides which groups are shown"
        case "kind":
            return "only counts of units, or of bounded rows, have such a choice"
        case "few":
            return f"one {caveat.unit} may be in too few groups for a choice to pay"
        case "epsilon":
            return "epsilon is too small for a choice and a count"
    assert_never(caveat.why)


def of_noisier_sets(caveat: NoisierSets, context: NoticeContext) -> Phrase:  # noqa: ARG001
    are = "are" if len(caveat.columns) > 1 else "is"
    noisy = f"{are} up to {caveat.times:.1f} times as noisy"
    whole = f"{listed(caveat.columns, 'and')} {noisy}"
    alone = " as if one grouping set were asked alone, as all share epsilon."
    return Phrase(whole, alone, f"{short_list(caveat.columns)} {noisy}")


# --- parts of sentences ------------------------------------------------------------------------------


def _text(bound: Bound) -> str:
    return number_text(bound) if isinstance(bound, int | float | Decimal) else str(bound)


def number_text(number: float | Decimal) -> str:
    """Return a number in words: whole ones as they are, others of nine digits.

    Ends of ranges are rounded outwards to ticks, which nobody wrote.

    >>> number_text(1234567890123), number_text(0.0384000000004), number_text(-2.5)
    ('1,234,567,890,123', '0.0384', '-2.5')
    """
    return f"{int(number):,}" if number == int(number) else f"{float(number):,.9g}"


def subject(verb: str, columns: Sequence[str]) -> str:
    """Return the columns with a verb in the present tense. Input: the verb's plural."""
    return f"{listed(columns, 'and')} {verb}{'s' * (len(columns) == 1)}"


def short_subject(verb: str, columns: Sequence[str]) -> str:
    """Return the first columns with a verb in the present tense."""
    return f"{short_list(columns)} {verb}{'s' * (len(columns) == 1)}"


def listed(names: Sequence[str], last: str) -> str:
    """Return names as a list in words, with a word before the last."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {last} {names[-1]}"


def enumerated(names: Sequence[str]) -> str:
    """Return the first names, separated by commas, for a sentence that begins with a lead.

    >>> enumerated(["a", "b"]), enumerated(["a", "b", "c", "d"])
    ('a, b', 'a, b, ...')
    """
    named = list(map(_short_name, names))
    return ", ".join(named if len(named) <= _NAMED else [*named[: _NAMED - 1], "..."])


def _short_name(name: str) -> str:
    return name if len(name) <= _LONGEST else f"{name[:_LONGEST].rstrip()}..."


def short_list(names: Sequence[str]) -> str:
    """Return the first names as a list in words.

    >>> short_list(["a"]), short_list(["a", "b", "c"]), short_list(["a", "b", "c", "d"])
    ('a', 'a, b and c', 'a, b and 2 more')
    """
    named = list(map(_short_name, names))
    if len(named) <= _NAMED:
        return listed(named, "and")
    return f"{', '.join(named[: _NAMED - 1])} and {len(named) - _NAMED + 1} more"


def plural(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def told_cure(when: str, statement: Action, *, is_owner: bool) -> tuple[str | Action, ...]:
    """Return the words for a statement of the owner, as said to the owner or to an analyst."""
    if is_owner:
        return f"{when}: ", statement, "."
    if isinstance(statement, BoundGroups):
        return f"{when}: ", SetGroups(statement.groups), "."
    return f"{when}, ", AskOwner(statement), "."
