"""Ibis's backend for PostgreSQL: tables, expressions that it compiles itself, and queries of SQL."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import psycopg
import pytest

from tests.gateway.clients.contract import (
    FRESH,
    KINDS,
    NOISE,
    Answer,
    Refusal,
    Served,
    check_contract,
    check_counts,
)
from tests.gateway.clients.shop import PASSWORD

ibis = pytest.importorskip("ibis")
_ = ibis._

# Ibis 12 asks pandas 3 for an option that is no longer needed.
pytestmark = pytest.mark.filterwarnings("ignore:The 'future.infer_string' option")


def connect(served: Served, user: str = "ibis") -> Any:
    where = {"host": "127.0.0.1", "port": served.port, "user": user, "password": PASSWORD, "database": "shop"}
    return ibis.postgres.connect(**where, options=FRESH)


@pytest.fixture
def shop(served: Served) -> Iterator[Any]:
    shop = connect(served)
    yield shop
    shop.disconnect()


def test_contract(served: Served) -> None:
    def ask(user: str, questions: Sequence[str]) -> list[Answer]:
        session = connect(served, user)
        answers = [_answer(session, question) for question in questions]
        session.disconnect()
        return answers

    check_contract(served, "ibis", ask)


def _answer(session: Any, question: str) -> Answer:
    try:
        with session.raw_sql(question) as cursor:
            return list(cursor.fetchall())
    except psycopg.Error as error:
        said = error.diag
        return Refusal(said.sqlstate, said.message_primary or "", said.message_detail, said.message_hint)


def test_what_there_is(served: Served, shop: Any) -> None:
    before = served.count("ibis")
    assert shop.list_tables() == ["kinds", "pages", "visits"]
    assert shop.list_tables(database="archive") == ["numbers"]
    assert shop.list_catalogs() == ["shop"]
    assert {"archive", "public"} <= set(shop.list_databases())
    schema = shop.table("visits").schema()
    assert {name: str(kind) for name, kind in schema.items()} == {
        "visitor": "!int64",
        "page": "string",
        "age": "int32",
        "day": "date",
        "amount": "decimal(9, 2)",
        "member": "boolean",
    }
    kinds = shop.table("kinds")
    (row,) = (
        kinds.filter(kinds.id == 1).select("big", "flag", "day", "list", "names").to_pyarrow().to_pylist()
    )
    assert row == {name: KINDS[name] for name in row}
    assert served.count("ibis") == before


def test_expressions(served: Served, shop: Any) -> None:
    """Each is charged once."""
    before = served.count("ibis")
    visits, pages = shop.table("visits"), shop.table("pages")
    young = visits.age < 48
    top = visits.page.topk(3).execute()
    check_counts(list(top.itertuples(index=False, name=None)), ["home", "news", "shop"])
    histogram = visits.page.value_counts().execute().sort_values("page")
    check_counts(list(histogram.itertuples(index=False, name=None)), ["help", "home", "jobs", "news", "shop"])
    assert 40 <= visits.age.median().execute() <= 55
    assert 65 <= visits.age.quantile(0.9).execute() <= 77
    assert abs(visits.count().execute() - 6000) < NOISE
    assert abs(visits.visitor.nunique(where=young).execute() - 3000) < NOISE
    assert 60_000 < visits.amount.sum(where=visits.page == "home").execute() < 90_000
    assert abs(visits.member.isnull().sum().execute() - 2570) < 5 * NOISE
    weeks = visits.group_by(week=visits.day.truncate("W")).agg(n=_.count()).execute()
    assert len(weeks) == 5
    bands = visits.group_by(band=ibis.cases((young, "young"), else_="old")).agg(n=_.count()).execute()
    assert set(bands["band"]) == {"young", "old"}
    tens = visits.group_by(ten=(visits.age // 10) * 10).agg(n=_.count()).execute()
    assert len(tens) == 13
    titles = visits.join(pages, "page").group_by("title").agg(mean=_.amount.mean()).execute()
    assert set(titles["title"]) == {"Start", "What's new", 'Buy "it"'}
    many = visits.group_by("page").having(_.count() > 3000).agg(n=_.count()).to_pyarrow()
    assert many.column("page").to_pylist() == ["home", "news", "shop"]
    assert served.count("ibis") == before + 13
    listed = visits.select("page").distinct().execute()
    assert set(listed["page"]) == {"help", "home", "jobs", "news", "shop"}
    assert served.count("ibis") == before + 13  # as the domain says


def test_queries_of_sql(served: Served, shop: Any) -> None:
    before = served.count("ibis")
    pages = shop.sql(
        "SELECT page, count(*) AS n FROM visits GROUP BY page", schema={"page": "string", "n": "int64"}
    )
    top = pages.order_by(_.n.desc()).limit(2).execute()
    check_counts(list(top.itertuples(index=False, name=None)), ["home", "news"])
    assert served.count("ibis") == before + 1


def test_what_is_refused(served: Served, shop: Any) -> None:
    before = served.count("ibis")
    visits = shop.table("visits")
    for listing in (visits.head(), visits, visits.select("page", "age")):
        with pytest.raises(psycopg.errors.FeatureNotSupported, match="private rows cannot be listed"):
            listing.execute()
    with pytest.raises(psycopg.errors.FeatureNotSupported, match="CREATE is not supported"):
        shop.create_table("copied", shop.table("pages"))
    assert served.count("ibis") == before
