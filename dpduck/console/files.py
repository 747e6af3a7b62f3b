"""Files that people ask for: each is written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from dpduck.console.writer import OutputError


def write_file(path: Path, content: bytes) -> None:
    """Write a file, or write over it, for its owner only; until all is written the old one stays.

    Errors: OutputError.
    """
    try:
        place = path.resolve()  # a link stays, and what it leads to is replaced
        if place.exists() and not place.is_file():
            reason = "it is no file"
        else:
            _replace(place, content)
            return
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
    raise OutputError(
        f"file {path} cannot be written",
        detail=f"The system says: {reason}.",
        hint="Give the path of a file in a folder that exists.",
    )


def _replace(place: Path, content: bytes) -> None:
    # Beside the file, since only within a file system is a replacement one step.
    handle, name = tempfile.mkstemp(prefix=".dpduck-", dir=place.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(place)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise
