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
_WIDE = ("utf-16", "utf-32")  # a byte of a character may be that of an end of line


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
        """The copy of a file, made anew if the file has changed. Errors: OSError, EOFError."""
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
    if encoding.startswith(_WIDE):
        decoder = codecs.getincrementaldecoder(encoding)("replace")
        while block := source.read(_BLOCK):
            yield decoder.decode(block)
        yield decoder.decode(b"", final=True)
        return
    while lines := source.readlines(_BLOCK):
        yield "".join(line.decode(encoding, "replace") for line in lines)
