"""Who may log in, as what, and by which password; each change is recorded in the ledger.

The table is created with the first analyst, so a ledger without logins has none. It holds no password:
a verifier can check one, and can be inverted only by guessing. The row with the empty name holds a secret
from which the salts of all names are derived, also of names that do not exist.

What there is to know of a login is one text, whose digest is sealed in the chain: the verifier alone for an
analyst with one password, and JSON for anybody else. A version of dpduck that knows no roles takes the latter
for a damaged verifier, and lets nobody in by it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import Enum

from dpduck.kernel.errors import ParameterError, UnknownNameError
from dpduck.kernel.ledger.chain import digest
from dpduck.kernel.ledger.policies import Facts, add_to_ledger
from dpduck.kernel.ledger.transactions import EPOCH, Transaction

TABLE = "analyst"
SCRIPT = """CREATE TABLE IF NOT EXISTS analyst (
    name     TEXT   PRIMARY KEY,
    verifier TEXT   NOT NULL,
    added    BIGINT NOT NULL
)"""

_ALL = "SELECT name, verifier, added FROM analyst WHERE name <> '' ORDER BY name"
_PUT = """
    INSERT INTO analyst (name, verifier, added) VALUES (:name, :verifier, :added)
    ON CONFLICT (name) DO UPDATE SET verifier = excluded.verifier
"""

_OPENS = "{"  # JSON, with which no verifier begins
_SECRET_ROW = ""
_KEEP = """
    INSERT INTO analyst (name, verifier, added) VALUES (:name, :verifier, :added)
    ON CONFLICT (name) DO NOTHING
"""


class Role(Enum):
    """What somebody who logs in may do: docs/GATEWAY.md has the table."""

    ANALYST = "analyst"
    AUDITOR = "auditor"
    OWNER = "owner"


@dataclass(frozen=True)
class Analyst:
    """Somebody who may log in. `added`: UTC.

    `verifier`: of the password, None if there is none; `former`: that of the password before, which holds
    too until `until` (UTC); `settings`: with which each session begins, by their names.
    """

    name: str
    verifier: str | None
    added: datetime
    role: Role = Role.ANALYST
    former: str | None = None
    until: datetime | None = None
    settings: tuple[tuple[str, str], ...] = ()

    def former_at(self, now: datetime) -> str | None:
        """The verifier of the password before, if that still holds. Input: the time, with its zone."""
        return self.former if self.until is not None and now < self.until else None

    @property
    def is_damaged(self) -> bool:
        """Whether what is stored cannot be read; then nobody logs in by this name, in whatever way."""
        return self.verifier is not None and self.verifier.startswith(_OPENS)

    @property
    def text(self) -> str:
        """What is stored and sealed."""
        is_plain = self.role is Role.ANALYST and self.former is None and not self.settings
        if self.verifier is not None and is_plain:
            return self.verifier
        until = None if self.until is None else self.until.isoformat()
        said = {
            "role": self.role.value,
            "verifier": self.verifier,
            "former": self.former,
            "until": until,
            "settings": dict(self.settings) or None,
        }
        return json.dumps({key: value for key, value in said.items() if value is not None}, sort_keys=True)


@dataclass(frozen=True)
class LoginChange:
    """How somebody is to log in from now on.

    `verifier`: of the new password, None for none; `role`: None leaves it as it is (at first: analyst);
    `grace`: how long the password that there was holds too.
    """

    verifier: str | None
    role: Role | None = None
    grace: timedelta = timedelta(0)


def put_analyst(db: Transaction, name: str, change: LoginChange) -> None:
    """Add an analyst, or change the password or role. Errors: ParameterError."""
    if name == _SECRET_ROW:
        raise ParameterError("an analyst needs a name", hint="dpduck analyst add FILE NAME")
    db.run(SCRIPT)
    old = next((one for one in _read(db) if one.name == name), None)
    now = EPOCH + timedelta(microseconds=db.now)
    kept = old is not None and change.grace > timedelta(0)
    new = Analyst(
        name,
        change.verifier,
        now,
        change.role or (Role.ANALYST if old is None else old.role),
        old.verifier if old is not None and kept else None,
        now + change.grace if kept else None,
        () if old is None else old.settings,
    )
    db.run(_PUT, {"name": name, "verifier": new.text, "added": db.now})
    add_to_ledger(db, _statement(old, new), facts_of(_read(db)), concerns=name)


def set_default(db: Transaction, name: str, setting: str, value: str) -> None:
    """Let each session of an analyst begin with a setting. Input: "" for none. Errors: UnknownNameError."""
    db.run(SCRIPT)
    old = next((one for one in _read(db) if one.name == name and name != _SECRET_ROW), None)
    if old is None:
        raise _nobody(name)
    settings = dict(old.settings) | {setting: value}
    new = replace(old, settings=tuple(sorted((one, given) for one, given in settings.items() if given)))
    db.run(_PUT, {"name": name, "verifier": new.text, "added": db.now})
    add_to_ledger(db, f"analyst set {name} {setting}={value}", facts_of(_read(db)), concerns=name)


def _nobody(name: str) -> UnknownNameError:
    return UnknownNameError(f"there is no analyst {name[:60]!r}", hint="dpduck analyst list FILE")


def _statement(old: Analyst | None, new: Analyst) -> str:
    """What is on record of a change: who, and as what if that is new."""
    before = Role.ANALYST if old is None else old.role
    return f"analyst add {new.name}" + ("" if new.role is before else f" --role {new.role.value}")


def drop_analyst(db: Transaction, name: str) -> None:
    """Remove an analyst. Errors: UnknownNameError."""
    db.run(SCRIPT)
    if name == _SECRET_ROW or not db.run("SELECT 1 FROM analyst WHERE name = :name", {"name": name}):
        raise _nobody(name)
    db.run("DELETE FROM analyst WHERE name = :name", {"name": name})
    add_to_ledger(db, f"analyst remove {name}", facts_of(_read(db)), concerns=name)


def read_analysts(db: Transaction, *, exists: Callable[[Transaction, str], bool]) -> list[Analyst]:
    """All analysts, by name. Input: `exists` tells whether the store has a table."""
    return _read(db) if exists(db, TABLE) else []


def facts_of(analysts: Iterable[Analyst]) -> Facts:
    """The analysts as facts for the ledger: a digest of what is stored, which reveals nothing of it."""
    return {f"analyst {one.name}": digest(one.text) for one in analysts}


def _read(db: Transaction) -> list[Analyst]:
    return [
        analyst_of(name, text, EPOCH + timedelta(microseconds=added)) for name, text, added in db.run(_ALL)
    ]


def analyst_of(name: str, text: str, added: datetime) -> Analyst:
    """An analyst as stored; text that cannot be read stays the verifier, which lets nobody in.

    >>> added = datetime(2026, 1, 1, tzinfo=UTC)
    >>> analyst_of("ana", '{"role": "auditor"}', added).role
    <Role.AUDITOR: 'auditor'>
    """
    if not text.startswith(_OPENS):
        return Analyst(name, text, added)
    try:
        said = json.loads(text)
        until = said.get("until")
        read = Analyst(
            name,
            said.get("verifier"),
            added,
            Role(said["role"]),
            said.get("former"),
            None if until is None else datetime.fromisoformat(until).astimezone(UTC),
            tuple(sorted((str(one), str(value)) for one, value in said.get("settings", {}).items())),
        )
        if read.text == text:
            return read
    except (ValueError, KeyError, TypeError, AttributeError):
        pass
    return Analyst(name, text, added)


def keep_secret(db: Transaction, fresh: bytes) -> bytes:
    """The secret from which salts are derived; `fresh` becomes the secret if there is none yet."""
    db.run(SCRIPT)
    db.run(_KEEP, {"name": _SECRET_ROW, "verifier": fresh.hex(), "added": db.now})
    [(secret,)] = db.run("SELECT verifier FROM analyst WHERE name = :name", {"name": _SECRET_ROW})
    return bytes.fromhex(str(secret))
