"""`python -m benchmarks mckenna2020`: permute-and-flip against the exponential mechanism and noisy max.

McKenna and Sheldon, Permute-and-flip: a new mechanism for differentially private selection (NeurIPS 2020),
sections 4 and 6. Candidates are the 1024 bins of three histograms. The mode's scores are counts, with coins
exp(-epsilon): a record moves all scores that it moves in one direction. The median's are rank scores, with
coins exp(-epsilon / 2). Errors are how far the winner's score is below the best: records for the mode, score
units for the median. (The paper's plots take the coin exp(-epsilon / 2) for the mode with scores twice as
large, so that errors in its units are twice as many.)

Predicted errors are exact expectations (tests/oracles; noisy max by an integral). Measured ones are drawn
from the mechanisms, and from `dp_mode` and `dp_median` in SQL over one row per record.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from statistics import fmean, stdev

import duckdb
import numpy as np

import dpduck
from benchmarks.papers.data import Source
from benchmarks.report.figure import Figure, Line
from benchmarks.report.results import Record, Run, table
from dpduck.kernel.mechanisms.quantile import QuantileScores, ValueCounts
from dpduck.kernel.mechanisms.selection import exponential, permute_and_flip
from dpduck.kernel.mechanisms.topk import top_k
from dpduck.kernel.noise import Entropy
from dpduck.kernel.scores import PlainScores, Scores
from tests.oracles.figures import error_at, load, rate_for_error
from tests.oracles.selection import Groups, median_scores
from tests.sources import Seeded

HEADER = ["set", "figure", "epsilon", "published", "exact", "off by %", "drawn", "from SQL"]
COSTS_HEADER = [
    "set",
    "exponential's error",
    "permute-and-flip's",
    "epsilon",
    "epsilon to match it",
    "more %",
]

FLIP, RIVAL, LAPLACE = "permute_and_flip", "exponential", "noisy_max"
WORDS = {FLIP: "permute-and-flip", RIVAL: "exponential mechanism", LAPLACE: "noisy max with Laplace noise"}

SETS = ("hepth", "searchlogs", "patent")
KINDS = ("mode", "median")
TARGETS = {"mode": 25, "median": 50}  # the exponential mechanism's error in the paper's third figure

# Where the exponential mechanism's error is the target: epsilon, permute-and-flip's error, the ratio.
EQUAL_ERROR = {
    ("hepth", "mode"): ("0.016995", 16.43, 1.522),
    ("searchlogs", "mode"): ("0.001658", 12.57, 1.988),
    ("patent", "mode"): ("0.008542", 13.66, 1.831),
    ("hepth", "median"): ("0.008767", 26.76, 1.869),
    ("searchlogs", "median"): ("0.004384", 25.79, 1.939),
    ("patent", "median"): ("0.000886", 25.10, 1.992),
}


@dataclass(frozen=True)
class Published:
    """Errors at one epsilon. `units`: how many of the paper's units one of ours is."""

    name: str
    kind: str
    epsilon: str
    errors: Mapping[str, float]
    ratio: float | None = None
    units: int = 1


SINGLES = (
    Published("hepth", "mode", "0.01", {FLIP: 105.0, RIVAL: 138.8, LAPLACE: 120.1}),
    Published("hepth", "mode", "0.02", {FLIP: 10.9, RIVAL: 17.1, LAPLACE: 17.3}),
    Published("hepth", "mode", "0.04", {FLIP: 5.32, RIVAL: 9.79}, ratio=1.84, units=2),
    Published("hepth", "median", "0.01", {FLIP: 17.23, RIVAL: 32.89}),
    Published("searchlogs", "median", "0.005", {FLIP: 15.6, RIVAL: 30.7, LAPLACE: 46.3}),
    Published("patent", "mode", "0.01", {FLIP: 8.9, RIVAL: 16.7, LAPLACE: 21.1}),
)

_POINTS = 30  # of each exact curve
_MEASURED = 6  # of each drawn one, and the published ones
_LEAST_ERROR = 1.0  # the paper's plots stop there
_SPAN = 25  # the curves start at this part of the epsilon at which they stop
_CALLS = 100  # calls in one query: each of them draws, while the values are listed once
_VALUES = 2_000_000_000  # that many values are read in all; more draws are not taken
_CURVE_SHARE = 4  # one draw for a point of a curve for so many for a published figure
_SQL_SHARE = 40  # one draw through SQL for so many direct ones
_WORTH_DRAWING = 1.01  # less than one per cent more epsilon is left out
_WORST_SIZES = (2, 16, 256)
_WORST_RATE = Fraction(1, 1000)  # small, so that whole scores come near to any coin


# --- running ---------------------------------------------------------------------------------------


def main(source: Source, folder: Path, runs: int, seed: int) -> None:
    """Measure all errors, print the figures, and add them to the result file."""
    run = Run.start("mckenna2020", source.scale)
    found: list[Record] = []
    for record in records(source, runs, seed):
        found.append({**record, "runs": runs, "draws_seed": seed})
        print(f"{record['kind']} {record.get('set', '')} {record.get('statistic', '')}: done", flush=True)
    path = run.write(folder, found)
    for header, cells in tables(found):
        print("\n" + table(header, cells))
    print(f"\nWritten to {path.name}: run {run.facts['run']}.")


def records(source: Source, runs: int, seed: int) -> Iterator[Record]:
    """Published figures, then curves, for each set and statistic; then the worst case of any scores."""
    histograms = load(source.path("histograms"))
    own = source.own("histograms")
    for kind in KINDS:
        for name in SETS:
            task = Task(name, kind, histograms[name], own, seed)
            yield equal_error(task, runs)
            yield from (single(task, given, runs) for given in SINGLES if given_for(given, task))
            yield curve(task, max(runs // _CURVE_SHARE, 2))
    yield from (worst_case(size, runs, seed) for size in _WORST_SIZES)


@dataclass(frozen=True)
class Task:
    """One statistic of one histogram. Drawn noise is seeded by `seed`; what SQL draws cannot be."""

    name: str
    kind: str
    histogram: Sequence[int]
    own: bool
    seed: int

    @property
    def monotonic(self) -> bool:
        """Whether a record moves all scores in one direction."""
        return self.kind == "mode"

    @property
    def scores(self) -> Sequence[int]:
        """The score of each bin."""
        return self.histogram if self.monotonic else median_scores(self.histogram)

    @property
    def groups(self) -> Groups:
        """Scores with their multiplicities."""
        values, counts = np.unique(np.array(self.scores, dtype=np.int64), return_counts=True)
        return dict(zip(values.tolist(), counts.tolist(), strict=True))

    @property
    def losses(self) -> list[int]:
        """How far the score of each bin is below the best."""
        best = max(self.scores)
        return [best - score for score in self.scores]

    def rate(self, epsilon: Fraction | float) -> Fraction:
        """The rate of the coins and of the noise."""
        return Fraction(epsilon) if self.monotonic else Fraction(epsilon) / 2

    def facts(self, kind: str) -> Record:
        """What all records of this task say."""
        return {"kind": kind, "set": self.name, "statistic": self.kind, "own": self.own}

    def entropy(self, *name: object) -> Entropy:
        """The source of the noise of one series."""
        return Seeded("mckenna2020", self.seed, self.name, self.kind, *name)


def given_for(given: Published, task: Task) -> bool:
    """Whether the published errors are of this task."""
    return (given.name, given.kind) == (task.name, task.kind)


# --- what is compared ------------------------------------------------------------------------------


def equal_error(task: Task, runs: int) -> Record:
    """The epsilon at which the exponential mechanism has the target error, and permute-and-flip's there.

    Exact errors are at the exact epsilon; measured ones are at the published one.
    """
    published, flip, ratio = EQUAL_ERROR[task.name, task.kind]
    target, groups = TARGETS[task.kind], task.groups
    rate = rate_for_error(groups, target)
    exact_flip, exact_rival = error_at(groups, Fraction(rate))
    matching = rate_for_error(groups, exact_flip)
    losses = task.losses
    sql = _summary(from_sql(task, published, max(runs // _SQL_SHARE, 2), losses))
    return {
        **task.facts("equal_error"),
        "epsilon": published,
        "published": {"epsilon": float(published), FLIP: flip, RIVAL: target, "ratio": ratio},
        "exact": {
            "epsilon": round(rate if task.monotonic else 2 * rate, 9),
            FLIP: round(exact_flip, 4),
            RIVAL: round(exact_rival, 4),
            "ratio": round(exact_rival / exact_flip, 4),
        },
        "more_epsilon": round(matching / rate, 4),
        "drawn": {name: drawn(task, name, published, runs, losses) for name in (FLIP, RIVAL)},
        "sql": {FLIP: sql},
    }


def single(task: Task, given: Published, runs: int) -> Record:
    """Errors at one published epsilon, in the units in which they were published."""
    exact = exact_errors(task, Fraction(given.epsilon))
    losses = task.losses
    measured = {name: drawn(task, name, given.epsilon, runs, losses) for name in given.errors}
    scaled = {name: round(exact[name] * given.units, 4) for name in given.errors}
    published: Record = dict(given.errors)
    if given.ratio is not None:
        published["ratio"] = given.ratio
        scaled["ratio"] = round(exact[RIVAL] / exact[FLIP], 4)
    return {
        **task.facts("single"),
        "epsilon": given.epsilon,
        "units": given.units,
        "published": published,
        "exact": scaled,
        "drawn": measured,
    }


def curve(task: Task, runs: int) -> Record:
    """Errors against epsilon: exact for many, drawn for some."""
    groups, losses = task.groups, task.losses
    last = rate_for_error(groups, _LEAST_ERROR) * (1 if task.monotonic else 2)
    epsilons = np.geomspace(last / _SPAN, last, _POINTS)
    exact = [exact_errors(task, epsilon) for epsilon in epsilons]
    chosen = [f"{epsilon:.4g}" for epsilon in np.geomspace(last / _SPAN, 0.8 * last, _MEASURED)]
    return {
        **task.facts("curve"),
        "epsilon": [round(float(epsilon), 8) for epsilon in epsilons],
        "exact": {name: [round(errors[name], 5) for errors in exact] for name in WORDS},
        "more_epsilon": [_more_epsilon(groups, errors) for errors in exact],
        "drawn": {name: [[float(e), drawn(task, name, e, runs, losses)] for e in chosen] for name in WORDS},
    }


def _more_epsilon(groups: Groups, errors: Mapping[str, float]) -> float:
    """How much more epsilon the exponential mechanism takes for permute-and-flip's error."""
    return round(rate_for_error(groups, errors[FLIP]) / rate_for_error(groups, errors[RIVAL]), 4)


def exact_errors(task: Task, epsilon: Fraction | float) -> dict[str, float]:
    """The expected errors of the three mechanisms."""
    groups, rate = task.groups, task.rate(epsilon)
    flip, rival = error_at(groups, rate)
    return {FLIP: flip, RIVAL: rival, LAPLACE: noisy_max_error(groups, float(rate))}


def noisy_max_error(groups: Groups, rate: float) -> float:
    """The expected error of the largest of score + Laplace noise of scale 1 / rate, by an integral.

    With the best score as 0 and losses l, it is the integral over x of the product of F(x + l), the chance
    that all noisy scores are below x, times the sum of l f(x + l) / F(x + l). The trapezoidal rule has
    an error of about the square of a step, which is 1/100 of a scale.

    >>> round(noisy_max_error({0: 1, -2: 1}, 0.5), 4)  # 2 (1/2 + 1/4) / e
    0.5518
    """
    best = max(groups)
    losses = np.array([best - score for score in groups], dtype=np.float64) * rate
    sizes = np.array(list(groups.values()), dtype=np.float64)
    x = np.arange(-25.0, 25.0 + math.log(sizes.sum()), 0.01)
    below, weighted = np.zeros_like(x), np.zeros_like(x)
    for loss, size in zip(losses, sizes, strict=True):
        y = x + loss
        log_f = np.where(y < 0, y - math.log(2), np.log1p(-np.exp(-np.abs(y)) / 2))
        below += size * log_f
        weighted += size * loss * np.exp(-np.abs(y) - log_f) / 2
    return float(np.trapezoid(np.exp(below) * weighted, x)) / rate


def worst_case(size: int, runs: int, seed: int) -> Record:
    """The scores that are worst for both mechanisms: all but one of `size` equal, and the coin p of those.

    Proposition 4: the chance of a wrong winner is 1 - (1 - (1 - p)^n) / (n p) for permute-and-flip, and
    1 - 1 / (1 + (n - 1) p) for the exponential mechanism.
    """
    coins = np.geomspace(0.001, 0.999, 61).tolist()
    return {
        "kind": "worst",
        "size": size,
        "coins": [round(coin, 5) for coin in coins],
        "ratio": [round(worst_ratio(size, coin), 5) for coin in coins],
        "drawn": [[coin, *drawn_ratio(size, coin, runs, seed)] for coin in (0.01, 0.03, 0.1, 0.3, 0.7)],
    }


def worst_ratio(size: int, coin: float) -> float:
    """How much larger the exponential mechanism's error is.

    >>> worst_ratio(2, 0.5)
    1.3333333333333333
    """
    flip = 1 + math.expm1(size * math.log1p(-coin)) / (size * coin)
    rival = (size - 1) * coin / (1 + (size - 1) * coin)
    return rival / flip


def drawn_ratio(size: int, coin: float, runs: int, seed: int) -> tuple[float, float]:
    """The ratio of the two mechanisms' errors in draws, with its standard error."""
    scores = np.full(size, round(math.log(coin) / float(_WORST_RATE)), dtype=np.int64)
    scores[0] = 0
    entropy = Seeded("mckenna2020", seed, size, coin)
    shares = []
    for mechanism in (exponential, permute_and_flip):
        draws = (mechanism(PlainScores(scores), _WORST_RATE, entropy, monotonic=True) for _ in range(runs))
        shares.append(max(fmean(draw.candidate != 0 for draw in draws), 1 / runs))
    ratio = shares[0] / shares[1]
    return round(ratio, 4), round(ratio * math.sqrt(sum((1 - s) / (s * runs) for s in shares)), 4)


# --- drawing ---------------------------------------------------------------------------------------


def drawn(task: Task, name: str, epsilon: str, runs: int, losses: Sequence[int]) -> Record:
    """The mean error of draws from one mechanism."""
    draw = _drawer(task, name, epsilon)
    return _summary([losses[draw()] for _ in range(runs)])


def _drawer(task: Task, name: str, epsilon: str) -> Callable[[], int]:
    entropy, given = task.entropy(name, epsilon), Fraction(epsilon)
    make, monotonic = _scores(task), task.monotonic
    match name:
        case "permute_and_flip":
            return lambda: permute_and_flip(make(), given, entropy, monotonic=monotonic).candidate
        case "exponential":
            return lambda: exponential(make(), given, entropy, monotonic=monotonic).candidate
    rate = task.rate(given)
    return lambda: top_k(make(), 1, rate, entropy, noise="laplace").candidates[0]


def _scores(task: Task) -> Callable[[], Scores]:
    counts = np.array(task.histogram, dtype=np.int64)
    if task.monotonic:
        return lambda: PlainScores(counts)
    occupied = np.flatnonzero(counts)
    sample = ValueCounts(occupied, counts[occupied])
    return lambda: QuantileScores(sample, len(counts), Fraction(1, 2))


def from_sql(task: Task, epsilon: str, draws: int, losses: Sequence[int]) -> list[int]:
    """Errors of dp_mode or dp_median over a table with one row per record."""
    con = duckdb.connect()
    dpduck.register(con)
    last = len(task.histogram) - 1
    bins = [list(task.histogram), [*range(last + 1)]]
    con.execute("CREATE TABLE bins AS SELECT unnest($1) AS n, unnest($2) AS bin", bins)
    con.execute("CREATE TABLE records AS SELECT bin::INTEGER AS bin FROM bins, range(n)")
    grid = f"domain := range({last + 1})" if task.kind == "mode" else f"lo := 0, hi := {last}"
    call = f"dp_{task.kind}(bin, {epsilon}, {grid})"
    wanted = max(min(draws, _VALUES // max(sum(task.histogram), 1)), 1)
    answers: list[int] = []
    while len(answers) < wanted:
        calls = ", ".join([call] * min(_CALLS, wanted - len(answers)))
        answers += con.execute(f"SELECT {calls} FROM records").fetchone() or ()
    return [losses[answer] for answer in answers]


def _summary(errors: Sequence[int]) -> Record:
    """Mean, its standard error, and the number of draws."""
    spread = stdev(errors) / math.sqrt(len(errors)) if len(errors) > 1 else 0.0
    return {"mean": round(fmean(errors), 4), "error": round(spread, 4), "draws": len(errors)}


# --- tables ----------------------------------------------------------------------------------------


def tables(records: Sequence[Record]) -> Iterator[tuple[list[str], list[list[str]]]]:
    """Each header with its rows."""
    yield HEADER, rows(records)
    yield COSTS_HEADER, cost_rows(records)


def rows(records: Sequence[Record]) -> list[list[str]]:
    """Every published figure beside the exact one and the measured ones."""
    return [row for r in records if r["kind"] in ("equal_error", "single") for row in _rows_of(r)]


def _rows_of(record: Record) -> Iterator[list[str]]:
    at = f" where the exponential mechanism's is {record['published'][RIVAL]:g}"
    equal = record["kind"] == "equal_error"
    units = record.get("units", 1)
    for name, published in record["published"].items():
        if equal and name == RIVAL:
            continue
        exact = record["exact"][name]
        words = {"epsilon": "epsilon" + at, "ratio": "ratio of the errors"}.get(name) or WORDS[name]
        drawn, sql = (_measured(record.get(how, {}), name, units) for how in ("drawn", "sql"))
        given = [f"{published:g}", f"{exact:.4g}", f"{deviation(published, exact):+.2f}"]
        if not record["own"]:
            given[0] = given[2] = ""
        yield [_title(record), words, record["epsilon"], *given, drawn, sql]


def _title(record: Record) -> str:
    generated = "" if record["own"] else " (generated)"
    units = ", the paper's units" if record.get("units", 1) != 1 else ""
    return f"{record['set']} {record['statistic']}{units}{generated}"


def deviation(published: float, exact: float) -> float:
    """By how many percent of the published figure the exact one differs.

    >>> deviation(50.0, 75.0)
    50.0
    """
    return 100 * (exact / published - 1)


def _measured(found: Mapping[str, Record], name: str, units: int) -> str:
    if name == "ratio" and FLIP in found and found[FLIP]["mean"] and RIVAL in found:
        return f"{found[RIVAL]['mean'] / found[FLIP]['mean']:.3f}"
    if name not in found:
        return ""
    one = found[name]
    if not one["mean"]:
        return f"none in {one['draws']:,}"
    return f"{one['mean'] * units:.2f} ± {one['error'] * units:.2f} in {one['draws']:,}"


def cost_rows(records: Sequence[Record]) -> list[list[str]]:
    """How much more epsilon the exponential mechanism takes to be as exact as permute-and-flip."""
    return [
        [
            f"{r['set']} {r['statistic']}{'' if r['own'] else ' (generated)'}",
            f"{r['exact'][RIVAL]:.4g}",
            f"{r['exact'][FLIP]:.4g}",
            f"{r['exact']['epsilon']:.4g}",
            f"{r['exact']['epsilon'] * r['more_epsilon']:.4g}",
            f"{100 * r['more_epsilon'] - 100:.0f}",
        ]
        for r in records
        if r["kind"] == "equal_error"
    ]


# --- figures ---------------------------------------------------------------------------------------


def figures(records: Sequence[Record]) -> list[Figure]:
    """Error against epsilon for each set and statistic; the ratios; the worst case."""
    curves = [r for r in records if r["kind"] == "curve"]
    pictures = [_error_figure(r, records) for r in curves]
    return [*pictures, _ratio_figure(curves), _cost_figure(curves), _worst_figure(records)]


def _error_figure(record: Record, records: Sequence[Record]) -> Figure:
    name, kind = record["set"], record["statistic"]
    exact = [
        Line(words, tuple(record["epsilon"]), tuple(record["exact"][key]), "predicted")
        for key, words in WORDS.items()
    ]
    measured = [
        Line.through(words, [(e, one["mean"], one["error"]) for e, one in record["drawn"][key]])
        for key, words in WORDS.items()
    ]
    published = _published_lines(name, kind, records) if record["own"] else []
    factor = _factor(record)
    what = "most frequent value" if kind == "mode" else "median"
    return Figure(
        f"mckenna2020-{name}-{kind}",
        f"{name.upper()} {kind}: expected error",
        f"At an epsilon where the {what} is worth having, dpduck's answer is about {factor:.1f} times as "
        "exact as the exponential mechanism's, for the same privacy.",
        "epsilon",
        "expected error (records)" if kind == "mode" else "expected error (score units)",
        (*exact, *measured, *published),
    )


def _factor(record: Record) -> float:
    """The ratio where the exponential mechanism's error is near the paper's target."""
    target = TARGETS[record["statistic"]]
    errors = zip(record["exact"][RIVAL], record["exact"][FLIP], strict=True)
    rival, flip = min(errors, key=lambda pair: abs(pair[0] - target))
    return float(rival / flip)


def _published_lines(name: str, kind: str, records: Sequence[Record]) -> Iterator[Line]:
    for key, words in WORDS.items():
        points = [
            (float(r["epsilon"]), r["published"][key] / r.get("units", 1))
            for r in records
            if r["kind"] in ("equal_error", "single")
            and (r["set"], r["statistic"]) == (name, kind)
            and key in r["published"]
        ]
        if points:
            yield Line.through(words, points, "published")


def _ratio_figure(curves: Sequence[Record]) -> Figure:
    return Figure(
        "mckenna2020-ratio",
        "How much larger the exponential mechanism's error is",
        "On real data the gain of permute-and-flip is near two wherever answers are usable.",
        "expected error of the exponential mechanism",
        "exponential mechanism / permute-and-flip",
        tuple(line for record in curves for line in _ratio_lines(record)),
    )


def _ratio_lines(record: Record) -> Iterator[Line]:
    words = f"{record['set'].upper()} {record['statistic']}"
    errors = list(zip(record["exact"][RIVAL], record["exact"][FLIP], strict=True))
    yield Line.through(words, [(rival, rival / flip) for rival, flip in errors], "predicted")
    if record["own"]:
        _, flip, ratio = EQUAL_ERROR[record["set"], record["statistic"]]
        yield Line(words, (flip * ratio,), (ratio,), "published")


def _cost_figure(curves: Sequence[Record]) -> Figure:
    lines = [
        Line.through(
            f"{r['set'].upper()} {r['statistic']}",
            [(error, 100 * more - 100) for error, more in _pairs(r) if more >= _WORTH_DRAWING],
            "predicted",
        )
        for r in curves
    ]
    return Figure(
        "mckenna2020-cost",
        "More epsilon for the same error",
        "To be as exact as dpduck, the exponential mechanism would spend this much more of the budget on "
        "each answer.",
        "expected error of permute-and-flip",
        "more epsilon for the exponential mechanism (%)",
        tuple(lines),
    )


def _pairs(record: Record) -> Iterator[tuple[float, float]]:
    return zip(record["exact"][FLIP], record["more_epsilon"], strict=True)


def _worst_figure(records: Sequence[Record]) -> Figure:
    lines = []
    for r in records:
        if r["kind"] == "worst":
            words = f"{r['size']} candidates"
            lines.append(Line(words, tuple(r["coins"]), tuple(r["ratio"]), "predicted"))
            lines.append(Line.through(words, r["drawn"]))
    return Figure(
        "mckenna2020-worst",
        "The worst scores of all: one best candidate, all others equal",
        "No scores make permute-and-flip the worse of the two; the more candidates are nearly as good as the "
        "best, the clearer the winner must be for a gain.",
        "coin of the others, exp(-epsilon x distance)",
        "exponential mechanism / permute-and-flip",
        tuple(lines),
    )
