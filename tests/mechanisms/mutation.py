"""Changes one place in the source of one function, in place, wherever it has been imported."""

import __future__

import ast
import inspect
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import CodeType, FunctionType
from typing import Any

import pytest

from dpduck.kernel.accounting import choices, composition, conversion
from dpduck.kernel.mechanisms import averages, gaussian_topk, linear_estimates, threshold_estimates
from tests.depth import one_in


@dataclass(frozen=True)
class Mutant:
    """What is wrong with it, the function, the text and what replaces it, and the check that must fail."""

    name: str
    target: Any
    old: str
    new: str
    check: Callable[[], object]

    def install(self, patch: pytest.MonkeyPatch) -> None:
        function = function_of(self.target)
        source = textwrap.dedent(inspect.getsource(function))
        assert source.count(self.old) == 1, f"{self.name}: {self.old!r} is not, or not once, in the source"
        patch.setattr(function, "__code__", compiled(source.replace(self.old, self.new), function.__name__))


def function_of(target: Any) -> FunctionType:
    """The function behind a property, a class method or a cache."""
    for wrapper in ("fget", "func", "__func__", "__wrapped__"):
        target = getattr(target, wrapper, target)
    assert isinstance(target, FunctionType)
    return target


def compiled(source: str, name: str) -> CodeType:
    tree = ast.parse(source)
    tree.body[0].decorator_list = []  # type: ignore[attr-defined]
    flags = __future__.annotations.compiler_flag
    module = compile(tree, f"<mutant of {name}>", "exec", flags=flags, dont_inherit=True)
    return next(c for c in module.co_consts if isinstance(c, CodeType) and c.co_name == name)


def forget() -> None:
    """Empty the caches of what a mutant may have computed."""
    linear_estimates.best_split.cache_clear()
    linear_estimates.error_spread.cache_clear()
    averages._table.cache_clear()
    threshold_estimates._ends.cache_clear()
    gaussian_topk.gaussian_split.cache_clear()
    gaussian_topk.choosing_rate.cache_clear()
    for priced in (choices.mu_squared_beside, choices._as_gaussian):
        priced.cache_clear()
    for computed in (composition.rho_of, conversion.epsilon_at, conversion.rho_limit):
        computed.cache_clear()


def pair_of_tests(
    mutants: Sequence[Mutant], usual: int = 1
) -> tuple[Callable[..., None], Callable[..., None]]:
    """Two tests for a module: each mutant is caught by its check, and each check passes without a mutant.

    Input: `usual`: of so many mutants, and of so many checks, one is tried each day, the others at night.
    """
    names = {mutant.check: mutant.name for mutant in reversed(mutants)}  # of the first that a check is for

    @pytest.mark.parametrize("mutant", one_in(usual, mutants), ids=lambda mutant: mutant.name)
    def caught(mutant: Mutant, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
        request.addfinalizer(forget)
        forget()
        mutant.install(monkeypatch)
        with pytest.raises((AssertionError, IndexError)):
            mutant.check()

    @pytest.mark.parametrize("check", one_in(usual, names), ids=list(names.values()))
    def passes(check: Callable[[], object]) -> None:
        check()

    return caught, passes
