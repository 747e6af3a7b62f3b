"""Two gateways whose one ledger is in PostgreSQL, while gateways, servers and the network between them fail.

Clients ask without a pause. Whatever fails, no answer comes without a charge, no cap is passed, each error is
true about what was charged, and gateways answer again by themselves.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import duckdb
import pytest

import dpduck
from dpduck.doors.gateway.scram import verifier_of
from dpduck.kernel.ledger import Entry, open_ledger
from tests.depth import depth
from tests.gateway import wiring as w
from tests.gateway.askers import Asker, asking, number_in, question
from tests.gateway.forked import ForkedGateway, NotStartedError
from tests.gateway.wiring import Gateway, error_of, rows_of, wait_for
from tests.ledger.network import Network
from tests.ledger.replicas import Replicas, running_replicas
from tests.ledger.server import BINARIES, PASSWORD

pytestmark = pytest.mark.services

KILLS, FAILOVERS, CRASHES, CUTS = depth(500, 10), depth(20, 2), depth(20, 1), depth(200, 10)
CAP = KILLS + 20  # of the budget for bob, whose questions cost 1: he comes to its end
MOST_MESSAGES = 40  # with a ledger, after which something fails: a charge and its settlement are some 30
BACK = 60  # seconds in which a gateway answers again; it takes a second or two unless the machine is busy

# Lets a process think that it is another day.
WRONG_CLOCK = """
import time
real = time.time
time.time = lambda: real() + 3600 * HOURS
time.time_ns = lambda: int(time.time() * 10**9)
"""

# What an analyst may be told while the ledger fails, by message; all other errors are faults.
EXPECTED = {
    "ledger cannot be reached",
    "ledger cannot be opened",
    "ledger did not confirm what was written",
    "query needs epsilon 1 but none remains",
}

if BINARIES is None:
    pytest.skip(
        "PostgreSQL is not installed here (Debian: apt-get install postgresql)", allow_module_level=True
    )


@pytest.fixture(scope="module")
def replicas() -> Iterator[Replicas]:
    with running_replicas() as replicas:
        yield replicas


class Shared:
    """A ledger in a new database, the shop that it is of, and gateways at it. `url`: of the ledger itself."""

    def __init__(self, replicas: Replicas, folder: Path, *budgets: str) -> None:
        self.replicas = replicas
        self.file = folder / "shop.duckdb"
        self._database = f"d{random.getrandbits(64):x}"
        replicas.primary.execute(f"CREATE DATABASE {self._database}")
        self.url = self.url_at([server.port for server in replicas.servers])
        with duckdb.connect(str(self.file)) as db:
            db.execute(w.SHOP)
        with dpduck.connect(self.file, ledger=self.url) as owner:
            for statement in (*w.POLICIES.strip().rstrip(";").split(";"), *budgets):
                owner.execute(statement)
        with open_ledger(self.url) as ledger:
            for name in ("ana", "bob"):
                ledger.put_analyst(name, verifier_of(w.PASSWORD))

    def url_at(self, ports: list[int]) -> str:
        """The address of the ledger at whichever of two servers takes writes."""
        hosts = "&".join(f"host=127.0.0.1:{port}" for port in ports)
        return f"postgresql://owner:{PASSWORD}@/{self._database}?{hosts}&target_session_attrs=read-write"

    def charges(self) -> list[Entry]:
        with open_ledger(self.url) as ledger:
            return ledger.entries()

    def spent(self, scope: str, name: str) -> int:
        with open_ledger(self.url) as ledger:
            [spent] = [b.epsilon_spent for b in ledger.budgets() if (b.scope, b.name) == (scope, name)]
        return int(spent)


class Place:
    """A host with a gateway, which is started again whenever it was killed. `port`: of the gateway."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared
        self.network = Network([server.port for server in shared.replicas.servers])
        self.gateway = self._start()

    @property
    def port(self) -> int:
        return self.gateway.port

    def _start(self) -> ForkedGateway:
        """Start a gateway, again and again as a service manager does: its ledger may not be there."""
        options = ("--epsilon", "1", "--quantum", "1", "--ledger", self._shared.url_at(self.network.ports))
        for _ in range(BACK):
            with suppress(NotStartedError):
                return ForkedGateway(self._shared.file, *options)
            time.sleep(1)
        raise AssertionError("it does not start")

    def kill_at(self, messages: int) -> None:
        """Kill the gateway when so many more messages with the ledger have come, and start it again."""
        assert self.network.after(messages, self.gateway.process.kill).wait(BACK)
        self.gateway.kill()
        self.gateway = self._start()

    def cut_at(self, messages: int) -> None:
        """Cut the network when so many more messages with the ledger have come."""
        assert self.network.after(messages, self.network.cut).wait(BACK)

    def close(self) -> None:
        code = self.gateway.stop()
        self.network.close()
        assert code == 0
        assert "Traceback" not in self.gateway.log


def answers_again(askers: list[Asker]) -> None:
    """Wait until each client was answered once more."""
    for asker in askers:
        before = asker.answers
        wait_for(lambda asker=asker, before=before: asker.answers > before, BACK)


def events(shared: Shared, places: list[Place], chance: random.Random) -> list[Callable[[], None]]:
    """All that fails, in a random order that is always the same."""

    def at_any_message(act: Callable[[Place, int], None]) -> Callable[[], None]:
        place, messages = chance.choice(places), chance.randrange(MOST_MESSAGES)
        return lambda: act(place, messages)

    def fail_over() -> None:
        shared.replicas.fail_over()
        shared.replicas.mend()

    found = [at_any_message(Place.kill_at) for _ in range(KILLS)]
    found += [at_any_message(Place.cut_at) for _ in range(CUTS)]
    found += [fail_over] * FAILOVERS + [shared.replicas.restart] * CRASHES
    chance.shuffle(found)
    return found


@pytest.mark.slow
def test_no_answer_without_a_charge_whatever_fails(replicas: Replicas, tmp_path: Path) -> None:
    budgets = (
        "CREATE PRIVACY BUDGET everyone LIMIT 1000000",
        f"CREATE PRIVACY BUDGET bobs LIMIT {CAP} FOR bob",
    )
    shared = Shared(replicas, tmp_path, *budgets)
    with ExitStack() as stack:
        places = [Place(shared) for _ in range(2)]
        for place in places:
            stack.callback(place.close)
        anas = [Asker("ana", lambda place=place: place.port) for place in places for _ in range(2)]
        bobs = [Asker("bob", lambda place=place: place.port) for place in places]
        with asking(anas + bobs):
            for number, event in enumerate(events(shared, places, random.Random(20))):
                event()
                if number % 10 == 0 or number < 5:
                    answers_again(anas)
            answers_again(anas)
            wait_for(lambda: shared.spent("budget", "bobs") == CAP, 10 * BACK)
            answers_again(anas)
        check_promises(shared, anas, bobs)


def check_promises(shared: Shared, anas: list[Asker], bobs: list[Asker]) -> None:
    charges = shared.charges()
    told = [told for asker in anas + bobs for told in asker.told]
    charged = Counter(number_in(entry.query) for entry in charges)
    assert not [one.number for one in told if one.rows and charged[one.number] != 1]
    assert not [one.number for one in told if one.says_nothing_charged and charged[one.number]]
    assert max(charged.values()) == 1
    assert {dict(one.error)["M"] for one in told if one.error} <= EXPECTED
    assert all("58030" in refusal for asker in anas + bobs for refusal in asker.refusals)
    by_analyst = Counter(entry.analyst for entry in charges)
    assert by_analyst["bob"] == CAP
    assert shared.spent("people", "people.id") == sum(by_analyst.values())
    assert shared.spent("analyst", "ana") == by_analyst["ana"]
    with open_ledger(shared.url) as ledger:
        assert ledger.verify() == 0


@pytest.mark.parametrize("hours", [-36, 36])
def test_hosts_whose_clocks_differ_share_one_day(replicas: Replicas, tmp_path: Path, hours: int) -> None:
    """The ledger's time is that of its server: a host whose clock is wrong opens no day early, or again."""
    daily = "CREATE PRIVACY BUDGET daily LIMIT 6 WINDOW 'day' FOR ana"
    shared = Shared(replicas, tmp_path, "CREATE PRIVACY BUDGET everyone LIMIT 1000", daily)
    options = ("--epsilon", "1", "--quantum", "1", "--budget", "4", "--ledger", shared.url)
    with ExitStack() as stack:
        gateways = []
        for script in ("", WRONG_CLOCK.replace("HOURS", str(hours))):
            gateway = Gateway(shared.file, *options, script=script, seconds=120)
            stack.callback(gateway.kill)
            gateways.append(gateway)
        here, there = (stack.enter_context(gateway.client()) for gateway in gateways)
        day = present_day(0)
        answers = [rows_of(client.ask(question(number))) for number, client in enumerate((here, there) * 3)]
        assert all(answers)
        assert "daily" in error_of(there.ask(question(7)))["D"]
        assert "daily" in error_of(here.ask(question(8)))["D"]
        # Each connection is a session, which may spend 4, whatever the clock of its host says.
        shared_by_bob = [stack.enter_context(gateway.client(user="bob")) for gateway in gateways]
        for place, client in enumerate(shared_by_bob, start=1):
            assert all(rows_of(client.ask(question(1000 * place + n))) for n in range(4))
            assert "session" in error_of(client.ask(question(100 + place)))["D"]
        log = "".join(gateways[1].log)
        assert f"{present_day(hours)} " in log  # its clock is wrong
        assert "Traceback" not in log, log
    entries = shared.charges()
    assert {entry.at.date() for entry in entries} <= {day, present_day(0)}
    assert [entry.at for entry in entries] == sorted(entry.at for entry in entries)


def present_day(hours: int) -> date:
    return (datetime.now(UTC) + timedelta(hours=hours)).date()
