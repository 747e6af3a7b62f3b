"""nox, pre-commit, hosted CI and the lint tests run the same things, and the documents name what there is."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import conftest
from tests import test_quality

ROOT = Path(__file__).parents[2]
NOXFILE = ast.parse((ROOT / "noxfile.py").read_text(encoding="utf-8"))
CONSTANTS = {
    node.targets[0].id: ast.literal_eval(node.value)
    for node in NOXFILE.body
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
}


def sessions() -> set[str]:
    """The sessions of the noxfile, by the names that are typed."""
    functions = [node for node in NOXFILE.body if isinstance(node, ast.FunctionDef)]
    renamed = {"tests_on_oldest": f"tests-{CONSTANTS['OLDEST']}"}
    return {renamed.get(function.name, function.name) for function in functions if function.decorator_list}


def test_documents_name_sessions_that_there_are() -> None:
    documents = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs" / "contributing").glob("*.md")]
    named = {
        name
        for file in documents
        for name in re.findall(r"nox -s ([\w.-]+)", file.read_text(encoding="utf-8"))
    }
    assert {"ci", "docs", "heavy", "lint", "lock", "tests-1.5.5", "types"} <= named
    assert named <= sessions()


def test_sessions_and_tests_look_at_the_same_code() -> None:
    assert CONSTANTS["CODE"] == test_quality.CODE
    assert " or ".join(conftest.MARKERS) == CONSTANTS["HEAVY"]
    assert f"duckdb=={CONSTANTS['OLDEST']}" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_hooks_are_the_tools_of_the_environment() -> None:
    text = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    entries = re.findall(r"^ +entry: (.+)$", text, re.MULTILINE)
    assert entries == ["ruff check --force-exclude", "ruff format --force-exclude", "mypy"]
    assert re.findall(r"^ +- repo: (.+)$", text, re.MULTILINE) == ["local"]
    assert text.count("language: system") == len(entries)


def test_hosted_ci_is_the_same_scripts() -> None:
    text = (ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")
    assert re.findall(r"^ +- run: (.+)$", text, re.MULTILINE) == ["bash .ci/run", "bash .ci/superset"]
