"""A DataFrame in the place of a path was formatted as one: the text of the error held private rows.

Whatever stands in the place of an argument, an error names its type and says nothing of its value.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import pyarrow as pa
import pytest

import dpduck
from dpduck.kernel.errors import ParameterError

SECRET = "row-1234"


class Loud:
    """Something that shows what it holds wherever it is written out."""

    def __repr__(self) -> str:
        return SECRET

    __str__ = __repr__


def base() -> duckdb.DuckDBPyConnection:
    con = duckdb.connect()
    con.execute("CREATE TABLE t AS SELECT range AS person FROM range(10)")
    return con


def owner() -> dpduck.Connection:
    db = dpduck.connect(base(), epsilon=1)
    db.execute("ALTER TABLE t ADD PRIVACY_KEY (person)")
    return db


VALUES: dict[str, Callable[[], Any]] = {
    "DataFrame": lambda: pd.DataFrame({"note": [SECRET]}),
    "Series": lambda: pd.Series([SECRET]),
    "Table": lambda: pa.table({"note": [SECRET]}),
    "StringArray": lambda: pa.array([SECRET]),
    "DuckDBPyRelation": lambda: duckdb.connect().sql(f"SELECT '{SECRET}' AS note"),
    "dict": lambda: {SECRET: SECRET},
    "list": lambda: [SECRET],
    "bytes": SECRET.encode,
    "Loud": Loud,
}
CONNECT = (
    *("analyst", "epsilon", "delta", "budget", "ledger", "anchor", "session", "memory", "policies_in"),
    "ledger_room",
)
REGISTER = ("con", "session", "budget", "ledger", "epsilon", "delta", "anchor")
STREAM = ("threshold", "k", "epsilon", "session", "budget", "ledger")
CALLS: dict[str, Callable[[Any], Any]] = {
    "connect database": lambda x: dpduck.connect(x),
    "connect database as ana": lambda x: dpduck.connect(x, analyst="ana"),
    "connect policies": lambda x: dpduck.connect(base(), policies=x),
    **{f"connect {name}": lambda x, name=name: dpduck.connect(base(), **{name: x}) for name in CONNECT},
    **{
        f"register {name}": lambda x, name=name: dpduck.register(**{"con": base(), name: x})
        for name in REGISTER
    },
    **{
        f"stream {name}": lambda x, name=name: dpduck.SparseVector(
            **{"threshold": 10, "k": 2, "epsilon": 1, name: x}
        )
        for name in STREAM
    },
    "stream ask": lambda x: dpduck.SparseVector(10, 2, 1).ask(x),
    "stream ask of a connection": lambda x: dpduck.SparseVector(10, 2, 1, owner()).ask(x),
    "execute": lambda x: owner().execute(x),
    "explain": lambda x: owner().explain(x),
    "a parameter": lambda x: owner().execute("SELECT count(*) FROM t WHERE person = ?", [x]),
    "a named parameter": lambda x: owner().execute("SELECT count(*) FROM t WHERE person = $a", {"a": x}),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", VALUES)
@pytest.mark.parametrize("call", CALLS)
def test_an_error_says_nothing_of_the_value(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, kind: str
) -> None:
    monkeypatch.chdir(tmp_path)
    value = VALUES[kind]()
    with pytest.raises((dpduck.DpduckError, TypeError)) as caught:
        CALLS[call](value)
    error = caught.value
    said = [repr(error), str(error), repr(error.__cause__), repr(error.__context__)]
    said += traceback.format_exception_only(error)
    assert SECRET not in "".join(said)
    assert list(tmp_path.iterdir()) == []  # nothing was made under such a name


def test_it_names_the_type() -> None:
    with pytest.raises(ParameterError) as caught:
        dpduck.connect(pd.DataFrame({"note": [SECRET]}))  # type: ignore[arg-type]
    assert str(caught.value) == (
        "database must be a path, not a DataFrame\n"
        "DETAIL: Nothing of the value was looked at. Nothing was charged.\n"
        "HINT: Write dpduck.protect(data, unit='id') for a DataFrame."
    )
    with pytest.raises(ParameterError, match="epsilon of type DataFrame is not a decimal number"):
        dpduck.connect(base(), epsilon=pd.DataFrame({"note": [SECRET]}))  # type: ignore[arg-type]
