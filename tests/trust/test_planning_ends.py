"""A hundred characters that were never read to their end: brackets of types, and operands that DuckDB copies.

Planning cannot be stopped by a time limit, so what it may take is bounded before: by the words of a text, by
how often the parser goes back, and by what DuckDB writes twice.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress

import duckdb
import pytest

import dpduck
from dpduck.compiler.parse.effort import MAX_WORDS
from dpduck.compiler.parse.split import split
from dpduck.compiler.parse.statements import parse
from dpduck.doors.gateway.pg_catalog.reading import read
from dpduck.kernel.errors import SqlSyntaxError
from tests.depth import part

PATIENCE = 60  # seconds, on a machine that does other things: what is bounded takes less than one
RELEASED = "(SELECT age AS a, count(*) AS n FROM people GROUP BY age)"
COPIED = {
    "nullif": ("nullif(", ", 2)"),
    "between": ("(CASE WHEN ", " BETWEEN 1 AND 3 THEN 1 ELSE 2 END)"),
    "case": ("(CASE ", " WHEN 1 THEN 2 WHEN 2 THEN 3 WHEN 3 THEN 4 END)"),
}


def layers(item: str, source: str, depth: int) -> str:
    """SELECTs within each other, and a condition around them, which DuckDB moves to the innermost."""
    for number in range(depth):
        source = f"(SELECT {item} AS a FROM {source} AS s{number})"
    return f"SELECT * FROM {source} AS t WHERE a > 3"


def nested(around: tuple[str, str], inner: str, depth: int) -> str:
    return around[0] * depth + inner + around[1] * depth


def aliases(first: str, depth: int) -> str:
    return ", ".join(
        [f"nullif({first}, 2) AS a0", *(f"nullif(a{i - 1}, 2) AS a{i}" for i in range(1, depth))]
    )


TOO_MUCH = {
    **{
        f"{name} over public rows": f"SELECT {nested(COPIED[name], 'a', 20)} AS b FROM numbers"
        for name in COPIED
    },
    **{
        f"{name} over released rows": f"SELECT {nested(COPIED[name], 'n', 20)} AS b FROM {RELEASED}"
        for name in COPIED
    },
    **{
        f"{name} of a release": f"SELECT age, {nested(COPIED[name], 'count(*)', 20)} FROM people GROUP BY 1"
        for name in COPIED
    },
    **{f"layers of {name}": layers(nested(COPIED[name], "a", 1), "numbers", 25) for name in COPIED},
    "layers over released rows": layers("nullif(a, 2)", RELEASED, 25),
    "aliases": f"SELECT {aliases('a', 30)} FROM numbers",
    "aliases of the release": f"SELECT age, {aliases('count(*)', 30)} FROM people GROUP BY age",
    "words": f"SELECT count(*) FROM people WHERE {' OR '.join(['age = 1'] * 60_000)}",
}
LARGE = {
    "numbers": f"age IN ({', '.join(map(str, range(10_000)))})",
    "texts": "name NOT IN ({})".format(", ".join(f"'somebody {i}'" for i in range(10_000))),
    "dates": "since IN ({})".format(", ".join(["DATE '2020-01-01'"] * 10_000)),
    "decimals": "x IN ({})".format(", ".join(f"{i}.5" for i in range(10_000))),
}


@pytest.fixture(scope="module")
def db() -> Iterator[dpduck.Connection]:
    con = duckdb.connect()
    con.execute(
        "CREATE TABLE people AS SELECT i AS id, i % 90 AS age, 'n' || i AS name, i / 7 AS x,"
        " DATE '2020-01-01' + i::INTEGER AS since FROM range(100) AS r(i)"
    )
    con.execute("CREATE TABLE numbers AS SELECT range AS a FROM range(10)")
    with dpduck.connect(con, epsilon=1) as db:
        db.execute("ALTER TABLE people ADD PRIVACY_KEY (id)")
        db.execute("ALTER TABLE people ALTER COLUMN age SET PRIVACY DOMAIN BETWEEN (0, 99)")
        db.execute("ALTER TABLE numbers SET PUBLIC")
        yield db


@pytest.mark.parametrize("name", ["ARRAY[", "DECIMAL(", "STRUCT(", "ROW("])
@pytest.mark.parametrize("start", ["SELECT ", "SELECT * FROM ", "SELECT 1 FROM t WHERE "])
def test_a_text_is_read_or_refused_at_once(name: str, start: str) -> None:
    text = start + name * 40 + "1" + {"[": "]", "(": ")"}[name[-1]] * 40
    before = time.monotonic()
    for reader in (parse, read):
        with suppress(SqlSyntaxError):
            reader(text)
    assert time.monotonic() - before < PATIENCE


@pytest.mark.parametrize("text", ["RESET " * 5_000, "SHOW " * 5_000, "BEGIN RESET " * 3_000])
def test_a_text_is_cut_at_once(text: str) -> None:
    before = time.monotonic()
    assert len(split(text)) == 1
    assert time.monotonic() - before < PATIENCE


@pytest.mark.parametrize(
    "text", ["a," * 400_000, "-- '\n" + "a " * 400_000 + "\n-- '", "(" * 900_000, "-- a" * 200_000 + "'"]
)
def test_no_text_is_taken_apart_into_too_many_words(text: str) -> None:
    """A million words are 300 MB of tokens."""
    for reader in (parse, split):
        with pytest.raises(SqlSyntaxError, match="too many words"):
            reader(text)


def test_what_is_quoted_is_one_word() -> None:
    text = (
        "SELECT "
        + ", ".join(f"'{'a long name ' * 10}{i}'" for i in range(MAX_WORDS // 2 - 10))[:900_000]
        + "'"
    )
    assert len(split(text)) == 1


@pytest.mark.parametrize("sql", TOO_MUCH.values(), ids=TOO_MUCH)
def test_what_would_double_without_end_is_refused(db: dpduck.Connection, sql: str) -> None:
    before = time.monotonic()
    for ask in (db.execute, db.explain):
        with pytest.raises(dpduck.DpduckError) as caught:
            ask(sql)
        assert caught.value.charged == "0"
    assert time.monotonic() - before < PATIENCE


@pytest.mark.parametrize("name", COPIED)
def test_what_is_copied_a_few_times_means_the_same(db: dpduck.Connection, name: str) -> None:
    plain = duckdb.connect()
    plain.execute("CREATE TABLE numbers AS SELECT range AS a FROM range(10)")
    for sql in (
        f"SELECT {nested(COPIED[name], 'a', 3)} AS b FROM numbers ORDER BY a",
        layers(nested(COPIED[name], "a", 2), "numbers", 2),
    ):
        assert db.execute(sql).fetchall() == plain.execute(sql).fetchall()


@pytest.mark.parametrize("condition", LARGE.values(), ids=LARGE)
def test_ten_thousand_constants_are_planned(db: dpduck.Connection, condition: str) -> None:
    before = time.monotonic()
    asked = (
        f"-- from a tool\nSELECT age, count(*) FROM people WHERE {condition} GROUP BY age",
        f"SELECT count(*) FROM people WHERE {condition}",
    )
    for sql in part(asked, 2):
        assert float(db.explain(sql).epsilon) == 1
    assert time.monotonic() - before < PATIENCE


def test_explain_reads_a_query_three_times_and_not_for_each_price(
    db: dpduck.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dpduck.compiler import compile

    read: list[int] = []
    monkeypatch.setattr(compile, "inline", lambda *a, inline=compile.inline: read.append(1) or inline(*a))
    found = db.explain("SELECT count(*) FROM people")
    assert len(read) == 3  # for its plan, for other prices, and with a delta
    assert found.cost_at == {0.5: "1.766", 2.0: "0.457"}
