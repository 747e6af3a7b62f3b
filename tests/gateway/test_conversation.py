"""What a client says and hears once it has logged in, with a real database and ledger, without a socket."""

from __future__ import annotations

import random
import threading
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pyarrow as pa
import pytest

from dpduck.answers import pipeline, preparation
from dpduck.compiler.compile import plan_and_whole
from dpduck.doors.gateway import portals
from dpduck.doors.gateway.protocol.states import State
from dpduck.engines.duckdb.engine import DuckReader
from dpduck.kernel.errors import UNKNOWN, InternalError, LedgerError
from dpduck.kernel.ledger import Charge
from dpduck.kernel.tree.relations import SelectQuery
from tests.gateway import wiring as w
from tests.gateway.talking import House, Talk
from tests.gateway.wiring import columns_of, error_of, kinds, rows_of, tags_of
from tests.sources import HALF, Quiet

COUNT = "SELECT count(*) FROM people"
CITIES = "SELECT city, size FROM cities ORDER BY size"
BY_CITY = "SELECT city, count(*) AS n FROM people GROUP BY city ORDER BY city"


# --- simple queries ------------------------------------------------------------------------------


def test_a_public_query(talk: Talk) -> None:
    replies = talk.ask(CITIES)
    assert kinds(replies) == "TDDDCZ"
    assert [(name, form) for name, _, form in columns_of(replies)] == [("city", 0), ("size", 0)]
    assert rows_of(replies) == [("aachen", "1"), ("bonn", "2"), ("celle", "3")]
    assert tags_of(replies) == ["SELECT 3"]
    assert replies[-1] == ("Z", b"I")
    assert talk.charges == 0
    assert not talk.held


def test_a_private_query_is_charged_once_and_held(talk: Talk) -> None:
    replies = talk.ask(COUNT)
    assert kinds(replies) == "NTDCZ"
    assert talk.charges == 1
    assert talk.held
    assert [(done.charged, done.fresh, done.sqlstate) for done in talk.done] == [("0.5", True, "00000")]


def test_a_replay_is_told_of_and_not_held(talk: Talk) -> None:
    first = talk.ask(BY_CITY)
    talk.held = False
    for _ in range(3):
        again = talk.ask(BY_CITY)
        assert kinds(again) == "NNTDDDCZ"  # its error, and that it is one, with which rows are left out
        assert rows_of(again) == rows_of(first)
        assert "nothing was charged" in error_of(again[1:2], "N")["M"]
        assert not talk.held
    assert sum(entry.epsilon for entry in talk.house.ledger.entries()) == 1 / 2
    assert kinds(talk.ask("SET dp_replay = off")) == "SCZ"
    talk.ask(BY_CITY)
    assert sum(entry.epsilon for entry in talk.house.ledger.entries()) == 1


EMPTY = (
    f"{BY_CITY} LIMIT 0",
    "SELECT city FROM people WHERE 1 = 0",
    f"SELECT * FROM ({BY_CITY}) AS t LIMIT 0",
)


@pytest.mark.parametrize("sql", EMPTY)
def test_a_probe_for_names_and_types(talk: Talk, sql: str) -> None:
    replies = talk.ask(sql)
    assert kinds(replies) == "TCZ"
    assert columns_of(replies)[0][0] == "city"
    described = talk.say(w.parse(sql), w.describe("S"), w.bind(), w.describe("P"), w.execute(), w.SYNC)
    assert kinds(described) == "1tT2TCZ"
    assert talk.charges == 0
    assert not talk.held


def test_a_preview_is_told_of(talk: Talk) -> None:
    sql = "SELECT city FROM people LIMIT 10"
    assert kinds(talk.ask(sql)) == "EZ"
    talk.ask("SET dp_preview = 'empty'")
    replies = talk.ask(sql)
    assert kinds(replies) == "NTCZ"
    assert "private rows are never listed" in error_of(replies, "N")["M"]
    described = talk.say(w.parse(sql), w.describe("S"), w.bind(), w.execute(), w.SYNC)
    assert [kind for kind in kinds(described) if kind != "N"] == list("1tT2CZ")
    assert talk.charges == 0


def test_an_answer_that_is_noise_is_told_of(talk: Talk) -> None:
    talk.service._entropy = Quiet(HALF)
    talk.ask("SET dp_epsilon = 0.0001")
    for extra in "", "N":  # afresh, and replayed
        replies = talk.ask(COUNT)
        assert kinds(replies) == f"N{extra}NTDCZ"
        assert "Noise exceeds count(*)." in error_of(replies[1 + len(extra) :], "N")["M"]


def test_nothing_to_say(talk: Talk) -> None:
    for text in ("", " ; ;", "-- nothing", "/* nothing */;"):
        assert kinds(talk.ask(text)) == "IZ"


def test_several_statements(talk: Talk) -> None:
    replies = talk.ask(f"BEGIN; {CITIES}; SHOW dp_epsilon; {COUNT}; COMMIT")
    assert kinds(replies) == "CTDDDCTDCNTDCCZ"
    assert tags_of(replies) == ["BEGIN", "SELECT 3", "SHOW", "SELECT 1", "COMMIT"]
    assert talk.charges == 1


def test_a_failure_ends_the_rest_of_the_text(talk: Talk) -> None:
    replies = talk.ask(f"{CITIES}; SELECT nothing FROM cities; {COUNT}")
    assert kinds(replies) == "TDDDCEZ"
    assert talk.charges == 0


def test_an_error_says_where_it_is_in_the_whole_text(talk: Talk) -> None:
    before = f"{CITIES}; /* ä */  "
    wrong = "SELECT nothing FROM people"
    alone = error_of(talk.ask(wrong)).get("P")
    assert alone is not None
    assert int(error_of(talk.ask(before + wrong))["P"]) == len(before) + int(alone)
    assert int(error_of(talk.ask("  \n" + wrong))["P"]) == 3 + int(alone)
    assert int(error_of(talk.say(w.parse("  \n" + wrong), w.describe("S"), w.SYNC))["P"]) == 3 + int(alone)
    replies = talk.say(w.parse("  \n" + wrong), w.bind(), w.execute(), w.SYNC)
    assert int(error_of(replies)["P"]) == 3 + int(alone)
    assert int(error_of(talk.ask(f"COPY ({wrong}) TO STDOUT"))["P"]) == 6 + int(alone)
    assert int(error_of(talk.ask(f" ; COPY ({wrong}) TO STDOUT"))["P"]) == 9 + int(alone)


def test_an_unfinished_text_and_one_that_is_too_long(talk: Talk) -> None:
    assert error_of(talk.ask("SELECT 'a"))["C"] == "42601"
    assert error_of(talk.ask(f"SELECT {'1,' * 600_000} 1"))["C"] == "42601"
    assert kinds(talk.ask(CITIES)) == "TDDDCZ"


def test_nobody_sees_that_an_answer_is_there_before_its_moment(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another session could ask whether it is kept again and again, and so learn how long the query took."""
    seen: list[tuple[int, int, int]] = []
    ledger = talk.house.ledger

    def answers() -> Sequence[object]:
        return ((found := ledger.new_answers(0)) and found.answers) or ()

    def look() -> None:
        told = [row[0] or "" for row in rows_of(talk.house.talk().ask(f"EXPLAIN {COUNT}"))]
        seen.append((talk.charges, len(answers()), sum("replayed" in line for line in told)))

    monkeypatch.setattr(talk.service, "_pause", look)
    talk.ask(COUNT)
    assert seen == [(1, 0, 0)]
    assert len(answers()) == 1
    assert "replayed" in str(rows_of(talk.house.talk().ask(f"EXPLAIN {COUNT}")))


# --- the extended protocol -----------------------------------------------------------------------


def test_one_round(talk: Talk) -> None:
    replies = talk.say(
        w.parse("SELECT city FROM cities WHERE size >= $1 ORDER BY 1"),
        w.describe("S"),
        w.bind([b"2"]),
        w.describe("P"),
        w.execute(),
        w.SYNC,
    )
    assert kinds(replies) == "1tT2TDDCZ"
    assert rows_of(replies) == [("bonn",), ("celle",)]


def test_describing_neither_runs_nor_charges(talk: Talk) -> None:
    for sql in (COUNT, BY_CITY, f"COPY ({COUNT}) TO STDOUT", "EXPLAIN " + COUNT):
        replies = talk.say(w.parse(sql), w.describe("S"), w.bind(), w.describe("P"), w.SYNC)
        assert kinds(replies) in ("1tT2TZ", "1tn2nZ")
    assert talk.charges == 0
    assert talk.done == []


def test_each_execute_of_a_new_portal_is_charged_once(talk: Talk) -> None:
    talk.ask("SET dp_replay = off")
    talk.say(w.parse(COUNT, "s"), w.SYNC)
    for number in (1, 2, 3):
        assert kinds(talk.say(w.bind((), "s"), w.execute(), w.SYNC)) == "2NDCZ"
        assert talk.charges == number


def test_a_portal_that_has_ended_gives_no_rows_and_is_not_charged(talk: Talk) -> None:
    replies = talk.say(w.parse(COUNT), w.bind(), *[w.execute()] * 4, w.SYNC)
    assert kinds(replies) == "12NDCCCCZ"
    assert tags_of(replies) == ["SELECT 1", "SELECT 0", "SELECT 0", "SELECT 0"]
    assert talk.charges == 1
    assert sum(done.charged != "0" for done in talk.done) == 1


def test_rows_in_parts(talk: Talk) -> None:
    replies = talk.say(w.parse(BY_CITY), w.bind((), "", "p"), *[w.execute("p", 1)] * 4, w.SYNC)
    assert kinds(replies) == "12NNDsDsDCCZ"
    assert talk.charges == 1
    whole = talk.say(w.parse(CITIES), w.bind(), w.execute("", 3), w.execute("", 0), w.SYNC)
    assert kinds(whole) == "12DDDCCZ"
    for limit in (1, 2, 7, 8_192, 8_193, 16_384, 20_000, 20_001):
        start = w.parse("SELECT n FROM numbers ORDER BY n") + w.bind() + w.execute("", limit)
        found = rows_of(talk.say(start, *[w.execute("", limit)] * 3, w.SYNC))
        assert [int(row[0] or -1) for row in found] == list(range(min(4 * limit, 20_000)))


def test_parts_of_a_replay(talk: Talk) -> None:
    talk.ask(BY_CITY)
    for limits in ((1, 0), (2, 2), (0, 1), (3, 3)):
        rows = talk.say(w.parse(BY_CITY), w.bind(), *(w.execute("", n) for n in limits), w.SYNC)
        assert [row[0] for row in rows_of(rows)] == ["aachen", "bonn", "celle"]


def test_a_portal_lives_as_long_as_its_transaction(talk: Talk) -> None:
    assert (
        kinds(talk.say(w.parse(CITIES, "s"), w.bind((), "s", "p"), w.SYNC, w.execute("p"), w.SYNC)) == "12ZEZ"
    )
    talk.ask("BEGIN")
    assert (
        kinds(talk.say(w.bind((), "s", "p"), w.execute("p", 1), w.SYNC, w.execute("p"), w.SYNC)) == "2DsZDDCZ"
    )
    talk.ask("COMMIT")
    assert error_of(talk.say(w.execute("p"), w.SYNC))["C"] == "34000"


def test_a_portal_that_failed_after_its_charge_does_not_run_again(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(reader: DuckReader, sql: str, given: pa.Table | None = None) -> pa.Table:
        raise RuntimeError(w.SECRET)

    talk.ask("BEGIN")
    monkeypatch.setattr(DuckReader, "read", fail)
    failed = talk.say(w.parse(COUNT), w.bind((), "", "p"), w.execute("p"), w.SYNC)
    assert error_of(failed)["C"] == "58000"
    assert kinds(talk.say(w.execute("p"), w.SYNC)) == "EZ"
    talk.ask("ROLLBACK")
    assert error_of(talk.say(w.execute("p"), w.SYNC))["C"] == "34000"
    assert talk.charges == 1


def test_commands_and_copies_run_once_for_each_portal(talk: Talk) -> None:
    for sql in ("SET application_name = 'x'", f"COPY ({CITIES}) TO STDOUT"):
        replies = talk.say(w.parse(sql), w.bind(), w.execute(), w.execute(), w.SYNC)
        assert error_of(replies)["C"] == "55000"
    talk.ask(COUNT)
    replies = talk.say(w.parse(f"COPY ({COUNT}) TO STDOUT"), w.bind(), w.execute(), w.execute(), w.SYNC)
    assert kinds(replies) == "12NNHdcCEZ"


def test_named_statements_and_portals(talk: Talk) -> None:
    assert kinds(talk.say(w.parse(CITIES, "s"), w.bind((), "s"), w.execute(), w.SYNC)) == "12DDDCZ"
    assert error_of(talk.say(w.parse(CITIES, "s"), w.SYNC))["C"] == "42P05"
    assert error_of(talk.say(w.bind((), "s", "p"), w.bind((), "s", "p"), w.SYNC))["C"] == "42P03"
    assert error_of(talk.say(w.bind((), "other"), w.SYNC))["C"] == "26000"
    assert error_of(talk.say(w.describe("S", "other"), w.SYNC))["C"] == "26000"
    assert error_of(talk.say(w.describe("P", "other"), w.SYNC))["C"] == "34000"
    assert kinds(talk.say(w.close("S", "s"), w.close("S", "s"), w.close("P", "none"), w.SYNC)) == "333Z"
    assert error_of(talk.say(w.bind((), "s"), w.SYNC))["C"] == "26000"
    assert kinds(talk.say(w.parse(CITIES, "s"), w.parse("", ""), w.parse(CITIES), w.SYNC)) == "111Z"
    assert tags_of(talk.ask("DEALLOCATE s")) == ["DEALLOCATE"]
    assert error_of(talk.ask("DEALLOCATE s"))["C"] == "26000"
    talk.say(w.parse(CITIES, "s"), w.SYNC)
    assert tags_of(talk.ask("DEALLOCATE ALL")) == ["DEALLOCATE"]
    assert error_of(talk.say(w.bind((), "s"), w.SYNC))["C"] == "26000"


def test_an_empty_statement(talk: Talk) -> None:
    replies = talk.say(w.parse("  "), w.describe("S"), w.bind(), w.describe("P"), w.execute(), w.SYNC)
    assert kinds(replies) == "1tn2nIZ"
    assert error_of(talk.say(w.parse(f"{CITIES}; {CITIES}"), w.SYNC))["C"] == "42601"


def test_all_is_skipped_from_an_error_to_sync(talk: Talk) -> None:
    replies = talk.say(w.parse("SELEC"), w.bind(), w.describe(), w.execute(), w.FLUSH, w.query(COUNT), w.SYNC)
    assert kinds(replies) == "12EZ"
    assert talk.charges == 0
    assert kinds(talk.say(w.parse(CITIES), w.bind(), w.execute(), w.SYNC)) == "12DDDCZ"


def test_a_flush_sends_without_an_end(talk: Talk) -> None:
    chunks = list(talk.work(w.parse(CITIES), w.FLUSH, w.bind(), w.FLUSH))
    assert chunks == [w.message("1"), b"", w.message("2"), b""]


def test_parameters_that_do_not_fit(talk: Talk) -> None:
    sql = "SELECT city FROM cities WHERE size = $1"
    assert error_of(talk.say(w.parse(sql), w.bind(), w.SYNC))["C"] == "08P01"
    assert error_of(talk.say(w.parse(sql), w.bind([b"1", b"2"]), w.SYNC))["C"] == "08P01"
    assert error_of(talk.say(w.parse(sql), w.bind([b"x"]), w.SYNC))["C"] == "22023"
    assert (
        error_of(talk.say(w.parse(sql, "", [23]), w.bind([b"\0\0\0"], formats=[1]), w.SYNC))["C"] == "22023"
    )
    assert talk.wire.state is State.READY
    replies = talk.say(w.parse(sql, "", [23]), w.bind([b"\0\0\0\x02"], formats=[1]), w.execute(), w.SYNC)
    assert rows_of(replies) == [("bonn",)]
    assert rows_of(talk.say(w.parse(sql), w.bind([None]), w.execute(), w.SYNC)) == []


@pytest.mark.parametrize("number", ["1001", "65536", "99999999", "4000000000", "9" * 5000])
def test_a_parameter_of_a_high_number_is_refused_at_once(talk: Talk, number: str) -> None:
    for sql in (
        f"SELECT city FROM cities WHERE size = ${number}",
        f"SELECT oid FROM pg_class WHERE oid = ${number}",
    ):
        assert kinds(talk.say(w.parse(sql), w.describe("S"), w.SYNC))[-2:] == "EZ"
        assert kinds(talk.ask(sql)) == "EZ"


def test_columns_in_binary(talk: Talk) -> None:
    replies = talk.say(w.parse(CITIES), w.bind(results=[0, 1]), w.describe("P"), w.execute(), w.SYNC)
    assert [form for _, _, form in columns_of(replies)] == [0, 1]
    assert [body[-4:] for kind, body in replies if kind == "D"] == [b"\0\0\0\1", b"\0\0\0\2", b"\0\0\0\3"]


def test_formats_that_do_not_fit_are_refused_before_the_charge(talk: Talk) -> None:
    for count in (2, 3, 5):
        replies = talk.say(w.parse(COUNT), w.bind(results=[0] * count), w.execute(), w.SYNC)
        assert kinds(replies) == "12EZ"
        assert error_of(replies)["C"] == "08P01"
    assert talk.charges == 0
    assert talk.wire.state is State.READY


def test_other_types_than_were_told_are_refused_before_the_charge(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = talk.queries.columns
    for kind in ("S", "P"):
        talk.say(w.parse(COUNT, kind), w.SYNC)
        messages = [w.bind((), kind), w.describe(kind, kind if kind == "S" else "")]
        assert kinds(talk.say(*messages, w.FLUSH))[-1] == "T"

        def other(*given: Any) -> Any:
            found = plain(*given)
            return None if found is None else tuple(type(c)(c.name, "VARCHAR") for c in found)

        monkeypatch.setattr(talk.queries, "columns", other)
        failed = talk.say(w.execute(), w.SYNC)
        monkeypatch.undo()
        assert "other types than was said" in error_of(failed)["M"]
    assert talk.charges == 0


def test_an_old_way_to_call_functions(talk: Talk) -> None:
    assert kinds(talk.say(w.message("F", b"\0\0\0\1\0\0\0\0\0\0"))) == "EZ"
    assert kinds(talk.say(w.message("d", b"x"), w.message("c"), w.message("f", b"x\0"))) == ""


def test_what_is_no_message_ends_it(talk: Talk) -> None:
    failure = error_of(talk.say(w.message("!", b"")))
    assert (failure["S"], failure["C"]) == ("FATAL", "08P01")
    assert talk.wire.state is State.CLOSED
    assert talk.ask(COUNT) == []
    assert talk.charges == 0


def test_goodbye(talk: Talk) -> None:
    assert talk.say(w.TERMINATE, w.query(COUNT)) == []
    assert talk.wire.state is State.CLOSED
    assert talk.charges == 0


# --- transactions --------------------------------------------------------------------------------


def status(talk: Talk, sql: str) -> str:
    return talk.ask(sql)[-1][1].decode()


def test_the_status_of_a_transaction(talk: Talk) -> None:
    assert status(talk, CITIES) == "I"
    assert status(talk, "SELECT nothing FROM cities") == "I"
    assert status(talk, "BEGIN") == "T"
    assert status(talk, CITIES) == "T"
    assert status(talk, "SELECT nothing FROM cities") == "E"
    refused = talk.ask(COUNT)
    assert error_of(refused)["C"] == "25P02"
    assert kinds(talk.say(w.parse(CITIES), w.bind(), w.execute(), w.SYNC)) == "12EZ"
    assert status(talk, "SAVEPOINT a") == "E"
    assert tags_of(talk.ask("COMMIT")) == ["ROLLBACK"]
    assert status(talk, CITIES) == "I"
    assert talk.charges == 0


def test_savepoints(talk: Talk) -> None:
    assert status(talk, "START TRANSACTION; SAVEPOINT a") == "T"
    assert status(talk, "SELECT nothing FROM cities") == "E"
    assert status(talk, "ROLLBACK TO a") == "T"
    assert status(talk, CITIES) == "T"
    assert status(talk, "ROLLBACK") == "I"


def test_nothing_is_refunded_by_a_rollback(talk: Talk) -> None:
    talk.ask("BEGIN")
    talk.ask(COUNT)
    talk.ask("ROLLBACK")
    assert talk.charges == 1


# --- settings ------------------------------------------------------------------------------------


def test_settings_of_ours(talk: Talk) -> None:
    assert rows_of(talk.ask("SHOW dp_epsilon")) == [("0.5",)]
    assert tags_of(talk.ask("SET dp_epsilon = 0.25; SHOW dp_epsilon")) == ["SET", "SHOW"]
    talk.ask(COUNT)
    assert [str(entry.epsilon) for entry in talk.house.ledger.entries()] == ["1/4"]
    assert rows_of(talk.ask("RESET dp_epsilon; SHOW dp_epsilon")) == [("0.5",)]
    assert rows_of(talk.ask("SET dp_epsilon = 3; RESET ALL; SHOW dp_epsilon")) == [("0.5",)]
    assert rows_of(talk.ask("SET dp_replay TO off; DISCARD ALL; SHOW dp_replay")) == [("on",)]
    assert error_of(talk.ask("SET dp_epsilon = 100"))["C"] == "22023"
    assert error_of(talk.ask("SET dp_budget = 100"))["C"] == "42703"
    assert error_of(talk.ask("SHOW dp_nothing"))["C"] == "42703"


def test_settings_of_postgres(talk: Talk) -> None:
    replies = talk.ask("SET application_name = 'it''s'")
    assert replies[0] == ("S", b"application_name\0it's\0")
    assert rows_of(talk.ask("SHOW application_name")) == [("it's",)]
    assert kinds(talk.ask("SET search_path TO a, b")) == "CZ"
    assert rows_of(talk.ask("SHOW search_path")) == [("a, b",)]
    assert kinds(talk.ask("SET TIME ZONE 'Europe/Berlin'")) == "NCZ"
    assert error_of(talk.ask("SET client_encoding = 'LATIN2'"))["C"] == "22023"
    assert kinds(talk.ask("DISCARD ALL"))[-2:] == "CZ"
    assert rows_of(talk.ask("SHOW application_name")) == [("",)]


def test_describing_a_show(talk: Talk) -> None:
    replies = talk.say(w.parse("SHOW timezone"), w.describe("S"), w.bind(), w.execute(), w.SYNC)
    assert kinds(replies) == "1tT2DCZ"
    assert rows_of(replies) == [("UTC",)]


# --- COPY ----------------------------------------------------------------------------------------


def test_copy(talk: Talk) -> None:
    replies = talk.ask(f"COPY ({CITIES}) TO STDOUT")
    assert kinds(replies) == "HdddcCZ"
    assert b"".join(body for kind, body in replies if kind == "d") == b"aachen\t1\nbonn\t2\ncelle\t3\n"
    assert tags_of(replies) == ["COPY 3"]
    replies = talk.ask("COPY cities (size) TO STDOUT (FORMAT csv, HEADER)")
    assert kinds(replies) == "HddddcCZ"
    replies = talk.ask(f"COPY ({COUNT}) TO STDOUT (FORMAT binary)")
    assert talk.charges == 1
    assert talk.held
    assert next(body for kind, body in replies if kind == "d").startswith(b"PGCOPY\n\xff\r\n\0")


@pytest.mark.parametrize(
    "sql",
    [
        "COPY",
        "COPY TO STDOUT",
        "COPY () TO STDOUT",
        "COPY ( TO STDOUT",
        "COPY cities FROM STDIN",
        "COPY cities TO '/tmp/x'",
        "COPY people TO STDOUT",
        f"COPY ({COUNT}) TO PROGRAM 'ls'",
        f"COPY ({COUNT}) TO STDOUT (FORMAT parquet)",
        f"COPY ({COUNT}) TO STDOUT (DELIMITER 'ab')",
        f"COPY ({COUNT}) TO STDOUT (NOTHING 1)",
        f"COPY ({COUNT}; SELECT 1) TO STDOUT",
        "COPY (SELECT name FROM people) TO STDOUT",
        "COPY cities (city) , people TO STDOUT",
    ],
)
def test_copies_that_are_refused(talk: Talk, sql: str) -> None:
    replies = talk.ask(sql)
    assert kinds(replies) == "EZ"
    assert error_of(replies)["C"] != "XX000"
    assert talk.charges == 0


# --- stops ---------------------------------------------------------------------------------------


class Slow:
    """Stands in for DuckDB: a read that ends when it is stopped, and says when it has begun."""

    def __init__(self, talk: Talk) -> None:
        self.begun, self.over = threading.Event(), threading.Event()
        self._interrupts = talk.service.interrupts
        self._plain = DuckReader.read

    def interrupt(self) -> None:
        self.over.set()

    def read(self, reader: DuckReader, query: SelectQuery, given: pa.Table | None = None) -> pa.Table:
        with self._interrupts.during(self):
            self.begun.set()
            assert self.over.wait(10)
            if self._interrupts.stopped:
                raise RuntimeError(w.SECRET)
        return self._plain(reader, query, given)


@pytest.fixture
def slow(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> Slow:
    slow = Slow(talk)
    monkeypatch.setattr(DuckReader, "read", lambda *asked: slow.read(*asked))
    return slow


def in_thread(talk: Talk, *messages: bytes) -> tuple[threading.Thread, list[w.Reply]]:
    replies: list[w.Reply] = []
    thread = threading.Thread(target=lambda: replies.extend(talk.say(*messages)))
    thread.start()
    return thread, replies


def test_a_stop_tells_what_was_charged(talk: Talk, slow: Slow) -> None:
    thread, replies = in_thread(talk, w.query(f"{COUNT}; {COUNT}"))
    assert slow.begun.wait(10)
    talk.running.stop("enough")
    thread.join(10)
    failure = error_of(replies)
    assert kinds(replies) == "EZ"
    assert (failure["C"], failure["M"]) == ("57014", "enough")
    assert failure["D"] == "The charge stays. Epsilon 0.5 was charged."
    assert talk.charges == 1
    assert talk.held
    assert talk.done[-1].sqlstate == "57014"


def test_a_stop_while_the_ledger_does_not_confirm_claims_nothing(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lost(_: Charge) -> int:
        talk.running.stop("enough")
        raise LedgerError("ledger did not confirm what was written", charged=UNKNOWN)

    monkeypatch.setattr(talk.house.ledger, "charge", lost)
    failure = error_of(talk.ask(COUNT))
    assert (failure["C"], failure["D"]) == ("57014", "Whether anything was charged is not known.")
    assert talk.done[-1].charged == UNKNOWN


def test_a_stop_while_a_query_is_planned_charged_nothing(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    def made(*asked: Any) -> Any:
        talk.running.stop("enough")
        return plan_and_whole(*asked)

    monkeypatch.setattr(preparation, "plan_and_whole", made)
    failure = error_of(talk.ask(COUNT))
    assert (failure["C"], failure["M"], failure["D"]) == ("57014", "enough", "Nothing was charged.")
    assert (talk.charges, talk.done[-1].charged) == (0, "0")


def test_a_stop_after_the_answer_was_stored_tells_what_was_charged(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = pipeline._keep

    def kept(*asked: Any) -> Fraction:
        used = plain(*asked)
        talk.running.stop("enough")
        return used

    monkeypatch.setattr(pipeline, "_keep", kept)
    asked = "SELECT city, count(*) FROM people GROUP BY city HAVING count(*) > 0"
    failure = error_of(talk.ask(asked))
    assert (failure["C"], failure["D"]) == ("57014", "The charge stays. Epsilon 0.5 was charged.")
    assert (talk.charges, talk.done[-1].charged) == (1, "0.5")


def test_an_unforeseen_error_after_the_charge_claims_nothing(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise KeyError("secret")

    monkeypatch.setattr(talk.house.ledger, "settle", fails)
    failure = error_of(talk.ask(COUNT))
    assert failure["C"] == "XX000"
    assert failure["D"].endswith("in the ledger. Whether anything was charged is not known.")
    assert "secret" not in str(failure)
    assert talk.charges == 1


def test_a_stop_for_another_message_is_without_effect(talk: Talk, slow: Slow) -> None:
    number = talk.running.number
    thread, replies = in_thread(talk, w.query(COUNT))
    assert slow.begun.wait(10)
    talk.running.stop("enough", number)
    assert not slow.over.is_set()
    talk.running.stop("enough", number + 1)
    thread.join(10)
    assert error_of(replies)["C"] == "57014"


def test_a_stop_when_nothing_runs_does_not_hit_the_next(talk: Talk) -> None:
    for _ in range(3):
        talk.running.stop("too early")
        assert not talk.service.interrupts.stopped
        assert kinds(talk.ask(CITIES)) == "TDDDCZ"
    talk.running.stop_again()
    assert kinds(talk.ask(COUNT)) == "NTDCZ"


def test_a_stop_between_the_statements_of_one_text_ends_it_before_the_next_charge(talk: Talk) -> None:
    replies = b""
    for chunk in talk.work(w.query(f"{CITIES}; {COUNT}; {COUNT}")):
        replies += chunk
        if w.kinds(w.replies_in(replies)) == "TDDDC":
            talk.running.stop("enough")
    assert kinds(w.replies_in(replies)) == "TDDDCEZ"
    assert error_of(w.replies_in(replies))["D"] == "Nothing was charged."
    assert talk.charges == 0


def test_after_the_end_nothing_begins(talk: Talk) -> None:
    talk.running.end("the client is gone")
    assert kinds(talk.ask(COUNT)) == "EZ"
    assert kinds(talk.say(w.parse(COUNT), w.bind(), w.execute(), w.SYNC)) == "12EZ"
    assert error_of(talk.ask(CITIES))["C"] == "57014"
    assert talk.charges == 0


def test_a_suspended_portal_can_be_stopped_too(talk: Talk) -> None:
    sql = "SELECT n FROM numbers"
    assert kinds(talk.say(w.parse(sql), w.bind(), w.execute("", 1), w.FLUSH)) == "12Ds"
    work = talk.work(w.execute(), w.SYNC)
    heard = next(work)
    talk.running.stop("enough")
    replies = w.replies_in(heard + b"".join(work))
    assert kinds(replies)[-1] == "Z"
    assert kinds(talk.ask(CITIES)) == "TDDDCZ"


def test_a_conversation_that_is_left_lets_go(talk: Talk) -> None:
    work = talk.work(w.query("SELECT n FROM numbers; " + COUNT))
    next(work)
    work.close()  # type: ignore[attr-defined]
    talk.conversation.close()
    assert talk.running.started is None
    assert not talk.service.interrupts._running
    assert talk.charges == 0


# --- what a failure says -------------------------------------------------------------------------


def test_a_failure_below_the_data_line_is_constant_and_held(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(reader: DuckReader, sql: str, given: pa.Table | None = None) -> pa.Table:
        raise RuntimeError(w.SECRET)

    monkeypatch.setattr(DuckReader, "read", fail)
    replies = talk.ask(COUNT)
    assert error_of(replies)["C"] == "58000"
    assert "Epsilon 0.5 was charged." in error_of(replies)["D"]
    assert w.SECRET.encode() not in b"".join(body for _, body in replies)
    assert talk.held


@pytest.mark.parametrize("where", ["_made", "_evaluated", "_few"])
def test_a_fault_after_the_charge_does_not_deny_it(
    talk: Talk, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    def fail(*given: object) -> Any:
        raise RuntimeError(w.SECRET)

    monkeypatch.setattr(talk.queries, where, fail)
    for messages in ([w.query(COUNT)], [w.parse(COUNT), w.bind(), w.execute(), w.SYNC]):
        talk.ask("SET dp_replay = off")
        talk.held = False
        failure = error_of(talk.say(*messages))
        assert failure["C"] == InternalError.sqlstate
        assert "Epsilon 0.5 was charged." in failure["D"]
        assert "Nothing was charged" not in failure["D"]
        assert w.SECRET not in str(failure)
        assert talk.held
        assert talk.done[-1].charged == "0.5"
    assert talk.charges == 2


def test_a_fault_while_rows_are_written_does_not_deny_the_charge(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*given: object) -> bytes:
        raise RuntimeError(w.SECRET)

    monkeypatch.setattr(portals, "data_rows", fail)
    failure = error_of(talk.ask(COUNT))
    assert "Epsilon 0.5 was charged." in failure["D"]
    assert talk.charges == 1


# --- what one connection may keep ----------------------------------------------------------------


def test_what_is_kept_has_limits(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(portals, "MOST", 3)
    monkeypatch.setattr(portals, "MOST_PORTALS", 3)
    for name in "abc":
        assert kinds(talk.say(w.parse(CITIES, name), w.SYNC)) == "1Z"
    assert error_of(talk.say(w.parse(CITIES, "d"), w.SYNC))["C"] == "54000"
    talk.ask("BEGIN")
    for name in "abc":
        assert kinds(talk.say(w.bind((), "a", name), w.SYNC)) == "2Z"
    assert error_of(talk.say(w.bind((), "a", "d"), w.SYNC))["C"] == "54000"


def test_texts_and_values_that_are_kept_have_limits(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(portals, "MOST_TEXT", 100)
    monkeypatch.setattr(portals, "MOST_VALUES", 10)
    talk.say(w.parse(CITIES, "a"), w.parse(CITIES, "b"), w.SYNC)
    assert error_of(talk.say(w.parse(CITIES, "c"), w.SYNC))["C"] == "54000"
    talk.ask("DEALLOCATE ALL")
    talk.say(w.parse("SELECT city FROM cities WHERE city = $1", "a"), w.SYNC)
    assert kinds(talk.say(w.bind([b"1234567890"], "a"), w.SYNC)) == "2Z"
    assert error_of(talk.say(w.bind([b"12345678901"], "a"), w.SYNC))["C"] == "54000"
    assert (
        error_of(talk.say(w.bind([b"123456"], "a", "x"), w.bind([b"123456"], "a", "y"), w.SYNC))["C"]
        == "54000"
    )


def test_many_messages_in_one_go(talk: Talk) -> None:
    round_ = w.parse(CITIES) + w.bind() + w.execute() + w.SYNC
    assert kinds(talk.say(round_ * 300)) == "12DDDCZ" * 300


# --- anything ------------------------------------------------------------------------------------

ROUNDS = [
    w.query(CITIES),
    w.query("BEGIN; SHOW timezone; COMMIT"),
    w.query("SELECT nothing FROM people"),
    w.query(f"COPY ({CITIES}) TO STDOUT"),
    w.parse("SELECT city FROM cities WHERE size = $1", "s")
    + w.bind([b"1"], "s", "p")
    + w.execute("p", 1)
    + w.SYNC,
    w.parse("SELECT relname FROM pg_class WHERE oid = $1")
    + w.describe("S")
    + w.bind([b"1"])
    + w.execute()
    + w.SYNC,
    w.describe("P", "p") + w.close("S", "s") + w.FLUSH + w.message("F") + w.SYNC,
    w.query("SET application_name = 'x'; DISCARD ALL"),
]


def test_broken_rounds_charge_nothing_and_are_answered(house: House) -> None:
    """Valid rounds with bytes changed: no fault of ours, nothing charged, and each Sync answered."""
    words = random.Random(11)
    talk, faults = house.talk(), 0
    for _ in range(4_000):
        data = bytearray(words.choice(ROUNDS))
        for _ in range(words.randrange(1, 3)):
            data[words.randrange(len(data))] = words.choice(b"\0\1\xff'$;QPBDECHS aA1")
        cut = words.randrange(len(data))
        replies = b"".join(talk.work(bytes(data[:cut]))) + b"".join(talk.work(bytes(data[cut:])))
        found = w.replies_in(replies)
        faults += sum(b"CXX000\0" in body for kind, body in found if kind == "E")
        if talk.wire.state is State.CLOSED or talk.wire.waits:
            talk.conversation.close()
            talk = house.talk()
    assert faults == 0
    assert talk.charges == 0


def spent(talk: Talk) -> Fraction:
    return sum((entry.epsilon for entry in talk.house.ledger.entries()), Fraction(0))


def errors_said(replies: Sequence[w.Reply]) -> list[str]:
    """The first notice of each answer."""
    notices = [body for kind, body in replies if kind == "N"]
    return [part[1:].decode() for body in notices[:1] for part in body.split(b"\0") if part[:1] == b"M"]


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        (COUNT, "count(*) ± 6 (95 %)"),
        (BY_CITY, "n ± 6 (95 %)"),
        ("SELECT count(*) a, count(*) b, count(*) c, count(*) d FROM people", "b ± 6 and 2 more (95 %)"),
        ("SELECT n FROM (SELECT count(*) AS n FROM people) AS t", "n ± 6 (95 %)"),
        ("SELECT count(*) AS a FROM people UNION ALL SELECT 1", "a ± 6 (95 %)"),
    ],
)
def test_the_first_notice_is_the_error(talk: Talk, sql: str, said: str) -> None:
    """Of a fresh answer, and of one that is given again."""
    for _ in range(3):
        [line] = errors_said(talk.ask(sql))
        assert line.endswith(said)
        assert len(line.split()) <= 12
    assert spent(talk) == Fraction(1, 2)


def test_an_answer_that_is_given_again_has_the_error_of_its_noise(talk: Talk) -> None:
    talk.ask(COUNT)
    talk.ask("SET dp_epsilon = 0.25")
    replies = talk.ask(COUNT)
    assert errors_said(replies) == ["count(*) ± 6 (95 %)"]
    assert spent(talk) == Fraction(1, 2)


def test_public_rows_have_no_error(talk: Talk) -> None:
    assert kinds(talk.ask(CITIES)) == "TDDDCZ"


# --- SET dp_intervals ----------------------------------------------------------------------------


def names_of(replies: Sequence[w.Reply]) -> list[str]:
    """The names in RowDescription."""
    return [name for name, _, _ in columns_of(replies)]


def test_ends_are_columns_where_they_are_asked_for(talk: Talk) -> None:
    before = talk.ask(BY_CITY)
    assert kinds(talk.ask("SET dp_intervals = 'columns'")) == "SCZ"
    after = talk.ask(BY_CITY)
    assert spent(talk) == Fraction(1, 2)
    assert names_of(after) == ["city", "n", "n_low", "n_high"]
    assert [row[:2] for row in rows_of(after)] == rows_of(before)
    assert all(float(low) <= float(n) <= float(high) for _, n, low, high in rows_of(after))
    talk.ask("RESET dp_intervals")
    assert names_of(talk.ask(BY_CITY)) == ["city", "n"]


def test_a_statement_is_described_with_its_ends(talk: Talk) -> None:
    talk.ask("SET dp_intervals = columns")
    described = talk.say(w.parse(BY_CITY, "s"), w.describe("S", "s"), w.SYNC)
    assert names_of(described) == ["city", "n", "n_low", "n_high"]
    assert talk.charges == 0
    replies = talk.say(w.bind((), "s", "p"), w.describe("P", "p"), w.execute("p"), w.SYNC)
    assert names_of(replies) == ["city", "n", "n_low", "n_high"]
    assert len(rows_of(replies)[0]) == 4


def test_what_was_described_otherwise_does_not_run(talk: Talk) -> None:
    talk.say(w.parse(BY_CITY, "s"), w.describe("S", "s"), w.SYNC)
    talk.ask("SET dp_intervals = columns")
    replies = talk.say(w.bind((), "s"), w.execute(), w.SYNC)
    assert "columns are of other types than was said" in error_of(replies)["M"]
    assert talk.charges == 0


def test_other_values_are_named_and_nothing_is_charged(talk: Talk) -> None:
    said = error_of(talk.ask("SET dp_intervals = 'rows'"))
    assert said["M"] == "dp_intervals is columns or off"
    assert "n_low and n_high" in said["D"]
    assert rows_of(talk.ask("SHOW dp_intervals")) == [("off",)]
    assert talk.charges == 0


def test_a_copy_a_cursor_and_a_view_have_them_too(talk: Talk) -> None:
    talk.ask("SET dp_intervals = columns")
    copied = [body for kind, body in talk.ask(f"COPY ({BY_CITY}) TO STDOUT") if kind == "d"]
    assert all(line.count(b"\t") == 3 for line in b"".join(copied).splitlines())
    talk.ask("BEGIN")
    talk.ask(f"DECLARE c CURSOR FOR {BY_CITY}")
    assert names_of(talk.ask("FETCH 1 FROM c")) == ["city", "n", "n_low", "n_high"]
    talk.ask("COMMIT")
    talk.ask(f"CREATE TEMP VIEW v AS {BY_CITY}")
    assert names_of(talk.ask("SELECT * FROM v")) == ["city", "n", "n_low", "n_high"]
    assert names_of(talk.ask("SELECT n AS m FROM v")) == ["m", "m_low", "m_high"]
    assert spent(talk) == Fraction(1, 2)
