"""What leaves: released columns, and the events of the mechanisms that made them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from dpduck.events import Composed, Event
from dpduck.mechanisms.private_topk import PrivateTop
from dpduck.mechanisms.topk_above import TopAbove
from dpduck.mechanisms.topk_counts import TopKCounts

Integers = NDArray[np.int64]
Columns = dict[str, list[object]]


@dataclass
class Release:
    """What leaves: the released columns, by name, and the events of the mechanisms that made them."""

    columns: Columns = field(default_factory=dict)
    _events: list[Event] = field(default_factory=list)
    _used: list[Event] = field(default_factory=list)

    def add(self, event: Event, used: Event | None = None) -> None:
        """Note what a mechanism did, and what its release shows as used if that may be less."""
        self._events += _parts(event)
        self._used += _parts(used or event)

    @property
    def event(self) -> Event:
        """The release as one event."""
        return _one(self._events)

    @property
    def used(self) -> Event | None:
        """What the release itself shows as used; None if all was."""
        return _one(self._used) if self._used != self._events else None

    def rows(self, names: Sequence[str]) -> list[list[str | None]]:
        """The released columns of these names as rows of text, which casts back without loss."""
        columns = [self.columns[name] for name in names]
        return [[_text(value) for value in row] for row in zip(*columns, strict=True)]

    def put(
        self,
        name: str,
        values: Sequence[object],
        lows: Sequence[float | None],
        highs: Sequence[float | None],
    ) -> None:
        """Release numbers, and the ends of their intervals; they have no rank."""
        self.columns[name] = list(values)
        self.columns[f"{name}_low"] = [None if low is None else float(low) for low in lows]
        self.columns[f"{name}_high"] = [None if high is None else float(high) for high in highs]
        self.columns[f"{name}_gap"] = self.columns[f"{name}_p_value"] = [None] * len(values)

    def put_counts(self, name: str, counts: Sequence[float], low: float, high: float) -> None:
        """Release counts that all have intervals of the same width."""
        lows, highs = [count + low for count in counts], [count + high for count in counts]
        self.put(name, [round(count) for count in counts], lows, highs)

    def put_ranked(self, name: str, top: TopKCounts | PrivateTop | TopAbove) -> None:
        """Release counts of a ranking, with the gap after each, and how sure its rank is."""
        found = top.found
        self.put(name, [round(count) for count in found.counts], found.lows, found.highs)
        self.columns[f"{name}_gap"] = list(top.gaps)
        self.columns[f"{name}_p_value"] = list(top.p_values)


def _parts(event: Event) -> list[Event]:
    return list(event.parts) if isinstance(event, Composed) else [event]


def _one(events: Sequence[Event]) -> Event:
    return events[0] if len(events) == 1 else Composed.of(*events)


def _text(value: object) -> str | None:
    if value is None:
        return None
    return repr(value) if isinstance(value, float) else str(value)
