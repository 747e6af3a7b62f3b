"""A policy proposed from the schema alone: accepted as it stands, and no row is looked at."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import dpduck
from dpduck.engines.duckdb.path import DataPath
from dpduck.engines.source import open_columns
from dpduck.policies.scripts import read_script
from dpduck.policies.suggest import propose
from dpduck.policies.suggest.script import text_of
from dpduck.policies.wording import sql_of
from tests.policies.suggest.schemas import NO_KEY, SCHEMAS, SHOP, TPCH, WIDE


def proposed(schema: str, *, reads_public: bool = False) -> list[str]:
    with duckdb.connect() as db:
        db.execute(schema)
        return [sql_of(one) for one in propose(db, reads_public=reads_public).statements]


def script(schema: str) -> str:
    with duckdb.connect() as db:
        db.execute(schema)
        return text_of(propose(db), "some data")


def test_a_shop_is_linked_to_its_customers() -> None:
    assert proposed(SHOP) == [
        "ALTER TABLE customers ADD PRIVACY_KEY (id)",
        "ALTER TABLE customers ALTER COLUMN age SET PRIVACY DOMAIN BETWEEN (0, 120)",
        "ALTER TABLE messages ADD PRIVACY_LINK (sender) REFERENCES customers(id)",
        "ALTER TABLE orders ADD PRIVACY_LINK (customer_id) REFERENCES customers(id)",
        "ALTER TABLE orders ALTER COLUMN status SET PRIVACY DOMAIN IN ('open', 'sent')",
        "ALTER TABLE order_items ADD PRIVACY_LINK (order_id) REFERENCES orders(id)",
    ]


def test_what_the_schema_does_not_say_is_asked() -> None:
    text = script(SHOP)
    assert "-- ? Rows of messages are also linked by receiver. Only one unit is protected" in text
    assert "-- ? Is products a list that everybody may read" in text
    assert (
        "--     ALTER TABLE order_items ALTER COLUMN product_id SET PRIVACY DOMAIN REFERENCES products(id);"
        in text
    )
    assert "-- ? From which day to which one are there rows (joined)?" in text
    assert "-- Of views the policies of their tables hold: sent." in text


def test_a_preview_says_what_each_line_allows() -> None:
    lines = script(SHOP).splitlines()
    at = lines.index("ALTER TABLE customers ADD PRIVACY_KEY (id);")
    assert lines[at + 2] == "--   allows: count(*), GROUP BY vip, GROUP BY plan"
    at = lines.index("ALTER TABLE customers ALTER COLUMN age SET PRIVACY DOMAIN BETWEEN (0, 120);")
    assert lines[at + 2] == "--   allows: GROUP BY age, median(age), quantile_cont, sum(age), avg"


def test_tpch_is_linked_by_names_where_keys_are_unique() -> None:
    assert proposed(TPCH) == [
        "ALTER TABLE customer ADD PRIVACY_KEY (c_custkey)",
        "ALTER TABLE orders ADD PRIVACY_LINK (o_custkey) REFERENCES customer(c_custkey)",
        "ALTER TABLE lineitem ADD PRIVACY_LINK (l_orderkey) REFERENCES orders(o_orderkey)",
    ]


def test_tpch_without_constraints_has_keys_and_a_question() -> None:
    plain = TPCH.replace(" PRIMARY KEY", "")
    assert proposed(plain) == [
        "ALTER TABLE customer ADD PRIVACY_KEY (c_custkey)",
        "ALTER TABLE orders ADD PRIVACY_KEY (o_custkey)",
    ]
    assert "-- ? Are these the people of customer? By keys of their own" in script(plain)
    assert "-- ? Whose rows does lineitem hold?" in script(plain)


def test_a_key_is_that_of_the_table_that_it_is_named_after() -> None:
    """Two tables have the column: of neither it is the key of people, as of customers."""
    pays = "CREATE TABLE pays (customer_id INTEGER, total DOUBLE);"
    orders = "CREATE TABLE orders (id INTEGER, customer_id INTEGER);"
    for schema in (f"{pays}{orders}", f"{orders}{pays}"):
        text = script(f"{schema} CREATE TABLE customers (id INTEGER, town VARCHAR);")
        for name in ("pays", "orders"):
            assert f"ALTER TABLE {name} ADD PRIVACY_LINK (customer_id) REFERENCES customers(id);" in text
            assert f"REFERENCES {name}(" not in text
        assert "ALTER TABLE customers ADD PRIVACY_KEY (id);" in text


def test_a_second_person_in_a_row_is_asked_about() -> None:
    text = script(SCHEMAS["events"])
    assert "ALTER TABLE events ADD PRIVACY_KEY (user_id);" in text.splitlines()
    assert "-- ? referred_by_user_id may name a person too." in text
    assert "--     ALTER TABLE events ADD PRIVACY_KEY (referred_by_user_id);" in text


def test_nothing_is_opened_where_no_name_says_whose_rows_there_are() -> None:
    assert proposed(NO_KEY) == []
    assert "-- ? Whose rows does readings hold? Until it is said, no query reads it." in script(NO_KEY)


def test_a_table_is_never_made_public() -> None:
    assert not [one for schema in SCHEMAS.values() for one in proposed(schema) if "PUBLIC" in one]


def test_500_columns_are_named_in_a_few_lines() -> None:
    text = script(WIDE)
    assert len(text.splitlines()) < 40
    assert "and 89 more take" in " ".join(text.split())
    assert not [line for line in text.splitlines() if line.startswith("DROP")]


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_script_is_accepted_as_it_stands(name: str) -> None:
    with duckdb.connect() as db:
        db.execute(SCHEMAS[name])
        said = read_script(text_of(propose(db), name), "the script")
        assert [sql_of(one) for one in said] == proposed(SCHEMAS[name])
        with dpduck.connect(db) as owner:
            for one in said:
                owner.execute(one)
        assert propose(db).statements == []  # and nothing is left to propose


@pytest.mark.parametrize("name", SCHEMAS)
def test_every_line_is_a_statement_or_a_comment(name: str) -> None:
    text = script(SCHEMAS[name])
    for line in filter(None, text.splitlines()):
        assert line.startswith("-- ") or (line.startswith("ALTER TABLE ") and line.endswith(";"))


def test_what_is_declared_already_is_left_alone() -> None:
    with duckdb.connect() as db:
        db.execute(SHOP)
        with dpduck.connect(db) as owner:
            owner.execute("ALTER TABLE towns SET PUBLIC; ALTER TABLE messages ADD PRIVACY_KEY (receiver)")
        text = text_of(propose(db), "the shop")
    assert "-- towns: public already" in text
    assert "-- messages: private: by receiver already" in text
    assert not [
        line for line in text.splitlines() if line.startswith(("ALTER TABLE towns", "ALTER TABLE mess"))
    ]


def test_public_tables_are_read_only_if_asked() -> None:
    domain = "ALTER TABLE customers ALTER COLUMN town SET PRIVACY DOMAIN REFERENCES towns(name)"
    with duckdb.connect() as db:
        db.execute(SHOP)
        db.execute("INSERT INTO towns VALUES ('Aachen', 'DE'), ('Rome', 'IT')")
        with dpduck.connect(db) as owner:
            owner.execute("ALTER TABLE towns SET PUBLIC")
        assert domain not in map(sql_of, propose(db).statements)
        found = propose(db, reads_public=True)
        assert domain in map(sql_of, found.statements)
        with dpduck.connect(db) as owner:
            for one in found.statements:
                owner.execute(one)


def test_an_empty_public_table_gives_no_domain() -> None:
    with duckdb.connect() as db:
        db.execute(SHOP)
        with dpduck.connect(db) as owner:
            owner.execute("ALTER TABLE towns SET PUBLIC")
        assert not [
            one for one in propose(db, reads_public=True).statements if "REFERENCES towns" in sql_of(one)
        ]


# --- no row is looked at -------------------------------------------------------------------------


class Watched:
    """A connection that notes each statement."""

    def __init__(self, db: duckdb.DuckDBPyConnection) -> None:
        self.db = db
        self.asked: list[str] = []

    def execute(self, sql: str, *more: object) -> duckdb.DuckDBPyConnection:
        self.asked.append(sql)
        return self.db.execute(sql, *more)


@pytest.mark.parametrize("name", ["shop", "tpch", "wide"])
def test_only_the_catalog_is_asked(name: str) -> None:
    with duckdb.connect() as db:
        db.execute(SCHEMAS[name])
        tables = [row[0] for row in db.execute("SELECT table_name FROM duckdb_tables()").fetchall()]
        watched = Watched(db)
        propose(watched)  # type: ignore[arg-type]
        assert len(watched.asked) >= 2
        for asked in watched.asked:
            assert not db.get_table_names(asked) & set(tables), asked


def test_a_poisoned_table_is_not_touched() -> None:
    """Reading any row fails."""
    with duckdb.connect() as db:
        db.execute("CREATE TABLE customers (id INTEGER PRIMARY KEY, town VARCHAR)")
        db.execute("CREATE VIEW poison AS SELECT error('a row was read') AS customer_id FROM range(9)")
        with pytest.raises(duckdb.Error):
            db.execute("FROM poison").fetchall()
        assert "customers ADD PRIVACY_KEY (id);" in text_of(propose(db), "it")


def test_rows_of_a_database_do_not_matter() -> None:
    with duckdb.connect() as db:
        db.execute(SHOP)
        before = text_of(propose(db), "it")
        db.execute("INSERT INTO towns VALUES ('Aachen', 'DE')")
        db.execute(
            "INSERT INTO customers SELECT i, 'x', 'Aachen', 7, true, 'free', NULL FROM range(1000) AS r(i)"
        )
        assert text_of(propose(db), "it") == before


def test_rows_and_statistics_of_a_parquet_file_do_not_matter(tmp_path: Path) -> None:
    """Two files of one schema; and one whose pages are destroyed, so that any read of them fails."""
    first = pa.table({"visitor": [1, 2], "page": ["a", "b"], "age": [3, None]})
    second = pa.table({"visitor": [900_000, None, 5], "page": ["x", None, "zz"], "age": [-1, 10**12, 7]})
    texts = []
    for name, table in (("one", first), ("two", second)):
        (tmp_path / name).mkdir()
        place = tmp_path / name / "visits.parquet"
        pq.write_table(table, place)
        texts.append(_of_file(place))
    content = bytearray(place.read_bytes())
    footer = int.from_bytes(content[-8:-4], "little") + 8
    content[4 : len(content) - footer] = b"\xff" * (len(content) - footer - 4)
    place.write_bytes(content)
    with pytest.raises(duckdb.Error):
        duckdb.sql(f"SELECT sum(age) FROM '{place}'").fetchall()
    assert texts[0] == texts[1] == _of_file(place)
    assert "ALTER TABLE visits ADD PRIVACY_KEY (visitor);" in texts[0]


def _of_file(place: Path) -> str:
    with open_columns(DataPath(str(place))) as db:
        return text_of(propose(db), place.name)


def test_yes_or_no_is_nobody() -> None:
    rides = "CREATE TABLE rides (rider BIGINT, station VARCHAR, member BOOLEAN, is_member BOOLEAN)"
    assert proposed(rides)[0] == "ALTER TABLE rides ADD PRIVACY_KEY (rider)"
    assert proposed("CREATE TABLE rides (station VARCHAR, member BOOLEAN)") == []
