"""What is dangerous about how a server is set up: one function for each subject, from facts that are public.

Of files only the attributes are read here. A `Finding` says what is so, why it matters, and what to do.
"""

from __future__ import annotations

import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import Enum
from fractions import Fraction
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

from dpduck.doors.cli.arguments import Arguments
from dpduck.doors.cli.certificates import end_of, load_pair
from dpduck.doors.cli.gateway_arguments import Serving
from dpduck.doors.gateway.shares import CONNECTIONS, HALVES, Shares, usual_statements
from dpduck.kernel.accounting.amounts import size_text
from dpduck.kernel.catalog.model import Catalog
from dpduck.kernel.errors import DpduckError, decimal_text
from dpduck.kernel.ledger import Room

MOST_EPSILON = Fraction(20)  # in a lifetime; e^20 is 485 million
_SOON = timedelta(days=14)
_NEARLY_FULL = 0.8  # of the room in the ledger
_FORGETS = {"tmpfs": "is kept in memory", "ramfs": "is kept in memory", "overlay": "ends with its container"}
_MOUNTS = Path("/proc/self/mounts")


class Grade(Enum):
    """WRONG: the server would not start. DANGER: it answers, and promises less than it seems to."""

    WRONG = "wrong"
    DANGER = "danger"
    ADVICE = "advice"


@dataclass(frozen=True)
class Finding:
    """What is so, why that matters, and what to do."""

    grade: Grade
    message: str
    reason: str
    advice: str


@dataclass(frozen=True)
class Setup:
    """What a server would serve, and how.

    `catalog`: None if the data cannot be opened; `rows`: how many rows the private tables have, about, by
    their names; `logins`: how many analysts may log in, None if there is no ledger to ask; `strangers`:
    variables of the environment that begin like settings; `mounts`: the text of the table of mounts; `kept`:
    the bytes of kept numbers in the ledger, by analyst.
    """

    options: Arguments
    catalog: Catalog | None = None
    rows: Mapping[str, int] = field(default_factory=dict)
    logins: int | None = None
    strangers: tuple[str, ...] = ()
    mounts: str = ""
    kept: Mapping[str | None, int] = field(default_factory=dict)

    @property
    def ledger(self) -> Path | None:
        """The file of the ledger; None if it is a database."""
        return None if self.options.ledger_is_shared else Path(self.options.ledger_path).absolute()

    @property
    def anchor(self) -> str | None:
        """Where the anchor is; None if there is none."""
        if self.options.anchor is None and self.options.ledger_is_shared:
            return None
        return self.options.anchor_path


def findings(setup: Setup, more: Sequence[Callable[[Setup], Iterator[Finding]]] = ()) -> list[Finding]:
    """All findings, the worst first. Input: checks besides those of this file."""
    found = [finding for check in (*_CHECKS, *more) for finding in check(setup)]
    return sorted(found, key=lambda finding: list(Grade).index(finding.grade))


def read_mounts() -> str:
    """The table of mounted file systems, empty where there is none to read."""
    try:
        return _MOUNTS.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


# --- the network ---------------------------------------------------------------------------------


def _network(setup: Setup) -> Iterator[Finding]:
    serving = setup.options.serving
    if serving.tls_cert is None and not _is_local(serving.host):
        if serving.allow_plain:
            yield Finding(
                Grade.DANGER,
                f"answers cross the network in the open: {serving.host} without a certificate",
                "Whoever is between a client and the server reads answers, and may ask in the client's name.",
                "Give tls-cert and tls-key, and take allow-plain out.",
            )
        else:
            yield Finding(
                Grade.DANGER,
                f"it listens on {serving.host}, and has no certificate",
                "Clients of other hosts are refused, since nothing would encrypt what they say.",
                "Give tls-cert and tls-key, or listen on 127.0.0.1.",
            )
    if serving.tls_cert is not None and serving.allow_plain:
        yield Finding(
            Grade.DANGER,
            "there is a certificate, and clients need not use it",
            "A client that does not ask for encryption is answered in the open, unnoticed.",
            "Take allow-plain out.",
        )


def _certificate(setup: Setup) -> Iterator[Finding]:
    cert, key = setup.options.serving.tls_cert, setup.options.serving.tls_key
    if (cert is None) != (key is None):
        yield Finding(
            Grade.WRONG,
            "a certificate needs its key, and a key its certificate",
            "Only one of the two is set.",
            "Give both tls-cert and tls-key.",
        )
    if cert is None or key is None:
        return
    try:
        until = end_of(cert, load_pair(cert, key))
    except DpduckError as error:
        yield fault_of(error)
        return
    if isinstance(until, str):
        yield Finding(
            Grade.DANGER,
            f"the certificate {cert} {until}",
            "Clients that check it refuse it, and people learn to turn the check off.",
            "Renew it.",
        )
    elif until is not None and until - datetime.now(UTC) < _SOON:
        yield Finding(
            Grade.ADVICE,
            f"the certificate {cert} ends on {until:%Y-%m-%d}",
            "Clients that check it will refuse it then.",
            "Renew it.",
        )
    # A key of root's that a group may read is how containers are given theirs.
    bits = stat.S_IRWXO | (0 if _is_of_root(key) else stat.S_IRWXG)
    yield from _readable(key, "the key of the certificate", "Who has it can pass for the server.", bits)


# --- places --------------------------------------------------------------------------------------


def _ledger_place(setup: Setup) -> Iterator[Finding]:
    place = setup.ledger
    if place is None:
        return
    home = _home(setup.options)
    if home is not None and place.parent.resolve() == home:
        yield Finding(
            Grade.DANGER,
            f"the ledger is beside the data: {place.name}",
            "Whoever may replace the data may replace what was spent on it, and both go with one disk.",
            "Set ledger to a place of its own, or to a database of PostgreSQL.",
        )
    kind = _file_system(place.parent, setup.mounts)
    if kind in _FORGETS:
        yield Finding(
            Grade.DANGER if _FORGETS[kind] == "is kept in memory" else Grade.ADVICE,
            f"the ledger is on a file system that {_FORGETS[kind]}: {place}",
            "What was spent is forgotten with it, and could be spent again.",
            "Set ledger to a disk, or in a container to a volume.",
        )
    if place.exists():
        yield from _readable(place, "the ledger", "It holds all queries, and all answers that were given.")
    if place.parent.is_dir() and is_open(place.parent, stat.S_IWGRP | stat.S_IWOTH, sticky=True):
        yield Finding(
            Grade.DANGER,
            f"others may write to the folder of the ledger: {place.parent}",
            "They could exchange the ledger for another, with nothing spent.",
            f"chmod go-w {place.parent}",
        )


def _anchor_place(setup: Setup) -> Iterator[Finding]:
    anchor, ledger = setup.anchor, setup.ledger
    if anchor is None:
        yield Finding(
            Grade.DANGER,
            "there is no anchor",
            "A database that was restored from last week's copy would not be noticed.",
            "Set anchor to a file or an http address elsewhere.",
        )
    elif "://" not in anchor:
        if ledger is None:
            return
        if ledger.exists() and not Path(anchor).exists():
            yield Finding(
                Grade.DANGER,
                f"the anchor is gone: {anchor}",
                "A ledger that was exchanged would be taken for the one that it knew.",
                "Restore it. Else it is begun anew with the ledger as it is now.",
            )
        if Path(anchor).absolute().parent.resolve() == ledger.parent.resolve():
            yield Finding(
                Grade.DANGER,
                f"the anchor is beside the ledger: {Path(anchor).name}",
                "Whoever may exchange one may exchange both, and a copy of the folder holds both.",
                "Set anchor to a place on another machine.",
            )
    elif anchor.startswith("http://") and not _is_local(urlsplit(anchor).hostname or ""):
        yield Finding(
            Grade.DANGER,
            "the anchor is reached in the open",
            "Whoever is between may answer that it agrees.",
            "Give an https address.",
        )


def _data_place(setup: Setup) -> Iterator[Finding]:
    for file in setup.options.file.files() if setup.catalog is not None else ():
        if file.is_file() and is_open(file, stat.S_IROTH):
            yield Finding(
                Grade.DANGER,
                f"every account on this machine may read the data: {file}",
                "Who reads the file needs no query, and pays nothing.",
                f"chmod o-rwx {file}",
            )
            return  # of a folder of files, the first says it


def _secrets(setup: Setup) -> Iterator[Finding]:
    options = setup.options
    if options.config is not None and is_open(options.config, stat.S_IWGRP | stat.S_IWOTH):
        yield Finding(
            Grade.DANGER,
            f"others may write to the settings: {options.config}",
            "They could have another ledger charged.",
            f"chmod go-w {options.config}",
        )
    if not options.ledger_is_shared or urlsplit(options.ledger_path).password is None:
        return
    source = options.sources.get("ledger")
    if source is None:
        yield Finding(
            Grade.DANGER,
            "the password of the ledger stands on the command line",
            "Every account on this machine sees it in the list of processes.",
            "Set it in DPDUCK_LEDGER, in a file of settings, or in ~/.pgpass.",
        )
    elif options.config is not None and source.startswith(f"{options.config}:"):
        yield from _readable(options.config, "the file of settings", "It holds the password of the ledger.")


# --- policies ------------------------------------------------------------------------------------


def _policies(setup: Setup) -> Iterator[Finding]:
    if setup.catalog is None:
        return
    tables = [table for table in setup.catalog.tables if not table.is_written]
    if not any(table.private for table in tables):
        yield Finding(
            Grade.DANGER,
            "no table says whose rows it holds",
            "What is public is read as it is, and everything else answers nothing.",
            "ALTER TABLE t ADD PRIVACY_KEY (column), or set unit for a file.",
        )
    closed = [table.full_name for table in tables if not table.private and not table.public]
    if closed:
        yield Finding(
            Grade.ADVICE,
            f"closed: {', '.join(closed[:5])}{', ...' if len(closed) > 5 else ''}",
            "No query about them is answered, since nobody said whose rows they hold.",
            "ALTER TABLE t ADD PRIVACY_KEY (column), or SET PUBLIC.",
        )


def _budgets(setup: Setup) -> Iterator[Finding]:
    if setup.catalog is None:
        return
    lifetime = [b for b in setup.catalog.budgets if b.window is None and not b.analysts]
    if not lifetime:
        yield Finding(
            Grade.ADVICE,
            "no budget says what people may lose in their lifetime",
            "Epsilon 10 and delta 0.00001 hold until one does. A window or FOR is no cap over time.",
            "CREATE PRIVACY BUDGET life LIMIT 10 DELTA 1e-6",
        )
    for budget in lifetime:
        if budget.epsilon > MOST_EPSILON:
            yield Finding(
                Grade.DANGER,
                f"budget {budget.name} caps next to nothing: epsilon {decimal_text(budget.epsilon)}",
                f"Above {MOST_EPSILON} it no longer limits what answers can tell about a person.",
                f"ALTER PRIVACY BUDGET {budget.name} LIMIT 10",
            )


def _delta(setup: Setup) -> Iterator[Finding]:
    asked = [("delta", setup.options.delta)] if setup.options.delta else []
    declared = [(f"budget {b.name}", b.delta) for b in (setup.catalog.budgets if setup.catalog else ())]
    most = max(setup.rows.values(), default=0)
    for name, delta in (*asked, *declared):
        if delta is not None and delta * most >= 1:
            yield Finding(
                Grade.DANGER,
                f"the delta of {name} is large for the data: {decimal_text(delta)}, and {most} rows",
                "With it, showing all rows of one person in as many could still be called private.",
                "Take a delta well below one in the number of people.",
            )


# --- the server ----------------------------------------------------------------------------------


def _limits(setup: Setup) -> Iterator[Finding]:
    serving = setup.options.serving
    if not serving.quantum:
        yield Finding(
            Grade.DANGER,
            "answers leave at once: quantum is 0",
            "How long a query takes depends on the rows, and is told exactly.",
            "Leave quantum at 50 milliseconds.",
        )
    if not serving.statement_timeout:
        yield Finding(
            Grade.ADVICE,
            "no statement is ever stopped",
            "One analyst can keep the machine busy for all others.",
            "Set statement-timeout, such as 300.",
        )
    if (serving.max_connections_by_name or 0) >= serving.max_connections:
        yield Finding(
            Grade.ADVICE,
            "one analyst may hold all connections",
            "Nobody else can connect then, nor the owner.",
            "Leave max-connections-by-name out, or make it less than max-connections.",
        )


def caps(serving: Serving) -> str:
    """What one analyst can have of the server while nobody else has any, in a line."""
    connections = Shares(serving.max_connections, CONNECTIONS, serving.max_connections_by_name)
    statements = Shares(serving.max_statements or usual_statements(), HALVES)
    memory = Shares(serving.message_memory, HALVES)
    idle = f"{serving.idle_timeout} s of silence" if serving.idle_timeout else "any time of silence"
    return (
        f"one analyst has at most: {connections.most_of_one} of {connections.total} connections, "
        f"{statements.most_of_one} of {statements.total} statements at once, "
        f"{memory.most_of_one >> 20} of {memory.total >> 20} MiB for long messages, {idle}"
    )


def _alerts(setup: Setup) -> Iterator[Finding]:
    alert = setup.options.serving.alert
    if alert is not None and alert.startswith("http://") and not _is_local(urlsplit(alert).hostname or ""):
        yield Finding(
            Grade.DANGER,
            "alerts are sent in the open",
            "Whoever is between learns which budgets there are, and what they have spent.",
            "Give an https address.",
        )


def _logins(setup: Setup) -> Iterator[Finding]:
    if setup.logins == 0:
        yield Finding(
            Grade.ADVICE,
            "nobody may log in yet",
            "The ledger knows no analyst.",
            setup.options.to_add_analyst,
        )


def _room(setup: Setup) -> Iterator[Finding]:
    room, used = setup.options.ledger_room or Room(), sum(setup.kept.values())
    parts = [("", used, room.total)]
    parts += [(f" of {name}", n, room.of(name)) for name, n in setup.kept.items() if name is not None]
    for whose, size, most in parts:
        if size >= _NEARLY_FULL * most:
            yield Finding(
                Grade.ADVICE,
                f"kept numbers{whose} take {size_text(size)} of {size_text(most)} in the ledger",
                "What finds no room is charged again when it is asked again, and summaries are refused.",
                "Set ledger-room, or DROP PRIVACY SUMMARY of what nobody asks.",
            )


def _environment(setup: Setup) -> Iterator[Finding]:
    if setup.strangers:
        yield Finding(
            Grade.ADVICE,
            f"no setting: {', '.join(setup.strangers[:5])}",
            "These variables begin like settings, and are passed over.",
            "docs/CONFIGURATION.md lists all settings.",
        )


_CHECKS: tuple[Callable[[Setup], Iterator[Finding]], ...] = (
    _network,
    _certificate,
    _ledger_place,
    _anchor_place,
    _data_place,
    _secrets,
    _policies,
    _budgets,
    _delta,
    _limits,
    _alerts,
    _logins,
    _room,
    _environment,
)


# --- facts about files and addresses -------------------------------------------------------------


def fault_of(error: DpduckError) -> Finding:
    """An error as a finding: what it says would keep the server from starting."""
    return Finding(Grade.WRONG, error.message, error.reason or "", error.hint or "")


def _is_of_root(file: Path) -> bool:
    try:
        return file.stat().st_uid == 0
    except OSError:
        return False


def _readable(file: Path, what: str, why: str, bits: int = stat.S_IRWXG | stat.S_IRWXO) -> Iterator[Finding]:
    if is_open(file, bits):
        yield Finding(Grade.DANGER, f"others may read {what}: {file}", why, f"chmod go-rwx {file}")


def is_open(place: Path, bits: int, *, sticky: bool = False) -> bool:
    """Whether a file or folder has any of the bits. `sticky`: unless others cannot replace what is in it."""
    try:
        mode = place.stat().st_mode
    except OSError:
        return False
    return bool(mode & bits) and not (sticky and mode & stat.S_ISVTX)


def _home(options: Arguments) -> Path | None:
    """The folder of the data, None if it is at an address."""
    if options.file.scheme is not None:
        return None
    return Path(options.file.root if options.file.is_set else options.file.place).parent.resolve()


def _file_system(folder: Path, mounts: str) -> str:
    """The kind of file system that holds a folder: that of the longest mount above it."""
    place, best = str(folder.resolve()), ("", "")
    for line in mounts.splitlines():
        _, point, kind, *_ = [*line.split(" "), "", "", ""]
        if len(point) >= len(best[0]) and Path(place).is_relative_to(point or "/nowhere"):
            best = (point, kind)
    return best[1]


def _is_local(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host.partition("%")[0]).is_loopback
    except ValueError:
        return False
