"""The documentation site builds without a warning, and every link in it leads somewhere."""

from __future__ import annotations

import posixpath
import subprocess
import sys
from dataclasses import dataclass, field
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import nbformat
import pytest

import dpduck

ROOT = Path(__file__).parents[2]
LOADED = {"img": "src", "script": "src", "iframe": "src", "source": "src"}
LEADING = {"a": "href", "link": "href", "area": "href"}


@dataclass
class Document(HTMLParser):
    """What a page holds: its anchors, where it leads, and what it loads."""

    ids: set[str] = field(default_factory=set)
    links: list[str] = field(default_factory=list)
    loads: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.ids |= {value for name in ("id", "name") if (value := found.get(name))}
        target = found.get(LEADING.get(tag, ""))
        loaded = found.get(LOADED.get(tag, ""))
        if target:
            (self.loads if found.get("rel") in ("stylesheet", "icon") else self.links).append(target)
        if loaded:
            self.loads.append(loaded)


@dataclass(frozen=True)
class Site:
    """A site that was built."""

    folder: Path

    @cache  # noqa: B019 (there is one)
    def document(self, page: Path) -> Document:
        document = Document()
        document.feed(page.read_text(encoding="utf-8"))
        return document

    @property
    def pages(self) -> list[Path]:
        return [page for page in sorted(self.folder.rglob("*.html")) if page.name != "404.html"]

    def lost(self, page: Path, link: str) -> str | None:
        """What is wrong with a link of a page; None if it leads to a file and an anchor that are there."""
        parts = urlsplit(link)
        if parts.scheme or parts.netloc:
            return None if parts.scheme in ("http", "https", "mailto") else "scheme"
        target = page
        if parts.path:
            here = page.parent.relative_to(self.folder).as_posix()
            target = self.folder / posixpath.normpath(posixpath.join(here, unquote(parts.path)))
        if target.is_dir():
            target /= "index.html"
        if not target.is_file():
            return "file"
        known = target.suffix != ".html" or not parts.fragment
        return None if known or unquote(parts.fragment) in self.document(target).ids else "anchor"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return Site(folder)


def test_every_link_leads_somewhere(site: Site) -> None:
    found = [(page, link) for page in site.pages for link in site.document(page).links]
    assert len(found) > 1_000
    wrong = {(str(p.relative_to(site.folder)), link): why for p, link in found if (why := site.lost(p, link))}
    assert wrong == {}


def test_the_check_sees_what_is_lost(site: Site) -> None:
    page = site.folder / "SQL" / "index.html"
    assert site.lost(page, "../LEDGER/") is None
    assert site.lost(page, "#counting") is None
    assert site.lost(page, "#there-is-none") == "anchor"
    assert site.lost(page, "../LEDGER/#there-is-none") == "anchor"
    assert site.lost(page, "../NOWHERE/") == "file"


def test_nothing_is_loaded_from_elsewhere(site: Site) -> None:
    loads = [(page, load) for page in site.pages for load in site.document(page).loads]
    assert [load for _, load in loads if urlsplit(load).netloc] == []
    assert {load for page, load in loads if site.lost(page, load)} == set()


def test_each_document_is_a_page(site: Site) -> None:
    documents = [path.relative_to(ROOT / "docs").with_suffix("") for path in (ROOT / "docs").rglob("*.md")]
    folders = [name.parent if name.name == "README" else name for name in documents]
    assert [name for name in folders if not (site.folder / name / "index.html").is_file()] == []


def test_each_notebook_is_a_page_with_what_it_answered(site: Site) -> None:
    for notebook in (ROOT / "docs" / "tutorials").glob("*.ipynb"):
        page = (site.folder / "tutorials" / notebook.stem / "index.html").read_text(encoding="utf-8")
        assert f'href="../{notebook.name}" download' in page
        assert (site.folder / "tutorials" / notebook.name).read_bytes() == notebook.read_bytes()
        cells = nbformat.read(notebook, as_version=4).cells
        typed = sum(cell.cell_type == "code" for cell in cells)
        assert page.count('class="highlight"') + page.count('<div class="output">') >= typed + 5
    page = (site.folder / "tutorials" / "scientist" / "index.html").read_text(encoding="utf-8")
    assert page.count(" ± ") > 8
    assert (site.folder / "tutorials" / "scientist-1.png").read_bytes().startswith(b"\x89PNG")


def test_a_notebook_that_fails_is_no_page() -> None:
    text = nbformat.writes(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1 / 0")]))
    program = f"from docs import notebooks\nnotebooks.run({text!r})"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "PluginError: a notebook failed: " in done.stderr and "ZeroDivisionError" in done.stderr


def test_each_public_name_is_described(site: Site) -> None:
    ids = site.document(site.folder / "API" / "index.html").ids
    assert [name for name in dpduck.__all__ if f"dpduck.{name}" not in ids] == []
    assert "dpduck.Cursor.execute" in ids


def test_the_doctests_of_the_code_that_makes_it() -> None:
    command = [sys.executable, "-m", "doctest", "docs/docstrings.py", "docs/notebooks.py", "docs/pages.py"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr


def test_the_site_is_built_where_git_does_not_look() -> None:
    assert "site_dir: build/site" in (ROOT / "mkdocs.yml").read_text(encoding="utf-8").splitlines()
    assert "build/" in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
