"""dpduck, OpenDP, SmartNoise SQL, Tumult and diffprivlib at the same work.

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

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from statistics import fmean, median
from typing import Any

import duckdb

from benchmarks.papers.data import BASKETS, Source, candidates
from benchmarks.peers.tools import (
    DUCKDB,
    Outcome,
    PeerError,
    Rival,
    cell,
    child,
    in_turns,
    installed,
    lines,
    notes,
)
from benchmarks.report.figure import Figure, Line
from benchmarks.report.results import Record, Run, last_run, table
from dpduck.kernel.mechanisms.linear_estimates import best_split, count_variance

HEADER = ["job", "tool", "seconds", "MiB", "error", "recall %", "draws", "lines", "remarks"]
CLAIMS_HEADER = ["claim", "wanted", "reached", "holds"]
JOBS = ("top_10", "median", "mode")
K = 10
LIMIT = 100.0  # seconds for one job of one tool
DRAWS = 1_000
DRAW_SECONDS = 400.0  # slow tools draw less often
_CUT = re.compile(r"> ([0-9.]+) s")  # the note of a job that took too long

DPDUCK, EVEN = "dpduck", "dpduck, even split"
OPENDP, TENTH = "OpenDP core", "OpenDP core, a tenth selects"
SMARTNOISE, TUMULT = "SmartNoise SQL", "Tumult Analytics"
FASTER = {OPENDP: 1, SMARTNOISE: 20, TUMULT: 20}  # dpduck is to be that many times as fast, in each job

_OPENDP = ("opendp[polars]==0.16.0", DUCKDB)
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
        ("smartnoise-sql==1.0.10", DUCKDB),
        ("top_10", "mode"),
        remarks=_BOUND,
    ),
    Rival(TUMULT, "tumult_spark", ("tmlt.analytics==0.21.0",), draws=False, remarks=_BOUND),
    Rival(
        "diffprivlib",
        "diffprivlib_numpy",
        ("diffprivlib==0.6.6", "scikit-learn==1.7.2", "numpy==2.2.6", DUCKDB),
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


def main(
    source: Source,
    folder: Path,
    repeats: int = 3,
    draws: int = DRAWS,
    limit: float = LIMIT,
    rivals: Sequence[Rival] = RIVALS,
    jobs: Sequence[str] = JOBS,
) -> None:
    """Run all tools on these jobs, print two tables, and add the figures to the result file."""
    run = Run.start("peers", source.scale)
    cache = source.cache.absolute() / "peers"
    pythons = {rival.name: installed(rival, cache) for rival in rivals}
    records: list[Record] = []
    for work in works(source, jobs):
        measured = _Measured(work, pythons, limit)
        records += measured.records(rivals, repeats, draws)
        print(f"{work.title}: done", flush=True)
    path = run.write(folder, records)
    print("\n" + table(HEADER, rows(records)))
    print("\n" + table(CLAIMS_HEADER, list(claims(records))))
    print(f"\nWritten to {path.name}: run {run.facts['run']}.")


def works(source: Source, jobs: Sequence[str] = JOBS) -> Iterator[Work]:
    """The jobs, with the truth that only the benchmark knows."""
    makers = {"top_10": _top_10, "median": _median, "mode": _mode}
    return (makers[name](source) for name in jobs)


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


def _median(source: Source) -> Work:
    numbers = source.path("numbers")
    [(middle,)] = _rows("SELECT median(i) FROM read_parquet(?)", numbers)
    return Work(
        "median", "median of 10M rows", "value", numbers, 2_000_000, lambda answer: [answer - float(middle)]
    )


def _mode(source: Source) -> Work:
    clicks = source.path("clicks")
    counts = _counts("count(*)", clicks)
    best, size = max(counts.values()), candidates(source.scale)
    return Work(
        "mode",
        f"mode of {size:,} candidates",
        "records",
        clicks,
        size,
        lambda answer: [best - counts.get(answer, 0)],
    )


def _counts(score: str, file: Path) -> dict[int, int]:
    return dict(_rows(f"SELECT item, {score} FROM read_parquet(?) GROUP BY item", file))


def _rows(sql: str, file: Path) -> list[Any]:
    con = duckdb.connect()
    con.execute("SET enable_progress_bar = false")
    return con.execute(sql, [str(file)]).fetchall()


@dataclass(frozen=True)
class _Measured:
    """All tools on one job."""

    work: Work
    pythons: Mapping[str, Path | PeerError]
    limit: float

    def records(self, rivals: Sequence[Rival], repeats: int, draws: int) -> Iterator[Record]:
        """One record per tool that does the job, or has errors to be measured in it."""
        timed = in_turns([r for r in rivals if self.work.name in r.jobs], repeats, self._timed)
        for rival in rivals:
            drawn = self._drawn(rival, draws) if self.work.name == "top_10" and rival.draws else None
            if rival.name in timed or drawn is not None:
                yield self._record(rival, timed.get(rival.name, []), drawn)

    def _timed(self, rival: Rival) -> Outcome:
        return self._child(rival, 0, self.limit)

    def _drawn(self, rival: Rival, draws: int) -> Outcome:
        return self._child(rival, draws, 3 * DRAW_SECONDS)

    def _child(self, rival: Rival, draws: int, limit: float) -> Outcome:
        words = (self.work.name, self.work.file.absolute(), self.work.size, draws, int(DRAW_SECONDS))
        return child(rival, self.pythons[rival.name], words, limit)

    def _record(self, rival: Rival, timed: Sequence[Outcome], drawn: Outcome | None) -> Record:
        good = [outcome for outcome in timed if not isinstance(outcome, PeerError)]
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
            "note": notes((*timed, drawn), rival.remarks if self.work.name == "top_10" else ""),
        }


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


# --- what is shown


def latest(records: Sequence[Record]) -> list[Record]:
    """The lines of the last full-size run of each job: a run may be of some of them."""
    return [r for job in JOBS for r in last_run([one for one in records if one["job"] == job])]


def rows(records: Sequence[Record]) -> list[list[str]]:
    """The records as cells of a table."""
    return [
        [
            r["title"],
            r["rival"],
            cell(r["median"], ".2f"),
            cell(r["peak_mib"], ",.0f"),
            f"{r['rmse']:,.1f} {r['unit']}" if r["draws"] else "",
            cell(r["recall"] and 100 * r["recall"], ".1f"),
            cell(r["draws"] or None, ",d"),
            cell(r["lines"], "d"),
            r["note"],
        ]
        for r in records
    ]


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
