"""Random per-row expressions by type, over whatever columns are in sight."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence

# The type of a value in a form: {integer} is filled by an expression of that type, {i} and {t} by a constant,
# {w} and {s} by one that is not NULL; {text} may be an ENUM, {pure} may not.
FORMS: dict[str, tuple[str, ...]] = {
    "integer": (
        "({integer} + {integer})",
        "({integer} - {i})",
        "({integer} * {i})",
        "({integer} // {integer})",
        "({integer} % {i})",
        "mod({integer}, {i})",
        "(- {integer})",
        "abs({integer})",
        "sign({number})",
        "coalesce({integer}, {i})",
        "ifnull({integer}, 0)",
        "nullif({integer}, {i})",
        "greatest({integer}, {i})",
        "least({integer}, {integer})",
        "length({text})",
        "strpos({text}, {s})",
        "CASE WHEN {test} THEN {integer} ELSE {i} END",
        "CASE {integer} WHEN {i} THEN 1 WHEN NULL THEN 2 END",
        "if({test}, {i}, {integer})",
        "CAST({pure} AS INTEGER)",
        "TRY_CAST({number} AS SMALLINT)",
        "{number}::BIGINT",
        "CAST({bool} AS INTEGER)",
        "extract(month FROM {date})",
        "extract(epoch FROM {moment})::BIGINT",
        "year({date})",
        "week({date})",
        "hour({moment})",
        "date_part('dow', {date})",
        "date_diff('day', {date}, {date})",
        "date_sub('hour', {moment}, {moment})",
        "epoch_ms({moment})",
        "({date} - {date})",
    ),
    "number": (
        "{integer}",
        "{integer}",
        "({number} / {number})",
        "({number} + 0.5)",
        "({number} * 2.5)",
        "sqrt({number})",
        "ln({number})",
        "log10({number})",
        "exp({number})",
        "pow({number}, 2)",
        "floor({number})",
        "ceil({number})",
        "round({number}, 1)",
        "round({number})",
        "trunc({number})",
        "cbrt({number})",
        "CAST({number} AS DOUBLE)",
        "CAST({number} AS DECIMAL(12,3))",
        "coalesce({number}, 0)",
        "greatest({number}, 0)",
    ),
    "text": (
        "lower({text})",
        "upper({text})",
        "substr({text}, 2, 3)",
        "substring({text} FROM 2)",
        "left({text}, 2)",
        "right({text}, 1)",
        "trim({text})",
        "ltrim({text}, 'hc')",
        "reverse({text})",
        "replace({text}, 'e', 'EE')",
        "split_part({text}, '/', 2)",
        "({text} || {t})",
        "concat({text}, '-', {integer})",
        "concat_ws('/', {text}, {text})",
        "coalesce({text}, {t})",
        "CASE WHEN {test} THEN {text} ELSE {t} END",
        "CAST({integer} AS VARCHAR)",
        "{date}::VARCHAR",
        "regexp_replace({text}, '[0-9]+', 'n')",
        "regexp_extract({text}, '([a-z]+)', 1)",
        "strftime({date}, '%Y-%m')",
        "dayname({date})",
        "monthname({moment})",
    ),
    "date": (
        "CAST({moment} AS DATE)",
        "({date} + 1)",
        "({date} - {w})",
        "last_day({date})",
        "coalesce({date}, DATE '2024-01-31')",
        "CAST({pure} AS DATE)",
        "CASE WHEN {test} THEN {date} END",
    ),
    "moment": (
        "date_trunc('day', {moment})",
        "date_trunc('month', {date})",
        "({moment} + INTERVAL 1 HOUR)",
        "({date} - INTERVAL '2 months')",
        "time_bucket(INTERVAL 1 HOUR, {moment})",
        "CAST({date} AS TIMESTAMP)",
        "TRY_CAST({pure} AS TIMESTAMP)",
    ),
    "bool": ("({test})",),
    "test": (
        "{number} = {n}",
        "{number} <> {n}",
        "{integer} < {integer}",
        "{number} <= {n}",
        "{n} > {integer}",
        "{number} BETWEEN {n} AND {n}",
        "{integer} IN ({i}, {i}, {i})",
        "{integer} NOT IN ({i}, NULL)",
        "{number} IS NOT NULL",
        "{integer} IS DISTINCT FROM {i}",
        "{text} = {t}",
        "{text} <> {text}",
        "{text} >= {t}",
        "{text} IN ({t}, {t})",
        "{text} LIKE '%e%'",
        "{text} NOT LIKE 'c_erk_'",
        "{text} ILIKE 'B%'",
        "starts_with({text}, 'c')",
        "contains({text}, 'e')",
        "regexp_matches({text}, '^[a-h]')",
        "{text} IS NULL",
        "{date} >= {d}",
        "{date} BETWEEN {d} AND {d}",
        "{date} = {date}",
        "{moment} < {m}",
        "{moment} IS NOT NULL",
        "{bool}",
        "{bool} IS TRUE",
        "{bool} IS NOT FALSE",
        "NOT ({test})",
        "({test} AND {test})",
        "({test} OR {test})",
        "isfinite({date})",
        "1 = 1",
    ),
}
CONSTANTS: dict[str, tuple[str, ...]] = {
    "i": ("0", "1", "2", "3", "7", "-3", "NULL"),
    "w": ("0", "1", "45"),
    "n": ("0", "10", "-3", "2.5", "1e3", "99999999999", "NULL"),
    "t": ("'home'", "'AIR'", "'clerk3'", "''", "'x''y'", "'ü'", "NULL"),
    "s": ("'e'", "'/a'"),
    "d": ("'2024-01-20'", "DATE '2024-02-10'", "'1960-05-05'", "NULL"),
    "m": ("'2024-01-05'", "TIMESTAMP '2024-01-03 12:30:00'", "NULL"),
}
# What stands for a type where no column is of it.
_FALLBACKS = {"integer": "i", "number": "n", "text": "t", "pure": "s", "date": "d", "moment": "m"}
_TYPED = {"date": "CAST({} AS DATE)", "moment": "CAST({} AS TIMESTAMP)"}
_PARTS = {
    "number": ("integer", "decimal", "float"),
    "text": ("text", "enum"),
    "pure": ("text",),
    "test": ("bool",),
}
_HOLE = re.compile(r"\{([a-z]+)\}")

Columns = Mapping[str, str]  # name -> type
Words = Mapping[str, Sequence[str]]


class Rowwise:
    """Random expressions over columns, of the forms and constants given."""

    def __init__(
        self, chance: random.Random, columns: Columns, forms: Words = FORMS, constants: Words = CONSTANTS
    ) -> None:
        self._chance = chance
        self._columns = columns
        self._forms = forms
        self._constants = constants

    def value(self, kind: str, depth: int) -> str:
        """An expression of the type, of at most that many functions inside each other."""
        if depth <= 0 or self._chance.random() < 0.3:
            return self._leaf(kind)
        form = self._chance.choice(self._forms["text" if kind == "pure" else kind])
        return _HOLE.sub(lambda hole: self._fill(hole[1], depth - 1), form)

    def test(self, depth: int) -> str:
        """A condition."""
        form = self._chance.choice(self._forms["test"])
        return _HOLE.sub(lambda hole: self._fill(hole[1], depth - 1), form)

    def _fill(self, hole: str, depth: int) -> str:
        if hole in self._constants:
            return self._chance.choice(self._constants[hole])
        return self.value(hole, depth)

    def _leaf(self, kind: str) -> str:
        kinds = _PARTS.get(kind, (kind,))
        names = [name for name, own in self._columns.items() if own in kinds]
        if names:
            return self._chance.choice(names)
        if kind in ("bool", "test"):
            return self._chance.choice(["TRUE", "FALSE"])
        constant = self._chance.choice(self._constants[_FALLBACKS[kind]])
        return _TYPED.get(kind, "{}").format(constant)
