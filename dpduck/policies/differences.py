"""What a policy script would change, and what is stored as a script.

Statements are compared by what they mean, not how they are spelled: two mean the same if they are stored as
the same fact.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from decimal import Decimal

import duckdb

from dpduck.kernel.catalog.model import Catalog
from dpduck.kernel.catalog.statements import (
    CreateBudget,
    DomainRange,
    DomainText,
    DomainValues,
    PolicyStatement,
    SetPrivacyDomain,
    TableStatement,
)
from dpduck.kernel.catalog.types import Scalar, parse_type
from dpduck.kernel.errors import DpduckError
from dpduck.policies import Prepared, prepare
from dpduck.policies.privacy_keys import subject
from dpduck.policies.schema import read_schema
from dpduck.policies.scripts import in_order, script_text
from dpduck.policies.store import Fact, Stored, read_store, with_statement
from dpduck.policies.wording import sql_of

Statements = Sequence[PolicyStatement]


@dataclass(frozen=True)
class ScriptDifference:
    """What a script would change: statements that would hold no more, and that would be new.

    `beside`: those that hold now, that the script does not say, and that would stay. `left`: the statements
    of the script that are to be run: all but those that hold already.
    """

    gone: Statements
    new: Statements
    beside: Statements
    left: Statements

    def text(self) -> str:
        """Lines that begin with - or +, and with -- for what stays beside the script."""
        lines = [
            f"{sign} {sql_of(one)};" for sign, said in (("-", self.gone), ("+", self.new)) for one in said
        ]
        if self.beside:
            lines += ["-- not in the script, and stays:", *(f"--   {sql_of(one)};" for one in self.beside)]
        return "".join(f"{line}\n" for line in lines)


def difference(connection: duckdb.DuckDBPyConnection, script: Statements) -> ScriptDifference:
    """Compare the policies that are stored in a database with those after a script. Nothing is written.

    Errors: UnknownNameError, PolicyError if a statement does not fit.
    """
    catalog, stored = read_schema(connection).catalog, _stored(connection)
    done = [one for one in script if _is_stored_budget(one, stored)]
    made = prepare(connection, [one for one in script if one not in done]) if len(done) < len(script) else []
    before = set(_said(stored))
    after = set(_said(made[-1].after)) if made else before
    own = [fact for one in made for fact in _facts_of(one)] + [_fact_of_budget(one) for one in done]
    beside = [fact for fact in before & after if not any(fact.is_of(other) for other in own)]
    return ScriptDifference(
        _statements(before - after, catalog),
        _statements(after - before, catalog),
        _statements(beside, catalog),
        tuple(one.statement for one in made if set(_said(one.before)) != set(_said(one.after))),
    )


def difference_of_scripts(
    connection: duckdb.DuckDBPyConnection, before: Statements, script: Statements
) -> ScriptDifference:
    """Compare two scripts on a database that stores no policies. Errors: as `difference`."""
    catalog = read_schema(connection).catalog
    old, new = (
        set(_said(prepare(connection, each)[-1].after)) if each else set[Fact]() for each in (before, script)
    )
    return ScriptDifference(
        _statements(old - new, catalog), _statements(new - old, catalog), (), tuple(script)
    )


def stored_script(connection: duckdb.DuckDBPyConnection) -> str:
    """The stored policies as a script; empty if there are none."""
    catalog = read_schema(connection).catalog
    return script_text(_statements(_said(_stored(connection)), catalog))


def _stored(connection: duckdb.DuckDBPyConnection) -> Stored:
    return read_store(connection) if read_schema(connection).has_store else Stored()


def _said(stored: Stored) -> list[Fact]:
    """The facts that a statement declares."""
    return [fact for fact in stored.facts if fact.kind not in ("salt", "people")]


def _facts_of(one: Prepared) -> list[Fact]:
    """The facts that a statement is about."""
    said = one.statement
    table = subject(one.then, said.table) if isinstance(said, TableStatement) else None
    return _said(with_statement(Stored(), said, table))


def _is_stored_budget(said: PolicyStatement, stored: Stored) -> bool:
    """Whether it creates a budget that is there as it says."""
    if not isinstance(said, CreateBudget):
        return False
    fact = _fact_of_budget(said)
    return any(fact.is_of(other) and fact.details == other.details for other in stored.facts)


def _fact_of_budget(said: PolicyStatement) -> Fact:
    [fact] = _said(with_statement(Stored(), said, None))
    return fact


def _statements(facts: Iterable[Fact], catalog: Catalog) -> Statements:
    """The statements that declare facts, in an order in which they can be run."""
    said = Stored(tuple(facts)).statements
    return tuple(in_order(_typed(one, catalog) for one in said))


def _typed(said: PolicyStatement, catalog: Catalog) -> PolicyStatement:
    """A statement whose numbers are written as numbers: they are stored as text, which means the same."""
    if not isinstance(said, SetPrivacyDomain):
        return said
    with suppress(DpduckError):  # the table or column is gone
        kind = parse_type(subject(catalog, said.table).column(said.column).type).kind
        if kind in ("integer", "decimal", "float"):
            return replace(said, domain=_with_numbers(said.domain))
    return said


def _with_numbers(domain: DomainText) -> DomainText:
    match domain:
        case DomainValues(values=values):
            return DomainValues(tuple(map(_number, values)))
        case DomainRange(low=low, high=high, step=step):
            return DomainRange(_number(low), _number(high), _number(step))
    return domain


def _number(value: Scalar) -> Scalar:
    with suppress(ArithmeticError):
        if isinstance(value, str) and (number := Decimal(value)).is_finite():
            return number
    return value
