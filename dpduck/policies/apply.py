"""The catalog after a statement of the owner, as a pure function: nothing is read or stored.

The same function applies the statements stored in a file and those given on a command line.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from dpduck.kernel.catalog.csv_format import SetCsv
from dpduck.kernel.catalog.model import (
    Catalog,
    Column,
    Contribution,
    DeclaredBudget,
    Reference,
    Table,
    fold,
    written,
)
from dpduck.kernel.catalog.nested import ELEMENTS, element_of
from dpduck.kernel.catalog.statements import (
    AddPrivacyKey,
    AddPrivacyLink,
    AlterBudget,
    CreateBudget,
    DomainRange,
    DomainReference,
    DropBudget,
    DropContribution,
    DropPrivacy,
    DropPrivacyDomain,
    DropPrivacyKey,
    DropPrivacyLink,
    PolicyStatement,
    SetContribution,
    SetPrivacyDomain,
    SetPublic,
    SetVersion,
    TableStatement,
)
from dpduck.kernel.errors import PolicyError, UnknownNameError
from dpduck.kernel.errors.advice import AlterTable, DeclareUnit, Hint
from dpduck.kernel.errors.names import written_path
from dpduck.policies import privacy_keys
from dpduck.policies.domains import bad_domain, check_listable, column_of, declared_domain, type_domain
from dpduck.policies.privacy_keys import check_view, subject


def apply(catalog: Catalog, statement: PolicyStatement) -> Catalog:
    """The catalog after the statement. Nothing is read or stored.

    A domain that REFERENCES a public table is only noted here; its values are read when a catalog is loaded.
    Errors: UnknownNameError, PolicyError.
    """
    if isinstance(statement, AlterBudget):
        statement = altered(catalog, statement)
    if isinstance(statement, CreateBudget):
        return _with_budget(catalog, statement)
    if isinstance(statement, DropBudget):
        return _without_budget(catalog, statement)
    if not isinstance(statement, TableStatement) or type(statement) not in _CHANGES:
        raise PolicyError("this policy statement is not supported")
    table = subject(catalog, statement.table)
    return _replaced(catalog, table, _CHANGES[type(statement)](catalog, table, statement))


def _replaced(catalog: Catalog, before: Table, after: Table) -> Catalog:
    others = [table for table in catalog.tables if table is not before]
    views = [view for view in catalog.views if (view.schema, view.name) != (before.schema, before.name)]
    tables = sorted([*others, after], key=lambda table: (table.schema, table.name))
    return replace(catalog, tables=tuple(tables), views=tuple(views))


def _with_domain(catalog: Catalog, table: Table, statement: SetPrivacyDomain) -> Table:
    column = subject_of_domain(table, statement.column)
    check_view(catalog, table)
    wanted = statement.domain
    if column.in_json:  # as text, or as a number
        column = replace(column, type="DOUBLE" if isinstance(wanted, DomainRange) else "VARCHAR")
    if isinstance(wanted, DomainReference):
        reference = _reference(catalog, table, column, wanted)
        changed = replace(column, domain=None, reference=reference, or_null=statement.or_null)
    else:
        domain, or_null = declared_domain(table, column, wanted, or_null=statement.or_null)
        changed = replace(column, domain=domain, reference=None, or_null=or_null)
    if changed.or_null and (column.in_json or ELEMENTS in column.path):
        raise _null_is_no_key(table, column)
    return _with_column(table, column, changed)


def _null_is_no_key(table: Table, column: Column) -> PolicyError:
    """The error for OR NULL where a value is computed of a column, so that NULL stands for more than that."""
    what, why = "an element of a list", "Lists of other rows may have no such element."
    if column.in_json:
        what, why = "a part of JSON", "What is not there, malformed and very long JSON give NULL as well."
    return PolicyError(
        f"NULL cannot be in the privacy domain of {table.name}.{column.name}, {what}",
        detail=why,
        hint="Leave NULL out. A query makes a key of it by coalesce(x, 'none').",
    )


def subject_of_domain(table: Table, name: str) -> Column:
    """The column, or the elements of a list: they have its domain. Errors: UnknownNameError."""
    column = table.column(name)
    is_list = element_of(column.type) is not None
    return table.column(column.name + ELEMENTS) if is_list else column


def _reference(catalog: Catalog, table: Table, column: Column, wanted: DomainReference) -> Reference:
    check_listable(table, column)
    source = subject(catalog, wanted.table)
    source_column = source.column(wanted.column)
    if not source.public:
        raise PolicyError(
            f"table {source.name} is not public",
            detail="Which of its values are there would say who is there.",
            hint=Hint.of(AlterTable(source.name, "SET PUBLIC"), " first, if it holds nothing private."),
        )
    if source_column.type != column.type:
        reason = (
            f"column {source.name}.{source_column.name} is of type {source_column.type}, not {column.type}"
        )
        listed = AlterTable(
            table.name, f"ALTER COLUMN {written_path(column.name)} SET PRIVACY DOMAIN IN (...)"
        )
        raise bad_domain(table, column, reason, Hint.of(listed, ", with the values themselves"))
    return Reference(source.schema, source.name, source_column.name)


def _without_domain(_: Catalog, table: Table, statement: DropPrivacyDomain) -> Table:
    column = subject_of_domain(table, statement.column)
    natural = type_domain(column.type)
    if column.reference is None and column.domain in (None, natural) and not column.or_null:
        raise PolicyError(
            f"column {table.name}.{column.name} has no privacy domain of its own",
            hint=Hint.of(
                AlterTable(table.name, f"ALTER COLUMN {written_path(column.name)} SET PRIVACY DOMAIN ..."),
                " sets one.",
            ),
        )
    return _with_column(table, column, replace(column, domain=natural, reference=None, or_null=False))


def _with_column(table: Table, before: Column, after: Column) -> Table:
    def changed(column: Column) -> Column:
        if column is before:
            return after
        if after.in_json and after.path[0] == column.name:
            others = (part for part in column.parts if fold(part.name) != fold(after.name))
            return replace(column, parts=(*others, after))
        return replace(column, parts=tuple(after if part is before else part for part in column.parts))

    return replace(table, columns=tuple(map(changed, table.columns)))


def _with_contribution(catalog: Catalog, table: Table, statement: SetContribution) -> Table:
    check_view(catalog, table)
    return replace(table, contribution=Contribution(statement.groups, statement.rows))


def _without_contribution(_: Catalog, table: Table, __: DropContribution) -> Table:
    if table.contribution == Contribution():
        raise PolicyError(
            f"table {table.name} has no bound on contributions",
            hint=Hint.of(AlterTable(table.name, "SET PRIVACY CONTRIBUTION (groups = 5)"), " sets one."),
        )
    return replace(table, contribution=Contribution())


def _with_budget(catalog: Catalog, statement: CreateBudget) -> Catalog:
    others = [budget for budget in catalog.budgets if fold(budget.name) != fold(statement.name)]
    if len(others) < len(catalog.budgets) and not statement.replace:
        raise PolicyError(
            f"privacy budget {statement.name} exists already",
            hint=f"CREATE OR REPLACE PRIVACY BUDGET {written(statement.name)} ... changes it.",
        )
    budget = DeclaredBudget(
        statement.name,
        statement.epsilon,
        statement.delta,
        statement.per_query,
        statement.window,
        statement.analysts,
        statement.accounting,
        statement.keys_delta,
    )
    return replace(catalog, budgets=tuple(sorted([*others, budget], key=lambda one: one.name)))


def altered(catalog: Catalog, statement: AlterBudget) -> CreateBudget:
    """The budget after an ALTER, as a statement that replaces it. Errors: UnknownNameError."""
    budget = _budget(catalog, statement.name)
    return CreateBudget(**{**vars(budget), **dict(statement.changes), "replace": True})


def _without_budget(catalog: Catalog, statement: DropBudget) -> Catalog:
    gone = _budget(catalog, statement.name)
    return replace(catalog, budgets=tuple(budget for budget in catalog.budgets if budget is not gone))


def _budget(catalog: Catalog, name: str) -> DeclaredBudget:
    found = next((budget for budget in catalog.budgets if fold(budget.name) == fold(name)), None)
    if found is None:
        known = ", ".join(budget.name for budget in catalog.budgets) or "none"
        raise UnknownNameError(
            f"privacy budget {name} does not exist", hint=f"The privacy budgets are: {known}."
        )
    return found


def _with_version(catalog: Catalog, table: Table, statement: SetVersion) -> Table:  # noqa: ARG001
    if not table.private:
        raise PolicyError(
            f"table {table.name} has no privacy key or link",
            detail="Only answers about private rows are kept, and a version says when they are out of date.",
            hint=Hint.of(DeclareUnit(table.name), " first."),
        )
    return replace(table, version=statement.version)


def _without_any(catalog: Catalog, table: Table, _: DropPrivacy) -> Table:
    columns = tuple(column_of(one.name, one.type) for one in table.columns)
    bare = replace(
        table,
        columns=columns,
        unit=None,
        unit_is_unique=False,
        link=None,
        public=False,
        contribution=Contribution(),
    )
    bare = replace(bare, version=None, misfit=None)
    if bare == table:
        raise PolicyError(
            f"table {table.name} has no privacy policy",
            detail="It is closed: no query reads it.",
            hint=Hint.of(DeclareUnit(table.name), " sets one."),
        )
    privacy_keys.check_not_linked(catalog, table)
    return bare


_CHANGES: dict[type[TableStatement], Callable[[Catalog, Table, Any], Table]] = {
    AddPrivacyKey: privacy_keys.add_key,
    AddPrivacyLink: privacy_keys.add_link,
    DropPrivacyKey: privacy_keys.drop_key,
    DropPrivacyLink: privacy_keys.drop_link,
    DropPrivacy: _without_any,
    SetPublic: privacy_keys.set_public,
    SetPrivacyDomain: _with_domain,
    DropPrivacyDomain: _without_domain,
    SetContribution: _with_contribution,
    DropContribution: _without_contribution,
    SetVersion: _with_version,
    SetCsv: lambda _, table, said: replace(table, line_columns=said.format.names),
}
