"""The sources that only tests have do what they say, since other tests rest on them."""

import numpy as np
import pytest

from dpduck.kernel.noise import Entropy
from tests.sources import HALF, WORD, Continued, Quiet, Repeating, Scripted, Seeded


@pytest.mark.parametrize(
    "source",
    [Quiet(), Quiet(HALF), Scripted(range(5)), Repeating(1), Seeded(), Continued([1], Quiet())],
    ids=lambda source: type(source).__name__,
)
def test_words_are_64_bits_and_as_many_as_asked(source: Entropy) -> None:
    for count in (0, 2, 3):
        words = source.words(count)
        assert words.dtype == np.uint64
        assert words.shape == (count,)


def test_quiet_counts() -> None:
    source = Quiet(HALF)
    assert [*source.words(2).tolist(), *source.words(1).tolist()] == [HALF, HALF + 1, HALF + 2]


def test_a_script_is_followed_and_ends() -> None:
    source = Scripted([WORD - 1, 0, 7])
    assert source.words(2).tolist() == [WORD - 1, 0]
    assert source.left == 1
    with pytest.raises(AssertionError, match="more words were asked for than the script has"):
        source.words(2)
    with pytest.raises(AssertionError):
        Scripted().words(1)
    assert len(Scripted().words(0)) == 0


def test_a_script_may_go_on_with_another_source() -> None:
    source = Continued([5, 6, 7], Repeating(9))
    assert [source.words(n).tolist() for n in (1, 3, 2)] == [[5], [6, 7, 9], [9, 9]]


def test_seeds_are_names() -> None:
    """The same name gives the same words, however they are asked for; another name gives others."""
    whole = Seeded("a", 1).words(10).tolist()
    parts = Seeded("a", 1)
    assert [*parts.words(4).tolist(), *parts.words(6).tolist()] == whole
    assert not set(whole) & set(Seeded("a", 2).words(10).tolist())
    assert not set(whole) & set(Seeded("b", 1).words(10).tolist())
    bits = np.unpackbits(Seeded("bits").words(4000).view(np.uint8))
    assert abs(bits.mean() - 0.5) < 0.005
