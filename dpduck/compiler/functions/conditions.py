"""Predicates, CASE and its like, and casts."""

from __future__ import annotations

from sqlglot import exp

from dpduck.compiler.functions.entry import TRANSLATED, Entries, SqlFunction
from dpduck.compiler.private import bounds, comparisons, conditionals
from dpduck.compiler.private.patterns import like, regexp_test

_BINARY = "this expression"
_FULL_MATCH = regexp_test("regexp_full_match")

ENTRIES: Entries = {
    exp.And: SqlFunction(TRANSLATED, comparisons.chain, _BINARY),
    exp.Or: SqlFunction(TRANSLATED, comparisons.chain, _BINARY),
    exp.Not: SqlFunction(TRANSLATED, comparisons.negation),
    **dict.fromkeys(comparisons.SYMBOLS, SqlFunction(TRANSLATED, comparisons.comparison, _BINARY)),
    exp.Between: SqlFunction(TRANSLATED, comparisons.between, "this low high"),
    exp.In: SqlFunction(
        TRANSLATED,
        comparisons.in_list,
        "this expressions query field",
        private_arguments="this expressions field",
    ),
    exp.Is: SqlFunction(TRANSLATED, comparisons.is_predicate, _BINARY),
    exp.Like: SqlFunction(TRANSLATED, like, _BINARY, "negate"),
    exp.ILike: SqlFunction(TRANSLATED, like, _BINARY, "negate"),
    exp.SimilarTo: SqlFunction(TRANSLATED, _FULL_MATCH, _BINARY),
    exp.RegexpLike: SqlFunction(TRANSLATED, regexp_test("regexp_matches"), "this expression flag"),
    exp.RegexpFullMatch: SqlFunction(TRANSLATED, _FULL_MATCH, "this expression options"),
    exp.Case: SqlFunction(TRANSLATED, conditionals.case, "this ifs default", range=bounds.of_branches),
    exp.If: SqlFunction(TRANSLATED, conditionals.if_, "this true false", range=bounds.of_branches),
    exp.Coalesce: SqlFunction(
        TRANSLATED, conditionals.coalesce, "this expressions", range=bounds.of_branches
    ),
    exp.Nullif: SqlFunction(TRANSLATED, conditionals.nullif, _BINARY, range=bounds.of_first),
    exp.Cast: SqlFunction(TRANSLATED, conditionals.cast, "this to", range=bounds.of_cast),
    exp.TryCast: SqlFunction(TRANSLATED, conditionals.cast, "this to", "safe", range=bounds.of_cast),
    exp.Date: SqlFunction(TRANSLATED, conditionals.date, is_public=False),
}
