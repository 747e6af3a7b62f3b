"""psycopg2, which writes values into the text: questions, lists, rows by name and COPY."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import date
from decimal import Decimal
from typing import Any

import psycopg2
import psycopg2.extras
import pytest

from tests.gateway.clients.contract import (
    FRESH,
    KINDS,
    NOISE,
    TOP,
    Answer,
    Refusal,
    Served,
    check_contract,
    check_counts,
)


def connect(served: Served, user: str = "psycopg2") -> Any:
    session = psycopg2.connect(host="127.0.0.1", port=served.port, user=user, dbname="shop", options=FRESH)
    session.autocommit = True
    return session


@pytest.fixture
def cursor(served: Served) -> Iterator[Any]:
    with closing(connect(served)) as session, session.cursor() as cursor:
        yield cursor


def test_contract(served: Served) -> None:
    def ask(user: str, questions: Sequence[str]) -> list[Answer]:
        with closing(connect(served, user)) as session:
            return [_answer(session, question) for question in questions]

    check_contract(served, "psycopg2", ask)


def _answer(session: Any, question: str) -> Answer:
    with session.cursor() as cursor:
        try:
            cursor.execute(question)
        except psycopg2.Error as error:
            said = error.diag
            return Refusal(error.pgcode, said.message_primary, said.message_detail, said.message_hint)
        return cursor.fetchall()


def test_every_type(cursor: Any) -> None:
    cursor.execute("SELECT * FROM kinds ORDER BY id")
    names = [column.name for column in cursor.description]
    first, second = cursor.fetchall()
    row = dict(zip(names, first, strict=True))
    row["bytes"] = bytes(row["bytes"])
    assert row == {**KINDS, "code": str(KINDS["code"])}
    assert second == (2, *[None] * 20)


def test_parameters(served: Served, cursor: Any) -> None:
    before = served.count("psycopg2")
    cursor.execute(
        "SELECT count(*) FROM visits WHERE page = ANY(%s) AND day >= %s AND age IN %s AND amount < %s",
        (["home", "it's"], date(2024, 1, 1), tuple(range(18, 48)), Decimal("1000.5")),
    )
    assert abs(cursor.fetchall()[0][0] - 3000) < NOISE
    cursor.execute("SELECT title FROM pages WHERE page = %(page)s AND weight IS NOT NULL", {"page": "shop"})
    assert cursor.fetchall() == [('Buy "it"',)]
    assert served.count("psycopg2") == before + 1


def test_rows_by_name(served: Served) -> None:
    before = served.count("psycopg2")
    with (
        closing(connect(served)) as session,
        session.cursor(cursor_factory=psycopg2.extras.RealDictCursor) as cursor,
    ):
        cursor.execute(TOP)
        check_counts([tuple(row.values()) for row in cursor.fetchall()], ["home", "news", "shop"])
    assert served.count("psycopg2") == before + 1


def test_a_cursor_of_the_server(served: Served) -> None:
    before = served.count("psycopg2")
    with closing(connect(served)) as session:
        session.autocommit = False
        with session.cursor("numbers") as cursor:
            cursor.itersize = 300
            cursor.execute("SELECT n FROM archive.numbers ORDER BY n")
            assert [n for (n,) in cursor] == list(range(1000))
        with session.cursor("pages") as cursor:
            cursor.execute(TOP)
            assert served.count("psycopg2") == before
            check_counts([*cursor.fetchmany(2), *cursor.fetchall()], ["home", "news", "shop"])
        with session.cursor("kept", withhold=True) as cursor:
            cursor.execute("SELECT n FROM archive.numbers ORDER BY n")
            session.commit()
            assert cursor.fetchone() == (0,)
            cursor.scroll(9)
            assert cursor.fetchone() == (10,)
    assert served.count("psycopg2") == before + 1


def test_copy(served: Served, cursor: Any) -> None:
    before = served.count("psycopg2")
    text = io.StringIO()
    cursor.copy_expert(f"COPY ({TOP}) TO STDOUT WITH CSV HEADER", text)
    header, *rows = text.getvalue().splitlines()
    assert header == "page,n"
    check_counts([row.split(",") for row in rows], ["home", "news", "shop"])
    assert served.count("psycopg2") == before + 1
