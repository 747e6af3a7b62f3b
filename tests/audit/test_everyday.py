"""Nobody can be told from the answers to everyday questions: subqueries of each person, windows, moments."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import duckdb
import pytest

from dpduck import policies
from tests.audit.stage import Stage
from tests.depth import part
from tests.everyday import test_everyday as everyday
from tests.query.shop import statement
from tests.questions import ANSWERED, Record, Tables
from tests.reach import test_tpcds as tpcds

ASKED = {name: (Tables(everyday.HERE / name), everyday.RECORD) for name in everyday.DOMAINS}
ASKED[tpcds.TABLES.name] = (tpcds.TABLES, tpcds.RECORD)


def open_protected(tables: Tables, path: str) -> duckdb.DuckDBPyConnection:
    connection = tables.open_plain(path)
    for text in tables.policies():
        policies.execute(connection, statement(text))
    return connection


@pytest.mark.parametrize("tables, record", ASKED.values(), ids=ASKED)
def test_no_difference(tables: Tables, record: Record, tmp_path: Path) -> None:
    known = record.read()
    answered = [one for one in tables.questions() if known[one.number] == ANSWERED]
    assert answered
    stage = Stage(tmp_path / tables.name, tables.name, partial(open_protected, tables))
    try:
        for question in part(answered, 10, 20):
            found = stage.check(question.sql)
            assert not found, str(found[0])
    finally:
        stage.close()
