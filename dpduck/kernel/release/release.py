"""A release: the released columns and the events of their mechanisms."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from dpduck.kernel.accounting.events import Composed, Event
from dpduck.kernel.arrow.arrays import array_of, texts_of
from dpduck.kernel.arrow.outward import ends_around, outward
from dpduck.kernel.arrow.strings import text
from dpduck.kernel.errors import InternalError
from dpduck.kernel.mechanisms.private_topk import PrivateTop
from dpduck.kernel.mechanisms.topk_above import TopAbove
from dpduck.kernel.mechanisms.topk_counts import TopKCounts

Integers = NDArray[np.int64]
Values: TypeAlias = Any  # an Arrow array, a vector of numbers, or a list of values of a type
Columns = dict[str, Values]


@dataclass
class Release:
    """The released columns, by name, and the events of the mechanisms that produced them."""

    columns: Columns = field(default_factory=dict)
    _events: list[Event] = field(default_factory=list)
    _used: list[Event] = field(default_factory=list)

    @classmethod
    def of_all(cls, parts: Sequence[Release]) -> Release:
        """The events of several releases as those of one, without their columns."""
        made = cls()
        for part in parts:
            made._events += part._events
            made._used += part._used
        return made

    def add(self, event: Event, used: Event | None = None) -> None:
        """Add the event of a mechanism, and the event that its release shows as used if that may be less."""
        if used is not None and not event.refunds:
            raise InternalError("a mechanism gives back what its event does not")
        self._events += _parts(event)
        self._used += _parts(used or event)

    @property
    def event(self) -> Event:
        """The release as one event."""
        return _one(self._events)

    @property
    def used(self) -> Event | None:
        """The event that the release itself shows as used; None if all was."""
        return _one(self._used) if self._used != self._events else None

    def table(self, names: Sequence[str]) -> pa.Table:
        """The released columns of these names as c0, c1, ...: values, or text that casts without loss."""
        return pa.table([_array(self.columns[name]) for name in names], [f"c{i}" for i in range(len(names))])

    def put(
        self,
        name: str,
        values: Values,
        lows: Values,
        highs: Values,
    ) -> None:
        """Release numbers with the ends of their intervals, without ranks."""
        self.columns[name] = values
        self.columns[f"{name}_low"], self.columns[f"{name}_high"] = lows, highs
        self.columns[f"{name}_gap"] = self.columns[f"{name}_p_value"] = pa.nulls(len(values))

    def put_counts(self, name: str, counts: Integers, half_width: float) -> None:
        """Release counts that all have intervals of the same width."""
        self.put(name, counts, *ends_around(counts, half_width))

    def put_ranked(self, name: str, top: TopKCounts | PrivateTop | TopAbove) -> None:
        """Release ranked counts, with the gap after each and a p-value for its rank."""
        found = top.found
        lows, highs = (
            [None if end is None else outward(Fraction(end), side) for end in ends]
            for ends, side in ((found.lows, -math.inf), (found.highs, math.inf))
        )
        self.put(name, [round(count) for count in found.counts], lows, highs)
        self.columns[f"{name}_gap"] = list(top.gaps)
        self.columns[f"{name}_p_value"] = list(top.p_values)


def _parts(event: Event) -> list[Event]:
    return list(event.parts) if isinstance(event, Composed) else [event]


def _one(events: Sequence[Event]) -> Event:
    return events[0] if len(events) == 1 else Composed.of(*events)


def _array(values: Values) -> pa.Array:
    if isinstance(values, pa.Array):
        return values
    if isinstance(values, np.ndarray):
        return array_of(values)
    return texts_of([text(value) for value in values])
