"""What is said of the room for kept numbers: what would be kept, what is left, and what found none.

An analyst is told how much of their own part is left, and of the whole ledger only whether it is full: how
much others keep follows from answers that are theirs.
"""

from __future__ import annotations

from dpduck.kernel.accounting.amounts import size_text
from dpduck.kernel.errors import BudgetExceededError
from dpduck.kernel.errors.notices import Notice, Rank
from dpduck.kernel.ledger.room import RoomLeft
from dpduck.kernel.plan.compound import CompoundPlan
from dpduck.kernel.plan.model import KeysAbove, LargestKeys, Plan

MOST_KEPT = 8_000_000  # characters: about 100,000 groups; longer answers are not stored
_CELL = 24  # characters of a released value, with what is around it: a number of 64 bits has at most 20
_TOLD = 1_000_000  # bytes from which on EXPLAIN says what an answer takes


def most_kept(plan: Plan | CompoundPlan) -> int | None:
    """About how many bytes the answer of a plan takes at most; None if no public fact bounds its groups."""
    sizes = [_most_groups(block) for block in plan.blocks]
    if None in sizes:
        return None
    return sum(
        _CELL * size * len(block.columns) for size, block in zip(sizes, plan.blocks, strict=True) if size
    )


def _most_groups(block: Plan) -> int | None:
    return block.selection.k if isinstance(block.selection, LargestKeys | KeysAbove) else block.space.size


def answer_lines(plan: Plan | CompoundPlan, left: RoomLeft) -> list[str]:
    """Lines of EXPLAIN about what is kept of an answer, where that matters."""
    size = most_kept(plan)
    if not left.own or not left.total:
        return [f"  keeps     nothing, since {_full(left)}: asked again, it is charged again"]
    if size is None or (size < _TOLD and left.takes(size)):
        return []
    if size > MOST_KEPT:
        most = size_text(MOST_KEPT)
        return [f"  keeps     an answer of up to {most}: a larger one, asked again, is charged again"]
    more = "" if left.takes(size) else ": if it takes more, it is charged again when it is asked again"
    return [f"  keeps     about {size_text(size)} of the ledger, {_left(left, size)}{more}"]


def unkept(size: int | None) -> Notice:
    """What to say of an answer that was not kept. Input: its bytes; None if it is longer than any that is."""
    why = (
        f"it is longer than {size_text(MOST_KEPT)}"
        if size is None
        else f"there is no room for its {size_text(size)}"
    )
    more = "" if size is None else " (the owner gives more with ledger-room)"
    unkept = "This answer is not kept in the ledger"
    return Notice(
        Rank.UNCERTAIN,
        f"{unkept}: asked again, it is charged again.",
        f"{unkept}, since {why}{more}: asked again, it is charged again.",
    )


def summary_line(size: int, left: RoomLeft) -> str:
    """The line of EXPLAIN about what a summary takes."""
    more = "" if left.takes(size) else ", so that it is refused"
    return f"  keeps     at most {size_text(size)} of the ledger, {_left(left, size)}{more}"


def no_room(name: str, size: int, left: RoomLeft, *, is_owner: bool) -> BudgetExceededError:
    """The error for a summary that may not find room. Nothing was charged."""
    more = "set a larger ledger-room" if is_owner else "ask the data owner for more (ledger-room)"
    return BudgetExceededError(
        f"the ledger has no room for summary {name}",
        detail=f"It takes at most {size_text(size)}, {_left(left, size)}. No data was read.",
        hint=f"Name fewer columns or wider bands, DROP PRIVACY SUMMARY of another, or {more}.",
    )


def _left(left: RoomLeft, size: int) -> str:
    if left.own >= size > left.total:
        return "which is full"
    return f"where {size_text(left.own)} are left for whoever asks"


def _full(left: RoomLeft) -> str:
    return "the ledger is full" if left.own else "there is no room left for whoever asks"
