"""A change of policies where the data are: what it would do, and doing it.

What is served is open for reading only. So a change is made on a copy of the file, with the ledger's record,
and the copy then takes the file's place, as the next version of the data (docs/decisions, number 58).
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from dpduck.answers.service import Service
from dpduck.answers.settings import Settings
from dpduck.compiler.parse.statements import parse
from dpduck.doors.gateway.served_data import ServedData
from dpduck.engines.duckdb.path import DataPath
from dpduck.engines.source import open_source
from dpduck.kernel.catalog.model import Catalog, DeclaredBudget
from dpduck.kernel.catalog.statements import PolicyScript, PolicyStatement
from dpduck.kernel.errors import ParameterError, PolicyError, decimal_text
from dpduck.kernel.errors.notices import full_text
from dpduck.kernel.ledger import Ledger
from dpduck.kernel.ledger.session import Session
from dpduck.policies import apply
from dpduck.policies.show import privacy_rows


@dataclass(frozen=True)
class PolicyLine:
    """A line of a difference. `sign`: + for what is new, - for what is gone."""

    sign: str
    text: str


def read_change(text: str) -> PolicyStatement:
    """The policy statements in a text. Errors: SqlSyntaxError, ParameterError for another statement."""
    statement = parse(text)
    if isinstance(statement, PolicyStatement):
        return statement
    raise ParameterError(
        "this is not a policy",
        detail="Here ALTER TABLE ... PRIVACY ... and CREATE, ALTER and DROP PRIVACY BUDGET are taken.",
        hint="Queries are asked on the page Ask.",
    )


def difference(before: Catalog, statement: PolicyStatement) -> list[PolicyLine]:
    """What a change does to what SHOW PRIVACY says, and to budgets. Stores nothing. Errors: PolicyError."""
    after = before
    for one in statement.statements if isinstance(statement, PolicyScript) else (statement,):
        after = apply(after, one)
    old, new = _lines(before), _lines(after)
    gone = [PolicyLine("-", line) for line in old if line not in set(new)]
    return gone + [PolicyLine("+", line) for line in new if line not in set(old)]


def make_change(data: ServedData, place: DataPath, ledger: Ledger, session: str, text: str) -> Sequence[str]:
    """Make a change on a copy, which becomes the next version. Output: remarks for the owner.

    Errors: DpduckError; then the file is as it was.
    """
    read_change(text)
    file = _file_of(place)
    folder = Path(tempfile.mkdtemp(prefix=f".{file.name}.", dir=file.parent))
    try:
        copy = folder / file.name
        shutil.copy2(file, copy)
        source = open_source(DataPath(str(copy)), read_only=False)
        try:
            service = Service(source, Session(ledger, session), Settings())
            said = [full_text(notice) for notice in service.run(text).notices]
        finally:
            source.connection.close()
        copy.replace(file)
    except OSError as error:
        reason = (error.strerror or "it cannot be written").lower()
    else:
        data.reload()
        return said
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    raise PolicyError("the file cannot be replaced", detail=f"The system says: {reason}.")


def _file_of(place: DataPath) -> Path:
    """The file that stores the policies. Errors: PolicyError if there is none that can be replaced."""
    if place.is_database and not place.is_lake:
        file = Path(place.where)
        if not file.with_name(f"{file.name}.wal").exists():
            return file
    raise PolicyError(
        f"the policies of {place.name} are not changed here",
        detail="Only those of a DuckDB file that nobody writes are.",
        hint="For files they are options of dpduck console; for a lake use dpduck query.",
    )


def _lines(catalog: Catalog) -> list[str]:
    """The policies as lines, each of which stands for itself."""
    rows = [_line(row) for row in privacy_rows(catalog)]
    return rows + [_budget_line(budget) for budget in catalog.budgets]


def _line(row: Sequence[str | None]) -> str:
    table, status, unit, column, domain, contribution = row
    if column is not None:
        return f"{table}.{column}: {domain}"
    parts = (status, unit and f"unit {unit}", contribution and f"contribution {contribution}")
    return f"{table}: {', '.join(part for part in parts if part)}"


def _budget_line(budget: DeclaredBudget) -> str:
    parts = [f"epsilon {decimal_text(budget.epsilon)}"]
    parts += [] if budget.delta is None else [f"delta {decimal_text(budget.delta)}"]
    parts += [] if budget.per_query is None else [f"at most {decimal_text(budget.per_query)} per query"]
    parts += [] if budget.window is None else [f"per {budget.window}"]
    parts += [] if budget.accounting == "pure" else [budget.accounting]
    parts += [f"for {', '.join(budget.analysts)}"] if budget.analysts else []
    return f"budget {budget.name}: {', '.join(parts)}"
