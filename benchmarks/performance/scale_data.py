"""The tables of `scale`: made by DuckDB itself, the same in every run, one file for each size.

A table has as many rows as asked for. Its keys `k<size>` have a long tail, as those of words and shops: key
number r of K has a chance of log((r + 2) / (r + 1)) / log(K + 1), nearly Zipf's law with exponent 1, and the
numbers are spread over the domain, so that neighbours in it have nothing in common. `id` is the primary key;
`u1` is another for which nothing is declared; each value of `u20` has 20 rows, far from each other. `v` is a
whole number from 0 to 1e9, more often a small one; nearly all values differ.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import duckdb

from benchmarks.papers.data import SEED

VERSION = 1  # part of the names in the cache: raise it when a generator changes
MOST = 1_000_000_000  # of `v`
PER_UNIT = 20
_BYTES = 60  # of disk for a row, while it is made
_PRIME = 2_147_483_647  # no factor of any domain below it
_PARTS = 2**53


@dataclass(frozen=True)
class Tables:
    """Where the files are, and the sizes of the domains that their keys have."""

    cache: Path
    candidates: Sequence[int]

    def rows(self, count: int) -> Path:
        """The file with table `t` of that many rows."""
        keys = ", ".join(f"{_key(size, f'r{size}')} AS k{size}" for size in self.candidates)
        names = "-".join(str(size) for size in self.candidates)
        return self._made(
            f"scale-{count}-{names}",
            count,
            f"SELECT i AS id, {_spread('i', count)} AS u1, {_spread('i', max(count // PER_UNIT, 1))} AS u20, "
            f"{keys}, floor(pow({_share('v')}, 3) * {MOST})::INTEGER AS v FROM range({count}) AS range (i)",
        )

    def sparse(self, occupied: int) -> Path:
        """The file with table `t` of two rows per occupied key on average; ten times as many keys are not."""
        own = f"CASE WHEN i < {occupied} THEN i ELSE {_rank(occupied, 'sparse')} END"
        return self._made(
            f"scale-sparse-{occupied}",
            2 * occupied,
            f"SELECT i AS id, {_spread(own, 10 * occupied)}::INTEGER AS k "
            f"FROM range({2 * occupied}) AS range (i)",
        )

    def _made(self, name: str, count: int, sql: str) -> Path:
        path = self.cache / f"{name}-{VERSION}-duckdb-{duckdb.__version__}.duckdb"
        if path.exists():
            return path
        self.cache.mkdir(parents=True, exist_ok=True)
        if shutil.disk_usage(self.cache).free < count * _BYTES:
            raise SystemExit(f"{name} needs {count * _BYTES / 1e9:.1f} GB of disk in {self.cache}")
        unfinished = path.with_suffix(".part")
        unfinished.unlink(missing_ok=True)
        with duckdb.connect(str(unfinished)) as con:
            con.execute("SET enable_progress_bar = false")
            con.execute(f"CREATE TABLE t AS {sql}")
            con.execute("ALTER TABLE t ADD PRIMARY KEY (id)")
        unfinished.rename(path)
        return path


def _share(purpose: str) -> str:
    """A number from 0 to 1 for each row."""
    return f"((hash(i, '{purpose}', {SEED}) >> 11)::DOUBLE / {_PARTS})"


def _rank(size: int, purpose: str) -> str:
    """A long-tailed number from 0 to size - 1 for each row."""
    return f"least(floor(exp({_share(purpose)} * ln({size + 1})))::BIGINT - 1, {size - 1})"


def _key(size: int, purpose: str) -> str:
    return f"{_spread(_rank(size, purpose), size)}::INTEGER"


def _spread(number: str, size: int) -> str:
    """Another order of the numbers below `size`."""
    return f"(({number}) * {_PRIME % size or 1} % {size})"
