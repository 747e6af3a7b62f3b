"""The largest groups of keys from private rows: partition selection beside top-k, and how both are costed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction

import duckdb
import numpy as np
import pytest

import dpduck
from dpduck.kernel.accounting.events import GaussianKeys, PartitionSelection, PrivateTopK
from dpduck.kernel.catalog.model import Catalog, Column
from dpduck.kernel.errors import InternalError
from dpduck.kernel.mechanisms.additive import private_key_counts
from dpduck.kernel.mechanisms.gaussian_keys import gaussian_key_counts
from dpduck.kernel.mechanisms.partitions import select_partitions
from dpduck.kernel.mechanisms.private_topk import private_top_k
from dpduck.kernel.noise import Entropy
from dpduck.kernel.plan.choosing import least_count, units_to_be_found
from dpduck.kernel.plan.cost import column_error, expected_error, interval_factors
from dpduck.kernel.plan.model import EveryKey, FoundKeys, LargestKeys, Plan, Selection
from dpduck.kernel.plan.prices import event_of
from dpduck.kernel.scores import PlainScores
from tests.query.shop import plan
from tests.query.test_planner import catalog
from tests.sources import Seeded

ONE, MILLIONTH = Fraction(1), Fraction(1, 10**6)
TOP = "SELECT word, count(*) AS n FROM t GROUP BY word ORDER BY n DESC LIMIT 10"
NAMES = "SELECT word FROM t GROUP BY word ORDER BY count(*) DESC LIMIT 10"


def words(groups: int | None) -> Catalog:
    """A table whose words have no domain."""
    known = catalog(5, groups)
    table = known.tables[0]
    return replace(known, tables=(replace(table, columns=(*table.columns, Column("word", "VARCHAR"))),))


def made(query: str = TOP, groups: int | None = 4, epsilon: Fraction = ONE) -> Plan:
    return plan(query, words(groups), epsilon=epsilon, delta=MILLIONTH)


# Which plan


@pytest.mark.parametrize(
    ("query", "groups", "kind", "gaussian"),
    [
        (TOP, 1, FoundKeys, False),
        (TOP, 2, FoundKeys, False),
        (TOP, 16, FoundKeys, True),
        (TOP, 64, FoundKeys, True),
        (TOP, 1_000, LargestKeys, False),
        (TOP, None, LargestKeys, False),
        (NAMES, 16, FoundKeys, True),
        (NAMES, 200, LargestKeys, False),
        (TOP.replace("LIMIT 10", "LIMIT 1"), 1, FoundKeys, False),
        (TOP.replace("LIMIT 10", "LIMIT 1"), 16, LargestKeys, False),
        (TOP.replace("LIMIT 10", "LIMIT 20000"), 2, FoundKeys, False),
    ],
)
def test_the_least_error_decides(
    query: str, groups: int | None, kind: type[Selection], *, gaussian: bool
) -> None:
    found = made(query, groups)
    assert type(found.selection) is kind
    assert getattr(found.selection, "gaussian", False) is gaussian
    if found.alternatives:
        [taken] = [one for one in found.alternatives if one.is_taken]
        assert taken.error == min(one.error for one in found.alternatives)


def test_both_are_alternatives_and_so_are_noises() -> None:
    assert [one.title for one in made().alternatives] == [
        "noisy top-k: the 10 largest of those found in private rows",
        "partition selection: the groups found in enough private rows",
        "partition selection: the groups found in enough private rows, Gaussian noise",
    ]


@pytest.mark.parametrize(("noise", "gaussian"), [("laplace", False), ("gaussian", True)])
def test_a_noise_that_is_asked_for_is_had(noise: str, *, gaussian: bool) -> None:
    for groups in (1, 64):
        query = TOP.replace("SELECT", f"SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (noise = '{noise}')")
        assert getattr(made(query, groups).selection, "gaussian", False) is gaussian


@pytest.mark.parametrize("beside", ["dp_gap(count(*))", "dp_p_value(count(*))"])
def test_gaps_are_of_noisy_top_k(beside: str) -> None:
    query = f"SELECT word, {beside} AS b FROM t GROUP BY word ORDER BY count(*) DESC LIMIT 10"
    assert isinstance(made(query).selection, LargestKeys)


# What is charged


@pytest.mark.parametrize("groups", [2, 64])
def test_what_is_charged_is_that_of_all_counts_that_are_found(groups: int) -> None:
    event = event_of(made(groups=groups))
    assert isinstance(event, PartitionSelection if groups == 2 else GaussianKeys)
    assert (event.epsilon, event.delta) == (ONE, MILLIONTH)
    assert event == event_of(made(TOP.partition(" ORDER")[0], groups=groups))
    if isinstance(event, PartitionSelection):
        assert event.groups == groups


def test_other_numbers_have_their_shares() -> None:
    query = TOP.replace("AS n", "AS n, sum(x) AS s")
    found = made(query)
    assert isinstance(found.selection, FoundKeys)
    assert found.selection.counted == dict(found.shown)["n"]
    [measure] = found.measures
    assert found.selection.epsilon + measure.epsilon == ONE
    event = event_of(found)
    assert (event.epsilon, event.delta) == (ONE, MILLIONTH)


# How exact it is

Shows = Callable[[FoundKeys | LargestKeys, PlainScores, Entropy], tuple[int, ...]]


def _of_top(one: LargestKeys, counts: PlainScores, entropy: Entropy) -> tuple[int, ...]:
    parts = one.k, one.epsilon, one.delta
    measure = one.counted is not None
    top = private_top_k(counts, *parts, entropy, groups=one.groups, measure=measure)
    assert isinstance(top.event, PrivateTopK) is not measure
    return top.candidates


def _of_found(one: FoundKeys, counts: PlainScores, entropy: Entropy) -> tuple[int, ...]:
    assert one.groups is not None
    release = gaussian_key_counts if one.gaussian else private_key_counts
    if one.counted is None:
        return select_partitions(counts, one.epsilon, one.delta, entropy, groups=one.groups).candidates
    return release(counts, one.epsilon, one.delta, entropy, groups=one.groups).candidates


@pytest.mark.slow
@pytest.mark.nightly
@pytest.mark.parametrize("groups", [1, 20, None])
@pytest.mark.parametrize("counted", ["n", None])
@pytest.mark.parametrize("kind", ["top", "laplace", "gaussian"])
def test_a_group_of_so_many_units_is_shown_in_19_of_20_draws(
    kind: str, counted: str | None, groups: int | None
) -> None:
    """1,500 draws: 4 standard errors are 2.3 percent. A tenth fewer units are seen, where noise is wide."""
    selection: FoundKeys | LargestKeys
    if kind == "top":
        selection = LargestKeys(epsilon=ONE, delta=MILLIONTH, counted=counted, groups=groups, k=1)
    elif groups is None:
        with pytest.raises(InternalError):
            units_to_be_found(FoundKeys(epsilon=ONE, delta=MILLIONTH, counted=counted))
        return
    else:
        selection = FoundKeys(None, ONE, MILLIONTH, counted, groups, gaussian=kind == "gaussian")
    units, entropy = units_to_be_found(selection), Seeded(f"{kind} {counted} {groups}")

    def shown(count: int) -> float:
        if isinstance(selection, FoundKeys):
            return len(_of_found(selection, PlainScores(np.full(1500, count)), entropy)) / 1500
        one = PlainScores(np.array([count]))
        return sum(len(_of_top(selection, one, entropy)) for _ in range(1500)) / 1500

    assert shown(int(np.ceil(units))) > 0.95 - 0.023
    assert shown(int(0.8 * units)) < 0.95


@pytest.mark.parametrize(("groups", "exponent"), [(4, 1.0), (16, 0.7), (64, 1.0), (64, 0.5)])
def test_the_choice_shows_what_plans_promise(groups: int, exponent: float) -> None:
    """Of the ten largest of 400 words: how many right ones each plan shows, in 60 draws of each."""
    counts = (4_000 / np.arange(1, 401) ** exponent).astype(np.int64)
    made_ = made(groups=groups)
    assert isinstance(made_.selection, FoundKeys)
    entropy = Seeded(f"{groups} {exponent}")
    top = LargestKeys(
        epsilon=ONE, delta=MILLIONTH, counted="a0", groups=groups if groups < 10 else None, k=10
    )
    right = {"found": 0, "top": 0}
    for _ in range(60):
        scores = PlainScores(counts)
        release = gaussian_key_counts if made_.selection.gaussian else private_key_counts
        found = release(scores, ONE, MILLIONTH, entropy, groups=groups)
        order = np.argsort(-np.array(found.counts), kind="stable")[:10]
        right["found"] += sum(found.candidates[place] < 10 for place in order)
        right["top"] += sum(one < 10 for one in _of_top(top, scores, entropy))
    assert right["found"] >= 0.95 * right["top"], right


@pytest.mark.parametrize("query", [TOP, TOP.replace("ORDER BY n DESC LIMIT 10", "HAVING n > 70")])
@pytest.mark.parametrize("groups", [2, 64])
def test_intervals_allow_for_groups_that_noise_chose(query: str, groups: int) -> None:
    """The errors of counts from which the largest are taken, of true counts near the threshold."""
    found = made(query, groups)
    assert isinstance(found.selection, FoundKeys)
    [factor] = interval_factors(found).values()
    assert expected_error(found)["n"] == pytest.approx(factor * column_error(found)["a0"])
    true, promised, own = int(0.8 * least_count(found.selection)), expected_error(found)["n"], 0
    counts, entropy = PlainScores(np.full(300, true)), Seeded(f"{query} {groups}")
    release, missed, shown = gaussian_key_counts if groups == 64 else private_key_counts, 0, 0
    for _ in range(200):
        noisy = sorted(release(counts, ONE, MILLIONTH, entropy, groups=groups).counts)[-10:]
        shown += len(noisy)
        missed += sum(abs(one - true) > promised for one in noisy)
        own += sum(abs(one - true) > column_error(found)["a0"] for one in noisy)
    assert shown > 1_000
    assert missed < 0.05 * shown < own


def test_intervals_of_all_that_is_found_are_those_of_their_noise() -> None:
    assert interval_factors(made(TOP.partition(" ORDER")[0])) == {}


# What is released


@pytest.fixture
def db() -> Iterator[dpduck.Connection]:
    """40 words; word i has 100 (41 - i) units, each of which has one word."""
    with duckdb.connect() as rows:
        rows.execute("CREATE TABLE t (id BIGINT NOT NULL, word VARCHAR NOT NULL, x INTEGER NOT NULL)")
        rows.execute(
            "INSERT INTO t SELECT 10000 * w + i, 'w' || w, 1 FROM range(1, 41) AS a(w), range(4000) AS b(i) "
            "WHERE i < 100 * (41 - w)"
        )
        with dpduck.connect(rows, epsilon=8, delta=1e-6) as db:
            db.execute(
                "ALTER TABLE t ADD PRIVACY_KEY (id); ALTER TABLE t SET PRIVACY CONTRIBUTION (groups = 1)"
            )
            yield db


RANKED = "SELECT word, rank() OVER (ORDER BY count(*) DESC) AS r FROM t GROUP BY word"
FIRST = {
    TOP.replace("10", "3"): ["w1", "w2", "w3"],
    f"{NAMES.replace('10', '2')} OFFSET 3": ["w4", "w5"],
    "SELECT word FROM t GROUP BY word QUALIFY row_number() OVER (ORDER BY count(*) DESC) < 3": ["w1", "w2"],
    "SELECT word FROM (SELECT word, count(*) AS n FROM t GROUP BY word) ORDER BY n DESC LIMIT 2": [
        "w1",
        "w2",
    ],
    f"SELECT DISTINCT word FROM ({TOP.replace('10', '2')})": ["w1", "w2"],
    f"{RANKED} ORDER BY count(*) DESC LIMIT 2": ["w1", "w2"],
    "SELECT approx_top_k(word, 3) FROM t": ["w1", "w2", "w3"],
}


@pytest.mark.parametrize("query", FIRST)
def test_the_largest_are_taken_of_those_that_are_found(query: str, db: dpduck.Connection) -> None:
    text = str(db.explain(query))
    assert text.startswith("partition selection: the values of word found in private rows")
    assert "  shows     groups of " in text
    rows = db.execute(query).fetchall()
    found = rows[0][0] if "approx" in query else [row[0] for row in rows]
    assert sorted(found) == FIRST[query]
    [(spent, delta)] = db.execute("SELECT epsilon, delta FROM dp_ledger()").fetchall()
    assert (float(spent), float(delta)) == (8, 1e-6)


def test_it_is_said_from_how_many_units_on_groups_are_shown(db: dpduck.Connection) -> None:
    db.execute("SET dp_epsilon = 1")
    for query, units in ((TOP, 17), ("SELECT word FROM t GROUP BY word", 16)):
        said = f"  shows     groups of {units} units or more with probability 95 %, smaller ones less often\n"
        assert said in str(db.explain(query))
    db.execute("ALTER TABLE t ALTER COLUMN x SET PRIVACY DOMAIN IN (1, 2)")
    assert "  shows " not in str(db.explain("SELECT x, count(*) FROM t GROUP BY x"))


def test_budgets_in_rho_weigh_both(db: dpduck.Connection) -> None:
    db.execute("CREATE PRIVACY BUDGET b LIMIT 10 DELTA 1e-3 ACCOUNTING zcdp")
    db.execute("SET dp_epsilon = 1")
    lines = [line for line in str(db.explain(TOP)).splitlines() if line.startswith("  plan ")]
    assert len(lines) == 3
    assert all(", for " in line for line in lines)


def test_a_domain_leaves_all_as_it_was() -> None:
    found = made("SELECT g, count(*) AS n FROM t GROUP BY g ORDER BY n DESC LIMIT 2", groups=1)
    assert isinstance(found.selection, EveryKey)
    assert not any("partition" in one.title for one in found.alternatives)


# Keys that are of one unit each


@pytest.mark.parametrize("clauses", ["", " ORDER BY count(*) DESC LIMIT 5"])
@pytest.mark.parametrize("keys", ["number", "number, word", "word, number"])
def test_groups_of_one_unit_each_are_refused_for_nothing(keys: str, clauses: str) -> None:
    """No threshold lets them pass: it was charged, and gave no row. That the hint names is answered."""
    with duckdb.connect() as con:
        con.execute("CREATE TABLE o (number BIGINT PRIMARY KEY, person BIGINT NOT NULL, word TEXT)")
        con.execute("INSERT INTO o SELECT i, i // 3, 'w' FROM range(300) t(i)")
        with dpduck.connect(con, epsilon="1", delta="1e-6") as db:
            db.execute("ALTER TABLE o ADD PRIVACY_KEY (person)")
            db.execute("ALTER TABLE o SET PRIVACY CONTRIBUTION (groups = 3)")
            with pytest.raises(dpduck.UnsupportedSqlError, match="is of one person at most") as caught:
                db.execute(f"SELECT {keys}, count(*) FROM o GROUP BY {keys}{clauses}")
            assert caught.value.charged == "0"
            advised = str(caught.value.hint).partition("rows: ")[2].removesuffix(".")
            assert len(db.execute(advised).fetchall()) == 11
