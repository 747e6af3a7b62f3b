"""Who may do what: each role with each kind of statement, and what the ledger has of it afterwards."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from dpduck.doors.gateway.scram import verifier_of
from dpduck.kernel.ledger import LoginChange, Role, open_ledger
from tests.gateway.serving import serving
from tests.gateway.wiring import PASSWORD

VERIFIER = verifier_of(PASSWORD)
NAMES = {Role.ANALYST: "ana", Role.AUDITOR: "udo", Role.OWNER: "olga"}
COUNT = "SELECT count(*) FROM people WHERE city = 'bonn'"
DENIED, CLOSED = "42501", "55000"

# What is done, and what becomes of it for an analyst, an auditor, an owner: rows, or an error's code.
ROWS = "rows"
MATRIX = {
    # Private rows, in every way that there is to ask.
    COUNT: (ROWS, DENIED, ROWS),
    "SELECT city, count(*) FROM people GROUP BY city ORDER BY 2 DESC LIMIT 1": (ROWS, DENIED, ROWS),
    "WITH x AS (SELECT * FROM people) SELECT median(age) FROM x": (ROWS, DENIED, ROWS),
    f"SELECT * FROM ({COUNT}) AS x": (ROWS, DENIED, ROWS),
    "SELECT count(*) FROM people UNION ALL SELECT 1": (ROWS, DENIED, ROWS),
    f"COPY ({COUNT}) TO STDOUT": (ROWS, DENIED, ROWS),
    f"PREPARE p AS {COUNT}; EXECUTE p": (ROWS, DENIED, ROWS),
    f"CREATE TEMP VIEW v AS {COUNT}; SELECT * FROM v": (ROWS, DENIED, ROWS),
    f"BEGIN; DECLARE c CURSOR FOR {COUNT}; FETCH ALL FROM c": (ROWS, DENIED, ROWS),
    # What is public, or about the connection.
    "SELECT city FROM cities": (ROWS, ROWS, ROWS),
    "SELECT 1": (ROWS, ROWS, ROWS),
    "SELECT relname FROM pg_class": (ROWS, ROWS, ROWS),
    "SELECT table_name FROM information_schema.tables": (ROWS, ROWS, ROWS),
    "SHOW dp_epsilon": (ROWS, ROWS, ROWS),
    "SHOW ALL": (ROWS, ROWS, ROWS),
    "SET dp_epsilon = 0.2; SHOW dp_epsilon": (ROWS, ROWS, ROWS),
    # Policies and the ledger. EXPLAIN reads no private row.
    f"EXPLAIN {COUNT}": (ROWS, ROWS, ROWS),
    "SHOW PRIVACY": (ROWS, ROWS, ROWS),
    "SHOW PRIVACY BUDGETS": (ROWS, ROWS, ROWS),
    "SELECT * FROM dp_budget()": (ROWS, ROWS, ROWS),
    "SELECT * FROM dp_ledger()": (ROWS, ROWS, ROWS),
    "SELECT * FROM dp_policies()": (ROWS, ROWS, ROWS),
    # What changes something: not over the wire, but for reading the data again.
    "ALTER TABLE people SET PUBLIC": (CLOSED, CLOSED, CLOSED),
    "CREATE PRIVACY BUDGET b LIMIT 1000": (CLOSED, CLOSED, CLOSED),
    "SELECT pg_reload_conf()": (DENIED, DENIED, ROWS),
    "SELECT pg_catalog.pg_reload_conf()": (DENIED, DENIED, ROWS),
}


@pytest.fixture(scope="module")
def house(shop_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("roles") / "shop.duckdb"
    shutil.copyfile(shop_file, file)
    with open_ledger(f"{file}.ledger") as ledger:
        for role, name in NAMES.items():
            ledger.put_analyst(name, LoginChange(VERIFIER, role))
        ledger.put_analyst("bob", VERIFIER)
    return file


@pytest.fixture(scope="module")
def port(house: Path) -> Iterator[int]:
    with serving(house, "--epsilon", "0.1", "--quantum", "1", "--budget", "5") as (port, _):
        yield port


def connect(port: int, name: str) -> psycopg.Connection[tuple[object, ...]]:
    address = f"host=127.0.0.1 port={port} user={name} dbname=shop"
    return psycopg.connect(address, password=PASSWORD, autocommit=True)


def outcome(db: psycopg.Connection[tuple[object, ...]], text: str) -> str:
    """What becomes of statements: of the last one, or of the first that fails."""
    try:
        for one in text.split("; "):
            if one.startswith("COPY"):
                with db.cursor() as cursor, cursor.copy(one) as copy:
                    list(copy)
            else:
                db.execute(one)
    except psycopg.Error as error:
        return error.sqlstate or "?"
    return ROWS


def charges(house: Path, name: str) -> int:
    with open_ledger(f"{house}.ledger") as ledger:
        return sum(entry.analyst == name for entry in ledger.entries())


@pytest.mark.parametrize("extended", [False, True])
@pytest.mark.parametrize("role", list(Role))
def test_each_role_with_each_kind_of_statement(port: int, house: Path, role: Role, extended: bool) -> None:
    column = list(Role).index(role)
    found = {}
    before = charges(house, NAMES[role])
    for text in MATRIX:
        with connect(port, NAMES[role]) as db:
            if extended:
                db.prepare_threshold = 0
            found[text] = outcome(db, text)
    assert found == {text: expected[column] for text, expected in MATRIX.items()}
    if role is Role.AUDITOR:
        assert charges(house, NAMES[role]) == 0
    else:
        assert charges(house, NAMES[role]) > before or extended


def test_an_auditor_is_not_given_what_others_were_given(port: int, house: Path) -> None:
    """A repeat costs nothing, and is an answer all the same."""
    ask = "SELECT count(*) FROM people WHERE age < 40"
    with connect(port, "ana") as ana:
        first = ana.execute(ask).fetchall()
        assert ana.execute(ask).fetchall() == first
    with connect(port, "udo") as udo:
        for _ in range(3):
            assert outcome(udo, ask) == DENIED
    assert charges(house, "udo") == 0


def test_a_refusal_says_once_what_was_charged(port: int) -> None:
    with connect(port, "udo") as udo, pytest.raises(psycopg.Error) as refused:
        udo.execute(COUNT)
    assert refused.value.diag.message_detail == "No data was read. Nothing was charged."


def test_an_owner_is_told_where_policies_are_set(port: int) -> None:
    hints = {}
    for name in ("ana", "olga"):
        with connect(port, name) as client, pytest.raises(psycopg.Error) as refused:
            client.execute("ALTER TABLE people DROP PRIVACY")
        hints[name] = refused.value.diag.message_hint
    assert hints["ana"] == "Ask the data owner."
    assert hints["olga"] == "Run it where the data are: dpduck query FILE, with the server's --ledger."


def test_what_each_sees_of_the_ledger(port: int) -> None:
    for name, age in (("ana", 71), ("bob", 70)):  # the same question would be answered again for nothing
        with connect(port, name) as db:
            db.execute(f"SELECT count(*) FROM people WHERE age > {age}")
    seen = {}
    for role, name in NAMES.items():
        with connect(port, name) as db:
            seen[role] = {row[0] for row in db.execute("SELECT DISTINCT analyst FROM dp_ledger()").fetchall()}
            budgets = db.execute("SELECT name FROM dp_budget() WHERE scope = 'analyst'").fetchall()
            assert (("bob",) in budgets) is (role is not Role.ANALYST)
            policies = db.execute("SELECT statement FROM dp_policies()").fetchall()
            assert (("analyst add bob",) in policies) is (role is not Role.ANALYST)
    assert seen[Role.ANALYST] <= {"ana"}
    assert {"ana", "bob"} <= seen[Role.AUDITOR] == seen[Role.OWNER] | {"ana", "bob"}


def test_an_auditor_leaves_no_trace_in_the_budgets(port: int, house: Path) -> None:
    """No cap is set for the connection, since it is charged nothing."""
    with open_ledger(f"{house}.ledger") as ledger:
        before = [(b.scope, b.key) for b in ledger.budgets()]
    with connect(port, "udo") as udo:
        udo.execute("SELECT * FROM dp_budget()").fetchall()
    with open_ledger(f"{house}.ledger") as ledger:
        assert [(b.scope, b.key) for b in ledger.budgets()] == before


def test_a_role_that_changes_ends_the_connection(port: int, house: Path) -> None:
    """The reason comes as an error; libpq makes a notice of it when an answer has just been read."""
    with connect(port, "bob") as bob:
        told: list[str | None] = []
        bob.add_notice_handler(lambda notice: told.append(notice.message_primary))
        bob.execute("SELECT 1")
        with open_ledger(f"{house}.ledger") as ledger:
            ledger.put_analyst("bob", LoginChange(VERIFIER, Role.AUDITOR))
        with pytest.raises(psycopg.OperationalError) as lost:
            for _ in range(200):
                bob.execute("SELECT 1")
                time.sleep(0.05)
        assert "the role has changed" in f"{lost.value} {told}"
    with connect(port, "bob") as bob:
        assert outcome(bob, COUNT) == DENIED


def test_an_owner_has_the_data_read_again(port: int, house: Path) -> None:
    log = Path(f"{house}.log")
    before = log.read_text().count("data were reloaded")
    new = house.with_name("next.duckdb")
    shutil.copyfile(house, new)
    new.replace(house)
    with connect(port, "olga") as olga:
        assert olga.execute("SELECT pg_reload_conf()").fetchall() == [(True,)]
        end = time.monotonic() + 20
        while log.read_text().count("data were reloaded") == before:
            assert time.monotonic() < end
            time.sleep(0.05)
        assert olga.execute("SELECT city FROM cities LIMIT 1").fetchone() == ("aachen",)


def columns_of(port: int, options: str = "", *before: str) -> list[str]:
    address = f"host=127.0.0.1 port={port} user=ina dbname=shop options='{options}'"
    with psycopg.connect(address, password=PASSWORD, autocommit=True) as ina:
        for statement in before:
            ina.execute(statement)
        return [column.name for column in ina.execute("SELECT count(*) AS n FROM people").description or []]


def test_sessions_of_an_analyst_begin_with_a_setting(port: int, house: Path) -> None:
    """What the session says itself wins."""
    ends = ["n", "n_low", "n_high"]
    with open_ledger(f"{house}.ledger") as ledger:
        ledger.put_analyst("ina", VERIFIER)
        assert columns_of(port) == ["n"]
        ledger.set_default("ina", "dp_intervals", "columns")
        assert columns_of(port) == ends
        assert columns_of(port, "-c dp_intervals=off") == ["n"]
        assert columns_of(port, "", "SET dp_intervals = off", "RESET dp_intervals") == ends
        ledger.put_analyst("ina", VERIFIER)  # a new password leaves it
        assert columns_of(port) == ends
        ledger.set_default("ina", "dp_intervals", "")
        assert columns_of(port) == ["n"]
    assert columns_of(port, "-c dp_intervals=columns") == ends
    with pytest.raises(psycopg.OperationalError, match="dp_intervals is columns or off"):
        columns_of(port, "-c dp_intervals=x")


def test_all_sessions_of_a_server_begin_with_its_option(shop_file: Path, tmp_path: Path) -> None:
    file = tmp_path / "shop.duckdb"
    shutil.copyfile(shop_file, file)
    with open_ledger(f"{file}.ledger") as ledger:
        ledger.put_analyst("ina", VERIFIER)
    with serving(file, "--epsilon", "0.1", "--quantum", "1", "--intervals") as (port, _):
        assert columns_of(port) == ["n", "n_low", "n_high"]
        assert columns_of(port, "-c dp_intervals=off") == ["n"]
