"""A small database with policies, and a session on it whose screen is kept as text."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import duckdb
import pytest

import dpduck
import dpduck.kernel.accounting.amounts
from dpduck.answers.service import Service
from dpduck.answers.settings import Settings
from dpduck.doors.connection import Connection
from dpduck.doors.console.writer import Writer
from dpduck.doors.shell.commands import feed
from dpduck.doors.shell.session import Data, ShellSession, UserInteraction
from dpduck.engines.source import Source, open_source
from dpduck.kernel.ledger import open_ledger
from dpduck.kernel.ledger.session import Session as Asker

# Nested sets of visitors: 4000 see home, 2000 news, 1000 shop.
VISITS = """
CREATE TABLE visits AS
SELECT visitor, page, 20 + visitor % 41 AS age
FROM range(1, 4001) AS v(visitor), (VALUES ('home', 1), ('news', 2), ('shop', 4)) AS p(page, every)
WHERE visitor % every = 0;
ALTER TABLE visits ALTER COLUMN visitor SET NOT NULL;
CREATE TABLE pages (name VARCHAR PRIMARY KEY, topic VARCHAR);
INSERT INTO pages VALUES ('home', 'site'), ('news', 'media'), ('shop', 'goods');
CREATE TABLE numbers AS SELECT i FROM range(100) AS r(i);
CREATE VIEW grown AS SELECT * FROM visits WHERE age > 30;
"""
POLICIES = (
    "ALTER TABLE visits ADD PRIVACY_KEY (visitor)",
    "ALTER TABLE visits ALTER COLUMN page SET PRIVACY DOMAIN IN ('home', 'news', 'shop')",
    "ALTER TABLE visits ALTER COLUMN age SET PRIVACY DOMAIN BETWEEN (0, 120)",
    "ALTER TABLE pages SET PUBLIC",
    "ALTER TABLE numbers SET PUBLIC",
)


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The database, made once."""
    file = tmp_path_factory.mktemp("shell") / "shop.duckdb"
    with duckdb.connect(str(file)) as con:
        con.execute(VISITS)
    with dpduck.connect(file, ledger=file.with_suffix(".other")) as db:
        for policy in POLICIES:
            db.execute(policy)
    with duckdb.connect(str(file)) as con:  # or each first opening would tell of the other ledger
        con.execute("DELETE FROM dpduck.policies WHERE kind = 'people'")
    return file


@pytest.fixture
def folder(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of the test's own with the database, which is the working directory."""
    (tmp_path / "shop.duckdb").write_bytes(made.read_bytes())
    monkeypatch.chdir(tmp_path)
    return tmp_path


@dataclass
class Talk:
    """A session, and what was said in it."""

    session: ShellSession
    out: io.StringIO
    err: io.StringIO
    questions: list[str] = field(default_factory=list)

    def says(self, *lines: str) -> str:
        """Type lines. Output: what the screen then shows, answers first."""
        for stream in (self.out, self.err):
            stream.seek(0)
            stream.truncate()
        feed(self.session, [f"{line}\n" for line in lines])
        return self.out.getvalue() + self.err.getvalue()

    @property
    def charges(self) -> list[str]:
        """What the ledger has, as text."""
        return [str(row["epsilon"].normalize()) for row in self.session.db.ledger().to_pylist()]


Open = Callable[..., Talk]


@pytest.fixture
def talk(folder: Path) -> Iterator[Open]:
    """Open a session on the database. Without `answer` nobody is there to be asked."""
    opened: list[Connection] = []

    def open_talk(
        answer: bool | None = None,
        *,
        budget: str | None = "2",
        epsilon: str = "0.5",
        analyst: str | None = None,
        data: Data | None = None,
    ) -> Talk:
        source = open_source("shop.duckdb", read_only=analyst is not None)
        asker = Asker(open_ledger("shop.ledger"), analyst or "cli", analyst)
        asker.set_budget(None if budget is None else dpduck.kernel.accounting.amounts.parse_budget(budget))
        service = Service(source, asker, Settings.parse(epsilon, None))
        db = Connection(source.connection, service)
        opened.append(db)
        found: list[str] = []

        def ask(question: str) -> bool:
            found.append(question)
            return bool(answer)

        out, err = io.StringIO(), io.StringIO()
        data = data or Data("shop", kept=(folder / "shop.duckdb",))
        interaction = UserInteraction() if answer is None else UserInteraction(ask)
        return Talk(ShellSession(db, service, Writer(out, err), data, interaction), out, err, found)

    yield open_talk
    for db in opened:
        db.close()


@pytest.fixture
def source() -> Iterator[Source]:
    """A database in memory."""
    with duckdb.connect() as con:
        yield Source(con)
