"""Random queries over what is computed for each customer apart: groups, windows, DISTINCT, joins and EXISTS.

They are checked as those of the grammar are: the plan is the same without one customer, and no score moves
by more than it declares. Names are the same at each level: the unit is `u`, a value to group by is `k`,
numbers are `a` and `b`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tests.fuzz.grammar import Query
from tests.fuzz.random_queries import Checker, Stage
from tests.fuzz.tally import Tally

MOST_LEVELS = 3


@dataclass(frozen=True)
class Base:
    """A table with its unit: columns to group by, numbers, moments, and truth values."""

    table: str
    unit: str
    keys: Sequence[str]
    numbers: Sequence[str]
    moments: Sequence[str]


BASES = (
    Base(
        "orders",
        "o_customer",
        ["o_status", "o_clerk", "o_day", "date_trunc('month', o_day)"],
        ["o_price", "o_price * 0.0", "o_id", "length(o_clerk)", "1 / o_price"],
        ["o_day", "o_seen"],
    ),
    Base("visit", "v_customer", ["v_page", "v_tiny"], ["v_tiny", "v_huge", "v_unsigned"], ["v_at"]),
    Base("customer", "c_id", ["c_segment", "c_ok", "c_nation"], ["c_balance", "c_id % 3"], ["c_born"]),
)
_AGGREGATES = (
    "count(*)",
    "count(DISTINCT {k})",
    "sum({n})",
    "avg({n})",
    "min({n})",
    "max({n})",
    "median({n})",
    "arg_max({n}, {m})",
    "count(*) FILTER (WHERE {n} > 1)",
    "first({n} ORDER BY {m})",
    "date_diff('day', min({m}), max({m}))",
    "any_value({n})",
)
_WINDOWS = (
    "row_number() OVER (PARTITION BY {u} ORDER BY {m})",
    "rank() OVER (PARTITION BY {u} ORDER BY {n} DESC)",
    "lag({n}) OVER (PARTITION BY {u} ORDER BY {m})",
    "lead({n}, 2, 0) OVER (PARTITION BY {u}, {k} ORDER BY {m} DESC)",
    "sum({n}) OVER (PARTITION BY {u} ORDER BY {m} ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)",
    "count(*) OVER (PARTITION BY {u}, {k})",
    "ntile(2) OVER (PARTITION BY {u} ORDER BY {n})",
    "first_value({n}) OVER (PARTITION BY {u} ORDER BY {k})",
)
_OUTER_KEYS = (
    "k",
    "a IS NULL",
    "CASE WHEN a > 2 THEN 'many' WHEN a > 0 THEN 'few' ELSE 'none' END",
    "least(greatest(floor(a), 0), 3)",
    "CAST(b AS VARCHAR) = '-0.0'",
    "CAST(least(greatest(b, 0), 2) AS INTEGER)",
)
_OUTER_AGGREGATES = (
    "count(*)",
    "count(b)",
    "count(DISTINCT u)",
    "sum(least(greatest(a, 0), 5))",
    "avg(least(greatest(b, -1), 1))",
    "sum(least(greatest(1 / b, -1), 1))",
    "median(least(greatest(CAST(a AS INTEGER), 0), 9))",
    "count(*) FILTER (WHERE b > a)",
)


class Derived:
    """Writes random derived tables. The same chance writes the same ones."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self.features: set[str] = set()

    def query(self) -> str:
        """Return a query that aggregates a derived table."""
        source, chance = self._table(chance_level := self._chance.randint(1, MOST_LEVELS)), self._chance
        self.features.add(f"{chance_level} levels")
        items = chance.sample(_OUTER_AGGREGATES, chance.choice([1, 1, 2]))
        where = chance.choice(["", "", " WHERE a = 1", " WHERE a BETWEEN 0 AND 3", " WHERE b IS NOT NULL"])
        if chance.random() < 0.4:
            return f"SELECT {', '.join(items)} FROM ({source}) AS t{where}"
        key = chance.choice(_OUTER_KEYS)
        end = chance.choice(["", "", " ORDER BY count(*) DESC LIMIT 2", " HAVING count(*) > 1"])
        return f"SELECT {key} AS g, {', '.join(items)} FROM ({source}) AS t{where} GROUP BY g{end}"

    def _table(self, level: int) -> str:
        shapes: list[Callable[[int], str]] = [
            self._grouped,
            self._windowed,
            self._distinct,
            self._semi_joined,
        ]
        if level > 1:
            shapes += [self._grouped_again, self._windowed_again, self._joined, self._left_joined]
        shape = self._chance.choice(shapes)
        self.features.add(shape.__name__.strip("_"))
        return shape(level)

    def _filled(self, form: str, base: Base) -> str:
        chance = self._chance
        parts = {"u": base.unit, "k": chance.choice(base.keys), "n": chance.choice(base.numbers)}
        return form.format(**parts, m=chance.choice(base.moments))

    def _grouped(self, level: int) -> str:
        base, chance = self._chance.choice(BASES), self._chance
        a, b = (self._filled(chance.choice(_AGGREGATES), base) for _ in "ab")
        having = chance.choice(["", "", " HAVING count(*) > 1"])
        if chance.random() < 0.5:
            key = f"min({chance.choice(base.keys)})"
            items = f"{base.unit} AS u, {key} AS k, {a} AS a, {b} AS b"
            return f"SELECT {items} FROM {base.table} GROUP BY u{having}"
        key = chance.choice(base.keys)
        items = f"{base.unit} AS u, {key} AS k, {a} AS a, {b} AS b"
        return f"SELECT {items} FROM {base.table} GROUP BY u, {key}{having}"

    def _windowed(self, level: int) -> str:
        base, chance = self._chance.choice(BASES), self._chance
        a, b = self._filled(chance.choice(_WINDOWS), base), chance.choice(base.numbers)
        if chance.random() < 0.4:
            b = self._filled(chance.choice(_WINDOWS), base)
        qualify = self._filled(f" QUALIFY {_WINDOWS[0]} <= 2", base) if chance.random() < 0.4 else ""
        key = chance.choice(base.keys)
        return f"SELECT {base.unit} AS u, {key} AS k, {a} AS a, {b} AS b FROM {base.table}{qualify}"

    def _distinct(self, level: int) -> str:
        base, chance = self._chance.choice(BASES), self._chance
        a, b = chance.choice(base.numbers), chance.choice(base.numbers)
        items = f"{base.unit} AS u, {chance.choice(base.keys)} AS k, {a} AS a, {b} AS b"
        return f"SELECT DISTINCT {items} FROM {base.table}"

    def _semi_joined(self, level: int) -> str:
        base, other, chance = self._chance.choice(BASES), self._chance.choice(BASES), self._chance
        inside = f"FROM {other.table} AS w WHERE w.{other.unit} = v.{base.unit}"
        test = chance.choice(
            [
                f"EXISTS (SELECT 1 {inside} AND {chance.choice(other.numbers)} > 1)",
                f"NOT EXISTS (SELECT 1 {inside})",
                f"{base.unit} IN (SELECT {other.unit} FROM {other.table} GROUP BY 1 HAVING count(*) > 3)",
                f"{base.unit} NOT IN (SELECT {other.unit} FROM {other.table} "
                f"WHERE {chance.choice(other.numbers)} > 5)",
                f"(SELECT count(*) {inside}) > 2",
            ]
        )
        a, b = f"(SELECT max({chance.choice(other.numbers)}) {inside})", chance.choice(base.numbers)
        key = chance.choice(base.keys)
        return f"SELECT {base.unit} AS u, {key} AS k, {a} AS a, {b} AS b FROM {base.table} AS v WHERE {test}"

    def _grouped_again(self, level: int) -> str:
        keys, key = self._chance.choice([("u", "min(k)"), ("u, k", "k")])
        a = self._chance.choice(["max(a)", "count(*)", "sum(a)", "count(DISTINCT k)", "avg(b)"])
        inner = self._table(level - 1)
        return f"SELECT u, {key} AS k, {a} AS a, min(b) AS b FROM ({inner}) AS t GROUP BY {keys}"

    def _windowed_again(self, level: int) -> str:
        a = self._chance.choice(
            [
                "row_number() OVER (PARTITION BY u ORDER BY a)",
                "lag(a) OVER (PARTITION BY u ORDER BY b, k)",
                "sum(a) OVER (PARTITION BY u ORDER BY b)",
            ]
        )
        return f"SELECT u, k, {a} AS a, b FROM ({self._table(level - 1)}) AS t"

    def _joined(self, level: int) -> str:
        one, two = self._table(level - 1), self._table(1)
        return f"SELECT x.u, x.k, y.a AS a, x.b AS b FROM ({one}) AS x JOIN ({two}) AS y ON x.u = y.u"

    def _left_joined(self, level: int) -> str:
        one, two = self._table(level - 1), self._table(1)
        extra = self._chance.choice(["", "", " AND x.a > 1", " AND x.k = y.k", " AND y.b > 0"])
        a = self._chance.choice(["coalesce(y.a, 0)", "y.a", "CASE WHEN y.u IS NULL THEN 0 ELSE 1 END"])
        sides = f"({one}) AS x LEFT JOIN ({two}) AS y"
        return f"SELECT x.u, x.k, {a} AS a, y.b AS b FROM {sides} ON x.u = y.u{extra}"


def run(seed: str, rounds: int) -> Tally:
    """Check as many queries; the same seed gives the same ones."""
    checker = Checker(Stage.open(), random.Random(seed), Tally())
    chance = random.Random(f"{seed} derived")
    for _ in range(rounds):
        derived = Derived(chance)
        text = derived.query()
        checker.check(Query(text, frozenset(derived.features)))
    return checker.tally
