"""psycopg 3: every type in text and binary, parameters, prepared statements, pipelines, COPY, cancel."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

import psycopg
import pytest

from tests.gateway.clients.contract import (
    COUNT,
    FRESH,
    HIDDEN,
    KINDS,
    MEDIAN,
    NOISE,
    TOP,
    VISITORS,
    Answer,
    Refusal,
    Served,
    check_contract,
    check_counts,
    check_median,
)

BY_AGE = "SELECT count(*) FROM visits WHERE age BETWEEN %s AND %s AND page = ANY(%s)"

NO_PARAMETERS = ("real", "clock", "span", "bytes", "doc", "list", "names")  # what cannot be one, or not equal


def connect(served: Served, user: str = "psycopg", **more: Any) -> psycopg.Connection[tuple[Any, ...]]:
    return psycopg.connect(
        host="127.0.0.1", port=served.port, user=user, dbname="shop", options=FRESH, autocommit=True, **more
    )


@pytest.fixture
def session(served: Served) -> Iterator[psycopg.Connection[tuple[Any, ...]]]:
    with connect(served) as session:
        yield session


@pytest.mark.parametrize("binary", [False, True])
def test_contract(served: Served, binary: bool) -> None:
    def ask(user: str, questions: Sequence[str]) -> list[Answer]:
        with connect(served, user) as session:
            return [_answer(session, question, binary) for question in questions]

    check_contract(served, "psycopg", ask)


def _answer(session: psycopg.Connection[tuple[Any, ...]], question: str, binary: bool) -> Answer:
    try:
        return session.execute(question, binary=binary).fetchall()
    except psycopg.Error as error:
        said = error.diag
        assert said.severity_nonlocalized == "ERROR"
        return Refusal(error.sqlstate, said.message_primary or "", said.message_detail, said.message_hint)


@pytest.mark.parametrize("binary", [False, True])
def test_every_type(session: psycopg.Connection[tuple[Any, ...]], binary: bool) -> None:
    cursor = session.execute("SELECT * FROM kinds ORDER BY id", binary=binary)
    assert cursor.description is not None
    names = [column.name for column in cursor.description]
    first, second = cursor.fetchall()
    assert dict(zip(names, first, strict=True)) == KINDS
    assert second == (2, *[None] * 20)


@pytest.mark.parametrize("name", [name for name in KINDS if name not in NO_PARAMETERS])
@pytest.mark.parametrize("binary", [False, True])
def test_every_type_as_a_parameter(
    session: psycopg.Connection[tuple[Any, ...]], name: str, binary: bool
) -> None:
    mark = "%b" if binary else "%t"
    found = session.execute(f"SELECT id FROM kinds WHERE {name} = {mark}", (KINDS[name],)).fetchall()
    assert found == [(1,)]


def test_parameters_of_private_questions(
    served: Served, session: psycopg.Connection[tuple[Any, ...]]
) -> None:
    before = served.count("psycopg")
    ((some,),) = session.execute(BY_AGE, (18, 47, ["home", "jobs"])).fetchall()
    assert abs(some - 3000) < NOISE
    values = (date(2024, 1, 1), date(2024, 1, 15), Decimal("5.25"), True)
    ((few,),) = session.execute(
        "SELECT count(*) FROM visits WHERE day BETWEEN %s AND %s AND amount < %s AND member = %s", values
    ).fetchall()
    assert few < 3000
    ((unknown,),) = session.execute("SELECT count(*) FROM visits WHERE page = %s", (None,)).fetchall()
    assert unknown == 0  # whatever the rows are, so it is free
    assert served.count("psycopg") == before + 2


def test_a_statement_that_the_server_keeps(
    served: Served, session: psycopg.Connection[tuple[Any, ...]]
) -> None:
    before = served.count("psycopg")
    counts = [
        session.execute("SELECT count(*) FROM visits WHERE age < %s", (age,), prepare=True).fetchall()[0][0]
        for age in (30, 48, 200)
    ]
    assert [round(count, -3) for count in counts] == [1000, 3000, 6000]
    assert served.count("psycopg") == before + 3


def test_describing_costs_nothing(served: Served, session: psycopg.Connection[tuple[Any, ...]]) -> None:
    before = served.count("psycopg")
    connection = session.pgconn
    connection.prepare(b"q", b"SELECT page, count(*) AS n FROM visits WHERE age < $1 GROUP BY page")
    described = connection.describe_prepared(b"q")
    assert [described.fname(0), described.fname(1)] == [b"page", b"n"]
    assert [described.ftype(0), described.ftype(1), described.param_type(0)] == [25, 20, 23]
    assert served.count("psycopg") == before


def test_pipeline(served: Served, session: psycopg.Connection[tuple[Any, ...]]) -> None:
    before = served.count("psycopg")
    with session.pipeline():
        cursors = [session.execute(sql) for sql in (TOP, MEDIAN, "SELECT title FROM pages ORDER BY page")]
    check_counts(cursors[0].fetchall(), ["home", "news", "shop"])
    check_median(cursors[1].fetchall())
    assert len(cursors[2].fetchall()) == 3
    with pytest.raises(psycopg.errors.FeatureNotSupported), session.pipeline():
        session.execute(HIDDEN)
        session.execute(MEDIAN)  # is skipped
    assert served.count("psycopg") == before + 2
    assert session.execute("SELECT 1").fetchall() == [(1,)]


def test_copy(served: Served, session: psycopg.Connection[tuple[Any, ...]]) -> None:
    before = served.count("psycopg")
    with session.cursor() as cursor, cursor.copy(f"COPY ({TOP}) TO STDOUT (FORMAT binary)") as copy:
        copy.set_types(["text", "int8"])
        check_counts(list(copy.rows()), ["home", "news", "shop"])
    assert served.count("psycopg") == before + 1
    with session.cursor() as cursor, cursor.copy("COPY archive.numbers TO STDOUT") as copy:
        assert sum(1 for _ in copy.rows()) == 1000


def test_a_cursor_that_streams(served: Served, session: psycopg.Connection[tuple[Any, ...]]) -> None:
    before = served.count("psycopg")
    with session.cursor() as cursor:
        assert sum(1 for _ in cursor.stream("SELECT * FROM archive.numbers")) == 1000
        check_counts(list(cursor.stream(TOP)), ["home", "news", "shop"])
    assert served.count("psycopg") == before + 1


@pytest.mark.parametrize("binary", [False, True])
def test_a_cursor_of_the_server(
    served: Served, session: psycopg.Connection[tuple[Any, ...]], binary: bool
) -> None:
    before = served.count("psycopg")
    with session.transaction():
        with session.cursor("pages", binary=binary) as cursor:
            cursor.execute("SELECT page, count(*) FROM visits WHERE age < %s GROUP BY 1 ORDER BY 1", (200,))
            assert served.count("psycopg") == before
            check_counts([*cursor.fetchmany(2), *cursor.fetchall()], sorted(VISITORS))
        with pytest.raises(psycopg.errors.InvalidCursorName):
            session.execute("FETCH 1 FROM pages")
        raise psycopg.Rollback
    with pytest.raises(psycopg.errors.NoActiveSqlTransaction):
        session.execute("DECLARE late CURSOR FOR SELECT 1")
    assert served.count("psycopg") == before + 1


def test_cancel(session: psycopg.Connection[tuple[Any, ...]]) -> None:
    slow = "SELECT sum(a.n * b.n * c.n % 7) FROM archive.numbers a, archive.numbers b, archive.numbers c"
    timer = threading.Timer(0.5, session.cancel_safe)
    timer.start()
    started = time.monotonic()
    with pytest.raises(psycopg.errors.QueryCanceled, match="canceling statement due to user request"):
        session.execute(slow + ", archive.numbers d")
    timer.join()
    assert time.monotonic() - started < 20
    assert session.execute("SELECT 1").fetchall() == [(1,)]


def test_transactions(served: Served) -> None:
    with connect(served) as session:
        session.autocommit = False
        with session.transaction():
            check_median(session.execute(MEDIAN).fetchall())
        with pytest.raises(psycopg.errors.UndefinedColumn):
            session.execute("SELECT nothing FROM visits")
        with pytest.raises(psycopg.errors.InFailedSqlTransaction):
            session.execute("SELECT 1")
        session.rollback()
        assert session.execute("SELECT 1").fetchall() == [(1,)]


def test_settings_and_notices(session: psycopg.Connection[tuple[Any, ...]]) -> None:
    notices: list[str] = []
    session.add_notice_handler(lambda notice: notices.append(notice.message_primary or ""))
    session.execute("SET dp_replay = on")
    session.execute("SET dp_epsilon = 0.25")
    assert session.execute("SHOW dp_epsilon").fetchall() == [("0.25",)]
    first = session.execute(COUNT).fetchall()
    assert session.execute(COUNT).fetchall() == first
    errors = [text for text in notices if re.fullmatch(r"n ± [0-9]+( or higher)? \(95 %\)", text)]
    assert len(errors) == 2
    assert notices[0] == errors[0]
    assert any(text.startswith("This is from the answer of") for text in notices)
    assert session.info.encoding == "utf-8"
    assert session.info.server_version == 150000
    assert abs(first[0][0] - VISITORS["home"]) < NOISE * 10
