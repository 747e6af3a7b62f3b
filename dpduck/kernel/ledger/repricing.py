"""Check the cost of an entry against its recorded event, and a summary's parts, by computing it again."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from fractions import Fraction

from dpduck.kernel.accounting.composition import Cost, cost_of
from dpduck.kernel.accounting.event_records import read_event
from dpduck.kernel.accounting.events import Composed, Event, GaussianNoise
from dpduck.kernel.accounting.gdp import mu_squared_of
from dpduck.kernel.errors import InternalError
from dpduck.kernel.ledger.chain import ChainEntry
from dpduck.kernel.ledger.fixed_point import charge_amount, cost_amount

_SUMMARY_FORMAT = 1
_NO_EVENT = "records no event"
_NOT_READABLE = "records an event that is not readable"


def given_back(charged: Cost, used: Event) -> Cost:
    """What is given back of a charge when less was used; negative if more was used.

    Sums of epsilon may count only what a release shows as used; those of rho and mu^2, and of the delta
    beside them, may not (see `composition`).
    """
    less = (charged - cost_of(used)).rounded_down()
    return Cost(less.epsilon, less.delta)


def find_in_charge(link: ChainEntry) -> str | None:
    """The fault of a charge's cost, or None."""
    if link.event is None:
        return _NO_EVENT
    try:
        price = cost_of(read_event(link.event)) * link.evaluations
    except (ValueError, InternalError):
        return _NOT_READABLE
    if link.mu_squared is None:
        price = replace(price, mu_squared=mu_squared_of(price.epsilon), keys_delta=price.delta)
    return None if amounts_of(link) == price else "charges another amount than its event costs"


def find_in_settlement(link: ChainEntry, charge: ChainEntry) -> str | None:
    """The fault of what a settlement gives back, or None."""
    if link.event is None:
        return None if amounts_of(link) == Cost() else _NO_EVENT
    try:
        used = read_event(link.event)
        back = given_back(amounts_of(charge), used)
        charged = None if charge.event is None else _parts(read_event(charge.event), charge.evaluations)
    except (ValueError, InternalError):
        return _NOT_READABLE
    if amounts_of(link) != back:
        return "gives back another amount than its event leaves"
    if charged is not None and not _parts(used) <= charged:
        return "records mechanisms that were not charged"
    return None


def _parts(event: Event, times: int = 1) -> Counter[type[Event]]:
    """The number of mechanisms of each class in an event."""
    if not isinstance(event, Composed):
        return Counter({type(event): times})
    return sum((_parts(part, times) for part in event.parts), Counter())


def find_in_replay(link: ChainEntry, charge: ChainEntry | None, settled: ChainEntry | None) -> str | None:
    """The fault of a replay's cost, or None.

    Input: the charge of the original answer and its settlement; None if no earlier entry is one.
    """
    if charge is None or charge.about is not None:
        return "repeats no answer"
    price = amounts_of(charge) - (Cost() if settled is None else amounts_of(settled))
    free = link.accounts == "[]"
    return (
        None if amounts_of(link) == (Cost() if free else price) else "charges another amount than its answer"
    )


def find_in_summary(description: str, charge: ChainEntry) -> str | None:
    """The fault of a summary whose parts do not add up to its charge, or None.

    Input: its description as JSON, of which a later format is not read.
    """
    try:
        parts = json.loads(description)
        if parts["format"] != _SUMMARY_FORMAT:
            return None
        event = read_event(charge.event or "")
        shares = [share for kept in (parts, *parts.get("measures", ())) for _, share in kept["shares"]]
        whole = sum(map(Fraction, shares), Fraction(0))
        if parts["noise"] == "gaussian":
            priced = GaussianNoise(Fraction(parts["epsilon"]), Fraction(parts["delta"]), whole)
            is_charged = event == priced
        else:
            is_charged = event.epsilon == whole and not event.delta
    except (ValueError, KeyError, TypeError, ZeroDivisionError):
        return "is not readable"
    return None if is_charged else "has other parts than were charged"


def amounts_of(link: ChainEntry) -> Cost:
    """The cost that an entry of any version has on record."""
    amounts = (link.epsilon, link.delta, link.rho)
    if link.kind == "charge":
        return charge_amount(*amounts, link.mu_squared, link.keys_delta)
    return cost_amount(*amounts, link.mu_squared or 0, link.keys_delta or 0)
