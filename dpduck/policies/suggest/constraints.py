"""What constraints of a schema say beyond keys: which tables they refer to, and which values they allow."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

import duckdb

from dpduck.compiler.parse.checks import CheckedDomain, domain_of_check
from dpduck.kernel.catalog.model import fold

# Facts of the catalog alone: no table is named that holds rows.
_ASKED = """
SELECT schema_name, table_name, constraint_type, expression, constraint_column_names, referenced_table,
    referenced_column_names
FROM system.main.duckdb_constraints()
WHERE database_name = system.main.current_database() AND constraint_type IN ('FOREIGN KEY', 'CHECK')
    AND database_name IN (SELECT database_name FROM system.main.duckdb_databases() WHERE type = 'duckdb')
ORDER BY ALL
"""


@dataclass(frozen=True)
class ReferringColumn:
    """A column whose values are those of another table's column, as a constraint enforces."""

    schema: str
    table: str
    column: str
    target: str
    target_column: str


@dataclass(frozen=True)
class Constraints:
    """The foreign keys of one column each, and the domains that CHECK constraints enforce, by table."""

    foreign_keys: Sequence[ReferringColumn] = ()
    checks: Sequence[tuple[str, str, CheckedDomain]] = ()

    def of(self, schema: str, table: str) -> list[ReferringColumn]:
        """The foreign keys of a table."""
        return [one for one in self.foreign_keys if (one.schema, one.table) == (schema, table)]

    def domains_of(self, schema: str, table: str) -> list[CheckedDomain]:
        """The domains that are enforced for columns of a table; where a column has several, none."""
        found = [one for at, name, one in self.checks if (at, name) == (schema, table)]
        columns = [fold(one.column) for one in found]
        return [one for one in found if columns.count(fold(one.column)) == 1]


def read_constraints(connection: duckdb.DuckDBPyConnection) -> Constraints:
    """Read the constraints; none where DuckDB cannot list them."""
    keys, checks = list[ReferringColumn](), list[tuple[str, str, CheckedDomain]]()
    rows: Sequence[tuple[object, ...]] = ()
    with suppress(duckdb.Error):
        rows = connection.execute(_ASKED).fetchall()
    for schema, table, kind, expression, columns, target, targets in rows:
        if kind == "CHECK":
            found = domain_of_check(str(expression))
            if found is not None:
                checks.append((str(schema), str(table), found))
        elif isinstance(columns, list) and isinstance(targets, list) and len(columns) == len(targets) == 1:
            keys.append(ReferringColumn(str(schema), str(table), columns[0], str(target), targets[0]))
    return Constraints(tuple(keys), tuple(checks))
