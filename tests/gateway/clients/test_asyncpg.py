"""asyncpg, which prepares everything, reads binary only, and asks the catalog about unknown types."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from datetime import date
from decimal import Decimal
from io import BytesIO
from typing import Any

import asyncpg
import pytest

from tests.gateway.clients.contract import (
    HIDDEN,
    KINDS,
    NOISE,
    TOP,
    Answer,
    Refusal,
    Served,
    check_contract,
    check_counts,
)
from tests.gateway.clients.shop import PASSWORD


def run(served: Served, work: Callable[[Any], Awaitable[Any]], user: str = "asyncpg") -> Any:
    """Do work with a connection."""

    async def connected() -> Any:
        session = await asyncpg.connect(
            host="127.0.0.1",
            port=served.port,
            user=user,
            password=PASSWORD,
            database="shop",
            ssl=False,
            server_settings={"dp_replay": "off"},
        )
        try:
            return await work(session)
        finally:
            await session.close(timeout=10)

    return asyncio.run(asyncio.wait_for(connected(), 30))


def test_contract(served: Served) -> None:
    def ask(user: str, questions: Sequence[str]) -> list[Answer]:
        async def all_of_them(session: Any) -> list[Answer]:
            return [await _answer(session, question) for question in questions]

        return run(served, all_of_them, user)

    check_contract(served, "asyncpg", ask)


async def _answer(session: Any, question: str) -> Answer:
    try:
        return [tuple(row) for row in await session.fetch(question)]
    except asyncpg.PostgresError as error:
        return Refusal(error.sqlstate, error.args[0], error.detail, error.hint)


def test_every_type(served: Served) -> None:
    async def work(session: Any) -> None:
        first, second = await session.fetch("SELECT * FROM kinds ORDER BY id")
        assert dict(first) == {**KINDS, "doc": '{"a": [1, null]}'}
        assert tuple(second) == (2, *[None] * 20)
        await session.set_type_codec("json", encoder=json.dumps, decoder=json.loads, schema="pg_catalog")
        assert await session.fetchval("SELECT doc FROM kinds WHERE id = $1", 1) == KINDS["doc"]

    run(served, work)


def test_every_type_as_a_parameter(served: Served) -> None:
    async def work(session: Any) -> None:
        for name in set(KINDS) - {"clock", "bytes", "doc", "span", "list", "names"}:
            assert await session.fetchval(f"SELECT id FROM kinds WHERE {name} = $1", KINDS[name]) == 1, name
        assert await session.fetchval("SELECT count(*) FROM pages WHERE page = ANY($1)", ["home", "x"]) == 1

    run(served, work)


def test_prepared(served: Served) -> None:
    before = served.count("asyncpg")

    async def work(session: Any) -> None:
        statement = await session.prepare(
            "SELECT page, count(*) AS n FROM visits WHERE age < $1 AND day > $2 AND amount < $3 "
            "AND member = $4 AND page = ANY($5) GROUP BY page ORDER BY page"
        )
        kinds = [kind.name for kind in statement.get_parameters()]
        assert kinds == ["int4", "date", "numeric", "bool", "text[]"]
        assert [column.type.name for column in statement.get_attributes()] == ["text", "int8"]
        assert served.count("asyncpg") == before
        values = (200, date(2000, 1, 1), Decimal(100), True, ["home", "shop"])
        for _ in range(2):
            rows = await statement.fetch(*values)
            assert [row["page"] for row in rows] == ["home", "shop"]
            assert abs(rows[0]["n"] - 2571) < NOISE
        with pytest.raises(asyncpg.FeatureNotSupportedError):
            await session.prepare(HIDDEN)

    run(served, work)
    assert served.count("asyncpg") == before + 2


def test_iteration_in_a_transaction(served: Served) -> None:
    before = served.count("asyncpg")

    async def work(session: Any) -> None:
        async with session.transaction():
            numbers = [row["n"] async for row in session.cursor("SELECT n FROM archive.numbers ORDER BY n")]
            assert numbers == list(range(1000))
            pages = [tuple(row) async for row in session.cursor(TOP, prefetch=2)]
            check_counts(pages, ["home", "news", "shop"])
            cursor = await session.cursor("SELECT n FROM archive.numbers ORDER BY n")
            assert [row["n"] for row in await cursor.fetch(2)] == [0, 1]
            assert await cursor.forward(10) == 10
            assert (await cursor.fetchrow())["n"] == 12

    run(served, work)
    assert served.count("asyncpg") == before + 1


def test_copy_and_cancel(served: Served) -> None:
    async def work(session: Any) -> None:
        out = BytesIO()
        assert await session.copy_from_query(TOP, output=out, format="csv") == "COPY 3"
        check_counts([line.split(",") for line in out.getvalue().decode().split()], ["home", "news", "shop"])
        out = BytesIO()
        assert await session.copy_from_table("pages", columns=["page"], output=out) == "COPY 3"
        slow = ", ".join(f"archive.numbers {name}" for name in "abcd")
        with pytest.raises(asyncio.TimeoutError):
            await session.fetch(f"SELECT sum(a.n * b.n * c.n % 7) FROM {slow}", timeout=0.5)
        assert await session.fetchval("SELECT 1") == 1

    run(served, work)
