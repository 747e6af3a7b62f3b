"""Protected tables from DataFrames: the rows are copied, and the policies are those of any table.

A copy, so that what is asked later is asked of the same rows, whatever becomes of the DataFrame: an answer
that is replayed is then still right, and no query is slower than on a table, since it is one.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from decimal import Decimal
from numbers import Integral

import pyarrow as pa

from dpduck.answers.arguments import text_of, wrong_kind
from dpduck.answers.service import Service
from dpduck.doors.connection.frames import arrow_of
from dpduck.engines.duckdb.database import Database
from dpduck.engines.duckdb.tables import add_primary_key, create_table, drop_table
from dpduck.kernel.catalog.model import fold
from dpduck.kernel.catalog.statements import (
    AddPrivacyKey,
    DomainRange,
    DomainReference,
    DomainText,
    DomainValues,
    PolicyScript,
    PolicyStatement,
    SetContribution,
    SetPrivacyDomain,
    TableName,
    parse_bound,
)
from dpduck.kernel.catalog.types import Scalar
from dpduck.kernel.errors import ParameterError, PolicyError, UnknownNameError
from dpduck.kernel.errors.names import did_you_mean

# A range (low, high) or (low, high, step), a list of values, or a domain as an object.
Domain = tuple[object, ...] | Sequence[object] | DomainText


def add_table(
    service: Service,
    database: Database,
    name: str,
    data: object,
    unit: str,
    domains: Mapping[str, Domain],
    groups: int | None,
    rows: int | None,
    *,
    unique: bool = False,
    types: Mapping[str, str] | None = None,
) -> tuple[str, ...]:
    """Copy data into a new table, and protect it; both or neither.

    Output: notices for the owner. Errors: as of `dpduck.protect`.
    """
    _check_owner(service)
    table = TableName(text_of(name, "name"))
    if not table.name:
        raise ParameterError("the table has no name", hint="Write db.protect('visits', data, unit='id').")
    unit = text_of(unit, "unit")
    if not isinstance(domains, Mapping):
        raise wrong_kind(domains, "domains", "a dict of columns")
    found = arrow_of(data, types)
    exact = {name: kind.name for name, kind in zip(found.table.column_names, found.types, strict=True)}
    policies = policies_for(table, found.table.schema, unit, domains, groups, rows, types=exact)
    create_table(database, table.name, found.table, found.types)
    try:
        if unique:
            _enforce_unique(database, table.name, unit)
        service.change(PolicyScript(policies))
    except BaseException:
        drop_table(database, table.name)
        raise
    return found.found


def policies_for(
    table: TableName,
    schema: pa.Schema,
    unit: str,
    domains: Mapping[str, Domain],
    groups: int | None = None,
    rows: int | None = None,
    *,
    types: Mapping[str, str] | None = None,
) -> tuple[PolicyStatement, ...]:
    """The policies of a table, as `protect` has them. Errors: UnknownNameError, ParameterError.

    Input: `types`: what columns become in DuckDB, where it does not follow from the schema.
    """
    columns = {fold(name): name for name in schema.names}
    for name in (unit, *domains):
        if not isinstance(name, str) or fold(name) not in columns:
            raise UnknownNameError(
                f"the data have no column {str(name)[:60]}"
                if isinstance(name, str)
                else "a column has no name",
                detail=f"The columns are {', '.join(schema.names[:20])}.",
                hint=did_you_mean(str(name), schema.names)
                or "An index of pandas is a column if it has a name: data.rename_axis('id').",
            )
    kind = schema.field(columns[fold(unit)]).type
    said = (types or {}).get(columns[fold(unit)], "")
    if said in ("FLOAT", "DOUBLE") or (pa.types.is_floating(kind) and not said):
        raise PolicyError(
            f"column {unit} is of floating point, and does not tell privacy units apart",
            detail="Numbers that are not exact may be equal or not by how they were computed.",
            hint=f"Convert it first, as with data['{unit}'].astype('Int64') in pandas.",
        )
    return statements_of(table, unit, domains, groups, rows)


def statements_of(
    table: TableName,
    unit: str | None,
    domains: Mapping[str, Domain],
    groups: int | None = None,
    rows: int | None = None,
) -> tuple[PolicyStatement, ...]:
    """The policies of a table, whose columns are not known here. Errors: ParameterError."""
    said: list[PolicyStatement] = []
    if unit is not None:
        said.append(AddPrivacyKey(table, _name_of(unit, "unit")))
    if not isinstance(domains, Mapping):
        raise wrong_kind(domains, "domains", "a dict of columns")
    own = {_name_of(name, "a column of domains"): domain_of(one) for name, one in domains.items()}
    if len({fold(name) for name in own}) < len(own):
        raise ParameterError(
            "domains name a column twice",
            hint="Names that differ in case alone are one column: leave one out.",
        )
    said += [SetPrivacyDomain(table, name, domain) for name, domain in own.items()]
    if groups is not None or rows is not None:
        said.append(SetContribution(table, _bound(groups, "groups"), _bound(rows, "rows")))
    return tuple(said)


def _name_of(name: object, what: str) -> str:
    """Errors: ParameterError."""
    found = text_of(name, what)
    if not found.strip():
        raise ParameterError(f"{what} has no name", hint="Write the name of a column.")
    return found


def _bound(number: object, name: str) -> int | None:
    """Errors: ParameterError."""
    if number is None:
        return None
    if isinstance(number, bool) or not isinstance(number, Integral):
        raise wrong_kind(number, name, "a whole number")
    return parse_bound(int(number), name)


def domain_of(domain: Domain) -> DomainText:
    """A domain as an object. Errors: ParameterError.

    >>> domain_of((0, 0.5))
    DomainRange(low=0, high=Decimal('0.5'), step=None)
    >>> domain_of(["home", None])
    DomainValues(values=('home', None))
    """
    if isinstance(domain, DomainValues | DomainRange | DomainReference):
        return domain
    if isinstance(domain, tuple) and len(domain) in (2, 3):
        return DomainRange(*map(_scalar, domain))
    if isinstance(domain, list | set | frozenset | range):
        return DomainValues(tuple(map(_scalar, domain)))
    raise ParameterError(
        "a domain is a range or a list of values",
        detail=f"It is of type {type(domain).__name__[:60]}.",
        hint="Write (0, 120) for a range, (0, 120, 5) with a step, or ['home', 'cart'] for values.",
    )


def _scalar(value: object) -> Scalar:
    """A value as policies have it: NumPy's and pandas' as Python's own, and floats by their shortest text."""
    for convert in ("to_pydatetime", "item"):
        if hasattr(value, convert):
            value = getattr(value, convert)()
    if isinstance(value, float) and not math.isfinite(value):
        raise ParameterError(
            f"{value} is no value of a domain",
            detail="Domains are ranges of numbers, or lists of values.",
            hint="Write the least and the greatest number that there can be.",
        )
    if isinstance(value, float):
        return Decimal(repr(value))
    if value is None or isinstance(value, Scalar):
        return value
    raise wrong_kind(value, "a value of a domain", "a number, text, a date or None")


def _enforce_unique(database: Database, name: str, unit: str) -> None:
    """Errors: PolicyError, whose one text tells the owner no more than that it is not so."""
    if not add_primary_key(database, name, unit):
        raise PolicyError(
            f"column {unit} does not have a value of its own in each row",
            detail="unique=True says that each unit has one row, and that none is missing.",
            hint="Leave it out, and say groups=N and rows=N where few rows of a unit are to count.",
        )


def _check_owner(service: Service) -> None:
    """Errors: PolicyError."""
    if service.session.analyst is not None:
        raise PolicyError("only the data owner protects data", hint="Open the database without an analyst.")
    if not service.takes_tables:
        raise PolicyError(
            "a table can be added to a DuckDB database alone",
            detail="These data are files, or on another engine.",
            hint="Use dpduck.protect for a connection of its own.",
        )
