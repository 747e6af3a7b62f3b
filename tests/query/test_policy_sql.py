"""The statements that are no queries: what they are read as, and refusals that teach."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from fractions import Fraction

import pytest

from dpduck.compiler.parse.statements import parse
from dpduck.kernel.catalog.statements import (
    AddPrivacyKey,
    AddPrivacyLink,
    CreateBudget,
    DomainRange,
    DomainReference,
    DomainValues,
    DropBudget,
    DropContribution,
    DropPrivacyDomain,
    DropPrivacyKey,
    DropPrivacyLink,
    SetContribution,
    SetPrivacyDomain,
    SetPublic,
    ShowBudgets,
    ShowPrivacy,
    ShowPrivacyFor,
    TableName,
)
from dpduck.kernel.errors import DpduckError, ParameterError, SqlSyntaxError, UnsupportedSqlError

T = TableName("t")
TABLE_FORMS = (
    "HINT: Write ALTER TABLE t ADD PRIVACY_KEY (col), ADD PRIVACY_LINK (col) REFERENCES t(col), SET PUBLIC, "
    "SET PRIVACY CONTRIBUTION (groups = 5, rows = 1), DROP PRIVACY_KEY, DROP PRIVACY_LINK or DROP PRIVACY "
    "CONTRIBUTION."
)
COLUMN_FORMS = (
    "HINT: Write ALTER TABLE t ALTER COLUMN c SET PRIVACY DOMAIN IN (...), BETWEEN (low, high) [STEP s] or "
    "REFERENCES public_table(col), each [OR NULL], or DROP PRIVACY DOMAIN."
)
SHOW_FORMS = "HINT: Write SHOW PRIVACY, which lists tables and policies."
UNDERSTOOD = "DETAIL: Only statements whose effect dpduck fully understands are run. Nothing was charged."
SNOWFLAKE = "CREATE PRIVACY POLICY p AS () RETURNS PRIVACY_BUDGET -> PRIVACY_BUDGET"


def refusal(text: str) -> DpduckError:
    with pytest.raises(DpduckError) as caught:
        parse(text)
    return caught.value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ALTER TABLE t ADD PRIVACY_KEY (col)", AddPrivacyKey(T, "col")),
        ('alter table main."T x" add privacy_key ("a ""b")', AddPrivacyKey(TableName("T x", "main"), 'a "b')),
        ("ALTER TABLE t DROP PRIVACY_KEY;", DropPrivacyKey(T)),
        (
            'ALTER TABLE s.orders ADD PRIVACY_LINK (o_custkey) REFERENCES "main"."customer"(c_custkey)',
            AddPrivacyLink(TableName("orders", "s"), "o_custkey", TableName("customer", "main"), "c_custkey"),
        ),
        ("alter table t add privacy_link (a) references u (b)", AddPrivacyLink(T, "a", TableName("u"), "b")),
        ("ALTER TABLE t DROP PRIVACY_LINK", DropPrivacyLink(T)),
        ("ALTER TABLE t SET PUBLIC", SetPublic(T)),
        (
            "ALTER TABLE t ALTER COLUMN c SET PRIVACY DOMAIN IN ('a', -1, 2.50, TRUE)",
            SetPrivacyDomain(T, "c", DomainValues(("a", -1, Decimal("2.50"), True))),
        ),
        (
            "ALTER TABLE t ALTER c SET PRIVACY DOMAIN BETWEEN (0, 100) STEP 5",
            SetPrivacyDomain(T, "c", DomainRange(0, 100, 5)),
        ),
        (
            "ALTER TABLE t ALTER COLUMN order SET PRIVACY DOMAIN BETWEEN (DATE '2024-01-01', '2024-12-31')",
            SetPrivacyDomain(T, "order", DomainRange(date(2024, 1, 1), "2024-12-31")),
        ),
        (
            "ALTER TABLE t ALTER COLUMN c SET PRIVACY DOMAIN REFERENCES s.pages(name)",
            SetPrivacyDomain(T, "c", DomainReference(TableName("pages", "s"), "name")),
        ),
        (
            "ALTER TABLE t ALTER COLUMN c SET PRIVACY DOMAIN IN ('a', NULL)",
            SetPrivacyDomain(T, "c", DomainValues(("a", None))),
        ),
        (
            "alter table t alter column c set privacy domain between (0, 9) step 3 or null",
            SetPrivacyDomain(T, "c", DomainRange(0, 9, 3), or_null=True),
        ),
        (
            "ALTER TABLE t ALTER COLUMN c SET PRIVACY DOMAIN REFERENCES pages(name) OR NULL",
            SetPrivacyDomain(T, "c", DomainReference(TableName("pages"), "name"), or_null=True),
        ),
        ("ALTER TABLE t ALTER COLUMN c DROP PRIVACY DOMAIN", DropPrivacyDomain(T, "c")),
        ("ALTER TABLE t SET PRIVACY CONTRIBUTION (groups = 5, rows = 3)", SetContribution(T, 5, 3)),
        ("alter table t set privacy contribution (Rows = '3')", SetContribution(T, None, 3)),
        ("ALTER TABLE t DROP PRIVACY CONTRIBUTION", DropContribution(T)),
        ("CREATE PRIVACY BUDGET life LIMIT 10", CreateBudget("life", Fraction(10))),
        (
            "CREATE PRIVACY BUDGET life LIMIT 1 DELTA 1e-6 ACCOUNTING zcdp keys delta 1e-7",
            CreateBudget(
                "life",
                Fraction(1),
                Fraction(1, 10**6),
                accounting="zcdp",
                keys_delta=Fraction(1, 10**7),
            ),
        ),
        (
            "create or replace privacy budget \"a b\" limit 10.5 delta 1e-6 per query 0.1 window 'month' "
            "for ana, 'Bob', \"C d\"",
            CreateBudget(
                "a b",
                Fraction(21, 2),
                Fraction(1, 10**6),
                Fraction(1, 10),
                "month",
                ("ana", "Bob", "C d"),
                replace=True,
            ),
        ),
        (
            "CREATE PRIVACY BUDGET b FOR ana WINDOW 'day' LIMIT 1",
            CreateBudget("b", Fraction(1), window="day", analysts=("ana",)),
        ),
        ("DROP PRIVACY BUDGET life", DropBudget("life")),
        (
            f"{SNOWFLAKE}(BUDGET_NAME => 'x', BUDGET_LIMIT => 100, MAX_BUDGET_PER_AGGREGATE => 0.5, "
            "BUDGET_WINDOW => 'Weekly')",
            CreateBudget("x", Fraction(100), None, Fraction(1, 2), "week"),
        ),
        (
            "CREATE OR REPLACE PRIVACY POLICY p AS () RETURNS PRIVACY_BUDGET -> PRIVACY_BUDGET("
            "budget_limit => 3, budget_window => 'never')",
            CreateBudget("p", Fraction(3), replace=True),
        ),
        ("show privacy", ShowPrivacy()),
        ("SHOW PRIVACY FOR t", ShowPrivacyFor(T)),
        ('SHOW PRIVACY FOR s."T x";', ShowPrivacyFor(TableName("T x", "s"))),
        ("SHOW PRIVACY BUDGETS", ShowBudgets()),
    ],
)
def test_statements(text: str, expected: object) -> None:
    assert parse(text) == expected


@pytest.mark.parametrize(
    ("text", "error"),
    [
        (
            "ALTER TABLE t RENAME TO u",
            f"this ALTER TABLE statement is not supported\n{UNDERSTOOD}\n{TABLE_FORMS}",
        ),
        ("ALTER VIEW v RENAME TO u", f"this ALTER statement is not supported\n{UNDERSTOOD}\n{TABLE_FORMS}"),
        (
            "ALTER TABLE t ALTER COLUMN c TYPE INTEGER",
            f"this ALTER COLUMN statement is not supported\n{UNDERSTOOD}\n{COLUMN_FORMS}",
        ),
        (
            "ALTER TABLE t ALTER COLUMN c SET PRIVACY DOMAIN LIKE 'a'",
            f"this form of PRIVACY DOMAIN is not supported\n{UNDERSTOOD}\n{COLUMN_FORMS}",
        ),
        (
            "SHOW TABLES FROM main",
            f"this SHOW statement is not supported\n{UNDERSTOOD}\n{SHOW_FORMS}",
        ),
        (
            "SHOW PRIVACY now",
            f"this SHOW statement is not supported\n{UNDERSTOOD}\n{SHOW_FORMS}",
        ),
        (
            "CREATE PRIVACY POLICY p AS () RETURNS PRIVACY_BUDGET -> NO_PRIVACY_POLICY()",
            f"this form of PRIVACY POLICY is not supported\n{UNDERSTOOD}\n"
            "HINT: Write CREATE PRIVACY POLICY name AS () RETURNS PRIVACY_BUDGET -> PRIVACY_BUDGET("
            "BUDGET_NAME => 'name', BUDGET_LIMIT => 10, MAX_BUDGET_PER_AGGREGATE => 0.5, BUDGET_WINDOW => "
            "'monthly').",
        ),
        (
            "ALTER TABLE t SET PRIVACY CONTRIBUTION (people = 5)",
            "SET PRIVACY CONTRIBUTION has no option people\n"
            "DETAIL: Its options are groups, rows. Nothing was charged.\nHINT: Leave it out.",
        ),
        (
            "ALTER TABLE t SET PRIVACY CONTRIBUTION (rows = 5, ROWS = 6)",
            "option rows is given twice\nDETAIL: Nothing was charged.\nHINT: Leave one out.",
        ),
        (
            "ALTER TABLE t SET PRIVACY CONTRIBUTION (rows = 1.5)",
            "rows = 1.5 is not a bound on contributions\n"
            "DETAIL: It is a whole number from 1 to 1000000. Nothing was charged.\nHINT: Write rows = 5.",
        ),
        (
            "CREATE PRIVACY BUDGET life DELTA 1e-6",
            "privacy budget life has no LIMIT\nDETAIL: A budget is a cap in epsilon. Nothing was charged.\n"
            "HINT: Write CREATE PRIVACY BUDGET life LIMIT 10; the whole form is CREATE PRIVACY BUDGET name "
            "LIMIT 10 [DELTA 1e-5] [PER QUERY 0.5] [WINDOW 'month'] [ACCOUNTING zcdp|gdp [KEYS DELTA 1e-6]] "
            "[FOR analyst, ...].",
        ),
        (
            "CREATE PRIVACY BUDGET life LIMIT 10 WINDOW 'year'",
            "'year' is not a budget window\nDETAIL: It is one of day, week, month. Nothing was charged.\n"
            "HINT: Write WINDOW 'month', or leave it out.",
        ),
        (
            f"{SNOWFLAKE}(BUDGET_LIMIT => 3, BUDGET_WINDOW => 'yearly')",
            "'yearly' is not a budget window\n"
            "DETAIL: It is one of daily, weekly, monthly, never. Nothing was charged.\n"
            "HINT: Write BUDGET_WINDOW => 'monthly'.",
        ),
        (
            f"{SNOWFLAKE}(BUDGET_NAME => 'x', MAX_BUDGET => 3)",
            "PRIVACY_BUDGET has no option max_budget\n"
            "DETAIL: Its options are budget_name, budget_limit, max_budget_per_aggregate, budget_window. "
            "Nothing was charged.\nHINT: Leave it out.",
        ),
    ],
)
def test_refusals_teach(text: str, error: str) -> None:
    assert str(refusal(text)) == error


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("ALTER TABLE t ADD PRIVACY_KEY (a, b)", SqlSyntaxError),
        ("ALTER TABLE t ADD PRIVACY_KEY ()", SqlSyntaxError),
        ("ALTER TABLE t ADD PRIVACY_KEY ('a')", SqlSyntaxError),
        ("ALTER TABLE t ADD PRIVACY_KEY (5)", SqlSyntaxError),
        ("ALTER TABLE 't.csv' SET PUBLIC", SqlSyntaxError),
        ("ALTER TABLE a.b.c SET PUBLIC", UnsupportedSqlError),
        ("ALTER TABLE t ADD PRIVACY_LINK (a)", SqlSyntaxError),
        ("ALTER TABLE t ADD PRIVACY_LINK (a) REFERENCES u", SqlSyntaxError),
        ("ALTER TABLE t ADD PRIVACY_LINK (a, b) REFERENCES u(a, b)", SqlSyntaxError),
        ("ALTER TABLE t SET PUBLIC now", SqlSyntaxError),
        ("ALTER TABLE t ALTER COLUMN c SET PRIVACY DOMAIN REFERENCES p", SqlSyntaxError),
        ("ALTER TABLE t ALTER COLUMN c SET PRIVACY DOMAIN BETWEEN (1, 2, 3)", SqlSyntaxError),
        ("ALTER TABLE t ALTER COLUMN c SET PRIVACY DOMAIN BETWEEN (1, 2) STEP", SqlSyntaxError),
        ("ALTER TABLE t ALTER COLUMN c SET PRIVACY DOMAIN IN (random())", UnsupportedSqlError),
        ("ALTER TABLE t ALTER COLUMN c SET PRIVACY DOMAIN IN ((SELECT 1))", UnsupportedSqlError),
        ("ALTER TABLE t SET PRIVACY CONTRIBUTION (rows)", SqlSyntaxError),
        ("ALTER TABLE t SET PRIVACY CONTRIBUTION (rows = x)", UnsupportedSqlError),
        ("ALTER TABLE t SET PRIVACY CONTRIBUTION (rows = ?)", UnsupportedSqlError),
        ("CREATE PRIVACY BUDGET life LIMIT 10 LIMIT 20", SqlSyntaxError),
        ("CREATE PRIVACY BUDGET life LIMIT", SqlSyntaxError),
        ("CREATE PRIVACY BUDGET life LIMIT x", UnsupportedSqlError),
        ("CREATE PRIVACY BUDGET life LIMIT -1", ParameterError),
        ("CREATE PRIVACY BUDGET life LIMIT 1_0", SqlSyntaxError),
        ("CREATE PRIVACY BUDGET life LIMIT 0.0000000001", ParameterError),
        ("CREATE PRIVACY BUDGET life LIMIT 1 DELTA 1", ParameterError),
        ("CREATE PRIVACY BUDGET life LIMIT 1 PER QUERY 0", ParameterError),
        ("CREATE PRIVACY BUDGET life LIMIT 1 and more", SqlSyntaxError),
        ("CREATE PRIVACY SPELL x", UnsupportedSqlError),
        ("CREATE TABLE t AS SELECT 1", UnsupportedSqlError),
        ("DROP PRIVACY BUDGET", SqlSyntaxError),
        ("DROP TABLE t", UnsupportedSqlError),
        ("SHOW PRIVACY FOR", SqlSyntaxError),
        ("SHOW PRIVACY FOR t, u", SqlSyntaxError),
        ("SHOW PRIVACY BUDGETS now", UnsupportedSqlError),
        ("CREATE PRIVACY BUDGET a LIMIT 1; SELECT 1", UnsupportedSqlError),
        (f"{SNOWFLAKE}(BUDGET_LIMIT = 3)", SqlSyntaxError),
    ],
)
def test_refused(text: str, kind: type[DpduckError]) -> None:
    error = refusal(text)
    assert type(error) is kind
    assert error.charged == "0"
