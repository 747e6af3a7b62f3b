"""Describe a release in parts that can be compared: canonical, public, and stored as JSON.

Two plans with the same parts ask the same of the same rows, however their queries were spelled: names are
spelled as in the catalog, aliases are generated, conditions are a set, and literals are typed.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any, Self

from dpduck.kernel.catalog.model import Domain, Table
from dpduck.kernel.ledger.chain import digest
from dpduck.kernel.plan.aggregates import Aggregate, Axis, Count, Mean, Mode, Moments, Quantile
from dpduck.kernel.plan.compound import CompoundPlan
from dpduck.kernel.plan.cost import scale_of
from dpduck.kernel.plan.expression import Typed
from dpduck.kernel.plan.keys import Key, Places
from dpduck.kernel.plan.model import EveryKey, FoundKeys, KeysAbove, LargestKeys, OneGroup, Plan
from dpduck.kernel.tree.duckdb import sql
from dpduck.kernel.tree.nodes import ColumnRef, Node
from dpduck.kernel.tree.relations import Relation

_KINDS = {
    OneGroup: "one group",
    EveryKey: "every key",
    FoundKeys: "found keys",
    LargestKeys: "largest keys",
    KeysAbove: "keys above",
}


_FORM = 6  # version of descriptions and subjects: answers of other versions are not considered


_MOST_READ = 1024  # descriptions that are kept: each search reads those of the last answers again


@dataclass(frozen=True)
class Description:
    """A release in parts.

    `kind`: of its selection, with its `k` and `threshold`; `ranked`: the count that selects. `keys`: SQL,
    type and domain of each key; `requests`: pairs of an aggregate's id and its released column; `columns`:
    all released columns. `shares_noise`: groups of it have a part of their noise in common.
    `levels`: the keys of each level on which totals were measured, too; empty if none were. `scales`: pairs
    of the id of an aggregate whose interval depends on the data, or that has none, and the scale of its noise
    per row and group (see `scales_of`); not compared, as it says how noisy a release is and not what it has.
    """

    kind: str
    k: int
    threshold: int
    ranked: str | None
    conditions: frozenset[str]
    keys: tuple[tuple[str, str, str], ...]
    requests: tuple[tuple[str, str], ...]
    columns: tuple[str, ...]
    one_row: bool
    most: int | None
    shares_noise: bool = False
    levels: tuple[Places, ...] = ()
    scales: tuple[tuple[str, str], ...] = field(default=(), compare=False)

    def text(self) -> str:
        """The description as JSON."""
        parts = {one.name: getattr(self, one.name) for one in fields(self)}
        if not self.shares_noise:
            del parts["shares_noise"]  # as in descriptions from before there was such noise
        for name in ("levels", "scales"):
            if not parts[name]:
                del parts[name]  # the same
        return json.dumps({**parts, "conditions": sorted(self.conditions)}, separators=(",", ":"))

    @classmethod
    @lru_cache(maxsize=_MOST_READ)
    def read(cls, text: str) -> Self:
        """Read a stored description."""
        parts: dict[str, Any] = json.loads(text)
        pairs = {name: tuple(map(tuple, parts[name])) for name in ("keys", "requests")}
        conditions, columns = frozenset(parts["conditions"]), tuple(parts["columns"])
        for name in ("levels", "scales"):
            parts[name] = tuple(map(tuple, parts.get(name, ())))
        return cls(**{**parts, **pairs, "conditions": conditions, "columns": columns})

    def column_of(self, request: str) -> str | None:
        """The released column of an aggregate, None if there is none."""
        return dict(self.requests).get(request)


def describe(plan: Plan) -> Description:
    """Describe the release of a plan."""
    asked, selection = plan.asked, plan.selection
    requests = {request_id(request): request.column for request in plan.requests}
    if selection.counted is not None and asked.ranked is not None:
        requests[request_id(asked.ranked)] = selection.counted
    return Description(
        _KINDS[type(selection)],
        getattr(selection, "k", 0),
        getattr(selection, "threshold", 0),
        None if asked.ranked is None else request_id(asked.ranked),
        frozenset(map(sql, asked.conditions)),
        tuple(
            (sql(node), key.type, _domain_id(key.declared or key.domain, or_null=key.declared_null))
            for node, key in zip(asked.keys, plan.keys, strict=True)
        ),
        tuple(requests.items()),
        tuple(column.name for column in plan.columns),
        asked.one_row,
        asked.most,
        plan.shares_noise,
        plan.levels,
        tuple((name, str(scale)) for name, scale in scales_of(plan).items()),
    )


def scales_of(plan: Plan) -> dict[str, Fraction]:
    """The scale of noise by id, if a unit has one row: of what may have no interval that tells it.

    So are averages, statistics, quantiles and modes, and totals on levels.
    """
    return {
        request_id(request): scale_of(measure)
        for measure in plan.measures
        for request in measure.requests
        if measure.levels is not None or isinstance(request, (Mean, Moments, Quantile, Mode))
    }


def description_of(plan: Plan | CompoundPlan) -> str:
    """The description of a release as JSON; of several blocks, a list of theirs."""
    if isinstance(plan, Plan):
        return describe(plan).text()
    return json.dumps([replace(describe(block), scales=()).text() for block in plan.blocks])


def subject_of(plan: Plan | CompoundPlan, salt: int) -> str:
    """The subject of a release: its rows and units, without conditions. Input: the catalog's salt."""
    if isinstance(plan, CompoundPlan):
        return digest(json.dumps([_FORM, "blocks", *(subject_of(block, salt) for block in plan.blocks)]))
    return subject_of_rows(plan.asked.source, plan.asked.unit, (*plan.tables, plan.root), salt)


def subject_of_rows(source: Relation, unit: ColumnRef, tables: Sequence[Table], salt: int) -> str:
    """The subject of what is released of rows. Input: FROM, the unit, the private tables that are read."""
    facts = sorted({repr(_facts(table)) for table in tables})
    return digest(json.dumps([_FORM, sql(source), sql(unit), facts, salt]))


def _facts(table: Table) -> Sequence[object]:
    """The parts of a table's policy that say whose rows count, and how many of them."""
    place = (table.schema, table.name, table.scan, table.definition)
    return (*place, table.unit, table.link, table.contribution, table.unit_is_unique)


_LATER = (
    "population",
    "interval",
    "claims",
    "above_zero",
)  # fields that were added, which are not part of an identity where they are not set


def request_id(request: Aggregate) -> str:
    """The identity of an aggregate, independent of its column's name and its part of epsilon."""
    parts = [
        (one.name, _id_of(getattr(request, one.name)))
        for one in fields(request)
        if one.compare and one.name not in ("column", "epsilon")
        if one.name not in _LATER or getattr(request, one.name)
    ]
    return digest(repr((type(request).__name__, parts)))


def _id_of(part: Any) -> str:
    match part:
        case Count():
            return request_id(part)
        case Typed(node=node):
            return sql(node)
        case (Node(), *_):
            return repr(tuple(map(sql, part)))
        case (Axis(), *_):
            return repr([(sql(axis.value.node), axis.low, axis.high) for axis in part])
        case Key():
            return f"{part.type} {_domain_id(part.domain, or_null=part.or_null)}"
    return repr(part)


def _domain_id(domain: Domain | None, *, or_null: bool) -> str:
    return digest(repr((domain, or_null)))
