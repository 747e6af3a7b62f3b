"""How far removing one unit moves the scores of a plan: the bounds on which every proof relies.

The check is written against the contracts of `plan.Plan` and of the mechanisms, not against the score SQL: it
runs the SQL on both databases and compares the results, group by group.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import assert_never

import numpy as np

from dpduck.answers.results import Result
from dpduck.engines.duckdb.database import Database
from dpduck.kernel.catalog.model import Domain, RangeDomain
from dpduck.kernel.plan import aggregates
from dpduck.kernel.plan.keys import Key
from dpduck.kernel.plan.model import EveryKey, KeysAbove, LargestKeys, Measure, Plan, Selection
from dpduck.kernel.release.claims import claimed

Group = tuple[object, ...]
Moves = Mapping[Group, tuple[Fraction, ...]]  # the changes of the numbers of a group


class ViolationError(AssertionError):
    """A score moves by more than the plan says, or reveals what it must not."""


@dataclass(frozen=True)
class ReadScores:
    """The result of score SQL: for each group (and value) its numbers, and the types of the columns."""

    rows: Mapping[Group, tuple[object, ...]]
    types: tuple[str, ...]


@dataclass(frozen=True)
class PlanPart:
    """The selection or one measure of a plan."""

    of: Selection | Measure  # both have `score_sql`, `epsilon`, `delta` and `groups`
    keys: tuple[Key, ...]

    @property
    def numbers(self) -> int:
        """How many of the last columns are numbers."""
        if self.clamped is not None:
            return aggregates.scores_of(self.clamped)
        return 1 if self.claims or not isinstance(self.of, Measure) else aggregates.scores_of(self.of.request)

    @property
    def clamped(self) -> aggregates.ClampedSum | None:
        """The sum with a private clamp by which a selection ranks groups, if it does."""
        return self.of.clamped if isinstance(self.of, LargestKeys) else None

    @property
    def claims(self) -> aggregates.ChosenDistinct | None:
        """The request whose scores are pairs of a unit and a value, of which those claimed in turns count."""
        request = self.of.request if isinstance(self.of, Measure) else None
        return request if isinstance(request, aggregates.ChosenDistinct) and request.claims else None

    def read(self, connection: Database) -> ReadScores:
        """Run the score SQL."""
        done = Result(self.of.score_sql, connection.cursor)
        types = tuple(str(column[1]) for column in done.description)
        rows = [tuple(map(_in_utc, row)) for row in done.fetchall()]
        if self.claims is not None:
            _require(types[-3:] == ("BIGINT",) * 3, "a pair is not of whole numbers")
            types, rows = types[:-1], _levels_of_claims(self.claims, rows)
        table = {row[: -self.numbers]: row[-self.numbers :] for row in rows}
        _require(len(table) == len(rows), "a group occurs twice")
        _require(len(types) == len(self.keys) + self.numbers, "a column too many or too few")
        return ReadScores(table, types)


def _levels_of_claims(
    request: aggregates.ChosenDistinct, rows: Sequence[tuple[object, ...]]
) -> list[tuple[object, ...]]:
    """Return for each group and level how many values are claimed that are not at the level before."""
    groups = list(dict.fromkeys(row[:-3] for row in rows))
    places = {group: place for place, group in enumerate(groups)}
    numbers = [(places[row[:-3]], *row[-3:]) for row in rows]
    owners, *scores = np.array(numbers, dtype=np.int64).reshape(-1, 4).T
    counts = np.diff(claimed(request, owners, scores, len(groups)), axis=1, prepend=0)
    return [
        (*group, level, number)
        for group, found in zip(groups, counts.tolist(), strict=True)
        for level, number in enumerate(found)
    ]


def _in_utc(cell: object) -> object:
    """Return a time in UTC as domains hold it, without its zone."""
    return cell.replace(tzinfo=None) if isinstance(cell, datetime) else cell


def parts_of(plan: Plan) -> list[PlanPart]:
    """The parts of a plan that read private rows, each with the keys of its groups and of its values."""
    parts = []
    if plan.selection.scores is not None:
        clamped = plan.selection.clamped if isinstance(plan.selection, LargestKeys) else None
        parts.append(PlanPart(plan.selection, (*plan.keys, *([] if clamped is None else [clamped.level]))))
    return parts + [PlanPart(measure, (*plan.keys, *_value_key(measure))) for measure in plan.measures]


def _value_key(measure: Measure) -> tuple[Key, ...]:
    """The column of values in a measure's scores, if any: of a quantile, indices of points or bins."""
    request = measure.request
    if isinstance(request, aggregates.Mode):
        return (request.key,)
    if isinstance(request, aggregates.ChosenCount | aggregates.ChosenDistinct | aggregates.ClampedSum):
        return (request.level,)
    places = request.places if isinstance(request, aggregates.Quantiles) else 1
    one = request.of if isinstance(request, aggregates.Quantiles) else request
    if not isinstance(one, aggregates.Quantile):
        return ()
    width = 1 if measure.passes is None else measure.passes.width
    return (Key(one.key.name, "BIGINT", RangeDomain(0, (one.grid.size * places - 1) // width, 1)),)


def check(plan: Plan, everyone: Database, without: Iterable[Database]) -> None:
    """Compare the scores of all units with those without one, for each such neighbour.

    Errors: ViolationError; any error of the score SQL, which would reveal rows too.
    """
    before = read(plan, everyone)
    for neighbour in without:
        compare(plan, before, read(plan, neighbour))


def read(plan: Plan, connection: Database) -> list[ReadScores]:
    """Return the scores of all parts of a plan, whose groups are candidates. Errors: as of `check`."""
    parts = parts_of(plan)
    scores = [part.read(connection) for part in parts]
    for part, found in zip(parts, scores, strict=True):
        _check_candidates(part.keys, found)
    return scores


def compare(plan: Plan, before: Sequence[ReadScores], after: Sequence[ReadScores]) -> None:
    """Compare the scores of all units with those without one. Errors: ViolationError."""
    for part, one, other in zip(parts_of(plan), before, after, strict=True):
        _require(one.types == other.types, "a type depends on the rows")
        _check_part(plan, part, one, other)


def check_sum(plan: Plan, everyone: Sequence[ReadScores], apart: Sequence[Sequence[ReadScores]]) -> None:
    """Check that scores of all units are the sums of those of some units and of all others, exactly.

    So it is if what each unit adds is a function of its own rows and of public ones. That one unit moves the
    scores by no more than declared is less: rows of others may then change what it adds. Values that are
    counted once, whoever has them, are at least as many as on each side, and at most their sum.
    Errors: ViolationError.
    """
    for i, part in enumerate(parts_of(plan)):
        nothing = (Fraction(0),) * part.numbers
        sides = [_numbers(scores[i]) for scores in apart]
        whole = _numbers(everyone[i])
        shared = False
        if isinstance(part.of, Measure):
            request = part.of.request
            shared = isinstance(request, (aggregates.Distinct, aggregates.ChosenDistinct))
            if isinstance(request, aggregates.ChosenDistinct):
                whole, *sides = (_upto(one, request.levels) for one in (whole, *sides))
        for group in whole.keys() | {group for side in sides for group in side}:
            added = [side.get(group, nothing) for side in sides]
            found = whole.get(group, nothing)
            total = tuple(sum(numbers, Fraction(0)) for numbers in zip(*added, strict=True))
            holds = max(added) <= found <= total if shared else found == total
            _require(holds, "what a unit adds to a score depends on others")


def _numbers(scores: ReadScores) -> Moves:
    return {group: tuple(map(_exact, numbers)) for group, numbers in scores.rows.items()}


def check_price(plan: Plan, epsilon: Fraction, delta: Fraction) -> None:
    """Check that the parts of a plan together cost exactly epsilon, and at most delta."""
    parts: list[Selection | Measure] = [plan.selection, *plan.measures]
    _require(sum(part.epsilon for part in parts) == epsilon, "the parts do not cost epsilon")
    _require(sum(part.delta for part in parts) <= delta, "the parts cost more than delta")
    _require(all(part.epsilon >= 0 for part in parts), "a part costs less than nothing")


# --- the parts -----------------------------------------------------------------------------------


def _check_part(plan: Plan, part: PlanPart, before: ReadScores, after: ReadScores) -> None:
    moves = _moves(before, after)
    if isinstance(part.of, Selection):
        if part.clamped is not None:
            _check_clamped(part.of, part.clamped, moves)
        elif isinstance(part.of, LargestKeys) and part.of.spread:
            _check_spread(plan, part.of, moves)
        else:
            _check_counts(moves, 1)
        _check_groups(set(moves), part.of.groups)
        return
    groups = {group[: len(plan.keys)] for group in moves}
    _check_groups(groups, _enforced(plan, part.of))
    _check_request(part.of.request, moves, before.types)


def _enforced(plan: Plan, measure: Measure) -> int | None:
    """The bound on groups that the measure's noise assumes and that the score SQL must enforce, if any.

    Of k selected groups no more than k are measured, so a bound of at least k needs no enforcement.
    """
    selection = plan.selection
    if isinstance(selection, (LargestKeys, KeysAbove)) and measure.groups >= selection.k:
        return None
    if isinstance(selection, EveryKey) and measure.groups >= candidates(plan):
        return None
    return measure.groups


def _check_request(  # noqa: C901 (a case for each kind)
    request: aggregates.Aggregate, moves: Moves, types: tuple[str, ...]
) -> None:
    match request:
        case aggregates.Count(rows=rows):
            _check_counts(moves, rows or 1)
        case aggregates.ChosenCount():
            _check_groups_by_level(request, moves)
        case aggregates.Distinct(values=values):
            _check_counts(moves, values)
        case aggregates.ChosenDistinct(levels=levels):
            for group, falls in _upto(moves, levels).items():
                _check_counts({group: falls}, levels[int(str(group[-1]))])
        case aggregates.Sum(bound=bound, scale=scale):
            wanted = "HUGEINT" if scale == 0 else f"DECIMAL(38,{scale})"
            _require(types[-1] == wanted, "a sum does not come in its ticks")
            total = Fraction(bound, 10**scale)
            _require(all(abs(fall) <= total for (fall,) in moves.values()), "a sum moves too far")
        case aggregates.ClampedSum():
            _check_totals(request, moves)
        case aggregates.Mean(rows=rows, ticks=ticks):
            _check_means(moves, rows or 1, ticks)
        case aggregates.Moments(rows=rows, whole=whole):
            _check_weights(moves, (rows or 1) * whole)
        case aggregates.Quantile(most=most):
            _check_values(moves, most)
        case aggregates.Quantiles(of=one):
            _check_values(moves, one.most)
        case aggregates.Mode():
            _check_counts(moves, 1)
        case _:
            assert_never(request)


def _upto(numbers: Moves, levels: Sequence[int]) -> Moves:
    """Return for each group and level the values of that level and all before it."""
    found: dict[Group, tuple[Fraction, ...]] = {}
    for group in {group[:-1] for group in numbers}:
        total = Fraction(0)
        for level in range(len(levels)):
            total += numbers.get((*group, level), (Fraction(0),))[0]
            found[*group, level] = (total,)
    return found


def _check_counts(moves: Moves, most: int) -> None:
    for (fall,) in moves.values():
        _require(0 <= fall <= most, f"a count moves by {-fall}")
        _require(fall.denominator == 1, "a count is not whole")


def _check_spread(plan: Plan, selection: LargestKeys, moves: Moves) -> None:
    """Check that sums that rank move apart by no more than the spread; those that do not move, by 0."""
    ranked = plan.asked.ranked
    _require(isinstance(ranked, aggregates.Sum), "what ranks is no sum")
    ticks = 10**ranked.scale if isinstance(ranked, aggregates.Sum) else 1
    falls = [Fraction(0), *(fall for (fall,) in moves.values())]
    _require((max(falls) - min(falls)) * ticks <= selection.spread, "sums move too far apart")


def _check_clamped(selection: Selection, request: aggregates.ClampedSum, moves: Moves) -> None:
    """Check that totals that rank have the sign that the noise relies on."""
    _check_totals(request, moves)
    signed = isinstance(selection, LargestKeys) and selection.spread == 2
    _require(signed or all(total >= 0 for total, _, _ in moves.values()), "a total that ranks is below 0")


def _check_totals(request: aggregates.ClampedSum, moves: Moves) -> None:
    """Check that one total of a unit disappears from each group, at its level."""
    _require(len({group[:-1] for group in moves}) == len(moves), "a unit has several totals in a group")
    for (*_, level), (total, sign, number) in moves.items():
        most = Fraction(request.clamp(int(str(level))))
        _require(abs(total) <= most, "a total is beyond its level")
        _require(sign == (total > 0) - (total < 0), "a total has another sign")
        _require(number == 1, "a total appears, or is not counted")


def _check_groups_by_level(request: aggregates.ChosenCount, moves: Moves) -> None:
    """Check that one number of a unit disappears from each group, from few groups up to each level, and that
    one group of the unit is the first at a level."""
    _require(len({group[:-1] for group in moves}) == len(moves), "a unit counts twice in a group")
    levels = [int(str(level)) for *_, level in moves]
    for level, most in enumerate(request.ladder):
        _require(sum(one <= level for one in levels) <= most, "a unit counts in too many groups")
        firsts = [first for one, (_, first) in zip(levels, moves.values(), strict=True) if one == level]
        _require(sum(firsts) <= 1, "a unit has several first groups at a level")
    for number, first in moves.values():
        _require(0 < number <= request.rows, "a count moves too far")
        _require(first in (0, 1), "a unit appears")
        _require(number.denominator == 1, "a count is not whole")


def _check_means(moves: Moves, most: int, ticks: int) -> None:
    for high, count in moves.values():
        _require(0 <= count <= most, "a mean loses too many values")
        _require(0 <= high <= count * ticks, "a mean moves too far")


def _check_weights(moves: Moves, most: int) -> None:
    """Check that the weights of a unit, none of them negative, disappear from the sums of a group."""
    for weights in moves.values():
        _require(min(weights) >= 0, "a weight is negative")
        _require(sum(weights) <= most, "moments move too far")


def _check_values(moves: Moves, most: int) -> None:
    """Check that values of one unit disappear from their groups, and nothing else moves."""
    totals: dict[Group, Fraction] = {}
    for group, (fall,) in moves.items():
        _require(fall >= 0, "a value appears")
        totals[group[:-1]] = totals.get(group[:-1], Fraction(0)) + fall
    _require(all(total <= most for total in totals.values()), "a unit has too many values")


def _check_groups(moved: set[Group], most: int | None) -> None:
    _require(most is None or len(moved) <= most, "a unit is in too many groups")


def _moves(before: ReadScores, after: ReadScores) -> Moves:
    moves = {}
    for group in before.rows.keys() | after.rows.keys():
        first, then = before.rows.get(group), after.rows.get(group)
        if first != then:
            nothing = (0,) * len(first or then or ())
            pairs = zip(first or nothing, then or nothing, strict=True)
            moves[group] = tuple(_exact(x) - _exact(y) for x, y in pairs)
    return moves


def _exact(score: object) -> Fraction:
    return Fraction(score)  # type: ignore[call-overload,no-any-return]


# --- candidates ----------------------------------------------------------------------------------


def _check_candidates(keys: tuple[Key, ...], scores: ReadScores) -> None:
    """Check that groups are candidates of public domains, if there are any: rows never add one."""
    for place, key in enumerate(keys):
        if key.domain is not None:
            values = {group[place] for group in scores.rows}
            _require(
                all(value is None or _holds(key.domain, value) for value in values), "a group is no candidate"
            )
            _require(key.or_null or None not in values, "NULL is no candidate")


def _holds(domain: Domain, value: object) -> bool:
    if not isinstance(domain, RangeDomain):
        return value in domain.values
    try:
        offset = domain.offset(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return False
    return 0 <= offset < domain.size and (isinstance(value, float) or domain.value(offset) == value)


def candidates(plan: Plan) -> int:
    """How many groups the public domains of the keys have together; 0 if one of them is unknown."""
    return plan.space.size or 0


def _require(holds: bool, reason: str) -> None:
    if not holds:
        raise ViolationError(reason)
