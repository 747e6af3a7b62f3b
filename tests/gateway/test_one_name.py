"""One name takes all that it can have of a gateway: another one is answered all the same."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from tests.gateway import wiring as w
from tests.gateway.wiring import Gateway, Wired, error_of, kinds, rows_of, wait_for

COUNT = "SELECT count(*) FROM people"
LONG = f"{COUNT} WHERE age = 77"  # which ends when it is stopped
OTHER = "bo"
CONNECTIONS, STATEMENTS, MEMORY = 40, 4, 4_000_000
QUICK = f"""{w.SLOW}
from dataclasses import replace
from dpduck.doors.gateway import server
made = server.Gateway.__init__

def init(self, data, ledger, settings, limits, *rest, **named):
    made(self, data, ledger, settings, replace(limits, message_seconds=0.5), *rest, **named)

server.Gateway.__init__ = init
"""


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gateway]:
    file = w.make_shop(tmp_path_factory.mktemp("one") / "shop.duckdb")
    for name in (w.USER, OTHER):
        w.add_analyst(file, name)
    options = ("--max-connections", str(CONNECTIONS), "--max-statements", str(STATEMENTS), "--epsilon", "0.5")
    gateway = Gateway(file, *options, "--message-memory", "4MB", "--idle-timeout", "2", script=QUICK)
    yield gateway
    gateway.kill()
    log = "".join(gateway.log)
    assert "Traceback" not in log
    assert w.SECRET not in log


def is_served(gateway: Gateway) -> bool:
    with gateway.client(user=OTHER) as other:
        return rows_of(other.ask(f"SET dp_replay = off; {COUNT}")) != []


def refused(client: Wired) -> tuple[str, str]:
    """Severity and SQLSTATE of what the server says before it closes."""
    error = error_of([reply for reply in client.rest() if reply[0] == "E"])
    assert "Nothing was charged" in error["D"]
    return error["S"], error["C"]


def test_statements_have_half_of_the_places_and_others_come_on(gateway: Gateway) -> None:
    before = w.entries(gateway.file)
    with ExitStack() as opened:
        clients = [opened.enter_context(gateway.client()) for _ in range(6)]
        for client in clients:
            client.send(w.query(f"SET dp_replay = off; {LONG}"))
        wait_for(lambda: w.entries(gateway.file) == before + STATEMENTS // 2)
        for _ in range(3):
            assert is_served(gateway)
        assert (
            w.entries(gateway.file) == before + STATEMENTS // 2 + 3
        )  # of the others that wait none is charged
        for client in clients:  # also those that wait are stopped
            with Wired(gateway.port) as link:
                link.send(w.cancel(client.pid, client.key))
                link.rest()
        assert {error_of(client.until("Z"))["C"] for client in clients} == {"57014"}
        assert w.entries(gateway.file) <= before + STATEMENTS // 2 + 3 + 4


def test_who_waits_comes_on_when_a_place_is_free(gateway: Gateway) -> None:
    before = w.entries(gateway.file)
    with ExitStack() as opened:
        running = [opened.enter_context(gateway.client()) for _ in range(STATEMENTS // 2)]
        waiting = [opened.enter_context(gateway.client()) for _ in range(3)]
        for client in running:
            client.send(w.query(f"SET dp_replay = off; {LONG}"))
        wait_for(lambda: w.entries(gateway.file) == before + STATEMENTS // 2)
        for client in waiting:
            client.send(w.query(f"SET dp_replay = off; {COUNT}"))
        for client in running:
            client.socket.close()  # a client that is gone leaves its place
        assert all(rows_of(client.until("Z")) for client in waiting)


def test_a_client_that_leaves_while_it_waits_is_charged_nothing(gateway: Gateway) -> None:
    before = w.entries(gateway.file)
    with ExitStack() as opened:
        running = [opened.enter_context(gateway.client()) for _ in range(STATEMENTS // 2)]
        for client in running:
            client.send(w.query(f"SET dp_replay = off; {LONG}"))
        wait_for(lambda: w.entries(gateway.file) == before + STATEMENTS // 2)
        for _ in range(8):
            with gateway.client() as client:
                client.send(w.query(f"SET dp_replay = off; {COUNT}"))
        assert is_served(gateway)
    with gateway.client() as client:
        assert rows_of(client.ask("SELECT count(*) FROM cities"))
    assert w.entries(gateway.file) == before + STATEMENTS // 2 + 1


def test_connections_of_one_name_are_a_quarter(gateway: Gateway) -> None:
    with ExitStack() as opened:
        for _ in range(CONNECTIONS // 4):
            opened.enter_context(gateway.client())
        one_more = opened.enter_context(Wired(gateway.port))
        with pytest.raises(AssertionError, match="too many connections of this name"):
            one_more.login()
        assert is_served(gateway)
    with gateway.client() as client:
        assert kinds(client.ask("SELECT 1")) == "TDCZ"


def unfinished(client: Wired, size: int) -> None:
    client.send(b"Q" + struct.pack("!i", size))


def test_unfinished_messages_have_half_of_the_memory(gateway: Gateway) -> None:
    with ExitStack() as opened:
        first, second, other = (
            opened.enter_context(gateway.client(user=name)) for name in (w.USER, w.USER, OTHER)
        )
        unfinished(first, MEMORY // 2)
        unfinished(second, 100_000)
        assert refused(second) == ("FATAL", "53200")
        unfinished(other, MEMORY // 4 + 1)  # a half of what is left, and one more
        assert refused(other) == ("FATAL", "53200")
        assert is_served(gateway)
        first.send(b"SELECT city FROM cities -- ")
        assert refused(first) == ("FATAL", "57P05")  # it took too long
    with gateway.client() as client:  # and what it held is free
        text = f"SELECT city FROM cities -- {'x' * 900_000}"
        assert kinds(client.ask(text)) == "TDDDCZ"


def test_a_message_that_comes_in_parts_is_not_late_while_others_end(gateway: Gateway) -> None:
    """Each message has its own time: that of one that ended is not counted against the next."""
    with gateway.client() as client:
        data = w.query("SELECT 1")
        client.send(data[:7])
        for _ in range(40):
            client.send(data[7:] + data[:7])
            assert kinds(client.until("Z")) == "TDCZ"


def test_what_is_kept_counts_and_is_given_back(gateway: Gateway) -> None:
    with gateway.client() as client, gateway.client() as second:
        value = b"x" * 900_000
        client.send(w.parse("SELECT city FROM cities WHERE city = $1", "s", [25]) + w.SYNC)
        assert kinds(client.until("Z")) == "1Z"
        second.send(w.parse("SELECT city FROM cities WHERE city = $1", "s", [25]) + w.SYNC)
        assert kinds(second.until("Z")) == "1Z"
        client.send(w.query("BEGIN"))
        client.until("Z")
        for portal in "ab":
            client.send(w.bind([value], "s", portal) + w.SYNC)
            replies = client.until("Z")
        assert error_of(replies)["C"] == "53200"  # its message and its value would be more than a half
        second.send(w.bind([value], "s") + w.SYNC)
        replies = second.until("Z")
        assert error_of(replies)["C"] == "53200"
        client.ask("ROLLBACK")
        second.send(w.bind([value], "s") + w.SYNC)
        assert kinds(second.until("Z")) == "2Z"


def test_a_connection_that_says_nothing_ends(gateway: Gateway) -> None:
    with gateway.client() as client:
        assert refused(client) == ("FATAL", "57P05")


def test_a_flood_before_the_log_in_is_cut_off(gateway: Gateway) -> None:
    with Wired(gateway.port) as client:
        client.send(w.startup(user=w.USER, database="shop"))
        assert client.reply()[0] == "R"
        try:
            for _ in range(200):
                client.send(b"p" * 65_536)
        except ConnectionError:
            pass
        client.rest()
    assert is_served(gateway)
