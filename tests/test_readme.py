"""What the README and its two next pages show is what happens: each block runs, in order, in a folder."""

from __future__ import annotations

import ast
import math
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pytest

import dpduck
from dpduck.doors.cli import main

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
SHOWN = [README, ROOT / "docs" / "COMMANDS.md", ROOT / "docs" / "PYTHON.md"]
DOCUMENTS = [
    README,
    ROOT / "CHANGELOG.md",
    ROOT / "SECURITY.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SET_UP = [
    "python3 -m venv .venv && .venv/bin/pip install -q . && .venv/bin/dpduck demo\n",
    "python3 -m venv .venv && .venv/bin/pip install -q '.[test]' && "
    '.venv/bin/pytest -m "not (clients or docs or lint or services or slow)"\n',
]
NUMBER = re.compile(r" *[0-9][0-9,]*(\.[0-9]+)?")
TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9:]{8} UTC")
TOLERANCE = 0.1  # of random numbers; the noise is far smaller on this data

# Nested sets of visitors: 4000 see home, 2000 news, 1000 shop. Those of the shop are 20 to 60 years old.
VISITS = """
COPY (
    SELECT visitor, page, 20 + visitor % 41 AS age, visit
    FROM range(1, 4001) AS v(visitor), range(2) AS t(visit),
        (VALUES ('home', 1), ('news', 2), ('shop', 4), ('help', 20), ('jobs', 80)) AS p(page, every)
    WHERE visitor % every = 0
) TO 'visits.csv'
"""

PEOPLE = """
CREATE TABLE people AS
    SELECT id, ['north', 'south', 'east'][1 + id % 3] AS region, (18 + id % 70)::INTEGER AS age
    FROM range(3000) AS r(id);
ALTER TABLE people ADD PRIMARY KEY (id);
CREATE TABLE pages (name VARCHAR PRIMARY KEY, topic VARCHAR);
INSERT INTO pages VALUES ('home', 'site'), ('news', 'media'), ('shop', 'goods'), ('jobs', 'site');
CREATE TABLE visits AS
    SELECT i % 3000 AS person, ['home', 'news', 'shop', 'jobs'][1 + i * i % 4] AS page,
        DATE '2024-01-01' + (i % 365)::INTEGER AS day, (i % 90)::DOUBLE AS spent
    FROM range(9000) AS r(i);
CREATE TABLE customers AS
    SELECT id, {'country': ['FR', 'DE'][1 + id % 2]} AS address, ['new', 'vip'][: id % 3] AS tags,
        CAST({'net': {'type': ['wifi', 'cell'][1 + id % 2]}, 'ms': id % 900} AS JSON) AS payload
    FROM range(3000) AS r(id);
ALTER TABLE customers ADD PRIMARY KEY (id);
"""


@dataclass(frozen=True)
class Block:
    """A fenced block of a document."""

    language: str
    text: str


def blocks(language: str) -> list[str]:
    text = "".join(page.read_text(encoding="utf-8") for page in SHOWN)
    found = [Block(*match.groups()) for match in BLOCK.finditer(text)]
    return [block.text for block in found if block.language == language]


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The directory in which the pages are read: it holds visits.csv, and then what the blocks make."""
    folder = tmp_path_factory.mktemp("readme")
    with pytest.MonkeyPatch.context() as patch, duckdb.connect() as db:
        patch.chdir(folder)
        db.execute(VISITS)
        yield folder


@pytest.fixture(scope="module")
def python(scratch: Path) -> list[tuple[str, object, object]]:
    """Run all Python blocks. Output: for each expression with a value beside it: text, value, shown value."""
    names: dict[str, object] = {}
    compared = []
    for text in blocks("python"):
        for statement in ast.parse(text).body:
            source = ast.get_source_segment(text, statement) or ""
            shown = _shown(text, statement)
            if shown is None:
                exec(compile(source, "PYTHON.md", "exec"), names)
            else:
                expression = source.removeprefix("print(").removesuffix(")") if "print" in source else source
                compared.append((source, eval(expression, names), shown))
    for name in ("db", "con"):
        names[name].close()  # type: ignore[attr-defined]
    return compared


def _shown(text: str, statement: ast.stmt) -> object | None:
    """The value in the comment behind a statement, if it is one."""
    line = text.splitlines()[(statement.end_lineno or 1) - 1]
    comment = line.rpartition("  # ")[2]
    return ast.literal_eval(comment) if comment[:1] in "({" and "  # " in line else None


def _is_like(value: object, shown: object) -> bool:
    """Whether the value is the shown one, but for noise."""
    if isinstance(value, (int, float)) and isinstance(shown, (int, float)):
        return math.isclose(value, shown, rel_tol=TOLERANCE)
    if isinstance(value, tuple) and isinstance(shown, tuple):
        return len(value) == len(shown) and all(map(_is_like, value, shown))
    if isinstance(value, dict) and isinstance(shown, dict):
        return _is_like(tuple(value), tuple(shown)) and _is_like(tuple(value.values()), tuple(shown.values()))
    return value == shown


def test_the_set_up_commands_come_first() -> None:
    assert blocks("sh")[:2] == SET_UP
    first = BLOCK.search(README.read_text(encoding="utf-8"))
    assert first is not None
    assert first[2] == SET_UP[0]


def test_the_readme_takes_five_minutes() -> None:
    text = README.read_text(encoding="utf-8")
    assert (len(text.splitlines()) <= 120, len(text.split()) <= 900) == (True, True)


def test_the_python_shows_what_it_returns(python: list[tuple[str, object, object]]) -> None:
    assert len(python) == 3
    assert [source for source, value, shown in python if not _is_like(value, shown)] == []


def test_the_sql_runs(python: object, scratch: Path) -> None:
    statements = [sql for text in blocks("sql") for sql in text.split(";") if sql.strip()]
    assert len(statements) == 9
    with dpduck.connect("shop.duckdb", epsilon="0.5") as db:
        for sql in statements:
            db.execute(sql)


def test_the_commands_print_what_is_shown(scratch: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (scratch / "visits.policy.sql").unlink(missing_ok=True)  # a new user's first command
    commands = [piece for text in blocks("sh")[2:] for piece in text.split("$ ") if piece]
    assert len(commands) == 5
    for command in commands:
        line, _, shown = command.partition("\n")
        assert main(shlex.split(line)[1:]) == 0
        printed = capfd.readouterr()
        out, shown = TIME.sub("TIME", printed.out + printed.err), TIME.sub("TIME", shown)
        assert NUMBER.sub(" #", out).startswith(NUMBER.sub(" #", shown))
        for value, expected in zip(_numbers(out), _numbers(shown), strict=False):
            assert _is_like(value, expected)


def _numbers(text: str) -> list[float]:
    return [float(number[0].replace(",", "")) for number in NUMBER.finditer(text)]


def test_the_sql_of_the_manual_runs() -> None:
    text = (ROOT / "docs" / "SQL.md").read_text(encoding="utf-8")
    found = [(match[1], match[2]) for match in BLOCK.finditer(text)]
    statements = [s for language, sql in found if language == "sql" for s in sql.split(";") if s.strip()]
    assert len(statements) > 30
    with duckdb.connect() as con:
        con.execute(PEOPLE)
        with dpduck.connect(con, budget=20) as db:
            db.execute("CREATE PRIVACY BUDGET manual LIMIT 20")
            for statement in statements:
                assert db.execute(statement).description, statement
            [code] = [code for language, code in found if language == "python"]
            names: dict[str, object] = {"dpduck": dpduck, "db": db}
            exec(compile(code, "SQL.md", "exec"), names)
            assert 0 < float(names["above"].epsilon_used) <= 0.25  # type: ignore[attr-defined]


def test_the_sql_of_the_ledger_runs(scratch: Path) -> None:
    text = (ROOT / "docs" / "LEDGER.md").read_text(encoding="utf-8")
    found = [match[2] for match in BLOCK.finditer(text) if match[1] == "sql"]
    statements = [s for block in found for s in block.split(";") if s.strip()]
    assert len(statements) == 10
    with duckdb.connect() as con:
        con.execute("CREATE TABLE visits AS FROM 'visits.csv'")
        with dpduck.connect(con) as db:
            db.execute("ALTER TABLE visits ADD PRIVACY_KEY (visitor)")
            for statement in statements:
                assert db.execute(statement).description, statement


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_documents_name_no_machine_and_no_registry(document: Path) -> None:
    text = document.read_text(encoding="utf-8").lower()
    assert [word for word in ("pypi", "/tmp/", "/work/", "/root/", "/home/") if word in text] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_the_files_that_are_named_exist(document: Path) -> None:
    text = BLOCK.sub("", document.read_text(encoding="utf-8"))
    paths = [
        ROOT / path
        for path in re.findall(r"`((?:benchmarks|docs|dpduck|examples|sql|tests)/[^`:]*)(?:::[^`]*)?`", text)
    ]
    links = [document.parent / path for path in re.findall(r"\]\(([^)#:]+)\)", text)]
    assert [path for path in paths + links if not path.exists()] == []


def test_the_changelog_opens_with_privacy() -> None:
    lines = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").splitlines()
    assert (lines[:2], lines[2][:3], lines[3]) == (["# Changelog", ""], "## ", "")
    assert lines[4].startswith("**Privacy.**")
