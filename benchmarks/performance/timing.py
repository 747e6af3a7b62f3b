"""Timing: several ways to the same answer, in turns, so that a noisy machine is noisy for all of them."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Mapping

Way = Callable[[], object]


def in_turns(ways: Mapping[str, Way], repeat: int, *, collect: bool = True) -> dict[str, list[float]]:
    """Seconds of each way in each of `repeat` rounds, after one round to warm up.

    Every second round is backwards: what ran before leaves its mark on memory and caches. Input: `collect`:
    whether garbage is collected before each; what takes less time than that is timed as it is when warm.
    """
    for way in ways.values():
        way()
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    for number in range(repeat):
        for name in list(ways)[:: -1 if number % 2 else 1]:
            seconds[name].append(stopwatch(ways[name], collect=collect))
    return seconds


def stopwatch(way: Way, *, collect: bool = True) -> float:
    """Seconds that one call takes. Input: as of `in_turns`."""
    if collect:
        gc.collect()
    start = time.perf_counter()
    way()
    return time.perf_counter() - start
