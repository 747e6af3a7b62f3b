"""Sessions: charges under one name, and the ledger that records them."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

import pyarrow as pa

from dpduck.kernel.accounting.amounts import DELTA_PLACES, EPSILON_PLACES
from dpduck.kernel.accounting.events import Event
from dpduck.kernel.arrow.strings import table_of
from dpduck.kernel.errors import BudgetExceededError, PermissionDeniedError, decimal_text
from dpduck.kernel.errors.advice import Hint
from dpduck.kernel.ledger import Account, BudgetStatus, Cap, Charge, Ledger, PolicyEntry, Subject
from dpduck.kernel.ledger.summaries import PaidSummary

# The cap on what a set of privacy units may lose in total, unless the owner declares a budget.
DEFAULT_CAP = Cap(Fraction(10), Fraction(1, 10**5))

_EPSILON = pa.decimal128(38, EPSILON_PLACES)
_DELTA = pa.decimal128(38, DELTA_PLACES)

BUDGET_SCHEMA = pa.schema(
    [
        ("scope", pa.string()),
        ("name", pa.string()),
        ("epsilon_limit", _EPSILON),
        ("epsilon_spent", _EPSILON),
        ("epsilon_remaining", _EPSILON),
        ("delta_limit", _DELTA),
        ("delta_spent", _DELTA),
        ("delta_remaining", _DELTA),
    ]
)
LEDGER_SCHEMA = pa.schema(
    [
        ("seq", pa.int64()),
        ("at", pa.timestamp("us")),  # UTC
        ("session", pa.string()),
        ("analyst", pa.string()),
        ("epsilon", _EPSILON),
        ("delta", _DELTA),
        ("mechanism", pa.string()),
        ("query", pa.string()),
        ("evaluations", pa.int64()),
        ("replayed", pa.bool_()),
    ]
)


POLICY_SCHEMA = pa.schema(
    [
        ("seq", pa.int64()),
        ("at", pa.timestamp("us")),  # UTC
        ("who", pa.string()),
        ("statement", pa.string()),
        ("digest", pa.string()),
    ]
)


_SQL_TYPES = {"string": "VARCHAR", "int64": "BIGINT", "bool": "BOOLEAN", "timestamp[us]": "TIMESTAMP"}


def sql_columns(schema: pa.Schema) -> list[tuple[str, str]]:
    """Names and DuckDB types of a report's columns."""
    return [(field.name, _sql_type(field.type)) for field in schema]


def _sql_type(kind: pa.DataType) -> str:
    return f"DECIMAL({kind.precision},{kind.scale})" if pa.types.is_decimal(kind) else _SQL_TYPES[str(kind)]


def new_session_name() -> str:
    """A random name for an unnamed session."""
    return f"session-{secrets.token_hex(4)}"


def unit_account(table: str, unit: str, ids: Sequence[str] = ()) -> Account:
    """The account of the privacy units of a table's key, with the default lifetime cap.

    Input: the present names of the table and its key; the account's id, followed by its former ids.
    """
    return Account("people", f"{table}.{unit}", DEFAULT_CAP, next(iter(ids), ""), tuple(ids[1:]))


@dataclass(frozen=True)
class Session:
    """One session of an analyst (None: the data owner) on a ledger.

    `oversees`: it sees what everybody was charged, as the owner does; `asks`: it may be given answers.
    """

    ledger: Ledger
    name: str
    analyst: str | None = None
    oversees: bool = False
    asks: bool = True

    @property
    def account(self) -> Account:
        """The account of the session itself."""
        return Account("session", self.name)

    @property
    def reader(self) -> str | None:
        """Whose part of the ledger it sees; None: all of it."""
        return None if self.oversees else self.analyst

    def set_budget(self, epsilon: Fraction | None) -> None:
        """Set the session's cap. None leaves a cap that was set before as it is."""
        if epsilon is not None:
            self.ledger.set_cap(self.account, Cap(epsilon))

    def charge(
        self,
        event: Event,
        query: str,
        *,
        evaluations: int = 1,
        also: Iterable[Account] = (),
    ) -> int:
        """Charge the session and other accounts, all or none; durable on return. Output: its number."""
        self._check_asks()
        accounts = (self.account, *also)
        with self._advising():
            return self.ledger.charge(Charge(event, self.name, query, accounts, self.analyst, evaluations))

    def charge_summary(
        self,
        event: Event,
        query: str,
        also: Iterable[Account],
        subject: Subject,
        name: str,
        statement: str,
        *,
        is_new: bool,
        before: int | None,
    ) -> PaidSummary:
        """Charge for a summary. Output and errors: as `Ledger.charge_summary`."""
        self._check_asks()
        charge = Charge(event, self.name, query, (self.account, *also), self.analyst, of_summary=True)
        with self._advising():
            return self.ledger.charge_summary(charge, subject, name, statement, is_new=is_new, before=before)

    def replay(
        self,
        event: Event,
        query: str,
        seq: int,
        also: Iterable[Account] = (),
        *,
        of_summary: bool = False,
        free: bool = False,
    ) -> Fraction | None:
        """Replay the answer of charge number `seq`, or ask the summary that it paid for.

        Input: `free`: only if nothing is charged. Output: as `Ledger.replay`, mostly 0.
        """
        self._check_asks()
        accounts = (self.account, *also)
        charge = Charge(event, self.name, query, accounts, self.analyst, of_summary=of_summary)
        if free and not self.ledger.is_paid(charge, seq):
            return None
        with self._advising():
            return self.ledger.replay(charge, seq)

    def price_of_replay(self, event: Event, seq: int, also: Iterable[Account]) -> Fraction | None:
        """The epsilon that `replay` would charge a budget FOR somebody now, mostly 0.

        Input: what a fresh answer costs; the earlier charge. Output: None if it would not be given again.
        """
        charge = Charge(event, self.name, "", (self.account, *also), self.analyst)
        return self.ledger.price_of_replay(charge, seq)

    def is_replayed(self, event: Event, query: str, seq: int, also: Iterable[Account]) -> bool:
        """Whether that answer may be replayed without a new entry; see `Ledger.is_replayed`."""
        self._check_asks()
        charge = Charge(event, self.name, query, (self.account, *also), self.analyst)
        return self.ledger.is_replayed(charge, seq)

    @contextmanager
    def _advising(self) -> Iterator[None]:
        """Let the hint of a refusal speak to the owner, if the owner asks."""
        try:
            yield
        except BudgetExceededError as error:
            if self.analyst is None and isinstance(error.advice, Hint):
                error.advice = error.advice.for_owner()
            raise

    def _check_asks(self) -> None:
        """Errors: PermissionDeniedError for who is given no answers."""
        if not self.asks:
            raise PermissionDeniedError(
                "an auditor is given no answers",
                detail="No data was read.",
                hint="SHOW PRIVACY, FROM dp_budget() and FROM dp_ledger() show what there is to audit.",
            )

    def budgets(self, also: Iterable[Account] = ()) -> pa.Table:
        """The budget status of an analyst's own accounts, or for the owner of all."""
        rows = [
            (
                b.scope,
                b.name,
                *map(_decimal, (b.epsilon_limit, b.epsilon_spent, b.epsilon_remaining)),
                *map(_decimal, (b.delta_limit, b.delta_spent, b.delta_remaining)),
            )
            for b in self.all_budgets(also)
        ]
        return table_of(rows, BUDGET_SCHEMA)

    def all_budgets(self, also: Iterable[Account] = ()) -> list[BudgetStatus]:
        """The budget status of the session and of other accounts; for the owner, of all accounts."""
        accounts = [self.account, *also]
        if self.reader is None:
            shown = {(account.scope, key) for account in accounts for key in account.keys}
            known = [Account(b.scope, b.name, id=b.key) for b in self.ledger.budgets()]
            accounts += [account for account in known if (account.scope, account.key) not in shown]
        return self.ledger.budgets(accounts)

    def entries(self) -> pa.Table:
        """The charges: an analyst's own, or for the owner all."""
        rows = [
            (
                e.seq,
                e.at.replace(tzinfo=None),
                e.session,
                e.analyst,
                _decimal(e.epsilon),
                _decimal(e.delta),
                e.mechanism,
                e.query,
                e.evaluations,
                e.replayed,
            )
            for e in self.ledger.entries()
            if self.reader is None or e.analyst == self.reader
        ]
        return table_of(rows, LEDGER_SCHEMA)

    def policies(self, subject: Subject | None) -> pa.Table:
        """The policy entries of a database (None: of all) that the analyst may see."""
        return policy_table(self.ledger.policies(subject), self.reader)


def policy_table(entries: Iterable[PolicyEntry], analyst: str | None) -> pa.Table:
    """One row for each policy entry that an analyst may see (None: the owner, who sees all).

    For the owner `seq` is the entry's number in the ledger; analysts get an index of their own, since the
    number would reveal how much others ask.
    """
    shown = [entry for entry in entries if entry.may_be_shown_to(analyst)]
    rows = [
        (e.number if analyst is None else place, e.at.replace(tzinfo=None), e.who, e.statement, e.digest)
        for place, e in enumerate(shown, start=1)
    ]
    return table_of(rows, POLICY_SCHEMA)


def _decimal(amount: Fraction | None) -> Decimal | None:
    return None if amount is None else Decimal(decimal_text(amount))
