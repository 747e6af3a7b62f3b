"""The only module that writes to the screen: answers to stdout, everything about them to stderr."""

from __future__ import annotations

import io
import os
import re
import sys
from pathlib import Path
from typing import TextIO

from dpduck.doors.console.tables import screen_width, visible
from dpduck.kernel.errors import DpduckError

# Replacements on a screen that lacks these characters. Any other becomes its \u escape.
_PLAIN = str.maketrans(
    {
        **dict.fromkeys("┌┬┐├┼┤└┴┘", "+"),
        "─": "-",
        "│": "|",
        "█": "#",
        "░": ".",
        "·": ".",
        "±": "+/-",
        "…": "...",
    }
)
_BOLD, _DIM = 1, 2
_STYLES = re.compile(r"(\x1b\[[012]m)")


class OutputError(DpduckError):
    """The answer could not be written to stdout."""

    sqlstate = "58030"


class Writer:
    """Writes to stdout and stderr, in any encoding, with styles only on a terminal that supports them."""

    def __init__(self, out: TextIO | None = None, err: TextIO | None = None) -> None:
        # A process may be started with either of them closed; then the output is dropped.
        self._out = out or sys.stdout or io.StringIO()
        self._err = err or sys.stderr or io.StringIO()

    @property
    def width(self) -> int | None:
        """The width of stdout in columns, None if it is not a terminal."""
        return screen_width(self._out)

    def show(self, text: str, *, charged: str = "0") -> None:
        """Write lines for people to stdout. Errors: OutputError, which says what was `charged`."""
        self._write(_fit(text, self._out), charged)

    def data(self, text: str, *, charged: str = "0") -> None:
        """Write data to stdout, as UTF-8 whatever the screen's encoding. Errors: as `show`."""
        if isinstance(self._out, io.TextIOWrapper):
            self._out.reconfigure(encoding="utf-8", newline="")
        self._write(_safe(text, self._out), charged)

    def note(self, text: str) -> None:
        """Write one dim line to stderr."""
        self._err.write(_fit(self._styled(text, _DIM, self._err), self._err) + "\n")
        self._err.flush()

    def aside(self, text: str) -> None:
        """Write a note if stdout and stderr are a terminal."""
        if self._out.isatty() and self._err.isatty():
            self.note(text)

    def error(self, text: str) -> None:
        """Write whole lines to stderr."""
        self._err.write(_fit(text, self._err))
        self._err.flush()

    def bold(self, text: str) -> str:
        """The text in bold, if stdout supports it."""
        return self._styled(text, _BOLD, self._out)

    def dim(self, text: str) -> str:
        """The text in grey, if stdout supports it."""
        return self._styled(text, _DIM, self._out)

    def abandon(self) -> None:
        """Redirect a stdout that is no longer read, so that Python does not report an error at exit."""
        with Path(os.devnull).open("wb") as nowhere:
            os.dup2(nowhere.fileno(), self._out.fileno())

    def _write(self, text: str, charged: str) -> None:
        try:
            self._out.write(text)
            self._out.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
        else:
            return
        raise OutputError(
            "the answer could not be written",
            detail=f"The system says of standard output: {reason}.",
            charged=charged,
        )

    @staticmethod
    def _styled(text: str, code: int, stream: TextIO) -> str:
        plain = "NO_COLOR" in os.environ or os.environ.get("TERM") == "dumb"
        return text if plain or not stream.isatty() else f"\x1b[{code}m{text}\x1b[0m"


def _safe(text: str, stream: TextIO) -> str:
    """Escape control sequences for a terminal, except dpduck's own styles."""
    if not stream.isatty():
        return text
    parts = _STYLES.split(text)
    return "".join(part if _STYLES.fullmatch(part) else visible(part) for part in parts)


def _fit(text: str, stream: TextIO) -> str:
    """Replace characters that the stream cannot encode."""
    text = _safe(text, stream)
    encoding = getattr(stream, "encoding", None)
    if not encoding:
        return text
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return text.translate(_PLAIN).encode(encoding, "backslashreplace").decode(encoding)
    return text
