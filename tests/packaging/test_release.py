"""`.ci/release` makes sdist and wheel, and both run in a fresh environment (each night of each Python)."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.depth import FULL

ROOT = Path(__file__).parents[2]
SECONDS = 900


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What is in the folder, as a commit of a repository of its own: CI tests copies that have no history."""
    folder = tmp_path_factory.mktemp("release") / "dpduck"
    kept = shutil.ignore_patterns(".git", ".venv", "build", "dist", "__pycache__", ".*_cache", ".hypothesis")
    shutil.copytree(ROOT, folder, ignore=kept)
    author = ["-c", "user.name=release", "-c", "user.email=release@example.org"]
    for command in (["init", "-q"], ["add", "-A"], [*author, "commit", "-q", "-m", "as it is"]):
        subprocess.run(["git", *command], cwd=folder, check=True)
    return folder


@pytest.fixture(scope="module")
def release(repository: Path) -> tuple[Path, str]:
    """The folder of both files, and what the script said."""
    out = repository.parent / "dist"
    pythons = {} if FULL else {"PYTHONS": sys.executable}  # all that are at hand each night
    done = run(repository, "--trial", OUT=str(out), **pythons)
    assert done.returncode == 0, done.stdout + done.stderr
    return out, done.stdout


def run(repository: Path, *options: str, **variables: str) -> subprocess.CompletedProcess[str]:
    command = ["bash", ".ci/release", *options]
    env = {name: text for name, text in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    return subprocess.run(
        command,
        cwd=repository,
        env=env | variables,
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS,
    )


def test_both_files_are_made_checked_and_tried(release: tuple[Path, str]) -> None:
    out, said = release
    assert sorted(path.suffix for path in out.iterdir()) == [".gz", ".whl"]
    assert said.count("PASSED") == 2
    tried = re.findall(r"^== Python (3\.\d+)[\d.a-z]*: the wheel", said, re.MULTILINE)
    print("tried with", tried)
    assert tried and len(tried) == len(set(tried))
    assert said.count("dpduck 0.") == len(tried) + 1  # and once from the sdist
    assert re.search(r"^[0-9a-f]{64}  dpduck-", said, re.MULTILINE)


def test_the_wheel_has_what_runs_and_no_tests(release: tuple[Path, str]) -> None:
    [wheel] = release[0].glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert "dpduck/sql/demo.sql" in names and "dpduck/py.typed" in names
    about = wheel.name.removesuffix("-py3-none-any.whl") + ".dist-info"
    assert {name.partition("/")[0] for name in names} == {"dpduck", about}
    assert any(name.endswith("/licenses/LICENSE") for name in names)


def test_the_sdist_has_what_a_contributor_needs(release: tuple[Path, str]) -> None:
    [sdist] = release[0].glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    needed = {
        "README.md",
        "CHANGELOG.md",
        "LICENSE",
        "conftest.py",
        "mkdocs.yml",
        "docs/tutorials/owner.ipynb",
    }
    assert needed | {"tests/test_readme.py", "sql/demo.sql", "examples/README.md", ".ci/release"} <= names


def test_an_unfinished_release_is_refused(repository: Path) -> None:
    done = run(repository)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "release: CHANGELOG.md does not begin with 0.1.0\n"
    (repository / "notes.txt").write_text("", encoding="utf-8")
    assert "not committed" in run(repository).stderr
    (repository / "notes.txt").unlink()
