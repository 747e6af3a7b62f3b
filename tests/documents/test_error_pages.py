"""docs/functions and docs/EPSILON.md: each figure is what EXPLAIN says, and each formula gives it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import dpduck
from tests.documents.executed import Reader, blocks_of

DOCS = Path(__file__).parents[2] / "docs"
PAGES = sorted(path for path in (DOCS / "functions").glob("*.md") if path.name != "README.md")
ROW = re.compile(r"^\| `(.+?)` \| (.+?) \|$", re.MULTILINE)
LN_20 = math.log(20)
EPSILONS = (0.05, 0.1, 0.5, 1, 2)


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("functions")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        Reader(folder).read(DOCS / "howto" / "README.md")
    yield folder


@pytest.fixture(scope="module")
def db(shop: Path) -> Iterator[dpduck.Connection]:
    with dpduck.connect(shop / "shop.duckdb", epsilon="1") as owner:
        owner.execute("CREATE PRIVACY BUDGET life LIMIT 1000")
        yield owner


def said(db: dpduck.Connection, text: str) -> str:
    """What EXPLAIN says of the errors of a query, which statements that set something may precede."""
    *settings, query = (part.strip() for part in text.split(";"))
    for setting in settings:
        db.execute(setting)
    plan = str(db.explain(query))
    db.execute("RESET ALL")
    lines = re.findall(r"^  error +(.+(?:\n {12}\S.*)*)", plan, re.MULTILINE)
    return " ".join(" ".join(lines).split())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_figures_are_those_of_explain(page: Path, db: dpduck.Connection) -> None:
    rows = ROW.findall(page.read_text(encoding="utf-8"))
    assert len(rows) >= 3
    assert [(query, text, found) for query, text in rows if text not in (found := said(db, query))] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_queries_run(page: Path, db: dpduck.Connection) -> None:
    statements = [
        s for block in blocks_of(page) if block.language == "sql" for s in block.text.split(";") if s.strip()
    ]
    assert statements
    for statement in statements:
        assert db.execute(statement).fetchall(), statement


def test_the_first_page_leads_to_each() -> None:
    text = (DOCS / "functions" / "README.md").read_text(encoding="utf-8")
    assert [page.name for page in PAGES if f"]({page.name})" not in text] == []


def width(epsilon: float, groups: int = 1) -> int:
    """The half-width of a count, as docs/functions/counts.md says."""
    rate = epsilon / groups
    return math.ceil(math.log(40 / (1 + math.exp(-rate))) / rate) - 1


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_the_formula_of_counts(db: dpduck.Connection, epsilon: float) -> None:
    for query, groups in (("people", 1), ("visits GROUP BY page", 4), ("visits GROUP BY day", 90)):
        db.execute(f"SET dp_epsilon = {epsilon}")
        db.execute("SET dp_replay = off")  # an earlier answer has an error of its own
        plan = db.explain(f"SELECT count(*) AS n FROM {query}")
        db.execute("RESET ALL")
        assert plan.expected_error == {"n": width(epsilon, groups)}


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_the_formulas_of_sums_averages_and_medians(db: dpduck.Connection, epsilon: float) -> None:
    setting = f"SET dp_epsilon = {epsilon}; "
    [total] = numbers(
        said(db, setting + "SELECT sum(spent, contribution_bounds_per_group => (0, 200)) AS s FROM visits"),
        "s - ",
    )
    assert total == pytest.approx(LN_20 * 200 / epsilon, rel=0.01)
    [share] = numbers(said(db, setting + "SELECT avg(bought) AS a FROM people"), "is within ")
    assert share == pytest.approx(LN_20 / epsilon / 1000, rel=0.01)
    ranks = said(db, setting + "SELECT median(age) AS m FROM people")
    assert numbers(ranks, "about ") == [pytest.approx(LN_20 / epsilon, rel=0.03)]
    assert numbers(ranks, "at most ") == [pytest.approx(math.log(20 * 121) / epsilon, rel=0.03)]


def numbers(text: str, before: str) -> list[float]:
    return [
        float(found.replace(",", ""))
        for found in re.findall(re.escape(before) + r"([\d.,]*\d(?:e[+]\d+)?)", text)
    ]


def table(title: str) -> list[list[str]]:
    """The rows of the first table of a part of docs/EPSILON.md."""
    text = (DOCS / "EPSILON.md").read_text(encoding="utf-8").partition(f"## {title}\n")[2]
    lines = re.findall(r"^\|.*\|$", text.partition("\n## ")[0], re.MULTILINE)
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def test_what_an_attacker_learns() -> None:
    rows = table("What an attacker learns")
    assert len(rows) >= 6
    for epsilon, factor, *beliefs in rows:
        grown = math.exp(float(epsilon))
        assert factor == f"{grown:,.{1 if grown < 10 else 0}f} times"
        for before, shown in zip((1 / 2, 1 / 10, 1 / 1000), beliefs, strict=True):
            after = 100 * before * grown / (1 - before + before * grown)
            digits = len(shown.removesuffix(" %").partition(".")[2])
            assert shown == f"{after:.{digits}f} %"


def test_what_it_buys() -> None:
    rows = table("What it buys")
    assert [float(row[0]) for row in rows] == list(EPSILONS)
    for text, count, histogram, thousand, many, median in rows:
        epsilon = float(text)
        assert count == f"± {width(epsilon)}"
        assert histogram == f"± {width(epsilon, 10)}"
        for shown, people in ((thousand, 1_000), (many, 100_000)):
            assert float(shown.split()[1]) == pytest.approx(100 * LN_20 / epsilon / people, rel=0.01)
        assert float(median.split()[1]) == pytest.approx(LN_20 / epsilon, rel=0.01)


def test_what_the_text_says() -> None:
    text = (DOCS / "EPSILON.md").read_text(encoding="utf-8")
    assert "10 people at epsilon 1, 940 at 0.1, 94,000 at 0.01" in text
    for people, epsilon in ((10, 1), (940, 0.1), (94_000, 0.01)):
        assert LN_20 / epsilon / people <= 0.98 / math.sqrt(people) <= LN_20 / epsilon / (0.85 * people)
    for people, epsilon in ((100, 0.6), (1_000, 0.06), (10_000, 0.006)):
        assert width(epsilon) == pytest.approx(0.05 * people, rel=0.05)


def test_the_code_prints_what_is_shown(tmp_path: Path) -> None:
    reader = Reader(tmp_path)
    reader.read_blocks(
        [block for block in blocks_of(DOCS / "EPSILON.md") if block.language in ("python", "text")]
    )
    assert reader.shown.startswith("epsilon 0.5: 10% becomes at most 15%")
