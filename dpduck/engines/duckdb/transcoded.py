"""Files of text that is not UTF-8, copied as UTF-8 for DuckDB, whose reader fails at what it cannot decode.

Since one line must not decide whether others are read, each line is decoded alone, and what cannot be decoded
is a question mark in a box. The copies are in the folder of this process that nobody else can enter, below
which they have the names of the files, as folders may be partitions; they are made when a file is opened or
has changed.
"""

from __future__ import annotations

import codecs
import gzip
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, cast

_BLOCK = 1 << 20
_WIDE = ("utf-16", "utf-32")
_ORDERS = {
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
    codecs.BOM_UTF32_LE: "utf-32-le",
    codecs.BOM_UTF32_BE: "utf-32-be",
}


class TranscodedFiles:
    """Copies of files below a folder, as UTF-8.

    Input: an existing folder of this process for them; the folder that holds the files; their encoding.
    """

    def __init__(self, folder: Path, root: Path, encoding: str) -> None:
        self.folder = folder.resolve()
        self._root = root
        self._encoding = encoding
        self._states: dict[Path, object] = {}

    def copy(self, file: Path) -> Path:
        """The copy of a file, made anew if the file has changed. Errors: OSError, EOFError, UnicodeError."""
        place = self.folder / file.relative_to(self._root)
        state = _state(file)
        if self._states.get(place) != state or not place.is_file():
            place.parent.mkdir(parents=True, exist_ok=True)
            part = place.with_name(f"{place.name}.part")
            with _opened(file, "rb") as source, _opened(part, "wb", packed=file) as target:
                for text in _decoded(source, self._encoding):
                    target.write(text.encode())
            part.replace(place)
            self._states[place] = state
        return place

    def keep_only(self, files: Iterable[Path]) -> None:
        """Remove the copies of files that are gone."""
        kept = {self.folder / file.relative_to(self._root) for file in files}
        for place in set(self._states) - kept:
            place.unlink(missing_ok=True)
            del self._states[place]


def _state(file: Path) -> object:
    found = file.stat()
    return found.st_mtime_ns, found.st_size, found.st_ino


def _opened(file: Path, mode: str, *, packed: Path | None = None) -> BinaryIO:
    if (packed or file).suffix.lower() == ".gz":
        return cast(BinaryIO, gzip.open(file, mode, compresslevel=1))
    return cast(BinaryIO, file.open(mode))


def _decoded(source: BinaryIO, encoding: str) -> Iterator[str]:
    """The text of a file, line by line: what ends a line is found in its bytes, before they are decoded.

    A codec would take the end of a line for a part of a character that the line does not complete, or, where
    a character has several bytes, all that follows a missing one for other characters.
    """
    if encoding.startswith(_WIDE):
        mark = source.read(4 if encoding.startswith("utf-32") else 2)
        order = _ORDERS.get(mark)
        if order is None and encoding in _WIDE:
            raise UnicodeError("it does not begin with the mark of its order of bytes")
        encoding, ahead = (encoding, mark) if order is None else (order, b"")
    else:
        ahead = b""
    end = "\n".encode(encoding)
    while block := source.read(_BLOCK):
        *lines, ahead = (ahead + block).split(end)
        yield "".join(f"{_line(line, encoding)}\n" for line in lines)
    yield _line(ahead, encoding)


def _line(line: bytes, encoding: str) -> str:
    return line.decode(encoding, "replace").replace("\n", " ")
