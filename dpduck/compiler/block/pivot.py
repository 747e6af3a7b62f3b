"""Replaces PIVOT by a query of groups, and a query around it that has a column for each group.

PIVOT t ON year USING sum(x) GROUP BY k has the numbers of SELECT k, year, sum(x) FROM t GROUP BY k, year.
So these groups are the release, none of which shares its epsilon with another column, and to place them in
columns is post-processing. Which columns there are is public: constants after IN, or the domain of the key.
PIVOT of other rows, which are public or released, is one query with FILTER for each column, as in DuckDB.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from sqlglot import exp

from dpduck.compiler.block.aggregates import Aggregates
from dpduck.compiler.block.clauses import BlockReader
from dpduck.compiler.block.from_clause import find_table, read_rows
from dpduck.compiler.block.key_space import PublicKeys
from dpduck.compiler.block.narrowing import texts
from dpduck.compiler.block.privacy_units import own
from dpduck.compiler.block.unit_local import is_unit_local, scope_of
from dpduck.compiler.functions.aggregates import is_aggregate
from dpduck.compiler.parse.dialect import PivotedRows
from dpduck.compiler.parse.nodes import is_literal, refusal, scalar, unwrap
from dpduck.compiler.write import column_names
from dpduck.kernel.catalog.model import Catalog, fold
from dpduck.kernel.catalog.types import Scalar
from dpduck.kernel.errors import UnsupportedSqlError
from dpduck.kernel.plan.public_facts import PublicValues

MOST_COLUMNS = 400  # more take DuckDB seconds: the time grows with the square


@dataclass(frozen=True)
class _PivotValue:
    """A value that has columns: what their names begin with, and a test that a group has the value."""

    name: str
    test: exp.Expr


def without_pivots(
    query: exp.Query, catalog: Catalog, facts: PublicValues, reads_rows: Callable[[exp.Select], bool]
) -> exp.Query:
    """Return the query with each PIVOT written as a subquery, the innermost first. The tree is changed.

    Input: `reads_rows`: whether private rows are in the FROM of a query.
    Errors: UnsupportedSqlError, and those of the rows of a PIVOT whose columns are not listed.
    """
    found = list(query.find_all(PivotedRows, bfs=False))
    for node in reversed(found):
        node.replace(exp.Subquery(this=_Pivot(node, catalog, facts, reads_rows).query()))
    return query


class _Pivot:
    """One PIVOT. Its groups are named: g0, ... its GROUP BY; p0, ... what has columns; a0, ... aggregates."""

    def __init__(
        self,
        node: PivotedRows,
        catalog: Catalog,
        facts: PublicValues,
        reads_rows: Callable[[exp.Select], bool],
    ) -> None:
        self._node = node
        self._catalog = catalog
        self._facts = facts
        self._source: exp.Expr = node.this
        self._columns: list[exp.Expr] = node.args["columns"]
        self._aggregates: list[exp.Expr] = node.args["aggregates"] or [
            exp.Count(this=exp.Star(), big_int=True)
        ]
        self._is_named = bool(node.args["aggregates"])
        self._values = [unwrap(one.this) if isinstance(one, exp.In) else unwrap(one) for one in self._columns]
        self._is_private = reads_rows(exp.Select(expressions=[exp.Star()], from_=self._from()))

    def query(self) -> exp.Select:
        """Return the query that the PIVOT stands for."""
        groups = self._groups()
        names = [_name_of(one) for one in groups]
        source, keys = self._from(), [one.copy() for one in groups]
        if self._is_private:
            source = exp.From(this=_subquery(self._grouped(groups)))
            keys = [_column(f"g{i}") for i, _ in enumerate(groups)]
        named = [exp.alias_(key.copy(), name, quoted=True) for key, name in zip(keys, names, strict=True)]
        outer = exp.Select(expressions=[*named, *self._cells(names)], from_=source)
        if keys:
            outer.set("group", exp.Group(expressions=keys))
        return outer

    def _grouped(self, groups: Sequence[exp.Expr]) -> exp.Select:
        named = [
            *((f"g{i}", one) for i, one in enumerate(groups)),
            *((f"p{i}", one) for i, one in enumerate(self._values)),
            *((f"a{i}", one.unalias()) for i, one in enumerate(self._aggregates)),
        ]
        select = exp.Select(
            expressions=[exp.alias_(one.copy(), name, quoted=True) for name, one in named],
            from_=self._from(),
            where=self._where(),
            group=exp.Group(expressions=[one.copy() for one in (*groups, *self._values)]),
        )
        if is_unit_local(select, scope_of(self._catalog, self._facts)):
            raise refusal(
                "PIVOT of each person's own rows is not supported",
                "One of its columns is the privacy unit.",
                "Write GROUP BY with other columns, or count(*) FILTER (WHERE page = 'a') for each column.",
                self._columns[0],
            )
        return select

    def _from(self) -> exp.From:
        return exp.From(this=self._source.copy())

    def _where(self) -> exp.Where | None:
        """Return the condition that a row has a column."""
        tests = [one.copy() for one in self._columns if isinstance(one, exp.In)]
        return exp.Where(this=exp.and_(*tests)) if tests else None

    # --- the columns -----------------------------------------------------------------------------

    def _cells(self, taken: Sequence[str]) -> Iterator[exp.Expr]:
        """Yield the columns: for each combination of values, each aggregate."""
        names = {fold(name) for name in taken}
        for values in self._combinations():
            test = exp.and_(*(value.test.copy() for value in values))
            for i, aggregate in enumerate(self._aggregates):
                name = _unused("_".join([*(value.name for value in values), *self._suffix(aggregate)]), names)
                if not name:
                    raise self._unnamed()
                cell = self._cell(i, aggregate.unalias(), test)
                yield exp.alias_(cell, name, quoted=True)

    def _unnamed(self) -> UnsupportedSqlError:
        """Return the error for a value whose text is empty, since SQL has no column of that name."""
        return refusal(
            "a column of PIVOT would have no name",
            "It is named after the value, which is an empty string.",
            "Name the aggregate, which then ends the names of all columns: USING count(*) AS n.",
            self._columns[0],
        )

    def _cell(self, number: int, aggregate: exp.Expr, test: exp.Expr) -> exp.Expr:
        """Return an aggregate of the rows that meet a test: of one group, where these are the release."""
        if self._is_private:
            return _filtered(exp.AnyValue(this=_column(f"a{number}")), test)
        return aggregate.copy().transform(lambda node: _filtered(node, test) if is_aggregate(node) else node)

    def _key(self, number: int) -> exp.Expr:
        """Return a value that has columns, as the query that has the columns sees it."""
        return _column(f"p{number}") if self._is_private else self._values[number].copy()

    def _suffix(self, aggregate: exp.Expr) -> list[str]:
        """Return how DuckDB tells columns of several aggregates apart, or names one that has a name."""
        if not self._is_named or (len(self._aggregates) == 1 and not isinstance(aggregate, exp.Alias)):
            return []
        return [_name_of(aggregate)]

    def _combinations(self) -> Iterator[tuple[_PivotValue, ...]]:
        values = [
            self._listed(i, one) if isinstance(one, exp.In) else self._all(i)
            for i, one in enumerate(self._columns)
        ]
        number = len(self._aggregates) * math.prod(map(len, values))
        if number > MOST_COLUMNS:
            raise refusal(
                f"PIVOT would have {number} columns",
                f"It may have {MOST_COLUMNS}.",
                "List fewer values, as in ON page IN ('a', 'b'), or write GROUP BY.",
                self._columns[0],
            )
        return product(*values)

    def _listed(self, number: int, node: exp.In) -> list[_PivotValue]:
        """Return the values after IN."""
        found, known = [], set[Scalar]()
        for constant in map(unwrap, node.expressions):
            if not is_literal(constant) or isinstance(constant, exp.Null):
                raise _not_known(self._values[number], "IN takes constants, and no NULL.")
            value = scalar(constant)
            if known & {value, _shown(value)}:
                raise _not_known(self._values[number], "IN takes each constant once.")
            known |= {value, _shown(value)}
            test = exp.EQ(this=self._key(number), expression=constant.copy())
            found.append(_PivotValue(_shown(value), test))
        if not found:
            raise _not_known(self._values[number], "IN takes constants, not a query.")
        return found

    def _all(self, number: int) -> list[_PivotValue]:
        """Return the values that a key may have, from its public domain."""
        value = self._values[number]
        grouped = exp.Group(expressions=[value.copy()])
        select = exp.Select(
            expressions=[value.copy()], from_=self._from(), where=self._where(), group=grouped
        )
        if not self._is_private:
            raise _not_known(value, "They are known beforehand of the domains of private rows only.")
        scope = scope_of(self._catalog, self._facts)
        rows = read_rows(select, scope)
        owned = own(rows, self._catalog, scope.aliases, self._facts, select)
        public_keys = PublicKeys(owned, self._facts)
        reader = BlockReader(select, owned, Aggregates(owned, owned.rows_bound, self._facts), public_keys)
        reader.read_keys()
        key = public_keys.space(reader.keys).keys[0]
        domain, key_type = key.domain, reader.keys[0][1].type
        if domain is None:
            raise _not_known(value, f"They are the values of {_name_of(value)}, which has no public domain.")
        if key_type.is_zoned:
            raise _not_known(value, "A time with a zone has many names.")
        if domain.size > MOST_COLUMNS:
            raise _not_known(value, f"The public domain has {domain.size} values.")
        as_text = exp.Cast(this=self._key(number), to=exp.DataType.build("text"))
        names = [str(text).lower() if key_type.kind == "boolean" else str(text) for text in texts(domain)]
        return [
            _PivotValue(name, exp.EQ(this=as_text.copy(), expression=exp.Literal.string(name)))
            for name in names
        ]

    # --- the groups ------------------------------------------------------------------------------

    def _groups(self) -> list[exp.Expr]:
        """Return what GROUP BY names, else all columns that nothing else names."""
        group = self._node.args.get("group")
        if group is not None:
            return list(group.expressions)
        parts = (*self._values, *self._aggregates)
        read = {fold(column.name) for part in parts for column in part.find_all(exp.Column)}
        return [_column(name) for name in self._names() if fold(name) not in read]

    def _names(self) -> list[str]:
        """Return the names of the columns of the rows."""
        source = self._source
        if isinstance(source, exp.Table) and isinstance(source.this, exp.Identifier):
            table = find_table(source, self._catalog)
            if not table.private:
                return [column.name for column in table.columns]
        query = source.this if isinstance(source, exp.Subquery) else None
        if isinstance(query, exp.Select) and not any(one.find(exp.Star) for one in query.expressions):
            return [_name_of(one) for one in query.expressions]
        raise refusal(
            "PIVOT needs GROUP BY here",
            "Without, all other columns are meant, and so is whose row it is.",
            "Write PIVOT t ON page USING count(*) GROUP BY region.",
            source,
        )


def _name_of(node: exp.Expr) -> str:
    """Return the name that DuckDB gives to a column."""
    return node.alias if isinstance(node, exp.Alias) else column_names.name_of(node)


def _shown(value: object) -> str:
    """Return the text of a value as in a cast to VARCHAR; that of a BOOLEAN is lower case."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _filtered(aggregate: exp.Expr, test: exp.Expr) -> exp.Filter:
    """Return an aggregate with FILTER (WHERE test), beside the condition that it may have."""
    tests = [test.copy()]
    if isinstance(aggregate, exp.Filter):
        aggregate, own_test = aggregate.this, aggregate.expression.this
        tests.insert(0, own_test.copy())
    return exp.Filter(this=aggregate.copy(), expression=exp.Where(this=exp.and_(*tests)))


def _column(name: str) -> exp.Column:
    return exp.column(name, quoted=True)


def _subquery(query: exp.Select) -> exp.Subquery:
    return exp.Subquery(this=query, alias=exp.TableAlias(this=exp.to_identifier("pivoted", quoted=True)))


def _unused(name: str, taken: set[str]) -> str:
    """Return the name, or with a number that makes it differ from those before, as in DuckDB."""
    found, number = name, 0
    while fold(found) in taken:
        number += 1
        found = f"{name}_{number}"
    taken.add(fold(found))
    return found


def _not_known(value: exp.Expr, reason: str) -> UnsupportedSqlError:
    hint = f"List them: ON {value.sql(dialect='duckdb')} IN ('a', 'b')."
    return refusal("the columns of PIVOT are not known", reason, hint, value)
