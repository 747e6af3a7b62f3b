"""Tables beside AIM: the same questions for all, errors of their own, and a tiny run without AIM."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest

from benchmarks.accuracy.synthetic import adult4, ranges
from benchmarks.papers.data import Source
from benchmarks.peers import tables
from benchmarks.peers.tables import ASKED, RIVALS, STARTS, People
from benchmarks.peers.tools import SCRIPTS, Rival, lines
from benchmarks.report import gallery
from benchmarks.report.results import load

OURS = tuple(rival for rival in RIVALS if not rival.packages)
IMPOSSIBLE = Rival("impossible", "smartnoise_aim", ("duckdb==0.0.0.1",), ("pairs",), alone=("other==1",))


@pytest.fixture(scope="module")
def people() -> People:
    return People(adult4(2_000).counts)


def test_it_runs_without_a_tool_that_cannot_be_installed(tmp_path: Path) -> None:
    """Errors are those of noise, which depends on the sizes of columns and not on rows; rows are better."""
    source = Source.of(tmp_path / "cache", None, 0.01)
    tables.main(source, tmp_path, repeats=1, rivals=[*OURS, IMPOSSIBLE])
    *ours, other = load(tmp_path / "peers.jsonl")
    assert [r["rival"] for r in ours] == [rival.name for rival in OURS]
    for record in ours:
        assert (record["job"], record["runs"], len(record["seconds"])) == ("tables", 1, 1)
        assert record["peak_mib"] > 30
    for kind, expected in (("Laplace", 12.3), ("Gaussian", 11.4)):
        answers, rows = (r["rmse"]["3-way"][0] for r in ours if r["rival"].endswith(kind))
        assert 0.8 < answers / expected < 1.25
        assert rows < answers
    assert (other["rmse"], other["median"], other["runs"]) == (None, None, 0)
    assert other["note"].startswith("not installed: ERROR: ")
    assert "impossible" not in tables.verdict([*ours, other])
    assert len(tables.rows([*ours, other])[0]) == len(tables.HEADER)


def test_each_question_is_the_same_in_sql_and_in_cells(people: People, tmp_path: Path) -> None:
    """Exact answers of the file that tools read, by the conditions that they read, are without error."""
    file = tmp_path / "people.parquet"
    people.save(file)
    asked = json.loads(file.with_suffix(".json").read_text(encoding="utf-8"))
    assert len(asked["tables"]) == len(people.tables) == 14
    assert len(asked["ranges"]) == len(list(ranges(people.counts.shape))) == 200
    starts = list(STARTS[1:-1])
    with duckdb.connect() as con:
        con.execute("CREATE TABLE people AS FROM read_parquet(?)", [str(file)])
        found = [
            con.execute(f"SELECT count(*) FROM people WHERE {where}").fetchall() for where in asked["ranges"]
        ]
        con.execute(f"UPDATE people SET age = len(list_filter({starts}, lambda start: age >= start))")
        counts = np.zeros(people.counts.shape)
        for *place, n in con.execute(
            "SELECT age, education, marital, sex, count(*) FROM people GROUP BY ALL"
        ).fetchall():
            counts[tuple(place)] = n
    shown = [people.table(part, counts).reshape(-1).tolist() for part in people.tables]
    answer = {"tables": shown, "ranges": [n for [(n,)] in found]}
    assert people.errors(answer) == [0, 0, 0, 0]
    assert people.errors({"cells": counts.reshape(-1).tolist()}) == [0, 0, 0, 0]


def test_errors_are_those_of_cells(people: People) -> None:
    """One more in each of 2,016 cells: a table of fewer columns is off by as many cells as it adds up."""
    off = people.errors({"cells": (people.counts + 1).reshape(-1).tolist()})
    assert off[0] == pytest.approx(sum((2016 / n) ** 2 * n for n in (9, 16, 7, 2)) / 34)
    triples = {1008: 2, 288: 7, 126: 16, 224: 9}
    assert off[2] == pytest.approx(sum(n * added**2 for n, added in triples.items()) / sum(triples))


def test_roots_have_their_standard_errors() -> None:
    assert tables._rmse([9.0]) == [3.0, None]
    assert tables._rmse([4.0, 14.0]) == [3.0, 0.833]
    assert tables._rmse([0.0, 0.0]) == [0.0, None]


@pytest.mark.parametrize("rival", RIVALS, ids=lambda rival: rival.name)
def test_every_job_has_its_lines_marked(rival: Rival) -> None:
    text = (SCRIPTS / f"{rival.script}.py").read_text(encoding="utf-8")
    [job] = rival.jobs
    assert text.count("# user: ") == text.count("# end\n")
    assert f"\ndef {job}(file: str, size: int)" in text
    assert lines(rival.script, job) >= lines(rival.script, "") > 0


def test_what_is_shown_says_who_is_best(tmp_path: Path) -> None:
    def record(rival: str, *rmse: float, **others: Any) -> dict[str, Any]:
        found = {asked: [one, 0.25] for asked, one in zip(ASKED, rmse, strict=True)} if rmse else None
        usual = {"job": "tables", "scale": 1, "run": "2", "packages": {"duckdb": "2"}}
        usual |= {"median": None, "peak_mib": None, "runs": 0, "lines": 9, "note": ""}
        return {"rival": rival, "rmse": found, **usual, **others}

    shown = [
        record("a", 1, 2, 3, 4, median=2.5, peak_mib=2048, runs=3),
        record("b", 2, 1, 4, 3.5),
        record("c"),
    ]
    assert tables.verdict(shown).endswith("of them: 1-way: a; 2-way: b; 3-way: a; ranges: b and a.")
    assert tables.verdict([record("c")]).endswith("ranges: .")
    errors = ["1.0 ± 0.2", "2.0 ± 0.2", "3.0 ± 0.2", "4.0 ± 0.2"]
    assert tables.rows(shown)[0] == ["a", *errors, "2.5", "2,048", "3", "9", ""]
    assert tables.rows(shown)[2] == ["c", *[""] * 7, "9", ""]
    older = [record("a", 9, 9, 9, 9, run="1"), *shown, record("a", 0, 0, 0, 0, job="mode", run="3")]
    assert tables.latest(older) == shown
    assert gallery.file_of("tables") == "peers"
