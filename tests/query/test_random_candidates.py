"""Random keys under random conditions: every group of plain SQL is a candidate, and has all of its people.

Rows with values outside of a domain are left out of the plain answer: a key that is computed of such a value
may count or not.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import duckdb
import pytest

from dpduck import policies
from dpduck.engines.duckdb.public_facts import PublicFacts
from dpduck.kernel.errors import DpduckError
from dpduck.kernel.plan.model import EveryKey, PublicPlan
from tests.depth import depth
from tests.query import quiet
from tests.query.shop import any_plan, statement
from tests.query.test_candidates import POLICIES, SCHEMA

SEEDS = ("one", "two", "three")
QUERIES = depth(300, 20, 15)
NULLS = """
UPDATE sales SET code = NULL WHERE person % 7 = 0;
UPDATE sales SET size = NULL WHERE person % 11 = 0;
UPDATE sales SET day = NULL WHERE person % 13 = 0;
"""
KEYS = (
    *(
        "s.day",
        "date_trunc('week', s.day)",
        "month(s.day)",
        "hour(ts)",
        "date_trunc('month', ts)",
        "ts::DATE",
    ),
    *("size", "size // 10", "size % 4", "size > 5", "coalesce(size, 3)"),
    *("code", "lower(code)", "coalesce(code, 'none')"),
    *("c.week", "c.holiday", "c.day", "b.brand", "b.class", "b.price // 20", "upper(b.brand)"),
    "CASE WHEN size < 9 THEN 'few' WHEN size < 20 THEN code END",
)
# {n}: a small number; {m}: a larger one; {c}: a letter; {o}: a comparison; {d}: a day.
CONDITIONS = (
    *("s.day {o} DATE '2024-0{d}'", "ts {o} TIMESTAMP '2024-0{d} 12:15:00'", "month(s.day) {o} {n}"),
    *(
        "date_trunc('month', s.day) = DATE '2024-0{n}-01'",
        "dayofweek(s.day) = {n}",
        "hour(ts) BETWEEN {n} AND {m}",
    ),
    *(
        "size {o} {m}",
        "size % 5 = {n}",
        "size IN ({n}, {m}, 40)",
        "size IS NULL",
        "coalesce(size, {n}) > {m}",
    ),
    *("code {o} '{c}'", "code IN ('A', '{c}')", "lower(code) LIKE '%a%'", "code IS NOT NULL"),
    *("coalesce(code, 'x') = 'x'", "CASE WHEN size > {m} THEN code ELSE 'A' END = '{c}'"),
    *("c.week {o} {m}", "c.holiday", "b.price < {m}", "b.class = 'c{n}'"),
)
INSIDE = (
    "(s.day IS NULL OR s.day BETWEEN '2024-01-01' AND '2024-06-30') "
    "AND (size IS NULL OR size BETWEEN 0 AND 29) AND ts BETWEEN '2024-01-01' AND '2024-06-30 23:59:59'"
)


@pytest.fixture(scope="module", params=["", " OR NULL"])
def or_null(request: pytest.FixtureRequest) -> str:
    """Whether the domains of columns are declared with NULL."""
    return str(request.param)


@pytest.fixture(scope="module")
def connection(or_null: str) -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as opened:
        opened.execute(SCHEMA + NULLS)
        for text in POLICIES:
            policies.execute(opened, statement(f"{text}{or_null if 'DOMAIN' in text else ''}"))
        yield opened


def condition(draw: random.Random, deep: int = 2) -> str:
    kind = draw.random() if deep else 1.0
    if kind < 0.3:
        word = "OR" if kind < 0.2 else "AND"
        return f"({condition(draw, deep - 1)} {word} {condition(draw, deep - 1)})"
    if kind < 0.4:
        return f"NOT ({condition(draw, deep - 1)})"
    return draw.choice(CONDITIONS).format(
        n=draw.randint(1, 6),
        m=draw.randint(0, 30),
        c=draw.choice("ABCDEF"),
        o=draw.choice(("<", "<=", ">", ">=", "=", "<>")),
        d=f"{draw.randint(1, 6)}-{draw.randint(10, 28)}",
    )


def queries(seed: str) -> Iterator[tuple[str, str]]:
    """A query, and plain SQL of its rows inside of the domains."""
    draw = random.Random(seed)
    for _ in range(QUERIES):
        keys = draw.sample(KEYS, draw.choice((1, 1, 2, 2, 3)))
        tests = " AND ".join(condition(draw) for _ in range(draw.randint(0, 3))) or "true"
        rows = "sales AS s"
        if any(name in f"{keys} {tests}" for name in ("c.", "b.")):
            rows += " JOIN calendar AS c ON s.day = c.day JOIN brands AS b ON s.brand_id = b.id"
        named = ", ".join(f"{key} AS k{i}" for i, key in enumerate(keys))
        by = ", ".join(f"k{i}" for i, _ in enumerate(keys))
        yield (
            f"SELECT {named}, count(*) AS n FROM {rows} WHERE {tests} GROUP BY {by}",
            f"SELECT {named}, count(DISTINCT person) FROM {rows} WHERE ({tests}) AND {INSIDE} GROUP BY {by}",
        )


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.slow
def test_every_group_is_a_candidate(seed: str, or_null: str, connection: duckdb.DuckDBPyConnection) -> None:
    catalog, facts, compared = policies.load_catalog(connection), PublicFacts(connection), 0
    for query, plain in queries(seed):
        rows = connection.execute(plain).fetchall()
        people = {row[:-1]: row[-1] for row in rows if or_null or None not in row[:-1]}
        try:
            made = any_plan(query, catalog, facts=facts)
        except DpduckError as error:
            assert "combinations" in error.message, query
            continue
        if isinstance(made, PublicPlan):
            assert not people, query
            continue
        compared += 1
        groups = list(made.space.groups())
        assert set(people) <= set(groups), query
        answered = {row[:-1]: row[-1] for row in quiet.answer(made, connection).fetchall()}
        assert all(answered.get(group, 0) >= count for group, count in people.items()), query
        if isinstance(made.selection, EveryKey):
            assert list(answered) == groups, query
    assert compared >= 0.6 * QUERIES
