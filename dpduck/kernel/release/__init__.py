"""Below the data line: scores in, released columns out. Each part of a plan has one mechanism.

The selection decides which groups are shown; every measure then gives each of them a number. A group
without scores counts as 0, so that the answer does not show whether it has rows.
"""

from __future__ import annotations

from dpduck.kernel.engine import ScoreReader
from dpduck.kernel.noise import Entropy
from dpduck.kernel.plan.keys import key_column
from dpduck.kernel.plan.model import Plan
from dpduck.kernel.plan.prices import gaussian_event
from dpduck.kernel.release.measures import measure_groups
from dpduck.kernel.release.release import Release
from dpduck.kernel.release.selections import select

__all__ = ["Release", "release"]


def release(plan: Plan, reader: ScoreReader, entropy: Entropy) -> Release:
    """Run the plan's mechanisms on the scores that the reader returns for its score SQL."""
    made = Release()
    groups = select(plan, reader, entropy, made)
    for number, _ in enumerate(plan.keys):
        made.columns[key_column(number)] = groups.columns[number]
    for measure in plan.measures:
        measure_groups(measure, plan, groups, reader, entropy, made)
    together = gaussian_event(plan)
    if together is not None:
        made.add(together)
    return made
