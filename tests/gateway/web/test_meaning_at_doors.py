"""A notice that a number means something else than its query is before the reader's eyes at each door."""

from __future__ import annotations

import io
import re
from html import unescape
from pathlib import Path
from shutil import copyfile

import pytest

import dpduck
from dpduck.doors.cli import main
from dpduck.kernel.errors.notices import Notice, Rank
from tests.gateway.talking import House
from tests.gateway.web.sites import Site

QUERY = "SELECT city, sum(age) AS s, max(age) AS m, count(DISTINCT age) AS d FROM people GROUP BY city"


@pytest.fixture
def meanings(shop_file: Path, tmp_path: Path) -> list[str]:
    """What notices of the first rank say in Python, without the words that they may share."""
    (tmp_path / "python").mkdir()
    for file in shop_file.parent.iterdir():
        copyfile(file, tmp_path / "python" / file.name)
    with dpduck.connect(tmp_path / "python" / shop_file.name, epsilon="0.5") as db:
        answer = db.sql(QUERY)
        shown = repr(answer)
        said = [one for one in answer._notices if isinstance(one, Notice) and one.rank is Rank.MEANING]
    bodies = [one.sentence.removeprefix(f"{one.lead}: ").removesuffix(".") for one in said]
    assert bodies and all(body in shown for body in bodies)
    return bodies


def test_in_the_console(site: Site, meanings: list[str]) -> None:
    page = site.as_analyst().run(QUERY)
    shown = unescape(re.sub("<details.*?</details>", "", page, flags=re.DOTALL))
    for body in meanings:
        assert body in shown


def test_at_the_gateway(shop_copy: Path, meanings: list[str]) -> None:
    house = House(shop_copy)
    replies = house.talk().ask(QUERY)
    house.close()
    fields = [part for kind, body in replies if kind == "N" for part in body.split(b"\0")]
    said = " ".join(part[1:].decode() for part in fields if part[:1] == b"M")
    for body in meanings:
        assert body in said


@pytest.mark.parametrize("format", ["box", "csv", "json"])
def test_on_the_command_line(
    format: str, shop_copy: Path, meanings: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["query", str(shop_copy), "--epsilon", "0.5", "--format", format, QUERY]) == 0
    said = capsys.readouterr()
    for body in meanings:
        assert body in said.err + said.out


def test_in_the_shell(
    shop_copy: Path,
    meanings: list[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{QUERY};\n"))
    assert main(["shell", str(shop_copy), "--epsilon", "0.5"]) == 0
    said = capsys.readouterr()
    for body in meanings:
        assert body in said.err + said.out
