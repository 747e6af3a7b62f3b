"""What all command lines of dpduck share: their parser, their errors, and how values are read."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from typing import NoReturn, TypeVar

from dpduck.kernel.errors import DpduckError, ParameterError
from dpduck.kernel.errors.names import did_you_mean

_T = TypeVar("_T")

# What argparse says of a word that it does not know.
_NO_OPTION = re.compile(r"unrecognized arguments: (--[^\s=]+)")
_NO_CHOICE = re.compile(r"invalid choice: '([^']+)'")


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

    def error(self, message: str) -> NoReturn:
        """Print the usage and the reason, with the word that is nearly what was typed; exit code 2."""
        super().error(message + self._meant(message))

    def _meant(self, message: str) -> str:
        """A question that suggests a command or an option, for a message that says that there is none."""
        known = [option for action in self._actions for option in action.option_strings]
        found = _NO_OPTION.search(message)
        if found is None and (found := _NO_CHOICE.search(message)) is not None:
            known = [str(word) for action in self._actions for word in action.choices or ()]
        meant = "" if found is None else did_you_mean(found[1].partition("=")[0], known)
        return f"\nHINT: {meant}" if meant else ""


def parse_name(text: str) -> str:
    """A name that can be shown. Errors: ParameterError."""
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
