"""Clients that read LATIN1 or WIN1252: what they ask and are answered, and what they cannot be."""

from __future__ import annotations

import struct
import subprocess
from collections.abc import Iterator
from pathlib import Path

import duckdb
import psycopg
import pytest

import dpduck
from dpduck.doors.gateway.encoding.client_encoding import (
    UTF8,
    UntranslatableError,
    decoded,
    encoded_reply,
    encoded_rows,
    encoding_of,
)
from dpduck.doors.gateway.protocol import replies
from dpduck.kernel.errors import ParameterError
from dpduck.kernel.ledger import open_ledger
from dpduck.kernel.plan.model import Output
from tests.gateway.serving import let_in, serving
from tests.gateway.wiring import PASSWORD, SYNC, Wired, bind, error_of, execute, message, parse

LATIN1, WIN1252 = encoding_of("latin1"), encoding_of("win1252")
TOWNS = ("München", "Orléans", "Łódź", "5 € shop")


@pytest.fixture(scope="module")
def towns(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """People in towns, of which LATIN1 lacks two, and WIN1252 one."""
    file = tmp_path_factory.mktemp("towns") / "towns.duckdb"
    with duckdb.connect(str(file)) as db:
        db.execute("CREATE TABLE people (id INTEGER PRIMARY KEY, town VARCHAR)")
        db.execute("INSERT INTO people SELECT range, ?[1 + range % 4] FROM range(4000)", [list(TOWNS)])
        db.execute(
            "CREATE TABLE öffentlich AS SELECT unnest(?) AS städte, ['é', NULL] AS list", [list(TOWNS)]
        )
    with dpduck.connect(str(file)) as owner:
        owner.execute("ALTER TABLE people ADD PRIVACY_KEY (id)")
        domain = ", ".join(f"'{town}'" for town in TOWNS)
        owner.execute(f"ALTER TABLE people ALTER COLUMN town SET PRIVACY DOMAIN IN ({domain})")
        owner.execute("ALTER TABLE öffentlich SET PUBLIC")
        owner.execute("CREATE PRIVACY BUDGET much LIMIT 1000")
    let_in(file, "ana", PASSWORD)
    return file


@pytest.fixture(scope="module")
def port(towns: Path) -> Iterator[int]:
    with serving(towns, "--epsilon", "1", "--quantum", "1") as (port, _):
        yield port


def charges(towns: Path) -> int:
    with open_ledger(f"{towns}.ledger") as ledger:
        return sum(not entry.replayed for entry in ledger.entries())


def connect(port: int, encoding: str) -> psycopg.Connection[tuple[object, ...]]:
    address = f"host=127.0.0.1 port={port} user=ana dbname=towns client_encoding={encoding}"
    return psycopg.connect(address, password=PASSWORD, autocommit=True)


GROUPS = "SELECT town, count(*) FROM people WHERE town IN ({}) GROUP BY town ORDER BY town"


@pytest.mark.parametrize("binary", [False, True])
@pytest.mark.parametrize(
    ("encoding", "known"), [("latin1", TOWNS[:2]), ("win1252", (*TOWNS[:2], TOWNS[3])), ("utf8", TOWNS)]
)
def test_psycopg_asks_and_is_answered(port: int, encoding: str, known: tuple[str, ...], binary: bool) -> None:
    with connect(port, encoding) as db:
        [(shown,)] = db.execute("SHOW client_encoding").fetchall()
        assert str(shown).lower() == encoding
        for town in known:
            cursor = db.cursor(binary=binary)
            rows = cursor.execute("SELECT städte FROM öffentlich WHERE städte = %s", [town]).fetchall()
            assert rows == [(town,)]
            assert cursor.description is not None
            assert cursor.description[0].name == "städte"
        written = ", ".join(f"'{town}'" for town in known)
        answer = db.cursor(binary=binary).execute(GROUPS.format(written)).fetchall()
        assert sorted(str(town) for town, _ in answer) == sorted(known)
        lists = db.cursor(binary=binary).execute("SELECT list FROM öffentlich LIMIT 1").fetchall()
        assert lists == [(["é", None],)]
        # The type of a parameter may be an array of texts.
        found = db.cursor(binary=binary).execute("SELECT %b::VARCHAR[]", [["é", "ö"]]).fetchall()
        assert found == [(["é", "ö"],)]


def test_what_the_encoding_lacks_fails_after_the_charge_with_one_text(port: int, towns: Path) -> None:
    """Which group it was is not said. The charge stays, and UTF8 gets the same answer for nothing."""
    ask = "SELECT town, count(*) FROM people GROUP BY town"
    with connect(port, "latin1") as db:
        before = charges(towns)
        with pytest.raises(psycopg.errors.UntranslatableCharacter) as caught:
            db.execute(ask)
        assert charges(towns) == before + 1
        assert caught.value.diag.message_primary == "the answer has a character that LATIN1 does not have"
        assert "Łódź" not in str(caught.value)
        with pytest.raises(psycopg.errors.UntranslatableCharacter):
            db.execute("SELECT städte FROM öffentlich")
        assert db.execute("SELECT 'é'").fetchone() == ("é",)  # the connection goes on
        db.execute("SET client_encoding = 'UTF8'")
        assert {row[0] for row in db.execute(ask).fetchall()} == set(TOWNS)
        assert charges(towns) == before + 1


def test_what_cannot_be_sent_anyway_is_refused_before_the_charge(port: int, towns: Path) -> None:
    before = charges(towns)
    with connect(port, "utf8") as db:
        db.execute('CREATE TEMP VIEW v AS SELECT count(*) AS "€" FROM people')
        db.execute("SET client_encoding TO latin1")
        for text, code in (
            ("COPY (SELECT count(*) FROM people) TO STDOUT WITH (FORMAT binary)", "0A000"),
            ("COPY (SELECT * FROM v) TO STDOUT", "22P05"),
        ):
            with pytest.raises(psycopg.Error) as caught, db.cursor() as cursor, cursor.copy(text) as copy:
                list(copy)
            assert caught.value.sqlstate == code
        for text in ("SELECT * FROM v", "DECLARE c CURSOR WITH HOLD FOR SELECT * FROM v"):
            with pytest.raises(psycopg.errors.UntranslatableCharacter, match="column"):
                db.execute(text)
    assert charges(towns) == before


@pytest.mark.clients
@pytest.mark.parametrize("copies", [False, True])
def test_psql_prints_bytes_of_its_encoding(port: int, copies: bool) -> None:
    ask = "SELECT städte, 'ß' FROM öffentlich WHERE städte LIKE 'M%'"
    script = f"COPY ({ask}) TO STDOUT" if copies else ask
    address = f"host=127.0.0.1 port={port} user=ana dbname=towns"
    done = subprocess.run(
        ["psql", "-XAt", "-F", "\t", address],
        input=f"{script};\n".encode("latin-1"),
        env={"PGPASSWORD": PASSWORD, "PATH": "/usr/bin:/bin", "PGCLIENTENCODING": "LATIN1"},
        capture_output=True,
        timeout=30,
    )
    assert done.stdout == "München\tß\n".encode("latin-1"), done.stderr


def test_cursors_and_messages(port: int) -> None:
    with connect(port, "latin1") as db, db.transaction(), db.cursor("named") as cursor:
        cursor.execute("SELECT städte FROM öffentlich WHERE städte IN ('München', 'Orléans') ORDER BY 1")
        assert cursor.fetchmany(1) == [("München",)]
        assert cursor.fetchall() == [("Orléans",)]
    with connect(port, "latin1") as db, pytest.raises(psycopg.Error, match="größe"):
        db.execute('SELECT "größe" FROM öffentlich')


def test_bytes_that_are_no_text(port: int) -> None:
    with Wired(port) as client:
        client.login(client_encoding="WIN1252")
        client.send(parse("SELECT $1::VARCHAR") + bind([b"\x81"]) + execute() + SYNC)
        assert error_of(client.until("Z"))["C"] == "22P05"
        client.send(parse("SELECT $1::VARCHAR") + bind([b"\x80"]) + execute() + SYNC)
        [body] = [body for kind, body in client.until("Z") if kind == "D"]
        assert body[6:] == b"\x80"
        client.send(message("Q", b"SELECT '\x81'\0"))
        assert error_of(client.rest())["C"] == "08P01"


# --- without a server -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["latin2", "", "utf16", "EUC_JP", "latin", "'; --"])
def test_encodings_that_are_none(name: str) -> None:
    with pytest.raises(ParameterError):
        encoding_of(name)


def test_rows_of_all_kinds() -> None:
    def row(*fields: bytes | None) -> bytes:
        body = b"".join(
            struct.pack("!i", -1) if field is None else struct.pack("!i", len(field)) + field
            for field in fields
        )
        return message("D", struct.pack("!h", len(fields)) + body)

    number = struct.pack("!i", 0xC3A9)  # which is é, read as text
    rows = row("é".encode(), number, None) + row(b"", number, "ß€".encode())
    types = ["VARCHAR", "INTEGER", "VARCHAR"]
    made = encoded_rows(rows, types, (1, 1, 0), WIN1252)
    assert made == row(b"\xe9", number, None) + row(b"", number, b"\xdf\x80")
    assert encoded_rows(rows, types, (1, 1, 0), UTF8) is rows
    with pytest.raises(UntranslatableError) as caught:
        encoded_rows(rows, types, (1, 1, 0), LATIN1)
    assert caught.value.__context__ is None


def test_arrays_in_binary_format() -> None:
    def array(*items: bytes | None) -> bytes:
        head = struct.pack("!iiIii", 1, 1, 25, len(items), 1)
        return head + b"".join(
            struct.pack("!i", -1) if item is None else struct.pack("!i", len(item)) + item for item in items
        )

    assert decoded(1009, True, array(b"\xe9", None, b""), LATIN1) == array("é".encode(), None, b"")
    assert decoded(1007, True, b"\xe9\xe9", LATIN1) == b"\xe9\xe9"  # of numbers
    for cut in range(len(array(b"\xe9"))):
        decoded(1009, True, array(b"\xe9")[:cut], LATIN1)  # whoever reads it refuses it


def test_names_in_a_description_and_errors_with_what_there_is() -> None:
    outputs = [Output("größe", "INTEGER"), Output("€", "VARCHAR")]
    made = encoded_reply(replies.columns(outputs, [0, 1]), LATIN1)
    assert b"gr\xf6\xdfe\0" in made
    assert b"?\0" in made
    assert int.from_bytes(made[1:5], "big") == len(made) - 1
    shown = encoded_reply(replies.notice("Łódź, é"), LATIN1)
    assert "?ód?, é".encode("latin-1") in shown
