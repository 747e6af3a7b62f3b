"""Events: what a release did and what it costs, which is all that the ledger is told of a charge.

The meaning of an event never changes: a mechanism with another guarantee gets another class. Every
cost is exact. Adjacency is add or remove one privacy unit, with all its rows, throughout.

What a class claims is data: epsilon always, delta only if it `finds_keys`, and if it `refunds`, that its
release can show a lower epsilon. tests/mechanisms/test_claims.py verifies each claim by exact enumeration.
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

    finds_keys: ClassVar[bool] = False  # reads keys from private rows; only then may delta be positive
    refunds: ClassVar[bool] = False  # its release may show that a part of epsilon was not used

    def __post_init__(self) -> None:
        if self.delta and type(self) is not Event and not self.finds_keys:
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
class PermuteAndFlip(Event):
    """One winner by permute-and-flip. Pure DP (McKenna and Sheldon 2020)."""

    @property
    def mechanism(self) -> str:
        return "permute_and_flip"


@dataclass(frozen=True)
class ExponentialMechanism(Event):
    """One winner by the exponential mechanism, with its gap. Pure DP (Ding et al. 2023)."""

    @property
    def mechanism(self) -> str:
        return "exponential"


@dataclass(frozen=True)
class NoisyCount(Event):
    """One count with discrete Laplace noise. Pure DP (Ghosh et al. 2009)."""

    @property
    def mechanism(self) -> str:
        return "count"


@dataclass(frozen=True)
class Histogram(Event):
    """Counts over a public domain, each with discrete Laplace noise. Pure DP."""

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
    """Sums of bounded values by group, each with discrete Laplace noise. Pure DP (proof in sums)."""

    @property
    def mechanism(self) -> str:
        return "sum"


@dataclass(frozen=True)
class Average(Event):
    """Means and numbers of bounded values by group, from one pair of sums. Pure DP (proof in averages)."""

    @property
    def mechanism(self) -> str:
        return "sum"


@dataclass(frozen=True)
class NoisyMoments(Event):
    """Moments of bounded values by group, from weights that share one noise. Pure DP (proof in moments)."""

    @property
    def mechanism(self) -> str:
        return "sum"


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
    """Counts of keys of private rows, released above a threshold. (epsilon, delta)-DP."""

    finds_keys: ClassVar[bool] = True

    @property
    def mechanism(self) -> str:
        return "partition_selection"


@dataclass(frozen=True)
class KeySelection(Event):
    """Which keys of private rows have enough units, without counts. (epsilon, delta)-DP
    (proof in partitions)."""

    finds_keys: ClassVar[bool] = True

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
