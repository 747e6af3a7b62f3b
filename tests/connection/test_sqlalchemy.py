"""SQLAlchemy in process: reflection, Core and ORM, one session for each engine; and duckdb-engine's own."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pandas as pd
import polars as pl
import pytest
import sqlalchemy as sa
from sqlalchemy.dialects import registry
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

import dpduck
from dpduck.doors.connection.sqlalchemy_dialect import DpduckDialect
from tests.connection.conftest import HISTOGRAM

registry.register("dpduck", "dpduck.doors.connection.sqlalchemy_dialect", "DpduckDialect")


class Base(DeclarativeBase):
    pass


class Visit(Base):
    __tablename__ = "visits"
    uid: Mapped[int] = mapped_column(primary_key=True)
    page: Mapped[str]
    age: Mapped[int]


@pytest.fixture
def engine(file: Path) -> Iterator[sa.Engine]:
    made = sa.create_engine(f"dpduck:///{file}?analyst=ana&epsilon=0.5&budget=8")
    yield made
    made.dispose()


def test_the_dialect_is_an_entry_point() -> None:
    text = (Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8")
    assert f'dpduck = "{DpduckDialect.__module__}:DpduckDialect"' in text


def test_reflection_reads_names_and_types_alone(engine: sa.Engine) -> None:
    inspector = sa.inspect(engine)
    assert inspector.get_table_names() == ["visits"]
    assert inspector.get_view_names() == []
    assert inspector.get_schema_names() == ["main"]
    assert inspector.has_table("VISITS")
    assert not inspector.has_table("nothing")
    metadata = sa.MetaData()
    metadata.reflect(engine)
    types = {column.name: type(column.type) for column in metadata.tables["visits"].columns}
    assert types == {"uid": sa.BigInteger, "page": sa.String, "age": sa.Integer, "day": sa.Date}
    assert inspector.get_pk_constraint("visits")["constrained_columns"] == []
    assert inspector.get_foreign_keys("visits") == inspector.get_indexes("visits") == []
    with pytest.raises(sa.exc.NoSuchTableError):
        inspector.get_columns("nothing")
    with engine.connect() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM dp_ledger()").scalar() == 0


def test_core_and_orm_count(engine: sa.Engine) -> None:
    visits = sa.Table("visits", sa.MetaData(), autoload_with=engine)
    number = sa.func.count().label("n")
    with engine.connect() as connection:
        rows = connection.execute(
            sa.select(visits.c.page, number).where(visits.c.age > 10).group_by(visits.c.page)
            .order_by(sa.desc("n")).limit(2)
        ).all()  # fmt: skip
        assert len(rows) == 2
        assert isinstance(connection.execute(sa.select(sa.func.avg(visits.c.age))).scalar(), float)
        named = sa.text("SELECT count(*) FROM visits WHERE page = :page")
        assert 800 < connection.execute(named, {"page": "home"}).scalar_one() < 1200
    with Session(engine) as session:
        assert 800 < session.query(Visit).filter(Visit.page == "home").count() < 1200
        assert (
            session.scalar(sa.select(sa.func.count()).select_from(Visit).where(Visit.age.between(1, 3))) >= 0
        )
        pages = session.execute(sa.select(Visit.page, sa.func.count()).group_by(Visit.page)).all()
        assert sorted(page for page, _ in pages) == ["cart", "help", "home"]
        with pytest.raises(sa.exc.NotSupportedError, match="private rows cannot be listed"):
            session.query(Visit).all()


def test_all_connections_are_one_session_with_one_budget(engine: sa.Engine) -> None:
    with engine.connect() as first, engine.connect() as second:
        for epsilon, connection in ((6, first), (1, second)):
            connection.exec_driver_sql(f"SET dp_epsilon = {epsilon}")
            connection.exec_driver_sql(f"SELECT count(*) FROM visits WHERE age > {epsilon}")
        spent = "SELECT epsilon_spent FROM dp_budget() WHERE scope = 'session'"
        assert first.exec_driver_sql(spent).scalars().all() == [Decimal(7)]
        with pytest.raises(sa.exc.OperationalError, match="needs epsilon"):
            first.exec_driver_sql("SELECT count(*) FROM visits WHERE age > 50")


def test_readers(engine: sa.Engine) -> None:
    frame = pd.read_sql(HISTOGRAM, engine)
    assert pl.read_database(HISTOGRAM, engine).to_dict(as_series=False) == frame.to_dict("list")


def test_a_wrong_address_is_refused() -> None:
    with pytest.raises(sa.exc.ArgumentError, match="epsilom is no option: write dpduck:///"):
        sa.create_engine("dpduck:///f.duckdb?epsilom=1").connect()
    with pytest.raises(sa.exc.ProgrammingError, match="no file is named"):
        sa.create_engine("dpduck:///").connect()


def test_a_connection_may_be_given(db: dpduck.Connection) -> None:
    engine = sa.create_engine("dpduck://", creator=lambda: db, poolclass=sa.StaticPool)
    with engine.connect() as connection:
        assert len(connection.exec_driver_sql(HISTOGRAM).all()) == 3
