"""OpenDP's noisy top-k, where the package is installed (`pip install '.[bench]'`)."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

import pyarrow as pa

from benchmarks.performance.timing import Way

dp: ModuleType | None
try:
    dp = import_module("opendp.prelude")
except ImportError:
    dp = None

MISSING = "OpenDP is not installed, so its times are left out: pip install '.[bench]'"


def installed() -> bool:
    """Whether there is a rival."""
    return dp is not None


def top_k(column: pa.Array, k: int, epsilon: str) -> Way | None:
    """The k best of a column of scores, without gaps; None where OpenDP is missing."""
    if dp is None:
        return None
    dp.enable_features("contrib")
    select = dp.m.make_noisy_top_k(
        dp.vector_domain(dp.atom_domain(T=int)),
        dp.linf_distance(T=int, monotonic=True),
        dp.max_divergence(),
        k=k,
        scale=k / float(epsilon),
    )
    return lambda: select(column.to_pylist())
