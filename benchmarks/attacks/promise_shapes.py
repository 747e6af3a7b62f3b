"""Queries of thirty-odd shapes with their true answers, for `benchmarks.attacks.promises`.

The tables are public here, small, and as awkward as a promise about errors needs them: of the tables that are
ranked some lead by far, some are tied, and in some a few lead and all others are tied, which is the worst.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

import duckdb

import dpduck

FOUND, ONCE = "found", "once"  # what copies of ranked tables have in the name; see `_ranked_policies`

_RANKED = {
    "apart": [400 * place for place in range(12, 0, -1)],
    "tied": [400] * 200,
    "twolead": [4_000] * 2 + [400] * 198,
    "tenlead": [12_000] * 10 + [1_000] * 190,
    "few": [120] * 200,
    "falling": [3_000 // rank for rank in range(1, 201)],
}

_ROWS = {
    "people": "SELECT i::INTEGER AS id, (i % 5)::INTEGER AS region, ((i // 5 * 37) % 101)::INTEGER AS age, "
    "(i // 5 % 21)::INTEGER AS poor FROM range(5000) AS r(i)",
    "regions": "SELECT i::INTEGER AS region, i // 2 AS zone FROM range(5) AS r(i)",
    "visits": "SELECT i::INTEGER AS person, ((i * 7 + j * 5) % 20)::INTEGER AS page, "
    "((i + j) % 11)::INTEGER AS spent FROM range(3000) AS r(i), range(3) AS s(j) WHERE j <= i % 3",
    "moods": "SELECT i::INTEGER AS person, ((i * 31 + j * 17) % 101)::INTEGER AS mood "
    "FROM range(3000) AS r(i), range(5) AS s(j) WHERE j <= i % 5",
}

_POLICIES = {
    "people": (
        "ADD PRIVACY_KEY (id)",
        "ALTER COLUMN region SET PRIVACY DOMAIN BETWEEN (0, 4)",
        "ALTER COLUMN age SET PRIVACY DOMAIN BETWEEN (0, 100)",
        "ALTER COLUMN poor SET PRIVACY DOMAIN BETWEEN (0, 200)",
    ),
    "regions": ("SET PUBLIC",),
    "visits": (
        "ADD PRIVACY_KEY (person)",
        "SET PRIVACY CONTRIBUTION (groups = 3, rows = 3)",
        "ALTER COLUMN page SET PRIVACY DOMAIN BETWEEN (0, 19)",
        "ALTER COLUMN spent SET PRIVACY DOMAIN BETWEEN (0, 10)",
    ),
    "moods": ("ADD PRIVACY_KEY (person)", "ALTER COLUMN mood SET PRIVACY DOMAIN BETWEEN (0, 100)"),
}

APART = "noise may choose what is shown, and here it does not"
TIED = "the worst is that a few lead and all others are tied"
SIDES = "the bound is for both signs of noise, and only one is chosen"
EVERY = "a union bound over all groups, however few are shown"
GRID = "a union bound over the points of the grid"
VALUES = "a union bound over the values of the domain"
MIDDLE = "the noise of an average is largest at the ends of its range"
HIDDEN = "the bound is for keys that only noise shows, and few are"


@dataclass(frozen=True)
class Shape:
    """A query whose last column is judged; the others are keys.

    `truth`: SQL of the keys, the true number and a weight of 1; for a quantile (`quantile`) and a mode
    (`mode`) of all values with the weight of each. `reason`: why the promise is broader on these rows.
    """

    name: str
    query: str
    truth: str
    reason: str = ""
    quantile: Fraction | None = None
    mode: bool = False
    delta: str = "0"


def market(database: duckdb.DuckDBPyConnection, query: str) -> dpduck.Connection:
    """Create the tables of a query, and connect to them with their policies and a large budget."""
    tables = re.findall(r"(?:FROM|JOIN) (\w+)", query)
    for name in tables:
        _create(database, name)
    con = dpduck.connect(database, epsilon="0.1")
    for name in tables:
        for change in _POLICIES.get(name) or _ranked_policies(name):
            con.execute(f"ALTER TABLE {name} {change}")
    con.execute("CREATE PRIVACY BUDGET enough LIMIT 100000 DELTA 0.5")
    con.execute("SET dp_replay = off")
    return con


def _create(database: duckdb.DuckDBPyConnection, name: str) -> None:
    if name in _ROWS:
        database.execute(f"CREATE TABLE {name} AS {_ROWS[name]}")
        if name == "people":
            database.execute("ALTER TABLE people ADD PRIMARY KEY (id)")
        return
    counts = _RANKED[name.partition("_")[0]]
    database.execute(
        f"CREATE TABLE {name} AS SELECT (row_number() OVER ())::INTEGER AS person, item FROM "
        "(SELECT unnest($1) AS n, unnest($2)::INTEGER AS item), range(n)",
        [counts, [*range(len(counts))]],
    )


def _ranked_policies(name: str) -> list[str]:
    """Each person is in one group of a copy, which is declared; the items of one have no domain."""
    ranked, _, copy = name.partition("_")
    changes = ["ADD PRIVACY_KEY (person)"]
    if copy:
        changes.append("SET PRIVACY CONTRIBUTION (groups = 1)")
    if copy != FOUND:
        changes.append(f"ALTER COLUMN item SET PRIVACY DOMAIN BETWEEN (0, {len(_RANKED[ranked]) - 1})")
    return changes


def _ranked(name: str, table: str, rest: str, reason: str = "", *, delta: str = "0") -> Shape:
    counts = f"SELECT item, count(*) AS n FROM {table} GROUP BY item"
    return Shape(name, f"{counts} {rest}", f"SELECT *, 1 FROM ({counts})", reason, delta=delta)


def _number(name: str, select: str, rest: str = "", reason: str = "") -> Shape:
    """A query whose truth is what plain SQL says."""
    query = f"SELECT {select} {rest}"
    return Shape(name, query, f"SELECT *, 1 FROM ({query})", reason)


def _by(count: int) -> str:
    return f"ORDER BY n DESC LIMIT {count}"


def shapes() -> list[Shape]:
    """All of them."""
    visits_by_page = "FROM visits GROUP BY page"
    return [
        _number("count of people", "count(*) FROM people"),
        _number("count with FILTER", "count(*) FILTER (WHERE age < 30) FROM people"),
        _number("histogram", "region, count(*) FROM people GROUP BY region"),
        _number("histogram of two keys", "region, age // 20, count(*) FROM people GROUP BY ALL"),
        _number("histogram of rows", f"page, count(*) {visits_by_page}"),
        _number(
            "join with a public table",
            "r.zone, count(*) FROM people p JOIN regions r",
            "USING (region) GROUP BY 1",
        ),
        _number("sum", "sum(age) FROM people"),
        _number("sum of rows by group", f"page, sum(spent) {visits_by_page}"),
        _number("sum with FILTER", "sum(age) FILTER (WHERE region = 1) FROM people"),
        _number("average in the middle", "avg(age) FROM people WHERE region = 0", reason=MIDDLE),
        _number("average near an end", "avg(poor) FROM people WHERE region = 0", reason=MIDDLE),
        _number("average by group", "region, avg(age) FROM people GROUP BY region", reason=MIDDLE),
        _ranks("median", "median(age)", "people", "age", Fraction(1, 2)),
        _ranks("0.9 quantile", "quantile_disc(age, 0.9)", "people", "age", Fraction(9, 10)),
        _ranks("median by group", "region, median(age)", "people GROUP BY region", "age", Fraction(1, 2)),
        _weighted("median of several rows each"),
        _mode("mode, clear", f"apart_{ONCE}"),
        _mode("mode, tied", f"tied_{ONCE}"),
        _ranked("top 5, far apart", "apart", _by(5), APART),
        _ranked("top 10, all tied", "tied", _by(10), TIED),
        _ranked("top 10, two lead", "twolead", _by(10)),
        _ranked("top 10, falling", "falling", _by(10), TIED),
        _ranked("top 40, ten lead", "tenlead", _by(40)),
        _ranked("top 40, falling", "falling", _by(40), TIED),
        _ranked("top 1, tied", "tied", _by(1)),
        _ranked("top 5 of a histogram, far apart", f"apart_{ONCE}", _by(5), APART),
        _ranked("top 10 of a histogram, all tied", f"tied_{ONCE}", _by(10), SIDES),
        _ranked("last 10 of a histogram, all tied", f"tied_{ONCE}", "ORDER BY n LIMIT 10", SIDES),
        _ranked("HAVING, far above", f"apart_{ONCE}", "HAVING count(*) > 100", EVERY),
        _ranked("HAVING, near the threshold", f"tied_{ONCE}", "HAVING count(*) > 420", EVERY),
        _ranked("HAVING, above by noise alone", f"tied_{ONCE}", "HAVING count(*) > 450", EVERY),
        _ranked("HAVING with LIMIT, far above", "apart", "HAVING count(*) > 100 LIMIT 5", EVERY),
        _ranked("HAVING with LIMIT, near", "tied", "HAVING count(*) > 420 LIMIT 5", EVERY),
        _ranked("found keys", f"apart_{FOUND}", "", HIDDEN, delta="1e-6"),
        _ranked("found keys, near the threshold", f"few_{FOUND}", "", HIDDEN, delta="1e-6"),
        _ranked("found keys, top 5", f"apart_{FOUND}", _by(5), APART, delta="1e-6"),
        _ranked("found keys, top 10, two lead", f"twolead_{FOUND}", _by(10), APART, delta="1e-6"),
    ]


def _ranks(name: str, select: str, source: str, column: str, quantile: Fraction) -> Shape:
    key = "region, " if select.startswith("region") else ""
    table = source.split()[0]
    return Shape(
        name, f"SELECT {select} FROM {source}", f"SELECT {key}{column}, 1 FROM {table}", GRID, quantile
    )


def _weighted(name: str) -> Shape:
    truth = "SELECT mood, 1 / count(*) OVER (PARTITION BY person) FROM moods"
    return Shape(name, "SELECT median(mood) FROM moods", truth, GRID, Fraction(1, 2))


def _mode(name: str, table: str) -> Shape:
    return Shape(name, f"SELECT mode(item) FROM {table}", f"SELECT item, 1 FROM {table}", VALUES, mode=True)
