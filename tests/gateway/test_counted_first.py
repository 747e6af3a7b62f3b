"""Tools that ask how many rows an answer has, before they ask for the answer: it is charged once."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.gateway import wiring as w
from tests.gateway.talking import House

QUERIES = (
    "SELECT city, count(*) AS n FROM people GROUP BY city",
    "SELECT city, count(*) FROM people WHERE age < 30 GROUP BY city ORDER BY 2 DESC LIMIT 2",
    "SELECT city, sum(age) AS s, avg(age) AS a FROM people GROUP BY city",
    "SELECT city, sum(age) AS s FROM people GROUP BY city HAVING sum(age) > 10",
    "SELECT median(age) AS m FROM people",
    "SELECT city, n * 2 AS twice FROM (SELECT city, count(*) AS n FROM people GROUP BY city) AS t",
    "WITH a AS (SELECT city, count(*) AS n FROM people GROUP BY city) SELECT * FROM a WHERE n > 3",
)


@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.parametrize(
    "outer",
    [
        "SELECT count(*) FROM ({}) AS CXTMPTAB_COUNT",
        "SELECT * FROM ({}) AS t LIMIT 0",
        "SELECT * FROM ({}) AS CXTMPTAB_PART LIMIT 1",
        "SELECT min(1), max(1) FROM ({}) AS CXTMPTAB_RANGE",
    ],
)
def test_an_outer_query_and_then_the_answer_are_charged_once(house: House, query: str, outer: str) -> None:
    """In conversations of their own, as pools of connections have them."""
    first = house.talk()
    assert "E" not in w.kinds(first.ask(outer.format(query)))
    second = house.talk()
    assert "E" not in w.kinds(second.ask(query))
    assert sum(entry.epsilon for entry in house.ledger.entries()) == Fraction(1, 2)
