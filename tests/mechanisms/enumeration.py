"""Runs the real code on chosen noise: random words made by inverting the noise, then every noise in turn.

A noise vector is integers g and a tie order R (a permutation; a larger rank is a larger fractional part).
Candidate i gets the real noise g_i + (R_i + 1) / (n + 1), and the words are those at which the code's own
inversion finds these numbers, whatever groups the scores come in: the largest noise of a group from V^(1/M),
the next from the quotient, and each member by the word that picks its rank. So a mechanism can be run
on every noise vector up to a bound and compared with its definition, output by output. If every output of
the code is the definition's, its law is the exact law of tests/oracles, which tests/test_oracles.py shows to
be private.
"""

import itertools
import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np

from dpduck.kernel.scores import CandidateGroups, GroupedScores, Member, PlainScores, Scores
from tests.oracles.noise import discrete_laplace_pmf, geometric_pmf
from tests.sources import WORD

Noise = Literal["exponential", "laplace", "gumbel"]
Cdf = Callable[[float], float]
Output = tuple[tuple[int, ...], tuple[int, ...]]  # candidates, gaps


# Words


def exponential_cdf(x: float, rate: float) -> float:
    return -math.expm1(-rate * x)


def laplace_cdf(x: float, rate: float) -> float:
    """Of N + R: discrete Laplace plus a uniform number."""
    whole = math.floor(x)
    p, part = math.exp(-rate), x - whole
    if whole < 0:
        return 1 - laplace_cdf(1 - x, rate)
    return 1 - p**whole / (1 + p) * (1 - (1 - p) * part)


def gumbel_cdf(x: float, rate: float) -> float:
    return math.exp(-math.exp(-rate * x))


CDFS = {"exponential": exponential_cdf, "laplace": laplace_cdf, "gumbel": gumbel_cdf}


def cdf_of(noise: Noise, rate: Fraction) -> Cdf:
    return lambda x: CDFS[noise](x, float(rate))


def word(level: float) -> int:
    """The word at which V is `level`, to a double's precision."""
    assert 0 < level < 1
    return int(level * WORD)


def choosing(rank: int, size: int) -> int:
    """The word that chooses `rank` out of `size`."""
    return (2 * rank + 1) * WORD // (2 * size)


@dataclass(frozen=True)
class Layout:
    """Candidates in groups, as a mechanism sees them: for each group its bound, members, and exactness."""

    scores: Sequence[int]
    groups: Sequence[tuple[int, list[int], bool]]

    @classmethod
    def of(cls, scores: Scores, values: Sequence[int], wanted: int, reach: float = 1e9) -> "Layout":
        groups = scores.groups(wanted, reach)
        rows = zip(groups.bounds.tolist(), groups.sizes.tolist(), groups.exact.tolist(), strict=True)
        return cls(
            values,
            [
                (bound, groups.candidates([Member(g, r) for r in range(size)]), exact)
                for g, (bound, size, exact) in enumerate(rows)
            ],
        )


def ranking_words(layout: Layout, noise: Sequence[float], cdf: Cdf, count: int, members: int) -> list[int]:
    """The words at which the `count` best are ranked, and `members` of them named, under this noise.

    Words come in the order in which they are asked for: one for the largest noise of each group, then,
    from the largest value down, one for the next noise of the group (if it has one) and, in a group of
    unequal scores, one for the member that has the noise; last, one for each member still to be named.
    """
    words, steps = [], []
    for group, (bound, names, exact) in enumerate(layout.groups):
        ordered = sorted(names, key=lambda c: -noise[c])
        levels = [cdf(noise[c]) for c in ordered]
        words.append(word(levels[0] ** len(names)))
        for j, c in enumerate(ordered):
            left = len(names) - j - 1
            following = [word((levels[j + 1] / levels[j]) ** left)] if left else []
            found = layout.scores[c] + noise[c]
            if exact:
                steps.append((-found, 0, group, c, following))
            else:
                steps += [(-bound - noise[c], 0, group, c, following), (-found, 1, group, c, [])]
    return words + _walk(layout, sorted(steps, key=lambda s: s[:2]), count, members)


def _walk(
    layout: Layout, steps: list[tuple[float, int, int, int, list[int]]], count: int, members: int
) -> list[int]:
    words: list[int] = []
    best: list[tuple[int, int]] = []
    taken: dict[int, list[int]] = defaultdict(list)
    for _, found, group, candidate, following in steps:
        if len(best) == count:
            break
        exact = layout.groups[group][2]
        words += following
        if not exact and not found:
            words.append(_naming(layout, group, candidate, taken[group]))
        if exact or found:
            best.append((group, candidate))
    named = [(g, c) for g, c in best[:members] if layout.groups[g][2]]
    return words + [_naming(layout, g, c, taken[g]) for g, c in named]


def _naming(layout: Layout, group: int, candidate: int, taken: list[int]) -> int:
    names = layout.groups[group][1]
    free = [r for r in range(len(names)) if r not in taken]
    rank = names.index(candidate)
    taken.append(rank)
    return choosing(free.index(rank), len(free))


def laplace_words(draws: Sequence[int], rate: Fraction) -> list[int]:
    """The words at which discrete Laplace noise takes these values."""
    return [word(laplace_cdf(x + 0.5, float(rate))) for x in draws]


# Noise vectors


@dataclass(frozen=True)
class Drawn:
    """One noise vector, and its probability."""

    whole: tuple[int, ...]
    ranks: tuple[int, ...]
    weight: float

    @property
    def real(self) -> list[float]:
        n = len(self.whole)
        return [g + (r + 1) / (n + 1) for g, r in zip(self.whole, self.ranks, strict=True)]

    def values(self, scores: Sequence[int]) -> list[int]:
        return [q + g for q, g in zip(scores, self.whole, strict=True)]


def noise_vectors(noise: Noise, n: int, reach: int, rate: Fraction) -> Iterator[Drawn]:
    """Every vector of n noises up to `reach` in size with every tie order."""
    p = Fraction(math.exp(-rate))
    mass = geometric_pmf if noise == "exponential" else discrete_laplace_pmf
    masses = {x: float(mass(x, p)) for x in range(-reach if noise == "laplace" else 0, reach + 1)}
    orders = list(itertools.permutations(range(n)))
    for whole in itertools.product(masses, repeat=n):
        weight = math.prod(masses[x] for x in whole) / len(orders)
        for ranks in orders:
            yield Drawn(whole, ranks, weight)


# Forms of one score vector


class Lumped(Scores):
    """Scores in groups of a test's choosing: exact ones for equal scores, else bounded from above."""

    def __init__(self, values: Sequence[int], parts: Sequence[Sequence[int]], margin: int = 0) -> None:
        self._values, self._parts, self._margin = values, parts, margin

    @property
    def count(self) -> int:
        return len(self._values)

    def groups(self, wanted: int, reach: float) -> CandidateGroups:
        members = [[self._values[c] for c in part] for part in self._parts]
        bounds = np.array([max(part) + self._margin for part in members])
        exact = np.array([len(set(part)) == 1 and self._margin == 0 for part in members])
        sizes = np.array([len(part) for part in members])
        return _LumpedGroups(bounds, sizes, exact, self._values, self._parts)


@dataclass(frozen=True, repr=False, eq=False)
class _LumpedGroups(CandidateGroups):
    values: Sequence[int]
    parts: Sequence[Sequence[int]]

    def _own_score(self, member: Member) -> int:
        return self.values[self.parts[member.group][member.rank]]

    def candidates(self, members: Sequence[Member]) -> list[int]:
        return [self.parts[m.group][m.rank] for m in members]


def singles(values: Sequence[int]) -> Scores:
    """Each candidate a group of its own."""
    return GroupedScores(np.array(values), np.ones(len(values), dtype=np.int64))


def plain(values: Sequence[int]) -> Scores:
    """Equal scores in one group."""
    return PlainScores(np.array(values))


def lumped(values: Sequence[int]) -> Scores:
    """All candidates in one bounded group, far below their bound."""
    return Lumped(values, [range(len(values))], margin=3)


def tailed(values: Sequence[int]) -> Scores:
    """The first candidate alone, the others in one bounded group, the bound attained."""
    return Lumped(values, [[0], range(1, len(values))])


FORMS = {"singles": singles, "plain": plain, "lumped": lumped, "tailed": tailed}
