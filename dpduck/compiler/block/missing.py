"""One error that lists all that a policy lacks for a query, in the order of the query."""

from __future__ import annotations

from collections.abc import Sequence

from dpduck.kernel.errors import DpduckError
from dpduck.kernel.errors.advice import Action, Hint


def together(errors: Sequence[DpduckError]) -> DpduckError:
    """Return one error for several things that are missing, each with its hint.

    Input: at least one error; of equal ones the first counts.
    """
    different = list({error.message: error for error in errors}.values())
    first, *others = different
    if not others:
        return first
    details = list(dict.fromkeys(error.reason for error in different if error.reason))
    said = (one for one in details if not any(_says(other, one) for other in details))
    parts: list[str | Action | Hint] = [first.advice or ""]
    for error in others:
        parts += [" Also: ", error.advice or ""]
    return type(first)(
        ", and ".join(error.message for error in different),
        detail=" ".join(said),
        hint=Hint.of(*parts),
        position=first.position,
    )


def _says(longer: str, shorter: str) -> bool:
    """Whether one reason is the beginning of another."""
    return longer != shorter and longer.startswith(shorter.rstrip("."))
