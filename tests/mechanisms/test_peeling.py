"""k winners one after another: the laws are private in epsilon and in rho, and the code follows them."""

import itertools
import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest

from dpduck.kernel.accounting.composition import cost_of
from dpduck.kernel.accounting.events import (
    Composed,
    Event,
    GumbelTopK,
    NoisyCount,
    NoisyTopK,
    PermuteAndFlip,
    TopKAbove,
)
from dpduck.kernel.errors import ParameterError
from dpduck.kernel.ledger import Account, Charge, open_ledger
from dpduck.kernel.mechanisms.peeling import gumbel_top_k, peeled_top_k
from tests.mechanisms.checks import RATE, assert_close, rational
from tests.mechanisms.enumeration import FORMS, Layout, cdf_of, plain, ranking_words
from tests.noise.laws import REJECT, assert_frequencies
from tests.oracles import peeling as oracle
from tests.oracles.fit import log_p_value
from tests.oracles.privacy import monotonic_neighbours, worst_ratio
from tests.oracles.selection import exponential_mechanism_pmf
from tests.sources import Quiet, Scripted, Seeded

X = Fraction(1, 2)
SMALL = ((0, 0), (1, 0, 2), (0, 3, 3), (2, 0, 1, 1))
ALPHAS = (1, 1.01, 1.5, 2, 3, 8, 32, 100)


# The laws are private


@pytest.mark.parametrize("scores", SMALL)
@pytest.mark.parametrize("k", [1, 2])
def test_gumbel_top_k_is_private(scores: Sequence[int], k: int) -> None:
    """All neighbours, all orders, exactly: at most e^epsilon where noise has rate epsilon / k."""
    if k == len(scores):
        return
    outputs = oracle.orders(len(scores), k)
    law = lambda q: oracle.one_after_another(q, X)  # noqa: E731
    assert sum(law(scores)(order) for order in outputs) == 1
    assert worst_ratio(law, scores, monotonic_neighbours(scores), outputs) <= X**-k


def test_the_bound_of_gumbel_top_k_is_nearly_attained() -> None:
    """Two winners that are far behind, and do not move when the rest does."""
    law = lambda q: oracle.one_after_another(q, X)  # noqa: E731
    worst = worst_ratio(law, (0, 0, 9, 9, 9), [(0, 0, 10, 10, 10)], [(0, 1)])
    assert 0.98 * X**-2 < worst < X**-2


@pytest.mark.parametrize("scores", [(0, 0), (1, 0, 2), (2, 2, 1)])
def test_peeling_is_private(scores: Sequence[int]) -> None:
    """All neighbours, all orders with gaps up to beyond the spread: at most e^(k r)."""
    k = min(2, len(scores) - 1)
    outputs = list(oracle.chosen(len(scores), k, max(scores) - min(scores) + 1))
    law = lambda q: oracle.peeled(q, X)  # noqa: E731
    assert worst_ratio(law, scores, monotonic_neighbours(scores), outputs) <= X**-k


def test_the_bound_of_peeling_is_nearly_attained() -> None:
    law = lambda q: oracle.peeled(q, X)  # noqa: E731
    worst = worst_ratio(law, (0, 0, 9), [(0, 0, 10)], [((0, 0), (1, 0))])
    assert 0.99 * X**-2 < worst <= X**-2


# rho


def divergence(scores: Sequence[int], other: Sequence[int], k: int, x: Fraction, alpha: float) -> float:
    laws = [oracle.one_after_another(q, x) for q in (scores, other)]
    return oracle.renyi([(laws[0](w), laws[1](w)) for w in oracle.orders(len(scores), k)], alpha)


@pytest.mark.parametrize("rate", [Fraction(1, 20), Fraction(1), Fraction(4)])
@pytest.mark.parametrize(("scores", "k"), [((0, 0), 1), ((1, 0, 2), 1), ((0, 3, 3), 2), ((1, 0, 0, 1), 2)])
def test_renyi_divergences_are_within_the_stated_rho(scores: Sequence[int], k: int, rate: Fraction) -> None:
    """D_alpha <= alpha epsilon^2 / (8 k), epsilon = k rate, for all neighbours and orders from 1 to 100."""
    x, epsilon = Fraction(math.exp(-rate)), k * rate
    rho = float(epsilon**2 / (8 * k))
    for neighbour in set(monotonic_neighbours(scores)) - {tuple(scores)}:
        for alpha in ALPHAS:
            assert divergence(scores, neighbour, k, x, alpha) <= alpha * rho * (1 + 1e-9)


@pytest.mark.parametrize(
    ("scores", "other", "k"),
    [((0, 0), (1, 0), 1), ((0,) * 6, (1, 1, 1, 0, 0, 0), 2), ((0,) * 6, (1, 1, 1, 0, 0, 0), 3)],
)
def test_a_smaller_rho_would_be_too_little(scores: Sequence[int], other: Sequence[int], k: int) -> None:
    """Half of the candidates move: more than alpha epsilon^2 / (9 k) for some alpha."""
    rate = Fraction(1, 100)
    x, wrong = Fraction(math.exp(-rate)), float((k * rate) ** 2 / (9 * k))
    assert any(divergence(scores, other, k, x, alpha) > alpha * wrong for alpha in ALPHAS)


def test_with_gaps_that_rho_would_be_too_little() -> None:
    """Why gaps are not released: (winner, whole gap) at rate 2, and a winner far behind, in KL and beyond."""
    x, rho = Fraction(math.exp(-2)), 4 / 8
    laws = [oracle.exponential_with_gap(q, x) for q in ((0, 0), (0, 1))]
    outputs = itertools.product(range(2), range(40))
    pairs = [(laws[0](w), laws[1](w)) for w in outputs]
    assert any(oracle.renyi(pairs, alpha) > alpha * rho for alpha in ALPHAS)


@pytest.mark.parametrize("k", [1, 3, 50])
@pytest.mark.parametrize("epsilon", [Fraction(1, 100), Fraction(1), Fraction(7)])
def test_the_account_in_rho_is_the_stated_one(epsilon: Fraction, k: int) -> None:
    """epsilon^2 / (8 k), rounded up to 1e-12; k times less than one winner's; less than one round's."""
    rho = cost_of(GumbelTopK(epsilon, k=k)).rho
    assert 0 <= rho - epsilon**2 / (8 * k) < Fraction(1, 10**12)
    assert rho < cost_of(NoisyTopK(epsilon, k=k)).rho
    assert cost_of(GumbelTopK(epsilon, k=k)).epsilon == epsilon


# Every order


def check_gumbel(scores: Sequence[int] = (1, 0, 1), k: int = 2, *, form: str = "plain") -> None:
    """Noise from a grid: the order of the k largest, and the event."""
    rate, vector = Fraction(3, 2), FORMS[form](scores)
    layout = Layout.of(vector, scores, k)
    for coarse in itertools.product((-0.71, 0.113, 1.37), repeat=len(scores)):
        noise = [x + 0.0371 * (i * 5 % 3) + 0.004 * i for i, x in enumerate(coarse)]
        source = Scripted(ranking_words(layout, noise, cdf_of("gumbel", rate), k, k))
        release = gumbel_top_k(vector, k, rate * k, source)
        assert source.left == 0
        values = [q + x for q, x in zip(scores, noise, strict=True)]
        assert release.candidates == tuple(sorted(range(len(scores)), key=lambda i: -values[i])[:k])
        assert release.event == GumbelTopK(rate * k, k=k)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("scores", "k"), [((0, 0, 0), 1), ((1, 0, 2), 2), ((2, 2, 1, 0), 3)])
def test_it_is_the_order_of_gumbel_noise(scores: Sequence[int], k: int, form: str) -> None:
    check_gumbel(scores, k, form=form)


def check_peeled(scores: Sequence[int] = (2, 0, 1, 1), k: int = 2) -> None:
    """Each round: permute-and-flip with gap at epsilon / k among those left, with fresh noise."""
    rate, cdf = RATE, cdf_of("exponential", RATE)
    levels = (0.02, 0.43, 0.86, 1.29, 2.2, 0.64, 1.07, 0.01, 2.9)
    for shift in range(len(levels)):
        words, expected, left = [], [], list(range(len(scores)))
        for turn in range(k):
            own = [scores[i] for i in left]
            noise = [levels[(shift + 3 * turn + i) % len(levels)] + 0.0131 * i for i in range(len(left))]
            layout = Layout.of(plain(own), own, 2)
            words += ranking_words(layout, noise, cdf, 2, 1)
            second, best = sorted((q + x, i) for i, (q, x) in enumerate(zip(own, noise, strict=True)))[-2:]
            expected.append((left.pop(best[1]), math.floor((best[0] - second[0]) * 1024) / 1024))
        source = Scripted(words)
        release = peeled_top_k(np.array(scores), k, rate * k, source)
        assert source.left == 0
        assert release.candidates == tuple(winner for winner, _ in expected)
        assert_close(release.gaps, [gap for _, gap in expected])
        assert_close(release.p_values, [math.exp(-float(rate) * gap) for _, gap in expected])
        assert release.event == Composed.of(*[PermuteAndFlip(rate)] * k)
        assert release.event.epsilon == rate * k


@pytest.mark.parametrize(("scores", "k"), [((2, 0, 1, 1), 1), ((2, 0, 1, 1), 3), ((3, 3, 3), 2), ((0, 9), 1)])
def test_it_is_permute_and_flip_among_those_left(scores: Sequence[int], k: int) -> None:
    check_peeled(scores, k)


# Frequencies


@pytest.mark.parametrize(("scores", "k", "form"), [((2, 1, 0), 2, "singles"), ((2, 2, 0, 0), 2, "lumped")])
def test_gumbel_frequencies(scores: Sequence[int], k: int, form: str) -> None:
    """n = 4000: the product formula, accepted at 1e-3, rejected at 1e-9 with a rate that is 30 % off."""
    rate, vector, entropy = Fraction(1), FORMS[form](scores), Seeded("gumbel", scores)
    observed = Counter(gumbel_top_k(vector, k, rate * k, entropy).candidates for _ in range(4000))

    def law(of: Fraction) -> dict[tuple[int, ...], float]:
        exact = oracle.one_after_another(scores, rational(of))
        return {order: float(exact(order)) for order in oracle.orders(len(scores), k)}

    assert_frequencies(observed, law(rate))
    for factor in (Fraction(7, 10), Fraction(13, 10)):
        assert log_p_value(observed, law(rate * factor)) < REJECT


def test_one_of_gumbel_is_the_exponential_mechanism() -> None:
    for scores in SMALL:
        law = oracle.one_after_another(scores, X)
        assert [law((i,)) for i in range(len(scores))] == exponential_mechanism_pmf(scores, X)


def test_peeled_frequencies() -> None:
    """n = 2500: two of three, and their whole gaps, 2 and more as one; alpha as above."""
    scores, rate, cap, entropy = (2, 1, 0), Fraction(1), 2, Seeded("peeled")
    orders: Counter[tuple[int, ...]] = Counter()
    gaps: Counter[tuple[int, ...]] = Counter()
    for _ in range(2500):
        release = peeled_top_k(np.array(scores), 2, rate * 2, entropy)
        orders[release.candidates] += 1
        gaps[tuple(min(math.floor(gap), cap) for gap in release.gaps)] += 1
    of_orders, of_gaps = peeled_laws(scores, cap, rational(rate))
    assert_frequencies(orders, of_orders)
    assert_frequencies(gaps, of_gaps)
    for factor in (Fraction(7, 10), Fraction(13, 10)):
        assert log_p_value(gaps, peeled_laws(scores, cap, rational(rate * factor))[1]) < REJECT


def peeled_laws(scores: Sequence[int], cap: int, p: Fraction) -> tuple[dict, dict]:  # type: ignore[type-arg]
    """Of the order of two, and of their gaps, `cap` and more as one."""
    orders, gaps = Counter(), Counter()  # type: ignore[var-annotated]
    for first, second in oracle.orders(len(scores), 2):
        left = [i for i in range(len(scores)) if i != first]
        ends = capped(scores, first, cap, p), capped([scores[i] for i in left], left.index(second), cap, p)
        for a, b in itertools.product(range(cap + 1), repeat=2):
            orders[first, second] += ends[0][a] * ends[1][b]
            gaps[a, b] += ends[0][a] * ends[1][b]
    return orders, gaps


def capped(scores: Sequence[int], winner: int, cap: int, p: Fraction) -> list[float]:
    """P(winner, whole gap), the last for `cap` and more."""
    of = oracle.flip_with_gap(scores, p)
    masses = [float(of((winner, gap))) for gap in range(80)]
    return [*masses[:cap], sum(masses[cap:])]


# The ledger


@pytest.mark.parametrize(
    ("charged", "used", "spent"),
    [
        (TopKAbove(Fraction(1), k=4), TopKAbove(Fraction(1, 4), k=4), Fraction(1, 4)),
        (GumbelTopK(Fraction(1), k=2), GumbelTopK(Fraction(1, 3), k=2), Fraction(333_333_334, 10**9)),
        (NoisyCount(Fraction(1)), NoisyCount(Fraction(1, 2)), Fraction(1, 2)),
    ],
)
def test_a_settlement_gives_back_epsilon_and_never_rho(charged: Event, used: Event, spent: Fraction) -> None:
    """What comes back is rounded down; of rho, which is a mean over outputs, nothing does."""
    account = Account("session", "ana")
    with open_ledger(None) as ledger:
        seq = ledger.charge(Charge(charged, session="ana", query="SELECT 1", accounts=(account,)))
        assert ledger.settle(seq, used) == spent
        (budget,) = ledger.budgets([account])
        assert budget.spent.epsilon == spent
        assert budget.spent.rho == cost_of(charged).rho > cost_of(used).rho
        ledger.verify()


def test_settling_rho_would_bound_nothing() -> None:
    """Randomised response at epsilon 4 that answers in one of ten cases: the mean of what its outputs pay is
    a tenth of its rho, and is no bound of its divergences; the whole of rho is.
    """
    loss, rare = 4.0, 0.1
    shown = [rare * math.exp(loss) / (1 + math.exp(loss)), rare / (1 + math.exp(loss))]
    pairs = [(1 - rare, 1 - rare), (shown[0], shown[1]), (shown[1], shown[0])]
    exact = [(Fraction(a), Fraction(b)) for a, b in pairs]
    settled = rare * float(cost_of(NoisyCount(Fraction(4))).rho)
    assert any(oracle.renyi(exact, alpha) > alpha * settled for alpha in ALPHAS)
    assert all(oracle.renyi(exact, a) <= a * float(cost_of(NoisyCount(Fraction(4))).rho) for a in ALPHAS)


# Zero noise, and errors


def test_without_noise_they_are_a_sort() -> None:
    scores = [5, 90, 2**40, -7, 44]
    assert gumbel_top_k(plain(scores), 3, Fraction(60), Seeded("quiet")).candidates == (2, 1, 4)
    release = peeled_top_k(np.array(scores), 3, Fraction(60), Quiet())
    assert release.candidates == (2, 1, 4)
    for gap, true in zip(release.gaps, (2**40 - 90, 46, 39), strict=True):
        assert abs(gap - true) <= 1 / 1024


@pytest.mark.parametrize("k", [0, -1, 3, 10_001])
def test_k_is_checked_before_any_draw(k: int) -> None:
    with pytest.raises(ParameterError, match=f"k is {k}"):
        gumbel_top_k(plain((3, 2, 1)), k, Fraction(1), Scripted())
    with pytest.raises(ParameterError, match=f"k is {k}"):
        peeled_top_k(np.array((3, 2, 1)), k, Fraction(1), Scripted())
