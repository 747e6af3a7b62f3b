"""Below the data line: scores in, released columns out. Each part of a plan has one mechanism.

The selection says which groups there are; every measure then gives each of them a number. A group
without scores counts as 0, so that nothing shows whether it has rows.
"""

from __future__ import annotations

from dpduck.noise import Entropy
from dpduck.query.plan import Plan
from dpduck.query.question import key_column
from dpduck.release.made import Read, Release
from dpduck.release.measures import measure_groups
from dpduck.release.selections import select

__all__ = ["Read", "Release", "release"]


def release(plan: Plan, read: Read, entropy: Entropy) -> Release:
    """Run the plan's mechanisms on the scores that `read` returns for its score SQL."""
    made = Release()
    groups = select(plan, read, entropy, made)
    for number, _ in enumerate(plan.keys):
        made.columns[key_column(number)] = [group[number] for group in groups]
    for measure in plan.measures:
        measure_groups(measure, plan, groups, read, entropy, made)
    return made
