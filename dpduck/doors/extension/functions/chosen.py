"""dp_select: the item with the best score."""

from __future__ import annotations

from fractions import Fraction

import pyarrow as pa

from dpduck.doors.extension.functions.calls import Evaluation, Scalar, too_few
from dpduck.doors.extension.functions.listed import Scaled
from dpduck.kernel.accounting.amounts import parse_decimal, parse_epsilon
from dpduck.kernel.accounting.events import ExponentialMechanism
from dpduck.kernel.errors import ParameterError, decimal_text
from dpduck.kernel.mechanisms.selection import exponential
from dpduck.kernel.noise import Entropy
from dpduck.kernel.scores import PlainScores

WINNER = pa.struct([("index", pa.int64()), ("gap", pa.float64()), ("p_value", pa.float64())])


def prepare_select(
    rows: pa.Array, type_name: Scalar, eps: Scalar, sensitivity: Scalar, monotonic: Scalar
) -> Evaluation:
    """Errors: ParameterError."""
    epsilon, bound = parse_epsilon(eps), parse_decimal(sensitivity, "sensitivity")
    if bound <= 0:
        raise ParameterError(f"sensitivity {sensitivity} is not positive", hint="Write sensitivity := 1.")
    if not isinstance(monotonic, bool):
        raise ParameterError("monotonic is neither true nor false", hint="Write monotonic := true.")
    scaled = Scaled.of(rows, type_name, bound)
    if scaled.listed.size < 2:
        raise too_few(
            "there are fewer than 2 candidates",
            "A selection needs at least 2; a candidate whose score is NULL is none.",
        )
    claim = f"sensitivity = {decimal_text(bound)}, monotonic = {str(monotonic).lower()}"

    def run(entropy: Entropy) -> object:
        return _select(scaled, epsilon, entropy, monotonic=monotonic)

    return Evaluation(
        ExponentialMechanism(epsilon), f"dp_select(eps = {decimal_text(epsilon)}, {claim})", run
    )


def _select(scaled: Scaled, epsilon: Fraction, entropy: Entropy, *, monotonic: bool) -> object:
    scores = PlainScores(scaled.listed.scores())
    release = exponential(scores, epsilon, entropy, monotonic=monotonic, sensitivity=scaled.sensitivity)
    gap = release.gap * float(scaled.unit)
    return {"index": scaled.listed.index(release.candidate), "gap": gap, "p_value": release.p_value}
