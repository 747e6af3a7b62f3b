"""Averages without the digits that their noise makes meaningless."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]

_MOST_PLACES = 22  # the largest power of ten that is a double is 10^22


def rounded_to_noise(
    values: Sequence[float] | Floats, lows: Sequence[float] | Floats, highs: Sequence[float] | Floats
) -> tuple[Floats, Floats, Floats]:
    """Round numbers and the ends of their intervals to as few decimal places as their noise allows.

    A number has the fewest places, from 0 on, with which rounding moves it by at most 1/100 of the
    half-width of its interval. Ends are rounded outwards, so that an interval covers what it covered.
    Where an interval has no width, nothing is rounded.

    Privacy: post-processing, since numbers and intervals are released.

    >>> [ends.tolist() for ends in rounded_to_noise([3711.14728826], [3671.2468], [3751.2477])]
    [[3711.1], [3671.2], [3751.3]]
    >>> [ends.tolist() for ends in rounded_to_noise([0.14728826], [0.1299], [0.1655])]
    [[0.1473], [0.1299], [0.1655]]
    """
    value, low, high = (np.asarray(numbers, dtype=np.float64) for numbers in (values, lows, highs))
    factor = _factors((high - low) / 2)
    return _scaled(np.rint, value, factor), _scaled(np.floor, low, factor), _scaled(np.ceil, high, factor)


def _factors(half_widths: Floats) -> Floats:
    """10 to the number of places for each half-width: a step of which one half is 1/100 of it, or less."""
    known = np.where(half_widths > 0, half_widths, 10.0**-_MOST_PLACES)
    places = np.clip(np.ceil(-np.log10(known / 50)), 0, _MOST_PLACES)
    factors: Floats = np.power(10.0, places)
    return factors


def _scaled(rounding: np.ufunc, numbers: Floats, factor: Floats) -> Floats:
    """Round to multiples of 1 / factor, of which a double that is nearest to one stays as it is.

    Doubles too large to have such places are whole, and stay as they are too.
    """
    steps = numbers * factor
    kept = (np.rint(steps) / factor == numbers) | (np.abs(steps) >= 2.0**53)
    rounded: Floats = np.where(kept, numbers, rounding(steps) / factor + 0.0)  # + 0.0: zero has no sign
    return rounded
