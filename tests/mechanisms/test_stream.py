"""Sparse vector asked one by one: the batch scan's law on the same counts, whoever chooses them, and when."""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

import numpy as np
import pytest

from dpduck.kernel.accounting.events import AboveThreshold, Composed
from dpduck.kernel.errors import ParameterError
from dpduck.kernel.mechanisms.sparse_vector import Stream, StreamAnswer, above_threshold
from tests.mechanisms.checks import rational, smallest_half_width
from tests.mechanisms.enumeration import laplace_words
from tests.mechanisms.test_sparse_vector import edge_words, parts, setting_of
from tests.noise.laws import REJECT, assert_frequencies
from tests.oracles import above as oracle
from tests.oracles.above import BELOW, Output, Setting
from tests.oracles.fit import log_p_value
from tests.oracles.privacy import ratio
from tests.sources import HALF, Quiet, Scripted, Seeded

X = Fraction(1, 2)
Analyst = Callable[[Output], int]  # which query comes next, after these answers


# Adaptive questions


def climber(said: Output) -> int:
    """Ask for the next one up after an answer, for one down after none."""
    return sum(1 if answer != BELOW else -1 for answer in said)


def repeater(said: Output) -> int:
    """Ask the same until it answers, then another."""
    return sum(answer != BELOW for answer in said)


def gap_reader(said: Output) -> int:
    """What is asked depends on a gap."""
    return said[-1].gap + len(said) if said and said[-1] != BELOW else 0


def transcripts(setting: Setting, gaps: int, most: int) -> Iterator[Output]:
    """All that may be said in `most` questions, or until the budget is used up."""
    return oracle.outputs(most, setting, gaps)


def counts_of(said: Output, analyst: Analyst, table: Sequence[int]) -> list[int]:
    """The counts that were asked for on the way to this transcript."""
    return [table[analyst(said[:i]) % len(table)] for i in range(len(said))]


SETTINGS = (
    Setting(1, 1, 2, (2, 2, 1)),
    Setting(0, 2, 1, (3, 2, 1)),
    Setting(1, 2, 0, (1, 2, 1), adaptive=False),
)


@pytest.mark.parametrize("analyst", [climber, repeater, gap_reader])
@pytest.mark.parametrize("setting", SETTINGS)
def test_chosen_after_seeing_answers_it_is_private(setting: Setting, analyst: Analyst) -> None:
    """Three questions: the law of all transcripts adds up to 1; between neighbouring tables no transcript
    changes by more than e^epsilon, though the questions are others.
    """
    table = (1, 3, -1)
    said = list(transcripts(setting, 2, 3))
    law = [oracle.law(counts_of(w, analyst, table), setting, X)(w) for w in said]
    assert sum(law) == 1
    bound = X ** -(setting.powers[0] + 2 * setting.k)
    for neighbour in ((2, 3, -1), (2, 4, 0), (1, 3, 0), (0, 2, -2), (1, 2, -1), (0, 3, -1)):
        for w, mass in zip(said, law, strict=True):
            other = oracle.law(counts_of(w, analyst, neighbour), setting, X)(w)
            assert ratio(mass, other) <= bound


# Every output, word by word


def interleaved(words: Sequence[int], output: Output, *, adaptive: bool) -> list[int]:
    """The batch scan's words in the order of a stream: each answer's own right after its candidate's."""
    first, of_candidates = words[0], list(words[1 : 1 + len(output)])
    of_answers = iter(words[1 + len(output) :])
    result = [first]
    for word, answer in zip(of_candidates, output, strict=True):
        result.append(word)
        if answer != BELOW:
            result += [next(of_answers) for _ in range(2 if adaptive else 1)]
    return result


def check_stream(
    scores: Sequence[int] = (9, -5, 2),
    k: int = 2,
    *,
    adaptive: bool = True,
    threshold: int = 2,
    epsilon: Fraction = Fraction(3),
) -> None:
    """For each noise of the threshold and each output, words at both of its ends: what is said is it."""
    setting, rates = setting_of(epsilon, k, threshold, adaptive=adaptive), parts(epsilon, k)
    for noise in (-2, 0, 1):
        for output in oracle.outputs(len(scores), setting, 2):
            for words in edge_words(output, scores[: len(output)], setting, rates, noise):
                source = Scripted(interleaved(words, output, adaptive=adaptive))
                stream = Stream(threshold, k, epsilon, source, adaptive=adaptive)
                assert_said(stream, scores, output, threshold)
                assert source.left == 0
                assert_finished(stream, output, rates)


def assert_said(stream: Stream, scores: Sequence[int], output: Output, threshold: int) -> None:
    for count, expected in zip(scores, output, strict=False):
        assert not stream.is_over
        answer = stream.ask(count)
        if expected == BELOW:
            assert answer is None
            continue
        assert answer is not None
        assert (answer.gap, answer.clear) == (expected.gap, expected.kind == "clear")
        assert answer.estimate == threshold + expected.gap
        assert answer.low <= answer.estimate <= answer.high


def assert_finished(stream: Stream, output: Output, rates: Sequence[Fraction]) -> None:
    """Over by itself just when the output is; what is shown as used is what the answers cost."""
    used = sum(oracle.UNITS[answer.kind] for answer in output)
    release = stream.finish()
    said = [(i, answer) for i, answer in enumerate(output) if answer != BELOW]
    assert release.candidates == tuple(i for i, _ in said)
    assert release.gaps == tuple(answer.gap for _, answer in said)
    assert release.used.epsilon == rates[0] + used * rates[2]
    assert stream.is_over


@pytest.mark.parametrize("adaptive", [True, False])
@pytest.mark.parametrize(("scores", "k"), [((2, 0, 3), 1), ((9, -5, 2), 2)])
def test_every_output_comes_at_its_words(scores: Sequence[int], k: int, *, adaptive: bool) -> None:
    check_stream(scores, k, adaptive=adaptive)


def test_a_stream_says_what_a_scan_says() -> None:
    """The same noise, in the stream's order and in the scan's: equal releases, intervals included."""
    scores, epsilon, k, threshold = (9, -5, 2), Fraction(3), 2, 2
    setting, rates = setting_of(epsilon, k, threshold, adaptive=True), parts(epsilon, k)
    for output in oracle.outputs(len(scores), setting, 1):
        for words in edge_words(output, scores[: len(output)], setting, rates, 0):
            unread = [HALF] * (len(scores) - len(output))
            place = 1 + len(output)
            batch = above_threshold(
                np.array(scores), threshold, k, epsilon, Scripted([*words[:place], *unread, *words[place:]])
            )
            stream = Stream(threshold, k, epsilon, Scripted(interleaved(words, output, adaptive=True)))
            answers = [stream.ask(count) for count in scores[: len(output)]]
            found = [answer for answer in answers if answer is not None]
            assert stream.finish() == batch
            assert [a.estimate for a in found] == list(batch.estimates)
            assert [(a.low, a.high) for a in found] == list(zip(batch.lows, batch.highs, strict=True))


# Frequencies


@pytest.mark.parametrize(("analyst", "k", "adaptive"), [(climber, 1, True), (gap_reader, 2, False)])
def test_frequencies_follow_the_exact_law(analyst: Analyst, k: int, *, adaptive: bool) -> None:
    """n = 4000 streams of two questions, the second chosen by the first answer; accepted at 1e-3, rejected at
    1e-9 with rates 30 % off.
    """
    epsilon, cap, table = Fraction(3), 2 if adaptive else 1, (2, 4, 0)
    setting = setting_of(epsilon, k, 2, adaptive=adaptive)
    entropy = Seeded("stream", analyst.__name__)
    observed: Counter[Output] = Counter()
    for _ in range(4000):
        stream, said = Stream(2, k, epsilon, entropy, adaptive=adaptive), ()
        while len(said) < 2 and not stream.is_over:
            answer = stream.ask(table[analyst(said) % 3])
            said = (*said, entry(answer, setting, cap))
        observed[said] += 1

    def law(factor: float) -> dict[Output, float]:
        rates = [float(rate) * factor for rate in parts(epsilon, k)]
        return {
            w: oracle.probability(w, counts_of(w, analyst, table), setting, rates)
            for w in transcripts(setting, cap, 2)
        }

    assert_frequencies(observed, law(1))
    for factor in (0.7, 1.3):
        assert log_p_value(observed, law(factor)) < REJECT


def entry(answer: StreamAnswer | None, setting: Setting, cap: int) -> oracle.Answer:
    if answer is None:
        return BELOW
    most = cap + (setting.margin if answer.clear else 0)
    return oracle.Answer("clear" if answer.clear else "near", min(answer.gap, most), answer.gap >= most)


# The end


@pytest.mark.parametrize(("adaptive", "most"), [(True, 9), (False, 5)])
def test_it_is_over_when_no_more_can_be_paid(most: int, *, adaptive: bool) -> None:
    """k = 5, counts far above: 9 clear answers or 5, and then an error before any draw."""
    stream = Stream(10, 5, Fraction(1), Seeded("over"), adaptive=adaptive)
    for i in range(most):
        assert not stream.is_over
        assert stream.ask(10**6 + i) is not None
    assert stream.is_over
    with pytest.raises(ParameterError, match="over"):
        stream.ask(10**6)
    release = stream.finish()
    assert release.candidates == tuple(range(most))
    assert release.event == stream.event == AboveThreshold(Fraction(1), k=5)
    budget = parts(Fraction(1), 5)
    assert release.used.epsilon == budget[0] + most * (budget[2] if adaptive else budget[1]) <= 1


def test_no_word_is_drawn_after_the_end() -> None:
    stream = Stream(0, 1, Fraction(1), Quiet(HALF), adaptive=False)
    assert stream.ask(10**9) is not None
    assert stream.is_over
    for question in (10**9, -(10**9)):
        with pytest.raises(ParameterError, match="over"):
            stream.ask(question)


def test_questions_below_are_free_and_without_end() -> None:
    """2000 of them: nothing but the threshold's part is used."""
    stream = Stream(10**6, 3, Fraction(1), Seeded("free"))
    assert all(stream.ask(i) is None for i in range(2000))
    assert not stream.is_over
    release = stream.finish()
    assert release.candidates == release.gaps == release.estimates == ()
    assert release.used.epsilon == parts(Fraction(1), 3)[0]


def check_over() -> None:
    """Questions to a stream are refused when it has used up its budget, and when it was finished."""
    used_up, finished = (Stream(10, 2, Fraction(1), Seeded("refused", i)) for i in range(2))
    for _ in range(3):
        assert used_up.ask(10**6) is not None
    assert finished.ask(10**6) is not None
    finished.finish()
    for stream in (used_up, finished):
        assert stream.is_over
        assert is_refused(stream)


def is_refused(stream: Stream) -> bool:
    try:
        stream.ask(10**6)
    except ParameterError as error:
        return "over" in str(error)
    return False


def test_it_refuses_when_over() -> None:
    check_over()


def check_finished_twice() -> None:
    """Fresh noise on the same counts, at a second end, would be a second release that is not charged."""
    stream = Stream(10, 5, Fraction(1), Seeded("twice"), measure=True)
    assert stream.ask(10**6) is not None
    first = stream.finish()
    try:
        again = [stream.finish() for _ in range(20)]
    except ParameterError:
        return
    assert again == [first] * 20


def test_counts_are_measured_once() -> None:
    check_finished_twice()


# Measured at the end


def check_measured_stream() -> None:
    """Half of epsilon scans; the other half measures as many answers as there are, each with a noise."""
    epsilon, k, threshold, scores = Fraction(8), 2, 10, (5000, 2, 7000)
    answered = [0, 2]
    stream = Stream(threshold, k, epsilon, HalfThen((3, -1), epsilon / 4), measure=True)
    said = [stream.ask(count) for count in scores]
    assert [i for i, answer in enumerate(said) if answer is not None] == answered
    release = stream.finish()
    width = smallest_half_width(rational(epsilon / 4))
    assert release.candidates == (0, 2)
    assert release.lows == tuple(c - width for c in (5003, 6999))
    assert release.highs == tuple(c + width for c in (5003, 6999))
    assert all(a <= b <= c for a, b, c in zip(release.lows, release.estimates, release.highs, strict=True))
    assert isinstance(release.event, Composed)
    assert [part.epsilon for part in release.event.parts] == [epsilon / 2, epsilon / 2]
    scan = parts(epsilon / 2, k)
    assert release.used.epsilon == scan[0] + 2 * scan[2] + epsilon / 2


class HalfThen(Quiet):
    """Words in the middle, where noise is about 0; where as many are drawn as there are draws, those."""

    def __init__(self, draws: Sequence[int], rate: Fraction) -> None:
        super().__init__(HALF)
        self._last = laplace_words(draws, rate)

    def words(self, count: int) -> np.ndarray:
        if count == len(self._last):
            return np.array(self._last, dtype=np.uint64)
        return super().words(count)


def test_counts_are_measured_at_the_end() -> None:
    check_measured_stream()


def test_a_measured_stream_without_answers_measures_nothing() -> None:
    stream = Stream(10**6, 2, Fraction(1), Seeded("none"), measure=True)
    assert stream.ask(3) is None
    release = stream.finish()
    assert release.event.epsilon == 1
    assert release.used.epsilon == parts(Fraction(1, 2), 2)[0]


# What shows


@pytest.mark.parametrize("measure", [False, True])
def test_only_what_is_released_shows(*, measure: bool) -> None:
    """Counts are in no repr, nor any noise, nor in an error: of an answer, its gap, estimate and ends."""
    secret, threshold = 123_454_321, 100_000_000
    stream = Stream(threshold, 2, Fraction(1), Seeded("shows"), measure=measure)
    answers = [stream.ask(secret), stream.ask(7), stream.ask(secret)]
    for shown in (repr(stream), str(stream), repr(stream.event), *map(repr, answers)):
        assert str(secret) not in shown
        assert str(secret - threshold) not in shown
    assert "Fraction" not in repr(stream)
    with pytest.raises(ParameterError) as caught:
        for _ in range(9):
            stream.ask(secret)
    assert str(secret) not in str(caught.value)


def test_the_noisy_threshold_is_in_no_repr() -> None:
    """The first word decides it; with another word the repr is the same."""
    shown = {repr(Stream(50, 2, Fraction(1), Quiet(start))) for start in (0, HALF, 3 * HALF // 2)}
    shown = {text.split(" at 0x")[0] for text in shown}
    assert len(shown) == 1


@pytest.mark.parametrize(("threshold", "k"), [(5, 0), (5, -1), (5, 10_001), (2**61 + 1, 1), (-(2**62), 1)])
def test_parameters_are_checked_before_any_draw(threshold: int, k: int) -> None:
    with pytest.raises(ParameterError, match=r"k is|threshold is too large"):
        Stream(threshold, k, Fraction(1), Scripted())


def test_the_threshold_is_drawn_once() -> None:
    """Gaps of a stream without noise of their own differ by their counts: all from one noisy threshold."""
    stream = Stream(1000, 3, Fraction(300), Seeded("once"))
    gaps = [answer.gap for count in (2000, 3000, 2500) if (answer := stream.ask(count)) is not None]
    assert len(gaps) == 3
    assert math.isclose(gaps[1] - gaps[0], 1000, abs_tol=3)
    assert math.isclose(gaps[2] - gaps[0], 500, abs_tol=3)
