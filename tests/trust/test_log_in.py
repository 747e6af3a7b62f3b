"""Who may log in, as those see it who may not: names could be told apart, and passwords tried fast.

The salt of a name that nobody has changed with each start of the server, that of an analyst did not; and 649
wrong passwords a second were answered.
"""

from __future__ import annotations

import base64
import json
import re
import socket
import sqlite3
import subprocess
import sys
import threading
import time
import urllib.request
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from dpduck.doors.gateway import login_delays
from dpduck.doors.gateway.errors import ConnectionRefusedError, LockedOutError
from dpduck.doors.gateway.login_delays import LoginDelays
from dpduck.doors.gateway.scram import salt_of, secret_of, verifier_of
from dpduck.kernel.errors import LedgerError, ParameterError, UnknownNameError
from dpduck.kernel.ledger import LoginChange, Role, open_ledger
from tests.gateway import wiring as w
from tests.gateway.serving import ENVIRONMENT, let_in, serving
from tests.gateway.wiring import PASSWORD, Wired, make_shop

NAMES = [
    "bob",
    "x",
    "ana ",
    "Ana",
    "n" * 200,
    "ä",
    "a\u0308",
    "\u212bngström",
    "ﬀ",
    "\u00adana",
    "🦆",
    "'; --",
]


def challenge(port: int, name: str, scram: w.Scram | None = None) -> dict[str, str]:
    """The fields of the challenge to a name."""
    scram = scram or w.Scram()
    with Wired(port) as client:
        client.send(w.startup(user=name, database="shop"))
        client.reply()
        client.send(w.sasl_initial(scram.first))
        _, data = client.reply()
    fields = dict(part.split("=", 1) for part in data[4:].decode().split(","))
    return {"s": fields["s"], "i": fields["i"], "r": str(len(fields["r"]))}


def refusal(port: int, name: str) -> str:
    """What is said to a wrong password, without the name."""
    with Wired(port, timeout=30) as client, pytest.raises((AssertionError, ConnectionError)) as caught:
        client.login(name, "wrong password")
    return str(caught.value).replace(f"user {name!r}", "NAME")


def test_challenges_stay_the_same_when_the_server_starts_again_and_when_a_name_is_let_in(
    tmp_path: Path,
) -> None:
    file = make_shop(tmp_path / "shop.duckdb")
    seen = []
    for step in range(3):
        with serving(file) as (port, _):
            seen.append({name: challenge(port, name) for name in ("ana", *NAMES)})
        if step == 1:
            let_in(file, "ana", PASSWORD)
            let_in(file, "ä", PASSWORD)
    assert seen[0] == seen[1] == seen[2]
    challenges = list(seen[0].values())
    assert len({one["s"] for one in challenges}) == len(challenges)
    assert len({(one["i"], one["r"], len(base64.b64decode(one["s"]))) for one in challenges}) == 1


def test_a_new_password_and_a_farewell_leave_the_salt(tmp_path: Path) -> None:
    with open_ledger(tmp_path / "ledger") as ledger:
        salt = salt_of("ana", secret_of(ledger))
        for password in (PASSWORD, PASSWORD + "!"):
            ledger.put_analyst("ana", verifier_of(password, salt_of("ana", secret_of(ledger))))
            [analyst] = ledger.analysts()
            assert analyst.verifier.split(":")[1].startswith(base64.b64encode(salt).decode() + "$")
        ledger.drop_analyst("ana")
    with open_ledger(tmp_path / "ledger") as ledger:
        assert salt_of("ana", secret_of(ledger)) == salt
        ledger.verify()


def test_the_secret_is_nobody(tmp_path: Path) -> None:
    with open_ledger(tmp_path / "ledger") as ledger:
        first = secret_of(ledger)
        assert len(first) == 32
        assert secret_of(ledger) == first
        assert ledger.analysts() == []
        with pytest.raises(UnknownNameError):
            ledger.drop_analyst("")
        with pytest.raises(ParameterError):
            ledger.put_analyst("", "x")
        assert secret_of(ledger) == first


def test_every_name_hears_the_same(tmp_path: Path) -> None:
    file = make_shop(tmp_path / "shop.duckdb")
    let_in(file, "ana", PASSWORD)
    with serving(file) as (port, _):
        said = {refusal(port, name) for name in ("ana", "bob", "ﬀ", "ä")}
    assert len(said) == 1


def test_a_damaged_verifier_tells_of_no_name(tmp_path: Path) -> None:
    file = make_shop(tmp_path / "shop.duckdb")
    with open_ledger(f"{file}.ledger") as ledger:
        ledger.put_analyst("ana", "SCRAM-SHA-256$damaged")
    with serving(file) as (port, _):
        assert refusal(port, "ana") == refusal(port, "bob")
    assert "a verifier in the ledger is damaged" in Path(f"{file}.log").read_text()


# --- how fast passwords can be tried --------------------------------------------------------------------


def test_wrong_passwords_are_slow_and_the_right_one_still_comes_in(tmp_path: Path) -> None:
    file = make_shop(tmp_path / "shop.duckdb")
    let_in(file, "ana", PASSWORD)
    with serving(file) as (port, _):
        ends: list[float] = []
        stop = time.monotonic() + 6

        def guess() -> None:
            while time.monotonic() < stop:
                refusal(port, "ana")
                ends.append(time.monotonic())

        threads = [threading.Thread(target=guess) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        tried = sum(end < stop for end in ends)
        assert 10 <= tried <= 10 + 6 + 8  # ten at once, one a second from then on; and those on their way
        with Wired(port, timeout=30) as client:
            client.login("ana", PASSWORD)


def test_right_passwords_never_wait(tmp_path: Path) -> None:
    file = make_shop(tmp_path / "shop.duckdb")
    let_in(file, "ana", PASSWORD)
    with serving(file) as (port, _):
        clients = [Wired(port) for _ in range(20)]  # of a quarter of all connections
        before = time.monotonic()
        for client in clients:
            client.login("ana", PASSWORD)
        assert time.monotonic() - before < 30
        for client in clients:
            client.socket.shutdown(socket.SHUT_RDWR)
            client.socket.close()


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def tries(delays: LoginDelays, clock: Clock, address: str, name: str, seconds: float) -> int:
    """How many wrong passwords one client gets through in a time."""
    end, count = clock.now + seconds, 0
    while clock.now < end:
        clock.now += delays.of_name(name)
        try:
            while wait := delays.of_address(address):
                clock.now += wait
        except ConnectionRefusedError:
            clock.now += 1
            continue
        delays.wrong(address, name)
        count += 1
    return count


def test_an_hour_of_guesses_from_one_address() -> None:
    clock = Clock()
    delays = LoginDelays(b"secret", clock)
    assert tries(delays, clock, "10.0.0.7", "ana", 3600) <= 3700


def test_waits_tell_of_no_name_but_of_what_was_tried() -> None:
    """LoginDelays depends on the name as it was said, and never on whether anybody has it."""
    waits = []
    for name in ("ana", "nobody"):
        clock = Clock()
        delays = LoginDelays(name.encode(), clock)
        for number in range(30):
            delays.wrong(f"10.0.{number}.1", name)
        waits.append((delays.of_name(name), delays.of_address("10.1.1.1")))
    assert waits[0] == waits[1] == (login_delays.MOST_WAIT, 0)


def test_nobody_is_locked_out_for_long() -> None:
    clock = Clock()
    delays = LoginDelays(b"secret", clock)
    for number in range(100_000):
        delays.wrong(f"10.{number // 65536}.{number // 256 % 256}.{number % 256}", "ana")
        delays.wrong("10.200.0.1", f"name {number}")
    # From elsewhere the analyst waits, and comes in; from the address that was refused too, in half a minute.
    assert delays.of_name("ana") <= login_delays.MOST_WAIT
    with pytest.raises(ConnectionRefusedError, match="too many wrong passwords from this address") as caught:
        delays.of_address("10.200.0.1")
    assert caught.value.hint == "Try again in 25 seconds."
    clock.now += 30
    assert delays.of_address("10.200.0.1") == 0
    assert delays.of_name("ana") == 0


def test_its_memory_does_not_grow() -> None:
    delays = LoginDelays(b"secret")
    for number in range(50_000):
        delays.wrong(f"2001:db8:{number:x}::1", f"name {number}")
        delays.right(f"2001:db8:{number:x}::1", f"name {number}")
    tables = (delays._addresses, delays._names, delays._locks)
    assert [len(table._until) for table in tables] == [4096, 4096, 4096]
    assert len(delays._usual._seen) == 4096


# --- names that are locked ------------------------------------------------------------------------------


def guessed(delays: LoginDelays, count: int, name: str = "ana") -> None:
    """Wrong passwords from as many addresses."""
    for number in range(count):
        delays.wrong(f"10.{number // 256}.{number % 256}.1", name)


def lock(delays: LoginDelays, name: str = "ana", address: str = "10.77.0.1") -> str:
    """What a locked name hears, '' if it is not locked."""
    try:
        delays.check_lock(address, name)
    except LockedOutError as error:
        return f"{error.sqlstate} {error}"
    return ""


def test_a_name_is_locked_after_many_wrong_passwords_and_says_the_same_all_the_time() -> None:
    clock = Clock()
    delays = LoginDelays(b"secret", clock)
    guessed(delays, login_delays.LOCK_AFTER)
    assert not lock(delays)
    guessed(delays, 1000)
    said = {lock(delays)}
    clock.now += login_delays.MOST_LOCK - 1
    said.add(lock(delays))
    assert len(said) == 1
    assert "too many wrong passwords were tried for this name" in said.pop()
    clock.now += 2
    assert not lock(delays)  # bounded, however many there were


def test_a_locked_name_is_locked_whether_anybody_has_it() -> None:
    said = set()
    for name in ("ana", "nobody"):
        delays = LoginDelays(b"secret", Clock())
        guessed(delays, 200, name)
        said.add(lock(delays, name))
    assert len(said) == 1


def test_a_name_is_not_locked_where_it_logged_in_before() -> None:
    delays = LoginDelays(b"secret", Clock())
    delays.right("10.77.0.1", "ana")
    guessed(delays, 1000)
    assert not lock(delays)
    assert lock(delays, address="10.77.0.2")
    delays.right("10.77.0.2", "eve")  # that another name came from there says nothing
    assert lock(delays, address="10.77.0.2")
    guessed(delays, 1000, "eve")
    assert lock(delays, "eve", "10.77.0.1")


def test_guesses_from_everywhere_are_slow() -> None:
    """A thousand addresses that try one name for an hour: what each may try is a minute's worth."""
    clock = Clock()
    delays = LoginDelays(b"secret", clock)
    tried = 0
    for step in range(36_000):
        clock.now += 0.1
        if not lock(delays, address=f"10.9.{step // 250 % 4}.{step % 250}"):
            delays.wrong(f"10.9.{step // 250 % 4}.{step % 250}", "ana")
            tried += 1
    assert tried <= login_delays.LOCK_AFTER + 60 + 2


def test_who_is_locked_is_locked_with_the_right_password_too(tmp_path: Path) -> None:
    """Over the wire: what is said, logged and counted."""
    file = make_shop(tmp_path / "shop.duckdb")
    let_in(file, "ana", PASSWORD)
    log = Path(f"{file}.log")
    script = (
        "import dpduck.doors.gateway.login_delays as d, dpduck.doors.cli as c; d.LOCK_AFTER = 2; c.main()"
    )
    command = [sys.executable, "-c", script, "serve", str(file), "--port", "0", "--log-format", "json"]
    with log.open("w") as lines:
        process = subprocess.Popen(
            [*command, "--metrics-port", "0"],
            stdout=subprocess.PIPE,
            stderr=lines,
            text=True,
            env=ENVIRONMENT,
        )
        try:
            assert process.stdout is not None
            port = int(process.stdout.readline().rpartition(":")[2])
            texts = [refusal(port, "ana") for _ in range(3)]
            with Wired(port) as client, pytest.raises(AssertionError, match="too many wrong passwords"):
                client.login("ana", PASSWORD)
            assert texts[0] == texts[1] == texts[2]
            assert "too many" in refusal(port, "ana")
            [status] = re.findall(r"http://127.0.0.1:\d+/metrics", log.read_text())
            with urllib.request.urlopen(status, timeout=10) as reply:
                counts = reply.read().decode()
        finally:
            process.kill()
            process.communicate()
    assert 'dpduck_logins_total{outcome="locked out",way="password"} 2.0' in counts
    assert 'dpduck_logins_total{outcome="refused",way="password"} 3.0' in counts
    said = [json.loads(line) for line in log.read_text().splitlines() if line.startswith("{")]
    refused = [line for line in said if line.get("event") == "login_refused"]
    assert [line["outcome"] for line in refused] == ["refused"] * 3 + ["locked out"] * 2
    assert {(line["analyst"], line["peer"], line["way"]) for line in refused} == {
        ("ana", "127.0.0.1", "password")
    }


# --- passwords that change ------------------------------------------------------------------------------


def test_the_password_before_holds_as_long_as_the_owner_says(tmp_path: Path) -> None:
    file = make_shop(tmp_path / "shop.duckdb")
    let_in(file, "ana", PASSWORD)
    with serving(file) as (port, _):
        let_in(file, "ana", "the second one")
        assert "28P01" in refusal_of(port, PASSWORD)  # at once, unless it is asked for
        let_in(file, "ana", "the third one", "--grace", "1h")
        for password in ("the second one", "the third one"):
            with Wired(port) as client:
                client.login("ana", password)
        listed = subprocess.run(
            [sys.executable, "-m", "dpduck", "analyst", "list", str(file)],
            env=ENVIRONMENT,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        assert "ana (the password before holds until " in listed
        let_in(file, "ana", "the fourth one")
        assert "28P01" in refusal_of(port, "the third one")
    with open_ledger(f"{file}.ledger") as ledger:
        ledger.verify()


def refusal_of(port: int, password: str) -> str:
    with Wired(port, timeout=30) as client, pytest.raises((AssertionError, ConnectionError)) as caught:
        client.login("ana", password)
    return str(caught.value)


def test_the_password_before_ends(tmp_path: Path) -> None:
    with open_ledger(tmp_path / "ledger") as ledger:
        ledger.put_analyst("ana", "one")
        ledger.put_analyst("ana", LoginChange("two", grace=timedelta(hours=1)))
        [analyst] = ledger.analysts()
        now = datetime.now(UTC)
        assert analyst.former_at(now) == "one"
        assert analyst.former_at(now + timedelta(hours=1, minutes=1)) is None
        ledger.put_analyst("ana", LoginChange("three"))
        [analyst] = ledger.analysts()
        assert (analyst.verifier, analyst.former) == ("three", None)


def test_a_role_stays_until_it_is_changed_and_is_on_record(tmp_path: Path) -> None:
    with open_ledger(tmp_path / "ledger") as ledger:
        ledger.put_analyst("udo", LoginChange(None, Role.AUDITOR))
        ledger.put_analyst("udo", LoginChange("two"))
        [analyst] = ledger.analysts()
        assert (analyst.role, analyst.verifier) == (Role.AUDITOR, "two")
        ledger.put_analyst("udo", LoginChange("two", Role.OWNER))
        statements = [entry.statement for entry in ledger.policies()]
        assert statements == [
            "analyst add udo --role auditor",
            "analyst add udo",
            "analyst add udo --role owner",
        ]
        ledger.verify()


@pytest.mark.parametrize(
    "text", ['{"role": "owner"}', '{"role": "king"}', "{", '{"role":"owner"}', '{"role": 5}']
)
def test_a_role_that_somebody_wrote_into_the_ledger_is_noticed(tmp_path: Path, text: str) -> None:
    with open_ledger(tmp_path / "ledger") as ledger:
        ledger.put_analyst("ana", "verifier")
    with closing(sqlite3.connect(tmp_path / "ledger")) as db, db:
        db.execute("UPDATE analyst SET verifier = ? WHERE name = 'ana'", [text])
    with open_ledger(tmp_path / "ledger") as ledger:
        [analyst] = ledger.analysts()
        assert analyst.is_damaged or text == '{"role": "owner"}'
        with pytest.raises(LedgerError, match="does not add up"):
            ledger.verify()


def test_the_addresses_of_one_network_are_one() -> None:
    clock = Clock()
    delays = LoginDelays(b"secret", clock)
    for number in range(60):
        delays.wrong(f"2001:db8::{number:x}", f"name {number}")
    with pytest.raises(ConnectionRefusedError):
        delays.of_address("2001:db8::ffff:ffff")
    assert delays.of_address("2001:db8:0:1::1") == 0
    for number in range(60):
        delays.wrong("::ffff:10.0.0.1", f"name {number}")
    with pytest.raises(ConnectionRefusedError):
        delays.of_address("10.0.0.1")
