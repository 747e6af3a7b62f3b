"""What another error would cost: the epsilon that is found gives it, and little less does not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

import pytest

import dpduck
from dpduck.answers import other_errors, preparation
from dpduck.answers.other_errors import Replan, costs_of_other_errors
from dpduck.compiler.compile import AnyPlan
from dpduck.kernel.plan.compound import CompoundPlan
from dpduck.kernel.plan.model import Plan
from tests.ledger import dashboard

TOP = "SELECT city, count(*) AS n FROM sales GROUP BY city ORDER BY n DESC LIMIT 3"
QUERIES = [
    TOP,
    "SELECT bought, count(*) AS n FROM sales GROUP BY ALL ORDER BY n DESC LIMIT 4",
    "SELECT median(amount), avg(amount), sum(pieces) FROM sales",
    "SELECT count(*) AS n FROM sales",
]


class Counting:
    """Plans at other epsilons, counted; and what was planned at each."""

    def __init__(self) -> None:
        self.plans: dict[Fraction, AnyPlan] = {}
        self.times = 0

    def search(self, plan: Plan | CompoundPlan, replan: Replan) -> other_errors.OtherCosts:
        def at(epsilon: Fraction) -> AnyPlan:
            self.plans[epsilon] = replan(epsilon)
            return self.plans[epsilon]

        self.plan, self.replan = plan, replan
        self.times += 1
        return costs_of_other_errors(plan, at)


@pytest.fixture
def counting(monkeypatch: pytest.MonkeyPatch) -> Counting:
    found = Counting()
    monkeypatch.setattr(preparation, "costs_of_other_errors", found.search)
    return found


@pytest.fixture
def db(copied: Callable[..., Path]) -> Iterator[dpduck.Connection]:
    with dpduck.connect(copied(dashboard.make), analyst=dashboard.ANALYST, epsilon="0.5") as connection:
        yield connection


@pytest.mark.parametrize("epsilon", ["0.05", "0.5", "2"])
@pytest.mark.parametrize("sql", QUERIES)
def test_the_epsilon_gives_the_error(
    db: dpduck.Connection, counting: Counting, sql: str, epsilon: str
) -> None:
    db.execute(f"SET dp_epsilon = {epsilon}")
    costs = db.explain(sql).cost_at
    present = other_errors._size_of_errors(counting.plan)
    for ratio, text in costs.items():
        assert text is not None
        found = Fraction(text)
        assert other_errors._size_of_errors(counting.replan(found)) <= ratio * present
        less = found - max(Fraction(1, 1000), found * Fraction(15, 10_000))
        assert other_errors._size_of_errors(counting.replan(less)) > ratio * present


@pytest.mark.parametrize("sql", QUERIES)
def test_a_search_on_scaled_noise_finds_what_one_on_plans_finds(
    db: dpduck.Connection, counting: Counting, sql: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    db.execute("SET dp_epsilon = 0.3")
    found = db.explain(sql).cost_at
    tried = len(counting.plans)
    assert other_errors._is_scalable(counting.plan)
    assert tried <= 6
    monkeypatch.setattr(other_errors, "_is_scalable", lambda _: False)
    anew = costs_of_other_errors(counting.plan, counting.replan)
    for ratio, text in anew.items():
        assert float(text or 0) == pytest.approx(float(found[ratio] or 0), rel=0.002, abs=0.0011)


@pytest.mark.parametrize("sql", QUERIES[:3])
def test_few_plans_are_tried_where_errors_are_smooth(
    db: dpduck.Connection, counting: Counting, sql: str
) -> None:
    """A bisection would try 13 for each of the two errors."""
    db.execute("SET dp_epsilon = 0.05")
    db.explain(sql)
    assert 2 <= len(counting.plans) <= 13


def test_an_error_that_no_epsilon_gives(db: dpduck.Connection) -> None:
    db.execute("SET dp_epsilon = 15")
    costs = db.explain("SELECT avg(amount) FROM sales").cost_at
    assert costs[0.5] is None
    assert costs[2.0] is not None
    assert 7 < float(costs[2.0]) < 8


def test_a_text_that_is_explained_again_is_planned_once(
    db: dpduck.Connection, counting: Counting, tmp_path: Path
) -> None:
    """Until a setting, or a policy, is another one."""
    first = db.explain(TOP).text
    assert db.explain(TOP).text == first
    assert counting.times == 1
    db.execute("SET dp_epsilon = 0.25")
    assert db.explain(TOP).text != first
    assert counting.times == 2
    db.close()
    with dpduck.connect(tmp_path / "shop.duckdb") as owner:
        owner.execute("SET dp_epsilon = 0.5")
        owner.explain(TOP)
        owner.execute(
            "ALTER TABLE sales ALTER COLUMN city SET PRIVACY DOMAIN IN ('Bonn', 'Lyon', 'Oslo', 'Riga')"
        )
        assert "4" in owner.explain(TOP).text
    assert counting.times == 4
