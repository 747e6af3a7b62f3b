"""What a release says it cost is what was asked: epsilon and delta, exactly, for every mechanism."""

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpduck.kernel.accounting import events
from dpduck.kernel.accounting.events import Composed, Event
from dpduck.kernel.mechanisms.additive import noisy_counts, private_key_counts
from dpduck.kernel.mechanisms.averages import noisy_means
from dpduck.kernel.mechanisms.moments import noisy_weights
from dpduck.kernel.mechanisms.partitions import select_partitions
from dpduck.kernel.mechanisms.private_topk import private_top_k
from dpduck.kernel.mechanisms.quantile import Values, quantile
from dpduck.kernel.mechanisms.selection import exponential, permute_and_flip
from dpduck.kernel.mechanisms.sparse_vector import above_threshold
from dpduck.kernel.mechanisms.sums import noisy_sums
from dpduck.kernel.mechanisms.topk import top_k
from dpduck.kernel.mechanisms.topk_counts import top_k_counts
from dpduck.kernel.noise import Entropy
from dpduck.kernel.scores import PlainScores
from tests.mechanisms.enumeration import plain
from tests.sources import Seeded

SCORES = plain((9, 5, 5, 3, 0))
COUNTS = np.array([9, 5, 5, 3])
DELTA = Fraction(1, 10**6)
ZERO = Fraction(0)

Run = Callable[[Fraction, int, Entropy], Event]

PURE: dict[str, Run] = {
    "top_k exponential": lambda eps, k, e: top_k(SCORES, k, eps, e).event,
    "top_k laplace": lambda eps, k, e: top_k(SCORES, k, eps, e, noise="laplace").event,
    "top_k_counts": lambda eps, k, e: top_k_counts(SCORES, k, eps, e).event,
    "top_k_counts, bounded": lambda eps, k, e: top_k_counts(SCORES, k, eps, e, groups=1).event,
    "permute_and_flip": lambda eps, k, e: permute_and_flip(SCORES, eps, e, monotonic=True).event,
    "permute_and_flip, general": lambda eps, k, e: (
        permute_and_flip(SCORES, eps, e, monotonic=False, sensitivity=k).event
    ),
    "exponential": lambda eps, k, e: exponential(SCORES, eps, e, monotonic=True).event,
    "exponential, general": lambda eps, k, e: (
        exponential(SCORES, eps, e, monotonic=False, sensitivity=k).event
    ),
    "quantile": lambda eps, k, e: quantile(Values(COUNTS, 12), 12, Fraction(k, 5), eps, e).event,
    "counts": lambda eps, k, e: noisy_counts(COUNTS, eps, e, groups=k).event,
    "one count": lambda eps, k, e: noisy_counts(COUNTS[:1], eps, e, groups=1).event,
    "sums": lambda eps, k, e: noisy_sums([9, 5], eps, e, bound=k, groups=2).event,
    "means": lambda eps, k, e: noisy_means([9, 5], [2, 2], eps, e, ticks=9, rows=k, groups=1).event,
    "moments": lambda eps, k, e: (
        noisy_weights([[9, 5], [0, 4], [1, 1]], eps, e, whole=9, rows=k, groups=1).event
    ),
    "above": lambda eps, k, e: above_threshold(COUNTS, 4, k, eps, e).event,
    "above, plain": lambda eps, k, e: above_threshold(COUNTS, 4, k, eps, e, adaptive=False).event,
    "above, measured": lambda eps, k, e: above_threshold(COUNTS, 4, k, eps, e, measure=True).event,
}
APPROXIMATE: dict[str, Run] = {
    "private_top_k": lambda eps, k, e: (
        private_top_k(PlainScores(COUNTS), k, eps, DELTA, e, groups=None, measure=False).event
    ),
    "private_top_k, measured": lambda eps, k, e: (
        private_top_k(PlainScores(COUNTS), k, eps, DELTA, e, groups=2, measure=True).event
    ),
    "private_key_counts": lambda eps, k, e: (
        private_key_counts(PlainScores(COUNTS), eps, DELTA, e, groups=k).event
    ),
    "partitions": lambda eps, k, e: select_partitions(PlainScores(COUNTS), eps, DELTA, e, groups=k).event,
}
EPSILONS = st.integers(10**5, 20 * 10**9).map(lambda n: Fraction(n, 10**9))


@pytest.mark.parametrize("name", [*PURE, *APPROXIMATE])
@settings(max_examples=20, deadline=None)
@given(epsilon=EPSILONS, k=st.integers(1, 4))
def test_the_event_costs_what_was_asked(name: str, epsilon: Fraction, k: int) -> None:
    check_cost(name, epsilon, k)


def check_cost(name: str, epsilon: Fraction, k: int) -> None:
    event = {**PURE, **APPROXIMATE}[name](epsilon, k, Seeded(name))
    assert event.epsilon == epsilon
    assert event.delta == (ZERO if name in PURE else DELTA)
    if isinstance(event, Composed):
        assert sum(part.epsilon for part in event.parts) == epsilon
        assert all(part.epsilon > 0 for part in event.parts)


NAMES = {
    "top_k exponential": "noisy_top_k",
    "top_k laplace": "noisy_top_k",
    "top_k_counts": "noisy_top_k+count",
    "permute_and_flip": "permute_and_flip",
    "exponential": "exponential",
    "quantile": "permute_and_flip",
    "counts": "histogram",
    "one count": "count",
    "private_top_k": "noisy_top_k",
    "private_top_k, measured": "noisy_top_k+count",
    "private_key_counts": "partition_selection",
    "partitions": "partition_selection",
    "sums": "sum",
    "means": "sum",
    "above": "sparse_vector",
    "above, measured": "sparse_vector+count",
}


@pytest.mark.parametrize(("name", "mechanism"), NAMES.items())
def test_the_ledger_calls_it(name: str, mechanism: str) -> None:
    assert {**PURE, **APPROXIMATE}[name](Fraction(1), 2, Seeded()).mechanism == mechanism


def test_a_composition_costs_the_sum_of_its_parts() -> None:
    parts = (events.NoisyTopK(Fraction(1, 3), k=2), events.PrivateTopK(Fraction(1, 6), Fraction(1, 7)))
    whole = Composed.of(*parts, events.NoisyCount(Fraction(1, 2)))
    assert (whole.epsilon, whole.delta) == (Fraction(1), Fraction(1, 7))
    assert whole.mechanism == "noisy_top_k+noisy_top_k+count"
    assert Composed.of().epsilon == 0


def test_an_event_without_a_class_of_its_own_has_no_name() -> None:
    with pytest.raises(NotImplementedError):
        _ = Event(Fraction(1)).mechanism
