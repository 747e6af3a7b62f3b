"""What people of psql and DuckDB's shell type, and `.suggest`."""

from __future__ import annotations

import duckdb
import pytest

from dpduck.doors.shell import Data
from tests.shell.conftest import Open

COUNT = "SELECT count(*) AS n FROM visits"


@pytest.mark.parametrize(
    ("typed", "means"),
    [
        ("\\d", ".tables"),
        ("\\dt", ".tables"),
        ("\\dt+", ".tables"),
        ("\\d visits", ".schema visits"),
        ("\\d+ visits", ".schema visits"),
        ("\\d main.visits;", ".schema visits"),
        ("\\?", ".help"),
        ("help", ".help"),
        ("HELP;", ".help"),
    ],
)
def test_another_word_for_a_command(talk: Open, typed: str, means: str) -> None:
    shop = talk()
    assert shop.says(typed) == shop.says(means) != ""


@pytest.mark.parametrize("typed", ["exit", "quit", "QUIT;", "\\q", ".exit", ".quit", ".q"])
def test_every_way_out(talk: Open, typed: str) -> None:
    shop = talk()
    assert shop.says(typed, ".tables") == ""
    assert shop.session.leaving


def test_tables_of_a_pattern(talk: Open) -> None:
    shop = talk()
    assert shop.says("\\dt vis*") == shop.says(".tables VIS%")
    assert "visits" in shop.says(".tables vis*")
    assert shop.says(".tables nothing*") == "no tables\n"


def test_a_word_within_a_statement_is_no_command(talk: Open) -> None:
    shop = talk()
    said = shop.says("SELECT count(*) AS", "exit", "FROM visits;")
    assert not shop.session.leaving
    assert "exit" in said  # it is the name of the column


def test_timing_is_turned_on_and_off(talk: Open) -> None:
    shop = talk()
    shop.says("\\timing")
    assert shop.session.timer
    shop.says("\\timing")
    assert not shop.session.timer


def test_intervals_are_turned_off(talk: Open) -> None:
    shop = talk()
    assert " ± " in shop.says(f"{COUNT};")
    assert " ± " not in shop.says(".intervals off", f"{COUNT};")


@pytest.mark.parametrize(
    ("typed", "meant"), [(".tabels", ".tables"), ("\\timng", "\\timing"), ("\\d vists", "visits")]
)
def test_a_misspelt_word(talk: Open, typed: str, meant: str) -> None:
    said = talk().says(typed)
    assert f"Did you mean {meant}" in said


class TestSuggest:
    @pytest.fixture(autouse=True)
    def bare(self, folder: object) -> None:
        with duckdb.connect("shop.duckdb") as db:
            db.execute("CREATE TABLE members (member_id INTEGER PRIMARY KEY, vip BOOLEAN)")
            db.execute("CREATE TABLE stays (member_id INTEGER REFERENCES members(member_id), nights INTEGER)")

    def shown(self, shop: object) -> str:
        return str(shop.says("SHOW PRIVACY;"))  # type: ignore[attr-defined]

    def test_each_statement_is_asked_about_and_run(self, talk: Open) -> None:
        shop = talk(answer=True)
        said = shop.says(".suggest")
        assert shop.questions == ["Is it meant? [y/N] "] * 2
        assert "ALTER TABLE members ADD PRIVACY_KEY (member_id);\n--   why:" in said
        assert "-- ? Between which bounds may nights be" in said
        assert "member_id -> members.member_id" in self.shown(shop)
        assert shop.charges == []

    def test_no_changes_nothing(self, talk: Open) -> None:
        shop = talk(answer=False)
        before = self.shown(shop)
        assert shop.says(".suggest").count("not done;") == 2
        assert self.shown(shop) == before

    @pytest.mark.parametrize("analyst", [None, "ana"])
    def test_without_a_user_or_for_an_analyst_it_is_printed(self, talk: Open, analyst: str | None) -> None:
        shop = talk(answer=None if analyst is None else True, analyst=analyst)
        said = shop.says(".suggest")
        assert said.startswith("-- A policy for shop, proposed from its schema alone")
        assert shop.questions == []

    def test_of_a_file_it_is_printed(self, talk: Open) -> None:
        shop = talk(answer=True, data=Data("shop", stores_policies=False, script="shop.policy.sql"))
        assert shop.says(".suggest").startswith("-- A policy for shop")
        said = shop.says("ALTER TABLE members ADD PRIVACY_KEY (member_id);")
        assert "HINT: Write it to shop.policy.sql, and start again." in said
