"""A summary as the ledger keeps it: its design and its noisy tables as JSON, with the number of the format.

Contents are the whole numbers that were released, in the order of public cells. They are read back only if
the columns still have the cells that they had: a domain that was changed since makes a summary unreadable.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpduck.compiler.compile.summary import SummaryRows
from dpduck.kernel.errors import decimal_text
from dpduck.kernel.ledger.chain import digest
from dpduck.kernel.tree.duckdb import sql
from dpduck.summaries.design import Design, GaussianKind
from dpduck.summaries.residuals import Columns, Floats, combined, size_of
from dpduck.summaries.strategies import Strategy, residual_of

Integers = NDArray[np.int64]
_FORMAT = 1
_LARGEST = 2**63  # rows, and what noise makes of them


@dataclass(frozen=True)
class KeptDesign:
    """What is stored of a design. `create`: the statement; `cells`: a digest of all columns' cells.

    `spent`: the epsilon that this summary and those of its name before it have cost; `max_age`: in days.
    """

    create: str
    cells: str
    most: int | None
    shares: Mapping[Columns, Fraction]
    spent: Fraction
    max_age: Fraction | None
    gaussian: GaussianKind | None = None
    measures: tuple[Mapping[Columns, Fraction], ...] = ()

    def text(self) -> str:
        """The description as JSON."""
        parts = {
            "format": _FORMAT,
            "create": self.create,
            "cells": self.cells,
            "rows": self.most,
            "noise": "laplace" if self.gaussian is None else "gaussian",
            "shares": _write_shares(self.shares),
            "spent": decimal_text(self.spent),
            "max_age": None if self.max_age is None else str(self.max_age),
            **({} if self.gaussian is None else _write_gaussian(self.gaussian)),
            **(
                {"measures": [{"shares": _write_shares(own)} for own in self.measures]}
                if self.measures
                else {}
            ),
        }
        return json.dumps(parts, separators=(",", ":"))

    @classmethod
    def read(cls, text: str) -> KeptDesign | None:
        """Read a stored description; None for one of another format."""
        parts: dict[str, Any] = json.loads(text)
        if parts["format"] != _FORMAT or parts["noise"] not in ("laplace", "gaussian"):
            return None
        age = parts["max_age"]
        return cls(
            parts["create"],
            parts["cells"],
            parts["rows"],
            _read_shares(parts),
            Fraction(parts["spent"]),
            None if age is None else Fraction(age),
            _read_gaussian(parts) if parts["noise"] == "gaussian" else None,
            tuple(map(_read_shares, parts.get("measures", ()))),
        )


def _write_shares(shares: Mapping[Columns, Fraction]) -> list[object]:
    return [[list(table), decimal_text(share)] for table, share in sorted(shares.items())]


def _read_shares(parts: Mapping[str, Any]) -> dict[Columns, Fraction]:
    return {tuple(table): Fraction(share) for table, share in parts["shares"]}


def _write_gaussian(kind: GaussianKind) -> dict[str, object]:
    fitted = [
        [list(part), [[column, one.matrix.tolist()] for column, one in sorted(own.items())]]
        for part, own in sorted(kind.strategies.items())
    ]
    return {"epsilon": decimal_text(kind.epsilon), "delta": decimal_text(kind.delta), "fitted": fitted}


def _read_gaussian(parts: Mapping[str, Any]) -> GaussianKind:
    fitted = {
        tuple(part): {column: Strategy(np.array(matrix, dtype=np.int64)) for column, matrix in own}
        for part, own in parts["fitted"]
    }
    return GaussianKind(Fraction(parts["epsilon"]), Fraction(parts["delta"]), fitted)


def digest_of_cells(rows: SummaryRows) -> str:
    """A digest of what the cells of all columns are, which rows count, and what is added up of them."""
    cells = [[column.name, column.key.type, list(column.labels), _made_of(column)] for column in rows.columns]
    values = [[sql(column.value.node), column.within is not None] for column in rows.columns]
    parts: list[object] = [cells, values, sorted(map(sql, rows.owned.rows.conditions))]
    if rows.measures:
        parts.append([[sql(node) for node in measure.row] for measure in rows.measures])
    return digest(json.dumps(parts))


def _made_of(column: Any) -> object:
    made = column.made_of
    return None if made is None else [list(made.listed), list(made.cells)]


def write_tables(design: Design, tables: Sequence[Mapping[Columns, Integers]]) -> str:
    """The noisy tables as text: of the counts, and then of each sum that is kept of a measure."""
    cells = [own[table].reshape(-1).tolist() for own in tables for table in design.tables]
    return json.dumps(cells, separators=(",", ":"))


def most_bytes(design: Design) -> int:
    """How many bytes `write_tables` takes at most, whatever was counted: public before any row is read."""
    found = 2
    for quantity in design.quantities:
        digits = len(str(_LARGEST * quantity.reach)) + 2  # with a sign and a comma
        found += sum(digits * size_of(table, design.sizes) + 3 for table in design.tables)
    return found


def read_tables(design: Design, text: str) -> list[dict[Columns, Integers]]:
    """Read noisy tables back."""
    found: list[dict[Columns, Integers]] = [{} for _ in design.quantities]
    places = [(number, table) for number in range(len(found)) for table in design.tables]
    for (number, table), cells in zip(places, json.loads(text), strict=True):
        shape = [design.sizes[column] for column in table]
        found[number][table] = np.array(cells, dtype=object if number else np.int64).reshape(shape)
    return found


@dataclass(frozen=True, eq=False)
class Contents:
    """The noisy tables of a summary, or what was measured of residuals, and the estimates that they make."""

    design: Design
    tables: Mapping[Columns, Integers]
    sums: Sequence[Mapping[Columns, Integers]] = ()

    @classmethod
    def of(cls, design: Design, tables: Sequence[Mapping[Columns, Integers]]) -> Contents:
        """Input: the tables of the counts, and of each sum that is kept."""
        return cls(design, tables[0], tables[1:])

    @cached_property
    def residuals(self) -> dict[Columns, Floats]:
        """The best estimate of each residual of the counts."""
        return _estimated(self.tables, self.design)

    @cached_property
    def _of_sums(self) -> list[dict[Columns, Floats]]:
        own = self.design.quantities[1:]
        return [_estimated(tables, one) for tables, one in zip(self.sums, own, strict=True)]

    def residuals_of(self, measure: int) -> list[dict[Columns, Floats]]:
        """The same of the one or two sums that are kept of a measure, in ticks."""
        sizes = [len(one.row) for one in self.design.rows.measures]
        start = sum(sizes[:measure])
        return self._of_sums[start : start + sizes[measure]]


def _estimated(tables: Mapping[Columns, Integers], design: Design) -> dict[Columns, Floats]:
    noisy = {table: cells.astype(np.float64) for table, cells in tables.items()}
    if design.gaussian is None:
        return combined(noisy, design.noise, design.sizes)
    return {part: residual_of(numbers, part, design.strategies) for part, numbers in noisy.items()}
