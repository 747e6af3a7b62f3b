"""How far tests go: DPDUCK_DEPTH=full tries all that was ever thought of, light as little as tells something.

Without it, each run tries a part that changes with nothing, so that a failure comes again. What is enumerated
exactly, and each leak that was found, is tried in full at every depth.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TypeVar

import pytest

T = TypeVar("T")

DEPTH = os.environ.get("DPDUCK_DEPTH", "")
FULL, LIGHT = DEPTH == "full", DEPTH == "light"


def depth(full: int, usual: int, light: int | None = None) -> int:
    """A number of runs, draws or examples."""
    return full if FULL else usual if light is None or not LIGHT else light


def part(items: Sequence[T], usual: int, light: int | None = None) -> Sequence[T]:
    """Every item, or one of `usual`, or one of `light`."""
    return items[:: depth(1, usual, light)]


def one_in(usual: int, cases: Iterable[object]) -> list[object]:
    """Parameters of a test, of which each day tries one in so many, and the night all others."""
    return [
        case if number % usual == 0 else pytest.param(case, marks=pytest.mark.nightly)
        for number, case in enumerate(cases)
    ]
