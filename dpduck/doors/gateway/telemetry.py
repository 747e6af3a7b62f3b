"""Telemetry of the server: a log for the data owner, and metrics for Prometheus.

Neither contains a value: of a query they record the text with each literal as `?`, and the outcome.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from dpduck.compiler.parse.split import StatementText, Word
from dpduck.doors.gateway.errors import ConnectionRefusedError, LockedOutError
from dpduck.doors.gateway.execution import StatementOutcome
from dpduck.doors.gateway.status_server import Status, serve_status
from dpduck.kernel.errors import DpduckError, is_charged

MOST_TEXT = 2_000  # characters of a query in the log

_NAME = re.compile(r"\w+")
_NAME_OR_SIGN = re.compile(r"[^\W\d]\w*(?:\s+[^\W\d]\w*)*|[^\w\s'\"`]+")  # a token may be GROUP BY
_QUOTED_NAME = re.compile(r'"(?:[^"]|"")*"')

log = logging.getLogger("dpduck.gateway")


def masked(piece: StatementText) -> str:
    """The text of a statement with each literal replaced by `?`.

    >>> from dpduck.compiler.parse.split import split
    >>> masked(split("SELECT count(*) FROM t WHERE name = 'Ana' AND age > 30")[0])
    'SELECT count(*) FROM t WHERE name = ? AND age > ?'
    """
    parts: list[str] = []
    end, numeral = 0, False
    for word in piece.words:
        said, joins = piece.text[word.start : word.end], word.start == end
        end = word.end
        if _opens_quote(piece.text, word):
            parts.append(" ?")
            break
        if numeral and joins and _NAME.match(said):
            continue  # part of the preceding number, such as e in 1_000e9
        numeral = said[:1].isdigit()
        parts += ["" if joins else " ", _shown(said, quoted=word.quoted)]
        if word.quoted and said.endswith("\\'"):
            break  # other dialects read this quote as part of a longer string
    return " ".join("".join(parts).split())[:MOST_TEXT]


def _shown(said: str, *, quoted: bool) -> str:
    """A token unchanged if it is a name or an operator; anything else may be a value."""
    shown = _QUOTED_NAME if quoted else _NAME_OR_SIGN
    said = " ".join(said.split())
    return said if shown.fullmatch(said) and said.isprintable() else "?"


def _opens_quote(text: str, word: Word) -> bool:
    """Whether an unrecognised dollar-quoted string begins, whose end is unknown."""
    return not word.quoted and text[word.start] == "$" and not text[word.start + 1 : word.start + 2].isdigit()


class Telemetry:
    """The log and the metrics of one server.

    Input: `status`: whether it is alive and ready; `charged`: called after each charge.
    """

    def __init__(self, status: Status | None = None, charged: Callable[[], None] = lambda: None) -> None:
        self.status = status or Status()
        self._charged = charged
        self.registry = CollectorRegistry()
        self._connections = Gauge("dpduck_connections", "Connections that are open", registry=self.registry)
        self._refused_connections = Counter(
            "dpduck_connections_refused", "Connections that were refused", ["reason"], registry=self.registry
        )
        self._logins = Counter(
            "dpduck_logins", "Attempts to log in", ["way", "outcome"], registry=self.registry
        )
        self._queries = Counter(
            "dpduck_statements", "Statements, by how they ended", ["outcome"], registry=self.registry
        )
        self._epsilon = Counter(
            "dpduck_epsilon_charged", "Epsilon that was charged", ["analyst"], registry=self.registry
        )
        self._seconds = Histogram(
            "dpduck_statement_seconds", "Seconds that a statement took", ["outcome"], registry=self.registry
        )

    def serve(self, host: str, port: int) -> int:
        """Serve the metrics and the status over HTTP. Output: the port."""
        return serve_status(host, port, self.registry, self.status)

    def look_at_budgets(self) -> None:
        """Something was charged by another door of the same process."""
        self._charged()

    def opened(self, pid: int, peer: str) -> None:
        """A connection was opened."""
        self._connections.inc()
        log.info("connection %d from %s", pid, peer, extra=_fields("opened", pid, peer=peer))

    def closed(self, pid: int) -> None:
        """A connection has ended."""
        self._connections.dec()
        log.info("connection %d closed", pid, extra=_fields("closed", pid))

    def refused(self, pid: int, reason: str, what: str) -> None:
        """A connection was refused. Input: the reason as a label, and as a text."""
        self._refused_connections.labels(reason).inc()
        told = ascii(what)[1:-1]
        log.warning(
            "connection %d refused: %s",
            pid,
            told,
            extra=_fields("refused", pid, sqlstate=reason, reason=told),
        )

    def authenticated(self, pid: int, analyst: str, session: str, *, encrypted: bool) -> None:
        """A client was authenticated."""
        log.info(
            "connection %d is %s, session %s, %s",
            pid,
            ascii(analyst),
            session,
            "TLS" if encrypted else "plain",
            extra=_fields("authenticated", pid, analyst=analyst, session=session, encrypted=encrypted),
        )

    def logged_in(self, analyst: str, peer: str, way: str, role: str) -> None:
        """Somebody was let in. Input: the way: by password, certificate or token."""
        self._logins.labels(way, "let in").inc()
        told = {"event": "login", "analyst": analyst, "peer": peer, "way": way, "role": role}
        log.info("%s %s logged in by %s", role, ascii(analyst), way, extra={"fields": told})

    def login_refused(self, name: str, peer: str, way: str, error: DpduckError) -> None:
        """Somebody was not let in."""
        locked = isinstance(error, LockedOutError | ConnectionRefusedError)
        outcome = "locked out" if locked else "refused"
        self._logins.labels(way, outcome).inc()
        told = {"event": "login_refused", "analyst": name[:100], "peer": peer, "way": way, "outcome": outcome}
        log.warning("login of %s by %s: %s", ascii(name[:100]), way, outcome, extra={"fields": told})

    def done(self, pid: int, analyst: str, done: StatementOutcome) -> None:
        """A statement has finished."""
        outcome = _outcome(done)
        self._queries.labels(outcome).inc()
        self._seconds.labels(outcome).observe(done.seconds)
        if is_charged(done.charged):
            self._epsilon.labels(analyst).inc(float(done.charged))
            self._charged()
        if not log.isEnabledFor(logging.INFO):
            return
        text = "" if done.piece is None else masked(done.piece)
        log.info(
            "connection %d %s epsilon %s sqlstate %s: %s",
            pid,
            outcome,
            done.charged,
            done.sqlstate,
            text,
            extra=_fields(
                "statement",
                pid,
                analyst=analyst,
                outcome=outcome,
                epsilon=done.charged,
                sqlstate=done.sqlstate,
                statement=text,
            ),
        )


def _fields(event: str, pid: int, **more: object) -> dict[str, object]:
    """What a line says, for logs that programs read. No seconds: they would tell more than ticks do."""
    return {"fields": {"event": event, "connection": pid, **more}}


def _outcome(done: StatementOutcome) -> str:
    if done.sqlstate != "00000":
        return "refused" if done.charged == "0" else "failed"
    if done.replayed:
        return "replayed"
    return "answered" if done.fresh else "public"
