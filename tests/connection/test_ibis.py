"""Expressions of Ibis are asked as they are, in process: those of tests/reach that have an answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.questions import ANSWERED, Record
from tests.reach.ibis_expressions import EXPRESSIONS
from tests.reach.test_ibis import FOLDER, SHOP


def test_thirty_and_more_expressions_are_answered(tmp_path: Path) -> None:
    known = Record(FOLDER / "duckdb.txt").read()
    answered = [place for place, text in known.items() if text == ANSWERED]
    assert len(answered) >= 30
    with SHOP.open(tmp_path / "shop.duckdb") as db:
        db.execute("CREATE OR REPLACE PRIVACY BUDGET wide LIMIT 1000")
        for place in answered:
            title, made = EXPRESSIONS[place - 1]
            expression = made()
            plan, answer = db.explain(expression), db.sql(expression)
            assert answer.arrow().num_columns, title
            assert answer.charged in (plan.epsilon, "0"), title


def test_what_is_no_statement_is_refused_by_its_type(tmp_path: Path) -> None:
    with SHOP.open(tmp_path / "shop.duckdb") as db, pytest.raises(ValueError, match="not a dict"):
        db.sql({"a": 1})
