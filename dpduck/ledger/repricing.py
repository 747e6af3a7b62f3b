"""What an entry must have charged or given back, by the event that it records: its price computed again."""

from __future__ import annotations

from collections import Counter

from dpduck.accounting.composition import Cost, cost_of
from dpduck.accounting.event_records import read_event
from dpduck.accounting.events import Composed, Event
from dpduck.errors import InternalError
from dpduck.ledger.chain import ChainEntry
from dpduck.ledger.fixed_point import cost_amount

_NO_EVENT = "records no event"
_NOT_READABLE = "records an event that is not readable"


def given_back(charged: Cost, used: Event) -> Cost:
    """What comes back of a charge where less was used; negative if more was.

    Sums of epsilon may go by what a release itself shows; those of rho may not (see accounting).
    """
    less = (charged - cost_of(used)).rounded_down()
    return Cost(less.epsilon, less.delta)


def find_in_charge(link: ChainEntry) -> str | None:
    """What is wrong with the price of a charge, or None."""
    if link.event is None:
        return _NO_EVENT
    try:
        price = cost_of(read_event(link.event)) * link.evaluations
    except (ValueError, InternalError):
        return _NOT_READABLE
    return None if _amounts(link) == price else "charges another amount than its event costs"


def find_in_settlement(link: ChainEntry, charge: ChainEntry) -> str | None:
    """What is wrong with what is given back of a charge, or None."""
    if link.event is None:
        return None if _amounts(link) == Cost() else _NO_EVENT
    try:
        used = read_event(link.event)
        back = given_back(_amounts(charge), used)
        charged = None if charge.event is None else _parts(read_event(charge.event), charge.evaluations)
    except (ValueError, InternalError):
        return _NOT_READABLE
    if _amounts(link) != back:
        return "gives back another amount than its event leaves"
    if charged is not None and not _parts(used) <= charged:
        return "records mechanisms that were not charged"
    return None


def _parts(event: Event, times: int = 1) -> Counter[type[Event]]:
    """How many mechanisms of which class an event is made of."""
    if not isinstance(event, Composed):
        return Counter({type(event): times})
    return sum((_parts(part, times) for part in event.parts), Counter())


def find_in_replay(link: ChainEntry, charge: ChainEntry | None, settled: ChainEntry | None) -> str | None:
    """What is wrong with the price of an answer that was given again, or None.

    Input: the charge of the answer, and how it was settled; None if there is no such entry before it.
    """
    if charge is None or charge.about is not None:
        return "repeats no answer"
    price = _amounts(charge) - (Cost() if settled is None else _amounts(settled))
    free = link.accounts == "[]"
    return None if _amounts(link) == (Cost() if free else price) else "charges another amount than its answer"


def _amounts(link: ChainEntry) -> Cost:
    return cost_amount(link.epsilon, link.delta, link.rho)
