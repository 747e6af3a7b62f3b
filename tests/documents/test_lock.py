"""requirements.lock has each package that pyproject.toml asks for, at a version that fits, with hashes."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parents[2]
LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")
PINS = re.findall(
    r"^([\w.-]+)==([^\s;]+)(?: ; ([^\\\n]+?))?((?: \\\n    --hash=sha256:[0-9a-f]{64})+)$", LOCK, re.M
)
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]


def requirements() -> list[Requirement]:
    """What the package and its extras ask for, without the package itself."""
    texts = [*PROJECT["dependencies"], *(text for extra in EXTRAS.values() for text in extra)]
    return [found for found in map(Requirement, texts) if found.name != "dpduck"]


@pytest.mark.parametrize("requirement", requirements(), ids=str)
def test_a_requirement_is_locked(requirement: Requirement) -> None:
    name = canonicalize_name(requirement.name)
    versions = [Version(version) for locked, version, *_ in PINS if locked == name]
    assert versions
    assert [version for version in versions if version not in requirement.specifier] == []


def test_each_line_is_a_pin_with_hashes_and_names_no_host() -> None:
    pinned = sum(1 for line in LOCK.splitlines() if not line.startswith(" "))
    assert pinned == len(PINS) > 50
    assert LOCK.count("--hash=sha256:") == sum(hashes.count("--hash") for *_, hashes in PINS)
    assert "://" not in LOCK
    assert "-index" not in LOCK


def test_extras_that_are_made_of_others_name_those_there_are() -> None:
    texts = [text for extra in EXTRAS.values() for text in extra if text.startswith("dpduck[")]
    assert {name for text in texts for name in Requirement(text).extras} <= set(EXTRAS)
