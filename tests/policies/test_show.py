"""SHOW PRIVACY and SHOW PRIVACY FOR t, from the catalog alone; what they say to type parses."""

from __future__ import annotations

import duckdb
import pytest

import dpduck
from dpduck import policies
from dpduck.compiler.parse.statements import parse
from dpduck.kernel.catalog.model import Catalog
from dpduck.kernel.catalog.statements import PolicyStatement, TableName
from dpduck.kernel.errors import UnknownNameError
from dpduck.policies.show import ANSWER_COLUMNS, PRIVACY_COLUMNS, answer_rows, privacy_rows
from tests.policies.shop import KEY, LINES, ORDERS, open_tables

TEXTS = (
    KEY,
    ORDERS,
    LINES,
    "ALTER TABLE pages SET PUBLIC",
    "ALTER TABLE customer ALTER COLUMN segment SET PRIVACY DOMAIN REFERENCES pages(name)",
    "ALTER TABLE customer ALTER COLUMN balance SET PRIVACY DOMAIN BETWEEN (0, 1000)",
    "ALTER TABLE lineitem ALTER COLUMN l_number SET PRIVACY DOMAIN IN (1, 2, 3)",
    "ALTER TABLE lineitem SET PRIVACY CONTRIBUTION (groups = 5, rows = 2)",
)


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    with open_tables(*TEXTS) as connection:
        connection.execute("CREATE VIEW bought AS FROM orders")
        connection.execute("CREATE SCHEMA s; CREATE TABLE s.closed (x INTEGER)")
        return policies.load_catalog(connection)


def test_every_table_and_view_is_listed(catalog: Catalog) -> None:
    assert PRIVACY_COLUMNS == ("table", "status", "unit", "column", "domain", "contribution")
    lines = "l_orderkey -> orders.o_orderkey"
    assert privacy_rows(catalog) == [
        ("customer", "private", "c_custkey", None, None, None),
        ("customer", "private", "c_custkey", "segment", "REFERENCES pages(name): 3 values", None),
        ("customer", "private", "c_custkey", "balance", "BETWEEN (0.0, 1000.0) STEP 125/536870912", None),
        ("lineitem", "private", lines, None, None, "groups = 5, rows = 2"),
        ("lineitem", "private", lines, "l_number", "IN (1, 2, 3)", None),
        ("orders", "private", "o_custkey -> customer.c_custkey", None, None, None),
        ("pages", "public", None, None, None, None),
        ("returns", "closed", None, None, None, None),
        ("closed", "closed", None, None, None, None),
        ("bought", "view", None, None, None, None),
    ]


def test_a_reference_without_values_is_shown() -> None:
    with open_tables(*TEXTS) as connection:
        connection.execute("DELETE FROM pages")
        rows = privacy_rows(policies.load_catalog(connection))
    domain = "REFERENCES pages(name), which is not there"
    assert ("customer", "private", "c_custkey", "segment", domain, None) in rows


def test_what_a_table_with_a_key_answers(catalog: Catalog) -> None:
    assert ANSWER_COLUMNS == ("query", "answered", "how")
    with_delta = (
        "SET dp_delta = 1e-6, or "
        "ALTER TABLE customer ALTER COLUMN c_name SET PRIVACY DOMAIN IN ('...', '...')"
    )
    assert answer_rows(catalog, TableName("CUSTOMER")) == [
        ("count(*)", "yes", "It counts distinct c_custkey."),
        ("GROUP BY c_custkey", "no", "Each group would be one unit."),
        ("GROUP BY c_name", "with delta", with_delta),
        ("mode(c_name)", "with delta", with_delta),
        ("GROUP BY segment", "yes", "3 public values."),
        ("mode(segment)", "yes", "3 public values."),
        ("GROUP BY balance", "no", "Values of type DOUBLE are no keys."),
        ("median(balance), quantile_cont", "yes", "From 0.0 to 1000.0."),
        ("sum(balance), avg", "yes", "From 0.0 to 1000.0."),
        (
            "JOIN orders",
            "yes",
            "ON orders.o_custkey = customer.c_custkey: both hold rows of customer.c_custkey.",
        ),
        ("JOIN of a public table", "yes", "On its PRIMARY KEY or UNIQUE column."),
    ]


def test_what_linked_tables_answer(catalog: Catalog) -> None:
    rows = answer_rows(catalog, TableName("lineitem", "main"))
    assert rows[0] == ("count(*)", "yes", "It counts rows, at most 2 for each customer.c_custkey.")
    median = "ALTER TABLE lineitem ALTER COLUMN l_number SET PRIVACY DOMAIN BETWEEN (LOW, HIGH)"
    assert ("median(l_number), quantile_cont", "no", median) in rows
    assert ("GROUP BY l_number", "yes", "3 public values.") in rows
    assert [row[0] for row in rows if row[0] and row[0].startswith("JOIN")] == [
        "JOIN orders",
        "JOIN of a public table",
    ]
    assert rows[1] == ("GROUP BY", "yes", "Of one customer.c_custkey, 5 groups at most.")
    rows = answer_rows(catalog, TableName("orders"))
    assert rows[1] == (
        "GROUP BY",
        "yes",
        "Of one customer.c_custkey, all groups: if each has one row, less noise by "
        "ALTER TABLE orders SET PRIVACY CONTRIBUTION (groups = 1)",
    )
    assert ("GROUP BY o_custkey", "no", "Each group would be one unit.") in rows
    assert [row[0] for row in rows if row[0] and row[0].startswith("JOIN")] == [
        "JOIN customer",
        "JOIN lineitem",
        "JOIN of a public table",
    ]


@pytest.mark.parametrize(
    ("name", "row"),
    [
        (TableName("pages"), ("any query", "yes", "The table is public: no noise, no charge.")),
        (
            TableName("closed", "s"),
            (
                "any query",
                "no",
                "ALTER TABLE s.closed ADD PRIVACY_KEY (column), or ALTER TABLE s.closed SET PUBLIC",
            ),
        ),
        (
            TableName("bought", "public"),
            ("any query", "as its tables", "The view is expanded: its tables' policies hold."),
        ),
    ],
)
def test_other_tables_have_one_row(catalog: Catalog, name: TableName, row: tuple[str, ...]) -> None:
    assert answer_rows(catalog, name) == [row]


def test_a_table_that_is_not_there(catalog: Catalog) -> None:
    with pytest.raises(UnknownNameError, match="table nix does not exist"):
        answer_rows(catalog, TableName("nix"))


def test_what_to_type_is_a_statement_that_helps(catalog: Catalog) -> None:
    for name in ("customer", "orders", "lineitem"):
        for query, answered, how in answer_rows(catalog, TableName(name)):
            assert how is not None
            if "ALTER TABLE" not in how:
                continue
            typed = how[how.index("ALTER TABLE") :]
            ends = "0, 9"
            if "(LOW, HIGH)" in typed and catalog.table(name).column(typed.split()[5]).type in (
                "DATE",
                "TIMESTAMP",
            ):
                ends = "'2024-01-01', '2024-12-31'"
            statement = parse(typed.replace("LOW, HIGH", ends).replace("'...', '...'", "'a', 'b'"))
            assert isinstance(statement, PolicyStatement)
            after = answer_rows(policies.apply(catalog, statement), TableName(name))
            assert (query, "yes") in [row[:2] for row in after], (query, answered)


def test_explain_says_where_groups_count_rows() -> None:
    connection = duckdb.connect()
    connection.execute("CREATE TABLE t (id INTEGER, k VARCHAR)")
    db = dpduck.connect(connection, epsilon="1")
    db.execute("ALTER TABLE t ADD PRIVACY_KEY (id)")
    db.execute("ALTER TABLE t ALTER COLUMN k SET PRIVACY DOMAIN IN ('a', 'b')")
    query, said = "SELECT k, count(*) FROM t GROUP BY k", "counts    rows, at most 20 of each unit and group"
    assert said not in str(db.explain(query))
    db.execute("ALTER TABLE t SET PRIVACY CONTRIBUTION (rows = 20)")
    assert said in str(db.explain(query))
