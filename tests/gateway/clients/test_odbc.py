"""psqlODBC by way of pyodbc: questions, parameters, types, and the catalog functions that tools call."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from tests.gateway.clients.contract import KINDS, NOISE, Answer, Refusal, Served, check_contract
from tests.gateway.clients.shop import PASSWORD

DRIVERS = sorted(Path("/usr/lib").glob("*/odbc/psqlodbcw.so"))

if not DRIVERS:
    pytest.skip(
        "psqlODBC is not installed (Debian: apt-get install odbc-postgresql)", allow_module_level=True
    )
pyodbc = pytest.importorskip(
    "pyodbc", reason="pyodbc cannot be loaded (Debian: apt-get install unixodbc)", exc_type=ImportError
)


def connect(served: Served, user: str = "odbc") -> Any:
    return pyodbc.connect(
        f"DRIVER={DRIVERS[0]};SERVER=127.0.0.1;PORT={served.port};DATABASE=shop;UID={user};PWD={PASSWORD};"
        "SSLMODE=disable;ConnSettings=SET dp_replay = off",
        autocommit=True,
    )


def test_contract(served: Served) -> None:
    def ask(user: str, questions: Sequence[str]) -> list[Answer]:
        with closing(connect(served, user)) as session:
            return [_answer(session, question) for question in questions]

    check_contract(served, "odbc", ask, hides=("hint",))


def _answer(session: Any, question: str) -> Answer:
    try:
        return [tuple(row) for row in session.execute(question).fetchall()]
    except pyodbc.Error as error:
        return Refusal.of_text(error.args[1], error.args[0])


def test_every_type(served: Served) -> None:
    with closing(connect(served)) as session:
        cursor = session.execute("SELECT * FROM kinds ORDER BY id")
        names = [column[0] for column in cursor.description]
        first, second = cursor.fetchall()
    row = dict(zip(names, first, strict=True))
    same = ("id", "small", "big", "unsigned", "price", "double", "text", "day", "moment", "bytes")
    assert {name: row[name] for name in same} == {name: KINDS[name] for name in same}
    assert row["names"] == '{a,NULL,"it\'s, \\"so\\""}'
    assert list(second) == [2, *[None] * 20]


def test_parameters(served: Served) -> None:
    before = served.count("odbc")
    with closing(connect(served)) as session:
        counted = "SELECT count(*) FROM visits WHERE age < ? AND page = ? AND day >= ? AND amount < ?"
        values = (48, "home", date(2024, 1, 1), Decimal("100.5"))
        ((count,),) = session.execute(counted, values).fetchall()
        assert abs(count - 3000) < NOISE
        assert session.execute("SELECT title FROM pages WHERE page = ?", "shop").fetchval() == 'Buy "it"'
    assert served.count("odbc") == before + 1


def test_what_there_is(served: Served) -> None:
    before = served.count("odbc")
    with closing(connect(served)) as session:
        cursor = session.cursor()
        tables = {(row.table_schem, row.table_name) for row in cursor.tables(tableType="TABLE")}
        assert {("public", "visits"), ("public", "pages"), ("archive", "numbers")} <= tables
        columns = [
            (row.column_name, row.type_name) for row in cursor.columns(table="visits", schema="public")
        ]
        assert columns == [
            ("visitor", "int8"),
            ("page", "text"),
            ("age", "int4"),
            ("day", "date"),
            ("amount", "numeric"),
            ("member", "bool"),
        ]
        assert [row.column_name for row in cursor.primaryKeys("pages")] == ["page"]
        indexes = [(row.index_name, row.column_name) for row in cursor.statistics("pages", unique=True)]
        assert indexes == [("pages_pkey", "page")]
        assert cursor.foreignKeys("visits").fetchall() == []
        assert len(cursor.getTypeInfo().fetchall()) > 10
    assert served.count("odbc") == before
