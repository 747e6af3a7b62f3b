"""300 everyday questions of nine domains, written by somebody who had not seen dpduck: which are answered.

`verdicts.txt` has what becomes of each: answered, or the refusal. DPDUCK_WRITE_GOLDEN=1 writes it anew.
Questions that ask for private rows say so in their titles, and none of these may be answered.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.questions import Record, Tables, verdicts_of

HERE = Path(__file__).parent
DOMAINS = sorted(path.parent.name for path in HERE.glob("*/queries.sql"))
RECORD = Record(HERE / "verdicts.txt")
LEAST_SHARE = 0.95  # of the questions that have a private answer


@pytest.mark.parametrize("domain", DOMAINS)
def test_verdicts(domain: str, tmp_path: Path) -> None:
    tables = Tables(HERE / domain)
    with tables.open(tmp_path / "everyday.duckdb") as db:
        RECORD.check(verdicts_of(tables.questions(), db))


def test_most_are_answered_and_no_rows_are_listed() -> None:
    questions = [question for domain in DOMAINS for question in Tables(HERE / domain).questions()]
    assert len(questions) == 300
    RECORD.check_share(questions, LEAST_SHARE)
