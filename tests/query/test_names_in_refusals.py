"""A refusal names what was written, and no node of the parser."""

from __future__ import annotations

from sqlglot import exp

from dpduck.query.parse.dialect import AggregateTerms
from dpduck.query.write.call_names import short_name_of


def test_an_aggregate_with_terms_of_its_own_has_the_name_of_the_aggregate() -> None:
    terms = AggregateTerms(this=exp.Sum(this=exp.column("x")))
    assert short_name_of(terms) == "sum"
    assert short_name_of(AggregateTerms(this=terms)) == "sum"
