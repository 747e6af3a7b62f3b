"""The full error that a statement gives before any private row is read: what the refused files record."""

from __future__ import annotations

from fractions import Fraction

import duckdb
import pytest

from dpduck import policies
from dpduck.answers.settings import Settings
from dpduck.compiler.compile import AnyPlan, QueryLimits, make_plan
from dpduck.compiler.parse.settings import SetOption
from dpduck.compiler.parse.statements import Explain, Select, parse
from dpduck.compiler.validate.clock import validated_at
from dpduck.engines.duckdb.public_facts import PublicFacts
from dpduck.kernel.catalog.model import Catalog
from dpduck.kernel.errors import DpduckError
from tests.query.shop import NOON, open_shop

VIEWS = """
CREATE VIEW plain AS SELECT * FROM visits WHERE age > 20;
CREATE VIEW renamed(person, what) AS SELECT uid, page FROM visits;
CREATE VIEW first_visits AS SELECT * FROM visits ORDER BY moment LIMIT 100;
CREATE VIEW pages AS SELECT DISTINCT page FROM visits;
CREATE VIEW visits_of_pages AS SELECT page, count(*) AS n FROM visits GROUP BY page;
CREATE VIEW everyone AS SELECT uid FROM visits UNION ALL SELECT id FROM people;
CREATE VIEW heavy_users AS SELECT * FROM visits
    WHERE uid IN (SELECT uid FROM visits GROUP BY uid HAVING count(*) > 5);
CREATE VIEW of_closed AS SELECT * FROM closed;
CREATE VIEW by_chance AS SELECT * FROM visits WHERE random() < 0.5;
CREATE VIEW numbers AS SELECT * FROM range(10);
"""
EPSILON, DELTA = Fraction(1, 2), Fraction(1, 10**6)


def open_views() -> duckdb.DuckDBPyConnection:
    """The shop with views of its owner."""
    connection = open_shop()
    connection.execute(VIEWS)
    return connection


def understand(
    text: str, connection: duckdb.DuckDBPyConnection, catalog: Catalog | None = None
) -> AnyPlan | None:
    """What a session does with a statement before it reads private rows: a plan, or a change of settings."""
    statement, settings = parse(text), Settings(EPSILON, DELTA)
    if isinstance(statement, SetOption):
        settings.set(statement.name, statement.value)
        return None
    select = statement.select if isinstance(statement, Explain) else statement
    assert isinstance(select, Select), text
    own = settings.of_query(select.options)
    assert own.epsilon is not None
    limits = QueryLimits(
        own.epsilon, own.delta, own.groups, select.options.unit, noise=own.noise, population=own.population
    )
    known = policies.load_catalog(connection) if catalog is None else catalog
    return make_plan(validated_at(select, NOON), known, limits, PublicFacts(connection))


def error_of(text: str, connection: duckdb.DuckDBPyConnection, catalog: Catalog | None = None) -> DpduckError:
    """The error of a statement that must be refused."""
    with pytest.raises(DpduckError) as caught:
        understand(text, connection, catalog)
    return caught.value


def error_text(
    text: str, connection: duckdb.DuckDBPyConnection, catalog: Catalog | None = None, *, brief: bool = False
) -> str:
    """The error in full, each line but the first behind '-- '. `brief`: without a place and its lines."""
    error = error_of(text, connection, catalog)
    where = f" at {error.position}" if error.position is not None and not brief else ""
    return f"{type(error).__name__}{where}: {error}".replace("\n", "\n-- ")
