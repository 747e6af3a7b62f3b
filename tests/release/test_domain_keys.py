"""Keys of groups are of the types of their domains, whatever other domains were asked for before."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import duckdb
import pytest

import dpduck
from dpduck.kernel.catalog.model import Domain, RangeDomain, ValuesDomain
from dpduck.kernel.release.domain_keys import _values

EQUAL: list[tuple[Domain, Domain]] = [
    (ValuesDomain((0, 1)), ValuesDomain((False, True))),
    (ValuesDomain((1, 2, None)), ValuesDomain((Decimal(1), Decimal(2), None))),
    (RangeDomain(Decimal(0), Decimal(9), Decimal(1)), RangeDomain(0.0, 9.0, Fraction(1))),
]


@pytest.mark.parametrize(("one", "other"), EQUAL)
def test_domains_that_are_equal_in_python_keep_their_types(one: Domain, other: Domain) -> None:
    assert one == other
    types = [_values(domain).type for domain in (one, other, one)]
    assert types[0] == types[2] != types[1]


def test_what_follows_from_an_answer_by_truth_values_has_them() -> None:
    """After one by the numbers 0 and 1, in the same process."""
    for kind, domain in (("INTEGER", "(0, 1)"), ("BOOLEAN", "(FALSE, TRUE)")):
        with duckdb.connect() as rows:
            rows.execute(f"CREATE TABLE t AS SELECT i AS id, (i % 2)::{kind} AS k FROM range(1000) AS r (i)")
            with dpduck.connect(rows, epsilon="1") as db:
                db.execute("ALTER TABLE t ADD PRIVACY_KEY (id)")
                db.execute(f"ALTER TABLE t ALTER COLUMN k SET PRIVACY DOMAIN IN {domain}")
                db.execute("SELECT k, count(*) AS n FROM t GROUP BY k")
                last = "1" if kind == "INTEGER" else "TRUE"
                found = db.execute(f"SELECT k, count(*) AS n FROM t WHERE k = {last} GROUP BY k").fetchall()
                assert db.charged == "0"
                assert [key for key, _ in found] == [True]
