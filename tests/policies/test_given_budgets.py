"""Budgets in the script beside a file, or in `policies=`: a lower cap holds from the next opening on.

A LIMIT that was added or lowered after the first question was recorded and shown, and not enforced: the cap
that the first question had set went on, and was passed by what the script said.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import duckdb
import pytest

import dpduck
from dpduck.compiler.parse.statements import parse

COUNT = "SELECT count(*) FROM t WHERE b < {}"
REPLACE = "CREATE OR REPLACE PRIVACY BUDGET"
KEY = "ALTER TABLE t ADD PRIVACY_KEY (p);"


@pytest.fixture(params=["parquet", "csv", "duckdb"])
def file(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    made = tmp_path / f"t.{request.param}"
    rows = "SELECT i AS p, i % 7 AS b FROM range(900) r(i)"
    if request.param == "duckdb":
        with duckdb.connect(made) as connection:
            connection.execute(f"CREATE TABLE t AS {rows}")
    else:
        duckdb.execute(f"COPY ({rows}) TO '{made}'")
    return made


def ask(file: Path, script: str, epsilon: str, number: int, analyst: str | None = None) -> Sequence[str]:
    """Ask a new question under a script. Output: what the owner was told at the opening."""
    beside = file.with_name("t.policy.sql") if file.suffix != ".duckdb" else None
    given = None if beside is not None else [parse(one) for one in (KEY, script) if one]
    if beside is not None:
        said = beside.read_text() if beside.exists() else KEY
        kept = [line for line in said.splitlines() if "PRIVACY BUDGET" not in line]
        beside.write_text("\n".join([*kept, script, ""]))
    with dpduck.connect(file, epsilon=epsilon, analyst=analyst, policies=given or []) as db:
        said = [str(one) for one in db.notices]
        db.execute(COUNT.format(number))
        return said


@pytest.mark.parametrize("lower", ["CREATE PRIVACY BUDGET life LIMIT 3;", f"{REPLACE} life LIMIT 3;"])
@pytest.mark.parametrize("first", ["", "CREATE PRIVACY BUDGET life LIMIT 8;"])
def test_a_lower_cap_holds_from_the_next_opening_on(file: Path, first: str, lower: str) -> None:
    ask(file, first, "1", 1)
    with pytest.raises(dpduck.BudgetExceededError, match="only 2 remains"):
        ask(file, lower, "2.5", 2)
    ask(file, lower, "2", 3)


def test_so_does_one_for_an_analyst(file: Path) -> None:
    ask(file, "", "1", 0)  # the owner's first question finds of which types a CSV file is
    ask(file, "CREATE PRIVACY BUDGET hers LIMIT 8 FOR ana;", "1", 1, "ana")
    with pytest.raises(dpduck.BudgetExceededError, match="only 2 remains"):
        ask(file, "CREATE PRIVACY BUDGET hers LIMIT 3 FOR ana;", "2.5", 2, "ana")


def test_a_higher_one_does_not_and_the_owner_is_told(file: Path) -> None:
    ask(file, "CREATE PRIVACY BUDGET life LIMIT 3;", "1", 1)
    with pytest.raises(dpduck.BudgetExceededError, match="only 2 remains"):
        ask(file, "CREATE PRIVACY BUDGET life LIMIT 40;", "2.5", 2)
    said = ask(file, "CREATE PRIVACY BUDGET life LIMIT 40;", "1", 3)
    assert any("never raises a cap" in one for one in said)


def test_a_statement_about_one_says_where_it_is_declared(file: Path) -> None:
    ask(file, "", "1", 1)
    given = [parse(KEY), parse("CREATE PRIVACY BUDGET life LIMIT 3")]
    file.with_name("t.policy.sql").unlink(missing_ok=True)
    with dpduck.connect(file, policies=given) as db:
        for change in (
            f"{REPLACE} life LIMIT 1",
            "ALTER PRIVACY BUDGET life LIMIT 1",
            "DROP PRIVACY BUDGET life",
        ):
            with pytest.raises(dpduck.PolicyError, match="declared with the data"):
                db.execute(change)
