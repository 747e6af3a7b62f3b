"""What the functions of `register` say before they charge: they told of keys and of a score.

`dp_top_k` over the groups of a table refused a k with the number of groups in its text, for nothing, as
often as one liked; `dp_select` divided scores by a unit above the charge, and numpy's warning of an overflow
was a free bit. The list of candidates is public by contract; `delta` serves lists that come from private
rows. Scores are looked at below the data line alone.
"""

from __future__ import annotations

import subprocess
import sys
import warnings
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import duckdb
import pytest

import dpduck
from dpduck.doors.extension import register
from tests.gateway.serving import ENVIRONMENT
from tests.sources import Seeded

FOUND = {
    "dp_top_k": "dp_top_k(k, n, {k}, 1, delta := 1e-6)",
    "dp_top_k_counts": "dp_top_k_counts(k, n, {k}, 1, delta := 1e-6)",
    "dp_above": "dp_above(k, n, 5, {k}, 1, delta := 1e-6)",
}
LISTED = {
    "dp_top_k by index": "dp_top_k(n, {k}, 1)",
    "dp_top_k": "dp_top_k(k, n, {k}, 1)",
    "dp_top_k_counts": "dp_top_k_counts(k, n, {k}, 1)",
}


@pytest.fixture
def con(monkeypatch: pytest.MonkeyPatch) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection whose noise is the same each time."""
    monkeypatch.setattr(register, "SystemEntropy", Seeded)
    connection = duckdb.connect()
    dpduck.register(connection, session="ana", budget="1000")
    yield connection
    connection.close()


def seen(con: duckdb.DuckDBPyConnection, call: str, rows: str) -> tuple[str | None, Any, Decimal]:
    """The text of the error or None, the value, and what was charged; warnings are errors."""
    before = _spent(con)
    error, value = None, None
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            [(value,)] = con.execute(f"SELECT {call} FROM {rows}").fetchall()
        except duckdb.Error as caught:
            error = str(caught)
    return error, value, _spent(con) - before


def _spent(con: duckdb.DuckDBPyConnection) -> Decimal:
    rows = con.execute("SELECT epsilon_spent FROM dp_budget() WHERE scope = 'session'").fetchall()
    return Decimal(rows[0][0])


def keys(*counts: object) -> str:
    """A table of as many keys, with these counts."""
    rows = ", ".join(f"('k{i}', {'NULL' if n is None else n})" for i, n in enumerate(counts))
    return f"(SELECT k, n::BIGINT AS n FROM (VALUES {rows}) t(k, n))" if counts else f"{keys(0)} WHERE false"


@pytest.mark.parametrize("call", LISTED.values(), ids=LISTED)
@pytest.mark.parametrize("counts", [(), (None, None), (4711,), (4711, 815)])
def test_no_error_names_how_many_candidates_there_are(
    con: duckdb.DuckDBPyConnection, call: str, counts: tuple[object, ...]
) -> None:
    error, _, charged = seen(con, call.format(k=7), keys(*counts))
    assert error == (
        "Invalid Input Error: k is 7 but there are no more candidates than that\n"
        "DETAIL: The last gap is to the best candidate that is not selected, so one must be left. "
        "Nothing was charged.\n"
        "HINT: Ask for fewer. A list of keys that comes from private rows takes delta := 1e-6."
    )
    assert charged == 0


def test_select_and_above_name_no_number_either(con: duckdb.DuckDBPyConnection) -> None:
    for counts in ((), (None,), (3,)):
        error, _, charged = seen(con, "dp_select(k, n, 1)", keys(*counts))
        assert error is not None
        assert error.splitlines()[0] == "Invalid Input Error: there are fewer than 2 candidates"
        assert charged == 0
    for counts in ((), (None,)):
        error, _, charged = seen(con, "dp_above(k, n, 5, 3, 1)", keys(*counts))
        assert error is not None
        assert error.splitlines()[0] == "Invalid Input Error: k is 3 but there are no candidates"
        assert charged == 0


def test_above_takes_any_k(con: duckdb.DuckDBPyConnection) -> None:
    error, rows, charged = seen(con, "dp_above(k, n, 500, 100, 1)", keys(10, 9000))
    assert error is None
    assert [row["key"] for row in rows] == ["k1"]
    assert 0 < charged < 1


@pytest.mark.parametrize("call", FOUND.values(), ids=FOUND)
@pytest.mark.parametrize("counts", [(), (None,), (1,), (0, -5), (1, 1, 1, 1), (3, None)])
def test_with_delta_few_keys_are_charged_and_stay_hidden(
    con: duckdb.DuckDBPyConnection, call: str, counts: tuple[object, ...]
) -> None:
    for k in (1, 2, 9, 100):
        error, rows, charged = seen(con, call.format(k=k), keys(*counts))
        assert (error, rows) == (None, [])
        assert charged > 0


@pytest.mark.parametrize("call", FOUND.values(), ids=FOUND)
def test_with_delta_keys_of_many_are_found(con: duckdb.DuckDBPyConnection, call: str) -> None:
    error, rows, _ = seen(con, call.format(k=2), keys(1, 9000, 1, 5000, 2))
    assert error is None
    assert {row["key"] for row in rows} == {"k1", "k3"}
    assert (
        set(rows[0])
        == {
            "dp_top_k": {"rank", "key", "gap"},
            "dp_top_k_counts": {"rank", "key", "count", "low", "high", "gap"},
            "dp_above": {"key", "gap", "estimate", "low", "high", "epsilon_used"},
        }[call.partition("(")[0]]
    )


@pytest.mark.parametrize("call", FOUND.values(), ids=FOUND)
def test_the_delta_is_charged_and_recorded(con: duckdb.DuckDBPyConnection, call: str) -> None:
    seen(con, call.format(k=2), keys(1, 9000))
    [(delta, query)] = con.execute("SELECT delta, query FROM dp_ledger()").fetchall()
    assert delta == Decimal("0.000001")
    assert "delta = 0.000001" in query
    assert con.execute("SELECT delta_spent FROM dp_budget() WHERE scope = 'session'").fetchall() == [(delta,)]


@pytest.mark.parametrize("call", FOUND.values(), ids=FOUND)
@pytest.mark.parametrize(
    ("delta", "message"), [("0", "delta is 0"), ("1", "delta 1 is out of range"), ("'x'", "delta 'x' is not")]
)
def test_a_bad_delta_is_refused_for_nothing(
    con: duckdb.DuckDBPyConnection, call: str, delta: str, message: str
) -> None:
    error, _, charged = seen(con, call.format(k=2).replace("1e-6", delta), keys(1, 9000))
    assert error is not None
    assert error.startswith(f"Invalid Input Error: {message}")
    assert charged == 0


def test_the_index_of_a_private_row_is_not_for_sale(con: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(duckdb.BinderException):
        con.execute(f"SELECT dp_top_k(n, 1, 1, delta := 1e-6) FROM {keys(1, 9000)}")


EXTREME = ["1.7e308", "-1.7e308", "'inf'", "'-inf'", "'nan'", "5e-324", "1", "0"]


@pytest.mark.parametrize("score", EXTREME)
@pytest.mark.parametrize("sensitivity", ["1e-9", "1", "1e250", "'1e-60'"])
def test_a_score_as_a_double_is_never_told_of(
    con: duckdb.DuckDBPyConnection, score: str, sensitivity: str
) -> None:
    rows = f"(VALUES ('a', {score}::DOUBLE), ('b', 1::DOUBLE), ('c', 0::DOUBLE)) t(k, n)"
    error, value, charged = seen(con, f"dp_select(k, n, 1, sensitivity := {sensitivity})", rows)
    assert error is None
    assert value["item"] in ("a", "b", "c")
    assert charged == 1


@pytest.mark.parametrize("sensitivity", ["1e300", "'1e-290'"])
def test_a_sensitivity_that_no_float_can_hold_is_refused_for_nothing(
    con: duckdb.DuckDBPyConnection, sensitivity: str
) -> None:
    rows = "(VALUES ('a', 1::DOUBLE), ('b', 2::DOUBLE)) t(k, n)"
    error, _, charged = seen(con, f"dp_select(k, n, 1, sensitivity := {sensitivity})", rows)
    assert error is not None
    assert error.startswith("Invalid Input Error: sensitivity is out of range")
    assert charged == 0


@pytest.mark.parametrize("scores", [("'nan'", "'nan'"), ("'nan'", "'inf'"), ("1e308", "-1e308")])
def test_scores_that_are_no_numbers_are_candidates_all_the_same(
    con: duckdb.DuckDBPyConnection, scores: tuple[str, str]
) -> None:
    rows = f"(VALUES ('a', {scores[0]}::DOUBLE), ('b', {scores[1]}::DOUBLE)) t(k, n)"
    error, value, charged = seen(con, "dp_select(k, n, 1)", rows)
    assert error is None
    assert value["item"] in ("a", "b")
    assert charged == 1


@pytest.mark.parametrize("kind", ["FLOAT", "DOUBLE"])
@pytest.mark.parametrize("x", EXTREME)
def test_quantiles_and_modes_of_extreme_floats_say_nothing(
    con: duckdb.DuckDBPyConnection, kind: str, x: str
) -> None:
    if kind == "FLOAT":
        x = x.replace("308", "38").replace("5e-324", "1e-45")
    rows = f"(VALUES ({x}::{kind}), (0::{kind})) t(x)"
    wide = "lo := -1e18, hi := 1e18"
    for call in (
        "dp_median(x, 1, lo := 0, hi := 1)",
        "dp_median(x, 1, lo := 1e-200, hi := 2e-200)"
        if kind == "DOUBLE"
        else "dp_median(x, 1, lo := 0, hi := 9)",
        f"dp_quantile(x, 0.9, 1, {wide})",
        f"dp_mode(x, 1, domain := [0, 1]::{kind}[])",
        "dp_mode(x, 1, delta := 1e-6)",
    ):
        error, _, charged = seen(con, call, rows)
        assert error is None, call
        assert charged == 1


@pytest.mark.parametrize("bounds", ["lo := 1e-300, hi := 2e-300", "lo := 0, hi := 1e308, step := 1e-300"])
def test_a_grid_that_no_float_can_hold_is_refused_for_nothing(
    con: duckdb.DuckDBPyConnection, bounds: str
) -> None:
    error, _, charged = seen(con, f"dp_median(x, 1, {bounds})", "(SELECT 1e0 AS x)")
    assert error is not None
    assert error.startswith("Invalid Input Error: the grid is too ")
    assert charged == 0


@pytest.mark.parametrize("kind", ["TINYINT", "BIGINT", "HUGEINT", "UTINYINT", "UBIGINT", "DECIMAL(38,0)"])
def test_counts_at_the_ends_of_their_types_say_nothing(con: duckdb.DuckDBPyConnection, kind: str) -> None:
    ends = {"DECIMAL(38,0)": (-(10**38) + 1, 10**38 - 1)}
    bits = {"TINYINT": 8, "BIGINT": 64, "HUGEINT": 128, "UTINYINT": 8, "UBIGINT": 64}
    if kind in bits:
        low, high = -(2 ** (bits[kind] - 1)), 2 ** (bits[kind] - 1) - 1
        ends[kind] = (0, 2 ** bits[kind] - 1) if kind.startswith("U") else (low, high)
    for end in ends[kind]:
        rows = f"(VALUES ('a', '{end}'::{kind}), ('b', '1'::{kind}), ('c', '0'::{kind})) t(k, n)"
        for call in (*LISTED.values(), *FOUND.values(), "dp_above(k, n, 5, {k}, 1)", "dp_select(k, n, 1)"):
            error, _, charged = seen(con, call.format(k=2), rows)
            assert error is None, (call, end)
            assert charged > 0


@pytest.mark.parametrize(
    "call",
    [
        "dp_top_k(x, 1, 1)",
        "dp_top_k(x, x, 1, 1, delta := 1e-6)",
        "dp_above(x, x, 1, 1, 1)",
        "dp_select(x, x, 1)",
        "dp_mode(x, 1, delta := 1e-6)",
        "dp_median(x, 1, lo := 0, hi := 9)",
    ],
)
@pytest.mark.parametrize("high", [0, 2**128 - 1])
def test_whole_numbers_that_arrow_reads_as_negative_are_refused(
    con: duckdb.DuckDBPyConnection, call: str, high: int
) -> None:
    """Arrow hands UHUGEINT over as a signed number: above 2^127 one more unit would change the sign."""
    error, _, charged = seen(con, call, f"(VALUES ('{high}'::UHUGEINT), (1::UHUGEINT)) t(x)")
    assert error is not None
    assert "UHUGEINT" in error
    assert str(high) not in error or high == 0
    assert charged == 0


SCRIPT = """
import duckdb, dpduck
con = duckdb.connect()
con.execute("SET enable_progress_bar = false")  # it is printed where a machine is slow
dpduck.register(con)
rows = "(VALUES ('a', {score}::DOUBLE), ('b', 1::DOUBLE)) t(k, n)"
con.execute(f"SELECT dp_select(k, n, 1, sensitivity := 1e-9) IS NULL FROM {{rows}}".format()).fetchall()
"""


@pytest.mark.slow
def test_a_process_that_turns_warnings_into_errors_sees_none() -> None:
    ends = [
        subprocess.run(
            [sys.executable, "-W", "error::RuntimeWarning", "-c", SCRIPT.format(score=score)],
            capture_output=True,
            text=True,
            env=ENVIRONMENT,
        )
        for score in ("1.7e308", "2")
    ]
    assert [(end.returncode, end.stdout) for end in ends] == [(0, ""), (0, "")]
    assert "Warning" not in ends[0].stderr + ends[1].stderr
