"""What the gateway and the console need besides dpduck itself, and which addresses are of this machine."""

from __future__ import annotations

from importlib import import_module
from ipaddress import ip_address
from types import ModuleType

from dpduck.kernel.errors import ParameterError


def gateway_module(name: str) -> ModuleType:
    """Import a module of the gateway. Errors: ParameterError without its extra."""
    return _module(name, "gateway")


def console_module(name: str) -> ModuleType:
    """Import a module of the console. Errors: ParameterError without its extra."""
    return _module(name, "console")


def _module(name: str, extra: str) -> ModuleType:
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing == "dpduck":
            raise
    raise ParameterError(
        f"the {extra} needs more packages than dpduck itself",
        detail=f"The module {missing} is not installed.",
        hint=f"pip install 'dpduck[{extra}]'",
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
