"""What the page says, to whom, and that nothing on it is taken for HTML that is not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path

import matplotlib
import pytest

from dpduck.doors.page.budgets import MOST_CHARGES, PageContents, make_page
from dpduck.kernel.accounting.composition import cost_of
from dpduck.kernel.accounting.conversion import epsilon_at
from dpduck.kernel.accounting.events import NoisyCount
from dpduck.kernel.ledger import Account, Cap, Ledger, open_ledger
from tests.charges import COUNT, NOW, PEOPLE, TABLE, at, set_cap, spend

TEAM = Account("budget", "team")
SCRIPT = "<script>alert('ana')</script>"
# Elements that have no end.
_VOID = {"meta", "link", "br", "img"}


@pytest.fixture
def ledger() -> Iterator[Ledger]:
    with open_ledger(None) as ledger:
        yield ledger


class Page(HTMLParser):
    """The page as a browser reads it: its elements with their attributes, and its text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.html = html
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self._open: list[str] = []
        self.feed(html)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attributes)))
        if tag not in _VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attributes)))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, text: str) -> None:
        if "style" not in self._open and text.strip():
            self.words.append(text.strip())

    @property
    def text(self) -> str:
        return " ".join(self.words)

    def attributes(self, name: str) -> list[str]:
        return [
            value
            for _, attributes in self.elements
            for key, value in attributes.items()
            if key == name and value
        ]


def facts(ledger: Ledger, analyst: str | None = None, file: str = "shop.duckdb") -> PageContents:
    with at(NOW):
        budgets = ledger.budgets()
    head = ledger.head()
    entries = [entry for entry in ledger.entries() if analyst in (None, entry.analyst)]
    return PageContents(file, analyst, budgets, entries, (head.number, head.hash), NOW)


def page_of(ledger: Ledger, analyst: str | None = None) -> Page:
    return Page(make_page(facts(ledger, analyst)))


class TestAccounts:
    def test_before_the_first_charge(self, ledger: Ledger) -> None:
        assert PEOPLE.default is not None
        set_cap(ledger, PEOPLE, PEOPLE.default)
        text = page_of(ledger).text
        assert "Privacy budget of shop.duckdb 2026-11-21 09:30 UTC · 0 charges · ledger entry 1" in text
        assert "people visits.visitor epsilon 0 of 10 epsilon 10 no charges yet No charges yet." in text

    def test_nothing_at_all(self, ledger: Ledger) -> None:
        text = page_of(ledger).text
        assert "0 charges What is left Nothing is capped. No charges yet." in text

    def test_what_is_left_and_until_when(self, ledger: Ledger) -> None:
        spend(ledger, 10, "3", delta="0.000001")
        spend(ledger, 1, "1")
        assert (
            "people visits.visitor epsilon 4 of 10 delta 1e-6 of 1e-5 epsilon 6 delta 9e-6 "
            "about 2026-12-06, in 15 days the last 10 days: 2 charges, epsilon 0.4 a day "
        ) in page_of(ledger).text

    def test_spent(self, ledger: Ledger) -> None:
        spend(ledger, 1, "10")
        page = page_of(ledger)
        assert "epsilon 10 of 10 epsilon 0 spent " in page.text
        assert ("div", {"style": "width: 100.0%", "class": "full"}) in page.elements

    def test_never(self, ledger: Ledger) -> None:
        spend(ledger, 40, "1")
        assert (
            "epsilon 9 never at this pace the last 30 days: 0 charges, epsilon 0 a day"
            in page_of(ledger).text
        )

    def test_a_window_says_when_it_refills(self, ledger: Ledger) -> None:
        set_cap(ledger, TEAM, Cap(Fraction(2), per_query=Fraction(1), window="day"))
        spend(ledger, 0.1, "1", TEAM)
        text = page_of(ledger).text
        assert "budget team per day, at most 1 per query epsilon 1 of 2 epsilon 1 not at this pace" in text
        assert "not at this pace refills on 2026-11-22 the last day: 1 charge, epsilon 1 a day" in text

    def test_zcdp_is_counted_as_its_cap_counts(self, ledger: Ledger) -> None:
        set_cap(ledger, PEOPLE, Cap(Fraction(5), Fraction(1, 10**6), accounting="zcdp"))
        spend(ledger, 1, "0.2")
        spend(ledger, 1, "0.2")
        text = page_of(ledger).text
        implied = float(epsilon_at(2 * cost_of(NoisyCount(Fraction(1, 5))).rho, Fraction(5, 10**7)))
        assert 1.3 < implied < 1.4  # and not the sum, 0.4
        assert f"people visits.visitor added up as zCDP epsilon {implied:.4f} of 5" in text
        assert f"2026-11-20 2 {implied:.4f}" in text  # in the table beside the chart
        assert re.search(r"rho 0\.04 a day", text)

    def test_without_a_cap(self, ledger: Ledger) -> None:
        spend(ledger, 1, "1")
        assert (
            "1 account without a cap Accounts without a cap account epsilon spent table visits 1"
            in page_of(ledger).text
        )


class TestCharts:
    def test_each_stands_beside_its_numbers(self, ledger: Ledger) -> None:
        spend(ledger, 12, "1", analyst="ana")
        spend(ledger, 5, "0.5")
        text = page_of(ledger).text
        assert "By the end of each day (UTC) day charges epsilon 2026-11-16 1 1.5 2026-11-09 1 1" in text
        assert "By analyst, in all analyst charges epsilon ana 1 1 the data owner 1 0.5" in text
        assert "By table, in all table charges epsilon visits 2 1.5" in text

    def test_each_says_what_it_is(self, ledger: Ledger) -> None:
        spend(ledger, 12, "1")
        page = page_of(ledger)
        charts = [attributes for tag, attributes in page.elements if attributes.get("role") == "img"]
        assert len(charts) == 3
        ids = page.attributes("id")
        for chart in charts:
            assert set((chart["aria-labelledby"] or "").split()) <= set(ids)
        assert (
            "Epsilon spent on visits.visitor over time A line from 0 at 2026-11-09 to 1 of 10 at" in page.text
        )

    def test_no_two_elements_have_one_id_and_all_that_are_meant_exist(self, ledger: Ledger) -> None:
        for name in ("visits", "orders"):
            spend(ledger, 3, "1", Account("people", f"{name}.id"), Account("table", name))
        page = page_of(ledger)
        ids = page.attributes("id")
        assert len(ids) == len(set(ids)) > 10
        assert set(re.findall(r"url\(#([^)]*)\)", page.html)) <= set(ids)
        assert {href.removeprefix("#") for href in page.attributes("href")} <= {*ids, "data:,"}

    def test_the_seventh_analyst_shares_a_line(self, ledger: Ledger) -> None:
        for i in range(8):
            spend(ledger, 9 - i, f"0.{9 - i}", TEAM, analyst=f"analyst {i}")
        page = page_of(ledger)
        assert "The last line is the other 3 together." in page.text
        assert "analyst 7 1 0.2" in page.text
        swatches = [style for style in page.attributes("style") if style.startswith("stroke: var(--line")]
        assert [style[len("stroke: var(--line")] for style in swatches] == list("01234555")

    def test_colours_are_those_of_the_page(self, ledger: Ledger) -> None:
        spend(ledger, 3, "1")
        page = page_of(ledger)
        drawing = page.html[page.html.index("<svg") :]
        assert re.findall(r"#[0-9a-f]{6}\b", drawing) == []
        used, known = set(re.findall(r"var\((--\w+)\)", page.html)), set(re.findall(r"(--\w+):", page.html))
        assert used <= known

    def test_settings_of_the_user_do_not_matter(self, ledger: Ledger) -> None:
        spend(ledger, 3, "1")
        usual = make_page(facts(ledger))
        with matplotlib.rc_context({"font.size": 40, "svg.fonttype": "path", "axes.facecolor": "red"}):
            assert make_page(facts(ledger)) == usual
            assert matplotlib.rcParams["font.size"] == 40

    @pytest.mark.slow
    def test_many_charges_make_a_small_page(self, ledger: Ledger) -> None:
        spend(ledger, 60, "0.001")
        found = facts(ledger)
        many = [
            type(found.entries[0])(
                **{**vars(found.entries[0]), "seq": i, "at": NOW - timedelta(minutes=20_000 - i)}
            )
            for i in range(20_000)
        ]
        html = make_page(PageContents(found.file, None, found.budgets, many, found.seal, NOW))
        assert len(html) < 200_000
        assert "20,000 charges" in html

    def test_years_are_shown_by_month(self, ledger: Ledger) -> None:
        for days in range(360, 0, -10):
            spend(ledger, days, "0.1")
        text = page_of(ledger).text
        assert "By the end of each month (UTC) month charges epsilon 2026-11 2 3.6 2026-10 3 3.4" in text
        assert "2026-03 3 1.3 until 2026-02 10 1" in text


class TestEscaping:
    @pytest.mark.parametrize(
        "hostile", [SCRIPT, '"><img src=x onerror=alert(1)>', "&lt;b&gt;", "</title></style>"]
    )
    def test_names_and_queries_are_text(self, ledger: Ledger, hostile: str) -> None:
        people = Account("people", hostile, PEOPLE.default)
        accounts = (Account("session", hostile), Account("analyst", hostile), Account("budget", hostile))
        spend(ledger, 1, "1", people, Account("table", hostile), *accounts, analyst=hostile, query=hostile)
        page = Page(make_page(facts(ledger, file=hostile)))
        assert {tag for tag, _ in page.elements} & {"script", "img", "b"} == set()
        assert not page.attributes("onerror")
        # In the two titles, a heading for its set of people, by analyst, by table, at its charge and query,
        # and four accounts without a cap.
        assert page.text.count(hostile) >= 10

    def test_a_name_cannot_turn_or_draw(self, ledger: Ledger) -> None:
        name = "\u202eana\x1b[2J\n"
        spend(ledger, 1, "1", TEAM, analyst=name)
        html = page_of(ledger).html
        assert "<bdi> ana [2J </bdi>" in html
        assert not {"\x1b", "\u202e"} & set(html)

    def test_a_name_is_no_formula(self, ledger: Ledger) -> None:
        spend(ledger, 1, "1", TEAM, analyst=r"$\frac$")
        assert r"$\frac$" in page_of(ledger).text

    def test_a_long_query_is_cut(self, ledger: Ledger) -> None:
        spend(ledger, 1, "1", query="SELECT " + "1 + " * 500)
        assert max(map(len, page_of(ledger).words)) < 310

    def test_only_the_last_charges_show_their_query(self, ledger: Ledger) -> None:
        for i in range(30, 0, -1):
            spend(ledger, i, "0.01", query=f"SELECT {i}")
        text = page_of(ledger).text
        assert text.count("SELECT") == MOST_CHARGES
        assert "SELECT 1 " in text
        assert "SELECT 21 " not in text

    def test_a_replay_is_called_one(self, ledger: Ledger) -> None:
        spend(ledger, 2, "1")
        found = facts(ledger)
        replay = type(found.entries[0])(
            **{**vars(found.entries[0]), "seq": 2, "replayed": True, "epsilon": Fraction(0), "accounts": ()}
        )
        text = Page(
            make_page(PageContents("f", None, found.budgets, [*found.entries, replay], (3, "ab"), NOW))
        ).text
        assert f"the data owner replayed {COUNT}" in text


class TestAnalyst:
    def test_an_analyst_sees_their_own_charges(self, ledger: Ledger) -> None:
        spend(ledger, 3, "1", analyst="ana")
        spend(ledger, 2, "2", analyst="bob", query="SELECT 'of bob'")
        text = page_of(ledger, "ana").text
        assert "As analyst ana sees it." in text
        assert "bob" not in text
        assert "epsilon 3 of 10 epsilon 7 not known: others spend here too" in text
        assert "Epsilon of your own charges; what others spent is not shown." in text
        assert "By analyst" not in text
        assert "cap 10" not in text
        assert "By table, in all table charges epsilon visits 1 1 " in text

    def test_or_none(self, ledger: Ledger) -> None:
        spend(ledger, 3, "1", TABLE, analyst="bob")
        assert "No charges yet." in page_of(ledger, "ana").text


class TestOneFile:
    def test_nothing_comes_from_elsewhere(self, ledger: Ledger) -> None:
        spend(ledger, 3, "1")
        page = page_of(ledger)
        assert not page.attributes("src")
        assert {tag for tag, _ in page.elements} & {
            "script",
            "iframe",
            "object",
            "image",
            "base",
            "form",
        } == set()
        assert [href for href in page.attributes("href") if not href.startswith("#")] == ["data:,"]
        assert re.findall(r"https?:|@import|//", page.html) == []

    def test_the_page_itself_forbids_it(self, ledger: Ledger) -> None:
        policy = next(a["content"] for tag, a in page_of(ledger).elements if "http-equiv" in a)
        assert policy == "default-src 'none'; style-src 'unsafe-inline'; img-src data:"

    def test_no_path_of_the_machine(self, ledger: Ledger, tmp_path: Path) -> None:
        spend(ledger, 3, "1")
        html = page_of(ledger).html
        assert str(Path(__file__).parents[2]) not in html
        assert str(Path.home()) not in html

    def test_it_is_the_same_each_time(self, ledger: Ledger) -> None:
        spend(ledger, 3, "1")
        assert make_page(facts(ledger)) == make_page(facts(ledger))
