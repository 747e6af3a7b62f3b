"""Below the data line: what goes wrong there may come of one private value, and nobody hears of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress

import numpy as np


@contextmanager
def below() -> Iterator[None]:
    """Work with private values: no error leaves, and numpy warns of nothing.

    A warning is printed, or raised, if and only if some value overflows: under -W error it would tell an
    answer from none.

    >>> with below():
    ...     made = np.float64(1e308) * np.array([10.0])
    ...     raise ValueError("the secret is 4711")
    >>> made
    array([inf])
    """
    with suppress(Exception), np.errstate(all="ignore"):
        yield
