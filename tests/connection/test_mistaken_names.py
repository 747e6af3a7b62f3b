"""What an error says of a name that is not there is true, and tells a text from a name."""

from __future__ import annotations

import pytest

import dpduck

COUNT = "SELECT count(*) FROM visits "


def refused(db: dpduck.Connection, query: str) -> dpduck.DpduckError:
    with pytest.raises(dpduck.DpduckError) as caught:
        db.explain(query)
    return caught.value


@pytest.mark.parametrize(
    "condition",
    ['page == "home"', 'page = "home"', 'page IN ("home", "news")', 'page LIKE "home"', '"home" = page'],
)
def test_a_text_in_double_quotes_is_told_from_a_name(db: dpduck.Connection, condition: str) -> None:
    assert "A text stands in single quotes: 'home'." in str(refused(db, f"{COUNT} WHERE {condition}").hint)
    assert "single quotes" not in str(refused(db, f"{COUNT} WHERE {condition.replace(chr(34), '')}").hint)


def test_a_name_that_is_no_operand_is_not_taken_for_a_text(db: dpduck.Connection) -> None:
    assert "single quotes" not in str(refused(db, 'SELECT "home", count(*) FROM visits GROUP BY ALL').hint)


def test_using_names_the_side_that_lacks_the_column(db: dpduck.Connection) -> None:
    """One side has it, so it would be untrue that the query has no such column."""
    others = "(SELECT uid, page AS topic FROM visits) c"
    error = refused(db, f"{COUNT} a JOIN visits b ON a.uid = b.uid JOIN {others} USING (topic)")
    assert error.message == "USING (topic) needs a column topic on each side of the join"
    assert "None of a, b has one." in str(error.detail)
    error = refused(db, f"{COUNT} a JOIN {others} USING (topic)")
    assert error.message == "table a has no column topic"
