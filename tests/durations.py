"""Where processor time went: after a run of everything, a table of packages beside their budgets.

The budget is a report, not a failure: a machine that is slow or shared fails no test. Whoever adds tests that
take long sees it here, and makes them cheaper or says what they are worth.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Generator
from typing import Any

import pytest

# Processor seconds of quick tests, and of those that the README's command leaves out, as measured for
# docs/contributing/tests.md. Other packages have OTHERS.
BUDGETS = {
    "tests": (65, 45),
    "tests/audit": (5, 120),
    "tests/benchmarks": (5, 30),
    "tests/cli": (30, 80),
    "tests/connection": (20, 20),
    "tests/documents": (10, 95),
    "tests/engines": (10, 60),
    "tests/everyday": (5, 55),
    "tests/gateway": (45, 260),
    "tests/kernel": (10, 20),
    "tests/ledger": (10, 75),
    "tests/mechanisms": (25, 130),
    "tests/policies": (20, 5),
    "tests/query": (110, 165),
    "tests/reach": (5, 20),
    "tests/release": (5, 60),
    "tests/replay": (5, 25),
    "tests/shell": (10, 30),
    "tests/summaries": (45, 85),
    "tests/trust": (50, 280),
}
OTHERS = (5, 20)
_SHOWN = 2.0  # seconds


def processor_seconds() -> float:
    """What this process and those that it waited for have taken."""
    taken = os.times()
    return taken.user + taken.system + taken.children_user + taken.children_system


def package_of(test: str) -> str:
    """The package that a test is counted under.

    >>> [package_of(f"{file}.py::test[a/b]") for file in ("tests/a/b/test_c", "tests/test_d", "dpduck/e")]
    ['tests/a', 'tests', 'dpduck']
    """
    folders = test.partition("::")[0].split("/")[:-1]
    return "/".join(folders[: 2 if folders[:1] == ["tests"] else 1])


class Clock:
    """In the process that runs tests: what each phase of a test took, as `processor` of its report."""

    def __init__(self) -> None:
        self._last = processor_seconds()

    def pytest_collection_finish(self) -> None:
        self._last = processor_seconds()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Generator[None, Any, Any]:
        report = yield
        now = processor_seconds()
        report.processor, self._last = now - self._last, now
        return report


class Table:
    """In the process that reports: the sums of all."""

    def __init__(self) -> None:
        self._taken: dict[str, float] = defaultdict(float)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._taken[package_of(report.nodeid)] += getattr(report, "processor", 0)

    def pytest_terminal_summary(
        self, terminalreporter: pytest.TerminalReporter, config: pytest.Config
    ) -> None:
        if config.args_source is not pytest.Config.ArgsSource.TESTPATHS or not self._taken:
            return
        turn = 0 if str(config.getoption("markexpr")).startswith("not ") else 1
        terminalreporter.section(f"{sum(self._taken.values()):.0f} s of processor, by package")
        for package, taken in sorted(self._taken.items(), key=lambda pair: -pair[1]):
            budget = BUDGETS.get(package, OTHERS)[turn]
            if taken >= _SHOWN:
                over = "  OVER" if taken > budget else ""
                terminalreporter.write_line(f"{taken:8.0f} of {budget:4d}  {package}{over}")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Clock())
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Table())
