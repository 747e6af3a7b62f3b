"""The programs in examples/ run, in a process of their own, and print what they are there to show."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "examples"

# What each prints, line by line; # is a number, which may have noise in it.
SHOWN = {
    "python_connection.py": [
        "expected error: {'n': #}",
        "most visited: [('home', #), ('news', #)]",
        "median age: (#,)",
        "refused: query needs epsilon # but none remains",
    ],
    "register_functions.py": [
        "median delay: (#,)",
        "busiest gate: ('AMS',)",
        "top two: [('AMS', #, #, #), ('NRT', #, #, #)]",
        "spent: (Decimal('#'), Decimal('#'))",
    ],
    "gateway_with_psycopg.py": [
        "under #: [('home', #), ('news', #), ('shop', #)]",
        "refused: private rows cannot be listed",
    ],
    "files_on_the_command_line.sh": [
        "noisy top-k: the # largest of the # public values of page",
        "page,n",
        "home,#",
        "news,#",
        "visitors",
        "refused: the budget is spent",
        "session cli ████████████████████ epsilon # of # spent, none left",
    ],
}
NUMBER = re.compile(r"(?<![\w-])\d+(\.\d+)?")


def run(program: Path, folder: Path) -> str:
    """What a program prints; it must end well. The command `dpduck` is that of this environment."""
    (folder / "bin").mkdir()
    command = folder / "bin" / "dpduck"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m dpduck.doors.cli "$@"\n')
    command.chmod(0o755)
    environment = {
        **os.environ,
        "PATH": f"{command.parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "TMPDIR": str(folder),
    }
    start = (
        ["bash", str(program)]
        if program.suffix == ".sh"
        else [sys.executable, "-m", f"examples.{program.stem}"]
    )
    done = subprocess.run(
        start, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("name", SHOWN)
def test_an_example_shows_what_it_is_there_for(name: str, tmp_path: Path) -> None:
    printed = [NUMBER.sub("#", " ".join(line.split())) for line in run(FOLDER / name, tmp_path).splitlines()]
    if name.endswith(".sh"):  # it prints more than is compared
        assert [line for line in SHOWN[name] if line not in printed] == []
    else:
        assert printed == SHOWN[name]


def test_each_program_is_run_and_listed() -> None:
    programs = {path.name for path in FOLDER.iterdir() if path.suffix in (".py", ".sh")} - {"__init__.py"}
    assert programs == set(SHOWN)
    listed = re.findall(
        r"^\| \[(\S+)\]\(\1\) \|", (FOLDER / "README.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert sorted(listed) == sorted(programs)
