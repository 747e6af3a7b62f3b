"""Random queries over what is computed for each customer apart: without one, scores move as they declare.

They are checked as those of the grammar are (see `random_queries`), on markets with other rows too.
"""

from __future__ import annotations

import random
from collections.abc import Iterable

from dpduck.kernel.errors import DpduckError
from tests.fuzz.derived_grammar import Derived
from tests.fuzz.facts import FactsOfQuery
from tests.fuzz.gate import plan_text
from tests.fuzz.grammar import Query
from tests.fuzz.haste import in_haste
from tests.fuzz.market import CHANGES
from tests.fuzz.random_queries import Checker, Stage
from tests.fuzz.tally import Tally

_RELEASES, _INSPECTED, _HALVED = 0.05, 0.1, 0.2  # see `Checker`


def run(seed: str, rounds: int) -> Tally:
    """Check as many queries; the same seed gives the same ones."""
    checker = checker_of(seed)
    derived = Derived(random.Random(f"{seed} derived"))
    with in_haste():
        for _ in range(rounds):
            checker.check(derived.query())
    return checker.tally


def checker_of(seed: str) -> Checker:
    """A checker on markets with the rows that the seed chooses."""
    chance = random.Random(seed)
    shares = {"releases": _RELEASES, "inspected": _INSPECTED, "halved": _HALVED}
    return Checker(Stage.open(chance.choice(CHANGES)), chance, Tally(), **shares)


def planned(queries: Iterable[Query]) -> Tally:
    """Plan queries, without asking anything of the private rows."""
    tally, market = Tally(), Stage.open().markets[0]
    with in_haste():
        for query in queries:
            try:
                plan_text(query.text, market.catalog, FactsOfQuery(market.facts))
            except DpduckError as error:
                tally.refusals[error.message] += 1
                tally.count("refused", query.features)
            else:
                tally.count("accepted", query.features)
    return tally
