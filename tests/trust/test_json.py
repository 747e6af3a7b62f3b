"""Malformed JSON, and JSON of any depth, never makes a query fail: it is NULL for its own row.

DuckDB's JSON functions fail on malformed text, so one row could make a query fail for everybody.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest

import dpduck
from tests.depth import depth

TEXTS = depth(60_000, 8_000, 4_000)
LEAVES = (1, 0, -1, 1.5, 1e308, 2**70, "x", "", "\0", "é", "日本", 'a"b', "\\", "😀", None, True, False)
KEYS = ("a", "b", "net", "type", "", "$", "a.b", "é", "*", "k~")
PIECES = (*"{}[]\",:\\u0123abtrfn.eE+-NaInity\0\1\t\n /*'", "\\ud800", "\ufeff", "NaN", "Infinity")
PATHS = ("$.a", "a", "$.net.type", "$[0]", "$.a[0].b", '$."a.b"', "/a/b", "é")
WRITTEN = (
    "count(*) FILTER (raw->>{path} = 'x')",
    "count(*) FILTER ((raw->>{path})::INT > 0)",
    "count(*) FILTER (json_extract_string(raw, {path}) LIKE '%a%')",
    "avg(least(greatest((raw->>{path})::DOUBLE, 0), 1))",
)
ODD = (
    *("[" * 100_000 + "]" * 100_000, '{"a":' * 50_000 + "1" + "}" * 50_000, "[" * 5_000, '{"a":' * 2_000),
    *('{"a":' + "9" * 9_000 + "}", '{"a":"' + "z" * 9_980 + '"}', '{"a":"' + "z" * 2_000_000 + '"}'),
    *('{"a":1}garbage', "", " ", "\ufeff{}", '{"a":1e999999}', "/*c*/{}", '{"a":1,}', '{"a":"\\ud800"}'),
    "[" + "1," * 4_990 + "1]",
)


def value(rnd: random.Random, depth: int = 0) -> object:
    kind = rnd.random()
    if depth > 3 or kind < 0.5:
        return rnd.choice(LEAVES)
    if kind < 0.75:
        return [value(rnd, depth + 1) for _ in range(rnd.randrange(4))]
    return {rnd.choice(KEYS): value(rnd, depth + 1) for _ in range(rnd.randrange(4))}


def mutated(rnd: random.Random, text: str) -> str:
    """The text with some characters less, more, or cut off."""
    parts = list(text)
    for _ in range(rnd.randrange(4)):
        place, kind = rnd.randrange(len(parts) + 1), rnd.random()
        if kind < 0.4:
            del parts[place : place + 1]
        elif kind < 0.8:
            parts.insert(place, rnd.choice(PIECES))
        else:
            del parts[place:]
    return "".join(parts)


def texts() -> list[str]:
    rnd = random.Random(20_260_701)
    made = (json.dumps(value(rnd), ensure_ascii=rnd.random() < 0.5) for _ in range(TEXTS))
    return [*ODD, *(mutated(rnd, text) for text in made)]


def open_events(db: dpduck.Connection) -> None:
    db.execute("ALTER TABLE events ADD PRIVACY_KEY (id)")
    db.execute("CREATE OR REPLACE PRIVACY BUDGET everyone LIMIT 10000")


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dpduck.Connection]:
    file = tmp_path_factory.mktemp("json") / "json.duckdb"
    with duckdb.connect(str(file)) as connection:
        connection.register("given", pa.table({"raw": pa.array(texts())}))
        connection.execute("CREATE TABLE events AS SELECT row_number() OVER () AS id, raw FROM given")
    with dpduck.connect(file, epsilon="20") as opened:
        open_events(opened)
        yield opened


@pytest.mark.parametrize("path", PATHS)
def test_no_text_makes_a_query_fail(path: str, db: dpduck.Connection) -> None:
    written = "'" + path + "'"
    asked = ", ".join(form.format(path=written) for form in WRITTEN)
    [row] = db.execute(f"SELECT {asked} FROM events").fetchall()
    assert len(row) == len(WRITTEN)


def test_valid_texts_are_read_as_by_duckdb(db: dpduck.Connection) -> None:
    [(counted,)] = db.execute("SELECT count(*) FROM events WHERE raw->>'$.a' IS NOT NULL").fetchall()
    with duckdb.connect() as plain:
        plain.register("given", pa.table({"raw": pa.array(texts())}))
        valid = "SELECT raw FROM given WHERE json_valid(raw) AND strlen(raw) <= 10000"
        [(expected,)] = plain.execute(
            f"SELECT count(json_extract_string(raw, '$.a')) FROM ({valid})"
        ).fetchall()
    assert expected > 0
    assert abs(counted - expected) <= 3


@pytest.mark.parametrize("path", ("$.*", "$.a[*]", "$..a", "$.a[-1]", "$", "", "$.", '$."', "a*", "/a~0b"))
def test_other_paths_are_refused(path: str, db: dpduck.Connection) -> None:
    written = path.replace("'", "''")
    with pytest.raises(dpduck.UnsupportedSqlError):
        db.explain(f"SELECT count(*) FROM events WHERE raw->>'{written}' = 'x'")


def test_a_path_is_no_expression_of_the_row(db: dpduck.Connection) -> None:
    for sql in ("raw->>raw = 'x'", "raw->'a' IS NULL", "json_extract(raw, '$.a') = '1'"):
        with pytest.raises(dpduck.UnsupportedSqlError):
            db.explain(f"SELECT count(*) FROM events WHERE {sql}")


def test_files_that_hold_it(tmp_path: Path) -> None:
    table = pa.table({"id": list(range(len(ODD))), "raw": list(ODD)})
    with duckdb.connect() as connection:
        connection.register("given", table)
        connection.execute(f"COPY given TO '{tmp_path}/events.parquet'")
    with dpduck.connect(tmp_path / "events.parquet", epsilon="20") as db:
        open_events(db)
        [(counted,)] = db.execute("SELECT count(*) FROM events WHERE raw->>'a' IS NOT NULL").fetchall()
        assert 2 <= counted <= 5
