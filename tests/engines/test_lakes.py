"""DuckLakes as FILE: what is read is one snapshot, whatever is written meanwhile."""

from __future__ import annotations

import json
import shutil
import sqlite3
from pathlib import Path

import duckdb
import pytest

import dpduck
from dpduck.engines.duckdb import lake_catalog
from dpduck.engines.source import open_source
from dpduck.kernel.errors import DpduckError, PolicyError
from dpduck.kernel.ledger import open_ledger
from tests.engines.lakes import NAMES, PEOPLE, POLICIES, Writer, find, install

COUNT = "SELECT count(*) FROM people"
MORE = "INSERT INTO people SELECT 10000 + range, 'bonn', 5 FROM range(1000)"
SECRET = "Zaphod7319"

if any(find(name) is None for name in NAMES):
    pytest.skip("the extensions of DuckLake are not installed as packages", allow_module_level=True)


@pytest.fixture(scope="module")
def lakes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for each store, with a lake that has policies, and a home for the extensions."""
    folder = tmp_path_factory.mktemp("lakes")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(folder))
        install(folder, *NAMES)
        for store in ("sqlite", "duckdb"):
            (folder / store).mkdir()
            patch.chdir(folder / store)
            Writer(Path("shop.ducklake"), store).write(*PEOPLE.split(";"))
            with dpduck.connect("shop.ducklake") as owner:
                owner.execute("; ".join(POLICIES))
    return folder


@pytest.fixture(autouse=True)
def home(lakes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(lakes / ".duckdb", tmp_path / ".duckdb")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(params=["sqlite", "duckdb"])
def writer(request: pytest.FixtureRequest, lakes: Path, home: Path) -> Writer:
    shutil.copytree(lakes / request.param, home, dirs_exist_ok=True)
    return Writer(home / "shop.ducklake", request.param)


def opened(writer: Writer, analyst: str | None = "ana") -> dpduck.Connection:
    return dpduck.connect(writer.catalog, epsilon="10", analyst=analyst)


def count(connection: dpduck.Connection, more: str = "") -> int:
    """Off by 50 once in e^500 times."""
    return int(connection.execute(f"{COUNT} {more}").fetchall()[0][0])


def versions(writer: Writer) -> list[int]:
    """The snapshot of each stored answer, in order."""
    with open_ledger(f"{writer.catalog}.ledger") as ledger:
        fresh = [ledger.answer(entry.seq) for entry in ledger.entries() if not entry.replayed]
    said = [json.loads(answer.version)[0][2][1] for answer in fresh]
    return [int(text.split()[1]) for text in said]


def test_a_connection_reads_one_snapshot_and_the_next_one_the_newest(writer: Writer) -> None:
    newest = lake_catalog.newest(writer.catalog)
    assert newest is not None
    with opened(writer) as first:
        assert abs(count(first) - 600) < 50
        writer.write(MORE, "DELETE FROM people WHERE id < 100")
        assert abs(count(first, "WHERE age >= 0") - 600) < 50
        with opened(writer) as second:
            assert abs(count(second) - 1500) < 50
            assert abs(count(first, "WHERE age >= 1") - 593) < 50
    assert versions(writer) == [newest, newest, newest + 2, newest]


def test_an_answer_is_given_again_for_its_snapshot_only(writer: Writer) -> None:
    with opened(writer) as first:
        answer = count(first)
        writer.write("INSERT INTO cities VALUES ('daun', 4)")
        assert (count(first), first.charged) == (answer, "0")
    with opened(writer) as later:
        count(later)
        assert later.charged == "10"


def test_the_owner_reads_the_lake_as_it_is(writer: Writer) -> None:
    with opened(writer, None) as owner:
        assert abs(count(owner) - 600) < 50
        if writer.store == "duckdb":  # one process at a time
            return
        writer.write(MORE)
        assert abs(count(owner) - 1600) < 50
    newest = lake_catalog.newest(writer.catalog)
    assert newest is not None
    assert versions(writer) == [newest - 1, newest]


def test_policies_are_part_of_a_snapshot(writer: Writer) -> None:
    before = "SELECT city, count(*) FROM people GROUP BY city"
    with opened(writer) as first:
        with dpduck.connect(writer.catalog) as owner:
            owner.execute("ALTER TABLE people ALTER COLUMN city SET PRIVACY DOMAIN IN ('aachen')")
        assert len(first.execute(before).fetchall()) == 3
    with opened(writer) as second:
        assert len(second.execute(before).fetchall()) == 1


def test_a_snapshot_that_is_gone_is_refused_before_a_charge(writer: Writer) -> None:
    with opened(writer) as first:
        assert abs(count(first) - 600) < 50
        writer.write(
            "UPDATE people SET age = 1",
            "CALL ducklake_expire_snapshots('lake', older_than => now() + INTERVAL 1 DAY)",
            "CALL ducklake_cleanup_old_files('lake', cleanup_all => true)",
        )
        with pytest.raises(PolicyError, match="files of snapshot") as caught:
            count(first, "WHERE age < 70")
        assert caught.value.charged == "0"
        assert len(versions(writer)) == 1
    with opened(writer) as second:
        assert abs(count(second, "WHERE age = 1") - 600) < 50


def test_a_file_that_was_written_over_is_refused_before_a_charge(writer: Writer) -> None:
    with opened(writer) as connection:
        count(connection)
        for file in writer.files.rglob("*.parquet"):
            file.write_bytes(file.read_bytes() + b"x")
        with pytest.raises(PolicyError) as caught:
            count(connection, "WHERE age < 70")
        assert caught.value.charged == "0"


def test_nothing_else_can_be_read(writer: Writer) -> None:
    outside = writer.catalog.with_name("outside.parquet")
    with duckdb.connect() as db:
        db.execute(f"COPY (SELECT 1 AS n) TO '{outside}'")
    for read_only in (True, False):
        connection = open_source(writer.catalog, read_only=read_only).connection
        for sql in (f"FROM read_parquet('{outside}')", f"COPY cities TO '{outside}.csv'", "SET threads = 1"):
            with pytest.raises(duckdb.Error):
                connection.execute(sql)
        connection.close()
    source = open_source(writer.catalog, read_only=True)
    with source.connection.cursor() as cursor, pytest.raises(duckdb.Error, match="read-only"):
        cursor.execute("DELETE FROM cities")


def test_no_constraint_of_a_lake_is_believed(writer: Writer) -> None:
    """Others may write rows that DuckLake would refuse, so a required column may be null."""
    with opened(writer, None) as owner:
        assert "people" in str(owner.execute("SHOW PRIVACY").fetchall())
        [people] = [t for t in owner._service.catalog().tables if t.name == "people"]
    assert people.required == ()


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT 'row-1234' AS id, 'bonn' AS city, 5 AS age",
        "SELECT 1.5::DOUBLE AS id, 'bonn' AS city, 5 AS age",
    ],
)
def test_files_of_other_types_are_refused(writer: Writer, sql: str) -> None:
    """A file may be exchanged in the folder, or be put there by another program."""
    with duckdb.connect() as db:
        db.execute(f"COPY ({sql}) TO '{writer.catalog}.parquet' (FIELD_IDS {{id: 1, city: 2, age: 3}})")
    file = next(file for file in writer.files.rglob("people/*.parquet"))
    shutil.copy(f"{writer.catalog}.parquet", file)
    size = file.stat().st_size
    change = f"UPDATE ducklake_data_file SET file_size_bytes = {size} WHERE table_id = 1"
    if writer.store == "sqlite":
        with sqlite3.connect(writer.catalog) as catalog:
            catalog.execute(change)
    else:
        with duckdb.connect(str(writer.catalog)) as catalog:
            catalog.execute(change)
    with pytest.raises(PolicyError, match="is not as DuckLake writes it") as caught:
        opened(writer)
    assert "row-1234" not in str(caught.value)


def test_files_from_elsewhere_are_refused(writer: Writer) -> None:
    """Their columns have no numbers, so what is read as which is for DuckLake to guess."""
    elsewhere = writer.files.absolute() / "elsewhere.parquet"
    with duckdb.connect() as db:
        db.execute(f"COPY (SELECT 1::BIGINT AS id, '{SECRET}' AS city, 5 AS age) TO '{elsewhere}'")
    writer.write(f"CALL ducklake_add_data_files('lake', 'people', '{elsewhere}')")
    with pytest.raises(PolicyError, match="is not as DuckLake writes it") as caught:
        opened(writer)
    assert SECRET not in str(caught.value)


def test_a_column_that_was_added_or_widened_is_read(writer: Writer) -> None:
    writer.write(
        "ALTER TABLE people ADD COLUMN size DOUBLE",
        "ALTER TABLE people ALTER COLUMN age SET DATA TYPE BIGINT",
        "INSERT INTO people VALUES (70000, 'bonn', 5, 1.5)",
    )
    with opened(writer) as connection:
        assert abs(count(connection, "WHERE age = 5 OR size IS NULL") - 601) < 50


def test_a_catalog_that_another_process_writes_to(home: Path) -> None:
    writer = Writer(home / "shop.ducklake", "duckdb")
    writer.write(*PEOPLE.split(";"))
    with writer.open():
        with pytest.raises(DpduckError) as caught:
            opened(writer)
        assert caught.value.charged == "0"


def test_what_is_no_catalog(home: Path) -> None:
    for content in (b"", b"SQLite format 3\0", b"hello"):
        (home / "bad.ducklake").write_bytes(content)
        with pytest.raises(DpduckError, match=r"cannot be (opened|read)"):
            open_source(home / "bad.ducklake", read_only=True)


def test_without_the_extension(writer: Writer, home: Path) -> None:
    shutil.rmtree(home / ".duckdb")
    with pytest.raises(PolicyError, match="needs DuckDB's extension ducklake"):
        open_source(writer.catalog, read_only=True)


ODD = """
CREATE TABLE odd AS SELECT range AS id,
    CASE range WHEN 7 THEN 'nan'::DOUBLE WHEN 8 THEN '-inf'::DOUBLE ELSE range::DOUBLE END AS u,
    CASE range WHEN 5 THEN 'zzz' || chr(0) || 'x' WHEN 6 THEN repeat('\u00e9', 400) ELSE 'a' || range END AS t
FROM range(100)
"""
CONDITIONS = (
    *(
        "u > 1000",
        "u = 'nan'",
        "NOT u <= 1000",
        "u < -1000",
        "u IN (1, 2, 'nan')",
        "t > 'zz'",
        "t LIKE 'zzz%'",
    ),
    *("t = 'zzz' || chr(0) || 'x'", "t > '\u00e9'", "t < 'b'", "t >= 'zzz' AND u > 1"),
)


def test_what_a_file_says_of_its_values_decides_nothing(writer: Writer) -> None:
    """Of a long text, or one with NUL, DuckLake keeps a wrong end, and skips the file with all its rows."""
    writer.write("CALL lake.set_option('data_inlining_row_limit', 0)", ODD)
    source = open_source(writer.catalog, read_only=True)
    with duckdb.connect() as plain, source.connection.cursor() as lake:
        plain.execute(ODD)
        for condition in CONDITIONS:
            [here], [there] = (
                db.execute(f"SELECT count(*) FROM odd WHERE {condition}").fetchall() for db in (lake, plain)
            )
            assert here == there, condition
        ends = "SELECT max(t), min(t), max(u), min(u) FROM odd"
        assert str(lake.execute(ends).fetchall()) == str(plain.execute(ends).fetchall())


def test_a_lake_on_a_connection_of_others_is_refused(writer: Writer) -> None:
    place = f"ducklake:{'sqlite:' if writer.store == 'sqlite' else ''}{writer.catalog}"
    with duckdb.connect(place) as lake, pytest.raises(PolicyError, match="is of type ducklake"):
        dpduck.connect(lake, ledger=writer.catalog.with_name("other.ledger"))
