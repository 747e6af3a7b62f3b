"""One winner: exact laws of permute-and-flip and of the exponential mechanism, and their expected errors.

The coin of a candidate is coin^(max - q). The caller chooses coin: exp(-epsilon) for monotonic scores,
exp(-epsilon / 2) for all others ("halved").
"""

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction

from flint import arb, ctx, fmpq, fmpq_poly

from tests.oracles.noise import Factor, sum_over_integers

Groups = Mapping[int, int]  # score -> multiplicity


def _coins(scores: Sequence[int], coin: Fraction) -> list[Fraction]:
    best = max(scores)
    return [coin ** (best - q) for q in scores]


def permute_and_flip_by_definition(scores: Sequence[int], coin: Fraction) -> list[Fraction]:
    """Average Algorithm 1 of McKenna and Sheldon (2020) over all orders. For at most six candidates."""
    coins = _coins(scores, coin)
    result = [Fraction(0)] * len(coins)
    for order in itertools.permutations(range(len(coins))):
        tails = Fraction(1)
        for r in order:
            result[r] += tails * coins[r]
            tails *= 1 - coins[r]
    return [x / math.factorial(len(coins)) for x in result]


def permute_and_flip_by_subsets(scores: Sequence[int], coin: Fraction) -> list[Fraction]:
    """Lemma 2 and Appendix E of McKenna and Sheldon (2020): symmetric polynomials, with r taken out."""
    coins = _coins(scores, coin)
    n = len(coins)
    symmetric = [Fraction(1)] + [Fraction(0)] * n
    for c in coins:
        for size in range(n, 0, -1):
            symmetric[size] += c * symmetric[size - 1]
    result = []
    for c in coins:
        without = [Fraction(1)]
        for size in range(1, n):
            without.append(symmetric[size] - c * without[size - 1])
        result.append(c * sum((-1) ** s * e / (s + 1) for s, e in enumerate(without)))
    return result


def permute_and_flip_pmf(scores: Sequence[int], coin: Fraction) -> list[Fraction]:
    """P(r) = c_r * integral over t in [0, 1] of the product over i != r of (1 - c_i t).

    This is Lemma 2 of McKenna and Sheldon (2020) with 1 / (s + 1) written as the integral of t^s: t is the
    time at which candidate r is reached when each candidate arrives at a uniform time.

    >>> permute_and_flip_pmf([1, 0], Fraction(1, 2))
    [Fraction(3, 4), Fraction(1, 4)]
    """
    groups = Counter(scores)
    member = {q: mass / groups[q] for q, mass in permute_and_flip_grouped(groups, coin).items()}
    return [member[q] for q in scores]


def permute_and_flip_grouped(groups: Groups, coin: Fraction) -> dict[int, Fraction]:
    """Mass of each whole group of equal scores, as an exact polynomial integral. For up to 50 candidates."""
    best = max(groups)
    result = {}
    for winner in groups:
        product = fmpq_poly([1])
        for score, multiplicity in groups.items():
            c = coin ** (best - score)
            line = fmpq_poly([fmpq(1), -fmpq(c.numerator, c.denominator)])
            product *= line ** (multiplicity - (score == winner))
        integral = product.integral()(fmpq(1))
        value = Fraction(int(integral.p), int(integral.q))
        result[winner] = groups[winner] * coin ** (best - winner) * value
    return result


def exponential_mechanism_pmf(scores: Sequence[int], coin: Fraction) -> list[Fraction]:
    """P(r) proportional to coin^(max - q_r) (McSherry and Talwar 2007).

    >>> exponential_mechanism_pmf([1, 0], Fraction(1, 2))
    [Fraction(2, 3), Fraction(1, 3)]
    """
    coins = _coins(scores, coin)
    return [c / sum(coins) for c in coins]


def exponential_mechanism_grouped(groups: Groups, coin: Fraction) -> dict[int, Fraction]:
    """Mass of each whole group of equal scores."""
    best = max(groups)
    weights = {q: m * coin ** (best - q) for q, m in groups.items()}
    return {q: w / sum(weights.values()) for q, w in weights.items()}


def exponential_gap_survival(scores: Sequence[int], winner: int, gap: int, coin: Fraction) -> Fraction:
    """P(gap >= g score units | winner) of the exponential mechanism with gap (seed 000, Theorem 10).

    With mu = a q and coin = exp(-a): exp(-theta) is the sum over losers j of coin^(q_winner - q_j), and a
    gap of g score units is t = a g, so (1 + e^-theta) / (1 + e^(t - theta)) is rational. The winner's law
    is the ordinary one.

    >>> exponential_gap_survival([0, 0], 0, 1, Fraction(1, 2))
    Fraction(2, 3)
    """
    rest = sum(coin ** (scores[winner] - q) for j, q in enumerate(scores) if j != winner)
    return (1 + rest) / (1 + coin**-gap * rest)


def exponential_with_gap_probability(
    scores: Sequence[int], winner: int, gap: int, coin: Fraction
) -> Fraction:
    """P(winner, floor of the gap in score units) of the exponential mechanism with gap."""
    interval = [exponential_gap_survival(scores, winner, g, coin) for g in (gap, gap + 1)]
    return exponential_mechanism_pmf(scores, coin)[winner] * (interval[0] - interval[1])


def noisy_max_geometric_pmf(scores: Sequence[int], p: Fraction) -> list[Fraction]:
    """P(r) of argmax(q + Geometric(p)) with ties broken uniformly: an exact sum over all integers."""
    others = len(scores) - 1
    result = []
    for r, q in enumerate(scores):
        rest = [s for i, s in enumerate(scores) if i != r]
        total = Fraction(0)
        for ahead in itertools.product(
            (0, 1), repeat=others
        ):  # which of the others would win a tie against r
            # In a uniform order, exactly these a are before r, and the others after, with a!(n-1-a)!/n!.
            weight = math.factorial(sum(ahead)) * math.factorial(others - sum(ahead))
            factors = [Factor("geometric", "cdf", s + b) for s, b in zip(rest, ahead, strict=True)]
            total += weight * sum_over_integers([Factor("geometric", "pmf", q), *factors], p)
        result.append(total / math.factorial(others + 1))
    return result


def expected_error(scores: Sequence[int], pmf: Sequence[Fraction]) -> Fraction:
    """E[max score - score of the winner], in score units (records, for the mode)."""
    best = max(scores)
    return sum(((best - q) * mass for q, mass in zip(scores, pmf, strict=True)), Fraction(0))


def median_scores(counts: Sequence[int]) -> list[int]:
    """u(x) = -max(0, L-E-G, G-E-L), with L, E, G the units below, at and above bin x.

    This is minus the number of units to add or remove until x is a median.

    >>> median_scores([3, 1, 2])
    [0, 0, -2]
    """
    total = sum(counts)
    result = []
    below = 0
    for equal in counts:
        above = total - below - equal
        result.append(-max(0, below - equal - above, above - equal - below))
        below += equal
    return result


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Set the working precision of Arb for a while."""
    before = ctx.prec
    ctx.prec = bits
    try:
        yield
    finally:
        ctx.prec = before


def gauss_legendre(points: int) -> list[tuple[arb, arb]]:
    """Nodes and weights on [0, 1], as balls: exact for polynomials of degree up to 2 * points - 1."""
    pairs = (arb.legendre_p_root(points, i, weight=True) for i in range(points))
    return [((1 + x) / 2, w / 2) for x, w in pairs]


def _arb_coins(groups: Groups, rate: Fraction) -> dict[int, arb]:
    best = max(groups)
    step = arb(rate.numerator) / arb(rate.denominator)
    return {q: (-step * (best - q)).exp() for q in groups}


def permute_and_flip_arb(groups: Groups, rate: Fraction, *, bits: int = 192) -> dict[int, arb]:
    """Mass of each group, as balls, for coins exp(-rate (max - q)) and up to some thousands of candidates.

    The integrand of `permute_and_flip_pmf` is a polynomial of degree n - 1, so Gauss-Legendre with ceil(n /
    2) points has no error at all, and every term is positive, so nothing cancels. (The alternating sum of
    Appendix E in float64 gives probabilities such as -5e175 on real histograms.)
    """
    with precision(bits):
        coins = _arb_coins(groups, rate)
        totals = dict.fromkeys(groups, arb(0))
        for t, weight in gauss_legendre((sum(groups.values()) + 1) // 2):
            lines = {q: 1 - c * t for q, c in coins.items()}
            product = weight
            for q, line in lines.items():
                product *= line ** groups[q]
            for q, line in lines.items():
                totals[q] += product / line
        return {q: groups[q] * coins[q] * total for q, total in totals.items()}


def exponential_mechanism_arb(groups: Groups, rate: Fraction, *, bits: int = 192) -> dict[int, arb]:
    """Mass of each group, as enclosing balls, for weights exp(-rate (max - q))."""
    with precision(bits):
        weights = {q: groups[q] * c for q, c in _arb_coins(groups, rate).items()}
        total = sum(weights.values(), arb(0))
        return {q: w / total for q, w in weights.items()}


def expected_error_arb(mass: Mapping[int, arb]) -> arb:
    """E[max score - score of the winner] from the masses of the groups."""
    best = max(mass)
    return sum(((best - q) * m for q, m in mass.items()), arb(0))
