"""Every accepted query has the same scores on Spark as on DuckDB, or is listed as refused there, and why."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from dpduck.answers.claimed_bounds import claims_of
from dpduck.compiler.compile import AnyPlan
from dpduck.engines.duckdb.public_facts import PublicFacts
from dpduck.kernel.catalog.model import Catalog
from dpduck.kernel.errors import DpduckError
from dpduck.kernel.plan.aggregates import Quantiles
from dpduck.kernel.plan.model import PublicPlan
from dpduck.kernel.tree.duckdb import sql
from dpduck.kernel.tree.relations import SelectQuery
from tests.depth import part
from tests.engines.sparks import Both, open_both, same
from tests.query import golden, shop, store, tpch
from tests.query.shop import any_plan

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

REFUSED = golden.FOLDER / "spark" / "refused.txt"
LEAST = 0.7  # of the accepted queries


def _texts(folder: Path) -> list[str]:
    text = (folder / "policies.sql").read_text(encoding="utf-8")
    return text.strip().removesuffix(";").split(";\n")


def _opened(spark: SparkSession, tmp_path: Path) -> dict[str, Both]:
    tables = Path(tpch.__file__).parent
    origins = {
        "shop": (shop.open_shop(), shop.POLICIES.strip().splitlines()),
        "store": (store.open_store(), _texts(tables / "store_tables")),
        "tpch": (tpch.open_tpch(), _texts(tables / "tpch_tables")),
    }
    return {name: open_both(spark, name, *origin, tmp_path) for name, origin in origins.items()}


def _refusal(case: golden.Accepted, both: Both, catalog: Catalog, agrees: dict[str, bool]) -> str | None:
    """Why Spark does not take a query; if it does, of which score SQL it agrees with DuckDB is noted."""
    try:
        made = any_plan(case.query, catalog, facts=PublicFacts(both.duck))
        blocks = () if isinstance(made, PublicPlan) else made.blocks
        assert not any(claim.fault(catalog) for block in blocks for claim in claims_of(block)), case.query
        for query in [] if isinstance(made, PublicPlan) else made.queries:
            if sql(query) not in agrees:
                agrees[sql(query)] = _agrees(query, both) or _has_places(made)
    except DpduckError as error:
        return f"{case.query}\n-- {error.message}: {error.detail.partition(': it would not')[0]}\n"
    return None


def _agrees(query: SelectQuery, both: Both) -> bool:
    """Whether both have the same scores. Errors: UnsupportedSqlError where Spark does not take the query."""
    both.source.engine.check(query)  # with what is taken out of it to be read
    return same(*both.read(query))


def _has_places(made: AnyPlan) -> bool:
    """Whether it tells equal values apart by a hash, which each engine computes in its own way."""
    measures = (
        [] if isinstance(made, PublicPlan) else [one for block in made.blocks for one in block.measures]
    )
    return any(isinstance(measure.request, Quantiles) for measure in measures)


def test_scores_are_those_of_duckdb(spark: SparkSession, tmp_path: Path) -> None:
    refused, agreed, tried = [], 0, set[str]()
    for name, both in _opened(spark, tmp_path).items():
        catalog = both.catalog
        every = [case for path in golden.files(f"accepted/{name}") for case in golden.cases(path)]
        cases = every if golden.WRITING else part(every, 15)
        agrees: dict[str, bool] = {}
        reasons = {case.query: _refusal(case, both, catalog, agrees) for case in cases}
        assert [text for text, is_so in agrees.items() if not is_so] == []
        refused += [why for why in reasons.values() if why is not None]
        agreed += sum(why is None for why in reasons.values())
        both.close()
        tried |= {case.query for case in cases}
    if golden.WRITING:
        REFUSED.parent.mkdir(exist_ok=True)
        REFUSED.write_text("\n".join(refused), encoding="utf-8")
    known = REFUSED.read_text(encoding="utf-8").removesuffix("\n").split("\n\n")
    assert refused == [f"{why}\n" for why in known if why.partition("\n-- ")[0] in tried]
    assert agreed >= LEAST * len(tried)
