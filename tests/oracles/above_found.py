"""Sparse vector over keys that are present (Theorem E): which are read, at which threshold; the exact law.

The keys are numbers, in their public order; a count of 0 is a key that is not there.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from tests.oracles import above
from tests.oracles.privacy import Scores

Named = tuple[tuple[int, above.Answer], ...]  # the keys that are answered, and what is said of each


@dataclass(frozen=True)
class Rules:
    """The public side: the threshold asked for, k, how many keys are read, delta; then as `above.Setting`."""

    threshold: int
    k: int
    read: int
    delta: Fraction
    margin: int
    powers: tuple[int, int, int]

    def tau(self, x: Fraction) -> int:
        """How far the threshold stands above the largest count that is not read."""
        p0, p1, p2 = (x**power for power in self.powers)
        part = self.delta / (8 * self.read)
        return _least(p0, self.delta / 2) + max(_least(p2, part) - self.margin, _least(p1, part), 0)

    def units(self, named: Named) -> int:
        """The steps of x that an output shows as used."""
        return self.powers[0] + self.powers[2] * sum(above.UNITS[answer.kind] for _, answer in named)


def _least(p: Fraction, most: Fraction) -> int:
    """The least m with p^m <= most."""
    return next(m for m in range(10_000) if p**m <= most)


def looked_at(counts: Scores, rules: Rules, tau: int) -> tuple[dict[int, int], int]:
    """The score of each key that is read, and the threshold."""
    ranked = sorted((key for key, count in enumerate(counts) if count), key=lambda key: (-counts[key], key))
    following = counts[ranked[rules.read]] if len(ranked) > rules.read else 0
    bar = max(rules.threshold, tau)
    excess = max(0, following + tau - bar)
    return {key: counts[key] - excess for key in sorted(ranked[: rules.read])}, bar


def law(counts: Scores, rules: Rules, x: Fraction, gaps: int) -> Mapping[Named, Fraction]:
    """P(output), exactly; gaps from `gaps` above their least on as one."""
    scores, bar = looked_at(counts, rules, rules.tau(x))
    setting = above.Setting(bar, rules.k, rules.margin, rules.powers)
    found: Counter[Named] = Counter()
    probability = above.law(list(scores.values()), setting, x)
    for output in above.outputs(len(scores), setting, gaps):
        named = tuple((key, said) for key, said in zip(scores, output, strict=False) if said != above.BELOW)
        found[named] += probability(output)  # type: ignore[assignment]
    return found
