"""Parts of the console by themselves: charts, visitors, runs, passwords."""

from __future__ import annotations

import re
import threading
from datetime import date
from pathlib import Path

import pytest

import dpduck
from dpduck.answers.settings import Settings
from dpduck.doors.gateway.scram import is_password, salt_of, verifier_of
from dpduck.doors.gateway.web.charts import MOST_BARS, ChartPoint, draw_chart
from dpduck.doors.gateway.web.logins import OneTimeLinks
from dpduck.doors.gateway.web.runs import Run, RunOutcome, TooManyRuns, VisitorRuns
from dpduck.doors.gateway.web.visitors import Visitors
from dpduck.kernel.errors import AuthenticationError
from dpduck.kernel.ledger import Role, open_ledger
from tests.gateway.web.sites import add_login

# --- charts --------------------------------------------------------------------------------------


def numbers(text: str, element: str) -> list[list[float]]:
    found = re.findall(rf'<{element} [^>]*?d="([^"]*)"[^>]*class="whisker"', text)
    return [[float(number) for number in re.findall(r"[-0-9.]+", one)] for one in found]


def test_a_bar_and_its_whisker_are_where_the_numbers_are() -> None:
    drawn = draw_chart("n", [ChartPoint("a", "50 ± 10", 50.0, 40.0, 60.0)])
    assert '<rect x="0.0" y="3" width="833.3"' in drawn  # of 60
    assert numbers(drawn, "path") == [[666.7, 10.0, 1000.0, 666.7, 5.0, 15.0, 1000.0, 5.0, 15.0]]
    assert ">50 ± 10<" in drawn


def test_an_open_end_is_an_arrow_to_the_edge_and_what_is_not_told_from_zero_is_hollow() -> None:
    points = [ChartPoint("a", "50", 50.0, 40.0, None), ChartPoint("b", "-40", -40.0, -60.0, None)]
    drawn = draw_chart("n", points)
    whiskers = re.findall(r'd="(M[^"]*)" class="whisker"', drawn)
    assert len(whiskers) == 2
    for whisker in whiskers:
        assert "H1000.0" in whisker
        assert "L1000.0 10" in whisker
    assert re.findall(r'<li class="(\w+)"', drawn) == ["sure", "unsure"]
    assert "; an arrow: open there; hollow: not told from 0" in drawn


def test_a_band_without_an_end_reaches_the_edge() -> None:
    points = [ChartPoint(str(i), "5", 5.0 + i, 4.0 + i, None, 86_400.0 * i) for i in range(3)]
    drawn = draw_chart("n", points)
    band = re.findall(r'd="(M[^"]*)" class="band"', drawn)
    assert "; a band to the edge: open there" in drawn
    assert band[0].startswith("M0.0 0.0L500.0 0.0L1000.0 0.0L")


def test_bars_go_both_ways_from_zero() -> None:
    drawn = draw_chart("n", [ChartPoint("a", "-5", -5.0, None, None), ChartPoint("b", "5", 5.0, None, None)])
    places = re.findall(r'<rect x="([0-9.]+)" y="3" width="([0-9.]+)"', drawn)
    assert places == [("83.3", "416.7"), ("500.0", "416.7")]  # of a scale from -6 to 6
    assert "whisker" not in drawn


def test_times_are_a_line_with_a_band_in_their_order() -> None:
    points = [
        ChartPoint(str(day), str(value), value, value - 1, value + 1, date(2026, 1, day))
        for day, value in ((3, 30.0), (1, 10.0), (2, 20.0))
    ]
    drawn = draw_chart("n", points)
    line = re.search(r'd="([^"]*)" class="line"', drawn)
    assert line is not None
    assert [float(x) for x in re.findall(r"[ML]([0-9.]+) ", line[1])] == [0.0, 500.0, 1000.0]
    assert 'class="band"' in drawn
    assert "A line from 10.0 at 1 to 30.0 at 3" in drawn


@pytest.mark.parametrize("value", [0.0, 1e-300, 1e300, -3.0])
def test_any_number_can_be_drawn(value: float) -> None:
    assert "nan" not in draw_chart("n", [ChartPoint("a", "x", value, value, value)]).lower()


def test_of_many_bars_the_first_are_drawn_and_it_is_said() -> None:
    drawn = draw_chart("n", [ChartPoint(str(i), "1", 1.0, 0.0, 2.0) for i in range(MOST_BARS + 1)])
    assert drawn.count('class="whisker"') == MOST_BARS
    assert f"the first {MOST_BARS} rows" in drawn


# --- visitors and runs ---------------------------------------------------------------------------


def test_a_visitor_is_forgotten_after_a_while_and_after_a_day() -> None:
    now = [0.0]
    with open_ledger(None) as ledger:
        visitors = Visitors(ledger, Settings(), idle=10.0, most=25.0, clock=lambda: now[0])
        cookie, visitor = visitors.welcome(None, Role.OWNER)
        for moment in (5.0, 14.0, 23.0):
            now[0] = moment
            assert visitors.find(cookie) is visitor
        now[0] = 26.0
        assert visitors.find(cookie) is None
        cookie, _ = visitors.welcome(None, Role.OWNER)
        now[0] = 37.0
        assert visitors.find(cookie) is None
        assert visitors.find("") is None


def test_who_was_added_a_moment_ago_stays_in() -> None:
    with open_ledger(None) as ledger:
        visitors = Visitors(ledger, Settings(), clock=lambda: 1.0)
        assert visitors.is_late
        visitors.look()
        assert not visitors.is_late  # it looks again in two seconds
        add_login(ledger, "ana")
        cookie, visitor = visitors.welcome("ana", Role.ANALYST)
        assert visitors.find(cookie) is visitor


def test_one_name_has_a_number_of_sessions_of_which_the_oldest_ends() -> None:
    with open_ledger(None) as ledger:
        add_login(ledger, "ana")
        now = [0.0]
        visitors = Visitors(ledger, Settings(), clock=lambda: now[0])
        cookies = []
        for _ in range(25):
            now[0] += 1
            cookies.append(visitors.welcome("ana", Role.ANALYST)[0])
        assert [visitors.find(cookie) is not None for cookie in cookies] == [False] * 5 + [True] * 20


def test_a_run_is_known_by_its_form_and_by_what_it_asks() -> None:
    runs, started = VisitorRuns(), []

    def begin(*asked: str) -> Run:
        return runs.begin(*asked, started.append)

    first = begin("1", "SELECT 1", "")
    assert begin("1", "SELECT 1", "") is first
    others = [begin("1", "SELECT 2", ""), begin("1", "SELECT 1", "0.5"), begin("2", "SELECT 1", "")]
    assert len({run.id for run in [first, *others]}) == 4
    assert started == [first, *others]
    with pytest.raises(TooManyRuns):
        begin("3", "SELECT 1", "")
    first.future.set_result(RunOutcome())
    begin("3", "SELECT 1", "")


def test_runs_that_have_ended_make_way() -> None:
    runs = VisitorRuns()
    for number in range(150):
        runs.begin(str(number), "SELECT 1", "", lambda run: run.future.set_result(RunOutcome()))
    assert len(runs.all()) == 100


# --- passwords and links -------------------------------------------------------------------------


def test_a_password_is_that_of_its_verifier_alone() -> None:
    secret = b"s" * 32
    verifier = verifier_of("correct horse", salt_of("ana", secret))
    former = verifier_of("battery staple", salt_of("ana", secret))
    other_salt = verifier_of("battery staple", b"another salt 123")
    assert is_password("correct horse", "ana", verifier, secret)
    assert not is_password("wrong horse", "ana", verifier, secret)
    assert not is_password("", "ana", verifier, secret)
    assert not is_password("correct horse", "ana", None, secret)
    assert is_password("battery staple", "ana", verifier, secret, former=former)
    assert not is_password("battery staple", "ana", verifier, secret)
    assert not is_password("battery staple", "ana", verifier, secret, former=other_salt)
    assert not is_password("a\x00b", "ana", verifier, secret)


def test_of_many_who_open_a_link_at_once_one_comes_in() -> None:
    shown: list[str] = []
    links, came = OneTimeLinks(shown.append), []

    def use() -> None:
        try:
            links.use(shown[0])
        except AuthenticationError:
            return
        came.append(1)

    threads = [threading.Thread(target=use) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(came) == 1
    assert len(shown) == 2
    with pytest.raises(AuthenticationError):
        links.use("")


# --- what is said while one types ----------------------------------------------------------------


def test_a_brief_explanation_says_the_same_without_the_other_plans(shop_file: Path) -> None:
    sql = "SELECT city, count(*) AS n FROM people GROUP BY city"
    with dpduck.connect(shop_file, analyst="ana", epsilon="0.5", ledger=None) as db:
        brief, whole = db._service.explain(sql, brief=True), db._service.explain(sql)
        again = db._service.explain(sql, brief=True)
    assert (brief.cost_at, again.cost_at) == ({}, {})
    assert whole.cost_at != {}
    for name in ("epsilon", "delta", "mechanism", "expected_error", "queries_left", "caveats", "shares"):
        assert getattr(brief, name) == getattr(whole, name)
