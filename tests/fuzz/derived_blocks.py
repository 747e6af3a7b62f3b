"""Random statements of several blocks over derived tables, of public rows beside them, and of totals.

A statement has a share of epsilon for each block, and one unit moves the scores of each block as that block
declares. Totals are of the groups of all keys, so the groups of one block are what is checked of them.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

# Keys of one type whatever the rows of the derived table are, so that blocks may be joined on them.
KEYS = (
    "a IS NULL",
    "b > a",
    "CASE WHEN a > 2 THEN 'many' WHEN a > 0 THEN 'few' ELSE 'none' END",
    "least(greatest(CAST(a AS INTEGER), 0), 3)",
    "least(greatest(CAST(b AS INTEGER), 0), 2)",
    "coalesce(a, 0) > coalesce(b, 0)",
)
NUMBERED = ("least(greatest(CAST(a AS INTEGER), 0), 3)", "CAST(least(greatest(b, 0), 2) AS INTEGER)")
MEASURES = (
    "count(*)",
    "count(*)",
    "count(b)",
    "count_if(a > 1)",
    "count(DISTINCT u)",
    "sum({a})",
    "avg({b})",
    "sum({a}) FILTER (WHERE b > 0)",
    "median(least(greatest(CAST(a AS INTEGER), 0), 9))",
    "stddev({a})",
    "count(DISTINCT a > b)",
)
ADDED_UP = (
    "count(*)",
    "count(b)",
    "count_if(a > 1)",
    "sum({a})",
    "avg({b})",
    "sum({a}) FILTER (WHERE b > 0)",
    "avg({a}) FILTER (WHERE a > b)",
    "count(*) FILTER (WHERE b > a)",
)
SETS = (
    "ROLLUP ({0}, {1})",
    "ROLLUP ({1}, {0})",
    "CUBE ({0}, {1})",
    "GROUPING SETS (({0}, {1}), ({0}), ())",
    "GROUPING SETS (({1}), ({0}))",
    "GROUPING SETS (ROLLUP ({0}), {1})",
    "{0}, ROLLUP ({1})",
    "ROLLUP (({0}, {1}))",
)
FINDING = "WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = 1, delta = 1e-6, max_groups_contributed = 2) "
TESTS = ("a BETWEEN 0 AND 3", "b IS NOT NULL", "k IS NOT NULL", "NOT a < 2")


@dataclass(frozen=True)
class Statements:
    """Writes statements. `rows`: gives tables for FROM; `number`: fills the ranges of an aggregate."""

    chance: random.Random
    rows: Callable[[], str]
    number: Callable[[str], str]

    def several(self) -> tuple[str, str]:
        """A statement of several blocks, and its feature."""
        shapes = {
            "value in SELECT": self._value_in_select,
            "value in HAVING": self._value_in_having,
            "blocks joined": self._joined,
            "UNION of blocks": self._union,
            "blocks side by side": self._side_by_side,
            "public rows beside": self._public_beside,
        }
        feature = self.chance.choice(sorted(shapes))
        return shapes[feature](), feature

    def totals(self) -> str:
        """Groups and their totals."""
        one, other = self.chance.sample(KEYS, 2)
        by = self.chance.choice(SETS).format(one, other)
        number = self._measure(ADDED_UP)
        marks = self.chance.choice(["", "", f", GROUPING({one})"])
        end = self.chance.choice(["", "", " HAVING count(*) > 2", " ORDER BY n DESC", " ORDER BY n LIMIT 3"])
        items = f"{one} AS g, {other} AS h, {number} AS n{marks}"
        return f"SELECT {items} FROM {self._from()} GROUP BY {by}{end}"

    # --- shapes ----------------------------------------------------------------------------------

    def _value_in_select(self) -> str:
        share = f"{self._measure()} / nullif(({self._single()}), 0)"
        if self.chance.random() < 0.3:
            return f"SELECT {share} AS share FROM {self._from()}"
        if self.chance.random() < 0.3:
            return f"SELECT {FINDING}k, {share} AS share FROM {self._from()} GROUP BY k"
        key = self.chance.choice(KEYS)
        return f"SELECT {key} AS g, {share} AS share FROM {self._from()} GROUP BY g"

    def _value_in_having(self) -> str:
        value = self._single()
        if self.chance.random() < 0.5:
            value = f"SELECT avg(x.n) FROM ({self._groups(self.chance.choice(KEYS), 'count(*)')}) AS x"
        key = self.chance.choice(KEYS)
        return f"SELECT {key} AS g, count(*) AS n FROM {self._from()} GROUP BY g HAVING count(*) > ({value})"

    def _joined(self) -> str:
        key, side = self.chance.choice(KEYS), self.chance.choice(["JOIN", "LEFT JOIN", "FULL JOIN"])
        one, two = (self._groups(key, self._measure()) for _ in range(2))
        before = f"WITH x AS ({one}), y AS ({two})"
        if self.chance.random() < 0.3:
            return f"{before} SELECT g, x.n - y.n AS n FROM x {side} y USING (g)"
        more = self.chance.choice(["", " WHERE x.n > y.n", " ORDER BY y.n DESC LIMIT 2"])
        return f"{before} SELECT x.g, x.n AS n, y.n AS m FROM x {side} y ON x.g = y.g{more}"

    def _union(self) -> str:
        word = self.chance.choice(["UNION ALL", "UNION ALL", "UNION", "EXCEPT"])
        if self.chance.random() < 0.5:
            numbers = (self._measure(MEASURES[:5]) for _ in range(self.chance.choice([2, 2, 3])))
            parts = [
                f"SELECT '{place}' AS w, {number} AS n FROM {self._from()}"
                for place, number in enumerate(numbers)
            ]
        else:
            key = self.chance.choice(KEYS)
            parts = [f"({self._groups(key, 'count(*)')})" for _ in range(2)]
        return f" {word} ".join(parts)

    def _side_by_side(self) -> str:
        one, two = (
            f"({self._single()}) AS x",
            f"({self._groups(self.chance.choice(KEYS), self._measure())}) AS y",
        )
        return f"SELECT y.g, x.n AS n, y.n AS m FROM {one}, {two}"

    def _public_beside(self) -> str:
        groups = self._groups(self.chance.choice(NUMBERED), self._measure())
        table, number = self.chance.choice([("nation", "n_id"), ("part", "p_size"), ("clerk", "k_level")])
        side = self.chance.choice(["JOIN", "LEFT JOIN"])
        if self.chance.random() < 0.5:
            on = f"{side} ({groups}) AS x ON x.g = p.{number}"
            return f"SELECT p.{number}, x.n AS n FROM {table} AS p {on}"
        on = f"{side} {table} AS p ON x.g = p.{number}"
        return f"SELECT x.g, max(p.{number}), max(x.n) FROM ({groups}) AS x {on} GROUP BY x.g"

    # --- parts -----------------------------------------------------------------------------------

    def _single(self) -> str:
        """A block without keys."""
        return f"SELECT {self._measure()} AS n FROM {self._from()}"

    def _groups(self, key: str, number: str) -> str:
        end = self.chance.choice(["", "", "", " HAVING count(*) > 1", " ORDER BY count(*) DESC LIMIT 2"])
        return f"SELECT {key} AS g, {number} AS n FROM {self._from()} GROUP BY g{end}"

    def _from(self) -> str:
        where = f" WHERE {self.chance.choice(TESTS)}" if self.chance.random() < 0.3 else ""
        return f"{self.rows()} AS t{where}"

    def _measure(self, forms: tuple[str, ...] = MEASURES) -> str:
        return self.number(self.chance.choice(forms))
