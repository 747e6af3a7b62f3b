"""SmartNoise's AIM: docs.smartnoise.org, synthesizers, `Synthesizer.create`, transforms and `fit_sample`.

The transformer is fitted to the public values, since one that AIM fits to the data would show which values
occur. The number of rows is public in AIM: `fit_sample` makes as many as there are.
"""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

# user: every job
import duckdb
from snsynth import Synthesizer
from snsynth.transform import LabelTransformer, TableTransformer

# end

PACKAGE = "smartnoise-synth"
_SIZES = (9, 16, 7, 2)


def pairs(file: str, size: int) -> dict[str, Any]:  # noqa: ARG001
    """Its workload as it is by default: all tables of two columns."""
    return _counted(_made(file, 2))


def triples(file: str, size: int) -> dict[str, Any]:  # noqa: ARG001
    """All tables of three columns, as many as are asked."""
    return _counted(_made(file, 3))


def _made(file: str, degree: int) -> Any:
    # user: every job
    starts = [8, 13, 18, 28, 38, 48, 58, 68]
    band = f"len(list_filter({starts}, lambda start: age >= start))::INTEGER AS age"
    data = duckdb.sql(f"SELECT {band}, education, marital, sex FROM '{file}'").df()
    transformer = TableTransformer([LabelTransformer(nullable=False) for _ in range(4)])
    transformer.fit([[i % 9, i % 16, i % 7, i % 2] for i in range(16)])
    maker = Synthesizer.create("aim", epsilon=1.0, delta=1e-6, degree=degree)
    return maker.fit_sample(data, transformer=transformer)
    # end


def _counted(rows: Any) -> dict[str, Any]:
    """The rows, counted by cell."""
    counts = Counter(rows.itertuples(index=False, name=None))
    return {"cells": [counts[cell] for cell in product(*map(range, _SIZES))]}
