"""Random score trees, most of which no compiler would make: layers of joins, windows, groups and expressions.

Some are as they should be and some lack what keeps a bound. The checker has to tell.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from dpduck.kernel.catalog.types import parse_type
from dpduck.kernel.tree.nodes import (
    AggregateCall,
    Call,
    Choice,
    ColumnRef,
    Comparison,
    Connective,
    Conversion,
    Exists,
    Expression,
    FirstPresent,
    Grouped,
    Literal,
    Membership,
    Negation,
    NullTest,
    RangeTest,
    ScalarSubquery,
    SortKey,
    WindowCall,
)
from dpduck.kernel.tree.relations import (
    DerivedTable,
    JoinedTables,
    Relation,
    SelectItem,
    SelectQuery,
    TableScan,
)
from tests.kernel.people import CATALOG, PUBLIC

INTEGER, BIGINT, HUGEINT = (parse_type(name) for name in ("INTEGER", "BIGINT", "HUGEINT"))
DOUBLE, VARCHAR, BOOLEAN = (parse_type(name) for name in ("DOUBLE", "VARCHAR", "BOOLEAN"))
DECIMAL = parse_type("DECIMAL(38,2)")
_KINDS = {"INTEGER": "int", "BIGINT": "int", "DOUBLE": "double", "VARCHAR": "text", "DECIMAL(5,2)": "decimal"}


@dataclass
class Made:
    """A query and the kinds of its columns. `units`: those that should be the unit."""

    query: SelectQuery
    columns: dict[str, str]
    units: list[str]


def digits(number: int) -> Literal:
    return Literal(number, INTEGER)


def big(number: int) -> Conversion:
    return Conversion(digits(number), HUGEINT)


class Trees:
    """A source of random trees."""

    def __init__(self, source: random.Random) -> None:
        self.source = source
        self.aliases = 0

    def alias(self) -> str:
        self.aliases += 1
        return f"r{self.aliases}"

    def chance(self, share: float) -> bool:
        return self.source.random() < share

    # --- expressions -----------------------------------------------------------------------------

    def column(self, columns: dict[ColumnRef, str], kind: str) -> ColumnRef | None:
        found = [ref for ref, own in columns.items() if own == kind]
        return self.source.choice(found) if found else None

    def number(self, columns: dict[ColumnRef, str], depth: int = 2) -> Expression:  # noqa: C901
        """An expression of whole numbers."""
        ref = self.column(columns, "int")
        if depth == 0 or ref is None or self.chance(0.3):
            return ref if ref is not None and self.chance(0.8) else digits(self.source.choice((0, 1, 2, 5)))
        one, other = self.number(columns, depth - 1), self.number(columns, depth - 1)
        constant = digits(self.source.choice((1, 2, 3, 10)))
        match self.source.randrange(11):
            case 0:
                return Call("least", (one, constant), HUGEINT)
            case 1:
                return Call("greatest", (one, constant), HUGEINT)
            case 2:
                return Call(
                    self.source.choice("+-*"), (Conversion(one, HUGEINT), Conversion(other, HUGEINT)), HUGEINT
                )
            case 3:
                return Call(self.source.choice(("//", "%")), (one, constant), INTEGER)
            case 4:
                test = self.test(columns, depth - 1)
                return Choice(((test, one),), other if self.chance(0.7) else None, HUGEINT)
            case 5:
                return self.clamped(one)
            case 6:
                return Call("abs", (Conversion(one, HUGEINT),), HUGEINT)
            case 7:
                return FirstPresent((one, constant), HUGEINT)
            case 8:
                double = self.column(columns, "double")
                if double is None:
                    return one
                inside = self.clamped(double, DOUBLE)
                return Conversion(
                    Call("floor", (Call("*", (inside, Literal("3.0", DOUBLE)), DOUBLE),), DOUBLE), BIGINT
                )
            case 9:
                text = self.column(columns, "text")
                return one if text is None else Call("strlen", (text,), BIGINT)
        return Conversion(one, HUGEINT)

    def clamped(self, value: Expression, of: object = HUGEINT) -> Expression:
        low, high = sorted(self.source.sample((-5, -2, 0, 1, 3, 8), 2))
        ends = [digits(low) if low >= 0 else Conversion(Literal(str(low), INTEGER), INTEGER), digits(high)]
        if of is DOUBLE:
            ends = [Literal(f"{low}.0", DOUBLE), Literal(f"{high}.0", DOUBLE)]
        if self.chance(0.5):
            return Call("least", (Call("greatest", (value, ends[0]), HUGEINT), ends[1]), HUGEINT)
        branches = (Comparison("<", value, ends[0]), ends[0]), (Comparison(">", value, ends[1]), ends[1])
        return Choice(branches, value, HUGEINT)

    def test(self, columns: dict[ColumnRef, str], depth: int = 1) -> Expression:
        constant = digits(self.source.choice((0, 1, 2, 3)))
        one = self.number(columns, depth)
        match self.source.randrange(8):
            case 0:
                return NullTest(one, self.chance(0.6))
            case 1:
                return Grouped(Membership(one, (digits(0), digits(1), digits(2))))
            case 2:
                return RangeTest(one, digits(0), constant)
            case 3:
                return Grouped(Negation(Grouped(Comparison(">", one, constant))))
            case 4:
                links = Comparison(">=", one, digits(0)), Comparison("<=", one, constant)
                return Grouped(Connective(self.source.choice(("AND", "OR")), links))
            case 5:
                text = self.column(columns, "text")
                if text is not None:
                    return Comparison("=", text, Literal("a", VARCHAR))
        return Comparison(self.source.choice(("<=", "<", ">=", "=", "<>")), one, constant)

    def expression(self, columns: dict[ColumnRef, str]) -> tuple[Expression, str]:
        kind = self.source.choice(("int", "int", "int", "text", "double"))
        ref = self.column(columns, kind)
        if kind == "int" or ref is None:
            return self.number(columns), "int"
        return ref, kind

    # --- rows ------------------------------------------------------------------------------------

    def scan(self, name: str) -> tuple[Relation, dict[ColumnRef, str], list[ColumnRef]]:
        table, alias = CATALOG.table(name), self.alias()
        columns, units = {}, []
        for column in table.columns:
            ref = ColumnRef(alias, column.name, parse_type(column.type))
            columns[ref] = _KINDS.get(column.type, "other")
            if column.name == table.unit or (
                table.link is not None and column.name == table.link.column == "person"
            ):
                units.append(ref)
        return TableScan(table, alias), columns, units

    def base(self) -> Made:
        """Rows of tables, joined or not, with the unit as it should be, mostly."""
        source = self.source
        relation, columns, units = self.scan(
            source.choice(("people", "visits", "visits", "orders", "kinds", "others"))
        )
        where: list[Expression] = []
        for _ in range(source.choice((0, 0, 1, 1, 2))):
            name = source.choice(("people", "visits", "orders", "kinds", "items", *PUBLIC, "derived"))
            if name == "derived":
                made = self.layers(source.randint(0, 1))
                alias = self.alias()
                right: Relation = DerivedTable(made.query, alias)
                more = {ColumnRef(alias, key, BIGINT, True): kind for key, kind in made.columns.items()}
                other_units = [ref for ref in more if ref.name in made.units]
            else:
                right, more, other_units = self.scan(name)
            on = self.condition(columns, units, more, other_units)
            kind = source.choice(("JOIN", "JOIN", "LEFT JOIN", "CROSS JOIN"))
            if kind == "CROSS JOIN":
                where += on if self.chance(0.8) else []
                on = []
            elif not on:
                on = [Comparison("=", digits(1), digits(1))]
            relation = JoinedTables(relation, kind, right, tuple(on))
            columns |= more
            if kind != "LEFT JOIN" or self.chance(0.1):
                units += other_units
        return self.select(relation, columns, units, where)

    def condition(
        self,
        columns: dict[ColumnRef, str],
        units: list[ColumnRef],
        more: dict[ColumnRef, str],
        other_units: list[ColumnRef],
    ) -> list[Expression]:
        """Conditions of a join: by the unit, by a key, by any column, or none."""
        found: list[Expression] = []
        numbers = (
            {ref for ref in columns if ref.name == "number"},
            {ref for ref in more if ref.name == "number"},
        )
        texts = (
            [ref for ref, kind in columns.items() if kind == "text"],
            [r for r, k in more.items() if k == "text"],
        )
        if units and other_units and self.chance(0.85):
            found.append(Comparison("=", self.source.choice(units), self.source.choice(other_units)))
        if all(numbers) and self.chance(0.85):
            found.append(
                Comparison("=", self.source.choice([*numbers[1]]), self.source.choice([*numbers[0]]))
            )
        if all(texts) and self.chance(0.4):
            found.append(Comparison("=", self.source.choice(texts[0]), self.source.choice(texts[1])))
        if self.chance(0.15):
            found.append(self.test(columns | more))
        return found

    def select(
        self,
        relation: Relation,
        columns: dict[ColumnRef, str],
        units: list[ColumnRef],
        where: list[Expression],
    ) -> Made:
        """Items and tests over rows."""
        items: list[SelectItem] = []
        kinds: dict[str, str] = {}
        unit = self.source.choice(units) if units else None
        named: list[str] = []
        if unit is not None and self.chance(0.95):
            items.append(SelectItem(unit, "unit"))
            kinds["unit"] = columns[unit]
            named.append("unit")
            if self.chance(0.9):
                where = [*where, NullTest(unit, negated=True)]
        for place in range(self.source.randint(1, 3)):
            value, kind = self.expression(columns)
            items.append(SelectItem(value, f"c{place}"))
            kinds[f"c{place}"] = kind
        if self.chance(0.4):
            where = [*where, self.test(columns)]
        if unit is not None and self.chance(0.12):
            where = [*where, self.subquery(unit)]
        return Made(SelectQuery(tuple(items), relation, tuple(where)), kinds, named)

    def subquery(self, unit: ColumnRef) -> Expression:
        relation, columns, units = self.scan(self.source.choice(("visits", "kinds", "people", "marks")))
        where = [Comparison("=", units[0], unit)] if units and self.chance(0.8) else [self.test(columns)]
        if self.chance(0.5):
            found = Exists(SelectQuery((SelectItem(digits(1), "found"),), relation, tuple(where)))
            return found if self.chance(0.5) else Negation(Grouped(found))
        count = SelectItem(AggregateCall("count", (), BIGINT), "found")
        return Comparison(
            ">=", ScalarSubquery(SelectQuery((count,), relation, tuple(where)), BIGINT), digits(1)
        )

    # --- layers ----------------------------------------------------------------------------------

    def layers(self, most: int) -> Made:
        made = self.base()
        for _ in range(most):
            made = self.layer(made)
        return made

    def layer(self, made: Made) -> Made:
        alias = self.alias()
        source = DerivedTable(made.query, alias)
        columns = {ColumnRef(alias, name, BIGINT, True): kind for name, kind in made.columns.items()}
        units = [ref for ref in columns if ref.name in made.units]
        match self.source.randrange(5):
            case 0:
                return self.groups(source, columns, units)
            case 1 | 2:
                return self.turns(source, columns, units)
            case 3 if self.chance(0.4):
                items = tuple(SelectItem(ref, ref.name) for ref in columns if self.chance(0.8)) or (
                    SelectItem(next(iter(columns)), next(iter(columns)).name),
                )
                kept = {item.name: made.columns[item.name] for item in items}
                named = [name for name in made.units if name in kept]
                return Made(SelectQuery(items, source, distinct=True), kept, named)
        return self.select(source, columns, units, [])

    def groups(self, relation: Relation, columns: dict[ColumnRef, str], units: list[ColumnRef]) -> Made:
        keys = [ref for ref in columns if ref in units or self.chance(0.3)]
        if units and self.chance(0.25):
            keys.remove(units[0])
        keys = keys or [next(iter(columns))]
        items = [SelectItem(ref, ref.name) for ref in keys]
        kinds = {ref.name: columns[ref] for ref in keys}
        for place in range(self.source.randint(0, 2)):
            items.append(SelectItem(self.total(columns), f"t{place}"))
            kinds[f"t{place}"] = "int"
        named = [ref.name for ref in units if ref in keys]
        count = AggregateCall("count", (), BIGINT)
        having = (Comparison(self.source.choice(("<=", ">")), count, digits(1)),) if self.chance(0.2) else ()
        return Made(SelectQuery(tuple(items), relation, (), tuple(keys), having), kinds, named)

    def total(self, columns: dict[ColumnRef, str]) -> Expression:
        value = self.number(columns, 1)
        total = AggregateCall("sum", (value,), HUGEINT)
        count = AggregateCall("count", (), BIGINT)
        match self.source.randrange(6):
            case 0:
                return Conversion(total, HUGEINT)
            case 1 | 2:
                return self.clamped(Conversion(total, HUGEINT))
            case 3:
                return Call("//", (total, count), HUGEINT)
            case 4:
                return Call("least", (count, digits(self.source.randint(1, 3))), BIGINT)
        return AggregateCall(self.source.choice(("min", "max", "count")), (value,), BIGINT)

    def turns(self, relation: DerivedTable, columns: dict[ColumnRef, str], units: list[ColumnRef]) -> Made:
        """A window, and often a test that keeps the first turns."""
        partition = [*units, *(ref for ref in columns if ref not in units and self.chance(0.2))]
        if self.chance(0.12):
            partition = partition[1:]
        order = [SortKey(ref, self.chance(0.3), "LAST") for ref in columns if self.chance(0.8)]
        name = self.source.choice(("row_number", "row_number", "dense_rank", "rank"))
        function = Call(name, (), BIGINT)
        turn = WindowCall(function, tuple(partition), tuple(order))
        items = (*(SelectItem(ref, ref.name) for ref in columns), SelectItem(turn, "turn"))
        kinds = {ref.name: kind for ref, kind in columns.items()} | {"turn": "int"}
        if "turn" in {ref.name for ref in columns}:
            items, kinds = items[:-1], {ref.name: kind for ref, kind in columns.items()}
        named = [ref.name for ref in units]
        inner = SelectQuery(items, relation)
        if "turn" not in kinds or self.chance(0.2):
            return Made(inner, kinds, named)
        alias = self.alias()
        refs = {ColumnRef(alias, key, BIGINT, True): kind for key, kind in kinds.items()}
        test = Comparison(
            "<=", next(ref for ref in refs if ref.name == "turn"), digits(self.source.randint(1, 3))
        )
        kept = tuple(SelectItem(ref, ref.name) for ref in refs)
        return Made(SelectQuery(kept, DerivedTable(inner, alias), (test,)), kinds, named)

    def score(self) -> SelectQuery:
        """A score query over up to four layers."""
        made = self.least_turns() if self.chance(0.1) else self.layers(self.source.randint(0, 4))
        alias = self.alias()
        columns = {ColumnRef(alias, name, BIGINT, True): kind for name, kind in made.columns.items()}
        keys = [ref for ref in columns if ref.name != "unit" and self.chance(0.3)]
        units = [ref for ref in columns if ref.name in made.units]
        items = [SelectItem(ref, ref.name) for ref in keys]
        for place in range(self.source.randint(1, 3)):
            items.append(SelectItem(self.aggregate(columns, units), f"score{place}"))  # noqa: PERF401
        return SelectQuery(tuple(items), DerivedTable(made.query, alias), (), tuple(keys))

    def least_turns(self) -> Made:
        """Values by the least of their turns, as a step of CASE."""
        made = self.base()
        for function in (self.turns, self.groups):
            alias = self.alias()
            columns = {ColumnRef(alias, name, BIGINT, True): kind for name, kind in made.columns.items()}
            units = [ref for ref in columns if ref.name in made.units]
            if function == self.groups:
                turn = next((ref for ref in columns if ref.name == "turn"), None)
                keys = [ref for ref in columns if ref not in (*units, turn) and self.chance(0.6)]
                if turn is None or not keys:
                    return made
                items = [SelectItem(ref, ref.name) for ref in keys]
                place = SelectItem(
                    AggregateCall(self.source.choice(("min", "min", "min", "max")), (turn,), BIGINT), "place"
                )
                made = Made(
                    SelectQuery((*items, place), DerivedTable(made.query, alias), (), tuple(keys)),
                    {ref.name: columns[ref] for ref in keys} | {"place": "int"},
                    [],
                )
            else:
                made = self.turns(DerivedTable(made.query, alias), columns, units)
        alias = self.alias()
        place_ref = ColumnRef(alias, "place", BIGINT, True)
        ends = sorted(self.source.sample(range(1, 5), 2), reverse=self.chance(0.1))
        steps = tuple(
            (Comparison("<=", place_ref, digits(end)), digits(level)) for level, end in enumerate(ends)
        )
        level = Choice(steps, digits(2), INTEGER)
        where = (
            (Comparison(self.source.choice(("<=", "<=", ">=")), place_ref, digits(3)),)
            if self.chance(0.5)
            else ()
        )
        kinds = {"level": "int"}
        return Made(
            SelectQuery((SelectItem(level, "level"),), DerivedTable(made.query, alias), where), kinds, []
        )

    def aggregate(self, columns: dict[ColumnRef, str], units: list[ColumnRef]) -> Expression:
        count = AggregateCall("count", (), BIGINT)
        match self.source.randrange(5):
            case 0:
                return count
            case 1:
                value = units[0] if units and self.chance(0.5) else self.number(columns, 0)
                return AggregateCall("count", (value,), BIGINT, distinct=True)
            case 2:
                return AggregateCall("count", (self.number(columns, 1),), BIGINT)
        ref = self.column(columns, "int")
        summed = ref if ref is not None and self.chance(0.6) else self.number(columns, 2)
        total = AggregateCall("sum", (summed,), HUGEINT)
        if self.chance(0.5):
            return Choice(((NullTest(total), big(0)),), total, HUGEINT)
        return total
