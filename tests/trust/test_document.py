"""docs/TRUST.md names the tests that would notice: they are there, and say what they are about."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TRUST, SECURITY = ROOT / "docs" / "TRUST.md", ROOT / "SECURITY.md"
NAMED = sorted(set(re.findall(r"`(tests/[\w/]+\.py(?:::\w+)?)`", TRUST.read_text(encoding="utf-8"))))
LINK = re.compile(r"\]\(([^)#]+)\)")
WRITTEN_FOR_ALL = (
    "Who or what is trusted",
    "What analysts may see of each other",
    "Time",
    "What is not promised",
)


def test_there_are_tests_to_look_for() -> None:
    assert len(NAMED) > 30
    text = TRUST.read_text(encoding="utf-8")
    assert [line[3:] for line in text.splitlines() if line.startswith("## ")] == list(WRITTEN_FOR_ALL)


@pytest.mark.parametrize("name", NAMED)
def test_it_is_there(name: str) -> None:
    path, _, function = name.partition("::")
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    tests = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    tests |= {
        node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and type(node.ctx) is ast.Store
    }
    assert function in tests if function else any(test.startswith("test_") for test in tests)


@pytest.mark.parametrize("document", [TRUST, SECURITY], ids=lambda path: path.name)
def test_its_links_lead_somewhere(document: Path) -> None:
    targets = LINK.findall(document.read_text(encoding="utf-8"))
    assert targets
    assert all((document.parent / target).exists() for target in targets)


def test_each_leak_has_a_test_that_says_what_leaked() -> None:
    for path in sorted((ROOT / "tests" / "trust").glob("test_*.py")):
        said = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
        assert said, path.name


def test_security_names_no_address_that_nobody_reads() -> None:
    assert not re.search(r"\S+@\S+|https?://", SECURITY.read_text(encoding="utf-8"))
