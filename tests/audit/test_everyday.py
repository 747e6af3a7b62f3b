"""Nobody can be told from the answers to everyday questions: subqueries of each person, windows, moments."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import duckdb
import pytest

from dpduck import policies
from tests.audit.stage import Stage
from tests.depth import part
from tests.everyday.test_everyday import DOMAINS, open_tables, policies_of, questions_of, recorded
from tests.query.shop import statement


def open_protected(domain: str, path: str) -> duckdb.DuckDBPyConnection:
    connection = open_tables(domain, path)
    for text in policies_of(domain):
        policies.execute(connection, statement(text))
    return connection


@pytest.mark.parametrize("domain", DOMAINS)
def test_no_difference(domain: str, tmp_path: Path) -> None:
    known = recorded()
    answered = [one for one in questions_of(domain) if known[one.number] == "answered"]
    assert answered
    stage = Stage(tmp_path / domain, domain, partial(open_protected, domain))
    try:
        for question in part(answered, 5, 10):
            found = stage.check(question.sql)
            assert not found, str(found[0])
    finally:
        stage.close()
