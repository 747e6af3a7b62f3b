"""A dashboard of twelve charts and a filter, through the gateway: one charge, and charts that agree."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import dpduck
from dpduck.kernel.ledger import StoredRelease, open_ledger
from tests.depth import depth
from tests.gateway import wiring as w
from tests.gateway.wiring import Gateway, kinds, rows_of, said
from tests.ledger.contract import cost
from tests.summaries.asking import ledger, spent

BOARD = """CREATE PRIVACY SUMMARY board ON people (age BANDS (18, 30, 45, 65), region, member, grade)
    WORKLOAD (ALL 3 WAY) EPSILON 1"""
CHARTS = [
    "SELECT count(*) AS n FROM people{where}",
    "SELECT count(*) AS n FROM people{where} AND age >= 18 AND age < 45",
    "SELECT region, count(*) AS n FROM people{where} GROUP BY region ORDER BY region",
    "SELECT member, count(*) AS n FROM people{where} GROUP BY member ORDER BY member",
    "SELECT region, member, count(*) AS n FROM people{where} GROUP BY ALL ORDER BY ALL",
    "SELECT age < 30 AS young, count(*) AS n FROM people{where} GROUP BY young ORDER BY young",
]


@pytest.fixture
def gateway(file: Path) -> Iterator[Gateway]:
    with dpduck.connect(file) as owner:
        owner.execute("CREATE PRIVACY BUDGET everyone LIMIT 5")
        owner.execute(BOARD)
    w.add_analyst(file)
    gateway = Gateway(file, "--epsilon", "0.01")
    yield gateway
    gateway.kill()
    assert "Traceback" not in "".join(gateway.log)


@pytest.mark.slow
def test_a_dashboard_is_one_charge(gateway: Gateway, file: Path) -> None:
    draw, took = random.Random(4), []
    with gateway.client() as client:
        client.ask("SET dp_summaries = 'only'")
        for number in range(depth(1000, 12)):
            grade = draw.choice(["grade = 1", "grade >= 3", "grade IS NULL", "true"])
            answers = []
            for chart in CHARTS:
                begin = time.monotonic()
                replies = client.ask(
                    chart.format(where=f" WHERE {grade}" if grade != "true" else " WHERE TRUE")
                )
                took.append(time.monotonic() - begin)
                assert "E" not in kinds(replies), replies
                answers.append(rows_of(replies))
            if number == 0:
                assert any("from summary board" in said(reply) for reply in replies if reply[0] == "N")
            total = int(str(answers[0][0][0]))
            for chart in (2, 3, 4, 5):  # each adds up to the total, but for rounding
                cells = [int(str(row[-1])) for row in answers[chart]]
                assert abs(sum(cells) - total) <= len(cells) / 2 + 1
    gateway.stop()
    with dpduck.connect(file) as owner:
        entries = ledger(owner)
        assert [epsilon for _, epsilon, _, _ in entries if epsilon] == [1]
        assert {name for name, *_ in entries} == {"summary"}
        assert spent(owner) == 1
        owner._service.session.ledger.verify()
    print(f"p50 {statistics.median(took) * 1000:.1f} ms of {len(took)}")


def test_what_finds_no_room_is_refused_or_said_over_the_wire(file: Path) -> None:
    """A summary is refused with the code of a limit, an answer leaves with a notice."""
    w.add_analyst(file)
    with open_ledger(file.with_name(f"{file.name}.ledger")) as ledger:
        seq = ledger.charge(cost(analyst=w.USER))
        ledger.settle(seq, None, StoredRelease("", "", "", "x" * 249_990))
    gateway = Gateway(file, "--epsilon", "0.01", "--ledger-room", "1MB")
    try:
        with gateway.client() as client:
            [error] = [reply for reply in client.ask(BOARD) if reply[0] == "E"]
            assert "53400" in said(error)
            assert "the ledger has no room for summary board" in said(error)
            replies = client.ask("SELECT region, count(*) AS n FROM people GROUP BY region")
            assert len(rows_of(replies)) == 4
            assert any("This answer is not kept in the ledger" in said(r) for r in replies if r[0] == "N")
    finally:
        gateway.kill()
    assert "Traceback" not in "".join(gateway.log)
