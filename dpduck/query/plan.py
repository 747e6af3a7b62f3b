"""The typed plan of a private query: everything public about it, and nothing private.

A plan is frozen and printable. Its score SQL is the only text that ever reaches the data; the rest
says which mechanism turns the scores into an answer, what that costs and what the columns are.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from dpduck.catalog import Domain, RangeDomain, Table


@dataclass(frozen=True)
class Key:
    """What the candidates are: one column of the score SQL, before its column `score`."""

    name: str  # the column's name in the score SQL
    type: str  # its DuckDB type
    domain: Domain | None  # None: the candidates are found in private rows, which needs a delta


@dataclass(frozen=True)
class Output:
    """One column of the answer, named and typed as plain DuckDB would.

    `source` is `key` or `count` for grouped shapes and for the single count, `value` for the
    winner of a mode or quantile.
    """

    name: str
    type: str
    source: str


@dataclass(frozen=True)
class Plan:
    """What all shapes share. `score_sql` yields the key column (if any), then `score`."""

    table: Table
    epsilon: Fraction
    delta: Fraction
    score_sql: str
    outputs: tuple[Output, ...]


@dataclass(frozen=True)
class TopKPlan(Plan):
    """GROUP BY key ORDER BY count(*) DESC LIMIT k. Without a count column, selection takes all."""

    key: Key
    k: int


@dataclass(frozen=True)
class HistogramPlan(Plan):
    """GROUP BY key: every candidate's count. `groups`: the most groups that one unit may touch."""

    key: Key
    groups: int
    # (output column number from 0, descending); the number -1 is the count, where it is not an output
    order_by: tuple[tuple[int, bool], ...] = ()


@dataclass(frozen=True)
class CountPlan(Plan):
    """count(*): one number."""


@dataclass(frozen=True)
class ModePlan(Plan):
    """mode(x): the candidate with the largest score."""

    key: Key


@dataclass(frozen=True)
class QuantilePlan(Plan):
    """median(x): a point of the public grid. The score SQL counts units by value, one value each."""

    key: Key
    grid: RangeDomain
    quantile: Fraction = Fraction(1, 2)
