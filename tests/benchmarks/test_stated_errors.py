"""The stated errors of everyday questions hold: a few of them, each answered a few times."""

from __future__ import annotations

import math

import pytest

from benchmarks.attacks import stated_errors
from tests.query import quiet

SOME = (1, 2, 41, 100)  # counts, groups, several columns, averages and sums
RUNS = 60


@pytest.mark.slow
def test_they_hold_and_are_not_wide_without_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quiet, "LOUDER", quiet.LOUDER)
    least = 0.95 - 4 * math.sqrt(0.95 * 0.05 / RUNS)
    seen = 0
    for question, held in stated_errors.all_held(RUNS, SOME):
        for one in held:
            seen += 1
            assert one.kept is None or one.kept >= least, (question.number, one)
            assert not one.ended or one.by_interval / one.ended >= least, (question.number, one)
            assert one.kept is None or one.kept <= 0.98 or one.why
    assert seen >= 7


def test_an_error_that_is_too_small_is_found() -> None:
    true = [(float(n % 100), 0.0, None, None) for n in range(1000)]
    right, wrong = stated_errors.Held("n", 94.0, "", 0), stated_errors.Held("n", 60.0, "", 0)
    for one in (right, wrong):
        one.add(true)
    assert (right.verdict, wrong.verdict) == (stated_errors.HOLDS, stated_errors.BROKEN)
    wide = stated_errors.Held("n", 99.0, "", 0)
    wide.add(true)
    assert wide.verdict == stated_errors.CONSERVATIVE
