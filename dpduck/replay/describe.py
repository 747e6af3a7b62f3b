"""Describe a release in parts that can be compared: canonical, public, and stored as JSON.

Two plans with the same parts ask the same of the same rows, however their queries were spelled: names are
spelled as in the catalog, aliases are generated, conditions are a set, and literals are typed.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, Self

from dpduck.catalog.model import Domain, Table
from dpduck.ledger.chain import digest
from dpduck.query.plan.aggregates import Aggregate, Axis
from dpduck.query.plan.compound import CompoundPlan
from dpduck.query.plan.model import EveryKey, FoundKeys, KeysAbove, LargestKeys, OneGroup, Plan
from dpduck.query.tree.duckdb import sql
from dpduck.query.tree.nodes import Node
from dpduck.query.write.expression import Typed
from dpduck.query.write.keys import Key, Places

_KINDS = {
    OneGroup: "one group",
    EveryKey: "every key",
    FoundKeys: "found keys",
    LargestKeys: "largest keys",
    KeysAbove: "keys above",
}


_FORM = 6  # version of descriptions and subjects: answers of other versions are not considered


@dataclass(frozen=True)
class Description:
    """A release in parts.

    `kind`: of its selection, with its `k` and `threshold`; `ranked`: the count that selects. `keys`: SQL,
    type and domain of each key; `requests`: pairs of an aggregate's id and its released column; `columns`:
    all released columns. `shares_noise`: groups of it have a part of their noise in common.
    `levels`: the keys of each level on which totals were measured, too; empty if none were.
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

    def text(self) -> str:
        """The description as JSON."""
        parts = {field.name: getattr(self, field.name) for field in fields(self)}
        if not self.shares_noise:
            del parts["shares_noise"]  # as in descriptions from before there was such noise
        if not self.levels:
            del parts["levels"]  # the same
        return json.dumps({**parts, "conditions": sorted(self.conditions)}, separators=(",", ":"))

    @classmethod
    def read(cls, text: str) -> Self:
        """Read a stored description."""
        parts: dict[str, Any] = json.loads(text)
        pairs = {name: tuple(map(tuple, parts[name])) for name in ("keys", "requests")}
        conditions, columns = frozenset(parts["conditions"]), tuple(parts["columns"])
        parts["levels"] = tuple(map(tuple, parts.get("levels", ())))
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
    )


def description_of(plan: Plan | CompoundPlan) -> str:
    """The description of a release as JSON; of several blocks, a list of theirs."""
    if isinstance(plan, Plan):
        return describe(plan).text()
    return json.dumps([describe(block).text() for block in plan.blocks])


def subject_of(plan: Plan | CompoundPlan, salt: int) -> str:
    """The subject of a release: its rows and units, without conditions. Input: the catalog's salt."""
    if isinstance(plan, CompoundPlan):
        return digest(json.dumps([_FORM, "blocks", *(subject_of(block, salt) for block in plan.blocks)]))
    tables = sorted({repr(_facts(table)) for table in (*plan.tables, plan.root)})
    return digest(json.dumps([_FORM, sql(plan.asked.source), sql(plan.asked.unit), tables, salt]))


def _facts(table: Table) -> Sequence[object]:
    """The parts of a table's policy that say whose rows count, and how many of them."""
    place = (table.schema, table.name, table.scan, table.definition)
    return (*place, table.unit, table.link, table.contribution, table.unit_is_unique)


_LATER = ("population",)  # fields that were added, which are not part of an identity where they are False


def request_id(request: Aggregate) -> str:
    """The identity of an aggregate, independent of its column's name and its part of epsilon."""
    parts = [
        (field.name, _id_of(getattr(request, field.name)))
        for field in fields(request)
        if field.compare and field.name not in ("column", "epsilon")
        if field.name not in _LATER or getattr(request, field.name)
    ]
    return digest(repr((type(request).__name__, parts)))


def _id_of(part: Any) -> str:
    match part:
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
