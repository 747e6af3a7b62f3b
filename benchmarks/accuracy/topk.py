"""Top-k: what is claimed of the winners' counts, and what is kept, if other noise chooses or the same.

The promised half-width is that of EXPLAIN where noise is not why a group is shown (noisy top-k), and of every
rank (Gaussian counts). Simulated with the package's own mechanisms; each run is one release.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from benchmarks.accuracy import Table
from dpduck.kernel.mechanisms.additive import half_width
from dpduck.kernel.mechanisms.gaussian_topk import GaussianSplit, gaussian_split, gaussian_top_k
from dpduck.kernel.mechanisms.linear_estimates import best_split
from dpduck.kernel.mechanisms.ranked_counts import half_width_if_chosen
from dpduck.kernel.mechanisms.topk_counts import top_k_counts
from dpduck.kernel.noise import Entropy, SystemEntropy
from dpduck.kernel.scores import PlainScores

EPSILON, DELTA = Fraction(1), Fraction(1, 10**6)
PLACES = (10, 40, 100)
CANDIDATES = 300
RUNS = 200
NAMES = ("far apart", "all tied", "20,000 / rank", "10 sure, rest tied")

# k: claimed by noisy top-k; independent and correlated Gaussian counts at an even split of rho (the design)
REFERENCE = {10: (28.5, 39.7, 26.1), 40: (91.8, 79.4, 46.0), 100: (215.6, 125.6, 69.1)}

Counts = NDArray[np.int64]
Errors = NDArray[np.float64]


def counts_of(name: str) -> Counts:
    """The counts of a data set, in descending order."""
    ranks = np.arange(1, CANDIDATES + 1)
    match name:
        case "far apart":
            return 100_000 * (CANDIDATES + 1 - ranks)
        case "all tied":
            return np.full(CANDIDATES, 1000)
        case "20,000 / rank":
            return 20_000 // ranks
    return np.where(ranks <= 10, 100_000, 1000)


def split_of(k: int, *, shared: bool = True) -> GaussianSplit:
    """How epsilon 1 and delta 1e-6 are divided, for units that may be in all groups."""
    found = gaussian_split(EPSILON, DELTA, k, groups=None, shared=shared)
    assert found is not None
    return found


def errors_of(name: str, k: int, *, gaussian: bool, runs: int, entropy: Entropy) -> Errors:
    """The errors of the counts shown, one row for each release."""
    counts = counts_of(name)
    scores, found, split = PlainScores(counts), np.zeros((runs, k)), split_of(k)
    for run in range(runs):
        if gaussian:
            made = gaussian_top_k(scores, split, entropy)
            found[run] = made.counts - counts[list(made.candidates)]
        else:
            noisy = top_k_counts(scores, k, EPSILON, entropy)
            found[run] = np.array(noisy.found.counts) - counts[list(noisy.candidates)]
    return found


def tables() -> Sequence[Table]:
    """All tables of the section."""
    return [_widths(), _sums(), _kept(RUNS, SystemEntropy()), _intervals(RUNS, SystemEntropy())]


@dataclass(frozen=True)
class Intervals:
    """What releases of noisy top-k say of their counts, and whether it holds.

    `kept`: the share of errors within what EXPLAIN says stays true even if noise is why a group is shown;
    `shown`: the share of counts with an interval; `covered`: the share of these that hold the truth;
    `releases`: the share of releases in which all do, of those that show any.
    """

    kept: float
    shown: float
    covered: float
    releases: float


def intervals_of(name: str, k: int, *, runs: int, entropy: Entropy) -> Intervals:
    """What is said without a delta, in some releases."""
    counts, split = counts_of(name), best_split(EPSILON, k, k)
    safe, scores = half_width_if_chosen(split, CANDIDATES / k), PlainScores(counts)
    kept, held, all_held = [], [], []
    for _ in range(runs):
        made = top_k_counts(scores, k, EPSILON, entropy)
        true = counts[list(made.candidates)].tolist()
        kept += [abs(a - b) <= safe for a, b in zip(made.found.counts, true, strict=True)]
        ends = zip(made.found.lows, made.found.highs, true, strict=True)
        found = [low <= q <= high for low, high, q in ends if low is not None and high is not None]
        held += found
        all_held += [all(found)] if found else []
    shown = len(held) / (runs * k)
    return Intervals(float(np.mean(kept)), shown, _mean(held), _mean(all_held))


def _mean(found: Sequence[bool]) -> float:
    return float(np.mean(found)) if found else math.nan


def _widths() -> Table:
    rows = [("k", "noise", "half-width", "reference", "scale of what selects")]
    for k in PLACES:
        noisy = best_split(EPSILON, k, k)
        claimed, apart, together = REFERENCE[k]
        cells = [
            ("noisy top-k", noisy.half_width(), claimed, 1 / noisy.selection_rate),
            ("Gaussian", split_of(k, shared=False).half_width, apart, 1 / split_of(k, shared=False).rate),
            ("correlated Gaussian", split_of(k).half_width, together, 1 / split_of(k).rate),
        ]
        rows += [
            (str(k), name, f"{width:.3g}", f"{other:.3g}", f"{float(scale):.3g}")
            for name, width, other, scale in cells
        ]
    return Table("half-widths", "95 % half-width of a winner's count, at (1, 1e-6)", tuple(rows))


def sum_widths(k: int, groups: int | None, *, bound: int = 100) -> tuple[int, int, float]:
    """Half-widths of sums, of all groups and of the k shown, and the scale of what selects these.

    Of one sign, with half of epsilon for each part. Input: how many groups one unit may be in.
    """
    every = half_width(EPSILON / (min(groups or CANDIDATES, CANDIDATES) * bound))
    shown = half_width(EPSILON / 2 / (min(groups or k, k) * bound))
    return every, shown, float(k * bound / (EPSILON / 2))


def _sums() -> Table:
    rows = [("k", "groups of a unit", "all 300 groups", "the k shown", "scale of what selects")]
    for k in PLACES:
        for groups in (1, 10, 50, None):
            cells = (f"{number:,.0f}" for number in sum_widths(k, groups))
            rows.append((str(k), str(groups or "any"), *cells))
    return Table("sums", "95 % half-width of sums of totals from 0 to 100, at epsilon 1", tuple(rows))


def _kept(runs: int, entropy: Entropy) -> Table:
    rows = [("k", "data", "noise", "promised", "kept by all", "least kept at a rank", "real 95 %")]
    for k in PLACES[:2]:
        for name in NAMES:
            for gaussian in (False, True):
                width = split_of(k).half_width if gaussian else best_split(EPSILON, k, k).half_width()
                sizes = np.abs(errors_of(name, k, gaussian=gaussian, runs=runs, entropy=entropy))
                kept = sizes <= math.floor(width) if gaussian else sizes <= width
                cells = f"{width:.3g}", f"{kept.mean():.3f}", f"{kept.mean(axis=0).min():.3f}"
                noise = "correlated Gaussian" if gaussian else "noisy top-k"
                rows.append((str(k), name, noise, *cells, f"{np.quantile(sizes, 0.95):.3g}"))
    caption = (
        f"{runs} releases of {CANDIDATES} candidates; noisy top-k: where noise is not why a group is shown"
    )
    return Table("kept promises", caption, tuple(rows))


def _intervals(runs: int, entropy: Entropy) -> Table:
    rows = [("k", "data", "error if chosen", "kept", "with an interval", "that covers", "all of a release")]
    for k in PLACES[:2]:
        safe = half_width_if_chosen(best_split(EPSILON, k, k), CANDIDATES / k)
        for name in NAMES:
            one = intervals_of(name, k, runs=runs, entropy=entropy)
            shares = one.kept, one.shown, one.covered, one.releases
            rows.append((str(k), name, f"{safe:.3g}", *(f"{share:.3f}" for share in shares)))
    return Table("noisy top-k", f"what {runs} releases without a delta say of their counts", tuple(rows))
