"""Every accepted query gives the recorded plan, whose claims are proved, and whose answer without noise is
what plain SQL gives, with the columns of plain DuckDB; every refused query gives the recorded error, in full.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import duckdb
import pytest

from dpduck import policies
from dpduck.answers.claimed_bounds import claims_of
from dpduck.answers.results import Result
from dpduck.compiler.compile import AnyPlan
from dpduck.engines.duckdb.public_facts import PublicFacts
from dpduck.kernel.catalog.model import Catalog
from dpduck.kernel.plan import model
from dpduck.kernel.plan.compound import CompoundPlan
from dpduck.kernel.plan.model import Measure, Plan, PublicPlan, Selection
from tests.depth import depth, part
from tests.query import golden, nested, quiet, refusing, store, tpch
from tests.query.shop import any_plan, open_shop, score_sql

OPENERS: dict[str, Callable[[], duckdb.DuckDBPyConnection]] = {
    "nested": nested.open_nested,
    "shop": open_shop,
    "store": store.open_store,
    "tpch": tpch.open_tpch,
}
_DPDUCK_ONLY = re.compile(
    r" WITH DIFFERENTIAL_PRIVACY OPTIONS \([^)]*\)"
    r"|, contribution_bounds_per_(group|row) => \([^)]*\)"
    r"|, epsilon => [0-9.]+"
)
SALT = 20_241_121
LEAST = {"accepted": 500, "refused": 600}


@pytest.fixture(scope="module")
def databases() -> Iterator[dict[str, duckdb.DuckDBPyConnection]]:
    opened = {name: opener() for name, opener in OPENERS.items()}
    yield opened
    for connection in opened.values():
        connection.close()


def catalog_of(connection: duckdb.DuckDBPyConnection) -> Catalog:
    """The catalog with a salt that is always the same."""
    return replace(policies.load_catalog(connection), salt=SALT)


def plan_of(query: str, catalog: Catalog, connection: duckdb.DuckDBPyConnection) -> AnyPlan:
    """The plan, where public tables may be asked."""
    return any_plan(query, catalog, facts=PublicFacts(connection))


def summary(made: AnyPlan) -> str:
    """The plan in one line: all that is not SQL."""
    if isinstance(made, PublicPlan):
        return "public"
    if isinstance(made, CompoundPlan):
        beside = [f"rows of {rows.table.name}" for rows in made.public]
        return "; ".join([*map(summary, made.blocks), *beside])
    shares = [_measure(measure) for measure in made.measures]
    keys = [f"{key.name!r} {key.type}" for key in made.keys]
    return ", ".join([_selection(made.selection), *keys, *shares])


def _measure(measure: Measure) -> str:
    noise = "" if measure.gaussian is None else f" gaussian {measure.gaussian.size or 'apart'}"
    levels = "" if measure.levels is None else f" on {len(measure.levels.sizes)} levels"
    return f"{type(measure.request).__name__} {float(measure.epsilon):g} x{measure.groups}{noise}{levels}"


def _selection(selection: Selection) -> str:
    words = [type(selection).__name__]
    for name in ("epsilon", "delta", "counted", "groups", "k", "threshold", "gaussian", "spread"):
        value = getattr(selection, name, None)
        if value:
            words.append(f"{name}={value if isinstance(value, str) else format(float(value), 'g')}")
    return " ".join(words)


@pytest.mark.parametrize(
    "path", part(golden.files("accepted"), 1, 4), ids=lambda path: f"{path.parent.name}/{path.stem}"
)
def test_accepted(path: Path, databases: dict[str, duckdb.DuckDBPyConnection]) -> None:
    connection = databases[path.parent.name]
    catalog = catalog_of(connection)
    cases = golden.cases(path)
    for number, case in enumerate(cases):
        made = plan_of(case.query, catalog, connection)
        scores = () if isinstance(made, PublicPlan) else tuple(score_sql(made))
        sql = made.sql if isinstance(made, PublicPlan) else made.answer_sql
        if golden.WRITING:
            case.plan, case.scores, case.answer = summary(made), scores, sql
        assert (case.plan, case.scores, case.answer) == (summary(made), scores, sql), case.query
        claims = (
            [] if isinstance(made, PublicPlan) else [c for block in made.blocks for c in claims_of(block)]
        )
        assert not [fault for claim in claims if (fault := claim.fault(catalog))], case.query
        _check_answer(case, made, connection, is_held=number % depth(1, 3) == 0)
    if golden.WRITING:
        golden.write_accepted(path, cases)


def _check_answer(
    case: golden.Accepted, made: AnyPlan, connection: duckdb.DuckDBPyConnection, *, is_held: bool
) -> None:
    """Input: whether it is also asked as if there were more candidates than a plan lists."""
    result = quiet.answer(made, connection)
    answered = result.fetchall()
    expected = Result(_plain(case.expected), connection.cursor).fetchall()
    assert quiet.columns(result) == _described(case, connection), case.query
    ordered = "ORDER BY" in case.expected.rpartition(")")[2].upper()
    assert quiet.is_same(answered, expected, ordered=ordered), (case.query, answered, expected)
    # Gaps and intervals have halves that depend on which random words they are made of.
    listed = isinstance(made, Plan) and made.selection.score_sql and not made.is_held
    if is_held and listed and "dp_" not in case.query:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(model, "MOST_LISTED", 0)
            held = quiet.answer(made, connection).fetchall()
        assert quiet.is_same(held, expected, ordered=ordered), (case.query, held, expected)


def _plain(query: str) -> str:
    """BI tools write the schema as PostgreSQL calls it."""
    return query.replace('"public".', "main.").replace("public.", "main.")


def _described(case: golden.Accepted, connection: duckdb.DuckDBPyConnection) -> list[tuple[str, str]]:
    """Names and types that plain DuckDB gives the query, or the plain SQL where it does not know it."""
    try:
        described = connection.execute(f"DESCRIBE {_plain(_DPDUCK_ONLY.sub('', case.query))}").fetchall()
    except duckdb.Error:
        described = connection.execute(f"DESCRIBE {_plain(case.expected)}").fetchall()
    return [(row[0], row[1]) for row in described]


@pytest.fixture(scope="module")
def views() -> Iterator[duckdb.DuckDBPyConnection]:
    with refusing.open_views() as connection:
        yield connection


@pytest.mark.parametrize("path", golden.files("refused"), ids=lambda path: path.stem)
def test_refused(path: Path, views: duckdb.DuckDBPyConnection) -> None:
    catalog = policies.load_catalog(views)
    cases = [golden.refused(block) for block in golden.blocks(path)]
    for case in cases:
        text = refusing.error_text(case.query, views, catalog)
        if golden.WRITING:
            case.error = text
        assert text == case.error, case.query
    if golden.WRITING:
        golden.write_refused(path, cases)


def test_there_are_enough() -> None:
    for kind, least in LEAST.items():
        assert sum(len(golden.blocks(path)) for path in golden.files(kind)) >= least, kind
