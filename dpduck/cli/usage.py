"""What all command lines of dpduck share: their parser, their errors, and how values are read."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TypeVar

from dpduck.errors import DpduckError, ParameterError

_T = TypeVar("_T")


class UsageError(ParameterError):
    """The arguments do not fit together: exit code 2."""


class ArgumentParser(argparse.ArgumentParser):
    """Accepts no abbreviated options, and keeps the line breaks of its texts."""

    def __init__(self, *arguments: object, **options: object) -> None:
        super().__init__(  # type: ignore[misc]
            *arguments,  # type: ignore[arg-type]
            **options,  # type: ignore[arg-type]
            allow_abbrev=False,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )


def parse_name(text: str) -> str:
    if not text.strip() or not text.isprintable():
        raise ParameterError(f"{text[:60]!r} is not a name", hint="Write --analyst ana.")
    return text


def argument(read: Callable[[str], _T]) -> Callable[[str], _T]:
    """A parser for argparse, which prints its error and exits with code 2."""

    def read_argument(text: str) -> _T:
        try:
            return read(text)
        except DpduckError as error:
            raise argparse.ArgumentTypeError(str(error)) from error

    return read_argument
