"""Views: expanded where they have no policy of their own, and without one where they read tables."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from dpduck import policies
from dpduck.policies import privacy_keys
from tests.policies.shop import KEY, ORDERS, open_tables, refused, run

JOINED = "CREATE VIEW bought AS SELECT * FROM orders JOIN customer ON o_custkey = c_custkey"


def test_a_view_is_no_table_until_it_has_a_policy(tmp_path: Path) -> None:
    with open_tables(KEY, ORDERS) as connection:
        connection.execute(JOINED)
        connection.execute(
            "CREATE SCHEMA s; CREATE VIEW s.some AS SELECT 1 AS x; CREATE TEMP VIEW t AS SELECT 1"
        )
        catalog = policies.load_catalog(connection)
        assert [(view.schema, view.name) for view in catalog.views] == [("main", "bought"), ("s", "some")]
        assert catalog.views[0].sql.startswith("CREATE VIEW bought AS SELECT")
        assert [column.name for column in catalog.views[1].columns] == ["x"]
        assert [table.name for table in catalog.tables] == [
            "customer", "lineitem", "orders", "pages", "returns",
        ]  # fmt: skip


def test_a_view_that_reads_tables_has_no_policy_of_its_own() -> None:
    with open_tables(KEY, ORDERS) as connection:
        connection.execute(JOINED)
        expected = (
            "view bought cannot have a privacy policy of its own\n"
            "DETAIL: Its definition mentions orders. Nothing was charged.\n"
            "HINT: Query the view directly: it is expanded and its tables' policies hold."
        )
        for text in (
            "ALTER TABLE bought ADD PRIVACY_KEY (c_custkey)",
            "ALTER TABLE bought ADD PRIVACY_LINK (o_custkey) REFERENCES customer(c_custkey)",
            "ALTER TABLE bought ALTER COLUMN segment SET PRIVACY DOMAIN IN ('a')",
            "ALTER TABLE bought SET PRIVACY CONTRIBUTION (groups = 2)",
        ):
            assert refused(connection, text) == expected


@pytest.mark.parametrize(
    ("definition", "named"),
    [
        ('SELECT 1 AS u FROM "orders"', "orders"),
        ("SELECT 1 AS u FROM ORDERS", "ORDERS"),
        ("SELECT 1 AS u WHERE EXISTS (SELECT 1 FROM main.orders)", "orders"),
        ("SELECT u FROM (SELECT 1 AS u) AS pages", "pages"),
        ("SELECT 1 AS u FROM other", "other"),
        ("SELECT 1 AS u FROM query('FROM orders')", "query"),
    ],
)
def test_it_is_enough_that_a_table_is_mentioned(definition: str, named: str) -> None:
    with open_tables() as connection:
        connection.execute("CREATE VIEW other AS SELECT 1 AS one")
        connection.execute(f"CREATE VIEW seen AS {definition}")
        text = refused(connection, "ALTER TABLE seen ADD PRIVACY_KEY (u)")
        assert f"mentions {named}.".lower() in text.lower()


def test_a_view_of_a_file_takes_a_policy(tmp_path: Path) -> None:
    path = tmp_path / "orders.parquet"
    with open_tables() as connection:
        connection.execute(f"COPY (SELECT 1 AS u, 'orders' AS \"it's\") TO '{path}'")
        connection.execute(f"CREATE VIEW filed AS SELECT *, 'orders' AS word FROM read_parquet('{path}')")
        catalog = run(connection, "ALTER TABLE filed ADD PRIVACY_KEY (u)")
        table = catalog.table("filed")
        assert (table.unit, catalog.views) == ("u", ())
        assert table.definition is not None
        assert table.definition.startswith("CREATE VIEW filed")
        catalog = run(connection, "ALTER TABLE filed DROP PRIVACY_KEY")
        assert [view.name for view in catalog.views] == ["filed"]


def test_a_policy_of_before_ends_when_the_view_reads_a_table() -> None:
    with open_tables() as connection:
        connection.execute("CREATE VIEW v AS SELECT 1 AS u")
        assert run(connection, "ALTER TABLE v ADD PRIVACY_KEY (u)").table("v").unit == "u"
        connection.execute("CREATE OR REPLACE VIEW v AS SELECT c_custkey AS u FROM customer")
        catalog = policies.load_catalog(connection)
        assert [view.name for view in catalog.views] == ["v"]


def test_the_names_of_unknown_tables_include_views() -> None:
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE a (x INTEGER); CREATE VIEW b AS SELECT 1 AS x")
        text = refused(connection, "ALTER TABLE c SET PUBLIC")
        assert text.endswith("HINT: The tables are: a, b.")


READERS = [
    "FROM read_csv('{csv}')",
    "FROM READ_CSV_AUTO('{csv}')",
    "FROM '{csv}'",
    "FROM (SELECT * FROM '{csv}' WHERE u > 0)",
    "FROM read_csv('{csv}', columns = {{'u': 'BIGINT'}}, auto_detect = false, header = true)",
    "FROM read_json('{json}')",
    "FROM '{json}'",
    "FROM read_ndjson_objects('{json}') SELECT 1 AS u",
]


@pytest.mark.parametrize("definition", READERS)
def test_a_view_that_reads_texts_takes_none(definition: str, tmp_path: Path) -> None:
    """DuckDB looks into the rows at each query: one more line changed the types of all, or made all fail."""
    files = {"csv": tmp_path / "rows.csv", "json": tmp_path / "rows.json"}
    files["csv"].write_text("u\n1\n")
    files["json"].write_text('{"u": 1}\n')
    with open_tables() as connection:
        connection.execute(f"CREATE VIEW filed AS {definition.format(**files)}")
        text = refused(connection, "ALTER TABLE filed ADD PRIVACY_KEY (u)")
        assert text.startswith("view filed cannot have a privacy policy\nDETAIL: It reads by ")
        refused(connection, "ALTER TABLE filed SET PUBLIC")


def test_a_policy_that_such_a_view_had_is_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "rows.csv"
    file.write_text("u\n1\n")
    with open_tables() as connection:
        connection.execute(f"CREATE VIEW filed AS FROM read_csv('{file}')")
        with monkeypatch.context() as before:
            before.setattr(privacy_keys, "_READERS", set())
            assert run(connection, "ALTER TABLE filed ADD PRIVACY_KEY (u)").table("filed").unit == "u"
        assert "filed" not in [table.name for table in policies.load_catalog(connection).tables]
