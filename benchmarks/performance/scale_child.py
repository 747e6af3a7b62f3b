"""One way to an answer, in this process alone: `python -m benchmarks.performance.scale_child`.

The first line of standard input is an `Ask` as JSON; after it, each line asks for the answer once. The child
writes one line of JSON for each: the memory it has before the first, then the seconds of each answer. At
the end of its input it writes the most memory that it ever had, and ends.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb

from benchmarks.peers.jobs.child import peak

SHARE = 0.4  # of the memory: two processes live at a time, and one of them works
EPSILON = "0.1"


def main() -> None:
    """Serve until the input ends."""
    ask = json.loads(sys.stdin.readline())
    with tempfile.TemporaryDirectory() as folder:
        answer = opened(ask, Path(folder))
        _say(start=peak())
        for _ in sys.stdin:
            start = time.perf_counter()
            answer()
            _say(seconds=time.perf_counter() - start)
        _say(peak=peak())


def opened(ask: dict[str, Any], folder: Path) -> Callable[[], object]:
    """What gives the answer. Input: an empty folder, for the ledger."""
    con = duckdb.connect(ask["file"], read_only=True, config={"memory_limit": _limit()})
    con.execute("SET enable_progress_bar = false")
    sql, arrow = ask["sql"], ask["arrow"]
    if ask["policies"]:
        return _private(con, ask, folder)
    if arrow:
        return lambda: con.sql(sql).to_arrow_table()
    return lambda: con.execute(sql).fetchall()


def _private(con: duckdb.DuckDBPyConnection, ask: dict[str, Any], folder: Path) -> Callable[[], object]:
    """All of it: from text to a charge on disk, a fresh answer and its rows."""
    import dpduck  # only here: the memory of the other way is that of DuckDB
    from dpduck.compiler.parse.statements import parse

    policies = [parse(text) for text in ask["policies"]]
    db = dpduck.connect(con, epsilon=EPSILON, ledger=folder / "scale.ledger", policies=policies)  # type: ignore[arg-type]
    db.execute("SET dp_replay = off")
    sql = ask["sql"]
    if ask["arrow"]:
        return lambda: db.execute(sql).arrow()
    return lambda: db.execute(sql).fetchall()


def _limit() -> str:
    return f"{SHARE * os.sysconf('SC_PHYS_PAGES') * os.sysconf('SC_PAGE_SIZE') / 1e6:.0f}MB"


def _say(**facts: float) -> None:
    print(json.dumps(facts), flush=True)


if __name__ == "__main__":
    main()
