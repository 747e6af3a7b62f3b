"""`python -m benchmarks ding2022`: gaps of exponential noise and of the exponential mechanism.

Ding, Wang, Xiao, Kifer and Zhang, Free gap estimates from the exponential mechanism, sparse vector, noisy
max and related algorithms (VLDB Journal 32, 2023).

Counts of a top k. As published: half of epsilon selects with exponential noise of rate epsilon / 2k, half
measures each winner, and Theorem 3 with lambda = 1/2 combines them; theory is 2 (k - 1) / 3k. Improvement is
that of the mean squared error over the measurements alone, in the same runs. As dpduck does it
(`top_k_counts`): more of epsilon selects, and one measurement is of the sum of all counts; the error is
compared with the same measurements at half of epsilon, drawn directly and through `dp_top_k_counts` in SQL,
with the share of true counts that lie in their intervals.
    With k = 2 the clear winners make theory exact, so that the published 36.8 against 33.3 is chance. With
    k = 24 the winners are in doubt, which makes the gaps worse than theory: that is 61.3 against 63.9.

Exponential mechanism with gap. The winner s has a gap to the runner-up, in units of 1 / epsilon, of which
Theorem 10 says P(gap >= t) = (1 + e^-theta) / (1 + e^(t - theta)), and Theorem 6 that the mean is
(1 + e^-theta) ln(1 + e^theta), where theta = mu_s - ln of the sum of e^mu_j over the others and mu = epsilon
times the count. Theta is chosen, and epsilon found for it; runs in which the most frequent item wins are
counted. Theorem 7's p-value is checked among runs in which an item wins that is not the best: at most a share
p of them may have a p-value up to p. Two equal candidates are the worst case, where it is that share.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from statistics import fmean

import duckdb
import numpy as np

import dpduck
from benchmarks.papers.data import Source
from benchmarks.papers.workload import (
    GENERATED,
    OWN,
    Integers,
    Items,
    improvement,
    load,
    mean,
    publish,
    spread,
)
from benchmarks.report.figure import Figure, Line
from benchmarks.report.results import Record
from dpduck.kernel.mechanisms import linear_estimates
from dpduck.kernel.mechanisms.linear_estimates import best_split, count_variance
from dpduck.kernel.mechanisms.selection import GAP_STEPS, exponential
from dpduck.kernel.mechanisms.topk import top_k
from dpduck.kernel.mechanisms.topk_counts import top_k_counts
from dpduck.kernel.noise import SystemEntropy, discrete_laplace
from dpduck.kernel.scores import PlainScores

COUNTS_HEADER = [
    "set",
    "k",
    "way",
    "improvement %",
    "theory %",
    "published %",
    "coverage %, of rows with an interval",
    "runs",
]
GAPS_HEADER = ["set", "theta", "epsilon", "wins %", "mean gap", "theory", "distance", "of chance", "runs"]
P_VALUES_HEADER = ["set", "p-value at most", "runs, %", "error", "wrong winners"]

EPSILON = "0.7"
KS = (2, 6, 10, 14, 18, 24)
FEW_KS = (2, 10, 24)
FULL_KS = FEW_KS  # where something is published
PUBLISHED = {"t10i4": {2: 36.8, 10: 59.8, 24: 61.3}}
THETAS = (-1.0, 0.0, 1.0, 2.0, 4.0, 8.0)
SHAPE = 2.0  # the theta whose whole distribution is kept
STEPS = tuple(x / 2 for x in range(17))
P_VALUES = (0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
TIE = "two equal candidates"
_WRONG = -1.0  # the theta at which p-values are checked: the best item loses often
_FEWER = 5
_SQL_SHARE = 50  # one in so many runs goes through SQL too
_LISTS = 100  # lists of answers per query

# candidate, count, low, high; without ends where the selection is in doubt
Answers = Sequence[tuple[int, float, float | None, float | None]]


def theory(k: int) -> float:
    """The improvement with exponential noise at an even split: 2 (k - 1) / 3k, in %.

    >>> theory(10)
    60.0
    """
    return 200 * (k - 1) / (3 * k)


def mean_gap(theta: float) -> float:
    """Theorem 6: the expected gap in units of 1 / epsilon.

    >>> round(mean_gap(0.0) - 2 * math.log(2), 12)
    0.0
    """
    return (1 + math.exp(-theta)) * math.log1p(math.exp(theta))


def gap_at_least(t: float, theta: float) -> float:
    """Theorem 10: the chance of a gap of at least t / epsilon.

    >>> gap_at_least(0.0, 1.0)
    1.0
    """
    return (1 + math.exp(-theta)) / (1 + math.exp(t - theta))


def main(source: Source, folder: Path, runs: int, seed: int = 1) -> None:
    """Measure all series, print their tables, and add the figures to the result file."""
    publish("ding2022", source.scale, folder, records(source, runs, seed), tables)


def tables(found: Sequence[Record]) -> Iterator[tuple[list[str], list[list[str]]]]:
    """Each header with its rows."""
    yield COUNTS_HEADER, counts_rows(found)
    yield GAPS_HEADER, gaps_rows(found)
    yield P_VALUES_HEADER, p_value_rows(found)


def records(source: Source, runs: int, seed: int) -> Iterator[Record]:
    """One record for each kind, set, and k or theta. No workload is random here: the seed is only noted."""
    for job, record in zip(jobs := list(_jobs(source, runs)), spread(do, jobs, runs), strict=True):
        yield {"kind": job.kind, **job.items.facts, "runs": job.runs, "workload_seed": seed, **record}


# Runs


@dataclass(frozen=True, eq=False)
class Job:
    """So many runs of one kind on one table; `at` is k or theta."""

    kind: str
    items: Items
    at: float
    runs: int


def _jobs(source: Source, runs: int) -> Iterator[Job]:
    fewer = max(runs // _FEWER, 1)
    for name in (*OWN, *GENERATED):
        items = load(source, name)
        for k in KS if name in OWN else FEW_KS:
            if k < len(items.counts):
                yield Job("counts", items, k, runs if name in OWN and k in FULL_KS else fewer)
        if name in OWN:
            yield from (Job("gap", items, theta, runs) for theta in THETAS)
            yield Job("p_value", items, _WRONG, runs)
    tie = Items(TIE, False, np.array([5, 5], dtype=np.int64))
    yield Job("p_value", tie, 0.0, runs)


def do(job: Job) -> Record:
    """What a job measures."""
    return {"counts": _counts, "gap": _gap, "p_value": _p_values}[job.kind](job)


def _counts(job: Job) -> Record:
    k, epsilon = int(job.at), Fraction(EPSILON)
    published = PUBLISHED.get(job.items.name, {}).get(k) if job.items.own else None
    split = best_split(epsilon, k, k)
    expected = round(100 * (1 - split.variance / _direct_variance(k)), 2)
    truth = dict(enumerate(job.items.counts.tolist()))
    series = {"drawn": _summary(list(_drawn(job.items.counts, k, job.runs)), truth, k)}
    if k in FULL_KS and job.items.name in OWN:
        draws = max(job.runs // _SQL_SHARE, 2)
        series["sql"] = _summary(list(_from_sql(job.items.counts, k, draws)), truth, k)
    return {
        "k": k,
        "epsilon": EPSILON,
        "theory": round(theory(k), 2),
        "published": published,
        **_even(job.items.counts, k, job.runs),
        "ours": {"selection_share": float(split.selection / epsilon), "theory": expected, **series},
    }


def _even(counts: Integers, k: int, runs: int) -> Record:
    """The published way: the counts by Theorem 3 against the measurements alone."""
    entropy, scores, half = SystemEntropy(), PlainScores(counts), Fraction(EPSILON) / 2
    refined, direct = [], []
    for _ in range(runs):
        top = top_k(scores, k, half, entropy)
        true = counts[list(top.candidates)]
        measured = true + discrete_laplace(half / k, k, entropy)
        estimates = np.array(linear_estimates.estimate(measured.tolist(), top.gaps, 0.5))
        refined.append(float(((estimates - true) ** 2).mean()))
        direct.append(float(((measured - true) ** 2).mean()))
    return improvement(refined, direct)


def _direct_variance(k: int) -> float:
    """The variance of a count measured with half of epsilon, k counts sharing it."""
    return count_variance(Fraction(EPSILON) / 2 / k)


def _drawn(counts: Integers, k: int, draws: int) -> Iterator[Answers]:
    scores, entropy = PlainScores(counts), SystemEntropy()
    for _ in range(draws):
        top = top_k_counts(scores, k, Fraction(EPSILON), entropy)
        found = top.found
        yield list(zip(top.candidates, found.counts, found.lows, found.highs, strict=True))


def _from_sql(counts: Integers, k: int, draws: int) -> Iterator[Answers]:
    """dp_top_k_counts over the same counts, many times in one query: one group per draw."""
    con = duckdb.connect()
    dpduck.register(con)
    columns = "unnest(range(len($1)))::INTEGER AS item, unnest($1) AS n"
    con.execute(f"CREATE TABLE counts AS SELECT {columns}", [counts])
    call = f"dp_top_k_counts(item, n, {k}, {EPSILON})"
    for start in range(0, draws, _LISTS):
        lists = min(_LISTS, draws - start)
        sql = f"SELECT {call} FROM counts, range({lists}) AS t(draw) GROUP BY draw"
        for (rows,) in con.execute(sql).fetchall():
            yield [(row["key"], row["count"], row["low"], row["high"]) for row in rows]


def _summary(answers: Sequence[Answers], truth: Mapping[int, int], k: int) -> Record:
    """The improvement in %, its standard error over the draws, and how often an interval holds."""
    squares = [fmean((count - truth[key]) ** 2 for key, count, _, _ in answer) for answer in answers]
    rows = [row for answer in answers for row in answer]
    held = [low <= truth[key] <= high for key, _, low, high in rows if low is not None and high is not None]
    middle, error = mean(squares)
    direct = _direct_variance(k) / 100
    return {
        "improvement": round(100 - middle / direct, 2),
        "error": round(error / direct, 2),
        "coverage": round(100 * fmean(held), 2) if held else None,
        "with_interval": round(100 * len(held) / len(rows), 1),
        "draws": len(answers),
    }


def _coverage(part: Record) -> str:
    return "" if part["coverage"] is None else f"{part['coverage']:.1f} of {part['with_interval']:.0f} %"


def theta_of(counts: Integers, epsilon: float) -> float:
    """The theta of the most frequent item.

    >>> theta_of(np.array([3, 5, 5]), 0.0) == -math.log(2)
    True
    """
    mu = epsilon * np.sort(counts)[::-1].astype(np.float64)
    return float(mu[0] - mu[1] - math.log(np.exp(mu[1:] - mu[1]).sum()))


def epsilon_for(counts: Integers, theta: float) -> Fraction:
    """An epsilon with about that theta, which grows with epsilon if one item is the most frequent."""
    low, high = 0.0, 100.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if theta_of(counts, middle) < theta else (low, middle)
    return max(Fraction(round(low * 10**9), 10**9), Fraction(1, 10**9))


def _gap(job: Job) -> Record:
    """Gaps of the most frequent item: their mean, and how far their distribution is from theory."""
    epsilon = epsilon_for(job.items.counts, job.at)
    theta = theta_of(job.items.counts, float(epsilon))
    best = int(job.items.counts.max())
    drawn = _gaps(job.items.counts, epsilon, job.runs, lambda score: score == best)
    gaps = np.sort(np.array([gap for gap, _ in drawn]))
    shape = [round(float((gaps >= t).mean()), 4) for t in STEPS] if len(gaps) else []
    return {
        "theta": round(theta, 4),
        "epsilon": float(epsilon),
        "theory": round(mean_gap(theta), 4),
        "wins": len(gaps),
        "measured": mean(gaps.tolist()) if len(gaps) else None,
        "distance": round(distance(gaps, theta), 4) if len(gaps) else None,
        **({"shape": shape} if job.at == SHAPE and shape else {}),
    }


def distance(gaps: np.ndarray, theta: float) -> float:
    """The largest difference of two distribution functions (Kolmogorov and Smirnov); `gaps` ascending."""
    below = np.array([1 - gap_at_least(float(gap), theta) for gap in gaps])
    steps = np.arange(len(gaps) + 1) / len(gaps)
    return float(max((steps[1:] - below).max(), (below - steps[:-1]).max()))


def _gaps(
    counts: Integers, epsilon: Fraction, runs: int, wanted: Callable[[int], bool]
) -> Iterator[tuple[float, float]]:
    """Gaps in units of 1 / epsilon, and p-values, of the winners with a wanted count."""
    scores, entropy = PlainScores(counts), SystemEntropy()
    for _ in range(runs):
        winner = exponential(scores, epsilon, entropy, monotonic=True)
        if wanted(int(counts[winner.candidate])):
            yield float(epsilon) * (winner.gap + 1 / (2 * GAP_STEPS)), winner.p_value


def _p_values(job: Job) -> Record:
    """How often a winner that is not the best has a small p-value. Of two equal ones, neither is."""
    counts = job.items.counts
    best = int(counts.max())
    tied = job.items.name == TIE
    epsilon = Fraction(1, 100) if tied else epsilon_for(counts, job.at)
    found = np.array([p for _, p in _gaps(counts, epsilon, job.runs, lambda score: tied or score < best)])
    shares = [float((found <= p).mean()) if len(found) else 0.0 for p in P_VALUES]
    errors = [math.sqrt(share * (1 - share) / max(len(found), 1)) for share in shares]
    return {
        "epsilon": float(epsilon),
        "wrong": len(found),
        "p": list(P_VALUES),
        "shares": [round(share, 4) for share in shares],
        "errors": [round(error, 4) for error in errors],
    }


# Tables


def _name(r: Record) -> str:
    return f"{r['set']}{'' if r['own'] or r['set'] == TIE else ' (generated)'}"


def _of(found: Sequence[Record], kind: str) -> list[Record]:
    return [r for r in found if r["kind"] == kind]


def counts_rows(found: Sequence[Record]) -> list[list[str]]:
    """The improvement of the counts as published, and dpduck's own."""
    rows = []
    for r in _of(found, "counts"):
        name = [_name(r), str(r["k"])]
        measured = f"{r['improvement']:.1f} ± {r['error']:.1f}"
        published = "" if r["published"] is None else f"{r['published']:.1f}"
        rows.append([*name, "even split", measured, f"{r['theory']:.1f}", published, "", f"{r['runs']:,}"])
        for how, word in (("drawn", "ours"), ("sql", "ours, from SQL")):
            if part := r["ours"].get(how):
                measured = f"{part['improvement']:.1f} ± {part['error']:.1f}"
                ends = [f"{r['ours']['theory']:.1f}", "", _coverage(part), f"{part['draws']:,}"]
                rows.append([*name, word, measured, *ends])
    return rows


def gaps_rows(found: Sequence[Record]) -> list[list[str]]:
    """The mean gap in units of 1 / epsilon, and how far its distribution is from theory.

    "of chance" is the distance that chance alone exceeds in one of twenty cases.
    """
    rows = []
    for r in _of(found, "gap"):
        if r["measured"] is None:
            continue
        middle, error = r["measured"]
        wins = f"{100 * r['wins'] / r['runs']:.1f}"
        row = [_name(r), f"{r['theta']:.2f}", f"{r['epsilon']:.6f}", wins, f"{middle:.3f} ± {error:.3f}"]
        chance = 1.358 / math.sqrt(r["wins"])
        rows.append([*row, f"{r['theory']:.3f}", f"{r['distance']:.4f}", f"{chance:.4f}", f"{r['runs']:,}"])
    return rows


def p_value_rows(found: Sequence[Record]) -> list[list[str]]:
    """The share of wrong winners with a p-value up to p."""
    return [
        [_name(r), f"{p:.2f}", f"{100 * share:.2f}", f"{100 * error:.2f}", f"{r['wrong']:,}"]
        for r in _of(found, "p_value")
        for p, share, error in zip(r["p"], r["shares"], r["errors"], strict=True)
        if p in (0.01, 0.05, 0.1, 0.5)
    ]


# Figures


def figures(records: list[Record]) -> Iterator[Figure]:
    """The improvement by k for each table, and the gap of the exponential mechanism."""
    for name in dict.fromkeys(r["set"] for r in _of(records, "counts")):
        yield _counts_figure([r for r in _of(records, "counts") if r["set"] == name])
    gaps = [r for r in _of(records, "gap") if r["measured"] is not None]
    if gaps:
        yield _mean_figure(gaps)
    if shapes := [r for r in gaps if "shape" in r]:
        yield _shape_figure(shapes)
    if tests := _of(records, "p_value"):
        yield _p_value_figure(tests)


def _counts_figure(found: Sequence[Record]) -> Figure:
    ours = [(r["k"], r["ours"]) for r in found]
    lines = [
        Line.through("even split", [(r["k"], r["improvement"], r["error"]) for r in found]),
        Line.through("even split", [(r["k"], theory(r["k"])) for r in found], "predicted"),
        Line.through("dpduck", [(k, o["drawn"]["improvement"], o["drawn"]["error"]) for k, o in ours]),
        Line.through("dpduck", [(k, o["theory"]) for k, o in ours], "predicted"),
    ]
    if published := [(r["k"], r["published"]) for r in found if r["published"] is not None]:
        lines.append(Line.through("even split", published, "published"))
    return Figure(
        f"ding2022-counts-{found[0]['set']}",
        f"Top-k with gap, exponential noise, {_name(found[0])}, epsilon {EPSILON}",
        "Free gaps take up to two thirds of the error off the counts of a top k, and a better split of "
        "epsilon takes more.",
        "k",
        "mean squared error less by, %",
        tuple(lines),
    )


def _mean_figure(gaps: Sequence[Record]) -> Figure:
    names = dict.fromkeys(r["set"] for r in gaps)
    measured = [
        Line.through(name, [(r["theta"], *r["measured"]) for r in gaps if r["set"] == name]) for name in names
    ]
    thetas = sorted({r["theta"] for r in gaps})
    predicted = Line.through("Theorem 6", [(theta, mean_gap(theta)) for theta in thetas], "predicted")
    return Figure(
        "ding2022-gap",
        "Mean gap of the exponential mechanism",
        "The gap between a private winner and the runner-up costs nothing, and is what theory says.",
        "theta: lead of the winner over all others, times epsilon",
        "mean gap, times epsilon",
        (*measured, predicted),
    )


def _shape_figure(shapes: Sequence[Record]) -> Figure:
    measured = [Line(r["set"], STEPS, tuple(r["shape"])) for r in shapes]
    predicted = tuple(gap_at_least(t, shapes[0]["theta"]) for t in STEPS)
    return Figure(
        "ding2022-gap-shape",
        f"Gaps of the exponential mechanism at theta = {SHAPE:g}",
        "The whole distribution of the gap is known, so a large gap can be read as evidence for the winner.",
        "gap t, times epsilon",
        "share of gaps of at least t",
        (*measured, Line("Theorem 10", STEPS, predicted, "predicted")),
    )


def _p_value_figure(tests: Sequence[Record]) -> Figure:
    measured = [
        Line(_name(r), tuple(r["p"]), tuple(r["shares"]), "measured", tuple(r["errors"])) for r in tests
    ]
    return Figure(
        "ding2022-p-value",
        "P-values of winners that are not the best",
        "A wrong winner has a p-value of 0.05 or less in at most one of twenty cases.",
        "p",
        "share of wrong winners with a p-value of at most p",
        (*measured, Line("the most there may be", P_VALUES, P_VALUES, "predicted")),
    )
