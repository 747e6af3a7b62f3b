"""How many values are claimed in rounds, in which each unit claims the first of its values that is free.

F(l) of `distinct_values`: units take turns in a fixed order, each unit has an order of its own values, and
both are functions of the unit's own rows alone. In each round every unit in its turn claims the first of
its values that nobody has claimed, if there is one; F(l) is the number of values claimed in l rounds.

Theorem. With one more unit p, 0 <= F'(l) - F(l) <= l for all l.
Proof. Let S and S' be what is claimed without and with p, at the same moment of both runs. Before each turn
S is a part of S', and S' has at most as many further values as p had turns: so it is at the start, and
  - at a turn of p, S' gains at most one value;
  - at the turn of another unit whose first free value without p is v: those before v are in S, so also in
    S'. If v is not in S', it is the first free one with p too, and both gain v. If it is in S', then S
    gains a value that S' has, which leaves one further value less, and S' gains at most one;
  - a unit without a free value without p has none with p.
After l rounds p had l turns. QED

The same turns are found without taking them one by one. In a round, a value goes to the first unit in the
order that would take it, whichever unit asks first: each unit asks for its next value that is not taken by
an earlier unit, and gives it up when an earlier one asks (Gale and Shapley 1962; where all values prefer
the same units, what is found is what the units in their order would choose). A value that a unit was
refused is taken in this round, so it need not ask for it again in later ones: all rounds together ask for
each pair of unit and value once at most.

Several groups are counted apart, each with the pairs in it, in the one order of units: the theorem holds of
each group in which the further unit is, and the others stay as they are. A value may be named by any
function of it alone, such as a hash: what is counted then are its distinct names, which are no more than
values, and the theorem holds of names. It does not hold if two units have one place in the order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]

_FEW = 64  # units that ask at once: below that, one by one is faster than as arrays


def claimed_in_rounds(turns: Integers, values: Integers, rounds: int) -> Integers:
    """The number of values claimed in each of the first rounds.

    Input: pairs of a unit and a value, each pair once, as whole numbers from 0: the units by the order of
        their turns; the pairs of a unit are in the order of its values.
    Output: as many numbers as `rounds`.
    """
    run = _run(turns, values)
    return np.array([len(run.round()) for _ in range(rounds)], dtype=np.int64)


@dataclass(frozen=True, repr=False)
class Pairs:
    """Pairs of a unit and a value in a group, each pair once.

    `groups`: from 0; `turns`: the place of the unit in the order of all, the same in all groups; `places`: of
    the value among those of the unit in the group; `values`: their names, any whole numbers.
    """

    groups: Integers
    turns: Integers
    places: Integers
    values: Integers


def claimed_by_level(pairs: Pairs, size: int, levels: Sequence[int]) -> Integers:
    """F(l) of each of `size` groups, for each level l.

    Input: ascending levels. Output: a row for each group, a column for each level.
    """
    found = np.zeros((size, len(levels)), dtype=np.int64)
    if not len(pairs.groups):
        return found
    turns = _ranks(pairs.groups, pairs.turns)
    values = _ranks(pairs.groups, pairs.values)
    owners = np.zeros(int(values.max()) + 1, dtype=np.int64)
    owners[values] = pairs.groups
    order = np.lexsort((pairs.places, turns))
    run = _run(turns[order], values[order])
    for number, claimed in enumerate(run.rounds(levels[-1]), start=1):
        level = int(np.searchsorted(levels, number))
        found[:, level] += np.bincount(owners[claimed], minlength=size)
    return found.cumsum(axis=1)


def _ranks(groups: Integers, numbers: Integers) -> Integers:
    """The place of each pair of a group and a number among all such pairs, from 0; equal pairs have one."""
    order = np.lexsort((numbers, groups))
    first = np.ones(len(order), dtype=np.int64)
    first[0] = 0
    ordered = groups[order], numbers[order]
    first[1:] = np.any([column[1:] != column[:-1] for column in ordered], axis=0)
    ranks = np.empty(len(order), dtype=np.int64)
    ranks[order] = first.cumsum()
    return ranks


def _run(turns: Integers, values: Integers) -> _Run:
    """The start of a run. Input: as of `claimed_in_rounds`."""
    order = np.argsort(turns, kind="stable")
    units, wanted = turns[order], values[order]
    ends = np.cumsum(np.bincount(units)) if len(units) else np.zeros(0, np.int64)
    return _Run(wanted, np.concatenate(([0], ends[:-1])) if len(ends) else ends, ends)


class _Run:
    """`_next`: of each unit, the place of the first value not asked for yet; `_ends`: after its last."""

    def __init__(self, wanted: Integers, starts: Integers, ends: Integers) -> None:
        self._wanted = wanted
        self._next = starts.copy()
        self._ends = ends
        self._units = np.flatnonzero(starts < ends)
        self._nobody = len(ends)
        self._holders = np.full(int(wanted.max()) + 1 if len(wanted) else 0, self._nobody)
        self._taken = np.zeros(len(self._holders), dtype=np.bool_)

    def rounds(self, most: int) -> Iterator[Integers]:
        """The values that are claimed in each of at most so many rounds, until no unit has another."""
        for _ in range(most):
            if not len(self._units):
                return
            yield self.round()

    def round(self) -> Integers:
        """One turn of every unit. Output: the values that are claimed in it."""
        asking, held = self._units, []
        while len(asking) > _FEW:
            asking = self._at_free(asking)
            values = self._wanted[self._next[asking]]
            distinct = np.unique(values)
            before = self._holders[distinct]
            np.minimum.at(self._holders, values, asking)
            held.append(distinct)
            lost = asking[self._holders[values] != asking]
            ousted = before[(before != self._nobody) & (self._holders[distinct] != before)]
            asking = np.concatenate((lost, ousted))
            self._next[asking] += 1
        held.append(np.array(self._one_by_one(asking.tolist()), dtype=np.int64))
        claimed = np.unique(np.concatenate(held))
        self._next[self._holders[claimed]] += 1
        self._taken[claimed] = True
        self._holders[claimed] = self._nobody
        self._units = self._units[self._next[self._units] < self._ends[self._units]]
        return claimed

    def _at_free(self, asking: Integers) -> Integers:
        """Let units pass over values of earlier rounds. Output: the units that have a value left."""
        moving = asking
        while len(moving):
            moving = moving[self._next[moving] < self._ends[moving]]
            moving = moving[self._taken[self._wanted[self._next[moving]]]]
            self._next[moving] += 1
        return asking[self._next[asking] < self._ends[asking]]

    def _one_by_one(self, asking: list[int]) -> list[int]:
        """The rest of a round, one unit after another. Output: the values that were asked for and free."""
        held = []
        while asking:
            unit = asking.pop()
            place, end = int(self._next[unit]), int(self._ends[unit])
            while place < end and (
                self._taken[self._wanted[place]] or self._holders[self._wanted[place]] < unit
            ):
                place += 1
            self._next[unit] = place
            if place == end:
                continue
            value = int(self._wanted[place])
            ousted = int(self._holders[value])
            self._holders[value] = unit
            held.append(value)
            if ousted != self._nobody:
                self._next[ousted] += 1
                asking.append(ousted)
        return held
