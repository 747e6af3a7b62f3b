"""Every way in which a command is refused: its full text, its exit code, and an empty stdout."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from dpduck.doors.connection import Connection
from dpduck.engines.duckdb.engine import DuckReader
from dpduck.kernel.ledger.sqlite import SqliteLedger
from tests.cli.processes import Run

USAGE = "usage: dpduck query FILE SQL --epsilon E [options]\ndpduck query: error: "
COUNT = "SELECT count(*) FROM baskets"
ITEMS = "SELECT item, count(*) FROM baskets GROUP BY item"
DOMAIN_HINT = "HINT: Write item=0..99, sex=f,m or day=2024-01-01..2024-12-31.\n"


def not_a_domain(text: str, why: str) -> str:
    return f"argument --domain: {text!r} is not a domain\nDETAIL: {why} Nothing was charged.\n{DOMAIN_HINT}"


BAD_USAGE = {
    (COUNT, "--unit", "basket"): (
        "a query needs --epsilon\n"
        "DETAIL: Each query spends some epsilon, and none is chosen for you. Nothing was charged.\n"
        "HINT: Add --epsilon 0.5: smaller is safer and noisier.\n"
    ),
    (COUNT, "--epsilon", "1"): (
        "whose rows are in baskets.parquet?\n"
        "DETAIL: What is protected is one unit, with all its rows: a person, a household, a basket."
        " Nothing was charged.\n"
        "HINT: Add --unit COLUMN, the column that says whose row it is. Or declare it once, in "
        "baskets.policy.sql: dpduck suggest baskets.parquet prints one.\n"
    ),
    (COUNT, "--epsilon", "1_0"): (
        "argument --epsilon: epsilon '1_0' is not a decimal number\n"
        "DETAIL: It must be an exact decimal written with the digits 0 to 9. Nothing was charged.\n"
        "HINT: Write it as 0.5, without underscores or words.\n"
    ),
    (COUNT, "--epsilon", "-1"): (
        "argument --epsilon: epsilon '-1' is out of range\n"
        "DETAIL: One query may use an epsilon from 0.0001 to 20. Nothing was charged.\n"
        "HINT: Write a decimal such as 0.5.\n"
    ),
    (COUNT, "--delta", "1"): (
        "argument --delta: delta '1' is out of range\n"
        "DETAIL: Delta is a probability of failure: at least 0 and below 1. Nothing was charged.\n"
        "HINT: Write a small decimal such as 1e-6.\n"
    ),
    (COUNT, "--budget", "much"): (
        "argument --budget: budget 'much' is not a decimal number\n"
        "DETAIL: It must be an exact decimal written with the digits 0 to 9. Nothing was charged.\n"
        "HINT: Write it as 0.5, without underscores or words.\n"
    ),
    (COUNT, "--domain", "item=...,..."): not_a_domain(
        "item=...,...", "Write values that are known without looking at the data in place of ..."
    ),
    (COUNT, "--domain", "item"): not_a_domain(
        "item", "It is a column, an equals sign and the values of the column."
    ),
    (COUNT, "--domain", "item=9..0"): not_a_domain(
        "item=9..0", "A range goes from a number or a date to a larger one."
    ),
    (COUNT, "--domain", "item=a..2024-01-01"): not_a_domain(
        "item=a..2024-01-01", "A range goes from a number or a date to a larger one."
    ),
    (COUNT, "--domain", "sex=f,,m"): not_a_domain(
        "sex=f,,m", "One of its values is empty, or a quotation mark is left open."
    ),
    (COUNT, "--domain", 'sex="f,m'): not_a_domain(
        'sex="f,m', "One of its values is empty, or a quotation mark is left open."
    ),
    (COUNT, "--domain", "sex=f,m", "--domain", "SEX=x"): (
        "column sex has two domains\nDETAIL: Nothing was charged.\nHINT: Give --domain once per column.\n"
    ),
    (COUNT, "--analyst", " "): (
        "argument --analyst: ' ' is not a name\nDETAIL: Nothing was charged.\nHINT: Write --analyst ana.\n"
    ),
    ("SET dp_epsilon = 1",): (
        "SET does not outlast the command\n"
        "DETAIL: A command line is one statement. Nothing was charged.\n"
        "HINT: Write --epsilon 0.5 or --delta 1e-6 beside the query.\n"
    ),
    ("ALTER TABLE baskets SET PUBLIC",): (
        "no policy can be stored in baskets.parquet\n"
        "DETAIL: A Parquet or CSV file has no place for one. Nothing was charged.\n"
        "HINT: Say with each query what is private: --unit COLUMN, and --domain COLUMN=LO..HI; or once, in "
        "baskets.policy.sql.\n"
    ),
}


@pytest.mark.parametrize(("arguments", "text"), BAD_USAGE.items())
def test_bad_usage_ends_with_2(run: Run, folder: Path, arguments: tuple[str, ...], text: str) -> None:
    done = run("query", "baskets.parquet", *arguments)
    assert (done.code, done.out) == (2, "")
    assert done.err == USAGE + text
    assert not list(folder.glob("*.ledger*"))


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("frob",),
        ("query",),
        ("query", "baskets.parquet"),
        ("query", "baskets.parquet", COUNT, "--format", "xml"),
        ("query", "baskets.parquet", COUNT, "--eps", "1"),
        ("ledger", "baskets.parquet", "--epsilon", "1"),
    ],
)
def test_what_the_parser_refuses_ends_with_2(run: Run, arguments: tuple[str, ...]) -> None:
    done = run(*arguments)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("usage: dpduck")


REFUSED = {
    (ITEMS, "--unit", "basket"): ("column baskets.item has no public domain\n"),
    ("SELECT median(item) FROM baskets", "--unit", "basket"): (
        "column baskets.item has no public range\n"
        "LINE 1: SELECT median(item) FROM baskets\n"
        "                      ^\n"
        "DETAIL: Without bounds one person could move the answer by any amount, and its range would come "
        "from private rows. Nothing was charged.\n"
        "HINT: Write median(item, contribution_bounds_per_row => (LOW, HIGH)), or add --domain "
        "item=LOW..HIGH. LOW and HIGH are bounds that are known without looking at the data.\n"
    ),
    ("SELECT count(*) FROM nix", "--unit", "basket"): (
        "table nix does not exist\n"
        "LINE 1: SELECT count(*) FROM nix\n"
        "                             ^\n"
        "DETAIL: Nothing was charged.\n"
        "HINT: The tables are: baskets.\n"
    ),
    ("SELECT nix, count(*) FROM baskets GROUP BY nix", "--unit", "basket"): (
        "table baskets has no column nix\n"
        "LINE 1: ...ount(*) FROM baskets GROUP BY nix\n"
        "                                         ^\n"
        "DETAIL: Nothing was charged.\n"
        "HINT: Its columns are: basket, item, day, sex, weight.\n"
    ),
    (COUNT, "--unit", "nix"): (
        "table baskets has no column nix\n"
        "DETAIL: Nothing was charged.\n"
        "HINT: Its columns are: basket, item, day, sex, weight.\n"
    ),
    (COUNT, "--unit", "weight"): (
        "column baskets.weight of type DOUBLE cannot be a privacy key\n"
        "DETAIL: The values of a privacy key are equal or not, without rounding: not FLOAT, not nested."
        " Nothing was charged.\n"
        "HINT: Use a column of integers, text or UUIDs.\n"
    ),
    (COUNT, "--unit", "basket", "--domain", "item=f,m"): (
        "this cannot be the privacy domain of column baskets.item\n"
        "DETAIL: BIGINT holds whole numbers from -9223372036854775808 to 9223372036854775807."
        " Nothing was charged.\n"
        "HINT: Write, for example, --domain item=LOW..HIGH. LOW and HIGH are bounds that are known without "
        "looking at the data.\n"
    ),
    (COUNT, "--unit", "basket", "--ledger", "nowhere/l"): (
        "ledger cannot be created\n"
        "DETAIL: The system says of 'nowhere/l': no such file or directory. Nothing was charged.\n"
        "HINT: Give another place for the ledger with --ledger.\n"
    ),
    (COUNT, "--unit", "basket", "--ledger", "baskets.csv"): (
        "file is not a ledger\n"
        "DETAIL: 'baskets.csv' is a file of another kind. Nothing was charged.\n"
        "HINT: Give another place for the ledger with --ledger.\n"
    ),
    (COUNT, "--unit", "basket", "--ledger", "mysql://ana:secret@host/db"): (
        "there is no ledger store for 'mysql'\n"
        "DETAIL: A ledger is a file on this machine, or a database of PostgreSQL. Nothing was charged.\n"
        "HINT: Give the path of a file, or postgresql://user@host/database, with --ledger.\n"
    ),
    (COUNT, "--unit", "basket", "--ledger", "postgresql://ana:secret@127.0.0.1:1/db"): (
        "ledger cannot be opened\n"
        "DETAIL: Its server cannot be reached, or refused the user or the database of the URL."
        " Nothing was charged.\n"
        "HINT: Check the URL given by --ledger, which is postgresql://user@host/database.\n"
    ),
    (COUNT, "--unit", "basket", "--budget", "0.5"): (
        "query needs epsilon 1 but only 0.5 remains\n"
        "DETAIL: The cap of session 'cli' is epsilon 0.5, of which 0 is spent. No data was read."
        " Nothing was charged.\n"
        "HINT: Lower epsilon to 0.5 or less, or raise --budget.\n"
    ),
    ("SELEC", "--unit", "basket"): (
        "this statement is not supported\n"
        "DETAIL: Only statements whose effect dpduck fully understands are run. Nothing was charged.\n"
    ),
    ("", "--unit", "basket"): "there is no statement\nDETAIL: Nothing was charged.\n",
}


@pytest.mark.parametrize(("arguments", "text"), REFUSED.items())
def test_a_refusal_ends_with_1(run: Run, arguments: tuple[str, ...], text: str) -> None:
    done = run("query", "baskets.parquet", "--epsilon", "1", *arguments)
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith(text)
    assert "Nothing was charged." in done.err
    assert "SET dp_" not in done.err
    assert "ALTER TABLE" not in done.err


@pytest.mark.parametrize("command", ["query", "explain", "budget", "ledger"])
def test_a_file_that_does_not_exist(run: Run, command: str) -> None:
    arguments = (COUNT, "--epsilon", "1", "--unit", "b") if command in ("query", "explain") else ()
    done = run(command, "nix.parquet", *arguments)
    assert (done.code, done.out) == (1, "")
    assert done.err == (
        "file nix.parquet does not exist\n"
        "DETAIL: Nothing was charged.\n"
        "HINT: Give the path of an existing file.\n"
    )


def test_a_file_of_another_kind(run: Run, folder: Path) -> None:
    (folder / "notes.duckdb").write_text("not a database" * 1000)
    done = run("query", "notes.duckdb", "--epsilon", "1", COUNT)
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("notes.duckdb is of a kind that is not read\nDETAIL: It does not begin as a ")


def test_a_locked_ledger(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    query = ("query", "baskets.parquet", "--unit", "basket", "--epsilon", "1", COUNT)
    assert run(*query).code == 0
    monkeypatch.setattr(SqliteLedger.__init__, "__kwdefaults__", {"busy_seconds": 0.05})
    other = sqlite3.connect(folder / "baskets.parquet.ledger", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    done = run(*query)
    other.close()
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("ledger is locked\n")
    assert "Nothing was charged." in done.err


def test_a_failure_below_the_data_line_keeps_its_secret(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def read(*_: object) -> None:
        raise ValueError("the secret of basket 7")

    monkeypatch.setattr(DuckReader, "read", read)
    done = run("query", "baskets.parquet", "--unit", "basket", "--epsilon", "1", COUNT)
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("query failed while reading private data\n")
    assert "Epsilon 1 was charged." in done.err
    assert "secret" not in done.err


def test_a_fault_is_no_traceback(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise KeyError("the secret of basket 7")

    monkeypatch.setattr(Connection, "box", fail)
    done = run("query", "baskets.parquet", "--unit", "basket", "--epsilon", "1", COUNT)
    assert (done.code, done.out) == (1, "")
    assert done.err == (
        "dpduck failed with KeyError\n"
        "DETAIL: This is a fault of dpduck itself. Epsilon 1 was charged and stays charged.\n"
        "HINT: Please report it, with the command and the version.\n"
    )
