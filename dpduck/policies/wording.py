"""A policy statement as SQL that parses to the same statement: one text for each statement."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from dpduck.kernel.catalog import statements
from dpduck.kernel.catalog.csv_format import CsvColumn, SetCsv
from dpduck.kernel.catalog.model import written
from dpduck.kernel.catalog.types import Scalar
from dpduck.kernel.errors import decimal_text
from dpduck.kernel.errors.names import written_path


def sql_of(statement: statements.PolicyStatement) -> str:
    """The statement as SQL, with no semicolon.

    >>> sql_of(statements.AddPrivacyKey(statements.TableName("people", "main"), "id"))
    'ALTER TABLE people ADD PRIVACY_KEY (id)'
    >>> sql_of(statements.DropPrivacy(statements.TableName("people"), forced=True))
    'ALTER TABLE people DROP PRIVACY FORCE'
    """
    said = _WORDS[type(statement)](statement)
    if isinstance(statement, statements.TableStatement):
        said = f"ALTER TABLE {_table(statement.table)} {said}"
    return f"{said} FORCE" if statement.forced else said


def _table(name: statements.TableName) -> str:
    if name.schema is None or name.schema == "main":
        return written(name.name)
    return f"{written(name.schema)}.{written(name.name)}"


def _link(said: statements.AddPrivacyLink) -> str:
    target = f"{_table(said.target)}({written(said.target_column)})"
    return f"ADD PRIVACY_LINK ({written(said.column)}) REFERENCES {target}"


def _contribution(said: statements.SetContribution) -> str:
    given = (("groups", said.groups), ("rows", said.rows))
    bounds = ", ".join(f"{name} = {bound}" for name, bound in given if bound is not None)
    return f"SET PRIVACY CONTRIBUTION ({bounds})"


def _domain(domain: statements.DomainText) -> str:
    match domain:
        case statements.DomainValues(values=values):
            return f"IN ({', '.join(map(_literal, values))})"
        case statements.DomainRange(low=low, high=high, step=step):
            steps = "" if step is None else f" STEP {_literal(step)}"
            return f"BETWEEN ({_literal(low)}, {_literal(high)}){steps}"
    return f"REFERENCES {_table(domain.table)}({written(domain.column)})"


def _csv(said: SetCsv) -> str:
    columns = ", ".join(map(_csv_column, said.format.columns))
    facts = ", ".join(f"{name} = {_fact(value)}" for name, value in said.format.said.items())
    return f"SET CSV ({columns})" + (facts and f" WITH ({facts})")


def _csv_column(column: CsvColumn) -> str:
    form = "" if column.format is None else f" FORMAT {_text(column.format)}"
    return f"{written(column.name)} {column.type}{form}"


def _fact(value: object) -> str:
    if isinstance(value, tuple):
        return f"({', '.join(map(_text, value))})"
    return _literal(value)  # type: ignore[arg-type]


def _literal(value: Scalar) -> str:
    match value:
        case None:
            return "NULL"
        case bool():
            return "true" if value else "false"
        case Decimal():
            return f"{value:f}"
        case int():
            return str(value)
        case datetime():
            return f"TIMESTAMP '{value.isoformat(' ')}'"
        case date():
            return f"DATE '{value.isoformat()}'"
    return _text(value)


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


# --- budgets -------------------------------------------------------------------------------------

_CLAUSES: dict[str, Callable[[Any], str]] = {
    "epsilon": lambda amount: f"LIMIT {decimal_text(amount)}",
    "delta": lambda amount: f"DELTA {decimal_text(amount)}",
    "per_query": lambda amount: f"PER QUERY {decimal_text(amount)}",
    "window": lambda window: f"WINDOW {_text(window)}",
    "accounting": lambda accounting: f"ACCOUNTING {accounting}",
    "keys_delta": lambda amount: f"KEYS DELTA {decimal_text(amount)}",
    "analysts": lambda names: f"FOR {', '.join(map(written, names))}",
}
_UNSAID = (None, (), "pure")  # values of clauses that are left out


def _clauses(fields: Iterable[tuple[str, object]]) -> str:
    return " ".join(_CLAUSES[name](value) for name, value in fields if value not in _UNSAID)


def _create(said: statements.CreateBudget) -> str:
    word = "CREATE OR REPLACE" if said.replace else "CREATE"
    clauses = _clauses((name, getattr(said, name)) for name in _CLAUSES)
    return f"{word} PRIVACY BUDGET {written(said.name)} {clauses}"


def _alter(said: statements.AlterBudget) -> str:
    given = dict(said.changes)
    changes = " ".join(_CLAUSES[name](given[name]) for name in _CLAUSES if name in given)
    return f"ALTER PRIVACY BUDGET {written(said.name)} {changes}"


_WORDS: dict[type[statements.PolicyStatement], Callable[[Any], str]] = {
    statements.AddPrivacyKey: lambda said: f"ADD PRIVACY_KEY ({written(said.column)})",
    statements.DropPrivacyKey: lambda _: "DROP PRIVACY_KEY",
    statements.AddPrivacyLink: _link,
    statements.DropPrivacyLink: lambda _: "DROP PRIVACY_LINK",
    statements.DropPrivacy: lambda _: "DROP PRIVACY",
    statements.SetPublic: lambda _: "SET PUBLIC",
    statements.SetPrivacyDomain: lambda said: (
        f"ALTER COLUMN {written_path(said.column)} SET PRIVACY DOMAIN {_domain(said.domain)}"
        + " OR NULL" * said.or_null
    ),
    statements.DropPrivacyDomain: lambda said: (
        f"ALTER COLUMN {written_path(said.column)} DROP PRIVACY DOMAIN"
    ),
    statements.SetContribution: _contribution,
    SetCsv: _csv,
    statements.DropContribution: lambda _: "DROP PRIVACY CONTRIBUTION",
    statements.SetVersion: lambda said: f"SET PRIVACY VERSION {_text(said.version)}",
    statements.CreateBudget: _create,
    statements.AlterBudget: _alter,
    statements.DropBudget: lambda said: f"DROP PRIVACY BUDGET {written(said.name)}",
}
