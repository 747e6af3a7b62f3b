"""40 questions in the style of TPC-DS: a retailer's sales in three channels, whose customers are protected.

The tables and queries are of its kind and small, and no copies. `verdicts.txt` has what becomes of each
query: answered, or the refusal.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.questions import ANSWERED, Question, Record, Tables, verdicts_of
from tests.reach.beside import Beside

TABLES = Tables(Path(__file__).parent / "tpcds")
RECORD = Record(TABLES.folder / "verdicts.txt")
LEAST_SHARE = 0.37  # of the questions that have a private answer
OF_NOBODY = (
    "DELETE FROM store_sales WHERE ss_customer_sk IS NULL",
    "DELETE FROM store_returns WHERE sr_customer_sk IS NULL",
)
EMPTY_GROUPS_COUNT = {28, 31}  # in means over months, of which plain SQL has those with a sale


def test_verdicts(tmp_path: Path) -> None:
    with TABLES.open(tmp_path / "tpcds.duckdb") as db:
        RECORD.check(verdicts_of(TABLES.questions(), db))


def test_many_are_answered_and_no_rows_are_listed() -> None:
    assert len(TABLES.questions()) == 40
    RECORD.check_share(TABLES.questions(), LEAST_SHARE)


@pytest.fixture(scope="module")
def beside() -> Beside:
    return Beside.open(TABLES, OF_NOBODY)


def answered() -> list[Question]:
    known = RECORD.read()
    return [question for question in TABLES.questions() if known.get(question.number) == ANSWERED]


@pytest.mark.parametrize("question", answered(), ids=lambda question: str(question.number))
def test_without_noise_it_is_the_answer_of_plain_sql(question: Question, beside: Beside) -> None:
    if question.number not in EMPTY_GROUPS_COUNT:
        assert not beside.missing(question.sql)


def test_each_is_a_query_of_duckdb() -> None:
    with TABLES.open_plain(":memory:") as connection:
        for question in TABLES.questions():
            connection.execute(question.sql).fetchall()
