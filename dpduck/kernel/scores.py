"""Score vectors: what a mechanism may see of the data, in plain or grouped form.

Candidates with equal scores are exchangeable, so a mechanism needs only groups (score, size); a
candidate is found afterwards as the member of a group with a uniformly chosen rank. A group may
also be *bounded*: its members have scores of their own, none above the group's bound, and are
looked up one at a time when they matter. What is lumped into a bounded group is a question of speed
alone: it never changes the distribution of an answer.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dpduck.kernel.errors import ParameterError

Integers = NDArray[np.int64]

SCORE_LIMIT = 2**62  # scores stay below this in size, so that differences fit 64 bits
BLOCK = 1 << 20  # candidates that are looked at one by one, at a time
_COUNTABLE_RANGE = 1 << 22  # scores this close together are grouped by counting, else by sorting


@dataclass(frozen=True, slots=True)
class Member:
    """A candidate by its place: the group and the rank within it, both from 0."""

    group: int
    rank: int


@dataclass(frozen=True, repr=False, eq=False)
class CandidateGroups(ABC):
    """Groups of candidates: `bounds[i]` is the score of all members of group i if `exact[i]`."""

    bounds: Integers
    sizes: Integers
    exact: NDArray[np.bool_]

    @property
    def count(self) -> int:
        """The number of candidates."""
        return int(self.sizes.sum())

    def score(self, member: Member) -> int:
        """The score of one candidate."""
        if not self.exact[member.group]:
            return self._own_score(member)
        return int(self.bounds[member.group])

    def _own_score(self, member: Member) -> int:
        raise NotImplementedError("all groups are exact")

    @abstractmethod
    def candidates(self, members: Sequence[Member]) -> list[int]:
        """The numbers of the candidates, from 0, in the vector's own order."""


class Scores(ABC):
    """A vector of integer scores, one per candidate. Its repr shows none of them."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}, hidden>"

    @property
    @abstractmethod
    def count(self) -> int:
        """The number of candidates."""

    @abstractmethod
    def groups(self, wanted: int, reach: float) -> CandidateGroups:
        """The groups; scores more than `reach` below the `wanted`-th best may be lumped together."""


class PlainScores(Scores):
    """Scores as an array: candidate i has score `values[i]`.

    Candidates that are not listed have score 0: there are `absent` of them, and their numbers follow
    those of the listed ones.

    Input: a vector of whole numbers, each below 2**62 in size.
    Errors: ParameterError if they are not.

    >>> PlainScores(np.array([3, 1, 3]))
    <PlainScores, hidden>
    """

    def __init__(self, values: Integers, absent: int = 0) -> None:
        self._values = _whole_numbers(values)
        self._absent = absent

    @property
    def count(self) -> int:
        return len(self._values) + self._absent

    def groups(self, wanted: int, reach: float) -> CandidateGroups:
        """Equal scores near the top as groups; the absent as one; the rest as a bounded one."""
        values = self._values
        place = max(len(values) - wanted, 0)
        best = int(np.partition(values, place)[place]) if len(values) else 0
        floor = best - int(min(reach, SCORE_LIMIT))
        head = values[values >= floor]
        scores, sizes = _histogram(head)
        rest = len(values) - len(head)
        bounds = np.append(scores, [0, floor - 1])
        sizes = np.append(sizes, [self._absent, rest])
        exact = np.append(np.ones(len(scores), dtype=np.bool_), [True, False])
        kept = sizes > 0
        return _PlainGroups(
            bounds[kept], sizes[kept], exact[kept], values, floor, len(scores) if self._absent else None
        )

    def histogram(self) -> GroupedScores:
        """The same vector as groups, from the least score up."""
        values = np.append(self._values, np.zeros(self._absent, dtype=np.int64))
        scores, sizes = _histogram(values)
        return GroupedScores(scores, sizes, np.argsort(values, kind="stable"))

    def blocks(self) -> Iterator[tuple[int, Integers]]:
        """All scores in parts: the number of the first candidate of each, and the scores."""
        for start in range(0, self.count, BLOCK):
            block = self._values[start : start + BLOCK]
            missing = min(self.count - start, BLOCK) - len(block)
            yield start, np.append(block, np.zeros(missing, dtype=np.int64)) if missing else block


@dataclass(frozen=True, repr=False, eq=False)
class _PlainGroups(CandidateGroups):
    """Groups of equal scores at or above `floor`, the group of the absent, and all below `floor`."""

    values: Integers
    floor: int
    absent: int | None

    @cached_property
    def _tail(self) -> Integers:
        return np.flatnonzero(self.values < self.floor)

    def _own_score(self, member: Member) -> int:
        return int(self.values[self._tail[member.rank]])

    def candidates(self, members: Sequence[Member]) -> list[int]:
        listed = self.exact.copy()
        if self.absent is not None:
            listed[self.absent] = False
        wanted = np.array([self.bounds[m.group] for m in members if listed[m.group]], dtype=np.int64)
        near = np.flatnonzero(np.isin(self.values, wanted))
        near = near[np.argsort(self.values[near], kind="stable")]
        starts = np.searchsorted(self.values[near], self.bounds)

        def number(member: Member) -> int:
            if member.group == self.absent:
                return len(self.values) + member.rank
            if not self.exact[member.group]:
                return int(self._tail[member.rank])
            return int(near[starts[member.group] + member.rank])

        return [number(member) for member in members]


class GroupedScores(Scores):
    """Scores as a histogram: group i has `sizes[i]` candidates of score `scores[i]`.

    Candidates are numbered group after group, in the order given; two groups may share a score.

    Input: two vectors of whole numbers of one length, sizes at least 1; `numbers`: those of the candidates,
        group after group, if they have other ones.
    Errors: ParameterError if they do not fit.
    """

    def __init__(self, scores: Integers, sizes: Integers, numbers: Integers | None = None) -> None:
        self._scores = _whole_numbers(scores)
        self._numbers = numbers
        self._sizes = _whole_numbers(sizes)
        if len(self._scores) != len(self._sizes) or (self._sizes < 1).any():
            raise ParameterError("each group needs one score and a size of at least 1")

    @property
    def count(self) -> int:
        return int(self._sizes.sum())

    def groups(self, wanted: int, reach: float) -> CandidateGroups:  # noqa: ARG002  nothing needs lumping
        exact = np.ones(len(self._scores), dtype=np.bool_)
        return _NumberedGroups(self._scores, self._sizes, exact, self._numbers)

    def histogram(self) -> GroupedScores:
        """The same vector as groups, from the least score up."""
        if (self._scores[:-1] <= self._scores[1:]).all():
            return self
        return PlainScores(np.concatenate([block for _, block in self.blocks()])).histogram()

    def best(self, most: int) -> tuple[GroupedScores, int]:
        """The last `most` candidates, numbered as they are here, and the score of the one before, or else 0.

        Input: groups from the least score up. Which candidates of a divided group are its last is fixed.
        """
        left = self.count - most
        if left <= 0:
            return self, 0
        upto = np.cumsum(self._sizes)
        first = int(np.searchsorted(upto, left, side="right"))
        sizes = self._sizes[first:].copy()
        sizes[0] = upto[first] - left
        numbers = np.arange(left, self.count) if self._numbers is None else self._numbers[left:]
        before = int(np.searchsorted(upto, left - 1, side="right"))
        return GroupedScores(self._scores[first:], sizes, numbers), int(self._scores[before])

    def blocks(self) -> Iterator[tuple[int, Integers]]:
        """All scores in parts: the number of the first candidate of each, and the scores."""
        if self._numbers is not None:
            scores = np.empty(self.count, dtype=np.int64)
            scores[self._numbers] = np.repeat(self._scores, self._sizes)
            yield from PlainScores(scores).blocks()
            return
        upto = np.cumsum(self._sizes)
        for start in range(0, self.count, BLOCK):
            end = min(start + BLOCK, self.count)
            first, last = np.searchsorted(upto, [start, end - 1], side="right")
            ends = np.minimum(upto[first : last + 1], end)
            yield start, np.repeat(self._scores[first : last + 1], np.diff(ends, prepend=start))


@dataclass(frozen=True, repr=False, eq=False)
class _NumberedGroups(CandidateGroups):
    """Groups whose candidates are numbered group after group, or as `numbers` says."""

    numbers: Integers | None = None

    def candidates(self, members: Sequence[Member]) -> list[int]:
        starts = np.cumsum(self.sizes) - self.sizes
        places = [int(starts[member.group]) + member.rank for member in members]
        return places if self.numbers is None else [int(self.numbers[place]) for place in places]


Vector = PlainScores | GroupedScores


class WithThreshold(Scores):
    """A score vector with one more candidate, the last: a public threshold, whose score is its own.

    >>> WithThreshold(PlainScores(np.array([3, 1])), 2).count
    3
    """

    def __init__(self, scores: Scores, threshold: int) -> None:
        self._scores = scores
        self._threshold = threshold

    @property
    def count(self) -> int:
        return self._scores.count + 1

    def groups(self, wanted: int, reach: float) -> CandidateGroups:
        """The groups of the vector, then the threshold's."""
        groups = self._scores.groups(wanted, reach)
        return _GroupsWithThreshold(
            np.append(groups.bounds, self._threshold),
            np.append(groups.sizes, 1),
            np.append(groups.exact, True),
            groups,
        )


@dataclass(frozen=True, repr=False, eq=False)
class _GroupsWithThreshold(CandidateGroups):
    """Groups of a vector, and the threshold as a group of its own."""

    others: CandidateGroups

    def _own_score(self, member: Member) -> int:
        return self.others.score(member)

    def candidates(self, members: Sequence[Member]) -> list[int]:
        last = len(self.sizes) - 1
        numbers = iter(self.others.candidates([m for m in members if m.group != last]))
        return [self.others.count if m.group == last else next(numbers) for m in members]


def _whole_numbers(values: Integers) -> Integers:
    array = np.asarray(values)
    if array.ndim != 1 or (array.dtype.kind not in "iu" and len(array)):
        raise ParameterError("scores must be a vector of whole numbers")
    if len(array) and max(int(array.max()), -int(array.min())) >= SCORE_LIMIT:
        raise ParameterError("scores must be below 2^62 in size")
    return array.astype(np.int64, copy=False)


def _histogram(values: Integers) -> tuple[Integers, Integers]:
    """The distinct values, ascending, and how often each occurs."""
    if len(values) == 0:
        return values, values
    low, high = int(values.min()), int(values.max())
    if high - low < min(_COUNTABLE_RANGE, 64 * len(values)):
        occurrences = np.bincount(values - low)
        occupied = np.flatnonzero(occurrences)
        return occupied + low, occurrences[occupied]
    distinct, sizes = np.unique(values, return_counts=True)
    return distinct, sizes
