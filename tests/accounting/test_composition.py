"""Two accounts of the same events: exact sums, and rho, whose bounds are computed here in other ways."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import pytest

from dpduck.accounting.composition import Cost, cost_of, epsilon_at, rho_limit, share_of_delta
from dpduck.accounting.events import Composed, NoisyCount, NoisyTopK, PartitionSelection

EPSILONS = [
    Fraction(1, 10_000),
    Fraction(1, 100),
    Fraction(1, 10),
    Fraction(1, 2),
    Fraction(1),
    Fraction(3),
    Fraction(20),
]
ORDERS = [1.0001, 1.001, 1.01, 1.1, 1.5, 2, 3, 5, 10, 30, 100, 1000]


def divergence(one: list[float], other: list[float], order: float) -> float:
    """The Renyi divergence of that order, from two lists of probabilities."""
    terms = [order * math.log(p) + (1 - order) * math.log(q) for p, q in zip(one, other, strict=True)]
    largest = max(terms)
    return (largest + math.log(math.fsum(math.exp(term - largest) for term in terms))) / (order - 1)


def response(epsilon: float) -> tuple[list[float], list[float]]:
    """One randomised response with the odds e^epsilon, on both inputs."""
    yes = 1 / (1 + math.exp(-epsilon))
    no = math.exp(-epsilon) * yes
    return [yes, no], [no, yes]


def laplace(epsilon: float) -> tuple[list[float], list[float]]:
    """Discrete Laplace noise on a count, and on one more."""
    ends = range(-int(60 / epsilon), int(60 / epsilon) + 1)
    weights = [math.exp(-epsilon * abs(n)) for n in ends]
    total = math.fsum(weights)
    shifted = [math.exp(-epsilon * abs(n - 1)) for n in ends]
    return [w / total for w in weights], [w / total for w in shifted]


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_rho_bounds_randomised_response_at_every_order(epsilon: Fraction) -> None:
    rho = float(cost_of(NoisyCount(epsilon)).rho)
    ratios = [divergence(*response(float(epsilon)), order) / order for order in ORDERS]
    assert all(ratio <= rho * (1 + 1e-9) + 1e-12 for ratio in ratios)
    # They fall, as the proof says, so that order 1 is the worst; 1e-11 is what floats may be off by.
    assert all(one >= two - 1e-11 for one, two in itertools.pairwise(ratios))
    assert ratios[0] >= rho * 0.999 - 1e-11


@pytest.mark.parametrize("epsilon", [0.1, 0.5, 1.0, 3.0])
def test_rho_is_what_discrete_laplace_noise_costs(epsilon: float) -> None:
    """And epsilon + e^-epsilon - 1, which bounds continuous noise, would be too little."""
    rho = float(cost_of(NoisyCount(Fraction(str(epsilon)))).rho)
    near_one = divergence(*laplace(epsilon), 1.0001)
    assert near_one == pytest.approx(rho, rel=1e-3)
    assert near_one > epsilon + math.exp(-epsilon) - 1


def test_rho_is_below_half_of_epsilon_squared() -> None:
    for epsilon in EPSILONS:
        assert cost_of(NoisyCount(epsilon)).rho <= epsilon**2 / 2 + Fraction(1, 10**12)


def test_parts_add_up_and_delta_counts_apart() -> None:
    event = Composed.of(NoisyTopK(Fraction(1, 4)), PartitionSelection(Fraction(1, 4), Fraction(1, 10**6)))
    cost = cost_of(event)
    assert (cost.epsilon, cost.delta) == (Fraction(1, 2), Fraction(1, 10**6))
    assert cost.rho == 2 * cost_of(NoisyCount(Fraction(1, 4))).rho < cost_of(NoisyCount(Fraction(1, 2))).rho
    assert cost * 3 - cost == cost + cost
    assert cost_of(NoisyCount(Fraction(0))) == Cost()


@pytest.mark.parametrize("delta", [Fraction(1, 10**3), Fraction(1, 10**6), Fraction(1, 10**12)])
@pytest.mark.parametrize("epsilon", [Fraction(1, 10), Fraction(1), Fraction(10)])
def test_the_limit_in_rho_is_the_largest_that_is_within(epsilon: Fraction, delta: Fraction) -> None:
    limit = rho_limit(epsilon, delta)
    assert epsilon_at(limit, delta) <= epsilon
    assert epsilon_at(limit + Fraction(1, 10**7), delta) > epsilon
    rho, log = float(limit), math.log(1 / delta)
    assert rho + 2 * math.sqrt(rho * log) == pytest.approx(float(epsilon), rel=1e-6)


def test_without_a_delta_there_is_no_room_in_rho() -> None:
    assert rho_limit(Fraction(1), Fraction(0)) == 0
    assert rho_limit(Fraction(0), Fraction(1, 2)) == 0
    assert epsilon_at(Fraction(0), Fraction(1, 10**6)) == 0


def test_a_hundred_queries_of_a_tenth() -> None:
    """Ten by pure sums; under zCDP less."""
    rho = (cost_of(NoisyCount(Fraction(1, 10))) * 100).rho
    assert float(epsilon_at(rho, Fraction(1, 10**9))) == pytest.approx(6.93, abs=0.01)


def test_half_of_a_delta_is_exact() -> None:
    assert share_of_delta(Fraction(1, 10**6)) == Fraction(1, 2 * 10**6)
    assert share_of_delta(Fraction(3, 10**18)) == Fraction(1, 10**18)
