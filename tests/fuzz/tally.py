"""What became of the texts of a fuzzer: counts by feature, failures with their texts, the slowest ones."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

MAX_EXAMPLES = 3  # texts kept of each fault: the shortest

_DETAILS = re.compile(r"\"[^\"]*\"|'[^']*'|[0-9]+|\n.*", re.DOTALL)


@dataclass(frozen=True)
class Failure:
    """A text that did what no text may do. `seed`: of the chunk of a run in which it did."""

    reason: str
    text: str
    seed: str = ""

    @property
    def fault(self) -> str:
        """The reason without names and numbers, which is the same for the same fault."""
        return _DETAILS.sub("*", self.reason)


@dataclass
class Tally:
    """Adds up over the texts of a run. `features`: the outcomes of those with each feature."""

    outcomes: Counter[str] = field(default_factory=Counter)
    features: dict[str, Counter[str]] = field(default_factory=dict)
    refusals: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    failures: list[Failure] = field(default_factory=list)
    slowest: float = 0.0

    def count(self, outcome: str, features: Iterable[str] = ()) -> None:
        """Note what became of a text."""
        self.outcomes[outcome] += 1
        for feature in features:
            self.features.setdefault(feature, Counter())[outcome] += 1

    def fail(self, reason: str, text: str) -> None:
        """Note a failure."""
        failure = Failure(reason, text)
        self.outcomes["failed"] += 1
        self.faults[failure.fault] += 1
        self._keep([failure])

    def _keep(self, more: Iterable[Failure]) -> None:
        """A few examples of each fault."""
        kept: Counter[str] = Counter()
        found = sorted([*self.failures, *more], key=lambda failure: len(failure.text))
        self.failures = []
        for failure in found:
            kept[failure.fault] += 1
            if kept[failure.fault] <= MAX_EXAMPLES:
                self.failures.append(failure)

    def took(self, seconds: float) -> None:
        """Note how long a text took."""
        self.slowest = max(self.slowest, seconds)

    def add(self, other: Tally) -> None:
        """Add what another part of the run found."""
        self.outcomes += other.outcomes
        self.refusals += other.refusals
        for feature, counts in other.features.items():
            self.features.setdefault(feature, Counter()).update(counts)
        self.faults += other.faults
        self._keep(other.failures)
        self.slowest = max(self.slowest, other.slowest)

    @property
    def total(self) -> int:
        """How many texts there were."""
        return sum(self.outcomes.values())
