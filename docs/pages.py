"""What mkdocs does besides: documents outside of docs/ are pages too, and what a page links to is there.

A document says where a file is as the repository sees it, so that its links work there. The site has the
same documents in other places, so each link is led to where its file is in the site. A file that is no
document is copied there as it is.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parent.parent
OUTSIDE = "repository"  # where the site has what the repository has outside of docs/
START = "README.md"
PAGES = ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "benchmarks/README.md", "examples/README.md")
LINK = re.compile(r"(!?\[[^\]]*\])\(([^)\s#]*)(#[^)\s]*)?\)")
FENCE = re.compile(r"^(```.*?^```)$", re.MULTILINE | re.DOTALL)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the documents outside of docs/, and every file that a document shows or leads to."""
    pages = (f"docs/{file.src_uri}" for file in files.documentation_pages())
    documents = [START, *PAGES, *(name for name in pages if (ROOT / name).is_file())]
    linked = {target for name in documents for target in targets_of(name) if (ROOT / target).is_file()}
    for name in sorted({START, *PAGES} | {name for name in linked if place_of(name) not in files.src_uris}):
        files.append(File.generated(config, place_of(name), abs_src_path=str(ROOT / name)))
    return files


def on_page_markdown(markdown: str, *, page: Page, **_: object) -> str:
    """Lead each link of a page to where its file is in the site."""
    here = name_of(page.file.src_uri)

    def led(match: re.Match[str]) -> str:
        shown, path, anchor = match[1], match[2], match[3] or ""
        if not path or ":" in path:
            return match[0]
        target = place_of(joined(here, path))
        return f"{shown}({posixpath.relpath(target, posixpath.dirname(page.file.src_uri) or '.')}{anchor})"

    parts = FENCE.split(markdown)
    return "".join(part if part.startswith("```") else LINK.sub(led, part) for part in parts)


def targets_of(name: str) -> list[str]:
    """The files of the repository that a document leads to."""
    text = FENCE.sub("", (ROOT / name).read_text(encoding="utf-8"))
    paths = [match[2] for match in LINK.finditer(text)]
    return [joined(name, path) for path in paths if path and ":" not in path]


def joined(name: str, path: str) -> str:
    """A path as a document writes it, from the root of the repository."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), path))


def place_of(name: str) -> str:
    """Where the site has a file of the repository.

    >>> [place_of(name) for name in ("README.md", "docs/SQL.md", "SECURITY.md", "docs/tutorials/owner.ipynb")]
    ['README.md', 'SQL.md', 'repository/SECURITY.md', 'tutorials/owner.md']
    """
    if name == START:
        return START
    if name.endswith(".ipynb"):
        name = name.removesuffix(".ipynb") + ".md"  # which `notebooks.py` makes
    return name.removeprefix("docs/") if name.startswith("docs/") else f"{OUTSIDE}/{name}"


def name_of(place: str) -> str:
    """The file of the repository that the site has there."""
    if place == START:
        return START
    return place.removeprefix(f"{OUTSIDE}/") if place.startswith(f"{OUTSIDE}/") else f"docs/{place}"
