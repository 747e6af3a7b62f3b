"""Settings that a client sends in its first packet, including `options=-c name=value`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from dpduck.answers.settings import Settings
from dpduck.doors.gateway.variables import Variables
from dpduck.kernel.errors import ParameterError

_NOT_SETTINGS = ("user", "database", "options", "replication")
_LOGIN = "dp_login"  # how the client logs in: said before it is anybody, and no setting afterwards
_LOGINS = ("password", "token")
_WORD = re.compile(r"(?:[^\s\\]|\\.)+", re.DOTALL)


def read_options(parameters: Mapping[str, str], settings: Settings, variables: Variables) -> None:
    """Apply the settings of a first packet. Errors: ParameterError, UnknownNameError."""
    if parameters.get("replication", "off").lower() not in ("off", "false", "no", "0"):
        raise ParameterError("there is nothing to replicate", hint="Connect without replication.")
    for name, value in _all(parameters):
        if name.lower() == _LOGIN:
            continue
        if name.lower().startswith("dp_"):
            settings.set(name.lower(), value)
        elif not name.startswith("_pq_."):
            variables.set(name, value)
    variables.begin()


def login_option(parameters: Mapping[str, str]) -> str:
    """How a client wants to log in: by password unless it says so. Errors: ParameterError."""
    if not any(_LOGIN in text.lower() for text in (parameters.get("options", ""), *parameters)):
        return _LOGINS[0]  # whatever else the options are is looked at once it is known who asks
    said = [value.lower() for name, value in _all(parameters) if name.lower() == _LOGIN]
    if not said:
        return _LOGINS[0]
    if said[-1] not in _LOGINS:
        raise ParameterError("dp_login is password or token", hint="Write options='-c dp_login=token'.")
    return said[-1]


def _all(parameters: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The settings of a first packet. Errors: ParameterError."""
    yield from _given(parameters.get("options", ""))
    yield from ((name, value) for name, value in parameters.items() if name not in _NOT_SETTINGS)


def _given(options: str) -> Iterator[tuple[str, str]]:
    """The settings in a command line of the server: -c name=value, or --name=value.

    >>> list(_given(r"-c dp_epsilon=0.5 --search_path=a\\ b -cx.y=1"))
    [('dp_epsilon', '0.5'), ('search_path', 'a b'), ('x.y', '1')]
    """
    words = [re.sub(r"\\(.)", r"\1", word, flags=re.DOTALL) for word in _WORD.findall(options)]
    rest = iter(words)
    for word in rest:
        text = next(rest, "") if word == "-c" else word.removeprefix("--").removeprefix("-c")
        name, equals, value = text.partition("=")
        if not equals or not word.startswith("-"):
            raise ParameterError("the options are not understood", hint="Write options='-c dp_epsilon=0.5'.")
        yield name.replace("-", "_"), value
