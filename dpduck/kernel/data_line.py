"""Below the data line: an error there may depend on one private value, so it is suppressed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress

import numpy as np


@contextmanager
def below() -> Iterator[None]:
    """Work with private values: suppress all errors, and numpy's warnings.

    A warning is printed or raised only if some value overflows; under -W error, that would be visible.

    >>> with below():
    ...     made = np.float64(1e308) * np.array([10.0])
    ...     raise ValueError("the secret is 4711")
    >>> made
    array([inf])
    """
    with suppress(Exception), np.errstate(all="ignore"):
        yield
