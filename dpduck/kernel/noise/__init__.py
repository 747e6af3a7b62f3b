"""Exact noise: real random numbers, computed to as many random bits as a decision needs.

Every noise here is an ideal real random variable, drawn by inverting its distribution function at a
uniform number V whose binary digits come from the operating system. The digits are drawn lazily:
64 at first, more only when a comparison or a floor cannot be decided from those drawn so far. What
leaves a mechanism (an order, a floor) is decided exactly, so its distribution is that of the ideal
mechanism, to the last bit: no floating-point noise (Mironov 2012), no rejection loop (Jin et al.
2022), no table, and every rational rate at the same cost.

Floats only propose. A float bound is widened by 2**-44 of its size, hundreds of times the error of
any logarithm in use (that of normal numbers by the proven error of their quantiles); where the widened
bounds do not decide, ball arithmetic (Arb) does, which is rigorous. Apart from that rare step, the work per
draw does not depend on the value drawn.
"""

from dpduck.kernel.noise.entropy import Entropy, SystemEntropy
from dpduck.kernel.noise.families import Exponential, Family, Gumbel, Laplace
from dpduck.kernel.noise.gaussian import correlated_gaussian, rounded_gaussian, whole_gaussian
from dpduck.kernel.noise.order import Maxima, OrderStatistic
from dpduck.kernel.noise.samplers import choose, discrete_laplace, geometric, laplace_at_least, whole_laplace

__all__ = [
    "Entropy",
    "Exponential",
    "Family",
    "Gumbel",
    "Laplace",
    "Maxima",
    "OrderStatistic",
    "SystemEntropy",
    "choose",
    "correlated_gaussian",
    "discrete_laplace",
    "geometric",
    "laplace_at_least",
    "rounded_gaussian",
    "whole_gaussian",
    "whole_laplace",
]
