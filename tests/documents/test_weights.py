"""Each test has the weight that it says, and the README's command leaves out no more than it must."""

from __future__ import annotations

import tomllib
from fnmatch import fnmatch
from pathlib import Path

import pytest

import conftest

ROOT = Path(__file__).parents[2]
TESTS = [path.relative_to(ROOT).as_posix() for path in (ROOT / "tests").rglob("test_*.py")]


@pytest.mark.parametrize("pattern", [p for patterns in conftest.WEIGHTS.values() for p in patterns])
def test_each_line_of_the_table_is_of_a_test(pattern: str) -> None:
    assert [name for name in TESTS if fnmatch(name, pattern)]


def test_the_markers_are_those_of_the_project() -> None:
    options = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["pytest"][
        "ini_options"
    ]
    known = {line.partition(":")[0] for line in options["markers"]}
    assert known == {*conftest.MARKERS, "nightly", "system_noise"}
    assert set(conftest.WEIGHTS) <= set(conftest.MARKERS)


@pytest.mark.parametrize("pattern", conftest.NIGHTLY)
def test_what_is_left_to_the_night_is_slow_and_is_tried_there(pattern: str) -> None:
    left = [name for name in TESTS if fnmatch(name, pattern)]
    assert left
    assert {conftest.weight_of(ROOT / name) for name in left} == {"slow"}
    workflow = (ROOT / ".github" / "workflows" / "nightly.yml").read_text(encoding="utf-8")
    assert "DPDUCK_DEPTH: full" in workflow


def test_a_file_is_of_the_first_line_that_fits() -> None:
    assert conftest.weight_of(ROOT / "tests" / "benchmarks" / "test_scale_spark.py") == "slow"
    assert conftest.weight_of(ROOT / "tests" / "engines" / "test_spark.py") == "services"
    assert conftest.weight_of(ROOT / "tests" / "test_readme.py") is None
    assert conftest.weight_of(Path("/elsewhere/tests/benchmarks/test_plots.py")) is None


@pytest.mark.parametrize(
    ("weight", "asked", "expected"),
    [
        ("slow", "not (clients or docs or lint or services or slow)", False),
        ("slow", "clients or docs or lint or services or slow", True),
        ("slow", "services", True),  # a test in it may need a service too
        ("services", "not services", False),
        ("clients", "not services", True),
    ],
)
def test_what_is_not_asked_for_is_not_imported(weight: str, asked: str, *, expected: bool) -> None:
    assert conftest.may_be_asked(weight, asked) is expected


def test_both_commands_together_run_everything() -> None:
    """What the README leaves out is what the contributor's page, and so .ci/run, runs besides."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    page = (ROOT / "docs" / "contributing" / "tests.md").read_text(encoding="utf-8")
    heavy = " or ".join(conftest.MARKERS)
    assert f'.venv/bin/pytest -m "not ({heavy})"\n' in readme
    assert f'.venv/bin/pytest -m "{heavy}"\n' in page
