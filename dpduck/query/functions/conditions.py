"""Conditions, branches and casts."""

from __future__ import annotations

from sqlglot import exp

from dpduck.query.functions.entry import SPELLED, Entries, SqlFunction
from dpduck.query.private import bounds, comparisons, conditionals
from dpduck.query.private.patterns import like, regexp_test

_BINARY = "this expression"
_FULL_MATCH = regexp_test("regexp_full_match")

ENTRIES: Entries = {
    exp.And: SqlFunction(SPELLED, comparisons.chain, _BINARY),
    exp.Or: SqlFunction(SPELLED, comparisons.chain, _BINARY),
    exp.Not: SqlFunction(SPELLED, comparisons.negation),
    **dict.fromkeys(comparisons.SYMBOLS, SqlFunction(SPELLED, comparisons.comparison, _BINARY)),
    exp.Between: SqlFunction(SPELLED, comparisons.between, "this low high"),
    exp.In: SqlFunction(
        SPELLED, comparisons.one_of, "this expressions query field", in_rows="this expressions"
    ),
    exp.Is: SqlFunction(SPELLED, comparisons.state, _BINARY),
    exp.Like: SqlFunction(SPELLED, like, _BINARY, "negate"),
    exp.ILike: SqlFunction(SPELLED, like, _BINARY, "negate"),
    exp.SimilarTo: SqlFunction(SPELLED, _FULL_MATCH, _BINARY),
    exp.RegexpLike: SqlFunction(SPELLED, regexp_test("regexp_matches"), "this expression flag"),
    exp.RegexpFullMatch: SqlFunction(SPELLED, _FULL_MATCH, "this expression options"),
    exp.Case: SqlFunction(SPELLED, conditionals.case, "this ifs default", range=bounds.of_branches),
    exp.If: SqlFunction(SPELLED, conditionals.if_, "this true false", range=bounds.of_branches),
    exp.Coalesce: SqlFunction(SPELLED, conditionals.coalesce, "this expressions", range=bounds.of_branches),
    exp.Nullif: SqlFunction(SPELLED, conditionals.nullif, _BINARY),
    exp.Cast: SqlFunction(SPELLED, conditionals.cast, "this to", range=bounds.of_cast),
    exp.TryCast: SqlFunction(SPELLED, conditionals.cast, "this to", "safe", range=bounds.of_cast),
    exp.Date: SqlFunction(SPELLED, conditionals.date, is_public=False),
}
