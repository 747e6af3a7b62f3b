"""Packages that dpduck uses if they are there, and does not install by itself."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from dpduck.kernel.errors import ParameterError


def needed(name: str, extra: str | None = None) -> Any:
    """Import an optional package. Input: the extra of dpduck that has it, if one has.

    Errors: ParameterError if it is not installed.

    >>> needed("json").dumps([1])
    '[1]'
    """
    try:
        return import_module(name)
    except ImportError:
        missing = name.partition(".")[0]
    package = missing if extra is None else f"'dpduck[{extra}]'"
    raise ParameterError(f"this needs {missing}, which is not installed", hint=f"Run pip install {package}.")
