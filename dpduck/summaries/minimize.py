"""Minimizes a smooth function of a few dozen numbers: L-BFGS with a backtracking line search.

Deterministic: the same function and start give the same result, so that a plan can be computed again.
Source: Nocedal and Wright, Numerical Optimization, 2nd edition, algorithms 7.4 and 3.1.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import numpy as np

from dpduck.summaries.residuals import Floats

_MEMORY = 10  # steps that are remembered
_SLOPE = 1e-4  # of the decrease that the gradient promises, how much a step must keep
_SMALLEST = 1e-12  # of a step


def minimized(function: Callable[[Floats], tuple[float, Floats]], start: Floats, rounds: int = 200) -> Floats:
    """A local minimum near a start.

    Input: a function that returns its value and gradient; a start where it is finite. Output: where it is
    least of all points that were tried.
    """
    x = start
    value, gradient = function(x)
    known: deque[tuple[Floats, Floats]] = deque(maxlen=_MEMORY)
    for _ in range(rounds):
        direction = _direction(gradient, known)
        slope = float(direction @ gradient)
        if slope > -1e-14 * max(abs(value), 1.0):
            return x
        step = 1.0 if known else min(1.0, 1.0 / float(np.abs(gradient).sum()))
        while True:
            there = x + step * direction
            new, new_gradient = function(there)
            if np.isfinite(new) and new <= value + _SLOPE * step * slope:
                break
            step /= 2
            if step < _SMALLEST:
                return x
        moved, turned = there - x, new_gradient - gradient
        if float(moved @ turned) > 1e-12:
            known.append((moved, turned))
        is_done = value - new <= 1e-11 * max(abs(value), 1.0)
        x, value, gradient = there, new, new_gradient
        if is_done:
            return x
    return x


def _direction(gradient: Floats, known: deque[tuple[Floats, Floats]]) -> Floats:
    """The gradient, turned around and scaled by the curvature of the steps that are remembered."""
    found, kept = -gradient, []
    for moved, turned in reversed(known):
        share = float(moved @ found) / float(moved @ turned)
        kept.append(share)
        found = found - share * turned
    if known:
        moved, turned = known[-1]
        found = found * (float(moved @ turned) / float(turned @ turned))
    for (moved, turned), share in zip(known, reversed(kept), strict=True):
        found = found + moved * (share - float(turned @ found) / float(moved @ turned))
    return found
