"""`python -m benchmarks planner`: does the planner pick the better plan for the top k, wherever it matters?

Two plans find the k largest of 1,000 groups: noise on all counts (the histogram), which grows with the
bound m on the groups of one unit, and a noisy top-k, which grows with k. The planner knows m, k and epsilon
only, not the counts. Here both are measured on counts 20,000 / rank^0.7. Exponent and size are chosen so
that a histogram at epsilon 0.02 finds 0.999, 0.882 and 0.243 of the true top 10 at m = 1, 10 and 50: the
figures that the planner was designed by.

Recall is the share of the true top k found. For a query that shows the counts as well, the error is what
the planner weighs: how far the chosen groups are below the true ones, and the shown counts from the chosen
groups' own, as root mean squares in records, which add up in squares.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import duckdb
import numpy as np
from numpy.typing import NDArray

import dpduck
from benchmarks.papers.data import Source
from benchmarks.report.figure import Figure, Line
from benchmarks.report.results import Record, Run, table
from dpduck.kernel.mechanisms.additive import noisy_counts
from dpduck.kernel.mechanisms.topk import top_k
from dpduck.kernel.mechanisms.topk_counts import top_k_counts
from dpduck.kernel.noise import Entropy
from dpduck.kernel.scores import PlainScores
from tests.sources import Seeded

HEADER = [
    "m",
    "k",
    "epsilon",
    "query",
    "histogram",
    "noisy top-k",
    "better",
    "planner",
    "verdict",
    "in SQL",
]

HISTOGRAM, TOP_K = "histogram", "noisy top-k"
PLANS = (HISTOGRAM, TOP_K)
SIZE = 1_000  # groups
LARGEST, EXPONENT = 20_000, 0.7

_BATCH = 50  # histograms drawn at once
_SQL_SHARE = 50  # one query for so many draws

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Point:
    """What the planner knows: at most `m` groups of each unit, `k` groups asked for, and epsilon."""

    m: int
    k: int
    epsilon: str


MIDDLE = Point(10, 10, "0.02")
BY_M = [Point(m, 10, "0.02") for m in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 30, 50)]
BY_K = [Point(10, k, "0.02") for k in (1, 2, 5, 7, 10, 12, 14, 16, 20, 30, 50)]
BY_EPSILON = [Point(m, 10, e) for m in (7, 10) for e in ("0.005", "0.01", "0.02", "0.05", "0.1", "0.2")]
ELSEWHERE = [Point(m, k, e) for m in (1, 3, 30) for k in (3, 30) for e in ("0.01", "0.05")]
NEAR = [Point(m, 20, "0.02") for m in (13, 15, 17)]  # where the better plan changes
POINTS = list(dict.fromkeys([*BY_M, *BY_K, *BY_EPSILON, *ELSEWHERE, *NEAR]))


@dataclass(frozen=True)
class Answer:
    """The chosen groups by number, and the counts shown for them."""

    groups: Integers
    counts: Floats


# --- running ---------------------------------------------------------------------------------------


def main(source: Source, folder: Path, runs: int, seed: int) -> None:
    """Measure both plans at every point, print what the planner chose, and add it to the result file."""
    run = Run.start("planner", source.scale)
    found = []
    for record in records(counts_of(source.scale), runs, seed):
        found.append({**record, "runs": runs, "draws_seed": seed})
        print(f"m={record['m']} k={record['k']} epsilon={record['epsilon']}: done", flush=True)
    path = run.write(folder, found)
    for header, cells in tables(found):
        print("\n" + table(header, cells))
    print("\n" + verdict(found))
    print(f"\nWritten to {path.name}: run {run.facts['run']}.")


def counts_of(scale: float) -> Integers:
    """The true counts, the largest first.

    >>> counts_of(1.0)[[0, 1, 9]].tolist()
    [20000, 12311, 3990]
    """
    ranks = np.arange(1, SIZE + 1)
    return np.maximum(LARGEST * scale / ranks**EXPONENT, 1).astype(np.int64)


def records(counts: Integers, runs: int, seed: int) -> Iterator[Record]:
    """One record for each point and each of the two queries: without counts, and with them."""
    owner = Owner(counts)
    for point, counted in itertools.product(POINTS, (False, True)):
        explained = owner.explain(point, counted=counted)
        drawers = {HISTOGRAM: _histograms, TOP_K: _top_k_counts if counted else _top_k}
        measured = {}
        for name, draw in drawers.items():
            entropy = Seeded("planner", seed, point, counted, name)
            measured[name] = _summary(draw(counts, point, runs, entropy), counts)
        in_sql = point in BY_M
        answers = owner.answers(point, max(runs // _SQL_SHARE, 1), counted=counted) if in_sql else None
        yield {
            **vars(point),
            "counted": counted,
            "planner": explained[0],
            "costs": explained[1],
            **measured,
            "sql": answers and _summary(answers, counts),
        }


class Owner:
    """A table with one row for each unit, whose owner declares one bound after another: all of them hold."""

    def __init__(self, counts: Integers) -> None:
        database = duckdb.connect()
        database.execute(
            "CREATE TABLE visits AS SELECT (row_number() OVER ())::INTEGER AS person, item::INTEGER AS item "
            "FROM (SELECT unnest($1) AS n, unnest($2) AS item), range(n)",
            [counts.tolist(), [*range(1, SIZE + 1)]],
        )
        self._con = dpduck.connect(database, epsilon=1)
        self._con.execute("ALTER TABLE visits ADD PRIVACY_KEY (person)")
        self._con.execute(f"ALTER TABLE visits ALTER COLUMN item SET PRIVACY DOMAIN BETWEEN (1, {SIZE})")
        self._con.execute("CREATE PRIVACY BUDGET enough LIMIT 10000")
        self._con.execute("SET dp_replay = off")

    def _declare(self, point: Point) -> None:
        self._con.execute(f"ALTER TABLE visits SET PRIVACY CONTRIBUTION (groups = {point.m})")
        self._con.execute(f"SET dp_epsilon = {point.epsilon}")

    def explain(self, point: Point, *, counted: bool) -> tuple[str, dict[str, float]]:
        """The planner's choice, and what it believes each plan to cost."""
        self._declare(point)
        explained = self._con.explain(_query(point, counted=counted))
        costs = {_plan(title): cost for title, cost in explained.alternatives.items()}
        return (TOP_K if explained.mechanism == "noisy_top_k" else HISTOGRAM), costs

    def answers(self, point: Point, queries: int, *, counted: bool) -> Iterator[Answer]:
        """Answers to the query itself, whatever plan they come from."""
        self._declare(point)
        for _ in range(queries):
            found = self._con.execute(_query(point, counted=counted)).fetchall()
            groups = np.array([row[0] - 1 for row in found], dtype=np.int64)
            yield Answer(groups, np.array([row[-1] for row in found], dtype=np.float64))


def _query(point: Point, *, counted: bool) -> str:
    shown = ", count(*)" if counted else ""
    return f"SELECT item{shown} FROM visits GROUP BY item ORDER BY count(*) DESC LIMIT {point.k}"


def _plan(title: str) -> str:
    return next(name for name in PLANS if title.startswith(name))


# --- the two plans ---------------------------------------------------------------------------------


def _histograms(counts: Integers, point: Point, runs: int, entropy: Entropy) -> Iterator[Answer]:
    """All counts with noise, the largest taken; many at a time."""
    for start in range(0, runs, _BATCH):
        batch = min(_BATCH, runs - start)
        noisy = noisy_counts(np.tile(counts, batch), Fraction(point.epsilon), entropy, groups=point.m)
        for one in np.array(noisy.counts, dtype=np.int64).reshape(batch, len(counts)):
            groups = np.argsort(-one, kind="stable")[: point.k]
            yield Answer(groups, one[groups].astype(np.float64))


def _top_k(counts: Integers, point: Point, runs: int, entropy: Entropy) -> Iterator[Answer]:
    """Groups only: all of epsilon selects."""
    for _ in range(runs):
        found = top_k(PlainScores(counts), point.k, Fraction(point.epsilon), entropy)
        groups = np.array(found.candidates)
        yield Answer(groups, np.zeros(len(groups)))


def _top_k_counts(counts: Integers, point: Point, runs: int, entropy: Entropy) -> Iterator[Answer]:
    """Groups with counts: a part of epsilon measures. The bound matters where it is below k."""
    bound = point.m if point.m < point.k else None
    for _ in range(runs):
        found = top_k_counts(PlainScores(counts), point.k, Fraction(point.epsilon), entropy, groups=bound)
        yield Answer(np.array(found.candidates), np.array(found.found.counts))


def _summary(answers: Iterator[Answer], counts: Integers) -> Record:
    """Recall with its standard error, and the two errors in records: of the groups and of their counts."""
    recalls, choosing, counting = [], [], []
    for answer in answers:
        k = len(answer.groups)
        true = counts[answer.groups]
        recalls.append(np.count_nonzero(answer.groups < k) / k)
        choosing.append(np.mean((counts[:k] - np.sort(true)[::-1]) ** 2.0))
        counting.append(np.mean((answer.counts - true) ** 2.0))
    squares = np.add(choosing, counting)
    loss = math.sqrt(squares.mean())
    return {
        "recall": round(float(np.mean(recalls)), 5),
        "recall_error": round(_standard_error(recalls), 5),
        "choosing": round(math.sqrt(np.mean(choosing)), 2),
        "counting": round(math.sqrt(np.mean(counting)), 2),
        "loss": round(loss, 2),
        "loss_error": round(_standard_error(squares) / (2 * loss), 2) if loss else 0.0,
        "draws": len(recalls),
    }


def _standard_error(values: Sequence[float] | Floats) -> float:
    return float(np.std(values) / math.sqrt(len(values)))


# --- verdicts and tables ---------------------------------------------------------------------------


def judged(record: Record) -> tuple[str, str]:
    """The better plan, and whether the planner took it: "right", "wrong", or "either" within the noise.

    Without counts the larger recall is better, with counts the smaller loss.
    """
    sign, name = (-1.0, "loss") if record["counted"] else (1.0, "recall")
    first, second = (record[plan] for plan in PLANS)
    ahead = sign * (first[name] - second[name])
    doubt = 3 * math.hypot(first[f"{name}_error"], second[f"{name}_error"])
    if abs(ahead) <= doubt:
        return "either", "either"
    better = PLANS[ahead < 0]
    return better, "right" if record["planner"] == better else "wrong"


def tables(records: Sequence[Record]) -> Iterator[tuple[list[str], list[list[str]]]]:
    """Each header with its rows."""
    yield HEADER, rows(records)


def rows(records: Sequence[Record]) -> list[list[str]]:
    """Both plans at every point, the better one, and the planner's."""
    found = []
    for r in records:
        show = _loss if r["counted"] else _recall
        query = "with counts: error" if r["counted"] else "groups only: recall"
        cells = [show(r[plan]) for plan in PLANS]
        sql = "" if r["sql"] is None else show(r["sql"])
        point = [str(r["m"]), str(r["k"]), r["epsilon"]]
        found.append([*point, query, *cells, judged(r)[0], r["planner"], judged(r)[1], sql])
    return found


def _recall(one: Record) -> str:
    return f"{one['recall']:.3f}"


def _loss(one: Record) -> str:
    return f"{one['loss']:,.0f}"


def verdict(records: Sequence[Record]) -> str:
    """How often the planner is right, and what its mistakes cost."""
    verdicts = [judged(r)[1] for r in records]
    right, either = verdicts.count("right"), verdicts.count("either")
    text = (
        f"Of {len(records)} times the planner takes the better plan {right} times, and {either} times "
        "neither is better by more than three standard errors."
    )
    wrong = [r for r, word in zip(records, verdicts, strict=True) if word == "wrong"]
    if not wrong:
        return text + " It is never wrong."
    return text + f" It is wrong at {len(wrong)}: " + "; ".join(map(_mistake, wrong)) + "."


def _mistake(record: Record) -> str:
    other = PLANS[record["planner"] == HISTOGRAM]
    show = _loss if record["counted"] else _recall
    query = "with counts" if record["counted"] else "groups only"
    return (
        f"m = {record['m']}, k = {record['k']}, epsilon {record['epsilon']}, {query}: {record['planner']} "
        f"{show(record[record['planner']])}, {other} {show(record[other])}"
    )


# --- figures ---------------------------------------------------------------------------------------


def figures(records: Sequence[Record]) -> list[Figure]:
    """Recall over m, k and epsilon, and the loss over m, of both plans and of the planner's."""
    return [
        _figure(
            "planner-m",
            "Top 10 of 1,000 groups at epsilon 0.02",
            "Declare how many groups one person may be in: whatever the bound, dpduck finds about as much of "
            "the true top 10 as the better of the two plans, and you need not know of either.",
            _of(records, BY_M, counted=False),
            "m",
            "recall",
        ),
        _figure(
            "planner-m-counts",
            "Top 10 with their counts, at epsilon 0.02",
            "When counts are shown as well, a small declared bound makes them many times as exact, and from "
            "some bound on a larger one costs nothing.",
            _of(records, BY_M, counted=True),
            "m",
            "loss",
        ),
        _figure(
            "planner-k",
            "Top k at epsilon 0.02, each person in at most 10 groups",
            "Ask for as few groups as you need: few are found almost surely, and where k is large dpduck "
            "changes to the plan that does not depend on it.",
            _of(records, BY_K, counted=False),
            "k",
            "recall",
        ),
        _figure(
            "planner-epsilon",
            "Top 10, each person in at most 10 groups",
            "No plan replaces a larger epsilon or more data, but there is a point from which more buys "
            "little: here about 0.05.",
            _of(records, [p for p in BY_EPSILON if p.m == MIDDLE.m], counted=False),
            "epsilon",
            "recall",
        ),
    ]


def _of(records: Sequence[Record], points: Sequence[Point], *, counted: bool) -> list[Record]:
    wanted = [vars(point) for point in points]
    return [
        r for r in records if {name: r[name] for name in vars(MIDDLE)} in wanted and r["counted"] == counted
    ]


_CHOICE = "the planner's choice (points: from SQL)"
_AXES = {
    "m": "m, the most groups of one person (declared)",
    "k": "k, the groups asked for",
    "epsilon": "epsilon",
    "recall": "recall of the true top k",
    "loss": "error of groups and their counts (records)",
}


def _figure(name: str, title: str, meaning: str, records: Sequence[Record], x: str, y: str) -> Figure:
    lines = [Line.through(plan, [_at(r, x, y, r[plan]) for r in records]) for plan in PLANS]
    chosen = [_at(r, x, y, r[r["planner"]])[:2] for r in records]
    lines.append(Line.through(_CHOICE, chosen, "predicted"))
    if all(r["sql"] for r in records):
        lines.append(Line.through(_CHOICE, [_at(r, x, y, r["sql"]) for r in records]))
    return Figure(name, title, meaning, _AXES[x], _AXES[y], tuple(lines))


def _at(record: Record, x: str, y: str, one: Record) -> tuple[float, float, float]:
    return float(record[x]), one[y], one[f"{y}_error"]
