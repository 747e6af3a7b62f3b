"""Answers that are mere noise say so, in every door; an average of what may be no values is NULL."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pytest

import dpduck
from dpduck.answers.named_groups import short_where
from dpduck.doors.cli import main
from dpduck.kernel.plan.model import Output
from tests.sources import HALF, Quiet

AVERAGES = (
    "SELECT page, count(*) AS n, avg(age) AS mean, dp_low(mean), dp_high(mean) FROM people GROUP BY page"
)
AVERAGE = "SELECT avg(age) AS mean FROM people WHERE id < 0"
UNSURE = (
    "NULL stands for mean, as noise is as large as the number of values. "
    "SET dp_noisy_averages = on shows the noise."
)
LARGE = "Noise is larger than n. More epsilon helps."


@pytest.fixture(autouse=True)
def _quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Noise is 0; its intervals are as wide as ever."""
    monkeypatch.setattr("dpduck.answers.service.SystemEntropy", lambda: Quiet(HALF))


def make_shop(path: Path) -> None:
    with duckdb.connect(str(path)) as con:
        con.execute("CREATE TABLE people (id BIGINT PRIMARY KEY, page VARCHAR, age INTEGER, town VARCHAR)")
        con.execute(
            "INSERT INTO people SELECT i, 'p' || i % 2, 30 + i % 5, 't' || i % 2 FROM range(4000) AS r(i)"
        )
        con.execute("CREATE TABLE bought AS SELECT i % 50 AS person, i % 7 AS item FROM range(900) AS r(i)")
    with dpduck.connect(path) as db:
        db.execute("ALTER TABLE bought ADD PRIVACY_KEY (person)")
        db.execute("ALTER TABLE bought ALTER COLUMN item SET PRIVACY DOMAIN BETWEEN (0, 9999)")
        db.execute("ALTER TABLE people ADD PRIVACY_KEY (id)")
        db.execute("ALTER TABLE people ALTER COLUMN page SET PRIVACY DOMAIN IN ('p0', 'p1', 'p2')")
        db.execute("ALTER TABLE people ALTER COLUMN age SET PRIVACY DOMAIN BETWEEN (0, 120)")


@pytest.fixture
def file(copied: Callable[..., Path]) -> Path:
    return copied(make_shop)


@pytest.fixture
def db(file: Path) -> Iterator[dpduck.Connection]:
    with dpduck.connect(file, epsilon=1) as connection:
        yield connection


def of_noise(db: dpduck.Connection) -> list[str]:
    """The notices that follow from released numbers."""
    begins = ("NULL stands for", "Noise is larger than", "No group", "There may be no values")
    return [n for n in db.notices if n.startswith(begins) or " divides by mere noise" in n]


def test_an_average_of_what_may_be_no_values_is_null(db: dpduck.Connection) -> None:
    for _ in range(2):  # afresh, and replayed
        rows = {page: row for page, *row in db.execute(AVERAGES).fetchall()}
        [said] = of_noise(db)
        assert rows["p0"][:2] == [2000, pytest.approx(32, abs=0.1)]
        assert rows["p2"] == [0, None, 0, 120]  # its interval holds, whatever the number of values
        assert said == (
            "NULL stands for mean in 1 of 3 groups, as noise is as large as the number of values. "
            "SET dp_noisy_averages = on shows the noise."
        )
    assert db.notices[0].startswith("This is from the answer of")


def test_a_setting_shows_it(db: dpduck.Connection) -> None:
    db.execute(AVERAGES)
    db.execute("SET dp_noisy_averages = on")
    rows = db.execute(AVERAGES).fetchall()
    assert db.charged == "0"  # the numbers were released before
    assert [mean for page, _, mean, *_ in rows if page == "p2"] == [60]
    assert of_noise(db) == [
        "There may be no values for mean in 1 of 3 groups: noise is as large as their number."
    ]
    with pytest.raises(dpduck.DpduckError, match="dp_noisy_averages is on or off"):
        db.execute("SET dp_noisy_averages = maybe")


def test_what_is_computed_of_it_is_null(db: dpduck.Connection) -> None:
    query = "SELECT page FROM people GROUP BY page HAVING avg(age) > 0 ORDER BY page"
    assert db.execute(query).fetchall() == [("p0",), ("p1",)]
    assert of_noise(db) == [
        "NULL stands for avg(age) in 1 of 3 groups, as noise is as large as the number of values. "
        "SET dp_noisy_averages = on shows the noise."
    ]


@pytest.mark.parametrize(
    ("query", "notices"),
    [
        ("SELECT count(*) AS n FROM people WHERE id < 2", [LARGE]),
        ("SELECT count(*) AS n FROM people WHERE id < 40", []),
        ("SELECT sum(age) AS n FROM people WHERE id < 2", [LARGE]),
        ("SELECT page, count(*) AS n FROM people GROUP BY page", []),  # one of three groups
        (
            "SELECT page, count(*) AS n FROM people WHERE id % 2 = 1 GROUP BY page",
            ["Noise is larger than n in 2 of 3 groups. More epsilon, or fewer and larger groups, help."],
        ),
        (
            "SELECT 2 * count(*) AS twice FROM people WHERE id < 2",
            [LARGE.replace("than n", "than count(*)")],
        ),
        ("SELECT page FROM people GROUP BY page ORDER BY count(*) DESC LIMIT 2", []),
        (
            "SELECT page, sum(age) / count(*) AS q FROM people GROUP BY page",
            ["q divides by mere noise in 1 of 3 groups: noise is as large as count(*)."],
        ),
        (
            "SELECT sum(age) / nullif(n - dp_low(n), 0) AS q, count(*) AS n FROM people WHERE id < 2",
            [
                LARGE.replace("than n", "than sum(age) and n"),
                "q divides by mere noise: noise is as large as n.",
            ],
        ),
        (
            "SELECT sum(age) / (count(*) + count(*) FILTER (WHERE id < 1)) AS q FROM people",
            ["Noise is larger than count(*) FILTER(WHERE id < 1). More epsilon helps."],
        ),
        ("SELECT sum(age) / count(*) AS q FROM people", []),
        ("SELECT page, count(*) / sum(count(*)) OVER () AS q FROM people GROUP BY page", []),
        (
            "SELECT s / n AS q FROM (SELECT sum(age) AS s, count(*) AS n FROM people WHERE id < 0)",
            [
                LARGE.replace("than n", "than sum(age) and count(*)"),
                "q divides by mere noise: noise is as large as count(*).",
            ],
        ),
        ("SELECT avg(age) AS n FROM people WHERE id < 6", [LARGE]),
        ("SELECT avg(age) AS n FROM people WHERE id < 90", []),
        ("SELECT avg(120 - age) AS n FROM people WHERE id < 6", [LARGE]),  # more than half of its range
        ("SELECT avg(120 - age) AS n FROM people WHERE id < 19", []),
        (
            "SELECT page, avg(age) AS n FROM people WHERE id % 2 = 0 OR id < 12 GROUP BY page",
            [
                "NULL stands for n in 1 of 3 groups, as noise is as large as the number of values. "
                "SET dp_noisy_averages = on shows the noise.",
                "Noise is larger than n in 1 of 3 groups. More epsilon, or fewer and larger groups, help.",
            ],
        ),
        ("SELECT stddev(age) AS n FROM people WHERE id < 90", [LARGE]),
        ("SELECT median(age) AS n FROM people WHERE id < 0", []),
        ("SELECT page FROM people GROUP BY page HAVING count(*) > 2500", ["No group meets HAVING."]),
        ("SELECT page FROM people GROUP BY page HAVING count(*) > 1500", []),
        ("SELECT count(*) AS n FROM people HAVING n > 4500", ["No group meets HAVING."]),
        (
            "SELECT max(n) FROM (SELECT page, count(*) AS n FROM people GROUP BY page HAVING page > 'p0' "
            "QUALIFY n > 2 * max(n) OVER ())",
            ["No group meets QUALIFY."],
        ),
        (
            "SELECT page FROM people GROUP BY page HAVING avg(age) < 9 QUALIFY row_number() OVER () < 3",
            [
                "NULL stands for avg(age) in 1 of 3 groups, as noise is as large as the number of values. "
                "SET dp_noisy_averages = on shows the noise.",
                "No group meets HAVING.",
            ],
        ),
        ("SELECT page FROM people GROUP BY page HAVING count(*) > 1500 LIMIT 1 OFFSET 2", []),
        (
            "SELECT item FROM bought GROUP BY item HAVING count(*) > 9000 ORDER BY count(*) DESC LIMIT 2",
            [
                "No group has a noisy count of 9,001 or more.",
            ],
        ),
    ],
)
def test_an_answer_that_is_noise_says_so(db: dpduck.Connection, query: str, notices: list[str]) -> None:
    db.execute(query)
    assert of_noise(db) == notices
    db.execute(query)  # a replayed answer says the same, after what it says of the replay
    assert of_noise(db) == notices


def test_keys_of_private_rows_that_are_too_few(db: dpduck.Connection) -> None:
    db.execute("SET dp_delta = 1e-6")
    query = "SELECT town, count(*) AS n FROM people WHERE {} GROUP BY town"
    assert db.execute(query.format("id >= 0")).fetchall() == [("t0", 2000), ("t1", 2000)]
    assert of_noise(db) == []
    assert db.execute(query.format("id < 0")).fetchall() == []
    assert of_noise(db) == [
        "No group has enough units for its keys, which are found in private rows, to be shown. "
        "More epsilon or delta shows smaller groups."
    ]


def test_on_the_command_line(file: Path, capfd: pytest.CaptureFixture[str]) -> None:
    command = ["query", str(file), "--epsilon", "1", "--format", "json"]
    assert main([*command, AVERAGE]) == 0
    said = capfd.readouterr()
    assert said.out == '[{"mean":null}]\n'
    assert said.err.splitlines()[-1] == "Noise hides mean. (--why)"
    assert main([*command, "--why", AVERAGE]) == 0
    said = capfd.readouterr()
    assert UNSURE.replace("SET dp_noisy_averages = on", "--noisy-averages") in said.err.splitlines()
    assert main([*command, "--noisy-averages", AVERAGE]) == 0
    assert capfd.readouterr().out == '[{"mean":60.0}]\n'


def test_on_a_plain_connection(file: Path) -> None:
    with duckdb.connect(str(file)) as con:
        dpduck.register(con, session="ana", epsilon="1")
        assert con.execute(f"FROM dp('{AVERAGE}')").fetchall() == [(None,)]
        con.execute("FROM dp('SET dp_noisy_averages = on')").fetchall()
        assert con.execute(f"FROM dp('{AVERAGE}')").fetchall() == [(60,)]


def test_a_short_notice_names_groups_that_are_few(db: dpduck.Connection) -> None:
    """Who reads `in 1/3 groups` looks for the row; a key that would write on a terminal is not shown."""
    answer = db.sql("SELECT page, sum(age) / count(*) AS q FROM people GROUP BY page")
    assert "q divides by mere noise for p2." in repr(answer)
    columns = [Output("k0", "VARCHAR"), Output("k1", "BIGINT")]
    plan: Any = SimpleNamespace(keys=[None, None], columns=columns, sets=())
    table = pa.table({"k0": ["a", "b", None, "\x1b[2J"], "k1": [1, 2, 3, 4]})
    shown = {
        (0,): " for a/1",
        (0, 2): " for a/1 and NULL/3",
        (0, 1, 2): " in 3/4 groups",
        (3,): " in 1/4 groups",
    }
    for rows, said in shown.items():
        assert short_where(plan, table, np.isin(np.arange(4), rows)) == said
