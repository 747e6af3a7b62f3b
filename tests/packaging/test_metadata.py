"""What the package says of itself is so."""

from __future__ import annotations

import re
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from packaging.specifiers import SpecifierSet

import dpduck

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
RELEASE = (ROOT / ".ci" / "release").read_text(encoding="utf-8")
SHOWN = sorted(
    path
    for folder in ("dpduck", "sql", "docs", "examples", ".ci", ".github")
    for path in (ROOT / folder).rglob("*")
    if path.suffix in {".py", ".sql", ".md", ".sh", ".toml", ".yml", ".yaml", ".ipynb", ".service", ""}
    and path.is_file()
)
# Spelled in parts, so that this file names none either.
REGISTRIES = [
    "pypi." + "org",
    "pythonhosted." + "org",
    "registry.npmjs." + "org",
    "crates." + "io/api",
    "index" + "-url",
]


def test_each_python_that_is_named_is_allowed() -> None:
    named = re.findall(r"Python :: (3\.\d+)$", "\n".join(PROJECT["classifiers"]), re.MULTILINE)
    allowed = SpecifierSet(PROJECT["requires-python"])
    assert "3.11" in named
    assert [version for version in named if version not in allowed] == []


def test_what_an_index_would_show_is_there() -> None:
    assert PROJECT["readme"] == "README.md"
    assert PROJECT["license"] == "Apache-2.0"
    assert (ROOT / PROJECT["license-files"][0]).is_file()
    assert 40 < len(PROJECT["description"]) < 120
    assert PROJECT["classifiers"] == sorted(PROJECT["classifiers"])
    assert {"Typing :: Typed", "Topic :: Database", "Topic :: Security"} <= set(PROJECT["classifiers"])


def test_the_changelog_has_the_version() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"\n## {PROJECT['version']}\n" in text


def test_the_release_is_tried_where_the_readme_says_it_runs() -> None:
    """The lowest version that is tried is the lowest that is allowed."""
    minors = re.search(r"for minor in ([\d ]+);", RELEASE)
    assert minors is not None
    first = int(minors[1].split()[0])
    allowed = SpecifierSet(PROJECT["requires-python"])
    assert (f"3.{first}" in allowed, f"3.{first - 1}" in allowed) == (True, False)


@pytest.mark.parametrize("path", SHOWN, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_registry_is_named(path: Path) -> None:
    text = path.read_text(encoding="utf-8").lower()
    assert [name for name in REGISTRIES if name in text] == []


def test_no_message_promises_an_index() -> None:
    """dpduck comes from a clone; what is typed later adds an extra to it (.ci/release tries one)."""
    commands = [
        (path.name, command)
        for path in [ROOT / "README.md", *SHOWN]
        for command in re.findall(r"pip install (['\"]?dpduck[^`\n]*)", path.read_text(encoding="utf-8"))
    ]
    assert commands
    assert [found for found in commands if not re.match(r"['\"]dpduck\[\{?\w+\}?\]", found[1])] == []


def test_the_package_says_its_version() -> None:
    assert dpduck.__version__ == metadata.version("dpduck")
