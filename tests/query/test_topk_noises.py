"""Top-k whose winners are counted anew with Gaussian noise: when it is chosen, what it promises and costs."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from dpduck.answers.explain import explain
from dpduck.answers.replay.describe import describe
from dpduck.compiler.block.question import AggregateQuery
from dpduck.compiler.planner.choose import choose
from dpduck.compiler.planner.plan_parts import QueryBudget
from dpduck.kernel.accounting.choices import mu_squared_of_choices
from dpduck.kernel.accounting.composition import cost_of
from dpduck.kernel.accounting.events import Composed, GaussianNoise, GaussianTopK, GumbelTopK, NoisyTopK
from dpduck.kernel.errors import DpduckError
from dpduck.kernel.mechanisms.gaussian_topk import choosing_rate
from dpduck.kernel.plan.cost import column_error, expected_error, interval_factors
from dpduck.kernel.plan.model import LargestKeys, Plan
from dpduck.kernel.plan.prices import event_of, gaussian_split_of
from dpduck.kernel.release import release
from tests.query.shop import any_plan, plan
from tests.query.test_planner import Spread, catalog
from tests.sources import Seeded

TOP = "SELECT g, count(*) AS n FROM t GROUP BY g ORDER BY n DESC LIMIT 40"
MILLIONTH = Fraction(1, 10**6)
ONE = Fraction(1)


def made(query: str = TOP, groups: int | None = None, delta: Fraction = MILLIONTH, size: int = 2000) -> Plan:
    return plan(query, catalog(size, groups), epsilon=ONE, delta=delta)


def selection(query: str = TOP, groups: int | None = None, delta: Fraction = MILLIONTH) -> LargestKeys:
    found = made(query, groups, delta).selection
    assert isinstance(found, LargestKeys)
    return found


# When


@pytest.mark.parametrize(
    ("k", "groups", "best"),
    [
        (40, None, "Gumbel top-k: the 40 largest of 2,000, counted anew with correlated Gaussian noise"),
        (3, None, "noisy top-k: the 3 largest of 2,000"),
        (40, 1, "histogram of all 2,000 groups"),
    ],
)
def test_the_least_error_decides(k: int, groups: int | None, best: str) -> None:
    found = made(TOP.replace("40", str(k)), groups)
    titles = {one.title: one.error for one in found.alternatives}
    assert min(titles, key=titles.__getitem__) == best
    assert any("counted anew" in title for title in titles)
    gaussian = isinstance(found.selection, LargestKeys) and found.selection.gaussian
    assert gaussian is ("Gumbel" in best)


def test_without_a_delta_nothing_is_counted_anew() -> None:
    assert not selection(delta=Fraction(0)).gaussian
    assert event_of(made(delta=Fraction(0))).delta == 0


@pytest.mark.parametrize("noise", ["laplace", "gaussian"])
def test_a_noise_that_is_asked_for_is_had(noise: str) -> None:
    query = TOP.replace("SELECT", f"SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (noise = '{noise}')")
    assert selection(query).gaussian is (noise == "gaussian")
    assert selection(query.replace("40", "2")).gaussian is (noise == "gaussian")


def test_gaussian_noise_without_a_delta_is_refused() -> None:
    query = TOP.replace("SELECT", "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (noise = 'gaussian')")
    with pytest.raises(DpduckError, match="needs a delta") as raised:
        made(query, delta=Fraction(0))
    assert "Nothing was charged" in str(raised.value)


@pytest.mark.parametrize("beside", ["dp_gap(count(*))", "dp_p_value(count(*))"])
def test_gaps_are_of_noisy_top_k(beside: str) -> None:
    query = f"SELECT g, count(*) AS n, {beside} AS b FROM t GROUP BY g ORDER BY n DESC LIMIT 40"
    assert not selection(query).gaussian


def test_counts_that_an_outer_query_may_add_up_share_no_noise() -> None:
    outer = any_plan(f"SELECT sum(n) AS s FROM ({TOP})", catalog(2000), epsilon=ONE, delta=MILLIONTH)
    assert isinstance(outer, Plan)
    assert isinstance(outer.selection, LargestKeys)
    assert outer.selection.gaussian
    assert not outer.selection.shared
    assert not outer.shares_noise
    assert made().shares_noise
    assert '"shares_noise":true' in describe(made()).text()


def test_budgets_in_rho_have_it_for_counts_and_pay_no_delta(monkeypatch: pytest.MonkeyPatch) -> None:
    """Names alone cost much less rho at the price of epsilon."""
    questions: list[AggregateQuery] = []

    def asked(question: AggregateQuery, *rest: object) -> object:
        questions.append(question)
        return choose(question, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr("dpduck.compiler.compile.statement.choose", asked)
    made()
    made("SELECT g FROM t GROUP BY g ORDER BY count(*) DESC LIMIT 40")
    budget = QueryBudget(ONE, MILLIONTH, accounting="zcdp")
    counts, names = (choose(question, budget, None, 0, None) for question in questions)  # type: ignore[arg-type]
    assert isinstance(counts, Plan)
    assert isinstance(names, Plan)
    event = event_of(counts)
    assert isinstance(event, GaussianTopK)
    spent = cost_of(event)
    assert spent.keys_delta == 0
    assert spent.mu_squared == mu_squared_of_choices(40, event.rate, event.mu_squared) < 2 * spent.rho * 2
    assert event_of(names) == GumbelTopK(ONE, k=40)


@pytest.mark.parametrize(
    ("accounting", "k", "is_gaussian"),
    [("pure", 5, False), ("zcdp", 5, True), ("gdp", 5, True), ("zcdp", 1, False), ("zcdp", 40, True)],
)
def test_a_cheaper_plan_is_taken_for_a_little_more_error(
    accounting: str, k: int, is_gaussian: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of five winners noisy top-k needs a lead of 69 and costs 0.296 in rho, where 80 cost 0.0244."""
    questions: list[AggregateQuery] = []

    def asked(question: AggregateQuery, *rest: object) -> object:
        questions.append(question)
        return choose(question, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr("dpduck.compiler.compile.statement.choose", asked)
    made(TOP.replace("40", str(k)))
    budget = QueryBudget(ONE, MILLIONTH, accounting=accounting)  # type: ignore[arg-type]
    found = choose(questions[0], budget, None, 0, None)  # type: ignore[arg-type]
    assert isinstance(found, Plan)
    assert isinstance(found.selection, LargestKeys)
    assert found.selection.gaussian is is_gaussian
    least = min(one.error for one in found.alternatives)
    [taken] = [one for one in found.alternatives if one.is_taken]
    assert taken.error <= 1.5 * least
    if accounting == "pure":
        assert taken.error == least
        assert {one.price for one in found.alternatives} == {None}
        return
    spent = cost_of(event_of(found))
    assert taken.price == (spent.rho if accounting == "zcdp" else spent.mu_squared)
    near = [one for one in found.alternatives if one.error <= 1.5 * least]
    assert taken == min(near, key=lambda one: one.error**2 * float(one.price or 0))
    assert f"-> {taken.title}: +-{taken.error:,.4g}, for {float(taken.price):.4g}" in explain(found, {}).text


def test_names_alone_are_chosen_with_a_delta_where_that_is_less() -> None:
    names = "SELECT g FROM t GROUP BY g ORDER BY count(*) DESC LIMIT 40"
    found, event = selection(names), event_of(made(names))
    assert (found.gaussian, found.counted) == (True, None)
    assert event == GaussianTopK(ONE, MILLIONTH, 40, choosing_rate(ONE, MILLIONTH, 40))
    assert release(made(names, size=200), Spread(200), Seeded("names")).event == event
    assert not selection(names.replace("40", "4")).gaussian
    assert not selection(names, delta=Fraction(0)).gaussian
    text = explain(made(names), {}).text
    assert text.startswith("Gumbel top-k: the 40 largest")
    assert "Gumbel, of scale 14.33, selects" in text


# What it costs


def test_the_charge_is_that_of_the_release() -> None:
    found = made(size=400)
    event = event_of(found)
    assert isinstance(event, GaussianTopK)
    assert (event.epsilon, event.delta, event.k) == (ONE, MILLIONTH, 40)
    assert release(found, Spread(400), Seeded("charge")).event == event
    assert cost_of(event).rho < cost_of(NoisyTopK(ONE, k=40)).rho / 10


def test_other_numbers_have_their_share_of_epsilon_and_delta() -> None:
    bounded = "sum(x, contribution_bounds_per_group => (0, 100))"
    query = f"SELECT g, count(*) AS n, {bounded} AS s FROM t GROUP BY g ORDER BY n DESC LIMIT 40"
    found = made(query)
    event = event_of(found)
    assert isinstance(event, Composed)
    assert [type(part) for part in event.parts] == [GaussianTopK, GaussianNoise]
    assert (event.epsilon, event.delta) == (1, MILLIONTH)
    assert {part.delta for part in event.parts} == {MILLIONTH / 2}
    cost_of(event)  # each part is worth what it claims
    mixed = made("SELECT g, count(*) AS n, median(x) AS m FROM t GROUP BY g ORDER BY n DESC LIMIT 40")
    assert isinstance(event_of(mixed), Composed)
    assert event_of(mixed).delta == MILLIONTH


# What it promises


def test_the_error_is_that_of_counts_at_every_rank() -> None:
    found = made()
    assert expected_error(found) == {"n": 47} == {"n": column_error(found)["a0"]}
    text = explain(found, {}).text
    assert "error     n is within 47 of the truth with probability 95 %, if each u counts once\n" in text
    assert "Gumbel, of scale 19.93, selects" in text
    assert "counts the winners afresh" in text
    assert "noise is why" not in text


def test_ranks_that_are_left_out_by_counts_widen_intervals() -> None:
    """OFFSET skips the largest counts shown, so that noise decides which of the k groups are shown."""
    found = made(TOP.replace("LIMIT 40", "LIMIT 20 OFFSET 20"))
    factors = interval_factors(found)
    split = gaussian_split_of(selection(TOP.replace("LIMIT 40", "LIMIT 20 OFFSET 20")))
    assert factors["a0"] == split.variances.half_width(0.975) / split.half_width > 1.1
    assert expected_error(found)["n"] == split.variances.half_width(0.975)
    assert interval_factors(made())["a0"] == 1


def test_released_intervals_are_kept() -> None:
    """All 40 counts of 100 releases, whose shared noise makes them dependent."""
    found, reader = made(size=400), Spread(400)
    width, covered = column_error(found)["a0"], []
    for run in range(100):
        out = release(found, reader, Seeded("kept", run))
        truth = (400 - np.array(out.columns["k0"].to_pylist())) * 1_000_000
        counts = np.asarray(out.columns["a0"])
        assert np.all(np.asarray(out.columns["a0_high"]) - counts == width)
        covered.append(np.mean(np.abs(counts - truth) <= width))
    split = gaussian_split_of(found.selection)  # type: ignore[arg-type]
    promised = math.erf((width + 0.5) / math.sqrt(2 * split.variances.total))
    assert np.mean(covered) == pytest.approx(promised, abs=0.02)


def test_too_small_an_epsilon_is_left_to_other_noise() -> None:
    small = replace(selection(), epsilon=Fraction(1, 10**9), delta=Fraction(1, 10**18))
    with pytest.raises(DpduckError):
        gaussian_split_of(small)
