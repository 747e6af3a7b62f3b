"""Random pairs of queries: one whose answer is kept, and one that asks less of the same rows, or more."""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import combinations

from tests.replay.club import TEXTS, quoted

# Keys with a public domain, and what says that a row's value is in it. {c} is the table's alias.
KEYS = {
    "{c}.g": f"{{c}}.g IN ({', '.join(map(quoted, TEXTS))})",
    "{c}.h // 10": "{c}.h // 10 IN (0, 1)",
    "{c}.h % 3": "{c}.h % 3 IN (0, 1, 2)",
    "{c}.h": "{c}.h BETWEEN 0 AND 19",
    "{c}.big": "{c}.big IN (-5, 1, 10, 210)",
    "{c}.ok": "{c}.ok IS NOT NULL",
    "{c}.e": "{c}.e IS NOT NULL",
    "{c}.h > 5": "{c}.h > 5 IS NOT NULL",
    "{c}.g = 'a'": "({c}.g = 'a') IS NOT NULL",
    "date_trunc('month', {c}.d)": "{c}.d < '2024-04-01'",
}
CONDITIONS = (
    *(f"{{c}}.g = {quoted(text)}" for text in TEXTS),
    "{c}.g IN ('a', 'b', 'it''s')",
    "{c}.g IN ('a', 'zz')",
    "{c}.g <> 'a'",
    "NOT {c}.g IN ('a', 't.\"g\"')",
    "{c}.g LIKE '%\"%'",
    "{c}.g NOT LIKE '%''%'",
    "upper({c}.g) = 'A'",
    "length({c}.g) > 1",
    "{c}.g || 'z' = 'az'",
    "coalesce({c}.g, 'a') = 'a'",
    "{c}.g > 'answer.\"k0\"'",
    "{c}.g IS NULL",
    "{c}.g IS NOT NULL",
    "{c}.g = 'a' OR {c}.h < 3",
    "{c}.g = 'a' OR {c}.h // 10 = 1 AND {c}.ok",
    "NOT ({c}.g = 'a' AND {c}.h > 5)",
    "{c}.h + length({c}.g) > 6",
    "CASE WHEN {c}.ok THEN {c}.h ELSE 0 END > 3",
    "{c}.h = 5",
    "{c}.h > 5",
    "{c}.h > 5.5",
    "{c}.h BETWEEN 3 AND 8",
    "{c}.h // 10 = 1",
    "{c}.h // 10 IN (0, 1)",
    "{c}.h // 10 = -1",
    "{c}.h % 3 <> 1",
    "{c}.big IN (-5, 10)",
    "{c}.big = 210",
    "{c}.big IN (10, 11)",
    "{c}.ok",
    "NOT {c}.ok",
    "{c}.ok IS NOT TRUE",
    "{c}.e = 'low'",
    "{c}.e IN ('low', 'high')",
    "date_trunc('month', {c}.d) = '2024-02-01'",
    "{c}.d >= '2024-02-01'",
    "{c}.x > 5",
    "{c}.word = 'one'",
)
# Those in the second line say nothing of groups without rows: any value does.
AGGREGATES = (
    *("sum({c}.x)", "sum({c}.y)", "sum({c}.h)", "count({c}.g)", "count_if({c}.ok)", "count(DISTINCT {c}.h)"),
    *("sum(1)", "count(*) FILTER (WHERE {c}.ok)", "sum({c}.x) FILTER (WHERE {c}.g = 'a')", "avg({c}.x)"),
)
UNDEFINED = ("avg(",)
SOURCES = {
    "members": ("members",),
    "visits": ("visits",),
    "clicks": ("clicks",),
    "visits AS v JOIN members AS m ON v.uid = m.id": ("v", "m"),
    "visits AS v JOIN visits AS w ON v.uid = w.uid": ("v", "w"),
}


@dataclass(frozen=True)
class Question:
    """A query in parts. Each has count(*) AS n as its last column."""

    source: str
    keys: tuple[str, ...]
    conditions: tuple[str, ...]
    aggregates: tuple[str, ...]
    bound: int | None = None  # on the groups of a unit
    end: str = ""  # HAVING, ORDER BY, LIMIT

    def text(self, *more: str, end: str | None = None) -> str:
        """SQL. Input: `more`: conditions beside its own; `end`: another than its own."""
        groups = "" if self.bound is None else f", max_groups_contributed = {self.bound}"
        items = ", ".join([*self.keys, *self.aggregates, "count(*) AS n"])
        where = " AND ".join(f"({test})" for test in (*self.conditions, *more))
        return (
            f"SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = 1{groups}) {items} FROM {self.source}"
            + (f" WHERE {where}" if where else "")
            + (f" GROUP BY {', '.join(self.keys)}" if self.keys else "")
            + f" {self.end if end is None else end}"
        )

    def named(self, row: tuple[object, ...]) -> tuple[object, ...]:
        """A row of its answer without what is undefined: a mean of nobody."""
        aggregates = row[len(self.keys) : -1]
        defined = [
            None if row[-1] == 0 and name.startswith(UNDEFINED) else cell
            for name, cell in zip(self.aggregates, aggregates, strict=True)
        ]
        return (*row[: len(self.keys)], *defined, row[-1])


@dataclass(frozen=True)
class Pair:
    """A question that is answered, and one that may follow. `inside`: for each key, that it is public."""

    kept: Question
    wanted: Question
    inside: dict[str, str]

    @property
    def public(self) -> list[str]:
        """That the keys which the wanted question leaves out have public values."""
        return [self.inside[key] for key in self.kept.keys if key not in self.wanted.keys]


def _ends(draw: random.Random, keys: tuple[str, ...]) -> str:
    """How a grouped query ends; LIMIT with a tie at its end may keep either group."""
    k, order = draw.randint(1, 4), ", ".join(keys)
    return draw.choice(
        [
            "",
            "",
            f"ORDER BY {order}",
            f"HAVING count(*) > {k} ORDER BY {order}",
            f"HAVING count(*) >= {k} LIMIT {draw.randint(1, 3)}",
            f"ORDER BY n DESC LIMIT {k}",
            f"ORDER BY n DESC LIMIT {k} OFFSET 1",
        ]
    )


def random_pair(draw: random.Random) -> Pair:
    """A pair over one source."""
    source = draw.choice(list(SOURCES))
    aliases = SOURCES[source]

    def filled(template: str) -> str:
        return template.replace("{c}", draw.choice(aliases))

    inside = {
        key.replace("{c}", alias): test.replace("{c}", alias)
        for key, test in KEYS.items()
        for alias in aliases
    }
    bound = draw.choice([None, None, None, 1, 2])
    keys = tuple(draw.sample(list(inside), draw.randint(1, 3)))
    aggregates = tuple(draw.sample([filled(a) for a in AGGREGATES], draw.randint(0, 3)))
    base = tuple(filled(test) for test in draw.sample(CONDITIONS, draw.choice([0, 0, 0, 1])))
    kept = Question(source, keys, base, aggregates, bound, draw.choice(["", "", "", _ends(draw, keys)]))
    subsets = [keys, keys, *(some for size in range(len(keys)) for some in combinations(keys, size))]
    own = draw.choice(subsets)
    if bound is None and draw.random() < 0.3:
        own = tuple(draw.sample(own, len(own)))
    about = [key for key in keys if key not in own] if draw.random() < 0.7 else keys
    near = [test for test in map(filled, CONDITIONS) if any(key in test for key in about)]
    tests = draw.sample(near, min(len(near), draw.choice([0, 1, 1, 2])))
    tests += [filled(draw.choice(CONDITIONS))] if draw.random() < 0.2 else []
    fewer = tuple(draw.sample(aggregates, draw.randint(0, len(aggregates))))
    end = _ends(draw, own) if own else ""
    wanted = Question(source, own, (*base, *tests), fewer, bound, end)
    return Pair(kept, kept if draw.random() < 0.1 else wanted, inside)
