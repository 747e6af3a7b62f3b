"""The functions of `register` in each connection of an engine of SQLAlchemy for DuckDB."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import duckdb
import sqlalchemy as sa

import dpduck


def test_each_connection_of_an_engine_has_them_and_one_budget(tmp_path: Any) -> None:
    path = tmp_path / "shop.duckdb"
    with duckdb.connect(str(path)) as con:
        con.execute("CREATE TABLE t AS SELECT range AS id FROM range(3000)")
        dpduck.connect(con).execute("ALTER TABLE t ADD PRIVACY_KEY (id)")
    engine = sa.create_engine(f"duckdb:///{path}")
    dpduck.register(engine, session="bi", budget="3", epsilon="0.5")
    with engine.connect() as first, engine.connect() as second:
        median = "SELECT dp_median(id, 1, lo := 0, hi := 3000) FROM t"
        assert 0 <= first.exec_driver_sql(median).scalar_one() <= 3000
        assert 2900 < second.exec_driver_sql("SELECT * FROM dp('SELECT count(*) FROM t')").scalar_one() < 3100
        spent = "SELECT epsilon_spent FROM dp_budget() WHERE name = 'bi'"
        assert {one.exec_driver_sql(spent).scalar_one() for one in (first, second)} == {Decimal("1.5")}
    engine.dispose()
