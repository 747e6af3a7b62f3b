"""40 questions in the style of TPC-DS: a retailer's sales in three channels, whose customers are protected.

The tables and queries are of its kind and small, and no copies. `verdicts.txt` has what becomes of each
query: answered, or the refusal.
"""

from __future__ import annotations

from pathlib import Path

from tests.questions import Record, Tables, verdicts_of

TABLES = Tables(Path(__file__).parent / "tpcds")
RECORD = Record(TABLES.folder / "verdicts.txt")
LEAST_SHARE = 0.37  # of the questions that have a private answer


def test_verdicts(tmp_path: Path) -> None:
    with TABLES.open(tmp_path / "tpcds.duckdb") as db:
        RECORD.check(verdicts_of(TABLES.questions(), db))


def test_many_are_answered_and_no_rows_are_listed() -> None:
    assert len(TABLES.questions()) == 40
    RECORD.check_share(TABLES.questions(), LEAST_SHARE)


def test_each_is_a_query_of_duckdb() -> None:
    with TABLES.open_plain(":memory:") as connection:
        for question in TABLES.questions():
            connection.execute(question.sql).fetchall()
