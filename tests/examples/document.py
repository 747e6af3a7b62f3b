"""docs/EXAMPLES.md as data: its blocks, its tables and views, and a connection to use them on."""

import re
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pytest

import dpduck
from dpduck.doors.extension import register
from tests.sources import Seeded

DOCUMENT = Path(__file__).parent.parent.parent / "docs" / "EXAMPLES.md"
TEXT = DOCUMENT.read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CREATE = re.compile(r"CREATE (?:TABLE|VIEW) (\w+) AS\b")


@dataclass(frozen=True)
class Block:
    """A fenced block: python, sql, or the text that the SQL before it has printed."""

    language: str
    text: str

    @property
    def statements(self) -> list[str]:
        return [statement.strip() for statement in self.text.split(";") if statement.strip()]

    @property
    def rows(self) -> list[list[str]]:
        """The cells of a printed table, below its names and types."""
        lines = [line for line in self.text.splitlines() if line.startswith("│")]
        return [[cell.strip() for cell in line.strip("│").split("│")] for line in lines[2:]]


BLOCKS = [Block(*match.groups()) for match in BLOCK.finditer(TEXT)]
STATEMENTS = [statement for block in BLOCKS if block.language == "sql" for statement in block.statements]
DEFINITIONS = {found[1]: statement for statement in STATEMENTS if (found := CREATE.match(statement))}


def define(con: duckdb.DuckDBPyConnection, *names: str) -> None:
    """Create tables and views as the document does."""
    for name in names:
        con.execute(DEFINITIONS[name])


def seeded(patch: pytest.MonkeyPatch, *name: object) -> duckdb.DuckDBPyConnection:
    """A connection with the dp_ functions, whose noise is the same in every run."""
    patch.setattr(register, "SystemEntropy", lambda: Seeded(*name))
    con = duckdb.connect()
    dpduck.register(con, session="examples")
    return con
