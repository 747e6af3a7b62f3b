"""Adaptive sparse vector with gaps, by its definition: the exact law of the whole output.

Candidate i has two noises, X_i with p2 and Y_i with p1; the threshold T has one, N with p0; all discrete
Laplace. With z = T + N: "clear" with gap q_i + X_i - z if that is at least s; else "near" with gap q_i +
Y_i - z if that is at least 0; else "below". A clear answer costs 1 unit, a near one 2; the scan stops when
more than 2 k - 2 are used. Given z, candidates are independent, so P(output) = sum over z of P(T + N = z)
times a product of one or two factors for each candidate scanned.

For exact sums, p0, p1 and p2 are powers of one rational x. Far from all shifts every factor is a constant
plus a power of x^z, so that both tails are finite sums of geometric series.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, NamedTuple

from tests.oracles.noise import discrete_laplace_cdf, discrete_laplace_pmf

Polynomial = dict[int, Fraction]  # exponent -> coefficient


class Answer(NamedTuple):
    """What is said of one candidate. `open`: the gap is this one or any larger one."""

    kind: Literal["clear", "near", "below"]
    gap: int = 0
    open: bool = False


BELOW = Answer("below")
Output = tuple[Answer, ...]
UNITS = {"clear": 1, "near": 2, "below": 0}


class Factor(NamedTuple):
    """P(N = z - shift), P(N < z - shift) or P(N >= z - shift) for noise with p = x^power."""

    power: int
    function: Literal["pmf", "below", "least"]
    shift: int


@dataclass(frozen=True)
class Setting:
    """T, k, s, and the powers of x that are p0, p1 and p2; without the first test if not adaptive."""

    threshold: int
    k: int
    margin: int
    powers: tuple[int, int, int]
    adaptive: bool = True


def outputs(count: int, setting: Setting, gaps: int) -> Iterator[Output]:
    """Every output for so many candidates, gaps from `gaps` above their least on as one."""
    kinds = [("near", 0), *([("clear", setting.margin)] if setting.adaptive else [])]
    said = [BELOW]
    for kind, least in kinds:
        said += [Answer(kind, least + g, g == gaps) for g in range(gaps + 1)]  # type: ignore[arg-type]
    stack: list[Output] = [()]
    while stack:
        output = stack.pop()
        used = sum(UNITS[answer.kind] for answer in output)
        if len(output) == count or used > 2 * setting.k - 2:
            yield output
        else:
            stack += [(*output, answer) for answer in said]


def factors(output: Output, scores: Sequence[int], setting: Setting) -> list[Factor]:
    """The factors of the summand over z."""
    p0, p1, p2 = setting.powers
    found = [Factor(p0, "pmf", setting.threshold)]
    for (kind, gap, is_open), q in zip(output, scores, strict=False):
        function: Literal["least", "pmf"] = "least" if is_open else "pmf"
        if kind == "clear":
            found.append(Factor(p2, function, q - gap))
            continue
        if setting.adaptive:
            found.append(Factor(p2, "below", q - setting.margin))
        found.append(Factor(p1, "below", q) if kind == "below" else Factor(p1, function, q - gap))
    return found


def law(scores: Sequence[int], setting: Setting, x: Fraction) -> Callable[[Output], Fraction]:
    """P(output), exactly.

    >>> law([0], Setting(0, 1, 9, (1, 1, 1), adaptive=False), Fraction(1, 2))((BELOW,))
    Fraction(11, 27)
    """
    return lambda output: sum_over_integers(factors(output, scores, setting), x)


def probability(output: Output, scores: Sequence[int], setting: Setting, rates: Sequence[float]) -> float:
    """P(output) for any three rates, by a long finite sum in floats."""
    p = [Fraction(2.718281828459045**-rate) for rate in rates]
    reach = int(45 / rates[0]) + 1
    numbered = Setting(setting.threshold, setting.k, setting.margin, (0, 1, 2), setting.adaptive)
    found = factors(output, scores, numbered)
    total = 0.0
    for z in range(setting.threshold - reach, setting.threshold + reach + 1):
        term = 1.0
        for factor in found:
            term *= float(_value(factor.function, z - factor.shift, p[factor.power]))
        total += term
    return total


def _value(function: str, m: int, p: Fraction) -> Fraction:
    if function == "pmf":
        return discrete_laplace_pmf(m, p)
    below = discrete_laplace_cdf(m - 1, p)
    return below if function == "below" else 1 - below


def _tail_form(factor: Factor, start: int, x: Fraction, *, right: bool) -> Polynomial:
    """The factor at z = start + t (right) or start - t (left), t >= 0, as a polynomial in x^t."""
    p = x**factor.power
    distance = start - factor.shift if right else factor.shift - start
    if factor.function == "pmf":
        return {factor.power: (1 - p) / (1 + p) * p**distance}
    # P(N >= m) = p^m / (1 + p) to the right of the shift, P(N < m) = p^(1-m) / (1 + p) to the left.
    vanishing = p ** (distance if right else 1 + distance) / (1 + p)
    if (factor.function == "least") == right:
        return {factor.power: vanishing}
    return {0: Fraction(1), factor.power: -vanishing}


def _tail(found: Sequence[Factor], start: int, x: Fraction, *, right: bool) -> Fraction:
    product: Polynomial = {0: Fraction(1)}
    for factor in found:
        grown: Polynomial = {}
        for power, coefficient in _tail_form(factor, start, x, right=right).items():
            for other, c in product.items():
                grown[power + other] = grown.get(power + other, Fraction(0)) + coefficient * c
        product = grown
    assert 0 not in product, "the sum diverges"
    return sum((c / (1 - x**power) for power, c in product.items()), Fraction(0))


def sum_over_integers(found: Sequence[Factor], x: Fraction) -> Fraction:
    """The exact sum over all integers z of the product of the factors.

    >>> sum_over_integers([Factor(3, "pmf", 5)], Fraction(1, 2))
    Fraction(1, 1)
    """
    low, high = min(f.shift for f in found), max(f.shift for f in found)
    total = _tail(found, low - 1, x, right=False) + _tail(found, high + 1, x, right=True)
    for z in range(low, high + 1):
        term = Fraction(1)
        for factor in found:
            term *= _value(factor.function, z - factor.shift, x**factor.power)
        total += term
    return total
