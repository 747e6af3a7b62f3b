"""The rules of the code that are not about what it computes: lint, types, layers, owners."""

import ast
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
CODE = ("dpduck", "tests", "benchmarks", "examples", "docs", "conftest.py", "noxfile.py")
SOURCES = sorted((ROOT / "dpduck").rglob("*.py"))

# The house, from the ground up: its floors, and the rooms of each, with their one rule. A room is a folder
# or file; it imports from itself, from floors below, and from the rooms that are listed before it.
FLOORS: dict[str, dict[str, str]] = {
    # What is believed for privacy. Who reads it needs no other floor.
    "kernel": {
        "errors": "every error, as data that each door renders",
        "system": "what the operating system and the installation provide",
        "cancellation": "what runs can be stopped, and says how far it is",
        "empty_database": "a DuckDB that holds nothing, in which constants are computed",
        "scores": "what a mechanism may see of the data",
        "noise": "exact random numbers",
        "catalog": "public facts, frozen: no connection, no row",
        "accounting": "amounts and events, and what they add up to: no ledger, no SQL",
        "arrow": "columns, vectors and text, each from the other without loss",
        "tree": "score SQL and answers as typed nodes, and their text in DuckDB's SQL",
        "check": "how far one unit moves each score, computed from its tree alone",
        "engine": "what every engine provides",
        "data_line": "below it errors are constant",
        "mechanisms": "scores in, a release and its event out: no SQL, no connection",
        "ledger": "the durable record of every charge: no SQL of users",
        "plan": "the typed plan, and what it costs",
        "release": "scores to released columns: nothing else crosses the data line",
    },
    # SQL text to a typed plan: pure. What it claims of bounds is checked.
    "compiler": {
        "parse": "SQL text to sqlglot's tree",
        "write": "names and types of what is written",
        "private": "how each function is written over one private row, which no row can make fail",
        "functions": "the table of functions, expressions that are read by it, and what is refused",
        "public": "expressions and queries over what is public",
        "validate": "the gate: what may be asked at all",
        "block": "a SELECT over private rows, read clause by clause",
        "planner": "which mechanism answers, and the SQL that it reads and answers with",
        "compile": "all of it, in order",
    },
    "engines": {},  # where score SQL runs: the only rooms that open data
    "policies": {},  # what the owner declared, and the record of it
    "summaries": {},  # a few noisy tables that answer every count on their columns
    "answers": {},  # one statement from its text to its answer, the charge first
    # Who asks, and how.
    "doors": {
        "console": "what people see on a terminal and in files",
        "page": "budgets, answers and plans as HTML and as pictures",
        "connection": "the Python connection, and what speaks to it: notebooks, DataFrames, SQLAlchemy",
        "extension": "functions on a plain DuckDB connection",
        "stream": "questions asked one at a time",
        "shell": "statements typed or piped",
        "gateway": "analysts who have no other way to the data: over the Postgres wire, or in a browser",
        "audit": "what answers tell besides their numbers",
        "cli": "the command line",
    },
}
ENTRANCES = {"__init__", "__main__"}  # what users import, and `python -m dpduck`
TWICE = 12  # lines
# How many pairs of floors there are, and of rooms of one floor, of which one imports the other.
MOST_ARROWS = {"": 19, "kernel": 42, "compiler": 29, "doors": 19}

# Each dependency has few owners: floors, and rooms.
OWNERS = {
    "pyspark": {"engines", "connection"},  # the latter for its types
    "sqlglot": {"compiler", "plan", "engines", "gateway"},
    "duckdb": {
        "empty_database",
        "engine",
        "plan",  # for the names of columns
        "compiler",
        "engines",
        "policies",
        "answers",
        "connection",
        "extension",
        "console",
        "shell",
        "gateway",
        "audit",
        "cli",
    },
    "flint": {"noise", "mechanisms", "accounting", "catalog", "audit"},
    "sqlite3": {"ledger", "engines"},  # the latter for the catalog of a lake
    "sqlalchemy": {"ledger", "connection"},
    "psycopg": {"ledger"},
    "matplotlib": {"page"},
    "prompt_toolkit": {"shell"},
    "rich": {"shell"},
    "scramp": {"gateway"},
    "asn1crypto": {"gateway"},
    "starlette": {"gateway"},
    "uvicorn": {"gateway"},
    "jwt": {"gateway"},
    "prometheus_client": {"gateway"},
    "asyncio": {"gateway", "cli"},
    "ssl": {"gateway", "cli"},
    "secrets": {"engines", "ledger", "policies", "answers", "extension", "gateway"},
    "random": set(),
    "pickle": set(),
    "socket": set(),
}


def rooms_of(path: Path) -> list[str]:
    """The floor of a file, and its room."""
    return [part.removesuffix(".py") for part in path.relative_to(ROOT / "dpduck").parts[:2]]


def imports_of(path: Path) -> list[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = [
        f"{node.module}.{alias.name}"
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    ]
    return names + [a.name for node in ast.walk(tree) if isinstance(node, ast.Import) for a in node.names]


def run(*command: str) -> None:
    done = subprocess.run([sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.lint
def test_lint() -> None:
    run("ruff", "check", "--no-cache", *CODE)


@pytest.mark.lint
def test_format() -> None:
    run("ruff", "format", "--check", "--no-cache", *CODE)


@pytest.mark.lint
def test_types() -> None:
    run("mypy", "--no-incremental")


def arrows(folder: Path) -> set[tuple[str, str]]:
    """From which room of a folder to which other ones its files import: each pair once."""
    package = ".".join(folder.relative_to(ROOT).parts)
    found = set()
    for path in folder.rglob("*.py"):
        room = path.relative_to(folder).parts[0].removesuffix(".py")
        for name in imports_of(path):
            inner = name.removeprefix(package).strip(".").split(".")[0]
            if name.startswith(f"{package}.") and inner != room:
                found.add((room, inner))
    return found


def rooms_in(folder: Path) -> set[str]:
    found = {path.relative_to(folder).parts[0].removesuffix(".py") for path in folder.rglob("*.py")}
    return found - ENTRANCES


HOUSE = {"": dict.fromkeys(FLOORS, ""), **{floor: rooms for floor, rooms in FLOORS.items() if rooms}}


@pytest.mark.parametrize("floor", HOUSE)
def test_imports_point_one_way(floor: str) -> None:
    folder, rooms = ROOT / "dpduck" / floor, HOUSE[floor]
    assert rooms_in(folder) == rooms.keys()
    ranks = {name: rank for rank, name in enumerate(rooms)}
    inside = {(a, b) for a, b in arrows(folder) if not {a, b} & ENTRANCES and b in ranks}
    assert not [(a, b) for a, b in inside if ranks[a] <= ranks[b]]
    assert len(inside) <= MOST_ARROWS[floor]


def test_dependencies_have_owners() -> None:
    for path in SOURCES:
        for name in imports_of(path):
            owners = OWNERS.get(name.split(".")[0])
            assert owners is None or not owners.isdisjoint(rooms_of(path)), f"{path} imports {name}"


def test_randomness_has_one_source() -> None:
    users = [
        path for path in SOURCES if "urandom" in path.read_text(encoding="utf-8").replace("`os.urandom`", "")
    ]
    assert [path.name for path in users] == ["entropy.py"]
    assert not [path for path in SOURCES if "np.random" in path.read_text(encoding="utf-8")]


def test_every_file_says_why_it_exists() -> None:
    for path in SOURCES:
        assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or not path.stat().st_size


def test_no_class_name_is_used_twice() -> None:
    """Classes inside of classes aside: sqlglot asks for a `Tokenizer` in each dialect."""
    names = [
        (node.name, str(path.relative_to(ROOT)))
        for path in SOURCES
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef)
    ]
    seen = Counter(name for name, _ in names)
    assert not sorted(pair for pair in names if seen[pair[0]] > 1)


def test_nothing_is_written_twice() -> None:
    """No two places share 12 lines of code that are equal. Imports and comments do not count."""
    places: dict[tuple[str, ...], list[str]] = {}
    for path in SOURCES:
        lines = _code_of(path)
        for start in range(len(lines) - TWICE + 1):
            places.setdefault(tuple(lines[start : start + TWICE]), []).append(str(path.relative_to(ROOT)))
    assert not [found for found in places.values() if len(found) > 1]


def _code_of(path: Path) -> list[str]:
    text = path.read_text(encoding="utf-8")
    imports = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Import | ast.ImportFrom)]
    skipped = {line for node in imports for line in range(node.lineno, (node.end_lineno or 0) + 1)}
    lines = [line.strip() for number, line in enumerate(text.splitlines(), 1) if number not in skipped]
    return [line for line in lines if line and not line.startswith("#")]


def test_only_a_terminal_follows_how_far_a_query_is() -> None:
    """The gateway must not: what DuckDB counts depends on the rows (docs/decisions, number 34)."""
    setting = [path for path in SOURCES if ".followed = True" in path.read_text(encoding="utf-8")]
    assert [path.name for path in setting] == ["tables.py"]
    gateway = [path for path in SOURCES if "gateway" in rooms_of(path)]
    assert not [
        p for p in gateway if {"progress", "following"} & set(imported_from(p, "dpduck.doors.console.tables"))
    ]


def imported_from(path: Path, module: str) -> list[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module == module]
    return [alias.name for node in found for alias in node.names]
