"""The lead that hides no group behind noise, against draws of that noise."""

import numpy as np
import pytest

from dpduck.kernel.mechanisms.leads import Noise, lead, reach_of_all

DRAWS = 20_000
NOISES: tuple[Noise, ...] = ("exponential", "laplace", "gumbel", "gaussian")


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("others", [1, 30, 200])
def test_a_group_with_that_lead_comes_first_in_19_of_20_draws(noise: Noise, others: int) -> None:
    """20,000 draws: 4.5 standard errors are 0.7 percent; a lead that is half as large is seen."""
    draw = getattr(np.random.default_rng(others), "normal" if noise == "gaussian" else noise)
    own, best = draw(size=DRAWS), draw(size=(DRAWS, others)).max(axis=1)
    assert abs(np.mean(best > own + lead(noise, others)) - 0.05) < 0.007
    assert np.mean(best > own + lead(noise, others) / 2) > 0.07
    assert abs(np.mean(best > reach_of_all(noise, others)) - 0.05) < 0.007


def test_each_further_candidate_asks_for_more() -> None:
    """Also of as many candidates as there may be, where one more changes nothing in floats."""
    for noise in NOISES:
        leads = [lead(noise, n) for n in (1, 10, 10_000, 2**62)]
        assert leads == sorted(leads)
        further = leads[3] - leads[2]
        if noise == "gaussian":  # whose largest of n is near the root of 2 ln n
            assert 0.9 < further / np.diff(np.sqrt(2 * np.log([10_000, 2**62])))[0] < 1.3
        else:
            assert further == pytest.approx(np.log(2**62 / 10_000), rel=0.01)
