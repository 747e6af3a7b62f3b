"""Neighbouring databases, queries on them whose answers differ in noise alone, and a test of two samples."""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Hashable, Iterable
from fractions import Fraction
from pathlib import Path

import duckdb

import dpduck
from tests.depth import depth

RUNS = int(os.environ.get("DPDUCK_ORDER_RUNS") or depth(20, 4, 3))  # of each query, on each database
ALPHA = Fraction(1, 10**6)

# One person more moves a count past that of another key, or brings a key to the first place of the table.
PAIRS = {
    "counts": (["a"] * 200 + ["b"] * 200, ["a"] * 201 + ["b"] * 200),
    "places": (["a"] * 200 + ["b"] * 199, ["b"] + ["a"] * 200 + ["b"] * 199),
}

# Both keys are always shown. What comes of a query then, for each in the one order that released rows have:
# by key.
RELATIVES = {
    "SELECT k FROM t GROUP BY k": ["a", "b"],
    "SELECT k FROM t GROUP BY k LIMIT 1": ["a"],
    "SELECT k FROM t GROUP BY k LIMIT 1 OFFSET 1": ["b"],
    "SELECT k FROM t GROUP BY k HAVING count(*) > 50": ["a", "b"],
    "SELECT DISTINCT k FROM t": ["a", "b"],
    "WITH c AS (SELECT k FROM t GROUP BY k) SELECT k FROM c": ["a", "b"],
    "SELECT k || '!' FROM (SELECT k, count(*) AS n FROM t GROUP BY k) AS s": ["a!", "b!"],
    "SELECT k, count(*) AS n FROM t GROUP BY k": ["a", "b"],
    "SELECT k, count(*) AS n, sum(v) AS total FROM t GROUP BY k": ["a", "b"],
    "SELECT DISTINCT k FROM (SELECT k, count(*) AS n FROM t GROUP BY k) AS s": ["a", "b"],
    "SELECT upper(k) FROM (SELECT k FROM t GROUP BY k) AS s GROUP BY k": ["A", "B"],
    "SELECT row_number() OVER () || k FROM (SELECT k FROM t GROUP BY k) AS s": ["1a", "2b"],
    "SELECT string_agg(k, '') FROM (SELECT k FROM t GROUP BY k) AS s": ["ab"],
    "SELECT k FROM t GROUP BY k QUALIFY row_number() OVER () = 1": ["a"],
    "SELECT k FROM t GROUP BY k ORDER BY length(k)": ["a", "b"],
    "SELECT k FROM t GROUP BY k ORDER BY length(k) DESC LIMIT 1": ["a"],
}


def make(place: Path | duckdb.DuckDBPyConnection, keys: Iterable[str]) -> None:
    """A table t with a row for each person: who, of which key, and a number."""
    with duckdb.connect(str(place)) if isinstance(place, Path) else place.cursor() as connection:
        connection.execute("CREATE TABLE t (id INTEGER, k VARCHAR, v INTEGER)")
        rows = ", ".join(f"({i}, '{key}', 1)" for i, key in enumerate(keys))
        connection.execute(f"INSERT INTO t VALUES {rows}")


POLICIES = [
    "ALTER TABLE t ADD PRIVACY_KEY (id)",
    "ALTER TABLE t SET PRIVACY CONTRIBUTION (groups = 1)",
    "ALTER TABLE t ALTER COLUMN v SET PRIVACY DOMAIN BETWEEN (0, 1)",
    "CREATE PRIVACY BUDGET everyone LIMIT 1000000 DELTA 0.5",
]


def declare(db: dpduck.Connection) -> None:
    for policy in POLICIES:
        db.execute(policy)


def p_value(first: Counter[Hashable], second: Counter[Hashable]) -> Fraction:
    """How likely two samples of one law are to differ this much.

    By Fisher's exact test of each outcome, two-sided, times the number of outcomes.

    >>> float(p_value(Counter(a=5, b=5), Counter(a=5, b=5)))
    1.0
    """
    outcomes = {*first, *second}
    sizes = first.total(), second.total()
    chances = [_fisher(first[one], second[one], *sizes) for one in outcomes]
    return min(Fraction(1), len(outcomes) * min(chances, default=Fraction(1)))


def _fisher(hits: int, others: int, draws: int, other_draws: int) -> Fraction:
    every = hits + others
    ways = [
        math.comb(draws, i) * math.comb(other_draws, every - i)
        for i in range(max(0, every - other_draws), min(every, draws) + 1)
    ]
    at = hits - max(0, every - other_draws)
    tail = min(sum(ways[: at + 1]), sum(ways[at:]))
    return min(Fraction(1), Fraction(2 * tail, sum(ways)))
