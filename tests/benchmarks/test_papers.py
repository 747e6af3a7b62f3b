"""The benchmarks of the papers run, at a tiny size; their figures hold what the formulas say."""

import json
import math
from itertools import pairwise
from types import ModuleType

import numpy as np
import pytest

from benchmarks.papers import ding2019, ding2022, lyu2017
from benchmarks.papers.data import Source
from benchmarks.papers.workload import Choices, Items, improvement, spread
from benchmarks.report.figure import Figure, Line
from benchmarks.report.results import Record, load

PAPERS = [ding2019, ding2022, lyu2017]
COMMON = {"benchmark", "run", "commit", "packages", "machine", "seed", "scale"}
RUNS, SEED = 8, 7


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Record]]:
    """What each benchmark writes about tiny generated tables."""
    folder = tmp_path_factory.mktemp("papers")
    source = Source.of(folder, None, 0.0005)
    for paper in PAPERS:
        paper.main(source, folder, RUNS, SEED)
    names = [paper.__name__.rpartition(".")[2] for paper in PAPERS]
    return {name: load(folder / f"{name}.jsonl") for name in names}


def of(results: dict[str, list[Record]], paper: ModuleType) -> list[Record]:
    return results[paper.__name__.rpartition(".")[2]]


def line(figure: Figure, label: str, style: str) -> Line:
    [found] = [line for line in figure.lines if (line.label, line.style) == (label, style)]
    return found


@pytest.mark.parametrize("paper", PAPERS)
def test_records_say_what_was_run(results: dict[str, list[Record]], paper: ModuleType) -> None:
    records = of(results, paper)
    assert records
    for record in records:
        assert record.keys() >= COMMON | {"kind", "runs", "workload_seed"}
        assert record["workload_seed"] == SEED
        assert 1 <= record["runs"] <= RUNS
        assert not record.get("own")
        assert not record.get("published") or set(record["published"].values()) == {None}


@pytest.mark.parametrize("paper", PAPERS)
def test_tables_have_their_columns(results: dict[str, list[Record]], paper: ModuleType) -> None:
    for header, rows in paper.tables(of(results, paper)):
        assert rows
        assert {len(row) for row in rows} == {len(header)}


@pytest.mark.parametrize("paper", PAPERS)
def test_figures_have_names_of_their_own_and_ascend(
    results: dict[str, list[Record]], paper: ModuleType
) -> None:
    figures = list(paper.figures(of(results, paper)))
    assert figures
    assert len({figure.name for figure in figures}) == len(figures)
    for figure in figures:
        assert figure.meaning.count(". ") == 0
        assert figure.meaning.endswith(".")
        for found in figure.lines:
            assert all(a < b for a, b in pairwise(found.x))
            assert all(math.isfinite(y) for y in found.y)


@pytest.mark.parametrize("paper", PAPERS)
def test_without_records_there_is_no_figure(paper: ModuleType) -> None:
    assert list(paper.figures([])) == []


def test_ding2019_has_all_its_figures(results: dict[str, list[Record]]) -> None:
    names = {figure.name for figure in ding2019.figures(of(results, ding2019))}
    kinds = ("1a", "1b", "2", "3-answers", "3-quality", "4")
    assert names >= {f"ding2019-{kind}-retail" for kind in kinds}
    sets = {record["set"] for record in of(results, ding2019)}
    assert sets == {"t10i4", "retail", "kosarak", "bms_pos", "t40i10"}


def test_ding2019_predicts_by_the_closed_formulas(results: dict[str, list[Record]]) -> None:
    figures = {figure.name: figure for figure in ding2019.figures(of(results, ding2019))}
    found = line(figures["ding2019-1b-retail"], "top-k, Laplace", "predicted")
    assert found.y == tuple(round(100 * (k - 1) / (2 * k), 2) for k in found.x)
    found = line(figures["ding2019-1a-retail"], "sparse vector", "predicted")
    for k, y in zip(found.x, found.y, strict=True):
        gap = (1 + k ** (2 / 3)) ** 3
        assert y == pytest.approx(100 * (1 - gap / (gap + k * k)), abs=0.01)
    most = line(figures["ding2019-3-answers-retail"], "most there can be", "predicted")
    assert most.y == tuple(2 * k - 1 for k in most.x)


@pytest.mark.parametrize(("k", "sparse"), [(2, 18.8), (10, 35.8), (24, 41.6)])
def test_theory_is_that_of_the_published_table(k: int, sparse: float) -> None:
    assert ding2019.sparse_theory(k) == pytest.approx(sparse, abs=0.05)
    assert ding2022.theory(k) == pytest.approx(4 / 3 * ding2019.laplace_theory(k))


@pytest.mark.parametrize("k", [2, 10, 24])
def test_gls_theory_is_the_variance_of_the_estimator(k: int) -> None:
    """By linear algebra: k counts measured, and once more with one noise in common."""
    share = 1 + k ** (2 / 3)
    own, common, measured = share**2 * k ** (2 / 3), share**2, float(k**2)
    levels = own * np.eye(k) + common * np.ones((k, k))
    variance = np.linalg.inv(np.linalg.inv(levels) + np.eye(k) / measured)
    assert ding2019.gls_theory(k) == pytest.approx(100 * (1 - variance[0, 0] / measured))


def test_ding2019_counts_what_is_left(results: dict[str, list[Record]]) -> None:
    for record in of(results, ding2019):
        if record["kind"] == "adaptive":
            value = {name: middle for name, (middle, _) in record["measured"].items()}
            assert 0 <= value["left"] <= ding2019.left_at_most(record["k"]) + 0.1
            assert value["adaptive_clear"] <= value["adaptive_answers"] <= 2 * record["k"] - 1
            assert value["plain_answers"] <= record["k"]


def test_a_sparse_vector_may_find_nothing_in_all_its_runs() -> None:
    """Seldom, and so written down as no share rather than as a failure of the benchmark."""
    items = Items("some", own=False, counts=np.arange(100, dtype=np.int64))
    record = ding2019.do(ding2019.Job("sparse", items, 2, "1", runs=0, seed=SEED))
    assert record["below_threshold"] is None
    assert record["excess_of_those"] is None


def test_ding2022_predicts_by_the_closed_formulas(results: dict[str, list[Record]]) -> None:
    figures = {figure.name: figure for figure in ding2022.figures(of(results, ding2022))}
    found = line(figures["ding2022-counts-retail"], "even split", "predicted")
    assert found.y == tuple(200 * (k - 1) / (3 * k) for k in found.x)
    found = line(figures["ding2022-gap"], "Theorem 6", "predicted")
    for theta, y in zip(found.x, found.y, strict=True):
        assert y == pytest.approx((1 + math.exp(-theta)) * math.log(1 + math.exp(theta)))
    found = line(figures["ding2022-p-value"], "the most there may be", "predicted")
    assert found.x == found.y


@pytest.mark.parametrize("theta", [-1.0, 0.0, 3.0])
def test_the_mean_gap_is_the_integral_of_its_distribution(theta: float) -> None:
    t = np.linspace(0, 60, 600_001)
    tail = np.array([ding2022.gap_at_least(float(x), theta) for x in t[::100]])
    assert np.trapezoid(tail, t[::100]) == pytest.approx(ding2022.mean_gap(theta), rel=1e-4)


@pytest.mark.parametrize("theta", [-1.0, 0.0, 8.0])
def test_epsilon_is_found_for_theta(theta: float) -> None:
    counts = np.array([900, 1000, 700, *[10] * 50])
    epsilon = ding2022.epsilon_for(counts, theta)
    assert ding2022.theta_of(counts, float(epsilon)) == pytest.approx(theta, abs=1e-4)


def test_distance_is_that_of_the_distribution_functions() -> None:
    """Quantiles of the ideal distribution are as near as a sample can be; twice as large ones are not."""
    theta, n = 1.0, 1000
    tails = (np.arange(n) + 0.5)[::-1] / n
    gaps = theta + np.log((1 + math.exp(-theta)) / tails - 1)
    assert ding2022.distance(gaps, theta) == pytest.approx(0.5 / n, abs=1e-9)
    assert ding2022.distance(2 * gaps, theta) > 0.1


def test_lyu2017_predicts_by_the_closed_formulas(results: dict[str, list[Record]]) -> None:
    [figure] = [f for f in lyu2017.figures(of(results, lyu2017)) if f.name == "lyu2017-splits"]
    parts = {"1:1": lambda _: 1, "1:3": lambda _: 3, "1:k": lambda k: k, "1:k^(2/3)": lambda k: k ** (2 / 3)}
    for split, part in parts.items():
        found = line(figure, split, "predicted")
        for k, y in zip(found.x, found.y, strict=True):
            threshold = 1 / (1 + part(k))
            assert y == pytest.approx(math.sqrt(2 / threshold**2 + 2 * (k / (1 - threshold)) ** 2))
            assert y >= lyu2017.least_deviation(int(k)) * (1 - 1e-9)


def test_rates_of_a_split_spend_epsilon() -> None:
    for parts in (1.0, 3.0, 25 ** (2 / 3)):
        threshold, answer = lyu2017._rates(lyu2017.Fraction("0.1"), 25, parts)
        assert threshold + 25 * answer == lyu2017.Fraction("0.1")


def test_lyu2017_counts_each_way(results: dict[str, list[Record]]) -> None:
    errors = [record for record in of(results, lyu2017) if record["kind"] == "errors"]
    assert {record["set"] for record in errors} >= {"retail", "kosarak"}
    for record in errors:
        for rate in lyu2017.RATES:
            assert record[rate].keys() == set(lyu2017.WAYS)
            assert all(0 <= middle <= 1 for middle, _ in record[rate].values())


def test_lyu2017_draws_both_error_rates_by_k(results: dict[str, list[Record]]) -> None:
    [record] = [r for r in of(results, lyu2017) if r["kind"] == "errors" and r["set"] == "retail"]
    figures = list(lyu2017.figures([record, {**record, "k": record["k"] + 1}]))
    assert len(figures) == 4
    for figure in figures:
        assert figure.x == "k"
        assert figure.y in lyu2017.RATES.values()
        assert {line.label for line in figure.lines} <= set(lyu2017.WAYS)
        assert all(line.x == (record["k"], record["k"] + 1) for line in figure.lines)


def test_error_rates() -> None:
    top = np.array([9, 7, 7])
    assert lyu2017.error_rates(np.array([7, 9, 7, 100]), top) == (0.0, 0.0)
    assert lyu2017.error_rates(np.array([], dtype=np.int64), top) == (1.0, 1.0)
    assert lyu2017.error_rates(np.array([9, 5]), top) == (1 - 14 / 23, 1 - 1 / 3)


def test_choices_come_from_the_seed() -> None:
    items = Items("some", own=False, counts=np.arange(100, dtype=np.int64))
    first, again, other = (Choices(items, 3, np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert [first.threshold() for _ in range(9)] == [again.threshold() for _ in range(9)]
    assert (first.order() == again.order()).all()
    assert (first.order() != other.order()).any()
    chosen = {first.threshold() for _ in range(2000)}
    assert chosen == {99 - rank for rank in range(6, 24)}


def test_improvement_is_that_of_the_means() -> None:
    assert improvement([1.0, 3.0], [4.0, 4.0]) == {"improvement": 50.0, "error": 25.0}
    paired = improvement([1.0, 3.0], [2.0, 6.0])
    assert paired == {"improvement": 50.0, "error": 0.0}


def test_jobs_are_spread_over_processes() -> None:
    assert list(spread(divmod_of, [7, 8, 9], runs=10)) == list(spread(divmod_of, [7, 8, 9], runs=10_000))


def divmod_of(number: int) -> Record:
    return {"quotient": number // 2, "rest": number % 2}


def test_a_line_has_as_many_x_as_y() -> None:
    with pytest.raises(ValueError, match="2 x but 1 y"):
        Line("short", (1.0, 2.0), (1.0,))
    found = Line.through("sorted", [(2, 5, 0.5), (1, 4, 0.25)])
    assert (found.x, found.y, found.error) == ((1, 2), (4, 5), (0.25, 0.5))
    figure = Figure("name", "title", "meaning.", "x", "y", (found,))
    assert list(figure.of_style("measured")) == [found]
    assert not list(figure.of_style("published"))


def test_records_are_json(results: dict[str, list[Record]]) -> None:
    for records in results.values():
        assert json.loads(json.dumps(records, allow_nan=False)) == records
