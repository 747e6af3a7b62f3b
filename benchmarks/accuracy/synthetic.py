"""Synthetic rows: how far their counts are off beside the raw numbers of the summary that they are made of.

The tables have the shapes of two that cannot be here: `adult4` (48,842 people with a row each; age in 9
bands, education 16, marital 7, sex 2: most cells are empty or nearly so) and `shop4` (71,666 visits; page 20,
region 8, age in 10 bands, month 12). Each is drawn from a mixture, so that columns depend on each other. The
summaries have all tables of up to three columns, at epsilon 1. The references were measured on the tables
themselves, with 400 or 3,000 steps of mirror descent: ratios to raw numbers compare, and not the numbers.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.accuracy import Table
from dpduck.kernel.noise import Entropy, SystemEntropy
from dpduck.summaries.answers import QUANTILE
from dpduck.summaries.design import Design, Kind
from dpduck.summaries.joint import most_likely, whole
from dpduck.summaries.kept import Contents
from dpduck.summaries.linear_queries import table_query
from dpduck.summaries.release import noised
from dpduck.summaries.residuals import Columns, summed_out, table_of
from dpduck.summaries.workload import tables_of
from tests.summaries.simulated import KINDS, designed_for, variance

Floats = NDArray[np.float64]
Counts = Mapping[str, Floats]  # of full cells, by what made them

RUNS = 5
WAYS = (1, 2, 3)
_RANGES = 200
# rmse of 1-, 2-, 3-way tables and of ranges: raw, and the most likely counts that are not below 0.
REFERENCE = {
    ("adult4", "laplace"): ((13.2, 8.0, 12.3, 21.2), (12.3, 7.0, 5.3, 15.8)),
    ("adult4", "gaussian"): ((12.8, 11.6, 11.4, 20.3), (12.9, 9.3, 5.7, 17.8)),
    ("shop4", "laplace"): ((28.1, 15.1, 8.4, 46.3), (42.1, 13.7, 6.9, 61.5)),
    ("shop4", "gaussian"): ((14.3, 13.5, 12.7, 37.2), (14.6, 12.2, 7.2, 30.6)),
}
# Coverage, rmse of cells below 5 and above 100, bias and rmse of sums by age band, of Gaussian noise.
SPARSE_REFERENCE = {
    "raw": (0.950, 12.16, 12.28, -0.05, 12.8),
    "clipped at 0": (0.970, 8.64, 12.28, 317.7, 335.9),
    "most likely": (0.997, 1.57, 10.90, 0.10, 13.8),
}


@dataclass(frozen=True)
class Population:
    """A table of counts, an axis for each column."""

    counts: Floats

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of values of each column."""
        return self.counts.shape

    @property
    def every(self) -> Columns:
        """All columns."""
        return tuple(range(self.counts.ndim))


def mixture(sizes: Sequence[int], even: Sequence[float], rows: int, parts: int, seed: int) -> Population:
    """Rows of a mixture of independent columns. Input: how even each column is in each part."""
    draw = np.random.default_rng(seed)
    weights = draw.dirichlet(np.full(parts, 1.5))
    columns = [draw.dirichlet(np.full(size, own), parts) for size, own in zip(sizes, even, strict=True)]
    shares = np.zeros(sizes)
    for part, weight in enumerate(weights):
        shares += weight * np.einsum("a,b,c,d->abcd", *(column[part] for column in columns))
    drawn = draw.multinomial(rows, (shares / shares.sum()).reshape(-1))
    return Population(drawn.reshape(sizes).astype(np.float64))


def adult4(rows: int = 48_842) -> Population:
    """The people."""
    return mixture((9, 16, 7, 2), (0.5, 0.12, 0.12, 0.6), rows, 10, 3)


def populations() -> dict[str, Population]:
    """The tables."""
    return {"adult4": adult4(), "shop4": mixture((20, 8, 10, 12), (0.6, 1.0, 1.0, 3.0), 71_666, 10, 7)}


@dataclass(frozen=True)
class Released:
    """What a summary says: residuals, how exact they are, and the numbers that are made of them."""

    population: Population
    residuals: Mapping[Columns, Floats]
    design: Design
    likely: Floats
    seconds: float

    def raw(self, table: Columns) -> Floats:
        """The unbiased estimate of a table."""
        return table_of(self.residuals, table, self.population.sizes)

    def true(self, table: Columns) -> Floats:
        """The table itself."""
        return summed_out(self.population.counts, self.population.every, table)

    def fitted(self, table: Columns) -> Floats:
        """The table of the most likely counts."""
        return summed_out(self.likely, self.population.every, table)


def released(population: Population, entropy: Entropy, kind: Kind = "laplace") -> Released:
    """One release of all tables of up to three columns."""
    sizes = population.sizes
    design = designed_for(tables_of(3, sizes), sizes, kind)
    exact = {
        table: summed_out(population.counts, population.every, table).astype(np.int64)
        for table in design.tables
    }
    residuals = Contents(design, noised(exact, design, entropy)).residuals
    begin = time.perf_counter()
    likely = most_likely(residuals, design.variances, sizes, design.shapes)
    return Released(population, residuals, design, likely, time.perf_counter() - begin)


# --- all tables ----------------------------------------------------------------------------------


def ranges(sizes: Sequence[int]) -> Iterator[tuple[Columns, tuple[slice, ...]]]:
    """Random ranges of one to three columns, always the same: the columns, and the cells of each."""
    draw = np.random.default_rng(5)
    for _ in range(_RANGES):
        part = tuple(sorted(draw.choice(len(sizes), draw.integers(1, 4), replace=False).tolist()))
        ends = [np.sort(draw.choice(sizes[c] + 1, 2, replace=False)).tolist() for c in part]
        yield part, tuple(slice(low, high) for low, high in ends)


def errors(one: Released, table_of_columns: Callable[[Columns], Floats]) -> list[float]:
    """The mean squared error of a cell of all 1-, 2- and 3-way tables, and that of ranges.

    Of a cell: a table of many cells weighs as much as all of them.
    """
    found = []
    for ways in WAYS:
        parts = itertools.combinations(one.population.every, ways)
        squares = [((table_of_columns(part) - one.true(part)) ** 2).reshape(-1) for part in parts]
        found.append(np.concatenate(squares).mean())
    off = [
        float((table_of_columns(part) - one.true(part))[inside].sum()) ** 2
        for part, inside in ranges(one.population.sizes)
    ]
    return [*map(float, found), float(np.mean(off))]


def margins(name: str, population: Population, kind: Kind, runs: int = RUNS) -> Table:
    """Tables and ranges, raw, of the most likely counts, and of whole rows."""
    squares: dict[str, list[list[float]]] = {"raw": [], "most likely": [], "rows": []}
    seconds = []
    for run in range(runs):
        one = released(population, SystemEntropy(), kind)
        rows = whole(one.likely, run / runs).astype(np.float64)
        squares["raw"].append(errors(one, one.raw))
        squares["most likely"].append(errors(one, one.fitted))
        squares["rows"].append(
            errors(one, lambda table, rows=rows: summed_out(rows, population.every, table))  # type: ignore[misc]
        )
        seconds.append(one.seconds)
    shown: list[tuple[str, ...]] = [("numbers", "1-way", "2-way", "3-way", "ranges", "seconds", "reference")]
    for label, found in squares.items():
        own = np.sqrt(np.mean(found, axis=0))
        reference = dict(zip(("raw", "most likely"), REFERENCE[name, kind], strict=True)).get(label, ())
        took = f"{np.median(seconds):.2f}" if label == "most likely" else ""
        shown.append((label, *(f"{error:.1f}" for error in own), took, ", ".join(map(str, reference))))
    caption = f"rmse of a cell at epsilon 1, {runs} runs, {kind} noise; the reference is of the table itself"
    return Table(f"synthetic-{name}-{kind}", caption, tuple(shown))


# --- cells with few rows -------------------------------------------------------------------------


@dataclass(frozen=True)
class Sparse:
    """How numbers of a table with many small cells do: see `SPARSE_REFERENCE`."""

    coverage: float
    small: float
    large: float
    bias: float
    sums: float
    sums_covered: float


def sparse(population: Population, runs: int, entropy: Callable[[int], Entropy]) -> dict[str, Sparse]:
    """The table of the first three columns, with the intervals of raw numbers; sums are by the first."""
    table = (0, 1, 2)
    found: dict[str, list[tuple[float, ...]]] = {name: [] for name in SPARSE_REFERENCE}
    for run in range(runs):
        one = released(population, entropy(run), "gaussian")
        true, raw, sizes = one.true(table), np.rint(one.raw(table)), population.sizes
        width, wide = (
            QUANTILE * np.sqrt(variance(table_query(part, sizes), one.design).max()) + 0.5
            for part in (table, (0,))
        )
        numbers = {"raw": raw, "clipped at 0": np.maximum(raw, 0), "most likely": one.fitted(table)}
        for name, own in numbers.items():
            off, sums = own - true, (own - true).sum(axis=(1, 2))
            parts = (
                (np.abs(off) <= width).mean(),
                (off[true < 5] ** 2).mean(),
                (off[true > 100] ** 2).mean(),
            )
            found[name].append(
                (
                    *map(float, parts),
                    float(sums.mean()),
                    float((sums**2).mean()),
                    float((np.abs(sums) <= wide).mean()),
                )
            )
    means = {name: np.mean(own, axis=0) for name, own in found.items()}
    return {
        name: Sparse(own[0], own[1] ** 0.5, own[2] ** 0.5, own[3], own[4] ** 0.5, own[5])
        for name, own in means.items()
    }


def small_cells(population: Population, runs: int = RUNS) -> Table:
    """What becomes of cells with few rows, and of sums over many of them."""
    shown: list[tuple[str, ...]] = [
        ("numbers", "in raw interval", "below 5", "above 100", "bias of sums", "rmse of sums", "reference")
    ]
    for name, own in sparse(population, runs, lambda _: SystemEntropy()).items():
        cells = (
            f"{own.coverage:.3f}",
            f"{own.small:.2f}",
            f"{own.large:.2f}",
            f"{own.bias:.1f}",
            f"{own.sums:.1f}",
        )
        shown.append((name, *cells, ", ".join(map(str, SPARSE_REFERENCE[name]))))
    caption = f"cells of three columns of adult4, {runs} runs; sums by age band; Gaussian noise"
    return Table("synthetic-small-cells", caption, tuple(shown))


# --- all of them ---------------------------------------------------------------------------------


def tables() -> Sequence[Table]:
    """All tables of this section."""
    known = populations()
    found = [margins(name, population, kind) for name, population in known.items() for kind in KINDS]
    return [*found, small_cells(known["adult4"])]
