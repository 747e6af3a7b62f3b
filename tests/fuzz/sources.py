"""Random FROM clauses over the market: tables, views, subqueries, joins along links and to public tables."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from tests.fuzz.rowwise import Columns, Rowwise

# The columns of each table and their types. "!" marks a public range or grid, "?" a public list, "~" the
# values of a public table, and "unit" is a column that holds the unit.
TABLES: dict[str, dict[str, str]] = {
    "customer": {
        "c_id": "unit",
        "c_nation": "integer?",
        "c_segment": "text?",
        "c_balance": "decimal!",
        "c_born": "date!",
        "c_ok": "bool?",
    },
    "orders": {
        "o_id": "integer",
        "o_customer": "unit",
        "o_day": "date!",
        "o_price": "float!",
        "o_status": "enum?",
        "o_clerk": "text",
        "o_seen": "moment!",
    },
    "lineitem": {
        "l_quantity": "integer!",
        "l_price": "decimal!",
        "l_discount": "decimal!",
        "l_mode": "text?",
        "l_big": "integer!",
        "l_weight": "float!",
        "l_part": "integer",
    },
    "visit": {
        "v_customer": "unit",
        "v_page": "text?",
        "v_tiny": "integer!",
        "v_huge": "integer!",
        "v_at": "moment!",
        "v_unsigned": "integer",
    },
    "nation": {"n_name": "text~", "n_region": "text~"},
    "part": {"p_brand": "text~", "p_size": "integer~"},
    "clerk": {"k_name": "text~", "k_level": "integer~"},
    "late": {
        "o_id": "integer",
        "o_customer": "unit",
        "o_day": "date!",
        "o_price": "float!",
        "o_clerk": "text",
    },
    "sales": {"customer": "unit", "day": "date!", "price": "float!"},
    "baskets": {"day": "date!", "quantity": "integer!", "mode": "text?", "brand": "text~"},
}
_STARTS = (
    "customer",
    "orders",
    "orders",
    "orders",
    "lineitem",
    "lineitem",
    "lineitem",
    "visit",
    "visit",
    "late",
    "sales",
    "baskets",
)
# What joins what, and how: along a link, on the unit, or on a key of a public table.
_EDGES = (
    ("customer", "orders", "c_id = o_customer"),
    ("customer", "visit", "v_customer = c_id"),
    ("customer", "late", "c_id = o_customer"),
    ("orders", "customer", "o_customer = c_id"),
    ("orders", "lineitem", "o_id = l_order"),
    ("orders", "visit", "o_customer = v_customer"),
    ("orders", "clerk", "o_clerk = k_name"),
    ("late", "lineitem", "l_order = o_id"),
    ("lineitem", "orders", "l_order = o_id"),
    ("lineitem", "part", "l_part = p_id"),
    ("visit", "orders", "v_customer = o_customer"),
    ("visit", "customer", "v_customer = c_id"),
    ("customer", "nation", "c_nation = n_id"),
)
_MAX_JOINS = 3
_MARKS = "!?~"


@dataclass(frozen=True)
class Source:
    """A FROM clause: its text, conditions that belong into WHERE, WITH, and the columns in sight.

    `columns`: their types, without marks; `public`: the marks of those with a public domain; `units`: those
    that hold the unit.
    """

    text: str
    columns: Columns
    public: Mapping[str, str]
    units: tuple[str, ...]
    conditions: tuple[str, ...] = ()
    before: str = ""
    features: frozenset[str] = field(default_factory=frozenset)


class Sources:
    """Random FROM clauses."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance

    def any(self) -> Source:
        """One FROM clause."""
        roll = self._chance.random()
        if roll < 0.06:
            return self._self_join()
        if roll < 0.30:
            return self._wrapped(self._joined(self._chance.choice([0, 0, 1])))
        return self._joined(self._chance.choice([0, 0, 0, 1, 1, 2, _MAX_JOINS]))

    def _joined(self, joins: int) -> Source:
        tables = [self._chance.choice(_STARTS)]
        text, alias = self._table(tables[0])
        conditions: list[str] = []
        features = {"one table"} if joins == 0 else set()
        listed = self._chance.random() < 0.3  # FROM a, b WHERE ...
        for _ in range(joins):
            edges = [edge for edge in _EDGES if edge[0] in tables and edge[1] not in _names(tables)]
            if not edges:
                break
            _, table, on = self._chance.choice(edges)
            tables.append(table)
            features.add("join public table" if table in ("nation", "part", "clerk") else "join along link")
            if listed:
                text += f"{self._chance.choice([', ', ' CROSS JOIN '])}{self._table(table)[0]}"
                conditions.append(on)
                features.add("join in WHERE")
                continue
            text += self._join(table, on, features)
        if {"late", "sales", "baskets"} & {*tables}:
            features.add("view")
        named = _columns_of(tables)
        if alias and len(tables) == 1 and self._chance.random() < 0.5:
            named = {f"{alias}.{name}": kind for name, kind in named.items()}
        return _source(text, named, tuple(conditions), frozenset(features))

    def _table(self, name: str) -> tuple[str, str]:
        """A table in FROM, and its alias."""
        form = self._chance.choice(["{0}", "{0}", "main.{0}", "{0} AS {1}", "{0} {1}", '"{0}"', "public.{0}"])
        alias = f"{name[0]}{self._chance.randrange(100)}"
        return form.format(name, alias), alias if "{1}" in form else ""

    def _join(self, table: str, on: str, features: set[str]) -> str:
        word = self._chance.choice(["JOIN", "JOIN", "INNER JOIN", "LEFT JOIN", "LEFT OUTER JOIN"])
        columns = _plain(_columns_of([table]))
        extra = f" AND {Rowwise(self._chance, columns).test(1)}" if self._chance.random() < 0.3 else ""
        source = self._table(table)[0]
        if self._chance.random() < 0.2:
            source = f"(SELECT * FROM {table} WHERE {Rowwise(self._chance, columns).test(1)}) AS j_{table}"
        if word.startswith("LEFT"):
            features.add("left join")
        return f" {word} {source} ON {on}{extra}"

    def _self_join(self) -> Source:
        table, unit = self._chance.choice([("orders", "o_customer"), ("visit", "v_customer")])
        on = self._chance.choice([f"USING ({unit})", f"ON a.{unit} = b.{unit}"])
        columns = {
            f"{alias}.{name}": kind for alias in "ab" for name, kind in TABLES[table].items() if name != unit
        }
        return _source(f"{table} AS a JOIN {table} AS b {on}", columns, (), frozenset({"self join"}))

    def _wrapped(self, inner: Source) -> Source:
        """SELECT ... FROM (inner), or WITH name AS (inner)."""
        rowwise = Rowwise(self._chance, inner.columns)
        kept = [name for name in inner.columns if self._chance.random() < 0.8] or list(inner.columns)[:1]
        items = [f"{name} AS x{i}" if "." in name else name for i, name in enumerate(kept)]
        names = [f"x{i}" if "." in name else name for i, name in enumerate(kept)]
        columns = dict(zip(names, (inner.columns[name] for name in kept), strict=True))
        pairs = zip(names, kept, strict=True)
        public = {new: inner.public[old] for new, old in pairs if old in inner.public}
        for i in range(self._chance.choice([0, 0, 1, 2])):
            kind = self._chance.choice(["integer", "text", "date", "number"])
            items.append(f"{rowwise.value(kind, 2)} AS made{i}")
            columns[f"made{i}"] = "float" if kind == "number" else kind
        conditions = [*inner.conditions, *([rowwise.test(2)] if self._chance.random() < 0.6 else [])]
        where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
        query = f"SELECT {', '.join(items)} FROM {inner.text}{where}"
        source = replace(inner, columns=columns, public=public, units=(), conditions=())
        if self._chance.random() < 0.5:
            features = inner.features | {"CTE"}
            return replace(source, text="q", before=f"WITH q AS ({query}) ", features=features)
        text = f"({query}) AS virtual_table"
        return replace(source, text=text, features=inner.features | {"subquery"})


def _names(tables: list[str]) -> set[str]:
    """The tables that may not come again: a view holds the columns of its tables."""
    behind = {"late": {"orders"}, "sales": {"orders"}, "baskets": {"orders", "lineitem", "part"}}
    return {*tables, *(name for table in tables for name in behind.get(table, ()))} | (
        {"late", "sales"} if "orders" in tables else set()
    )


def _columns_of(tables: list[str]) -> dict[str, str]:
    return {name: kind for table in tables for name, kind in TABLES[table].items()}


def _plain(columns: dict[str, str]) -> Columns:
    return {name: kind.rstrip(_MARKS).replace("unit", "integer") for name, kind in columns.items()}


def _source(
    text: str, columns: dict[str, str], conditions: tuple[str, ...], features: frozenset[str]
) -> Source:
    units = tuple(name for name, kind in columns.items() if kind == "unit")
    public = {name: kind[-1] for name, kind in columns.items() if kind[-1] in _MARKS}
    return Source(text, _plain(columns), public, units, conditions, "", features)
