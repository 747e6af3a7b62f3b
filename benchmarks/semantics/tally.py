"""What became of the comparisons."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from benchmarks.semantics.known import Difference, known


@dataclass
class Tally:
    """What became of the comparisons, by place and outcome; what differs."""

    outcomes: Counter[tuple[str, str]] = field(default_factory=Counter)
    shapes: Counter[str] = field(default_factory=Counter)
    entries: Counter[str] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)
    differences: list[Difference] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Add what another has counted."""
        for name in ("outcomes", "shapes", "entries", "refusals"):
            getattr(self, name).update(getattr(other, name))
        self.differences += other.differences

    def total(self, outcome: str) -> int:
        """How many comparisons had this outcome, at all places."""
        return sum(count for (_, name), count in self.outcomes.items() if name == outcome)

    def differ(self, difference: Difference) -> None:
        """Note a difference, whether or not it is written down."""
        self.outcomes[difference.place, "different"] += 1
        self.outcomes[difference.place, "written down"] += known(difference) is not None
        self.differences.append(difference)

    def refuse(self, place: str, reason: str) -> None:
        """Note that an expression is refused."""
        self.outcomes[place, "refused"] += 1
        self.refusals[reason] += 1
