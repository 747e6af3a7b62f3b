"""Every accepted query gives the recorded score SQL, which runs and counts what plain SQL counts; every
refused query gives the recorded error, in full.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from dpduck import policies
from dpduck.errors import DpduckError
from dpduck.query import plan as plans
from tests.query import golden
from tests.query.shop import open_shop, plan


@pytest.fixture(scope="module")
def shop() -> Iterator[duckdb.DuckDBPyConnection]:
    with open_shop() as connection:
        yield connection


def summary(made: plans.Plan) -> str:
    """The plan in one line: all that is not the score SQL."""
    words = [type(made).__name__]
    words += [f"{o.name!r} {o.type} ({o.source})" for o in made.outputs]
    fields = {field.name for field in dataclasses.fields(made)}
    for name in ("k", "groups", "order_by", "quantile"):
        if name in fields:
            words.append(f"{name}={getattr(made, name)}")
    return ", ".join([*words, f"delta={made.delta}"])


def error_text(query: str, shop: duckdb.DuckDBPyConnection) -> str:
    with pytest.raises(DpduckError) as caught:
        plan(query, policies.load_catalog(shop))
    error = caught.value
    where = f" at {error.position}" if error.position is not None else ""
    text = f"{type(error).__name__}{where}: {error}"
    return text.replace("\n", "\n-- ")


@pytest.mark.parametrize("path", golden.files("accepted"), ids=lambda path: path.stem)
def test_accepted(path: Path, shop: duckdb.DuckDBPyConnection) -> None:
    catalog = policies.load_catalog(shop)
    cases = [golden.accepted(block) for block in golden.blocks(path)]
    for case in cases:
        made = plan(case.query, catalog)
        if golden.WRITING:
            case.plan, case.score = summary(made), made.score_sql
        assert (summary(made), made.score_sql) == (case.plan, case.score), case.query
        scores = shop.execute(made.score_sql).fetchall()
        assert sorted(scores, key=repr) == sorted(shop.execute(case.plain).fetchall(), key=repr), case.query
    if golden.WRITING:
        golden.write_accepted(path, cases)


@pytest.mark.parametrize("path", golden.files("refused"), ids=lambda path: path.stem)
def test_refused(path: Path, shop: duckdb.DuckDBPyConnection) -> None:
    cases = [golden.refused(block) for block in golden.blocks(path)]
    for case in cases:
        text = error_text(case.query, shop)
        if golden.WRITING:
            case.error = text
        assert text == case.error, case.query
    if golden.WRITING:
        golden.write_refused(path, cases)


@pytest.mark.parametrize("path", golden.files("accepted"), ids=lambda path: path.stem)
def test_result_columns_are_those_of_plain_duckdb(path: Path, shop: duckdb.DuckDBPyConnection) -> None:
    for block in golden.blocks(path):
        case = golden.accepted(block)
        made = plan(case.query, policies.load_catalog(shop))
        query = case.query.replace("public.", "main.").replace('"public".', "main.")
        described = shop.execute(f"DESCRIBE {query}").fetchall()
        assert [(o.name, o.type) for o in made.outputs] == [(row[0], row[1]) for row in described], case.query
