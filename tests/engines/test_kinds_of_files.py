"""Which kinds of files are read, and what is said of the others and of names that are nearly right."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

import dpduck
from dpduck.doors.cli import main
from dpduck.engines.duckdb.path import KINDS, UNREAD, DataPath
from dpduck.engines.source import open_version
from dpduck.kernel.errors import DpduckError, PolicyError, UnknownNameError


@pytest.mark.parametrize("suffix", sorted(UNREAD))
def test_a_kind_that_is_not_read_says_why(tmp_path: Path, suffix: str) -> None:
    (tmp_path / f"visits{suffix}").touch()
    with pytest.raises(PolicyError, match="is of a kind that is not read") as refused:
        DataPath(str(tmp_path / f"visits{suffix}")).check()
    assert "Nothing was charged." in refused.value.detail
    assert suffix not in KINDS


@pytest.mark.parametrize("kind", KINDS)
def test_a_table_and_its_script_are_named_without_the_kind(tmp_path: Path, kind: str) -> None:
    (tmp_path / f"my.visits{kind}").touch()
    path = DataPath(str(tmp_path / f"my.visits{kind}"))
    assert (path.table, path.kind, path.is_database) == ("my.visits", kind, False)
    assert path.stem == str(tmp_path / "my.visits")
    assert path.ledger.endswith(f"my.visits{kind}.ledger")


def test_a_name_that_is_nearly_right(tmp_path: Path) -> None:
    (tmp_path / "visits.csv").touch()
    (tmp_path / "secret.txt").touch()
    with pytest.raises(UnknownNameError) as error:
        DataPath(str(tmp_path / "vists.csv")).check()
    assert error.value.hint == "Did you mean visits.csv?"
    with pytest.raises(UnknownNameError) as error:
        DataPath(str(tmp_path / "nowhere" / "visits.csv")).check()
    assert error.value.hint == f"There is no folder {tmp_path / 'nowhere'} either."


def test_a_folder_of_several_kinds_is_not_guessed_at(tmp_path: Path) -> None:
    for kind in (".csv", ".csv.gz", ".parquet"):
        (tmp_path / f"a{kind}").touch()
    with pytest.raises(DpduckError, match="which files are") as error:
        _ = DataPath(str(tmp_path)).pattern
    assert "It holds files of kinds .parquet and .csv and .csv.gz." in error.value.detail


@pytest.mark.parametrize(("pattern", "kind"), [("*.csv.gz", ".csv.gz"), ("**/*.tsv", ".tsv")])
def test_a_pattern_says_the_kind(tmp_path: Path, pattern: str, kind: str) -> None:
    assert DataPath(str(tmp_path / pattern)).kind == kind


def sqlite(place: Path) -> Path:
    with sqlite3.connect(place) as other:
        other.execute("CREATE TABLE visits (page)")
    other.close()
    return place


BEGINNINGS = {"avro": b"Obj\x01" + bytes(20), "feather": b"ARROW1\0\0" + bytes(20), "text": b"no database\n"}


@pytest.fixture
def unread(tmp_path: Path) -> list[Path]:
    """Files of other kinds, some under names of kinds that are read."""
    files = [sqlite(tmp_path / f"visits.{suffix}") for suffix in ("sqlite", "duckdb", "db", "csv", "parquet")]
    for name, beginning in BEGINNINGS.items():
        for suffix in ("duckdb", "any") if name == "text" else (name, "duckdb", "csv"):
            files.append(tmp_path / f"{name}.{suffix}")
            files[-1].write_bytes(beginning)
    return files


def test_a_file_of_another_kind_is_refused_whatever_it_is_called(unread: list[Path]) -> None:
    for file in unread:
        for options in ({}, {"analyst": "ana"}, {"epsilon": 1}):
            with pytest.raises(PolicyError, match="is of a kind that is not read"):
                dpduck.connect(file, **options)
        with pytest.raises(PolicyError, match="is of a kind that is not read"):
            open_version(DataPath(str(file)))
    assert not list(unread[0].parent.glob("*.ledger*"))


COMMANDS = (
    ("query", "{}", "SELECT count(*) FROM visits", "--epsilon", "1"),
    ("query", "{}", "SELECT count(*) FROM visits", "--epsilon", "1", "--unit", "page"),
    ("explain", "{}", "SELECT count(*) FROM visits", "--epsilon", "1"),
    ("suggest", "{}"),
    ("policy", "export", "{}"),
    ("budget", "{}"),
    ("ledger", "{}"),
    ("shell", "{}"),
    ("serve", "{}", "--port", "0"),
    ("console", "{}", "--port", "0"),
    ("analyst", "list", "{}"),
    ("analyst", "add", "{}", "ana"),
    ("audit", "{}"),
)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: f"{command[0]} {command[1]}")
def test_each_command_refuses_it_and_leaves_nothing(
    unread: list[Path], command: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    before = sorted(unread[0].parent.iterdir())
    for file in unread:
        assert main([word.format(file) for word in command]) == 1
        assert f"{file} is of a kind that is not read" in capsys.readouterr().err
    assert sorted(unread[0].parent.iterdir()) == before
