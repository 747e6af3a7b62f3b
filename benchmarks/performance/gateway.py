"""`python -m benchmarks gateway`: what the Postgres gateway costs beside the same queries in process.

The server is a process of its own on this machine, with `--quantum 0`: the wait for the next tick is a
choice, not a cost. Another one bears 64 clients on a budget that runs out, and a third broken messages.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from glob import glob
from pathlib import Path
from statistics import median

import duckdb
import psycopg

import dpduck
from benchmarks.attacks.gateway_soak import fuzzed, soak
from benchmarks.performance.gateway_load import mixed
from benchmarks.performance.gateway_memory import READERS, after_reads, stalled
from benchmarks.performance.timing import Way, in_turns
from benchmarks.report.results import Record, Run, table
from tests.gateway import wiring as w
from tests.gateway.serving import let_in, serving
from tests.ledger import dashboard

PASSWORD = "for this machine only"
OVERHEAD_MS = 2.0
REPLAYS = 1_000.0  # a second
ROWS = 150_000.0  # a second
CLIENTS = 8
_ALL_BY_ONE = ("--max-connections-by-name", "100")  # as one name of a pool of connections
MANY = 64
LIMIT = 300  # epsilon that these have in all
MOST_GROWTH = 50.0  # MiB
PUBLIC_ROWS = 1_000_000
HEADER = ["what", "value", "unit", "target", "met"]

_PUBLIC = """
CREATE TABLE places AS SELECT i::INTEGER AS id, (i * 7)::BIGINT AS code, 'place ' || i AS name, i / 7 AS share
FROM range({rows}) AS t (i)
"""
_TOP = "SELECT city, count(*) AS n FROM sales GROUP BY city ORDER BY n DESC LIMIT 3"
_FEW = "SELECT id, name FROM places WHERE id < 3"
_COPY = "COPY (SELECT * FROM places) TO STDOUT (FORMAT binary)"
_TPS = re.compile(r"tps = ([0-9.]+)")


@dataclass(frozen=True)
class Plan:
    """How much to measure."""

    repeat: int
    seconds: int
    messages: int
    minutes: float
    scale: float = 1.0


def main(plan: Plan, out: Path) -> int:
    """Measure, print and add to the results. Returns 1 if a target was missed."""
    run = Run.start("gateway", plan.scale)
    with tempfile.TemporaryDirectory() as folder:
        file = make(Path(folder), round(PUBLIC_ROWS * plan.scale))
        records = [*measured(file, plan), *loaded(file, plan), *borne(Path(folder), plan)]
    run.write(out, records)
    print(table(HEADER, rows(records)))
    return int(not all(record["met"] for record in records))


def make(folder: Path, places: int) -> Path:
    """A database with the dashboard's sales, a large public table, and one analyst."""
    file = folder / "shop.duckdb"
    dashboard.make(file)
    with duckdb.connect(str(file)) as con:
        con.execute(_PUBLIC.format(rows=places))
    with dpduck.connect(file) as owner:
        owner.execute("ALTER TABLE places SET PUBLIC")
        owner.execute("CREATE PRIVACY BUDGET plenty LIMIT 1000")
    let_in(file, dashboard.ANALYST, PASSWORD)
    return file


def measured(file: Path, plan: Plan) -> Iterator[Record]:
    """All figures, from one server."""
    with serving(file, "--quantum", "0", "--epsilon", "0.5", "--quiet") as (port, _):
        with psycopg.connect(address(port), autocommit=True) as client:
            yield from overheads(file, client, plan.repeat)
            yield copied(client)
        yield replayed(port, plan.seconds)


def loaded(file: Path, plan: Plan) -> Iterator[Record]:
    """Many clients, beside replays alone in the same run; what the server holds for slow readers."""
    with serving(file, "--quantum", "0", "--epsilon", "0.001", "--quiet", *_ALL_BY_ONE) as (port, process):

        def connect() -> psycopg.Connection:
            return psycopg.connect(address(port), autocommit=True)

        start, _, later = after_reads(process.pid, connect, seconds=30)
        yield figure(
            "memory 30 s after large answers, of that before", later / start, "times", 1.3, below=True
        )
        before, held = stalled(process.pid, connect)
        yield figure("held for a reader that stops", (held - before) / READERS, "MiB", 5, below=True)
        runs = mixed(connect, process.pid, seconds=plan.seconds, rounds=3)
    (_, alone), *mixes = runs.items()
    yield {
        **figure(f"replays alone to {MANY} clients", alone["per_second"], "1/s", 2_000, below=False),
        "kinds": alone,
    }
    for (name, run), least in zip(mixes, (0, 400), strict=True):
        yield {**figure(f"{name}: in all", run["per_second"], "1/s", least, below=False), "kinds": run}
        yield figure(
            f"{name}: a replay, of one alone", run["replay"] / alone["replay"], "times", 1.3, below=True
        )


def borne(folder: Path, plan: Plan) -> Iterator[Record]:
    """What servers bear: many clients at once, and broken messages."""
    (folder / "soak").mkdir()
    found, spent, memory = soak(folder / "soak", clients=MANY, seconds=60 * plan.minutes, limit=LIMIT)
    wrong = sum(count for sqlstate, count in found.items() if sqlstate not in ("00000", "53400"))
    answered = {"sqlstates": dict(found), "memory": memory, "clients": MANY, "minutes": plan.minutes}
    yield {**figure(f"errors to {MANY} clients", wrong, "", 0, below=True), **answered}
    yield figure(f"epsilon spent of {LIMIT}", float(spent), "", LIMIT, below=True)
    growth = (memory[-1] - memory[len(memory) // 4]) / 2**20
    yield figure("memory grown since the first quarter", growth, "MiB", MOST_GROWTH, below=True)
    file = w.make_shop(folder / "fuzz.duckdb")
    w.add_analyst(file)
    gateway = w.Gateway(file, script="")
    try:
        sent = fuzzed(gateway, plan.messages)
    finally:
        code = gateway.stop()
    silent = figure(f"{plan.messages:,} broken messages: no reply", sent["silent"], "", 0, below=True)
    yield {**silent, "connections": dict(sent), "exit_code": code, "met": silent["met"] and code == 0}


def address(port: int) -> str:
    """How to connect."""
    return f"host=127.0.0.1 port={port} user={dashboard.ANALYST} password='{PASSWORD}' dbname=shop"


def overheads(file: Path, client: psycopg.Connection, repeat: int) -> Iterator[Record]:
    """The gateway beside `db.execute` on the same file, in turns."""
    with dpduck.connect(file, analyst=dashboard.ANALYST, epsilon="0.5") as db:
        for name, sql, replays in (
            ("fresh top 3", _TOP, "off"),
            ("replayed top 3", _TOP, "on"),
            ("public rows", _FEW, "on"),
        ):
            db.execute(f"SET dp_replay = {replays}")
            client.execute(f"SET dp_replay = {replays}")
            ways: dict[str, Way] = {
                "gateway": lambda sql=sql: client.execute(sql).fetchall(),
                "in process": lambda sql=sql: db.execute(sql).fetchall(),
            }
            seconds = in_turns(ways, repeat, collect=False)
            own, inside = (1000 * median(seconds[way]) for way in ways)
            yield {
                **figure(f"overhead, {name}", own - inside, "ms", OVERHEAD_MS, below=True),
                "gateway_ms": own,
                "in_process_ms": inside,
                "seconds": seconds,
            }


def copied(client: psycopg.Connection) -> Record:
    """Rows a second by COPY in binary format, in the best of three runs, which the machine disturbs least."""
    counts = client.execute("SELECT count(*) FROM places").fetchall()
    best = min(_copy_seconds(client) for _ in range(3))
    return figure("COPY in binary format", counts[0][0] / best, "rows/s", ROWS, below=False)


def _copy_seconds(client: psycopg.Connection) -> float:
    start = time.perf_counter()
    with client.cursor().copy(_COPY) as parts:
        size = sum(len(part) for part in parts)
    assert size > 0
    return time.perf_counter() - start


def replayed(port: int, seconds: int) -> Record:
    """Replays a second to eight clients of pgbench, which takes little time itself."""
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as script:
        script.write(f"{_TOP};\n")
        script.flush()
        done = subprocess.run(
            [
                *(_pgbench(), "-n", "-f", script.name, "-M", "prepared", "-T", str(seconds)),
                *("-c", str(CLIENTS), "-j", "2", "-h", "127.0.0.1", "-p", str(port)),
                *("-U", dashboard.ANALYST, "shop"),
            ],
            env={"PGPASSWORD": PASSWORD},
            capture_output=True,
            text=True,
            check=True,
        )
    found = _TPS.search(done.stdout)
    assert found is not None, done.stdout
    return figure(f"replays to {CLIENTS} clients", float(found[1]), "1/s", REPLAYS, below=False)


def _pgbench() -> str:
    found = shutil.which("pgbench") or max(glob("/usr/lib/postgresql/*/bin/pgbench"), default=None)  # noqa: PTH207
    if found is None:
        raise SystemExit("pgbench is not installed; it comes with PostgreSQL")
    return found


def figure(what: str, value: float, unit: str, target: float, *, below: bool) -> Record:
    """One figure beside its target."""
    met = value <= target if below else value >= target
    return {"what": what, "value": value, "unit": unit, "target": target, "below": below, "met": met}


def rows(records: list[Record]) -> list[list[str]]:
    """The lines of a table."""
    return [
        [
            record["what"],
            f"{record['value']:,.2f}" if record["value"] < 100 else f"{record['value']:,.0f}",
            record["unit"],
            f"{'at most' if record['below'] else 'at least'} {record['target']:,.0f}",
            "yes" if record["met"] else "no",
        ]
        for record in records
    ]
