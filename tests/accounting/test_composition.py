"""Two accounts of the same events: exact sums, and rho, whose bounds are computed here in other ways."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import pytest

from dpduck.kernel.accounting.composition import Cost, cost_of
from dpduck.kernel.accounting.conversion import epsilon_at
from dpduck.kernel.accounting.events import (
    Average,
    BoundedSums,
    Composed,
    Event,
    Histogram,
    KeySelection,
    NoisyCount,
    NoisyMoments,
    NoisyTopK,
    PartitionSelection,
    PermuteAndFlip,
)

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


def test_a_hundred_queries_of_a_tenth() -> None:
    """Ten by pure sums; under zCDP less."""
    rho = (cost_of(NoisyCount(Fraction(1, 10))) * 100).rho
    assert float(epsilon_at(rho, Fraction(1, 10**9))) == pytest.approx(6.47, abs=0.01)


# --- vectors -------------------------------------------------------------------------------------

TINY = Fraction(1, 10**12)


def shifted(rate: float, shift: int) -> tuple[list[float], list[float]]:
    """Discrete Laplace noise on a number, and on one that is larger by `shift`."""
    ends = range(-int(60 / rate) - shift, int(60 / rate) + shift + 1)
    total = math.fsum(math.exp(-rate * abs(n)) for n in ends)
    return (
        [math.exp(-rate * abs(n)) / total for n in ends],
        [math.exp(-rate * abs(n - shift)) / total for n in ends],
    )


def worst(rate: float, *shifts: int) -> float:
    """The largest D_a / a of a vector of noisy numbers, which is the sum of the numbers' own."""
    pairs = [shifted(rate, shift) for shift in shifts]
    return max(sum(divergence(*pair, order) / order for pair in pairs) for order in ORDERS)


@pytest.mark.parametrize("groups", [1, 2, 5])
@pytest.mark.parametrize("rate", [0.1, 0.3, 1.0, 2.0])
def test_a_vector_of_counts_costs_exactly_its_bound(rate: float, groups: int) -> None:
    """Each moves by 1: s = groups, c = 1, and a s tanh(a c / 2) is attained at order 1."""
    bound = rate * groups * math.tanh(rate / 2)
    assert worst(rate, *[1] * groups) == pytest.approx(bound, rel=2e-4)
    rho = cost_of(Histogram(Fraction(str(rate)) * groups, groups=groups)).rho
    assert float(rho) == pytest.approx(bound, abs=2e-12)


@pytest.mark.parametrize(("shifts", "rate"), [((2, 1), 0.3), ((3,), 0.5), ((1, 4), 0.2), ((2, 2, 2), 1.0)])
def test_a_vector_of_larger_steps_costs_less_than_its_bound(shifts: tuple[int, ...], rate: float) -> None:
    bound = rate * sum(shifts) * math.tanh(rate * max(shifts) / 2)
    assert worst(rate, *shifts) < bound * 0.95
    if shifts == (2, 1):
        assert (worst(rate, *shifts), bound) == pytest.approx((0.2002, 0.2622), abs=1e-4)


@pytest.mark.parametrize("steps", [(4, 0, 0), (2, 2, 0), (1, 2, 1), (0, 1, 3)])
def test_numbers_of_one_group_that_share_a_bound_cost_no_more_than_it(steps: tuple[int, ...]) -> None:
    """Of 4 ticks that a unit moves, as they fall on the sums of a mean or of moments, in two groups."""
    rho = float(cost_of(NoisyMoments(Fraction(8, 10), groups=2)).rho)
    assert worst(0.1, *steps, *steps) <= rho * (1 + 1e-6)


def test_found_keys_cost_what_their_common_keys_do() -> None:
    """A key of one neighbour only is left out, at a weight of delta / groups: one of 2 is common here."""
    epsilon, delta, groups = Fraction(1), Fraction(1, 50), 2
    rho = float(cost_of(PartitionSelection(epsilon, delta, groups=groups)).rho)
    assert worst(0.5, 1) <= rho / groups * (1 + 1e-3)
    assert cost_of(PartitionSelection(epsilon, delta, groups=groups)).delta == delta


def test_parts_of_a_delta_are_apart() -> None:
    """Of both outcomes for a key the masses that no response explains are at most delta / groups."""
    rate, share = 0.5, 0.01
    for shown in (0.0, 0.005, 0.3, 0.6, 0.99):
        other = min(math.exp(rate) * shown + share, 1 - math.exp(-rate) * (1 - shown - share), 1.0)
        over = max(other - math.exp(rate) * shown, 0) + max(1 - other - math.exp(rate) * (1 - shown), 0)
        under = max(shown - math.exp(rate) * other, 0) + max(1 - shown - math.exp(rate) * (1 - other), 0)
        assert max(over, under) <= share + 1e-12


@pytest.mark.parametrize(
    "kind", [Average, BoundedSums, Histogram, KeySelection, NoisyCount, NoisyMoments, PartitionSelection]
)
def test_groups_divide_rho_and_leave_epsilon(kind: type[Event]) -> None:
    one, many = kind(Fraction(1, 50)), kind(Fraction(1, 50), groups=16)  # type: ignore[call-arg]
    assert cost_of(many).epsilon == cost_of(one).epsilon
    assert cost_of(one).rho == cost_of(NoisyTopK(Fraction(1, 50))).rho  # as before there were groups
    assert 0 <= cost_of(many).rho - cost_of(one).rho / 16 < cost_of(one).rho / 10**4
    assert cost_of(many).rho == pytest.approx(0.02 * math.tanh(0.02 / 32), abs=2e-12)


def test_winners_of_groups_cost_as_many_winners() -> None:
    """Of permute-and-flip in each of g groups with epsilon / g."""
    one, many = PermuteAndFlip(Fraction(1, 10)), PermuteAndFlip(Fraction(3, 10), groups=3)
    assert 0 <= 3 * cost_of(one).rho - cost_of(many).rho <= 3 * TINY
