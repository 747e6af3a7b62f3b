"""Which kinds of files are read, and what is said of the others and of names that are nearly right."""

from __future__ import annotations

from pathlib import Path

import pytest

from dpduck.engines.duckdb.path import KINDS, UNREAD, DataPath
from dpduck.errors import DpduckError, PolicyError, UnknownNameError


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
