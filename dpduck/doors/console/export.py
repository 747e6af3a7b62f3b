"""Export the charges of a ledger, with all recorded details, as Parquet or CSV."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pyarrow as pa
from pyarrow import parquet

from dpduck.doors.console.tables import render
from dpduck.kernel.accounting.amounts import DELTA_PLACES, MU_SQUARED_PLACES, RHO_PLACES
from dpduck.kernel.errors import decimal_text
from dpduck.kernel.ledger import Entry
from dpduck.kernel.ledger.session import LEDGER_SCHEMA

_ACCOUNT = pa.struct([("scope", pa.string()), ("name", pa.string())])
EXPORT_SCHEMA = (
    pa.schema(LEDGER_SCHEMA)
    .append(pa.field("rho", pa.decimal128(38, RHO_PLACES)))
    .append(pa.field("mu_squared", pa.decimal128(38, MU_SQUARED_PLACES)))
    .append(pa.field("keys_delta", pa.decimal128(38, DELTA_PLACES)))
    .append(pa.field("accounts", pa.list_(_ACCOUNT)))
    .append(pa.field("event", pa.string()))
)


def export_table(entries: Iterable[Entry]) -> pa.Table:
    """One row for each charge: the columns of `dp_ledger()`, its cost in rho and in mu^2, the delta beside
    these, the accounts, and the event as JSON."""
    rows = [{name: _value(getattr(entry, name)) for name in EXPORT_SCHEMA.names} for entry in entries]
    return pa.Table.from_pylist(rows, schema=EXPORT_SCHEMA)


def as_parquet(table: pa.Table) -> bytes:
    """The table as a Parquet file."""
    file = io.BytesIO()
    parquet.write_table(table, file)
    return file.getvalue()


def as_csv(table: pa.Table) -> bytes:
    """The table as CSV in UTF-8; accounts, if present, are a JSON list of objects."""
    if "accounts" not in table.column_names:
        return render(table, "csv").encode()
    accounts = [json.dumps(value, ensure_ascii=False) for value in table["accounts"].to_pylist()]
    place = table.column_names.index("accounts")
    return render(table.set_column(place, "accounts", pa.array(accounts, pa.string())), "csv").encode()


def _value(value: object) -> Any:
    """A field of an entry as a value for Arrow."""
    if isinstance(value, Fraction):
        return Decimal(decimal_text(value))
    if isinstance(value, tuple):
        return [{"scope": scope, "name": name} for scope, name in value]
    return value
