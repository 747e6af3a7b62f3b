"""The checker: how far one unit moves each score, computed from the score tree and the catalog alone.

It believes nothing of what made the tree. What it does not understand is unbounded.
"""

from dpduck.kernel.check.scores import Score, check, check_together

__all__ = ["Score", "check", "check_together"]
