"""Top-k down to a noisy threshold (Theorem D): the exact law of the whole output, and what it shows as paid.

*Setting.* n candidates with integer scores and one more, the threshold, whose score T is public; all n + 1
get iid exponential noise: geometric integers and, for their fractional parts, a uniformly random permutation
R. Ranked by (value, R). An output is (order, gaps): the candidates before the threshold, at most k, and after
each the floor of the ideal gap to the next in rank, v_a - v_b - [R_a < R_b]. With fewer than k candidates the
last gap is to the threshold; with k it is to whatever is next, without saying what.

*Law.* A chain is some places in rank, the first of all, with the floor gaps between them. Given R and the
value z of its last one, the others' values are fixed, and each of the rest is behind the last: P(chain) is
the sum over z of a product of masses and distribution functions. An output with j < k candidates is a chain
that ends with the threshold; one with k is the sum of the chains that end with each of the rest in turn.

*Claim.* Between neighbours P changes by at most e^((j + 1) r) for j < k candidates, e^(k r) for k, with p =
e^-r. It is attained: where the last of the chain lies below all of the rest, nothing holds z but the rest,
and one more on all their scores shifts z by 1, which costs p for each of the j + 1 of the chain.
"""

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from tests.oracles.noise import Factor, sum_over_integers
from tests.oracles.topk import Release, tie_patterns, weighted_gaps, winner_values


def chain_probability(
    chain: Sequence[int], gaps: Sequence[int], rest: Sequence[int], p: Fraction
) -> Fraction:
    """P(these are ranked first, in this order, with these floor gaps between them).

    >>> chain_probability([0], [], [0], Fraction(1, 2)), chain_probability([1, 0], [0], [], Fraction(1, 2))
    (Fraction(1, 2), Fraction(1, 4))
    """
    total = Fraction(0)
    for inner, outer, count in tie_patterns(len(chain), len(rest)):
        values = winner_values([*gaps, 0], inner, "floor")
        if values is None:
            return total
        factors = [Factor("geometric", "pmf", q - v) for q, v in zip(chain, values, strict=True)]
        factors += [Factor("geometric", "cdf", q + later) for q, later in zip(rest, outer, strict=True)]
        total += count * sum_over_integers(factors, p)
    return total / math.factorial(len(chain) + len(rest))


def law(scores: Sequence[int], threshold: int, k: int, p: Fraction) -> Callable[[Release], Fraction]:
    """P(output), exactly.

    >>> law([0], 0, 1, Fraction(1, 2))(((), ())), law([0], 0, 1, Fraction(1, 2))(((0,), (0,)))
    (Fraction(1, 2), Fraction(1, 4))
    """
    every = [*scores, threshold]

    def probability(output: Release) -> Fraction:
        order, gaps = output
        rest = [i for i in range(len(every)) if i not in order]
        following = rest if len(order) == k else [len(scores)]
        return sum(
            (
                chain_probability(
                    [every[i] for i in (*order, last)], gaps, [every[i] for i in rest if i != last], p
                )
                for last in following
            ),
            Fraction(0),
        )

    return probability


def by_definition(values: Sequence[int], ranks: Sequence[int], k: int) -> Release:
    """The output for these noisy integers and tie ranks, of which the last ones are the threshold's."""
    ranked = sorted(range(len(values)), key=lambda i: (values[i], ranks[i]), reverse=True)
    winners = ranked[: min(k, ranked.index(len(values) - 1))]
    gaps = [values[a] - values[b] - (ranks[a] < ranks[b]) for a, b in itertools.pairwise(ranked)]
    return tuple(winners), tuple(gaps[: len(winners)])


def outputs(n: int, k: int, bound: int, p: Fraction) -> Iterator[tuple[Release, Fraction]]:
    """Every output of n candidates, a gap of `bound` for all larger ones, with the weight of that."""
    for size in range(min(k, n) + 1):
        boxes = list(weighted_gaps(size, bound, p))
        for order in itertools.permutations(range(n), size):
            for gaps, weight in boxes:
                yield (order, gaps), weight


def places_paid(output: Release, k: int) -> int:
    """Of k equal parts of epsilon, how many an output shows as used: one for each place in rank it names."""
    winners = len(output[0])
    return winners if winners == k else winners + 1
