"""Public rows that a LEFT JOIN keeps: what is accepted ignores those without a partner, as plain SQL does."""

from __future__ import annotations

import duckdb
import pytest

from dpduck.kernel.errors import DpduckError
from tests.query.shop import open_shop
from tests.query.test_golden import catalog_of, plan_of

ARGUMENTS = (
    "uid",
    "page",
    "age + 1",
    "nullif(page, name)",
    "nullif(name, page)",
    "page || 'x'",
    "concat(page, 'x')",
    "coalesce(page, name)",
    "coalesce(page, 'x')",
    "CASE WHEN age > 3 THEN 1 END",
    "CASE WHEN ok THEN 1 ELSE 2 END",
    "CASE page WHEN 'a' THEN 1 ELSE 2 END",
    "page IN ('a')",
    "page IS NULL",
    "NOT ok",
    "ok OR true",
    "ok AND false",
    "greatest(age, 5)",
    "least(page, name)",
    "age IS DISTINCT FROM 3",
    "age BETWEEN 1 AND 2",
    "len(page)",
    "x",
    "regexp_matches(page, 'a')",
    "date_diff('day', day, DATE '2024-01-01')",
    "strftime(day, '%Y')",
    "name",
)
ACCEPTED = 12  # at least


def test_what_is_accepted_counts_no_row_without_a_partner() -> None:
    with open_shop() as connection:
        counts = [plain for argument in ARGUMENTS if (plain := counted(argument, connection)) is not None]
    assert len(counts) >= ACCEPTED
    assert not any(counts)


def counted(argument: str, connection: duckdb.DuckDBPyConnection) -> int | None:
    """How many rows plain SQL counts of a shop that nobody visits; None if dpduck refuses the query."""
    call = f"count({argument})"
    try:
        join = f"SELECT name, {call} FROM shops LEFT JOIN visits ON page = name GROUP BY name"
        plan_of(join, catalog_of(connection), connection)
    except DpduckError:
        return None
    alone = "(SELECT 'north' AS name) LEFT JOIN (SELECT * FROM visits LIMIT 0) AS visits ON true"
    [(found,)] = connection.execute(f"SELECT {call} FROM {alone}").fetchall()
    return int(found)


@pytest.mark.parametrize("argument", ["*", "name", "coalesce(page, name)", "greatest(age, 5)"])
def test_what_would_count_them_is_refused(argument: str) -> None:
    with open_shop() as connection:
        assert counted(argument, connection) is None
