"""Folders and globs of files: their names, columns and ledgers, what fits and what is refused."""

from __future__ import annotations

import os
from pathlib import Path

import duckdb
import pytest

import dpduck
from dpduck.answers.given_policies import policies_of_files
from dpduck.engines.duckdb.files import DataSet
from dpduck.engines.duckdb.path import DataPath
from dpduck.engines.source import Source, open_source
from dpduck.kernel.catalog.statements import AddPrivacyKey, TableName
from dpduck.kernel.errors import DpduckError, LedgerError, PolicyError

COUNT = "SELECT count(*) FROM data"
MANY = "SELECT range AS person, 'row-1234' AS note FROM range({})"


def write(file: str | Path, sql: str = MANY.format(1000)) -> None:
    Path(file).parent.mkdir(parents=True, exist_ok=True)
    with duckdb.connect() as db:
        rows = db.sql(sql)
        (rows.write_parquet if str(file).endswith("parquet") else rows.write_csv)(str(file))


def columns(source: Source) -> dict[str, str]:
    found = source.connection.execute(
        "SELECT column_name, data_type FROM duckdb_columns() WHERE NOT internal"
    )
    return dict(found.fetchall())


def opened(path: str, table: str = "data") -> dpduck.Connection:
    policies = [AddPrivacyKey(TableName(table), "person")]
    return dpduck.connect(path, epsilon=1, policies=policies, session="s")


def refusal(path: str) -> DpduckError:
    with pytest.raises(DpduckError) as caught:
        open_source(path, read_only=True)
    assert caught.value.charged == "0"
    assert "row-1234" not in str(caught.value)
    return caught.value


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def parts() -> None:
    """One data set: two years of two months, with 1000 persons each."""
    for year in (2023, 2024):
        for month in ("01", "02"):
            write(f"data/year={year}/month={month}/a.parquet")


class TestNames:
    @pytest.mark.parametrize(
        ("text", "table", "ledger"),
        [
            ("data", "data", "data.ledger"),
            ("data/", "data", "data.ledger"),
            ("./data/../data/**/*.parquet", "data", "data.ledger"),
            ("data/*/*/a*.parquet", "data", "data.ledger"),
            ("data/year=2024/*/*.parquet", "data", "data.ledger"),
            ("data/year=2024/month=01", "data", "data.ledger"),
        ],
    )
    def test_all_parts_of_a_data_set_share_one(
        self, parts: None, folder: Path, text: str, table: str, ledger: str
    ) -> None:
        for path in (DataPath(text), DataPath(str(folder / text)), DataPath(f"{folder}/{text}")):
            assert (path.table, path.ledger) == (table, str(folder / ledger))
            assert path.is_set
            assert not path.is_database

    def test_a_file_is_named_as_ever(self, parts: None) -> None:
        file = DataPath("data/year=2023/month=01/a.parquet")
        assert (file.table, file.ledger, file.is_set) == ("a", f"{file}.ledger", False)
        assert DataPath("missing.parquet").is_set is False
        assert DataPath("missing.duckdb").is_database

    def test_a_link_to_the_folder_is_the_folder(self, parts: None, folder: Path) -> None:
        (folder / "other").symlink_to("data")
        assert DataPath("other").ledger == DataPath("data").ledger
        assert DataPath("other/*/*/*.parquet").table == "data"

    def test_what_is_here(self, parts: None, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(folder / "data")
        for text in (".", "**/*.parquet"):
            assert (DataPath(text).table, DataPath(text).ledger) == ("data", f"{folder}/data.ledger")

    @pytest.mark.parametrize(
        ("text", "table"),
        [("s3://b/data/*.parquet", "data"), ("s3://b/y=1/", "b"), ("https://h/x/visits.parquet", "visits")],
    )
    def test_addresses(self, text: str, table: str) -> None:
        assert DataPath(text).table == table
        with pytest.raises(LedgerError, match="--ledger"):
            _ = DataPath(text).ledger

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("data", "holds files of kinds .parquet and .csv"),
            ("data/*", "of which kind"),
            ("data/*/../*.csv", "After a wildcard"),
            ("empty", "holds no Parquet or CSV"),
            ("data/z*.csv", "no file matches"),
            ("nowhere/*.csv", "no file matches"),
            ("missing.csv", "does not exist"),
        ],
    )
    def test_what_is_unclear_is_refused(self, folder: Path, text: str, said: str) -> None:
        (folder / "empty").mkdir()
        write("data/a.parquet")
        write("data/b.csv")
        assert said in str(refusal(text))

    @pytest.mark.parametrize(
        "name", ["we[ir]d.parquet", "a*b.parquet", 'it\'s "so" ?.parquet', "x y.csv", "[*].csv", "d[a]y.csv"]
    )
    def test_an_existing_file_is_meant_literally(self, folder: Path, name: str) -> None:
        for decoy in ("weid.parquet", "werd.parquet", "axb.parquet", "x.csv", "day.csv"):
            write(decoy, MANY.format(7))
        write(name)
        with open_source(name, read_only=True).connection as db:
            table = Path(name).stem.replace('"', '""')
            assert db.execute(f'SELECT count(*) FROM "{table}"').fetchall() == [(1000,)]
        assert sorted(path.name for path in folder.glob("*.ledger")) == []

    def test_an_existing_folder_is_meant_literally(self) -> None:
        write("we[ir]d/a.parquet")
        write("wei/a.parquet", MANY.format(7))
        for text in ("we[ir]d", "we[ir]d/*.parquet"):
            with open_source(text, read_only=True).connection as db:
                assert db.execute('SELECT count(*) FROM "we[ir]d"').fetchall() == [(1000,)]


class TestPartitions:
    def test_they_are_columns_of_types_that_the_names_say(self, parts: None) -> None:
        write("more/day=2024-01-31/k=1/place=New%20York/a.parquet")
        write("more/day=2024-02-01/k=__HIVE_DEFAULT_PARTITION__/place=3/a.parquet")
        with opened("data") as db:
            assert db.explain("SELECT count(*) FROM data WHERE year = 2023 AND month = '01'")
        source = open_source("more", read_only=True)
        assert {**columns(source), "note": ""} == {
            "person": "BIGINT",
            "note": "",
            "day": "DATE",
            "k": "BIGINT",
            "place": "VARCHAR",
        }
        rows = source.connection.execute("SELECT DISTINCT day::VARCHAR, k, place FROM more ORDER BY 1")
        assert rows.fetchall() == [("2024-01-31", 1, "New York"), ("2024-02-01", None, "3")]

    def test_of_a_part_they_are_there_too(self, parts: None) -> None:
        assert columns(open_source("data/year=2024/*/*.parquet", read_only=True))["year"] == "BIGINT"

    def test_folders_without_them_have_none(self) -> None:
        write("data/2023/a.parquet")
        source = open_source("data", read_only=True)
        assert set(columns(source)) == {"person", "note"}
        assert "hive_partitioning = false" in str(source.files and source.files.scan)

    def test_they_are_the_same_everywhere(self, parts: None) -> None:
        write("data/a.parquet")
        assert "do not fit together" in str(refusal("data"))
        assert columns(open_source("data/year=2024", read_only=True))["month"] == "VARCHAR"

    def test_a_later_one_must_fit(self, parts: None) -> None:
        with opened("data") as db:
            write("data/year=soon/month=01/a.parquet")
            with pytest.raises(PolicyError, match=r"partitions are year BIGINT, month VARCHAR(.|\n)*Nothing"):
                db.execute(COUNT)
            assert db.ledger().num_rows == 0


class TestFiles:
    def test_all_are_counted(self) -> None:
        for number in range(4):
            write(
                f"data/{number}.parquet",
                f"SELECT {number} * 1000 + range AS person, '' AS note FROM range(1000)",
            )
        with opened("data") as db:
            assert 3980 < db.execute(COUNT).fetchall()[0][0] < 4020

    @pytest.mark.parametrize("path", ["data", "data.parquet"])
    def test_policies_that_are_set_hold_at_once(self, path: str) -> None:
        """Though no file shows that they were set: neither the catalog nor a plan of before is used."""
        write("data/a.parquet")
        write("data.parquet")
        with dpduck.connect(path, epsilon=1, ledger="kept.ledger") as db:
            with pytest.raises(PolicyError, match="no privacy policy"):
                db.execute(COUNT)
            db.execute("ALTER TABLE data ADD PRIVACY_KEY (person)")
            assert abs(db.execute(COUNT).fetchall()[0][0] - 1000) < 60
            db.execute("CREATE PRIVACY BUDGET b LIMIT 5 PER QUERY 0.1")
            with pytest.raises(DpduckError, match=r"0\.1"):
                db.execute(f"{COUNT} WHERE person > 7")
            db.execute("ALTER TABLE data DROP PRIVACY_KEY FORCE")
            with pytest.raises(PolicyError, match="no privacy policy"):
                db.execute(COUNT)

    def test_one_budget_and_one_answer_for_all_spellings(self, parts: None, folder: Path) -> None:
        spent = []
        for text in ("data", "data/", f"{folder}/data", "data/**/*.parquet", "data/year=2024/**/*.parquet"):
            with opened(text) as db:
                db.execute(COUNT)
                spent.append(db.charged)
                (people,) = [row for row in db.budget().to_pylist() if row["scope"] == "people"]
        assert spent == ["1", "0", "0", "0", "1"]
        assert (people["name"], people["epsilon_spent"]) == ("data.person", 2)
        assert [path.name for path in folder.glob("**/*.ledger")] == ["data.ledger"]

    def test_later_files_are_read_and_old_answers_are_not(self, parts: None) -> None:
        with opened("data") as db:
            first = db.execute(COUNT).fetchall()[0][0]
            write(
                "data/year=2025/month=01/a.parquet",
                "SELECT range + 5000 AS person, '' AS note FROM range(500)",
            )
            assert db.execute(COUNT).fetchall()[0][0] - first > 450
            assert db.charged == "1"
            Path("data/year=2025/month=01/a.parquet").unlink()
            assert db.execute(COUNT).fetchall()[0][0] - first < 50

    def test_a_file_exchanged_for_an_older_one_is_noticed(self) -> None:
        for name in ("a", "b"):
            write(f"data/{name}.parquet")
        write("old.parquet", MANY.format(10))
        os.utime("old.parquet", (1, 1))
        with duckdb.connect() as con:
            files = DataSet(DataPath("data"), con)
        os.utime("data/a.parquet", (1000, 1000))
        before = (files.written(), files.state())
        Path("old.parquet").replace("data/a.parquet")
        after = (files.written(), files.state())
        assert before[0] != after[0]
        assert before[1] != after[1]

    @pytest.mark.parametrize(
        "other", ["SELECT '1' AS person, 'row-1234' AS note", "SELECT 1::BIGINT AS person"]
    )
    def test_other_columns_do_not_fit(self, other: str) -> None:
        write("data/a.parquet")
        with opened("data") as db:
            write("data/b.parquet", other)
            with pytest.raises(PolicyError, match=r"b\.parquet does not fit(.|\n)*Nothing was charged"):
                db.execute(COUNT)
            assert db.ledger().num_rows == 0
            Path("data/b.parquet").unlink()
            db.execute(COUNT)
        write("data/b.parquet", other)
        assert "b.parquet does not fit" in str(refusal("data"))

    def test_a_broken_file_is_named_and_not_quoted(self, folder: Path) -> None:
        write("data/a.parquet")
        (folder / "data/b.parquet").write_text("row-1234")
        assert "b.parquet does not fit" in str(refusal("data"))
        (folder / "data/a.parquet").write_text("row-1234")
        assert "a.parquet does not fit" in str(refusal("data"))

    def test_hidden_files_and_those_deep_down_are_found_as_duckdb_finds_them(self, folder: Path) -> None:
        for name in ("a", ".b", "c/d/e", ".f/g", "h[i]/j", "k*l"):
            write(f"data/{name}.parquet")
        (folder / "data/link").symlink_to("c")
        (folder / "data/m.parquet").symlink_to("a.parquet")
        source = open_source("data", read_only=True)
        found = source.connection.execute(f"SELECT file FROM glob('{folder}/data/**/*.parquet')").fetchall()
        assert sorted(name for (name,) in found) == [str(file) for file in DataPath("data").files()]
        assert len(found) == 7


class TestCsv:
    def test_many_are_one_table(self) -> None:
        for number in range(3):
            write(f"data/{number}.csv", f"SELECT {number} * 100 + range AS person FROM range(100)")
        with opened("data/*.csv") as db:
            assert 280 < db.execute(COUNT).fetchall()[0][0] < 320

    def test_a_line_that_does_not_fit_changes_nothing_about_others(self, folder: Path) -> None:
        (folder / "data").mkdir()
        (folder / "data/a.csv").write_text("person,note\n1,a\n2,b\n")
        for other in (
            "person,note\n3,c\n",
            "person,note\nrow-1234,c\n3,c\n",
            'person,note\n3,"c,d"\n4,e,f\n',
        ):
            (folder / "data/b.csv").write_text(other)
            policies = policies_of_files(DataPath("data"), (), records=False)
            source = open_source("data", read_only=True, policies=policies)
            assert columns(source) == {"person": "BIGINT", "note": "VARCHAR"}
            persons = "SELECT person FROM data WHERE person IS NOT NULL ORDER BY 1"
            assert source.connection.execute(persons).fetchall() == [(1,), (2,), (3,)]

    @pytest.mark.parametrize(
        "text", ["note,person\nrow-1234,2\n", "person\n3\n", "person;note\n3;row-1234\n", "row-1234,4\n", ""]
    )
    def test_other_columns_do_not_fit_and_are_not_quoted(self, folder: Path, text: str) -> None:
        (folder / "data").mkdir()
        (folder / "data/a.csv").write_text("person,note\n1,a\n2,b\n")
        (folder / "data/b.csv").write_text(text)
        assert "b.csv does not fit" in str(refusal("data"))


class TestOutside:
    @pytest.mark.parametrize("path", ["data", "data/*.parquet", "data/a.parquet", "a[b/c.parquet"])
    def test_nothing_else_can_be_read(self, folder: Path, path: str) -> None:
        for name in ("data/a.parquet", "data2/a.parquet", "secret.parquet", "a[b/c.parquet", "a/c.parquet"):
            write(name)
        Path("data.txt").write_text("secret")
        source = open_source(path, read_only=True)
        outside = ["data2/a.parquet", "secret.parquet", "data.txt", "data/../secret.parquet", "a/c.parquet"]
        for name in outside:
            with pytest.raises(duckdb.PermissionException):
                source.connection.execute(f"SELECT * FROM read_blob('{folder}/{name}')")
        for setting in (
            "enable_external_access = true",
            "allowed_directories = ['/']",
            "temp_directory = '/tmp'",
        ):
            with pytest.raises(duckdb.Error):
                source.connection.execute(f"SET {setting}")

    def test_a_link_does_not_lead_out(self, folder: Path) -> None:
        write("secret.parquet")
        write("data/a.parquet")
        (folder / "data/b.parquet").symlink_to("../secret.parquet")
        assert "b.parquet leads out of its folder" in str(refusal("data"))

    @pytest.mark.parametrize(
        ("path", "said"),
        [
            ("s3://bucket/x/*.parquet", "needs DuckDB's extension httpfs"),
            ("https://example.org/x.parquet", "needs DuckDB's extension httpfs"),
            ("ftp://example.org/x.parquet", "Addresses begin with s3"),
        ],
    )
    def test_an_address_says_what_it_needs(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str, said: str
    ) -> None:
        monkeypatch.setenv("HOME", str(tmp_path))  # where extensions are installed
        monkeypatch.setenv("USERPROFILE", str(tmp_path))
        assert said in str(refusal(path))


@pytest.mark.parametrize(
    ("log", "kind"), [("_delta_log/0.json", "Delta"), ("metadata/v1.metadata.json", "Iceberg")]
)
@pytest.mark.parametrize(
    "path", ["data", "data/**/*.parquet", "data/part/[a]*.parquet", "data/part/a.parquet"]
)
def test_files_of_a_table_of_another_format_are_refused(folder: Path, log: str, kind: str, path: str) -> None:
    """Only its log says which files count: those of deleted rows are still there."""
    write("data/part/a.parquet")
    place = Path("data") / log
    place.parent.mkdir()
    place.touch()
    assert kind in str(refusal(path))
