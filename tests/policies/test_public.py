"""SET PUBLIC, and domains that a public table holds."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from pathlib import Path

import duckdb
import pytest

import dpduck
from dpduck import policies
from dpduck.engines.duckdb.engine import DuckEngine
from dpduck.kernel.catalog.model import Reference, ValuesDomain
from dpduck.kernel.tree.duckdb import sql
from dpduck.kernel.tree.relations import SelectQuery
from dpduck.policies import domains, schema
from tests.policies.shop import KEY, open_tables, refused, run

PUBLIC = "ALTER TABLE pages SET PUBLIC"
SEGMENTS = "ALTER TABLE customer ALTER COLUMN segment SET PRIVACY DOMAIN REFERENCES pages(name)"


class TestAreTheSameTable:
    def test_a_table_that_was_made_again_is_closed(self) -> None:
        with open_tables(PUBLIC) as connection:
            assert policies.load_catalog(connection).table("pages").public
            connection.execute("DROP TABLE pages; CREATE TABLE pages (name VARCHAR, salary INTEGER)")
            assert not policies.load_catalog(connection).table("pages").public
            assert run(connection, PUBLIC).table("pages").public

    @pytest.mark.parametrize(
        "change",
        ["ADD COLUMN more INTEGER", "DROP COLUMN heat", "RENAME name TO ssn", "ALTER heat TYPE FLOAT"],
    )
    def test_so_is_one_whose_columns_change(self, change: str) -> None:
        with open_tables(PUBLIC) as connection:
            connection.execute(f"ALTER TABLE pages {change}")
            assert not policies.load_catalog(connection).table("pages").public

    def test_and_a_view_with_another_definition(self) -> None:
        with open_tables() as connection:
            connection.execute("CREATE VIEW v AS SELECT 'a' AS name")
            assert run(connection, "ALTER TABLE v SET PUBLIC").table("v").public
            connection.execute("CREATE OR REPLACE VIEW v AS SELECT c_name AS name FROM customer")
            catalog = policies.load_catalog(connection)
            assert [view.name for view in catalog.views] == ["v"]

    def test_the_same_columns_again_stay_public(self) -> None:
        with open_tables(PUBLIC) as connection:
            connection.execute("CREATE OR REPLACE TABLE pages AS FROM pages WHERE name = 'a'")
            assert policies.load_catalog(connection).table("pages").public


class TestReferences:
    @pytest.mark.parametrize(
        ("column", "source", "values"),
        [
            ("VARCHAR", "name", ("", "a", "b")),
            ("DATE", "day", (date(2024, 1, 1), date(2024, 1, 2))),  # infinity cannot be written
            ("DECIMAL(9,2)", "price", (Decimal("1.50"), Decimal("2.00"))),
        ],
    )
    def test_values_are_those_of_the_public_table(
        self, column: str, source: str, values: tuple[object, ...]
    ) -> None:
        with open_tables(PUBLIC) as connection:
            connection.execute(f"CREATE TABLE t (x {column})")
            text = f"ALTER TABLE t ALTER COLUMN x SET PRIVACY DOMAIN REFERENCES pages({source})"
            found = run(connection, text).table("t").column("x")
            assert found.domain == ValuesDomain(values)  # type: ignore[arg-type]
            assert found.reference == Reference("main", "pages", source)

    def test_they_are_read_each_time(self) -> None:
        with open_tables(PUBLIC, SEGMENTS) as connection:
            connection.execute("INSERT INTO pages (name) VALUES ('c')")
            catalog = policies.load_catalog(connection)
            assert catalog.table("customer").column("segment").domain == ValuesDomain(("", "a", "b", "c"))

    @pytest.mark.parametrize(
        "change",
        [
            "DROP TABLE pages",
            "ALTER TABLE pages RENAME name TO other",
            "ALTER TABLE pages ADD COLUMN more INTEGER",
            "DELETE FROM pages",
            "ALTER TABLE customer ALTER segment TYPE INTEGER",
        ],
    )
    def test_without_the_table_there_is_no_domain(self, change: str) -> None:
        with open_tables(PUBLIC, SEGMENTS) as connection:
            connection.execute(change)
            assert policies.load_catalog(connection).table("customer").column("segment").domain is None

    def test_a_table_that_becomes_private_gives_none(self) -> None:
        with open_tables(PUBLIC, SEGMENTS) as connection:
            catalog = run(connection, "ALTER TABLE pages ADD PRIVACY_KEY (name)")
            assert catalog.table("customer").column("segment").domain is None

    def test_what_another_statement_says_replaces_it(self) -> None:
        with open_tables(PUBLIC, SEGMENTS) as connection:
            text = "ALTER TABLE customer ALTER COLUMN segment SET PRIVACY DOMAIN IN ('x')"
            column = run(connection, text).table("customer").column("segment")
            assert (column.domain, column.reference) == (ValuesDomain(("x",)), None)

    def test_too_many_values(self, monkeypatch: pytest.MonkeyPatch) -> None:
        with open_tables(PUBLIC, SEGMENTS) as connection:
            monkeypatch.setattr(domains, "MAX_DOMAIN_VALUES", 2)
            assert policies.load_catalog(connection).table("customer").column("segment").domain is None
            assert refused(connection, SEGMENTS) == (
                "this cannot be the privacy domain of column customer.segment\n"
                "DETAIL: A domain has 1 to 2 values. Nothing was charged.\n"
                "HINT: Write, for example, ALTER TABLE customer ALTER COLUMN segment SET PRIVACY DOMAIN "
                "IN ('...', '...'). Write values that are known without looking at the data."
            )

    @pytest.mark.parametrize(
        ("before", "text", "error"),
        [
            (
                [],
                SEGMENTS,
                "table pages is not public\n"
                "DETAIL: Which of its values are there would say who is there. Nothing was charged.\n"
                "HINT: ALTER TABLE pages SET PUBLIC first, if it holds nothing private.",
            ),
            (
                [KEY],
                "ALTER TABLE orders ALTER COLUMN o_custkey SET PRIVACY DOMAIN REFERENCES customer(c_custkey)",
                "table customer is not public\n"
                "DETAIL: Which of its values are there would say who is there. Nothing was charged.\n"
                "HINT: ALTER TABLE customer SET PUBLIC first, if it holds nothing private.",
            ),
            (
                [PUBLIC],
                "ALTER TABLE orders ALTER COLUMN o_date SET PRIVACY DOMAIN REFERENCES pages(name)",
                "this cannot be the privacy domain of column orders.o_date\n"
                "DETAIL: Column pages.name is of type VARCHAR, not DATE. Nothing was charged.\n"
                "HINT: Write, for example, ALTER TABLE orders ALTER COLUMN o_date SET PRIVACY DOMAIN "
                "IN (...), with the values themselves.",
            ),
            (
                [PUBLIC],
                "ALTER TABLE customer ALTER COLUMN balance SET PRIVACY DOMAIN REFERENCES pages(heat)",
                "this cannot be the privacy domain of column customer.balance\n"
                "DETAIL: A column of type DOUBLE takes no list of values. Nothing was charged.\n"
                "HINT: Write, for example, ALTER TABLE customer ALTER COLUMN balance SET PRIVACY DOMAIN "
                "BETWEEN (LOW, HIGH). LOW and HIGH are bounds that are known without looking at the data.",
            ),
            (
                [PUBLIC],
                "ALTER TABLE customer ALTER COLUMN segment SET PRIVACY DOMAIN REFERENCES pages(nix)",
                "table pages has no column nix\nDETAIL: Nothing was charged.\n"
                "HINT: Its columns are: name, day, price, heat.",
            ),
        ],
    )
    def test_refusals_teach(self, before: list[str], text: str, error: str) -> None:
        with open_tables(*before) as connection:
            assert refused(connection, text) == error


class TestDroppingADomain:
    DROP = "ALTER TABLE t ALTER COLUMN x DROP PRIVACY DOMAIN"

    @pytest.mark.parametrize(
        ("kind", "domain", "natural"),
        [
            ("INTEGER", "BETWEEN (0, 1)", None),
            ("VARCHAR", "REFERENCES pages(name)", None),
            ("ENUM('a', 'b')", "IN ('a')", ValuesDomain(("a", "b"))),
        ],
    )
    def test_the_column_is_as_before(self, kind: str, domain: str, natural: object) -> None:
        with open_tables(PUBLIC) as connection:
            connection.execute(f"CREATE TABLE t (x {kind})")
            run(connection, f"ALTER TABLE t ALTER COLUMN x SET PRIVACY DOMAIN {domain}")
            column = run(connection, self.DROP).table("t").column("x")
            assert (column.domain, column.reference) == (natural, None)

    def test_there_must_be_one(self) -> None:
        with duckdb.connect() as connection:
            connection.execute("CREATE TABLE t (x BOOLEAN)")
            assert refused(connection, self.DROP) == (
                "column t.x has no privacy domain of its own\nDETAIL: Nothing was charged.\n"
                "HINT: ALTER TABLE t ALTER COLUMN x SET PRIVACY DOMAIN ... sets one."
            )


class TestReading:
    """How often the rows of public tables are read, which may be many: for queries, not for statements."""

    @pytest.fixture
    def asked(self, monkeypatch: pytest.MonkeyPatch) -> list[str]:
        """The queries on public tables so far."""
        found: list[str] = []
        plain = DuckEngine.rows

        def rows(engine: DuckEngine, query: SelectQuery) -> object:
            found.append(sql(query))
            return plain(engine, query)

        def asking(connection: duckdb.DuckDBPyConnection) -> schema.Ask:
            inside = schema.asking(connection)

            def ask(query: SelectQuery) -> Sequence[Sequence[object]]:
                found.append(sql(query))
                return inside(query)

            return ask

        monkeypatch.setattr(DuckEngine, "rows", rows)
        monkeypatch.setattr(policies, "asking", asking)
        return found

    def test_statements_count_values_and_a_query_reads_each_column_once(
        self, tmp_path: Path, asked: list[str]
    ) -> None:
        path = tmp_path / "shop.duckdb"
        with duckdb.connect(str(path)) as con:
            con.execute("CREATE TABLE item AS SELECT i AS id FROM range(2000) AS r(i)")
            con.execute("CREATE TABLE sales AS SELECT i AS person, i AS one, i AS two FROM range(9) AS r(i)")
        with dpduck.connect(path, epsilon=1) as db:
            db.execute("ALTER TABLE item SET PUBLIC")
            db.execute("ALTER TABLE sales ADD PRIVACY_KEY (person)")
            for column in ("one", "two"):
                db.execute(f"ALTER TABLE sales ALTER COLUMN {column} SET PRIVACY DOMAIN REFERENCES item(id)")
            for groups in range(1, 6):
                db.execute(f"ALTER TABLE sales SET PRIVACY CONTRIBUTION (groups = {groups})")
            assert len(asked) == 2
            assert all("count(*)" in query for query in asked)
            db.execute("SELECT one, count(*) FROM sales GROUP BY one ORDER BY 2 DESC LIMIT 3").fetchall()
            planned, again = asked[2:]  # once more in the snapshot that is read, as the file was written
            assert planned == again

    def test_few_values_are_read_since_a_query_may_contain_none_of_them(self) -> None:
        with open_tables(PUBLIC) as connection:
            connection.execute("DELETE FROM pages WHERE day < 'infinity'")
            text = "ALTER TABLE orders ALTER COLUMN o_date SET PRIVACY DOMAIN REFERENCES pages(day)"
            assert "A domain has 1 to 1000000 values." in refused(connection, text)
