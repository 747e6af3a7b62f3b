"""What plans claim is compared with what is computed, before each charge: wrong claims are refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import duckdb
import pytest

import dpduck
from benchmarks.attacks.checker import mutants, mutants_of
from dpduck.answers import pipeline, summary_statements
from dpduck.answers.claimed_bounds import NOT_COMPUTED, BoundsCheck, Claim, claims_of
from dpduck.compiler.compile.summary_measures import MeasureColumn
from dpduck.compiler.planner import plan_parts
from dpduck.compiler.planner.score_sql import cells_sql
from dpduck.engines.duckdb.public_facts import PublicFacts
from dpduck.kernel.catalog.model import Catalog
from dpduck.kernel.errors import InternalError
from dpduck.kernel.plan import aggregates
from dpduck.kernel.plan.model import Measure, Passes, Plan
from dpduck.kernel.tree.relations import SelectQuery
from dpduck.policies import load_catalog
from dpduck.summaries import design
from tests.query.shop import any_plan

TABLES = """
CREATE TABLE visits (person INTEGER NOT NULL, page VARCHAR NOT NULL, seconds DOUBLE, spent DECIMAL(6, 2),
    code UHUGEINT NOT NULL, item INTEGER NOT NULL, word VARCHAR, day DATE);
INSERT INTO visits SELECT i % 50, ['a', 'b', 'c'][1 + i % 3], i % 60, i % 90, i % 4, i % 90, 'w' || i,
    DATE '2024-01-01' + (i % 9)::INTEGER FROM range(600) AS r (i)
"""
POLICIES = (
    "ALTER TABLE visits ADD PRIVACY_KEY (person)",
    "ALTER TABLE visits ALTER COLUMN page SET PRIVACY DOMAIN IN ('a', 'b', 'c')",
    "ALTER TABLE visits ALTER COLUMN seconds SET PRIVACY DOMAIN BETWEEN (0, 60)",
    "ALTER TABLE visits ALTER COLUMN spent SET PRIVACY DOMAIN BETWEEN (0, 90)",
    "ALTER TABLE visits ALTER COLUMN item SET PRIVACY DOMAIN BETWEEN (0, 89)",
    "ALTER TABLE visits ALTER COLUMN day SET PRIVACY DOMAIN BETWEEN (DATE '1924-01-01', DATE '2024-12-31')",
    "ALTER TABLE visits ALTER COLUMN code SET PRIVACY DOMAIN BETWEEN (0, 3)",
)
PRIVATE = "WITH DIFFERENTIAL_PRIVACY OPTIONS (max_groups_contributed = 'private')"
QUERIES = {
    "Count": "SELECT page, count(*) FROM visits GROUP BY page",
    "Count by a wide key": "SELECT code, count(*) FROM visits GROUP BY code",
    "ChosenCount": f"SELECT {PRIVATE} item, count(*) FROM visits GROUP BY item",
    "Distinct": "SELECT count(DISTINCT page) FROM visits",
    "ChosenDistinct": "SELECT page, count(DISTINCT word) FROM visits GROUP BY page",
    "Sum": "SELECT page, sum(spent, contribution_bounds_per_group => (0, 50)) FROM visits GROUP BY page",
    "ClampedSum": "SELECT sum(spent) FROM visits",
    "Mean": "SELECT avg(seconds) FROM visits",
    "Mean beyond each double": "SELECT avg(least(greatest(item * -1.7e308, -9), 9)) FROM visits",
    "Moments": "SELECT stddev(seconds) FROM visits",
    "Quantile": "SELECT page, median(seconds) FROM visits GROUP BY page",
    "Quantile of an end": "SELECT max(seconds) FROM visits",
    "Quantiles": "SELECT quantile_cont(seconds, [0.25, 0.75]) FROM visits",
    "Quantile of days": "SELECT quantile_disc(day, 0.2) FROM visits",
    "Quantile of a derived table": "SELECT median(b) FROM (SELECT min(seconds) AS b FROM visits "
    "GROUP BY person)",
    "Count of a window": "SELECT count(*) FROM (SELECT first_value(length(word)) OVER (PARTITION BY person "
    "ORDER BY item) AS a FROM visits) WHERE a > 2",
    "FoundKeys": "SELECT seconds > 10, date_trunc('day', CAST('2024-01-05' AS TIMESTAMP)), count(*) "
    "FROM visits GROUP BY 1, 2",
    "LargestKeys by totals": "SELECT page, sum(spent) AS s FROM visits GROUP BY page ORDER BY s DESC LIMIT 1",
    "Mode": "SELECT mode(page) FROM visits",
    "LargestKeys": "SELECT page, count(*) AS n FROM visits GROUP BY page ORDER BY n DESC LIMIT 1",
    "KeysAbove": "SELECT item, count(*) AS n FROM visits GROUP BY item HAVING n > 9 ORDER BY n DESC LIMIT 2",
}


@pytest.fixture(scope="module")
def data() -> Iterator[tuple[duckdb.DuckDBPyConnection, Catalog]]:
    with duckdb.connect() as connection:
        connection.execute(TABLES)
        with dpduck.connect(connection) as owner:
            for statement in POLICIES:
                owner.execute(statement)
        yield connection, load_catalog(connection)


def planned(query: str, data: tuple[duckdb.DuckDBPyConnection, Catalog], **settings: Any) -> Plan:
    connection, catalog = data
    made = any_plan(query, catalog, facts=PublicFacts(connection), **settings)
    assert isinstance(made, Plan)
    return made


# --- claims --------------------------------------------------------------------------------------


def test_nothing_is_let_through() -> None:
    assert NOT_COMPUTED == ()


@pytest.mark.parametrize("name", QUERIES)
def test_claims_of_each_kind_are_proved(name: str, data: tuple[duckdb.DuckDBPyConnection, Catalog]) -> None:
    plan = planned(QUERIES[name], data)
    kinds = {type(one).__name__ for one in (plan.selection, *(m.request for m in plan.measures))}
    assert name.partition(" ")[0] in kinds
    for claim in claims_of(plan):
        assert claim.fault(data[1]) == ""


@pytest.mark.parametrize("name", QUERIES)
def test_a_claim_of_less_is_refused(name: str, data: tuple[duckdb.DuckDBPyConnection, Catalog]) -> None:
    """Each number that is claimed is needed: a tenth of what is computed is refused for each."""
    claims = list(claims_of(planned(QUERIES[name], data)))
    for claim in claims:
        for one in claim.compared(data[1]):
            assert one.holds
            if one.computed > 0:
                assert not replace(one, claimed=one.computed * Fraction(9, 10)).holds


def test_pairs_that_units_claim(data: tuple[duckdb.DuckDBPyConnection, Catalog]) -> None:
    plan = planned(QUERIES["ChosenDistinct"], data, distinct="claims", epsilon=Fraction(4))
    [claim] = claims_of(plan)
    assert claim.is_pairs
    assert claim.fault(data[1]) == ""
    key, rank, own, *rest = list[Any](claim.scores.items)
    terms = rank.value.order_by
    for wrong in (terms[:1], (*terms, own.value)):  # a hash alone; what is not alike in rows of a unit
        items = (key, replace(rank, value=replace(rank.value, order_by=wrong)), own, *rest)
        assert "share a place" in replace(claim, scores=replace(claim.scores, items=items)).fault(data[1])
    assert any(replace(claim, scores=mutant).fault(data[1]) for _, mutant in mutants(claim.scores))


def test_tail_counts_of_chosen_groups(data: tuple[duckdb.DuckDBPyConnection, Catalog]) -> None:
    """Each unit has one first group of a level: that in the place after those of the level before."""
    [claim] = claims_of(planned(QUERIES["ChosenCount"], data))
    for what, mutant in mutants_of(claim):
        assert mutant.fault(data[1]), what
    source: Any = claim.scores.source
    group, first = source.query.items[0], source.query.items[-1]
    [(test, one)] = first.value.branches
    for branch in (
        (test, replace(one, value="2")),
        (replace(test, value=group), one),  # the group, in place of its place
        (replace(test, members=tuple(replace(one, value=str(place)) for place in range(1, 6))), one),
    ):
        wrong = replace(first, value=replace(first.value, branches=(branch,)))
        query = replace(source.query, items=(*source.query.items[:-1], wrong))
        scores = replace(claim.scores, source=replace(source, query=query))
        assert replace(claim, scores=scores).fault(data[1])


PASSES = ("Quantile", "Quantiles", "Quantile of an end")


@pytest.mark.parametrize("name", PASSES)
def test_points_of_other_values_are_refused(
    name: str, data: tuple[duckdb.DuckDBPyConnection, Catalog]
) -> None:
    [claim] = [one for one in claims_of(planned(QUERIES[name], data)) if one.passes is not None]
    passes = claim.passes
    assert passes is not None

    def refused(changed: Passes) -> bool:
        return bool(replace(claim, passes=changed).fault(data[1]))

    assert not refused(passes)
    assert refused(replace(passes, width=passes.width + 1))
    assert refused(replace(passes, points=passes.bins))
    points: Any = passes.points
    counted = points.source.left.query.source.query
    rows = counted.source.left
    sources = [
        replace(counted.source, on=counted.source.on[:-1]),
        replace(counted.source, on=counted.source.on[1:]),
        *(replace(counted.source, left=replace(rows, query=one)) for _, one in mutants(rows.query)),
    ]
    wrong = [_with_counted(points, replace(counted, source=source)) for source in sources]
    for one in (replace(points, where=points.where[:1]), *wrong):
        assert refused(replace(passes, points=one))


def _with_counted(points: Any, counted: SelectQuery) -> SelectQuery:
    ranked = points.source.left
    inside = replace(ranked.query, source=replace(ranked.query.source, query=counted))
    made: SelectQuery = replace(points, source=replace(points.source, left=replace(ranked, query=inside)))
    return made


def test_what_was_proved_is_not_proved_again(
    data: tuple[duckdb.DuckDBPyConnection, Catalog], monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str] = []

    def fault(claim: Claim, _: Catalog) -> str:
        calls.append(claim.kind)
        return ""

    monkeypatch.setattr(Claim, "fault", fault)
    check, plan = BoundsCheck(data[1]), planned(QUERIES["Count"], data)
    check.plan(plan)
    check.plan(plan)
    assert calls == ["Count"]
    check.plan(planned(QUERIES["Count"], data))  # another object, of which nothing is known
    assert calls == ["Count", "Count"]


def test_rows_that_a_summary_leaves_out_are_chosen_without_ties(tmp_path: Path) -> None:
    """Rows of one hash may differ in what they add, of which the order of the choice is too."""
    with duckdb.connect() as connection:
        connection.execute(TABLES)
        with dpduck.connect(connection, ledger=tmp_path / "ledger") as owner:
            for statement in POLICIES:
                owner.execute(statement)
            measures = "MEASURES (spent, seconds) CONTRIBUTION (rows = 3)"
            owner.execute(f"CREATE PRIVACY SUMMARY s ON visits (page) {measures} EPSILON 1")
            assert owner.execute("SHOW PRIVACY SUMMARIES").fetchall()


# --- doors ---------------------------------------------------------------------------------------


def _fewer_groups(measure: Measure) -> Measure:
    return replace(measure, groups=1)


def _fewer_rows(measure: Measure) -> Measure:
    assert isinstance(measure.request, aggregates.Count)
    return replace(measure, request=replace(measure.request, rows=1))


def _mutant(what: str) -> Callable[[Measure], Measure]:
    def wrong(measure: Measure) -> Measure:
        return replace(measure, scores=dict(mutants(measure.scores))[what])

    return wrong


TWO = "SELECT page, count(*, contribution_bounds_per_group => (0, 2)) FROM visits GROUP BY page"
WRONG: dict[str, tuple[str, Callable[[Measure], Measure]]] = {
    "a bound on groups": (QUERIES["Count"], _fewer_groups),
    "a bound on rows": (TWO, _fewer_rows),
    "the unit": (QUERIES["Count"], _mutant("the unit left out of GROUP BY")),
    "a clamp": (QUERIES["Sum"], _mutant("no clamp")),
}


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    path = tmp_path / "visits.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(TABLES)
        with dpduck.connect(connection, ledger=tmp_path / "ledger") as owner:
            for statement in POLICIES:
                owner.execute(statement)
    return path


@pytest.fixture
def db(shop: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dpduck.Connection]:
    """A connection that reads no private row: what does is not reached."""

    def read(*_: object) -> None:
        raise AssertionError("private rows are read")

    monkeypatch.setattr(pipeline, "release", read)
    monkeypatch.setattr(summary_statements, "noisy_tables", read)
    with dpduck.connect(shop, ledger=shop.parent / "ledger") as opened:
        opened.execute("SET dp_epsilon = 1")
        yield opened


@pytest.fixture
def refuses(db: dpduck.Connection) -> Callable[[Callable[[], object]], None]:
    """A check that something is refused with nothing charged, and the same each time."""

    def check(ask: Callable[[], object]) -> None:
        before = db.execute("SELECT * FROM dp_ledger() ORDER BY ALL").fetchall()
        for _ in range(2):
            with pytest.raises(InternalError, match="noise of this query may be too small") as caught:
                ask()
            assert caught.value.charged == "0"
        assert db.execute("SELECT * FROM dp_ledger() ORDER BY ALL").fetchall() == before

    return check


@pytest.fixture
def plans_wrongly(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[Measure], Measure]], None]:
    """The compiler, with something wrong in each measure."""
    right = plan_parts.PlanParts.measure

    def install(wrong: Callable[[Measure], Measure]) -> None:
        def measure(*given: Any, **named: Any) -> Measure:
            return wrong(right(*given, **named))

        monkeypatch.setattr(plan_parts.PlanParts, "measure", measure)

    return install


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_plan_is_refused_before_its_charge(
    what: str,
    db: dpduck.Connection,
    refuses: Callable[[Callable[[], object]], None],
    plans_wrongly: Callable[[Callable[[Measure], Measure]], None],
) -> None:
    query, wrong = WRONG[what]
    with pytest.raises(dpduck.ExecutionError):  # the right plan gets as far as private rows
        db.execute(query)
    db.execute("SELECT 1")
    plans_wrongly(wrong)
    refuses(lambda: db.execute(f"{query} ORDER BY page"))


def test_a_wrong_count_is_refused_before_a_stream_is_charged(
    db: dpduck.Connection,
    refuses: Callable[[Callable[[], object]], None],
    plans_wrongly: Callable[[Callable[[Measure], Measure]], None],
) -> None:
    plans_wrongly(_mutant("the unit left out of GROUP BY"))
    with dpduck.SparseVector(5, 1, 1, db) as stream:
        refuses(lambda: stream.ask("SELECT count(*) FROM visits"))


def test_a_wrong_summary_is_refused_before_its_charge(
    db: dpduck.Connection,
    refuses: Callable[[Callable[[], object]], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    make = "CREATE PRIVACY SUMMARY s ON visits (page) MEASURES (spent) CONTRIBUTION (rows = 3) EPSILON 1"
    right = cells_sql

    def more(owned: Any, keys: Any, within: Any, rows: Any, salt: int, sums: Any) -> SelectQuery:
        return right(owned, keys, within, rows + 1, salt, sums)

    monkeypatch.setattr(design, "cells_sql", more)
    refuses(lambda: db.execute(make))
    monkeypatch.setattr(design, "cells_sql", right)
    monkeypatch.setattr(MeasureColumn, "reach", 1)
    refuses(lambda: db.execute(make))
