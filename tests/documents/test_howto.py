"""Each page of docs/howto runs as it stands, on the shop of its first page."""

from __future__ import annotations

from pathlib import Path
from shutil import copyfile

import pytest

from tests.documents.executed import Reader, assert_like, blocks_of, is_near

FOLDER = Path(__file__).parents[2] / "docs" / "howto"
START = FOLDER / "README.md"
PAGES = sorted(path for path in FOLDER.glob("*.md") if path != START)
CLIENTS = {"run-a-dashboard.md"}  # psql


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("howto")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        Reader(folder).read(START)
    return folder


@pytest.mark.parametrize(
    "page", [pytest.param(p, id=p.stem, marks=[pytest.mark.clients] * (p.name in CLIENTS)) for p in PAGES]
)
def test_a_page_runs(page: Path, shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for file in shop.glob("shop.duckdb*"):
        copyfile(file, tmp_path / file.name)
    monkeypatch.chdir(tmp_path)
    assert {block.language for block in blocks_of(page)} & {"python", "sql", "console"}
    Reader(tmp_path).read(page)


def test_the_first_page_leads_to_each() -> None:
    text = START.read_text(encoding="utf-8")
    assert [page.name for page in PAGES if f"]({page.name})" not in text] == []


def test_pages_are_short() -> None:
    assert [page.name for page in PAGES if len(page.read_text(encoding="utf-8").splitlines()) > 80] == []


def test_a_difference_is_noticed() -> None:
    assert_like("│ home │ 3420 ± 18 │\nand more", "│  home │ 3428 ± 18 │")
    with pytest.raises(AssertionError):
        assert_like("│ news │ 3420 ± 18 │", "│ home │ 3428 ± 18 │")
    with pytest.raises(AssertionError):
        assert_like("home 2800", "home 3428")
    with pytest.raises(AssertionError):
        assert_like("home", "home 3428")
    assert not is_near(24, 30.5)
