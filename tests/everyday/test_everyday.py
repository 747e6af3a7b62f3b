"""300 everyday questions of nine domains, written by somebody who had not seen dpduck: which are answered.

`verdicts.txt` has what becomes of each: answered, or the refusal. DPDUCK_WRITE_GOLDEN=1 writes it anew.
Questions that ask for private rows say so in their titles, and none of these may be answered.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from dpduck.answers.explain import Explanation
from dpduck.kernel.plan.names import spoken
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


def check_errors(explained: Explanation) -> None:
    """Check that each error that is stated in words is one for programs, too."""
    named = [spoken(name) for name in explained.expected_error]
    assert set(explained.error_of) <= set(explained.expected_error)
    for promise in explained.promises:
        said = " is NULL, " in promise or any(name in promise for name in named)
        assert said or ("its " in promise and named), promise


def test_each_error_in_words_is_one_for_programs(tmp_path: Path) -> None:
    """Of one domain; test_beside_plain.py looks at all."""
    tables, known = Tables(HERE / "shop"), RECORD.read()
    with tables.open(tmp_path / "everyday.duckdb") as db:
        db.execute("SET dp_delta = 1e-6")
        for question in tables.questions():
            if known[question.number].startswith("answered"):
                check_errors(db._service.explain(question.sql, brief=True))


def test_errors_of_what_is_computed_with(tmp_path: Path) -> None:
    with Tables(HERE / "shop").open(tmp_path / "everyday.duckdb") as db:
        plain = db.explain("SELECT count(*) AS n FROM orders")
        computed = db.explain("SELECT 1 + count(*) AS n FROM orders")
        assert plain.error_of == computed.error_of == {}
        error = plain.expected_error["n"]
        assert computed.expected_error == {"n": error, "count(*)": error}
