"""What the ledger records: accounts and their caps, charges and answers, and the records read back."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction
from typing import Literal, get_args

from dpduck.kernel.accounting.composition import Cost, cost_of
from dpduck.kernel.accounting.conversion import share_of_delta
from dpduck.kernel.accounting.events import Event
from dpduck.kernel.accounting.measures import MEASURES, LossMeasure
from dpduck.kernel.catalog.model import fold
from dpduck.kernel.catalog.statements import Accounting, Window
from dpduck.kernel.errors import InternalError, ParameterError
from dpduck.kernel.ledger.fixed_point import LARGEST_INTEGER, cost_units, delta_units, epsilon_units

_NOTHING = Cost()

Scope = Literal["session", "analyst", "budget", "table", "people"]

ID_BYTES = 8
_WITH_ID = re.compile(rf"(.+)#[0-9a-f]{{{2 * ID_BYTES}}}", re.DOTALL)


def without_id(key: str) -> str:
    """The part of an account's key before its random id.

    >>> without_id("people.id#0123456789abcdef"), without_id("visits")
    ('people.id', 'visits')
    """
    found = _WITH_ID.fullmatch(key)
    return key if found is None else found[1]


@dataclass(frozen=True)
class Cap:
    """What an account may spend; None means no cap.

    `per_query`: the largest epsilon of one query. `window`: only charges of the current calendar day, week
    or month (UTC) count: a rate limit, no guarantee over time. `accounting`: how costs add up; unless it is
    pure, epsilon and delta bound what all answers together imply, and both are required. `keys_delta`: the
    part of that delta that events may spend; None: half, as in versions before 5.
    Errors: InternalError if an amount cannot be recorded exactly.
    """

    epsilon: Fraction | None = None
    delta: Fraction | None = None
    per_query: Fraction | None = None
    window: Window | None = None
    accounting: Accounting = "pure"
    keys_delta: Fraction | None = None

    def __post_init__(self) -> None:
        epsilon_units(self.epsilon)
        epsilon_units(self.per_query)
        delta_units(self.delta)
        delta_units(self.keys_delta)
        if self.measure is not None and (self.epsilon is None or not self.delta):
            raise InternalError(f"a cap under {self.accounting} needs an epsilon and a delta")

    @property
    def measure(self) -> LossMeasure | None:
        """What adds up in place of epsilon; None if epsilon does."""
        return MEASURES.get(self.accounting)

    @property
    def delta_of_events(self) -> Fraction | None:
        """The delta that events may spend; None without a cap."""
        if self.measure is None or self.delta is None:
            return self.delta
        return share_of_delta(self.delta) if self.keys_delta is None else self.keys_delta

    @property
    def delta_of_measure(self) -> Fraction | None:
        """What is left of delta: it turns rho or mu^2 into an epsilon. None if epsilons add up."""
        if self.measure is None or self.delta is None or self.delta_of_events is None:
            return None
        return max(self.delta - self.delta_of_events, Fraction(0))


@dataclass(frozen=True)
class Account:
    """One account of privacy loss, such as that of a session or of a set of privacy units.

    Input: `name`: its name for people; `default`: the cap that the account gets with its first charge if
    none was set before; `id`: its permanent identity, independent of later renames (default: its name);
    `former`: earlier identities, whose charges count too. `shared`: charges of other analysts count too, so
    what they were given back is not shown.
    Two accounts are equal if their `key` is: the id, compared without case as DuckDB compares names.
    Errors: InternalError for an unknown scope, ParameterError for a name that is not valid text.
    """

    scope: Scope
    name: str = field(compare=False)
    default: Cap | None = field(default=None, compare=False)
    id: str = field(default="", compare=False)
    former: tuple[str, ...] = field(default=(), compare=False)
    shared: bool = field(default=False, compare=False)
    key: str = field(init=False)

    def __post_init__(self) -> None:
        if self.scope not in get_args(Scope):
            raise InternalError(f"an account cannot have the scope {self.scope!r}")
        for name in (self.name, self.id):
            check_text(name, f"name of the {self.scope}")
        object.__setattr__(self, "key", fold(self.id or self.name))

    @property
    def keys(self) -> tuple[str, ...]:
        """All keys that it was ever charged under, its own first."""
        return tuple(dict.fromkeys((self.key, *map(fold, self.former))))


@dataclass(frozen=True)
class Charge:
    """The charge of one query, the same for all of its accounts.

    Input: the cost of `event` is that of one evaluation, of which there are `evaluations`. `of_summary`: it
        pays for a summary, or asks one, where each question of a session is on record.
    Errors: InternalError unless it is exact, positive in evaluations and names each account once;
    ParameterError for text that cannot be stored.
    """

    event: Event
    session: str
    query: str
    accounts: tuple[Account, ...]
    analyst: str | None = None
    evaluations: int = 1
    of_summary: bool = False

    def __post_init__(self) -> None:
        if not 1 <= self.evaluations <= LARGEST_INTEGER:
            raise InternalError(f"a charge cannot have {self.evaluations} evaluations")
        # A charge without an account would be counted nowhere.
        if not self.accounts or len(set(self.accounts)) != len(self.accounts):
            raise InternalError("a charge must name at least one account, and each of them once")
        cost_units(cost_of(self.event))
        for text, name in ((self.session, "session"), (self.query, "query"), (self.analyst, "analyst")):
            if text is not None:
                check_text(text, name)

    @property
    def mechanism(self) -> str:
        """The name of the mechanism for people."""
        return "summary" if self.of_summary else self.event.mechanism

    @property
    def cost(self) -> Cost:
        """The cost of all evaluations together."""
        return cost_of(self.event) * self.evaluations


@dataclass(frozen=True)
class StoredRelease:
    """A release as it is stored for replay. All of it is public, since it was released.

    `subject` and `version`: the tables asked about, and the state of their data; `description`: what was
    released; `rows`: the release itself. Only `replay` interprets the last two.
    """

    subject: str
    version: str
    description: str
    rows: str

    @property
    def size(self) -> int:
        """Its bytes."""
        return sum(len(text.encode()) for text in (self.subject, self.version, self.description, self.rows))


@dataclass(frozen=True)
class KeptAnswer:
    """A stored answer's entry in the ledger: the charge that paid for it, and when."""

    seq: int
    at: datetime
    epsilon: Fraction
    delta: Fraction
    description: str


@dataclass(frozen=True)
class NewAnswers:
    """The answers that were stored after an entry: subject, version and answer of each, in order.

    `upto`: the number of the last entry that was looked at; `answers`: None if there are too many to tell.
    """

    upto: int
    answers: tuple[tuple[str, str, KeptAnswer], ...] | None


@dataclass(frozen=True)
class BudgetStatus:
    """What an account may spend and has spent; with a window, within its current `period`.

    `key`: as of `Account`. `withheld`: the part of `spent` that was given back but is not shown, since the
    account is shared: it counts as spent wherever numbers are shown, but not when a charge is admitted.
    """

    scope: Scope
    name: str
    cap: Cap
    spent: Cost
    period: str = ""
    key: str = ""
    withheld: Cost = _NOTHING

    @property
    def epsilon_limit(self) -> Fraction | None:
        """The cap; None if there is none."""
        return self.cap.epsilon

    @property
    def epsilon_spent(self) -> Fraction:
        """The sum of the charges, or the epsilon that their rho or mu^2 implies, rounded up."""
        measure = self.cap.measure
        if measure is not None and self.delta_to_convert:
            return measure.epsilon_at(measure.of(self.spent), self.delta_to_convert)
        return self.spent.epsilon

    @property
    def delta_to_convert(self) -> Fraction:
        """The delta at which rho or mu^2 implies an epsilon: `Cap.delta_of_measure`, as long as it is there.

        It is less only where events spent more than their part before the owner made that smaller.
        """
        left = self.cap.delta_of_measure
        if left is None or self.cap.delta is None:
            return Fraction(0)
        return max(min(left, self.cap.delta - self.spent.keys_delta), Fraction(0))

    @property
    def epsilon_remaining(self) -> Fraction | None:
        """What may still be spent: never negative, None without a cap."""
        return _remaining(self.epsilon_limit, self.epsilon_spent)

    @property
    def delta_limit(self) -> Fraction | None:
        """The cap; None if there is none."""
        return self.cap.delta

    @property
    def delta_spent(self) -> Fraction:
        """The sum of the charges, or of what keys took and what converting rho or mu^2 into epsilon takes."""
        if self.cap.measure is None:
            return self.spent.delta
        return self.spent.keys_delta + (self.delta_to_convert if self.spent.rho else 0)

    @property
    def delta_remaining(self) -> Fraction | None:
        """What may still be spent: never negative, None without a cap."""
        return _remaining(self.delta_limit, self.delta_spent)


@dataclass(frozen=True)
class Entry:
    """One recorded charge; costs are those of all evaluations together, less what was given back.

    `replayed`: it was for an earlier answer. `event`: what one evaluation was charged for, as JSON; None for
    a replay, and for charges of older versions.
    """

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
    rho: Fraction = Fraction(0)
    mu_squared: Fraction = Fraction(0)
    keys_delta: Fraction = Fraction(0)
    accounts: tuple[tuple[Scope, str], ...] = ()
    event: str | None = None

    @property
    def cost(self) -> Cost:
        """The cost in all accounts."""
        return Cost(self.epsilon, self.delta, self.rho, self.mu_squared, self.keys_delta)


def check_text(text: str, name: str) -> None:
    """Check that a text can be stored unchanged. Errors: ParameterError."""
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise ParameterError(
            f"{name} is not valid Unicode",
            detail="It contains half of a surrogate pair, which no ledger can store.",
            hint="Read the text as UTF-8.",
        )


def _remaining(limit: Fraction | None, spent: Fraction) -> Fraction | None:
    return None if limit is None else max(limit - spent, Fraction(0))
