"""A file that answers are written to instead of the screen."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from dpduck.doors.console.writer import OutputError
from dpduck.kernel.errors import ParameterError


class FileOut:
    """Writes answers to a file, which is truncated first and readable only for its owner.

    Errors: ParameterError for a file that must not be overwritten; OutputError.
    """

    width = None

    def __init__(self, path: Path, kept: Sequence[Path]) -> None:
        if any(path.exists() and file.exists() and path.samefile(file) for file in kept):
            raise ParameterError(
                f"{path} is not a place for answers",
                detail="It holds the data, the ledger or its anchor.",
                hint="Give the path of another file.",
            )
        self._path = path
        self._number = self._open()

    def show(self, text: str, *, charged: str = "0") -> None:
        """Write lines. Errors: OutputError, which says what was `charged`."""
        self.data(text, charged=charged)

    def data(self, text: str, *, charged: str = "0") -> None:
        """As `show`."""
        content = text.encode("utf-8", "replace")
        try:
            while content:
                content = content[os.write(self._number, content) :]
        except OSError as error:
            reason = _reason(error)
        else:
            return
        raise self._fault(reason, charged)

    def close(self) -> None:
        """Close the file."""
        os.close(self._number)

    def _open(self) -> int:
        try:
            return os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        except OSError as error:
            reason = _reason(error)
        raise self._fault(reason, "0")

    def _fault(self, reason: str, charged: str) -> OutputError:
        return OutputError(
            f"file {self._path} cannot be written",
            detail=f"The system says: {reason}.",
            hint="Give the path of a file in a folder that exists.",
            charged=charged,
        )


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
