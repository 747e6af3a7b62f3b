"""No code in a document is unchecked: a test runs each page that has some, and each command can be typed."""

from __future__ import annotations

import ast
import inspect
import re
import shlex
from fnmatch import fnmatch
from pathlib import Path

import pytest

import dpduck
from dpduck.doors.cli.arguments import read_arguments

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").glob("*.md")])
BLOCK = re.compile(r"^( *)```(\w+)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
CODE = ("python", "sql", "pycon")
# Which test runs the code of which pages.
RUN = {
    "README.md": "tests/test_readme.py",
    "docs/BI.md": "tests/gateway/bi/test_bi.py",
    "docs/DASHBOARDS.md": "tests/summaries/test_document.py",
    "docs/DUCKDB_SHELL.md": "tests/gateway/clients/test_duckdb_shell.py",
    "docs/EPSILON.md": "tests/documents/test_error_pages.py",
    "docs/EXAMPLES.md": "tests/examples/test_examples_doc.py",
    "docs/FILES.md": "tests/documents/test_files.py",
    "docs/LEDGER.md": "tests/test_readme.py",
    "docs/MECHANISMS.md": "tests/documents/test_mechanisms.py",
    "docs/NOTEBOOKS.md": "tests/documents/test_notebooks.py",
    "docs/PYTHON.md": "tests/test_readme.py",
    "docs/SQL.md": "tests/test_readme.py",
    "docs/SUMMARIES.md": "tests/summaries/test_document.py",
    "docs/functions/*": "tests/documents/test_error_pages.py",
    "docs/howto/*": "tests/documents/test_howto.py",
    "docs/worked/*": "tests/documents/test_worked.py",
}
QUOTING = "docs/contributing/scalar-function.md"  # shows parts of files that are there
CALLING = "docs/ENGINES.md"  # calls what needs a cluster


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def blocks_of(path: Path) -> list[tuple[str, str]]:
    return [(language, text) for _, language, text in BLOCK.findall(path.read_text(encoding="utf-8"))]


def commands() -> list[tuple[str, str]]:
    """Each command of dpduck in a block of a shell, with its document. A line may go on below."""
    found = []
    for path in DOCUMENTS:
        for language, text in blocks_of(path):
            lines = text.replace("\\\n", " ").splitlines() if language in ("sh", "console") else []
            typed = [
                line.removeprefix("$ ") for line in lines if re.match(r"(?:\$ )?(?:\S+/)?dpduck \w", line)
            ]
            found += [(name_of(path), line) for line in typed]
    return found


def test_each_page_with_code_is_run() -> None:
    with_code = [
        name_of(path) for path in DOCUMENTS if any(language in CODE for language, _ in blocks_of(path))
    ]
    run = [name for name in with_code if any(fnmatch(name, pattern) for pattern in RUN)]
    assert sorted({*with_code} - {*run}) == sorted([QUOTING, CALLING])
    assert [pattern for pattern in RUN if not any(fnmatch(name, pattern) for name in with_code)] == []


def test_what_is_quoted_stands_in_a_file() -> None:
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "dpduck").rglob("*.py")]
    sources += [path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("*.py")]
    quoted = [text for language, text in blocks_of(ROOT / QUOTING) if language == "python"]
    assert len(quoted) == 3
    assert [text for text in quoted if not any(text in source for source in sources)] == []


def test_what_is_called_takes_these_arguments() -> None:
    [text] = [text for language, text in blocks_of(ROOT / CALLING) if language == "python"]
    calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
    assert len(calls) == 3
    for call in calls:
        assert ast.unparse(call.func) == "dpduck.connect"
        inspect.signature(dpduck.connect).bind(*call.args, **{str(one.arg): one for one in call.keywords})


@pytest.mark.parametrize("pattern", RUN)
def test_the_test_reads_the_page(pattern: str) -> None:
    """Or a file beside it does, which it uses."""
    beside = sorted((ROOT / RUN[pattern]).parent.glob("*.py"))
    name = pattern.removesuffix("/*").rpartition("/")[2]
    assert any(f'"{name}"' in path.read_text(encoding="utf-8") for path in beside)


@pytest.mark.parametrize(("document", "command"), commands())
def test_a_command_can_be_typed(document: str, command: str) -> None:
    """It is read without a complaint, up to a pipe; what it would do is for other tests."""
    words = shlex.split(command.replace("/etc/dpduck", str(ROOT / "examples" / "deploy")), comments=True)
    ends = [place for place, word in enumerate(words) if re.match(r"(?:[0-9]?[<>|&])", word)]
    assert read_arguments(words[1 : ends[0] if ends else None]).command == words[1]


def test_there_are_many() -> None:
    assert len(commands()) > 40
