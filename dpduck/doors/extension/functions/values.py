"""dp_mode, dp_median and dp_quantile, where each row is one value."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

import numpy as np
import pyarrow as pa

from dpduck.doors.extension.functions.calls import Evaluation, Scalar, chance, check_type, said
from dpduck.doors.extension.value_counts import occurrences, value_counts
from dpduck.kernel.accounting.amounts import parse_decimal, parse_epsilon
from dpduck.kernel.accounting.events import PermuteAndFlip, PrivateTopK
from dpduck.kernel.catalog.types import SqlType, parse_type
from dpduck.kernel.errors import ParameterError, decimal_text
from dpduck.kernel.mechanisms.grid import Grid
from dpduck.kernel.mechanisms.private_topk import private_top_k
from dpduck.kernel.mechanisms.quantile import Values, quantile
from dpduck.kernel.mechanisms.selection import permute_and_flip
from dpduck.kernel.noise import Entropy
from dpduck.kernel.scores import PlainScores


def prepare_mode(
    values: pa.Array, type_name: Scalar, eps: Scalar, domain: Scalar, delta: Scalar
) -> Evaluation:
    """dp_mode: the most frequent value. Errors: ParameterError."""
    check_type(type_name)
    epsilon, sql_type = parse_epsilon(eps), parse_type(type_name)
    if sql_type.kind == "other":
        raise ParameterError(f"dp_mode does not take {type_name}", hint="Cast the column to VARCHAR.")
    text = f"dp_mode(eps = {decimal_text(epsilon)})"
    labels = _domain(domain, sql_type, values.type)
    if labels is not None:
        return Evaluation(PermuteAndFlip(epsilon), text, partial(_public_mode, values, labels, epsilon))
    of_private = chance(delta)
    if of_private is None:
        raise ParameterError(
            "dp_mode needs a domain or a delta",
            detail="Values that are known from private rows only would reveal who is present.",
            hint="Write domain := ['a', 'b'], or delta := 1e-6.",
        )
    text = f"dp_mode(eps = {decimal_text(epsilon)}{said(of_private)})"
    event = PrivateTopK(epsilon, of_private, k=1)
    return Evaluation(event, text, partial(_private_mode, values, epsilon, of_private))


def _public_mode(values: pa.Array, labels: pa.Array, epsilon: Fraction, entropy: Entropy) -> object:
    counts = occurrences(values, labels)
    winner = permute_and_flip(PlainScores(counts), epsilon, entropy, monotonic=True)
    return _text(labels[winner.candidate].as_py())


def _private_mode(values: pa.Array, epsilon: Fraction, delta: Fraction, entropy: Entropy) -> object:
    distinct, counts = value_counts(values)
    release = private_top_k(PlainScores(counts), 1, epsilon, delta, entropy, groups=1, measure=False)
    return _text(distinct[release.candidates[0]].as_py()) if release.candidates else None


def prepare_quantile(
    values: pa.Array, type_name: Scalar, q: Scalar, eps: Scalar, lo: Scalar, hi: Scalar, step: Scalar
) -> Evaluation:
    """dp_quantile and dp_median. Errors: ParameterError."""
    check_type(type_name)
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


def _domain(domain: Scalar, sql_type: SqlType, arrow_type: pa.DataType) -> pa.Array | None:
    """The public values that may win, of the column's type; None if there are none."""
    values = None if domain is None else domain["list"]
    if domain is not None and domain["progression"] is not None:
        first, step, size = domain["progression"]
        values = pa.array(first + step * np.arange(size))
    if values is None:
        if sql_type.kind == "boolean":
            return pa.array([False, True])
        return pa.array(sql_type.members) if sql_type.kind == "enum" else None
    if isinstance(values, pa.Array) or _all_different(values, sql_type):
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


def _all_different(values: Scalar, sql_type: SqlType) -> bool:
    if not isinstance(values, list) or None in values or not 0 < len(values) == len(set(values)):
        return False
    return sql_type.kind != "enum" or set(values) <= set(sql_type.members)


def _text(value: object) -> str:
    """The value as text that DuckDB casts back to the column's type without loss."""
    return repr(value) if isinstance(value, float) else str(value)
