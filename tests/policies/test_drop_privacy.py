"""ALTER TABLE t DROP PRIVACY: the way back to closed, whatever was said of the table."""

from __future__ import annotations

import pytest

from dpduck import policies
from tests.policies.shop import KEY, LINES, ORDERS, open_tables, refused, run

MORE = (
    "ALTER TABLE customer SET PRIVACY CONTRIBUTION (groups = 3)",
    "ALTER TABLE customer SET PRIVACY VERSION '1'",
    "ALTER TABLE customer ALTER COLUMN segment SET PRIVACY DOMAIN IN ('a', 'b')",
    "ALTER TABLE customer ALTER COLUMN balance SET PRIVACY DOMAIN BETWEEN (0, 1)",
)


def test_all_that_was_said_is_gone() -> None:
    with open_tables("ALTER TABLE pages SET PUBLIC") as connection:
        before = policies.load_catalog(connection).table("customer")
        run(connection, KEY, *MORE)
        catalog = run(connection, "ALTER TABLE customer DROP PRIVACY")
        assert catalog.table("customer") == before
        assert catalog.table("pages").public
        kinds = connection.execute("SELECT kind FROM dpduck.policies ORDER BY 1").fetchall()
        # Whose the rows were stays known, so that what was spent on them counts whatever comes next.
        assert kinds == [("people",), ("public",), ("salt",)]


def test_a_link_and_a_public_table_are_closed() -> None:
    with open_tables(KEY, ORDERS, "ALTER TABLE pages SET PUBLIC") as connection:
        catalog = run(connection, "ALTER TABLE orders DROP PRIVACY", "ALTER TABLE pages DROP PRIVACY")
        for name in ("orders", "pages"):
            assert not catalog.table(name).private
            assert not catalog.table(name).public
        assert catalog.table("customer").private


def test_what_others_depend_on_stays() -> None:
    with open_tables(KEY, ORDERS, LINES) as connection:
        assert refused(connection, "ALTER TABLE customer DROP PRIVACY").startswith(
            "other tables are linked to customer: orders"
        )


@pytest.mark.parametrize(
    "text", ["ALTER TABLE customer DROP PRIVACY", "ALTER TABLE customer DROP PRIVACY FORCE"]
)
def test_a_table_that_is_closed_already(text: str) -> None:
    with open_tables() as connection:
        assert refused(connection, text).startswith("table customer has no privacy policy")


def test_a_column_named_in_other_capitals_and_a_domain_alone() -> None:
    with open_tables() as connection:
        run(connection, "ALTER TABLE Customer ALTER COLUMN SEGMENT SET PRIVACY DOMAIN IN ('a')")
        catalog = run(connection, "ALTER TABLE CUSTOMER DROP PRIVACY")
        assert catalog.table("customer").column("segment").domain is None
