"""Run one job of one tool in this process, and print what it gave and took as one line of JSON.

    python child.py MODULE JOB FILE SIZE DRAWS SECONDS

MODULE is a file beside this one, whose functions are named after jobs. With DRAWS 0 the job is run and timed
once, from the Parquet file to the answer; otherwise answers are drawn from the same scores, up to DRAWS
of them, as many as fit into SECONDS. This file needs nothing but Python: it runs in each tool's environment.
"""

from __future__ import annotations

import importlib
import json
import os
import resource
import sys
import time
import warnings
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path


def main(name: str, job: str, file: str, *numbers: str) -> None:
    """The command line above."""
    size, draws, limit = (int(number) for number in numbers)
    warnings.simplefilter("ignore")
    os.environ["PYSPARK_PYTHON"] = sys.executable  # the processes of Spark are in the same environment
    result = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a tool shows of its progress is not the result
    module = importlib.import_module(name)
    start = time.perf_counter()
    if draws:
        answers = []
        for answer in getattr(module, f"{job}_draws")(file, size):
            answers.append(answer)
            if len(answers) >= draws or time.perf_counter() - start > limit:
                break
    else:
        answers = [getattr(module, job)(file, size)]
    seconds = time.perf_counter() - start
    facts = {"answers": answers, "seconds": seconds, "peak": peak(), "version": installed(module.PACKAGE)}
    with result:
        json.dump(facts, result)


def peak() -> float:
    """The most memory that this process has had, in MiB, with each that it started and that still runs.

    What `getrusage` says of a child includes what its parent had when it started it; Linux also keeps a
    figure of the program alone.
    """
    if Path("/proc/self/status").exists():
        return sum(map(_peak_of, _family(os.getpid())))
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / 2**20 if sys.platform == "darwin" else most / 1024


def _peak_of(process: int) -> float:
    lines = _text(Path(f"/proc/{process}/status")).splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024


def _family(process: int) -> Iterator[int]:
    """The process and those below it: Spark does its work in them."""
    yield process
    for tasks in Path(f"/proc/{process}/task").glob("*"):
        for child in _text(tasks / "children").split():
            yield from _family(int(child))


def _text(file: Path) -> str:
    """What a file of the system says; nothing of a process or thread that has ended."""
    try:
        return file.read_text()
    except OSError:
        return ""


def installed(package: str) -> str:
    """The version of a package; "checkout" if it is run from its source."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "checkout"


if __name__ == "__main__":
    main(*sys.argv[1:])
