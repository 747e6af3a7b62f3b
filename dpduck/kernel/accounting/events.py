"""Events: what a release did and what it costs, which is all that the ledger is told of a charge.

The meaning of an event never changes: a mechanism with another guarantee gets another class. Every
cost is exact. Adjacency is add or remove one privacy unit, with all its rows, throughout.

What a class claims is data: epsilon always, delta only if it `finds_keys` or `is_normal`, and if it
`refunds`, that its release can show a lower epsilon. tests/mechanisms/test_claims.py verifies each claim by
exact enumeration.

Where a class has `groups`, it claims more: the release has independent parts, one for each group, a unit is
in at most `groups` of them, and each part alone is (epsilon / groups)-DP (of which `composition` makes a
smaller rho). That is so where a unit moves no group by more than 1 / `groups` of what it may move all
together: the L-infinity sensitivity is the L1 sensitivity divided by `groups`. With 1, which is what is not
written in the ledger, and so what all records before version 5 say, nothing is claimed beyond epsilon.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar


@dataclass(frozen=True)
class Event:
    """One (epsilon, delta)-differentially private release; the base class names no mechanism."""

    epsilon: Fraction
    delta: Fraction = Fraction(0)

    finds_keys: ClassVar[bool] = False  # reads keys from private rows
    is_normal: ClassVar[bool] = False  # its noise is normal, which no epsilon bounds without a delta
    refunds: ClassVar[bool] = False  # its release may show that a part of epsilon was not used

    def __post_init__(self) -> None:
        if self.delta and type(self) is not Event and not (self.finds_keys or self.is_normal):
            raise ValueError(f"{type(self).__name__} is pure")

    @property
    def mechanism(self) -> str:
        """The mechanism's name for people, as the ledger shows it."""
        raise NotImplementedError


@dataclass(frozen=True)
class NoisyTopK(Event):
    """Order and gaps of the k largest noisy scores. Pure DP (Theorems A and B of topk)."""

    k: int = 1

    @property
    def mechanism(self) -> str:
        return "noisy_top_k"


@dataclass(frozen=True)
class PrivateTopK(Event):
    """Top-k over keys taken from private rows. (epsilon, delta)-DP (Theorem C of private_topk)."""

    finds_keys: ClassVar[bool] = True

    k: int = 1

    @property
    def mechanism(self) -> str:
        return "noisy_top_k"


@dataclass(frozen=True)
class GumbelTopK(Event):
    """Order of the k largest scores with Gumbel noise: k exponential mechanisms. Pure DP, and zCDP with rho =
    epsilon^2 / (8 k) (proof in peeling)."""

    k: int = 1

    @property
    def mechanism(self) -> str:
        return "noisy_top_k"


@dataclass(frozen=True)
class GaussianTopK(Event):
    """Order of the k largest scores with Gumbel noise of a rate, and numbers of these k with Gaussian noise.
    (epsilon, delta)-DP, and zCDP with rho = k rate^2 / 8 + mu^2 / 2 (proofs in accounting.choices)."""

    is_normal: ClassVar[bool] = True

    k: int = 1
    rate: Fraction = Fraction(0)
    mu_squared: Fraction = Fraction(0)

    @property
    def mechanism(self) -> str:
        return "noisy_top_k"


@dataclass(frozen=True)
class PermuteAndFlip(Event):
    """One winner by permute-and-flip. Pure DP (McKenna and Sheldon 2020).

    With `groups`, one winner of each group, with epsilon / groups each; a unit may be in so many groups.
    """

    groups: int = 1

    @property
    def mechanism(self) -> str:
        return "permute_and_flip"


@dataclass(frozen=True)
class ManyQuantiles(Event):
    """Several quantiles of the same values, by as many levels of permute-and-flip, with a part of epsilon
    each. Pure DP (proof in many_quantiles): a unit is in parts of a level with a weight that is divided among
    them.

    With `groups`, those of each group, with epsilon / groups each; a unit may be in so many groups.
    """

    levels: int = 1
    groups: int = 1

    @property
    def mechanism(self) -> str:
        return "quantiles"


@dataclass(frozen=True)
class QuantileInterval(Event):
    """A quantile and both ends of its interval, by permute-and-flip with a third of epsilon each. Pure DP
    (proof in quantile_intervals).

    With `groups`, those of each group, with epsilon / groups each; a unit may be in so many groups.
    """

    groups: int = 1

    @property
    def mechanism(self) -> str:
        return "quantile_interval"

    @property
    def levels(self) -> int:
        """Into how many parts epsilon is divided, each of one release after the other."""
        return 3


@dataclass(frozen=True)
class ExtremeValue(Event):
    """The least or largest value, by sparse vector from its end of a grid. Pure DP (proof in extremes).

    With `groups`, one of each group, with epsilon / groups each; a unit may be in so many groups.
    """

    groups: int = 1

    @property
    def mechanism(self) -> str:
        return "sparse_vector"


@dataclass(frozen=True)
class ExponentialMechanism(Event):
    """One winner by the exponential mechanism, with its gap. Pure DP (Ding et al. 2023)."""

    @property
    def mechanism(self) -> str:
        return "exponential"


@dataclass(frozen=True)
class NoisyCount(Event):
    """Counts with discrete Laplace noise: one, or those of a few winners. Pure DP (Ghosh et al. 2009).

    With `groups`, a unit moves at most so many of the counts, each by 1, with noise of rate epsilon / groups.
    """

    groups: int = 1

    @property
    def mechanism(self) -> str:
        return "count"


@dataclass(frozen=True)
class Histogram(Event):
    """Counts over a public domain, each with discrete Laplace noise. Pure DP.

    L-infinity: a unit moves a count by 1, or by at most the bound on its rows or values in a group; L1:
    `groups` times that. The score SQL counts a unit once, or cuts its rows and values there.
    """

    groups: int = 1

    @property
    def mechanism(self) -> str:
        return "histogram"


@dataclass(frozen=True)
class DistinctCounts(Event):
    """Numbers of distinct values, with a number of values per unit that permute-and-flip chooses with half of
    epsilon; the other half is for discrete Laplace noise. Pure DP (proof in distinct_values)."""

    @property
    def mechanism(self) -> str:
        return "distinct"


@dataclass(frozen=True)
class BoundedSums(Event):
    """Sums of bounded values by group, each with discrete Laplace noise. Pure DP (proof in sums).

    L-infinity: the bound of a unit's total in a group, to which the score SQL clamps it; L1: `groups` times
    that.
    """

    groups: int = 1

    @property
    def mechanism(self) -> str:
        return "sum"


@dataclass(frozen=True)
class ClampedSums(Event):
    """Sums by group of totals that are clamped to a number that a walk over tail counts chooses with half of
    epsilon; the other half is for discrete Laplace noise. Pure DP (proof in clamped_sums).

    The claim of `groups` is that of the noise alone. L-infinity: the clamp; L1: `groups` times that.
    """

    groups: int = 1

    @property
    def mechanism(self) -> str:
        return "clamped_sum"


@dataclass(frozen=True)
class ClampChoice(Event):
    """A clamp of totals, by a walk over tail counts, without the sums. Pure DP (proof in clamped_sums)."""

    @property
    def mechanism(self) -> str:
        return "clamped_sum"


@dataclass(frozen=True)
class ChosenGroupCounts(Event):
    """Counts by group, where a walk over tail counts chooses with a tenth of epsilon in how many groups each
    unit counts; the rest is for discrete Laplace noise. Pure DP (proof in chosen_groups)."""

    @property
    def mechanism(self) -> str:
        return "chosen_groups"


@dataclass(frozen=True)
class Average(Event):
    """Means and numbers of bounded values by group, from one pair of sums. Pure DP (proof in averages).

    L1 within a group, and L-infinity: the ticks of the range times the rows of a unit, which the score SQL
    cuts there; L1: `groups` times that.
    """

    groups: int = 1

    @property
    def mechanism(self) -> str:
        return "sum"


@dataclass(frozen=True)
class NoisyMoments(Event):
    """Moments of bounded values by group, from weights that share one noise. Pure DP (proof in moments).

    L1 within a group, and L-infinity: the weight of a row times the rows of a unit, which the score SQL cuts
    there; L1: `groups` times that.
    """

    groups: int = 1

    @property
    def mechanism(self) -> str:
        return "sum"


@dataclass(frozen=True)
class GaussianNoise(Event):
    """Numbers by group with Gaussian noise, rounded. mu-GDP, so that rho is mu^2 / 2, and (epsilon, delta)-DP
    (proofs in accounting.gaussian and mechanisms.gaussian)."""

    is_normal: ClassVar[bool] = True

    mu_squared: Fraction = Fraction(0)

    @property
    def mechanism(self) -> str:
        return "gaussian"


@dataclass(frozen=True)
class AboveThreshold(Event):
    """Candidates above a noisy threshold, at most 2k - 1, and their gaps to it. Pure DP (proof in
    sparse_vector)."""

    refunds: ClassVar[bool] = True

    k: int = 1

    @property
    def mechanism(self) -> str:
        return "sparse_vector"


@dataclass(frozen=True)
class PrivateSparseVector(Event):
    """Keys of private rows above a noisy threshold, at most 2k - 1, and their gaps to it. (epsilon,
    delta)-DP (Theorem E of above_found)."""

    finds_keys: ClassVar[bool] = True
    refunds: ClassVar[bool] = True

    k: int = 1

    @property
    def mechanism(self) -> str:
        return "sparse_vector"


@dataclass(frozen=True)
class TopKAbove(Event):
    """Order and gaps of the largest noisy scores, at most k, down to a noisy threshold. Pure DP (Theorem D
    of topk_above)."""

    refunds: ClassVar[bool] = True

    k: int = 1

    @property
    def mechanism(self) -> str:
        return "sparse_vector"


@dataclass(frozen=True)
class PartitionSelection(Event):
    """Counts of keys of private rows, released above a threshold. (epsilon, delta)-DP.

    L-infinity: a unit moves a count by 1; L1: `groups`.
    """

    finds_keys: ClassVar[bool] = True

    groups: int = 1

    @property
    def mechanism(self) -> str:
        return "partition_selection"


@dataclass(frozen=True)
class GaussianKeys(Event):
    """Counts of keys of private rows with Gaussian noise, released above a threshold. (epsilon, delta)-DP;
    approximately zCDP with rho = mu^2 / 2. Half of delta is that of the noise (proof in gaussian_keys)."""

    finds_keys: ClassVar[bool] = True

    mu_squared: Fraction = Fraction(0)

    @property
    def mechanism(self) -> str:
        return "partition_selection"


@dataclass(frozen=True)
class KeySelection(Event):
    """Which keys of private rows have enough units, without counts. (epsilon, delta)-DP
    (proof in partitions): each key is decided apart, with epsilon / groups and delta / groups.
    """

    finds_keys: ClassVar[bool] = True

    groups: int = 1

    @property
    def mechanism(self) -> str:
        return "partition_selection"


@dataclass(frozen=True)
class Composed(Event):
    """Several releases about the same privacy units: the costs add up (basic composition)."""

    finds_keys: ClassVar[bool] = True
    refunds: ClassVar[bool] = True

    parts: tuple[Event, ...] = ()

    @classmethod
    def of(cls, *parts: Event) -> Composed:
        return cls(
            sum((p.epsilon for p in parts), Fraction(0)), sum((p.delta for p in parts), Fraction(0)), parts
        )

    @property
    def mechanism(self) -> str:
        return "+".join(part.mechanism for part in self.parts)
