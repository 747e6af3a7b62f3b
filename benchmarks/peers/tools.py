"""Other tools: each in a process and a virtual environment of its own, and the lines that its user writes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from benchmarks.report.results import Record

SCRIPTS = Path(__file__).parent / "jobs"
DUCKDB = f"duckdb=={version('duckdb')}"


@dataclass(frozen=True)
class Rival:
    """A tool: the script that uses it, what is installed for it, and what its answers need said.

    `alone`: packages that are installed without those that they ask for. Without `packages` it runs in this
    environment. `jobs`: the functions of the script that are timed; without any, only errors are measured.
    """

    name: str
    script: str
    packages: tuple[str, ...] = ()
    jobs: tuple[str, ...] = ("top_10", "median", "mode")
    draws: bool = True
    remarks: str = ""
    alone: tuple[str, ...] = ()


class PeerError(Exception):
    """A tool that could not be installed, or a job that did not end well."""


Outcome = Record | PeerError


def installed(rival: Rival, cache: Path) -> Path | PeerError:
    """The Python of the tool's environment, made if need be; or why there is none."""
    if not rival.packages:
        return Path(sys.executable)
    name = "-".join((*rival.packages, *rival.alone))
    folder = cache / name.replace("==", "-").replace("[", "-").replace("]", "")
    python, done = folder / "bin" / "python", folder / "installed"
    if done.exists():
        return python
    install = [str(python), "-m", "pip", "install", "--quiet"]
    try:
        run([sys.executable, "-m", "venv", "--clear", str(folder)])
        run([*install, *rival.packages])
        if rival.alone:
            run([*install, "--no-deps", *rival.alone])
    except PeerError as problem:
        shutil.rmtree(folder, ignore_errors=True)
        return PeerError(f"not installed: {problem}")
    done.touch()
    return python


def run(command: Sequence[str], limit: float | None = None, path: Path | None = None) -> str:
    """What the command prints, run in an empty folder. Errors: PeerError with its last words only."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment |= {"PYTHONPATH": str(path)} if path else {}
    with tempfile.TemporaryDirectory() as folder:  # what Spark leaves goes there
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, timeout=limit, env=environment, cwd=folder
            )
        except subprocess.TimeoutExpired:
            raise PeerError(f"> {limit:g} s") from None
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        wrong = (
            [line for line in lines if "Error" in line or line.startswith("ERROR")] or lines or ["no word"]
        )
        raise PeerError(" ".join(word for word in wrong[-1].split() if "/" not in word)[:200])
    return done.stdout


def child(rival: Rival, python: Path | PeerError, words: Sequence[object], limit: float) -> Outcome:
    """What `jobs/child.py` reports of the tool's script, given these words; or what went wrong."""
    if isinstance(python, PeerError):
        return python
    command = [str(python), str(SCRIPTS / "child.py"), rival.script, *map(str, words)]
    try:
        facts: Record = json.loads(run(command, limit, None if rival.packages else SCRIPTS.parents[2]))
    except PeerError as problem:
        return problem
    return facts


def in_turns(
    rivals: Sequence[Rival], repeats: int, once: Callable[[Rival], Outcome]
) -> dict[str, list[Outcome]]:
    """What each tool's processes reported; a tool that failed once does not get another turn."""
    outcomes: dict[str, list[Outcome]] = {rival.name: [] for rival in rivals}
    for number in range(repeats):
        for rival in rivals[:: -1 if number % 2 else 1]:
            earlier = outcomes[rival.name]
            if not any(isinstance(outcome, PeerError) for outcome in earlier):
                earlier.append(once(rival))
    return outcomes


def notes(outcomes: Sequence[Outcome | None], *remarks: str) -> str:
    """What went wrong, each once, and what there is to say besides."""
    bad = [str(outcome) for outcome in outcomes if isinstance(outcome, PeerError)]
    return "; ".join(dict.fromkeys([*bad, *filter(None, remarks)]))


def lines(script: str, job: str) -> int:
    """The lines of code that a user writes for the job: those marked for it or some, and for every job.

    >>> lines("dpduck_sql", "mode")
    5
    """
    count, marked = 0, False
    for line in map(str.strip, (SCRIPTS / f"{script}.py").read_text(encoding="utf-8").splitlines()):
        if line.startswith("# user: "):
            marked = not {"every job", job}.isdisjoint(line.removeprefix("# user: ").split(", "))
        elif line == "# end":
            marked = False
        elif marked and line and not line.startswith("#"):
            count += 1
    return count


def cell(value: float | None, form: str) -> str:
    """A number as text; nothing of what was not measured."""
    return "" if value is None else format(value, form)
