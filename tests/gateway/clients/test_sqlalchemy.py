"""SQLAlchemy with its stock dialect, and pandas on top: reflection, bound parameters, data frames."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pandas
import pytest
import sqlalchemy as sa
from sqlalchemy.ext.automap import automap_base
from sqlalchemy.orm import Session

from tests.gateway.clients.contract import (
    FRESH,
    KINDS,
    NOISE,
    TOP,
    VISITORS,
    Answer,
    Refusal,
    Served,
    check_contract,
    check_counts,
)
from tests.gateway.clients.shop import PASSWORD


def engine_of(served: Served, user: str = "sqlalchemy", **more: Any) -> sa.Engine:
    url = sa.URL.create("postgresql+psycopg", user, PASSWORD, "127.0.0.1", served.port, "shop")
    return sa.create_engine(url, connect_args={"options": FRESH}, **more)


@pytest.fixture
def engine(served: Served) -> Iterator[sa.Engine]:
    engine = engine_of(served)
    yield engine
    engine.dispose()


def test_contract(served: Served) -> None:
    def ask(user: str, questions: Sequence[str]) -> list[Answer]:
        engine = engine_of(served, user, pool_pre_ping=True)
        answers = [_answer(engine, question) for question in questions]
        engine.dispose()
        return answers

    check_contract(served, "sqlalchemy", ask)


def _answer(engine: sa.Engine, question: str) -> Answer:
    try:
        with engine.connect() as session:
            return session.execute(sa.text(question)).fetchall()
    except sa.exc.DBAPIError as error:
        assert error.orig is not None
        said = error.orig.diag  # type: ignore[attr-defined]
        return Refusal(said.sqlstate, said.message_primary, said.message_detail, said.message_hint)


def test_reflection(served: Served, engine: sa.Engine) -> None:
    before = served.count("sqlalchemy")
    inspector = sa.inspect(engine)
    assert inspector.default_schema_name == "public"
    assert set(inspector.get_schema_names()) >= {"archive", "public"}
    assert sorted(inspector.get_table_names()) == ["kinds", "pages", "visits"]
    assert inspector.get_table_names("archive") == ["numbers"]
    assert inspector.get_view_names() == []
    columns = {column["name"]: column for column in inspector.get_columns("visits")}
    kinds = {name: str(column["type"]) for name, column in columns.items()}
    assert kinds == {
        "visitor": "BIGINT",
        "page": "TEXT",
        "age": "INTEGER",
        "day": "DATE",
        "amount": "NUMERIC(9, 2)",
        "member": "BOOLEAN",
    }
    assert columns["visitor"]["comment"] == "privacy unit"
    assert columns["age"]["comment"] == "domain: BETWEEN (0, 120) STEP 1"
    assert inspector.get_table_comment("visits") == {"text": "private: unit visitor"}
    assert inspector.get_pk_constraint("pages")["constrained_columns"] == ["page"]
    assert inspector.get_foreign_keys("visits") == []
    assert inspector.get_indexes("visits") == []
    assert inspector.get_unique_constraints("pages") == []
    assert inspector.get_check_constraints("visits") == []
    assert served.count("sqlalchemy") == before


def test_reflected_tables_in_selects(served: Served, engine: sa.Engine) -> None:
    before = served.count("sqlalchemy")
    metadata = sa.MetaData()
    metadata.reflect(engine)
    assert set(metadata.tables) == {"kinds", "pages", "visits"}
    visits, kinds = metadata.tables["visits"], metadata.tables["kinds"]
    n = sa.func.count().label("n")
    few = sa.select(visits.c.page, n).where(visits.c.age.between(18, 77), visits.c.page.in_(["home", "help"]))
    with engine.connect() as session:
        rows = session.execute(few.group_by(visits.c.page).order_by(n.desc()).limit(1)).fetchall()
        check_counts(rows, ["home"])
        row = session.execute(sa.select(kinds).where(kinds.c.id == 1)).mappings().one()
    assert dict(row) == KINDS
    assert served.count("sqlalchemy") == before + 1


def test_automap(served: Served, engine: sa.Engine) -> None:
    """Classes made of the tables that have keys; the ORM counts, and loads public rows."""
    before = served.count("sqlalchemy")
    base = automap_base()
    base.prepare(autoload_with=engine)
    assert set(base.classes.keys()) == {"kinds", "pages"}
    with Session(engine) as session:
        page = session.get(base.classes.pages, "home")
        assert page is not None
        assert page.title == "Start"
        visits = base.metadata.tables["visits"]
        n = session.scalar(sa.select(sa.func.count()).select_from(visits))
        assert abs(n - VISITORS["home"]) < NOISE
        row = session.execute(sa.select(visits.c.page, sa.func.count()).group_by(visits.c.page)).first()
        assert row is not None
        assert row.page in VISITORS
    assert served.count("sqlalchemy") == before + 2


def test_pandas(served: Served, engine: sa.Engine) -> None:
    before = served.count("sqlalchemy")
    frame = pandas.read_sql(TOP, engine)
    check_counts(list(frame.itertuples(index=False, name=None)), ["home", "news", "shop"])
    assert str(frame.dtypes["n"]) == "int64"
    ages = pandas.read_sql(
        sa.text("SELECT age, count(*) AS n FROM visits WHERE day >= :first GROUP BY age"),
        engine,
        params={"first": "2024-01-01"},
    )
    assert len(ages) == 121
    assert abs(int(ages["n"].sum()) - 6000) < 10 * NOISE
    pages = pandas.read_sql_table("pages", engine)
    assert list(pages["title"]) == ["Start", "What's new", 'Buy "it"']
    assert served.count("sqlalchemy") == before + 2


def test_a_stream_of_rows(engine: sa.Engine) -> None:
    with engine.connect().execution_options(yield_per=100) as session:
        rows = session.execute(sa.text("SELECT n FROM archive.numbers"))
        assert sum(1 for _ in rows) == 1000
