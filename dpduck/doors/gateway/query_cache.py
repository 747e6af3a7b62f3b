"""What a server remembers of texts and of short answers, so that a repeated query is not processed again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

import pyarrow as pa

from dpduck.doors.gateway.encoding.encode import data_rows
from dpduck.kernel.system.recent import Recent

T = TypeVar("T")

_MOST = 512  # cached texts, and short answers
_MOST_FORMATS = 4  # of a cached answer


class CachedAnswer:
    """A short cached answer, with its rows as the messages that were sent."""

    def __init__(self, batches: Iterable[pa.RecordBatch]) -> None:
        self._batches = tuple(batches)
        self._sent: dict[tuple[int, ...], bytes] = {}

    def __iter__(self) -> Iterator[pa.RecordBatch]:
        return iter(self._batches)

    @property
    def rows(self) -> int:
        """The number of rows."""
        return sum(batch.num_rows for batch in self._batches)

    def data_rows(self, types: Sequence[str], formats: tuple[int, ...]) -> bytes:
        """All rows as messages. Input: the types, which are the same at each call."""
        sent = self._sent.get(formats)
        if sent is None:
            sent = b"".join(data_rows(batch, types, formats) for batch in self._batches)
            if len(self._sent) < _MOST_FORMATS:
                self._sent[formats] = sent
        return sent


class QueryCache:
    """A cache of facts about texts: where they are routed, and their columns. Safe for several threads."""

    def __init__(self) -> None:
        self._found = Recent[Any](_MOST)

    def get(self, key: object, find: Callable[[], T]) -> T:
        """The cached value of a key, computed if necessary."""
        found: T | None = self._found.get(key)
        if found is None:
            found = self._found[key] = find()
        return found

    def peek(self, key: object) -> object:
        """The cached value of a key; None if there is none."""
        return self._found.get(key)
