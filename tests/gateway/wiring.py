"""A client of the Postgres protocol, written from its documentation, and the server as a process."""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
import queue
import re
import secrets
import signal
import socket
import ssl
import struct
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import duckdb

import dpduck
from tests.cli.processes import start

USER, PASSWORD = "ana", "correct horse battery"
SECRET = "Zaphod7319"  # of one person of the shop; it may be in no byte that leaves

Reply = tuple[str, bytes]

# --- what a client says --------------------------------------------------------------------------


def text(value: str) -> bytes:
    return value.encode() + b"\0"


def message(kind: str, body: bytes = b"") -> bytes:
    return kind.encode() + struct.pack("!i", len(body) + 4) + body


def opening(code: int, body: bytes = b"") -> bytes:
    return struct.pack("!ii", len(body) + 8, code) + body


def startup(version: int = 3 << 16, **parameters: str) -> bytes:
    pairs = b"".join(text(name) + text(value) for name, value in parameters.items())
    return opening(version, pairs + b"\0")


SSL_REQUEST = opening(80877103)
GSS_REQUEST = opening(80877104)
SYNC, FLUSH, TERMINATE = message("S"), message("H"), message("X")


def cancel(pid: int, key: int) -> bytes:
    return opening(80877102, struct.pack("!II", pid, key))


def query(sql: str) -> bytes:
    return message("Q", text(sql))


def parse(sql: str, name: str = "", types: Sequence[int] = ()) -> bytes:
    return message("P", text(name) + text(sql) + struct.pack(f"!H{len(types)}I", len(types), *types))


def bind(
    values: Sequence[bytes | None] = (),
    statement: str = "",
    portal: str = "",
    formats: Sequence[int] = (),
    results: Sequence[int] = (),
) -> bytes:
    body = text(portal) + text(statement) + struct.pack(f"!H{len(formats)}H", len(formats), *formats)
    body += struct.pack("!H", len(values))
    for value in values:
        body += struct.pack("!i", -1) if value is None else struct.pack("!i", len(value)) + value
    return message("B", body + struct.pack(f"!H{len(results)}H", len(results), *results))


def describe(kind: str = "P", name: str = "") -> bytes:
    return message("D", kind.encode() + text(name))


def execute(portal: str = "", limit: int = 0) -> bytes:
    return message("E", text(portal) + struct.pack("!i", limit))


def close(kind: str = "P", name: str = "") -> bytes:
    return message("C", kind.encode() + text(name))


def sasl_initial(first: str, mechanism: str = "SCRAM-SHA-256") -> bytes:
    raw = first.encode()
    return message("p", text(mechanism) + struct.pack("!i", len(raw)) + raw)


class Scram:
    """The client's side of RFC 5802 with SHA-256, by hashlib alone."""

    def __init__(self, password: str = PASSWORD, name: str = "", header: str = "n,,") -> None:
        self.nonce = secrets.token_hex(12)
        self.bare = f"n={name},r={self.nonce}"
        self.first = header + self.bare
        self._password, self._header = password, header
        self._signature = b""

    def last(self, challenge: str, channel: str | None = None) -> str:
        """The last message. Input: what it is bound to, as Base64 (default: what the first message says)."""
        fields = dict(part.split("=", 1) for part in challenge.split(","))
        assert fields["r"].startswith(self.nonce)
        salt, rounds = base64.b64decode(fields["s"]), int(fields["i"])
        salted = hashlib.pbkdf2_hmac("sha256", self._password.encode(), salt, rounds)
        key = hmac.digest(salted, b"Client Key", "sha256")
        channel = channel or base64.b64encode(self._header.encode()).decode()
        bare = f"c={channel},r={fields['r']}"
        words = f"{self.bare},{challenge},{bare}".encode()
        mask = hmac.digest(hashlib.sha256(key).digest(), words, "sha256")
        proof = bytes(a ^ b for a, b in zip(key, mask, strict=True))
        server = hmac.digest(salted, b"Server Key", "sha256")
        self._signature = hmac.digest(server, words, "sha256")
        return f"{bare},p={base64.b64encode(proof).decode()}"

    def trusts(self, final: str) -> bool:
        return final == f"v={base64.b64encode(self._signature).decode()}"


# --- what a server says --------------------------------------------------------------------------


def replies_in(data: bytes) -> list[Reply]:
    """All messages in the bytes of a server, which must end with one."""
    found, at = [], 0
    while at < len(data):
        size = int.from_bytes(data[at + 1 : at + 5], "big")
        assert at + 1 + size <= len(data), "a message is cut off"
        found.append((chr(data[at]), data[at + 5 : at + 1 + size]))
        at += 1 + size
    return found


def kinds(replies: Sequence[Reply]) -> str:
    return "".join(kind for kind, _ in replies)


def error_of(replies: Sequence[Reply], kind: str = "E") -> dict[str, str]:
    """The fields of the only error."""
    [body] = [body for what, body in replies if what == kind]
    return {part[:1].decode(): part[1:].decode() for part in body.split(b"\0") if part}


def rows_of(replies: Sequence[Reply]) -> list[tuple[str | None, ...]]:
    """The rows, of fields in text."""
    rows = []
    for kind, body in replies:
        if kind == "D":
            [count], at, row = struct.unpack("!H", body[:2]), 2, []
            for _ in range(count):
                size = int.from_bytes(body[at : at + 4], "big", signed=True)
                row.append(None if size < 0 else body[at + 4 : at + 4 + size].decode())
                at += 4 + max(size, 0)
            rows.append(tuple(row))
    return rows


def columns_of(replies: Sequence[Reply]) -> list[tuple[str, int, int]]:
    """Name, type and format of each column."""
    [body] = [body for what, body in replies if what == "T"]
    [count], at, columns = struct.unpack("!H", body[:2]), 2, []
    for _ in range(count):
        end = body.index(b"\0", at)
        fields = struct.unpack("!IhIhih", body[end + 1 : end + 19])
        columns.append((body[at:end].decode(), fields[2], fields[5]))
        at = end + 19
    return columns


def tags_of(replies: Sequence[Reply]) -> list[str]:
    return [body[:-1].decode() for kind, body in replies if kind == "C"]


# --- a client over a socket ----------------------------------------------------------------------


class Wired:
    """A connection. `heard`: all bytes that came, in the open."""

    def __init__(self, port: int, host: str = "127.0.0.1", timeout: float = 20) -> None:
        self.socket: socket.socket = socket.create_connection((host, port), timeout=timeout)
        self._heard = bytearray()
        self.pid = self.key = 0

    def __enter__(self) -> Wired:
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    @property
    def heard(self) -> bytes:
        return bytes(self._heard)

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def take(self, size: int) -> bytes:
        """So many bytes. Errors: ConnectionError if the server has closed."""
        data = b""
        while len(data) < size:
            more = self.socket.recv(size - len(data))
            if not more:
                raise ConnectionError("closed")
            data += more
        self._heard += data
        return data

    def reply(self) -> Reply:
        head = self.take(5)
        return chr(head[0]), self.take(int.from_bytes(head[1:], "big") - 4)

    def until(self, *last: str) -> list[Reply]:
        found = [self.reply()]
        while found[-1][0] not in last:
            found.append(self.reply())
        return found

    def ask(self, sql: str) -> list[Reply]:
        self.send(query(sql))
        return self.until("Z")

    def rest(self) -> list[Reply]:
        """All that comes before the server closes."""
        data = b""
        try:
            while more := self.socket.recv(65_536):
                data += more
        except ConnectionError:
            pass
        self._heard += data
        return replies_in(data)

    def encrypt(self, context: ssl.SSLContext) -> None:
        self.send(SSL_REQUEST)
        assert self.take(1) == b"S"
        self.socket = context.wrap_socket(self.socket, server_hostname="localhost")

    def login(self, user: str = USER, password: str = PASSWORD, **parameters: str) -> list[Reply]:
        """Errors: AssertionError if it is refused; its text is the error."""
        self.send(startup(user=user, database="shop", **parameters))
        offered = self.reply()
        bound = b"SCRAM-SHA-256-PLUS\0" if isinstance(self.socket, ssl.SSLSocket) else b""
        assert offered == ("R", struct.pack("!i", 10) + bound + b"SCRAM-SHA-256\0\0"), said(offered)
        scram = Scram(password)
        self.send(sasl_initial(scram.first))
        challenged = self.reply()
        assert challenged[0] == "R", said(challenged)
        self.send(message("p", scram.last(challenged[1][4:].decode()).encode()))
        proved = self.reply()
        assert proved[0] == "R", said(proved)
        assert scram.trusts(proved[1][4:].decode())
        assert self.reply() == ("R", bytes(4))
        greeting = self.until("Z", "E")
        [self.pid, self.key] = struct.unpack("!II", dict(greeting)["K"])
        return greeting


def said(reply: Reply) -> str:
    return str(error_of([reply])) if reply[0] == "E" else str(reply)


# --- a shop, and its server ----------------------------------------------------------------------

SHOP = f"""
CREATE TABLE people (id BIGINT PRIMARY KEY, city VARCHAR, age INTEGER, name VARCHAR);
INSERT INTO people
SELECT range AS id, ['aachen', 'bonn', 'celle'][1 + range % 3] AS city, (range % 90)::INTEGER AS age,
    CASE WHEN range = 5 THEN '{SECRET}' ELSE 'n' || range END AS name
FROM range(600);
CREATE TABLE cities AS SELECT unnest(['aachen', 'bonn', 'celle']) AS city, unnest([1, 2, 3]) AS size;
CREATE TABLE numbers AS SELECT range AS n FROM range(20000);
"""
POLICIES = """
ALTER TABLE people ADD PRIVACY_KEY (id);
ALTER TABLE people ALTER COLUMN city SET PRIVACY DOMAIN IN ('aachen', 'bonn', 'celle');
ALTER TABLE people ALTER COLUMN age SET PRIVACY DOMAIN BETWEEN (0, 89);
ALTER TABLE cities SET PUBLIC;
ALTER TABLE numbers SET PUBLIC;
"""


def make_shop(file: Path, limit: str = "100000") -> Path:
    with duckdb.connect(str(file)) as db:
        db.execute(SHOP)
    with dpduck.connect(file) as owner:
        for statement in f"{POLICIES}CREATE PRIVACY BUDGET everyone LIMIT {limit}".split(";"):
            owner.execute(statement)
    return file


# A query on people of age 77 takes long, and one on age 78 fails with a private value in its error.
SLOW = f"""
import threading
from dpduck.engines.duckdb.engine import DuckReader
from dpduck.kernel.tree.duckdb import sql
plain = DuckReader.read

class Work:
    def __init__(self):
        self.over = threading.Event()
    def interrupt(self):
        self.over.set()

def read(self, query, given=None):
    if "78" in sql(query):
        raise RuntimeError("{SECRET}")
    if "77" in sql(query):
        work = Work()
        with self._interrupts.during(work):
            if work.over.wait(30):
                raise RuntimeError("{SECRET}")
    return plain(self, query, given)

DuckReader.read = read
"""


class Gateway:
    """`dpduck serve` as a process. `log`: the lines that it wrote on standard error so far."""

    def __init__(
        self,
        file: Path,
        *options: str,
        script: str = SLOW,
        seconds: float = 60,
    ) -> None:
        self.file = file
        self.log: list[str] = []
        arguments = ["serve", str(file), "--port", "0", *options]
        self.process = start(*arguments, folder=file.parent, script=script)
        self._out: queue.Queue[str] = queue.Queue()
        self._threads = [
            threading.Thread(target=self._read_out, daemon=True),
            threading.Thread(target=self._read_log, daemon=True),
        ]
        for thread in self._threads:
            thread.start()
        line = self._out.get(timeout=seconds)
        found = re.fullmatch(r"listening on (.+):(\d+)\n", line)
        assert found, (line, self.log)
        self.port = int(found[2])

    def _read_out(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._out.put(line.decode())
        self._out.put("")

    def _read_log(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.log.append(line.decode())

    @contextmanager
    def client(self, *, timeout: float = 20, **parameters: str) -> Iterator[Wired]:
        with Wired(self.port, timeout=timeout) as client:
            client.login(**parameters)
            yield client

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Output: the exit code."""
        self.process.send_signal(number)
        code = self.process.wait(timeout=30)
        for thread in self._threads:
            thread.join(timeout=10)
        return code

    def kill(self) -> None:
        """End it, whatever it does."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        for thread in self._threads:
            thread.join(timeout=10)
        for pipe in (self.process.stdout, self.process.stderr):
            assert pipe is not None
            pipe.close()

    @property
    def memory(self) -> int:
        """Bytes that it holds."""
        pages = Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")

    @property
    def threads(self) -> int:
        return len(list(Path(f"/proc/{self.process.pid}/task").iterdir()))


def add_analyst(file: Path, name: str = USER, password: str = PASSWORD) -> None:
    from dpduck.doors.gateway.scram import verifier_of
    from dpduck.kernel.ledger import open_ledger

    with open_ledger(f"{file}.ledger") as ledger:
        ledger.put_analyst(name, verifier_of(password))


def entries(file: Path) -> int:
    """How many charges the ledger has."""
    from dpduck.kernel.ledger import open_ledger

    with open_ledger(f"{file}.ledger") as ledger:
        return len(ledger.entries())


def wait_for(condition: object, seconds: float = 10) -> None:
    """Wait until a call is true."""
    assert callable(condition)
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not come about"
        time.sleep(0.02)


def certificate(folder: Path) -> tuple[Path, Path]:
    """A self-signed certificate for localhost, and its key, by the openssl command."""
    cert, key = folder / "cert.pem", folder / "key.pem"
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2"
    more = [
        "-subj",
        "/CN=localhost",
        "-addext",
        "subjectAltName=DNS:localhost,IP:127.0.0.1",
        "-keyout",
        str(key),
        "-out",
        str(cert),
    ]
    subprocess.run([*command.split(), *more], check=True, capture_output=True, timeout=30)
    return cert, key
