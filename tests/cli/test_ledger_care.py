"""`dpduck ledger --backup`, `--restore`, `--upgrade` and `--move`, as they are typed."""

from __future__ import annotations

import re
from pathlib import Path
from shutil import copyfile

from tests.cli.processes import Run
from tests.ledger.test_upgrade import made

ASK = ("query", "shop.duckdb", "SELECT count(*) FROM baskets", "--epsilon", "0.5", "--fresh")
KEY = ("query", "shop.duckdb", "ALTER TABLE baskets ADD PRIVACY_KEY (basket)")


def test_a_day_in_the_life_of_a_ledger(run: Run, folder: Path) -> None:
    assert run(*KEY).code == 0
    assert run(*ASK).code == 0
    done = run("ledger", "shop.duckdb", "--backup", "monday")
    assert (done.code, done.err) == (0, "")
    assert re.fullmatch(r"backed up to monday: \d+ entries, head [0-9a-f]{64}\n", done.out)
    assert run(*ASK).code == 0
    done = run("ledger", "shop.duckdb", "--restore", "monday")
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("backup may be older than what was spent\nDETAIL: It has ")
    assert done.err.endswith("HINT: Restore a newer one, or say --force: then that is on record.\n")
    assert run("ledger", "shop.duckdb", "--verify").code == 0
    done = run("ledger", "shop.duckdb", "--restore", "monday", "--force")
    assert done.code == 0
    assert f"the ledger before it is kept as {folder / 'shop.duckdb.ledger.replaced'}\n" in done.out
    assert "forced: its anchor did not agree" in run("ledger", "shop.duckdb", "--policies").out
    done = run("ledger", "shop.duckdb", "--move", "kept/new.ledger")
    assert done.code == 1  # there is no such folder
    (folder / "kept").mkdir()
    done = run("ledger", "shop.duckdb", "--move", "kept/new.ledger")
    assert done.out.startswith(f"moved to {folder / 'kept/new.ledger'}: ")
    refused = run(*ASK)
    assert (refused.code, refused.out) == (1, "")
    assert f"What is charged is charged to {folder / 'kept/new.ledger'}. Nothing was charged." in refused.err
    assert run(*ASK, "--ledger", "kept/new.ledger").code == 0
    assert run("ledger", "shop.duckdb", "--verify", "--ledger", "kept/new.ledger").code == 0


def test_an_upgrade_is_told(run: Run, folder: Path) -> None:
    made(folder / "old.ledger", 3)
    for said in ("upgraded from version 3 to 5", "of version 5"):
        done = run("ledger", "shop.duckdb", "--ledger", "old.ledger", "--upgrade")
        assert done.out.startswith(f"the ledger is {said}, and whole: ")


def test_without_a_ledger_there_is_nothing_to_do(run: Run, folder: Path) -> None:
    for words in (("--backup", "x"), ("--upgrade",), ("--move", "y")):
        done = run("ledger", "baskets.csv", *words)
        assert (done.code, done.out) == (1, "")
        assert "there is no ledger at" in done.err
    assert not (folder / "baskets.csv.ledger").exists()


def test_one_thing_at_a_time(run: Run, folder: Path) -> None:
    copyfile("shop.duckdb", "x")
    done = run("ledger", "shop.duckdb", "--backup", "y", "--restore", "x")
    assert done.code == 2
    assert "argument --restore: not allowed with argument --backup" in done.err
