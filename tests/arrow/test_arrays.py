"""Vectors and arrays, each from the other, as pyarrow makes them; and an answer without pandas."""

import doctest
import os
import subprocess
import sys

import duckdb
import numpy as np
import pyarrow as pa
import pytest

from dpduck.kernel.arrow import arrays
from dpduck.kernel.arrow.arrays import array_of, texts_of, vector_of
from tests.cli.processes import ROOT

TYPES = [pa.int8(), pa.uint16(), pa.int32(), pa.int64(), pa.uint64(), pa.float32(), pa.float64()]

ANSWERS = """
import sys, duckdb, dpduck
con = duckdb.connect()
con.execute("CREATE TABLE t AS SELECT i, i % 10 AS k, i % 1000 AS v FROM range(30000) AS t (i)")
with dpduck.connect(con, epsilon=1) as db:
    db.execute("ALTER TABLE t ADD PRIVACY_KEY (i)")
    db.execute("ALTER TABLE t ALTER COLUMN k SET PRIVACY DOMAIN BETWEEN (0, 99)")
    db.execute("ALTER TABLE t ALTER COLUMN v SET PRIVACY DOMAIN BETWEEN (0, 999)")
    counts = "SELECT k, count(*) AS n FROM t GROUP BY k"
    for sql in (counts, counts + " ORDER BY n DESC LIMIT 3", "SELECT median(v), count(*) FROM t", counts):
        assert db.execute(sql).fetchall()
    assert db.execute("SELECT mode(k), quantile_disc(v, 0.9) FROM t WHERE k IN (1, 2)").fetchall()
    assert db.execute("SELECT if(k < 5, 'a', 'b') AS c, count(*) FROM t GROUP BY c").fetchall()
    print(db.sql(counts))
    assert db.ledger().num_rows and db.budget().num_rows
    assert db.execute("SELECT table_name FROM information_schema.tables").fetchall() == [("t",)]
print("pandas" in sys.modules)
"""

SERVES = """
import sys, dpduck.doors.gateway.server
from dpduck.doors.gateway.pg_catalog import PublicCatalog
from tests.gateway.pg_catalog.shop import shop
PublicCatalog(shop(), "shop")
print("pandas" in sys.modules)
"""


@pytest.mark.parametrize("kind", TYPES, ids=str)
def test_vectors_are_those_of_pyarrow(kind: pa.DataType) -> None:
    column = pa.array([5, 0, 3, 120], kind)
    for part in (column, column.slice(1, 2), column.slice(4), column.slice(0, 0)):
        found, usual = vector_of(part), part.to_numpy(zero_copy_only=False)
        assert found.dtype == usual.dtype
        assert found.tolist() == usual.tolist()


def test_what_is_no_number_goes_the_usual_way() -> None:
    assert vector_of(pa.array([True, False])).tolist() == [True, False]
    assert vector_of(pa.array([1.0, None])).tolist()[0] == 1.0


@pytest.mark.parametrize("dtype", ["int64", "int32", "float64", "uint8", "bool", ">i8"])
def test_arrays_are_those_of_pyarrow(dtype: str) -> None:
    vector = np.array([1, 0, 1, 7, 7, 0]).astype(dtype)
    for part in (vector, vector[::2], vector[:0]):
        if dtype == ">i8":
            with pytest.raises(pa.ArrowNotImplementedError):
                array_of(part)
            continue
        assert array_of(part).equals(pa.array(part))


@pytest.mark.parametrize("many", [False, True])
def test_texts_are_those_of_pyarrow(many: bool) -> None:
    texts = ["", "a", None, "été", "😀x", "\x00", None] * (5_000 if many else 1)
    for part in (texts, texts[2:3], []):
        found = texts_of(part)
        found.validate(full=True)
        assert found.equals(pa.array(part, pa.string()))
    assert texts_of(tuple(texts)).null_count == 2 * len(texts) // 7


def run(code: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", code]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment)


@pytest.mark.slow
def test_answers_do_not_import_pandas() -> None:
    """DuckDB before 2.0 imports it itself, for parameters."""
    pytest.importorskip("pandas")
    done = run(ANSWERS)
    assert (done.stdout.splitlines()[-1:], done.stderr) == ([str(duckdb.__version__ < "2")], "")


@pytest.mark.slow
def test_the_gateway_starts_without_pandas() -> None:
    pytest.importorskip("pandas")
    done = run(SERVES)
    assert (done.stdout.strip(), done.stderr) == ("False", "")


def test_examples_run() -> None:
    assert doctest.testmod(arrays).failed == 0
