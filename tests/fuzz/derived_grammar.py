"""Random queries over what is computed for each customer apart: groups, windows, DISTINCT, joins and EXISTS.

Names are the same at each level: the unit is `u`, a value to group by is `k`, numbers are `a` and `b`. A few
queries forget the unit somewhere, where it must be, or use what is not supported yet: they are refused, and
were they not, they would be checked as all others.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from tests.fuzz import derived_forms as forms
from tests.fuzz.derived_blocks import Statements
from tests.fuzz.derived_forms import Base
from tests.fuzz.grammar import Query

MOST_LEVELS = 3


class Derived:
    """Writes random queries. The same chance writes the same ones.

    Input: `odd`: the share of queries that forget the unit, or use what is not supported.
    """

    def __init__(self, chance: random.Random, odd: float = 0.05) -> None:
        self._chance = chance
        self._odd = odd
        self._features: set[str] = set()
        self._statements = Statements(chance, self._small_source, self._number)

    def query(self) -> Query:
        """A query that aggregates derived tables."""
        self._features = set()
        if self._chance.random() >= self._odd:
            return Query(self._statement(), frozenset(self._features))
        text = self._outer(f"({self._odd_table()})")
        return Query(text, frozenset(self._features))

    def _statement(self) -> str:
        """A query that should be answered."""
        roll = self._chance.random()
        if roll < 0.2:
            text, feature = self._statements.several()
            self._features |= {"several blocks", feature}
            return text
        if roll < 0.28:
            self._features.add("totals")
            return self._statements.totals()
        if roll < 0.38:
            return self._ranged()
        levels = self._chance.choices((1, 2, MOST_LEVELS), (5, 4, 2))[0]
        self._features.add(f"{levels} levels")
        rows = self._source(levels)
        return self._pivot(rows) if roll < 0.42 else self._outer(rows)

    def _small_source(self) -> str:
        return self._source(self._chance.choice([1, 1, 1, 2]))

    # --- the release -----------------------------------------------------------------------------

    def _outer(self, rows: str) -> str:
        chance = self._chance
        items = [
            self._number(form) for form in chance.sample(forms.OUTER_AGGREGATES, chance.choice([1, 1, 1, 2]))
        ]
        before, source = "", f"{rows} AS t"
        tests = [f"({chance.choice(forms.OUTER_TESTS)})"] if chance.random() < 0.4 else []
        roll = chance.random()
        if roll < 0.08 and rows.startswith("("):
            self._features.add("CTE twice")
            before, source = f"WITH t AS {rows} ", "t"
            tests.append(chance.choice(["u IN", "u NOT IN"]) + f" (SELECT u FROM t WHERE {self._test()})")
        elif roll < 0.16:
            self._features.add("IN outside")
            tests.append(f"u {chance.choice(['', 'NOT '])}IN ({self._units()})")
        where = f" WHERE {' AND '.join(tests)}" if tests else ""
        if chance.random() < 0.35:
            return f"{before}SELECT {self._options()}{', '.join(items)} FROM {source}{where}"
        keys = chance.sample(forms.OUTER_KEYS, 1 if chance.random() < 0.8 else 2)
        named = ", ".join(f"{key} AS g{i}" for i, key in enumerate(keys))
        select = f"SELECT {self._options()}{named}, {', '.join(items)}"
        by = ", ".join(f"g{i}" for i, _ in enumerate(keys))
        return f"{before}{select} FROM {source}{where} GROUP BY {by}{chance.choice(forms.ENDS)}"

    def _ranged(self) -> str:
        """Measures without a clamp, of numbers whose range follows from what the owner declared."""
        self._features.add("derived range")
        chance, base = self._chance, self._chance.choice(forms.RANGED)
        if chance.random() < 0.7:
            a, b = (self._filled(form, base) for form in chance.sample(forms.RANGED_AGGREGATES, 2))
            key = self._filled("min({k})", base)
            inner = f"{base.unit} AS u, {key} AS k, {a} AS a, {b} AS b FROM {base.source} AS s GROUP BY u"
        else:
            a, b = self._filled(chance.choice(forms.RANGED_WINDOWS), base), chance.choice(base.numbers)
            key = chance.choice(base.keys)
            inner = f"{base.unit} AS u, {key} AS k, {a} AS a, {b} AS b FROM {base.source} AS s"
        items = ", ".join(chance.sample(forms.RANGED_MEASURES, chance.choice([1, 1, 2])))
        rows = f"(SELECT {inner}) AS t"
        if chance.random() < 0.5:
            return f"SELECT {self._options()}{items} FROM {rows}"
        key = chance.choice(forms.RANGED_KEYS)
        return (
            f"SELECT {self._options()}{key} AS g, {items} FROM {rows} GROUP BY g{chance.choice(forms.ENDS)}"
        )

    def _pivot(self, rows: str) -> str:
        self._features.add("PIVOT")
        using = self._chance.choice(["count(*)", self._number("sum({a})"), self._number("avg({b})")])
        on = self._chance.choice(
            [
                "CASE WHEN a > 2 THEN 'many' ELSE 'few' END IN ('many', 'few')",
                "(a IS NULL) IN (true, false)",
                "(a > b) IN (true, false)",
            ]
        )
        by = self._chance.choice([" GROUP BY k", " GROUP BY k IS NULL", " GROUP BY b IS NULL"])
        return f"PIVOT {rows} ON {on} USING {using}{by}"

    def _options(self) -> str:
        if self._chance.random() < 0.75:
            return ""
        options = self._chance.choice(forms.OPTIONS)
        self._features.add("delta" if "delta" in options else "bound on groups")
        return f"WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = 1, {options}) "

    def _number(self, form: str) -> str:
        low, high = self._chance.choice([(0, 5), (-1, 1), (0, 1), (-3, -1), (2, 100)])
        return form.format(
            a=forms.NUMBER.format(n="a", low=low, high=high), b=forms.NUMBER.format(n="b", low=low, high=high)
        )

    def _test(self) -> str:
        return self._chance.choice(forms.OUTER_TESTS)

    def _units(self) -> str:
        """A subquery whose column is the unit."""
        if self._chance.random() < 0.5:
            return f"SELECT u FROM {self._source(1)} AS s WHERE {self._test()}"
        base = self._base()
        return self._filled("SELECT {u} FROM {t} GROUP BY 1 HAVING count(*) > 2 OR max({n}) > 3", base)

    # --- derived tables --------------------------------------------------------------------------

    def _source(self, level: int) -> str:
        """A derived table for FROM."""
        return f"({self._table(level)})"

    def _table(self, level: int) -> str:
        shapes: list[Callable[[int], str]] = [
            self._grouped,
            self._windowed,
            self._distinct,
            self._semi_joined,
            self._joined_on_key,
            self._joined_on_row_key,
            self._projected,
        ]
        if level > 1:
            shapes += [
                self._grouped_again,
                self._grouped_again,
                self._windowed_again,
                self._distinct_again,
                self._filtered_again,
                self._joined,
                self._left_joined,
                self._joined_with_table,
            ]
        shape = self._chance.choice(shapes)
        self._features.add(shape.__name__.strip("_").replace("_", " "))
        return shape(level)

    def _base(self) -> Base:
        roll = self._chance.random()
        if roll < 0.2:
            self._features.add("table joined inside")
            return self._chance.choice(forms.JOINED)
        if roll < 0.3:
            self._features.add("nested")
            return self._chance.choice(forms.NESTED)
        if roll < 0.38:
            self._features.add("unnested")
            return self._chance.choice(forms.UNNESTED)
        return self._chance.choice(forms.BASES)

    def _base_or_linked(self) -> Base:
        return forms.LINKED if self._chance.random() < 0.05 else self._base()

    def _filled(self, form: str, base: Base) -> str:
        chance = self._chance
        parts = {"u": base.unit, "k": chance.choice(base.keys), "n": chance.choice(base.numbers)}
        return form.format(**parts, m=chance.choice(base.moments), t=f"{base.source} AS {self._alias()}")

    def _alias(self) -> str:
        return f"s{self._chance.randrange(10**6)}"

    def _where(self, base: Base) -> str:
        if self._chance.random() < 0.75:
            return ""
        form = self._chance.choice(["{n} > 1", "{k} IS NOT NULL", "{n} < {n} + 1", "NOT {n} > 0"])
        return f" WHERE {self._filled(form, base)}"

    def _grouped(self, level: int) -> str:
        base, chance = self._base_or_linked(), self._chance
        a, b = (self._filled(chance.choice(forms.AGGREGATES), base) for _ in "ab")
        having = chance.choice(["", "", " HAVING count(*) > 1", f" HAVING {a} > 1"])
        source = f"{base.source} AS {self._alias()}{self._where(base)}"
        if base is not forms.LINKED and chance.random() < 0.5:
            key = self._filled(chance.choice(forms.KEYS_OF_GROUPS), base)
            items = f"{base.unit} AS u, {key} AS k, {a} AS a, {b} AS b"
            return f"SELECT {items} FROM {source} GROUP BY u{having}"
        key = chance.choice(base.keys)
        items = f"{base.unit} AS u, {key} AS k, {a} AS a, {b} AS b"
        by = chance.choice([f"u, {key}", f"u, {key}", "1, 2", "ALL", f"u, {key}, {chance.choice(base.keys)}"])
        return f"SELECT {items} FROM {source} GROUP BY {by}{having}"

    def _windowed(self, level: int) -> str:
        base, chance = self._base_or_linked(), self._chance
        a, b = self._filled(chance.choice(forms.WINDOWS), base), chance.choice(base.numbers)
        if chance.random() < 0.4:
            b = self._filled(chance.choice(forms.WINDOWS), base)
        ends = (
            "",
            "",
            f" QUALIFY {forms.WINDOWS[0]} <= 2",
            f" QUALIFY {forms.WINDOWS[1]} = 1",
            " QUALIFY a > 1",
        )
        qualify = self._filled(chance.choice(ends), base)
        key, where = chance.choice(base.keys), self._where(base)
        items = f"{base.unit} AS u, {key} AS k, {a} AS a, {b} AS b"
        function, _, window = a.partition(" OVER (")
        if chance.random() < 0.05 and a.count("OVER") == 1 and window.endswith(")") and "- lag" not in a:
            self._features.add("window with a name")
            items = f"{base.unit} AS u, {key} AS k, {function} OVER w AS a, {b} AS b"
            qualify = f" WINDOW w AS ({window}"
        return f"SELECT {items} FROM {base.source} AS {self._alias()}{where}{qualify}"

    def _distinct(self, level: int) -> str:
        base, chance = self._base(), self._chance
        a, b = chance.choice(base.numbers), chance.choice(base.numbers)
        items = f"{base.unit} AS u, {chance.choice(base.keys)} AS k, {a} AS a, {b} AS b"
        return f"SELECT DISTINCT {items} FROM {base.source} AS {self._alias()}{self._where(base)}"

    def _semi_joined(self, level: int) -> str:
        base, other, chance = self._base(), self._base(), self._chance
        inside = f"FROM {other.source} AS w WHERE w.{other.unit} = v.{base.unit}"
        number, key = chance.choice(other.numbers), chance.choice(other.keys)
        units = f"SELECT {other.unit} FROM {other.source} AS {self._alias()}"
        tests = [
            f"EXISTS (SELECT 1 {inside} AND {number} > 1)",
            f"EXISTS (SELECT 1 {inside} AND {key} IS NULL LIMIT 1)",
            f"NOT EXISTS (SELECT 1 {inside})",
            f"NOT EXISTS (SELECT 1 {inside} AND NOT {number} < 3)",
            f"EXISTS (SELECT 1 {inside}) AND NOT EXISTS (SELECT 1 {inside} AND {number} > 9)",
            f"{base.unit} IN ({units} GROUP BY 1 HAVING count(*) > 3)",
            f"{base.unit} NOT IN ({units} WHERE {number} > 5)",
            f"{base.unit} IN (SELECT u FROM {self._source(1)} AS {self._alias()} WHERE a > 1)",
            f"(SELECT count(*) {inside}) > 2",
            f"{chance.choice(base.numbers)} >= (SELECT max({number}) {inside})",
            "v.c_nation IN (SELECT n_id FROM nation WHERE n_region <> 'ASIA')",
            "EXISTS (SELECT 1 FROM clerk WHERE k_name = v.o_clerk AND k_level > 0)",
        ]
        test = chance.choice([one for one in tests if _has_columns(one, base)])
        value = self._filled(chance.choice(forms.VALUES), other)
        a, b = f"(SELECT {value} {inside})", chance.choice(base.numbers)
        if chance.random() < 0.3:
            a = chance.choice(base.numbers)
        key = chance.choice([*base.keys, test.replace("NOT IN", "IN")])
        items = f"{base.unit} AS u, {key} AS k, {a} AS a, {b} AS b"
        where = f" WHERE {test}" if chance.random() < 0.8 else ""
        return f"SELECT {items} FROM {base.source} AS v{where}"

    def _joined_on_key(self, level: int) -> str:
        """Orders of customers whose key is compared with what may determine it, or only seems to."""
        base, chance = forms.BASES[0], self._chance
        value = chance.choice(
            [
                "(SELECT max(l_order) FROM lineitem AS w WHERE w.l_order = v.o_id)",
                "(SELECT min(o_id) FROM orders AS w WHERE w.o_customer = v.o_customer)",
                "CASE WHEN EXISTS (SELECT 1 FROM lineitem WHERE l_order = v.o_id) THEN o_id ELSE 1 END",
            ]
        )
        key, number = chance.choice(base.keys), chance.choice(base.numbers)
        orders = f"SELECT o_id, o_customer, {key} AS k, {number} AS a, {value} AS m FROM orders AS v"
        same = chance.choice(
            [
                "t.o_id = c.c_id",
                "t.o_id = t.m",
                "t.o_id = c.c_id * 0 + t.m",
                "t.o_id = CASE WHEN c.c_ok THEN t.m ELSE c.c_id END",
                "c.c_id = t.m",
            ]
        )
        items = "c.c_id AS u, t.k AS k, t.a AS a, t.m AS b"
        side = chance.choice(["JOIN ({0}) AS t ON {1} WHERE {2}", "{3}JOIN ({0}) AS t ON {1} AND {2}"])
        join = side.format(orders, "c.c_id = t.o_customer", same, chance.choice(["", "LEFT "]))
        return f"SELECT {items} FROM customer AS c {join}"

    def _joined_on_row_key(self, level: int) -> str:
        """What is computed of each order apart, joined with orders on their key, or with their customers."""
        chance, base = self._chance, forms.BASES[0]
        a, b = (self._filled(chance.choice(forms.AGGREGATES), forms.LINKED) for _ in "ab")
        lines = f"SELECT l_order, {a} AS a, {b} AS b FROM lineitem AS w GROUP BY l_order"
        key, side = chance.choice(base.keys), chance.choice(["JOIN", "LEFT JOIN"])
        items = f"o_customer AS u, {key} AS k, t.a AS a, {chance.choice(['t.b', 'o_price', 'o_id % 3'])} AS b"
        source = f"orders {side} ({lines}) AS t ON t.l_order = o_id"
        if chance.random() < 0.3:
            source = f"{source} JOIN customer ON c_id = o_customer"
        return f"SELECT {items} FROM {source}"

    def _projected(self, level: int) -> str:
        """Rows as they are."""
        base, chance = self._base(), self._chance
        a, b = (chance.choice(base.numbers) for _ in "ab")
        items = f"{base.unit} AS u, {chance.choice(base.keys)} AS k, {a} AS a, {b} AS b"
        return f"SELECT {items} FROM {base.source} AS {self._alias()}{self._where(base)}"

    # --- derived tables of derived tables ---------------------------------------------------------

    def _grouped_again(self, level: int) -> str:
        chance = self._chance
        keys, key = chance.choice([("u", "min(k)"), ("u", "max(k)"), ("u, k", "k"), ("ALL", "k")])
        a = chance.choice(
            ["max(a)", "count(*)", "sum(a)", "count(DISTINCT k)", "avg(b)", "median(a)", "arg_max(a, b)"]
        )
        b = chance.choice(["min(b)", "sum(b)", "count(*) FILTER (WHERE a > 1)", "first(b ORDER BY a)"])
        having = chance.choice(["", "", "", " HAVING count(*) > 1", " HAVING max(a) > 1"])
        inner = self._source(level - 1)
        return f"SELECT u, {key} AS k, {a} AS a, {b} AS b FROM {inner} AS t GROUP BY {keys}{having}"

    def _windowed_again(self, level: int) -> str:
        a = self._chance.choice(forms.WINDOWS_AGAIN)
        inner = self._source(level - 1)
        end = self._chance.choice(["", "", " QUALIFY row_number() OVER (PARTITION BY u ORDER BY b) = 1"])
        return f"SELECT u, k, {a} AS a, b FROM {inner} AS t{end}"

    def _distinct_again(self, level: int) -> str:
        items = self._chance.choice(["u, k, a, b", "u, k, a > 1 AS a, b", "u, k, 1 AS a, 2 AS b"])
        items = items.replace("a > 1 AS a", "CASE WHEN a > 1 THEN 1 ELSE 0 END AS a")
        return f"SELECT DISTINCT {items} FROM {self._source(level - 1)} AS t"

    def _filtered_again(self, level: int) -> str:
        other = self._source(1)
        tests = [
            self._test(),
            f"u IN (SELECT u FROM {other} AS s)",
            f"u NOT IN (SELECT u FROM {other} AS s WHERE {self._test()})",
            f"EXISTS (SELECT 1 FROM {other} AS s WHERE s.u = t.u AND s.a > t.b)",
            f"NOT EXISTS (SELECT 1 FROM {other} AS s WHERE s.u = t.u AND s.k = t.k)",
        ]
        inner, test = self._source(level - 1), self._chance.choice(tests)
        return f"SELECT u, k, b AS a, a AS b FROM {inner} AS t WHERE {test}"

    def _joined(self, level: int) -> str:
        one, two = self._source(level - 1), self._source(1)
        if self._chance.random() < 0.3:
            return f"SELECT x.u, x.k, y.a AS a, x.b AS b FROM {one} AS x JOIN {two} AS y USING (u)"
        extra = self._chance.choice(["", "", " AND x.a > y.b", " AND x.k = y.k", " AND x.a = y.a"])
        return f"SELECT x.u, x.k, y.a AS a, x.b AS b FROM {one} AS x JOIN {two} AS y ON x.u = y.u{extra}"

    def _left_joined(self, level: int) -> str:
        one, two = self._source(level - 1), self._source(1)
        extra = self._chance.choice(["", "", " AND x.a > 1", " AND x.k = y.k", " AND y.b > 0"])
        a = self._chance.choice(["coalesce(y.a, 0)", "y.a", "CASE WHEN y.u IS NULL THEN 0 ELSE 1 END"])
        sides = f"{one} AS x LEFT JOIN {two} AS y"
        anti = self._chance.choice(["", "", "", " WHERE y.u IS NULL"])
        return f"SELECT x.u, x.k, {a} AS a, y.b AS b FROM {sides} ON x.u = y.u{extra}{anti}"

    def _joined_with_table(self, level: int) -> str:
        base, inner = self._chance.choice(forms.BASES), self._source(level - 1)
        side = self._chance.choice(["JOIN", "LEFT JOIN"])
        a, k = self._chance.choice(base.numbers), self._chance.choice(base.keys)
        if self._chance.random() < 0.5:
            items = f"w.{base.unit} AS u, {k} AS k, t.a AS a, {a} AS b"
            return f"SELECT {items} FROM {base.source} AS w {side} {inner} AS t ON t.u = w.{base.unit}"
        items = f"t.u AS u, t.k AS k, {a} AS a, t.b AS b"
        return f"SELECT {items} FROM {inner} AS t {side} {base.source} AS w ON t.u = w.{base.unit}"

    # --- what must be refused, or checked once it is not -------------------------------------------

    def _odd_table(self) -> str:
        base, other, chance = self._base(), self._base(), self._chance
        a, n, k, m = (chance.choice(one) for one in (other.numbers, base.numbers, base.keys, base.moments))
        unit, rows = base.unit, f"FROM {base.source} AS {self._alias()}"
        others = f"FROM {other.source} AS {self._alias()}"
        items = f"{unit} AS u, {k} AS k, {n} AS a, 1 AS b"
        window = f"row_number() OVER (PARTITION BY {k} ORDER BY {m}) AS a, count(*) OVER () AS b"
        one, two = f"{self._source(1)} AS x", f"{self._source(1)} AS y"
        both, same = "SELECT x.u, x.k, y.a AS a, x.b AS b FROM", "x.u = y.u"
        lines = "SELECT l_order, l_part, count(*) AS a, max(l_quantity) AS b FROM lineitem GROUP BY 1, 2"
        constants = "SELECT u, 1 AS k, 1 AS a, 2 AS b FROM"
        odd = {
            "groups of several": f"SELECT min({unit}) AS u, {k} AS k, {n} AS a, 1 AS b {rows} GROUP BY 2, 3",
            "DISTINCT of several": f"SELECT DISTINCT 1 AS u, {k} AS k, {n} AS a, 1 AS b {rows}",
            "windows over several": f"SELECT {unit} AS u, {k} AS k, {window} {rows}",
            "EXISTS over several": f"SELECT {items} {rows} WHERE EXISTS (SELECT 1 {others} WHERE {a} = {n})",
            "IN over several": f"SELECT {items} {rows} WHERE {n} IN (SELECT {a} {others})",
            "value of several": f"SELECT {items} {rows} WHERE {n} > (SELECT avg({a}) {others})",
            "strangers joined": f"{both} {one} JOIN {two} ON x.k = y.k",
            "strangers joined left": f"{both} {one} LEFT JOIN {two} ON x.b = y.a",
            "row key of several": "SELECT o_customer AS u, o_status AS k, t.a, t.b FROM orders "
            f"JOIN ({lines}) AS t ON t.l_part = o_id",
            "LIMIT inside": f"SELECT {items} {rows} ORDER BY {m} LIMIT 5",
            "DISTINCT ON": f"SELECT DISTINCT ON ({unit}) {items} {rows} ORDER BY {m}",
            "FULL JOIN": f"{both} {one} FULL JOIN {two} ON {same}",
            "RIGHT JOIN": f"SELECT y.u, y.k, x.a, y.b FROM {one} RIGHT JOIN {two} ON {same}",
            "SEMI JOIN": f"SELECT x.u, x.k, x.a, x.b FROM {one} SEMI JOIN {two} ON {same}",
            "ANTI JOIN": f"SELECT x.u, x.k, x.a, x.b FROM {one} ANTI JOIN {two} ON {same}",
            **{
                word: f"{constants} {one} {word} {constants} {two}"
                for word in ("INTERSECT", "EXCEPT", "UNION ALL", "UNION")
            },
        }
        name = chance.choice(sorted(odd))
        self._features.add(name)
        return odd[name]


def _has_columns(test: str, base: Base) -> bool:
    """Whether the rows have the columns that are named after `v.`."""
    return ("v.c_nation" not in test or base.unit == "c_id") and (
        "v.o_clerk" not in test or base.source in ("orders", "late")
    )
