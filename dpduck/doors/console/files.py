"""Output files, each written completely or not at all."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from dpduck.doors.console.writer import OutputError


def write_file(path: Path, content: bytes) -> None:
    """Write or replace a file, readable for its owner only; the old one stays until the new one is complete.

    Errors: OutputError.
    """
    try:
        place = path.resolve()  # a link stays, and its target is replaced
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
    # In the same folder, since a replacement is atomic only within a file system.
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
