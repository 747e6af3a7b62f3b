"""docs/TRUST.md names the tests that would notice: they are there, and say what they are about."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TRUST, SECURITY = ROOT / "docs" / "TRUST.md", ROOT / "SECURITY.md"
NAMED = sorted(set(re.findall(r"`(tests/[\w/]+\.py(?:::\w+)?)`", TRUST.read_text(encoding="utf-8"))))
LINES = re.findall(r"^\| (`dpduck/[^|]*`) \| ([0-9,]+) \|", TRUST.read_text(encoding="utf-8"), re.MULTILINE)
LINK = re.compile(r"\]\(([^)#]+)\)")
WRITTEN_FOR_ALL = (
    "Who or what is trusted",
    "Which code is trusted",
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


@pytest.mark.parametrize(("paths", "said"), LINES)
def test_lines_of_code_are_about_as_many(paths: str, said: str) -> None:
    files = [
        file
        for path in re.findall(r"`([^`]+)`", paths)
        for file in ([ROOT / path] if path.endswith(".py") else (ROOT / path).rglob("*.py"))
    ]
    found = sum(len(file.read_text(encoding="utf-8").splitlines()) for file in files)
    assert abs(found - int(said.replace(",", ""))) <= 0.1 * found, found


def test_all_code_that_makes_plans_is_told() -> None:
    named = set(re.findall(r"`(dpduck/[\w/.]+)`", " ".join(paths for paths, _ in LINES)))
    rooms = {f"dpduck/compiler/{path.name}" for path in (ROOT / "dpduck/compiler").iterdir() if path.is_dir()}
    told = {"/".join(path.split("/")[:3]) for path in named}
    assert len(LINES) > 10
    assert {room for room in rooms if "__" not in room} <= told


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
