"""Tables for the benchmarks: generated with the statistics of the published ones, or the user's own files.

Generated tables come from a seeded generator (the data only: no noise is ever seeded), are kept as
Parquet in a cache folder, and shrink with `scale`. Their sizes are those of the papers' data:

    kosarak    990,002 baskets, 41,270 items, 8.3 million rows (basket, item), a long tail
    bms_pos    515,597 baskets,  1,657 items, 3.4 million rows
    t40i10     100,000 baskets,    942 items, 4.0 million rows
    retail      88,162 baskets, 16,470 items, 0.9 million rows; only where the file is missing
    t10i4      100,000 baskets,    870 items, 1.0 million rows; only where the file is missing
    numbers    10 million rows: i INTEGER, x DOUBLE, both long-tailed
    clicks     5 million rows over 1,000,000 candidates
    histograms 1024 bins; only where the file is missing
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

SEED = 20260722
VERSION = 1  # part of the names in the cache: raise it when a generator changes

_FILES = {
    "retail": "retail.parquet",
    "t10i4": "t10i4d100k.parquet",
    "histograms": "dpbench.parquet",
    "kosarak": "kosarak.parquet",
    "bms_pos": "bms_pos.parquet",
    "t40i10": "t40i10d100k.parquet",
}


@dataclass(frozen=True)
class Baskets:
    """The statistics of a table of baskets; items are drawn with weight (rank + offset)^-exponent."""

    baskets: int
    items: int
    rows: int
    exponent: float
    offset: float

    def scaled(self, scale: float) -> Baskets:
        """The same table with about `scale` times the rows."""
        baskets = max(int(self.baskets * scale), 20)
        items = max(min(int(self.items * scale**0.5), baskets), 12)
        rows = min(max(int(self.rows * scale), 2 * baskets), baskets * items // 3)
        return Baskets(baskets, items, rows, self.exponent, self.offset)


BASKETS = {
    "kosarak": Baskets(990_002, 41_270, 8_300_000, 1.15, 1.0),
    "bms_pos": Baskets(515_597, 1_657, 3_367_020, 1.1, 2.0),
    "t40i10": Baskets(100_000, 942, 3_960_507, 0.6, 5.0),
    "retail": Baskets(88_162, 16_470, 908_576, 1.0, 1.0),
    "t10i4": Baskets(100_000, 870, 1_010_228, 0.6, 5.0),
}


@dataclass(frozen=True)
class Source:
    """Where tables come from: the user's own files in `data` if they are there, else the cache."""

    cache: Path
    data: Path | None = None
    scale: float = 1.0

    @classmethod
    def of(cls, cache: Path | None, data: Path | None, scale: float) -> Source:
        """Input: the folders of the command line; without a cache, one in the system's temporary folder."""
        return cls(cache or Path(tempfile.gettempdir()) / "dpduck-benchmarks", data, scale)

    def path(self, name: str) -> Path:
        """The Parquet file of a table, generated if need be. `own` tells whether it is the user's."""
        own = self._own(name)
        if own is not None:
            return own
        path = self.cache / f"{name}-{self.scale:g}-{VERSION}.parquet"
        if not path.exists():
            self.cache.mkdir(parents=True, exist_ok=True)
            unfinished = path.with_suffix(".part")
            pq.write_table(generate(name, self.scale), unfinished)
            unfinished.rename(path)
        return path

    def own(self, name: str) -> bool:
        """Whether the table is the user's own file, and not generated."""
        return self._own(name) is not None

    def _own(self, name: str) -> Path | None:
        if self.data is None or name not in _FILES:
            return None
        path = self.data / _FILES[name]
        return path if path.exists() else None


def generate(name: str, scale: float = 1.0) -> pa.Table:
    """A table by name, the same in every run.

    >>> generate("clicks", 1e-6).num_rows
    100
    """
    rng = np.random.default_rng([SEED, *name.encode()])
    if name in BASKETS:
        return _baskets(BASKETS[name].scaled(scale), rng)
    generators: dict[str, Callable[[float, np.random.Generator], pa.Table]] = {
        "numbers": _numbers,
        "clicks": _clicks,
        "histograms": _histograms,
    }
    return generators[name](scale, rng)


def _baskets(shape: Baskets, rng: np.random.Generator) -> pa.Table:
    """Distinct pairs of basket and item in the order of baskets; every basket and every item occurs."""
    everything = rng.permutation(shape.baskets)[: shape.items]
    first = _items(shape, shape.baskets, rng)
    first[everything] = np.arange(shape.items)
    firsts = np.arange(shape.baskets, dtype=np.int64) * shape.items + first
    pairs = firsts
    while len(pairs) < shape.rows:
        missing = shape.rows - len(pairs)
        baskets = rng.choice(shape.baskets, 2 * missing, p=_sizes(shape, rng)).astype(np.int64)
        more = np.unique(baskets * shape.items + _items(shape, 2 * missing, rng))
        more = np.setdiff1d(more, pairs, assume_unique=True)
        pairs = np.concatenate((pairs, rng.permutation(more)[:missing]))
    pairs.sort()
    names = rng.permutation(shape.items).astype(np.int32)
    return pa.table(
        {"basket_id": (pairs // shape.items).astype(np.int32), "item": names[pairs % shape.items]}
    )


def _items(shape: Baskets, count: int, rng: np.random.Generator) -> NDArray[np.int64]:
    return _long_tailed(shape.items, count, shape.exponent, shape.offset, rng)


def _sizes(shape: Baskets, rng: np.random.Generator) -> NDArray[np.float64]:
    """Chances of the baskets to get a row: some are much larger than others."""
    weights: NDArray[np.float64] = rng.lognormal(0.0, 1.0, shape.baskets)
    weights /= weights.sum()
    return weights


def _long_tailed(
    size: int, count: int, exponent: float, offset: float, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Draw ranks from 0 with weight (rank + offset)^-exponent."""
    upto = np.cumsum((np.arange(size) + offset) ** -exponent)
    ranks: NDArray[np.int64] = np.searchsorted(upto, rng.random(count) * upto[-1], side="right")
    return np.minimum(ranks, size - 1)


def _numbers(scale: float, rng: np.random.Generator) -> pa.Table:
    count = max(int(10_000_000 * scale), 100)
    amounts = rng.lognormal(10.0, 0.8, count)
    return pa.table({"i": np.minimum(amounts, 2e9).astype(np.int32), "x": rng.lognormal(3.0, 1.0, count)})


def _clicks(scale: float, rng: np.random.Generator) -> pa.Table:
    count, size = max(int(5_000_000 * scale), 100), candidates(scale)
    names = rng.permutation(size).astype(np.int32)
    return pa.table({"item": names[_long_tailed(size, count, 1.0, 1.0, rng)]})


def candidates(scale: float) -> int:
    """The number of candidates of `clicks`, which are 0, 1, ..."""
    return max(int(1_000_000 * scale), 20)


def _histograms(scale: float, rng: np.random.Generator) -> pa.Table:
    bins = np.arange(1024, dtype=np.int32)
    shapes: Sequence[tuple[str, float, float]] = (
        ("hepth", 350_000, 0.10),
        ("searchlogs", 340_000, 0.03),
        ("patent", 28_000_000, 0.50),
    )
    columns: dict[str, NDArray[np.generic]] = {"bin": bins}
    for name, total, width in shapes:
        bump = np.exp(-(((bins - 400) / (1024 * width)) ** 2)) * rng.lognormal(0, 0.5, 1024)
        columns[name] = (total * scale * bump / bump.sum()).astype(np.int64)
    return pa.table(columns)
