"""An interval of a count of distinct values ends where there are no more of them."""

from __future__ import annotations

import pyarrow as pa
import pytest

import dpduck

KINDS = list("abcdef")
ENUM = "ENUM('a', 'b', 'c', 'd', 'e', 'f')"


@pytest.mark.parametrize(
    ("types", "bounds", "end"),
    [
        ({"kind": ENUM}, {"rows": 8}, 6.0),
        ({"kind": ENUM}, {"unique": True}, 6.0),
        ({}, {"rows": 8}, 6.0),  # of values in the domain, as `covers` says
        ({}, {"unique": True}, None),  # others count too, so there may be more
        ({"kind": ENUM}, {}, None),  # rows beyond a bound are left out: nothing is known above
    ],
)
def test_an_interval_ends_at_the_number_of_values(types: dict, bounds: dict, end: float | None) -> None:
    table = pa.table({"who": range(36), "kind": KINDS * 6})
    domains = {} if types else {"kind": KINDS}
    db = dpduck.protect(table, unit="who", types=types, domains=domains, epsilon="0.05", **bounds)
    query = "SELECT count(DISTINCT kind) AS n, dp_low(n) AS low, dp_high(n) AS high FROM data"
    [(n, low, high)] = db.sql(query).fetchall()
    assert low >= 0
    if end is None:
        assert high is None or high >= n
    else:
        assert low <= high <= end
