"""`python -m benchmarks above`: HAVING count(*) > T LIMIT k, beside the sparse vectors that it replaces.

Thresholds are those of Ding et al. 2019: the count of a rank from 2k to 8k, chosen at random for each run, at
epsilon 0.7; `limit` is LIMIT, and the k of the plain and the adaptive sparse vector, which look at the items
in a random order of each run. The published answers of the adaptive one, which may give up to 2k - 1, are
met by a LIMIT of as many. "from SQL" asks `dpduck.connect`, with nothing replayed. Coverage is that of the
95 % intervals, of the rows that have one; for them counts are asked too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import duckdb
import numpy as np

import dpduck
from benchmarks.papers.data import Source
from benchmarks.papers.workload import OWN, Choices, Items, load, mean, publish, spread
from benchmarks.report.figure import Figure, Line
from benchmarks.report.results import Record
from dpduck.kernel.mechanisms.sparse_vector import above_threshold, divide
from dpduck.kernel.mechanisms.topk_above import top_k_above
from dpduck.kernel.noise import SystemEntropy
from dpduck.kernel.scores import PlainScores

HEADER = [
    "set",
    "LIMIT",
    "way",
    "answers",
    "published",
    "precision %",
    "used %",
    "coverage %",
    "rows",
    "runs",
]

EPSILON = "0.7"
LIMITS = (10, 18, 22, 37)
# Answers of the adaptive sparse vector with k = 10 and 22, by the limit that holds them.
PUBLISHED = {("t10i4", 18): 17.4, ("retail", 18): 16.1, ("t10i4", 37): 36.3, ("retail", 37): 32.4}
_SQL_SHARE = 20  # one in so many runs goes through SQL

Outcome = tuple[list[int], float]  # the true counts of the answers, and the part of epsilon that was used


@dataclass(frozen=True, eq=False)
class Job:
    """One set and limit, measured in so many runs."""

    items: Items
    limit: int
    runs: int
    seed: int
    path: Path


def main(source: Source, folder: Path, runs: int, seed: int = 1) -> None:
    """Measure all series, print their tables, and add the figures to the result file."""
    publish("above", source.scale, folder, records(source, runs, seed), tables)


def records(source: Source, runs: int, seed: int) -> Iterator[Record]:
    """One record for each set, limit and way."""
    jobs = []
    for name in OWN:
        items = load(source, name)
        limits = [limit for limit in LIMITS if 3 * limit < len(items.counts)]
        jobs += [Job(items, limit, runs, seed, source.path(name)) for limit in limits]
    for record in spread(do, jobs, runs):
        yield from record["ways"]


def do(job: Job) -> Record:
    """All ways of one job, on the same thresholds."""
    generator = np.random.default_rng([job.seed, job.limit, *job.items.name.encode()])
    choices = Choices(job.items, job.limit, generator)
    ways: dict[str, list[tuple[int, Outcome]]] = {"sparse": [], "adaptive": [], "top-k above": []}
    held: list[bool] = []
    shown = 0
    for _ in range(job.runs):
        threshold, order = choices.threshold(), choices.order()
        ways["sparse"].append((threshold, _sparse(order, threshold, job.limit, adaptive=False)))
        ways["adaptive"].append((threshold, _sparse(order, threshold, job.limit, adaptive=True)))
        ways["top-k above"].append((threshold, _above(job.items.counts, threshold, job.limit)))
        covered = _intervals(job.items.counts, threshold, job.limit)
        held += [inside for inside in covered if inside is not None]
        shown += len(covered)
    thresholds = [choices.threshold() for _ in range(max(job.runs // _SQL_SHARE, 2))]
    ways["from SQL"] = list(zip(thresholds, _from_sql(job, thresholds), strict=True))
    made = [_summary(job, way, outcomes) for way, outcomes in ways.items()]
    made[2] |= {
        "coverage": round(100 * float(np.mean(held)), 2) if held else None,
        "with_interval": round(100 * len(held) / shown, 1) if shown else None,
    }
    return {"ways": made}


def _sparse(order: np.ndarray, threshold: int, limit: int, *, adaptive: bool) -> Outcome:
    found = above_threshold(order, threshold, limit, Fraction(EPSILON), SystemEntropy(), adaptive=adaptive)
    chosen = found.candidates[:limit]
    budget = divide(Fraction(EPSILON), limit, adaptive=adaptive)
    used = budget.threshold + sum(found.costs[:limit])
    return order[list(chosen)].tolist(), float(used / Fraction(EPSILON))


def _above(counts: np.ndarray, threshold: int, limit: int) -> Outcome:
    found = top_k_above(
        PlainScores(counts), threshold, limit, Fraction(EPSILON), SystemEntropy(), measure=False
    )
    return counts[list(found.candidates)].tolist(), float(found.used.epsilon / Fraction(EPSILON))


def _intervals(counts: np.ndarray, threshold: int, limit: int) -> list[bool | None]:
    """Whether each interval holds, None where there is none or its lower end is open."""
    found = top_k_above(
        PlainScores(counts), threshold, limit, Fraction(EPSILON), SystemEntropy(), measure=True
    )
    ends = zip(found.candidates, found.found.lows, found.found.highs, strict=True)
    return [
        None if low is None or high is None or low <= 0 else bool(low <= counts[c] <= high)
        for c, low, high in ends
    ]


def _from_sql(job: Job, thresholds: Sequence[int]) -> Iterator[Outcome]:
    """The query itself, once for each threshold."""
    with duckdb.connect() as con:
        con.execute("CREATE TABLE baskets AS FROM read_parquet(?)", [str(job.path)])
        truth = dict(
            con.execute("SELECT item, count(DISTINCT basket_id) FROM baskets GROUP BY item").fetchall()
        )
        with dpduck.connect(con, epsilon=EPSILON) as db:
            db.execute("ALTER TABLE baskets ADD PRIVACY_KEY (basket_id)")
            db.execute(f"ALTER TABLE baskets ALTER COLUMN item SET PRIVACY DOMAIN BETWEEN (0, {max(truth)})")
            db.execute("CREATE PRIVACY BUDGET benchmark LIMIT 100000")
            db.execute("SET dp_replay = off")
            for threshold in thresholds:
                sql = (
                    f"SELECT item FROM baskets GROUP BY item HAVING count(*) >= {threshold} LIMIT {job.limit}"
                )
                answer = db.execute(sql).fetchall()
                yield [truth.get(item, 0) for (item,) in answer], float(db.charged) / float(EPSILON)


def _summary(job: Job, way: str, outcomes: Sequence[tuple[int, Outcome]]) -> Record:
    answers = [len(counts) for _, (counts, _) in outcomes]
    right = [count >= threshold for threshold, (counts, _) in outcomes for count in counts]
    return {
        **job.items.facts,
        "kind": "above",
        "limit": job.limit,
        "way": way,
        "epsilon": EPSILON,
        "workload_seed": job.seed,
        "runs": len(outcomes),
        "answers": mean(answers)[0],
        "published": PUBLISHED.get((job.items.name, job.limit)),
        "precision": round(100 * float(np.mean(right)), 2) if right else None,
        "used": round(100 * mean([used for _, (_, used) in outcomes])[0], 1),
    }


def rows(found: Sequence[Record]) -> list[list[str]]:
    """One row for each way."""
    return [
        [
            f"{r['set']}{'' if r['own'] else ' (generated)'}",
            f"{r['limit']}",
            r["way"],
            f"{r['answers']:.1f}",
            "" if r["published"] is None else f"{r['published']}",
            "" if r["precision"] is None else f"{r['precision']:.1f}",
            f"{r['used']:.0f}",
            f"{r['coverage']:.1f}" if r.get("coverage") is not None else "",
            f"{r['with_interval']:.0f} %" if r.get("with_interval") is not None else "",
            f"{r['runs']:,}",
        ]
        for r in found
    ]


def tables(found: Sequence[Record]) -> Iterator[tuple[list[str], list[list[str]]]]:
    """The header with its rows."""
    yield HEADER, rows(found)


def figures(found: list[Record]) -> Iterator[Figure]:
    """Precision by LIMIT, for each set."""
    for name in dict.fromkeys(r["set"] for r in found):
        of_set = [r for r in found if r["set"] == name and r["precision"] is not None]
        title = f"HAVING count(*) > T LIMIT k, {name}{'' if of_set[0]['own'] else ' (generated)'}"
        lines = [
            Line.through(way, [(r["limit"], r["precision"]) for r in of_set if r["way"] == way])
            for way in dict.fromkeys(r["way"] for r in of_set)
        ]
        yield Figure(
            f"above-{name}",
            title,
            "Taking the largest groups, down to the threshold, gives as many rows as LIMIT says, and hardly "
            "ever one that is not truly above; a sparse vector, which takes the first, is wrong more often.",
            "LIMIT",
            "answers that are truly above, %",
            tuple(lines),
        )
