"""Small random queries over the public tables t and u."""

from __future__ import annotations

import random
from collections.abc import Callable

_COLUMNS = {
    "number": ["i", "x", "n"],
    "whole": ["i"],
    "text": ["s"],
    "date": ["d"],
    "truth": ["b"],
}
_CONSTANTS = {
    "number": ["1", "-2", "0.5", "1e1", "NULL", "3"],
    "whole": ["0", "1", "2", "-1", "7"],
    "text": ["'a'", "'B_%'", "''", "'abc'", "'it''s'"],
    "date": ["DATE '2020-02-29'", "DATE '1999-12-31'"],
    "truth": ["TRUE", "FALSE", "NULL"],
}
# Each hole is filled with an expression of its kind.
_FORMS = {
    "number": [
        "{number} + {number}", "{number} - {number}", "{number} * {number}", "-({number})", "abs({number})",
        "CASE WHEN {truth} THEN {number} ELSE {number} END", "coalesce({number}, {number})", "({number})",
        "round({number}, 1)", "greatest({number}, {number})", "least({number}, {number})", "{whole}",
        "nullif({number}, {number})", "{number} / {number}", "CAST({number} AS DOUBLE)", "floor({number})",
        "if({truth}, {number}, {number})", "sqrt(abs({number}))", "{number} - {number} - {number}",
        "(SELECT max(u.n) FROM u WHERE u.i = {whole})",
    ],
    "whole": [
        "{whole} % 5", "{whole} // 3", "length({text})", "year({date})", "extract(month FROM {date})",
        "date_diff('day', {date}, {date})", "strpos({text}, {text})", "dayofweek({date})",
        "sign({number})::INTEGER", "{whole} & 3", "ascii({text})", "date_part('quarter', {date})",
        "{date} - {date}",
    ],
    "text": [
        "lower({text})", "upper({text})", "{text} || {text}", "concat({text}, {text})", "substr({text}, 2)",
        "substr({text}, 1, 2)", "replace({text}, 'a', 'bc')", "trim({text})", "left({text}, 2)",
        "right({text}, 2)", "CASE {whole} WHEN 1 THEN {text} WHEN 2 THEN {text} END",
        "coalesce({text}, {text})", "reverse({text})", "regexp_replace({text}, '[a-b]+', '-', 'g')",
        "split_part({text}, 'b', 1)", "lpad({text}, 4, '*')", "CAST({whole} AS VARCHAR)",
        "strftime({date}, '%Y/%m')", "dayname({date})", "concat_ws('-', {text}, {text})",
    ],
    "date": [
        "{date} + 1", "{date} - 30", "CAST(date_trunc('month', {date}) AS DATE)", "last_day({date})",
        "coalesce({date}, {date})", "CAST({date} + INTERVAL 2 MONTH AS DATE)", "make_date(2020, 2, 3)",
        "CAST({date} - INTERVAL '1 year 3 days' AS DATE)",
    ],
    "truth": [
        "{number} > {number}", "{whole} = {whole}", "{text} <> {text}", "{date} <= {date}", "NOT ({truth})",
        "{truth} AND {truth}", "{truth} OR {truth}", "({truth} OR {truth}) AND {truth}", "{number} IS NULL",
        "{whole} IN (1, 2, {whole})", "{whole} BETWEEN {whole} AND {whole}", "{text} LIKE '%b%'",
        "NOT {text} LIKE 'a_'", "{text} ILIKE 'A%'", "{truth} IS NOT TRUE", "{text} NOT IN ('a', {text})",
        "starts_with({text}, 'a')", "{number} IS DISTINCT FROM {number}", "{text} IS NOT NULL",
        "regexp_matches({text}, '^a')", "{whole} IN (SELECT u.i FROM u)",
        "EXISTS (SELECT 1 FROM u WHERE u.i = {whole})", "contains({text}, 'b')",
    ],
}  # fmt: skip
_AGGREGATES = [
    "count(*)", "count({text})", "count(DISTINCT {whole})", "sum({whole})", "min({text})", "max({date})",
    "count(*) FILTER (WHERE {truth})", "median({whole})", "bool_and({truth})",
    "string_agg({text}, ',' ORDER BY {text})", "list({whole} ORDER BY {whole} DESC)",
    "max_by(i, {number}) IS NULL", "count_if({truth})", "avg({whole})",
]  # fmt: skip
_WINDOWS = [
    "row_number() OVER (PARTITION BY {text} ORDER BY i, s, d, x)", "sum({whole}) OVER (ORDER BY i, d)",
    "rank() OVER (ORDER BY {whole} DESC)", "lag({whole}) OVER (ORDER BY i, s, d, x)",
    "count(*) OVER (ORDER BY i ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING)",
    "max({text}) OVER (PARTITION BY {truth})",
]  # fmt: skip


def random_query(source: random.Random) -> str:
    """One query, of any of the shapes."""
    shape: Callable[[random.Random], str] = source.choice([_rows, _groups, _nested, _sets, _joined])
    return shape(source)


def _expression(source: random.Random, kind: str, depth: int = 3) -> str:
    leaf = depth == 0 or source.random() < 0.25
    if leaf:
        return source.choice(_COLUMNS[kind] + _CONSTANTS[kind] if source.random() < 0.4 else _COLUMNS[kind])
    return _filled(source, source.choice(_FORMS[kind]), depth - 1)


def _filled(source: random.Random, form: str, depth: int = 2) -> str:
    while "{" in form:
        start = form.index("{")
        end = form.index("}", start)
        text = _expression(source, form[start + 1 : end], depth)
        form = form[:start] + text.replace("{", "(").replace("}", ")") + form[end + 1 :]
    return form


def _any(source: random.Random) -> str:
    return _expression(source, source.choice(list(_FORMS)))


def _items(source: random.Random, most: int = 3) -> str:
    return ", ".join(f"{_any(source)} AS c{number}" for number in range(source.randint(1, most)))


def _where(source: random.Random) -> str:
    return f" WHERE {_expression(source, 'truth')}" if source.random() < 0.6 else ""


def _rows(source: random.Random) -> str:
    window = f", {_filled(source, source.choice(_WINDOWS))} AS w" if source.random() < 0.4 else ""
    distinct = "DISTINCT " if source.random() < 0.2 else ""
    order = " ORDER BY ALL LIMIT 3" if source.random() < 0.3 else ""
    return f"SELECT {distinct}{_items(source)}{window} FROM t{_where(source)}{order}"


def _groups(source: random.Random) -> str:
    key = _any(source)
    measures = ", ".join(f"{_filled(source, source.choice(_AGGREGATES))} AS m{n}" for n in range(2))
    having = " HAVING count(*) > 1" if source.random() < 0.3 else ""
    return f"SELECT {key} AS k, {measures} FROM t{_where(source)} GROUP BY k{having}"


def _nested(source: random.Random) -> str:
    inner = f"SELECT {_any(source)} AS a, i, s, d, x, n, b FROM t{_where(source)}"
    return f"SELECT a, {_items(source)} FROM ({inner}) AS q{_where(source)}"


def _sets(source: random.Random) -> str:
    word = source.choice(["UNION", "UNION ALL", "EXCEPT", "INTERSECT"])
    kind = source.choice(["whole", "text", "date", "truth"])
    parts = [f"SELECT {_expression(source, kind)} AS c FROM t{_where(source)}" for _ in range(2)]
    return f" {word} ".join(parts)


def _joined(source: random.Random) -> str:
    side = source.choice(["JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN"])
    inner = "SELECT u.i AS j, u.n AS v FROM u"
    return f"SELECT j, v, {_items(source)} FROM t {side} ({inner}) AS w ON t.i = w.j{_where(source)}"
