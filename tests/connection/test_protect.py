"""DataFrames as protected tables: the same scores as from a file, and errors that quote no value."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import dpduck
from tests.sources import HALF, Quiet, Seeded

SECRET = "row-1234"
COUNT = 3000
ROWS = pa.table(
    {
        "id": [i % 1000 for i in range(COUNT)],
        "page": [None if i % 50 == 0 else ("home" if i % 3 else "cart") for i in range(COUNT)],
        "age": pa.array([i % 90 for i in range(COUNT)], pa.int32()),
        "day": [date(2024, 1, 1 + i % 28) for i in range(COUNT)],
        "amount": [None if i % 70 == 0 else i / 7 for i in range(COUNT)],
    }
)
DOMAINS = {
    "page": ["home", "cart"],
    "age": (0, 90),
    "amount": (0, 500, 0.5),
    "day": (date(2024, 1, 1), date(2024, 1, 31)),
}
QUERIES = (
    "SELECT page, count(*) AS n, avg(amount) AS a FROM data GROUP BY page ORDER BY page",
    "SELECT median(age), median(day) FROM data",
    "SELECT page FROM data WHERE amount > 100 GROUP BY page ORDER BY count(*) DESC LIMIT 1",
)
KINDS: dict[str, Callable[[], Any]] = {
    "arrow": lambda: ROWS,
    "batches": ROWS.to_reader,
    "pandas": ROWS.to_pandas,
    "pandas with an index": lambda: ROWS.to_pandas().set_index("id"),
    "pandas of Arrow": lambda: ROWS.to_pandas(types_mapper=pd.ArrowDtype),
    "categories": lambda: ROWS.to_pandas().astype({"page": "category"}),
    "polars": lambda: pl.from_arrow(ROWS),
    "relation": lambda: duckdb.connect().from_arrow(ROWS),
}


def answers(db: dpduck.Connection) -> list[Any]:
    """The answers to all queries, with the same noise for all databases."""
    db._service._entropy = Seeded("protect")
    return [db.execute(query).fetchall() for query in QUERIES]


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    """The answers from a Parquet file with the same policies."""
    path = tmp_path_factory.mktemp("data") / "data.parquet"
    pq.write_table(ROWS, path)
    with duckdb.connect(str(path.with_suffix(".duckdb"))) as con:
        con.execute(f"CREATE TABLE data AS FROM '{path}'")
    with dpduck.connect(path.with_suffix(".duckdb"), epsilon=2) as db:
        db.execute(
            "ALTER TABLE data ADD PRIVACY_KEY (id); ALTER TABLE data SET PRIVACY CONTRIBUTION (groups = 2);"
            "ALTER TABLE data ALTER COLUMN page SET PRIVACY DOMAIN IN ('home', 'cart');"
            "ALTER TABLE data ALTER COLUMN age SET PRIVACY DOMAIN BETWEEN (0, 90);"
            "ALTER TABLE data ALTER COLUMN amount SET PRIVACY DOMAIN BETWEEN (0, 500) STEP 0.5;"
            "ALTER TABLE data ALTER COLUMN day SET PRIVACY DOMAIN BETWEEN ('2024-01-01', '2024-01-31')"
        )
        return answers(db)


@pytest.mark.parametrize("kind", KINDS)
def test_scores_are_those_of_a_file(kind: str, expected: list[Any]) -> None:
    with dpduck.protect(KINDS[kind](), unit="id", domains=DOMAINS, groups=2, epsilon=2) as db:
        assert answers(db) == expected
        assert [row[1] for row in db.execute("DESCRIBE data").fetchall()] == [
            "BIGINT", "VARCHAR", "INTEGER", "DATE", "DOUBLE"
        ]  # fmt: skip


def test_types_of_a_relation_stay() -> None:
    relation = duckdb.connect().sql(
        "SELECT range AS id, ['a', 'b'][1 + range % 2]::ENUM('a', 'b', 'c') AS e, sum(range) OVER () AS h, "
        "range::DECIMAL(9,2) AS d, TIMESTAMP_NS '2024-01-01 00:00:00' AS at FROM range(300)"
    )
    stated = {"E": "ENUM('a', 'b', 'c')"}
    with dpduck.protect(relation, unit="id", types=stated, epsilon=5) as db:
        assert db.notices == []
        types = [row[1] for row in db.execute("DESCRIBE data").fetchall()]
        assert types == ["BIGINT", "ENUM('a', 'b', 'c')", "HUGEINT", "DECIMAL(9,2)", "TIMESTAMP_NS"]
        assert [key for key, _ in db.execute("SELECT e, count(*) FROM data GROUP BY e").fetchall()] == [
            "a",
            "b",
            "c",
        ]


EXTREMES = [
    *(
        "170141183460469231731687303715884105727::HUGEINT",
        "340282366920938463463374607431768211455::UHUGEINT",
    ),
    *(
        "'0101'::BIT",
        "'24:00:00+15:59:59'::TIMETZ",
        "to_microseconds(9223372036854775807)",
        "'-infinity'::DATE",
    ),
    *("'infinity'::TIMESTAMP", "'5877642-06-25 (BC)'::DATE", "'290309-12-22 (BC) 00:00:00'::TIMESTAMP"),
]


@pytest.mark.parametrize("value", EXTREMES)
def test_each_value_of_a_relation_arrives(value: str) -> None:
    """Of HUGEINT the last ones made the whole relation unreadable, and BIT and TIMETZ were others."""
    relation = duckdb.connect().sql(f"SELECT 1 AS id, {value} AS v")
    with dpduck.protect(relation, unit="id") as db:
        assert db._data.execute(f"SELECT v = {value}, typeof(v) = typeof({value}) FROM data").fetchall() == [
            (True, True)
        ]


def _unchecked(numbers: list[int], kind: pa.DataType) -> pa.Array:
    return pa.array(numbers, pa.int32() if kind.bit_width == 32 else pa.int64()).view(kind)


FAR = [
    *((pa.timestamp(unit), "TIMESTAMP") for unit in ("s", "ms", "us")),
    *((pa.duration(unit), "INTERVAL") for unit in ("s", "ms")),
    *((pa.time32(unit), "TIME") for unit in ("s", "ms")),
    *((pa.time64("us"), "TIME"), (pa.time64("ns"), "TIME_NS")),
    *((pa.date32(), "DATE"), (pa.date64(), "DATE")),
]


@pytest.mark.parametrize(("kind", "read"), FAR, ids=[str(kind) for kind, _ in FAR])
def test_a_value_without_a_counterpart_is_null(kind: pa.DataType, read: str) -> None:
    """One value decided whether the data could be protected at all."""
    least = -(2**31) if kind.bit_width == 32 else -(2**63)
    arrays = [_unchecked([0, far, 0], kind) for far in (least, -1 - least)]
    table = pa.table({"id": range(6), "v": pa.chunked_array(arrays)})
    with dpduck.protect(table, unit="id") as db:
        rows = db._data.execute("SELECT typeof(v), v IS NULL FROM data").fetchall()
        assert {kind for kind, _ in rows} == {read}
        assert [gone for _, gone in rows][::3] == [gone for _, gone in rows][2::3] == [False] * 2
        assert rows[1][1]


@pytest.mark.parametrize(
    ("make", "kind"),
    [
        (lambda: pa.array([UUID(int=7).bytes], pa.uuid()), "UUID"),
        (lambda: pa.array(["{bad"], pa.json_()), "VARCHAR"),
        (lambda: pa.ExtensionArray.from_storage(pa.bool8(), pa.array([1], pa.int8())), "BOOLEAN"),
        (lambda: pa.array([b"\xff"]).view(pa.string()), "VARCHAR"),
        (lambda: pa.array([Decimal("1.5")], pa.decimal256(20, 2)), "DECIMAL(20,2)"),
    ],
)
def test_types_of_arrow_that_duckdb_has(make: Callable[[], pa.Array], kind: str) -> None:
    with dpduck.protect(pa.table({"id": [1], "v": make()}), unit="id") as db:
        assert db._data.execute("SELECT typeof(v), v IS NOT NULL FROM data").fetchall() == [(kind, True)]


def test_other_wide_and_sparse_columns() -> None:
    wide = pl.DataFrame({"id": [1], "v": pl.Series([-(2**100)], dtype=pl.Int128)})
    with dpduck.protect(wide, unit="id") as db:
        assert db._data.execute("SELECT v, typeof(v) FROM data").fetchall() == [(-(2**100), "HUGEINT")]
    sparse = pd.DataFrame({"id": [1, 2], "v": pd.arrays.SparseArray([0, 1])})
    with dpduck.protect(sparse, unit="id") as db:
        assert db._data.execute("SELECT v FROM data ORDER BY id").fetchall() == [(0,), (1,)]


def test_a_second_table_stands_beside_the_first() -> None:
    with dpduck.protect(ROWS, unit="id", epsilon=5) as db:
        db.protect("more", ROWS.to_pandas(), unit="id", domains={"page": {"home"}}, groups=1, rows=1)
        assert db.sql("SELECT page, count(*) FROM more GROUP BY page").arrow().num_rows == 1
        bounds = {(row["table"], row["contribution"]) for row in db.sql("SHOW PRIVACY").arrow().to_pylist()}
        assert ("more", "groups = 1, rows = 1") in bounds
        assert ("data", None) in bounds


def test_a_table_stays_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "s.duckdb"
    duckdb.connect(str(path)).close()
    with dpduck.connect(path) as db:
        db.protect("visits", ROWS, unit="id")
    with dpduck.connect(path, analyst="ana", epsilon=1) as ana:
        assert len(ana.execute("SELECT count(*) FROM visits").fetchall()) == 1
        with pytest.raises(dpduck.PolicyError, match="only the data owner"):
            ana.protect("more", ROWS, unit="id")
    pq.write_table(ROWS, tmp_path / "t.parquet")
    with (
        dpduck.connect(tmp_path / "t.parquet") as db,
        pytest.raises(dpduck.PolicyError, match="DuckDB database"),
    ):
        db.protect("more", ROWS, unit="id")


def test_what_becomes_of_the_data_changes_no_answer() -> None:
    frame = ROWS.to_pandas()
    with dpduck.protect(frame, unit="id", epsilon=8) as db:
        frame["id"] = 1
        assert db.sql("SELECT count(*) FROM data WHERE age >= 0").fetchall()[0][0] > 900


def test_charges_add_up_in_a_ledger(tmp_path: Path) -> None:
    for spent in (1, 2):
        with dpduck.protect(ROWS, unit="id", epsilon=1, ledger=tmp_path / "l") as db:
            db.execute(f"SELECT count(*) FROM data WHERE age > {spent}")
            [people] = [row for row in db.budget().to_pylist() if row["scope"] == "people"]
            assert people["epsilon_spent"] == spent


def test_rows_without_a_unit_are_left_out() -> None:
    frame = pd.DataFrame({"id": pd.array([1, 2, None] * 300, "Int64"), "v": [1.0, np.nan, 2.0] * 300})
    with dpduck.protect(frame, unit="id", epsilon=1) as db:
        db._service._entropy = Quiet(HALF)
        assert db.sql("SELECT count(*) FROM data").fetchall() == [(2,)]
        assert db.sql("SELECT count(*) FROM data WHERE v IS NULL").fetchall() == [(1,)]


OBJECTS: dict[str, tuple[list[Any], str, list[Any]]] = {
    "whole numbers": ([7, 8, None], "BIGINT", [7, 8, None]),
    "with fractions": ([1.5, 2, float("nan")], "DOUBLE", [1.5, 2.0, None]),
    "decimals": ([Decimal("19.90"), 5, None], "DECIMAL(4,2)", [Decimal("19.90"), Decimal(5), None]),
    "dates": ([date(2024, 1, 1), None, pd.NaT], "DATE", [date(2024, 1, 1), None, None]),
    "times of a day": ([datetime(2024, 1, 1, 12), None], "TIMESTAMP", [datetime(2024, 1, 1, 12), None]),
    "truth": ([True, False, None], "BOOLEAN", [True, False, None]),
    "bytes": ([b"a\xff", None], "BLOB", [b"a\xff", None]),
    "UUIDs": ([UUID(int=7), None], "UUID", [UUID(int=7), None]),
    "texts": (["x", None, "\ud800"], "VARCHAR", ["x", None, "?"]),
    "nothing": ([None, None], "VARCHAR", [None, None]),
}


@pytest.mark.parametrize("name", OBJECTS)
def test_objects_of_one_kind_have_its_type(name: str) -> None:
    values, kind, read = OBJECTS[name]
    frame = pd.DataFrame({"id": range(len(values)), "o": pd.Series(values, dtype=object)})
    with dpduck.protect(frame, unit="id") as db:
        assert db._data.execute("SELECT o FROM data ORDER BY id").fetchall() == [(one,) for one in read]
        assert db._data.execute("SELECT DISTINCT typeof(o) FROM data").fetchall() == [(kind,)]
        assert [one.startswith("Found in the rows") for one in db.notices] == [True] * (kind != "VARCHAR")


MIXED = {
    "a date among times": [datetime(2024, 1, 1, 12), date(2024, 1, 2)],
    "a number among texts": ["7", 8],
    "bytes among texts": ["a", b"b"],
    "times of two clocks": [datetime(2024, 1, 1), datetime(2024, 1, 1, tzinfo=UTC)],
    "a number among truths": [True, 1],
    "a number beyond all": [1, 2**70],
}


@pytest.mark.parametrize("name", MIXED)
def test_objects_of_several_kinds_need_a_type(name: str) -> None:
    frame = pd.DataFrame({"id": range(2), "o": pd.Series(MIXED[name], dtype=object)})
    with pytest.raises(dpduck.ParameterError, match="column o cannot be read") as caught:
        dpduck.protect(frame, unit="id")
    assert "types=" in str(caught.value)
    with dpduck.protect(frame, unit="id", types={"O": "varchar"}) as db:
        assert db._data.execute("SELECT count(o) FROM data").fetchall() == [(2,)]
        assert db.notices == []


WHY = {
    "several": ([SECRET, 3], "Its values are of several types, and a column has one."),
    "no such column": ([object()], "Its values are Python objects that no column holds."),
    "complex": ([1j], "Its values are Python objects that no column holds."),
    "a period": ([pd.Period("2024-01")], "Its values are Python objects that no column holds."),
    "large": ([2**70], "One of its numbers is beyond the 64 bits or the digits that are tried."),
}


@pytest.mark.parametrize("name", WHY)
def test_what_is_wrong_with_objects_is_true(name: str) -> None:
    values, reason = WHY[name]
    frame = pd.DataFrame({"id": range(len(values)), "o": pd.Series(values, dtype=object)})
    with pytest.raises(dpduck.ParameterError) as caught:
        dpduck.protect(frame, unit="id")
    assert f"DETAIL: {reason} They are not shown here." in str(caught.value)


@pytest.mark.parametrize(
    "kind",
    [pa.list_(pa.decimal256(60, 1)), pa.struct([("a", pa.float16())]), pa.map_(pa.string(), pa.float16())],
)
def test_a_part_that_duckdb_lacks_names_its_column(kind: pa.DataType) -> None:
    with pytest.raises(dpduck.ParameterError, match="column o is of type"):
        dpduck.protect(pa.table({"id": [1], "o": pa.nulls(1, kind)}), unit="id")


STATED: list[tuple[str, list[Any], list[Any]]] = [
    (
        "BIGINT",
        [7, "8", 7.0, 60.5, "60.5", "x", True, None, 2**70],
        [7, 8, 7, None, None, None, None, None, None],
    ),
    (
        "DATE",
        [date(2024, 1, 2), "2024-01-03", "yesterday", 5],
        [date(2024, 1, 2), date(2024, 1, 3), None, None],
    ),
    ("TIMESTAMP", [datetime(2024, 1, 2, 3), "never"], [datetime(2024, 1, 2, 3), None]),
    ("DECIMAL(4,2)", [Decimal("19.90"), 1, "x", 1000], [Decimal("19.90"), Decimal(1), None, None]),
    ("BOOLEAN", [True, False, "maybe", np.bool_(True)], [True, False, None, True]),
    ("BLOB", [b"a\xff", b""], [b"a\xff", b""]),
    ("VARCHAR", ["a", 7, object], ["a", "7", "<class 'object'>"]),
    ("ENUM('a', 'b')", ["a", "c"], ["a", None]),
]


@pytest.mark.parametrize(("kind", "values", "read"), STATED, ids=[kind for kind, _, _ in STATED])
def test_what_does_not_fit_a_stated_type_is_null(kind: str, values: list[Any], read: list[Any]) -> None:
    frame = pd.DataFrame({"id": range(len(values)), "o": pd.Series(values, dtype=object)})
    with dpduck.protect(frame, unit="id", types={"o": kind}) as db:
        assert db._data.execute("SELECT o FROM data ORDER BY id").fetchall() == [(one,) for one in read]
        assert db._data.execute("SELECT DISTINCT typeof(o) FROM data").fetchall() == [(kind,)]


def test_a_type_is_stated_of_columns_that_have_one() -> None:
    table = pa.table({"id": [1.0, 2.5, 3.0], "n": [1.5, 2.0, 2.0**70], "t": ["7", " 8", "8.5"]})
    with dpduck.protect(table, unit="id", types={"id": "INTEGER", "n": "BIGINT", "t": "SMALLINT"}) as db:
        found = db._data.execute("SELECT * FROM data ORDER BY id").fetchall()
        assert found == [(1, None, 7), (3, None, None), (None, 2, 8)]
    for types, message in (
        ({"id": "INTEGER", "x": "INTEGER"}, "the data have no column x"),
        ({"id": "NUMBER"}, "DuckDB has no type NUMBER"),
        ({"id": 3}, "each of types must be text"),
        ([("id", "INTEGER")], "types must be a dict"),
        ({"id": "DOUBLE"}, "column id is of floating point"),
    ):
        with pytest.raises(dpduck.DpduckError) as caught:
            dpduck.protect(table, unit="id", types=types)  # type: ignore[arg-type]
        assert str(caught.value).startswith(message)


BAD: dict[str, tuple[Callable[[], Any], str]] = {
    "equal names": (lambda: pd.DataFrame([[1, SECRET, 1]], columns=["id", "a", "A"]), "column A occurs"),
    "an index of the same name": (
        lambda: pd.DataFrame({"id": [1], "a": [SECRET]}).set_index("id", drop=False),
        "column id occurs twice",
    ),
    "an index without a name": (lambda: pd.DataFrame({"a": [SECRET]}, index=[7]), "the data have no column"),
    "mixed objects": (lambda: pd.DataFrame({"id": [1, 2], "o": [SECRET, 3]}), "column o cannot be read"),
    "objects": (lambda: pl.DataFrame({"id": [1], "o": [object()]}), "column o cannot be read"),
    "a unit of floating point": (lambda: pd.DataFrame({"id": [1.5], "a": [SECRET]}), "column id is of"),
    "units that are missing": (lambda: pd.DataFrame({"id": [1, np.nan], "a": SECRET}), "column id is of"),
    "names that are numbers": (lambda: pd.DataFrame([[1, SECRET]]), "the name of column 1 is not text"),
    "several levels of names": (
        lambda: pd.DataFrame([[1, SECRET]], columns=pd.MultiIndex.from_tuples([("id", "x"), ("a", "y")])),
        "the name of column 1 is not text",
    ),
    "no columns": (pd.DataFrame, "the data have no columns"),
    "no type": (lambda: pl.DataFrame({"id": [1], "o": [None]}), "column o has no type"),
    "periods": (lambda: pd.DataFrame({"id": [1], "o": pd.period_range("2020", "2020")}), "column o is of"),
    "complex numbers": (lambda: pd.DataFrame({"id": [1], "o": [1j]}), "column o cannot be read"),
    "a lazy frame": (lambda: pl.LazyFrame({"id": [1], "a": [SECRET]}), "a LazyFrame has no rows yet"),
    "a relation that fails": (
        lambda: duckdb.sql(f"SELECT range AS id, ('{SECRET}' || range)::INTEGER AS o FROM range(3)"),
        "the relation cannot be read",
    ),
    "a list": (lambda: [SECRET], "data must be a pandas or polars DataFrame"),
    "text": (lambda: SECRET, "data must be a pandas or polars DataFrame"),
}  # fmt: skip


@pytest.mark.parametrize("kind", BAD)
def test_bad_data_are_refused_without_a_value(kind: str) -> None:
    make, message = BAD[kind]
    data = make()
    with pytest.raises(dpduck.DpduckError) as caught:
        dpduck.protect(data, unit="id")
    error = caught.value
    assert str(error).startswith(message)
    said = "".join([repr(error), str(error), *traceback.format_exception(error), *error._render_traceback_()])
    assert SECRET not in said.replace(f'"{SECRET}"', "")
    assert error.__context__ is error.__cause__ is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"domains": {"page": "home"}}, "a domain is a range or a list"),
        ({"domains": {"nothing": (0, 1)}}, "the data have no column nothing"),
        ({"domains": {"age": ("a", "b")}}, "this cannot be the privacy domain of column data.age"),
        ({"domains": {"age": (90, 0)}}, "this cannot be the privacy domain of column data.age"),
        ({"domains": {"page": [object()]}}, "a value of a domain must be a number"),
        ({"domains": [("page", [])]}, "domains must be a dict"),
        ({"groups": 0}, "groups = 0 is not a bound"),
        ({"unit": "nothing"}, "the data have no column nothing"),
        ({"unit": 3}, "unit must be text"),
        ({"name": ""}, "the table has no name"),
    ],
)
def test_bad_policies_leave_nothing_behind(options: dict[str, Any], message: str) -> None:
    with dpduck.protect(ROWS.select(["id"]), unit="id", name="first") as db:
        with pytest.raises(dpduck.DpduckError) as caught:
            db.protect(**{"name": "data", "data": ROWS, "unit": "id"} | options)
        assert str(caught.value).startswith(message)
        assert db.sql("SHOW PRIVACY").arrow().column("table").to_pylist() == ["first"]
        with pytest.raises(dpduck.PolicyError, match="table FIRST cannot be made"):
            db.protect("FIRST", ROWS, unit="id")


def test_scalars_of_numpy_and_pandas_are_values() -> None:
    domains = {"age": (np.int64(0), np.float64(90)), "day": (pd.Timestamp("2024-01-01"), "2024-01-31")}
    with dpduck.protect(ROWS, unit="id", domains=domains, epsilon=1) as db:
        assert db.sql("SELECT median(age) FROM data").arrow().num_rows == 1


def test_units_that_have_one_row_each_need_no_bound() -> None:
    people = pa.table({"id": list(range(600)), "page": ["home", "cart"] * 300})
    query = "SELECT page, count(*) AS n FROM data GROUP BY page"
    for unique, error in ((True, 6), (False, 12)):
        with dpduck.protect(
            people, unit="ID", domains={"page": ["home", "cart"]}, unique=unique, epsilon="0.5"
        ) as db:
            assert db.explain(query).expected_error == {"n": error}
            assert any("counts distinct" in notice for notice in db.execute(query).notices) is not unique


@pytest.mark.parametrize("ids", [[1, 2, 2], [1, None, 3]], ids=["twice", "missing"])
def test_units_that_are_said_to_be_unique_are_looked_at(ids: list[int | None]) -> None:
    twice = pa.table({"id": ids, "page": [SECRET] * 3})
    with pytest.raises(dpduck.PolicyError) as caught:
        dpduck.protect(twice, unit="id", unique=True)
    assert str(caught.value).startswith("column id does not have a value of its own in each row")
    assert caught.value.__context__ is caught.value.__cause__ is None
    with dpduck.protect(ROWS, unit="id", name="first") as db:
        with pytest.raises(dpduck.PolicyError):
            db.protect("data", twice, unit="id", unique=True)
        assert db.sql("SHOW PRIVACY").arrow().column("table").unique().to_pylist() == ["first"]


def test_a_path_in_place_of_a_dataframe_is_told_to_be_read_first() -> None:
    with pytest.raises(dpduck.ParameterError) as caught:
        dpduck.protect("survey.csv", unit="id")
    assert (
        caught.value.hint == "Write dpduck.connect('FILE', unit='id') for a file, whose rows are not copied."
    )


def test_a_mistyped_column_is_answered_by_the_nearest() -> None:
    with pytest.raises(dpduck.UnknownNameError) as caught:
        dpduck.protect(ROWS, unit="id", domains={"pgae": ["home"]})
    assert caught.value.hint == "Did you mean page?"


def test_a_dataframe_in_place_of_a_path_is_sent_to_protect() -> None:
    with pytest.raises(dpduck.ParameterError) as caught:
        dpduck.connect(ROWS.to_pandas())
    assert "dpduck.protect" in str(caught.value.hint)


@pytest.mark.parametrize(
    ("texts", "ends", "kind"),
    [
        (["2024-01-02", "2024-03-04"], ("2024-01-01", "2024-12-31"), "DATE"),
        (
            ["2024-01-02 10:00:00", "2024-03-04 11:30:00"],
            ("2024-01-01 00:00", "2024-12-31 12:00"),
            "TIMESTAMP",
        ),
        (["7", "19.5"], (0, 20), "DOUBLE"),
    ],
)
def test_a_range_of_a_column_of_texts_says_how_it_has_the_type_of_its_values(
    texts: list[str], ends: tuple[object, object], kind: str
) -> None:
    """Of days as texts the hint was to list them; the one that is given is followed."""
    frame = pd.DataFrame({"person": range(2), "told": texts})
    domains = {"told": ends}
    with pytest.raises(dpduck.PolicyError, match="has no range") as caught:
        dpduck.protect(frame, unit="person", unique=True, domains=domains)
    assert f"types={{'told': '{kind}'}}" in str(caught.value.hint)
    db = dpduck.protect(frame, unit="person", unique=True, domains=domains, types={"told": kind})
    assert db.execute("DESCRIBE data").fetchall()[1][:2] == ("told", kind)
