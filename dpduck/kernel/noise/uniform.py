"""Uniform real numbers in (0, 1), known to as many binary digits as needed so far."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from threading import RLock
from typing import TypeVar

import numpy as np
from flint import arb, ctx
from numpy.typing import NDArray

from dpduck.kernel.errors import InternalError
from dpduck.kernel.noise.entropy import Entropy, Words

Floats = NDArray[np.float64]
T = TypeVar("T")

# The relative tolerance of float bounds. A double has 53 bits and numpy documents its logarithms to 4
# units in the last place, so 44 bits leave a factor of more than 100 for errors that add up.
SLACK = 2.0**-44

_WORD = 64
_MAX_WORDS = 64  # a tie after 4096 random bits is a broken source, not chance
_DIGITS = 256  # of a constant, at first
_MAX_DOUBLINGS = 6
_ball_arithmetic = RLock()  # the precision of ball arithmetic is a global variable of its library


class Uniform:
    """A uniform number V; its first `length` binary digits are those of `digits`."""

    __slots__ = ("_entropy", "digits", "length")

    def __init__(self, word: int, entropy: Entropy) -> None:
        self.digits = word
        self.length = _WORD
        self._entropy = entropy

    def refine(self) -> None:
        """Draw 64 more digits."""
        self.digits = (self.digits << _WORD) | int(self._entropy.words(1)[0])
        self.length += _WORD

    def ball(self) -> arb:
        """A ball that contains V, of radius 2**-(length + 1)."""
        half = arb(2) ** -(self.length + 1)
        return (arb(2 * self.digits + 1) + arb(0, 1)) * half


def decide(question: Callable[[], T | None], numbers: Iterable[Uniform]) -> T:
    """Decide a question about uniform numbers exactly, drawing more digits until it can be answered.

    Input: a function that returns None while the balls are too wide to tell.
    Errors: InternalError after 4096 digits, which does not happen by chance.
    """
    numbers = list(numbers)
    with _ball_arithmetic:
        for _ in range(_MAX_WORDS):
            with ctx.workprec(max(number.length for number in numbers) + 2 * _WORD):
                answer = question()
            if answer is not None:
                return answer
            for number in numbers:
                number.refine()
    raise InternalError("the entropy source repeats itself")


def settle(question: Callable[[], T | None]) -> T:
    """Decide a question about constants exactly, computing more digits until it can be answered.

    Errors: InternalError after 8192 binary digits.
    """
    with _ball_arithmetic:
        for doublings in range(_MAX_DOUBLINGS):
            with ctx.workprec(_DIGITS << doublings):
                answer = question()
            if answer is not None:
                return answer
    raise InternalError("a constant lies on a boundary")


def integer(ball: arb) -> int | None:
    """The one integer that the ball contains, or None if it contains none or several."""
    whole = ball.unique_fmpz()
    return None if whole is None else int(whole)


def log_bounds(words: Words) -> tuple[Floats, Floats]:
    """Bounds on ln V for numbers whose first 64 digits are `words`, in vectorised floats, widened by `SLACK`.

    Near V = 1 the logarithm is taken of the complement, so that both ends keep relative accuracy.
    """
    complement = ~words
    upper_half = words >= np.uint64(1 << 63)
    unit = 2.0**-_WORD
    with np.errstate(divide="ignore"):
        low = np.where(
            upper_half,
            np.log1p(-(complement.astype(np.float64) + 1.0) * unit),
            np.log(words.astype(np.float64) * unit),
        )
        high = np.where(
            upper_half,
            np.log1p(-complement.astype(np.float64) * unit),
            np.log((words.astype(np.float64) + 1.0) * unit),
        )
    return low * (1.0 + SLACK), high * (1.0 - SLACK)
