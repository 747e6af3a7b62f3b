"""OpenDP's core library where a tenth of epsilon selects: best if the winners are far ahead."""

from __future__ import annotations

from collections.abc import Iterator

import opendp_core

PACKAGE = opendp_core.PACKAGE


def top_10_draws(file: str, size: int) -> Iterator[list[list[float]]]:
    """Nine tenths of epsilon measure the winners."""
    return opendp_core.top_10_draws(file, size, selects=0.1)
