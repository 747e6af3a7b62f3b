"""The settings that clients of Postgres expect, with dpduck's values. None of them changes an answer.

A value that dpduck does not implement is refused, since the client would interpret results by it.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping

from dpduck.doors.gateway.encoding.client_encoding import UTF8, ClientEncoding, encoding_of
from dpduck.doors.gateway.errors import TooManyError
from dpduck.doors.gateway.planner_settings import planner_settings
from dpduck.kernel.errors import ParameterError, UnknownNameError
from dpduck.kernel.errors.advice import Hint, SetTo

VERSION = "15.0 (dpduck)"

_MOST = 500  # settings of one connection
_MOST_TEXT = 10_000  # characters of a value, and of a name
_MOST_BYTES = 256 * 1024  # of all names and values of one connection, as Python keeps them

# Sent to the client when it connects and whenever they change, under these names.
_REPORTED = {
    "application_name": "",
    "client_encoding": "UTF8",
    "DateStyle": "ISO, MDY",
    "default_transaction_read_only": "on",
    "in_hot_standby": "off",
    "integer_datetimes": "on",
    "IntervalStyle": "postgres",
    "is_superuser": "off",
    "server_encoding": "UTF8",
    "server_version": VERSION,
    "session_authorization": "",
    "standard_conforming_strings": "on",
    "TimeZone": "UTC",
}
_QUIET = {
    **planner_settings(),
    "array_nulls": "on",
    "backslash_quote": "safe_encoding",
    "bytea_output": "hex",
    "client_min_messages": "notice",
    "default_tablespace": "",
    "default_transaction_isolation": "read committed",
    "escape_string_warning": "on",
    "extra_float_digits": "1",
    "geqo": "on",
    "idle_in_transaction_session_timeout": "0",
    "jit": "off",
    "lc_collate": "C",
    "lc_ctype": "C",
    "lc_messages": "C",
    "lc_monetary": "C",
    "lc_numeric": "C",
    "lc_time": "C",
    "lock_timeout": "0",
    "max_identifier_length": "63",
    "max_index_keys": "32",
    "role": "none",
    "row_security": "on",
    "search_path": "public",
    "server_version_num": "150000",
    "ssl_renegotiation_limit": "0",
    "statement_timeout": "0",
    "synchronize_seqscans": "on",
    "temp_tablespaces": "",
    "transaction_isolation": "read committed",
    "transform_null_equals": "off",
    "transaction_read_only": "on",
    "transaction_deferrable": "off",
    "work_mem": "4MB",
    "xmlbinary": "base64",
    "xmloption": "content",
}
_CANONICAL = {name.lower(): name for name in (*_REPORTED, *_QUIET)}
_FIXED = ("in_hot_standby", "integer_datetimes", "is_superuser", "server_encoding", "server_version")
# The allowed beginnings of a value, in any case; the stored value keeps its canonical form.
_ONLY = {
    "DateStyle": ("iso",),
    "IntervalStyle": ("postgres",),
    "standard_conforming_strings": ("on", "true", "1"),
    "bytea_output": ("hex",),
    "session_authorization": ("default",),
    "role": ("none", "default"),
    "transform_null_equals": ("off", "false", "0"),
}
# The values of client_min_messages, from the one that hides the least; other names of the same level.
_LEVELS = ("debug5", "debug4", "debug3", "debug2", "debug1", "log", "notice", "warning", "error")
_LEVEL_NAMES = {"debug": "debug2", "info": "log", "fatal": "error", "panic": "error"}
_UNITS = {"us": 1e-6, "ms": 0.001, "s": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0}
_DURATION = re.compile(r"([0-9]{1,12}(?:\.[0-9]{1,6})?)\s*(us|ms|s|min|h|d)?", re.ASCII)
_UTC = ("utc", "etc/utc", "gmt", "zulu", "z", "0", "+0", "+00", "+00:00", "universal", "default", "local")


class Variables:
    """The settings of one connection. Input: the user name."""

    def __init__(self, user: str) -> None:
        self._start = {**_REPORTED, **_QUIET, "session_authorization": user}
        self._changed: Mapping[str, str] = {}  # replaced, and never modified: savepoints keep it
        self._encoding = UTF8

    @property
    def reported(self) -> dict[str, str]:
        """The settings reported to the client."""
        return {name: self._value(name) for name in _REPORTED}

    @property
    def all(self) -> Mapping[str, str]:
        """All settings, by lower-case name."""
        return {name.lower(): value for name, value in {**self._start, **self._changed}.items()}

    @property
    def schemas(self) -> tuple[str, ...] | None:
        """The schemas of the search path, in order; None for the default, which is public.

        >>> ana = Variables("ana")
        >>> _ = ana.set("search_path", '"$user", archive')
        >>> ana.schemas
        ('$user', 'archive')
        """
        path = self._value("search_path")
        names = tuple(_schema(name) for name in path.split(",") if name.strip())
        return None if names in (("public",), ("$user", "public")) else names

    @property
    def encoding(self) -> ClientEncoding:
        """In which the client sends and reads texts."""
        return self._encoding

    def shows(self, severity: str) -> bool:
        """Whether the client wants to see a message: NOTICE or WARNING.

        >>> ana = Variables("ana")
        >>> _ = ana.set("client_min_messages", "Warning")
        >>> ana.shows("NOTICE"), ana.shows("WARNING")
        (False, True)
        """
        return _LEVELS.index(severity.lower()) >= _LEVELS.index(self._value("client_min_messages"))

    @property
    def changed(self) -> Mapping[str, str]:
        """The settings that were set, by the names of `key`: the same object as long as none is."""
        return self._changed

    def restore(self, changed: Mapping[str, str]) -> None:
        """Let these be the settings that were set."""
        self._changed = changed
        self._encoding = encoding_of(self._value("client_encoding"))

    @staticmethod
    def key(name: str) -> str:
        """The name by which a setting is kept.

        >>> Variables.key("datestyle"), Variables.key("MyApp.User")
        ('DateStyle', 'myapp.user')
        """
        return _CANONICAL.get(name.lower(), name.lower())

    def get(self, name: str) -> str:
        """The value as SHOW returns it. Errors: UnknownNameError."""
        key = self.key(name)
        if key not in self._changed and key not in self._start:
            raise _unknown(name)
        return self._value(key)

    def set(self, name: str, value: str | None) -> tuple[dict[str, str], str | None]:
        """Set one setting; None restores its initial value.

        Output: the settings to report to the client, and a notice.
        Errors: ParameterError, UnknownNameError, TooManyError; then nothing is set.
        """
        known = _CANONICAL.get(name.lower())
        if value is not None and len(value) > _MOST_TEXT:
            raise ParameterError(f"a setting has at most {_MOST_TEXT} characters")
        if known is None:
            self._put(_custom(name), value or "")
            return {}, None
        if value is None:
            self.restore({key: kept for key, kept in self._changed.items() if key != known})
        elif known == "client_encoding":
            encoding = encoding_of(value)
            self._put(known, encoding.name)
            self._encoding = encoding
        else:
            _check(known, value)
            if known == "TimeZone":
                return {}, None if value.lower() in _UTC else "times with a zone are written in UTC"
            self._put(known, self._stored(known, value))
        return ({known: self._value(known)} if known in _REPORTED else {}), None

    def _put(self, name: str, value: str) -> None:
        changed = {**self._changed, name: value}
        after = self._start | changed
        if len(after) > _MOST:
            raise TooManyError(f"there are at most {_MOST} settings")
        if sum(sys.getsizeof(key) + sys.getsizeof(after[key]) for key in after) > _MOST_BYTES:
            raise TooManyError(
                "the settings of this connection are too long",
                detail=f"They take at most {_MOST_BYTES} bytes.",
                hint="Set one of them to less.",
            )
        self._changed = changed

    def _value(self, name: str) -> str:
        return self._changed[name] if name in self._changed else self._start[name]

    def begin(self) -> None:
        """Make the present values the initial ones."""
        self._start, self._changed = {**self._start, **self._changed}, {}

    def reset(self) -> dict[str, str]:
        """Restore all initial values. Output: the settings to report to the client."""
        self.restore({})
        return self.reported

    def _stored(self, name: str, value: str) -> str:
        """The stored value: a setting with a single allowed form keeps that form."""
        if name == "client_min_messages":
            return _level(value)
        return self._start[name] if name in _ONLY else value


def seconds_of(text: str) -> float:
    """Parse a duration in Postgres's format: milliseconds, or with a unit. Errors: ParameterError.

    >>> seconds_of("1500"), seconds_of("2s"), seconds_of("1.5 min")
    (1.5, 2.0, 90.0)
    """
    found = _DURATION.fullmatch(text.strip())
    if found is None:
        raise ParameterError(
            "statement_timeout is a duration",
            hint="SET statement_timeout = '30s', or a number of milliseconds.",
        )
    return float(found[1]) * _UNITS[found[2] or "ms"]


def _schema(written: str) -> str:
    """A name of the search path: folded unless it is quoted."""
    name = written.strip()
    quoted = len(name) > 1 and name[0] == name[-1] == '"'
    return name[1:-1].replace('""', '"') if quoted else name.strip("'").lower()


def _custom(name: str) -> str:
    """The name of a custom setting, which has a point in it, or of one for Postgres's planner."""
    lowered = name.lower()
    if len(name) > _MOST_TEXT:
        raise _unknown(name)
    if "." in lowered or lowered.startswith(("enable_", "ssl", "gp_", "geqo_", "optimizer")):
        return lowered
    raise _unknown(name)


def _level(value: str) -> str:
    level = value.strip("'\" ").lower()
    return _LEVEL_NAMES.get(level, level)


def _check(name: str, value: str) -> None:
    if name == "statement_timeout":
        seconds_of(value)
    if name == "client_min_messages" and _level(value) not in _LEVELS:
        raise ParameterError(
            f"client_min_messages cannot be {value[:60]!r}",
            hint="It is notice, or warning or error, which hide notices.",
        )
    allowed = _ONLY.get(name)
    if name in _FIXED or (allowed is not None and not value.strip("'\" ").lower().startswith(allowed)):
        raise ParameterError(
            f"{name} stays as it is", detail=f"It is {_CURRENT.get(name, 'fixed')!r} for all connections."
        )


_CURRENT = {**_REPORTED, **_QUIET}


def _unknown(name: str) -> UnknownNameError:
    return UnknownNameError(
        f"there is no setting {name[:60]}",
        hint=Hint.of("SHOW dp_epsilon, or ", SetTo("dp_epsilon", "0.5"), ", is what dpduck has."),
    )
