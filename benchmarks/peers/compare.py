"""`python -m benchmarks peers`: dpduck, OpenDP, SmartNoise SQL, Tumult and diffprivlib at the same work.

Three jobs: the top 10 of 41,270 items with their counts over 8.3 million rows, where a basket touches many
items; the median of ten million rows; the mode of a million candidates. Each with epsilon 1.

Each tool does it in the way that its documentation shows, in a script of `jobs` whose user's lines
are marked and counted. It runs in a process and a virtual environment of its own, kept in the cache folder;
a tool that cannot be installed is reported, and the others go on. Seconds go from the Parquet file to the
answer, without imports; memory is all that the process ever held, with those that it starts (Spark's). The
tools take turns.

The error of the top 10 is that of many answers from scores counted once: the root of the mean squared
error of the ten counts, in records, and the share of the true ten among the answers.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from importlib.metadata import version
from pathlib import Path
from statistics import fmean, median
from typing import Any

import duckdb

from benchmarks.papers.data import BASKETS, Source, candidates
from benchmarks.report.figure import Figure, Line
from benchmarks.report.results import Record, Run, table
from dpduck.mechanisms.linear_estimates import best_split, count_variance

HEADER = ["job", "tool", "seconds", "MiB", "error", "recall %", "draws", "lines", "remarks"]
CLAIMS_HEADER = ["claim", "wanted", "reached", "holds"]
SCRIPTS = Path(__file__).parent / "jobs"
K = 10
LIMIT = 100.0  # seconds for one job of one tool
DRAWS = 1_000
DRAW_SECONDS = 400.0  # slow tools draw less often
_CUT = re.compile(r"> ([0-9.]+) s")  # the note of a job that took too long

DPDUCK, EVEN = "dpduck", "dpduck, even split"
OPENDP, TENTH = "OpenDP core", "OpenDP core, a tenth selects"
SMARTNOISE, TUMULT = "SmartNoise SQL", "Tumult Analytics"
FASTER = {OPENDP: 1, SMARTNOISE: 20, TUMULT: 20}  # dpduck is to be that many times as fast, in each job


@dataclass(frozen=True)
class Rival:
    """A tool: the script that uses it, what is installed for it, and what its top 10 needs said.

    Without `packages` it runs in this environment. Without `jobs`, only its errors are measured.
    """

    name: str
    script: str
    packages: tuple[str, ...] = ()
    jobs: tuple[str, ...] = ("top_10", "median", "mode")
    draws: bool = True
    remarks: str = ""


_DUCKDB = f"duckdb=={version('duckdb')}"
_OPENDP = ("opendp[polars]==0.16.0", _DUCKDB)
_BOUND = "a basket counts for 100 items at most"

RIVALS = (
    Rival(DPDUCK, "dpduck_sql"),
    Rival(EVEN, "dpduck_even", jobs=()),
    Rival(OPENDP, "opendp_core", _OPENDP),
    Rival(TENTH, "opendp_tenth", _OPENDP, jobs=()),
    Rival("OpenDP Polars", "opendp_polars", _OPENDP, ("top_10", "mode"), draws=False, remarks=_BOUND),
    Rival(
        SMARTNOISE,
        "smartnoise_sql",
        ("smartnoise-sql==1.0.10", _DUCKDB),
        ("top_10", "mode"),
        remarks=_BOUND,
    ),
    Rival(TUMULT, "tumult_spark", ("tmlt.analytics==0.21.0",), draws=False, remarks=_BOUND),
    Rival(
        "diffprivlib",
        "diffprivlib_numpy",
        ("diffprivlib==0.6.6", "scikit-learn==1.7.2", "numpy==2.2.6", _DUCKDB),
    ),
)


@dataclass(frozen=True)
class Work:
    """One job: its file, its number of candidates, and how wrong an answer is."""

    name: str
    title: str
    unit: str
    file: Path
    size: int
    errors: Callable[[Any], list[float]]
    recall: Callable[[Any], float] | None = None


class PeerError(Exception):
    """A tool that could not be installed, or a job that did not end well."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command line, beside those of the data."""
    parser.add_argument("--repeat", type=int, default=3, help="timings of each tool")
    parser.add_argument("--draws", type=int, default=DRAWS, help="answers from which errors are measured")
    parser.add_argument("--limit", type=float, default=LIMIT, help="seconds for one job of one tool")


def main(
    source: Source,
    folder: Path,
    repeats: int = 3,
    draws: int = DRAWS,
    limit: float = LIMIT,
    rivals: Sequence[Rival] = RIVALS,
) -> None:
    """Run all tools on all jobs, print two tables, and add the figures to the result file."""
    run = Run.start("peers", source.scale)
    cache = source.cache.absolute() / "peers"
    pythons = {rival.name: _installed(rival, cache) for rival in rivals}
    records: list[Record] = []
    for work in works(source):
        measured = _Measured(work, pythons, limit)
        records += measured.records(rivals, repeats, draws)
        print(f"{work.title}: done", flush=True)
    path = run.write(folder, records)
    print("\n" + table(HEADER, rows(records)))
    print("\n" + table(CLAIMS_HEADER, list(claims(records))))
    print(f"\nWritten to {path.name}: run {run.facts['run']}.")


def works(source: Source) -> Iterator[Work]:
    """The jobs, with the truth that only the benchmark knows."""
    yield _top_10(source)
    numbers = source.path("numbers")
    [(middle,)] = _rows("SELECT median(i) FROM read_parquet(?)", numbers)
    yield Work(
        "median", "median of 10M rows", "value", numbers, 2_000_000, lambda answer: [answer - float(middle)]
    )
    clicks = source.path("clicks")
    counts = _counts("count(*)", clicks)
    best, size = max(counts.values()), candidates(source.scale)
    yield Work(
        "mode",
        f"mode of {size:,} candidates",
        "records",
        clicks,
        size,
        lambda answer: [best - counts.get(answer, 0)],
    )


def _top_10(source: Source) -> Work:
    file = source.path("kosarak")
    counts = _counts("count(DISTINCT basket_id)", file)
    least = sorted(counts.values())[-K]
    return Work(
        "top_10",
        f"top {K} of {len(counts):,} items",
        "records",
        file,
        max(counts) + 1 if source.own("kosarak") else BASKETS["kosarak"].scaled(source.scale).items,
        lambda answer: [count - counts.get(item, 0) for item, count in answer],
        lambda answer: fmean(counts.get(item, 0) >= least for item, _ in answer),
    )


def _counts(score: str, file: Path) -> dict[int, int]:
    return dict(_rows(f"SELECT item, {score} FROM read_parquet(?) GROUP BY item", file))


def _rows(sql: str, file: Path) -> list[Any]:
    con = duckdb.connect()
    con.execute("SET enable_progress_bar = false")
    return con.execute(sql, [str(file)]).fetchall()


# --- environments and processes


def _installed(rival: Rival, cache: Path) -> Path | PeerError:
    """The Python of the tool's environment, made if need be; or why there is none."""
    if not rival.packages:
        return Path(sys.executable)
    folder = cache / "-".join(rival.packages).replace("==", "-").replace("[", "-").replace("]", "")
    python, done = folder / "bin" / "python", folder / "installed"
    if done.exists():
        return python
    try:
        _run([sys.executable, "-m", "venv", "--clear", str(folder)])
        _run([str(python), "-m", "pip", "install", "--quiet", *rival.packages])
    except PeerError as problem:
        shutil.rmtree(folder, ignore_errors=True)
        return PeerError(f"not installed: {problem}")
    done.touch()
    return python


def _run(command: Sequence[str], limit: float | None = None, path: Path | None = None) -> str:
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


@dataclass(frozen=True)
class _Measured:
    """All tools on one job."""

    work: Work
    pythons: dict[str, Path | PeerError]
    limit: float

    def records(self, rivals: Sequence[Rival], repeats: int, draws: int) -> Iterator[Record]:
        """One record per tool that does the job, or has errors to be measured in it."""
        timed = self._in_turns([r for r in rivals if self.work.name in r.jobs], repeats)
        for rival in rivals:
            drawn = self._drawn(rival, draws) if self.work.name == "top_10" and rival.draws else None
            if rival.name in timed or drawn is not None:
                yield self._record(rival, timed.get(rival.name, []), drawn)

    def _in_turns(self, rivals: Sequence[Rival], repeats: int) -> dict[str, list[Record | PeerError]]:
        """What each process reported; a tool that failed once does not get another turn."""
        outcomes: dict[str, list[Record | PeerError]] = {rival.name: [] for rival in rivals}
        for number in range(repeats):
            for rival in rivals[:: -1 if number % 2 else 1]:
                earlier = outcomes[rival.name]
                if not any(isinstance(outcome, PeerError) for outcome in earlier):
                    earlier.append(self._child(rival, 0, self.limit))
        return outcomes

    def _drawn(self, rival: Rival, draws: int) -> Record | PeerError:
        return self._child(rival, draws, 3 * DRAW_SECONDS)

    def _child(self, rival: Rival, draws: int, limit: float) -> Record | PeerError:
        python = self.pythons[rival.name]
        if isinstance(python, PeerError):
            return python
        words = (
            rival.script,
            self.work.name,
            self.work.file.absolute(),
            self.work.size,
            draws,
            int(DRAW_SECONDS),
        )
        command = [str(python), str(SCRIPTS / "child.py"), *map(str, words)]
        own = None if rival.packages else SCRIPTS.parents[2]
        try:
            facts: Record = json.loads(_run(command, limit, own))
        except PeerError as problem:
            return problem
        return facts

    def _record(
        self, rival: Rival, timed: Sequence[Record | PeerError], drawn: Record | PeerError | None
    ) -> Record:
        good = [outcome for outcome in timed if not isinstance(outcome, PeerError)]
        bad = [str(outcome) for outcome in (*timed, drawn) if isinstance(outcome, PeerError)]
        some = good if drawn is None or isinstance(drawn, PeerError) else [drawn]
        answers = [answer for facts in some for answer in facts["answers"]]
        seconds = [round(facts["seconds"], 4) for facts in good]
        return {
            "rival": rival.name,
            "version": next((facts["version"] for facts in [*good, *some]), None),
            "job": self.work.name,
            "title": self.work.title,
            "seconds": seconds,
            "median": median(seconds) if seconds else None,
            "peak_mib": round(max(facts["peak"] for facts in good)) if good else None,
            "unit": self.work.unit,
            **_errors(self.work, answers),
            "lines": lines(rival.script, self.work.name) if timed else None,
            "note": "; ".join(dict.fromkeys([*bad, *self._remarks(rival)])),
        }

    def _remarks(self, rival: Rival) -> list[str]:
        return [rival.remarks] if rival.remarks and self.work.name == "top_10" else []


def _errors(work: Work, answers: Sequence[Any]) -> Record:
    """The root mean squared error with its standard error over the draws, and the recall."""
    if not answers:
        return {"rmse": None, "rmse_error": None, "recall": None, "draws": 0}
    squares = [fmean(error**2 for error in work.errors(answer)) for answer in answers]
    rmse, count = math.sqrt(fmean(squares)), len(squares)
    spread = math.sqrt(fmean((square - rmse**2) ** 2 for square in squares) / max(count - 1, 1))
    return {
        "rmse": round(rmse, 3),
        "rmse_error": round(spread / (2 * rmse), 3) if rmse and count > 1 else None,
        "recall": None if work.recall is None else round(fmean(map(work.recall, answers)), 4),
        "draws": count,
    }


def lines(script: str, job: str) -> int:
    """The lines of code that a user writes for the job: those marked for it, and for every job.

    >>> lines("dpduck_sql", "mode")
    5
    """
    count, marked = 0, False
    for line in map(str.strip, (SCRIPTS / f"{script}.py").read_text(encoding="utf-8").splitlines()):
        if line.startswith("# user: "):
            marked = line.removeprefix("# user: ") in ("every job", job)
        elif line == "# end":
            marked = False
        elif marked and line and not line.startswith("#"):
            count += 1
    return count


# --- what is shown


def rows(records: Sequence[Record]) -> list[list[str]]:
    """The records as cells of a table."""
    return [
        [
            r["title"],
            r["rival"],
            _cell(r["median"], ".2f"),
            _cell(r["peak_mib"], ",.0f"),
            f"{r['rmse']:,.1f} {r['unit']}" if r["draws"] else "",
            _cell(r["recall"] and 100 * r["recall"], ".1f"),
            _cell(r["draws"] or None, ",d"),
            _cell(r["lines"], "d"),
            r["note"],
        ]
        for r in records
    ]


def _cell(value: float | None, form: str) -> str:
    return "" if value is None else format(value, form)


def even_split(epsilon: Fraction, k: int) -> float:
    """The error of a count in theory: half of epsilon selects with exponential noise, half measures each.

    Ding, Wang, Zhang and Kifer, Corollary 1, with the ratio of the two variances (about a half) in it.

    >>> round(even_split(Fraction(1), 10), 1)
    17.9
    """
    rate = epsilon / 2 / k
    measured = count_variance(rate)
    weight = float(1 / rate) ** 2 / measured
    return math.sqrt(measured * (1 + weight * k) / (k + weight * k))


def claims(records: Sequence[Record]) -> Iterator[list[str]]:
    """What dpduck's errors and times are to be, and are. Nothing of what was not measured."""
    errors = {r["rival"]: r["rmse"] for r in records if r["job"] == "top_10" and r["draws"]}
    if DPDUCK in errors:
        planned = math.sqrt(best_split(Fraction(1), K, K).variance)
        yield _claim("error of dpduck's counts, in records", 17.5, errors[DPDUCK])
        yield ["the same, planned", f"{planned:.1f}", f"{errors[DPDUCK]:.1f}", ""]
    if EVEN in errors:
        theory = even_split(Fraction(1), K)
        yield ["even split, in theory", f"{theory:.1f}", f"{errors[EVEN]:.1f}", ""]
    for name, least in ((OPENDP, 0.7), (TENTH, 1.0)):
        if name in errors and DPDUCK in errors:
            yield _claim(f"dpduck's error / that of {name}", least, errors[DPDUCK] / errors[name])
    yield from _faster(records)


def _faster(records: Sequence[Record]) -> Iterator[list[str]]:
    """How many times as fast dpduck is; at least, where the other was cut."""
    own = {r["job"]: r["median"] for r in records if r["rival"] == DPDUCK and r["median"]}
    for r in records:
        least, cut = FASTER.get(r["rival"]), _CUT.match(r["note"])
        if least is None or r["job"] not in own or not (cut or r["median"]):
            continue
        factor = (float(cut[1]) if cut else r["median"]) / own[r["job"]]
        holds = "yes" if factor >= least else "" if cut else "no"
        name = f"{r['title']}: seconds of {r['rival']} / dpduck's"
        yield [name, f">= {least}", f"{'> ' if cut else ''}{factor:.1f}", holds]


def _claim(name: str, most: float, reached: float) -> list[str]:
    figure = f"{reached:.2f}" if most <= 1 else f"{reached:.1f}"
    return [name, f"<= {most:g}", figure, "yes" if reached <= most else "no"]


def figures(records: Sequence[Record]) -> Iterator[Figure]:
    """Time and error of the top 10, one point per tool."""
    points = [r for r in records if r["job"] == "top_10" and r["draws"] and r["median"] is not None]
    if not points:
        return
    yield Figure(
        "peers",
        "Top 10 of 41,270 items with counts, epsilon 1",
        "Down is more exact and left is faster: what the same question costs with each tool.",
        "seconds from the Parquet file to the answer",
        "error of a count, records",
        tuple(Line(r["rival"], (r["median"],), (r["rmse"],)) for r in points),
    )
