"""Each decision has a number, a title, a date, a status and a line in the index."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "decisions"
FILES = sorted(path for path in FOLDER.glob("*.md") if path.name != "README.md")
HEAD = re.compile(
    r"# (?P<number>\d+)\. (?P<title>.+)\n\n"
    r"- Date: (?P<date>\d{4}-\d{2}-\d{2})\n"
    r"- Status: (?P<status>accepted|superseded by (?P<by>\d+))\n"
    r"- Where: (?P<where>.+)\n\n"
    r"## Decision\n\n\S"
)
SECTIONS = ["Decision", "Why", "Cost", "Revisit"]
NAME_IN_FILE = re.compile(r"`(\w+)`(?: and `(\w+)`)? in `([^`]+)`")


def head(path: Path) -> re.Match[str]:
    found = HEAD.match(path.read_text(encoding="utf-8"))
    assert found is not None, f"{path.name} does not begin as a decision does"
    return found


def test_numbers_are_one_to_the_last() -> None:
    assert [int(head(path)["number"]) for path in FILES] == list(range(1, len(FILES) + 1))
    assert len(FILES) >= 47


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem[:4])
def test_a_decision_is_complete(path: Path) -> None:
    text, found = path.read_text(encoding="utf-8"), head(path)
    assert path.name.startswith(f"{int(found['number']):04d}-")
    words = path.stem[5:].split("-")
    assert words == re.findall(r"[a-z0-9]+", found["title"].lower().replace("'s", "s"))[: len(words)]
    assert date(2026, 11, 21) <= date.fromisoformat(found["date"])
    headings = re.findall(r"^## (.+)$", text, re.MULTILINE)
    assert headings == [name for name in SECTIONS if name in headings]
    if found["by"]:
        assert int(found["number"]) < int(found["by"]) <= len(FILES)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem[:4])
def test_what_a_decision_names_is_there(path: Path) -> None:
    """Where it is carried out: files and folders exist, and a name stands in its file."""
    where = head(path)["where"]
    named = [ROOT / name for name in re.findall(r"`([^`]*/[^`]*)`", where)]
    assert named
    assert [place for place in named if not place.exists()] == []
    for first, second, place in NAME_IN_FILE.findall(where):
        files = [ROOT / place] if place.endswith(".py") else sorted((ROOT / place).rglob("*.py"))
        text = "\n".join(file.read_text(encoding="utf-8") for file in files)
        missing = [name for name in (first, second) if name and not re.search(rf"\b{name}\b", text)]
        assert missing == []


def test_dates_ascend() -> None:
    dates = [head(path)["date"] for path in FILES]
    assert dates == sorted(dates)


def test_the_index_lists_each_once() -> None:
    lines = (FOLDER / "README.md").read_text(encoding="utf-8").splitlines()
    listed = [line for line in lines if re.match(r"\d+\. ", line)]
    heads = [(path, head(path)) for path in FILES]
    assert listed == [
        f"{found['number']}. [{found['title']}]({path.name}) ({found['date']}, {found['status']})"
        for path, found in heads
    ]
