"""SHOW, SET and RESET of a session's settings, on connections and as the gateway reads them."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import pytest

import dpduck
from dpduck.answers.settings import DESCRIPTIONS, Settings
from dpduck.compiler.parse.settings import SETTINGS, ResetSetting, SetOption, ShowSetting
from dpduck.compiler.parse.statements import parse

SET_TO = {
    "dp_epsilon": "0.25",
    "dp_delta": "0.000001",
    "dp_replay": "off",
    "dp_preview": "empty",
    "dp_noisy_averages": "on",
    "dp_max_groups_contributed": "private",
    "dp_noise": "laplace",
    "dp_interval": "population",
    "dp_intervals": "columns",
    "dp_count": "rows",
    "dp_clamp": "private",
    "dp_distinct": "claims",
    "dp_summaries": "only",
}


@pytest.fixture
def db() -> Iterator[dpduck.Connection]:
    with duckdb.connect() as rows, dpduck.connect(rows, epsilon="2") as db:
        yield db


@pytest.mark.parametrize("name", SETTINGS)
def test_a_setting_is_shown_set_and_reset(name: str, db: dpduck.Connection) -> None:
    [[before]] = db.execute(f"SHOW {name}").fetchall()
    assert [column[0] for column in db.description] == [name]
    for back in (
        f"RESET {name}",
        f"reset {name};",
        f"SET {name} = DEFAULT",
        f"SET {name} TO default",
        "RESET ALL",
    ):
        db.execute(f"SET {name} = '{SET_TO[name]}'")
        assert db.execute(f"SHOW {name}").fetchall() == [(SET_TO[name],)]
        assert SET_TO[name] != before
        db.execute(back)
        assert db.execute(f"SHOW {name}").fetchall() == [(before,)]
    assert db.charged == "0"


def test_all_are_shown_with_what_they_are(db: dpduck.Connection) -> None:
    rows = db.execute("SHOW ALL").fetchall()
    assert [column[0] for column in db.description] == ["name", "setting", "description"]
    assert [name for name, _, _ in rows] == list(SETTINGS)
    assert {name: value for name, value, _ in rows}["dp_epsilon"] == "2"
    assert all(words == DESCRIPTIONS[name] for name, _, words in rows)
    assert db.execute("SHOW ALL TABLES").fetchall() == []


def test_what_began_is_what_the_connection_was_opened_with() -> None:
    with duckdb.connect() as rows, dpduck.connect(rows, epsilon="2", delta="1e-7") as db:
        db.execute("SET dp_delta = 0")
        db.execute("RESET ALL")
        assert db.execute("SHOW dp_delta").fetchall() == [("0.0000001",)]


@pytest.mark.parametrize(
    "sql", ["SHOW dp_nothing", "RESET dp_nothing", "RESET threads", "RESET dp_epsilon dp_delta"]
)
def test_others_are_named(sql: str, db: dpduck.Connection) -> None:
    with pytest.raises(dpduck.UnknownNameError, match="there is no setting") as caught:
        db.execute(sql)
    assert "dp_epsilon, dp_delta" in str(caught.value.hint)


@pytest.mark.parametrize(
    "sql", ["RESET", "SHOW", "SHOW threads", "SHOW dp_epsilon dp_delta", "RESET dp_noise; SELECT 1"]
)
def test_what_is_no_such_statement_is_refused(sql: str, db: dpduck.Connection) -> None:
    with pytest.raises(dpduck.DpduckError):
        db.execute(sql)


def test_they_are_statements_of_their_own() -> None:
    assert parse("SHOW dp_epsilon") == ShowSetting("dp_epsilon")
    assert parse("SHOW ALL") == ShowSetting("all")
    assert parse("RESET dp_epsilon") == ResetSetting("dp_epsilon")
    assert parse("SET dp_noise = DEFAULT") == ResetSetting("dp_noise")
    assert parse("SET dp_noise = 'laplace'") == SetOption("dp_noise", "laplace")


def test_each_setting_can_be_restored() -> None:
    changed, initial = Settings(), Settings()
    for name, value in SET_TO.items():
        changed.set(name, value)
    changed.restore("all", initial)
    assert changed == initial


def test_the_functions_of_duckdb_have_them() -> None:
    with duckdb.connect() as con:
        dpduck.register(con)
        con.execute("FROM dp('SET dp_epsilon = 0.125')").fetchall()
        assert con.execute("FROM dp('SHOW dp_epsilon')").fetchall() == [("0.125",)]
        con.execute("FROM dp('RESET dp_epsilon')").fetchall()
        assert con.execute("FROM dp('SHOW dp_epsilon')").fetchall() == [("",)]


def test_no_bound_on_groups_is_shown_as_it_is_set(db: dpduck.Connection) -> None:
    for statement in ("RESET dp_max_groups_contributed", "SET dp_max_groups_contributed = 'all'"):
        db.execute("SET dp_max_groups_contributed = 3")
        db.execute(statement)
        assert db.execute("SHOW dp_max_groups_contributed").fetchall() == [("all",)]
