"""The rules of the code that are not about what it computes: lint, types, layers, owners."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCES = sorted((ROOT / "dpduck").rglob("*.py"))

# Each module may import from the layers before its own, and from its own package.
LAYERS = [
    ["errors", "forklock", "interrupts", "below"],
    ["spilling"],
    ["given", "quantities", "sqltypes", "resources", "cancelling", "arrays"],
    ["events", "statements", "noise", "texts"],
    ["accounting", "catalog"],
    ["scores", "ranges"],
    ["columns", "mechanisms", "tally"],
    ["grid", "ledger"],
    ["session", "query", "forecast", "datapath"],
    ["parquet_columns", "csv_lines", "hardening"],
    ["dataset"],
    ["engines"],
    ["policies", "budgets", "facts", "placement", "database", "show", "settings", "versions"],
    ["elsewhere"],
    ["consequences"],
    ["decisions"],
    ["release", "functions", "replay"],
    ["engine", "explain", "result"],
    ["preparation"],
    ["service"],
    ["connection"],
    ["extension", "stream"],
    ["terminal"],
    ["writer", "reports", "page", "export"],
    ["files"],
    ["demo", "shell", "gateway"],
    ["audit"],
    ["cli"],
]
RANKS = {name: rank for rank, names in enumerate(LAYERS) for name in names}

# Each dependency has few owners.
OWNERS = {
    "pyspark": {"engines", "elsewhere", "connection"},  # the others for its types
    "sqlglot": {"query", "gateway"},
    "duckdb": {
        "policies",
        "facts",
        "preparation",
        "placement",
        "versions",
        "database",
        "elsewhere",
        "parquet_columns",
        "csv_lines",
        "hardening",
        "dataset",
        "decisions",
        "engines",
        "result",
        "service",
        "connection",
        "extension",
        "terminal",
        "demo",
        "shell",
        "gateway",
        "audit",
    },
    "flint": {"noise", "mechanisms", "accounting", "ranges", "audit"},
    "sqlite3": {"ledger"},
    "sqlalchemy": {"ledger"},
    "psycopg": {"ledger"},
    "matplotlib": {"page"},
    "prompt_toolkit": {"shell"},
    "rich": {"shell"},
    "scramp": {"gateway"},
    "prometheus_client": {"gateway"},
    "asyncio": {"gateway", "cli"},
    "ssl": {"gateway", "cli"},
    "secrets": {"session", "placement", "extension", "policies", "versions", "gateway"},
    "random": set(),
    "pickle": set(),
    "socket": set(),
}


def module_of(path: Path) -> str:
    return path.relative_to(ROOT / "dpduck").parts[0].removesuffix(".py")


def imports_of(path: Path) -> list[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    return names + [a.name for node in ast.walk(tree) if isinstance(node, ast.Import) for a in node.names]


def run(*command: str) -> None:
    done = subprocess.run([sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_lint() -> None:
    run("ruff", "check", "--no-cache", "dpduck", "tests", "benchmarks")


def test_format() -> None:
    run("ruff", "format", "--check", "--no-cache", "dpduck", "tests", "benchmarks")


def test_types() -> None:
    run("mypy", "--no-incremental")


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_one_way(path: Path) -> None:
    if path.name == "__init__.py" and module_of(path) == "__init__":
        return
    own = module_of(path)
    for name in imports_of(path):
        parts = name.split(".")
        if parts[0] == "dpduck" and len(parts) > 1 and parts[1] != own:
            assert RANKS[parts[1]] < RANKS[own], f"{path.name} imports {name}"


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_dependencies_have_owners(path: Path) -> None:
    for name in imports_of(path):
        owners = OWNERS.get(name.split(".")[0])
        assert owners is None or module_of(path) in owners | {"__init__"}, f"{path.name} imports {name}"


def test_randomness_has_one_source() -> None:
    users = [
        path for path in SOURCES if "urandom" in path.read_text(encoding="utf-8").replace("`os.urandom`", "")
    ]
    assert [path.name for path in users] == ["entropy.py"]
    assert not [path for path in SOURCES if "np.random" in path.read_text(encoding="utf-8")]


def test_every_file_says_why_it_exists() -> None:
    for path in SOURCES:
        assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or not path.stat().st_size


def test_only_a_terminal_follows_how_far_a_query_is() -> None:
    """The gateway must not: what DuckDB counts depends on the rows (docs/DECISIONS.md)."""
    setting = [path for path in SOURCES if ".followed = True" in path.read_text(encoding="utf-8")]
    assert [path.name for path in setting] == ["terminal.py"]
    gateway = [path for path in SOURCES if module_of(path) == "gateway"]
    assert not [
        p for p in gateway if {"progress", "following"} & set(imported_from(p, "dpduck.console.tables"))
    ]


def imported_from(path: Path, module: str) -> list[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module == module]
    return [alias.name for node in found for alias in node.names]
