"""Damaged texts: refused with an error of dpduck's own, or answered by SQL that passes an inspection.

What runs here is a short piece of `python -m benchmarks fuzz`, from fixed seeds; run that for longer, or with
another --seed. The rest shows that the inspection itself sees what it must.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.__main__ import main
from tests.depth import depth
from tests.fuzz import damaged_texts
from tests.fuzz.inspection import Inspector, SurpriseError

SEEDS = [f"pytest/{number}" for number in range(6)]
TEXTS = depth(500, 200)  # from each seed
TABLES = frozenset({("memory", "main", "t")})


@pytest.fixture(scope="module")
def inspector() -> Inspector:
    return Inspector.open()


def test_texts_are_refused_or_understood() -> None:
    """Which texts a seed damages changes with the golden files, so the share is of all seeds together."""
    tallies = [damaged_texts.run(seed, TEXTS) for seed in SEEDS]
    failures = [failure for tally in tallies for failure in tally.failures]
    assert not failures, "\n".join(f"{failure.reason}: {failure.text!r}" for failure in failures)
    understood = sum(tally.outcomes["private query"] for tally in tallies)
    assert understood >= 0.005 * TEXTS * len(SEEDS)  # 0.01 to 0.02 is usual


def test_the_command_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    few = ["--queries", "5", "--texts", "20", "--seed", "3", "--processes", "1", "--out", str(tmp_path)]
    main(["fuzz", *few])
    lines = (tmp_path / "fuzz.jsonl").read_text(encoding="utf-8").splitlines()
    records = [json.loads(line) for line in lines]
    assert [(r["kind"], r["total"], r["seed"]) for r in records] == [("queries", 5, 3), ("texts", 20, 3)]
    assert "slowest ms" in capsys.readouterr().out


def test_expressions_are_tried_as_well(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rows", "--rows", "60", "--processes", "1", "--out", str(tmp_path)]) == 0
    [record] = map(json.loads, (tmp_path / "rows.jsonl").read_text(encoding="utf-8").splitlines())
    assert (record["kind"], record["total"], record["failures"]) == ("rows", 60, [])
    assert "rows: 60 of 60, 0 failed" in capsys.readouterr().out


@pytest.mark.nightly
def test_planning_is_timed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["planning", "--repeat", "1", "--out", str(tmp_path)]) == 0
    lines = (tmp_path / "planning.jsonl").read_text(encoding="utf-8").splitlines()
    assert {json.loads(line)["kind"] for line in lines} == {
        "answered",
        "refused",
        "catalog",
        "TPC-H",
        "yardstick",
    }
    said = capsys.readouterr().out
    assert "The dearest refusal takes" in said and "times what DuckDB takes to explain" in said


@pytest.mark.parametrize(
    "sql",
    [
        'SELECT system.main.count(*) AS score FROM "memory"."main"."t" AS t WHERE t.a >= 1',
        "SELECT a FROM (SELECT t.a FROM memory.main.t JOIN memory.main.t AS u ON t.a = u.a) AS t GROUP BY a",
        "SELECT system.main.row_number() OVER (ORDER BY a) FROM memory.main.t",
        "SELECT CASE WHEN a IN (1, 2) THEN CAST('1' AS BIGINT) ELSE NULL END FROM memory.main.t",
        'WITH "answer" AS (SELECT 1 AS a) SELECT a FROM "answer" UNION ALL SELECT 2 ORDER BY 1 LIMIT 3',
        'SELECT system.main."+"(a, 1) FROM memory.main.t',
    ],
)
def test_emitted_sql_passes(inspector: Inspector, sql: str) -> None:
    inspector.check(sql, TABLES)


@pytest.mark.parametrize(
    ("sql", "reason"),
    [
        ("SELECT count(*) FROM memory.main.t", "without its whole name"),
        ("SELECT main.count(*) FROM memory.main.t", "without its whole name"),
        ("SELECT a + 1 FROM memory.main.t", "without its whole name"),
        ("SELECT a LIKE 'x%' FROM memory.main.t", "without its whole name"),
        ("SELECT row_number() OVER () FROM memory.main.t", "without its whole name"),
        ("SELECT a FROM t", "the table"),
        ("SELECT a FROM main.t", "the table"),
        ("SELECT a FROM other.main.t", "the table"),
        ("SELECT a FROM 'x.csv'", "the table"),
        ("SELECT a FROM read_csv('x.csv')", "TABLE_FUNCTION"),
        ("SELECT a FROM system.main.glob('x') AS r(a)", "TABLE_FUNCTION"),
        ("SELECT a FROM memory.main.t USING SAMPLE 1", "a sample"),
        ("SELECT a FROM memory.main.t; SELECT 2", "SELECT"),
        ("COPY memory.main.t TO 'x'", "COPY"),
        ("ATTACH 'x'", "ATTACH"),
        ("DELETE FROM memory.main.t", "DELETE"),
        ("SELECT $1", "PARAMETER"),
        (
            "WITH RECURSIVE x AS (SELECT 1 AS a UNION ALL SELECT a FROM x) SELECT a FROM x",
            "RECURSIVE_CTE_NODE",
        ),
    ],
)
def test_anything_else_does_not(inspector: Inspector, sql: str, reason: str) -> None:
    with pytest.raises(SurpriseError, match=reason):
        inspector.check(sql, TABLES)
