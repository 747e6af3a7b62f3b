"""What Tab offers, by where the cursor is. The cursor is at | ."""

from __future__ import annotations

import pytest

from dpduck.doors.shell.commands import COMMANDS
from dpduck.doors.shell.completion import complete
from dpduck.doors.shell.prompt import coloured
from dpduck.kernel.catalog.model import Catalog, Column, Table, ValuesDomain, View

CATALOG = Catalog(
    (
        Table(
            "shop",
            "main",
            "visits",
            (
                Column("visitor", "BIGINT"),
                Column("page", "VARCHAR", ValuesDomain(("home", "news", "it's"))),
                Column("age", "BIGINT"),
            ),
            unit="visitor",
        ),
        Table("shop", "main", "pages", (Column("name", "VARCHAR"), Column("Page Topic", "VARCHAR"))),
        Table("shop", "stock", "items", (Column("item", "VARCHAR"), Column("amount", "BIGINT"))),
    ),
    (View("main", "grown", "", columns=(Column("adult", "BIGINT"),)),),
)
NAMES = [(command.name, command.takes) for command in COMMANDS]


def offered(marked: str, kind: str | None = None) -> list[str]:
    text, cursor = marked.replace("|", ""), marked.index("|")
    return [s.text for s in complete(text, cursor, CATALOG, NAMES) if kind in (None, s.kind)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SELECT * FROM |", ["visits", "pages", "stock.items", "grown"]),
        ("SELECT * FROM vi|", ["visits"]),
        ("SELECT * FROM VI|", ["visits"]),
        ("SELECT * FROM visits JOIN p|", ["pages"]),
        ("SELECT * FROM visits, p|", ["pages"]),
        ("SELECT v.| FROM visits v", ["visitor", "page", "age"]),
        ("SELECT v.p| FROM visits AS v", ["page"]),
        ("SELECT visits.a| FROM visits", ["age"]),
        ('SELECT p."Pa| FROM pages p', ['"Page Topic"']),
        ("SELECT * FROM stock.|", ["items"]),
        ("SELECT * FROM gr|", ["grown"]),
        (
            "SET dp_|",
            [
                "dp_epsilon",
                "dp_delta",
                "dp_replay",
                "dp_preview",
                "dp_noisy_averages",
                "dp_max_groups_contributed",
                "dp_noise",
                "dp_interval",
                "dp_intervals",
                "dp_count",
                "dp_clamp",
                "dp_distinct",
                "dp_summaries",
            ],
        ),
        ("SET dp_replay = |", ["on", "off"]),
        ("SET dp_preview = |", ["empty", "off"]),
        ("SET dp_noise = |", ["best", "laplace", "gaussian"]),
        ("SET dp_interval = |", ["table", "population"]),
        ("SET dp_count = |", ["units", "rows"]),
        ("SET dp_clamp = |", ["declared", "private"]),
        ("SET dp_distinct = |", ["ranked", "claims"]),
        ("SET dp_summaries = |", ["on", "only", "off"]),
        ("SELECT 1; SET dp_r|; SELECT 2", ["dp_replay"]),
        (
            "SHOW |",
            [
                "PRIVACY",
                "PRIVACY FOR",
                "PRIVACY BUDGETS",
                "PRIVACY BUDGETS FOR",
                "PRIVACY SUMMARIES",
                "PRIVACY SUMMARY",
            ],
        ),
        ("SHOW PRIVACY FOR v|", ["visits"]),
        ("ALTER TABLE v|", ["visits"]),
        ("SELECT count(*) FROM visits WHERE page = '|", ["'home'", "'news'", "'it''s'"]),
        ("SELECT count(*) FROM visits WHERE page IN ('home', 'n|", ["'news'"]),
        ("SELECT count(*) FROM visits WHERE page != 'h|", ["'home'"]),
        ("SELECT count(*) FROM visits WHERE age = 'h|", []),
        ("SELECT 'vis|", []),
        ("SELECT 1 -- vis|", []),
        ("SELECT /* vis|", []),
        ("SELECT v.| FROM nowhere v", []),
        ("se|", ["select", "set"]),
        ("SE|", ["SELECT", "SET"]),
    ],
)
def test_the_words_that_fit(text: str, expected: list[str]) -> None:
    assert offered(text) == expected


def test_columns_of_the_tables_that_are_named_come_first() -> None:
    assert offered("SELECT | FROM visits")[:3] == ["visitor", "page", "age"]
    assert offered("SELECT | FROM visits", "column") == ["visitor", "page", "age"]
    assert offered("SELECT p| FROM visits")[0] == "page"
    assert "item" in offered("SELECT i|", "column")
    assert offered("SELECT count(*) FROM visits v JOIN pages USING (n|", "column") == ["name"]


def test_functions_open_their_parenthesis() -> None:
    assert offered("SELECT med| FROM visits") == ["median("]
    assert offered("SELECT count(*) AS n, dp_l| FROM visits") == ["dp_ledger(", "dp_low("]


def test_only_what_was_typed_of_the_word_is_replaced() -> None:
    (found,) = complete("SELECT * FROM vis WHERE", 17, CATALOG)
    assert (found.text, found.replaces) == ("visits", 3)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (".s|", [".schema", ".suggest"]),
        (".schema v|", ["visits"]),
        (".timer o|", ["on", "off"]),
        (".mode |", ["box", "csv", "json", "markdown"]),
        (".confirm |", ["off"]),
        (".explain SELECT * FROM vi|", ["visits"]),
        (".nothing x|", []),
    ],
)
def test_commands(text: str, expected: list[str]) -> None:
    assert offered(text) == expected


@pytest.mark.parametrize(
    "text",
    ["", "SELECT 'open", 'a "b', ".explain SELECT 1", "  .help", "/* x", "é = '\U0001f986' -- y\n;", "."],
)
def test_colours_change_no_letter(text: str) -> None:
    assert "".join(part for _, part in coloured(text)) == text


def test_any_text_at_any_place_is_no_fault() -> None:
    text = "SELECT v.\"a'b, count(* FROM visits v, x. WHERE page = 'ho ;; .SET dp_replay = SHOW $$ /* -- "
    for end in range(len(text) + 1):
        for cursor in (end, end // 2):
            complete(text[:end], cursor, CATALOG, NAMES)
