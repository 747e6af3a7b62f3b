"""Private keys: the threshold release, and top-k with a bottom candidate (Theorem C), with exact deltas.

**Theorem C.** *Setting.* Counts h over a countable universe, absent keys have 0; a unit adds 0 or 1 to each
of any number of keys. Public: kbar, k <= kbar, tau >= 1, b. T(D) is any set of kbar keys of largest
positive count (all keys of positive count when there are fewer), ties broken in any way; c(D) is the
(kbar+1)-th largest count, 0 if there is none. BOTTOM has score c(D) + tau. Every member of T(D) and BOTTOM
get iid Exponential(scale b) noise. Release, in descending order and with floor gaps, the items above
BOTTOM, at most k. With r < k items the last gap is to BOTTOM; with k items it is to the largest value
below, BOTTOM included, without saying whose.
*Claim.* (epsilon, delta)-DP for epsilon = k / b and, with y = exp(-(tau-1) / b) and s = kbar,
    delta = 1 - (1 - (1 - y)^(s+1)) / ((s + 1) y) <= s y / 2,
and no smaller delta is possible, whatever epsilon. The factor 1 + e^epsilon of a cruder proof is not
needed. If a unit has at most m keys and ties follow a public order of the keys, s = min(kbar, m); then kbar
may be infinite (c = 0, T = all keys present), and delta = y / 2 for m = 1.

*Proof.* Let D' be D plus a unit, c = c(D), c' = c(D'): c' is c or c + 1. Call X = T \\ T' and Y = T' \\ T
the strangers, t and t + u their numbers: |Y| >= |X|, and u > 0 only if |T| < kbar, so that T holds all keys
present in D, and c = 0.
(1) Margins. x in X has positive counts, so h_x >= c, and h_x <= h'_x <= c'. y in Y has h'_y >= c', and h_y
<= c, so h'_y <= c + 1. Hence in its own database each stranger is at most c + 1 or c', and lies at least
tau - 1 below BOTTOM.
(2) Pairs. Match X with t members of Y in any way: h'_y - h_x is 0 or 1, because c <= h_x <= c' <= h'_y <= c
+ 1. Common keys and BOTTOM also move by 0 or 1: the whole vector is monotone, and Theorem B applies to it,
with the strangers as anonymous positions: any release that names no stranger has likelihood ratio at most
e^epsilon both ways. (With fewer than k + 1 candidates, use Theorem B with k = |T|. Stopping at BOTTOM is
post-processing of its order and gaps.)
(3) From D' to D. Remove the u unmatched strangers of D', which changes nothing unless one exceeds BOTTOM;
then (2). So P(M(D') in S) <= P(a stranger of D' exceeds BOTTOM) + e^epsilon P(M(D) in S).
(4) From D to D'. Give D u phantoms of score 0 = c, matched with the unmatched strangers (0 to 1): again
monotone. P(M(D) in S) <= P(a stranger or phantom exceeds BOTTOM) + e^epsilon P(M(D') in S): the phantoms
are paid on the left side, before the factor e^epsilon.
(5) At most kbar strangers in either case, each tau - 1 or more below BOTTOM. Given BOTTOM's noise E, none
exceeds it with probability at least (1 - y e^(-E/b))^s; e^(-E/b) is uniform, which integrates to the claim.
Ties that depend on the data or on chance are averaged over.
(6) At most m: with a public tie order, a y in Y that did not gain would be outranked in both databases by
every x in X, and if X is empty, y is newly present and did gain; so Y has at most m members.
(7) Optimal: D empty, D' one unit with s keys. Anything at all is released under D' with probability delta,
under D never. QED

*What stopping early needs.* The gap from the last item to BOTTOM may be released: both are neighbours in
rank, and it is part of Theorem B's output. Nothing below BOTTOM may be (a key there can be a stranger), nor
BOTTOM's own gap downwards. With k items, whether the next value is BOTTOM must not be told. c(D) is
private, so a gap to BOTTOM is not a count; a count needs its own measurement.
"""

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from tests.oracles.noise import Factor, discrete_laplace_pmf, sum_over_integers
from tests.oracles.privacy import hockey_stick
from tests.oracles.topk import Release, tie_patterns, topk_probability, weighted_gaps, winner_values

Pair = tuple[Fraction, Fraction]
Counts = Mapping[int, int]  # key -> count


def threshold(p: Fraction, delta: Fraction, keys_per_unit: int) -> int:
    """Smallest tau with (1 - p^(tau-1) / (1+p))^c >= 1 - delta, for p = exp(-epsilon/c) and P(x) ~ p^|x|.

    This is tau = 1 + ceil((c/epsilon) ln(1 / (delta_p (1 + p)))) with delta_p = 1 - (1 - delta)^(1/c),
    without logarithms.
    """
    tau = 1
    while (1 - p ** (tau - 1) / (1 + p)) ** keys_per_unit < 1 - delta:
        tau += 1
    return tau


def threshold_classes(count: int, tau: int, p: Fraction) -> list[Pair]:
    """Outcomes of one key of count `count` in D and one more in D': merged pairs (P under D, P under D').

    An absent key yields nothing; a present one yields its noisy count if that is at least tau. From count +
    1 on, the likelihood ratio is constant, so that those outcomes are one pair.
    """
    start = max(tau, count + 1)
    tail = [p ** (start - h) / (1 + p) for h in (count, count + 1)]
    single = [
        (discrete_laplace_pmf(y - count, p), discrete_laplace_pmf(y - count - 1, p))
        for y in range(tau, start)
    ]
    released = [*single, (tail[0], tail[1])]
    if count == 0:
        released = [(Fraction(0), new) for _, new in released]
    nothing = (1 - sum((a for a, _ in released), Fraction(0)), 1 - sum((b for _, b in released), Fraction(0)))
    return [nothing, *released]


def threshold_delta(counts: Sequence[int], tau: int, p: Fraction) -> Fraction:
    """Smallest delta at e^epsilon = p^-c for a unit that adds 1 to each of c keys of these counts."""
    classes = [threshold_classes(h, tau, p) for h in counts]
    pairs = [
        (
            math.prod((a for a, _ in joint), start=Fraction(1)),
            math.prod((b for _, b in joint), start=Fraction(1)),
        )
        for joint in itertools.product(*classes)
    ]
    factor = p ** -len(counts)
    return max(hockey_stick(pairs, factor), hockey_stick([(b, a) for a, b in pairs], factor))


def bottom_delta(p: Fraction, tau: int, strangers: int) -> Fraction:
    """The delta of Theorem C, with p = exp(-1/b) and s = min(kbar, keys per unit) strangers.

    >>> bottom_delta(Fraction(1, 2), 3, 1), bottom_delta(Fraction(1, 2), 3, 2)
    (Fraction(1, 8), Fraction(11, 48))
    """
    y = p ** (tau - 1)
    return 1 - (1 - (1 - y) ** (strangers + 1)) / ((strangers + 1) * y)


def bottom_tau(p: Fraction, delta: Fraction, strangers: int) -> int:
    """Smallest tau whose delta is low enough, by the bound s y / 2: 1 + ceil(b ln(s / (2 delta)))."""
    tau = 1
    while strangers * p ** (tau - 1) / 2 > delta:
        tau += 1
    return tau


def top_sets(counts: Counts, kbar: int) -> list[dict[int, int]]:
    """Every set that T(D) may be, over all ways to break ties."""
    present = {key: h for key, h in counts.items() if h > 0}
    size = min(kbar, len(present))
    best = sum(sorted(present.values())[len(present) - size :])
    subsets = itertools.combinations(present, size)
    return [{key: present[key] for key in s} for s in subsets if sum(present[x] for x in s) == best]


def first_set(counts: Counts, kbar: int) -> dict[int, int]:
    """T(D) with ties in a public order of the keys: the lower key first."""
    present = sorted((key for key in counts if counts[key] > 0), key=lambda key: (-counts[key], key))
    return {key: counts[key] for key in present[:kbar]}


def cut(counts: Counts, kbar: int) -> int:
    """c(D): the (kbar+1)-th largest count, 0 if there is none."""
    ranked = sorted(counts.values(), reverse=True)
    return ranked[kbar] if len(ranked) > kbar else 0


def bottom_probability(output: Release, candidates: Counts, bottom: int, k: int, p: Fraction) -> Fraction:
    """P(output) of Theorem C's release for T(D) = candidates and BOTTOM's score, in integer form."""
    items, gaps = output
    if any(item not in candidates for item in items):
        return Fraction(0)
    chain = [candidates[item] for item in items]
    losing = [h for key, h in candidates.items() if key not in items]
    if len(items) == k:
        release = (tuple(range(k)), gaps)
        return topk_probability(release, [*chain, *losing, bottom], p, noise="geometric", form="floor")
    return _stopped_probability([*chain, bottom], (*gaps, 0), losing, p)


def _stopped_probability(
    chain: Sequence[int], gaps: Sequence[int], losing: Sequence[int], p: Fraction
) -> Fraction:
    """P(the chain is ranked so, BOTTOM last, with these floor gaps, and all others are below BOTTOM)."""
    total = Fraction(0)
    for inner, outer, count in tie_patterns(len(chain), len(losing)):
        values = winner_values(gaps, inner, "floor")
        if values is None:
            return total
        factors = [Factor("geometric", "pmf", q - v) for q, v in zip(chain, values, strict=True)]
        factors += [Factor("geometric", "cdf", q + s) for q, s in zip(losing, outer, strict=True)]
        total += count * sum_over_integers(factors, p)
    return total / math.factorial(len(chain) + len(losing))


def bottom_outputs(
    keys: Sequence[int], k: int, bound: int, p: Fraction
) -> Iterator[tuple[Release, Fraction]]:
    """Every output over these keys, with the weight of the gaps that it stands for."""
    for size in range(min(k, len(keys)) + 1):
        boxes = list(weighted_gaps(size, bound, p))
        for items in itertools.permutations(keys, size):
            for gaps, weight in boxes:
                yield (items, gaps), weight


def bottom_pairs(
    first: tuple[Counts, int], second: tuple[Counts, int], k: int, p: Fraction
) -> list[tuple[Fraction, Fraction]]:
    """All pairs (P(w | D), P(w | D')), tails of gaps included, from (T(D), BOTTOM's score) and D''s."""
    levels = [*first[0].values(), *second[0].values(), first[1], second[1]]
    keys = sorted({*first[0], *second[0]})
    return [
        tuple(weight * bottom_probability(w, *side, k, p) for side in (first, second))  # type: ignore[misc]
        for w, weight in bottom_outputs(keys, k, max(levels) - min(levels), p)
    ]
