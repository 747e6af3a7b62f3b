"""Known sources of random words. Only tests have them: the package itself cannot be seeded."""

import hashlib
from collections.abc import Iterable

import numpy as np

from dpduck.kernel.noise import Entropy
from dpduck.kernel.noise.entropy import Words

WORD = 1 << 64
HALF = 1 << 63  # the median of a noise; just above it, discrete Laplace noise is 0


class Quiet(Entropy):
    """The words start, start + 1, ...: the zero-noise oracle.

    From 0, exponential noise is about 0 (that of a group of M equal scores is 2^(-64/M) / rate), equal
    scores are taken in the order of their numbers; among distinct scores the better one has the later word,
    so that floors of gaps are the true gaps. From HALF, discrete Laplace noise is 0, and exponential
    noise is ln 2 / rate for all.
    """

    def __init__(self, start: int = 0) -> None:
        self._next = start

    def words(self, count: int) -> Words:
        first, self._next = self._next, self._next + count
        return np.arange(first, self._next, dtype=np.uint64)


class Scripted(Entropy):
    """The words given, one after another; to ask for more fails. `Scripted()` allows no draw at all."""

    def __init__(self, words: Iterable[int] = ()) -> None:
        self._words = list(words)

    @property
    def left(self) -> int:
        """How many words have not been asked for."""
        return len(self._words)

    def words(self, count: int) -> Words:
        assert count <= len(self._words), "more words were asked for than the script has"
        drawn, self._words = self._words[:count], self._words[count:]
        return np.array(drawn, dtype=np.uint64)


class Continued(Entropy):
    """The words given, then those of another source."""

    def __init__(self, words: Iterable[int], then: Entropy) -> None:
        self._words = list(words)
        self._then = then

    def words(self, count: int) -> Words:
        drawn, self._words = self._words[:count], self._words[count:]
        rest = self._then.words(count - len(drawn))
        return np.concatenate((np.array(drawn, dtype=np.uint64), rest))


class Repeating(Entropy):
    """One word for ever: a broken source."""

    def __init__(self, word: int) -> None:
        self._word = word

    def words(self, count: int) -> Words:
        return np.full(count, self._word, dtype=np.uint64)


class Seeded(Entropy):
    """A counter stream (Philox) keyed by the SHA-256 of a name: the same words in every run."""

    def __init__(self, *name: object) -> None:
        key = hashlib.sha256(repr(name).encode()).digest()[:16]
        self._stream = np.random.Philox(key=int.from_bytes(key, "big"))

    def words(self, count: int) -> Words:
        return np.asarray(self._stream.random_raw(count), dtype=np.uint64)
