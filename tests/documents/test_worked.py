"""The pages of docs/worked run as they stand, on the tables of the first one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

import dpduck

FOLDER = Path(__file__).parent.parent.parent / "docs" / "worked"
PAGES = sorted(path.name for path in FOLDER.glob("*.md") if path.name != "questions.md")
_BLOCK = re.compile(r"^```sql\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def statements_of(page: str) -> list[str]:
    blocks = _BLOCK.findall((FOLDER / page).read_text(encoding="utf-8"))
    return [statement for block in blocks for statement in block.split(";") if statement.strip()]


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dpduck.Connection]:
    path = tmp_path_factory.mktemp("worked") / "shop.duckdb"
    policies = [text for text in statements_of("questions.md") if " PRIVACY" in text]
    with duckdb.connect(path) as connection:
        for statement in statements_of("questions.md"):
            if statement not in policies:
                connection.execute(statement)
    with dpduck.connect(path, epsilon="1", budget=20) as db:
        for statement in policies:
            db.execute(statement)
        yield db


@pytest.fixture(scope="module")
def answers(shop: dpduck.Connection) -> dict[str, list[dict[str, object]]]:
    """The rows of the last query of each page."""
    found = {}
    for page in PAGES:
        for statement in statements_of(page):
            rows = shop.execute(statement).fetchall()
            names = [str(column[0]) for column in shop.description or ()]
            found[page] = [dict(zip(names, row, strict=True)) for row in rows]
    return found


def test_retention(answers: dict[str, list[dict[str, object]]]) -> None:
    rows = answers["retention.md"]
    assert [(row["cohort"].month, row["later"]) for row in rows] == [  # type: ignore[attr-defined]
        (month, later) for month in (1, 2, 3) for later in range(4)
    ]


def test_funnel(answers: dict[str, list[dict[str, object]]]) -> None:
    [row] = answers["funnel.md"]
    assert 3_000 < row["viewed"] < 4_100  # type: ignore[operator]
    assert row["bought"] < row["carted"] + 60 < row["viewed"] + 120  # type: ignore[operator]


def test_sessions(answers: dict[str, list[dict[str, object]]]) -> None:
    [row] = answers["sessions.md"]
    assert 5 < row["mean"] < 12 and 3_900 < row["people"] < 4_100  # type: ignore[operator]


def test_top_customers(answers: dict[str, list[dict[str, object]]]) -> None:
    [row] = answers["top-customers.md"]
    assert 0 < row["top"] < row["turnover"] and 0 < row["percent"] < 100  # type: ignore[operator]


def test_net_promoter_score(answers: dict[str, list[dict[str, object]]]) -> None:
    rows = answers["nps.md"]
    assert [row["variant"] for row in rows] == ["a", "b"]
    assert all(-100 <= row["low"] < row["nps"] < row["high"] <= 100 for row in rows)  # type: ignore[operator]


def test_an_experiment(answers: dict[str, list[dict[str, object]]]) -> None:
    [row] = answers["experiment.md"]
    assert -0.05 < row["least"] < row["lift"] < row["most"] < 0.2  # type: ignore[operator]
    assert 0 < row["p"] < 1  # type: ignore[operator]


def test_every_page_is_asked(answers: dict[str, list[dict[str, object]]]) -> None:
    assert sorted(answers) == PAGES
    assert len(PAGES) == 6
