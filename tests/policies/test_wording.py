"""Statements as SQL: what is written is read again as the same statement."""

from __future__ import annotations

import pytest

from dpduck.compiler.parse.statements import parse
from dpduck.kernel.catalog.statements import PolicyStatement
from dpduck.kernel.errors import DpduckError
from dpduck.policies import sql_of

STATEMENTS = r"""
ALTER TABLE t ADD PRIVACY_KEY (c)
ALTER TABLE s.t ADD PRIVACY_LINK ("a b") REFERENCES u(x)
ALTER TABLE t ADD PRIVACY_KEY (c) FORCE
ALTER TABLE t DROP PRIVACY_KEY FORCE
ALTER TABLE t DROP PRIVACY_LINK
ALTER TABLE t DROP PRIVACY FORCE
ALTER TABLE "T ""x" DROP PRIVACY
ALTER TABLE t SET PUBLIC FORCE
ALTER TABLE t SET PRIVACY CONTRIBUTION (groups = 3, rows = 2)
ALTER TABLE t SET PRIVACY CONTRIBUTION (rows = 2) FORCE
ALTER TABLE t DROP PRIVACY CONTRIBUTION
ALTER TABLE t SET PRIVACY VERSION 'it''s' FORCE
ALTER TABLE t ALTER COLUMN c SET PRIVACY DOMAIN IN ('a', 1, -2, 1.50, true, DATE '2024-01-01')
ALTER TABLE t ALTER COLUMN c SET PRIVACY DOMAIN IN (TIMESTAMP '2024-01-01 10:00:00')
ALTER TABLE t ALTER COLUMN c SET PRIVACY DOMAIN BETWEEN (-1, 1000) STEP 0.5
ALTER TABLE t ALTER COLUMN c SET PRIVACY DOMAIN REFERENCES s.u(x)
ALTER TABLE t ALTER COLUMN c DROP PRIVACY DOMAIN FORCE
CREATE PRIVACY BUDGET b LIMIT 3 DELTA 0.000001 PER QUERY 0.5 WINDOW 'month' FOR ana, "b c" FORCE
CREATE OR REPLACE PRIVACY BUDGET b LIMIT 3 FORCE
CREATE PRIVACY BUDGET b LIMIT 3 FOR force
ALTER PRIVACY BUDGET b LIMIT 3 ACCOUNTING pure FORCE
ALTER PRIVACY BUDGET b ACCOUNTING zcdp KEYS DELTA 0.0000001 FORCE
ALTER PRIVACY BUDGET b DELTA 0.001
DROP PRIVACY BUDGET b FORCE
""".strip().splitlines()


@pytest.mark.parametrize("text", STATEMENTS)
def test_a_statement_is_written_as_it_is_read(text: str) -> None:
    statement = parse(text)
    assert isinstance(statement, PolicyStatement)
    assert statement.forced == (text.endswith(" FORCE"))
    assert sql_of(statement) == text


def test_other_spellings_have_one_text() -> None:
    for text in ("alter table T add privacy_key(c)  force", "ALTER TABLE T ADD PRIVACY_KEY ( c ) FORCE"):
        statement = parse(text)
        assert isinstance(statement, PolicyStatement)
        assert sql_of(statement) == "ALTER TABLE T ADD PRIVACY_KEY (c) FORCE"


@pytest.mark.parametrize(
    "text",
    [
        "ALTER TABLE t DROP PRIVACY DOMAIN",
        "ALTER TABLE t DROP FORCE",
        "ALTER TABLE t SET PUBLIC FORCE FORCE",
        "ALTER TABLE t FORCE SET PUBLIC",
        "DROP PRIVACY BUDGET FORCE b",
        "SHOW PRIVACY FORCE",
    ],
)
def test_what_is_no_statement(text: str) -> None:
    with pytest.raises(DpduckError):
        parse(text)
