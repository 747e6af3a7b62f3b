"""Random queries from the accepted grammar, over the market: nearly all of what dpduck answers."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tests.fuzz.rowwise import Rowwise
from tests.fuzz.sources import Source, Sources

# Keys whose candidates follow from the public domain of their column.
_PUBLIC_KEYS: dict[str, tuple[str, ...]] = {
    "integer": (
        "{c}",
        "{c}",
        "{c} % 3",
        "{c} + 1",
        "abs({c})",
        "coalesce({c}, 7)",
        "{c} // 10",
        "least({c}, 9)",
    ),
    "decimal": ("{c}", "{c} > 10", "CASE WHEN {c} > 10 THEN 'much' ELSE 'little' END"),
    "float": ("{c} > 10", "CASE WHEN {c} > 100 THEN 1 WHEN {c} > 10 THEN 2 ELSE 3 END", "{c} IS NULL"),
    "text": (
        "{c}",
        "{c}",
        "{c} || '!'",
        "coalesce({c}, 'none')",
        "CASE {c} WHEN 'AIR' THEN 'fast' ELSE 'slow' END",
        "{c} LIKE 'c%'",
        "{c} IN ('home', 'AIR')",
    ),
    "enum": ("{c}", "{c}", "CASE WHEN {c} = 'O' THEN 'open' ELSE 'closed' END", "{c} IS NULL"),
    "date": (
        "{c}",
        "date_trunc('month', {c})",
        "date_trunc('week', {c})",
        "extract(month FROM {c})",
        "dayofweek({c})",
        "quarter({c})",
        "{c} > '2024-02-01'",
        "dayname({c})",
    ),
    "moment": (
        "{c}",
        "date_trunc('day', {c})",
        "extract(hour FROM {c})",
        "CAST({c} AS DATE)",
        "{c} > '2024-01-05'",
    ),
    "bool": ("{c}", "{c}", "NOT {c}", "{c} IS TRUE", "CASE WHEN {c} THEN 'yes' ELSE 'no' END"),
}
_RANGED = ("integer", "decimal", "float")

# Aggregates by the type of their argument {c}: a column with a public range, or any column.
_RANGED_AGGREGATES = (
    "sum({c})",
    "sum({c} * 2)",
    "sum({c} - 1)",
    "sum(-{c})",
    "sum(greatest(least({c}, 50), 0))",
    "sum({c}) FILTER (WHERE {test})",
    "sum(CASE WHEN {test} THEN {c} ELSE 0 END)",
    "sum(CASE WHEN {test} THEN 1 ELSE 0 END)",
    "avg({c})",
    "avg({c} * 0.5)",
    "mean({c})",
    "avg({c}) FILTER (WHERE {test})",
    *("stddev({c})", "var_pop({c} * 2)", "sem({c}) FILTER (WHERE {test})"),
    *("regr_slope({c}, 1 - {c})", "corr({c}, {c} * 0.5) FILTER (WHERE {test})", "regr_count({c}, {c})"),
    "median({c})",
    "quantile_cont({c}, 0.9)",
    "quantile_disc({c}, [0.1, 0.5])",
    "quantile({c}, 0.25)",
    "approx_quantile({c}, 0.75)",
    "percentile_cont(0.5) WITHIN GROUP (ORDER BY {c})",
    "percentile_disc(0.1) WITHIN GROUP (ORDER BY {c} DESC)",
    "min({c})",
    "max({c})",
    "max({c}) FILTER (WHERE {test})",
)
_TIME_AGGREGATES = ("median({c})", "min({c})", "max({c})", "quantile_disc({c}, 0.2)")
_MODE_AGGREGATES = ("mode({c})", "mode({c}) FILTER (WHERE {test})", "mode() WITHIN GROUP (ORDER BY {c})")
_COUNTS = (
    "count(*)",
    "count(*)",
    "count(1)",
    "count()",
    "sum(1)",
    "count(*) FILTER (WHERE {test})",
    "count_if({test})",
    "count({any})",
    "count(DISTINCT {plain})",
    "count(DISTINCT {plain}) FILTER (WHERE {test})",
    "approx_count_distinct({plain})",
)
_POST = (
    "{a} + 1",
    "{a} * 100.0 / 7",
    "round({a}, 1)",
    "coalesce({a}, 0)",
    "CASE WHEN {a} > 5 THEN 'many' ELSE 'few' END",
    "{a} / nullif(count(*), 0)",
    "greatest({a}, 0)",
    "-{a}",
    "dp_low({a})",
    "dp_high({a})",
)
_OUTER = (
    "SELECT * FROM ({q}) AS t",
    "SELECT * FROM ({q}) AS t WHERE n > 3",
    "SELECT t.n FROM ({q}) AS t ORDER BY n DESC LIMIT 3",
    "SELECT sum(n) AS total, count(*) FROM ({q}) AS t",
    "SELECT max(n), min(n) FROM ({q}) AS t WHERE n IS NOT NULL",
    "SELECT n, row_number() OVER (ORDER BY n DESC) AS place FROM ({q}) AS t",
    "WITH t AS ({q}) SELECT n + 1 AS more FROM t ORDER BY 1 LIMIT 5 OFFSET 1",
    "WITH t AS ({q}) SELECT n * 100.0 / sum(n) OVER () AS share FROM t",
)


@dataclass(frozen=True)
class Query:
    """A text, and what is in it."""

    text: str
    features: frozenset[str]


class Grammar:
    """Random SELECTs. The same chance gives the same queries."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._sources = Sources(chance)

    def query(self) -> Query:
        """One query; nearly all are accepted."""
        block = _Block(self._chance, self._sources.any())
        shapes: Sequence[Callable[[], str]] = (
            block.single,
            block.grouped,
            block.grouped,
            block.grouped,
            block.top,
            block.top,
            block.top_by_qualify,
            block.above,
            block.listed,
            block.outer,
        )
        text = self._chance.choice(shapes)()
        return Query(text, block.source.features | block.features)


class _Block:
    """One aggregating block, written once."""

    def __init__(self, chance: random.Random, source: Source) -> None:
        self._chance = chance
        self._rowwise = Rowwise(chance, source.columns)
        self.source = source
        self.features: set[str] = set()
        self._unknown = False  # whether the candidates of some key come from private rows

    # --- shapes ----------------------------------------------------------------------------------

    def single(self) -> str:
        """Aggregates of all rows."""
        self.features.add("no GROUP BY")
        items = [self._item() for _ in range(self._chance.choice([1, 1, 2, 3, 5]))]
        return self._select(items, "")

    def grouped(self) -> str:
        """Keys and aggregates, with or without HAVING, ORDER BY and LIMIT."""
        self.features.add("GROUP BY")
        keys = self._keys()
        items = keys + [self._item() for _ in range(self._chance.choice([1, 1, 1, 2, 3]))]
        by = self._by(keys)
        having = self._chance.choice(
            ["", "", "", " HAVING count(*) > 2", " HAVING count(*) BETWEEN 1 AND 50"]
        )
        orders = [
            "",
            "",
            " ORDER BY 1",
            f" ORDER BY {len(items)} DESC",
            " ORDER BY count(*)",
            " ORDER BY 1 NULLS FIRST",
        ]
        order = self._chance.choice(orders)
        limit = self._chance.choice(["", " LIMIT 5", " LIMIT 3 OFFSET 2"]) if order else ""
        self.features |= {word for word, text in (("HAVING", having), ("ORDER BY", order)) if text}
        return self._select(items, f" GROUP BY {by}{having}{order}{limit}")

    def top(self) -> str:
        """The largest groups."""
        self.features.add("top k")
        keys = self._keys()
        count = self._chance.choice(["count(*)", "count(*) AS n", "count(1) AS n", self._distinct_units("n")])
        others = [self._item() for _ in range(self._chance.choice([0, 0, 0, 1]))]
        shown = [count] if self._chance.random() < 0.85 or " AS " in count else []
        order = "n" if count.endswith(" AS n") else "count(*)"
        limit = self._chance.choice(["1", "3", "3", "10", "2 OFFSET 1"])
        end = f" GROUP BY {self._by(keys)} ORDER BY {order} DESC LIMIT {limit}"
        return self._select(keys + shown + others, end, top=True)

    def top_by_qualify(self) -> str:
        """The largest groups, by row_number."""
        self.features.add("QUALIFY")
        keys = self._keys()
        k = self._chance.randint(1, 4)
        end = f" GROUP BY {self._by(keys)} QUALIFY row_number() OVER (ORDER BY count(*) DESC) <= {k}"
        return self._select([*keys, "count(*) AS n"], end, top=True)

    def above(self) -> str:
        """The first groups above a threshold."""
        self.features.add("threshold")
        keys = self._keys(public=True)
        least = self._chance.choice([0, 2, 3, 100])
        end = f" GROUP BY {self._by(keys)} HAVING count(*) {self._chance.choice(['>', '>='])} {least} LIMIT 2"
        return self._select([*keys, *self._chance.choice([[], ["count(*)"]])], end)

    def listed(self) -> str:
        """Groups as one list or map."""
        self.features.add("approx_top_k, histogram")
        key = self._key(public=True)
        if self._chance.random() < 0.5:
            return self._select([f"approx_top_k({key}, {self._chance.randint(1, 4)})"], "", top=True)
        return self._select([f"histogram({key})"], "")

    def outer(self) -> str:
        """A query over the answer of another."""
        self.features.add("outer query")
        keys = self._keys()
        if self._chance.random() < 0.2:
            inner = self._select([f"{keys[0]} AS k", "count(*) AS n"], f" GROUP BY {keys[0]}", options=False)
            query = f"SELECT max_by(k, n, {self._chance.randint(1, 3)}) FROM ({inner}) AS t"
        else:
            inner = self._select([*keys, "count(*) AS n"], f" GROUP BY {self._by(keys)}", options=False)
            query = self._chance.choice(_OUTER).format(q=inner)
        options = self._options(top=False)
        if not options:
            return query
        before, _, after = query.rpartition(") SELECT ") if query.startswith("WITH") else ("", "", query[7:])
        return f"{before}) SELECT {options}{after}" if before else f"SELECT {options}{after}"

    # --- parts -----------------------------------------------------------------------------------

    def _select(self, items: Sequence[str], end: str, *, top: bool = False, options: bool = True) -> str:
        source = self.source
        conditions = [*source.conditions, *self._conditions()]
        where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
        setting = self._options(top) if options else ""
        if self._chance.random() < 0.1 and not setting and "one table" in source.features:
            self.features.add("FROM first")
            return f"{source.before}FROM {source.text} SELECT {', '.join(items)}{where}{end}"
        return f"{source.before}SELECT {setting}{', '.join(items)} FROM {source.text}{where}{end}"

    def _conditions(self) -> list[str]:
        if self._chance.random() < 0.4:
            return []
        self.features.add("WHERE")
        units = self.source.units
        if units and self._chance.random() < 0.05:
            return [f"{self._chance.choice(units)} {self._chance.choice(['<> 3', '> 1', 'IS NOT NULL'])}"]
        return [self._rowwise.test(self._chance.choice([1, 1, 2, 3]))]

    def _options(self, top: bool) -> str:
        """OPTIONS, where they are needed and at times where they are not."""
        given = {"epsilon": self._chance.choice(["0.5", "1", "0.01", "3"])}
        unknown, roll = self._unknown, self._chance.random()
        if not unknown and roll < 0.7:
            return ""
        if unknown or roll > 0.9:
            given["delta"] = self._chance.choice(["1e-6", "0.0001"])
        if (unknown and not top) or self._chance.random() < 0.4:
            given["max_groups_contributed"] = self._chance.choice(["1", "2", "3", "20"])
            self.features.add("bound on groups")
        self.features.add("OPTIONS")
        text = ", ".join(f"{name} = {value}" for name, value in given.items())
        return f"WITH DIFFERENTIAL_PRIVACY OPTIONS ({text}) "

    def _keys(self, *, public: bool = False) -> list[str]:
        count = self._chance.choice([1, 1, 1, 2, 2, 3]) if not public else 1
        return list(dict.fromkeys(self._key(public=public) for _ in range(count)))

    def _key(self, *, public: bool) -> str:
        names = sorted(self.source.public)
        if names and (public or self._chance.random() < 0.8):
            name = self._chance.choice(names)
            forms = _PUBLIC_KEYS[self.source.columns[name]]
            form = "{c}" if self.source.public[name] == "~" else self._chance.choice(forms)
            self.features.add("key column" if form == "{c}" else "key expression")
            return form.format(c=name)
        if public:
            return f"CASE WHEN {self._rowwise.test(1)} THEN 1 ELSE 0 END"
        self._unknown = True
        self.features.add("key without domain")
        return self._expression()

    def _expression(self) -> str:
        """A key whose candidates are unknown; the unit itself is none."""
        units = self.source.units
        columns = {name: kind for name, kind in self.source.columns.items() if name not in units}
        rowwise = Rowwise(self._chance, columns)
        while True:
            text = rowwise.value(self._chance.choice(["integer", "text", "date", "moment"]), 2)
            if any(name in text for name in columns):
                return text

    def _by(self, keys: Sequence[str]) -> str:
        """GROUP BY by position, by expression, or ALL."""
        positions = ", ".join(str(i + 1) for i in range(len(keys)))
        return self._chance.choice([positions, positions, "ALL", ", ".join(keys)])

    def _item(self) -> str:
        """An aggregate, at times with arithmetic around it."""
        text = self._aggregate()
        if self._chance.random() < 0.15 and "[" not in text:
            form = self._chance.choice(_POST)
            self.features.add("arithmetic on aggregates")
            return form.format(a=text if self._chance.random() < 0.5 else "count(*)")
        return text + (f" AS a{self._chance.randrange(1000)}" if self._chance.random() < 0.3 else "")

    def _aggregate(self) -> str:
        columns, public = self.source.columns, sorted(self.source.public)
        numbers = [name for name in public if columns[name] in _RANGED]
        ranged = [name for name in numbers if self.source.public[name] == "!"]
        times = [name for name in public if columns[name] in ("date", "moment")]
        listed = [name for name in public if columns[name] in ("text", "enum", "bool", "integer")]
        roll = self._chance.random()
        if ranged and roll < 0.42:
            return self._fill(self._chance.choice(_RANGED_AGGREGATES), self._chance.choice(ranged))
        if numbers and roll < 0.45:
            return self._fill(self._chance.choice(("sum({c})", "avg({c})")), self._chance.choice(numbers))
        if times and roll < 0.55:
            return self._fill(self._chance.choice(_TIME_AGGREGATES), self._chance.choice(times))
        if listed and roll < 0.65:
            return self._fill(self._chance.choice(_MODE_AGGREGATES), self._chance.choice(listed))
        if self.source.units and roll < 0.68:
            return self._distinct_units()
        return self._fill(self._chance.choice(_COUNTS), "")

    def _distinct_units(self, alias: str = "") -> str:
        units = self.source.units
        text = f"count(DISTINCT {self._chance.choice(units)})" if units else "count(*)"
        return f"{text} AS {alias}" if alias else text

    def _fill(self, form: str, column: str) -> str:
        plain = [name for name, kind in self.source.columns.items() if kind != "float"]
        name = form.partition("(")[0]
        self.features.add(
            "FILTER" if "FILTER" in form else f"{name}(DISTINCT)" if "DISTINCT" in form else f"{name}"
        )
        return form.format(
            c=column,
            test=self._rowwise.test(1) if "{test}" in form else "",
            any=self._chance.choice(sorted(self.source.columns)),
            plain=self._chance.choice(plain) if plain else "1",
        )
