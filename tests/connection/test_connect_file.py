"""Files whose policies are arguments of `dpduck.connect`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

import dpduck

ROWS = pa.table({"visitor": list(range(1000)), "page": ["home", "cart"] * 500})
DOMAINS = {"page": ["home", "cart"]}
COUNTS = 'SELECT page, count(*) AS n FROM "{}" GROUP BY page ORDER BY page'
KEPT = "unit, domains, groups, rows and types are for files that store no policies"


def write(place: Path) -> Path:
    if place.suffix == ".csv":
        pa.csv.write_csv(ROWS, place)
    else:
        pq.write_table(ROWS, place)
    return place


def counts(place: Path, **arguments: Any) -> list[tuple[Any, ...]]:
    with dpduck.connect(place, epsilon=5, **arguments) as db:
        return db.execute(COUNTS.format(place.stem)).fetchall()


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_a_unit_domains_and_bounds(suffix: str, tmp_path: Path) -> None:
    place = write(tmp_path / f"visits.{suffix}")
    found = counts(place, unit="visitor", domains=DOMAINS, groups=1, rows=1)
    assert [page for page, _ in found] == ["cart", "home"]
    assert all(abs(n - 500) < 20 for _, n in found)


# The view of a CSV file has words such as x of its own, and the names of the columns.
@pytest.mark.parametrize("name", ["x", "i", "page", "visitor", "read_csv", "select", "lambda"])
def test_a_file_of_any_name(name: str, tmp_path: Path) -> None:
    place = write(tmp_path / f"{name}.csv")
    assert len(counts(place, unit="visitor", domains=DOMAINS, groups=1, rows=1)) == 2


def test_beside_a_script_and_statements(tmp_path: Path) -> None:
    place = write(tmp_path / "visits.csv")
    (tmp_path / "visits.policy.sql").write_text("ALTER TABLE visits ADD PRIVACY_KEY (visitor);")
    assert len(counts(place, domains=DOMAINS, groups=1, rows=1)) == 2
    with pytest.raises(dpduck.PolicyError, match="page is not the privacy unit"):
        counts(place, unit="page")


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        ({"unit": "visiter"}, "no column visiter"),
        ({"unit": "visitor", "domains": {"pag": ["home"]}}, "no column pag"),
        ({"unit": 3}, "unit must be text"),
        ({"unit": "visitor", "domains": 3}, "domains must be a dict"),
        ({"unit": "visitor", "domains": {3: ["home"]}}, "a column of domains must be text"),
        ({"unit": "visitor", "groups": 0}, "not a bound on contributions"),
        ({"unit": "visitor", "rows": "3"}, "rows must be a whole number"),
        ({"unit": "visitor", "groups": True}, "groups must be a whole number"),
        ({"unit": ""}, "unit has no name"),
        ({"unit": "visitor", "domains": {"visitor": (0, float("nan"))}}, "nan is no value of a domain"),
        ({"unit": "visitor", "domains": {"visitor": (0, float("inf"))}}, "inf is no value of a domain"),
        ({"unit": "visitor", "domains": {"page": ["a"], "PAGE": ["b"]}}, "name a column twice"),
    ],
)
def test_what_does_not_fit_is_refused(arguments: dict[str, Any], what: str, tmp_path: Path) -> None:
    with pytest.raises(dpduck.DpduckError, match=what) as caught:
        counts(write(tmp_path / "visits.csv"), **arguments)
    assert caught.value.charged == "0"


@pytest.mark.parametrize("arguments", [{"unit": "a"}, {"domains": {"a": (0, 9)}}, {"groups": 1}, {"rows": 1}])
def test_a_database_stores_its_own(arguments: dict[str, Any], tmp_path: Path) -> None:
    place = tmp_path / "shop.duckdb"
    with duckdb.connect(place) as con:
        con.execute("CREATE TABLE t (a INTEGER)")
        with pytest.raises(dpduck.ParameterError, match=KEPT):
            dpduck.connect(con, **arguments)
    with pytest.raises(dpduck.ParameterError, match=KEPT):
        dpduck.connect(place, **arguments)
    with pytest.raises(dpduck.UnknownNameError, match="does not exist"):
        dpduck.connect(tmp_path / "none.duckdb", **arguments)
