"""Events as canonical JSON, as the ledger stores them: one event has exactly one text.

A name stands for one guarantee forever: a class may be renamed, its name here may not, and a retired name is
not reused. Amounts are exact fractions such as "1/10". Of a composition only its parts are written, since
its cost is their sum. A parameter that a class got later is not written where it has the value that says what
records without it say (`groups` is 1): so one event still has one text, and an old text its old cost.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import fields
from fractions import Fraction
from typing import Any

from dpduck.kernel.accounting.events import (
    AboveThreshold,
    Average,
    BoundedSums,
    ChosenGroupCounts,
    ClampChoice,
    ClampedSums,
    Composed,
    DistinctCounts,
    Event,
    ExponentialMechanism,
    ExtremeValue,
    GaussianKeys,
    GaussianNoise,
    GaussianTopK,
    GumbelTopK,
    Histogram,
    KeySelection,
    ManyQuantiles,
    NoisyCount,
    NoisyMoments,
    NoisyTopK,
    PartitionSelection,
    PermuteAndFlip,
    PrivateSparseVector,
    PrivateTopK,
    QuantileInterval,
    TopKAbove,
)
from dpduck.kernel.errors import InternalError

CLASSES: Mapping[str, type[Event]] = {
    "release": Event,
    "noisy_top_k": NoisyTopK,
    "private_top_k": PrivateTopK,
    "gumbel_top_k": GumbelTopK,
    "permute_and_flip": PermuteAndFlip,
    "many_quantiles": ManyQuantiles,
    "quantile_interval": QuantileInterval,
    "extreme_value": ExtremeValue,
    "exponential_mechanism": ExponentialMechanism,
    "noisy_count": NoisyCount,
    "histogram": Histogram,
    "distinct_counts": DistinctCounts,
    "chosen_group_counts": ChosenGroupCounts,
    "bounded_sums": BoundedSums,
    "clamped_sums": ClampedSums,
    "clamp_choice": ClampChoice,
    "average": Average,
    "moments": NoisyMoments,
    "gaussian": GaussianNoise,
    "gaussian_keys": GaussianKeys,
    "gaussian_top_k": GaussianTopK,
    "above_threshold": AboveThreshold,
    "private_sparse_vector": PrivateSparseVector,
    "top_k_above": TopKAbove,
    "partition_selection": PartitionSelection,
    "key_selection": KeySelection,
    "composed": Composed,
}
_NAMES = {kind: name for name, kind in CLASSES.items()}
_AMOUNTS = ("epsilon", "delta", "mu_squared", "rate")  # exact fractions; all other numbers count things
_FRACTION = re.compile(r"[0-9]+(/[0-9]+)?", re.ASCII)


def write_event(event: Event) -> str:
    """Write an event as canonical JSON. Errors: InternalError if it cannot be read back.

    >>> write_event(NoisyTopK(Fraction(1, 10), k=3))
    '{"delta":"0","epsilon":"1/10","event":"noisy_top_k","k":3}'
    """
    text = _text(event)
    try:
        whole = read_event(text) == event
    except ValueError:
        whole = False
    if not whole:
        raise InternalError(f"an event of the class {type(event).__name__} cannot be recorded")
    return text


def read_event(text: str) -> Event:
    """Read an event back. Errors: ValueError for any text that `write_event` would not write.

    >>> read_event('{"delta":"0","epsilon":"1/10","event":"noisy_count"}')
    NoisyCount(epsilon=Fraction(1, 10), delta=Fraction(0, 1), groups=1)
    """
    try:
        event = _event(json.loads(text))
        canonical = _text(event) == text
    except (TypeError, KeyError, ArithmeticError, RecursionError) as error:
        raise ValueError("not an event") from error
    if not canonical:
        raise ValueError("not as an event is written")
    return event


def _text(event: Event) -> str:
    return json.dumps(_parameters(event), sort_keys=True, separators=(",", ":"))


def _parameters(event: Event) -> dict[str, object]:
    name = _NAMES.get(type(event))
    if name is None:
        raise InternalError(f"events of the class {type(event).__name__} have no name in the ledger")
    if isinstance(event, Composed):
        return {"event": name, "parts": [_parameters(part) for part in event.parts]}
    values = {field.name: getattr(event, field.name) for field in fields(event)}
    if values.get("groups") == 1:
        del values["groups"]  # claims nothing more, as before version 5, whose records have no groups
    amounts = {amount: str(Fraction(values[amount])) for amount in _AMOUNTS if amount in values}
    return {"event": name, **values, **amounts}


def _event(parameters: dict[str, Any]) -> Event:
    values = dict(parameters)
    kind = CLASSES[values.pop("event")]
    if kind is Composed:
        return Composed.of(*map(_event, values["parts"]))
    own = {field.name for field in fields(kind)}
    amounts = {amount: _fraction(values.pop(amount)) for amount in _AMOUNTS if amount in own}
    if any(type(number) is not int or number < 1 for number in values.values()):
        raise ValueError("not a number of things")
    return kind(**amounts, **values)


def _fraction(text: str) -> Fraction:
    """Parse a non-negative fraction without an exponent, since that could make a short text a huge number."""
    if _FRACTION.fullmatch(text) is None:
        raise ValueError("not a fraction")
    return Fraction(text)
