"""Conditions, branches and casts."""

from __future__ import annotations

from sqlglot import exp

from dpduck.query.functions.entry import SPELLED, Entries, function
from dpduck.query.private import bounds, comparisons, conditionals
from dpduck.query.private.patterns import like, regexp_test

_BINARY = "this expression"
_FULL_MATCH = regexp_test("regexp_full_match")

ENTRIES: Entries = {
    exp.And: function(SPELLED, comparisons.chain, _BINARY),
    exp.Or: function(SPELLED, comparisons.chain, _BINARY),
    exp.Not: function(SPELLED, comparisons.negation),
    **dict.fromkeys(comparisons.SYMBOLS, function(SPELLED, comparisons.comparison, _BINARY)),
    exp.Between: function(SPELLED, comparisons.between, "this low high"),
    exp.In: function(SPELLED, comparisons.one_of, "this expressions query field", in_rows="this expressions"),
    exp.Is: function(SPELLED, comparisons.state, _BINARY),
    exp.Like: function(SPELLED, like, _BINARY, "negate"),
    exp.ILike: function(SPELLED, like, _BINARY, "negate"),
    exp.SimilarTo: function(SPELLED, _FULL_MATCH, _BINARY),
    exp.RegexpLike: function(SPELLED, regexp_test("regexp_matches"), "this expression flag"),
    exp.RegexpFullMatch: function(SPELLED, _FULL_MATCH, "this expression options"),
    exp.Case: function(SPELLED, conditionals.case, "this ifs default", range=bounds.of_branches),
    exp.If: function(SPELLED, conditionals.if_, "this true false", range=bounds.of_branches),
    exp.Coalesce: function(SPELLED, conditionals.coalesce, "this expressions", range=bounds.of_branches),
    exp.Nullif: function(SPELLED, conditionals.nullif, _BINARY),
    exp.Cast: function(SPELLED, conditionals.cast, "this to", range=bounds.of_cast),
    exp.TryCast: function(SPELLED, conditionals.cast, "this to", "safe", range=bounds.of_cast),
    exp.Date: function(SPELLED, conditionals.date, is_public=False),
}
