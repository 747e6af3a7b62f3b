"""Best linear unbiased estimates of k counts from measurements and gaps, by generalised least squares.

Seeds 002 (Theorem 3, Corollary 1) and 000 (Theorem 4). Unknown q_1..q_k; observed alpha_i = q_i + xi_i with
variance 1 and g_i = (q_i + eta_i) - (q_{i+1} + eta_{i+1}), i < k, with Var(eta_i) = lambda. Order and
selection are taken as given.
"""

from collections.abc import Sequence
from fractions import Fraction

from flint import fmpq, fmpq_mat


def _matrix(rows: Sequence[Sequence[Fraction]]) -> fmpq_mat:
    return fmpq_mat(len(rows), len(rows[0]), [fmpq(x.numerator, x.denominator) for row in rows for x in row])


def _fractions(matrix: fmpq_mat) -> list[list[Fraction]]:
    return [[Fraction(int(x.p), int(x.q)) for x in row] for row in matrix.tolist()]


def gap_matrix(k: int) -> list[list[Fraction]]:
    """N, with N q = (q_1 - q_2, ..., q_{k-1} - q_k)."""
    return [[Fraction((j == i) - (j == i + 1)) for j in range(k)] for i in range(k - 1)]


def least_squares(k: int, ratio: Fraction) -> tuple[list[list[Fraction]], list[list[Fraction]]]:
    """Weights on [alpha; g] and covariance of the BLUE, with ratio = lambda.

    They are (X'SX)^-1 X'S and (X'SX)^-1 for the design X and the precision S.
    """
    zero = Fraction(0)
    identity = [[Fraction(int(i == j)) for j in range(k)] for i in range(k)]
    differences = gap_matrix(k)
    design = _matrix([*identity, *differences])
    gap_covariance = [
        [ratio * sum(a * b for a, b in zip(r, s, strict=True)) for s in differences] for r in differences
    ]
    measured = [[*row, *[zero] * (k - 1)] for row in identity]
    compared = [[*[zero] * k, *row] for row in gap_covariance]
    precision = _matrix([*measured, *compared]).inv()
    covariance = (design.transpose() * precision * design).inv()
    return _fractions(covariance * design.transpose() * precision), _fractions(covariance)


def closed_form(alpha: Sequence[Fraction], gaps: Sequence[Fraction], ratio: Fraction) -> list[Fraction]:
    """beta_i = (sum alpha + lambda k alpha_i + P - k p_{i-1}) / ((1 + lambda) k).

    Here P is the sum over i < k of (k - i) g_i, and p_i = g_1 + ... + g_i.

    >>> closed_form([Fraction(10), Fraction(8)], [Fraction(4)], Fraction(1))
    [Fraction(21, 2), Fraction(15, 2)]
    """
    k = len(alpha)
    common = sum(alpha) + sum((k - i) * g for i, g in enumerate(gaps, start=1))
    prefix = [sum(gaps[:i], Fraction(0)) for i in range(k)]
    return [(common + ratio * k * a - k * p) / ((1 + ratio) * k) for a, p in zip(alpha, prefix, strict=True)]


def error_ratio(k: int, ratio: Fraction) -> Fraction:
    """Var(beta_i) / Var(alpha_i) = (1 + lambda k) / (k + lambda k).

    >>> 1 - error_ratio(10, Fraction(1)), 1 - error_ratio(10, Fraction(1, 2))
    (Fraction(9, 20), Fraction(3, 5))
    """
    return (1 + ratio * k) / (k + ratio * k)
