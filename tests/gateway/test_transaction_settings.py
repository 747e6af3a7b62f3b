"""How long settings last, as in Postgres: SET LOCAL until the transaction ends, SET unless it is undone."""

from __future__ import annotations

from pathlib import Path

import psycopg
import pytest

from dpduck.gateway.transaction_settings import MOST_SAVEPOINTS
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
    "BEGIN; SAVEPOINT a; SAVEPOINT b; SET dp_epsilon = 0.25; ROLLBACK TO a; ROLLBACK TO b; COMMIT": "0.5",
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


def test_a_transaction_keeps_few_savepoints(talk: Talk) -> None:
    talk.ask("BEGIN")
    for _ in range(2 * MOST_SAVEPOINTS):  # as a driver makes one before each statement
        assert kinds(talk.ask("SAVEPOINT auto")) == "CZ"
    for number in range(MOST_SAVEPOINTS - 1):
        assert kinds(talk.ask(f"SAVEPOINT s{number}")) == "CZ"
    assert error_of(talk.ask("SAVEPOINT another"))["C"] == "54000"


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
        with psycopg.connect(address) as db:
            db.execute("SET dp_epsilon = 0.25")
            db.rollback()
            assert epsilon(db) == "0.5"
            db.execute("SET dp_epsilon = 0.25")
            db.commit()
            assert epsilon(db) == "0.25"
