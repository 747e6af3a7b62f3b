"""The bytes of the gateway: a client's messages in, all replies out, without a socket."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from dpduck.answers.service import Service
from dpduck.doors.audit.doors import ANALYST, AuditDoor, Notes, Place, Talk, Transcript, opened
from dpduck.doors.gateway.conversation import Conversation
from dpduck.doors.gateway.pg_catalog import Asker
from dpduck.doors.gateway.protocol.states import State
from dpduck.doors.gateway.protocol.wire import Wire
from dpduck.doors.gateway.router import Queries
from dpduck.doors.gateway.served_data import ServedData, ServedVersion, policies_of
from dpduck.doors.gateway.variables import Variables
from dpduck.engines.duckdb.hardening import scratch_of_process
from dpduck.kernel.ledger import open_ledger
from dpduck.kernel.ledger.session import Session


class GatewayDoor(AuditDoor):
    """What `dpduck serve` sends to a client that is logged in."""

    name = "gateway"

    @contextmanager
    def open(self, place: Place) -> Iterator[Talk]:
        with ExitStack() as stack:
            source = stack.enter_context(opened(place))
            answers = stack.enter_context(scratch_of_process())
            ledger = stack.enter_context(open_ledger(None))
            session, variables = Session(ledger, "audit", ANALYST), Variables(ANALYST)

            def service_of(version: ServedVersion) -> Service:
                return Service(version.source, session, place.settings, version.workspace(ANALYST))

            def asker() -> Asker:
                return Asker(ANALYST, place.file.stem, 1, variables.all)

            queries = Queries(ServedData(lambda: source, policies_of, answers), service_of, asker)
            wire = Wire()
            wire.state = State.READY
            yield GatewayTalk(place, Conversation(wire, queries, variables, lambda _: None), queries.service)


class GatewayTalk(Talk):
    """A simple query, then the same prepared, described and executed with binary results."""

    def __init__(self, place: Place, conversation: Conversation, service: Service) -> None:
        self._place = place
        self._conversation = conversation
        self._service = service

    def ask(self, sql: str) -> Transcript:
        notes = Notes(self._place)
        with open_ledger(None) as ledger:
            self._service.session = Session(ledger, "audit", ANALYST)
            self._hear(notes, _message("Q", _text(sql)))
            self._hear(notes, _prepared(sql))
            self._hear(notes, _message("Q", _text("FROM dp_budget()")))
            notes.add_entries(self._service.session.entries().to_pylist())
        return notes.transcript()

    def _hear(self, notes: Notes, said: bytes) -> None:
        for kind, body in _messages(b"".join(self._conversation.work(said))):
            text = body.decode("utf-8", "backslashreplace")
            notes.add("error" if kind == "E" else f"message {kind}", repr(text))


def _text(value: str) -> bytes:
    return value.encode() + b"\0"


def _message(kind: str, body: bytes = b"") -> bytes:
    return kind.encode() + struct.pack("!i", len(body) + 4) + body


def _prepared(sql: str) -> bytes:
    """Parse, Describe, Bind with results in binary, Execute, Sync."""
    binary = struct.pack("!HHHH", 0, 0, 1, 1)
    return b"".join(
        (
            _message("P", b"\0" + _text(sql) + struct.pack("!H", 0)),
            _message("D", b"S\0"),
            _message("B", b"\0\0" + binary),
            _message("E", b"\0" + struct.pack("!i", 0)),
            _message("S"),
        )
    )


def _messages(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Split the server's bytes into messages."""
    at = 0
    while at < len(data):
        size = int.from_bytes(data[at + 1 : at + 5], "big")
        yield chr(data[at]), data[at + 5 : at + 1 + size]
        at += 1 + size
