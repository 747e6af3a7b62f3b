"""Settings that a client sends in its first packet, including `options=-c name=value`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from dpduck.errors import ParameterError
from dpduck.gateway.variables import Variables
from dpduck.runtime.settings import Settings

_NOT_SETTINGS = ("user", "database", "options", "replication")
_WORD = re.compile(r"(?:[^\s\\]|\\.)+", re.DOTALL)


def read_options(parameters: Mapping[str, str], settings: Settings, variables: Variables) -> None:
    """Apply the settings of a first packet. Errors: ParameterError, UnknownNameError."""
    if parameters.get("replication", "off").lower() not in ("off", "false", "no", "0"):
        raise ParameterError("there is nothing to replicate", hint="Connect without replication.")
    plain = {name: value for name, value in parameters.items() if name not in _NOT_SETTINGS}
    for name, value in (*_given(parameters.get("options", "")), *plain.items()):
        if name.lower().startswith("dp_"):
            settings.set(name.lower(), value)
        elif not name.startswith("_pq_."):
            variables.set(name, value)
    variables.begin()


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
