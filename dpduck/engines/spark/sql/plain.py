"""Functions that are one call in Spark SQL, as the table of functions has them."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from dpduck.compiler.functions.entry import Argument, Form, SparkCall
from dpduck.compiler.functions.table import SCALARS
from dpduck.engines.spark.sql import datetimes, numbers, strings
from dpduck.engines.spark.sql.nodes import EngineCall, Function, call, infix, number, text

# The forms of arguments that an entry may ask for.
_FORMS: dict[Form, Callable[[EngineCall], list[exp.Expr]]] = {
    "doubles": numbers.doubles,
    "a moment": datetimes.instants,
    "texts": strings.texts,
    "a search": strings.search,
}


def _arguments(takes: Form | Argument, called: EngineCall) -> list[exp.Expr]:
    if isinstance(takes, str):
        return _FORMS[takes](called)
    return [takes(argument.sql, argument.type) for argument in called.arguments]


def _plain(spelling: SparkCall) -> Function:
    def write(called: EngineCall) -> exp.Expr:
        arguments = _arguments(spelling.takes, called)
        made = call(spelling.name, *arguments, *map(text, spelling.constants))
        if spelling.added:
            made = infix(exp.Add, made, number(spelling.added))
        return numbers.in_result_type(made, called.type) if called.type.kind == "integer" else made

    return write


FUNCTIONS: dict[str, Function] = {
    entry.name: _plain(entry.spark) for entry in SCALARS.values() if entry.spark is not None
}
