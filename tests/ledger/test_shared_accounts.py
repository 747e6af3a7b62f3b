"""One account for the same people in a ledger that several databases share, on a server."""

from __future__ import annotations

import shutil
from pathlib import Path

import dpduck
from dpduck.kernel.ledger import open_ledger
from tests.trust.test_one_account import CAP, DROP, KEY, PEOPLE, ROWS, asked, declared, written


def test_the_same_people_are_one_and_others_are_others(tmp_path: Path, url: str) -> None:
    shop, copy, other = (tmp_path / f"{name}.duckdb" for name in ("shop", "copy", "other"))
    for path in (shop, other):
        written(path, PEOPLE, ROWS)
        declared(path, KEY, ledger=url)
    assert asked(shop, times=6, ledger=url) == 6
    written(shop, "CREATE OR REPLACE TABLE People AS SELECT id AS Id, code, age FROM people")
    assert asked(shop, times=1, ledger=url) == 1
    declared(shop, DROP, "ALTER TABLE people ADD PRIVACY_KEY (code) FORCE", ledger=url)
    assert asked(shop, times=1, ledger=url) == 1
    shutil.copy(shop, copy)
    assert asked(copy, times=1, ledger=url) == 1
    written(copy, "ALTER TABLE people RENAME TO persons")
    declared(copy, "ALTER TABLE persons ADD PRIVACY_KEY (code) FORCE", ledger=url)
    assert asked(copy, "persons", ledger=url) == 1
    assert asked(shop, ledger=url) == 0
    assert asked(other, times=2, ledger=url) == 2
    with open_ledger(url) as ledger:
        ledger.verify()
        spent = [int(budget.epsilon_spent) for budget in ledger.budgets() if budget.scope == "people"]
    assert sorted(spent) == [2, CAP]


def test_budgets_and_analysts_however_spelled(tmp_path: Path, url: str) -> None:
    shop = tmp_path / "shop.duckdb"
    written(shop, PEOPLE, ROWS)
    declared(shop, KEY, "CREATE PRIVACY BUDGET team LIMIT 3 FOR Ana", ledger=url)
    assert asked(shop, times=2, ledger=url, analyst="ana") == 2
    declared(shop, "CREATE OR REPLACE PRIVACY BUDGET TEAM LIMIT 3 FOR ANA", ledger=url)
    assert asked(shop, ledger=url, analyst="ANA") == 1
    with dpduck.connect(shop, ledger=url) as db:
        found = {(row["scope"], row["name"]): row["epsilon_spent"] for row in db.budget().to_pylist()}
    assert found["budget", "TEAM"] == found["analyst", "ana"] == 3
