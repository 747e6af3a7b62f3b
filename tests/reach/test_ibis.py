"""40 expressions of Ibis over everyday's shop, as the SQL that it compiles for DuckDB and for PostgreSQL.

Ibis for PostgreSQL asks the gateway, which plans the same text. NAME.txt has what becomes of NAME.sql:
answered, or the refusal.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.everyday.test_everyday import HERE as EVERYDAY
from tests.questions import ANSWERED, Record, Tables, read_questions, verdicts_of
from tests.reach.beside import Beside

FOLDER = Path(__file__).parent / "ibis"
DIALECTS = ("duckdb", "postgres")
SHOP = Tables(EVERYDAY / "shop")
LEAST_SHARE = 0.8
ROWS = (  # so that rows are counted
    "ALTER TABLE orders SET PRIVACY CONTRIBUTION (rows = 12)",
    "ALTER TABLE order_items SET PRIVACY CONTRIBUTION (rows = 48)",
)
DIFFER = {
    8,  # a quartile that falls between two fees: any point of the gap has the same score
    13,  # a key that is NULL, which the domain has not
    36,  # months without an order, which a window meets
}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_verdicts(dialect: str, tmp_path: Path) -> None:
    questions = read_questions(FOLDER / f"{dialect}.sql")
    assert len(questions) == 40
    record = Record(FOLDER / f"{dialect}.txt")
    with SHOP.open(tmp_path / "shop.duckdb") as db:
        record.check(verdicts_of(questions, db))
    record.check_share(questions, LEAST_SHARE)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_without_noise_an_answer_is_that_of_plain_sql(dialect: str) -> None:
    """Text for PostgreSQL means what the same expression means in DuckDB."""
    known = Record(FOLDER / f"{dialect}.txt").read()
    plain = {question.number: question.sql for question in read_questions(FOLDER / "duckdb.sql")}
    beside = Beside.open(SHOP, (), ROWS)
    for question in read_questions(FOLDER / f"{dialect}.sql"):
        if known[question.number] == ANSWERED and question.number not in DIFFER:
            assert not beside.missing(question.sql, plain[question.number]), question.title


def test_each_is_a_query_of_duckdb() -> None:
    with SHOP.open_plain(":memory:") as connection:
        for question in read_questions(FOLDER / "duckdb.sql"):
            connection.execute(question.sql).fetchall()


@pytest.mark.clients
@pytest.mark.parametrize("dialect", DIALECTS)
def test_ibis_writes_this_sql(dialect: str) -> None:
    pytest.importorskip("ibis")
    from tests.reach.ibis_expressions import compiled

    assert compiled(dialect).encode() == (FOLDER / f"{dialect}.sql").read_bytes()
