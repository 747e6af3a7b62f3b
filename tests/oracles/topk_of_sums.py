"""The density of order and gaps of real scores with exponential noise of rate 1, in closed form."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np


def log_density(scores: Sequence[float], winners: Sequence[int], gaps: Sequence[float]) -> float:
    """ln of the density, less a number that is common to all scores.

    Input: the winners in order, and the gap after each; noise is exponential, of rate 1.
    With Z the losers' largest noisy score and G_i the sum of the gaps from i on, it is sum q_i + ln
    E[e^(-k Z); Z >= c], c = max(q_i - G_i). Above the largest q of the losers, P(Z <= z)
    is a polynomial in e^-z.
    """
    k = len(winners)
    losers = [q for place, q in enumerate(scores) if place not in winners]
    after = np.cumsum(np.asarray(gaps)[::-1])[::-1]
    start = max(*(scores[w] - g for w, g in zip(winners, after, strict=True)), *losers)
    terms = np.ones(1)  # of the product of 1 - e^(q - start) u over the losers
    for q in losers:
        terms = np.convolve(terms, [1.0, -math.exp(q - start)])
    mean = sum(-term * s / (k + s) for s, term in enumerate(terms))
    return sum(scores[w] for w in winners) - k * start + math.log(mean)
