"""ADBC, which reads everything by binary COPY into Arrow."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from typing import Any

import pyarrow as pa
import pytest
from adbc_driver_manager import Error
from adbc_driver_postgresql import dbapi

from tests.gateway.clients.contract import TOP, Answer, Refusal, Served, check_contract, check_counts
from tests.gateway.clients.shop import PASSWORD


def connect(served: Served, user: str = "adbc") -> Any:
    password, options = PASSWORD.replace(" ", "%20"), "-c%20dp_replay%3Doff"
    return dbapi.connect(
        f"postgresql://{user}:{password}@127.0.0.1:{served.port}/shop?options={options}", autocommit=True
    )


def test_contract(served: Served) -> None:
    def ask(user: str, questions: Sequence[str]) -> list[Answer]:
        with closing(connect(served, user)) as session:
            return [_answer(session, question) for question in questions]

    check_contract(served, "adbc", ask)


def _answer(session: Any, question: str) -> Answer:
    with session.cursor() as cursor:
        try:
            cursor.execute(question)
        except Error as error:
            return Refusal.of_text(str(error), error.sqlstate)
        return cursor.fetchall()


def test_arrow(served: Served) -> None:
    before = served.count("adbc")
    with closing(connect(served)) as session, session.cursor() as cursor:
        cursor.execute(TOP)
        table = cursor.fetch_arrow_table()
        assert table.schema.names == ["page", "n"]
        assert table.schema.types == [pa.string(), pa.int64()]
        check_counts([tuple(row.values()) for row in table.to_pylist()], ["home", "news", "shop"])
        cursor.execute("SELECT * FROM archive.numbers WHERE n < 5 ORDER BY n")
        assert cursor.fetch_arrow_table()["square"].to_pylist() == [0, 1, 4, 9, 16]
    assert served.count("adbc") == before + 1


def test_every_type(served: Served) -> None:
    with closing(connect(served)) as session, session.cursor() as cursor:
        cursor.execute("SELECT * FROM kinds ORDER BY id")
        first, second = cursor.fetch_arrow_table().to_pylist()
    assert first["list"] == [1, None, 3]
    assert first["bytes"] == b"\x00\xffab"
    assert str(first["instant"]) == "2024-02-29 12:30:00+00:00"
    assert first["price"] == "1234.500"  # the driver gives numeric as text
    assert first["span"].months == 1
    assert second == {**dict.fromkeys(first), "id": 2}


def test_parameters(served: Served) -> None:
    before = served.count("adbc")
    with closing(connect(served)) as session, session.cursor() as cursor:
        cursor.execute("SELECT count(*) AS n FROM visits WHERE age < $1 AND page = $2", (48, "home"))
        ((count,),) = cursor.fetchall()
        assert abs(count - 3000) < 100
        cursor.adbc_prepare("SELECT title FROM pages WHERE page = $1")
        cursor.execute("SELECT title FROM pages WHERE page = $1", ("home",))
        assert cursor.fetchall() == [("Start",)]
    assert served.count("adbc") == before + 1


def test_what_there_is(served: Served) -> None:
    before = served.count("adbc")
    with closing(connect(served)) as session:
        info = session.adbc_get_info()
        assert info["vendor_name"] == "PostgreSQL"
        objects = session.adbc_get_objects(depth="all").read_all().to_pylist()
        schemas = {s["db_schema_name"]: s for s in objects[0]["catalog_db_schemas"]}
        tables = {t["table_name"]: t for t in schemas["public"]["db_schema_tables"]}
        assert {"kinds", "pages", "visits"} <= tables.keys()
        columns = sorted(tables["visits"]["table_columns"], key=lambda column: column["ordinal_position"])
        names = [column["column_name"] for column in columns]
        assert names == ["visitor", "page", "age", "day", "amount", "member"]
        schema = session.adbc_get_table_schema("visits")
        assert schema.names == names
        assert schema.field("visitor").type == pa.int64()
        assert "table" in session.adbc_get_table_types()
        with pytest.raises(Error):
            session.adbc_get_table_schema("nothing")
    assert served.count("adbc") == before
