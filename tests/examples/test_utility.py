"""The promises of docs/EXAMPLES.md, exactly where a law is known, else by experiment.

Noise and samples are seeded; with fresh ones each test would fail with a probability of at most a millionth.
"""

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest

from dpduck.kernel.mechanisms.selection import exponential
from dpduck.kernel.scores import PlainScores
from tests.examples.document import define, seeded
from tests.examples.laws import law, loss, most, rate_of
from tests.sources import Seeded

RUNS = 1000
BETA = 0.05


def lost(scores: list[int], epsilon: str, sensitivity: int, name: str, *, monotonic: bool) -> list[int]:
    """By how much each of the winners is worse than the best."""
    entropy, vector = Seeded("examples", "utility", name), PlainScores(np.array(scores, dtype=np.int64))
    winners = (
        exponential(vector, Fraction(epsilon), entropy, monotonic=monotonic, sensitivity=sensitivity)
        for _ in range(RUNS)
    )
    return [max(scores) - scores[winner.candidate] for winner in winners]


def worst_case(items: int, sensitivity: int, epsilon: float, *, monotonic: bool) -> list[int]:
    """One best item, and all others just where the promise begins to fail: there it is nearly tight."""
    bound = loss(epsilon, sensitivity, items, BETA, monotonic=monotonic)
    return [math.ceil(bound)] + [0] * (items - 1)


@pytest.mark.parametrize("monotonic", [True, False])
@pytest.mark.parametrize(("items", "sensitivity"), [(20, 100), (36, 1), (400, 4)])
def test_the_promise_is_kept_and_is_tight(items: int, sensitivity: int, *, monotonic: bool) -> None:
    """Failures are as many as the law says, at most beta; and many more if the noise were twice as large."""
    epsilon = "0.02"  # bounds in the hundreds, so that rounding them up matters little
    scores = worst_case(items, sensitivity, float(epsilon), monotonic=monotonic)
    bound = loss(float(epsilon), sensitivity, items, BETA, monotonic=monotonic)
    rate = rate_of(float(epsilon), sensitivity, monotonic=monotonic)
    failing = 1 - law(scores, rate)[0]
    assert 0.8 * BETA < failing <= BETA
    name = f"tight {items} {monotonic}"
    failed = sum(x >= bound for x in lost(scores, epsilon, sensitivity, name, monotonic=monotonic))
    assert failed <= most(RUNS, failing)
    assert RUNS - failed <= most(RUNS, 1 - failing)
    assert 1 - law(scores, rate / 2)[0] > 0.4


def test_the_mean_loss_is_at_most_that_of_the_text() -> None:
    """Exactly, for score vectors of all shapes; 1 best of H with the others at ln(H) / r comes near."""
    random = np.random.default_rng(1)
    for items, spread, rate in itertools.product((2, 7, 100), (0.1, 1, 10, 1000), (0.01, 1)):
        scores = (random.exponential(spread, items) / rate).tolist()
        mean = sum(p * q for p, q in zip(law(scores, rate), scores, strict=True))
        assert max(scores) - mean <= math.log(items) / rate
    near = [math.log(10**6)] + [0.0] * (10**6 - 1)
    assert near[0] * (1 - law(near, 1)[0]) > 0.4 * math.log(10**6)


# Digital goods


def crowds(count: int) -> list[list[int]]:
    """Valuations in cents of crowds of different sizes and tastes."""
    random = np.random.default_rng(7)
    shapes = [(*random.uniform(0.5, 4, 2), random.integers(5, 400)) for _ in range(count)]
    return [np.ceil(100 * random.beta(a, b, n)).astype(int).tolist() for a, b, n in shapes]


def test_digital_goods_bring_what_is_promised(monkeypatch: pytest.MonkeyPatch) -> None:
    """In SQL: 20 crowds, 50 runs each."""
    failed, bound = 0, loss(0.5, 100, 20, BETA, monotonic=True)
    with seeded(monkeypatch, "examples", "crowds") as con:
        define(con, "cents", "buyers", "sales")
        for crowd in crowds(20):
            con.execute("DELETE FROM buyers")
            con.execute("INSERT INTO buyers SELECT unnest(?::INTEGER[])", [crowd])
            failing = con.execute(
                "SELECT revenue FROM (SELECT dp_select(price, revenue, 0.5, sensitivity := 100, "
                "monotonic := true) AS w FROM sales, range(50) AS r(run) GROUP BY run) "
                "JOIN sales ON price = w.item WHERE revenue <= (SELECT max(revenue) FROM sales) - ?",
                [bound],
            )
            failed += len(failing.fetchall())
    assert failed <= most(RUNS, BETA)


def test_the_grid_costs_at_most_its_step_for_each_buyer() -> None:
    """The best price of all is some buyer's valuation."""
    for crowd in crowds(200):
        best = max(income(price, crowd) for price in crowd)
        on_grid = max(income(price, crowd) for price in range(5, 101, 5))
        assert best - 5 * len(crowd) < on_grid <= best


def income(price: int, crowd: Sequence[int]) -> int:
    return price * sum(valuation >= price for valuation in crowd)


# Classifiers


RULES = [(feature, t, above) for feature in (0, 1) for t in range(10, 100, 10) for above in (True, False)]


def sample(random: np.random.Generator, n: int, flipped: float) -> tuple[np.ndarray, np.ndarray]:
    """Points of a uniform law on a grid of 100 by 100, and their labels x >= 40, some of them wrong."""
    points = random.integers(0, 100, (n, 2))
    return points, (points[:, 0] >= 40) ^ (random.random(n) < flipped)


def right_answers(points: np.ndarray, labels: np.ndarray) -> list[int]:
    return [int((labels == (above == (points[:, f] >= t))).sum()) for f, t, above in RULES]


def errors(flipped: float) -> list[float]:
    """How often each rule is wrong under the law."""
    grid = np.array(list(itertools.product(range(100), repeat=2)))
    wrong = [1 - right / len(grid) for right in right_answers(grid, grid[:, 0] >= 40)]
    return [w + flipped - 2 * w * flipped for w in wrong]


def failures(n: int, epsilon: str, flipped: float, allowed: float, samples: int) -> int:
    """How often the chosen rule is wrong on more than is allowed, a fresh sample each time."""
    random, entropy = np.random.default_rng(n), Seeded("examples", "learning", n, epsilon, flipped)
    failed, error = 0, errors(flipped)
    for _ in range(samples):
        scores = PlainScores(np.array(right_answers(*sample(random, n, flipped))))
        chosen = exponential(scores, Fraction(epsilon), entropy, monotonic=True).candidate
        failed += error[chosen] > allowed + 1e-12
    return failed


@pytest.mark.parametrize(("epsilon", "alpha"), [("0.25", 0.1), ("0.05", 0.1), ("1", 0.1), ("0.25", 0.25)])
def test_a_rule_is_learned_from_as_many_rows_as_the_text_says(epsilon: str, alpha: float) -> None:
    """And not from a fiftieth of them."""
    n = math.ceil(2 / alpha * max(4, 1 / float(epsilon)) * math.log(2 * len(RULES) / BETA))
    assert failures(n, epsilon, 0, alpha, 300) <= most(300, BETA)
    assert failures(n // 50, epsilon, 0, alpha, 300) > most(300, BETA)


@pytest.mark.parametrize(("n", "epsilon", "flipped"), [(300, "0.1", 0.1), (1000, "0.05", 0.3)])
def test_a_noisy_rule_is_learned_within_the_bound(n: int, epsilon: str, flipped: float) -> None:
    sampling = 2 * math.sqrt(math.log(4 * len(RULES) / BETA) / (2 * n))
    selection = math.log(2 * len(RULES) / BETA) / (float(epsilon) * n)
    allowed = min(errors(flipped)) + sampling + selection
    assert allowed < max(errors(flipped))
    assert failures(n, epsilon, flipped, allowed, 300) <= most(300, BETA)


def test_the_steps_of_the_proof() -> None:
    """Chernoff and Hoeffding as used, against exact binomial tails."""
    for n, alpha in itertools.product((20, 100, 582), (0.05, 0.1, 0.3)):
        few = sum(mass(n, k, alpha) for k in range(math.floor(alpha * n / 2) + 1))
        assert few <= math.exp(-alpha * n / 8)
        tau = math.sqrt(math.log(4 * 36 / BETA) / (2 * n))
        far = sum(mass(n, k, alpha) for k in range(n + 1) if abs(k / n - alpha) > tau)
        assert 36 * far <= BETA / 2


def mass(n: int, k: int, p: float) -> float:
    return math.comb(n, k) * p**k * (1 - p) ** (n - k)


def test_the_view_counts_right_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    points, labels = sample(np.random.default_rng(3), 50, 0.2)
    with seeded(monkeypatch) as con:
        define(con, "rules", "points", "lessons")
        con.execute("DELETE FROM points")
        rows = [points[:, 0].tolist(), points[:, 1].tolist(), labels.tolist()]
        con.execute(
            "INSERT INTO points SELECT unnest(?::INTEGER[]), unnest(?::INTEGER[]), unnest(?::BOOLEAN[])", rows
        )
        found = dict(con.execute("FROM lessons").fetchall())
    names = [f"{'xy'[f]} {'>=' if above else '<'} {t}" for f, t, above in RULES]
    assert found == dict(zip(names, right_answers(points, labels), strict=True))


# Synthetic tables


def conjunctions() -> np.ndarray:
    """For each of the 27 questions, whether each of the 8 answers satisfies it."""
    pairs = [(m, v) for m in range(8) for v in range(8) if v & m == v]
    return np.array([[answer & m == v for answer in range(8)] for m, v in pairs], dtype=np.int64)


def tables() -> np.ndarray:
    """All tables of at most 6 rows, as how often each of the 8 answers is in them."""
    rows = [t for m in range(7) for t in itertools.combinations_with_replacement(range(8), m)]
    return np.array([np.bincount(t, minlength=8) for t in map(list, rows)], dtype=np.int64)


QUESTIONS, TABLES = conjunctions(), tables()


def worst_errors(people: np.ndarray) -> np.ndarray:
    """Of each table, over all questions; `people` says how many gave each answer."""
    counts = 100 * TABLES @ QUESTIONS.T
    result: np.ndarray = np.abs(counts - people @ QUESTIONS.T).max(axis=1)
    return result


def surveys(count: int) -> list[np.ndarray]:
    random = np.random.default_rng(11)
    return [random.multinomial(random.integers(1, 700), random.dirichlet([0.4] * 8)) for _ in range(count)]


def test_the_view_is_the_score_that_is_tested_here(monkeypatch: pytest.MonkeyPatch) -> None:
    with seeded(monkeypatch) as con:
        define(con, "questions", "candidates", "survey", "fit")
        found = dict(con.execute("SELECT people::VARCHAR, score FROM fit").fetchall())
    people = np.array([212, 95, 8, 103, 87, 5, 11, 94])
    names = [str(np.repeat(np.arange(8), table).tolist()) for table in TABLES]
    assert found == dict(zip(names, (-worst_errors(people)).tolist(), strict=True))


@pytest.mark.parametrize("epsilon", ["0.1", "1"])
def test_all_questions_are_answered_within_the_promise(epsilon: str) -> None:
    """50 surveys, 20 runs each: the worst error of 27 is that of the best table and a little more."""
    entropy, failed = Seeded("examples", "survey", epsilon), 0
    bound = loss(float(epsilon), 1, len(TABLES), BETA, monotonic=False)
    for people in surveys(50):
        error = worst_errors(people)
        scores = PlainScores(-error)
        for _ in range(20):
            chosen = exponential(scores, Fraction(epsilon), entropy, monotonic=False).candidate
            failed += error[chosen] >= error.min() + bound
    assert failed <= most(RUNS, BETA)


def test_a_table_of_few_rows_is_as_good_as_the_text_says() -> None:
    """Claim 7, for every number of rows, with the difference of the sizes added."""
    sizes = TABLES.sum(axis=1)
    for people, m in itertools.product(surveys(100), range(1, 7)):
        n = int(people.sum())
        allowed = n * math.sqrt(math.log(2 * len(QUESTIONS)) / (2 * m)) + abs(n - 100 * m)
        assert worst_errors(people)[sizes == m].min() <= allowed
