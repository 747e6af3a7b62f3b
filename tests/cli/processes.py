"""The command as a process of its own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Done:
    """What a command printed, and its exit code."""

    code: int
    out: str
    err: str


Run = Callable[..., Done]


def start(
    *arguments: str,
    folder: Path,
    script: str = "",
    environment: Mapping[str, str] | None = None,
    stdin: int | None = None,
    stdout: int | IO[bytes] = subprocess.PIPE,
) -> subprocess.Popen[bytes]:
    """Start the command, after a Python script that may prepare the process."""
    code = f"{script}\nimport sys\nfrom dpduck.doors.cli import main\nsys.exit(main())"
    return subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), **(environment or {})},
        stdin=stdin,
        stdout=stdout,
        stderr=subprocess.PIPE,
    )


def finish(process: subprocess.Popen[bytes], text: bytes | None = None) -> Done:
    """Wait for a started command."""
    out, err = process.communicate(text, timeout=60)
    return Done(process.returncode, (out or b"").decode(), err.decode())


_ERROR = re.compile(r"^(.* ± .* \(95 %\)|These numbers have noise; .*)\n", re.MULTILINE)
_NOTICE = re.compile(
    r"^((?!This is from).*( counts? distinct | gives? |Omitted: |Clamped: |Noise exceeds |Each |is off by )"
    r".*|Rows of \w+ whose .*|Advice: --why)\n",
    re.MULTILINE,
)


def without_notices(err: str) -> str:
    """What standard error holds besides what a private answer means, and how far off it may be."""
    return _NOTICE.sub("", _ERROR.sub("", err))
