"""How long settings last, as in Postgres: SET LOCAL until the transaction ends, SET unless it is undone."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import psycopg
import pytest

from dpduck.doors.gateway.transaction_settings import MOST_SAVEPOINTS
from dpduck.kernel.ledger import open_ledger
from tests.gateway.serving import let_in, serving
from tests.gateway.talking import Talk
from tests.gateway.wiring import error_of, kinds, rows_of, tags_of

COUNT = "SELECT count(*) FROM people"

# What is asked, and the epsilon afterwards; it is 0.5 at the beginning.
CASES = {
    "BEGIN; SET LOCAL dp_epsilon = 0.25": "0.25",
    "BEGIN; SET LOCAL dp_epsilon = 0.25; COMMIT": "0.5",
    "BEGIN; SET LOCAL dp_epsilon = 0.25; ROLLBACK": "0.5",
    "BEGIN; SET dp_epsilon = 0.25; COMMIT": "0.25",
    "BEGIN; SET SESSION dp_epsilon = 0.25; END": "0.25",
    "BEGIN; SET dp_epsilon = 0.25; ROLLBACK": "0.5",
    "BEGIN; SET dp_epsilon = 0.25; ABORT": "0.5",
    "SET dp_epsilon = 0.25; ROLLBACK": "0.25",
    "SET dp_epsilon = 0.25; BEGIN; RESET dp_epsilon; ROLLBACK": "0.25",
    "SET dp_epsilon = 0.25; BEGIN; RESET ALL; ROLLBACK": "0.25",
    "SET dp_epsilon = 0.25; BEGIN; RESET ALL; COMMIT": "0.5",
    "BEGIN; SET dp_epsilon = 0.25; SET LOCAL dp_epsilon = 0.125; COMMIT": "0.25",
    "BEGIN; SET LOCAL dp_epsilon = 0.125; SET dp_epsilon = 0.25; COMMIT": "0.25",
    "BEGIN; SET LOCAL dp_epsilon = 0.125; SET dp_delta = '1e-9'; COMMIT": "0.5",
    "BEGIN; SET dp_epsilon = 0.25; BEGIN; ROLLBACK": "0.5",
    "BEGIN; SAVEPOINT a; SET dp_epsilon = 0.25; ROLLBACK TO a; COMMIT": "0.5",
    "BEGIN; SET dp_epsilon = 0.25; SAVEPOINT a; SET dp_epsilon = 1; ROLLBACK TO A; COMMIT": "0.25",
    "BEGIN; SET LOCAL dp_epsilon = 0.25; SAVEPOINT a; SET dp_epsilon = 0.125; ROLLBACK TO a": "0.25",
    "BEGIN; SAVEPOINT a; SET dp_epsilon = 0.25; RELEASE a; COMMIT": "0.25",
    "BEGIN; SAVEPOINT a; SET dp_epsilon = 0.25; RELEASE a; ROLLBACK": "0.5",
    "BEGIN; SAVEPOINT a; SAVEPOINT a; RELEASE a; SET dp_epsilon = 1; ROLLBACK TO a; COMMIT": "0.5",
    "BEGIN; SAVEPOINT a; SET dp_epsilon = 0.25; SAVEPOINT a; RESET dp_epsilon; ROLLBACK TO a; END": "0.25",
    "BEGIN; SAVEPOINT a; SET dp_epsilon = 0.25; SAVEPOINT a; RELEASE a; ROLLBACK TO a; COMMIT": "0.5",
    "BEGIN; SAVEPOINT a; SAVEPOINT b; SAVEPOINT a; ROLLBACK TO b; SET dp_epsilon = 1; ROLLBACK TO a": "0.5",
    "BEGIN; SAVEPOINT a; SET dp_epsilon = 1; ROLLBACK WORK TO SAVEPOINT a; SET dp_delta = 0; COMMIT": "0.5",
    "BEGIN; SET dp_epsilon = 0.25; COMMIT AND CHAIN; SET dp_epsilon = 1; ROLLBACK": "0.25",
    "BEGIN; SET dp_epsilon = 0.25; ROLLBACK WORK AND CHAIN; SET LOCAL dp_epsilon = 1; COMMIT": "0.5",
    "BEGIN; SET dp_epsilon = 0.25; END AND NO CHAIN; SET dp_epsilon = 1; ROLLBACK": "1",
}


@pytest.mark.parametrize("sql", CASES)
def test_a_setting_lasts_as_long_as_in_postgres(talk: Talk, sql: str) -> None:
    talk.ask(sql)
    assert rows_of(talk.ask("SHOW dp_epsilon")) == [(CASES[sql],)]


def test_a_statement_that_fails_undoes_what_was_set(talk: Talk) -> None:
    talk.ask("BEGIN")
    talk.ask("SET dp_epsilon = 0.25")
    talk.ask("SELECT nothing FROM cities")
    assert tags_of(talk.ask("COMMIT")) == ["ROLLBACK"]
    assert rows_of(talk.ask("SHOW dp_epsilon")) == [("0.5",)]


def test_outside_of_a_transaction_set_local_has_no_effect(talk: Talk) -> None:
    replies = talk.ask("SET LOCAL dp_epsilon = 0.25")
    assert kinds(replies) == "NCZ"
    said = error_of(replies, "N")
    assert (said["S"], said["C"]) == ("WARNING", "25P01")
    assert said["M"] == "SET LOCAL can only be used in transaction blocks"
    assert rows_of(talk.ask("SHOW dp_epsilon")) == [("0.5",)]
    assert error_of(talk.ask("SET LOCAL dp_epsilon = 100"))["C"] == "22023"
    assert rows_of(talk.ask("BEGIN; SET LOCAL dp_epsilon = 2; SHOW dp_epsilon")) == [("2",)]


def test_clients_are_told_what_changes_back(talk: Talk) -> None:
    talk.ask("BEGIN; SET LOCAL dp_epsilon = 0.25; SET LOCAL application_name = 'a'; SET search_path = 'b'")
    replies = talk.ask("ROLLBACK")
    assert kinds(replies) == "SSCZ"
    assert {body for kind, body in replies if kind == "S"} == {
        b"application_name\0\0",
        b"dp_epsilon\x000.5\0",
    }
    assert rows_of(talk.ask("SHOW search_path")) == [("public",)]


def test_a_charge_is_that_of_the_setting_then_and_stays(talk: Talk) -> None:
    talk.ask(f"BEGIN; SET LOCAL dp_epsilon = 0.25; {COUNT}; ROLLBACK")
    assert [str(entry.epsilon) for entry in talk.house.ledger.entries()] == ["1/4"]


def test_a_savepoint_that_is_not_there_is_an_error(talk: Talk) -> None:
    for sql in (
        "RELEASE nosuch",
        "ROLLBACK TO nosuch",
        "SAVEPOINT a; RELEASE a; ROLLBACK TO a",
        "SAVEPOINT a; SAVEPOINT a; RELEASE a; RELEASE a; ROLLBACK TO a",
        "SAVEPOINT a; SAVEPOINT b; RELEASE a; ROLLBACK TO b",
        "SAVEPOINT a; SAVEPOINT b; ROLLBACK TO a; RELEASE b",
    ):
        replies = talk.ask(f"BEGIN; SET dp_epsilon = 0.25; {sql}")
        assert (error_of(replies)["C"], replies[-1]) == ("3B001", ("Z", b"E"))
        for again, code in {"ROLLBACK TO nosuch": "3B001", "RELEASE nosuch": "25P02", COUNT: "25P02"}.items():
            replies = talk.ask(again)
            assert (error_of(replies)["C"], replies[-1]) == (code, ("Z", b"E"))
        assert tags_of(talk.ask("COMMIT")) == ["ROLLBACK"]
        assert rows_of(talk.ask("SHOW dp_epsilon")) == [("0.5",)]
    assert talk.charges == 0


@pytest.mark.parametrize(
    "sql", ["SAVEPOINT a", "RELEASE a", "ROLLBACK TO a", "COMMIT AND CHAIN", "ROLLBACK AND CHAIN"]
)
def test_outside_of_a_transaction_there_is_no_savepoint_and_no_chain(talk: Talk, sql: str) -> None:
    replies = talk.ask(sql)
    assert kinds(replies) == "EZ"
    assert (error_of(replies)["C"], replies[-1]) == ("25P01", ("Z", b"I"))


def test_a_chain_begins_the_next_transaction(talk: Talk) -> None:
    talk.ask("BEGIN; SET dp_epsilon = 0.25; SAVEPOINT a; SELECT nothing FROM cities")
    replies = talk.ask("COMMIT AND CHAIN")
    assert (tags_of(replies), replies[-1]) == (["ROLLBACK"], ("Z", b"T"))
    assert error_of(talk.ask("ROLLBACK TO a"))["C"] == "3B001"
    assert talk.ask("ROLLBACK")[-1] == ("Z", b"I")


@pytest.mark.parametrize(
    "sql",
    [
        "SAVEPOINT",
        "SAVEPOINT a b",
        "RELEASE SAVEPOINT",
        "ROLLBACK TO",
        "ROLLBACK TO a b",
        "ROLLBACK TO SAVEPOINT a AND CHAIN",
        "ABORT TO a",
        "COMMIT PREPARED 'a'",
        "ROLLBACK PREPARED 'a'",
        "COMMIT AND",
        "START",
    ],
)
def test_what_is_not_understood_of_a_transaction_is_refused(talk: Talk, sql: str) -> None:
    talk.ask("BEGIN; SAVEPOINT a; SAVEPOINT b")
    replies = talk.ask(sql)
    assert (error_of(replies)["C"], replies[-1]) == ("42601", ("Z", b"E"))


def test_a_transaction_keeps_few_savepoints(talk: Talk) -> None:
    talk.ask("BEGIN")
    for _ in range(2 * MOST_SAVEPOINTS):  # as a driver makes one before each statement
        assert kinds(talk.ask("SAVEPOINT auto")) == "CZ"
    for number in range(MOST_SAVEPOINTS - 1):
        assert kinds(talk.ask(f"SAVEPOINT s{number}")) == "CZ"
    assert error_of(talk.ask("SAVEPOINT another"))["C"] == "54000"
    assert tags_of(talk.ask("ROLLBACK TO s0; RELEASE s0; SAVEPOINT another")) == [
        "ROLLBACK",
        "RELEASE",
        "SAVEPOINT",
    ]
    for _ in range(2 * MOST_SAVEPOINTS):
        assert kinds(talk.ask("RELEASE auto")) == "CZ"
    assert error_of(talk.ask("RELEASE auto"))["C"] == "3B001"


def test_what_savepoints_keep_is_bounded(talk: Talk) -> None:
    def fill(sign: str) -> list[str]:
        return [f"SET my.a{number} = '{sign * 9_000}'" for number in range(6)]

    for statement in fill("\N{DUCK}"):
        assert kinds(talk.ask(statement)) == "CZ"
    talk.ask("BEGIN; SET dp_epsilon = 0.25; SAVEPOINT a")  # keeps what the settings were
    assert [kinds(talk.ask(statement)) for statement in fill("\N{SWAN}")] == ["CZ"] * 6
    talk.ask("SAVEPOINT b")
    talk.ask("SET my.a0 = 'short'")
    assert error_of(talk.ask("SET my.a1 = 'short'"))["C"] == "54000"
    talk.ask("ROLLBACK TO b")
    assert rows_of(talk.ask("SHOW my.a0")) == [("\N{SWAN}" * 9_000,)]
    talk.ask("ROLLBACK TO a")
    assert rows_of(talk.ask("SHOW my.a0; SHOW dp_epsilon")) == [("\N{DUCK}" * 9_000,), ("0.25",)]
    talk.ask("RELEASE a; COMMIT")
    assert [kinds(talk.ask(statement)) for statement in fill("\N{SWAN}")] == ["CZ"] * 6


def test_savepoints_share_the_settings_that_do_not_change(talk: Talk) -> None:
    kept = "\N{DUCK}" * 9_000
    talk.ask("; ".join(f"SET my.a{number} = '{kept}'" for number in range(6)) + "; BEGIN")
    for number in range(MOST_SAVEPOINTS):
        assert kinds(talk.ask(f"SAVEPOINT s{number}; SET application_name = 'a{number}'")) == "CSCZ"
    assert kinds(talk.ask("ROLLBACK TO s0; COMMIT")) == "SCCZ"


def test_what_is_refused_of_settings_sets_nothing(talk: Talk) -> None:
    long = "\N{DUCK}" * 9_000
    for number in range(6):
        assert kinds(talk.ask(f"SET my.a{number} = '{long}'")) == "CZ"
    assert error_of(talk.ask(f"SET my.b = '{long}'"))["C"] == "54000"
    assert error_of(talk.ask("SHOW my.b"))["C"] == "42703"
    assert kinds(talk.ask(f"SET my.a5 = ''; SET my.b = '{long}'")) == "CCZ"


@pytest.mark.parametrize(
    "call",
    [
        "set_config('dp_epsilon', '0.25', false)",
        "pg_catalog.set_config('dp_epsilon', '0.25', true)",
        "set_config('search_path', '', false)",
        "set_config('bytea_output', 'escape', false)",
        "set_config('dp_' || 'epsilon', '0.25', false)",
        "lower(set_config(name, '0.25', false)) FROM pg_settings",
    ],
)
def test_a_function_that_would_set_nothing_is_refused(talk: Talk, call: str) -> None:
    said = error_of(talk.ask(f"SELECT {call}"))
    assert (said["C"], said["M"]) == ("0A000", "set_config sets nothing here")
    assert rows_of(talk.ask("SHOW dp_epsilon")) == [("0.5",)]


def test_a_function_that_sets_what_is_so_or_does_not_matter_is_answered(talk: Talk) -> None:
    for call in ("set_config('bytea_output', 'hex', false)", "pg_catalog.set_config('JIT', 'hex', true)"):
        assert rows_of(talk.ask(f"SELECT {call}")) == [("hex",)]


def test_psycopg_finds_what_it_expects(shop_copy: Path) -> None:
    let_in(shop_copy, "ana", "correct horse")

    def epsilon(db: psycopg.Connection) -> object:
        [found] = db.execute("SHOW dp_epsilon").fetchall()
        return found[0]

    with serving(shop_copy, "--epsilon", "0.5") as (port, _):
        address = f"host=127.0.0.1 port={port} user=ana password='correct horse'"
        with psycopg.connect(address, autocommit=True) as db:
            said: list[str] = []
            db.add_notice_handler(lambda notice: said.append(f"{notice.sqlstate} {notice.message_primary}"))
            with db.transaction():
                db.execute("SET LOCAL dp_epsilon = 0.25")
                assert epsilon(db) == "0.25"
                with pytest.raises(psycopg.errors.UndefinedColumn), db.transaction():
                    db.execute("SET dp_epsilon = 0.125")
                    db.execute("SELECT nothing FROM people")
                assert epsilon(db) == "0.25"
            assert epsilon(db) == "0.5"
            with db.transaction(force_rollback=True):
                db.execute("SET dp_epsilon = 0.25")
            assert epsilon(db) == "0.5"
            assert db.info.parameter_status("dp_epsilon") == "0.5"
            db.execute("SET LOCAL dp_epsilon = 0.25")
            assert said == ["25P01 SET LOCAL can only be used in transaction blocks"]
            for line in ("BEGIN", "SAVEPOINT a", "SAVEPOINT a", "RELEASE a", "SET dp_epsilon = 10"):
                db.execute(line)
            db.execute("ROLLBACK TO a")
            db.execute(COUNT)
            db.execute("COMMIT")
            with pytest.raises(psycopg.errors.InvalidSavepointSpecification), db.transaction():
                db.execute("RELEASE a")
            with pytest.raises(psycopg.errors.FeatureNotSupported):
                db.execute("SELECT set_config('dp_epsilon', %s, false)", ("0.25",))
            assert epsilon(db) == "0.5"
        with psycopg.connect(address) as db:
            db.execute("SET dp_epsilon = 0.25")
            db.rollback()
            assert epsilon(db) == "0.5"
            db.execute("SET dp_epsilon = 0.25")
            db.commit()
            assert epsilon(db) == "0.25"
    with open_ledger(f"{shop_copy}.ledger") as ledger:
        assert ledger.entries()[-1].epsilon == Fraction(1, 2)


def test_a_client_hides_notices_and_warnings_as_in_postgres(talk: Talk) -> None:
    def hears(level: str) -> tuple[bool, bool]:
        talk.ask(f"SET client_min_messages = {level}")
        return "N" in kinds(talk.ask(COUNT)), "N" in kinds(talk.ask("SET LOCAL dp_epsilon = 0.25"))

    assert [hears(level) for level in ("notice", "debug1", "LOG")] == [(True, True)] * 3
    assert hears("warning") == (False, True)
    assert hears("'ERROR'") == (False, False)
    assert kinds(talk.ask(f"COPY ({COUNT}) TO STDOUT")).count("N") == 0
    assert rows_of(talk.ask("SHOW client_min_messages")) == [("error",)]
    assert error_of(talk.ask("SET client_min_messages = loud"))["C"] == "22023"
    talk.ask("RESET client_min_messages")
    assert "N" in kinds(talk.ask(COUNT))
