"""The words of %dpduck, without a kernel: a file that stores no policies gets them there."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import duckdb
import pytest

import dpduck
from dpduck.doors.connection.magics import Magics


@pytest.fixture
def rides(tmp_path: Path) -> Path:
    file = tmp_path / "rides.csv"
    rows = (f"{i % 50},{('Bonn', 'Aachen')[i % 2]},{i % 30 + 20}" for i in range(300))
    file.write_text("\n".join(["rider,city,age", *rows]), encoding="utf-8")
    return file


def test_a_file_gets_its_policies_from_the_line(rides: Path) -> None:
    magics = Magics(SimpleNamespace(user_ns={}))
    words = "--unit rider --domain city=Bonn,Aachen --domain age=0..99 --groups 2 --rows 9 --epsilon 1"
    with magics.open(f"{rides} {words}") as db:
        answer = magics.run("", "SELECT city, count(*) AS n, median(age) FROM rides GROUP BY city")
        assert sorted(row[0] for row in answer.fetchall()) == ["Aachen", "Bonn"]
        assert db.charged == "1"
        assert any("at most 9 rows of each rider" in notice for notice in db.notices)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--domain city", "is not a domain"),
        ("--domain city=Bonn,Aachen --domain city=Bonn", "one domain for each column"),
        ("--domain 'city=Bonn,Aachen OR NULL'", "none of them with NULL"),
        ("--rows many", "invalid int value"),
        ("--unit", "expected one argument"),
    ],
)
def test_wrong_words_are_errors_of_the_cell(rides: Path, words: str, said: str) -> None:
    magics = Magics(SimpleNamespace(user_ns={}))
    with pytest.raises(dpduck.ParameterError, match=said):
        magics.open(f"{rides} --unit rider {words}")


def test_a_database_takes_no_words_that_declare_policies(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "shop.duckdb")) as rows:
        rows.execute("CREATE TABLE shown AS SELECT range AS n FROM range(9)")
    magics = Magics(SimpleNamespace(user_ns={}))
    with magics.open(f"{tmp_path / 'shop.duckdb'} --epsilon 0.5") as db:
        db.execute("ALTER TABLE shown SET PUBLIC")
        assert magics.run("", "SELECT count(*) FROM shown").fetchall() == [(9,)]
    with pytest.raises(dpduck.ParameterError, match="unit, domains, groups"):
        magics.open(f"{tmp_path / 'shop.duckdb'} --domain n=0..9")
