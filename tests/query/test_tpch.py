"""The 22 queries of TPC-H over protected customers: which are answered as they stand, why not, and what
their like is that is. `tests/golden/tpch/verdicts.md` is the record; DPDUCK_WRITE_GOLDEN=1 writes it anew.

tests/golden/tpch/q*.sql are the texts of the benchmark; like/q*.sql begin with a comment that says what
differs. Every answer without noise is what plain SQL gives.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

import duckdb
import pytest

from dpduck import policies
from dpduck.compiler.compile import AnyPlan
from dpduck.kernel.catalog.model import Catalog
from dpduck.kernel.errors import DpduckError
from dpduck.kernel.plan.cost import expected_error
from dpduck.kernel.plan.model import PublicPlan
from tests.query import golden, quiet
from tests.query.refusing import error_text, understand
from tests.query.test_golden import summary
from tests.query.tpch import open_tpch

FOLDER = golden.FOLDER / "tpch"
VERDICTS = FOLDER / "verdicts.md"
QUERIES = sorted(FOLDER.glob("q*.sql"))
LIKES = sorted((FOLDER / "like").glob("q*.sql"))
LOUDER = 10**13  # sums over money with 50 rows of each customer need much epsilon to be exact
ANSWERED = 14  # at least so many as they stand

_BOUNDS = re.compile(r", contribution_bounds_per_(group|row) => \([^)]*\)")
_HEAD = """\
# TPC-H over protected customers

`customer` is the privacy unit; `orders` and `lineitem` are linked to it; `supplier`, `part`, `partsupp`,
`nation` and `region` are public. What the owner declares beside that (tests/query/tpch_tables/policies.sql)
is what the specification of TPC-H says of the columns: ranges of prices, quantities, dates and discounts,
lists of flags, modes and segments, keys of public tables; and that a customer counts with at most 50 orders
or items in a group. Written by `tests/query/test_tpch.py`; each answer here, without noise, is that of plain
SQL, except that a public list of keys also shows those without rows, as 0.
"""


@dataclass(frozen=True)
class Query:
    """One text, and the reason in its first line if it is the like of another."""

    path: Path
    sql: str
    reason: str

    @classmethod
    def read(cls, path: Path) -> Query:
        text = path.read_text(encoding="utf-8").strip()
        reason, _, sql = text.partition("\n") if text.startswith("-- ") else ("", "", text)
        return cls(path, sql, reason.removeprefix("-- "))


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with open_tpch() as opened:
        yield opened


@pytest.fixture(scope="module")
def catalog(connection: duckdb.DuckDBPyConnection) -> Catalog:
    return policies.load_catalog(connection)


def made(query: Query, connection: duckdb.DuckDBPyConnection, catalog: Catalog) -> AnyPlan | None:
    """The plan, or None if the query is refused."""
    try:
        return understand(query.sql, connection, catalog)
    except DpduckError:
        return None


# --- the record ----------------------------------------------------------------------------------


def test_verdicts(connection: duckdb.DuckDBPyConnection, catalog: Catalog) -> None:
    rows, parts = ["| query | as it stands | its like |", "|---|---|---|"], []
    likes = {path.stem: Query.read(path) for path in LIKES}
    for query in map(Query.read, QUERIES):
        plan, like = made(query, connection, catalog), likes.get(query.path.stem)
        rows.append(f"| {query.path.stem} | {_word(plan)} | {'answered' if like else ''} |")
        lines = [f"## {query.path.stem}: {_word(plan)}", _text(query, plan, connection, catalog)]
        if like is not None:
            shown = _text(like, made(like, connection, catalog), connection, catalog)
            lines += [f"Its like (like/{query.path.name}). {like.reason}", shown]
        parts.append("\n\n".join(lines))
    text = "\n\n".join([_HEAD + "\n" + "\n".join(rows), *parts]) + "\n"
    if golden.WRITING:
        VERDICTS.write_text(text, encoding="utf-8")
    assert text == VERDICTS.read_text(encoding="utf-8")


def _word(plan: AnyPlan | None) -> str:
    if plan is None:
        return "refused"
    return "answered, public" if isinstance(plan, PublicPlan) else "answered"


def _text(query: Query, plan: AnyPlan | None, connection: duckdb.DuckDBPyConnection, catalog: Catalog) -> str:
    if plan is None:
        error = error_text(query.sql, connection, catalog, brief=True).replace("\n-- ", "\n")
        return f"```\n{error}\n```"
    columns = ", ".join(f"{name} {kind}" for name, kind in quiet.columns(quiet.answer(plan, connection)))
    if isinstance(plan, PublicPlan):
        return f"```\ncolumns: {columns}\n```"
    found = (pair for block in plan.blocks for pair in expected_error(block).items())
    errors = ", ".join(f"{name} +- {width:,.4g}" for name, width in found)
    known = f"\nwithin, at 95 %: {errors}" if errors else ""
    return f"```\nplan: {summary(plan)}\ncolumns: {columns}{known}\n```"


# --- the answers ---------------------------------------------------------------------------------


@pytest.mark.parametrize("path", [*QUERIES, *LIKES], ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_an_answer_is_right(
    path: Path, connection: duckdb.DuckDBPyConnection, catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    query = Query.read(path)
    plan = made(query, connection, catalog)
    if plan is None:
        assert path in QUERIES, "the like of a query is answered"
        return
    monkeypatch.setattr(quiet, "LOUDER", LOUDER)
    answered = quiet.answer(plan, connection).fetchall()
    expected = connection.execute(_BOUNDS.sub("", query.sql)).fetchall()
    if len(answered) > len(expected):
        answered = [row for row in answered if not _is_empty(row[-1])]
    if expected == [(None,)]:  # an aggregate of no rows, which is no different from one of 0
        expected = [(0.0,)]
    ordered = "order by" in query.sql
    assert quiet.is_same(answered, expected, ordered=ordered), (answered[:5], expected[:5])


def _is_empty(cell: object) -> bool:
    """Whether a key without rows has that number."""
    number = float(cell) if isinstance(cell, (int, float, Decimal)) else math.nan
    return math.isnan(number) or abs(number) < 0.01


def test_every_query_has_an_answer_of_its_kind(
    connection: duckdb.DuckDBPyConnection, catalog: Catalog
) -> None:
    refused = {path.stem for path in QUERIES if made(Query.read(path), connection, catalog) is None}
    assert len(QUERIES) == 22
    assert len(QUERIES) - len(refused) >= ANSWERED
    assert refused <= {path.stem for path in LIKES}
    assert all(Query.read(path).reason for path in LIKES)
