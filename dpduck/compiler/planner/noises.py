"""The noises that the counts and sums of a plan may have: their own, Gaussian, or Gaussian that groups share.

All measures of a plan that may have Gaussian noise get it together: what each would spend of epsilon is spent
on all of them at once, and mu^2 of the whole is divided in proportion to the squares of these shares, so that
each keeps its part of the error. The half of epsilon that chooses the clamp of a sum is not for its noise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from dpduck.compiler.parse.settings import AskedNoise
from dpduck.kernel.accounting.gaussian import most_mu_squared
from dpduck.kernel.mechanisms.clamped_sums import can_clamp
from dpduck.kernel.mechanisms.gaussian import correlated, independent
from dpduck.kernel.noise.gaussian import MAX_VARIANCE, MAX_VARIANCE_OF_WHOLE
from dpduck.kernel.plan.aggregates import ClampedSum, Sum
from dpduck.kernel.plan.cost import (
    bound_of,
    measure_error,
    moves_one_way,
    noise_of_clamp,
    places_of,
    width_per_clamp,
)
from dpduck.kernel.plan.model import Gaussian, Measure
from dpduck.kernel.plan.prices import epsilon_of_noise


@dataclass(frozen=True)
class Noised:
    """Measures with one of the noises: its name in the title of a plan, empty for their own."""

    name: str
    measures: tuple[Measure, ...]

    def titled(self, title: str) -> str:
        """Return the title of a plan with this noise."""
        return f"{title}, {self.name}" if self.name else title

    @property
    def width(self) -> float:
        """The largest half-width of counts and sums."""
        return width_of(self.measures)

    @property
    def error(self) -> float:
        """The largest half-width of counts and sums, relative to what one unit moves them by."""
        return max(map(_relative_error, self.measures), default=0.0)


def width_of(measures: Sequence[Measure]) -> float:
    """Return the largest half-width of the counts and sums of some measures.

    That of a sum with a private clamp is in clamps: what one unit moves it by, as it does a count by 1.
    """
    return max(map(_width, measures), default=0.0)


def _width(measure: Measure) -> float:
    if isinstance(measure.request, ClampedSum):
        return width_per_clamp(measure)
    return measure_error(measure) or 0.0


def noised(measures: Sequence[Measure], delta: Fraction, size: int | None, asked: AskedNoise) -> list[Noised]:
    """Return the measures with each noise that they may have, and that is asked for.

    Of those with equal errors the first is to be taken: some numbers have less noise if it is shared.
    Input: `delta`: what Gaussian noise may spend, 0 if none; `size`: how many groups are measured, None if
        their noise cannot be shared, as totals are shown.
    """
    own = Noised("", tuple(measures))
    if asked == "laplace" or not delta or not may_be_gaussian(measures):
        return [own]
    apart = Noised("Gaussian noise", _with_gaussian(measures, delta, None))
    if not all(map(_fits, apart.measures)):
        return [own]
    found = [] if asked == "gaussian" else [own]
    if size is not None:
        together = Noised("correlated Gaussian noise", _with_gaussian(measures, delta, size))
        found += [together] if together.measures != apart.measures else []
    return [*found, apart]


def may_be_gaussian(measures: Sequence[Measure]) -> bool:
    """Whether any of the measures may have Gaussian noise, given a delta."""
    return any(map(_may_be_gaussian, measures))


def can_share(groups: int, size: int) -> bool:
    """Whether counts of `size` groups have less noise if they share a part. Input: most groups of a unit."""
    return correlated(Fraction(1), bound=1, groups=groups, size=size) is not None


def _relative_error(measure: Measure) -> float:
    if isinstance(measure.request, ClampedSum):
        return width_per_clamp(measure)
    width, bound = measure_error(measure), bound_of(measure.request)
    return 0.0 if width is None or bound is None else width / bound * 10.0 ** places_of(measure.request)


def _may_be_gaussian(measure: Measure) -> bool:
    return isinstance(measure.request, ClampedSum) or bound_of(measure.request) is not None


def _with_gaussian(measures: Sequence[Measure], delta: Fraction, size: int | None) -> tuple[Measure, ...]:
    able = [measure for measure in measures if _may_be_gaussian(measure)]
    shares = [epsilon_of_noise(measure) for measure in able]
    mu_squared = most_mu_squared(sum(shares, Fraction(0)), delta)
    squares = sum((share**2 for share in shares), Fraction(0))

    def with_noise(measure: Measure) -> Measure:
        if not _may_be_gaussian(measure):
            return measure
        part = mu_squared * epsilon_of_noise(measure) ** 2 / squares
        shared = size if _may_share(measure, part, size) else None
        return replace(measure, delta=delta / len(able), gaussian=Gaussian(part, shared))

    return tuple(map(with_noise, measures))


def _may_share(measure: Measure, mu_squared: Fraction, size: int | None) -> bool:
    bound = bound_of(measure.request)
    if size is None or bound is None or not moves_one_way(measure.request):
        return False
    return correlated(mu_squared, bound=bound, groups=measure.groups, size=size) is not None


def _fits(measure: Measure) -> bool:
    """Whether the noise fits its numbers: 64 bits of counts; sums have any size, but for doubles."""
    bound = bound_of(measure.request)
    if measure.gaussian is not None and isinstance(measure.request, ClampedSum):
        return can_clamp(measure.epsilon - epsilon_of_noise(measure), noise_of_clamp(measure))
    if measure.gaussian is None or bound is None:
        return True
    most = MAX_VARIANCE_OF_WHOLE if isinstance(measure.request, Sum) else MAX_VARIANCE
    return independent(measure.gaussian.mu_squared, bound=bound, groups=measure.groups).total <= most
