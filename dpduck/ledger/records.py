"""What the ledger records: accounts and their caps, charges, answers, and how they are read back."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction
from typing import Literal, get_args

from dpduck.accounting.composition import Cost, cost_of, epsilon_at, share_of_delta
from dpduck.accounting.events import Event
from dpduck.catalog.model import fold
from dpduck.catalog.statements import Accounting, Window
from dpduck.errors import InternalError, ParameterError
from dpduck.ledger.fixed_point import LARGEST_INTEGER, cost_units, delta_units, epsilon_units

_NOTHING = Cost()

Scope = Literal["session", "analyst", "budget", "table", "people"]

ID_BYTES = 8
_WITH_ID = re.compile(rf"(.+)#[0-9a-f]{{{2 * ID_BYTES}}}", re.DOTALL)


def without_id(key: str) -> str:
    """What stands before the id in the key of an account.

    >>> without_id("people.id#0123456789abcdef"), without_id("visits")
    ('people.id', 'visits')
    """
    found = _WITH_ID.fullmatch(key)
    return key if found is None else found[1]


@dataclass(frozen=True)
class Cap:
    """What an account may spend. None is no cap.

    `per_query`: the most epsilon of one query. `window`: what was spent in an earlier calendar day, week
    or month (UTC) does not count: a rate limit, no guarantee over time. `accounting`: how costs add up;
    under zcdp, epsilon and delta are what all answers together may imply, and both must be given.
    Errors: InternalError if an amount cannot be recorded exactly.
    """

    epsilon: Fraction | None = None
    delta: Fraction | None = None
    per_query: Fraction | None = None
    window: Window | None = None
    accounting: Accounting = "pure"

    def __post_init__(self) -> None:
        epsilon_units(self.epsilon)
        epsilon_units(self.per_query)
        delta_units(self.delta)
        if self.accounting == "zcdp" and (self.epsilon is None or not self.delta):
            raise InternalError("a cap under zcdp needs an epsilon and a delta")


@dataclass(frozen=True)
class Account:
    """One thing whose privacy loss is counted, such as a session or a set of people.

    Input: `name`: what people call it; `default`: the cap that the account gets with its first charge if
    nobody has set one until then; `id`: what it is charged under, whatever it is called by now (default: its
    name); `former`: what else it was charged under. What was spent under any of these is spent.
    `shared`: others than who asks are charged to it too, and what came back to them is not told.
    Two accounts are one if their `key` is: the id, with letters compared as DuckDB compares names.
    Errors: InternalError for an unknown scope, ParameterError for a name that is not text.
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
        """All that it was ever charged under, its own key first."""
        return tuple(dict.fromkeys((self.key, *map(fold, self.former))))


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
        cost_units(cost_of(self.event))
        for text, name in ((self.session, "session"), (self.query, "query"), (self.analyst, "analyst")):
            if text is not None:
                check_text(text, name)

    @property
    def cost(self) -> Cost:
        """The cost of all evaluations together."""
        return cost_of(self.event) * self.evaluations


@dataclass(frozen=True)
class StoredRelease:
    """A release, kept so that it can be given again. All of it is public: it has left already.

    `subject` and `version`: what was asked about, and which state of the data; `description`: what was
    released; `rows`: the release itself. The last two are text that only `replay` reads.
    """

    subject: str
    version: str
    description: str
    rows: str


@dataclass(frozen=True)
class KeptAnswer:
    """An answer as it is found again: the charge that paid for it, and when it was made."""

    seq: int
    at: datetime
    epsilon: Fraction
    delta: Fraction
    description: str


@dataclass(frozen=True)
class BudgetStatus:
    """What an account may spend and has spent; with a window, within its current `period`.

    `key`: as of `Account`.
    `withheld`: of what it `spent`, what came back and is not told, since the account is shared. It counts as
    spent in all that is shown, and not where a charge is admitted.
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
        """The cap; None when there is none."""
        return self.cap.epsilon

    @property
    def epsilon_spent(self) -> Fraction:
        """The sum of the charges; under zcdp, the epsilon that their rho implies, rounded up."""
        if self.cap.accounting == "zcdp" and self.cap.delta is not None:
            return epsilon_at(self.spent.rho, share_of_delta(self.cap.delta))
        return self.spent.epsilon

    @property
    def epsilon_remaining(self) -> Fraction | None:
        """What may still be spent: never negative, None when it is not capped."""
        return _remaining(self.epsilon_limit, self.epsilon_spent)

    @property
    def delta_limit(self) -> Fraction | None:
        """The cap; None when there is none."""
        return self.cap.delta

    @property
    def delta_spent(self) -> Fraction:
        """The sum of the charges; under zcdp, with the half that turning rho into epsilon takes."""
        if self.cap.accounting == "zcdp" and self.cap.delta is not None and self.spent.rho:
            return self.spent.delta + share_of_delta(self.cap.delta)
        return self.spent.delta

    @property
    def delta_remaining(self) -> Fraction | None:
        """What may still be spent: never negative, None when it is not capped."""
        return _remaining(self.delta_limit, self.delta_spent)


@dataclass(frozen=True)
class Entry:
    """One charge as it was recorded; costs are those of all evaluations together, less what came back.

    `replayed`: it paid for an answer that had been made before.
    `event`: what one evaluation was charged for, as JSON; None of a replay, and of charges of older versions.
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
    accounts: tuple[tuple[Scope, str], ...] = ()
    event: str | None = None


def check_text(text: str, name: str) -> None:
    """Check that text can be stored as it is. Errors: ParameterError."""
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise ParameterError(
            f"{name} is not valid Unicode",
            detail="It contains half of a surrogate pair, which no ledger can store.",
            hint="Read the text as UTF-8.",
        )


def _remaining(limit: Fraction | None, spent: Fraction) -> Fraction | None:
    return None if limit is None else max(limit - spent, Fraction(0))
