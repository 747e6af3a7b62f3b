"""dp_top_k and dp_top_k_counts: the candidates with the largest counts."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pyarrow as pa

from dpduck.doors.extension.functions.calls import Evaluation, Scalar, chance, said, too_few, whole
from dpduck.doors.extension.functions.listed import ListedCandidates
from dpduck.kernel.accounting.amounts import parse_epsilon
from dpduck.kernel.accounting.events import NoisyTopK, PrivateTopK
from dpduck.kernel.errors import decimal_text
from dpduck.kernel.mechanisms.private_topk import PrivateTop, private_top_k
from dpduck.kernel.mechanisms.topk import K_MAX, TopK, check_k, top_k
from dpduck.kernel.mechanisms.topk_counts import TopKCounts, top_k_counts
from dpduck.kernel.noise import Entropy
from dpduck.kernel.scores import PlainScores

ROW = pa.struct([("rank", pa.int32()), ("index", pa.int64()), ("gap", pa.float64())])
COUNT_ROW = pa.struct([*ROW, ("count", pa.float64()), ("low", pa.float64()), ("high", pa.float64())])

_Rows = list[dict[str, object]]


def prepare_top_k(rows: pa.Array, type_name: Scalar, k: Scalar, eps: Scalar, delta: Scalar) -> Evaluation:
    """dp_top_k: ranks, indices and gaps. Errors: ParameterError."""
    return _prepare("dp_top_k", ListedCandidates.counts(rows, type_name), k, eps, delta, _top_k)


def prepare_top_k_counts(
    rows: pa.Array, type_name: Scalar, k: Scalar, eps: Scalar, delta: Scalar
) -> Evaluation:
    """dp_top_k_counts: the counts as well. Errors: ParameterError."""
    return _prepare("dp_top_k_counts", ListedCandidates.counts(rows, type_name), k, eps, delta, _top_k_counts)


def _prepare(
    name: str,
    listed: ListedCandidates,
    k: Scalar,
    eps: Scalar,
    delta: Scalar,
    select: Callable[[ListedCandidates, int, Fraction, Fraction | None, Entropy], _Rows],
) -> Evaluation:
    epsilon, size, of_private = parse_epsilon(eps), whole(k, "k"), chance(delta)
    check_k(size, K_MAX + 1)
    if of_private is None and size >= listed.size:
        raise too_few(
            f"k is {size} but there are no more candidates than that",
            "The last gap is to the best candidate that is not selected, so one must be left.",
        )
    event = NoisyTopK(epsilon, k=size) if of_private is None else PrivateTopK(epsilon, of_private, k=size)
    text = f"{name}(k = {size}, eps = {decimal_text(epsilon)}{said(of_private)})"

    def run(entropy: Entropy) -> object:
        # Keys from private rows count only if some unit has them.
        candidates = listed if of_private is None else listed.present()
        return select(candidates, size, epsilon, of_private, entropy)

    return Evaluation(event, text, run)


def _top_k(
    listed: ListedCandidates, k: int, epsilon: Fraction, delta: Fraction | None, entropy: Entropy
) -> _Rows:
    scores = PlainScores(listed.scores())
    if delta is None:
        return _ranked(listed, top_k(scores, k, epsilon, entropy))
    return _ranked(listed, private_top_k(scores, k, epsilon, delta, entropy, groups=None, measure=False))


def _top_k_counts(
    listed: ListedCandidates, k: int, epsilon: Fraction, delta: Fraction | None, entropy: Entropy
) -> _Rows:
    scores = PlainScores(listed.scores())
    release: TopKCounts | PrivateTop
    if delta is None:
        release = top_k_counts(scores, k, epsilon, entropy)
    else:
        release = private_top_k(scores, k, epsilon, delta, entropy, groups=None, measure=True)
    found = release.found
    return [
        {**row, "count": count, "low": low, "high": high}
        for row, count, low, high in zip(
            _ranked(listed, release), found.counts, found.lows, found.highs, strict=True
        )
    ]


def _ranked(listed: ListedCandidates, release: TopK | TopKCounts | PrivateTop) -> _Rows:
    return [
        {"rank": rank, "index": listed.index(candidate), "gap": gap}
        for rank, (candidate, gap) in enumerate(zip(release.candidates, release.gaps, strict=True), 1)
    ]
