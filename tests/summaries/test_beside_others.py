"""What one analyst has paid for serves them, whatever others have asked meanwhile."""

from __future__ import annotations

from pathlib import Path

import pytest

import dpduck
from tests.summaries.asking import refusal, rows, told

QUERY = "SELECT region, count(*) AS n FROM people GROUP BY region"


def owner_declares(file: Path, limit: str) -> None:
    with dpduck.connect(file) as owner:
        owner.execute(f"CREATE PRIVACY BUDGET bobs LIMIT {limit} FOR bob")
        owner.execute("CREATE PRIVACY BUDGET anas LIMIT 5 FOR ana")


def bob_makes(file: Path) -> None:
    with dpduck.connect(file, analyst="bob") as bob:
        bob.execute("CREATE PRIVACY SUMMARY s ON people (region) EPSILON 1")


def ana_asks(file: Path) -> None:
    with dpduck.connect(file, analyst="ana", epsilon="0.5") as ana:
        ana.execute("SET dp_summaries = off")
        ana.execute(QUERY)
        assert ana.charged == "0.5"


@pytest.mark.parametrize("limit", ["1", "1.5"])
@pytest.mark.parametrize("summaries", ["on", "only"])
@pytest.mark.parametrize("first", [bob_makes, ana_asks])
def test_a_summary_serves_who_has_paid_for_it(file: Path, limit: str, summaries: str, first: object) -> None:
    """The answer that ana has would cost bob once more; that of his summary is free."""
    owner_declares(file, limit)
    for step in (bob_makes, ana_asks) if first is bob_makes else (ana_asks, bob_makes):
        step(file)
    with dpduck.connect(file, analyst="bob", epsilon="0.5") as bob:
        bob.execute(f"SET dp_summaries = {summaries}")
        assert bob.explain(QUERY).epsilon == "0"
        for _ in range(2):
            assert len(rows(bob, QUERY)) > 1
            assert bob.charged == "0"
            assert "from summary s" in told(bob)


def test_where_only_summaries_may_answer_the_reason_is_that_of_the_summary(file: Path) -> None:
    owner_declares(file, "1")
    bob_makes(file)
    ana_asks(file)
    with dpduck.connect(file, analyst="bob", epsilon="0.5") as bob:
        bob.execute("SET dp_summaries = only")
        error = refusal(bob, "SELECT member, count(*) FROM people GROUP BY member")
        assert "s: it has no column member" in str(error)


def test_an_answer_that_is_paid_for_still_comes_first(file: Path) -> None:
    owner_declares(file, "5")
    ana_asks(file)
    bob_makes(file)
    with dpduck.connect(file, analyst="ana", epsilon="0.5") as ana:
        before = rows(ana, QUERY)
        assert ana.charged == "0"
        assert rows(ana, QUERY) == before
        assert "from summary" not in told(ana)
