"""64 clients of one gateway: replays alone, and replays beside fresh queries and explanations.

pgbench asks, since it takes little of the machine itself. Each mix is measured beside replays alone, in turns
and in the same run, since the machine is not always the same.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from statistics import median

CLIENTS = 64
REPLAY = """\
\\set place random(1, 5)
SELECT city, count(*) AS n FROM sales WHERE age > :place GROUP BY city ORDER BY n DESC LIMIT 3;
"""
FRESH = """\
\\set number random(1, 1000000000)
SELECT count(*) AS n FROM sales WHERE age > 30 OR age = :number;
"""
EXPLAIN = """\
\\set number random(1, 1000000000)
EXPLAIN SELECT count(*) AS n FROM sales WHERE age > 31 OR age = :number;
"""
SCRIPTS = {"replay": REPLAY, "fresh": FRESH, "explain": EXPLAIN}
MIXES: Mapping[str, Mapping[str, int]] = {
    "replays alone": {"replay": 100},
    "95 % replays, 5 % fresh": {"replay": 95, "fresh": 5},
    "70 % replays, 20 % fresh, 10 % EXPLAIN": {"replay": 70, "fresh": 20, "explain": 10},
}
_TPS = re.compile(r"tps = ([0-9.]+) \(without")
_SCRIPT = re.compile(r"SQL script \d+: \S*?/(\w+)\.sql.*?latency average = ([0-9.]+) ms", re.DOTALL)
_LATENCY = re.compile(r"^latency average = ([0-9.]+) ms", re.MULTILINE)


def mixed(pgbench: str, port: int, user: str, *, seconds: int, rounds: int) -> dict[str, dict[str, float]]:
    """The mixes in turns. Output: of each, medians of the statements a second and of the ms of each kind."""
    found: dict[str, list[dict[str, float]]] = {name: [] for name in MIXES}
    with tempfile.TemporaryDirectory() as folder:
        for name, text in SCRIPTS.items():
            Path(folder, f"{name}.sql").write_text(text)
        _run(
            pgbench, folder, port, user, MIXES["replays alone"], seconds
        )  # all replays are there, and recorded
        for _ in range(rounds):
            for name, mix in MIXES.items():
                found[name].append(_run(pgbench, folder, port, user, mix, seconds))
    return {name: {key: median(run[key] for run in runs) for key in runs[0]} for name, runs in found.items()}


def _run(
    pgbench: str, folder: str, port: int, user: str, mix: Mapping[str, int], seconds: int
) -> dict[str, float]:
    files = [part for name, weight in mix.items() for part in ("-f", f"{folder}/{name}.sql@{weight}")]
    done = subprocess.run(
        [
            *(pgbench, "-n", *files, "-T", str(seconds), "-c", str(CLIENTS), "-j", "2"),
            *("-h", "127.0.0.1", "-p", str(port), "-U", user, "shop"),
        ],
        env={"PGPASSWORD": "for this machine only", "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert _TPS.search(done.stdout), done.stdout + done.stderr
    [speed] = _TPS.findall(done.stdout)
    kinds = {name: float(ms) for name, ms in _SCRIPT.findall(done.stdout)}
    return {"per_second": float(speed), **(kinds or {"replay": float(_LATENCY.findall(done.stdout)[0])})}
