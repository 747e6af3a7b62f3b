"""`python -m benchmarks lyu2017`: how the sparse vector divides its budget, and what it is good for.

Lyu, Su and Li, Understanding the sparse vector technique for differential privacy (PVLDB 10(6), 2017),
sections 4 to 6. The k most frequent items are wanted. The sparse vector looks at the items in random order,
with the mean of the k-th and the next count as its threshold (rounded down); it may divide its budget between
the threshold and the answers as 1:1, 1:3, 1:k or 1:k^(2/3). For counts, which are monotonic, the variance
2 / e_0^2 + 2 k^2 / e_a^2 of a comparison is least at 1:k^(2/3) for e_0 + e_a = epsilon. Who knows all items
beforehand need not look at them one by one, and may select k of them: with the exponential mechanism k times
(which is Gumbel noise of rate epsilon / k, drawn once), or with a noisy top-k.

The least noise is not always the least error. On retail, at epsilon 0.1 and k = 25, thousands of rare items
compete with few frequent ones, and 1:k finds more than 1:k^(2/3): it spends less on the threshold.

Two errors: the false negative rate is the share of the k most frequent items that are not found; the score
error rate is 1 - (mean count of what is found) / (mean count of the k most frequent). Where fewer than k
items are found, those that are missing have count 0. Items of equal count are as good as each other.

The split 1:k^(2/3) is dpduck's `above_threshold`, which has no other; the others are drawn here, item by
item, with the same discrete Laplace noise, and so is 1:k^(2/3) once more. The paper's figures have epsilon
0.1 and k up to 300, on tables of which two can be generated; its numbers are not at hand, so nothing is
marked as published. Here k is 10 to 100, in one of 25 runs: 400 of 10,000, more than the paper's 100.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

import numpy as np

from benchmarks.papers.data import Source
from benchmarks.papers.workload import GENERATED, OWN, Choices, Integers, Items, load, mean, publish, spread
from benchmarks.report.figure import Figure, Line
from benchmarks.report.results import Record
from dpduck.kernel.mechanisms.noisy_max import rank
from dpduck.kernel.mechanisms.sparse_vector import above_threshold
from dpduck.kernel.mechanisms.topk import top_k
from dpduck.kernel.noise import Gumbel, SystemEntropy, discrete_laplace
from dpduck.kernel.scores import PlainScores

ERRORS_HEADER = ["set", "k", "epsilon", "way", "score error rate", "false negative rate", "runs"]
NOISE_HEADER = ["k", "split", "measured deviation", "predicted", "least", "comparisons"]

EPSILON = "0.1"
KS = (10, 25, 50, 100)
FEW_KS = (25,)
EPSILONS = ("0.05", "0.2", "0.4", "0.8")  # and 0.1
K = 25
RATES = {"score_error": "score error rate", "false_negatives": "false negative rate"}
NOISE_KS = (5, 10, 25, 50, 100, 200)
_FEWER = 25

SPLITS: dict[str, Callable[[int], float]] = {
    "1:1": lambda _: 1.0,
    "1:3": lambda _: 3.0,
    "1:k": float,
    "1:k^(2/3)": lambda k: k ** (2 / 3),
}
OURS = "dpduck"  # above_threshold, not adaptive
WAYS = (*SPLITS, OURS, "adaptive", "exponential mechanism", "top-k, Laplace", "top-k, exponential")
_ALL_AT_ONCE = WAYS[-3:]

Finder = Callable[[Integers, int, int, Fraction], Sequence[int]]  # counts, threshold, k, epsilon


def deviation(k: int, parts: float, epsilon: float = 1.0) -> float:
    """The standard deviation of a comparison if budgets of threshold and answers are as 1 : parts.

    >>> round(deviation(8, 4.0), 3) == round(math.sqrt(2 * 5**3), 3)
    True
    """
    threshold = epsilon / (1 + parts)
    return math.sqrt(2 / threshold**2 + 2 * (k / (epsilon - threshold)) ** 2)


def least_deviation(k: int, epsilon: float = 1.0) -> float:
    """With the best split, 1:k^(2/3): the root of 2 (1 + k^(2/3))^3, over epsilon.

    >>> round(least_deviation(8) / deviation(8, 4.0), 9)
    1.0
    """
    return math.sqrt(2 * (1 + k ** (2 / 3)) ** 3) / epsilon


def main(source: Source, folder: Path, runs: int, seed: int = 1) -> None:
    """Measure all series, print their tables, and add the figures to the result file."""
    publish("lyu2017", source.scale, folder, records(source, runs, seed), tables)


def tables(found: Sequence[Record]) -> Iterator[tuple[list[str], list[list[str]]]]:
    """Each header with its rows."""
    yield NOISE_HEADER, noise_rows(found)
    yield ERRORS_HEADER, errors_rows(found)


def records(source: Source, runs: int, seed: int) -> Iterator[Record]:
    """One record for each k of the noise; one for each set, k, epsilon and way of the errors."""
    jobs = [*_noise_jobs(runs, seed), *_jobs(source, runs, seed)]
    for job, record in zip(jobs, spread(do, jobs, runs), strict=True):
        facts = job.items.facts if job.kind == "errors" else {}
        key = {"kind": job.kind, **facts, "k": job.k, "epsilon": job.epsilon, "runs": job.runs}
        yield {**key, "workload_seed": seed, **record}


# Runs


@dataclass(frozen=True, eq=False)
class Job:
    """So many runs of one kind on one table."""

    kind: str
    items: Items
    k: int
    epsilon: str
    runs: int
    seed: int


def _noise_jobs(runs: int, seed: int) -> Iterator[Job]:
    nothing = Items("", False, np.zeros(0, dtype=np.int64))
    yield from (Job("noise", nothing, k, "1", max(runs // 4, 2), seed) for k in NOISE_KS)


def _jobs(source: Source, runs: int, seed: int) -> Iterator[Job]:
    for name in (*OWN, *GENERATED):
        job = Job("errors", load(source, name), K, EPSILON, max(runs // _FEWER, 1), seed)
        own = name in OWN
        jobs = [replace(job, k=k) for k in (KS if own else FEW_KS)]
        jobs += [replace(job, epsilon=epsilon) for epsilon in (EPSILONS if own else ())]
        yield from (job for job in jobs if 2 * job.k < len(job.items.counts))


def do(job: Job) -> Record:
    """What a job measures."""
    return {"noise": _noise, "errors": _errors}[job.kind](job)


def _noise(job: Job) -> Record:
    """The noise of comparisons, from the gap of an item that is above for certain."""
    entropy, epsilon, far = SystemEntropy(), Fraction(job.epsilon), 10**9
    counts = np.full(job.k, far, dtype=np.int64)
    ours = [
        above_threshold(counts, 0, job.k, epsilon, entropy, adaptive=False).gaps[0] - far
        for _ in range(job.runs)
    ]
    squares = {OURS: [gap**2 for gap in ours]}
    for name, parts in SPLITS.items():
        rates = _rates(epsilon, job.k, parts(job.k))
        common, own = (discrete_laplace(rate, job.runs, entropy) for rate in rates)
        squares[name] = ((own - common) ** 2).tolist()
    measured = {name: _root(*mean(values)) for name, values in squares.items()}
    predicted = {name: round(deviation(job.k, parts(job.k)), 3) for name, parts in SPLITS.items()}
    least = round(least_deviation(job.k), 3)
    return {"measured": measured, "predicted": {**predicted, OURS: least}, "least": least}


def _root(value: float, error: float) -> tuple[float, float]:
    root = math.sqrt(value)
    return round(root, 3), round(error / (2 * root), 3)


def _rates(epsilon: Fraction, k: int, parts: float) -> tuple[Fraction, Fraction]:
    """Rates of the threshold's noise and of an answer's."""
    threshold = epsilon / (1 + Fraction(round(1000 * parts), 1000))
    return threshold, (epsilon - threshold) / k


def _errors(job: Job) -> Record:
    """Both error rates of all ways, in the same orders of items."""
    choices = Choices(job.items, job.k, np.random.default_rng([job.seed, job.k]))
    top = job.items.sorted
    threshold = int(top[job.k - 1] + top[job.k]) // 2
    rates: dict[str, list[tuple[float, float]]] = {way: [] for way in WAYS}
    finders = _finders()
    for _ in range(job.runs):
        counts = choices.order()
        for way, find in finders.items():
            found = counts[list(find(counts, threshold, job.k, Fraction(job.epsilon)))]
            rates[way].append(error_rates(found, top[: job.k]))
    score, missed = ({way: mean([pair[i] for pair in pairs]) for way, pairs in rates.items()} for i in (0, 1))
    return {"score_error": score, "false_negatives": missed}


def error_rates(found: Integers, top: Integers) -> tuple[float, float]:
    """Score error rate and false negative rate of the first k found, against the k largest counts.

    >>> error_rates(np.array([9, 4]), np.array([9, 7]))
    (0.1875, 0.5)
    """
    k = len(top)
    best = np.sort(found[:k])[::-1]
    last = top[-1]
    hits = int((best > last).sum()) + min(int((best == last).sum()), int((top == last).sum()))
    return float(1 - best.sum() / top.sum()), 1 - hits / k


def _finders() -> dict[str, Finder]:
    entropy = SystemEntropy()

    def split(parts: Callable[[int], float]) -> Finder:
        def find(counts: Integers, threshold: int, k: int, epsilon: Fraction) -> Sequence[int]:
            common, answer = _rates(epsilon, k, parts(k))
            bar = threshold + int(discrete_laplace(common, 1, entropy)[0])
            noisy = counts + discrete_laplace(answer, len(counts), entropy)
            first: list[int] = np.flatnonzero(noisy >= bar)[:k].tolist()
            return first

        return find

    def scan(*, adaptive: bool) -> Finder:
        return lambda counts, threshold, k, epsilon: (
            above_threshold(counts, threshold, k, epsilon, entropy, adaptive=adaptive).candidates
        )

    def gumbel(counts: Integers, _: int, k: int, epsilon: Fraction) -> Sequence[int]:
        ranking = rank(PlainScores(counts), k, Gumbel(epsilon / k), entropy)
        return ranking.groups.candidates(ranking.members(k, entropy))

    finders = {name: split(parts) for name, parts in SPLITS.items()}
    finders |= {OURS: scan(adaptive=False), "adaptive": scan(adaptive=True)}
    return finders | {
        "exponential mechanism": gumbel,
        "top-k, Laplace": lambda c, _, k, e: top_k(PlainScores(c), k, e, entropy, noise="laplace").candidates,
        "top-k, exponential": lambda c, _, k, e: top_k(PlainScores(c), k, e, entropy).candidates,
    }


# Tables


def _name(r: Record) -> str:
    return f"{r['set']}{'' if r['own'] else ' (generated)'}"


def _of(found: Sequence[Record], kind: str) -> list[Record]:
    return [r for r in found if r["kind"] == kind]


def noise_rows(found: Sequence[Record]) -> list[list[str]]:
    """The noise of a comparison with each split, at epsilon 1."""
    return [
        [
            str(r["k"]),
            split,
            f"{r['measured'][split][0]:.1f} ± {r['measured'][split][1]:.1f}",
            f"{r['predicted'][split]:.1f}",
            f"{r['least']:.1f}",
            f"{r['runs']:,}",
        ]
        for r in _of(found, "noise")
        for split in (*SPLITS, OURS)
    ]


def errors_rows(found: Sequence[Record]) -> list[list[str]]:
    """Both error rates of each way."""
    return [
        [
            _name(r),
            str(r["k"]),
            r["epsilon"],
            way,
            *(f"{r[rate][way][0]:.3f} ± {r[rate][way][1]:.3f}" for rate in RATES),
            f"{r['runs']:,}",
        ]
        for r in _of(found, "errors")
        for way in WAYS
    ]


# Figures


def figures(records: list[Record]) -> Iterator[Figure]:
    """The noise by split; both error rates by k and by epsilon for each table."""
    if noise := _of(records, "noise"):
        yield _noise_figure(noise)
    errors = _of(records, "errors")
    for name in dict.fromkeys(r["set"] for r in errors):
        found = [r for r in errors if r["set"] == name]
        yield from _error_figures([r for r in found if r["epsilon"] == EPSILON], "k", f"epsilon {EPSILON}")
        yield from _error_figures([r for r in found if r["k"] == K], "epsilon", f"k = {K}")


def _noise_figure(noise: Sequence[Record]) -> Figure:
    lines = []
    for split in (*SPLITS, OURS):
        lines.append(Line.through(split, [(r["k"], *r["measured"][split]) for r in noise]))
        if split != OURS:
            points = [(r["k"], deviation(r["k"], SPLITS[split](r["k"]))) for r in noise]
            lines.append(Line.through(split, points, "predicted"))
    return Figure(
        "lyu2017-splits",
        "Noise of a comparison with the threshold, epsilon 1",
        "How the budget is split between threshold and answers matters more the more answers are wanted, and "
        "1:k^(2/3) is best.",
        "k",
        "standard deviation, records",
        tuple(lines),
    )


def _error_figures(found: Sequence[Record], x: str, fixed: str) -> Iterator[Figure]:
    if len(found) < 2:
        return
    name = _name(found[0])
    groups = {
        "splits": (
            tuple(WAYS[:6]),
            "What is found depends on the split: 1:k^(2/3) has the least noise, but where many rare "
            "items compete for the answers, a smaller part for the threshold is better.",
        ),
        "ways": (
            (OURS, "adaptive", *_ALL_AT_ONCE),
            "If all candidates are known beforehand, selecting k finds more than a threshold does.",
        ),
    }
    for rate, word in RATES.items():
        for group, (ways, meaning) in groups.items():
            points = {way: [(float(r[x]), *r[rate][way]) for r in found] for way in ways}
            yield Figure(
                f"lyu2017-{group}-{rate.replace('_', '-')}-by-{x}-{found[0]['set']}",
                f"Finding the most frequent items, {name}, {fixed}",
                meaning,
                x,
                word,
                tuple(Line.through(way, values) for way, values in points.items()),
            )
