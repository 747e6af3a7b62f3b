"""What the dp_ functions compute: from one call's arguments to a priced evaluation.

A row is a unit here, and the caller vouches for what the rows are. `prepare` checks the arguments
and says what the call costs; only after that was charged does `run` draw noise.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from dpduck.columns import decimal_ticks, scores_of
from dpduck.errors import ParameterError, decimal_text
from dpduck.events import Event, Exponential, NoisyTopK, PermuteAndFlip, PrivateTopK, SparseVector
from dpduck.grid import Grid
from dpduck.mechanisms.private_topk import private_top_k
from dpduck.mechanisms.quantile import Values, quantile
from dpduck.mechanisms.selection import check_candidates, exponential, permute_and_flip
from dpduck.mechanisms.sparse_vector import above_threshold, check_threshold
from dpduck.mechanisms.topk import check_k, top_k
from dpduck.mechanisms.topk_counts import top_k_counts
from dpduck.noise import Entropy
from dpduck.quantities import parse_decimal, parse_delta, parse_epsilon
from dpduck.scores import PlainScores
from dpduck.sqltypes import SqlType, parse_type
from dpduck.tally import occurrences, value_counts

Integers = NDArray[np.int64]
Scalar = Any  # a Python value as Arrow hands it over

FLOAT_STEPS = 2**20  # scores given as DOUBLE are rounded to this fraction of the sensitivity


@dataclass(frozen=True)
class Outcome:
    """The value of a call that shows itself how much of its charge was used."""

    value: object
    used: Event


@dataclass(frozen=True)
class Evaluation:
    """One call that is ready to be charged: its event, how the ledger calls it, and the rest."""

    event: Event
    text: str
    run: Callable[[Entropy], object]


@dataclass(frozen=True)
class Function:
    """One scalar function: its name, the DuckDB type of its value, and how a call is prepared."""

    name: str
    value_type: str
    arrow_type: pa.DataType
    prepare: Callable[..., Evaluation]


def _top_k(rows: pa.Array, k: Scalar, eps: Scalar) -> Evaluation:
    return _selection("dp_top_k", _run_top_k, rows, k, eps)


def _top_k_counts(rows: pa.Array, k: Scalar, eps: Scalar) -> Evaluation:
    return _selection("dp_top_k_counts", _run_top_k_counts, rows, k, eps)


def _selection(
    name: str,
    run: Callable[[_Candidates, int, Fraction, Entropy], object],
    rows: pa.Array,
    k: Scalar,
    eps: Scalar,
) -> Evaluation:
    epsilon, size = parse_epsilon(eps), _whole(k, "k")
    column = _Candidates.of(rows, "count_col")
    check_k(size, len(column.scores))
    text = f"{name}(k = {size}, eps = {decimal_text(epsilon)})"
    return Evaluation(NoisyTopK(epsilon, k=size), text, partial(run, column, size, epsilon))


def _run_top_k(column: _Candidates, k: int, epsilon: Fraction, entropy: Entropy) -> object:
    release = top_k(PlainScores(column.scores), k, epsilon, entropy)
    return [
        {"rank": rank, "index": column.index(candidate), "gap": gap}
        for rank, (candidate, gap) in enumerate(zip(release.candidates, release.gaps, strict=True), 1)
    ]


def _run_top_k_counts(column: _Candidates, k: int, epsilon: Fraction, entropy: Entropy) -> object:
    release = top_k_counts(PlainScores(column.scores), k, epsilon, entropy)
    found = release.found
    rows = zip(release.candidates, found.counts, found.lows, found.highs, release.gaps, strict=True)
    return [
        {
            "rank": rank,
            "index": column.index(candidate),
            "count": count,
            "low": low,
            "high": high,
            "gap": gap,
        }
        for rank, (candidate, count, low, high, gap) in enumerate(rows, 1)
    ]


def _above(rows: pa.Array, threshold: Scalar, k: Scalar, eps: Scalar) -> Evaluation:
    epsilon, size, least = parse_epsilon(eps), _whole(k, "k"), _whole(threshold, "threshold")
    column = _Candidates.of(rows, "count_col")
    _check_candidates_above(size, len(column.scores))
    check_threshold(least)
    text = f"dp_above(threshold = {least}, k = {size}, eps = {decimal_text(epsilon)})"
    event = SparseVector(epsilon, k=size)
    return Evaluation(event, text, partial(_run_above, column, least, size, epsilon))


def _check_candidates_above(k: int, count: int) -> None:
    if not 1 <= k < count:
        raise ParameterError(
            f"k is {k} but there are only {count} candidates" if k >= count else f"k is {k}",
            detail="It is the number of answers that the budget is for, and less than that of candidates.",
            hint="Ask for fewer, such as 10.",
        )


def _run_above(column: _Candidates, threshold: int, k: int, epsilon: Fraction, entropy: Entropy) -> Outcome:
    release = above_threshold(column.scores, threshold, k, epsilon, entropy)
    rows = [
        {
            "index": column.index(candidate),
            "gap": float(gap),
            "estimate": estimate,
            "low": max(low, min(estimate, 0.0)),  # a count is at least 0
            "high": high,
            "epsilon_used": float(used),
        }
        for candidate, gap, estimate, low, high, used in zip(
            release.candidates,
            release.gaps,
            release.estimates,
            release.lows,
            release.highs,
            release.costs,
            strict=True,
        )
    ]
    return Outcome(rows, release.used)


def _select(rows: pa.Array, eps: Scalar, sensitivity: Scalar, monotonic: Scalar) -> Evaluation:
    epsilon, bound = parse_epsilon(eps), parse_decimal(sensitivity, "sensitivity")
    if bound <= 0:
        raise ParameterError(f"sensitivity {sensitivity} is not positive", hint="Write sensitivity := 1.")
    if not isinstance(monotonic, bool):
        raise ParameterError("monotonic is neither true nor false", hint="Write monotonic := true.")
    column, unit, steps = _scaled(rows, bound)
    check_candidates(len(column.scores), 2)
    claim = f"sensitivity = {decimal_text(bound)}, monotonic = {str(monotonic).lower()}"
    return Evaluation(
        Exponential(epsilon),
        f"dp_select(eps = {decimal_text(epsilon)}, {claim})",
        partial(_run_select, column, unit, steps, epsilon, monotonic),
    )


def _run_select(
    column: _Candidates, unit: Fraction, steps: Fraction, epsilon: Fraction, monotonic: bool, entropy: Entropy
) -> object:
    release = exponential(
        PlainScores(column.scores), epsilon, entropy, monotonic=monotonic, sensitivity=steps
    )
    gap = release.gap * float(unit)
    return {"index": column.index(release.candidate), "gap": gap, "p_value": release.p_value}


def _mode(values: pa.Array, type_name: Scalar, eps: Scalar, domain: Scalar, delta: Scalar) -> Evaluation:
    epsilon, sql_type = parse_epsilon(eps), parse_type(type_name)
    if sql_type.kind == "other":
        raise ParameterError(f"dp_mode does not take {type_name}", hint="Cast the column to VARCHAR.")
    text = f"dp_mode(eps = {decimal_text(epsilon)})"
    labels = _domain(domain, sql_type, values.type)
    if labels is not None:
        return Evaluation(PermuteAndFlip(epsilon), text, partial(_run_mode, values, labels, epsilon))
    if delta is None:
        raise ParameterError(
            "dp_mode needs a domain or a delta",
            detail="Values that are known from private rows only would reveal who is present.",
            hint="Write domain := ['a', 'b'], or delta := 1e-6.",
        )
    chance = parse_delta(delta)
    if chance == 0:
        raise ParameterError("delta is 0", hint="Write delta := 1e-6, or give a domain.")
    event = PrivateTopK(epsilon, chance, k=1)
    return Evaluation(event, text, partial(_run_private_mode, values, epsilon, chance))


def _run_mode(values: pa.Array, labels: pa.Array, epsilon: Fraction, entropy: Entropy) -> object:
    counts = occurrences(values, labels)
    winner = permute_and_flip(PlainScores(counts), epsilon, entropy, monotonic=True)
    return _text(labels[winner.candidate].as_py())


def _run_private_mode(values: pa.Array, epsilon: Fraction, delta: Fraction, entropy: Entropy) -> object:
    distinct, counts = value_counts(values)
    release = private_top_k(PlainScores(counts), 1, epsilon, delta, entropy, groups=1, measure=False)
    return _text(distinct[release.candidates[0]].as_py()) if release.candidates else None


def _quantile(
    values: pa.Array, type_name: Scalar, q: Scalar, eps: Scalar, lo: Scalar, hi: Scalar, step: Scalar
) -> Evaluation:
    epsilon, fraction = parse_epsilon(eps), parse_decimal(q, "quantile")
    if not 0 < fraction < 1 or fraction.denominator > 10**6:
        raise ParameterError(
            f"quantile {q} is out of range",
            detail="A quantile lies between 0 and 1 and has at most 6 decimal places.",
            hint="Write 0.5 for the median, or 0.95.",
        )
    grid = Grid.of(parse_type(type_name), lo, hi, step)
    name = "dp_median(" if fraction == Fraction(1, 2) else f"dp_quantile(q = {decimal_text(fraction)}, "
    return Evaluation(
        PermuteAndFlip(epsilon),
        f"{name}eps = {decimal_text(epsilon)})",
        partial(_run_quantile, values, grid, fraction, epsilon),
    )


def _run_quantile(values: pa.Array, grid: Grid, q: Fraction, epsilon: Fraction, entropy: Entropy) -> object:
    sample = Values(grid.offsets(values), grid.points)
    return _text(grid.value(quantile(sample, grid.points, q, epsilon, entropy).offset))


@dataclass(frozen=True, repr=False)
class _Candidates:
    """The candidates of a call: their scores, and their places among the aggregate's rows."""

    scores: Integers
    places: Integers | None

    @classmethod
    def of(cls, rows: pa.Array, name: str) -> _Candidates:
        """Rows are scores, or structs of key and score; a NULL score makes no candidate."""
        column, places = _present(rows)
        return cls(scores_of(column, name), places)

    def index(self, candidate: int) -> int:
        """The candidate's row, from 1."""
        return (candidate if self.places is None else int(self.places[candidate])) + 1


def _present(rows: pa.Array) -> tuple[pa.Array, Integers | None]:
    column = rows.flatten()[rows.type.get_field_index("score")] if pa.types.is_struct(rows.type) else rows
    if column.null_count == 0:
        return column, None
    return column.drop_null(), np.flatnonzero(column.is_valid().to_numpy(zero_copy_only=False))


def _scaled(rows: pa.Array, sensitivity: Fraction) -> tuple[_Candidates, Fraction, Fraction]:
    """Scores in whole units, the unit, and the sensitivity in units.

    Floats are rounded to a grid of sensitivity / 2^20 and clamped to 2^50 of its steps: rounding,
    with the error of the division, moves a difference of two scores by at most two steps.
    """
    column, places = _present(rows)
    if pa.types.is_floating(column.type):
        values = column.to_numpy(zero_copy_only=False).astype(np.float64)
        numbers = ~np.isnan(values)
        if not numbers.all():
            places = np.flatnonzero(numbers) if places is None else places[numbers]
            values = values[numbers]
        unit = sensitivity / FLOAT_STEPS
        rounded = np.rint(np.clip(values / float(unit), -(2.0**50), 2.0**50))
        return _Candidates(rounded.astype(np.int64), places), unit, Fraction(FLOAT_STEPS + 2)
    if pa.types.is_decimal128(column.type):
        unit = Fraction(1, 10**column.type.scale)
        return _Candidates(decimal_ticks(column), places), unit, sensitivity / unit
    return _Candidates(scores_of(column, "score"), places), Fraction(1), sensitivity


def _domain(domain: Scalar, sql_type: SqlType, arrow_type: pa.DataType) -> pa.Array | None:
    """The public values that may win, of the column's own type; None if there are none."""
    values = None if domain is None else domain["list"]
    if domain is not None and domain["progression"] is not None:
        first, step, size = domain["progression"]
        values = pa.array(first + step * np.arange(size))
    if values is None:
        if sql_type.kind == "boolean":
            return pa.array([False, True])
        return pa.array(sql_type.members) if sql_type.kind == "enum" else None
    if isinstance(values, pa.Array) or _all_different(values):
        target = pa.string() if sql_type.kind == "enum" else arrow_type
        try:
            return pa.array(values).cast(target)
        except (pa.ArrowException, ValueError):
            pass
    raise ParameterError(
        f"the domain is no list of different values of type {sql_type.name}",
        detail="Each value that may be the answer is named once, without NULL.",
        hint="Write domain := ['a', 'b'].",
    )


def _all_different(values: Scalar) -> bool:
    return isinstance(values, list) and None not in values and 0 < len(values) == len(set(values))


def _text(value: object) -> str:
    """The value as text that DuckDB casts back to the column's type without loss."""
    return repr(value) if isinstance(value, float) else str(value)


def _whole(value: Scalar, name: str) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise ParameterError(
        f"{name} is not a whole number", hint=f"Write a positive integer for {name}, such as 10."
    )


_ROW = pa.struct([("rank", pa.int32()), ("index", pa.int64()), ("gap", pa.float64())])
_COUNT_ROW = pa.struct(
    [
        ("rank", pa.int32()),
        ("index", pa.int64()),
        ("count", pa.float64()),
        ("low", pa.float64()),
        ("high", pa.float64()),
        ("gap", pa.float64()),
    ]
)
_ABOVE_ROW = pa.struct(
    [
        ("index", pa.int64()),
        ("gap", pa.float64()),
        ("estimate", pa.float64()),
        ("low", pa.float64()),
        ("high", pa.float64()),
        ("epsilon_used", pa.float64()),
    ]
)
_WINNER = pa.struct([("index", pa.int64()), ("gap", pa.float64()), ("p_value", pa.float64())])

FUNCTIONS: Sequence[Function] = (
    Function("top_k", 'STRUCT(rank INTEGER, "index" BIGINT, gap DOUBLE)[]', pa.list_(_ROW), _top_k),
    Function(
        "top_k_counts",
        'STRUCT(rank INTEGER, "index" BIGINT, "count" DOUBLE, low DOUBLE, high DOUBLE, gap DOUBLE)[]',
        pa.list_(_COUNT_ROW),
        _top_k_counts,
    ),
    Function(
        "above",
        'STRUCT("index" BIGINT, gap DOUBLE, estimate DOUBLE, low DOUBLE, high DOUBLE, epsilon_used DOUBLE)[]',
        pa.list_(_ABOVE_ROW),
        _above,
    ),
    Function("select", 'STRUCT("index" BIGINT, gap DOUBLE, p_value DOUBLE)', _WINNER, _select),
    Function("mode", "VARCHAR", pa.string(), _mode),
    Function("quantile", "VARCHAR", pa.string(), _quantile),
)
