"""Mistakes in top-k with Gaussian counts, and in its price, that their tests catch."""

from __future__ import annotations

from dpduck.kernel.accounting import choices
from dpduck.kernel.mechanisms import gaussian_topk
from tests.accounting import test_choices as priced
from tests.mechanisms import test_gaussian_topk as tests
from tests.mechanisms.mutation import Mutant, pair_of_tests


def tied() -> None:
    tests.check_coverage("all tied")


SELECT, SPLIT = gaussian_topk.gaussian_top_k, gaussian_topk.gaussian_split
BESIDE, COIN = choices.mu_squared_beside, choices._as_gaussian
LAW, MOVES, PRICE, COINS = (
    tests.check_law,
    tests.check_moves,
    priced.check_conditions,
    priced.check_worst_coins,
)
MUTANTS = [
    Mutant("noise of one winner chooses", SELECT, "Gumbel(split.rate)", "Gumbel(split.rate * 2)", LAW),
    Mutant("winners in no order", SELECT, "tuple(winners)", "tuple(sorted(winners))", LAW),
    Mutant("counts of others", SELECT, "in members]", "in members[::-1]]", LAW),
    Mutant("half of the noise of counts", SELECT, "split.variances, entropy",
           "type(split.variances)(split.variances.own / 4), entropy", tied),
    Mutant("noisy scores are shown", SELECT, "ranking.groups.score(member) for member in members",
           "ranking.groups.score(m) + e.noise.floor() for m, e in zip(members, ranking.best)", tied),
    Mutant("counts as if of one group", SPLIT, "min(k, groups)", "1", MOVES),
    Mutant("counts of all k as if of k - 1", SPLIT, "moved = k if", "moved = k - 1 if", MOVES),
    Mutant("shared without being asked", SPLIT, "_variances(mu_squared, k, moved, shared=shared)",
           "_variances(mu_squared, k, moved, shared=True)", MOVES),
    Mutant("shared by too many", gaussian_topk._variances, "size=k", "size=2 * k", MOVES),
    Mutant("names: the rate of one", gaussian_topk.choosing_rate, "/ k", "", tests.check_choices),
    Mutant("names: half of the rate", gaussian_topk.choosing_rate, "8 *", "2 *", tests.check_choices),
    Mutant("names: sums as counts", gaussian_topk.choose_top_k, "rate / spread", "rate", tests.check_choices),
    Mutant("names: the price of one", gaussian_topk.choose_top_k, "delta, k, rate", "delta, 1, rate",
           tests.check_choices),
    Mutant("choices cost rho of one", choices._rho, "k * rate**2 / 8", "rate**2 / 8", PRICE),
    Mutant("choices cost half", BESIDE, "rate**2 / 4", "rate**2 / 8", PRICE),
    Mutant("a choice as Gaussian, of one", COIN, "k * rate", "rate", COINS),
    Mutant("a choice as Gaussian, too little", COIN, "arb.pi()", "arb.pi() / 2", COINS),
]  # fmt: skip


test_each_mistake_is_caught, test_each_check_passes = pair_of_tests(MUTANTS)
