"""What planning reads is of public rows: FROM of a query for facts was looked at, no subquery beside it."""

from __future__ import annotations

import duckdb
import pytest

import dpduck
from dpduck.engines.duckdb.public_facts import PublicFacts
from dpduck.kernel.tree import build
from dpduck.kernel.tree.nodes import Exists, ScalarSubquery
from dpduck.kernel.tree.relations import SelectQuery, TableScan
from dpduck.policies import load_catalog


def test_no_subquery_reads_private_rows() -> None:
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE t AS SELECT 1 AS person; CREATE TABLE o AS SELECT 1 AS k")
        with dpduck.connect(connection) as owner:
            owner.execute("ALTER TABLE t ADD PRIVACY_KEY (person)")
            owner.execute("ALTER TABLE o SET PUBLIC")
        catalog, facts = load_catalog(connection), PublicFacts(connection)
        private, public = (TableScan(catalog.table(name), name) for name in ("t", "o"))
        number = build.count_rows()
        hidden = SelectQuery((number,), private)
        assert facts.rows(SelectQuery((number,), public), {}) == [(1,)]
        for query in (
            hidden,
            SelectQuery((ScalarSubquery(hidden, number.type),), public),
            SelectQuery((number,), public, (Exists(hidden),)),
        ):
            with pytest.raises(ValueError, match="public tables only"):
                facts.rows(query, {})
