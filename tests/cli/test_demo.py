"""`dpduck demo`: it runs anywhere, fits the screen, and shows what it promises."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from dpduck.kernel.system.sql_files import read_sql
from tests.cli.processes import Done, finish, start


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Done:
    folder = tmp_path_factory.mktemp("demo")
    done = finish(start("demo", folder=folder, environment={"TMPDIR": str(folder), "LC_ALL": "C"}))
    assert list(folder.iterdir()) == []  # nothing is left behind
    return done


def test_it_succeeds_quietly(demo: Done) -> None:
    assert (demo.code, demo.err) == (0, "")


def test_it_fits_two_screens(demo: Done) -> None:
    lines = demo.out.splitlines()
    assert max(map(len, lines)) <= 80
    assert len(lines) <= 64


def test_it_shows_the_truth_beside_the_answer(demo: Done) -> None:
    rows = [line.split() for line in demo.out.splitlines() if "±" in line and line.startswith("    ")]
    assert len(rows) == 5
    for row in rows:
        private, _, width, truth = (cell.replace(",", "") for cell in row[-4:])
        assert abs(int(private) - int(truth)) < 10 * int(width)
    assert "    energy drink    energy drink\n" in demo.out


def test_it_ends_with_a_refusal_and_no_colours(demo: Done) -> None:
    assert "  query needs epsilon 1 but only 0.5 remains\n" in demo.out
    assert "\x1b" not in demo.out


@pytest.mark.slow
def test_any_screen_will_do(tmp_path: Path) -> None:
    done = finish(start("demo", folder=tmp_path, environment={"PYTHONIOENCODING": "ascii"}))
    assert (done.code, done.err) == (0, "")
    assert "12," in done.out
    assert "+/-" in done.out


def test_the_shop_is_the_same_everywhere() -> None:
    with duckdb.connect() as db:
        db.execute(read_sql("demo.sql"))
        found = db.execute(
            "SELECT count(*), count(DISTINCT customer), count(DISTINCT item), median(age), "
            "sum(md5_number_lower(concat_ws(' ', customer, age, visit, item)) % 1000) FROM purchases"
        ).fetchall()
    assert found == [(196674, 20000, 40, 39.0, 98235146)]
