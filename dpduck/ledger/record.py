"""What the ledger records: accounts, charges, and how they are read back. Frozen and exact."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction
from numbers import Rational
from typing import Literal, get_args

from dpduck.errors import InternalError, ParameterError
from dpduck.events import Event
from dpduck.quantities import DELTA_PLACES, EPSILON_PLACES

Scope = Literal["session", "analyst", "budget", "table", "people"]

LARGEST_INTEGER = 2**63 - 1
EPSILON_LARGEST = Fraction(LARGEST_INTEGER, 10**EPSILON_PLACES)
DELTA_LARGEST = Fraction(LARGEST_INTEGER, 10**DELTA_PLACES)


@dataclass(frozen=True)
class Account:
    """One thing whose privacy loss is counted, such as a session or a set of people.

    Input: `default_epsilon` and `default_delta` are the caps that the account gets with its first
    charge if nobody has set a cap until then. They are no part of its identity.
    Errors: InternalError for an unknown scope or a wrong default, ParameterError for a name that is
    not text.
    """

    scope: Scope
    name: str
    default_epsilon: Fraction | None = field(default=None, compare=False)
    default_delta: Fraction | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if self.scope not in get_args(Scope):
            raise InternalError(f"an account cannot have the scope {self.scope!r}")
        check_text(self.name, f"name of the {self.scope}")
        epsilon_units(self.default_epsilon)
        delta_units(self.default_delta)


@dataclass(frozen=True)
class Charge:
    """What one query is charged, all of its accounts alike.

    Input: the costs of `event` are those of one evaluation, of which there are `evaluations`.
    Errors: InternalError unless it is exact, positive in evaluations and names each account once;
    ParameterError for text that cannot be stored.
    """

    event: Event
    session: str
    query: str
    accounts: tuple[Account, ...]
    analyst: str | None = None
    evaluations: int = 1

    def __post_init__(self) -> None:
        if not 1 <= self.evaluations <= LARGEST_INTEGER:
            raise InternalError(f"a charge cannot have {self.evaluations} evaluations")
        # A charge without an account would be counted nowhere.
        if not self.accounts or len(set(self.accounts)) != len(self.accounts):
            raise InternalError("a charge must name at least one account, and each of them once")
        epsilon_units(self.event.epsilon)
        delta_units(self.event.delta)
        for text, name in ((self.session, "session"), (self.query, "query"), (self.analyst, "analyst")):
            if text is not None:
                check_text(text, name)

    @property
    def epsilon(self) -> Fraction:
        """The cost of all evaluations together."""
        return self.event.epsilon * self.evaluations

    @property
    def delta(self) -> Fraction:
        """The cost of all evaluations together."""
        return self.event.delta * self.evaluations


@dataclass(frozen=True)
class Budget:
    """What an account may spend and has spent. A limit of None means that it is not capped."""

    scope: Scope
    name: str
    epsilon_limit: Fraction | None
    epsilon_spent: Fraction
    delta_limit: Fraction | None
    delta_spent: Fraction

    @property
    def epsilon_remaining(self) -> Fraction | None:
        """What may still be spent: never negative, None when it is not capped."""
        return _remaining(self.epsilon_limit, self.epsilon_spent)

    @property
    def delta_remaining(self) -> Fraction | None:
        """What may still be spent: never negative, None when it is not capped."""
        return _remaining(self.delta_limit, self.delta_spent)


@dataclass(frozen=True)
class Entry:
    """One charge as it was recorded; epsilon and delta are those of all evaluations together."""

    seq: int
    at: datetime
    session: str
    analyst: str | None
    epsilon: Fraction
    delta: Fraction
    mechanism: str
    query: str
    evaluations: int
    replayed: bool = False


def epsilon_units(epsilon: Fraction | None) -> int | None:
    """Write epsilon as the integer that is stored. Errors: InternalError if that would round.

    >>> epsilon_units(Fraction(1, 10))
    100000000
    """
    return None if epsilon is None else _units(epsilon, EPSILON_PLACES, "epsilon")


def delta_units(delta: Fraction | None) -> int | None:
    """Write delta as the integer that is stored. Errors: InternalError if that would round."""
    return None if delta is None else _units(delta, DELTA_PLACES, "delta")


def epsilon_amount(units: int) -> Fraction:
    """Read a stored epsilon."""
    return Fraction(units, 10**EPSILON_PLACES)


def delta_amount(units: int) -> Fraction:
    """Read a stored delta."""
    return Fraction(units, 10**DELTA_PLACES)


def check_text(text: str, name: str) -> None:
    """Check that text can be stored as it is. Errors: ParameterError."""
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise ParameterError(
            f"{name} is not valid Unicode",
            detail="It contains half of a surrogate pair, which no ledger can store.",
            hint="Read the text as UTF-8.",
        )


def _units(amount: Fraction, places: int, name: str) -> int:
    if isinstance(amount, Rational):
        scaled: Fraction = Fraction(amount) * 10**places
        if scaled.denominator == 1 and 0 <= scaled <= LARGEST_INTEGER:
            return scaled.numerator
    raise InternalError(f"{name} {amount} cannot be recorded exactly")


def _remaining(limit: Fraction | None, spent: Fraction) -> Fraction | None:
    return None if limit is None else max(limit - spent, Fraction(0))
