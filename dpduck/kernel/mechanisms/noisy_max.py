"""Ranking by noisy score: the one computation behind every selection in dpduck.

Each candidate's score gets independent noise of one family; the best few are found and ranked
exactly. `topk` and `selection` choose the family and the rate, decide what is released, and prove privacy.
"""

from __future__ import annotations

import heapq
import math
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice

import numpy as np
from flint import arb, fmpq

from dpduck.kernel.noise import Entropy, Family, Maxima, OrderStatistic
from dpduck.kernel.noise.samplers import choose_another
from dpduck.kernel.noise.uniform import SLACK, Uniform, decide, integer
from dpduck.kernel.scores import CandidateGroups, Member, Scores, WithThreshold


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class NoisyScore:
    """A score plus its noise, a real number known to any precision. Greater sorts first.

    `low` and `high` bound score - base + noise, where base is common to the scores compared.
    `member` is None while only a bound on the score is known.
    """

    group: int
    score: int
    noise: OrderStatistic
    member: Member | None
    low: float
    high: float

    @classmethod
    def of(
        cls, group: int, score: int, base: int, noise: OrderStatistic, member: Member | None
    ) -> NoisyScore:
        shift = float(score - base)
        slack = abs(shift) * SLACK
        return cls(group, score, noise, member, shift + noise.low - slack, shift + noise.high + slack)

    def __lt__(self, other: NoisyScore) -> bool:
        if self.low > other.high or other.low > self.high:
            return self.low > other.high
        return decide(lambda: _sign(self._minus(other)), self._uniforms(other)) > 0

    def floor_of_gap(self, other: NoisyScore, unit: Fraction = Fraction(1)) -> int:
        """The largest integer g with g * unit <= self - other, exactly."""
        low, high = self.low - other.high, self.high - other.low
        if unit == 1 and math.isfinite(low + high) and math.floor(low) == math.floor(high):
            return math.floor(low)
        grid = fmpq(unit.numerator, unit.denominator)  # exact; a ball would fix the precision here
        return decide(lambda: integer((self._minus(other) / arb(grid)).floor()), self._uniforms(other))

    def _minus(self, other: NoisyScore) -> arb:
        return self.score - other.score + self.noise.exact() - other.noise.exact()

    def _uniforms(self, other: NoisyScore) -> list[Uniform]:
        """The uniform numbers of both, each once, in a fixed order."""
        return list(dict.fromkeys((*self.noise.uniforms, *other.noise.uniforms)))


def _sign(ball: arb) -> int | None:
    return 1 if ball > 0 else -1 if ball < 0 else None


@dataclass(frozen=True, repr=False)
class Ranking:
    """The best noisy scores, in descending order, and the groups of candidates that they come from."""

    best: tuple[NoisyScore, ...]
    groups: CandidateGroups

    def members(self, count: int, entropy: Entropy) -> list[Member]:
        """The first `count` candidates, chosen uniformly within a group of equal scores."""
        taken: dict[int, list[int]] = defaultdict(list)
        for entry in self.best:
            if entry.member is not None:
                taken[entry.group].append(entry.member.rank)
        members = []
        for entry in self.best[:count]:
            member = entry.member
            if member is None:
                ranks = taken[entry.group]
                ranks.append(choose_another(int(self.groups.sizes[entry.group]), ranks, entropy))
                member = Member(entry.group, ranks[-1])
            members.append(member)
        return members


def reach(candidates: int, rate: Fraction) -> float:
    """A distance in score units that a candidate overcomes by noise with probability below e^-40 / n."""
    return (math.log(max(candidates, 1)) + 40) / float(rate)


def rank(scores: Scores, count: int, family: Family, entropy: Entropy) -> Ranking:
    """Rank the `count` largest of score + noise exactly, or all candidates if there are fewer.

    Noise: independent, from `family`, one per candidate.
    Ties: none; the noise is real-valued.
    """
    groups = scores.groups(count, reach(scores.count, family.rate))
    stream = _descending(groups, count, family, entropy)
    return Ranking(tuple(islice(stream, count)), groups)


def rank_above(
    scores: Scores, threshold: int, count: int, family: Family, entropy: Entropy
) -> tuple[Ranking, int]:
    """Rank the scores together with one more candidate whose score is the threshold.

    Output: the `count` + 1 best, and how many of them, at most `count`, come before the threshold.
    """
    ranking = rank(WithThreshold(scores, threshold), count + 1, family, entropy)
    last = len(ranking.groups.sizes) - 1
    places = [place for place, entry in enumerate(ranking.best) if entry.group == last]
    return ranking, min([*places, count])


def _descending(
    groups: CandidateGroups, count: int, family: Family, entropy: Entropy
) -> Iterator[NoisyScore]:
    """Noisy scores from the largest down; only the first `count` of them may be taken."""
    if len(groups.bounds) == 0:
        return
    base = int(groups.bounds.max())
    heap = _group_maxima(groups, base, count, family, entropy)
    heapq.heapify(heap)
    looked_up: dict[int, list[int]] = defaultdict(list)
    while heap:
        entry = heapq.heappop(heap)
        resolved = entry.member is not None
        if not resolved:
            following = entry.noise.next(entropy)
            if following is not None:
                heapq.heappush(heap, NoisyScore.of(entry.group, entry.score, base, following, None))
        if resolved or groups.exact[entry.group]:
            yield entry
            continue
        ranks = looked_up[entry.group]
        ranks.append(choose_another(int(groups.sizes[entry.group]), ranks, entropy))
        member = Member(entry.group, ranks[-1])
        heapq.heappush(heap, NoisyScore.of(entry.group, groups.score(member), base, entry.noise, member))


def _group_maxima(
    groups: CandidateGroups, base: int, count: int, family: Family, entropy: Entropy
) -> list[NoisyScore]:
    """The noisy maximum of each group that can be among the `count` best."""
    maxima = Maxima.draw(family, groups.sizes, entropy)
    shifts = (groups.bounds - base).astype(np.float64)
    slack = np.abs(shifts) * SLACK
    low, high = shifts + maxima.low - slack, shifts + maxima.high + slack
    reachable = np.arange(len(low))
    # A bounded group's maximum may fall when its true score is looked up, so only exact groups count.
    sure = low[groups.exact]
    if len(sure) > count:
        yardstick = np.partition(sure, len(sure) - count)[len(sure) - count]
        reachable = np.flatnonzero(high >= yardstick)
    return [
        NoisyScore.of(int(g), int(groups.bounds[g]), base, maxima.single(int(g), entropy), None)
        for g in reachable
    ]
