"""What every store of the ledger promises."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from fractions import Fraction
from types import TracebackType
from typing import Self

from dpduck.ledger.record import Account, Budget, Charge, Entry


class Ledger(ABC):
    """A durable record of charges, safe to use from many threads and many processes at once.

    Every method raises LedgerError if the store cannot be reached, read or written; then nothing
    was charged.
    """

    @abstractmethod
    def charge(self, charge: Charge) -> int:
        """Charge all accounts or none; when this returns the charge is durable.

        Output: the number of the entry.
        Errors: BudgetExceededError if a cap would be exceeded.
        """

    @abstractmethod
    def set_cap(self, account: Account, epsilon: Fraction | None, delta: Fraction | None) -> None:
        """Set what an account may spend in all; None is no cap. It replaces any cap it had.

        What was spent stays spent. The account's own defaults no longer matter.
        Errors: InternalError if an amount cannot be recorded exactly.
        """

    @abstractmethod
    def drop_cap(self, account: Account) -> None:
        """Forget the cap of an account, whose defaults count again from its next charge on."""

    @abstractmethod
    def budgets(self, accounts: Iterable[Account] | None = None) -> list[Budget]:
        """Read what accounts may spend and have spent.

        Input: the accounts, or None for all that the ledger knows, by scope and name.
        Output: one budget for each, in order; an account never seen has spent nothing.
        """

    @abstractmethod
    def entries(self, session: str | None = None) -> list[Entry]:
        """Read the charges of one session, or of all, in the order in which they were made."""

    @abstractmethod
    def verify(self) -> None:
        """Compute from the entries what each account has spent, and compare.

        Errors: LedgerError that names the first account which differs.
        """

    @abstractmethod
    def close(self) -> None:
        """Let go of the store. Any later call but this one raises LedgerError."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
