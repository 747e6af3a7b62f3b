"""The one source of randomness: the operating system.

Nothing in this package can be seeded. Tests that need a known source define their own subclass.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint64]


class Entropy(ABC):
    """A supply of independent, uniformly random 64-bit words."""

    @abstractmethod
    def words(self, count: int) -> Words:
        """Draw `count` fresh words."""


class SystemEntropy(Entropy):
    """Words from the operating system's cryptographic generator (`os.urandom`)."""

    def words(self, count: int) -> Words:
        return np.frombuffer(os.urandom(8 * count), dtype=np.uint64)
