"""What the console needs besides dpduck itself, and which addresses are of this machine alone."""

from __future__ import annotations

from importlib import import_module
from ipaddress import ip_address
from types import ModuleType

from dpduck.errors import ParameterError


def console_module(name: str) -> ModuleType:
    """Import a module of the console, which needs an extra. Errors: ParameterError without it."""
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing == "dpduck":
            raise
    raise ParameterError(
        "the console needs more packages than dpduck itself",
        detail=f"The module {missing} is not installed.",
        hint="pip install 'dpduck[console]'",
    )


def is_loopback(host: str) -> bool:
    """Whether an address is of this machine alone.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"
