"""`python -m benchmarks ding2019`: free gaps of sparse vector and noisy top-k; the adaptive sparse vector.

Ding, Wang, Zhang and Kifer, Free gap information from the differentially private sparse vector and noisy
max mechanisms (PVLDB 13(3), 2019), section 7. Queries are the counts of items, which are monotonic. Two
tables of the paper and one more are generated with its statistics; two others are read as they are.

Settings. Figures 1 and 2: half of epsilon selects k items, half measures each of them; improvement is that
of the mean squared error over the measurements alone, in the same runs.
    top-k, Laplace: whole noise of rate epsilon / 2k selects and measures; Theorem 3 with lambda = 1.
    sparse vector: the plain one, parts of threshold and answers as 1 : k^(2/3); threshold + gap and the
        measurement weighted by their own variances. `gls` is ours: the same answers by generalised least
        squares, because all gaps of a run share one threshold noise.
Figures 3 and 4: the whole of epsilon goes to the adaptive sparse vector, the first test of which asks for two
standard deviations of its own noise. (The margin that is printed, 4 sqrt(2) / epsilon_2, is two of general
noise, but four of monotonic noise: it gives k = 22 only 33.2 and 27.9 answers, and leaves 31 and 20 %.) Costs
are counted in units of epsilon_2; with floats the printed condition may stop one answer early. Each run has
a threshold of its own, the count of a rank from 2k to 8k chosen at random, and an order of items of its own.
Items that reach the threshold are the truth of precision and recall.

What is to be known about the figures to reproduce (`PUBLISHED`):
    With k = 2 the clear winners make theory exact, so that 28.4 against 25.0 is chance: the standard error
    of an improvement is 5 points in 100 runs and half a point in 10,000.
    The order matters more than chance: one order, kept in all runs, moves the answers and what is left of
    the budget by several per cent (kind "orders"), since the items that come first are those that are
    answered. The published 16.1 answers and 32.1 % for retail, k = 10, are ordinary for a single order, and
    lie below the mean over orders.
    With k = 24 a sixth of retail's answers are below the threshold in a random order: their gaps are too
    large by 270 records, for which theory has no term. In the order of item numbers there are fewer.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from statistics import fmean, stdev

import numpy as np

from benchmarks.papers.data import Source
from benchmarks.papers.workload import (
    GENERATED,
    OWN,
    Choices,
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
from dpduck.kernel.mechanisms.linear_estimates import count_variance
from dpduck.kernel.mechanisms.sparse_vector import Above, above_threshold, divide
from dpduck.kernel.mechanisms.threshold_estimates import combine
from dpduck.kernel.mechanisms.topk import top_k
from dpduck.kernel.noise import SystemEntropy, discrete_laplace
from dpduck.kernel.scores import PlainScores

GAPS_HEADER = ["set", "mechanism", "k", "epsilon", "improvement %", "theory %", "published %", "runs"]
ANSWERS_HEADER = ["set", "k", "answers", "published", "clear", "plain", "left %", "published %", "runs"]
QUALITY_HEADER = ["set", "k", "precision", "plain precision", "F-measure", "plain F-measure", "runs"]
ORDERS_HEADER = ["set", "k", "", "mean", "deviation", "least", "most", "published", "orders"]

EPSILON = "0.7"
EPSILONS = ("0.1", "0.4", "1.0", "1.5")  # and 0.7
K = 10
GAPS_KS = (2, 6, 10, 14, 18, 24)
ANSWERS_KS = (2, 6, 10, 14, 18, 22)
FEW_KS = (2, 10, 22)
ORDERS_KS = (10, 22)
ORDERS = 40

# Improvement in %, by mechanism, set and k.
PUBLISHED = {
    ("laplace", "t10i4"): {2: 24.6, 10: 44.8, 24: 49.0},
    ("laplace", "retail"): {2: 28.4, 10: 44.0, 24: 46.1},
    ("sparse", "t10i4"): {2: 19.3, 10: 36.7, 24: 41.5},
    ("sparse", "retail"): {2: 18.5, 10: 34.7, 24: 14.1},
}
# Answers, and what is left of the budget in %.
ADAPTIVE = {
    "t10i4": {10: (17.4, 36.8), 22: (36.3, 35.8)},
    "retail": {10: (16.1, 32.1), 22: (32.4, 29.1)},
}
FULL_KS = (2, 10, 22, 24)  # where something is published
_FEWER = 5  # elsewhere a fifth of the runs will do, and for other epsilons and generated tables
_WORDS = {"laplace": "top-k, Laplace", "sparse": "sparse vector", "gls": "sparse vector, GLS (ours)"}


def laplace_theory(k: int) -> float:
    """Corollary 1 at an even split: (k - 1) / 2k, in %.

    >>> laplace_theory(10)
    45.0
    """
    return 100 * (k - 1) / (2 * k)


def sparse_theory(k: int) -> float:
    """Section 6.2 for monotonic queries: 1 - a / (a + k^2) with a = (1 + k^(2/3))^3, in %.

    >>> round(sparse_theory(8), 3), round(sparse_theory(10), 1)
    (33.862, 35.8)
    """
    gap = (1 + k ** (2 / 3)) ** 3
    return 100 * (1 - gap / (gap + k**2))


def gls_theory(k: int) -> float:
    """What the shared threshold noise leaves to gain, in %, with variances in units of 8 / epsilon^2.

    The mean of all gaps has the threshold's noise, their differences have not.

    >>> round(gls_theory(10), 1)
    38.1
    """
    own, common, measured = (1 + k ** (2 / 3)) ** 2 * k ** (2 / 3), (1 + k ** (2 / 3)) ** 2, k**2
    of_mean = own / k + common
    parts = measured / k * of_mean / (measured / k + of_mean), (k - 1) / k * measured * own / (measured + own)
    return 100 * (1 - sum(parts) / measured)


THEORY = {"laplace": laplace_theory, "sparse": sparse_theory, "gls": gls_theory}


def main(source: Source, folder: Path, runs: int, seed: int = 1) -> None:
    """Measure all series, print their tables, and add the figures to the result file."""
    publish("ding2019", source.scale, folder, records(source, runs, seed), tables)


def tables(found: Sequence[Record]) -> Iterator[tuple[list[str], list[list[str]]]]:
    """Each header with its rows."""
    yield GAPS_HEADER, gaps_rows(found)
    yield ANSWERS_HEADER, answers_rows(found)
    yield QUALITY_HEADER, quality_rows(found)
    yield ORDERS_HEADER, orders_rows(found)


def records(source: Source, runs: int, seed: int) -> Iterator[Record]:
    """One record for each kind, set, k and epsilon."""
    for job, record in zip(jobs := list(_jobs(source, runs, seed)), spread(do, jobs, runs), strict=True):
        facts = {"kind": job.kind, **job.items.facts, "k": job.k, "epsilon": job.epsilon}
        yield {**facts, "runs": job.runs, "workload_seed": seed, **record}


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

    @property
    def choices(self) -> Choices:
        return Choices(self.items, self.k, np.random.default_rng([self.seed, self.k]))

    @property
    def exact(self) -> Fraction:
        return Fraction(self.epsilon)


def _jobs(source: Source, runs: int, seed: int) -> Iterator[Job]:
    """All jobs for which the table has items enough; all runs where something is published."""
    for name in (*OWN, *GENERATED):
        job = Job("laplace", load(source, name), K, EPSILON, runs, seed)
        fewer = replace(job, runs=max(runs // _FEWER, 1))
        kinds = _own_kinds() if name in OWN else _generated_kinds()
        for kind, k, epsilon in kinds:
            full = name in OWN and epsilon == EPSILON and k in FULL_KS
            found = replace(job if full else fewer, kind=kind, k=k, epsilon=epsilon)
            if 3 * k < len(job.items.counts):
                yield replace(found, runs=max(runs // 100, 2)) if kind == "orders" else found


def _own_kinds() -> Iterator[tuple[str, int, str]]:
    for kind in ("laplace", "sparse"):
        yield from ((kind, k, EPSILON) for k in GAPS_KS)
        yield from ((kind, K, epsilon) for epsilon in EPSILONS)
    yield from (("adaptive", k, EPSILON) for k in ANSWERS_KS)
    yield from (("orders", k, EPSILON) for k in ORDERS_KS)


def _generated_kinds() -> Iterator[tuple[str, int, str]]:
    yield from ((kind, k, EPSILON) for kind in ("laplace", "sparse", "adaptive") for k in FEW_KS)


def do(job: Job) -> Record:
    """What a job measures."""
    return {"laplace": _laplace, "sparse": _sparse, "adaptive": _adaptive, "orders": _orders}[job.kind](job)


def _laplace(job: Job) -> Record:
    """Top-k with Laplace noise: the counts by Theorem 3 against the measurements alone."""
    entropy, scores, half = SystemEntropy(), PlainScores(job.items.counts), job.exact / 2
    refined, direct = [], []
    for _ in range(job.runs):
        top = top_k(scores, job.k, half, entropy, noise="laplace")
        true = job.items.counts[list(top.candidates)]
        measured = true + discrete_laplace(half / job.k, job.k, entropy)
        refined.append(squares(linear_estimates.estimate(measured.tolist(), top.gaps, 1.0), true))
        direct.append(squares(measured, true))
    theory = round(laplace_theory(job.k), 2)
    return {"theory": theory, "published": _published(job), **improvement(refined, direct)}


def _sparse(job: Job) -> Record:
    """Sparse vector with gap: per-answer weights and generalised least squares against measurements alone."""
    entropy, choices, half = SystemEntropy(), job.choices, job.exact / 2
    errors: dict[str, list[float]] = {"paper": [], "gls": [], "direct": []}
    below, excess = [], []
    for _ in range(job.runs):
        threshold, counts = choices.threshold(), choices.order()
        found = above_threshold(counts, threshold, job.k, half, entropy, adaptive=False)
        true = counts[list(found.candidates)]
        if not len(true):
            continue
        rate = half / len(true)
        measured = true + discrete_laplace(rate, len(true), entropy)
        levels = threshold + np.array(found.gaps)
        for name, estimates in estimate(measured, levels, rate, half, job.k).items():
            errors[name].append(squares(estimates, true))
        errors["direct"].append(squares(measured, true))
        below += (true < threshold).tolist()
        excess += (levels - true)[true < threshold].tolist()
    ours = improvement(errors["gls"], errors["direct"])
    return {
        "theory": round(sparse_theory(job.k), 2),
        "published": _published(job),
        **improvement(errors["paper"], errors["direct"]),
        "gls": {"theory": round(gls_theory(job.k), 2), **ours},
        "below_threshold": round(100 * fmean(below), 2) if below else None,
        "excess_of_those": round(fmean(excess), 1) if excess else None,
    }


def estimate(
    measured: Integers, levels: Integers, rate: Fraction, epsilon: Fraction, k: int
) -> Mapping[str, Sequence[float]]:
    """Counts from measurements of that rate, and from levels of a plain sparse vector with that epsilon."""
    budget = divide(epsilon, k, adaptive=False)
    own, common = count_variance(budget.answer), count_variance(budget.threshold)
    of_measured = count_variance(rate)
    weight = of_measured / (of_measured + own + common)
    paper = weight * levels + (1 - weight) * measured
    variances = [own] * len(levels)
    ours = combine(measured.tolist(), levels.tolist(), variances, of_measured, common)
    return {"paper": paper.tolist(), "gls": ours}


def squares(estimates: Iterable[float], true: Integers) -> float:
    """The mean squared error.

    >>> squares([1.0, 4.0], np.array([1, 2]))
    2.0
    """
    return float(((np.array(list(estimates)) - true) ** 2).mean())


def _published(job: Job) -> float | None:
    if job.epsilon != EPSILON or not job.items.own:
        return None
    return PUBLISHED.get((job.kind, job.items.name), {}).get(job.k)


def _adaptive(job: Job) -> Record:
    """Answers and how right they are, adaptive and (in fewer runs) plain; what the former leaves."""
    entropy, choices = SystemEntropy(), job.choices
    series: dict[str, list[float]] = defaultdict(list)
    for run in range(job.runs):
        threshold, counts = choices.threshold(), choices.order()
        for way in ("adaptive", "plain") if run % _FEWER == 0 else ("adaptive",):
            found = above_threshold(counts, threshold, job.k, job.exact, entropy, adaptive=way == "adaptive")
            for quantity, value in _quality(found, counts, threshold).items():
                series[f"{way}_{quantity}"].append(value)
            if way == "adaptive":
                series["left"].append(_left(found, job))
    return {"published": _expected(job), "measured": {name: mean(values) for name, values in series.items()}}


def _expected(job: Job) -> dict[str, float | None]:
    """The published answers and what is left, if any."""
    found = ADAPTIVE.get(job.items.name, {}).get(job.k) if job.items.own else None
    answers, left = found or (None, None)
    return {"answers": answers, "left": left}


def _quality(found: Above, counts: Integers, threshold: int) -> dict[str, float]:
    """How many answers, how many of them clear, and which share of them is right."""
    right = int((counts[list(found.candidates)] >= threshold).sum())
    answers, truth = len(found.candidates), int((counts >= threshold).sum())
    return {
        "answers": answers,
        "clear": sum(found.clear),
        "precision": right / answers if answers else 0.0,
        "f_measure": 2 * right / (answers + truth),
    }


def _left(found: Above, job: Job) -> float:
    """What is left of the budget when the scan is stopped after k answers, in %; none without k answers."""
    if len(found.candidates) < job.k:
        return 0.0
    budget = divide(job.exact, job.k, adaptive=True)
    used = budget.spent(sum(1 if clear else 2 for clear in found.clear[: job.k]))
    return 100 * float(1 - used / job.exact)


def _orders(job: Job) -> Record:
    """The same with one order of items in all runs, for many orders: how much depends on the order."""
    entropy, choices = SystemEntropy(), job.choices
    answers, left = [], []
    for _ in range(ORDERS):
        counts = choices.order()
        found = [
            above_threshold(counts, choices.threshold(), job.k, job.exact, entropy) for _ in range(job.runs)
        ]
        answers.append(fmean(len(one.candidates) for one in found))
        left.append(fmean(_left(one, job) for one in found))
    published = _expected(job)
    names = {"answers": answers, "left": left}
    ranges = {name: _range(values, published[name]) for name, values in names.items()}
    return {"orders": ORDERS, **ranges}


def _range(values: Sequence[float], published: float | None) -> Record:
    ends = {"least": round(min(values), 2), "most": round(max(values), 2)}
    return {
        "mean": round(fmean(values), 2),
        "deviation": round(stdev(values), 2),
        **ends,
        "published": published,
    }


# Tables


def _name(r: Record) -> str:
    return f"{r['set']}{'' if r['own'] else ' (generated)'}"


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.1f}"


def gaps_rows(found: Sequence[Record]) -> list[list[str]]:
    """Improvements of the mean squared error."""
    rows = []
    for r in found:
        if r["kind"] not in ("laplace", "sparse"):
            continue
        for kind, part in ((r["kind"], r), *((("gls", r["gls"]),) if r["kind"] == "sparse" else ())):
            measured = f"{part['improvement']:.1f} ± {part['error']:.1f}"
            published = _number(part.get("published"))
            row = [_name(r), _WORDS[kind], str(r["k"]), r["epsilon"], measured]
            rows.append([*row, f"{part['theory']:.1f}", published, f"{r['runs']:,}"])
    return rows


def answers_rows(found: Sequence[Record]) -> list[list[str]]:
    """The number of answers and what is left of the budget."""
    rows = []
    for r in (r for r in found if r["kind"] == "adaptive"):
        value = {name: f"{middle:.1f}" for name, (middle, _) in r["measured"].items()}
        published = [_number(r["published"][name]) for name in ("answers", "left")]
        answers = [value["adaptive_answers"], published[0], value["adaptive_clear"], value["plain_answers"]]
        rows.append([_name(r), str(r["k"]), *answers, value["left"], published[1], f"{r['runs']:,}"])
    return rows


def quality_rows(found: Sequence[Record]) -> list[list[str]]:
    """Precision and F-measure of both."""
    columns = ("adaptive_precision", "plain_precision", "adaptive_f_measure", "plain_f_measure")
    return [
        [_name(r), str(r["k"]), *(f"{r['measured'][c][0]:.3f}" for c in columns), f"{r['runs']:,}"]
        for r in found
        if r["kind"] == "adaptive"
    ]


def orders_rows(found: Sequence[Record]) -> list[list[str]]:
    """How far single orders differ."""
    return [
        [
            _name(r),
            str(r["k"]),
            word,
            *(_number(r[name][column]) for column in ("mean", "deviation", "least", "most", "published")),
            str(r["orders"]),
        ]
        for r in found
        if r["kind"] == "orders"
        for name, word in (("answers", "answers"), ("left", "left %"))
    ]


# Figures


def figures(records: list[Record]) -> Iterator[Figure]:
    """Figures 1 to 4 for each table."""
    for name in dict.fromkeys(r["set"] for r in records):
        own = [r for r in records if r["set"] == name]
        yield from _figures(_name(own[0]), name, own)


def _figures(title: str, name: str, found: list[Record]) -> Iterator[Figure]:
    by_k = [r for r in found if r["epsilon"] == EPSILON]
    better = "mean squared error less by, %"
    sparse, top = _of(by_k, "sparse"), _of(by_k, "laplace")
    if sparse:
        yield Figure(
            f"ding2019-1a-{name}",
            f"Sparse vector with gap, {title}, epsilon {EPSILON}",
            "Counts of items found above a threshold get a third more exact at no cost in privacy, unless "
            "many items far below the threshold compete with few above it.",
            "k",
            better,
            (*gap_lines(sparse, "sparse", "k"), *gap_lines(sparse, "gls", "k")),
        )
    if top:
        yield Figure(
            f"ding2019-1b-{name}",
            f"Top-k with gap, Laplace noise, {title}, epsilon {EPSILON}",
            "The gaps that a noisy top-k gives away for free take up to half of the error off its counts.",
            "k",
            better,
            gap_lines(top, "laplace", "k"),
        )
    yield from _by_epsilon(title, name, [r for r in found if r["k"] == K], better)
    yield from _adaptive_figures(title, name, _of(by_k, "adaptive"))


def _by_epsilon(title: str, name: str, found: list[Record], better: str) -> Iterator[Figure]:
    sparse, top = _of(found, "sparse"), _of(found, "laplace")
    if len(sparse) > 1:
        lines = (*gap_lines(sparse, "sparse", "epsilon"), *gap_lines(top, "laplace", "epsilon"))
        yield Figure(
            f"ding2019-2-{name}",
            f"Sparse vector and top-k with gap, {title}, k = {K}",
            "The gain does not depend on epsilon, as long as the noise does not decide what is selected.",
            "epsilon",
            better,
            lines,
        )


def _of(found: Sequence[Record], kind: str) -> list[Record]:
    return [r for r in found if r["kind"] == kind]


def gap_lines(found: Sequence[Record], kind: str, x: str) -> tuple[Line, ...]:
    """Measured, predicted and published improvements by k or epsilon."""
    parts = [(float(r[x]), r["gls"] if kind == "gls" else r) for r in found]
    word = _WORDS[kind]
    measured = [(at, part["improvement"], part["error"]) for at, part in parts]
    lines = [
        Line.through(word, measured),
        Line.through(word, [(at, part["theory"]) for at, part in parts], "predicted"),
    ]
    published = [(at, part["published"]) for at, part in parts if part.get("published") is not None]
    return (*lines, Line.through(word, published, "published")) if published else tuple(lines)


def _adaptive_figures(title: str, name: str, found: Sequence[Record]) -> Iterator[Figure]:
    if not found:
        return
    most = [(float(r["k"]), 2.0 * r["k"] - 1) for r in found]
    answers = (
        _line(found, "adaptive_answers", "adaptive"),
        _line(found, "adaptive_clear", "adaptive, clearly above"),
        _line(found, "plain_answers", "plain"),
        Line.through("most there can be", most, "predicted"),
        *_published_lines(found, "answers", "adaptive"),
    )
    yield Figure(
        f"ding2019-3-answers-{name}",
        f"Answers of the adaptive sparse vector, {title}, epsilon {EPSILON}",
        "Being adaptive finds up to twice as many items above the threshold for the same epsilon.",
        "k",
        "answers",
        answers,
    )
    words = {"precision": "precision", "f_measure": "F-measure"}
    quality = [
        _line(found, f"{way}_{quantity}", f"{way}, {word}")
        for quantity, word in words.items()
        for way in ("adaptive", "plain")
    ]
    yield Figure(
        f"ding2019-3-quality-{name}",
        f"Precision and F-measure of the adaptive sparse vector, {title}, epsilon {EPSILON}",
        "The additional answers are nearly as often right as the others, so that more of what is there is "
        "found.",
        "k",
        "share",
        tuple(quality),
    )
    yield Figure(
        f"ding2019-4-{name}",
        f"Budget left after k answers, {title}, epsilon {EPSILON}",
        "Whoever stops after k answers keeps about a third of the budget for other queries.",
        "k",
        "budget left, %",
        (
            _line(found, "left", "adaptive"),
            Line.through("most there can be", [(k, left_at_most(int(k))) for k, _ in most], "predicted"),
            *_published_lines(found, "left", "adaptive"),
        ),
    )


def left_at_most(k: int) -> float:
    """What is left in % if all of k answers are clear: half of what answers may cost.

    >>> round(left_at_most(8), 1)
    40.0
    """
    return 50 * k ** (2 / 3) / (1 + k ** (2 / 3))


def _line(found: Sequence[Record], quantity: str, label: str) -> Line:
    return Line.through(label, [(float(r["k"]), *r["measured"][quantity]) for r in found])


def _published_lines(found: Sequence[Record], quantity: str, label: str) -> Iterator[Line]:
    points = [
        (float(r["k"]), r["published"][quantity]) for r in found if r["published"][quantity] is not None
    ]
    if points:
        yield Line.through(label, points, "published")
