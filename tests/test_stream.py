"""SparseVector: a stream of counts with a reservation and a settlement of its own."""

import copy
import pickle
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from functools import partial

import duckdb
import pytest

import dpduck
from dpduck.engines.duckdb.engine import DuckReader
from dpduck.kernel.ledger import transactions

THREE = "SELECT count(*) FROM visits WHERE page = ?"


@pytest.fixture
def db() -> Iterator[dpduck.Connection]:
    """Pages 0 to 9; page p has 1000 p visitors."""
    with duckdb.connect() as con:
        con.execute(
            "CREATE TABLE visits AS SELECT v AS visitor, p AS page FROM range(9000) t(v), range(10) u(p)"
        )
        con.execute("DELETE FROM visits WHERE visitor >= 1000 * page")
        con.execute("CREATE TABLE others AS SELECT range AS member FROM range(10)")
        with dpduck.connect(con, epsilon=1, budget=5) as connection:
            connection.execute("ALTER TABLE visits ADD PRIVACY_KEY (visitor)")
            connection.execute("ALTER TABLE others ADD PRIVACY_KEY (member)")
            yield connection


def spent(db: dpduck.Connection, scope: str) -> Decimal:
    return sum((r["epsilon_spent"] for r in db.budget().to_pylist() if r["scope"] == scope), Decimal(0))


def test_all_of_it_is_charged_first_and_what_is_not_used_comes_back(db: dpduck.Connection) -> None:
    with dpduck.SparseVector(5000, 4, 1, db) as above:
        assert spent(db, "session") == 0
        assert above.ask(THREE, [1]) is None
        assert spent(db, "session") == spent(db, "people") == 1
        assert above.ask(THREE, [2]) is None
        found = above.ask(THREE, [9])
        assert found is not None
        assert found.low <= found.estimate <= found.high
        assert abs(found.estimate - 9000) < 500
        assert (above.epsilon_used, above.is_over) == ("1", False)
    # The threshold has 284 thousandths; an answer far above takes an eighth of the rest.
    assert Decimal(above.epsilon_used) == Decimal("0.3735")
    assert spent(db, "session") == spent(db, "people") == Decimal("0.3735")
    [row] = db.ledger().to_pylist()
    assert (row["epsilon"], row["mechanism"]) == (Decimal("0.3735"), "sparse_vector")
    assert row["query"] == "SparseVector(threshold=5000, k=4, epsilon=1, adaptive=True, measure=False)"
    assert above.close() == above.close()
    with pytest.raises(dpduck.ParameterError, match="the stream is over"):
        above.ask(THREE, [9])


def test_it_ends_when_its_answers_are_used_up(db: dpduck.Connection) -> None:
    above = dpduck.SparseVector(1000, 2, 2, db, adaptive=False)
    pages = iter([9, 8, 7, 6])
    while not above.is_over:
        assert above.ask(THREE, [next(pages)]) is not None
    assert next(pages) == 7
    assert [round(answer.estimate, -3) for answer in above.close()] == [9000, 8000]
    assert above.epsilon_used == "2"


def test_counts_are_measured_at_the_end(db: dpduck.Connection) -> None:
    with dpduck.SparseVector(5000, 2, 4, db, measure=True) as above:
        assert above.ask(THREE, [9]) is not None
    [answer] = above.close()
    assert answer.low <= answer.estimate <= answer.high
    assert answer.high - answer.low < 10
    assert abs(answer.estimate - 9000) < 10


def test_a_stream_that_is_not_closed_keeps_its_charge(db: dpduck.Connection) -> None:
    above = dpduck.SparseVector(5000, 2, "0.5", db)
    above.ask(THREE, [1])
    del above
    assert spent(db, "people") == Decimal("0.5")


def test_one_that_was_never_asked_costs_nothing(db: dpduck.Connection) -> None:
    with dpduck.SparseVector(5000, 2, "0.5", db) as above:
        pass
    assert (above.close(), above.epsilon_used, db.ledger().num_rows) == ([], "0", 0)


@pytest.mark.parametrize(
    ("question", "message"),
    [
        ("SELECT count(*) + 1 FROM visits", "this is not one count"),
        ("SELECT count(*), 1 FROM visits", "this is not one count"),
        ("SELECT count(*) FROM visits HAVING count(*) > 3", "this is not one count"),
        ("SELECT page, count(*) FROM visits GROUP BY page", "no public domain"),
        ("SELECT avg(page) FROM visits", "range"),
        ("SELECT 1", "this is not one count"),
        ("SET dp_epsilon = 1", "this is not one count"),
        ("SELECT count(*) FROM nowhere", "nowhere does not exist"),
        (7, "a number is asked of a connection"),
    ],
)
def test_what_is_not_one_count_is_refused_and_not_charged(
    db: dpduck.Connection, question: str | int, message: str
) -> None:
    above = dpduck.SparseVector(5000, 2, 1, db)
    with pytest.raises(dpduck.DpduckError, match=message) as caught:
        above.ask(question)
    assert caught.value.charged == "0"
    assert db.ledger().num_rows == 0
    assert above.ask(THREE, [0]) is None  # nothing is lost


def test_counts_of_bounded_rows_are_refused(db: dpduck.Connection) -> None:
    """One unit would move them by more than 1."""
    db.execute("ALTER TABLE visits SET PRIVACY CONTRIBUTION (rows = 3)")
    above = dpduck.SparseVector(5000, 2, 1, db)
    with pytest.raises(dpduck.ParameterError, match="this is not one count"):
        above.ask("SELECT count(*) FROM visits")
    assert above.ask("SELECT count(DISTINCT visitor) FROM visits WHERE page = 0") is None


def test_other_people_need_a_stream_of_their_own(db: dpduck.Connection) -> None:
    with dpduck.SparseVector(5000, 2, 1, db) as above:
        above.ask(THREE, [0])
        with pytest.raises(dpduck.ParameterError, match="about others than the first one"):
            above.ask("SELECT count(*) FROM others")
        assert above.ask(THREE, [0]) is None


def test_the_cap_holds_before_anything_is_read(db: dpduck.Connection) -> None:
    above = dpduck.SparseVector(5000, 2, 6, db)
    with pytest.raises(dpduck.BudgetExceededError):
        above.ask(THREE, [9])
    assert spent(db, "session") == 0


def test_what_fails_below_the_line_says_what_was_charged(
    db: dpduck.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    above = dpduck.SparseVector(5000, 2, 1, db)

    def fail(*arguments: object) -> int:
        raise ValueError("planted-4711")

    monkeypatch.setattr(DuckReader, "read", fail)
    with pytest.raises(dpduck.DpduckError) as caught:
        above.ask(THREE, [9])
    assert (type(caught.value).__name__, caught.value.charged) == ("ExecutionError", "1")
    assert "4711" not in repr(caught.value) + str(caught.value.__cause__) + str(caught.value.__context__)
    monkeypatch.undo()
    with pytest.raises(dpduck.ParameterError, match="the stream is over"):
        above.ask(THREE, [9])
    assert (above.close(), above.epsilon_used, spent(db, "people")) == ([], "1", 1)


def test_a_settlement_that_fails_says_that_all_stays_charged(
    db: dpduck.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*arguments: object) -> object:
        raise dpduck.LedgerError("the disk is full")

    above = dpduck.SparseVector(5000, 2, 1, db)
    above.ask(THREE, [9])
    monkeypatch.setattr(transactions, "add_settlement", fail)
    with pytest.raises(dpduck.LedgerError) as caught:
        above.close()
    assert caught.value.charged == "1"
    assert "Epsilon 1 was charged." in str(caught.value)
    monkeypatch.undo()
    assert len(above.close()) == 1  # nothing is lost
    assert (above.epsilon_used, spent(db, "people")) == ("1", 1)


def test_threads_share_its_answers() -> None:
    """n = 20 streams, 8 threads each: never more than k answers, and never two thresholds."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for _ in range(20):
            above = dpduck.SparseVector(100, 2, 5, adaptive=False)
            with ThreadPoolExecutor(8) as pool:
                found = [answer for answer in pool.map(partial(_ask_or_none, above), range(16)) if answer]
            assert len(found) == len(above.close()) == 2
            assert above.epsilon_used == "5"
    finally:
        sys.setswitchinterval(interval)


def _ask_or_none(above: dpduck.SparseVector, _: int) -> object | None:
    try:
        return above.ask(100_000)
    except dpduck.ParameterError:
        return None


def test_it_cannot_be_copied_or_taken_to_another_process(monkeypatch: pytest.MonkeyPatch) -> None:
    above = dpduck.SparseVector(100, 2, 5)
    for duplicate in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match="cannot be copied"):
            duplicate(above)
    monkeypatch.setattr("os.getpid", lambda: -1)
    for use in (lambda: above.ask(1000), above.close):
        with pytest.raises(dpduck.ParameterError, match="belongs to another process"):
            use()


def test_no_public_name_of_a_connection_reads_a_count(db: dpduck.Connection) -> None:
    assert [name for name in dir(db) if "service" in name.lower() and not name.startswith("_")] == []


# Numbers


def test_numbers_are_asked_without_a_connection() -> None:
    above = dpduck.SparseVector(100, 3, 5, session="ana", budget=6)
    assert [above.ask(count) is not None for count in (0, 1000, 3)] == [False, True, False]
    assert above.close()[0].estimate == pytest.approx(1000, abs=50)
    assert 0 < Decimal(above.epsilon_used) < 4


@pytest.mark.parametrize("count", [-1, 2**62, 10**400])
def test_a_number_out_of_range_is_refused(count: int) -> None:
    above = dpduck.SparseVector(100, 3, 1)
    with pytest.raises(dpduck.ParameterError, match="the count is out of range"):
        above.ask(count)
    assert above.epsilon_used == "0"


@pytest.mark.parametrize("count", ["SELECT 1", 1.5, True, None])
def test_what_is_no_number_is_refused(count: object) -> None:
    with pytest.raises(dpduck.ParameterError, match="the count is not a whole number"):
        dpduck.SparseVector(100, 3, 1).ask(count)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((1.5, 3, 1), "threshold is not a whole number"),
        ((5, "3", 1), "k is not a whole number"),
        ((5, 0, 1), "k is 0"),
        ((2**62, 1, 1), "the threshold is too large"),
        ((5, 1, 0), "epsilon"),
        ((5, 1, "x"), "epsilon"),
    ],
)
def test_bad_parameters_are_refused(arguments: tuple[object, ...], message: str) -> None:
    with pytest.raises(dpduck.ParameterError, match=message):
        dpduck.SparseVector(*arguments)  # type: ignore[arg-type]


def test_a_connection_has_a_ledger_of_its_own(db: dpduck.Connection) -> None:
    with pytest.raises(dpduck.ParameterError, match="of its own"):
        dpduck.SparseVector(5, 1, 1, db, session="ana")


def test_its_repr_shows_no_count() -> None:
    above = dpduck.SparseVector(100, 3, 5)
    above.ask(123_456)
    assert "123" not in repr(above)
