"""dp_above: the candidates whose count reaches a threshold, in the order of their keys."""

from __future__ import annotations

from fractions import Fraction

import pyarrow as pa

from dpduck.doors.extension.functions.calls import (
    CallOutcome,
    Evaluation,
    Scalar,
    chance,
    said,
    too_few,
    whole,
)
from dpduck.doors.extension.functions.listed import ListedCandidates
from dpduck.kernel.accounting.amounts import parse_epsilon
from dpduck.kernel.accounting.events import AboveThreshold, Event, PrivateSparseVector
from dpduck.kernel.errors import decimal_text
from dpduck.kernel.mechanisms.above_found import above_of_found
from dpduck.kernel.mechanisms.sparse_vector import above_threshold, check_threshold
from dpduck.kernel.mechanisms.topk import K_MAX, check_k
from dpduck.kernel.noise import Entropy

ROW = pa.struct(
    [
        ("index", pa.int64()),
        ("gap", pa.float64()),
        ("estimate", pa.float64()),
        ("low", pa.float64()),
        ("high", pa.float64()),
        ("epsilon_used", pa.float64()),
    ]
)


def prepare_above(
    rows: pa.Array, type_name: Scalar, threshold: Scalar, k: Scalar, eps: Scalar, delta: Scalar
) -> Evaluation:
    """Errors: ParameterError."""
    epsilon, size, least = parse_epsilon(eps), whole(k, "k"), whole(threshold, "threshold")
    listed, of_private = ListedCandidates.counts(rows, type_name), chance(delta)
    check_k(size, K_MAX + 1)
    check_threshold(least)
    if of_private is None and not listed.size:
        raise too_few(f"k is {size} but there are no candidates", "A candidate whose count is NULL is none.")
    event: Event = AboveThreshold(epsilon, k=size)
    if of_private is not None:
        event = PrivateSparseVector(epsilon, of_private, k=size)
    text = f"dp_above(threshold = {least}, k = {size}, eps = {decimal_text(epsilon)}{said(of_private)})"

    def run(entropy: Entropy) -> CallOutcome:
        # Keys from private rows count only if some unit has them.
        candidates = listed if of_private is None else listed.present()
        return _above(candidates, least, size, epsilon, of_private, entropy)

    return Evaluation(event, text, run)


def _above(
    listed: ListedCandidates,
    threshold: int,
    k: int,
    epsilon: Fraction,
    delta: Fraction | None,
    entropy: Entropy,
) -> CallOutcome:
    counts = listed.scores()
    if delta is None:
        release = above_threshold(counts, threshold, k, epsilon, entropy)
    else:
        release = above_of_found(counts, threshold, k, epsilon, delta, entropy)
    columns = release.candidates, release.gaps, release.estimates, release.lows, release.highs, release.costs
    rows = [
        {
            "index": listed.index(candidate),
            "gap": float(gap),
            "estimate": estimate,
            "low": max(low, min(estimate, 0.0)),  # a count is at least 0
            "high": high,
            "epsilon_used": float(used),
        }
        for candidate, gap, estimate, low, high, used in zip(*columns, strict=True)
    ]
    return CallOutcome(rows, release.used)
