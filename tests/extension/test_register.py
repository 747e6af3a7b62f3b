"""The dp_ functions on a plain DuckDB connection, as a person would use them."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pytest

import dpduck
from dpduck.doors.extension import register
from dpduck.doors.extension.functions import values
from dpduck.kernel.ledger import transactions
from tests.sources import Quiet


@pytest.fixture
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    connection = duckdb.connect()
    connection.execute(
        "CREATE TABLE baskets AS "
        "SELECT i AS basket, 'item ' || (i % (1 + i % 9)) AS item FROM range(9000) t(i)"
    )
    dpduck.register(connection, session="ana", budget="1000")
    yield connection
    connection.close()


@pytest.fixture
def quiet(monkeypatch: pytest.MonkeyPatch) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection whose noise is zero: answers equal plain SQL's."""
    monkeypatch.setattr(register, "SystemEntropy", Quiet)
    connection = duckdb.connect()
    dpduck.register(connection, session="ana", budget="100000")
    yield connection
    connection.close()


def one(connection: duckdb.DuckDBPyConnection, sql: str, params: Any = None) -> Any:
    rows = connection.execute(sql, params).fetchall() if params else connection.execute(sql).fetchall()
    return rows[0][0]


def spent(connection: duckdb.DuckDBPyConnection) -> Decimal:
    return one(connection, "SELECT epsilon_spent FROM dp_budget() WHERE scope = 'session'")


def refusal(connection: duckdb.DuckDBPyConnection, sql: str) -> str:
    with pytest.raises(duckdb.Error) as caught:
        connection.execute(sql).fetchall()
    return str(caught.value).removeprefix("Invalid Input Error: ")


COUNTS = "(SELECT item, count(*) AS n FROM baskets GROUP BY item)"


# --- answers --------------------------------------------------------------------------------------


def test_top_k_finds_rows_by_index_and_by_key(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("CREATE TABLE counts AS SELECT * FROM (VALUES ('a', 10), ('b', 9000), ('c', 500)) t(key, n)")
    by_index = one(con, "SELECT dp_top_k(n, 2, 1) FROM counts")
    assert [row["index"] for row in by_index] == [2, 3]
    by_key = one(con, "SELECT dp_top_k(key, n, 2, 1) FROM counts")
    assert [(row["rank"], row["key"]) for row in by_key] == [(1, "b"), (2, "c")]
    assert abs(by_key[0]["gap"] - 8500) < 100


def test_the_shapes_are_those_of_the_interface(con: duckdb.DuckDBPyConnection) -> None:
    def kind(sql: str) -> str:
        return str(con.execute(f"DESCRIBE {sql}").fetchone()[1])  # type: ignore[index]

    counts = "(SELECT 'a' AS key, 5 AS n UNION ALL SELECT 'b', 6)"
    assert (
        kind(f"SELECT dp_top_k(n, 1, 1) FROM {counts}")
        == 'STRUCT(rank INTEGER, "index" BIGINT, gap DOUBLE)[]'
    )
    assert (
        kind(f"SELECT dp_top_k(key, n, 1, 1) FROM {counts}")
        == 'STRUCT(rank INTEGER, "key" VARCHAR, gap DOUBLE)[]'
    )
    assert kind(f"SELECT dp_top_k_counts(key, n, 1, 1) FROM {counts}").replace('"', "") == (
        "STRUCT(rank INTEGER, key VARCHAR, count DOUBLE, low DOUBLE, high DOUBLE, gap DOUBLE)[]"
    )
    assert (
        kind(f"SELECT dp_select(key, n, 1) FROM {counts}")
        == "STRUCT(item VARCHAR, gap DOUBLE, p_value DOUBLE)"
    )
    for column_type in ("INTEGER", "BIGINT", "DECIMAL(9,2)", "DOUBLE", "FLOAT", "DATE", "TIMESTAMP"):
        assert kind(f"SELECT dp_median(NULL::{column_type}, 1, lo := 1, hi := 2)") == column_type
        assert kind(f"SELECT dp_mode(NULL::{column_type}, 1, delta := 1e-6)") == column_type
    assert spent(con) == 0


@pytest.mark.parametrize(
    ("kind", "values", "lo", "hi", "median"),
    [
        ("INTEGER", [1, 2, 3, 4, 90], "0", "100", 3),
        ("HUGEINT", [1, 2, 3, 4, 90], "0", "100", 3),
        ("UBIGINT", [1, 2, 3, 4, 2**63], "0", "100", 3),
        ("TINYINT", [-3, -2, -1], "-100", "100", -2),
        ("DECIMAL(9,2)", ["0.10", "0.25", "9.99"], "0", "10", Decimal("0.25")),
        ("DECIMAL(38,2)", ["0.10", "0.25", "9.99"], "0", "10", Decimal("0.25")),
        (
            "DATE",
            ["2024-01-01", "2024-02-29", "2024-12-31"],
            "'2024-01-01'",
            "'2024-12-31'",
            date(2024, 2, 29),
        ),
    ],
)
def test_median_without_noise_is_the_median(
    quiet: duckdb.DuckDBPyConnection, kind: str, values: list[Any], lo: str, hi: str, median: Any
) -> None:
    sql = f"SELECT dp_median(x::{kind}, 20, lo := {lo}, hi := {hi}) FROM (SELECT unnest($1) AS x)"
    assert one(quiet, sql, [[str(value) for value in values]]) == median


def test_median_of_floats_and_times_is_on_the_fine_grid(quiet: duckdb.DuckDBPyConnection) -> None:
    # 400 rows at each value: the best of 2^32 grid points is off by some rows, even with small noise.
    rows = "(SELECT unnest([0.1e0, 0.5e0, 'NaN', 0.9e0]) AS x FROM range(400))"
    assert abs(one(quiet, f"SELECT dp_median(x, 20, lo := 0, hi := 1) FROM {rows}") - 0.5) < 1e-9
    times = "(SELECT TIMESTAMP '2024-06-01' AS x FROM range(400))"
    median = one(quiet, f"SELECT dp_median(x, 20, lo := '2024-01-01', hi := '2025-01-01') FROM {times}")
    assert abs((median - datetime(2024, 6, 1)).total_seconds()) < 0.01


def test_values_beyond_the_bounds_count_at_the_bounds(quiet: duckdb.DuckDBPyConnection) -> None:
    rows = "(SELECT unnest(['-inf', 'inf', 'inf']::DOUBLE[]) AS x FROM range(400))"
    assert one(quiet, f"SELECT dp_median(x, 20, lo := 0, hi := 10) FROM {rows}") == 10


def test_quantile_and_step(quiet: duckdb.DuckDBPyConnection) -> None:
    rows = "range(1, 101) t(x)"
    assert one(quiet, f"SELECT dp_quantile(x, 0.9, 20, lo := 0, hi := 1000) FROM {rows}") in (90, 91)
    assert one(quiet, f"SELECT dp_quantile(x, 0.9, 20, lo := 0, hi := 1000, step := 25) FROM {rows}") in (
        75,
        100,
    )


def test_mode_by_domain_type_and_delta(quiet: duckdb.DuckDBPyConnection) -> None:
    quiet.execute(
        "CREATE TABLE t AS "
        "SELECT (i % 7 > 1) AS b, ['x', 'y', 'z'][1 + (i % 5) % 3] AS s FROM range(999) r(i)"
    )
    assert one(quiet, "SELECT dp_mode(b, 1) FROM t") is True
    assert one(quiet, "SELECT dp_mode(s::ENUM('z', 'y', 'x'), 1) FROM t") == "x"
    assert one(quiet, "SELECT dp_mode(s, 1, domain := ['x', 'y']) FROM t") == "x"
    assert one(quiet, "SELECT dp_mode(s, 1, domain := ['y', 'never']) FROM t") == "y"
    assert one(quiet, "SELECT dp_mode(s, 1, delta := 1e-6) FROM t") == "x"
    assert one(
        quiet, "SELECT dp_mode(DATE '2024-01-01' + (length(s) - 1)::INT, 1, delta := 1e-6) FROM t"
    ) == date(2024, 1, 1)


def test_a_private_mode_of_few_rows_stays_hidden(con: duckdb.DuckDBPyConnection) -> None:
    assert one(con, "SELECT dp_mode(x, 1, delta := 1e-9) FROM (SELECT 'secret' x)") is None


def test_select_reports_the_gap_in_score_units(con: duckdb.DuckDBPyConnection) -> None:
    rows = "(VALUES ('a', 1.25), ('b', 900.5), ('c', 880.5)) t(item, score)"
    for column in ("score", "score::DOUBLE", "score::DECIMAL(18,6)"):
        winner = one(con, f"SELECT dp_select(item, {column}, 10, sensitivity := 0.5) FROM {rows}")
        assert winner["item"] == "b"
        assert abs(winner["gap"] - 20) < 3
        assert winner["p_value"] < 1e-6


def test_counts_stay_close_and_inside_their_interval(con: duckdb.DuckDBPyConnection) -> None:
    truth = dict(con.execute(f"SELECT * FROM {COUNTS}").fetchall())
    rows = one(con, f"SELECT dp_top_k_counts(item, n, 3, 5) FROM {COUNTS}")
    for row in rows:
        assert row["low"] < row["count"] < row["high"]
        assert abs(row["count"] - truth[row["key"]]) < 30


# --- every way to write them ----------------------------------------------------------------------


def test_group_by_cte_view_and_prepared_parameters(con: duckdb.DuckDBPyConnection) -> None:
    grouped = con.execute(
        "SELECT basket % 2, dp_mode(basket % 3 = 0, 1) FROM baskets GROUP BY 1 ORDER BY 1"
    ).fetchall()
    assert [row[0] for row in grouped] == [0, 1]
    assert spent(con) == 2
    con.execute("CREATE TEMP VIEW v AS SELECT item, count(*) AS n FROM baskets GROUP BY item")
    top = one(con, "WITH c AS (FROM v) SELECT dp_top_k(item, n, ?, ?) FROM c", [2, 0.5])
    assert len(top) == 2
    con.execute("PREPARE q AS SELECT dp_top_k(item, n, $1, $2) FROM v")
    assert len(one(con, "EXECUTE q(3, 0.25)")) == 3
    assert spent(con) == Decimal("2.75")


def test_two_equal_calls_are_two_draws_and_two_charges(con: duckdb.DuckDBPyConnection) -> None:
    """Two draws are alike once in some hundred times, so that three pairs are not."""
    sql = (
        "SELECT dp_median(basket, 0.01, lo := 0, hi := 9000) AS a, "
        "dp_median(basket, 0.01, lo := 0, hi := 9000) AS b FROM baskets"
    )
    pairs = [con.execute(sql).fetchone() for _ in range(3)]
    assert any(pair is not None and pair[0] != pair[1] for pair in pairs)
    assert spent(con) == Decimal("0.06")


def test_explain_and_describe_cost_nothing(con: duckdb.DuckDBPyConnection) -> None:
    for prefix in ("EXPLAIN", "DESCRIBE"):
        con.execute(f"{prefix} SELECT dp_median(basket, 1, lo := 0, hi := 9) FROM baskets").fetchall()
    con.execute("PREPARE p AS SELECT dp_median(basket, 1, lo := 0, hi := 9) FROM baskets")
    assert spent(con) == 0


@pytest.mark.slow
def test_many_groups_in_several_threads_are_charged_exactly(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("SET threads = 4")
    answers = con.execute(
        "SELECT g, dp_top_k(n, 1, 0.001) "
        "FROM (SELECT i // 2 AS g, 1000 * (i % 2) AS n FROM range(20000) t(i)) GROUP BY g"
    ).fetchall()
    assert len(answers) == 10000
    assert spent(con) == 10
    assert one(con, "SELECT sum(evaluations) FROM dp_ledger()") == 10000


def test_null_rows_make_no_candidates_but_keep_their_index(con: duckdb.DuckDBPyConnection) -> None:
    assert one(con, "SELECT dp_top_k(n, 1, 5) FROM (SELECT unnest([NULL, 7, NULL, 700]) n)")[0]["index"] == 4
    assert "no more candidates than that" in refusal(
        con, "SELECT dp_top_k(n, 1, 5) FROM (SELECT NULL::INT n FROM range(5))"
    )
    assert spent(con) == 5


def test_a_null_key_is_a_candidate(con: duckdb.DuckDBPyConnection) -> None:
    top = one(con, "SELECT dp_top_k(k, n, 1, 5) FROM (VALUES (NULL, 9000), ('a', 5), ('b', 6)) t(k, n)")
    assert top[0]["key"] is None


def test_an_empty_table_is_answered_and_charged(con: duckdb.DuckDBPyConnection) -> None:
    assert 0 <= one(con, "SELECT dp_median(basket, 1, lo := 0, hi := 9) FROM baskets WHERE false") <= 9
    assert one(con, "SELECT dp_mode(item, 1, domain := ['a', 'b']) FROM baskets WHERE false") in ("a", "b")
    assert spent(con) == 2
    assert "fewer than 2 candidates" in refusal(
        con, "SELECT dp_select(item, basket, 1) FROM baskets WHERE false"
    )
    assert spent(con) == 2


# --- the ledger -----------------------------------------------------------------------------------


def test_the_cap_is_met_exactly_and_never_passed() -> None:
    con = duckdb.connect()
    dpduck.register(con, session="s", budget="1")
    for _ in range(10):
        con.execute("SELECT dp_mode(true, 0.1)").fetchall()
    assert refusal(con, "SELECT dp_mode(true, 0.1)") == (
        "query needs epsilon 0.1 but none remains\n"
        "DETAIL: The cap of session 's' is epsilon 1, of which 1 is spent. "
        "No data was read. Nothing was charged.\n"
        "HINT: Raise the budget of the session."
    )
    assert spent(con) == 1


def test_registering_again_continues_the_ledger_of_a_database_in_memory() -> None:
    con = duckdb.connect()
    dpduck.register(con, session="s", budget="1")
    con.execute("SELECT dp_mode(true, 0.6)").fetchall()
    dpduck.register(con, session="s", budget="1")
    assert "only 0.4 remains" in refusal(con, "SELECT dp_mode(true, 0.6)")
    other = con.cursor()
    dpduck.register(other, session="s", budget="1")
    assert "only 0.4 remains" in refusal(other, "SELECT dp_mode(true, 0.6)")


def test_a_second_connection_outlives_the_first(tmp_path: Path) -> None:
    file = str(tmp_path / "shop.duckdb")
    first, second = duckdb.connect(file), duckdb.connect(file)
    dpduck.register(first, session="a", budget="1")
    dpduck.register(second, session="b", budget="1")
    first.execute("SELECT dp_mode(true, 0.5)").fetchall()
    first.close()
    second.execute("SELECT dp_mode(true, 0.5)").fetchall()
    rows = second.execute("SELECT name, epsilon_spent FROM dp_budget() ORDER BY name").fetchall()
    assert rows == [("a", Decimal("0.5")), ("b", Decimal("0.5"))]
    assert (tmp_path / "shop.duckdb.ledger").stat().st_mode & 0o777 == 0o600
    second.close()


def test_functions_serve_threads_with_cursors_of_their_own(tmp_path: Path) -> None:
    file = str(tmp_path / "shop.duckdb")
    main = duckdb.connect(file)
    failures: list[BaseException] = []

    def work(number: int) -> None:
        try:
            cursor = main.cursor()
            dpduck.register(cursor, session=f"thread {number}", budget="1")
            for _ in range(10):
                cursor.execute("SELECT dp_median(x, 0.1, lo := 0, hi := 9) FROM range(10) t(x)").fetchall()
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    dpduck.register(main, session="main")
    assert one(main, "SELECT sum(epsilon) FROM dp_ledger()") == 4
    main.close()


def test_partial_charges_are_told() -> None:
    con = duckdb.connect()
    dpduck.register(con, session="s", budget="1")
    text = refusal(con, "SELECT dp_mode(b, e) FROM (VALUES (true, 0.9), (true, 0.8)) t(b, e) GROUP BY e")
    assert spent(con) in (Decimal("0.9"), Decimal("0.8"))
    assert f"Epsilon {spent(con).normalize()} was charged." in text


# --- bad input: before anything is drawn or charged -------------------------------------------------

BAD_EPSILON = [
    "'NaN'",
    "'inf'",
    "0",
    "-1",
    "0.00001",
    "21",
    "'1_0'",
    "'\u0660.\u0665'",  # Arabic digits
    "0.30000000000000004::DOUBLE",
    "NULL",
    "''",
]


@pytest.mark.parametrize("epsilon", BAD_EPSILON)
def test_a_bad_epsilon_is_refused(con: duckdb.DuckDBPyConnection, epsilon: str) -> None:
    text = refusal(con, f"SELECT dp_median(basket, {epsilon}, lo := 0, hi := 9) FROM baskets")
    assert text.startswith("epsilon ")
    assert "Nothing was charged." in text
    assert spent(con) == 0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("dp_top_k(n, 0, 1)", "k is 0"),
        ("dp_top_k(n, -3, 1)", "k is -3"),
        ("dp_top_k(n, 9, 1)", "k is 9 but there are no more candidates than that"),
        ("dp_top_k(n, 10001, 1)", "k is 10001"),
        ("dp_top_k(n, NULL, 1)", "k is not a whole number"),
        ("dp_top_k(n, 1.5, 1)", "k is not a whole number"),
        ("dp_top_k(n / 2, 1, 1)", "count_col is not a column of whole numbers"),
        ("dp_top_k(item, 1, 1)", "count_col is not a column of whole numbers"),
        ("dp_select(item, n, 1, sensitivity := 0)", "sensitivity 0 is not positive"),
        ("dp_select(item, n, 1, sensitivity := 'x')", "sensitivity 'x' is not a decimal number"),
        ("dp_select(item, n, 1, monotonic := NULL)", "monotonic is neither true nor false"),
        ("dp_mode(item, 1)", "dp_mode needs a domain or a delta"),
        ("dp_mode(item, 1, delta := 0)", "delta is 0"),
        ("dp_mode(item, 1, delta := 1)", "delta 1 is out of range"),
        ("dp_mode(item, 1, domain := [])", "the domain is no list of different values of type VARCHAR"),
        (
            "dp_mode(item, 1, domain := ['a', 'a'])",
            "the domain is no list of different values of type VARCHAR",
        ),
        ("dp_mode(n, 1, domain := ['a'])", "the domain is no list of different values of type BIGINT"),
        ("dp_mode([n], 1, delta := 1e-6)", "dp_mode does not take BIGINT[]"),
        ("dp_median(n, 1)", "a quantile needs public bounds"),
        ("dp_median(n, 1, lo := 5, hi := 5)", "lo 5 is not below hi 5"),
        ("dp_median(n, 1, lo := 9, hi := 5)", "lo 9 is not below hi 5"),
        ("dp_median(n, 1, lo := 0.5, hi := 5)", "0.5 is no bound for BIGINT"),
        ("dp_median(n, 1, lo := 0, hi := 5, step := 0)", "step 0 is no step for BIGINT"),
        ("dp_median(item, 1, lo := 'a', hi := 'b')", "a is no bound for VARCHAR"),
        ("dp_median(n::DOUBLE, 1, lo := 'nan'::DOUBLE, hi := 1)", "nan is no bound for DOUBLE"),
        ("dp_median(n::DOUBLE, 1, lo := 0, hi := 'inf'::DOUBLE)", "inf is no bound for DOUBLE"),
        ("dp_quantile(n, 0, 1, lo := 0, hi := 5)", "quantile 0 is out of range"),
        ("dp_quantile(n, 1.5, 1, lo := 0, hi := 5)", "quantile 1.5 is out of range"),
    ],
)
def test_bad_arguments_are_refused(con: duckdb.DuckDBPyConnection, call: str, message: str) -> None:
    text = refusal(con, f"SELECT {call} FROM {COUNTS}")
    assert text.splitlines()[0] == message
    assert "Nothing was charged." in text
    assert spent(con) == 0


def test_register_refuses_bad_arguments(tmp_path: Path) -> None:
    con = duckdb.connect()
    with pytest.raises(dpduck.ParameterError, match="budget 'x' is not a decimal number"):
        dpduck.register(con, budget="x")
    with pytest.raises(dpduck.ParameterError, match="epsilon 0 is out of range"):
        dpduck.register(con, epsilon=0)
    with pytest.raises(dpduck.LedgerError):
        dpduck.register(con, ledger=tmp_path / "no such folder" / "x.ledger")


def test_nothing_private_is_in_an_error_below_the_data_line(
    con: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> None:
        raise ValueError("the secret is 4711")

    monkeypatch.setattr(values, "quantile", fail)
    text = refusal(con, "SELECT dp_median(basket, 0.5, lo := 0, hi := 9) FROM baskets")
    assert text.startswith("query failed while reading private data")
    assert "4711" not in text
    assert "Epsilon 0.5 was charged." in text
    assert spent(con) == Decimal("0.5")


# --- above a threshold -------------------------------------------------------------------------------


def test_above_finds_keys_in_their_order_and_gives_back_the_rest(con: duckdb.DuckDBPyConnection) -> None:
    dpduck.register(con, session="above")
    con.execute("CREATE TABLE pages AS SELECT range AS page, 1000 * range AS n FROM range(10)")
    sql = "SELECT dp_above(page, n, 5500, 4, 1) FROM (FROM pages ORDER BY n DESC)"
    relation = con.execute(sql)
    assert str(relation.description[0][1]).startswith("STRUCT(")
    [(rows,)] = relation.fetchall()
    assert [row["key"] for row in rows] == [6, 7, 8, 9]
    for row in rows:
        assert row["estimate"] == 5500 + row["gap"]
        assert row["low"] <= row["estimate"] <= row["high"]
        assert abs(row["estimate"] - 1000 * row["key"]) < 500
        assert row["epsilon_used"] in (0.0895, 0.179)
    [(charged, query)] = con.execute("SELECT epsilon, query FROM dp_ledger()").fetchall()
    assert float(charged) == pytest.approx(0.284 + sum(row["epsilon_used"] for row in rows))
    assert query == "dp_above(threshold = 5500, k = 4, eps = 1)"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("dp_above(page, n, 0.5, 1, 1)", "threshold is not a whole number"),
        ("dp_above(page, n, 5, 0, 1)", "k is 0"),
        ("dp_above(page, n, 1::BIGINT << 62, 1, 1)", "the threshold is too large"),
    ],
)
def test_above_refuses_bad_input_for_nothing(con: duckdb.DuckDBPyConnection, call: str, message: str) -> None:
    dpduck.register(con, session="above")
    con.execute("CREATE TABLE pages AS SELECT range AS page, range AS n FROM range(3)")
    with pytest.raises(duckdb.Error, match=message):
        con.execute(f"SELECT {call} FROM pages").fetchall()
    assert con.execute("FROM dp_ledger()").fetchall() == []


def test_above_says_what_stays_charged_when_it_cannot_be_settled(
    con: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*arguments: object) -> object:
        raise dpduck.LedgerError("the disk is full")

    dpduck.register(con, session="above")
    con.execute("CREATE TABLE pages AS SELECT range AS page, 1000 * range AS n FROM range(10)")
    monkeypatch.setattr(transactions, "add_settlement", fail)
    with pytest.raises(duckdb.Error, match="Epsilon 1 was charged"):
        con.execute("SELECT dp_above(page, n, 5500, 4, 1) FROM pages").fetchall()
