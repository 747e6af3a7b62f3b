"""What is derived of a release is what the query itself would answer: random queries, without noise."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

import pytest

from dpduck.answers.replay.derive import fit
from dpduck.answers.replay.describe import describe
from dpduck.kernel.errors import DpduckError
from dpduck.kernel.plan.model import PublicPlan
from tests.depth import depth
from tests.query.quiet import is_same
from tests.replay.club import Club, Row, cells_of
from tests.replay.questions import Pair, Question, random_pair

SEEDS = [f"derive/{number}" for number in range(2)]
PAIRS = depth(400, 30)  # of each seed
FEATURES = (
    *("as it is", "conditions", "rolled up", "pinned", "one group", "LIMIT", "HAVING", "ORDER BY", "bounded"),
    *("members", "visits", "clicks", "JOIN", "fewer columns", "groups without rows"),
)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.slow
def test_what_is_derived_is_what_would_be_answered(seed: str) -> None:
    draw, club = random.Random(seed), Club(seed)
    tally = Counter(feature for _ in range(PAIRS) for feature in compared(random_pair(draw), club))
    assert not [feature for feature in FEATURES if not tally[feature]], tally


def compared(pair: Pair, club: Club) -> set[str]:
    """The features of a pair of which the second follows from the first, and does so rightly."""
    text = pair.wanted.text()
    try:
        kept, wanted = club.any_plan(pair.kept.text()), club.any_plan(text)
    except DpduckError:
        return set()  # such a query is refused
    if isinstance(kept, PublicPlan) or isinstance(wanted, PublicPlan):
        return set()  # no candidate meets its conditions
    if fit(describe(wanted), describe(kept)) is None:
        return set()
    found = club.derived(club.keep(pair.kept.text()), text)
    if found is None:
        return set()
    rows = club.rows(wanted, cells_of(wanted, found))
    public = pair.public if found.note else []
    complaint = disagreement(pair.wanted, rows, club, public)
    assert not complaint, f"{complaint}\nkept:   {pair.kept.text()}\nwanted: {text}\n{found.note}"
    return features(pair, rows, noted=bool(found.note))


def disagreement(wanted: Question, rows: Sequence[Row], club: Club, public: Sequence[str]) -> str:
    """How rows differ from the question's own answer, '' if they do not. Input: more conditions."""
    got = [wanted.named(row) for row in rows]
    if "LIMIT" not in wanted.end:
        own = [wanted.named(row) for row in club.answer(wanted.text(*public))]
        return "" if is_same(got, own, ordered="ORDER" in wanted.end) else f"{got} for {own}"
    # Which of equal groups a LIMIT keeps is not said.
    having = wanted.end.partition("LIMIT")[0].partition("ORDER")[0]
    every = [wanted.named(row) for row in club.answer(wanted.text(*public, end=having))]
    if not all(any(is_same([row], [other], ordered=True) for other in every) for row in got):
        return f"{got} are not among {every}"
    own = [wanted.named(row) for row in club.answer(wanted.text(*public))]
    sizes = [row[-1] for row in got], [row[-1] for row in own]
    same = len(got) == len(own) and ("ORDER" not in wanted.end or sizes[0] == sizes[1])
    return "" if same else f"{got} for {own}"


def features(pair: Pair, rows: Sequence[Row], *, noted: bool) -> set[str]:
    kept, wanted = pair.kept, pair.wanted
    left_out = set(kept.keys) - set(wanted.keys)
    has = {
        "as it is": kept == wanted,
        "conditions": set(kept.conditions) != set(wanted.conditions),
        "rolled up": noted,
        "pinned": bool(left_out) and not noted,
        "one group": not wanted.keys,
        "bounded": kept.bound is not None,
        "JOIN": "JOIN" in kept.source,
        "fewer columns": len(wanted.aggregates) < len(kept.aggregates),
        "groups without rows": any(row[-1] == 0 for row in rows),
        **{word: word in wanted.end for word in ("LIMIT", "HAVING", "ORDER BY")},
        kept.source: True,
    }
    return {feature for feature, held in has.items() if held}


# --- one by one ----------------------------------------------------------------------------------

HISTOGRAM = "SELECT g, ok, count(*) AS n, sum(x), avg(x) FROM members GROUP BY g, ok"
VISITS = "SELECT g, ok, count(*), avg(x), median(h) FROM visits GROUP BY g, ok"
LARGEST = "SELECT g, h, count(*) AS n FROM visits GROUP BY g, h ORDER BY n DESC LIMIT 10"
LARGEST_ALONE = "SELECT g, h FROM visits GROUP BY g, h ORDER BY count(*) DESC LIMIT 10"
ABOVE = "SELECT h, count(*) FROM visits GROUP BY h HAVING count(*) >= 5 LIMIT 4"
FOUND = "SELECT word, count(*) AS n FROM members GROUP BY word"
QUARTILES = "SELECT quantile_cont(h, [0.25, 0.5, 0.75]) FROM members"
TRUE_ONLY = {
    f"Rows whose {keys} is not among its public values are not in it, nor in its error."
    for keys in ("g", "ok", "g or ok")
}


@pytest.fixture(scope="module")
def club() -> Club:
    return Club()


@pytest.mark.parametrize(
    ("kept", "kind"),
    [
        (HISTOGRAM, "every key"),
        (LARGEST, "largest keys"),
        (LARGEST_ALONE, "largest keys"),
        (ABOVE, "keys above"),
        (FOUND, "found keys"),
        (QUARTILES, "one group"),
    ],
)
def test_what_is_kept_is_of_these_kinds(club: Club, kept: str, kind: str) -> None:
    assert describe(club.plan(kept)).kind == kind


@pytest.mark.parametrize(
    ("kept", "wanted"),
    [
        (HISTOGRAM, "SELECT ok, avg(x) FROM members WHERE g = 'a' GROUP BY ok"),
        (HISTOGRAM, "SELECT g, sum(x) FROM members WHERE ok IN (true, false) GROUP BY g"),
        (HISTOGRAM, "SELECT sum(x), count(*) FROM members WHERE g IN ('a', 'b') AND NOT ok"),
        (HISTOGRAM, "SELECT avg(x) FROM members WHERE g = 'b\"c' AND ok"),
        (HISTOGRAM, "SELECT count(*) FROM members WHERE g = 'a' AND ok = false"),
        (VISITS, "SELECT count(*), avg(x) FROM visits WHERE g = 't.\"g\"' AND ok"),
        (VISITS, "SELECT ok, count(*) FROM visits WHERE 'a' = g GROUP BY ok ORDER BY ok"),
        ("SELECT big, count(*) FROM visits GROUP BY big", "SELECT count(*) FROM visits WHERE big = -5"),
        ("SELECT h, count(*) FROM visits GROUP BY h", "SELECT count(*) FROM visits WHERE h = 5"),
        ("SELECT d, count(*) FROM visits GROUP BY d", "SELECT count(*) FROM visits WHERE d = '2024-01-05'"),
        (FOUND, "SELECT word, count(*) FROM members WHERE word LIKE 't%' GROUP BY word ORDER BY word"),
    ],
)
def test_it_follows(club: Club, kept: str, wanted: str) -> None:
    found = club.derived(club.keep(kept), wanted)
    assert found is not None
    assert not found.note
    released = club.rows(club.plan(wanted), cells_of(club.plan(wanted), found))
    assert is_same(released, club.answer(wanted), ordered="ORDER" in wanted)


@pytest.mark.parametrize(
    ("kept", "wanted", "cells"),
    [
        (LARGEST, LARGEST.replace("10", "5"), (slice(5), slice(3))),
        (LARGEST, LARGEST_ALONE, (slice(10), slice(2))),
        (ABOVE, ABOVE.replace("LIMIT 4", "LIMIT 2"), (slice(2), slice(2))),
        (ABOVE, "SELECT h FROM visits GROUP BY h HAVING count(*) > 4 LIMIT 3", (slice(3), slice(1))),
        (QUARTILES, "SELECT quantile_cont(h, 0.75) FROM members", (slice(1), slice(2, 3))),
        (QUARTILES, "SELECT median(h) FROM members", (slice(1), slice(1, 2))),
    ],
)
def test_a_part_of_it_follows(club: Club, kept: str, wanted: str, cells: tuple[slice, slice]) -> None:
    release = club.keep(kept)
    found = club.derived(release, wanted)
    assert found is not None
    plan, (rows, columns) = club.plan(wanted), cells
    answer = [value for row in club.rows(release.plan, release.rows) for value in row]
    lists = len(answer) == 1  # of quantiles
    whole = [tuple(answer[0])] if lists else club.rows(release.plan, release.rows)  # type: ignore[arg-type]
    assert sorted(club.rows(plan, cells_of(plan, found))) == sorted(row[columns] for row in whole[rows])


@pytest.mark.parametrize(
    ("kept", "wanted"),
    [
        (HISTOGRAM, "SELECT count(*), sum(x) FROM members"),
        (HISTOGRAM, "SELECT g, count(*) FROM members GROUP BY g"),
        (HISTOGRAM, "SELECT count(*) FROM members WHERE g IN ('a', 'zz')"),
        (HISTOGRAM, "SELECT ok, count(*) FROM members WHERE g = 'a' OR ok GROUP BY ok"),
        (HISTOGRAM, "SELECT count(*) FROM members WHERE g LIKE 'a%' AND ok"),
    ],
)
def test_it_follows_for_public_values(club: Club, kept: str, wanted: str) -> None:
    found = club.derived(club.keep(kept), wanted)
    assert found is not None
    assert found.note in TRUE_ONLY


BOUNDED = "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (max_groups_contributed = 2) g, count(*) FROM visits"


@pytest.mark.parametrize(
    ("kept", "wanted"),
    [
        # A unit in two groups would count twice; means and distinct values do not add up at all.
        (VISITS, "SELECT g, count(*) FROM visits GROUP BY g"),
        (VISITS, "SELECT count(*) FROM visits WHERE g = 'a' AND ok IN (true, false)"),
        (VISITS, "SELECT ok, count(*) FROM visits WHERE g IN ('a', 'b') GROUP BY ok"),
        (HISTOGRAM, "SELECT avg(x) FROM members WHERE g IN ('a', 'b') AND ok"),
        (HISTOGRAM, "SELECT g, avg(x) FROM members GROUP BY g"),
        ("SELECT g, count(DISTINCT h) FROM members GROUP BY g", "SELECT count(DISTINCT h) FROM members"),
        ("SELECT g, median(h) FROM members GROUP BY g", "SELECT median(h) FROM members"),
        # Nothing in the release says it: other columns, conditions, bounds, domains, orders.
        (HISTOGRAM, "SELECT g, ok, sum(h) FROM members GROUP BY g, ok"),
        (HISTOGRAM, "SELECT e, count(*) FROM members GROUP BY e"),
        (HISTOGRAM, "SELECT g, count(*) FROM members WHERE h > 5 GROUP BY g"),
        (HISTOGRAM, "SELECT g, count(*) FROM members WHERE ok OR word = 'one' GROUP BY g"),
        (HISTOGRAM, "SELECT g, ok, count(*) FILTER (WHERE ok) FROM members GROUP BY g, ok"),
        (HISTOGRAM, "SELECT g, ok, count(x) FROM members GROUP BY g, ok"),
        (HISTOGRAM, "SELECT g || '', ok, count(*) FROM members GROUP BY ALL"),
        (HISTOGRAM + " LIMIT 3", "SELECT h, count(*) FROM members GROUP BY h"),
        (
            "SELECT g, ok, count(*) FROM members WHERE ok GROUP BY g, ok",
            "SELECT g, count(*) FROM members GROUP BY g",
        ),
        (HISTOGRAM, "SELECT avg(x) FROM members WHERE g = 'zz' AND ok"),
        (HISTOGRAM, "SELECT count(*) FROM members WHERE g = 'zz'"),
        (
            "SELECT g, sum(x) FROM clicks GROUP BY g",
            "SELECT g, sum(x, contribution_bounds_per_row => (0, 5)) FROM clicks GROUP BY g",
        ),
        (
            "SELECT g, count(*) FROM clicks GROUP BY g",
            "SELECT g, count(*, contribution_bounds_per_group => (0, 2)) FROM clicks GROUP BY g",
        ),
        (f"{BOUNDED} GROUP BY g", "SELECT g, count(*) FROM visits GROUP BY g"),
        (f"{BOUNDED} GROUP BY g", f"{BOUNDED} WHERE g = 'a' GROUP BY g"),
        (f"{BOUNDED} GROUP BY g", BOUNDED.replace("= 2", "= 1") + " GROUP BY g"),
        (LARGEST, LARGEST.replace("10", "11")),
        (LARGEST, LARGEST.replace("GROUP BY", "WHERE g <> 'a' GROUP BY")),
        (LARGEST, "SELECT g, count(*) AS n FROM visits GROUP BY g ORDER BY n DESC LIMIT 2"),
        (LARGEST_ALONE, LARGEST),
        (ABOVE, ABOVE.replace(">= 5", ">= 6")),
        (ABOVE, ABOVE.replace("LIMIT 4", "LIMIT 5")),
        (ABOVE, ABOVE.replace("GROUP BY", "WHERE h < 9 GROUP BY")),
        (FOUND, "SELECT count(*) FROM members WHERE word = 'one'"),
        (FOUND, "SELECT word, sum(x) FROM members GROUP BY word"),
        (QUARTILES, "SELECT quantile_cont(h, 0.4) FROM members"),
        (QUARTILES, "SELECT median(x) FROM members"),
    ],
)
def test_it_does_not_follow(club: Club, kept: str, wanted: str) -> None:
    assert club.derived(club.keep(kept), wanted) is None


def test_a_group_that_meets_no_condition_is_left_out(club: Club) -> None:
    """As in a fresh answer, whose candidates are those that the condition leaves."""
    found = club.derived(
        club.keep(HISTOGRAM), "SELECT g, ok, count(*) FROM members WHERE g = 'a' GROUP BY g, ok"
    )
    assert found is not None
    assert set(found.columns["k0"]) == {"a"}
    assert set(found.columns["k1"]) == {"True", "False"}


@pytest.mark.slow
def test_descriptions_do_not_depend_on_what_was_described_before(club: Club) -> None:
    """1 = TRUE in Python: whatever is remembered of domains must tell them apart."""
    first = [club.plan(f"SELECT {key}, count(*) FROM members GROUP BY 1") for key in ("ok", "h % 2")]
    second = [Club().plan(f"SELECT {key}, count(*) FROM members GROUP BY 1") for key in ("h % 2", "ok")]
    assert [describe(plan) for plan in first] == [describe(plan) for plan in reversed(second)]
    assert len({describe(plan).keys[0][2] for plan in first}) == 2
