"""A conversation without a socket: bytes of a client in, replies out, with a real database and ledger."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from unittest.mock import patch

import duckdb

from dpduck.answers.service import Service
from dpduck.answers.settings import Settings
from dpduck.doors.gateway.conversation import Conversation
from dpduck.doors.gateway.execution import StatementOutcome
from dpduck.doors.gateway.pg_catalog import Asker, PublicCatalog
from dpduck.doors.gateway.pg_catalog.objects import Comments
from dpduck.doors.gateway.protocol.states import State
from dpduck.doors.gateway.protocol.wire import Wire
from dpduck.doors.gateway.router import Queries
from dpduck.doors.gateway.served_data import ServedData, ServedVersion, policies_of
from dpduck.doors.gateway.variables import Variables
from dpduck.engines.source import Source, open_source
from dpduck.kernel.accounting.amounts import parse_epsilon
from dpduck.kernel.catalog.model import Catalog
from dpduck.kernel.ledger import Ledger, open_ledger
from dpduck.kernel.ledger.session import Session
from tests.gateway import wiring as w

_after = PublicCatalog.after
_made: dict[str, PublicCatalog] = {}  # the last one of each database's name


def _catalog_after(
    before: PublicCatalog | None, catalog: Catalog, database: str, comments: Comments
) -> PublicCatalog:
    """The catalog of another house where it shows the same, as a version's is that of the one before."""
    _made[database] = _after(before or _made.get(database), catalog, database, comments)
    return _made[database]


@contextmanager
def catalogs_made_once() -> Iterator[None]:
    """Let servers that are opened in the block share what shows the same, as versions of one server do."""
    with patch.object(PublicCatalog, "after", _catalog_after):
        yield


class House:
    """What the conversations of one server share. Close it."""

    def __init__(self, file: Path, ledger: Path | None = None) -> None:
        self._stack = ExitStack()
        self.source: Source = open_source(file, read_only=True)
        self._stack.callback(self.source.connection.close)
        self.ledger: Ledger = self._stack.enter_context(open_ledger(ledger or f"{file}.ledger"))
        self.answers = self._stack.enter_context(duckdb.connect(":memory:"))
        with catalogs_made_once():
            self.data = ServedData(lambda: self.source, policies_of, self.answers)
        self._sessions = iter(range(1, 2**31))

    def close(self) -> None:
        self._stack.close()

    def talk(self, epsilon: str | None = "0.5") -> Talk:
        return Talk(self, f"session-{next(self._sessions)}", epsilon)


class Talk:
    """One client. `done`: what its watcher was told; `held`: whether an answer waited for its moment."""

    def __init__(self, house: House, session: str, epsilon: str | None) -> None:
        self.house = house
        self.done: list[StatementOutcome] = []
        self.wire = Wire()
        self.wire.state = State.READY
        settings = Settings(None if epsilon is None else parse_epsilon(epsilon))
        self.held = False
        own = Session(house.ledger, session, "ana")
        variables = Variables("ana")

        def service_of(version: ServedVersion) -> Service:
            return Service(version.source, own, settings, version.workspace("ana"), self.hold)

        self.queries = Queries(house.data, service_of, lambda: Asker("ana", "shop", 1, variables.all))
        self.service = self.queries.service
        self.conversation = Conversation(self.wire, self.queries, variables, self.done.append)
        self.running = self.conversation.running

    def hold(self) -> None:
        self.held = True

    def say(self, *messages: bytes) -> list[w.Reply]:
        return w.replies_in(b"".join(self.work(*messages)))

    def work(self, *messages: bytes) -> Iterator[bytes]:
        return self.conversation.work(b"".join(messages))

    def ask(self, sql: str) -> list[w.Reply]:
        return self.say(w.query(sql))

    @property
    def charges(self) -> int:
        """How many charges the ledger has."""
        return len(self.house.ledger.entries())
