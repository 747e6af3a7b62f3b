"""What a server tells its operator: health, readiness, budgets as metrics, alerts, and a log as JSON."""

from __future__ import annotations

import io
import json
import logging
import re
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from fractions import Fraction
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import psycopg
import pytest

from dpduck.compiler.parse.split import split
from dpduck.doors.gateway.budget_watch import BudgetWatch, level_of, webhook
from dpduck.doors.gateway.execution import StatementOutcome
from dpduck.doors.gateway.log_format import JsonLines
from dpduck.doors.gateway.status_server import BudgetCollector, Status
from dpduck.doors.gateway.telemetry import Telemetry
from dpduck.kernel.accounting.composition import Cost
from dpduck.kernel.catalog.statements import Accounting
from dpduck.kernel.errors import LedgerError
from dpduck.kernel.ledger import Account, BudgetStatus, Cap, Ledger, open_ledger
from tests.gateway.serving import let_in, serving
from tests.ledger.contract import cost

TEAM = Account("budget", "team")


@pytest.fixture
def ledger() -> Iterator[Ledger]:
    with open_ledger(None) as ledger:
        ledger.set_cap(TEAM, Cap(Fraction(10)))
        yield ledger


def get(port: int, path: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=10) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def spend(ledger: Ledger, epsilon: str, *, analyst: str = "ana") -> int:
    accounts = (Account("session", "session-1"), Account("analyst", analyst), TEAM)
    return ledger.charge(cost(epsilon, accounts=accounts, analyst=analyst))


# --- health and readiness ------------------------------------------------------------------------


def test_healthy_ready_and_neither(monkeypatch: pytest.MonkeyPatch) -> None:
    faults: list[LedgerError] = []

    def check() -> None:
        if faults:
            raise faults[0]

    status = Status(check)
    port = Telemetry(status).serve("127.0.0.1", 0)
    assert get(port, "/healthz") == (200, "ok\n")
    assert get(port, "/readyz") == (503, "unavailable\n")  # it does not listen yet
    status.listens(True)
    assert get(port, "/readyz") == (200, "ok\n")
    faults.append(LedgerError("the secret reason"))
    assert get(port, "/readyz") == (503, "unavailable\n")
    assert get(port, "/healthz") == (200, "ok\n")
    faults.clear()
    monkeypatch.setattr("dpduck.doors.gateway.status_server._MOST_QUIET", 0.0)  # the event loop gives no sign
    assert get(port, "/healthz") == (503, "unavailable\n")
    assert get(port, "/readyz") == (503, "unavailable\n")
    status.listens(False)
    assert get(port, "/else")[0] == 404


def test_a_client_that_says_nothing_keeps_nobody_waiting() -> None:
    import socket

    port = Telemetry().serve("127.0.0.1", 0)
    with socket.create_connection(("127.0.0.1", port)):
        assert get(port, "/healthz") == (200, "ok\n")


# --- budgets -------------------------------------------------------------------------------------


def test_budgets_are_metrics(ledger: Ledger) -> None:
    telemetry, watch = (
        Telemetry(),
        BudgetWatch(ledger, lambda: [Account("people", "visits", Cap(Fraction(8)))]),
    )
    telemetry.registry.register(BudgetCollector(watch.read))
    port = telemetry.serve("127.0.0.1", 0)
    spend(ledger, "4.5")
    _, text = get(port, "/metrics")
    for line in (
        "dpduck_ledger_readable 1.0",
        'dpduck_epsilon_spent{account="team",period="",scope="budget"} 4.5',
        'dpduck_epsilon_remaining{account="team",period="",scope="budget"} 5.5',
        'dpduck_epsilon_remaining{account="visits",period="",scope="people"} 8.0',  # as if it were declared
        'dpduck_epsilon_spent{account="ana",period="",scope="analyst"} 4.5',
    ):
        assert line in text.splitlines()
    assert "session-1" not in text
    assert 'remaining{account="ana"' not in text  # it has no cap
    ledger.close()
    _, text = get(port, "/metrics")
    assert "dpduck_ledger_readable 0.0" in text.splitlines()
    assert "team" not in text


def test_what_came_back_is_not_in_the_metrics(ledger: Ledger) -> None:
    """It is a part of an answer, which others on the machine are not to learn."""
    from dpduck.kernel.accounting.events import PartitionSelection

    seq = spend(ledger, "4")
    watch = BudgetWatch(ledger)
    before = [one.epsilon_spent for one in watch.read()]
    ledger.settle(seq, PartitionSelection(Fraction(1), Fraction(0)))
    assert ledger.budgets([TEAM])[0].epsilon_spent == 1
    assert [one.epsilon_spent for one in watch.read()] == before == [4, 4]


@pytest.mark.parametrize("accounting", ["zcdp", "gdp"])
def test_levels_are_of_what_adds_up(accounting: Accounting) -> None:
    cap = Cap(Fraction(10), Fraction(1, 10**6), accounting=accounting, keys_delta=Fraction(1, 10**7))
    assert cap.measure is not None
    assert cap.delta is not None
    assert cap.delta_of_measure is not None
    assert cap.delta_of_events is not None
    most = cap.measure.limit(Fraction(10), cap.delta_of_measure)

    keys_delta = cap.delta_of_events

    def level(share: Fraction, keys: Fraction = Fraction(0)) -> int:
        spent = Cost(rho=most * share, mu_squared=most * share, keys_delta=keys_delta * keys)
        budget = BudgetStatus("budget", "b", cap, spent)
        assert budget.delta_spent > Fraction(8, 10**7)  # from the first charge on
        return level_of(budget)

    levels = [level(Fraction(percent, 100)) for percent in (1, 49, 50, 79, 80, 100)]
    assert levels == [0, 0, 50, 50, 80, 100]
    assert level(Fraction(1, 100), keys=Fraction(1, 2)) == 50


def test_alerts_at_three_levels(ledger: Ledger, caplog: pytest.LogCaptureFixture) -> None:
    told: list[Any] = []
    watch = BudgetWatch(ledger, tuple, told.append)
    with caplog.at_level(logging.WARNING, "dpduck.gateway"):
        for epsilon in ("4.9", "0.1", "1", "1.9", "0.2", "1.8", "0.1"):
            spend(ledger, epsilon)
            watch.look()
            watch.look()
    assert [(one.name, one.percent, one.epsilon_spent) for one in told] == [
        ("team", 50, "5"),
        ("team", 80, "8.1"),
        ("team", 100, "10"),
    ]
    assert caplog.messages == [
        f"budget 'team' has reached {percent} % of its budget: epsilon {spent} of 10 spent"
        for percent, spent in ((50, "5"), (80, "8.1"), (100, "10"))
    ]
    ledger.set_cap(TEAM, Cap(Fraction(15)))
    watch.look()
    spend(ledger, "2")
    watch.look()
    assert [one.percent for one in told[3:]] == [80]  # 12 of 15, after 10 of 15


def test_a_step_over_two_levels_is_one_alert(ledger: Ledger) -> None:
    told: list[Any] = []
    spend(ledger, "9")
    BudgetWatch(ledger, tuple, told.append).look()
    assert [one.percent for one in told] == [80]


class _Hook(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.got.append((self.path, self.headers["Content-Type"], json.loads(body)))  # type: ignore[attr-defined]
        self.send_response(self.server.status)  # type: ignore[attr-defined]
        self.end_headers()

    def log_message(self, *_: object) -> None:
        return


@pytest.fixture
def hook() -> Iterator[HTTPServer]:
    server = HTTPServer(("127.0.0.1", 0), _Hook)
    server.got, server.status = [], 200  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_webhook_gets_json_and_its_address_is_not_logged(
    ledger: Ledger, hook: HTTPServer, caplog: pytest.LogCaptureFixture
) -> None:
    url = f"http://127.0.0.1:{hook.server_port}/token-7319"
    watch = BudgetWatch(ledger, tuple, webhook(url))
    spend(ledger, "5")
    watch.look()
    [(path, kind, alert)] = hook.got  # type: ignore[attr-defined]
    assert (path, kind) == ("/token-7319", "application/json")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00", alert.pop("at"))
    assert alert == {
        "scope": "budget",
        "name": "team",
        "period": "",
        "percent": 50,
        "epsilon_spent": "5",
        "epsilon_limit": "10",
    }
    hook.status = 500  # type: ignore[attr-defined]
    spend(ledger, "3")
    watch.look()
    webhook("http://127.0.0.1:1/token-7319")(watch_alert(hook))
    assert caplog.messages[-2:] == [
        "an alert could not be sent: status 500",
        "an alert could not be sent: URLError",
    ]
    assert "7319" not in caplog.text


def watch_alert(hook: HTTPServer) -> Any:
    from dpduck.doors.gateway.budget_watch import Alert

    return Alert(**hook.got[-1][2])  # type: ignore[attr-defined]


# --- the log -------------------------------------------------------------------------------------


def test_the_log_as_json_has_fields_and_no_value() -> None:
    out = io.StringIO()
    handler = logging.StreamHandler(out)
    handler.setFormatter(JsonLines())
    log = logging.getLogger("dpduck.gateway")
    log.addHandler(handler)
    before, log.level = log.level, logging.INFO
    try:
        telemetry = Telemetry()
        telemetry.opened(1, "127.0.0.1")
        telemetry.authenticated(1, "ana\nb", "session-1", encrypted=True)
        piece = split("SELECT 'Zaphod' FROM t")[0]
        telemetry.done(1, "ana", StatementOutcome(piece, 0.1, charged="0.5", fresh=True))
        telemetry.refused(1, "28P01", "no\x1b[2J")
        try:
            int("Zaphod")
        except ValueError:
            log.exception("it failed")
    finally:
        log.removeHandler(handler)
        log.level = before
    lines = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [line["event"] for line in lines[:4]] == ["opened", "authenticated", "statement", "refused"]
    assert lines[1] | {"analyst": "ana\nb", "encrypted": True, "level": "info"} == lines[1]
    statement = lines[2]
    assert statement.pop("at").endswith("+00:00")
    assert statement == {
        "level": "info",
        "logger": "dpduck.gateway",
        "message": "connection 1 answered epsilon 0.5 sqlstate 00000: SELECT ? FROM t",
        "event": "statement",
        "connection": 1,
        "analyst": "ana",
        "outcome": "answered",
        "epsilon": "0.5",
        "sqlstate": "00000",
        "statement": "SELECT ? FROM t",
    }
    assert lines[4]["error"] == "ValueError"
    assert "Zaphod" not in out.getvalue()


def test_a_server_is_observed(shop_copy: Path, hook: HTTPServer) -> None:
    """All of it, from outside: the port of the status is told on standard error."""
    let_in(shop_copy, "ana", "correct horse")
    url = f"http://127.0.0.1:{hook.server_port}/"
    options = ("--metrics-port", "0", "--log-format", "json", "--epsilon", "1", "--alert", url)
    log = Path(f"{shop_copy}.log")
    with serving(shop_copy, *options) as (port, _):
        found = re.search(r"http://127.0.0.1:(\d+)/metrics", log.read_text())
        assert found is not None
        status = int(found[1])
        assert get(status, "/readyz") == (200, "ok\n")
        with psycopg.connect(
            f"host=127.0.0.1 port={port} user=ana password='correct horse'", autocommit=True
        ) as db:
            db.execute("SELECT count(*) FROM people").fetchall()
        _, text = get(status, "/metrics")
        assert 'dpduck_epsilon_spent{account="ana",period="",scope="analyst"} 1.0' in text.splitlines()
        assert 'dpduck_epsilon_spent{account="everyone"' in text or 'scope="people"' in text
        deadline = time.monotonic() + 10
        while '"event": "closed"' not in log.read_text():
            assert time.monotonic() < deadline
            time.sleep(0.05)
    lines = [json.loads(line) for line in log.read_text().splitlines() if line.startswith("{")]
    assert [line["event"] for line in lines if line.get("connection") == 1][:2] == ["opened", "authenticated"]
    assert any(line.get("statement") == "SELECT count(*) FROM people" for line in lines)
